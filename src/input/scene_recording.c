// scene_recording.c: the section `recording` -> plRecordingDef.
#include <stdio.h>
#include <string.h>

#include "input/scene.h"
#include "model/spec.h"

#define AT(field) offsetof(plSceneRecording, field)
// clang-format off
static const plKey keys[] = {
    {.name = "file", .type = PL_KEY_TEXT, .offset = AT(file), .fallback = "none",
     .meaning = "recording of all frames, below the working folder; `--record` takes precedence and may name any path"},
    {.name = "csv", .type = PL_KEY_TEXT, .offset = AT(csv), .fallback = "none",
     .meaning = "table of `signals`, below the working folder; `--csv` takes precedence and may name any path"},
    {.name = "signals", .type = PL_KEY_TEXTS, .offset = AT(signals), .fallback = "none",
     .meaning = "names of the table's columns, see Signals; `--signals` takes precedence"},
    {.name = "rate", .type = PL_KEY_NUMBER, .offset = AT(rate), .unit = "1/s", .range = PL_RANGE_POSITIVE, .fallback = "see every",
     .meaning = "frames per simulated second, for recording and table"},
    {.name = "every", .type = PL_KEY_INT, .offset = AT(every), .range = {1, 1e9, false, false},
     .meaning = "steps from one frame to the next; instead of `rate`"},
};
// clang-format on
#undef AT

static void defaults(void* target) {
  plRecordingDef def = pl_default_recording_def();
  *(plSceneRecording*)target = (plSceneRecording){.rate = def.rate, .every = def.every};
}

// A file that a scene writes: below the working folder, with plain characters.
static plStatus check_file(plScene* scene, const plYaml* map, const char* key, const char* path) {
  if (!path) return PL_OK;
  bool good = path[0] && path[0] != '/';
  for (const char* c = path; *c; c++) good = good && pl_is_name_letter(*c);
  for (const char* part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
    good = good && strncmp(part, "../", 3) != 0 && strcmp(part, "..") != 0;
  if (good) return PL_OK;
  return pl_scene_fail_key(scene, map, key,
                           "a scene writes files below the working folder, with names of letters, digits and "
                           "_ - . /; to write anywhere else name the file on the command line");
}

static plStatus finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  const plSceneRecording* r = target;
  if (pl_yaml_get(map, "rate") && pl_yaml_get(map, "every"))
    return pl_scene_fail_key(scene, map, "every", "give either 'rate' or 'every', not both");
  if (r->csv && !r->signals)
    return pl_scene_fail_key(scene, map, "csv", "the table needs 'signals', e.g. [time, BODY.com.z]");
  plStatus status = check_file(scene, map, "file", r->file);
  return status ? status : check_file(scene, map, "csv", r->csv);
}

const plSection pl_section_recording = {
    "recording", keys, sizeof keys / sizeof *keys, sizeof(plSceneRecording), defaults, finish};

// The texts of a list (or one text) joined by ", ".
static plStatus join(plScene* scene, const plYaml* list, const char** joined) {
  if (list->kind == PL_YAML_SCALAR) {
    *joined = list->text;
    return PL_OK;
  }
  size_t size = 1;
  for (const plYaml* child = list->first; child; child = child->next) size += strlen(child->text) + 2;
  char* text = PL_ARENA_NEW(&scene->tree.arena, char, size);
  if (!text) return pl_fail_out_of_memory(scene->error, size);
  char* end = text;
  *end = 0;
  for (const plYaml* child = list->first; child; child = child->next)
    end += snprintf(end, size - (size_t)(end - text), "%s%s", end > text ? ", " : "", child->text);
  *joined = text;
  return PL_OK;
}

plStatus pl_scene_add_recording(plScene* scene, const plSceneRecording* recording, const plYaml* root) {
  plRecordingDef def = pl_default_recording_def();
  def.file = recording->file;
  def.csv = recording->csv;
  def.rate = recording->rate;
  def.every = recording->every;
  if (recording->signals) {
    plStatus status = join(scene, recording->signals, &def.signals);
    if (status) return status;
  }
  return pl_scene_locate(scene, root, pl_spec_set_recording(scene->spec, &def, scene->error));
}

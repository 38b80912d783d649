// info_scene.c: contents of a scene: its outputs, the tables of its model, and violations at its start.
#include <stdlib.h>

#include "cli.h"
#include "pliant/output.h"

// The tables of the model; NULL if memory runs out.
static char* model_info(const plModel* model, plInfoForm form, size_t* length) {
  *length = pl_model_info(model, form, NULL, 0);
  char* text = malloc(*length + 1);
  if (text)
    pl_model_info(model, form, text, *length + 1);
  else
    complain("no memory for %zu bytes", *length);
  return text;
}

static int write_info(const plModel* model, const char* path) {
  plError error;
  size_t length;
  char* text = model_info(model, PL_INFO_JSON, &length);
  int status = !text                                        ? EXIT_FAILED
               : pl_output_json(path, text, length, &error) ? complain_error(&error)
                                                            : EXIT_DONE;
  free(text);
  return status;
}

static void print_remark(void* user, const char* text) {
  int* n = user;
  say(stdout, "%s  %s\n", (*n)++ ? "" : "\nat the start\n", text);
}

static int describe_start(const plModel* model) {
  plError error;
  plData* data = pl_data_create(model, &error);
  int n = 0;
  if (!data) return complain_error(&error);
  if (pl_describe_start(data, print_remark, &n, &error)) print_remark(&n, error.message);
  pl_data_destroy(data);
  return EXIT_DONE;
}

static int show(const plModel* model, const plSpec* spec, const char* path) {
  const plRecordingDef* recording = pl_spec_recording(spec);
  size_t length;
  char* text = model_info(model, PL_INFO_TEXT, &length);
  if (!text) return EXIT_FAILED;
  say(stdout, "scene          %s\n", path);
  if (recording->file) say(stdout, "recording      %s\n", recording->file);
  if (recording->csv) say(stdout, "table          %s: %s\n", recording->csv, recording->signals);
  fputs(text, stdout);
  free(text);
  return describe_start(model);
}

int info_scene(const char* name, const ArgList* set, const ArgList* search, const char* json) {
  char path[PATH_SIZE];
  plSpec* spec;
  int status = scene_load(name, set, search, path, &spec);
  if (status) return status;
  plError error;
  const plModel* model = pl_model_create(spec, &error);
  if (!model) {
    if (!error.file[0]) snprintf(error.file, sizeof error.file, "%.500s", path);
    status = complain_error(&error);
  } else {
    warn_soft_start(model);
    status = show(model, spec, path);
    if (!status && json) status = write_info(model, json);
  }
  pl_model_destroy(model);
  pl_spec_destroy(spec);
  return status;
}

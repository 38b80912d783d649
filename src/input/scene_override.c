// scene_override.c: overrides such as options.dt=0.005 change the YAML tree before it is read. The path is
// followed through the tables of keys, so that an unknown key is an error; list entries are addressed by name
// or index; the value is YAML, checked later like any other.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "input/scene.h"

// One override while its path is followed.
typedef struct Walk {
  plScene* scene;
  const plOverride* override;
  const plYamlSource* source;  // "override KEY=VALUE", for errors
  plYaml* node;                // the present node of the path
  const plSection* section;    // of node, if it is a map
  const plKey* key;            // that led to node
  char done[256];              // the path so far
} Walk;

static plStatus fail(const Walk* w, const char* format, ...) PL_PRINTF(2, 3);
static plStatus fail(const Walk* w, const char* format, ...) {
  char message[640];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  plStatus status = pl_fail_at(w->scene->error, PL_ERROR_INPUT, w->source->name, 0, 0, "%s", message);
  if (w->scene->error) snprintf(w->scene->error->path, sizeof w->scene->error->path, "%s", w->override->key);
  return status;
}

// The names of a list's entries, for a message.
static void list_names(const plYaml* list, char* text, size_t size) {
  size_t used = 0;
  text[0] = 0;
  for (const plYaml* child = list->first; child && used < size; child = child->next) {
    const plYaml* name = pl_yaml_get(child, "name");
    if (name && name->text)
      used += (size_t)snprintf(text + used, size - used, "%s%.40s", used ? ", " : "", name->text);
  }
}

// One step into a list: by the entry's name, then by its index.
static plStatus enter_list(Walk* w, const char* step) {
  plYaml* found = NULL;
  int index, i = 0;
  plYaml number = {.kind = PL_YAML_SCALAR, .text = step};
  bool counted = pl_yaml_int(&number, &index);
  for (plYaml* child = w->node->first; child && !found; child = child->next) {
    const plYaml* name = pl_yaml_get(child, "name");
    if (name && name->text && !strcmp(name->text, step)) found = child;
  }
  for (plYaml* child = w->node->first; child && !found && counted; child = child->next, i++)
    if (i == index) found = child;
  if (!found) {
    char names[200];
    list_names(w->node, names, sizeof names);
    return fail(w, "'%s' has no entry '%.64s'; it has %d%s%s", w->done, step, w->node->nchild,
                names[0] ? ": " : "", names);
  }
  w->node = found;
  return PL_OK;
}

// One step into a map: by the table of its keys; a missing map is created.
static plStatus enter_map(Walk* w, const char* step, bool last) {
  const plKey* key = pl_section_key(w->section, step);
  if (!key) {
    const char* names[64];
    assert(w->section->nkey <= 64);
    for (int i = 0; i < w->section->nkey; i++) names[i] = w->section->key[i].name;
    const char* near = pl_nearest_word(step, names, w->section->nkey);
    return fail(w, "there is no key '%.64s' in %s%s%s%s", step, w->section->name,
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  if (w->section == &pl_section_scene && !strcmp(step, "include"))
    return fail(w, "'include' cannot be overridden; write it into the scene");
  plYaml* child = pl_yaml_get(w->node, step);
  if (!child) {
    if (!last && key->type != PL_KEY_MAP)
      return fail(w, "the scene does not give '%.64s', so it has no parts to override; give all of it", step);
    child = pl_yaml_new(&w->scene->tree, last ? PL_YAML_SCALAR : PL_YAML_MAP, w->source);
    if (!child) return pl_fail_out_of_memory(w->scene->error, sizeof *child);
    child->key = key->name;
    child->text = last ? "" : NULL;
    pl_yaml_append(w->node, child);
  }
  w->node = child;
  w->key = key;
  w->section = key->section;
  return PL_OK;
}

// The value's tree, with the override as its source and no line.
static void unmark(plYaml* node, const plYamlSource* source) {
  node->source = source;
  node->line = node->column = 0;
  node->key_line = node->key_column = 0;
  for (plYaml* child = node->first; child; child = child->next) unmark(child, source);
}

// Sets the value at the end of the path.
static plStatus put(Walk* w, plYaml* parent) {
  plYaml* value;
  const char* text = w->override->value;
  plStatus status = pl_yaml_parse(&w->scene->tree, w->source, text, strlen(text), &value, w->scene->error);
  if (status) return status;
  unmark(value, w->source);
  pl_yaml_replace(parent, w->node, value);
  value->key_line = value->key_column = 0;
  return PL_OK;
}

// The end of the part of a path that names an entry of a list: names may contain dots, the longest match
// counts.
static char* end_of_entry(const plYaml* list, char* step) {
  size_t longest = 0;
  for (const plYaml* child = list->first; child; child = child->next) {
    const plYaml* name = pl_yaml_get(child, "name");
    size_t n = name && name->text ? strlen(name->text) : 0;
    if (n > longest && !strncmp(step, name->text, n) && (step[n] == '.' || !step[n])) longest = n;
  }
  return longest && !step[longest] ? NULL : longest ? step + longest : strchr(step, '.');
}

static plStatus apply(plScene* scene, plYaml* root, const plOverride* override) {
  char name[400], path[256];
  snprintf(name, sizeof name, "override %.180s=%.180s", override->key, override->value);
  Walk w = {
      .scene = scene, .override = override, .node = root, .section = &pl_section_scene, .done = "the scene"};
  w.source = pl_yaml_source(&scene->tree, name, "");
  if (!w.source) return pl_fail_out_of_memory(scene->error, sizeof name);
  if (strlen(override->key) >= sizeof path) return fail(&w, "the path is too long");
  snprintf(path, sizeof path, "%s", override->key);

  plYaml* parent = NULL;
  for (char *step = path, *end; step; step = end) {
    end = w.node->kind == PL_YAML_LIST ? end_of_entry(w.node, step) : strchr(step, '.');
    if (end) *end++ = 0;
    parent = w.node;
    plStatus status;
    if (!*step)
      status = fail(&w, "the path has an empty part; write for example options.dt=0.005");
    else if (w.node->kind == PL_YAML_LIST)
      status = enter_list(&w, step);
    else if (w.node->kind == PL_YAML_MAP && w.section)
      status = enter_map(&w, step, !end);
    else
      status = fail(&w, "'%s' is a single value and has no part '%.64s'", w.done, step);
    if (status) return status;
    snprintf(w.done, sizeof w.done, "%.200s", step);
  }
  return put(&w, parent);
}

plStatus pl_scene_override(plScene* scene, plYaml* root) {
  for (int i = 0; scene->load && i < scene->load->noverride; i++) {
    plStatus status = apply(scene, root, &scene->load->overrides[i]);
    if (status) return status;
  }
  return PL_OK;
}

// scene_read.c: fills a section's struct from a YAML map by the section's table of keys.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "input/scene.h"
#include "math/pose.h"

// ---- errors with a line

static void set_path(plScene* scene, const plYaml* node, const char* key) {
  if (!scene->error) return;
  char* path = scene->error->path;
  pl_yaml_path(node, key, path, sizeof scene->error->path);
  pl_text_one_line(path);
}

// The path is that of the node, or of its entry `key` (may be NULL).
static void fill(plScene* scene, const plYaml* node, const char* key, int line, int column,
                 const char* format, va_list args) {
  char message[sizeof scene->error->message];
  vsnprintf(message, sizeof message, format, args);
  pl_fail_at(scene->error, PL_ERROR_INPUT, node->source->name, line, column, "%s", message);
  set_path(scene, node, key);
}

plStatus pl_scene_fail(plScene* scene, const plYaml* node, const char* format, ...) {
  va_list args;
  va_start(args, format);
  fill(scene, node, NULL, node->line, node->column, format, args);
  va_end(args);
  return PL_ERROR_INPUT;
}

plStatus pl_scene_fail_key(plScene* scene, const plYaml* map, const char* key, const char* format, ...) {
  const plYaml* node = pl_yaml_get(map, key);
  va_list args;
  va_start(args, format);
  if (node)
    fill(scene, node, NULL, node->key_line, node->key_column, format, args);
  else
    fill(scene, map, key, map->line, map->column, format, args);
  va_end(args);
  return PL_ERROR_INPUT;
}

// An error at the key of an entry of a map.
static plStatus fail_at_key(plScene* scene, const plYaml* node, const char* format, ...) PL_PRINTF(3, 4);
static plStatus fail_at_key(plScene* scene, const plYaml* node, const char* format, ...) {
  va_list args;
  va_start(args, format);
  fill(scene, node, NULL, node->key_line, node->key_column, format, args);
  va_end(args);
  return PL_ERROR_INPUT;
}

plStatus pl_scene_locate(plScene* scene, const plYaml* node, plStatus status) {
  plError* error = scene->error;
  if (!status || !error || error->file[0]) return status;
  snprintf(error->file, sizeof error->file, "%s", node->source->name);
  error->line = node->line;
  error->column = node->column;
  set_path(scene, node, NULL);
  return status;
}

void pl_scene_warn(plScene* scene, const plYaml* node, const char* format, ...) {
  if (!scene->load || !scene->load->warn) return;
  plError place = {.line = node->line, .column = node->column};
  snprintf(place.file, sizeof place.file, "%s", node->source->name);
  va_list args;
  va_start(args, format);
  vsnprintf(place.message, sizeof place.message, format, args);
  va_end(args);
  char text[sizeof place.file + sizeof place.message + 32];
  scene->load->warn(scene->load->warn_user, pl_error_text(&place, text, sizeof text));
}

// The value found instead, shortened.
static const char* describe(const plYaml* node, char* text, size_t size) {
  if (node->kind == PL_YAML_MAP)
    snprintf(text, size, "a map");
  else if (node->kind == PL_YAML_LIST)
    snprintf(text, size, "a list of %d", node->nchild);
  else if (pl_yaml_is_null(node))
    snprintf(text, size, "nothing");
  else
    snprintf(text, size, "%s'%.80s'", node->quoted ? "the text " : "", node->text);
  return text;
}

static bool is_length(const plKey* key) { return key->unit && !strcmp(key->unit, "m"); }
static double most_of(const plKey* key) { return is_length(key) ? PL_LENGTH_MAX : PL_NUMBER_MAX; }

// A finite number that is larger than any may be (PL_NUMBER_MAX).
static const plYaml* find_too_large(const plKey* key, const plYaml* node) {
  double x;
  if (pl_yaml_number(node, &x)) return isfinite(x) && fabs(x) > most_of(key) ? node : NULL;
  for (const plYaml* child = node->kind == PL_YAML_LIST ? node->first : NULL; child; child = child->next)
    if (find_too_large(key, child)) return child;
  return NULL;
}

static plStatus fail_value(plScene* scene, const plSection* section, const plKey* key, const plYaml* node) {
  char expects[320], found[128];
  const plYaml* large = find_too_large(key, node);
  if (large)
    return pl_scene_fail(scene, large, "'%s' of %s: %s is too large; %s are at most %g%s", key->name,
                         section->name, describe(large, found, sizeof found),
                         is_length(key) ? "lengths" : "numbers", most_of(key), is_length(key) ? " m" : "");
  return pl_scene_fail(scene, node, "'%s' of %s must be %s, got %s", key->name, section->name,
                       pl_key_expects(key, expects, sizeof expects), describe(node, found, sizeof found));
}

// ---- values

static bool read_number(const plKey* key, const plYaml* node, double* value) {
  return pl_yaml_number(node, value) && pl_range_holds(&key->range, *value) &&
         (isinf(*value) || fabs(*value) <= most_of(key));
}

// n numbers of a list into value.
static bool read_numbers(const plKey* key, const plYaml* node, int n, double* value) {
  if (node->kind != PL_YAML_LIST || node->nchild != n) return false;
  for (const plYaml* child = node->first; child; child = child->next)
    if (!read_number(key, child, value++)) return false;
  return true;
}

static bool read_vec3(const plKey* key, const plYaml* node, plVec3* value) {
  double x[3];
  if (!read_numbers(key, node, 3, x)) return false;
  *value = v3(x[0], x[1], x[2]);
  return true;
}

static bool read_int3(const plKey* key, const plYaml* node, int* value) {
  if (node->kind != PL_YAML_LIST || node->nchild != 3) return false;
  for (const plYaml* child = node->first; child; child = child->next, value++)
    if (!pl_yaml_int(child, value) || !pl_range_holds(&key->range, *value)) return false;
  return true;
}

static bool read_quat(const plKey* key, const plYaml* node, plQuat* value) {
  double x[4];
  if (!read_numbers(key, node, 4, x)) return false;
  *value = (plQuat){x[0], x[1], x[2], x[3]};
  double norm = quat_norm(*value);
  return norm > 0.99 && norm < 1.01;
}

static bool read_text(const plYaml* node, const char** value) {
  if (node->kind != PL_YAML_SCALAR || pl_yaml_is_null(node) || !node->text[0]) return false;
  *value = node->text;
  return true;
}

static bool read_scale(const plKey* key, const plYaml* node, plVec3* value) {
  double x;
  if (!read_number(key, node, &x)) return read_vec3(key, node, value);
  *value = v3(x, x, x);
  return true;
}

// All children are whole numbers (numbers, texts), or one text stands alone.
static bool is_list_of(const plKey* key, const plYaml* node) {
  const char* text;
  int number;
  double x;
  if (key->type == PL_KEY_TEXTS && read_text(node, &text)) return true;
  if (key->type == PL_KEY_ROW && read_number(key, node, &x)) return true;
  if (node->kind != PL_YAML_LIST) return false;
  for (const plYaml* child = node->first; child; child = child->next) {
    bool good = key->type == PL_KEY_TEXTS ? read_text(child, &text)
                : key->type == PL_KEY_NUMBERS || key->type == PL_KEY_ROW
                    ? read_number(key, child, &x)
                    : pl_yaml_int(child, &number) && pl_range_holds(&key->range, number);
    if (!good) return false;
  }
  return true;
}

// A word that represents a whole number.
static bool is_word(const plKey* key, const plYaml* node, int* value) {
  const char* text;
  if (!read_text(node, &text)) return false;
  for (const plWord* word = key->words; word->name; word++)
    if (!strcmp(word->name, text)) return *value = word->value, true;
  return false;
}

static plStatus read_word(plScene* scene, const plSection* section, const plKey* key, const plYaml* node,
                          int* value) {
  const char* text;
  if (!read_text(node, &text)) return fail_value(scene, section, key, node);
  const char* names[64];
  int n = 0;
  for (const plWord* word = key->words; word->name && n < 64; word++) {
    if (!strcmp(word->name, text)) {
      *value = word->value;
      return PL_OK;
    }
    names[n++] = word->name;
  }
  if (key->removed && !strcmp(key->removed, text))
    return pl_scene_fail(scene, node, "'%s: %s' of %s was removed: %s", key->name, text, section->name,
                         key->remedy);
  char expects[320];
  const char* near = pl_nearest_word(text, names, n);
  return pl_scene_fail(scene, node, "'%s' of %s must be %s, got '%.80s'%s%s%s", key->name, section->name,
                       pl_key_expects(key, expects, sizeof expects), text, near ? "; did you mean '" : "",
                       near ? near : "", near ? "'?" : "");
}

static plStatus read_list(plScene* scene, const plSection* section, const plKey* key, const plYaml* node,
                          const plYaml** value) {
  if (node->kind != PL_YAML_LIST) return fail_value(scene, section, key, node);
  if (node->nchild > PL_SCENE_MAX_ITEMS)
    return pl_scene_fail(scene, node, "'%s' of %s has %d entries; at most %d are read", key->name,
                         section->name, node->nchild, PL_SCENE_MAX_ITEMS);
  *value = node;
  return PL_OK;
}

static plStatus read_value(plScene* scene, const plSection* section, const plKey* key, const plYaml* node,
                           void* at) {
  bool good = false;
  switch (key->type) {
    case PL_KEY_NUMBER:
      good = read_number(key, node, at);
      break;
    case PL_KEY_INT:
      good = (key->words && is_word(key, node, at)) ||
             (pl_yaml_int(node, at) && pl_range_holds(&key->range, *(int*)at));
      break;
    case PL_KEY_INT3:
      good = read_int3(key, node, at);
      break;
    case PL_KEY_BOOL:
      good = pl_yaml_bool(node, at);
      break;
    case PL_KEY_TEXT:
      good = read_text(node, at);
      break;
    case PL_KEY_VEC3:
      good = read_vec3(key, node, at);
      break;
    case PL_KEY_QUAT:
      good = read_quat(key, node, at);
      break;
    case PL_KEY_SCALE:
      good = read_scale(key, node, at);
      break;
    case PL_KEY_INTS:
    case PL_KEY_TEXTS:
    case PL_KEY_NUMBERS:
    case PL_KEY_ROW:
      good = is_list_of(key, node);
      if (good) *(const plYaml**)at = node;
      break;
    case PL_KEY_WORD:
      return read_word(scene, section, key, node, at);
    case PL_KEY_LIST:
      return read_list(scene, section, key, node, at);
    case PL_KEY_MAP:
      return pl_section_read(scene, key->section, node, at);
    default:
      break;
  }
  return good ? PL_OK : fail_value(scene, section, key, node);
}

// The numbers of a list (PL_KEY_NUMBERS), owned by the tree; NULL if memory runs out.
static double* numbers_of(plScene* scene, const plYaml* list) {
  double* value = PL_ARENA_NEW(&scene->tree.arena, double, list->nchild);
  int i = 0;
  for (const plYaml* child = list->first; child && value; child = child->next) {
    assert(i < list->nchild);
    pl_yaml_number(child, &value[i++]);
  }
  return value;
}

plStatus pl_scene_table(plScene* scene, const plYaml* times, const plYaml* values, int* n,
                        const double** time, const double** value) {
  *n = times ? times->nchild : 0;
  if (!*n) return PL_OK;
  assert(values && values->nchild == *n);  // the sections check it
  *time = numbers_of(scene, times), *value = numbers_of(scene, values);
  return *time && *value ? PL_OK : pl_fail_out_of_memory(scene->error, 2 * (size_t)*n * sizeof(double));
}

// ---- sections

const plKey* pl_section_key(const plSection* section, const char* name) {
  for (int i = 0; i < section->nkey; i++)
    if (!strcmp(section->key[i].name, name)) return &section->key[i];
  return NULL;
}

static plStatus fail_unknown(plScene* scene, const plSection* section, const plYaml* node) {
  const char* names[64];
  char known[512] = "";
  size_t used = 0;
  for (int i = 0; i < section->nkey; i++) {
    names[i] = section->key[i].name;
    if (used < sizeof known)
      used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", names[i]);
  }
  const char* near = pl_nearest_word(node->key, names, section->nkey);
  if (near)
    return fail_at_key(scene, node, "unknown key '%.64s' in %s; did you mean '%s'?", node->key, section->name,
                       near);
  return fail_at_key(scene, node, "unknown key '%.64s' in %s; it knows %s", node->key, section->name, known);
}

plStatus pl_section_read(plScene* scene, const plSection* section, const plYaml* map, void* target) {
  assert(section->nkey <= 64);  // bits of seen
  if (section->defaults) section->defaults(target);
  if (map->kind != PL_YAML_MAP) {
    char found[128];
    bool joined = map->kind == PL_YAML_SCALAR && !map->quoted && strchr(map->text, ':');
    return pl_scene_fail(scene, map, "%s must be a map of keys and values, got %s%s", section->name,
                         describe(map, found, sizeof found), joined ? "; write a space after the colon" : "");
  }
  uint64_t seen = 0;
  for (const plYaml* child = map->first; child; child = child->next) {
    const plKey* key = pl_section_key(section, child->key);
    if (!key) return fail_unknown(scene, section, child);
    plStatus status = read_value(scene, section, key, child, (char*)target + key->offset);
    if (status) return status;
    seen |= UINT64_C(1) << (key - section->key);
  }
  for (int i = 0; i < section->nkey; i++)
    if (section->key[i].required && !(seen >> i & 1)) {
      char expects[320];
      return pl_scene_fail_key(scene, map, section->key[i].name, "%s needs the key '%s': %s", section->name,
                               section->key[i].name,
                               pl_key_expects(&section->key[i], expects, sizeof expects));
    }
  return section->finish ? section->finish(scene, map, target, seen) : PL_OK;
}

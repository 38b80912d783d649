// scene_keys.c: tables of keys -> rows of docs/scene.md; defaults are printed from the default functions.
#include "input/scene_keys.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

const plSection* const pl_scene_sections[] = {&pl_section_scene,
                                              &pl_section_options,
                                              &pl_section_robot,
                                              &pl_section_robot_joint,
                                              &pl_section_controller,
                                              &pl_section_robot_surface,
                                              &pl_section_body,
                                              &pl_section_joint,
                                              &pl_section_actuator,
                                              &pl_section_deformable,
                                              &pl_section_part,
                                              &pl_section_material,
                                              &pl_section_damping,
                                              &pl_section_surface,
                                              &pl_section_pose,
                                              &pl_section_fixed,
                                              &pl_section_region,
                                              &pl_section_knot,
                                              &pl_section_load,
                                              &pl_section_factor,
                                              &pl_section_shape,
                                              &pl_section_attachment,
                                              &pl_section_constraint,
                                              &pl_section_exclude,
                                              &pl_section_site,
                                              &pl_section_sensor,
                                              &pl_section_sensor_point,
                                              &pl_section_recording,
                                              NULL};

static void print_number(double x, char* text, size_t size) {
  if (isinf(x))
    snprintf(text, size, "%s", x > 0 ? "infinite" : "-infinite");
  else
    snprintf(text, size, "%.15g", x);
}

static void print_vec3(plVec3 x, char* text, size_t size) {
  snprintf(text, size, "[%.15g, %.15g, %.15g]", x.x, x.y, x.z);
}

// The value of a key in a struct of defaults.
static void print_default(const plKey* key, const char* target, char* text, size_t size) {
  const void* at = target + key->offset;
  snprintf(text, size, "%s", key->required ? "required" : key->fallback ? key->fallback : "none");
  if (key->required || key->fallback) return;
  switch (key->type) {
    case PL_KEY_NUMBER:
      print_number(*(const double*)at, text, size);
      break;
    case PL_KEY_INT:
      snprintf(text, size, "%d", *(const int*)at);
      for (const plWord* word = key->words; word && word->name; word++)
        if (word->value == *(const int*)at) snprintf(text, size, "%s", word->name);
      break;
    case PL_KEY_BOOL:
      snprintf(text, size, "%s", *(const bool*)at ? "true" : "false");
      break;
    case PL_KEY_TEXT:
      snprintf(text, size, "%s", *(const char* const*)at);
      break;
    case PL_KEY_VEC3:
      print_vec3(*(const plVec3*)at, text, size);
      break;
    case PL_KEY_SCALE:
      print_number(((const plVec3*)at)->x, text, size);
      break;
    case PL_KEY_QUAT: {
      const plQuat* q = at;
      snprintf(text, size, "[%g, %g, %g, %g]", q->w, q->x, q->y, q->z);
      break;
    }
    case PL_KEY_WORD:
      for (const plWord* word = key->words; word->name; word++)
        if (word->value == *(const int*)at) snprintf(text, size, "%s", word->name);
      break;
    default:
      break;
  }
}

// The struct of defaults of a section; a section without its own defaults lives in another's struct.
static void fill_defaults(const plSection* section, void* target) {
  if (section->defaults) {
    section->defaults(target);
    return;
  }
  for (int i = 0; pl_scene_sections[i]; i++)
    for (int k = 0; k < pl_scene_sections[i]->nkey; k++)
      if (pl_scene_sections[i]->key[k].section == section && pl_scene_sections[i]->defaults)
        pl_scene_sections[i]->defaults(target);
}

const char* pl_scene_key_row(const plSection* section, int k, char* text, size_t size) {
  const plKey* key = &section->key[k];
  plKey plain = *key;
  plain.unit = NULL;
  char expects[320], value[160] = "?";
  pl_key_expects(&plain, expects, sizeof expects);
  void* target = pl_alloc(1, section->size);
  if (target) {
    fill_defaults(section, target);
    print_default(key, target, value, sizeof value);
  }
  pl_free(target);
  snprintf(text, size, "| `%s` | %s | %s | %s | %s |", key->name, expects, key->unit ? key->unit : "", value,
           key->meaning);
  return text;
}

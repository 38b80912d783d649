// scene_material.c: the section `material` of a deformable -> plMaterial.
#include "fem/elements.h"
#include "fem/law.h"
#include "input/scene.h"

static const plWord masses[] = {{"consistent", PL_MASS_CONSISTENT}, {"lumped", PL_MASS_LUMPED}, {NULL, 0}};
static const plWord rotations[] = {
    {"consistent", PL_ROTATION_CONSISTENT}, {"lagged", PL_ROTATION_LAGGED}, {NULL, 0}};

// ---- damping: a map of its own, in the same struct

// clang-format off
static const plKey damping_keys[] = {
    {.name = "mass", .type = PL_KEY_NUMBER, .offset = offsetof(plMaterial, damping_mass), .unit = "1/s",
     .range = PL_RANGE_NOT_NEGATIVE, .meaning = "Rayleigh's alpha: a force -alpha M v"},
    {.name = "stiffness", .type = PL_KEY_NUMBER, .offset = offsetof(plMaterial, damping_stiffness), .unit = "s",
     .range = PL_RANGE_NOT_NEGATIVE, .meaning = "Rayleigh's beta: a force -beta K v"},
};
// clang-format on

const plSection pl_section_damping = {
    "damping", damping_keys, sizeof damping_keys / sizeof *damping_keys, sizeof(plMaterial), NULL, NULL};

static const plWord volumetrics[] = {
    {"element", PL_VOLUMETRIC_ELEMENT}, {"patch", PL_VOLUMETRIC_PATCH}, {NULL, 0}};

// ---- material

#define AT(field) offsetof(plMaterial, field)
// clang-format off
static const plKey keys[] = {
    {.name = "kind", .type = PL_KEY_WORD, .offset = AT(kind), .words = pl_material_words, .meaning = "the law"},
    {.name = "young", .type = PL_KEY_NUMBER, .offset = AT(young), .unit = "Pa", .range = PL_RANGE_POSITIVE,
     .meaning = "Young's modulus"},
    {.name = "poisson", .type = PL_KEY_NUMBER, .offset = AT(poisson), .range = {-1, 0.5, true, true},
     .meaning = "Poisson's ratio"},
    {.name = "lame_lambda", .type = PL_KEY_NUMBER, .offset = AT(lame_lambda), .unit = "Pa", .fallback = "from young and poisson",
     .meaning = "Lame's first parameter; with `lame_mu` instead of `young` and `poisson`"},
    {.name = "lame_mu", .type = PL_KEY_NUMBER, .offset = AT(lame_mu), .unit = "Pa", .range = PL_RANGE_POSITIVE,
     .fallback = "from young and poisson", .meaning = "shear modulus"},
    {.name = "c1", .type = PL_KEY_NUMBER, .offset = AT(c1), .unit = "Pa", .range = PL_RANGE_NOT_NEGATIVE,
     .meaning = "of `mooney_rivlin`, which needs c1, c2 and bulk"},
    {.name = "c2", .type = PL_KEY_NUMBER, .offset = AT(c2), .unit = "Pa", .range = PL_RANGE_NOT_NEGATIVE,
     .meaning = "of `mooney_rivlin`"},
    {.name = "bulk", .type = PL_KEY_NUMBER, .offset = AT(bulk), .unit = "Pa", .range = PL_RANGE_NOT_NEGATIVE,
     .meaning = "bulk modulus of `mooney_rivlin`"},
    {.name = "density", .type = PL_KEY_NUMBER, .offset = AT(density), .unit = "kg/m^3", .range = PL_RANGE_POSITIVE,
     .meaning = "mass per volume at rest"},
    {.name = "damping", .type = PL_KEY_MAP, .section = &pl_section_damping, .fallback = "see damping",
     .meaning = "Rayleigh damping"},
    {.name = "mass", .type = PL_KEY_WORD, .offset = AT(mass), .words = masses,
     .meaning = "mass matrix: consistent, or lumped at the vertices"},
    {.name = "element", .type = PL_KEY_WORD, .offset = AT(element), .words = pl_element_words,
     .meaning = "tet4: linear; tet4_smoothed: F averaged around edges, good in bending; tet10: quadratic, with a vertex on each edge"},
    {.name = "volumetric", .type = PL_KEY_WORD, .offset = AT(volumetric), .words = volumetrics,
     .meaning = "where volume changes are resisted: each element, or patches of about 12 (no locking as poisson nears 0.5)"},
    {.name = "rotation", .type = PL_KEY_WORD, .offset = AT(rotation), .words = rotations,
     .meaning = "where `linear_corotated` freezes its rotation: consistent keeps angular momentum, lagged is the start of the step"},
};
// clang-format on
#undef AT

static void defaults(void* target) { *(plMaterial*)target = pl_default_material(); }

// The elastic constants come in one of three sets; a key of another set would be ignored.
static plStatus finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  plMaterial* m = target;
  bool mooney = m->kind == PL_MATERIAL_MOONEY_RIVLIN;
  bool lame = pl_yaml_get(map, "lame_mu") || pl_yaml_get(map, "lame_lambda");
  static const char *const rivlin[] = {"c1", "c2", "bulk"}, *const elastic[] = {"young", "poisson",
                                                                                "lame_lambda", "lame_mu"};
  for (int i = 0; i < 3; i++) {
    if (mooney && !pl_yaml_get(map, rivlin[i]))
      return pl_scene_fail(scene, map,
                           "the material mooney_rivlin needs 'c1', 'c2' and 'bulk' (Pa); '%s' is missing",
                           rivlin[i]);
    if (!mooney && pl_yaml_get(map, rivlin[i]))
      return pl_scene_fail_key(scene, map, rivlin[i],
                               "'%s' belongs to mooney_rivlin; %s takes 'young' and 'poisson'", rivlin[i],
                               pl_material_name(m->kind));
  }
  for (int i = 0; i < 4; i++)
    if (mooney && pl_yaml_get(map, elastic[i]))
      return pl_scene_fail_key(scene, map, elastic[i],
                               "the material mooney_rivlin takes 'c1', 'c2' and 'bulk' instead of '%s'",
                               elastic[i]);
  if (lame && !(pl_yaml_get(map, "lame_mu") && pl_yaml_get(map, "lame_lambda")))
    return pl_scene_fail(scene, map, "'lame_lambda' and 'lame_mu' come together; one is missing");
  for (int i = 0; i < 2; i++)
    if (lame && pl_yaml_get(map, elastic[i]))
      return pl_scene_fail_key(scene, map, elastic[i],
                               "give either 'young' and 'poisson' or 'lame_lambda' and 'lame_mu', not both");
  return pl_scene_locate(scene, map, pl_material_check(m, scene->error));
}

const plSection pl_section_material = {"material",         keys,     sizeof keys / sizeof *keys,
                                       sizeof(plMaterial), defaults, finish};

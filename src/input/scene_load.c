// scene_load.c: the sections `loads` and `factor` -> plLoadDef.
#include <assert.h>

#include "base/memory.h"
#include "input/scene.h"

typedef struct Load {
  plSceneRegion region;
  int kind;
  plVec3 vector;
  double pressure;
  const plYaml* factor;
} Load;

typedef struct Factor {
  double time, value;
} Factor;

// ---- factor

// clang-format off
static const plKey factor_keys[] = {
    {.name = "time", .type = PL_KEY_NUMBER, .offset = offsetof(Factor, time), .unit = "s", .required = true,
     .meaning = "later than the entry before"},
    {.name = "value", .type = PL_KEY_NUMBER, .offset = offsetof(Factor, value), .required = true,
     .meaning = "multiplies the load; linear in between, constant before and after"},
};
// clang-format on

static void factor_defaults(void* target) { *(Factor*)target = (Factor){0}; }

const plSection pl_section_factor = {
    "factor", factor_keys, sizeof factor_keys / sizeof *factor_keys, sizeof(Factor), factor_defaults, NULL};

// ---- load

static const plWord kinds[] = {{"vertex", PL_LOAD_VERTEX},
                               {"force_density", PL_LOAD_FORCE_DENSITY},
                               {"traction", PL_LOAD_TRACTION},
                               {"pressure", PL_LOAD_PRESSURE},
                               {NULL, 0}};

// clang-format off
static const plKey load_keys[] = {
    {.name = "region", .type = PL_KEY_MAP, .offset = offsetof(Load, region), .section = &pl_section_region, .required = true,
     .meaning = "where it acts: vertices, or tetrahedra and surface triangles with all vertices in it"},
    {.name = "kind", .type = PL_KEY_WORD, .offset = offsetof(Load, kind), .words = kinds, .required = true,
     .meaning = "on each vertex, per volume at rest, per area at rest, or a pressure that follows the surface"},
    {.name = "vector", .type = PL_KEY_VEC3, .offset = offsetof(Load, vector), .unit = "N, N/m^3 or N/m^2", .fallback = "none",
     .meaning = "of every kind but pressure, in the world"},
    {.name = "pressure", .type = PL_KEY_NUMBER, .offset = offsetof(Load, pressure), .unit = "Pa", .fallback = "none",
     .meaning = "of the kind pressure; positive pushes inward"},
    {.name = "factor", .type = PL_KEY_LIST, .offset = offsetof(Load, factor), .section = &pl_section_factor, .fallback = "1",
     .meaning = "how it changes in time"},
};
// clang-format on

static void load_defaults(void* target) {
  Load* l = target;
  *l = (Load){.kind = PL_LOAD_TRACTION};
  pl_section_region.defaults(&l->region);
}

static plStatus load_finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  const Load* l = target;
  const char *wanted = l->kind == PL_LOAD_PRESSURE ? "pressure" : "vector",
             *other = l->kind == PL_LOAD_PRESSURE ? "vector" : "pressure";
  if (!pl_yaml_get(map, wanted))
    return pl_scene_fail(scene, map, "a load of the kind '%s' needs '%s'", pl_load_name((plLoadKind)l->kind),
                         wanted);
  if (pl_yaml_get(map, other))
    return pl_scene_fail_key(scene, map, other, "a load of the kind '%s' takes '%s', not '%s'",
                             pl_load_name((plLoadKind)l->kind), wanted, other);
  return PL_OK;
}

const plSection pl_section_load = {"loads",      load_keys,     sizeof load_keys / sizeof *load_keys,
                                   sizeof(Load), load_defaults, load_finish};

// ---- to definitions

static plStatus read_factor(plScene* scene, const plYaml* list, double* time, double* value) {
  int i = 0;
  for (const plYaml* child = list->first; child; child = child->next, i++) {
    Factor knot;
    plStatus status = pl_section_read(scene, &pl_section_factor, child, &knot);
    if (status) return status;
    if (i && knot.time <= time[i - 1])
      return pl_scene_fail_key(scene, child, "time", "the times of a factor must increase, but %g follows %g",
                               knot.time, time[i - 1]);
    assert(i < list->nchild);
    time[i] = knot.time;
    value[i] = knot.value;
  }
  return PL_OK;
}

static plStatus add_one(plScene* scene, int deformable, const plYaml* map) {
  Load l;
  plStatus status = pl_section_read(scene, &pl_section_load, map, &l);
  if (status) return status;
  plLoadDef def = pl_default_load_def();
  def.deformable = deformable;
  def.kind = (plLoadKind)l.kind;
  def.vector = l.vector;
  def.pressure = l.pressure;
  def.ntime = l.factor ? l.factor->nchild : 0;
  double* time = PL_ARENA_NEW(&scene->tree.arena, double, def.ntime);
  double* value = PL_ARENA_NEW(&scene->tree.arena, double, def.ntime);
  if (!time || !value) return pl_fail_out_of_memory(scene->error, (size_t)def.ntime * sizeof(double));
  if (l.factor) status = read_factor(scene, l.factor, time, value);
  def.time = time, def.factor = value;
  if (!status) status = pl_scene_region(scene, &l.region, deformable, &def.region);
  return status ? status : pl_scene_locate(scene, map, pl_spec_add_load(scene->spec, &def, scene->error));
}

plStatus pl_scene_add_loads(plScene* scene, int deformable, const plYaml* list) {
  plStatus status = PL_OK;
  for (const plYaml* child = list->first; child && !status; child = child->next)
    status = add_one(scene, deformable, child);
  return status;
}

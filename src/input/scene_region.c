// scene_region.c: the sections `fixed`, `region` and `motion` -> plFixDef. A region chooses vertices of a
// body by position or index.
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "geom/mesh.h"
#include "input/scene.h"
#include "math/pose.h"
#include "model/elements.h"
#include "model/spec.h"

typedef struct Knot {
  double time;
  plVec3 offset;
} Knot;

typedef struct Fixed {
  plSceneRegion region;
  const char* components;
  const plYaml* motion;
} Fixed;

// ---- region

static const plWord shapes[] = {{"all", PL_REGION_ALL},
                                {"box", PL_REGION_BOX},
                                {"sphere", PL_REGION_SPHERE},
                                {"half_space", PL_REGION_HALF_SPACE},
                                {NULL, 0}};

static const plShapeRule rules[] = {[PL_REGION_ALL] = {"all", {NULL}},
                                    [PL_REGION_BOX] = {"box", {"size", "centre?", "rpy?"}},
                                    [PL_REGION_SPHERE] = {"sphere", {"radius", "centre?"}},
                                    [PL_REGION_HALF_SPACE] = {"half_space", {"normal", "centre?"}},
                                    [PL_REGION_INDICES] = {NULL, {NULL}}};
static const char* const size_keys[] = {"centre", "size", "rpy", "radius", "normal", NULL};

#define AT(field) offsetof(plSceneRegion, field)
// clang-format off
static const plKey region_keys[] = {
    {.name = "shape", .type = PL_KEY_WORD, .offset = AT(shape), .words = shapes, .fallback = "none",
     .meaning = "vertices inside it or on its border"},
    {.name = "centre", .type = PL_KEY_VEC3, .offset = AT(centre), .unit = "m",
     .meaning = "of a box or sphere, or a point of the half space's plane; in the mesh's frame, after `scale`"},
    {.name = "size", .type = PL_KEY_VEC3, .offset = AT(size), .unit = "m", .range = PL_RANGE_NOT_NEGATIVE, .fallback = "none",
     .meaning = "sides of a box"},
    {.name = "rpy", .type = PL_KEY_VEC3, .offset = AT(rpy), .unit = "rad", .meaning = "turns a box about its centre"},
    {.name = "radius", .type = PL_KEY_NUMBER, .offset = AT(radius), .unit = "m", .range = PL_RANGE_NOT_NEGATIVE, .fallback = "none",
     .meaning = "of a sphere"},
    {.name = "normal", .type = PL_KEY_VEC3, .offset = AT(normal), .fallback = "none",
     .meaning = "outward normal of a half space: vertices x with normal . (x - centre) <= 0"},
    {.name = "indices", .type = PL_KEY_INTS, .offset = AT(indices), .range = PL_RANGE_NOT_NEGATIVE, .fallback = "none",
     .meaning = "vertices as the mesh file counts them, from 0, for `tet10` followed by the midpoints of its edges; instead of `shape`"},
};
// clang-format on
#undef AT

static void region_defaults(void* target) {
  plRegion r = pl_default_region();
  *(plSceneRegion*)target = (plSceneRegion){.shape = -1, .centre = r.centre, .normal = r.normal};
}

static plStatus region_finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  plSceneRegion* r = target;
  if ((r->shape >= 0) == (r->indices != NULL))
    return pl_scene_fail(scene, map,
                         "a region needs either 'shape' (all, box, sphere, half_space) or 'indices'");
  if (r->indices) r->shape = PL_REGION_INDICES;
  if (r->shape == PL_REGION_HALF_SPACE && v3_norm(r->normal) == 0)
    return pl_scene_fail_key(scene, map, "normal", "the normal of a half space must not be zero");
  return pl_scene_check_shape(scene, map, &rules[r->shape], size_keys);
}

const plSection pl_section_region = {
    "region",        region_keys,  sizeof region_keys / sizeof *region_keys, sizeof(plSceneRegion),
    region_defaults, region_finish};

// ---- motion

// clang-format off
static const plKey knot_keys[] = {
    {.name = "time", .type = PL_KEY_NUMBER, .offset = offsetof(Knot, time), .unit = "s", .required = true,
     .meaning = "later than the entry before"},
    {.name = "offset", .type = PL_KEY_VEC3, .offset = offsetof(Knot, offset), .unit = "m", .required = true,
     .meaning = "displacement from the start in the world; linear in between, constant before and after"},
};
// clang-format on

static void knot_defaults(void* target) { *(Knot*)target = (Knot){0}; }

const plSection pl_section_knot = {"motion",     knot_keys,     sizeof knot_keys / sizeof *knot_keys,
                                   sizeof(Knot), knot_defaults, NULL};

// ---- fixed

// clang-format off
static const plKey fixed_keys[] = {
    {.name = "region", .type = PL_KEY_MAP, .offset = offsetof(Fixed, region), .section = &pl_section_region, .required = true,
     .meaning = "which vertices; at least one"},
    {.name = "components", .type = PL_KEY_TEXT, .offset = offsetof(Fixed, components),
     .meaning = "letters of the world's axes along which they are held, e.g. `xz`"},
    {.name = "motion", .type = PL_KEY_LIST, .offset = offsetof(Fixed, motion), .section = &pl_section_knot, .fallback = "held",
     .meaning = "how they move"},
};
// clang-format on

static void fixed_defaults(void* target) {
  Fixed* f = target;
  *f = (Fixed){.components = "xyz"};
  region_defaults(&f->region);
}

static int components_of(const char* text) {
  int bits = 0;
  for (; *text; text++) {
    int bit = *text == 'x' ? PL_FIX_X : *text == 'y' ? PL_FIX_Y : *text == 'z' ? PL_FIX_Z : 0;
    if (!bit || (bits & bit)) return 0;
    bits |= bit;
  }
  return bits;
}

static plStatus fixed_finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  const Fixed* f = target;
  if (components_of(f->components)) return PL_OK;
  return pl_scene_fail(scene, pl_yaml_get(map, "components"),
                       "'components' of fixed must be letters among x, y, z, each once, got '%.40s'",
                       f->components);
}

const plSection pl_section_fixed = {"fixed",       fixed_keys,     sizeof fixed_keys / sizeof *fixed_keys,
                                    sizeof(Fixed), fixed_defaults, fixed_finish};

// ---- to definitions

// An index as the file counts vertices -> as the body does. Beyond the file's numbers are the middles of the
// edges of quadratic tetrahedra.
static plStatus to_vertex(plScene* scene, const plYaml* node, const plDeformableDef* def, int* index) {
  const plMesh* mesh = def->mesh;
  int nnumber = pl_mesh_nnumber(mesh), number = *index;
  *index = number < nnumber ? pl_mesh_find(mesh, number) : mesh->nvert + (number - nnumber);
  if (*index < 0)
    return pl_scene_fail(scene, node,
                         "vertex %d of the mesh of '%s' is not part of the body: no tetrahedron uses it",
                         number, def->name);
  if (*index < mesh->nvert || !mesh->number)
    return PL_OK;  // without numbers the spec's own check is as clear
  plBodyNodes nodes;
  plStatus status = pl_body_nodes(def, &nodes, scene->error);
  int n = nodes.n - mesh->nvert + nnumber;
  pl_body_nodes_free(&nodes);
  if (status || number < n) return status;
  return pl_scene_fail(scene, node, "the region names vertex %d of '%s', but there are %d%s", number,
                       def->name, n, n > nnumber ? " with the middles of its edges" : " in its file");
}

plStatus pl_scene_region(plScene* scene, const plSceneRegion* r, int deformable, plRegion* region) {
  *region = pl_default_region();
  region->kind = (plRegionKind)r->shape;
  region->size = r->size;
  region->radius = r->radius;
  region->normal = r->normal;
  region->centre = r->centre;
  // A box turns about its own centre: the pose contains both.
  if (region->kind == PL_REGION_BOX) {
    region->pose = (plPose){r->centre, quat_from_rpy(r->rpy.x, r->rpy.y, r->rpy.z)};
    region->centre = v3(0, 0, 0);
  }
  if (!r->indices) return PL_OK;
  int* index = PL_ARENA_NEW(&scene->tree.arena, int, r->indices->nchild);
  if (!index) return pl_fail_out_of_memory(scene->error, (size_t)r->indices->nchild * sizeof(int));
  region->index = index;
  plStatus status = PL_OK;
  for (const plYaml* child = r->indices->first; child && !status; child = child->next) {
    assert(region->nindex < r->indices->nchild && deformable < scene->spec->ndeform);
    int* at = &index[region->nindex++];
    pl_yaml_int(child, at);
    if (deformable >= 0) status = to_vertex(scene, child, &scene->spec->deform[deformable], at);
  }
  return status;
}

static plStatus read_motion(plScene* scene, const plYaml* list, double* time, plVec3* offset) {
  int i = 0;
  for (const plYaml* child = list->first; child; child = child->next, i++) {
    Knot knot;
    plStatus status = pl_section_read(scene, &pl_section_knot, child, &knot);
    if (status) return status;
    if (i && knot.time <= time[i - 1])
      return pl_scene_fail_key(scene, child, "time", "the times of a motion must increase, but %g follows %g",
                               knot.time, time[i - 1]);
    assert(i < list->nchild);
    time[i] = knot.time;
    offset[i] = knot.offset;
  }
  return PL_OK;
}

static plStatus add_one(plScene* scene, int deformable, const plYaml* map) {
  Fixed f;
  plStatus status = pl_section_read(scene, &pl_section_fixed, map, &f);
  if (status) return status;
  int ntime = f.motion ? f.motion->nchild : 0;
  plArena* arena = &scene->tree.arena;
  double* time = PL_ARENA_NEW(arena, double, ntime);
  plVec3* offset = PL_ARENA_NEW(arena, plVec3, ntime);
  if (!time || !offset) return pl_fail_out_of_memory(scene->error, (size_t)ntime * sizeof(plVec3));
  if (f.motion) status = read_motion(scene, f.motion, time, offset);
  if (status) return status;

  plFixDef def = pl_default_fix_def();
  status = pl_scene_region(scene, &f.region, deformable, &def.region);
  if (status) return status;
  def.deformable = deformable;
  def.components = components_of(f.components);
  def.ntime = ntime;
  def.time = time;
  def.offset = offset;
  return pl_scene_locate(scene, map, pl_spec_add_fix(scene->spec, &def, scene->error));
}

plStatus pl_scene_add_fixed(plScene* scene, int deformable, const plYaml* list) {
  plStatus status = PL_OK;
  for (const plYaml* child = list->first; child && !status; child = child->next)
    status = add_one(scene, deformable, child);
  return status;
}

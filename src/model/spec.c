// spec.c: adding definitions to a spec. Each is checked, then copied; a call that fails leaves the spec as it
// was.
#include "model/spec.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/hull.h"
#include "geom/shape.h"
#include "math/pose.h"
#include "model/elements.h"

plSpec* pl_spec_create(void) {
  plSpec* spec = PL_NEW(plSpec, 1);
  if (!spec) return NULL;
  spec->options = pl_default_options();
  spec->recording = pl_default_recording_def();
  return spec;
}

static void free_fix(plFixDef* fix) {
  pl_free((void*)fix->region.index);
  pl_free((void*)fix->time);
  pl_free((void*)fix->offset);
}

plSpecMark pl_spec_mark(const plSpec* s) {
  return (plSpecMark){s->ndeform,     s->nfix,     s->nshape, s->nbody,   s->njoint,  s->nactuator,
                      s->nconstraint, s->nexclude, s->nload,  s->nattach, s->nsensor, s->nsite};
}

void pl_spec_rollback(plSpec* spec, plSpecMark mark) {
  while (spec->ndeform > mark.ndeform) {
    spec->ndeform--;
    pl_free((void*)spec->deform[spec->ndeform].name);
    pl_mesh_destroy((plMesh*)spec->deform[spec->ndeform].mesh);
  }
  while (spec->nfix > mark.nfix) free_fix(&spec->fix[--spec->nfix]);
  while (spec->nshape > mark.nshape) {
    spec->nshape--;
    pl_free((void*)spec->shape[spec->nshape].name);
    pl_mesh_destroy((plMesh*)spec->shape[spec->nshape].mesh);
  }
  while (spec->nbody > mark.nbody) pl_free((void*)spec->body[--spec->nbody].name);
  while (spec->njoint > mark.njoint) pl_free((void*)spec->joint[--spec->njoint].name);
  while (spec->nactuator > mark.nactuator) {
    spec->nactuator--;
    pl_free((void*)spec->actuator[spec->nactuator].name);
    pl_free((void*)spec->actuator[spec->nactuator].time);
    pl_free((void*)spec->actuator[spec->nactuator].value);
    pl_free((void*)spec->actuator[spec->nactuator].tendon);
    pl_free((void*)spec->actuator[spec->nactuator].coefficient);
    pl_free((void*)spec->actuator[spec->nactuator].site);
  }
  while (spec->nconstraint > mark.nconstraint) pl_constraint_def_free(&spec->constraint[--spec->nconstraint]);
  spec->nexclude = mark.nexclude;
  while (spec->nattach > mark.nattach) {
    spec->nattach--;
    pl_free((void*)spec->attach[spec->nattach].name);
    pl_free((void*)spec->attach[spec->nattach].region.index);
  }
  while (spec->nsensor > mark.nsensor) pl_sensor_def_free(&spec->sensor[--spec->nsensor]);
  while (spec->nsite > mark.nsite) pl_free((void*)spec->site[--spec->nsite].name);
  while (spec->nload > mark.nload) pl_load_def_free(&spec->load[--spec->nload]);
}

void pl_spec_destroy(plSpec* spec) {
  if (!spec) return;
  pl_recording_def_free(&spec->recording);
  pl_spec_rollback(spec, (plSpecMark){0});
  pl_free(spec->deform);
  pl_free(spec->fix);
  pl_free(spec->load);
  pl_free(spec->sensor);
  pl_free(spec->attach);
  pl_free(spec->shape);
  pl_free(spec->body);
  pl_free(spec->joint);
  pl_free(spec->actuator);
  pl_free(spec->constraint);
  pl_free(spec->exclude);
  pl_free(spec->exclude_slot);
  pl_free(spec->site);
  pl_free(spec);
}

plOptions* pl_spec_options(plSpec* spec) {
  assert(spec != NULL);
  return &spec->options;
}

// ---- checks

// Names of deformables and shapes must differ from each other, because contacts are between either.
static plStatus check_name(const plSpec* spec, const char* what, const char* name, plError* error) {
  plStatus status = pl_spec_check_word(what, name, error);
  if (status) return status;
  for (int i = 0; i < spec->ndeform; i++)
    if (!strcmp(name, spec->deform[i].name)) return pl_spec_fail_taken("deformable", name, error);
  for (int i = 0; i < spec->nshape; i++)
    if (!strcmp(name, spec->shape[i].name)) return pl_spec_fail_taken("shape", name, error);
  return PL_OK;
}

plStatus pl_spec_check_surface(const char* name, const plSurface* s, plError* error) {
  if (!(s->friction >= 0 && s->friction <= PL_MOST_FRICTION))
    return pl_fail(error, PL_ERROR_INPUT, "the friction of '%s' must be in [0, %g], got %g", name,
                   PL_MOST_FRICTION, s->friction);
  if (!(s->contact_stiffness > 0))
    return pl_fail(error, PL_ERROR_INPUT, "the contact_stiffness of '%s' must be positive (Pa/m), got %g",
                   name, s->contact_stiffness);
  if (!(s->relaxation_time >= 0 && s->relaxation_time <= 1e3))
    return pl_fail(error, PL_ERROR_INPUT, "the relaxation_time of '%s' must be in [0, 1000] s, got %g", name,
                   s->relaxation_time);
  if (!(s->dissipation >= 0 && s->dissipation <= 1e6))
    return pl_fail(error, PL_ERROR_INPUT, "the dissipation of '%s' must be in [0, 1e6] s/m, got %g", name,
                   s->dissipation);
  if (!v3_finite(s->surface_velocity))
    return pl_fail(error, PL_ERROR_INPUT, "the surface_velocity of '%s' must be finite (m/s)", name);
  return PL_OK;
}

static double tet_volume6(const plMesh* mesh, int t) {
  const int* v = mesh->tet + 4 * t;
  plVec3 a = v3_load(mesh->vert + 3 * v[0]);
  plVec3 e1 = v3_sub(v3_load(mesh->vert + 3 * v[1]), a), e2 = v3_sub(v3_load(mesh->vert + 3 * v[2]), a),
         e3 = v3_sub(v3_load(mesh->vert + 3 * v[3]), a);
  return v3_dot(v3_cross(e1, e2), e3);
}

// Every tetrahedron must have vertices in range and positive volume, every vertex must be finite and used.
static plStatus check_tets(const char* name, const plMesh* mesh, plError* error) {
  if (!mesh || mesh->ntet == 0)
    return pl_fail(error, PL_ERROR_INPUT,
                   "the deformable '%s' needs a mesh of tetrahedra; `pliant mesh IN OUT --edge H` makes one "
                   "from a closed surface",
                   name);
  for (int i = 0; i < mesh->nvert; i++)
    if (!v3_finite(v3_load(mesh->vert + 3 * i)))
      return pl_fail(error, PL_ERROR_INPUT, "vertex %d of '%s' is not finite", i, name);
  for (int t = 0; t < mesh->ntet; t++) {
    for (int a = 0; a < 4; a++)
      if (mesh->tet[4 * t + a] < 0 || mesh->tet[4 * t + a] >= mesh->nvert)
        return pl_fail(error, PL_ERROR_INPUT, "tetrahedron %d of '%s' names vertex %d, but there are %d", t,
                       name, mesh->tet[4 * t + a], mesh->nvert);
    double v6 = tet_volume6(mesh, t);
    if (!(v6 > 0))
      return pl_fail(error, PL_ERROR_INPUT,
                     "tetrahedron %d of '%s' has volume %g; `pliant mesh IN OUT` reorients inverted ones and "
                     "drops flat ones",
                     t, name, v6 / 6);
  }
  unsigned char* used = PL_NEW(unsigned char, mesh->nvert);
  if (!used) return pl_fail_out_of_memory(error, (size_t)mesh->nvert);
  for (int k = 0; k < 4 * mesh->ntet; k++) used[mesh->tet[k]] = 1;
  int unused = -1;
  for (int i = 0; i < mesh->nvert && unused < 0; i++)
    if (!used[i]) unused = i;
  pl_free(used);
  if (unused >= 0)
    return pl_fail(error, PL_ERROR_INPUT,
                   "vertex %d of '%s' belongs to no tetrahedron; `pliant mesh IN OUT` drops such vertices",
                   unused, name);
  return PL_OK;
}

// ---- deformables

plStatus pl_spec_add_deformable(plSpec* spec, const plDeformableDef* def, int* id, plError* error) {
  assert(spec != NULL && def != NULL);
  if (pl_check_mark(def->mark, "deformable", error)) return PL_ERROR_INPUT;
  plDeformableDef copy = *def;
  plStatus status = check_name(spec, "deformable", def->name, error);
  if (!status && pl_spec_find_body(spec, def->name) >= 0)
    status = pl_spec_fail_taken("rigid body", def->name, error);
  if (!status) status = pl_spec_check_pose(def->name, &copy.pose, error);
  if (!status) status = check_tets(def->name, def->mesh, error);
  if (!status) status = pl_spec_check_surface(def->name, &def->surface, error);
  if (!status && v3_norm(def->surface.surface_velocity) > 0)
    status =
        pl_fail(error, PL_ERROR_INPUT,
                "the deformable '%s' cannot have a surface_velocity; give it to a rigid shape", def->name);
  if (!status) status = pl_material_check(&def->material, error);
  if (status) return status;
  if (!v3_finite(def->velocity) || !v3_finite(def->angular_velocity))
    return pl_fail(error, PL_ERROR_INPUT, "the velocity of '%s' must be finite", def->name);

  if (!pl_grow((void**)&spec->deform, &spec->deform_cap, spec->ndeform, sizeof *spec->deform))
    return pl_fail_out_of_memory(error, sizeof *spec->deform);
  copy.mesh = pl_mesh_copy(def->mesh, error);
  copy.name = copy.mesh ? pl_strdup(def->name) : NULL;
  if (!copy.name) {
    pl_mesh_destroy((plMesh*)copy.mesh);
    return pl_fail_out_of_memory(error, strlen(def->name));
  }
  if (id) *id = spec->ndeform;
  spec->deform[spec->ndeform++] = copy;
  return PL_OK;
}

int pl_spec_deformable_count(const plSpec* spec) {
  assert(spec != NULL);
  return spec->ndeform;
}

const plDeformableDef* pl_spec_deformable(const plSpec* spec, int id) {
  assert(spec != NULL);
  return id >= 0 && id < spec->ndeform ? &spec->deform[id] : NULL;
}

long pl_spec_count_tets(const plSpec* spec) {
  long n = 0;
  for (int i = 0; i < spec->ndeform; i++) n += spec->deform[i].mesh->ntet;
  return n;
}

int pl_spec_find_deformable(const plSpec* spec, const char* name) {
  assert(spec != NULL);
  for (int i = 0; name && i < spec->ndeform; i++)
    if (!strcmp(name, spec->deform[i].name)) return i;
  return -1;
}

// ---- prescribed motion

static int compare_ints(const void* a, const void* b) {
  return (*(const int*)a > *(const int*)b) - (*(const int*)a < *(const int*)b);
}

void pl_spec_sort_region(plRegion* region) {
  if (region->index && region->nindex > 0)
    qsort((int*)region->index, (size_t)region->nindex, sizeof(int), compare_ints);
}

// Quadratic tetrahedra have more nodes than the mesh has vertices.
static plStatus check_indices(const plDeformableDef* def, const plRegion* r, plError* error) {
  int lowest = 0, highest = 0;
  for (int i = 0; i < r->nindex; i++) {
    if (r->index[i] < lowest) lowest = r->index[i];
    if (r->index[i] > highest) highest = r->index[i];
  }
  if (lowest == 0 && highest < def->mesh->nvert) return PL_OK;
  plBodyNodes nodes;
  plStatus status = pl_body_nodes(def, &nodes, error);
  int n = nodes.n, nedge = nodes.nedge;
  pl_body_nodes_free(&nodes);
  if (status || (lowest == 0 && highest < n)) return status;
  int bad = lowest < 0 ? lowest : highest;
  if (nedge == 0)
    return pl_fail(error, PL_ERROR_INPUT, "a region of '%s' names vertex %d, but there are %d", def->name,
                   bad, n);
  return pl_fail(
      error, PL_ERROR_INPUT,
      "a region of '%s' names vertex %d, but there are %d: %d of the mesh, then the middles of its %d "
      "edges",
      def->name, bad, n, def->mesh->nvert, nedge);
}

plStatus pl_spec_check_region(const plSpec* spec, int deformable, const plRegion* r, plError* error) {
  if (deformable < 0 || deformable >= spec->ndeform)
    return pl_fail(error, PL_ERROR_INPUT, "a region names deformable %d, but there are %d", deformable,
                   spec->ndeform);
  const char* name = spec->deform[deformable].name;
  if ((int)r->kind < 0 || r->kind > PL_REGION_INDICES)
    return pl_fail(error, PL_ERROR_INPUT, "a region of '%s' has an unknown kind", name);
  if (!v3_finite(r->centre) || !v3_finite(r->size) || !v3_finite(r->normal) || !isfinite(r->radius))
    return pl_fail(error, PL_ERROR_INPUT, "a region of '%s' has a number that is not finite", name);
  if (r->kind == PL_REGION_BOX && (r->size.x < 0 || r->size.y < 0 || r->size.z < 0))
    return pl_fail(error, PL_ERROR_INPUT, "the box of a region of '%s' has a negative side", name);
  if (r->kind == PL_REGION_SPHERE && r->radius < 0)
    return pl_fail(error, PL_ERROR_INPUT, "the sphere of a region of '%s' has a negative radius", name);
  if (r->kind == PL_REGION_HALF_SPACE && v3_norm(r->normal) == 0)
    return pl_fail(error, PL_ERROR_INPUT, "the half space of a region of '%s' needs a normal", name);
  return r->kind == PL_REGION_INDICES ? check_indices(&spec->deform[deformable], r, error) : PL_OK;
}

static plStatus check_fix(const plSpec* spec, const plFixDef* def, plError* error) {
  plStatus status = pl_spec_check_region(spec, def->deformable, &def->region, error);
  if (status) return status;
  const char* name = spec->deform[def->deformable].name;
  if (!(def->components & PL_FIX_ALL) || (def->components & ~PL_FIX_ALL))
    return pl_fail(error, PL_ERROR_INPUT, "a fixed region of '%s' must hold some of the components x, y, z",
                   name);
  return pl_spec_check_table("a motion of", name, def->ntime, def->time, (const double*)def->offset, 3,
                             error);
}

plStatus pl_spec_add_fix(plSpec* spec, const plFixDef* def, plError* error) {
  assert(spec != NULL && def != NULL);
  if (pl_check_mark(def->mark, "fix", error)) return PL_ERROR_INPUT;
  plStatus status = check_fix(spec, def, error);
  if (status) return status;
  plFixDef copy = *def;
  copy.region.pose.q = quat_unit(def->region.pose.q);
  bool failed = !pl_grow((void**)&spec->fix, &spec->fix_cap, spec->nfix, sizeof *spec->fix);
  copy.region.nindex = def->region.kind == PL_REGION_INDICES ? def->region.nindex : 0;
  copy.region.index = pl_copy_list(def->region.index, copy.region.nindex, sizeof(int), &failed);
  copy.time = pl_copy_list(def->time, def->ntime, sizeof(double), &failed);
  copy.offset = pl_copy_list(def->offset, def->ntime, sizeof(plVec3), &failed);
  if (failed) {
    free_fix(&copy);
    return pl_fail_out_of_memory(error, (size_t)def->ntime * sizeof(plVec3));
  }
  pl_spec_sort_region(&copy.region);
  spec->fix[spec->nfix++] = copy;
  return PL_OK;
}

// ---- attachments

plStatus pl_spec_add_attachment(plSpec* spec, const plAttachDef* def, int* id, plError* error) {
  assert(spec != NULL && def != NULL);
  if (pl_check_mark(def->mark, "attach", error)) return PL_ERROR_INPUT;
  plStatus named = pl_spec_check_word("attachment", def->name, error);
  if (named) return named;
  for (int i = 0; i < spec->nattach; i++)
    if (!strcmp(def->name, spec->attach[i].name)) return pl_spec_fail_taken("attachment", def->name, error);
  plStatus status = pl_spec_check_region(spec, def->deformable, &def->region, error);
  if (status) return status;
  if (def->body < -1 || def->body >= spec->nbody)
    return pl_fail(error, PL_ERROR_INPUT, "attachment '%s' names rigid body %d, but there are %d", def->name,
                   def->body, spec->nbody);
  if (def->other < -1 || def->other >= spec->ndeform || def->other == def->deformable ||
      (def->other >= 0 && def->body >= 0))
    return pl_fail(error, PL_ERROR_INPUT,
                   "attachment '%s' must name another deformable than its own, or a rigid body, not both; "
                   "got deformable %d "
                   "and body %d",
                   def->name, def->other, def->body);
  if (!(def->stiffness > 0) || !(def->relaxation_time >= 0 && isfinite(def->relaxation_time)))
    return pl_fail(
        error, PL_ERROR_INPUT,
        "attachment '%s' needs a positive stiffness (N/m) and a relaxation time that is not negative",
        def->name);
  if (def->exact && (def->other >= 0 || isfinite(def->stiffness) || def->relaxation_time > 0))
    return pl_fail(error, PL_ERROR_INPUT,
                   "attachment '%s' is exact: it holds to a rigid body or the world, without stiffness and "
                   "relaxation time",
                   def->name);
  plAttachDef copy = *def;
  copy.region.pose.q = quat_unit(def->region.pose.q);
  copy.region.nindex = def->region.kind == PL_REGION_INDICES ? def->region.nindex : 0;
  bool failed = !pl_grow((void**)&spec->attach, &spec->attach_cap, spec->nattach, sizeof *spec->attach);
  copy.region.index = pl_copy_list(def->region.index, copy.region.nindex, sizeof(int), &failed);
  copy.name = failed ? NULL : pl_strdup(def->name);
  if (!copy.name) {
    pl_free((void*)copy.region.index);
    return pl_fail_out_of_memory(error, sizeof copy);
  }
  pl_spec_sort_region(&copy.region);
  if (id) *id = spec->nattach;
  spec->attach[spec->nattach++] = copy;
  return PL_OK;
}

// ---- shapes

static plStatus check_hull(const plShapeDef* def, plError* error) {
  plHull* hull;
  plError why;
  plStatus status = pl_hull_create(def->mesh->vert, def->mesh->nvert, &hull, &why);
  pl_hull_destroy(hull);
  return status ? pl_fail(error, status, "the convex mesh '%s': %s", def->name, why.message) : PL_OK;
}

static plStatus check_shape(const plShapeDef* def, plError* error) {
  const char* kind = pl_shape_name(def->kind);
  plVec3 s = def->size;
  if ((int)def->kind < 0 || def->kind >= PL_SHAPE_COUNT)
    return pl_fail(error, PL_ERROR_INPUT, "the shape '%s' has an unknown kind %d", def->name, (int)def->kind);
  if (def->kind == PL_SHAPE_MESH) {
    if (def->mesh && def->mesh->ntri > 0) return def->convex ? check_hull(def, error) : PL_OK;
    return pl_fail(error, PL_ERROR_INPUT, "the mesh shape '%s' needs a surface of triangles", def->name);
  }
  int sizes = pl_shape_traits[def->kind]->sizes;
  bool radius = def->radius > 0 && isfinite(def->radius), length = def->length > 0 && isfinite(def->length);
  if (sizes & PL_SIZE_SIDES && !(s.x > 0 && s.y > 0 && s.z > 0 && v3_finite(s)))
    return pl_fail(error, PL_ERROR_INPUT, "the %s '%s' needs three positive sizes (m), got %g %g %g", kind,
                   def->name, s.x, s.y, s.z);
  if (sizes & PL_SIZE_LENGTH && !(radius && length))
    return pl_fail(error, PL_ERROR_INPUT, "the %s '%s' needs a positive radius and length (m), got %g and %g",
                   kind, def->name, def->radius, def->length);
  if (sizes & PL_SIZE_RADIUS && !radius)
    return pl_fail(error, PL_ERROR_INPUT, "the %s '%s' needs a positive radius (m), got %g", kind, def->name,
                   def->radius);
  return PL_OK;
}

plStatus pl_spec_add_shape(plSpec* spec, const plShapeDef* def, int* id, plError* error) {
  assert(spec != NULL && def != NULL);
  if (pl_check_mark(def->mark, "shape", error)) return PL_ERROR_INPUT;
  plShapeDef copy = *def;
  plStatus status = check_name(spec, "shape", def->name, error);
  if (!status) status = pl_spec_check_pose(def->name, &copy.pose, error);
  if (!status) status = check_shape(def, error);
  if (!status) status = pl_spec_check_surface(def->name, &def->surface, error);
  if (status) return status;
  if (!pl_grow((void**)&spec->shape, &spec->shape_cap, spec->nshape, sizeof *spec->shape))
    return pl_fail_out_of_memory(error, sizeof *spec->shape);
  copy.mesh = NULL;
  if (def->kind == PL_SHAPE_MESH && !(copy.mesh = pl_mesh_copy(def->mesh, error))) return PL_ERROR_MEMORY;
  copy.name = pl_strdup(def->name);
  if (!copy.name) {
    pl_mesh_destroy((plMesh*)copy.mesh);
    return pl_fail_out_of_memory(error, strlen(def->name));
  }
  if (id) *id = spec->nshape;
  spec->shape[spec->nshape++] = copy;
  return PL_OK;
}

// compile.c: spec -> model. The model copies all it needs; its hash covers everything that changes a result.
#include <assert.h>
#include <string.h>

#include "base/cpu.h"
#include "base/error.h"
#include "base/hash.h"
#include "model/spec.h"
#include "model/work.h"

void* pl_keep(plArena* arena, size_t count, size_t size) {
  void* memory = pl_arena_alloc(arena, count, size);
  if (memory) memset(memory, 0, count * size);
  return memory;
}

// Options that decide bits; duration and threads do not.
uint64_t pl_options_hash(const plOptions* o, uint64_t h) {
  double numbers[] = {o->dt,
                      o->gravity.x,
                      o->gravity.y,
                      o->gravity.z,
                      o->theta,
                      o->theta_vq,
                      o->tolerance,
                      o->free_tolerance,
                      o->friction_sigma,
                      o->near_rigid,
                      (double)o->contact_law,
                      (double)o->max_iterations,
                      (double)o->coupling};
  h = pl_hash(h, numbers, sizeof numbers);
  if (o->coulomb_strict) h = pl_hash(h, &o->coulomb_strict, sizeof o->coulomb_strict);
  if (o->gap_closing != 1) h = pl_hash(h, &o->gap_closing, sizeof o->gap_closing);
  if (o->rigid_contact != PL_RIGID_PATCH) h = pl_hash(h, &o->rigid_contact, sizeof o->rigid_contact);
  return o->contact_points ? pl_hash(h, &o->contact_points, sizeof o->contact_points) : h;
}

static uint64_t hash_material(uint64_t h, const plMaterial* m) {
  double numbers[] = {(double)m->kind,
                      m->young,
                      m->poisson,
                      m->lame_lambda,
                      m->lame_mu,
                      m->c1,
                      m->c2,
                      m->bulk,
                      m->density,
                      m->damping_mass,
                      m->damping_stiffness,
                      (double)m->volumetric,
                      (double)m->element,
                      (double)m->mass,
                      (double)m->rotation};
  return pl_hash(h, numbers, sizeof numbers);
}

static uint64_t hash_surface(uint64_t h, const plSurface* s) {
  double numbers[] = {s->friction,           s->contact_stiffness,  s->relaxation_time,   s->dissipation,
                      s->surface_velocity.x, s->surface_velocity.y, s->surface_velocity.z};
  return pl_hash(h, numbers, sizeof numbers);
}

static uint64_t hash_model(const plModel* m) {
  uint64_t h = pl_options_hash(&m->work->par.options, PL_HASH_START);
  int sizes[] = {m->nq, m->nv, m->nu, m->ndeform, m->nvert, m->ntet, m->ntri, m->nfix, m->ngeom};
  h = pl_hash(h, sizes, sizeof sizes);
  for (int b = 0; b < m->ndeform; b++) {
    h = pl_hash(h, m->deform_name[b], strlen(m->deform_name[b]));
    h = hash_material(h, &m->work->par.deform_material[b]);
    h = hash_surface(h, &m->work->par.deform_surface[b]);
  }
  h = pl_hash(h, m->vert_rest, 3 * (size_t)m->nvert * sizeof(double));
  h = pl_hash(h, m->tet_vert, 4 * (size_t)m->ntet * sizeof(int));
  h = pl_hash(h, m->deform_plane, (size_t)m->ndeform * sizeof(int));
  h = pl_hash(h, m->vert_fixed, (size_t)m->nvert * sizeof(int));
  h = pl_hash(h, m->knot_time, (size_t)m->fix_knot0[m->nfix] * sizeof(double));
  h = pl_hash(h, m->knot_offset, 3 * (size_t)m->fix_knot0[m->nfix] * sizeof(double));
  for (int g = 0; g < m->ngeom; g++) {
    h = pl_hash(h, m->geom_name[g], strlen(m->geom_name[g]));
    double numbers[] = {(double)m->geom_kind[g],    m->geom_radius[g],      m->geom_length[g],
                        m->geom_size[g].x,          m->geom_size[g].y,      m->geom_size[g].z,
                        (double)m->geom_collide[g], (double)m->geom_body[g]};
    h = pl_hash(h, numbers, sizeof numbers);
    h = pl_hash(h, &m->geom_pose[g], sizeof m->geom_pose[g]);
    h = hash_surface(h, &m->work->par.geom_surface[g]);
    if (m->geom_convex[g]) h = pl_hash(h, "convex", 6);
    if (m->geom_mesh[g])
      h = pl_hash(h, m->geom_mesh[g]->vert, 3 * (size_t)m->geom_mesh[g]->nvert * sizeof(double));
  }
  return pl_hash_attachments(m, pl_hash_rigid(m, pl_hash_loads(m, h)));
}

static void free_model(plModel* model) {
  plModelWork* work = model->work;
  for (int b = 0; work->pattern && b < model->ndeform; b++) pl_bsym_destroy(work->pattern[b]);
  for (int b = 0; work->elastic && b < model->ndeform; b++) pl_elastic_destroy(work->elastic[b]);
  for (int b = 0; work->points && b < model->ndeform; b++) pl_points_destroy(work->points[b]);
  for (int g = 0; work->geom_tree && work->geom_hull && g < model->ngeom; g++) {
    pl_tri_tree_destroy(work->geom_tree[g]);
    pl_hull_destroy(work->geom_hull[g]);
    pl_mesh_destroy(model->geom_mesh[g]);
  }
  pl_tree_destroy(work->tree);
  pl_arena_free(&work->arena);
  pl_free(work);
  pl_free(model);
}

plModel* pl_model_create(const plSpec* spec, plError* error) {
  assert(spec != NULL);
  pl_error_clear(error);
  if (pl_isa_unknown())
    return pl_fail(error, PL_ERROR_INPUT,
                   "PLIANT_ISA is '%.40s' in the environment; it may be plain, avx2 or avx512, or not set",
                   pl_isa_unknown()),
           NULL;
  if (pl_options_check(&spec->options, error)) return NULL;
  plModel* model = PL_NEW(plModel, 1);
  plModelWork* work = PL_NEW(plModelWork, 1);
  if (!model || !work) {
    pl_free(model);
    pl_free(work);
    pl_fail_out_of_memory(error, sizeof *model);
    return NULL;
  }
  model->work = work;
  model->par = &work->par;
  work->par.options = spec->options;
  atomic_init(&work->users, 1);
  pl_arena_init(&work->arena);
  plStatus status = pl_compile_rigid(spec, model, error);
  if (!status) status = pl_compile_actuators(spec, model, error);
  if (!status) status = pl_compile_deformables(spec, model, error);
  if (!status) status = pl_compile_loads(spec, model, error);
  if (!status) pl_compile_rigid_start(spec, model);
  if (!status) status = pl_compile_attachments(spec, model, error);
  if (!status) status = pl_compile_geometries(spec, model, error);
  if (!status && model->nv == 0)
    status =
        pl_fail(error, PL_ERROR_INPUT, "the scene has nothing that moves: add a deformable body or a robot");
  if (status) {
    pl_model_destroy(model);
    return NULL;
  }
  model->hash = hash_model(model);
  return model;
}

void pl_model_hold(const plModel* model) { atomic_fetch_add(&model->work->users, 1); }

// A model belongs to those that use it: destroyed before its simulations, it stays until the last of them
// goes.
void pl_model_release(const plModel* model) {
  if (atomic_fetch_sub(&model->work->users, 1) == 1) free_model((plModel*)model);
}

void pl_model_destroy(plModel* model) {
  if (model) pl_model_release(model);
}

int pl_model_find_deformable(const plModel* model, const char* name) {
  assert(model != NULL);
  for (int b = 0; b < model->ndeform; b++)
    if (!strcmp(name, model->deform_name[b])) return b;
  return -1;
}

int pl_model_find_attachment(const plModel* model, const char* name) {
  assert(model != NULL);
  for (int i = 0; i < model->nattach; i++)
    if (!strcmp(name, model->attach_name[i])) return i;
  return -1;
}

int pl_model_find_geometry(const plModel* model, const char* name) {
  assert(model != NULL);
  for (int g = 0; g < model->ngeom; g++)
    if (!strcmp(name, model->geom_name[g])) return g;
  return -1;
}

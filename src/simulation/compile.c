// compile.c: spec -> model. The model copies everything it needs; its hash covers the structure and the
// start, not the parameters.
#include <assert.h>
#include <string.h>

#include "base/cpu_wish.h"
#include "base/error.h"
#include "base/hash.h"
#include "model/spec.h"
#include "model/work.h"

// The part of a material that is structure.
static uint64_t hash_material(uint64_t h, const plMaterial* m) {
  int kinds[] = {(int)m->kind, (int)m->volumetric, (int)m->element,
                 (int)m->mass, (int)m->rotation,   m->lame_mu > 0};
  return pl_hash(h, kinds, sizeof kinds);
}

// Which parameters are infinite is structure, their values are not.
static uint64_t hash_infinite(uint64_t h, const plModel* m) {
  for (int i = 0, n = pl_parameter_count(m); i < n; i++) {
    char sign = (char)pl_parameter_sign(m, i);
    if (sign) h = pl_hash(pl_hash(h, &i, sizeof i), &sign, 1);
  }
  return h;
}

// pl_hash of that many bytes of 0.
static uint64_t hash_zeros(uint64_t h, size_t bytes) {
  static const char zero[8];
  size_t words = bytes / 8;
  for (size_t i = 0; i < words; i++) h *= UINT64_C(0x100000001b3), h ^= h >> 29;
  return pl_hash(h, zero, bytes % 8);
}

// The hash that state files up to version 3, and recordings of that time, were checked by. It leaves out what
// hash_model adds.
static uint64_t hash_model3(const plModel* m) {
  uint64_t h = hash_infinite(PL_HASH_START, m);
  int sizes[] = {m->nq, m->nv, m->nu, m->ndeform, m->nvert, m->ntet, m->ntri, m->nfix, m->nshape};
  h = pl_hash(h, sizes, sizeof sizes);
  for (int b = 0; b < m->ndeform; b++) {
    h = pl_hash(h, m->deform_name[b], strlen(m->deform_name[b]));
    h = hash_material(h, &m->work->par.deform_material[b]);
  }
  h = pl_hash(h, m->vert_rest, 3 * (size_t)m->nvert * sizeof(double));
  h = pl_hash(h, m->tet_vert, 4 * (size_t)m->ntet * sizeof(int));
  h = pl_hash(h, m->deform_plane, (size_t)m->ndeform * sizeof(int));
  // Switches that are off. States written before these switches existed keep their hash, and so do those
  // written when self-contact was off by default: of each body there was one int, 0.
  h = hash_zeros(h, (size_t)m->ndeform * sizeof(int));
  for (int b = 0; b < m->ndeform; b++)
    if (!m->deform_self[b]) h = pl_hash(h, &(int){~b}, sizeof b);
  for (int b = 0; b < m->ndeform; b++)
    if (!m->par->deform_surface[b].mesh_compliance) h = pl_hash(h, &b, sizeof b);
  for (int g = 0; g < m->nshape; g++)
    if (!m->par->shape_surface[g].mesh_compliance) h = pl_hash(h, &g, sizeof g);
  h = pl_hash(h, m->vert_fixed, (size_t)m->nvert * sizeof(int));
  h = pl_hash(h, m->knot_time, (size_t)m->fix_knot0[m->nfix] * sizeof(double));
  h = pl_hash(h, m->knot_offset, 3 * (size_t)m->fix_knot0[m->nfix] * sizeof(double));
  for (int g = 0; g < m->nshape; g++) {
    h = pl_hash(h, m->shape_name[g], strlen(m->shape_name[g]));
    double numbers[] = {(double)m->shape_kind[g],    m->shape_radius[g],      m->shape_length[g],
                        m->shape_size[g].x,          m->shape_size[g].y,      m->shape_size[g].z,
                        (double)m->shape_collide[g], (double)m->shape_body[g]};
    h = pl_hash(h, numbers, sizeof numbers);
    h = pl_hash(h, &m->shape_pose[g], sizeof m->shape_pose[g]);
    if (m->shape_convex[g]) h = pl_hash(h, "convex", 6);
    if (!m->shape_mesh[g]) continue;
    h = pl_hash(h, m->shape_mesh[g]->vert, 3 * (size_t)m->shape_mesh[g]->nvert * sizeof(double));
    h = pl_hash(h, m->shape_mesh[g]->tri, 3 * (size_t)m->shape_mesh[g]->ntri * sizeof(int));
  }
  h = pl_hash(h, m->start_q, (size_t)m->nq * sizeof(double));
  h = pl_hash(h, m->start_v, (size_t)m->nv * sizeof(double));
  return pl_hash_sensors(m, pl_hash_attachments(m, pl_hash_rigid(m, pl_hash_loads(m, h))));
}

// Lists of several objects stand in one array: where the part of each begins belongs to the structure.
static uint64_t hash_model(const plModel* m) {
  uint64_t h = m->work->hash3;
  for (int b = 0; b < m->ndeform; b++)
    h = pl_hash(h, &m->par->deform_surface[b].mesh_compliance, sizeof(bool));
  for (int g = 0; g < m->nshape; g++) h = pl_hash(h, &m->par->shape_surface[g].mesh_compliance, sizeof(bool));
  h = pl_hash(h, m->deform_vert0, ((size_t)m->ndeform + 1) * sizeof(int));
  h = pl_hash(h, m->deform_tet0, ((size_t)m->ndeform + 1) * sizeof(int));
  h = pl_hash(h, m->vert_fix, (size_t)m->nvert * sizeof(int));
  h = pl_hash(h, m->fix_knot0, ((size_t)m->nfix + 1) * sizeof(int));
  h = pl_hash(h, m->attach_vert0, ((size_t)m->nattach + 1) * sizeof(int));
  return pl_hash_sensor_plans(m, pl_hash_frames(m, pl_hash_load_parts(m, h)));
}

static void free_model(plModel* model) {
  plModelWork* work = model->work;
  pl_destroy_shared(model);
  for (int b = 0; work->pattern && b < model->ndeform; b++) pl_bsym_destroy(work->pattern[b]);
  for (int b = 0; work->elastic && b < model->ndeform; b++) pl_elastic_destroy(work->elastic[b]);
  for (int b = 0; work->points && b < model->ndeform; b++) pl_points_destroy(work->points[b]);
  for (int g = 0; work->shape_tree && work->shape_hull && g < model->nshape; g++) {
    pl_tri_tree_destroy(work->shape_tree[g]);
    pl_hull_destroy(work->shape_hull[g]);
    pl_mesh_destroy(model->shape_mesh[g]);
  }
  pl_tree_destroy(work->tree);
  pl_arena_free(&work->arena);
  pl_free(work);
  pl_free(model);
}

const plModel* pl_model_create(const plSpec* spec, plError* error) {
  assert(spec != NULL);
  pl_error_clear(error);
  if (pl_isa_check(error)) return NULL;
  if (pl_options_check(&spec->options, error) || pl_spec_check_numbers(spec, error)) return NULL;
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
  if (!status) status = pl_compile_shapes(spec, model, error);
  if (!status) status = pl_compile_sites(spec, model, error);
  if (!status) status = pl_compile_sensors(spec, model, error);
  if (!status) status = pl_compile_shared(model, error);
  if (!status && model->nv == 0)
    status =
        pl_fail(error, PL_ERROR_INPUT, "the scene has nothing that moves: add a deformable body or a robot");
  if (status) {
    pl_model_destroy(model);
    return NULL;
  }
  work->hash3 = hash_model3(model);
  model->hash = hash_model(model);
  return model;
}

void pl_model_hold(const plModel* model) { atomic_fetch_add(&model->work->users, 1); }

// The model is reference-counted: if it is destroyed before its simulations, its memory is freed with the
// last of them.
void pl_model_release(const plModel* model) {
  if (atomic_fetch_sub(&model->work->users, 1) == 1) free_model((plModel*)model);
}

void pl_model_destroy(const plModel* model) {
  if (model) pl_model_release(model);
}

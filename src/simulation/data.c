// data.c: creation and destruction of a simulation: memory, threads, factors, the start.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "deform/deform.h"
#include "model/state.h"
#include "model/work.h"

// The tangent of each body shares the model's pattern and has values of its own.
static plStatus create_factors(plData* data, plError* error) {
  const plModel* model = data->model;
  plWork* work = data->work;
  for (int b = 0; b < model->ndeform; b++) {
    const plBsym* pattern = model->work->pattern[b];
    work->A[b] = *pattern;
    work->A[b].block = PL_KEEP(&work->arena, double, 9 * (size_t)pattern->nblock);
    if (!work->A[b].block) return pl_fail_out_of_memory(error, 72 * (size_t)pattern->nblock);
    plLaw law = pl_law_of_material(&data->par->deform_material[b], model->work->points[b]->ngroup > 0);
    work->elastic[b] = pl_elastic_work_create(model->work->elastic[b], law);
    if (!work->elastic[b]) return pl_fail_out_of_memory(error, 400 * (size_t)pattern->nblock);
    if (!pl_law_is_linear(model->par->deform_material[b].kind)) {
      work->D[b] = PL_KEEP(&work->arena, double, 9 * (size_t)pattern->nblock);
      work->products[b] = PL_KEEP(&work->arena, double, 9 * (size_t)pattern->n);
      if (!work->D[b] || !work->products[b])
        return pl_fail_out_of_memory(error, 72 * (size_t)pattern->nblock);
    }
    plStatus status = pl_chol_share(model->work->chol[b], &work->chol[b], error);
    if (status) return status;
  }
  return PL_OK;
}

// Surfaces with their own geometry; topology, limits and trees are the model's.
static plStatus create_skins(plData* data, plError* error) {
  const plModelWork* fixed = data->model->work;
  plWork* work = data->work;
  plStatus status = PL_OK;
  for (int b = 0; b < data->model->ndeform && !status; b++)
    status = pl_skin_share(fixed->deform_skin[b], &work->deform_skin[b], error);
  for (int g = 0; g < data->model->nshape && !status; g++)
    if (fixed->shape_skin[g]) status = pl_skin_share(fixed->shape_skin[g], &work->shape_skin[g], error);
  return status;
}

// The model's forest with its own masses and moments of inertia.
static bool create_forest(plWork* work, const plTree* tree) {
  size_t n = (size_t)tree->nnode;
  plTree* f = &work->forest;
  *f = *tree;
  f->node_mass = PL_KEEP(&work->arena, double, n), f->node_com = PL_KEEP(&work->arena, plVec3, n);
  f->node_inertia = PL_KEEP(&work->arena, plSym3, n), f->node_weight = PL_KEEP(&work->arena, double, n);
  f->node_moment = PL_KEEP(&work->arena, plVec3, n), f->node_sum = PL_KEEP(&work->arena, plInertia, n);
  if (work->arena.failed) return false;
  memcpy(f->node_mass, tree->node_mass, n * sizeof(double));
  memcpy(f->node_com, tree->node_com, n * sizeof(plVec3));
  memcpy(f->node_inertia, tree->node_inertia, n * sizeof(plSym3));
  memcpy(f->node_weight, tree->node_weight, n * sizeof(double));
  memcpy(f->node_moment, tree->node_moment, n * sizeof(plVec3));
  memcpy(f->node_sum, tree->node_sum, n * sizeof(plInertia));
  return true;
}

static plStatus create_arrays(plData* data, plError* error) {
  const plModel* model = data->model;
  plWork* work = data->work;
  plArena* arena = &work->arena;
  data->q = PL_KEEP(arena, double, model->nq);
  data->v = PL_KEEP(arena, double, model->nv);
  data->u = PL_KEEP(arena, double, model->nu);
  data->f_user = PL_KEEP(arena, double, model->nv);
  data->f_body = PL_KEEP(arena, plWrench, model->nbody);
  for (int k = 0; k < PL_SWITCH_COUNT; k++)
    data->on[k] = PL_KEEP(arena, bool, pl_switch_count(model, (plSwitch)k));
  work->shape_world = PL_KEEP(arena, plPose, model->nshape);
  data->v_star = PL_KEEP(arena, double, model->nv);
  data->f_constraint = PL_KEEP(arena, double, model->nv);
  data->actuator_force = PL_KEEP(arena, double, model->nact);
  data->energy = PL_KEEP(arena, double, model->ndeform);
  data->energy_gain = PL_KEEP(arena, double, model->ndeform);
  data->tet_pi = PL_KEEP(arena, double, model->ntet);
  work->q_before = PL_KEEP(arena, double, model->nq);
  work->v_before = PL_KEEP(arena, double, model->nv);
  work->v_solved = PL_KEEP(arena, double, model->nv_rigid);
  work->A = PL_KEEP(arena, plBsym, model->ndeform);
  work->chol = PL_KEEP(arena, plChol*, model->ndeform);
  work->factor_key = PL_KEEP(arena, uint64_t, model->ndeform);
  work->v_guess = PL_KEEP(arena, double, model->nv);
  work->v_first = PL_KEEP(arena, double, model->nv);
  work->spring_left = PL_KEEP(arena, double, model->ndeform);
  work->q_end = PL_KEEP(arena, double, model->nq);
  work->elastic = PL_KEEP(arena, plElasticWork*, model->ndeform);
  work->D = PL_KEEP(arena, double*, model->ndeform);
  work->products = PL_KEEP(arena, double*, model->ndeform);
  work->has_products = PL_KEEP(arena, bool, model->ndeform);
  work->kinetic_v = PL_KEEP(arena, double, model->nv);
  work->kinetic_of = PL_KEEP(arena, double, model->ndeform);
  work->f_ext = PL_KEEP(arena, double, model->nv);
  work->m = PL_KEEP(arena, double, model->nv);
  work->m_scale = PL_KEEP(arena, double, model->nv);
  work->v = PL_KEEP(arena, double, model->nv);
  work->deform_skin = PL_KEEP(arena, plSkin*, model->ndeform);
  work->shape_skin = PL_KEEP(arena, plSkin*, model->nshape);
  work->participating = PL_KEEP(arena, int, model->nvert);
  work->nparticipating = PL_KEEP(arena, int, model->ndeform);
  work->same_participating = PL_KEEP(arena, bool, model->ndeform);
  const plTree* tree = model->work->tree;
  work->tree_A = PL_KEEP(arena, double, tree->tree_M0[tree->ntree]);
  work->tree_L = PL_KEEP(arena, double, tree->tree_M0[tree->ntree]);
  work->act_coefficient = PL_KEEP(arena, double, model->nact ? model->act_term0[model->nact] : 0);
  work->act_length = PL_KEEP(arena, double, model->nact);
  if (!arena->failed && model->nact)
    memcpy(work->act_coefficient, model->act_coefficient,
           (size_t)model->act_term0[model->nact] * sizeof(double));
  work->dof_force = PL_KEEP(arena, double, model->nv_rigid);
  work->dof_K = PL_KEEP(arena, double, model->nv_rigid);
  work->dof_D = PL_KEEP(arena, double, model->nv_rigid);
  work->tree_q = PL_KEEP(arena, double, model->nq_rigid);
  work->tree_v = PL_KEEP(arena, double, model->nv_rigid);
  work->tree_bias = PL_KEEP(arena, double, model->nv_rigid);
  work->v_turn = PL_KEEP(arena, double, model->nv_rigid);
  work->tree_swings = PL_KEEP(arena, bool, model->ntree);
  work->body_F = PL_KEEP(arena, plForce, model->nbody);
  work->reaction = PL_KEEP(arena, double, 2 * (size_t)model->nv_rigid);
  if (!create_forest(work, tree) || !pl_tree_state_create(tree, &work->tree))
    return pl_fail_out_of_memory(error, 400 * (size_t)tree->nnode);
  if (arena->failed) return pl_fail_out_of_memory(error, 200 * (size_t)(model->nv + model->ntet));
  if (!pl_sensors_create(data)) return pl_fail_out_of_memory(error, model->work->sensor_bytes);
  return PL_OK;
}

static void destroy_step_memory(plData* data) {
  const plModel* model = data->model;
  plWork* work = data->work;
  for (int b = 0; work->chol && b < model->ndeform; b++) {
    pl_chol_destroy(work->chol[b]);
    work->chol[b] = NULL;
  }
  for (int b = 0; work->elastic && b < model->ndeform; b++) {
    pl_elastic_work_destroy(work->elastic[b]);
    work->elastic[b] = NULL;
  }
  pl_contact_work_destroy(data);
  work->contact = NULL;
  for (int b = 0; work->deform_skin && b < model->ndeform; b++) {
    pl_skin_destroy(work->deform_skin[b]);
    work->deform_skin[b] = NULL;
  }
  for (int g = 0; work->shape_skin && g < model->nshape; g++) {
    pl_skin_destroy(work->shape_skin[g]);
    work->shape_skin[g] = NULL;
  }
}

plStatus pl_data_prepare(plData* data, plError* error) {
  plWork* work = data->work;
  if (work->prepared) return PL_OK;
  plStatus status = create_factors(data, error);
  if (!status) status = create_skins(data, error);
  if (!status && !pl_contact_work_create(data))
    status = pl_fail_out_of_memory(error, sizeof(int) * (size_t)(data->model->ndeform + data->model->nshape));
  work->prepared = !status;
  if (status) destroy_step_memory(data);
  return status;
}

plData* pl_data_create(const plModel* model, plError* error) {
  assert(model != NULL);
  pl_error_clear(error);
  plData* data = PL_NEW(plData, 1);
  plWork* work = PL_NEW(plWork, 1);
  if (!data || !work) {
    pl_free(data);
    pl_free(work);
    pl_fail_out_of_memory(error, sizeof *data);
    return NULL;
  }
  data->model = model;
  data->work = work;
  data->par = work->par = pl_parameters_create(model, error);
  pl_model_hold(model);
  pl_arena_init(&work->arena);
  pl_arena_init(&work->step);
  pl_arena_init(&work->inner);
  if (work->par) pl_parameters_copy(model, work->par, model->par);
  work->coulomb = pl_sap_default_coulomb();
  work->sap = work->par ? pl_sap_workspace_create(error) : NULL;
  if (!work->sap || create_arrays(data, error)) {
    pl_data_destroy(data);
    return NULL;
  }
  work->pool = work->threads = pl_pool_create(model->par->options.threads);
  pl_data_reset(data);
  if (data->nattach < model->nattach) {
    pl_fail_out_of_memory(error, sizeof(plAttachment) * (size_t)model->nattach);
    pl_data_destroy(data);
    return NULL;
  }
  return data;
}

void pl_data_destroy(plData* data) {
  if (!data) return;
  plWork* work = data->work;
  destroy_step_memory(data);
  pl_deform_bodies_destroy(data);
  pl_sap_workspace_destroy(work->sap);
  pl_tree_state_destroy(&work->tree);
  pl_pool_destroy(work->threads);
  pl_free_attachments(data, 0);
  pl_free(data->attach);
  pl_free(work->point);
  pl_free(data->contact);
  pl_free(data->impulse);
  pl_free(work->par);
  pl_arena_free(&work->step);
  pl_arena_free(&work->inner);
  pl_arena_free(&work->arena);
  pl_model_release(data->model);
  pl_free(work);
  pl_free(data);
}

void pl_data_reset(plData* data) {
  assert(data != NULL && !data->work->in_control);
  const plModel* model = data->model;
  data->time = 0;
  memcpy(data->q, model->start_q, (size_t)model->nq * sizeof(double));
  memcpy(data->v, model->start_v, (size_t)model->nv * sizeof(double));
  memcpy(data->u, model->start_u, (size_t)model->nu * sizeof(double));
  pl_clear_forces(data);
  for (int k = 0; k < PL_SWITCH_COUNT; k++)
    for (int i = 0; i < pl_switch_count(model, (plSwitch)k); i++)
      data->on[k][i] = k == PL_SWITCH_CONSTRAINT ? !model->constraint[i].off
                       : k == PL_SWITCH_ACTUATOR ? !model->act_off[i]
                                                 : true;
  pl_reset_attachments(data);
  data->inner_dt = 0, data->inner_wait = data->inner_failures = 0;
  memset(&data->report, 0, sizeof data->report);
  pl_state_forget_step(data);
  pl_sensors_reset(data, 0);
}

plStatus pl_sensor_restart(plData* data, int seed) {
  assert(data != NULL);
  if (seed < 0 || seed >= PL_SENSOR_SEEDS || data->work->in_control) return PL_ERROR_INPUT;
  pl_state_forget_step(data);
  pl_sensors_reset(data, seed);
  return PL_OK;
}

void pl_clear_forces(plData* data) {
  assert(data != NULL);
  memset(data->f_user, 0, (size_t)data->model->nv * sizeof(double));
  if (data->model->nbody) memset(data->f_body, 0, (size_t)data->model->nbody * sizeof(plWrench));
}

void pl_data_set_control(plData* data, plControl* control, void* user) {
  assert(data != NULL);
  data->work->control = control;
  data->work->control_user = user;
}

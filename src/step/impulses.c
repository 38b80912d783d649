// impulses.c: the impulse of every constraint other than contacts, with the points where it acts on bodies.
//
// in: reduced, gamma, work->tree at q0, v -> out: data->impulse, data->actuator_force
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "constraint/constraint.h"
#include "math/pose.h"
#include "model/effort.h"
#include "step/step.h"

static void fill_pair(const plModel* model, const plData* data, plImpulse* p) {
  assert(p->index >= 0 && p->index < model->nconstraint);
  const plConstraintDef* def = &model->constraint[p->index];
  if (def->kind > PL_CONSTRAINT_DISTANCE) return;
  p->a = def->a, p->b = def->b;
  p->point_a = pose_mul(pl_body_pose(data, def->a), def->pose_a).p;
  p->point_b = pose_mul(pl_body_pose(data, def->b), def->pose_b).p;
  if (def->kind != PL_CONSTRAINT_DISTANCE)
    p->point_a = p->point_b = v3_scale(0.5, v3_add(p->point_a, p->point_b));
  if (def->kind == PL_CONSTRAINT_BALL) p->push.force = v3_load(p->gamma);
  if (def->kind == PL_CONSTRAINT_WELD) p->push = (plWrench){v3_load(p->gamma + 3), v3_load(p->gamma)};
  if (def->kind == PL_CONSTRAINT_DISTANCE) {
    plVec3 d = v3_sub(p->point_b, p->point_a);
    p->push.force =
        v3_scale(p->part ? -p->gamma[0] : p->gamma[0], v3_norm2(d) > 0 ? v3_unit(d) : v3(0, 0, 1));
  }
}

static void fill_attachment(const plModel* model, const plData* data, plImpulse* p) {
  assert(p->index >= 0 && p->index < data->nattach);
  const plAttachment* a = &data->attach[p->index];
  assert(p->part >= 0 && p->part < a->nvert && 3 * a->vert[p->part] < pl_deform_nv(data, a->deformable));
  const double* x = data->q + model->deform_q0[a->deformable] + 3 * (size_t)a->vert[p->part];
  if (a->other < 0) p->a = a->body;
  p->point_b = v3_load(x);
  p->point_a = a->other < 0
                   ? pose_apply(pl_body_pose(data, a->body), v3_load(a->anchor + 3 * (size_t)p->part))
                   : p->point_b;
  p->push.force = v3_load(p->gamma);
}

static plStatus make_room(plData* data, int n) {
  plWork* work = data->work;
  if (n <= work->impulse_cap) return PL_OK;
  plImpulse* grown = pl_realloc(data->impulse, 0, 2 * (size_t)n, sizeof *grown);
  if (!grown) return PL_ERROR_MEMORY;
  data->impulse = grown;
  work->impulse_cap = 2 * n;
  return PL_OK;
}

static plStatus list_impulses(const plModel* model, plData* data) {
  static const plImpulseKind kinds[] = {
      [PL_ROWS_LIMIT] = PL_IMPULSE_LIMIT,     [PL_ROWS_ACTUATOR] = PL_IMPULSE_ACTUATOR,
      [PL_ROWS_EFFORT] = PL_IMPULSE_EFFORT,   [PL_ROWS_FRICTION] = PL_IMPULSE_FRICTION,
      [PL_ROWS_PAIR] = PL_IMPULSE_CONSTRAINT, [PL_ROWS_ATTACHMENT] = PL_IMPULSE_ATTACHMENT};
  const plReduced* r = data->work->reduced;
  const double* gamma = data->work->gamma;
  data->nimpulse = 0;
  plStatus status = r ? make_room(data, r->n + r->nexact) : PL_OK;
  for (int i = 0; r && !status && i < r->n; gamma += r->constraint[i++].nrow) {
    plRowSource source = r->source[i];
    if (source.kind == PL_ROWS_CONTACT || source.kind == PL_ROWS_STOP) continue;
    if (i >= r->idle0) {
      if (gamma[0] == 0) continue;
      data->report.constraints++;
    }
    assert(data->nimpulse < data->work->impulse_cap && r->constraint[i].nrow <= 6);
    plImpulse* p = &data->impulse[data->nimpulse++];
    *p = (plImpulse){.kind = kinds[source.kind],
                     .index = source.index,
                     .part = source.part,
                     .nrow = r->constraint[i].nrow,
                     .a = -1,
                     .b = -1};
    memcpy(p->gamma, gamma, (size_t)p->nrow * sizeof(double));
    if (source.kind == PL_ROWS_PAIR) fill_pair(model, data, p);
    if (source.kind == PL_ROWS_ATTACHMENT) fill_attachment(model, data, p);
  }
  assert(!r || status || gamma == data->work->gamma + r->nrow);
  for (int i = 0; r && !status && i < r->nexact; i++) {
    const plExactVertex* w = &r->exact[i];
    assert(data->nimpulse < data->work->impulse_cap);
    plImpulse* p = &data->impulse[data->nimpulse++];
    *p = (plImpulse){
        .kind = PL_IMPULSE_ATTACHMENT, .index = w->attachment, .part = w->part, .nrow = 3, .a = -1, .b = -1};
    memcpy(p->gamma, w->impulse, sizeof w->impulse);
    fill_attachment(model, data, p);
  }
  return status;
}

// Efforts of actuators: from their impulse, or from the law inside A, at the theta-state.
static void list_efforts(const plModel* model, plData* data) {
  double dt = data->par->options.dt, theta = data->par->options.theta, a = data->par->options.theta_vq;
  const double *v0 = data->v, *v1 = data->work->v;
  for (int i = 0; i < model->nact; i++) {
    double r0 = pl_actuator_rate(data, i, v0), r1 = pl_actuator_rate(data, i, v1);
    double q = pl_actuator_position(data, i) + theta * dt * (a * r1 + (1 - a) * r0),
           v = theta * r1 + (1 - theta) * r0;
    bool force = data->on[PL_SWITCH_ACTUATOR][i] && !pl_actuator_is_constraint(data, i);
    data->actuator_force[i] = force ? pl_actuator_force(data, i, q, v) : 0;
    if (pl_actuator_is_summed(model, i))
      data->actuator_force[i] = pl_actuator_clamp(data, i, data->actuator_force[i]);
  }
  for (int i = 0; i < data->nimpulse; i++) {
    if (data->impulse[i].kind != PL_IMPULSE_ACTUATOR) continue;
    assert(data->impulse[i].index >= 0 && data->impulse[i].index < model->nact);
    data->actuator_force[data->impulse[i].index] = data->impulse[i].gamma[0] / dt;
  }
}

// The force on the dof of sum s: of its rows, or without gains.
static double effort_of(const plData* data, int s) {
  const plModel* m = data->model;
  int ngain, dof = m->work->effort_dof[s];
  double sum = 0, constant = pl_effort_constant(data, s, &ngain);
  if (!ngain) return pl_effort_clamp(m, dof, constant);
  for (int i = 0; i < data->nimpulse; i++)
    if (data->impulse[i].kind == PL_IMPULSE_EFFORT && data->impulse[i].index == dof)
      sum += data->impulse[i].gamma[0] / data->par->options.dt;
  return sum;
}

// What the limit of a dof takes off the sum of its actuators is taken off those that act on it alone, in
// proportion to their forces.
static void share_effort(plData* data, int s) {
  const plModelWork* w = data->model->work;
  double excess = -effort_of(data, s), whole = 0;
  for (int k = w->effort0[s]; k < w->effort0[s + 1]; k++) {
    if (!pl_effort_counts(data, k)) continue;
    double f = data->work->act_coefficient[w->effort_term[k]] * data->actuator_force[w->effort_act[k]];
    excess += f;
    if (!pl_actuator_is_tendon(data->model, w->effort_act[k])) whole += fabs(f);
  }
  if (!(whole > 0)) return;
  for (int k = w->effort0[s]; k < w->effort0[s + 1]; k++) {
    int a = w->effort_act[k];
    if (!pl_effort_counts(data, k) || pl_actuator_is_tendon(data->model, a)) continue;
    double c = data->work->act_coefficient[w->effort_term[k]], f = c * data->actuator_force[a];
    data->actuator_force[a] = (f - excess * fabs(f) / whole) / c;
  }
}

plStatus pl_step_report_impulses(const plModel* model, plData* data) {
  plStatus status = list_impulses(model, data);
  if (!status) list_efforts(model, data);
  for (int s = 0; s < model->work->neffort && !status; s++) share_effort(data, s);
  return status;
}

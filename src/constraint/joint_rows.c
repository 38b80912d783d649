// joint_rows.c: joint limits, actuators with an effort limit, dry friction.
#include <assert.h>
#include <math.h>

#include "constraint/constraint.h"
#include "model/actuator.h"

static plStatus set_law(const plModel* model, plData* data, plReduced* r, plRows* rows, int dof, double g,
                        bool idle) {
  plSapConstraint* c = rows->c;
  plSapRow* row = pl_rows_law(data, rows, PL_SAP_UNILATERAL);
  if (!row) return PL_ERROR_MEMORY;
  double w = pl_rows_delassus(r, c);
  *row = pl_sap_limit(data->par->options.dt, g, INFINITY, 0, w, PL_SAP_BETA);
  plRowAnchors anchors = {.angle = pl_dof_is_angle(model, dof), .a = -1, .b = -1};
  if (g < 0) pl_rows_slow_down(model, data, r, c, anchors, pl_rows_near_rigid(w), 0, 1, row);
  c->likely_open = idle;
  return PL_OK;
}

// g = q - lower >= 0 or upper - q >= 0. Either those limits that the joint could reach within two steps by
// itself, or the others (idle).
static plStatus add_limit(const plModel* model, plData* data, plReduced* r, bool idle, int dof, double g,
                          double sign) {
  double reach = data->par->options.dt * fmax(fabs(data->v[dof]), fabs(data->v_star[dof]));
  if (idle != !(g <= 2 * reach)) return PL_OK;
  plRows* rows = pl_rows_new(data, r, PL_ROWS_LIMIT, dof, 1);
  if (!rows) return PL_ERROR_MEMORY;
  r->source[r->n - 1].part = sign < 0;
  plStatus status = pl_rows_add_dof(model, data, r, rows, 0, dof, sign);
  return status ? status : set_law(model, data, r, rows, dof, g, idle);
}

// The rotation of a ball joint stays below an angle: g = upper - |r|, r the rotation vector, and d|r|/dt = r
// / |r| . v
static plStatus add_ball_limit(const plModel* model, plData* data, plReduced* r, bool idle, int dof) {
  int joint = model->dof_joint[dof];
  const double *p = data->q + model->joint_q0[joint], *v = data->v + dof, *v_star = data->v_star + dof;
  if (dof != model->joint_v0[joint]) return PL_OK;
  plVec3 turn = quat_log((plQuat){p[0], p[1], p[2], p[3]});
  double angle = v3_norm(turn), g = data->par->dof_upper[dof] - angle;
  double reach = data->par->options.dt * fmax(v3_norm(v3_load(v)), v3_norm(v3_load(v_star)));
  if (idle != !(g <= 2 * reach) || !(angle > 0)) return PL_OK;
  plRows* rows = pl_rows_new(data, r, PL_ROWS_LIMIT, dof, 1);
  if (!rows) return PL_ERROR_MEMORY;
  r->source[r->n - 1].part = 1;
  const double axis[3] = {turn.x, turn.y, turn.z};
  for (int k = 0; k < 3; k++) {
    plStatus status = pl_rows_add_dof(model, data, r, rows, 0, dof + k, -axis[k] / angle);
    if (status) return status;
  }
  return set_law(model, data, r, rows, dof, g, idle);
}

static plStatus add_limits(const plModel* model, plData* data, plReduced* r, bool idle, int dof) {
  double lower = data->par->dof_lower[dof], upper = data->par->dof_upper[dof];
  plStatus status = PL_OK;
  if (!(isfinite(lower) | isfinite(upper)) || model->dof_locked[dof] || !data->on[PL_SWITCH_LIMIT][dof])
    return PL_OK;
  if (model->dof_q[dof] < 0) {
    bool ball = model->joint_kind[model->dof_joint[dof]] == PL_JOINT_BALL && isfinite(upper);
    return ball ? add_ball_limit(model, data, r, idle, dof) : PL_OK;
  }
  double q = data->q[model->dof_q[dof]];
  if (isfinite(lower)) status = add_limit(model, data, r, idle, dof, q - lower, 1);
  if (!status && isfinite(upper)) status = add_limit(model, data, r, idle, dof, upper - q, -1);
  return status;
}

plStatus pl_rows_limits(const plModel* model, plData* data, plReduced* r, const bool* idle) {
  plStatus status = PL_OK;
  for (int t = 0; t < model->ntree; t++) {
    // a free joint has none
    if (pl_tree_is_body(&data->work->forest, t) || (idle && !idle[t])) continue;
    for (int i = model->tree_v0[t]; i < model->tree_v0[t + 1] && !status; i++)
      status = add_limits(model, data, r, idle != NULL, i);
  }
  return status;
}

// f = clamp(kp (q_d - q) + kd (v_d - v) + u_ff): the part without gains is the feed-forward. q is the
// joint's, or the tendon's.
plSapActuator pl_actuator_sap(const plData* data, int a, double w) {
  const plModel* model = data->model;
  const double *gain = data->par->act_gain + 3 * (size_t)a, *bias = data->par->act_bias + 3 * (size_t)a,
               *u = data->u + model->act_u0[a];
  double kp = -bias[1], kd = -bias[2], q0 = pl_actuator_position(data, a), q_d = q0, v_d = 0, u_ff = bias[0];
  double input = pl_actuator_input(data, a) * gain[0];
  if (kp > 0)
    q_d = input / kp;
  else
    v_d = input / kd;
  if (model->act_kind[a] == PL_ACTUATOR_PD) {
    if (kd > 0) v_d += gain[1] * u[1] / kd;
    u_ff += gain[2] * u[2];
  }
  return pl_sap_actuator(data->par->options.dt, kp, kd, q0, q_d, v_d, u_ff, INFINITY, w, PL_SAP_BETA);
}

plStatus pl_rows_actuators(const plModel* model, plData* data, plReduced* r) {
  for (int a = 0; a < model->nact; a++) {
    bool tendon = pl_actuator_is_tendon(model, a);
    if (!pl_actuator_is_constraint(data, a) || (!tendon && model->dof_locked[model->act_dof[a]]) ||
        !data->on[PL_SWITCH_ACTUATOR][a])
      continue;
    plRows* rows = pl_rows_new(data, r, PL_ROWS_ACTUATOR, a, 1);
    if (!rows) return PL_ERROR_MEMORY;
    plSapConstraint* c = rows->c;
    for (int k = model->act_term0[a]; k < model->act_term0[a + 1]; k++) {
      plStatus status =
          pl_rows_add_dof(model, data, r, rows, 0, model->act_term[k], data->work->act_coefficient[k]);
      if (status) return status;
    }
    double w = pl_rows_delassus(r, c);
    if (!(w > 0)) {  // a cable whose length nothing can change at present
      r->n--;
      continue;
    }
    c->law = PL_SAP_ACTUATOR;
    c->actuator = pl_actuator_sap(data, a, w);
    pl_effort_bounds(data, a, &c->actuator.lower, &c->actuator.upper);
  }
  return pl_rows_efforts(model, data, r);
}

plStatus pl_rows_friction(const plModel* model, plData* data, plReduced* r) {
  for (int i = 0; i < model->nv_rigid; i++) {
    if (!(data->par->dof_friction[i] > 0) || model->dof_locked[i] || !data->on[PL_SWITCH_FRICTION][i])
      continue;
    plRows* rows = pl_rows_new(data, r, PL_ROWS_FRICTION, i, 1);
    plSapRow* row = rows ? pl_rows_law(data, rows, PL_SAP_BOUNDED) : NULL;
    if (!row) return PL_ERROR_MEMORY;
    plStatus status = pl_rows_add_dof(model, data, r, rows, 0, i, 1);
    if (status) return status;
    *row = pl_sap_dry_friction(data->par->options.dt, data->par->dof_friction[i],
                               pl_rows_delassus(r, rows->c), data->par->options.friction_sigma);
  }
  return PL_OK;
}

// pair_rows.c: constraints between rigid bodies and between joints: ball, weld, distance, coupler, tendon,
// prescribed motion.
//
//   ball      g = p_b - p_a                           vc = v_b - v_a at the two points
//   weld      g = (rotation vector of R_b R_a', p_b - p_a)   vc = relative spatial velocity at their middle
//   distance  g = |p_b - p_a| - length                vc = along the line; with a range, as a tendon
//   coupler   g = q_a - ratio q_b - offset
//   tendon    l = sum c q + offset;  l - lower >= 0, upper - l >= 0
//   motion    g = q_a - offset
// length and offset may change over time, g(q, t): their rate enters the bias of vc.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "math/pose.h"
#include "model/table.h"
#include "rigid/tree.h"

static const plVec3 world_axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// The function of time that is added to a constraint's length or offset, and its rate.
static double drive_at(const plModel* model, int index, double time, double* rate) {
  const plConstraintDef* def = &model->constraint[index];
  double x = 0, angle = 2 * M_PI * def->frequency * time + def->phase;
  *rate = 0;
  if (def->ntime)
    pl_table_at(def->ntime, def->time, def->value, model->constraint_slope[index], time, &x, rate);
  *rate += 2 * M_PI * def->frequency * def->amplitude * cos(angle);
  return x + def->amplitude * sin(angle);
}

// The same at the start of the step. The rate is the one that brings positions to their target at its end: q1
// = q0 + dt v1, or the mean of both velocities.
static double drive(const plModel* model, const plData* data, int index, double* rate) {
  *rate = 0;
  if (!model->constraint[index].ntime && model->constraint[index].amplitude == 0) return 0;
  double dt = data->par->options.dt, slope, now = drive_at(model, index, data->time, &slope);
  double next = drive_at(model, index, data->time + dt, &slope);
  *rate = data->par->options.theta_vq < 1 ? slope : (next - now) / dt;
  return now;
}

static plRowAnchors anchors_of_dof(const plModel* model, int dof) {
  return (plRowAnchors){.angle = pl_dof_is_angle(model, dof), .a = -1, .b = -1};
}

// A joint that carries both bodies does not move one relative to the other, and forces between them do not
// move it: its column of J is zero. A computed column would be rounding error, or the violation times the
// rotation.
static void drop_common(const plModel* model, const plData* data, plRows* rows, int a, int b) {
  const plTree* tree = &data->work->forest;
  int node_a = a < 0 ? -1 : model->body_node[a], node_b = b < 0 ? -1 : model->body_node[b];
  if (node_a < 0 || node_b < 0) return;
  int t = pl_tree_of_node(tree, node_a);
  if (t != pl_tree_of_node(tree, node_b)) return;
  while (node_a != node_b && node_a >= 0 && node_b >= 0)
    if (node_a > node_b)
      node_a = tree->node_parent[node_a];
    else
      node_b = tree->node_parent[node_b];
  if (node_a < 0 || node_b < 0) return;
  assert(rows->c->nblock > 0 && rows->block[0].clique == t);
  int n = rows->c->nrow, dof = tree->node_v0[node_a] + pl_node_nv(tree->node_kind[node_a]) - 1;
  for (; dof >= 0; dof = tree->dof_parent[dof])
    memset(rows->J[0] + n * (dof - tree->tree_v0[t]), 0, (size_t)n * sizeof(double));
}

static plStatus ball_rows(const plModel* model, plData* data, plReduced* r, int index, plPose a, plPose b) {
  const plConstraintDef* def = &model->constraint[index];
  plRows* rows = pl_rows_new(data, r, PL_ROWS_PAIR, index, 3);
  if (!rows) return PL_ERROR_MEMORY;
  // Both impulses act at one point: two that are apart would turn a pair that is open.
  plVec3 middle = v3_scale(0.5, v3_add(a.p, b.p));
  plStatus status = pl_rows_add_body(model, data, r, rows, 0, def->a, middle, world_axes, -1, false);
  if (!status) status = pl_rows_add_body(model, data, r, rows, 0, def->b, middle, world_axes, 1, false);
  if (!status) drop_common(model, data, rows, def->a, def->b);
  double g[3];
  v3_store(g, v3_sub(b.p, a.p));
  plRowAnchors anchors = {false, def->a, def->b, middle, middle};
  return status ? status
                : pl_rows_holonomic(model, data, r, rows, g, def->stiffness, def->damping / def->stiffness,
                                    anchors);
}

static plStatus weld_rows(const plModel* model, plData* data, plReduced* r, int index, plPose a, plPose b) {
  const plConstraintDef* def = &model->constraint[index];
  plRows* rows = pl_rows_new(data, r, PL_ROWS_PAIR, index, 6);
  if (!rows) return PL_ERROR_MEMORY;
  plVec3 middle = v3_scale(0.5, v3_add(a.p, b.p));
  plStatus status = PL_OK;
  for (int side = 0; side < 2 && !status; side++) {
    int body = side ? def->b : def->a;
    double sign = side ? 1 : -1;
    status = pl_rows_add_body(model, data, r, rows, 0, body, middle, world_axes, sign, true);
    if (!status) status = pl_rows_add_body(model, data, r, rows, 3, body, middle, world_axes, sign, false);
  }
  double g[6];
  v3_store(g, quat_log(quat_mul(b.q, quat_conj(a.q))));
  v3_store(g + 3, v3_sub(b.p, a.p));
  plRowAnchors anchors = {false, def->a, def->b, middle, middle};
  return status ? status
                : pl_rows_holonomic(model, data, r, rows, g, def->stiffness, def->damping / def->stiffness,
                                    anchors);
}

// The row of the distance, times sign.
static plStatus line_row(const plModel* model, plData* data, plReduced* r, int index, plVec3 a, plVec3 b,
                         double sign, plRows** made) {
  const plConstraintDef* def = &model->constraint[index];
  plVec3 d = v3_sub(b, a), line = v3_norm2(d) > 0 ? v3_unit(d) : v3(0, 0, 1);
  plRows* rows = pl_rows_new(data, r, PL_ROWS_PAIR, index, 3);
  if (!rows) return PL_ERROR_MEMORY;
  // A body adds three rows: all are projected onto the axis, and the first is kept.
  const plVec3 axes[3] = {line, line, line};
  plStatus status = pl_rows_add_body(model, data, r, rows, 0, def->a, a, axes, -sign, false);
  if (!status) status = pl_rows_add_body(model, data, r, rows, 0, def->b, b, axes, sign, false);
  if (!status) drop_common(model, data, rows, def->a, def->b);
  for (int i = 0; i < rows->c->nblock && !status; i++) {
    int n = r->problem.clique_nv[rows->block[i].clique];
    for (int j = 0; j < n; j++) rows->J[i][j] = rows->J[i][3 * j];
  }
  rows->c->nrow = 1;
  *made = rows;
  return status;
}

// One side of a distance's range: g = distance - lower or upper - distance.
static plStatus range_row(const plModel* model, plData* data, plReduced* r, int index, plVec3 a, plVec3 b,
                          double g, double rate, double sign) {
  const plConstraintDef* def = &model->constraint[index];
  plRows* rows = NULL;
  plStatus status = line_row(model, data, r, index, a, b, sign, &rows);
  if (status) return status;
  plSapConstraint* c = rows->c;
  plSapRow* row = pl_rows_law(data, rows, PL_SAP_UNILATERAL);
  if (!row) return PL_ERROR_MEMORY;
  r->source[r->n - 1].part = sign < 0;
  rows->bias[0] -= sign * pl_rows_drive(model, data, r, c, rate, v3_norm(v3_sub(b, a)));
  double w = pl_rows_delassus(r, c), vc;
  if (!(w > 0)) return r->n--, PL_OK;
  pl_rows_velocity(r, c, r->v0, &vc);
  r->source[r->n - 1].mobility = w;
  *row =
      pl_sap_limit(data->par->options.dt, g, def->stiffness, def->damping / def->stiffness, w, PL_SAP_BETA);
  c->likely_open = g > 2 * data->par->options.dt * fabs(vc);
  plRowAnchors anchors = {false, def->a, def->b, a, b};
  r->source[r->n - 1].curvature = pl_rows_curvature(model, data, r, 1, anchors);
  if (g < 0) pl_rows_slow_down(model, data, r, c, anchors, pl_rows_near_rigid(w), 0, 1, row);
  return PL_OK;
}

static plStatus distance_rows(const plModel* model, plData* data, plReduced* r, int index, plPose a,
                              plPose b) {
  const plConstraintDef* def = &model->constraint[index];
  double rate, g = v3_norm(v3_sub(b.p, a.p)) - def->length - drive(model, data, index, &rate);
  plStatus status = PL_OK;
  plRows* rows = NULL;
  if (isfinite(def->lower) || isfinite(def->upper)) {
    if (isfinite(def->lower)) status = range_row(model, data, r, index, a.p, b.p, g - def->lower, rate, 1);
    if (!status && isfinite(def->upper))
      status = range_row(model, data, r, index, a.p, b.p, def->upper - g, rate, -1);
    return status;
  }
  status = line_row(model, data, r, index, a.p, b.p, 1, &rows);
  if (status) return status;
  rows->bias[0] -= pl_rows_drive(model, data, r, rows->c, rate, v3_norm(v3_sub(b.p, a.p)));
  plRowAnchors anchors = {false, def->a, def->b, a.p, b.p};
  return pl_rows_holonomic(model, data, r, rows, &g, def->stiffness, def->damping / def->stiffness, anchors);
}

// Rows are implicit in v1, but with theta_vq < 1 positions also depend on v0: a body of mobility w that was
// stopped still moves by (1 - theta_vq) dt v0, without a force that stretches the spring by this distance.
// With s = R / (R + w) and g' = -v_hat dt, a row on one body gives
//
//   v1 = s v0 - (1 - s) g' / dt,  g1 = g0 + dt (theta_vq v1 + (1 - theta_vq) v0),
//
// and v^2 / (2 w) + P(g) with P(g) = g g' / (dt^2 (2 R + w)) never grows for any theta_vq >= 1/2; with 1/2
// and s = 0 for no other P. It is k g^2 / 2 if the spring is soft, and remains finite if it is rigid.
static double spring_energy(const plData* data, const plConstraintDef* def, int n, double w, double square) {
  double dt = data->work->whole_dt;
  plSapRow unit = pl_sap_holonomic(dt, 1, def->stiffness, def->damping / def->stiffness, w, PL_SAP_BETA);
  // w is the mean of n rows in all directions, |W|_F / n; that of each is |W|_F / sqrt(n)
  return -unit.v_hat * square / (dt * (2 * unit.R + sqrt(n) * w));
}

// |g|^2 of pair i at work->tree, if its drive has added x to its length; *turn: of a weld, rad^2.
static double violation(const plModel* model, const plData* data, const plReduced* r, int i, double x,
                        double* turn) {
  const plConstraintDef* def = &model->constraint[r->source[i].index];
  plPose a = pose_mul(pl_body_pose(data, def->a), def->pose_a),
         b = pose_mul(pl_body_pose(data, def->b), def->pose_b);
  double square = v3_norm2(v3_sub(b.p, a.p));
  *turn = def->kind == PL_CONSTRAINT_WELD ? v3_norm2(quat_log(quat_mul(b.q, quat_conj(a.q)))) : 0;
  if (def->kind != PL_CONSTRAINT_DISTANCE) return square;
  double g = sqrt(square) - def->length - x;
  if (isfinite(def->lower) || isfinite(def->upper))
    g = fmin(0, r->source[i].part ? def->upper - g : g - def->lower);
  return g * g;
}

double pl_pair_energy(const plModel* model, const plData* data, const plReduced* r, int i) {
  const plConstraintDef* def = &model->constraint[r->source[i].index];
  double turn, square = violation(model, data, r, i, 0, &turn);
  int n = def->kind == PL_CONSTRAINT_DISTANCE ? 1 : 3;
  return spring_energy(data, def, n, r->source[i].mobility, square) +
         (turn > 0 ? spring_energy(data, def, 3, r->source[i].turn_mobility, turn) : 0);
}

double pl_pair_drive(const plModel* model, int index, double time) {
  double rate;
  return drive_at(model, index, time, &rate);
}

double pl_pair_spring(const plModel* model, const plData* data, const plReduced* r, int i, double x) {
  double turn, square = violation(model, data, r, i, x, &turn),
               k = model->constraint[r->source[i].index].stiffness;
  return isfinite(k) ? 0.5 * k * (square + turn) : 0;
}

static plStatus coupler_rows(const plModel* model, plData* data, plReduced* r, int index) {
  const plConstraintDef* def = &model->constraint[index];
  int dof_a = model->joint_v0[def->a], dof_b = model->joint_v0[def->b];
  plRows* rows = pl_rows_new(data, r, PL_ROWS_PAIR, index, 1);
  if (!rows) return PL_ERROR_MEMORY;
  plStatus status = pl_rows_add_dof(model, data, r, rows, 0, dof_a, 1);
  if (!status) status = pl_rows_add_dof(model, data, r, rows, 0, dof_b, -def->ratio);
  double rate, g = data->q[model->dof_q[dof_a]] - def->ratio * data->q[model->dof_q[dof_b]] - def->offset -
                   drive(model, data, index, &rate);
  rows->bias[0] -= rate;
  return status ? status
                : pl_rows_holonomic(model, data, r, rows, &g, def->stiffness, def->damping / def->stiffness,
                                    anchors_of_dof(model, dof_a));
}

static plStatus motion_rows(const plModel* model, plData* data, plReduced* r, int index) {
  const plConstraintDef* def = &model->constraint[index];
  int dof = model->joint_v0[def->a];
  plRows* rows = pl_rows_new(data, r, PL_ROWS_PAIR, index, 1);
  if (!rows) return PL_ERROR_MEMORY;
  plStatus status = pl_rows_add_dof(model, data, r, rows, 0, dof, 1);
  double rate, g = data->q[model->dof_q[dof]] - def->offset - drive(model, data, index, &rate);
  rows->bias[0] -= rate;
  return status ? status
                : pl_rows_holonomic(model, data, r, rows, &g, def->stiffness, def->damping / def->stiffness,
                                    anchors_of_dof(model, dof));
}

// One side of a tendon's range: added if its slack is less than the travel of two steps, else idle.
static plStatus tendon_row(const plModel* model, plData* data, plReduced* r, bool idle, int index, double g,
                           double given, double sign) {
  const plConstraintDef* def = &model->constraint[index];
  double rate = given, rate_star = given;
  for (int k = 0; k < def->njoint; k++) {
    int dof = model->joint_v0[def->joint[k]];
    rate += def->coefficient[k] * data->v[dof], rate_star += def->coefficient[k] * data->v_star[dof];
  }
  if (idle != !(g <= 2 * data->par->options.dt * fmax(fabs(rate), fabs(rate_star)))) return PL_OK;
  plRows* rows = pl_rows_new(data, r, PL_ROWS_PAIR, index, 1);
  plSapRow* row = rows ? pl_rows_law(data, rows, PL_SAP_UNILATERAL) : NULL;
  if (!row) return PL_ERROR_MEMORY;
  r->source[r->n - 1].part = sign < 0;
  for (int k = 0; k < def->njoint; k++) {
    plStatus status =
        pl_rows_add_dof(model, data, r, rows, 0, model->joint_v0[def->joint[k]], sign * def->coefficient[k]);
    if (status) return status;
  }
  rows->bias[0] += sign * given;
  double w = pl_rows_delassus(r, rows->c);
  if (!(w > 0)) return r->n--, PL_OK;  // all its joints are locked
  *row =
      pl_sap_limit(data->par->options.dt, g, def->stiffness, def->damping / def->stiffness, w, PL_SAP_BETA);
  if (g < 0)
    pl_rows_slow_down(model, data, r, rows->c, anchors_of_dof(model, model->joint_v0[def->joint[0]]),
                      pl_rows_near_rigid(w), 0, 1, row);
  rows->c->likely_open = idle;
  return PL_OK;
}

static plStatus tendon_rows(const plModel* model, plData* data, plReduced* r, bool idle, int index) {
  const plConstraintDef* def = &model->constraint[index];
  double rate, length = def->offset + drive(model, data, index, &rate);
  for (int k = 0; k < def->njoint; k++)
    length += def->coefficient[k] * data->q[model->dof_q[model->joint_v0[def->joint[k]]]];
  plStatus status = PL_OK;
  if (isfinite(def->lower)) status = tendon_row(model, data, r, idle, index, length - def->lower, rate, 1);
  if (!status && isfinite(def->upper))
    status = tendon_row(model, data, r, idle, index, def->upper - length, rate, -1);
  return status;
}

plStatus pl_rows_pairs(const plModel* model, plData* data, plReduced* r) {
  plStatus status = PL_OK;
  for (int i = 0; i < model->nconstraint && !status; i++) {
    const plConstraintDef* def = &model->constraint[i];
    if (!data->on[PL_SWITCH_CONSTRAINT][i]) continue;
    if (def->kind == PL_CONSTRAINT_COUPLER)
      status = coupler_rows(model, data, r, i);
    else if (def->kind == PL_CONSTRAINT_MOTION)
      status = motion_rows(model, data, r, i);
    else if (def->kind == PL_CONSTRAINT_TENDON)
      status = tendon_rows(model, data, r, false, i);
    else {
      plPose a = pose_mul(pl_body_pose(data, def->a), def->pose_a),
             b = pose_mul(pl_body_pose(data, def->b), def->pose_b);
      if (def->kind == PL_CONSTRAINT_BALL) status = ball_rows(model, data, r, i, a, b);
      if (def->kind == PL_CONSTRAINT_WELD) status = weld_rows(model, data, r, i, a, b);
      if (def->kind == PL_CONSTRAINT_DISTANCE) status = distance_rows(model, data, r, i, a, b);
    }
  }
  return status;
}

void pl_pairs_gaps(const plModel* model, const plData* data, const plReduced* r, double* g) {
  for (int i = 0; i < r->n; g += r->constraint[i++].nrow) {
    const plConstraintDef* def =
        r->source[i].kind == PL_ROWS_PAIR ? &model->constraint[r->source[i].index] : NULL;
    if (!def || def->kind > PL_CONSTRAINT_DISTANCE) continue;
    plPose a = pose_mul(pl_body_pose(data, def->a), def->pose_a),
           b = pose_mul(pl_body_pose(data, def->b), def->pose_b);
    plVec3 d = v3_sub(b.p, a.p);
    if (def->kind == PL_CONSTRAINT_DISTANCE)
      g[0] = (r->source[i].part ? -1 : 1) * v3_norm(d);
    else
      v3_store(g + r->constraint[i].nrow - 3, d);
    if (def->kind == PL_CONSTRAINT_WELD) v3_store(g, quat_log(quat_mul(b.q, quat_conj(a.q))));
  }
}

// Whether a tendon acts on one of the marked trees.
static bool pulls_at(const plModel* model, const plConstraintDef* def, const bool* tree) {
  for (int k = 0; k < def->njoint; k++) {
    int t = 0;
    while (model->tree_v0[t + 1] <= model->joint_v0[def->joint[k]]) t++;
    assert(t < model->ntree);
    if (tree[t]) return true;
  }
  return false;
}

plStatus pl_rows_idle_tendons(const plModel* model, plData* data, plReduced* r, const bool* tree) {
  plStatus status = PL_OK;
  for (int i = 0; i < model->nconstraint && !status; i++) {
    const plConstraintDef* def = &model->constraint[i];
    if (data->on[PL_SWITCH_CONSTRAINT][i] && def->kind == PL_CONSTRAINT_TENDON && pulls_at(model, def, tree))
      status = tendon_rows(model, data, r, true, i);
  }
  return status;
}

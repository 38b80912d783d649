// allowances.c: energy that a scene may gain for known reasons, besides the work done on it.
//
// Near-rigid constraints are springs whose stiffness depends on dt. They store no energy as long as they
// hold. A constraint that is violated at the start, if only by rounding, stores 1/2 k x^2 with k of its own
// stiffness, or m / dt^2. A drive that is held back, by another constraint or by a contact, stores energy
// too: it works on until the force of the constraint that it violates, which grows with every step, pushes it
// back. A step in parts, with its smaller dt, returns more as well. Both are at most force times violation of
// the stiffer springs.
//
// Slow joints: under backward Euler the Coriolis forces c and the weight of a tree are those at the start of
// a step if its joints rotate by at most PL_SMALL_TURN in the step (docs/robots.md, fast joints). The energy
// of a step is then wrong by the order of the square of the angle by which links rotate, which is at most the
// sum over the joints. If actuators accelerate the tree, that is not all: of the power of c at the end of the
// step, v1 . c(q0, v1), the step knows v1 . c(q0, v0) (src/rigid/swing.c). A body on a rail that turns by an
// angle a in a step gains up to 4 a^2 of its energy by the difference, which is measured here.
//
// The weight Q(q0) changes the velocity from v0 to v1, and the tree moves with v1. Whatever other forces act,
// the weight adds dt Q0 . (v0 + v1) / 2 to the kinetic energy and takes dt v1 . (Q0 + Q1) / 2 of the
// potential energy, up to the cube of dt. The difference, dt / 2 (v0 . Q0 - v1 . Q1), is measured. Its sum
// does not grow with time: a swing of frequency w has dt w / 2 of its energy too much on its way up, and as
// much too little on its way down. (The weight at the middle of the motion, as for fast joints, would damp
// every swing instead, by the factor exp(-pi dt w / 2) per period.)
#include <float.h>
#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "judge.h"
#include "math/pose.h"
#include "model/table.h"
#include "model/work.h"
#include "rigid/rigid.h"

// The violation of a constraint between bodies: m, and rad for a weld; the distance of its points from the
// origin.
typedef struct Violation {
  double off, angle, far;
} Violation;

static Violation violation_of(const Run* run, const plConstraintDef* c) {
  plRigidState a = {.pose = pose_identity()}, b = {.pose = pose_identity()};
  if (c->a >= 0) (void)pl_rigid_body_state(run->data, c->a, &a);
  if (c->b >= 0) (void)pl_rigid_body_state(run->data, c->b, &b);
  plPose x = pose_mul(a.pose, c->pose_a), y = pose_mul(b.pose, c->pose_b), d = pose_mul(pose_inverse(x), y);
  return (Violation){fabs(v3_norm(d.p) - (c->kind == PL_CONSTRAINT_DISTANCE ? c->length : 0)),
                     c->kind == PL_CONSTRAINT_WELD ? v3_norm(quat_log(d.q)) : 0,
                     v3_norm(x.p) + v3_norm(y.p) + v3_norm(c->pose_a.p) + v3_norm(c->pose_b.p)};
}

bool start_is_fulfilled(Run* run) {
  const plModel* m = run->model;
  double mass = 0, dt = m->par->options.dt;
  for (int i = 0; i < m->nbody; i++) mass += m->par->body_mass[i];
  for (int i = 0; i < m->nconstraint; i++) {
    const plConstraintDef* c = &m->constraint[i];
    if (c->kind > PL_CONSTRAINT_DISTANCE) continue;
    Violation v = violation_of(run, c);
    if (v.off > 1e-6 * (1 + c->length) || v.angle > 1e-6) return false;
    double x = v.off + 4 * DBL_EPSILON * v.far, k = isfinite(c->stiffness) ? c->stiffness : mass / (dt * dt);
    run->stored += 0.5 * k * (x * x + v.angle * v.angle * v.far * v.far);
  }
  return true;
}

// Where a drive wants its joint, less where that is.
static double missed_by(const Run* run, int i) {
  const plModel* m = run->model;
  const plConstraintDef* c = &m->constraint[i];
  double t = run->data->time, x = 0, rate;
  if (c->ntime) pl_table_at(c->ntime, c->time, c->value, m->constraint_slope[i], t, &x, &rate);
  x += c->amplitude * sin(2 * M_PI * c->frequency * t + c->phase) + c->offset;
  if (c->kind == PL_CONSTRAINT_COUPLER) x += c->ratio * run->data->q[m->joint_q0[c->b]];
  return x - run->data->q[m->joint_q0[c->a]];
}

// Force times violation of the near-rigid constraints.
static double force_times_violation(const Run* run) {
  double sum = 0;
  for (int i = 0; i < run->model->nconstraint; i++) {
    const plConstraintDef* c = &run->model->constraint[i];
    plWrench w = {0};
    double effort = 0;
    if (isfinite(c->stiffness) || c->kind == PL_CONSTRAINT_TENDON ||
        pl_constraint_force(run->data, i, &w, &effort))
      continue;
    if (c->kind > PL_CONSTRAINT_DISTANCE) {
      sum += fabs(effort * missed_by(run, i));
      continue;
    }
    Violation v = violation_of(run, c);
    sum += v3_norm(w.force) * v.off + v3_norm(w.moment) * v.angle;
  }
  return sum;
}

// v . c(q, v') of tree t in the probe.
static double power_of_bias(const Run* run, int t, const double* v, const double* at) {
  const plModel* m = run->model;
  double* c = run->part_v + m->nv;
  double sum = 0;
  memcpy(run->probe->q, run->part_q, (size_t)m->nq * sizeof(double));
  memcpy(run->probe->v, at, (size_t)m->nv * sizeof(double));
  pl_rigid_bias(run->probe, c);
  for (int i = m->tree_v0[t]; i < m->tree_v0[t + 1]; i++) sum += v[i] * c[i];
  return sum;
}

// v . Q of tree t in the probe.
static double power_of_weight(const Run* run, int t, const double* q, const double* v) {
  const plModel* m = run->model;
  double* hold = run->part_v + m->nv;
  double sum = 0;
  memcpy(run->probe->q, q, (size_t)m->nq * sizeof(double));
  pl_rigid_gravity_forces(run->probe, hold);
  for (int i = m->tree_v0[t]; i < m->tree_v0[t + 1]; i++) sum -= v[i] * hold[i];
  return sum;
}

// What the Coriolis forces of tree t at the start of this part of the step leave out.
static double lag_of(const Run* run, int t) {
  const double* v1 = run->data->v;
  return run->data->par->options.dt *
         (power_of_bias(run, t, v1, v1) - power_of_bias(run, t, v1, run->part_v));
}

// The kinetic energy that the weight of tree t added in this part, less the potential energy that it lost.
static double weight_of(const Run* run, int t) {
  return 0.5 * run->data->par->options.dt *
         (power_of_weight(run, t, run->part_q, run->part_v) -
          power_of_weight(run, t, run->data->q, run->data->v));
}

void run_count_allowances(Run* run) {
  const plModel* m = run->model;
  const plOptions* o = &m->par->options;
  double most = 0, part = run->data->par->options.dt / o->dt;
  bool driven = false;
  for (int i = 0; i < m->nconstraint; i++) driven |= is_driven(&m->constraint[i]);
  if (driven) run->stored = fmax(run->stored, force_times_violation(run));
  for (int t = 0; t < m->ntree && run->facts.implicit; t++) {
    double largest = 0, sum = 0;
    for (int i = m->tree_v0[t]; i < m->tree_v0[t + 1] && pl_tree_has_links(m, t); i++) {
      double turn = pl_dof_is_angle(m, i) ? o->dt * fabs(run->data->v[i]) : 0;
      largest = fmax(largest, turn), sum += turn;
    }
    if (!(largest <= PL_SMALL_TURN)) continue;
    most = fmax(most, sum);
    if (sum > 0) run->lag += fmax(0, lag_of(run, t));
    run->weight += weight_of(run, t);
  }
  run->turned += part * most * most;
}

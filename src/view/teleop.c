// teleop.c: an end effector follows the user by differential inverse kinematics (pliant/ik.h).
//
// Every step computes joint rates at the pose that the actuators are set to hold. The inputs of the actuators
// then change by dt times these rates.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "math/pose.h"
#include "math/vec3.h"
#include "pliant/dynamics.h"
#include "pliant/ik.h"
#include "parts.h"

static const double LEASH = 0.06;   // m, largest distance of the commanded pose ahead of the real one
static const double CLOSED = 0.85;  // fraction of the distance to a finger's limit that counts as closed

// ---- which actuator belongs to what

static bool holds_position(const plModel* m, int act) {
  bool kind = m->act_kind[act] == PL_ACTUATOR_POSITION || m->act_kind[act] == PL_ACTUATOR_PD;
  return kind && m->act_site0[act + 1] == m->act_site0[act] && m->act_knot0[act + 1] == m->act_knot0[act] &&
         m->act_term0[act + 1] == m->act_term0[act] + 1 && m->dof_q[m->act_dof[act]] >= 0 &&
         m->par->act_gain[3 * act] != 0 && m->act_coefficient[m->act_term0[act]] != 0;
}

// Whether a is b or carries it.
static bool carries(const plModel* m, int a, int b) {
  while (b >= 0 && b != a) b = m->body_parent[b];
  return b == a;
}

static int moved_body(const plModel* m, int act) { return m->joint_child[m->dof_joint[m->act_dof[act]]]; }

static int count_arm(const plModel* m, int body) {
  int n = 0;
  for (int a = 0; a < m->nact; a++) n += holds_position(m, a) && carries(m, moved_body(m, a), body);
  return n;
}

bool pl_teleop_can_steer(const plModel* m, int body) {
  return body >= 0 && body < m->nbody && count_arm(m, body) > 0;
}

// The number of a body's children that lead to further actuators: two or more make it a palm.
static int count_fingers(const plModel* m, int body) {
  int n = 0;
  for (int child = 0; child < m->nbody; child++) {
    if (m->body_parent[child] != body) continue;
    bool moves = false;
    for (int a = 0; a < m->nact && !moves; a++)
      moves = holds_position(m, a) && carries(m, child, moved_body(m, a));
    n += moves;
  }
  return n;
}

// The palm with the longest arm; without a palm, the end of the longest arm.
static int find_effector(const plModel* m) {
  int best = -1, best_score = 0;
  for (int body = 0; body < m->nbody; body++) {
    int arm = count_arm(m, body);
    int score = arm == 0 ? 0 : count_fingers(m, body) > 1 ? 1000 + arm : arm;
    if (score > best_score) best = body, best_score = score;
  }
  return best;
}

// Input that holds the joint at 1: gain u + bias1 x = 0 with the coordinate x = coefficient q.
static double input_ratio(const plModel* m, int act) {
  return -m->par->act_bias[3 * act + 1] / m->par->act_gain[3 * act] * m->act_coefficient[m->act_term0[act]];
}

// A finger near its lower limit closes towards the upper one, a finger at its upper limit towards the lower
// one; others (those that spread the fingers or oppose the thumb) do not move.
static double closed_input(const plModel* m, int act) {
  int dof = m->act_dof[act];
  double ratio = input_ratio(m, act), start = m->start_u[m->act_u0[act]] / ratio;
  double lower = m->par->dof_lower[dof], upper = m->par->dof_upper[dof], range = upper - lower, stroke = 0;
  if (isfinite(range) && range > 0) {
    if (start < lower + 0.25 * range)
      stroke = upper - start;
    else if (start > upper - 0.05 * range)
      stroke = lower - start;
  }
  return ratio * (start + CLOSED * stroke);
}

bool pl_teleop_open(plTeleop* t, const plModel* m, int body, plError* error) {
  *t = (plTeleop){.model = m, .effector = body >= 0 ? body : find_effector(m), .client = -1};
  if (t->effector < 0 || !pl_teleop_can_steer(m, t->effector)) {
    t->effector = -1;
    return true;
  }
  size_t n = (size_t)m->nact;
  t->arm = calloc(n, sizeof *t->arm);
  t->hand = calloc(n, sizeof *t->hand);
  t->closed = calloc(n, sizeof *t->closed);
  t->rate = calloc((size_t)m->nv_rigid, sizeof *t->rate);
  t->moves = calloc((size_t)m->nv_rigid, sizeof *t->moves);
  t->ghost = pl_data_create(m, error);
  if (!t->arm || !t->hand || !t->closed || !t->rate || !t->moves || !t->ghost) return false;
  for (int a = 0; a < m->nact; a++) {
    if (!holds_position(m, a)) continue;
    if (carries(m, moved_body(m, a), t->effector)) {
      t->arm[t->narm++] = a;
      assert(m->act_dof[a] >= 0 && m->act_dof[a] < m->nv_rigid && t->narm + t->nhand <= m->nact);
      t->moves[m->act_dof[a]] = true;
    } else if (carries(m, t->effector, moved_body(m, a))) {
      t->closed[t->nhand] = closed_input(m, a);
      t->hand[t->nhand++] = a;
    }
  }
  return true;
}

void pl_teleop_close(plTeleop* t) {
  free(t->arm), free(t->hand), free(t->closed), free(t->rate), free(t->moves);
  if (t->ghost) pl_data_destroy(t->ghost);
  *t = (plTeleop){.effector = -1, .client = -1};
}

void pl_teleop_sync(plTeleop* t, const plData* data) {
  if (t->effector < 0) return;
  const plModel* m = t->model;
  memcpy(t->ghost->q, data->q, (size_t)m->nq * sizeof *data->q);
  for (int i = 0; i < t->narm; i++) {
    int a = t->arm[i];
    assert(m->dof_q[m->act_dof[a]] >= 0 && m->dof_q[m->act_dof[a]] < m->nq);
    t->ghost->q[m->dof_q[m->act_dof[a]]] = data->u[m->act_u0[a]] / input_ratio(m, a);
  }
}

plPose pl_teleop_pose(const plTeleop* t) {
  plRigidState state = {.pose = {{0, 0, 0}, {1, 0, 0, 0}}};
  if (t->effector >= 0) pl_rigid_body_state(t->ghost, t->effector, &state);
  return state.pose;
}

// ---- one step

// The commanded pose must not run away from an arm that is held back.
static plVec3 keep_leash(const plTeleop* t, const plData* data, plVec3 v) {
  plRigidState real;
  if (pl_rigid_body_state(data, t->effector, &real)) return v;
  plVec3 lead = v3_sub(pl_teleop_pose(t).p, real.pose.p);
  double ahead = v3_norm(lead), along = ahead > 0 ? v3_dot(v, lead) / ahead : 0;
  return ahead < LEASH || along <= 0 ? v : v3_sub(v, v3_scale(along / ahead, lead));
}

static void move_arm(plTeleop* t, plData* data, double dt) {
  const plModel* m = t->model;
  plIkDef ik = pl_default_ik_def();
  ik.body = t->effector, ik.goal = PL_IK_VELOCITY, ik.time = dt, ik.move = t->moves;
  ik.velocity = keep_leash(t, data, (plVec3){t->twist[0], t->twist[1], t->twist[2]});
  ik.angular_velocity = (plVec3){t->twist[3], t->twist[4], t->twist[5]};
  if (pl_ik_step(t->ghost, &ik, t->rate, NULL)) return;
  for (int i = 0; i < t->narm; i++) {
    int a = t->arm[i];
    assert(m->dof_q[m->act_dof[a]] >= 0 && m->act_u0[a] + pl_actuator_nu(m->act_kind[a]) <= m->nu);
    double x = t->rate[m->act_dof[a]], ratio = input_ratio(m, a);
    double *q = &t->ghost->q[m->dof_q[m->act_dof[a]]], *u = data->u + m->act_u0[a];
    *q += dt * x;
    u[0] = fmin(fmax(ratio * *q, data->par->act_lower[a]), data->par->act_upper[a]);
    if (m->act_kind[a] == PL_ACTUATOR_PD) u[1] = ratio * x;
  }
}

// If the inputs were moved otherwise in the meantime (sliders, a reset), the arm starts from there.
static void steer(plTeleop* t, plData* data, double dt) {
  const plModel* m = t->model;
  bool wanted = false;
  for (int r = 0; r < 6; r++) wanted = wanted || t->twist[r] != 0;
  if (wanted && !t->moving) pl_teleop_sync(t, data);
  if (wanted) move_arm(t, data, dt);
  for (int i = 0; t->moving && !wanted && i < t->narm; i++)
    if (m->act_kind[t->arm[i]] == PL_ACTUATOR_PD) data->u[m->act_u0[t->arm[i]] + 1] = 0;
  t->moving = wanted;
}

void pl_teleop_move(plTeleop* t, plData* data, double dt) {
  const plModel* m = t->model;
  if (t->effector < 0) return;
  steer(t, data, dt);
  double grip = fmin(fmax(t->grip + dt * t->grip_rate, 0), 1);
  if (grip == t->grip) return;
  t->grip = grip;
  for (int i = 0; i < t->nhand; i++) {
    int a = t->hand[i];
    double open = m->start_u[m->act_u0[a]];
    if (t->closed[i] != open)
      data->u[m->act_u0[a]] =
          fmin(fmax(open + grip * (t->closed[i] - open), data->par->act_lower[a]), data->par->act_upper[a]);
  }
}

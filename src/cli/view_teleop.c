// view_teleop.c: an end effector follows the user: differential inverse kinematics with damping, joint limits
// and speed limits.
//
// Every step asks for joint rates x with  min |J x - y|^2 + lambda^2 |x|^2,  lower <= x <= upper,  y the
// wanted twist, J at the pose the actuators are told to hold. The bounds keep joints within their limits and
// speeds. The inputs of the actuators then move by dt x.
#include <stdlib.h>
#include <string.h>

#include "pliant/dynamics.h"
#include "view.h"
#include "view_vec.h"

enum { ARM_MOST = 64 };              // actuators of an arm
static const double DAMPING = 0.02;  // m
static const double LENGTH = 0.3;    // m: a radian counts as much as this
static const double SPEED = 1.5;     // rad/s or m/s at most
static const double LEASH = 0.06;    // m by which the commanded pose may lead the real one
static const double CLOSED = 0.85;   // part of the way to a finger's limit that is closed

// ---- who belongs to what

static bool holds_position(const plModel* m, int act) {
  bool kind = m->act_kind[act] == PL_ACTUATOR_POSITION || m->act_kind[act] == PL_ACTUATOR_PD;
  return kind && m->act_knot0[act + 1] == m->act_knot0[act] &&
         m->act_term0[act + 1] == m->act_term0[act] + 1 && m->dof_q[m->act_dof[act]] >= 0 &&
         m->par->act_gain[3 * act] != 0;
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

bool teleop_can_steer(const plModel* m, int body) {
  return body >= 0 && body < m->nbody && count_arm(m, body) > 0;
}

// How many of a body's children lead to further actuators: two or more make it a palm.
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

// Input that holds the joint at q: gain u + bias1 q = 0.
static double input_ratio(const plModel* m, int act) {
  return -m->par->act_bias[3 * act + 1] / m->par->act_gain[3 * act];
}

// A finger that stands near its lower limit closes towards the upper one, one that stands at its upper limit
// towards the lower one; others (they spread the fingers, or hold the thumb against them) stay.
static double closed_input(const plModel* m, int act) {
  int dof = m->act_dof[act];
  double ratio = input_ratio(m, act), start = m->start_u[m->act_u0[act]] / ratio;
  double lower = m->par->dof_lower[dof], upper = m->par->dof_upper[dof], range = upper - lower, way = 0;
  if (isfinite(range) && range > 0) {
    if (start < lower + 0.25 * range)
      way = upper - start;
    else if (start > upper - 0.05 * range)
      way = lower - start;
  }
  return ratio * (start + CLOSED * way);
}

bool teleop_open(Teleop* t, const plModel* m, int body, plError* error) {
  *t = (Teleop){.model = m, .effector = body >= 0 ? body : find_effector(m), .client = -1};
  if (t->effector < 0 || !teleop_can_steer(m, t->effector)) {
    t->effector = -1;
    return true;
  }
  size_t n = (size_t)m->nact;
  t->arm = calloc(n, sizeof *t->arm);
  t->hand = calloc(n, sizeof *t->hand);
  t->closed = calloc(n, sizeof *t->closed);
  t->work = calloc(6 * (size_t)m->nv_rigid + 2 * n * n + 16 * n, sizeof *t->work);
  t->ghost = pl_data_create(m, error);
  if (!t->arm || !t->hand || !t->closed || !t->work || !t->ghost) return false;
  for (int a = 0; a < m->nact; a++) {
    if (!holds_position(m, a)) continue;
    if (carries(m, moved_body(m, a), t->effector)) {
      t->arm[t->narm++] = a;
    } else if (carries(m, t->effector, moved_body(m, a))) {
      t->closed[t->nhand] = closed_input(m, a);
      t->hand[t->nhand++] = a;
    }
  }
  return true;
}

void teleop_close(Teleop* t) {
  free(t->arm), free(t->hand), free(t->closed), free(t->work);
  if (t->ghost) pl_data_destroy(t->ghost);
  *t = (Teleop){.effector = -1, .client = -1};
}

void teleop_sync(Teleop* t, const plData* data) {
  if (t->effector < 0) return;
  const plModel* m = t->model;
  memcpy(t->ghost->q, data->q, (size_t)m->nq * sizeof *data->q);
  for (int i = 0; i < t->narm; i++) {
    int a = t->arm[i];
    t->ghost->q[m->dof_q[m->act_dof[a]]] = data->u[m->act_u0[a]] / input_ratio(m, a);
  }
}

plPose teleop_pose(const Teleop* t) {
  plRigidState state = {.pose = {{0, 0, 0}, {1, 0, 0, 0}}};
  if (t->effector >= 0) pl_rigid_body_state(t->ghost, t->effector, &state);
  return state.pose;
}

// ---- bounded, damped least squares

// Solves A x = b for the rows that are free, by Cholesky; A [n x n] is positive definite. L is scratch of the
// same size.
static void solve_free(int n, const double* A, const double* b, const bool* fixed, double* x, double* L) {
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) {
      double s = fixed[i] || fixed[j] ? i == j : A[i + n * j];
      for (int k = 0; k < j; k++) s -= L[i + n * k] * L[j + n * k];
      L[i + n * j] = i == j ? sqrt(fmax(s, 1e-300)) : s / L[j + n * j];
    }
  }
  for (int i = 0; i < n; i++) {
    // the fixed ones stand on the right-hand side
    double s = b[i];
    for (int j = 0; j < n; j++) s -= fixed[j] && !fixed[i] ? A[i + n * j] * x[j] : 0;
    if (fixed[i]) s = x[i];
    for (int k = 0; k < i; k++) s -= L[i + n * k] * L[n * n + k];
    L[n * n + i] = s / L[i + n * i];
  }
  for (int i = n - 1; i >= 0; i--) {
    double s = L[n * n + i];
    for (int k = i + 1; k < n; k++) s -= L[k + n * i] * x[k];
    x[i] = s / L[i + n * i];
  }
}

void teleop_least_squares(int n, const double* J, const double y[6], double damping, const double* lower,
                          const double* upper, double* x, double* work) {
  bool fixed[ARM_MOST] = {false};
  double *A = work, *b = A + n * n, *L = b + n;
  if (n > ARM_MOST) n = ARM_MOST;
  for (int i = 0; i < n; i++) {
    b[i] = x[i] = 0;
    for (int r = 0; r < 6; r++) b[i] += J[6 * i + r] * y[r];
    for (int j = 0; j < n; j++) {
      double s = i == j ? damping * damping : 0;
      for (int r = 0; r < 6; r++) s += J[6 * i + r] * J[6 * j + r];
      A[i + n * j] = s;
    }
  }
  // active set: the worst violation is fixed at its bound; a fixed one that would rather come back is freed
  for (int pass = 0; pass < 4 * n + 4; pass++) {
    solve_free(n, A, b, fixed, x, L);
    int worst = -1, release = -1;
    double most = 1e-12, pull = 1e-12;
    for (int i = 0; i < n; i++) {
      double over = fmax(x[i] - upper[i], lower[i] - x[i]), g = -b[i];
      if (!fixed[i] && over > most) worst = i, most = over;
      for (int j = 0; fixed[i] && j < n; j++) g += A[i + n * j] * x[j];
      // g is the slope of the cost: at an upper bound it must not be positive, at a lower one not negative
      double back = fixed[i] ? (x[i] >= upper[i] ? g : -g) : 0;
      if (back > pull && upper[i] > lower[i]) release = i, pull = back;
    }
    if (worst >= 0) {
      fixed[worst] = true;
      x[worst] = x[worst] > upper[worst] ? upper[worst] : lower[worst];
    } else if (release >= 0) {
      fixed[release] = false;
    } else {
      return;
    }
  }
  for (int i = 0; i < n; i++) x[i] = fmin(fmax(x[i], lower[i]), upper[i]);
}

// ---- one step

// The commanded pose must not run away from an arm that something holds back.
static void keep_leash(const Teleop* t, const plData* data, double y[6]) {
  plRigidState real;
  if (pl_rigid_body_state(data, t->effector, &real)) return;
  plVec3 lead = vec_sub(teleop_pose(t).p, real.pose.p), v = {y[3], y[4], y[5]};
  double ahead = vec_norm(lead), along = ahead > 0 ? vec_dot(v, lead) / ahead : 0;
  if (ahead < LEASH || along <= 0) return;
  v = vec_sub(v, vec_scale(along / ahead, lead));
  y[3] = v.x, y[4] = v.y, y[5] = v.z;
}

static void move_arm(Teleop* t, plData* data, double dt) {
  const plModel* m = t->model;
  int n = t->narm;
  double *all = t->work, *J = all + 6 * (size_t)m->nv_rigid, *lower = J + 6 * n, *upper = lower + n,
         *x = upper + n, *rest = x + n;
  double y[6];
  memcpy(y, t->twist + 3, 3 * sizeof *y);
  memcpy(y + 3, t->twist, 3 * sizeof *y);
  keep_leash(t, data, y);
  if (pl_rigid_jacobian(t->ghost, t->effector, (plVec3){0}, all)) return;
  for (int i = 0; i < n; i++) {
    int dof = m->act_dof[t->arm[i]];
    double q = t->ghost->q[m->dof_q[dof]],
           speed = m->dof_speed[dof] > 0 ? fmin(m->dof_speed[dof], SPEED) : SPEED;
    for (int r = 0; r < 6; r++) J[6 * i + r] = all[6 * (size_t)dof + (size_t)r] * (r < 3 ? LENGTH : 1);
    lower[i] = fmin(fmax(-speed, (data->par->dof_lower[dof] - q) / dt), 0);
    upper[i] = fmax(fmin(speed, (data->par->dof_upper[dof] - q) / dt), 0);
  }
  for (int r = 0; r < 3; r++) y[r] *= LENGTH;
  teleop_least_squares(n, J, y, DAMPING, lower, upper, x, rest);
  for (int i = 0; i < n; i++) {
    int a = t->arm[i];
    double *q = &t->ghost->q[m->dof_q[m->act_dof[a]]], *u = data->u + m->act_u0[a], ratio = input_ratio(m, a);
    *q += dt * x[i];
    u[0] = fmin(fmax(ratio * *q, data->par->act_lower[a]), data->par->act_upper[a]);
    if (m->act_kind[a] == PL_ACTUATOR_PD) u[1] = ratio * x[i];
  }
}

// Whoever else moved the inputs in the meantime (sliders, a reset) is where the arm starts from.
static void steer(Teleop* t, plData* data, double dt) {
  const plModel* m = t->model;
  bool wanted = false;
  for (int r = 0; r < 6; r++) wanted = wanted || t->twist[r] != 0;
  if (wanted && !t->moving) teleop_sync(t, data);
  if (wanted) move_arm(t, data, dt);
  for (int i = 0; t->moving && !wanted && i < t->narm; i++)
    if (m->act_kind[t->arm[i]] == PL_ACTUATOR_PD) data->u[m->act_u0[t->arm[i]] + 1] = 0;
  t->moving = wanted;
}

void teleop_move(Teleop* t, plData* data, double dt) {
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

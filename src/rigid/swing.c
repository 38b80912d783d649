// swing.c: Coriolis forces of trees whose joints turn far in a step, under backward Euler.
//
// With the bias at (q0, v0) a tree gains energy at first order in the angle that its joints turn in a step.
// With q1 = q0 + dt v1, M0 = M(q0) and f all other forces, those of constraints included, the balance
// M0 (v1 - v0) = dt (f - c) gives
//
//   E1 - E0 = dt v1 . f - 1/2 (v1 - v0) . M0 (v1 - v0) + 1/2 v1 . (M1 - M0) v1 - dt v1 . c.
//
// No energy is gained if the power of c at v1 equals the rate of change due to M. The bias at the middle of
// the motion, c(q0 + dt v1 / 2, v1), satisfies this up to the cube of the angle, because v . c(q, v) = 1/2 v
// . Mdot v. The same holds for gravity at the middle, which does the work by which its potential changes. A
// step changes the linear momentum of a free tree by the cube of the angle, which links.c corrects, its
// angular momentum by the square.
//
// v = v_lin - dt A^-1 (c(v) - c(q0, v0)), with v_lin from the bias at (q0, v0), is iterated until v no longer
// changes; each iteration gains a factor of about the angle. From the second one on, the mixture of the last
// two results is taken whose changes cancel best (Anderson acceleration of depth one). If constraints act on
// such a tree, v1 is not v*, and the problem is solved again with c(v1) (step/swing.c). A single body does
// not need this: its momentum form (gyration.c) is exact.
//
// in: work->tree at q0, tree_L, tree_bias, v_star = v_lin -> out: v_star, tree_swings, swing
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "rigid/rigid.h"

enum { ROUNDS = 20 };
static const double ROUNDING = 1e-13;
static const double AGAINST = 0.3;    // angle from which joints that turn against each other do so far
static const double SMALLEST = 1e-3;  // angle up to which they are not looked for

struct plSwing {
  double* v_lin;      // [nv_rigid]
  double* c;          // [nv_rigid] bias at the middle, then its change
  double *v, *to;     // [nv_rigid] velocity and result of the last iteration
  plBiasNode* node;   // [nnode]
  plTreeState state;  // at the middle, if constraints need it
};

// Whether joints turn against each other, so that heavy links hardly move. The Coriolis forces that hold
// these are then large beside their momentum: the squared angle is an error relative to the energy that each
// joint would have by itself, which counts beside that of the tree.
static bool turns_against(const plModel* model, const plData* data, int t, double turn, double part) {
  const plWork* work = data->work;
  const plTree* tree = &work->forest;
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const double *A = work->tree_A + tree->tree_M0[t], *v = data->v_star + v0, dt = data->par->options.dt;
  double own = 0, cross = 0;
  if (turn <= SMALLEST * part) return false;
  for (int j = 0; j < n; j++) {
    double sum = 0, passive = dt * (work->dof_D[v0 + j] + dt * work->dof_K[v0 + j]);  // in A, but not in M
    if (model->dof_locked[v0 + j]) continue;
    for (int i = j + 1; i < n; i++) sum += A[j * n + i] * v[i];
    own += (A[j * n + j] - passive) * v[j] * v[j], cross += 2 * sum * v[j];
  }
  return turn * turn * own > AGAINST * AGAINST * part * part * (own + cross);
}

// Sets tree_swings; work->swing is NULL if none does.
static plStatus begin(const plModel* model, plData* data) {
  plWork* work = data->work;
  const plTree* tree = &work->forest;
  const plOptions* o = &data->par->options;
  bool any = false, euler = o->theta == 1 && o->theta_vq == 1;
  double part = pl_rigid_turn_of_part(data, 1), angle = part * PL_SMALL_TURN;
  for (int t = 0; t < tree->ntree; t++) {
    double turn =
        euler && pl_tree_has_links(model, t) ? pl_rigid_largest_turn(model, data, t, data->v_star) : 0;
    any |= work->tree_swings[t] = turn > angle || turns_against(model, data, t, turn, part);
  }
  work->swing = NULL;
  if (!any) return PL_OK;
  plSwing* w = PL_ARENA_NEW(&work->step, plSwing, 1);
  if (!w) return PL_ERROR_MEMORY;
  w->v_lin = PL_ARENA_NEW(&work->step, double, tree->nv), w->c = PL_ARENA_NEW(&work->step, double, tree->nv);
  w->v = PL_ARENA_NEW(&work->step, double, tree->nv), w->to = PL_ARENA_NEW(&work->step, double, tree->nv);
  w->node = PL_ARENA_NEW(&work->step, plBiasNode, tree->nnode);
  if (!pl_tree_state_new(tree, &work->step, &w->state)) return PL_ERROR_MEMORY;
  memcpy(w->v_lin, data->v_star, (size_t)tree->nv * sizeof(double));
  work->swing = w;
  return PL_OK;
}

void pl_rigid_swing_along(const plModel* model, plData* data, const double* v) {
  plWork* work = data->work;
  const plTree* tree = &work->forest;
  plSwing* w = work->swing;
  double dt = data->par->options.dt;
  pl_tree_advance(tree, data->q, v, 0.5 * dt, work->tree_q);
  for (int t = 0; t < tree->ntree; t++) {
    int v0 = tree->tree_v0[t], end = tree->tree_v0[t + 1];
    if (!work->tree_swings[t]) continue;
    pl_tree_bias(tree, t, work->tree_q, v, data->par->options.gravity, w->node, w->c);
    for (int i = v0; i < end; i++) w->c[i] = model->dof_locked[i] ? 0 : -dt * (w->c[i] - work->tree_bias[i]);
    pl_tree_solve(tree, t, work->tree_L + tree->tree_M0[t], w->c + v0);
    for (int i = v0; i < end; i++) data->v_star[i] = w->v_lin[i] + w->c[i];
  }
}

plTreeState* pl_rigid_swing_middle(plData* data, const double* v) {
  plWork* work = data->work;
  const plTree* tree = &work->forest;
  plTreeState* s = &work->swing->state;
  pl_tree_advance(tree, data->q, v, 0.5 * data->par->options.dt, work->tree_q);
  pl_tree_kinematics(tree, work->tree_q, data->par->options.gravity, s);
  pl_tree_velocity(tree, v, s);
  pl_tree_inverse_dynamics(tree, v, NULL, s, work->swing->c);
  return s;
}

bool pl_rigid_swings(const plData* data, int t) { return data->work->tree_swings[t]; }

// The change of v of one tree, relative to its size.
static double change_of(const plData* data, int t, const double* a, const double* b) {
  const plTree* tree = &data->work->forest;
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const double* A = data->work->tree_A + tree->tree_M0[t];
  double change = 0, size = 0;
  for (int i = 0; i < n; i++) {
    double d = a[v0 + i] - b[v0 + i];
    change += A[i * n + i] * d * d, size += A[i * n + i] * a[v0 + i] * a[v0 + i];
  }
  if (!isfinite(change)) return INFINITY;  // the rounds diverge
  return change > 0 ? sqrt(change / size) : 0;
}

double pl_rigid_change(const plData* data, const double* a, const double* b, const bool* tree) {
  double worst = 0;
  for (int t = 0; t < data->model->ntree; t++)
    if (tree[t]) worst = fmax(worst, change_of(data, t, a, b));
  return worst;
}

// The squared norm of a - b, or of a.
static double square_of(const plData* data, int t, const double* a, const double* b) {
  const plTree* tree = &data->work->forest;
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const double* A = data->work->tree_A + tree->tree_M0[t];
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double d = a[v0 + i] - (b ? b[v0 + i] : 0);
    sum += A[i * n + i] * d * d;
  }
  return sum;
}

double pl_rigid_change_beside(const plData* data, const double* a, const double* b, const double* c,
                              const bool* tree) {
  static const double FLOOR = 1e-6;  // as in step/balance.c
  double whole = 0, worst = 0;
  for (int t = 0; t < data->model->ntree; t++)
    if (tree[t]) whole = fmax(whole, fmax(square_of(data, t, a, NULL), square_of(data, t, a, c)));
  for (int t = 0; t < data->model->ntree; t++) {
    if (!tree[t]) continue;
    double change = square_of(data, t, a, b),
           size = fmax(square_of(data, t, a, NULL), square_of(data, t, a, c));
    if (!isfinite(change)) return INFINITY;
    if (change > 0) worst = fmax(worst, sqrt(change / fmax(size, FLOOR * FLOOR * whole)));
  }
  return worst;
}

double pl_rigid_swing_change(const plData* data, const double* a, const double* b) {
  return pl_rigid_change(data, a, b, data->work->tree_swings);
}

// The change of v that is negligible.
static double small(const plData* data) { return fmax(data->par->options.tolerance, ROUNDING); }

bool pl_rigid_swing_is_found(const plData* data, const double* a, const double* b) {
  return pl_rigid_swing_change(data, a, b) <= small(data);
}

// As if no tree swung.
static void give_up(const plModel* model, plData* data) {
  plWork* work = data->work;
  memcpy(data->v_star, work->swing->v_lin, (size_t)model->nv_rigid * sizeof(double));
  memset(work->tree_swings, 0, (size_t)work->forest.ntree * sizeof(bool));
  work->swing = NULL;
}

// v_star := F(v) - a (F(v) - F(u)) of one tree, with v the velocity of this iteration and u that of the one
// before. F has nearly the same derivative at both, so F at the mixture differs from it by f(v) - a (f(v) -
// f(u)), f(v) = F(v) - v, and a makes this smallest. Returns its size relative to that of f(v).
static double mix(plData* data, int t, const double* v) {
  plWork* work = data->work;
  const plTree* tree = &work->forest;
  const plSwing* w = work->swing;
  int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
  const double *A = work->tree_A + tree->tree_M0[t], *u = w->v + v0, *to = w->to + v0;
  double *now = data->v_star + v0, dot = 0, d2 = 0, f2 = 0, left = 0;
  v += v0;
  for (int i = 0; i < n; i++) {
    double f = now[i] - v[i], d = f - (to[i] - u[i]);
    dot += A[i * n + i] * f * d, d2 += A[i * n + i] * d * d, f2 += A[i * n + i] * f * f;
  }
  if (!(d2 > 0) || !(f2 > 0)) return 1;
  double a = dot / d2;
  for (int i = 0; i < n; i++) {
    double f = now[i] - v[i], d = f - (to[i] - u[i]), e = f - a * d;
    left += A[i * n + i] * e * e;
    now[i] -= a * (now[i] - to[i]);
  }
  return sqrt(left / f2);
}

// v_star after an iteration from v; what is left of the change of v, as a fraction. At first it is all.
static double accelerate(plData* data, int k, const double* v) {
  plWork* work = data->work;
  const plTree* tree = &work->forest;
  plSwing* w = work->swing;
  size_t size = (size_t)tree->nv * sizeof(double);
  double left = k ? 0 : 1, *to = w->c;  // no longer needed
  memcpy(to, data->v_star, size);
  for (int t = 0; t < tree->ntree && k; t++)
    if (work->tree_swings[t]) left = fmax(left, mix(data, t, v));
  memcpy(w->v, v, size), memcpy(w->to, to, size);
  return left;
}

plStatus pl_rigid_swing(const plModel* model, plData* data) {
  plWork* work = data->work;
  plStatus status = begin(model, data);
  if (status || !work->swing) return status ? status : pl_rigid_turn(model, data);
  double before = INFINITY, *last = work->tree_v;
  for (int k = 0;; k++) {
    memcpy(last, data->v_star, (size_t)model->nv_rigid * sizeof(double));
    pl_rigid_swing_along(model, data, last);
    double change = pl_rigid_swing_change(data, data->v_star, last), left = accelerate(data, k, last);
    // the remaining error is smaller than what is left of the change by the factor that iterations gain
    if (left * change * fmin(1, change / before) <= small(data) && (k > 0 || change <= small(data))) break;
    if (change < before && k + 1 < ROUNDS) {
      before = change;
      continue;
    }
    // too far for one step; the shortest part is accepted as it is
    if (work->may_refine) return PL_ERROR_NOT_CONVERGED;
    give_up(model, data);
    break;
  }
  return pl_rigid_turn(model, data);
}

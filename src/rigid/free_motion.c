// free_motion.c: v* of the rigid trees, and positions at the end of the step. Paper: (10), (4).
//
// With M and bias at (q0, v0) one linear solve is exact except for the rotation of free and ball joints
// (gyration.c) and for trees whose joints turn far (swing.c). At the theta-state, A is the tangent except for
// the derivatives of M and bias, which are of the order of dt: v <- v - A^-1 m(v) gains one or two digits per
// iteration. If dt is too large for that, Newton's method with the full tangent, by differences, is used.
//
// in: m, tree_A, tree_L -> out: v_star, tree_A, tree_L, report.free_residual, free_iterations
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "rigid/rigid.h"

enum { QUASI_STEPS = 30, NEWTON_STEPS = 30, HALVINGS = 12 };

plStatus pl_rigid_factor(const plModel* model, plData* data) {
  plWork* work = data->work;
  const plTree* tree = &data->work->forest;
  for (int t = 0; t < tree->ntree; t++) {
    int bad = pl_tree_factor(tree, t, work->tree_A + tree->tree_M0[t], work->tree_L + tree->tree_M0[t]);
    if (bad < 0) continue;
    const char* joint = model->joint_name[model->dof_joint[tree->tree_v0[t] + bad]];
    snprintf(data->report.where, sizeof data->report.where, "joint %s", joint);
    return pl_fail(work->error, PL_ERROR_INDEFINITE,
                   "the mass matrix is not positive definite at joint '%s'; give the bodies it moves "
                   "moments of inertia, or the joint an armature",
                   joint);
  }
  return PL_OK;
}

// |S m| / |S m_scale| over all trees, S = diag(A)^-1/2, the largest.
static double residual_of(const plData* data) {
  const plWork* work = data->work;
  const plTree* tree = &data->work->forest;
  double worst = 0, rounding = 64 * DBL_EPSILON / data->par->options.free_tolerance;
  for (int t = 0; t < tree->ntree; t++) {
    int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
    const double* A = work->tree_A + tree->tree_M0[t];
    double r = 0, s = 0;
    for (int k = 0; k < n; k++) {
      // a residual below the rounding error of the momentum is never required
      double d = A[k * n + k], m = work->m[v0 + k],
             scale = work->m_scale[v0 + k] + rounding * fabs(d * work->tree_v[v0 + k]);
      r += m * m / d, s += scale * scale / d;
    }
    if (r > 0) worst = fmax(worst, s > 0 ? sqrt(r / s) : INFINITY);
    if (isnan(r)) return NAN;
  }
  return worst;
}

// v := v + A^-1 (-m)
static void solve_step(const plModel* model, plData* data, double* dv) {
  plWork* work = data->work;
  const plTree* tree = &data->work->forest;
  for (int i = 0; i < model->nv_rigid; i++) dv[i] = -work->m[i];
  for (int t = 0; t < tree->ntree; t++)
    pl_tree_solve(tree, t, work->tree_L + tree->tree_M0[t], dv + tree->tree_v0[t]);
}

bool pl_solve_dense(int n, double* T, double* x) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(T[k * n + i]) > fabs(T[k * n + best])) best = i;
    if (!(fabs(T[k * n + best]) > 0)) return false;
    double swap = x[k];
    x[k] = x[best], x[best] = swap;
    for (int j = 0; j < n; j++) swap = T[j * n + k], T[j * n + k] = T[j * n + best], T[j * n + best] = swap;
    for (int i = k + 1; i < n; i++) {
      double f = T[k * n + i] / T[k * n + k];
      for (int j = k; j < n; j++) T[j * n + i] -= f * T[j * n + k];
      x[i] -= f * x[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) x[k] -= T[j * n + k] * x[j];
    x[k] /= T[k * n + k];
  }
  return true;
}

// The full tangent dm/dv of every tree, one column of all trees at a time, and dv = -(dm/dv)^-1 m(v).
static plStatus newton_step(const plModel* model, plData* data, const double* v, double* dv) {
  plWork* work = data->work;
  const plTree* tree = &data->work->forest;
  int nv = model->nv_rigid, widest = 0;
  double* T = PL_ARENA_NEW(&work->step, double, tree->tree_M0[tree->ntree]);
  double *m = PL_ARENA_NEW(&work->step, double, nv), *w = PL_ARENA_NEW(&work->step, double, nv);
  if (!T || !m || !w) return PL_ERROR_MEMORY;
  memcpy(m, work->m, (size_t)nv * sizeof(double));
  for (int t = 0; t < tree->ntree; t++)
    widest =
        tree->tree_v0[t + 1] - tree->tree_v0[t] > widest ? tree->tree_v0[t + 1] - tree->tree_v0[t] : widest;
  for (int k = 0; k < widest; k++) {
    memcpy(w, v, (size_t)nv * sizeof(double));
    for (int t = 0; t < tree->ntree; t++)
      if (tree->tree_v0[t] + k < tree->tree_v0[t + 1])
        w[tree->tree_v0[t] + k] += 1e-7 * (1 + fabs(v[tree->tree_v0[t] + k]));
    pl_rigid_evaluate(model, data, w);
    for (int t = 0; t < tree->ntree; t++) {
      int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
      if (k >= n) continue;
      double h = w[v0 + k] - v[v0 + k], *column = T + tree->tree_M0[t] + k * n;
      for (int i = 0; i < n; i++)
        column[i] = model->dof_locked[v0 + i] || model->dof_locked[v0 + k]
                        ? i == k
                        : (work->m[v0 + i] - m[v0 + i]) / h;
    }
  }
  for (int i = 0; i < nv; i++) dv[i] = -m[i];
  for (int t = 0; t < tree->ntree; t++)
    if (!pl_solve_dense(tree->tree_v0[t + 1] - tree->tree_v0[t], T + tree->tree_M0[t], dv + tree->tree_v0[t]))
      return PL_ERROR_NOT_CONVERGED;
  return PL_OK;
}

// v + step dv into to, evaluated; returns the residual.
static double try_step(const plModel* model, plData* data, const double* v, double step, const double* dv,
                       double* to) {
  for (int i = 0; i < model->nv_rigid; i++) to[i] = v[i] + step * dv[i];
  pl_rigid_evaluate(model, data, to);
  return residual_of(data);
}

// One step of Newton with the full tangent, halved until the residual decreases; false if it does not.
static plStatus newton_on(const plModel* model, plData* data, double* v, double* dv, double* next,
                          double* residual, bool* found) {
  plStatus status = newton_step(model, data, v, dv);
  double r = INFINITY, step = 1;
  for (int h = 0; h < HALVINGS && !status && !(r < *residual); h++, step *= 0.5)
    r = try_step(model, data, v, step, dv, next);
  data->report.free_iterations++;
  *found = r < *residual;
  if (*found) memcpy(v, next, (size_t)model->nv_rigid * sizeof(double)), *residual = r;
  return status;
}

// Newton with the full tangent from v until the residual is small enough, and one more step (last_digits).
static plStatus newton(const plModel* model, plData* data, double* v, double* residual) {
  plWork* work = data->work;
  size_t size = (size_t)model->nv_rigid;
  double *dv = PL_ARENA_NEW(&work->step, double, size), *next = PL_ARENA_NEW(&work->step, double, size);
  if (!dv || !next) return PL_ERROR_MEMORY;
  pl_rigid_evaluate(model, data, v);
  *residual = residual_of(data);
  bool found = true, met = false;
  for (int k = 0; k < NEWTON_STEPS && found && !met; k++) {
    met = *residual <= data->par->options.free_tolerance;
    plStatus status = newton_on(model, data, v, dv, next, residual, &found);
    if (status && !met) return status;
  }
  if (!found) pl_rigid_evaluate(model, data, v);
  return *residual <= data->par->options.free_tolerance ? PL_OK : PL_ERROR_NOT_CONVERGED;
}

// One more step without a check: the residual that the tolerance leaves would add up in the momentum of free
// bodies.
static plStatus last_digits(const plModel* model, plData* data, double* v, double* dv) {
  plStatus status = pl_rigid_factor(model, data);
  if (status) return status;
  solve_step(model, data, dv);
  for (int i = 0; i < model->nv_rigid; i++) v[i] += dv[i];
  return PL_OK;
}

// v <- v - A^-1 m(v) while that gains at least a factor of two every second step, then Newton.
static plStatus iterate(const plModel* model, plData* data, double* v, double* residual) {
  double before = INFINITY, last = INFINITY;
  double* dv = PL_ARENA_NEW(&data->work->step, double, model->nv_rigid);
  if (!dv) return PL_ERROR_MEMORY;
  for (int k = 0; k < QUASI_STEPS; k++) {
    plStatus status = k ? pl_rigid_factor(model, data) : PL_OK;
    if (status) return status;
    solve_step(model, data, dv);
    for (int i = 0; i < model->nv_rigid; i++) v[i] += dv[i];
    pl_rigid_evaluate(model, data, v);
    *residual = residual_of(data);
    data->report.free_iterations =
        data->report.free_iterations > k + 1 ? data->report.free_iterations : k + 1;
    if (*residual <= data->par->options.free_tolerance) return last_digits(model, data, v, dv);
    if (!(*residual < 0.5 * before)) break;
    before = last, last = *residual;
  }
  memcpy(v, data->work->v_guess, (size_t)model->nv_rigid * sizeof(double));
  return newton(model, data, v, residual);
}

static plStatus find_free_motion(const plModel* model, plData* data) {
  plWork* work = data->work;
  memset(work->tree_swings, 0, (size_t)model->ntree * sizeof(bool));
  double* v = data->v_star;
  memcpy(v, work->v_guess, (size_t)model->nv_rigid * sizeof(double));
  if (!pl_rigid_is_iterated(data)) {
    double* dv = PL_ARENA_NEW(&work->step, double, model->nv_rigid);
    if (!dv) return PL_ERROR_MEMORY;
    solve_step(model, data, dv);
    for (int i = 0; i < model->nv_rigid; i++) v[i] += dv[i];
    if (data->report.free_iterations < 1) data->report.free_iterations = 1;
    return pl_rigid_swing(model, data);
  }
  double residual = 0;
  plStatus status = iterate(model, data, v, &residual);
  data->report.free_residual = fmax(data->report.free_residual, residual);
  if (status == PL_ERROR_NOT_CONVERGED)
    return pl_fail(work->error, status,
                   "the free motion of the robots did not converge at t = %g s (residual %.2g, wanted %.2g)",
                   data->time, residual, data->par->options.free_tolerance);
  return status ? status : pl_rigid_factor(model, data);
}

plStatus pl_rigid_free_motion(const plModel* model, plData* data) {
  data->work->swing = NULL;
  if (!model->nv_rigid) return PL_OK;
  plStatus status = find_free_motion(model, data);
  memcpy(data->work->v_turn, data->v_star, (size_t)model->nv_rigid * sizeof(double));
  return status;
}

// m(v) overwrites A and work->tree, which belong to the free motion and to q0: it gets others.
plStatus pl_rigid_star_about(const plModel* model, plData* data, const double* v, const bool* some,
                             const plTreeState* state) {
  plWork* work = data->work;
  const plTree* tree = &work->forest;
  double *A = work->tree_A, *dv = PL_ARENA_NEW(&work->step, double, model->nv_rigid),
         *other = PL_ARENA_NEW(&work->step, double, tree->tree_M0[tree->ntree]);
  if (!dv || !other) return PL_ERROR_MEMORY;
  plTreeState own = work->tree;
  work->tree_A = other, work->tree = *state;
  pl_rigid_evaluate(model, data, v);
  work->tree_A = A, work->tree = own;
  memcpy(dv, work->m, (size_t)model->nv_rigid * sizeof(double));
  for (int t = 0; t < tree->ntree; t++) {
    int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0;
    if (!some[t]) continue;
    pl_tree_solve(tree, t, work->tree_L + tree->tree_M0[t], dv + v0);
    for (int i = v0; i < v0 + n; i++) data->v_star[i] = v[i] - dv[i];
    memcpy(work->v_turn + v0, v + v0, (size_t)n * sizeof(double));
  }
  return PL_OK;
}

plStatus pl_rigid_advance(const plModel* model, plData* data, double* v1, double* q1) {
  if (!model->nv_rigid) return PL_OK;
  memcpy(data->work->v_solved, v1, (size_t)model->nv_rigid * sizeof(double));
  pl_rigid_keep_momentum(data, v1);
  double *v = data->work->tree_v, dt = data->par->options.dt;
  for (int i = 0; i < model->nv_rigid; i++) {
    if (fabs(v1[i]) <= PL_FASTEST) continue;
    const char* joint = model->joint_name[model->dof_joint[i]];
    snprintf(data->report.where, sizeof data->report.where, "joint %s", joint);
    return pl_fail(data->work->error, PL_ERROR_NOT_FINITE,
                   "joint '%s' would move at %.3g (m/s or rad/s) at t = %g s: the motion is unstable, also "
                   "with steps of dt / 64",
                   joint, v1[i], data->time + dt);
  }
  pl_tree_mean_velocity(&data->work->forest, data->v, v1, data->par->options.theta_vq, dt, v);
  pl_tree_advance(&data->work->forest, data->q, v, dt, q1);
  pl_rigid_carry_centres(data, v1, q1);
  return pl_rigid_balance_links(model, data, v1, q1);
}

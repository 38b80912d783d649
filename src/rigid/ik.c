// ik.c: differential inverse kinematics (pliant/ik.h).
#include "pliant/ik.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/spec.h"
#include "pliant/dynamics.h"
#include "rigid/ik.h"
#include "rigid/rigid.h"

plIkDef pl_default_ik_def(void) {
  return (plIkDef){.mark = PL_DEF_MARK,
                   .body = -1,
                   .target = pose_identity(),
                   .time = 0.01,
                   .damping = 0.02,
                   .length = 0.3,
                   .speed = 1.5,
                   .rest_gain = 1};
}

// ---- a quadratic within bounds

// Solves H x = b for the entries that are free, by Cholesky; L has room for n n + n numbers.
static void solve_free(int n, const double* H, const double* b, const bool* fixed, double* x, double* L) {
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double s = fixed[i] || fixed[j] ? i == j : H[i + n * j];
      for (int k = 0; k < j; k++) s -= L[i + n * k] * L[j + n * k];
      L[i + n * j] = i == j ? sqrt(fmax(s, 1e-300)) : s / L[j + n * j];
    }
  double* y = L + n * n;
  for (int i = 0; i < n; i++) {
    double s = fixed[i] ? x[i] : b[i];
    for (int j = 0; j < n; j++) s -= fixed[j] && !fixed[i] ? H[i + n * j] * x[j] : 0;
    for (int k = 0; k < i; k++) s -= L[i + n * k] * y[k];
    y[i] = s / L[i + n * i];
  }
  for (int i = n - 1; i >= 0; i--) {
    double s = y[i];
    for (int k = i + 1; k < n; k++) s -= L[k + n * i] * x[k];
    x[i] = s / L[i + n * i];
  }
}

// Active set: the largest violation is fixed at its bound; then the entry that would lower the cost most by
// leaving its bound is freed.
void pl_bounded_minimum(int n, const double* H, const double* b, const double* lower, const double* upper,
                        double* x, double* work, bool* fixed) {
  for (int i = 0; i < n; i++) fixed[i] = false, x[i] = 0;
  for (int pass = 0; pass < 4 * n + 4; pass++) {
    solve_free(n, H, b, fixed, x, work);
    int worst = -1, release = -1;
    double most = 1e-12, pull = 1e-12;
    for (int i = 0; i < n; i++) {
      double over = fmax(x[i] - upper[i], lower[i] - x[i]), slope = -b[i];
      if (!fixed[i] && over > most) worst = i, most = over;
      for (int j = 0; fixed[i] && j < n; j++) slope += H[i + n * j] * x[j];
      // at an upper bound the slope of the cost must not be positive, at a lower one not negative
      double back = !fixed[i] ? 0 : x[i] >= upper[i] ? slope : -slope;
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
  // Rounding may make entries leave and return indefinitely; the bounds hold in any case.
  for (int i = 0; i < n; i++) x[i] = fmin(fmax(x[i], lower[i]), upper[i]);
}

// ---- the problem

typedef struct Problem {
  int n;     // degrees of freedom that may move and affect the point
  int* dof;  // [n]
  double *J, *H, *b, *lower, *upper, *x, *rest, *scratch;
  bool* fixed;
} Problem;

static bool is_finite(const plIkDef* d) {
  return v3_finite(d->point) && v3_finite(d->target.p) && v3_finite(d->velocity) &&
         v3_finite(d->angular_velocity) &&
         isfinite(d->target.q.w + d->target.q.x + d->target.q.y + d->target.q.z);
}

static plStatus check(const plData* data, const plIkDef* d, plError* error) {
  const plModel* m = data->model;
  if (pl_check_mark(d->mark, "ik", error)) return PL_ERROR_INPUT;
  if (d->body < 0 || d->body >= m->nbody)
    return pl_fail(error, PL_ERROR_INPUT, "there is no rigid body %d to steer, there are %d", d->body,
                   m->nbody);
  if ((int)d->goal < 0 || d->goal > PL_IK_VELOCITY)
    return pl_fail(error, PL_ERROR_INPUT,
                   "goal must be one of PL_IK_POSE, PL_IK_POSITION, PL_IK_VELOCITY, got %d", (int)d->goal);
  if (!is_finite(d))
    return pl_fail(error, PL_ERROR_INPUT, "the target of body '%s' is not finite", m->body_name[d->body]);
  plQuat q = d->target.q;
  if (d->goal == PL_IK_POSE && !(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-6))
    return pl_fail(error, PL_ERROR_INPUT, "the target's quaternion must have length 1");
  if (!(d->time > 0 && d->damping > 0 && d->length > 0 && d->speed > 0 && d->rest_gain >= 0) ||
      !isfinite(d->time + d->damping + d->length + d->rest_gain))
    return pl_fail(
        error, PL_ERROR_INPUT,
        "time, damping, length and speed must be positive, and rest_gain not negative: got %g, %g, %g, %g "
        "and %g",
        d->time, d->damping, d->length, d->speed, d->rest_gain);
  return PL_OK;
}

// The desired angular velocity, times length, and velocity.
static void wanted(const plData* data, const plIkDef* d, double y[6]) {
  plRigidState now;
  pl_rigid_body_state(data, d->body, &now);
  plVec3 turn = d->angular_velocity, move = d->velocity;
  if (d->goal != PL_IK_VELOCITY) {
    plVec3 at = pose_apply(now.pose, d->point);
    move = v3_madd(move, 1 / d->time, v3_sub(d->target.p, at));
    turn = v3_madd(turn, 1 / d->time, quat_log(quat_mul(d->target.q, quat_conj(now.pose.q))));
  }
  v3_store(y, v3_scale(d->goal == PL_IK_POSITION ? 0 : d->length, turn)), v3_store(y + 3, move);
}

// Limits of the rate: the joint's speed, and the rate that keeps it within its limits for the given time.
static void limit(const plData* data, const plIkDef* d, int dof, double* lower, double* upper) {
  const plModel* m = data->model;
  double speed = m->dof_speed[dof] > 0 ? fmin(m->dof_speed[dof], d->speed) : d->speed;
  double q = data->q[m->dof_q[dof]];
  *lower = fmin(fmax(-speed, (data->par->dof_lower[dof] - q) / d->time), 0);
  *upper = fmax(fmin(speed, (data->par->dof_upper[dof] - q) / d->time), 0);
}

// Selects the degrees of freedom that move the point and may be moved.
static void choose(const plData* data, const plIkDef* d, const double* all, Problem* p) {
  const plModel* m = data->model;
  for (int i = 0; i < m->nv_rigid; i++) {
    const double* column = all + 6 * (size_t)i;
    bool matters = false;
    for (int r = d->goal == PL_IK_POSITION ? 3 : 0; r < 6; r++) matters = matters || column[r] != 0;
    if (!matters || m->dof_q[i] < 0 || m->dof_locked[i] || (d->move && !d->move[i])) continue;
    double* J = p->J + 6 * (size_t)p->n;
    for (int r = 0; r < 6; r++)
      J[r] = r >= 3 ? column[r] : d->goal == PL_IK_POSITION ? 0 : d->length * column[r];
    limit(data, d, i, &p->lower[p->n], &p->upper[p->n]);
    p->rest[p->n] = d->rest ? d->rest_gain * (d->rest[i] - data->q[m->dof_q[i]]) : 0;
    p->dof[p->n++] = i;
  }
}

// min |J x - y|^2 + damping^2 |x - x0|^2 within the limits
static void solve(Problem* p, const double y[6], double damping, const double* x0) {
  int n = p->n;
  for (int i = 0; i < n; i++) {
    p->b[i] = damping * damping * (x0 ? x0[i] : 0);
    for (int r = 0; r < 6; r++) p->b[i] += p->J[6 * i + r] * y[r];
    for (int j = 0; j < n; j++) {
      double s = i == j ? damping * damping : 0;
      for (int r = 0; r < 6; r++) s += p->J[6 * i + r] * p->J[6 * j + r];
      p->H[i + n * j] = s;
    }
  }
  pl_bounded_minimum(n, p->H, p->b, p->lower, p->upper, p->x, p->scratch, p->fixed);
}

// Among rates that move the point in the same way, those nearest to x0: the same twist as before with almost
// no damping.
static void use_freedom(Problem* p, double damping) {
  double y[6] = {0};
  for (int i = 0; i < p->n; i++)
    for (int r = 0; r < 6; r++) y[r] += p->J[6 * i + r] * p->x[i];
  solve(p, y, 1e-3 * damping, p->rest);
}

plStatus pl_ik_step(const plData* data, const plIkDef* def, double* rate, plError* error) {
  assert(data != NULL && def != NULL && rate != NULL);
  plStatus status = check(data, def, error);
  if (status) return status;
  size_t nv = (size_t)data->model->nv_rigid;
  double* all = PL_NEW(double, 12 * nv + 2 * nv * nv + 7 * nv);
  int* dof = PL_NEW(int, nv);
  bool* fixed = PL_NEW(bool, nv);
  if (all && dof && fixed) {
    Problem p = {.dof = dof, .fixed = fixed, .J = all + 6 * nv, .H = all + 12 * nv};
    p.scratch = p.H + nv * nv, p.b = p.scratch + nv * nv + nv;
    p.lower = p.b + nv, p.upper = p.lower + nv, p.x = p.upper + nv, p.rest = p.x + nv;
    double y[6];
    wanted(data, def, y);
    pl_rigid_jacobian(data, def->body, def->point, all);
    choose(data, def, all, &p);
    assert((size_t)p.n <= nv);
    solve(&p, y, def->damping, NULL);
    if (def->rest) use_freedom(&p, def->damping);
    memset(rate, 0, nv * sizeof *rate);
    for (int i = 0; i < p.n; i++) rate[p.dof[i]] = p.x[i];
  } else {
    status = pl_fail_out_of_memory(error, nv * nv * sizeof *all);
  }
  pl_free(all), pl_free(dof), pl_free(fixed);
  return status;
}

// stability.c: the stability limit on dt of the chosen scheme.
//
// In a step a mode of frequency w with damping c = alpha + beta w^2 changes by
//   (1 + theta theta_vq dt^2 w^2 + theta dt c) v
//     = (1 - theta (1 - theta_vq) dt^2 w^2 - (1 - theta) dt c) v0 - dt w^2 q0
//   q = q0 + dt (theta_vq v + (1 - theta_vq) v0)
// and is stable if this matrix has no eigenvalue above 1. The fastest mode decides; its frequency at rest is
// found by Lanczos' iteration on M^-1 K.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "deform/deform.h"

enum { LANCZOS = 40 };

// The larger |eigenvalue| of the step's 2x2 matrix is at most 1 (up to rounding).
static bool stable(const plOptions* o, double dt, double w2, double c) {
  double d = 1 + o->theta * o->theta_vq * dt * dt * w2 + o->theta * dt * c;
  double vv = (1 - o->theta * (1 - o->theta_vq) * dt * dt * w2 - (1 - o->theta) * dt * c) / d,
         vq = -dt * w2 / d;
  double qv = dt * (o->theta_vq * vv + 1 - o->theta_vq), qq = 1 + dt * o->theta_vq * vq;
  double half = 0.5 * (vv + qq), det = vv * qq - vq * qv, root = half * half - det;
  double size = root >= 0 ? fabs(half) + sqrt(root) : sqrt(fabs(det));
  return size <= 1 + 1e-9;
}

// The largest eigenvalue of the symmetric tridiagonal matrix (a, b) by bisection on the number of eigenvalues
// below.
static double largest_eigenvalue(const double* a, const double* b, int n) {
  double lower = -INFINITY, upper = -INFINITY;
  for (int i = 0; i < n; i++) {
    double r = (i ? fabs(b[i - 1]) : 0) + (i + 1 < n ? fabs(b[i]) : 0);
    lower = fmax(lower, a[i]), upper = fmax(upper, a[i] + r);
  }
  for (int it = 0; it < 100; it++) {
    double x = 0.5 * (lower + upper), d = 1;
    int below = 0;
    for (int i = 0; i < n; i++) {
      d = a[i] - x - (i ? b[i - 1] * b[i - 1] / (d != 0 ? d : 1e-300) : 0);
      below += d < 0;
    }
    if (below == n)
      upper = x;
    else
      lower = x;
  }
  return upper;
}

// Sets the entries of prescribed motion to zero.
static void clear_given(const plModel* model, int b, double* x, int n) {
  for (int i = 0; i < n; i++)
    if (model->vert_fixed[model->deform_vert0[b] + i / 3] >> (i % 3) & 1) x[i] = 0;
}

static double dot(const double* x, const double* y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

// The square of the highest frequency: Lanczos on M^-1 K in the inner product of M. M and K are without the
// rows of prescribed motion; chol holds M. memory [6 n].
static double highest_frequency2(const plModel* model, plData* data, int b, const plBsym* M, const plBsym* K,
                                 double* memory, int n) {
  double *x = memory, *last = x + n, *Mx = last + n, *Mlast = Mx + n, *y = Mlast + n, *My = y + n;
  double a[LANCZOS], c[LANCZOS];
  plRandom r = {1};
  int steps = 0;
  for (int i = 0; i < n; i++) x[i] = pl_random(&r, -1, 1), last[i] = Mlast[i] = 0;
  clear_given(model, b, x, n);
  pl_bsym_multiply(M, x, Mx);
  double size = sqrt(dot(x, Mx, n));
  if (!(size > 0)) return 0;
  for (int i = 0; i < n; i++) x[i] /= size, Mx[i] /= size;
  for (int k = 0; k < LANCZOS && k < n; k++) {
    // y = M^-1 K x - a x - c last
    pl_bsym_multiply(K, x, My);
    a[k] = dot(x, My, n);
    for (int i = 0; i < n; i++) My[i] -= a[k] * Mx[i] + (k ? c[k - 1] * Mlast[i] : 0), y[i] = My[i];
    clear_given(model, b, y, n);
    pl_chol_solve(data->work->chol[b], y, 1, data->work->pool);
    clear_given(model, b, y, n);
    c[k] = sqrt(fmax(0, dot(y, My, n)));
    steps = k + 1;
    if (!(c[k] > 1e-10 * fabs(a[k]))) break;
    memcpy(last, x, (size_t)n * sizeof(double)), memcpy(Mlast, Mx, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) x[i] = y[i] / c[k], Mx[i] = My[i] / c[k];
  }
  return largest_eigenvalue(a, c, steps);
}

// The limit of body b, infinite if it cannot be computed because M has no factor (then the step itself will
// report it).
static plStatus body_limit(const plModel* model, plData* data, int b, double* limit) {
  plWork* work = data->work;
  const plMaterial* material = &data->par->deform_material[b];
  plBsym M = work->A[b], K = work->A[b];
  int n = pl_deform_nv(data, b);
  double* memory = PL_NEW(double, 6 * (size_t)n + 9 * (size_t)M.nblock);
  if (!memory) return PL_ERROR_MEMORY;
  K.block = memory + 6 * (size_t)n;
  const double* rest = model->start_q + model->deform_q0[b];
  pl_elastic_stiffness(model->work->elastic[b], work->elastic[b], rest, PL_TANGENT_PROJECTED, 1, 0, NULL, 0,
                       K.block, NULL, work->pool);
  pl_elastic_stiffness(model->work->elastic[b], work->elastic[b], rest, PL_TANGENT_EXACT, 0, 0,
                       model->work->mass[b], material->density, M.block, NULL, work->pool);
  pl_deform_take_out_given(model, b, &K);
  pl_deform_take_out_given(model, b, &M);
  *limit = INFINITY;
  if (!pl_chol_factor(work->chol[b], &M, work->pool) && !pl_chol_factor_rest(work->chol[b], work->pool)) {
    double w2 = highest_frequency2(model, data, b, &M, &K, memory, n),
           c = material->damping_mass + material->damping_stiffness * w2;
    double lower = 0, upper = 1e3 / sqrt(fmax(w2, 1e-30));
    for (int it = 0; it < 200 && w2 > 0 && !stable(&data->par->options, upper, w2, c); it++) {
      double mid = 0.5 * (lower + upper);
      if (stable(&data->par->options, mid, w2, c))
        lower = mid;
      else
        upper = mid;
      if (upper - lower < 1e-12 * upper) break;
      *limit = lower;
    }
  }
  pl_free(memory);
  return PL_OK;
}

plStatus pl_deform_check_stability(const plModel* model, plData* data) {
  plWork* work = data->work;
  const plOptions* o = &data->par->options;
  if (work->dt_limit == 0) {
    work->dt_limit = INFINITY;
    // forces at the end of the step, or in its middle with positions too: stable for every dt
    bool always = o->theta >= 0.5 && o->theta_vq >= 0.5;
    for (int b = 0; b < model->ndeform && !always; b++) {
      double limit;
      plStatus status = body_limit(model, data, b, &limit);
      if (status) return work->dt_limit = 0, status;  // still unknown
      work->dt_limit = fmin(work->dt_limit, limit);
    }
  }
  if (!(o->dt > work->dt_limit)) return PL_OK;
  return pl_fail(work->error, PL_ERROR_UNSTABLE,
                 "dt = %g s is beyond the stability limit %.4g s of this explicit scheme; use a smaller dt, "
                 "or the scheme backward_euler",
                 o->dt, work->dt_limit);
}

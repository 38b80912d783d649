// chol_solve.c: solves with the factor of chol.c, front by front: up the tree with L, down with L'.
#include <string.h>

#include "linalg/chol_parts.h"

static void clear(double* x, int from, int to) {
  for (int i = from; i < to; i++) x[i] = 0;
}

// One front on the way up: y of its columns, then its rows below.
static void front_forward(const plChol* chol, const plFront* f, double* y) {
  int w = pl_front_columns(f), n = pl_front_below(f);
  const int* row = chol->symbolic.row + f->row0;
  double *x = chol->local, sum[PL_PANEL];
  memcpy(x, y + 3L * f->first, (size_t)w * sizeof(double));
  clear(x, w, pl_pad(w));
  pl_triangle_forward(chol->kernels, chol->factor + f->diagonal, w, x);
  memcpy(y + 3L * f->first, x, (size_t)w * sizeof(double));
  for (int p = 0; p < pl_panel_count(n); p++) {
    chol->kernels->multiply(chol->factor + f->below + pl_rectangle_at(w, p), pl_panel_height(n, p), w, x, sum);
    int first = PL_PANEL * p / 3, count = f->nbelow - first < PL_PANEL / 3 ? f->nbelow - first : PL_PANEL / 3;
    for (int i = 0; i < count; i++) {
      double* t = y + 3L * row[first + i];
      t[0] -= sum[3 * i], t[1] -= sum[3 * i + 1], t[2] -= sum[3 * i + 2];
    }
  }
}

// One front on the way down: x of its columns from x of its rows below.
static void front_backward(const plChol* chol, const plFront* f, double* y) {
  int w = pl_front_columns(f), n = pl_front_below(f);
  const int* row = chol->symbolic.row + f->row0;
  double *z = chol->local, *x = chol->local + pl_pad(w);
  memcpy(z, y + 3L * f->first, (size_t)w * sizeof(double));
  clear(z, w, pl_pad(w));
  for (int i = 0; i < f->nbelow; i++) memcpy(x + 3 * i, y + 3L * row[i], 3 * sizeof(double));
  clear(x, n, pl_pad(n));
  if (n)
    for (int c = 0; c < w; c += PL_PAD) chol->kernels->dot_rectangle(chol->factor + f->below, n, w, c, x, z + c);
  pl_triangle_backward(chol->kernels, chol->factor + f->diagonal, w, z);
  memcpy(y + 3L * f->first, z, (size_t)w * sizeof(double));
}

static void solve_one(const plChol* chol, double* b) {
  const plSymbolic* s = &chol->symbolic;
  double* y = chol->vector;
  int m = 3 * s->np, nfront = s->nfront - (s->np > 0);
  for (int k = 0; k < s->n; k++) memcpy(y + 3L * k, b + 3L * s->order[k], 3 * sizeof(double));
  for (int f = 0; f < nfront; f++) front_forward(chol, &s->front[f], y);
  if (m) {
    double* x = y + 3L * (s->n - s->np);
    clear(x, m, pl_pad(m));
    pl_triangle_forward(chol->kernels, chol->rest, m, x);
    pl_triangle_backward(chol->kernels, chol->rest, m, x);
  }
  for (int f = nfront - 1; f >= 0; f--) front_backward(chol, &s->front[f], y);
  for (int k = 0; k < s->n; k++) memcpy(b + 3L * s->order[k], y + 3L * k, 3 * sizeof(double));
}

void pl_chol_solve(plChol* chol, double* b, int nrhs) {
  for (int k = 0; k < nrhs; k++) solve_one(chol, b + 3L * chol->symbolic.n * k);
}

void pl_chol_interior(plChol* chol, double* dv) {
  const plSymbolic* s = &chol->symbolic;
  double* y = chol->vector;
  int n0 = s->n - s->np, nfront = s->nfront - (s->np > 0);
  memset(y, 0, 3 * (size_t)n0 * sizeof(double));
  for (int k = n0; k < s->n; k++) memcpy(y + 3L * k, dv + 3L * s->order[k], 3 * sizeof(double));
  for (int f = nfront - 1; f >= 0; f--) front_backward(chol, &s->front[f], y);
  for (int k = 0; k < n0; k++) memcpy(dv + 3L * s->order[k], y + 3L * k, 3 * sizeof(double));
}

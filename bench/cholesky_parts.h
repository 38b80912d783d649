// cholesky_parts.h: how the time of our factorization is spent: the operations that its tiles really do, and
// extend-add alone.
#ifndef PL_BENCH_CHOLESKY_PARTS_H
#define PL_BENCH_CHOLESKY_PARTS_H

#include "base/memory.h"
#include "linalg/chol.h"
#include "linalg/chol_parts.h"

// Operations of all fronts as tiles of 8 columns do them: with the zeros that merged fronts let in, rows
// padded to 8, and whole tiles on the diagonal.
static double tile_flops(const plSymbolic* s) {
  double flops = 0;
  for (int f = 0; f < s->nfront; f++) {
    double w = pl_front_columns(&s->front[f]), n = pl_pad(pl_front_below(&s->front[f]));
    flops += w * w * w / 3 + w * w * n + w * n * (n + PL_PAD);
  }
  return flops;
}

// Adds all children's update matrices, which are zero, to one and the same panel: what extend-add costs
// without anything around it.
static void expand_all(const plChol* chol, const double* updates, double* X) {
  const plSymbolic* s = &chol->symbolic;
  for (int f = 0; f < s->nfront; f++) {
    const plFront* front = &s->front[f];
    int panels = pl_panel_count(pl_front_columns(front)) + pl_panel_count(pl_front_below(front));
    for (int q = 0; q < panels; q++)
      for (int k = 0; k < front->nchild; k++) {
        const plFront* child = &s->front[s->child[front->child0 + k]];
        const int* first = s->expand_panel + child->expand0_panel + q;
        chol->kernels->expand(first[1] - first[0], s->expand + child->expand0 + first[0], 0, child->nbelow,
                              s->relative + child->row0, updates + child->update, X, PL_PANEL);
      }
  }
}

// Seconds of extend-add alone, best of a few.
static double time_expand(const plChol* chol, double (*clock_now)(void)) {
  const plSymbolic* s = &chol->symbolic;
  double *updates = PL_NEW(double, s->update_size + PL_PANEL),
         *X = PL_NEW(double, PL_PANEL*(3 * (size_t)s->n + PL_PANEL)), best = 1e300;
  for (int k = 0; updates && X && k < 5; k++) {
    double t = clock_now();
    expand_all(chol, updates, X);
    t = clock_now() - t;
    if (t < best) best = t;
  }
  pl_free(updates), pl_free(X);
  return best;
}

#endif

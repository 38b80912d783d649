// chol_solve.c: solves with the factor of chol.c, front by front: forward with L (up the tree), backward with
// L' (down); one right-hand side, or 8 at a time.
#include <assert.h>
#include <string.h>

#include "linalg/chol.h"
#include "linalg/chol_parts.h"

static void clear(double* x, int from, int to) {
  for (int i = from; i < to; i++) x[i] = 0;
}

static inline void subtract(int dim, double* y, const double* x) {
  y[0] -= x[0], y[1] -= x[1];
  if (dim == 3) y[2] -= x[2];
}

static inline void copy(int dim, double* to, const double* from) {
  to[0] = from[0], to[1] = from[1];
  if (dim == 3) to[2] = from[2];
}

// A front's columns and rows are positions of the right-hand side; its rows ascend.
static inline void assert_rows(const plChol* chol, const plFront* f) {
  const plSymbolic* s = &chol->symbolic;
  assert(f->first >= 0 && f->first + f->ncol <= s->n && f->row0 + f->nbelow <= s->nrow);
  assert(!f->nbelow || s->row[f->row0 + f->nbelow - 1] < s->n);
}

// The operation of a front on one right-hand side y, in elimination order.
typedef struct Way {
  const plChol* chol;
  const plFront* front;  // the present front
  double* y;
  double *x, *sum;  // the front's columns, or its rows below; 8 sums for each column
  int inside;       // rows below that are updated directly; updates of the others are stored in `aside`
} Way;

// Updates y of the rows below, for some of their panels.
static void rows_below(void* context, int begin, int end, int worker) {
  const Way* way = context;
  const plFront* f = way->front;
  int w = pl_front_columns(f), n = pl_front_below(f), blocks = PL_PANEL / f->dim;
  const int* row = way->chol->symbolic.row + f->row0;
  (void)worker;
  for (int p = begin; p < end; p++) {
    double sum[PL_PANEL];
    way->chol->kernels->multiply(way->chol->factor + f->below + pl_rectangle_at(w, p), pl_panel_height(n, p),
                                 w, way->x, sum);
    for (int i = blocks * p, k = 0; i < f->nbelow && k < blocks; i++, k++)
      if (i < way->inside)
        subtract(f->dim, way->y + (long)f->dim * row[i], sum + f->dim * k);
      else
        copy(f->dim, way->chol->aside + (long)f->dim * (f->row0 + i), sum + f->dim * k);
  }
}

enum { SHARED_FRONT = 60000 };  // numbers in a front's rows below from which several threads are faster

static plPool* crew_for(const plFront* f, plPool* pool) {
  return (long)pl_front_columns(f) * pl_front_below(f) > SHARED_FRONT ? pool : NULL;
}

// One front of the forward solve: y of its columns, then its rows below.
static void front_forward(const plChol* chol, const plFront* f, int inside, double* y, double* local,
                          plPool* pool) {
  int w = pl_front_columns(f);
  Way way = {chol, f, y, local, NULL, inside};
  assert((size_t)pl_pad(w) <= chol->local_cap);
  assert_rows(chol, f);
  memcpy(local, y + (long)f->dim * f->first, (size_t)w * sizeof(double));
  clear(local, w, pl_pad(w));
  pl_triangle_forward(chol->kernels, chol->factor + f->diagonal, w, local);
  memcpy(y + (long)f->dim * f->first, local, (size_t)w * sizeof(double));
  double below = pl_front_below(f);
  pl_parallel_work(pool, pl_panel_count(pl_front_below(f)), 1, w * below, rows_below, &way);
}

// Products of some columns, in groups of 8, with the rows below.
static void columns_above(void* context, int begin, int end, int worker) {
  const Way* way = context;
  const plFront* f = way->front;
  int w = pl_front_columns(f), n = pl_front_below(f), first = PL_PAD * begin,
      count = (w < PL_PAD * end ? w : PL_PAD * end) - first;
  double* sum = way->sum + (long)PL_PAD * first;
  (void)worker;
  memset(sum, 0, PL_PAD * (size_t)count * sizeof(double));
  for (int p = 0; p < pl_panel_count(n); p++) {
    int h = pl_panel_height(n, p);
    way->chol->kernels->dot(way->chol->factor + f->below + pl_rectangle_at(w, p) + (long)first * h, h, count,
                            way->x + PL_PANEL * p, sum);
  }
}

// One front of the backward solve: x of its columns from x of its rows below.
static void front_backward(const plChol* chol, const plFront* f, double* y, double* local, plPool* pool) {
  int w = pl_front_columns(f), n = pl_front_below(f);
  const int* row = chol->symbolic.row + f->row0;
  double *z = local, *x = z + pl_pad(w), *sum = x + pl_pad(n);
  assert((size_t)(pl_pad(w) + pl_pad(n) + PL_PAD * w) <= chol->local_cap);
  assert_rows(chol, f);
  memcpy(z, y + (long)f->dim * f->first, (size_t)w * sizeof(double));
  clear(z, w, pl_pad(w));
  for (int i = 0; i < f->nbelow; i++) copy(f->dim, x + f->dim * i, y + (long)f->dim * row[i]);
  clear(x, n, pl_pad(n));
  Way way = {chol, f, y, x, sum, 0};
  pl_parallel_work(pool, pl_pad(w) / PL_PAD, 4, (double)w * n, columns_above, &way);
  chol->kernels->gather(sum, w, z);
  pl_triangle_backward(chol->kernels, chol->factor + f->diagonal, w, z);
  memcpy(y + (long)f->dim * f->first, z, (size_t)w * sizeof(double));
}

static void forward_tasks(void* context, int begin, int end, int worker) {
  const Way* way = context;
  const plSymbolic* s = &way->chol->symbolic;
  for (int t = begin; t < end; t++)
    for (int f = s->task[t].first; f <= s->task[t].last; f++)
      front_forward(way->chol, &s->front[f], s->front[f].inside, way->y, way->chol->task_memory[worker],
                    NULL);
}

static void backward_tasks(void* context, int begin, int end, int worker) {
  const Way* way = context;
  const plSymbolic* s = &way->chol->symbolic;
  for (int t = begin; t < end; t++)
    for (int f = s->task[t].last; f >= s->task[t].first; f--)
      front_backward(way->chol, &s->front[f], way->y, way->chol->task_memory[worker], NULL);
}

enum { SHARED_SOLVE = 200000 };  // numbers in a factor from which several threads are faster

static bool has_helpers(const plChol* chol, const plPool* pool) {
  int nworker = pl_pool_size(pool);
  const plSymbolic* s = &chol->symbolic;
  if (nworker == 1 || nworker > chol->ntask_memory || s->factor_size < SHARED_SOLVE ||
      chol->aside_cap < (size_t)s->dim * (size_t)s->nrow)
    return false;
  for (int k = 0; k < nworker; k++)
    if (chol->task_cap[k] < chol->local_cap) return false;
  return true;
}

static void take_from_above(const plChol* chol, const plFront* f, double* y) {
  const int* row = chol->symbolic.row + f->row0;
  for (int i = f->inside; i < f->nbelow; i++)
    subtract(f->dim, y + (long)f->dim * row[i], chol->aside + (long)f->dim * (f->row0 + i));
}

// The whole forward solve. Tasks run in parallel; their updates of rows above are stored and applied in the
// order of fronts, between the fronts above, so that the bits are those of one thread.
static void go_up(const plChol* chol, double* y, plPool* pool) {
  const plSymbolic* s = &chol->symbolic;
  int nfront = s->nfront - (s->np > 0);
  if (!has_helpers(chol, pool)) {
    for (int f = 0; f < nfront; f++)
      front_forward(chol, &s->front[f], s->front[f].nbelow, y, chol->local, NULL);
    return;
  }
  Way way = {.chol = chol, .y = y};
  pl_parallel_work(pool, s->ntask, 1, (double)s->factor_size, forward_tasks, &way);
  for (int f = 0; f < nfront; f++) {
    const plFront* front = &s->front[f];
    if (front->is_top)
      front_forward(chol, front, front->nbelow, y, chol->local, crew_for(front, pool));
    else
      take_from_above(chol, front, y);
  }
}

// The whole backward solve. A front writes its own columns and reads those of fronts above it, so below the
// top fronts tasks run in parallel, and the bits are those of one thread.
static void go_down(const plChol* chol, double* y, plPool* pool) {
  const plSymbolic* s = &chol->symbolic;
  int nfront = s->nfront - (s->np > 0);
  if (!has_helpers(chol, pool)) {
    for (int f = nfront - 1; f >= 0; f--) front_backward(chol, &s->front[f], y, chol->local, NULL);
    return;
  }
  for (int t = s->ntop - 1; t >= 0; t--) {
    const plFront* front = &s->front[s->top[t]];
    if (s->top[t] < nfront) front_backward(chol, front, y, chol->local, crew_for(front, pool));
  }
  Way way = {.chol = chol, .y = y};
  pl_parallel_work(pool, s->ntask, 1, (double)s->factor_size, backward_tasks, &way);
}

static void solve_one(const plChol* chol, double* b, plPool* pool) {
  const plSymbolic* s = &chol->symbolic;
  double* y = chol->vector;
  int m = s->dim * s->np;
  for (int k = 0; k < s->n; k++) copy(s->dim, y + (long)s->dim * k, b + 3L * s->order[k]);
  go_up(chol, y, pool);
  if (m) {
    double* x = y + (long)s->dim * (s->n - s->np);
    clear(x, m, pl_pad(m));
    pl_triangle_forward(chol->kernels, chol->rest, m, x);
    pl_triangle_backward(chol->kernels, chol->rest, m, x);
  }
  go_down(chol, y, pool);
  for (int k = 0; k < s->n; k++) copy(s->dim, b + 3L * s->order[k], y + (long)s->dim * k);
  for (int v = 0; v < s->n && chol->third; v++) b[3L * v + 2] /= chol->third[v];
}

// ---- 8 right-hand sides: Y has a column of 8 numbers for each row of the system

static void block_forward(const plChol* chol, const plFront* f, double* Y) {
  int w = pl_front_columns(f), n = pl_front_below(f);
  const int* row = chol->symbolic.row + f->row0;
  double *own = chol->local, *X = Y + (long)f->dim * PL_PAD * f->first, sum[PL_PAD * PL_PANEL];
  assert(PL_PAD * (size_t)pl_pad(w) <= chol->local_cap);
  assert_rows(chol, f);
  memcpy(own, X, PL_PAD * (size_t)w * sizeof(double));
  clear(own, PL_PAD * w, PL_PAD * pl_pad(w));
  chol->kernels->solve(chol->factor + f->diagonal, w, own, PL_PAD, 0, pl_pad(w));
  memcpy(X, own, PL_PAD * (size_t)w * sizeof(double));
  for (int p = 0; p < pl_panel_count(n); p++) {
    int h = pl_panel_height(n, p);
    chol->kernels->tile(h, w, chol->factor + f->below + pl_rectangle_at(w, p), h, own, PL_PAD, sum, PL_PANEL,
                        true);
    for (int i = PL_PANEL * p; i < n && i < PL_PANEL * (p + 1); i++) {
      double* y = Y + PL_PAD * ((long)f->dim * row[i / f->dim] + i % f->dim);
      for (int k = 0; k < PL_PAD; k++) y[k] += sum[i % PL_PANEL + PL_PANEL * k];
    }
  }
}

static void block_backward(const plChol* chol, const plFront* f, double* Y) {
  int w = pl_front_columns(f), n = pl_front_below(f);
  const int* row = chol->symbolic.row + f->row0;
  double *own = chol->local, *below = own + (long)PL_PAD * pl_pad(w),
         *X = Y + (long)f->dim * PL_PAD * f->first;
  assert(PL_PAD * (size_t)(pl_pad(w) + pl_pad(n)) <= chol->local_cap);
  assert_rows(chol, f);
  memcpy(own, X, PL_PAD * (size_t)w * sizeof(double));
  clear(own, PL_PAD * w, PL_PAD * pl_pad(w));
  long block = (long)f->dim * PL_PAD;
  for (int i = 0; i < f->nbelow; i++)
    memcpy(below + block * i, Y + block * row[i], (size_t)block * sizeof(double));
  clear(below, PL_PAD * n, PL_PAD * pl_pad(n));
  for (int p = 0; p < pl_panel_count(n); p++)
    chol->kernels->block_below(chol->factor + f->below + pl_rectangle_at(w, p), pl_panel_height(n, p), w,
                               below + PL_PAD * PL_PANEL * p, own);
  chol->kernels->block_back(chol->factor + f->diagonal, w, own);
  memcpy(X, own, PL_PAD * (size_t)w * sizeof(double));
}

// Copies right-hand sides to columns of Y (out: the reverse); those beyond nrhs are zero.
static void block_copy(const plSymbolic* s, double* b, int nrhs, double* Y, bool out) {
  for (int k = 0; k < s->n; k++)
    for (int c = 0; c < s->dim; c++) {
      double *y = Y + PL_PAD * ((long)s->dim * k + c), *x = b + 3L * s->order[k] + c;
      for (int r = 0; r < (out ? nrhs : PL_PAD); r++) {
        if (out)
          x[3L * s->n * r] = y[r];
        else
          y[r] = r < nrhs ? x[3L * s->n * r] : 0;
      }
    }
}

static void solve_block(const plChol* chol, double* b, int nrhs) {
  const plSymbolic* s = &chol->symbolic;
  double* Y = chol->vector;
  int m = s->dim * s->np, nfront = s->nfront - (s->np > 0);
  block_copy(s, b, nrhs, Y, false);
  for (int f = 0; f < nfront; f++) block_forward(chol, &s->front[f], Y);
  if (m) {
    double* X = Y + (long)s->dim * PL_PAD * (s->n - s->np);
    clear(X, PL_PAD * m, PL_PAD * pl_pad(m));
    chol->kernels->solve(chol->rest, m, X, PL_PAD, 0, pl_pad(m));
    chol->kernels->block_back(chol->rest, m, X);
  }
  for (int f = nfront - 1; f >= 0; f--) block_backward(chol, &s->front[f], Y);
  block_copy(s, b, nrhs, Y, true);
  for (int v = 0; v < s->n && chol->third; v++)
    for (int r = 0; r < nrhs; r++) b[3L * (s->n * (long)r + v) + 2] /= chol->third[v];
}

void pl_chol_solve(plChol* chol, double* b, int nrhs, plPool* pool) {
  long m = 3L * chol->symbolic.n;
  if (nrhs < PL_CHOL_SEVERAL)
    for (int k = 0; k < nrhs; k++) solve_one(chol, b + m * k, pool);
  else
    for (int k = 0; k < nrhs; k += PL_PAD)
      solve_block(chol, b + m * k, nrhs - k < PL_PAD ? nrhs - k : PL_PAD);
}

void pl_chol_interior(plChol* chol, double* dv, plPool* pool) {
  const plSymbolic* s = &chol->symbolic;
  double* y = chol->vector;
  int n0 = s->n - s->np;
  memset(y, 0, (size_t)s->dim * (size_t)n0 * sizeof(double));
  for (int k = n0; k < s->n; k++) copy(s->dim, y + (long)s->dim * k, dv + 3L * s->order[k]);
  go_down(chol, y, pool);
  for (int k = 0; k < n0; k++) {
    copy(s->dim, dv + 3L * s->order[k], y + (long)s->dim * k);
    if (s->dim == 2) dv[3L * s->order[k] + 2] = 0;
  }
}

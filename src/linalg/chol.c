// chol.c: the multifrontal factorization of chol.h. Matrix and symbolic factorization in -> factor, A_hat and
// L_pp out.
//
// A front is processed panel by panel: its matrix entries and its children's update matrices are added to a
// panel just before the panel is eliminated, and to a panel of the update matrix just after that was
// computed, while it is in cache. Every number is summed in the same order whichever thread does it, so
// threads change no bit.
#include "linalg/chol.h"

#include <assert.h>
#include <math.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/error.h"
#include "linalg/chol_parts.h"

enum { UPDATE_GROUP = 4 };  // panels of an update matrix computed at a time
#define SHARED_WORK \
  1e6  // multiplications from which threads share a front: about ten times the cost of synchronising

// ---- one front

// Writes the matrix entries of one panel of a flat matrix: the first two rows and columns of each block.
static void put_flat_entries(const plSymbolic* s, const plFront* f, int panel, const double* block,
                             double* base) {
  const int* first = s->entry0 + f->entry_panel + panel;
  for (int q = first[0]; q < first[1]; q++) {
    const double* a = block + 9 * pl_entry_block(s->entry[q]);
    double* d = base + s->entry_at[q];
    int h = pl_entry_height(s->entry[q]), down = pl_entry_transposed(s->entry[q]) ? 3 : 1, right = 4 - down;
    d[0] = a[0], d[1] = a[down], d[h] = a[right], d[h + 1] = a[4];
  }
}

// Writes the matrix entries of one panel, which is zero. The upper part of a diagonal block is written above
// the diagonal, where nothing reads it.
static void put_entries(const plSymbolic* s, const plFront* f, int panel, const double* block, double* base) {
  if (s->dim == 2) {
    put_flat_entries(s, f, panel, block, base);
    return;
  }
  const int* first = s->entry0 + f->entry_panel + panel;
  for (int q = first[0]; q < first[1]; q++) {
    const double* a = block + 9 * pl_entry_block(s->entry[q]);
    // blocks are scattered over the matrix; the list has extra entries at its end for prefetching
    const double* soon = block + 9 * pl_entry_block(s->entry[q + PL_ENTRY_AHEAD]);
    __builtin_prefetch(soon), __builtin_prefetch(soon + 8);
    double* d = base + s->entry_at[q];
    int h = pl_entry_height(s->entry[q]);
    if (pl_entry_transposed(s->entry[q])) {
      for (int c = 0; c < 3; c++, d += h) d[0] = a[c], d[1] = a[3 + c], d[2] = a[6 + c];
    } else {
      for (int c = 0; c < 3; c++, d += h) d[0] = a[3 * c], d[1] = a[3 * c + 1], d[2] = a[3 * c + 2];
    }
  }
}

typedef struct Job {
  const plChol* chol;
  const plFront* front;
  const double* block;    // the matrix
  double *factor, *task;  // memory of the factor, and of the thread's update matrices
  bool alone;             // one thread does all fronts
  int c0, c1;             // present columns
} Job;

static double* update_of(const Job* job, const plFront* f) {
  if (!f->ncol) return job->chol->A_hat;
  if (job->alone) return job->task + f->update;
  return (f->shared ? job->chol->shared : job->task) + f->shared_update;
}

// Adds the children's columns that this front eliminates to one panel of the factor; or (update) their other
// columns to a panel of its update matrix.
static void add_children(const Job* job, int panel, double* X, int h, bool update) {
  const plSymbolic* s = &job->chol->symbolic;
  const plFront* f = job->front;
  const plPanelKernels* kernels = job->chol->kernels;
  for (int k = 0; k < f->nchild; k++) {
    const plFront* child = &s->front[s->child[f->child0 + k]];
    const int *relative = s->relative + child->row0, *first = s->expand_panel + child->expand0_panel + panel;
    const double* U = update_of(job, child);
    assert(!child->nbelow || relative[child->nbelow - 1] < f->ncol + f->nbelow);  // they ascend
    int from = update ? child->npivot_rel : 0, to = update ? child->nbelow : child->npivot_rel;
    double* target = X - (update ? (long)pl_front_columns(f) * h : 0);
    (s->dim == 2 ? kernels->expand_flat : kernels->expand)(
        first[1] - first[0], s->expand + child->expand0 + first[0], from, to, relative, U, target, h);
  }
}

// Panel q of the front's columns and rows below, before its elimination: zero, matrix entries, children.
static void assemble_panel(const Job* job, int q) {
  const plFront* f = job->front;
  int w = pl_front_columns(f), own = pl_panel_count(w);
  bool below = q >= own;
  int p = below ? q - own : q, h = pl_panel_height(below ? pl_front_below(f) : w, p);
  double* X = job->factor + (below ? f->below + pl_rectangle_at(w, p) : f->diagonal + pl_triangle_at(p));
  assert(X + (long)h * (below ? pl_pad(w) : pl_triangle_columns(w, p)) <=
         job->factor + job->chol->symbolic.factor_size);
  memset(X, 0, (size_t)h * (size_t)(below ? pl_pad(w) : pl_triangle_columns(w, p)) * sizeof(double));
  put_entries(&job->chol->symbolic, f, q, job->block, job->factor);
  add_children(job, q, X, h, false);
  if (!below)
    for (int c = w; c < pl_triangle_columns(w, p) && p == own - 1; c++) X[c - PL_PANEL * p + (long)c * h] = 1;
}

// Panels beyond the present diagonal block: their columns c0 .. c1-1.
static void solve_panels(void* context, int begin, int end, int worker) {
  const Job* job = context;
  const plFront* f = job->front;
  int w = pl_front_columns(f), own = pl_panel_count(w), first = pl_panel_count(job->c1 < w ? job->c1 : w);
  const double* L = job->factor + f->diagonal;
  (void)worker;
  for (int q = first + begin; q < first + end; q++) {
    if (job->c0 == 0) assemble_panel(job, q);
    int p = q < own ? q : q - own;
    double* X = job->factor + (q < own ? f->diagonal + pl_triangle_at(p) : f->below + pl_rectangle_at(w, p));
    job->chol->kernels->solve(L, w, X, pl_panel_height(q < own ? w : pl_front_below(f), p), job->c0, job->c1);
  }
}

// Panels of the update matrix.
static void update_panels(void* context, int begin, int end, int worker) {
  const Job* job = context;
  const plFront* f = job->front;
  int w = pl_front_columns(f), n = pl_front_below(f), own = pl_panel_count(w);
  double* U = update_of(job, f);
  (void)worker;
  assert(!job->alone || !f->ncol ||
         (size_t)f->update + pl_triangle_size(n) <= job->chol->symbolic.update_size);
  // a few panels at a time, so that they are still in cache when the children are added
  for (int first = begin; first < end; first += UPDATE_GROUP) {
    int last = end - first < UPDATE_GROUP ? end : first + UPDATE_GROUP;
    job->chol->kernels->syrk(job->factor + f->below, n, w, U, first, last, true);
    for (int p = first; p < last; p++) {
      if (!f->ncol) put_entries(&job->chol->symbolic, f, p, job->block, U);
      add_children(job, own + p, U + pl_triangle_at(p), pl_panel_height(n, p), true);
    }
  }
}

// Factors the diagonal block of the columns from c0 on; returns the column (a number) that fails, or -1.
static int factor_block(Job* job, int c0) {
  const plFront* f = job->front;
  int w = pl_front_columns(f), c1 = w - c0 < PL_PANEL_BLOCK ? w : c0 + PL_PANEL_BLOCK;
  for (int p = c0 / PL_PANEL; p < pl_panel_count(c1); p++) {
    if (c0 == 0) assemble_panel(job, p);
    int failed = job->chol->kernels->factor(job->factor + f->diagonal, w, p, c0);
    if (failed >= 0) return failed;
  }
  job->c0 = c0, job->c1 = pl_pad(c1);
  return -1;
}

// Panels of a front beyond the present block.
static int panels_left(const Job* job) {
  int w = pl_front_columns(job->front), c1 = job->c1 < w ? job->c1 : w;
  return pl_panel_count(w) + pl_panel_count(pl_front_below(job->front)) - pl_panel_count(c1);
}

// Eliminates a front's columns and forms its update matrix; returns the column that fails, or -1.
static int run_front(Job* job) {
  int w = pl_front_columns(job->front), n = pl_front_below(job->front);
  for (int c0 = 0; c0 < w; c0 += PL_PANEL_BLOCK) {
    int failed = factor_block(job, c0);
    if (failed >= 0) return failed;
    solve_panels(job, 0, panels_left(job), 0);
  }
  update_panels(job, 0, pl_panel_count(n), 0);
  return -1;
}

// ---- fronts of a level together: each block of columns of all of them, then the panels beyond it. The
// panels of the next block come first. Who finishes the last of them factors that block while others do the
// rest.

enum { TOGETHER = 64 };

typedef struct Level {
  Job* job;  // [n]
  int n, c0;
  int ahead[TOGETHER + 1];    // pieces of a loop: the panels of front i's next block are ahead[i] ..
  int at[TOGETHER + 1];       // ahead[i + 1] - 1; its other panels, or those of its update, at[i] ..
  atomic_int left[TOGETHER];  // panels of its next block that are not solved
  int failed[TOGETHER], failed_ahead[TOGETHER];  // column, or -1
} Level;

static void factor_blocks(void* context, int begin, int end, int worker) {
  Level* l = context;
  (void)worker;
  for (int i = begin; i < end; i++) l->failed[i] = factor_block(&l->job[i], 0);
}

// Panels of the next block of columns, the first ones beyond the present block.
static int panels_ahead(const Job* job) {
  int w = pl_front_columns(job->front), next = w - job->c1 < PL_PANEL_BLOCK ? w : job->c1 + PL_PANEL_BLOCK;
  return job->c1 < w ? pl_panel_count(next) - pl_panel_count(job->c1) : 0;
}

static void solve_ahead(Level* l, int i, int first, int last) {
  solve_panels(&l->job[i], first, last, 0);
  if (atomic_fetch_sub_explicit(&l->left[i], last - first, memory_order_acq_rel) > last - first) return;
  Job next = l->job[i];  // other threads read the present one
  l->failed_ahead[i] = factor_block(&next, next.c1);
}

static void solve_others(Level* l, int i, int first, int last) {
  int ahead = panels_ahead(&l->job[i]);
  solve_panels(&l->job[i], ahead + first, ahead + last, 0);
}

// The last panels are the longest: they start first.
static void update_backwards(Level* l, int i, int first, int last) {
  int all = l->at[i + 1] - l->at[i];
  update_panels(&l->job[i], all - last, all - first, 0);
}

// The pieces begin .. end - 1 of a loop; those of front i are at[i] .. at[i + 1] - 1.
static void deal_pieces(Level* l, const int* at, int begin, int end, void (*work)(Level*, int, int, int)) {
  for (int i = 0; i < l->n; i++) {
    int first = begin > at[i] ? begin : at[i], last = end < at[i + 1] ? end : at[i + 1];
    if (first < last) work(l, i, first - at[i], last - at[i]);
  }
}

static void solve_some(void* context, int begin, int end, int worker) {
  Level* l = context;
  (void)worker;
  deal_pieces(l, l->ahead, begin, end, solve_ahead);
  deal_pieces(l, l->at, begin, end, solve_others);
}

static void update_some(void* context, int begin, int end, int worker) {
  Level* l = context;
  (void)worker;
  deal_pieces(l, l->at, begin, end, update_backwards);
}

// Lists the pieces for the panels beyond the present block of each front; returns their number.
static int list_pieces(Level* l) {
  l->ahead[0] = 0;
  for (int i = 0; i < l->n; i++) {
    int ahead = l->failed[i] < 0 ? panels_ahead(&l->job[i]) : 0;
    l->ahead[i + 1] = l->ahead[i] + ahead;
    atomic_store_explicit(&l->left[i], ahead, memory_order_relaxed);
  }
  l->at[0] = l->ahead[l->n];
  for (int i = 0; i < l->n; i++) {
    bool on = l->failed[i] < 0 && l->c0 < pl_front_columns(l->job[i].front);
    l->at[i + 1] = l->at[i] + (on ? panels_left(&l->job[i]) - panels_ahead(&l->job[i]) : 0);
  }
  return l->at[l->n];
}

// The blocks that were factored ahead become the present ones.
static void take_ahead(Level* l) {
  for (int i = 0; i < l->n; i++) {
    if (l->ahead[i + 1] == l->ahead[i]) continue;
    Job* job = &l->job[i];
    int w = pl_front_columns(job->front), c0 = job->c1;
    job->c0 = c0, job->c1 = pl_pad(w - c0 < PL_PANEL_BLOCK ? w : c0 + PL_PANEL_BLOCK);
    l->failed[i] = l->failed_ahead[i];
  }
}

static void run_level(Level* l, plPool* pool) {
  int most = 0;
  double work = 0, update = 0;
  for (int i = 0; i < l->n; i++) {
    double w = pl_front_columns(l->job[i].front), n = pl_front_below(l->job[i].front);
    work += w * (w + n) * (w + n) / 2, update += n * n * (w + 20) / 2;
    if ((int)w > most) most = (int)w;
    l->failed[i] = -1;
  }
  if (work <= SHARED_WORK) pool = NULL;
  const double block = PL_PANEL_BLOCK;
  if (most) pl_parallel_work(pool, l->n, 1, l->n * block * block, factor_blocks, l);
  for (l->c0 = 0; l->c0 < most; l->c0 += PL_PANEL_BLOCK) {
    int pieces = list_pieces(l);
    pl_parallel_work(pool, pieces, 1, pieces * PL_PANEL * block * (l->c0 + block), solve_some, l);
    take_ahead(l);
  }
  l->at[0] = 0;
  for (int i = 0; i < l->n; i++)
    l->at[i + 1] = l->at[i] + (l->failed[i] < 0 ? pl_panel_count(pl_front_below(l->job[i].front)) : 0);
  pl_parallel_work(pool, l->at[l->n], 1, update, update_some, l);
}

// ---- the whole factorization

typedef struct Sweep {
  plChol* chol;
  const double* block;
} Sweep;

// The fronts first .. last in order; returns the first position that fails, or -1.
static int run_fronts(const Sweep* sweep, int first, int last, double* memory, bool alone) {
  const plSymbolic* s = &sweep->chol->symbolic;
  for (int k = first; k <= last; k++) {
    Job job = {sweep->chol, &s->front[k], sweep->block, sweep->chol->factor, memory, alone, 0, 0};
    int failed = run_front(&job);
    if (failed >= 0) return s->front[k].first + failed / s->dim;
  }
  return -1;
}

static void run_tasks(void* context, int begin, int end, int worker) {
  const Sweep* sweep = context;
  const plTask* task = sweep->chol->symbolic.task;
  assert(worker >= 0 && worker < sweep->chol->ntask_memory && end <= sweep->chol->ntask_failed);
  for (int t = begin; t < end; t++)
    sweep->chol->task_failed[t] =
        run_fronts(sweep, task[t].first, task[t].last, sweep->chol->task_memory[worker], false);
}

// All fronts on several threads: the tasks in parallel, then the fronts above them level by level, shared by
// all threads. The first failure in elimination order is the one that a single thread would report.
static int run_parallel(const Sweep* sweep, plPool* pool) {
  plChol* chol = sweep->chol;
  const plSymbolic* s = &chol->symbolic;
  pl_parallel_work(pool, s->ntask, 1, s->flops, run_tasks, (void*)(size_t)sweep);
  int failed = INT_MAX;
  for (int t = 0; t < s->ntask; t++)
    if (chol->task_failed[t] >= 0 && chol->task_failed[t] < failed) failed = chol->task_failed[t];
  for (int level = 0, t = 0; level < s->nlevel; level += t == s->level0[level + 1]) {
    Job job[TOGETHER];
    Level l = {.job = job};
    for (; t < s->level0[level + 1] && l.n < TOGETHER; t++)
      if (s->front[s->top[t]].first <= failed)
        job[l.n++] = (Job){chol, &s->front[s->top[t]], sweep->block, chol->factor, NULL, false, 0, 0};
    if (l.n) run_level(&l, pool);
    for (int i = 0; i < l.n; i++) {
      int place = job[i].front->first + l.failed[i] / s->dim;
      if (l.failed[i] >= 0 && place < failed) failed = place;
    }
  }
  return failed == INT_MAX ? -1 : failed;
}

// Memory of the factor and of the update matrices; it is kept and never shrinks. A new set of participating
// vertices needs more, and fresh memory costs a considerable part of a factorization, so extra room is
// reserved at the beginning. It is not touched before it is needed.
bool pl_chol_reserve(double** memory, size_t* cap, size_t wanted) {
  if (*cap >= wanted && *memory) return true;
  size_t size = wanted + wanted / 2;
  double* block = pl_alloc_room(size + PL_PANEL, sizeof(double));
  if (!block) size = wanted, block = pl_alloc_room(size + PL_PANEL, sizeof(double));
  if (!block) return false;
  memset(block, 0, (wanted + PL_PANEL) * sizeof(double));
  pl_free(*memory);
  *memory = block, *cap = size;
  return true;
}

// Memory for the numbers of this symbolic factorization.
static plStatus make_room(plChol* chol, const plSymbolic* s, plError* error) {
  size_t most = 0;  // a front's part of 8 right-hand sides; or of one, and 8 sums for each column
  for (int f = 0; f < s->nfront; f++) {
    size_t rows = (size_t)(s->dim * (s->front[f].ncol + s->front[f].nbelow)) + 2 * PL_PANEL;
    if ((PL_PAD + 1) * rows > most) most = (PL_PAD + 1) * rows;
  }
  // sizes beyond the machine's memory are refused before they are allocated
  double bytes = 8.0 * ((double)s->factor_size + (double)s->update_size);
  double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  if (machine > 0 && bytes > 0.8 * machine)
    return pl_fail(
        error, PL_ERROR_TOO_LARGE,
        "the factor of a body of %d vertices needs %.1f GB, the machine has %.1f GB: use a coarser mesh",
        s->n, bytes * 1e-9, machine * 1e-9);
  int* failed = chol->task_failed;
  if (s->ntask > chol->ntask_failed) failed = PL_NEW(int, s->ntask + s->ntask / 8);
  if (!failed || !pl_chol_reserve(&chol->factor, &chol->factor_cap, s->factor_size) ||
      !pl_chol_reserve(&chol->A_hat, &chol->A_hat_cap, pl_triangle_size(s->dim * s->np)) ||
      !pl_chol_reserve(&chol->rest, &chol->rest_cap, pl_triangle_size(s->dim * s->np)) ||
      !pl_chol_reserve(&chol->local, &chol->local_cap, most)) {
    if (failed != chol->task_failed) pl_free(failed);
    return pl_fail_out_of_memory(error, s->factor_size * sizeof(double));
  }
  if (failed != chol->task_failed) pl_free(chol->task_failed), chol->ntask_failed = s->ntask + s->ntask / 8;
  chol->task_failed = failed;
  return PL_OK;
}

static bool reserve_tasks(plChol* chol, int nworker) {
  const plSymbolic* s = &chol->symbolic;
  if (nworker > chol->ntask_memory) {
    double** grown =
        pl_realloc(chol->task_memory, (size_t)chol->ntask_memory, (size_t)nworker, sizeof(double*));
    if (!grown) return false;
    chol->task_memory = grown;
    size_t* caps = pl_realloc(chol->task_cap, (size_t)chol->ntask_memory, (size_t)nworker, sizeof(size_t));
    if (!caps) return false;
    chol->task_cap = caps, chol->ntask_memory = nworker;
  }
  if (nworker == 1) return pl_chol_reserve(&chol->task_memory[0], &chol->task_cap[0], s->update_size);
  size_t size =
      s->task_size > chol->local_cap ? s->task_size : chol->local_cap;  // solves use this memory too
  for (int k = 0; k < nworker; k++)
    if (!pl_chol_reserve(&chol->task_memory[k], &chol->task_cap[k], size)) return false;
  return pl_chol_reserve(&chol->aside, &chol->aside_cap, (size_t)s->dim * (size_t)s->nrow) &&
         pl_chol_reserve(&chol->shared, &chol->shared_cap, s->shared_size);
}

plStatus pl_chol_factor(plChol* chol, const plBsym* A, plPool* pool) {
  const plSymbolic* s = &chol->symbolic;
  assert(A->n == s->n);
  int nworker = pl_pool_size(pool);
  chol->failed = -1;
  // A solver that shares its symbolic factorization has no memory yet; local is allocated last.
  if ((!chol->local && make_room(chol, s, NULL)) || !reserve_tasks(chol, nworker)) return PL_ERROR_MEMORY;
  for (int v = 0; v < s->n && chol->third; v++) {
    chol->third[v] = A->block[9 * (size_t)chol->graph.diagonal[v] + 8];
    if (chol->third[v] > 0) continue;
    chol->failed = v;
    return PL_ERROR_INDEFINITE;
  }
  assert(chol->factor_cap >= s->factor_size && chol->A_hat_cap >= pl_triangle_size(s->dim * s->np));
  assert(nworker > 1 ? chol->shared_cap >= s->shared_size : chol->task_cap[0] >= s->update_size);
  Sweep sweep = {chol, A->block};
  int failed = nworker > 1 ? run_parallel(&sweep, pool)
                           : run_fronts(&sweep, 0, s->nfront - 1, chol->task_memory[0], true);
  if (failed < 0) return PL_OK;
  chol->failed = s->order[failed];
  return PL_ERROR_INDEFINITE;
}

// Entry i, i of a triangle of order m.
static double* diagonal_of(double* A, int m, int i) {
  int p = i / PL_PANEL;
  return A + pl_triangle_at(p) + i % PL_PANEL + (long)i * pl_panel_height(m, p);
}

plStatus pl_chol_factor_rest(plChol* chol, plPool* pool) {
  return pl_chol_factor_rest_shifted(chol, 0, pool);
}

plStatus pl_chol_factor_rest_shifted(plChol* chol, double shift, plPool* pool) {
  const plSymbolic* s = &chol->symbolic;
  chol->failed = -1;
  if (!s->np) return PL_OK;
  int m = s->dim * s->np;
  assert(pl_triangle_size(m) <= chol->rest_cap && pl_triangle_size(m) <= chol->A_hat_cap);
  memcpy(chol->rest, chol->A_hat, pl_triangle_size(m) * sizeof(double));
  double most = 0;
  for (int i = 0; i < m && shift > 0; i++) most = fmax(most, fabs(*diagonal_of(chol->rest, m, i)));
  for (int i = 0; i < m && shift > 0; i++) *diagonal_of(chol->rest, m, i) += shift * most;
  int failed = pl_triangle_factor(chol->kernels, m, chol->rest, pool);
  if (failed < 0) return PL_OK;
  chol->failed = s->order[s->n - s->np + failed / s->dim];
  return PL_ERROR_INDEFINITE;
}

// ---- creation and destruction

void pl_chol_destroy(plChol* chol) {
  if (!chol) return;
  if (!chol->owner) pl_graph_free(&chol->graph), pl_free(chol->base_order);
  pl_arena_free(&chol->symbolic.arena), pl_arena_free(&chol->spare.arena);
  for (int k = 0; k < chol->ntask_memory; k++) pl_free(chol->task_memory[k]);
  pl_free(chol->task_memory), pl_free(chol->task_cap), pl_free(chol->task_failed);
  pl_free(chol->is_part), pl_free(chol->is_part_next);
  pl_free(chol->factor), pl_free(chol->A_hat), pl_free(chol->shared), pl_free(chol->aside),
      pl_free(chol->rest), pl_free(chol->vector), pl_free(chol->local);
  pl_free(chol->third);
  pl_free(chol);
}

// Exchanges the symbolic factorization and the marks of its set with the spare ones; on failure nothing
// changes.
static plStatus use_spare(plChol* chol, plError* error) {
  plStatus status = make_room(chol, &chol->spare, error);
  if (status) return status;
  plSymbolic old = chol->symbolic;
  chol->symbolic = chol->spare, chol->spare = old;
  char* marks = chol->is_part;
  chol->is_part = chol->is_part_next, chol->is_part_next = marks;
  return PL_OK;
}

// The symbolic factorization for the set marked in is_part_next; on failure the spare one is lost, nothing
// else changes.
static plStatus rebuild(plChol* chol, plError* error) {
  if (pl_symbolic_build(&chol->spare, &chol->graph, chol->base_order, chol->is_part_next, true))
    return use_spare(chol, error);
  chol->spare.n = 0;
  return pl_fail_out_of_memory(error, 0);
}

static bool is_for(const plSymbolic* s, const char* marks, const int* participating, int n) {
  bool same = n == s->np;
  for (int i = 0; i < n && same; i++) same = marks[participating[i]];
  return same;
}

// The parts that every solver for n vertices has of its own.
static plStatus begin(plChol* chol, int n, int dim, plError* error) {
  chol->kernels = pl_panel_kernels(pl_isa());
  chol->failed = -1;
  chol->is_part = PL_NEW(char, n), chol->is_part_next = PL_NEW(char, n);
  chol->vector = PL_NEW(double, PL_PAD*(3 * (size_t)n + PL_PANEL));
  chol->task_failed = PL_NEW(int, 1), chol->ntask_failed = 1;
  if (dim == 2) chol->third = PL_NEW(double, n);
  bool ok =
      chol->is_part && chol->is_part_next && chol->vector && chol->task_failed && (dim != 2 || chol->third);
  return ok ? PL_OK : pl_fail_out_of_memory(error, 3 * (size_t)n * sizeof(double));
}

plStatus pl_chol_create(const plBsym* pattern, plOrder order, const double* position, plChol** chol_out,
                        plError* error) {
  plChol* chol = PL_NEW(plChol, 1);
  if (!chol) return pl_fail_out_of_memory(error, sizeof *chol);
  int n = pattern->n;
  chol->base_order = PL_NEW(int, n);
  plStatus status = chol->base_order ? PL_OK : pl_fail_out_of_memory(error, (size_t)n * sizeof(int));
  if (!status) status = pl_graph_create(pattern, &chol->graph, error);
  if (!status) status = begin(chol, n, chol->graph.dim, error);
  if (!status) status = pl_order(&chol->graph, order, position, chol->base_order, error);
  if (!status) status = rebuild(chol, error);
  // memory for one thread, so that the first factorization does not allocate
  if (!status && !reserve_tasks(chol, 1))
    status = pl_fail_out_of_memory(error, chol->symbolic.update_size * sizeof(double));
  if (status)
    pl_chol_destroy(chol);
  else
    *chol_out = chol;
  return status;
}

plStatus pl_chol_share(const plChol* owner, plChol** chol_out, plError* error) {
  assert(owner->symbolic.np == 0);
  plChol* chol = PL_NEW(plChol, 1);
  if (!chol) return pl_fail_out_of_memory(error, sizeof *chol);
  chol->owner = owner;
  chol->graph = owner->graph, chol->base_order = owner->base_order;
  plStatus status = begin(chol, owner->graph.n, owner->graph.dim, error);
  // The arrays still belong to the owner: the arena that would free them is empty.
  chol->symbolic = owner->symbolic;
  pl_arena_init(&chol->symbolic.arena);
  if (status)
    pl_chol_destroy(chol);
  else
    *chol_out = chol;
  return status;
}

bool pl_chol_is_partitioned(const plChol* chol, const int* participating, int n) {
  return is_for(&chol->symbolic, chol->is_part, participating, n);
}

plStatus pl_chol_partition(plChol* chol, const int* participating, int n, plError* error) {
  if (pl_chol_is_partitioned(chol, participating, n)) return PL_OK;
  // vertices that leave often come back: the factorization before the present one is still there
  if (chol->spare.n && is_for(&chol->spare, chol->is_part_next, participating, n))
    return use_spare(chol, error);
  memset(chol->is_part_next, 0, (size_t)chol->graph.n);
  for (int i = 0; i < n; i++) {
    assert(participating[i] >= 0 && participating[i] < chol->graph.n &&
           !chol->is_part_next[participating[i]]);
    chol->is_part_next[participating[i]] = 1;
  }
  return rebuild(chol, error);
}

const int* pl_chol_participating(const plChol* chol) {
  return chol->symbolic.order + chol->symbolic.n - chol->symbolic.np;
}
int pl_chol_failed(const plChol* chol) { return chol->failed; }

// A_hat of a flat matrix, with the third rows and columns inserted again.
static void schur_of_flat(const plChol* chol, double* A_hat, int ld) {
  int np = chol->symbolic.np, m = 2 * np;
  const int* vertex = pl_chol_participating(chol);
  for (int j = 0; j < np; j++)
    for (int c = 0; c < 3; c++) {
      double* column = A_hat + (long)ld * (3 * j + c);
      for (int i = j; i < np; i++)
        for (int r = i == j ? c : 0; r < 3; r++) {
          int row = 2 * i + r, p = row / PL_PANEL;
          column[3 * i + r] = r == 2 || c == 2 ? 0
                                               : chol->A_hat[pl_triangle_at(p) + row % PL_PANEL +
                                                             (long)(2 * j + c) * pl_panel_height(m, p)];
        }
      if (c == 2) column[3 * j + 2] = chol->third[vertex[j]];
    }
}

bool pl_chol_schur_rows(const plChol* chol, const double** row, int* ld) {
  if (chol->third) return false;
  int np = chol->symbolic.np;
  for (int i = 0; i < np; i++) {
    int p = 3 * i / PL_PANEL;
    row[i] = chol->A_hat + pl_triangle_at(p) + 3 * i % PL_PANEL, ld[i] = pl_panel_height(3 * np, p);
  }
  return true;
}

void pl_chol_schur(const plChol* chol, double* A_hat, int ld) {
  int m = 3 * chol->symbolic.np;
  assert(ld >= m);
  if (chol->third)
    schur_of_flat(chol, A_hat, ld);
  else if (m)
    pl_triangle_to_columns(m, chol->A_hat, A_hat, ld);
}

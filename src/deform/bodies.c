// bodies.c: runs the same work on every deformable body: bodies in parallel, or one after another with all
// threads on each.
//
// The largest bodies use all threads, the other bodies are distributed, one thread each: as many as gives the
// shortest time by an estimate that depends on the model and the number of threads. A thread works with its
// own copy of plData and plWork, which consist of pointers: the fields of a body belong to that body; scratch
// memory, the report and the error belong to the thread. The bits of a body therefore do not depend on the
// thread, and the reports are joined in the order of the bodies.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "deform/deform.h"

enum { SHARING = 100 };  // what threads cost that share a body: as much as a body of so many vertices

typedef struct Seat {
  plArena arena;    // kept from step to step
  int failed;       // the first body that failed here, -1: none
  plError error;    // its error
  plReport report;  // its report
} Seat;

// The contribution of a body to the report.
typedef struct Said {
  int factorizations, free_iterations;
  double free_residual, free_residual_weight;
} Said;

typedef struct plBodyCrew {
  int nseat;
  Seat* seat;   // [nseat]
  int ndealt;   // bodies that are distributed,
  int* body;    // [ndealt] the largest first
  bool* dealt;  // [ndeform] is one of them
  Said* said;   // [ndeform]
} plBodyCrew;

typedef struct Loop {
  const plModel* model;
  plData* data;
  plBodyWork* work;
  void* context;
} Loop;

static void run_some(void* context, int begin, int end, int worker) {
  const Loop* loop = context;
  plBodyCrew* crew = loop->data->work->bodies;
  assert(worker >= 0 && worker < crew->nseat);
  Seat* seat = &crew->seat[worker];
  plData data = *loop->data;
  plWork work = *loop->data->work;
  plError error;
  data.work = &work;
  work.pool = NULL, work.error = &error, work.step = seat->arena;
  for (int i = begin; i < end; i++) {
    int b = crew->body[i];
    data.report = (plReport){0};
    error.message[0] = 0;
    pl_arena_reset(&work.step);
    plStatus status = loop->work(loop->model, &data, b, loop->context);
    const plReport* r = &data.report;
    crew->said[b] = (Said){r->factorizations, r->free_iterations, r->free_residual, r->free_residual_weight};
    if (!status || (seat->failed >= 0 && seat->failed < b)) continue;
    seat->failed = b, seat->error = error, seat->report = data.report;
    seat->report.status = status;
  }
  seat->arena = work.step;
}

static void join(plReport* report, const Said* said) {
  report->factorizations += said->factorizations;
  if (said->free_iterations > report->free_iterations) report->free_iterations = said->free_iterations;
  report->free_residual = fmax(report->free_residual, said->free_residual);
  report->free_residual_weight = fmax(report->free_residual_weight, said->free_residual_weight);
}

// ---- which bodies are distributed

// Relative cost of a body: a factorization by nested dissection.
static double cost_of(const plModel* model, int b) {
  double n = model->deform_vert0[b + 1] - model->deform_vert0[b];
  return n * n;
}

// The time of the last seat to finish if each body, the largest first, goes to the seat that is free first.
static double time_of_dealt(const plModel* model, const int* body, int n, double* busy, int nseat) {
  double last = 0;
  memset(busy, 0, (size_t)nseat * sizeof *busy);
  for (int i = 0; i < n; i++) {
    int first = 0;
    for (int k = 1; k < nseat; k++)
      if (busy[k] < busy[first]) first = k;
    busy[first] += cost_of(model, body[i]);
    last = fmax(last, busy[first]);
  }
  return last;
}

// The number of large bodies that all threads work on, one after another; the other bodies are distributed.
static int count_shared(const plModel* model, const int* body, double* busy, int nseat) {
  int n = model->ndeform, best = n;
  double shared = 0, least = INFINITY;
  for (int k = 0; k <= nseat && k <= n; k++) {
    double time = shared + time_of_dealt(model, body + k, n - k, busy, nseat);
    if (time < least) least = time, best = k;
    if (k < n) shared += cost_of(model, body[k]) / nseat + SHARING * SHARING;
  }
  return best < n - 1 ? best : n;
}

static bool deal(const plModel* model, plBodyCrew* crew) {
  int n = model->ndeform;
  double* busy = PL_NEW(double, crew->nseat);
  if (!busy) return false;
  for (int b = 0; b < n; b++) {
    int i = b;
    for (; i > 0 && cost_of(model, crew->body[i - 1]) < cost_of(model, b); i--)
      crew->body[i] = crew->body[i - 1];
    crew->body[i] = b;
  }
  int shared = count_shared(model, crew->body, busy, crew->nseat);
  pl_free(busy);
  crew->ndealt = n - shared;
  memmove(crew->body, crew->body + shared, (size_t)crew->ndealt * sizeof *crew->body);
  for (int i = 0; i < crew->ndealt; i++) crew->dealt[crew->body[i]] = true;
  return true;
}

static plBodyCrew* crew_of(plData* data) {
  plBodyCrew* crew = data->work->bodies;
  if (crew) return crew;
  crew = PL_NEW(plBodyCrew, 1);
  if (!crew) return NULL;
  int n = data->model->ndeform;
  crew->nseat = pl_pool_size(data->work->threads);
  crew->seat = PL_NEW(Seat, crew->nseat);
  crew->body = PL_NEW(int, n), crew->dealt = PL_NEW(bool, n);
  crew->said = PL_NEW(Said, n);
  for (int i = 0; crew->seat && i < crew->nseat; i++) pl_arena_init(&crew->seat[i].arena);
  data->work->bodies = crew;
  if (crew->seat && crew->body && crew->dealt && crew->said && deal(data->model, crew)) return crew;
  pl_deform_bodies_destroy(data);
  return NULL;
}

void pl_deform_bodies_destroy(plData* data) {
  plBodyCrew* crew = data->work->bodies;
  if (!crew) return;
  for (int i = 0; crew->seat && i < crew->nseat; i++) pl_arena_free(&crew->seat[i].arena);
  pl_free(crew->seat), pl_free(crew->body), pl_free(crew->dealt), pl_free(crew->said);
  pl_free(crew);
  data->work->bodies = NULL;
}

plStatus pl_deform_each(const plModel* model, plData* data, plBodyWork* run, void* context) {
  plWork* work = data->work;
  plBodyCrew* crew = work->pool && model->ndeform > 1 ? crew_of(data) : NULL;
  int n = crew ? crew->ndealt : 0, first = model->ndeform;
  Loop loop = {model, data, run, context};
  Seat* worst = NULL;
  for (int i = 0; crew && i < crew->nseat; i++) crew->seat[i].failed = -1;
  if (n) pl_parallel_work(work->pool, n, 1, n, run_some, &loop);
  for (int i = 0; crew && i < crew->nseat; i++)
    if (crew->seat[i].failed >= 0 && crew->seat[i].failed < first)
      first = crew->seat[i].failed, worst = &crew->seat[i];
  // The other bodies in their order, up to the first that failed.
  for (int b = 0; b < first; b++) {
    if (n && crew->dealt[b]) {
      join(&data->report, &crew->said[b]);
      continue;
    }
    plStatus status = run(model, data, b, context);
    if (status) return status;
  }
  if (!worst) return PL_OK;
  join(&data->report, &crew->said[first]);
  memcpy(data->report.where, worst->report.where, sizeof data->report.where);
  *work->error = worst->error;
  return worst->report.status;
}

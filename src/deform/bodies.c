// bodies.c: runs the same work on every deformable body: bodies in parallel, or one after another with all
// threads on each.
//
// A body that is a large part of the total uses all threads; the other bodies are distributed, one thread
// each. A thread works with its own copy of plData and plWork, which consist of pointers: the fields of a
// body belong to that body; scratch memory, the report and the error belong to the thread. The bits of a body
// therefore do not depend on the thread, and the reports are joined in the order of the bodies.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "deform/deform.h"

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
  Seat* seat;  // [nseat]
  int* body;   // [ndeform] those that are distributed
  Said* said;  // [ndeform]
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

static plBodyCrew* crew_of(plData* data) {
  plBodyCrew* crew = data->work->bodies;
  if (crew) return crew;
  crew = PL_NEW(plBodyCrew, 1);
  if (!crew) return NULL;
  crew->nseat = pl_pool_size(data->work->threads);
  crew->seat = PL_NEW(Seat, crew->nseat);
  crew->body = PL_NEW(int, data->model->ndeform);
  crew->said = PL_NEW(Said, data->model->ndeform);
  for (int i = 0; crew->seat && i < crew->nseat; i++) pl_arena_init(&crew->seat[i].arena);
  data->work->bodies = crew;
  if (crew->seat && crew->body && crew->said) return crew;
  pl_deform_bodies_destroy(data);
  return NULL;
}

void pl_deform_bodies_destroy(plData* data) {
  plBodyCrew* crew = data->work->bodies;
  if (!crew) return;
  for (int i = 0; crew->seat && i < crew->nseat; i++) pl_arena_free(&crew->seat[i].arena);
  pl_free(crew->seat), pl_free(crew->body), pl_free(crew->said);
  pl_free(crew);
  data->work->bodies = NULL;
}

// Relative cost of a body: a factorization by nested dissection.
static double cost_of(const plModel* model, int b) {
  double n = model->deform_vert0[b + 1] - model->deform_vert0[b];
  return n * n;
}

// Lists the bodies that are distributed; returns their number.
static int deal(const plModel* model, plBodyCrew* crew) {
  double total = 0;
  int n = 0;
  for (int b = 0; b < model->ndeform; b++) total += cost_of(model, b);
  for (int b = 0; b < model->ndeform; b++)
    if (cost_of(model, b) * crew->nseat <= 2 * total) crew->body[n++] = b;
  return n > 1 ? n : 0;
}

plStatus pl_deform_each(const plModel* model, plData* data, plBodyWork* run, void* context) {
  plWork* work = data->work;
  plBodyCrew* crew = work->pool && model->ndeform > 1 ? crew_of(data) : NULL;
  int n = crew ? deal(model, crew) : 0, first = model->ndeform;
  Loop loop = {model, data, run, context};
  Seat* worst = NULL;
  for (int i = 0; crew && i < crew->nseat; i++) crew->seat[i].failed = -1;
  if (n) pl_parallel_for(work->pool, n, 1, run_some, &loop);
  for (int i = 0; crew && i < crew->nseat; i++)
    if (crew->seat[i].failed >= 0 && crew->seat[i].failed < first)
      first = crew->seat[i].failed, worst = &crew->seat[i];
  // The other bodies in their order, up to the first that failed.
  for (int b = 0, i = 0; b < first; b++) {
    if (i < n && crew->body[i] == b) {
      join(&data->report, &crew->said[b]), i++;
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

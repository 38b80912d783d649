// parts.c: a loop over one large pair: all threads share it, each with its own memory; the results are joined
// in index order.
//
// If there are many pairs, each thread takes whole pairs. A large pair is processed on its own, by all
// threads: its loops are divided into parts, and a part appends points, polygons and marks to its thread's
// lists. The joined lists do not depend on the division.
#include <assert.h>
#include <string.h>

#include "contact/pair.h"

enum { PARTS_PER_THREAD = 8 };

typedef struct Loop {
  plPair* pair;
  int n, nrun;
  plPairRun* run;
  plStatus* status;  // [nrun]
  plPartBody* body;
  void* context;
} Loop;

static void run_parts(void* context, int begin, int end, int worker) {
  Loop* loop = context;
  assert(worker >= 0 && worker < loop->pair->data->work->contact->nscratch && end <= loop->nrun);
  plPairScratch* s = &loop->pair->workers[worker];
  for (int i = begin; i < end; i++) {
    plPair part = *loop->pair;
    part.list = &s->list, part.scratch = s, part.arena = &s->arena, part.points = &s->points,
    part.pool = NULL;
    plPairRun* r = &loop->run[i];
    *r = (plPairRun){.scratch = s,
                     .polygon0 = s->npolygon,
                     .mark0 = s->nmark,
                     .near0 = s->nnear,
                     .closest0 = s->nclosest,
                     .point0 = s->list.npoint};
    int first = (int)((long long)loop->n * i / loop->nrun),
        last = (int)((long long)loop->n * (i + 1) / loop->nrun);
    loop->status[i] = loop->body(&part, loop->context, first, last);
    r->npolygon = s->npolygon - r->polygon0, r->nmark = s->nmark - r->mark0, r->nnear = s->nnear - r->near0,
    r->nclosest = s->nclosest - r->closest0, r->npoint = s->list.npoint - r->point0;
  }
}

static plStatus join_points(plPair* pair, const Loop* loop) {
  plPairList* list = pair->list;
  for (int i = 0; i < loop->nrun; i++) {
    if (loop->status[i]) return loop->status[i];
    const plContactPoint* from = loop->run[i].scratch->list.point;
    assert(loop->run[i].point0 + loop->run[i].npoint <= loop->run[i].scratch->list.npoint);
    for (int k = 0; k < loop->run[i].npoint; k++)
      if (!PL_PUSH(list->point, list->npoint, list->cap, from[loop->run[i].point0 + k]))
        return PL_ERROR_MEMORY;
  }
  for (int w = 0; w < pl_pool_size(pair->pool); w++) {
    const plPairList* part = &pair->workers[w].list;
    list->candidates += part->candidates, list->skipped += part->skipped, list->deep += part->deep;
    if (pair->workers[w].arena.failed) return PL_ERROR_MEMORY;
  }
  return PL_OK;
}

// Clears the lists of all threads, then runs the parts.
static plStatus run_loop(plPair* pair, Loop* loop, int grain) {
  int threads = pl_pool_size(pair->pool), most = PARTS_PER_THREAD * threads,
      parts = loop->n / (grain > 1 ? grain : 1);
  loop->nrun = parts < 1 ? 1 : parts < most ? parts : most;
  assert(threads <= pair->data->work->contact->nscratch);
  loop->run = PL_ARENA_NEW(pair->arena, plPairRun, loop->nrun);
  loop->status = PL_ARENA_NEW(pair->arena, plStatus, loop->nrun);
  if (!loop->run || !loop->status) return PL_ERROR_MEMORY;
  for (int w = 0; w < threads; w++) {
    plPairScratch* s = &pair->workers[w];
    s->list = (plPairList){.point = s->list.point, .cap = s->list.cap};
  }
  pl_parallel_for(pair->pool, loop->nrun, 1, run_parts, loop);
  return join_points(pair, loop);
}

plStatus pl_pair_in_parts(plPair* pair, int n, int grain, plPartBody* body, void* context) {
  if (!pair->pool || n < 2 * grain) return body(pair, context, 0, n);
  Loop loop = {.pair = pair, .n = n, .body = body, .context = context};
  return run_loop(pair, &loop, grain);
}

plStatus pl_pair_in_runs(plPair* pair, int n, int grain, plPartBody* body, void* context) {
  Loop loop = {.pair = pair, .n = n, .nrun = 1, .body = body, .context = context};
  plStatus status;
  if (pair->pool) {
    for (int w = 0; w < pl_pool_size(pair->pool); w++)
      pair->workers[w].npolygon = pair->workers[w].nmark = pair->workers[w].nnear = 0,
      pair->workers[w].nclosest = 0;
    status = run_loop(pair, &loop, grain);
  } else {
    plPairScratch* s = pair->scratch;
    s->npolygon = s->nmark = s->nnear = s->nclosest = 0;
    loop.run = PL_ARENA_NEW(pair->arena, plPairRun, 1);
    if (!loop.run) return PL_ERROR_MEMORY;
    status = body(pair, context, 0, n);
    loop.run[0] = (plPairRun){
        .scratch = s, .npolygon = s->npolygon, .nmark = s->nmark, .nnear = s->nnear, .nclosest = s->nclosest};
  }
  pair->run = loop.run, pair->nrun = loop.nrun, pair->npolygon = pair->nmark = pair->nnear = 0;
  for (int i = 0; i < loop.nrun && !status; i++)
    pair->npolygon += loop.run[i].npolygon, pair->nmark += loop.run[i].nmark,
        pair->nnear += loop.run[i].nnear;
  return status;
}

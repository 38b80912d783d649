// keep.c: stores the state before a step and restores it if the step fails.
//
// ADVANCE alone writes q, v and time; tables and the user's callback write u, f_user, f_body, switches,
// attachments and parameters at the start of the step, before it is known whether the step will succeed.
//
// in: the state -> out: plKept, in the step's arena
#include <assert.h>
#include <string.h>

#include "step/step.h"

static double* copy(plArena* arena, const void* from, size_t count) {
  double* to = PL_ARENA_NEW(arena, double, count);
  if (to && count) memcpy(to, from, count * sizeof(double));
  return to;
}

static void put_back(void* to, const double* from, size_t count) {
  if (count) memcpy(to, from, count * sizeof(double));
}

enum { WRENCH = sizeof(plWrench) / sizeof(double) };

// What switching an attachment changes: whether it is on, and the anchors of its vertices.
static plStatus keep_attachments(plData* data, plKept* kept) {
  plArena* arena = &data->work->step;
  kept->nattach = data->nattach;
  kept->attach = PL_ARENA_NEW(arena, plAttachment, data->nattach);
  if (!kept->attach) return PL_ERROR_MEMORY;
  for (int i = 0; i < data->nattach; i++) {
    plAttachment* a = &kept->attach[i];
    *a = data->attach[i];
    size_t n = (size_t)a->nvert;
    a->anchor = copy(arena, a->anchor, 3 * n);
    if (a->other < 0) continue;
    int* target = PL_ARENA_NEW(arena, int, 4 * n);
    if (target) memcpy(target, a->target, 4 * n * sizeof(int));
    a->target = target;
    a->weight = copy(arena, a->weight, 4 * n);
  }
  return arena->failed ? PL_ERROR_MEMORY : PL_OK;
}

static void restore_attachments(plData* data, const plKept* kept) {
  assert(data->nattach >= kept->nattach);  // a callback adds and switches attachments, but removes none
  pl_free_attachments(data, kept->nattach);
  for (int i = 0; i < kept->nattach; i++) {
    const plAttachment* from = &kept->attach[i];
    plAttachment* to = &data->attach[i];
    assert(to->nvert == from->nvert && to->other == from->other);
    to->on = from->on;
    put_back(to->anchor, from->anchor, 3 * (size_t)to->nvert);
    if (to->other < 0) continue;
    memcpy(to->target, from->target, 4 * (size_t)to->nvert * sizeof(int));
    put_back(to->weight, from->weight, 4 * (size_t)to->nvert);
  }
}

plStatus pl_step_keep(const plModel* model, plData* data, plKept* kept) {
  plArena* arena = &data->work->step;
  size_t nq = (size_t)model->nq, nv = (size_t)model->nv, nu = (size_t)model->nu, nbody = (size_t)model->nbody;
  *kept = (plKept){.time = data->time, .control = data->work->control != NULL};
  kept->u = copy(arena, data->u, nu);
  if (!kept->control) return kept->u ? PL_OK : PL_ERROR_MEMORY;
  kept->q = copy(arena, data->q, nq);
  kept->v = copy(arena, data->v, nv);
  kept->f_user = copy(arena, data->f_user, nv);
  kept->f_body = copy(arena, data->f_body, WRENCH * nbody);
  void* room = pl_arena_alloc(arena, pl_parameters_room(model), 1);
  kept->par = room ? pl_parameters_place(model, room) : NULL;
  if (kept->par) pl_parameters_copy(model, kept->par, data->par);
  for (int k = 0; k < PL_SWITCH_COUNT; k++) {
    size_t n = (size_t)pl_switch_count(model, (plSwitch)k);
    kept->on[k] = PL_ARENA_NEW(arena, bool, n);
    if (kept->on[k] && n) memcpy(kept->on[k], data->on[k], n * sizeof(bool));
  }
  return arena->failed ? PL_ERROR_MEMORY : keep_attachments(data, kept);
}

void pl_step_restore(const plModel* model, plData* data, const plKept* kept) {
  put_back(data->u, kept->u, (size_t)model->nu);
  if (!kept->control) return;
  data->time = kept->time;
  put_back(data->q, kept->q, (size_t)model->nq);
  put_back(data->v, kept->v, (size_t)model->nv);
  put_back(data->f_user, kept->f_user, (size_t)model->nv);
  put_back(data->f_body, kept->f_body, WRENCH * (size_t)model->nbody);
  for (int k = 0; k < PL_SWITCH_COUNT; k++) {
    size_t n = (size_t)pl_switch_count(model, (plSwitch)k);
    if (n) memcpy(data->on[k], kept->on[k], n * sizeof(bool));
  }
  restore_attachments(data, kept);
  pl_parameters_use(data, kept->par);
}

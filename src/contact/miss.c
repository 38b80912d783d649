// miss.c: removes contact points that the motion of a fast pair would not reach.
//
// A point ahead of a fast body acts like a half space with the present normal, so a body that would fly past
// the rim of the other side would collide with its plane. If the motion of a pair, at the initial velocities
// and with gravity, hits nothing, the points that it would close are removed. Points at rest (gaps up to the
// rest margin) and points that stay open are kept: they cannot push, and a third body may change the motion.
//
// in: work->point, v_guess -> out: work->point
#include <assert.h>
#include <math.h>

#include "contact/sweep.h"
#include "contact/thresholds.h"

// A point that the motion closes from a gap larger than the rest margin.
static bool closes(const plSweep* s, const plContactPoint* p, double near) {
  // A spring pushes from its rest position on.
  return p->gap > near && pl_sweep_gap_after(s, p) < fmax(0, p->spring.rest);
}

// v_guess, plus the velocity that gravity adds to bodies that can move.
static double* falling(const plModel* model, plData* data) {
  double* v = PL_ARENA_NEW(&data->work->step, double, model->nv);
  double dt = data->par->options.dt;
  plVec3 g = data->par->options.gravity;
  for (int i = 0; i < model->nv && v; i++) v[i] = data->work->v_guess[i];
  for (int b = 0; b < model->ndeform && v; b++)
    for (int i = model->deform_vert0[b]; i < model->deform_vert0[b + 1]; i++) {
      double* at = v + model->deform_v0[b] + 3 * (ptrdiff_t)(i - model->deform_vert0[b]);
      if (!model->vert_fixed[i]) v3_store(at, v3_madd(v3_load(at), dt, g));
    }
  return v;
}

plStatus pl_contact_drop_misses(const plModel* model, plData* data) {
  plWork* work = data->work;
  plContactWork* w = work->contact;
  double dt = data->par->options.dt, fall = v3_norm(data->par->options.gravity) * dt * dt;
  double* v = NULL;
  int kept = 0, first = 0;
  for (int i = 0; i < w->nlist; i++) {
    plPairList* list = &w->list[i];
    int last = first + list->npoint;
    assert(last <= work->npoint);
    const double near = fmax(pl_contact_least(&w->collider[list->a], &w->collider[list->b]), fall);
    bool far = false, misses = false;
    for (int k = first; k < last && !far; k++) far = work->point[k].gap > near;
    plSweep s = {.model = model, .data = data, .a = list->a, .b = list->b, .depth = -1, .arena = &work->step};
    s.ca = &w->collider[s.a], s.cb = &w->collider[s.b], s.hit = w->hit, s.cap = w->hit_cap;
    if (far && list->a != list->b && list->margin > PL_SWEEP_SLOW * near) {
      if (!v && !(v = falling(model, data))) return PL_ERROR_MEMORY;
      plStatus status = pl_sweep_move(&s, v);
      bool any = false;
      for (int k = first; k < last && !status && !any; k++) any = closes(&s, &work->point[k], near);
      if (any && pl_sweep_approach(&s) > PL_SWEEP_SLOW * near) {
        status = pl_sweep_one(&s);
        w->hit = s.hit, w->hit_cap = s.cap;
        misses = s.nhit == 0 && pl_sweep_knows(&s);
      }
      if (status) return status;
    }
    if (!misses && kept == first) {  // nothing to move
      kept = first = last;
      continue;
    }
    for (int k = first; k < last; k++)
      if (!misses || !closes(&s, &work->point[k], near)) work->point[kept++] = work->point[k];
    first = last;
  }
  work->npoint = kept;
  return PL_OK;
}

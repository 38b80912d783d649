// miss.c: nothing is touched that is not there.
//
// A point ahead of a fast body is a half space: its normal is that of now, and a body that would fly past the
// other side's rim runs into its plane. Where the motion of a pair, at the velocities of the start and with
// gravity, meets nothing, points that it would close are left out. Points at rest (gaps up to the margin
// there) and points that stay open stay: they cannot push, and a third body may change the motion.
//
// in: work->point, v_guess -> out: work->point
#include <math.h>

#include "contact/sweep.h"
#include "contact/thresholds.h"

static plVec3 soft_way(const plModel* model, const plContactSide* side, const double* v, double dt) {
  plVec3 sum = {0, 0, 0};
  const double* of = v + model->deform_v0[side->body] - 3 * (ptrdiff_t)model->deform_vert0[side->body];
  for (int k = 0; k < side->nvert; k++)
    sum = v3_madd(sum, dt * side->weight[k], v3_load(of + 3 * (ptrdiff_t)side->vert[k]));
  return sum;
}

// How far a side's place moves.
static plVec3 way_of(const plModel* model, const plContactSide* side, const plMotionOf* m, const double* v,
                     double dt, plVec3 at) {
  if (side->geom < 0) return soft_way(model, side, v, dt);
  return v3_add(m->way, v3_cross(m->turn, v3_sub(at, m->pivot)));
}

// Where its rows will act (constraint/points.c).
static plVec3 place_of(const plSweep* s, const plContactPoint* p) {
  if ((p->a.geom < 0) == (p->b.geom < 0)) return p->position;
  const plContactSide* soft = p->a.geom < 0 ? &p->a : &p->b;
  const plSkin* skin = (p->a.geom < 0 ? s->ca : s->cb)->skin;
  plVec3 x = {0, 0, 0};
  for (int k = 0; k < soft->nvert; k++)
    x = v3_madd(x, soft->weight[k], skin_x(skin, soft->vert[k] - s->model->deform_vert0[soft->body]));
  return x;
}

// A point that the motion closes from farther than what is at rest.
static bool closes(const plSweep* s, const plContactPoint* p, const double* v, double near) {
  if (!(p->gap > near)) return false;
  double dt = s->data->par->options.dt;
  plVec3 at = place_of(s, p), a = way_of(s->model, &p->a, &s->ma, v, dt, at),
         b = way_of(s->model, &p->b, &s->mb, v, dt, at);
  // A spring pushes from its rest on.
  return p->gap + v3_dot(p->normal, v3_sub(b, a)) < fmax(0, p->spring.rest);
}

// v_guess, and what gravity adds to what can move.
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
  double dt = data->par->options.dt,
         near = fmax(PL_MARGIN_LEAST, v3_norm(data->par->options.gravity) * dt * dt);
  double* v = NULL;
  int kept = 0, first = 0;
  for (int i = 0; i < w->nlist; i++) {
    plPairList* list = &w->list[i];
    int last = first + list->npoint;
    bool far = false, misses = false;
    for (int k = first; k < last && !far; k++) far = work->point[k].gap > near;
    plSweep s = {.model = model, .data = data, .a = list->a, .b = list->b, .depth = -1, .arena = &work->step};
    s.ca = &w->collider[s.a], s.cb = &w->collider[s.b], s.hit = w->hit, s.cap = w->hit_cap;
    if (far && list->a != list->b && list->window > PL_SWEEP_SLOW * near) {
      if (!v && !(v = falling(model, data))) return PL_ERROR_MEMORY;
      plStatus status = pl_sweep_move(&s, v);
      bool any = false;
      for (int k = first; k < last && !status && !any; k++) any = closes(&s, &work->point[k], v, near);
      if (any && pl_sweep_approach(&s) > PL_SWEEP_SLOW * near) {
        status = pl_sweep_one(&s);
        w->hit = s.hit, w->hit_cap = s.cap;
        misses = s.nhit == 0 && pl_sweep_knows(&s);
      }
      if (status) return status;
    }
    for (int k = first; k < last; k++)
      if (!misses || !closes(&s, &work->point[k], v, near)) work->point[kept++] = work->point[k];
    first = last;
  }
  work->npoint = kept;
  return PL_OK;
}

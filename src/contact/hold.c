// hold.c: existing contact points that the motion of the step would push in too deep.
//
// The near-rigid term lets a body penetrate by a fraction of its displacement in the step, which may be more
// than the thickness of a thin plate; and the rounds of Coulomb's law may leave a point with some velocity.
// Both are seen in the gap of the point at the end of the step, computed as in its rows (to first order, in a
// half space). If the body passes the rim of the plate, no other test would find it.
//
// in: work->point, the motion of all pairs -> out: hits
#include <assert.h>
#include <math.h>

#include "contact/sweep.h"
#include "contact/thresholds.h"

static plVec3 soft_way(const plSweep* s, const plContactSide* side, const double* x1) {
  const plSkin* skin = (side->body == s->ca->deform ? s->ca : s->cb)->skin;
  plVec3 sum = {0, 0, 0};
  for (int k = 0; k < side->nvert; k++) {
    int v = side->vert[k] - s->model->deform_vert0[side->body];
    assert(v >= 0 && v < skin->nvert);
    sum = v3_madd(sum, side->weight[k], v3_sub(v3_load(x1 + 3 * (size_t)v), skin_x(skin, v)));
  }
  return sum;
}

// Displacement of a side at a point.
static plVec3 way_of(const plSweep* s, const plContactSide* side, const plMotionOf* m, plVec3 at) {
  if (side->shape_id < 0) return soft_way(s, side, m->x1);
  return v3_add(m->way, v3_cross(m->turn, v3_sub(at, m->pivot)));
}

// The point where its rows act (constraint/points.c).
static plVec3 position_of(const plSweep* s, const plContactPoint* p) {
  if ((p->a.shape_id < 0) == (p->b.shape_id < 0)) return p->position;
  const plContactSide* soft = p->a.shape_id < 0 ? &p->a : &p->b;
  const plSkin* skin = (p->a.shape_id < 0 ? s->ca : s->cb)->skin;
  plVec3 x = {0, 0, 0};
  for (int k = 0; k < soft->nvert; k++) {
    int v = soft->vert[k] - s->model->deform_vert0[soft->body];
    assert(v >= 0 && v < skin->nvert);
    x = v3_madd(x, soft->weight[k], skin_x(skin, v));
  }
  return x;
}

double pl_sweep_gap_after(const plSweep* s, const plContactPoint* p) {
  plVec3 at = p->swept ? p->position : position_of(s, p),
         a = way_of(s, &p->a, &s->ma, p->swept ? p->position_a : at),
         b = way_of(s, &p->b, &s->mb, p->swept ? p->position_b : at);
  return p->gap + v3_dot(p->normal, v3_sub(b, a));
}

plStatus pl_sweep_law_end(const plSweep* s, double* end) {
  const plWork* work = s->data->work;
  const bool yields = pl_contact_yields(s->data, s->ca, s->cb);
  double deepest = 0;
  *end = 0;
  if (!yields && !s->pressed) return PL_OK;
  plSweep t = *s;
  if (yields && s->data->par->options.theta_vq < 1 && pl_sweep_move_as_laws(&t)) return PL_ERROR_MEMORY;
  for (int i = 0; i < work->npoint; i++) {
    const plContactPoint* p = &work->point[i];
    int a = p->a.shape_id >= 0 ? s->model->ndeform + p->a.shape_id : p->a.body,
        b = p->b.shape_id >= 0 ? s->model->ndeform + p->b.shape_id : p->b.body;
    if (a != s->a || b != s->b || (yields && p->swept)) continue;
    double gap = pl_sweep_gap_after(&t, p);
    if (!yields || -gap <= p->resolved) deepest = fmin(deepest, gap);
  }
  *end = deepest;
  return PL_OK;
}

// m, deepest admissible penetration of a side at a point. Facets of soft bodies and of meshes have a limit of
// their own.
static double limit_of(const plSweep* s, const plCollider* c, const plContactSide* side) {
  int t = c->deform >= 0 && side->tri >= 0 ? side->tri - s->model->deform_tri0[c->deform] : side->tri;
  bool facets = c->deform >= 0 || (c->skin && c->shape.kind == PL_SHAPE_MESH && !c->hull);
  return facets && t >= 0 && t < c->skin->ntri && c->skin->tri_limit[t] > 0 ? skin_thin(c->skin, t)
                                                                            : pl_sweep_thin(c);
}

// A stiffness that the step cannot resolve, at the depth where the point ends, does not act: the point is
// near rigid.
static bool is_compliant(const plSweep* s, const plContactPoint* p) {
  return p->spring.compliance > 0 ||
         (!p->swept && -pl_sweep_gap_after(s, p) <= p->resolved && pl_contact_yields(s->data, s->ca, s->cb));
}

// A point of round sides that ends deeper than its law was made for pushes with less than the force of that
// depth. Its law gets the tangent there.
static plStatus hold_law(plSweep* s, const plContactPoint* p, int index, double thin) {
  plSweep t = *s;
  if (s->data->par->options.theta_vq < 1 && pl_sweep_move_as_laws(&t)) return PL_ERROR_MEMORY;
  double end = pl_sweep_gap_after(&t, p);
  if (!(-end > p->tangent + s->depth * thin)) return PL_OK;
  plSweepHit hit = {.a = s->a, .b = s->b, .kind = PL_SWEEP_LAW, .i = index, .time = 1, .end = end};
  hit.point = *p, hit.point.tangent = -end, hit.mild = true;
  return pl_sweep_push(s, hit);
}

double pl_sweep_allowed(const plSweep* s, const plContactPoint* p) {
  return is_compliant(s, p) ? 1 : s->depth * (pl_sweep_rigid(s) ? 1 : PL_SWEEP_SOFT);
}

// m, the size of the cells of a soft side; infinite: it is rigid.
static double cell_of(const plCollider* c) { return c->deform >= 0 ? c->skin->solid : INFINITY; }

double pl_sweep_stop_of(const plSweep* s, double thin) {
  double stop = s->depth * (pl_sweep_rigid(s) ? PL_SWEEP_STOP_RIGID : PL_SWEEP_STOP) * thin;
  return fmin(stop, PL_SWEEP_STOP_CELL * fmin(cell_of(s->ca), cell_of(s->cb)));
}

plStatus pl_sweep_stop(plSweep* s, const plContactPoint* p, int index) {
  double thin = fmin(limit_of(s, s->ca, &p->a), limit_of(s, s->cb, &p->b)), end = pl_sweep_gap_after(s, p),
         stop = pl_sweep_stop_of(s, thin);
  // A spring has a stop of its own, beyond which it is near rigid.
  bool spring = p->spring.compliance > 0;
  if (spring) stop = s->depth * PL_SWEEP_STOP * thin + p->spring.stop - PL_SPRING_DEEPEST * thin;
  if (p->swept || (spring ? pl_contact_yields(s->data, s->ca, s->cb) : is_compliant(s, p))) return PL_OK;
  // A load on a heavy body that is at rest moves it by little in a step: whatever is sinking counts. Of a row
  // at the stop more counts, because what it yields does not add up.
  const bool row = !spring && p->spring.rest <= -stop;
  const double onward =
      (row ? PL_SWEEP_ONWARD * PL_SWEEP_SOFT * s->depth * pl_sweep_part(s) : PL_ROUNDING) * thin;
  if (!(end < -stop && end < p->gap - onward)) return PL_OK;
  // A second row at the same point: it pushes from the stop on. Points that were added to stop a motion take
  // no load: they resist a velocity, not a depth.
  plSweepHit hit = {.a = s->a, .b = s->b, .kind = PL_SWEEP_AT_STOP, .i = index, .time = 1, .end = end};
  hit.point = *p, hit.mild = hit.creeps = true;
  hit.point.spring = (plSpring){.rest = spring ? -stop : fmin(p->spring.rest, -stop)};
  hit.point.share *= PL_SWEEP_SHARE;
  return pl_sweep_push(s, hit);
}

plStatus pl_sweep_hold(plSweep* s, const plContactPoint* p, int index) {
  double thin = fmin(limit_of(s, s->ca, &p->a), limit_of(s, s->cb, &p->b)), end = pl_sweep_gap_after(s, p),
         deep = pl_sweep_allowed(s, p) * thin;
  // A rigid point that pushes only from a depth on.
  const double begin = p->spring.compliance > 0 ? 0 : fmin(p->spring.rest, 0);
  bool compliant = is_compliant(s, p), round = p->kind == PL_AREA_LINE || p->kind == PL_AREA_POINT;
  if (compliant && round) {
    plStatus status = hold_law(s, p, index, thin);
    if (status) return status;
  }
  // Surfaces with a stiffness, and springs, may deform by the thickness of the bodies; a half space has no
  // depth limit.
  if (compliant && !pl_sweep_knows(s)) return PL_OK;
  // Either the point sinks in by that much, or, between rigid surfaces with a stiffness, it is that deep and
  // still sinking.
  bool onward = compliant && pl_sweep_rigid(s) && end < -deep && end < p->gap - PL_SWEEP_ONWARD * deep;
  if (!(end < fmin(p->gap, begin) - deep || onward)) return PL_OK;
  plSweepHit hit = {.a = s->a, .b = s->b, .kind = PL_SWEEP_POINT, .i = index, .time = 1, .end = end};
  hit.point = *p, hit.mild = end > -thin;
  // The same point, as stiff as points from a motion, and stiffer in the next round.
  hit.point.share *= PL_SWEEP_SHARE;
  if (!p->swept) hit.point.swept = true, hit.point.position_a = hit.point.position_b = p->position;
  return pl_sweep_push(s, hit);
}

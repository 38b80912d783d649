// back.c: vertices of a crushed soft body that are inside a rigid box or mesh, or another soft body.
//
// A weak soft body may be crushed until its upper side falls through its lower one. These vertices turn their
// backs to the other surface, so no polygon contains them, or only one on the far side, beyond the depth
// limit. They must not sink in either. As in skin_plane.c, each vertex inside that has no other point gets
// one with half its area, on the closest facet. A vertex deeper than the limit is counted: it could be pushed
// out on the opposite side. A far side must not hide a near one: a vertex whose point lies there gets a
// second one.
#include <math.h>

#include "contact/pair.h"
#include "contact/thresholds.h"

// The vertices of P that no point represents, against Q.
typedef struct Backs {
  const plSkin *P, *Q;
  const plCollider* tool;  // that has Q
  const bool* held;        // [nvert] of P; NULL: none
  const bool* done;        // [nvert] of P: has a point; NULL: none has
  const int* partner;      // [nvert] of P: on that facet; NULL: none has one
  bool p_is_a;
} Backs;

// Whether no facet lies between x and the nearest side of the surface's box: a position inside a closed
// surface has one on every side. The ray begins slightly behind x, so that it also hits a facet on which x
// lies.
static bool is_free(const plSkin* Q, plVec3 x) {
  double room[6] = {x.x - Q->lower.x, Q->upper.x - x.x, x.y - Q->lower.y,
                    Q->upper.y - x.y, x.z - Q->lower.z, Q->upper.z - x.z};
  int nearest = 0;
  for (int k = 1; k < 6; k++)
    if (room[k] < room[nearest]) nearest = k;
  double side = nearest % 2 ? 1 : -1;
  plVec3 way = v3(nearest / 2 == 0 ? side : 0, nearest / 2 == 1 ? side : 0, nearest / 2 == 2 ? side : 0);
  return pl_tri_tree_ray(Q->tree, v3_madd(x, -PL_CLOSEST_SLACK * Q->cell, way), way, INFINITY).tri < 0;
}

// Whether x, in the box of the surface, is inside it, and the facet that is closest. No position inside
// is farther from the surface than the largest limit, which is half of a thickness.
static bool is_inside(const Backs* b, plVec3 x, plTriHit* hit) {
  const plSkin* Q = b->Q;
  plVec3 outward;
  bool box = b->tool->shape_id >= 0 && b->tool->shape.kind == PL_SHAPE_BOX;
  if (box && !(pl_shape_distance(&b->tool->shape, pose_apply_inverse(b->tool->pose, x), &outward) < 0))
    return false;
  // The surface of a soft body is closed.
  if (b->tool->deform >= 0 && is_free(Q, x)) return false;
  *hit = pl_tri_tree_closest(Q->tree, x, Q->limit);
  if (hit->tri < 0) return false;
  if (box) return true;
  // x lies above all facets around its closest point, with nothing between them: it is outside.
  if (pl_skin_is_above(Q, hit->tri, hit->point, x, PL_CLOSEST_SLACK)) return false;
  // The plain sum: the moments of the tree are those of an earlier position.
  return pl_tri_winding(Q->x, Q->tri, Q->ntri, x) > 0.5;
}

// Without branches: most vertices are outside, on any side.
static inline bool is_in_box(const plSkin* Q, plVec3 x) {
  return (x.x >= Q->lower.x) & (x.y >= Q->lower.y) & (x.z >= Q->lower.z) & (x.x <= Q->upper.x) &
         (x.y <= Q->upper.y) & (x.z <= Q->upper.z);
}

static bool boxes_meet(const plSkin* P, const plSkin* Q) {
  return P->lower.x <= Q->upper.x && Q->lower.x <= P->upper.x && P->lower.y <= Q->upper.y &&
         Q->lower.y <= P->upper.y && P->lower.z <= Q->upper.z && Q->lower.z <= P->upper.z;
}

// Whether all facets around vertex v turn their backs to n, or all face it: at a rim some are at right
// angles.
static bool is_no_rim(const plSkin* P, int v, plVec3 n) {
  bool back = true, front = true;
  for (int i = P->ring0[v]; i < P->ring0[v + 1]; i++) {
    double facing = v3_dot(skin_normal(P, P->ring[i]), n);
    back = back && facing > -PL_FACING, front = front && facing < PL_FACING;
  }
  return back || front;
}

// Whether the point of vertex v, which lies on a facet, is on a far side: another facet is closer. Deeper
// than loads press a point in (hold.c) it is, at a rim too.
static bool is_far(const Backs* b, int v, plVec3 x) {
  const plSkin* Q = b->Q;
  int f = b->partner ? b->partner[v] : -1;
  double depth = f < 0 ? 0 : v3_dot(v3_sub(skin_x(Q, Q->tri[3 * (size_t)f]), x), skin_normal(Q, f));
  if (!(depth > PL_DEEP * Q->cell)) return false;
  plTriHit near = pl_tri_tree_closest(Q->tree, x, depth / PL_CHEAPER);
  const double cell = b->tool->deform >= 0 ? fmin(b->P->solid, Q->solid) : b->P->solid;
  return near.tri >= 0 && (depth > PL_SWEEP_STOP_CELL * cell || is_no_rim(b->P, v, skin_normal(Q, near.tri)));
}

static plStatus emit_some(plPair* pair, void* context, int begin, int end) {
  const Backs* b = context;
  const plSkin *P = b->P, *Q = b->Q;
  for (int v = begin; v < end; v++) {
    plVec3 x = skin_x(P, v);
    plTriHit hit;
    if (!is_in_box(Q, x)) continue;
    if (P->vert_tri[v] < 0 || (b->held && b->held[v])) continue;
    const bool done = b->done && b->done[v];
    if ((done && !is_far(b, v, x)) || !is_inside(b, x, &hit)) continue;
    if (hit.t > fmin(P->vert_limit[v], Q->tri_limit[hit.tri])) {
      pair->list->deep += !done;
      continue;
    }
    double w[3], one = 1, area = PL_CLOSEST_SHARE * P->vert_area[v];
    pl_skin_barycentric(Q, hit.tri, x, w);
    plVec3 n = skin_normal(Q, hit.tri), position = v3_madd(x, 0.5 * hit.t, n);
    plOnSkin vertex = {1, &v, &one, P->vert_tri[v]}, facet = {3, Q->tri + 3 * (size_t)hit.tri, w, hit.tri};
    plStatus status =
        b->p_is_a ? pl_pair_push(pair, vertex, facet, position, v3_neg(n), -hit.t, area, PL_CLOSEST_SHARE)
                  : pl_pair_push(pair, facet, vertex, position, n, -hit.t, area, PL_CLOSEST_SHARE);
    if (status) return status;
  }
  return PL_OK;
}

bool pl_pair_has_backs(const plPair* pair, bool of_a) {
  return !pair->self && (of_a ? pair->ca : pair->cb)->deform >= 0;
}

plStatus pl_pair_emit_backs(plPair* pair) {
  Backs a = {pair->A, pair->B, pair->cb, pair->held_a, pair->done_a, pair->partner_a, true},
        b = {pair->B, pair->A, pair->ca, pair->held_b, pair->done_b, pair->partner_b, false};
  plStatus status = PL_OK;
  if (!boxes_meet(pair->A, pair->B)) return PL_OK;
  if (pl_pair_has_backs(pair, true)) status = pl_pair_in_parts(pair, a.P->nvert, 512, emit_some, &a);
  if (!status && pl_pair_has_backs(pair, false))
    status = pl_pair_in_parts(pair, b.P->nvert, 512, emit_some, &b);
  return status;
}

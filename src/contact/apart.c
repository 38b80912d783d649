// apart.c: pairs of surfaces that one plane shows to be farther apart than the margin.
//
// Boxes of two bodies often meet although the bodies are far from each other. The direction between the
// centres of the boxes separates most of these, and one product for each vertex shows it, while a search for
// facets would compare many of them and find nothing. No point has a gap larger than the margin, so no result
// changes.
#include "contact/pair.h"
#include "contact/thresholds.h"

// The largest product of d with a point of the surface, or with an interior vertex.
static double farthest(const plCollider* c, const plSkin* skin, plVec3 d) {
  if (!skin) {
    plConvex shape = pl_collider_convex(c);
    return v3_dot(pl_convex_support(&shape, d), d);
  }
  double most = -INFINITY;
  for (int v = 0; v < skin->nvert; v++) {
    double along = v3_dot(skin_x(skin, v), d);
    most = along > most ? along : most;
  }
  return most;
}

bool pl_pair_is_apart(const plPair* pair) {
  const plCollider *a = pair->ca, *b = pair->cb;
  plVec3 d = v3_unit(v3_sub(v3_add(b->lower, b->upper), v3_add(a->lower, a->upper)));
  double from = farthest(a, pair->A, d), to = -farthest(b, pair->B, v3_neg(d));
  return to - from > (1 + PL_ROUNDING) * pair->margin + PL_ROUNDING * (fabs(from) + fabs(to));
}

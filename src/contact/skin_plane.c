// skin_plane.c: vertices of a surface against a half space.
//
// A plane touches a polyhedron first at its vertices, so these are sufficient. A vertex whose distance to the
// plane is below the margin becomes a point. Its area is a third of each facet around it, projected onto the
// plane, so that the stiffness of a patch does not depend on the mesh. The projected area of a tip whose
// facets are all steep nearly vanishes, but its weight does not. A vertex none of whose facets faces the
// plane is not in contact while it is above; one deeper than the body is thick is counted. A surface with a
// contact stiffness has no depth limit: its law is meant to deform, a half space has no opposite side, and
// the force is finite.
//
// A weak soft body may be crushed until its upper side falls through its lower one. These vertices turn their
// backs to the plane and still must not sink in: below the plane each has a point, with half its area.
#include <math.h>

#include "contact/pair.h"
#include "contact/thresholds.h"
#include "geom/closest.h"

// The part of the vertex' area that faces the plane; 0 if neither the vertex nor any of its facets faces it.
// At least a share of the whole at a tip.
static double facing_area(const plSkin* s, int v, plVec3 towards) {
  double area = 0, most = 0;
  for (int i = s->ring0[v]; i < s->ring0[v + 1]; i++) {
    int t = s->ring[i];
    double facing = v3_dot(skin_normal(s, t), towards);
    area += s->tri_area[t] * max2(facing, 0) / 3, most = max2(facing, most);
  }
  if (!(most > 0)) return 0;
  double least = PL_CLOSEST_SHARE * s->vert_area[v];
  if (most > -PL_SOME_FACET && !(area < least)) return area;
  double tip = pl_skin_tip(s, v, towards);
  // Steep facets are the sides of a body, unless the vertex is the lowest of them: the tip of a needle.
  if (!(most > -PL_SOME_FACET || tip >= -PL_CLOSEST_SLACK)) return 0;
  return fmax(area, least * tip);
}

// The weight of the regularisation. A fold of a crushed body may carry others although little of it faces the
// plane: the deeper its vertex is, the larger is the least share, up to that of a back.
static double share_of(const plPair* pair, int v, double gap, double area) {
  const plSkin* s = pair->A;
  double share = s->vert_area[v] > 0 ? area / s->vert_area[v] : 0;
  if (pair->ca->deform < 0 || !(gap < 0) || !(s->vert_limit[v] > 0)) return share;
  return fmax(share, PL_CLOSEST_SHARE * fmin(1, -gap / s->vert_limit[v]));
}

static plStatus touch_some(plPair* pair, void* context, int begin, int end) {
  (void)context;
  const plSkin* s = pair->A;
  plPose pose = pair->cb->pose;
  plVec3 up = quat_rotate(pose.q, v3(0, 0, 1)), towards = v3_neg(up);
  plOnSkin plane = {.tri = -1};
  bool yields = pl_contact_yields(pair->data, pair->ca, pair->cb);
  for (int v = begin; v < end; v++) {
    if (s->vert_tri[v] < 0 || (pair->held_a && pair->held_a[v])) continue;
    double gap = v3_dot(v3_sub(skin_x(s, v), pose.p), up), one = 1;
    if (!(gap <= pair->margin)) continue;
    double area = facing_area(s, v, towards);
    if (!(area > 0) && gap < 0 && pair->ca->deform >= 0) area = PL_CLOSEST_SHARE * s->vert_area[v];
    if (!(area > 0)) continue;
    if (!yields && gap < -s->vert_limit[v]) {
      pair->list->deep++;
      continue;
    }
    plOnSkin vertex = {1, &v, &one, s->vert_tri[v]};
    plStatus status =
        pl_pair_push(pair, vertex, plane, skin_x(s, v), towards, gap, area, share_of(pair, v, gap, area));
    if (status) return status;
  }
  return PL_OK;
}

plStatus pl_contact_skin_plane(plPair* pair) {
  return pl_pair_in_parts(pair, pair->A->nvert, 1024, touch_some, NULL);
}

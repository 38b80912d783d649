// closest.h: the closest points of two facets, and whether two surfaces are locally closest there.
#ifndef PL_GEOM_CLOSEST_H
#define PL_GEOM_CLOSEST_H

#include "geom/skin.h"
#include "math/wide.h"

// Where a closest point lies on its facet: corner k, inside of side k (from corner k to k + 1), or inside.
enum { PL_AT_CORNER = 0, PL_AT_SIDE = 3, PL_AT_FACE = 6 };

typedef struct plFacetGap {
  double gap;           // m
  plVec3 a, b;          // the two points
  double wa[3], wb[3];  // barycentric coordinates on the two facets
  int at_a, at_b;       // PL_AT_CORNER + k, PL_AT_SIDE + k or PL_AT_FACE
} plFacetGap;

// The closest points of two triangles that do not intersect. Ties: corners above facets come first, then
// pairs of sides. If no points are nearer than most, gap is infinite.
plFacetGap pl_facet_gap(const plVec3 xa[3], const plVec3 xb[3], double most);

// Whether no point of the surface near the point of facet t (at as above) lies farther along the unit
// direction d: d is in the normal cone there, up to the sine slack.
bool pl_skin_farthest(const plSkin* skin, int t, int at, plVec3 d, double slack);

// A facet with data that the tests of its features need for any other facet. A plWide has one number for each
// corner or side; x_wide, e_wide and out have one plWide for each coordinate.
typedef struct plSides {
  const plSkin* skin;
  int t;
  plVec3 x[3], e[3], n;              // corners, sides from corner k to k + 1, normal
  plWide x_wide[3], e_wide[3];       // the same
  plWide out[3];                     // m, in the plane and away from the facet: e x n
  plWide base;                       // m^2, out . x
  plWide l2;                         // m^2, squared lengths of the sides
  bool convex[3], sharp[3], tip[3];  // sides; corners with a convex edge
} plSides;

void pl_sides_of(const plSkin* skin, int t, plSides* sides);

// One of two facets with data about the other: shared by the tests of their features.
typedef struct plBeside {
  const plSides* f;
  plWide height;           // m, of the other facet's corners above this one's plane
  plWide beyond[3];        // m^2, distance of the other's corner m beyond the sides, times their lengths
  plWide along[3];         // m^2, coordinate of the other's corner m along the sides: e_k . (y_m - x_k)
  double low[3], high[3];  // m^2, range of along over the corners
} plBeside;

// Call them in this order: heights; then distances beyond the sides. pl_skin_closest computes the rest.
void pl_beside_heights(const plSides* a, const plSides* b, plBeside* fa, plBeside* fb);
void pl_beside_beyond(plBeside* fa, plBeside* fb);

// Finds features of two facets, at most reach apart, at which the surfaces are locally closest: the direction
// between them is in the normal cone of each, up to the sine slack. They are then the closest points of the
// two facets. Returns false if there are none.
bool pl_skin_closest(plBeside* fa, plBeside* fb, double reach, double slack, plFacetGap* g);

// The smallest sine by which the edges around vertex v rise against the unit direction d: > 0 for a tip along
// d.
double pl_skin_tip(const plSkin* skin, int v, plVec3 d);

#endif

// thresholds.h: every number that decides which contact points there are.
//
// Each has its unit, its reason and a test that fails when it is doubled or halved (test/contact/
// test_thresholds.c). Lengths are relative to cells (the mesh's size at a place) or to bodies; sines and
// cosines have no unit.
#ifndef PL_CONTACT_THRESHOLDS_H
#define PL_CONTACT_THRESHOLDS_H

// ---- facets and facets (polygons.c, skin_pair.c, crossing.c)

// Cosine. Facets whose normals' product is less look at each other (within 75 degrees): their common part has
// a meaning. More of them would be slivers seen from the side.
#define PL_FACING -0.25
// Cosine. Of the facets around two features that are closest some look at each other by more than this: the
// direction between them is a sum of normals on either side. Tips sharper than 1.1 degrees are not seen on a
// facet; faces at right angles, of which there are many, cost no time.
#define PL_FACING_AT_ALL -0.01
// Part of a facet. A vertex this far outside still projects on it: neighbours leave cracks between them.
#define PL_INSIDE 1e-3
// Cells. A vertex deeper than this may lie beyond the other side of a body that is thinner there than behind
// the middle of the facet: a ray tells.
#define PL_DEEP 0.01
// Cosine. A vertex whose normal and a facet's have a larger product looks aside (73 degrees).
#define PL_VERTEX_FACING -0.3
// Cosine. Such a vertex touches where one of its facets looks at the other by this (3 degrees): a rim.
#define PL_SOME_FACET -0.05
// Cosine. Facets whose normals agree within 8 degrees go on as one.
#define PL_SAME_NORMAL 0.99
// Part of a facet. A common part of sharp facets that is smaller may be two edges that overlap.
#define PL_SLIVER 0.05
// Cosine. Facets that oppose each other within 14 degrees lie flat on each other.
#define PL_FACETS_FLAT 0.97
// Ratio. The mean of the normals at a crossing is this long where they agree: a flat patch.
#define PL_COHERENT 0.98
// Cosine. Edges push along their common perpendicular; where it is farther from the normals of their facets
// (60 degrees) they only seem to cross, seen from the side.
#define PL_PERPENDICULAR 0.5
// Cosine. A sharp edge on a dull one pushes along the dull one's normal, if that is this near to the facets'.
#define PL_FLAT_SIDE 0.7
// Ratio. Overlapping edges do not push where the way out through a neighbouring facet is shorter by this.
#define PL_CHEAPER 2

// ---- features that are locally closest (closest.c)

// Cells. All places are looked for whose distance is this much larger than that of the surfaces: parallel
// edges that are a little tilted. More costs time: facets that do not face each other are compared up to
// here.
#define PL_CLOSEST_REACH 0.5
// Sine. A direction this far outside a normal cone counts as inside: rounding of parallel edges and faces.
#define PL_CLOSEST_SLACK 1e-6
// Sine. The edges around an overlapping vertex that is a tip rise by at least this much: those of a face that
// lies flat do not.
#define PL_CLOSEST_TIP 0.05
// Cells. Points and vertices at this distance are the same: matching meshes, sides of neighbours.
#define PL_CLOSEST_SAME 0.02
// Share of a feature that no polygon gives an area: half a vertex, as for crossing edges (crossing.c).
#define PL_CLOSEST_SHARE 0.5
// Sine. Edges that are this parallel share a stretch, whose ends are the points; others cross in one.
#define PL_EDGES_PARALLEL 0.2

// ---- rigid meshes and smooth shapes (convex_pair.c)

// Part of a facet. A closest place with a smaller coordinate lies on the side.
#define PL_ON_SIDE 1e-6
// Sine. A neighbour may rise by this beyond a closest place: smooth shapes are found to 1e-5 or so.
#define PL_SIDE_SLACK 1e-4

#endif

// thresholds.h: every number that decides which contact points there are.
//
// Each has its unit and its reason. test/contact/test_thresholds.c names those whose tests fail when they are
// doubled or halved. Lengths are relative to cells (the mesh's size at a place) or to bodies; sines and
// cosines have no unit.
#ifndef PL_CONTACT_THRESHOLDS_H
#define PL_CONTACT_THRESHOLDS_H

// ---- margins and strength (collider.c, broad.c, find.c)

// m. Surfaces this near are looked at though nothing moves. The one absolute length: what regularisation and
// rounding leave open between bodies at rest does not depend on their size.
#define PL_MARGIN_LEAST 2e-4
// Steps. What approaches is seen as many steps before it touches, so that it may gain speed within one.
#define PL_MARGIN_ROOM 2
// Share. Slivers below this have no strength and are left out.
#define PL_SHARE_LEAST 1e-4
// Points. A patch of rigid bodies is as stiff as four points, however many it has.
#define PL_PATCH_POINTS 4
// Part of the thickness. Bodies that merely touch are apart a little inside, bodies in the same place are
// not.
#define PL_BURIED 0.2

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
// Cells. Facets whose distances from a vertex differ by less are equally near, as above their common edge.
#define PL_TIE 1e-9
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
#define PL_CLOSEST_REACH 0.25
// Sine, cells. A direction this far outside a normal cone counts as inside: rounding of parallel edges and
// faces. Features nearer than this have no direction between them.
#define PL_CLOSEST_SLACK 1e-6
// Cells. Points and vertices at this distance are the same: matching meshes, sides of neighbours.
#define PL_CLOSEST_SAME 0.02
// Share of a feature that no polygon gives an area: half a vertex, as for crossing edges (crossing.c).
#define PL_CLOSEST_SHARE 0.5
// Sine. Edges that are this parallel share a stretch, whose ends are the points; others cross in one.
#define PL_EDGES_PARALLEL 0.2

// ---- motions that run into something (sweep.c, step/guard.c)

// Thinner limits. A pair that moves less within a step cannot pass: what it runs into is in contact when the
// next step finds it.
#define PL_SWEEP_FAST 0.25
// Thinner limits. What a motion runs into counts if it ends deeper; less is what regularisation leaves.
#define PL_SWEEP_DEEP 0.1
// Sine. Edges that run into each other push along their common perpendicular, if no facet at them reaches
// farther along it than by this: an edge that is all but flat pushes along its facets' normal.
#define PL_SWEEP_RISE 0.2
// Margins at rest, max(0.2 mm, g dt^2). Pairs that move less within a step keep all their points, whether
// they will meet or not.
#define PL_SWEEP_SLOW 5
// Shares. Points of a motion are as much stiffer than others: the near-rigid term lets a body in by 1/40 of
// its way through the step, which is more than a thin plate.
#define PL_SWEEP_SHARE 50

// Thinner limits. How near shapes count as touching on their way: far below what counts as deep.
#define PL_SWEEP_TOUCH 1e-3
// PL_SWEEP_DEEPs. A smooth shape in moving facets, and a soft body at points that it has already: both give
// way around the place.
#define PL_SWEEP_ROUND 2
#define PL_SWEEP_SOFT 2.5
// PL_SWEEP_DEEPs. Points of rigid bodies that are slow are followed where they are this deep: a heavy body
// sinks into a light one a little more in every step.
#define PL_SWEEP_HELD 0.5
// PL_SWEEP_DEEPs. Such a point goes on going in if it does by more than this in the step; less is what
// regularisation leaves.
#define PL_SWEEP_ONWARD 0.01
// Times in the rest of a step at which shapes that touch are looked at: turning by 1.5 rad they show a place
// of another face at one of them. More cost time.
#define PL_SWEEP_LOOKS 8
// Solves with more points before the step is halved.
#define PL_SWEEP_ROUNDS 4
// Slices of a motion, each no longer than the body that moves: boxes around longer ones say nothing.
#define PL_SWEEP_SLICES 64

// ---- rounding, in any stage

// Ratio. What is less than this part of its own scale is rounding.
#define PL_ROUNDING 1e-9

// ---- rigid meshes and smooth shapes (convex_pair.c)

// Part of a facet. A closest place with a smaller coordinate lies on the side.
#define PL_ON_SIDE 1e-6
// Sine. A neighbour may rise by this beyond a closest place: smooth shapes are found to 1e-5 or so.
#define PL_SIDE_SLACK 1e-4
// Cosine. A flat side within 11 degrees of a facet lies on it.
#define PL_FLAT_ON_FACET 0.98
// Radii, cosine. Points of neighbouring facets that agree to this are one.
#define PL_SAME_PLACE 1e-6
// The closest places of smooth shapes are known less well than corners of facets.
#define PL_SAME_CLOSEST 1e-3
#define PL_SAME_DIRECTION 0.999

// ---- convex rigid shapes (convex_pair.c)

// Sine. Lines that are parallel within 3 degrees share a stretch.
#define PL_LINES_PARALLEL 0.05
// Radii. Corners that are farther than the closest place by less count in part, where one point is asked for.
#define PL_AS_CLOSE 0.1
// Radii. The closest points come on top of a patch whose corners are farther away than this; below a tenth of
// it one of the corners stands for them.
#define PL_LONELY 2e-3
#define PL_LONELY_LEAST 0.1

// Radii^2, radii. The least area of a patch and depth of a point, where a stiffness makes a force of them.
#define PL_AREA_LEAST 1e-6
#define PL_AREA_DEPTH 1e-4
// Ratio. The least product of two curvatures in squares of their mean: mantles that are all but parallel
// touch along a line of some length, not of any.
#define PL_AREA_OVAL 0.01
// Roots of a point's area. Points as near as this count for the area of a pair though they do not press.
#define PL_TOUCHING 1e-3

// ---- soft facets and smooth shapes (skin_smooth.c, where the law is derived; docs/contact.md)

// K = E* max(layer (1 + resolved r / h) A / h, punch sqrt(A), h^4 / (needle w^3)).
#define PL_SPRING_LAYER 2
#define PL_SPRING_RESOLVED 0.1
#define PL_SPRING_PUNCH 1.13
#define PL_SPRING_NEEDLE 4.6
// How much more a facet gives way in its middle than at its corners.
#define PL_SPRING_UNEVEN 1.5
// Half widths of the shape. Past this overlap the layer is stiffer by 1 + steep (h / w)^2.
#define PL_SPRING_HARD 0.4
#define PL_SPRING_STEEP 10
// Half widths, or thickness behind the facets. Past this mean overlap a point is as hard as any other.
#define PL_SPRING_STOP 0.35
// How far a vertex looks behind the closest place before there is an overlap:
// min(chord h^2 / 2 r + flat h, most min(r, w)).
#define PL_AHEAD_CHORD 0.1
#define PL_AHEAD_FLAT 0.06
#define PL_AHEAD_MOST 0.05
// Parts of a facet are small where the gap leaves its linear mean by less than this part of it.
#define PL_AHEAD_BEND 0.5

// ---- a body with itself (self.c, skin_pair.c, crossing.c)

// Thicknesses behind a facet. Facets farther apart at rest may touch: a layer must be pi times as long as it
// is thick to reach its own back. 3 to 12 give the same points, 2 fails a cube crushed to 20 %.
#define PL_SELF_NEAR 3
// Part of the distance at rest, thickness. Places near each other at rest are seen when they have come this
// much nearer; those of an inner corner that are this near at rest never touch: a bear's belly and legs.
#define PL_SELF_CLOSED 0.5
// Thickness. A corner this far behind the other facet, and one of that behind this, are two sides of a layer.
#define PL_SELF_BEHIND 1e-3
// Thickness. Near facets of which one lies this far in front of the other are like those of two bodies.
#define PL_SELF_IN_FRONT 0.25
// Thickness, or the facet's size. The deepest overlap: never as far as the other side of a layer.
#define PL_SELF_DEEPEST 0.5
// Part of that in an inner corner, where neighbours close up.
#define PL_SELF_CORNER 0.2
// Part of the gap, of the overlap. How far beyond an edge a vertex may project: folded meshes that match meet
// vertex on vertex, where no facet is below.
#define PL_BEYOND_OPEN 0.5
#define PL_BEYOND_DEEP 0.1

#endif

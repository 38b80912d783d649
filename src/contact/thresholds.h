// thresholds.h: all numbers that decide which contact points exist. (Those of single surfaces are in
// geom/thresholds.h, which this header includes.)
//
// Each has its unit and its reason. Tests (test/contact/test_thresholds*.c) fail when one is doubled or
// halved; tools/bite tries them all. A cell is the local size of the mesh. Sines and cosines have no unit.
#ifndef PL_CONTACT_THRESHOLDS_H
#define PL_CONTACT_THRESHOLDS_H

#include "geom/thresholds.h"

// ---- margins and weights (collider.c, broad.c, find.c)

// Fraction of the size of the smaller body. Surfaces closer than this are examined even if nothing moves.
#define PL_MARGIN_LEAST 2e-3
// Steps. An approaching body is seen this many steps before it touches, so that it may gain speed within one.
#define PL_MARGIN_ROOM 2
// Share. Slivers below this have no weight and are dropped; features that are locally closest stand for them.
#define PL_SHARE_LEAST 1e-4
// Points. A patch of rigid bodies is as stiff as four points, however many it has.
#define PL_PATCH_POINTS 4
// Fraction of the thickness. Slightly inside their surfaces, bodies that merely touch are separate, and
// bodies at the same position are not.
#define PL_BURIED 0.2

// ---- facets and facets (polygons.c, skin_pair.c, crossing.c)

// Cosine. Facets whose normals have a smaller product face each other (within 75 degrees), and their overlap
// is meaningful. Beyond that overlaps are slivers seen from the side. The same holds for edges, which push
// along their common perpendicular, or along the normal of the duller one: if that is farther from the
// normals of their facets, they only seem to cross.
#define PL_FACING -0.25
// Cosine. Among the facets around two closest features, some face each other by more than this, because the
// direction between the features is a sum of normals on either side. Tips sharper than 1.1 degrees are not
// seen on a facet. Faces at right angles, which are frequent, are skipped.
#define PL_FACING_AT_ALL -0.01
// Fraction of a facet. A vertex this far outside still projects onto it: projections of neighbours leave
// gaps.
#define PL_INSIDE 1e-3
// Cells. A vertex deeper than this may lie beyond the opposite side of a body that is thinner there than
// behind the middle of the facet: a ray decides.
#define PL_DEEP 0.01
// Cosine. A vertex whose normal has a larger product with a facet's normal faces sideways (73 degrees).
#define PL_VERTEX_FACING -0.3
// Cosine. Such a vertex touches if one of its facets faces the other side by this much (3 degrees): a rim.
#define PL_SOME_FACET -0.05
// Cosine. Facets whose normals agree within 8 degrees continue each other, and a flat side of a shape lies on
// a facet.
#define PL_SAME_NORMAL 0.99
// Fraction of a facet. A smaller overlap of sharp facets may be two overlapping edges.
#define PL_SLIVER 0.05
// Cosine. Facets that oppose each other within 14 degrees lie flat on each other.
#define PL_FACETS_FLAT 0.97
// Ratio. If the normals at a crossing agree, their mean is at least this long: a flat patch.
#define PL_COHERENT 0.98
// Cells. Convex edges that are not sharp push if they overlap by more. Facets of a curved surface that turn
// by 11 degrees from one to the next overlap by this much when their vertices touch.
#define PL_BLUNT_DEEP 0.1
// Ratio. Overlapping edges do not push if the way out through a neighbouring facet is shorter by this factor.
#define PL_CHEAPER 2

// ---- features that are locally closest (closest.c)

// Cells. Features are searched whose distance exceeds that of the surfaces by this: parallel edges with a
// small tilt. More costs time: facets that do not face each other are compared up to this distance.
#define PL_CLOSEST_REACH 0.25
// Sine, cells. A direction this far outside a normal cone counts as inside, because of rounding of parallel
// edges and faces. Features closer than this have no direction between them. Fraction of a facet, radii: a
// closest point with a smaller coordinate lies on the side, and corners this close are the same.
#define PL_CLOSEST_SLACK 1e-6
// Cells. Points and vertices closer than this are the same: matching meshes, sides of neighbours.
#define PL_CLOSEST_SAME 0.02
// Share of a feature that has no polygon area: half a vertex, as for crossing edges (crossing.c).
#define PL_CLOSEST_SHARE 0.5
// Sine. Edges this parallel share a segment, whose ends are the points; others cross in one point.
#define PL_EDGES_PARALLEL 0.2

// ---- motions that pass through something (sweep.c, step/guard.c)

// Smaller depth limits of the pair. A pair that moves less within a step cannot pass through: it is in
// contact when the next step finds it.
#define PL_SWEEP_FAST 0.25
// Smaller depth limits. A hit counts if it ends deeper; less is within the regularisation.
#define PL_SWEEP_DEEP 0.1
// Sine. Colliding edges push along their common perpendicular, if no facet at them reaches farther along it
// than by this: a nearly flat edge pushes along the normal of its facets.
#define PL_SWEEP_RISE 0.2
// Rest margins, max(PL_MARGIN_LEAST, g dt^2). Pairs that move less within a step keep all their points,
// whether they will meet or not.
#define PL_SWEEP_SLOW 5
// Shares. Points from a motion are this much stiffer than others: the near-rigid term lets a body penetrate
// by 1/40 of its displacement in the step, which is more than a thin plate.
#define PL_SWEEP_SHARE 50

// PL_SWEEP_DEEPs. For a smooth shape in moving facets, and for a soft body at its existing points: both
// deform around the point.
#define PL_SWEEP_ROUND 2
#define PL_SWEEP_SOFT 2.5
// PL_SWEEP_DEEPs. A load presses no point deeper: the near-rigid term yields by any depth under a load on
// light bodies and vertices. Rigid sides: finger tips that press on each other rest at 1.6, and a light plate
// shall sink by less than a tenth of its thickness. Soft sides: points of a grip at the edges of thin pads
// rest at up to 6.3.
#define PL_SWEEP_STOP_RIGID 1.8
#define PL_SWEEP_STOP 7.5
// Cells of a soft side. No load presses a point in deeper, however thick the body is: half a cell is more
// than the mesh can show.
#define PL_SWEEP_STOP_CELL 0.45
// PL_SWEEP_DEEPs. Rigid bodies that are this deep are followed however slow they are: turning sinks them in a
// little more in every step.
#define PL_SWEEP_HELD 0.5
// PL_SWEEP_DEEPs. A distance that counts as nothing, within the regularisation: such a point or pair still
// sinks if it moves in by more in the step, and moving shapes this close touch.
#define PL_SWEEP_ONWARD 0.01
// Number of times in the rest of a step at which touching shapes are sampled: in a turn of 1.5 rad one of
// them shows a point of another face. More cost time.
#define PL_SWEEP_LOOKS 8
// Solves with additional points, after which half of the hits must be gone; else the step is halved.
#define PL_SWEEP_ROUNDS 4

// ---- rigid meshes and smooth shapes (convex_pair.c)

// Sine. A neighbour may rise by this beyond a closest point: smooth shapes are found to about 1e-5.
#define PL_SIDE_SLACK 1e-4
// Radii, cosine. Points of neighbouring facets that agree to this are merged. (Corners of facets must agree
// to PL_CLOSEST_SLACK: the closest points of smooth shapes are less accurate.)
#define PL_SAME_CLOSEST 1e-3
#define PL_SAME_DIRECTION 0.999

// ---- convex rigid shapes (convex_pair.c)

// Sine. Lines that are parallel within 3 degrees share a segment.
#define PL_LINES_PARALLEL 0.05
// Radii. Corners that are farther away than the closest point by less than this have a partial weight, if one
// point is asked for.
#define PL_AS_CLOSE 0.1
// Radii. The closest points are added to a patch if its corners are farther away than this; below a tenth of
// it a corner represents them.
#define PL_LONELY 2e-3
#define PL_LONELY_LEAST 0.1

// Radii^2, radii. The smallest area of a patch and depth of a point, if a stiffness turns them into a force.
#define PL_AREA_LEAST 1e-6
#define PL_AREA_DEPTH 1e-4
// Ratio. The smallest product of two curvatures relative to the square of their mean: nearly parallel mantles
// touch along a line of limited length.
#define PL_AREA_OVAL 0.01
// Square roots of a point's area. Points closer than this count in the area of a pair even if they carry no
// force.
#define PL_TOUCHING 1e-3

// ---- soft facets and smooth shapes (skin_smooth.c, where the law is derived; docs/contact.md)

// K = E* max(layer (1 + resolved r / h) A / h, punch sqrt(A), h^4 / (needle w^3)).
#define PL_SPRING_LAYER 2
#define PL_SPRING_RESOLVED 0.1
#define PL_SPRING_PUNCH 1.13
#define PL_SPRING_NEEDLE 4.6
// Cosine. A part of a facet whose normal makes more than 78 degrees with the direction to the shape counts in
// proportion to their product: it may turn its back in the next step, and the force must not jump.
#define PL_SPRING_FACING 0.2
// Compliance of the middle of a facet relative to its corners.
#define PL_SPRING_UNEVEN 1.5
// Half widths of the shape. Beyond this overlap the layer is stiffer by 1 + steep (h / w)^2.
#define PL_SPRING_HARD 0.4
#define PL_SPRING_STEEP 10
// Half widths, or thickness behind the facets. Beyond this mean overlap a point is as stiff as any other.
#define PL_SPRING_STOP 0.35
// Cells, or thickness behind the facets. The same for the deepest position around a vertex: no overlap
// exceeds half a cell, and the near-rigid term takes the rest.
#define PL_SPRING_DEEPEST 0.4
// How far beyond the closest point a vertex integrates before there is an overlap: min(chord h^2 / 2 r + flat
// h, most min(r, w)).
#define PL_AHEAD_CHORD 0.1
#define PL_AHEAD_FLAT 0.06
#define PL_AHEAD_MOST 0.05

// ---- self-contact (self.c, skin_pair.c, crossing.c)

// Thicknesses behind a facet. Facets farther apart at rest may touch: a layer must be pi times as long as it
// is thick to reach its own back. 3 to 12 give the same points, 2 fails for a cube crushed to 20 %.
#define PL_SELF_NEAR 3
// Fraction of the distance at rest, thickness. Points near each other at rest are seen when they have
// approached by this; those of an inner corner that are this close at rest never touch: a bear's belly and
// legs.
#define PL_SELF_CLOSED 0.5
// Thickness. Two facets, each with a corner this far behind the other, are two sides of a layer.
#define PL_SELF_BEHIND 1e-3
// Thickness. Near facets of which one lies this far in front of the other are treated as facets of two
// bodies.
#define PL_SELF_IN_FRONT 0.25
// Thickness, or the facet's size. The deepest overlap: it never reaches the opposite side of a layer.
#define PL_SELF_DEEPEST 0.5
// Fraction of that in an inner corner, where neighbours close up.
#define PL_SELF_CORNER 0.2
// Fraction of the gap, of the overlap. How far beyond an edge a vertex may project: folded meshes that match
// meet vertex on vertex, with no facet below.
#define PL_BEYOND_OPEN 0.5
#define PL_BEYOND_DEEP 0.1

#endif

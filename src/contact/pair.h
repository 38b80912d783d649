// pair.h: contact points of one pair of colliders (docs/contact.md).
//
// Two surfaces of facets: features give the points, areas give their weights.
//   1. polygons   common parts of facets that face each other, with mortar areas          polygons.c
//   2. vertices   each vertex against the facet it projects on                            skin_pair.c
//   3. crossings  edges that cross, at least one of them sharp                            crossing.c
//   4. closest    what polygons do not show: tips, parallel edges, locally closest features    closest.c
//   5. backs      vertices of a crushed soft body inside another body                     back.c
// A surface with itself: the same, with its own polygons                                   self_polygons.c
// Pairs of many facets are shared by all threads, each phase in parts                       parts.c
// Pairs that a plane separates have no points                                              apart.c
// A surface and a half space: its vertices                                                skin_plane.c
// A soft surface and a round tool: integrals over the facets around each vertex           skin_smooth.c
// Two convex rigid shapes: their faces clipped along one normal                           convex_pair.c
#ifndef PL_CONTACT_PAIR_H
#define PL_CONTACT_PAIR_H

#include "contact/contact.h"
#include "contact/self.h"
#include "geom/clip.h"

// The overlap of two facets in projection.
typedef struct plPolygon {
  int a, b;                         // facets
  double mortar_a[3], mortar_b[3];  // m^2, half the integral of the shape function of each vertex
  int mark0, nmark;                 // its crossings, an interval of the same thread's marks
  double gap;                       // m, the smallest
} plPolygon;

// A crossing as one polygon sees it; marks with equal (ea, eb) are one crossing.
typedef struct plCrossMark {
  int ea, eb;
  double third;  // m^2
  plVec3 m;      // the polygon's normal
  bool flat;     // the two facets oppose each other within 14 degrees
  int crossing;  // index of the unique crossing
} plCrossMark;

// Facets near each other that may have contacts which polygons do not show.
typedef struct plNear {
  int a, b;
  double least2;  // m^2, a lower bound of their squared distance
} plNear;

// Two locally closest features, or a tip or ridge that overlaps, as one pair of facets sees it.
typedef struct plClosest {
  int ta, tb;           // facets
  double wa[3], wb[3];  // barycentric coordinates there
  plVec3 n;             // unit, from A to B
  double gap;           // m
  double whole;         // m^2, lumped area of the smaller feature
} plClosest;

// A unique crossing.
typedef struct plCrossing {
  int ea, eb;
  plVec3 m;     // sum of third times normal
  double raw;   // sum of thirds
  double area;  // m^2, gives its weight
  bool flat, keep;
} plCrossing;

// The results of one part of a loop over a pair, in the memory of the thread that ran it.
typedef struct plPairRun {
  plPairScratch* scratch;
  int polygon0, npolygon;
  int mark0, nmark;
  int near0, nnear;
  int closest0, nclosest;
  int point0, npoint;
} plPairRun;

// One pair in progress.
typedef struct plPair {
  const plModel* model;
  const plData* data;
  const plCollider *ca, *cb;
  plSkin *A, *B;          // of the two colliders, may be NULL
  const plSelf* self;     // if A and B are one body with self-contact, else NULL
  double margin;          // m, gaps up to this are contact points
  double reach;           // m, locally closest features up to this distance are searched
  bool *held_a, *held_b;  // [nvert] vertices attached to the other side, which do not touch it; NULL: none
  plPairList* list;       // out
  plPairScratch* scratch;
  plArena *arena, *points;    // of the scratch
  plPool* pool;               // threads of a large pair; NULL: this thread alone
  plPairScratch* workers;     // [pool size] scratch of each thread
  plPairRun* run;             // [nrun] polygons and marks, in the order of the traversal
  int nrun, npolygon, nmark;  // number of runs; totals over all runs
  int nnear;
  plCrossing* crossing;  // [ncrossing]
  int ncrossing;
  int *partner_a, *partner_b;  // [nvert] facet of the other side onto which a vertex projects, -1: none
  double *area_a, *area_b;     // [nvert] m^2
  bool *done_a, *done_b;       // [nvert] the vertex has a point; NULL: none has
} plPair;

// ---- parts.c: loops over one pair

// Runs body over [0, n), on all threads if the pair is large, in parts of at least grain indices. A part
// writes to the list and scratch of its thread; afterwards pair->list has the points and counts of all parts
// in their order, so no bit depends on their number.
typedef plStatus plPartBody(plPair* part, void* context, int begin, int end);
plStatus pl_pair_in_parts(plPair* pair, int n, int grain, plPartBody* body, void* context);
// The same; pair->run then locates the polygons and marks of the parts.
plStatus pl_pair_in_runs(plPair* pair, int n, int grain, plPartBody* body, void* context);

// Whether one plane shows that two surfaces, or a surface and a round shape, are farther apart than the
// margin; false: not known. apart.c
bool pl_pair_is_apart(const plPair* pair);

// All points of the pair, into pair->list.
plStatus pl_contact_skin_pair(plPair* pair);    // facets and facets
plStatus pl_contact_skin_plane(plPair* pair);   // A facets, B a half space
plStatus pl_contact_skin_smooth(plPair* pair);  // A soft facets, B a smooth shape
plStatus pl_contact_skin_convex(plPair* pair);  // A rigid facets, B a smooth shape
plStatus pl_contact_convex_pair(plPair* pair);  // two convex rigid shapes
plStatus pl_contact_convex_at(plPair* pair, const plConvex* A,
                              const plConvex* B);  // the same with given convex shapes
plStatus pl_contact_convex_plane(plPair* pair);    // A a smooth rigid shape, B a half space

// 1. Polygons and marks, from the facets of A and B that are near and face each other.
plStatus pl_pair_polygons(plPair* pair);
plStatus pl_self_polygons(plPair* pair);  // the same for a body with itself
// Writes facets that may come near each other soon to `near` of the runs and makes the list from them.
// self_list.c
plStatus pl_self_list_gather(plPair* pair, double margin);
plStatus pl_self_list_make(plPair* pair, double margin, bool lasts);
// The polygon of facets a and b, if they have one with gaps between low and high.
plStatus pl_pair_add_polygon(plPair* pair, int a, int b, double low, double high);
// Unique crossings of the marks, sorted by edges.
plStatus pl_pair_merge_crossings(plPair* pair);
// Whether a facet of Q lies between a point of its surface and x behind it.
bool pl_pair_is_cut(const plSkin* Q, plVec3 surface, plVec3 x);
// Whether x, below a point of Q's surface, lies beyond the opposite side of the body.
bool pl_pair_came_through(const plSkin* Q, plVec3 surface, plVec3 x);
// Whether x, below the plane of facet f and with coordinates w inside or slightly outside of it, is past an
// edge or a tip around f that is thinner than x is deep: in front of another facet there. A vertex that is
// flush with f keeps its point on a rim whose sides lean over it by less than 15 degrees.
bool pl_pair_is_past(const plSkin* Q, int f, const double w[3], plVec3 x, bool flush);
// Whether x lies inside a closed surface.
bool pl_pair_lies_in(const plSkin* Q, plVec3 x);
// 3. Points of the crossings that are kept.
plStatus pl_pair_emit_crossings(plPair* pair);
// 4. Points of near facets, where no other point represents them.
plStatus pl_pair_emit_closest(plPair* pair);
// 5. Vertices of a soft body inside another surface that have no other point. back.c
bool pl_pair_has_backs(const plPair* pair, bool of_a);
plStatus pl_pair_emit_backs(plPair* pair);

// ---- points

// One side of a new point: weights on vertices of the skin and the facet it lies on (-1: none); n = 0 for
// shapes without a skin.
typedef struct plOnSkin {
  int n;
  const int* vert;
  const double* weight;
  int tri;
} plOnSkin;

// Appends a point. Slivers (share < 1e-4) are counted and dropped.
plStatus pl_pair_push(plPair* pair, plOnSkin a, plOnSkin b, plVec3 position, plVec3 normal, double gap,
                      double area, double share);
// The same with a spring in series.
plStatus pl_pair_push_spring(plPair* pair, plOnSkin a, plOnSkin b, plVec3 position, plVec3 normal, double gap,
                             double area, double share, plSpring spring);
// The position of a weighted mean of vertices.
plVec3 pl_pair_position(const plSkin* skin, plOnSkin at);
// Weights of rigid pairs: a patch is as stiff as four points, however many it has, each weighted by its area;
// a single point counts as one.
void pl_pair_share_rigid(plPair* pair);

// Reduces flat patches of more than limit points to limit points with the same area, first moments and mean
// gap. reduce.c
plStatus pl_pair_reduce(plPair* pair, int limit);

#endif

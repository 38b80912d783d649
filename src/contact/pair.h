// pair.h: contact points of two closed surfaces: points from features, strength from areas (docs/contact.md).
//
//   1. polygons   common parts of facets that face each other, with mortar areas          polygons.c
//   2. vertices   each vertex against the facet it projects on                            skin_pair.c
//   3. crossings  edges that cross, at least one of them sharp                            crossing.c
#ifndef PL_CONTACT_PAIR_H
#define PL_CONTACT_PAIR_H

#include "contact/contact.h"
#include "geom/clip.h"

// The common part of two facets.
typedef struct plPolygon {
  int a, b;                         // facets
  double mortar_a[3], mortar_b[3];  // m^2, half the integral of each vertex' shape function
  int mark0, nmark;                 // its crossings
} plPolygon;

// A crossing as seen by one polygon; equal (ea, eb) are one crossing.
typedef struct plCrossMark {
  int ea, eb;
  double third;   // m^2
  plVec3 m;       // the polygon's normal
  bool flat;      // the two facets oppose each other within 14 degrees
  int crossing;   // index of the unique crossing
} plCrossMark;

// A unique crossing.
typedef struct plCrossing {
  int ea, eb;
  plVec3 m;       // sum of third times normal
  double raw;     // sum of thirds
  double area;    // m^2, strength
  bool flat, keep;
} plCrossing;

// One pair at work. Lists live in the step's arena or are kept by the caller between steps.
typedef struct plPair {
  plSkin *A, *B;
  plContactSide side_a, side_b;  // body or shape; vertices are filled in
  int vert0_a, vert0_b;          // first vertex of the body in the model
  double window;                 // m, gaps up to here count
  plData* data;
  int npolygon, nmark;           // entries of work->polygon and work->mark
  plCrossing* crossing;          // [ncrossing]
  int ncrossing;
  int *partner_a, *partner_b;    // [nvert] facet of the other side that a vertex projects on, -1: none
  double *area_a, *area_b;       // [nvert] m^2
} plPair;

// All points of the pair, appended to work->point.
plStatus pl_contact_skin_pair(plPair* pair);

// 1. polygon and mark, from the facets of A and B that are near and face each other.
plStatus pl_pair_polygons(plPair* pair);
// Unique crossings of the marks, sorted by edges.
plStatus pl_pair_merge_crossings(plPair* pair);
// 3. points of the crossings that are kept.
plStatus pl_pair_emit_crossings(plPair* pair);

// Appends a point with the given weights on skin vertices; na, nb up to 3.
plStatus pl_pair_push(plPair* pair, int na, const int* va, const double* wa, int nb, const int* vb, const double* wb, plVec3 normal,
                      double gap, double area, double share);

#endif

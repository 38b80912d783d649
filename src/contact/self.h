// self.h: self-contact of a deformable body (docs/contact.md).
//
// The rest shape alone decides what may touch, without memory of earlier steps: neighbours in the mesh and
// the two sides of one layer of material never touch; two folds may. Everything else is as between two
// surfaces: polygons, vertices on facets, crossings of edges (pair.h).
//
//   1. tables of the rest shape, margins, relation of facets            self.c
//   2. a tree of facets with similar positions and normals at rest      self_tree.c
//   3. polygons, by traversing the tree of boxes with itself            self_polygons.c
//   4. a list of facets that may come near each other, which saves the traversal in most steps  self_list.c
#ifndef PL_CONTACT_SELF_H
#define PL_CONTACT_SELF_H

#include "contact/contact.h"
#include "contact/thresholds.h"

// Relation of two facets at rest.
typedef enum plKin {
  PL_KIN_OWN,     // neighbours, or two sides of one layer: never in contact
  PL_KIN_BESIDE,  // near each other, and neither in front of the other: an inner corner
  PL_KIN_APART    // like facets of two bodies
} plKin;

// Two facets that are not PL_KIN_OWN.
typedef struct plSelfPair {
  int a, b;
  plKin kin;
  double distance;  // m, lower bound of their distance when the list was made
  double shallow;   // m, depth limit, the smaller of the two
} plSelfPair;

// All such pairs that were nearer than max(margin, depth limit) + room when the list was made.
typedef struct plSelfList {
  plSelfPair* pair;  // [npair] sorted, a < b
  int npair, cap;
  int* first;                  // [ntri + 1] memory
  double *x, *normal;          // [3 nvert] m, [3 ntri] at that time
  double margin, room;         // m; room 0: no list yet
  double* displacement;        // [ntri] m, displacement of a facet since then, minus the rigid motion
  double* vert_displacement2;  // [nvert] m^2, the same for a vertex, squared
  double moved;                // m, how much nearer two points may have come since then
} plSelfList;

// Self-contact of one body, in the memory of a simulation.
typedef struct plSelf {
  // the rest shape, constant
  const double* x;  // [3 nvert] m
  double* normal;   // [3 ntri]
  double* centre;   // [3 ntri] m
  double* corner;   // [9 ntri] m
  double* radius;   // [ntri] m, of the facet about its centre
  double* shallow;  // [ntri] m, deepest overlap that still counts as contact; never reaches the opposite side
  double deepest;   // m, the largest of these
  plTriTree tree;   // order and nodes without boxes
  // the step
  const double* v;  // [3 nvert] m/s
  double* u;        // [3 nvert] m/s, velocities minus the body's best-fit rigid motion
  bool crowded;     // another body is near and may stop a part of this one within the step
  double dt;        // s
  double least;     // m, margin if nothing moves
  double drift;     // m, displacement due to gravity and loads within the step
  double strain;    // m, displacement of parts relative to each other due to loads alone
  plSelfList list;  // kept from step to step; saves time, changes no result
} plSelf;

// NULL if memory runs out.
plSelf* pl_self_create(const plModel* model, int body, const plSkin* skin);
void pl_self_destroy(plSelf* self);
// Whether any two facets are not PL_KIN_OWN.
bool pl_self_may_touch(const plSelf* self, const plSkin* skin);
// self->tree from centres and normals; false: memory ran out.
bool pl_self_tree_create(plSelf* self, const plSkin* skin);

// ---- self_list.c
bool pl_self_list_create(plSelf* self, const plSkin* skin);
void pl_self_list_destroy(plSelf* self);
// Updates list.moved and the displacements for the present surface.
void pl_self_list_measure(plSelf* self, const plSkin* skin);
// Whether the list contains all pairs of facets that may be in contact now, with margins up to reach, or that
// meet during a motion in which no two points approach each other by more than reach (m).
bool pl_self_list_holds(const plSelf* self, double reach);
// Whether a list made now, with this margin, would last at this speed relative to the rigid motion.
bool pl_self_list_will_last(const plSelf* self, const plSkin* skin, double margin, double fastest);
// m, lower bound of the present distance of the two facets.
static inline double pl_self_list_distance(const plSelfList* list, const plSelfPair* p) {
  return p->distance - list->displacement[p->a] - list->displacement[p->b];
}

// Velocities and margins of the step; skin->x must be up to date.
void pl_self_update(const plModel* model, const plData* data, const plCollider* c);

plKin pl_self_kin(const plSelf* self, const plSkin* skin, int a, int b);
// The deepest overlap of facets a and b that counts as contact (m).
double pl_self_deepest(const plSelf* self, plKin kin, int a, int b);
// Whether vertex v on facet f, or the crossing of two edges, is deeper than that for any of the facets around
// it. *counts is true if all of these are PL_KIN_APART, so that it is a real overlap and not a closed corner.
bool pl_self_is_deep_vertex(const plSelf* self, const plSkin* skin, int v, int f, double gap, bool* counts);
bool pl_self_is_deep_crossing(const plSelf* self, const plSkin* skin, int ea, int eb, double gap,
                              bool* counts);

// Whether all facets around the vertex and the facet, or around the two edges, are PL_KIN_APART: only these
// are checked for passage (sweep_skins.c).
bool pl_self_vertex_apart(const plSelf* self, const plSkin* skin, int v, int f);
bool pl_self_edges_apart(const plSelf* self, const plSkin* skin, int ea, int eb);
// The largest distance by which parts of the body can approach each other during the motion from skin->x to
// x1, whose mean is given: twice the largest displacement relative to the best-fit rigid motion (m).
double pl_self_approach(const plSkin* skin, const double* x1, plVec3 mean, plArena* arena);
// [ntri] m, the largest such displacement of a corner of each facet. Two facets come nearer by at most the
// sum of theirs, since a rigid motion along straight lines brings no two points nearer. NULL: memory ran out.
double* pl_self_displacements(const plSkin* skin, const double* x1, plVec3 mean, plArena* arena);

// The margin for two parts that approach each other with at most du (m/s), or for a part with this speed that
// another body stops.
static inline double pl_self_margin(const plSelf* self, double du, double speed) {
  double fast = self->crowded && speed > PL_MARGIN_ROOM * du ? speed : PL_MARGIN_ROOM * du,
         margin = self->dt * fast + self->drift;
  return margin > self->least ? margin : self->least;
}

// The same for two points on facets a and b, where `offset` leads from one to the other at rest (m): infinite
// for points far apart at rest; -infinite for neighbours, which never touch.
double pl_self_margin_near(const plSelf* self, const plSkin* skin, int a, int b, plVec3 offset, double du);

// Whether a point x of the surface, with this normal and depth limit (m), lies inside another part of the
// body. A facet of a third layer behind x is no overlap.
bool pl_self_is_buried(const plSkin* skin, plVec3 x, plVec3 normal, double limit);
// The same, and x itself lies in that part: behind the plane of a facet, a point beyond the rim of its layer
// is outside, even if another part overlaps the material below it.
bool pl_self_lies_in(const plSkin* skin, plVec3 x, plVec3 normal, double limit);
// The number of vertices that lie inside another part of the body.
int pl_self_count_buried(const plSkin* skin);

#endif

// self.h: a deformable body that touches itself (docs/contact.md).
//
// What may touch is decided by the shape at rest, without memory of earlier steps: neighbours in the mesh and
// the two sides of one layer of material are no contact, whatever the body does; two folds of it are. All
// else is as between two surfaces: polygons, vertices on facets, crossings of edges (pair.h).
//
//   1. tables of the shape at rest, windows, who is kin to whom        self.c
//   2. a tree of facets that are near each other and look alike         self_tree.c
//   3. polygons, by descending the tree of boxes with itself           self_polygons.c
//   4. a list of facets that may come near each other, which saves the descent in most steps   self_list.c
#ifndef PL_CONTACT_SELF_H
#define PL_CONTACT_SELF_H

#include "contact/contact.h"
#include "contact/thresholds.h"

// Two facets at rest.
typedef enum plKin {
  PL_KIN_OWN,     // neighbours, or two sides of one layer: never in contact
  PL_KIN_BESIDE,  // near each other, and neither in front of the other: an inner corner
  PL_KIN_APART    // like facets of two bodies
} plKin;

// Two facets that are not own.
typedef struct plSelfPair {
  int a, b;
  plKin kin;
  double distance;  // m, no smaller was it when the list was made
  double shallow;   // m, the smaller of the two
} plSelfPair;

// All of them that were nearer than max(window, depth limit) + room when the list was made.
typedef struct plSelfList {
  plSelfPair* pair;  // [npair] sorted, a < b
  int npair, cap;
  int* first;           // [ntri + 1] memory
  double *x, *normal;   // [3 nvert] m, [3 ntri] then
  double window, room;  // m; room 0: no list yet
  double* way;          // [ntri] m, how far a facet has moved since then, less the rigid motion
  double* vert_way2;    // [nvert] m^2, the same of a vertex, squared
  double moved;         // m, by how much two places may have come nearer
} plSelfList;

// One body, in the memory of a simulation.
typedef struct plSelf {
  // the shape at rest, constant
  const double* x;  // [3 nvert] m
  double* normal;   // [3 ntri]
  double* centre;   // [3 ntri] m
  double* corner;   // [9 ntri] m
  double* radius;   // [ntri] m, of the facet about its centre
  double* shallow;  // [ntri] m, deepest overlap that is still contact: never as far as the other side
  double deepest;   // m, of all
  plTriTree tree;   // order and nodes without boxes
  // the step
  const double* v;  // [3 nvert] m/s
  double* u;        // [3 nvert] m/s, velocities less the body's best rigid motion
  bool crowded;     // something else is near and may stop a part of the body within the step
  double dt;        // s
  double drift;     // m, what gravity and loads add to the motion within the step
  double strain;    // m, what loads alone move parts against each other by
  plSelfList list;  // kept from step to step; saves time, changes no result
} plSelf;

// NULL if memory runs out.
plSelf* pl_self_create(const plModel* model, int body, const plSkin* skin);
void pl_self_destroy(plSelf* self);
// self->tree from centres and normals; false: memory ran out.
bool pl_self_tree_create(plSelf* self, const plSkin* skin);

// ---- self_list.c
bool pl_self_list_create(plSelf* self, const plSkin* skin);
void pl_self_list_destroy(plSelf* self);
// list.moved and way, for the surface as it is now.
void pl_self_list_measure(plSelf* self, const plSkin* skin);
// Whether the list has all pairs of facets that may be contact now, with windows up to reach, or that meet in
// a motion in which no two places come nearer by more than reach (m).
bool pl_self_list_holds(const plSelf* self, double reach);
// Whether a list made now would last, with that window and that speed less the rigid motion.
bool pl_self_list_will_last(const plSelf* self, const plSkin* skin, double window, double fastest);
// m, no smaller is the distance of the two facets now.
static inline double pl_self_list_distance(const plSelfList* list, const plSelfPair* p) {
  return p->distance - list->way[p->a] - list->way[p->b];
}

// Velocities and margins of the step; skin->x must be up to date.
void pl_self_update(const plModel* model, const plData* data, const plCollider* c);

plKin pl_self_kin(const plSelf* self, const plSkin* skin, int a, int b);
// How deep an overlap of facets a and b may be and still be contact (m).
double pl_self_deepest(const plSelf* self, plKin kin, int a, int b);
// Whether vertex v on facet f, or the crossing of two edges, is deeper than that for any of the facets
// around; *counts: all of these are apart, so that it is an overlap, not a corner that is closed.
bool pl_self_is_deep_vertex(const plSelf* self, const plSkin* skin, int v, int f, double gap, bool* counts);
bool pl_self_is_deep_crossing(const plSelf* self, const plSkin* skin, int ea, int eb, double gap,
                              bool* counts);

// Whether all facets around the vertex and the facet, or around the two edges, are like those of two bodies:
// what a motion may run into (sweep_skins.c).
bool pl_self_vertex_apart(const plSelf* self, const plSkin* skin, int v, int f);
bool pl_self_edges_apart(const plSelf* self, const plSkin* skin, int ea, int eb);
// How far parts of the body can come nearer to each other on the way from skin->x to x1, whose mean is given:
// twice the farthest way less the best rigid motion (m).
double pl_self_approach(const plSkin* skin, const double* x1, plVec3 mean, plArena* arena);

// How far ahead the step looks where two parts approach each other with at most du (m/s), or where a part
// that moves with speed is stopped by something else.
static inline double pl_self_window(const plSelf* self, double du, double speed) {
  double fast = self->crowded && speed > PL_MARGIN_ROOM * du ? speed : PL_MARGIN_ROOM * du,
         window = self->dt * fast + self->drift;
  return window > PL_MARGIN_LEAST ? window : PL_MARGIN_LEAST;
}

// The same for two places on facets a and b, which lie `way` apart at rest (m, from a to b): infinite for
// those that are far from each other there; -infinite for neighbours, which never touch.
double pl_self_window_near(const plSelf* self, const plSkin* skin, int a, int b, plVec3 way, double du);

// Vertices that lie inside another part of the body.
int pl_self_count_buried(const plSkin* skin);

#endif

// contact.h: from positions to contact points.
#ifndef PL_CONTACT_CONTACT_H
#define PL_CONTACT_CONTACT_H

#include "geom/convex.h"
#include "geom/shape.h"
#include "model/work.h"

// Anything that can touch: deformable bodies first, then rigid shapes, numbered as in plContact.
typedef struct plCollider {
  int deform, shape_id;  // one of them is -1
  int body, node;        // rigid body that carries the shape, and its moving frame; -1: the world
  int held;              // the same for all frames that rigid welds hold together (broad.c)
  bool on;               // takes part in contact: switched on, and `collide` is set
  plSkin* skin;          // facets in the world; NULL: a shape with an exact distance
  plShape shape;         // rigid shapes
  const plHull* hull;    // of a mesh that is declared convex, else NULL
  plPose pose;
  plVec3 lower, upper;    // m, its bounding box; infinite for a half space
  plVec3 middle, half;    // m, the box of a moving rigid mesh in its own frame
  bool rough;             // box, velocity and spread are bounds from that; its facets have old positions
  double least;           // m, margin if nothing moves
  plVec3 velocity;        // m/s, mean
  double spread;          // m/s, largest deviation from it
  double drift;           // m, displacement due to loads within a step, besides gravity
  double strain_drift;    // m, displacement of its parts relative to each other due to loads
  struct plSelf* self;    // of a deformable with self-contact, else NULL
  struct plRound* round;  // of a rigid mesh without sharp edges, else NULL
} plCollider;

// The points of one pair; the list keeps its memory from step to step.
typedef struct plPairList {
  int a, b;               // colliders, a < b; a = b: a body with itself
  double margin;          // m, gaps up to this are contact points
  plContactPoint* point;  // [npoint]
  int npoint, cap;
  bool large;         // all threads share it
  int candidates;     // pairs of facets that were compared
  int skipped, deep;  // degenerate candidates; overlaps deeper than the limit
  int merged;         // points that were merged with others
  plStatus status;
} plPairList;

// Memory of one thread.
typedef struct plPairScratch {
  struct plPolygon* polygon;
  struct plCrossMark* mark;
  struct plNear* near;
  struct plClosest* closest;
  int npolygon, polygon_cap;
  int nmark, mark_cap;
  int nnear, near_cap;
  int nclosest, closest_cap;
  plPairList list;  // points of large pairs that this thread found
  plArena arena;    // tables of the present pair: all pairs use the same memory, which stays in cache
  plArena points;   // vertices and weights of the points
} plPairScratch;

// Memory of the contact stage between steps. The order only saves time; it affects no result.
typedef struct plContactWork {
  plCollider* collider;  // [ncollider]
  int ncollider;
  int non;          // colliders that are on
  int* order;       // [ncollider] by lower.x
  uint64_t* apart;  // [napart] sorted pairs of bodies that never touch
  int napart;
  uint64_t* candidate;  // [ncandidate] pairs whose boxes overlap, sorted
  int ncandidate, candidate_cap;
  int* near;         // colliders that move and are in a candidate pair
  plPairList* list;  // [nlist] in the order of the pairs; [list_cap] exist
  int nlist, list_cap;
  plPairScratch* scratch;  // [nscratch] one a thread
  int nscratch;
  struct plSweepHit* hit;  // obstacles in the way of a motion (sweep.h); keeps its memory
  int hit_cap;
} plContactWork;

enum { PL_CONTACT_LARGE = 1000 };  // from this number of facets on, several threads share a pair

// Finds the contact points of the configuration at the start of the step: work->point, sorted by (A, B,
// feature).
plStatus pl_contact_find(const plModel* model, plData* data);
// The sides of the k-th pair of that search whose overlap contact ignores because it is too deep
// (report.deep); false after the last.
bool pl_contact_deep_pair(const plData* data, int k, plSide* a, plSide* b);

// Removes points of fast pairs whose motion misses. miss.c
plStatus pl_contact_drop_misses(const plModel* model, plData* data);

// ---- collider.c: positions, boxes and speeds of all colliders; normals, areas and trees of those in a
// candidate pair that needs them
void pl_contact_colliders(const plModel* model, plData* data);
plStatus pl_contact_shapes(const plModel* model, plData* data);
// The margin of two colliders if nothing moves (m).
double pl_contact_least(const plCollider* a, const plCollider* b);
// The margin of two colliders (m): twice the distance by which they can approach each other in a step, at
// least that with either of them stopped by a third body, plus the displacement due to gravity.
double pl_contact_margin(const plData* data, const plCollider* a, const plCollider* b);
// The same for a point with normal n: two bodies that move together along the surface do not approach each
// other if one of them stops. (Two that slide on each other do: the convex law lifts them by mu dt times
// their speed.)
double pl_contact_margin_along(const plData* data, const plCollider* a, const plCollider* b, plVec3 n);
plConvex pl_collider_convex(const plCollider* c);
// m, the radius of its shape, else half of the smallest side of its shape or hull.
double pl_collider_radius(const plCollider* c);
// Whether one of the two surfaces has a contact_stiffness.
bool pl_contact_yields(const plData* data, const plCollider* a, const plCollider* b);
// Boxes and hulls: convex, with flat faces. Two of them touch without their facets (convex_pair.c).
static inline bool pl_contact_has_flat_faces(const plCollider* c) {
  return c->shape_id >= 0 && (c->shape.kind == PL_SHAPE_BOX || c->hull);
}
// Moves the facets of a rigid mesh to its pose, and finds its box, velocity and spread.
void pl_collider_move(const plModel* model, const plData* data, plCollider* c);
// [nvert] vertices of a deformable that are attached to the other side, or to which the other side is
// attached; they do not touch it. NULL: none. find.c
bool* pl_contact_held(const plModel* model, const plData* data, plArena* arena, const plCollider* soft,
                      const plCollider* holder);

// ---- broad.c: pairs whose boxes overlap and that may touch, into work->candidate
plStatus pl_contact_broad(const plModel* model, plData* data);
uint64_t* pl_contact_filters(const plModel* model, int* n);
bool pl_contact_may_touch(const plModel* model, const plContactWork* work, int a, int b);
// Whether the pair is among the candidates of this step.
bool pl_contact_is_candidate(const plContactWork* work, int a, int b);

#endif

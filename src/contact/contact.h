// contact.h: from positions to contact points.
#ifndef PL_CONTACT_CONTACT_H
#define PL_CONTACT_CONTACT_H

#include "geom/convex.h"
#include "geom/distance.h"
#include "model/work.h"

// Anything that can touch: deformable bodies first, then rigid shapes, as plContact counts them.
typedef struct plCollider {
  int deform, geom;    // one of them is -1
  int body, node;      // rigid body that carries the shape, and its moving frame; -1: the world
  bool on;             // takes part: switched on, and meant to collide
  plSkin* skin;        // facets in the world; NULL: a shape with an exact distance
  plShape shape;       // rigid shapes
  const plHull* hull;  // of a mesh that is declared convex, else NULL
  plPose pose;
  plVec3 lower, upper;    // m, its box; infinite for a half space
  plVec3 velocity;        // m/s, mean
  double spread;          // m/s, largest deviation from it
  double drift;           // m, what loads move it by within a step, beside gravity
  double strain_drift;    // m, what loads move parts of it by
  struct plSelf* self;    // of a deformable that touches itself, else NULL
  struct plRound* round;  // of a rigid mesh without sharp edges, else NULL
} plCollider;

// The points of one pair; the list keeps its memory from step to step.
typedef struct plPairList {
  int a, b;               // colliders, a < b; a = b: a body with itself
  double window;          // m, gaps up to here count
  plContactPoint* point;  // [npoint]
  int npoint, cap;
  bool large;         // worked on by all threads
  int candidates;     // pairs of facets that were compared
  int skipped, deep;  // degenerate candidates; overlaps too deep to resolve
  int merged;         // points that were joined with others
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
  plPairList list;  // points of the parts of a large pair that fell to this thread
  plArena arena;    // vertices and weights of the points, tables of the pair at hand
} plPairScratch;

// What the contact stage keeps between steps: memory, and an order that only saves time.
typedef struct plContactWork {
  plCollider* collider;  // [ncollider]
  int ncollider;
  int* order;       // [ncollider] by lower.x
  uint64_t* apart;  // [napart] sorted pairs of bodies that never touch
  int napart;
  uint64_t* candidate;  // [ncandidate] pairs whose boxes meet, sorted
  int ncandidate, candidate_cap;
  int* near;         // colliders that move and are in a candidate pair
  plPairList* list;  // [nlist] in the order of the pairs; [list_cap] exist
  int nlist, list_cap;
  plPairScratch* scratch;  // [nscratch] one a thread
  int nscratch;
  struct plSweepHit* hit;  // what a motion runs into (sweep.h); keeps its memory
  int hit_cap;
} plContactWork;

enum { PL_CONTACT_LARGE = 1000 };  // facets from which on several threads are worth it

// Finds the contact points of the configuration at the start of the step: work->point, sorted by (A, B,
// feature).
plStatus pl_contact_find(const plModel* model, plData* data);

// Leaves out points of fast pairs whose motion misses. miss.c
plStatus pl_contact_drop_misses(const plModel* model, plData* data);

// ---- collider.c: places, boxes and speeds of all that may touch; normals, areas and trees of those in a
// candidate pair
void pl_contact_colliders(const plModel* model, plData* data);
plStatus pl_contact_shapes(const plModel* model, plData* data);
// How far ahead a step looks for contacts of two (m): twice what they can approach each other, what is left
// where a third one stops either of them, and what gravity adds.
double pl_contact_window(const plData* data, const plCollider* a, const plCollider* b);
// The same for a point with the normal n: two that move together along the surface do not come nearer where
// one of them stops. (Two that slide on each other do: the cone lifts them by mu dt times their speed.)
double pl_contact_window_along(const plData* data, const plCollider* a, const plCollider* b, plVec3 n);
plConvex pl_collider_convex(const plCollider* c);
// [nvert] vertices of a deformable that the other side holds, or that hold some of it: they do not touch it;
// NULL: none. find.c
bool* pl_contact_held(const plModel* model, const plData* data, plArena* arena, const plCollider* soft,
                      const plCollider* holder);

// ---- broad.c: pairs whose boxes meet and that may touch, into work->candidate
plStatus pl_contact_broad(const plModel* model, plData* data);
uint64_t* pl_contact_filters(const plModel* model, int* n);
bool pl_contact_may_touch(const plModel* model, const plContactWork* work, int a, int b);

#endif

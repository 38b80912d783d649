// sweep.h: contact points that a motion needs and the present configuration does not show: where two surfaces
// collide during a step.
#ifndef PL_CONTACT_SWEEP_H
#define PL_CONTACT_SWEEP_H

#include "contact/pair.h"

// The motion of a collider during a step: straight for vertices, straight and turning for rigid shapes.
typedef struct plMotionOf {
  const double* x1;         // [3 nvert] of its skin, NULL: none
  plPose pose1;             // rigid shapes
  plVec3 pivot, way, turn;  // m, m, rad: the motion to first order, way + turn x (at - pivot), as rows see it
  plVec3 drift;             // m, mean displacement
  double spread;            // m, largest deviation from it
} plMotionOf;

// The motions of all colliders at the velocities v, each computed when it is first asked for.
typedef struct plMotions {
  const plModel* model;
  const plData* data;
  const double* v;
  plArena* arena;
  double* mean;     // [nv_rigid] mean velocities of the trees over the step
  plVec3* shift;    // [ntree] m, what the step adds to their motion
  plMotion* V;      // [nnode] mean motion of the nodes per unit of time, about the points of their trees
  double* reach;    // [ncollider] m, no point of a rigid shape moves farther
  plPose* carried;  // [nnode] motion of the nodes of trees with links, from the positions at the start
  bool* carries;    // [ntree] it is known
  plMotionOf* of;   // [ncollider]
  bool* known;      // [ncollider]
} plMotions;
// NULL: memory ran out.
const plMotionOf* pl_motion_of(plMotions* motions, int collider);

// A row that the motion violates.
typedef struct plSweepHit {
  int a, b;  // colliders
  int kind, i,
      j;  // vertex i of A on facet j of B; of B on A; edges i of A and j of B; facet i of A; shapes; existing
          // point i
  double time;  // time of impact as a fraction of the step
  double end;   // m, gap along the normal at the end of the motion
  bool mild;  // in a half space or at an existing point, and less deep than the limit: the body can come out
              // again
  bool creeps;  // counts only because the step is taken in parts; accepted if added points do not stop it
  plContactPoint point;
} plSweepHit;
enum {
  PL_SWEEP_A_ON_B,
  PL_SWEEP_B_ON_A,
  PL_SWEEP_EDGES,
  PL_SWEEP_FACET,
  PL_SWEEP_CONVEX,
  PL_SWEEP_POINT,
  PL_SWEEP_AT_STOP,  // existing point i, which a load presses in
  PL_SWEEP_LAW       // the law of an existing point is that of another depth, point.tangent
};

typedef struct plSweep {
  const plModel* model;
  const plData* data;
  const double* v;  // velocities at the end of the motion
  const plCollider *ca, *cb;
  int a, b;
  plMotionOf ma, mb;
  const plSelf* self;     // A and B are one body, else NULL
  bool *held_a, *held_b;  // [nvert] vertices attached to the other side; NULL: none
  double
      depth;   // only hits that end deeper than this fraction of the smaller depth limit count; negative: all
  double law;  // m, negative: the gap down to which the surfaces' stiffness acts in this motion
  bool pressed;  // down to where the points of the pair end nothing counts: those are judged on their own
  bool backs;    // of soft facets on a smooth shape only vertices count that end deeper than springs let them
  bool plain;    // without the check that spares pairs that move together; for tests
  plArena* arena;
  plSweepHit* hit;  // [nhit] out
  int nhit, cap;
} plSweep;

// The largest distance by which the two can approach each other (m), and whether it is too small to pass
// through anything.
double pl_sweep_approach(const plSweep* sweep);
// The length of the present part as a fraction of its step. Deep pairs may sink by so much less in it,
// because what all parts of a step sink adds up.
double pl_sweep_part(const plSweep* sweep);
double pl_sweep_thin(const plCollider* c);
// Finds the hits of the motion.
plStatus pl_sweep_skins(plSweep* sweep);   // facets and facets          sweep_skins.c
plStatus pl_sweep_facets(plSweep* sweep);  // A facets, B a smooth shape  sweep_convex.c
plStatus pl_sweep_convex(plSweep* sweep);  // two convex shapes           sweep_convex.c
plStatus pl_sweep_plane(plSweep* sweep);   // A any, B a half space       sweep_plane.c
plStatus pl_sweep_push(plSweep* sweep, plSweepHit hit);
// Rigid against rigid.
static inline bool pl_sweep_rigid(const plSweep* sweep) {
  return sweep->ca->shape_id >= 0 && sweep->cb->shape_id >= 0;
}
// Where the surfaces' stiffness acts in this step, because the pair has points and the step resolves it: the
// least gap for which their law pushes (m), gap + dt v1, if it is negative; else 0. With theta_vq < 1 the
// motion may lead deeper, because the law does not see the part of v0.
plStatus pl_sweep_law_end(const plSweep* sweep, double* end);
// Adds a hit if the motion pushes an existing point of the pair in too deep; `index` identifies the point.
// hold.c
plStatus pl_sweep_hold(plSweep* sweep, const plContactPoint* point, int index);
// m. How deep a load may press a point of the pair in whose smaller depth limit is thin.
double pl_sweep_stop_of(const plSweep* sweep, double thin);
// Adds a hit if a load presses an existing point in deeper. hold.c
plStatus pl_sweep_stop(plSweep* sweep, const plContactPoint* point, int index);
// How far an existing point may sink in, in depth limits.
double pl_sweep_allowed(const plSweep* sweep, const plContactPoint* point);
// Adds a hit if the edges of an existing point cross too deep at the end of the motion. Edges that turn while
// they slide along each other sink in by the product of the two, which the rows of the start do not see.
// sweep_skins.c
plStatus pl_sweep_edges(plSweep* sweep, const plContactPoint* point);
// The gap of a point of the pair at the end of the motion, as its rows see it (m).
double pl_sweep_gap_after(const plSweep* sweep, const plContactPoint* point);

// Follows one pair at the velocities v and finds its hits. Returns false if pairs of this kind are not
// followed.
plStatus pl_sweep_move(plSweep* sweep, const double* v);
plStatus pl_sweep_one(plSweep* sweep);
// The motion that laws act on: the whole step at the velocities of its end.
plStatus pl_sweep_move_as_laws(plSweep* sweep);
bool pl_sweep_knows(const plSweep* sweep);

// The same for a pair of colliders whose surfaces are up to date, if it is fast.
plStatus pl_sweep_pair(plSweep* sweep, plMotions* motions, int a, int b);
// The same for bodies that go where no pair was expected, and what they may meet there. stray.c
plStatus pl_sweep_strays(plSweep* sweep, plMotions* motions);

// Follows all pairs at the velocities v: hits that count, in the order of the pairs.
plStatus pl_contact_sweep(const plModel* model, plData* data, const double* v, double depth, plSweepHit** hit,
                          int* nhit);

// Whether parts of a deformable, on the way to the vertices q1, move relative to each other by more than
// PL_SWEEP_FAST of its thickness.
bool pl_contact_parts_are_fast(const plData* data, int deform, const double* q1);

#endif

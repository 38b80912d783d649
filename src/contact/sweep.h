// sweep.h: contact points that a motion needs and the present does not show: what two surfaces run into on
// their way through a step.
#ifndef PL_CONTACT_SWEEP_H
#define PL_CONTACT_SWEEP_H

#include "contact/pair.h"

// Where a collider is at the end of a motion, straight for vertices, straight and turning for rigid shapes.
typedef struct plMotionOf {
  const double* x1;         // [3 nvert] of its skin, NULL: none
  plPose pose1;             // rigid shapes
  plVec3 pivot, way, turn;  // m, m, rad: the same to first order, way + turn x (at - pivot), as rows see it
  plVec3 drift;             // m, mean displacement
  double spread;            // m, largest deviation from it
} plMotionOf;

// A row that the motion violates.
typedef struct plSweepHit {
  int a, b;  // colliders
  int kind, i,
      j;  // vertex i of A on facet j of B; of B on A; edges i of A and j of B; facet i of A; shapes; point i
  double time;  // of impact, part of the step
  double end;   // m, gap along the normal at the end of the motion
  bool mild;  // in a half space or at a point that was there, less deep than the limit: it can come out again
  plContactPoint point;
} plSweepHit;
enum { PL_SWEEP_A_ON_B, PL_SWEEP_B_ON_A, PL_SWEEP_EDGES, PL_SWEEP_FACET, PL_SWEEP_CONVEX, PL_SWEEP_POINT };

typedef struct plSweep {
  const plModel* model;
  const plData* data;
  const plCollider *ca, *cb;
  int a, b;
  plMotionOf ma, mb;
  const plSelf* self;     // A and B are one body, else NULL
  bool *held_a, *held_b;  // [nvert] vertices that the other side holds; NULL: none
  double depth;           // hits count that end deeper than this part of the thinner limit; negative: all
  plArena* arena;
  plSweepHit* hit;  // [nhit] out
  int nhit, cap;
} plSweep;

// How far the two can come nearer (m), and whether that is too little to pass anything.
double pl_sweep_approach(const plSweep* sweep);
double pl_sweep_thin(const plCollider* c);
// What the motion runs into.
plStatus pl_sweep_skins(plSweep* sweep);   // facets and facets          sweep_skins.c
plStatus pl_sweep_facets(plSweep* sweep);  // A facets, B a smooth shape  sweep_convex.c
plStatus pl_sweep_convex(plSweep* sweep);  // two convex shapes           sweep_convex.c
plStatus pl_sweep_plane(plSweep* sweep);   // A any, B a half space       sweep_plane.c
plStatus pl_sweep_push(plSweep* sweep, plSweepHit hit);
// Rigid against rigid.
static inline bool pl_sweep_rigid(const plSweep* sweep) {
  return sweep->ca->geom >= 0 && sweep->cb->geom >= 0;
}
// Whether a surface of the pair was given a stiffness. Such surfaces give way as they are made to, and so do
// springs; but not farther than the bodies are thick. A half space has all the depth that it takes.
bool pl_sweep_gives_way(const plSweep* sweep);
// A point of the pair that the motion goes through; `index` tells it from others.  hold.c
plStatus pl_sweep_hold(plSweep* sweep, const plContactPoint* point, int index);
// The gap of a point of the pair at the end of the motion, as its rows see it (m).
double pl_sweep_gap_after(const plSweep* sweep, const plContactPoint* point);

// One pair: its motion at the velocities v; what it runs into. False: pairs of this kind are not followed.
plStatus pl_sweep_move(plSweep* sweep, const double* v);
plStatus pl_sweep_one(plSweep* sweep);
bool pl_sweep_knows(const plSweep* sweep);

// All pairs in the motion to the velocities v: hits that count, in the order of the pairs.
plStatus pl_contact_sweep(const plModel* model, plData* data, const double* v, double depth, plSweepHit** hit,
                          int* nhit);

// Whether parts of a deformable move against each other, on the way to the vertices q1, by more than
// PL_SWEEP_FAST of its thickness.
bool pl_contact_parts_are_fast(const plData* data, int deform, const double* q1);

#endif

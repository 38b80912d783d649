// sweep_skins.h: two surfaces of facets that move during a step (sweep_skins.c, sweep_boxes.c).
#ifndef PL_CONTACT_SWEEP_SKINS_H
#define PL_CONTACT_SWEEP_SKINS_H

#include <math.h>

#include "contact/sweep.h"

typedef struct plWayBox {
  plVec3 lower, upper;
} plWayBox;

// One surface in a slice.
typedef struct plMovingSkin {
  const plSkin* skin;
  const double* x1;
  plWayBox* box;    // [nnode]
  plWayBox* facet;  // [ntri] in the order of the tree; only those of leaves with a box
  plWayBox* way;    // [nnode] around the displacements of the vertices, for self-contact; else NULL
  plVec3* lift;     // [nvert] m, from a vertex inside the other surface to that surface; NULL: not computed
} plMovingSkin;

typedef struct plMovingSkins {
  plSweep* sweep;
  plMovingSkin a, b;
  plVec3 drift;                   // mean motion of B, subtracted from both
  double from, to;                // the slice
  double deep;                    // m, hits that end less deep do not count; negative: all count
  double room;                    // m, margin around boxes for rounding and lifts
  double *va, *vb, *ea;           // [nvert], [nvert], [nedge of A] time of the earliest impact so far
  int *hit_va, *hit_vb, *hit_ea;  // their hits, -1: none
} plMovingSkins;

static inline plVec3 end_of(const plMovingSkin* s, int v) { return v3_load(s->x1 + 3 * (size_t)v); }
static inline plVec3 way_of(const plMovingSkin* s, int v) { return v3_sub(end_of(s, v), skin_x(s->skin, v)); }
static inline plVec3 position_at(const plMovingSkin* s, int v, double t) {
  return v3_madd(skin_x(s->skin, v), t, way_of(s, v));
}

// The motion of a rigid side: a point at x moves by W(x) = shift + G x.
typedef struct plRigidField {
  plMat3 G;
  plVec3 shift;
  double turn;  // |G|
} plRigidField;
plRigidField pl_rigid_field(const plCollider* c, const plMotionOf* m);  // sweep_boxes.c

// w - W(x) of a vertex of the other side, and how large it may be so that no hit can end deeper than k->deep.
// At the time s of an impact two points have the same position, x_a + l + s w_a = x_b + s w_b, where l is a
// lift, and the gap ends at -(1 - s) |w_a - w_b| or above. With w_b = W(x_b)
//   |w_a - w_b| <= (|w_a - W(x_a)| + |G| |l|) / (1 - |G|)
static inline plVec3 deviation_of(const plMovingSkin* s, int v, const plRigidField* field) {
  return v3_sub(v3_sub(way_of(s, v), field->shift), m3_mulv(field->G, skin_x(s->skin, v)));
}
static inline double deviation_allowed(const plMovingSkins* k, const plRigidField* field, double lift,
                                       double rounding) {
  return (k->deep - rounding) * (1 - field->turn) - field->turn * lift;
}

// (Comparisons, since fmin and fmax are calls.)
static inline void grow(plWayBox* b, plVec3 x) {
  plVec3 l = b->lower, u = b->upper;
  b->lower = v3(l.x < x.x ? l.x : x.x, l.y < x.y ? l.y : x.y, l.z < x.z ? l.z : x.z);
  b->upper = v3(u.x > x.x ? u.x : x.x, u.y > x.y ? u.y : x.y, u.z > x.z ? u.z : x.z);
}
static inline bool meet(const plWayBox* a, const plWayBox* b) {
  return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
         b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}
static inline plWayBox empty_box(void) {
  plVec3 high = v3(INFINITY, INFINITY, INFINITY);
  return (plWayBox){high, v3_neg(high)};
}

// An upper bound of the difference of two displacements, one of each box.
static inline bool differ_less(const plWayBox* a, const plWayBox* b, double much) {
  return v3_norm2(v3_max(v3_sub(a->upper, b->lower), v3_sub(b->upper, a->lower))) < much * much;
}

// Adds the hits of two facets to those of the sweep. sweep_skins.c
plStatus pl_moving_facets(plMovingSkins* k, int ta, int tb);
// All facets that may meet in the slice k->from to k->to. sweep_boxes.c
plStatus pl_moving_slice(plMovingSkins* k);
// The box around facet t in the slice, relative to the drift.
plWayBox pl_moving_box(const plMovingSkins* k, const plMovingSkin* s, int t);
// Whether one side is rigid and the other moves with it so nearly that no hit can end deeper than k->deep.
bool pl_moving_with_rigid(const plMovingSkins* k, double rounding);
// Boxes around the displacements of a body's facets.
void pl_moving_ways(plMovingSkin* s);

#endif

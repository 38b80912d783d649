// spatial.h: six-dimensional vectors of rigid bodies by value: motions, forces and inertias, all about one
// reference point and in world axes (Featherstone's Pluecker coordinates without the change of frame).
//
// A motion (w, v) says: angular velocity w, and v is the velocity of the material point that is now at the
// reference point. A force (n, f) says: force f with moment n about the reference point. Power is w . n + v .
// f.
#ifndef PL_MATH_SPATIAL_H
#define PL_MATH_SPATIAL_H

#include "math/mat3.h"

typedef struct plMotion {
  plVec3 w, v;
} plMotion;
typedef struct plForce {
  plVec3 n, f;
} plForce;

// Symmetric 3x3 as xx yy zz xy xz yz.
typedef struct plSym3 {
  double xx, yy, zz, xy, xz, yz;
} plSym3;

// Mass, first moment h = m c and second moments about the reference point.
typedef struct plInertia {
  double m;
  plVec3 h;
  plSym3 I;
} plInertia;

static inline plSym3 sym3_add(plSym3 a, plSym3 b) {
  return (plSym3){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
static inline plVec3 sym3_mulv(plSym3 a, plVec3 v) {
  return v3(a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
            a.xz * v.x + a.yz * v.y + a.zz * v.z);
}
// m (c.c 1 - c c'): what a point mass at c adds to the moments
static inline plSym3 sym3_steiner(double m, plVec3 c) {
  return (plSym3){m * (c.y * c.y + c.z * c.z),
                  m * (c.x * c.x + c.z * c.z),
                  m * (c.x * c.x + c.y * c.y),
                  -m * c.x * c.y,
                  -m * c.x * c.z,
                  -m * c.y * c.z};
}
// R A R'
static inline plSym3 sym3_rotate(plMat3 R, plSym3 a) {
  plVec3 r0 = v3(R.m[0], R.m[3], R.m[6]), r1 = v3(R.m[1], R.m[4], R.m[7]), r2 = v3(R.m[2], R.m[5], R.m[8]);
  plVec3 a0 = sym3_mulv(a, r0), a1 = sym3_mulv(a, r1), a2 = sym3_mulv(a, r2);
  return (plSym3){v3_dot(r0, a0), v3_dot(r1, a1), v3_dot(r2, a2),
                  v3_dot(r0, a1), v3_dot(r0, a2), v3_dot(r1, a2)};
}
static inline plMat3 sym3_matrix(plSym3 a) {
  return (plMat3){{a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz}};
}

static inline plMotion motion_zero(void) { return (plMotion){{0, 0, 0}, {0, 0, 0}}; }
static inline plMotion motion_add(plMotion a, plMotion b) {
  return (plMotion){v3_add(a.w, b.w), v3_add(a.v, b.v)};
}
// a + s b
static inline plMotion motion_madd(plMotion a, double s, plMotion b) {
  return (plMotion){v3_madd(a.w, s, b.w), v3_madd(a.v, s, b.v)};
}
// Velocity of the point at r from the reference point.
static inline plVec3 motion_at(plMotion a, plVec3 r) { return v3_add(a.v, v3_cross(a.w, r)); }
// a x b: the rate at which b changes when it is carried along by a
static inline plMotion motion_cross(plMotion a, plMotion b) {
  return (plMotion){v3_cross(a.w, b.w), v3_add(v3_cross(a.w, b.v), v3_cross(a.v, b.w))};
}

static inline plForce force_zero(void) { return (plForce){{0, 0, 0}, {0, 0, 0}}; }
static inline plForce force_add(plForce a, plForce b) {
  return (plForce){v3_add(a.n, b.n), v3_add(a.f, b.f)};
}
static inline plForce force_sub(plForce a, plForce b) {
  return (plForce){v3_sub(a.n, b.n), v3_sub(a.f, b.f)};
}
// a x* b: the rate at which a force or momentum b changes when it is carried along by a
static inline plForce motion_cross_force(plMotion a, plForce b) {
  return (plForce){v3_add(v3_cross(a.w, b.n), v3_cross(a.v, b.f)), v3_cross(a.w, b.f)};
}
static inline double motion_dot(plMotion a, plForce b) { return v3_dot(a.w, b.n) + v3_dot(a.v, b.f); }

static inline plInertia inertia_add(plInertia a, plInertia b) {
  return (plInertia){a.m + b.m, v3_add(a.h, b.h), sym3_add(a.I, b.I)};
}
// The inertia of a body with mass m, centre of mass c and central moments I.
static inline plInertia inertia_of(double m, plVec3 c, plSym3 I) {
  return (plInertia){m, v3_scale(m, c), sym3_add(I, sym3_steiner(m, c))};
}
// Momentum of a body that moves with a.
static inline plForce inertia_mul(plInertia I, plMotion a) {
  return (plForce){v3_add(sym3_mulv(I.I, a.w), v3_cross(I.h, a.v)), v3_madd(v3_cross(a.w, I.h), I.m, a.v)};
}

#endif

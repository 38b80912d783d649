// pose.h: unit quaternions and rigid poses by value.
#ifndef PL_MATH_POSE_H
#define PL_MATH_POSE_H

#include "math/mat3.h"

static inline plQuat quat_identity(void) { return (plQuat){1, 0, 0, 0}; }
static inline plQuat quat_mul(plQuat a, plQuat b) {
  return (plQuat){
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline plQuat quat_conj(plQuat a) { return (plQuat){a.w, -a.x, -a.y, -a.z}; }
static inline double quat_norm(plQuat a) { return sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z); }
static inline plQuat quat_unit(plQuat a) {
  double n = quat_norm(a);
  return n > 0 ? (plQuat){a.w / n, a.x / n, a.y / n, a.z / n} : quat_identity();
}
static inline plMat3 quat_matrix(plQuat q) {
  double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  return (plMat3){{1 - 2 * (yy + zz), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y),
                   2 * (q.x * q.y - q.w * q.z), 1 - 2 * (xx + zz), 2 * (q.y * q.z + q.w * q.x),
                   2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (xx + yy)}};
}
static inline plVec3 quat_rotate(plQuat q, plVec3 v) {
  plVec3 u = v3(q.x, q.y, q.z), t = v3_scale(2, v3_cross(u, v));
  return v3_add(v3_madd(v, q.w, t), v3_cross(u, t));
}
static inline plQuat quat_from_axis_angle(plVec3 axis, double angle) {
  plVec3 u = v3_scale(sin(angle / 2), v3_unit(axis));
  return (plQuat){cos(angle / 2), u.x, u.y, u.z};
}
// Rotation by the vector r (axis times angle), exact for small ones too.
static inline plQuat quat_exp(plVec3 r) {
  double angle = v3_norm(r), s = angle > 1e-8 ? sin(angle / 2) / angle : 0.5 - angle * angle / 48;
  return (plQuat){cos(angle / 2), s * r.x, s * r.y, s * r.z};
}
// Axis times angle in [0, pi].
static inline plVec3 quat_log(plQuat q) {
  if (q.w < 0) q = (plQuat){-q.w, -q.x, -q.y, -q.z};
  plVec3 u = v3(q.x, q.y, q.z);
  double s = v3_norm(u);
  return v3_scale(s > 1e-12 ? 2 * atan2(s, q.w) / s : 2, u);
}
// Roll, pitch, yaw about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll), as in URDF and SDFormat.
static inline plQuat quat_from_rpy(double roll, double pitch, double yaw) {
  double cr = cos(roll / 2), sr = sin(roll / 2), cp = cos(pitch / 2), sp = sin(pitch / 2), cy = cos(yaw / 2),
         sy = sin(yaw / 2);
  return (plQuat){cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
                  cr * cp * sy - sr * sp * cy};
}

static inline plPose pose_identity(void) { return (plPose){{0, 0, 0}, {1, 0, 0, 0}}; }
static inline plVec3 pose_apply(plPose x, plVec3 p) { return v3_add(x.p, quat_rotate(x.q, p)); }
// X_AC = X_AB X_BC
static inline plPose pose_mul(plPose a, plPose b) { return (plPose){pose_apply(a, b.p), quat_mul(a.q, b.q)}; }
static inline plPose pose_inverse(plPose a) {
  plQuat q = quat_conj(a.q);
  return (plPose){v3_neg(quat_rotate(q, a.p)), q};
}
static inline plVec3 pose_apply_inverse(plPose x, plVec3 p) {
  return quat_rotate(quat_conj(x.q), v3_sub(p, x.p));
}

#endif

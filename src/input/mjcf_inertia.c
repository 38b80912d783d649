// mjcf_inertia.c: the inertia of meshes and surfaces as MuJoCo computes it, and primitives fitted to meshes
// by it.
//
// The centre of mass is that of pyramids from the centre of the surface to each triangle; volume and moments
// are those of the pyramids from there. MuJoCo's kind `legacy`, its default, counts all of them as positive,
// so that meshes with holes and inverted triangles have some volume; `exact` counts them with their signs;
// `convex` uses the hull; `shell` is the surface itself, by area.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "geom/hull.h"
#include "input/mjcf.h"
#include "math/eig3.h"

#define PI 3.14159265358979323846

// Area, unit normal and centre of triangle t.
static double face(const plMesh* mesh, int t, plVec3* normal, plVec3* centre) {
  for (int k = 0; k < 3; k++) assert(mesh->tri[3 * t + k] >= 0 && mesh->tri[3 * t + k] < mesh->nvert);
  plVec3 a = v3_load(mesh->vert + 3 * mesh->tri[3 * t]), b = v3_load(mesh->vert + 3 * mesh->tri[3 * t + 1]),
         c = v3_load(mesh->vert + 3 * mesh->tri[3 * t + 2]), n = v3_cross(v3_sub(b, a), v3_sub(c, a));
  double length = v3_norm(n);
  *centre = v3_scale(1.0 / 3, v3_add(a, v3_add(b, c)));
  *normal = length > 0 ? v3_scale(1 / length, n) : v3(0, 0, 0);
  return 0.5 * length;
}

// Adds v/C (2 (dd' + ee' + ff') + de' + ed' + ...) to P: the second moments of a pyramid (C = 20) or triangle
// (12).
static void add_products(double P[6], double v, double C, plVec3 d, plVec3 e, plVec3 f) {
  static const int k[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  const double D[3] = {d.x, d.y, d.z}, E[3] = {e.x, e.y, e.z}, F[3] = {f.x, f.y, f.z};
  const double S[3] = {D[0] + E[0] + F[0], D[1] + E[1] + F[1], D[2] + E[2] + F[2]};
  for (int j = 0; j < 6; j++) {
    int a = k[j][0], b = k[j][1];
    P[j] += v / C * (D[a] * D[b] + E[a] * E[b] + F[a] * F[b] + S[a] * S[b]);
  }
}

static bool surface_inertia(const plMesh* mesh, plMjcfMeshInertia kind, plInertia* inertia) {
  plVec3 middle = {0, 0, 0}, sum = {0, 0, 0}, normal, centre;
  double area = 0, volume = 0, P[6] = {0};
  bool shell = kind == PL_MJCF_SHELL;
  for (int t = 0; t < mesh->ntri; t++) {
    double a = face(mesh, t, &normal, &centre);
    area += a, middle = v3_madd(middle, a, centre);
  }
  if (!(area > 0)) return false;
  middle = v3_scale(1 / area, middle);
  for (int t = 0; t < mesh->ntri && !shell; t++) {
    double a = face(mesh, t, &normal, &centre), v = a / 3 * v3_dot(normal, v3_sub(centre, middle));
    if (kind == PL_MJCF_LEGACY) v = fabs(v);
    volume += v, sum = v3_madd(sum, v, v3_add(v3_scale(0.75, centre), v3_scale(0.25, middle)));
  }
  // a surface that is inside out
  double sign = volume < 0 ? -1 : 1, m = shell ? area : sign * volume;
  if (!(m > 0)) return false;
  plVec3 c = shell ? middle : v3_scale(1 / volume, sum);
  double whole = 0;
  for (int t = 0; t < mesh->ntri; t++) {
    double a = face(mesh, t, &normal, &centre), v = sign * a / 3 * v3_dot(normal, v3_sub(centre, c));
    const int* id = mesh->tri + 3 * t;
    if (kind == PL_MJCF_LEGACY) v = fabs(v);
    whole += shell ? a : v;
    add_products(P, shell ? a : v, shell ? 12 : 20, v3_sub(v3_load(mesh->vert + 3 * id[0]), c),
                 v3_sub(v3_load(mesh->vert + 3 * id[1]), c), v3_sub(v3_load(mesh->vert + 3 * id[2]), c));
  }
  // positive pyramids: the volume is that of those from the centre of mass
  *inertia = inertia_of(whole, c, (plSym3){P[1] + P[2], P[0] + P[2], P[0] + P[1], -P[3], -P[4], -P[5]});
  return true;
}

plStatus pl_mjcf_mesh_inertia(const plMesh* mesh, plMjcfMeshInertia kind, plInertia* inertia, bool* known,
                              plError* error) {
  *known = kind != PL_MJCF_CONVEX && surface_inertia(mesh, kind, inertia);
  if (kind != PL_MJCF_CONVEX) return PL_OK;
  plHull* hull;
  plStatus status = pl_hull_create(mesh->vert, mesh->nvert, &hull, NULL);
  if (status == PL_ERROR_MEMORY) return pl_fail_out_of_memory(error, 24 * (size_t)mesh->nvert);
  if (status) return PL_OK;
  plMesh outside = {.vert = hull->vert, .nvert = hull->nvert, .tri = hull->tri, .ntri = hull->ntri};
  *known = surface_inertia(&outside, PL_MJCF_EXACT, inertia);
  pl_hull_destroy(hull);
  return PL_OK;
}

// ---- surfaces of primitives

bool pl_mjcf_shell_inertia(const plRobotShape* s, plInertia* inertia) {
  double r = s->radius, l = s->length;
  if (s->kind == PL_SHAPE_SPHERE) {
    double m = 4 * PI * r * r, I = 2.0 / 3 * m * r * r;
    *inertia = (plInertia){m, {0, 0, 0}, {I, I, I, 0, 0, 0}};
  } else if (s->kind == PL_SHAPE_CYLINDER) {
    double side = 2 * PI * r * l, cap = PI * r * r, Iz = side * r * r + cap * r * r,
           I = side * (0.5 * r * r + l * l / 12) + 2 * cap * (0.25 * r * r + 0.25 * l * l);
    *inertia = (plInertia){side + 2 * cap, {0, 0, 0}, {I, I, Iz, 0, 0, 0}};
  } else if (s->kind == PL_SHAPE_CAPSULE) {
    // a half sphere's surface has its centre r/2 beyond the cylinder's end
    double side = 2 * PI * r * l, ball = 4 * PI * r * r, d = 0.5 * l + 0.5 * r,
           Iz = side * r * r + 2.0 / 3 * ball * r * r,
           I = side * (0.5 * r * r + l * l / 12) + ball * (2.0 / 3 * r * r - 0.25 * r * r + d * d);
    *inertia = (plInertia){side + ball, {0, 0, 0}, {I, I, Iz, 0, 0, 0}};
  } else if (s->kind == PL_SHAPE_BOX) {
    double x = s->size.x, y = s->size.y, z = s->size.z, m = 2 * (x * y + y * z + z * x);
    // second moments about the middle, two faces each: those across an axis lie half a side away
    double xx = 2 * (y * z * x * x / 4 + (x * y + x * z) * x * x / 12),
           yy = 2 * (x * z * y * y / 4 + (x * y + y * z) * y * y / 12),
           zz = 2 * (x * y * z * z / 4 + (x * z + y * z) * z * z / 12);
    *inertia = (plInertia){m, {0, 0, 0}, {yy + zz, xx + zz, xx + yy, 0, 0, 0}};
  } else if (s->kind == PL_SHAPE_ELLIPSOID) {
    // As MuJoCo: the area by Thomsen's formula, which is off by 1.1 % at most, and the moments of what lies
    // between ellipsoids whose half axes differ by the same length.
    double x = 0.5 * s->size.x, y = 0.5 * s->size.y, z = 0.5 * s->size.z, p = 1.6075, xy = x * y, yz = y * z,
           zx = z * x;
    double m = 4 * PI * pow((pow(xy, p) + pow(yz, p) + pow(zx, p)) / 3, 1 / p), k = m / (5 * (xy + yz + zx)),
           xx = k * x * x * (3 * yz + zx + xy), yy = k * y * y * (3 * zx + xy + yz),
           zz = k * z * z * (3 * xy + yz + zx);
    *inertia = (plInertia){m, {0, 0, 0}, {yy + zz, xx + zz, xx + yy, 0, 0, 0}};
  } else {
    return false;
  }
  return true;
}

// ---- primitives instead of a mesh

// Half sides of the box with the same moments, the shortest first, and its pose.
static void inertia_box(plInertia one, plVec3* half, plPose* pose) {
  plVec3 c = v3_scale(1 / one.m, one.h);
  double w[3];
  plMat3 Q;
  pl_eig3(sym3_matrix(sym3_add(one.I, sym3_steiner(-one.m, c))), w, &Q);
  // largest moment first, so the shortest side; the third axis is reversed if needed to stay right-handed
  plVec3 x = v3(Q.m[6], Q.m[7], Q.m[8]), y = v3(Q.m[3], Q.m[4], Q.m[5]), z = v3_cross(x, y);
  double k = 1.5 / one.m;
  *half = v3(sqrt(fmax(k * (w[1] + w[0] - w[2]), 0)), sqrt(fmax(k * (w[2] + w[0] - w[1]), 0)),
             sqrt(fmax(k * (w[2] + w[1] - w[0]), 0)));
  *pose = (plPose){c, pl_mjcf_columns(x, y, z)};
}

// The primitive in the box around all vertices, in the frame of the box of inertia.
static void fit_around(const plMesh* mesh, plPose frame, double scale, plRobotShape* shape) {
  plVec3 low = pose_apply_inverse(frame, v3_load(mesh->vert)), high = low;
  for (int i = 1; i < mesh->nvert; i++) {
    plVec3 v = pose_apply_inverse(frame, v3_load(mesh->vert + 3 * i));
    low = v3_min(low, v), high = v3_max(high, v);
  }
  plVec3 h = v3_scale(0.5, v3_sub(high, low));
  frame = pose_mul(frame, (plPose){v3_scale(0.5, v3_add(low, high)), quat_identity()});
  double round = fmax(h.x, h.y), ball = fmax(round, h.z), along = fmax(h.z - round, 0);
  bool sphere = shape->kind == PL_SHAPE_SPHERE, capsule = shape->kind == PL_SHAPE_CAPSULE;
  shape->pose = pose_mul(shape->pose, frame);
  shape->radius = scale * (sphere ? ball : round), shape->length = 2 * scale * (capsule ? along : h.z);
  shape->size = v3_scale(2 * scale, h);
}

plStatus pl_mjcf_fit(const plMesh* mesh, plMjcfMeshInertia kind, bool box, double scale, plRobotShape* shape,
                     bool* known, plError* error) {
  plInertia one;
  plVec3 h;
  plPose frame;
  plStatus status = pl_mjcf_mesh_inertia(mesh, kind, &one, known, error);
  if (status || !*known) return status;
  inertia_box(one, &h, &frame);
  if (box) {
    fit_around(mesh, frame, scale, shape);
    return PL_OK;
  }
  double r = 0.5 * (h.x + h.y);
  bool sphere = shape->kind == PL_SHAPE_SPHERE, capsule = shape->kind == PL_SHAPE_CAPSULE;
  shape->pose = pose_mul(shape->pose, frame);
  shape->radius = scale * (sphere ? (h.x + h.y + h.z) / 3 : r);
  shape->length = 2 * scale * (capsule ? fmax(h.z - 0.5 * r, 0) : h.z);
  shape->size = v3_scale(2 * scale, h);
  return PL_OK;
}

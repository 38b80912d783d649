// ellipsoid.c: an ellipsoid of full axes `size` along x, y and z, centred at the origin.
#include <math.h>

#include "geom/convex.h"
#include "geom/shape.h"

// Closest point of an ellipsoid with semi-axes e to y >= 0 (Eberly): x_i = e_i^2 y_i / (t + e_i^2), where t
// is the root of
//   F(t) = sum (e_i y_i / (t + e_i^2))^2 - 1 on (-e_min^2, inf), F decreasing. Bisection to the last bit.
static plVec3 closest(const double e[3], const double y[3]) {
  int least = e[0] <= e[1] && e[0] <= e[2] ? 0 : e[1] <= e[2] ? 1 : 2;
  double lower = -e[least] * e[least] + e[least] * y[least], upper = -e[least] * e[least];
  double reach = sqrt(e[0] * e[0] * y[0] * y[0] + e[1] * e[1] * y[1] * y[1] + e[2] * e[2] * y[2] * y[2]);
  upper += reach;
  double x[3];
  if (y[least] > 0) {
    for (int i = 0; i < 2000; i++) {
      double t = 0.5 * (lower + upper);
      if (t <= lower || t >= upper) break;
      double F = -1;
      for (int k = 0; k < 3; k++) {
        double u = e[k] * y[k] / (t + e[k] * e[k]);
        F += u * u;
      }
      if (F > 0)
        lower = t;
      else
        upper = t;
    }
    double t = 0.5 * (lower + upper);
    for (int k = 0; k < 3; k++) x[k] = e[k] * e[k] * y[k] / (t + e[k] * e[k]);
    return v3(x[0], x[1], x[2]);
  }
  // On the plane of symmetry across the shortest axis: either the root above, or a pair of points off the
  // plane.
  double rest = 1;
  bool off_plane = true;
  for (int k = 0; k < 3; k++) {
    if (k == least) continue;
    double gap = e[k] * e[k] - e[least] * e[least];
    if (e[k] * y[k] >= gap) off_plane = off_plane && y[k] == 0 && gap == 0;
    x[k] = gap > 0 ? e[k] * e[k] * y[k] / gap : 0;
    rest -= x[k] * x[k] / (e[k] * e[k]);
  }
  if (off_plane && rest > 0) {
    x[least] = e[least] * sqrt(rest);
    return v3(x[0], x[1], x[2]);
  }
  double shifted[3] = {y[0], y[1], y[2]};
  shifted[least] = 1e-12 * e[least];
  return closest(e, shifted);
}

static double distance(const plShape* s, plVec3 p, plVec3* normal) {
  double e[3] = {s->size.x / 2, s->size.y / 2, s->size.z / 2}, y[3] = {fabs(p.x), fabs(p.y), fabs(p.z)};
  plVec3 x = closest(e, y);
  x = v3(copysign(x.x, p.x), copysign(x.y, p.y), copysign(x.z, p.z));
  *normal = v3_unit(v3(x.x / (e[0] * e[0]), x.y / (e[1] * e[1]), x.z / (e[2] * e[2])));
  double away = v3_norm(v3_sub(p, x));
  double inside = p.x * p.x / (e[0] * e[0]) + p.y * p.y / (e[1] * e[1]) + p.z * p.z / (e[2] * e[2]);
  return inside < 1 ? -away : away;
}

static plVec3 support(const plConvex* s, plVec3 d) {
  plVec3 e = v3(s->half.x * d.x, s->half.y * d.y, s->half.z * d.z);
  double n = v3_norm(e);
  if (!(n > 0)) return v3(s->half.x, 0, 0);
  return v3(s->half.x * e.x / n, s->half.y * e.y / n, s->half.z * e.z / n);
}

// x'Hx = 1, H = diag(1/a^2, 1/b^2, 1/c^2): where the normal is n the gradient H x has the length 1/s, s^2 =
// n'H^-1 n, and the curvature is t'H t s.
static bool curvature(const plConvex* shape, plVec3 at, plVec3 n, const plVec3 t[2], double k[3]) {
  (void)at;
  plVec3 half = shape->half, u[2];
  double s = v3_norm(v3(half.x * n.x, half.y * n.y, half.z * n.z));
  for (int i = 0; i < 2; i++) u[i] = v3(t[i].x / half.x, t[i].y / half.y, t[i].z / half.z);
  k[0] = s * v3_dot(u[0], u[0]), k[1] = s * v3_dot(u[0], u[1]), k[2] = s * v3_dot(u[1], u[1]);
  return true;
}

// At the end of the longest axis.
static double radius(const plShape* s) {
  double a = fmin(s->size.x, fmin(s->size.y, s->size.z)) / 2,
         c = fmax(s->size.x, fmax(s->size.y, s->size.z)) / 2;
  return a * a / c;
}

// The curvatures of x'Dx = 1 where the normal is n are the eigenvalues of D / |Dx| across n, and 1 / |Dx|^2 =
// n' D^-1 n.
static double radius_at(const plShape* s, plVec3 n) {
  plVec3 half = v3_scale(0.5, s->size),
         D = v3(1 / (half.x * half.x), 1 / (half.y * half.y), 1 / (half.z * half.z)),
         nn = v3(n.x * n.x, n.y * n.y, n.z * n.z);
  double s2 = nn.x / D.x + nn.y / D.y + nn.z / D.z, sum = sqrt(s2) * (D.x + D.y + D.z - v3_dot(nn, D)),
         product = s2 * (nn.x * D.y * D.z + nn.y * D.x * D.z + nn.z * D.x * D.y);
  return 1 / (0.5 * sum + sqrt(fmax(0, 0.25 * sum * sum - product)));
}

static plInertia inertia(const plShape* s, double density) {
  plVec3 a = v3_scale(0.5, s->size);
  double m = density * 4 / 3 * M_PI * a.x * a.y * a.z;
  return pl_shape_central(m, m / 5, a);
}

static plMesh* facets(const plShape* s, plError* error) {
  plMesh* mesh = pl_shape_pulled_sphere(0.5, 0, error);
  if (mesh) pl_mesh_transform(mesh, s->size, pose_identity());
  return mesh;
}

const plShapeTraits pl_shape_ellipsoid = {.sizes = PL_SIZE_SIDES,
                                          .key = {"semi_axes"},
                                          .distance = distance,
                                          .support = support,
                                          .curvature = curvature,
                                          .half_size = pl_shape_half_side,
                                          .radius = radius,
                                          .radius_at = radius_at,
                                          .inertia = inertia,
                                          .facets = facets};

// Distances of convex shapes: certificates of optimality, brute force over directions, closed forms.
#include "check.h"

#include "geom/convex.h"
#include "geom/distance.h"
#include "math/random_vec3.h"

// A few hulls of random points, made once.
static const plHull* some_hull(plRandom* r) {
  static plHull* hull[6];
  int i = pl_random_int(r, 6);
  if (hull[i]) return hull[i];
  double x[3 * 30];
  int n = 5 + 5 * i;
  for (int k = 0; k < 3 * n; k++) x[k] = pl_random(r, -0.8, 0.8);
  CHECK_INT(pl_hull_create(x, n, &hull[i], NULL), PL_OK);
  return hull[i];
}

static plConvex random_shape(plRandom* r, plVec3 at, plVec3* corners) {
  static const plShapeKind kinds[] = {PL_SHAPE_SPHERE,   PL_SHAPE_BOX,       PL_SHAPE_CAPSULE,
                                      PL_SHAPE_CYLINDER, PL_SHAPE_ELLIPSOID, PL_SHAPE_MESH};
  plConvex s = {.kind = kinds[pl_random_int(r, 6)]};
  s.pose.q = quat_exp(v3_random(r, -2, 2));
  s.pose.p = at;
  s.half = v3_random(r, 0.3, 1);
  s.radius = pl_random(r, 0.3, 1), s.length = pl_random(r, 0.1, 1.5);
  if (s.kind == PL_SHAPE_MESH) {
    for (int i = 0; i < 3; i++) corners[i] = v3_add(at, v3_random(r, -1, 1));
    s.point = corners;
    if (pl_random_int(r, 2)) s.hull = some_hull(r);
  }
  return s;
}

static double distance_to(const plConvex* s, plVec3 p) {
  if (s->hull) {
    // How far beyond the nearest face: zero on the surface.
    double most = -INFINITY;
    plVec3 x = pose_apply_inverse(s->pose, p);
    for (int f = 0; f < s->hull->nface; f++)
      most = fmax(most,
                  v3_dot(s->hull->normal[f],
                         v3_sub(x, v3_load(s->hull->vert + 3 * (size_t)s->hull->corner[s->hull->face0[f]]))));
    return most;
  }
  if (s->kind == PL_SHAPE_MESH)
    return v3_norm(v3_sub(p, pl_tri_closest(s->point[0], s->point[1], s->point[2], p)));
  plShape shape = {s->kind, v3_scale(2, s->half), s->radius, s->length, NULL};
  plVec3 n;
  return pl_shape_distance(&shape, pose_apply_inverse(s->pose, p), &n);
}

// How far A must move against n to be behind B.
static double depth_along(const plConvex* A, const plConvex* B, plVec3 n) {
  return v3_dot(pl_convex_support(A, n), n) - v3_dot(pl_convex_support(B, v3_neg(n)), n);
}

// Apart: the slab between the two points separates the shapes, and the points belong to them. Nothing more is
// to be shown.
static void distances_come_with_their_proof(void) {
  plRandom r = {1};
  int apart = 0;
  for (int i = 0; i < 100000; i++) {
    plVec3 ca[3], cb[3];
    plConvex A = random_shape(&r, v3(0, 0, 0), ca);
    plConvex B = random_shape(&r, v3_random(&r, -3, 3), cb);
    plConvexGap g = pl_convex_gap(&A, &B);
    if (g.gap <= 1e-9) continue;
    apart++;
    double tolerance = 1e-6;
    bool good = fabs(distance_to(&A, g.a)) < tolerance && fabs(distance_to(&B, g.b)) < tolerance &&
                fabs(v3_norm(g.normal) - 1) < 1e-9 &&
                v3_norm(v3_sub(v3_sub(g.b, g.a), v3_scale(g.gap, g.normal))) < tolerance &&
                fabs(depth_along(&A, &B, g.normal) + g.gap) < tolerance;
    if (!good)
      printf("kinds %d %d gap %.9g: on A %.3g on B %.3g slab %.3g unit %.3g between %.3g\n", A.kind, B.kind,
             g.gap, distance_to(&A, g.a), distance_to(&B, g.b), depth_along(&A, &B, g.normal) + g.gap,
             v3_norm(g.normal) - 1, v3_norm(v3_sub(v3_sub(g.b, g.a), v3_scale(g.gap, g.normal))));
    CHECK(good);
    if (check_errors > 10) return;
  }
  CHECK(apart > 30000);
}

// Overlapping: no direction leads out on a shorter way.
static void overlaps_are_the_shortest_way_out(void) {
  plRandom r = {2};
  int overlapping = 0;
  for (int i = 0; i < CHECK_MEMBERS(20000); i++) {
    plVec3 ca[3], cb[3];
    plConvex A = random_shape(&r, v3(0, 0, 0), ca);
    plConvex B = random_shape(&r, v3_random(&r, -1.2, 1.2), cb);
    plConvexGap g = pl_convex_gap(&A, &B);
    // A capsule or sphere whose core lies inside the other is beyond what contact resolves.
    if (g.gap >= -1e-9) continue;
    overlapping++;
    double least = INFINITY;
    for (int k = 0; k < 2000; k++) {
      plVec3 n = v3_unit(v3_random(&r, -1, 1));
      if (v3_norm2(n) > 0) least = fmin(least, depth_along(&A, &B, n));
    }
    double along = depth_along(&A, &B, g.normal);
    bool good = fabs(along + g.gap) < 1e-5 && -g.gap <= least + 1e-6;
    if (!good)
      printf("kinds %d %d gap %.9g: along its normal %.9g, best of many %.9g\n", A.kind, B.kind, g.gap, along,
             least);
    CHECK(good);
    if (check_errors > 10) return;
  }
  CHECK(overlapping > 500);
}

// A shape scaled by a power of two has numbers that differ in their exponents alone. corners, vert: of the
// copy.
static plConvex scaled(const plConvex* s, double scale, plVec3* corners, plHull* hull, double* vert) {
  plConvex t = *s;
  t.pose.p = v3_scale(scale, s->pose.p), t.half = v3_scale(scale, s->half);
  t.radius *= scale, t.length *= scale;
  for (int k = 0; k < 3 && s->point; k++) corners[k] = v3_scale(scale, s->point[k]);
  if (s->point) t.point = corners;
  if (!s->hull) return t;
  *hull = *s->hull, hull->vert = vert, hull->centre = v3_scale(scale, hull->centre), t.hull = hull;
  for (int i = 0; i < 3 * hull->nvert; i++) vert[i] = scale * s->hull->vert[i];
  return t;
}

// No length is absolute: micrometres and kilometres have the bits of metres.
static void gaps_scale_with_the_shapes(void) {
  plRandom r = {4};
  int differ = 0;
  for (int i = 0; i < 4000; i++) {
    plVec3 ca[3], cb[3], da[3], db[3];
    plHull ha, hb;
    double va[90], vb[90], scale = ldexp(1, pl_random_int(&r, 41) - 20);
    plConvex A = random_shape(&r, v3(0, 0, 0), ca), B = random_shape(&r, v3_random(&r, -1.5, 1.5), cb);
    plConvex C = scaled(&A, scale, da, &ha, va), D = scaled(&B, scale, db, &hb, vb);
    plConvexGap g = pl_convex_gap(&A, &B), h = pl_convex_gap(&C, &D);
    differ += h.gap != scale * g.gap || v3_norm(v3_sub(h.normal, g.normal)) > 0;
  }
  CHECK_INT(differ, 0);
}

// What faces and edges say about two boxes is what GJK and EPA find: of boxes anywhere, and of nearly aligned
// boxes that overlap a little.
static void boxes_have_closed_forms(void) {
  plRandom r = {3};
  int deep = 0, far = 0;
  for (int i = 0; i < 6000; i++) {
    plConvex box[2];
    double turn = i % 3 ? 1 : pow(10, pl_random(&r, -9, 0)), gap;
    for (int k = 0; k < 2; k++) {
      plQuat q = {.w = 1};
      q.x = turn * pl_random(&r, -1, 1), q.y = turn * pl_random(&r, -1, 1);
      q.z = turn * pl_random(&r, -1, 1);
      plVec3 p = v3_random(&r, -1, 1), half = v3_random(&r, 0.1, 1);
      box[k] = (plConvex){.kind = PL_SHAPE_BOX, .pose = {p, quat_unit(q)}, .half = half};
    }
    if (i % 3 == 0) box[1].pose.p.z = box[0].pose.p.z + box[0].half.z + box[1].half.z - 1e-5;
    plVec3 normal;
    bool known = pl_box_gap(&box[0], &box[1], 0.1, &gap, &normal);
    double all = pl_convex_gap(&box[0], &box[1]).gap;
    CHECK_NEAR(depth_along(&box[0], &box[1], normal), -gap, 1e-14);
    CHECK_BELOW(gap - all, 1.5e-14, 1);
    if (known && gap < 0) CHECK_NEAR(gap, all, 2.5e-14);
    deep += known && gap < 0, far += known && gap > 0.1;
  }
  CHECK(deep > 1000 && far > 1000);
}

static void closed_forms(void) {
  plConvex s = {.kind = PL_SHAPE_SPHERE, .pose = {{0, 0, 0}, {1, 0, 0, 0}}, .radius = 1}, t = s;
  t.pose.p = v3(0, 3, 0), t.radius = 0.5;
  plConvexGap g = pl_convex_gap(&s, &t);
  CHECK_NEAR(g.gap, 1.5, 2.1e-14);
  CHECK_NEAR(g.normal.y, 1, 1.4e-14);
  t.pose.p = v3(0, 1.25, 0);
  CHECK_NEAR(pl_convex_gap(&s, &t).gap, -0.25, 3.5e-15);
  // Boxes pushed into each other: the way out is along the least overlap.
  plConvex a = {.kind = PL_SHAPE_BOX, .pose = {{0, 0, 0}, {1, 0, 0, 0}}, .half = {1, 1, 1}}, b = a;
  b.pose.p = v3(0.3, 1.9, -0.2);
  g = pl_convex_gap(&a, &b);
  CHECK_NEAR(g.gap, -0.1, 1.4e-15);
  CHECK_NEAR(g.normal.y, 1, 1.4e-14);
  // A cylinder standing on a box.
  plConvex c = {
      .kind = PL_SHAPE_CYLINDER, .pose = {{0.2, 0.1, 1.5 - 1e-6}, {1, 0, 0, 0}}, .radius = 0.3, .length = 1};
  g = pl_convex_gap(&a, &c);
  CHECK_ROUND(g.gap, -1e-6, 1);
  CHECK_NEAR(g.normal.z, 1, 1.4e-14);
  // Coincident middles.
  CHECK(isfinite(pl_convex_gap(&a, &a).gap) && pl_convex_gap(&a, &a).gap < -1.9);
  CHECK(isfinite(pl_convex_gap(&s, &s).gap));
}

static void supporting_faces(void) {
  plVec3 corner[PL_CONVEX_FACE];
  plConvex box = {.kind = PL_SHAPE_BOX, .pose = {{0, 0, 0}, {1, 0, 0, 0}}, .half = {1, 2, 3}};
  CHECK_INT(pl_convex_face(&box, v3(0.1, 0.2, -1), corner), 4);
  for (int i = 0; i < 4; i++) CHECK_NEAR(corner[i].z, -3, 0);
  plConvex rod = {.kind = PL_SHAPE_CYLINDER, .pose = {{0, 0, 0}, {1, 0, 0, 0}}, .radius = 1, .length = 4};
  CHECK_INT(pl_convex_face(&rod, v3(1, 0, 0.1), corner), 2);
  CHECK_NEAR(fabs(corner[0].z - corner[1].z), 4, 5.6e-14);
  CHECK_INT(pl_convex_face(&rod, v3(0.1, 0, 1), corner), 8);
  for (int i = 0; i < 8; i++) CHECK_NEAR(hypot(corner[i].x, corner[i].y), 1, 1.4e-14);
  plConvex ball = {.kind = PL_SHAPE_SPHERE, .pose = {{0, 0, 0}, {1, 0, 0, 0}}, .radius = 2};
  CHECK_INT(pl_convex_face(&ball, v3(0, 0, 1), corner), 1);
  CHECK_NEAR(corner[0].z, 2, 2.8e-14);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(distances_come_with_their_proof);
  RUN(overlaps_are_the_shortest_way_out);
  RUN(gaps_scale_with_the_shapes);
  RUN(boxes_have_closed_forms);
  RUN(closed_forms);
  RUN(supporting_faces);
  return CHECK_END;
}

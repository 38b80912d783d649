// Signed distances against dense sampling of the surfaces and against the gradient.
#include "check.h"

#include "geom/distance.h"
#include "math/random_vec3.h"
#include "pliant/mesh.h"

enum { SAMPLES = 40000, POINTS = 200 };

// A point of the surface, from three numbers in [0, 1).
static plVec3 surface_point(const plShape* s, double a, double b, double c) {
  double phi = 2 * M_PI * a, z = 2 * b - 1, r = sqrt(1 - z * z);
  plVec3 ball = v3(r * cos(phi), r * sin(phi), z);
  switch (s->kind) {
    case PL_SHAPE_SPHERE:
      return v3_scale(s->radius, ball);
    case PL_SHAPE_ELLIPSOID:
      return v3(ball.x * s->size.x / 2, ball.y * s->size.y / 2, ball.z * s->size.z / 2);
    case PL_SHAPE_CAPSULE:
      if (c < 0.5) return v3(s->radius * cos(phi), s->radius * sin(phi), s->length * (b - 0.5));
      return v3(s->radius * ball.x, s->radius * ball.y, s->radius * ball.z + copysign(s->length / 2, ball.z));
    case PL_SHAPE_CYLINDER:
      if (c < 0.5) return v3(s->radius * cos(phi), s->radius * sin(phi), s->length * (b - 0.5));
      return v3(s->radius * sqrt(b) * cos(phi), s->radius * sqrt(b) * sin(phi),
                c < 0.75 ? s->length / 2 : -s->length / 2);
    default: {
      plVec3 h = v3_scale(0.5, s->size);
      double u = 2 * a - 1, v = 2 * b - 1, side = (int)(c * 6) % 2 ? 1 : -1;
      int axis = (int)(c * 6) / 2;
      return axis == 0   ? v3(side * h.x, u * h.y, v * h.z)
             : axis == 1 ? v3(u * h.x, side * h.y, v * h.z)
                         : v3(u * h.x, v * h.y, side * h.z);
    }
  }
}

static void compare(const plShape* shape) {
  plRandom random = {7};
  static plVec3 surface[SAMPLES];
  for (int i = 0; i < SAMPLES; i++) {
    plVec3 u = v3_random(&random, 0, 1);
    surface[i] = surface_point(shape, u.x, u.y, u.z);
  }
  for (int i = 0; i < POINTS; i++) {
    plVec3 p = v3_random(&random, -1.5, 1.5), n;
    double d = pl_shape_distance(shape, p, &n), best = INFINITY;
    for (int k = 0; k < SAMPLES; k++) best = fmin(best, v3_norm(v3_sub(p, surface[k])));
    CHECK_BELOW(fabs(d) - best, 1.5e-14, 1);  // no sample is closer
    CHECK_NEAR(fabs(d), best, 0.02);          // and one is nearly as close
    CHECK_ROUND(v3_norm(n), 1, 1);
    // p - d n lies on the surface, and d is the distance along n
    plVec3 m, on = v3_madd(p, -d, n);
    CHECK_ROUND(pl_shape_distance(shape, on, &m), 0, 1);
    CHECK_NEAR(pl_shape_distance(shape, v3_madd(p, d > 0 ? 1e-4 : -1e-5, n), &m), d + (d > 0 ? 1e-4 : -1e-5),
               2.8e-14);
  }
  plVec3 n;
  CHECK(pl_shape_distance(shape, v3(0, 0, 0), &n) < 0);
  CHECK(isfinite(v3_norm(n)));
}

static void a_sphere(void) { compare(&(plShape){.kind = PL_SHAPE_SPHERE, .radius = 0.7}); }
static void a_box(void) { compare(&(plShape){.kind = PL_SHAPE_BOX, .size = {0.8, 1.2, 0.5}}); }
static void a_capsule(void) { compare(&(plShape){.kind = PL_SHAPE_CAPSULE, .radius = 0.3, .length = 1}); }
static void a_cylinder(void) { compare(&(plShape){.kind = PL_SHAPE_CYLINDER, .radius = 0.5, .length = 0.9}); }
static void an_ellipsoid(void) { compare(&(plShape){.kind = PL_SHAPE_ELLIPSOID, .size = {0.8, 1.2, 0.5}}); }
static void an_ellipsoid_of_revolution(void) {
  compare(&(plShape){.kind = PL_SHAPE_ELLIPSOID, .size = {1.2, 1.2, 0.4}});
}

static void an_ellipsoid_with_equal_axes_is_a_sphere(void) {
  plShape e = {.kind = PL_SHAPE_ELLIPSOID, .size = {1, 1, 1}};
  plVec3 n;
  CHECK_ROUND(pl_shape_distance(&e, v3(0.3, 0.4, 0), &n), 0, 1);
  CHECK_NEAR(pl_shape_distance(&e, v3(0, 0, 2), &n), 1.5, 2.1e-14);
  CHECK_ROUND(pl_shape_distance(&e, v3(0, 0, 0), &n), -0.5, 0.5);
}

// Points in the planes of symmetry, where the formula of the general case divides zero by zero.
static void an_ellipsoid_on_its_planes_of_symmetry(void) {
  plShape e = {.kind = PL_SHAPE_ELLIPSOID, .size = {4, 2, 1}};
  plVec3 n;
  CHECK_ROUND(pl_shape_distance(&e, v3(3, 0, 0), &n), 1, 1);
  CHECK_NEAR(pl_shape_distance(&e, v3(0, 3, 0), &n), 2, 2.8e-14);
  CHECK_ROUND(pl_shape_distance(&e, v3(0, 0, 0), &n), -0.5, 0.5);
  CHECK_ROUND(fabs(n.z), 1, 1);
  CHECK_NEAR(pl_shape_distance(&e, v3(0.1, 0.1, 0), &n), -0.4975, 4.5e-3);
}

static void a_half_space(void) {
  plShape h = {.kind = PL_SHAPE_HALF_SPACE};
  plVec3 n;
  CHECK_NEAR(pl_shape_distance(&h, v3(5, 6, -0.25), &n), -0.25, 0);
  CHECK_NEAR(n.z, 1, 0);
}

static void a_mesh_of_a_box_is_a_box(void) {
  plError error;
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_box((plVec3){0.8, 1.2, 0.5}, 0.4, &mesh, &error), PL_OK);
  CHECK_INT(pl_mesh_boundary(mesh, &error), PL_OK);
  plTriTree* tree = NULL;
  CHECK_INT(pl_tri_tree_create(mesh->vert, mesh->tri, mesh->ntri, &tree, &error), PL_OK);
  plShape shape = {.kind = PL_SHAPE_MESH, .tree = tree},
          box = {.kind = PL_SHAPE_BOX, .size = {0.8, 1.2, 0.5}};
  plRandom random = {3};
  for (int i = 0; i < POINTS; i++) {
    plVec3 p = v3_random(&random, -1, 1), n, m;
    CHECK_ROUND(pl_shape_distance(&shape, p, &n), pl_shape_distance(&box, p, &m), 1);
  }
  pl_tri_tree_destroy(tree);
  pl_mesh_destroy(mesh);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_half_space);
  RUN(a_sphere);
  RUN(a_box);
  RUN(a_capsule);
  RUN(a_cylinder);
  RUN(an_ellipsoid);
  RUN(an_ellipsoid_of_revolution);
  RUN(an_ellipsoid_with_equal_axes_is_a_sphere);
  RUN(an_ellipsoid_on_its_planes_of_symmetry);
  RUN(a_mesh_of_a_box_is_a_box);
  return CHECK_END;
}

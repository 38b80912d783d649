// Each test stands on both sides of one number of src/contact/thresholds.h, at 0.7 and at 1.4 of it, and
// fails when that number is doubled or halved.
#include "geom/skin.h"
#include "math/pose.h"
#include "model/work.h"
#include "pliant/pliant.h"
#include "world.h"

static const plVec3 down = {0, 0, -9.81}, nowhere = {0, 0, 0};

// Points of one step.
static int points(World* w) {
  build(w);
  run(w, 1);
  return w->data->work->npoint;
}

static int sphere_above_ground(double gap, double speed) {
  World w = begin(nowhere, 0.01);
  plGeometryDef ball = pl_default_geometry_def();
  ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.05;
  add_body(&w, "ball", ball, pose_at(0, 0, 0.05 + gap), v3(0, 0, -speed), 1, 1e-3);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
  int n = points(&w);
  end(&w);
  return n;
}

static void margin_least(void) {
  CHECK_INT(sphere_above_ground(1.4e-4, 0), 1);
  CHECK_INT(sphere_above_ground(2.8e-4, 0), 0);
}

static void margin_room(void) {
  CHECK_INT(sphere_above_ground(0.014, 1), 1);
  CHECK_INT(sphere_above_ground(0.028, 1), 0);
}

// A rigid cone of n sides over the middle of a facet of a soft block, 0.1 mm apart.
static World needle_on_block(double half_angle) {
  World w = begin(nowhere, 0.01);
  enum { N = 8 };
  double length = 0.1;
  plMesh* mesh = pl_mesh_create(N + 2, 0, 2 * N, NULL);
  for (int i = 0; i < N; i++) {
    double a = 2 * M_PI * i / N, r = length * tan(half_angle);
    int j = (i + 1) % N, tri[6] = {N, j, i, N + 1, i, j};
    v3_store(mesh->vert + 3 * i, v3(r * cos(a), r * sin(a), length));
    for (int k = 0; k < 6; k++) mesh->tri[6 * i + k] = tri[k];
  }
  v3_store(mesh->vert + 3 * N, nowhere), v3_store(mesh->vert + 3 * N + 3, v3(0, 0, length));
  plGeometryDef g = pl_default_geometry_def();
  g.kind = PL_SHAPE_MESH, g.mesh = mesh;
  add_block(&w, v3(0.1, 0.1, 0.1), 2, 2, 2, pose_at(0, 0, -0.05), 1e6);
  add_body(&w, "needle", g, pose_at(0.012, 0.021, 1e-4), nowhere, 1, 1e-3);
  pl_mesh_destroy(mesh);
  return w;
}

static void facing_at_all(void) {
  static const double sine[2] = {0.014, 0.007};
  for (int k = 0; k < 2; k++) {
    World w = needle_on_block(asin(sine[k]));
    CHECK_INT(points(&w), k == 0);
    end(&w);
  }
}

static void closest_share(void) {
  World w = needle_on_block(0.1);
  CHECK_INT(points(&w), 1);
  CHECK_NEAR(w.data->work->point[0].share, 0.5, 1e-12);
  CHECK_NEAR(w.data->work->point[0].gap, 1e-4, 1e-12);
  end(&w);
}

// Two blocks of the same cells, one shifted by a part of a cell along a diagonal of the facets.
static void closest_same(void) {
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    double shift = 0.05 * (k ? 0.028 : 0.014);
    add_block(&w, v3(0.1, 0.1, 0.1), 2, 2, 2, pose_at(0, 0, 0), 1e6);
    add_block(&w, v3(0.1, 0.1, 0.1), 2, 2, 2, pose_at(shift, 0, 0.1 - 1e-6), 1e6);
    CHECK(points(&w) > 0);
    CHECK((w.data->report.merged > 0) == (k == 0));
    end(&w);
  }
}

// A box that leans: its upper rim looks aside, and its side looks down by the sine of the angle.
static void some_facet(void) {
  static const double sine[2] = {0.07, 0.035};
  for (int k = 0; k < 2; k++) {
    World w = begin(down, 0.2);
    plGeometryDef box = pl_default_geometry_def();
    box.kind = PL_SHAPE_BOX, box.size = v3(0.1, 0.1, 0.1);
    plPose pose = {v3(0, 0, 0.06), quat_exp(v3(0, asin(sine[k]), 0))};
    add_body(&w, "box", box, pose, nowhere, 1, 1e-3);
    add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
    CHECK_INT(points(&w), k ? 4 : 6);
    end(&w);
  }
}

// A cylinder stands on eight points, each as strong as half of one of four.
static void patch_points(void) {
  World w = begin(nowhere, 0.01);
  plGeometryDef g = pl_default_geometry_def();
  g.kind = PL_SHAPE_CYLINDER, g.radius = 0.05, g.length = 0.1;
  add_body(&w, "can", g, pose_at(0, 0, 0.05), nowhere, 1, 1e-3);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
  CHECK_INT(points(&w), 8);
  for (int i = 0; i < 8; i++) CHECK_NEAR(w.data->work->point[i].share, 0.5, 1e-9);
  end(&w);
}

// Two capsules on top of each other, crossed by an angle.
static void lines_parallel(void) {
  static const double sine[2] = {0.035, 0.07};
  for (int k = 0; k < 2; k++) {
    World w = begin(down, 0.05);
    plGeometryDef g = pl_default_geometry_def();
    g.kind = PL_SHAPE_CAPSULE, g.radius = 0.05, g.length = 0.2;
    plPose lie = {nowhere, quat_exp(v3(M_PI / 2, 0, 0))},
           across = {v3(0, 0, 0.1), quat_mul(quat_exp(v3(0, 0, asin(sine[k]))), lie.q)};
    add_body(&w, "low", g, lie, nowhere, 1, 1e-3);
    add_body(&w, "high", g, across, nowhere, 1, 1e-3);
    int n = points(&w);
    CHECK(k ? n == 1 : n > 1);
    end(&w);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(margin_least);
  RUN(margin_room);
  RUN(facing_at_all);
  RUN(closest_share);
  RUN(closest_same);
  RUN(some_facet);
  RUN(patch_points);
  RUN(lines_parallel);
  return CHECK_END;
}

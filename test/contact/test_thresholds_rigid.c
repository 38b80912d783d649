// Thresholds of rigid meshes and convex rigid shapes (src/contact/thresholds.h): each test stands on both
// sides of one of them, at 0.7 and at 1.4 of it, and fails when it is doubled or halved.
#include "math/pose.h"
#include "points.h"

static const plVec3 down = {0, 0, -9.81}, nowhere = {0, 0, 0};

// A box over the ground that no force presses: its area counts if it is this close.
static void touching(void) {
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    double side = 0.1, area = 0.25 * side * side;
    plShapeDef box = pl_default_shape_def();
    box.kind = PL_SHAPE_BOX, box.size = v3(side, side, side);
    add_body(&w, "box", box, pose_at(0, 0, 0.5 * side + (k ? 1.4 : 0.7) * 1e-3 * sqrt(area)), nowhere, 1,
             1e-3);
    add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
    CHECK_INT(points(&w), 4);
    plContactPair pair;
    pl_contact_pair(w.data, (plSide){PL_SIDE_BODY, 0}, (plSide){PL_SIDE_ANY, 0}, &pair);
    CHECK_NEAR(pair.area, k ? 0 : side * side, 1.4e-16);
    end(&w);
  }
}

// The area of the only point of a ball of 50 mm on the ground, or of two crossed capsules of that radius that
// touch at an angle with this sine (0: the ball).
static double lone_area(double sine, double stiffness) {
  World w = begin(nowhere, 0.01);
  double r = 0.05;
  plShapeDef g = pl_default_shape_def();
  g.kind = sine > 0 ? PL_SHAPE_CAPSULE : PL_SHAPE_SPHERE, g.radius = r, g.length = 0.2;
  g.surface.contact_stiffness = stiffness;
  plPose lie = {nowhere, quat_exp(v3(M_PI / 2, 0, 0))},
         across = {v3(0, 0, 2 * r), quat_mul(quat_exp(v3(0, 0, asin(sine))), lie.q)};
  if (sine > 0) add_body(&w, "low", g, lie, nowhere, 1, 1e-3);
  if (sine > 0)
    add_body(&w, "high", g, across, nowhere, 1, 1e-3);
  else {
    add_body(&w, "ball", g, pose_at(0, 0, r), nowhere, 1, 1e-3);
    add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
  }
  CHECK_INT(points(&w), 1);
  double area = w.data->work->point[0].area / (r * r);
  end(&w);
  return area;
}

static void area_least(void) { CHECK_NEAR(lone_area(0, INFINITY), 1e-6, 1.4e-20); }

static void area_depth(void) { CHECK_NEAR(lone_area(0, 1e6), M_PI * 1e-4, 4.5e-18); }

// sin^2 is less than 0.01: the area is that of sine 0.1
static void area_oval(void) { CHECK_NEAR(lone_area(0.07, 1e6), M_PI / 0.1 * 1e-4, 4.5e-17); }

// A cylinder on a box, tilted so that the lowest point of its rim lies between two of the eight corners that
// stand for its cap: these are farther away than it by `parts` of the distance at which the point counts in
// full. Returns its weight relative to a corner; 0: a corner stands for it.
static double lonely_weight(double parts) {
  World w = begin(down, 0.05);
  double r = 0.05, sine = parts * 2e-3 / (1 - cos(M_PI / 8));
  plShapeDef g = pl_default_shape_def();
  g.kind = PL_SHAPE_BOX, g.size = v3(0.5, 0.5, 0.5);
  add_body(&w, "box", g, pose_at(0, 0, -0.25), nowhere, 1, 1e-3);
  g.kind = PL_SHAPE_CYLINDER, g.radius = r, g.length = 2 * r;
  plQuat q = quat_exp(v3_scale(asin(sine), v3(sin(M_PI / 8), cos(M_PI / 8), 0)));
  add_body(&w, "can", g, (plPose){v3(0, 0, r * (sqrt(1 - sine * sine) + sine)), q}, nowhere, 1, 1e-3);
  int n = points(&w);
  double weight = n == 9 ? w.data->work->point[8].area / w.data->work->point[0].area : 0;
  end(&w);
  return weight;
}

static void lonely(void) {
  CHECK_NEAR(lonely_weight(0.5), 0.5, 1.2e-8);
  CHECK_NEAR(lonely_weight(0.14), 0.14, 4.1e-9);
  CHECK_NEAR(lonely_weight(0.07), 0, 0);
}

// One point for two boxes, the upper one tilted: the far corners, which are half of this farther away, count
// half, so the point lies at a third of the width from the near ones.
static void as_close(void) {
  World w = begin(nowhere, 0.01);
  pl_spec_options(w.spec)->rigid_contact = PL_RIGID_POINT;
  double side = 0.1;
  plShapeDef box = pl_default_shape_def();
  box.kind = PL_SHAPE_BOX, box.size = v3(side, side, side);
  double radius = 0.5 * side, angle = asin(0.5 * 0.1 * radius / side);
  plQuat q = quat_exp(v3(0, -angle, 0));
  plPose high = {v3_add(v3(-0.5 * side, 0, 0.49 * side), quat_rotate(q, v3(0.5 * side, 0, 0.5 * side))), q};
  box.size = v3(2 * side, 2 * side, side);
  add_body(&w, "low", box, pose_at(0, 0, 0), nowhere, 1, 1e-3);
  box.size = v3(side, side, side);
  add_body(&w, "high", box, high, nowhere, 1, 1e-3);
  CHECK_INT(points(&w), 1);
  CHECK_NEAR(w.data->work->point[0].position.x, -0.5 * side + side / 3, 3.1e-4 * side);
  end(&w);
}

// Two capsules on top of each other, crossed by an angle.
static void lines_parallel(void) {
  static const double sine[2] = {0.035, 0.07};
  for (int k = 0; k < 2; k++) {
    World w = begin(down, 0.05);
    plShapeDef g = pl_default_shape_def();
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

// A ball high above a flat mesh of two facets, a little beyond the edge between them: the far facet's closest
// point is on the edge. Seen from an end of the edge, the near facet's third corner, across its diagonal,
// rises towards the ball by x / high.
static void side_slack(void) {
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    double high = 0.5, r = 2e-4, side = 0.3, x = (k ? 1.4 : 0.7) * 1e-4 * high;
    plMesh* mesh = pl_mesh_create(4, 0, 2, NULL);
    static const int tri[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 4; i++)
      v3_store(mesh->vert + 3 * (size_t)i, v3(i == 0 || i == 3 ? -side : side, i < 2 ? -side : side, 0));
    for (int i = 0; i < 6; i++) mesh->tri[i] = tri[i];
    plShapeDef ground = pl_default_shape_def(), ball = pl_default_shape_def();
    ground.kind = PL_SHAPE_MESH, ground.mesh = mesh, ball.kind = PL_SHAPE_SPHERE, ball.radius = r;
    add_body(&w, "ground", ground, pose_at(0, 0, 0), nowhere, 1, 1e-3);
    add_body(&w, "ball", ball, pose_at(x, -x, high + r), v3(0, 0, -40), 1, 1e-3);
    pl_mesh_destroy(mesh);
    CHECK_INT(points(&w), k ? 1 : 2);
    end(&w);
  }
}

// A ball in a groove of this angle between two facets: it stands on one point if those of the two facets are
// the same, up to the accuracy of closest points.
static int groove_points(double angle) {
  World w = begin(nowhere, 0.01);
  double r = 0.05, side = 0.3, rise = side * tan(0.5 * angle);
  plMesh* mesh = pl_mesh_create(6, 0, 4, NULL);
  static const int tri[12] = {0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3};
  for (int i = 0; i < 6; i++)
    v3_store(mesh->vert + 3 * (size_t)i, v3(i < 2   ? -side
                                            : i < 4 ? 0
                                                    : side,
                                            i % 2 ? side : -side, i == 2 || i == 3 ? 0 : rise));
  for (int i = 0; i < 12; i++) mesh->tri[i] = tri[i];
  plShapeDef ground = pl_default_shape_def(), ball = pl_default_shape_def();
  ground.kind = PL_SHAPE_MESH, ground.mesh = mesh, ball.kind = PL_SHAPE_SPHERE, ball.radius = r;
  add_body(&w, "ground", ground, pose_at(0, 0, 0), nowhere, 1, 1e-3);
  add_body(&w, "ball", ball, pose_at(0, 0.01, r + 1e-5), nowhere, 1, 1e-3);
  pl_mesh_destroy(mesh);
  build(&w);
  int n = find_points(&w);
  end(&w);
  return n;
}

static void same_closest(void) {
  CHECK_INT(groove_points(0.7e-3), 1);
  CHECK_INT(groove_points(1.4e-3), 2);
}

// A tilted can stands with its rim in a groove along the rim's tangent, whose two sides have normals of this
// product: both push at the same point, and are one point if they push in the same direction.
static int rim_points(double product) {
  World w = begin(nowhere, 0.01);
  double r = 1, side = 0.3, rise = side * tan(0.5 * acos(product));
  plMesh* mesh = pl_mesh_create(6, 0, 4, NULL);
  static const int tri[12] = {0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3};
  for (int i = 0; i < 6; i++)
    v3_store(mesh->vert + 3 * (size_t)i, v3(i < 2   ? -side
                                            : i < 4 ? 0
                                                    : side,
                                            i % 2 ? side : -side, i == 2 || i == 3 ? 0 : rise));
  for (int i = 0; i < 12; i++) mesh->tri[i] = tri[i];
  plShapeDef ground = pl_default_shape_def(), can = pl_default_shape_def();
  ground.kind = PL_SHAPE_MESH, ground.mesh = mesh, can.kind = PL_SHAPE_CYLINDER, can.radius = r,
  can.length = 2 * r;
  plQuat q = quat_exp(v3(0, M_PI / 4, 0));
  plPose pose = {nowhere, q};
  pose.p = v3_sub(v3(0, 0.01, 2e-5), quat_rotate(q, v3(r, 0, -r)));
  add_body(&w, "ground", ground, pose_at(0, 0, 0), nowhere, 1, 1e-3);
  add_body(&w, "can", can, pose, nowhere, 1, 1e-3);
  pl_mesh_destroy(mesh);
  build(&w);
  int n = find_points(&w);
  end(&w);
  return n;
}

static void same_direction(void) {
  CHECK_INT(rim_points(1 - 0.7e-3), 1);
  CHECK_INT(rim_points(1 - 1.4e-3), 2);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(touching);
  RUN(area_least);
  RUN(area_depth);
  RUN(area_oval);
  RUN(lonely);
  RUN(as_close);
  RUN(lines_parallel);
  RUN(side_slack);
  RUN(same_closest);
  RUN(same_direction);
  return CHECK_END;
}

// Round rigid shapes and soft bodies in motion: impacts that a step could carry past the surface, thin
// layers, rolling, gripping.
#include "base/random.h"
#include "math/pose.h"
#include "pliant/pliant.h"
#include "world.h"
#include "model/side.h"

// Instrumented programs are slow: fewer cases.
#ifdef CHECK_SANITIZED
enum { SLOW = 1 };
#else
enum { SLOW = 0 };
#endif

static plShapeDef round_shape(plShapeKind kind, double radius, double length, double mu) {
  plShapeDef g = pl_default_shape_def();
  g.kind = kind, g.radius = radius, g.length = length, g.surface.friction = mu;
  return g;
}

// A block of 100 kPa, its bottom held, its top at z = 0.
static void add_bed(World* w, plVec3 size, double cell, double depth_cell) {
  plVec3 n = v3(floor(size.x / cell + 0.5), floor(size.y / cell + 0.5), floor(size.z / depth_cell + 0.5));
  int bed = add_block(w, size, (int)n.x, (int)n.y, (int)n.z, pose_at(0, 0, -size.z / 2), 1e5);
  hold_below(w, bed, -size.z / 2);
}

// ---- impacts

// A soft ball of 0.1 m and 25 mm edges falls on a shape whose top is at z = 0, 0.1 m a step: how it rebounds.
static void drop(plContactLaw law, plShapeKind kind, double radius, bool standing) {
  World w = begin(v3(0, 0, -9.81), 0.01);
  pl_spec_options(w.spec)->contact_law = law;
  plDeformableDef ball = pl_default_deformable_def();
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_sphere(0.1, 0.025, &mesh, &w.error), PL_OK);
  ball.name = "ball", ball.mesh = mesh, ball.pose = pose_at(0.003, 0.002, 0.105),
  ball.velocity = v3(0, 0, -10), ball.surface.friction = 0.5;
  ball.material.damping_stiffness = 0.001;
  CHECK_INT(pl_spec_add_deformable(w.spec, &ball, NULL, &w.error), PL_OK);
  pl_mesh_destroy(mesh);
  plShapeDef g = round_shape(kind, radius, 0.4, 0.5);
  g.name = "post", g.pose = pose_at(0, 0, standing ? -0.2 : -radius);
  if (!standing) g.pose.q = quat_from_axis_angle(v3(1, 0, 0), M_PI / 2);
  CHECK_INT(pl_spec_add_shape(w.spec, &g, NULL, &w.error), PL_OK);
  build(&w);
  double start = world_energy(&w), most = -INFINITY, lowest = INFINITY, up = 0;
  int deep = 0;
  for (int i = 0; i < 15 && !w.data->report.status; i++) {
    run(&w, 1);
    plBodyState s;
    pl_deformable_state(w.data, 0, &s);
    most = fmax(most, world_energy(&w) - start), lowest = fmin(lowest, s.com.z),
    up = fmax(up, s.momentum.z / s.mass);
    deep += w.data->report.deep;
  }
  printf("%s, %s: lowest %.4f m, rebounds with %.3f m/s, energy %.3g J at most, deep %d\n",
         pl_shape_name(kind), law == PL_LAW_CONE ? "cone" : "coulomb", lowest, up, most, deep);
  CHECK_BELOW(-lowest, 0.031, 1);
  CHECK(up > 1.5 && up < 5 && most < 0 && deep == 0);
  end(&w);
}
// The surface's spring is soft where nothing touches yet; without its stop all of these went through.
static void a_fast_body_does_not_pass(void) {
  for (int k = 0; k < 2; k++) {
    plContactLaw law = k ? PL_LAW_COULOMB : PL_LAW_CONE;
    drop(law, PL_SHAPE_SPHERE, 0.08, false);
    drop(law, PL_SHAPE_CYLINDER, 0.08, true);
    if (SLOW) continue;
    drop(law, PL_SHAPE_CAPSULE, 0.05, false);
    drop(law, PL_SHAPE_CAPSULE, 0.015, false);
    drop(law, PL_SHAPE_CYLINDER, 0.05, false);
  }
}

// A ball of 0.1 m with a given stiffness and no relaxation thrown on a shape, which has the same: depth is
// how far the ball's middle comes too close, overlap that of its points.
typedef struct Bounce {
  double depth, overlap, up, mass;
  int deep;
} Bounce;
static Bounce bounce(plShapeKind kind, double radius, double young, double speed) {
  World w = begin(v3(0, 0, 0), 0.001);
  plDeformableDef ball = pl_default_deformable_def();
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_sphere(0.1, 0.025, &mesh, &w.error), PL_OK);
  ball.name = "ball", ball.mesh = mesh, ball.pose = pose_at(0, 0, 0.1 + 1e-3 * speed),
  ball.velocity = v3(0, 0, -speed), ball.surface.friction = 0;
  ball.material.young = young, ball.material.damping_stiffness = 0, ball.surface.contact_stiffness = 1e6,
  ball.surface.relaxation_time = 0;
  CHECK_INT(pl_spec_add_deformable(w.spec, &ball, NULL, &w.error), PL_OK);
  pl_mesh_destroy(mesh);
  plShapeDef g = round_shape(kind, radius, 0.4, 0);
  g.name = "post", g.pose = pose_at(0, 0, kind == PL_SHAPE_HALF_SPACE ? 0 : -radius),
  g.surface = ball.surface;
  if (kind == PL_SHAPE_CAPSULE) g.pose.q = quat_from_axis_angle(v3(1, 0, 0), M_PI / 2);
  CHECK_INT(pl_spec_add_shape(w.spec, &g, NULL, &w.error), PL_OK);
  build(&w);
  Bounce b = {.depth = -INFINITY, .up = -INFINITY};
  plBodyState s;
  for (int i = 0; i < (int)fmax(200, 50 / speed) && !w.data->report.status; i++) {
    run(&w, 1);
    for (int c = 0; c < w.data->ncontact; c++) b.overlap = fmax(b.overlap, -w.data->contact[c].gap);
    pl_deformable_state(w.data, 0, &s);
    b.depth = fmax(b.depth, 0.1 - s.com.z), b.up = fmax(b.up, s.momentum.z / s.mass), b.mass = s.mass,
    b.deep += w.data->report.deep;
  }
  printf("given stiffness, %s, %g m/s: %.2f mm too close, overlap %.2f mm, back with %.3f m/s, deep %d\n",
         pl_shape_name(kind), speed, 1e3 * b.depth, 1e3 * b.overlap, b.up, b.deep);
  end(&w);
  return b;
}
// A heavy tool with a given stiffness falls into a block that hardly deforms: while its middle is in the
// block, every step says so, and none before.
static void what_a_stiffness_lets_in_is_counted(void) {
  plRandom r = {53};
  int inside = 0;
  for (int trial = 0; trial < 12; trial++) {
    double radius = pl_random(&r, 0.008, 0.02), size = pl_random(&r, 0.15, 0.3), dt = 0.001;
    World w = begin(v3(0, 0, 0), dt);
    int id =
        add_block(&w, v3(size, size, size), 1 + trial % 3, 1 + trial % 3, 2, pose_at(0, 0, -0.5 * size), 1e8);
    hold_below(&w, id, 0.49 * size);
    plShapeDef g = round_shape(trial % 2 ? PL_SHAPE_CAPSULE : PL_SHAPE_SPHERE, radius, 4 * radius, 0);
    g.surface.contact_stiffness = pow(10, pl_random(&r, 5, 7)), g.surface.relaxation_time = 0;
    double x = pl_random(&r, -0.2, 0.2) * size, y = pl_random(&r, -0.2, 0.2) * size, high = 4 * radius;
    add_body(&w, "tool", g, pose_at(x, y, high), v3(0, 0, -3), 1e4, 10);
    build(&w);
    for (int i = 0; i < (int)((high + 0.7 * size) / (3 * dt)); i++) {
      double z = w.data->q[2];
      run(&w, 1);
      if (z > 0.1 * radius) CHECK_INT(w.data->report.deep, 0);
      if (!(z < -0.5 * radius && z > -0.6 * size)) continue;
      CHECK(w.data->report.deep > 0);
      inside++;
    }
    end(&w);
  }
  CHECK(inside > 100);
}
// Over a depth d that law does the work k pi R d^3 / 3, 1 / R = 1 / R_ball + 1 / R_shape: what has less
// energy turns round there.
static double work_over(double R, double d) { return 0.5e6 * M_PI * R * d * d * d / 3; }
static void a_given_stiffness_does_its_work(void) {
  for (int round = 0; round < 2; round++) {
    double R = round ? 1 / (1 / 0.1 + 1 / 0.08) : 0.1, d = 0.01, speed = sqrt(2 * work_over(R, d) / 4.09);
    Bounce b = bounce(round ? PL_SHAPE_SPHERE : PL_SHAPE_HALF_SPACE, 0.08, 1e7, speed);
    CHECK_INT(b.deep, 0);
    CHECK_NEAR(b.depth / d, 1, 0.082);
    CHECK_NEAR(b.up / speed, 1, 0.1);
  }
  // 51 J. A floor has all the depth that it takes. A capsule of 50 mm has not, and that is counted.
  Bounce floor = bounce(PL_SHAPE_HALF_SPACE, 0, 1e5, 5), post = bounce(PL_SHAPE_CAPSULE, 0.05, 1e5, 5);
  double energy = 0.5 * floor.mass * 25;
  CHECK(floor.deep == 0 && floor.up > 3.5 && floor.up < 5);
  // The ball is soft, too: it and the law are in series.
  CHECK(work_over(0.1, floor.overlap) < energy && energy < work_over(0.1, floor.depth));
  CHECK(work_over(0.1, 0.05) < 0.15 * energy && post.deep > 0 && post.up < 0);
}

// A ball of 1 kg on a layer whose tetrahedra are much flatter than wide: the spring, as soft as facets are
// wide, ends before the layer does.
static double sink(double thick, double depth_cell, double speed) {
  World w = begin(v3(0, 0, -9.81), 0.01);
  add_bed(&w, v3(0.24, 0.24, thick), 0.024, depth_cell);
  add_body(&w, "ball", round_shape(PL_SHAPE_SPHERE, 0.03, 0, 0.6), pose_at(0.004, 0.003, 0.032),
           v3(0, 0, -speed), 1, 3.6e-4);
  build(&w);
  double deepest = 0;
  int deep = 0;
  for (int i = 0; i < 40 && !w.data->report.status; i++)
    run(&w, 1), deepest = fmax(deepest, 0.03 - w.data->q[2]), deep += w.data->report.deep;
  printf("layer of %g mm, %g m/s: deepest %.2f mm, deep %d\n", 1e3 * thick, speed, 1e3 * deepest, deep);
  CHECK_INT(deep, 0);
  end(&w);
  return deepest;
}
static void a_thin_layer_is_not_pierced(void) {
  CHECK_BELOW(sink(0.004, 0.004, 0), 0.0035, 1);
  CHECK_BELOW(sink(0.004, 0.004, 2), 0.0055, 1);
  if (!SLOW) CHECK_BELOW(sink(0.06, 0.003, 3), 0.02, 1);
}

// ---- rolling

// Thrown on a block of 24 mm cells it rolls: slower and slower (no cell pushes it on), without slip, and no
// energy comes from anywhere.
static void a_ball_rolls_smoothly(void) {
  static const double mass[] = {0.02, 0.2, 1};
  for (int i = 0; i < (SLOW ? 1 : 3); i++) {
    World w = begin(v3(0, 0, -9.81), 0.005);
    add_bed(&w, v3(0.48, 0.12, 0.048), 0.024, 0.024);
    add_body(&w, "ball", round_shape(PL_SHAPE_SPHERE, 0.03, 0, 0.8), pose_at(-0.15, 0.003, 0.035),
             v3(0.5, 0, 0), mass[i], 0.4 * mass[i] * 9e-4);
    build(&w);
    double start = world_energy(&w), most = -INFINITY, faster = 0, landed = 0.5;
    run(&w, 60);
    landed = w.data->v[0];
    for (int k = 0; k < 60 && !w.data->report.status; k++) {
      double before = w.data->v[0];
      run(&w, 1);
      faster = fmax(faster, w.data->v[0] - before), most = fmax(most, world_energy(&w) - start);
    }
    const double* v = w.data->v;
    printf(
        "%g kg: %.3f m/s after 0.3 s, %.3f after 0.6 s, turning with %.3f; faster by %.2g a step at most, "
        "energy %.2g J\n",
        mass[i], landed, v[0], 0.03 * v[4], faster, most);
    CHECK_BELOW(faster, 1.5e-14, 1);
    CHECK(most < 0 && landed < 0.45 && v[0] > 0.1 && v[0] < landed);
    // what rolls is the soft surface's point, which is inside the ball by what the coarse mesh does not show
    CHECK_NEAR(0.03 * v[4] / v[0], 1, 0.15);
    end(&w);
  }
}

// ---- rest

// A very soft block sags between three rollers and comes to rest: no energy comes from the springs under the
// points, and the rollers carry the weight. (Of 1 kPa the linear law cannot carry its own weight: elements
// turn inside out. Contact does not cause that.)
static void a_block_rests_on_rollers(plMaterialKind law, double young, plShapeKind kind) {
  World w = begin(v3(0, 0, -9.81), 0.01);
  plDeformableDef def = pl_default_deformable_def();
  plMesh* mesh = box_mesh(v3(0.2, 0.1, 0.06), 12, 4, 3);
  def.name = "block", def.mesh = mesh, def.pose = pose_at(0, 0, 0.032), def.surface.friction = 0.5,
  def.material.kind = law, def.material.young = young;
  CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
  pl_mesh_destroy(mesh);
  static const char* name[] = {"left", "middle", "right"};
  for (int i = 0; i < 3; i++) {
    plShapeDef g = round_shape(kind, 0.02, 0.3, 0.5);
    g.name = name[i],
    g.pose = (plPose){{0.08 * (i - 1), 0, -0.02}, quat_from_axis_angle(v3(1, 0, 0), M_PI / 2)};
    CHECK_INT(pl_spec_add_shape(w.spec, &g, NULL, &w.error), PL_OK);
  }
  build(&w);
  run(&w, SLOW ? 200 : 400);
  double rise = 0, before = world_energy(&w);
  for (int i = 0; i < 50 && !w.data->report.status; i++) {
    run(&w, 1);
    rise = fmax(rise, world_energy(&w) - before), before = world_energy(&w);
  }
  plBodyState s;
  pl_deformable_state(w.data, 0, &s);
  double carried = 0, weight = 9.81 * s.mass;
  for (int c = 0; c < w.data->ncontact; c++) carried -= w.data->contact[c].force.z;
  printf(
      "%s of %g Pa on rollers: middle at %.1f mm, %.2g J in motion, energy rises by %.2g J a step at most, "
      "carried %.6f of %.6f N\n",
      pl_material_name(law), young, 1e3 * s.com.z, s.kinetic_energy, rise, carried, weight);
  CHECK_BELOW(s.kinetic_energy, SLOW ? 1e-7 : 1e-11, 1);  // wide: what the tolerance of the solve leaves
  CHECK(rise < 1e-7);
  CHECK_NEAR(carried / weight, 1, SLOW ? 1e-3 : 6.7e-8);
  end(&w);
}
static void soft_blocks_rest_on_rollers(void) {
  a_block_rests_on_rollers(PL_MATERIAL_LINEAR_COROTATED, 2e3, PL_SHAPE_CYLINDER);
  if (SLOW) return;
  a_block_rests_on_rollers(PL_MATERIAL_NEO_HOOKEAN, 1e3, PL_SHAPE_CAPSULE);
}

// ---- gripping

typedef struct Grip {
  double force, slip;
} Grip;

// A cube of 60 mm between two capsules of 15 mm, 4 mm into it each, is lifted by 50 mm and held. cells: along
// an edge.
static Grip grip(int cells, double mu) {
  World w = begin(v3(0, 0, -9.81), 0.01);
  add_block(&w, v3(0.06, 0.06, 0.06), cells, cells, cells, pose_at(0, 0, 0), 1e5);
  add_shape(&w, "floor", PL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, -0.03), pl_default_surface());
  for (int side = -1; side <= 1; side += 2)
    add_body(&w, side < 0 ? "left" : "right", round_shape(PL_SHAPE_CAPSULE, 0.015, 0.02, mu),
             pose_at(side * 0.0455, 0.002, 0.003), v3(0, 0, 0), 1e5, 1e5);
  build(&w);
  double height = 0;
  Grip g = {0};
  plBodyState s;
  for (int i = 0; i < 100 && !w.data->report.status; i++) {
    double vx = i < 30 ? 0.0045 / 0.3 : 0, vz = i < 30 || i >= 80 ? 0 : 0.1;
    // Heavy enough that only gravity must be undone.
    for (int k = 0; k < 2; k++) {
      double* v = w.data->v + 6 * k;
      v[0] = k ? -vx : vx, v[1] = 0, v[2] = vz + 9.81 * 0.01, v[3] = v[4] = v[5] = 0;
    }
    run(&w, 1);
    pl_deformable_state(w.data, 0, &s);
    if (i == 40) height = s.com.z;  // off the floor
  }
  plContactPair pair;
  pl_contact_pair(w.data, pl_side_of_number(w.data->model, 0), pl_side_of_number(w.data->model, 2), &pair);
  g.force = pair.normal_force, g.slip = height + 0.039 - s.com.z;
  printf("cube of %d cells, friction %g: grip %.3f N, slipped by %.2f mm\n", cells, mu, g.force,
         1e3 * g.slip);
  end(&w);
  return g;
}
// Friction of 0.5 and mu is 2 0.5 mu / (0.5 + mu). Two fingers of 9.8 N carry 2.12 N with 0.5 but not with
// 0.02 (0.038). Without the spring: 21.0 N, 12.8 N.
static void a_grip_does_not_depend_on_the_mesh(void) {
  Grip coarse = grip(3, 0.5);
  CHECK_BELOW(coarse.slip, 5.4e-6, 1);
  CHECK(grip(3, 0.02).slip > 0.03);
  if (SLOW) return;
  Grip fine = grip(6, 0.5);
  CHECK_BELOW(fine.slip, 7.1e-6, 1);
  CHECK_NEAR(coarse.force / fine.force, 1, 0.026);
}

// Two heavy fingers shake the cube that they hold: their momentum, and that they are pushed on in each step,
// must not keep the solver from seeing that the cube's points stick (23 iterations a step at 10 mm, 59 at 5
// mm). Forces: m (a - g) of the cube, step by step. A floor carries it until they hold it, and they lift it
// first.
static void shake(plContactLaw law, double iterations) {
  int cells = SLOW ? 3 : 6, n = 0, total = 0;
  double off = 0, most = 0;
  World w = begin(v3(0, 0, -9.81), 0.01);
  pl_spec_options(w.spec)->contact_law = law;
  add_block(&w, v3(0.06, 0.06, 0.06), cells, cells, cells, pose_at(0, 0, 0), 1e5);
  add_shape(&w, "floor", PL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, -0.03), pl_default_surface());
  for (int side = -1; side <= 1; side += 2)
    add_body(&w, side < 0 ? "left" : "right", round_shape(PL_SHAPE_CAPSULE, 0.015, 0.02, 0.5),
             pose_at(side * 0.0455, 0.002, 0.003), v3(0, 0, 0), 1e5, 1e5);
  build(&w);
  for (int i = 0; i < 100 && !w.data->report.status; i++) {
    double close = i < 30 ? 0.0045 / 0.3 : 0, shaken = i < 30   ? 0
                                                       : i < 50 ? 0.1
                                                                : 0.3 * sin(6 * M_PI * (i - 50) * 0.01);
    for (int k = 0; k < 2; k++) {
      double* v = w.data->v + 6 * k;
      v[0] = k ? -close : close, v[1] = 0, v[2] = shaken + 9.81 * 0.01, v[3] = v[4] = v[5] = 0;
    }
    plBodyState before, after;
    pl_deformable_state(w.data, 0, &before);
    run(&w, 1);
    pl_deformable_state(w.data, 0, &after);
    if (i < 50) continue;
    // Forces are those on the side B, the fingers.
    plVec3 sum = v3(0, 0, 0), need = v3_scale(1 / 0.01, v3_sub(after.momentum, before.momentum));
    need.z += 9.81 * after.mass;
    for (int c = 0; c < w.data->ncontact; c++) sum = v3_sub(sum, w.data->contact[c].force);
    off = fmax(off, v3_norm(v3_sub(sum, need))), most = fmax(most, v3_norm(need));
    n++, total += w.data->report.iterations;
  }
  printf("shaken, %s: %.1f iterations a step, forces up to %.2f N within %.2g\n",
         law == PL_LAW_CONE ? "cone" : "coulomb", (double)total / n, most, off);
  CHECK(n == 50 && total < iterations * n);
  CHECK(most > 2);
  CHECK_BELOW(off, 1.9e-5, most);
  end(&w);
}
static void shaking_a_grip_takes_few_iterations(void) {
  shake(PL_LAW_CONE, 13);
  shake(PL_LAW_COULOMB, 20);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_fast_body_does_not_pass);
  RUN(what_a_stiffness_lets_in_is_counted);
  RUN(a_given_stiffness_does_its_work);
  RUN(a_thin_layer_is_not_pierced);
  RUN(a_ball_rolls_smoothly);
  RUN(soft_blocks_rest_on_rollers);
  RUN(a_grip_does_not_depend_on_the_mesh);
  RUN(shaking_a_grip_takes_few_iterations);
  return CHECK_END;
}

// Rigid bodies on each other: every pair of shapes carries a load; filters; rolling and sliding friction.
#include "base/random.h"
#include "math/pose.h"
#include "pliant/dynamics.h"
#include "pliant/pliant.h"
#include "world.h"
#include "model/side.h"

static const plVec3 down = {0, 0, -9.81}, nowhere = {0, 0, 0};

// A body of 1 kg with one shape of about 0.1 m; returns how high its middle is above what it lies on.
static double add_thing(World* w, const char* name, plShapeKind kind, plPose pose, const plMesh* mesh,
                        bool convex, int* id) {
  plShapeDef g = pl_default_shape_def();
  g.kind = kind, g.size = v3(0.1, 0.1, 0.1), g.radius = 0.05, g.length = 0.1, g.mesh = mesh,
  g.convex = convex;
  if (kind == PL_SHAPE_ELLIPSOID) g.size = v3(0.16, 0.14, 0.1);
  g.surface.friction = 0.5;
  *id = add_body(w, name, g, pose, nowhere, 1, 2e-3);
  return kind == PL_SHAPE_CAPSULE ? 0.1 : 0.05;
}

static void add_ground(World* w, plShapeKind kind, const plMesh* mesh, bool convex) {
  plShapeDef g = pl_default_shape_def();
  g.name = "ground", g.kind = kind, g.size = v3(2, 2, 0.4), g.mesh = mesh, g.convex = convex,
  g.surface.friction = 0.5;
  if (kind != PL_SHAPE_HALF_SPACE) g.pose.p.z = -0.2;
  CHECK_INT(pl_spec_add_shape(w->spec, &g, NULL, &w->error), PL_OK);
}

static plVec3 force_on(const World* w, int side) {
  plVec3 f = {0, 0, 0};
  for (int i = 0; i < w->data->ncontact; i++) {
    const plContact* c = &w->data->contact[i];
    if (pl_side_number(w->model, c->b) == side) f = v3_add(f, c->force);
    if (pl_side_number(w->model, c->a) == side) f = v3_sub(f, c->force);
  }
  return f;
}

// Each shape, dropped by 1 mm on a half space, a box and a mesh, comes to rest at its height and weighs what
// it weighs.
static void every_shape_rests_on_every_ground(void) {
  plMesh *cube = NULL, *slab = NULL;
  plError error;
  CHECK_INT(pl_mesh_box(v3(0.1, 0.1, 0.1), 0.05, &cube, &error), PL_OK);
  CHECK_INT(pl_mesh_boundary(cube, &error), PL_OK);
  CHECK_INT(pl_mesh_box(v3(2, 2, 0.4), 0.4, &slab, &error), PL_OK);
  CHECK_INT(pl_mesh_boundary(slab, &error), PL_OK);
  plShapeKind grounds[] = {PL_SHAPE_HALF_SPACE, PL_SHAPE_BOX, PL_SHAPE_MESH, PL_SHAPE_MESH};
  for (int k = 0; k < 4; k++)
    for (int kind = PL_SHAPE_SPHERE; kind <= PL_SHAPE_COUNT; kind++) {
      // The last of each: a mesh that stands for its hull.
      bool convex = kind == PL_SHAPE_COUNT, convex_ground = k == 3;
      if (convex) kind = PL_SHAPE_MESH;
      World w = begin(down, 0.01);
      int body;
      plPose pose = pose_identity();
      pose.p = v3(0.013, 0.027, 0.2);
      double height = add_thing(&w, "thing", (plShapeKind)kind, pose, cube, convex, &body);
      add_ground(&w, grounds[k], slab, convex_ground);
      build(&w);
      w.data->q[2] = height + 0.001;
      int most = run_most(&w, 100);
      plRigidState s;
      pl_rigid_body_state(w.data, body, &s);
      bool rests = fabs(s.com.z - height) < 2e-4 && v3_norm(s.com_velocity) < 1e-3 &&
                   fabs(force_on(&w, 0).z - 9.81) < 1e-2;
      if (!rests)
        printf("%s on %s: z - height %.3g, speed %.3g, force %.6g, contacts %d, Newton %d\n",
               pl_shape_name((plShapeKind)kind), pl_shape_name(grounds[k]), s.com.z - height,
               v3_norm(s.com_velocity), force_on(&w, 0).z, w.data->ncontact, most);
      CHECK(rests);
      end(&w);
      if (convex) break;
    }
  pl_mesh_destroy(cube), pl_mesh_destroy(slab);
}

// Flat bodies stand on each other: three boxes and cylinders, 2 s.
static void a_rigid_tower_stands(void) {
  for (int kind = 0; kind < 2; kind++) {
    World w = begin(down, 0.01);
    add_ground(&w, PL_SHAPE_BOX, NULL, false);
    int body[4];
    for (int i = 0; i < 4; i++) {
      plPose pose = pose_identity();
      pose.p = v3(0.005 * (i % 2), 0, 0.05 + 0.1 * i);
      pose.q = quat_exp(v3(0, 0, 0.3 * i));
      char name[8] = {'b', (char)('0' + i), 0};
      add_thing(&w, name,
                kind    ? PL_SHAPE_CYLINDER
                : i % 2 ? PL_SHAPE_CYLINDER
                        : PL_SHAPE_BOX,
                pose, NULL, false, &body[i]);
    }
    build(&w);
    run(&w, 200);
    for (int i = 0; i < 4; i++) {
      plRigidState s;
      pl_rigid_body_state(w.data, body[i], &s);
      CHECK_NEAR(s.com.x, 0.005 * (i % 2), 3e-4);
      CHECK_NEAR(s.com.y, 0, 2.2e-4);
      CHECK_NEAR(s.com.z, 0.05 + 0.1 * i, 5e-4);  // four near-rigid joints deform a little
      CHECK_BELOW(v3_norm(s.com_velocity), 6.2e-7, 1);
    }
    end(&w);
  }
}

// A ball pushed along rolls: v = w r, no slip; from v0 sliding it ends at v0 / (1 + I/(m r^2)).
static void a_ball_rolls_out_of_its_slide(void) {
  World w = begin(down, 0.01);
  int body;
  plPose pose = pose_identity();
  pose.p.z = 0.05;
  add_thing(&w, "ball", PL_SHAPE_SPHERE, pose, NULL, false, &body);
  add_ground(&w, PL_SHAPE_BOX, NULL, false);
  build(&w);
  w.data->v[0] = 1;
  run(&w, 60);
  plRigidState s;
  pl_rigid_body_state(w.data, body, &s);
  CHECK_NEAR(s.com_velocity.x, 1 / (1 + 2e-3 / (0.05 * 0.05)), 7.2e-4);
  CHECK_NEAR(s.com_velocity.x, 0.05 * s.angular_velocity.y, 5e-4);  // it sinks in by a part of 1e-3
  end(&w);
}

// On a slope (gravity tilted) a box holds below the friction angle and slides above it with g (sin - mu cos).
static void a_box_slides_as_coulomb_says(void) {
  for (int k = 0; k < 2; k++) {
    World w = begin(down, 0.01);
    double angle = atan(k ? 0.7 : 0.4);
    pl_spec_options(w.spec)->gravity = v3(9.81 * sin(angle), 0, -9.81 * cos(angle));
    int body;
    plPose pose = pose_identity();
    pose.p.z = 0.05;
    add_thing(&w, "box", PL_SHAPE_BOX, pose, NULL, false, &body);
    add_ground(&w, PL_SHAPE_BOX, NULL, false);
    build(&w);
    run(&w, 50);
    plRigidState s;
    pl_rigid_body_state(w.data, body, &s);
    double expected = k ? 9.81 * (sin(angle) - 0.5 * cos(angle)) * 0.5 : 0;
    CHECK_NEAR(s.com_velocity.x, expected, 4.2e-7);
    end(&w);
  }
}

// Links that a joint connects overlap at the joint and do not touch; others do; excluded pairs do not.
static void joined_links_do_not_touch(void) {
  for (int exclude = 0; exclude < 2; exclude++) {
    World w = begin(down, 0.01);
    pl_spec_options(w.spec)->gravity = v3(0, 0, 0);
    int body[3];
    for (int i = 0; i < 3; i++) {
      plPose pose = pose_identity();
      char name[8] = {'l', (char)('0' + i), 0};
      add_thing(&w, name, PL_SHAPE_BOX, pose, NULL, false, &body[i]);
    }
    // 0 - 1 - 2, all three boxes at one position: 0 and 2 are not neighbours.
    for (int i = 0; i < 3; i++) {
      plJointDef j = pl_default_joint_def();
      char name[8] = {'j', (char)('0' + i), 0};
      j.name = name, j.kind = PL_JOINT_PRISMATIC, j.axis = v3(1, 0, 0), j.parent = i ? body[i - 1] : -1,
      j.child = body[i];
      j.position[0] = i == 2 ? 0.0999 : 0;
      CHECK_INT(pl_spec_add_joint(w.spec, &j, NULL, &w.error), PL_OK);
    }
    if (exclude)
      CHECK_INT(pl_spec_exclude(w.spec, pl_side_of_body(body[0]), pl_side_of_body(body[2]), &w.error), PL_OK);
    build(&w);
    run(&w, 1);
    if (exclude)
      CHECK_INT(w.data->ncontact, 0);
    else
      CHECK(w.data->ncontact >= 4);
    for (int i = 0; i < w.data->ncontact; i++)
      CHECK(w.data->contact[i].a.index == 0 && w.data->contact[i].b.index == 2);
    end(&w);
  }
}

// Deformables can be excluded too: from each other, from rigid bodies, from what is fixed in the world; by
// groups in scenes.
static int points_of_stack(const char* exclude) {
  char text[1000];
  snprintf(text, sizeof text,
           "pliant: 1\noptions: {gravity: [0, 0, 0]}\ndeformables:\n"
           "- {name: soft/0, shape: box, size: [0.1, 0.1, 0.1], edge: 0.1, pose: {position: [0, 0, 0.05]}}\n"
           "- {name: soft/1, shape: box, size: [0.1, 0.1, 0.1], edge: 0.1, pose: {position: [0, 0, 0.15]}}\n"
           "bodies: [{name: lid, mass: 1, inertia: [1, 1, 1], pose: {position: [0, 0, 0.25]}}]\n"
           "shapes:\n- {name: ground, shape: half_space}\n- {name: lid, body: lid, shape: box, size: [0.1, "
           "0.1, 0.1]}\n%s",
           exclude);
  World w = {0};
  CHECK_INT(pl_spec_parse("stack", ".", text, strlen(text), NULL, &w.spec, &w.error), PL_OK);
  build(&w);
  run(&w, 1);
  int kinds = 0;
  for (int i = 0; i < w.data->ncontact; i++) {
    int a = pl_side_number(w.model, w.data->contact[i].a), b = pl_side_number(w.model, w.data->contact[i].b);
    kinds |= 1 << (a == 0 ? b == 1 : 2 + (b == 2));
  }
  end(&w);
  return kinds;
}

static void deformables_can_be_excluded(void) {
  enum { GROUND = 1, EACH_OTHER = 2, LID = 4 };
  CHECK_INT(points_of_stack(""), GROUND | EACH_OTHER | LID);
  CHECK_INT(points_of_stack("exclude: [{a: soft/0, b: soft/1}]\n"), GROUND | LID);
  CHECK_INT(points_of_stack("exclude: [{a: soft/*, b: soft/*}]\n"), GROUND | LID);
  CHECK_INT(points_of_stack("exclude: [{a: lid, b: soft/*}]\n"), GROUND | EACH_OTHER);
  CHECK_INT(points_of_stack("exclude: [{a: soft*, b: world}]\n"), EACH_OTHER | LID);
  World w = begin(down, 0.01);
  CHECK_INT(pl_spec_exclude(w.spec, (plSide){PL_SIDE_DEFORMABLE, 0}, pl_side_of_body(-1), &w.error),
            PL_ERROR_INPUT);
  CHECK_HAS(w.error.message, "0 deformables");
  pl_spec_destroy(w.spec);
}

// The single contact of a body of 1 kg after some steps on a ground.
static plContact one_point(plShapeKind kind, bool convex, const plMesh* cube, plShapeKind ground, plPose pose,
                           int steps, int* ncontact) {
  World w = begin(down, 0.01);
  int body;
  pl_spec_options(w.spec)->rigid_contact = PL_RIGID_POINT;
  add_thing(&w, "thing", kind, pose, cube, convex, &body);
  add_ground(&w, ground, NULL, false);
  build(&w);
  run(&w, steps);
  plContact c = w.data->ncontact ? w.data->contact[0] : (plContact){0};
  *ncontact = w.data->ncontact;
  end(&w);
  return c;
}

// Convex shapes touch half spaces and boxes with one point where that is asked for: it carries the weight
// from under the middle of what lies flat; of a box on its edge it is the edge's middle, of one on its corner
// the corner, as deep as the closed form says.
static void one_point_where_asked(void) {
  plMesh* cube = NULL;
  plError error;
  int n;
  CHECK_INT(pl_mesh_box(v3(0.1, 0.1, 0.1), 0.05, &cube, &error), PL_OK);
  CHECK_INT(pl_mesh_boundary(cube, &error), PL_OK);
  for (int k = 0; k < 2; k++) {
    plShapeKind ground = k ? PL_SHAPE_BOX : PL_SHAPE_HALF_SPACE;
    for (int kind = PL_SHAPE_SPHERE; kind <= PL_SHAPE_MESH; kind++) {
      double height = kind == PL_SHAPE_CAPSULE ? 0.1 : 0.05;
      plContact c = one_point((plShapeKind)kind, kind == PL_SHAPE_MESH, cube, ground,
                              pose_at(0.013, 0.027, height + 0.001), 50, &n);
      CHECK_INT(n, 1);
      CHECK_NEAR(fabs(c.force.z), 9.81, 4.7e-6);
      CHECK_BELOW(fabs(c.position.x - 0.013), 3.7e-9, 1);
      CHECK_BELOW(fabs(c.position.y - 0.027), 1.1e-9, 1);
      CHECK_BELOW(fabs(c.position.z), 2e-4, 1);
    }
    for (int corner = 0; corner < 2; corner++)
      for (int hull = 0; hull < 2; hull++) {
        double a = 0.3, b = corner ? 0.4 : 0;
        plPose pose = {{0.013, 0.027, 0},
                       quat_mul(quat_from_axis_angle(v3(1, 0, 0), b), quat_from_axis_angle(v3(0, 1, 0), a))};
        plVec3 low = quat_rotate(pose.q, v3(0.05, corner ? -0.05 : 0, -0.05));
        pose.p.z = -low.z - 1e-3;
        plContact c = one_point(hull ? PL_SHAPE_MESH : PL_SHAPE_BOX, hull, cube, ground, pose, 1, &n);
        CHECK_INT(n, 1);
        CHECK_ROUND(c.gap, -1e-3, 0.1);
        CHECK_BELOW(fabs(c.position.x - 0.013 - low.x), 1.5e-14, 1);
        CHECK_BELOW(fabs(c.position.y - 0.027 - low.y), 1.5e-14, 1);
      }
  }
  pl_mesh_destroy(cube);
}

// A stack of one to three boxes at rest that touch with one point each. Returns how far its kinetic and
// gravity energy rises above the start, relative to what correcting overlaps may add: the motion of all
// bodies at push_out_speed, and 1e-3 of the energy.
static double stack_rises(plRandom* r, plContactLaw law) {
  double size = pl_random(r, 0.008, 0.05), g = pl_random(r, 10, 100), top = 0, all = 0, start = 0, most = 0,
         mass[3];
  World w = begin(v3(0, 0, -g), fmin(0.02, sqrt(pl_random(r, 0.002, 0.05) * size / g)));
  pl_spec_options(w.spec)->rigid_contact = PL_RIGID_POINT, pl_spec_options(w.spec)->contact_law = law;
  int n = 1 + pl_random_int(r, 3);
  for (int i = 0; i < n; i++) {
    static const char* const name[] = {"a", "b", "c"};
    plShapeDef box = pl_default_shape_def();
    double x = pl_random(r, 0.5, 1.2), y = pl_random(r, 0.5, 1.2), z = pl_random(r, 0.5, 1.2);
    box.kind = PL_SHAPE_BOX, box.size = v3(size * x, size * y, size * z);
    mass[i] = 1e-3 * pow(10, pl_random(r, 0, 1)), all += mass[i];
    add_body(&w, name[i], box, pose_at(0, 0, top + 0.5 * box.size.z), nowhere, mass[i],
             mass[i] / 12 * (box.size.x * box.size.x + box.size.z * box.size.z));
    start += mass[i] * g * (top + 0.5 * box.size.z), top += box.size.z;
  }
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
  build(&w);
  double speed = w.model->par->options.push_out_speed;
  for (int i = 0; i < 300; i++) {
    run(&w, 1);
    double energy = 0;
    for (int b = 0; b < n; b++) {
      plRigidState s;
      CHECK_INT(pl_rigid_body_state(w.data, b, &s), PL_OK);
      energy += s.kinetic_energy + s.gravity_energy;
    }
    most = fmax(most, energy - start);
  }
  end(&w);
  return most / (0.5 * all * speed * speed + 1e-3 * start);
}

// While one point carries a stack, corners that sink in would be pushed out later, with energy from nothing.
static void stacks_on_points_gain_no_energy(void) {
  plRandom r = {3};
  double worst = 0;
  for (int k = 0; k < 60; k++) worst = fmax(worst, stack_rises(&r, k % 2 ? PL_LAW_CONE : PL_LAW_COULOMB));
  CHECK_BELOW(worst, 1, 1);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(every_shape_rests_on_every_ground);
  RUN(a_rigid_tower_stands);
  RUN(a_ball_rolls_out_of_its_slide);
  RUN(a_box_slides_as_coulomb_says);
  RUN(joined_links_do_not_touch);
  RUN(deformables_can_be_excluded);
  RUN(one_point_where_asked);
  RUN(stacks_on_points_gain_no_energy);
  return CHECK_END;
}

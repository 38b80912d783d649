// test_start.c: what a start violates is named before the first step, and naming it changes nothing.
#include "math/pose.h"
#include "math/random_vec3.h"
#include "world.h"

typedef struct Heard {
  int n;
  char text[32][512];
} Heard;

static void hear(void* user, const char* text) {
  Heard* h = user;
  if (h->n < 32) snprintf(h->text[h->n], sizeof *h->text, "%s", text);
  h->n++;
}

// Joints outside and inside their limits, a box in the ground and one above it.
static World make(int joints) {
  World w = begin((plVec3){0, 0, -9.81}, 0.005);
  for (int i = 0; i < joints; i++) {
    char name[16];
    plBodyDef body = pl_default_body_def();
    plJointDef joint = pl_default_joint_def();
    snprintf(name, sizeof name, "j%d", i);
    body.name = name, body.mass = 1;
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.01;
    joint.name = name, joint.kind = i % 2 ? PL_JOINT_PRISMATIC : PL_JOINT_REVOLUTE;
    CHECK_INT(pl_spec_add_body(w.spec, &body, &joint.child, &w.error), PL_OK);
    joint.dof[0].lower = -3, joint.dof[0].upper = -1, joint.position[0] = i == 2 ? -2 : 0;
    CHECK_INT(pl_spec_add_joint(w.spec, &joint, NULL, &w.error), PL_OK);
  }
  plShapeDef box = pl_default_shape_def();
  box.kind = PL_SHAPE_BOX, box.size = (plVec3){0.1, 0.1, 0.1};
  add_body(&w, "low", box, pose_at(0, 0, 0.03), (plVec3){0, 0, 0}, 1, 0.01);
  add_body(&w, "high", box, pose_at(1, 0, 0.0499), (plVec3){0, 0, 0}, 1, 0.01);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, (plVec3){0, 0, 0}, (plVec3){0, 0, 0}, pl_default_surface());
  build(&w);
  return w;
}

static void joints_and_pairs_are_named(void) {
  World w = make(4);
  Heard h = {0};
  CHECK_INT(pl_describe_start(w.data, hear, &h, &w.error), PL_OK);
  CHECK_INT(h.n, 4);
  CHECK(strstr(h.text[0], "'j0' starts at 0 rad") && strstr(h.text[0], "{name: j0, position: -2}"));
  CHECK(strstr(h.text[1], "'j1' starts at 0 m") && strstr(h.text[1], "push_out_speed"));
  CHECK(strstr(h.text[2], "'j3'") != NULL);
  CHECK(strstr(h.text[3], "'low' and 'ground' overlap by 20 mm") != NULL);
  end(&w);
}

// The travels of a planar joint are lengths, its turn is an angle.
static void planar_joints_have_units(void) {
  World w = begin((plVec3){0, 0, 0}, 0.005);
  plBodyDef body = pl_default_body_def();
  plJointDef joint = pl_default_joint_def();
  body.name = joint.name = "plate", body.mass = 1, joint.kind = PL_JOINT_PLANAR;
  for (int k = 0; k < 3; k++) body.inertia[k] = 0.01, joint.dof[k].lower = 1, joint.dof[k].upper = 2;
  CHECK_INT(pl_spec_add_body(w.spec, &body, &joint.child, &w.error), PL_OK);
  CHECK_INT(pl_spec_add_joint(w.spec, &joint, NULL, &w.error), PL_OK);
  build(&w);
  Heard h = {0};
  CHECK_INT(pl_describe_start(w.data, hear, &h, &w.error), PL_OK);
  CHECK_INT(h.n, 3);
  for (int k = 0; k < 3; k++) CHECK(strstr(h.text[k], k < 2 ? "starts at 0 m," : "starts at 0 rad,") != NULL);
  end(&w);
}

static void many_are_counted(void) {
  World w = make(20);
  Heard h = {0};
  CHECK_INT(pl_describe_start(w.data, hear, &h, &w.error), PL_OK);
  CHECK_INT(h.n, 10);
  CHECK(strstr(h.text[8], "and 11 more joints") != NULL);
  end(&w);
}

// Two bodies of any shape, one inside the other by any depth, or a body below a floor: a sentence names both.
static void random_overlaps_are_named(void) {
  static const plShapeKind kinds[] = {PL_SHAPE_SPHERE, PL_SHAPE_BOX, PL_SHAPE_CAPSULE, PL_SHAPE_CYLINDER,
                                      PL_SHAPE_ELLIPSOID};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  plRandom r = {91};
  int deep = 0;
  for (int k = 0; k < 400; k++) {
    World w = begin((plVec3){0, 0, 0}, 0.005);
    double radius[2];
    for (int i = 0; i < 2; i++) {
      plShapeDef shape = pl_default_shape_def();
      double z = pl_random(&r, 0.05, 0.2), y = pl_random(&r, 0.05, 0.2), x = pl_random(&r, 0.05, 0.2);
      shape.kind = kinds[pl_random_int(&r, KINDS)];
      shape.size = (plVec3){2 * x, 2 * y, 2 * z}, shape.radius = x, shape.length = 2 * y;
      // a ball of this radius lies in the shape
      radius[i] = shape.kind == PL_SHAPE_SPHERE || shape.kind == PL_SHAPE_CAPSULE ? x
                  : shape.kind == PL_SHAPE_CYLINDER                               ? fmin(x, y)
                                                                                  : fmin(x, fmin(y, z));
      plPose pose = {{0, 0, 0}, {1, 0, 0, 0}};
      if (i) {
        double reach = radius[0] + radius[1] - 0.004, depth = pl_random(&r, 0, 1) * reach;
        pose.p = v3_scale(reach - depth, v3_unit(v3_random(&r, -1, 1)));
        deep += depth > radius[0] && depth > radius[1];
      }
      if (i && k % 4 == 0) {
        add_shape(&w, "b", PL_SHAPE_HALF_SPACE, (plVec3){0, 0, pl_random(&r, -radius[0] + 0.004, 5)},
                  (plVec3){0, 0, 0}, pl_default_surface());
        continue;
      }
      double turn_z = pl_random(&r, -1, 1), turn_y = pl_random(&r, -1, 1), turn_x = pl_random(&r, -1, 1);
      pose.q = quat_unit((plQuat){1, turn_x, turn_y, turn_z});
      add_body(&w, i ? "b" : "a", shape, pose, (plVec3){0, 0, 0}, 1, 0.01);
    }
    build(&w);
    Heard h = {0};
    CHECK_INT(pl_describe_start(w.data, hear, &h, &w.error), PL_OK);
    CHECK(h.n > 0 && strstr(h.text[0], "'a'") && strstr(h.text[0], "'b'"));
    end(&w);
  }
  CHECK(deep > 60);
}

// Constraints that are not met: a rope too long, a coupler off; one that holds, and a spring, are no remark.
static void open_constraints_are_named(void) {
  World w = begin((plVec3){0, 0, 0}, 0.005);
  plShapeDef box = pl_default_shape_def();
  box.kind = PL_SHAPE_BOX, box.size = (plVec3){0.1, 0.1, 0.1};
  add_body(&w, "a", box, pose_at(0, 0, 1), (plVec3){0, 0, 0}, 1, 0.01);
  add_body(&w, "b", box, pose_at(0.5, 0, 1), (plVec3){0, 0, 0}, 1, 0.01);
  static const char* const name[] = {"rope", "held", "spring", "off", "pin"};
  for (int i = 0; i < 5; i++) {
    plConstraintDef def = pl_default_constraint_def();
    def.name = name[i], def.a = 0, def.b = 1, def.kind = i == 4 ? PL_CONSTRAINT_BALL : PL_CONSTRAINT_DISTANCE;
    def.length = i == 1 ? 0.5 : 0.3, def.off = i == 3;
    if (i == 0) def.upper = 0.05;
    if (i == 2) def.stiffness = 10;
    CHECK_INT(pl_spec_add_constraint(w.spec, &def, NULL, &w.error), PL_OK);
  }
  // a weld whose frames differ only by a rotation
  plConstraintDef weld = pl_default_constraint_def();
  weld.name = "weld", weld.a = 0, weld.b = 1, weld.kind = PL_CONSTRAINT_WELD;
  weld.pose_a = (plPose){{0.5, 0, 0}, {cos(0.3), sin(0.3), 0, 0}};
  CHECK_INT(pl_spec_add_constraint(w.spec, &weld, NULL, &w.error), PL_OK);
  build(&w);
  Heard h = {0};
  CHECK_INT(pl_describe_start(w.data, hear, &h, &w.error), PL_OK);
  CHECK_INT(h.n, 3);
  CHECK(strstr(h.text[2], "the weld 'weld' starts open by 0 mm and 0.6 rad") != NULL);
  CHECK(strstr(h.text[0], "the distance 'rope' starts open by 150 mm") != NULL);
  CHECK(strstr(h.text[1], "the ball 'pin' starts open by 500 mm") != NULL);
  end(&w);
}

static void a_run_does_not_know_that_it_was_described(void) {
  uint64_t hash[2];
  for (int k = 0; k < 2; k++) {
    World w = make(6);
    Heard h = {0};
    uint64_t before = pl_state_hash(w.data);
    if (k) CHECK_INT(pl_describe_start(w.data, hear, &h, &w.error), PL_OK);
    CHECK(pl_state_hash(w.data) == before);
    run(&w, 50);
    hash[k] = pl_state_hash(w.data);
    end(&w);
  }
  CHECK(hash[0] == hash[1]);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(joints_and_pairs_are_named);
  RUN(planar_joints_have_units);
  RUN(many_are_counted);
  RUN(random_overlaps_are_named);
  RUN(open_constraints_are_named);
  RUN(a_run_does_not_know_that_it_was_described);
  return CHECK_END;
}

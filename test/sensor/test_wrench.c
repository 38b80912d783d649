// test_wrench.c: force and torque sensors on bodies of one to three joints each, against the weights that
// they carry.
#include "base/random.h"
#include "math/pose.h"
#include "pliant/pliant.h"
#include "world.h"

enum { MEMBERS = 200, BODIES = 4 };

static plVec3 draw_vec(plRandom* r, double size) {
  double x = pl_random(r, -size, size);
  double y = pl_random(r, -size, size);
  double z = pl_random(r, -size, size);
  return (plVec3){x, y, z};
}

static plPose draw_pose(plRandom* r) {
  plVec3 p = draw_vec(r, 0.3);
  plVec3 turn = draw_vec(r, 1.5);
  return (plPose){p, quat_exp(turn)};
}

// A joint of a random kind, locked at a random position.
static void add_joint(World* w, plRandom* r, int parent, int child, int count) {
  static const plJointKind kinds[] = {PL_JOINT_REVOLUTE,  PL_JOINT_PRISMATIC, PL_JOINT_BALL,
                                      PL_JOINT_UNIVERSAL, PL_JOINT_SCREW,     PL_JOINT_FIXED};
  char name[20];
  snprintf(name, sizeof name, "j%d_%d", child, count);
  plJointDef def = pl_default_joint_def();
  def.name = name, def.kind = kinds[pl_random_int(r, 6)], def.parent = parent, def.child = child;
  def.pose = draw_pose(r), def.child_pose = draw_pose(r);
  def.axis = v3_unit(draw_vec(r, 1)), def.axis2 = v3_unit(v3_cross(def.axis, (plVec3){0.3, 0.5, -0.8}));
  def.pitch = 0.2, def.locked = true;
  for (int k = 0; k < 2; k++) def.position[k] = pl_random(r, -0.8, 0.8);
  if (def.kind == PL_JOINT_BALL) {
    plQuat q = quat_exp(draw_vec(r, 1.5));
    def.position[0] = q.w, def.position[1] = q.x, def.position[2] = q.y, def.position[3] = q.z;
  }
  CHECK_INT(pl_spec_add_joint(w->spec, &def, NULL, &w->error), PL_OK);
}

// A chain of bodies, each with a wrench sensor somewhere on it; something moves elsewhere, or there is
// nothing to simulate.
static World chain(plRandom* r, plPose* at) {
  World w = begin((plVec3){1, -2, -9}, 0.01);
  for (int b = 0; b < BODIES; b++) {
    char name[20];
    snprintf(name, sizeof name, "b%d", b);
    plBodyDef body = pl_default_body_def();
    body.name = name, body.mass = pl_random(r, 0.1, 2), body.com = draw_vec(r, 0.2);
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.01;
    int id, n = 1 + pl_random_int(r, 3);
    CHECK_INT(pl_spec_add_body(w.spec, &body, &id, &w.error), PL_OK);
    for (int k = 0; k < n; k++) add_joint(&w, r, b - 1, id, k);
    plSensorDef def = pl_default_sensor_def();
    def.name = name, def.on = name, def.kind = PL_SENSOR_WRENCH, def.pose = at[b] = draw_pose(r);
    CHECK_INT(pl_spec_add_sensor(w.spec, &def, NULL, &w.error), PL_OK);
  }
  plShapeDef ball = pl_default_shape_def();
  ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.1;
  add_body(&w, "ball", ball, pose_at(50, 0, 0), (plVec3){0, 0, 0}, 1, 0.01);
  build(&w);
  return w;
}

// A chain at rest: what the parent exerts on a body is the weight of that body and of all after it.
static void weights_of_chains(void) {
  plRandom r = {7};
  double worst = 0;
  for (int i = 0; i < MEMBERS; i++) {
    plPose at[BODIES];
    World w = chain(&r, at);
    run(&w, 1);
    for (int b = 0; b < BODIES; b++) {
      plRigidState s;
      CHECK_INT(pl_rigid_body_state(w.data, b, &s), PL_OK);
      plPose frame = pose_mul(s.pose, at[b]);
      plVec3 force = {0, 0, 0}, moment = {0, 0, 0};
      for (int c = b; c < BODIES; c++) {
        CHECK_INT(pl_rigid_body_state(w.data, c, &s), PL_OK);
        plVec3 f = v3_scale(-w.data->par->body_mass[c], (plVec3){1, -2, -9});
        force = v3_add(force, f), moment = v3_add(moment, v3_cross(v3_sub(s.com, frame.p), f));
      }
      plQuat back = quat_conj(frame.q);
      double read[6];
      CHECK_INT(pl_sensor_read(w.data, b, read), PL_OK);
      worst = fmax(worst, v3_norm(v3_sub(quat_rotate(back, force), v3_load(read))));
      worst = fmax(worst, v3_norm(v3_sub(quat_rotate(back, moment), v3_load(read + 3))));
    }
    end(&w);
  }
  printf("%d chains: largest error %.2g N, Nm\n", MEMBERS, worst);
  CHECK_NEAR(worst, 0, 2.1e-13);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(weights_of_chains);
  return CHECK_END;
}

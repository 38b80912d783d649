// test_motion.c: rigid bodies in motion against closed forms and published numbers, with the order that each
// scheme promises.
#include "base/memory.h"
#include "bodies.h"
#include "rigid/rigid.h"
#include "scenes.h"

// ---- free bodies

static plData* free_body(const char* scheme, double dt, plVec3 moments, plVec3 w) {
  plSpec* spec = new_spec(scheme, dt);
  pl_spec_options(spec)->gravity = v3(0, 0, 0);
  plBodyDef def = pl_default_body_def();
  def.name = "body", def.mass = 1, def.angular_velocity = w;
  def.inertia[0] = moments.x, def.inertia[1] = moments.y, def.inertia[2] = moments.z;
  CHECK(!pl_spec_add_body(spec, &def, NULL, NULL));
  return start(spec);
}

// Angular velocity in the body's axes
static plVec3 body_rates(const plData* data) {
  const double* q = data->q;
  return quat_rotate(quat_conj((plQuat){q[3], q[4], q[5], q[6]}), v3_load(data->v + 3));
}

static void unstable_axis_flips_on_time(void) {
  plData* data = free_body("midpoint", 2.5e-3, v3(3, 2, 1), v3(1e-3, 1, 1e-3));
  const double expected[3] = {12.624902, 40.155742, 67.686583};
  const double at[3] = {10, 20, 40};
  const double rates[3][3] = {{0.242008127, 0.907909246, 0.419167986},
                              {0.01634631, -0.999600617, 0.028277297},
                              {0.575024966, -0.089676442, -0.995971453}};
  int flip = 0, sample = 0;
  double before = 1;
  while (flip < 3 && data->time < 70) {
    step(data);
    double w = body_rates(data).y;
    if (w * before < 0) CHECK_NEAR(data->time - 2.5e-3 * w / (w - before), expected[flip++], 1e-4);
    before = w;
    if (sample < 3 && fabs(data->time - at[sample]) < 1e-9) {
      plVec3 r = body_rates(data);
      CHECK_NEAR(r.x, rates[sample][0], 2.6e-6);
      CHECK_NEAR(r.y, rates[sample][1], 4.4e-5);
      CHECK_NEAR(r.z, rates[sample++][2], 4.5e-6);
    }
  }
  CHECK_INT(flip, 3);
  CHECK_INT(sample, 3);
  CHECK_NEAR(quat_norm((plQuat){data->q[3], data->q[4], data->q[5], data->q[6]}), 1, 1e-15);
  finish(data);
}

// The symmetry axis goes round the angular momentum at |L| / I, the rates go round the symmetry axis at (J -
// I) / I w3.
static void symmetric_body_precesses(void) {
  plData* data = free_body("midpoint", 1e-3, v3(0.04, 0.04, 0.02), v3(2, 0, 4));
  plRigidTotals before, after;
  pl_rigid_totals(data, &before);
  run_to(data, 1);
  pl_rigid_totals(data, &after);
  plVec3 r = body_rates(data), L = before.angular_momentum, z = v3(0, 0, 1);
  CHECK_NEAR(r.x, 2 * cos(2.0), 1.4e-5);
  CHECK_NEAR(r.y, -2 * sin(2.0), 6.6e-6);
  CHECK_ROUND(r.z, 4, 4);
  CHECK_NEAR(v3_norm(L) / 0.04, 2.828427125, 7.6e-10);
  plVec3 axis = quat_rotate((plQuat){data->q[3], data->q[4], data->q[5], data->q[6]}, z);
  plVec3 expected = quat_rotate(quat_from_axis_angle(L, 2.828427125), z);
  CHECK_NEAR(v3_norm(v3_sub(axis, expected)), 0, 6e-6);
  CHECK_NEAR(after.kinetic_energy, before.kinetic_energy, 4.3e-14 * before.kinetic_energy);
  CHECK_NEAR(v3_norm(v3_sub(after.angular_momentum, L)), 0, 4.2e-14 * v3_norm(L));
  finish(data);
}

static void free_fall_is_exact(void) {
  plData* data = free_body("midpoint", 0.01, v3(1, 1, 1), v3(0.5, 0, 0));
  CHECK_INT(pl_parameter_set(data, "options.gravity.z", -9.81, NULL), PL_OK);
  data->v[0] = 1;
  run_to(data, 1);
  CHECK_NEAR(data->q[0], 1, 1.4e-14);
  CHECK_NEAR(data->q[2], -0.5 * 9.81, 6.9e-14);
  finish(data);
}

// ---- tops and pendulums

static void heavy_top_precesses_steadily(void) {
  const double Omega = 1.720445941, theta = PI / 6;
  plSpec* spec = new_spec("midpoint", 4e-5);
  int top = add_body(spec, "top", 1, v3(0, 0, 0.1), v3(0.01, 0.01, 0.002));
  plJointDef pivot = joint("pivot", PL_JOINT_BALL, -1, top, v3(0, 0, 0), v3(0, 0, 1));
  plQuat tilt = quat_from_axis_angle(v3(0, 1, 0), theta);
  plVec3 axis = quat_rotate(tilt, v3(0, 0, 1)), w = v3_madd(v3(0, 0, Omega), 300 - Omega * cos(theta), axis);
  pivot.position[0] = tilt.w, pivot.position[1] = tilt.x, pivot.position[2] = tilt.y,
  pivot.position[3] = tilt.z;
  v3_store(pivot.velocity, w);
  add_joint(spec, pivot);
  plData* data = start(spec);
  run_to(data, 1);
  axis = quat_rotate((plQuat){data->q[0], data->q[1], data->q[2], data->q[3]}, v3(0, 0, 1));
  CHECK_NEAR(atan2(axis.y, axis.x), Omega, 2.5e-6);
  CHECK_NEAR(acos(axis.z), theta, 3.1e-6);
  finish(data);
}

static void pendulum_has_its_period(void) {
  plSpec* spec = new_spec("midpoint", 1e-3);
  int bob = add_body(spec, "bob", 1, v3(0, 0, -1), v3(0, 0, 0));
  plJointDef hinge = joint("hinge", PL_JOINT_CONTINUOUS, -1, bob, v3(0, 0, 0), v3(0, 1, 0));
  hinge.position[0] = PI / 2;
  add_joint(spec, hinge);
  plData* data = start(spec);
  double crossing[2], before = data->q[0];
  for (int n = 0; n < 2;) {
    step(data);
    if (data->q[0] * before < 0) crossing[n++] = data->time - 1e-3 * data->q[0] / (data->q[0] - before);
    before = data->q[0];
  }
  CHECK_NEAR(2 * (crossing[1] - crossing[0]), 2.367841947576, 1.9e-6);
  finish(data);
}

// Uniform rods of length 1 and mass 1, both horizontal at rest.
static plData* double_pendulum(const char* scheme, double dt) {
  plSpec* spec = new_spec(scheme, dt);
  int a = add_body(spec, "a", 1, v3(0, 0, -0.5), v3(1.0 / 12, 1.0 / 12, 0)),
      b = add_body(spec, "b", 1, v3(0, 0, -0.5), v3(1.0 / 12, 1.0 / 12, 0));
  plJointDef hinge = joint("first", PL_JOINT_REVOLUTE, -1, a, v3(0, 0, 0), v3(0, -1, 0));
  hinge.position[0] = PI / 2;
  add_joint(spec, hinge);
  add_joint(spec, joint("second", PL_JOINT_REVOLUTE, a, b, v3(0, 0, -1), v3(0, -1, 0)));
  return start(spec);
}

static void double_pendulum_to_two_seconds(void) {
  const double at[4] = {0.5, 1, 1.5, 2};
  const double angles[4][2] = {{0.448142626, 1.041962887},
                               {-1.207716238, -0.814391023},
                               {-1.150325680, -2.099126132},
                               {-0.082758307, 0.407362075}};
  plData* data = double_pendulum("midpoint", 2e-4);
  for (int k = 0; k < 4; k++) {
    run_to(data, at[k]);
    CHECK_NEAR(data->q[0], angles[k][0], 1.5e-6);
    CHECK_NEAR(data->q[0] + data->q[1], angles[k][1], 3.1e-6);
  }
  finish(data);
}

// Errors at 0.5 s under halving of dt: slope of their logarithms.
static double order_of(const char* scheme, double dt) {
  double error[3];
  for (int k = 0; k < 3; k++, dt /= 2) {
    plData* data = double_pendulum(scheme, dt);
    run_to(data, 0.5);
    error[k] = hypot(data->q[0] - 0.448142626, data->q[0] + data->q[1] - 1.041962887);
    finish(data);
  }
  printf("%s: errors %.3g %.3g %.3g, order %.3f\n", scheme, error[0], error[1], error[2],
         log2(error[1] / error[2]));
  return log2(error[1] / error[2]);
}

static void schemes_have_their_order(void) {
  CHECK_NEAR(order_of("backward_euler", 0.002), 1, 2.4e-4);
  CHECK_NEAR(order_of("symplectic_euler", 0.002), 1, 2.4e-4);
  CHECK_NEAR(order_of("midpoint", 0.01), 2, 3.1e-4);
}

static void furuta_pendulum(void) {
  const double at[5] = {0.1, 0.25, 0.5, 1, 2};
  const double expected[5][2] = {{0.312577494, 1.326780203},
                                 {1.426110345, -0.075641546},
                                 {2.742823642, -1.568100310},
                                 {3.443655682, 1.560014879},
                                 {6.887632354, 1.527710079}};
  plSpec* spec = new_spec("midpoint", 2e-4);
  int arm = add_body(spec, "arm", 0.1, v3(0, 0, 0), v3(1e-3, 1e-3, 1e-3)),
      rod = add_body(spec, "rod", 0.1, v3(0, 0, -0.15), v3(7.5e-4, 7.5e-4, 0));
  plJointDef base = joint("base", PL_JOINT_REVOLUTE, -1, arm, v3(0, 0, 0), v3(0, 0, 1));
  base.velocity[0] = 3;
  plJointDef hinge = joint("hinge", PL_JOINT_REVOLUTE, arm, rod, v3(0.2, 0, 0), v3(1, 0, 0));
  hinge.position[0] = PI / 2;
  add_joint(spec, base);
  add_joint(spec, hinge);
  plData* data = start(spec);
  for (int k = 0; k < 5; k++) {
    run_to(data, at[k]);
    CHECK_NEAR(data->q[0], expected[k][0], 2.6e-6);
    CHECK_NEAR(data->q[1], expected[k][1], 8.9e-7);
  }
  finish(data);
}

static void chain_of_twenty_keeps_its_energy(void) {
  plSpec* spec = new_spec("midpoint", 2e-3);
  int parent = -1;
  for (int i = 0; i < 20; i++) {
    char name[16];
    snprintf(name, sizeof name, "link%d", i);
    int body = add_body(spec, name, 0.1, v3(0, 0, -0.05), v3(1e-4, 1e-4, 1e-5));
    plJointDef def = joint(name, PL_JOINT_REVOLUTE, parent, body, i ? v3(0, 0, -0.1) : v3(0, 0, 0),
                           i % 2 ? v3(1, 0, 0) : v3(0, 1, 0));
    def.position[0] = i == 0 ? 1.2 : i == 1 ? 0.4 : 0.05;
    add_joint(spec, def);
    parent = body;
  }
  plData* data = start(spec);
  plRigidTotals t;
  pl_rigid_totals(data, &t);
  double first = t.kinetic_energy + t.gravity_energy, worst[2] = {0, 0}, swing = 0;
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < 1500; i++) {
      step(data);
      pl_rigid_totals(data, &t);
      worst[half] = fmax(worst[half], fabs(t.kinetic_energy + t.gravity_energy - first));
      swing = fmax(swing, t.kinetic_energy);
    }
  printf(
      "chain of 20: kinetic energy up to %.3g J, energy off by at most %.2g J in 3 s, %.2g J in the next 3 "
      "s\n",
      swing, worst[0], worst[1]);
  CHECK_BELOW(worst[0], 0.01, swing);  // wide: the chain's motion is chaotic
  CHECK_BELOW(worst[1], 0.02, swing);
  finish(data);
}

// ---- the step itself

static void steady_step_allocates_nothing(void) {
  const char* schemes[3] = {"backward_euler", "symplectic_euler", "midpoint"};
  for (int k = 0; k < 3; k++) {
    plData* data = double_pendulum(schemes[k], 1e-3);
    for (int i = 0; i < 3; i++) step(data);
    long count = pl_alloc_count();
    for (int i = 0; i < 20; i++) step(data);
    CHECK_INT(pl_alloc_count() - count, 0);
    finish(data);
  }
}

// A step so large that the plain iteration cannot gain: Newton still meets the tolerance, or the state stays.
static void huge_midpoint_steps_converge_or_say_so(void) {
  plData* data = double_pendulum("midpoint", 0.2);
  int failed = 0;
  for (int i = 0; i < 20; i++) {
    double q[2] = {data->q[0], data->q[1]};
    plError error;
    plStatus status = pl_step(data, &error);
    if (status) {
      failed++;
      CHECK_INT(status, PL_ERROR_NOT_CONVERGED);
      CHECK(data->q[0] == q[0] && data->q[1] == q[1]);
      CHECK_HAS(error.message, "did not converge");
      break;
    }
    CHECK(data->report.free_residual <= data->par->options.free_tolerance);
  }
  printf("midpoint with dt = 0.2: %d failures\n", failed);
  finish(data);
}

static void forward_inverts_inverse_dynamics(void) {
  plData* data = double_pendulum("midpoint", 1e-3);
  run_to(data, 0.1);
  double tau[2] = {0.3, -0.4}, vdot[2], back[2];
  CHECK(!pl_rigid_forward_dynamics(data, tau, vdot));
  pl_rigid_inverse_dynamics(data, vdot, back);
  CHECK_NEAR(back[0], tau[0], 4.2e-15);
  CHECK_NEAR(back[1], tau[1], 5.6e-15);
  finish(data);
}

// ---- refusals

static void bad_models_are_refused(void) {
  plError error;
  plSpec* spec = pl_spec_create();
  int a = add_body(spec, "a", 1, v3(0, 0, 0), v3(1, 1, 1)),
      b = add_body(spec, "b", 1, v3(0, 0, 0), v3(1, 1, 1));
  plBodyDef body = pl_default_body_def();
  body.name = "a";
  CHECK(pl_spec_add_body(spec, &body, NULL, &error));
  CHECK_HAS(error.message, "is taken");
  plMesh* mesh = box_mesh(v3(1, 1, 1), 1, 1, 1);
  plDeformableDef soft = pl_default_deformable_def();
  soft.name = "a", soft.mesh = mesh;
  CHECK(pl_spec_add_deformable(spec, &soft, NULL, &error));
  CHECK_HAS(error.message, "is taken by another rigid body");
  pl_mesh_destroy(mesh);
  plConstraintDef ball = pl_default_constraint_def();
  ball.name = "a,b", ball.a = a, ball.b = b;
  CHECK(pl_spec_add_constraint(spec, &ball, NULL, &error));
  CHECK_HAS(error.message, "may not contain ','");
  body.name = "bad", body.mass = -1;
  CHECK(pl_spec_add_body(spec, &body, NULL, &error));
  body.mass = 1, body.inertia[0] = body.inertia[1] = 1, body.inertia[3] = 2;
  CHECK(pl_spec_add_body(spec, &body, NULL, &error));
  CHECK_HAS(error.message, "not positive");
  plJointDef def = joint("x", PL_JOINT_REVOLUTE, a, a, v3(0, 0, 0), v3(0, 0, 1));
  CHECK(pl_spec_add_joint(spec, &def, NULL, &error));
  def.child = 7;
  CHECK(pl_spec_add_joint(spec, &def, NULL, &error));
  def.child = b, def.axis = v3(0, 0, 0);
  CHECK(pl_spec_add_joint(spec, &def, NULL, &error));
  CHECK_HAS(error.message, "axis");
  def.axis = v3(0, 0, 2), def.dof[0].lower = 1, def.dof[0].upper = 0;
  CHECK(pl_spec_add_joint(spec, &def, NULL, &error));
  def.dof[0].upper = 2;
  CHECK(!pl_spec_add_joint(spec, &def, NULL, &error));
  def.name = "y", def.parent = -1;
  CHECK(pl_spec_add_joint(spec, &def, NULL, &error));
  CHECK_HAS(error.message, "different parents");
  // a loop of parents
  def.name = "z", def.parent = b, def.child = a;
  CHECK(!pl_spec_add_joint(spec, &def, NULL, &error));
  CHECK(!pl_model_create(spec, &error));
  CHECK_HAS(error.message, "loop");
  pl_spec_destroy(spec);
}

static void massless_ends_are_refused(void) {
  plError error;
  plSpec* spec = pl_spec_create();
  int a = add_body(spec, "a", 0, v3(0, 0, 0), v3(0, 0, 0));
  add_joint(spec, joint("turn", PL_JOINT_REVOLUTE, -1, a, v3(0, 0, 0), v3(0, 0, 1)));
  CHECK(!pl_model_create(spec, &error));
  CHECK_HAS(error.message, "'turn' moves nothing");
  pl_spec_destroy(spec);
  spec = pl_spec_create();
  a = add_body(spec, "a", 1, v3(0, 0, 1), v3(0, 0, 0));
  add_joint(spec, joint("turn", PL_JOINT_REVOLUTE, -1, a, v3(0, 0, 0), v3(0, 0, 1)));
  CHECK(!pl_model_create(spec, &error));
  CHECK_HAS(error.message, "without inertia");
  pl_spec_destroy(spec);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(unstable_axis_flips_on_time);
  RUN(symmetric_body_precesses);
  RUN(free_fall_is_exact);
  RUN(heavy_top_precesses_steadily);
  RUN(pendulum_has_its_period);
  RUN(double_pendulum_to_two_seconds);
  RUN(schemes_have_their_order);
  RUN(furuta_pendulum);
  RUN(chain_of_twenty_keeps_its_energy);
  RUN(steady_step_allocates_nothing);
  RUN(huge_midpoint_steps_converge_or_say_so);
  RUN(forward_inverts_inverse_dynamics);
  RUN(bad_models_are_refused);
  RUN(massless_ends_are_refused);
  return CHECK_END;
}

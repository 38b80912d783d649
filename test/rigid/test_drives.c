// test_drives.c: actuators of every kind on a cart, each step as the implicit law says: m (v1 - v0) = dt
// f(q1, v1), q1 = q0 + dt v1.
#include "bodies.h"

static const double dt = 0.01, mass = 2;

// A cart on a rail, with one actuator.
static plData* cart(plActuatorDef def) {
  plError error;
  plSpec* spec = pl_spec_create();
  plBodyDef body = pl_default_body_def();
  plJointDef rail = pl_default_joint_def();
  pl_spec_options(spec)->dt = dt, pl_spec_options(spec)->gravity = (plVec3){0, 0, 0},
  pl_spec_options(spec)->tolerance = 1e-12;
  body.name = "cart", body.mass = mass, body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  rail.name = "rail", rail.kind = PL_JOINT_PRISMATIC, rail.child = 0, rail.axis = (plVec3){1, 0, 0};
  def.name = "drive", def.joint = 0;
  CHECK(!pl_spec_add_body(spec, &body, NULL, &error) && !pl_spec_add_joint(spec, &rail, NULL, &error) &&
        !pl_spec_add_actuator(spec, &def, NULL, &error));
  return start(spec);
}

// Steps and compares with the law f = c + a q + b v, clamped, solved for v1 by hand.
static void check_steps(plData* data, int n, double (*constant)(double time), double a, double b,
                        double lower, double upper) {
  plError error;
  double q = data->q[0], v = data->v[0];
  for (int i = 0; i < n; i++) {
    double c = constant(data->time), free = (v + dt / mass * (c + a * q)) / (1 - dt / mass * (a * dt + b));
    double f = fmin(fmax(mass * (free - v) / dt, lower), upper);
    v += dt / mass * f, q += dt * v;
    CHECK_INT(pl_step(data, &error), PL_OK);
    CHECK_NEAR(data->v[0], v, 1.2e-13);
    CHECK_NEAR(data->q[0], q, 1.1e-13);
    CHECK_NEAR(data->actuator_force[0], f, 1.1e-12);
  }
}

static double three(double time) { return (void)time, 3; }
static double sixty(double time) { return (void)time, 60; }

static void every_kind_of_actuator(void) {
  // motor: f = gear u
  plActuatorDef def = pl_default_actuator_def();
  def.gear = 1.5, def.has_input = true, def.input[0] = 2;
  plData* data = cart(def);
  check_steps(data, 20, three, 0, 0, -INFINITY, INFINITY);
  finish(data);
  // velocity: f = kd (u - v)
  def = pl_default_actuator_def();
  def.kind = PL_ACTUATOR_VELOCITY, def.kd = 30, def.has_input = true, def.input[0] = 2;
  data = cart(def);
  check_steps(data, 20, sixty, 0, -30, -INFINITY, INFINITY);
  finish(data);
  // position: f = kp (u - q) - kd v
  def = pl_default_actuator_def();
  def.kind = PL_ACTUATOR_POSITION, def.kp = 40, def.kd = 5, def.has_input = true, def.input[0] = 1.5;
  data = cart(def);
  check_steps(data, 20, sixty, -40, -5, -INFINITY, INFINITY);
  finish(data);
  // PD: f = kp (u0 - q) + kd (u1 - v) + u2
  def.kind = PL_ACTUATOR_PD, def.input[0] = 1, def.input[1] = 3, def.input[2] = 5;
  data = cart(def);
  check_steps(data, 20, sixty, -40, -5, -INFINITY, INFINITY);
  finish(data);
  // affine: f = gain u + bias
  def = pl_default_actuator_def();
  def.kind = PL_ACTUATOR_AFFINE, def.gain = 5, def.bias[0] = 50, def.bias[1] = -7, def.bias[2] = -2,
  def.has_input = true, def.input[0] = 2;
  data = cart(def);
  check_steps(data, 20, sixty, -7, -2, -INFINITY, INFINITY);
  finish(data);
}

// The same laws with forces that may not leave [-9, 12]: more upwards than downwards.
static void limits_of_the_force_differ(void) {
  for (int k = 0; k < 4; k++) {
    plActuatorDef def = pl_default_actuator_def();
    def.force_lower = -9, def.force_upper = 12, def.has_input = true;
    static const double a[4] = {0, 0, -40, -40}, b[4] = {0, -30, -5, -5};
    if (k == 0) def.input[0] = 60;
    if (k == 1) def.kind = PL_ACTUATOR_VELOCITY, def.kd = 30, def.input[0] = 2;
    if (k >= 2) def.kind = PL_ACTUATOR_POSITION, def.kp = 40, def.kd = 5, def.input[0] = 1.5;
    plData* data = cart(def);
    if (k == 3) data->q[0] = 8;  // beyond its target: pulled back with 9 N
    check_steps(data, 150, sixty, a[k], b[k], -9, 12);
    finish(data);
  }
}

// A table over time without position gain: the cart follows its slope, or stands where the desired velocity
// is to be zero.
static double slope(double time) { return time + dt <= 0.5 + 1e-12 ? 30 * 4 : 0; }
static double nothing(double time) { return (void)time, 0; }

static void desired_velocities_are_derived_or_zero(void) {
  for (int zero = 0; zero < 2; zero++) {
    plActuatorDef def = pl_default_actuator_def();
    const double time[2] = {0, 0.5}, value[2] = {0, 2};
    def.kind = PL_ACTUATOR_PD, def.kd = 30, def.ntime = 2, def.time = time, def.value = value,
    def.zero_velocity = zero;
    plData* data = cart(def);
    data->v[0] = 1;
    check_steps(data, 49, zero ? nothing : slope, 0, -30, -INFINITY, INFINITY);
    finish(data);
  }
}

// A drive of limited force presses a cart against the end of its rail, and nothing else acts: two large
// impulses whose sum vanishes. It stays there, whatever the step, the gains and how far beyond the end it is
// sent.
static void a_drive_against_a_limit_holds_still(void) {
  const double step[4] = {0.001, 0.01, 0.02, 0.04}, kp[4] = {1, 30, 1e3, 1e4}, kd[3] = {0, 3, 100};
  const double input[6] = {-500, -50, -2, 2, 50, 500};
  for (int k = 0; k < 4 * 4 * 3 * 6; k++) {
    plError error;
    plSpec* spec = pl_spec_create();
    plBodyDef body = pl_default_body_def();
    plJointDef rail = pl_default_joint_def();
    plActuatorDef def = pl_default_actuator_def();
    double h = step[k % 4], u = input[k / 48 % 6], sign = u > 0 ? 1 : -1;
    pl_spec_options(spec)->dt = h, pl_spec_options(spec)->gravity = (plVec3){0, 0, 0};
    body.name = "cart", body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.01;
    rail.name = "rail", rail.kind = PL_JOINT_PRISMATIC, rail.child = 0, rail.axis = (plVec3){1, 0, 0};
    rail.dof[0].lower = -1, rail.dof[0].upper = 1;
    def.name = "drive", def.joint = 0, def.kind = PL_ACTUATOR_POSITION, def.force_lower = -10,
    def.force_upper = 10;
    def.kp = kp[k / 4 % 4], def.kd = kd[k / 16 % 3], def.has_input = true, def.input[0] = u;
    CHECK(!pl_spec_add_body(spec, &body, NULL, &error) && !pl_spec_add_joint(spec, &rail, NULL, &error) &&
          !pl_spec_add_actuator(spec, &def, NULL, &error));
    plData* data = start(spec);
    data->q[0] = 0.9 * sign;
    bool steps = true;
    for (int i = 0; i < (h < 0.01 ? 1500 : 500) && steps; i++) {
      steps = !pl_step(data, &error);
      if (!steps) printf("dt %g, kp %g, kd %g, input %g: %s\n", h, def.kp, def.kd, u, error.message);
    }
    CHECK(steps);
    // a weak drive is still on its way
    if (def.kp * (fabs(u) - 1) > 1 && !(def.kd > 10 && def.kp < 100)) {
      CHECK_BELOW(fabs(data->q[0] - sign), 2.4e-5, 1);
      CHECK_BELOW(fabs(data->v[0]), 2.6e-13, 1);
    }
    finish(data);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(every_kind_of_actuator);
  RUN(limits_of_the_force_differ);
  RUN(desired_velocities_are_derived_or_zero);
  RUN(a_drive_against_a_limit_holds_still);
  return CHECK_END;
}

// test_gyration.c: bodies that turn freely keep their momenta and never gain energy: random inertias, spins,
// schemes and steps.
#include "bodies.h"

static unsigned long long seed = 1;
static double uniform(double from, double to) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}
static plVec3 random_vector(double size) {
  double z = uniform(-size, size), y = uniform(-size, size), x = uniform(-size, size);
  return v3(x, y, z);
}

// Moments that a body can have: sums of squares of its extents, from needles to plates.
static plVec3 random_moments(double mass) {
  double x = pow(uniform(0, 1), 3), y = pow(uniform(0, 1), 3), z = uniform(0.01, 1);
  return v3_scale(0.01 * mass, v3(y + z, x + z, x + y));
}

static plBodyDef random_body(double spin) {
  plBodyDef def = pl_default_body_def();
  def.name = "body", def.mass = exp(uniform(-7, 7));
  plVec3 m = random_moments(def.mass);
  def.inertia[0] = m.x, def.inertia[1] = m.y, def.inertia[2] = m.z;
  def.velocity = random_vector(3);
  def.angular_velocity = v3_scale(spin, v3_unit(random_vector(1)));
  def.pose.p = random_vector(2);
  double angle = uniform(0, 3);
  def.pose.q = quat_from_axis_angle(random_vector(1), angle);
  return def;
}

typedef struct Drift {
  double gain, fall;  // largest and smallest energy over the first, less 1
  double p, L;        // largest change of a momentum in a step, over its size
} Drift;

static Drift run(plData* data, int steps) {
  plRigidTotals first, before, now;
  pl_rigid_totals(data, &first);
  plRigidState state;
  pl_rigid_body_state(data, 0, &state);
  double p0 = v3_norm(first.momentum) + 1e-300,
         L0 = v3_norm(state.angular_momentum) + v3_norm(state.com) * p0;
  Drift d = {0};
  before = first;
  for (int i = 0; i < steps; i++, before = now) {
    step(data);
    pl_rigid_totals(data, &now);
    double e = now.kinetic_energy / first.kinetic_energy - 1;
    d.gain = fmax(d.gain, e), d.fall = fmin(d.fall, e);
    d.p = fmax(d.p, v3_norm(v3_sub(now.momentum, before.momentum)) / p0);
    d.L = fmax(d.L, v3_norm(v3_sub(now.angular_momentum, before.angular_momentum)) / L0);
  }
  return d;
}

// One free body, its centre of mass anywhere.
static void a_free_body_keeps_its_momenta_and_gains_no_energy(void) {
  static const char* const schemes[] = {"backward_euler", "symplectic_euler"};
  Drift worst = {0};
  for (int i = 0; i < 400; i++) {
    double dt = exp(uniform(log(1e-4), log(0.05)));
    plSpec* spec = new_spec(schemes[i % 2], dt);
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    plBodyDef def = random_body(uniform(0, 1) / dt);
    def.com = i % 4 < 2 ? v3(0, 0, 0) : random_vector(0.2);
    CHECK(!pl_spec_add_body(spec, &def, NULL, NULL));
    plData* data = start(spec);
    Drift d = run(data, 60);
    worst.gain = fmax(worst.gain, d.gain), worst.p = fmax(worst.p, d.p), worst.L = fmax(worst.L, d.L);
    finish(data);
  }
  printf("  energy %.2g, p %.2g, L %.2g\n", worst.gain, worst.p, worst.L);
  CHECK_BELOW(worst.gain, 1.5e-14, 1);
  CHECK_BELOW(worst.p, 1e-13, 1);
  CHECK_BELOW(worst.L, 5.8e-13, 1);
}

// Up to hundreds of radians in a step: the balance has many solutions; one is found, in parts of a step.
static void bodies_that_turn_many_times_in_a_step(void) {
  Drift worst = {0};
  for (int i = 0; i < 120; i++) {
    double dt = exp(uniform(log(1e-3), log(0.05)));
    plSpec* spec = new_spec("backward_euler", dt);
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    plBodyDef def = random_body(exp(uniform(log(2), log(500))) / dt);
    def.com = i % 4 < 2 ? v3(0, 0, 0) : random_vector(0.01);
    CHECK(!pl_spec_add_body(spec, &def, NULL, NULL));
    plData* data = start(spec);
    Drift d = run(data, 10);
    worst.gain = fmax(worst.gain, d.gain), worst.p = fmax(worst.p, d.p), worst.L = fmax(worst.L, d.L);
    finish(data);
  }
  printf("  many times: energy %.2g, p %.2g, L %.2g\n", worst.gain, worst.p, worst.L);
  CHECK_BELOW(worst.gain, 1.5e-14, 1);
  // the rounding of an angle of 500 rad, times the ratio of the moments of inertia
  CHECK_BELOW(worst.p, 7.5e-12, 1);
  CHECK_BELOW(worst.L, 5e-11, 1);
}

// A brick that once exploded: backward Euler takes from its energy until it turns about its stiffest axis.
static void a_brick_spins_for_ten_seconds(void) {
  for (int i = 0; i < 8; i++) {
    bool midpoint = i % 2;
    plSpec* spec = new_spec(midpoint ? "midpoint" : "backward_euler", 0.01);
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    plBodyDef def = pl_default_body_def();
    def.name = "brick", def.mass = 2;
    def.inertia[0] = 0.0020833333, def.inertia[1] = 0.0070833333, def.inertia[2] = 0.0083333333;
    def.angular_velocity = v3_scale(10 * (1 + i / 2), v3_unit(v3(20, 5, 5)));
    CHECK(!pl_spec_add_body(spec, &def, NULL, NULL));
    plData* data = start(spec);
    Drift d = run(data, 1000);
    printf("  %s, %d rad/s: energy %+.2g %+.2g, L %.2g\n", midpoint ? "midpoint" : "backward Euler",
           10 * (1 + i / 2), d.gain, d.fall, d.L);
    CHECK_BELOW(d.gain, midpoint ? 1.9e-11 : 1.9e-14, 1);
    if (midpoint) CHECK_BELOW(-d.fall, 3.3e-11, 1);
    CHECK_BELOW(d.L, 2.3e-13, 1);
    finish(data);
  }
}

// Midpoint keeps momenta and energy.
static void midpoint_keeps_energy(void) {
  Drift worst = {0};
  for (int i = 0; i < 60; i++) {
    plSpec* spec = new_spec("midpoint", 0.01);
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    plBodyDef def = random_body(uniform(10, 40));
    double z = uniform(4, 8), y = uniform(4, 8), x = uniform(4, 8);
    plVec3 m = v3_scale(def.mass * 1e-3, v3(x, y, z));
    def.inertia[0] = m.x, def.inertia[1] = m.y, def.inertia[2] = m.z;
    def.com = i % 2 ? v3(0, 0, 0) : random_vector(0.2);
    CHECK(!pl_spec_add_body(spec, &def, NULL, NULL));
    plData* data = start(spec);
    Drift d = run(data, 300);
    worst.gain = fmax(worst.gain, d.gain), worst.fall = fmin(worst.fall, d.fall);
    worst.p = fmax(worst.p, d.p), worst.L = fmax(worst.L, d.L);
    finish(data);
  }
  printf("  midpoint: energy %+.2g %+.2g, p %.2g, L %.2g\n", worst.gain, worst.fall, worst.p, worst.L);
  CHECK_BELOW(worst.gain, 3e-12, 1);
  CHECK_BELOW(-worst.fall, 3e-12, 1);
  CHECK_BELOW(worst.p, 5.3e-13, 1);
  CHECK_BELOW(worst.L, 2.8e-12, 1);
}

// A body on a pivot without gravity: energy falls or stays, angular momentum about the pivot stays; the pivot
// transmits no moment.
static void a_body_on_a_pivot_gains_no_energy(void) {
  double gain = 0, drift = 0, moment = 0;
  for (int i = 0; i < 200; i++) {
    double dt = exp(uniform(log(1e-4), log(0.05)));
    plSpec* spec = new_spec(i % 2 ? "backward_euler" : "symplectic_euler", dt);
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    double mass = exp(uniform(-3, 3));
    plVec3 moments = random_moments(mass), com = random_vector(0.2);
    int top = add_body(spec, "top", mass, com, moments);
    plJointDef pivot = joint("pivot", PL_JOINT_BALL, -1, top, random_vector(1), v3(0, 0, 1));
    plVec3 axis = v3_unit(random_vector(1));
    v3_store(pivot.velocity, v3_scale(uniform(0, 0.8) / dt, axis));
    add_joint(spec, pivot);
    plData* data = start(spec);
    plRigidTotals first, now;
    pl_rigid_totals(data, &first);
    plVec3 L0 = v3_sub(first.angular_momentum, v3_cross(pivot.pose.p, first.momentum));
    for (int k = 0; k < 60; k++) {
      step(data);
      pl_rigid_totals(data, &now);
      plVec3 L = v3_sub(now.angular_momentum, v3_cross(pivot.pose.p, now.momentum));
      gain = fmax(gain, now.kinetic_energy / first.kinetic_energy - 1);
      drift = fmax(drift, v3_norm(v3_sub(L, L0)) / v3_norm(L0));
      plWrench wrench;
      plPose frame;
      CHECK(!pl_joint_wrenches(data, &wrench, &frame));
      moment = fmax(moment, v3_norm(wrench.moment) * dt / v3_norm(L0));
    }
    finish(data);
  }
  printf("  on a pivot: energy %.2g, L %.2g in 60 steps, moment of the pivot %.2g\n", gain, drift, moment);
  CHECK_BELOW(gain, 1.5e-14, 1);
  CHECK_BELOW(drift, 4.9e-14, 1);
  CHECK_BELOW(moment, 1.5e-14, 1);
}

// Bodies on locked joints are one rigid body, whatever the tree says.
static void a_locked_robot_turns_like_a_rigid_body(void) {
  Drift worst = {0};
  for (int i = 0; i < 50; i++) {
    double dt = exp(uniform(log(1e-3), log(0.02)));
    plSpec* spec = new_spec("backward_euler", dt);
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    plBodyDef def = random_body(uniform(0, 0.7) / dt);
    def.com = random_vector(0.1);
    CHECK(!pl_spec_add_body(spec, &def, NULL, NULL));
    for (int k = 0; k < 3; k++) {
      char name[2][24];
      snprintf(name[0], sizeof *name, "link%d", k), snprintf(name[1], sizeof *name, "joint%d", k);
      double mass = def.mass * uniform(0.1, 1);
      plVec3 moments = random_moments(mass), com = random_vector(0.1);
      int link = add_body(spec, name[0], mass, com, moments);
      plJointDef j = joint(name[1], k == 1 ? PL_JOINT_BALL : PL_JOINT_REVOLUTE, link - 1, link,
                           random_vector(0.2), v3(0, 0, 1));
      j.locked = true;
      add_joint(spec, j);
    }
    plData* data = start(spec);
    Drift d = run(data, 60);
    worst.gain = fmax(worst.gain, d.gain), worst.p = fmax(worst.p, d.p), worst.L = fmax(worst.L, d.L);
    finish(data);
  }
  printf("  locked robot: energy %.2g, p %.2g, L %.2g\n", worst.gain, worst.p, worst.L);
  CHECK_BELOW(worst.gain, 1.5e-14, 1);
  CHECK_BELOW(worst.p, 1.7e-14, 1);
  CHECK_BELOW(worst.L, 2e-13, 1);
}

// Lagrange's top at 300 rad/s precesses as in the closed form, with the default scheme.
static void backward_euler_lets_a_top_precess(void) {
  const double Omega = 1.720445941, theta = PI / 6;
  plSpec* spec = new_spec("backward_euler", 1e-4);
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
  printf("  top: precession %.5f rad/s, closed form %.5f, tilt %.4f of %.4f\n", atan2(axis.y, axis.x), Omega,
         acos(axis.z), theta);
  CHECK_NEAR(atan2(axis.y, axis.x), Omega, 0.0031 * Omega);
  CHECK_NEAR(acos(axis.z), theta, 2.2e-4);
  finish(data);
}

// A top at the end of an arm that swings: a ball joint that a hinge carries. Backward Euler takes energy
// away.
static void a_carried_top_gains_no_energy(void) {
  double gain = -1;
  for (int i = 0; i < 20; i++) {
    double dt = exp(uniform(log(5e-4), log(5e-3)));
    plSpec* spec = new_spec("backward_euler", dt);
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    int arm = add_body(spec, "arm", 1, v3(0.1, 0, 0), v3(0.01, 0.01, 0.01));
    plVec3 moments = random_moments(0.5);
    int top = add_body(spec, "top", uniform(0.2, 1), v3(0, 0, 0.05), moments);
    plJointDef hinge = joint("hinge", PL_JOINT_CONTINUOUS, -1, arm, v3(0, 0, 0), v3(0, 1, 0)),
               pivot = joint("pivot", PL_JOINT_BALL, arm, top, v3(0.3, 0, 0), v3(0, 0, 1));
    v3_store(pivot.velocity, v3_scale(0.3 / dt, v3_unit(random_vector(1))));
    add_joint(spec, hinge), add_joint(spec, pivot);
    plData* data = start(spec);
    plRigidTotals first, now;
    pl_rigid_totals(data, &first);
    for (int k = 0; k < 400; k++) {
      step(data);
      pl_rigid_totals(data, &now);
      gain = fmax(gain, now.kinetic_energy / first.kinetic_energy - 1);
    }
    finish(data);
  }
  printf("  carried top: energy %+.2g\n", gain);
  CHECK_BELOW(gain, 1.5e-14, 1);
}

// A rope of light ball joints with a step too large for its hinges' Coriolis forces: a status, no astronomy.
static void an_unstable_motion_ends_with_a_status(void) {
  plSpec* spec = new_spec("backward_euler", 0.02);
  for (int k = 0; k < 12; k++) {
    char name[2][24];
    snprintf(name[0], sizeof *name, "link%d", k), snprintf(name[1], sizeof *name, "joint%d", k);
    int link = add_body(spec, name[0], 0.1, v3(0.05, 0, 0), v3(1e-5, 1e-4, 1e-4));
    plJointDef j = joint(name[1], PL_JOINT_CONTINUOUS, k ? link - 1 : -1, link, v3(k ? 0.1 : 0, 0, 0),
                         k % 2 ? v3(0, 1, 0) : v3(0, 0, 1));
    j.velocity[0] = uniform(-20, 20);
    add_joint(spec, j);
  }
  plData* data = start(spec);
  plError error;
  plStatus status = PL_OK;
  while (!status && data->time < 20) status = pl_step(data, &error);
  plRigidTotals totals;
  pl_rigid_totals(data, &totals);
  printf("  unstable: %g J at %g s, %s\n", totals.kinetic_energy, data->time,
         status ? error.message : "no status");
  CHECK(totals.kinetic_energy < 1e13);
  for (int i = 0; i < data->model->nv; i++) CHECK(fabs(data->v[i]) <= 1e6);
  finish(data);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_free_body_keeps_its_momenta_and_gains_no_energy);
  RUN(bodies_that_turn_many_times_in_a_step);
  RUN(a_brick_spins_for_ten_seconds);
  RUN(midpoint_keeps_energy);
  RUN(a_body_on_a_pivot_gains_no_energy);
  RUN(a_locked_robot_turns_like_a_rigid_body);
  RUN(backward_euler_lets_a_top_precess);
  RUN(a_carried_top_gains_no_energy);
  RUN(an_unstable_motion_ends_with_a_status);
  return CHECK_END;
}

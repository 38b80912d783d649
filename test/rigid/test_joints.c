// test_joints.c: springs, dampers, gears, servos, tables, locks and compound joints against closed forms.
#include "bodies.h"
#include "rigid/rigid.h"

static plData* oscillator(const char* scheme) {
  plSpec* spec = new_spec(scheme, 0.01);
  pl_spec_options(spec)->gravity = v3(0, 0, 0);
  int mass = add_body(spec, "mass", 1, v3(0, 0, 0), v3(1, 1, 1));
  plJointDef slide = joint("slide", PL_JOINT_PRISMATIC, -1, mass, v3(0, 0, 0), v3(1, 0, 0));
  slide.dof[0].stiffness = 4 * PI * PI, slide.dof[0].rest = 0.5, slide.position[0] = 1.5;
  add_joint(spec, slide);
  return start(spec);
}

// The amplification of each scheme on x'' = -w^2 x, w = 2 pi, dt = 0.01.
static void oscillator_as_each_scheme_promises(void) {
  const double w = 2 * PI, dt = 0.01;
  plData* data = oscillator("midpoint");
  plRigidTotals t;
  run_to(data, 1);
  pl_rigid_totals(data, &t);
  CHECK_ROUND(t.kinetic_energy + t.elastic_energy, 0.5 * w * w, 20);
  CHECK_NEAR(data->q[0] - 0.5, cos(6.281119445), 1.7e-12);
  finish(data);
  data = oscillator("backward_euler");
  run_to(data, 1);
  CHECK_NEAR(hypot(data->q[0] - 0.5, data->v[0] / w), 0.821187780, 1.2e-9);
  CHECK_NEAR(pow(1 / sqrt(1 + w * w * dt * dt), 100), 0.821187780, 1.2e-9);
  finish(data);
}

// A damper alone: each backward Euler step divides v by 1 + dt d / m, whatever their size; rotors count with
// the square of the gear.
static void damping_and_rotors_are_implicit(void) {
  plSpec* spec = new_spec("backward_euler", 0.01);
  int wheel = add_body(spec, "wheel", 1, v3(0, 0, 0), v3(0.1, 0.1, 0.3));
  plJointDef hinge = joint("hinge", PL_JOINT_CONTINUOUS, -1, wheel, v3(0, 0, 0), v3(0, 0, 1));
  hinge.dof[0].damping = 1e5, hinge.dof[0].rotor_inertia = 2e-3, hinge.dof[0].gear_ratio = 10,
  hinge.dof[0].armature = 0.5;
  hinge.velocity[0] = 3;
  add_joint(spec, hinge);
  plData* data = start(spec);
  double M;
  pl_rigid_mass_matrix(data, &M);
  CHECK_NEAR(M, 0.3 + 0.2 + 0.5, 1e-15);
  step(data);
  CHECK_ROUND(data->v[0], 3 / (1 + 0.01 * 1e5), 0.07);
  finish(data);
}

// A position servo far stiffer than the step resolves comes to rest at its target, moved by gravity alone.
static void stiff_servo_holds(void) {
  plSpec* spec = new_spec("backward_euler", 0.01);
  int bob = add_body(spec, "bob", 1, v3(0, 0, -1), v3(0, 0, 0));
  add_joint(spec, joint("hinge", PL_JOINT_REVOLUTE, -1, bob, v3(0, 0, 0), v3(0, 1, 0)));
  plActuatorDef servo = pl_default_actuator_def();
  servo.name = "servo", servo.kind = PL_ACTUATOR_PD, servo.joint = 0, servo.kp = 1e6, servo.kd = 1e4;
  double time[2] = {0, 0.5}, value[2] = {0, 1};
  servo.ntime = 2, servo.time = time, servo.value = value, servo.interpolation = PL_CUBIC;
  CHECK(!pl_spec_add_actuator(spec, &servo, NULL, NULL));
  plData* data = start(spec);
  CHECK_INT(data->model->nu, 3);
  run_to(data, 0.25);
  CHECK_ROUND(data->u[0], 0.5, 0.5);
  CHECK_NEAR(data->u[1], 3, 4.2e-14);
  CHECK_NEAR(data->q[0], 0.5, 1.7e-4);
  run_to(data, 1.5);
  CHECK_ROUND(data->v[0], 0, 8);
  CHECK_NEAR(1e6 * (1 - data->q[0]), 9.81 * sin(data->q[0]), 2.3e-10);
  finish(data);
}

// A cubic table passes through its knots, is at rest at both ends, and its slope and curvature do not jump; a
// linear one is straight.
static void tables_are_smooth(void) {
  const double time[5] = {0, 0.3, 1, 1.2, 2}, value[5] = {1, 2, -1, 0, 0.5};
  for (int cubic = 0; cubic < 2; cubic++) {
    plSpec* spec = new_spec("backward_euler", 0.01);
    int cart = add_body(spec, "cart", 2, v3(0, 0, 0), v3(1, 1, 1));
    add_joint(spec, joint("rail", PL_JOINT_PRISMATIC, -1, cart, v3(0, 0, 0), v3(1, 0, 0)));
    plActuatorDef def = pl_default_actuator_def();
    def.name = "motor", def.joint = 0, def.ntime = 5, def.time = time, def.value = value;
    def.interpolation = cubic ? PL_CUBIC : PL_LINEAR;
    CHECK(!pl_spec_add_actuator(spec, &def, NULL, NULL));
    plData* data = start(spec);
    const double h = 1e-5;
    double x[3], s[3];
    for (int k = 0; k < 5; k++) {
      for (int i = 0; i < 3; i++) pl_actuator_table(data->model, 0, time[k] + h * (i - 1), &x[i], &s[i]);
      CHECK_NEAR(x[1], value[k], 2.8e-14);
      if (cubic) CHECK_NEAR(s[0], s[2], 2e-3);
      if (cubic && (k == 0 || k == 4)) CHECK_ROUND(s[1], 0, 1);
      if (cubic && k > 0 && k < 4) CHECK_NEAR((s[2] - s[1]) / h, (s[1] - s[0]) / h, 5e-3);
    }
    pl_actuator_table(data->model, 0, 0.65, &x[1], &s[1]);
    for (int i = 0; i < 3; i += 2) pl_actuator_table(data->model, 0, 0.65 + h * (i - 1), &x[i], &s[i]);
    CHECK_NEAR(s[1], (x[2] - x[0]) / (2 * h), 7.4e-9);
    if (!cubic) CHECK_ROUND(x[1], 0.5, 0.5);
    pl_actuator_table(data->model, 0, -1, &x[0], &s[0]);
    pl_actuator_table(data->model, 0, 9, &x[1], &s[1]);
    CHECK(x[0] == 1 && s[0] == 0 && x[1] == 0.5 && s[1] == 0);
    finish(data);
  }
}

static void motor_and_user_forces_add(void) {
  plSpec* spec = new_spec("backward_euler", 0.01);
  pl_spec_options(spec)->gravity = v3(0, 0, 0);
  int cart = add_body(spec, "cart", 2, v3(0, 0, 0), v3(1, 1, 1));
  add_joint(spec, joint("rail", PL_JOINT_PRISMATIC, -1, cart, v3(0, 0, 0), v3(1, 0, 0)));
  plActuatorDef motor = pl_default_actuator_def();
  motor.name = "motor", motor.joint = 0, motor.gear = 3, motor.lower = -2, motor.upper = 2;
  CHECK(!pl_spec_add_actuator(spec, &motor, NULL, NULL));
  plData* data = start(spec);
  data->u[0] = 5;
  CHECK(!pl_rigid_add_force(data, 0, v3(0.3, 0.1, 0), v3(4, 1, 1), v3(1, 2, 3)));
  step(data);
  CHECK_ROUND(data->v[0], 0.01 * (3 * 2 + 4) / 2, 0.05);
  finish(data);
}

// With its joint locked a body hangs as if welded, and the others move as with the welded one.
static void locked_joint_is_a_weld(void) {
  double angle[2];
  for (int welded = 0; welded < 2; welded++) {
    plSpec* spec = new_spec("midpoint", 0.005);
    int a = add_body(spec, "a", 1, v3(0.1, 0, -0.5), v3(0.1, 0.2, 0.1)),
        b = add_body(spec, "b", 2, v3(0, 0.1, -0.5), v3(0.1, 0.1, 0.2));
    int c = add_body(spec, "c", 1, v3(0, 0, -0.2), v3(0.1, 0.1, 0.2));
    plJointDef first = joint("first", PL_JOINT_REVOLUTE, -1, a, v3(0, 0, 0), v3(0, 1, 0));
    first.position[0] = 1;
    add_joint(spec, first);
    plJointDef second =
        joint("second", welded ? PL_JOINT_FIXED : PL_JOINT_REVOLUTE, a, b, v3(0, 0, -1), v3(1, 0, 0));
    second.pose.q = welded ? quat_from_axis_angle(v3(1, 0, 0), 0.7) : quat_identity();
    second.position[0] = 0.7, second.locked = !welded;
    add_joint(spec, second);
    add_joint(spec, joint("third", PL_JOINT_REVOLUTE, b, c, v3(0, 0, -1), v3(0, 1, 0)));
    plData* data = start(spec);
    run_to(data, 1);
    if (!welded) CHECK(data->q[1] == 0.7 && data->v[1] == 0);
    angle[welded] = data->q[data->model->nq - 1];
    finish(data);
  }
  CHECK_ROUND(angle[0], angle[1], 0.5);
}

// ---- joints made of several

// The part of the kinetic energy that is gained until t.
static double gain_of_energy(plData* data, double t) {
  plRigidTotals before, after;
  pl_rigid_totals(data, &before);
  run_to(data, t);
  pl_rigid_totals(data, &after);
  return (after.kinetic_energy + after.gravity_energy - before.kinetic_energy - before.gravity_energy) /
         after.kinetic_energy;
}

static void compound_joints_keep_energy(void) {
  const plJointKind kinds[] = {PL_JOINT_UNIVERSAL, PL_JOINT_PLANAR, PL_JOINT_SCREW,
                               PL_JOINT_BALL,      PL_JOINT_FREE,   PL_JOINT_PRISMATIC};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    plSpec* spec = new_spec("midpoint", 1e-3);
    int a = add_body(spec, "a", 1, v3(0.1, 0, -0.3), v3(0.02, 0.03, 0.04)),
        b = add_body(spec, "b", 1, v3(0.1, 0.2, -0.3), v3(0.05, 0.03, 0.04));
    plJointDef first = joint("first", PL_JOINT_REVOLUTE, -1, a, v3(0, 0, 0), v3(0, 1, 0));
    first.position[0] = 0.5, first.velocity[0] = 1;
    add_joint(spec, first);
    plJointDef second = joint("second", kinds[k], a, b, v3(0, 0, -0.6), v3(0, 0, 1));
    second.axis2 = v3(0, 1, 0), second.pitch = 0.2;
    second.child_pose = (plPose){{0.05, 0.02, 0}, quat_from_axis_angle(v3(1, 2, 3), 0.4)};
    for (int i = 0; i < pl_joint_nv(kinds[k]); i++) second.velocity[i] = 1 - 0.3 * i;
    add_joint(spec, second);
    plData* data = start(spec);
    CHECK_NEAR(gain_of_energy(data, 0.5), 0, 2.4e-6);
    // the body's velocity is what its Jacobian says
    double J[6 * 8];
    plRigidState s;
    CHECK(!pl_rigid_jacobian(data, b, v3(0, 0, 0), J));
    CHECK(!pl_rigid_body_state(data, b, &s));
    double v[6] = {0};
    for (int j = 0; j < data->model->nv; j++)
      for (int i = 0; i < 6; i++) v[i] += J[6 * j + i] * data->v[j];
    CHECK_NEAR(v[0], s.angular_velocity.x, 3e-14);
    CHECK_ROUND(v[3], s.velocity.x, 0.7);
    CHECK_NEAR(v[5], s.velocity.z, 6.8e-14);
    finish(data);
  }
}

// Three hinges at one point on one body are the roll, pitch and yaw of that body.
static void several_joints_of_one_body(void) {
  plSpec* spec = new_spec("midpoint", 1e-3);
  int body = add_body(spec, "body", 1, v3(0, 0, -0.3), v3(0.02, 0.03, 0.04));
  const plVec3 axes[3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  const double angle[3] = {0.3, -0.4, 0.5};
  const char* names[3] = {"yaw", "pitch", "roll"};
  for (int k = 0; k < 3; k++) {
    plJointDef def = joint(names[k], PL_JOINT_REVOLUTE, -1, body, k ? v3(0, 0, 0) : v3(0.1, 0, 1), axes[k]);
    def.position[0] = angle[k];
    add_joint(spec, def);
  }
  plData* data = start(spec);
  plPose pose;
  pl_rigid_poses(data, &pose);
  plQuat expected = quat_from_rpy(0.5, -0.4, 0.3);
  CHECK_NEAR(pose.q.w, expected.w, 1e-14);
  CHECK_ROUND(pose.q.x, expected.x, 0.3);
  CHECK_ROUND(pose.q.y, expected.y, 0.2);
  CHECK_ROUND(pose.q.z, expected.z, 0.2);
  CHECK_NEAR(pose.p.x, 0.1, 1e-15);
  CHECK_NEAR(gain_of_energy(data, 0.3), 0, 1.2e-6);
  finish(data);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(oscillator_as_each_scheme_promises);
  RUN(damping_and_rotors_are_implicit);
  RUN(stiff_servo_holds);
  RUN(tables_are_smooth);
  RUN(motor_and_user_forces_add);
  RUN(locked_joint_is_a_weld);
  RUN(compound_joints_keep_energy);
  RUN(several_joints_of_one_body);
  return CHECK_END;
}

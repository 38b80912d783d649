// test_cable.c: actuators on sites: thrust at one, cables through several; and ropes, distances with a range.
#include "bodies.h"
#include "rigid/rigid.h"

static unsigned long long seed = 3;
static double uniform(double from, double to) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}
static plVec3 random_vector(double size) {
  double z = uniform(-size, size), y = uniform(-size, size), x = uniform(-size, size);
  return v3(x, y, z);
}

static int add_site(plSpec* spec, const char* name, int body, plPose pose) {
  plSiteDef def = pl_default_site_def();
  int id = -1;
  def.name = name, def.body = body, def.pose = pose;
  CHECK(!pl_spec_add_site(spec, &def, &id, NULL));
  return id;
}

static plActuatorDef on_sites(const char* name, plActuatorKind kind, int n, const int* site) {
  plActuatorDef def = pl_default_actuator_def();
  def.name = name, def.kind = kind, def.nsite = n, def.site = site;
  return def;
}

static void add_actuator(plSpec* spec, plActuatorDef def) {
  plError error;
  if (pl_spec_add_actuator(spec, &def, NULL, &error)) check_errors++, printf("%s\n", error.message);
}

// Thrust along a tilted axis through the centre of mass: the body flies as f / m and gravity say, straight.
static void a_rotor_lifts_a_body(void) {
  plSpec* spec = new_spec("backward_euler", 1e-3);
  int body = add_body(spec, "drone", 2, v3(0, 0, 0), v3(0.01, 0.02, 0.03));
  plQuat tilt = quat_from_axis_angle(v3(0, 1, 0), 0.3);
  int site = add_site(spec, "rotor", body, (plPose){v3(0, 0, 0), tilt});
  plActuatorDef def = on_sites("thrust", PL_ACTUATOR_MOTOR, 1, &site);
  def.wrench[2] = 1, def.input[0] = 30, def.has_input = true;
  add_actuator(spec, def);
  plData* data = start(spec);
  run_to(data, 0.5);
  CHECK_NEAR(data->v[0], 0.5 * 15 * sin(0.3), 3.1e-14);
  CHECK_NEAR(data->v[2], 0.5 * (15 * cos(0.3) - 9.81), 4.6e-14);
  CHECK_NEAR(data->actuator_force[0], 30, 4.2e-13);
  finish(data);
}

// A moment at a site turns the body about its axis.
static void a_moment_at_a_site_spins_a_body(void) {
  plSpec* spec = new_spec("backward_euler", 1e-3);
  int body = add_body(spec, "wheel", 2, v3(0, 0, 0), v3(0.01, 0.02, 0.03));
  int site = add_site(spec, "motor", body, (plPose){v3(0.5, 0.2, 0.1), {1, 0, 0, 0}});
  plActuatorDef def = on_sites("spin", PL_ACTUATOR_MOTOR, 1, &site);
  def.wrench[5] = 2, def.input[0] = 0.6, def.has_input = true;
  add_actuator(spec, def);
  plData* data = start(spec);
  run_to(data, 0.1);
  CHECK_NEAR(data->v[5], 0.1 * 1.2 / 0.03, 5.6e-14);
  finish(data);
}

// dl/dq against differences of the length, for random chains of hinges and sliders and random cables.
static void cables_lengthen_as_their_coefficients_say(void) {
  double worst = 0;
  for (int i = 0; i < 40; i++) {
    plSpec* spec = new_spec("backward_euler", 1e-3);
    int site[6], n = 4, sites = 2 + i % 5;
    for (int k = 0; k < n; k++) {
      char name[16];
      snprintf(name, sizeof name, "l%d", k);
      int link = add_body(spec, name, 1, v3(0, 0, 0), v3(0.1, 0.1, 0.1));
      plVec3 axis = random_vector(1), at = random_vector(0.5);
      add_joint(spec, joint(name, (i + k) % 3 ? PL_JOINT_REVOLUTE : PL_JOINT_PRISMATIC,
                            k == 2 && i % 2 ? -1 : k - 1, link, at, axis));
    }
    for (int k = 0; k < sites; k++) {
      char name[16];
      snprintf(name, sizeof name, "s%d", k);
      plPose pose = {random_vector(0.5), {1, 0, 0, 0}};
      site[k] = add_site(spec, name, k == 0 && i % 3 ? -1 : (int)uniform(0, n - 1e-9), pose);
    }
    // one of them, at least, moves
    site[0] = add_site(spec, "end", n - 1, (plPose){random_vector(0.5), {1, 0, 0, 0}});
    add_actuator(spec, on_sites("cable", PL_ACTUATOR_MOTOR, sites, site));
    plData* data = start(spec);
    const plModel* m = data->model;
    for (int k = 0; k < n; k++) data->q[k] = uniform(-1, 1);
    double c[4] = {0}, h = 1e-6;
    pl_rigid_kinematics(m, data);
    for (int k = 0; k < m->act_term0[1]; k++) c[m->act_term[k]] = data->work->act_coefficient[k];
    for (int k = 0; k < n; k++) {
      double length[2], q = data->q[k];
      for (int s = 0; s < 2; s++) {
        data->q[k] = s ? q + h : q - h;
        pl_rigid_kinematics(m, data);
        length[s] = data->work->act_length[0];
      }
      data->q[k] = q;
      worst = fmax(worst, fabs((length[1] - length[0]) / (2 * h) - c[k]));
    }
    finish(data);
  }
  printf("  dl/dq: %.2g from differences\n", worst);
  CHECK_BELOW(worst, 3.4e-9, 1);
}

// A beam on a hinge at the wall, held by a cable to its tip: tension and what the hinge carries, by statics.
static void a_cable_holds_a_beam(void) {
  const double m = 3, L = 0.8, h = 0.6, g = 9.81, rope = sqrt(L * L + h * h), T = m * g * 0.5 * rope / h;
  plSpec* spec = new_spec("backward_euler", 5e-3);
  int beam = add_body(spec, "beam", m, v3(0.5 * L, 0, 0), v3(0.01, m * L * L / 12, m * L * L / 12));
  add_joint(spec, joint("hinge", PL_JOINT_REVOLUTE, -1, beam, v3(0, 0, 0), v3(0, 1, 0)));
  int site[2] = {add_site(spec, "wall", -1, (plPose){v3(0, 0, h), {1, 0, 0, 0}}),
                 add_site(spec, "tip", beam, (plPose){v3(L, 0, 0), {1, 0, 0, 0}})};
  plActuatorDef def = on_sites("cable", PL_ACTUATOR_POSITION, 2, site);
  def.kp = 1e6, def.kd = 2e4, def.input[0] = rope - T / def.kp, def.has_input = true;
  add_actuator(spec, def);
  plData* data = start(spec);
  run_to(data, 2);
  CHECK_ROUND(data->q[0], 0, 1);
  CHECK_NEAR(-data->actuator_force[0], T, 6.4e-12 * T);
  plWrench wrench;
  CHECK(!pl_joint_wrenches(data, &wrench, NULL));
  CHECK_NEAR(wrench.force.x, T * L / rope, 5.1e-12 * T);
  CHECK_NEAR(wrench.force.z, m * g - T * h / rope, 3.8e-12 * T);
  CHECK_NEAR(wrench.moment.y, 0, 3.1e-12 * T);
  finish(data);
}

// What the cable does not hold it does not touch: without an input that pulls, and with limits on the force.
static void a_cable_pulls_and_does_not_push(void) {
  plSpec* spec = new_spec("backward_euler", 1e-3);
  int body = add_body(spec, "load", 1, v3(0, 0, 0), v3(0.1, 0.1, 0.1));
  add_joint(spec, joint("slide", PL_JOINT_PRISMATIC, -1, body, v3(0, 0, 0), v3(0, 0, 1)));
  int site[2] = {add_site(spec, "hook", -1, (plPose){v3(0, 0, 1), {1, 0, 0, 0}}),
                 add_site(spec, "eye", body, pose_identity())};
  plActuatorDef def = on_sites("cable", PL_ACTUATOR_POSITION, 2, site);
  def.kp = 1e5, def.kd = 1e3, def.force_lower = -1e6, def.force_upper = 0, def.input[0] = 1.5,
  def.has_input = true;
  add_actuator(spec, def);
  plData* data = start(spec);
  run_to(data, 0.2);
  CHECK_ROUND(data->actuator_force[0], 0, 1);
  CHECK_NEAR(data->v[0], -9.81 * 0.2, 2.7e-14);
  run_to(data, 2);
  CHECK_NEAR(data->q[0], -0.5 - 9.81 / 1e5, 1.3e-10);
  CHECK_NEAR(data->actuator_force[0], -9.81, 4.2e-6);
  finish(data);
}

// A mass on a rope falls freely, is caught at its length and hangs there; a strut keeps away.
static void ropes_hold_and_hang_slack(void) {
  for (int strut = 0; strut < 2; strut++) {
    plSpec* spec = new_spec("backward_euler", 2e-3);
    plBodyDef load = pl_default_body_def();
    load.name = "load", load.mass = 2, load.pose.p.z = strut ? 0.5 : -0.1;
    for (int k = 0; k < 3; k++) load.inertia[k] = 0.1;
    CHECK(!pl_spec_add_body(spec, &load, NULL, NULL));
    plConstraintDef def = pl_default_constraint_def();
    def.name = "rope", def.kind = PL_CONSTRAINT_DISTANCE, def.a = -1, def.b = 0, def.length = 0.3;
    if (strut)
      def.lower = 0;
    else
      def.upper = 0;
    CHECK(!pl_spec_add_constraint(spec, &def, NULL, NULL));
    plData* data = start(spec);
    double effort;
    run_to(data, 0.1);
    CHECK(!pl_constraint_force(data, 0, NULL, &effort));
    CHECK_ROUND(data->v[2], -9.81 * 0.1, 1);
    CHECK_ROUND(effort, 0, 1);
    run_to(data, strut ? 0.5 : 2);
    plWrench wrench;
    CHECK(!pl_constraint_force(data, 0, &wrench, &effort));
    CHECK_NEAR(data->q[2], strut ? 0.3 : -0.3, 5.9e-8);
    CHECK_NEAR(effort, strut ? 2 * 9.81 : -2 * 9.81, 1.6e-8);
    CHECK_NEAR(wrench.force.z, 2 * 9.81, 1.6e-8);
    finish(data);
  }
}

static void wrong_sites_are_refused(void) {
  plSpec* spec = new_spec("backward_euler", 1e-3);
  plError error;
  int fixed = add_site(spec, "fixed", -1, pose_identity()), none = 7;
  plActuatorDef def = on_sites("a", PL_ACTUATOR_MOTOR, 1, &none);
  CHECK(pl_spec_add_actuator(spec, &def, NULL, &error));
  CHECK_HAS(error.message, "names site 7, but there are 1");
  def.site = &fixed, def.wrench[0] = NAN;
  CHECK(pl_spec_add_actuator(spec, &def, NULL, &error));
  CHECK_HAS(error.message, "must be finite");
  def.wrench[0] = 1;
  CHECK(!pl_spec_add_actuator(spec, &def, NULL, &error));
  add_body(spec, "b", 1, v3(0, 0, 0), v3(1, 1, 1));
  CHECK(!pl_model_create(spec, &error));
  CHECK_HAS(error.message, "none can move");
  pl_spec_destroy(spec);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_rotor_lifts_a_body);
  RUN(a_moment_at_a_site_spins_a_body);
  RUN(cables_lengthen_as_their_coefficients_say);
  RUN(a_cable_holds_a_beam);
  RUN(a_cable_pulls_and_does_not_push);
  RUN(ropes_hold_and_hang_slack);
  RUN(wrong_sites_are_refused);
  return CHECK_END;
}

// test_loops.c: mechanisms with closed loops, which constraints close: a four-bar linkage and Andrews'
// squeezing mechanism.
#include "bodies.h"

static int add_link(plSpec* spec, const char* name, double mass, plVec3 com, double moment) {
  return add_body(spec, name, mass, com, v3(moment, moment, moment));
}

// A hinge about z at a point of the parent.
static void add_hinge(plSpec* spec, const char* name, int parent, int child, plVec3 at, double angle) {
  plJointDef def = pl_default_joint_def();
  def.name = name, def.kind = PL_JOINT_CONTINUOUS, def.parent = parent, def.child = child, def.pose.p = at,
  def.position[0] = angle;
  if (pl_spec_add_joint(spec, &def, NULL, NULL)) check_errors++;
}

static void add_pin(plSpec* spec, const char* name, int a, plVec3 at_a, int b, plVec3 at_b) {
  plConstraintDef def = pl_default_constraint_def();
  def.name = name, def.kind = PL_CONSTRAINT_BALL, def.a = a, def.b = b, def.pose_a.p = at_a,
  def.pose_b.p = at_b;
  if (pl_spec_add_constraint(spec, &def, NULL, NULL)) check_errors++;
}

// Three rods of 4 m and 20 kg, hung from two points 2 m apart. For rods at the angles a and c from the x axis
// and a coupler, the rest is the symmetric trapezoid, cos a = -1/4; its small oscillation has 1.736938314
// rad/s.
static plData* four_bar(double dt, double swing, const char* scheme) {
  plSpec* spec = pl_spec_create();
  plOptions* o = pl_spec_options(spec);
  o->dt = dt, o->gravity = v3(0, -9.8, 0), o->tolerance = 1e-9;
  CHECK(!pl_scheme_by_name(scheme, &o->theta, &o->theta_vq, NULL));
  double moment = 20 * 16.0 / 12;
  int A = add_link(spec, "A", 20, v3(2, 0, 0), moment), B = add_link(spec, "B", 20, v3(2, 0, 0), moment),
      C = add_link(spec, "C", 20, v3(2, 0, 0), moment);
  // the loop for a given angle of A: C's end is 4 m from its pin at (2, 0) and from A's end
  double a = -acos(-0.25) + swing;
  plVec3 p = v3(4 * cos(a), 4 * sin(a), 0), d = v3_sub(p, v3(2, 0, 0)),
         middle = v3_scale(0.5, v3_add(p, v3(2, 0, 0)));
  double D = v3_norm(d), h = sqrt(16 - D * D / 4);
  plVec3 end = v3_madd(middle, h / D, v3(-d.y, d.x, 0));
  double b = atan2(end.y - p.y, end.x - p.x), c = atan2(end.y, end.x - 2);
  add_hinge(spec, "qA", -1, A, v3(0, 0, 0), a);
  add_hinge(spec, "qB", A, B, v3(4, 0, 0), b - a);
  add_hinge(spec, "qC", -1, C, v3(2, 0, 0), c);
  add_pin(spec, "pin", B, v3(4, 0, 0), C, v3(4, 0, 0));
  return start(spec);
}

static void four_bar_rests_where_it_should(void) {
  plData* data = four_bar(0.01, 0, "backward_euler");
  double qA = data->q[0], worst = 0;
  CHECK_NEAR(qA * 180 / PI, -104.4775, 3.6e-5);
  for (int i = 0; i < 300; i++) {
    step(data);
    worst = fmax(worst, fabs(data->q[0] - qA));
  }
  printf("four-bar at rest moves by %.2g rad\n", worst);
  CHECK_NEAR(worst, 0, 8.7e-8);
  finish(data);
}

static void four_bar_swings_in_time(void) {
  double rest = -acos(-0.25), crossing[3] = {0};
  plData* data = four_bar(1e-3, 0.02, "midpoint");
  double before = data->q[0] - rest, gap = 0;
  for (int n = 0; n < 3 && data->time < 10;) {
    step(data);
    double now = data->q[0] - rest;
    if (now * before < 0) crossing[n++] = data->time - 1e-3 * now / (now - before);
    before = now;
    plRigidState b, c;
    CHECK(!pl_rigid_body_state(data, 1, &b) && !pl_rigid_body_state(data, 2, &c));
    gap = fmax(gap, v3_norm(v3_sub(pose_apply(b.pose, v3(4, 0, 0)), pose_apply(c.pose, v3(4, 0, 0)))));
  }
  printf("four-bar: period %.6f s, expected 3.617391; the pin opens by %.2g m at most\n",
         crossing[2] - crossing[0], gap);
  CHECK_NEAR(crossing[2] - crossing[0], 3.617391, 2.9e-4);
  CHECK_BELOW(gap, 2e-8, 1);
  finish(data);
}

// ---- Andrews' squeezing mechanism (seven bodies, three loops; IVP test set), angles and parameters as there

static const double start_angles[7] = {-0.0617138900142764496, 0,
                                       0.455279819163070380,   0.222668390165885885,
                                       0.487364979543842550,   -0.222668390165885885,
                                       1.23054744454982119};
static const double end_angles[7] = {15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                                     -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                                     1.048080741042263};

static plData* squeezer(double dt, const char* scheme) {
  const double m[7] = {.04325, .00365, .02373, .00706, .07050, .00706, .05498},
               I[7] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
  const plVec3 A = {-.06934, -.00227, 0}, B = {-.03635, .03273, 0}, C = {.014, .072, 0}, O = {0, 0, 0};
  const double d = .028, da = .0115, e = .02, ea = .01421, zf = .02, fa = .01421, rr = .007, ra = .00092,
               ss = .035, sa = .01874, sb = .01043, sc = .018, sd = .02, zt = .04, ta = .02308, tb = .00916,
               u = .04, ua = .01228, ub = .00449;
  plSpec* spec = pl_spec_create();
  plOptions* o = pl_spec_options(spec);
  o->dt = dt, o->gravity = v3(0, 0, 0), o->tolerance = 1e-10;
  CHECK(!pl_scheme_by_name(scheme, &o->theta, &o->theta_vq, NULL));
  const plVec3 com[7] = {{ra, 0, 0},  {-da, 0, 0},     {sb, -sa, 0}, {0, -(e - ea), 0},
                         {ta, tb, 0}, {zf - fa, 0, 0}, {-ub, -ua, 0}};
  const char* names[7] = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
  int k[7];
  for (int i = 0; i < 7; i++) k[i] = add_link(spec, names[i], m[i], com[i], I[i]);
  const int parent[7] = {-1, k[0], -1, k[4], -1, k[6], -1};
  const plVec3 at[7] = {O, {rr, 0, 0}, B, {zt, 0, 0}, A, {0, -u, 0}, A};
  for (int i = 0; i < 7; i++) add_hinge(spec, names[i], parent[i], k[i], at[i], start_angles[i]);
  add_pin(spec, "P3", k[1], v3(-d, 0, 0), k[2], v3(0, -ss, 0));
  add_pin(spec, "P4", k[1], v3(-d, 0, 0), k[3], v3(0, -e, 0));
  add_pin(spec, "P6", k[1], v3(-d, 0, 0), k[5], v3(zf, 0, 0));
  plConstraintDef spring = pl_default_constraint_def();
  spring.name = "spring", spring.kind = PL_CONSTRAINT_DISTANCE, spring.a = k[2], spring.b = -1,
  spring.pose_a.p = v3(sd, -sc, 0), spring.pose_b.p = C;
  spring.length = .07785, spring.stiffness = 4530;
  if (pl_spec_add_constraint(spec, &spring, NULL, NULL)) check_errors++;
  plData* data = start(spec);
  data->f_user[data->model->joint_v0[0]] = 0.033;
  return data;
}

static void squeezer_angles(double dt, const char* scheme, double angle[7]) {
  static const char* const names[7] = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
  plData* data = squeezer(dt, scheme);
  long n = lround(0.03 / dt);
  for (long i = 0; i < n; i++) step(data);
  for (int j = 0; j < 7; j++)
    angle[j] = data->q[data->model->joint_q0[pl_model_find_joint(data->model, names[j])]];
  finish(data);
}

static double largest_error(const double angle[7]) {
  double error = 0;
  for (int j = 0; j < 7; j++) error = fmax(error, fabs(angle[j] - end_angles[j]));
  return error;
}

// The crank makes two and a half turns in 0.03 s. Constraints act on the velocity at the end of the step:
// order 1 in every scheme, and what is left after extrapolation to dt = 0 is small.
static void squeezer_converges(void) {
  for (int k = 0; k < 2; k++) {
    const char* scheme = k ? "midpoint" : "backward_euler";
    double coarse[7], fine[7], limit[7];
    squeezer_angles(1e-5, scheme, coarse);
    squeezer_angles(5e-6, scheme, fine);
    for (int j = 0; j < 7; j++) limit[j] = 2 * fine[j] - coarse[j];
    double a = largest_error(coarse), b = largest_error(fine), c = largest_error(limit);
    printf(
        "squeezer at 0.03 s, %s: largest error %.3g and %.3g rad with dt = 1e-5 and 5e-6 (order %.2f), "
        "extrapolated %.2g\n",
        scheme, a, b, log2(a / b), c);
    CHECK_NEAR(log2(a / b), 1, 0.039);
    CHECK_BELOW(b, 0.15, 1);
    CHECK_BELOW(c, 5e-3, 1);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(four_bar_rests_where_it_should);
  RUN(four_bar_swings_in_time);
  RUN(squeezer_converges);
  return CHECK_END;
}

// test_effort.c: a limit of a dof applies to the sum of its actuators: m (v1 - v0) = dt clamp(sum
// clamp(f_i)).
#include "base/random.h"
#include "bodies.h"
#include "pliant/forces.h"

static const double dt = 0.01, mass = 2;
enum { MOST = 6 };

// An actuator as a law of the cart's own q and v: clamp(c + a q + b v, lower, upper)
typedef struct Law {
  double c, a, b, lower, upper;
} Law;

static plSpec* two_carts(double lower, double upper) {
  plError error;
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->dt = dt, pl_spec_options(spec)->gravity = (plVec3){0, 0, 0},
  pl_spec_options(spec)->tolerance = 1e-12;
  for (int i = 0; i < 2; i++) {
    plBodyDef body = pl_default_body_def();
    plJointDef rail = pl_default_joint_def();
    body.name = i ? "other" : "cart", body.mass = mass;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
    rail.name = body.name, rail.kind = PL_JOINT_PRISMATIC, rail.child = i, rail.axis = (plVec3){1, 0, 0};
    if (i == 0) rail.dof[0].force_lower = lower, rail.dof[0].force_upper = upper;
    CHECK(!pl_spec_add_body(spec, &body, NULL, &error) && !pl_spec_add_joint(spec, &rail, NULL, &error));
  }
  return spec;
}

// A random actuator on the first cart, perhaps by a tendon over it alone.
static Law add_random(plSpec* spec, int i, plRandom* r) {
  plError error;
  plActuatorDef def = pl_default_actuator_def();
  char name[16];
  int joint = 0;
  double c = pl_random(r, -2, 2), g;
  snprintf(name, sizeof name, "a%d", i);
  def.name = name, def.joint = 0, def.has_input = true, def.input[0] = pl_random(r, -4, 4);
  def.gear = pl_random(r, -2, 2);
  if (pl_random(r, 0, 1) < 0.5) def.njoint = 1, def.tendon = &joint, def.coefficient = &c;
  if (pl_random(r, 0, 1) < 0.5) {
    def.force_lower = pl_random(r, -9, 0);
    def.force_upper = pl_random(r, 0, 9);
  }
  double u = def.input[0];
  Law law = {.lower = def.force_lower, .upper = def.force_upper};
  switch ((int)pl_random(r, 0, 4)) {
    case 0:
      law.c = def.gear * u;
      break;
    case 1:
      def.kind = PL_ACTUATOR_POSITION, def.kp = pow(10, pl_random(r, 0, 3)), def.kd = pl_random(r, 0, 5);
      law.c = def.gear * def.kp * u, law.a = -def.gear * def.gear * def.kp,
      law.b = -def.gear * def.gear * def.kd;
      break;
    case 2:
      def.kind = PL_ACTUATOR_VELOCITY, def.kd = pow(10, pl_random(r, 0, 2));
      law.c = def.gear * def.kd * u, law.b = -def.gear * def.gear * def.kd;
      break;
    default:
      def.kind = PL_ACTUATOR_AFFINE, def.gain = pl_random(r, 1, 5), def.bias[0] = pl_random(r, -5, 5),
      def.bias[1] = pl_random(r, -20, 0);
      law.c = def.gear * (def.gain * u + def.bias[0]), law.a = def.gear * def.gear * def.bias[1];
  }
  CHECK_INT(pl_spec_add_actuator(spec, &def, NULL, &error), PL_OK);
  g = def.njoint ? c : 1;
  double low = g * law.lower, high = g * law.upper;
  return (Law){g * law.c, g * g * law.a, g * g * law.b, fmin(low, high), fmax(low, high)};
}

static double force_of(const Law* law, double q, double v) {
  return fmin(fmax(law->c + law->a * q + law->b * v, law->lower), law->upper);
}

static double sum_of(int n, const Law* law, double q, double v, double lower, double upper) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += force_of(&law[i], q, v);
  return fmin(fmax(sum, lower), upper);
}

// v1 with m (v1 - v0) = dt F(q0 + dt v1, v1), by bisection: F falls with v1.
static double next_velocity(int n, const Law* law, double q, double v, double lower, double upper) {
  double a = -1e4, b = 1e4;
  for (int i = 0; i < 200; i++) {
    double x = 0.5 * (a + b);
    *(mass * (x - v) < dt * sum_of(n, law, q + dt * x, x, lower, upper) ? &a : &b) = x;
  }
  return 0.5 * (a + b);
}

// The first actuators are on the cart alone; the last one may be a motor on a tendon over both carts.
static void the_sum_of_actuators_is_limited(void) {
  int saturated = 0, steps = 0, pieces = 0;
  double worst = 0, worst_force = 0;
  plRandom r = {41};
  for (int member = 0; member < CHECK_MEMBERS(400); member++) {
    plError error;
    Law law[MOST + 1];
    bool open = pl_random(&r, 0, 1) < 0.2;
    double lower = pl_random(&r, -12, 0), upper = pl_random(&r, 0, 12);
    if (open) lower = -INFINITY;
    plSpec* spec = two_carts(lower, upper);
    int n = 1 + (int)pl_random(&r, 0, MOST), joints[2] = {0, 1}, alone = n;
    for (int i = 0; i < n; i++) law[i] = add_random(spec, i, &r), pieces += isfinite(law[i].lower);
    double first = pl_random(&r, -2, 2), second = pl_random(&r, -2, 2), u = pl_random(&r, -5, 5);
    const double coefficient[2] = {first, second};
    if (pl_random(&r, 0, 1) < 0.5) {
      plActuatorDef def = pl_default_actuator_def();
      def.name = "tendon", def.njoint = 2, def.tendon = joints, def.coefficient = coefficient, def.joint = 0,
      def.has_input = true, def.input[0] = u;
      CHECK_INT(pl_spec_add_actuator(spec, &def, NULL, &error), PL_OK);
      law[n++] = (Law){coefficient[0] * u, 0, 0, -INFINITY, INFINITY};
    }
    plData* data = start(spec);
    data->q[0] = pl_random(&r, -1, 1);
    data->v[0] = pl_random(&r, -3, 3);
    double q = data->q[0], v = data->v[0], other = 0;
    for (int i = 0; i < 20; i++) {
      double v1 = next_velocity(n, law, q, v, lower, upper), f = mass * (v1 - v) / dt, sum = 0;
      CHECK_INT(pl_step(data, &error), PL_OK);
      v = v1, q += dt * v, other += n > alone ? dt / mass * coefficient[1] * u : 0;
      worst = fmax(worst, fmax(fabs(data->v[0] - v), fabs(data->v[1] - other)));
      worst_force = fmax(worst_force, fabs(pl_motor_force(data, 0) - f));
      for (int k = 0; k < alone; k++) sum += data->model->act_coefficient[k] * data->actuator_force[k];
      if (n == alone) worst_force = fmax(worst_force, fabs(sum - f));
      saturated += f <= lower + 1e-9 || f >= upper - 1e-9, steps++;
    }
    finish(data);
  }
  printf("steps %d, at the limit %d, own limits %d; error of v %.1e, of the force %.1e\n", steps, saturated,
         pieces, worst, worst_force);
  CHECK(saturated > steps / 8 && saturated < steps - steps / 8);
  CHECK_NEAR(worst, 0, 4.8e-14);
  CHECK_NEAR(worst_force, 0, 3.6e-12);
}

// What is off does not count, nor do springs.
static void springs_and_switches_do_not_count(void) {
  plError error;
  plSpec* spec = two_carts(-2, 2);
  for (int i = 0; i < 3; i++) {
    plActuatorDef def = pl_default_actuator_def();
    static const char* const names[] = {"a", "b", "spring"};
    def.name = names[i], def.joint = 0, def.has_input = true, def.input[0] = i ? -4 : 5;
    if (i == 2) def.kind = PL_ACTUATOR_AFFINE, def.gain = 0, def.bias[0] = 7, def.spring = true;
    CHECK_INT(pl_spec_add_actuator(spec, &def, NULL, &error), PL_OK);
  }
  plData* data = start(spec);
  CHECK_INT(pl_step(data, &error), PL_OK);
  CHECK_NEAR(data->v[0], dt / mass * 8, 1e-15);
  data->on[PL_SWITCH_ACTUATOR][1] = false;
  CHECK_INT(pl_step(data, &error), PL_OK);
  CHECK_NEAR(data->v[0], dt / mass * 17, 1e-15);
  CHECK_NEAR(data->actuator_force[0], 2, 1e-15);
  finish(data);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(the_sum_of_actuators_is_limited);
  RUN(springs_and_switches_do_not_count);
  return CHECK_END;
}

// test_hold.c: how deep loads press existing points in, and that nothing comes out of it faster.
#include "../rigid/bodies.h"

static unsigned long long seed = 1;
static double uniform(double from, double to) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}
static double spread(double from, double to) { return exp(uniform(log(from), log(to))); }

static void add_shape(plSpec* spec, const char* name, int body, plShapeKind kind, double z, double size) {
  plShapeDef def = pl_default_shape_def();
  plError error;
  def.name = name, def.body = body, def.kind = kind, def.pose.p.z = z;
  def.size = v3(size, size, size), def.radius = 0.5 * size, def.length = size;
  if (kind == PL_SHAPE_CAPSULE || kind == PL_SHAPE_CYLINDER)  // lies
    def.pose.q = quat_from_axis_angle(v3(1, 0, 0), PI / 2);
  if (pl_spec_add_shape(spec, &def, NULL, &error)) check_errors++, printf("%s\n", error.message);
}

static void add_slider(plSpec* spec, const char* name, double mass) {
  int id = add_body(spec, name, mass, v3(0, 0, 0), v3(mass, mass, mass));
  add_joint(spec, joint(name, PL_JOINT_PRISMATIC, -1, id, v3(0, 0, 0), v3(0, 0, 1)));
}

// A light body of any shape on the floor under a heavy block. depth: how deep a point would carry the block
// at rest, in half sizes of the light one.
static plData* new_pile(int i, double depth, double* size) {
  static const plShapeKind kinds[] = {PL_SHAPE_SPHERE, PL_SHAPE_BOX, PL_SHAPE_CAPSULE, PL_SHAPE_CYLINDER,
                                      PL_SHAPE_ELLIPSOID};
  static const double vq[] = {1, 0.5, 0.7, 0.5};
  double dt = spread(2e-3, 2e-2), mass = spread(0.01, 10), fall = spread(0.01, 1);
  *size = spread(0.01, 0.3);
  plSpec* spec = new_spec(i % 4 == 3 ? "midpoint" : "backward_euler", dt);
  plOptions* o = pl_spec_options(spec);
  o->theta_vq = vq[i % 4], o->contact_law = i / 4 % 2 ? PL_LAW_COULOMB : PL_LAW_CONE;
  // F / k' with k' = 2 pi^2 m / dt^2 of the mean over three directions, of which a slider moves in one
  double heavy = depth * 0.5 * *size * 6 * PI * PI * mass / (dt * dt * v3_norm(o->gravity));
  add_slider(spec, "light", mass), add_slider(spec, "heavy", heavy);
  add_shape(spec, "light", 0, kinds[i / 8 % 5], 0.5 * *size, *size);
  add_shape(spec, "heavy", 1, PL_SHAPE_BOX, (2 + fall) * *size, 2 * *size);
  add_shape(spec, "floor", -1, i / 40 % 2 ? PL_SHAPE_BOX : PL_SHAPE_HALF_SPACE, i / 40 % 2 ? -2 * *size : 0,
            4 * *size);
  return start(spec);
}

static double energy(const plData* data) {
  plRigidTotals totals;
  pl_rigid_totals(data, &totals);
  return totals.kinetic_energy + totals.gravity_energy;
}

// Whatever the load and the scheme: contact adds no energy.
static void loads_do_not_bounce(void) {
  double worst = 0;
  for (int i = 0; i < 80; i++) {
    double size;
    plData* data = new_pile(i, spread(0.003, 3), &size);
    double from = energy(data), most = from, least = from;
    for (int k = 0; k < 300; k++)
      step(data), most = fmax(most, energy(data)), least = fmin(least, energy(data));
    worst = fmax(worst, (most - from) / (from - least));
    finish(data);
  }
  printf("  energy gained: %.2g of that of the fall\n", worst);
  CHECK_BELOW(worst, 1.5e-14, 1);  // 730 before
}

// A load that a point carries less deep than the stop rests there, and the guard has
// nothing to do.
static void loads_rest_where_points_carry_them(void) {
  double fastest = 0, off = 0;
  int rounds = 0;
  for (int i = 0; i < 80; i++) {
    double size, depth = spread(0.003, 0.16);
    plData* data = new_pile(i, depth, &size);
    const double* mass = data->par->body_mass;
    for (int k = 0; k < 800; k++) {
      step(data);
      if (k < 700) continue;
      fastest = fmax(fastest, fabs(data->v[1]) * data->par->options.dt / size),
      rounds += data->report.guard_rounds;
    }
    // The floor carries both.
    if (i / 8 % 5 == 0)
      off = fmax(off, fabs(-data->q[0] / (0.5 * size * depth * (1 + mass[0] / mass[1])) - 1));
    finish(data);
  }
  printf("  at rest: %.2g sizes a step, %.2g of the depth off, %d rounds of the guard\n", fastest, off,
         rounds);
  CHECK_BELOW(fastest, 1e-6, 1);  // wide: it still settles
  CHECK_BELOW(off, 1e-4, 1);      // wide: it still settles
  CHECK_INT(rounds, 0);
}

// Heavier loads press no deeper.
static void no_load_presses_deeper(void) {
  double worst = 0;
  for (int i = 0; i < 80; i++) {
    double size;
    plData* data = new_pile(i, spread(0.2, 20), &size);
    for (int k = 0; k < 1200; k++) step(data), worst = fmax(worst, -data->q[0] / (0.5 * size));
    finish(data);
  }
  printf("  deepest: %.3f half sizes\n", worst);
  CHECK(worst < 0.75);  // through the floor before
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(loads_do_not_bounce);
  RUN(loads_rest_where_points_carry_them);
  RUN(no_load_presses_deeper);
  return CHECK_END;
}

// test_middle.c: bodies that balls, welds and distances hold, with theta_vq < 1 and under error control.
// Pairs do no work, and what acts between bodies changes neither momentum of a free group: the energy stays
// at its start within a bound of second order in the angle of a step, linear momentum is kept to rounding,
// angular momentum to the tolerance of the solver (with theta_vq = 1/2), and report.energy_gain is no more
// than the rise that there is.
#include "base/random.h"
#include "math/vec3.h"
#include "world.h"

static double spread(plRandom* r, double a, double b) { return a * exp(pl_random(r, 0, 1) * log(b / a)); }

static plVec3 random_in(plRandom* r, double size) {
  double x = pl_random(r, -1, 1), y = pl_random(r, -1, 1), z = pl_random(r, -1, 1);
  return v3_scale(size, v3(x, y, z));
}

typedef struct Kind {
  bool pinned, loop, spins;  // spins: all bodies have the same spin at the start
} Kind;

// Bodies in a row, each held by the one before: body 0 by the world if it is pinned, the last one by body 0
// too if they form a loop. The velocities of the start satisfy all pairs. rate: rad/s of spins.
static const plModel* group(plRandom* r, const char* options, const Kind* kind, double rate) {
  static const char* const kinds[] = {"ball", "weld", "distance"};
  char text[8192], bodies[3072] = "", pairs[3072] = "";
  double size = spread(r, 0.05, 0.5), mass = spread(r, 0.01, 10),
         weight = pl_random_int(r, 2) ? 0.2 * rate * rate * size : 0;
  int n = 2 + pl_random_int(r, 3) + kind->loop;
  plVec3 x[8], v[8], w[8], p = v3(0, 0, 0), spin = v3_scale(rate, v3_unit(random_in(r, 1)));
  for (int i = 0; i < n; i++) {
    // the pair at p (a distance: from the body before at p to this one at p + d)
    const char* k = kinds[i || !kind->pinned ? pl_random_int(r, 3) : 0];
    bool line = k == kinds[2], first = i == 0 && !kind->pinned;
    plVec3 d = line && !first ? v3_scale(size, v3_unit(random_in(r, 1))) : v3(0, 0, 0),
           own = v3_scale(rate, v3_unit(random_in(r, 1))), turn = v3_scale(rate, v3_unit(random_in(r, 1)));
    plVec3 before = i ? v3_add(v[i - 1], v3_cross(w[i - 1], v3_sub(p, x[i - 1]))) : v3(0, 0, 0);
    plVec3 off = random_in(r, size), c = pl_random_int(r, 2) ? random_in(r, 0.1 * size) : v3(0, 0, 0);
    plVec3 end = v3_add(p, d);
    bool weld = k == kinds[1];
    w[i] = kind->spins || first ? spin : weld ? w[i - 1] : own;
    if (kind->spins) turn = spin;
    plVec3 at = v3_add(before, v3_cross(turn, d));
    x[i] = v3_sub(end, off), v[i] = v3_sub(at, v3_cross(w[i], off));
    double m = mass * spread(r, 0.3, 3), I = 0.2 * m * size * size, I2 = I * spread(r, 1, 1.3),
           I3 = I * spread(r, 1, 1.3);
    int l = (int)strlen(bodies);
    snprintf(
        bodies + l, sizeof bodies - (size_t)l,
        "  - {name: r%d, mass: %.17g, inertia: [%g, %g, %g], com: [%.17g, %.17g, %.17g], pose: {position: "
        "[%.17g, %.17g, %.17g]}, velocity: [%.17g, %.17g, %.17g], angular_velocity: [%.17g, %.17g, "
        "%.17g]}\n",
        i, m, I, I2, I3, c.x, c.y, c.z, x[i].x, x[i].y, x[i].z, v[i].x, v[i].y, v[i].z, w[i].x, w[i].y,
        w[i].z);
    plVec3 a = i ? v3_sub(p, x[i - 1]) : p;
    l = (int)strlen(pairs);
    if (!first) {
      l += snprintf(pairs + l, sizeof pairs - (size_t)l, "  - {name: c%d, kind: %s, b: r%d, a: ", i, k, i);
      l += snprintf(pairs + l, sizeof pairs - (size_t)l, i ? "r%d" : "world", i - 1);
      l += snprintf(pairs + l, sizeof pairs - (size_t)l,
                    ", pose_a: {position: [%.17g, %.17g, %.17g]}, pose_b: {position: [%.17g, %.17g, %.17g]}",
                    a.x, a.y, a.z, off.x, off.y, off.z);
      if (line) l += snprintf(pairs + l, sizeof pairs - (size_t)l, ", length: %.17g", v3_norm(d));
      snprintf(pairs + l, sizeof pairs - (size_t)l, "}\n");
    }
    p = v3_add(x[i], random_in(r, size));
  }
  if (kind->loop) {
    plVec3 a = v3_sub(p, x[n - 1]), b = v3_sub(p, x[0]);
    int l = (int)strlen(pairs);
    snprintf(pairs + l, sizeof pairs - (size_t)l,
             "  - {name: loop, kind: ball, a: r%d, b: r0, pose_a: {position: [%.17g, %.17g, %.17g]}, pose_b: "
             "{position: [%.17g, %.17g, %.17g]}}\n",
             n - 1, a.x, a.y, a.z, b.x, b.y, b.z);
  }
  snprintf(text, sizeof text, "pliant: 1\noptions: {%s, gravity: [0, 0, %g]}\nbodies:\n%sconstraints:\n%s",
           options, kind->pinned ? -weight : 0, bodies, pairs);
  return model_of(text);
}

typedef struct Drift {
  double rise, fall, unreported;  // relative to the largest kinetic energy; unreported: beyond the gains
  double moment;                  // of L, relative to that of the start
  double push;                    // of P, relative to the momenta of the bodies
} Drift;

static double moved(const plData* data) {
  double sum = 0;
  for (int i = 0; i < data->model->nbody; i++) {
    plRigidState b;
    CHECK_INT(pl_rigid_body_state(data, i, &b), PL_OK);
    sum += v3_norm(b.momentum);
  }
  return sum;
}

static Drift drift_of(const plModel* model, int steps) {
  plData* data = pl_data_create(model, NULL);
  plRigidTotals e;
  Drift d = {0};
  pl_rigid_totals(data, &e);
  double start = e.kinetic_energy + e.gravity_energy, scale = e.kinetic_energy, gain = 0;
  plVec3 L = e.angular_momentum, P = e.momentum;
  double size = moved(data);
  for (int i = 0; i < steps; i++) {
    CHECK_INT(pl_step(data, NULL), PL_OK);
    size = fmax(size, moved(data));
    pl_rigid_totals(data, &e);
    double rise = e.kinetic_energy + e.gravity_energy - start;
    gain += data->report.energy_gain, scale = fmax(scale, e.kinetic_energy);
    d.rise = fmax(d.rise, rise), d.fall = fmax(d.fall, -rise);
    d.unreported = fmax(d.unreported, fabs(rise - gain));
    d.moment = fmax(d.moment, v3_norm(v3_sub(e.angular_momentum, L)) / v3_norm(L));
    d.push = fmax(d.push, v3_norm(v3_sub(e.momentum, P)) / size);
  }
  d.rise /= scale, d.fall /= scale, d.unreported /= scale;
  pl_data_destroy(data);
  return d;
}

// The worst of members whose bodies turn by `angle` in a step at the start, over some radians.
static Drift worst_of(const char* scheme, int members, bool pinned, double angle, double radians) {
  plRandom r = {7};
  Drift worst = {0};
  for (int k = 0; k < members; k++) {
    Kind kind = {pinned, k / 2 % 2, k / 2 % 2 || k % 2};
    char options[128];
    double rate = spread(&r, 1, 30);
    snprintf(options, sizeof options, "dt: %.17g, %s", angle / rate, scheme);
    const plModel* model = group(&r, options, &kind, rate);
    Drift d = drift_of(model, (int)(radians / angle));
    worst.rise = fmax(worst.rise, d.rise), worst.fall += d.fall / members;
    worst.moment = fmax(worst.moment, d.moment), worst.push = fmax(worst.push, d.push);
    worst.unreported = fmax(worst.unreported, d.unreported);
    pl_model_destroy(model);
  }
  return worst;
}

static void midpoint_gains_nothing(void) {
  for (int pinned = 0; pinned < 2; pinned++)
    for (double angle = 0.1; angle > 0.04; angle /= 2) {
      Drift d = worst_of("scheme: midpoint", CHECK_MEMBERS(8), pinned, angle, 20);
      CHECK_BELOW(d.rise, 1, angle * angle);  // 0.37 if impulses act at the start
      CHECK_BELOW(d.unreported, 1e-2, 1);
      if (!pinned) CHECK_BELOW(d.moment, 6e-8, 1);
      if (!pinned) CHECK_BELOW(d.push, 4e-15, 1);
    }
}

// Below the angles at which steps are taken in parts.
static void midpoint_is_of_second_order(void) {
  Drift whole = worst_of("scheme: midpoint", CHECK_MEMBERS(12), false, 0.04, 20),
        half = worst_of("scheme: midpoint", CHECK_MEMBERS(12), false, 0.02, 20);
  CHECK_BELOW(half.fall, 0.34, whole.fall);
}

// Other schemes damp.
static void other_schemes_gain_nothing(void) {
  static const char* const scheme[] = {"theta_vq: 0.8", "theta: 0.7, theta_vq: 0.9",
                                       "theta: 0.5, theta_vq: 0.6"};
  for (int k = 0; k < 6; k++) {
    Drift d = worst_of(scheme[k % 3], CHECK_MEMBERS(8), k / 3, 0.1, 20);
    CHECK_BELOW(d.rise, 1e-3, 1);
    if (k < 3) CHECK_BELOW(d.push, 5e-15, 1);
  }
}

static void error_control_gains_nothing(void) {
  for (int pinned = 0; pinned < 2; pinned++) {
    Drift d = worst_of("accuracy: 1e-3", CHECK_MEMBERS(4), pinned, 0.1, 20);
    CHECK_BELOW(d.rise, 1e-2, 1);
    CHECK_BELOW(d.unreported, 1e-2, 1);
    if (!pinned) CHECK_BELOW(d.moment, 4e-8, 1);
    if (!pinned) CHECK_BELOW(d.push, 4e-15, 1);
  }
}

// A robot of up to three joints and a ball, which a pair connects: a spring that is not at rest, or a pair
// that holds. No forces act on them.
static const plModel* tied(plRandom* r, const char* options, double dt) {
  static const char* const joints[] = {"revolute", "prismatic", "planar"};
  char text[4096], links[2048] = "";
  double size = spread(r, 0.05, 0.5), mass = spread(r, 0.01, 10), speed = pl_random_int(r, 2) ? size : 0,
         ball = mass * spread(r, 0.1, 10), at_base = mass * spread(r, 0.3, 3);
  plVec3 com = random_in(r, 0.3 * size), v = random_in(r, speed), w = random_in(r, speed / size),
         far = v3_add(random_in(r, size), v3(0, 0, 2 * size));
  int n = pl_random_int(r, 4), on = 0;
  for (int i = 0, l = 0; i < n; i++, l = (int)strlen(links)) {
    double m = mass * spread(r, 0.1, 3), I = 0.2 * m * size * size;
    int kind = pl_random_int(r, 3);
    plVec3 axis = kind < 2 ? random_in(r, 1) : v3(0, 0, 1), p = random_in(r, size);
    snprintf(links + l, sizeof links - (size_t)l,
             "  - {name: l%d, mass: %.17g, inertia: [%.17g, %.17g, %.17g], joint: {kind: %s, parent: %s%.0d, "
             "axis: [%.17g, %.17g, %.17g], pose: {position: [%.17g, %.17g, %.17g]}, damping: %g}}\n",
             i + 1, m, I, 1.1 * I, 1.2 * I, joints[kind], i ? "l" : "base", i, axis.x, axis.y, axis.z, p.x,
             p.y, p.z, pl_random_int(r, 2) ? 0 : 0.1 * m * size);
    on = pl_random_int(r, i + 2);
  }
  double I = 0.2 * at_base * size * size, J = 0.2 * ball * size * size;
  bool spring = on || pl_random_int(r, 2);
  double length = v3_norm(far), k = spring ? 0.1 * fmin(mass, ball) / (dt * dt) : INFINITY;
  snprintf(text, sizeof text,
           "pliant: 1\noptions: {dt: %.17g, %s, gravity: [0, 0, 0]}\nbodies:\n"
           "  - {name: base, mass: %.17g, inertia: [%.17g, %.17g, %.17g], com: [%.17g, %.17g, %.17g], "
           "velocity: [%.17g, %.17g, %.17g], angular_velocity: [%.17g, %.17g, %.17g]}\n%s"
           "  - {name: ball, mass: %.17g, inertia: [%.17g, %.17g, %.17g], pose: {position: [%.17g, %.17g, "
           "%.17g]}}\nconstraints:\n  - {name: pair, kind: distance, a: %s%.0d, b: ball, length: %.17g, "
           "stiffness: "
           "%.17g}\n",
           dt, options, at_base, I, 1.1 * I, 1.2 * I, com.x, com.y, com.z, v.x, v.y, v.z, w.x, w.y, w.z,
           links, ball, J, J, J, far.x, far.y, far.z, on ? "l" : "base", on, (spring ? 0.5 : 1) * length, k);
  return model_of(text);
}

// Whatever the solves leave over, within the tolerance, is no push on the whole.
static void pairs_of_robots_keep_the_momentum(void) {
  static const char* const scheme[] = {"scheme: midpoint", "theta: 0.51, theta_vq: 0.51", "theta_vq: 0.8",
                                       "scheme: backward_euler"};
  plRandom r = {11};
  double worst = 0;
  for (int k = 0; k < CHECK_MEMBERS(60); k++) {
    const plModel* model = tied(&r, scheme[k % 4], spread(&r, 2e-4, 2e-2));
    Drift d = drift_of(model, 30);
    worst = fmax(worst, d.push);
    pl_model_destroy(model);
  }
  CHECK_BELOW(worst, 2.6e-14, 1);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(midpoint_gains_nothing);
  RUN(midpoint_is_of_second_order);
  RUN(other_schemes_gain_nothing);
  RUN(pairs_of_robots_keep_the_momentum);
  RUN(error_control_gains_nothing);
  return CHECK_END;
}

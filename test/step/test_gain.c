// test_gain.c: energy that pairs between rigid bodies give. With theta_vq < 1 it is reported: kinetic and
// gravity energy do not rise above those of the start plus the sum of report.energy_gain. Under backward
// Euler there is none, and angular momentum is kept; nor is there any from attachments. With theta_vq < 1
// what attachments and contacts of soft bodies give is reported too, and what contacts give stays small.
#include "base/random.h"
#include "math/vec3.h"
#include "world.h"

static double spread(plRandom* r, double a, double b) { return a * exp(pl_random(r, 0, 1) * log(b / a)); }

// Bodies that hang in a row from the world, each held at its frame by the one above.
static const plModel* hanging(plRandom* r, const char* options, double turn) {
  static const char* const kinds[] = {"distance", "ball", "weld"};
  char text[4096], bodies[1536] = "", pairs[1536] = "";
  double size = spread(r, 0.02, 0.5), dt = spread(r, 5e-4, 0.02), mass = spread(r, 1e-3, 10),
         speed = turn * size / dt;
  int n = 1 + pl_random_int(r, 3);
  for (int i = 0; i < n; i++) {
    const char* kind = kinds[pl_random_int(r, 3)];
    double m = mass * spread(r, 0.2, 5), I = 0.05 * m * size * size, k = m / (dt * dt) * spread(r, 1e-4, 1e2);
    bool arm = kind == kinds[0];
    double turns = pl_random(r, -1, 1), up = pl_random(r, -1, 1), aside = pl_random(r, -1, 1);
    bool eccentric = pl_random_int(r, 2);
    int l = (int)strlen(bodies);
    snprintf(bodies + l, sizeof bodies - (size_t)l,
             "  - {name: r%d, mass: %g, inertia: [%g, %g, %g], com: [%g, %g, 0], pose: {position: [%.17g, 0, "
             "0]}, velocity: [0, %g, %g], angular_velocity: [0, %g, 0]}\n",
             i, m, I, I, 1.2 * I, eccentric ? 0.1 * size : 0, 0.1 * size, size * (i + 1), speed * aside,
             speed * up, speed / size * turns);
    l = (int)strlen(pairs);
    snprintf(pairs + l, sizeof pairs - (size_t)l, "  - {name: c%d, kind: %s, a: r%d, b: %s", i, kind, i,
             i ? "r" : "world");
    l = (int)strlen(pairs);
    if (i) l += snprintf(pairs + l, sizeof pairs - (size_t)l, "%d", i - 1);
    if (arm) l += snprintf(pairs + l, sizeof pairs - (size_t)l, ", length: %.17g", size);
    if (!arm) l += snprintf(pairs + l, sizeof pairs - (size_t)l, ", pose_b: {position: [%.17g, 0, 0]}", size);
    if (pl_random_int(r, 3))
      l += snprintf(pairs + l, sizeof pairs - (size_t)l, ", stiffness: %g, damping: %g", k,
                    pl_random_int(r, 2) ? 0.3 * k * dt : 0);
    snprintf(pairs + l, sizeof pairs - (size_t)l, "}\n");
  }
  snprintf(text, sizeof text,
           "pliant: 1\noptions: {dt: %g, %s, gravity: [0, 0, %g]}\nbodies:\n%sconstraints:\n%s", dt, options,
           pl_random_int(r, 3) ? -0.2 * turn * turn * size / (dt * dt) : 0, bodies, pairs);
  return model_of(text);
}

static const char* const scheme[] = {"scheme: midpoint", "theta_vq: 0.8", "theta: 0.7, theta_vq: 0.9",
                                     "theta: 0.5, theta_vq: 0.6"};

// The largest rise above the energy of the start plus the reported gains, relative to the largest energy.
static double not_reported(const plModel* model, int steps, double* risen) {
  plData* data = pl_data_create(model, NULL);
  plRigidTotals e;
  pl_rigid_totals(data, &e);
  double start = e.kinetic_energy + e.gravity_energy, low = e.gravity_energy, gain = 0, scale = 0, worst = 0;
  for (int i = 0; i < steps; i++) {
    CHECK_INT(pl_step(data, NULL), PL_OK);
    pl_rigid_totals(data, &e);
    double rise = e.kinetic_energy + e.gravity_energy - start;
    gain += data->report.energy_gain;
    scale = fmax(scale, e.kinetic_energy + fabs(e.gravity_energy - low));
    worst = fmax(worst, (rise - gain) / scale), *risen = fmax(*risen, rise / scale);
  }
  pl_data_destroy(data);
  return worst;
}

static void gains_of_pairs_are_reported(void) {
  plRandom r = {23};
  double worst = 0, risen = 0;
  for (int k = 0; k < 200; k++) {
    const plModel* model = hanging(&r, scheme[k % 4], spread(&r, 0.003, 0.3));
    worst = fmax(worst, not_reported(model, 120, &risen));
    pl_model_destroy(model);
  }
  // The energy of a stiff spring depends on the mobility of its sides, which is another one in each step.
  CHECK_BELOW(worst, 1e-3, 1);
  CHECK_BELOW(risen, 0.02, 1);  // wide: 0.7 if impulses act at the start of the motion
}

// A mass on a spring of any stiffness gains nothing, and nothing is reported: what the spring stores and
// returns, and the way of a mass that was stopped, are no gains.
static void springs_gain_nothing(void) {
  plRandom r = {29};
  double worst = 0;
  for (int k = 0; k < CHECK_MEMBERS(60); k++) {
    double dt = spread(&r, 1e-4, 0.05), m = spread(&r, 1e-3, 1e3), speed = spread(&r, 1e-3, 10),
           stiffness = m / (dt * dt) * spread(&r, 1e-6, 1e6), gain = 0;
    char text[512];
    snprintf(text, sizeof text,
             "pliant: 1\noptions: {dt: %g, %s, gravity: [0, 0, 0]}\n"
             "bodies:\n  - {name: r, mass: %g, inertia: [%g, %g, %g], velocity: [0, 0, %g]}\n"
             "constraints:\n  - {name: c, kind: ball, a: r, stiffness: %g, damping: %g}\n",
             dt, scheme[k % 4], m, m, m, m, speed, stiffness,
             k % 3 ? 0 : stiffness * dt * spread(&r, 0.01, 10));
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    for (int i = 0; i < 60; i++) {
      CHECK_INT(pl_step(data, NULL), PL_OK);
      gain += data->report.energy_gain;
    }
    worst = fmax(worst, gain / (0.5 * m * speed * speed));
    pl_data_destroy(data), pl_model_destroy(model);
  }
  CHECK_BELOW(worst, 1.5e-14, 1);
}

// Backward Euler: bodies that turn far in a step and are held by pairs gain nothing, loaded or not.
static void what_is_held_gains_nothing(void) {
  plRandom r = {31};
  double worst = 0;
  for (int k = 0; k < CHECK_MEMBERS(100); k++) {
    const plModel* model = hanging(&r, "scheme: backward_euler", spread(&r, 0.03, 1));
    not_reported(model, CHECK_MEMBERS(200), &worst);
    pl_model_destroy(model);
  }
  CHECK_BELOW(worst, 2e-4,
              1);  // wide: what 400 members measure; 0.27 if impulses act at the start of the motion
}

// Bodies that hang down along x, each held at its frame by the one before, and swing by `amplitude` radians,
// `turn` of it in a step.
static const plModel* swinging(plRandom* r, double turn, double amplitude, bool eccentric) {
  static const char* const kinds[] = {"distance", "ball"};
  char text[4096], bodies[1536] = "", pairs[1536] = "";
  double size = spread(r, 0.02, 0.5), dt = spread(r, 5e-4, 0.02), mass = spread(r, 1e-3, 10),
         speed = turn * size / dt, g = pow(turn / (amplitude * dt), 2) * size;
  int n = 1 + pl_random_int(r, 3);
  for (int i = 0; i < n; i++) {
    const char* kind = kinds[pl_random_int(r, 2)];
    double m = mass * spread(r, 0.2, 5), I = 0.05 * m * size * size, x = kind == kinds[1] ? 0.5 * size : 0,
           up = pl_random(r, -1, 1), aside = pl_random(r, -1, 1), c = eccentric ? 0.2 * size : 0;
    int l = (int)strlen(bodies);
    snprintf(bodies + l, sizeof bodies - (size_t)l,
             "  - {name: r%d, mass: %g, inertia: [%g, %g, %g], com: [%g, %g, 0], pose: {position: [%.17g, 0, "
             "0]}, velocity: [0, %g, %g]}\n",
             i, m, I, I, 1.2 * I, c, 0.5 * c, size * (i + 1), speed * aside, speed * up);
    l = (int)strlen(pairs);
    l += snprintf(pairs + l, sizeof pairs - (size_t)l, "  - {name: c%d, kind: %s, a: r%d, b: %s", i, kind, i,
                  i ? "r" : "world");
    if (i) l += snprintf(pairs + l, sizeof pairs - (size_t)l, "%d", i - 1);
    if (x > 0)
      snprintf(pairs + l, sizeof pairs - (size_t)l,
               ", pose_a: {position: [%.17g, 0, 0]}, pose_b: {position: [%.17g, 0, 0]}}\n", -x, size - x);
    else
      snprintf(pairs + l, sizeof pairs - (size_t)l, ", length: %.17g}\n", size);
  }
  snprintf(text, sizeof text,
           "pliant: 1\noptions: {dt: %g, gravity: [%g, 0, 0]}\nbodies:\n%sconstraints:\n%s", dt, g, bodies,
           pairs);
  return model_of(text);
}

// Backward Euler: the same for swings in which nothing turns by more than 0.02 rad in a step.
static void small_swings_gain_nothing(void) {
  plRandom r = {37};
  double worst = 0;
  for (int k = 0; k < CHECK_MEMBERS(60); k++) {
    double turn = spread(&r, 1e-4, 1e-2), amplitude = turn / spread(&r, 0.01, 0.2);
    const plModel* model = swinging(&r, turn, amplitude, k % 2);
    not_reported(model, CHECK_MEMBERS(300), &worst);
    pl_model_destroy(model);
  }
  CHECK_BELOW(worst, 1e-12, 1);  // rounding; 0.017 if impulses act at the start of the motion
}

// Two bodies that touch each other while a stiff spring turns by up to 1 rad in a step: what the spring gives
// is not stored in it.
static void springs_give_nothing_to_contacts(void) {
  plRandom r = {41};
  double worst = 0;
  for (int k = 0; k < CHECK_MEMBERS(200); k++) {
    char text[2048];
    double dt = spread(&r, 5e-4, 0.01), length = spread(&r, 0.02, 0.2), m = spread(&r, 0.05, 1),
           v = spread(&r, 0.1, 1) * length / dt, stiffness = m / (dt * dt) * spread(&r, 0.01, 10), x[9];
    for (int i = 0; i < 9; i++) x[i] = pl_random(&r, -1, 1);
    double I = 0.1 * m * length * length;
    snprintf(
        text, sizeof text,
        "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], contact_law: %s}\nbodies:\n"
        "  - {name: a, mass: %g, inertia: [%g, %g, %g], velocity: [%g, %g, %g]}\n"
        "  - {name: b, mass: %g, inertia: [%g, %g, %g], pose: {position: [%.17g, 0, 0], rpy: [%g, %g, %g]}, "
        "angular_velocity: [%g, %g, %g]}\n"
        "shapes:\n  - {name: s0, shape: sphere, radius: %g, body: a}\n"
        "  - {name: s1, shape: box, size: [%g, %g, %g], body: b}\n"
        "constraints:\n  - {name: c, kind: distance, a: a, b: b, length: %.17g, stiffness: %g, damping: "
        "%g}\n",
        dt, k % 2 ? "cone" : "similar", m, I, I, I, 0.2 * v * x[0], v * x[1], v * x[2], m, I, I, 1.2 * I,
        length, 3 * x[3], 3 * x[4], 3 * x[5], v / length * x[6], v / length * x[7], v / length * x[8],
        0.3 * length, 0.9 * length, 0.5 * length, 0.2 * length, length, stiffness, 0.1 * stiffness * dt);
    const plModel* model = model_of(text);
    double risen = 0;
    not_reported(model, 60, &risen);
    worst = fmax(worst, risen);
    pl_model_destroy(model);
  }
  CHECK_BELOW(worst, 2.6e-3, 1);  // 0.07 if only pairs without a stiffness are judged
}

// A body that does not turn itself flies around the end of a spring, without damping or with little: the line
// turns by up to 10 rad in a step. The stiffness is up to 1e4 m / dt^2. Every third spring has a length that
// changes slowly, by 1 %. Returns how far the energy of body and spring rises above that of the start,
// relative to that.
static double fly_around(plRandom* r, int k, const char* name, int* parts) {
  char text[1024], drive[64] = "";
  double length = spread(r, 0.01, 1), dt = spread(r, 1e-3, 0.03), turn = spread(r, 0.03, 10), m = 0.01,
         v = turn * length / dt, stiffness = spread(r, 1, 1e4) * m / (dt * dt),
         damping = k % 2 ? spread(r, 1e-3, 0.1) * sqrt(stiffness * m) : 0,
         g = pl_random(r, 0, 1) * v / dt / 50;
  if (k % 3 == 2) snprintf(drive, sizeof drive, ", amplitude: %g, frequency: %g", 0.01 * length, 0.01 / dt);
  snprintf(
      text, sizeof text,
      "pliant: 1\noptions: {dt: %g, gravity: [0, 0, %g], scheme: %s}\nbodies:\n"
      "  - {name: a, mass: %g, inertia: [1e-5, 1e-5, 1e-5], pose: {position: [%g, 0, 0]}, velocity: [0, %g, "
      "0]}\nconstraints:\n  - {name: c, kind: distance, a: a, b: world, length: %g, stiffness: %g, damping: "
      "%g%s}\n",
      dt, -g, name, m, length, v, length, stiffness, damping, drive);
  const plModel* model = model_of(text);
  plData* data = pl_data_create(model, NULL);
  double start = 0, worst = 0;
  for (int i = 0; i <= 60; i++) {
    plError error = {0};
    plStatus status = i ? pl_step(data, &error) : PL_OK;
    if (status) printf("member %d, step %d: %s\n%s\n", k, i, error.message, text);
    CHECK_INT(status, PL_OK);
    if (status) break;
    plRigidState a;
    plRigidTotals e;
    CHECK_INT(pl_rigid_body_state(data, 0, &a), PL_OK);
    pl_rigid_totals(data, &e);
    double x = v3_norm(a.pose.p) - length, energy = e.kinetic_energy + e.gravity_energy;
    if (k % 3 == 2) x -= 0.01 * length * sin(2 * M_PI * 0.01 / dt * data->time);
    energy += 0.5 * stiffness * x * x;
    if (!i) start = energy;
    *parts += data->report.parts > 1;
    worst = fmax(worst, energy - start);
  }
  pl_data_destroy(data), pl_model_destroy(model);
  return worst / start;
}

static void lines_that_turn_gain_little(void) {
  plRandom r = {43};
  double worst = 0;
  int parts = 0;
  for (int k = 0; k < CHECK_MEMBERS(60); k++)
    worst = fmax(worst, fly_around(&r, k, k % 4 ? "midpoint" : "backward_euler", &parts));
  // the midpoint scheme stretches a stiff spring by dt v0 / 2; 7e12, and 14 statuses, if only bodies that
  // turn themselves are judged
  CHECK_BELOW(worst, 1.5, 1);
  CHECK(parts > 0);
}

// Two bodies that float, turn by up to 0.3 rad in a step and are held together keep their angular momentum.
static void what_is_held_keeps_its_angular_momentum(void) {
  static const char* const kinds[] = {"distance", "ball", "weld"};
  plRandom r = {37};
  double worst = 0;
  for (int k = 0; k < 30; k++) {
    char text[1024], at[64] = "length: 0.1";
    double dt = spread(&r, 1e-4, 0.01), w = spread(&r, 0.03, 0.3) / dt, x[12];
    for (int i = 0; i < 12; i++) x[i] = pl_random(&r, -1, 1);
    if (k % 3) snprintf(at, sizeof at, "pose_b: {position: [0.1, 0, 0]}");
    snprintf(
        text, sizeof text,
        "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0]}\nbodies:\n"
        "  - {name: a, mass: 1, inertia: [%g, 0.002, 0.0025], com: [%g, %g, 0], pose: {position: [0.1, 0, "
        "0]}, velocity: [0, %g, %g], angular_velocity: [%g, %g, %g]}\n"
        "  - {name: b, mass: 2, inertia: [0.003, %g, 0.0025], com: [0, %g, 0.01], angular_velocity: [%g, "
        "%g, %g]}\n"
        "constraints:\n  - {name: c, kind: %s, a: a, b: b, %s}\n",
        dt, 0.002 + 0.001 * x[0], 0.02 * x[1], 0.02 * x[2], 0.1 * w, 0.1 * w * x[3], 0.5 * w * x[4],
        0.5 * w * x[5], w * x[6], 0.003 + 0.002 * x[7], 0.01 * x[8], 0.5 * w * x[9], 0.5 * w * x[10],
        w * x[11], kinds[k % 3], at);
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    plRigidTotals e;
    pl_rigid_totals(data, &e);
    plVec3 start = e.angular_momentum;
    for (int i = 0; i < 100; i++) CHECK_INT(pl_step(data, NULL), PL_OK);
    pl_rigid_totals(data, &e);
    worst = fmax(worst, v3_norm(v3_sub(e.angular_momentum, start)) / v3_norm(start));
    pl_data_destroy(data), pl_model_destroy(model);
  }
  CHECK_NEAR(worst, 0, 4.2e-3);
}

// Backward Euler: a rigid body hangs on the lower end of a soft one that the world holds, and swings under a
// load by up to `turn` in a step. The energy of both, that of their attachments apart, stays below that of
// the start.
static double swing_on_soft(plRandom* r, double turn, double* largest) {
  static const char* const law[] = {"corotated", "neo_hookean", "saint_venant_kirchhoff"};
  char text[2048];
  double size = spread(r, 0.02, 0.2), arm = size * spread(r, 1, 4), dt = spread(r, 1e-3, 0.02),
         g = 0.5 * turn * turn * arm / (dt * dt), density = spread(r, 100, 2000),
         mass = density * size * size * size * spread(r, 0.5, 20), angle = pl_random(r, 0.3, 1.5),
         young = spread(r, 30, 3000) * (mass / (size * size) + density * size) * g,
         I = 0.1 * mass * arm * arm;
  int kind = pl_random_int(r, 3);
  double turned = pl_random(r, -3, 3);
  snprintf(
      text, sizeof text,
      "pliant: 1\noptions: {dt: %g, gravity: [0, 0, %g]}\n"
      "bodies:\n  - {name: r, mass: %g, inertia: [%g, %g, %g], pose: {position: [%g, %g, %g]}}\n"
      "deformables:\n  - {name: d, shape: box, size: [%g, %g, %g], cells: [2, 1, 1], material: {kind: %s, "
      "young: %g, density: %g}}\n"
      "attachments:\n  - {name: a, deformable: d, region: {shape: half_space, normal: [0, 0, -1], centre: "
      "[0, 0, %g]}}\n"
      "  - {name: b, deformable: d, to: r, region: {indices: [0]}}\n",
      dt, -g, mass, I, I, I, arm * sin(angle) * cos(turned), arm * sin(angle) * sin(turned),
      -0.5 * size - arm * cos(angle), size, size, size, law[kind], young, density, 0.49 * size);
  const plModel* model = model_of(text);
  plData* data = pl_data_create(model, NULL);
  plRigidTotals e;
  plBodyState s;
  double start = 0, worst = 0, scale = 0;
  for (int i = 0; i <= 100; i++) {
    plError error = {0};
    plStatus status = i ? pl_step(data, &error) : PL_OK;
    if (status) printf("%s\n%s\n", error.message, text);
    CHECK_INT(status, PL_OK);
    pl_rigid_totals(data, &e);
    CHECK_INT(pl_deformable_state(data, 0, &s), PL_OK);
    double energy =
        e.kinetic_energy + e.gravity_energy + s.kinetic_energy + s.gravity_energy + s.elastic_energy;
    if (!i) start = energy;
    scale = fmax(scale, e.kinetic_energy + s.kinetic_energy + s.elastic_energy);
    worst = fmax(worst, energy - start);
    *largest = fmax(*largest, v3_norm(v3_load(data->v + 3)) * dt);
  }
  pl_data_destroy(data), pl_model_destroy(model);
  return worst / scale;
}

static void what_hangs_on_soft_bodies_gains_nothing(void) {
  plRandom r = {41};
  double worst = 0, turned = 0;
  for (int k = 0; k < CHECK_MEMBERS(40); k++) {
    double turn = spread(&r, 0.02, 0.3);
    worst = fmax(worst, swing_on_soft(&r, turn, &turned));
  }
  CHECK_BELOW(worst, 2.6e-3,
              1);  // wide: SMALL_GAIN of arms.c; 0.041 with impulses at the start of the motion
  CHECK(turned > 0.1);
}

// ---- soft bodies

// What holds the first body.
enum { BY_WORLD, BY_BODY, BY_NOTHING, HOLDERS };

// Two soft bodies in a row. The first is held at its end by the world, by a rigid body or by nothing, the
// second by the first. Each moves and turns at the start as it likes.
static const plModel* row_of_two(plRandom* r, int holder, bool exact, const char* options) {
  static const char* const law[] = {"linear", "linear_corotated", "corotated", "neo_hookean"};
  char text[4096], hold[64] = "", glue[64] = "", v[3][160];
  double size = spread(r, 0.02, 0.2), dt = spread(r, 5e-4, 5e-3), density = spread(r, 100, 3000),
         speed = spread(r, 0.01, 1) * size / dt, young = density * speed * speed * spread(r, 10, 1e5),
         stiffness = density * size * size * size / (dt * dt) * spread(r, 1e-3, 10),
         mass = density * pow(size, 3);
  for (int i = 0; i < 3; i++) {
    double x[6];
    for (int k = 0; k < 6; k++) x[k] = pl_random(r, -1, 1);
    snprintf(v[i], sizeof v[i], "velocity: [%g, %g, %g], angular_velocity: [%g, %g, %g]", speed * x[0],
             speed * x[1], speed * x[2], speed / size * x[3], speed / size * x[4], speed / size * x[5]);
  }
  int first = pl_random_int(r, exact ? 2 : 4), second = pl_random_int(r, 4);
  if (exact)
    snprintf(hold, sizeof hold, ", exact: true");
  else if (pl_random_int(r, 2))
    snprintf(hold, sizeof hold, ", stiffness: %g", stiffness);
  if (pl_random_int(r, 2)) snprintf(glue, sizeof glue, ", stiffness: %g", stiffness);
  double reach = pl_random(r, -0.5, 1), up = pl_random(r, 0, 1), I = 0.1 * mass * size * size,
         g = pl_random_int(r, 2) ? -0.1 * speed / dt : 0;
  bool plane = pl_random_int(r, 2);
  int n = snprintf(
      text, sizeof text,
      "pliant: 1\noptions: {dt: %g, gravity: [0, 0, %g], %s}\n"
      "bodies:\n  - {name: r, mass: %g, inertia: [%g, %g, %g], pose: {position: [%g, 0, 0]}, %s}\n"
      "deformables:\n"
      "  - {name: d0, shape: box, size: [%g, %g, %g], cells: [2, 1, 1], %s, material: {kind: %s, young: %g, "
      "density: %g}, self_contact: false}\n"
      "  - {name: d1, shape: box, size: [%g, %g, %g], cells: [2, 1, 1], pose: {position: [%g, 0, %g]}, %s, "
      "material: {kind: %s, young: %g, density: %g}, self_contact: false, plane_strain: %s}\n"
      "exclude: [{a: d0, b: d1}]\nattachments:\n  - {name: b, deformable: d1, to: d0, region: {shape: "
      "half_space, normal: [1, 0, 0], "
      "centre: [%g, 0, 0]}%s}\n",
      dt, g, options, mass, I, I, 1.2 * I, -size, v[0], size, 0.5 * size, 0.5 * size, v[1], law[first], young,
      density, size, 0.4 * size, 0.4 * size, reach * size, 0.4 * size * up, v[2], law[second], young, density,
      plane ? "true" : "false", -0.45 * size, glue);
  if (holder != BY_NOTHING)
    snprintf(text + n, sizeof text - (size_t)n,
             "  - {name: a, deformable: d0, to: %s, region: {shape: half_space, normal: [1, 0, 0], centre: "
             "[%g, 0, 0]}%s}\n",
             holder == BY_BODY ? "r" : "world", 0.1 * size, hold);
  return model_of(text);
}

// How far the energy rises in a step beyond the gains that it reports, and at all above that after the first
// step, relative to the largest.
static double soft_not_reported(const plModel* model, int steps, double* risen) {
  plData* data = pl_data_create(model, NULL);
  double first = 0, before = INFINITY, worst = 0, scale = 0, most = 0;
  for (int i = 0; i < steps; i++) {
    plError error = {0};
    plStatus status = pl_step(data, &error);
    if (status) printf("%s\n", error.message);
    CHECK_INT(status, PL_OK);
    if (status) break;
    plRigidTotals e;
    pl_rigid_totals(data, &e);
    double moving = e.kinetic_energy, weight = e.gravity_energy, gain = 0, rigid = data->report.energy_gain;
    for (int b = 0; b < model->ndeform; b++) {
      plBodyState s;
      CHECK_INT(pl_deformable_state(data, b, &s), PL_OK);
      // what holds the layers of plane strain together is part of data->energy
      moving += data->energy[b], weight += s.gravity_energy;
      gain += fmax(0, data->energy_gain[b]), rigid -= data->energy_gain[b];
    }
    double energy = moving + weight;
    if (!i) first = energy;
    scale = fmax(scale, moving + fabs(weight)), most = fmax(most, energy - first);
    worst = fmax(worst, (energy - before - gain - fmax(0, rigid)) / scale);
    before = energy;
  }
  *risen = most / scale;
  pl_data_destroy(data);
  return worst;
}

static void gains_of_attachments_are_reported(void) {
  plRandom r = {47};
  double worst = 0, largest = 0;
  for (int k = 0; k < CHECK_MEMBERS(150); k++) {
    char options[64];
    double theta = pl_random(&r, 0.5, 1), theta_vq = pl_random(&r, 0.5, 1), risen;
    snprintf(options, sizeof options, "theta: %g, theta_vq: %g", theta, theta_vq);
    bool exact = pl_random_int(&r, 2);
    int holder = pl_random_int(&r, exact ? 2 : HOLDERS);
    const plModel* model = row_of_two(&r, holder, exact, options);
    worst = fmax(worst, soft_not_reported(model, 40, &risen));
    largest = fmax(largest, risen);
    pl_model_destroy(model);
  }
  CHECK_BELOW(worst, 1.5e-14, 1);  // 0.87 if impulses on exact vertices count for the exact attachment
  // 0.24, and 0.019 with a quarter of the members; 0.99 if exact vertices return at any speed
  CHECK(largest > 0.01 && largest < 0.3);
}

// A stiff body without damping that vibrates faster than dt and is squeezed between the ground and a heavy
// ball or another soft body, with friction.
static const plModel* squeezed(plRandom* r, bool yields, bool held) {
  static const char* const law[] = {"linear", "linear_corotated", "corotated", "neo_hookean",
                                    "saint_venant_kirchhoff"};
  static const char* const contact[] = {"cone", "similar", "coulomb"};
  char text[4096], soft[64] = "", hold[128] = "";
  double size = spread(r, 0.02, 0.2), dt = spread(r, 5e-4, 0.01), density = spread(r, 100, 3000),
         wave = spread(r, 0.5, 10) * size / dt, young = density * wave * wave,
         speed = spread(r, 0.01, 0.2) * fmin(wave, size / dt),
         mass = density * pow(size, 3) * spread(r, 0.5, 20), I = 0.1 * mass * size * size,
         stiffness = young / size * spread(r, 0.1, 1000), aside = pl_random(r, -0.5, 0.5) * size, x[4], mu[3];
  for (int k = 0; k < 4; k++) x[k] = pl_random(r, -1, 1);
  for (int k = 0; k < 3; k++) mu[k] = spread(r, 0.2, 4);
  double down = speed * pl_random(r, 0, 1);
  int friction = pl_random_int(r, 3), kind = pl_random_int(r, 5);
  bool quadratic = pl_random_int(r, 2);
  if (yields) snprintf(soft, sizeof soft, ", contact_stiffness: %g", stiffness);
  if (held)
    snprintf(hold, sizeof hold,
             ", fixed: [{region: {shape: half_space, normal: [1, 0, 0], centre: [%g, 0, 0]}}]", -0.1 * size);
  snprintf(text, sizeof text,
           "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], scheme: midpoint, contact_law: %s}\n"
           "bodies:\n  - {name: r, mass: %g, inertia: [%g, %g, %g], pose: {position: [%g, 0, %g]}, "
           "velocity: [%g, %g, %g], angular_velocity: [%g, %g, 0]}\n"
           "deformables:\n"
           "  - {name: d, shape: box, size: [%g, %g, %g], cells: [2, 1, 1], pose: {position: [0, 0, %g]}, "
           "velocity: [0, 0, %g], material: {kind: %s, young: %g, density: %g, damping: {mass: 0, stiffness: "
           "0}%s}, surface: {friction: %g%s}%s}\n"
           "shapes:\n  - {name: g, shape: half_space, surface: {friction: %g}}\n"
           "  - {name: s, shape: sphere, radius: %g, body: r, surface: {friction: %g}}\n",
           dt, contact[friction], mass, I, I, I, aside, 1.1 * size, speed * x[0], speed * x[1], -speed,
           2 * speed / size * x[2], 2 * speed / size * x[3], size, 0.6 * size, 0.5 * size, 0.26 * size, -down,
           law[kind], young, density, quadratic ? ", element: tet10" : "", mu[0], soft, hold, mu[1],
           0.5 * size, mu[2]);
  return model_of(text);
}

// How far the energy rises above that of the start beyond the gains that are reported, relative to the
// largest; *risen: without them, relative to the start.
static double squeezed_not_reported(const plModel* model, int steps, double* risen) {
  plData* data = pl_data_create(model, NULL);
  double first = 0, worst = 0, scale = 0, gain = 0;
  for (int i = 0; i <= steps; i++) {
    plError error = {0};
    plStatus status = i ? pl_step(data, &error) : PL_OK;
    if (status) printf("%s\n", error.message);
    CHECK_INT(status, PL_OK);
    if (status) break;
    plRigidTotals e;
    plBodyState s;
    pl_rigid_totals(data, &e);
    CHECK_INT(pl_deformable_state(data, 0, &s), PL_OK);
    double energy = e.kinetic_energy + s.kinetic_energy + s.elastic_energy,
           own = i ? data->energy_gain[0] : 0, rigid = i ? data->report.energy_gain - own : 0;
    gain += fmax(0, own) + fmax(0, rigid);
    if (!i) first = energy;
    scale = fmax(scale, energy);
    worst = fmax(worst, energy - first - gain);
  }
  pl_data_destroy(data);
  *risen = scale / first - 1;
  return worst / scale;
}

static void gains_of_contacts_are_reported(void) {
  plRandom r = {53};
  double worst = 0, largest = 0;
  for (int k = 0; k < CHECK_MEMBERS(120); k++) {
    bool yields = pl_random_int(&r, 4) > 0, held = pl_random_int(&r, 2);
    double risen;
    const plModel* model = squeezed(&r, yields, held);
    worst = fmax(worst, squeezed_not_reported(model, 60, &risen)), largest = fmax(largest, risen);
    pl_model_destroy(model);
  }
  CHECK_BELOW(worst, 4.4e-12, 1);   // 0.96 if contacts with a stiffness of their own are not counted
  CHECK_BELOW(largest, 2.7e-3, 1);  // 38 if no part is taken by backward Euler
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(gains_of_pairs_are_reported);
  RUN(springs_gain_nothing);
  RUN(what_is_held_gains_nothing);
  RUN(small_swings_gain_nothing);
  RUN(what_hangs_on_soft_bodies_gains_nothing);
  RUN(springs_give_nothing_to_contacts);
  RUN(lines_that_turn_gain_little);
  RUN(gains_of_attachments_are_reported);
  RUN(gains_of_contacts_are_reported);
  RUN(what_is_held_keeps_its_angular_momentum);
  return CHECK_END;
}

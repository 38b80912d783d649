// test_kept.c: laws over random members of families that the random search (bench/torture) found broken:
// linear momentum of nonlinear bodies and of what they meet to rounding, exact attachments beside them and on
// chains, energy that attachments and contacts give is reported, moved mounts, distances that are driven
// through dead centres, chains that turn far in a step, undamped bodies that spin.
#include "math/random_vec3.h"
#include "math/vec3.h"
#include "world.h"

static const char* const law[] = {"corotated", "saint_venant_kirchhoff", "neo_hookean", "fixed_corotated"};
static const char* const scheme[] = {"scheme: backward_euler", "scheme: midpoint",
                                     "theta: 0.7, theta_vq: 0.9"};

static double spread(plRandom* r, double a, double b) { return a * exp(pl_random(r, 0, 1) * log(b / a)); }

// The largest change of linear momentum in a run but by weight, relative to the momenta and impulses.
static double momentum_lost(const char* text, int steps) {
  const plModel* model = model_of(text);
  plData* data = pl_data_create(model, NULL);
  plError error = {0};
  double size, most, worst = 0;
  plVec3 p0 = momentum(data, &size), weight = {0, 0, 0};
  for (int i = 0; i < model->nbody; i++)
    weight = v3_madd(weight, model->par->body_mass[i], model->par->options.gravity);
  for (int b = 0; b < model->ndeform; b++)
    weight = v3_madd(weight, pl_deformable_mass(data, b), model->par->options.gravity);
  for (int i = 0; i < steps; i++) {
    if (pl_step(data, &error)) printf("%s\n%s\n", error.message, text);
    CHECK(!error.message[0]);
    double off = v3_norm(v3_sub(momentum(data, &most), v3_madd(p0, data->time, weight)));
    for (int k = 0; k < data->ncontact; k++) size += model->par->options.dt * v3_norm(data->contact[k].force);
    worst = fmax(worst, off / (size + most));
  }
  pl_data_destroy(data);
  pl_model_destroy(model);
  return worst;
}

// Newton's method ends at its tolerance, and so does the balance with contacts: neither may be seen in the
// momentum. Stiff bodies that spin, alone and struck by a rigid one.
static void momentum_of_nonlinear_bodies(void) {
  plRandom r = {7};
  double worst = 0;
  for (int k = 0; k < 24; k++) {
    char text[1024], rigid[512] = "";
    double size = spread(&r, 0.01, 0.3), dt = spread(&r, 2e-4, 0.03), w = spread(&r, 0.03, 0.4) / dt,
           speed = spread(&r, 0.1, 3);
    if (k % 2)
      snprintf(
          rigid, sizeof rigid,
          "bodies:\n  - {name: r, mass: %g, inertia: [%g, %g, %g], velocity: [0, 0, %g], pose: {position: "
          "[%g, 0, %g]}}\n"
          "shapes:\n  - {name: s, shape: sphere, radius: %g, body: r}\n",
          100 * size * size * size, 10 * pow(size, 5), 10 * pow(size, 5), 12 * pow(size, 5), speed,
          0.2 * size, -1.2 * size, 0.4 * size);
    double density = spread(&r, 100, 3000), young = spread(&r, 1e6, 1e9);
    int kind = pl_random_int(&r, 4);
    plVec3 spin = v3_random(&r, -w, w);
    snprintf(
        text, sizeof text,
        "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], %s}\n%s"
        "deformables:\n  - {name: d, shape: box, size: [%g, %g, %g], cells: [2, 2, 1], velocity: [%g, 1, "
        "0], angular_velocity: [%g, "
        "%g, %g], material: {kind: %s, young: %g, density: %g, damping: {stiffness: %g}}}\n",
        dt, k % 3 ? scheme[0] : scheme[2], rigid, size, 0.8 * size, 0.6 * size, w * size, spin.x, spin.y,
        spin.z, law[kind], young, density, k % 4 ? 0.001 : 0);
    worst = fmax(worst, momentum_lost(text, 25));
  }
  // members that the search found
  static const char* const found[] = {
      "pliant: 1\noptions: {dt: 0.001433}\n"
      "bodies:\n  - {name: r0, mass: 0.13, inertia: [0.00024, 0.00024, 2e-05], pose: {position: [-0.0038, "
      "0.025, "
      "0.092]}, velocity: [1.2, -1.88, 7.7]}\n"
      "deformables:\n  - {name: d0, shape: half_ellipsoid, semi_axes: [0.1, 0.092, 0.097], edge: 0.1, pose: "
      "{position: [0.002, -0.0021, 0.34467296093326544], rpy: [-2.277, 0.9, 1.5]}, angular_velocity: [-8, "
      "-4.8, "
      "-1.6], material: {kind: fixed_corotated, young: 3.3e+08, poisson: 0.41, density: 2698.7, damping: "
      "{mass: 0, "
      "stiffness: 2.2e-05}, mass: lumped}}\n"
      "shapes:\n  - {name: s0, shape: capsule, radius: 0.018, length: 0.14, body: r0, surface: {friction: "
      "0}}\n",
      "pliant: 1\noptions: {dt: 0.03}\n"
      "bodies:\n  - {name: r0, mass: 0.015, inertia: [8.7e-07, 8.7e-07, 9.1e-07], pose: {position: [0.0049, "
      "-0.00038, 0.012]}}\n"
      "deformables:\n  - {name: d0, shape: capsule, radius: 0.022, length: 0.019, edge: 0.026, pose: "
      "{position: "
      "[0.01, -0.0017, 0.054]}, velocity: [0.86, 0.43, 0.18], material: {kind: saint_venant_kirchhoff, "
      "young: "
      "3.8e+08, poisson: 0.49988, density: 108, damping: {mass: 0, stiffness: 0.0021}}}\n"
      "shapes:\n  - {name: s0, shape: cylinder, radius: 0.011, length: 0.021, body: r0}\n",
      "pliant: 1\noptions: {dt: 0.00032}\n"
      "deformables:\n  - {name: d0, shape: half_ellipsoid, semi_axes: [0.012, 0.01, 0.01], edge: 0.012, "
      "pose: "
      "{position: [-0.0032, -0.0029, 0.01]}, angular_velocity: [370, -272, 239], material: {kind: "
      "saint_venant_kirchhoff, young: 1.8e+07, poisson: 0.027, density: 2333, damping: {mass: 0, stiffness: "
      "0}}}\n"};
  for (int k = 0; k < 3; k++) worst = fmax(worst, momentum_lost(found[k], 24));
  CHECK_NEAR(worst, 0, 6.9e-13);
}

// A body of a linear law strikes one of a nonlinear law, or is tied to it: their balance is found in rounds,
// and the linear one keeps its momentum as well.
static void momentum_of_linear_beside_nonlinear(void) {
  plRandom r = {19};
  double worst = 0;
  for (int k = 0; k < 20; k++) {
    char text[1024];
    double size = spread(&r, 0.03, 0.3), dt = spread(&r, 1e-3, 0.02), speed = 0.2 * size / dt,
           gap = k % 2 ? 0 : 0.3 * size;
    double density_b = spread(&r, 100, 2000), young_b = spread(&r, 1e5, 1e9);
    int kind_b = pl_random_int(&r, 4);
    double density_a = spread(&r, 100, 2000), young_a = spread(&r, 1e6, 1e8);
    snprintf(
        text, sizeof text,
        "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], %s}\n"
        "deformables:\n  - {name: a, shape: box, size: [%g, %g, %g], cells: [2, 1, 2], velocity: [%g, 0, "
        "%g], material: {kind: %s, young: %g, density: %g, damping: {stiffness: 0}}}\n"
        "  - {name: b, shape: box, size: [%g, %g, %g], cells: [1, 2, 1], pose: {position: [0, 0, %g]}, "
        "material: {kind: %s, young: %g, density: %g}}\n%s",
        dt, scheme[k % 3], size, 0.8 * size, 0.6 * size, 0.3 * speed, k % 2 ? 0.2 * speed : speed,
        k % 4 < 2 ? "linear" : "linear_corotated", young_a, density_a, 0.9 * size, 0.9 * size, 0.6 * size,
        0.6 * size + gap, law[kind_b], young_b, density_b,
        k % 2
            ? "attachments:\n  - {name: c, deformable: b, to: a, region: {shape: half_space, normal: [0, 0, "
              "-1]}}\n"
            : "");
    worst = fmax(worst, momentum_lost(text, 30));
  }
  CHECK_NEAR(worst, 0, 5.2e-13);
}

// The same for a linear body that is attached exactly to a free rigid one, with a nonlinear body tied to it.
static void momentum_of_exact_beside_nonlinear(void) {
  plRandom r = {29};
  double worst = 0;
  for (int k = 0; k < 20; k++) {
    char text[2048];
    double size = spread(&r, 0.03, 0.3), dt = spread(&r, 1e-3, 0.02),
           speed = spread(&r, 0.01, 0.2) * size / dt, mass = spread(&r, 100, 2000) * size * size * size,
           density_a = spread(&r, 100, 2000), young_a = spread(&r, 1e6, 1e9),
           density_b = spread(&r, 100, 2000), young_b = spread(&r, 1e5, 1e9);
    int kind_b = pl_random_int(&r, 4);
    plVec3 v = v3_random(&r, -speed, speed), w = v3_random(&r, -0.1 / dt, 0.1 / dt);
    double inertia = 0.1 * mass * size * size;
    snprintf(
        text, sizeof text,
        "pliant: 1\noptions: {dt: %g, gravity: [0, 0, -1]}\n"
        "bodies:\n  - {name: r, mass: %g, inertia: [%g, %g, %g], pose: {position: [0, 0, %g]}, velocity: "
        "[%g, %g, %g]}\n"
        "deformables:\n  - {name: a, shape: box, size: [%g, %g, %g], cells: [2, 1, 2], material: {kind: "
        "%s, young: %g, density: %g, damping: {stiffness: %g}}}\n"
        "  - {name: b, shape: box, size: [%g, %g, %g], cells: [1, 2, 1], pose: {position: [0, 0, %g]}, "
        "angular_velocity: [%g, %g, %g], material: {kind: %s, young: %g, density: %g}}\n"
        "attachments:\n  - {name: e, deformable: a, to: r, exact: true, region: {shape: half_space, "
        "normal: [0, 0, 1], centre: [0, 0, %g]}}\n"
        "  - {name: c, deformable: b, to: a, region: {shape: half_space, normal: [0, 0, 1], centre: [0, "
        "0, %g]}}\n",
        dt, mass, inertia, inertia, inertia, -0.8 * size, v.x, v.y, v.z, size, 0.8 * size, 0.6 * size,
        k % 2 ? "linear" : "linear_corotated", young_a, density_a, k % 3 ? 0.001 : 0, 0.9 * size, 0.9 * size,
        0.6 * size, 0.6 * size, w.x, w.y, w.z, law[kind_b], young_b, density_b, -0.29 * size, -0.29 * size);
    worst = fmax(worst, momentum_lost(text, 30));
  }
  CHECK_NEAR(worst, 0, 4e-11);  // 5.1e-7 as the solver leaves them
}

// Where a rigid body ends that falls to the floor with a soft one that is attached to it exactly; elsewhere
// on the floor a block of the given law.
static plPose landed(const char* kind, double dt, double size, plVec3 velocity) {
  char text[2048];
  snprintf(
      text, sizeof text,
      "pliant: 1\noptions: {dt: %g}\n"
      "bodies:\n  - {name: r, mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], pose: {position: [0, 0, %g]}, "
      "velocity: [%g, %g, %g]}\n"
      "deformables:\n  - {name: d, shape: box, size: [0.1, 0.1, %g], cells: [2, 2, 2], pose: {position: [0, "
      "0, %g]}, velocity: [%g, %g, %g], material: {young: 1e5, density: 1000}}\n"
      "  - {name: e, shape: box, size: [0.1, 0.1, 0.1], cells: [1, 2, 1], pose: {position: [2, 0, 0.05]}, "
      "material: {kind: %s, young: 1e5, density: 1000}}\n"
      "shapes:\n  - {name: g, shape: half_space, surface: {friction: 0.5}}\n"
      "  - {name: s, shape: box, size: [0.1, 0.1, 0.1], body: r, surface: {friction: 0.5}}\n"
      "attachments:\n  - {name: a, deformable: d, to: r, exact: true, region: {shape: half_space, normal: "
      "[0, 0, -1]}}\n",
      dt, 0.06, velocity.x, velocity.y, velocity.z, size, 0.11 + 0.5 * size, velocity.x, velocity.y,
      velocity.z, kind);
  const plModel* model = model_of(text);
  plData* data = pl_data_create(model, NULL);
  plRigidState s;
  for (int i = 0; i < 60; i++) CHECK_INT(pl_step(data, NULL), PL_OK);
  CHECK_INT(pl_rigid_body_state(data, 0, &s), PL_OK);
  pl_data_destroy(data);
  pl_model_destroy(model);
  return s.pose;
}

// Bodies joined by exact attachments move as they do alone, whatever the law of a body that they never touch.
static void exact_attachments_beside_nonlinear_bodies(void) {
  plRandom r = {23};
  for (int k = 0; k < 6; k++) {
    double dt = spread(&r, 1e-3, 0.01), size = spread(&r, 0.05, 0.2);
    plVec3 v;
    v.x = pl_random(&r, -0.5, 0.5), v.y = pl_random(&r, -0.5, 0.5), v.z = pl_random(&r, -0.3, 0);
    plPose a = landed("linear_corotated", dt, size, v), b = landed(law[k % 4], dt, size, v);
    CHECK_NEAR(v3_norm(v3_sub(a.p, b.p)), 0, 1.5e-7);
    CHECK_NEAR(fabs(a.q.w * b.q.w + a.q.x * b.q.x + a.q.y * b.q.y + a.q.z * b.q.z), 1, 8.9e-14);
  }
}

// A chain whose links turn far in a step and are stopped by limits, a coupler and its own friction; beside
// it, or at its end, a soft body that is attached exactly. The chain's joints go to q; returns the largest
// rise of the total energy over its value at the start and what is reported, relative to the largest.
static double swing_chain(uint64_t seed, const char* to, double* q) {
  plRandom r = {seed};
  char text[4096], links[2048] = "", *at = links;
  double l = spread(&r, 0.05, 0.4), m = spread(&r, 0.1, 10), dt = spread(&r, 1e-3, 0.01), start = 0, most = 0,
         rise = 0;
  for (int k = 0; k < 3; k++) {
    double turn = pl_random(&r, -0.15, 0.15), limit = pl_random(&r, 0.1, 0.6);
    plVec3 axis = v3_random(&r, -1, 1);
    at +=
        snprintf(at, sizeof links - (size_t)(at - links),
                 "  - {name: b%d, mass: %g, inertia: [%g, %g, %g], com: [%g, 0, 0], joint: {kind: revolute, "
                 "%s%d, axis: [%g, %g, 1], pose: {position: [%g, 0, %g]}, velocity: %g, lower: %g, upper: "
                 "%g, friction: %g}}\n",
                 k, m, 0.01 * m * l * l, 0.1 * m * l * l, 0.1 * m * l * l, 0.5 * l,
                 k ? "parent: b" : "armature: ", k ? k - 1 : 0, axis.x, axis.y, k ? l : 0, k ? 0 : 1.0,
                 turn / dt, -limit, limit, k == 1 ? 0.1 * m * l * l : 0);
  }
  snprintf(
      text, sizeof text,
      "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], tolerance: 1e-10}\n"
      "bodies:\n%s  - {name: far, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [9, 0, 0]}}\n"
      "deformables:\n  - {name: d, shape: box, size: [%g, %g, %g], cells: [2, 1, 1], pose: {position: "
      "[%g, 0, %g]}, material: {young: 1e7, density: %g}}\n"
      "constraints:\n  - {name: c, kind: coupler, a: b0, b: b2, ratio: 0.7}\n%s%s%s",
      dt, links, 0.3 * l, 0.1 * l, 0.1 * l, strcmp(to, "far") ? 3.15 * l : 9.0, strcmp(to, "far") ? 1.0 : 0,
      0.1 * m / (0.003 * l * l * l),
      *to ? "attachments:\n  - {name: a, deformable: d, exact: true, region: {shape: half_space, normal: "
            "[1, 0, 0]}, to: "
          : "",
      to, *to ? "}\n" : "");
  const plModel* model = model_of(text);
  plData* data = pl_data_create(model, NULL);
  plRigidTotals all;
  plBodyState s;
  for (int i = 0; i <= 40; i++) {
    plError error = {0};
    plStatus status = i ? pl_step(data, &error) : PL_OK;
    if (status) printf("%s\n%s\n", error.message, text);
    CHECK_INT(status, PL_OK);
    pl_rigid_totals(data, &all);
    CHECK_INT(pl_deformable_state(data, 0, &s), PL_OK);
    double energy = all.kinetic_energy + s.kinetic_energy + s.elastic_energy;
    // what the frozen rotation of linear_corotated adds is reported
    start = i ? start + fmax(0, data->report.energy_gain) : energy;
    most = fmax(most, energy), rise = fmax(rise, energy - start);
  }
  memcpy(q, data->q, 3 * sizeof *q);
  pl_data_destroy(data);
  pl_model_destroy(model);
  return rise / most;
}

// Exact attachments change nothing in a tree that they do not hold; one that they hold gains no energy.
static void exact_attachments_to_swinging_trees(void) {
  double off = 0, gain = 0;
  for (uint64_t k = 0; k < CHECK_MEMBERS(40); k++) {
    double alone[3], beside[3], with[3];
    (void)swing_chain(100 + k, "", alone);
    (void)swing_chain(100 + k, "far", beside);
    gain = fmax(gain, swing_chain(100 + k, "b2", with));
    for (int i = 0; i < 3; i++) off = fmax(off, fabs(alone[i] - beside[i]));
  }
  CHECK_NEAR(off, 0, 1e-9);  // wide: the tolerance of the solve; 0.23 rad if v* is not computed again
  CHECK(gain == 0);
}

// A thrown body is caught by an attachment. Under midpoint its ends have moved on by then, the weld pulls
// them back, and that is energy from nowhere: at the latest when it is seen in the body it is reported.
static void what_attachments_give_is_reported(void) {
  plRandom r = {11};
  int gained = 0;
  for (int k = 0; k < 20; k++) {
    char text[1024];
    double size = spread(&r, 0.05, 0.4), w = spread(&r, 1, 60), speed = spread(&r, 0.01, 3);
    double density = spread(&r, 20, 1000), young = spread(&r, 1e6, 1e9);
    int kind = pl_random_int(&r, 4);
    plVec3 spin = v3_random(&r, -w, w);
    double dt = spread(&r, 1e-3, 0.03);
    snprintf(text, sizeof text,
             "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], scheme: midpoint}\n"
             "deformables:\n  - {name: d, shape: box, size: [%g, %g, %g], cells: [3, 2, 1], velocity: [%g, "
             "0, %g], "
             "angular_velocity: [%g, %g, %g], material: {kind: %s, young: %g, density: %g}}\n"
             "attachments:\n  - {name: a, deformable: d, region: {shape: half_space, normal: [1, 0, 0]}}\n",
             dt, size, 0.6 * size, 0.3 * size, speed, -speed, spin.x, spin.y, spin.z, law[kind], young,
             density);
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    plBodyState s;
    CHECK_INT(pl_deformable_state(data, 0, &s), PL_OK);
    double start = s.kinetic_energy + s.elastic_energy, reported = 0, largest = start;
    for (int i = 0; i < 60 && !pl_step(data, NULL); i++) {
      CHECK_INT(pl_deformable_state(data, 0, &s), PL_OK);
      double energy = s.kinetic_energy + s.elastic_energy;
      reported += fmax(0, data->energy_gain[0]), largest = fmax(largest, energy);
      CHECK_BELOW(energy - start - reported, 1e-12, largest);  // wide: rounding of 60 steps
      gained += energy > 1.1 * start;
    }
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
  CHECK(gained > 0);  // the law had something to check
}

// By backward Euler: a soft body on a mount that a drive moves to and fro or turns, loaded at its other end
// by a heavy rigid body that a second attachment holds. What the drive puts in goes through the attachment,
// which stores some and gives it back: no gain is reported, and the energy of both bodies stays below what
// was put in.
static void moved_mounts_give_what_they_got(void) {
  plRandom r = {17};
  double worst = 0, above = 0;
  for (int k = 0; k < 36; k++) {
    char text[2048];
    bool turns = k % 2;
    double size = spread(&r, 0.03, 0.3), dt = spread(&r, 1e-3, 0.02), density = spread(&r, 10, 1000),
           mass = density * pow(size, 3) * spread(&r, 0.1, 30), way = turns ? 0.5 : 0.5 * size,
           period = spread(&r, 20, 100) * dt, young = spread(&r, 2e4, 1e6);
    snprintf(text, sizeof text,
             "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], %s}\n"
             "bodies:\n  - {name: m, mass: 1, inertia: [0.01, 0.01, 0.01], joint: {kind: %s, axis: [0, 0, "
             "1]}}\n  - {name: load, mass: %g, inertia: [%g, %g, %g], pose: {position: [%g, 0, 0]}}\n"
             "deformables:\n  - {name: d, shape: box, size: [%g, %g, %g], cells: [3, 2, 2], pose: {position: "
             "[%g, 0, 0]}, material: {kind: %s, young: %g, density: %g, damping: {stiffness: 0.001}}}\n"
             "attachments:\n"
             "  - {name: a, deformable: d, to: m, region: {shape: half_space, normal: [-1, 0, 0]}%s}\n"
             "  - {name: b, deformable: d, to: load, region: {shape: half_space, normal: [1, 0, 0]}%s}\n"
             "constraints:\n  - {name: c, kind: motion, a: m, times: [0, %g, %g, %g, %g], values: [0, %g, 0, "
             "%g, 0]}\n",
             dt, scheme[0], turns ? "revolute" : "prismatic", mass, mass * size * size, mass * size * size,
             mass * size * size, 1.5 * size, size, 0.6 * size, 0.6 * size, size,
             k % 3 ? law[pl_random_int(&r, 4)] : "linear_corotated", young, density,
             k % 5 == 4 ? ", stiffness: 1e4" : "", k % 6 == 5 ? ", stiffness: 1e4" : "", period, 2 * period,
             3 * period, 4 * period, way, -way);
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    plError error = {0};
    double sum = 0, lowest = 0, largest = 0, work = 0, effort, q0 = 0, reported = 0;
    for (int i = 0; i < 150 && !error.message[0]; i++) {
      plBodyState s;
      plRigidTotals e;
      if (pl_step(data, &error)) printf("%s\n%s\n", error.message, text);
      CHECK(!error.message[0]);
      CHECK_INT(pl_constraint_force(data, 0, NULL, &effort), PL_OK);
      work += effort * (data->q[0] - q0), q0 = data->q[0];
      sum += data->energy_gain[0], lowest = fmin(lowest, sum), reported += fmax(0, data->energy_gain[0]);
      CHECK_INT(pl_deformable_state(data, 0, &s), PL_OK);
      pl_rigid_totals(data, &e);
      double energy = s.kinetic_energy + s.elastic_energy + e.kinetic_energy;
      largest = fmax(largest, data->energy[0]);
      worst = fmax(worst, (sum - lowest) / largest);
      above = fmax(above, (energy - work - reported) / fmax(largest, energy));
    }
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
  CHECK_BELOW(worst, 0.01, 1);  // not so where all that an attachment gives counts
  CHECK_BELOW(above, 1.5e-14, 1);
}

// Bodies strike each other with schemes that do not damp: what contacts give beyond what they took is
// reported, between soft and rigid bodies and between rigid ones. A contact that was pressed may push at
// push_out_speed.
static void what_contacts_give_is_reported(void) {
  plRandom r = {43};
  int gained = 0;
  for (int k = 0; k < 80; k++) {
    char text[2048];
    double size = spread(&r, 0.03, 0.2), density = spread(&r, 50, 3000), young = spread(&r, 1e5, 1e8),
           speed = fmin(0.1 * sqrt(young / density), spread(&r, 0.3, 5)),
           dt = spread(&r, 0.02, 0.2) * size / speed, m = density * pow(size, 3), I = 0.1 * m * size * size,
           w = 0.2 / dt, n = m * spread(&r, 0.1, 10);
    const char* kind = k % 3 ? law[pl_random_int(&r, 4)] : "linear_corotated";
    double wy = pl_random(&r, -w, w), wx = pl_random(&r, -w, w);
    snprintf(text, sizeof text,
             "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], %s}\n"
             "bodies:\n  - {name: a, mass: %g, inertia: [%g, %g, %g], velocity: [%g, 0, %g], "
             "angular_velocity: [%g, %g, 0]}\n"
             "  - {name: b, mass: %g, inertia: [%g, %g, %g], velocity: [0, %g, %g], pose: {position: [0, %g, "
             "%g]}}\n"
             "deformables:\n  - {name: d, shape: box, size: [%g, %g, %g], cells: [2, 1, 1], velocity: [0, 0, "
             "%g], pose: {position: [0, %g, %g]}, material: {kind: %s, young: %g, density: %g}, surface: "
             "{friction: 0.3}}\n"
             "shapes:\n  - {name: s, shape: capsule, radius: %g, length: %g, body: a}\n"
             "  - {name: t, shape: box, size: [%g, %g, %g], body: b}\n",
             dt, scheme[1 + k % 2], m, I, I, 0.8 * I, 0.1 * speed, speed, wx, wy, n, 0.2 * n * size * size,
             0.2 * n * size * size, 0.2 * n * size * size, -0.1 * speed, -speed, 0.1 * size, 1.5 * size, size,
             0.8 * size, 0.5 * size, -2 * speed, -0.1 * size, 2.8 * size, kind, young, density, 0.3 * size,
             0.8 * size, size, size, 0.7 * size);
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    double start = 0, reported = 0, largest = 0,
           push = 0.5 * (m + n + pl_deformable_mass(data, 0)) * pow(model->par->options.push_out_speed, 2);
    for (int i = 0; i < 80; i++) {
      plBodyState s;
      plRigidTotals e;
      CHECK_INT(pl_deformable_state(data, 0, &s), PL_OK);
      pl_rigid_totals(data, &e);
      double energy = s.kinetic_energy + s.elastic_energy + e.kinetic_energy;
      if (i == 0) start = energy;
      largest = fmax(largest, energy);
      CHECK(energy <= start + reported + push + 0.02 * largest);
      gained += energy > 1.02 * start + push;
      if (pl_step(data, NULL)) break;
      double rigid = data->report.energy_gain - data->energy_gain[0];
      reported += fmax(0, data->energy_gain[0]) + fmax(0, rigid);
    }
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
  CHECK(gained > 0);
}

// A thrown body of a nonlinear law that is held at one end, by backward Euler and with one linearisation a
// step: its energy rises by next to nothing above the lowest it had.
static void what_is_linearised_once_gains_nothing(void) {
  plRandom r = {41};
  double worst = 0;
  for (int k = 0; k < 16; k++) {
    char text[1024];
    double size = spread(&r, 0.05, 0.3), young = spread(&r, 1e6, 1e8), density = spread(&r, 20, 1000),
           speed = pl_random(&r, 0.02, 0.05) * sqrt(young / density),
           dt = spread(&r, 0.3, 3) * size * sqrt(density / young), poisson = pl_random(&r, 0.45, 0.497),
           vy = pl_random(&r, -speed, speed), vx = pl_random(&r, -speed, speed);
    snprintf(text, sizeof text,
             "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], coupling: once}\ndeformables:\n  - {name: d, "
             "shape: box, size: [%g, %g, %g], cells: [4, 3, 2], velocity: [%g, %g, %g], material: {kind: %s, "
             "young: %g, poisson: %g, density: %g, damping: {stiffness: 0}, mass: lumped}}\n"
             "attachments:\n  - {name: a, deformable: d, region: {indices: [0, 1, 2, 3]}}\n",
             dt, size, 0.7 * size, 0.3 * size, vx, vy, speed, law[k % 4], young, poisson, density);
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    plError error = {0};
    plBodyState s;
    CHECK_INT(pl_deformable_state(data, 0, &s), PL_OK);
    double lowest = s.kinetic_energy, most = 0;
    for (int i = 0; i < 40 && !error.message[0]; i++) {
      if (pl_step(data, &error)) printf("%s\n%s\n", error.message, text);
      CHECK(!error.message[0]);
      CHECK_INT(pl_deformable_state(data, 0, &s), PL_OK);
      double energy = s.kinetic_energy + s.elastic_energy;
      lowest = fmin(lowest, energy), most = fmax(most, energy / lowest);
    }
    worst = fmax(worst, most);
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
  CHECK_BELOW(worst - 1, 0.029, 1);  // in whole steps 20 times, and once beyond all numbers
}

// Runs a scene; the largest turn or way of a degree of freedom in one step.
static double fastest(const char* text, int steps) {
  const plModel* model = model_of(text);
  plData* data = pl_data_create(model, NULL);
  plError error = {0};
  double most = 0, dt = model->par->options.dt;
  for (int i = 0; i < steps && !error.message[0]; i++) {
    if (pl_step(data, &error)) printf("%s\n%s\n", error.message, text);
    CHECK(!error.message[0]);
    for (int j = 0; j < model->nv; j++) most = fmax(most, dt * fabs(data->v[j]));
  }
  pl_data_destroy(data);
  pl_model_destroy(model);
  return most;
}

// A distance is driven along a straight row of links, shorter and longer: they would have to turn at any
// rate. No link does, and where the way is open the distance is reached.
static void a_distance_through_a_dead_centre(void) {
  plRandom r = {3};
  static const char* const joint[] = {"universal", "screw", "universal"};
  for (int k = 0; k < 24; k++) {
    char text[2048];
    double L = spread(&r, 0.02, 0.5), m = spread(&r, 0.01, 1), dt = spread(&r, 3e-4, 0.01),
           I = 0.05 * m * L * L, by = (k % 2 ? 0.1 : -0.1) * L;
    int n = snprintf(
        text, sizeof text,
        "pliant: 1\noptions: {dt: %g, gravity: [0, 0, %g]}\nbodies:\n  - {name: b0, mass: %g, inertia: "
        "[%g, %g, %g], joint: {kind: %s}}\n",
        dt, k % 3 ? 0.0 : -9.81, m, I, 1.1 * I, 0.7 * I, k % 4 ? "fixed" : "free");
    for (int i = 1; i < 4; i++)
      n += snprintf(
          text + n, sizeof text - (size_t)n,
          "  - {name: b%d, mass: %g, inertia: [%g, %g, %g], joint: {kind: %s, parent: b%d, pose: {position: "
          "[%g, 0, 0]}, damping: %g%s}}\n",
          i, m * spread(&r, 0.3, 3), I, I, 0.1 * I, joint[k % 3], i - 1, L, 0.1 * I,
          k % 3 == 1 ? ", pitch: 0.2" : "");
    snprintf(text + n, sizeof text - (size_t)n,
             "constraints:\n  - {name: c, kind: distance, a: b0, b: b3, length: %.17g, times: [0, %g], "
             "values: [0, "
             "%g]}\n",
             3 * L, 20 * dt, by);
    // |by| / (20 dt) is the rate
    CHECK(fastest(text, 120) < 1);
  }
  CHECK(
      fastest(
          "pliant: 1\noptions: {dt: 0.00099}\n"
          "bodies:\n  - {name: r2, mass: 53, inertia: [0.46, 0.46, 0.46]}\n"
          "  - {name: r3, mass: 21, inertia: [0.057, 0.086, 0.086], joint: {kind: screw, parent: r2, pose: "
          "{position: [0.3, 0, 0]}, pitch: 0.21, damping: 0.5}}\n"
          "constraints:\n  - {name: c0, kind: distance, a: r3, b: r2, length: 0.3, times: [0, 0.043, 0.11], "
          "values: [0, 0.039, -0.047]}\n",
          14) < 1);
}

// Chains that spin fast, open and closed to a loop by a ball or a distance: a step may not add to their
// energy what nothing puts in, whatever the Coriolis forces at its start are.
static void what_spins_gains_nothing(void) {
  plRandom r = {5};
  static const char* const joint[] = {"revolute", "universal", "continuous"};
  double worst = 0;
  for (int k = 0; k < 32; k++) {
    char text[2048];
    double L = spread(&r, 0.05, 0.5), m = spread(&r, 0.01, 10), dt = spread(&r, 1e-3, 0.01),
           I = 0.04 * m * L * L;
    int n =
        snprintf(text, sizeof text,
                 "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], %s}\nbodies:\n  - {name: b0, mass: %g, "
                 "inertia: [%g, %g, %g], joint: {kind: %s}}\n",
                 dt, scheme[k % 2], m, I, 1.1 * I, 0.7 * I, k % 3 ? "fixed" : "free");
    for (int i = 1; i < 4; i++) {
      int kind = (k / 2 + i) % 3;
      double y = kind == 1 ? 0 : pl_random(&r, -1, 1), x = kind == 1 ? 0 : pl_random(&r, -1, 1);
      n += snprintf(
          text + n, sizeof text - (size_t)n,
          "  - {name: b%d, mass: %g, inertia: [%g, %g, %g], joint: {kind: %s, parent: b%d, pose: {position: "
          "[%g, 0, %g]}, axis: [%g, %g, 1]%s}}\n",
          i, m * spread(&r, 0.3, 3), I, I, 0.2 * I, joint[kind], i - 1, L, (i % 2 ? 0.7 : -0.7) * L, x, y,
          kind == 1 ? ", axis2: [1, 0, 0]" : "");
    }
    if (k % 4 == 0)
      snprintf(text + n, sizeof text - (size_t)n,
               "constraints:\n  - {name: c, kind: distance, a: b0, b: b3, length: %.17g}\n",
               sqrt(9 + 0.49) * L);
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    plError error = {0};
    plRigidTotals e;
    for (int i = 0; i < model->nv; i++) data->v[i] = pl_random(&r, -0.25, 0.25) / dt * (k % 3 || i > 5);
    pl_data_refresh(data);
    // the first step sets right what a constraint does not allow
    CHECK_INT(pl_step(data, &error), PL_OK);
    pl_rigid_totals(data, &e);
    double start = e.kinetic_energy, most = 0;
    for (int i = 0; i < 150 && !error.message[0]; i++) {
      if (pl_step(data, &error)) printf("%s\n%s\n", error.message, text);
      CHECK(!error.message[0]);
      pl_rigid_totals(data, &e);
      most = fmax(most, e.kinetic_energy / start);
    }
    worst = fmax(worst, most);
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
  // at the start of a step alone: 1e8 times, and joints at 1e6 rad/s
  CHECK_BELOW(worst - 1, 0.03, 1);  // wide: fast joints move chaotically
}

// Straight chains whose ends a distance holds, at a dead centre of it or close to one, are set going. Links
// that turn open the distance; closing it hardly moves them and takes huge forces, which must not do work.
static void what_is_held_straight_gains_nothing(void) {
  plRandom r = {29};
  static const char* const joint[] = {"revolute", "universal", "continuous", "ball"};
  double worst = 0;
  int grown = 0;
  for (int k = 0; k < 48; k++) {
    char text[4096];
    double L = spread(&r, 0.02, 0.5), m = spread(&r, 0.01, 1), dt = spread(&r, 3e-4, 0.01),
           off = k % 3 ? spread(&r, 1e-3, 0.1) * L : 0, turn = spread(&r, 5e-4, 0.03);
    int links = 3 + pl_random_int(&r, 5), n;
    n = snprintf(text, sizeof text, "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0]}\nbodies:\n", dt);
    for (int i = 0; i < links; i++) {
      double mass = m * spread(&r, 0.1, 3), I = 0.05 * mass * L * L;
      char parent[16] = "";
      if (i) snprintf(parent, sizeof parent, "parent: b%d, ", i - 1);
      n += snprintf(
          text + n, sizeof text - (size_t)n,
          "  - {name: b%d, mass: %g, inertia: [%g, %g, %g], joint: {kind: %s, %spose: {position: [%.17g, 0, "
          "%.17g]}}}\n",
          i, mass, I, I, 0.7 * I, i ? joint[pl_random_int(&r, 4)] : "ball", parent, i ? 0 : off,
          i ? L : 3 * L);
    }
    double h = (links + 2) * L;
    snprintf(text + n, sizeof text - (size_t)n,
             "constraints:\n  - {name: c, kind: distance, a: b%d, b: world, length: %.17g}\n", links - 1,
             sqrt(off * off + h * h));
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    plError error = {0};
    plRigidTotals e;
    for (int i = 3; i < model->nv; i++) data->v[i] = pl_random(&r, -1, 1) * turn / dt;
    pl_data_refresh(data);
    pl_rigid_totals(data, &e);
    double start = e.kinetic_energy, most = 0;
    for (int i = 0; i < 150 && !error.message[0]; i++) {
      if (pl_step(data, &error)) printf("%s\n%s\n", error.message, text);
      CHECK(!error.message[0]);
      pl_rigid_totals(data, &e);
      most = fmax(most, e.kinetic_energy / start);
    }
    // a violation may be corrected at the push-out speed: 1 rad/s of the heaviest joint
    double M[32 * 32], bound = 0;
    pl_rigid_mass_matrix(data, M);
    for (int i = 0; i < model->nv; i++) bound = fmax(bound, 0.5 * M[(model->nv + 1) * i]);
    worst = fmax(worst, most * start / (start + bound));
    grown += most > 1.01;
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
  printf("straight: %.3f of the energy at the start and of the push-out, %d of 48 grow\n", worst, grown);
  CHECK(worst <= 1);  // 210 before
  CHECK(grown <= 3);
}

// Stiff bodies without damping spin and ring under midpoint, at steps far too long for that. A step that
// would gain is taken in parts.
static void what_rings_gains_little(void) {
  plRandom r = {13};
  double worst = 0;
  for (int k = 0; k < 10; k++) {
    char text[1024];
    double size = spread(&r, 0.02, 0.3), young = spread(&r, 1e7, 1e9), density = spread(&r, 50, 3000),
           dt = spread(&r, 1, 30) * size * sqrt(density / young), w = pl_random(&r, 0.05, 0.5) / dt;
    snprintf(text, sizeof text,
             "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], scheme: midpoint}\n"
             "deformables:\n  - {name: d, shape: box, size: [%g, %g, %g], cells: [2, 2, 1], "
             "angular_velocity: [%g, "
             "%g, %g], material: {kind: %s, young: %g, poisson: 0.3, density: %g, damping: {stiffness: 0}, "
             "element: "
             "tet10}}\n",
             dt, size, 0.8 * size, 0.3 * size, w, pl_random(&r, -w, w), 0.5 * w,
             k % 5 < 4 ? law[k % 5] : "linear_corotated", young, density);
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    plError error = {0};
    plBodyState s;
    CHECK_INT(pl_deformable_state(data, 0, &s), PL_OK);
    double start = s.kinetic_energy;
    for (int i = 0; i < 60 && !error.message[0]; i++) {
      plStatus status = pl_step(data, &error);
      if (status) printf("%s\n%s\n", error.message, text);
      CHECK_INT(status, PL_OK);
      CHECK_INT(pl_deformable_state(data, 0, &s), PL_OK);
      worst = fmax(worst, (s.kinetic_energy + s.elastic_energy) / start);
    }
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
  CHECK_BELOW(worst - 1, 0.02, 1);  // in whole steps it grows 1e8 times
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(momentum_of_nonlinear_bodies);
  RUN(momentum_of_linear_beside_nonlinear);
  RUN(momentum_of_exact_beside_nonlinear);
  RUN(exact_attachments_beside_nonlinear_bodies);
  RUN(exact_attachments_to_swinging_trees);
  RUN(what_attachments_give_is_reported);
  RUN(what_contacts_give_is_reported);
  RUN(what_is_linearised_once_gains_nothing);
  RUN(moved_mounts_give_what_they_got);
  RUN(a_distance_through_a_dead_centre);
  RUN(what_spins_gains_nothing);
  RUN(what_is_held_straight_gains_nothing);
  RUN(what_rings_gains_little);
  return CHECK_END;
}

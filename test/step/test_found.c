// test_found.c: scenes that the random search found (bench/torture), shrunk:
// one for each cause that was repaired.
#include "base/random.h"
#include "math/vec3.h"
#include "world.h"

// All steps of a scene end without a status.
// Returns how many parts of the steps were taken by backward Euler.
static int runs(const char* text, int steps) {
  const plModel* model = model_of(text);
  int damped = 0;
  plError error = {0};
  plData* data = pl_data_create(model, &error);
  plStatus status = PL_OK;
  for (int i = 0; i < steps && !status; i++) {
    status = pl_step(data, &error);
    damped += data->report.damped_parts;
    CHECK(data->report.damped_parts <= data->report.parts);
  }
  if (status) printf("step %ld: %s\n", data->report.step, error.message);
  CHECK_INT(status, PL_OK);
  pl_data_destroy(data);
  pl_model_destroy(model);
  return damped;
}

// A rigid body whose centre of mass is not its origin is struck: the contact
// changes its spin, and the spin turns the centre. For each scheme.
static void momentum_of_a_struck_body_is_kept(void) {
  static const char* const scheme[] = {"scheme: backward_euler", "scheme: midpoint",
                                       "theta: 0.8, theta_vq: 0.6", "theta: 1, theta_vq: 0.5"};
  for (int k = 0; k < 4; k++) {
    char text[1024];
    snprintf(text, sizeof text,
             "pliant: 1\n"
             "options: {dt: 0.005, gravity: [0, 0, 0], %s}\n"
             "bodies:\n"
             "  - {name: r, mass: 0.6, inertia: [2e-4, 1e-4, 3e-4], com: "
             "[0.01, -0.007, -0.006]}\n"
             "deformables:\n"
             "  - {name: d, shape: box, size: [0.02, 0.02, 0.02], cells: [1, "
             "1, 1], velocity: [0, 0, -4], "
             "pose: {position: "
             "[0.008, 0.006, 0.045]}, material: {young: 1e6}}\n"
             "shapes:\n"
             "  - {name: s, shape: box, size: [0.06, 0.05, 0.04], body: r}\n",
             scheme[k]);
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    plVec3 p0 = momentum(data, NULL);
    double off = 0, spin = 0;
    for (int i = 0; i < 30; i++) {
      CHECK_INT(pl_step(data, NULL), PL_OK);
      off = fmax(off, v3_norm(v3_sub(momentum(data, NULL), p0)));
      spin = fmax(spin, v3_norm(v3_load(data->v + 3)));
    }
    CHECK(spin > 1);  // it was struck
    // where M is that of the theta-state, free motion is iterated to its
    // tolerance
    CHECK_NEAR(off, 0, (k == 1 || k == 2 ? 4e-11 : 3.1e-13) * v3_norm(p0));
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
}

// A stiff undamped body hits at 36 m/s: at the start of the step its tangent
// has next to no stiffness in some direction, and the solution of the first
// linearisation is far out.
static void first_solution_far_out(void) {
  runs(
      "pliant: 1\n"
      "options: {dt: 0.00056}\n"
      "deformables:\n"
      "  - {name: d, shape: ellipsoid, semi_axes: [0.011, 0.0097, 0.01], "
      "edge: 0.011, velocity: [-2.2, -8.9, "
      "-35], pose: "
      "{position: [0.0021, 0.0036, 0.084]}, material: {kind: neo_hookean, "
      "young: 5.9e+08, poisson: 0.43, "
      "density: 834, "
      "damping: {stiffness: 0}}}\n"
      "shapes:\n"
      "  - {name: s, shape: box, size: [0.011, 0.0075, 0.0083]}\n",
      12);
}

// A thrown body whose end is attached exactly to the world hits a nonlinear one: the velocities at the start
// of the step are not those that the attachment lets it have.
static void a_thrown_body_that_is_attached(void) {
  runs(
      "pliant: 1\n"
      "options: {dt: 0.00028}\n"
      "deformables:\n"
      "  - {name: a, shape: box, size: [0.27, 0.15, 0.2], cells: [4, 2, 3], pose: {position: [0.029, 0.0074, "
      "0.7271]}, material: "
      "{kind: mooney_rivlin, c1: 6e+06, c2: 3e+06, bulk: 6.4e+07, density: 196.3, damping: {stiffness: "
      "0.014}}, surface: {friction: 0}}\n"
      "  - {name: b, shape: box, size: [0.21, 0.07, 0.07], cells: [3, 1, 1], pose: {position: [-0.024, "
      "-0.0137, 0.86205]}, velocity: "
      "[27.47, -12.24, 22.75], material: {young: 4.4e+08, poisson: 0.46, density: 168, mass: lumped, "
      "damping: {stiffness: "
      "2.5e-05}}}\n"
      "attachments:\n"
      "  - {name: c, deformable: b, region: {shape: half_space, normal: [1, 0, 0]}, exact: true}\n",
      20);
}

// A soft undamped body that a few springs hold is thrown at a third of its speed of sound: its exact tangent
// is indefinite, and rounds with the projected one leave more than half of the residual each. They are not
// given up while they gain.
static void rounds_that_gain_little_each(void) {
  for (int k = 0; k < CHECK_MEMBERS(6); k++) {
    char text[2048];
    snprintf(
        text, sizeof text,
        "pliant: 1\noptions: {dt: 0.005487}\n"
        "bodies:\n  - {name: r0, mass: 0.016243, inertia: [3.6047e-07, 3.6047e-07, 3.6047e-07], com: "
        "[-0.00101, -0.000435, 0.00202], pose: {position: [0.0019594474622146923, -0.00047765616268775982, "
        "0.022513670353533147], rpy: [-1.268, -0.8529, 0.944]}, angular_velocity: [-2088, -1325, -530.5]}\n"
        "deformables:\n"
        "  - {name: d0, shape: cylinder, radius: 0.010307, length: 0.020936, edge: 0.010468, pose: "
        "{position: "
        "[-0.0044977810185313641, -0.0024448297660217325, 0.058059139031274021], rpy: [2.666, 0.274, "
        "1.783]}, "
        "material: {kind: linear, young: 6.0412e+08, poisson: 0.12051, density: 1710.1, damping: {mass: 0, "
        "stiffness: 0}}, surface: {friction: 4.42}, fixed: [{region: {shape: half_space, normal: [0, 0, -1], "
        "centre: [0, 0, "
        "0.0052341]}}]}\n"
        "  - {name: d1, shape: capsule, radius: 0.0094042, length: 0.0080607, edge: 0.010748, pose: "
        "{position: [0.0053290134986788626, -0.001690758995242193, 0.089445692034576807]}, velocity: [-7.44, "
        "5.704, %g], material: {kind: saint_venant_kirchhoff, young: 1.261e+07, poisson: 0.48206, density: "
        "490.76, damping: {mass: 0, stiffness: 0}}, surface: {friction: 0.474, contact_stiffness: 9.55e+09}, "
        "self_contact: false, loads: [{region: {shape: all}, kind: force_density, vector: [1.859e+04, 3210, "
        "-1.682e+04], factor: [{time: 0, value: 0}, {time: 0.1646, value: 1}]}]}\n"
        "attachments:\n  - {name: a0, deformable: d1, region: {indices: [0, 1, 2, 3]}, to: d0, stiffness: "
        "150, relaxation_time: 0}\n"
        "constraints:\n  - {name: c0, kind: distance, a: r0, b: world, length: 0.02260382583888158}\n",
        -32.91 + 0.2 * k);
    runs(text, 2);
  }
}

// A stiff light box comes to rest on the ground: energies are far below what the rounding of moduli times
// volume might be, and fall all the same, while contacts that close lengthen the residual.
static void energy_falls_below_its_rounding(void) {
  runs(
      "pliant: 1\n"
      "options: {dt: 0.0029, gravity: [0, 0, -0.15]}\n"
      "deformables:\n"
      "  - {name: d, shape: box, size: [0.047, 0.029, 0.034], cells: [4, 2, 3], pose: {position: [-0.0031, "
      "-0.0022, 0.15], rpy: "
      "[1.1, -0.2, 1.7]}, velocity: [0.11, 0.008, -1], material: {kind: corotated, young: 6.6e+08, poisson: "
      "0.25, density: "
      "235, damping: {stiffness: 0.00012}}}\n"
      "shapes:\n"
      "  - {name: s, shape: half_space}\n",
      150);
}

// Constraints on what joints hold already, or nearly: a second pin in a hinge, a rod along a straight row of
// links. Their own mobility is rounding, or the square of a small angle. Energy must not grow.
static void constraints_that_joints_fulfil(void) {
  static const char* const constraint[] = {
      "{name: c, kind: ball, a: r1, b: r0, pose_b: {position: [0, 0, 0.69]}}",
      "{name: c, kind: ball, a: r0, b: world, pose_b: {position: [0.1, 0.2, 0.3]}}",
      "{name: c, kind: distance, a: r2, b: r0, length: 1.38}"};
  for (int k = 0; k < 3; k++) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "pliant: 1\n"
        "options: {dt: 0.00075}\n"
        "bodies:\n"
        "  - {name: r0, mass: 0.65, inertia: [0.011, 0.015, 0.017], joint: {kind: revolute, axis: [0.3, 1, "
        "0.2], pose: {position: "
        "[0.1, 0.2, 0.3]}, velocity: 0.5}}\n"
        "  - {name: r1, mass: 0.28, inertia: [0.0026, 0.0066, 0.0062], joint: {kind: revolute, parent: r0, "
        "axis: [0.2, 0.1, 1], pose: "
        "{position: [0, 0, 0.69]}, velocity: 0.3}}\n"
        "  - {name: r2, mass: 1, inertia: [0.037, 0.037, 0.037], joint: {kind: revolute, parent: r1, "
        "pose: {position: [0, 0, "
        "0.69]}}}\n"
        "  - {name: r3, mass: 0.15, inertia: [0.0028, 0.0028, 0.00073], joint: {kind: revolute, parent: "
        "r2, axis: [0, 1, 0], "
        "pose: {position: [0, 0, 0.69]}, velocity: -0.68}}\n"
        "constraints:\n  - %s\n",
        constraint[k]);
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    plRigidTotals e;
    pl_rigid_totals(data, &e);
    double start = e.kinetic_energy + e.gravity_energy, most = -INFINITY;
    for (int i = 0; i < 400; i++) {
      CHECK_INT(pl_step(data, NULL), PL_OK);
      pl_rigid_totals(data, &e);
      most = fmax(most, e.kinetic_energy + e.gravity_energy - start);
    }
    CHECK_NEAR(fmax(most, 0), 0,
               0.01 * (e.kinetic_energy + 0.1));  // wide: the law allows 1 %; these lose energy
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
}

// Ties between bodies that locked joints make one, and pins on a hinge's own axis: the body turns as it does
// without them. The hinge's axis goes through the first body's origin or not, and the ties are balls,
// distances and welds.
static void ties_that_brake_nothing(void) {
  static const char* const kind[] = {"distance", "ball", "weld"};
  plRandom r = {71};
  double worst = 0;
  for (int k = 0; k < 36; k++) {
    char text[2048], at[128];
    double L = pl_random(&r, 0.02, 0.5), m = pl_random(&r, 0.05, 2), I = 0.05 * m * L * L,
           w = pl_random(&r, -3, 3);
    snprintf(at, sizeof at, "{position: [%.17g, 0, %.17g]}", L, k % 2 ? 0 : 0.3 * L);
    double length = L * sqrt(1 + (k % 2 ? 0 : 0.09));
    double y = pl_random(&r, -1, 1), x = pl_random(&r, -1, 1), dt = pl_random(&r, 3e-4, 5e-3);
    int n = snprintf(
        text, sizeof text,
        "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], contact_law: cone}\nbodies:\n"
        "  - {name: a, mass: %g, inertia: [%g, %g, %g], joint: {kind: continuous, axis: [%g, %g, 1], pose: "
        "{position: [0.1, 0.2, 0.3]}, velocity: %g}}\n"
        "  - {name: b, mass: %g, inertia: [%g, %g, %g], joint: {kind: revolute, parent: a, pose: %s, locked: "
        "true}}\nconstraints:\n",
        dt, m, I, 1.1 * I, 0.7 * I, x, y, w, 0.3 * m, I, I, 0.2 * I, at);
    if (k % 3 == 0)
      n += snprintf(text + n, sizeof text - (size_t)n,
                    "  - {name: c, kind: distance, a: b, b: a, length: %.17g}\n", length);
    else
      n += snprintf(text + n, sizeof text - (size_t)n, "  - {name: c, kind: %s, a: b, b: a, pose_b: %s}\n",
                    kind[k % 3], at);
    if (k % 4 == 0)
      snprintf(text + n, sizeof text - (size_t)n,
               "  - {name: p, kind: ball, a: a, b: world, pose_b: {position: [0.1, 0.2, 0.3]}}\n");
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    double start = data->v[0];
    for (int i = 0; i < 60; i++) CHECK_INT(pl_step(data, NULL), PL_OK);
    worst = fmax(worst, fabs(data->v[0] / start - 1));
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
  CHECK_ROUND(worst, 0, 1);  // the rounding of a tie's rows stopped the hinge in one step
}

// Chains whose joints turn by up to 1.2 rad in a step: the rounds that look for their Coriolis forces
// diverge, and the step is taken nevertheless.
static void what_turns_far_too_far(void) {
  plRandom r = {83};
  static const char* const joint[] = {"revolute", "universal", "planar"};
  for (int k = 0; k < 24; k++) {
    char text[2048];
    double L = pl_random(&r, 0.02, 0.3), m = pl_random(&r, 0.05, 2), I = 0.05 * m * L * L,
           dt = pl_random(&r, 3e-4, 5e-3);
    int n = snprintf(text, sizeof text,
                     "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0]}\nbodies:\n"
                     "  - {name: b0, mass: %g, inertia: [%g, %g, %g], joint: {kind: %s}}\n",
                     dt, m, I, 1.1 * I, 0.7 * I, k % 2 ? "fixed" : "free");
    for (int i = 1; i < 4; i++)
      n += snprintf(text + n, sizeof text - (size_t)n,
                    "  - {name: b%d, mass: %g, inertia: [%g, %g, %g], joint: {kind: %s, parent: b%d, pose: "
                    "{position: [%g, 0, %g]}}}\n",
                    i, m * pl_random(&r, 0.2, 3), I, I, 0.2 * I, joint[(k + i) % 3], i - 1, L, 0.5 * L);
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    plError error = {0};
    double most = pl_random(&r, 0.3, 1.2);
    for (int i = 0; i < model->nv; i++) data->v[i] = pl_random(&r, -most, most) / dt * (k % 2 || i > 5);
    pl_data_refresh(data);
    for (int i = 0; i < 4; i++) {
      plStatus status = pl_step(data, &error);
      if (status) printf("scene %d, step %d: %s\n", k, i, error.message);
      CHECK_INT(status, PL_OK);
    }
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
}

// Stiff bodies without damping hit the ground with schemes that do not damp, at steps far too long for them.
// The parts that these cannot take are taken by backward Euler: no step ends with a status.
static void what_rings_is_damped_at_last(void) {
  static const char* const law[] = {"fixed_corotated", "saint_venant_kirchhoff", "corotated", "neo_hookean",
                                    "linear_corotated"};
  plRandom r = {89};
  int damped = 0;
  for (int k = 0; k < CHECK_MEMBERS(15); k++) {
    char text[1024];
    double size = pl_random(&r, 0.02, 0.1), young = pow(10, pl_random(&r, 7, 9)),
           density = pl_random(&r, 100, 3000), dt = pl_random(&r, 10, 60) * size * sqrt(density / young),
           speed = fmin(0.1 * sqrt(young / density), 0.3 * size / dt), w = pl_random(&r, 0.1, 1) / dt,
           poisson = pl_random(&r, 0.1, 0.48), across = pl_random(&r, -w, w);
    snprintf(
        text, sizeof text,
        "pliant: 1\noptions: {dt: %g, %s}\ndeformables:\n  - {name: d, shape: box, size: [%g, %g, %g], "
        "cells: [2, 2, 1], velocity: [%g, 0, %g], angular_velocity: [%g, %g, 0], pose: {position: [0, 0, "
        "%g]}, material: {kind: %s, young: %g, poisson: %g, density: %g, damping: {stiffness: 0}}}\n"
        "shapes:\n  - {name: s, shape: half_space}\n",
        dt, k % 3 ? "scheme: midpoint" : "theta: 0.6, theta_vq: 0.55", size, 0.7 * size, 0.4 * size,
        0.3 * speed, -speed, w, across, 0.8 * size, law[k % 5], young, poisson, density);
    damped += runs(text, 40);
  }
  CHECK(damped > 0);
}

// A light free base whose load slides on it: the balance of its spin must not count the load's inertia.
static void a_base_with_a_sliding_load(void) {
  runs(
      "pliant: 1\n"
      "options: {dt: 0.0035}\n"
      "bodies:\n"
      "  - {name: r1, mass: 0.117, inertia: [0.00038, 0.00038, 0.00038]}\n"
      "  - {name: r2, mass: 0.0872, inertia: [0.000153, 0.00024, 0.0002], joint: {kind: prismatic, parent: "
      "r1, pose: {position: "
      "[0.2255466113, 0, 0]}, actuator: {kind: position, kp: 99}}}\n"
      "  - {name: r3, mass: 0.031318, inertia: [5.9e-05, 8.2e-05, 0.00011], com: [-0.016, -0.013, -0.00118], "
      "gravity: -0.67, joint: "
      "{kind: universal, parent: r2, pose: {position: [0.23, 0, 0]}, axis: [1, 0, 0], axis2: [0, 0, 1], "
      "damping: 0.0089, friction: "
      "0.0028}}\n"
      "  - {name: r4, mass: 0.409, inertia: [0.0015, 0.0015, 0.00147], joint: {kind: planar, parent: r3, "
      "pose: {position: [0.23, 0, 0]}, "
      "axis: [1, 0, 0], axis2: [0, 1, 0], damping: 0.000731}}\n",
      300);
}

// Kinetic, elastic and gravity energy of all bodies.
static double total_energy(const plData* data) {
  plRigidTotals rigid;
  pl_rigid_totals(data, &rigid);
  double sum = rigid.kinetic_energy + rigid.gravity_energy + rigid.elastic_energy;
  for (int b = 0; b < data->model->ndeform; b++) {
    plBodyState s;
    CHECK_INT(pl_deformable_state(data, b, &s), PL_OK);
    sum += s.kinetic_energy + s.gravity_energy + s.elastic_energy;
  }
  return sum;
}

// Undamped bodies strike the ground and ring: with positions that move by the mean of two velocities a point
// that holds the new velocity alone pushes vertices along that part already. What they gain is what
// energy_gain reports, and the motion at push_out_speed; and in this family it is never above the start (it
// doubles if points do not let their sides approach again by what v0 opens).
static void ringing_bodies_gain_nothing_by_contact(void) {
  static const char* const scheme[] = {"scheme: midpoint", "theta: 0.6, theta_vq: 0.6",
                                       "theta: 0.53, theta_vq: 0.53"};
  plRandom r = {9};
  double above = 0;
  for (int k = 0; k < CHECK_MEMBERS(60); k++) {
    char text[1024];
    double young = 1e6 * pow(10, pl_random(&r, 0, 2.5)), density = pl_random(&r, 500, 5000),
           speed = pl_random(&r, 0.05, 0.25) * sqrt(young / density), roll = pl_random(&r, -3, 3),
           dt = pl_random(&r, 0.002, 0.02);
    snprintf(
        text, sizeof text,
        "pliant: 1\n"
        "options: {dt: %.3g, contact_law: %s, %s}\n"
        "deformables:\n"
        "  - {name: d, shape: ellipsoid, semi_axes: [0.2, 0.19, 0.18], edge: 0.2, pose: {position: [0, 0, "
        "0.25], rpy: [%.3g, 0.3, 0]}, velocity: [1, 2, %.4g], material: {kind: %s, young: %.3g, poisson: "
        "0.3, density: %.3g, damping: {stiffness: 0}}}\n"
        "shapes:\n"
        "  - {name: s, shape: half_space}\n",
        dt,
        k % 4 == 0   ? "coulomb"
        : k % 4 == 1 ? "similar"
                     : "cone",
        scheme[k % 3], roll, -speed, k % 2 ? "linear_corotated" : "linear", young, density);
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    double start = total_energy(data), most = start, gain = 0, worst = -INFINITY;
    for (int i = 0; i < 80; i++) {
      CHECK_INT(pl_step(data, NULL), PL_OK);
      double now = total_energy(data);
      gain += fmax(0, data->report.energy_gain), most = fmax(most, now),
                                                 worst = fmax(worst, now - start - gain);
    }
    double v = data->par->options.push_out_speed;
    if (worst > 0.02 * most) printf("member %d: %.3g J of %.3g J\n%s", k, worst, most, text);
    CHECK(worst <= 0.02 * most + 0.5 * pl_deformable_mass(data, 0) * v * v);
    if (k % 2 == 0) above = fmax(above, most / start - 1);  // the law `linear` gains nothing
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
  printf("  ringing: energy at most %.2g above the start\n", above);
  CHECK_BELOW(above, 2.9e-14, 1);
}

// Nonlinear bodies whose lower vertices are fixed are thrown hard at the ground: where one linearisation
// about the free motion leads to no solution, the converged coupling takes the part, and no step ends with a
// status.
static void one_linearisation_is_not_enough(void) {
  static const char* const law[] = {"neo_hookean", "corotated", "mooney_rivlin"};
  plRandom r = {3};
  int coupled = 0;
  for (int k = 0; k < CHECK_MEMBERS(40); k++) {
    char text[1024], elastic[128];
    double young = 1e4 * pow(10, pl_random(&r, 0, 3)), density = pl_random(&r, 100, 3000),
           size = pl_random(&r, 0.02, 0.2), v = pl_random(&r, 0.05, 0.3) * sqrt(young / density),
           poisson = pl_random(&r, 0.3, 0.499);
    if (k % 3 == 2)
      snprintf(elastic, sizeof elastic, "c1: %.3g, c2: %.3g, bulk: %.3g", young / 8, young / 24,
               young / (3 - 6 * poisson));
    else
      snprintf(elastic, sizeof elastic, "young: %.3g, poisson: %.3g", young, poisson);
    snprintf(text, sizeof text,
             "pliant: 1\n"
             "options: {dt: %.3g, coupling: once, contact_law: %s}\n"
             "deformables:\n"
             "  - {name: d, shape: box, size: [%.4g, %.4g, %.4g], cells: [3, 1, 1], pose: {position: [0, 0, "
             "%.4g]}, velocity: [%.3g, 0, %.4g], material: {kind: %s, %s, density: %.3g, element: %s, "
             "damping: {stiffness: 0}}, fixed: [{region: {shape: half_space, normal: [0, 0, -1], centre: "
             "[0, 0, %.4g]}}]}\n"
             "shapes:\n"
             "  - {name: s, shape: half_space}\n",
             size / v * pl_random(&r, 0.5, 8), k % 2 ? "cone" : "coulomb", 4 * size, size, size, 0.8 * size,
             0.1 * v, -v, law[k % 3], elastic, density, k % 4 < 2 ? "tet10" : "tet4", 0.4 * size);
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    plError error = {0};
    plStatus status = PL_OK;
    for (int i = 0; i < 10 && !status; i++) {
      status = pl_step(data, &error);
      coupled += data->report.coupled_parts;
      CHECK(data->report.coupled_parts <= data->report.parts);
    }
    if (status) printf("member %d: %s\n%s", k, error.message, text);
    CHECK_INT(status, PL_OK);
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
  CHECK(coupled > 0);
}

// A stiff, light and nearly incompressible body that turns by 1 to 4 rad in a step, and another above it,
// fall on the ground: far from the solution the solver cannot satisfy its model as accurately as near it, or
// at all. Neither limits what later rounds can do. (Of 60 members 20 ended with a status; now 1.)
static void rounds_that_begin_far_out(void) {
  plRandom r = {3};
  const int members = CHECK_MEMBERS(7);
  for (int k = 0; k < members; k++) {
    char text[1400];
    double w[3], young = pow(10, pl_random(&r, 7, 8.5)), size = pl_random(&r, 0.006, 0.02),
                 v = pl_random(&r, 8, 25);
    for (int i = 0; i < 3; i++) w[i] = pl_random(&r, -250, 250);
    double density = pl_random(&r, 30, 200), poisson = pl_random(&r, 0.45, 0.4975);
    double pitch = pl_random(&r, -0.3, 0.3), roll = pl_random(&r, -3, 3);
    snprintf(
        text, sizeof text,
        "pliant: 1\n"
        "options: {dt: 0.01, contact_law: similar}\n"
        "deformables:\n"
        "  - {name: d0, shape: cylinder, radius: %.4g, length: %.4g, edge: %.4g, pose: {position: [0, 0, "
        "%.4g], rpy: [%.3g, %.3g, 0]}, velocity: [0, -1, %.4g], angular_velocity: [%.4g, %.4g, %.4g], "
        "material: {kind: neo_hookean, young: %.4g, poisson: %.5g, density: %.3g, damping: {mass: 0, "
        "stiffness: 0}, volumetric: patch}}\n"
        "  - {name: d1, shape: box, size: [%.4g, %.4g, %.4g], cells: [3, 2, 2], pose: {position: [0, "
        "%.3g, %.4g]}, velocity: [1, 0, %.4g], material: {kind: mooney_rivlin, c1: %.3g, c2: %.3g, "
        "bulk: %.3g, density: 30, damping: {mass: 0, stiffness: 0.008}}, surface: {friction: 0}}\n"
        "shapes:\n"
        "  - {name: s, shape: half_space}\n",
        0.5 * size, 1.1 * size, 0.6 * size, 0.9 * size, roll, pitch, -v, w[0], w[1], w[2], young, poisson,
        density, 1.5 * size, 0.7 * size, 0.8 * size, 0.2 * size, 2.2 * size, -v, young / 70, young / 200,
        young / 25);
    (void)runs(text, 1);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(momentum_of_a_struck_body_is_kept);
  RUN(first_solution_far_out);
  RUN(a_thrown_body_that_is_attached);
  RUN(rounds_that_gain_little_each);
  RUN(energy_falls_below_its_rounding);
  RUN(constraints_that_joints_fulfil);
  RUN(ties_that_brake_nothing);
  RUN(what_turns_far_too_far);
  RUN(rounds_that_begin_far_out);
  RUN(what_rings_is_damped_at_last);
  RUN(a_base_with_a_sliding_load);
  RUN(ringing_bodies_gain_nothing_by_contact);
  RUN(one_linearisation_is_not_enough);
  return CHECK_END;
}

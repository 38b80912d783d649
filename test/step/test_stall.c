// test_stall.c: pairs that ask for what no motion can give: they contradict each other, or a distance is
// driven beyond the reach of its links. They stay open, steps are taken, and nothing moves much faster than
// the drive.
#include "base/random.h"
#include "world.h"

static double spread(plRandom* r, double a, double b) { return a * exp(pl_random(r, 0, 1) * log(b / a)); }

static const char* const scheme[] = {"scheme: backward_euler", "scheme: midpoint",
                                     "theta: 0.84, theta_vq: 0.85", "scheme: symplectic_euler"};

// The largest kinetic energy in so many steps, in units of that at the given speed.
// *open: how much of the last constraint's drive is not met at the end.
static double fastest(const char* text, int steps, double speed, double* open) {
  const plModel* model = model_of(text);
  plData* data = model ? pl_data_create(model, NULL) : NULL;
  double most = 0, mass = 0;
  CHECK(data != NULL);
  for (int b = 0; data && b < model->nbody; b++) mass += model->par->body_mass[b];
  for (int i = 0; data && i < steps; i++) {
    plError error;
    plStatus status = pl_step(data, &error);
    CHECK_INT(status, PL_OK);
    if (status) {
      printf("%s\n%s", error.message, text);
      break;
    }
    plRigidTotals e;
    pl_rigid_totals(data, &e);
    most = fmax(most, e.kinetic_energy / (0.5 * mass * speed * speed));
  }
  plPose pose[16];
  const plConstraintDef* d = &model->constraint[model->nconstraint - 1];
  pl_rigid_poses(data, pose);
  *open = 1 - (v3_norm(v3_sub(pose[d->b].p, pose[d->a].p)) - d->length) / d->value[1];
  pl_data_destroy(data), pl_model_destroy(model);
  return most;
}

// Two bodies, a ball between them, and a distance between the same points that changes.
static void what_contradicts_stays_open(void) {
  plRandom r = {41};
  double worst = 0, open;
  for (int k = 0; k < CHECK_MEMBERS(60); k++) {
    double L = spread(&r, 0.01, 1), dt = spread(&r, 1e-4, 0.01), m = spread(&r, 1e-3, 300),
           n = m * spread(&r, 0.01, 100), I = m * spread(&r, 0.005, 0.1) * L * L,
           J = n * spread(&r, 0.005, 0.1) * L * L, rate = spread(&r, 0.001, 0.01) * L / dt,
           by = (k % 2 ? 1 : -1) * 20 * dt * rate, aside = pl_random(&r, -0.05, 0.05) * L;
    char text[1024];
    snprintf(
        text, sizeof text,
        "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], %s}\nbodies:\n"
        "  - {name: a, mass: %g, inertia: [%g, %g, %g]}\n"
        "  - {name: b, mass: %g, inertia: [%g, %g, %g], com: [%g, %g, 0], pose: {position: [%.17g, 0, 0]},"
        " angular_velocity: [0, 0, %g]}\n"
        "constraints:\n  - {name: c, kind: ball, a: a, b: b, pose_b: {position: [%.17g, 0, 0]}}\n"
        "  - {name: d, kind: distance, a: a, b: b, length: %.17g, times: [0, %g], values: [0, %g]}\n",
        dt, scheme[k % 4], m, I, I, I, n, J, 1.1 * J, 0.6 * J, 0.1 * aside, aside, L, rate / L, -L, L,
        20 * dt, by);
    worst = fmax(worst, fastest(text, 100, rate + 0.1, &open));
  }
  CHECK_BELOW(worst, 2.4, 1);
}

// Links in a row, and a distance along them that becomes longer than they reach, or shorter, which hinges
// that are bent a little make possible.
static void what_is_out_of_reach_is_not_reached(void) {
  static const char* const joint[] = {"revolute", "ball", "universal", "continuous"};
  plRandom r = {43};
  double worst = 0, open, most_open = 0;
  for (int k = 0; k < CHECK_MEMBERS(60); k++) {
    char text[4096];
    bool bent = false;
    int links = 3 + pl_random_int(&r, 6);
    double L = spread(&r, 0.02, 0.5), m = spread(&r, 0.001, 100), dt = spread(&r, 2e-4, 0.01),
           rate = spread(&r, 0.001, 0.01) * links * L / dt, by = (k % 3 ? 1 : -1) * 20 * dt * rate;
    int n = snprintf(text, sizeof text, "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], %s}\nbodies:\n", dt,
                     scheme[k % 4]);
    for (int i = 0; i < links; i++) {
      double M = m * spread(&r, 0.1, 10), I = 0.05 * M * L * L;
      const char* kind = i || k % 2 ? joint[pl_random_int(&r, 4)] : "free";
      bool hinge = kind[0] == 'r' || kind[0] == 'c';
      bent |= hinge && i > 0 && i < links - 1;
      double x = pl_random(&r, -1, 1), y = pl_random(&r, -1, 1), bend = pl_random(&r, -0.02, 0.02);
      n += snprintf(text + n, sizeof text - (size_t)n,
                    "  - {name: b%d, mass: %g, inertia: [%g, %g, %g], joint: {kind: %s", i, M, I, 1.1 * I,
                    0.5 * I, kind);
      if (i)
        n += snprintf(text + n, sizeof text - (size_t)n, ", parent: b%d, pose: {position: [%g, 0, 0]}", i - 1,
                      L);
      if (hinge)
        n += snprintf(text + n, sizeof text - (size_t)n, ", axis: [%g, %g, 1], position: %g", x, y, bend);
      n += snprintf(text + n, sizeof text - (size_t)n, "}}\n");
    }
    snprintf(
        text + n, sizeof text - (size_t)n,
        "constraints:\n  - {name: d, kind: distance, a: b0, b: b%d, length: %.17g, times: [0, %g], values: "
        "[0, %g]}\n",
        links - 1, (links - 1) * L, 20 * dt, by);
    worst = fmax(worst, fastest(text, 100, rate + 0.1, &open));
    if (by < 0 && bent) most_open = fmax(most_open, open);
  }
  CHECK_BELOW(worst, 8, 1);
  CHECK_BELOW(most_open, 0.96, 1);
}

// Planar joints, of which one can only move across a line that shall become shorter: a dead centre in every
// step. A body is welded to the other one, capsules touch the ground. The rounds of a step diverge, to
// numbers for which the problem of contacts cannot be solved (step/shake.c): steps are taken all the same.
static void diverging_rounds_are_left(void) {
  plRandom r = {47};
  int done = 0;
  for (int k = 0; k < CHECK_MEMBERS(60); k++) {
    double dt = spread(&r, 7e-4, 3e-3), theta = pl_random(&r, 0.5, 1), theta_vq = pl_random(&r, 0.5, 0.99),
           I = spread(&r, 1e-8, 4e-8), J = spread(&r, 6e-9, 2.4e-8), K = spread(&r, 8e-9, 3.2e-8),
           stiffness = spread(&r, 1e-5, 1e-3), by = -spread(&r, 5e-4, 4e-3), x = pl_random(&r, -3, 3),
           y = pl_random(&r, -3, 3), z = pl_random(&r, -10, 0);
    char text[2048];
    snprintf(
        text, sizeof text,
        "pliant: 1\noptions: {dt: %g, theta: %g, theta_vq: %g, contact_law: similar, gravity: [%g, %g, %g]}\n"
        "bodies:\n"
        "  - {name: a, mass: 0.001, inertia: [%g, %g, %g], joint: {kind: planar, pose: {position: [0, 0, "
        "0.011]}, "
        "axis: [0, 1, 0], axis2: [0, 0, 1], damping: 2e-6, stiffness: %g}}\n"
        "  - {name: b, mass: 0.001, inertia: [%g, %g, %g], joint: {kind: planar, parent: a, pose: {position: "
        "[0.019, 0, 0]}, axis2: [0, 1, 0], damping: 2e-6}}\n"
        "  - {name: w, mass: 0.001, inertia: [%g, %g, %g], pose: {position: [0.00024, 0.00022, 0.0311]}}\n"
        "shapes:\n  - {name: floor, shape: half_space}\n"
        "  - {name: s, shape: capsule, radius: 0.002, length: 0.011, body: a}\n"
        "  - {name: t, shape: capsule, radius: 0.0024, length: 0.01, body: b}\n"
        "constraints:\n  - {name: c, kind: weld, a: a, b: w}\n"
        "  - {name: d, kind: distance, a: a, b: b, length: 0.019, times: [0, %g, %g], values: [0, %g, "
        "0.0014]}\n",
        dt, theta, theta_vq, x, y, z, I, I, 0.14 * I, stiffness, J, J, 0.19 * J, K, K, 0.36 * K, 64 * dt,
        170 * dt, by);
    const plModel* model = model_of(text);
    plData* data = model ? pl_data_create(model, NULL) : NULL;
    CHECK(data != NULL);
    for (int i = 0; data && i < 100 && !data->report.status; i++) {
      plError error;
      if (pl_step(data, &error)) printf("%s\n%s", error.message, text);
      done += !data->report.status;
    }
    pl_data_destroy(data), pl_model_destroy(model);
  }
  CHECK_INT(done, 100 * CHECK_MEMBERS(60));
}

// A box whose middle a joint holds above a surface that moves. That turns the box until a corner is pressed
// between the surface and the joint, as in a freewheel. chain: the joint belongs to a link. Laws: the convex
// ones; under `coulomb` a step may end with a status there.
static void write_freewheel(plRandom* r, int k, bool chain, double speed, char* to, size_t size) {
  static const char* const joint[] = {"ball", "revolute, axis: [0, 1, 0]"};
  double L = spread(r, 0.005, 0.5), dt = spread(r, 2e-4, 0.01), m = spread(r, 1e-3, 100),
         x = pl_random(r, -1, 1), y = pl_random(r, -1, 1), a = L * pl_random(r, 0.3, 1),
         b = L * pl_random(r, 0.3, 1), c = L * pl_random(r, 0.3, 1), friction = spread(r, 0.3, 10),
         aside = pl_random(r, -1, 1) * speed;
  double h = 0.5 * (a * fabs(sin(y)) + b * fabs(cos(y) * sin(x)) + c * cos(y) * cos(x));
  int n =
      snprintf(to, size, "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0], %s, contact_law: %s}\nbodies:\n",
               dt, scheme[k % 4], k / 4 % 2 ? "similar" : "cone");
  if (chain)
    n += snprintf(
        to + n, size - (size_t)n,
        "  - {name: link, mass: %g, inertia: [%g, %g, %g], joint: {kind: ball, pose: {position: [%g, 0, "
        "%.17g]}}}\n",
        m, m * a * a, m * a * a, m * a * a, -2 * L, h);
  n += snprintf(
      to + n, size - (size_t)n,
      "  - {name: box, mass: %g, inertia: [%g, %g, %g], joint: {kind: %s%s, pose: {position: [%g, 0, "
      "%.17g], rpy: [%.17g, %.17g, 0]}}}\n",
      m, m * (b * b + c * c) / 12, m * (a * a + c * c) / 12, m * (a * a + b * b) / 12, joint[k / 8 % 2],
      chain ? ", parent: link" : "", chain ? 2 * L : 0, chain ? 0 : h, x, y);
  snprintf(
      to + n, size - (size_t)n,
      "shapes:\n  - {name: s, shape: box, size: [%.17g, %.17g, %.17g], body: box, surface: {friction: %g}}\n"
      "  - {name: floor, shape: half_space, surface: {friction: %g, surface_velocity: [%g, %g, 0]}}\n",
      a, b, c, friction, friction, speed, aside);
}

static void a_surface_that_locks_gives_no_more_than_its_speed(void) {
  plRandom r = {71};
  double worst = 0;
  for (int k = 0; k < CHECK_MEMBERS(192); k++) {
    char text[2048];
    double speed = spread(&r, 0.03, 3), fastest = 0, mass = 0;
    write_freewheel(&r, k, k / 16 % 2, speed, text, sizeof text);
    const plModel* model = model_of(text);
    plData* data = pl_data_create(model, NULL);
    CHECK(data != NULL);
    for (int b = 0; b < model->nbody; b++) mass += model->par->body_mass[b];
    for (int i = 0; data && i < 150 && !data->report.status; i++) {
      plError error;
      plRigidTotals e;
      CHECK_INT(pl_step(data, &error), PL_OK);
      if (data->report.status) printf("%s\n%s", error.message, text);
      pl_rigid_totals(data, &e);
      fastest = fmax(fastest, e.kinetic_energy / (mass * speed * speed));
    }
    worst = fmax(worst, fastest);
    pl_data_destroy(data), pl_model_destroy(model);
  }
  CHECK_BELOW(worst, 8, 1);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(what_contradicts_stays_open);
  RUN(what_is_out_of_reach_is_not_reached);
  RUN(diverging_rounds_are_left);
  RUN(a_surface_that_locks_gives_no_more_than_its_speed);
  return CHECK_END;
}

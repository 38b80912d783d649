// test_squeezed.c: stiff soft bodies that hit a ball which spins, and weak ones below a stone. The first
// model of the step is far from the truth there, and the velocities that the coupled rounds find are not
// those that it said.
#include "base/random.h"
#include "math/vec3.h"
#include "world.h"

static double spread(plRandom* r, double a, double b) { return a * exp(pl_random(r, 0, 1) * log(b / a)); }

typedef enum Held { NOTHING, FAR_BODY, BALL } Held;

// A ball whose centre of mass is not its centre, on the floor, and a stiff box that falls on it. A distance
// holds the ball, or a weld another body far away.
static const plModel* squeezed(plRandom* r, Held held) {
  static const char* const laws[] = {"neo_hookean", "corotated", "saint_venant_kirchhoff"};
  char text[4096], pair[256] = "";
  double dt = spread(r, 0.005, 0.03), R = spread(r, 0.02, 0.06), m = spread(r, 0.1, 2), I = 0.4 * m * R * R,
         spin = pl_random(r, 0, 2) / dt, x[12];
  for (int i = 0; i < 12; i++) x[i] = pl_random(r, -1, 1);
  double young = spread(r, 1e7, 1e9), density = spread(r, 100, 2000), g = spread(r, 5, 60),
         poisson = pl_random(r, 0.2, 0.49);
  const char* law = laws[pl_random_int(r, 3)];
  bool floor = held != BALL || pl_random_int(r, 2);
  if (held == FAR_BODY)
    snprintf(pair, sizeof pair,
             "constraints:\n  - {name: c, kind: weld, a: far, pose_b: {position: [9, 0, 9]}}\n");
  if (held == BALL)
    snprintf(
        pair, sizeof pair,
        "constraints:\n  - {name: c, kind: distance, a: ball, pose_b: {position: [%g, 0, %g]}, length: %g}\n",
        3 * R, R + 1e-3, 3 * R);
  snprintf(
      text, sizeof text,
      "pliant: 1\noptions: {dt: %g, gravity: [0, 0, %g]}\nbodies:\n"
      "  - {name: ball, mass: %g, inertia: [%g, %g, %g], com: [%g, %g, %g], pose: {position: [0, 0, %g]}, "
      "angular_velocity: [%g, %g, %g]}\n"
      "%s"
      "deformables:\n  - {name: box, shape: box, size: [%g, %g, %g], cells: [2, 1, 2], pose: {position: [%g, "
      "%g, %g]}, velocity: [0, 0, %g], angular_velocity: [%g, %g, 0],"
      " material: {kind: %s, young: %g, poisson: %g, density: %g, damping: {mass: 0, stiffness: 0}}, "
      "surface: {friction: 0.8}}\n"
      "shapes:\n  - {name: sphere, shape: sphere, radius: %g, body: ball, surface: {friction: %g}}\n%s%s",
      dt, -g, m, I, I, I, 0.3 * R * x[0], 0.3 * R * x[1], 0.3 * R * x[2], R + 1e-3, spin * x[3], spin * x[4],
      spin * x[5],
      held == FAR_BODY
          ? "  - {name: far, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [9, 0, 9]}}\n"
          : "",
      3 * R, 1.5 * R, 2 * R, 0.5 * R * x[6], 0.3 * R * x[7], 3.6 * R, -1 + x[8], 20 * x[9], 20 * x[10], law,
      young, poisson, density, R, 0.5 + 0.5 * x[11],
      floor ? "  - {name: floor, shape: half_space, surface: {friction: 0.5}}\n" : "", pair);
  return model_of(text);
}

// A body far away that is held does not change the motion of what it does not touch, up to the tolerance.
// Rounds of the coupled balance end for both together: a step that hardly converges may be taken in other
// parts.
static void what_is_held_elsewhere_changes_nothing(void) {
  int steps = 0, other = 0;
  for (int k = 0; k < 40; k++) {
    plRandom r = {1000 + (unsigned)k}, same = r;
    const plModel *alone = squeezed(&r, NOTHING), *model = squeezed(&same, FAR_BODY);
    plData *a = pl_data_create(alone, NULL), *b = pl_data_create(model, NULL);
    size_t n = 3 * (size_t)model->nvert * sizeof(double);
    for (int i = 0; i < 12; i++, steps++) {
      CHECK_INT(pl_step(a, NULL), PL_OK);
      CHECK_INT(pl_step(b, NULL), PL_OK);
      plRigidState x, y;
      pl_rigid_body_state(a, 0, &x), pl_rigid_body_state(b, 0, &y);
      other += v3_norm(v3_sub(x.com_velocity, y.com_velocity)) > 1e-5 * v3_norm(x.com_velocity);
      memcpy(b->q, a->q, 7 * sizeof(double)), memcpy(b->v, a->v, 6 * sizeof(double));
      memcpy(b->q + model->deform_q0[0], a->q + alone->deform_q0[0], n);
      memcpy(b->v + model->deform_v0[0], a->v + alone->deform_v0[0], n);
    }
    pl_data_destroy(a), pl_model_destroy(alone), pl_data_destroy(b), pl_model_destroy(model);
  }
  printf("  %d of %d steps\n", other, steps);
  CHECK_BELOW((double)other / steps, 0.018, 1);
}

// A distance predicts where its ball is at the end of the step, also if the ball hits a body of which the
// first model says nothing true.
static void distances_hold_what_is_hit(void) {
  double worst = 0;
  for (int k = 0; k < CHECK_MEMBERS(40); k++) {
    plRandom r = {2000 + (unsigned)k};
    const plModel* model = squeezed(&r, BALL);
    plData* data = pl_data_create(model, NULL);
    const plConstraintDef* c = &model->constraint[0];
    for (int i = 0; i < 20; i++) {
      CHECK_INT(pl_step(data, NULL), PL_OK);
      plRigidState x;
      pl_rigid_body_state(data, 0, &x);
      double off = fabs(v3_norm(v3_sub(x.pose.p, c->pose_b.p)) - c->length) / c->length;
      if (i > 0) worst = fmax(worst, off);
    }
    pl_data_destroy(data), pl_model_destroy(model);
  }
  CHECK_BELOW(worst, 6e-4, 1);
}

// A weak body attached to links, at rest and without weight: velocities are rounding errors of the positions,
// and the balance of the links is judged as such.
static void what_rests_without_weight_steps(void) {
  static const char* const laws[] = {"mooney_rivlin, c1: 17, c2: 5, bulk: 60", "neo_hookean, young: 80",
                                     "corotated, young: 80"};
  static const char* const joints[] = {"planar", "prismatic", "revolute", "ball"};
  plRandom r = {71};
  for (int k = 0; k < CHECK_MEMBERS(120); k++) {
    char text[2048];
    double dt = spread(&r, 1e-4, 1e-2), x = pl_random(&r, -1, 1), y = pl_random(&r, -1, 1),
           z = pl_random(&r, 0.1, 1), size = spread(&r, 0.02, 0.2), m = spread(&r, 0.01, 1);
    const char *law = laws[k % 3], *joint = joints[pl_random_int(&r, 4)];
    snprintf(
        text, sizeof text,
        "pliant: 1\noptions: {dt: %g, gravity: [0, 0, 0]}\nbodies:\n"
        "  - {name: a, mass: %g, inertia: [%g, %g, %g], joint: {kind: %s, pose: {position: [%.17g, %.17g, "
        "%.17g]}}}\n"
        "  - {name: b, mass: %g, inertia: [%g, %g, %g], joint: {kind: planar, parent: a, pose: {position: "
        "[0, 0, %.17g]}}}\n"
        "deformables:\n  - {name: d, shape: sphere, radius: %g, edge: %g, pose: {position: [%.17g, %.17g, "
        "%.17g]}, material: {kind: %s, density: 4000}}\n"
        "attachments:\n  - {name: h, deformable: d, region: {shape: half_space, normal: [1, 0, 0], "
        "centre: [%g, 0, 0]}, to: b}\n",
        dt, m, m * size * size, m * size * size, m * size * size, joint, x, y, z, m, m * size * size,
        m * size * size, m * size * size, size, size, size, x + 0.1 * size, y - 0.2 * size, z + 3 * size, law,
        -0.6 * size);
    const plModel* model = model_of(text);
    plError error = {0};
    plData* data = pl_data_create(model, &error);
    for (int i = 0; i < 20; i++) CHECK_INT(pl_step(data, &error), PL_OK);
    pl_data_destroy(data), pl_model_destroy(model);
  }
}

// A weak ball between the floor and a stone that is heavy for it. Its own tangent is indefinite there:
// without the stone it would collapse.
static const plModel* below_a_stone(plRandom* r) {
  char text[2048];
  double E = spread(r, 2e3, 1e5), L = spread(r, 0.05, 0.2), R = L * pl_random(r, 0.8, 1.5),
         m = 0.1 * pl_random(r, 0.3, 1.5) * E * L * L, I = 0.4 * m * R * R, mu = pl_random(r, 0, 0.3),
         dt = spread(r, 0.005, 0.02), x = pl_random(r, -0.1, 0.1) * L, y = pl_random(r, -0.1, 0.1) * L;
  const char *friction = pl_random_int(r, 2) ? "cone" : "coulomb",
             *law = pl_random_int(r, 2) ? "neo_hookean" : "corotated";
  double poisson = pl_random(r, 0.1, 0.3);
  snprintf(
      text, sizeof text,
      "pliant: 1\noptions: {dt: %g, gravity: [0, 0, -10], contact_law: %s}\nbodies:\n"
      "  - {name: stone, mass: %g, inertia: [%g, %g, %g], pose: {position: [%g, %g, %g]}}\n"
      "deformables:\n  - {name: soft, shape: sphere, radius: %g, edge: %g, pose: {position: [0, 0, %g]}, "
      "material: {kind: %s, young: %g, poisson: %g, density: 300}, surface: {friction: %g}}\n"
      "shapes:\n  - {name: ball, shape: sphere, radius: %g, body: stone, surface: {friction: %g}}\n"
      "  - {name: floor, shape: half_space, surface: {friction: %g}}\n",
      dt, friction, m, I, I, I, x, y, L + R + 1e-3, L / 2, L / 4, L / 2 + 1e-3, law, E, poisson, mu, R, mu,
      mu);
  return model_of(text);
}

// Newton's method converges quadratically also where only the contacts hold a body: a few rounds for every
// balance (one of each part, and of each round of the guard), and hardly more factorizations.
static void what_contacts_hold_takes_few_rounds(void) {
  int balances = 0, rounds = 0, factors = 0, most = 0;
  for (int k = 0; k < CHECK_MEMBERS(24); k++) {
    plRandom r = {3000 + (unsigned)k};
    const plModel* model = below_a_stone(&r);
    plData* data = pl_data_create(model, NULL);
    for (int i = 0; i < 40; i++) {
      CHECK_INT(pl_step(data, NULL), PL_OK);
      const plReport* p = &data->report;
      balances += p->parts + p->guard_rounds, rounds += p->couplings, factors += p->factorizations;
      most = p->parts == 1 && p->couplings > most * (1 + p->guard_rounds)
                 ? p->couplings / (1 + p->guard_rounds)
                 : most;
    }
    pl_data_destroy(data), pl_model_destroy(model);
  }
  printf("  %.2f rounds, %.2f factorizations a balance, at most %d rounds\n", (double)rounds / balances,
         (double)factors / balances, most);
  CHECK_BELOW((double)rounds / balances, 4.5, 1);
  CHECK_BELOW((double)factors / balances, 4, 1);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(what_is_held_elsewhere_changes_nothing);
  RUN(distances_hold_what_is_hit);
  RUN(what_rests_without_weight_steps);
  RUN(what_contacts_hold_takes_few_rounds);
  return CHECK_END;
}

// A gripper with thin pads lifts a soft ring. The edges of the pads cut into its coarse facets: some points
// of the grip lie deep, near the middle of the pads, and carry their load there. The grip must hold still.
#include "math/vec3.h"
#include "pliant/pliant.h"
#include "world.h"

typedef struct Grasp {
  double slip;   // m, of the held part, from before the lift to the end
  double sway;   // m/s, fastest vertex of it at rest
  double solve;  // Newton iterations of a step, mean
} Grasp;

enum { STEPS = 450, CLOSED = 150, LIFTED = 320 };
static const double RADIUS = 0.0585, TUBE = 0.029;

// The ring hangs on one side of it. Positions follow theta_vq, pads are 7 mm thick.
static World gripper(double edge, double turn, double theta_vq, const char* law) {
  char text[2400];
  snprintf(
      text, sizeof text,
      "pliant: 1\n"
      "options: {dt: 0.01, theta: 1, theta_vq: %g, contact_law: %s, threads: 1}\n"
      "bodies:\n"
      "  - {name: hand, mass: 1, joint: {name: lift, kind: prismatic, pose: {position: [0, %g, 0.06]}}}\n"
      "  - {name: inner, mass: 0.05, joint: {kind: prismatic, parent: hand, axis: [0, 1, 0], pose: "
      "{position: "
      "[0, -0.039, 0]}, actuator: &close {kind: pd, kp: 1e4, kd: 20, times: [0, 1.5], values: [0, "
      "0.0205]}}}\n"
      "  - {name: outer, mass: 0.05, joint: {kind: prismatic, parent: hand, axis: [0, -1, 0], pose: "
      "{position: "
      "[0, 0.039, 0]}, actuator: *close}}\n"
      "constraints:\n"
      "  - {name: path, kind: motion, a: lift, times: [0, 1.5, 3], values: [0, 0, 0.18]}\n"
      "deformables:\n"
      "  - {name: ring, shape: torus, major_radius: %g, minor_radius: %g, edge: %g, pose: {position: [0, 0, "
      "%g], "
      "rpy: [0, 0, %g]}, material: {kind: neo_hookean, young: 3e4, poisson: 0.4, density: 1000, damping: "
      "{stiffness: 0.01}}, surface: {friction: 1.15}}\n"
      "shapes:\n"
      "  - {name: ground, shape: half_space, surface: {friction: 1.15}}\n"
      "  - {name: inner_pad, body: inner, shape: box, size: [0.028, 0.007, 0.081], pose: {position: [0, "
      "-0.0035, 0]}, surface: &pad {friction: 1.5}}\n"
      "  - {name: outer_pad, body: outer, shape: box, size: [0.028, 0.007, 0.081], pose: {position: [0, "
      "0.0035, 0]}, surface: *pad}\n",
      theta_vq, law, RADIUS, RADIUS, TUBE, edge, TUBE, turn);
  World w = {.model = model_of(text)};
  w.data = pl_data_create(w.model, &w.error);
  CHECK(w.data);
  return w;
}

// Mean height of the vertices between the pads, over that of the hand; *fastest: m/s, relative to the hand.
static double held(const World* w, double* fastest) {
  const double *q = w->data->q + w->model->deform_q0[0], *v = w->data->v + w->model->deform_v0[0],
               *rest = w->model->vert_rest;
  double sum = 0, z = w->data->q[0], vz = w->data->v[0];
  int n = 0;
  *fastest = 0;
  for (int i = 0; i < w->model->deform_vert0[1]; i++) {
    if (rest[3 * i + 1] < 0.5 * RADIUS || fabs(rest[3 * i]) > 0.03) continue;
    sum += q[3 * i + 2] - z, n++;
    *fastest = fmax(*fastest, v3_norm(v3_sub(v3_load(v + 3 * i), v3(0, 0, vz))));
  }
  CHECK(n > 5);
  return sum / n;
}

static Grasp lift(double edge, double turn, double theta_vq, const char* law) {
  World w = gripper(edge, turn, theta_vq, law);
  Grasp g = {0};
  double before = 0, fastest;
  for (int k = 1; k <= STEPS; k++) {
    run(&w, 1);
    g.solve += w.data->report.iterations / (double)STEPS;
    double height = held(&w, &fastest);
    if (k == CLOSED) before = height;
    if (k == STEPS) g.slip = before - height;
    if (k > LIFTED) g.sway = fmax(g.sway, fastest);
  }
  end(&w);
  return g;
}

// Coarse rings, straight and turned between the pads, with both schemes and both laws of friction.
static void a_ring_is_lifted(void) {
  static const double edges[2] = {0.03, 0.035}, schemes[2] = {0.5, 1};
  Grasp worst = {0};
  for (int i = 0; i < CHECK_MEMBERS(16); i++) {
    Grasp g = lift(edges[i % 2], 0.1 * (i / 2 % 2), schemes[i / 4 % 2], i / 8 ? "coulomb" : "cone");
    worst.slip = fmax(worst.slip, g.slip), worst.sway = fmax(worst.sway, g.sway);
    worst.solve = fmax(worst.solve, g.solve);
  }
  printf("  the ring slips by %.2f mm, sways with %.1f mm/s, takes %.2f iterations a step\n",
         1e3 * worst.slip, 1e3 * worst.sway, worst.solve);
  // Points that the guard stops hard in every step, where positions follow theta_vq = 0.5: 181 mm, 2450
  // mm/s, 63.
  CHECK_BELOW(worst.slip, 0.008, 1);
  CHECK_BELOW(worst.sway, 0.1, 1);
  CHECK_BELOW(worst.solve, 15, 1);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_ring_is_lifted);
  return CHECK_END;
}

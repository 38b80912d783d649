// The work of a step is bounded by the model, not by distances or speeds: a joint at 1e6 rad, a body at 1e9
// m, a vertex dragged there, prescribed motion over kilometres. Such a step succeeds or reports what is
// wrong. It does not sample space cell by cell: a thousandth of the distance costs about as much.
#include "check.h"
#include "pliant/pliant.h"

static const char text[] =
    "pliant: 1\noptions: {dt: 0.01, max_iterations: 20}\n"
    "deformables:\n"
    "  - {name: cube, shape: box, size: [0.1, 0.1, 0.1], cells: [3, 3, 3], pose: {position: [0, 0, 0.06]}}\n"
    "  - name: held\n    shape: box\n    size: [0.1, 0.1, 0.1]\n    cells: [2, 2, 2]\n"
    "    pose: {position: [0.3, 0, 0.2]}\n"
    "    fixed:\n"
    "      - region: {shape: half_space, normal: [0, 0, -1], centre: [0, 0, 0.05]}\n"
    "        motion: [{time: 0, offset: [0, 0, 0]}, {time: 0.1, offset: [0, 0, 0]}, {time: 0.11, offset: "
    "[%g, 0, 0]}]\n"
    "bodies:\n"
    "  - {name: arm, mass: 1, inertia: [0.1, 0.1, 0.1],\n"
    "     joint: {kind: revolute, axis: [0, 1, 0], pose: {position: [0, 0.5, 0.2]}}}\n"
    "  - {name: ball, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [0, -0.5, 0.3]}}\n"
    "shapes:\n"
    "  - {name: ground, shape: half_space}\n"
    "  - {name: link, body: arm, shape: box, size: [0.3, 0.05, 0.05]}\n"
    "  - {name: skin, body: ball, shape: capsule, radius: 0.05, length: 0.2}\n"
    "  - {name: wall, shape: box, size: [0.1, 2, 2], pose: {position: [-1, 0, 0]}}\n";

static plData* simulate(double scale) {
  plError error;
  plSpec* spec = NULL;
  char scene[4096];
  snprintf(scene, sizeof scene, text, 1e9 * scale);
  CHECK_INT(pl_spec_parse("test", ".", scene, strlen(scene), NULL, &spec, &error), PL_OK);
  if (!spec) printf("%s\n", error.message);
  const plModel* model = pl_model_create(spec, &error);
  plData* data = pl_data_create(model, &error);
  pl_model_destroy(model), pl_spec_destroy(spec);
  return data;
}

enum { JOINT, JOINT_SPEED, BODY, BODY_SPEED, BODY_SPIN, VERTEX, VERTEX_SPEED, CUBE, GIVEN, NCASE };
static const char* const name[NCASE] = {"joint at 1e6 rad",  "joint at 1e5 rad/s", "body at 1e9 m",
                                        "body at 1e5 m/s",   "body at 1e5 rad/s",  "vertex at 1e9 m",
                                        "vertex at 1e5 m/s", "soft body at 1e9 m", "given motion over 1e9 m"};

static void disturb(plData* data, int k, double scale) {
  const plModel* m = data->model;
  int arm = pl_model_find_joint(m, "arm"), ball = pl_model_find_joint(m, "ball");
  double *q = data->q, *v = data->v;
  if (k == JOINT) q[m->joint_q0[arm]] = 1e6 * scale;
  if (k == JOINT_SPEED) v[m->joint_v0[arm]] = 1e5 * scale;
  if (k == BODY) q[m->joint_q0[ball]] = 1e9 * scale;
  if (k == BODY_SPEED) v[m->joint_v0[ball]] = -1e5 * scale;
  if (k == BODY_SPIN) v[m->joint_v0[ball] + 3] = 1e5 * scale;
  if (k == VERTEX) q[m->deform_q0[0]] = 1e9 * scale;
  if (k == VERTEX_SPEED) v[m->deform_v0[0] + 2] = -1e5 * scale;
  for (int i = 0; k == CUBE && i < m->deform_vert0[1]; i++) q[m->deform_q0[0] + 3 * i] += 1e9 * scale;
  if (k == GIVEN) data->time = 0.1;
}

// The longest of a few steps (s of the processor).
static double longest(int k, double scale) {
  plError error;
  plData* data = simulate(scale);
  double worst = 0;
  disturb(data, k, scale);
  for (int i = 0; i < 5; i++) {
    size_t size = pl_state_size(data);
    char* before = malloc(size);
    CHECK_INT(pl_state_get(data, before, size, &error), PL_OK);
    double begin = check_clock();
    plStatus status = pl_step(data, &error);
    worst = fmax(worst, check_clock() - begin);
    // a step in parts keeps their length, which makes the state longer
    size_t size_after = pl_state_size(data);
    char* after = malloc(size_after);
    plError other;
    CHECK_INT(pl_state_get(data, after, size_after, &other), PL_OK);
    if (status) CHECK(error.message[0] && size == size_after && !memcmp(before, after, size));
    free(before), free(after);
    if (status) break;
  }
  pl_data_destroy(data);
  return worst;
}

// A step that finds no solution is tried again in parts, down to dt / 16; shorter ones, down to dt / 64, are
// tried where these fail, less and less often.
enum { TRIES = 1 + 2 + 4 + 8 + 16 };

static void far_and_fast_steps_do_bounded_work(void) {
  for (int k = 0; k < NCASE; k++) {
    double far = longest(k, 1), near = longest(k, 1e-3);
    printf("  %s: %.2g s, %.2g s at a thousandth of it\n", name[k], far, near);
    CHECK(far < 0.3 + TRIES * near);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(far_and_fast_steps_do_bounded_work);
  return CHECK_END;
}

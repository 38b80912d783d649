// test_found.c: scenes that the random search found (bench/torture), shrunk: one for each cause that was
// mended.
#include "world.h"

static const plModel* model_of(const char* text) {
  plError error = {0};
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_parse("scene.yaml", ".", text, strlen(text), NULL, &spec, &error), PL_OK);
  const plModel* model = spec ? pl_model_create(spec, &error) : NULL;
  if (!model) printf("%s\n", error.message), exit(1);
  pl_spec_destroy(spec);
  return model;
}

// All steps of a scene end without a status.
static void runs(const char* text, int steps) {
  const plModel* model = model_of(text);
  plError error = {0};
  plData* data = pl_data_create(model, &error);
  plStatus status = PL_OK;
  for (int i = 0; i < steps && !status; i++) status = pl_step(data, &error);
  if (status) printf("step %ld: %s\n", data->report.step, error.message);
  CHECK_INT(status, PL_OK);
  pl_data_destroy(data);
  pl_model_destroy(model);
}

// A stiff undamped body hits at 36 m/s: at the start of the step its tangent has next to no stiffness in some
// direction, and the solution of the first linearisation is far out.
static void first_solution_far_out(void) {
  runs(
      "pliant: 1\n"
      "options: {dt: 0.00056}\n"
      "deformables:\n"
      "  - {name: d, shape: ellipsoid, semi_axes: [0.011, 0.0097, 0.01], edge: 0.011, velocity: [-2.2, -8.9, "
      "-35], pose: "
      "{position: [0.0021, 0.0036, 0.084]}, material: {kind: neo_hookean, young: 5.9e+08, poisson: 0.43, "
      "density: 834, "
      "damping: {stiffness: 0}}}\n"
      "shapes:\n"
      "  - {name: s, shape: box, size: [0.011, 0.0075, 0.0083]}\n",
      12);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(first_solution_far_out);
  return CHECK_END;
}

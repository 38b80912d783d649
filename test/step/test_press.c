// The paper's rubber cylinder, pressed to less than half its height (scenes/cylinder_press_coarse.yaml): the
// force over the travel of the plate, beside an independent plane-strain solution.
#include "check.h"
#include "pliant/pliant.h"

// Travel (m) and force (kN per metre of length) of the same law by 9-node quadrilaterals with discontinuous
// linear pressure, 12481 nodes in a quarter of the section.
static const double reference[][2] = {{0.02, 24.06},  {0.03, 40.73},  {0.04, 60.14},  {0.05, 82.46},
                                      {0.06, 108.00}, {0.07, 137.19}, {0.08, 170.55}, {0.09, 208.79}};

// The force grows by 14 kN/m per second. Its part that the damper takes, beta dF/dt, is small: a body that
// keeps its volume is not stiffer for being damped.
static void damping_does_not_stiffen_rubber(void) {
  const double rate = 14, beta = 0.01, length = 0.04;
  static const plOverride overrides[] = {{"options.dt", "0.05"},
                                         {"options.near_rigid", "0.1"},
                                         {"bodies.plate.joint.actuator.times", "[0, 100]"},
                                         {"bodies.plate.joint.actuator.values", "[0, 56e3]"},
                                         {"deformables.rubber.material.damping.stiffness", "0.01"}};
  plLoadOptions options = {.overrides = overrides, .noverride = 5};
  plError error;
  plSpec* spec = NULL;
  const plModel* model = NULL;
  if (!pl_spec_load(PLIANT_SOURCEDIR "/scenes/cylinder_press_coarse.yaml", &options, &spec, &error))
    model = pl_model_create(spec, &error);
  if (!model) printf("%s:%d: %s\n", error.file, error.line, error.message), exit(1);
  pl_spec_destroy(spec);
  plData* data = pl_data_create(model, &error);
  CHECK_NEAR(1e3 * rate * length * 100, 56e3, 1e-9);
  double travel = 0, force = 0, worst = 0;
  for (int i = 0; i < 8;) {
    double x = travel, f = force, want = reference[i][0];
    if (pl_step(data, &error)) {
      printf("%s\n", error.message);
      CHECK(false);
      break;
    }
    travel = data->q[0], force = rate * (data->time - beta);
    if (travel < want) continue;
    f += (force - f) * (want - x) / (travel - x);
    worst = fmax(worst, fabs(f / reference[i++][1] - 1));
  }
  printf("  force within %.1f %% of the reference\n", 100 * worst);
  CHECK_BELOW(worst, 0.034, 1);
  pl_data_destroy(data);
  pl_model_destroy(model);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(damping_does_not_stiffen_rubber);
  return CHECK_END;
}

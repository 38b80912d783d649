// Bodies side by side: the bits, the report and the errors of one thread, on any number of threads.
#include "check.h"

#include "pliant/pliant.h"

enum { BODIES = 7, STEPS = 6 };

// Blocks of different sizes, one much larger than the others; every other one nonlinear.
static const plModel* blocks(int threads, int max_iterations) {
  plError error;
  plSpec* spec = pl_spec_create();
  plOptions* o = pl_spec_options(spec);
  o->threads = threads, o->max_iterations = max_iterations;
  for (int i = 0; i < BODIES; i++) {
    plMesh* mesh = NULL;
    int n = i == 3 ? 7 : 1 + i % 3;
    CHECK_INT(pl_mesh_box_cells((plVec3){0.1, 0.1, 0.1}, n, n, n + 1, &mesh, &error), PL_OK);
    char name[24];
    snprintf(name, sizeof name, "block%d", i);
    plDeformableDef def = pl_default_deformable_def();
    def.name = name, def.mesh = mesh, def.pose.p = (plVec3){0.2 * i, 0, 0.0495};
    def.angular_velocity = (plVec3){10, i, 0};
    def.material.young = 2e4;
    def.material.kind = i % 2 ? PL_MATERIAL_NEO_HOOKEAN : PL_MATERIAL_LINEAR_COROTATED;
    if (i == 5) def.pose.p.z = 1;  // free
    CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
    pl_mesh_destroy(mesh);
  }
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  CHECK_INT(pl_spec_add_shape(spec, &ground, NULL, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  CHECK(model != NULL);
  pl_spec_destroy(spec);
  return model;
}

static void any_number_of_threads_gives_the_bits_and_the_report_of_one(void) {
  uint64_t hash[STEPS];
  plReport report[STEPS];
  for (int threads = 1; threads <= 4; threads++) {
    plError error;
    const plModel* model = blocks(threads, 500);
    plData* data = pl_data_create(model, &error);
    for (int i = 0; i < STEPS; i++) {
      CHECK_INT(pl_step(data, &error), PL_OK);
      if (threads == 1) hash[i] = pl_state_hash(data), report[i] = data->report;
      CHECK(pl_state_hash(data) == hash[i]);
      CHECK_INT(data->report.factorizations, report[i].factorizations);
      CHECK_INT(data->report.free_iterations, report[i].free_iterations);
      CHECK(data->report.free_residual == report[i].free_residual);
      CHECK(data->report.free_residual_weight == report[i].free_residual_weight);
    }
    CHECK(report[0].free_iterations > 1 && report[0].factorizations > BODIES);
    pl_data_destroy(data), pl_model_destroy(model);
  }
}

// Body 5 does not converge in one iteration; what is said of it does not depend on threads.
static void the_first_failure_is_the_one_that_is_reported(void) {
  plError first;
  char where[sizeof((plReport*)NULL)->where];
  for (int threads = 1; threads <= 4; threads++) {
    plError error;
    const plModel* model = blocks(threads, 1);
    plData* data = pl_data_create(model, &error);
    uint64_t before = pl_state_hash(data);
    CHECK_INT(pl_step(data, &error), PL_ERROR_NOT_CONVERGED);
    CHECK(pl_state_hash(data) == before);
    if (threads == 1) first = error, memcpy(where, data->report.where, sizeof where);
    CHECK_STR(error.message, first.message);
    CHECK_STR(data->report.where, where);
    pl_data_destroy(data), pl_model_destroy(model);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(any_number_of_threads_gives_the_bits_and_the_report_of_one);
  RUN(the_first_failure_is_the_one_that_is_reported);
  return CHECK_END;
}

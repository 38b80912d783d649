// Steps without a solution name an impact that is faster than the waves of the soft body that it hits.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

#include "base/random.h"
#include "model/work.h"
#include "scenes.h"
#include "step/step.h"

// The message of a step that fails while a block hits the ground at `ratio` times the speed of its waves.
static void hit(plRandom* r, double ratio, plError* error) {
  plSpec* spec = pl_spec_create();
  plOptions* o = pl_spec_options(spec);
  o->dt = 1e-4, o->gravity = (plVec3){0, 0, 0};
  plDeformableDef def = pl_default_deformable_def();
  double young = exp(pl_random(r, log(1e2), log(1e6))), nu = pl_random(r, 0, 0.45);
  double lambda = young * nu / ((1 + nu) * (1 - 2 * nu)), mu = young / (2 + 2 * nu);
  def.material.kind = PL_MATERIAL_NEO_HOOKEAN, def.material.young = young, def.material.poisson = nu;
  def.material.density = pl_random(r, 300, 3000);
  double wave = sqrt((lambda + 2 * mu) / def.material.density);
  plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, 2, 2, 2);
  def.name = "block", def.mesh = mesh, def.pose.p.z = 0.0501, def.velocity.z = -ratio * wave;
  CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, error), PL_OK);
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  CHECK_INT(pl_spec_add_shape(spec, &ground, NULL, error), PL_OK);
  const plModel* model = pl_model_create(spec, error);
  plData* data = pl_data_create(model, error);
  CHECK_INT(pl_step(data, error), PL_OK);
  CHECK(data->ncontact > 0);
  data->work->error = error;
  snprintf(error->message, sizeof error->message, "no solution");
  pl_step_name_impact(model, data);
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec), pl_mesh_destroy(mesh);
}

static void fast_impacts_are_named(void) {
  plRandom r = {3};
  for (int k = 0; k < CHECK_MEMBERS(40); k++) {
    plError error = {0};
    double ratio = exp(pl_random(&r, log(0.1), log(10)));
    hit(&r, ratio, &error);
    const char* words = strstr(error.message, "; 'block' meets 'ground' at ");
    CHECK((words != NULL) == (ratio > 1));
    if (!words || !strstr(words, " m/s, ")) continue;
    CHECK_NEAR(atof(strstr(words, " m/s, ") + 6), ratio, 0.05 * ratio);  // two digits
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(fast_impacts_are_named);
  return CHECK_END;
}

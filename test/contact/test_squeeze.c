// Soft bodies squeezed to 40 % of their height between rigid plates: the motion is stable and smooth,
// takes few iterations, and inverted elements cause no failure.
#include "math/pose.h"
#include "pliant/pliant.h"
#include "world.h"
#include "model/side.h"

typedef struct Squeeze {
  double force, other, rough, newton, deepest, height, extent;
  int newton_max, deep, failed;
} Squeeze;

static int add_plate(World* w, const char* name, double z, double speed, bool shape_is_box) {
  plShapeDef g = pl_default_shape_def();
  g.kind = shape_is_box ? PL_SHAPE_BOX : PL_SHAPE_CYLINDER, g.size = v3(0.4, 0.4, 0.05), g.radius = 0.2,
  g.length = 0.05;
  g.surface.friction = 0.5;
  return add_body(w, name, g, (plPose){{0, 0, z + copysign(0.025, z)}, quat_exp(v3(0, 0, 0.19))},
                  v3(0, 0, speed), 1e8, 1e8);
}

static Squeeze squeeze(plMesh* mesh, double height, double target, plMaterialKind kind, bool box,
                       double speed_factor) {
  World w = begin(v3(0, 0, 0), 0.01);
  pl_spec_options(w.spec)->contact_law = PL_LAW_CONE;  // whose iterations are counted
  plDeformableDef soft = pl_default_deformable_def();
  soft.name = "body", soft.mesh = mesh, soft.surface.friction = 0.5, soft.material.kind = kind;
  soft.material.young = 1e5, soft.material.poisson = 0.4, soft.material.damping_stiffness = 0.01;
  CHECK_INT(pl_spec_add_deformable(w.spec, &soft, NULL, &w.error), PL_OK);
  double z = height / 2 + 1e-4, time = 1 / speed_factor, speed = height / 2 * (1 - target) / time;
  int low = add_plate(&w, "low", -z, speed, box), up = add_plate(&w, "up", z, -speed, box);
  build(&w);
  plData* data = w.data;
  int steps = (int)(time / 0.01 + 0.5), hold = 30;
  double* force = calloc((size_t)(steps + hold), sizeof(double));
  Squeeze s = {0};
  double highest = 0;
  for (int i = 0; i < steps + hold; i++) {
    if (i == steps) memset(data->v, 0, 12 * sizeof(double));
    if (pl_step(data, &w.error)) {
      printf("step %d: %s\n", i, w.error.message), s.failed = 1;
      break;
    }
    plContactPair a, b;
    pl_contact_pair(data, pl_side_of_number(data->model, 0), (plSide){PL_SIDE_BODY, low}, &a);
    pl_contact_pair(data, pl_side_of_number(data->model, 0), (plSide){PL_SIDE_BODY, up}, &b);
    force[i] = b.force.z, s.force = b.force.z, s.other = -a.force.z;
    highest = fmax(highest, force[i]);
    s.newton += data->report.iterations, s.deep += data->report.deep;
    if (data->report.iterations > s.newton_max) s.newton_max = data->report.iterations;
    if (i > steps - 2) s.deepest = fmin(s.deepest, fmin(a.gap_min, b.gap_min));
  }
  for (int i = 4; i < steps - 1; i++)
    s.rough = fmax(s.rough, fabs(force[i + 1] - 2 * force[i] + force[i - 1]) / highest);
  s.newton /= steps + hold;
  plBodyState state;
  pl_deformable_state(data, 0, &state);
  s.extent = state.upper.z - state.lower.z;
  printf(
      "squeezed to %.0f %%: force %.2f (other plate %.2f) N, rough %.4f, Newton %.2f (%d), deepest %.2g mm, "
      "deep %d, height %.4f of %.4f\n",
      100 * target, s.force, s.other, s.rough, s.newton, s.newton_max, -1e3 * s.deepest, s.deep, s.extent,
      2 * z * target);
  free(force);
  end(&w);
  return s;
}

static void a_block_is_squeezed_to_40_percent(void) {
  plMesh* mesh = box_mesh(v3(0.1, 0.1, 0.1), 4, 4, 4);
  for (int box = 0; box < 2; box++) {
    Squeeze s = squeeze(mesh, 0.1, 0.4, PL_MATERIAL_LINEAR_COROTATED, box, 1);
    CHECK_INT(s.failed, 0);
    CHECK_NEAR(s.force, s.other, 7.8e-14 * s.force);
    CHECK(s.force > 400 && s.force < 900);
    CHECK_BELOW(s.rough, 8.5e-4, 1);
    CHECK(s.newton < 2.5 && s.deep == 0);
    CHECK_NEAR(s.extent, 0.04, box ? 1e-3 : 2.5e-3);  // soft facets meet round plates in the mean
  }
  pl_mesh_destroy(mesh);
}

static void a_ball_is_squeezed_to_40_percent(void) {
  plMesh* mesh = NULL;
  plError error;
  CHECK_INT(pl_mesh_sphere(0.1, 0.06, &mesh, &error), PL_OK);
  Squeeze s = squeeze(mesh, 0.2, 0.4, PL_MATERIAL_LINEAR_COROTATED, true, 1);
  CHECK_INT(s.failed, 0);
  CHECK_NEAR(s.force, s.other, 2.4e-14 * s.force);
  CHECK_BELOW(s.rough, 0.019, 1);
  CHECK(s.newton < 3 && s.deep == 0);
  pl_mesh_destroy(mesh);
}

// A tenth of the time, down to 20 %: elements go flat or turn inside out; every step still has an answer.
static void crushing_never_aborts(void) {
  plMesh* mesh = box_mesh(v3(0.1, 0.1, 0.1), 3, 3, 3);
  Squeeze s = squeeze(mesh, 0.1, 0.2, PL_MATERIAL_LINEAR_COROTATED, true, 5);
  CHECK_INT(s.failed, 0);
  CHECK(isfinite(s.force));
  pl_mesh_destroy(mesh);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_block_is_squeezed_to_40_percent);
  RUN(a_ball_is_squeezed_to_40_percent);
  RUN(crushing_never_aborts);
  return CHECK_END;
}

// Solids under static loads, coarse versions of docs/validation.md: locking and its cure on Cook's membrane,
// the elastica, contact of every element with the ground.
#include "check.h"

#include "math/vec3.h"
#include "scenes.h"

static double run_tip(plSpec* spec, int steps, plVec3 place, plVec3* tip) {
  plError error;
  const plModel* model = pl_model_create(spec, &error);
  if (!model) printf("%s\n", error.message);
  plData* data = pl_data_create(model, &error);
  for (int i = 0; i < steps; i++) {
    plStatus status = pl_step(data, &error);
    CHECK_INT(status, PL_OK);
    if (status) printf("%s\n", error.message);
    if (status) break;
  }
  int best = 0;
  double least = INFINITY;
  for (int i = 0; i < model->nvert; i++) {
    double d = v3_norm(v3_sub(v3_load(model->vert_rest + 3 * i), place));
    if (d < least) least = d, best = i;
  }
  *tip = v3_sub(v3_load(data->q + 3 * best), v3_load(model->start_q + 3 * best));
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
  return tip->y;
}

static void pull_end(plSpec* spec, double x, plVec3 traction, int steps) {
  plLoadDef load = pl_default_load_def();
  load.region.kind = PL_REGION_HALF_SPACE, load.region.centre.x = x, load.region.normal = (plVec3){-1, 0, 0};
  load.vector = traction;
  load.ntime = 2, load.time = (double[2]){0, 1e3 * steps}, load.factor = (double[2]){0, 1};
  CHECK_INT(pl_spec_add_load(spec, &load, NULL), PL_OK);
}

static plSpec* held_body(plMesh* mesh, plMaterial material, bool plane, double left, int components) {
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->dt = 1e3, pl_spec_options(spec)->gravity = (plVec3){0, 0, 0};
  plDeformableDef def = pl_default_deformable_def();
  def.name = "body", def.mesh = mesh, def.material = material, def.plane_strain = plane;
  CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, NULL), PL_OK);
  plFixDef fix = pl_default_fix_def();
  fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre.x = left, fix.region.normal = (plVec3){1, 0, 0};
  fix.components = components;
  CHECK_INT(pl_spec_add_fix(spec, &fix, NULL), PL_OK);
  pl_mesh_destroy(mesh);
  return spec;
}

// v(48, 52) in plane strain at poisson 0.4999 over the converged 18.50
static double cook(plElement element, plVolumetric volumetric, int n) {
  double thick = 24.0 / n;
  plMesh* mesh = box_mesh((plVec3){1, 1, thick}, n, n, 1);
  for (int i = 0; i < mesh->nvert; i++) {
    double *x = mesh->vert + 3 * i, a = x[0] + 0.5, b = x[1] + 0.5;
    x[0] = 48 * a, x[1] = 44 * a + (44 - 28 * a) * b;
  }
  plMaterial m = pl_default_material();
  m.kind = PL_MATERIAL_LINEAR, m.young = 1, m.poisson = 0.4999, m.density = 1e-6, m.damping_stiffness = 0;
  m.element = element, m.volumetric = volumetric;
  plSpec* spec = held_body(mesh, m, true, 0, PL_FIX_X | PL_FIX_Y);
  pull_end(spec, 48, (plVec3){0, 1.0 / 16, 0}, 1);
  plVec3 tip;
  return run_tip(spec, 2, (plVec3){48, 52, thick / 2}, &tip) / 18.50;
}

static void patches_do_not_lock(void) {
  double plain = cook(PL_ELEMENT_TET4, PL_VOLUMETRIC_ELEMENT, 8);
  double patch = cook(PL_ELEMENT_TET4, PL_VOLUMETRIC_PATCH, 8);
  double smoothed = cook(PL_ELEMENT_TET4_SMOOTHED, PL_VOLUMETRIC_PATCH, 8);
  double quadratic = cook(PL_ELEMENT_TET10, PL_VOLUMETRIC_PATCH, 4);
  CHECK(plain < 0.7);
  CHECK(patch > 0.92 && patch < 1);
  CHECK_NEAR(smoothed, 1, 0.015);
  CHECK_NEAR(quadratic, 1, 0.015);
}

// P L^2 / E I = 10: the elastica's tip moves by 0.810609 across and 0.554996 along
static void quadratic_beam_follows_the_elastica(void) {
  double h = 1.0 / 40, E = 1e6, P = 10 * E * h * h * h * h / 12;
  plMaterial m = pl_default_material();
  m.kind = PL_MATERIAL_COROTATED, m.young = E, m.poisson = 0.3, m.damping_stiffness = 0;
  m.element = PL_ELEMENT_TET10;
  plSpec* spec = held_body(box_mesh((plVec3){1, h, h}, 20, 1, 1), m, false, -0.5, PL_FIX_ALL);
  pull_end(spec, 0.5, (plVec3){0, 0, P / (h * h)}, 10);
  plVec3 tip;
  run_tip(spec, 10, (plVec3){0.5, 0, 0}, &tip);
  CHECK_NEAR(tip.z / 0.810609, 1, 0.01);
  CHECK_NEAR(-tip.x / 0.554996, 1, 0.019);
}

// every element comes to rest on the ground with its weight carried
static void every_element_rests_on_the_ground(void) {
  for (int element = 0; element < 3; element++)
    for (int kind = PL_MATERIAL_LINEAR_COROTATED; kind <= PL_MATERIAL_NEO_HOOKEAN; kind += 3) {
      plError error;
      plSpec* spec = pl_spec_create();
      plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, 2, 2, 2);
      plDeformableDef def = pl_default_deformable_def();
      def.name = "block", def.mesh = mesh, def.pose.p.z = 0.051;
      def.material.kind = (plMaterialKind)kind, def.material.element = (plElement)element;
      def.material.volumetric = PL_VOLUMETRIC_PATCH, def.material.poisson = 0.45;
      CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
      plShapeDef ground = pl_default_shape_def();
      ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
      CHECK_INT(pl_spec_add_shape(spec, &ground, NULL, &error), PL_OK);
      const plModel* model = pl_model_create(spec, &error);
      plData* data = pl_data_create(model, &error);
      for (int i = 0; i < 100; i++) CHECK_INT(pl_step(data, &error), PL_OK);
      double lift = 0;
      for (int i = 0; i < data->ncontact; i++)
        lift += data->contact[i].a.kind == PL_SIDE_DEFORMABLE ? -data->contact[i].force.z
                                                              : data->contact[i].force.z;
      CHECK_NEAR(fabs(lift) / 9.81, 1, 9.8e-9);
      plBodyState state;
      pl_deformable_state(data, 0, &state);
      CHECK_BELOW(-state.lower.z, 6.1e-5, 1);
      CHECK(state.com.z < 0.05);
      pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec), pl_mesh_destroy(mesh);
    }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(patches_do_not_lock);
  RUN(quadratic_beam_follows_the_elastica);
  RUN(every_element_rests_on_the_ground);
  return CHECK_END;
}

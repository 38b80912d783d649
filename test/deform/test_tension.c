// A linear corotated body under tension comes to rest, where the corotated one does: strips and bars of 0.4
// m, 2 to 50 mm thick, E 1e5 to 1e8 Pa, stretched by 1 to 20 %, steps of 1 to 20 ms, every element.
#include "check.h"

#include "base/random.h"
#include "deform/deform.h"
#include "scenes.h"

typedef struct Strip {
  double thick, wide, stretch, dt;
  int cells;
  bool plane;
  plMaterial material;
} Strip;

static double pick_log(plRandom* r, double low, double high) {
  return low * pow(high / low, pl_random(r, 0, 1));
}

static Strip random_strip(plRandom* r) {
  Strip s = {.thick = pick_log(r, 0.002, 0.05)};
  s.stretch = pick_log(r, 0.01, 0.2), s.dt = pick_log(r, 0.001, 0.02);
  s.wide = fmax(s.thick, pick_log(r, 0.005, 0.05));
  s.plane = pl_random_int(r, 6) == 0;
  s.material = pl_default_material();
  s.material.young = pick_log(r, 1e5, 1e8), s.material.poisson = pl_random(r, 0, 0.45);
  s.material.element = (plElement)pl_random_int(r, 3),
  s.material.volumetric = (plVolumetric)pl_random_int(r, 2);
  s.material.mass = (plMass)pl_random_int(r, 2);
  s.cells = s.material.element == PL_ELEMENT_TET10 ? 6 : 12;
  return s;
}

// The state after the given time: one end held, the other drawn away in half a second.
static plBodyState stretch(const Strip* s, plMaterialKind kind, double dt, double until, double* kinetic) {
  plError error = {0};
  plSpec* spec = pl_spec_create();
  plMesh* mesh = box_mesh((plVec3){0.4, s->wide, s->thick}, s->cells, 1, 1);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "strip", def.mesh = mesh, def.material = s->material, def.plane_strain = s->plane;
  def.material.kind = kind;
  plOptions* o = pl_spec_options(spec);
  o->dt = dt, o->gravity = (plVec3){0, 0, 0};
  CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
  plFixDef fix = pl_default_fix_def();
  fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre.x = -0.2, fix.region.normal = (plVec3){1, 0, 0};
  CHECK_INT(pl_spec_add_fix(spec, &fix, &error), PL_OK);
  double time[] = {0, 0.5};
  plVec3 offset[] = {{0, 0, 0}, {0.4 * s->stretch, 0, 0}};
  fix.region.centre.x = 0.2, fix.region.normal.x = -1, fix.ntime = 2, fix.time = time, fix.offset = offset;
  CHECK_INT(pl_spec_add_fix(spec, &fix, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  plData* data = pl_data_create(model, &error);
  plBodyState state = {0};
  *kinetic = 0;
  while (data->time < until - dt / 2) {
    plStatus status = pl_step(data, &error);
    CHECK_INT(status, PL_OK);
    if (status) printf("%s\n", error.message);
    if (status) break;
    if (data->time < until - 0.1) continue;
    pl_deformable_state(data, 0, &state);
    *kinetic = fmax(*kinetic, state.kinetic_energy);
  }
  pl_data_destroy(data), pl_model_destroy(model), pl_mesh_destroy(mesh), pl_spec_destroy(spec);
  return state;
}

static void strips_under_tension_are_calm(void) {
  plRandom r = {61};
  for (int k = 0; k < CHECK_MEMBERS(12); k++) {
    Strip s = random_strip(&r);
    double kinetic, unused;
    plBodyState now = stretch(&s, PL_MATERIAL_LINEAR_COROTATED, s.dt, 3, &kinetic);
    plBodyState best = stretch(&s, PL_MATERIAL_COROTATED, 0.02, 1.2, &unused);
    bool good =
        kinetic < 1e-6 * now.elastic_energy && fabs(now.elastic_energy / best.elastic_energy - 1) < 0.02;
    if (!good)
      printf(
          "%d: %g mm x %g mm, E %.3g, stretch %.3g, dt %g, element %d, patch %d: kinetic %.1e, elastic %.4f "
          "of "
          "corotated\n",
          k, 1e3 * s.wide, 1e3 * s.thick, s.material.young, s.stretch, s.dt, s.material.element,
          s.material.volumetric, kinetic / now.elastic_energy, now.elastic_energy / best.elastic_energy);
    CHECK(good);
  }
}

// A free bar that its own spin stretches keeps its angular momentum: tension adds no brake. (Damping and
// backward Euler do, with a frozen rotation: docs/materials.md.)
static void a_stretched_bar_keeps_its_spin(void) {
  plRandom r = {62};
  for (int k = 0; k < CHECK_MEMBERS(6); k++) {
    plError error = {0};
    plSpec* spec = pl_spec_create();
    plMesh* mesh = box_mesh((plVec3){0.4, 0.05, 0.05}, 8, 1, 1);
    plDeformableDef def = pl_default_deformable_def();
    def.name = "bar", def.mesh = mesh;
    // centrifugal stress rho w^2 L^2 / 8 stretches by 1 to 5 %
    def.angular_velocity = (plVec3){0, 0, 10};
    def.material.young = 1000 * 100 * 0.16 / 8 / pl_random(&r, 0.01, 0.05), def.material.poisson = 0.3;
    def.material.element = (plElement)(k % 3);
    plOptions* o = pl_spec_options(spec);
    o->dt = pick_log(&r, 0.002, 0.005), o->gravity = (plVec3){0, 0, 0};
    o->theta = o->theta_vq = 0.5, def.material.damping_stiffness = 0;
    CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
    const plModel* model = pl_model_create(spec, &error);
    plData* data = pl_data_create(model, &error);
    plBodyState before, after;
    pl_deformable_state(data, 0, &before);
    while (data->time < 2) CHECK_INT(pl_step(data, &error), PL_OK);
    pl_deformable_state(data, 0, &after);
    double kept = after.angular_momentum.z / before.angular_momentum.z;
    CHECK_NEAR(kept, 1, 7.8e-5);
    pl_data_destroy(data), pl_model_destroy(model), pl_mesh_destroy(mesh), pl_spec_destroy(spec);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(strips_under_tension_are_calm);
  RUN(a_stretched_bar_keeps_its_spin);
  return CHECK_END;
}

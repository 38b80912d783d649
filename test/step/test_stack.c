// Towers of soft cubes: they stand, whatever their meshes.
#include "check.h"

#include "scenes.h"

typedef struct Tower {
  const plModel* model;
  plData* data;
} Tower;

static Tower make_tower(int n, double young, double turn, double shift, int extra_cells) {
  plError error;
  plSpec* spec = pl_spec_create();
  for (int k = 0; k < n; k++) {
    int cells = 3 + (extra_cells ? k % 2 : 0);
    plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, cells, cells, cells);
    plDeformableDef def = pl_default_deformable_def();
    char name[32];
    snprintf(name, sizeof name, "block%d", k);
    def.name = name, def.mesh = mesh;
    def.pose.p.z = 0.0505 + 0.101 * k, def.pose.p.x = k % 2 ? shift : 0;
    double angle = turn * k;
    def.pose.q.w = cos(angle / 2), def.pose.q.z = sin(angle / 2);
    def.material.young = young, def.surface.friction = 0.5;
    CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
    pl_mesh_destroy(mesh);
  }
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE, ground.surface.friction = 0.5;
  CHECK_INT(pl_spec_add_shape(spec, &ground, NULL, &error), PL_OK);
  Tower t = {pl_model_create(spec, &error), NULL};
  t.data = pl_data_create(t.model, &error);
  pl_spec_destroy(spec);
  return t;
}

static void run_tower(int n, double young, double turn, double shift, int extra, int steps, double band) {
  plError error;
  Tower t = make_tower(n, young, turn, shift, extra);
  int iterations = 0, most = 0, contacts = 0;
  plBodyState start, state;
  pl_deformable_state(t.data, n - 1, &start);
  for (int i = 0; i < steps; i++) {
    plStatus status = pl_step(t.data, &error);
    CHECK_INT(status, PL_OK);
    if (status) {
      printf("step %d: %s\n", i, error.message);
      break;
    }
    iterations += t.data->report.iterations;
    if (t.data->report.iterations > most) most = t.data->report.iterations;
    contacts += t.data->ncontact;
  }
  pl_deformable_state(t.data, n - 1, &state);
  double drift = hypot(state.com.x - start.com.x, state.com.y - start.com.y);
  printf("tower n %d E %g turn %g shift %g: drift %.3g mm, speed %.2g, Newton %.2f (%d), contacts %.0f\n", n,
         young, turn, shift, 1e3 * drift, sqrt(2 * state.kinetic_energy / state.mass),
         (double)iterations / steps, most, (double)contacts / steps);
  CHECK(drift < band);
  pl_data_destroy(t.data), pl_model_destroy(t.model);
}

static void a_tower_of_five_stands(void) { run_tower(5, 1e6, 0, 0, 0, CHECK_MEMBERS(300), 0.5e-3); }
static void turned_blocks_stand(void) { run_tower(5, 1e6, 0.3, 0, 1, CHECK_MEMBERS(300), 1.5e-3); }
static void shifted_blocks_stand(void) { run_tower(5, 1e6, 0.3, 0.02, 1, CHECK_MEMBERS(300), 1.5e-3); }

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_tower_of_five_stands);
  RUN(turned_blocks_stand);
  RUN(shifted_blocks_stand);
  return CHECK_END;
}

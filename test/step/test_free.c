// The free deformable step: falling, bending, threads, memory, state.
#include "check.h"

#include "base/hash.h"
#include "base/memory.h"
#include "scenes.h"

// Without contact a block falls as a point does: v = g t, exactly, for every scheme.
static void a_block_falls_like_a_point(void) {
  double schemes[][2] = {{1, 1}, {0.5, 0.5}, {1, 0.5}};
  for (int s = 0; s < 3; s++) {
    plOptions options = pl_default_options();
    options.theta = schemes[s][0], options.theta_vq = schemes[s][1];
    plError error;
    plSpec* spec = block_spec(1, options);
    const plModel* model = pl_model_create(spec, &error);
    plData* data = pl_data_create(model, &error);
    for (int i = 0; i < 50; i++) CHECK_INT(pl_step(data, &error), PL_OK);
    plBodyState state;
    pl_deformable_state(data, 0, &state);
    // semi-implicit positions: sum of dt (theta_vq v_i+1 + (1 - theta_vq) v_i)
    double n = 50, dt = 0.01, g = -9.81, a = options.theta_vq;
    CHECK_ROUND(state.momentum.z / state.mass, g * n * dt, 5);
    CHECK_ROUND(state.com.z - 1, g * dt * dt * (n * (n - 1) / 2 + a * n), 2);
    CHECK_ROUND(state.mass, 1.0, 1);
    CHECK_ROUND(state.volume, 1e-3, 0.001);
    CHECK_NEAR(state.elastic_energy, 0, 1e-26);  // wide: the square of rounding
    CHECK_BELOW(data->report.free_residual, 1e-12, 1);
    pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
  }
}

static plSpec* cantilever_spec(plVec3 gravity) {
  plSpec* spec = pl_spec_create();
  plMesh* mesh = box_mesh((plVec3){0.5, 0.1, 0.1}, 20, 4, 4);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "beam", def.mesh = mesh;
  def.material.young = 1e6, def.material.poisson = 0.3, def.material.damping_stiffness = 0.1;
  plOptions* options = pl_spec_options(spec);
  options->gravity = gravity, options->dt = 0.05;
  pl_spec_add_deformable(spec, &def, NULL, NULL);
  plFixDef fix = pl_default_fix_def();
  fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre.x = -0.25, fix.region.normal = (plVec3){1, 0, 0};
  pl_spec_add_fix(spec, &fix, NULL);
  pl_mesh_destroy(mesh);
  return spec;
}

// Timoshenko with a small load: linear tets are too stiff in bending, so the tip comes to within 25 % from
// below at this mesh.
static void a_cantilever_bends(void) {
  plError error;
  double g = 0.05, rho = 1000, E = 1e6, L = 0.5, h = 0.1;
  plSpec* spec = cantilever_spec((plVec3){0, 0, -g});
  const plModel* model = pl_model_create(spec, &error);
  plData* data = pl_data_create(model, &error);
  for (int i = 0; i < 200; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  double q = rho * g * h * h, I = h * h * h * h / 12, G = E / 2.6;
  double expected = q * pow(L, 4) / (8 * E * I) + q * L * L / (2 * 5.0 / 6 * G * h * h);
  double tip = 0;
  int count = 0;
  for (int i = 0; i < model->nvert; i++) {
    if (model->vert_rest[3 * i] > 0.2499) tip += model->start_q[3 * i + 2] - data->q[3 * i + 2], count++;
    if (model->vert_rest[3 * i] < -0.2499) CHECK_NEAR(data->q[3 * i + 2], model->start_q[3 * i + 2], 0);
  }
  tip /= count;
  CHECK(tip < expected && tip > 0.75 * expected);
  if (!(tip < expected && tip > 0.75 * expected)) printf("tip %g, Timoshenko %g\n", tip, expected);
  // At rest the elastic energy is half of the work of the weight.
  plBodyState state;
  pl_deformable_state(data, 0, &state);
  double work = -state.mass * g * (state.com.z - 0);
  CHECK_NEAR(state.elastic_energy / (0.5 * work), 1, 6.7e-7);
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
}

// A held end that moves along a table carries the block with it.
static void given_motion_is_followed(void) {
  plError error;
  plSpec* spec = block_spec(0, pl_default_options());
  pl_spec_options(spec)->gravity = (plVec3){0, 0, 0};
  double time[] = {0, 0.5, 1};
  plVec3 offset[] = {{0, 0, 0}, {0.1, 0, 0}, {0.1, 0, 0}};
  plFixDef fix = pl_default_fix_def();
  fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre.z = -0.0499;
  fix.ntime = 3, fix.time = time, fix.offset = offset;
  CHECK_INT(pl_spec_add_fix(spec, &fix, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  plData* data = pl_data_create(model, &error);
  for (int i = 0; i < 50; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  int held = 0;
  for (int i = 0; i < model->nvert; i++)
    if (model->vert_fixed[i]) {
      held++;
      CHECK_ROUND(data->q[3 * i] - model->start_q[3 * i], 0.1, 0.1);
    }
  CHECK_INT(held, 16);
  for (int i = 0; i < 250; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  plBodyState state;
  pl_deformable_state(data, 0, &state);
  CHECK_ROUND(state.com.x, 0.1, 0.1);
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
}

static void a_steady_step_allocates_nothing(void) {
  plError error;
  plSpec* spec = cantilever_spec((plVec3){0, 0, -9.81});
  const plModel* model = pl_model_create(spec, &error);
  plData* data = pl_data_create(model, &error);
  for (int i = 0; i < 5; i++) pl_step(data, &error);
  long before = pl_alloc_count();
  for (int i = 0; i < 20; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  CHECK_INT(pl_alloc_count() - before, 0);
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
}

// Every allocation of building and stepping may fail: a status, no leak (the sanitizers watch), no crash.
static void running_out_of_memory_is_a_status(void) {
  plError error;
  plSpec* spec = block_spec(0.2, pl_default_options());
  bool done = false;
  for (long n = 0; n < 2000 && !done; n++) {
    pl_alloc_fail_after(n);
    const plModel* model = pl_model_create(spec, &error);
    plData* data = model ? pl_data_create(model, &error) : NULL;
    plStatus status = data ? pl_step(data, &error) : error.status;
    pl_alloc_fail_after(-1);
    if (status)
      CHECK_INT(status, PL_ERROR_MEMORY);
    else
      done = true;
    pl_data_destroy(data), pl_model_destroy(model);
  }
  CHECK(done);
  pl_spec_destroy(spec);
}

static uint64_t run_hash(const plModel* model, int steps) {
  plError error;
  plData* data = pl_data_create(model, &error);
  for (int i = 0; i < steps; i++) pl_step(data, &error);
  uint64_t hash = pl_state_hash(data);
  pl_data_destroy(data);
  return hash;
}

static void bits_do_not_depend_on_threads(void) {
  plError error;
  uint64_t expected = 0;
  for (int threads = 1; threads <= 4; threads *= 2) {
    plSpec* spec = cantilever_spec((plVec3){0, 0, -9.81});
    pl_spec_options(spec)->threads = threads;
    const plModel* model = pl_model_create(spec, &error);
    uint64_t hash = run_hash(model, 10);
    if (threads == 1) expected = hash;
    CHECK(hash == expected);
    pl_model_destroy(model), pl_spec_destroy(spec);
  }
}

// Save, load, go on: the same bits as not stopping; another model's state is refused and changes nothing.
static void a_saved_state_goes_on_with_the_same_bits(void) {
  plError error;
  char path[] = "test_free.state";
  plSpec* spec = cantilever_spec((plVec3){0, 0, -9.81});
  const plModel* model = pl_model_create(spec, &error);
  plData* data = pl_data_create(model, &error);
  for (int i = 0; i < 10; i++) pl_step(data, &error);
  data->f_user[5] = 0.25;
  CHECK_INT(pl_state_save(data, path, &error), PL_OK);
  for (int i = 0; i < 10; i++) pl_step(data, &error);
  uint64_t straight = pl_state_hash(data);
  plData* again = pl_data_create(model, &error);
  CHECK_INT(pl_state_load(again, path, &error), PL_OK);
  for (int i = 0; i < 10; i++) pl_step(again, &error);
  CHECK(pl_state_hash(again) == straight);
  pl_data_destroy(again), pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);

  plSpec* other_spec = block_spec(0.3, pl_default_options());
  const plModel* other = pl_model_create(other_spec, &error);
  plData* other_data = pl_data_create(other, &error);
  uint64_t before = pl_state_hash(other_data);
  CHECK_INT(pl_state_load(other_data, path, &error), PL_ERROR_MISMATCH);
  CHECK(pl_state_hash(other_data) == before);
  // A damaged file is recognised.
  FILE* file = fopen(path, "r+b");
  fseek(file, 200, SEEK_SET), fputc(7, file), fclose(file);
  plStatus damaged = pl_state_load(other_data, path, &error);
  CHECK(damaged == PL_ERROR_INPUT || damaged == PL_ERROR_MISMATCH);
  CHECK_INT(pl_state_load(other_data, "no/such/file", &error), PL_ERROR_IO);
  remove(path);
  pl_data_destroy(other_data), pl_model_destroy(other), pl_spec_destroy(other_spec);
}

static plStatus push(plData* data, void* user) {
  int* calls = user;
  if (++*calls > 5) return PL_ERROR_INPUT;
  for (int i = 0; i < data->model->nvert; i++)
    data->f_user[3 * i] = 2.0 * data->par->deform_material[0].density * data->model->vert_volume[i];
  return PL_OK;
}

static void the_control_callback_pushes_and_may_end_the_run(void) {
  plError error;
  plSpec* spec = block_spec(0.2, pl_default_options());
  const plModel* model = pl_model_create(spec, &error);
  plData* data = pl_data_create(model, &error);
  int calls = 0;
  pl_data_set_control(data, push, &calls);
  for (int i = 0; i < 5; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  plBodyState state;
  pl_deformable_state(data, 0, &state);
  CHECK_ROUND(state.momentum.x / state.mass, 2.0 * 5 * 0.01, 0.1);
  uint64_t before = pl_state_hash(data);
  CHECK_INT(pl_step(data, &error), PL_ERROR_CANCELLED);
  CHECK(pl_state_hash(data) == before);
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
}

static void a_step_that_fails_leaves_the_state(void) {
  plError error;
  plSpec* spec = block_spec(0.2, pl_default_options());
  const plModel* model = pl_model_create(spec, &error);
  plData* data = pl_data_create(model, &error);
  data->f_user[0] = 1e308;
  data->f_user[3] = INFINITY;
  uint64_t before = pl_state_hash(data);
  plStatus status = pl_step(data, &error);
  CHECK(status == PL_ERROR_NOT_FINITE || status == PL_ERROR_INDEFINITE);
  CHECK(pl_state_hash(data) == before);
  CHECK_HAS(error.message, "block");
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
}

// Vertices by index, in any order and even repeated, are the vertices that are held.
static void an_unsorted_list_of_vertices_is_held(void) {
  plError error;
  plSpec* spec = block_spec(0.2, pl_default_options());
  int list[] = {40, 3, 63, 3, 17, 0};
  plFixDef fix = pl_default_fix_def();
  fix.region.kind = PL_REGION_INDICES, fix.region.index = list, fix.region.nindex = 6;
  CHECK_INT(pl_spec_add_fix(spec, &fix, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  int held = 0;
  for (int i = 0; i < model->nvert; i++) held += model->vert_fixed[i] != 0;
  CHECK_INT(held, 5);
  CHECK(model->vert_fixed[40] && model->vert_fixed[3] && model->vert_fixed[63] && model->vert_fixed[17] &&
        model->vert_fixed[0]);
  pl_model_destroy(model), pl_spec_destroy(spec);
}

// A linear law takes one factorization and one solve a step, also while it turns, with every implicit scheme
// and with damping: its equation (11) is linear in v.
static void linear_laws_take_one_solve(void) {
  static const plMaterialKind kinds[] = {PL_MATERIAL_LINEAR, PL_MATERIAL_LINEAR_COROTATED};
  for (int k = 0; k < 6; k++) {
    plOptions options = pl_default_options();
    options.theta = k / 2 == 1 ? 0.5 : 1, options.theta_vq = k / 2 ? 0.5 : 1;
    plSpec* spec = pl_spec_create();
    plMesh* mesh = box_mesh((plVec3){0.2, 0.1, 0.1}, 2, 1, 1);
    plDeformableDef def = pl_default_deformable_def();
    def.name = "box", def.mesh = mesh, def.material.kind = kinds[k % 2],
    def.material.damping_stiffness = 0.01;
    if (k % 2) def.angular_velocity = (plVec3){1, 2, 5};
    *pl_spec_options(spec) = options;
    CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, NULL), PL_OK);
    const plModel* model = pl_model_create(spec, NULL);
    plData* data = pl_data_create(model, NULL);
    for (int i = 0; i < 20; i++) {
      CHECK_INT(pl_step(data, NULL), PL_OK);
      CHECK_INT(data->report.free_iterations, 1);
      CHECK_INT(data->report.factorizations, 1);
    }
    pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec), pl_mesh_destroy(mesh);
  }
}

// Middles of the edges of quadratic tetrahedra can be named, behind the mesh's vertices; with both ends named
// they are held too. Fixed vertices, loads and attachments read a list in the same way.
static void middles_of_edges_can_be_named(void) {
  plError error;
  plSpec* spec = pl_spec_create();
  plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, 1, 1, 1);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "block", def.mesh = mesh, def.material.element = PL_ELEMENT_TET10;
  CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
  int list[] = {25, 0, 1, 8 + 18};
  plFixDef fix = pl_default_fix_def();
  fix.region.kind = PL_REGION_INDICES, fix.region.index = list, fix.region.nindex = 4;
  CHECK_INT(pl_spec_add_fix(spec, &fix, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message,
            "names vertex 26, but there are 26: 8 of the mesh, then the middles of its 18 edges");
  fix.region.nindex = 3;
  CHECK_INT(pl_spec_add_fix(spec, &fix, &error), PL_OK);
  plAttachDef attach = pl_default_attach_def();
  attach.name = "hold", attach.body = -1, attach.region = fix.region;
  CHECK_INT(pl_spec_add_attachment(spec, &attach, NULL, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  if (!model) printf("%s\n", error.message);
  int held = 0, middle = -1;
  for (int t = 0; t < model->ntet; t++)  // the first edge of a tet joins its first two vertices
    if (model->tet_vert[4 * t] + model->tet_vert[4 * t + 1] == 1) middle = model->tet_mid[6 * t];
  for (int i = 0; i < model->nvert; i++) held += model->vert_fixed[i] != 0;
  CHECK_INT(held, 4);
  CHECK(model->vert_fixed[0] && model->vert_fixed[1] && model->vert_fixed[25]);
  CHECK(middle >= 8 && model->vert_fixed[middle]);
  CHECK_INT(model->attach_vert0[1], 4);
  pl_model_destroy(model), pl_spec_destroy(spec), pl_mesh_destroy(mesh);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_block_falls_like_a_point);
  RUN(a_cantilever_bends);
  RUN(given_motion_is_followed);
  RUN(a_steady_step_allocates_nothing);
  RUN(running_out_of_memory_is_a_status);
  RUN(bits_do_not_depend_on_threads);
  RUN(a_saved_state_goes_on_with_the_same_bits);
  RUN(the_control_callback_pushes_and_may_end_the_run);
  RUN(a_step_that_fails_leaves_the_state);
  RUN(an_unsorted_list_of_vertices_is_held);
  RUN(middles_of_edges_can_be_named);
  RUN(linear_laws_take_one_solve);
  return CHECK_END;
}

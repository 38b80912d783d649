// Four threads step four simulations of one model: the bits they give alone. Runs under the thread sanitizer
// too.
#include "check.h"

#include <pthread.h>
#include <stdint.h>

#include "scenes.h"

enum { THREADS = 4, STEPS = 20 };

static const plModel* shared;
static uint64_t hashes[THREADS];

static uint64_t simulate(int which) {
  plError error;
  plData* data = pl_data_create(shared, &error);
  for (int i = 0; i < 3; i++) data->v[i] = 0.01 * which;
  for (int i = 0; i < STEPS; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  uint64_t hash = pl_state_hash(data);
  pl_data_destroy(data);
  return hash;
}

static void* run(void* argument) {
  int which = *(int*)argument;
  hashes[which] = simulate(which);
  return NULL;
}

static void run_together(int threads_each) {
  plOptions options = pl_default_options();
  options.threads = threads_each;
  plError error;
  plSpec* spec = block_spec(0.051, options);
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  CHECK_INT(pl_spec_add_shape(spec, &ground, NULL, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  shared = model;
  pthread_t thread[THREADS];
  int which[THREADS];
  for (int i = 0; i < THREADS; i++) which[i] = i, pthread_create(&thread[i], NULL, run, &which[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < THREADS; i++) CHECK(hashes[i] == simulate(i));
  CHECK(hashes[0] != hashes[1]);
  pl_model_destroy(model), pl_spec_destroy(spec);
}

static void four_threads_give_the_bits_of_one(void) { run_together(1); }
static void also_when_each_has_threads_of_its_own(void) { run_together(2); }
static void also_when_each_finds_out_how_many_help(void) { run_together(0); }

static void add_plate(plSpec* spec, const char* name, double height, int cells) {
  plError error;
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_box_cells((plVec3){0.1, 0.1, 0.02}, cells, cells, 2, &mesh, &error), PL_OK);
  plDeformableDef def = pl_default_deformable_def();
  def.name = name, def.mesh = mesh, def.pose.p = (plVec3){0.003, 0, height};
  def.material.young = 1e5, def.material.density = 1000;
  CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
  pl_mesh_destroy(mesh);
}

// Two plates, one on the other, with more than two hundred contact points: their rows are written by all
// threads, and their symbolic factorizations beside the momentum.
static uint64_t stack_plates(int threads, int* contacts) {
  plError error;
  plSpec* spec = pl_spec_create();
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  CHECK_INT(pl_spec_add_shape(spec, &ground, NULL, &error), PL_OK);
  add_plate(spec, "lower", 0.0099, 10), add_plate(spec, "upper", 0.0297, 7);
  pl_spec_options(spec)->threads = threads;
  const plModel* model = pl_model_create(spec, &error);
  plData* data = pl_data_create(model, &error);
  *contacts = 0;
  for (int i = 0; i < 6; i++) {
    CHECK_INT(pl_step(data, &error), PL_OK);
    if (data->report.contacts > *contacts) *contacts = data->report.contacts;
  }
  uint64_t hash = pl_state_hash(data);
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
  return hash;
}

static void many_contacts_have_the_bits_of_one_thread(void) {
  int contacts;
  uint64_t expected = stack_plates(1, &contacts);
  CHECK(contacts > 200);
  for (int threads = 0; threads <= 3; threads++) CHECK(stack_plates(threads, &contacts) == expected);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(four_threads_give_the_bits_of_one);
  RUN(also_when_each_has_threads_of_its_own);
  RUN(also_when_each_finds_out_how_many_help);
  RUN(many_contacts_have_the_bits_of_one_thread);
  return CHECK_END;
}

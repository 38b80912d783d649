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

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(four_threads_give_the_bits_of_one);
  RUN(also_when_each_has_threads_of_its_own);
  RUN(also_when_each_finds_out_how_many_help);
  return CHECK_END;
}

// One model, many simulations: sixteen threads take a thousand steps each and the model's memory keeps every
// byte. What is shared is constant; a cache that fills itself on first use would show here.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "pliant/pliant.h"

// ---- every block that the model's creation leaves behind

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WATCHED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WATCHED 0
#endif
#endif
#ifndef WATCHED
#define WATCHED 1
#endif

enum { MOST = 1 << 16 };
static struct Block {
  void* at;
  size_t size;
} block[MOST];
static int nblock = 0;
static bool watching = false;

#if WATCHED
// The library takes all of its memory by aligned_alloc; these stand in for the system's.
void* __libc_memalign(size_t align, size_t size);
void __libc_free(void* at);
void* aligned_alloc(size_t align, size_t size) {
  void* at = __libc_memalign(align, size);
  if (watching && nblock < MOST) block[nblock++] = (struct Block){at, size};
  return at;
}
void free(void* at) {
  for (int i = nblock - 1; watching && at && i >= 0; i--)
    if (block[i].at == at) {
      block[i] = block[--nblock];
      break;
    }
  __libc_free(at);
}
#endif

static char* copy_of_blocks(size_t* size) {
  *size = 0;
  for (int i = 0; i < nblock; i++) *size += block[i].size;
  char *copy = malloc(*size + 1), *at = copy;
  for (int i = 0; i < nblock; i++) memcpy(at, block[i].at, block[i].size), at += block[i].size;
  return copy;
}

static const plModel* make(const char* name) {
  char path[512];
  plError error;
  plSpec* spec = NULL;
  snprintf(path, sizeof path, "%s/scenes/%s.yaml", PLIANT_SOURCEDIR, name);
  CHECK_INT(pl_spec_load(path, NULL, &spec, &error), PL_OK);
  nblock = 0, watching = true;
  const plModel* model = spec ? pl_model_create(spec, &error) : NULL;
  watching = false;
  pl_spec_destroy(spec);
  return model;
}

typedef struct Life {
  const plModel* model;
  plData* data;
  int steps;
  int row;
  plStatus status;
  uint64_t hash;
} Life;

// Each has a parameter of its own, so that nothing of one simulation suits another.
static void* live(void* user) {
  Life* l = user;
  plError error;
  l->status = pl_parameter_set(l->data, "options.gravity.z", -9.81 * (1 + 0.01 * l->row), &error);
  for (int i = 0; i < l->steps && !l->status; i++) l->status = pl_step(l->data, &error);
  l->hash = pl_state_hash(l->data);
  return NULL;
}

static void the_model_keeps_every_byte(const char* scene, int steps) {
  enum { N = 16 };
  plError error;
  const plModel* model = make(scene);
  CHECK(model != NULL);
  if (!model) return;
  Life life[N], again;
  pthread_t thread[N];
  for (int i = 0; i < N; i++)
    life[i] = (Life){.model = model, .data = pl_data_create(model, &error), .steps = steps, .row = i};
  size_t size, later;
  char* before = copy_of_blocks(&size);
  for (int i = 0; i < N; i++) CHECK_INT(pthread_create(&thread[i], NULL, live, &life[i]), 0);
  for (int i = 0; i < N; i++) pthread_join(thread[i], NULL);
  char* after = copy_of_blocks(&later);
  CHECK(size == later && !memcmp(before, after, size));
  if (WATCHED) CHECK(nblock > 10 && nblock < MOST && size > 10000);
  for (int i = 0; i < N; i++) CHECK_INT(life[i].status, PL_OK);
  // and a simulation alone gives the same bits
  again = (Life){.model = model, .data = pl_data_create(model, &error), .steps = steps, .row = 7};
  live(&again);
  CHECK(again.hash == life[7].hash && life[7].hash != life[8].hash);
  for (int i = 0; i < N; i++) pl_data_destroy(life[i].data);
  pl_data_destroy(again.data), pl_model_destroy(model);
  free(before), free(after);
}

static void a_soft_block_on_the_ground(void) { the_model_keeps_every_byte("block", WATCHED ? 1000 : 20); }
static void a_hand_with_a_soft_ball(void) { the_model_keeps_every_byte("allegro", WATCHED ? 40 : 5); }

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_soft_block_on_the_ground);
  RUN(a_hand_with_a_soft_ball);
  return CHECK_END;
}

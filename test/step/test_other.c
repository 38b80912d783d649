// The state of another model, of equal size: it is accepted where the models have one hash, that is where
// they differ in parameters alone, and refused otherwise, in every way in which a state is set.
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "pliant/pliant.h"

static plError error;

enum { MOST = 4, STRUCTURE = 6, CHANGES = 11 };

typedef struct Body {
  char name[16];
  const char* joint;
  double axis[3], position[3], start, mass, damping;
} Body;

typedef struct Scene {
  int n;
  Body body[MOST];
  double size, gravity, dt, young;
} Scene;

static Scene draw(plRandom* random) {
  Scene s = {.n = 1 + pl_random_int(random, MOST), .size = 0.1, .gravity = -9.81, .dt = 0.01, .young = 1e4};
  for (int i = 0; i < s.n; i++) {
    Body* b = &s.body[i];
    snprintf(b->name, sizeof b->name, "b%d", i);
    b->joint = pl_random_int(random, 2) ? "revolute" : "prismatic";
    for (int k = 0; k < 3; k++)
      b->axis[k] = pl_random(random, 0.1, 1), b->position[k] = i + pl_random(random, 0, 0.5);
    b->mass = pl_random(random, 0.5, 2), b->damping = pl_random(random, 0, 1);
  }
  return s;
}

// One thing that belongs to the structure or the start (below STRUCTURE), or one parameter.
static void change(Scene* s, int what, plRandom* random) {
  Body* b = &s->body[pl_random_int(random, s->n)];
  if (what == 0) b->name[0] = 'c';
  if (what == 1) b->joint = b->joint[0] == 'r' ? "prismatic" : "revolute";
  if (what == 2) b->axis[0] += 0.5;
  if (what == 3) b->position[pl_random_int(random, 3)] += 0.1;
  if (what == 4) s->size += 0.01;
  if (what == 5) b->start += 0.1;
  if (what == 6) b->mass *= 2;
  if (what == 7) b->damping += 0.5;
  if (what == 8) s->gravity *= 0.5;
  if (what == 9) s->dt *= 0.5;
  if (what == 10) s->young *= 3;
}

static const plModel* compile(const Scene* s) {
  char text[8192];
  int n = snprintf(text, sizeof text, "pliant: 1\noptions: {dt: %g, gravity: [0, 0, %g]}\nbodies:\n", s->dt,
                   s->gravity);
  for (int i = 0; i < s->n; i++) {
    const Body* b = &s->body[i];
    n += snprintf(
        text + n, sizeof text - (size_t)n,
        "  - {name: %s, mass: %g, inertia: [0.1, 0.1, 0.1], joint: {name: j%d, kind: %s, axis: [%g, %g, %g], "
        "position: %g, damping: %g, pose: {position: [%g, %g, %g]}}}\n",
        b->name, b->mass, i, b->joint, b->axis[0], b->axis[1], b->axis[2], b->start, b->damping,
        b->position[0], b->position[1], b->position[2]);
  }
  snprintf(text + n, sizeof text - (size_t)n,
           "deformables:\n  - {name: soft, shape: box, size: [%g, 0.1, 0.1], cells: [1, 1, 1], material: "
           "{young: %g}}\n",
           s->size, s->young);
  plSpec* spec = NULL;
  if (pl_spec_parse("other.yaml", "", text, strlen(text), NULL, &spec, &error))
    printf("%s\n%s", error.message, text), exit(1);
  const plModel* model = pl_model_create(spec, &error);
  if (!model) printf("%s\n", error.message), exit(1);
  pl_spec_destroy(spec);
  return model;
}

static plData* busy(const plModel* model, plRandom* random) {
  plData* data = pl_data_create(model, &error);
  for (int k = 0; k < model->nv; k++) data->v[k] = pl_random(random, -0.1, 0.1);
  for (int k = 0; k < 2; k++) CHECK_INT(pl_step(data, &error), PL_OK);
  return data;
}

static void equal_size_is_not_enough(void) {
  plRandom random = {11};
  for (int trial = 0; trial < 10 * CHANGES; trial++) {
    int what = trial % CHANGES;
    Scene a = draw(&random), b = a;
    change(&b, what, &random);
    const plModel *of_a = compile(&a), *of_b = compile(&b);
    plData *from = busy(of_a, &random), *to = busy(of_b, &random);
    const plStatus expected = what < STRUCTURE ? PL_ERROR_MISMATCH : PL_OK;
    CHECK((of_a->hash == of_b->hash) == !expected);
    uint64_t hash = pl_state_hash(to), parameters = pl_parameter_hash(to);
    size_t size = pl_state_size(from);
    CHECK_INT(size, pl_state_size(to));
    char* bytes = PL_NEW(char, size);
    CHECK_INT(pl_state_get(from, bytes, size, &error), PL_OK);

    CHECK_INT(pl_state_set(to, bytes, size, &error), expected);
    if (expected) CHECK_HAS(error.message, "another model");
    CHECK(pl_state_hash(to) == (expected ? hash : pl_state_hash(from)));
    CHECK(pl_parameter_hash(to) == (expected ? parameters : pl_parameter_hash(from)));

    CHECK_INT(pl_state_save(from, "test_other.state", &error), PL_OK);
    CHECK_INT(pl_state_load(to, "test_other.state", &error), expected);

    plBatch* batch = pl_batch_create(of_b, 2, 1, &error);
    CHECK_INT(pl_batch_state_set(batch, NULL, 0, bytes, size, &error), expected);
    CHECK_INT(pl_batch_state_size(batch, 1), size);
    plData* row = pl_data_create(of_b, &error);
    uint64_t start = pl_state_hash(row);
    CHECK_INT(pl_batch_get(batch, 1, row, &error), PL_OK);
    CHECK(pl_state_hash(row) == (expected ? start : pl_state_hash(from)));
    pl_batch_destroy(batch);

    pl_free(bytes);
    pl_data_destroy(row), pl_data_destroy(from), pl_data_destroy(to);
    pl_model_destroy(of_a), pl_model_destroy(of_b);
  }
  remove("test_other.state");
}

// Bytes without a header, as versions before it gave them, are refused with a sentence; so are pieces.
static void other_bytes_are_refused(void) {
  plRandom random = {5};
  Scene s = draw(&random);
  const plModel* model = compile(&s);
  plData* data = busy(model, &random);
  size_t size = pl_state_size(data);
  char* bytes = PL_NEW(char, size);
  CHECK_INT(pl_state_get(data, bytes, size, &error), PL_OK);
  uint64_t hash = pl_state_hash(data);
  CHECK_INT(pl_state_set(data, bytes + 32, size - 32, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "earlier versions");
  for (size_t n = 0; n < size; n += 1 + size / 50)
    CHECK_INT(pl_state_set(data, bytes, n, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "damaged");
  CHECK(pl_state_hash(data) == hash);
  CHECK_INT(pl_state_set(data, bytes, size, &error), PL_OK);
  pl_free(bytes);
  pl_data_destroy(data), pl_model_destroy(model);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(equal_size_is_not_enough);
  RUN(other_bytes_are_refused);
  return CHECK_END;
}

// A large pair is worked on by all threads: points, weights and counts have the bits of one thread. Runs
// under the thread sanitizer too.
#include "contact/contact.h"
#include "check.h"
#include "large_pair.h"
#include "step/step.h"

#ifdef __SANITIZE_THREAD__  // takes 20 times as long
enum { MOST_THREADS = 2, STEPS = 1 };
#else
enum { MOST_THREADS = 4, STEPS = 4 };
#endif

typedef struct Found {
  plSpec* spec;
  const plModel* model;
  plData* data;
} Found;

static Found find(LargePair kind, int n, int threads, int reduce) {
  plError error;
  Found f = {.spec = large_pair_spec(kind, n, threads)};
  pl_spec_options(f.spec)->contact_points = reduce;
  f.model = pl_model_create(f.spec, &error);
  f.data = f.model ? pl_data_create(f.model, &error) : NULL;
  CHECK(f.data != NULL);
  if (f.data) CHECK_INT(pl_step_kinematics(f.model, f.data), PL_OK);
  return f;
}

static void forget(Found* f) {
  pl_data_destroy(f->data), pl_model_destroy(f->model), pl_spec_destroy(f->spec);
}

static bool same_side(const plContactSide* a, const plContactSide* b) {
  bool same = a->body == b->body && a->shape_id == b->shape_id && a->tri == b->tri && a->nvert == b->nvert;
  for (int i = 0; i < a->nvert && same; i++)
    same = a->vert[i] == b->vert[i] && !memcmp(&a->weight[i], &b->weight[i], sizeof(double));
  return same;
}

static bool same_point(const plContactPoint* a, const plContactPoint* b) {
  double x[] = {a->position.x, a->position.y, a->position.z, a->normal.x, a->normal.y,
                a->normal.z,   a->gap,        a->area,       a->share};
  double y[] = {b->position.x, b->position.y, b->position.z, b->normal.x, b->normal.y,
                b->normal.z,   b->gap,        b->area,       b->share};
  return !memcmp(x, y, sizeof x) && same_side(&a->a, &b->a) && same_side(&a->b, &b->b);
}

static void compare(Found* one, Found* many) {
  CHECK_INT(pl_contact_find(one->model, one->data), PL_OK);
  CHECK_INT(pl_contact_find(many->model, many->data), PL_OK);
  const plWork *a = one->data->work, *b = many->data->work;
  const plPairList *la = a->contact->list, *lb = b->contact->list;
  CHECK_INT(a->contact->nlist, 1);
  CHECK(lb->large);
  CHECK_INT(a->npoint, b->npoint);
  CHECK(la->candidates == lb->candidates && la->skipped == lb->skipped && la->deep == lb->deep &&
        la->merged == lb->merged);
  int differ = 0;
  for (int i = 0; i < a->npoint && i < b->npoint; i++) differ += !same_point(&a->point[i], &b->point[i]);
  CHECK_INT(differ, 0);
}

static void check_kind(LargePair kind, int reduce, int least) {
  Found one = find(kind, 20, 1, reduce);
  for (int threads = 2; threads <= MOST_THREADS; threads++) {
    Found many = find(kind, 20, threads, reduce);
    // The first step counts buried vertices too; later ones do not.
    for (int i = 0; i < 2; i++) one.data->work->placed = many.data->work->placed = !i, compare(&one, &many);
    forget(&many);
  }
  CHECK(one.data->work->npoint >= least);
  printf("%s: %d points of %d pairs of facets\n", large_pair_name[kind], one.data->work->npoint,
         one.data->work->contact->list[0].candidates);
  forget(&one);
}

static void soft_on_soft(void) { check_kind(LARGE_SOFT_SOFT, 0, 300); }
static void reduced(void) { check_kind(LARGE_SOFT_SOFT, 12, 12); }
static void soft_on_a_rigid_mesh(void) { check_kind(LARGE_SOFT_MESH, 0, 300); }
static void soft_on_a_sphere(void) { check_kind(LARGE_SOFT_SPHERE, 0, 100); }
static void soft_on_a_half_space(void) { check_kind(LARGE_SOFT_PLANE, 0, 60); }
static void rigid_meshes(void) { check_kind(LARGE_MESH_MESH, 0, 300); }
static void a_mesh_and_a_capsule(void) { check_kind(LARGE_MESH_CAPSULE, 0, 5); }

static void steps_of(LargePair kind) {
  uint64_t hash[MOST_THREADS];
  for (int threads = 1; threads <= MOST_THREADS; threads++) {
    Found f = find(kind, 16, threads, 0);
    plError error;
    for (int i = 0; i < STEPS; i++) CHECK_INT(pl_step(f.data, &error), PL_OK);
    CHECK(f.data->ncontact > 100);
    hash[threads - 1] = pl_state_hash(f.data);
    forget(&f);
  }
  for (int i = 1; i < MOST_THREADS; i++) CHECK(hash[i] == hash[0]);
}

static void whole_steps(void) {
  steps_of(LARGE_MESH_MESH);
  steps_of(LARGE_SOFT_MESH);
}

// A part that runs out of memory fails the stage, whichever it is; the next step finds the same points as
// ever.
static void memory_runs_out(void) {
  Found one = find(LARGE_SOFT_SOFT, 24, 1, 0), many = find(LARGE_SOFT_SOFT, 24, 2, 0);
  int failed = 0;
  for (int n = 0; n < 40; n++) {
    pl_alloc_fail_after(n);
    failed += pl_contact_find(many.model, many.data) != PL_OK;
    pl_alloc_fail_after(-1);
  }
  CHECK(failed > 0);
  compare(&one, &many);
  forget(&one), forget(&many);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(soft_on_soft);
  RUN(reduced);
  RUN(soft_on_a_rigid_mesh);
  RUN(soft_on_a_sphere);
  RUN(soft_on_a_half_space);
  RUN(rigid_meshes);
  RUN(a_mesh_and_a_capsule);
  RUN(whole_steps);
  RUN(memory_runs_out);
  return CHECK_END;
}

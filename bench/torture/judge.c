// judge.c: runs a scene and checks the laws (laws.c) after every step.
//
// Two runs: one thread from start to end, its state saved in the middle; two threads from the start to the
// middle and then one thread from the saved state to the end. Both must end in the same bits.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "judge.h"

static const double SLOW = 30;  // s, limit for one scene

const char* const outcome_name[OUTCOME_COUNT] = {
    [OUTCOME_OK] = "ok",
    [OUTCOME_RULED_OUT] = "refused by a written rule",
    [OUTCOME_REFUSED] = "refused inside the ranges",
    [OUTCOME_STATUS] = "status of a step",
    [OUTCOME_PASSAGE] = "ended before a passage",
    [OUTCOME_NOT_KEPT] = "state changed by a failed step",
    [OUTCOME_UNCONVERGED] = "residual above tolerance",
    [OUTCOME_FINITE] = "not finite",
    [OUTCOME_ENERGY] = "energy from nothing",
    [OUTCOME_GAIN] = "energy gain not reported",
    [OUTCOME_MOMENTUM] = "momentum",
    [OUTCOME_ANGULAR] = "angular momentum",
    [OUTCOME_REST] = "rest does not last",
    [OUTCOME_PASSED] = "passage",
    [OUTCOME_OVERLAP] = "overlap",
    [OUTCOME_THREADS] = "bits depend on threads",
    [OUTCOME_RESTART] = "bits depend on a restart",
    [OUTCOME_SLOW] = "slow",
    [OUTCOME_CRASH] = "crash",
    [OUTCOME_LARGE] = "too many vertices",
};

void fail(Verdict* v, Outcome outcome, int step, const char* format, ...) {
  if (v->outcome) return;
  va_list list;
  va_start(list, format);
  v->outcome = outcome, v->step = step;
  vsnprintf(v->why, sizeof v->why, format, list);
  va_end(list);
}

static double processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const plModel* load(const char* text, const char* folder, int threads, plError* error) {
  char number[8];
  snprintf(number, sizeof number, "%d", threads);
  plOverride set = {"options.threads", number};
  plLoadOptions options = {.overrides = &set, .noverride = 1};
  plSpec* spec = NULL;
  if (pl_spec_parse("scene.yaml", folder, text, strlen(text), &options, &spec, error)) return NULL;
  const plModel* model = pl_model_create(spec, error);
  pl_spec_destroy(spec);
  return model;
}

// A refusal is correct if the scene exceeds the ranges and nothing has moved yet.
static void refused(Verdict* v, const char* text, const char* why) {
  bool beyond = strstr(text, MARK_BEYOND) != NULL;
  fail(v, beyond ? OUTCOME_RULED_OUT : OUTCOME_REFUSED, 0, "%s", why);
}

// The rule of docs/scene.md for steps: beyond the ranges, an impact faster than the waves of the body that it
// hits may have no solution. The message must say so.
static bool is_shock(const char* text, const char* why) {
  return strstr(text, MARK_BEYOND) && strstr(why, "times the speed of its waves");
}

static bool all_finite(const plData* data) {
  for (int i = 0; i < data->model->nq; i++)
    if (!isfinite(data->q[i])) return false;
  for (int i = 0; i < data->model->nv; i++)
    if (!isfinite(data->v[i]) || !isfinite(data->f_constraint[i])) return false;
  for (int i = 0; i < data->ncontact; i++)
    if (!isfinite(data->contact[i].force.x + data->contact[i].force.y + data->contact[i].force.z))
      return false;
  return true;
}

// One step with all its checks; false if the run ends here.
static bool judged_step(Run* run, const char* text, int step, Verdict* v) {
  plData* data = run->data;
  plError error = {0};
  uint64_t hash = pl_state_hash(data);
  run_before(run);
  plStatus status = pl_step(data, &error);
  if (status) {
    if (pl_state_hash(data) != hash) fail(v, OUTCOME_NOT_KEPT, step, "%s", error.message);
    if (status == PL_ERROR_UNSTABLE && step == 0) return refused(v, text, error.message), false;
    if (is_shock(text, error.message)) return fail(v, OUTCOME_RULED_OUT, step, "%s", error.message), false;
    if (status == PL_ERROR_PASSAGE) return fail(v, OUTCOME_PASSAGE, step, "%s", error.message), false;
    return fail(v, OUTCOME_STATUS, step, "%s: %s", pl_status_name(status), error.message), false;
  }
  if (!all_finite(data)) return fail(v, OUTCOME_FINITE, step, "state or forces"), false;
  run_count(run, v);
  run_laws(run, v);
  overlaps_step(run->overlaps, data, step % 8 == 7, run->scale, v);
  return v->outcome == OUTCOME_OK;
}

// From the start to the end on one thread; the state in the middle goes to *middle.
static void first_run(Run* run, const char* text, int steps, void** middle, size_t* size, uint64_t hash[2],
                      Verdict* v) {
  double begin = processor_time();
  for (int i = 0; i < steps; i++) {
    if (i == steps / 2) {
      hash[0] = pl_state_hash(run->data), *size = pl_state_size(run->data), *middle = malloc(*size);
      if (!*middle || pl_state_get(run->data, *middle, *size, NULL)) abort();
    }
    if (!judged_step(run, text, i, v)) return;
    if (processor_time() - begin > SLOW) fail(v, OUTCOME_SLOW, i, "more than %g s", SLOW);
  }
  hash[1] = pl_state_hash(run->data);
}

static void steps_of(plData* data, int n, Outcome outcome, Verdict* v) {
  plError error = {0};
  for (int i = 0; i < n && !v->outcome; i++)
    if (pl_step(data, &error)) fail(v, outcome, i, "ends with a status: %s", error.message);
}

// Two threads to the middle, one thread from the saved middle to the end.
static void second_run(const char* text, const char* folder, const plModel* model, int steps,
                       const void* middle, size_t size, const uint64_t hash[2], Verdict* v) {
  plError error = {0};
  const plModel* other = load(text, folder, 2, &error);
  plData *two = other ? pl_data_create(other, &error) : NULL, *later = pl_data_create(model, &error);
  if (!two || !later || pl_state_set(later, middle, size, &error)) {
    fail(v, OUTCOME_RESTART, 0, "%s", error.message);
  } else {
    steps_of(two, steps / 2, OUTCOME_THREADS, v);
    if (!v->outcome && pl_state_hash(two) != hash[0])
      fail(v, OUTCOME_THREADS, steps / 2, "another state in the middle");
    steps_of(later, steps - steps / 2, OUTCOME_RESTART, v);
    if (!v->outcome && pl_state_hash(later) != hash[1])
      fail(v, OUTCOME_RESTART, steps, "another state at the end");
  }
  pl_data_destroy(two);
  pl_data_destroy(later);
  pl_model_destroy(other);
}

void judge_scene(const char* text, const char* folder, Verdict* v) {
  double begin = processor_time();
  plError error = {0};
  Run run = {0};
  *v = (Verdict){0};
  run.model = load(text, folder, 1, &error);
  run.data = run.model ? pl_data_create(run.model, &error) : NULL;
  if (!run.data) {
    refused(v, text, error.message);
    pl_model_destroy(run.model);
    return;
  }
  v->nvert = run.model->nvert;
  if (v->nvert > MAX_VERTEX) fail(v, OUTCOME_LARGE, 0, "%d vertices", v->nvert);
  const plModel* m = run.model;
  const plOptions* o = &m->par->options;
  int steps = (int)lround(o->duration / o->dt);
  run.before = calloc((size_t)(m->nq + m->nv) + 1, sizeof(double));
  run.part_q = calloc((size_t)m->nq + 1, sizeof(double));
  run.part_v = calloc(2 * (size_t)m->nv + 1, sizeof(double));
  run.probe = pl_data_create(m, &error);
  run.pose = calloc((size_t)m->nshape + 1, sizeof(plPose));
  run.watch = calloc(3 * (size_t)m->ndeform + 1, sizeof(double));
  run.overlaps = overlaps_create(run.data);
  if (!run.before || !run.part_q || !run.part_v || !run.probe || !run.pose || !run.watch || !run.overlaps)
    abort();
  run_facts(&run, text);
  run_sums(&run, &run.start);
  run.last = run.start, run.angular = run.start.angular;
  void* middle = NULL;
  size_t size = 0;
  uint64_t hash[2] = {0};
  if (!v->outcome) first_run(&run, text, steps, &middle, &size, hash, v);
  if (!v->outcome) second_run(text, folder, run.model, steps, middle, size, hash, v);
  free(middle), free(run.before), free(run.part_q), free(run.part_v), free(run.pose), free(run.watch);
  pl_data_destroy(run.probe);
  overlaps_destroy(run.overlaps);
  pl_data_destroy(run.data);
  pl_model_destroy(run.model);
  v->seconds = processor_time() - begin;
}

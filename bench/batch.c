// batch.c: the cost of a batch compared with a plain loop, and its speed on several processors.
//
//   build/bench/batch [--quick] [--threads N] [--rows N] [--scene NAME] [--json FILE]
//
// For each scene (block, allegro, lift: bench/lift.h), all taken in turns, best of several rounds:
//   overhead    of a row in pl_batch_step (one step a call) beside pl_step of a plData that is stepped alone,
//               also where every row has parameters of its own; CPU time, one thread
//   bits        of all rows after 20 steps equal those of the plain loop, for 1, 2, 3 and 16 threads and
//               shuffled lists
//   speed       steps a second with one thread, with N (default: all processors), and of N processes that run
//               plain loops at the same time
//   memory      bytes a row beside the bytes of its state
// Checks: overhead at most 3 % of a step + 5 us; the bits; at most 3 times the state's bytes a row; N threads
// at least 95 % of N processes and 0.95 N times one thread, where N processes are 0.9 N times as fast as one:
// otherwise the processors are busy with other work, and this is not judged.
#include <malloc.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lift.h"

typedef struct Job {
  const char* name;
  const plModel* model;
  bool lift;
} Job;

typedef struct Result {
  const char* name;
  double plain_us, plain_varied_us;      // a step
  double more_us, more_varied_us;        // additional cost in a batch
  double one, many, processes, process;  // steps a second
  double state, row;                     // bytes
  bool bits;
} Result;

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static double wall(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Job load(const char* name) {
  plError error;
  char path[1024];
  plSpec* spec = NULL;
  if (!strcmp(name, "lift")) return (Job){name, lift_model(false, 1, NULL), true};
  snprintf(path, sizeof path, "%s/%s.yaml", PLIANT_SCENES, name);
  if (pl_spec_load(path, NULL, &spec, &error)) lift_fail(path, &error);
  pl_spec_options(spec)->threads = 1;
  const plModel* model = pl_model_create(spec, &error);
  if (!model) lift_fail(name, &error);
  pl_spec_destroy(spec);
  return (Job){name, model, false};
}

static plData* create_data(const Job* job) {
  plError error;
  plData* data = pl_data_create(job->model, &error);
  if (!data) lift_fail(job->name, &error);
  return data;
}

static plBatch* create_batch(const Job* job, int nrow, int threads) {
  plError error;
  plBatch* batch = pl_batch_create(job->model, nrow, threads, &error);
  if (!batch) lift_fail(job->name, &error);
  return batch;
}

// Rows differ by a little velocity; the lift's also by their actions.
static void start_row(const Job* job, int row, double* v) {
  plRandom random = {(uint64_t)row + 1};
  for (int k = 0; k < job->model->nv; k++) v[k] += pl_random(&random, -1e-3, 1e-3);
}
static void act(const Job* job, int row, int call, const double* q, double* u) {
  plRandom random = {(uint64_t)row * 1000003 + (uint64_t)call};
  if (job->lift) lift_act(job->model, &random, q, u);
}

static void batch_start(const Job* job, plBatch* batch) {
  for (int i = 0; i < batch->nrow; i++) start_row(job, i, batch->v + (size_t)i * (size_t)job->model->nv);
}
static void act_all(const Job* job, plBatch* batch, int call) {
  const plModel* m = job->model;
  for (int i = 0; i < batch->nrow; i++)
    act(job, i, call, batch->q + (size_t)i * (size_t)m->nq, batch->u + (size_t)i * (size_t)m->nu);
}
static void batch_step(const Job* job, plBatch* batch, const int* row, int nstep) {
  plError error;
  if (pl_batch_step(batch, row, batch->nrow, nstep, &error)) lift_fail(job->name, &error);
}
static void batch_call(const Job* job, plBatch* batch, const int* row, int call, int nstep) {
  act_all(job, batch, call);
  batch_step(job, batch, row, nstep);
}
static void plain_call(const Job* job, plData* data, int row, int call, int nstep) {
  plError error;
  act(job, row, call, data->q, data->u);
  for (int k = 0; k < nstep; k++)
    if (pl_step(data, &error)) lift_fail(job->name, &error);
}

// The parameter that rows of each scene differ in.
static const char* varied(const Job* job) {
  return job->lift                     ? "beam.material.young"
         : !strcmp(job->name, "block") ? "block.material.young"
                                       : "ball.material.young";
}

// ---- overhead

static int by_value(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// A round is BLOCK steps of every row: in a plain loop row after row, so that each plData stays in the cache;
// in the batch step after step, as a learner calls it. The median of the rounds' differences, and the best
// plain round.
static void measure_overhead(const Job* job, int rounds, bool vary, double* plain_us, double* more_us) {
  enum { ROWS = 8, BLOCK = 8 };
  plError error;
  plBatch* batch = create_batch(job, ROWS, 1);
  plData* data[ROWS];
  batch_start(job, batch);
  int index = pl_parameter_find(job->model, varied(job));
  double young = pl_batch_parameter(batch, 0, index);
  for (int i = 0; i < ROWS; i++) {
    data[i] = create_data(job);
    start_row(job, i, data[i]->v);
    double value = young * (1 + 0.01 * i);
    if (vary && (pl_parameter_set_index(data[i], index, value, &error) ||
                 pl_batch_vary(batch, varied(job), &i, 1, &value, &error)))
      lift_fail(job->name, &error);
  }
  double* more = calloc((size_t)rounds, sizeof(double));
  *plain_us = INFINITY;
  for (int r = -1; r < rounds; r++) {
    double t0 = cpu();
    for (int i = 0; i < ROWS; i++) plain_call(job, data[i], i, r + 1, BLOCK);
    double t1 = cpu();
    act_all(job, batch, r + 1);
    for (int k = 0; k < BLOCK; k++) batch_step(job, batch, NULL, 1);
    double t2 = cpu();
    if (r < 0) continue;
    *plain_us = fmin(*plain_us, 1e6 * (t1 - t0) / (ROWS * BLOCK));
    more[r] = 1e6 * ((t2 - t1) - (t1 - t0)) / (ROWS * BLOCK);
  }
  qsort(more, (size_t)rounds, sizeof(double), by_value);
  *more_us = more[rounds / 2];
  for (int i = 0; i < ROWS; i++) pl_data_destroy(data[i]);
  free(more);
  pl_batch_destroy(batch);
}

// ---- bits

static uint64_t row_bits(plBatch* batch, int row, plData* data) {
  plError error;
  if (pl_batch_get(batch, row, data, &error)) lift_fail("bits", &error);
  return pl_state_hash(data) ^ 31 * pl_parameter_hash(data);
}

static bool same_bits(const Job* job) {
  enum { ROWS = 6, CALLS = 5 };
  static const int threads[] = {1, 2, 3, 16};
  uint64_t want[ROWS];
  plData* data = create_data(job);
  for (int i = 0; i < ROWS; i++) {
    pl_data_reset(data);
    start_row(job, i, data->v);
    for (int c = 0; c < CALLS; c++) plain_call(job, data, i, c, 4);
    want[i] = pl_state_hash(data) ^ 31 * pl_parameter_hash(data);
  }
  bool same = true;
  for (int t = 0; t < 4; t++) {
    static const int shuffled[ROWS] = {3, 5, 0, 4, 1, 2};
    plBatch* batch = create_batch(job, ROWS, threads[t]);
    batch_start(job, batch);
    for (int c = 0; c < CALLS; c++) batch_call(job, batch, t % 2 ? shuffled : NULL, c, 4);
    for (int i = 0; i < ROWS; i++) same &= row_bits(batch, i, data) == want[i];
    pl_batch_destroy(batch);
  }
  pl_data_destroy(data);
  return same;
}

// ---- speed

// The rows first .. last - 1, each to its end before the next begins, which is fastest for a process.
static void run_plain(const Job* job, int first, int last, int calls, int ready, int go) {
  char byte = 0;
  plData* data = create_data(job);
  plain_call(job, data, first, 0, 1);
  if (write(ready, &byte, 1) != 1 || read(go, &byte, 1) != 1) exit(2);
  for (int i = first; i < last; i++) {
    pl_data_reset(data);
    start_row(job, i, data->v);
    plain_call(job, data, i, 0, 1);
    for (int c = 1; c <= calls; c++) plain_call(job, data, i, c, LIFT_ACTION);
  }
  if (write(ready, &byte, 1) != 1) exit(2);
}

// Steps a second of nprocess processes with nrow rows each.
static double processes(const Job* job, int nprocess, int nrow, int calls) {
  int ready[2], go[2];
  char byte = 0;
  if (pipe(ready) || pipe(go)) exit(2);
  for (int k = 0; k < nprocess; k++) {
    if (fork()) continue;
    run_plain(job, k * nrow, (k + 1) * nrow, calls, ready[1], go[0]);
    _exit(0);
  }
  for (int k = 0; k < nprocess; k++)
    if (read(ready[0], &byte, 1) != 1) exit(2);
  double t = wall();
  for (int k = 0; k < nprocess; k++)
    if (write(go[1], &byte, 1) != 1) exit(2);
  for (int k = 0; k < nprocess; k++)
    if (read(ready[0], &byte, 1) != 1) exit(2);
  t = wall() - t;
  while (wait(NULL) > 0) {
  }
  close(ready[0]), close(ready[1]), close(go[0]), close(go[1]);
  return (double)nprocess * nrow * (1 + calls * LIFT_ACTION) / t;
}

static double threads_speed(const Job* job, int threads, int nrow, int calls) {
  plError error;
  plBatch* batch = create_batch(job, nrow, threads);
  batch_call(job, batch, NULL, 0, 1);
  double t = wall();
  if (pl_batch_reset(batch, NULL, 0, &error)) lift_fail(job->name, &error);
  batch_start(job, batch);
  batch_call(job, batch, NULL, 0, 1);
  for (int c = 1; c <= calls; c++) batch_call(job, batch, NULL, c, LIFT_ACTION);
  t = wall() - t;
  pl_batch_destroy(batch);
  return (double)nrow * (1 + calls * LIFT_ACTION) / t;
}

static double bytes_in_use(void) {
  struct mallinfo2 m = mallinfo2();
  return (double)m.uordblks + (double)m.hblkhd;
}

// Rows with parameters of their own, one thread. Many, because large arrays come in pages of 2 MB.
static void measure_memory(const Job* job, Result* r) {
  enum { N = 5000 };
  plData* data = create_data(job);
  r->state = (double)pl_state_size(data);
  pl_data_destroy(data);
  double before = bytes_in_use();
  plBatch* few = create_batch(job, 1, 1);
  double one = bytes_in_use() - before;
  pl_batch_destroy(few);
  before = bytes_in_use();
  plBatch* batch = create_batch(job, N + 1, 1);
  double* young = calloc(N + 1, sizeof(double));
  int index = pl_parameter_find(job->model, varied(job));
  for (int i = 0; i <= N; i++) young[i] = pl_batch_parameter(batch, i, index) * (1 + 1e-4 * i);
  plError error;
  if (pl_batch_vary(batch, varied(job), NULL, 0, young, &error)) lift_fail(job->name, &error);
  free(young);
  r->row = (bytes_in_use() - before - one) / N;
  pl_batch_destroy(batch);
}

static Result measure(const char* name, int threads, int nrow, bool quick) {
  Job job = load(name);
  Result r = {.name = name};
  int rounds = quick ? 9 : 41, calls = quick ? 2 : 5, tries = quick ? 2 : 5;
  measure_overhead(&job, rounds, false, &r.plain_us, &r.more_us);
  measure_overhead(&job, rounds, true, &r.plain_varied_us, &r.more_varied_us);
  r.bits = same_bits(&job);
  measure_memory(&job, &r);
  for (int k = 0; k < tries; k++) {
    r.process = fmax(r.process, processes(&job, 1, nrow, calls));
    r.one = fmax(r.one, threads_speed(&job, 1, nrow, calls));
    if (threads < 2) continue;
    r.processes = fmax(r.processes, processes(&job, threads, nrow, calls));
    r.many = fmax(r.many, threads_speed(&job, threads, nrow * threads, calls));
  }
  pl_model_destroy(job.model);
  return r;
}

static int print(const Result* r, int threads) {
  int bad = 0;
  double allowed = 0.03 * r->plain_us + 5;
  bool over = r->more_us > allowed, more = r->more_varied_us > allowed;
  printf(
      "%s\n  overhead   %.1f us of a step of %.1f us; rows with their own parameters: %.1f us (allowed "
      "%.1f)%s\n",
      r->name, r->more_us, r->plain_us, r->more_varied_us, allowed, over || more ? "  MISSED" : "");
  printf("  bits       of 1, 2, 3, 16 threads and shuffled rows %s\n",
         r->bits ? "equal the plain loop's" : "DIFFER");
  printf("  memory     %.1f kB a row, state %.1f kB%s\n", 1e-3 * r->row, 1e-3 * r->state,
         r->row > 3 * r->state ? "  MISSED" : "");
  printf("  speed      %.0f steps/s on one thread, %.0f in one process\n", r->one, r->process);
  bad += over || more, bad += !r->bits, bad += r->row > 3 * r->state;
  if (threads < 2) return bad;
  double scale = r->many / r->one, ratio = r->many / r->processes;
  bool offered = r->processes >= 0.9 * threads * r->process;
  bool slow = ratio < 0.95 && offered, flat = scale < 0.95 * threads && offered;
  printf(
      "             %.0f on %d threads: %.2f times one, %.3f of %d processes (%.2f times one process)%s%s\n",
      r->many, threads, scale, ratio, threads, r->processes / r->process, slow || flat ? "  MISSED" : "",
      offered ? "" : "; not judged: the processors are busy with other things");
  return bad + slow + flat;
}

int main(int argc, char** argv) {
  const char *json = NULL, *only = NULL;
  int threads = (int)sysconf(_SC_NPROCESSORS_ONLN), nrow = 0;
  bool quick = false;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      quick = true;
    else if (!strcmp(argv[i], "--json") && i + 1 < argc)
      json = argv[++i];
    else if (!strcmp(argv[i], "--scene") && i + 1 < argc)
      only = argv[++i];
    else if (!strcmp(argv[i], "--threads") && i + 1 < argc && atoi(argv[i + 1]) > 0)
      threads = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--rows") && i + 1 < argc && atoi(argv[i + 1]) > 0)
      nrow = atoi(argv[++i]);
    else
      return fprintf(stderr,
                     "usage: batch [--quick] [--threads N] [--rows N] [--scene NAME] [--json FILE]\n"
                     "rows are those of each thread\n"),
             2;
  }
  if (!nrow) nrow = quick ? 16 : 64;
  FILE* out = json ? fopen(json, "w") : NULL;
  if (json && !out) return fprintf(stderr, "batch: '%s' cannot be written\n", json), 2;
  static const char* const scenes[] = {"block", "allegro", "lift"};
  int bad = 0, count = 0;
  if (out) fprintf(out, "[\n");
  for (int i = 0; i < 3; i++) {
    if (only && strcmp(only, scenes[i])) continue;
    Result r = measure(scenes[i], threads, nrow, quick);
    bad += print(&r, threads);
    fflush(stdout);
    if (!out) continue;
    fprintf(out,
            "%s  {\"scene\": \"%s\", \"threads\": %d, \"step_us\": %.5g, \"overhead_us\": %.4g, "
            "\"varied_overhead_us\": %.4g, \"row_bytes\": %.6g, \"state_bytes\": %.6g, \"one\": %.6g, "
            "\"many\": %.6g, \"process\": %.6g, \"processes\": %.6g}",
            count++ ? ",\n" : "", r.name, threads, r.plain_us, r.more_us, r.more_varied_us, r.row, r.state,
            r.one, r.many, r.process, r.processes);
  }
  if (out) fprintf(out, "\n]\n"), fclose(out);
  return bad ? 1 : 0;
}

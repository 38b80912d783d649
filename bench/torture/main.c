// main.c: random scenes with every feature of scene files, judged by laws of mechanics.
//
//   torture [--count N] [--seed S] [--scene K] [--threads T] [--no-shrink] [--file FILE] [--quick]
//
// Scene K of seed S is always the same. Failures are printed by kind, each with the command that repeats it.
// They are shrunk and saved as TORTURE_FOLDER/SEED_K.yaml for `pliant run`. --scene K draws, judges and
// shrinks only that scene and also saves it as drawn; --file judges a scene file. --threads T distributes the
// scenes over T processes, so that a crash or an endless step loses only its own scene. Failures and progress
// are written to stderr as the search proceeds. The exit status is 0 if nothing failed, every kind of feature
// occurs in 2 % of the scenes, 60 % have contact, at most 3 % are refused, and a scene takes 0.5 s of
// processor time on average.
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "torture.h"

typedef struct Result {
  uint32_t kinds[GROUP_COUNT];
  Verdict verdict;
} Result;

// Memory shared by the processes.
typedef struct Shared {
  atomic_int next, done, failures;
  Result result[];
} Shared;

typedef struct Bench {
  uint64_t seed;
  int count, threads;
  bool shrink;
  double begin;  // s
  Shared* shared;
  const Result* result;  // of all scenes, in shared memory
} Bench;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- a crash or an endless step names its scene

enum { CUT = 2 };  // exit status of a process that its scene ended
static int current = -1;
static uint64_t current_seed;
static Verdict* current_verdict;  // in shared memory; NULL if only one scene is judged

static void on_end(int number) {
  char line[128];
  int n = snprintf(line, sizeof line, "\n%s (signal %d): torture --seed %llu --scene %d\n",
                   number == SIGPROF ? "slow" : "crash", number, (unsigned long long)current_seed, current);
  if (current_verdict) {
    current_verdict->outcome = number == SIGPROF ? OUTCOME_SLOW : OUTCOME_CRASH;
    memcpy(current_verdict->why, line + 1, (size_t)n);
  }
  if (write(2, line, (size_t)n) < 0) _exit(3);
  _exit(CUT);
}

static void catch_ends(void) {
  const int number[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGPROF};
  for (size_t i = 0; i < sizeof number / sizeof *number; i++) signal(number[i], on_end);
}

// Seconds of processor time from now on; 0: no limit.
static void limit_time(int seconds) {
  struct itimerval limit = {.it_value.tv_sec = seconds};
  setitimer(ITIMER_PROF, &limit, NULL);
}

// ---- running

enum { LONGEST = 60, NEWS = 250 };  // s, limit for all runs of one scene; scenes between reports of progress

static void tell(const Bench* b, int k, const Verdict* v) {
  Shared* all = b->shared;
  int done = atomic_fetch_add(&all->done, 1) + 1;
  if (is_failure(v->outcome)) {
    atomic_fetch_add(&all->failures, 1);
    fprintf(stderr, "%s: --seed %llu --scene %d, step %d: %s\n", outcome_name[v->outcome],
            (unsigned long long)b->seed, k, v->step, v->why);
  }
  if (done % NEWS == 0)
    fprintf(stderr, "%d of %d scenes, %d failures, %.0f s\n", done, b->count, (int)all->failures,
            now() - b->begin);
}

static void work(const Bench* b) {
  for (int k; (k = atomic_fetch_add(&b->shared->next, 1)) < b->count;) {
    Result* result = &b->shared->result[k];
    Scene scene;
    current = k, current_verdict = &result->verdict;
    draw_scene(b->seed, k, &scene);
    memcpy(result->kinds, scene.kinds, sizeof scene.kinds);
    limit_time(LONGEST);
    judge_scene(scene.text.s, TORTURE_FOLDER, &result->verdict);
    limit_time(0);
    scene_free(&scene);
    tell(b, k, &result->verdict);
  }
}

// False if no process can be created.
static bool start_process(const Bench* b) {
  pid_t child = fork();
  if (child) return child > 0;
  work(b);
  exit(0);  // sanitizers look for leaks at that point
}

// Replaces processes that their scene ended. Returns false if one ended for another reason.
static bool run_all(const Bench* b) {
  int running = 0, status;
  bool good = true;
  for (; running < b->threads && start_process(b);) running++;
  while (running > 0 && wait(&status) > 0) {
    bool whole = WIFEXITED(status) && WEXITSTATUS(status) == 0,
         cut = WIFEXITED(status) && WEXITSTATUS(status) == CUT;
    good &= whole || cut;
    if (!whole) atomic_fetch_add(&b->shared->done, 1), atomic_fetch_add(&b->shared->failures, 1);
    if (!cut || !start_process(b)) running--;
  }
  return good && b->shared->next >= b->count;
}

// ---- output

static bool keep(const char* path, const char* text) {
  FILE* f = fopen(path, "w");
  if (!f) return false;
  fputs(text, f);
  return fclose(f) == 0;
}

static void keep_failure(const Bench* b, int k, const Verdict* v) {
  char path[512];
  Scene scene;
  Text small = {0};
  draw_scene(b->seed, k, &scene);
  text_add(&small, "# torture --seed %llu --scene %d: %s\n", (unsigned long long)b->seed, k,
           outcome_name[v->outcome]);
  bool ends = v->outcome != OUTCOME_SLOW && v->outcome != OUTCOME_CRASH;
  if (b->shrink && ends)
    shrink_scene(scene.text.s, TORTURE_FOLDER, v, 10, &small);
  else
    text_add(&small, "%s", scene.text.s);
  snprintf(path, sizeof path, "%s/%llu_%d.yaml", TORTURE_FOLDER, (unsigned long long)b->seed, k);
  printf("    %s %s\n", keep(path, small.s) ? "kept as" : "cannot write", path);
  text_free(&small);
  scene_free(&scene);
}

enum { KEPT = 5 };  // scenes shown of each kind

static int print_failures(const Bench* b) {
  int failures = 0;
  for (int o = OUTCOME_RULED_OUT; o < OUTCOME_COUNT; o++) {
    int n = 0;
    for (int k = 0; k < b->count; k++) n += b->result[k].verdict.outcome == (Outcome)o;
    if (!n) continue;
    printf("\n%s: %d\n", outcome_name[o], n);
    if (is_failure((Outcome)o)) failures += n;
    for (int k = 0, kept = 0; k < b->count; k++) {
      const Verdict* v = &b->result[k].verdict;
      if (v->outcome != (Outcome)o) continue;
      printf("  --seed %llu --scene %d, step %d: %s\n", (unsigned long long)b->seed, k, v->step, v->why);
      if (is_failure(v->outcome) && kept++ < KEPT) keep_failure(b, k, v);
    }
  }
  return failures;
}

// True if every kind occurs often enough.
static bool print_kinds(const Bench* b) {
  bool good = true;
  printf("\nkinds, percent of the scenes\n");
  for (int g = 0; g < GROUP_COUNT; g++) {
    printf("  %-12s", group_names[g].title);
    for (int i = 0; group_names[g].name[i]; i++) {
      int n = 0;
      for (int k = 0; k < b->count; k++) n += (int)(b->result[k].kinds[g] >> i & 1);
      double percent = 100.0 * n / b->count;
      printf(" %s %.1f%s", group_names[g].name[i], percent, group_names[g].name[i + 1] ? "," : "");
      good &= percent >= 2 || b->count < 1000;
    }
    printf("\n");
  }
  return good;
}

static int judge_one(const Bench* b, int k, const char* file) {
  Scene scene = {0};
  char folder[512] = TORTURE_FOLDER, line[4096];
  Verdict v;
  if (file) {
    FILE* f = fopen(file, "r");
    if (!f) return fprintf(stderr, "torture: cannot read '%s'\n", file), 2;
    while (fgets(line, sizeof line, f)) text_add(&scene.text, "%s", line);
    fclose(f);
  } else {
    draw_scene(b->seed, k, &scene);
    snprintf(line, sizeof line, "%s/%llu_%d_drawn.yaml", TORTURE_FOLDER, (unsigned long long)b->seed, k);
    printf("%s %s\n", keep(line, scene.text.s) ? "kept as" : "cannot write", line);
  }
  current = k;
  judge_scene(scene.text.s, folder, &v);
  printf("%s\n%s, step %d: %s\n", scene.text.s, outcome_name[v.outcome], v.step, v.why);
  printf("%d vertices, %.2f s%s%s%s\n", v.nvert, v.seconds, v.contact ? ", contact" : "",
         v.warned ? ", energy_gain warns" : "", v.capped ? ", friction rounds capped" : "");
  scene_free(&scene);
  if (!file && b->shrink && is_failure(v.outcome)) keep_failure(b, k, &v);
  return is_failure(v.outcome);
}

static int report(const Bench* b) {
  int contact = 0, refused = 0, warned = 0, capped = 0;
  double seconds = 0, longest = 0;
  for (int k = 0; k < b->count; k++) {
    const Verdict* v = &b->result[k].verdict;
    contact += v->contact, refused += v->outcome == OUTCOME_RULED_OUT || v->outcome == OUTCOME_REFUSED;
    warned += v->warned, capped += v->capped, seconds += v->seconds;
    if (v->seconds > longest) longest = v->seconds;
  }
  bool kinds = print_kinds(b);
  int failures = print_failures(b);
  double n = b->count;
  bool mix = kinds && contact >= 0.6 * n && refused <= 0.03 * n && seconds <= 0.5 * n;
  printf(
      "\n%d scenes of seed %llu: %d failures; contact in %.1f %%, refused %.1f %%, energy_gain warned in "
      "%.1f %%, friction rounds "
      "capped in %.1f %%; %.3f s a scene, at most %.1f s\n",
      b->count, (unsigned long long)b->seed, failures, 100 * contact / n, 100 * refused / n, 100 * warned / n,
      100 * capped / n, seconds / n, longest);
  if (b->count >= 1000 && !mix) printf("the mix of scenes is not as it must be\n");
  return failures > 0 || (b->count >= 1000 && !mix);
}

int main(int argc, char** argv) {
  Bench b = {.seed = 1, .count = 300, .threads = 1, .shrink = true};
  int scene = -1;
  const char* file = NULL;
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
    if (!strcmp(a, "--quick")) {
      b.count = 100;
    } else if (!strcmp(a, "--no-shrink")) {
      b.shrink = false;
    } else if (!strcmp(a, "--count") || !strcmp(a, "--seed") || !strcmp(a, "--scene") ||
               !strcmp(a, "--threads") || !strcmp(a, "--file")) {
      if (!strcmp(a, "--count")) b.count = atoi(value);
      if (!strcmp(a, "--seed")) b.seed = strtoull(value, NULL, 10);
      if (!strcmp(a, "--scene")) scene = atoi(value);
      if (!strcmp(a, "--threads")) b.threads = atoi(value);
      if (!strcmp(a, "--file")) file = value;
      i++;
    } else {
      fprintf(stderr,
              "usage: torture [--count N] [--seed S] [--scene K] [--threads T] [--no-shrink] [--file FILE] "
              "[--quick]\n");
      return 2;
    }
  }
  if (b.count < 1 || b.threads < 1 || b.threads > 64)
    return fprintf(stderr, "torture: --count 1 or more, --threads 1 to 64\n"), 2;
  current_seed = b.seed;
  catch_ends();
  if (scene >= 0 || file) return judge_one(&b, scene, file);
  b.shared = mmap(NULL, sizeof(Shared) + (size_t)b.count * sizeof(Result), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (b.shared == MAP_FAILED) return fprintf(stderr, "torture: no memory\n"), 2;
  b.result = b.shared->result, b.begin = now();
  if (!run_all(&b))
    return fprintf(stderr, "torture: a process could not be started, or ended by itself\n"), 2;
  return report(&b);
}

// The base folder: errors, memory, arenas, loops.
#include "check.h"

#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/poison.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/timer.h"

static void errors_read_as_file_line_column(void) {
  plError error;
  char text[1024];
  CHECK(pl_fail_at(&error, PL_ERROR_INPUT, "a.yaml", 3, 7, "dt must be positive, got %g", -1.0) ==
        PL_ERROR_INPUT);
  CHECK_STR(pl_error_text(&error, text, sizeof text), "a.yaml:3:7: dt must be positive, got -1");
  CHECK(pl_fail(NULL, PL_ERROR_IO, "nobody listens") == PL_ERROR_IO);
  for (int s = 0; s < PL_STATUS_COUNT; s++) CHECK(strlen(pl_status_name((plStatus)s)) > 1);
  CHECK_STR(pl_status_name((plStatus)99), "unknown status");
}

static void the_nearest_word_is_found(void) {
  static const char* const words[] = {"duration", "density", "gravity"};
  CHECK_STR(pl_nearest_word("durration", words, 3), "duration");
  CHECK_STR(pl_nearest_word("gravty", words, 3), "gravity");
  CHECK(pl_nearest_word("banana", words, 3) == NULL);
}

static void allocation_refuses_overflow_and_fails_on_demand(void) {
  CHECK(pl_alloc(SIZE_MAX / 2, 8) == NULL);
  pl_alloc_fail_after(1);
  void* first = pl_alloc(1, 8);
  void* second = pl_alloc(1, 8);
  pl_alloc_fail_after(-1);
  CHECK(first && !second);
  CHECK(((uintptr_t)first & 63) == 0);
  pl_free(first);
}

// The cheap clock runs at the rate of the monotonic one. A thread that is interrupted between two readings
// makes one of several trials wrong.
static void both_clocks_run_at_one_rate(void) {
  double best = INFINITY;
  for (int k = 0; k < 5; k++) {
    double now = pl_now(), tick = pl_tick(), span;
    while ((span = pl_now() - now) < 0.01) continue;
    best = fmin(best, fabs((pl_tick() - tick) / span - 1));
  }
  CHECK(best < 0.01);
}

// What was allocated before a mark stays; what came after it is used again, however often and in blocks of
// any size.
static void an_arena_goes_back_to_its_mark(void) {
  plArena arena;
  pl_arena_init(&arena);
  for (int k = 0; k < 3; k++) {
    double* kept = PL_ARENA_NEW(&arena, double, 5000);
    kept[4999] = k;
    plArenaMark mark = pl_arena_mark(&arena);
    size_t used = arena.used, most = 0;
    for (int i = 1; i < 40; i++) {
      for (int j = 0; j < 1 + i % 3; j++) *PL_KEEP(&arena, double, 1 + 3000 * (i % 7)) = 1;
      most = arena.used - used > most ? arena.used - used : most;
      pl_arena_release(&arena, mark);
      CHECK(arena.used == used && kept[4999] == k);
    }
    CHECK(arena.high <= used + most);
    pl_arena_reset(&arena);
  }
  long before = pl_alloc_count();
  (void)PL_ARENA_NEW(&arena, double, 5000);
  plArenaMark mark = pl_arena_mark(&arena);
  for (int i = 0; i < 10; i++) (void)PL_ARENA_NEW(&arena, double, 18000), pl_arena_release(&arena, mark);
  CHECK(pl_alloc_count() == before);
  pl_arena_free(&arena);
}

static void a_steady_arena_does_not_allocate(void) {
  plArena arena;
  pl_arena_init(&arena);
  for (int step = 0; step < 5; step++) {
    long before = pl_alloc_count();
    for (int i = 0; i < 100; i++) {
      double* x = PL_ARENA_NEW(&arena, double, 1000);
      CHECK(x && ((uintptr_t)x & 63) == 0);
      x[999] = 1;
    }
    if (step > 1) CHECK_INT(pl_alloc_count() - before, 0);
    pl_arena_reset(&arena);
  }
  CHECK(pl_arena_alloc(&arena, SIZE_MAX / 2, 8) == NULL && arena.failed);
  pl_arena_free(&arena);
}

#ifdef PL_ADDRESS_SANITIZER
#include <sys/wait.h>
#include <unistd.h>

// Whether the sanitizer ends a program that writes there.
static bool is_caught(volatile char* at) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    close(2);
    *at = 1;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

// An access one element past the end is detected, whatever the size, also if the arena was used before.
static void an_overrun_of_one_element_is_caught(void) {
  plArena arena;
  pl_arena_init(&arena);
  static const size_t count[] = {1, 7, 8, 100, 9000};
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 5; i++) {
      double* x = PL_ARENA_NEW(&arena, double, count[i]);
      int* y = PL_ARENA_NEW(&arena, int, count[i]);
      CHECK(!is_caught((char*)(x + count[i] - 1)) && !is_caught((char*)(y + count[i] - 1)));
      CHECK(is_caught((char*)(x + count[i])) && is_caught((char*)(y + count[i])));
    }
    pl_arena_reset(&arena);
  }
  double* x = PL_ARENA_NEW(&arena, double, 3);
  pl_arena_reset(&arena);
  CHECK(is_caught((char*)x));
  pl_arena_free(&arena);
  for (int i = 0; i < 5; i++) {
    double* block = PL_NEW(double, count[i]);
    CHECK(!is_caught((char*)(block + count[i] - 1)) && is_caught((char*)(block + count[i])));
    pl_free(block);
  }
}
#endif

static void square(void* context, int begin, int end, int worker) {
  (void)worker;
  double* x = context;
  for (int i = begin; i < end; i++) x[i] = sqrt((double)i) * 1.1;
}

static void loops_give_the_same_bits_on_any_number_of_threads(void) {
  enum { N = 10007 };
  static double x[N];
  uint64_t expected = 0;
  for (int threads = 1; threads <= 5; threads++) {
    plPool* pool = pl_pool_create(threads);
    for (int round = 0; round < 200; round++) {
      memset(x, 0, sizeof x);
      pl_parallel_for(pool, N - round, 10, square, x);
      uint64_t h = pl_hash(PL_HASH_START, x, sizeof x);
      if (round == 199 && threads == 1) expected = h;
      if (round == 199) CHECK(h == expected);
    }
    pl_pool_destroy(pool);
  }
}

static void count_up(void* context, int begin, int end, int worker) {
  (void)worker;
  for (int i = begin; i < end; i++) ((int*)context)[i]++;
}

typedef struct Beside {
  plPool* pool;
  int runs, loop[100];
} Beside;

static void run_beside(void* context, int begin, int end, int worker) {
  Beside* b = context;
  (void)worker;
  b->runs += end - begin;
  pl_parallel_for(b->pool, 100, 10, count_up, b->loop);  // on its caller alone
}

// What was started runs once, however many loops run meanwhile, and has ended at the next one or at the join.
static void a_job_runs_beside_loops(void) {
  static int x[5000];
  for (int threads = 0; threads <= 5; threads++) {
    plPool* pool = pl_pool_create(threads);
    for (int round = 0; round < 300; round++) {
      Beside first = {.pool = pool}, last = first;
      memset(x, 0, sizeof x);
      pl_pool_join(pool);  // nothing to wait for
      pl_pool_aside(pool, run_beside, &first);
      for (int loop = 0; loop < round % 4; loop++) pl_parallel_for(pool, 5000, 10, count_up, x);
      pl_pool_aside(pool, run_beside, &last);
      CHECK_INT(first.runs, 1);
      for (int loop = 0; loop < round % 3; loop++) pl_parallel_for(pool, 5000, 10, count_up, x);
      pl_pool_join(pool);
      CHECK_INT(last.runs, 1);
      for (int i = 0; i < 5000; i++) CHECK_INT(x[i], round % 4 + round % 3);
      for (int i = 0; i < 100; i++) CHECK_INT(first.loop[i] + last.loop[i], 2);
    }
    pl_pool_destroy(pool);
  }
}

// A forked child has none of its parent's threads: its copy of a pool starts its own.
static void a_pool_works_in_a_forked_child(void) {
  enum { N = 10007 };
  static double x[N];
  if (getenv("PLIANT_EMULATED")) {
    SKIP("qemu-user cannot fork a program with threads");
    return;
  }
  plPool* pool = pl_pool_create(3);
  pl_parallel_for(pool, N, 10, square, x);
  uint64_t expected = pl_hash(PL_HASH_START, x, sizeof x);
  for (int round = 0; round < 20; round++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      memset(x, 0, sizeof x);
      if (round % 2 == 0)
        for (int i = 0; i < 50; i++) pl_parallel_for(pool, N, 10, square, x);
      bool same = round % 2 || pl_hash(PL_HASH_START, x, sizeof x) == expected;
      pl_pool_destroy(pool);
      _exit(same ? 0 : 1);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    pl_parallel_for(pool, N, 10, square, x);
  }
  pl_pool_destroy(pool);
}

// Text from a file stays in its line, whatever characters it has: in a message, and in front of it.
static void errors_are_one_line(void) {
  plRandom r = {41};
  for (int trial = 0; trial < 200; trial++) {
    char text[40] = "", line[1500];
    plError error = {0};
    for (int i = 0; i < 30; i++) text[i] = (char)(1 + pl_random_int(&r, 127));
    pl_fail_at(&error, PL_ERROR_INPUT, text, 1, 1, "the name '%s' is taken", text);
    pl_error_text(&error, line, sizeof line);
    for (const char* c = error.message; *c; c++) CHECK(*c >= 32 && *c != 127);
    for (const char* c = line; *c; c++) CHECK(*c >= 32 && *c != 127);
    CHECK_STR(error.file, text);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(errors_are_one_line);
  RUN(errors_read_as_file_line_column);
  RUN(the_nearest_word_is_found);
  RUN(both_clocks_run_at_one_rate);
  RUN(allocation_refuses_overflow_and_fails_on_demand);
  RUN(an_arena_goes_back_to_its_mark);
  RUN(a_steady_arena_does_not_allocate);
#ifdef PL_ADDRESS_SANITIZER
  RUN(an_overrun_of_one_element_is_caught);
#endif
  RUN(loops_give_the_same_bits_on_any_number_of_threads);
  RUN(a_job_runs_beside_loops);
  RUN(a_pool_works_in_a_forked_child);
  return CHECK_END;
}

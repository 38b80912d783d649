// timer.c: the monotonic clock, and the processor's counter as a clock.
#include "base/timer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

double pl_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>

static const unsigned COUNTER_LEAF = 0x80000007, STEADY = 1 << 8;  // cpuid: the counter's rate is constant
static const double MEASURED = 2e-4;                               // s

static unsigned long long first;  // count from here on
static double rate;               // seconds of a count, 0: no steady counter
static atomic_bool ready;

// Clock and counter at one time: the pair whose readings of the counter are nearest to each other.
typedef struct Pair {
  double now;
  unsigned long long count;
} Pair;

static Pair read_pair(void) {
  enum { TRIES = 5 };
  Pair best = {0};
  unsigned long long least = 0;
  for (int i = 0; i < TRIES; i++) {
    unsigned long long before = __rdtsc();
    double now = pl_now();
    unsigned long long apart = __rdtsc() - before;
    if (i && apart >= least) continue;
    least = apart, best = (Pair){now, before + apart / 2};
  }
  return best;
}

static void measure(void) {
  unsigned a, b, c, d;
  if (__get_cpuid(COUNTER_LEAF, &a, &b, &c, &d) && (d & STEADY)) {
    Pair begin = read_pair(), end;
    while ((end = read_pair()).now - begin.now < MEASURED) continue;
    first = begin.count;
    rate = end.count > begin.count ? (end.now - begin.now) / (double)(end.count - begin.count) : 0;
  }
  atomic_store_explicit(&ready, true, memory_order_release);
}

double pl_tick(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (!atomic_load_explicit(&ready, memory_order_acquire)) pthread_once(&once, measure);
  return rate > 0 ? rate * (double)(long long)(__rdtsc() - first) : pl_now();
}
#else
double pl_tick(void) { return pl_now(); }
#endif

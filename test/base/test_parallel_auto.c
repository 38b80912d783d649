// How an automatic pool chooses its number of threads, with a simulated clock and a model of the time of a
// step. The choice must never cost much and must help where more threads are faster.
#include "base/parallel_auto.h"

#include <math.h>

#include "base/random.h"
#include "check.h"

// Seconds of a step on so many threads: a part that is shared, one that is not, and what each thread costs.
typedef struct Law {
  double serial, shared, each, noise;
} Law;

static double seconds(const Law* law, int threads, plRandom* random) {
  double t = law->serial + law->shared / threads + law->each * (threads - 1);
  return t * (1 + law->noise * pl_random(random, 0, 1));
}

static double run(plCrew* crew, const Law* law, int steps, plRandom* random) {
  double now = 0, sum = 0;
  for (int i = 0; i < steps; i++) {
    pl_crew_begin(crew, now);
    crew->shared = crew->size > 1;
    double spent = seconds(law, crew->size, random);
    now += spent, sum += spent;
    pl_crew_end(crew, now);
  }
  return sum;
}

static double best_of(const Law* law, int most) {
  double best = INFINITY;
  for (int n = 1; n <= most; n++) {
    double t = seconds(law, n, &(plRandom){1});
    if (t < best) best = t;
  }
  return best;
}

static void threads_that_help_are_used(void) {
  plCrew crew;
  plRandom random = {1};
  pl_crew_init(&crew, 16);
  Law law = {.serial = 1e-4, .shared = 2e-3};
  run(&crew, &law, 40, &random);
  CHECK_INT(crew.level, 16);
  // where sixteen are too many, it finds fewer
  law.each = 1e-4;
  run(&crew, &law, 2000, &random);
  CHECK(crew.level == 4 || crew.level == 8);
}

static void threads_that_harm_are_left(void) {
  plCrew crew;
  plRandom random = {1};
  pl_crew_init(&crew, 16);
  Law law = {.serial = 1e-3, .each = 1e-4};
  CHECK(run(&crew, &law, 300, &random) < 1.03 * 300 * 1e-3);
  CHECK_INT(crew.level, 1);
}

static void short_steps_are_not_tried(void) {
  plCrew crew;
  plRandom random = {1};
  pl_crew_init(&crew, 16);
  Law law = {.serial = 4e-5};
  for (int i = 0; i < 500; i++) {
    run(&crew, &law, 1, &random);
    CHECK_INT(crew.size, 1);
  }
}

// What helps today may not help tomorrow.
static void a_change_is_noticed(void) {
  plCrew crew;
  plRandom random = {1};
  pl_crew_init(&crew, 2);
  Law apart = {.shared = 1e-3, .noise = 0.05}, together = {.serial = 1e-3, .each = 5e-4, .noise = 0.05};
  run(&crew, &apart, 300, &random);
  CHECK_INT(crew.level, 2);
  run(&crew, &together, 2000, &random);
  CHECK_INT(crew.level, 1);
  run(&crew, &apart, 8000, &random);
  CHECK_INT(crew.level, 2);
}

// Over random laws: at most 3 % slower than one thread, and most of what there is to gain is gained.
static void random_laws_cost_little(void) {
  plRandom random = {7};
  for (int k = 0; k < 2000; k++) {
    int most = 2 << pl_random_int(&random, 4), steps = 1000;
    double part = pl_random(&random, 0, 1), step = 1e-4 * exp(pl_random(&random, 0, 6));
    double start = step * 0.2 * pow(pl_random(&random, 0, 1), 3), noise = pl_random(&random, 0, 0.1);
    Law law = {(1 - part) * step, part * step, start, noise};
    plCrew crew;
    pl_crew_init(&crew, most);
    double mean = 1 + 0.5 * law.noise, spent = run(&crew, &law, steps, &random);
    CHECK(spent <= 1.03 * mean * step * steps);
    CHECK(spent <= 1.2 * mean * best_of(&law, most) * steps);
  }
}

static void body_a(void* context, int begin, int end, int worker) {
  (void)context, (void)begin, (void)end, (void)worker;
}
static void body_b(void* context, int begin, int end, int worker) { body_a(context, end, begin, worker + 1); }

static void loops_get_threads_by_their_work(void) {
  plCrew crew;
  pl_crew_init(&crew, 8);
  crew.size = 8;
  plLoopKind* a = pl_crew_kind(&crew, body_a, 1000);
  CHECK(pl_crew_for(&crew, a, 1000) < 2);
  pl_crew_learn(a, 1000, 1000 * 1e-6);
  CHECK_INT(pl_crew_for(&crew, a, 1000), 8);
  CHECK_INT(pl_crew_for(&crew, a, 31), 2);
  CHECK(pl_crew_for(&crew, a, 15) < 2);
  // other bodies and lengths of another order are other loops
  CHECK(pl_crew_kind(&crew, body_b, 1000) != a && pl_crew_kind(&crew, body_a, 100) != a);
  CHECK(pl_crew_kind(&crew, body_a, 900) == a);
  // one bad measurement does not count for much
  pl_crew_learn(a, 1000, 1);
  CHECK(a->second < 1.3e-6);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(threads_that_help_are_used);
  RUN(threads_that_harm_are_left);
  RUN(short_steps_are_not_tried);
  RUN(a_change_is_noticed);
  RUN(random_laws_cost_little);
  RUN(loops_get_threads_by_their_work);
  return CHECK_END;
}

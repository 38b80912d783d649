// lift.c: a Panda above a soft beam under random actions: microseconds a step on one core, and failures.
//
//   build/bench/lift [--quick] [--steps N] [--hand far|near] [--vertices 68|207] [--friction 10|1]
//                    [--law NAME] [--json FILE]
//
// scenes/lift.yaml as Isaac Lab runs it (bench/lift.h), with 68 and 207 vertices, friction 10 and 1, laws
// cone and coulomb; from the scene's start, where the hand is far from the beam, and from one where its
// fingers stand around it and press it, the table and each other. CPU time of this thread, resets included.
// Checks: no step fails; from the scene's start at most 430 us a step at 68 vertices and 1,100 at 207 with
// the law cone, 1.35 times that with coulomb. Beside the time: Newton iterations, and which part of
// the stages' time goes to the search for contacts, their solution, the check of motions and the soft body.
// --steps: of each case, 100,000 by default (--quick: 3,000, and 300 where the hand is near).
#include "lift.h"
#include "times.h"

typedef struct Case {
  bool fine, near;
  double friction;
  const char* law;
  double most_us;
} Case;

// Stages that belong together.
enum { SEARCH, SOLVE, GUARD, SOFT, PARTS };

typedef struct Result {
  double us, worst_us, part[PARTS], stages;  // part: % of the stages' time
  long failed, contacts, iterations;
} Result;

static int part_of(int stage) {
  switch (stage) {
    case PL_STAGE_CONTACTS:
      return SEARCH;
    case PL_STAGE_CONTACT_SOLVE:
      return SOLVE;
    case PL_STAGE_GUARD:
      return GUARD;
    case PL_STAGE_KINEMATICS:
    case PL_STAGE_MOMENTUM:
    case PL_STAGE_FACTOR:
    case PL_STAGE_FREE_MOTION:
    case PL_STAGE_INTERIOR:
      return SOFT;
    default:
      return -1;
  }
}

static Case case_of(int i) {
  bool fine = i / 2 % 2, coulomb = i / 4 % 2;
  return (Case){fine, i / 8, i % 2 ? 1 : 10, coulomb ? "coulomb" : "cone",
                (fine ? 1100 : 430) * (coulomb ? 1.35 : 1)};
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Result measure(const Case* c, long nstep) {
  plError error;
  const plModel* model = lift_model(c->fine, c->friction, c->law);
  plData* data = pl_data_create(model, &error);
  if (!data) lift_fail("lift", &error);
  lift_friction(data, c->friction);
  plRandom random = {1};
  Result r = {0};
  double start = now(), last = start;
  for (long i = 0; i < nstep; i++) {
    if (i % LIFT_EPISODE == 0) lift_start(data, c->near);
    if (i % LIFT_ACTION == 0) lift_act(model, &random, data->q, data->u);
    plStatus status = pl_step(data, &error);
    double t = now();
    r.worst_us = fmax(r.worst_us, 1e6 * (t - last));
    last = t;
    r.contacts += data->report.contacts;
    r.iterations += data->report.iterations;
    for (int k = 0; k < PL_STAGE_COUNT; k++)
      if (part_of(k) >= 0) r.part[part_of(k)] += data->report.stage_s[k];
    for (int k = 0; k < PL_STAGE_COUNT; k++) r.stages += data->report.stage_s[k];
    if (!status) continue;
    if (r.failed++ < 3) printf("  failed at step %ld: %s\n", i, error.message);
    lift_start(data, c->near);
  }
  r.us = 1e6 * (now() - start) / (double)nstep;
  for (int k = 0; k < PARTS; k++) r.part[k] *= 100 / r.stages;
  pl_data_destroy(data), pl_model_destroy(model);
  return r;
}

int main(int argc, char** argv) {
  const char *json = NULL, *hand = NULL, *vertices = NULL, *friction = NULL, *law = NULL;
  long nstep = 100000;
  bool quick = false;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      nstep = 3000, quick = true;
    else if (!strcmp(argv[i], "--steps") && i + 1 < argc && atol(argv[i + 1]) > 0)
      nstep = atol(argv[++i]);
    else if (!strcmp(argv[i], "--json") && i + 1 < argc)
      json = argv[++i];
    else if (!strcmp(argv[i], "--hand") && i + 1 < argc)
      hand = argv[++i];
    else if (!strcmp(argv[i], "--vertices") && i + 1 < argc)
      vertices = argv[++i];
    else if (!strcmp(argv[i], "--friction") && i + 1 < argc)
      friction = argv[++i];
    else if (!strcmp(argv[i], "--law") && i + 1 < argc)
      law = argv[++i];
    else
      return fprintf(stderr,
                     "usage: lift [--quick] [--steps N] [--hand far|near] [--vertices 68|207] "
                     "[--friction 10|1] [--law cone|coulomb] [--json FILE]\n"),
             2;
  }
  FILE* out = json ? fopen(json, "w") : NULL;
  if (json && !out) return fprintf(stderr, "lift: '%s' cannot be written\n", json), 2;
  enum { N = 16 };
  printf("%8s %5s %9s %8s %9s %9s %9s %7s %8s %7s %7s %7s %9s\n", "vertices", "hand", "friction", "law",
         "us/step", "worst us", "contacts", "Newton", "search %", "solve %", "guard %", "soft %", "failures");
  if (out) fprintf(out, "[\n");
  int bad = 0, count = 0;
  for (int i = 0; i < N; i++) {
    Case c = case_of(i);
    if (hand && strcmp(hand, c.near ? "near" : "far")) continue;
    if (vertices && strcmp(vertices, c.fine ? "207" : "68")) continue;
    if (friction && atof(friction) != c.friction) continue;
    if (law && strcmp(law, c.law)) continue;
    long n = quick && c.near ? LIFT_EPISODE : nstep;
    Result r = measure(&c, n);
    bool ok = !r.failed && (c.near || r.us <= c.most_us || !times_count());
    printf("%8d %5s %9g %8s %9.1f %9.0f %9.1f %7.1f %8.0f %7.0f %7.0f %7.0f %9ld%s\n", c.fine ? 207 : 68,
           c.near ? "near" : "far", c.friction, c.law, r.us, r.worst_us, (double)r.contacts / (double)n,
           (double)r.iterations / (double)n, r.part[SEARCH], r.part[SOLVE], r.part[GUARD], r.part[SOFT],
           r.failed, ok ? "" : "  MISSED");
    fflush(stdout);
    if (out)
      fprintf(out,
              "%s  {\"vertices\": %d, \"near\": %d, \"friction\": %g, \"law\": \"%s\", \"us\": %.5g, "
              "\"failed\": %ld, \"steps\": %ld, \"iterations\": %.4g, \"search\": %.4g, \"solve\": %.4g, "
              "\"guard\": %.4g, \"soft\": %.4g}",
              count++ ? ",\n" : "", c.fine ? 207 : 68, c.near, c.friction, c.law, r.us, r.failed, n,
              (double)r.iterations / (double)n, r.part[SEARCH], r.part[SOLVE], r.part[GUARD], r.part[SOFT]);
    bad += !ok;
  }
  if (out) fprintf(out, "\n]\n"), fclose(out);
  return bad ? 1 : 0;
}

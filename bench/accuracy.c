// accuracy: error control (pl_advance) beside steps of one length.
//
// For scenes that come to rest, the final positions are compared with those of a fixed step. That step is
// halved until the result changes by no more than the finest accuracy; the error must stay within three times
// the accuracy. For scenes that keep moving, the largest error over samples 0.1 s apart must fall at least
// five times per decade of accuracy on average; the reference is the midpoint scheme, halved in the same way.
// Cost is counted in factorizations and contact searches, including those of rejected steps. It is compared
// with that of the fixed step (of the scene's own scheme) with the same error, at accuracies of 1e-4 m and
// below: in drop all fixed steps from 20 ms to 1 ms end about 0.1 mm away, so no fixed step corresponds to a
// coarser accuracy.
//
// Contacts have the default law, coulomb. Under cone sliding points lift off, by an amount that no error of a
// step shows: grasp's fixed step converges only below 0.1 ms. Fixed steps have a friction_sigma of 1e-6: with
// 1e-3 sticking points creep, and halving does not converge.
//
// Tumble, a block that falls on a corner, is an addition. Where it comes to rest depends on which corner
// touches when: two references, each changed by less than 1e-5 m by a halving, differ by 1.4e-5 m. So it is
// judged down to 1e-4 m.
//
//   accuracy [--quick] [--json FILE] [SCENE ...]
//   --quick: down to 1e-4 m, without the arch and the cost of what comes to rest, whose reference is too
//   coarse then
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pliant/pliant.h"
#include "verdict.h"

#define SOFT \
  "material: {kind: corotated, young: 5e4, poisson: 0.4, density: 1000, damping: {stiffness: 0.005}}"
#define SLIDER "\n    inertia: [1e-3, 1e-3, 1e-3]\n    gravity: 0\n    joint: {kind: prismatic, "

typedef struct Case {
  const char* name;
  double end;     // s
  bool rest;      // it has come to rest by then
  double theta;   // scheme of the reference, 1 or 0.5
  double finest;  // m, smallest accuracy
  bool cheaper;   // its cost is judged
  double sample;  // s, options.dt under error control
  const char* text;
} Case;

static const Case cases[] = {
    {"drop", 1, true, 1, 1e-5, true, 0.02,
     "deformables:\n"
     "  - {name: block, shape: box, size: [0.12, 0.1, 0.08], cells: [3, 3, 2], " SOFT ",\n"
     "     pose: {position: [0, 0, 0.07]}, surface: {friction: 0.5}}\n"
     "shapes: [{name: ground, shape: half_space, surface: {friction: 0.5}}]\n"},
    {"tumble", 1, true, 0.5, 1e-4, false, 0.02,
     "deformables:\n"
     "  - {name: block, shape: box, size: [0.12, 0.1, 0.08], cells: [3, 3, 2], " SOFT ",\n"
     "     pose: {position: [0, 0, 0.08], rpy: [0.2, 0.1, 0]}, surface: {friction: 0.5}}\n"
     "shapes: [{name: ground, shape: half_space, surface: {friction: 0.5}}]\n"},
    {"press", 1, true, 1, 1e-5, false, 0.02,
     "deformables:\n"
     "  - {name: block, shape: box, size: [0.1, 0.1, 0.1], cells: [3, 3, 3], " SOFT ",\n"
     "     pose: {position: [0, 0, 0.05]}, surface: {friction: 0.5}}\n"
     "bodies:\n"
     "  - name: plate\n    mass: 1" SLIDER "axis: [0, 0, -1], pose: {position: [0, 0, 0.115]},\n"
     "      actuator: {kind: pd, kp: 5e3, kd: 200, times: [0, 0.4], values: [0, 0.015]}}\n"
     "shapes:\n  - {name: ground, shape: half_space, surface: {friction: 0.5}}\n"
     "  - {name: face, body: plate, shape: box, size: [0.2, 0.2, 0.02], surface: {friction: 0.5}}\n"},
    {"grasp", 1, true, 1, 1e-5, false, 0.02,
     "deformables:\n"
     "  - {name: cube, shape: box, size: [0.06, 0.06, 0.06], cells: [2, 2, 2], " SOFT ",\n"
     "     pose: {position: [0, 0, 0.03]}, surface: {friction: 1}}\n"
     "bodies:\n"
     "  - name: left\n    mass: 0.2" SLIDER "axis: [0, 1, 0], pose: {position: [0, -0.045, 0.055]},\n"
     "      actuator: {kind: pd, kp: 2e3, kd: 80, times: [0, 0.3], values: [0, 0.008]}}\n"
     "  - name: right\n    mass: 0.2" SLIDER "axis: [0, -1, 0], pose: {position: [0, 0.045, 0.055]},\n"
     "      actuator: {kind: pd, kp: 2e3, kd: 80, times: [0, 0.3], values: [0, 0.008]}}\n"
     "shapes:\n  - {name: ground, shape: half_space, surface: {friction: 1}}\n"
     "  - {name: pad_left, body: left, shape: box, size: [0.1, 0.02, 0.1], surface: {friction: 1}}\n"
     "  - {name: pad_right, body: right, shape: box, size: [0.1, 0.02, 0.1], surface: {friction: 1}}\n"},
    {"slope", 1, true, 1, 1e-5, false, 0.02,
     "deformables:\n"
     "  - {name: block, shape: box, size: [0.1, 0.1, 0.05], cells: [3, 3, 2], " SOFT ",\n"
     "     pose: {position: [0.0083, 0, 0.0268], rpy: [0, 0.3, 0]}, surface: {friction: 0.8}}\n"
     "shapes: [{name: slope, shape: half_space, pose: {rpy: [0, 0.3, 0]}, surface: {friction: 0.8}}]\n"},
    {"arch", 0.4, true, 1, 1e-5, false, 0.02, NULL},
    {"throw", 0.5, false, 0.5, 1e-5, true, 0.1,
     "deformables:\n"
     "  - {name: bar, shape: box, size: [0.2, 0.04, 0.04], cells: [6, 1, 1], " SOFT ",\n"
     "     velocity: [1, 0, 3], angular_velocity: [0, 6, 1]}\n"},
    {"pendulum", 2, false, 0.5, 1e-5, false, 0.1,
     "bodies:\n"
     "  - name: rod\n    mass: 1\n    com: [0, 0, -0.5]\n    inertia: [0.1, 0.1, 0.001]\n"
     "    joint: {kind: revolute, axis: [0, 1, 0], position: 1.5}\n"},
    {"spin", 1, false, 0.5, 1e-5, false, 0.1,
     "deformables:\n"
     "  - {name: ball, shape: sphere, radius: 0.05, edge: 0.03, angular_velocity: [0, 0, 10], " SOFT "}\n"},
};
enum { NCASE = sizeof cases / sizeof *cases, SAMPLES = 32 };

static plData* make(const Case* c, double dt, double theta, bool fixed) {
  plError error;
  plSpec* spec = NULL;
  char text[4096];
  snprintf(text, sizeof text, "pliant: 1\n%s%s",
           strcmp(c->name, "spin") ? "" : "options: {gravity: [0, 0, 0]}\n", c->text ? c->text : "");
  if (c->text ? pl_spec_parse(c->name, ".", text, strlen(text), NULL, &spec, &error)
              : pl_spec_load(PLIANT_SCENES "/arch_mu10.yaml", NULL, &spec, &error))
    stop(c->name, &error);
  plOptions* o = pl_spec_options(spec);
  o->dt = dt, o->theta = o->theta_vq = theta;
  if (fixed) o->friction_sigma = 1e-6;
  const plModel* model = pl_model_create(spec, &error);
  plData* data = model ? pl_data_create(model, &error) : NULL;
  if (!data) stop(c->name, &error);
  pl_model_destroy(model), pl_spec_destroy(spec);
  return data;
}

// ---- runs: where everything was, and what it cost

typedef struct Run {
  int n, nsample;
  double* x[SAMPLES];             // [3 n] m, vertices and centres of mass of bodies, at each sample
  long factorizations, searches;  // of the run
  bool failed;
} Run;

static void look(const plData* data, Run* run) {
  const plModel* m = data->model;
  run->n = m->nvert + m->nbody;
  double* x = run->x[run->nsample++] = calloc(3 * (size_t)run->n + 1, sizeof(double));
  for (int b = 0; b < m->ndeform; b++) {
    size_t n = 3 * (size_t)(m->deform_vert0[b + 1] - m->deform_vert0[b]);
    memcpy(x, data->q + m->deform_q0[b], n * sizeof(double)), x += n;
  }
  for (int b = 0; b < m->nbody; b++) {
    plRigidState s;
    pl_rigid_body_state(data, b, &s);
    *x++ = s.com.x, *x++ = s.com.y, *x++ = s.com.z;
  }
}

static void forget(Run* run) {
  for (int i = 0; i < run->nsample; i++) free(run->x[i]);
}

// The largest distance over the samples.
static double distance(const Run* a, const Run* b) {
  double most = 0;
  for (int s = 0; s < a->nsample && s < b->nsample; s++)
    for (int i = 0; i < a->n; i++) {
      const double *p = a->x[s] + 3 * (size_t)i, *q = b->x[s] + 3 * (size_t)i;
      most = fmax(most, hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]));
    }
  return most;
}

static int samples_of(const Case* c) { return c->rest ? 1 : (int)lround(c->end / 0.1); }

static Run run_fixed(const Case* c, double dt, double theta) {
  plData* data = make(c, dt, theta, true);
  plError error;
  Run run = {0};
  int nsample = samples_of(c);
  long steps = lround(c->end / dt / nsample);
  for (int s = 0; s < nsample; s++) {
    for (long i = 0; i < steps && !run.failed; i++) {
      run.failed = pl_step(data, &error) != PL_OK;
      if (run.failed) printf("  %s, dt %g: %s\n", c->name, dt, error.message);
      run.factorizations += data->report.factorizations, run.searches += data->report.searches;
    }
    look(data, &run);
  }
  pl_data_destroy(data);
  return run;
}

static Run run_accurate(const Case* c, double accuracy, plAdvanceReport* sum) {
  plData* data = make(c, c->sample, 1, false);
  plError error;
  Run run = {0};
  *sum = (plAdvanceReport){0};
  int nsample = samples_of(c);
  for (int s = 0; s < nsample; s++) {
    plAdvanceReport r;
    if (!run.failed && pl_advance(data, c->end * (s + 1) / nsample, accuracy, &r, &error)) {
      printf("  %s, accuracy %g: %s\n", c->name, accuracy, error.message);
      run.failed = true;
    }
    sum->steps += r.steps, sum->rejected += r.rejected, sum->error = fmax(sum->error, r.error);
    run.factorizations += r.factorizations, run.searches += r.searches;
    look(data, &run);
  }
  pl_data_destroy(data);
  return run;
}

// ---- fixed steps, halved

enum { HALVINGS = 12 };
typedef struct Ladder {
  double dt[HALVINGS], change[HALVINGS];
  Run run[HALVINGS];
  int n;
} Ladder;

// Until twice in a row the motion changes by no more than `least`.
static void climb(const Case* c, double theta, double least, int most, Ladder* l) {
  for (l->n = 0; l->n < most;) {
    int i = l->n++;
    l->dt[i] = ldexp(0.02, -i), l->run[i] = run_fixed(c, l->dt[i], theta);
    l->change[i] = i ? distance(&l->run[i], &l->run[i - 1]) : INFINITY;
    if (i > 1 && l->change[i] <= least && l->change[i - 1] <= 3 * least) break;
  }
}

// Factorizations and searches of the longest fixed step whose error, and that of all shorter ones, is no
// larger; between two steps of the ladder by their powers.
static double fixed_cost(const Ladder* l, const Run* reference, double error) {
  double worse = 0, better = 0, dear = 0, cheap = 0;
  for (int i = l->n - 1; i >= 0; i--) {
    worse = distance(&l->run[i], reference), cheap = (double)(l->run[i].factorizations + l->run[i].searches);
    if (worse > error) break;
    better = worse, dear = cheap;
  }
  if (worse <= error) return cheap;             // the longest will do
  if (dear == 0) return cheap * worse / error;  // none will; the error falls with dt
  return better > 0 ? cheap * pow(dear / cheap, log(worse / error) / log(worse / better)) : dear;
}

// ---- cases

static void judge(const char* what, double value, double limit, bool ok) {
  printf("  %-58s %8.3g, limit %g", what, value, limit);
  verdict(ok);
}

static void run_case(const Case* c, bool quick, FILE* json, int* rows) {
  Ladder l = {0}, own = {0};
  double finest = quick ? 1e-4 : c->finest, first = NAN, error = NAN, worst = 0, dearest = INFINITY;
  climb(c, c->theta, c->rest ? finest : 0.2 * finest, HALVINGS, &l);
  if (!c->rest && c->cheaper) climb(c, 1, 0, 7, &own);
  const Run* reference = &l.run[l.n - 1];
  printf("%s: the reference, a fixed step of %.3g s, changes by %.2g m when halved\n", c->name, l.dt[l.n - 1],
         l.change[l.n - 1]);
  int decades = 0, failed = 0;
  for (double accuracy = 1e-2; accuracy > 0.5 * finest; accuracy *= 0.1, decades++) {
    plAdvanceReport r;
    Run run = run_accurate(c, accuracy, &r);
    error = distance(&run, reference);
    double cost = (double)(run.factorizations + run.searches);
    double ratio = c->cheaper ? fixed_cost(c->rest ? &l : &own, reference, error) / cost : NAN;
    if (accuracy < 5e-4) dearest = fmin(dearest, ratio);
    if (decades == 0) first = error;
    worst = fmax(worst, error / accuracy), failed += run.failed;
    printf("  accuracy %.0e m: error %.2e m; %d steps, %d again, %ld factorizations, %ld searches", accuracy,
           error, r.steps, r.rejected, run.factorizations, run.searches);
    printf(c->cheaper ? "; fixed %.2f times as many\n" : "\n", ratio);
    if (json)
      fprintf(json,
              "%s  {\"scene\": \"%s\", \"accuracy\": %g, \"error\": %g, \"steps\": %d, \"rejected\": %d, "
              "\"factorizations\": %ld, \"searches\": %ld}",
              (*rows)++ ? ",\n" : "", c->name, accuracy, error, r.steps, r.rejected, run.factorizations,
              run.searches);
    forget(&run);
  }
  judge("runs that failed", failed, 0, !failed);
  judge("change of the reference, over the finest accuracy", l.change[l.n - 1] / finest, 1,
        l.change[l.n - 1] <= finest);
  if (c->rest) judge("largest error at rest, over its accuracy", worst, 3, worst <= 3);
  double fall = pow(first / error, 1.0 / (decades - 1));
  if (!c->rest) judge("error falls per decade", fall, 5, fall >= 5);
  if (c->cheaper && !(quick && c->rest))
    judge("least cost of a fixed step with the same error", dearest, 1.5, dearest >= 1.5);
  for (int i = 0; i < l.n; i++) forget(&l.run[i]);
  for (int i = 0; i < own.n; i++) forget(&own.run[i]);
}

int main(int argc, char** argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  bool quick = false, some = false, wanted[NCASE] = {false};
  const char* path = NULL;
  for (int i = 1; i < argc; i++) {
    bool known = true;
    if (!strcmp(argv[i], "--quick"))
      quick = true;
    else if (!strcmp(argv[i], "--json") && i + 1 < argc)
      path = argv[++i];
    else
      known = false;
    for (int k = 0; k < NCASE; k++)
      if (!strcmp(argv[i], cases[k].name)) wanted[k] = some = known = true;
    if (!known) return fprintf(stderr, "usage: accuracy [--quick] [--json FILE] [SCENE ...]\n"), 2;
  }
  FILE* json = path ? fopen(path, "w") : NULL;
  if (path && !json) return fprintf(stderr, "accuracy: '%s' cannot be written\n", path), 2;
  if (json) fprintf(json, "[\n");
  int rows = 0;
  for (int k = 0; k < NCASE; k++)
    if (some ? wanted[k] : !quick || cases[k].text) run_case(&cases[k], quick, json, &rows);
  if (json) fprintf(json, "\n]\n"), fclose(json);
  return failures != 0;
}

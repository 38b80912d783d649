// The judge of passages and overlaps in random scenes (bench/torture/overlap.c): bodies are placed by hand,
// and it says what they did. An overlap within its allowance is no passage, wherever the centre of a thin or
// bent body is; what goes through is one.
#include <stdarg.h>
#include <stdio.h>

#include "bench/torture/judge.h"
#include "math/pose.h"
#include "math/random_vec3.h"
#include "world.h"

void fail(Verdict* v, Outcome outcome, int step, const char* format, ...) {
  (void)step;
  va_list list;
  va_start(list, format);
  if (v->outcome == OUTCOME_OK) v->outcome = outcome, vsnprintf(v->why, sizeof v->why, format, list);
  va_end(list);
}

// A soft plate of one layer, above a ball in the origin.
typedef struct Pair {
  World w;
  Overlaps* overlaps;
  double height, allowed, radius;  // m, of the plate, its overlap, the ball
  double* q;                       // [3 nvert] the plate about the origin
} Pair;

// radius, height: in widths of a cell.
static void create(Pair* p, plRandom* r, double radius, double height, double stiffness) {
  double wide = pl_random(r, 0.02, 0.1);
  p->height = height * wide, p->radius = radius * wide;
  double above = p->radius + p->height;
  p->w = begin(v3(0, 0, 0), 0.01);
  plSurface surface = pl_default_shape_def().surface;
  surface.contact_stiffness = stiffness;
  int id = add_block(&p->w, v3(2 * wide, 2 * wide, p->height), 2, 2, 1, pose_at(0, 0, above), 1e5);
  plShapeDef ball = pl_default_shape_def();
  ball.name = "ball", ball.kind = PL_SHAPE_SPHERE, ball.radius = p->radius, ball.surface = surface;
  CHECK_INT(pl_spec_add_shape(p->w.spec, &ball, NULL, &p->w.error), PL_OK);
  build(&p->w);
  const plModel* m = p->w.model;
  p->allowed = 0.5 * cbrt(6 * m->deform_volume[id] / (m->deform_tet0[id + 1] - m->deform_tet0[id]));
  p->overlaps = overlaps_create(p->w.data);
  p->q = malloc(3 * (size_t)m->nvert * sizeof *p->q);
  for (int i = 0; i < 3 * m->nvert; i++) p->q[i] = p->w.data->q[i] - (i % 3 == 2 ? above : 0);
}

static void destroy(Pair* p) {
  overlaps_destroy(p->overlaps);
  free(p->q);
  end(&p->w);
}

// The plate with its middle at x, bent to a radius of 1 / bend around what is below it.
static void place(Pair* p, plVec3 x, double bend) {
  for (int i = 0; i < p->w.model->nvert; i++) {
    plVec3 y = v3_load(p->q + 3 * i);
    y.z -= 0.5 * bend * (y.x * y.x + y.y * y.y);
    v3_store(p->w.data->q + 3 * i, v3_add(x, y));
  }
  overlaps_part(p->overlaps, p->w.data);
}

static Outcome verdict(Pair* p, double energy) {
  Verdict v = {.outcome = OUTCOME_OK};
  overlaps_step(p->overlaps, p->w.data, true, energy, &v);
  return v.outcome;
}

// The plate lies on the ball, flat or bent around it, as deep as is allowed; its middle may be in the ball.
static void an_allowed_overlap_is_no_passage(void) {
  plRandom r = {41};
  int inside = 0;
  for (int i = 0; i < 200; i++) {
    Pair p;
    double radius = pl_random(&r, 1, 5), height = pl_random(&r, 0.05, 0.5);
    create(&p, &r, radius, height, INFINITY);
    double deep = pl_random(&r, 0, 0.999) * p.allowed, bend = pl_random(&r, 0, 1) / p.radius;
    for (int k = 0; k <= 4; k++) place(&p, v3(0, 0, p.radius + 0.5 * p.height - 0.25 * k * deep), bend);
    inside += deep > 0.5 * p.height;
    CHECK_INT(verdict(&p, 0), OUTCOME_OK);
    place(&p, v3(0, 0, p.radius + 0.5 * p.height - 1.01 * p.allowed), bend);
    CHECK(is_failure(verdict(&p, 0)));
    destroy(&p);
  }
  printf("  the middle of the plate was in the ball %d times\n", inside);
  CHECK(inside > 40);
}

// It moves through the ball within one step, in one part or in several, past its centre or beside it.
static void what_goes_through_passes(void) {
  plRandom r = {42};
  for (int i = 0; i < 200; i++) {
    Pair p;
    double radius = pl_random(&r, 1, 5), height = pl_random(&r, 0.05, 0.5);
    create(&p, &r, radius, height, INFINITY);
    double angle = pl_random(&r, 0, 6.3), side = pl_random(&r, 0, 0.49) * p.radius;
    int parts = 1 + i % 5;
    plVec3 x = v3(side * cos(angle), side * sin(angle), 0);
    for (int k = 0; k <= parts; k++) place(&p, v3_madd(x, (2 - 4.0 * k / parts) * p.radius, v3(0, 0, 1)), 0);
    CHECK_INT(verdict(&p, 0), OUTCOME_PASSED);
    destroy(&p);
  }
}

// A small ball in a thick block. Its stiffness does work down to its middle, pi k R^4 / 3; what has more
// energy gets deeper.
static void a_stiffness_yields_to_more_energy(void) {
  plRandom r = {43};
  for (int i = 0; i < 100; i++) {
    double k = pow(10, pl_random(&r, 6, 10)), share = pl_random(&r, 1.01, 1.5);
    Pair p;
    double radius = pl_random(&r, 0.3, 0.4);
    create(&p, &r, radius, 2, k);
    double work = acos(-1) * k * pow(p.radius, 4) / 3;
    place(&p, v3(0, 0, p.radius - share * p.allowed + 0.5 * p.height), 0);
    CHECK_INT(verdict(&p, 1.01 * work), OUTCOME_OK);
    CHECK_INT(verdict(&p, 0.99 * work), OUTCOME_OVERLAP);
    destroy(&p);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(an_allowed_overlap_is_no_passage);
  RUN(what_goes_through_passes);
  RUN(a_stiffness_yields_to_more_energy);
  return CHECK_END;
}

// The judge of passages and overlaps in random scenes (bench/torture/overlap.c): bodies are placed by hand,
// and it says what they did. An overlap within its allowance is no passage, wherever the centre of a thin or
// bent body is; what goes through is one.
#include <stdarg.h>
#include <stdio.h>

#include "bench/torture/judge.h"
#include "geom/closest.h"
#include "geom/tri_tree.h"
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

static const plQuat UPRIGHT = {1, 0, 0, 0}, TILTED = {0.8, 0.6, 0, 0};

// radius, height: in widths of a cell; tilt: of the ball, and of the six points at which it is judged.
static void create(Pair* p, plRandom* r, double radius, double height, double stiffness, plQuat tilt) {
  double wide = pl_random(r, 0.02, 0.1);
  p->height = height * wide, p->radius = radius * wide;
  double above = p->radius + p->height;
  p->w = begin(v3(0, 0, 0), 0.01);
  plSurface surface = pl_default_shape_def().surface;
  surface.contact_stiffness = stiffness;
  int id = add_block(&p->w, v3(2 * wide, 2 * wide, p->height), 2, 2, 1, pose_at(0, 0, above), 1e5);
  plShapeDef ball = pl_default_shape_def();
  ball.name = "ball", ball.kind = PL_SHAPE_SPHERE, ball.radius = p->radius, ball.surface = surface;
  ball.pose.q = tilt;
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
    create(&p, &r, radius, height, INFINITY, UPRIGHT);
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
    create(&p, &r, radius, height, INFINITY, UPRIGHT);
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
    create(&p, &r, radius, 2, k, UPRIGHT);
    double work = acos(-1) * k * pow(p.radius, 4) / 3;
    place(&p, v3(0, 0, p.radius - share * p.allowed + 0.5 * p.height), 0);
    CHECK_INT(verdict(&p, 1.01 * work), OUTCOME_OK);
    CHECK_INT(verdict(&p, 0.99 * work), OUTCOME_OVERLAP);
    destroy(&p);
  }
}

// A narrow plate that lies on a large ball, and has been bent before, so that its middle was outside of it.
// All of its lower side, of four cells, is in the ball, as deep as the plate is thick or less; that area does
// the work, with at most half of the sides.
static void a_narrow_body_yields_by_its_area(void) {
  plRandom r = {45};
  for (int i = 0; i < 100; i++) {
    double k = pow(10, pl_random(&r, 5, 9)), height = pl_random(&r, 1, 2);
    Pair p;
    create(&p, &r, pl_random(&r, 20, 50), height, k, TILTED);
    double wide = p.height / height, deep = pl_random(&r, 1.05, 2) * p.allowed,
           d = fmin(deep, fmax(wide, p.height)), work = 0.5 * k * pow(2 * wide * d, 2);
    place(&p, v3(0, 0, 2 * p.radius), 2 / wide);
    place(&p, v3(0, 0, p.radius - deep + 0.5 * p.height), 0);
    CHECK_INT(verdict(&p, 1.01 * (1 + height) * work), OUTCOME_OK);
    CHECK_INT(verdict(&p, 0.9 * work), OUTCOME_OVERLAP);
    destroy(&p);
  }
}

// m, from x to the surface of deformable 0; *inside: whether the surface encloses x.
static double to_surface(const World* w, plVec3 x, bool* inside) {
  const plModel* m = w->model;
  double least = INFINITY;
  for (int t = 0; t < m->deform_tri0[1]; t++) {
    plVec3 y[3], at[3] = {x, x, x};
    for (int k = 0; k < 3; k++) y[k] = v3_load(w->data->q + m->deform_q0[0] + 3 * m->tri_vert[3 * t + k]);
    least = fmin(least, pl_facet_gap(at, y, INFINITY).gap);
  }
  *inside = pl_tri_winding(w->data->q + m->deform_q0[0], m->tri_vert, m->deform_tri0[1], x) > 0.5;
  return least;
}

// The middles of the edges of a quadratic block have moved by up to 0.3 cells: a tiny ball in a dent is
// outside although it lies in the tetrahedra of the corners, and one in a bump is inside although it does
// not. Exact: winding numbers and distances of the facets on which contact acts.
static void quadratic_surfaces_bend(void) {
  enum { LARGE = 10 };
  plRandom r = {44};
  int count[2] = {0, 0}, seen[2] = {0, 0};
  for (int i = 0; i < 40; i++) {
    double wide = pl_random(&r, 0.02, 0.1), angle = pl_random(&r, 0, 6.3);
    World w = begin(v3(0, 0, 0), 0.01);
    plMesh* mesh = box_mesh(v3(3 * wide, 3 * wide, 2 * wide), 3, 3, 2);
    plDeformableDef def = pl_default_deformable_def();
    def.name = "block", def.mesh = mesh, def.material.element = PL_ELEMENT_TET10;
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
    plShapeDef ball = pl_default_shape_def();
    ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.01 * wide;
    add_body(&w, "ball", ball, pose_at(0, 0, 9 * wide), v3(0, 0, 0), 1, 1);
    build(&w);
    Overlaps* overlaps = overlaps_create(w.data);
    const plModel* m = w.model;
    double allowed = 0.5 * cbrt(6 * m->deform_volume[0] / m->deform_tet0[1]), *q = w.data->q;
    plVec3 k = v3(2 * cos(angle) / wide, 2 * sin(angle) / wide, 0);
    for (int t = 0; t < m->deform_tet0[1]; t++)
      for (int e = 0; e < 6; e++) {
        int v = m->tet_mid[6 * t + e];
        plVec3 x = v3_load(m->vert_rest + 3 * v);
        q[m->deform_q0[0] + 3 * v + 2] = x.z + 0.3 * wide * sin(v3_dot(k, x) + angle);
      }
    // Larger than at rest, because half a cell at rest is allowed.
    for (int c = 0; c < 3 * m->nvert; c++) q[m->deform_q0[0] + c] *= LARGE;
    for (int trial = 0; trial < 100; trial++) {
      plVec3 x = v3_random(&r, -1.5 * LARGE * wide, 1.5 * LARGE * wide);
      bool inside;
      v3_store(q, x);
      double distance = to_surface(&w, x, &inside);
      // The first call finds what the way here led through, which is no matter.
      Verdict v = {.outcome = OUTCOME_OK};
      overlaps_part(overlaps, w.data), overlaps_step(overlaps, w.data, false, 0, &v);
      v.outcome = OUTCOME_OK;
      overlaps_part(overlaps, w.data), overlaps_step(overlaps, w.data, true, 0, &v);
      if (!(distance > (inside ? 1 : 0.1) * allowed)) continue;
      count[inside]++, seen[inside] += is_failure(v.outcome);
    }
    overlaps_destroy(overlaps);
    end(&w);
  }
  printf("  seen: %d of %d deep ones, %d of %d outside\n", seen[1], count[1], seen[0], count[0]);
  CHECK(count[0] > 100 && count[1] > 100);
  CHECK_INT(seen[0], 0);
  CHECK_INT(seen[1], count[1]);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(an_allowed_overlap_is_no_passage);
  RUN(what_goes_through_passes);
  RUN(a_stiffness_yields_to_more_energy);
  RUN(a_narrow_body_yields_by_its_area);
  RUN(quadratic_surfaces_bend);
  return CHECK_END;
}

// Two surfaces nearer than the margin have a point at the closest position, whatever their shapes, sizes and
// angles (any_pair.h; test_closest.c and build/bench/closest have convex bodies of 0.1 m).
#include "any_pair.h"
#include "check.h"

// What is wrong; NULL: nothing. Facets that oppose each other nearer than 2 % of a cell are shown by
// polygons, whose vertices and sharp edges miss the bow of blunt edges.
static const char* judge(const PairVerdict* v) {
  double flat = 1e-4 * v->cell;
  if (!v->built) return "not built";
  if (v->parts > 1) return NULL;
  if (!v->points) return "no point";
  if (v->least > v->exact + flat) return "farther than the distance";
  if (v->least < v->exact - flat) return "nearer than the distance";
  if (v->away > v->cell + 0.5 * v->exact) return "not within a cell";
  return v->feature > 1e-10 ? "not the distance of its features" : NULL;
}

// Overlaps too small to have a weight, notches, and splinters thinner than the edge of another body is deep
// below them.
static void nothing_near_is_missed(void) {
  static const double dt[3] = {0.01, 0.03, 0.08};
  plRandom r = {12345};
  int tried = 0, wrong = 0;
  for (int i = 0; i < CHECK_MEMBERS(12000); i++) {
    unsigned long long seed = r.state;
    double size = pow(10, pl_random(&r, -3, 1)), other = size * pow(10, pl_random(&r, -0.7, 0.3));
    AnyBody a = any_body(&r, size), b = any_body(&r, other);
    double step = dt[pl_random_int(&r, 3)], margin = margin_at_rest(step),
           gap = pow(10, pl_random(&r, -3, 0)) * 0.99 * margin;
    plConvexGap g = put_near(&r, &a, &b, gap);
    if (!(g.gap > 1e-5 && g.gap < 0.99 * margin)) continue;
    PairVerdict v = judge_any(&a, &b, g, step);
    const char* why = judge(&v);
    tried++;
    if (why && ++wrong <= 5)
      printf("%s %s and %s %s of %.2g m: %s: %d points, %.9g m instead of %.9g (seed %llu)\n",
             carrier_name[a.carrier], any_name[a.kind], carrier_name[b.carrier], any_name[b.kind], size, why,
             v.points, v.least, v.exact, seed);
  }
  printf("  %d pairs, %d wrong\n", tried, wrong);
  CHECK(tried > CHECK_MEMBERS(5000));
  CHECK_INT(wrong, 0);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(nothing_near_is_missed);
  return CHECK_END;
}

// closest.c: random pairs of bodies with a gap below the margin: the contact search must find a point at the
// closest position of each.
//
//   build/bench/closest [--quick] [--count N] [--seed S]
//
// Facets, plates, wedges, needles, cones and hulls, soft or rigid, boxes and smooth shapes, margins of 1 to
// 63 mm. One line for each kind of pair: how many were tried, missed, or had another gap than the exact
// distance (1e-10 m; 1 % of the margin between soft facets and smooth shapes). Exit status 1 if any was.
#include "../test/contact/random_pair.h"
#include "isa.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  if (!isa_is_known()) return 2;
  int count = 100000;
  plRandom r = {7};
  for (int i = 1; i < argc; i++) {
    bool value = i + 1 < argc;
    if (!strcmp(argv[i], "--quick"))
      count = 5000;
    else if (value && !strcmp(argv[i], "--count"))
      count = atoi(argv[++i]);
    else if (value && !strcmp(argv[i], "--seed"))
      r.state = strtoull(argv[++i], NULL, 10);
    else
      return fprintf(stderr, "usage: closest [--quick] [--count N] [--seed S]\n"), 2;
  }
  static const double dt[3] = {0.01, 0.03, 0.08};
  static int tried[CARRIERS][CARRIERS], missed[CARRIERS][CARRIERS], wrong[CARRIERS][CARRIERS];
  int total = 0;
  for (int i = 0; i < count; i++) {
    unsigned long long seed = r.state;
    Carrier ca = (Carrier)pl_random_int(&r, CARRIERS - 1), cb = (Carrier)pl_random_int(&r, CARRIERS);
    RandomBody a, b;
    int step = pl_random_int(&r, 3);
    double part = pl_random(&r, 0.01, 0.99);
    PairVerdict v = try_pair_at(&r, ca, cb, part, dt[step], &a, &b);
    const char* why = judge_pair(&v, ca, cb);
    tried[ca][cb]++, missed[ca][cb] += !v.points, wrong[ca][cb] += why && v.points, total += why != NULL;
    if (why)
      printf("%s and %s: %s, %d points, %g m instead of %g (--seed %llu --count 1)\n", carrier_name[ca],
             carrier_name[cb], why, v.points, v.least, v.exact, seed);
    free_body(&a), free_body(&b);
  }
  for (int i = 0; i < CARRIERS; i++)
    for (int j = 0; j < CARRIERS; j++)
      if (tried[i][j])
        printf("%-10s %-10s tried %5d, missed %d, another distance %d\n", carrier_name[i], carrier_name[j],
               tried[i][j], missed[i][j], wrong[i][j]);
  printf("%d pairs, %d wrong\n", count, total);
  return total > 0;
}

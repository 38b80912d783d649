// ccd.c: the volume of four points in straight motion is a cubic in time; its extrema cut [0, 1] into pieces
// on which it is monotonic, and each piece has a root where its ends have different signs.
#include <math.h>
#include <stdbool.h>

#include "geom/ccd.h"

typedef struct Cubic {
  double k[4];
} Cubic;

static double at(const Cubic* c, double s) { return ((c->k[3] * s + c->k[2]) * s + c->k[1]) * s + c->k[0]; }

static Cubic volume_of(const plVec3 x[4], const plVec3 d[4]) {
  plVec3 a = v3_sub(x[1], x[0]), b = v3_sub(x[2], x[0]), c = v3_sub(x[3], x[0]), da = v3_sub(d[1], d[0]),
         db = v3_sub(d[2], d[0]), dc = v3_sub(d[3], d[0]);
  plVec3 n0 = v3_cross(b, c), n1 = v3_add(v3_cross(db, c), v3_cross(b, dc)), n2 = v3_cross(db, dc);
  return (Cubic){
      {v3_dot(a, n0), v3_dot(da, n0) + v3_dot(a, n1), v3_dot(da, n1) + v3_dot(a, n2), v3_dot(da, n2)}};
}

// Extrema inside (0, 1), ascending.
static int extrema(const Cubic* c, double s[2]) {
  double a = 3 * c->k[3], b = c->k[2], e = c->k[1], det = b * b - a * e;
  int n = 0;
  if (!(det > 0)) return 0;
  double q = -(b + copysign(sqrt(det), b)), first = a != 0 ? q / a : INFINITY,
         second = q != 0 ? e / q : INFINITY;
  if (second < first) {
    double swap = first;
    first = second, second = swap;
  }
  if (first > 0 && first < 1) s[n++] = first;
  if (second > 0 && second < 1) s[n++] = second;
  return n;
}

// Signs at low and high differ. Bisects to the last bit, so that the result depends on no iteration limit.
static double bisect(const Cubic* c, double low, double high, bool falls) {
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (low + high);
    if ((at(c, middle) > 0) == falls)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

// If all Bernstein coefficients on [0, 1] have one sign, so has the cubic.
static bool keeps_its_sign(const Cubic* c) {
  double b0 = c->k[0], b1 = b0 + c->k[1] / 3, b2 = b0 + (2 * c->k[1] + c->k[2]) / 3,
         b3 = b0 + c->k[1] + c->k[2] + c->k[3];
  return (b0 > 0 && b1 > 0 && b2 > 0 && b3 > 0) || (b0 < 0 && b1 < 0 && b2 < 0 && b3 < 0);
}

int pl_coplanar_times(const plVec3 x[4], const plVec3 d[4], double s[3], bool falls[3]) {
  Cubic c = volume_of(x, d);
  if (keeps_its_sign(&c)) return 0;
  double cut[4] = {0}, inner[2];
  int m = extrema(&c, inner), n = 0, last = m + 1;
  for (int i = 0; i < m; i++) cut[i + 1] = inner[i];
  cut[last] = 1;
  for (int i = 0; i < last; i++) {
    double low = at(&c, cut[i]), high = at(&c, cut[i + 1]);
    if ((low > 0) == (high > 0)) continue;
    falls[n] = low > 0, s[n] = bisect(&c, cut[i], cut[i + 1], falls[n]), n++;
  }
  return n;
}

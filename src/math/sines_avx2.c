// sines_avx2.c: sines and cosines, four at a time.
//
// The nearest multiple of pi/2 is subtracted, in two parts of pi/2, and what this loses is kept: r + rest is
// between -pi/4 and pi/4. There, sine and cosine are the polynomials of fdlibm's k_sin.c and k_cos.c, whose
// errors are below 2^-58; the multiple says which of the two belongs to which, and their signs. Angles beyond
// FAR, for which the multiple times the first part of pi/2 is not exact, are left to the C library.
#include <stdbool.h>
#include <string.h>

#include "math/sines.h"

typedef double Vec __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long Int __attribute__((vector_size(32), aligned(8), may_alias));

static const double FAR = 1e6;
static const double ROUND = 0x1.8p52;  // adding it rounds to an integer, which is in the lowest bits
static const double PER_TURN = 6.36619772367581382433e-01;  // 2 / pi
static const double PI_2 = 1.57079632673412561417e+00, PI_2_REST = 6.07710050650619224932e-11;

// sin(r + rest), z = r^2
static inline Vec sine(Vec r, Vec rest, Vec z) {
  Vec cube = z * r;
  Vec p = 8.33333333332248946124e-03 +
          z * (-1.98412698298579493134e-04 +
               z * (2.75573137070700676789e-06 +
                    z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  return r - ((z * (0.5 * rest - cube * p) - rest) - cube * -1.66666666666666324348e-01);
}

// cos(r + rest)
static inline Vec cosine(Vec r, Vec rest, Vec z) {
  Vec p = z * (4.16666666666666019037e-02 +
               z * (-1.38888888888741095749e-03 +
                    z * (2.48015872894767294178e-05 +
                         z * (-2.75573143513906633035e-07 +
                              z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  Vec half = 0.5 * z, w = 1.0 - half;
  return w + (((1.0 - w) - half) + (z * p - r * rest));
}

static inline Vec choose(Int which, Vec a, Vec b) { return (Vec)(((Int)a & which) | ((Int)b & ~which)); }

static inline void sines_of(Vec x, double* s, double* c) {
  Vec shifted = x * PER_TURN + ROUND, n = shifted - ROUND;
  Int k = (Int)shifted, odd = -(k & 1);
  Vec near = x - n * PI_2, lost = n * PI_2_REST, r = near - lost, rest = (near - r) - lost, z = r * r;
  Vec sin_r = sine(r, rest, z), cos_r = cosine(r, rest, z);
  Vec sin_x = choose(odd, cos_r, sin_r), cos_x = choose(odd, sin_r, cos_r);
  *(Vec*)s = (Vec)((Int)sin_x ^ ((k & 2) << 62)), *(Vec*)c = (Vec)((Int)cos_x ^ (((k + 1) & 2) << 62));
}

static inline int are_near(Vec x) {
  Int near = (x < FAR) & (x > -FAR);
  return (near[0] & near[1] & near[2] & near[3]) != 0;
}

void pl_sines_avx2(int n, const double* x, double* s, double* c) {
  for (int i = 0; i < n; i += 4) {
    int m = n - i < 4 ? n - i : 4;
    double own[4] = {0}, sin_x[4], cos_x[4];
    bool whole = m == 4;
    if (!whole) memcpy(own, x + i, (size_t)m * sizeof *x);
    Vec angle = *(const Vec*)(whole ? x + i : own);
    if (!are_near(angle)) {
      pl_sines_plain(m, x + i, s + i, c + i);
      continue;
    }
    sines_of(angle, whole ? s + i : sin_x, whole ? c + i : cos_x);
    if (whole) continue;
    memcpy(s + i, sin_x, (size_t)m * sizeof *s), memcpy(c + i, cos_x, (size_t)m * sizeof *c);
  }
}

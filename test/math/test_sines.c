// test_sines.c: sines and cosines four at a time are those of the C library, up to rounding, for angles of
// every size, near multiples of pi/4 too, and however many there are.
#include "math/sines.h"

#include "base/cpu.h"
#include "base/random.h"
#include "check.h"

enum { MOST = 9 };

static double random_angle(plRandom* r) {
  static const double least[] = {-1, -17, -300, 0}, most[] = {1, -1, 5, 12};  // decimal exponents
  int kind = pl_random_int(r, 4), quarter = pl_random_int(r, 2000);
  double sign = pl_random_int(r, 2) ? 1 : -1;
  double size = pow(10, pl_random(r, least[kind], most[kind]));
  return kind == 1 ? quarter * acos(-1) / 4 + sign * size : sign * size;
}

// Only called where the machine has AVX2.
static void sines_by_avx2(int n, const double* x, double* s, double* c) {
#if defined(__x86_64__)
  pl_sines_avx2(n, x, s, c);
#else
  pl_sines_plain(n, x, s, c);
#endif
}

static void sines_are_those_of_the_library(void) {
  if (pl_isa_machine() < PL_ISA_AVX2) {
    SKIP_CPU("no AVX2");
    return;
  }
  double most = 0;
  for (int k = 0; k < CHECK_MEMBERS(100000); k++) {
    plRandom r = {(uint64_t)k};
    double x[MOST], s[MOST], c[MOST], sine[MOST], cosine[MOST];
    int n = 1 + k % MOST;
    for (int i = 0; i < n; i++) x[i] = random_angle(&r);
    pl_sines_plain(n, x, sine, cosine), sines_by_avx2(n, x, s, c);
    for (int i = 0; i < n; i++) {
      double off = fmax(fabs(s[i] - sine[i]), fabs(c[i] - cosine[i]));
      most = fmax(most, off);
      CHECK(off <= DBL_EPSILON);
    }
  }
  printf("largest difference %.2g\n", most);
}

static void angles_without_a_sine_have_none(void) {
  if (pl_isa_machine() < PL_ISA_AVX2) {
    SKIP_CPU("no AVX2");
    return;
  }
  double x[4] = {NAN, INFINITY, 0, 1}, s[4], c[4];
  sines_by_avx2(4, x, s, c);
  CHECK(isnan(s[0]) && isnan(c[0]) && isnan(s[1]) && isnan(c[1]));
  CHECK(s[2] == 0 && c[2] == 1 && s[3] == sin(1) && c[3] == cos(1));
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(sines_are_those_of_the_library);
  RUN(angles_without_a_sine_have_none);
  return CHECK_END;
}

// fma_peak.h: how many floating-point operations a second one core can do at most, with numbers that never
// leave the registers.
#ifndef PL_BENCH_FMA_PEAK_H
#define PL_BENCH_FMA_PEAK_H

#include <time.h>

#include "base/cpu.h"

enum { PEAK_ROUNDS = 200000 };

// processor seconds
static double peak_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx512f"))) static double peak_avx512(void) {
  __m512d a[24], x = _mm512_set1_pd(0.9999), y = _mm512_set1_pd(1e-9);
  for (int i = 0; i < 24; i++) a[i] = _mm512_set1_pd(0.1 * i);
  double t = peak_now();
  for (int r = 0; r < PEAK_ROUNDS; r++) {
#pragma GCC unroll 24
    for (int i = 0; i < 24; i++) a[i] = _mm512_fmadd_pd(a[i], x, y);
  }
  t = peak_now() - t;
  double out[8], sum = 0;
  for (int i = 0; i < 24; i++) _mm512_storeu_pd(out, a[i]), sum += out[0];
  return sum < -1e30 ? 0 : 16.0 * 24 * PEAK_ROUNDS / t * 1e-9;
}

__attribute__((target("avx2,fma"))) static double peak_avx2(void) {
  __m256d a[12], x = _mm256_set1_pd(0.9999), y = _mm256_set1_pd(1e-9);
  for (int i = 0; i < 12; i++) a[i] = _mm256_set1_pd(0.1 * i);
  double t = peak_now();
  for (int r = 0; r < PEAK_ROUNDS; r++) {
#pragma GCC unroll 12
    for (int i = 0; i < 12; i++) a[i] = _mm256_fmadd_pd(a[i], x, y);
  }
  t = peak_now() - t;
  double out[4], sum = 0;
  for (int i = 0; i < 12; i++) _mm256_storeu_pd(out, a[i]), sum += out[0];
  return sum < -1e30 ? 0 : 8.0 * 12 * PEAK_ROUNDS / t * 1e-9;
}
#endif

// one multiplication and one addition of pairs: what a machine without FMA does
static double peak_plain(void) {
  typedef double Pair __attribute__((vector_size(16)));
  Pair a[8], b[4], x = {0.9999, 0.9999}, y = {1e-9, 1e-9};
  for (int i = 0; i < 8; i++) a[i] = (Pair){0.1 * i, 0.2 * i};
  for (int i = 0; i < 4; i++) b[i] = (Pair){1 + 0.1 * i, 1};
  double t = peak_now();
  for (int r = 0; r < PEAK_ROUNDS; r++) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) a[i] += y;
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) b[i] *= x;
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) b[i] *= x;
  }
  t = peak_now() - t;
  double sum = 0;
  for (int i = 0; i < 8; i++) sum += a[i][0];
  for (int i = 0; i < 4; i++) sum += b[i][0];
  return sum < -1e30 ? 0 : 2.0 * 16 * PEAK_ROUNDS / t * 1e-9;
}

// Gflop/s of one core, best of several
static double fma_peak(plIsa isa) {
  double best = 0;
  for (int k = 0; k < 20; k++) {
    double rate;
#if defined(__x86_64__)
    rate = isa == PL_ISA_AVX512 ? peak_avx512() : isa == PL_ISA_AVX2 ? peak_avx2() : peak_plain();
#else
    (void)isa;
    rate = peak_plain();
#endif
    if (rate > best) best = rate;
  }
  return best;
}

#endif

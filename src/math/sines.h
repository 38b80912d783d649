// sines.h: sines and cosines of several angles.
#ifndef PL_MATH_SINES_H
#define PL_MATH_SINES_H

// s(n), c(n) = sin, cos of x(n)
void pl_sines(int n, const double* x, double* s, double* c);

// the same by the C library, one by one; four at a time with AVX2
void pl_sines_plain(int n, const double* x, double* s, double* c);
void pl_sines_avx2(int n, const double* x, double* s, double* c);

#endif

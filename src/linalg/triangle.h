// triangle.h: a dense symmetric matrix kept as a panel-major triangle (panel.h): conversion, Cholesky factor,
// solves.
#ifndef PL_LINALG_TRIANGLE_H
#define PL_LINALG_TRIANGLE_H

#include "base/parallel.h"
#include "linalg/panel.h"

// Converts panels to the lower triangle of a column-major matrix of order n. Entries above the diagonal are
// not changed.
void pl_triangle_to_columns(int n, const double* T, double* a, int ld);

// T := L with T = L L', reciprocals on the diagonal; returns the column whose pivot is not positive, or -1.
// Threads change no bit.
int pl_triangle_factor(const plPanelKernels* kernels, int n, double* T, plPool* pool);

// y := L^-1 y and y := L^-T y; y has room for n rounded up to 8, the rest being zero.
void pl_triangle_forward(const plPanelKernels* kernels, const double* L, int n, double* y);
void pl_triangle_backward(const plPanelKernels* kernels, const double* L, int n, double* y);

#endif

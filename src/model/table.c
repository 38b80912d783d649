// table.c: tables over time.
#include "model/table.h"

#include <assert.h>
#include <stddef.h>

// A tridiagonal system
//   s_{k-1}/h_{k-1} + 2 (1/h_{k-1} + 1/h_k) s_k + s_{k+1}/h_k = 3 (d_{k-1}/h_{k-1} + d_k/h_k),
//   d_k = (x_{k+1} - x_k)/h_k
// solved by elimination; c holds the remaining entries above the diagonal.
void pl_table_slopes(int n, const double* t, const double* x, double* slope, double* c) {
  for (int k = 0; k < n; k++) slope[k] = c[k] = 0;
  for (int k = 1; k + 1 < n; k++) {
    double a = 1 / (t[k] - t[k - 1]), b = 1 / (t[k + 1] - t[k]);
    double right = 3 * ((x[k] - x[k - 1]) * a * a + (x[k + 1] - x[k]) * b * b);
    double pivot = 2 * (a + b) - a * c[k - 1];
    c[k] = b / pivot;
    slope[k] = (right - a * slope[k - 1]) / pivot;
  }
  for (int k = n - 2; k >= 1; k--) slope[k] -= c[k] * slope[k + 1];
}

bool pl_table_interval(int n, const double* t, double at, int* k, double* a) {
  int low = 0, high = n - 1;
  assert(n > 0);
  *k = at <= t[0] ? 0 : n - 1;
  if (at <= t[0] || at >= t[n - 1]) return false;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (t[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  *k = low, *a = (at - t[low]) / (t[low + 1] - t[low]);
  return true;
}

void pl_table_at(int n, const double* t, const double* x, const double* slope, double at, double* value,
                 double* rate) {
  int low;
  double a;
  *rate = 0;
  if (!pl_table_interval(n, t, at, &low, &a)) {
    *value = x[low];
    return;
  }
  double h = t[low + 1] - t[low], d = x[low + 1] - x[low];
  if (!slope) {
    *value = x[low] + a * d;
    *rate = d / h;
    return;
  }
  // Hermite: x0 + h s0 a + (3 d - 2 h s0 - h s1) a^2 + (h s0 + h s1 - 2 d) a^3
  double s0 = h * slope[low], s1 = h * slope[low + 1], c2 = 3 * d - 2 * s0 - s1, c3 = s0 + s1 - 2 * d;
  *value = x[low] + a * (s0 + a * (c2 + a * c3));
  *rate = (s0 + a * (2 * c2 + a * 3 * c3)) / h;
}

// table.h: a function of time given at knots: linear in between, or a cubic spline at rest at both ends;
// constant before the first and after the last knot.
#ifndef PL_MODEL_TABLE_H
#define PL_MODEL_TABLE_H

#include <stdbool.h>

// Finds the interval of n >= 1 increasing times that contains `at`: it is between knots *k and *k + 1, at the
// fraction *a of the way. False if `at` is not between the first and the last knot; then *k is the nearer one
// of these.
bool pl_table_interval(int n, const double* time, double at, int* k, double* a);
// Slopes [n] at the knots of the cubic that is continuous in its second derivative and at rest at both ends;
// scratch [n].
void pl_table_slopes(int n, const double* time, const double* value, double* slope, double* scratch);
// Value and rate at a time, n >= 1 knots; slope (NULL: straight) are those of pl_table_slopes.
void pl_table_at(int n, const double* time, const double* value, const double* slope, double at, double* x,
                 double* rate);

#endif

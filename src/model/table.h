// table.h: a number over time given at knots: straight in between, or smooth and at rest at both ends;
// constant before and after.
#ifndef PL_MODEL_TABLE_H
#define PL_MODEL_TABLE_H

// Slopes [n] at the knots of the cubic that is continuous in its second derivative and at rest at both ends;
// scratch [n].
void pl_table_slopes(int n, const double* time, const double* value, double* slope, double* scratch);
// Value and rate at a time, n >= 1 knots; slope (NULL: straight) are those of pl_table_slopes.
void pl_table_at(int n, const double* time, const double* value, const double* slope, double at, double* x,
                 double* rate);

#endif

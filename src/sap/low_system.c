// low_system.c: the dense system 1 + D M of few changed constraints.
//
// D = G - G_panel has a block of its own for each constraint, M = W' W couples all of them (low_rank.c).
// Where a constraint's G is that of the panels, its rows are those of the unit matrix: they are left out of
// the factorization. H and H0 are positive definite, so 1 + D M is regular; pivots that are mostly rounding
// mean that the change is too large for this factor.
//
// G, G_panel, M_changed -> plSapSystem
#include <math.h>
#include <string.h>

#include "sap/workspace.h"

static const double SOUND = 1e-8;  // least pivot, relative to the terms of its row

// The row of D that belongs to row a of the changed constraints: its first column, their number.
static int columns_of_row(const plSapWorkspace* ws, int a, int* first) {
  const plSapLowRank* low = &ws->low;
  int i = low->con[a], r = low->row[a] - low->first[i];
  bool full = pl_sap_is_contact(ws->problem->constraint[i].law);
  *first = full ? a - r : a;
  return full ? 3 : 1;
}

// D, and the rows in which it is not zero
static void make_D(const plSapWorkspace* ws, const double* G, plSapSystem* sys) {
  const plSapLowRank* low = &ws->low;
  sys->n = 0;
  for (int a = 0; a < low->n; a++) {
    int i = low->con[a], at = ws->lay.con_G0[i], size = ws->lay.con_G0[i + 1] - at, first;
    int r = low->row[a] - low->first[i], n = columns_of_row(ws, a, &first);
    for (int k = 0; k < n; k++) sys->D[a][k] = G[at + r + 3 * k] - ws->G_panel[at + r + 3 * k];
    if (memcmp(G + at, ws->G_panel + at, (size_t)size * sizeof *G) != 0) sys->row[sys->n++] = a;
  }
}

// Row a of D times v
static double times_row(const plSapWorkspace* ws, const plSapSystem* sys, int a, const double* v) {
  int first, n = columns_of_row(ws, a, &first);
  const double* D = sys->D[a];
  return n == 1 ? D[0] * v[first] : D[0] * v[first] + D[1] * v[first + 1] + D[2] * v[first + 2];
}

void pl_sap_low_times_D(const plSapWorkspace* ws, const plSapSystem* sys, const double* v, double* b) {
  for (int a = 0; a < ws->low.n; a++) b[a] = times_row(ws, sys, a, v);
}

static void take_columns(const plSapSystem* sys, const double* row, double* S) {
  for (int q = 0; q < sys->n; q++) S[q] = row[sys->row[q]];
  for (int q = sys->n; q < pl_lu_stride(sys->n); q++) S[q] = 0;
}

// S, row by row, and a bound on the terms that are added up in each row: |M_ij| <= sqrt(M_ii M_jj)
static void make_S(const plSapWorkspace* ws, plSapSystem* sys, double* size) {
  const plSapLowRank* low = &ws->low;
  const double* M = low->M_changed;
  double most = 0;
  int ld = pl_lu_stride(low->n);
  for (int a = 0; a < low->n; a++) most = fmax(most, M[a * ld + a]);
  for (int p = 0; p < sys->n; p++) {
    int a = sys->row[p], first, n = columns_of_row(ws, a, &first);
    const double *D = sys->D[a], *from = M + first * ld;
    double own = 0, sum = 0, product[PL_SAP_LOW], *S = sys->S + p * pl_lu_stride(sys->n);
    double* row = sys->n == low->n ? S : product;
    for (int k = 0; k < n; k++) own = fmax(own, M[(first + k) * ld + first + k]), sum += fabs(D[k]);
    if (n == 3)
      low->lu->combine(low->n, D, from, row);
    else
      for (int b = 0; b < ld; b++) row[b] = D[0] * from[b];
    if (row != S) take_columns(sys, row, S);
    S[p] += 1;
    size[p] = fmax(1, sum * sqrt(own * most));
  }
}

bool pl_sap_low_system(const plSapWorkspace* ws, const double* G, plSapSystem* sys) {
  double size[PL_SAP_LOW];
  make_D(ws, G, sys);
  make_S(ws, sys, size);
  return ws->low.lu->factor(sys->n, sys->S, size, SOUND, sys->pivot);
}

// Unit rows are solved first. They change the right-hand sides of the other rows by D M x.
void pl_sap_low_divide(const plSapWorkspace* ws, const plSapSystem* sys, const double* b, double* x) {
  const plSapLowRank* low = &ws->low;
  int n = sys->n;
  double y[PL_SAP_LOW], unit[PL_SAP_LOW], v[PL_SAP_LOW];
  memcpy(x, b, (size_t)low->n * sizeof *x);
  if (n < low->n) {
    memcpy(unit, b, (size_t)low->n * sizeof *unit);
    for (int p = 0; p < n; p++) unit[sys->row[p]] = 0;
    pl_sap_low_times_M(low, unit, v);
    for (int p = 0; p < n; p++) x[sys->row[p]] -= times_row(ws, sys, sys->row[p], v);
  }
  for (int k = 0; k < n; k++) y[k] = x[sys->row[sys->pivot[k]]];
  low->lu->solve(n, sys->S, y);
  for (int k = 0; k < n; k++) x[sys->row[k]] = y[k];
}

void pl_sap_low_times_M(const plSapLowRank* low, const double* x, double* v) {
  low->lu->multiply(low->n, low->M_changed, x, v);
}

// workspace.h: what one solve keeps: the layout of the problem, the pattern of its Hessian, and the arrays of Newton's method.
//
// Written by layout.c (Layout), pattern.c (Pattern), hessian.c and factor.c (panels), newton.c (the rest). Positions are places
// in the order of elimination; only cliques that a constraint touches have one.
#ifndef PL_SAP_WORKSPACE_H
#define PL_SAP_WORKSPACE_H

#include <stddef.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "pliant/sap.h"
#include "sap/law.h"

// The problem as flat arrays, rebuilt for each call.
typedef struct plSapLayout {
  int nclique, nconstraint, nblock, nv, nrow, nG;
  int* clique_dof0;    // [nclique + 1]
  int* con_row0;       // [nconstraint + 1]
  int* con_blk0;       // [nconstraint + 1]
  int* con_G0;         // [nconstraint + 1]
  plSapBlock* blk;     // [nblock]
  int* blk_ncol;       // [nblock] columns of J
} plSapLayout;

// One product J_r' G J_c added to the Hessian.
typedef struct plSapPair {
  int constraint, row_blk, col_blk;
  int lda;        // of the panel
  size_t target;  // place of entry (0, 0) of the clique pair's block in the panels
} plSapPair;

// The Hessian's block pattern, its elimination order and supernodes; kept while the problem's pattern does not change.
typedef struct plSapPattern {
  // what it was made for
  int nclique, nconstraint, nblock;
  int *key_nv, *key_blk0, *key_clique;  // [nclique], [nconstraint + 1], [nblock]
  // cliques in elimination order
  int npos;            // touched cliques
  int* pos_clique;     // [npos]
  int* clique_pos;     // [nclique], -1: touched by no constraint
  int* pos_x0;         // [npos + 1] first entry in permuted vectors
  // supernodes: consecutive positions with one dense panel each: rows = own columns, then rows below
  int nsuper;
  int* super_pos0;     // [nsuper + 1]
  int* super_row0;     // [nsuper + 1] into row_pos, row_offset
  int* row_pos;        // positions of the cliques below
  int* row_offset;     // their first row in the panel
  int* super_lda;      // [nsuper] rows of the panel
  size_t* super_panel; // [nsuper + 1] first entry of the panel
  int* pos_super;      // [npos]
  int update_max;      // most rows below any supernode
  // products to add, by column position
  int npair;
  int* pos_pair0;      // [npos + 1]
  plSapPair* pair;     // [npair]
  int nblock_hessian, nblock_factor;
  double flops;        // of one factorization
} plSapPattern;

struct plSapWorkspace {
  plArena pattern_arena;   // lives while the pattern is kept
  plArena scratch;         // one call
  plSapPattern pattern;
  bool pattern_valid;
  plSapLayout lay;
  const plSapProblem* problem;
  // factor
  double* panel;    // [super_panel[nsuper]]
  double* update;   // [update_max^2]
  double* permuted; // [nv] right-hand side in elimination order
  // Newton (cliques that no constraint touches keep x = 0)
  double *x, *p;            // v - v_star, A x
  double *vc0, *vc, *gamma; // J v_star + b, J v + b, impulses
  double *G, *G_factored;   // Hessians of the laws now and when the panels were last filled
  plSapRegion* region;      // [nconstraint]
  double *jg, *grad, *dx, *dp, *dvc, *S;
  double *ls_vc, *ls_gamma, *ls_G;  // at the trial point of the line search
  double* clique_sum;       // [nclique]
  double* Av_star;          // A v_star
};

// layout.c
plStatus pl_sap_layout(plSapWorkspace* ws, const plSapProblem* problem, plSapReport* report, plError* error);
plStatus pl_sap_check_cliques(const plSapWorkspace* ws, plSapReport* report, plError* error);  // A of the touched ones
void pl_sap_mul_J(const plSapWorkspace* ws, const double* v, double* vc);                // vc = J v
void pl_sap_mul_Jt(const plSapWorkspace* ws, const double* gamma, double* f);            // f = J' gamma
void pl_sap_mul_A(const plSapWorkspace* ws, const double* v, double* p);                 // p = A v on touched cliques, 0 elsewhere

// pattern.c: false if memory ran out
bool pl_sap_pattern(plSapWorkspace* ws, bool* reused);

// order.c: elimination order of a graph of weighted nodes by minimum degree. adj lists are adj[adj0[i] .. adj0[i+1]), no node
// twice and not itself. order [n]; below[i] lists the count[i] nodes left in the boundary of i when it is eliminated. false:
// out of memory.
bool pl_sap_order(plArena* arena, int n, const int* weight, const int* adj0, const int* adj, int* order, int** below, int* count);

// hessian.c: panels = lower triangle of A + J' G J
void pl_sap_assemble(plSapWorkspace* ws, plPool* pool);

// factor.c: panels = L; the failing clique or -1. Then x = (L L')^-1 b in the problem's order.
int pl_sap_factor(plSapWorkspace* ws);
void pl_sap_factor_solve(plSapWorkspace* ws, const double* b, double* x);

// search.c
typedef struct plSapSearch {
  double alpha;
  int evaluations;
  bool noise;   // the slope at the start is below rounding: alpha is 1
} plSapSearch;
plSapSearch pl_sap_search(plSapWorkspace* ws, const plSapOptions* options);

// newton.c: the cost at x with p = A x and vc; all laws at vc (region may be NULL)
double pl_sap_cost(plSapWorkspace* ws, const double* x, const double* p, const double* vc);
void pl_sap_laws(const plSapWorkspace* ws, const double* vc, double* gamma, double* G, plSapRegion* region, plPool* pool);

#endif

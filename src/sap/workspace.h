// workspace.h: what one solve keeps: the layout of the problem, the pattern of its Hessian, and the arrays of
// Newton's method.
//
// Written by layout.c (Layout), pattern.c (Pattern), hessian.c and factor.c (panels), evaluate.c, direction.c
// and newton.c (the rest). Positions are places in the order of elimination; only cliques that a constraint
// touches, or that A couples to such a one, have one (all, if there are known impulses).
#ifndef PL_SAP_WORKSPACE_H
#define PL_SAP_WORKSPACE_H

#include <stddef.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "linalg/panel.h"
#include "pliant/sap.h"
#include "sap/law.h"

// The problem as flat arrays, rebuilt for each call.
typedef struct plSapLayout {
  int nclique, nconstraint, nblock, nv, nrow, nG;
  int* clique_dof0;  // [nclique + 1]
  int* con_row0;     // [nconstraint + 1]
  int* con_blk0;     // [nconstraint + 1]
  int* con_G0;       // [nconstraint + 1]
  bool* con_idle;    // [nconstraint] expected to stay open, and so far it has: the Hessian's pattern does
                     // without it
  int *coupling0, *coupling;  // [nclique + 1], [2 ncoupling]: the couplings of each clique
  plSapBlock* blk;            // [nblock]
  int* blk_ncol;              // [nblock] columns of J
  int* blk_used;  // [nblock] of them those in use: all 3 nvert of a vertex block, the columns of a dense one
                  // that are not zero
  const int** blk_list;  // [nblock] [used] which they are, NULL: vertex block
  // blocks of 3 rows whose vertices move one point, J_v = weight_v J_base (barycentric weights): cheaper in
  // every product
  const double** blk_base;  // [nblock] the 3 x 3 matrix J_base, NULL: the block has no such form
  double** blk_weight;      // [nblock] [nvert]
} plSapLayout;

// One term of a block of the Hessian: a product J_r' G J_c of two blocks of a constraint (constraint >= 0),
// or a block of A: that of a clique (PL_SAP_A), or coupling k (PL_SAP_A - 1 - k). row and col: of lay.blk for
// products, cliques otherwise.
enum { PL_SAP_A = -1 };
typedef struct plSapPair {
  int constraint, row, col;
} plSapPair;

// One block of the lower triangle of the Hessian: positions, and its terms: those that stay during a solve,
// then those that change.
typedef struct plSapEntry {
  int row, col, pair0, change, pair1;
} plSapEntry;

// The Hessian's block pattern, its elimination order and supernodes; kept while the problem's pattern does
// not change.
typedef struct plSapPattern {
  // what it was made for
  int nclique, nconstraint, nblock, ncoupling;
  bool impulse;
  int *key_nv, *key_blk0, *key_clique;  // [nclique], [nconstraint + 1], [nblock]
  bool *key_bilateral, *key_idle;       // [nconstraint]
  int* key_coupling;                    // [2 ncoupling]
  // cliques in elimination order
  int npos;         // touched cliques
  int* pos_clique;  // [npos]
  int* clique_pos;  // [nclique], -1: touched by no constraint
  int* pos_x0;      // [npos + 1] first entry in permuted vectors
  // supernodes: consecutive positions; a triangle of their own columns and a rectangle of the rows below
  // (linalg/panel.h)
  int nsuper;
  int* super_pos0;   // [nsuper + 1]
  bool* super_once;  // [nsuper] its cliques are touched by bilateral constraints alone: factored once in a
                     // solve
  int* super_row0;   // [nsuper + 1] into row_pos, row_offset
  int* row_pos;      // positions of the cliques below
  int* row_offset;   // their first row in the rectangle
  int* super_below;  // [nsuper] rows below
  size_t *super_triangle, *super_rectangle;  // [nsuper] where they begin
  size_t size;                               // of all of them
  int* pos_super;                            // [npos]
  int ntree, *tree_super0;                   // trees of the elimination forest: [ntree + 1] supernodes
  int below_max, column_max,
      block_max;  // most rows below and columns of a supernode; most degrees of freedom of a clique
  // blocks of the Hessian, and the terms that make them, by column, then by row, then A, bilateral and other
  // constraints
  int nentry, npair;
  plSapEntry* entry;  // [nentry]
  plSapPair* pair;    // [npair]
  int nblock_hessian, nblock_factor;
  double flops, once_flops;  // of one factorization, and of what is factored once
} plSapPattern;

// Whether H of a supernode is kept beside its panels, which the factor takes: no; since the last time; since
// before.
typedef enum plSapKept { PL_SAP_KEPT_NOT, PL_SAP_KEPT_NOW, PL_SAP_KEPT } plSapKept;

struct plSapWorkspace {
  struct plSapGroups* groups;  // of problems that are solved group by group (groups.h)
  plArena pattern_arena;       // lives while the pattern is kept
  plArena scratch;             // one call
  plArena panels;              // the factor with its pattern
  plSapPattern pattern;
  bool pattern_valid;
  plSapLayout lay;
  const plSapProblem* problem;
  plPool* pool;            // threads of this solve
  plSapProblem corrected;  // the problem with shifted normal velocities (coulomb.c)
  // factor
  const plPanelKernels* kernels;
  double* panel;    // [pattern.size] triangles and rectangles
  double* base;     // [pattern.size] what they hold before the terms that change are added
  double* hessian;  // [pattern.size] H of the supernodes that keep it
  bool base_ready;
  bool factored;          // the panels hold the factor of A + J' G_factored J
  bool stale;             // but it makes no progress any more
  bool* con_changed;      // [nconstraint] G differs from G_factored
  bool* entry_changed;    // [nentry] to be made
  plSapKept* super_kept;  // [nsuper]
  bool* super_changed;    // [nsuper] to be factored (renew.c)
  bool carried;           // vc is carried along by J dx instead of computed from x (stop.c)
  bool p_exact;           // p is A x itself, not the sum of the steps' momenta
  bool p_product;         // steps are so stiff that their momentum has to be multiplied out
  double* update;         // [workers] triangles of order below_max
  int* tree_bad;          // [ntree] the clique whose pivot failed, or -1
  double* block;          // [workers] [block_max^2] a block being assembled
  double* permuted;       // [nv] right-hand side in elimination order
  double* local;          // one supernode's part of it
  // Newton (cliques that no constraint touches keep x = 0)
  const double* v_star;      // the problem's, moved by its impulse
  double *x, *p;             // v - v_star, A x
  double *vc0, *vc, *gamma;  // J v_star + b, J v + b, impulses
  double *G, *G_factored;    // Hessians of the laws now and when the panels were last filled
  plSapRegion* region;       // [nconstraint]
  double *jg, *grad, *dx, *dp, *dvc, *S;
  double *ls_vc, *ls_gamma, *ls_G;  // at the trial point of the line search
  double* clique_sum;               // [nclique]
  double* Av_star;                  // A v_star
};

// layout.c
plStatus pl_sap_layout(plSapWorkspace* ws, const plSapProblem* problem, plSapReport* report, plError* error);
plStatus pl_sap_check_cliques(const plSapWorkspace* ws, plSapReport* report,
                              plError* error);                                 // A of the touched ones
void pl_sap_mul_J(const plSapWorkspace* ws, const double* v, double* vc);      // vc = J v
void pl_sap_mul_Jt(const plSapWorkspace* ws, const double* gamma, double* f);  // f = J' gamma
void pl_sap_mul_A(const plSapWorkspace* ws, const double* v,
                  double* p);  // p = A v on touched cliques, 0 elsewhere

// pattern.c: false if memory ran out
bool pl_sap_pattern(plSapWorkspace* ws, bool* reused);

// entries.c: pattern.entry and pattern.pair; false if memory ran out
bool pl_sap_entries(plSapWorkspace* ws);

// order.c: elimination order of a graph of weighted nodes by least work. adj lists are adj[adj0[i] ..
// adj0[i+1]), no node twice and not itself. Nodes that are early (NULL: none) come first. order [n]; below[i]
// lists the count[i] nodes left in the boundary of i when it is eliminated. false: out of memory.
bool pl_sap_order(plArena* arena, int n, const int* weight, const bool* early, const int* adj0,
                  const int* adj, int* order, int** below, int* count);

// order_fill.c: the same by least fill, for at most PL_SAP_FILL_MOST nodes, none of them early
enum { PL_SAP_FILL_MOST = 24 };
bool pl_sap_order_fill(plArena* arena, int n, const int* weight, const int* adj0, const int* adj, int* order,
                       int** below, int* count);

// panel-major places: where row i of a triangle of order n, or of a rectangle of n rows and k columns,
// begins; column j is at j times the height of the panel, which is returned
static inline int pl_sap_triangle_row(int n, int i, size_t* at) {
  int p = i / PL_PANEL;
  *at = (size_t)pl_triangle_at(p) + (size_t)(i % PL_PANEL);
  return pl_panel_height(n, p);
}
static inline int pl_sap_rectangle_row(int n, int k, int i, size_t* at) {
  int p = i / PL_PANEL;
  *at = (size_t)pl_rectangle_at(k, p) + (size_t)(i % PL_PANEL);
  return pl_panel_height(n, p);
}

// pattern.c: first row of position r among those of supernode s (of its triangle if r is one of its own, else
// of its rectangle)
int pl_sap_row_in(const plSapPattern* p, int s, int r);

// hessian.c: panels of supernodes that changed = lower triangle of A + J' G J, where supernodes that stay are
// factored already (with the first call of a solve); the clique whose pivot failed there or -1
int pl_sap_assemble(plSapWorkspace* ws, plPool* pool);
// panels = L of A alone; the clique whose pivot failed or -1
int pl_sap_factor_A(plSapWorkspace* ws, plPool* pool);

// factor.c: panels = L of the supernodes that stay (once) or of those that changed; the failing clique or -1.
// Then x = (L L')^-1 b in the problem's order.
int pl_sap_factor(plSapWorkspace* ws, bool once, plPool* pool);
void pl_sap_factor_solve(plSapWorkspace* ws, const double* b, double* x);

// search.c
typedef struct plSapSearch {
  double alpha;
  int evaluations;
  bool noise;  // the slope at the start is below rounding: alpha is 1
} plSapSearch;
plSapSearch pl_sap_search(plSapWorkspace* ws, const plSapOptions* options);

// sticking.c: gamma and G at vc if points that slide slowly are taken to stick. Returns the number of such
// points; writes nothing if it is 0.
int pl_sap_sticking(const plSapWorkspace* ws, double* gamma, double* G);

// One solve in its parts. Set-up: layout, pattern, memory, scales (set_up.c). Start: x is the guess, the part
// of it that is of use, or 0 (start.c). Iterate: until the stopping test is met (newton.c).
plStatus pl_sap_set_up(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                       plSapReport* report, plError* error);
void pl_sap_start(plSapWorkspace* ws, const double* v_guess, plSapReport* report);
plStatus pl_sap_iterate(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, plError* error);
void pl_sap_write_solution(const plSapWorkspace* ws, plSapSolution* solution);  // solve.c
// set_up.c: the pattern of the Hessian for the constraints that are not idle, and its memory.
plStatus pl_sap_set_up_pattern(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                               plError* error);

// direction.c: how far the laws' Hessians are from those that were factored: max_i |G_i - G_i'| / |G_i'|
double pl_sap_hessian_change(const plSapWorkspace* ws);
// renew.c: con_changed, super_changed: what G changes since G_factored, all if there is no factor.
void pl_sap_mark_changed(plSapWorkspace* ws);
// Factors A + J' G J, where it has changed; returns the clique whose pivot failed, or -1.
int pl_sap_renew_factor(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report);

// evaluate.c: vc at x; vc and p at x; gamma, G, region and grad at vc and p; grad alone, from p and jg
void pl_sap_update_constraint_velocity(plSapWorkspace* ws);
void pl_sap_update_velocity(plSapWorkspace* ws);
void pl_sap_evaluate(plSapWorkspace* ws, plPool* pool);
void pl_sap_gradient(plSapWorkspace* ws);
// the cost at x with p = A x and vc; all laws at vc (region may be NULL)
double pl_sap_cost(plSapWorkspace* ws, const double* x, const double* p, const double* vc);
void pl_sap_laws(const plSapWorkspace* ws, const double* vc, double* gamma, double* G, plSapRegion* region,
                 plPool* pool);

#endif

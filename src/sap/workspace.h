// workspace.h: memory of one solve: the layout of the problem, the pattern of its Hessian, and the arrays of
// Newton's method.
//
// Written by layout.c (Layout), pattern.c (Pattern), hessian.c and factor.c (panels), evaluate.c, direction.c
// and newton.c (the rest). A position is an index in the elimination order. Only cliques that a constraint
// acts on, or that A couples to such a clique, have one (all, if there are known impulses).
#ifndef PL_SAP_WORKSPACE_H
#define PL_SAP_WORKSPACE_H

#include <stddef.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "linalg/lu.h"
#include "linalg/panel.h"
#include "pliant/sap.h"
#include "sap/law.h"

// A dense block of 3 rows and n columns, and the first velocity of its clique.
typedef struct plSapFull {
  const double* J;
  int n, at;
} plSapFull;

// The problem as flat arrays, rebuilt for each call.
typedef struct plSapLayout {
  int nclique, nconstraint, nblock, nv, nrow, nG;
  int* clique_dof0;  // [nclique + 1]
  int* con_row0;     // [nconstraint + 1]
  int* con_blk0;     // [nconstraint + 1]
  int* con_G0;       // [nconstraint + 1]
  bool* con_idle;  // [nconstraint] expected to stay open, and open so far: not part of the Hessian's pattern
  int *coupling0, *coupling;  // [nclique + 1], [2 ncoupling]: the couplings of each clique
  plSapBlock* blk;            // [nblock]
  int* blk_ncol;              // [nblock] columns of J
  int* blk_used;  // [nblock] number of columns in use: all 3 nvert of a vertex block, the nonzero columns of
                  // a dense one
  const int** blk_list;  // [nblock] [used] their indices, NULL: vertex block
  bool* con_full;  // [nconstraint] 3 rows, and all columns of all blocks are in use (contacts of free bodies)
  plSapFull* full;  // [nblock] such blocks for short
  // blocks of 3 rows whose vertices move one point, J_v = weight_v J_base (barycentric weights), which makes
  // every product cheaper
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

// One block of the lower triangle of the Hessian: its positions and its terms: first those that are constant
// during a solve, then those that change.
typedef struct plSapEntry {
  int row, col, pair0, change, pair1;
} plSapEntry;

// The Hessian's block pattern, its elimination order and supernodes; kept while the problem's pattern does
// not change.
typedef struct plSapPattern {
  // the problem it was computed for
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
  bool* super_once;  // [nsuper] only bilateral constraints act on its cliques: factored once per solve
  int* super_row0;   // [nsuper + 1] into row_pos, row_offset
  int* row_pos;      // positions of the cliques below
  int* row_offset;   // their first row in the rectangle
  int* super_below;  // [nsuper] rows below
  size_t *super_triangle, *super_rectangle;  // [nsuper] offsets of the first entries
  size_t size;                               // entries of all supernodes together
  int* pos_super;                            // [npos]
  int ntree, *tree_super0;                   // trees of the elimination forest: [ntree + 1] supernodes
  int below_max, column_max,
      block_max;  // largest number of rows below and of columns of a supernode; largest number of degrees of
                  // freedom of a clique
  // blocks of the Hessian and their terms, by column, then by row; terms in the order A, bilateral and other
  // constraints
  int nentry, npair;
  plSapEntry* entry;  // [nentry]
  plSapPair* pair;    // [npair]
  int nblock_hessian, nblock_factor;
  double flops, once_flops;  // of one factorization, and of the part that is factored once
} plSapPattern;

// The factor overwrites the panels, so H of a supernode may be kept beside them: not kept; kept from now on;
// kept already.
typedef enum plSapKept { PL_SAP_KEPT_NOT, PL_SAP_KEPT_NOW, PL_SAP_KEPT } plSapKept;

// |S r|, |S A v| and |S J' gamma| of a clique
typedef struct plSapNorms {
  double residual, momentum, impulse;
} plSapNorms;

// What few changed constraints add to the factor in the panels (low_rank.c)
enum { PL_SAP_STRIP = 8, PL_SAP_STRIPS = 8 };  // rows of W' in a strip, and strips
enum { PL_SAP_LOW = PL_SAP_STRIPS * PL_SAP_STRIP };
// 1 + D M of the changed constraints (low_system.c)
typedef struct plSapSystem {
  int n, row[PL_SAP_LOW];   // rows with D that is not zero
  double D[PL_SAP_LOW][3];  // of each row of the changed constraints: contact points have three columns
  double* S;                // [n] [n] factors of these rows and columns (lu.h)
  int pivot[PL_SAP_LOW];
} plSapSystem;
typedef struct plSapLowRank {
  int columns;               // of a strip: those of all supernodes, each rounded up to 8
  int nstrip;                // strips that hold rows of changed constraints
  int begin[PL_SAP_STRIPS];  // a strip's first supernode: columns before it are zero, and not written
  int* super_at;             // [nsuper] first column of a supernode
  int* first;                // [nconstraint] first row of a constraint in the strips, -1: none
  double* W;                 // [PL_SAP_STRIPS] [columns] [PL_SAP_STRIP]
  double* M;                 // -W' W, of all rows of the strips
  double* below;             // product of a strip with the rows below a supernode
  // the system of the present G: n rows of the strips, 0: G is that of the panels
  int n, con[PL_SAP_LOW], row[PL_SAP_LOW];  // con ascends
  const plLuKernels* lu;                    // of the dense systems
  double* M_changed;                        // [n] [n] M of these rows (lu.h)
  plSapSystem tangent, law;                 // for G_factored; for G at the end of the step (exact.c)
  double s[PL_SAP_LOW];                     // of the last solve
  double exact;       // 0: the step follows tangents; else laws, until |r| is this fraction of the tangents'
                      // (exact.c)
  double* G;          // [nG] of the laws at the end of the step
  double* before;     // [nG] G_factored before constraints were added (grow.c)
  double renew;       // operations of a new factor, of all supernodes
  bool warm, solved;  // start from s; the last solve followed the laws
} plSapLowRank;

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
  double* panel;    // [pattern.size] triangles and rectangles of the factor
  double* base;     // [pattern.size] their contents before the terms that change are added
  double* hessian;  // [pattern.size] H of the supernodes that keep it
  bool base_ready;
  bool factored;  // solves are with A + J' G_factored J: the factor in the panels, and `low`
  plSapLowRank low;
  bool stale;             // but it no longer makes progress
  bool* con_changed;      // [nconstraint] G differs from G_panel
  bool* entry_changed;    // [nentry] to be assembled
  plSapKept* super_kept;  // [nsuper]
  bool* super_changed;    // [nsuper] to be factored (renew.c)
  bool carried;           // vc is updated by J dx instead of computed from x (stop.c)
  bool p_exact;           // p is A x itself, not the sum of the steps' momenta
  bool p_product;         // steps are so stiff that their momentum must be computed by products with A
  int nworker;            // threads that have room in update and block
  double* update;         // [nworker] triangles of order below_max
  int* tree_bad;          // [ntree] the clique whose pivot failed, or -1
  double* block;          // [nworker] [block_max^2] a block being assembled
  double* permuted;       // [nv] right-hand side in elimination order
  double* halfway;        // [nv] the same between the two halves of a solve
  double* local;          // one supernode's part of it
  // Newton (cliques that no constraint touches keep x = 0)
  const double* v_star;      // the problem's, including its known impulse
  double *x, *p;             // v - v_star, A x
  double *vc0, *vc, *gamma;  // J v_star + b, J v + b, impulses
  double *G, *G_factored;    // Hessians of the laws now, and those of the solves
  double* G_panel;           // those with which the panels were filled
  plSapRegion* region;       // [nconstraint]
  double* con_cost;          // [nconstraint] costs of the laws
  bool evaluated;            // gamma, G, region and con_cost belong to vc (start.c)
  double *jg, *grad, *dx, *dp, *dvc, *S;
  double *ls_vc, *ls_gamma, *ls_G;   // at the trial point of the line search
  bool tried;                        // ls_gamma and ls_G are those at vc + dvc
  double *stick_gamma, *stick_G;     // of the model in which slow points stick (sticking.c)
  const double* model_gamma;         // impulses of the model of the step at vc: gamma or stick_gamma
  double *clique_sum, *clique_size;  // [nclique]
  plSapNorms* clique_norm;           // [nclique] at the last pl_sap_residual
  // at the last pl_sap_residual: |S r|, the scale it is compared with, and that of impulses one by one
  double residual, residual_scale, impulse_scale;
  bool summed;          // clique_sum holds the sizes of the impulses gamma, which have not changed since
  double impulse_size;  // and this is the size of all of them
  double* Av_star;      // A v_star
};

// layout.c
plStatus pl_sap_layout(plSapWorkspace* ws, const plSapProblem* problem, plSapReport* report, plError* error);
// The diagonals of A of the touched cliques.
plStatus pl_sap_check_cliques(const plSapWorkspace* ws, plSapReport* report, plError* error);
// A of these cliques, whose product Av with a finite v is not all finite (NULL: not known), holds NaN or
// infinity; or it was too large.
plStatus pl_sap_check_A(const plSapWorkspace* ws, const double* Av, plSapReport* report, plError* error);
// J, whose products with a finite v are not all finite, holds NaN or infinity; or they were too large.
plStatus pl_sap_check_J(const plSapWorkspace* ws, const double* Jv, plSapReport* report, plError* error);
void pl_sap_mul_J(const plSapWorkspace* ws, const double* v, double* vc);      // vc = J v
void pl_sap_mul_Jt(const plSapWorkspace* ws, const double* gamma, double* f);  // f = J' gamma
void pl_sap_mul_A(const plSapWorkspace* ws, const double* v,
                  double* p);  // p = A v on touched cliques, 0 elsewhere

// pattern.c: false if memory ran out
bool pl_sap_pattern(plSapWorkspace* ws, bool* reused);

// entries.c: pattern.entry and pattern.pair; false if memory ran out
bool pl_sap_entries(plSapWorkspace* ws);

// order.c: elimination order of a graph of weighted nodes by least work. adj lists are adj[adj0[i] ..
// adj0[i+1]), without repetition and without the node itself. Early nodes (NULL: none) come first. order [n];
// below[i] lists the count[i] nodes in the boundary of i when it is eliminated. Returns false if memory runs
// out.
bool pl_sap_order(plArena* arena, int n, const int* weight, const bool* early, const int* adj0,
                  const int* adj, int* order, int** below, int* count);

// order_fill.c: the same by least fill, for at most PL_SAP_FILL_MOST nodes, none of them early
enum { PL_SAP_FILL_MOST = 24 };
bool pl_sap_order_fill(plArena* arena, int n, const int* weight, const int* adj0, const int* adj, int* order,
                       int** below, int* count);

// Panel-major storage: the start of row i of a triangle of order n, or of a rectangle of n rows and k
// columns. Column j is at j times the height of the panel, which is returned.
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

// pattern.c: first row of position r in supernode s (in its triangle if r is one of its own positions, else
// in its rectangle)
int pl_sap_row_in(const plSapPattern* p, int s, int r);

// hessian.c: panels of changed supernodes = lower triangle of A + J' G J; the first call of a solve also
// factors the constant supernodes. Returns the clique whose pivot failed there, or -1.
int pl_sap_assemble(plSapWorkspace* ws, plPool* pool);
// panels = L of A alone; returns the clique whose pivot failed, or -1
int pl_sap_factor_A(plSapWorkspace* ws, plPool* pool);

// factor.c: panels = L of the constant supernodes (once) or of those that changed; returns the failing
// clique, or -1. Then x = (L L')^-1 b in the problem's order.
int pl_sap_factor(plSapWorkspace* ws, bool once, plPool* pool);
void pl_sap_factor_solve(plSapWorkspace* ws, const double* b, double* x);
// its two halves: y = L^-1 b in elimination order; x = L^-T (y - W s), which overwrites y
void pl_sap_factor_forward(plSapWorkspace* ws, const double* b, double* y);
void pl_sap_factor_backward(plSapWorkspace* ws, double* y, double* x);

// search.c
typedef struct plSapSearch {
  double alpha;
  int evaluations;
  bool noise;  // the slope at the start is below rounding: alpha is 1
} plSapSearch;
plSapSearch pl_sap_search(plSapWorkspace* ws, const plSapOptions* options);
// Whether the search keeps a whole step with slope f0 at its start and f at its end.
bool pl_sap_search_keeps(const plSapOptions* options, double f0, double f);

// sticking.c: gamma and G at vc if slowly sliding points stick. Returns the number of such points; writes
// nothing if it is 0.
int pl_sap_sticking(const plSapWorkspace* ws, double* gamma, double* G);

// One solve in its parts. Set-up: layout, pattern, memory, scales (set_up.c). Start: x is the guess, the
// useful part of it, or 0 (start.c). Iterate: until the stopping test is met (newton.c).
plStatus pl_sap_check_options(const plSapOptions* options, plError* error);
plStatus pl_sap_set_up(plSapWorkspace* ws, const plSapProblem* problem, const plSapOptions* options,
                       plSapReport* report, plError* error);
void pl_sap_start(plSapWorkspace* ws, const double* v_guess, plSapReport* report);
plStatus pl_sap_iterate(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report, plError* error);
void pl_sap_write_solution(const plSapWorkspace* ws, plSapSolution* solution);  // solve.c
// set_up.c: the pattern of the Hessian for the constraints that are not idle, and its memory.
plStatus pl_sap_set_up_pattern(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report,
                               plError* error);

// direction.c: how much the laws' Hessians differ from those that were factored: max_i |G_i - G_i'| / |G_i'|
double pl_sap_hessian_change(const plSapWorkspace* ws, bool exact);
// low_rank.c: memory for the present pattern
bool pl_sap_low_rank_allocate(plSapWorkspace* ws, plArena* arena);
void pl_sap_low_rank_clear(plSapWorkspace* ws);  // the panels hold another factor
// Whether a change of low rank to G costs less than renewing the factor, by counts of operations; the change,
// false: too many rows, or lost in rounding. Both for what pl_sap_mark_changed has marked.
bool pl_sap_low_rank_pays(const plSapWorkspace* ws);
bool pl_sap_low_rank(plSapWorkspace* ws);
// Between the two halves of a solve: y := y - W s, y in elimination order.
void pl_sap_low_rank_apply(plSapWorkspace* ws, double* y);
// low_system.c: factors 1 + D M, D = G - G_panel; false: lost in rounding. b = D v; x = (1 + D M)^-1 b. All
// for the n rows of the changed constraints.
bool pl_sap_low_system(const plSapWorkspace* ws, const double* G, plSapSystem* sys);
void pl_sap_low_times_D(const plSapWorkspace* ws, const plSapSystem* sys, const double* v, double* b);
void pl_sap_low_times_M(const plSapLowRank* low, const double* x, double* v);  // v = M x
void pl_sap_low_divide(const plSapWorkspace* ws, const plSapSystem* sys, const double* b, double* x);
// exact.c: replaces s, that of the tangents, by that of the laws; false: s has not changed
bool pl_sap_follow_laws(plSapWorkspace* ws, const double* u, double* s);
// How many dense systems of so many rows cost as much as a new factor
double pl_sap_exact_systems(const plSapWorkspace* ws, int rows);
// grow.c: dx = -H^-1 grad, dvc = J dx, where constraints that the step changes follow their laws
void pl_sap_exact_step(plSapWorkspace* ws, const plSapOptions* options, double exact);

// renew.c: con_changed and super_changed: what differs since G_panel; everything if there is no factor.
void pl_sap_mark_changed(plSapWorkspace* ws);
// Makes solves use G: by a change of low rank, or by renewing the factor; returns the clique whose pivot
// failed, or -1.
int pl_sap_follow_G(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report);
// Factors A + J' G J where it has changed; returns the clique whose pivot failed, or -1.
int pl_sap_renew_factor(plSapWorkspace* ws, const plSapOptions* options, plSapReport* report);

// evaluate.c: vc at x; vc and p at x; gamma, G, region, con_cost and grad at vc and p; grad alone, from p and
// jg
void pl_sap_update_constraint_velocity(plSapWorkspace* ws);
void pl_sap_update_velocity(plSapWorkspace* ws);
void pl_sap_evaluate(plSapWorkspace* ws, plPool* pool);
void pl_sap_gradient(plSapWorkspace* ws);
// all laws at vc; cost, G and region may be NULL
void pl_sap_laws(const plSapWorkspace* ws, const double* vc, double* cost, double* gamma, double* G,
                 plSapRegion* region, plPool* pool);
// the cost at x with p = A x and vc, and with the costs of the laws that were evaluated last (con_cost)
double pl_sap_cost(plSapWorkspace* ws, const double* x, const double* p, const double* vc);
double pl_sap_evaluated_cost(const plSapWorkspace* ws);
// the laws at vc, and the cost at x
double pl_sap_evaluate_laws(plSapWorkspace* ws, plPool* pool);

#endif

// sap.h: the convex solver of frictional contact, on its own: it knows matrices and laws, not bodies.
//
// It solves (section VI of the paper; Castro et al., "An unconstrained convex formulation of compliant
// contact")
//
//     min over v   1/2 (v - v_star)' A (v - v_star)  +  sum_i l_i(vc_i),        vc_i = J_i v + b_i
//
// A is symmetric positive definite: one dense block per clique (a kinematic tree, or participating degrees of
// freedom of a deformable body), and blocks between cliques where some are coupled; J is block sparse; l_i is
// the convex cost of constraint i, whose impulse is gamma_i = -dl_i/dvc_i. At the optimum A (v - v_star) = J'
// gamma: the balance of momentum. The problem is strictly convex, has one solution, and Newton's method with
// a line search reaches it from any guess.
//
//     plSapProblem problem = {...};
//     plSapOptions options = pl_sap_default_options();
//     plSapWorkspace* workspace = pl_sap_workspace_create(&error);
//     plSapSolution solution = {.v = v, .gamma = gamma, .vc = vc};
//     plStatus status = pl_sap_solve(&problem, &options, NULL, &solution, &report, workspace, &error);
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_SAP_H
#define PLIANT_SAP_H

#include "pliant/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- laws. vc is the constraint's velocity; contact laws have 3 rows: two tangents, then the normal
// (separating is positive).

typedef enum plSapLaw {
  PL_SAP_CONE = 0,    // friction cone with linear compliance (the paper's): 3 rows, `cone`
  PL_SAP_SIMILAR,     // Hunt-Crossley, friction with the normal impulse of this step, convexified: 3 rows,
                      // `hunt_crossley`
  PL_SAP_BILATERAL,   // gamma = (v_hat - vc) / R: welds, couplers, attachments: `row`
  PL_SAP_UNILATERAL,  // gamma = max(0, (v_hat - vc) / R): limits, tendons: `row`
  PL_SAP_BOUNDED,     // gamma = clamp((v_hat - vc) / R, lower, upper): dry friction, weak motors: `row`
  PL_SAP_ACTUATOR,    // implicit PD control with an effort limit: 1 row, `actuator`
  PL_SAP_LAW_COUNT
} plSapLaw;

// gamma = the point of the cone |gamma_t| <= mu gamma_n nearest to y = (v_hat - vc) / R in the norm of R.
typedef struct plSapCone {
  double mu;       // friction coefficient, >= 0
  double R_t;      // s/kg: regularisation of the tangent rows, > 0
  double R_n;      // s/kg: regularisation of the normal row, > 0
  double v_hat_n;  // m/s: normal velocity at which the impulse begins
} plSapCone;

// Normal impulse dt (f_e - dt k vn)+ (1 - d vn)+; friction regularised over the slip speed v_s.
typedef struct plSapHuntCrossley {
  double mu;   // friction coefficient, >= 0
  double dt;   // s: time step, > 0
  double k;    // N/m: stiffness, >= 0
  double d;    // s/m: dissipation, >= 0
  double f_e;  // N: elastic force at the start of the step (-k phi; may be negative for a gap)
  double v_s;  // m/s: slip speed that regularises friction, > 0
} plSapHuntCrossley;

// One scalar row of a bilateral, unilateral or bounded constraint. lower and upper are read by PL_SAP_BOUNDED
// alone.
typedef struct plSapRow {
  double v_hat;         // (unit of the row)/s: velocity at which the impulse vanishes
  double R;             // regularisation, > 0
  double lower, upper;  // bounds of the impulse, lower <= upper, infinite allowed
} plSapRow;

// gamma = dt clamp(u0 - (dt kp + kd) vc, -effort, effort).
typedef struct plSapActuator {
  double dt;            // s, > 0
  double kp, kd;        // gains, >= 0, not both zero
  double u0;            // N or N m: effort at vc = 0: kp (q_d - q0) + kd v_d + feed-forward
  double lower, upper;  // N or N m: limits of the effort, lower <= upper, infinite allowed
} plSapActuator;

// ---- the problem. Everything pointed to is read, never kept or changed.

// The columns of one clique in a constraint's Jacobian, column-major with leading dimension nrow. A clique
// may appear in two blocks of one constraint (self-contact).
typedef struct plSapBlock {
  int clique;
  int nvert;  // 0: J is nrow x clique_nv, dense; > 0: J is nrow x 3 nvert, columns of the vertices listed
  // [nvert] vertices: columns 3 j .. 3 j + 2 act on degrees of freedom 3 vert[j] .. 3 vert[j] + 2
  const int* vert;
  const double* J;
} plSapBlock;

typedef struct plSapConstraint {
  plSapLaw law;
  int nrow;                 // 3 for contact laws, 1 for an actuator, any number for the row laws
  int nblock;               // cliques involved, any number
  const plSapBlock* block;  // [nblock]
  const double* bias;       // [nrow] b in vc = J v + b; NULL: zero
  int likely_open;  // 1: a PL_SAP_CONE, or a PL_SAP_UNILATERAL of one row, that is expected to stay open.
                    // Saves time if it does, costs some if not; no more than that.
  union {           // the law's parameters
    plSapCone cone;
    plSapHuntCrossley hunt_crossley;
    const plSapRow* row;  // [nrow]
    plSapActuator actuator;
  };
} plSapConstraint;

// A block of A between two cliques: clique_nv[row] x clique_nv[col], column-major. Its transpose is implied.
typedef struct plSapCoupling {
  int row, col;
  const double* A;
} plSapCoupling;

typedef struct plSapProblem {
  int nclique;
  const int* clique_nv;    // [nclique] degrees of freedom, 0 allowed
  const double* const* A;  // [nclique] dense symmetric blocks, column-major; the lower triangle is read
  const double* v_star;    // [sum of clique_nv] velocity without constraints
  int nconstraint;
  const plSapConstraint* constraint;  // [nconstraint]
  int ncoupling;                      // usually none: A is block diagonal
  const plSapCoupling* coupling;      // [ncoupling] no pair of cliques twice
  // [sum of clique_nv] known impulses: v_star is meant to be v_star + A^-1 impulse; NULL: none
  const double* impulse;
} plSapProblem;

// ---- settings

// The stopping test. With S = diag(A)^-1/2, g = A (v - v_star) - J' gamma, and sums over the cliques that
// constraints touch:
//
//     |S g|   <= absolute + relative max(|S A v|, |S J' gamma|)
//     |S g|_c <= absolute + relative max(|S A v|_c, sum_i |S J_i' gamma_i|_c, 1e-6 s)    for each clique c
//
// where s is the maximum in the first line, which is the test of the reference implementation.
// The second line keeps a light body accurate beside a heavy one. Nothing else counts as converged: no
// stalled cost, no small step. One allowance: where progress has ended and |S g|_c is within the rounding of
// gamma itself (2 eps G |J| |v| per row), up to 100 times the tolerance is accepted and the report says so
// (at_rounding). It takes tolerances near 1e-13, or R below 1e-9 w. Below about 1e-14 w no v in double
// precision makes the impulses of the balance: vc, which is then within rounding of J v + b, makes them.
typedef struct plSapOptions {
  double relative_tolerance;  // 1e-6
  double absolute_tolerance;  // 1e-20 (kg^1/2 m/s): small enough to leave the relative test in force for a
                              // milligram
  int max_iterations;  // 2000; reaching it, or 400 without progress, is PL_ERROR_NOT_CONVERGED, never silent
  double search_tolerance;  // 1e-6: line search: slope relative to that at the start; a tenth of this where
                            // the cost rises again
  int max_search;           // 100 evaluations per line search
  int interior_after;       // 12: iterations without headway after which an interior-point phase helps (conic
                            // laws); 0: never
  int sticking;  // 0: steps of a solve that may be tried to where slowly sliding points stick, instead of
                 // Newton's own
  struct plPool* pool;  // threads, NULL: the caller's alone; the answer's bits do not depend on it
} plSapOptions;

PL_API plSapOptions pl_sap_default_options(void);
// For solves one after the other, as in a simulation: up to 6 sticking steps and a line search to 0.1. Half
// the iterations of a grasp, a third fewer of an arch that slides; single solves may take a few more than by
// Newton's steps alone.
PL_API plSapOptions pl_sap_quick_options(void);

// ---- solution, report, workspace

// Arrays of the caller; any of them may be NULL. They are written only if the call succeeds.
typedef struct plSapSolution {
  double* v;      // [sum of clique_nv]
  double* gamma;  // [sum of nrow] impulses
  double* vc;     // [sum of nrow] constraint velocities J v + b
} plSapSolution;

typedef struct plSapReport {
  plStatus status;
  // size of what was solved: cliques touched by a constraint, or coupled to one that is, and their degrees of
  // freedom
  int nclique, nv, nconstraint, nrow;
  // work
  int iterations;      // Newton steps and interior-point steps
  int interior_steps;  // interior-point steps alone
  int factorizations;  // may be fewer: an unchanged Hessian is not factored twice
  int factor_nodes;    // supernodes of the Hessian, summed over factorizations of Newton's steps and rounds
  int renewed_nodes;   // and those of them that were factored: what changed since the last, up to the root
  int search_evaluations;  // evaluations of all laws in line searches
  int warm_start;          // 1 if the guess was used, 0 if v_star had the lower cost or none was given
  // accuracy reached
  double cost;               // of the problem at the end
  double momentum_residual;  // |S g| / max(|S A v|, |S J' gamma|, the length of all |S J_i' gamma_i|)
  double clique_residual;    // largest |S g|_c over its scale in the stopping test
  int at_rounding;           // 1 if the rounding allowance was needed to stop
  int worst_clique;          // clique of clique_residual, or the one that failed; -1: none
  int worst_constraint;  // constraint that failed, or the one at worst_clique with the largest impulse; -1:
                         // none
  // contact, over the points of PL_SAP_CONE unless said otherwise
  int stick, slide, open;  // contact points of all three laws
  double cone_violation;   // N s: largest (|gamma_t| - mu gamma_n)+
  double complementarity;  // largest |gamma . s| / (|gamma| |s|), s = vc - v_hat + R gamma at sliding points;
                           // 0: none
  double slip_angle;  // rad: largest angle between friction and the direction against slip, sliding points of
                      // all laws
  double R_n_min, R_n_max;  // s/kg: normal regularisation in force
  double R_t_min, R_t_max;  // s/kg: tangent
  double creep;             // m/s: largest slip |R_t gamma_t - h| of a sticking point that the regularisation
                            // allows (h = 0 but for pl_sap_solve_coulomb)
  // Coulomb's friction (pl_sap_solve_coulomb)
  int rounds;               // convex solves
  double coulomb_residual;  // m/s: largest |mu |u_t| - s| over the points that push
  int coulomb_fallbacks;    // points where it is above the tolerance: they have the convex law's friction, or
                            // something between that and Coulomb's
  int coulomb_capped;       // 1 if there are such points: max_rounds did not suffice
  // pattern: cliques touched are block rows
  int block_count, block_hessian, block_factor;  // block rows, blocks of the lower triangle of H and of L
  double factor_flops;                           // of one factorization, without what is factored once
  double once_flops;                             // of the cliques that only bilateral constraints touch
  int pattern_reused;                            // 1 if the ordering of an earlier call was kept
  // seconds
  double time_setup, time_law, time_assemble, time_factor, time_solve, time_search, time_total;
} plSapReport;

typedef struct plSapWorkspace plSapWorkspace;

// Memory and the sparsity pattern of the last problem. Each thread needs its own. Repeated solves of problems
// of the same size allocate nothing.
PL_API plSapWorkspace* pl_sap_workspace_create(plError* error);
PL_API void pl_sap_workspace_destroy(plSapWorkspace* workspace);

// Solves the problem. v_guess [sum of clique_nv] may be NULL; what costs more than v_star, or is not finite,
// is ignored: cliques of it, or all. options (the default ones), solution, report and error may be NULL.
// PL_ERROR_INPUT: the problem is malformed; PL_ERROR_NOT_FINITE: NaN or infinity in it, or appeared;
// PL_ERROR_INDEFINITE: a block of A has no Cholesky factor; PL_ERROR_NOT_CONVERGED: the stopping test was not
// met. The error names constraint or clique.
PL_API plStatus pl_sap_solve(const plSapProblem* problem, const plSapOptions* options, const double* v_guess,
                             plSapSolution* solution, plSapReport* report, plSapWorkspace* workspace,
                             plError* error);

// ---- Coulomb's friction

// The convex law lets a sliding point separate with mu times its slip. pl_sap_solve_coulomb takes that back
// (De Saxce's correction): each point of PL_SAP_CONE has v_hat_n lowered by a shift s, and rounds of convex
// solves bring s to mu |u_t|, u_t being the slip without what the regularisation allows. Then sliding points
// neither rise nor sink. Sticking ones creep by R_t gamma_t; friction is made to act on the slip less a shift
// h of two components, and a round takes h from the R_t gamma_t of the one before. Then what is held hardly
// creeps. src/sap/coulomb.c has the derivation.
typedef struct plSapCoulomb {
  double relative_tolerance;  // 1e-3
  // 1e-4 m/s: a point is done where |mu |u_t| - s| <= absolute + relative mu |u_t|
  double absolute_tolerance;
  double creep_tolerance;  // 1e-5 m/s: sticking points may creep by this
  int creep_rounds;        // 1: corrections of h, if they creep faster; 0: none
  int max_rounds;          // 60 convex solves
  const double* start;     // [3 nconstraint] h, s to begin with; NULL: from the slip of v_guess
  double* shift;           // [3 nconstraint] those of the answer; NULL: not wanted
} plSapCoulomb;

PL_API plSapCoulomb pl_sap_default_coulomb(void);

// As pl_sap_solve, in rounds. Every round converges or the call fails as pl_sap_solve does. Where the shifts
// do not settle in max_rounds the answer is the best round (s = 0, the convex law itself, is one of them):
// the status is PL_OK, report->coulomb_capped is 1. coulomb may be NULL: the default settings.
PL_API plStatus pl_sap_solve_coulomb(const plSapProblem* problem, const plSapOptions* options,
                                     const plSapCoulomb* coulomb, const double* v_guess,
                                     plSapSolution* solution, plSapReport* report, plSapWorkspace* workspace,
                                     plError* error);

// The deviation of a point from Coulomb's law.
typedef struct plSapCoulombError {
  double F;  // m/s: mu |u_t|
  double s;  // m/s: |F - s| for a point that pushes; for an open one the speed by which it sinks in too fast
  double creep;  // m/s: |R_t gamma_t - h|
} plSapCoulombError;

// constraint is that of the problem, without shifts; vc = J v + b. All zero for other laws.
PL_API plSapCoulombError pl_sap_coulomb_error(const plSapConstraint* constraint, const double* vc,
                                              const double* gamma, const double shift[3]);
// Whether s is within its tolerance.
PL_API int pl_sap_coulomb_holds(const plSapCoulomb* coulomb, const plSapCoulombError* error);

// ---- parameters of laws from physical ones

#define PL_SAP_BETA_CONTACT 1.0  // near-rigid threshold of contact
#define PL_SAP_BETA 0.1          // and of everything else
#define PL_SAP_SIGMA 1e-3        // R_t = sigma w / share

// The Delassus estimate of a constraint: w = |sum_c J_c diag(A_c)^-1 J_c'|_F / nrow.
PL_API double pl_sap_delassus(const plSapProblem* problem, const plSapConstraint* constraint);

// R_n = max(beta^2 / (4 pi^2) w / share, 1 / (dt k (dt + tau))), R_t = sigma w / share. share is the point's
// part of the area of its vertex (1 for a lone point). With a gap, phi > 0, v_hat_n = -phi / dt and there is
// no dissipation; otherwise v_hat_n = -phi / (dt + tau), and tau = dt where the near-rigid term decides. k
// may be infinite.
PL_API plSapCone pl_sap_cone(double dt, double mu, double k, double tau, double phi, double w, double share,
                             double beta, double sigma);

// v_s = max(v_stiction, mu sigma w n0); n0 = dt f_e (1 - d vn0) of the last normal velocity vn0. k is limited
// to the near-rigid stiffness 4 pi^2 / (beta^2 w dt^2) and f_e with it; beta = 0 leaves them alone.
PL_API plSapHuntCrossley pl_sap_hunt_crossley(double dt, double mu, double k, double d, double f_e,
                                              double vn0, double w, double v_stiction, double beta,
                                              double sigma);

// Violations are taken back no faster than v_max: where |v_hat| is larger, v_hat = v_max and R falls by the
// same factor, so that the impulse at vc = 0, v_hat / R, stays. (A spring of the same stiffness with a longer
// relaxation time: what a load presses in by does not change, how fast it comes out without the load does.)
PL_API void pl_sap_slow_down(double v_max, double* R, double* v_hat);

// A holonomic row g(q, t) = 0: v_hat = -g / (dt + tau), R = max(beta^2 / (4 pi^2) w, 1 / (dt k (dt + tau))),
// tau = dt if near rigid.
PL_API plSapRow pl_sap_holonomic(double dt, double g, double k, double tau, double w, double beta);

// A limit g(q) >= 0, for PL_SAP_UNILATERAL. As above; with g > 0 v_hat = -g / dt and no dissipation.
PL_API plSapRow pl_sap_limit(double dt, double g, double k, double tau, double w, double beta);

// Dry friction of a joint, for PL_SAP_BOUNDED: R = sigma w, |gamma| <= dt effort.
PL_API plSapRow pl_sap_dry_friction(double dt, double effort, double w, double sigma);

// PD control towards q_d, v_d. Gains stiffer than the near-rigid limit are scaled down together.
PL_API plSapActuator pl_sap_actuator(double dt, double kp, double kd, double q0, double q_d, double v_d,
                                     double u_ff, double effort, double w, double beta);

// One law by itself: cost l, impulse gamma [nrow] and Hessian G = d2l/dvc2 (3 x 3 for contact laws, the
// diagonal [nrow] for the others) at vc. Each output may be NULL.
PL_API void pl_sap_law(const plSapConstraint* constraint, const double* vc, double* cost, double* gamma,
                       double* G);

#ifdef __cplusplus
}
#endif
#endif

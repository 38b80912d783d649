// sap.h: the convex solver of frictional contact, on its own: it knows matrices and laws, not bodies.
//
// It solves (section VI of the paper; Castro et al., "An unconstrained convex formulation of compliant
// contact")
//
//     min over v   1/2 (v - v_star)' A (v - v_star)  +  sum_i l_i(vc_i),        vc_i = J_i v + b_i
//
// A clique is a group of degrees of freedom: a kinematic tree, or participating vertices of a deformable
// body. A is symmetric positive definite. It has one dense block per clique, and further blocks between
// cliques that are coupled. J is block sparse. l_i is the convex cost of constraint i; its impulse is gamma_i
// = -dl_i/dvc_i. At the optimum A (v - v_star) = J' gamma, the balance of momentum. The problem is strictly
// convex, so it has one solution, and Newton's method with a line search finds it from any initial guess.
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

// ---- laws. vc is the velocity of the constraint. Contact laws have 3 rows: two tangential ones, then the
// normal one, which is positive when the bodies separate. The word in `code` names the member of
// plSapConstraint that holds the parameters.

typedef enum plSapLaw {
  PL_SAP_CONE = 0,   // friction cone with linear compliance (the paper's): 3 rows, `cone`
  PL_SAP_SIMILAR,    // Hunt-Crossley with friction from the normal impulse of this step, made convex: 3 rows,
                     // `hunt_crossley`
  PL_SAP_BILATERAL,  // gamma = (v_hat - vc) / R: welds, couplers, attachments: `row`
  PL_SAP_UNILATERAL,  // gamma = max(0, (v_hat - vc) / R): limits, tendons: `row`
  PL_SAP_BOUNDED,     // gamma = clamp((v_hat - vc) / R, lower, upper): dry friction, weak motors: `row`
  PL_SAP_ACTUATOR,    // implicit PD control with an effort limit: 1 row, `actuator`
  PL_SAP_LAW_COUNT
} plSapLaw;

// gamma is the projection of y = (v_hat - vc) / R onto the cone |gamma_t| <= mu gamma_n, in the norm of R.
typedef struct plSapCone {
  double mu;       // friction coefficient, >= 0
  double R_t;      // s/kg: regularisation of the tangent rows, > 0
  double R_n;      // s/kg: regularisation of the normal row, > 0
  double v_hat_n;  // m/s: normal velocity below which the point pushes
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

// gamma = dt clamp(u0 - (dt kp + kd) vc, lower, upper).
typedef struct plSapActuator {
  double dt;            // s, > 0
  double kp, kd;        // gains, >= 0, not both zero
  double u0;            // N or N m: effort at vc = 0: kp (q_d - q0) + kd v_d + feed-forward
  double lower, upper;  // N or N m: limits of the effort, lower <= upper, infinite allowed
} plSapActuator;

// ---- the problem. The solver reads the arrays; it does not keep or change them.

// The columns of one clique in a constraint's Jacobian, column-major with leading dimension nrow. A clique
// may appear in two blocks of one constraint (self-contact).
typedef struct plSapBlock {
  int clique;  // index of the clique
  int nvert;   // 0: J is dense, nrow x clique_nv; otherwise J is nrow x 3 nvert and has the columns of these
               // vertices
  // [nvert] columns 3 j to 3 j + 2 of J belong to the degrees of freedom 3 vert[j] to 3 vert[j] + 2 of the
  // clique
  const int* vert;
  const double* J;  // the columns
} plSapBlock;

typedef struct plSapConstraint {
  plSapLaw law;             // which of the laws above
  int nrow;                 // 3 for contact laws, 1 for an actuator, any number for the row laws
  int nblock;               // number of blocks of J; any number
  const plSapBlock* block;  // [nblock]
  const double* bias;       // [nrow] b in vc = J v + b; NULL: zero
  int likely_open;  // 1 if a PL_SAP_CONE, or a PL_SAP_UNILATERAL of one row, will probably stay open (gamma =
                    // 0). This affects the time of a solve, not its result
  union {           // the law's parameters
    plSapCone cone;                   // PL_SAP_CONE
    plSapHuntCrossley hunt_crossley;  // PL_SAP_SIMILAR
    const plSapRow* row;              // [nrow] for the bilateral, unilateral and bounded laws
    plSapActuator actuator;           // PL_SAP_ACTUATOR
  };
} plSapConstraint;

// A block of A between two cliques: clique_nv[row] x clique_nv[col], column-major. Its transpose is implied.
typedef struct plSapCoupling {
  int row, col;     // the two cliques
  const double* A;  // the block
} plSapCoupling;

typedef struct plSapProblem {
  int nclique;             // number of cliques
  const int* clique_nv;    // [nclique] degrees of freedom of each; may be 0
  const double* const* A;  // [nclique] dense symmetric blocks, column-major; the lower triangle is read
  const double* v_star;    // [sum of clique_nv] velocity without constraints
  int nconstraint;         // number of constraints
  const plSapConstraint* constraint;  // [nconstraint]
  int ncoupling;                      // number of coupling blocks; usually 0, so that A is block diagonal
  const plSapCoupling* coupling;      // [ncoupling] each pair of cliques at most once
  // [sum of clique_nv] known impulses; the solver uses v_star + A^-1 impulse in place of v_star. NULL: none
  const double* impulse;
  // [sum of clique_nv] positive numbers that stand for the diagonal of A in the stopping test. With them A
  // may be indefinite: only A + J' G J needs a factor, where the solver comes by (PL_ERROR_INDEFINITE if it
  // has none), and the result is a minimum near the guess. Not together with impulse.
  // NULL: none, A must be positive definite
  const double* scale;
} plSapProblem;

// ---- settings

// The stopping test. With S = diag(A)^-1/2, g = A (v - v_star) - J' gamma, and sums over the cliques that
// constraints touch:
//
//     |S g|   <= absolute + relative max(|S A v|, |S J' gamma|)
//     |S g|_c <= absolute + relative max(|S A v|_c, sum_i |S J_i' gamma_i|_c, 1e-6 s)    for each clique c
//
// where s is the maximum in the first line. The first line is the test of the reference implementation; the
// second keeps a light body accurate beside a heavy one. A stalled cost or a small step does not count as
// convergence. There is one exception: if the residual no longer falls and |S g|_c is within the rounding
// error of gamma itself (2 eps G |J| |v| per row), up to 100 times the tolerance is accepted, and the report
// says so (at_rounding). This happens only for tolerances near 1e-13, or R below 1e-9 w. For R below about
// 1e-14 w no v in double precision yields the impulses that balance momentum. The returned vc yields them; it
// then equals J v + b to rounding.
typedef struct plSapOptions {
  double relative_tolerance;  // default 1e-6
  double absolute_tolerance;  // kg^1/2 m/s; default 1e-20, so small that the relative test decides even for a
                              // milligram
  int max_iterations;         // default 2000; after so many, or after 400 without a new smallest residual and
                              // 400 more with vc updated by the steps, the call fails with
                              // PL_ERROR_NOT_CONVERGED
  int patience;               // default 400; stands for these 400 where the residual is below 1000 tolerances
  double search_tolerance;    // of the line search: slope at its end relative to that at its start; default
                              // 1e-6; a tenth of this where the cost rises again
  int max_search;             // cost evaluations per line search; default 100
  int interior_after;  // iterations without progress after which an interior-point phase starts (conic laws);
                       // default 12; 0: never
  int sticking;  // largest number of Newton steps per solve that may be replaced by a step after which slowly
                 // sliding points stick; default 0
  struct plPool* pool;  // the library's own threads during a step; other callers leave it NULL (default): the
                        // caller's thread alone. The result's bits do not depend on it
} plSapOptions;

PL_API plSapOptions pl_sap_default_options(void);
// For successive solves, as in a simulation: up to 6 sticking steps, and a line search tolerance of 0.1. A
// grasp takes half the iterations, a sliding arch two thirds; a single solve may take a few more than with
// the default options.
PL_API plSapOptions pl_sap_quick_options(void);

// ---- solution, report, workspace

// Arrays of the caller, which are written only if the call succeeds; any of them may be NULL.
typedef struct plSapSolution {
  double* v;      // [sum of clique_nv] velocities
  double* gamma;  // [sum of nrow] impulses
  double* vc;     // [sum of nrow] constraint velocities J v + b
} plSapSolution;

typedef struct plSapReport {
  plStatus status;  // what the call returned
  // size of the solved problem: cliques that a constraint acts on, or that are coupled to such a clique, and
  // their degrees of freedom
  int nclique, nv, nconstraint, nrow;
  // work
  int iterations;          // Newton steps and interior-point steps
  int interior_steps;      // interior-point steps alone
  int factorizations;      // factorizations of the Hessian; fewer than iterations if it did not change
  int factor_nodes;        // supernodes of the Hessian, summed over these factorizations
  int renewed_nodes;       // those among them that were factored; the others had not changed
  int search_evaluations;  // evaluations of all laws in line searches
  int warm_start;          // 1 if the guess was used, 0 if v_star had the lower cost or none was given
  // accuracy reached
  double cost;               // cost at the solution
  double momentum_residual;  // |S g| / (max(|S A v|, |S J' gamma|, norm of all |S J_i' gamma_i|) + absolute /
                             // relative tolerance)
  double clique_residual;    // largest |S g|_c relative to its scale in the stopping test
  int at_rounding;           // 1 if the rounding allowance was needed to stop
  int worst_clique;          // clique of clique_residual, or the one that failed; -1: none
  int worst_constraint;  // constraint that failed, or the one at worst_clique with the largest impulse; -1:
                         // none
  // contact, over the points of PL_SAP_CONE unless said otherwise
  int stick, slide, open;  // number of contact points of any law that stick, slide or are open
  double cone_violation;   // N s: largest (|gamma_t| - mu gamma_n)+
  double complementarity;  // largest |gamma . s| / (|gamma| |s|), s = vc - v_hat + R gamma at sliding points;
                           // 0: none
  double slip_angle;       // rad: largest angle between friction and the direction opposite to slip, sliding
                           // points of all laws
  double R_n_min, R_n_max;  // s/kg: smallest and largest normal regularisation
  double R_t_min, R_t_max;  // s/kg: the same, tangential
  double creep;  // m/s: largest slip |R_t gamma_t - h| that the regularisation allows a sticking point
                 // (h = 0 except in pl_sap_solve_coulomb)
  // Coulomb's friction (pl_sap_solve_coulomb)
  int rounds;               // number of convex solves
  double coulomb_residual;  // m/s: largest |mu |u_t| - s| of the points that push
  int coulomb_fallbacks;    // number of points where it is above the tolerance; their friction lies between
                            // that of the convex law and Coulomb's
  int coulomb_capped;       // 1 if there are such points, because max_rounds was reached
  // sparsity pattern; each clique of the solved problem is a block row
  int block_count, block_hessian,
      block_factor;     // number of block rows, and of blocks in the lower triangles of H and L
  double factor_flops;  // floating-point operations of one factorization, without once_flops
  double once_flops;    // those of the cliques with bilateral constraints only, which are factored once
  int pattern_reused;   // 1 if the ordering of an earlier call was kept
  // wall time of the parts of a solve, in s
  double time_setup, time_law, time_assemble, time_factor, time_solve, time_search, time_total;
} plSapReport;

typedef struct plSapWorkspace plSapWorkspace;

// Memory and the sparsity pattern of the last problem. Each thread needs its own. Repeated solves of problems
// of the same size allocate nothing.
PL_API plSapWorkspace* pl_sap_workspace_create(plError* error);
PL_API void pl_sap_workspace_destroy(plSapWorkspace* workspace);

// Solves the problem. v_guess [sum of clique_nv] is an initial guess and may be NULL; parts of it that are
// not finite or cost more than v_star are ignored. options (NULL: the default options), solution, report and
// error may be NULL. Fails with PL_ERROR_INPUT if the problem is malformed, PL_ERROR_NOT_FINITE if it
// contains or produces NaN or infinity, PL_ERROR_INDEFINITE if a block of A has no Cholesky factor, and
// PL_ERROR_NOT_CONVERGED if the stopping test was not met. The error names the constraint or clique.
PL_API plStatus pl_sap_solve(const plSapProblem* problem, const plSapOptions* options, const double* v_guess,
                             plSapSolution* solution, plSapReport* report, plSapWorkspace* workspace,
                             plError* error);

// ---- Coulomb's friction

// Under the convex law a sliding point separates with mu times its slip velocity. pl_sap_solve_coulomb
// removes this (De Saxce's correction): it lowers v_hat_n of each point of PL_SAP_CONE by a shift s, and
// repeated convex solves (rounds) bring s to mu |u_t|, where u_t is the slip velocity minus what the
// regularisation allows. Sliding points then neither rise nor sink. Sticking points creep by R_t gamma_t. To
// remove this too, friction acts on the slip minus a shift h with two components, which a round takes from
// R_t gamma_t of the previous one. src/sap/coulomb.c has the derivation.
typedef struct plSapCoulomb {
  // A point has converged if |mu |u_t| - s| <= absolute_tolerance + relative_tolerance mu |u_t|.
  double relative_tolerance;  // default 1e-3
  double absolute_tolerance;  // m/s; default 1e-4
  double creep_tolerance;     // m/s, creep of sticking points that needs no correction; default 1e-5
  int creep_rounds;           // number of corrections of h; default 1
  int max_rounds;             // convex solves; default 60
  int direct_after;     // rounds before Newton's method on Coulomb's law itself is tried, and again after
                        // each half as many more; after the first one where a point with friction above 2
                        // has not converged; default 4, 0: never
  const double* start;  // [3 nconstraint] initial shifts: two of h, then s; default NULL: from the slip
                        // of v_guess
  double* shift;        // [3 nconstraint] gets the final shifts; default NULL
} plSapCoulomb;

PL_API plSapCoulomb pl_sap_default_coulomb(void);

// Like pl_sap_solve, in rounds. Every round converges, or the call fails as pl_sap_solve does. If the shifts
// do not converge in max_rounds, the result is that of the best round, of which the convex law itself (s = 0)
// is one; the status is PL_OK and report->coulomb_capped is 1. coulomb may be NULL for the default settings.
PL_API plStatus pl_sap_solve_coulomb(const plSapProblem* problem, const plSapOptions* options,
                                     const plSapCoulomb* coulomb, const double* v_guess,
                                     plSapSolution* solution, plSapReport* report, plSapWorkspace* workspace,
                                     plError* error);

// The deviation of a point from Coulomb's law.
typedef struct plSapCoulombError {
  double F;      // m/s: mu |u_t|
  double s;      // m/s: |F - s| for a point that pushes; for an open one, by how much it approaches too fast
  double creep;  // m/s: |R_t gamma_t - h|
} plSapCoulombError;

// constraint is that of the problem, without shifts; vc = J v + b. For laws other than PL_SAP_CONE all are
// zero.
PL_API plSapCoulombError pl_sap_coulomb_error(const plSapConstraint* constraint, const double* vc,
                                              const double* gamma, const double shift[3]);
// 1 if s is within its tolerance, else 0.
PL_API int pl_sap_coulomb_holds(const plSapCoulomb* coulomb, const plSapCoulombError* error);

// ---- parameters of laws from physical ones

#define PL_SAP_BETA_CONTACT 1.0  // beta of the near-rigid regularisation: of contact
#define PL_SAP_BETA 0.1          // and of all other constraints
#define PL_SAP_SIGMA 1e-3        // regularisation of friction, R_t = sigma w / share

// The Delassus estimate of a constraint: w = |sum_c J_c diag(A_c)^-1 J_c'|_F / nrow.
PL_API double pl_sap_delassus(const plSapProblem* problem, const plSapConstraint* constraint);

// Parameters of a contact point with stiffness k, dissipation time tau and gap phi: R_n = max(beta^2 / (4
// pi^2) w / share, 1 / (dt k (dt + tau))), R_t = sigma w / share. share is the point's part of the area of
// its vertex (1 for a single point). With a gap, phi > 0, v_hat_n = -phi / dt and there is no dissipation;
// otherwise v_hat_n = -phi / (dt + tau), and tau = dt where the near-rigid term decides. k may be infinite.
PL_API plSapCone pl_sap_cone(double dt, double mu, double k, double tau, double phi, double w, double share,
                             double beta, double sigma);

// v_s = max(v_stiction, mu sigma w n0) with n0 = dt f_e (1 - d vn0), where vn0 is the last normal velocity. k
// is limited to the near-rigid stiffness 4 pi^2 / (beta^2 w dt^2), and f_e with it; beta = 0 means no limit.
PL_API plSapHuntCrossley pl_sap_hunt_crossley(double dt, double mu, double k, double d, double f_e,
                                              double vn0, double w, double v_stiction, double beta,
                                              double sigma);

// Limits the speed at which a violation is corrected to v_max. If |v_hat| is larger, v_hat becomes v_max and
// R falls by the same factor, so that the impulse at vc = 0, v_hat / R, does not change. (This is a spring of
// the same stiffness with a longer relaxation time: a load presses in equally deep, but recovers more
// slowly.)
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

// Evaluates one law: cost l, impulse gamma [nrow] and Hessian G = d2l/dvc2 (3 x 3 for contact laws, the
// diagonal [nrow] for the others) at vc. Each output may be NULL.
PL_API void pl_sap_law(const plSapConstraint* constraint, const double* vc, double* cost, double* gamma,
                       double* G);

#ifdef __cplusplus
}
#endif
#endif

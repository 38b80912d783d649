// step.h: the stages of a step. Each reads model and data, writes its own fields of the data and returns a
// status.
#ifndef PL_STEP_STEP_H
#define PL_STEP_STEP_H

#include "constraint/constraint.h"
#include "model/work.h"

plStatus pl_step_control(const plModel* model, plData* data);
plStatus pl_step_kinematics(const plModel* model, plData* data);
plStatus pl_step_contacts(const plModel* model, plData* data);
plStatus pl_step_partition(const plModel* model, plData* data);
plStatus pl_step_momentum(const plModel* model, plData* data);
plStatus pl_step_factor(const plModel* model, plData* data);
plStatus pl_step_free_motion(const plModel* model, plData* data);
plStatus pl_step_constraints(const plModel* model, plData* data);
plStatus pl_step_contact_solve(const plModel* model, plData* data);
plStatus pl_step_interior(const plModel* model, plData* data);
plStatus pl_step_coupling(const plModel* model, plData* data);
bool pl_step_couples(const plModel* model, const plData* data);  // whether it has anything to do
// Raises *residual to the largest ratio of |A (v - v*) - J' gamma| of trees and linear bodies to its limit,
// if that is larger; *worst: a tree, or ntree plus a deformable body. f = J' gamma. balance.c
plStatus pl_step_linear_residual(const plModel* model, plData* data, const double* v, const double* gamma,
                                 const double* f, double* residual, int* worst);
// The effect of the rounding error of v on J' gamma.
plStatus pl_step_impulse_rounding(const plModel* model, plData* data, const double* v, const double* gamma,
                                  double* noise);
plStatus pl_step_guard(const plModel* model, plData* data);
plStatus pl_step_advance(const plModel* model, plData* data);
plStatus pl_step_sensors(const plModel* model, plData* data);

// Stores the state before the step, and restores it; what a callback can write is stored only if there is
// one.  keep.c
typedef struct plKept {
  bool control;  // whether there is a callback
  double time;
  double *q, *v, *u, *f_user, *f_body;
  bool* on[PL_SWITCH_COUNT];
  plAttachment* attach;
  int nattach;
  plParameters* par;
} plKept;
plStatus pl_step_keep(const plModel* model, plData* data, plKept* kept);
void pl_step_restore(const plModel* model, plData* data, const plKept* kept);

// Runs the stages from one to another and measures their times.  step.c
plStatus pl_step_run(const plModel* model, plData* data, plStage from, plStage to);

// The stages from KINEMATICS to ADVANCE for dt, or for parts of it.  parts.c
plStatus pl_step_parts(const plModel* model, plData* data, double dt);
// Adds to the message of a step without a solution which soft body is hit faster than its waves travel.
void pl_step_name_impact(const plModel* model, const plData* data);
void pl_step_use_dt(const plModel* model, plData* data, double dt);
bool pl_step_is_last(const plData* data);  // whether no shorter part will be tried
// The same for dt under options.accuracy.  accuracy.c
plStatus pl_step_accurate(const plModel* model, plData* data, double dt);
// The motion before the step, to be restored if one part of the step succeeded and another did not.
typedef struct plStepMotion {
  double time, *q, *v;
} plStepMotion;
plStepMotion pl_step_motion_keep(const plModel* model, plData* data);
void pl_step_motion_restore(const plModel* model, plData* data, const plStepMotion* motion);

// The time after a step of dt from t.  advance.c
double pl_step_next_time(double t, double dt);

// PL_ERROR_NOT_FINITE, with names, if a number of the state is not finite; who: its origin.  finite.c
plStatus pl_step_check_finite(const plModel* model, plData* data, const char* who);

// Runs SAP on work->reduced from the guess of participating velocities; writes work->v (participating), gamma
// and vc. correct: run the rounds of Coulomb's law, if that is the law, and leave their shifts in the
// problem; else solve the problem as it is.
plStatus pl_step_solve_reduced(const plModel* model, plData* data, const double* v_guess, double tolerance,
                               bool correct);
// The start of a solve after v* has changed from `before` [nv_rigid] to that of the problem; v: reduced
// velocities, the last solution. It keeps the impulses A (v - v*), and with them the balance of the momentum
// of all bodies, which the solve leaves as it is: a Newton step fulfils it to rounding, and a solve that ends
// where it starts does not change it.
void pl_step_keep_impulses(const plModel* model, const plReduced* r, const double* before, double* v);
// Lowers the speeds at which violations are corrected if together they make a tree too fast, and solves
// again. push_out.c
plStatus pl_step_calm_push_out(const plModel* model, plData* data);
// Solves with lower speeds, without corrections of creep.
plStatus pl_step_solve_slower(const plModel* model, plData* data);
// Islands: trees that constraints connect have the same root in up [ntree]. The last call returns the first
// tree of a constraint, -1: none.
void pl_step_tie_trees(const plReduced* r, int ntree, int* up);
int pl_step_root_of(int* up, int tree);
int pl_step_tree_of(const plSapConstraint* c, int ntree);
// Lowers what pairs demand if no motion can meet it, and solves again. stall.c
plStatus pl_step_stall(const plModel* model, plData* data);
// Trees whose joints turn far: solves again with the Coriolis forces of the solution (swing.c).
plStatus pl_step_swing(const plModel* model, plData* data);
bool pl_step_has_pairs(const plReduced* r);  // whether a row is that of a pair, of any kind
// The trees after a motion of dt with the velocities v; J of the pairs or attachments as if the trees were in
// that state (swing.c).
void pl_step_state_after(plData* data, const double* v, plTreeState* state);
plStatus pl_step_rows_at(const plModel* model, plData* data, const plTreeState* state, plRowKind kind);
// Single bodies that turn far and are held by pairs: solves again with rows that predict g1 (shake.c).
plStatus pl_step_shake(const plModel* model, plData* data);
// The same for velocities v that the caller has found: makes v* and rows those of a motion that ends with v,
// without solving the problem again. *changed: they belonged to another motion before.
plStatus pl_step_swing_along(const plModel* model, plData* data, const double* v, bool* changed);
plStatus pl_step_shake_along(const plModel* model, plData* data, const double* v, bool* changed);
// theta_vq < 1: rows of the pairs in the middle of a motion that ends with v, and v* of this motion; state is
// scratch (middle.c).
plStatus pl_step_middle(const plModel* model, plData* data, const plUnturned* base, const double* v,
                        plTreeState* state);
// Whether a distance that changes from g0 to g1 in a step, and at this rate along its line, has turned that
// line by more than an angle.
bool pl_step_line_turns(const plData* data, double g0, double g1, double rate, double angle);
// Undoes what pl_step_shake changed.
plStatus pl_step_unturn(const plModel* model, plData* data);
// Single bodies that turn far and hold vertices: solves again with impulses that act where they add no energy
// (arms.c).
plStatus pl_step_arms(const plModel* model, plData* data);
// Writes to the report whether friction satisfies Coulomb's law at the impulses and velocities. friction.c
bool pl_step_friction_is_right(plData* data, const double* gamma, const double* vc);
// PL_OK, or the error of a step whose friction violates Coulomb's law although options.coulomb_strict is set.
plStatus pl_step_judge_friction(plData* data);
// PL_ERROR_PASSAGE, so that a shorter step is tried, if rigid trees that turn far gain energy that no force
// supplied. In the shortest part they are slowed down instead. gain.c
plStatus pl_step_judge_gain(const plModel* model, plData* data, double* q1, double* v1);
// If theta_vq < 1: adds to gain [ndeform] the energy that contacts gave to their two sides together beyond
// what they had stored, if it is positive; those without a stiffness of their own store none. A shorter step
// would not change it. *rigid: the energy that contacts and undriven pairs between trees gave to the trees,
// beyond what they had stored.
plStatus pl_step_constraints_gain(const plModel* model, plData* data, const double* q1, const double* v1,
                                  double* gain, double* rigid);
// Adds to gain [ndeform] the work that the springs of a body's points (contact/skin_smooth.c) do along the
// normals on both sides together beyond what they had at the end of the step before: their stiffness changes
// with the points. Only with theta_vq = 1, and not in the first step from a state.
plStatus pl_step_springs_gain(const plModel* model, plData* data, double* gain);
// Impulses -> data->contact, data->f_constraint.
plStatus pl_step_report_contacts(const plModel* model, plData* data);
// Impulses -> data->impulse, data->actuator_force.  impulses.c
plStatus pl_step_report_impulses(const plModel* model, plData* data);

#endif

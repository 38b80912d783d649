// deform.h: deformable bodies: from state to deformation, momentum residual m(v) and tangent A (the paper's
// section V).
#ifndef PL_DEFORM_DEFORM_H
#define PL_DEFORM_DEFORM_H

#include "math/mat3.h"
#include "model/work.h"

// v_guess, q_end: v0 and q0 + dt v, or the prescribed motion; f_ext; frozen rotations.
plStatus pl_deform_kinematics(const plModel* model, plData* data);
// q1: where the velocities v at the end of the step, which count by a, take body b from q0; prescribed motion
// ends where it must.
void pl_deform_end(const plModel* model, const plData* data, int b, const double* q0, const double* v,
                   double a, double* q1);

// v_first, m(v_first) and A = (1 + alpha theta dt) M + theta dt (theta_vq dt + beta) K, without the rows and
// columns of prescribed motion.  (8), (11)
plStatus pl_deform_momentum(const plModel* model, plData* data);

// Cholesky factor of A, body by body; a pivot that fails names its vertex.
plStatus pl_deform_factor(const plModel* model, plData* data);

// v_star: m(v_star) = 0, and its residual. One linear solve if the law is linear, Newton's method if not.
// (10)
plStatus pl_deform_free_motion(const plModel* model, plData* data);

// If the problem of this step is solved again (work->again): whether m and A of body b are still those at
// v_first, or not needed again because nothing touches the body; whether its factor and v_star are those of
// the present partition as well.
static inline bool pl_deform_keeps_tangent(const plData* data, int b) {
  const plWork* work = data->work;
  bool untouched = work->same_participating[b] && work->nparticipating[b] == 0;
  return work->again && (untouched || pl_law_is_linear(data->par->deform_material[b].kind));
}
static inline bool pl_deform_keeps_free_motion(const plData* data, int b) {
  return pl_deform_keeps_tangent(data, b) && data->work->same_participating[b];
}

// ---- all bodies (bodies.c)

// Runs run(model, data, b, context) for every body, several at a time if there are threads; returns the
// status, error and report of the first body that fails. run may write the fields of body b, the report's
// fields of free motion and `where`, and use memory of the step that is not needed after it returns.
typedef plStatus plBodyWork(const plModel* model, plData* data, int b, void* context);
plStatus pl_deform_each(const plModel* model, plData* data, plBodyWork* run, void* context);
void pl_deform_bodies_destroy(plData* data);

// ---- one body b; vectors have its 3 n entries; v, m and A in data and work are those of the body

// Writes m(v) to m, with zeros in rows of prescribed motion; *scale (may be NULL): the largest of the norms
// of its terms and of M v. With tangent >= 0 also A(v), exact or projected.
enum { PL_NO_TANGENT = -1 };
plStatus pl_deform_linearize(const plModel* model, plData* data, int b, const double* v, int tangent,
                             double* m, double* scale);
// The incremental potential, whose gradient is m(v) if theta theta_vq > 0; *size (may be NULL): the sum of
// the magnitudes of its terms; 1e-9 of it is above its rounding error.
plStatus pl_deform_potential(const plModel* model, plData* data, int b, const double* v, double* potential,
                             double* size);
// Adds the work (J) of prescribed motion on the body along q1 - q0 to *sum, and the magnitudes of its terms
// to *size.
plStatus pl_deform_given_work(const plModel* model, plData* data, int b, const double* q1, const double* v1,
                              double* sum, double* size);
// Freezes rotations at q0 + shift v0.
double pl_freeze_shift(const plData* data, int b);
// *energy: kinetic and elastic energy at (q1, v1), the end of the step (J). *gain: its growth beyond the work
// done on the body along q1 - q0 (by gravity, loads, contacts, attachments, prescribed motion); negative
// where damping and the scheme dissipate energy; 0 within rounding.
plStatus pl_deform_energy_gain(const plModel* model, plData* data, int b, const double* q1, const double* v1,
                               double* energy, double* gain);
// A = L L'. If the exact tangent of a nonlinear law at v has a bad pivot, the projected tangent is used.
plStatus pl_deform_factor_body(const plModel* model, plData* data, int b, const double* v);
// The same with a share of the projected tangent only. *share: the smallest that is tried, 0 for the exact
// tangent and then the whole projected one; returns the share that was used. Shares up to PL_PROJECTED_LEAST
// try the exact tangent first.
#define PL_PROJECTED_LEAST (1.0 / 64)
#define PL_PROJECTED_STEP 4
plStatus pl_deform_factor_mixed(const plModel* model, plData* data, int b, const double* v, double* share);
// The factor of the exact tangent, which is in A and may be indefinite on participating vertices: L_nn, L_pn
// and A_hat are those of A. If A_hat has no factor, solves are those with A + *shift d I_p (linalg/chol.h);
// *shift: 0 if it has one. PL_ERROR_INDEFINITE, without a message: other vertices have no factor, or no shift
// gives one.
plStatus pl_deform_factor_held(plData* data, int b, double* shift);

// Rows and columns of prescribed motion: zero except for the diagonal, which is kept.
void pl_deform_take_out_given(const plModel* model, int b, plBsym* A);

// PL_ERROR_UNSTABLE if dt is beyond the scheme's stability limit, which is computed once.
plStatus pl_deform_check_stability(const plModel* model, plData* data);

// to = v + a dv, with the body's rotation in it applied as a rotation (arc.c): a line search along dv itself
// would hardly turn a stiff body.
void pl_deform_along(const plModel* model, const plData* data, int b, const double* v, const double* dv,
                     double a, double* to);
// Writes the velocities at which a step is linearised first to v: v_guess; or the same motion along arcs if
// the body turns far and v_guess is worse than no motion (arc.c).
plStatus pl_deform_begin(const plModel* model, plData* data, int b, double* v);

// ---- accuracy.c

// 64 eps (|A||v| + dt |K||q|): the norm of the residual m(v) that rounding alone may leave.
plStatus pl_deform_rounding(const plModel* model, plData* data, int b, const double* v, double* rounding);
// Shifts dv = -A^-1 m as a whole so that the balance of the body's centre, to which internal forces do not
// contribute, is satisfied: the factor of a stiff A does not resolve it. Does nothing if motion is
// prescribed.
void pl_deform_centre(const plModel* model, const plData* data, int b, const double* m, double* dv);
// Shifts v as a whole so that rest, m(v) minus the impulses on the body, has no linear momentum: residuals
// within the tolerance would add up from step to step. room: scratch as long as v.
void pl_deform_keep_momentum(const plModel* model, const plData* data, int b, const double* rest,
                             double* room, double* v);
// PL_ERROR_UNSTABLE if a body is too stiff for its mass, cells and dt to be solved in double precision.
plStatus pl_deform_check_stiffness(const plModel* model, plData* data);

// Elastic energy at positions q with the rotations of q, not frozen ones.
double pl_points_energy(const plPoints* points, const plLaw* law, const double* q);

// Forces of gravity, loads and user on all bodies, into f_ext.
void pl_deform_loads(const plModel* model, plData* data);

// Deformation gradient of a tet at positions q of its body (q points to the body's first vertex); the mean
// over a quadratic tet.
plMat3 pl_tet_gradient(const plModel* model, int body, int tet, const double* q);

#endif

// deform.h: deformable bodies: from state to deformation, momentum residual m(v) and tangent A (the paper's
// section V).
#ifndef PL_DEFORM_DEFORM_H
#define PL_DEFORM_DEFORM_H

#include "math/mat3.h"
#include "model/work.h"

// v_guess, q_end: v0 and q0 + dt v, with the given motion where there is one; f_ext; frozen rotations.
plStatus pl_deform_kinematics(const plModel* model, plData* data);

// m(v_guess) and A = (1 + alpha theta dt) M + theta dt (theta_vq dt + beta) K, rows and columns of given
// motion taken out.  (8), (11)
plStatus pl_deform_momentum(const plModel* model, plData* data);

// Cholesky factor of A, body by body; a pivot that fails names its vertex.
plStatus pl_deform_factor(const plModel* model, plData* data);

// v_star: m(v_star) = 0, and how well it was met. One linear solve if the law is linear, Newton's method if
// not.  (10)
plStatus pl_deform_free_motion(const plModel* model, plData* data);

// ---- all bodies (bodies.c)

// run(model, data, b, context) for every body, several at a time where there are threads; the status, error
// and report of the first body that fails. run may write what belongs to body b, the report's fields of free
// motion and `where`, and take memory of the step that it no longer needs when it returns.
typedef plStatus plBodyWork(const plModel* model, plData* data, int b, void* context);
plStatus pl_deform_each(const plModel* model, plData* data, plBodyWork* run, void* context);
void pl_deform_bodies_destroy(plData* data);

// ---- one body b; vectors have its 3 n entries, and its own v, m, A in data and work are meant

// m(v) into m, rows of given motion zero; *scale (may be NULL): the largest of the lengths of its terms and
// of M v. With tangent >= 0 also A(v), exact or projected.
enum { PL_NO_TANGENT = -1 };
plStatus pl_deform_linearize(const plModel* model, plData* data, int b, const double* v, int tangent,
                             double* m, double* scale);
// The incremental potential, whose gradient is m(v) where theta theta_vq > 0; *size (may be NULL): the sum of
// the sizes of its terms, of which 1e-9 is above its rounding.
plStatus pl_deform_potential(const plModel* model, plData* data, int b, const double* v, double* potential,
                             double* size);
// The work (J) of given motion on the body along q1 - q0, added to *sum, and the sizes of its terms to *size.
plStatus pl_deform_given_work(const plModel* model, plData* data, int b, const double* q1, const double* v1,
                              double* sum, double* size);
// Rotations are frozen at q0 + shift v0.
double pl_freeze_shift(const plData* data, int b);
// *energy: kinetic and elastic energy at (q1, v1), the end of the step (J). *gain: by how much it grew beyond
// the work that others did on the body along q1 - q0 (gravity, loads, contacts, attachments, given motion);
// negative where damping and the scheme took some away; 0 within rounding.
plStatus pl_deform_energy_gain(const plModel* model, plData* data, int b, const double* q1, const double* v1,
                               double* energy, double* gain);
// A = L L'. The exact tangent of a nonlinear law at v that has a bad pivot is replaced by the projected one.
plStatus pl_deform_factor_body(const plModel* model, plData* data, int b, const double* v);

// Rows and columns of given motion: zero, but for the diagonal, which stays.
void pl_deform_take_out_given(const plModel* model, int b, plBsym* A);

// PL_ERROR_UNSTABLE if dt is beyond the scheme's stability limit, which is found once.
plStatus pl_deform_check_stability(const plModel* model, plData* data);

// to = v + a dv, but that the body's turn in it is made as a rotation (arc.c): where it is stiff, a line
// search along dv itself would not let it turn.
void pl_deform_along(const plModel* model, const plData* data, int b, const double* v, const double* dv,
                     double a, double* to);

// ---- accuracy.c

// 64 eps (|A||v| + dt |K||q|): the length of what rounding alone may leave of m(v).
plStatus pl_deform_rounding(const plModel* model, plData* data, int b, const double* v, double* rounding);
// Moves dv = -A^-1 m as a whole such that the balance of the body's centre, which internal forces do not
// enter, is met: a factor of a stiff A does not see it. Nothing happens where motion is given.
void pl_deform_centre(const plModel* model, const plData* data, int b, const double* m, double* dv);
// Moves v as a whole such that what rest, m(v) less the impulses on the body, leaves of its linear momentum
// is nothing: tolerances would add up from step to step. room: as long as v.
void pl_deform_keep_momentum(const plModel* model, const plData* data, int b, const double* rest,
                             double* room, double* v);
// PL_ERROR_UNSTABLE if a body is too stiff for its mass, cells and dt to be solved in double precision.
plStatus pl_deform_check_stiffness(const plModel* model, plData* data);

// Elastic energy at positions q with rotations as they are there, not frozen ones.
double pl_points_energy(const plPoints* points, const plLaw* law, const double* q);

// Forces of gravity, loads and user on all bodies, into f_ext.
void pl_deform_loads(const plModel* model, plData* data);

// Displacement of group fix (-1: none) at the given time (linear in between, constant outside).
plVec3 pl_fix_offset(const plModel* model, int fix, double time);

// Deformation gradient of a tet at positions q of its body (q points to the body's first vertex); the mean
// over a quadratic one.
plMat3 pl_tet_gradient(const plModel* model, int body, int tet, const double* q);

#endif

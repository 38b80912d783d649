// deform.h: deformable bodies: from state to deformation, momentum residual m(v) and tangent A (the paper's section V).
#ifndef PL_DEFORM_DEFORM_H
#define PL_DEFORM_DEFORM_H

#include "math/mat3.h"
#include "model/work.h"

// v_guess, q_end: v0 and q0 + dt v, with the given motion where there is one; tet_R: frozen rotations.
plStatus pl_deform_kinematics(const plModel* model, plData* data);

// m(v_guess) and A = (1 + alpha theta dt) M + theta dt (theta_vq dt + beta) K, rows and columns of given motion taken out.  (8), (11)
plStatus pl_deform_momentum(const plModel* model, plData* data);

// Cholesky factor of A, body by body; a pivot that fails names its vertex.
plStatus pl_deform_factor(const plModel* model, plData* data);

// v_star = v_guess - A^-1 m(v_guess), and how well it was met.  (10)
plStatus pl_deform_free_motion(const plModel* model, plData* data);

// Displacement of group fix at the given time (linear in between, constant outside).
plVec3 pl_fix_offset(const plModel* model, int fix, double time);

// Deformation gradient of a tet at positions q of its body (q points to the body's first vertex): F = sum_a x_a (x) grad N_a.
plMat3 pl_tet_gradient(const plModel* model, int body, int tet, const double* q);

#endif

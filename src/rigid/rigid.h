// rigid.h: rigid trees in the step: from state and inputs to the momentum residual m(v), its tangent A, and
// free motion.
//
// m(v) = M (v - v0) + dt (bias + D v_theta + K x(q_theta) - f)           (8), per tree
// A    = M + theta dt D + theta theta_vq dt^2 K                           (11), symmetric positive definite
//
// M holds armatures; D and K hold joint damping, springs and the gains of actuators; f the inputs and the
// user's forces. With theta = 0 or 1, M and bias are taken at (q0, v0), as in the paper; else at the
// theta-state, and m(v) = 0 is solved by iteration.
#ifndef PL_RIGID_RIGID_H
#define PL_RIGID_RIGID_H

#include "model/work.h"
#include "rigid/tree.h"

// u where a table gives it, at the time t + theta dt.
void pl_rigid_control(const plModel* model, plData* data);
// The value and slope of actuator i's table at a time.
void pl_actuator_table(const plModel* model, int i, double time, double* value, double* slope);

// work->tree at (q0, v0); v_guess = v0, 0 where locked.
void pl_rigid_kinematics(const plModel* model, plData* data);
// m(v_guess), tree_A
void pl_rigid_momentum(const plModel* model, plData* data);
// tree_L; a pivot that fails names its joint.
plStatus pl_rigid_factor(const plModel* model, plData* data);
// v_star with m(v_star) = 0; tree_A and tree_L belong to it then.
plStatus pl_rigid_free_motion(const plModel* model, plData* data);
// q1 from q0 and the velocity v1 at the end of the step; names the joint if that is not finite.
plStatus pl_rigid_advance(const plModel* model, plData* data, const double* v1, double* q1);

// m(v) and tree_A for any v.
void pl_rigid_evaluate(const plModel* model, plData* data, const double* v);
// |S m| / |S m_scale| over all trees, S = diag(A)^-1/2, the largest.
double pl_rigid_residual(const plModel* model, const plData* data);
// World poses of a node and of a shape, as they stand in work->tree.
plPose pl_node_pose(const plData* data, int node);
plPose pl_rigid_shape_pose(const plData* data, int geom);
// M and bias at the theta-state?
static inline bool pl_rigid_is_iterated(const plModel* model) {
  return model->options.theta > 0 && model->options.theta < 1;
}

#endif

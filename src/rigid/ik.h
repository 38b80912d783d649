// ik.h: bounded least squares for differential inverse kinematics.
#ifndef PL_RIGID_IK_H
#define PL_RIGID_IK_H

// min x'Hx/2 - b'x with lower <= x <= upper, H [n x n] positive definite; work has n n + n entries, fixed n.
void pl_bounded_minimum(int n, const double* H, const double* b, const double* lower, const double* upper,
                        double* x, double* work, _Bool* fixed);

#endif

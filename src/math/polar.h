// polar.h: the rotation in a 3x3 matrix.
#ifndef PL_MATH_POLAR_H
#define PL_MATH_POLAR_H

#include "math/mat3.h"

// The rotation R (det +1) nearest to F in the Frobenius norm: F = R S. S is positive definite if det F > 0;
// for an inverted F its smallest eigenvalue is negative; for a singular F any nearest rotation. Defined for
// every finite F; the zero matrix gives I.
plMat3 pl_polar(plMat3 F);

// The same from the singular value decomposition alone: the reference, and what pl_polar does when F is far
// from a rotation.
plMat3 pl_polar_svd(plMat3 F);

#endif

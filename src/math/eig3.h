// eig3.h: eigenvalues and eigenvectors of a symmetric 3x3 matrix.
#ifndef PL_MATH_EIG3_H
#define PL_MATH_EIG3_H

#include "math/mat3.h"

// A = Q diag(w) Q', w ascending, Q a rotation (det +1). Only the symmetric part of A counts. Errors are a few
// ulps of |A|.
void pl_eig3(plMat3 A, double w[3], plMat3* Q);

#endif

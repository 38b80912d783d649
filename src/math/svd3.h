// svd3.h: singular value decomposition of a 3x3 matrix with rotations on both sides.
#ifndef PL_MATH_SVD3_H
#define PL_MATH_SVD3_H

#include "math/mat3.h"

// F = U diag(s) V', U and V rotations (det +1), s[0] >= s[1] >= |s[2]|; s[2] < 0 if and only if det F < 0
// (the order holds to rounding). Defined for every finite F, singular and zero ones included. Errors are a
// few ulps of |F|.
void pl_svd3(plMat3 F, plMat3* U, double s[3], plMat3* V);

#endif

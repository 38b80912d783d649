// eig3.c: symmetric 3x3 eigenproblem by cyclic Jacobi rotations. Quadratic convergence: 3 to 5 sweeps.
#include "math/eig3.h"

enum { MAX_SWEEPS = 16 };

// One Jacobi rotation in the plane (p, q): A <- J' A J, Q <- Q J. False if the entry is already negligible.
static bool rotate(plMat3* A, plMat3* Q, int p, int q) {
  double a = M3(*A, p, q), app = M3(*A, p, p), aqq = M3(*A, q, q);
  if (fabs(a) <= 0x1p-56 * (fabs(app) + fabs(aqq)) || a == 0) {
    M3(*A, p, q) = M3(*A, q, p) = 0;
    return false;
  }

  // tangent of the smaller angle that makes entry (p, q) vanish
  double zeta = (aqq - app) / (2 * a);
  double t = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
  double c = 1 / sqrt(1 + t * t), s = c * t;

  M3(*A, p, p) = app - t * a;
  M3(*A, q, q) = aqq + t * a;
  M3(*A, p, q) = M3(*A, q, p) = 0;
  int r = 3 - p - q;
  double arp = M3(*A, r, p), arq = M3(*A, r, q);
  M3(*A, r, p) = M3(*A, p, r) = c * arp - s * arq;
  M3(*A, r, q) = M3(*A, q, r) = s * arp + c * arq;
  for (int i = 0; i < 3; i++) {
    double qp = M3(*Q, i, p), qq = M3(*Q, i, q);
    M3(*Q, i, p) = c * qp - s * qq;
    M3(*Q, i, q) = s * qp + c * qq;
  }
  return true;
}

// Swaps columns p < q of Q with a sign, so that Q stays a rotation, if w is out of order.
static void order(double w[3], plMat3* Q, int p, int q) {
  if (w[p] <= w[q]) return;
  double swap = w[p];
  w[p] = w[q], w[q] = swap;
  for (int i = 0; i < 3; i++) {
    double x = M3(*Q, i, p);
    M3(*Q, i, p) = M3(*Q, i, q), M3(*Q, i, q) = -x;
  }
}

void pl_eig3(plMat3 A, double w[3], plMat3* Q) {
  A = m3_scale(0.5, m3_add(A, m3_transpose(A)));
  *Q = m3_identity();
  for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    bool turned = rotate(&A, Q, 0, 1);
    turned = rotate(&A, Q, 0, 2) || turned;
    turned = rotate(&A, Q, 1, 2) || turned;
    if (!turned) break;
  }
  for (int i = 0; i < 3; i++) w[i] = M3(A, i, i);
  order(w, Q, 0, 1);
  order(w, Q, 1, 2);
  order(w, Q, 0, 1);
}

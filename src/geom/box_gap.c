// box_gap.c: two boxes along the fifteen directions that can separate them: the normals of their faces and
// the perpendiculars of their edges.
//
// Boxes that lie on each other overlap least along the normal of a face. This finds it without GJK and EPA.
#include <math.h>

#include "geom/convex.h"
#include "math/mat3.h"

typedef struct Boxes {
  double a[3], b[3];  // half sides
  double t[3];        // from A to B in the axes of A
  double R[3][3];     // R[i][j] = a_i . b_j
} Boxes;

static Boxes relative(const plConvex* A, const plConvex* B, plVec3 axis_a[3], plVec3 axis_b[3]) {
  plMat3 Ra = quat_matrix(A->pose.q), Rb = quat_matrix(B->pose.q);
  plVec3 t = v3_sub(B->pose.p, A->pose.p);
  Boxes x = {{A->half.x, A->half.y, A->half.z}, {B->half.x, B->half.y, B->half.z}, {0}, {{0}}};
  for (int i = 0; i < 3; i++) axis_a[i] = m3_column(Ra, i), axis_b[i] = m3_column(Rb, i);
  for (int i = 0; i < 3; i++) {
    x.t[i] = v3_dot(axis_a[i], t);
    for (int j = 0; j < 3; j++) x.R[i][j] = v3_dot(axis_a[i], axis_b[j]);
  }
  return x;
}

// The largest gap along the normals of faces, and its index: 0 to 2 of A, 3 to 5 of B. *side: towards B along
// that axis.
static double along_faces(const Boxes* x, int* best, double* side) {
  double most = -INFINITY;
  for (int k = 0; k < 6; k++) {
    int i = k % 3;
    const double(*R)[3] = x->R;
    double at = k < 3 ? x->t[i] : x->t[0] * R[0][i] + x->t[1] * R[1][i] + x->t[2] * R[2][i];
    double reach =
        k < 3 ? x->a[i] + x->b[0] * fabs(R[i][0]) + x->b[1] * fabs(R[i][1]) + x->b[2] * fabs(R[i][2])
              : x->b[i] + x->a[0] * fabs(R[0][i]) + x->a[1] * fabs(R[1][i]) + x->a[2] * fabs(R[2][i]);
    double gap = fabs(at) - reach;
    if (gap > most) most = gap, *best = k, *side = at < 0 ? -1 : 1;
  }
  return most;
}

// Whether the gap along the perpendicular of some pair of edges is larger than `gap`, by more than rounding:
// edges of aligned boxes have the normals of faces. Parallel edges have no perpendicular; a face separates
// them as well.
static bool edges_are_farther(const Boxes* x, double gap) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      double length2 = x->R[i1][j] * x->R[i1][j] + x->R[i2][j] * x->R[i2][j];
      if (!(length2 > 1e-12)) continue;
      double reach = x->a[i1] * fabs(x->R[i2][j]) + x->a[i2] * fabs(x->R[i1][j]) +
                     x->b[j1] * fabs(x->R[i][j2]) + x->b[j2] * fabs(x->R[i][j1]);
      double at = fabs(x->t[i2] * x->R[i1][j] - x->t[i1] * x->R[i2][j]);
      if (at - reach > gap * sqrt(length2) + 1e-12 * reach) return true;
    }
  return false;
}

bool pl_box_gap(const plConvex* A, const plConvex* B, double margin, double* gap, plVec3* normal) {
  plVec3 axis[6];
  Boxes x = relative(A, B, axis, axis + 3);
  int best = 0;
  double side = 1;
  *gap = along_faces(&x, &best, &side);
  *normal = v3_scale(side, axis[best]);
  return *gap > margin || (*gap < 0 && !edges_are_farther(&x, *gap));
}

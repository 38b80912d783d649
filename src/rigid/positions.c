// positions.c: steps of the positions of trees along velocities, q1 = q0 + dt N(q) v, and mean velocities.
#include <math.h>

#include "rigid/tree.h"

static plQuat load(const double* q) { return (plQuat){q[0], q[1], q[2], q[3]}; }
static void store(double* q, plQuat a) { q[0] = a.w, q[1] = a.x, q[2] = a.y, q[3] = a.z; }

void pl_tree_advance(const plTree* tree, const double* q0, const double* v, double dt, double* q1) {
  for (int i = 0; i < tree->nnode; i++) {
    int kind = tree->node_kind[i], a = tree->node_q0[i], b = tree->node_v0[i];
    if (kind < PL_NODE_BALL) {
      q1[a] = q0[a] + dt * v[b];
      continue;
    }
    if (kind == PL_NODE_FREE) {
      v3_store(q1 + a, v3_madd(v3_load(q0 + a), dt, v3_load(v + b)));
      a += 3, b += 3;
    }
    // the angular velocity is in F, outside the rotation: it multiplies from the left
    store(q1 + a, quat_unit(quat_mul(quat_exp(v3_scale(dt, v3_load(v + b))), load(q0 + a))));
  }
}

plVec3 pl_mean_spin(plVec3 w0, plVec3 w1, double a, double dt) {
  if (a == 1) return w1;
  plVec3 w = v3_madd(v3_scale(1 - a, w0), a, w1);
  double size = v3_norm(w0) + v3_norm(w1), change = INFINITY;
  for (int k = 0; k < 100 && a > 0 && change > 1e-16 * size; k++) {
    plVec3 next = v3_madd(v3_scale(1 - a, w0), a, quat_rotate(quat_exp(v3_scale(-dt, w)), w1));
    double moved = v3_norm(v3_sub(next, w));
    if (!(moved < change)) break;
    w = next, change = moved;
  }
  return w;
}

void pl_tree_mean_velocity(const plTree* tree, const double* v0, const double* v1, double a, double dt,
                           double* v) {
  for (int i = 0; i < tree->nv; i++) v[i] = a * v1[i] + (1 - a) * v0[i];
  for (int i = 0; i < tree->nnode && a < 1; i++) {
    int kind = tree->node_kind[i], at = tree->node_v0[i] + (kind == PL_NODE_FREE ? 3 : 0);
    if (kind >= PL_NODE_BALL) v3_store(v + at, pl_mean_spin(v3_load(v0 + at), v3_load(v1 + at), a, dt));
  }
}

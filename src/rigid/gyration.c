// gyration.c: rotation of free and ball joints: their part of the momentum balance in momentum form.
//
//   I(q1) w1 = I(q0) w0 + dt torque,   q1 = exp(dt w_a) q0,   w_a = a exp(-dt w_a) w1 + (1 - a) w0
//
// with a = theta_vq; w_a is the mean of the two in the body's frame, w1 for a = 1.
//
// I is the inertia of the node and of bodies connected to it by locked joints. Bodies on free hinges and
// sliders are not included: they need not follow, and a base whose balance contains the inertia of all of its
// load, while M does not, would gain energy. I is taken about its centre of mass for a free joint, whose
// linear momentum m (v + w x c) is balanced too, and about the pivot for a ball joint. In the bias at (q0,
// v0) the change of I is the wrench B = dt (w0 x I w0, m w0 x (w0 x c0)) on the joint's node; here it is
//
//   D(w1) = ((I(q1) - I(q0)) w1, m w1 x (c1 - c0)),  and J' (D - B) is added to m(v) of the trees.
//
// Linear and angular momentum of a free body are then conserved to rounding for any spin. With a = 1 exp(dt
// w1) does not change w1, so that w1 . I(q1) w1 = w1 . I(q0) w1 and
//
//   E1 - E0 = dt w1 . torque - 1/2 (w1 - w0) . I(q0) (w1 - w0):
//
// a body without torque never gains energy. (With the bias at q0 it does, increasingly fast.) With a = 1/2
// its energy is conserved.
//
// The equation is solved for the angular velocities alone, three unknowns per joint: with v_lin = v0 - A^-1
// (m(v0) - J' B), w + P D(w) = w_lin, P = S A^-1 J', S the angular part of J. For one joint of a tree (most
// robots and all single bodies), Newton's method with three unknowns starts from w_lin; if it fails, the step
// is taken in parts, each starting from the last. At several rad in the shortest part of a step the balance
// has many solutions, and continuation may lose the one it follows. By Brouwer's theorem there is one: w ->
// I(q1)^-1 (I w_lin) maps the ball of all spins of that momentum into itself. Newton's method then starts
// from other spins of that momentum, and the solution with the most energy is taken. Several joints of one
// tree (a rope) are iterated in turn with D at the last w, which gains a factor dt |w| per iteration, or by
// Newton's method on all of them if that is slow.
//
// For trees with hinges whose joints turn far, swing.c includes this in the bias.
//
// in: work->tree at q0, tree_L, v_star = v0 - A^-1 m(v0) -> out: v_star
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "math/pose.h"
#include "rigid/rigid.h"

enum { STEPS = 30, HALVINGS = 10, PARTS = 64 };
static const double ROUNDING = 16 * DBL_EPSILON;

// The body that a joint carries, about the joint's own point and in world axes at q0.
typedef struct Carried {
  double m;
  plVec3 c;   // m, centre of mass
  plSym3 I;   // kg m^2, about the centre of mass (free) or the pivot (ball)
  plSym3 Io;  // kg m^2, about the joint's point
  bool free;
} Carried;

static plSym3 sym3_sub(plSym3 a, plSym3 b) {
  return (plSym3){a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
}

// Whether a node turns freely. A locked joint does not.
static bool turns(const plModel* model, int node) {
  const plTree* tree = model->work->tree;
  return tree->node_kind[node] >= PL_NODE_BALL && !model->dof_locked[tree->node_v0[node]];
}

// Whether a node is fixed relative to its parent.
static bool is_locked(const plModel* model, int node) {
  const plTree* tree = model->work->tree;
  for (int k = 0; k < pl_node_nv(tree->node_kind[node]); k++)
    if (!model->dof_locked[tree->node_v0[node] + k]) return false;
  return true;
}

// The body carried by turning node `node` of tree t.
static Carried carried_by(const plModel* model, const plTreeState* s, int t, int node) {
  const plTree* tree = model->work->tree;
  plInertia I = s->node_I[node];
  for (int i = node + 1; i < tree->tree_node0[t + 1]; i++) {
    int up = i;
    while (up > node && is_locked(model, up)) up = tree->node_parent[up];
    if (up == node) I = inertia_add(I, s->node_I[i]);
  }
  plVec3 p = v3_sub(s->node_p[node], s->tree_point[t]), c = I.m > 0 ? v3_scale(1 / I.m, I.h) : p;
  plSym3 central = sym3_sub(I.I, sym3_steiner(I.m, c));
  Carried b = {.m = I.m, .c = v3_sub(c, p), .free = tree->node_kind[node] == PL_NODE_FREE};
  b.Io = sym3_add(central, sym3_steiner(b.m, b.c));
  b.I = b.free ? central : b.Io;
  return b;
}

// The derivative of a rotation vector's rotation: exp(phi + d) = exp(X d) exp(phi) to first order.
static plMat3 turn_rate(plVec3 phi) {
  double t = v3_norm(phi), s = t < 1e-4 ? 0.5 - t * t / 24 : (1 - cos(t)) / (t * t),
         u = t < 1e-2 ? 1.0 / 6 - t * t / 120 : (t - sin(t)) / (t * t * t);
  plMat3 K = m3_skew(phi);
  return m3_add(m3_identity(), m3_add(m3_scale(s, K), m3_scale(u, m3_mul(K, K))));
}

// The derivative of the mean spin m = a exp(-h m) w + (1 - a) w0 by w; E = exp(h m), phi = h m.
static plMat3 mean_rate(plMat3 E, plVec3 phi, double h, double a, plVec3 w) {
  plMat3 K = m3_mul(m3_skew(m3_tmulv(E, w)), turn_rate(v3_neg(phi)));
  return m3_mul(m3_inverse(m3_sub(m3_identity(), m3_scale(a * h, K))), m3_scale(a, m3_transpose(E)));
}

// D and f of one joint that turns with w during a time h; their derivatives with respect to w if asked for.
static plForce change(const Carried* b, double h, double a, plVec3 w0, plVec3 w, plMat3* dn, plMat3* df) {
  plVec3 mean = pl_mean_spin(w0, w, a, h), phi = v3_scale(h, mean);
  plMat3 E = quat_matrix(quat_exp(phi));
  plSym3 I1 = sym3_rotate(E, b->I);
  plVec3 c1 = m3_mulv(E, b->c), dc = v3_sub(c1, b->c), L1 = sym3_mulv(I1, w);
  plForce D = {v3_sub(L1, sym3_mulv(b->I, w)), v3_scale(b->m, v3_cross(w, dc))};
  if (b->free) D.n = v3_add(D.n, v3_cross(b->c, D.f));
  if (!dn) return D;
  // q1 turns by X dw more: d(I1 w) = I1 dw + (I1 [w] - [I1 w]) X dw, dc1 = -[c1] X dw
  plMat3 X = m3_scale(h, turn_rate(phi));
  if (a < 1) X = m3_mul(X, mean_rate(E, phi, h, a, w));
  plMat3 W = m3_skew(w), M1 = sym3_matrix(I1);
  *dn = m3_add(m3_sub(M1, sym3_matrix(b->I)), m3_mul(m3_sub(m3_mul(M1, W), m3_skew(L1)), X));
  *df = m3_scale(-b->m, m3_add(m3_skew(dc), m3_mul(W, m3_mul(m3_skew(c1), X))));
  if (b->free) *dn = m3_add(*dn, m3_mul(m3_skew(b->c), *df));
  return D;
}

// The corresponding part of the bias: dt (w0 x I w0, m w0 x (w0 x c)).
static plForce in_bias(const Carried* b, double dt, plVec3 w0) {
  return (plForce){v3_scale(dt, v3_cross(w0, sym3_mulv(b->Io, w0))),
                   v3_scale(dt * b->m, v3_cross(w0, v3_cross(w0, b->c)))};
}

// Whether D - B of a joint that turns from w0 to w is below the rounding error of its momentum. Its relative
// size is about dt |w - w0| + (dt |w|)^2; if that does not decide, it is evaluated.
static bool is_nothing(const plModel* model, const plTreeState* s, int t, int node, double dt, double a,
                       plVec3 w0, plVec3 w) {
  double most = dt * fmax(v3_norm(w), v3_norm(w0));
  if (4 * (dt * v3_norm(v3_sub(w, w0)) + most * most) <= DBL_EPSILON) return true;
  Carried b = carried_by(model, s, t, node);
  plForce d = force_sub(change(&b, dt, a, w0, w, NULL, NULL), in_bias(&b, dt, w0));
  double size = DBL_EPSILON * most / dt;
  return v3_norm(d.n) <= size * (b.Io.xx + b.Io.yy + b.Io.zz) && v3_norm(d.f) <= size * b.m * v3_norm(b.c);
}

// The angular velocity of a node for the velocities v.
static plVec3 spin_of(const plTree* tree, const plTreeState* s, const double* v, int node) {
  plVec3 w = v3(0, 0, 0);
  int k = tree->node_v0[node] + pl_node_nv(tree->node_kind[node]) - 1;
  for (; k >= 0; k = tree->dof_parent[k]) w = v3_madd(w, v[k], s->dof_S[k].w);
  return w;
}

// The number of freely turning joints of tree t; 0 if D - B of all of them is negligible.
static int count_turning(const plData* data, int t) {
  const plTree* tree = &data->work->forest;
  const plTreeState* s = &data->work->tree;
  int k = 0;
  bool any = false;
  for (int i = tree->tree_node0[t]; i < tree->tree_node0[t + 1]; i++) {
    if (!turns(data->model, i)) continue;
    k++;
    any = any || !is_nothing(data->model, s, t, i, data->par->options.dt, data->par->options.theta_vq,
                             s->node_V[i].w, spin_of(tree, s, data->v_star, i));
  }
  return any ? k : 0;
}

// The freely turning joints of one tree, and the arrays of Newton's method for their w [3 k].
typedef struct Turning {
  int k, n, v0;                    // joints; dofs of the tree, the first of them
  int* node;                       // [k]
  Carried* body;                   // [k]
  double *w0, *w, *w_lin;          // [3 k]
  double *J, *X;                   // [6 k n] Jacobians (w, v) at the joints' points, [3 k n] A^-1 S'
  double* P;                       // [3 k * 6 k] S A^-1 J', column-major
  double *B, *D, *dD;              // [6 k], [6 k], [6 * 3 k] wrenches (n, f), derivatives of D by w
  double *F, *next, *dw, *T, *dv;  // [3 k], [3 k], [3 k], [3 k * 3 k], [n]
  double h, a;                     // s, theta_vq
} Turning;

static void store_wrench(double* to, plForce F) { v3_store(to, F.n), v3_store(to + 3, F.f); }

// D of all joints at w, and dD where asked for
static void find_changes(const Turning* t, const double* w, bool derivatives) {
  for (int i = 0; i < t->k; i++) {
    plMat3 dn, df;
    store_wrench(t->D + 6 * i, change(&t->body[i], t->h, t->a, v3_load(t->w0 + 3 * i), v3_load(w + 3 * i),
                                      derivatives ? &dn : NULL, &df));
    for (int c = 0; derivatives && c < 3; c++)
      for (int r = 0; r < 3; r++)
        t->dD[18 * i + 6 * c + r] = M3(dn, r, c), t->dD[18 * i + 6 * c + 3 + r] = M3(df, r, c);
  }
}

static void find_bias(const Turning* t, double dt) {
  for (int i = 0; i < t->k; i++) store_wrench(t->B + 6 * i, in_bias(&t->body[i], dt, v3_load(t->w0 + 3 * i)));
}

// F = w - w_lin + P D(w), and its norm
static double find_balance(const Turning* t, const double* w) {
  int m = 3 * t->k;
  double sum = 0;
  find_changes(t, w, true);
  for (int i = 0; i < m; i++) t->F[i] = w[i] - t->w_lin[i];
  for (int j = 0; j < 6 * t->k; j++)
    for (int i = 0; i < m; i++) t->F[i] += t->P[j * m + i] * t->D[j];
  for (int i = 0; i < m; i++) sum += t->F[i] * t->F[i];
  return sqrt(sum);
}

// A^-1 S', P
static void find_mobility(const plModel* model, const plData* data, int tree_index, const Turning* t) {
  const plTree* tree = &data->work->forest;
  int n = t->n, m = 3 * t->k;
  for (int i = 0; i < m; i++) {
    double* x = t->X + i * n;
    for (int d = 0; d < n; d++) x[d] = model->dof_locked[t->v0 + d] ? 0 : t->J[6 * (i / 3 * n + d) + i % 3];
    pl_tree_solve(tree, tree_index, data->work->tree_L + tree->tree_M0[tree_index], x);
  }
  for (int j = 0; j < 6 * t->k; j++)
    for (int i = 0; i < m; i++) {
      double sum = 0;
      for (int d = 0; d < n; d++) sum += t->X[i * n + d] * t->J[6 * (j / 6 * n + d) + j % 6];
      t->P[j * m + i] = sum;
    }
}

// dw = -(1 + P dD)^-1 F
static bool find_step(const Turning* t) {
  int m = 3 * t->k;
  for (int c = 0; c < m; c++)
    for (int r = 0; r < m; r++) {
      double sum = r == c;
      for (int j = 0; j < 6; j++) sum += t->P[(6 * (c / 3) + j) * m + r] * t->dD[6 * c + j];
      t->T[c * m + r] = sum;
    }
  for (int i = 0; i < m; i++) t->dw[i] = -t->F[i];
  return pl_solve_dense(m, t->T, t->dw);
}

// Rounding error of F: that of w, and that of the momenta in D, which the mobility of a needle amplifies.
static double find_rounding(const Turning* t) {
  int m = 3 * t->k;
  double sum = 0;
  for (int i = 0; i < m; i++) sum += fabs(t->w_lin[i]) + fabs(t->w[i]);
  for (int j = 0; j < t->k; j++) {
    const Carried* b = &t->body[j];
    double spin = v3_norm(v3_load(t->w + 3 * j)), n = (b->Io.xx + b->Io.yy + b->Io.zz) * spin,
           f = b->m * v3_norm(b->c) * spin;
    for (int c = 0; c < 6; c++)
      for (int i = 0; i < m; i++) sum += fabs(t->P[(6 * j + c) * m + i]) * (c < 3 ? n : f);
  }
  return ROUNDING * sum;
}

// F(w) = 0 for the time h, by Newton's method from w; false: no convergence.
static bool solve(const Turning* t) {
  int m = 3 * t->k;
  double norm = find_balance(t, t->w), small = find_rounding(t);
  for (int k = 0; k < STEPS && norm > 0; k++) {
    if (!find_step(t)) return false;
    double step = 1, after = INFINITY;
    for (int j = 0; j < HALVINGS && !(after < norm); j++, step /= 2) {
      for (int i = 0; i < m; i++) t->next[i] = t->w[i] + step * t->dw[i];
      after = find_balance(t, t->next);
      if (norm <= small) break;  // halving does not help against rounding
    }
    if (!(after < norm)) return norm <= small;
    memcpy(t->w, t->next, (size_t)m * sizeof(double));
    norm = after;
  }
  return norm <= small;
}

// The whole step at once, or in 4, 16, 64 parts.
static bool solve_in_parts(Turning* t, double dt) {
  for (int parts = 1; parts <= PARTS; parts *= 4) {
    bool found = true;
    memcpy(t->w, t->w_lin, 3 * (size_t)t->k * sizeof(double));
    for (int i = 1; i <= parts && found; i++) t->h = dt * i / parts, found = solve(t);
    if (found) return true;
  }
  return false;
}

// Any solution of one joint, among those of SEEDS starts at a time the one with the most energy.
static bool solve_anywhere(Turning* t, double dt) {
  enum { SEEDS = 16, MOST = 16 * SEEDS };
  if (t->k > 1) return false;
  plSym3 I = t->body[0].I;
  plVec3 L = sym3_mulv(I, v3_load(t->w_lin)), best = v3(0, 0, 0);
  double most = -INFINITY;
  t->h = dt;
  for (int i = 0; i < MOST && !(i % SEEDS == 0 && most > 0); i++) {
    // points of a spiral that covers the sphere evenly, in an order that does so early
    int j = i * 97 % MOST;
    double z = (2 * j + 1.0) / MOST - 1, r = sqrt(1 - z * z), angle = 2.399963229728653 * j;
    plVec3 seed = v3_scale(v3_norm(L), v3(r * cos(angle), r * sin(angle), z));
    v3_store(t->w, m3_mulv(m3_inverse(sym3_matrix(I)), seed));
    if (!solve(t)) continue;
    plVec3 w = v3_load(t->w);
    plMat3 E = quat_matrix(quat_exp(v3_scale(dt, pl_mean_spin(v3_load(t->w0), w, t->a, dt))));
    double energy = v3_dot(w, sym3_mulv(sym3_rotate(E, I), w));
    if (energy > most) most = energy, best = w;
  }
  v3_store(t->w, best);
  return most > 0;
}

// The joints of tree t, their Jacobians and w0.
static plStatus list_turning(plData* data, int tree_index, Turning* t) {
  const plTree* tree = &data->work->forest;
  const plTreeState* s = &data->work->tree;
  plArena* arena = &data->work->step;
  int k = t->k, n = t->n, at = 0;
  double** three[] = {&t->w0, &t->w, &t->w_lin, &t->F, &t->next, &t->dw};
  for (size_t i = 0; i < sizeof three / sizeof *three; i++) *three[i] = PL_ARENA_NEW(arena, double, 3 * k);
  t->node = PL_ARENA_NEW(arena, int, k);
  t->body = PL_ARENA_NEW(arena, Carried, k);
  t->J = PL_ARENA_NEW(arena, double, 6 * k * n), t->X = PL_ARENA_NEW(arena, double, 3 * k * n);
  t->P = PL_ARENA_NEW(arena, double, 18 * k * k), t->dD = PL_ARENA_NEW(arena, double, 18 * k);
  t->T = PL_ARENA_NEW(arena, double, 9 * k * k), t->dv = PL_ARENA_NEW(arena, double, n);
  t->B = PL_ARENA_NEW(arena, double, 6 * k), t->D = PL_ARENA_NEW(arena, double, 6 * k);
  if (arena->failed) return PL_ERROR_MEMORY;
  for (int i = tree->tree_node0[tree_index]; i < tree->tree_node0[tree_index + 1]; i++) {
    if (!turns(data->model, i)) continue;
    assert(at < k);
    t->node[at] = i;
    t->body[at] = carried_by(data->model, s, tree_index, i);
    pl_tree_jacobian(tree, s, i, s->node_p[i], t->J + 6 * at * n);
    v3_store(t->w0 + 3 * at, s->node_V[i].w);
    at++;
  }
  return PL_OK;
}

// v += sign A^-1 J' wrench
static void add_wrenches(const plModel* model, const plData* data, int tree_index, const Turning* t,
                         const double* wrench, double sign, double* v) {
  const plTree* tree = &data->work->forest;
  for (int d = 0; d < t->n; d++) {
    t->dv[d] = 0;
    for (int i = 0; i < t->k && !model->dof_locked[t->v0 + d]; i++)
      for (int c = 0; c < 6; c++) t->dv[d] += sign * t->J[6 * (i * t->n + d) + c] * wrench[6 * i + c];
  }
  pl_tree_solve(tree, tree_index, data->work->tree_L + tree->tree_M0[tree_index], t->dv);
  for (int d = 0; d < t->n; d++) v[d] += t->dv[d];
}

static void find_spins(const Turning* t, const double* v, double* w) {
  for (int i = 0; i < t->k; i++) {
    plVec3 sum = v3(0, 0, 0);
    for (int d = 0; d < t->n; d++) sum = v3_madd(sum, v[d], v3_load(t->J + 6 * (i * t->n + d)));
    v3_store(w + 3 * i, sum);
  }
}

// v = v_lin - A^-1 J' D(w)
static void follow(const plModel* model, const plData* data, int tree_index, const Turning* t,
                   const double* v_lin, double* v) {
  find_changes(t, t->w, false);
  memcpy(v, v_lin, (size_t)t->n * sizeof(double));
  add_wrenches(model, data, tree_index, t, t->D, -1, v);
}

// Iterates with D at the last w, to rounding; false if an iteration does not gain a factor of two.
static bool go_round(const plModel* model, const plData* data, int tree_index, Turning* t,
                     const double* v_lin, double* v) {
  double before = INFINITY;
  t->h = data->par->options.dt;
  memcpy(t->w, t->w_lin, 3 * (size_t)t->k * sizeof(double));
  for (;;) {
    double change = 0, size = 0;
    follow(model, data, tree_index, t, v_lin, v);
    find_spins(t, v, t->next);
    for (int i = 0; i < 3 * t->k; i++)
      change += pow(t->next[i] - t->w[i], 2), size += t->next[i] * t->next[i], t->w[i] = t->next[i];
    if (change <= pow(ROUNDING, 2) * size) return true;
    if (!(change < 0.25 * before)) return before <= pow(data->par->options.free_tolerance, 2) * size;
    before = change;
  }
}

// v_star of one tree
static plStatus turn_tree(const plModel* model, plData* data, int tree_index, Turning* t) {
  double dt = data->par->options.dt, *v = data->v_star + t->v0;
  plStatus status = list_turning(data, tree_index, t);
  double* v_lin = PL_ARENA_NEW(&data->work->step, double, t->n);
  if (status || !v_lin) return PL_ERROR_MEMORY;
  t->a = data->par->options.theta_vq;
  find_bias(t, dt);
  add_wrenches(model, data, tree_index, t, t->B, 1, v);
  memcpy(v_lin, v, (size_t)t->n * sizeof(double));
  find_spins(t, v, t->w_lin);
  if (t->k > 1 && go_round(model, data, tree_index, t, v_lin, v)) return PL_OK;
  find_mobility(model, data, tree_index, t);
  if (!solve_in_parts(t, dt) && (data->work->may_halve || !solve_anywhere(t, dt)))
    return PL_ERROR_NOT_CONVERGED;
  follow(model, data, tree_index, t, v_lin, v);
  return PL_OK;
}

plStatus pl_rigid_turn(const plModel* model, plData* data) {
  const plTree* tree = &data->work->forest;
  for (int i = 0; i < tree->ntree; i++) {
    int v0 = tree->tree_v0[i];
    Turning t = {
        .k = pl_rigid_swings(data, i) ? 0 : count_turning(data, i), .v0 = v0, .n = tree->tree_v0[i + 1] - v0};
    plStatus status = t.k ? turn_tree(model, data, i, &t) : PL_OK;
    if (!status) continue;
    if (status != PL_ERROR_NOT_CONVERGED) return status;
    const char* joint = model->joint_name[model->dof_joint[tree->node_v0[t.node[0]]]];
    snprintf(data->report.where, sizeof data->report.where, "joint %s", joint);
    return pl_fail(data->work->error, status,
                   "joint '%s' turns by %.3g rad in the step at t = %g s, too far to be solved, also with "
                   "steps of dt / 64",
                   joint, data->par->options.dt * v3_norm(v3_load(t.w0)), data->time);
  }
  return PL_OK;
}

void pl_rigid_turn_along(const plModel* model, plData* data, const double* v, const bool* held) {
  plWork* work = data->work;
  const plTree* tree = &work->forest;
  const plTreeState* s = &work->tree;
  double dt = data->par->options.dt, a = data->par->options.theta_vq;
  for (int t = 0; t < tree->ntree; t++) {
    int v0 = tree->tree_v0[t], n = tree->tree_v0[t + 1] - v0, i = tree->tree_node0[t];
    while (i < tree->tree_node0[t + 1] && !turns(model, i)) i++;
    if (!held[t]) continue;
    plVec3 turned = i < tree->tree_node0[t + 1] ? spin_of(tree, s, work->v_turn, i) : v3(0, 0, 0);
    memcpy(work->v_turn + v0, v + v0, (size_t)n * sizeof *v);
    if (i == tree->tree_node0[t + 1] || pl_tree_has_links(model, t)) continue;
    Carried b = carried_by(model, s, t, i);
    plVec3 w0 = s->node_V[i].w;
    plForce was = change(&b, dt, a, w0, turned, NULL, NULL),
            is = change(&b, dt, a, w0, spin_of(tree, s, v, i), NULL, NULL);
    double* dv = work->tree_v;
    memset(dv + v0, 0, (size_t)n * sizeof *dv);
    pl_tree_add_force(tree, s, i, s->node_p[i], force_sub(was, is), dv);
    for (int k = v0; k < v0 + n; k++)
      if (model->dof_locked[k]) dv[k] = 0;
    pl_tree_solve(tree, t, work->tree_L + tree->tree_M0[t], dv + v0);
    for (int k = v0; k < v0 + n; k++) data->v_star[k] += dv[k];
  }
}

// The change of momentum of one joint's load beyond M (v - v0) + dt bias, all at the theta-state: I0 and c0,
// I1 and c1 are those of the theta-state rotated back and forward.
static plForce change_about_theta(const Carried* b, double dt, double theta, double a, plVec3 w0, plVec3 w1) {
  plVec3 wa = pl_mean_spin(w0, w1, a, dt), wt = v3_madd(v3_scale(theta, w1), 1 - theta, w0);
  plMat3 E0 = quat_matrix(quat_exp(v3_scale(-theta * dt, wa))),
         E1 = quat_matrix(quat_exp(v3_scale((1 - theta) * dt, wa)));
  plVec3 d = v3_sub(w1, w0), c0 = m3_mulv(E0, b->c), c1 = m3_mulv(E1, b->c);
  plVec3 L = v3_sub(sym3_mulv(sym3_rotate(E1, b->I), w1), sym3_mulv(sym3_rotate(E0, b->I), w0)),
         p = v3_sub(v3_cross(w1, c1), v3_cross(w0, c0));
  plForce D = {v3_sub(L, sym3_mulv(b->I, d)), v3_scale(b->m, v3_sub(p, v3_cross(d, b->c)))};
  if (b->free) D.n = v3_add(D.n, v3_cross(b->c, D.f));
  return force_sub(D, in_bias(b, dt, wt));
}

plForce pl_rigid_turn_wrench(const plData* data, const plTreeState* s, int t, int node, const double* v0,
                             const double* v1) {
  const plModel* model = data->model;
  const plTree* tree = model->work->tree;
  double theta = pl_rigid_is_iterated(data) ? data->par->options.theta : 0;
  if (!turns(model, node)) return force_zero();
  Carried b = carried_by(model, s, t, node);
  return change_about_theta(&b, data->par->options.dt, theta, data->par->options.theta_vq,
                            spin_of(tree, s, v0, node), spin_of(tree, s, v1, node));
}

void pl_rigid_turn_at_theta(plData* data, const double* v1) {
  const plTree* tree = &data->work->forest;
  const plTreeState* s = &data->work->tree;
  for (int t = 0; t < tree->ntree; t++)
    for (int i = tree->tree_node0[t]; i < tree->tree_node0[t + 1]; i++)
      if (turns(data->model, i))
        pl_tree_add_force(tree, s, i, s->node_p[i], pl_rigid_turn_wrench(data, s, t, i, data->v, v1),
                          data->work->m);
}

// The centre of mass of a tree relative to the origin of its first node, which is its reference point.
static plVec3 centre_of(const plTree* tree, const plTreeState* s, int t) {
  plVec3 h = v3(0, 0, 0);
  double m = 0;
  for (int i = tree->tree_node0[t]; i < tree->tree_node0[t + 1]; i++)
    h = v3_add(h, s->node_I[i].h), m += s->node_I[i].m;
  return m > 0 ? v3_scale(1 / m, h) : h;
}

plVec3 pl_rigid_centre_turns(const plData* data, int t, const double* v1, double part) {
  const plTree* tree = &data->work->forest;
  const double dt = data->par->options.dt, a = data->par->options.theta_vq;
  int i = tree->tree_node0[t], at = tree->node_v0[i] + 3;
  if (tree->node_kind[i] != PL_NODE_FREE || pl_tree_has_links(data->model, t)) return v3(0, 0, 0);
  plVec3 c0 = m3_tmulv(tree->node_R[i], centre_of(tree, &data->work->tree, t)),
         spin = pl_mean_spin(v3_load(data->v + at), v3_load(v1 + at), a, dt);
  return v3_sub(quat_rotate(quat_exp(v3_scale(part * dt, spin)), c0), c0);
}

void pl_rigid_carry_centres_part(const plData* data, const double* v1, double part, double* q) {
  const plTree* tree = &data->work->forest;
  double dt = data->par->options.dt, a = data->par->options.theta_vq;
  for (int t = 0; t < tree->ntree; t++) {
    int i = tree->tree_node0[t], at = tree->node_v0[i] + 3;
    if (tree->node_kind[i] != PL_NODE_FREE || pl_rigid_swings(data, t)) continue;
    plVec3 c0 = centre_of(tree, &data->work->tree, t);
    if (v3_norm2(c0) == 0) continue;
    plVec3 w1 = m3_mulv(tree->node_R[i], v3_load(v1 + at)),
           w0 = m3_mulv(tree->node_R[i], v3_load(data->v + at)),
           phi = v3_scale(dt, pl_mean_spin(w0, w1, a, dt)), c1 = quat_rotate(quat_exp(phi), c0),
           c = part == 1 ? c1 : quat_rotate(quat_exp(v3_scale(part, phi)), c0),
           travel = v3_scale(part * dt, v3_madd(v3_scale(a, v3_cross(w1, c1)), 1 - a, v3_cross(w0, c0)));
    double* p = q + tree->node_q0[i];
    v3_store(p, v3_add(v3_load(p), m3_tmulv(tree->node_R[i], v3_sub(travel, v3_sub(c, c0)))));
  }
}

void pl_rigid_carry_centres(const plData* data, const double* v1, double* q1) {
  pl_rigid_carry_centres_part(data, v1, 1, q1);
}

// Spin in world axes of a tree's free root for the velocities v.
static plVec3 root_spin(const plTree* tree, int node, const double* v) {
  return m3_mulv(tree->node_R[node], v3_load(v + tree->node_v0[node] + 3));
}

// The centre of a free base's load in the matrix A: A [v, w] = -m [c]. v* may be that of another motion than
// the one at whose theta-state A is (pl_rigid_star_about).
static plVec3 centre_in_matrix(const plData* data, int t, double m) {
  const plTree* tree = &data->work->forest;
  const int node = tree->tree_node0[t], n = tree->tree_v0[t + 1] - tree->tree_v0[t];
  const double* A = data->work->tree_A + tree->tree_M0[t];
  assert(n >= 6);
  return m3_mulv(tree->node_R[node], v3_scale(1 / m, v3(A[5 * n + 1], A[3 * n + 2], A[4 * n])));
}

void pl_rigid_keep_momentum(const plData* data, double* v1) {
  const plTree* tree = &data->work->forest;
  const plTreeState* s = &data->work->tree;
  double dt = data->par->options.dt, a = data->par->options.theta_vq;
  for (int t = 0; t < tree->ntree; t++) {
    int i = tree->tree_node0[t];
    bool alone = tree->tree_node0[t + 1] == i + 1;
    if (alone && v3_norm2(tree->node_com[i]) == 0) continue;  // it turns about its centre
    if (tree->node_kind[i] != PL_NODE_FREE || !turns(data->model, i) || pl_tree_has_links(data->model, t))
      continue;
    plVec3 w0 = root_spin(tree, i, data->v), w1 = root_spin(tree, i, v1),
           free = root_spin(tree, i, data->work->v_turn), dw = v3_sub(w1, free);
    if (v3_norm2(dw) == 0) continue;
    Carried b = carried_by(data->model, s, t, i);
    if (v3_norm2(b.c) == 0) continue;
    plVec3 turn = v3_scale(dt, pl_mean_spin(w0, free, a, dt)), c_A = centre_in_matrix(data, t, b.m),
           c_free = quat_rotate(quat_exp(turn), b.c),
           c1 = quat_rotate(quat_exp(v3_scale(dt, pl_mean_spin(w0, w1, a, dt))), b.c);
    // the change of the centre's velocity due to dw according to M, minus the actual one
    plVec3 rest = v3_add(v3_cross(dw, c_A), v3_sub(v3_cross(free, c_free), v3_cross(w1, c1)));
    double* v = v1 + tree->node_v0[i];
    v3_store(v, v3_add(v3_load(v), m3_tmulv(tree->node_R[i], rest)));
  }
}

plStatus pl_rigid_way(plData* data, const double* v1, double* mean, plVec3* shift) {
  const plTree* tree = &data->work->forest;
  plArena* arena = &data->work->step;
  const plOptions* o = &data->par->options;
  double *v = PL_ARENA_NEW(arena, double, tree->nv), *q = PL_KEEP(arena, double, tree->nq);
  if (!v || !q) return PL_ERROR_MEMORY;
  memcpy(v, v1, (size_t)tree->nv * sizeof *v);
  pl_rigid_keep_momentum(data, v);
  pl_tree_mean_velocity(tree, data->v, v, o->theta_vq, o->dt, mean);
  pl_rigid_carry_centres(data, v, q);
  for (int t = 0; t < tree->ntree; t++) {
    int i = tree->tree_node0[t];
    shift[t] = tree->node_kind[i] == PL_NODE_FREE ? m3_mulv(tree->node_R[i], v3_load(q + tree->node_q0[i]))
                                                  : v3(0, 0, 0);
  }
  return PL_OK;
}

// rows.c: building blocks of the rows of J.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "math/mat3.h"
#include "rigid/tree.h"
#include "sap/delassus.h"
#include "sap/six.h"

enum { SIX = 18 };  // entries of three rows of a body

// Three rows may be those of two bodies, which are in the same piece of memory.
static size_t size_of_rows(const plReduced* r, int nrow) {
  size_t most = (size_t)r->most_blocks, n = (size_t)nrow, room = nrow == 3 ? 2 * SIX : 0;
  return most * (sizeof(plSapBlock) + sizeof(double*)) + (n + room) * sizeof(double);
}

size_t pl_rows_bytes(const plReduced* r, int nrow) { return pl_arena_bytes(size_of_rows(r, nrow)); }

plRows* pl_rows_new(plData* data, plReduced* r, plRowKind kind, int index, int nrow) {
  plArena* arena = &data->work->step;
  assert(r->n < r->cap);
  plRows* rows = &r->rows[r->n];
  // the arrays are in one piece of memory
  size_t most = (size_t)r->most_blocks, n = (size_t)nrow;
  plSapBlock* block = pl_arena_alloc(arena, 1, size_of_rows(r, nrow));
  if (!block) return NULL;
  double **J = (double**)(block + most), *bias = (double*)(J + most);
  *rows = (plRows){.c = &r->constraint[r->n], .block = block, .J = J, .bias = bias, .room = bias + n};
  for (size_t k = 0; k < n; k++) rows->bias[k] = 0;
  *rows->c = (plSapConstraint){.nrow = nrow, .block = rows->block, .bias = rows->bias};
  r->source[r->n++] = (plRowSource){.kind = kind, .index = index};
  return rows;
}

plSapRow* pl_rows_law(plData* data, plRows* rows, plSapLaw law) {
  rows->row = PL_KEEP(&data->work->step, plSapRow, rows->c->nrow);
  rows->c->law = law, rows->c->row = rows->row;
  return rows->row;
}

static void add_block(const plReduced* r, plRows* rows, plSapBlock block, double* J) {
  assert(rows->c->nblock < r->most_blocks);
  rows->J[rows->c->nblock] = J, block.J = J;
  rows->block[rows->c->nblock++] = block;
}

// J of the block of tree t, which is created if needed; NULL if memory runs out.
static double* tree_block(plData* data, const plReduced* r, plRows* rows, int t) {
  const plTree* tree = &data->work->forest;
  assert(t >= 0 && t < tree->ntree);
  for (int i = 0; i < rows->c->nblock; i++)
    if (rows->block[i].clique == t && rows->block[i].nvert == 0) return rows->J[i];
  double* J = PL_KEEP(&data->work->step, double, rows->c->nrow*(tree->tree_v0[t + 1] - tree->tree_v0[t]));
  if (J) add_block(r, rows, (plSapBlock){.clique = t}, J);
  return J;
}

// The block of the vertices in one clique.
static plStatus add_clique(const plModel* model, plData* data, plReduced* r, plRows* rows, int clique,
                           int body, int nvert, const int* vert, const double* weight, const plVec3 axes[3],
                           double sign) {
  plArena* arena = &data->work->step;
  int *row = PL_ARENA_NEW(arena, int, nvert), n = 0;
  double* J = PL_ARENA_NEW(arena, double, 9 * nvert);
  if (!row || !J) return PL_ERROR_MEMORY;
  assert(rows->c->nrow == 3);
  for (int i = 0; i < nvert; i++) {
    int local = vert[i] - model->deform_vert0[body];
    if (r->clique_of_vert[vert[i]] != clique) continue;
    for (int k = 0; k < 3; k++) {
      const double axis[3] = {axes[k].x, axes[k].y, axes[k].z};
      for (int j = 0; j < 3; j++) {
        double entry = sign * weight[i] * axis[j];
        bool given = model->vert_fixed[vert[i]] >> j & 1;
        J[9 * n + 3 * j + k] = given ? 0 : entry;
        if (given) rows->bias[k] += entry * data->work->v_guess[model->deform_v0[body] + 3 * local + j];
      }
    }
    row[n++] = r->row_of_vert[vert[i]];
    assert(row[n - 1] >= 0 && 3 * row[n - 1] < r->problem.clique_nv[clique]);
  }
  add_block(r, rows, (plSapBlock){.clique = clique, .nvert = n, .vert = row}, J);
  return PL_OK;
}

// An exactly attached vertex: the point of its rigid body.
static plStatus add_exact(const plModel* model, plData* data, plReduced* r, plRows* rows,
                          const plExactVertex* w, const plVec3 axes[3], double sign) {
  for (int k = 0; k < 3; k++) rows->bias[k] += sign * v3_dot(axes[k], v3_load(w->b));
  return pl_rows_add_body(model, data, r, rows, 0, w->body, w->anchor, axes, sign, false);
}

plStatus pl_rows_add_vertices(const plModel* model, plData* data, plReduced* r, plRows* rows, int body,
                              int nvert, const int* vert, const double* weight, const plVec3 axes[3],
                              double sign) {
  for (int i = 0; i < nvert; i++) {
    assert(vert[i] >= model->deform_vert0[body] && vert[i] < model->deform_vert0[body + 1]);
    int clique = r->clique_of_vert[vert[i]], k = 0;
    assert(clique < r->problem.nclique && (clique >= 0 || r->exact_of_vert[vert[i]] >= 0));
    while (r->clique_of_vert[vert[k]] != clique) k++;
    if (clique >= 0 && k < i) continue;  // its block exists already
    plStatus status =
        clique < 0
            ? add_exact(model, data, r, rows, &r->exact[r->exact_of_vert[vert[i]]], axes, sign * weight[i])
            : add_clique(model, data, r, rows, clique, body, nvert, vert, weight, axes, sign);
    if (status) return status;
  }
  return PL_OK;
}

// Whether none of a free body's six dofs is locked.
static bool is_unlocked(const bool* locked) {
  return !(locked[0] | locked[1] | locked[2] | locked[3] | locked[4] | locked[5]);
}

// Three rows of a body in the axes of the world (pl_tree_is_body): sign axes' (v + w x arm), in a block of
// their own.
static plStatus add_free_body(plData* data, const plReduced* r, plRows* rows, int t, plVec3 arm,
                              const plVec3 axes[3], double sign) {
  double* J =
      rows->c->nblock < 2 ? rows->room + SIX * rows->c->nblock : PL_ARENA_NEW(&data->work->step, double, SIX);
  if (!J) return PL_ERROR_MEMORY;
  plVec3 a[3], m[3];
  for (int k = 0; k < 3; k++) a[k] = v3_scale(sign, axes[k]), m[k] = v3_cross(arm, a[k]);
  // in pairs, as they will be read
  plPair2* pair = (plPair2*)J;
  pair[0] = (plPair2){a[0].x, a[1].x}, pair[1] = (plPair2){a[2].x, a[0].y};
  pair[2] = (plPair2){a[1].y, a[2].y}, pair[3] = (plPair2){a[0].z, a[1].z};
  pair[4] = (plPair2){a[2].z, m[0].x}, pair[5] = (plPair2){m[1].x, m[2].x};
  pair[6] = (plPair2){m[0].y, m[1].y}, pair[7] = (plPair2){m[2].y, m[0].z};
  pair[8] = (plPair2){m[1].z, m[2].z};
  add_block(r, rows, (plSapBlock){.clique = t}, J);
  return PL_OK;
}

static bool has_block(const plRows* rows, int t) {
  for (int i = 0; i < rows->c->nblock; i++)
    if (rows->block[i].clique == t) return true;
  return false;
}

plStatus pl_rows_add_body(const plModel* model, plData* data, plReduced* r, plRows* rows, int row0, int body,
                          plVec3 p, const plVec3 axes[3], double sign, bool angular) {
  assert(row0 >= 0 && row0 + 3 <= rows->c->nrow);
  int node = body < 0 ? -1 : model->body_node[body];
  if (node < 0) return PL_OK;
  const plTree* tree = &data->work->forest;
  const plTreeState* s = &data->work->tree;
  int t = pl_tree_of_node(tree, node), v0 = tree->tree_v0[t], nrow = rows->c->nrow;
  plVec3 arm = v3_sub(p, s->tree_point[t]);
  if (nrow == 3 && !angular && pl_tree_is_body(tree, t) && is_unlocked(model->dof_locked + v0) &&
      !has_block(rows, t))
    return add_free_body(data, r, rows, t, arm, axes, sign);
  double* J = tree_block(data, r, rows, t);
  if (!J) return PL_ERROR_MEMORY;
  assert(pl_tree_last_dof(tree, node) < tree->tree_v0[t + 1]);
  for (int i = pl_tree_last_dof(tree, node); i >= 0; i = tree->dof_parent[i]) {
    if (model->dof_locked[i]) continue;
    plVec3 column = angular ? s->dof_S[i].w : motion_at(s->dof_S[i], arm);
    for (int k = 0; k < 3; k++) J[nrow * (i - v0) + row0 + k] += sign * v3_dot(axes[k], column);
  }
  return PL_OK;
}

plStatus pl_rows_add_dof(const plModel* model, plData* data, plReduced* r, plRows* rows, int row, int dof,
                         double coefficient) {
  const plTree* tree = &data->work->forest;
  int t = 0;
  assert(row >= 0 && row < rows->c->nrow && dof >= 0 && dof < model->nv_rigid);
  while (tree->tree_v0[t + 1] <= dof) t++;
  double* J = tree_block(data, r, rows, t);
  if (!J) return PL_ERROR_MEMORY;
  J[rows->c->nrow * (dof - tree->tree_v0[t]) + row] += model->dof_locked[dof] ? 0 : coefficient;
  return PL_OK;
}

int pl_rows_columns(const plReduced* r, const plSapBlock* b) {
  assert(b->clique >= 0 && b->clique < r->problem.nclique);
  int nv = r->problem.clique_nv[b->clique];
  for (int k = 0; k < b->nvert; k++) assert(b->vert[k] >= 0 && 3 * b->vert[k] + 3 <= nv);
  return b->nvert ? 3 * b->nvert : nv;
}

// vc += J v for n columns of three rows; returns the columns that follow.
static const double* add_columns(const double* J, int n, const double* v, double vc[3]) {
  double x = vc[0], y = vc[1], z = vc[2];
  for (int j = 0; j < n; j++, J += 3) x += J[0] * v[j], y += J[1] * v[j], z += J[2] * v[j];
  vc[0] = x, vc[1] = y, vc[2] = z;
  return J;
}

// the same for the six of a body
static void add_six(const double* J, const double* v, double vc[3]) {
  double y[3];
  pl_six_mul(J, v, y);
  for (int k = 0; k < 3; k++) vc[k] += y[k];
}

// A row of limits, motors and friction is zero but for a few dofs of its tree.
static double velocity_of_row(const plReduced* r, const plSapConstraint* c, const double* v_reduced) {
  double sum = c->bias[0];
  for (int i = 0; i < c->nblock; i++) {
    const plSapBlock* b = &c->block[i];
    const double* v = v_reduced + r->clique_v0[b->clique];
    for (int j = 0, n = pl_rows_columns(r, b); j < n; j++)
      if (b->J[j] != 0) sum += b->J[j] * v[b->nvert ? 3 * b->vert[j / 3] + j % 3 : j];
  }
  return sum;
}

void pl_rows_velocity(const plReduced* r, const plSapConstraint* c, const double* v_reduced, double* vc) {
  if (c->nrow == 1) {
    vc[0] = velocity_of_row(r, c, v_reduced);
    return;
  }
  for (int k = 0; k < c->nrow; k++) vc[k] = c->bias[k];
  for (int i = 0; i < c->nblock; i++) {
    const plSapBlock* b = &c->block[i];
    const double *v = v_reduced + r->clique_v0[b->clique], *J = b->J;
    int n = pl_rows_columns(r, b);
    if (c->nrow == 3) {  // a contact: the sums stay in registers
      for (int k = 0; k < b->nvert; k++) J = add_columns(J, 3, v + 3 * b->vert[k], vc);
      if (!b->nvert && n == 6) add_six(J, v, vc);
      if (!b->nvert && n != 6) add_columns(J, n, v, vc);
      continue;
    }
    for (int j = 0; j < n; j++) {
      double vj = v[b->nvert ? 3 * b->vert[j / 3] + j % 3 : j];
      for (int k = 0; k < c->nrow; k++) vc[k] += J[c->nrow * j + k] * vj;
    }
  }
}

// The six numbers of W = J D^-1 J' of three rows. Two columns at a time: sums over even and odd ones.
typedef struct Mobility {
  plPair2 xx, yy, zz, xy, xz, yz;
} Mobility;

static inline void add_pair(plPair2 x, plPair2 y, plPair2 z, plPair2 inverse, Mobility* W) {
  plPair2 sx = x * inverse, sy = y * inverse;
  W->xx += sx * x, W->xy += sx * y, W->xz += sx * z;
  W->yy += sy * y, W->yz += sy * z, W->zz += z * inverse * z;
}

// Adds n columns of J; returns those that follow.
static inline const double* add_mobility(const double* J, int n, const double* inverse, Mobility* W) {
  Mobility sum = *W;
  int j = 0;
  for (; j + 2 <= n; j += 2, J += 6) {
    plPair2 a = *(const plPair2*)J, b = *(const plPair2*)(J + 2), c = *(const plPair2*)(J + 4);
    add_pair((plPair2){a[0], b[1]}, (plPair2){a[1], c[0]}, (plPair2){b[0], c[1]},
             *(const plPair2*)(inverse + j), &sum);
  }
  for (; j < n; j++, J += 3)
    add_pair((plPair2){J[0], 0}, (plPair2){J[1], 0}, (plPair2){J[2], 0}, (plPair2){inverse[j], 0}, &sum);
  *W = sum;
  return J;
}

// The Delassus estimate of a contact: the loops are unrolled.
static double delassus_of_contact(const plReduced* r, const plSapConstraint* c) {
  Mobility W = {0};
  for (int i = 0; i < c->nblock; i++) {
    const plSapBlock* b = &c->block[i];
    const double *inverse = r->inverse + r->clique_v0[b->clique], *J = b->J;
    int n = r->problem.clique_nv[b->clique];
    for (int k = 0; k < b->nvert; k++) J = add_mobility(J, 3, inverse + 3 * b->vert[k], &W);
    if (!b->nvert) add_mobility(J, n == 6 ? 6 : n, inverse, &W);
  }
  double xx = W.xx[0] + W.xx[1], yy = W.yy[0] + W.yy[1], zz = W.zz[0] + W.zz[1], xy = W.xy[0] + W.xy[1],
         xz = W.xz[0] + W.xz[1], yz = W.yz[0] + W.yz[1];
  return sqrt(xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz)) / 3;
}

static double delassus_of_row(const plReduced* r, const plSapConstraint* c) {
  double W = 0;
  for (int i = 0; i < c->nblock; i++) {
    const plSapBlock* b = &c->block[i];
    const double* inverse = r->inverse + r->clique_v0[b->clique];
    for (int j = 0, n = pl_rows_columns(r, b); j < n; j++)
      if (b->J[j] != 0) W += b->J[j] * inverse[b->nvert ? 3 * b->vert[j / 3] + j % 3 : j] * b->J[j];
  }
  return sqrt(W * W);
}

// That of the rows row0 .. row0 + n.
static double delassus_of(const plReduced* r, const plSapConstraint* c, int row0, int n) {
  if (c->nrow == 3 && n == 3) return delassus_of_contact(r, c);
  if (c->nrow == 1 && n == 1) return delassus_of_row(r, c);
  double W[PL_DELASSUS_TILE][PL_DELASSUS_TILE] = {{0}};
  assert(n <= PL_DELASSUS_TILE);
  for (int i = 0; i < c->nblock; i++) {
    const plSapBlock* b = &c->block[i];
    const double* diagonal = r->diagonal + r->clique_v0[b->clique];
    pl_delassus_add(b, c->nrow, r->problem.clique_nv[b->clique], diagonal, 1, row0, n, row0, n, W);
  }
  return n ? sqrt(pl_delassus_square(W, n, n)) / n : 0;
}

double pl_rows_delassus(const plReduced* r, const plSapConstraint* c) {
  return delassus_of(r, c, 0, c->nrow);
}

bool pl_dof_is_angle(const plModel* model, int dof) {
  const plTree* tree = model->work->tree;
  int node = tree->dof_node[dof], kind = tree->node_kind[node];
  return kind != PL_NODE_PRISMATIC && !(kind == PL_NODE_FREE && dof < tree->node_v0[node] + 3);
}

// Acceleration of a body's point p at constant joint rates.
static plVec3 bias_acceleration(const plModel* model, const plData* data, int body, plVec3 p) {
  int node = body < 0 ? -1 : model->body_node[body];
  if (node < 0) return v3(0, 0, 0);
  const plTreeState* s = &data->work->tree;
  plVec3 r = v3_sub(p, s->tree_point[pl_tree_of_node(model->work->tree, node)]);
  plMotion V = s->node_V[node], A = s->node_A[node];
  return v3_add(motion_at(A, r), v3_cross(V.w, motion_at(V, r)));
}

// Column j of n rows of a block, along g (NULL: of the last row).
static double along_row(const plSapBlock* b, int nrow, int row0, int n, const double* g, int j) {
  const double* J = b->J + (size_t)nrow * (size_t)j + row0;
  double along = g ? 0 : J[n - 1];
  for (int k = 0; g && k < n; k++) along += J[k] * g[k];
  return along;
}

static bool is_one_free_body(const plTree* tree, int t) {
  int first = tree->tree_node0[t];
  return tree->tree_node0[t + 1] == first + 1 && tree->node_kind[first] == PL_NODE_FREE;
}

// The rate of the fastest hinge while the rows move along g (NULL: along the last row) at speed 1, with the
// dofs moving in proportion to their mobility. It is large near a hinge's axis or behind a rotor's inertia,
// where the effective mass is large too. Free bodies need not turn and do not count.
static double hinge_rate(const plModel* model, const plReduced* r, const plSapConstraint* c, int row0, int n,
                         const double* g) {
  const plTree* tree = model->work->tree;
  double most = 0, w = 0;
  for (int i = 0; i < c->nblock; i++) {
    const plSapBlock* b = &c->block[i];
    const double* d = r->diagonal + r->clique_v0[b->clique];
    int nj = b->nvert ? 0 : r->problem.clique_nv[b->clique];
    if (nj && is_one_free_body(tree, b->clique)) continue;
    for (int j = 0; j < nj; j++) {
      int dof = tree->tree_v0[b->clique] + j;
      if (tree->node_kind[tree->dof_node[dof]] == PL_NODE_FREE || !pl_dof_is_angle(model, dof)) continue;
      most = fmax(most, fabs(along_row(b, c->nrow, row0, n, g, j)) * (1 / d[j]));
    }
  }
  if (!(most > 0)) return 0;
  for (int i = 0; i < c->nblock; i++) {
    const plSapBlock* b = &c->block[i];
    const double* d = r->diagonal + r->clique_v0[b->clique];
    for (int j = 0, nj = pl_rows_columns(r, b); j < nj; j++) {
      double along = along_row(b, c->nrow, row0, n, g, j);
      w += along * along * (1 / d[b->nvert ? 3 * b->vert[j / 3] + j % 3 : j]);
    }
  }
  return w > 0 ? most / w : 0;
}

double pl_rows_drive(const plModel* model, const plData* data, const plReduced* r, const plSapConstraint* c,
                     double rate, double length) {
  double turn = data->par->options.dt * hinge_rate(model, r, c, 0, 1, NULL) * fabs(rate),
         most = sqrt(2 * data->par->options.dt * fabs(rate) / length);
  return turn > most ? rate * most / turn : rate;
}

// The speed limit of a row that is not an angle, from the rotation that it causes at hinges.
static double push_out_speed(const plModel* model, const plData* data, const plReduced* r,
                             const plSapConstraint* c, int row0, int n, const double* g) {
  double rate = hinge_rate(model, r, c, row0, n, g);
  const plOptions* o = &data->par->options;
  return rate * o->push_out_speed > o->push_out_turn ? o->push_out_turn / rate : o->push_out_speed;
}

// A step moves points along straight lines: rotating bodies violate a row by a dt^2 / 2 in each step, which
// needs a speed of a dt / 2 to correct; twice that is allowed.
double pl_rows_turning(const plModel* model, const plData* data, plRowAnchors anchors) {
  return data->par->options.dt * (v3_norm(bias_acceleration(model, data, anchors.a, anchors.p_a)) +
                                  v3_norm(bias_acceleration(model, data, anchors.b, anchors.p_b)));
}

double pl_rows_push_out_at(const plModel* model, const plData* data, int body, plVec3 p) {
  return data->par->options.push_out_speed +
         data->par->options.dt * v3_norm(bias_acceleration(model, data, body, p));
}

static void note_pushing(plReduced* r, int row0, int n) {
  r->source[r->n - 1].pushes |= ((1U << n) - 1) << row0;
}

// Whether a contact moves single bodies alone: their J lies in the room of its rows.
static bool moves_bodies_alone(const plRows* rows) {
  for (int i = 0; i < rows->c->nblock; i++)
    if (i > 1 || rows->J[i] != rows->room + SIX * i) return false;
  return true;
}

double pl_rows_push_out(const plModel* model, const plData* data, plReduced* r, const plSapConstraint* c) {
  assert(r->n > 0 && c == &r->constraint[r->n - 1]);
  note_pushing(r, 0, c->nrow);
  if (moves_bodies_alone(&r->rows[r->n - 1])) return data->par->options.push_out_speed;  // no hinge turns
  return push_out_speed(model, data, r, c, 0, c->nrow, NULL);
}

void pl_rows_slow_down(const plModel* model, const plData* data, plReduced* r, const plSapConstraint* c,
                       plRowAnchors anchors, double R_nr, int row0, int n, plSapRow* row) {
  double g[6], sum = 0;
  assert(n <= 6 && row0 + n <= c->nrow && r->n > 0 && c == &r->constraint[r->n - 1]);
  for (int k = 0; k < n; k++) g[k] = row[row0 + k].v_hat, sum += g[k] * g[k];
  if (!(sum > 0) || row[row0].R > R_nr * (1 + 1e-9)) return;
  for (int k = 0; k < n; k++) g[k] /= sqrt(sum);
  double turning = anchors.angle ? 0 : pl_rows_turning(model, data, anchors),
         least =
             anchors.angle ? data->par->options.push_out_turn : push_out_speed(model, data, r, c, row0, n, g),
         part = sum > least * least ? fmin(1, (least + turning) / sqrt(sum)) : 1;
  note_pushing(r, row0, n);
  for (int k = row0; k < row0 + n && part < 1; k++)
    pl_sap_slow_down(part * fabs(row[k].v_hat), &row[k].R, &row[k].v_hat);
}

// The mobility of a body in any direction: the scale for the mobility of a row. A point on a hinge's axis
// does not move with the hinge, but the material around it does.
static double mobility(const plModel* model, const plData* data, const plReduced* r, int body, plVec3 p,
                       bool angular) {
  const plTree* tree = &data->work->forest;
  const plTreeState* s = &data->work->tree;
  int node = body < 0 ? -1 : model->body_node[body];
  if (node < 0) return 0;
  int t = pl_tree_of_node(tree, node), k = tree->node_v0[node] + pl_node_nv(tree->node_kind[node]) - 1;
  const plInertia* I = &s->node_I[node];
  double around = I->m > 0 ? sqrt(0.5 * (I->I.xx + I->I.yy + I->I.zz) / I->m) : 0,
         arm = v3_norm(v3_sub(p, s->tree_point[t])) + around, sum = 0;
  for (; k >= 0; k = tree->dof_parent[k]) {
    double w = v3_norm(s->dof_S[k].w), most = v3_norm(s->dof_S[k].v) + w * arm;
    if (!model->dof_locked[k])
      sum += (angular ? w * w : most * most) / r->diagonal[r->clique_v0[t] + k - tree->tree_v0[t]];
  }
  return sum;
}

// The mobility used for the near-rigid term of a pair. Joints may hold the pair already (a second pin in a
// hinge, a rope along a straight row of links). Its own mobility is then almost zero. If R were as small,
// rounding errors of its velocity, or a violation that no motion can correct, would become large impulses.
static double pair_mobility(const plModel* model, const plData* data, const plReduced* r,
                            const plSapConstraint* c, plRowAnchors anchors, int row0, int n, bool angular) {
  const double least = 1e-6;
  double sides = mobility(model, data, r, anchors.a, anchors.p_a, angular) +
                 mobility(model, data, r, anchors.b, anchors.p_b, angular);
  return fmax(delassus_of(r, c, row0, n), least * sides);
}

double pl_rows_curvature(const plModel* model, const plData* data, const plReduced* r, int nrow,
                         plRowAnchors anchors) {
  double sum = 0, length = nrow == 1 ? v3_norm(v3_sub(anchors.p_b, anchors.p_a)) : 0;
  for (int side = 0; side < 2; side++) {
    int body = side ? anchors.b : anchors.a;
    plVec3 p = side ? anchors.p_b : anchors.p_a;
    double w = mobility(model, data, r, body, p, false);
    sum += sqrt(w * mobility(model, data, r, body, p, true));
    if (length > 0) sum += w / length;
  }
  return sum;
}

plStatus pl_rows_holonomic(const plModel* model, plData* data, plReduced* r, plRows* rows, const double* g,
                           double stiffness, double relaxation_time, plRowAnchors anchors) {
  const plSapConstraint* c = rows->c;
  plSapRow* row = pl_rows_law(data, rows, PL_SAP_BILATERAL);
  if (!row) return PL_ERROR_MEMORY;
  if (!(pl_rows_delassus(r, c) > 0)) return r->n--, PL_OK;  // neither side can move
  // The angles and the lengths of a weld have different units: each have a mobility of their own, unless
  // joints let only one of them move.
  int turns = c->nrow == 6 ? 3 : 0;
  double w = pair_mobility(model, data, r, c, anchors, turns, c->nrow - turns, false),
         w_turn = pair_mobility(model, data, r, c, anchors, 0, turns, true);
  if (!(w > 0)) w = w_turn;
  if (!(w_turn > 0)) w_turn = w;
  r->source[r->n - 1].mobility = w, r->source[r->n - 1].turn_mobility = w_turn;
  r->source[r->n - 1].curvature = pl_rows_curvature(model, data, r, c->nrow, anchors);
  for (int k = 0; k < c->nrow; k++)
    row[k] = pl_sap_holonomic(data->par->options.dt, g[k], stiffness, relaxation_time, k < turns ? w_turn : w,
                              PL_SAP_BETA);
  plRowAnchors turn = {.angle = true, .a = -1, .b = -1};
  pl_rows_slow_down(model, data, r, c, turn, pl_rows_near_rigid(w_turn), 0, turns, row);
  pl_rows_slow_down(model, data, r, c, anchors, pl_rows_near_rigid(w), turns, c->nrow - turns, row);
  return PL_OK;
}

// push_out.c: limits the energy that the correction of violations adds.
//
// Every row that corrects an existing violation (source.pushes) has a speed limit. If many of them contradict
// each other (links that start inside each other and beyond their limits, each with its own way out), the
// motion that satisfies them best can be much faster than any limit and grow from step to step. Trees
// connected by constraints (an island) are therefore slowed down together.
//
// Energies do not depend on the frame of reference if they are those of relative motion. Let J have the rows
// that act between the bodies of an island (limits, pairs, attachments, and normals of contacts, because
// bodies may slide) and the rates of joints that nothing drives. What they see of a motion is the energy that
// is lost if all of it stops,
//
//   T(v) = min_c |v - c|_A^2 / 2  with  J c + b = 0,  which is  vc' (J A^-1 J')^-1 vc / 2,  vc = J v + b.
//
// A carriage that is driven, an arm that swings its hand, and bodies that fly together thus count only with
// the motion inside them. Rows that push may raise T(v1) to the larger of two values, but not higher: T(v*),
// the value without constraints, and the energy at which the heaviest dof of each tree moves at its speed
// limit. Where T(v1) exceeds this bound, by less than the work of their impulses (else they are not the
// cause), their speeds are lowered and the problem is solved again; at speed 0 a row is plastic and does no
// work.
//
// in: reduced, gamma, vc, work->v -> out: the same, with lower v_hat
#include <assert.h>
#include <math.h>

#include "constraint/constraint.h"
#include "math/vec3.h"
#include "rigid/tree.h"
#include "sap/law.h"
#include "step/step.h"

// Rounds with lower speeds; in the last one they are 0.
enum { ROUNDS = 5 };
// Fraction of the bound that an excess must exceed, and accuracy of energies.
static const double MUCH = 1e-6;
// Fraction of a row's regularisation with which it counts in T. Rows that contradict each other need some;
// with all of it, rows near a dead centre would not see how fast their trees are.
static const double YIELD = 0.01;

typedef struct Island {
  double bound;  // J, at the speed limits
  double work;   // J, work of the rows that push
  double most;   // J, T(v1) is not larger
  double part;   // factor by which their speeds are lowered
} Island;

// The rows of one island that act, then the dofs of its joints that nothing drives: n in all.
typedef struct Seen {
  int *up, *root;  // [ntree] islands; [constraints] the island that each acts in, -1: none
  bool* driven;    // [nv_rigid] not a joint's, or one that something drives
  int *con, *row0, ncon;
  int *dof, ndof;
  int *tree, ntree;
  int n;
  double *R, *rest, *d, *y;  // [n]
  double* f;                 // [velocities]
} Seen;

// The energy of the heaviest rotation and of the heaviest translation of a tree at their speed limits.
static double energy_of_bound(const plModel* model, const plData* data, const plReduced* r, int tree) {
  const plOptions* o = &data->par->options;
  int n = r->problem.clique_nv[tree], v0 = r->clique_v0[tree];
  double most[2] = {0, 0};
  for (int j = 0; j < n; j++) {
    bool angle = pl_dof_is_angle(model, v0 + j);
    double bound = angle ? o->push_out_turn : o->push_out_speed;
    most[angle] = fmax(most[angle], 0.5 * r->problem.A[tree][j + n * j] * bound * bound);
  }
  return most[0] + most[1];
}

int pl_step_root_of(int* up, int tree) {
  while (up[tree] != tree) tree = up[tree] = up[up[tree]];
  return tree;
}

int pl_step_tree_of(const plSapConstraint* c, int ntree) {
  for (int k = 0; k < c->nblock; k++)
    if (c->block[k].clique < ntree) return c->block[k].clique;
  return -1;
}

void pl_step_tie_trees(const plReduced* r, int ntree, int* up) {
  for (int t = 0; t < ntree; t++) up[t] = t;
  for (int i = 0; i < r->n; i++) {
    const plSapConstraint* c = &r->constraint[i];
    int first = pl_step_tree_of(c, ntree);
    for (int k = 0; k < c->nblock; k++)
      if (c->block[k].clique < ntree && c->block[k].clique != first)
        up[pl_step_root_of(up, c->block[k].clique)] = pl_step_root_of(up, first);
  }
}

// The first row of a constraint that counts.
static int first_row(const plSapConstraint* c) { return c->law == PL_SAP_CONE ? 2 : 0; }

// The regularisation of row k of a constraint, as far as it counts.
static double yield_of(const plReduced* r, int i, int k) {
  const plSapConstraint* c = &r->constraint[i];
  return YIELD * (c->law == PL_SAP_CONE ? c->cone.R_n : r->rows[i].row[k].R);
}

static double yield_of_dof(const plReduced* r, int dof) {
  return YIELD * pl_rows_near_rigid(r->inverse[dof]);
}

// Whether a constraint holds bodies together or apart in this step. Actuators and friction of joints do not,
// and contacts with a law of their own have no regularisation.
static bool acts(const plReduced* r, int i, const double* gamma) {
  plRowKind kind = r->source[i].kind;
  return r->constraint[i].law != PL_SAP_SIMILAR && kind != PL_ROWS_ACTUATOR && kind != PL_ROWS_EFFORT &&
         kind != PL_ROWS_FRICTION && !pl_sap_is_zero(gamma, r->constraint[i].nrow);
}

// Dofs that actuators, couplers, tendons or prescribed motions move, and translations of whole trees.
static void find_driven(const plModel* model, const plData* data, const plReduced* r, bool* driven) {
  const plTree* forest = &data->work->forest;
  for (int j = 0; j < model->nv_rigid; j++) {
    int node = forest->dof_node[j], kind = forest->node_kind[node];
    bool frame = forest->node_parent[node] < 0 && (kind == PL_NODE_FREE || kind == PL_NODE_PRISMATIC);
    driven[j] = frame || model->dof_locked[j];
  }
  for (int i = 0; i < r->n; i++) {
    plRowSource source = r->source[i];
    if (source.kind != PL_ROWS_ACTUATOR &&
        !(source.kind == PL_ROWS_PAIR && model->constraint[source.index].kind > PL_CONSTRAINT_DISTANCE))
      continue;
    for (int b = 0; b < r->constraint[i].nblock; b++) {
      const plSapBlock* block = &r->constraint[i].block[b];
      for (int j = 0; block->clique < model->ntree && j < pl_rows_columns(r, block); j++)
        if (block->J[j] != 0) driven[r->clique_v0[block->clique] + j] = true;
    }
  }
}

// f += J' gamma
static void add_impulse(const plReduced* r, const plSapConstraint* c, const double* gamma, double* f) {
  for (int i = 0; i < c->nblock; i++) {
    const plSapBlock* b = &c->block[i];
    double* at = f + r->clique_v0[b->clique];
    for (int j = 0, n = pl_rows_columns(r, b); j < n; j++) {
      double sum = 0;
      for (int k = 0; k < c->nrow; k++) sum += gamma[k] * b->J[c->nrow * j + k];
      at[b->nvert ? 3 * b->vert[j / 3] + j % 3 : j] += sum;
    }
  }
}

// y = (J A^-1 J' + R) d. Vertices of deformables move alone: the energy is kinetic.
static void multiply(const plModel* model, const plData* data, const Seen* s) {
  const plReduced* r = data->work->reduced;
  const plTree* forest = &data->work->forest;
  int nv = r->clique_v0[r->problem.nclique], first = s->n - s->ndof;
  for (int i = 0; i < nv; i++) s->f[i] = 0;
  for (int i = 0; i < s->ncon; i++) add_impulse(r, &r->constraint[s->con[i]], s->d + s->row0[i], s->f);
  for (int i = 0; i < s->ndof; i++) s->f[s->dof[i]] += s->d[first + i];
  for (int i = 0; i < s->ntree; i++)
    pl_tree_solve(forest, s->tree[i], data->work->tree_L + forest->tree_M0[s->tree[i]],
                  s->f + r->clique_v0[s->tree[i]]);
  for (int c = 0, at = r->clique_v0[model->ntree]; c < r->problem.nclique - model->ntree; c++)
    for (int i = r->clique_vert0[c]; i < r->clique_vert0[c + 1]; i++)
      for (int k = 0; k < 3; k++, at++)
        s->f[at] /= pl_vert_mass(data, r->body[c], model->deform_vert0[r->body[c]] + r->vert[i]);
  for (int i = 0; i < s->ncon; i++) {
    const plSapConstraint* c = &r->constraint[s->con[i]];
    double* y = s->y + s->row0[i];
    pl_rows_velocity(r, c, s->f, y);
    for (int k = 0; k < c->nrow; k++) y[k] = k < first_row(c) ? 0 : y[k] - c->bias[k];
  }
  for (int i = 0; i < s->ndof; i++) s->y[first + i] = s->f[s->dof[i]];
  for (int i = 0; i < s->n; i++) s->y[i] += s->R[i] * s->d[i];
}

// Lists what acts in an island.
static void list_seen(const plModel* model, const plReduced* r, int island, Seen* s) {
  s->n = s->ncon = s->ndof = s->ntree = 0;
  for (int i = 0; i < r->n; i++) {
    if (s->root[i] != island) continue;
    s->con[s->ncon] = i, s->row0[s->ncon++] = s->n;
    for (int k = 0; k < r->constraint[i].nrow; k++) s->R[s->n++] = yield_of(r, i, k);
  }
  for (int t = 0; t < model->ntree; t++) {
    if (pl_step_root_of(s->up, t) != island) continue;
    s->tree[s->ntree++] = t;
    for (int j = model->tree_v0[t]; j < model->tree_v0[t + 1]; j++)
      if (!s->driven[j]) s->dof[s->ndof++] = j, s->R[s->n++] = yield_of_dof(r, j);
  }
}

// T of the listed rows by conjugate gradients, preconditioned by R. What is computed is too small, by at most
// half of the square of the residual in the norm of R^-1; computed as far as needed to say whether it exceeds
// `enough`, and exactly if it does. vc: of all rows; v: of the trees.
static double energy_seen(const plModel* model, const plData* data, Seen* s, const double* vc,
                          const double* v, double enough) {
  const plReduced* r = data->work->reduced;
  double sum = 0, square = 0, first, before, along;
  for (int i = 0, at = 0, row = 0; i < s->ncon; i++) {
    for (; at < s->con[i]; at++) row += r->constraint[at].nrow;
    for (int k = 0; k < r->constraint[at].nrow; k++)
      s->rest[s->row0[i] + k] = k < first_row(&r->constraint[at]) ? 0 : vc[row + k];
  }
  for (int i = 0; i < s->ndof; i++) s->rest[s->n - s->ndof + i] = v[s->dof[i]];
  for (int i = 0; i < s->n; i++) s->d[i] = s->rest[i] / s->R[i], square += s->rest[i] * s->d[i];
  first = square;
  for (int k = 0; k < 4 * s->n && square > MUCH * MUCH * first && sum + 0.5 * square > enough; k++) {
    multiply(model, data, s);
    along = 0;
    for (int i = 0; i < s->n; i++) along += s->d[i] * s->y[i];
    double step = square / along;
    sum += 0.5 * step * square, before = square, square = 0;
    for (int i = 0; i < s->n; i++) s->rest[i] -= step * s->y[i], square += s->rest[i] * s->rest[i] / s->R[i];
    for (int i = 0; i < s->n; i++) s->d[i] = s->rest[i] / s->R[i] + square / before * s->d[i];
  }
  return sum;
}

static bool pushes(const plReduced* r, int i, int row) { return r->source[i].pushes >> row & 1; }

// The work of the rows of a constraint that push. For contacts it is the work along the normal and, with
// shifts, that of friction where it drives instead of braking, which the correction of creep allows
// (sap/coulomb.c).
static double work_of(const plReduced* r, int i, const double* gamma, const double* vc) {
  const plSapConstraint* c = &r->constraint[i];
  const bool shifted = r->shift != NULL;
  double work = 0, drive = 0;
  for (int k = first_row(c); k < c->nrow; k++)
    if (pushes(r, i, k)) work += gamma[k] * vc[k];
  for (int k = 0; shifted && c->law == PL_SAP_CONE && k < 2; k++) drive += gamma[k] * vc[k];
  return fmax(0, work) + fmax(0, drive);
}

// Bounds of islands with rows that push; returns whether T(v1) may exceed one.
static bool measure_islands(const plModel* model, const plData* data, const plReduced* r, Seen* s,
                            Island* island) {
  const double *gamma = data->work->gamma, *vc = data->work->vc;
  for (int t = 0; t < model->ntree; t++) island[t] = (Island){0};
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow) {
    const plSapConstraint* c = &r->constraint[i];
    int tree = acts(r, i, gamma + row) ? pl_step_tree_of(c, model->ntree) : -1;
    s->root[i] = tree < 0 ? -1 : pl_step_root_of(s->up, tree);
    if (tree < 0) continue;
    Island* at = &island[s->root[i]];
    if (r->source[i].pushes) at->work += work_of(r, i, gamma + row, vc + row);
    for (int k = first_row(c); k < c->nrow; k++)
      at->most += 0.5 * vc[row + k] * vc[row + k] / yield_of(r, i, k);
  }
  for (int t = 0; t < model->ntree; t++) {
    Island* at = &island[pl_step_root_of(s->up, t)];
    if (!(at->work > 0)) continue;
    at->bound += energy_of_bound(model, data, r, t);
    for (int j = model->tree_v0[t]; j < model->tree_v0[t + 1]; j++)
      if (!s->driven[j]) at->most += 0.5 * data->work->v[j] * data->work->v[j] / yield_of_dof(r, j);
  }
  bool any = false;
  for (int t = 0; t < model->ntree; t++) any |= island[t].work > 0 && island[t].most > island[t].bound;
  return any;
}

// Sets the factors of islands that pushing made too fast; *any: whether there are any.
static plStatus find_fast(const plModel* model, plData* data, Seen* s, bool stop, Island* island, bool* any) {
  const plReduced* r = data->work->reduced;
  double* vc_star = PL_ARENA_NEW(&data->work->step, double, r->nrow);
  if (!vc_star) return PL_ERROR_MEMORY;
  pl_reduced_velocities(r, r->v_star, vc_star);
  *any = false;
  for (int t = 0; t < model->ntree; t++) {
    Island* at = &island[t];
    at->part = 1;
    if (!(at->work > 0) || !(at->most > at->bound)) continue;
    list_seen(model, r, t, s);
    double now = energy_seen(model, data, s, data->work->vc, data->work->v, at->bound);
    if (!(now > at->bound)) continue;
    double most = fmax(at->bound, energy_seen(model, data, s, vc_star, data->v_star, 0));
    if (!(now - most > MUCH * most) || !(at->work > now - most)) continue;
    at->part = stop ? 0 : fmin(0.7, 0.9 * sqrt(most / now));
    *any = true;
  }
  return PL_OK;
}

static bool slow_row(double part, double* v_hat) {
  bool moves = *v_hat != 0;
  *v_hat *= part;
  return moves;
}

// The speed of a correction is v_hat without the shift of Coulomb's law. Impulses of contradicting
// corrections say nothing about creep, so the correction of creep is removed. Returns whether any is slower.
static bool slow_down(const plModel* model, plReduced* r, int* up, const Island* island) {
  bool any = false;
  if (r->shift) pl_reduced_shift(r, -1);
  for (int i = 0; i < r->n; i++) {
    plSapConstraint* c = &r->constraint[i];
    int tree = r->source[i].pushes ? pl_step_tree_of(c, model->ntree) : -1;
    double part = tree < 0 ? 1 : island[pl_step_root_of(up, tree)].part;
    if (part >= 1) continue;
    if (r->shift && c->law == PL_SAP_CONE) r->shift[3 * i] = r->shift[3 * i + 1] = 0;
    if (c->law == PL_SAP_CONE) any |= slow_row(part, &c->cone.v_hat_n);
    for (int k = 0; r->rows[i].row && k < c->nrow; k++)
      if (pushes(r, i, k)) any |= slow_row(part, &r->rows[i].row[k].v_hat);
  }
  if (r->shift) pl_reduced_shift(r, 1);
  return any;
}

plStatus pl_step_solve_slower(const plModel* model, plData* data) {
  plSapCoulomb* rule = &data->work->coulomb;
  int creep_rounds = rule->creep_rounds;
  rule->creep_rounds = 0;
  plStatus status =
      pl_step_solve_reduced(model, data, data->work->reduced->v_guess, data->par->options.tolerance, true);
  if (!status) status = pl_step_swing(model, data);
  if (!status) status = pl_step_shake(model, data);
  rule->creep_rounds = creep_rounds;
  return status;
}

static bool new_seen(const plModel* model, plData* data, const plReduced* r, Seen* s) {
  plArena* arena = &data->work->step;
  int most = r->nrow + model->nv_rigid;
  *s = (Seen){.up = PL_ARENA_NEW(arena, int, model->ntree),
              .root = PL_ARENA_NEW(arena, int, r->n),
              .driven = PL_ARENA_NEW(arena, bool, model->nv_rigid),
              .con = PL_ARENA_NEW(arena, int, r->n),
              .row0 = PL_ARENA_NEW(arena, int, r->n),
              .dof = PL_ARENA_NEW(arena, int, model->nv_rigid),
              .tree = PL_ARENA_NEW(arena, int, model->ntree),
              .R = PL_ARENA_NEW(arena, double, most),
              .rest = PL_ARENA_NEW(arena, double, most),
              .d = PL_ARENA_NEW(arena, double, most),
              .y = PL_ARENA_NEW(arena, double, most),
              .f = PL_ARENA_NEW(arena, double, r->clique_v0[r->problem.nclique])};
  return !arena->failed;
}

// Whether the rows that push do so much work that some island may be too fast (find_fast).
static bool can_be_fast(const plModel* model, const plData* data, const plReduced* r) {
  const double *gamma = data->work->gamma, *vc = data->work->vc;
  double work = 0, least = INFINITY;
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow)
    if (r->source[i].pushes && r->constraint[i].law != PL_SAP_SIMILAR)
      work += work_of(r, i, gamma + row, vc + row);
  for (int t = 0; t < model->ntree && work > 0; t++) least = min2(least, energy_of_bound(model, data, r, t));
  return work > MUCH * least;
}

plStatus pl_step_calm_push_out(const plModel* model, plData* data) {
  plReduced* r = data->work->reduced;
  if (!can_be_fast(model, data, r)) return PL_OK;
  bool any;
  Seen s;
  Island* island = PL_ARENA_NEW(&data->work->step, Island, model->ntree);
  if (!new_seen(model, data, r, &s)) return PL_ERROR_MEMORY;
  pl_step_tie_trees(r, model->ntree, s.up);
  find_driven(model, data, r, s.driven);
  for (int k = 1; k <= ROUNDS; k++) {
    if (!measure_islands(model, data, r, &s, island)) return PL_OK;
    plStatus status = find_fast(model, data, &s, k == ROUNDS, island, &any);
    if (status || !any || !slow_down(model, r, s.up, island)) return status;
    status = pl_step_solve_slower(model, data);
    if (status) return status;
  }
  return PL_OK;
}

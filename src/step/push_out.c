// push_out.c: limits the energy that the correction of violations adds.
//
// Every row that corrects an existing violation (source.pushes) has a speed limit. If many of them contradict
// each other (links that start inside each other and beyond their limits, each with its own way out), the
// motion that satisfies them best can be much faster than any limit and grow from step to step. Trees
// connected by constraints (an island) are therefore slowed down together. Let T(v) = v'A v / 2. The rows
// that push may raise T(v1) to the larger of two values, but not higher: T(v*), the value without
// constraints, and the value at which the heaviest dof of each tree moves at its speed limit. If they exceed
// this bound, their speeds are lowered and the problem is solved again; at speed 0 a row is plastic and adds
// no energy. Free bodies that move together may still come apart: as long as v* does not take them apart as
// fast as v1, the sum of both values is the bound. (Links in each other's way would be faster after every
// step.) The rotation of bodies adds to violations in each step (source.turning). This part may be corrected
// as long as the correction adds no more than the energy of the island's mass at the necessary speed, because
// that is the energy which moving along a curve loses. Near a dead centre a row hardly moves its tree, so its
// impulses and their work are much larger. There the rows become plastic too.
//
// in: reduced, gamma, vc, work->v -> out: the same, with lower v_hat
#include <assert.h>
#include <math.h>

#include "constraint/constraint.h"
#include "math/vec3.h"
#include "step/step.h"

// Rounds that keep the speeds for turning, the last one with all other speeds 0; then as many without them.
enum { ROUNDS = 5 };
// Fraction of the excess that pushing must have caused for the island to be slowed down.
static const double OWN = 0.1;
// Fraction of the bound that an excess must exceed.
static const double MUCH = 1e-6;

typedef struct Island {
  double now, free, bound;  // J: T(v1), T(v*), and at the speed limits
  double work;              // J, work of the rows that push
  double before;            // J, what it would be at the velocities without constraints
  double turn;              // J, of its mass at the speed that rotation makes necessary
  double part;              // factor by which their speeds are lowered
  bool linked;              // joints or constraints hold a body of it
  bool pushed;              // some row pushes it
} Island;

// v'A v / 2 of a tree; the lower triangle of A is read.
static double energy_of(const plReduced* r, int tree, const double* v) {
  int n = r->problem.clique_nv[tree];
  const double* A = r->problem.A[tree];
  double sum = 0;
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) sum += (i == j ? 0.5 : 1) * A[i + n * j] * v[i] * v[j];
  return sum;
}

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

// The work of a row that pushes. For contacts it is the work along the normal and, with shifts, that of
// friction where it drives instead of braking, which the correction of creep allows (sap/coulomb.c).
static double work_of(const plSapConstraint* c, bool shifted, const double* gamma, const double* vc) {
  double work = 0, drive = 0;
  for (int k = c->law == PL_SAP_CONE ? 2 : 0; k < c->nrow; k++) work += gamma[k] * vc[k];
  for (int k = 0; shifted && c->law == PL_SAP_CONE && k < 2; k++) drive += gamma[k] * vc[k];
  return fmax(0, work) + fmax(0, drive);
}

// m turning^2 of the trees that a row moves
static double energy_of_turning(const plModel* model, const plData* data, plReduced* r, int i) {
  const plSapConstraint* c = &r->constraint[i];
  const plTree* tree = &data->work->forest;
  int ntree = model->ntree;
  double m = 0, turning = pl_rows_turning_of(model, data, r, i);
  for (int k = 0; k < c->nblock && turning > 0; k++)
    for (int t = c->block[k].clique, n = t < ntree ? tree->tree_node0[t] : 0;
         t < ntree && n < tree->tree_node0[t + 1]; n++)
      m += tree->node_mass[n];
  return m * turning * turning;
}

static bool is_free_body(const plTree* forest, int t) {
  int node = forest->tree_node0[t];
  return forest->tree_node0[t + 1] == node + 1 && forest->node_kind[node] == PL_NODE_FREE;
}

// Whether all trees together have less energy than any of them at its speed limits: then no island is fast.
static bool all_are_slow(const plModel* model, const plData* data, const plReduced* r) {
  double now = 0, least = INFINITY;
  for (int t = 0; t < model->ntree; t++) {
    now += energy_of(r, t, data->work->v + r->clique_v0[t]);
    least = min2(least, energy_of_bound(model, data, r, t));
  }
  return now <= least;
}

// The work of the rows that push, and what else depends on rows.
static void measure_rows(const plModel* model, const plData* data, plReduced* r, int* up, Island* island) {
  const double *gamma = data->work->gamma, *vc = data->work->vc;
  for (int i = 0; i < r->n; gamma += r->constraint[i].nrow, vc += r->constraint[i].nrow, i++) {
    int tree = pl_step_tree_of(&r->constraint[i], model->ntree);
    if (tree < 0) continue;
    Island* at = &island[pl_step_root_of(up, tree)];
    at->linked |= r->rows[i].row != NULL;
    if (!r->source[i].pushes) continue;
    double free[6];
    assert(r->constraint[i].nrow <= 6);
    pl_rows_velocity(r, &r->constraint[i], r->v_star, free);
    at->work += work_of(&r->constraint[i], r->shift != NULL, gamma, vc);
    at->before += work_of(&r->constraint[i], false, gamma, free);
    at->turn += energy_of_turning(model, data, r, i);
  }
  assert(gamma == data->work->gamma + r->nrow && vc == data->work->vc + r->nrow);
}

// Energies of islands with rows that push; returns whether one of them has more than the least that find_fast
// allows. Otherwise the work of its rows need not be known.
static bool measure_trees(const plModel* model, const plData* data, const plReduced* r, int* up,
                          Island* island) {
  for (int i = 0; i < r->n; i++) {
    int tree = r->source[i].pushes ? pl_step_tree_of(&r->constraint[i], model->ntree) : -1;
    if (tree >= 0) island[pl_step_root_of(up, tree)].pushed = true;
  }
  for (int t = 0; t < model->ntree; t++) {
    Island* at = &island[pl_step_root_of(up, t)];
    if (!at->pushed) continue;
    assert(r->clique_v0[t] == model->tree_v0[t]);
    at->now += energy_of(r, t, data->work->v + r->clique_v0[t]);
    at->free += energy_of(r, t, data->v_star + r->clique_v0[t]);
    at->bound += energy_of_bound(model, data, r, t);
    at->linked |= !is_free_body(&data->work->forest, t);
  }
  bool any = false;
  for (int t = 0; t < model->ntree; t++) {
    double least = fmax(island[t].free, island[t].bound);
    any |= island[t].now - least > MUCH * least;
  }
  return any;
}

static bool slow_row(double part, double turning, double* v_hat) {
  double speed = fabs(*v_hat), less = fmax(part * speed, fmin(speed, turning));
  *v_hat = copysign(less, *v_hat);
  return less < speed;
}

// The speed of a correction is v_hat without the shift of Coulomb's law. Impulses of contradicting
// corrections say nothing about creep, so the correction of creep is removed. Returns whether any is slower.
static bool slow_down(const plModel* model, const plData* data, plReduced* r, int* up, const Island* island,
                      bool turning) {
  int ntree = model->ntree;
  bool any = false;
  if (r->shift) pl_reduced_shift(r, -1);
  for (int i = 0; i < r->n; i++) {
    plSapConstraint* c = &r->constraint[i];
    int tree = r->source[i].pushes ? pl_step_tree_of(c, ntree) : -1;
    double part = tree < 0 ? 1 : island[pl_step_root_of(up, tree)].part;
    if (part >= 1) continue;
    if (r->shift && c->law == PL_SAP_CONE) r->shift[3 * i] = r->shift[3 * i + 1] = 0;
    double kept = turning ? pl_rows_turning_of(model, data, r, i) : 0;
    if (c->law == PL_SAP_CONE) any |= slow_row(part, kept, &c->cone.v_hat_n);
    for (int k = 0; r->rows[i].row && k < c->nrow; k++) any |= slow_row(part, kept, &r->rows[i].row[k].v_hat);
  }
  if (r->shift) pl_reduced_shift(r, 1);
  return any;
}

// Sets the factors of islands that pushing made too fast; returns whether there are any. turning: slow_down
// keeps the speeds that rotation makes necessary; otherwise their energy is allowed on top of the bound.
static bool find_fast(int ntree, bool stop, bool turning, Island* island) {
  bool any = false;
  for (int t = 0; t < ntree; t++) {
    Island* at = &island[t];
    double lacks = at->linked || !(at->work > 0) ? 0 : fmax(0, 1 - at->before / at->work),
           most = fmax(at->free + lacks * at->bound, at->bound) + (turning ? 0 : at->turn),
           much = at->now - most;
    at->part = 1;
    if (!(at->work > 0) || !(much > MUCH * most) || !(at->work > OWN * much)) continue;
    at->part = stop ? 0 : fmin(0.7, 0.9 * sqrt(most / at->now));
    any = true;
  }
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

plStatus pl_step_calm_push_out(const plModel* model, plData* data) {
  plReduced* r = data->work->reduced;
  bool any = false;
  for (int i = 0; i < r->n && !any; i++) any = r->source[i].pushes && r->constraint[i].law != PL_SAP_SIMILAR;
  if (!any || !model->ntree || all_are_slow(model, data, r)) return PL_OK;
  int* up = PL_ARENA_NEW(&data->work->step, int, model->ntree);
  Island* island = PL_ARENA_NEW(&data->work->step, Island, model->ntree);
  if (!up || !island) return PL_ERROR_MEMORY;
  pl_step_tie_trees(r, model->ntree, up);
  for (int k = 1; k <= 2 * ROUNDS; k++) {
    bool turning = k <= ROUNDS;
    for (int t = 0; t < model->ntree; t++) island[t] = (Island){0};
    if (!measure_trees(model, data, r, up, island)) return PL_OK;
    measure_rows(model, data, r, up, island);
    if (!find_fast(model->ntree, k % ROUNDS == 0, turning, island)) return PL_OK;
    if (!slow_down(model, data, r, up, island, turning)) {
      if (!turning) return PL_OK;
      k = ROUNDS;
      continue;
    }
    plStatus status = pl_step_solve_slower(model, data);
    if (status) return status;
  }
  return PL_OK;
}

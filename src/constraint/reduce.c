// reduce.c: the convex problem on participating DoFs: A, v*, and the rows of all constraints. Paper: (17).
//
// in: work->point, attachments, switches, chol (A_hat), tree_A, v_star -> out: plReduced
#include <assert.h>
#include <string.h>

#include "constraint/constraint.h"
#include "deform/deform.h"
#include "rigid/rigid.h"

// Room for cap constraints, of which none is filled.
static plStatus make_list(plData* data, plReduced* r) {
  plArena* arena = &data->work->step;
  r->n = 0;
  r->constraint = PL_ARENA_NEW(arena, plSapConstraint, r->cap);
  r->rows = PL_ARENA_NEW(arena, plRows, r->cap);
  r->source = PL_ARENA_NEW(arena, plRowSource, r->cap);
  return arena->failed ? PL_ERROR_MEMORY : PL_OK;
}

// Room for the largest possible number of constraints.
static plStatus make_room(const plModel* model, plData* data, plReduced* r) {
  // two bodies, whose exact vertices may belong to any tree; the joints of a tendon or of its actuator
  r->most_blocks = 2 + (model->ndeform ? 2 * PL_CLIQUES_OF_BODY : 0) + (r->nexact ? model->ntree : 0);
  for (int i = 0; i < model->nconstraint; i++)
    if (model->constraint[i].njoint > r->most_blocks) r->most_blocks = model->constraint[i].njoint;
  for (int a = 0; a < model->nact; a++)
    if (model->act_term0[a + 1] - model->act_term0[a] > r->most_blocks)
      r->most_blocks = model->act_term0[a + 1] - model->act_term0[a];
  r->cap = 2 * data->work->npoint + 3 * model->nv_rigid + model->nact + 2 * model->nconstraint;
  const plModelWork* w = model->work;  // sums of n actuators have at most 2 n + 1 rows
  if (w->neffort) r->cap += 2 * w->effort0[w->neffort] + w->neffort;
  for (int i = 0; i < data->nattach; i++) r->cap += data->attach[i].on ? data->attach[i].nvert : 0;
  return make_list(data, r);
}

// Room for A, its couplings and v*; those of the trees.
static plStatus make_matrices(const plModel* model, plData* data, const double* guess, plReduced* r) {
  plArena* arena = &data->work->step;
  int ntree = model->ntree, nclique = r->problem.nclique, nv = r->clique_v0[nclique], ncoupling = 0;
  int* clique_nv = PL_ARENA_NEW(arena, int, nclique);
  double** A = r->A = PL_ARENA_NEW(arena, double*, nclique);
  r->coupling = PL_ARENA_NEW(arena, plSapCoupling, nclique * PL_CLIQUES_OF_BODY);
  r->coupling_A = PL_ARENA_NEW(arena, double*, nclique* PL_CLIQUES_OF_BODY);
  r->v_star = PL_ARENA_NEW(arena, double, nv);
  r->v0 = PL_ARENA_NEW(arena, double, nv);
  r->v_guess = PL_ARENA_NEW(arena, double, nv);
  r->diagonal = PL_ARENA_NEW(arena, double, nv);
  r->inverse = PL_ARENA_NEW(arena, double, nv);
  if (arena->failed) return PL_ERROR_MEMORY;
  for (int c = 0; c < nclique; c++) {
    int n = clique_nv[c] = r->clique_v0[c + 1] - r->clique_v0[c];
    A[c] = c < ntree ? data->work->tree_A + data->work->forest.tree_M0[c]
                     : PL_ARENA_NEW(arena, double, (size_t)n*(size_t)n);
    for (int k = 0; c < ntree && k < n; k++) r->diagonal[r->clique_v0[c] + k] = A[c][k * n + k];
    for (int e = c - 1; e >= ntree && r->body[e - ntree] == r->body[c - ntree]; e--) {
      double* between = PL_ARENA_NEW(arena, double, (size_t)n*(size_t)clique_nv[e]);
      assert(ncoupling < nclique * PL_CLIQUES_OF_BODY);
      r->coupling_A[ncoupling] = between;
      r->coupling[ncoupling++] = (plSapCoupling){.row = c, .col = e, .A = between};
    }
  }
  if (arena->failed) return PL_ERROR_MEMORY;
  for (int i = 0; i < model->nv_rigid; i++)
    r->v_star[i] = data->v_star[i], r->v0[i] = data->work->v_guess[i], r->v_guess[i] = guess[i];
  r->problem = (plSapProblem){.nclique = nclique,
                              .clique_nv = clique_nv,
                              .A = (const double* const*)A,
                              .v_star = r->v_star,
                              .ncoupling = ncoupling,
                              .coupling = r->coupling};
  return PL_OK;
}

// The velocities of the cliques of a body and the diagonal of its A.
static void read_body(const plModel* model, const plData* data, plReduced* r, int b) {
  const plWork* work = data->work;
  const double* guess = work->v_warm ? work->v_warm : work->v_guess;
  for (int c = 0; c < r->problem.nclique - model->ntree; c++) {
    if (r->body[c] != b) continue;
    int at = r->clique_v0[model->ntree + c];
    for (int i = r->clique_vert0[c]; i < r->clique_vert0[c + 1]; i++) {
      const double* block =
          work->A[b].block + 9 * (size_t)work->A[b].col0[r->vert[i]];  // the diagonal block comes first
      for (int k = 0; k < 3; k++, at++) {
        r->diagonal[at] = block[4 * k];
        int dof = model->deform_v0[b] + 3 * r->vert[i] + k;
        r->v0[at] = work->v_guess[dof], r->v_guess[at] = guess[dof];
      }
    }
    assert(at == r->clique_v0[model->ntree + c + 1]);
  }
}

static plStatus refresh_of(const plModel* model, plData* data, int b, void* context) {
  if (!data->work->nparticipating[b]) return PL_OK;
  read_body(model, data, context, b);
  return pl_reduced_refresh(model, data, context, b);
}

// A, v* and the guess of every clique: whole trees, and deformables by their Schur complement.
static plStatus make_cliques(const plModel* model, plData* data, plReduced* r) {
  const plWork* work = data->work;
  const double* guess = work->v_warm ? work->v_warm : work->v_guess;
  plStatus status = pl_reduced_cliques(model, data, r);
  if (!status) status = make_matrices(model, data, guess, r);
  if (!status) status = pl_deform_each(model, data, refresh_of, r);
  if (status) return status;
  pl_exact_diagonals(model, data, r);
  for (int i = 0; i < r->clique_v0[r->problem.nclique]; i++) r->inverse[i] = 1 / r->diagonal[i];
  return PL_OK;
}

// Constraints may push a tree past a limit that its own motion would not reach in the step: all limits of the
// trees that constraints act on are candidates. They cost little unless they are needed (likely_open).
static plStatus add_idle_limits(const plModel* model, plData* data, plReduced* r) {
  bool* touched = PL_KEEP(&data->work->step, bool, model->ntree);
  if (!touched) return PL_ERROR_MEMORY;
  for (int i = 0; i < r->n; i++)
    for (int b = 0; b < r->constraint[i].nblock; b++)
      if (r->constraint[i].block[b].clique < model->ntree) touched[r->constraint[i].block[b].clique] = true;
  for (int i = 0; i < r->nexact; i++)
    if (r->exact[i].tree >= 0) touched[r->exact[i].tree] = true;
  plStatus status = pl_rows_limits(model, data, r, touched);
  return status ? status : pl_rows_idle_tendons(model, data, r, touched);
}

plStatus pl_constraint_reduce(const plModel* model, plData* data, plReduced* r) {
  memset(r, 0, sizeof *r);
  // J belongs to q0, but an iterated free motion has left the trees at other positions.
  if (model->nv_rigid && pl_rigid_is_iterated(data))
    pl_tree_kinematics(&data->work->forest, data->q, data->par->options.gravity, &data->work->tree);
  plStatus status = pl_exact_list(model, data, r);
  if (!status) status = make_room(model, data, r);
  if (!status) status = make_cliques(model, data, r);
  if (!status) status = pl_exact_apply(model, data, r);
  if (!status) status = pl_rows_contacts(model, data, r);
  if (!status) status = pl_rows_limits(model, data, r, NULL);
  if (!status) status = pl_rows_actuators(model, data, r);
  if (!status) status = pl_rows_pairs(model, data, r);
  if (!status) status = pl_rows_attachments(model, data, r);
  if (!status) status = pl_rows_friction(model, data, r);
  r->idle0 = r->n;
  if (!status) status = add_idle_limits(model, data, r);
  for (int i = 0; i < r->n; i++) r->nrow += r->constraint[i].nrow;
  r->problem.nconstraint = r->n;
  r->problem.constraint = r->constraint;
  return status;
}

// The order of constraints of one kind, except for those after idle0.
static bool is_before(plRowSource a, plRowSource b) {
  return a.index < b.index || (a.index == b.index && a.part < b.part);
}

plStatus pl_rows_along(const plModel* model, plData* data, plReduced* r, plRowKind kind) {
  assert(kind == PL_ROWS_PAIR || kind == PL_ROWS_ATTACHMENT);
  plReduced along = *r;
  plStatus status = make_list(data, &along);
  if (!status)
    status =
        kind == PL_ROWS_PAIR ? pl_rows_pairs(model, data, &along) : pl_rows_attachments(model, data, &along);
  for (int i = 0, k = 0; i < r->idle0 && !status; i++) {
    if (r->source[i].kind != kind) continue;
    while (k < along.n && is_before(along.source[k], r->source[i])) k++;
    if (k == along.n || is_before(r->source[i], along.source[k])) continue;
    assert(along.constraint[k].nblock == r->constraint[i].nblock &&
           along.constraint[k].nrow == r->constraint[i].nrow);
    r->constraint[i].block = r->rows[i].block = along.rows[k].block, r->rows[i].J = along.rows[k].J;
  }
  return status;
}

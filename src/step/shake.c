// shake.c: pairs between bodies that turn far in a step, or that hang, under backward Euler. With theta_vq <
// 1 the rounds are the same, with the rows of middle.c, for all trees that pairs act on.
//
// A row predicts the violation g1 = g0 + dt J v1 with J at q0. The rotation of bodies adds a term of the
// order of the squared angle to the true g1. Later steps correct it along directions that have turned in the
// meantime, so the energy changes by the cube of the angle. Here rows predict the true g1: the difference at
// v1 is added to their bias, the rotation of single bodies is balanced for v1 too (rigid/gyration.c), and the
// problem is solved again until v1 no longer changes. Impulses still act along J at q0, where both sides get
// opposite wrenches. The step is then that of SHAKE, which is symplectic: the energy does not drift, and
// angular momentum is conserved.
//
// The energy E that does not drift is evaluated with velocities at the middle of steps. With velocities at
// the end of a step, the energy of a body that swings under a load m g is E - dt/2 m g . v: it oscillates,
// and is above its initial value whenever the load rises. It also rises once, by the square of the angle,
// when the velocities become those along chords. With J in the middle of the motion pairs would do no work,
// and the step would lose the energy of v1 - v0. Between these two choices of J there is one for which a
// group of bodies neither gains nor loses energy. For groups that gain, the problem is solved again with that
// J. Floating groups are not changed: a load does not make them swing, and impulses that act elsewhere than
// at q0 would change their angular momentum.
//
// If the rounds do not converge, the step is taken in parts; the shortest part ignores that bodies turn far.
//
// Relative to the energy of a small swing, w times in 2 pi seconds, the oscillation is dt w / 2, however
// small its angle. Groups of single bodies that hang from the world are therefore solved in this way at any
// angle that the solver can see. (To do so only in steps that gain would not help: velocities along chords
// and others would take turns.) Other groups are, if a body or a line turns far. Where nothing turns far and
// the rounds do not converge, the step is left as it is.
//
// Nothing is done where trees with links swing (swing.c), or for bodies that no pair holds: a v* that
// contains the rotation of a velocity other than the final one would predict a wrong centre of mass, and
// contacts would add energy. Coupled rounds (coupling.c) end at other velocities than the first model, and
// use the rows and v* of these velocities.
//
// in: reduced, work->v -> out: v_star, v_turn, reduced, gamma, vc, work->v
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "constraint/constraint.h"
#include "rigid/rigid.h"
#include "step/step.h"

enum { ROUNDS = 12, MOVES = 3 };
// A gain is ignored below this fraction of the work of pairs.
static const double SMALL_GAIN = 1e-3;
// The rounds have failed if the last one changed the velocity by more than this fraction.
static const double LOST = 1e-4;

// Trees that pairs connect.
typedef struct Group {
  bool left;           // impulses act at the start
  bool hangs;          // single bodies alone, not left
  double fraction;     // fraction of the motion where impulses act: 0 at the start, 1/2 in the middle
  double given, gain;  // J, the work of its pairs; the energy that it gains
} Group;

// Violations at q0 and q1, and the rows' velocities.
typedef struct Held {
  double *g0, *g1;   // [nrow]
  double* vc;        // [nrow] velocities with the present bias
  double *last, *v;  // [nv_rigid], reduced velocities
  double* star;      // [nv_rigid], v* of the round before
  plUnturned* base;
  plTreeState state;
  int* root;           // [ntree] first tree of the group
  Group* group;        // [ntree] at the roots
  double *energy, *f;  // [ntree], [nv]
  bool middle;         // theta_vq < 1: impulses act in the middle of the motion (middle.c)
  bool driven;         // there is a driven pair
  bool slow;           // nothing turns far
  bool given_up;
} Held;

static bool is_held(const plModel* model, plRowSource source) {
  return source.kind == PL_ROWS_PAIR && model->constraint[source.index].kind <= PL_CONSTRAINT_DISTANCE;
}

static bool is_damped(const plData* data) {
  return data->par->options.theta == 1 && data->par->options.theta_vq == 1;
}

// Whether a pair is driven. At a dead centre only the rows of q0 have a solution, in parts of any length.
static bool has_drive(const plModel* model, const plReduced* r) {
  bool any = false;
  for (int i = 0; i < r->n; i++) {
    const plConstraintDef* def = is_held(model, r->source[i]) ? &model->constraint[r->source[i].index] : NULL;
    any |= def && (def->ntime || def->amplitude != 0);
  }
  return any;
}

// Whether a pair holds a single body.
static bool holds_single(const plModel* model, const plData* data, const plReduced* r) {
  const plTree* tree = &data->work->forest;
  for (int i = 0; i < r->n; i++)
    for (int side = 0; side < 2 && is_held(model, r->source[i]); side++) {
      const plConstraintDef* def = &model->constraint[r->source[i].index];
      int body = side ? def->b : def->a, node = body < 0 ? -1 : model->body_node[body];
      if (node >= 0 && !pl_tree_has_links(model, pl_tree_of_node(tree, node))) return true;
    }
  return false;
}

// Stores the problem before it is changed. middle: trees that any pair acts on count as held.
static plUnturned* keep_base(const plModel* model, plData* data, bool middle) {
  plWork* work = data->work;
  const plReduced* r = work->reduced;
  plArena* arena = &work->step;
  plUnturned* base = PL_ARENA_NEW(arena, plUnturned, 1);
  if (!base) return NULL;
  *base = (plUnturned){.bias = PL_ARENA_NEW(arena, double, r->nrow),
                       .v_star = PL_ARENA_NEW(arena, double, model->nv_rigid),
                       .v_turn = PL_ARENA_NEW(arena, double, model->nv_rigid),
                       .held = PL_KEEP(arena, bool, model->ntree)};
  if (arena->failed) return NULL;
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow) {
    memcpy(base->bias + row, r->rows[i].bias, (size_t)r->constraint[i].nrow * sizeof(double));
    bool holds = is_held(model, r->source[i]) || (middle && r->source[i].kind == PL_ROWS_PAIR);
    for (int k = 0; k < r->constraint[i].nblock && holds; k++)
      base->held[r->constraint[i].block[k].clique] = true;
  }
  memcpy(base->v_star, data->v_star, (size_t)model->nv_rigid * sizeof(double));
  memcpy(base->v_turn, work->v_turn, (size_t)model->nv_rigid * sizeof(double));
  return base;
}

static plStatus begin(const plModel* model, plData* data, Held* h) {
  plWork* work = data->work;
  plReduced* r = work->reduced;
  plArena* arena = &work->step;
  h->g0 = PL_ARENA_NEW(arena, double, r->nrow), h->g1 = PL_ARENA_NEW(arena, double, r->nrow);
  h->vc = PL_ARENA_NEW(arena, double, r->nrow), h->last = PL_ARENA_NEW(arena, double, model->nv_rigid);
  h->star = PL_ARENA_NEW(arena, double, model->nv_rigid);
  h->root = PL_ARENA_NEW(arena, int, model->ntree), h->group = PL_ARENA_NEW(arena, Group, model->ntree);
  h->energy = PL_ARENA_NEW(arena, double, model->ntree), h->f = PL_ARENA_NEW(arena, double, model->nv);
  h->v = PL_ARENA_NEW(arena, double, r->clique_v0[r->problem.nclique]);
  if (!pl_tree_state_new(&work->forest, arena, &h->state) || arena->failed) return PL_ERROR_MEMORY;
  h->base = r->base ? r->base : keep_base(model, data, h->middle);
  pl_pairs_gaps(model, data, r, h->g0);
  return h->base ? PL_OK : PL_ERROR_MEMORY;
}

// g1 and vc for v.
static void look_ahead(const plModel* model, plData* data, const double* v, Held* h) {
  plWork* work = data->work;
  pl_reduced_gather(model, work->reduced, v, h->v);
  if (h->middle) return;
  plTreeState own = work->tree;
  pl_step_state_after(data, v, &h->state);
  work->tree = h->state;
  pl_pairs_gaps(model, data, work->reduced, h->g1);
  work->tree = own;
  pl_reduced_velocities(work->reduced, h->v, h->vc);
}

bool pl_step_line_turns(const plData* data, double g0, double g1, double rate, double angle) {
  return 2 * fabs(g1 - g0 - data->par->options.dt * rate) > angle * angle * fabs(g0);
}

// Rows predict g1 for v, and v* contains its rotation. After look_ahead.
static plStatus turn(const plModel* model, plData* data, Held* h, const double* v) {
  plReduced* r = data->work->reduced;
  if (h->middle) return pl_step_middle(model, data, h->base, v, &h->state);
  double dt = data->par->options.dt;
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow)
    for (int k = 0; k < r->constraint[i].nrow && is_held(model, r->source[i]); k++)
      r->rows[i].bias[k] += (h->g1[row + k] - h->g0[row + k]) / dt + h->base->bias[row + k] - h->vc[row + k];
  pl_rigid_turn_along(model, data, v, h->base->held);
  memcpy(r->v_star, data->v_star, (size_t)model->nv_rigid * sizeof(double));
  return pl_exact_impulses(model, data, r);
}

// The group of a pair.
static Group* group_of(const Held* h, const plReduced* r, int i) {
  assert(h->root[r->constraint[i].block[0].clique] >= 0);
  return &h->group[h->root[r->constraint[i].block[0].clique]];
}

// Floating groups and driven groups are not changed.
static void make_groups(const plModel* model, const plReduced* r, Held* h) {
  for (int t = 0; t < model->ntree; t++) h->root[t] = t, h->group[t] = (Group){.left = true};
  for (int i = 0; i < r->n; i++)
    for (int k = 0; k < r->constraint[i].nblock && is_held(model, r->source[i]); k++)
      assert(r->constraint[i].block[k].clique < model->ntree);
  for (int i = 0; i < r->n; i++)
    for (int k = 1; k < r->constraint[i].nblock && is_held(model, r->source[i]); k++)
      h->root[pl_step_root_of(h->root, r->constraint[i].block[k].clique)] =
          pl_step_root_of(h->root, r->constraint[i].block[0].clique);
  for (int t = 0; t < model->ntree; t++) {
    h->root[t] = pl_step_root_of(h->root, t);
    if (pl_tree_has_links(model, t)) h->group[h->root[t]].left = false;
  }
  for (int i = 0; i < r->n; i++)
    if (is_held(model, r->source[i]) && r->constraint[i].nblock == 1) group_of(h, r, i)->left = false;
  for (int i = 0; i < r->n; i++) {
    const plConstraintDef* def = is_held(model, r->source[i]) ? &model->constraint[r->source[i].index] : NULL;
    if (def && (def->ntime || def->amplitude != 0)) group_of(h, r, i)->left = true;
  }
  for (int t = 0; t < model->ntree; t++) h->group[t].hangs = !h->group[t].left;
  for (int t = 0; t < model->ntree; t++)
    if (pl_tree_has_links(model, t)) h->group[h->root[t]].hangs = false;
}

// Whether a body or the line of a distance turns by more than an angle; hangs: in groups that hang alone.
static bool turns(const plModel* model, const plData* data, const Held* h, bool hangs, double angle) {
  const plReduced* r = data->work->reduced;
  for (int t = 0; t < model->ntree; t++)
    if (h->base->held[t] && !(hangs && !h->group[h->root[t]].hangs) && !pl_tree_has_links(model, t) &&
        pl_rigid_turns_far(model, data, t, data->work->v, angle))
      return true;
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow)
    if (is_held(model, r->source[i]) && !(hangs && !group_of(h, r, i)->hangs) && r->constraint[i].nrow == 1 &&
        pl_step_line_turns(data, h->g0[row], h->g1[row], h->vc[row] - h->base->bias[row], angle))
      return true;
  return false;
}

// Adds to the gain of each group sign times the energy that its trees and pairs have at q, v.
static void add_energies(const plModel* model, plData* data, Held* h, const double* q, const double* v,
                         double sign) {
  plWork* work = data->work;
  const plReduced* r = work->reduced;
  plTreeState own = work->tree;
  work->tree = h->state;
  pl_rigid_energies(model, data, q, v, h->energy);
  for (int t = 0; t < model->ntree; t++) h->group[h->root[t]].gain += sign * h->energy[t];
  for (int i = 0; i < r->n; i++)
    if (is_held(model, r->source[i])) group_of(h, r, i)->gain += sign * pl_pair_energy(model, data, r, i);
  work->tree = own;
}

// A row has the velocity of a point that moves with the origin of a free body. The body's own equations have
// that of its centre of mass at the end, around which the origin has turned: the difference is work of the
// pairs' forces too.
static void add_work_of_turning(const plModel* model, const plData* data, Held* h) {
  const plReduced* r = data->work->reduced;
  const double *v = data->work->v, *gamma = data->work->gamma;
  for (int i = 0; i < r->n; gamma += r->constraint[i++].nrow)
    for (int b = 0; b < r->constraint[i].nblock && is_held(model, r->source[i]); b++) {
      const plSapBlock* block = &r->constraint[i].block[b];
      const int nrow = r->constraint[i].nrow, v0 = model->tree_v0[block->clique];
      plVec3 way = pl_rigid_centre_turns(data, block->clique, v, 1);
      if (v3_norm2(way) == 0) continue;
      double f[3] = {0};
      for (int j = 0; j < 3; j++)
        for (int k = 0; k < nrow; k++) f[j] += block->J[nrow * j + k] * gamma[k];
      group_of(h, r, i)->given += v3_dot(v3_load(f), v3_cross(v3_load(v + v0 + 3), way));
    }
}

// The work of pairs, and what each group gains.
static void measure(const plModel* model, plData* data, Held* h) {
  plWork* work = data->work;
  const plReduced* r = work->reduced;
  for (int t = 0; t < model->ntree; t++) h->group[t].given = h->group[t].gain = 0;
  add_energies(model, data, h, data->q, data->v, -1);
  add_energies(model, data, h, work->tree_q, work->v, 1);
  // less the work of forces and of all constraints but pairs
  pl_reduced_forces(model, r, work->gamma, h->f);
  for (int t = 0; t < model->ntree; t++)
    for (int i = model->tree_v0[t]; i < model->tree_v0[t + 1]; i++)
      h->group[h->root[t]].gain -= work->v[i] * (data->par->options.dt * work->dof_force[i] + h->f[i]);
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow)
    for (int k = 0; k < r->constraint[i].nrow && is_held(model, r->source[i]); k++) {
      double work_of_row = work->gamma[row + k] * (work->vc[row + k] - r->rows[i].bias[k]);
      group_of(h, r, i)->given += work_of_row, group_of(h, r, i)->gain += work_of_row;
    }
  add_work_of_turning(model, data, h);
}

// Lets impulses act later in the motion of groups that gain; *any: there are some. The work of pairs is
// linear in the fraction.
static plStatus move_impulses(const plModel* model, plData* data, Held* h, bool* any) {
  plWork* work = data->work;
  measure(model, data, h);
  for (int t = 0; t < model->ntree; t++) {
    Group* at = &h->group[t];
    if (at->left || !(at->given > 0) || !(at->gain > SMALL_GAIN * at->given)) continue;
    double fraction = fmin(0.5, at->fraction + (0.5 - at->fraction) * at->gain / at->given);
    *any |= fraction > at->fraction;
    at->fraction = fraction;
  }
  if (!*any) return PL_OK;
  for (int t = 0; t < model->ntree; t++)
    for (int i = model->tree_v0[t]; i < model->tree_v0[t + 1]; i++)
      h->last[i] = h->group[h->root[t]].fraction * work->v[i];
  pl_step_state_after(data, h->last, &h->state);
  // lever arms about the centres of mass, to which A adds those of q0
  for (int t = 0; t < model->ntree; t++) {
    plVec3 way = pl_rigid_centre_turns(data, t, work->v, h->group[h->root[t]].fraction);
    int node = work->forest.tree_node0[t];
    h->state.tree_point[t] = v3_add(h->state.tree_point[t], m3_mulv(work->forest.node_R[node], way));
  }
  return pl_step_rows_at(model, data, &h->state, PL_ROWS_PAIR);
}

plStatus pl_step_unturn(const plModel* model, plData* data) {
  plWork* work = data->work;
  plReduced* r = work->reduced;
  const plUnturned* base = r->base;
  size_t size = (size_t)model->nv_rigid * sizeof(double);
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow)
    memcpy(r->rows[i].bias, base->bias + row, (size_t)r->constraint[i].nrow * sizeof(double));
  memcpy(data->v_star, base->v_star, size);
  memcpy(work->v_turn, base->v_turn, size);
  memcpy(r->v_star, base->v_star, size);
  r->base = NULL;
  plStatus status = pl_rows_along(model, data, r, PL_ROWS_PAIR);
  return status ? status : pl_exact_impulses(model, data, r);
}

static plStatus give_up(const plModel* model, plData* data) {
  plStatus status = pl_step_unturn(model, data);
  const double* v_guess = data->work->reduced->v_guess;
  return status ? status : pl_step_solve_reduced(model, data, v_guess, data->par->options.tolerance, true);
}

// The last change of v1. In the middle of the motion, bodies at rest count too: there it is relative to what
// impulses changed.
static double change_of(const plData* data, const Held* h) {
  const plWork* work = data->work;
  return h->middle ? pl_rigid_change_beside(data, work->v, h->last, h->base->v_star, h->base->held)
                   : pl_rigid_change(data, work->v, h->last, h->base->held);
}

// Whether a solve failed because the rounds diverge: they end with numbers that are too large to solve for.
static bool diverged(plStatus status) {
  return status == PL_ERROR_NOT_CONVERGED || status == PL_ERROR_INDEFINITE || status == PL_ERROR_NOT_FINITE;
}

// Solves until v1 no longer changes.
static plStatus settle(const plModel* model, plData* data, Held* h) {
  plWork* work = data->work;
  const plOptions* o = &data->par->options;
  size_t size = (size_t)model->nv_rigid * sizeof(double);
  const bool shorter = work->may_halve && !h->slow && !(h->middle && h->driven);
  double change = INFINITY, before = INFINITY;
  for (int k = 0; k < ROUNDS && change <= 0.5 * before; k++) {
    memcpy(h->last, work->v, size), memcpy(h->star, data->v_star, size);
    plStatus status = turn(model, data, h, work->v);
    pl_step_keep_impulses(model, work->reduced, h->star, h->v);
    if (!status) status = pl_step_solve_reduced(model, data, h->v, o->tolerance, true);
    if (diverged(status) && !shorter) {
      pl_error_clear(work->error);
      h->given_up = true;
      return give_up(model, data);
    }
    if (status) return status;
    before = change, change = change_of(data, h);
    look_ahead(model, data, work->v, h);
    if (change <= o->tolerance) return PL_OK;
  }
  if (change <= LOST) return PL_OK;
  h->given_up = true;
  return shorter ? PL_ERROR_NOT_CONVERGED : give_up(model, data);
}

plStatus pl_step_shake(const plModel* model, plData* data) {
  plWork* work = data->work;
  plReduced* r = work->reduced;
  const plOptions* o = &data->par->options;
  Held h = {.middle = o->theta_vq < 1};
  if (h.middle ? !pl_step_has_pairs(r) : !is_damped(data) || work->swing || !holds_single(model, data, r))
    return PL_OK;
  plStatus status = begin(model, data, &h);
  // an earlier call may have moved the impulses
  if (!status && r->base) status = pl_rows_along(model, data, r, PL_ROWS_PAIR);
  if (status) return status;
  look_ahead(model, data, work->v, &h);
  if (!h.middle) {
    make_groups(model, r, &h);
    h.slow = !turns(model, data, &h, false, pl_rigid_turn_of_part(data, PL_SMALL_TURN));
    if (h.slow && !r->base && !turns(model, data, &h, true, o->tolerance)) return PL_OK;
  }
  r->base = h.base, r->base->slow = h.slow, h.driven = has_drive(model, r);
  if (h.middle) return settle(model, data, &h);
  for (int k = 0;; k++) {
    bool any = false;
    status = settle(model, data, &h);
    if (!status && !h.given_up && k < MOVES) status = move_impulses(model, data, &h, &any);
    if (status || !any) return status;
    look_ahead(model, data, work->v, &h);
  }
}

plStatus pl_step_shake_along(const plModel* model, plData* data, const double* v, bool* changed) {
  const plUnturned* base = data->work->reduced->base;
  if (!base || pl_rigid_change(data, v, data->work->v_turn, base->held) <= LOST) return PL_OK;
  Held h = {.middle = data->par->options.theta_vq < 1};
  plStatus status = begin(model, data, &h);
  if (status) return status;
  look_ahead(model, data, v, &h);
  *changed = true;
  return turn(model, data, &h, v);
}

// arms.c: attachments to single rigid bodies that turn in a step, under backward Euler.
//
// The anchor of a vertex moves along an arc, but its row follows the tangent at q0. The two differ by the
// velocity c, so the impulse gamma does the work gamma . c on the body, and no other body pays for it.
// Backward Euler removes the energy of v1 - v0. Without a load the two cancel; under a load the body gains
// energy whenever the load rises (shake.c). With J taken in the middle of the motion this work is zero. For a
// body that gains, the problem is solved again with J at the point between q0 and the middle where the gain
// vanishes.
//
// in: reduced, work->v -> out: reduced, gamma, vc, work->v
#include <assert.h>
#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "math/pose.h"
#include "rigid/rigid.h"
#include "step/step.h"

enum { MOVES = 3 };
static const double SMALL_GAIN = 1e-3;  // a gain is ignored below this fraction of the work of arcs
// rad in a step: smaller turns are ignored; the energy swings by about a quarter of this angle, relatively
static const double SMALL_ANGLE = 0.1 * PL_SMALL_TURN;

// A single body that holds vertices.
typedef struct Arm {
  bool turns;
  double fraction;     // fraction of the motion where impulses act: 0 at q0
  double given, gain;  // J, the work gamma . c of arcs; the energy that the body gains
} Arm;

// Arrays that all functions share.
typedef struct Scratch {
  double *energy, *f, *v;  // [ntree], [nv], reduced velocities
  plTreeState state;
} Scratch;

// The tree of the body that holds a row of vertices, -1: none.
static int tree_of(const plModel* model, const plData* data, plRowSource source) {
  if (source.kind != PL_ROWS_ATTACHMENT) return -1;
  assert(source.index >= 0 && source.index < data->nattach);
  const plAttachment* a = &data->attach[source.index];
  int node = a->other >= 0 || a->body < 0 ? -1 : model->body_node[a->body];
  return node < 0 ? -1 : pl_tree_of_node(&data->work->forest, node);
}

// Bodies are numbered: first the trees, then the deformables. Bodies that constraints connect have one root.
static int body_of(const plModel* model, const plReduced* r, const plSapBlock* block) {
  assert(block->clique >= 0 && block->clique < r->problem.nclique);
  return block->clique < model->ntree ? block->clique : model->ntree + r->body[block->clique - model->ntree];
}

static bool has_fixed(const plModel* model, int b) {
  bool any = model->deform_plane[b];
  for (int i = model->deform_vert0[b]; i < model->deform_vert0[b + 1]; i++) any |= model->vert_fixed[i] != 0;
  return any;
}

// Whether each root is held by the world: by its joints, by vertices that are fixed, or by a constraint on
// nothing else.
static void find_held(const plModel* model, const plReduced* r, int* up, bool* held) {
  int n = model->ntree + model->ndeform;
  for (int i = 0; i < n; i++) up[i] = i;
  for (int i = 0; i < r->n; i++)
    for (int k = 1; k < r->constraint[i].nblock; k++)
      up[pl_step_root_of(up, body_of(model, r, &r->constraint[i].block[k]))] =
          pl_step_root_of(up, body_of(model, r, &r->constraint[i].block[0]));
  for (int i = 0; i < n; i++)
    held[pl_step_root_of(up, i)] |=
        i < model->ntree ? pl_tree_has_links(model, i) : has_fixed(model, i - model->ntree);
  for (int i = 0; i < r->n; i++) {
    int first = body_of(model, r, &r->constraint[i].block[0]);
    bool alone = true;
    for (int k = 1; k < r->constraint[i].nblock; k++)
      alone &= body_of(model, r, &r->constraint[i].block[k]) == first;
    held[pl_step_root_of(up, first)] |= alone;
  }
}

// Finds the bodies to be treated. Floating bodies are not among them: a load does not make them swing, and
// impulses that act elsewhere than at q0 would change their angular momentum.
static plStatus find_arms(const plModel* model, plData* data, Arm* arm, bool* any) {
  plWork* work = data->work;
  const plReduced* r = work->reduced;
  double angle = SMALL_ANGLE * data->par->options.dt / work->whole_dt;
  *any = false;
  for (int i = 0; i < r->n; i++) {
    int t = tree_of(model, data, r->source[i]);
    if (t < 0 || arm[t].turns) continue;
    arm[t].turns = !pl_tree_has_links(model, t) && pl_rigid_turns_far(model, data, t, work->v, angle);
    *any |= arm[t].turns;
  }
  if (!*any) return PL_OK;
  int* up = PL_ARENA_NEW(&work->step, int, model->ntree + model->ndeform);
  bool* held = PL_KEEP(&work->step, bool, model->ntree + model->ndeform);
  if (!up || !held) return PL_ERROR_MEMORY;
  find_held(model, r, up, held);
  *any = false;
  for (int t = 0; t < model->ntree; t++) *any |= arm[t].turns = arm[t].turns && held[pl_step_root_of(up, t)];
  return PL_OK;
}

static plVec3 anchor_at(plData* data, const plAttachment* a, int part, plTreeState state) {
  plTreeState own = data->work->tree;
  assert(part >= 0 && part < a->nvert);
  data->work->tree = state;
  plVec3 p = pose_apply(pl_body_pose(data, a->body), v3_load(a->anchor + 3 * (size_t)part));
  data->work->tree = own;
  return p;
}

// Energies of the trees at q, v; s->state is left there.
static void energies(const plModel* model, plData* data, Scratch* s, const double* q, const double* v) {
  plTreeState own = data->work->tree;
  data->work->tree = s->state;
  pl_rigid_energies(model, data, q, v, s->energy);
  data->work->tree = own;
}

static void measure(const plModel* model, plData* data, Scratch* s, Arm* arm) {
  plWork* work = data->work;
  const plReduced* r = work->reduced;
  double dt = data->par->options.dt;
  energies(model, data, s, data->q, data->v);
  for (int t = 0; t < model->ntree; t++) arm[t].given = 0, arm[t].gain = -s->energy[t];
  pl_tree_advance(&work->forest, data->q, work->v, dt, work->tree_q);
  pl_rigid_carry_centres(data, work->v, work->tree_q);
  energies(model, data, s, work->tree_q, work->v);
  pl_reduced_forces(model, r, work->gamma, s->f);
  for (int t = 0; t < model->ntree; t++) {
    arm[t].gain += s->energy[t];
    for (int i = model->tree_v0[t]; i < model->tree_v0[t + 1]; i++)
      arm[t].gain -= work->v[i] * (dt * work->dof_force[i] + s->f[i]);
  }
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow) {
    int t = tree_of(model, data, r->source[i]);
    if (t < 0 || !arm[t].turns) continue;
    const plAttachment* a = &data->attach[r->source[i].index];
    plVec3 c = v3_scale(1 / dt, v3_sub(anchor_at(data, a, r->source[i].part, s->state),
                                       anchor_at(data, a, r->source[i].part, work->tree)));
    assert(r->constraint[i].nrow == 3 && row + 3 <= r->nrow);
    // J of the holder has the opposite sign
    for (int b = 0; b < r->constraint[i].nblock; b++)
      for (int j = 0; r->constraint[i].block[b].clique == t && j < model->tree_v0[t + 1] - model->tree_v0[t];
           j++)
        c = v3_madd(c, work->v[model->tree_v0[t] + j], v3_load(r->constraint[i].block[b].J + 3 * j));
    arm[t].given += v3_dot(v3_load(work->gamma + row), c);
  }
}

// Lets impulses act later in the motion of bodies that gain; returns whether there are any.
static bool move_later(const plModel* model, Arm* arm) {
  bool any = false;
  for (int t = 0; t < model->ntree; t++) {
    double net = arm[t].gain + arm[t].given, now = arm[t].fraction;
    if (!arm[t].turns || !(arm[t].given > 0) || !(net > SMALL_GAIN * arm[t].given)) continue;
    arm[t].fraction = fmin(0.5, now + (0.5 - now) * net / arm[t].given);
    any |= arm[t].fraction > now;
  }
  return any;
}

static plStatus move_rows(const plModel* model, plData* data, Scratch* s, const Arm* arm) {
  plWork* work = data->work;
  for (int t = 0; t < model->ntree; t++)
    for (int i = model->tree_v0[t]; i < model->tree_v0[t + 1]; i++) s->f[i] = arm[t].fraction * work->v[i];
  pl_step_state_after(data, s->f, &s->state);
  return pl_step_rows_at(model, data, &s->state, PL_ROWS_ATTACHMENT);
}

plStatus pl_step_arms(const plModel* model, plData* data) {
  plWork* work = data->work;
  plReduced* r = work->reduced;
  const plOptions* o = &data->par->options;
  if (o->theta < 1 || o->theta_vq < 1 || work->damped || r->nexact || !data->nattach || !model->ntree)
    return PL_OK;
  Arm* arm = PL_KEEP(&work->step, Arm, model->ntree);
  Scratch s = {.energy = PL_ARENA_NEW(&work->step, double, model->ntree),
               .f = PL_ARENA_NEW(&work->step, double, model->nv),
               .v = PL_ARENA_NEW(&work->step, double, r->clique_v0[r->problem.nclique])};
  if (!arm || !s.energy || !s.f || !s.v || !pl_tree_state_new(&work->forest, &work->step, &s.state))
    return PL_ERROR_MEMORY;
  bool any;
  plStatus status = find_arms(model, data, arm, &any);
  if (status || !any) return status;
  for (int k = 0; k < MOVES; k++) {
    measure(model, data, &s, arm);
    if (!move_later(model, arm)) return PL_OK;
    status = move_rows(model, data, &s, arm);
    pl_reduced_gather(model, r, work->v, s.v);
    if (!status) status = pl_step_solve_reduced(model, data, s.v, o->tolerance, true);
    if (status) return status;
  }
  return PL_OK;
}

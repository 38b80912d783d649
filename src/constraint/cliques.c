// cliques.c: how participating vertices are grouped into the cliques of the convex problem.
//
// One clique per body would be sufficient. But the rows of the Hessian for vertices without contact (attached
// ones) are constant during a solve, and vertices that touch different bodies are connected only by A_hat. As
// separate cliques, the former are factored once, and products of the latter with bodies that they do not
// touch are avoided. Contacts are searched as far ahead as anything could move in the step, and most of those
// found stay open. Vertices that only such points touch form cliques of their own too; the solver handles
// these once unless one of the points closes.
//
// in: work->point, participating, v_guess, v_star -> out: plReduced: body, vert, clique_vert0, clique_v0,
// clique_of_vert, row_of_vert, likely_open
#include <assert.h>

#include "constraint/constraint.h"
#include "math/spatial.h"
#include "rigid/tree.h"

// Number of touched vertices of a body from which they are grouped, and from which those that only open
// points touch have a group. Rounds of Coulomb's friction solve the problem several times; then that is worth
// it for fewer.
enum { WORTH = 24, WORTH_OPEN = 40 };
// Touched by any constraint; touched only by points that will probably stay open.
static const uint64_t CONTACT = 1ULL << 63, OPEN = 1ULL << 62;

// A bit for the tree or deformable body of a side (several may share a bit: their vertices are then in one
// group); 0 for the world.
static uint64_t partner(const plModel* model, const plContactSide* side) {
  int id = model->ntree + side->body;
  if (side->shape_id >= 0) {
    int body = model->shape_body[side->shape_id], node = body < 0 ? -1 : model->body_node[body];
    if (node < 0) return 0;
    id = pl_tree_of_node(model->work->tree, node);
  }
  return 1ULL << id % 62;
}

// Velocity of a side's point for the velocities v; for a rigid shape always that at the start of the step.
static plVec3 side_velocity(const plModel* model, const plWork* work, const plContactPoint* point,
                            const plContactSide* side, const double* v) {
  plVec3 sum = v3(0, 0, 0);
  if (side->shape_id >= 0) {
    int body = model->shape_body[side->shape_id], node = body < 0 ? -1 : model->body_node[body];
    if (node < 0) return sum;
    plVec3 origin = work->tree.tree_point[pl_tree_of_node(model->work->tree, node)];
    return motion_at(work->tree.node_V[node], v3_sub(point->position, origin));
  }
  for (int k = 0; k < side->nvert; k++)
    sum = v3_madd(
        sum, side->weight[k],
        v3_load(v + model->deform_v0[side->body] + 3 * (side->vert[k] - model->deform_vert0[side->body])));
  return sum;
}

// Whether a point will probably stay open; a wrong guess only costs time. At v0 it keeps at least half of its
// gap, and halfway between v0 and v* it is still open.
static bool stays_open(const plModel* model, const plData* data, const plContactPoint* p) {
  const plWork* work = data->work;
  double room = data->par->options.gap_closing * p->gap / data->par->options.dt;
  if (!(room > 0)) return false;
  plVec3 first = v3_sub(side_velocity(model, work, p, &p->b, work->v_guess),
                        side_velocity(model, work, p, &p->a, work->v_guess));
  plVec3 last = v3_sub(side_velocity(model, work, p, &p->b, data->v_star),
                       side_velocity(model, work, p, &p->a, data->v_star));
  double at_first = v3_dot(first, p->normal), at_last = v3_dot(last, p->normal);
  return at_first > -0.5 * room && 0.5 * (at_first + at_last) > -room;
}

static void mark(const plContactSide* side, uint64_t bits, bool open, uint64_t* key) {
  for (int k = 0; k < side->nvert; k++) {
    uint64_t* of = &key[side->vert[k]];
    if (!open)
      *of = (*of & ~OPEN) | CONTACT | bits;
    else if (!(*of & CONTACT))
      *of = OPEN;
  }
}

// The groups of body b, each in ascending order of vertices. Vertices without contact come first; vertices
// for which there is no group left join the last one.
static int find_groups(const plModel* model, const plWork* work, int b, uint64_t* key, int* group) {
  uint64_t seen[PL_CLIQUES_OF_BODY] = {0};
  int vert0 = model->deform_vert0[b], touched = 0, n = 1;
  const int worth_open = work->par->options.contact_law == PL_LAW_COULOMB ? WORTH : WORTH_OPEN;
  for (int i = 0; i < work->nparticipating[b]; i++)
    touched += key[vert0 + work->participating[vert0 + i]] != 0;
  for (int i = 0; i < work->nparticipating[b]; i++) {
    uint64_t* of = &key[vert0 + work->participating[vert0 + i]];
    if (*of && touched < (*of == OPEN ? worth_open : WORTH)) *of = CONTACT;
    uint64_t k = *of;
    int g = 0;
    while (g < n && seen[g] != k) g++;
    if (g == n && n < PL_CLIQUES_OF_BODY) seen[n++] = k;
    group[i] = g < n ? g : n - 1;
  }
  return n;
}

static bool touches_open(const plContactSide* side, const uint64_t* key) {
  for (int k = 0; k < side->nvert; k++)
    if (key[side->vert[k]] == OPEN) return true;
  return false;
}

plStatus pl_reduced_cliques(const plModel* model, plData* data, plReduced* r) {
  plWork* work = data->work;
  plArena* arena = &work->step;
  int ntree = model->ntree, most = PL_CLIQUES_OF_BODY * model->ndeform, c = 0, n = 0;
  r->body = PL_ARENA_NEW(arena, int, most);
  r->clique_vert0 = PL_KEEP(arena, int, most + 1);
  r->vert = PL_ARENA_NEW(arena, int, model->nvert);
  r->clique_v0 = PL_KEEP(arena, int, ntree + most + 1);
  r->clique_of_vert = PL_ARENA_NEW(arena, int, model->nvert);
  r->row_of_vert = PL_ARENA_NEW(arena, int, model->nvert);
  uint64_t* key = PL_KEEP(arena, uint64_t, model->nvert);
  int* group = PL_ARENA_NEW(arena, int, model->nvert);
  r->likely_open = PL_ARENA_NEW(arena, bool, work->npoint);
  if (arena->failed) return PL_ERROR_MEMORY;
  for (int i = 0; i < work->npoint; i++) {
    const plContactPoint* p = &work->point[i];
    bool open = r->likely_open[i] = stays_open(model, data, p);
    mark(&p->a, partner(model, &p->b), open, key);
    mark(&p->b, partner(model, &p->a), open, key);
  }
  for (int t = 0; t < ntree; t++) r->clique_v0[t + 1] = model->tree_v0[t + 1];
  for (int i = 0; i < model->nvert; i++) r->clique_of_vert[i] = r->row_of_vert[i] = -1;
  for (int b = 0; b < model->ndeform; b++) {
    int vert0 = model->deform_vert0[b], groups = find_groups(model, work, b, key, group);
    for (int g = 0; g < groups; g++) {
      int first = n;
      for (int i = 0; i < work->nparticipating[b]; i++) {
        int vert = work->participating[vert0 + i];
        if (group[i] != g || r->exact_of_vert[vert0 + vert] >= 0) continue;
        assert(n < model->nvert);
        r->vert[n] = vert;
        r->clique_of_vert[vert0 + vert] = ntree + c;
        r->row_of_vert[vert0 + vert] = n++ - first;
      }
      if (n == first) continue;
      assert(c < most);
      r->body[c++] = b;
      r->clique_vert0[c] = n;
      r->clique_v0[ntree + c] = r->clique_v0[ntree + c - 1] + 3 * (n - first);
    }
  }
  r->problem.nclique = ntree + c;
  // a point without a group of its own is treated like any other
  for (int i = 0; i < work->npoint; i++) {
    const plContactPoint* p = &work->point[i];
    r->likely_open[i] = r->likely_open[i] && (touches_open(&p->a, key) || touches_open(&p->b, key));
  }
  return PL_OK;
}

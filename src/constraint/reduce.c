// reduce.c: the convex problem on participating DoFs: A_hat, v*_p, J, laws.                                        (20)
//
// A contact's velocity is v_c = Q' (v_B - v_A), Q = [t1 t2 n] with n from A to B. Where a vertex' motion is given, its column of J is
// zero and its velocity goes into the bias.
//
// in: work->point, chol (A_hat), v_star -> out: plReduced
#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "math/mat3.h"

// Two tangents to a unit normal, the same ones each time.
static void make_frame(plVec3 n, plVec3 frame[3]) {
  double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  plVec3 axis = x <= y && x <= z ? v3(1, 0, 0) : y <= z ? v3(0, 1, 0) : v3(0, 0, 1);
  frame[0] = v3_unit(v3_cross(axis, n));
  frame[1] = v3_cross(n, frame[0]);
  frame[2] = n;
}

// Cliques: A_hat and v* of every body that takes part.
static plStatus make_cliques(const plModel* model, plData* data, plReduced* r) {
  plWork* work = data->work;
  plArena* arena = &work->step;
  int nclique = 0, nv = 0;
  r->body = PL_KEEP(arena, int, model->ndeform);
  r->clique = PL_KEEP(arena, int, model->ndeform);
  r->row_of_vert = PL_KEEP(arena, int, model->nvert);
  if (arena->failed) return PL_ERROR_MEMORY;
  for (int i = 0; i < model->nvert; i++) r->row_of_vert[i] = -1;
  for (int b = 0; b < model->ndeform; b++) {
    r->clique[b] = work->nparticipating[b] ? nclique : -1;
    if (work->nparticipating[b]) r->body[nclique++] = b, nv += 3 * work->nparticipating[b];
  }
  int* clique_nv = PL_ARENA_NEW(arena, int, nclique);
  const double** A = PL_ARENA_NEW(arena, const double*, nclique);
  double* v_star = PL_ARENA_NEW(arena, double, nv);
  r->v_guess = PL_ARENA_NEW(arena, double, nv);
  if (arena->failed) return PL_ERROR_MEMORY;
  for (int c = 0, at = 0; c < nclique; c++) {
    int b = r->body[c], vert0 = model->deform_vert0[b], np = work->nparticipating[b];
    double* A_hat = PL_KEEP(arena, double, 9 * (size_t)np * (size_t)np);
    if (!A_hat) return PL_ERROR_MEMORY;
    pl_chol_schur(work->chol[b], A_hat, 3 * np);
    clique_nv[c] = 3 * np;
    A[c] = A_hat;
    for (int i = 0; i < np; i++) {
      int vert = work->participating[vert0 + i];
      r->row_of_vert[vert0 + vert] = i;
      for (int k = 0; k < 3; k++, at++) {
        v_star[at] = data->v_star[model->deform_v0[b] + 3 * vert + k];
        r->v_guess[at] = work->v_guess[model->deform_v0[b] + 3 * vert + k];
      }
    }
  }
  r->problem = (plSapProblem){.nclique = nclique, .clique_nv = clique_nv, .A = A, .v_star = v_star};
  return PL_OK;
}

// One side's block of J: sign Q' on each vertex, times its weight. Given components are left out and added to the bias.
static plStatus make_block(const plModel* model, plData* data, const plReduced* r, const plContactSide* side, double sign,
                           const plVec3 frame[3], plSapBlock* block, double bias[3]) {
  plArena* arena = &data->work->step;
  int* vert = PL_ARENA_NEW(arena, int, side->nvert);
  double* J = PL_ARENA_NEW(arena, double, 9 * side->nvert);
  if (!vert || !J) return PL_ERROR_MEMORY;
  for (int i = 0; i < side->nvert; i++) {
    int v = side->vert[i], local = v - model->deform_vert0[side->body];
    vert[i] = r->row_of_vert[v];
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) {
        const double axis[3] = {frame[k].x, frame[k].y, frame[k].z};
        double entry = sign * side->weight[i] * axis[c];
        bool given = model->vert_fixed[v] >> c & 1;
        J[9 * i + 3 * c + k] = given ? 0 : entry;
        if (given) bias[k] += entry * data->work->v_guess[model->deform_v0[side->body] + 3 * local + c];
      }
  }
  *block = (plSapBlock){.clique = r->clique[side->body], .nvert = side->nvert, .vert = vert, .J = J};
  return PL_OK;
}

static const plSurface* side_surface(const plModel* model, const plContactSide* side) {
  return side->geom >= 0 ? &model->geom_surface[side->geom] : &model->deform_surface[side->body];
}

// Combined properties of two surfaces: mu = 2 a b/(a + b), stiffness in series, relaxation times added, dissipation weighted.
static plSurface combine(const plSurface* a, const plSurface* b) {
  plSurface s;
  s.friction = a->friction + b->friction > 0 ? 2 * a->friction * b->friction / (a->friction + b->friction) : 0;
  double ca = 1 / a->contact_stiffness, cb = 1 / b->contact_stiffness;
  s.contact_stiffness = 1 / (ca + cb);
  s.relaxation_time = a->relaxation_time + b->relaxation_time;
  s.dissipation = ca + cb > 0 ? (ca * a->dissipation + cb * b->dissipation) / (ca + cb) : 0.5 * (a->dissipation + b->dissipation);
  return s;
}

// The law's numbers, once J is known (the Delassus estimate needs it).
static void make_law(const plModel* model, const plReduced* r, const plContactPoint* point, plSapConstraint* constraint) {
  const plOptions* o = &model->options;
  plSurface s = combine(side_surface(model, &point->a), side_surface(model, &point->b));
  double w = pl_sap_delassus(&r->problem, constraint), k = s.contact_stiffness * point->area;
  if (o->contact_law == PL_LAW_CONE) {
    constraint->law = PL_SAP_CONE;
    constraint->cone = pl_sap_cone(o->dt, s.friction, k, s.relaxation_time, point->gap, w, point->share, o->near_rigid, o->friction_sigma);
    return;
  }
  // Hunt-Crossley: a finite stiffness is needed for the elastic force; the near-rigid one where none was given.
  double k_rigid = 4 * M_PI * M_PI * point->share / (o->near_rigid * o->near_rigid * w * o->dt * o->dt);
  if (k > k_rigid) k = k_rigid;
  double vn0 = 0;
  for (int i = 0; i < constraint->nblock; i++)
    for (int j = 0; j < 3 * constraint->block[i].nvert; j++) {
      int first = 0;
      for (int c = 0; c < constraint->block[i].clique; c++) first += r->problem.clique_nv[c];
      vn0 += constraint->block[i].J[3 * j + 2] * r->v_guess[first + 3 * constraint->block[i].vert[j / 3] + j % 3];
    }
  constraint->law = o->contact_law == PL_LAW_LAGGED ? PL_SAP_LAGGED : PL_SAP_SIMILAR;
  constraint->hunt_crossley =
      pl_sap_hunt_crossley(o->dt, s.friction, k, s.dissipation, -k * point->gap, vn0, w / point->share, 1e-4, 0, o->friction_sigma);
}

plStatus pl_constraint_reduce(const plModel* model, plData* data, plReduced* r) {
  plWork* work = data->work;
  plArena* arena = &work->step;
  plStatus status = make_cliques(model, data, r);
  if (status) return status;
  plSapConstraint* constraint = PL_KEEP(arena, plSapConstraint, work->npoint);
  r->frame = pl_arena_alloc(arena, (size_t)work->npoint, sizeof *r->frame);
  if (arena->failed) return PL_ERROR_MEMORY;
  for (int i = 0; i < work->npoint; i++) {
    const plContactPoint* point = &work->point[i];
    make_frame(point->normal, r->frame[i]);
    plSapBlock* block = PL_KEEP(arena, plSapBlock, 2);
    double* bias = PL_KEEP(arena, double, 3);
    if (arena->failed) return PL_ERROR_MEMORY;
    constraint[i] = (plSapConstraint){.nrow = 3, .block = block, .bias = bias};
    if (point->a.nvert) status = make_block(model, data, r, &point->a, -1, r->frame[i], &block[constraint[i].nblock++], bias);
    if (!status && point->b.nvert) status = make_block(model, data, r, &point->b, 1, r->frame[i], &block[constraint[i].nblock++], bias);
    if (status) return status;
    make_law(model, r, point, &constraint[i]);
  }
  r->problem.nconstraint = work->npoint;
  r->problem.constraint = constraint;
  return PL_OK;
}

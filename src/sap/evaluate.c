// evaluate.c: evaluates the problem at a velocity: constraint velocities, impulses, Hessians of the laws,
// cost and gradient.
//
// x -> vc, p; vc -> gamma, G, region, cost; p, gamma -> grad
#include <assert.h>

#include "sap/workspace.h"

typedef struct LawLoop {
  const plSapWorkspace* ws;
  const double* vc;
  double *cost, *gamma, *G;
  plSapRegion* region;
} LawLoop;

static void law_range(void* context, int begin, int end, int worker) {
  LawLoop* loop = context;
  const plSapLayout* lay = &loop->ws->lay;
  (void)worker;
  assert(lay->con_row0[end] <= lay->nrow && lay->con_G0[end] <= lay->nG);
  for (int i = begin; i < end; i++) {
    int r0 = lay->con_row0[i];
    plSapRegion region =
        pl_sap_calc(loop->ws->problem->constraint + i, loop->vc + r0, loop->cost ? loop->cost + i : NULL,
                    loop->gamma + r0, loop->G ? loop->G + lay->con_G0[i] : NULL);
    if (loop->region) loop->region[i] = region;
  }
}

void pl_sap_laws(const plSapWorkspace* ws, const double* vc, double* cost, double* gamma, double* G,
                 plSapRegion* region, plPool* pool) {
  LawLoop loop = {ws, vc, cost, gamma, G, region};
  pl_parallel_for(pool, ws->lay.nconstraint, 128, law_range, &loop);
}

double pl_sap_cost(plSapWorkspace* ws, const double* x, const double* p, const double* vc) {
  const plSapLayout* lay = &ws->lay;
  double cost = 0;
  for (int i = 0; i < lay->nv; i++) cost += 0.5 * x[i] * p[i];
  for (int i = 0; i < lay->nconstraint; i++) {
    double l;
    (void)pl_sap_calc(ws->problem->constraint + i, vc + lay->con_row0[i], &l, ws->ls_gamma + lay->con_row0[i],
                      NULL);
    cost += l;
  }
  return cost;
}

double pl_sap_evaluated_cost(const plSapWorkspace* ws) {
  double cost = 0;
  for (int i = 0; i < ws->lay.nv; i++) cost += 0.5 * ws->x[i] * ws->p[i];
  for (int i = 0; i < ws->lay.nconstraint; i++) cost += ws->con_cost[i];
  return cost;
}

// vc = J (v_star + x) + b
void pl_sap_update_constraint_velocity(plSapWorkspace* ws) {
  pl_sap_mul_J(ws, ws->x, ws->vc);
  for (int i = 0; i < ws->lay.nrow; i++) ws->vc[i] += ws->vc0[i];
}

// the same, and p = A x
void pl_sap_update_velocity(plSapWorkspace* ws) {
  pl_sap_update_constraint_velocity(ws);
  pl_sap_mul_A(ws, ws->x, ws->p);
  ws->p_exact = true;
}

void pl_sap_gradient(plSapWorkspace* ws) {
  for (int i = 0; i < ws->lay.nv; i++) ws->grad[i] = ws->p[i] - ws->jg[i];
}

double pl_sap_evaluate_laws(plSapWorkspace* ws, plPool* pool) {
  pl_sap_laws(ws, ws->vc, ws->con_cost, ws->gamma, ws->G, ws->region, pool);
  return pl_sap_evaluated_cost(ws);
}

void pl_sap_evaluate(plSapWorkspace* ws, plPool* pool) {
  if (!ws->evaluated) pl_sap_laws(ws, ws->vc, ws->con_cost, ws->gamma, ws->G, ws->region, pool);
  ws->evaluated = ws->summed = false;
  pl_sap_mul_Jt(ws, ws->gamma, ws->jg);
  pl_sap_gradient(ws);
}

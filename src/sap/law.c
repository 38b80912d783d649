// law.c: evaluates any law by its kind, and checks the laws' parameters.
#include "sap/law.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

// ---- the laws, each in its own file

// gamma [3], G [9] or NULL, cost or NULL
plSapRegion pl_sap_cone_calc(const plSapCone* law, const double* vc, double* cost, double* gamma, double* G);
plSapRegion pl_sap_similar_calc(const plSapHuntCrossley* law, const double* vc, double* cost, double* gamma,
                                double* G);
// one row: gamma [1], G [1] or NULL, cost or NULL
plSapRegion pl_sap_bilateral_calc(const plSapRow* law, double vc, double* cost, double* gamma, double* G);
plSapRegion pl_sap_unilateral_calc(const plSapRow* law, double vc, double* cost, double* gamma, double* G);
plSapRegion pl_sap_bounded_calc(const plSapRow* law, double vc, double* cost, double* gamma, double* G);
plSapRegion pl_sap_actuator_calc(const plSapActuator* law, double vc, double* cost, double* gamma, double* G);

// ---- by kind

static plSapRegion rows_calc(const plSapConstraint* c, const double* vc, double* cost, double* gamma,
                             double* G) {
  plSapRegion region = PL_SAP_OPEN;
  if (cost) *cost = 0;
  for (int i = 0; i < c->nrow; i++) {
    double l = 0, *pl = cost ? &l : NULL, *pG = G ? G + i : NULL;
    switch (c->law) {
      case PL_SAP_BILATERAL:
        region = pl_sap_bilateral_calc(c->row + i, vc[i], pl, gamma + i, pG);
        break;
      case PL_SAP_UNILATERAL:
        region = pl_sap_unilateral_calc(c->row + i, vc[i], pl, gamma + i, pG);
        break;
      default:
        region = pl_sap_bounded_calc(c->row + i, vc[i], pl, gamma + i, pG);
        break;
    }
    if (cost) *cost += l;
  }
  return region;
}

plSapRegion pl_sap_calc(const plSapConstraint* c, const double* vc, double* cost, double* gamma, double* G) {
  switch (c->law) {
    case PL_SAP_CONE:
      return pl_sap_cone_calc(&c->cone, vc, cost, gamma, G);
    case PL_SAP_SIMILAR:
      return pl_sap_similar_calc(&c->hunt_crossley, vc, cost, gamma, G);
    case PL_SAP_ACTUATOR:
      return pl_sap_actuator_calc(&c->actuator, vc[0], cost, gamma, G);
    default:
      return rows_calc(c, vc, cost, gamma, G);
  }
}

void pl_sap_law(const plSapConstraint* constraint, const double* vc, double* cost, double* gamma, double* G) {
  assert(constraint != NULL && vc != NULL);
  // laws always write gamma; rows are evaluated one by one, so a small buffer is enough
  double buffer[3];
  if (gamma || pl_sap_is_contact(constraint->law) || constraint->nrow <= 3) {
    (void)pl_sap_calc(constraint, vc, cost, gamma ? gamma : buffer, G);
    return;
  }
  plSapConstraint one = *constraint;
  one.nrow = 1;
  if (cost) *cost = 0;
  for (int i = 0; i < constraint->nrow; i++) {
    double l;
    one.row = constraint->row + i;
    (void)pl_sap_calc(&one, vc + i, &l, buffer, G ? G + i : NULL);
    if (cost) *cost += l;
  }
}

static const char* cone_fault(const plSapCone* p) {
  if (!(p->mu >= 0) || isinf(p->mu)) return "the friction coefficient must be zero or positive and finite";
  if (!(p->R_t > 0) || isinf(p->R_t)) return "R_t must be positive and finite";
  if (!(p->R_n > 0) || isinf(p->R_n)) return "R_n must be positive and finite";
  if (!isfinite(p->v_hat_n)) return "v_hat_n must be finite";
  return NULL;
}

static const char* hunt_crossley_fault(const plSapHuntCrossley* p) {
  if (!(p->mu >= 0) || isinf(p->mu)) return "the friction coefficient must be zero or positive and finite";
  if (!(p->dt > 0) || isinf(p->dt)) return "dt must be positive and finite";
  if (!(p->k >= 0) || isinf(p->k)) return "the stiffness must be zero or positive and finite";
  if (!(p->d >= 0) || isinf(p->d)) return "the dissipation must be zero or positive and finite";
  if (!isfinite(p->f_e)) return "f_e must be finite";
  if (!(p->v_s > 0) || isinf(p->v_s)) return "v_s must be positive and finite";
  return NULL;
}

static const char* row_fault(const plSapRow* p, bool bounded) {
  if (!(p->R > 0) || isinf(p->R)) return "R must be positive and finite";
  if (!isfinite(p->v_hat)) return "v_hat must be finite";
  if (bounded && !(p->lower <= p->upper)) return "lower must not be above upper";
  if (bounded && (p->lower == INFINITY || p->upper == -INFINITY))
    return "lower must be below infinity and upper above -infinity";
  return NULL;
}

static const char* actuator_fault(const plSapActuator* p) {
  if (!(p->dt > 0) || isinf(p->dt)) return "dt must be positive and finite";
  if (!(p->kp >= 0 && p->kd >= 0) || isinf(p->kp) || isinf(p->kd))
    return "gains must be zero or positive and finite";
  if (p->kp == 0 && p->kd == 0) return "one of the gains must be positive";
  if (!isfinite(p->u0)) return "u0 must be finite";
  if (!(p->lower <= p->upper)) return "the lower effort limit must not be above the upper one";
  if (p->lower == INFINITY || p->upper == -INFINITY) return "the effort limits must leave a finite effort";
  return NULL;
}

const char* pl_sap_law_fault(const plSapConstraint* c) {
  if ((int)c->law < 0 || c->law >= PL_SAP_LAW_COUNT) return "the law is not one of plSapLaw";
  if (pl_sap_is_contact(c->law) && c->nrow != 3) return "a contact law has 3 rows";
  if (c->law == PL_SAP_ACTUATOR && c->nrow != 1) return "an actuator has 1 row";
  if (c->nrow < 1) return "a constraint has at least 1 row";
  if (c->law == PL_SAP_CONE) return cone_fault(&c->cone);
  if (c->law == PL_SAP_ACTUATOR) return actuator_fault(&c->actuator);
  if (pl_sap_is_contact(c->law)) return hunt_crossley_fault(&c->hunt_crossley);
  if (!c->row) return "the rows' parameters are missing";
  for (int i = 0; i < c->nrow; i++) {
    const char* fault = row_fault(c->row + i, c->law == PL_SAP_BOUNDED);
    if (fault) return fault;
  }
  return NULL;
}

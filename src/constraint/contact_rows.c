// contact_rows.c: contact points -> rows and laws. v_c = Q' (v_B - v_A), Q = [t1 t2 n], n from A to B.
#include <math.h>

#include "constraint/constraint.h"
#include "math/pose.h"

// Two tangents to a unit normal, the same ones each time.
static void make_frame(plVec3 n, plVec3 frame[3]) {
  double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  plVec3 axis = x <= y && x <= z ? v3(1, 0, 0) : y <= z ? v3(0, 1, 0) : v3(0, 0, 1);
  frame[0] = v3_unit(v3_cross(axis, n));
  frame[1] = v3_cross(n, frame[0]);
  frame[2] = n;
}

static const plSurface* side_surface(const plModel* model, const plContactSide* side) {
  return side->geom >= 0 ? &model->geom_surface[side->geom] : &model->deform_surface[side->body];
}

// Combined properties of two surfaces: mu = 2 a b/(a + b), stiffness in series, relaxation times added, dissipation weighted.
static plSurface combine(const plSurface* a, const plSurface* b) {
  plSurface s = {0};
  s.friction = a->friction + b->friction > 0 ? 2 * a->friction * b->friction / (a->friction + b->friction) : 0;
  double ca = 1 / a->contact_stiffness, cb = 1 / b->contact_stiffness;
  s.contact_stiffness = 1 / (ca + cb);
  s.relaxation_time = a->relaxation_time + b->relaxation_time;
  s.dissipation = ca + cb > 0 ? (ca * a->dissipation + cb * b->dissipation) / (ca + cb) : 0.5 * (a->dissipation + b->dissipation);
  return s;
}

// The stiffness (N/m) of a point on its spring, which is elastic: the surfaces relax as far as they are what gives way.
static double put_on_spring(plSurface* s, double area, double give) {
  double own = 1 / (s->contact_stiffness * area);
  if (give > 0) s->relaxation_time *= own / (own + give);
  return 1 / (own + give);
}

// The law's numbers, once J is known (the Delassus estimate needs it).
static void make_law(const plModel* model, const plReduced* r, const plContactPoint* point, plSapConstraint* c) {
  const plOptions* o = &model->options;
  plSurface s = combine(side_surface(model, &point->a), side_surface(model, &point->b));
  double w = pl_rows_delassus(r, c), k = put_on_spring(&s, point->area, point->spring.give);
  if (o->contact_law == PL_LAW_CONE) {
    c->law = PL_SAP_CONE;
    // v_hat_n = -phi/dt of a gap: a part of it may close.
    double gap = point->gap > 0 ? o->gap_closing * point->gap : point->gap - point->spring.rest;
    c->cone = pl_sap_cone(o->dt, s.friction, k, s.relaxation_time, gap, w, point->share, o->near_rigid, o->friction_sigma);
    return;
  }
  // Hunt-Crossley: a finite stiffness is needed for the elastic force; the near-rigid one where none was given.
  double k_rigid = 4 * M_PI * M_PI * point->share / (o->near_rigid * o->near_rigid * w * o->dt * o->dt), vc[3];
  if (k > k_rigid) k = k_rigid;
  pl_rows_velocity(r, c, vc);
  c->law = o->contact_law == PL_LAW_LAGGED ? PL_SAP_LAGGED : PL_SAP_SIMILAR;
  c->hunt_crossley =
      pl_sap_hunt_crossley(o->dt, s.friction, k, s.dissipation, -k * (point->gap - point->spring.rest), vc[2], w / point->share, 1e-4, 0, o->friction_sigma);
}

static plStatus add_side(const plModel* model, plData* data, plReduced* r, plSapConstraint* c, const plContactPoint* point,
                         const plContactSide* side, const plVec3 frame[3], double sign) {
  if (side->geom < 0) return pl_rows_add_vertices(model, data, r, c, side->body, side->nvert, side->vert, side->weight, frame, sign);
  return pl_rows_add_body(model, data, r, c, 0, model->geom_body[side->geom], point->position, frame, sign, false);
}

// A belt runs along its surface: what the shape's own motion does not know enters the bias of the two tangential rows.
static void add_belt(const plModel* model, const plData* data, plSapConstraint* c, const plContactSide* side, const plVec3 frame[3], double sign) {
  if (side->geom < 0) return;
  plVec3 u = model->geom_surface[side->geom].surface_velocity;
  if (!(v3_norm2(u) > 0)) return;
  u = quat_rotate(data->work->geom_world[side->geom].q, u);
  for (int k = 0; k < 2; k++) ((double*)c->bias)[k] += sign * v3_dot(frame[k], u);
}

plStatus pl_rows_contacts(const plModel* model, plData* data, plReduced* r) {
  plWork* work = data->work;
  r->frame = pl_arena_alloc(&work->step, (size_t)work->npoint, sizeof *r->frame);
  if (!r->frame) return PL_ERROR_MEMORY;
  for (int i = 0; i < work->npoint; i++) {
    const plContactPoint* point = &work->point[i];
    make_frame(point->normal, r->frame[i]);
    plSapConstraint* c = pl_rows_new(data, r, PL_ROWS_CONTACT, i, 3);
    if (!c) return PL_ERROR_MEMORY;
    plStatus status = add_side(model, data, r, c, point, &point->a, r->frame[i], -1);
    if (!status) status = add_side(model, data, r, c, point, &point->b, r->frame[i], 1);
    if (status) return status;
    add_belt(model, data, c, &point->a, r->frame[i], -1);
    add_belt(model, data, c, &point->b, r->frame[i], 1);
    make_law(model, r, point, c);
    c->likely_open = r->likely_open[i];
  }
  return PL_OK;
}

// contact_rows.c: contact points -> rows and laws. v_c = Q' (v_B - v_A), Q = [t1 t2 n], n from A to B.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "math/frame.h"
#include "math/pose.h"
#include "rigid/tree.h"

// The two tangents, then the normal.
static void make_frame(plVec3 n, plVec3 frame[3]) {
  v3_tangents(n, &frame[0], &frame[1]);
  frame[2] = n;
}

static const plSurface* side_surface(const plData* data, const plContactSide* side) {
  return side->shape_id >= 0 ? &data->par->shape_surface[side->shape_id]
                             : &data->par->deform_surface[side->body];
}

// Combined properties of two surfaces: mu = 2 a b/(a + b), stiffness in series, relaxation times added,
// dissipation weighted.
static plSurface combine(const plSurface* a, const plSurface* b) {
  plSurface s = {0};
  s.friction =
      a->friction + b->friction > 0 ? 2 * a->friction * b->friction / (a->friction + b->friction) : 0;
  double ca = 1 / a->contact_stiffness, cb = 1 / b->contact_stiffness;
  s.contact_stiffness = 1 / (ca + cb);
  s.relaxation_time = a->relaxation_time + b->relaxation_time;
  s.dissipation = ca + cb > 0 ? (ca * a->dissipation + cb * b->dissipation) / (ca + cb)
                              : 0.5 * (a->dissipation + b->dissipation);
  return s;
}

// The combined surface of two sides; most points have the sides of the one before.
typedef struct Surfaces {
  const plSurface *a, *b;
  plSurface both;
} Surfaces;

static const plSurface* surface_of(const plData* data, const plContactPoint* point, Surfaces* last) {
  const plSurface *a = side_surface(data, &point->a), *b = side_surface(data, &point->b);
  if (a != last->a || b != last->b) *last = (Surfaces){a, b, combine(a, b)};
  return &last->both;
}

// Stiffness (N/m) and relaxation time (s) of a point.
typedef struct Stiffness {
  double k, tau;
} Stiffness;

// A point with a spring, which is elastic: the surfaces dissipate only in proportion to their own share of
// the deformation. If the near-rigid term is softer than the surfaces (R_nr; pl_sap_cone), the spring is in
// series with that term. If only the softer of the two counted, the force would jump by a factor of two where
// they are equal, and a body would never come to rest there.
static Stiffness put_on_spring(Stiffness own, double compliance, double gap, double dt, double R_nr) {
  if (gap > 0) own.tau = 0;
  if (1 / (dt * own.k * (dt + own.tau)) < R_nr)
    own.tau = gap > 0 ? 0 : dt, own.k = 1 / (dt * (dt + own.tau) * R_nr);
  double part = 1 / (1 + own.k * compliance);
  return (Stiffness){own.k * part, own.tau * part};
}

// The root of d + c d^(1 + p) = sum, all positive. Both terms bound it from above, and from there Newton's
// method decreases to it.
static double depth_where(double c, double p, double sum) {
  double d = fmin(sum, pow(sum / c, 1 / (1 + p))), before = INFINITY;
  while (d < before) before = d, d -= (d + c * pow(d, 1 + p) - sum) / (1 + c * (1 + p) * pow(d, p));
  return before;
}

// Two round sides overlap in an area that grows with the depth, A = a d^p, and push with f(d) = k a d^(1 +
// p). The row is linear: it has that force and its slope at the depth d where the step will probably end. The
// growth of the force stops sides that approach, d + dt^2 w (f(d) - f(now)) = dt |vn| - gap; the force so far
// carries a load. If d were the depth of the free motion, its tangent would begin to push only at a third of
// that depth or deeper, too late for a fast body. If another body pushes this one deeper than d, the guard
// asks for the tangent at that depth (point->tangent). Beyond the depth d_b where the slope reaches half of
// the near-rigid slope, the slope stays constant, so that force and slope are continuous and a body can rest
// at any depth. Returns the shift of the gap due to the tangent: f(d) + f' (x - d) = f' (x - d p / (1 + p)).
static double put_on_tangent(Stiffness* own, plContactPoint* point, double vn, double dt, double w,
                             double R_nr) {
  double p = point->kind == PL_AREA_LINE ? 0.5 : 1, now = fmax(-point->gap, point->least),
         slope = (1 + p) * own->k,  // at the present depth
      most = 0.5 / (R_nr * dt * dt), d_b = now * pow(most / slope, 1 / p), d = -point->gap - dt * vn,
         c = dt * dt * w * own->k / pow(now, p);
  if (vn < 0 && d > 0 && c > 0) d = depth_where(c, p, d + (point->gap < 0 ? c * pow(-point->gap, 1 + p) : 0));
  d = fmin(fmax(d, fmax(point->least, point->tangent)), d_b);
  point->tangent = d, point->resolved = d_b;
  own->k = slope * pow(d / now, p);
  return d * p / (1 + p);
}

// A spring deforms only up to its stop: if a step could exceed the stop, a second row is added, which is as
// stiff as a point without a spring and starts to push there. The two rows form one convex law with a kink.
static bool has_stop(const plSpring* spring) { return spring->compliance > 0 && isfinite(spring->stop); }

// What the rotation of the bodies at a point adds to the speed of its correction (pl_rows_turning).
static double turning_of(const plModel* model, const plData* data, const plContactPoint* p) {
  plRowAnchors anchors = {.a = p->a.shape_id < 0 ? -1 : model->shape_body[p->a.shape_id],
                          .b = p->b.shape_id < 0 ? -1 : model->shape_body[p->b.shape_id],
                          .p_a = p->position,
                          .p_b = p->position};
  return pl_rows_turning(model, data, anchors);
}

// The effective gap. Laws act on v1 as if the step moved the sides by dt v1; with a = theta_vq < 1 they move
// by dt ((1 - a) v0 + a v1). Sides that separate with v0 may approach again by what that opens, in addition
// to an overlap; otherwise the point would push along their motion and add energy. A gap is not added:
// whether the point acts would then depend on the sign of v0, however small it is, and change in every step.
// Sides that approach are stopped as if a were 1, unless they would pass through each other: then they are at
// rest where they touch, and separate with at most (1 - a) / a of their speed of approach.
static double gap_in_step(const plOptions* o, const plContactPoint* point, double vn) {
  double a = o->theta_vq, gap = point->gap, opens = (1 - a) * o->dt * vn;
  if (!(a < 1) || !(a > 0) || !(vn > 0 || point->swept)) return gap;
  return vn > 0 ? fmax(gap, (fmin(gap, 0) + opens) / a) : (gap + opens) / a;
}

// The parameters of the law, once J is known (the Delassus estimate needs it), and whether the near-rigid
// stiffness replaces that of the surfaces. Returns false if neither side can move.
static bool make_law(const plModel* model, const plData* data, plReduced* r, plContactPoint* point,
                     const plSurface* surface, bool stop, plSapConstraint* c) {
  const plOptions* o = &data->par->options;
  plSurface s = *surface;
  double w = pl_rows_delassus(r, c),
         R_nr = o->near_rigid * o->near_rigid / (4 * M_PI * M_PI) * w / point->share;
  if (!(w > 0)) return false;
  double compliance = stop ? 0 : point->spring.compliance,
         rest = stop ? -point->spring.stop : point->spring.rest;
  // Points that the guard added stop the motion even if the surfaces are soft.
  Stiffness own = {point->swept ? INFINITY : s.contact_stiffness * point->area, s.relaxation_time};
  bool round = isfinite(own.k) && (point->kind == PL_AREA_LINE || point->kind == PL_AREA_POINT);
  double vc[3] = {0};
  if (round || o->contact_law == PL_LAW_SIMILAR || o->theta_vq < 1) pl_rows_velocity(r, c, r->v0, vc);
  double phi = gap_in_step(o, point, vc[2]);
  point->resolved = INFINITY;
  if (round) rest -= put_on_tangent(&own, point, vc[2], o->dt, w, R_nr);
  if (isfinite(own.k) && own.k >= (1 - 1e-9) * 0.5 / (R_nr * o->dt * o->dt)) point->resolved = -INFINITY;
  // The cone law undoes the penetration that v0 adds; a dissipation would bound the speed of separation.
  if (o->contact_law != PL_LAW_SIMILAR || (point->swept && phi < point->gap)) {
    c->law = PL_SAP_CONE;
    // v_hat_n = -phi/dt of a gap: a fraction of the gap may close.
    double gap = (phi > 0 ? o->gap_closing : 1) * phi - rest;
    if (compliance > 0) own = put_on_spring(own, compliance, gap, o->dt, R_nr), point->spring.k = own.k;
    c->cone = pl_sap_cone(o->dt, s.friction, own.k, own.tau, gap, w, point->share, o->near_rigid,
                          o->friction_sigma);
    // The step undoes all of the penetration due to v0, and none of the overlap that existed before.
    double old = fmin(point->gap, 0);
    if (phi < old) c->cone.v_hat_n = (old / o->theta_vq - phi) / o->dt;
    // Points that the guard added only stop a motion. They are stiffer than the overlap warrants, so they
    // must not push.
    if (point->swept && !(phi < point->gap)) c->cone.v_hat_n = fmin(c->cone.v_hat_n, 0);
    if (c->cone.v_hat_n > 0 && c->cone.R_n <= R_nr * (1 + 1e-9) && !(phi < point->gap)) {
      double least = pl_rows_push_out(model, data, r, c);
      if (c->cone.v_hat_n > least)
        pl_sap_slow_down(least + turning_of(model, data, point), &c->cone.R_n, &c->cone.v_hat_n);
    }
    return true;
  }
  // Hunt-Crossley needs a finite stiffness for the elastic force; the near-rigid one is used if none is
  // given.
  double k = fmin(own.k, 1 / (R_nr * o->dt * o->dt)), depth = rest - phi;
  // near rigid: the push is not faster than that of the cone law
  if (k < own.k && depth > 0) {
    double least = pl_rows_push_out(model, data, r, c), most = least + turning_of(model, data, point);
    if (depth > 2 * o->dt * least) s.dissipation = fmax(s.dissipation, 1 / most - 2 * o->dt / depth);
  }
  k /= 1 + k * compliance;
  if (compliance > 0) point->spring.k = k;
  c->law = PL_SAP_SIMILAR;
  c->hunt_crossley = pl_sap_hunt_crossley(o->dt, s.friction, k, s.dissipation, -k * (phi - rest), vc[2],
                                          w / point->share, 1e-4, 0, o->friction_sigma);
  return true;
}

static plStatus add_side(const plModel* model, plData* data, plReduced* r, plRows* rows,
                         const plContactPoint* point, const plContactSide* side, const plVec3 frame[3],
                         double sign) {
  plVec3 position = !point->swept       ? point->position
                    : side == &point->a ? point->position_a
                                        : point->position_b;
  if (side->shape_id < 0)
    return pl_rows_add_vertices(model, data, r, rows, side->body, side->nvert, side->vert, side->weight,
                                frame, sign);
  return pl_rows_add_body(model, data, r, rows, 0, model->shape_body[side->shape_id], position, frame, sign,
                          false);
}

// The surface of a belt moves relative to its shape: this velocity enters the bias of the two tangential
// rows.
static void add_belt(const plData* data, plRows* rows, const plContactSide* side, const plVec3 frame[3],
                     double sign) {
  if (side->shape_id < 0) return;
  plVec3 u = data->par->shape_surface[side->shape_id].surface_velocity;
  if (!(v3_norm2(u) > 0)) return;
  u = quat_rotate(data->work->shape_world[side->shape_id].q, u);
  for (int k = 0; k < 2; k++) rows->bias[k] += sign * v3_dot(frame[k], u);
}

// Whether all vertices of a point are attached exactly to the same body and therefore move as one.
static bool moves_as_one(const plReduced* r, const plContactPoint* point) {
  int body = -2;
  for (int s = 0; s < 2; s++) {
    const plContactSide* side = s ? &point->b : &point->a;
    if (side->shape_id >= 0) return false;
    for (int k = 0; k < side->nvert; k++) {
      int w = r->exact_of_vert[side->vert[k]];
      if (w < 0 || (body != -2 && r->exact[w].body != body)) return false;
      body = r->exact[w].body;
    }
  }
  return true;
}

// The rows of point i, or of its stop; *moves is false if neither side can move; then there are no rows.
static plStatus add_point(const plModel* model, plData* data, plReduced* r, int i, plRowKind kind,
                          Surfaces* last, bool* moves) {
  plContactPoint* point = &data->work->point[i];
  plRows* rows = pl_rows_new(data, r, kind, i, 3);
  if (!rows) return PL_ERROR_MEMORY;
  plStatus status = add_side(model, data, r, rows, point, &point->a, r->frame[i], -1);
  if (!status) status = add_side(model, data, r, rows, point, &point->b, r->frame[i], 1);
  if (status) return status;
  add_belt(data, rows, &point->a, r->frame[i], -1);
  add_belt(data, rows, &point->b, r->frame[i], 1);
  const plSurface* surface = surface_of(data, point, last);
  *moves = make_law(model, data, r, point, surface, kind == PL_ROWS_STOP, rows->c) && !moves_as_one(r, point);
  if (!*moves) r->n--;
  rows->c->likely_open = r->likely_open[i];
  return PL_OK;
}

// ---- points on several threads: each thread writes the rows of its points where they would be if all points
// moved, to memory that was counted before

enum { PIECE = 32 };  // points

typedef struct Pieces {
  const plModel* model;
  plData* data;
  const plReduced* r;
  int n;             // points
  plArena* memory;   // [pieces]
  plStatus* status;  // [pieces]
  bool* moves;       // [n]
} Pieces;

// What the rows of a side allocate (pl_rows_add_vertices, pl_rows_add_body).
static size_t bytes_of_side(const plModel* model, const plReduced* r, const plContactSide* side) {
  if (side->shape_id >= 0) {
    int body = model->shape_body[side->shape_id], node = body < 0 ? -1 : model->body_node[body];
    if (node < 0) return 0;
    int t = pl_tree_of_node(model->work->tree, node);
    return pl_arena_bytes(3 * sizeof(double) * (size_t)(model->tree_v0[t + 1] - model->tree_v0[t]));
  }
  size_t blocks = 0, n = (size_t)side->nvert;
  for (int i = 0; i < side->nvert; i++) {
    int k = 0;
    while (r->clique_of_vert[side->vert[k]] != r->clique_of_vert[side->vert[i]]) k++;
    blocks += k == i;
  }
  return blocks * (pl_arena_bytes(n * sizeof(int)) + pl_arena_bytes(9 * n * sizeof(double)));
}

static void add_some(void* context, int begin, int end, int worker) {
  const Pieces* p = context;
  plData data = *p->data;
  plWork work = *p->data->work;
  plReduced r = *p->r;
  Surfaces last = {0};
  (void)worker;
  data.work = &work;
  for (int k = begin; k < end; k++) {
    work.step = p->memory[k];
    for (int i = PIECE * k; i < p->n && i < PIECE * (k + 1) && !p->status[k]; i++) {
      r.n = i;
      make_frame(work.point[i].normal, r.frame[i]);
      p->status[k] = add_point(p->model, &data, &r, i, PL_ROWS_CONTACT, &last, &p->moves[i]);
    }
  }
}

// Leaves out the points that do not move.
static void close_up(plWork* work, plReduced* r, int count, const bool* moves) {
  int n = 0;
  for (int i = 0; i < count; i++) {
    if (!moves[i]) continue;
    if (n < i) {
      work->point[n] = work->point[i], r->likely_open[n] = r->likely_open[i];
      memcpy(r->frame[n], r->frame[i], sizeof *r->frame);
      r->rows[n] = r->rows[i], r->constraint[n] = r->constraint[i], r->source[n] = r->source[i];
      r->rows[n].c = &r->constraint[n], r->source[n].index = n;
    }
    n++;
  }
  r->n = n;
}

static plStatus add_together(const plModel* model, plData* data, plReduced* r) {
  plWork* work = data->work;
  int n = work->npoint, pieces = (n - 1) / PIECE + 1;
  Pieces p = {.model = model, .data = data, .r = r, .n = n};
  p.memory = PL_ARENA_NEW(&work->step, plArena, pieces);
  p.status = PL_KEEP(&work->step, plStatus, pieces);
  p.moves = PL_ARENA_NEW(&work->step, bool, n);
  if (!p.memory || !p.status || !p.moves) return PL_ERROR_MEMORY;
  for (int k = 0; k < pieces; k++) {
    size_t bytes = 0;
    for (int i = PIECE * k; i < n && i < PIECE * (k + 1); i++)
      bytes += pl_rows_bytes(r, 3) + bytes_of_side(model, r, &work->point[i].a) +
               bytes_of_side(model, r, &work->point[i].b);
    if (!pl_arena_part(&work->step, bytes, &p.memory[k])) return PL_ERROR_MEMORY;
  }
  pl_parallel_for(work->pool, pieces, 1, add_some, &p);
  for (int k = 0; k < pieces; k++)
    if (p.status[k]) return p.status[k];
  close_up(work, r, n, p.moves);
  return PL_OK;
}

static plStatus add_in_turn(const plModel* model, plData* data, plReduced* r) {
  plWork* work = data->work;
  bool moves;
  Surfaces last = {0};
  int n = 0;
  for (int i = 0; i < work->npoint; i++) {
    assert(r->n == n);
    if (n < i) work->point[n] = work->point[i], r->likely_open[n] = r->likely_open[i];
    make_frame(work->point[n].normal, r->frame[n]);
    plStatus status = add_point(model, data, r, n, PL_ROWS_CONTACT, &last, &moves);
    if (status) return status;
    n += moves;
  }
  return PL_OK;
}

// The points, then the stops of their springs. Points of which neither side can move (a held vertex on the
// ground, a shape on the axis of its hinge) are left out.
plStatus pl_rows_contacts(const plModel* model, plData* data, plReduced* r) {
  plWork* work = data->work;
  r->frame = pl_arena_alloc(&work->step, (size_t)work->npoint, sizeof *r->frame);
  r->stop = PL_ARENA_NEW(&work->step, int, work->npoint);
  if (!r->frame || !r->stop) return PL_ERROR_MEMORY;
  // what exactly attached vertices allocate is not counted
  bool together = pl_pool_size(work->pool) > 1 && !r->nexact && work->npoint >= 2 * PIECE;
  plStatus status = together ? add_together(model, data, r) : add_in_turn(model, data, r);
  if (status) return status;
  bool moves;
  Surfaces last = {0};
  work->npoint = data->report.contacts = r->n;
  for (int i = 0; i < work->npoint; i++) {
    bool stops = has_stop(&work->point[i].spring);
    r->stop[i] = stops ? r->n : -1;
    status = stops ? add_point(model, data, r, i, PL_ROWS_STOP, &last, &moves) : PL_OK;
    if (status) return status;
    assert(!stops || r->n == r->stop[i] + 1);  // it moves as its point does
  }
  return PL_OK;
}

// Contacts and stops come first and have three rows each.
plVec3 pl_rows_contact_impulse(const plReduced* r, const double* gamma, int i) {
  assert(i >= 0 && i < r->n && r->stop[i] < r->n && r->source[i].kind == PL_ROWS_CONTACT);
  plVec3 own = v3_load(gamma + 3 * i);
  return r->stop[i] < 0 ? own : v3_add(own, v3_load(gamma + 3 * r->stop[i]));
}

// momentum.c: residual, tangent and potential of the momentum balance of deformable bodies.
//
//   m(v) = M (v - v0) - dt [ f_e(q^theta) - (alpha M + beta K) v^theta + f_ext ]                       (8)
//   A    = (1 + alpha theta dt) M + theta dt (theta_vq dt + beta) K                                     (11)
//
// For a linear corotated body, theta theta_vq dt^2 K_t is added to the M of M (v - v0). K_t is the stiffness
// of its tension for changes of velocity (fem/linear.c), without which it flutters; it has no effect at rest
// and in a steady rotation.
//
// Damping of a linear law uses its K. A nonlinear law is damped by D instead of K: its moduli at rest act on
// the rates of Green's strain and of the law's volume change at q0 + (1 - theta_vq) dt v0, constant in the
// step. At that configuration the damping forces exert no torque, so angular momentum is conserved; with the
// midpoint scheme a steady rotation has no rate of strain there at all. D is positive semi-definite, and m is
// the gradient of the incremental potential
//   (v - v0)'M(v - v0)/2 + E(q^theta)/(theta theta_vq)
//     + dt/(2 theta) v^theta'(alpha M + beta K) v^theta - dt f_ext'(v - v0)
//
// A problem that the guard solves again begins at the velocities of the solve before (v_warm).
//
// in: v_guess, q_end, elastic, f_ext -> out: v_first, m, A
#include <assert.h>
#include <math.h>
#include <string.h>

#include "deform/deform.h"
#include "deform/products.h"

// The terms of a body's momentum balance.
typedef struct Balance {
  const plModel* model;
  plData* data;
  int b, n;  // body; 3 vertices
  const double *q0, *v0;
  double *q_theta, *v_theta, *scratch;  // [n]
  double dt, theta, theta_vq, density, alpha, beta;
  bool linear;
} Balance;

// The theta-state for end velocities v; for prescribed motion the end is q_end.
static plStatus make_balance(const plModel* model, plData* data, int b, const double* v, Balance* s) {
  plWork* work = data->work;
  int vert0 = model->deform_vert0[b], n = pl_deform_nv(data, b);
  const plMaterial* material = &data->par->deform_material[b];
  const plOptions* o = &data->par->options;
  *s = (Balance){.model = model,
                 .data = data,
                 .b = b,
                 .n = n,
                 .dt = o->dt,
                 .theta = o->theta,
                 .theta_vq = o->theta_vq,
                 .density = material->density,
                 .alpha = material->damping_mass,
                 .beta = material->damping_stiffness,
                 .linear = pl_law_is_linear(material->kind)};
  s->q0 = data->q + model->deform_q0[b];
  s->v0 = data->v + model->deform_v0[b];
  s->q_theta = PL_ARENA_NEW(&work->step, double, n);
  s->v_theta = PL_ARENA_NEW(&work->step, double, n);
  s->scratch = PL_ARENA_NEW(&work->step, double, n);
  if (!s->q_theta || !s->v_theta || !s->scratch) return PL_ERROR_MEMORY;
  const double* q_end = work->q_end + model->deform_q0[b];
  for (int i = 0; i < n; i++) {
    double q1 = s->q0[i] + o->dt * (o->theta_vq * v[i] + (1 - o->theta_vq) * s->v0[i]);
    s->q_theta[i] = o->theta * q1 + (1 - o->theta) * s->q0[i];
    s->v_theta[i] = o->theta * v[i] + (1 - o->theta) * s->v0[i];
  }
  for (int i = 0; i < n / 3; i++)
    for (int k = 3 * i, fixed = model->vert_fixed[vert0 + i]; fixed; k++, fixed >>= 1)
      if (fixed & 1) s->q_theta[k] = o->theta * q_end[k] + (1 - o->theta) * s->q0[k];
  return PL_OK;
}

// f_e(q^theta), and A if wanted. A linear law includes its damping: f_e(q) - beta K v = f_e(q + beta v).
static void elastic_part(Balance* s, int tangent, double* f) {
  plWork* work = s->data->work;
  const plElastic* elastic = s->model->work->elastic[s->b];
  plElasticWork* fields = work->elastic[s->b];
  double *A = work->A[s->b].block, *D = work->D[s->b];
  double implicit = s->theta * s->dt, k_scale = implicit * (s->theta_vq * s->dt + (s->linear ? s->beta : 0));
  for (int i = 0; i < s->n; i++) s->scratch[i] = s->q_theta[i] + (s->linear ? s->beta * s->v_theta[i] : 0);
  if (tangent == PL_NO_TANGENT) {
    pl_elastic_force(elastic, fields, s->scratch, f, work->pool);
    return;
  }
  double m_scale = s->density * (1 + s->alpha * implicit);
  pl_elastic_stiffness(elastic, fields, s->scratch, (plTangent)tangent, k_scale,
                       implicit * s->theta_vq * s->dt, s->model->work->mass[s->b], m_scale, A, f, work->pool);
  pl_deform_finish_tangent(s->model, s->b, s->beta > 0 ? D : NULL, implicit * s->beta, &work->A[s->b],
                           work->pool);
}

// Sets the entries of prescribed motion to zero.
static void clear_given(const plModel* model, int b, double* x) {
  int vert0 = model->deform_vert0[b], nvert = model->deform_vert0[b + 1] - vert0;
  for (int i = 0; i < nvert; i++)
    for (int k = 3 * i, fixed = model->vert_fixed[vert0 + i]; fixed; k++, fixed >>= 1)
      if (fixed & 1) x[k] = 0;
}

// The norms of five vectors without the entries of prescribed motion: together, because each addition waits
// for the one before.
enum { TERMS = 5 };
static void find_norms(const plModel* model, int b, const double* const x[TERMS], double norm[TERMS]) {
  int vert0 = model->deform_vert0[b], n = 3 * (model->deform_vert0[b + 1] - vert0);
  const int* fixed = model->vert_fixed + vert0;
  double sum[TERMS] = {0};
  for (int i = 0; i < n; i++)
    if (!(fixed[i / 3] >> (i % 3) & 1))
      for (int k = 0; k < TERMS; k++) sum[k] += x[k][i] * x[k][i];
  for (int k = 0; k < TERMS; k++) norm[k] = sqrt(sum[k]);
}

// x minus its mean: stiffness does not depend on translation, and neither should its rounding error
static const double* less_mean(const Balance* s, const double* x) {
  double mean[3] = {0};
  for (int i = 0; i < s->n; i++) mean[i % 3] += 3.0 / s->n * x[i];
  for (int i = 0; i < s->n; i++) s->scratch[i] = x[i] - mean[i % 3];
  return s->scratch;
}

static void add_mass(const Balance* s, const double* x, double scale, double* y) {
  const plModelWork* fixed = s->model->work;
  pl_deform_add_mass(fixed->pattern[s->b], fixed->mass[s->b], x, scale, y, s->data->work->pool);
}

// y = (alpha M + beta D) x; a linear law's beta K is not part of it
static void damping_product(const Balance* s, const double* x, double* y) {
  plBsym D = s->data->work->A[s->b];
  D.block = s->data->work->D[s->b];
  memset(y, 0, (size_t)s->n * sizeof *y);
  if (D.block && s->beta > 0) {
    pl_bsym_multiply_shared(&D, less_mean(s, x), y, s->data->work->pool);
    for (int i = 0; i < s->n; i++) y[i] *= s->beta;
  }
  if (s->alpha > 0) add_mass(s, x, s->alpha * s->density, y);
}

// y += (M + theta theta_vq dt^2 K_t) (v - v0); scratch holds v - v0 afterwards
static void add_inertia(const Balance* s, const double* v, double* y) {
  bool any = false;
  for (int i = 0; i < s->n; i++) {
    s->scratch[i] = v[i] - s->v0[i];
    any |= s->scratch[i] != 0;
  }
  if (!any) return;
  add_mass(s, s->scratch, s->density, y);
  pl_elastic_add_tension(s->model->work->elastic[s->b], s->data->work->elastic[s->b], s->scratch,
                         s->theta * s->theta_vq * s->dt * s->dt, y);
}

// M (v - v0) and the damping's product with v^theta, at the velocities v. For a nonlinear body the last
// result is kept, because line searches and balances ask for it again. scratch holds v - v0 afterwards.
typedef struct Products {
  const double *inertia, *damping;
} Products;

static plStatus find_products(Balance* s, const double* v, Products* out) {
  plWork* work = s->data->work;
  size_t size = (size_t)s->n * sizeof(double);
  double* kept = s->linear ? PL_ARENA_NEW(&work->step, double, 3 * (size_t)s->n) : work->products[s->b];
  if (!kept) return PL_ERROR_MEMORY;
  double *inertia = kept + s->n, *damping = inertia + s->n;
  *out = (Products){inertia, damping};
  bool known = !s->linear && work->has_products[s->b] && !memcmp(kept, v, size);
  if (!known) {
    memcpy(kept, v, size);
    damping_product(s, s->v_theta, damping);
    memset(inertia, 0, size);
    add_inertia(s, v, inertia);
    work->has_products[s->b] = !s->linear;
  }
  for (int i = 0; known && i < s->n; i++) s->scratch[i] = v[i] - s->v0[i];
  return PL_OK;
}

plStatus pl_deform_linearize(const plModel* model, plData* data, int b, const double* v, int tangent,
                             double* m, double* scale) {
  plWork* work = data->work;
  Balance s;
  plStatus status = make_balance(model, data, b, v, &s);
  double *f = PL_ARENA_NEW(&work->step, double, s.n), *p = PL_ARENA_NEW(&work->step, double, s.n);
  if (status || !f || !p) return PL_ERROR_MEMORY;
  const double* f_ext = work->f_ext + model->deform_v0[b];
  Products products;
  elastic_part(&s, tangent, f);
  if (find_products(&s, v, &products)) return PL_ERROR_MEMORY;

  for (int i = 0; i < s.n; i++) m[i] = products.inertia[i] - s.dt * (f[i] - products.damping[i] + f_ext[i]);
  clear_given(model, b, m);
  if (!scale) return PL_OK;
  // M v: in weightless free flight it is the only scale
  memset(p, 0, (size_t)s.n * sizeof *p);
  add_mass(&s, v, s.density, p);
  double norm[TERMS];
  find_norms(model, b, (const double* const[TERMS]){products.inertia, f, products.damping, f_ext, p}, norm);
  double force = fmax(fmax(norm[1], norm[2]), norm[3]);
  *scale = fmax(fmax(norm[0], norm[4]), s.dt * force);
  return PL_OK;
}

plStatus pl_deform_given_work(const plModel* model, plData* data, int b, const double* q1, const double* v1,
                              double* sum, double* size) {
  Balance s;
  plStatus status = make_balance(model, data, b, v1, &s);
  plArena* arena = &data->work->step;
  double *f = PL_ARENA_NEW(arena, double, s.n), *d = PL_ARENA_NEW(arena, double, s.n);
  double* y = PL_ARENA_NEW(arena, double, s.n);
  if (status || !f || !d || !y) return PL_ERROR_MEMORY;
  elastic_part(&s, PL_NO_TANGENT, f);
  damping_product(&s, s.v_theta, d);
  memset(y, 0, (size_t)s.n * sizeof *y);
  add_inertia(&s, v1, y);
  const int* fixed = model->vert_fixed + model->deform_vert0[b];
  for (int i = 0; i < s.n; i++) {
    double work = fixed[i / 3] >> (i % 3) & 1 ? (y[i] / s.dt - f[i] + d[i]) * (q1[i] - s.q0[i]) : 0;
    *sum += work, *size += fabs(work);
  }
  return PL_OK;
}

plStatus pl_deform_potential(const plModel* model, plData* data, int b, const double* v, double* potential,
                             double* size) {
  plWork* work = data->work;
  Balance s;
  plStatus status = make_balance(model, data, b, v, &s);
  double* y = PL_ARENA_NEW(&work->step, double, s.n);
  Products products;
  if (status || !y || find_products(&s, v, &products)) return PL_ERROR_MEMORY;
  const double* f_ext = work->f_ext + model->deform_v0[b];
  double kinetic = 0, damping = 0, external = 0;
  for (int i = 0; i < s.n; i++)
    kinetic += 0.5 * s.scratch[i] * products.inertia[i], external += s.dt * f_ext[i] * s.scratch[i];
  for (int i = 0; i < s.n; i++) damping += 0.5 * s.dt / s.theta * s.v_theta[i] * products.damping[i];
  if (s.linear && s.beta > 0) {
    // beta v'K v of a linear law from two forces: beta K v = f_e(q) - f_e(q + beta v)
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < s.n; i++) s.scratch[i] = s.q_theta[i] + (k ? s.beta * s.v_theta[i] : 0);
      pl_elastic_force(model->work->elastic[b], work->elastic[b], s.scratch, y, work->pool);
      for (int i = 0; i < s.n; i++) damping += (k ? -0.5 : 0.5) * s.dt / s.theta * s.v_theta[i] * y[i];
    }
  }
  double elastic = pl_elastic_energy(model->work->elastic[b], work->elastic[b], s.q_theta, work->pool) /
                   (s.theta * s.theta_vq);
  *potential = kinetic + elastic + damping - external;
  if (size) {
    // terms of the order of mu cancel in E (those of lambda are squares of small numbers); 1e-9 of the size
    // is then above its rounding
    double lambda, mu, volume = model->deform_volume[b];
    pl_material_lame(&data->par->deform_material[b], &lambda, &mu);
    *size = kinetic + fabs(elastic) + damping + fabs(external) + 1e-5 * mu * volume / (s.theta * s.theta_vq);
  }
  return PL_OK;
}

// Whether the problem of a step is solved again with more contact points: the converged coupling continues
// from the balance with fewer of them.
static bool continues(const plData* data, int b) {
  const plOptions* o = &data->par->options;
  return data->work->again && data->work->v_warm && data->work->nparticipating[b] > 0 &&
         !pl_law_is_linear(data->par->deform_material[b].kind) && o->coupling == PL_COUPLING_CONVERGED &&
         o->theta * o->theta_vq > 0;
}

static plStatus momentum_of(const plModel* model, plData* data, int b, void* context) {
  plWork* work = data->work;
  const double *q0 = data->q + model->deform_q0[b], *v0 = data->v + model->deform_v0[b];
  double* v = work->v_first + model->deform_v0[b];
  (void)context;
  if (pl_deform_keeps_tangent(data, b)) return PL_OK;
  work->has_products[b] = false;  // another step, or another part of one
  if (work->D[b] && data->par->deform_material[b].damping_stiffness > 0) {
    int n = pl_deform_nv(data, b);
    double *q = PL_ARENA_NEW(&work->step, double, n),
           shift = (1 - data->par->options.theta_vq) * data->par->options.dt;
    if (!q) return PL_ERROR_MEMORY;
    for (int i = 0; i < n; i++) q[i] = q0[i] + shift * v0[i];
    pl_elastic_stiffness(model->work->elastic[b], work->elastic[b], q, PL_TANGENT_VISCOUS, 1, 0, NULL, 0,
                         work->D[b], NULL, work->pool);
  }
  plStatus status = PL_OK;
  if (continues(data, b))
    memcpy(v, work->v_warm + model->deform_v0[b], (size_t)pl_deform_nv(data, b) * sizeof *v);
  else
    status = pl_deform_begin(model, data, b, v);
  if (status) return status;
  return pl_deform_linearize(model, data, b, v, PL_TANGENT_EXACT, work->m + model->deform_v0[b], NULL);
}

plStatus pl_deform_momentum(const plModel* model, plData* data) {
  return pl_deform_each(model, data, momentum_of, NULL);
}

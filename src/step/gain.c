// gain.c: checks whether a step adds energy to rigid bodies that no force supplied, and sums up the energy
// that contacts and pairs add to bodies.
//
// in: reduced, gamma, q, v, f_constraint -> out: status; gain
#include <assert.h>
#include <float.h>
#include <math.h>

#include "constraint/constraint.h"
#include "rigid/rigid.h"
#include "sap/law.h"
#include "step/step.h"

// Fraction of its kinetic energy that a step may add to a tree that turns far; if it adds more, the step is
// halved.
static const double MOST_GAIN = 1e-3;
static const double UNITS = 64;  // units of rounding, as in deform/accuracy.c

// A pair constraint between bodies that is not driven.
static bool is_passive_pair(const plModel* model, plRowSource source) {
  if (source.kind != PL_ROWS_PAIR) return false;
  const plConstraintDef* def = &model->constraint[source.index];
  return def->kind <= PL_CONSTRAINT_DISTANCE && !def->ntime && def->amplitude == 0;
}

// A distance, which acts along a line.
static bool is_line(const plModel* model, plRowSource source) {
  return source.kind == PL_ROWS_PAIR && model->constraint[source.index].kind == PL_CONSTRAINT_DISTANCE;
}

// The mean velocities of the participating DoFs along the step; NULL if memory runs out.
static const double* mean_reduced(const plModel* model, plData* data) {
  plWork* work = data->work;
  const plReduced* r = work->reduced;
  double a = data->par->options.theta_vq;
  double *v = PL_ARENA_NEW(&work->step, double, model->nv),
         *reduced = PL_ARENA_NEW(&work->step, double, r->clique_v0[r->problem.nclique]);
  if (!v || !reduced) return NULL;
  for (int i = 0; i < model->nv; i++) v[i] = a * work->v[i] + (1 - a) * data->v[i];
  pl_reduced_gather(model, r, v, reduced);
  return reduced;
}

// The mean relative velocities of all rows along the step; NULL if memory runs out.
static const double* mean_velocities(const plModel* model, plData* data) {
  const plReduced* r = data->work->reduced;
  const double* reduced = mean_reduced(model, data);
  double* vc = PL_ARENA_NEW(&data->work->step, double, r->nrow);
  if (!reduced || !vc) return NULL;
  pl_reduced_velocities(r, reduced, vc);
  return vc;
}

// The work of constraint i, a pair that is not driven, on its two sides; gamma and vc: of its rows. The bias
// of such a pair is no motion (shake.c).
static double work_of_pair(const plReduced* r, int i, const double* gamma, const double* vc) {
  double sum = 0;
  for (int k = 0; k < r->constraint[i].nrow; k++) sum += gamma[k] * (vc[k] - r->constraint[i].bias[k]);
  return sum;
}

// A pair that is judged: it stores the energy of its spring, or none. A drive without a stiffness is not
// judged, because it does work on the bodies that it holds.
static bool is_judged(const plModel* model, plRowSource source) {
  return is_passive_pair(model, source) ||
         (source.kind == PL_ROWS_PAIR && model->constraint[source.index].kind <= PL_CONSTRAINT_DISTANCE &&
          isfinite(model->constraint[source.index].stiffness));
}

// The energies of the judged pairs' springs at work->tree; time: at which drives are evaluated.
static void add_springs(const plModel* model, const plData* data, double time, double sign, double* sum) {
  const plReduced* r = data->work->reduced;
  for (int i = 0; i < r->n; i++)
    if (is_judged(model, r->source[i]))
      sum[i] += sign * pl_pair_spring(model, data, r, i, pl_pair_drive(model, r->source[i].index, time));
}

// The work of judged pairs on their two sides and their drives together, minus the energy that their springs
// had stored, if it is positive. Leaves work->tree at q1. A spring that had stored k g^2 / 2 may return all
// of it in a step.
static plStatus given_by_pairs(const plModel* model, plData* data, const double* q1, double* given) {
  plWork* work = data->work;
  const plReduced* r = work->reduced;
  double dt = data->par->options.dt, time = data->time;
  *given = 0;
  bool any = false;
  for (int i = 0; r && i < r->n; i++) any |= is_judged(model, r->source[i]);
  if (!any) return PL_OK;
  double* net = PL_KEEP(&work->step, double, r->n);
  const double* vc = mean_velocities(model, data);
  if (!vc || !net) return PL_ERROR_MEMORY;
  pl_tree_kinematics(&work->forest, data->q, data->par->options.gravity, &work->tree);
  add_springs(model, data, time, -1, net);
  pl_tree_kinematics(&work->forest, q1, data->par->options.gravity, &work->tree);
  add_springs(model, data, time + dt, 1, net);
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow) {
    if (!is_judged(model, r->source[i])) continue;
    int index = r->source[i].index;
    double rate = (pl_pair_drive(model, index, time + dt) - pl_pair_drive(model, index, time)) / dt,
           sign = r->source[i].part ? -1 : 1;  // the upper side of a range
    net[i] += work_of_pair(r, i, work->gamma + row, vc + row);
    if (rate != 0) net[i] -= sign * rate * work->gamma[row];
    *given += fmax(0, net[i]);
  }
  return PL_OK;
}

// What a contact stores: f(d) = k d of the depth d, or of round sides, whose area grows with the depth beyond
// `least`, k d (d / least)^power. k = 0: nothing.
typedef struct Store {
  double k, power, least, rest;  // N/m, 1, m, m: f acts where the gap is below rest
} Store;

static double stored(const Store* s, double gap) {
  double d = s->rest - gap, l = s->least, p = s->power;
  if (!(d > 0) || !(s->k > 0)) return 0;
  if (p == 0 || d <= l) return 0.5 * s->k * d * d;
  return s->k * (0.5 * l * l + (pow(d / l, p) * d * d - l * l) / (2 + p));
}

static const plSurface* surface_of(const plData* data, const plContactSide* side) {
  return side->shape_id < 0 ? &data->par->deform_surface[side->body]
                            : &data->par->shape_surface[side->shape_id];
}

// The deformable body that a contact touches, ndeform if both sides are rigid, or -1 if it is no contact; and
// what it stores. One without a stiffness of its own stores nothing. Neither do points from a motion, however
// soft the surfaces are, and points whose stiffness the step does not resolve.
static int contact_of(const plData* data, plRowSource source, Store* store) {
  *store = (Store){0};
  if (source.kind != PL_ROWS_CONTACT && source.kind != PL_ROWS_STOP) return -1;
  assert(source.index >= 0 && source.index < data->work->npoint);
  const plContactPoint* p = &data->work->point[source.index];
  double yields =
      1 / surface_of(data, &p->a)->contact_stiffness + 1 / surface_of(data, &p->b)->contact_stiffness;
  int body = p->a.shape_id < 0 ? p->a.body : p->b.shape_id < 0 ? p->b.body : data->model->ndeform;
  assert(body <= data->model->ndeform);
  if (!(yields > 0) || p->swept || !(p->resolved > -p->gap)) return body;
  bool stop = source.kind == PL_ROWS_STOP, spring = !stop && p->spring.k > 0;
  *store = (Store){.k = p->area / yields, .rest = stop ? -p->spring.stop : p->spring.rest};
  if (spring) store->k = p->spring.k;
  if (!spring && !stop && (p->kind == PL_AREA_LINE || p->kind == PL_AREA_POINT)) {
    double now = fmax(-p->gap, p->least);
    store->power = p->kind == PL_AREA_LINE ? 0.5 : 1, store->least = p->least;
    store->k *= pow(p->least / now, store->power);
  }
  return body;
}

plStatus pl_step_springs_gain(const plModel* model, plData* data, double* gain) {
  plWork* work = data->work;
  const plReduced* r = work->reduced;
  if (data->par->options.theta_vq < 1 || work->damped) return PL_OK;
  double *left = PL_KEEP(&work->step, double, model->ndeform),
         *given = PL_KEEP(&work->step, double, model->ndeform);
  if (!left || !given) return PL_ERROR_MEMORY;
  for (int i = 0; r && i < work->npoint; i++) {
    const plContactPoint* p = &work->point[i];
    const plContactSide* side = p->a.shape_id < 0 ? &p->a : &p->b;
    if (!(p->spring.k > 0)) continue;
    assert(side->shape_id < 0 && r->source[i].kind == PL_ROWS_CONTACT && r->source[i].index == i);
    const double vn = work->vc[3 * i + 2], depth = p->spring.rest - p->gap - data->par->options.dt * vn;
    given[side->body] += work->gamma[3 * i + 2] * vn;
    if (depth > 0) left[side->body] += 0.5 * p->spring.k * depth * depth;
  }
  for (int b = 0; b < model->ndeform; b++) {
    if (work->stepped) gain[b] += fmax(0, given[b] + left[b] - work->spring_left[b]);
    work->spring_left[b] = left[b];
  }
  return PL_OK;
}

// The energy that pairs store at work->tree.
static double stored_by_pairs(const plModel* model, const plData* data) {
  const plReduced* r = data->work->reduced;
  double sum = 0;
  for (int i = 0; i < r->n; i++)
    if (is_passive_pair(model, r->source[i])) sum += pl_pair_energy(model, data, r, i);
  return sum;
}

// Adds what the trees gained beyond the work done on them, and what pairs store more than before.
static plStatus add_trees(const plModel* model, plData* data, const double* q1, const double* v1,
                          double* net) {
  plWork* work = data->work;
  double *before = PL_ARENA_NEW(&work->step, double, model->ntree),
         *after = PL_ARENA_NEW(&work->step, double, model->ntree), rounding = 0;
  if (!before || !after) return PL_ERROR_MEMORY;
  pl_rigid_energies(model, data, data->q, data->v, before);
  *net -= stored_by_pairs(model, data);
  pl_rigid_energies(model, data, q1, v1, after);
  *net += stored_by_pairs(model, data);
  for (int t = 0; t < model->ntree; t++) {
    *net += after[t] - before[t] - pl_rigid_work(data, t, v1);
    rounding += UNITS * DBL_EPSILON * (fabs(before[t]) + fabs(after[t]));
  }
  if (fabs(*net) < rounding) *net = 0;
  return PL_OK;
}

plStatus pl_step_constraints_gain(const plModel* model, plData* data, const double* q1, const double* v1,
                                  double* gain, double* rigid) {
  plWork* work = data->work;
  const plReduced* r = work->reduced;
  *rigid = 0;
  if (!r || (data->par->options.theta_vq == 1 && !work->damped)) return PL_OK;
  double *net = PL_KEEP(&work->step, double, model->ndeform + 1), pairs = 0;
  const double* v = mean_reduced(model, data);
  if (!net || !v) return PL_ERROR_MEMORY;
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow) {
    Store store;
    int b = contact_of(data, r->source[i], &store), n = r->constraint[i].nrow;
    bool passive = is_passive_pair(model, r->source[i]);
    if ((b < 0 && !passive) || pl_sap_is_zero(work->gamma + row, n)) continue;
    double vc[6];
    assert(n <= 6);
    pl_rows_velocity(r, &r->constraint[i], v, vc);
    if (passive) pairs += work_of_pair(r, i, work->gamma + row, vc);
    if (b < 0) continue;
    for (int k = 0; k < n; k++) net[b] += work->gamma[row + k] * vc[k];
    if (!(store.k > 0)) continue;
    double gap = work->point[r->source[i].index].gap;
    net[b] += stored(&store, gap + data->par->options.dt * vc[2]) - stored(&store, gap);
  }
  for (int b = 0; b < model->ndeform; b++) gain[b] += fmax(0, net[b]);
  plStatus status = model->ntree ? add_trees(model, data, q1, v1, &pairs) : PL_OK;
  *rigid = pairs + fmax(0, net[model->ndeform]);
  return status;
}

// Whether the line of a distance turns far on the way to q1: it does not turn with its bodies.
static plStatus lines_turn_far(const plModel* model, plData* data, const double* q1, bool* far) {
  plWork* work = data->work;
  const plReduced* r = work->reduced;
  bool any = false;
  for (int i = 0; r && i < r->n; i++) any |= is_line(model, r->source[i]);
  if (!any) return PL_OK;
  double *g0 = PL_ARENA_NEW(&work->step, double, r->nrow), *g1 = PL_ARENA_NEW(&work->step, double, r->nrow);
  const double* vc = mean_velocities(model, data);
  if (!vc || !g0 || !g1) return PL_ERROR_MEMORY;
  pl_tree_kinematics(&work->forest, data->q, data->par->options.gravity, &work->tree);
  pl_pairs_gaps(model, data, r, g0);
  pl_tree_kinematics(&work->forest, q1, data->par->options.gravity, &work->tree);
  pl_pairs_gaps(model, data, r, g1);
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow)
    if (is_line(model, r->source[i]))
      *far |= pl_step_line_turns(data, g0[row], g1[row], vc[row] - r->constraint[i].bias[0],
                                 pl_rigid_turn_of_part(data, PL_SMALL_TURN));
  return PL_OK;
}

plStatus pl_step_judge_gain(const plModel* model, plData* data, double* q1, double* v1) {
  double given;
  // Error control judges its steps itself.
  bool judged = !(data->par->options.accuracy > 0), far = false;
  for (int t = 0; t < model->ntree && judged; t++) {
    double angle = pl_rigid_swings(data, t) && !data->work->reduced ? PL_SWING_TURN : PL_SMALL_TURN;
    far |= pl_rigid_turns_far(model, data, t, v1, pl_rigid_turn_of_part(data, angle));
  }
  plStatus status = judged && !far ? lines_turn_far(model, data, q1, &far) : PL_OK;
  if (status || !far) return status;
  if (!data->work->may_refine) return pl_rigid_give_back(model, data, MOST_GAIN, q1, v1);
  status = given_by_pairs(model, data, q1, &given);
  if (status) return status;
  return pl_rigid_gains(model, data, q1, v1, MOST_GAIN, given) ? PL_ERROR_PASSAGE : PL_OK;
}

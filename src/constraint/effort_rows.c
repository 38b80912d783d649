// effort_rows.c: rows of a dof whose actuators are limited together.
//
// Actuator i exerts clamp(u_i - K_i v, l_i, h_i) on the dof, and all of them F(v) = clamp(sum, l, h). F falls
// with v and consists of straight pieces, so it is the sum of one actuator row for each piece that is not
// level: clamp(A - K v, its values at the ends), shifted so that all but the first vanish where it ends. With
// no limits but those of the dof that is one row.
#include <assert.h>
#include <math.h>

#include "constraint/constraint.h"
#include "model/effort.h"

static double stiffness(const plSapActuator* law) { return law->dt * law->kp + law->kd; }

static double force_at(const plSapActuator* law, double v) {
  return fmin(fmax(law->u0 - stiffness(law) * v, law->lower), law->upper);
}

// Velocities between which no law reaches a limit, in rising order; returns their number.
static int break_points(int n, const plSapActuator* law, double* v) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    const double limit[2] = {law[i].lower, law[i].upper};
    for (int k = 0; k < 2; k++) {
      double at = (law[i].u0 - limit[k]) / stiffness(&law[i]);
      if (!isfinite(at)) continue;
      int to = count++;
      for (; to > 0 && v[to - 1] > at; to--) v[to] = v[to - 1];
      v[to] = at;
    }
  }
  return count;
}

// The piece between a and b: its line, and its limits there.
static plSapActuator piece_of(int n, const plSapActuator* law, double constant, double a, double b) {
  double middle = isfinite(a) ? (isfinite(b) ? 0.5 * (a + b) : a + 1) : isfinite(b) ? b - 1 : 0;
  plSapActuator piece = {.dt = law[0].dt, .u0 = constant};
  for (int i = 0; i < n; i++) {
    double u = law[i].u0 - stiffness(&law[i]) * middle;
    bool free = u > law[i].lower && u < law[i].upper;
    piece.u0 += free ? law[i].u0 : force_at(&law[i], middle);
    if (free) piece.kp += law[i].kp, piece.kd += law[i].kd;
  }
  double K = stiffness(&piece);
  piece.lower = isfinite(b) ? piece.u0 - K * b : K > 0 ? -INFINITY : piece.u0;
  piece.upper = isfinite(a) ? piece.u0 - K * a : K > 0 ? INFINITY : piece.u0;
  return piece;
}

static void shift(plSapActuator* piece, double by) {
  piece->u0 -= by, piece->lower -= by, piece->upper -= by;
}

// clamp(constant + the sum of n laws, lower, upper) as the sum of at most 2 n + 1 laws; returns their number.
// One limit at least is finite; scratch has 2 n numbers.
static int pieces_of(int n, const plSapActuator* law, double constant, double lower, double upper,
                     double* scratch, plSapActuator* piece) {
  int nbreak = break_points(n, law, scratch), count = 0;
  double sum = constant;
  for (int i = 0; i < n; i++) sum += force_at(&law[i], 0);
  for (int i = 0; i <= nbreak; i++) {
    plSapActuator p =
        piece_of(n, law, constant, i ? scratch[i - 1] : -INFINITY, i < nbreak ? scratch[i] : INFINITY);
    p.lower = fmax(p.lower, lower), p.upper = fmin(p.upper, upper);
    if (!(p.lower < p.upper) || !(stiffness(&p) > 0)) continue;
    if (count) shift(&p, p.upper);
    piece[count++] = p;
  }
  if (count) return count;
  // level everywhere
  piece[0] = law[0];
  piece[0].u0 = piece[0].lower = piece[0].upper = fmin(fmax(sum, lower), upper);
  return 1;
}

// The law of an actuator on the dof: its coordinate is c q.
static plSapActuator law_on_dof(const plData* data, int a, double c, double w) {
  plSapActuator law = pl_actuator_sap(data, a, w * c * c);
  double lower = c * data->par->act_force_lower[a], upper = c * data->par->act_force_upper[a];
  law.kp *= c * c, law.kd *= c * c, law.u0 *= c;
  law.lower = fmin(lower, upper), law.upper = fmax(lower, upper);
  return law;
}

static plStatus add_sum(const plModel* model, plData* data, plReduced* r, int s) {
  const plModelWork* m = model->work;
  plArena* arena = &data->work->step;
  int dof = m->effort_dof[s], ngain, n = 0;
  double constant = pl_effort_constant(data, s, &ngain);
  if (!ngain || model->dof_locked[dof]) return PL_OK;
  plRows* rows = pl_rows_new(data, r, PL_ROWS_EFFORT, dof, 1);
  if (!rows) return PL_ERROR_MEMORY;
  plStatus status = pl_rows_add_dof(model, data, r, rows, 0, dof, 1);
  if (status) return status;
  double w = pl_rows_delassus(r, rows->c);
  plSapActuator *law = PL_ARENA_NEW(arena, plSapActuator, ngain),
                *piece = PL_ARENA_NEW(arena, plSapActuator, 2 * ngain + 1);
  double* scratch = PL_ARENA_NEW(arena, double, 2 * ngain);
  if (!law || !piece || !scratch) return PL_ERROR_MEMORY;
  for (int k = m->effort0[s]; k < m->effort0[s + 1]; k++) {
    int a = m->effort_act[k];
    if (pl_effort_counts(data, k) && pl_actuator_has_gains(data->par, a))
      law[n++] = law_on_dof(data, a, data->work->act_coefficient[m->effort_term[k]], w);
  }
  assert(n == ngain);
  n = pieces_of(n, law, constant, model->dof_force_lower[dof], model->dof_force_upper[dof], scratch, piece);
  for (int i = 0; i < n; i++) {
    if (i) {
      rows = pl_rows_new(data, r, PL_ROWS_EFFORT, dof, 1);
      status = rows ? pl_rows_add_dof(model, data, r, rows, 0, dof, 1) : PL_ERROR_MEMORY;
      if (status) return status;
    }
    r->source[r->n - 1].part = i;
    rows->c->law = PL_SAP_ACTUATOR, rows->c->actuator = piece[i];
  }
  return PL_OK;
}

plStatus pl_rows_efforts(const plModel* model, plData* data, plReduced* r) {
  plStatus status = PL_OK;
  for (int s = 0; s < model->work->neffort && !status; s++) status = add_sum(model, data, r, s);
  return status;
}

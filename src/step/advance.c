// advance.c: q = q0 + dt (theta_vq v + (1 - theta_vq) v0), and q = q_end where motion is prescribed; the
// state is written here and only here. Paper: (4).
//
// in: work->v, q_end -> out: f_constraint, time, q, v, tet_pi, energy, energy_gain
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "constraint/constraint.h"
#include "contact/sweep.h"
#include "deform/deform.h"
#include "fem/law.h"
#include "rigid/rigid.h"
#include "step/step.h"

// Fraction of a body's energy, with that of the rows that hold it, that a step may add if the guard was
// active, if parts of the body move relative to each other by a quarter of its thickness, or if its law is
// not linear and the scheme does not damp or linearises once. If it adds more, the step is halved.
#define MOST_GAIN 0.01

// The first vertex whose velocity or position would not be finite, or whose speed is beyond the limit, or -1.
static int find_not_finite(int n, const double* q1, const double* v1) {
  int bad = 0;
  for (int i = 0; i < 3 * n; i++) bad |= !(fabs(q1[i]) < INFINITY) | !(fabs(v1[i]) <= PL_FASTEST);
  for (int i = 0; i < n && bad; i++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(q1[3 * i + k]) || !(fabs(v1[3 * i + k]) <= PL_FASTEST)) return i;
  return -1;
}

// Integer multiples of dt stay integer multiples; the rounding error of a sum would grow.
double pl_step_next_time(double t, double dt) {
  double whole = dt * (round(t / dt) + 1);
  return fabs(whole - (t + dt)) < 1e-6 * dt ? whole : t + dt;
}

// Energy (J) that near-rigid rows store under the weight of body b: with the compliance R = beta^2/(4 pi^2) /
// m in steps of dt, the weight m g presses in by g dt^2 beta^2/(4 pi^2). A body at rest takes and returns
// some of it whenever its contacts or attachments settle, however little it deforms. As in attach_gain.c, dt
// is that of the whole step.
static double held_energy(const plData* data, int b) {
  double v = v3_norm(data->par->options.gravity) * data->work->whole_dt * PL_SAP_BETA_CONTACT / (2 * M_PI);
  return 0.5 * pl_deform_mass(data, b) * v * v;
}

// The end of the step, and its effect on the bodies' energies.
typedef struct End {
  double *q1, *v1, *energy, *gain;
} End;

static plStatus gain_of(const plModel* model, plData* data, int b, void* context) {
  const End* end = context;
  const plWork* work = data->work;
  double held = end->gain[b];
  if (!data->on[PL_SWITCH_DEFORMABLE][b]) return PL_OK;
  plStatus status = pl_deform_energy_gain(model, data, b, end->q1 + model->deform_q0[b],
                                          end->v1 + model->deform_v0[b], &end->energy[b], &end->gain[b]);
  if (status) return status;
  end->gain[b] += held;
  // Bodies that were stopped by the guard or crushed may turn too far for one step, and so may bodies that
  // vibrate without damping or are linearised once.
  double before = end->energy[b] - end->gain[b] + held_energy(data, b);
  bool much = work->may_halve && end->gain[b] > MOST_GAIN * before,
       once = data->par->options.coupling == PL_COUPLING_ONCE,
       rings = data->par->options.theta_vq < 1
                   ? data->par->deform_material[b].kind != PL_MATERIAL_LINEAR
                   : once && !pl_law_is_linear(data->par->deform_material[b].kind);
  // Error control judges this itself.
  bool controlled = data->par->options.accuracy > 0;
  return much && (work->guard_rounds > 0 ||
                  (!controlled &&
                   (rings || pl_contact_parts_are_fast(data, b, end->q1 + model->deform_q0[b]))))
             ? PL_ERROR_PASSAGE
             : PL_OK;
}

// q1 of body b.
static plStatus move_body(const plModel* model, plData* data, int b, void* context) {
  const plWork* work = data->work;
  double dt = data->par->options.dt, *q1 = context, *v1 = work->v;
  int iq = model->deform_q0[b], iv = model->deform_v0[b], n = pl_deform_nv(data, b);
  if (!data->on[PL_SWITCH_DEFORMABLE][b]) {
    memcpy(q1 + iq, data->q + iq, (size_t)n * sizeof(double));
    memset(v1 + iv, 0, (size_t)n * sizeof(double));
    return PL_OK;
  }
  pl_deform_end(model, data, b, data->q + iq, v1 + iv, data->par->options.theta_vq, q1 + iq);
  int bad = find_not_finite(n / 3, q1 + iq, v1 + iv);
  if (bad < 0) return PL_OK;
  snprintf(data->report.where, sizeof data->report.where, "%s vertex %d", model->deform_name[b], bad);
  return pl_fail(work->error, PL_ERROR_NOT_FINITE,
                 "vertex %d of '%s' would move faster than %g m/s or to infinity at t = %g s: the motion is "
                 "unstable, also with steps of dt / 64",
                 bad, model->deform_name[b], PL_FASTEST, data->time + dt);
}

// Whether contacts gave one of the bodies more than MOST_GAIN of its energy. Under a scheme that does not
// damp, a body that vibrates faster than dt turns round in every step: friction that acts against its
// velocity at the end of the step acts along its motion during the step. Correcting overlaps adds energy of
// the order of a motion at push_out_speed.
static bool contacts_give_much(const plModel* model, const plData* data, const double* energy,
                               const double* gain, const double* own) {
  const plOptions* o = &data->par->options;
  bool much = false;
  if (!data->work->may_halve || data->work->damped || o->accuracy > 0) return false;
  for (int b = 0; b < model->ndeform; b++) {
    double push = 0.5 * pl_deform_mass(data, b) * o->push_out_speed * o->push_out_speed;
    double given = gain[b] - own[b];
    much |= given > push && given > push + MOST_GAIN * (energy[b] - fmax(0, gain[b]));
  }
  return much;
}

// The numbers of q (from iq on) and v (from iv on) become those at the end of the step.
static void write_state(plData* data, const End* end, int iq, int nq, int iv, int nv) {
  plWork* work = data->work;
  memcpy(work->q_before + iq, data->q + iq, (size_t)nq * sizeof(double));
  memcpy(work->v_before + iv, data->v + iv, (size_t)nv * sizeof(double));
  memcpy(data->q + iq, end->q1 + iq, (size_t)nq * sizeof(double));
  memcpy(data->v + iv, end->v1 + iv, (size_t)nv * sizeof(double));
}

static plStatus write_body(const plModel* model, plData* data, int b, void* context) {
  int n = pl_deform_nv(data, b);
  write_state(data, context, model->deform_q0[b], n, model->deform_v0[b], n);
  return PL_OK;
}

plStatus pl_step_advance(const plModel* model, plData* data) {
  plWork* work = data->work;
  double dt = data->par->options.dt;
  double *q1 = PL_ARENA_NEW(&work->step, double, model->nq),
         *gain = PL_KEEP(&work->step, double, model->ndeform),
         *energy = PL_ARENA_NEW(&work->step, double, model->ndeform),
         *own = PL_ARENA_NEW(&work->step, double, model->ndeform);
  if (!q1 || !gain || !energy || !own) return PL_ERROR_MEMORY;
  double* v1 = work->v;
  plStatus status = pl_step_report_contacts(model, data);
  if (status || (status = pl_rigid_advance(model, data, v1, q1))) return status;
  if ((status = pl_deform_each(model, data, move_body, q1))) return status;
  if ((status = pl_step_report_impulses(model, data))) return status;
  if ((status = pl_attachments_gain(model, data, q1, v1, gain))) return status;
  End end = {q1, v1, energy, gain};
  memcpy(energy, data->energy, (size_t)model->ndeform * sizeof *energy);
  if ((status = pl_deform_each(model, data, gain_of, &end))) return status;
  if ((status = pl_step_judge_gain(model, data, q1, v1))) return status;
  double rigid;  // gain between rigid bodies alone
  memcpy(own, gain, (size_t)model->ndeform * sizeof *own);
  if ((status = pl_step_constraints_gain(model, data, q1, v1, gain, &rigid))) return status;
  work->given = contacts_give_much(model, data, energy, gain, own);
  if (work->given) return PL_ERROR_PASSAGE;
  if ((status = pl_step_springs_gain(model, data, gain))) return status;
  data->report.energy_gain += rigid, work->rigid_gain += rigid;
  memcpy(data->energy, energy, (size_t)model->ndeform * sizeof *energy);
  // the gain of a step in parts is the sum over its parts
  for (int b = 0; b < model->ndeform; b++) {
    data->energy_gain[b] = gain[b] + (data->report.parts ? data->energy_gain[b] : 0);
    data->report.energy_gain += gain[b];
  }
  write_state(data, &end, 0, model->nq_rigid, 0, model->nv_rigid);
  if ((status = pl_deform_each(model, data, write_body, &end))) return status;  // cannot fail
  data->time = pl_step_next_time(data->time, dt);
  work->stepped = true;
  pl_data_refresh(data);
  return PL_OK;
}

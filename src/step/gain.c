// gain.c: whether a step gives the rigid bodies energy that nothing put in, and whether contacts give energy
// to deformable bodies and their partners.
//
// in: reduced, gamma, q, v, f_constraint -> out: an answer; gain
#include <math.h>

#include "constraint/constraint.h"
#include "rigid/rigid.h"
#include "step/step.h"

// Fraction of its kinetic energy that a step may add to a tree that turns far; if it adds more, the step is
// halved.
static const double MOST_GAIN = 1e-3;

// A pair constraint without a stiffness that is not driven stores no energy.
static bool is_rigid_pair(const plModel* model, plRowSource source) {
  if (source.kind != PL_ROWS_PAIR) return false;
  const plConstraintDef* def = &model->constraint[source.index];
  return def->kind <= PL_CONSTRAINT_DISTANCE && !isfinite(def->stiffness) && !def->ntime &&
         def->amplitude == 0;
}

// The mean relative velocities of all rows along the step, into vc; NULL if memory runs out.
static const double* mean_velocities(const plModel* model, plData* data) {
  const plWork* work = data->work;
  const plReduced* r = work->reduced;
  double a = data->par->options.theta_vq;
  int nrow = 0;
  for (int i = 0; i < r->n; i++) nrow += r->constraint[i].nrow;
  plArena* arena = &data->work->step;
  double *v = PL_ARENA_NEW(arena, double, r->clique_v0[r->problem.nclique]),
         *vc = PL_ARENA_NEW(arena, double, nrow);
  if (!v || !vc) return NULL;
  pl_reduced_gather(model, r, data->v, v);
  pl_reduced_velocities(r, v, vc);
  for (int i = 0; i < nrow; i++) vc[i] = a * work->vc[i] + (1 - a) * vc[i];
  return vc;
}

// The work of such pairs on their two sides together, if it is positive.
static plStatus given_by_pairs(const plModel* model, plData* data, double* given) {
  const plWork* work = data->work;
  const plReduced* r = work->reduced;
  *given = 0;
  bool any = false;
  for (int i = 0; r && i < r->n; i++) any |= is_rigid_pair(model, r->source[i]);
  if (!any) return PL_OK;
  const double* vc = mean_velocities(model, data);
  if (!vc) return PL_ERROR_MEMORY;
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow) {
    double sum = 0;
    for (int k = row; is_rigid_pair(model, r->source[i]) && k < row + r->constraint[i].nrow; k++)
      sum += work->gamma[k] * vc[k];
    *given += fmax(0, sum);
  }
  return PL_OK;
}

// A contact without a stiffness of its own stores no energy. Returns the deformable body that it touches,
// ndeform if both sides are rigid, or -1 if it has a stiffness or is not a contact. Points from a motion
// count, however soft the surfaces are.
static int hard_contact_of(const plData* data, plRowSource source) {
  if (source.kind != PL_ROWS_CONTACT && source.kind != PL_ROWS_STOP) return -1;
  const plContactPoint* p = &data->work->point[source.index];
  const plContactSide* side[] = {&p->a, &p->b};
  int body = data->model->ndeform;
  for (int k = 1; k >= 0; k--) {
    const plSurface* s = side[k]->shape_id < 0 ? &data->par->deform_surface[side[k]->body]
                                               : &data->par->shape_surface[side[k]->shape_id];
    if (isfinite(s->contact_stiffness) && !p->swept) return -1;
    if (side[k]->shape_id < 0) body = side[k]->body;
  }
  return body;
}

plStatus pl_step_contacts_gain(const plModel* model, plData* data, double* gain, double* rigid) {
  const plWork* work = data->work;
  const plReduced* r = work->reduced;
  *rigid = 0;
  if (!r || (data->par->options.theta_vq == 1 && !work->damped) || !work->npoint) return PL_OK;
  double* net = PL_KEEP(&data->work->step, double, model->ndeform + 1);
  const double* vc = mean_velocities(model, data);
  if (!net || !vc) return PL_ERROR_MEMORY;
  for (int i = 0, row = 0; i < r->n; row += r->constraint[i++].nrow) {
    int b = hard_contact_of(data, r->source[i]);
    for (int k = row; b >= 0 && k < row + r->constraint[i].nrow; k++) net[b] += work->gamma[k] * vc[k];
  }
  for (int b = 0; b < model->ndeform; b++) gain[b] += fmax(0, net[b]);
  *rigid = fmax(0, net[model->ndeform]);
  return PL_OK;
}

plStatus pl_step_judge_gain(const plModel* model, plData* data, const double* q1, const double* v1) {
  double given;
  // Error control judges its steps itself.
  bool judged = data->work->may_halve && !(data->par->options.accuracy > 0);
  bool far = false;
  for (int t = 0; t < model->ntree && judged && data->par->options.theta > 0; t++)
    far |= pl_rigid_turns_far(
        model, data, t, v1, pl_rigid_swings(data, t) && !data->work->reduced ? PL_SWING_TURN : PL_SMALL_TURN);
  if (!far) return PL_OK;
  plStatus status = given_by_pairs(model, data, &given);
  if (status) return status;
  return pl_rigid_gains(model, data, q1, v1, MOST_GAIN, given) ? PL_ERROR_PASSAGE : PL_OK;
}

// signals_eval.c: columns -> values at one moment.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/mat3.h"
#include "model/work.h"
#include "output/moving.h"
#include "output/signals.h"

// The quantity of a column before its component is taken: up to six numbers.
typedef struct Value {
  double x[6];
} Value;

static Value number(double x) { return (Value){{x}}; }
static Value vector(plVec3 a) { return (Value){{a.x, a.y, a.z, v3_norm(a)}}; }

// ---- of the whole model

// Quantities that depend on the vertices alone are computed without the elements.
static bool is_motion(plQuantity quantity) {
  return quantity == PL_Q_MASS || quantity == PL_Q_COM || quantity == PL_Q_VELOCITY ||
         quantity == PL_Q_BODY_MOMENTUM || quantity == PL_Q_LOWER || quantity == PL_Q_UPPER;
}

static plStatus body_state(plSignals* s, const plData* data, int b, bool motion, const plBodyState** state) {
  assert(b >= 0 && b < s->model->ndeform && data->model->ndeform == s->model->ndeform);
  if (motion && s->known[b] == PL_KNOWN_NOTHING) {
    pl_deformable_motion(data, b, &s->body[b]);
    s->known[b] = PL_KNOWN_MOTION;
  } else if (!motion && s->known[b] != PL_KNOWN_ALL) {
    plStatus status = pl_deformable_state(data, b, &s->body[b]);
    if (status) return status;
    s->known[b] = PL_KNOWN_ALL;
  }
  *state = &s->body[b];
  return PL_OK;
}

static plStatus whole(plSignals* s, const plData* data, plQuantity quantity, Value* value) {
  double kinetic = 0, elastic = 0, gravity = 0;
  plVec3 momentum = {0};
  for (int b = 0; b < s->model->ndeform; b++) {
    const plBodyState* state;
    plStatus status = body_state(s, data, b, quantity == PL_Q_MOMENTUM, &state);
    if (status) return status;
    kinetic += state->kinetic_energy, elastic += state->elastic_energy, gravity += state->gravity_energy;
    momentum = v3_add(momentum, state->momentum);
  }
  if (s->model->nbody) {
    plRigidTotals totals;
    pl_moving_totals(data, &totals);
    kinetic += totals.kinetic_energy, elastic += totals.elastic_energy, gravity += totals.gravity_energy;
    momentum = v3_add(momentum, totals.momentum);
  }
  switch (quantity) {
    case PL_Q_ENERGY_KINETIC:
      *value = number(kinetic);
      break;
    case PL_Q_ENERGY_ELASTIC:
      *value = number(elastic);
      break;
    case PL_Q_ENERGY_GRAVITY:
      *value = number(gravity);
      break;
    case PL_Q_ENERGY_TOTAL:
      *value = number(kinetic + elastic + gravity);
      break;
    default:
      *value = vector(momentum);
      break;
  }
  return PL_OK;
}

static Value of_report(const plReport* r, plQuantity quantity) {
  double wall = 0;
  for (int i = 0; i < PL_STAGE_COUNT; i++) wall += r->stage_s[i];
  switch (quantity) {
    case PL_Q_STEP:
      return number((double)r->step);
    case PL_Q_STATUS:
      return number(r->status);
    case PL_Q_CONSTRAINTS:
      return number(r->constraints);
    case PL_Q_CONTACTS:
      return number(r->contacts);
    case PL_Q_ITERATIONS:
      return number(r->iterations);
    case PL_Q_LINE_SEARCH:
      return number(r->line_search);
    case PL_Q_RESIDUAL:
      return number(r->residual);
    case PL_Q_FREE_ITERATIONS:
      return number(r->free_iterations);
    case PL_Q_FREE_RESIDUAL:
      return number(r->free_residual);
    case PL_Q_FACTORIZATIONS:
      return number(r->factorizations);
    case PL_Q_SKIPPED:
      return number(r->skipped);
    case PL_Q_DEEP:
      return number(r->deep);
    case PL_Q_MERGED:
      return number(r->merged);
    case PL_Q_CONE_VIOLATION:
      return number(r->sap.cone_violation);
    case PL_Q_COMPLEMENTARITY:
      return number(r->sap.complementarity);
    case PL_Q_SLIP_ANGLE:
      return number(r->sap.slip_angle);
    case PL_Q_CREEP:
      return number(r->sap.creep);
    case PL_Q_R_N_MIN:
      return number(r->sap.R_n_min);
    case PL_Q_R_N_MAX:
      return number(r->sap.R_n_max);
    case PL_Q_R_T_MIN:
      return number(r->sap.R_t_min);
    case PL_Q_R_T_MAX:
      return number(r->sap.R_t_max);
    case PL_Q_STICK:
      return number(r->sap.stick);
    case PL_Q_SLIDE:
      return number(r->sap.slide);
    case PL_Q_OPEN:
      return number(r->sap.open);
    case PL_Q_COUPLINGS:
      return number(r->couplings);
    case PL_Q_COUPLED_RESIDUAL:
      return number(r->coupled_residual);
    default:
      return number(wall);
  }
}

// ---- of a body

static plVec3 vertex_position(const plData* data, int b, int i) {
  assert(i >= 0 && i < data->model->deform_vert0[b + 1] - data->model->deform_vert0[b]);
  return v3_load(data->q + data->model->deform_q0[b] + 3 * (size_t)i);
}
static plVec3 vertex_velocity(const plData* data, int b, int i) {
  assert(i >= 0 && i < data->model->deform_vert0[b + 1] - data->model->deform_vert0[b]);
  return v3_load(data->v + data->model->deform_v0[b] + 3 * (size_t)i);
}
static plVec3 vertex_displacement(const plData* data, int b, int i) {
  return v3_sub(vertex_position(data, b, i),
                v3_load(data->model->start_q + data->model->deform_q0[b] + 3 * (size_t)i));
}

static Value of_state(const plBodyState* state, plQuantity quantity) {
  switch (quantity) {
    case PL_Q_MASS:
      return number(state->mass);
    case PL_Q_COM:
      return vector(state->com);
    case PL_Q_VELOCITY:
      return vector(v3_scale(1 / state->mass, state->momentum));
    case PL_Q_BODY_MOMENTUM:
      return vector(state->momentum);
    case PL_Q_ANGULAR_MOMENTUM:
      return vector(state->angular_momentum);
    case PL_Q_KINETIC:
      return number(state->kinetic_energy);
    case PL_Q_ELASTIC:
      return number(state->elastic_energy);
    case PL_Q_GRAVITY:
      return number(state->gravity_energy);
    case PL_Q_TOTAL:
      return number(state->kinetic_energy + state->elastic_energy + state->gravity_energy);
    case PL_Q_VOLUME:
      return number(state->volume);
    case PL_Q_LOWER:
      return vector(state->lower);
    default:
      return vector(state->upper);
  }
}

// Extremes over the vertices or tetrahedra of a body.
static plStatus extreme(const plData* data, int b, plQuantity quantity, Value* value) {
  const plModel* m = data->model;
  double best = -INFINITY;
  if (quantity == PL_Q_DISPLACEMENT_MAX || quantity == PL_Q_SPEED_MAX)
    for (int i = 0; i < m->deform_vert0[b + 1] - m->deform_vert0[b]; i++)
      best = fmax(best, v3_norm(quantity == PL_Q_SPEED_MAX ? vertex_velocity(data, b, i)
                                                           : vertex_displacement(data, b, i)));
  else
    for (int t = m->deform_tet0[b]; t < m->deform_tet0[b + 1]; t++) {
      plElementState element;
      plStatus status = pl_element_state(data, t, &element);
      if (status) return status;
      plMat3 F;
      memcpy(F.m, element.F, sizeof F.m);
      best = fmax(best, quantity == PL_Q_VON_MISES_MAX  ? element.von_mises
                        : quantity == PL_Q_PRESSURE_MAX ? element.pressure
                                                        : -m3_det(F));
    }
  *value = number(quantity == PL_Q_VOLUME_RATIO_MIN ? -best : best);
  return PL_OK;
}

static plStatus of_tet(const plData* data, const plColumn* c, Value* value) {
  plElementState element;
  plStatus status = pl_element_state(data, data->model->deform_tet0[c->body] + c->index, &element);
  if (status) return status;
  switch (c->quantity) {
    case PL_Q_TET_STRESS:
      memcpy(value->x, element.cauchy_stress, sizeof value->x);
      break;
    case PL_Q_TET_STRAIN:
      memcpy(value->x, element.green_strain, sizeof value->x);
      break;
    case PL_Q_TET_VON_MISES:
      *value = number(element.von_mises);
      break;
    default:
      *value = number(element.pressure);
      break;
  }
  return PL_OK;
}

// ---- of a rigid body

static plStatus of_rigid(const plData* data, const plColumn* c, Value* value) {
  int body = c->body;
  plRigidState state;
  plStatus status = pl_moving_body(data, body, &state);
  if (status) return status;
  switch (c->quantity) {
    case PL_Q_RIGID_MASS:
      *value = number(data->par->body_mass[body]);
      break;
    case PL_Q_RIGID_POSITION:
      *value = vector(state.pose.p);
      break;
    case PL_Q_RIGID_COM:
      *value = vector(state.com);
      break;
    case PL_Q_RIGID_VELOCITY:
      *value = vector(state.com_velocity);
      break;
    case PL_Q_RIGID_ANGULAR_VELOCITY:
      *value = vector(state.angular_velocity);
      break;
    case PL_Q_RIGID_MOMENTUM:
      *value = vector(state.momentum);
      break;
    case PL_Q_RIGID_ANGULAR_MOMENTUM:
      *value = vector(state.angular_momentum);
      break;
    case PL_Q_RIGID_KINETIC:
      *value = number(state.kinetic_energy);
      break;
    default:
      *value = number(state.gravity_energy);
      break;
  }
  return PL_OK;
}

// ---- of contacts

static Value of_pair(const plData* data, const plColumn* c) {
  plContactPair pair;
  pl_contact_pair(data, c->side, c->other, &pair);
  switch (c->quantity) {
    case PL_Q_PAIR_FORCE:
      return vector(pair.force);
    case PL_Q_PAIR_NORMAL_FORCE:
      return number(pair.normal_force);
    case PL_Q_PAIR_COUNT:
      return number(pair.count);
    case PL_Q_PAIR_AREA:
      return number(pair.area);
    case PL_Q_PAIR_PRESSURE:
      return number(pair.area > 0 ? pair.normal_force / pair.area : 0);
    case PL_Q_PAIR_CENTRE:
      return vector(pair.centre);
    case PL_Q_PAIR_MOMENT:
      return vector(pair.moment);
    case PL_Q_PAIR_GAP_MIN:
      return number(pair.gap_min);
    default:
      return number(pair.slip_max);
  }
}

// The force of all others on a side.
static plVec3 contact_force(const plData* data, plSide side) {
  plVec3 force = {0};
  for (int i = 0; i < data->ncontact; i++) {
    const plContact* p = &data->contact[i];
    if (pl_side_covers(data->model, side, p->b)) force = v3_add(force, p->force);
    if (pl_side_covers(data->model, side, p->a)) force = v3_sub(force, p->force);
  }
  return force;
}

// ---- a row

static plStatus evaluate(plSignals* s, const plData* data, const plColumn* c, Value* value) {
  const plBodyState* state;
  plStatus status;
  switch (c->quantity) {
    case PL_Q_TIME:
      return *value = number(data->time), PL_OK;
    case PL_Q_ENERGY_KINETIC:
    case PL_Q_ENERGY_ELASTIC:
    case PL_Q_ENERGY_GRAVITY:
    case PL_Q_ENERGY_TOTAL:
    case PL_Q_MOMENTUM:
      return whole(s, data, c->quantity, value);
    case PL_Q_DISPLACEMENT_MAX:
    case PL_Q_SPEED_MAX:
    case PL_Q_VON_MISES_MAX:
    case PL_Q_PRESSURE_MAX:
    case PL_Q_VOLUME_RATIO_MIN:
      return extreme(data, c->body, c->quantity, value);
    case PL_Q_CONTACT_FORCE:
      return *value = vector(contact_force(data, c->side)), PL_OK;
    case PL_Q_VERTEX:
      return *value = vector(vertex_position(data, c->body, c->index)), PL_OK;
    case PL_Q_VERTEX_DISPLACEMENT:
      return *value = vector(vertex_displacement(data, c->body, c->index)), PL_OK;
    case PL_Q_VERTEX_VELOCITY:
      return *value = vector(vertex_velocity(data, c->body, c->index)), PL_OK;
    case PL_Q_TET_STRESS:
    case PL_Q_TET_STRAIN:
    case PL_Q_TET_VON_MISES:
    case PL_Q_TET_PRESSURE:
      return of_tet(data, c, value);
    case PL_Q_JOINT_Q:
      return *value = number(data->q[data->model->joint_q0[c->body] + c->index]), PL_OK;
    case PL_Q_SENSOR:
      return *value = number(pl_signal_eval_sensor(data, c)), PL_OK;
    case PL_Q_JOINT_V:
      return *value = number(data->v[data->model->joint_v0[c->body] + c->index]), PL_OK;
    default:
      break;
  }
  if (c->quantity >= PL_Q_RIGID_MASS && c->quantity <= PL_Q_RIGID_GRAVITY) return of_rigid(data, c, value);
  if (c->quantity >= PL_Q_JOINT_FORCE && c->quantity <= PL_Q_ATTACHMENT_CENTRE)
    return pl_signal_eval_force(s, data, c, value->x);
  if (c->quantity >= PL_Q_PAIR_FORCE) return *value = of_pair(data, c), PL_OK;
  if (c->quantity < PL_Q_MASS) return *value = of_report(&data->report, c->quantity), PL_OK;
  if ((status = body_state(s, data, c->body, is_motion(c->quantity), &state))) return status;
  *value = of_state(state, c->quantity);
  return PL_OK;
}

plStatus pl_signals_eval(plSignals* s, const plData* data, double* row, plError* error) {
  assert(s != NULL && data != NULL && row != NULL);
  memset(s->known, 0, (size_t)s->model->ndeform * sizeof *s->known);
  s->wrench_known = false;
  for (int i = 0; i < s->ncolumn; i++) {
    const plColumn* c = &s->column[i];
    // The components of one vector are consecutive: it is computed once.
    Value value = {0};
    plStatus status = evaluate(s, data, c, &value);
    if (status)
      return pl_fail(error, status, "the signal '%s' cannot be computed: %s", c->name,
                     pl_status_name(status));
    assert(c->component >= 0 && c->component < 6);
    row[i] = value.x[c->component];
    while (i + 1 < s->ncolumn && c[1].component > c->component && c[1].quantity == c->quantity &&
           c[1].body == c->body && pl_side_equal(c[1].side, c->side) && pl_side_equal(c[1].other, c->other) &&
           c[1].index == c->index)
      c++, row[++i] = value.x[c->component];
  }
  return PL_OK;
}

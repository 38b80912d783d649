// compile_actuator.c: actuators, their tables and the constraints of the spec -> arrays of the model.
//
// Every actuator becomes one affine law (parameters.c) at its joint: f = gain . u + bias0 + bias1 q + bias2
// v. A gear g scales the coordinate the law sees (g q) and the force the joint feels (g f). On a tendon, q is
// the sum of coefficient q; on sites, the length of the cable through them.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/pose.h"
#include "model/spec.h"
#include "model/table.h"
#include "model/work.h"

static void set_law(plModel* m, int i, const plActuatorDef* def) {
  plActuatorLaw law = {.kp = def->kp, .kd = def->kd, .gain = def->gain};
  memcpy(law.bias, def->bias, sizeof law.bias);
  m->act_gear[i] = def->gear, m->work->par.act_law[i] = law;
  pl_actuator_apply(m, &m->work->par, i);
}

static plStatus allocate(plModel* m, int n, int nknot, int nterm, int nsite, plError* error) {
  plArena* arena = &m->work->arena;
  size_t na = (size_t)n, nk = (size_t)nknot, nt = (size_t)nterm;
  m->act_site0 = PL_KEEP(arena, int, na + 1), m->act_site = PL_KEEP(arena, int, nsite),
  m->act_wrench = PL_KEEP(arena, double, 6 * na);
  m->act_name = PL_KEEP(arena, char*, na), m->act_kind = PL_KEEP(arena, plActuatorKind, na),
  m->act_dof = PL_KEEP(arena, int, na);
  m->act_term0 = PL_KEEP(arena, int, na + 1), m->act_term = PL_KEEP(arena, int, nt),
  m->act_coefficient = PL_KEEP(arena, double, nt);
  m->act_gear = PL_KEEP(arena, double, na), m->work->par.act_law = PL_KEEP(arena, plActuatorLaw, na);
  m->act_u0 = PL_KEEP(arena, int, na), m->work->par.act_gain = PL_KEEP(arena, double, 3 * na),
  m->work->par.act_bias = PL_KEEP(arena, double, 3 * na);
  m->work->par.act_force_lower = PL_KEEP(arena, double, na),
  m->work->par.act_force_upper = PL_KEEP(arena, double, na),
  m->work->par.act_lower = PL_KEEP(arena, double, na), m->work->par.act_upper = PL_KEEP(arena, double, na);
  m->act_off = PL_KEEP(arena, bool, na);
  m->act_zero_velocity = PL_KEEP(arena, bool, na), m->act_interpolation = PL_KEEP(arena, plInterpolation, na);
  m->act_knot0 = PL_KEEP(arena, int, na + 1), m->act_time = PL_KEEP(arena, double, nk),
  m->act_value = PL_KEEP(arena, double, nk);
  m->act_slope = PL_KEEP(arena, double, nk), m->start_u = PL_KEEP(arena, double, 3 * na);
  return arena->failed ? pl_fail_out_of_memory(error, (3 * na + nk + nt) * sizeof(double)) : PL_OK;
}

static plStatus keep_name(plModel* m, const char* name, char** to, plError* error) {
  size_t length = strlen(name) + 1;
  *to = PL_KEEP(&m->work->arena, char, length);
  if (!*to) return pl_fail_out_of_memory(error, length);
  memcpy(*to, name, length);
  return PL_OK;
}

// The dofs that move a body, the last one first, from k on; -1: no more.
static int first_dof(const plModel* m, int body) {
  int node = body < 0 ? -1 : m->body_node[body];
  const plTree* tree = m->work->tree;
  return node < 0 ? -1 : tree->node_v0[node] + pl_node_nv(tree->node_kind[node]) - 1;
}

static bool is_moved_by(const plSpec* spec, const plModel* m, const plActuatorDef* def, int dof) {
  for (int k = 0; k < def->nsite; k++)
    for (int i = first_dof(m, spec->site[def->site[k]].body); i >= 0; i = m->work->tree->dof_parent[i])
      if (i == dof) return true;
  return false;
}

static int count_terms(const plSpec* spec, const plModel* m, const plActuatorDef* def) {
  int n = 0;
  for (int i = 0; def->nsite && i < m->nv_rigid; i++) n += is_moved_by(spec, m, def, i);
  return def->nsite ? n : def->njoint > 0 ? def->njoint : 1;
}

// Sites: all dofs that move any of them; their coefficients depend on the state (rigid/cable.c).
static plStatus set_site_terms(const plSpec* spec, plModel* m, int i, const plActuatorDef* def,
                               plError* error) {
  int k = m->act_term0[i], s0 = m->act_site0[i];
  for (int dof = 0; dof < m->nv_rigid; dof++)
    if (is_moved_by(spec, m, def, dof)) m->act_term[k] = dof, m->act_coefficient[k++] = 0;
  assert(k - m->act_term0[i] == count_terms(spec, m, def));
  if (k == m->act_term0[i])
    return pl_fail(error, PL_ERROR_INPUT, "actuator '%s' acts on sites of which none can move", def->name);
  m->act_term0[i + 1] = k, m->act_dof[i] = m->act_term[m->act_term0[i]];
  for (int n = 0; n < def->nsite; n++) m->act_site[s0 + n] = def->site[n];
  m->work->par.act_force_lower[i] = fmax(def->force_lower, -def->effort);
  m->work->par.act_force_upper[i] = fmin(def->force_upper, def->effort);
  return PL_OK;
}

// The dofs that it drives, and the limits of its force; those of dofs follow (compile_effort.c).
static void set_terms(plModel* m, int i, const plActuatorDef* def) {
  int k0 = m->act_term0[i], n = def->njoint > 0 ? def->njoint : 1;
  m->act_term0[i + 1] = k0 + n;
  for (int k = 0; k < n; k++) {
    int dof = def->njoint > 0 ? m->joint_v0[def->tendon[k]] : m->joint_v0[def->joint] + def->dof;
    assert(dof >= 0 && dof < m->nv_rigid);
    m->act_term[k0 + k] = dof, m->act_coefficient[k0 + k] = def->njoint > 0 ? def->coefficient[k] : 1;
  }
  m->act_dof[i] = m->act_term[k0], m->work->par.act_force_lower[i] = fmax(def->force_lower, -def->effort);
  m->work->par.act_force_upper[i] =
      fmax(m->work->par.act_force_lower[i], fmin(def->force_upper, def->effort));
}

static plVec3 site_place(const plSpec* spec, int site) {
  const plSiteDef* s = &spec->site[site];
  return s->body < 0 ? s->pose.p : pose_apply(pl_spec_body_pose(spec, s->body), s->pose.p);
}

// The u that exerts no force at rest at the start of the joints.
static double holding_input(const plSpec* spec, const plActuatorDef* def) {
  double l = def->njoint || def->nsite ? 0 : def->gear * spec->joint[def->joint].position[def->dof];
  for (int k = 0; k + 1 < def->nsite; k++)
    l += def->gear * v3_norm(v3_sub(site_place(spec, def->site[k + 1]), site_place(spec, def->site[k])));
  for (int k = 0; k < def->njoint; k++)
    l += def->gear * def->coefficient[k] * spec->joint[def->tendon[k]].position[0];
  if (def->kind == PL_ACTUATOR_POSITION || def->kind == PL_ACTUATOR_PD) return l;
  if (def->kind != PL_ACTUATOR_AFFINE || def->bias[1] == 0 || def->gain == 0) return 0;
  return -(def->bias[0] + def->bias[1] * l) / def->gain;
}

static plStatus fill_actuator(const plSpec* spec, plModel* m, int i, double* scratch, plError* error) {
  const plActuatorDef* def = &spec->actuator[i];
  m->act_kind[i] = def->kind, m->act_u0[i] = m->nu;
  m->act_site0[i + 1] = m->act_site0[i] + def->nsite;
  memcpy(m->act_wrench + 6 * (size_t)i, def->wrench, sizeof def->wrench);
  plStatus status = PL_OK;
  if (def->nsite)
    status = set_site_terms(spec, m, i, def, error);
  else
    set_terms(m, i, def);
  if (status) return status;
  m->work->par.act_lower[i] = def->lower, m->work->par.act_upper[i] = def->upper,
  m->act_zero_velocity[i] = def->zero_velocity;
  m->act_interpolation[i] = def->interpolation;
  set_law(m, i, def);
  int k0 = m->act_knot0[i];
  m->act_knot0[i + 1] = k0 + def->ntime;
  for (int k = 0; k < def->ntime; k++)
    m->act_time[k0 + k] = def->time[k], m->act_value[k0 + k] = def->value[k];
  if (def->interpolation == PL_CUBIC)
    pl_table_slopes(def->ntime, def->time, def->value, m->act_slope + k0, scratch);
  m->act_off[i] = def->off;
  assert(m->nu + pl_actuator_nu(def->kind) <= 3 * spec->nactuator);
  for (int k = 0; k < pl_actuator_nu(def->kind); k++)
    m->start_u[m->nu + k] = def->has_input ? def->input[k] : 0;
  if (!def->has_input) m->start_u[m->nu] = holding_input(spec, def);
  m->nu += pl_actuator_nu(def->kind);
  return keep_name(m, def->name, &m->act_name[i], error);
}

// A copy of n numbers that lives as long as the model.
static double* keep_numbers(plArena* arena, const double* x, int n) {
  double* copy = PL_KEEP(arena, double, n);
  if (copy && n) memcpy(copy, x, (size_t)n * sizeof(double));
  return copy;
}

static plStatus fill_constraints(const plSpec* spec, plModel* m, plError* error) {
  plArena* arena = &m->work->arena;
  m->constraint = PL_KEEP(arena, plConstraintDef, spec->nconstraint);
  m->constraint_slope = PL_KEEP(arena, double*, spec->nconstraint);
  m->exclude = PL_KEEP(arena, plSide, 2 * (size_t)spec->nexclude);
  if (arena->failed) return pl_fail_out_of_memory(error, (size_t)spec->nconstraint * sizeof(plConstraintDef));
  for (int i = 0; i < spec->nconstraint; i++) {
    plConstraintDef def = spec->constraint[i];
    char* name = NULL;
    plStatus status = keep_name(m, def.name, &name, error);
    if (status) return status;
    int* joint = PL_KEEP(arena, int, def.njoint);
    double* scratch = PL_KEEP(arena, double, def.ntime);
    if (joint && def.njoint) memcpy(joint, def.joint, (size_t)def.njoint * sizeof(int));
    def.name = name, def.joint = joint, def.coefficient = keep_numbers(arena, def.coefficient, def.njoint);
    def.time = keep_numbers(arena, def.time, def.ntime),
    def.value = keep_numbers(arena, def.value, def.ntime);
    m->constraint_slope[i] = def.interpolation == PL_CUBIC ? PL_KEEP(arena, double, def.ntime) : NULL;
    if (arena->failed) return pl_fail_out_of_memory(error, 64 * (size_t)(def.njoint + def.ntime));
    if (m->constraint_slope[i])
      pl_table_slopes(def.ntime, def.time, def.value, m->constraint_slope[i], scratch);
    m->constraint[i] = def;
    m->nconstraint++;
  }
  m->nexclude = spec->nexclude;
  for (int i = 0; i < 2 * spec->nexclude; i++) m->exclude[i] = spec->exclude[i];
  return PL_OK;
}

plStatus pl_compile_actuators(const plSpec* spec, plModel* model, plError* error) {
  int nknot = 0, longest = 0, nterm = 0, nsite = 0;
  for (int i = 0; i < spec->nactuator; i++) {
    nknot += spec->actuator[i].ntime;
    nterm += count_terms(spec, model, &spec->actuator[i]);
    nsite += spec->actuator[i].nsite;
    if (spec->actuator[i].ntime > longest) longest = spec->actuator[i].ntime;
  }
  plStatus status = allocate(model, spec->nactuator, nknot, nterm, nsite, error);
  double* scratch = PL_NEW(double, longest);
  if (!status && !scratch) status = pl_fail_out_of_memory(error, (size_t)longest * sizeof(double));
  for (int i = 0; !status && i < spec->nactuator; i++) {
    status = fill_actuator(spec, model, i, scratch, error);
    model->nact = i + 1;
  }
  pl_free(scratch);
  if (!status) status = pl_compile_efforts(spec, model, error);
  return status ? status : fill_constraints(spec, model, error);
}

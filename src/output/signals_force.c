// signals_force.c: forces of joints, actuators, constraints and attachments as signals: names and numbers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "model/joint_kinds.h"
#include "output/moving.h"
#include "output/signals.h"

static const plSignalKind kinds[] = {
    {"joint", "force", "N", 'v', PL_Q_JOINT_FORCE},
    {"joint", "moment", "Nm", 'v', PL_Q_JOINT_MOMENT},
    {"joint", "motor", "Nm", 's', PL_Q_JOINT_MOTOR},
    {"joint", "limit", "Nm", 's', PL_Q_JOINT_LIMIT},
    {"joint", "friction", "Nm", 's', PL_Q_JOINT_FRICTION},
    {"actuator", "force", "Nm", 's', PL_Q_ACTUATOR_FORCE},
    {"constraint", "force", "N", 'v', PL_Q_CONSTRAINT_FORCE},
    {"constraint", "moment", "Nm", 'v', PL_Q_CONSTRAINT_MOMENT},
    {"constraint", "effort", "Nm", 's', PL_Q_CONSTRAINT_EFFORT},
    {"attachment", "force", "N", 'v', PL_Q_ATTACHMENT_FORCE},
    {"attachment", "moment", "Nm", 'v', PL_Q_ATTACHMENT_MOMENT},
    {"attachment", "centre", "m", 'v', PL_Q_ATTACHMENT_CENTRE},
};
enum { NKIND = sizeof kinds / sizeof *kinds };

// The kind by owner and the word's first n characters.
static const plSignalKind* find_kind(const char* owner, const char* word, size_t n) {
  for (int i = 0; i < NKIND; i++)
    if (!strcmp(kinds[i].owner, owner) && strlen(kinds[i].name) == n && !strncmp(kinds[i].name, word, n))
      return &kinds[i];
  return NULL;
}

// The unit of a force about a degree of freedom.
static const char* effort_unit(const plModel* m, int dof) {
  for (int j = 0; j < m->njoint; j++) {
    int i = dof - m->joint_v0[j];
    plJointKind kind = m->joint_kind[j];
    if (i < 0 || i >= pl_joint_nv(kind)) continue;
    return pl_joint_is_length(kind, i) ? "N" : "Nm";
  }
  return "Nm";
}

// ---- joints

bool pl_signal_is_joint_force(const char* word) {
  return find_kind("joint", word, strcspn(word, "(")) != NULL;
}

// JOINT.force, JOINT.moment; JOINT.motor, .limit, .friction with (I) or of all its degrees of freedom.
plStatus pl_signal_add_joint_force(plSignals* s, const plSignalItem* item, int joint, plError* error) {
  const plModel* m = s->model;
  const char *word = item->segment[1], *name = m->joint_name[joint];
  size_t length = strcspn(word, "(");
  const plSignalKind* kind = find_kind("joint", word, length);
  int n = pl_joint_nv(m->joint_kind[joint]), only = -1;
  if (word[length]) {
    char* end;
    long index = strtol(word + length + 1, &end, 10);
    if (kind->shape == 'v' || end == word + length + 1 || strcmp(end, ")") != 0 || index < 0 || index >= n)
      return pl_fail(
          error, PL_ERROR_INPUT, "in the signal '%s', expected %s.%s%s", item->text, name, kind->name,
          kind->shape == 'v' ? ", without a number" : " or a degree of freedom of the joint in parentheses");
    only = (int)index;
  }
  if (item->nsegment > (kind->shape == 'v' ? 3 : 2))
    return pl_fail(error, PL_ERROR_INPUT, "'%s' is not a signal: too many parts follow '%s'", item->text,
                   kind->name);
  if (kind->shape == 's' && n == 0)
    return pl_fail(error, PL_ERROR_INPUT,
                   "in the signal '%s', the joint '%s' is fixed: it has only force and moment", item->text,
                   name);
  for (int i = 0; i < (kind->shape == 'v' ? 1 : n); i++) {
    if (only >= 0 && i != only) continue;
    char prefix[2 * PL_SIGNAL_LENGTH], which[16] = "";
    if (kind->shape == 's' && n > 1) snprintf(which, sizeof which, "(%d)", i);
    snprintf(prefix, sizeof prefix, "%s.%s%s", name, kind->name, which);
    plSignalKind one = *kind;
    if (one.shape == 's') one.unit = effort_unit(m, m->joint_v0[joint] + i);
    plStatus status = pl_signal_add(s, item, &one, (plColumn){.body = joint, .index = i}, prefix,
                                    item->nsegment > 2 ? item->segment[2] : NULL, error);
    if (status) return status;
  }
  return PL_OK;
}

// ---- actuators, constraints, attachments

static const char* name_of(const plModel* m, int owner, int i) {
  return owner == 0 ? m->act_name[i] : owner == 1 ? m->constraint[i].name : m->attach_name[i];
}

// The signals of a constraint: one that joins bodies has a force on b, only a weld has a moment, one with a
// single row has an effort.
static bool has_kind(const plModel* m, int owner, int index, plQuantity quantity) {
  if (owner != 1) return true;
  plConstraintKind kind = m->constraint[index].kind;
  bool bodies = kind <= PL_CONSTRAINT_DISTANCE, row = kind >= PL_CONSTRAINT_DISTANCE;
  return quantity == PL_Q_CONSTRAINT_FORCE    ? bodies
         : quantity == PL_Q_CONSTRAINT_MOMENT ? kind == PL_CONSTRAINT_WELD
                                              : row;
}

// N for a distance, else the unit of the first joint.
static const char* constraint_unit(const plModel* m, const plConstraintDef* c) {
  if (c->kind == PL_CONSTRAINT_DISTANCE) return "N";
  return effort_unit(m, m->joint_v0[c->kind == PL_CONSTRAINT_TENDON ? c->joint[0] : c->a]);
}

static plStatus add_owned(plSignals* s, const plSignalItem* item, int owner, const char* word,
                          const char* name, plError* error) {
  const plModel* m = s->model;
  int n = owner == 0 ? m->nact : owner == 1 ? m->nconstraint : m->nattach, index = -1;
  for (int i = 0; i < n; i++)
    if (!strcmp(name_of(m, owner, i), name)) index = i;
  if (index < 0) {
    const char** names = PL_NEW(const char*, n);
    if (!names) return pl_fail_out_of_memory(error, (size_t)n * sizeof *names);
    for (int i = 0; i < n; i++) names[i] = name_of(m, owner, i);
    char what[64];
    snprintf(what, sizeof what, "the name of %s %s", owner == 1 ? "a" : "an", word);
    plStatus status = pl_signal_unknown(item, name, what, names, n, error);
    pl_free(names);
    return status;
  }
  const char *known[NKIND], *last = item->nsegment > 1 ? item->segment[1] : "";
  int nknown = 0;
  for (int i = 0; i < NKIND; i++)
    if (!strcmp(kinds[i].owner, word) && has_kind(m, owner, index, kinds[i].quantity))
      known[nknown++] = kinds[i].name;
  const plSignalKind* kind = find_kind(word, last, strlen(last));
  if (!kind || !has_kind(m, owner, index, kind->quantity)) {
    char what[64];
    snprintf(what, sizeof what, "a signal of this %s", word);
    return pl_signal_unknown(item, last, what, known, nknown, error);
  }
  if (item->nsegment > 3)
    return pl_fail(error, PL_ERROR_INPUT, "'%s' is not a signal: too many parts follow '%s'", item->text,
                   kind->name);
  char prefix[3 * PL_SIGNAL_LENGTH];
  snprintf(prefix, sizeof prefix, "%s(%s).%s", word, name, kind->name);
  plSignalKind one = *kind;
  if (one.quantity == PL_Q_ACTUATOR_FORCE)
    one.unit = m->act_site0 && m->act_site0[index + 1] > m->act_site0[index]
                   ? "N"
                   : effort_unit(m, m->act_term[m->act_term0[index]]);
  if (one.quantity == PL_Q_CONSTRAINT_EFFORT) one.unit = constraint_unit(m, &m->constraint[index]);
  return pl_signal_add(s, item, &one, (plColumn){.body = index}, prefix,
                       item->nsegment > 2 ? item->segment[2] : NULL, error);
}

plStatus pl_signal_add_force(plSignals* s, plSignalItem* item, bool* mine, plError* error) {
  static const char* const words[] = {"actuator", "constraint", "attachment"};
  for (int i = 0; i < 3; i++) {
    char* name = pl_signal_argument(item->segment[0], words[i]);
    if (!name) continue;
    *mine = true;
    return add_owned(s, item, i, words[i], name, error);
  }
  return PL_OK;
}

// ---- numbers

static void put(double* x, plVec3 a) { v3_store(x, a), x[3] = v3_norm(a); }

static plStatus eval_joint(plSignals* s, const plData* data, const plColumn* c, double* x) {
  int dof = data->model->joint_v0[c->body] + c->index;
  switch (c->quantity) {
    case PL_Q_JOINT_MOTOR:
      x[0] = pl_motor_force(data, dof);
      return PL_OK;
    case PL_Q_JOINT_LIMIT:
      x[0] = pl_limit_force(data, dof);
      return PL_OK;
    case PL_Q_JOINT_FRICTION:
      x[0] = pl_friction_force(data, dof);
      return PL_OK;
    default:
      break;
  }
  if (!s->wrench_known) {
    plStatus status = pl_moving_wrenches(data, s->wrench);
    if (status) return status;
    s->wrench_known = true;
  }
  put(x, c->quantity == PL_Q_JOINT_FORCE ? s->wrench[c->body].force : s->wrench[c->body].moment);
  return PL_OK;
}

plStatus pl_signal_eval_force(plSignals* s, const plData* data, const plColumn* c, double* x) {
  if (c->quantity <= PL_Q_JOINT_FRICTION) return eval_joint(s, data, c, x);
  plWrench wrench = {{0, 0, 0}, {0, 0, 0}};
  plVec3 centre = {NAN, NAN, NAN};
  double effort = 0;
  plStatus status = PL_OK;
  if (c->quantity == PL_Q_ACTUATOR_FORCE)
    x[0] = data->actuator_force[c->body];
  else if (c->quantity <= PL_Q_CONSTRAINT_EFFORT)
    status = pl_constraint_force(data, c->body, &wrench, &effort);
  else
    status = pl_attachment_force(data, c->body, &wrench, &centre);
  if (status || c->quantity == PL_Q_ACTUATOR_FORCE) return status;
  if (c->quantity == PL_Q_CONSTRAINT_EFFORT)
    x[0] = effort;
  else if (c->quantity == PL_Q_ATTACHMENT_CENTRE)
    put(x, centre);
  else
    put(x, c->quantity == PL_Q_CONSTRAINT_FORCE || c->quantity == PL_Q_ATTACHMENT_FORCE ? wrench.force
                                                                                        : wrench.moment);
  return PL_OK;
}

// recording_forces.c: forces in a recording: names of actuators, constraints and attachments with the model,
// impulses and wrenches with each frame.
//
// Recordings of earlier versions have none of these sections: there are no names, and all forces are zero.
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "output/recording.h"

enum { KEY = 6, ROW = 18, WRENCH = 6 };
_Static_assert(sizeof(plWrench) == WRENCH * 8, "all double");

// ---- with the model

void pl_recording_put_force_names(plBytes* bytes, const plModel* m) {
  plBytes text[3] = {{0}}, kind = {0};
  for (int i = 0; i < m->nact; i++) pl_bytes_add(&text[0], m->act_name[i], strlen(m->act_name[i]) + 1);
  for (int i = 0; i < m->nconstraint; i++) {
    pl_bytes_add(&text[1], m->constraint[i].name, strlen(m->constraint[i].name) + 1);
    const plConstraintDef* c = &m->constraint[i];
    pl_bytes_add(&kind, (int[2]){(int)c->kind, c->kind == PL_CONSTRAINT_TENDON ? c->joint[0] : c->a},
                 sizeof(int[2]));
  }
  for (int i = 0; i < m->nattach; i++)
    pl_bytes_add(&text[2], m->attach_name[i], strlen(m->attach_name[i]) + 1);
  static const char* const names[] = {"act_name", "constraint_name", "attach_name"};
  for (int k = 0; k < 3; k++) {
    if (text[k].failed) bytes->failed = true;
    pl_section_add(bytes, names[k], 'b', text[k].data, text[k].size);
    pl_bytes_free(&text[k]);
  }
  if (kind.failed) bytes->failed = true;
  pl_section_add(bytes, "act_term0", 'i', m->act_term0, m->nact ? (size_t)m->nact + 1 : 0);
  pl_section_add(bytes, "act_term", 'i', m->act_term, m->nact ? (size_t)m->act_term0[m->nact] : 0);
  pl_section_add(bytes, "act_coefficient", 'd', m->act_coefficient,
                 m->nact ? (size_t)m->act_term0[m->nact] : 0);
  pl_section_add(bytes, "constraint_kind", 'i', kind.data, 2 * (size_t)m->nconstraint);
  pl_bytes_free(&kind);
}

// The names of a section, in the payload; *n of them. False if memory runs out.
static bool get_names(unsigned char* payload, size_t size, const char* section, plArena* arena, char*** names,
                      int* n) {
  plSection s;
  *n = 0;
  if (!pl_section_find(payload, size, section, 'b', &s) || s.count > INT_MAX) return true;
  char* text = (char*)s.values;
  for (size_t i = 0; i < s.count; i++) {
    if (!text[i])
      ++*n;
    else if ((unsigned char)text[i] < 32 || text[i] == 127)
      text[i] = '_';  // must not control the terminal on which it is printed
  }
  *names = PL_ARENA_NEW(arena, char*, *n);
  if (!*names) return false;
  for (int i = 0; i < *n; i++) (*names)[i] = text, text += strlen(text) + 1;
  return true;
}

// The dofs that each actuator drives; false if they are out of range.
static bool get_terms(unsigned char* payload, size_t size, plModel* m) {
  plSection first, term, coefficient;
  if (!m->nact) return true;
  if (!pl_section_find(payload, size, "act_term0", 'i', &first) || first.count != (size_t)m->nact + 1 ||
      !pl_section_find(payload, size, "act_term", 'i', &term) ||
      !pl_section_find(payload, size, "act_coefficient", 'd', &coefficient))
    return false;
  m->act_term0 = (int*)(void*)first.values, m->act_term = (int*)(void*)term.values;
  m->act_coefficient = (double*)(void*)coefficient.values;
  bool good =
      m->act_term0[0] == 0 && term.count == coefficient.count && (size_t)m->act_term0[m->nact] == term.count;
  for (int i = 0; good && i < m->nact; i++)
    good = m->act_term0[i] < m->act_term0[i + 1] && (size_t)m->act_term0[i + 1] <= term.count;
  for (size_t k = 0; good && k < term.count; k++) good = m->act_term[k] >= 0 && m->act_term[k] < m->nv_rigid;
  return good;
}

plStatus pl_recording_get_force_names(unsigned char* payload, size_t size, const char* file, plArena* arena,
                                      plModel* m, plError* error) {
  char** constraint = NULL;
  plSection kind;
  if (!get_names(payload, size, "act_name", arena, &m->act_name, &m->nact) ||
      !get_names(payload, size, "constraint_name", arena, &constraint, &m->nconstraint) ||
      !get_names(payload, size, "attach_name", arena, &m->attach_name, &m->nattach))
    return pl_fail_out_of_memory(error, size);
  m->constraint = PL_ARENA_NEW(arena, plConstraintDef, m->nconstraint);
  if (!m->constraint) return pl_fail_out_of_memory(error, size);
  bool good = get_terms(payload, size, m) &&
              (!m->nconstraint || (pl_section_find(payload, size, "constraint_kind", 'i', &kind) &&
                                   kind.count == 2 * (size_t)m->nconstraint));
  for (int i = 0; good && i < m->nconstraint; i++) {
    // kind, and its first joint if it has one
    const int* value = (const int*)(void*)kind.values + 2 * (size_t)i;
    bool joints = value[0] > PL_CONSTRAINT_DISTANCE;
    good = value[0] >= 0 && value[0] < PL_CONSTRAINT_COUNT &&
           (!joints || (value[1] >= 0 && value[1] < m->njoint));
    m->constraint[i] = (plConstraintDef){.name = constraint[i],
                                         .kind = (plConstraintKind)(good ? value[0] : 0),
                                         .a = value[1],
                                         .joint = value + 1};
  }
  return good ? PL_OK
              : pl_fail_at(error, PL_ERROR_INPUT, file, 0, 0,
                           "the recording's model is damaged: its actuators or constraints are out of range");
}

// ---- with a frame

plStatus pl_recording_put_forces(plBytes* bytes, const plData* data, plError* error) {
  const plModel* m = data->model;
  plBytes key = {0}, row = {0};
  for (int i = 0; i < data->nimpulse; i++) {
    const plImpulse* p = &data->impulse[i];
    const int whole[KEY] = {(int)p->kind, p->index, p->part, p->nrow, p->a, p->b};
    double real[ROW];
    memcpy(real, p->gamma, sizeof p->gamma);
    memcpy(real + 6, &p->point_a, 24), memcpy(real + 9, &p->point_b, 24),
        memcpy(real + 12, &p->push, sizeof p->push);
    pl_bytes_add(&key, whole, sizeof whole);
    pl_bytes_add(&row, real, sizeof real);
  }
  if (key.failed || row.failed) bytes->failed = true;
  pl_section_add(bytes, "impulse_key", 'i', key.data, KEY * (size_t)data->nimpulse);
  pl_section_add(bytes, "impulse", 'd', row.data, ROW * (size_t)data->nimpulse);
  pl_bytes_free(&key), pl_bytes_free(&row);
  pl_section_add(bytes, "actuator_force", 'd', data->actuator_force, (size_t)m->nact);
  plWrench* wrench = PL_NEW(plWrench, m->njoint);
  if (!wrench) return pl_fail_out_of_memory(error, (size_t)m->njoint * sizeof *wrench);
  plStatus status = pl_moving_wrenches(data, wrench);
  if (!status) pl_section_add(bytes, "joint_wrench", 'd', wrench, WRENCH * (size_t)m->njoint);
  pl_free(wrench);
  return status ? pl_fail(error, status, "the forces of the joints cannot be computed: %s",
                          pl_status_name(status))
                : PL_OK;
}

static bool get_impulse(const plModel* m, const int* whole, const double* real, plImpulse* p) {
  *p = (plImpulse){.kind = (plImpulseKind)whole[0],
                   .index = whole[1],
                   .part = whole[2],
                   .nrow = whole[3],
                   .a = whole[4],
                   .b = whole[5]};
  memcpy(p->gamma, real, sizeof p->gamma);
  memcpy(&p->point_a, real + 6, 24), memcpy(&p->point_b, real + 9, 24),
      memcpy(&p->push, real + 12, sizeof p->push);
  return whole[0] >= 0 && whole[0] <= PL_IMPULSE_EFFORT && p->index >= 0 && p->nrow >= 1 && p->nrow <= 6 &&
         p->a >= -1 && p->a < m->nbody && p->b >= -1 && p->b < m->nbody;
}

plStatus pl_recording_get_forces(unsigned char* payload, size_t size, const char* file, const plModel* m,
                                 plRecordedForces* forces, plError* error) {
  plSection key, row, act, wrench;
  *forces = (plRecordedForces){0};
  bool impulses = pl_section_find(payload, size, "impulse_key", 'i', &key), good = true;
  if (impulses)
    good = key.count / KEY < INT_MAX && key.count % KEY == 0 &&
           pl_section_find(payload, size, "impulse", 'd', &row) && row.count == ROW * (key.count / KEY);
  if (pl_section_find(payload, size, "actuator_force", 'd', &act))
    good &= act.count == (size_t)m->nact, forces->actuator = (const double*)(void*)act.values;
  if (pl_section_find(payload, size, "joint_wrench", 'd', &wrench))
    good &= wrench.count == WRENCH * (size_t)m->njoint,
        forces->wrench = (const plWrench*)(void*)wrench.values;
  if (good && impulses) {
    forces->nimpulse = (int)(key.count / KEY);
    forces->impulse = PL_NEW(plImpulse, forces->nimpulse);
    if (!forces->impulse) return pl_fail_out_of_memory(error, (size_t)forces->nimpulse * sizeof(plImpulse));
    for (int i = 0; good && i < forces->nimpulse; i++)
      good = get_impulse(m, (const int*)(void*)key.values + KEY * (size_t)i,
                         (const double*)(void*)row.values + ROW * (size_t)i, &forces->impulse[i]);
  }
  if (good) return PL_OK;
  pl_free(forces->impulse);
  forces->impulse = NULL;
  return pl_fail_at(error, PL_ERROR_INPUT, file, 0, 0,
                    "a frame of the recording is damaged: its forces do not fit the model");
}

void pl_recording_show_forces(const plRecordedForces* forces, plReplayData* replay) {
  plData* data = &replay->data;
  const plModel* m = data->model;
  pl_free(data->impulse);
  data->impulse = forces->impulse, data->nimpulse = forces->nimpulse;
  size_t actuators = (size_t)m->nact * sizeof(double), joints = (size_t)m->njoint * sizeof(plWrench);
  if (actuators && forces->actuator)
    memcpy(data->actuator_force, forces->actuator, actuators);
  else if (actuators)
    memset(data->actuator_force, 0, actuators);
  if (joints && forces->wrench)
    memcpy(replay->moving.wrench, forces->wrench, joints);
  else if (joints)
    memset(replay->moving.wrench, 0, joints);
}

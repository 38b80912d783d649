// recording_frame.c: one frame of a recording: plData <-> sections.
//
// q, v, contacts and report are stored for every reader; the body of the complete state is stored with
// them so that a run can continue from a frame. Most of its bytes are q, v and zeros, so it is stored as
// runs: literal bytes, zeros, all of q, all of v, all parameters of the model.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/side.h"
#include "model/state.h"
#include "model/work.h"
#include "output/recording.h"

enum { RUN_LITERAL, RUN_ZERO, RUN_Q, RUN_V, RUN_PARAMETERS };
enum { REPORT = 28, CONTACT = 15, POSE = 7, BODY = 27, TOTALS = 9 };
_Static_assert(sizeof(plPose) == POSE * 8 && sizeof(plRigidState) == BODY * 8 &&
                   sizeof(plRigidTotals) == TOTALS * 8,
               "all double");

// ---- writing

static void add_run(plBytes* runs, int64_t kind, size_t bytes) {
  if (bytes) pl_bytes_add(runs, (int64_t[2]){kind, (int64_t)bytes}, sizeof(int64_t[2]));
}

// The number of zero bytes at p, a multiple of 8.
static size_t zeros(const unsigned char* p, size_t left) {
  uint64_t word;
  size_t n = 0;
  for (; left - n >= 8; n += 8) {
    memcpy(&word, p + n, 8);
    if (word) break;
  }
  return n;
}

static bool starts_with(const unsigned char* p, size_t left, const double* values, int n) {
  return n > 0 && left >= (size_t)n * 8 && !memcmp(p, values, (size_t)n * 8);
}

static void put_state(plBytes* bytes, const plBytes* state, const plData* data, bool same_parameters) {
  const plModel* model = data->model;
  plBytes runs = {0}, literal = {0};
  size_t at = 0, begin = 0, nparameter = 0;
  if (same_parameters && pl_parameters_unchanged(data)) nparameter = pl_parameters_bytes(model);
  add_run(&runs, RUN_PARAMETERS, nparameter);
  at = begin = nparameter;
  while (at < state->size) {
    const unsigned char* p = state->data + at;
    size_t left = state->size - at, length;
    int kind = RUN_LITERAL;
    if (starts_with(p, left, data->q, model->nq))
      kind = RUN_Q, length = (size_t)model->nq * 8;
    else if (starts_with(p, left, data->v, model->nv))
      kind = RUN_V, length = (size_t)model->nv * 8;
    else if ((length = zeros(p, left)) >= 64)
      kind = RUN_ZERO;
    else
      length = left < 8 ? left : 8;
    if (kind != RUN_LITERAL) {
      add_run(&runs, RUN_LITERAL, at - begin);
      pl_bytes_add(&literal, state->data + begin, at - begin);
      add_run(&runs, kind, length);
      begin = at + length;
    }
    at += length;
  }
  add_run(&runs, RUN_LITERAL, at - begin);
  pl_bytes_add(&literal, state->data + begin, at - begin);
  if (runs.failed || literal.failed) bytes->failed = true;
  pl_section_add(bytes, "state_run", 'l', runs.data, runs.size / 8);
  pl_section_add(bytes, "state_literal", 'b', literal.data, literal.size);
  pl_bytes_free(&runs), pl_bytes_free(&literal);
}

static void put_contacts(plBytes* bytes, const plData* data) {
  plBytes pair = {0}, facet = {0}, row = {0};
  for (int i = 0; i < data->ncontact; i++) {
    const plContact* c = &data->contact[i];
    const double values[CONTACT] = {c->position.x, c->position.y, c->position.z, c->normal.x, c->normal.y,
                                    c->normal.z,   c->gap,        c->area,       c->force.x,  c->force.y,
                                    c->force.z,    c->slip.x,     c->slip.y,     c->slip.z,   c->stick};
    pl_bytes_add(&pair, (int[2]){pl_side_number(data->model, c->a), pl_side_number(data->model, c->b)},
                 sizeof(int[2]));
    pl_bytes_add(&facet, (int[2]){c->tri_a, c->tri_b}, sizeof(int[2]));
    pl_bytes_add(&row, values, sizeof values);
  }
  if (pair.failed || facet.failed || row.failed) bytes->failed = true;
  pl_section_add(bytes, "contact_pair", 'i', pair.data, 2 * (size_t)data->ncontact);
  pl_section_add(bytes, "contact_facet", 'i', facet.data, 2 * (size_t)data->ncontact);
  pl_section_add(bytes, "contact", 'd', row.data, CONTACT * (size_t)data->ncontact);
  pl_bytes_free(&pair), pl_bytes_free(&facet), pl_bytes_free(&row);
}

static void put_report(plBytes* bytes, const plReport* r) {
  const double row[REPORT] = {r->status,
                              (double)r->step,
                              r->constraints,
                              r->contacts,
                              r->iterations,
                              r->line_search,
                              r->residual,
                              r->free_iterations,
                              r->free_residual,
                              r->factorizations,
                              r->skipped,
                              r->deep,
                              r->merged,
                              r->sap.cone_violation,
                              r->sap.complementarity,
                              r->sap.slip_angle,
                              r->sap.creep,
                              r->sap.R_n_min,
                              r->sap.R_n_max,
                              r->sap.R_t_min,
                              r->sap.R_t_max,
                              r->sap.stick,
                              r->sap.slide,
                              r->sap.open,
                              r->couplings,
                              r->coupled_residual,
                              r->sap.time_total,
                              r->dt};
  pl_section_add(bytes, "report", 'd', row, REPORT);
  pl_section_add(bytes, "report_stage", 'd', r->stage_s, PL_STAGE_COUNT);
  pl_section_add(bytes, "report_stage_total", 'd', r->total_stage_s, PL_STAGE_COUNT);
  pl_section_add(bytes, "report_where", 'b', r->where, strnlen(r->where, sizeof r->where));
}

// Rigid bodies and their shapes, if there are any: a replay cannot compute them.
static void put_moving(plBytes* bytes, const plData* data) {
  const plModel* m = data->model;
  if (!m->nbody) return;
  plPose* pose = PL_NEW(plPose, m->nshape);
  plRigidState* body = PL_NEW(plRigidState, m->nbody);
  plRigidTotals totals;
  if (pose && body) {
    pl_moving_poses(data, pose);
    for (int b = 0; b < m->nbody; b++) (void)pl_moving_body(data, b, &body[b]);
    pl_moving_totals(data, &totals);
    pl_section_add(bytes, "geom_world", 'd', pose, POSE * (size_t)m->nshape);
    pl_section_add(bytes, "body_state", 'd', body, BODY * (size_t)m->nbody);
    pl_section_add(bytes, "rigid_totals", 'd', &totals, TOTALS);
  } else {
    bytes->failed = true;
  }
  pl_free(pose), pl_free(body);
}

plStatus pl_recording_put_frame(plBytes* bytes, plBytes* state, const plData* data, bool same_parameters,
                                plError* error) {
  const plModel* model = data->model;
  size_t size = pl_state_body_size(data);
  if (state->cap < size) {
    pl_bytes_free(state);
    state->data = pl_alloc(size, 1);
    if (!state->data) return pl_fail_out_of_memory(error, size);
    state->cap = size;
  }
  state->size = size;
  pl_state_body_get(data, state->data);
  pl_section_add(bytes, "q", 'd', data->q, (size_t)model->nq);
  pl_section_add(bytes, "v", 'd', data->v, (size_t)model->nv);
  pl_section_add(bytes, "u", 'd', data->u, (size_t)model->nu);
  put_state(bytes, state, data, same_parameters);
  put_contacts(bytes, data);
  put_moving(bytes, data);
  plStatus status = pl_recording_put_forces(bytes, data, error);
  if (status) return status;
  if (model->nsensor) pl_section_add(bytes, "reading", 'b', data->reading, model->reading_bytes);
  put_report(bytes, &data->report);
  return bytes->failed ? pl_fail_out_of_memory(error, bytes->cap) : PL_OK;
}

// ---- reading

static plStatus damaged(const char* file, const char* name, plError* error) {
  return pl_fail_at(error, PL_ERROR_INPUT, file, 0, 0,
                    "a frame of the recording is damaged: its section '%s' does not fit the model", name);
}

static int to_int(double x) { return x > INT_MIN && x < INT_MAX ? (int)x : 0; }

// A facet of the side: a boundary triangle of a deformable, any of a rigid shape; -1: none.
static bool is_facet(const plModel* m, plSide side, int tri) {
  if (tri < 0 || side.kind == PL_SIDE_SHAPE) return tri >= -1;
  return tri >= m->deform_tri0[side.index] && tri < m->deform_tri0[side.index + 1];
}

// Earlier recordings have no facets: facet is NULL.
static bool get_contacts(const plSection* pair, const int* facet, const plSection* row, const plData* data,
                         plContact* contact) {
  const int* sides = (const int*)(const void*)pair->values;
  const double* r = (const double*)(const void*)row->values;
  int nside = data->model->ndeform + data->model->nshape;
  for (size_t i = 0; i < pair->count / 2; i++, r += CONTACT) {
    int a = sides[2 * i], b = sides[2 * i + 1];
    if (a < 0 || a >= nside || b < 0 || b >= nside) return false;
    plContact c = {.a = pl_side_of_number(data->model, a),
                   .b = pl_side_of_number(data->model, b),
                   .tri_a = -1,
                   .tri_b = -1};
    if (facet) c.tri_a = facet[2 * i], c.tri_b = facet[2 * i + 1];
    if (!is_facet(data->model, c.a, c.tri_a) || !is_facet(data->model, c.b, c.tri_b)) return false;
    c.position = (plVec3){r[0], r[1], r[2]};
    c.normal = (plVec3){r[3], r[4], r[5]};
    c.gap = r[6], c.area = r[7];
    c.force = (plVec3){r[8], r[9], r[10]};
    c.slip = (plVec3){r[11], r[12], r[13]};
    c.stick = r[14] > 0.5;
    contact[i] = c;
  }
  return true;
}

static void get_report(unsigned char* payload, size_t size, plReport* report) {
  plSection s;
  *report = (plReport){0};
  double r[REPORT] = {0};
  if (pl_section_find(payload, size, "report", 'd', &s))
    memcpy(r, s.values, (s.count < REPORT ? s.count : REPORT) * sizeof(double));
  report->status = (plStatus)(r[0] >= 0 && r[0] < PL_STATUS_COUNT ? (int)r[0] : 0);
  report->step = r[1] >= 0 && r[1] < 9e15 ? (long)r[1] : 0;
  report->constraints = to_int(r[2]), report->contacts = to_int(r[3]);
  report->iterations = to_int(r[4]), report->line_search = to_int(r[5]), report->residual = r[6];
  report->free_iterations = to_int(r[7]), report->free_residual = r[8];
  report->factorizations = to_int(r[9]), report->skipped = to_int(r[10]);
  report->deep = to_int(r[11]), report->merged = to_int(r[12]);
  plSapReport* sap = &report->sap;
  sap->cone_violation = r[13], sap->complementarity = r[14], sap->slip_angle = r[15], sap->creep = r[16];
  sap->R_n_min = r[17], sap->R_n_max = r[18], sap->R_t_min = r[19], sap->R_t_max = r[20];
  sap->stick = to_int(r[21]), sap->slide = to_int(r[22]), sap->open = to_int(r[23]);
  report->couplings = to_int(r[24]), report->coupled_residual = r[25], sap->time_total = r[26],
  report->dt = r[27] > 0 ? r[27] : 0;
  if (pl_section_find(payload, size, "report_stage", 'd', &s) && s.count == PL_STAGE_COUNT)
    memcpy(report->stage_s, s.values, s.count * sizeof(double));
  if (pl_section_find(payload, size, "report_stage_total", 'd', &s) && s.count == PL_STAGE_COUNT)
    memcpy(report->total_stage_s, s.values, s.count * sizeof(double));
  if (pl_section_find(payload, size, "report_where", 'b', &s) && s.count < sizeof report->where)
    memcpy(report->where, s.values, s.count);
}

plStatus pl_recording_get_frame(unsigned char* payload, size_t size, const char* file, plReplayData* replay,
                                plError* error) {
  plData* data = &replay->data;
  const plModel* model = data->model;
  plSection q, v, u, pair, facet, row, world, body, totals, reading;
  if (!pl_section_find(payload, size, "q", 'd', &q) || q.count != (size_t)model->nq)
    return damaged(file, "q", error);
  if (!pl_section_find(payload, size, "v", 'd', &v) || v.count != (size_t)model->nv)
    return damaged(file, "v", error);
  if (!pl_section_find(payload, size, "u", 'd', &u) || u.count != (size_t)model->nu)
    return damaged(file, "u", error);
  if (!pl_section_find(payload, size, "contact_pair", 'i', &pair) || pair.count > INT_MAX || pair.count % 2)
    return damaged(file, "contact_pair", error);
  int ncontact = (int)(pair.count / 2);
  if (!pl_section_find(payload, size, "contact", 'd', &row) || row.count != CONTACT * (size_t)ncontact)
    return damaged(file, "contact", error);
  bool facets = pl_section_find(payload, size, "contact_facet", 'i', &facet);
  if (facets && facet.count != pair.count) return damaged(file, "contact_facet", error);
  if (model->nbody && (!pl_section_find(payload, size, "geom_world", 'd', &world) ||
                       world.count != POSE * (size_t)model->nshape))
    return damaged(file, "geom_world", error);
  if (model->nbody && (!pl_section_find(payload, size, "body_state", 'd', &body) ||
                       body.count != BODY * (size_t)model->nbody))
    return damaged(file, "body_state", error);
  if (model->nbody &&
      (!pl_section_find(payload, size, "rigid_totals", 'd', &totals) || totals.count != TOTALS))
    return damaged(file, "rigid_totals", error);
  if (model->nsensor &&
      (!pl_section_find(payload, size, "reading", 'b', &reading) || reading.count != model->reading_bytes))
    return damaged(file, "reading", error);
  plContact* contact = PL_NEW(plContact, ncontact);
  if (!contact) return pl_fail_out_of_memory(error, (size_t)ncontact * sizeof *contact);
  if (!get_contacts(&pair, facets ? (const int*)(const void*)facet.values : NULL, &row, data, contact))
    return pl_free(contact), damaged(file, "contact_pair", error);
  plRecordedForces forces;
  plStatus status = pl_recording_get_forces(payload, size, file, model, &forces, error);
  if (status) return pl_free(contact), status;
  // From here on nothing can fail.
  pl_recording_show_forces(&forces, replay);
  pl_free(data->contact);
  data->contact = contact;
  data->ncontact = ncontact;
  memcpy(data->q, q.values, q.count * sizeof(double));
  memcpy(data->v, v.values, v.count * sizeof(double));
  memcpy(data->u, u.values, u.count * sizeof(double));
  if (model->nsensor) memcpy(data->reading, reading.values, reading.count);
  if (model->nbody) {
    memcpy(replay->moving.shape, world.values, world.count * sizeof(double));
    memcpy(replay->moving.body, body.values, body.count * sizeof(double));
    memcpy(&replay->moving.totals, totals.values, sizeof replay->moving.totals);
  }
  pl_data_refresh(data);
  get_report(payload, size, &data->report);
  return PL_OK;
}

size_t pl_recording_state_size(unsigned char* payload, size_t payload_size, size_t most) {
  plSection runs;
  size_t total = 0;
  if (!pl_section_find(payload, payload_size, "state_run", 'l', &runs)) return 0;
  for (size_t i = 0; i + 1 < runs.count; i += 2) {
    int64_t run[2];
    memcpy(run, runs.values + 8 * i, sizeof run);
    if (run[1] < 0 || (uint64_t)run[1] > most - total) return 0;
    total += (size_t)run[1];
  }
  return total;
}

plStatus pl_recording_get_state(unsigned char* payload, size_t payload_size, const char* file,
                                const plSection* parameters, unsigned char* state, size_t size,
                                plError* error) {
  plSection runs, literal, q, v;
  if (!pl_section_find(payload, payload_size, "state_run", 'l', &runs) || runs.count % 2 ||
      !pl_section_find(payload, payload_size, "state_literal", 'b', &literal) ||
      !pl_section_find(payload, payload_size, "q", 'd', &q) ||
      !pl_section_find(payload, payload_size, "v", 'd', &v))
    return damaged(file, "state_run", error);
  size_t at = 0, used = 0;
  for (size_t i = 0; i + 1 < runs.count; i += 2) {
    int64_t run[2];
    memcpy(run, runs.values + 8 * i, sizeof run);
    if (run[1] < 0 || (size_t)run[1] > size - at) return damaged(file, "state_run", error);
    size_t n = (size_t)run[1];
    const unsigned char* from = NULL;
    if (run[0] == RUN_LITERAL && n <= literal.count - used)
      from = literal.values + used, used += n;
    else if (run[0] == RUN_Q && n == 8 * q.count)
      from = q.values;
    else if (run[0] == RUN_V && n == 8 * v.count)
      from = v.values;
    else if (run[0] == RUN_PARAMETERS && n == 8 * parameters->count)
      from = parameters->values;
    else if (run[0] != RUN_ZERO)
      return damaged(file, "state_run", error);
    if (from)
      memcpy(state + at, from, n);
    else
      memset(state + at, 0, n);
    at += n;
  }
  return at == size ? PL_OK : damaged(file, "state_run", error);
}

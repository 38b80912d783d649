// stream.c: model -> scene message, moment -> frame message (docs/viewer.md has both formats).
//
// in: model; q, v, u, contacts, report -> out: bytes
#include "pliant/stream.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/holding.h"
#include "model/work.h"
#include "model/side.h"
#include "output/chunk.h"
#include "output/field.h"
#include "output/moving.h"
#include "output/stream_sensor.h"

// The boundary vertices of all deformable bodies, body by body; only these are sent.
struct plStream {
  const plModel* model;
  int nsurf;      // vertices sent
  int* surf0;     // [ndeform + 1] first of each body
  int* source;    // [nsurf] vertex, counted from its body's first
  int* tri;       // [3 ntri] vertices, counted from surf0 of the body
  plPose* pose;   // [nbody]
  double* value;  // [largest body's vertices]
  plBytes scene, frame;
};

// Numbers the boundary's vertices of every body in the order of the triangles.
static bool number_vertices(plStream* s) {
  const plModel* m = s->model;
  int* place = PL_NEW(int, m->nvert);
  if (!place) return false;
  for (int b = 0; b < m->ndeform; b++) {
    s->surf0[b] = s->nsurf;
    for (size_t i = 3 * (size_t)m->deform_tri0[b]; i < 3 * (size_t)m->deform_tri0[b + 1]; i++) {
      int v = m->tri_vert[i];
      assert(v >= m->deform_vert0[b] && v < m->deform_vert0[b + 1]);
      if (!place[v]) {
        s->source[s->nsurf++] = v - m->deform_vert0[b];
        place[v] = s->nsurf;
      }
      s->tri[i] = place[v] - 1 - s->surf0[b];
    }
  }
  assert(s->nsurf <= m->nvert);
  s->surf0[m->ndeform] = s->nsurf;
  pl_free(place);
  return true;
}

plStatus pl_stream_create(const plModel* model, plStream** stream, plError* error) {
  assert(model != NULL && stream != NULL);
  plStream* s = PL_NEW(plStream, 1);
  *stream = s;
  if (!s) return pl_fail_out_of_memory(error, sizeof *s);
  int largest = 0;
  for (int b = 0; b < model->ndeform; b++) {
    int n = model->deform_vert0[b + 1] - model->deform_vert0[b];
    if (n > largest) largest = n;
  }
  s->model = model;
  s->surf0 = PL_NEW(int, model->ndeform + 1);
  s->source = PL_NEW(int, model->nvert);
  s->tri = PL_NEW(int, 3 * (size_t)model->ntri);
  s->pose = PL_NEW(plPose, model->nbody);
  s->value = PL_NEW(double, largest);
  if (s->surf0 && s->source && s->tri && s->pose && s->value && number_vertices(s)) return PL_OK;
  pl_stream_destroy(s);
  *stream = NULL;
  return pl_fail_out_of_memory(error, 16 * (size_t)model->nvert);
}

void pl_stream_destroy(plStream* s) {
  if (!s) return;
  pl_free(s->surf0), pl_free(s->source), pl_free(s->tri), pl_free(s->pose), pl_free(s->value);
  pl_bytes_free(&s->scene);
  pl_bytes_free(&s->frame);
  pl_free(s);
}

// ---- the scene: JSON

void pl_stream_put_text(plBytes* out, const char* text) {
  pl_bytes_add(out, "\"", 1);
  for (const char* c = text ? text : ""; *c; c++) {
    unsigned char byte = (unsigned char)*c;
    if (byte < 0x20 || byte == '"' || byte == '\\' || byte == '<')
      pl_bytes_print(out, "\\u%04x", byte);
    else
      pl_bytes_add(out, c, 1);
  }
  pl_bytes_add(out, "\"", 1);
}

static void put_member(plBytes* out, const char* key, const char* text) {
  pl_bytes_print(out, "\"%s\":", key);
  pl_stream_put_text(out, text);
}

// JSON has no infinity.
static void put_number(plBytes* out, const char* key, double x) {
  if (isfinite(x))
    pl_bytes_print(out, ",\"%s\":%.9g", key, x);
  else
    pl_bytes_print(out, ",\"%s\":null", key);
}

static void put_vec(plBytes* out, const char* key, plVec3 v) {
  pl_bytes_print(out, ",\"%s\":[%.9g,%.9g,%.9g]", key, v.x, v.y, v.z);
}

// An array in the binary part: its offset there (bytes) and length; *at advances.
static void put_array(plBytes* out, const char* key, size_t count, size_t* at) {
  pl_bytes_print(out, ",\"%s\":[%zu,%zu]", key, *at, count);
  *at += 4 * count;
}

static void put_deformables(const plStream* s, plBytes* out, size_t* at) {
  const plModel* m = s->model;
  for (int b = 0; b < m->ndeform; b++) {
    pl_bytes_print(out, b ? ",{" : "{");
    put_member(out, "name", m->deform_name[b]);
    pl_bytes_print(out, ",\"surf0\":%d,\"nsurf\":%d,\"nvert\":%d,\"ntet\":%d", s->surf0[b],
                   s->surf0[b + 1] - s->surf0[b], m->deform_vert0[b + 1] - m->deform_vert0[b],
                   m->deform_tet0[b + 1] - m->deform_tet0[b]);
    put_number(out, "mass", m->par->deform_material[b].density * m->deform_volume[b]);
    put_array(out, "tri", 3 * (size_t)(m->deform_tri0[b + 1] - m->deform_tri0[b]), at);
    put_array(out, "source", (size_t)(s->surf0[b + 1] - s->surf0[b]), at);
    pl_bytes_print(out, "}");
  }
}

static void put_shapes(const plModel* m, plBytes* out, size_t* at) {
  for (int g = 0; g < m->nshape; g++) {
    plPose x = m->shape_pose[g];
    pl_bytes_print(out, g ? ",{" : "{");
    put_member(out, "name", m->shape_name[g]);
    pl_bytes_print(out, ",\"body\":%d,\"kind\":\"%s\",\"collide\":%s", m->shape_body[g],
                   pl_shape_name(m->shape_kind[g]), m->shape_collide[g] ? "true" : "false");
    pl_bytes_print(out, ",\"pose\":[%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g]", x.p.x, x.p.y, x.p.z, x.q.w, x.q.x,
                   x.q.y, x.q.z);
    put_vec(out, "size", m->shape_size[g]);
    put_vec(out, "colour", m->shape_colour[g]);
    put_number(out, "radius", m->shape_radius[g]);
    put_number(out, "length", m->shape_length[g]);
    if (m->shape_mesh[g]) {
      put_array(out, "vert", 3 * (size_t)m->shape_mesh[g]->nvert, at);
      put_array(out, "tri", 3 * (size_t)m->shape_mesh[g]->ntri, at);
    }
    pl_bytes_print(out, "}");
  }
}

static void put_bodies(const plModel* m, plBytes* out) {
  for (int i = 0; i < m->nbody; i++) {
    pl_bytes_print(out, i ? ",{" : "{");
    put_member(out, "name", m->body_name[i]);
    // the model of a recording has no trees
    pl_bytes_print(out, ",\"parent\":%d,\"fixed\":%s", m->body_parent ? m->body_parent[i] : -1,
                   m->body_node && m->body_node[i] < 0 ? "true" : "false");
    put_number(out, "mass", m->par->body_mass[i]);
    pl_bytes_print(out, "}");
  }
}

// The input that holds an actuator at a coordinate; the coordinate itself if there is none.
static double holding_input(const plModel* m, const plParameters* par, int act, double x) {
  double u;
  return pl_holding_input(m, par, act, x, &u) ? u : x;
}

// The inputs that hold an actuator at the limits of its joints.
static void input_limits(const plModel* m, int act, double* lower, double* upper) {
  double low, high;
  pl_holding_limits(m, m->par, act, &low, &high);
  double a = holding_input(m, m->par, act, low), b = holding_input(m, m->par, act, high);
  *lower = fmin(a, b), *upper = fmax(a, b);
}

// The model of a recording has the names of actuators, not their laws, so they cannot be moved.
static int movable_actuators(const plModel* m) { return m->act_kind ? m->nact : 0; }

static void put_actuators(const plModel* m, plBytes* out) {
  for (int i = 0; i < movable_actuators(m); i++) {
    int joint = m->dof_joint[m->act_dof[i]];
    double lower, upper;
    input_limits(m, i, &lower, &upper);
    double start = m->start_u[m->act_u0[i]];
    pl_bytes_print(out, i ? ",{" : "{");
    put_member(out, "name", m->act_name[i]);
    pl_bytes_print(out, ",\"kind\":\"%s\",\"u\":%d,\"joint\":\"%s\",\"table\":%s",
                   pl_actuator_kind_name(m->act_kind[i]), m->act_u0[i],
                   pl_joint_kind_name(m->joint_kind[joint]),
                   m->act_knot0[i + 1] > m->act_knot0[i] ? "true" : "false");
    put_number(out, "lower", m->par->act_lower[i]);
    put_number(out, "upper", m->par->act_upper[i]);
    put_number(out, "effort", fmax(-m->par->act_force_lower[i], m->par->act_force_upper[i]));
    put_number(out, "jointLower", lower);
    put_number(out, "jointUpper", upper);
    put_number(out, "start", start);
    pl_bytes_print(out, "}");
  }
}

static void put_json(const plStream* s, const char* name, plBytes* out) {
  const plModel* m = s->model;
  size_t at = 0;
  pl_bytes_print(out, "{");
  put_member(out, "name", name);
  pl_bytes_print(out, ",\"version\":\"%s\",\"dt\":%.9g,\"duration\":%.9g,\"nv\":%d,\"nsurf\":%d",
                 pl_version(), m->par->options.dt, m->par->options.duration, m->nv, s->nsurf);
  put_vec(out, "gravity", m->par->options.gravity);
  put_number(out, "tolerance", m->par->options.tolerance);
  pl_bytes_print(out, ",\"stages\":[");
  for (int i = 0; i < PL_STAGE_COUNT; i++)
    pl_bytes_print(out, "%s\"%s\"", i ? "," : "", pl_stage_name((plStage)i));
  pl_bytes_print(out, "],\"deformables\":[");
  put_deformables(s, out, &at);
  pl_bytes_print(out, "],\"shapes\":[");
  put_shapes(m, out, &at);
  pl_bytes_print(out, "],\"bodies\":[");
  put_bodies(m, out);
  pl_bytes_print(out, "],\"actuators\":[");
  put_actuators(m, out);
  pl_bytes_print(out, "],\"sensors\":[");
  pl_stream_put_sensors(out, m);
  pl_bytes_print(out, "]}");
}

// ---- the scene: arrays, in the order in which the JSON placed them

static void put_floats(plBytes* out, const double* x, size_t n) {
  float block[256];
  for (size_t i = 0; i < n; i += 256) {
    size_t k = n - i < 256 ? n - i : 256;
    for (size_t j = 0; j < k; j++) block[j] = (float)x[i + j];
    pl_bytes_add(out, block, k * sizeof *block);
  }
}

static void put_arrays(const plStream* s, plBytes* out) {
  const plModel* m = s->model;
  for (int b = 0; b < m->ndeform; b++) {
    pl_bytes_add(out, s->tri + 3 * (size_t)m->deform_tri0[b],
                 3 * (size_t)(m->deform_tri0[b + 1] - m->deform_tri0[b]) * sizeof(int));
    pl_bytes_add(out, s->source + s->surf0[b], (size_t)(s->surf0[b + 1] - s->surf0[b]) * sizeof(int));
  }
  for (int g = 0; g < m->nshape; g++) {
    const plMesh* mesh = m->shape_mesh[g];
    if (!mesh) continue;
    put_floats(out, mesh->vert, 3 * (size_t)mesh->nvert);
    pl_bytes_add(out, mesh->tri, 3 * (size_t)mesh->ntri * sizeof(int));
  }
}

plStatus pl_stream_scene(plStream* s, const char* name, const void** bytes, size_t* size, plError* error) {
  assert(s != NULL && name != NULL && bytes != NULL && size != NULL);
  plBytes* out = &s->scene;
  uint32_t head[2] = {0};
  memcpy(head, "PLSC", 4);
  pl_bytes_clear(out);
  pl_bytes_add(out, head, sizeof head);
  put_json(s, name, out);
  while (out->size % 4 && !out->failed) pl_bytes_add(out, " ", 1);
  head[1] = (uint32_t)(out->size - sizeof head);
  if (!out->failed) memcpy(out->data, head, sizeof head);
  put_arrays(s, out);
  *bytes = out->data;
  *size = out->size;
  return out->failed ? pl_fail_out_of_memory(error, out->cap) : PL_OK;
}

// ---- a frame

static void put_u32(plBytes* out, long x) { pl_bytes_add(out, &(uint32_t){(uint32_t)x}, 4); }
static void put_f32(plBytes* out, double x) { pl_bytes_add(out, &(float){(float)x}, 4); }
static void put_v3(plBytes* out, plVec3 v) { put_floats(out, (const double[3]){v.x, v.y, v.z}, 3); }

// Energies of everything: kinetic, elastic, gravity (J).
static void energies(const plData* data, double e[3]) {
  plRigidTotals totals;
  pl_moving_totals(data, &totals);
  e[0] = totals.kinetic_energy, e[1] = totals.elastic_energy, e[2] = totals.gravity_energy;
  for (int b = 0; b < data->model->ndeform; b++) {
    plBodyState state;
    if (pl_deformable_state(data, b, &state)) continue;
    e[0] += state.kinetic_energy, e[1] += state.elastic_energy, e[2] += state.gravity_energy;
  }
}

// Numbers of 4 bytes (the time takes two): 22, and one for each stage.
static void put_numbers(const plStream* s, const plMoment* moment, plBytes* out) {
  const plReport* r = moment->report;
  double e[3];
  energies(moment->data, e);
  pl_bytes_add(out, "PLFR", 4);
  put_u32(out, moment->ncontact);
  pl_bytes_add(out, &moment->data->time, sizeof(double));
  put_u32(out, moment->fields);
  put_u32(out, s->nsurf), put_u32(out, s->model->nbody), put_u32(out, s->model->nu),
      put_u32(out, movable_actuators(s->model));
  put_u32(out, r->step), put_u32(out, r->status), put_u32(out, r->constraints), put_u32(out, r->iterations);
  put_u32(out, r->line_search), put_u32(out, r->free_iterations), put_u32(out, r->factorizations),
      put_u32(out, r->skipped);
  put_f32(out, r->residual), put_f32(out, r->free_residual);
  for (int i = 0; i < 3; i++) put_f32(out, e[i]);
  for (int i = 0; i < PL_STAGE_COUNT; i++) put_f32(out, r->stage_s[i]);
}

// All at once from a running simulation; a frame of a recording contains them.
static void put_poses(plStream* s, const plData* data, plBytes* out) {
  if (data->work) pl_rigid_poses(data, s->pose);
  for (int i = 0; i < s->model->nbody; i++) {
    plRigidState state = {.pose = s->pose[i]};
    if (!data->work) pl_moving_body(data, i, &state);
    plPose x = state.pose;
    put_floats(out, (const double[7]){x.p.x, x.p.y, x.p.z, x.q.w, x.q.x, x.q.y, x.q.z}, 7);
  }
}

// Positions of the boundary's vertices, then one number each for every field.
static plStatus put_surfaces(plStream* s, const plMoment* moment, plBytes* out, plError* error) {
  const plModel* m = s->model;
  for (int b = 0; b < m->ndeform; b++)
    for (int i = s->surf0[b]; i < s->surf0[b + 1]; i++)
      put_floats(out, moment->data->q + m->deform_q0[b] + 3 * (size_t)s->source[i], 3);
  for (int colour = PL_COLOUR_DISPLACEMENT; colour < PL_COLOUR_COUNT; colour++) {
    if (!(moment->fields >> colour & 1)) continue;
    for (int b = 0; b < m->ndeform; b++) {
      plStatus status = pl_field_colour(moment->data, b, (plColour)colour, s->value, error);
      if (status) return status;
      for (int i = s->surf0[b]; i < s->surf0[b + 1]; i++) put_f32(out, s->value[s->source[i]]);
    }
  }
  return PL_OK;
}

static void put_contacts(const plModel* model, const plMoment* moment, plBytes* out) {
  for (int i = 0; i < moment->ncontact; i++) {
    const plContact* c = &moment->contact[i];
    put_v3(out, c->position), put_v3(out, c->normal), put_v3(out, c->force), put_v3(out, c->slip);
    put_f32(out, c->gap), put_f32(out, c->area);
    put_u32(out, pl_side_number(model, c->a)), put_u32(out, pl_side_number(model, c->b) * 2L + c->stick);
  }
}

plStatus pl_stream_frame(plStream* s, const plMoment* moment, size_t head, void** bytes, size_t* size,
                         plError* error) {
  assert(s != NULL && moment != NULL && bytes != NULL && size != NULL);
  const plModel* m = s->model;
  plBytes* out = &s->frame;
  pl_bytes_clear(out);
  for (size_t i = 0; i < head; i += 4) put_u32(out, 0);
  put_numbers(s, moment, out);
  put_poses(s, moment->data, out);
  plStatus status = put_surfaces(s, moment, out, error);
  if (status) return status;
  put_contacts(s->model, moment, out);
  put_floats(out, moment->data->u, (size_t)m->nu);
  for (int i = 0; i < movable_actuators(m); i++)
    put_f32(out, holding_input(m, moment->data->par, i, pl_actuator_position(moment->data, i)));
  pl_stream_put_readings(out, moment->data, moment->fields & 1);
  *bytes = out->data;
  *size = out->size;
  return out->failed ? pl_fail_out_of_memory(error, out->cap) : PL_OK;
}

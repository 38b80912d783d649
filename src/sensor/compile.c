// compile.c: sensors of the spec -> plans: resolves names to indices, and lays out readings and state.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "math/pose.h"
#include "model/sensor_kinds.h"
#include "model/spec.h"
#include "sensor/sensor.h"

// Largest size of all samples of a model: 256 MiB.
static const size_t STATE_MAX = (size_t)1 << 28;

// ---- names

// A deformable, rigid body, shape or the world by name; none, or "*": any.
static plSide find_side(const plModel* m, const char* name) {
  plSide side = {PL_SIDE_ANY, 0};
  if (name && strcmp(name, "*") != 0) (void)pl_model_find_side(m, name, &side);
  return side;
}

// The joint that holds a body, -1: none. Of several, which act one after the other, the last: its M is fixed
// in the body.
static int joint_of(const plModel* m, int body) {
  for (int j = m->njoint - 1; j >= 0; j--)
    if (m->joint_child[j] == body) return j;
  return -1;
}

// The object that the sensor is on. The spec has checked that the name exists.
static plStatus resolve(const plModel* m, const plSensorDef* def, plSensorPlan* plan, plError* error) {
  plan->joint = plan->actuator = plan->body = plan->deform = plan->mount = -1;
  plan->frame = def->pose;
  int on = pl_sensors[def->kind].on;
  if (def->mount) plan->mount = pl_model_find_body(m, def->mount);
  if (on == PL_ON_JOINT) {
    plan->joint = pl_model_find_joint(m, def->on);
    if (plan->joint < 0 || pl_joint_nq(m->joint_kind[plan->joint]) == 0)
      return pl_fail(error, PL_ERROR_INPUT, "sensor '%s' (%s): the joint '%s' %s", def->name,
                     pl_sensor_kind_name(def->kind), def->on,
                     plan->joint < 0 ? "does not exist: its body has a joint of another name"
                                     : "is fixed: it has nothing to measure");
  } else if (on == PL_ON_ACTUATOR) {
    plan->actuator = pl_model_find_actuator(m, def->on);
  } else if (on == (PL_ON_BODY | PL_ON_JOINT)) {
    plan->body = pl_model_find_body(m, def->on);
    plan->joint = plan->body >= 0 ? joint_of(m, plan->body) : pl_model_find_joint(m, def->on);
    // from the joint's M to the sensor: M is in the child at joint_pose
    if (plan->body >= 0 && plan->joint >= 0)
      plan->frame = pose_mul(pose_inverse(m->work->joint_pose[plan->joint]), def->pose);
  } else if (on & PL_ON_SHAPE) {
    plan->side = find_side(m, def->on), plan->other = find_side(m, def->other);
    if (plan->side.kind == PL_SIDE_DEFORMABLE) plan->deform = plan->side.index;
  } else if (on == PL_ON_DEFORMABLE) {
    plan->deform = pl_model_find_deformable(m, def->on);
  } else {
    plan->body = strcmp(def->on, "world") ? pl_model_find_body(m, def->on) : -1;
  }
  return PL_OK;
}

// ---- cavities

// The surfaces of a body that are connected by vertices; each is identified by its first vertex.
static int root_of(int* parent, int v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

// Boundary triangles of surfaces that enclose a hole: those whose signed volume is negative.
static plStatus find_cavity(plModel* m, const plSensorDef* def, plSensorPlan* plan, plError* error) {
  int b = plan->deform, v0 = m->deform_vert0[b], n = m->deform_vert0[b + 1] - v0, t0 = m->deform_tri0[b],
      nt = m->deform_tri0[b + 1] - t0;
  int* parent = PL_NEW(int, n);
  double* volume = PL_NEW(double, n);
  plan->inner = PL_KEEP(&m->work->arena, int, nt);
  if (!parent || !volume || !plan->inner) {
    pl_free(parent), pl_free(volume);
    return pl_fail_out_of_memory(error, 16 * (size_t)n);
  }
  for (int i = 0; i < n; i++) parent[i] = i;
  for (int t = t0; t < t0 + nt; t++) {
    const int* v = m->tri_vert + 3 * (size_t)t;
    for (int k = 1; k < 3; k++) parent[root_of(parent, v[k] - v0)] = root_of(parent, v[0] - v0);
  }
  for (int t = t0; t < t0 + nt; t++) {
    const int* v = m->tri_vert + 3 * (size_t)t;
    plVec3 x[3];
    for (int k = 0; k < 3; k++)
      x[k] = v3_sub(v3_load(m->vert_rest + 3 * (size_t)v[k]), v3_load(m->vert_rest + 3 * (size_t)v0));
    volume[root_of(parent, v[0] - v0)] += v3_dot(x[0], v3_cross(x[1], x[2])) / 6;
  }
  for (int t = t0; t < t0 + nt; t++)
    if (volume[root_of(parent, m->tri_vert[3 * (size_t)t] - v0)] < 0) plan->inner[plan->ninner++] = t;
  assert(plan->ninner <= nt);
  pl_free(parent), pl_free(volume);
  if (!plan->ninner)
    return pl_fail(error, PL_ERROR_INPUT,
                   "sensor '%s' (volume): '%s' has no cavity, no inner surface apart from the outer one",
                   def->name, m->deform_name[b]);
  return PL_OK;
}

// ---- the wrapper

static plStatus settle_noise(const plSensorDef* def, const plSensor* s, plSensorPlan* plan, plError* error) {
  if (def->nnoise > 1 && def->nnoise != s->columns)
    return pl_fail(error, PL_ERROR_INPUT,
                   "sensor '%s' (%s): noise has one number or one per column, which are %d, got %d",
                   def->name, pl_sensor_kind_name(def->kind), s->columns, def->nnoise);
  assert(s->columns <= PL_SENSOR_COLUMNS);
  for (int c = 0; c < s->columns; c++) {
    plan->noise[c] = def->nnoise > 1                                       ? def->noise[c]
                     : def->nnoise == 1 && !strcmp(s->unit[c], s->unit[0]) ? def->noise[0]
                                                                           : 0;
    plan->noisy |= plan->noise[c] > 0;
  }
  plan->seed = pl_hash(pl_hash(PL_HASH_START, &def->seed, sizeof def->seed), def->name, strlen(def->name));
  return PL_OK;
}

// Slots for all samples that can be pending at once. With a delay and no rate, the sample rate is that of the
// model's dt, so that their number is known.
static plStatus settle_slots(const plModel* m, const plSensorDef* def, const plSensor* s, plSensorPlan* plan,
                             plError* error) {
  plan->rate = def->rate > 0 ? def->rate : def->delay > 0 ? 1 / m->par->options.dt : 0;
  plan->slot = 8 + (s->bytes + 7) / 8 * 8;
  double most = def->delay > 0 ? floor(def->delay * plan->rate + 1e-6) + 2 : 1;
  if (most * (double)plan->slot > (double)STATE_MAX)
    return pl_fail(error, PL_ERROR_TOO_LARGE,
                   "sensor '%s' (%s): a delay of %g s keeps %.0f samples of %zu bytes pending, more than 256 "
                   "MiB; lower its rate, delay or size",
                   def->name, pl_sensor_kind_name(def->kind), def->delay, most, s->bytes);
  plan->nslot = (int)most;
  return PL_OK;
}

// ---- all sensors

static plStatus compile_one(const plSpec* spec, plModel* m, int i, plError* error) {
  const plSensorDef* def = &spec->sensor[i];
  plSensor* s = &m->sensor[i];
  plSensorPlan* plan = &m->work->sensor[i];
  size_t length = strlen(def->name) + 1;
  plStatus status = resolve(m, def, plan, error);
  if (status) return status;
  plJointKind joint = PL_JOINT_REVOLUTE;
  if (plan->joint >= 0) joint = m->joint_kind[plan->joint];
  if (plan->actuator >= 0) joint = m->joint_kind[m->dof_joint[m->act_dof[plan->actuator]]];
  pl_sensor_describe(def->kind, joint, s);
  s->rate = def->rate, s->delay = def->delay;
  s->rows = s->width = s->height = 1;
  plan->region = def->region, plan->region.index = NULL;
  plan->cavity = def->cavity;
  if (def->kind == PL_SENSOR_TAXELS) status = pl_compile_taxels(spec, m, def, s, plan, error);
  if (def->kind == PL_SENSOR_MARKERS) status = pl_compile_markers(spec, m, def, s, plan, error);
  if (pl_sensor_is_camera(def->kind)) {
    status = pl_compile_sight(spec, m, def, plan->body, &plan->sight, error);
    s->width = def->width, s->height = def->height, s->rows = def->width * def->height;
  }
  if (def->kind == PL_SENSOR_VOLUME && def->cavity) status = find_cavity(m, def, plan, error);
  if (status) return status;
  s->name = PL_KEEP(&m->work->arena, char, length);
  if (!s->name) return pl_fail_out_of_memory(error, length);
  memcpy(s->name, def->name, length);
  plan->nsum = pl_sensor_means(s);
  plan->sum0 = i ? plan[-1].sum0 + plan[-1].nsum : 0;
  s->byte0 = m->reading_bytes;
  s->bytes = (size_t)s->rows * (size_t)s->columns * pl_sensor_width(s->type);
  m->reading_bytes += (s->bytes + 7) / 8 * 8;
  if ((status = settle_noise(def, s, plan, error)) || (status = settle_slots(m, def, s, plan, error)))
    return status;
  plan->state0 = m->work->sensor_bytes;
  m->work->sensor_bytes += 8 + (size_t)plan->nslot * plan->slot;
  if (m->work->sensor_bytes > STATE_MAX)
    return pl_fail(
        error, PL_ERROR_TOO_LARGE,
        "the samples of all sensors up to '%s' take more than 256 MiB; lower rates, delays or sizes",
        def->name);
  return PL_OK;
}

plStatus pl_compile_sensors(const plSpec* spec, plModel* model, plError* error) {
  model->nsensor = spec->nsensor;
  model->sensor = PL_KEEP(&model->work->arena, plSensor, spec->nsensor);
  model->work->sensor = PL_KEEP(&model->work->arena, plSensorPlan, spec->nsensor);
  if (!model->sensor || !model->work->sensor)
    return pl_fail_out_of_memory(error, (size_t)spec->nsensor * sizeof(plSensorPlan));
  plStatus status = PL_OK;
  for (int i = 0; i < spec->nsensor && !status; i++) status = compile_one(spec, model, i, error);
  return status;
}

// Samples of one model fit into another only if it has the same sensors.
uint64_t pl_hash_sensors(const plModel* m, uint64_t h) {
  for (int i = 0; i < m->nsensor; i++) {
    const plSensorPlan* plan = &m->work->sensor[i];
    const int numbers[] = {(int)m->sensor[i].kind, m->sensor[i].rows, m->sensor[i].columns, plan->nslot};
    h = pl_hash(h, m->sensor[i].name, strlen(m->sensor[i].name));
    h = pl_hash(h, numbers, sizeof numbers);
    h = pl_hash(h, &plan->rate, sizeof plan->rate);
    h = pl_hash(h, &m->sensor[i].delay, sizeof(double));
  }
  return h;
}

static uint64_t hash_region(uint64_t h, const plRegion* r) {
  const int numbers[] = {(int)r->kind, r->nindex};
  const double lengths[] = {r->centre.x, r->centre.y, r->centre.z, r->size.x,   r->size.y,
                            r->size.z,   r->radius,   r->normal.x, r->normal.y, r->normal.z};
  h = pl_hash(pl_hash(h, numbers, sizeof numbers), lengths, sizeof lengths);
  return pl_hash(h, &r->pose, sizeof r->pose);
}

// What each of them measures.
uint64_t pl_hash_sensor_plans(const plModel* m, uint64_t h) {
  for (int i = 0; i < m->nsensor; i++) {
    const plSensorPlan* p = &m->work->sensor[i];
    const plSight* s = &p->sight;
    const plTaxels* t = &p->taxels;
    const int numbers[] = {p->joint,       p->actuator,        p->body,
                           p->deform,      p->mount,           (int)p->side.kind,
                           p->side.index,  (int)p->other.kind, p->other.index,
                           (int)p->cavity, m->sensor[i].width, m->sensor[i].height,
                           (int)s->range,  (int)s->shadows,    (int)t->side.kind,
                           t->side.index,  (int)t->other.kind, t->other.index,
                           t->cells[0],    t->cells[1]};
    const double lengths[] = {s->focal[0], s->focal[1], s->centre[0], s->centre[1],
                              s->near,     s->far,      t->size[0],   t->size[1]};
    h = pl_hash(pl_hash(h, numbers, sizeof numbers), lengths, sizeof lengths);
    h = pl_hash(pl_hash(h, p->noise, sizeof p->noise), &p->seed, sizeof p->seed);
    h = pl_hash(pl_hash(h, &p->frame, sizeof p->frame), &t->frame, sizeof t->frame);
    h = hash_region(h, &p->region);
    if (m->sensor[i].kind != PL_SENSOR_MARKERS) continue;
    size_t rows = (size_t)m->sensor[i].rows, n = (size_t)p->markers.vert0[rows];
    h = pl_hash(pl_hash(h, p->markers.vert0, (rows + 1) * sizeof(int)), p->markers.vert, n * sizeof(int));
    h = pl_hash(h, p->markers.weight, n * sizeof(double));
  }
  return h;
}

bool pl_sensors_create(plData* data) {
  const plModel* m = data->model;
  plArena* arena = &data->work->arena;
  data->reading = PL_KEEP(arena, unsigned char, m->reading_bytes);
  if (!m->nsensor) return !arena->failed;
  struct plSensorWork* w = data->work->sensor = PL_KEEP(arena, struct plSensorWork, 1);
  if (!w) return false;
  size_t cells = 0;
  int part = 0;
  w->nsum = m->work->sensor[m->nsensor - 1].sum0 + m->work->sensor[m->nsensor - 1].nsum;
  for (int i = 0; i < m->nsensor; i++)
    if (m->work->sensor[i].nsum > part) part = m->work->sensor[i].nsum;
  w->sum = PL_KEEP(arena, double, w->nsum), w->part = PL_KEEP(arena, double, part);
  w->state = PL_KEEP(arena, unsigned char, m->work->sensor_bytes);
  w->wrench = PL_KEEP(arena, plWrench, m->njoint);
  w->due = PL_KEEP(arena, bool, m->nsensor);
  for (int i = 0; i < m->nsensor; i++) {
    size_t width = (size_t)m->sensor[i].width, height = (size_t)m->sensor[i].height;
    if (m->sensor[i].kind != PL_SENSOR_TAXELS) continue;
    if (width > cells) cells = width;
    if (height > cells) cells = height;
  }
  for (int k = 0; k < 2; k++) w->share[k] = PL_KEEP(arena, double, cells + 2);
  const plSight** sight = PL_NEW(const plSight*, m->nsensor);
  int nsight = 0;
  size_t most = 0;
  for (int i = 0; sight && i < m->nsensor; i++) {
    if (!pl_sensor_is_camera(m->sensor[i].kind)) continue;
    sight[nsight++] = &m->work->sensor[i].sight;
    if (m->sensor[i].bytes > most) most = m->sensor[i].bytes;
  }
  bool made = sight && pl_sight_work_create(arena, sight, nsight, &w->sight);
  w->picture = PL_KEEP(arena, char, most);
  pl_free((void*)sight);
  if (!made) return false;
  return !arena->failed;
}

unsigned char* pl_sensors_state(const plData* data) { return data->work->sensor->state; }

// sample.c: sampling of every sensor: when a sample is taken, its noise, and when it can be read.
//
// A sample is due when the time has passed a multiple of 1/rate since the last one. It is written, with its
// time and its noise, to the next slot of a ring; the reading is the newest sample that is at least `delay`
// old. Ring and count are part of the state, so a run that is saved and continued has the same readings. The
// noise of a value is a hash of seed, name, sample number and index of the value; there is no random
// generator with a state.
//
// in: state, contacts, impulses of the step -> out: sensor state, data->reading
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "model/sensor_kinds.h"
#include "sensor/sensor.h"

static const double PI = 3.14159265358979323846;

// The parts of a sensor's state.
static int64_t get_count(const unsigned char* state) {
  int64_t count;
  memcpy(&count, state, sizeof count);
  return count;
}
static unsigned char* slot_at(const plSensorPlan* plan, unsigned char* state, int64_t sample) {
  assert(sample >= 0);
  return state + 8 + (size_t)(sample % plan->nslot) * plan->slot;
}
static double slot_time(const unsigned char* slot) {
  double time;
  memcpy(&time, slot, sizeof time);
  return time;
}

// ---- noise

// A standard normal number that depends only on a seed and two indices.
static double normal(uint64_t seed, int64_t sample, size_t place) {
  plRandom r = {seed ^ ((uint64_t)sample * UINT64_C(0xd1342543de82ef95)) ^
                ((uint64_t)place * UINT64_C(0xa0761d6478bd642f))};
  pl_random_bits(&r);
  double u = 1 - pl_random(&r, 0, 1), angle = 2 * PI * pl_random(&r, 0, 1);
  return sqrt(-2 * log(u)) * cos(angle);
}

// In the sensor's own type; bytes are rounded and clamped.
static void add_noise(const plSensor* s, const plSensorPlan* plan, int64_t sample, void* value) {
  for (int c = 0; c < s->columns; c++) {
    if (!(plan->noise[c] > 0)) continue;
    for (size_t i = (size_t)c; i < (size_t)s->rows * (size_t)s->columns; i += (size_t)s->columns) {
      double noise = plan->noise[c] * normal(plan->seed, sample, i);
      if (s->type == PL_SENSOR_DOUBLE)
        ((double*)value)[i] += noise;
      else if (s->type == PL_SENSOR_FLOAT)
        ((float*)value)[i] = (float)((double)((float*)value)[i] + noise);
      else if (s->type == PL_SENSOR_BYTE)
        ((unsigned char*)value)[i] =
            (unsigned char)lrint(fmin(fmax(((unsigned char*)value)[i] + noise, 0), 255));
    }
  }
}

// ---- samples

// The count of samples begins at SEQUENCE times the seed of a restart: its noise is another part of the
// sequence that the sensor's own seed gives. 2^32 samples are 50 days of 1000 a second.
static const int64_t SEQUENCE = INT64_C(1) << 32;

// Steps end at multiples of dt, up to rounding.
static double slack(const plData* data) { return 1e-6 * data->par->options.dt; }

static bool is_due(const plData* data, const plSensorPlan* plan, unsigned char* state) {
  if (plan->rate == 0) return true;
  double last = slot_time(slot_at(plan, state, get_count(state) - 1)), e = slack(data);
  return floor((data->time + e) * plan->rate) > floor((last + e) * plan->rate);
}

// The next slot, to which a sample is written.
static unsigned char* next_slot(const plData* data, int id) {
  const plSensorPlan* plan = &data->model->work->sensor[id];
  unsigned char* state = data->work->sensor->state + plan->state0;
  return slot_at(plan, state, get_count(state));
}
static double* numbers(unsigned char* slot) { return (double*)(void*)(slot + 8); }

static void finish(plData* data, int id) {
  const plSensor* s = &data->model->sensor[id];
  const plSensorPlan* plan = &data->model->work->sensor[id];
  unsigned char *state = data->work->sensor->state + plan->state0, *slot = next_slot(data, id);
  int64_t count = get_count(state);
  memcpy(slot, &data->time, sizeof(double));
  if (plan->noisy) add_noise(s, plan, count, slot + 8);
  count++;
  memcpy(state, &count, sizeof count);
}

// The newest sample that is old enough, else the oldest one.
static const unsigned char* arrived(const plData* data, const plSensorPlan* plan) {
  unsigned char* state = data->work->sensor->state + plan->state0;
  int64_t count = get_count(state), begin = (count - 1) / SEQUENCE * SEQUENCE,
          first = count - begin > plan->nslot ? count - plan->nslot : begin;
  for (int64_t i = count - 1; i > first; i--) {
    const unsigned char* slot = slot_at(plan, state, i);
    if (slot_time(slot) + data->model->sensor[plan - data->model->work->sensor].delay <=
        data->time + slack(data))
      return slot;
  }
  return slot_at(plan, state, first);
}

void pl_sensors_show(plData* data) {
  const plModel* m = data->model;
  for (int i = 0; i < m->nsensor; i++) {
    assert(m->sensor[i].byte0 + m->sensor[i].bytes <= m->reading_bytes);
    memcpy(data->reading + m->sensor[i].byte0, arrived(data, &m->work->sensor[i]) + 8, m->sensor[i].bytes);
  }
}

double pl_sensor_time(const plData* data, int id) {
  assert(data != NULL);
  if (id < 0 || id >= data->model->nsensor || !data->work) return NAN;
  return slot_time(arrived(data, &data->model->work->sensor[id]));
}

// Takes the samples that are due: forces first, then values of the state.
static void sample(plData* data, const bool* due) {
  const plModel* m = data->model;
  pl_sensor_prepare_forces(data, due);
  for (int i = 0; i < m->nsensor; i++)
    if (due[i]) pl_sensor_eval_forces(data, i, numbers(next_slot(data, i)));
  pl_sensor_prepare_state(data, due);
  for (int i = 0; i < m->nsensor; i++)
    if (due[i] && !pl_sensor_is_camera(m->sensor[i].kind))
      pl_sensor_eval_state(data, i, numbers(next_slot(data, i)));
    else if (due[i])
      pl_sensor_eval_picture(data, i, next_slot(data, i) + 8);
  for (int i = 0; i < m->nsensor; i++)
    if (due[i]) finish(data, i);
}

void pl_sensors_reset(plData* data, int seed) {
  const plModel* m = data->model;
  if (!m->nsensor) return;
  pl_sensors_begin(data);
  memset(data->work->sensor->state, 0, m->work->sensor_bytes);
  for (int i = 0; i < m->nsensor; i++) {
    int64_t count = seed * SEQUENCE;
    memcpy(data->work->sensor->state + m->work->sensor[i].state0, &count, sizeof count);
    data->work->sensor->due[i] = true;
  }
  sample(data, data->work->sensor->due);
  pl_sensors_show(data);
}

void pl_sensors_step(plData* data) {
  const plModel* m = data->model;
  if (!m->nsensor) return;
  bool any = false, *due = data->work->sensor->due;
  for (int i = 0; i < m->nsensor; i++)
    any |= due[i] = is_due(data, &m->work->sensor[i], data->work->sensor->state + m->work->sensor[i].state0);
  if (any) sample(data, due);
  pl_sensors_show(data);
}

plStatus pl_sensor_measure(plData* data, int id, double* values) {
  assert(data != NULL && values != NULL);
  const plModel* m = data->model;
  if (id < 0 || id >= m->nsensor || !data->work) return PL_ERROR_INPUT;
  bool* due = data->work->sensor->due;
  for (int i = 0; i < m->nsensor; i++) due[i] = i == id;
  if (pl_sensor_is_camera(m->sensor[id].kind)) {
    pl_sensor_prepare_state(data, due);
    pl_sensor_eval_picture(data, id, data->work->sensor->picture);
    pl_sensor_convert(&m->sensor[id], data->work->sensor->picture, values);
    return PL_OK;
  }
  pl_sensor_prepare_forces(data, due);
  pl_sensor_eval_forces(data, id, values);
  pl_sensor_prepare_state(data, due);
  pl_sensor_eval_state(data, id, values);
  return PL_OK;
}

// ---- the state's bytes

// More samples than any run takes; counting on from there cannot overflow.
static const int64_t COUNT_MAX = INT64_MAX / 2;

bool pl_sensors_valid(const plModel* m, const void* bytes) {
  for (int i = 0; i < m->nsensor; i++) {
    const plSensorPlan* plan = &m->work->sensor[i];
    unsigned char* state = (unsigned char*)(uintptr_t)bytes + plan->state0;
    int64_t count = get_count(state);
    if (count < 1 || count > COUNT_MAX) return false;
    for (int k = 0; k < plan->nslot && k < count; k++)
      if (!isfinite(slot_time(state + 8 + (size_t)k * plan->slot))) return false;
  }
  return true;
}

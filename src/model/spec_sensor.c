// spec_sensor.c: adding sensors to a spec: checks their numbers and that the named objects exist.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/pose.h"
#include "model/sensor_kinds.h"
#include "model/spec.h"

plSensorDef pl_default_sensor_def(void) {
  return (plSensorDef){.mark = PL_DEF_MARK,
                       .pose = pose_identity(),
                       .region = pl_default_region(),
                       .width = 160,
                       .height = 120,
                       .centre = {-1, -1},
                       .near = 0.001,
                       .far = 10};
}

void pl_sensor_def_free(plSensorDef* def) {
  pl_free((void*)def->name), pl_free((void*)def->on), pl_free((void*)def->other);
  pl_free((void*)def->mount), pl_free((void*)def->region.index), pl_free((void*)def->point);
  pl_free((void*)def->hide);
}

// ---- objects that a sensor may be on

#define FIND(list, n)               \
  for (int i = 0; i < spec->n; i++) \
    if (!strcmp(spec->list[i].name, word)) return true;

static bool is_there(const plSpec* spec, int what, const char* word) {
  if ((what & PL_ON_WORLD) && !strcmp(word, "world")) return true;
  if ((what & PL_ON_ANY) && !strcmp(word, "*")) return true;
  if (what & PL_ON_JOINT) FIND(joint, njoint)
  // a body that is not the child of a joint gets a free joint with its name
  if (what & (PL_ON_BODY | PL_ON_JOINT)) FIND(body, nbody)
  if (what & PL_ON_ACTUATOR) FIND(actuator, nactuator)
  if (what & PL_ON_DEFORMABLE) FIND(deform, ndeform)
  if (what & PL_ON_SHAPE) FIND(shape, nshape)
  return false;
}
#undef FIND

static const char* nearest(const plSpec* spec, int what, const char* word, const char** room) {
  int n = 0;
  for (int i = 0; (what & PL_ON_JOINT) && i < spec->njoint; i++) room[n++] = spec->joint[i].name;
  for (int i = 0; (what & (PL_ON_BODY | PL_ON_JOINT)) && i < spec->nbody; i++) room[n++] = spec->body[i].name;
  for (int i = 0; (what & PL_ON_ACTUATOR) && i < spec->nactuator; i++) room[n++] = spec->actuator[i].name;
  for (int i = 0; (what & PL_ON_DEFORMABLE) && i < spec->ndeform; i++) room[n++] = spec->deform[i].name;
  for (int i = 0; (what & PL_ON_SHAPE) && i < spec->nshape; i++) room[n++] = spec->shape[i].name;
  return pl_nearest_word(word, room, n);
}

static plStatus check_word(const plSpec* spec, const plSensorDef* def, int what, const char* key,
                           const char* word, plError* error) {
  if (is_there(spec, what, word)) return PL_OK;
  const char* kinds = what & PL_ON_JOINT        ? what & PL_ON_BODY ? "rigid body or joint" : "joint"
                      : what & PL_ON_ACTUATOR   ? "actuator"
                      : what & PL_ON_SHAPE      ? "deformable, rigid body or shape"
                      : what & PL_ON_DEFORMABLE ? "deformable"
                                                : "rigid body";
  int n = spec->njoint + spec->nbody + spec->nactuator + spec->ndeform + spec->nshape;
  const char** room = PL_NEW(const char*, n);
  if (!room) return pl_fail_out_of_memory(error, (size_t)n * sizeof *room);
  const char* hint = nearest(spec, what, word, room);
  plStatus status = pl_fail(error, PL_ERROR_INPUT,
                            "sensor '%s' (%s): '%s' names the %s '%.64s', which does not exist%s%s%s",
                            def->name, pl_sensor_kind_name(def->kind), key, kinds, word,
                            hint ? "; did you mean '" : "", hint ? hint : "", hint ? "'?" : "");
  pl_free((void*)room);
  return status;
}

// ---- numbers

static plStatus check_wrapper(const plSpec* spec, const plSensorDef* def, plError* error) {
  double dt = spec->options.dt;
  if (!(def->rate >= 0) || !isfinite(def->rate))
    return pl_fail(error, PL_ERROR_INPUT,
                   "sensor '%s': its rate must be positive (samples per second), or 0 for every step, got %g",
                   def->name, def->rate);
  if (def->rate * dt > 1 + 1e-9)
    return pl_fail(
        error, PL_ERROR_INPUT,
        "sensor '%s': a rate of %g per second is above that of the steps, 1/dt = %g; lower the rate "
        "or dt",
        def->name, def->rate, 1 / dt);
  if (!(def->delay >= 0) || !isfinite(def->delay))
    return pl_fail(error, PL_ERROR_INPUT, "sensor '%s': its delay must not be negative, got %g s", def->name,
                   def->delay);
  if (def->nnoise < 0 || def->nnoise > PL_SENSOR_COLUMNS)
    return pl_fail(error, PL_ERROR_INPUT, "sensor '%s': noise has 0 to %d numbers, got %d", def->name,
                   PL_SENSOR_COLUMNS, def->nnoise);
  for (int i = 0; i < def->nnoise; i++)
    if (!(def->noise[i] >= 0) || !isfinite(def->noise[i]))
      return pl_fail(error, PL_ERROR_INPUT, "sensor '%s': noise must not be negative, got %g", def->name,
                     def->noise[i]);
  return PL_OK;
}

static plStatus check_grid(const plSensorDef* def, plError* error) {
  int ways = def->has_region + (def->npoint > 0) + (def->cells[0] != 0 || def->cells[1] != 0);
  bool markers = def->kind == PL_SENSOR_MARKERS;
  if (ways != 1)
    return pl_fail(error, PL_ERROR_INPUT,
                   "sensor '%s' (%s) needs one of: cells and size of a grid, a region%s", def->name,
                   pl_sensor_kind_name(def->kind), markers ? ", points" : "");
  if (def->npoint > 0 && !markers)
    return pl_fail(error, PL_ERROR_INPUT, "sensor '%s' (taxels) takes a grid or a region, not points",
                   def->name);
  for (int i = 0; i < def->npoint; i++)
    if (!v3_finite(def->point[i]))
      return pl_fail(error, PL_ERROR_INPUT, "sensor '%s': point %d is not finite", def->name, i);
  if (def->cells[0] == 0 && def->cells[1] == 0) return PL_OK;
  for (int k = 0; k < 2; k++)
    if (def->cells[k] < 1 || def->cells[k] > 4096 || !(def->size[k] > 0) || !isfinite(def->size[k]))
      return pl_fail(
          error, PL_ERROR_INPUT,
          "sensor '%s': a grid has 1 to 4096 cells and a positive size in x and y, got %d x %d cells of "
          "%g x %g m",
          def->name, def->cells[0], def->cells[1], def->size[0], def->size[1]);
  if ((double)def->cells[0] * def->cells[1] > 1e6)
    return pl_fail(error, PL_ERROR_TOO_LARGE, "sensor '%s': a grid has at most a million cells, got %d x %d",
                   def->name, def->cells[0], def->cells[1]);
  return PL_OK;
}

// A region in the frame of a rigid body: no vertices to count.
static plStatus check_volume(const plSensorDef* def, plError* error) {
  const plRegion* r = &def->region;
  if (r->kind == PL_REGION_INDICES)
    return pl_fail(error, PL_ERROR_INPUT, "sensor '%s' (%s): its region cannot be a list of vertices",
                   def->name, pl_sensor_kind_name(def->kind));
  if (!v3_finite(r->centre) || !v3_finite(r->size) || !isfinite(r->radius) || !v3_finite(r->normal) ||
      !v3_finite(r->pose.p))
    return pl_fail(error, PL_ERROR_INPUT, "sensor '%s': its region is not finite", def->name);
  return PL_OK;
}

// Names are separated by commas and blanks.
const char* pl_sensor_hidden(const char* list, char* word, size_t size) {
  list += strspn(list, ", ");
  size_t n = strcspn(list, ", ");
  snprintf(word, size, "%.*s", (int)(n < size ? n : size - 1), list);
  list += n;
  list += strspn(list, ", ");
  return *list ? list : NULL;
}

static plStatus check_camera(const plSpec* spec, const plSensorDef* def, plError* error) {
  if (def->width < 1 || def->height < 1 || def->width > 4096 || def->height > 4096)
    return pl_fail(error, PL_ERROR_INPUT,
                   "sensor '%s': a camera has 1 to 4096 pixels on each side, not %d x %d", def->name,
                   def->width, def->height);
  if (!(def->focal[0] >= 0 && def->focal[1] >= 0) || !isfinite(def->focal[0] + def->focal[1]) ||
      !isfinite(def->centre[0] + def->centre[1]))
    return pl_fail(error, PL_ERROR_INPUT,
                   "sensor '%s': focal lengths are positive, and the centre finite, in pixels", def->name);
  if (!(def->near > 0) || !(def->far > def->near) || !isfinite(def->far))
    return pl_fail(error, PL_ERROR_INPUT, "sensor '%s': a camera needs 0 < near < far, got %g m and %g m",
                   def->name, def->near, def->far);
  if (def->kind == PL_SENSOR_SEGMENTATION && def->nnoise)
    return pl_fail(error, PL_ERROR_INPUT, "sensor '%s': a segmentation has no noise", def->name);
  plStatus status = PL_OK;
  char word[256];
  for (const char* at = def->hide; at && !status;) {
    at = pl_sensor_hidden(at, word, sizeof word);
    status = check_word(spec, def, PL_ON_SIDE, "hide", word, error);
  }
  return status;
}

static plStatus check(const plSpec* spec, const plSensorDef* def, plError* error) {
  plStatus status = pl_spec_check_word("sensor", def->name, error);
  if (status) return status;
  for (int i = 0; i < spec->nsensor; i++)
    if (!strcmp(spec->sensor[i].name, def->name)) return pl_spec_fail_taken("sensor", def->name, error);
  if ((int)def->kind < 0 || def->kind >= PL_SENSOR_COUNT)
    return pl_fail(error, PL_ERROR_INPUT, "sensor '%s' has the unknown kind %d", def->name, (int)def->kind);
  if (!def->on || !def->on[0])
    return pl_fail(error, PL_ERROR_INPUT, "sensor '%s' (%s) needs 'on', the name of what it is on", def->name,
                   pl_sensor_kind_name(def->kind));
  status = check_word(spec, def, pl_sensors[def->kind].on, "on", def->on, error);
  if (!status && def->other)
    status = check_word(spec, def, PL_ON_SIDE | PL_ON_ANY | PL_ON_WORLD, "other", def->other, error);
  if (!status && def->mount)
    status = check_word(spec, def, PL_ON_BODY | PL_ON_WORLD, "mount", def->mount, error);
  if (!status) status = check_wrapper(spec, def, error);
  if (!status && (def->kind == PL_SENSOR_TAXELS || def->kind == PL_SENSOR_MARKERS))
    status = check_grid(def, error);
  if (!status && def->kind == PL_SENSOR_TOUCH) status = check_volume(def, error);
  if (!status && pl_sensor_is_camera(def->kind)) status = check_camera(spec, def, error);
  return status;
}

// The region of markers belongs to a deformable, that of taxels to one or to a rigid surface.
static plStatus check_region(const plSpec* spec, const plSensorDef* def, plError* error) {
  if (!def->has_region || def->kind == PL_SENSOR_TOUCH) return PL_OK;
  for (int b = 0; b < spec->ndeform; b++)
    if (!strcmp(spec->deform[b].name, def->on)) return pl_spec_check_region(spec, b, &def->region, error);
  if (def->kind == PL_SENSOR_TAXELS) return check_volume(def, error);
  return pl_fail(
      error, PL_ERROR_INPUT,
      "sensor '%s' (%s): a region chooses vertices of a deformable, and '%s' is not one; give cells and "
      "size of a grid",
      def->name, pl_sensor_kind_name(def->kind), def->on);
}

plStatus pl_spec_add_sensor(plSpec* spec, const plSensorDef* def, int* id, plError* error) {
  assert(spec != NULL && def != NULL);
  if (pl_check_mark(def->mark, "sensor", error)) return PL_ERROR_INPUT;
  plStatus status = check(spec, def, error);
  if (!status) status = check_region(spec, def, error);
  plSensorDef s = *def;
  if (!status) status = pl_spec_check_pose(def->name, &s.pose, error);
  if (status) return status;
  bool failed = !pl_grow((void**)&spec->sensor, &spec->sensor_cap, spec->nsensor, sizeof *spec->sensor);
  s.name = pl_strdup(def->name), s.on = pl_strdup(def->on);
  s.other = pl_strdup(def->other), s.mount = pl_strdup(def->mount);
  s.region.pose.q = quat_unit(def->region.pose.q);
  s.region.nindex = def->region.kind == PL_REGION_INDICES ? def->region.nindex : 0;
  s.region.index = pl_copy_list(def->region.index, s.region.nindex, sizeof(int), &failed);
  s.npoint = def->npoint > 0 ? def->npoint : 0;
  s.point = pl_copy_list(def->point, s.npoint, sizeof(plVec3), &failed);
  s.hide = pl_strdup(def->hide);
  if (failed || !s.name || !s.on || (def->other && !s.other) || (def->mount && !s.mount) ||
      (def->hide && !s.hide)) {
    pl_sensor_def_free(&s);
    return pl_fail_out_of_memory(error, sizeof s + (size_t)s.npoint * sizeof(plVec3));
  }
  pl_spec_sort_region(&s.region);
  if (id) *id = spec->nsensor;
  spec->sensor[spec->nsensor++] = s;
  return PL_OK;
}

int pl_spec_sensor_count(const plSpec* spec) {
  assert(spec != NULL);
  return spec->nsensor;
}
const plSensorDef* pl_spec_sensor(const plSpec* spec, int id) {
  assert(spec != NULL);
  return id >= 0 && id < spec->nsensor ? &spec->sensor[id] : NULL;
}

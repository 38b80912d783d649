// scene_sensor.c: the section `sensors` -> plSensorDef.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "input/scene.h"
#include "math/pose.h"
#include "model/sensor_kinds.h"

typedef struct Sensor {
  const char *name, *on, *other, *mount;
  int kind, seed;
  plScenePose pose;
  plSceneRegion region;
  double rate, delay;
  const plYaml *noise, *size, *cells, *points;
  bool cavity, range, shadows;
  int width, height;
  double near, far;
  const plYaml *focal, *centre, *hide;
} Sensor;

typedef struct Point {
  plVec3 at;
} Point;

// The keys that not all kinds take.
static const char* const own_keys[] = {"pose",   "other",  "region", "size",    "cells", "mount",
                                       "points", "cavity", "width",  "height",  "focal", "centre",
                                       "near",   "far",    "range",  "shadows", "hide",  NULL};

// clang-format off
#define AT(field) offsetof(Sensor, field)
static const plKey keys[] = {
    {.name = "name", .type = PL_KEY_TEXT, .offset = AT(name), .required = true, .meaning = "unique among sensors"},
    {.name = "kind", .type = PL_KEY_WORD, .offset = AT(kind), .words = pl_sensor_words, .required = true,
     .meaning = "what it measures, see [sensors.md](sensors.md)"},
    {.name = "on", .type = PL_KEY_TEXT, .offset = AT(on), .required = true,
     .meaning = "the joint, actuator, rigid body, deformable or shape; `world` where a frame is meant"},
    {.name = "pose", .type = PL_KEY_MAP, .offset = AT(pose), .section = &pl_section_pose, .fallback = "identity",
     .meaning = "of the sensor's frame in that of `on`; of a grid on a deformable in the frame of its mesh"},
    {.name = "rate", .type = PL_KEY_NUMBER, .offset = AT(rate), .unit = "1/s", .range = PL_RANGE_POSITIVE, .fallback = "every step",
     .meaning = "samples per second, at most 1/dt; between two the reading is held"},
    {.name = "delay", .type = PL_KEY_NUMBER, .offset = AT(delay), .unit = "s", .range = PL_RANGE_NOT_NEGATIVE,
     .meaning = "from a sample to its reading"},
    {.name = "noise", .type = PL_KEY_ROW, .offset = AT(noise), .range = PL_RANGE_NOT_NEGATIVE, .fallback = "none",
     .meaning = "standard deviation of normal noise: for all columns with the unit of the first one, or one number per column"},
    {.name = "seed", .type = PL_KEY_INT, .offset = AT(seed), .range = PL_RANGE_NOT_NEGATIVE, .meaning = "of the noise"},
    {.name = "other", .type = PL_KEY_TEXT, .offset = AT(other), .fallback = "any",
     .meaning = "`contact`, `taxels`: the deformable, rigid body or shape on the other side"},
    {.name = "region", .type = PL_KEY_MAP, .offset = AT(region), .section = &pl_section_region, .fallback = "none",
     .meaning = "`taxels`, `markers`: part of a deformable, instead of a grid; `taxels`: or of a rigid body's or shape's surface, in its frame; `touch`: the part of the sensor's frame where contacts count"},
    {.name = "size", .type = PL_KEY_NUMBERS, .offset = AT(size), .unit = "m", .range = PL_RANGE_POSITIVE, .fallback = "none",
     .meaning = "`taxels`, `markers`: the two sides of a grid about the origin of the frame, along its x and y"},
    {.name = "cells", .type = PL_KEY_INTS, .offset = AT(cells), .range = {1, 4096, false, false}, .fallback = "none",
     .meaning = "of the grid along x and y"},
    {.name = "mount", .type = PL_KEY_TEXT, .offset = AT(mount),
     .meaning = "`markers`, and `taxels` on a deformable: the rigid body in whose frame the reading is"},
    {.name = "points", .type = PL_KEY_LIST, .offset = AT(points), .section = &pl_section_sensor_point, .fallback = "none",
     .meaning = "`markers`: points on or in the deformable, instead of a grid or a region"},
    {.name = "cavity", .type = PL_KEY_BOOL, .offset = AT(cavity),
     .meaning = "`volume`: of the hole that inner surfaces of the deformable enclose"},
    {.name = "width", .type = PL_KEY_INT, .offset = AT(width), .unit = "pixels", .range = {1, 4096, false, false}, .meaning = "of a camera"},
    {.name = "height", .type = PL_KEY_INT, .offset = AT(height), .unit = "pixels", .range = {1, 4096, false, false}, .meaning = "of a camera"},
    {.name = "focal", .type = PL_KEY_ROW, .offset = AT(focal), .unit = "pixels", .range = PL_RANGE_POSITIVE, .fallback = "0.8 width",
     .meaning = "focal length of a camera, or two along x and y"},
    {.name = "centre", .type = PL_KEY_NUMBERS, .offset = AT(centre), .unit = "pixels", .range = PL_RANGE_NOT_NEGATIVE, .fallback = "the middle",
     .meaning = "principal point of a camera, from the upper left corner of the picture"},
    {.name = "near", .type = PL_KEY_NUMBER, .offset = AT(near), .unit = "m", .range = PL_RANGE_POSITIVE, .meaning = "nearest distance that a camera sees"},
    {.name = "far", .type = PL_KEY_NUMBER, .offset = AT(far), .unit = "m", .range = PL_RANGE_POSITIVE, .meaning = "what is farther is not seen"},
    {.name = "range", .type = PL_KEY_BOOL, .offset = AT(range), .meaning = "`depth`: along the ray instead of along the axis"},
    {.name = "shadows", .type = PL_KEY_BOOL, .offset = AT(shadows), .meaning = "`rgb`: the light casts shadows"},
    {.name = "hide", .type = PL_KEY_TEXTS, .offset = AT(hide), .fallback = "none",
     .meaning = "deformables, rigid bodies and shapes that a camera does not see"},
};
#undef AT

static const plKey point_keys[] = {
    {.name = "at", .type = PL_KEY_VEC3, .offset = offsetof(Point, at), .unit = "m", .required = true,
     .meaning = "in the frame of the mesh"},
};
// clang-format on

static void defaults(void* target) {
  Sensor* s = target;
  plSensorDef def = pl_default_sensor_def();
  *s = (Sensor){.mount = "world", .width = def.width, .height = def.height, .near = def.near, .far = def.far};
  pl_section_pose.defaults(&s->pose);
  pl_section_region.defaults(&s->region);
}

static void point_defaults(void* target) { *(Point*)target = (Point){0}; }

static plStatus finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  const Sensor* s = target;
  for (int i = 0; own_keys[i]; i++) {
    char word[32];
    snprintf(word, sizeof word, " %s ", own_keys[i]);
    if (pl_yaml_get(map, own_keys[i]) && !strstr(pl_sensors[s->kind].keys, word))
      return pl_scene_fail_key(scene, map, own_keys[i], "a sensor of kind %s does not take '%s'",
                               pl_sensor_words[s->kind].name, own_keys[i]);
  }
  if ((s->size && s->size->nchild != 2) || (s->cells && s->cells->nchild != 2))
    return pl_scene_fail_key(scene, map, s->size && s->size->nchild != 2 ? "size" : "cells",
                             "a grid has two sides: give two numbers, along x and y");
  if ((s->focal && s->focal->kind == PL_YAML_LIST && s->focal->nchild != 2) ||
      (s->centre && s->centre->nchild != 2))
    return pl_scene_fail_key(scene, map, s->centre && s->centre->nchild != 2 ? "centre" : "focal",
                             "give two numbers, along x and y");
  if ((s->size == NULL) != (s->cells == NULL))
    return pl_scene_fail(scene, map, "a grid needs both 'size' and 'cells'");
  return PL_OK;
}

const plSection pl_section_sensor = {"sensor",       keys,     sizeof keys / sizeof *keys,
                                     sizeof(Sensor), defaults, finish};
const plSection pl_section_sensor_point = {
    "points", point_keys, sizeof point_keys / sizeof *point_keys, sizeof(Point), point_defaults, NULL};

static plStatus read_points(plScene* scene, const plYaml* list, plSensorDef* def) {
  plVec3* point = PL_ARENA_NEW(&scene->tree.arena, plVec3, list->nchild);
  if (!point) return pl_fail_out_of_memory(scene->error, (size_t)list->nchild * sizeof *point);
  for (const plYaml* child = list->first; child; child = child->next) {
    Point p;
    plStatus status = pl_section_read(scene, &pl_section_sensor_point, child, &p);
    if (status) return status;
    assert(def->npoint < list->nchild);
    point[def->npoint++] = p.at;
  }
  def->point = point;
  return PL_OK;
}

// A number, or a list of at most as many as there can be columns.
static plStatus read_noise(plScene* scene, const plYaml* node, plSensorDef* def) {
  if (node->kind != PL_YAML_LIST) {
    pl_yaml_number(node, &def->noise[0]);
    def->nnoise = 1;
    return PL_OK;
  }
  if (node->nchild > PL_SENSOR_COLUMNS)
    return pl_scene_fail(scene, node, "'noise' has one number, or one for each column, at most %d",
                         PL_SENSOR_COLUMNS);
  for (const plYaml* child = node->first; child; child = child->next) {
    assert(def->nnoise < PL_SENSOR_COLUMNS);
    pl_yaml_number(child, &def->noise[def->nnoise++]);
  }
  return PL_OK;
}

// The numbers of a camera.
static plStatus read_camera(plScene* scene, const Sensor* s, plSensorDef* def) {
  def->width = s->width, def->height = s->height, def->near = s->near, def->far = s->far;
  def->range = s->range, def->shadows = s->shadows;
  if (s->focal && s->focal->kind == PL_YAML_LIST)
    pl_yaml_number(s->focal->first, &def->focal[0]), pl_yaml_number(s->focal->first->next, &def->focal[1]);
  else if (s->focal)
    pl_yaml_number(s->focal, &def->focal[0]);
  if (s->centre)
    pl_yaml_number(s->centre->first, &def->centre[0]),
        pl_yaml_number(s->centre->first->next, &def->centre[1]);
  if (!s->hide) return PL_OK;
  if (s->hide->kind != PL_YAML_LIST) return def->hide = s->hide->text, PL_OK;
  // one text of all names
  size_t size = 1;
  for (const plYaml* child = s->hide->first; child; child = child->next) size += strlen(child->text) + 1;
  char* hide = PL_ARENA_NEW(&scene->tree.arena, char, size);
  if (!hide) return pl_fail_out_of_memory(scene->error, size);
  char* at = hide;
  *at = 0;
  for (const plYaml* child = s->hide->first; child; child = child->next)
    at += snprintf(at, size - (size_t)(at - hide), "%s%s", at > hide ? "," : "", child->text);
  if (*hide) def->hide = hide;
  return PL_OK;
}

plStatus pl_scene_add_sensor(plScene* scene, const plYaml* map) {
  Sensor s;
  plStatus status = pl_section_read(scene, &pl_section_sensor, map, &s);
  if (status) return status;
  plSensorDef def = pl_default_sensor_def();
  def.name = s.name, def.kind = (plSensorKind)s.kind, def.on = s.on, def.other = s.other;
  def.mount = pl_yaml_get(map, "mount") ? s.mount : NULL;
  def.pose = s.pose.pose;
  def.rate = s.rate, def.delay = s.delay, def.seed = (uint64_t)s.seed;
  def.cavity = s.cavity;
  def.has_region = pl_yaml_get(map, "region") != NULL;
  if (def.has_region)
    status = pl_scene_region(scene, &s.region, pl_scene_find_deformable(scene, s.on), &def.region);
  if (!status && s.noise) status = read_noise(scene, s.noise, &def);
  if (!status && s.points) status = read_points(scene, s.points, &def);
  if (!status) status = read_camera(scene, &s, &def);
  if (status) return status;
  if (s.size) pl_yaml_number(s.size->first, &def.size[0]), pl_yaml_number(s.size->first->next, &def.size[1]);
  if (s.cells) pl_yaml_int(s.cells->first, &def.cells[0]), pl_yaml_int(s.cells->first->next, &def.cells[1]);
  return pl_scene_locate(scene, map, pl_spec_add_sensor(scene->spec, &def, NULL, scene->error));
}

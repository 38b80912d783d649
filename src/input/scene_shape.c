// scene_shape.c: one entry of `shapes`, rigid shapes -> plShapeDef; and which size keys a shape takes.
#include <stdio.h>
#include <string.h>

#include "geom/shape.h"
#include "input/scene.h"
#include "math/pose.h"

// ---- size keys

// rule->takes[i] without its '?'.
static void plain_name(const char* taken, char* name, size_t size) {
  snprintf(name, size, "%s", taken);
  size_t n = strlen(name);
  if (n && name[n - 1] == '?') name[n - 1] = 0;
}

plStatus pl_scene_check_shape(plScene* scene, const plYaml* map, const plShapeRule* rule,
                              const char* const* group) {
  char what[40];
  const char* key = pl_yaml_get(map, "kind") ? "kind" : "shape";  // constraints have kinds
  if (rule->name)
    snprintf(what, sizeof what, "the %s %s", key, rule->name);
  else
    snprintf(what, sizeof what, "a list or file");
  char list[160] = "no sizes";
  size_t used = 0;
  for (int i = 0; i < PL_SHAPE_TAKES && rule->takes[i]; i++) {
    char name[32];
    plain_name(rule->takes[i], name, sizeof name);
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", name);
    if (!strchr(rule->takes[i], '?') && !pl_yaml_get(map, name))
      return pl_scene_fail_key(scene, map, key, "%s needs the key '%s'", what, name);
  }
  for (; *group; group++) {
    if (!pl_yaml_get(map, *group)) continue;
    bool taken = false;
    for (int i = 0; i < PL_SHAPE_TAKES && rule->takes[i] && !taken; i++) {
      char name[32];
      plain_name(rule->takes[i], name, sizeof name);
      taken = !strcmp(name, *group);
    }
    if (!taken)
      return pl_scene_fail_key(scene, map, *group, "'%s' does not apply to %s, which takes %s", *group, what,
                               list);
  }
  return PL_OK;
}

// ---- shapes

typedef struct Shape {
  const char *name, *mesh, *body;
  int shape;
  plVec3 size, semi_axes, scale, colour;
  double radius, length;
  plScenePose pose;
  plSurface surface;
  bool convex, collide;
} Shape;

#define WORD(kind, name, traits) {name, kind},
static const plWord shapes[] = {PL_SHAPE_LIST(WORD){NULL, 0}};
#undef WORD

static const char* const size_keys[] = {"size", "semi_axes", "radius", "length", "scale", "convex", NULL};

#define AT(field) offsetof(Shape, field)
// clang-format off
static const plKey keys[] = {
    {.name = "name", .type = PL_KEY_TEXT, .offset = AT(name), .required = true, .meaning = "unique; letters, digits and _ - . /"},
    {.name = "shape", .type = PL_KEY_WORD, .offset = AT(shape), .words = shapes, .fallback = "none",
     .meaning = "half_space is z <= 0 of its frame; the others are centred, and their axis is z"},
    {.name = "mesh", .type = PL_KEY_TEXT, .offset = AT(mesh), .fallback = "none",
     .meaning = "file of a closed surface, instead of `shape`"},
    {.name = "convex", .type = PL_KEY_BOOL, .offset = AT(convex), .meaning = "contact uses the convex hull of the mesh, which need not be closed"},
    {.name = "size", .type = PL_KEY_VEC3, .offset = AT(size), .unit = "m", .range = PL_RANGE_POSITIVE, .fallback = "none",
     .meaning = "sides of a box"},
    {.name = "semi_axes", .type = PL_KEY_VEC3, .offset = AT(semi_axes), .unit = "m", .range = PL_RANGE_POSITIVE, .fallback = "none",
     .meaning = "of an ellipsoid"},
    {.name = "radius", .type = PL_KEY_NUMBER, .offset = AT(radius), .unit = "m", .range = PL_RANGE_POSITIVE, .fallback = "none",
     .meaning = "of a round shape"},
    {.name = "length", .type = PL_KEY_NUMBER, .offset = AT(length), .unit = "m", .range = PL_RANGE_POSITIVE, .fallback = "none",
     .meaning = "along the axis; of a capsule without its caps"},
    {.name = "scale", .type = PL_KEY_SCALE, .offset = AT(scale), .range = PL_RANGE_POSITIVE,
     .meaning = "multiplies a mesh's coordinates"},
    {.name = "body", .type = PL_KEY_TEXT, .offset = AT(body), .meaning = "the rigid body that carries it, or `world`"},
    {.name = "pose", .type = PL_KEY_MAP, .offset = AT(pose), .section = &pl_section_pose, .fallback = "see pose",
     .meaning = "in the frame of `body`"},
    {.name = "surface", .type = PL_KEY_MAP, .offset = AT(surface), .section = &pl_section_surface, .fallback = "see surface",
     .meaning = "contact properties"},
    {.name = "collide", .type = PL_KEY_BOOL, .offset = AT(collide), .meaning = "takes part in contact; false: drawn only"},
    {.name = "colour", .type = PL_KEY_VEC3, .offset = AT(colour), .range = {0, 1, false, false},
     .meaning = "red, green, blue"},
};
// clang-format on
#undef AT

static void defaults(void* target) {
  plShapeDef def = pl_default_shape_def();
  Shape* s = target;
  *s = (Shape){.shape = -1,
               .body = "world",
               .scale = {1, 1, 1},
               .colour = def.colour,
               .surface = def.surface,
               .collide = def.collide};
  pl_section_pose.defaults(&s->pose);
}

static plStatus finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  Shape* s = target;
  if ((s->shape >= 0) == (s->mesh != NULL))
    return pl_scene_fail(
        scene, map, "the shape '%s' needs either 'shape' (half_space, sphere, box, ...) or 'mesh' (file)",
        s->name);
  plShapeRule rule = {NULL, {"scale?", "convex?"}};  // a mesh
  if (s->mesh) {
    s->shape = PL_SHAPE_MESH;
    return pl_scene_check_shape(scene, map, &rule, size_keys);
  }
  rule = (plShapeRule){.name = pl_shape_name((plShapeKind)s->shape)};
  for (int i = 0; i < PL_SHAPE_KEYS; i++) rule.takes[i] = pl_shape_traits[s->shape]->key[i];
  return pl_scene_check_shape(scene, map, &rule, size_keys);
}

const plSection pl_section_shape = {"shape",       keys,     sizeof keys / sizeof *keys,
                                    sizeof(Shape), defaults, finish};

static plStatus load_surface(plScene* scene, const plYaml* map, const Shape* s, plMesh** mesh) {
  const plYaml* node = pl_yaml_get(map, "mesh");
  const char* path;
  char log[1024] = "";
  plStatus status = pl_scene_find_file(scene, node, "mesh", &path);
  if (!status)
    status = pl_mesh_load_within(path, scene->load ? scene->load->max_mesh_bytes : 0, mesh, scene->error);
  if (!status && (*mesh)->by_corners)
    pl_scene_warn(scene, node, "%s: %d elements of second or higher order were read by their corners", path,
                  (*mesh)->by_corners);
  if (!status) pl_mesh_transform(*mesh, s->scale, pose_identity());
  if (!status) status = pl_mesh_repair(*mesh, log, sizeof log, scene->error);
  if (!status && (*mesh)->ntet) status = pl_mesh_boundary(*mesh, scene->error);
  if (!status && log[0]) pl_scene_warn(scene, node, "%s: %s", path, log);
  return pl_scene_locate(scene, node, status);
}

plStatus pl_scene_add_shape(plScene* scene, const plYaml* map) {
  Shape s;
  plMesh* mesh = NULL;
  plStatus status = pl_section_read(scene, &pl_section_shape, map, &s);
  if (!status && s.mesh) status = load_surface(scene, map, &s, &mesh);
  int body = -1;
  if (!status) status = pl_scene_find_body(scene, map, "body", s.body, &body);
  if (!status) {
    plShapeDef def = pl_default_shape_def();
    def.name = s.name;
    def.body = body;
    def.pose = s.pose.pose;
    def.kind = (plShapeKind)s.shape;
    def.size = pl_yaml_get(map, "semi_axes") ? v3_scale(2, s.semi_axes) : s.size;
    def.radius = s.radius;
    def.length = s.length;
    def.mesh = mesh;
    def.convex = s.convex;
    def.surface = s.surface;
    def.collide = s.collide;
    def.colour = s.colour;
    status = pl_scene_locate(scene, map, pl_spec_add_shape(scene->spec, &def, NULL, scene->error));
  }
  pl_mesh_destroy(mesh);
  return status;
}

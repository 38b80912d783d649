// scene.c: a scene file -> plSpec. Text -> tree (yaml.c) -> included files merged (scene_file.c) -> overrides
// (scene_override.c) -> sections by their tables (scene_read.c) -> definitions added to a spec. On failure
// the spec is destroyed: nothing is half-loaded.
#include "input/scene.h"

#include <assert.h>
#include <string.h>

#include "input/text.h"
#include "model/spec.h"

static const plWord missing[] = {{"error", 0}, {"ignore", 1}, {NULL, 0}};

#define AT(field) offsetof(plSceneRoot, field)
// clang-format off
static const plKey keys[] = {
    {.name = "pliant", .type = PL_KEY_INT, .offset = AT(version), .required = true,
     .meaning = "version of this format: 1"},
    {.name = "include", .type = PL_KEY_TEXTS, .offset = AT(include), .fallback = "none",
     .meaning = "other scene files; their bodies come first, and keys of this file take precedence"},
    {.name = "options", .type = PL_KEY_MAP, .offset = AT(options), .section = &pl_section_options, .fallback = "see options",
     .meaning = "how to simulate"},
    {.name = "robots", .type = PL_KEY_LIST, .offset = AT(robots), .section = &pl_section_robot, .fallback = "none",
     .meaning = "articulated rigid bodies, from robot files"},
    {.name = "bodies", .type = PL_KEY_LIST, .offset = AT(bodies), .section = &pl_section_body, .fallback = "none",
     .meaning = "rigid bodies that move"},
    {.name = "deformables", .type = PL_KEY_LIST, .offset = AT(deformables), .section = &pl_section_deformable, .fallback = "none",
     .meaning = "soft bodies"},
    {.name = "shapes", .type = PL_KEY_LIST, .offset = AT(shapes), .section = &pl_section_shape, .fallback = "none",
     .meaning = "rigid shapes, in the world or on bodies"},
    {.name = "attachments", .type = PL_KEY_LIST, .offset = AT(attachments), .section = &pl_section_attachment, .fallback = "none",
     .meaning = "parts of soft bodies that are held by rigid ones"},
    {.name = "constraints", .type = PL_KEY_LIST, .offset = AT(constraints), .section = &pl_section_constraint, .fallback = "none",
     .meaning = "between rigid bodies or joints"},
    {.name = "exclude", .type = PL_KEY_LIST, .offset = AT(exclude), .section = &pl_section_exclude, .fallback = "none",
     .meaning = "pairs of bodies without contact"},
    {.name = "sites", .type = PL_KEY_LIST, .offset = AT(sites), .section = &pl_section_site, .fallback = "none",
     .meaning = "named frames on rigid bodies or in the world"},
    {.name = "missing_meshes", .type = PL_KEY_WORD, .offset = AT(missing_meshes), .words = missing,
     .meaning = "if a robot's collision mesh is not found or cannot be read: an error, or the shape is left out with a warning"},
    {.name = "sensors", .type = PL_KEY_LIST, .offset = AT(sensors), .section = &pl_section_sensor, .fallback = "none",
     .meaning = "what is measured, by name: forces, motion, touch, pictures"},
    {.name = "recording", .type = PL_KEY_MAP, .offset = AT(recording), .section = &pl_section_recording, .fallback = "see recording",
     .meaning = "what `pliant run` writes"},
};
// clang-format on
#undef AT

static void defaults(void* target) {
  plSceneRoot* root = target;
  *root = (plSceneRoot){0};
  pl_section_options.defaults(&root->options);
  pl_section_recording.defaults(&root->recording);
}

const plSection pl_section_scene = {"scene",  keys, sizeof keys / sizeof *keys, sizeof(plSceneRoot),
                                    defaults, NULL};

plStatus pl_scene_check_version(plScene* scene, const plYaml* root) {
  const plYaml* version = pl_yaml_get(root, "pliant");
  int number;
  if (!version)
    return pl_scene_fail(scene, root, "this is not a scene file: it must be a map with the key 'pliant: %d'",
                         PL_SCENE_VERSION);
  if (!pl_yaml_int(version, &number) || number != PL_SCENE_VERSION)
    return pl_scene_fail(scene, version,
                         "'pliant' must be %d, the version of the scene format that this program reads",
                         PL_SCENE_VERSION);
  return PL_OK;
}

static plStatus add_all(plScene* scene, const plYaml* list, plStatus (*add)(plScene*, const plYaml*)) {
  plStatus status = PL_OK;
  for (const plYaml* child = list ? list->first : NULL; child && !status; child = child->next)
    status = add(scene, child);
  return status;
}

static plStatus fill_spec(plScene* scene, const plYaml* map) {
  plSceneRoot root;
  plStatus status = pl_section_read(scene, &pl_section_scene, map, &root);
  if (status) return status;
  *pl_spec_options(scene->spec) = root.options.options;
  const plYaml* options = pl_yaml_get(map, "options");
  scene->has_dt = options && pl_yaml_get(options, "dt"),
  scene->has_gravity = options && pl_yaml_get(options, "gravity");
  status = pl_scene_locate(scene, map, pl_options_check(&root.options.options, scene->error));
  if (scene->load) scene->own = *scene->load;
  scene->own.ignore_missing_meshes |= root.missing_meshes == 1;
  scene->load = &scene->own;
  if (!status) status = add_all(scene, root.bodies, pl_scene_add_body);
  if (!status) status = add_all(scene, root.robots, pl_scene_add_robot);
  if (!status) status = add_all(scene, root.bodies, pl_scene_add_body_joint);
  if (!status) status = add_all(scene, root.deformables, pl_scene_add_deformable);
  if (!status) status = add_all(scene, root.shapes, pl_scene_add_shape);
  if (!status) status = add_all(scene, root.attachments, pl_scene_add_attachment);
  if (!status) status = add_all(scene, root.constraints, pl_scene_add_constraint);
  if (!status) status = add_all(scene, root.exclude, pl_scene_add_exclude);
  if (!status) status = add_all(scene, root.sites, pl_scene_add_site);
  if (!status) status = add_all(scene, root.sensors, pl_scene_add_sensor);
  return status ? status : pl_scene_add_recording(scene, &root.recording, map);
}

// Everything after the text was read. path is the file, NULL if the text has none.
static plStatus build(plScene* scene, const char* name, const char* folder, const char* path,
                      const char* text, size_t size) {
  const plYamlSource* source = pl_yaml_source(&scene->tree, name, folder);
  if (!source) return pl_fail_out_of_memory(scene->error, strlen(name) + strlen(folder));
  plYaml* root;
  plStatus status = pl_yaml_parse(&scene->tree, source, text, size, &root, scene->error);
  if (!status) status = pl_scene_check_version(scene, root);
  if (!status) status = pl_scene_include(scene, root, path);
  if (!status) status = pl_scene_override(scene, root);
  return status ? status : fill_spec(scene, root);
}

static plStatus begin(plScene* scene, const plLoadOptions* options, plSpec** spec, plError* error) {
  *spec = NULL;
  pl_error_clear(error);
  *scene = (plScene){.load = options, .error = error, .spec = pl_spec_create()};
  scene->max_tets = options && options->max_tets > 0 ? options->max_tets : PL_SPEC_MAX_TETS;
  pl_yaml_init(&scene->tree);
  return scene->spec ? PL_OK : pl_fail_out_of_memory(error, 1024);
}

static plStatus end(plScene* scene, plStatus status, plSpec** spec) {
  pl_yaml_free(&scene->tree);
  if (status)
    pl_spec_destroy(scene->spec);
  else
    *spec = scene->spec;
  return status;
}

plStatus pl_spec_parse(const char* name, const char* folder, const char* text, size_t size,
                       const plLoadOptions* options, plSpec** spec, plError* error) {
  assert(spec != NULL && name != NULL);
  assert(text != NULL || size == 0);
  plScene scene;
  plStatus status = begin(&scene, options, spec, error);
  if (!status) status = build(&scene, name, folder ? folder : "", NULL, text, size);
  return end(&scene, status, spec);
}

plStatus pl_spec_load(const char* path, const plLoadOptions* options, plSpec** spec, plError* error) {
  assert(path != NULL && spec != NULL);
  plScene scene;
  const char* text;
  size_t size;
  plStatus status = begin(&scene, options, spec, error);
  if (!status)
    status =
        pl_text_read(&scene.tree.arena, path, PL_YAML_MAX_BYTES, "scene", ".yaml", &text, &size, scene.error);
  if (!status) {
    const char* slash = strrchr(path, '/');
    const char* folder =
        slash ? pl_yaml_text(&scene.tree, path, slash == path ? 1 : (size_t)(slash - path)) : "";
    status =
        folder ? build(&scene, path, folder, path, text, size) : pl_fail_out_of_memory(error, strlen(path));
  }
  return end(&scene, status, spec);
}

// scene.h: how a scene file is read. Each section (options, material, ...) is one table of keys: name, type,
// unit, range, default and offset of the value in a struct. The generic reader (scene_read.c) fills the
// struct from the YAML tree, so that a new key is one line of a table; a test compares docs/scene.md with the
// same tables.
#ifndef PL_INPUT_SCENE_H
#define PL_INPUT_SCENE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "input/yaml.h"
#include "model/options.h"
#include "pliant/spec.h"

enum { PL_SCENE_VERSION = 1, PL_SCENE_MAX_ITEMS = 10000 };

// A scene while it is read.
typedef struct plScene {
  plYamlTree tree;
  const plLoadOptions* load;
  plLoadOptions own;  // including what the scene itself specifies
  plSpec* spec;
  plError* error;
  long ntet, max_tets;       // tetrahedra made so far, and their limit
  bool has_dt, has_gravity;  // the scene gives these options
} plScene;

// ---- sections of keys (model/key.h)

typedef struct plSection plSection;

// Called after the keys of a section are read, for checks that concern several of them. seen has bit i for
// key i.
typedef plStatus plSectionFinish(plScene* scene, const plYaml* map, void* target, uint64_t seen);

struct plSection {
  const char* name;  // in messages and in docs/scene.md
  const plKey* key;  // [nkey]
  int nkey;          // at most 64
  size_t size;       // of the struct
  void (*defaults)(void* target);
  plSectionFinish* finish;  // may be NULL
};

// Fills target (defaults first) from a map. Unknown keys, wrong types, values out of range and missing
// required keys are errors.
plStatus pl_section_read(plScene* scene, const plSection* section, const plYaml* map, void* target);
const plKey* pl_section_key(const plSection* section, const char* name);

// An error at a node, at its key, or at a key of a map (the map itself where it has no such
// key).
plStatus pl_scene_fail(plScene* scene, const plYaml* node, const char* format, ...) PL_PRINTF(3, 4);
plStatus pl_scene_fail_key(plScene* scene, const plYaml* map, const char* key, const char* format, ...)
    PL_PRINTF(4, 5);
// Adds the node's line to an error that has none.
plStatus pl_scene_locate(plScene* scene, const plYaml* node, plStatus status);
void pl_scene_warn(plScene* scene, const plYaml* node, const char* format, ...) PL_PRINTF(3, 4);

// ---- sections

typedef struct plScenePose {
  plVec3 position, rpy;
  plQuat quaternion;
  plPose pose;  // the result
} plScenePose;

// Vertices of a body.
typedef struct plSceneRegion {
  int shape;
  plVec3 centre, size, normal, rpy;
  double radius;
  const plYaml* indices;
} plSceneRegion;

// A generated shape.
typedef struct plSceneSolid {
  int shape;  // of pl_solid_words, 0: none
  plVec3 size, semi_axes;
  double radius, length, major_radius, minor_radius, edge;
  int cells[3];
  const plYaml* parts;
} plSceneSolid;

typedef struct plSceneRecording {
  const char *file, *csv;
  double rate;
  int every;
  const plYaml* signals;
} plSceneRecording;

// The whole file.
typedef struct plSceneRoot {
  int missing_meshes;
  int version;
  const plYaml *include, *robots, *bodies, *deformables, *shapes, *attachments, *constraints, *exclude,
      *sites, *sensors;
  plSceneOptions options;
  plSceneRecording recording;
} plSceneRoot;

extern const plSection pl_section_scene, pl_section_options, pl_section_deformable, pl_section_shape,
    pl_section_pose, pl_section_material, pl_section_damping, pl_section_surface, pl_section_fixed,
    pl_section_region, pl_section_knot, pl_section_recording, pl_section_part, pl_section_body,
    pl_section_joint, pl_section_actuator, pl_section_attachment, pl_section_constraint, pl_section_exclude,
    pl_section_load, pl_section_factor, pl_section_robot, pl_section_robot_joint, pl_section_controller,
    pl_section_robot_surface, pl_section_site, pl_section_sensor, pl_section_sensor_point;

// Which size keys a shape takes; the others of the same group are refused.
enum { PL_SHAPE_TAKES = 8 };
typedef struct plShapeRule {
  const char* name;                   // of the shape; NULL: a mesh file
  const char* takes[PL_SHAPE_TAKES];  // required unless followed by '?' as in "edge?"; NULL ends
} plShapeRule;
plStatus pl_scene_check_shape(plScene* scene, const plYaml* map, const plShapeRule* rule,
                              const char* const* group);

// The keys of a solid's sizes, in a table whose AT(member) is an offset and whose struct has a member
// `solid`.
// clang-format off
#define PL_SOLID_SIZES \
    {.name = "size", .type = PL_KEY_VEC3, .offset = AT(solid.size), .unit = "m", .range = PL_RANGE_POSITIVE, .fallback = "none", \
    .meaning = "sides of a box"}, \
    {.name = "semi_axes", .type = PL_KEY_VEC3, .offset = AT(solid.semi_axes), .unit = "m", .range = PL_RANGE_POSITIVE, .fallback = "none", \
    .meaning = "of an ellipsoid or half_ellipsoid"}, \
    {.name = "radius", .type = PL_KEY_NUMBER, .offset = AT(solid.radius), .unit = "m", .range = PL_RANGE_POSITIVE, .fallback = "none", \
    .meaning = "of a sphere, cylinder or capsule"}, \
    {.name = "length", .type = PL_KEY_NUMBER, .offset = AT(solid.length), .unit = "m", .range = PL_RANGE_POSITIVE, .fallback = "none", \
    .meaning = "of a cylinder, or of a capsule without its caps"}, \
    {.name = "major_radius", .type = PL_KEY_NUMBER, .offset = AT(solid.major_radius), .unit = "m", .range = PL_RANGE_POSITIVE, \
    .fallback = "none", .meaning = "of a torus: centre to the middle of the tube"}, \
    {.name = "minor_radius", .type = PL_KEY_NUMBER, .offset = AT(solid.minor_radius), .unit = "m", .range = PL_RANGE_POSITIVE, \
    .fallback = "none", .meaning = "of a torus: the tube's"}
// clang-format on

extern const plWord pl_solid_words[], pl_actuator_words[], pl_interpolation_words[];
// Whether the size keys fit the shape; name is the deformable's.
plStatus pl_scene_check_solid(plScene* scene, const plYaml* map, const plSceneSolid* solid, const char* name);
plStatus pl_scene_make_solid(plScene* scene, const plYaml* map, const plSceneSolid* solid, const char* name,
                             plMesh** mesh);
plStatus pl_scene_fail_too_large(plScene* scene, const plYaml* map, const char* name, double ntet);
// The region described by a section, of a deformable of the spec (-1: not known, the spec refuses it);
// indices are owned by the tree.
plStatus pl_scene_region(plScene* scene, const plSceneRegion* r, int deformable, plRegion* region);
// A deformable by its name, -1 if there is none.
int pl_scene_find_deformable(const plScene* scene, const char* name);
// A table of as many times as values (PL_KEY_NUMBERS, NULL: not given), owned by the tree. An empty one is
// none: *n is 0 and nothing else is written.
plStatus pl_scene_table(plScene* scene, const plYaml* times, const plYaml* values, int* n,
                        const double** time, const double** value);
// A rigid body by its name, -1 for "world". key is the key of map that names it.
plStatus pl_scene_find_body(plScene* scene, const plYaml* map, const char* key, const char* name, int* body);
plStatus pl_scene_find_joint(plScene* scene, const plYaml* node, const char* name, int* joint);

// ---- stages, in order

// The path of a file named in a scene: beside the scene, then in the search folders. node is the name's
// scalar.
plStatus pl_scene_find_file(plScene* scene, const plYaml* node, const char* what, const char** path);
// Merges the contents of the included files into root. path is root's own file, NULL if it has none.
plStatus pl_scene_include(plScene* scene, plYaml* root, const char* path);
plStatus pl_scene_check_version(plScene* scene, const plYaml* root);
plStatus pl_scene_override(plScene* scene, plYaml* root);
plStatus pl_scene_add_robot(plScene* scene, const plYaml* map);
// Bodies first, then their joints, so that a joint may name any body as its parent.
plStatus pl_scene_add_body(plScene* scene, const plYaml* map);
plStatus pl_scene_add_body_joint(plScene* scene, const plYaml* map);
plStatus pl_scene_add_attachment(plScene* scene, const plYaml* map);
plStatus pl_scene_add_constraint(plScene* scene, const plYaml* map);
plStatus pl_scene_add_exclude(plScene* scene, const plYaml* map);
plStatus pl_scene_add_site(plScene* scene, const plYaml* map);
plStatus pl_scene_add_sensor(plScene* scene, const plYaml* map);
plStatus pl_scene_add_deformable(plScene* scene, const plYaml* map);
plStatus pl_scene_add_fixed(plScene* scene, int deformable, const plYaml* list);
plStatus pl_scene_add_loads(plScene* scene, int deformable, const plYaml* list);
plStatus pl_scene_add_shape(plScene* scene, const plYaml* map);
plStatus pl_scene_add_recording(plScene* scene, const plSceneRecording* recording, const plYaml* root);

#endif

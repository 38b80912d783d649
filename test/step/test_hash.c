// A state belongs to one scene: whatever is structure, from the rest mesh to the table of a motion, is in the
// model's hash, and the state of a scene that differs in it alone is refused. Parameters and options are not.
#include <unistd.h>

#include "check.h"
#include "pliant/pliant.h"

static plError error;
static char folder[] = "/tmp/pliant_hash_XXXXXX";

static const char scene[] =
    "pliant: 1\n"
    "options: {dt: 0.01}\n"
    "bodies:\n"
    "  - name: arm\n"
    "    mass: 1\n"
    "    inertia: [0.01, 0.01, 0.01]\n"
    "    joint: {name: hinge, kind: revolute, axis: [0, 1, 0], pose: {position: [1, 0, 1]}, position: 0.1, "
    "velocity: 0.2, armature: 0.01, actuator: {kind: pd, kp: 20, kd: 2, times: [0, 1], values: [0, 0.5], "
    "interpolation: linear}}\n"
    "  - name: cart\n"
    "    mass: 2\n"
    "    inertia: [0.01, 0.01, 0.01]\n"
    "    joint: {name: rail, kind: prismatic, axis: [1, 0, 0], pose: {position: [0, 2, 1]}, actuator: {kind: "
    "position, kp: 50, kd: 5, input: 0.3}}\n"
    "  - name: loose\n"
    "    mass: 1\n"
    "    inertia: [0.01, 0.01, 0.01]\n"
    "    pose: {position: [5, 0, 1]}\n"
    "deformables:\n"
    "  - name: block\n"
    "    shape: box\n"
    "    size: [0.1, 0.1, 0.1]\n"
    "    cells: [2, 2, 2]\n"
    "    pose: {position: [0, 0, 0.5]}\n"
    "    velocity: [0, 0, 0.25]\n"
    "    material: {kind: linear_corotated, element: tet4, mass: consistent, volumetric: element}\n"
    "    fixed: [{region: {shape: half_space, centre: [0, 0, -0.04], normal: [0, 0, 1]}, components: xyz, "
    "motion: [{time: 0, offset: [0, 0, 0]}, {time: 1, offset: [0, 0, 0.01]}]}]\n"
    "    loads: [{region: {shape: all}, kind: vertex, vector: [0, 0, 0.5], factor: [{time: 0, value: 1}, "
    "{time: 2, value: 3}]}]\n"
    "  - {name: pyramid, mesh: tets.vtk, pose: {position: [3, 0, 1]}}\n"
    "shapes:\n"
    "  - {name: ground, shape: half_space}\n"
    "  - {name: ball, body: arm, shape: sphere, radius: 0.05, pose: {position: [0.2, 0, 0]}}\n"
    "  - {name: stone, mesh: stone.obj, pose: {position: [8, 0, 0]}}\n"
    "attachments:\n"
    "  - {name: held, deformable: pyramid, to: cart, region: {indices: [0, 1]}}\n"
    "constraints:\n"
    "  - {name: link, kind: coupler, a: hinge, b: rail, ratio: 2, times: [0, 1], values: [0, 0.01]}\n"
    "exclude:\n"
    "  - {a: arm, b: block}\n";

// What is written, and what instead of it: each alone makes another scene.
static const char* const change[][3] = {
    {"kind of a joint", "kind: revolute, axis: [0, 1, 0]", "kind: prismatic, axis: [0, 1, 0]"},
    {"axis of a joint", "axis: [1, 0, 0]", "axis: [0.6, 0.8, 0]"},
    {"frame of a joint", "pose: {position: [0, 2, 1]}", "pose: {position: [0, 2.125, 1]}"},
    {"start of a joint", "position: 0.1,", "position: 0.125,"},
    {"velocity of a joint", "velocity: 0.2,", "velocity: 0.25,"},
    {"armature", "armature: 0.01", "armature: 0.02"},
    {"name of a body", "name: loose", "name: lose"},
    {"kind of an actuator", "kind: position, kp: 50", "kind: pd, kp: 50"},
    {"input of an actuator", "input: 0.3", "input: 0.25"},
    {"times of a controller", "times: [0, 1], values: [0, 0.5]", "times: [0, 2], values: [0, 0.5]"},
    {"values of a controller", "values: [0, 0.5]", "values: [0, 0.25]"},
    {"interpolation of a controller", "interpolation: linear", "interpolation: cubic"},
    {"start of a free body", "pose: {position: [5, 0, 1]}", "pose: {position: [5, 0, 1.5]}"},
    {"cells", "cells: [2, 2, 2]", "cells: [2, 2, 3]"},
    {"rest mesh", "size: [0.1, 0.1, 0.1]", "size: [0.1, 0.1, 0.11]"},
    {"start of a soft body", "pose: {position: [0, 0, 0.5]}", "pose: {position: [0, 0, 0.625]}"},
    {"velocity of a soft body", "velocity: [0, 0, 0.25]", "velocity: [0, 0, 0.5]"},
    {"law of a material", "kind: linear_corotated", "kind: neo_hookean"},
    {"element", "element: tet4", "element: tet4_smoothed"},
    {"mass matrix", "mass: consistent", "mass: lumped"},
    {"volume changes", "volumetric: element", "volumetric: patch"},
    {"held vertices", "centre: [0, 0, -0.04]", "centre: [0, 0, 0.01]"},
    {"held components", "components: xyz", "components: xz"},
    {"times of a motion", "{time: 1, offset", "{time: 1.5, offset"},
    {"offsets of a motion", "offset: [0, 0, 0.01]", "offset: [0, 0, 0.02]"},
    {"kind of a load", "kind: vertex, vector", "kind: force_density, vector"},
    {"vector of a load", "vector: [0, 0, 0.5]", "vector: [0, 0.5, 0]"},
    {"times of a load", "{time: 2, value: 3}", "{time: 2.5, value: 3}"},
    {"factors of a load", "{time: 2, value: 3}", "{time: 2, value: 4}"},
    {"kind of a shape", "shape: sphere, radius: 0.05", "shape: capsule, radius: 0.05, length: 0.1"},
    {"size of a shape", "radius: 0.05", "radius: 0.0625"},
    {"place of a shape", "pose: {position: [0.2, 0, 0]}", "pose: {position: [0.25, 0, 0]}"},
    {"body of a shape", "name: ball, body: arm", "name: ball, body: cart"},
    {"rigid triangles", "mesh: stone.obj", "mesh: other.obj"},
    {"connections of tetrahedra", "mesh: tets.vtk", "mesh: turned.vtk"},
    {"vertices of a mesh", "mesh: tets.vtk", "mesh: moved.vtk"},
    {"attached vertices", "indices: [0, 1]", "indices: [0, 2]"},
    {"body of an attachment", "deformable: pyramid, to: cart", "deformable: pyramid, to: arm"},
    {"kind of a constraint", "kind: coupler, a: hinge, b: rail, ratio: 2", "kind: motion, a: hinge"},
    {"ratio of a constraint", "ratio: 2", "ratio: 3"},
    {"values of a constraint", "values: [0, 0.01]", "values: [0, 0.02]"},
    {"pairs without contact", "{a: arm, b: block}", "{a: cart, b: block}"},
};

// Two of each: which of them has what is structure too, in the same numbers in the same order.
static const char two_of_each[] =
    "pliant: 1\n"
    "bodies:\n"
    "  - {name: a, mass: 1, inertia: [0.01, 0.01, 0.01], joint: {kind: universal, axis: [0, 0, 1], axis2: "
    "[1, "
    "0, 0]}}\n"
    "  - {name: b, mass: 1, inertia: [0.01, 0.01, 0.01], joint: {parent: a, kind: revolute, axis: [0, 0, "
    "1]}}\n"
    "  - {name: rod, mass: 1, inertia: [0.01, 0.01, 0.01], joint: {parent: a, kind: fixed, pose: {position: "
    "[0.5, 0, 0]}}}\n"
    "  - {name: post, mass: 1, inertia: [0.01, 0.01, 0.01], joint: {kind: fixed, pose: {position: [9, 0, "
    "0]}}}\n"
    "  - {name: c, mass: 1, inertia: [0.01, 0.01, 0.01], joint: {kind: prismatic, pose: {position: [0, 4, "
    "0]}, "
    "actuator: {kind: pd, kp: 20, times: [0, 1], values: [0, 1]}}}\n"
    "  - {name: d, mass: 1, inertia: [0.01, 0.01, 0.01], joint: {kind: prismatic, pose: {position: [0, 6, "
    "0]}, "
    "actuator: {kind: pd, kp: 20, times: [2, 3, 4], values: [2, 3, 4]}}}\n"
    "deformables:\n"
    "  - name: block\n"
    "    shape: box\n"
    "    size: [0.1, 0.1, 0.1]\n"
    "    cells: [1, 1, 1]\n"
    "    pose: {position: [0, 8, 0]}\n"
    "    fixed: [{region: {indices: [0]}, motion: [{time: 0, offset: [0, 0, 0]}, {time: 1, offset: [1, 0, "
    "0]}]}, {region: {indices: [1]}, motion: [{time: 2, offset: [2, 0, 0]}, {time: 3, offset: [3, 0, 0]}, "
    "{time: 4, offset: [4, 0, 0]}]}]\n"
    "    loads: [{region: {indices: [2, 3]}, kind: vertex, vector: [1, 0, 0], factor: [{time: 0, value: 0}, "
    "{time: 1, value: 1}]}, {region: {indices: [4]}, kind: vertex, vector: [0, 1, 0], factor: [{time: 2, "
    "value: 2}, {time: 3, value: 3}, {time: 4, value: 4}]}]\n"
    "shapes:\n"
    "  - {name: s, shape: sphere, radius: 0.05, body: rod}\n"
    "  - {name: t, shape: sphere, radius: 0.05, body: post}\n"
    "attachments:\n"
    "  - {name: e, deformable: block, to: c, region: {indices: [5, 6]}}\n"
    "  - {name: f, deformable: block, to: d, region: {indices: [7]}}\n"
    "sites:\n"
    "  - {name: eye, body: rod, pose: {position: [0, 0, 0.1]}}\n"
    "sensors:\n"
    "  - {name: look, kind: velocity, on: c, delay: 0.1}\n"
    "  - {name: feel, kind: contact, on: s, delay: 0.1}\n";
static const char* const exchange[][3] = {
    {"joint of two axes",
     "kind: universal, axis: [0, 0, 1], axis2: [1, 0, 0]}}\n  - {name: b, mass: 1, "
     "inertia: [0.01, 0.01, 0.01], joint: {parent: a, kind: revolute, axis: [0, 0, 1]}}",
     "kind: revolute, axis: [0, 0, 1]}}\n  - {name: b, mass: 1, inertia: [0.01, 0.01, 0.01], joint: {parent: "
     "a, kind: universal, axis: [1, 0, 0], axis2: [0, 0, 1]}}"},
    {"parent of a fixed joint", "parent: a, kind: fixed", "parent: b, kind: fixed"},
    {"place of a fixed joint", "position: [0.5, 0, 0]", "position: [0.75, 0, 0]"},
    {"place of a fixed body", "position: [9, 0, 0]", "position: [9, 1, 0]"},
    {"knots of controllers",
     "times: [0, 1], values: [0, 1]}}}\n  - {name: d, mass: 1, inertia: [0.01, 0.01, "
     "0.01], joint: {kind: prismatic, pose: {position: [0, 6, 0]}, actuator: {kind: pd, kp: 20, times: [2, "
     "3, "
     "4], values: [2, 3, 4]",
     "times: [0, 1, 2], values: [0, 1, 2]}}}\n  - {name: d, mass: 1, inertia: [0.01, 0.01, 0.01], joint: "
     "{kind: "
     "prismatic, pose: {position: [0, 6, 0]}, actuator: {kind: pd, kp: 20, times: [3, 4], values: [3, 4]"},
    {"vertices of motions",
     "fixed: [{region: {indices: [0]}, motion: [{time: 0, offset: [0, 0, 0]}, {time: 1, "
     "offset: [1, 0, 0]}]}, {region: {indices: [1]}",
     "fixed: [{region: {indices: [1]}, motion: [{time: 0, offset: [0, 0, 0]}, {time: 1, offset: [1, 0, "
     "0]}]}, "
     "{region: {indices: [0]}"},
    {"knots of motions",
     "{time: 1, offset: [1, 0, 0]}]}, {region: {indices: [1]}, motion: [{time: 2, offset: "
     "[2, 0, 0]}, {",
     "{time: 1, offset: [1, 0, 0]}, {time: 2, offset: [2, 0, 0]}]}, {region: {indices: [1]}, motion: [{"},
    {"vertices of loads",
     "indices: [2, 3]}, kind: vertex, vector: [1, 0, 0], factor: [{time: 0, value: 0}, "
     "{time: 1, value: 1}]}, {region: {indices: [4]}",
     "indices: [2]}, kind: vertex, vector: [1, 0, 0], factor: [{time: 0, value: 0}, {time: 1, value: 1}]}, "
     "{region: {indices: [3, 4]}"},
    {"knots of loads",
     "{time: 1, value: 1}]}, {region: {indices: [4]}, kind: vertex, vector: [0, 1, 0], "
     "factor: [{time: 2, value: 2}, {",
     "{time: 1, value: 1}, {time: 2, value: 2}]}, {region: {indices: [4]}, kind: vertex, vector: [0, 1, 0], "
     "factor: [{"},
    {"vertices of attachments",
     "indices: [5, 6]}}\n  - {name: f, deformable: block, to: d, region: {indices: "
     "[7]",
     "indices: [5]}}\n  - {name: f, deformable: block, to: d, region: {indices: [6, 7]"},
    {"place of a site", "position: [0, 0, 0.1]", "position: [0, 0, 0.2]"},
    {"body of a site", "name: eye, body: rod", "name: eye, body: b"},
    {"joint of a sensor", "on: c, delay", "on: d, delay"},
    {"shape of a sensor", "on: s, delay", "on: t, delay"},
    {"stiffness of a soft surface's mesh", "cells: [1, 1, 1]",
     "cells: [1, 1, 1]\n    surface: "
     "{mesh_compliance: false}"},
    {"the same against a shape", "body: rod}", "body: rod, surface: {mesh_compliance: false}}"},
};
// The same scene with another number: the hash stays, and the state may be used.
static const char* const number[][2] = {{"dt: 0.01", "dt: 0.005"},
                                        {"dt: 0.01}", "dt: 0.01, contact_law: cone}"},
                                        {"kp: 20", "kp: 30"},
                                        {"mass: 2\n", "mass: 3\n"},
                                        {"mass: consistent", "young: 3e4, mass: consistent"}};

// Every number of a scene is in the hash or in the parameters.
static const char* const any[][2] = {
    {"velocity: 0.2,", "velocity: 0.2, lower: -0.5,"},
    {"velocity: 0.2,", "velocity: 0.2, upper: 0.5,"},
    {"velocity: 0.2,", "velocity: 0.2, damping: 0.5,"},
    {"velocity: 0.2,", "velocity: 0.2, friction: 0.5,"},
    {"velocity: 0.2,", "velocity: 0.2, stiffness: 0.5,"},
    {"velocity: 0.2,", "velocity: 0.2, stiffness: 0.5, rest: 0.25,"},
    {"velocity: 0.2,", "velocity: 0.2, locked: true,"},
    {"kd: 2,", "kd: 3,"},
    {"kd: 2,", "kd: 2, effort: 7,"},
    {"kd: 2,", "kd: 2, zero_velocity: true,"},
    {"mass: 2\n", "mass: 2\n    com: [0.1, 0, 0]\n"},
    {"mass: 2\n", "mass: 2\n    products: [1e-4, 0, 0]\n"},
    {"mass: 2\n", "mass: 2\n    gravity: 0.5\n"},
    {"pose: {position: [5, 0, 1]}", "pose: {position: [5, 0, 1], rpy: [0.1, 0, 0]}"},
    {"pose: {position: [5, 0, 1]}", "pose: {position: [5, 0, 1]}\n    angular_velocity: [1, 0, 0]"},
    {"mass: consistent", "poisson: 0.3, mass: consistent"},
    {"mass: consistent", "density: 900, mass: consistent"},
    {"mass: consistent", "damping: {mass: 0.1}, mass: consistent"},
    {"mass: consistent", "damping: {stiffness: 0.02}, mass: consistent"},
    {"mass: consistent", "rotation: lagged, mass: consistent"},
    {"velocity: [0, 0, 0.25]", "velocity: [0, 0, 0.25]\n    self_contact: false"},
    {"velocity: [0, 0, 0.25]", "velocity: [0, 0, 0.25]\n    angular_velocity: [1, 0, 0]"},
    {"velocity: [0, 0, 0.25]", "velocity: [0, 0, 0.25]\n    surface: {friction: 0.25}"},
    {"velocity: [0, 0, 0.25]", "velocity: [0, 0, 0.25]\n    surface: {mesh_compliance: false}"},
    {"shape: half_space}", "shape: half_space, surface: {friction: 0.25}}"},
    {"shape: half_space}", "shape: half_space, surface: {contact_stiffness: 1e6}}"},
    {"shape: half_space}", "shape: half_space, surface: {relaxation_time: 0.25}}"},
    {"shape: half_space}", "shape: half_space, surface: {dissipation: 5}}"},
    {"shape: half_space}", "shape: half_space, surface: {surface_velocity: [0.1, 0, 0]}}"},
    {"shape: half_space}", "shape: half_space, collide: false}"},
    {"mesh: stone.obj", "mesh: stone.obj, convex: true"},
    {"region: {indices: [0, 1]}", "region: {indices: [0, 1]}, stiffness: 1e4"},
    {"region: {indices: [0, 1]}", "region: {indices: [0, 1]}, relaxation_time: 0.25"},
    {"region: {indices: [0, 1]}", "region: {indices: [0, 1]}, off: true"},
    {"ratio: 2", "ratio: 2, offset: 0.01"},
    {"ratio: 2", "ratio: 2, stiffness: 1e4"},
    {"ratio: 2", "ratio: 2, off: true"},
    {"ratio: 2", "ratio: 2, amplitude: 0.01, frequency: 2"},
};

static void write_file(const char* name, const char* text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "w");
  CHECK(file && fputs(text, file) >= 0 && !fclose(file));
}

static void write_meshes(void) {
  static const char* const name[] = {"tets.vtk", "turned.vtk", "moved.vtk"};
  static const char* const cells[] = {"4 0 1 2 3\n4 4 2 1 3", "4 0 1 2 3\n4 4 3 0 1", "4 0 1 2 3\n4 4 2 1 3"};
  char text[1024];
  for (int i = 0; i < 3; i++) {
    // turned: the second tetrahedron stands on another side of the first, at the same corner
    snprintf(text, sizeof text,
             "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n"
             "0 0 0 %g 0 0 0 1 0 0 0 1 %s\nCELLS 2 10\n%s\nCELL_TYPES 2\n10\n10\n",
             i == 2 ? 1.25 : 1.0, i == 1 ? "0.5 -1 0.5" : "1 1 1", cells[i]);
    write_file(name[i], text);
  }
  static const char solid[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 %d\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  for (int i = 1; i <= 2; i++) {
    snprintf(text, sizeof text, solid, i);
    write_file(i == 1 ? "stone.obj" : "other.obj", text);
  }
}

// The scene with `from` replaced by `to`; NULL: as it is.
static const plModel* compile(const char* base, const char* from, const char* to) {
  static char text[2 * (sizeof scene + sizeof two_of_each)];
  const char* at = from ? strstr(base, from) : base;
  if (!at) printf("'%s' is not in the scene\n", from), exit(1);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - base), base, from ? to : "",
           at + (from ? strlen(from) : 0));
  plSpec* spec = NULL;
  if (pl_spec_parse("hash.yaml", folder, text, strlen(text), NULL, &spec, &error))
    printf("%s -> %s: %s:%d: %s\n", from, to, error.file, error.line, error.message), exit(1);
  const plModel* model = pl_model_create(spec, &error);
  if (!model) printf("%s -> %s: %s\n", from, to, error.message), exit(1);
  pl_spec_destroy(spec);
  return model;
}

// A file of the scene as it is, loaded into the other.
static void check_change(const char* base, const char* what, const char* from, const char* to, bool other) {
  const plModel *one = compile(base, NULL, NULL), *two = compile(base, from, to);
  plData *a = pl_data_create(one, &error), *b = pl_data_create(two, &error);
  char path[256];
  snprintf(path, sizeof path, "%s/state", folder);
  CHECK(a && b && !pl_state_save(a, path, &error));
  plStatus status = pl_state_load(b, path, &error);
  if ((one->hash != two->hash) != other || status != (other ? PL_ERROR_MISMATCH : PL_OK))
    check_errors++, printf("%s: '%s' or '%s': hashes %s, state %s\n", what, from, to,
                           one->hash == two->hash ? "alike" : "differ", pl_status_name(status));
  pl_data_destroy(a), pl_data_destroy(b), pl_model_destroy(one), pl_model_destroy(two);
}

static void structure_is_in_the_hash(void) {
  for (size_t i = 0; i < sizeof change / sizeof *change; i++)
    check_change(scene, change[i][0], change[i][1], change[i][2], true);
  for (size_t i = 0; i < sizeof exchange / sizeof *exchange; i++)
    check_change(two_of_each, exchange[i][0], exchange[i][1], exchange[i][2], true);
}

// Any two changes give two hashes: nothing that is written has the bytes of something else.
static void no_two_changes_are_alike(void) {
  enum { A = sizeof change / sizeof *change, B = sizeof exchange / sizeof *exchange };
  uint64_t hash[A + B];
  for (int i = 0; i < A + B; i++) {
    const plModel* model = i < A ? compile(scene, change[i][1], change[i][2])
                                 : compile(two_of_each, exchange[i - A][1], exchange[i - A][2]);
    hash[i] = model->hash;
    pl_model_destroy(model);
    for (int k = 0; k < i; k++)
      if (hash[k] == hash[i])
        check_errors++, printf("'%s' and '%s' have one hash\n", k < A ? change[k][0] : exchange[k - A][0],
                               i < A ? change[i][0] : exchange[i - A][0]);
  }
}

static void numbers_are_not(void) {
  for (size_t i = 0; i < sizeof number / sizeof *number; i++)
    check_change(scene, "a number", number[i][0], number[i][1], false);
}

static void nothing_is_in_neither(void) {
  const plModel* one = compile(scene, NULL, NULL);
  plData* a = pl_data_create(one, &error);
  for (size_t i = 0; i < sizeof any / sizeof *any; i++) {
    const plModel* two = compile(scene, any[i][0], any[i][1]);
    plData* b = pl_data_create(two, &error);
    if (one->hash == two->hash && pl_parameter_hash(a) == pl_parameter_hash(b))
      check_errors++, printf("'%s' changes neither hash\n", any[i][1]);
    pl_data_destroy(b), pl_model_destroy(two);
  }
  pl_data_destroy(a), pl_model_destroy(one);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  if (!mkdtemp(folder)) return printf("no folder %s\n", folder), 1;
  write_meshes();
  RUN(structure_is_in_the_hash);
  RUN(no_two_changes_are_alike);
  RUN(numbers_are_not);
  RUN(nothing_is_in_neither);
  char command[300];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  if (system(command)) return 1;
  return CHECK_END;
}

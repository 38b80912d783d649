// test_scene.c: scene files that are right: every section reaches the spec; includes and overrides.
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "check.h"
#include "math/pose.h"
#include "model/spec.h"

static plError error;

// The spec of a text, NULL on failure.
static plSpec* parse_with(const char* text, const plLoadOptions* options) {
  plSpec* spec = NULL;
  plStatus status = pl_spec_parse("s.yaml", "", text, strlen(text), options, &spec, &error);
  CHECK(!status == (spec != NULL));
  if (status) printf("%s:%d:%d: %s\n", error.file, error.line, error.column, error.message);
  return spec;
}
static plSpec* parse(const char* text) { return parse_with(text, NULL); }

static plSpec* parse_override(const char* text, const char* key, const char* value) {
  plOverride override = {key, value};
  plLoadOptions options = {.overrides = &override, .noverride = 1};
  return parse_with(text, &options);
}

static void write_file(const char* path, const char* text) {
  FILE* file = fopen(path, "w");
  CHECK(file != NULL);
  if (!file) return;
  fputs(text, file);
  fclose(file);
}

static const char block[] =
    "pliant: 1\n"
    "options: {dt: 0.005, gravity: [0, 0, -1]}\n"
    "deformables:\n"
    "  - name: block\n"
    "    shape: box\n"
    "    size: [0.1, 0.2, 0.3]\n"
    "    cells: [1, 2, 3]\n"
    "    material: {young: 2e5}\n"
    "shapes:\n"
    "  - {name: ground, shape: half_space, surface: {friction: 0.5}}\n";

static void the_smallest_scene_has_the_defaults(void) {
  plSpec* spec = parse("pliant: 1\n");
  if (!spec) return;
  plOptions o = pl_default_options();
  const plOptions* p = &spec->options;
  CHECK(p->dt == o.dt && p->duration == o.duration && p->gravity.z == o.gravity.z && p->theta == o.theta &&
        p->theta_vq == o.theta_vq);
  CHECK(p->contact_law == o.contact_law && p->tolerance == o.tolerance &&
        p->free_tolerance == o.free_tolerance);
  CHECK(p->max_iterations == o.max_iterations && p->friction_sigma == o.friction_sigma &&
        p->near_rigid == o.near_rigid);
  CHECK_INT(spec->ndeform + spec->nshape + spec->nfix, 0);
  CHECK(!spec->recording.file && !spec->recording.csv && spec->recording.every == 1);
  pl_spec_destroy(spec);
}

static void every_option_arrives(void) {
  plSpec* spec = parse(
      "pliant: 1\noptions:\n  dt: 0.002\n  duration: 3\n  gravity: [1, 2, -3]\n  theta: 0.25\n  theta_vq: "
      "0.75\n  contact_law: similar\n"
      "  tolerance: 1e-5\n  free_tolerance: 1e-9\n  max_iterations: 77\n  friction_sigma: 0.01\n  "
      "near_rigid: 0.5\n  threads: 3\n");
  if (!spec) return;
  const plOptions* o = &spec->options;
  CHECK(o->dt == 0.002 && o->duration == 3 && o->gravity.x == 1 && o->gravity.y == 2 && o->gravity.z == -3);
  CHECK(o->theta == 0.25 && o->theta_vq == 0.75 && o->contact_law == PL_LAW_SIMILAR && o->tolerance == 1e-5);
  CHECK(o->free_tolerance == 1e-9 && o->max_iterations == 77 && o->friction_sigma == 0.01 &&
        o->near_rigid == 0.5 && o->threads == 3);
  pl_spec_destroy(spec);
}

static void schemes_set_both_thetas(void) {
  static const struct {
    const char* text;
    double theta, theta_vq;
  } scheme[] = {{"pliant: 1\noptions: {scheme: backward_euler}", 1, 1},
                {"pliant: 1\noptions: {scheme: symplectic_euler}", 0, 1},
                {"pliant: 1\noptions: {scheme: midpoint}", 0.5, 0.5}};
  for (int i = 0; i < 3; i++) {
    plSpec* spec = parse(scheme[i].text);
    if (!spec) continue;
    CHECK(spec->options.theta == scheme[i].theta && spec->options.theta_vq == scheme[i].theta_vq);
    pl_spec_destroy(spec);
  }
}

static void a_deformable_arrives_whole(void) {
  plSpec* spec = parse(
      "pliant: 1\ndeformables:\n  - name: soft\n    shape: box\n    size: [1, 2, 3]\n    cells: [1, 1, 1]\n  "
      "  scale: 0.5\n"
      "    pose: {position: [1, 2, 3], rpy: [0, 0, 1.5707963267948966]}\n"
      "    material: {kind: neo_hookean, lame_lambda: 3e4, lame_mu: 2e4, density: 900, damping: {mass: 0.1, "
      "stiffness: 0.02},\n"
      "               mass: lumped, rotation: lagged}\n"
      "    surface: {friction: 0.3, contact_stiffness: 1e7, relaxation_time: 0.2, dissipation: 5}\n"
      "    velocity: [1, 0, 0]\n    angular_velocity: [0, 2, 0]\n");
  if (!spec) return;
  CHECK_INT(spec->ndeform, 1);
  const plDeformableDef* d = &spec->deform[0];
  CHECK_STR(d->name, "soft");
  double top = 0;
  for (int i = 0; i < d->mesh->nvert; i++) top = fmax(top, d->mesh->vert[3 * i + 2]);
  CHECK_NEAR(top, 0.75, 1e-15);
  plVec3 x = pose_apply(d->pose, v3(1, 0, 0));
  CHECK_NEAR(x.x, 1, 1e-15);
  CHECK_NEAR(x.y, 3, 1e-15);
  const plMaterial* m = &d->material;
  CHECK(m->kind == PL_MATERIAL_NEO_HOOKEAN && m->lame_lambda == 3e4 && m->lame_mu == 2e4 &&
        m->density == 900);
  CHECK(m->damping_mass == 0.1 && m->damping_stiffness == 0.02 && m->mass == PL_MASS_LUMPED &&
        m->rotation == PL_ROTATION_LAGGED);
  const plSurface* s = &d->surface;
  CHECK(s->friction == 0.3 && s->contact_stiffness == 1e7 && s->relaxation_time == 0.2 &&
        s->dissipation == 5);
  CHECK(d->velocity.x == 1 && d->angular_velocity.y == 2);
  pl_spec_destroy(spec);
}

static void every_shape_is_meshed(void) {
  // volumes of the shapes as given; a mesh of chords is a little smaller
  static const struct {
    const char* keys;
    double volume;
  } shape[] = {{"shape: box, size: [0.1, 0.2, 0.3], edge: 0.05", 0.006},
               {"shape: sphere, radius: 0.1, edge: 0.03", 4.18879e-3},
               {"shape: ellipsoid, semi_axes: [0.1, 0.12, 0.08], edge: 0.03", 4.02124e-3},
               {"shape: half_ellipsoid, semi_axes: [0.1, 0.12, 0.08], edge: 0.03", 2.01062e-3},
               {"shape: cylinder, radius: 0.1, length: 0.2, edge: 0.03", 6.28319e-3},
               {"shape: capsule, radius: 0.1, length: 0.2, edge: 0.03", 1.0472e-2},
               {"shape: torus, major_radius: 0.1, minor_radius: 0.04, edge: 0.02", 3.15827e-3}};
  for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
    char text[256];
    snprintf(text, sizeof text, "pliant: 1\ndeformables: [{name: d, %s}]\n", shape[i].keys);
    plSpec* spec = parse(text);
    if (!spec) continue;
    plMeshReport report;
    CHECK_INT(pl_mesh_check(spec->deform[0].mesh, &report, &error), PL_OK);
    CHECK(report.volume > 0.85 * shape[i].volume && report.volume <= 1.0001 * shape[i].volume);
    pl_spec_destroy(spec);
  }
}

static void mooney_rivlin_takes_its_own_constants(void) {
  plSpec* spec = parse(
      "pliant: 1\ndeformables: [{name: d, shape: box, size: [1, 1, 1], edge: 1, material: {kind: "
      "mooney_rivlin, c1: 1e4, c2: 2e3, "
      "bulk: 1e6}}]\n");
  if (!spec) return;
  const plMaterial* m = &spec->deform[0].material;
  CHECK(m->kind == PL_MATERIAL_MOONEY_RIVLIN && m->c1 == 1e4 && m->c2 == 2e3 && m->bulk == 1e6);
  pl_spec_destroy(spec);
}

static void fixed_regions_arrive(void) {
  plSpec* spec = parse(
      "pliant: 1\ndeformables:\n  - name: d\n    shape: box\n    size: [1, 1, 1]\n    edge: 1\n    fixed:\n"
      "      - region: {shape: box, centre: [0.5, 0, 0], size: [0, 1, 1], rpy: [0, 0, 0.1]}\n        "
      "components: xz\n"
      "      - region: {shape: sphere, radius: 2, centre: [1, 2, 3]}\n"
      "      - region: {shape: half_space, normal: [1, 0, 0], centre: [0.1, 0, 0]}\n"
      "        motion:\n          - {time: 0, offset: [0, 0, 0]}\n          - {time: 1, offset: [0, 0, "
      "0.5]}\n"
      "      - region: {indices: [0, 3, 5]}\n"
      "      - region: {shape: all}\n");
  if (!spec) return;
  CHECK_INT(spec->nfix, 5);
  const plFixDef* f = spec->fix;
  CHECK_INT(f[0].components, PL_FIX_X | PL_FIX_Z);
  // the box lies where it is said to lie, whichever of pose and centre carries it
  plVec3 c = v3_add(f[0].region.centre, pose_apply_inverse(f[0].region.pose, v3(0, 0, 0)));
  CHECK_NEAR(v3_norm(c), 0.5, 1e-15);
  CHECK(f[0].region.kind == PL_REGION_BOX && f[0].region.size.x == 0 && f[0].region.size.y == 1);
  CHECK(f[1].region.kind == PL_REGION_SPHERE && f[1].region.radius == 2 && f[1].region.centre.z == 3 &&
        f[1].components == PL_FIX_ALL);
  CHECK(f[2].region.kind == PL_REGION_HALF_SPACE && f[2].region.normal.x == 1 && f[2].region.centre.x == 0.1);
  CHECK(f[2].ntime == 2 && f[2].time[1] == 1 && f[2].offset[1].z == 0.5);
  CHECK(f[3].region.kind == PL_REGION_INDICES && f[3].region.nindex == 3 && f[3].region.index[2] == 5);
  CHECK(f[4].region.kind == PL_REGION_ALL);
  pl_spec_destroy(spec);
}

static void rigid_shapes_arrive(void) {
  plSpec* spec = parse(
      "pliant: 1\nshapes:\n  - {name: a, shape: half_space}\n  - {name: b, shape: sphere, radius: 0.1, "
      "collide: false}\n"
      "  - {name: c, shape: box, size: [1, 2, 3], colour: [1, 0.5, 0]}\n  - {name: d, shape: capsule, "
      "radius: 0.1, length: 1}\n"
      "  - {name: e, shape: cylinder, radius: 0.2, length: 2, pose: {quaternion: [0, 1, 0, 0]}}\n"
      "  - {name: f, shape: ellipsoid, semi_axes: [1, 2, 3], surface: {contact_stiffness: infinite}}\n");
  if (!spec) return;
  CHECK_INT(spec->nshape, 6);
  const plShapeDef* g = spec->shape;
  CHECK(g[0].kind == PL_SHAPE_HALF_SPACE && g[0].collide && g[0].body == -1);
  CHECK(g[1].kind == PL_SHAPE_SPHERE && g[1].radius == 0.1 && !g[1].collide);
  CHECK(g[2].kind == PL_SHAPE_BOX && g[2].size.z == 3 && g[2].colour.y == 0.5);
  CHECK(g[3].kind == PL_SHAPE_CAPSULE && g[3].radius == 0.1 && g[3].length == 1);
  CHECK(g[4].kind == PL_SHAPE_CYLINDER && g[4].length == 2 && g[4].pose.q.x == 1 && g[4].pose.q.w == 0);
  CHECK(g[5].kind == PL_SHAPE_ELLIPSOID && g[5].size.y == 4 && isinf(g[5].surface.contact_stiffness));
  pl_spec_destroy(spec);
}

static void recordings_arrive(void) {
  plSpec* spec = parse(
      "pliant: 1\nrecording: {file: a.plrec, rate: 60, csv: a.csv, signals: [time, 'contact(a,b).force']}\n");
  if (!spec) return;
  const plRecordingDef* r = pl_spec_recording(spec);
  CHECK_STR(r->file, "a.plrec");
  CHECK_STR(r->csv, "a.csv");
  CHECK_STR(r->signals, "time, contact(a,b).force");
  CHECK(r->rate == 60);
  pl_spec_destroy(spec);
}

// ---- overrides

static void overrides_change_any_scalar(void) {
  plSpec* spec = parse_override(block, "options.dt", "0.001");
  if (spec) CHECK(spec->options.dt == 0.001 && spec->options.gravity.z == -1);
  pl_spec_destroy(spec);
  spec = parse_override(block, "deformables.block.material.young", "3e5");
  if (spec) CHECK(spec->deform[0].material.young == 3e5);
  pl_spec_destroy(spec);
  spec = parse_override(block, "deformables.0.material.poisson", "0.3");
  if (spec) CHECK(spec->deform[0].material.poisson == 0.3 && spec->deform[0].material.young == 2e5);
  pl_spec_destroy(spec);
  spec = parse_override(block, "shapes.ground.surface.friction", "0.2");
  if (spec) CHECK(spec->shape[0].surface.friction == 0.2);
  pl_spec_destroy(spec);
}

static void overrides_reach_lists_and_missing_maps(void) {
  plSpec* spec = parse_override(block, "options.gravity.2", "-9");
  if (spec) CHECK(spec->options.gravity.z == -9);
  pl_spec_destroy(spec);
  spec = parse_override(block, "options.gravity", "[0, 1, 2]");
  if (spec) CHECK(spec->options.gravity.y == 1);
  pl_spec_destroy(spec);
  spec = parse_override(block, "deformables.block.material.damping.stiffness", "0.5");
  if (spec) CHECK(spec->deform[0].material.damping_stiffness == 0.5);
  pl_spec_destroy(spec);
  spec = parse_override(block, "deformables.block.pose.position", "[0, 0, 2]");
  if (spec) CHECK(spec->deform[0].pose.p.z == 2);
  pl_spec_destroy(spec);
  spec = parse_override("pliant: 1\n", "recording.file", "x.plrec");
  if (spec) CHECK_STR(spec->recording.file, "x.plrec");
  pl_spec_destroy(spec);
}

static void an_alias_is_overridden_alone(void) {
  const char* text =
      "pliant: 1\ndeformables:\n  - {name: a, shape: box, size: [1, 1, 1], edge: 1, material: &m {young: "
      "1e4}}\n"
      "  - {name: b, shape: box, size: [1, 1, 1], edge: 1, material: *m}\n";
  plSpec* spec = parse_override(text, "deformables.b.material.young", "5e4");
  if (spec) CHECK(spec->deform[0].material.young == 1e4 && spec->deform[1].material.young == 5e4);
  pl_spec_destroy(spec);
}

// ---- files

static void included_scenes_come_first_and_lose(void) {
  mkdir("scene_inc", 0777);
  mkdir("scene_inc/sub", 0777);
  write_file("scene_inc/main.yaml",
             "pliant: 1\ninclude: [sub/a.yaml, b.yaml]\noptions: {dt: 0.001}\nshapes: [{name: own, shape: "
             "half_space}]\n");
  write_file("scene_inc/sub/a.yaml",
             "pliant: 1\ninclude: ../c.yaml\noptions: {dt: 0.2, threads: 2, near_rigid: 0.3}\nshapes: "
             "[{name: a, shape: half_space}]\n");
  write_file("scene_inc/b.yaml",
             "pliant: 1\noptions: {threads: 4}\nshapes: [{name: b, shape: half_space}]\n");
  write_file("scene_inc/c.yaml",
             "pliant: 1\noptions: {duration: 7, near_rigid: 0.1}\nrecording: {file: c.plrec}\n");
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_load("scene_inc/main.yaml", NULL, &spec, &error), PL_OK);
  if (!spec) return;
  CHECK(spec->options.dt == 0.001 && spec->options.threads == 4 && spec->options.near_rigid == 0.3 &&
        spec->options.duration == 7);
  CHECK_STR(spec->recording.file, "c.plrec");
  CHECK_INT(spec->nshape, 3);
  CHECK_STR(spec->shape[0].name, "a");
  CHECK_STR(spec->shape[1].name, "b");
  CHECK_STR(spec->shape[2].name, "own");
  pl_spec_destroy(spec);
}

static void search_folders_are_looked_into(void) {
  mkdir("scene_search", 0777);
  write_file("scene_search/found.yaml", "pliant: 1\noptions: {dt: 0.125}\n");
  const char* folders[] = {"nowhere", "scene_search"};
  plLoadOptions options = {.search = folders, .nsearch = 2};
  plSpec* spec = parse_with("pliant: 1\ninclude: found.yaml\n", &options);
  if (spec) CHECK(spec->options.dt == 0.125);
  pl_spec_destroy(spec);
}

static void memory_faults_leave_nothing(void) {
  int failed = 0;
  for (long n = 0; n < 400; n++) {
    plSpec* spec = NULL;
    pl_alloc_fail_after(n);
    plStatus status = pl_spec_parse("s", "", block, strlen(block), NULL, &spec, &error);
    pl_alloc_fail_after(-1);
    CHECK(!status == (spec != NULL));
    pl_spec_destroy(spec);
    if (!status) break;
    CHECK_INT(status, PL_ERROR_MEMORY);
    failed++;
  }
  CHECK(failed > 5 && failed < 400);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  CHECK(chdir(PLIANT_BINARYDIR) == 0);  // where its files go
  RUN(the_smallest_scene_has_the_defaults);
  RUN(every_option_arrives);
  RUN(schemes_set_both_thetas);
  RUN(a_deformable_arrives_whole);
  RUN(every_shape_is_meshed);
  RUN(mooney_rivlin_takes_its_own_constants);
  RUN(fixed_regions_arrive);
  RUN(rigid_shapes_arrive);
  RUN(recordings_arrive);
  RUN(overrides_change_any_scalar);
  RUN(overrides_reach_lists_and_missing_maps);
  RUN(an_alias_is_overridden_alone);
  RUN(included_scenes_come_first_and_lose);
  RUN(search_folders_are_looked_into);
  RUN(memory_faults_leave_nothing);
  return CHECK_END;
}

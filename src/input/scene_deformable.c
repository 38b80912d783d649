// scene_deformable.c: one entry of `deformables` -> a mesh and a plDeformableDef. The mesh is a file
// (tetrahedra, or a closed surface that is filled) or a generated shape; it is scaled, repaired where that is
// safe, and checked.
#include <stdio.h>
#include <string.h>

#include "input/scene.h"
#include "math/pose.h"

typedef struct Deformable {
  const char *name, *mesh;
  plSceneSolid solid;
  plVec3 scale;
  plScenePose pose;
  plMaterial material;
  plSurface surface;
  plVec3 velocity, angular_velocity;
  bool plane_strain, self_contact;
  const plYaml *fixed, *loads;
} Deformable;

#define AT(field) offsetof(Deformable, field)
// clang-format off
static const plKey keys[] = {
    {.name = "name", .type = PL_KEY_TEXT, .offset = AT(name), .required = true, .meaning = "unique; letters, digits and _ - . /"},
    {.name = "mesh", .type = PL_KEY_TEXT, .offset = AT(mesh), .fallback = "none",
     .meaning = "file of tetrahedra, or a closed surface that is filled with tetrahedra of about `edge`"},
    {.name = "shape", .type = PL_KEY_WORD, .offset = AT(solid.shape), .words = pl_solid_words, .fallback = "none",
     .meaning = "generated instead of `mesh`, centred; cylinder, capsule and torus have the axis z; half_ellipsoid: z <= 0, base at z = 0; union: of `parts`"},
    PL_SOLID_SIZES,
    {.name = "edge", .type = PL_KEY_NUMBER, .offset = AT(solid.edge), .unit = "m", .range = PL_RANGE_POSITIVE, .fallback = "none",
     .meaning = "about how long the edges of generated tetrahedra are"},
    {.name = "cells", .type = PL_KEY_INT3, .offset = AT(solid.cells), .range = {1, 1e6, false, false}, .fallback = "none",
     .meaning = "of a box instead of `edge`: bricks along x, y, z, each cut into tetrahedra"},
    {.name = "parts", .type = PL_KEY_LIST, .offset = AT(solid.parts), .section = &pl_section_part, .fallback = "none",
     .meaning = "of a union: solids that overlap, joined into one body"},
    {.name = "scale", .type = PL_KEY_SCALE, .offset = AT(scale), .range = PL_RANGE_POSITIVE,
     .meaning = "multiplies the mesh's coordinates before anything else"},
    {.name = "pose", .type = PL_KEY_MAP, .offset = AT(pose), .section = &pl_section_pose, .fallback = "see pose",
     .meaning = "of the mesh's frame in the world at the start"},
    {.name = "material", .type = PL_KEY_MAP, .offset = AT(material), .section = &pl_section_material, .fallback = "see material",
     .meaning = "what it is made of"},
    {.name = "surface", .type = PL_KEY_MAP, .offset = AT(surface), .section = &pl_section_surface, .fallback = "see surface",
     .meaning = "contact properties"},
    {.name = "velocity", .type = PL_KEY_VEC3, .offset = AT(velocity), .unit = "m/s",
     .meaning = "at the start, in the world"},
    {.name = "angular_velocity", .type = PL_KEY_VEC3, .offset = AT(angular_velocity), .unit = "rad/s",
     .meaning = "at the start about the centre of mass, in the world"},
    {.name = "fixed", .type = PL_KEY_LIST, .offset = AT(fixed), .section = &pl_section_fixed, .fallback = "none",
     .meaning = "vertices that are held or moved"},
    {.name = "loads", .type = PL_KEY_LIST, .offset = AT(loads), .section = &pl_section_load, .fallback = "none",
     .meaning = "forces on vertices, tetrahedra or the surface"},
    {.name = "plane_strain", .type = PL_KEY_BOOL, .offset = AT(plane_strain),
     .meaning = "d/dz = 0 and no motion along z: a slice of an infinitely long body"},
    {.name = "self_contact", .type = PL_KEY_BOOL, .offset = AT(self_contact),
     .meaning = "folds of the body touch each other, with its own friction"},
};
// clang-format on
#undef AT

static void defaults(void* target) {
  plDeformableDef def = pl_default_deformable_def();
  Deformable* d = target;
  *d = (Deformable){.scale = {1, 1, 1},
                    .material = def.material,
                    .surface = def.surface,
                    .velocity = def.velocity,
                    .angular_velocity = def.angular_velocity,
                    .self_contact = def.self_contact};
  pl_section_pose.defaults(&d->pose);
}

static plStatus finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  Deformable* d = target;
  if (d->mesh && d->solid.shape)
    return pl_scene_fail_key(scene, map, "shape",
                             "give the deformable '%s' either a 'mesh' or a 'shape', not both", d->name);
  if (!d->mesh && !d->solid.shape)
    return pl_scene_fail(
        scene, map, "the deformable '%s' needs a 'mesh' (file) or a 'shape' (box, sphere, ...)", d->name);
  return pl_scene_check_solid(scene, map, &d->solid, d->name);
}

const plSection pl_section_deformable = {"deformable",       keys,     sizeof keys / sizeof *keys,
                                         sizeof(Deformable), defaults, finish};

// ---- the mesh

// A warning for each line of text.
static void warn_lines(plScene* scene, const plYaml* node, const char* path, char* text) {
  for (char *line = text, *end; line && *line; line = end) {
    end = strchr(line, '\n');
    if (end) *end++ = 0;
    pl_scene_warn(scene, node, "%s: %s", path, line);
  }
}

// The surface in *mesh becomes the tetrahedra inside it.
static plStatus fill_surface(plScene* scene, const plYaml* map, const Deformable* d, const char* path,
                             plMesh** mesh) {
  if (!pl_yaml_get(map, "edge"))
    return pl_scene_fail_key(scene, map, "mesh",
                             "%s is a surface without tetrahedra; give 'edge' (m) to fill it with tetrahedra",
                             path);
  plMesh* filled = NULL;
  plStatus status =
      pl_mesh_tetrahedralize(*mesh, d->solid.edge, scene->max_tets - scene->ntet, &filled, scene->error);
  if (status) return pl_scene_locate(scene, pl_yaml_get(map, "mesh"), status);
  pl_mesh_destroy(*mesh);
  *mesh = filled;
  if (filled->kept < 0.95)
    pl_scene_warn(
        scene, pl_yaml_get(map, "mesh"),
        "%s: tetrahedra of edge %g m fill only %.0f %% of the enclosed volume; choose a shorter edge", path,
        d->solid.edge, 100 * filled->kept);
  return PL_OK;
}

// Reports faults that repair leaves because they may be intended: boundaries that touch themselves,
// millimetres.
static plStatus warn_findings(plScene* scene, const plYaml* node, const char* path, const plMesh* mesh) {
  plMeshReport report;
  char text[2048] = "";
  plStatus status = pl_mesh_check(mesh, &report, scene->error);
  if (status) return pl_scene_locate(scene, node, status);
  pl_mesh_report_text(&report, text, sizeof text);
  warn_lines(scene, node, path, text);
  return PL_OK;
}

// Reads, scales and repairs the mesh file; what was repaired is a warning.
static plStatus load(plScene* scene, const plYaml* map, const Deformable* d, plMesh** mesh) {
  const plYaml* node = pl_yaml_get(map, "mesh");
  const char* path;
  char log[2048] = "";
  plStatus status = pl_scene_find_file(scene, node, "mesh", &path);
  if (!status)
    status = pl_scene_locate(
        scene, node,
        pl_mesh_load_within(path, scene->load ? scene->load->max_mesh_bytes : 0, mesh, scene->error));
  if (status) return status;
  if ((*mesh)->by_corners)
    pl_scene_warn(
        scene, node,
        "%s: %d elements of second or higher order were read by their corners; give the body `element: "
        "tet10` for curved motion",
        path, (*mesh)->by_corners);
  pl_mesh_transform(*mesh, d->scale, pose_identity());
  status = pl_scene_locate(scene, node, pl_mesh_repair(*mesh, log, sizeof log, scene->error));
  if (status) return status;
  warn_lines(scene, node, path, log);
  status = warn_findings(scene, node, path, *mesh);
  if (status) return status;
  if (!(*mesh)->ntet) return fill_surface(scene, map, d, path, mesh);
  if (pl_yaml_get(map, "edge"))
    return pl_scene_fail_key(scene, map, "edge",
                             "%s has its own tetrahedra; 'edge' is for surfaces, remove it", path);
  return PL_OK;
}

// ---- the body

static plStatus add_body(plScene* scene, const plYaml* map, const Deformable* d, const plMesh* mesh) {
  plDeformableDef def = pl_default_deformable_def();
  def.name = d->name;
  def.mesh = mesh;
  def.pose = d->pose.pose;
  def.material = d->material;
  def.surface = d->surface;
  def.velocity = d->velocity;
  def.angular_velocity = d->angular_velocity;
  def.plane_strain = d->plane_strain;
  def.self_contact = d->self_contact;
  int id;
  plStatus status = pl_scene_locate(scene, map, pl_spec_add_deformable(scene->spec, &def, &id, scene->error));
  if (!status && d->fixed) status = pl_scene_add_fixed(scene, id, d->fixed);
  if (!status && d->loads) status = pl_scene_add_loads(scene, id, d->loads);
  return status;
}

plStatus pl_scene_add_deformable(plScene* scene, const plYaml* map) {
  Deformable d;
  plMesh* mesh = NULL;
  plStatus status = pl_section_read(scene, &pl_section_deformable, map, &d);
  if (status) return status;
  if (d.mesh) {
    status = load(scene, map, &d, &mesh);
  } else {
    status = pl_scene_make_solid(scene, map, &d.solid, d.name, &mesh);
    if (!status) pl_mesh_transform(mesh, d.scale, pose_identity());
  }
  if (!status) scene->ntet += mesh->ntet;
  if (!status && scene->ntet > scene->max_tets)
    status = pl_scene_fail_too_large(scene, map, d.name, mesh->ntet);
  if (!status) status = add_body(scene, map, &d, mesh);
  pl_mesh_destroy(mesh);
  return status;
}

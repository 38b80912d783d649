// scene_solid.c: the generated shapes of a deformable and the section `part` -> tetrahedra. A union joins the
// surfaces of its parts, which may overlap, and fills the space that they enclose.
#include <string.h>

#include "input/scene.h"
#include "math/pose.h"

typedef enum Solid {
  NO_SOLID,
  BOX,
  SPHERE,
  ELLIPSOID,
  HALF_ELLIPSOID,
  CYLINDER,
  CAPSULE,
  TORUS,
  UNION
} Solid;

typedef struct Part {
  plSceneSolid solid;
  plScenePose pose;
} Part;

// The first word is `union`; its parts have the words after it.
const plWord pl_solid_words[] = {{"union", UNION},
                                 {"box", BOX},
                                 {"sphere", SPHERE},
                                 {"ellipsoid", ELLIPSOID},
                                 {"half_ellipsoid", HALF_ELLIPSOID},
                                 {"cylinder", CYLINDER},
                                 {"capsule", CAPSULE},
                                 {"torus", TORUS},
                                 {NULL, 0}};

static const plShapeRule rules[] = {{NULL, {"edge?"}},
                                    {"box", {"size", "edge?", "cells?"}},
                                    {"sphere", {"radius", "edge"}},
                                    {"ellipsoid", {"semi_axes", "edge"}},
                                    {"half_ellipsoid", {"semi_axes", "edge"}},
                                    {"cylinder", {"radius", "length", "edge"}},
                                    {"capsule", {"radius", "length", "edge"}},
                                    {"torus", {"major_radius", "minor_radius", "edge"}},
                                    {"union", {"parts", "edge"}}};
static const char* const size_keys[] = {"size",         "semi_axes", "radius", "length", "major_radius",
                                        "minor_radius", "edge",      "cells",  "parts",  NULL};

static const plShapeRule part_rules[] = {{NULL, {NULL}},
                                         {"box", {"size"}},
                                         {"sphere", {"radius"}},
                                         {"ellipsoid", {"semi_axes"}},
                                         {"half_ellipsoid", {"semi_axes"}},
                                         {"cylinder", {"radius", "length"}},
                                         {"capsule", {"radius", "length"}},
                                         {"torus", {"major_radius", "minor_radius"}}};

// ---- parts

#define AT(field) offsetof(Part, field)
// clang-format off
static const plKey part_keys[] = {
    {.name = "shape", .type = PL_KEY_WORD, .offset = AT(solid.shape), .words = pl_solid_words + 1, .required = true,
     .meaning = "as for a deformable"},
    PL_SOLID_SIZES,
    {.name = "pose", .type = PL_KEY_MAP, .offset = AT(pose), .section = &pl_section_pose, .fallback = "see pose",
     .meaning = "in the frame of the union"},
};
// clang-format on
#undef AT

static void part_defaults(void* target) {
  Part* part = target;
  *part = (Part){0};
  pl_section_pose.defaults(&part->pose);
}

static plStatus part_finish(plScene* scene, const plYaml* map, void* target, uint64_t seen) {
  (void)seen;
  return pl_scene_check_shape(scene, map, &part_rules[((Part*)target)->solid.shape], size_keys);
}

const plSection pl_section_part = {"part",       part_keys,     sizeof part_keys / sizeof *part_keys,
                                   sizeof(Part), part_defaults, part_finish};

plStatus pl_scene_check_solid(plScene* scene, const plYaml* map, const plSceneSolid* solid,
                              const char* name) {
  plStatus status = pl_scene_check_shape(scene, map, &rules[solid->shape], size_keys);
  if (!status && solid->shape == BOX && !!pl_yaml_get(map, "edge") == !!pl_yaml_get(map, "cells"))
    return pl_scene_fail(scene, map, "the box '%s' needs either 'edge' (m) or 'cells' (three whole numbers)",
                         name);
  return status;
}

// ---- tetrahedra

// Estimated number of tetrahedra of a shape: six for each cube of the edge's size in its extents.
static double estimate_tets(const plSceneSolid* s) {
  plVec3 e = v3(2 * s->radius, 2 * s->radius, 2 * s->radius);
  if (s->shape == BOX) e = s->size;
  if (s->shape == BOX && s->cells[0]) return 6.0 * s->cells[0] * s->cells[1] * s->cells[2];
  if (s->shape == ELLIPSOID || s->shape == HALF_ELLIPSOID) e = v3_scale(2, s->semi_axes);
  if (s->shape == CYLINDER) e.z = s->length;
  if (s->shape == CAPSULE) e.z = s->length + 2 * s->radius;
  if (s->shape == TORUS) e = v3(2 * M_PI * s->major_radius, 2 * s->minor_radius, 2 * s->minor_radius);
  return 6 * fmax(1, e.x / s->edge) * fmax(1, e.y / s->edge) * fmax(1, e.z / s->edge);
}

plStatus pl_scene_fail_too_large(plScene* scene, const plYaml* map, const char* name, double ntet) {
  const char* key = pl_yaml_get(map, "cells") ? "cells" : "edge";
  pl_scene_fail_key(
      scene, map, key,
      "'%s' would have about %.3g tetrahedra; with it the scene exceeds %ld; choose a larger 'edge'", name,
      ntet, scene->max_tets);
  if (scene->error) scene->error->status = PL_ERROR_TOO_LARGE;
  return PL_ERROR_TOO_LARGE;
}

static plStatus make_simple(const plSceneSolid* s, plMesh** mesh, plError* error) {
  switch ((Solid)s->shape) {
    case BOX:
      return s->cells[0] ? pl_mesh_box_cells(s->size, s->cells[0], s->cells[1], s->cells[2], mesh, error)
                         : pl_mesh_box(s->size, s->edge, mesh, error);
    case SPHERE:
      return pl_mesh_sphere(s->radius, s->edge, mesh, error);
    case ELLIPSOID:
      return pl_mesh_ellipsoid(s->semi_axes, s->edge, mesh, error);
    case HALF_ELLIPSOID:
      return pl_mesh_half_ellipsoid(s->semi_axes, s->edge, mesh, error);
    case CYLINDER:
      return pl_mesh_cylinder(s->radius, s->length, s->edge, mesh, error);
    case CAPSULE:
      return pl_mesh_capsule(s->radius, s->length, s->edge, mesh, error);
    case TORUS:
      return pl_mesh_torus(s->major_radius, s->minor_radius, s->edge, mesh, error);
    case NO_SOLID:
    case UNION:
      break;
  }
  return PL_OK;
}

// surface += the boundary of part.
static plStatus join(plMesh** surface, plMesh* part, plError* error) {
  plStatus status = part->ntri ? PL_OK : pl_mesh_boundary(part, error);
  if (status) return status;
  plMesh* old = *surface;
  int nvert = old ? old->nvert : 0, ntri = old ? old->ntri : 0;
  plMesh* both = pl_mesh_create(nvert + part->nvert, 0, ntri + part->ntri, error);
  if (!both) return PL_ERROR_MEMORY;
  if (old) {
    memcpy(both->vert, old->vert, 3 * (size_t)nvert * sizeof(double));
    memcpy(both->tri, old->tri, 3 * (size_t)ntri * sizeof(int));
  }
  memcpy(both->vert + 3 * nvert, part->vert, 3 * (size_t)part->nvert * sizeof(double));
  for (int i = 0; i < 3 * part->ntri; i++) both->tri[3 * ntri + i] = nvert + part->tri[i];
  pl_mesh_destroy(old);
  *surface = both;
  return PL_OK;
}

// Every part as a surface with half the edge length, so that round shapes stay round; then fills the space
// that they enclose.
static plStatus make_union(plScene* scene, const plYaml* map, const plSceneSolid* s, const char* name,
                           plMesh** mesh) {
  plMesh* surface = NULL;
  plStatus status = PL_OK;
  double ntet = 0;
  for (const plYaml* child = s->parts->first; child && !status; child = child->next) {
    Part part;
    plMesh* solid = NULL;
    status = pl_section_read(scene, &pl_section_part, child, &part);
    if (status) break;
    part.solid.edge = s->edge / 2;
    ntet += estimate_tets(&part.solid);
    if ((double)scene->ntet + ntet > (double)scene->max_tets) {
      status = pl_scene_fail_too_large(scene, map, name, ntet);
      break;
    }
    status = pl_scene_locate(scene, child, make_simple(&part.solid, &solid, scene->error));
    if (!status) pl_mesh_transform(solid, v3(1, 1, 1), part.pose.pose);
    if (!status) status = join(&surface, solid, scene->error);
    pl_mesh_destroy(solid);
  }
  if (!status && !surface)
    status = pl_scene_fail_key(scene, map, "parts", "the union '%s' needs at least one part", name);
  if (!status) {
    // Vertices inside the parts do not belong to the surface.
    status = pl_mesh_repair(surface, NULL, 0, scene->error);
    if (!status)
      status = pl_mesh_tetrahedralize(surface, s->edge, scene->max_tets - scene->ntet, mesh, scene->error);
    status = pl_scene_locate(scene, map, status);
  }
  pl_mesh_destroy(surface);
  return status;
}

plStatus pl_scene_make_solid(plScene* scene, const plYaml* map, const plSceneSolid* solid, const char* name,
                             plMesh** mesh) {
  if (solid->shape == UNION) return make_union(scene, map, solid, name, mesh);
  double ntet = estimate_tets(solid);
  if ((double)scene->ntet + ntet > (double)scene->max_tets)
    return pl_scene_fail_too_large(scene, map, name, ntet);
  return pl_scene_locate(scene, map, make_simple(solid, mesh, scene->error));
}

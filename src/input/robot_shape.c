// robot_shape.c: adds shapes of robot files to the spec, and computes the inertia of a shape of uniform
// density.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/hull.h"
#include "geom/shape.h"
#include "input/mesh_formats.h"
#include "input/robot.h"
#include "model/spec.h"

plRobotShape pl_default_robot_shape(const plXml* at) {
  return (plRobotShape){.at = at,
                        .body = -1,
                        .collide = true,
                        .pose = pose_identity(),
                        .kind = PL_SHAPE_BOX,
                        .scale = {1, 1, 1},
                        .surface = pl_default_surface(),
                        .colour = {0.6, 0.6, 0.6}};
}

// A collision mesh that cannot be read is an error unless the user allows such shapes to be left out, because
// the robot would not collide there. Running out of memory is always an error.
static const char not_found[] = "is not found";
static bool is_refused(plRobot* robot, const plRobotShape* shape, plStatus status, const char* why) {
  bool ignore = robot->options && robot->options->ignore_missing_meshes, found = why != not_found;
  robot->mesh_status = PL_OK;
  if (status == PL_ERROR_MEMORY)
    robot->mesh_status = pl_fail_out_of_memory(robot->error, 0);
  else if (shape->collide && !ignore)
    robot->mesh_status = pl_xml_fail(
        shape->at, robot->error,
        "the collision mesh '%.200s'%s %.200s; %ssay `missing_meshes: ignore` in the scene (--set "
        "missing_meshes=ignore) to leave such shapes out",
        shape->mesh, found ? ":" : "", why, found ? "" : "give its folder (--search), or ");
  return robot->mesh_status != PL_OK;
}

static const char* find_mesh(plRobot* robot, const plRobotShape* shape) {
  const char *path = pl_robot_find_file(robot, shape->mesh), *folder = robot->folder;
  if (path || !shape->elsewhere) return path;
  robot->folder = "";
  path = pl_robot_find_file(robot, shape->elsewhere);
  robot->folder = folder;
  return path;
}

static void remark_on_order(plRobot* robot, const plXml* at, const char* name, const plMesh* mesh) {
  if (mesh->by_corners)
    pl_robot_warn(robot, at, "'%.200s': %d elements of second or higher order are read by their corners",
                  name, mesh->by_corners);
}

plStatus pl_robot_load_solid(plRobot* robot, const plXml* at, const char* name, plVec3 scale, plMesh** mesh) {
  const char* path = pl_robot_find_file(robot, name);
  bool ignore = robot->options && robot->options->ignore_missing_meshes;
  if (!path && !ignore)
    return pl_xml_fail(at, robot->error,
                       "the mesh '%.300s' of a deformable is not found; give its folder (--search), or say "
                       "`missing_meshes: ignore` in the scene to leave the body out",
                       name);
  if (!path) {
    pl_robot_warn(robot, at, "the mesh '%.300s' of a deformable is not found; the body is left out", name);
    return PL_OK;
  }
  plStatus status =
      pl_mesh_load_within(path, robot->options ? robot->options->max_mesh_bytes : 0, mesh, robot->error);
  if (!status && !(*mesh)->ntet)
    status = pl_xml_fail(at, robot->error, "the mesh '%.200s' has no tetrahedra", name);
  if (status) return status;
  remark_on_order(robot, at, name, *mesh);
  pl_mesh_transform(*mesh, scale, pose_identity());
  return PL_OK;
}

plStatus pl_robot_check_tets(plRobot* robot, const plXml* at, double ntet) {
  long most = robot->options && robot->options->max_tets > 0 ? robot->options->max_tets : PL_SPEC_MAX_TETS;
  if ((double)pl_spec_count_tets(robot->spec) + ntet <= (double)most) return PL_OK;
  pl_xml_fail(at, robot->error,
              "the deformable has about %.3g tetrahedra; with it there are more than %ld "
              "(plLoadOptions.max_tets): use a coarser mesh",
              ntet, most);
  if (robot->error) robot->error->status = PL_ERROR_TOO_LARGE;
  return PL_ERROR_TOO_LARGE;
}

plStatus pl_robot_repair(plRobot* robot, const plXml* at, const char* name, plMesh* mesh) {
  char log[1024] = "";
  plStatus status = pl_robot_check_tets(robot, at, mesh->ntet);
  if (!status) status = pl_mesh_repair(mesh, log, sizeof log, robot->error);
  for (char *line = log, *end; line && *line && !status; line = end) {
    end = strchr(line, '\n');
    if (end) *end++ = 0;
    if (!strncmp(line, "Dropped", 7)) pl_robot_warn(robot, at, "the mesh of '%.200s': %s", name, line);
  }
  return status;
}

static plMesh* load_parts(plRobot* robot, const plRobotShape* shape, plMeshPart** part, int* npart) {
  const char* what = shape->collide ? "collision" : "visual";
  const char* path = find_mesh(robot, shape);
  *part = NULL, *npart = 0;
  robot->mesh_status = PL_OK;
  if (!path && is_refused(robot, shape, PL_ERROR_IO, not_found)) return NULL;
  if (!path) {
    if (shape->collide)
      pl_robot_warn(robot, shape->at, "the %s mesh '%.300s' is not found; the shape is left out", what,
                    shape->mesh);
    else
      pl_robot_note(robot, shape->at, "the %s mesh '%.300s' is not found; the shape is left out", what,
                    shape->mesh);
    return NULL;
  }
  plMesh* mesh = NULL;
  plError error;
  plStatus status = pl_mesh_load_parts(path, robot->options ? robot->options->max_mesh_bytes : 0, &mesh, part,
                                       npart, &error);
  // the surface of tetrahedra is their boundary, whatever triangles the file holds beside them
  if (!status && mesh->ntet > 0) status = pl_mesh_boundary(mesh, &error);
  if (!status && mesh->ntri == 0) status = pl_fail(&error, PL_ERROR_INPUT, "it has no triangles");
  if (status && is_refused(robot, shape, status, error.message)) {
    pl_mesh_destroy(mesh);
    pl_free(*part);
    return NULL;
  }
  if (status) {
    if (shape->collide)
      pl_robot_warn(robot, shape->at, "the %s mesh '%.200s' cannot be read (%.200s); the shape is left out",
                    what, shape->mesh, error.message);
    else
      pl_robot_note(robot, shape->at, "the %s mesh '%.200s' cannot be read (%.200s); the shape is left out",
                    what, shape->mesh, error.message);
    pl_mesh_destroy(mesh);
    pl_free(*part);
    return NULL;
  }
  remark_on_order(robot, shape->at, shape->mesh, mesh);
  pl_mesh_transform(mesh, shape->scale, pose_identity());
  return mesh;
}

plMesh* pl_robot_load_mesh(plRobot* robot, const plRobotShape* shape) {
  plMeshPart* part;
  int npart;
  plMesh* mesh = load_parts(robot, shape, &part, &npart);
  if (mesh) pl_free(part);
  return mesh;
}

// The smallest half-size of a shape, over which a modulus becomes a pressure per depth.
static double half_size(const plShapeDef* def) {
  const plShapeTraits* traits = pl_shape_traits[def->kind];
  plShape shape = {def->kind, def->size, def->radius, def->length, NULL};
  if (traits->half_size) return traits->half_size(&shape);
  if (def->kind != PL_SHAPE_MESH) return 1;
  plVec3 low = v3_load(def->mesh->vert), high = low;
  for (int i = 1; i < def->mesh->nvert; i++)
    low = v3_min(low, v3_load(def->mesh->vert + 3 * i)),
    high = v3_max(high, v3_load(def->mesh->vert + 3 * i));
  plVec3 s = v3_scale(0.5, v3_sub(high, low));
  return fmin(s.x, fmin(s.y, s.z));
}

// The surface of a convex hull as a mesh; NULL if memory runs out.
static plMesh* hull_mesh(const plHull* hull, plError* error) {
  plMesh* mesh = pl_mesh_create(hull->nvert, 0, hull->ntri, error);
  if (!mesh) return NULL;
  memcpy(mesh->vert, hull->vert, 3 * sizeof(double) * (size_t)hull->nvert);
  memcpy(mesh->tri, hull->tri, 3 * sizeof(int) * (size_t)hull->ntri);
  return mesh;
}

// A collision mesh is stored as its hull only; a mesh without volume has no hull and is used as it is (*mesh
// NULL).
static plStatus hull_of(plRobot* robot, const plRobotShape* shape, plMesh** mesh) {
  plHull* hull;
  plError why;
  *mesh = NULL;
  plStatus status = pl_hull_create(shape->loaded->vert, shape->loaded->nvert, &hull, &why);
  if (status == PL_ERROR_MEMORY)
    return pl_fail_out_of_memory(robot->error, 24 * (size_t)shape->loaded->nvert);
  if (status) {
    pl_robot_warn(robot, shape->at,
                  "the collision mesh '%.200s' is used as it is, not as its convex hull: %.200s", shape->mesh,
                  why.message);
    return PL_OK;
  }
  *mesh = hull_mesh(hull, robot->error);
  pl_hull_destroy(hull);
  return *mesh ? PL_OK : PL_ERROR_MEMORY;
}

// A shape without size, which exporters write for links without shapes.
static bool is_empty(const plRobotShape* s) {
  switch (s->kind) {
    case PL_SHAPE_BOX:
    case PL_SHAPE_ELLIPSOID:
      return s->size.x == 0 || s->size.y == 0 || s->size.z == 0;
    case PL_SHAPE_SPHERE:
      return s->radius == 0;
    case PL_SHAPE_CYLINDER:
      return s->radius == 0 || s->length == 0;
    case PL_SHAPE_CAPSULE:
      return s->radius == 0;
    default:
      return false;
  }
}

static plStatus add_mesh_file(plRobot* robot, const plRobotShape* shape) {
  plMeshPart* part;
  int npart;
  plMesh* mesh = load_parts(robot, shape, &part, &npart);
  if (!mesh) return robot->mesh_status;
  plRobotShape loaded = *shape;
  loaded.loaded = mesh;
  plStatus status = shape->collide || !npart ? pl_robot_add_shape(robot, &loaded)
                                             : pl_robot_add_parts(robot, shape, mesh, part, npart);
  pl_mesh_destroy(mesh);
  pl_free(part);
  return status;
}

// Files use very large friction for "never slips"; it is reduced to the largest admissible value.
static void bound_friction(plRobot* robot, const plXml* at, plSurface* surface) {
  double bounded = fmin(fmax(surface->friction, 0), PL_MOST_FRICTION);
  if (!isfinite(surface->friction) || bounded == surface->friction) return;
  pl_robot_warn(robot, at, "the friction coefficient %g of a shape is out of range; %g is used",
                surface->friction, bounded);
  surface->friction = bounded;
}

plStatus pl_robot_add_shape(plRobot* robot, const plRobotShape* shape) {
  if (shape->kind == PL_SHAPE_MESH && !shape->loaded) return add_mesh_file(robot, shape);
  if (is_empty(shape)) {
    if (shape->collide)
      pl_robot_warn(robot, shape->at, "the shape '%.100s' has no size and is left out", shape->name);
    else
      pl_robot_note(robot, shape->at, "the drawn shape '%.100s' has no size and is left out", shape->name);
    return PL_OK;
  }
  if (++robot->nshape > PL_ROBOT_MAX_SHAPES)
    return pl_xml_fail(shape->at, robot->error, "a robot may have %d shapes, this one has more",
                       (int)PL_ROBOT_MAX_SHAPES);
  plShapeDef def = pl_default_shape_def();
  def.name = pl_robot_free_name(robot, shape->name, pl_robot_find_shape);
  def.body = shape->body, def.pose = shape->pose, def.kind = shape->kind, def.size = shape->size,
  def.radius = shape->radius;
  def.length = shape->length, def.mesh = shape->loaded, def.surface = shape->surface,
  def.collide = shape->collide, def.colour = shape->colour;
  bound_friction(robot, shape->at, &def.surface);
  plMesh* hull = NULL;
  plStatus status = PL_OK;
  if (def.kind == PL_SHAPE_MESH && shape->convex && shape->collide) status = hull_of(robot, shape, &hull);
  if (status) return status;
  if (hull) def.convex = true, def.mesh = hull;
  double half = half_size(&def);
  if (shape->modulus > 0 && half > 0) def.surface.contact_stiffness = shape->modulus / half;
  status = def.name ? pl_spec_add_shape(robot->spec, &def, NULL, robot->error)
                    : pl_fail_out_of_memory(robot->error, 256);
  pl_mesh_destroy(hull);
  return pl_robot_place(robot, shape->at, status);
}

// ---- inertia

// Volume integrals of a closed surface: tetrahedra from the origin to each triangle, with sign.
static plInertia mesh_inertia(const plMesh* mesh, double density) {
  double volume = 0, xx[6] = {0};
  plVec3 h = {0, 0, 0};
  for (int t = 0; t < mesh->ntri; t++) {
    for (int k = 0; k < 3; k++) assert(mesh->tri[3 * t + k] >= 0 && mesh->tri[3 * t + k] < mesh->nvert);
    plVec3 a = v3_load(mesh->vert + 3 * mesh->tri[3 * t]), b = v3_load(mesh->vert + 3 * mesh->tri[3 * t + 1]),
           c = v3_load(mesh->vert + 3 * mesh->tri[3 * t + 2]);
    double v = v3_dot(a, v3_cross(b, c)) / 6;
    plVec3 s = v3_add(a, v3_add(b, c));
    volume += v;
    h = v3_madd(h, v / 4, s);
    // integral of x x' over the tet (0, a, b, c): v/20 (aa' + bb' + cc' + ss')
    plVec3 p[4] = {a, b, c, s};
    for (int k = 0; k < 4; k++) {
      xx[0] += v / 20 * p[k].x * p[k].x, xx[1] += v / 20 * p[k].y * p[k].y, xx[2] += v / 20 * p[k].z * p[k].z;
      xx[3] += v / 20 * p[k].x * p[k].y, xx[4] += v / 20 * p[k].x * p[k].z, xx[5] += v / 20 * p[k].y * p[k].z;
    }
  }
  double d = volume < 0 ? -density : density;
  return (plInertia){
      d * volume,
      v3_scale(d, h),
      {d * (xx[1] + xx[2]), d * (xx[0] + xx[2]), d * (xx[0] + xx[1]), -d * xx[3], -d * xx[4], -d * xx[5]}};
}

bool pl_shape_inertia(const plRobotShape* s, const plMesh* mesh, double density, plInertia* inertia) {
  const plShapeTraits* traits = pl_shape_traits[s->kind];
  plShape shape = {s->kind, s->size, s->radius, s->length, NULL};
  if (!traits->inertia && !mesh) return false;
  *inertia = traits->inertia ? traits->inertia(&shape, density) : mesh_inertia(mesh, density);
  return traits->inertia || inertia->m > 0;
}

plInertia pl_inertia_at(plPose pose, plInertia a) {
  // to the centre, turned, and to the new position
  plVec3 c = a.m > 0 ? v3_scale(1 / a.m, a.h) : v3(0, 0, 0);
  plSym3 central = sym3_rotate(quat_matrix(pose.q), sym3_add(a.I, sym3_steiner(-a.m, c)));
  return inertia_of(a.m, pose_apply(pose, c), central);
}

void pl_body_set_inertia(plBodyDef* body, plInertia a) {
  plVec3 c = a.m > 0 ? v3_scale(1 / a.m, a.h) : v3(0, 0, 0);
  plSym3 I = sym3_add(a.I, sym3_steiner(-a.m, c));
  body->mass = a.m, body->com = c;
  body->inertia[0] = I.xx, body->inertia[1] = I.yy, body->inertia[2] = I.zz;
  body->inertia[3] = I.xy, body->inertia[4] = I.xz, body->inertia[5] = I.yz;
}

// mjcf_mesh.c: <mesh> assets of an MJCF file: from a file, or from vertices and faces in the MJCF file
// itself.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/hull.h"
#include "geom/mesh.h"
#include "input/mjcf.h"

// The <mesh> asset of a name; unnamed ones have the name of their file.
static const plXml* find_asset(const plMjcfScope* scope, const char* name) {
  for (const plXml* asset = pl_xml_child(scope->root, "asset"); asset; asset = pl_xml_next(asset))
    for (const plXml* mesh = pl_xml_child(asset, "mesh"); mesh; mesh = pl_xml_next(mesh)) {
      const char *own = pl_xml_attr(mesh, "name"), *file = pl_xml_attr(mesh, "file");
      if (own && !strcmp(own, name)) return mesh;
      if (own || !file) continue;
      const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
      size_t n = dot ? (size_t)(dot - base) : strlen(base);
      if (strlen(name) == n && !strncmp(base, name, n)) return mesh;
    }
  return NULL;
}

// All numbers of an attribute, in threes.
static plStatus read_triples(plMjcf* m, const plXml* asset, const char* name, double** x, int* n) {
  plRobot* robot = m->robot;
  const char* text = pl_xml_attr(asset, name);
  size_t most = text ? strlen(text) / 2 + 1 : 0;
  *n = 0;
  if (!text) return PL_OK;
  *x = PL_ARENA_NEW(&robot->tree.arena, double, most);
  if (!*x) return pl_fail_out_of_memory(robot->error, 8 * most);
  plStatus status = pl_xml_numbers(asset, text, name, *x, 3, (int)most, n, robot->error);
  if (!status && *n % 3)
    status = pl_xml_fail(asset, robot->error, "%s needs three numbers each, got %d", name, *n);
  *n /= 3;
  return status;
}

static plStatus copy_hull(plMjcf* m, const plXml* asset, const double* x, int n, plMesh** mesh) {
  plHull* hull;
  plError why;
  plStatus status = pl_hull_create(x, n, &hull, &why);
  if (status == PL_ERROR_MEMORY) return pl_fail_out_of_memory(m->robot->error, 24 * (size_t)n);
  if (status)
    return pl_xml_fail(asset, m->robot->error, "the vertices of the mesh have no hull: %.200s", why.message);
  *mesh = pl_mesh_create(hull->nvert, 0, hull->ntri, m->robot->error);
  if (*mesh) {
    memcpy((*mesh)->vert, hull->vert, 3 * sizeof(double) * (size_t)hull->nvert);
    memcpy((*mesh)->tri, hull->tri, 3 * sizeof(int) * (size_t)hull->ntri);
  }
  pl_hull_destroy(hull);
  return *mesh ? PL_OK : PL_ERROR_MEMORY;
}

// refpos and refquat transform the mesh to its own frame; then it is scaled.
static void place(plMesh* mesh, plPose reference, plVec3 scale) {
  pl_mesh_transform(mesh, v3(1, 1, 1), pose_inverse(reference));
  pl_mesh_transform(mesh, scale, pose_identity());
}

static plStatus read_reference(plMjcf* m, const plXml* asset, plPose* reference) {
  double x[4];
  int n;
  *reference = pose_identity();
  plStatus status = pl_mjcf_numbers(m, asset, "mesh", NULL, "refpos", x, 3, 3, &n);
  if (!status && n) reference->p = v3(x[0], x[1], x[2]);
  if (!status) status = pl_mjcf_numbers(m, asset, "mesh", NULL, "refquat", x, 4, 4, &n);
  if (!status && n) reference->q = quat_unit((plQuat){x[0], x[1], x[2], x[3]});
  if (!status && (!v3_finite(reference->p) || !isfinite(quat_norm(reference->q))))
    status = pl_xml_fail(asset, m->robot->error, "refpos and refquat must be finite");
  return status;
}

// inertia of a <mesh>: convex, exact, legacy, shell
static plStatus read_inertia_kind(plMjcf* m, const plXml* asset, plMjcfMeshInertia* how) {
  const char* text = pl_mjcf_attr(m, asset, "mesh", NULL, "inertia");
  *how = PL_MJCF_LEGACY;
  if (!text || !strcmp(text, "legacy")) return PL_OK;
  if (!strcmp(text, "exact"))
    *how = PL_MJCF_EXACT;
  else if (!strcmp(text, "convex"))
    *how = PL_MJCF_CONVEX;
  else if (!strcmp(text, "shell"))
    *how = PL_MJCF_SHELL;
  else
    return pl_xml_fail(asset, m->robot->error,
                       "inertia of <mesh> must be convex, exact, legacy or shell, got '%.40s'", text);
  return PL_OK;
}

// The mesh of vertices and faces; without faces, the hull of the vertices.
static plStatus read_vertices(plMjcf* m, const plXml* asset, plPose reference, plVec3 scale, plMesh** mesh) {
  double *x, *face;
  int nvert, nface;
  plStatus status = read_triples(m, asset, "vertex", &x, &nvert);
  if (!status) status = read_triples(m, asset, "face", &face, &nface);
  // visual only
  pl_xml_attr(asset, "normal"), pl_xml_attr(asset, "texcoord");
  if (!status && !nface) status = copy_hull(m, asset, x, nvert, mesh);
  if (!status && nface) {
    *mesh = pl_mesh_create(nvert, 0, nface, m->robot->error);
    if (!*mesh) return PL_ERROR_MEMORY;
    memcpy((*mesh)->vert, x, 3 * sizeof(double) * (size_t)nvert);
    for (int i = 0; i < 3 * nface && !status; i++) {
      if (!(face[i] >= 0 && face[i] < nvert && face[i] == floor(face[i])))
        status = pl_xml_fail(asset, m->robot->error,
                             "a face names vertex %g, but the mesh has %d (counted from 0)", face[i], nvert);
      else
        (*mesh)->tri[i] = (int)face[i];
    }
  }
  if (!status) place(*mesh, reference, scale);
  if (status) pl_mesh_destroy(*mesh), *mesh = NULL;
  return status;
}

plStatus pl_mjcf_mesh(plMjcf* m, const plXml* geom, const char* class_name, plRobotShape* shape,
                      plMjcfMeshInertia* how, bool* known) {
  plRobot* robot = m->robot;
  const plMjcfScope* scope = pl_mjcf_scope(m, geom);
  const char *name = pl_mjcf_attr(m, geom, "geom", class_name, "mesh"), *folder = robot->folder;
  if (!name) return pl_xml_fail(geom, robot->error, "a geom of type mesh needs the attribute mesh");
  const plXml* asset = find_asset(scope, name);
  if (!asset) return pl_xml_fail(geom, robot->error, "there is no <mesh> asset '%s'", name);
  const char* file = pl_xml_attr(asset, "file");
  double scale[3];
  int n;
  plPose reference;
  plStatus status = pl_mjcf_numbers(m, asset, "mesh", NULL, "scale", scale, 3, 3, &n);
  if (!status) status = read_reference(m, asset, &reference);
  if (!status) status = read_inertia_kind(m, asset, how);
  if (status) return status;
  if (n) shape->scale = v3(scale[0], scale[1], scale[2]);
  shape->kind = PL_SHAPE_MESH;
  shape->convex = true;
  shape->mesh = name;
  if (!file && pl_xml_attr(asset, "vertex")) {
    plMesh* mesh = NULL;
    status = read_vertices(m, asset, reference, shape->scale, &mesh);
    shape->loaded = mesh;
    return status;
  }
  if (!file) {
    pl_robot_warn_once(robot, asset, "mesh without file",
                       "a mesh without a file and without vertices is not read; its shapes are left out");
    *known = false;
    return PL_OK;
  }
  const char* slash = strrchr(file, '/');
  if (scope->strip_path && slash) file = slash + 1;
  shape->mesh =
      scope->mesh_folder && file[0] != '/' ? pl_robot_printf(robot, "%s/%s", scope->mesh_folder, file) : file;
  if (!shape->mesh) return pl_fail_out_of_memory(robot->error, 256);
  // the file's own coordinates first, then its reference frame and its scale
  plRobotShape plain = *shape;
  plain.scale = v3(1, 1, 1);
  // an included file may name meshes from its own folder
  slash = file[0] != '/' ? strrchr(asset->file, '/') : NULL;
  if (slash)
    plain.elsewhere = pl_robot_printf(robot, "%.*s/%s", (int)(slash - asset->file), asset->file, file);
  robot->folder = scope->folder;
  plMesh* mesh = pl_robot_load_mesh(robot, &plain);
  robot->folder = folder;
  if (mesh) place(mesh, reference, shape->scale);
  shape->loaded = mesh;
  *known = mesh != NULL;
  return mesh ? PL_OK : robot->mesh_status;
}

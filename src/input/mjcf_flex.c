// mjcf_flex.c: <flexcomp dim="3"> of an MJCF file becomes a deformable: a grid of cells cut into six
// tetrahedra, a box whose surface is joined to its middle, or the tetrahedra of a Gmsh file, numbered as
// MuJoCo does (pins name them).
//
// MuJoCo gives every vertex the same part of the mass; here the mass is distributed over the volume. Its
// elastic energy is Saint Venant's and Kirchhoff's, and its damping is Rayleigh's on the stiffness, as here.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "input/mjcf.h"
#include "model/spec.h"

enum { MAX_COUNT = 200, MAX_VERTICES = 200000 };

typedef struct Flex {
  const plXml* node;
  int count[3];
  double spacing[3];
  plMesh* mesh;
  bool* pinned;  // [numbers of the mesh] by a vertex's number in the file
} Flex;

// ---- meshes

static plVec3 grid_point(const Flex* f, int i, int j, int k) {
  return v3(f->spacing[0] * (i - 0.5 * (f->count[0] - 1)), f->spacing[1] * (j - 0.5 * (f->count[1] - 1)),
            f->spacing[2] * (k - 0.5 * (f->count[2] - 1)));
}

static plStatus make_grid(Flex* f, plError* error) {
  static const int cut[6][4] = {{0, 2, 4, 3}, {0, 4, 1, 3}, {4, 2, 6, 3},
                                {4, 6, 7, 3}, {4, 5, 1, 3}, {4, 7, 5, 3}};
  const int *n = f->count, nvert = n[0] * n[1] * n[2], ncell = (n[0] - 1) * (n[1] - 1) * (n[2] - 1);
  plMesh* mesh = f->mesh = pl_mesh_create(nvert, 6 * ncell, 0, error);
  if (!mesh) return PL_ERROR_MEMORY;
  int t = 0;
  for (int i = 0; i < n[0]; i++)
    for (int j = 0; j < n[1]; j++)
      for (int k = 0; k < n[2]; k++) {
        int id = (i * n[1] + j) * n[2] + k;
        v3_store(mesh->vert + 3 * id, grid_point(f, i, j, k));
        if (i + 1 == n[0] || j + 1 == n[1] || k + 1 == n[2]) continue;
        // corner c of the cell: bit 2 along x, bit 1 along y, bit 0 along z
        for (int s = 0; s < 6; s++)
          for (int c = 0; c < 4; c++)
            mesh->tet[4 * t + c] =
                id + (cut[s][c] >> 2 & 1) * n[1] * n[2] + (cut[s][c] >> 1 & 1) * n[2] + (cut[s][c] & 1),
                              c == 3 ? t++ : 0;
      }
  assert(t == mesh->ntet);
  return PL_OK;
}

// The number of a vertex of the box: the middle is 0, then the faces z, y and x, each without those before
// it.
static int box_id(const Flex* f, int i, int j, int k) {
  const int *n = f->count, face_z = n[0] * n[1], face_y = n[0] * (n[2] - 2), face_x = (n[1] - 2) * (n[2] - 2);
  if (k == 0 || k == n[2] - 1) return 1 + (k ? face_z : 0) + i * n[1] + j;
  if (j == 0 || j == n[1] - 1) return 1 + 2 * face_z + (j ? face_y : 0) + i * (n[2] - 2) + k - 1;
  return 1 + 2 * face_z + 2 * face_y + (i ? face_x : 0) + (j - 1) * (n[2] - 2) + k - 1;
}

static void add_box_faces(Flex* f, int axis, int* t) {
  const int *n = f->count, u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (int side = 0; side < 2; side++)
    for (int a = 0; a + 1 < n[u]; a++)
      for (int b = 0; b + 1 < n[v]; b++) {
        int id[4];
        for (int c = 0; c < 4; c++) {
          int at[3];
          at[axis] = side ? n[axis] - 1 : 0, at[u] = a + (c == 1 || c == 2), at[v] = b + (c == 2 || c == 3);
          id[c] = box_id(f, at[0], at[1], at[2]);
        }
        // outward seen from the middle
        int tri[2][3] = {{id[0], id[1], id[2]}, {id[0], id[2], id[3]}};
        for (int s = 0; s < 2; s++, ++*t) {
          int* tet = f->mesh->tet + 4 * *t;
          tet[0] = 0, tet[1] = tri[s][0], tet[2] = tri[s][side ? 1 : 2], tet[3] = tri[s][side ? 2 : 1];
        }
      }
}

static plStatus make_box(Flex* f, plError* error) {
  const int *n = f->count,
            cells = (n[0] - 1) * (n[1] - 1) + (n[1] - 1) * (n[2] - 1) + (n[0] - 1) * (n[2] - 1);
  int nvert = 1 + 2 * (n[0] * n[1] + n[0] * (n[2] - 2) + (n[1] - 2) * (n[2] - 2)), t = 0;
  plMesh* mesh = f->mesh = pl_mesh_create(nvert, 4 * cells, 0, error);
  if (!mesh) return PL_ERROR_MEMORY;
  for (int i = 0; i < n[0]; i++)
    for (int j = 0; j < n[1]; j++)
      for (int k = 0; k < n[2]; k++)
        if (i == 0 || j == 0 || k == 0 || i == n[0] - 1 || j == n[1] - 1 || k == n[2] - 1)
          v3_store(mesh->vert + 3 * box_id(f, i, j, k), grid_point(f, i, j, k));
  for (int axis = 0; axis < 3; axis++) add_box_faces(f, axis, &t);
  assert(t == mesh->ntet && box_id(f, n[0] - 1, n[1] > 2, n[2] > 2) < nvert);
  return PL_OK;
}

// NULL with PL_OK: left out with a remark.
static plStatus load_gmsh(plMjcf* m, Flex* f) {
  plRobot* robot = m->robot;
  const char *file = pl_xml_attr(f->node, "file"), *text = pl_xml_attr(f->node, "scale");
  double scale[3] = {1, 1, 1};
  int n;
  plStatus status = text ? pl_xml_numbers(f->node, text, "scale", scale, 3, 3, &n, robot->error) : PL_OK;
  return status ? status : pl_robot_load_solid(robot, f->node, file ? file : "", v3_load(scale), &f->mesh);
}

static plStatus make_mesh(plMjcf* m, Flex* f, const char* type) {
  plRobot* robot = m->robot;
  double count[3] = {10, 10, 10}, spacing[3] = {0.02, 0.02, 0.02};
  const char *count_text = pl_xml_attr(f->node, "count"), *spacing_text = pl_xml_attr(f->node, "spacing");
  if (!strcmp(type, "gmsh")) return load_gmsh(m, f);
  plStatus status =
      count_text ? pl_xml_numbers(f->node, count_text, "count", count, 3, 3, NULL, robot->error) : PL_OK;
  if (!status && spacing_text)
    status = pl_xml_numbers(f->node, spacing_text, "spacing", spacing, 3, 3, NULL, robot->error);
  double all = 1;
  for (int k = 0; k < 3 && !status; k++) {
    if (!(count[k] >= 2 && count[k] <= MAX_COUNT && count[k] == floor(count[k])) ||
        !(spacing[k] > 0 && isfinite(spacing[k])) || (all *= count[k]) > MAX_VERTICES)
      return pl_xml_fail(
          f->node, robot->error,
          "a flexcomp of dim 3 needs counts of 2 to %d (%d vertices in all) and positive spacings",
          (int)MAX_COUNT, (int)MAX_VERTICES);
    f->count[k] = (int)count[k], f->spacing[k] = spacing[k];
  }
  if (status) return status;
  return !strcmp(type, "grid") ? make_grid(f, robot->error) : make_box(f, robot->error);
}

// ---- pins

// Marks the vertices that <pin> elements name: by number, by ranges of numbers, and, in a grid, by position
// in it.
static plStatus read_pins(plMjcf* m, Flex* f, bool grid) {
  static const struct {
    const char* name;
    int size;
    bool range, place;
  } kinds[] = {{"id", 1, false, false},
               {"range", 2, true, false},
               {"grid", 3, false, true},
               {"gridrange", 6, true, true}};
  plError* error = m->robot->error;
  for (const plXml* pin = pl_xml_child(f->node, "pin"); pin; pin = pl_xml_next(pin))
    for (int k = 0; k < 4; k++) {
      const char* text = pl_xml_attr(pin, kinds[k].name);
      size_t most = text ? strlen(text) / 2 + 1 : 0;
      double* x = text ? PL_ARENA_NEW(&m->robot->tree.arena, double, most) : NULL;
      int n = 0, size = kinds[k].size;
      if (!text) continue;
      if (!x) return pl_fail_out_of_memory(error, 8 * most);
      plStatus status = pl_xml_numbers(pin, text, kinds[k].name, x, 0, (int)most, &n, error);
      if (status) return status;
      if (n % size || (kinds[k].place && !grid))
        return pl_xml_fail(pin, error, "%s of <pin> needs %d numbers each%s", kinds[k].name, size,
                           kinds[k].place ? ", in a flexcomp of type grid" : "");
      for (int v = 0; v < pl_mesh_nnumber(f->mesh); v++) {
        int nz = grid ? f->count[2] : 1, ny = grid ? f->count[1] : 1,
            at[3] = {v / (ny * nz), v / nz % ny, v % nz};
        for (int i = 0; i < n; i += size) {
          const double *low = x + i, *high = x + i + (kinds[k].range ? size / 2 : 0);
          bool in = true;
          if (kinds[k].place)
            for (int c = 0; c < 3; c++) in = in && at[c] >= low[c] && at[c] <= high[c];
          else
            in = v >= low[0] && v <= high[0];
          f->pinned[v] = f->pinned[v] || in;
        }
      }
    }
  return PL_OK;
}

// Pinned vertices are held where they are, or by the body that carries the flexcomp.
static plStatus hold_pins(plMjcf* m, const Flex* f, int deformable, int body, const char* name) {
  plRobot* robot = m->robot;
  int *index = PL_ARENA_NEW(&robot->tree.arena, int, f->mesh->nvert), n = 0;
  if (!index) return pl_fail_out_of_memory(robot->error, 4 * (size_t)f->mesh->nvert);
  int lost = 0;
  for (int k = 0; k < pl_mesh_nnumber(f->mesh); k++) {
    int v = f->pinned[k] ? pl_mesh_find(f->mesh, k) : -1;
    assert(n < f->mesh->nvert || v < 0);
    if (v >= 0) index[n++] = v;
    lost += f->pinned[k] && v < 0;
  }
  if (lost)
    pl_robot_warn(robot, f->node,
                  "%d of the vertices that are pinned in '%.100s' are left out: no element uses them", lost,
                  name);
  if (!n) return PL_OK;
  if (body < 0) {
    plFixDef fix = pl_default_fix_def();
    fix.deformable = deformable, fix.region.kind = PL_REGION_INDICES, fix.region.index = index,
    fix.region.nindex = n;
    return pl_spec_add_fix(robot->spec, &fix, robot->error);
  }
  plAttachDef attach = pl_default_attach_def();
  attach.name = pl_robot_printf(robot, "%s_pins", name), attach.deformable = deformable, attach.body = body;
  attach.region.kind = PL_REGION_INDICES, attach.region.index = index, attach.region.nindex = n;
  return attach.name ? pl_spec_add_attachment(robot->spec, &attach, NULL, robot->error)
                     : pl_fail_out_of_memory(robot->error, 256);
}

// ---- the body

static double volume_of(const plMesh* mesh) {
  double sum = 0;
  for (int t = 0; t < mesh->ntet; t++) {
    const int* id = mesh->tet + 4 * t;
    plVec3 a = v3_load(mesh->vert + 3 * id[0]), b = v3_sub(v3_load(mesh->vert + 3 * id[1]), a),
           c = v3_sub(v3_load(mesh->vert + 3 * id[2]), a), d = v3_sub(v3_load(mesh->vert + 3 * id[3]), a);
    sum += fabs(v3_dot(b, v3_cross(c, d))) / 6;
  }
  return sum;
}

plStatus pl_mjcf_flex_material(plMjcf* m, const plXml* node, const plMesh* mesh, double mass,
                               plDeformableDef* def) {
  plError* error = m->robot->error;
  const plXml *elastic = pl_xml_child(node, "elasticity"), *contact = pl_xml_child(node, "contact");
  double friction[3] = {1};
  const char *text = contact ? pl_xml_attr(contact, "friction") : NULL, *rgba = pl_xml_attr(node, "rgba");
  (void)rgba;
  plMaterial* a = &def->material;
  a->kind = PL_MATERIAL_SAINT_VENANT_KIRCHHOFF, a->poisson = 0, a->damping_mass = a->damping_stiffness = 0;
  plStatus status = pl_xml_number_attr(elastic, "young", &a->young, error);
  if (!status) status = pl_xml_number_attr(elastic, "poisson", &a->poisson, error);
  if (!status) status = pl_xml_number_attr(elastic, "damping", &a->damping_stiffness, error);
  if (!status && text) status = pl_xml_numbers(contact, text, "friction", friction, 1, 3, NULL, error);
  def->surface.friction = friction[0];
  a->density = mass / volume_of(mesh);
  return status;
}

// Why a flexcomp (or a flex, without a type) is not read, NULL: it is.
const char* pl_mjcf_flex_refusal(const plXml* node, const char* type) {
  const char *dim = pl_xml_attr(node, "dim"), *rigid = pl_xml_attr(node, "rigid");
  const plXml* elastic = pl_xml_child(node, "elasticity");
  double young = 0;
  plError unused;
  if (elastic) pl_xml_number_attr(elastic, "young", &young, &unused);
  if (!dim || strcmp(dim, "3")) return "only those of dim 3 are";
  if (type && strcmp(type, "grid") && strcmp(type, "box") && strcmp(type, "gmsh"))
    return "only grid, box and gmsh are";
  if (rigid && !strcmp(rigid, "true")) return "it is rigid";
  return young > 0 ? NULL : "it has no elasticity with a positive young";
}

plStatus pl_mjcf_flexcomp(plMjcf* m, const plXml* node, int body, plPose at) {
  plRobot* robot = m->robot;
  const char *own = pl_xml_attr(node, "name"), *type = pl_xml_attr(node, "type"),
             *dof = pl_xml_attr(node, "dof");
  const char* why = pl_mjcf_flex_refusal(node, type ? type : "grid");
  if (why) {
    pl_robot_warn(robot, node, "a flexcomp is not read and left out: %s", why);
    pl_xml_use_all(node);
    return PL_OK;
  }
  if (dof && strcmp(dof, "full"))
    pl_robot_warn(robot, node, "a flexcomp with dof=\"%.20s\" gets three degrees of freedom at each vertex",
                  dof);
  Flex f = {.node = node};
  double mass = 1;
  plDeformableDef def = pl_default_deformable_def();
  plPose pose;
  int id = -1;
  bool grid = !type || !strcmp(type, "grid");
  def.name = pl_robot_full_name(robot, own && own[0] ? own : "flex");
  plStatus status =
      def.name ? make_mesh(m, &f, type ? type : "grid") : pl_fail_out_of_memory(robot->error, 256);
  if (status || !f.mesh) goto end;
  size_t nnumber = (size_t)pl_mesh_nnumber(f.mesh);
  f.pinned = PL_ARENA_NEW(&robot->tree.arena, bool, nnumber);
  if (!f.pinned) status = pl_fail_out_of_memory(robot->error, nnumber);
  if (status) goto end;
  memset(f.pinned, 0, nnumber);
  status = read_pins(m, &f, grid);
  if (!status) status = pl_mjcf_pose(m, node, NULL, NULL, &pose);
  if (!status) status = pl_xml_number_attr(node, "mass", &mass, robot->error);
  if (!status) status = pl_mjcf_flex_material(m, node, f.mesh, mass, &def);
  if (!status) status = pl_robot_repair(robot, node, def.name, f.mesh);
  if (status) goto end;
  def.mesh = f.mesh, def.pose = pose_mul(at, pose);
  if (body >= 0) def.pose = pose_mul(pl_spec_body_pose(robot->spec, body), def.pose);
  status = pl_spec_add_deformable(robot->spec, &def, &id, robot->error);
  if (!status) status = hold_pins(m, &f, id, body, def.name);
end:
  pl_mesh_destroy(f.mesh);
  return pl_robot_place(robot, node, status);
}

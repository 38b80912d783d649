// taxels_rigid.c: taxels at the vertices of a part of a rigid body's surface.
//
// The facets are those of the shape's mesh, of its hull if contact uses that, or of the mesh that represents
// a round shape in pictures. A contact point need not lie on them: between two shapes that overlap it lies in
// the middle, and beside a round shape at the mean of a patch. A force keeps its moment if it is moved along
// its own line. It is therefore moved to the facet that its line meets or, if the line meets none nearby, to
// the nearest one. Barycentric coordinates distribute it to the corners of that facet: they add up to 1, so
// the resultant is the contact's, and reproduce the position, so the moment is too. Points on other facets
// are ignored.
#include <string.h>

#include "base/error.h"
#include "math/pose.h"
#include "sensor/look.h"
#include "sensor/sensor.h"

// A force at most 60 degrees off the normal of a flat surface meets it within this multiple of the distance.
static const double FAR = 2;
// Height over longest side below which a facet counts as a line.
static const double FLAT = 1e-8;

// ---- from the definition

// A copy of the tree in the model's memory, without the data for winding numbers.
static bool keep_tree(plArena* arena, const plTriTree* from, const double* vert, const int* tri,
                      plTriTree* tree) {
  *tree = (plTriTree){.vert = vert, .tri = tri, .ntri = from->ntri, .nnode = from->nnode};
  tree->order = PL_KEEP(arena, int, from->ntri);
  tree->node = PL_KEEP(arena, plTriNode, from->nnode);
  if (!tree->order || !tree->node) return false;
  memcpy(tree->order, from->order, (size_t)from->ntri * sizeof *tree->order);
  memcpy(tree->node, from->node, (size_t)from->nnode * sizeof *tree->node);
  return true;
}

// The facets of one shape; rows continue from *rows. to: from the shape's frame to that of the region.
static plStatus compile_skin(plModel* m, const plMesh* mesh, const plRegion* region, plPose to, int* rows,
                             plTaxelSkin* skin, plError* error) {
  plArena* arena = &m->work->arena;
  plTriTree* tree;
  double* vert = PL_KEEP(arena, double, 3 * (size_t)mesh->nvert);
  int* tri = PL_KEEP(arena, int, 3 * (size_t)mesh->ntri);
  skin->row = PL_KEEP(arena, int, mesh->nvert);
  if (!vert || !tri || !skin->row) return pl_fail_out_of_memory(error, 40 * (size_t)mesh->nvert);
  memcpy(vert, mesh->vert, 3 * (size_t)mesh->nvert * sizeof *vert);
  memcpy(tri, mesh->tri, 3 * (size_t)mesh->ntri * sizeof *tri);
  plStatus status = pl_tri_tree_create(vert, tri, mesh->ntri, &tree, error);
  if (status) return status;
  bool kept = keep_tree(arena, tree, vert, tri, &skin->tree);
  pl_tri_tree_destroy(tree);
  if (!kept) return pl_fail_out_of_memory(error, sizeof(plTriNode) * (size_t)mesh->ntri);
  for (int i = 0; i < mesh->nvert; i++) skin->row[i] = -1;
  for (int t = 0; t < mesh->ntri; t++) {
    bool inside = true;
    for (size_t k = 0; k < 3; k++)
      inside &=
          pl_sensor_inside(region, pose_apply(to, v3_load(vert + 3 * (size_t)tri[3 * (size_t)t + k])), 0);
    for (size_t k = 0; inside && k < 3; k++) skin->row[tri[3 * (size_t)t + k]] = 0;
  }
  for (int i = 0; i < mesh->nvert; i++)
    if (skin->row[i] == 0) skin->row[i] = (*rows)++;
  return PL_OK;
}

static plMesh* hull_mesh(const plHull* hull, plError* error) {
  plMesh* mesh = pl_mesh_create(hull->nvert, 0, hull->ntri, error);
  if (!mesh) return NULL;
  memcpy(mesh->vert, hull->vert, 3 * (size_t)hull->nvert * sizeof *mesh->vert);
  memcpy(mesh->tri, hull->tri, 3 * (size_t)hull->ntri * sizeof *mesh->tri);
  return mesh;
}

plStatus pl_compile_rigid_region(plModel* m, const plSensorDef* def, plSensor* sensor, plTaxels* g,
                                 plError* error) {
  int rows = 0;
  plStatus status = PL_OK;
  g->skin = PL_KEEP(&m->work->arena, plTaxelSkin, m->nshape);
  if (!g->skin) return pl_fail_out_of_memory(error, (size_t)m->nshape * sizeof *g->skin);
  for (int i = 0; i < m->nshape && !status; i++) {
    plSide shape = {PL_SIDE_SHAPE, i};
    if (!m->shape_collide[i] || !pl_side_covers(m, g->side, shape)) continue;
    plMesh* mesh =
        m->work->shape_hull[i] ? hull_mesh(m->work->shape_hull[i], error) : pl_look_tessellate(m, i, error);
    if (!mesh) return error ? error->status : PL_ERROR_MEMORY;
    plPose to = g->side.kind == PL_SIDE_SHAPE ? pose_identity() : m->shape_pose[i];
    if (mesh->ntri) status = compile_skin(m, mesh, &def->region, to, &rows, &g->skin[i], error);
    pl_mesh_destroy(mesh);
  }
  if (status) return status;
  if (!rows)
    return pl_fail(error, PL_ERROR_INPUT,
                   "sensor '%s' (taxels): its region holds no complete facet of '%s'; regions are in the "
                   "frame of the body "
                   "or shape, and a box has two facets on each side",
                   def->name, def->on);
  sensor->rows = sensor->width = rows, sensor->height = 1;
  return PL_OK;
}

// ---- shares

// The point where the line of a force at x meets the surface, if it is not much farther away than the nearest
// point; else the nearest point.
static plTriHit place_of(const plTriTree* tree, plVec3 x, plVec3 force) {
  plTriHit nearest = pl_tri_tree_closest(tree, x, INFINITY);
  double size = v3_norm(force), most = FAR * nearest.t;
  if (nearest.tri < 0 || !(size > 0)) return nearest;
  plVec3 along = v3_scale(1 / size, force);
  plTriHit one = pl_tri_tree_ray(tree, x, along, most), other = pl_tri_tree_ray(tree, x, v3_neg(along), most);
  if (one.tri >= 0 && !(other.tri >= 0 && other.t < one.t)) return one;
  return other.tri >= 0 ? other : nearest;
}

// Barycentric coordinates; for a facet that is almost a line, along its longest side.
static void share_out(const plVec3 corner[3], plVec3 x, double share[3]) {
  plVec3 e1 = v3_sub(corner[1], corner[0]), e2 = v3_sub(corner[2], corner[0]), n = v3_cross(e1, e2),
         d = v3_sub(x, corner[0]);
  int longest = 0;
  double area = v3_dot(n, n), most = -1;
  for (int k = 0; k < 3; k++) {
    double side = v3_norm2(v3_sub(corner[(k + 1) % 3], corner[k]));
    if (side > most) most = side, longest = k;
  }
  if (area > FLAT * FLAT * most * most) {
    share[1] = v3_dot(n, v3_cross(d, e2)) / area, share[2] = v3_dot(n, v3_cross(e1, d)) / area;
    share[0] = 1 - share[1] - share[2];
    return;
  }
  int next = (longest + 1) % 3;
  plVec3 side = v3_sub(corner[next], corner[longest]);
  double part = most > 0 ? v3_dot(v3_sub(x, corner[longest]), side) / most : 0;
  share[(longest + 2) % 3] = 0, share[next] = part, share[longest] = 1 - part;
}

int pl_taxels_on_skin(const plTaxelSkin* skin, plVec3 x, plVec3 force, int row[3], double share[3]) {
  if (!skin->row) return 0;
  plTriHit hit = place_of(&skin->tree, x, force);
  if (hit.tri < 0) return 0;
  const int* v = skin->tree.tri + 3 * (size_t)hit.tri;
  for (int k = 0; k < 3; k++)
    if ((row[k] = skin->row[v[k]]) < 0) return 0;
  plVec3 corner[3];
  for (int k = 0; k < 3; k++) corner[k] = v3_load(skin->tree.vert + 3 * (size_t)v[k]);
  share_out(corner, hit.point, share);
  return 3;
}

// taxels_rigid.c: taxels at the vertices of a part of a rigid body's surface.
//
// The facets are those of the shape's mesh, or of the mesh that stands for a round shape in pictures. A
// contact point belongs to the facet nearest to it and gives its force to that facet's corners by barycentric
// coordinates: they add up to 1, so that the resultant is the contact's. Points on other facets are not felt.
#include <string.h>

#include "base/error.h"
#include "math/pose.h"
#include "sensor/look.h"
#include "sensor/sensor.h"

// ---- from the definition

// A copy of the tree in the model's memory, without what it needs for windings.
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

// The facets of one shape; rows go on from *rows. to: from the shape's frame into that of the region.
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
      inside &= pl_sensor_inside(region, pose_apply(to, v3_load(vert + 3 * (size_t)tri[3 * (size_t)t + k])));
    for (size_t k = 0; inside && k < 3; k++) skin->row[tri[3 * (size_t)t + k]] = 0;
  }
  for (int i = 0; i < mesh->nvert; i++)
    if (skin->row[i] == 0) skin->row[i] = (*rows)++;
  return PL_OK;
}

plStatus pl_compile_rigid_region(plModel* m, const plSensorDef* def, plSensor* sensor, plTaxels* g,
                                 plError* error) {
  int rows = 0;
  plStatus status = PL_OK;
  g->skin = PL_KEEP(&m->work->arena, plTaxelSkin, m->ngeom);
  if (!g->skin) return pl_fail_out_of_memory(error, (size_t)m->ngeom * sizeof *g->skin);
  for (int i = 0; i < m->ngeom && !status; i++) {
    plSide shape = {PL_SIDE_SHAPE, i};
    if (!m->geom_collide[i] || !pl_side_covers(m, g->side, shape)) continue;
    plMesh* mesh = pl_look_tessellate(m, i, error);
    if (!mesh) return error ? error->status : PL_ERROR_MEMORY;
    plPose to = g->side.kind == PL_SIDE_SHAPE ? pose_identity() : m->geom_pose[i];
    if (mesh->ntri) status = compile_skin(m, mesh, &def->region, to, &rows, &g->skin[i], error);
    pl_mesh_destroy(mesh);
  }
  if (status) return status;
  if (!rows)
    return pl_fail(
        error, PL_ERROR_INPUT,
        "sensor '%s' (taxels): its region holds no facet of '%s' whole; regions are in the frame of the body "
        "or shape, and a box has two facets on each side",
        def->name, def->on);
  sensor->rows = sensor->width = rows, sensor->height = 1;
  return PL_OK;
}

// ---- shares

int pl_taxels_on_skin(const plTaxelSkin* skin, plVec3 x, int row[3], double share[3]) {
  if (!skin->row) return 0;
  plTriHit hit = pl_tri_tree_closest(&skin->tree, x, INFINITY);
  if (hit.tri < 0) return 0;
  const int* v = skin->tree.tri + 3 * (size_t)hit.tri;
  for (int k = 0; k < 3; k++)
    if ((row[k] = skin->row[v[k]]) < 0) return 0;
  plVec3 a = v3_load(skin->tree.vert + 3 * (size_t)v[0]),
         e1 = v3_sub(v3_load(skin->tree.vert + 3 * (size_t)v[1]), a),
         e2 = v3_sub(v3_load(skin->tree.vert + 3 * (size_t)v[2]), a), n = v3_cross(e1, e2),
         d = v3_sub(hit.point, a);
  double area = v3_dot(n, n);
  if (!(area > 0)) return share[0] = 1, 1;
  share[1] = v3_dot(n, v3_cross(d, e2)) / area, share[2] = v3_dot(n, v3_cross(e1, d)) / area;
  share[0] = 1 - share[1] - share[2];
  return 3;
}

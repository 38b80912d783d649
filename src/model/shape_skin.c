// shape_skin.c: rigid boxes and meshes as closed surfaces, and their positions in the world.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/pose.h"
#include "model/work.h"

// The corners of a box are numbered x + 2 y + 4 z.
static const int box_tri[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

static plStatus box_skin(plVec3 size, plSkin** skin, plError* error) {
  plStatus status = pl_skin_create(8, box_tri, 12, skin, error);
  if (status) return status;
  double half = 0.5 * fmin(size.x, fmin(size.y, size.z));
  for (int t = 0; t < 12; t++) (*skin)->tri_limit[t] = half;
  return PL_OK;
}

// Half the thickness behind each facet, found by a ray inwards from its centre.
static plStatus mesh_skin(const plTriTree* tree, int nvert, plSkin** skin, plError* error) {
  plStatus status = pl_skin_create(nvert, tree->tri, tree->ntri, skin, error);
  if (status) return status;
  plSkin* s = *skin;
  assert(s->nvert == nvert && s->ntri == tree->ntri);
  memcpy(s->x, tree->vert, 3 * (size_t)nvert * sizeof(double));
  status = pl_skin_tree(s, error);
  if (status) return status;
  pl_skin_update(s);
  double whole = v3_norm(v3_sub(s->upper, s->lower));
  for (int t = 0; t < s->ntri; t++) {
    const int* v = s->tri + 3 * (size_t)t;
    plVec3 centre = v3_scale(1.0 / 3, v3_add(skin_x(s, v[0]), v3_add(skin_x(s, v[1]), skin_x(s, v[2]))));
    plVec3 inward = v3_neg(skin_normal(s, t));
    plTriHit hit = pl_tri_tree_ray(tree, v3_madd(centre, 1e-6 * whole, inward), inward, whole);
    s->tri_limit[t] = 0.5 * (hit.tri >= 0 ? hit.t : whole);
  }
  return PL_OK;
}

// Corner v of the shape in its own frame.
static plVec3 corner(const plModel* model, int g, int v) {
  plVec3 size = model->shape_size[g];
  if (model->shape_kind[g] == PL_SHAPE_MESH) return v3_load(model->work->shape_tree[g]->vert + 3 * (size_t)v);
  return v3((v & 1 ? 0.5 : -0.5) * size.x, (v & 2 ? 0.5 : -0.5) * size.y, (v & 4 ? 0.5 : -0.5) * size.z);
}

void pl_shape_skin_move(const plModel* model, int g, plPose pose, plSkin* skin) {
  for (int v = 0; v < skin->nvert; v++)
    v3_store(skin->x + 3 * (size_t)v, pose_apply(pose, corner(model, g, v)));
  pl_skin_bounds(skin);
}

void pl_shape_skin_box(const plModel* model, int g, const plSkin* skin, plVec3* middle, plVec3* half) {
  plVec3 upper = v3(-INFINITY, -INFINITY, -INFINITY), lower = v3_neg(upper);
  for (int v = 0; v < skin->nvert; v++) {
    if (skin->vert_tri[v] < 0) continue;
    lower = v3_min(lower, corner(model, g, v)), upper = v3_max(upper, corner(model, g, v));
  }
  *middle = v3_scale(0.5, v3_add(lower, upper)), *half = v3_scale(0.5, v3_sub(upper, lower));
}

plStatus pl_shape_skin_create(const plModel* model, int g, plSkin** skin, plError* error) {
  *skin = NULL;
  plStatus status = PL_OK;
  if (model->shape_kind[g] == PL_SHAPE_BOX) status = box_skin(model->shape_size[g], skin, error);
  const plHull* hull = model->work->shape_hull[g];
  if (model->shape_kind[g] == PL_SHAPE_MESH)
    status =
        mesh_skin(model->work->shape_tree[g], hull ? hull->nvert : model->shape_mesh[g]->nvert, skin, error);
  if (status || !*skin) return status;
  pl_skin_limits(*skin);
  pl_shape_skin_move(model, g, model->shape_pose[g], *skin);
  pl_skin_update(*skin);
  (*skin)->rigid = true;
  return PL_OK;
}

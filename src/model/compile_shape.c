// compile_shape.c: rigid shapes of the spec -> arrays of the model.
#include <string.h>

#include "base/error.h"
#include "model/spec.h"
#include "model/work.h"

plStatus pl_compile_shapes(const plSpec* spec, plModel* model, plError* error) {
  plArena* arena = &model->work->arena;
  int n = spec->nshape;
  model->shape_name = PL_KEEP(arena, char*, n);
  model->shape_body = PL_KEEP(arena, int, n);
  model->shape_kind = PL_KEEP(arena, plShapeKind, n);
  model->shape_pose = PL_KEEP(arena, plPose, n);
  model->shape_size = PL_KEEP(arena, plVec3, n);
  model->shape_radius = PL_KEEP(arena, double, n);
  model->shape_length = PL_KEEP(arena, double, n);
  model->shape_mesh = PL_KEEP(arena, plMesh*, n);
  model->work->par.shape_surface = PL_KEEP(arena, plSurface, n);
  model->shape_convex = PL_KEEP(arena, bool, n);
  model->shape_collide = PL_KEEP(arena, bool, n);
  model->shape_colour = PL_KEEP(arena, plVec3, n);
  model->work->shape_tree = PL_KEEP(arena, plTriTree*, n);
  model->work->shape_hull = PL_KEEP(arena, plHull*, n);
  if (arena->failed) return pl_fail_out_of_memory(error, (size_t)n * sizeof(plPose));
  for (int g = 0; g < n; g++) {
    const plShapeDef* def = &spec->shape[g];
    model->nshape = g + 1;
    size_t length = strlen(def->name) + 1;
    model->shape_name[g] = PL_KEEP(arena, char, length);
    if (!model->shape_name[g]) return pl_fail_out_of_memory(error, length);
    memcpy(model->shape_name[g], def->name, length);
    model->shape_body[g] = def->body;
    model->shape_kind[g] = def->kind;
    model->shape_pose[g] = def->pose;
    model->shape_size[g] = def->size;
    model->shape_radius[g] = def->radius;
    model->shape_length[g] = def->length;
    model->work->par.shape_surface[g] = def->surface;
    model->shape_convex[g] = def->convex;
    model->shape_collide[g] = def->collide;
    model->shape_colour[g] = def->colour;
    if (!def->mesh) continue;
    plMesh* mesh = model->shape_mesh[g] = pl_mesh_copy(def->mesh, error);
    if (!mesh) return PL_ERROR_MEMORY;
    // visual shapes need no contact surface
    if (!def->collide) continue;
    plHull* hull = NULL;
    plStatus status = def->convex ? pl_hull_create(mesh->vert, mesh->nvert, &hull, error) : PL_OK;
    model->work->shape_hull[g] = hull;
    if (!status)
      status =
          hull ? pl_tri_tree_create(hull->vert, hull->tri, hull->ntri, &model->work->shape_tree[g], error)
               : pl_tri_tree_create(mesh->vert, mesh->tri, mesh->ntri, &model->work->shape_tree[g], error);
    if (status) return status;
  }
  return PL_OK;
}

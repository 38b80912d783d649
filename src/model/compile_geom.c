// compile_geom.c: rigid shapes of the spec -> arrays of the model.
#include <string.h>

#include "base/error.h"
#include "model/spec.h"
#include "model/work.h"

plStatus pl_compile_geometries(const plSpec* spec, plModel* model, plError* error) {
  plArena* arena = &model->work->arena;
  int n = spec->ngeom;
  model->geom_name = PL_KEEP(arena, char*, n);
  model->geom_body = PL_KEEP(arena, int, n);
  model->geom_kind = PL_KEEP(arena, plShapeKind, n);
  model->geom_pose = PL_KEEP(arena, plPose, n);
  model->geom_size = PL_KEEP(arena, plVec3, n);
  model->geom_radius = PL_KEEP(arena, double, n);
  model->geom_length = PL_KEEP(arena, double, n);
  model->geom_mesh = PL_KEEP(arena, plMesh*, n);
  model->work->par.geom_surface = PL_KEEP(arena, plSurface, n);
  model->geom_convex = PL_KEEP(arena, bool, n);
  model->geom_collide = PL_KEEP(arena, bool, n);
  model->geom_colour = PL_KEEP(arena, plVec3, n);
  model->work->geom_tree = PL_KEEP(arena, plTriTree*, n);
  model->work->geom_hull = PL_KEEP(arena, plHull*, n);
  if (arena->failed) return pl_fail_out_of_memory(error, (size_t)n * sizeof(plPose));
  for (int g = 0; g < n; g++) {
    const plGeometryDef* def = &spec->geom[g];
    model->ngeom = g + 1;
    size_t length = strlen(def->name) + 1;
    model->geom_name[g] = PL_KEEP(arena, char, length);
    if (!model->geom_name[g]) return pl_fail_out_of_memory(error, length);
    memcpy(model->geom_name[g], def->name, length);
    model->geom_body[g] = def->body;
    model->geom_kind[g] = def->kind;
    model->geom_pose[g] = def->pose;
    model->geom_size[g] = def->size;
    model->geom_radius[g] = def->radius;
    model->geom_length[g] = def->length;
    model->work->par.geom_surface[g] = def->surface;
    model->geom_convex[g] = def->convex;
    model->geom_collide[g] = def->collide;
    model->geom_colour[g] = def->colour;
    if (!def->mesh) continue;
    plMesh* mesh = model->geom_mesh[g] = pl_mesh_copy(def->mesh, error);
    if (!mesh) return PL_ERROR_MEMORY;
    // what is only drawn needs no surface
    if (!def->collide) continue;
    plHull* hull = NULL;
    plStatus status = def->convex ? pl_hull_create(mesh->vert, mesh->nvert, &hull, error) : PL_OK;
    model->work->geom_hull[g] = hull;
    if (!status)
      status = hull
                   ? pl_tri_tree_create(hull->vert, hull->tri, hull->ntri, &model->work->geom_tree[g], error)
                   : pl_tri_tree_create(mesh->vert, mesh->tri, mesh->ntri, &model->work->geom_tree[g], error);
    if (status) return status;
  }
  return PL_OK;
}

// look.c: shapes -> triangles; visual and collision shapes; colours.
#include "sensor/look.h"

#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/shape.h"

plMesh* pl_look_tessellate(const plModel* m, int g, plError* error) {
  if (m->shape_kind[g] == PL_SHAPE_MESH) return pl_mesh_copy(m->shape_mesh[g], error);
  plShape shape = {m->shape_kind[g], m->shape_size[g], m->shape_radius[g], m->shape_length[g], NULL};
  const plShapeTraits* traits = pl_shape_traits[shape.kind];
  return traits->facets ? traits->facets(&shape, error) : pl_mesh_create(0, 0, 0, error);
}

// ---- what is visible

bool* pl_look_dressed(const plModel* m) {
  bool* dressed = PL_NEW(bool, m->nbody);
  for (int g = 0; dressed && g < m->nshape; g++)
    if (m->shape_body[g] >= 0 && !m->shape_collide[g]) dressed[m->shape_body[g]] = true;
  return dressed;
}

bool pl_look_shown(const plModel* m, const bool* dressed, int g) {
  if (m->shape_kind[g] == PL_SHAPE_HALF_SPACE) return false;
  return m->shape_body[g] < 0 || !m->shape_collide[g] || !dressed[m->shape_body[g]];
}

// Deformable bodies take these colours in turn.
static const plVec3 palette[] = {{0.93, 0.42, 0.31}, {0.16, 0.60, 0.62}, {0.96, 0.70, 0.26},
                                 {0.36, 0.43, 0.80}, {0.55, 0.72, 0.36}, {0.79, 0.44, 0.66}};
enum { NPALETTE = sizeof palette / sizeof *palette };

plVec3 pl_look_colour(int deformable) { return palette[deformable % NPALETTE]; }

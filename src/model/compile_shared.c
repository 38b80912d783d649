// compile_shared.c: data that all simulations of a model share: orderings and symbolic factorizations,
// surfaces with their neighbours, depth limits and trees at rest.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/work.h"

// Closed surfaces for contact: every deformable's boundary, boxes as twelve facets, meshes as they are.
static plStatus make_skins(plModel* model, plError* error) {
  plModelWork* work = model->work;
  for (int b = 0; b < model->ndeform; b++) {
    int tri0 = model->deform_tri0[b], ntri = model->deform_tri0[b + 1] - tri0, vert0 = model->deform_vert0[b];
    int* tri = PL_NEW(int, 3 * ntri);
    if (!tri) return pl_fail_out_of_memory(error, 3 * (size_t)ntri * sizeof(int));
    for (int i = 0; i < 3 * ntri; i++) tri[i] = model->tri_vert[3 * (size_t)tri0 + (size_t)i] - vert0;
    plStatus status =
        pl_skin_create(model->deform_vert0[b + 1] - vert0, tri, ntri, &work->deform_skin[b], error);
    pl_free(tri);
    if (status) return status;
    // The thickness behind a facet is the altitude of its tet; if that tet also reaches the opposite surface,
    // each side has half of it.
    plSkin* skin = work->deform_skin[b];
    memcpy(skin->x, model->vert_rest + 3 * (size_t)vert0, 3 * (size_t)skin->nvert * sizeof(double));
    status = pl_skin_tree(skin, error);
    if (status) return status;
    pl_skin_update(skin);
    for (int t = 0; t < ntri; t++) {
      // the face of a quadratic tet consists of four facets
      int tet = model->tri_tet[tri0 + t];
      assert(tet >= model->deform_tet0[b] && tet < model->deform_tet0[b + 1]);
      double area = (model->tet_mid[6 * (size_t)tet] >= 0 ? 4 : 1) * skin->tri_area[t];
      bool across = true;
      for (int k = 0; k < 4; k++)
        across = across && skin->vert_tri[model->tet_vert[4 * (size_t)tet + (size_t)k] - vert0] >= 0;
      skin->tri_limit[t] = area > 0 ? (across ? 0.5 : 1) * 3 * model->tet_volume[tet] / area : 0;
    }
    pl_skin_limits(skin);
    // six tetrahedra make a cube
    int ntet = model->deform_tet0[b + 1] - model->deform_tet0[b];
    skin->solid = pow(6 * model->deform_volume[b] / ntet, 1.0 / 3);
  }
  for (int g = 0; g < model->nshape; g++) {
    if (!model->shape_collide[g]) continue;
    plStatus status = pl_shape_skin_create(model, g, &work->shape_skin[g], error);
    if (status) return status;
  }
  return PL_OK;
}

plStatus pl_compile_shared(plModel* model, plError* error) {
  plModelWork* work = model->work;
  plArena* arena = &work->arena;
  work->chol = PL_KEEP(arena, plChol*, model->ndeform);
  work->deform_skin = PL_KEEP(arena, plSkin*, model->ndeform);
  work->shape_skin = PL_KEEP(arena, plSkin*, model->nshape);
  if (arena->failed) return pl_fail_out_of_memory(error, 8 * (size_t)(model->ndeform + model->nshape));
  plStatus status = PL_OK;
  for (int b = 0; b < model->ndeform && !status; b++)
    status = pl_chol_create(work->pattern[b], PL_ORDER_DISSECTION,
                            model->vert_rest + 3 * (size_t)model->deform_vert0[b], &work->chol[b], error);
  return status ? status : make_skins(model, error);
}

void pl_destroy_shared(plModel* model) {
  plModelWork* work = model->work;
  for (int b = 0; work->chol && b < model->ndeform; b++) pl_chol_destroy(work->chol[b]);
  for (int b = 0; work->deform_skin && b < model->ndeform; b++) pl_skin_destroy(work->deform_skin[b]);
  for (int g = 0; work->shape_skin && g < model->nshape; g++) pl_skin_destroy(work->shape_skin[g]);
}

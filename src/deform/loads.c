// loads.c: external forces on deformable bodies.
//
// in: q, time, f_user -> out: f_ext
#include "deform/deform.h"

void pl_deform_loads(const plModel* model, plData* data) {
  const plVec3 g = model->options.gravity;
  double gravity[3] = {g.x, g.y, g.z}, *f_ext = data->work->f_ext;
  for (int b = 0; b < model->ndeform; b++) {
    int vert0 = model->deform_vert0[b], v0 = model->deform_v0[b];
    for (int i = 0; i < 3 * (model->deform_vert0[b + 1] - vert0); i++)
      f_ext[v0 + i] = model->vert_mass[vert0 + i / 3] * gravity[i % 3] + data->f_user[v0 + i];
  }
}

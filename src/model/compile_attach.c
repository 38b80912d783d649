// compile_attach.c: attachments of the spec -> vertices by region.
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "math/vec3.h"
#include "model/spec.h"
#include "model/work.h"

plStatus pl_compile_attachments(const plSpec* spec, plModel* model, plError* error) {
  plArena* arena = &model->work->arena;
  int n = spec->nattach;
  model->nattach = n;
  model->attach_name = PL_KEEP(arena, char*, n);
  model->attach_deform = PL_KEEP(arena, int, n);
  model->attach_body = PL_KEEP(arena, int, n);
  model->attach_other = PL_KEEP(arena, int, n);
  model->attach_vert0 = PL_KEEP(arena, int, n + 1);
  model->attach_stiffness = PL_KEEP(arena, double, n);
  model->attach_relaxation = PL_KEEP(arena, double, n);
  model->attach_off = PL_KEEP(arena, bool, n);
  if (arena->failed) return pl_fail_out_of_memory(error, 64 * (size_t)n);
  // Counted first, then listed.
  for (int pass = 0; pass < 2; pass++) {
    int total = 0;
    for (int i = 0; i < n; i++) {
      const plAttachDef* def = &spec->attach[i];
      int b = def->deformable, vert0 = model->deform_vert0[b];
      double slack = 1e-9 * pl_deform_size(model, b);
      model->attach_vert0[i] = total;
      for (int v = vert0; v < model->deform_vert0[b + 1]; v++)
        if (pl_in_region(&def->region, v3_load(model->vert_rest + 3 * (size_t)v), v - vert0, slack)) {
          if (pass) model->attach_vert[total] = v - vert0;
          total++;
        }
      if (total == model->attach_vert0[i])
        return pl_fail(error, PL_ERROR_INPUT, "attachment '%s' holds no vertex of '%s'; regions are in the body's frame, on the mesh as given "
                       "(`pliant info` prints its bounding box)", def->name, model->deform_name[b]);
      if (pass) continue;
      size_t length = strlen(def->name) + 1;
      model->attach_name[i] = PL_KEEP(arena, char, length);
      if (!model->attach_name[i]) return pl_fail_out_of_memory(error, length);
      memcpy(model->attach_name[i], def->name, length);
      model->attach_deform[i] = b;
      model->attach_body[i] = def->body;
      model->attach_other[i] = def->other;
      model->attach_stiffness[i] = def->stiffness;
      model->attach_relaxation[i] = def->relaxation_time;
      model->attach_off[i] = def->off;
    }
    model->attach_vert0[n] = total;
    if (!pass && !(model->attach_vert = PL_KEEP(arena, int, total))) return pl_fail_out_of_memory(error, (size_t)total * sizeof(int));
  }
  return PL_OK;
}

uint64_t pl_hash_attachments(const plModel* model, uint64_t h) {
  size_t n = (size_t)model->nattach;
  h = pl_hash(h, model->attach_deform, n * sizeof(int));
  h = pl_hash(h, model->attach_body, n * sizeof(int));
  h = pl_hash(h, model->attach_other, n * sizeof(int));
  h = pl_hash(h, model->attach_vert, (size_t)model->attach_vert0[n] * sizeof(int));
  h = pl_hash(h, model->attach_stiffness, n * sizeof(double));
  h = pl_hash(h, model->attach_relaxation, n * sizeof(double));
  return pl_hash(h, model->attach_off, n * sizeof(bool));
}

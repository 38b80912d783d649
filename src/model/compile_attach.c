// compile_attach.c: attachments of the spec -> vertices by region.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "fem/law.h"
#include "math/vec3.h"
#include "model/spec.h"
#include "model/work.h"

// A vertex can be attached exactly to one body only, and not if its motion is prescribed.
static plStatus check_exact(const plModel* model, plError* error) {
  for (int i = 0; i < model->nattach; i++) {
    if (!model->attach_exact[i]) continue;
    int b = model->attach_deform[i];
    if (!pl_law_is_linear(model->work->par.deform_material[b].kind))
      return pl_fail(
          error, PL_ERROR_INPUT,
          "attachment '%s' is exact, which needs a linear material (linear, linear_corotated) on '%s'; "
          "leave 'exact' out",
          model->attach_name[i], model->deform_name[b]);
    for (int k = model->attach_vert0[i]; k < model->attach_vert0[i + 1]; k++) {
      int vert = model->attach_vert[k];
      if (model->vert_fixed[model->deform_vert0[b] + vert])
        return pl_fail(error, PL_ERROR_INPUT,
                       "attachment '%s' is exact, but the motion of vertex %d of '%s' is prescribed already",
                       model->attach_name[i], model->vert_number[model->deform_vert0[b] + vert],
                       model->deform_name[b]);
      for (int j = 0; j < i; j++)
        for (int l = model->attach_vert0[j];
             model->attach_exact[j] && model->attach_deform[j] == b && l < model->attach_vert0[j + 1]; l++)
          if (model->attach_vert[l] == vert)
            return pl_fail(error, PL_ERROR_INPUT,
                           "attachments '%s' and '%s' are both exact and both hold vertex %d of '%s'; make "
                           "one of them compliant",
                           model->attach_name[j], model->attach_name[i],
                           model->vert_number[model->deform_vert0[b] + vert], model->deform_name[b]);
    }
  }
  return PL_OK;
}

static plStatus compile(const plSpec* spec, plModel* model, bool* inside, plError* error) {
  plArena* arena = &model->work->arena;
  int n = spec->nattach;
  model->nattach = n;
  model->attach_name = PL_KEEP(arena, char*, n);
  model->attach_deform = PL_KEEP(arena, int, n);
  model->attach_body = PL_KEEP(arena, int, n);
  model->attach_other = PL_KEEP(arena, int, n);
  model->attach_vert0 = PL_KEEP(arena, int, n + 1);
  model->work->par.attach_stiffness = PL_KEEP(arena, double, n);
  model->work->par.attach_relaxation = PL_KEEP(arena, double, n);
  model->attach_exact = PL_KEEP(arena, bool, n);
  model->attach_off = PL_KEEP(arena, bool, n);
  if (arena->failed) return pl_fail_out_of_memory(error, 64 * (size_t)n);
  // Counted first, then listed.
  for (int pass = 0, room = 0; pass < 2; pass++) {
    int total = 0;
    for (int i = 0; i < n; i++) {
      const plAttachDef* def = &spec->attach[i];
      int b = def->deformable, vert0 = model->deform_vert0[b];
      pl_mark_region(model, b, &def->region, inside);
      model->attach_vert0[i] = total;
      for (int v = vert0; v < model->deform_vert0[b + 1]; v++)
        if (inside[v]) {
          assert(!pass || total < room);
          if (pass) model->attach_vert[total] = v - vert0;
          total++;
        }
      if (total == model->attach_vert0[i])
        return pl_fail(
            error, PL_ERROR_INPUT,
            "attachment '%s' holds no vertex of '%s'; regions are in the body's frame, on the mesh as given "
            "(`pliant info` prints its bounding box)",
            def->name, model->deform_name[b]);
      if (pass) continue;
      size_t length = strlen(def->name) + 1;
      model->attach_name[i] = PL_KEEP(arena, char, length);
      if (!model->attach_name[i]) return pl_fail_out_of_memory(error, length);
      memcpy(model->attach_name[i], def->name, length);
      model->attach_deform[i] = b;
      model->attach_body[i] = def->body;
      model->attach_other[i] = def->other;
      model->work->par.attach_stiffness[i] = def->stiffness;
      model->work->par.attach_relaxation[i] = def->relaxation_time;
      model->attach_exact[i] = def->exact;
      model->attach_off[i] = def->off;
    }
    model->attach_vert0[n] = room = total;
    if (!pass && !(model->attach_vert = PL_KEEP(arena, int, total)))
      return pl_fail_out_of_memory(error, (size_t)total * sizeof(int));
  }
  return check_exact(model, error);
}

plStatus pl_compile_attachments(const plSpec* spec, plModel* model, plError* error) {
  bool* inside = PL_NEW(bool, model->nvert);
  plStatus status =
      inside ? compile(spec, model, inside, error) : pl_fail_out_of_memory(error, (size_t)model->nvert);
  pl_free(inside);
  return status;
}

uint64_t pl_hash_attachments(const plModel* model, uint64_t h) {
  size_t n = (size_t)model->nattach;
  h = pl_hash(h, model->attach_deform, n * sizeof(int));
  h = pl_hash(h, model->attach_body, n * sizeof(int));
  h = pl_hash(h, model->attach_other, n * sizeof(int));
  h = pl_hash(h, model->attach_vert, (size_t)model->attach_vert0[n] * sizeof(int));
  h = pl_hash(h, model->attach_exact, n * sizeof(bool));
  return pl_hash(h, model->attach_off, n * sizeof(bool));
}

// compile_load.c: loads of the spec -> the vertices, tetrahedra or triangles each one acts on.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "fem/elements.h"
#include "math/vec3.h"
#include "model/spec.h"
#include "model/work.h"

static bool all_inside(const int* vert, int n, const bool* inside) {
  for (int k = 0; k < n; k++)
    if (!inside[vert[k]]) return false;
  return true;
}

// Lists the objects on which a load acts; item may be NULL to count.
static int list_items(const plModel* model, const plLoadDef* load, const bool* inside, int* item) {
  int b = load->deformable, n = 0;
  if (load->kind == PL_LOAD_VERTEX) {
    for (int i = model->deform_vert0[b]; i < model->deform_vert0[b + 1]; i++)
      if (inside[i]) item ? item[n++] = i : n++;
  } else if (load->kind == PL_LOAD_FORCE_DENSITY) {
    for (int t = model->deform_tet0[b]; t < model->deform_tet0[b + 1]; t++)
      if (all_inside(model->tet_vert + 4 * (size_t)t, 4, inside)) item ? item[n++] = t : n++;
  } else {
    int step = pl_elements[model->work->par.deform_material[b].element].quadratic ? 4 : 1;
    for (int t = model->deform_tri0[b]; t < model->deform_tri0[b + 1]; t += step)
      if (all_inside(model->tri_vert + 3 * (size_t)t, 3 * step, inside)) item ? item[n++] = t : n++;
  }
  return n;
}

static plStatus fill(const plSpec* spec, plModel* model, bool* inside, plError* error) {
  plLoads* loads = &model->work->loads;
  for (int l = 0; l < loads->n; l++) {
    const plLoadDef* load = &spec->load[l];
    loads->body[l] = load->deformable;
    loads->kind[l] = load->kind;
    loads->vector[l] = load->vector;
    loads->pressure[l] = load->pressure;
    loads->knot0[l + 1] = loads->knot0[l] + load->ntime;
    for (int k = 0; k < load->ntime; k++) {
      loads->time[loads->knot0[l] + k] = load->time[k];
      loads->factor[loads->knot0[l] + k] = load->factor[k];
    }
    pl_mark_region(model, load->deformable, &load->region, inside);
    loads->item0[l + 1] = loads->item0[l] + list_items(model, load, inside, NULL);
    if (loads->item0[l + 1] == loads->item0[l])
      return pl_fail(
          error, PL_ERROR_INPUT,
          "the region of a %s load on '%s' holds nothing to act on; regions are in the body's frame, on the "
          "mesh as given (`pliant info` prints its bounding box)",
          pl_load_name(load->kind), model->deform_name[load->deformable]);
  }
  loads->item = PL_KEEP(&model->work->arena, int, loads->item0[loads->n]);
  if (!loads->item) return pl_fail_out_of_memory(error, 4 * (size_t)loads->item0[loads->n]);
  for (int l = 0; l < loads->n; l++) {
    pl_mark_region(model, spec->load[l].deformable, &spec->load[l].region, inside);
    int n = list_items(model, &spec->load[l], inside, loads->item + loads->item0[l]);
    assert(n == loads->item0[l + 1] - loads->item0[l]);  // as many as were counted
    (void)n;
  }
  return PL_OK;
}

plStatus pl_compile_loads(const plSpec* spec, plModel* model, plError* error) {
  plLoads* loads = &model->work->loads;
  plArena* arena = &model->work->arena;
  int n = loads->n = spec->nload, nknot = 0;
  for (int l = 0; l < n; l++) nknot += spec->load[l].ntime;
  loads->body = PL_KEEP(arena, int, n);
  loads->kind = PL_KEEP(arena, plLoadKind, n);
  loads->vector = PL_KEEP(arena, plVec3, n);
  loads->pressure = PL_KEEP(arena, double, n);
  loads->knot0 = PL_KEEP(arena, int, n + 1);
  loads->time = PL_KEEP(arena, double, nknot);
  loads->factor = PL_KEEP(arena, double, nknot);
  loads->item0 = PL_KEEP(arena, int, n + 1);
  bool* inside = PL_NEW(bool, model->nvert);
  plStatus status = arena->failed || !inside ? pl_fail_out_of_memory(error, (size_t)model->nvert)
                                             : fill(spec, model, inside, error);
  pl_free(inside);
  return status;
}

uint64_t pl_hash_loads(const plModel* model, uint64_t h) {
  const plLoads* l = &model->work->loads;
  h = pl_hash(h, &l->n, sizeof l->n);
  h = pl_hash(h, l->kind, (size_t)l->n * sizeof *l->kind);
  h = pl_hash(h, l->vector, (size_t)l->n * sizeof *l->vector);
  h = pl_hash(h, l->pressure, (size_t)l->n * sizeof *l->pressure);
  h = pl_hash(h, l->time, (size_t)l->knot0[l->n] * sizeof *l->time);
  h = pl_hash(h, l->factor, (size_t)l->knot0[l->n] * sizeof *l->factor);
  return pl_hash(h, l->item, (size_t)l->item0[l->n] * sizeof *l->item);
}

// Which knots and objects belong to which load.
uint64_t pl_hash_load_parts(const plModel* model, uint64_t h) {
  const plLoads* l = &model->work->loads;
  size_t n = (size_t)l->n + 1;
  return pl_hash(pl_hash(h, l->knot0, n * sizeof *l->knot0), l->item0, n * sizeof *l->item0);
}

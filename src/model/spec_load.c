// spec_load.c: adding loads on deformable bodies to a spec.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/pose.h"
#include "model/spec.h"

const char* pl_load_name(plLoadKind kind) {
  static const char* const names[PL_LOAD_COUNT] = {"vertex", "force_density", "traction", "pressure"};
  return (int)kind >= 0 && kind < PL_LOAD_COUNT ? names[kind] : "unknown load";
}

plLoadDef pl_default_load_def(void) {
  return (plLoadDef){.mark = PL_DEF_MARK, .region = pl_default_region(), .kind = PL_LOAD_TRACTION};
}

void pl_load_def_free(plLoadDef* def) {
  pl_free((void*)def->region.index);
  pl_free((void*)def->time);
  pl_free((void*)def->factor);
}

static plStatus check(const plSpec* spec, const plLoadDef* def, plError* error) {
  plStatus status = pl_spec_check_region(spec, def->deformable, &def->region, error);
  if (status) return status;
  const char* name = spec->deform[def->deformable].name;
  if ((int)def->kind < 0 || def->kind >= PL_LOAD_COUNT)
    return pl_fail(error, PL_ERROR_INPUT,
                   "a load on '%s' must be vertex, force_density, traction or pressure, got number %d", name,
                   (int)def->kind);
  if (!v3_finite(def->vector) || !isfinite(def->pressure))
    return pl_fail(error, PL_ERROR_INPUT, "a %s load on '%s' is not finite", pl_load_name(def->kind), name);
  return pl_spec_check_table("a load on", name, def->ntime, def->time, def->factor, 1, error);
}

plStatus pl_spec_add_load(plSpec* spec, const plLoadDef* def, plError* error) {
  assert(spec != NULL && def != NULL);
  if (pl_check_mark(def->mark, "load", error)) return PL_ERROR_INPUT;
  plStatus status = check(spec, def, error);
  if (status) return status;
  plLoadDef load = *def;
  bool failed = !pl_grow((void**)&spec->load, &spec->load_cap, spec->nload, sizeof *spec->load);
  load.region.pose.q = quat_unit(def->region.pose.q);
  load.region.nindex = def->region.kind == PL_REGION_INDICES ? def->region.nindex : 0;
  load.region.index = pl_copy_list(def->region.index, load.region.nindex, sizeof(int), &failed);
  load.time = pl_copy_list(def->time, load.ntime, sizeof(double), &failed);
  load.factor = pl_copy_list(def->factor, load.ntime, sizeof(double), &failed);
  if (failed) {
    pl_load_def_free(&load);
    return pl_fail_out_of_memory(error, (size_t)load.ntime * sizeof(double));
  }
  pl_spec_sort_region(&load.region);
  spec->load[spec->nload++] = load;
  return PL_OK;
}

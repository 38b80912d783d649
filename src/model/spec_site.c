// spec_site.c: sites in a spec and in the model.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "math/pose.h"
#include "model/spec.h"
#include "model/work.h"

plSiteDef pl_default_site_def(void) {
  return (plSiteDef){.mark = PL_DEF_MARK, .body = -1, .pose = pose_identity()};
}

plStatus pl_spec_add_site(plSpec* spec, const plSiteDef* def, int* id, plError* error) {
  assert(spec != NULL && def != NULL);
  if (pl_check_mark(def->mark, "site", error)) return PL_ERROR_INPUT;
  plSiteDef copy = *def;
  plStatus status = pl_spec_check_word("site", def->name, error);
  if (status) return status;
  if (def->body < -1 || def->body >= spec->nbody)
    return pl_fail(error, PL_ERROR_INPUT, "site '%s': there is no rigid body %d, there are %d", def->name,
                   def->body, spec->nbody);
  status = pl_spec_check_pose(def->name, &copy.pose, error);
  for (int i = 0; i < spec->nsite && !status; i++)
    if (!strcmp(def->name, spec->site[i].name)) status = pl_spec_fail_taken("site", def->name, error);
  if (status) return status;
  copy.name = pl_strdup(def->name);
  if (!copy.name || !pl_grow((void**)&spec->site, &spec->site_cap, spec->nsite, sizeof copy)) {
    pl_free((void*)copy.name);
    return pl_fail_out_of_memory(error, sizeof copy);
  }
  if (id) *id = spec->nsite;
  spec->site[spec->nsite++] = copy;
  return PL_OK;
}

plStatus pl_compile_sites(const plSpec* spec, plModel* m, plError* error) {
  plArena* arena = &m->work->arena;
  m->site_name = PL_KEEP(arena, char*, spec->nsite);
  m->site_body = PL_KEEP(arena, int, spec->nsite);
  m->site_pose = PL_KEEP(arena, plPose, spec->nsite);
  for (int i = 0; i < spec->nsite && !arena->failed; i++) {
    const plSiteDef* def = &spec->site[i];
    size_t n = strlen(def->name) + 1;
    m->site_body[i] = def->body, m->site_pose[i] = def->pose;
    if ((m->site_name[i] = PL_KEEP(arena, char, n))) memcpy(m->site_name[i], def->name, n);
  }
  if (arena->failed) return pl_fail_out_of_memory(error, (size_t)spec->nsite * sizeof(plSiteDef));
  m->nsite = spec->nsite;
  return PL_OK;
}

// compile_effort.c: limits of a dof's force. They apply to the sum of its actuators.
//
// A single actuator that acts on nothing else takes them as limits of its own force. On other dofs the sum is
// limited in the step (model/effort.h).
#include <assert.h>
#include <math.h>

#include "base/error.h"
#include "base/hash.h"
#include "model/spec.h"
#include "model/work.h"

static bool is_limited(const plModel* m, int dof) {
  return isfinite(m->dof_force_lower[dof]) || isfinite(m->dof_force_upper[dof]);
}

// f with lower <= c f <= upper
static void limit_by_dof(const plModel* m, int act, int term, double* lower, double* upper) {
  double c = m->act_coefficient[term], low = m->dof_force_lower[m->act_term[term]],
         high = m->dof_force_upper[m->act_term[term]];
  if (c == 0 || m->work->act_spring[act]) return;
  *lower = fmax(*lower, c > 0 ? low / c : high / c);
  *upper = fmax(*lower, fmin(*upper, c > 0 ? high / c : low / c));
}

void pl_effort_bounds(const plData* data, int a, double* lower, double* upper) {
  const plModel* m = data->model;
  *lower = data->par->act_force_lower[a], *upper = data->par->act_force_upper[a];
  if (!pl_actuator_has_sites(m, a) && pl_actuator_is_tendon(m, a))
    for (int k = m->act_term0[a]; k < m->act_term0[a + 1]; k++) limit_by_dof(m, a, k, lower, upper);
}

static bool acts(const plModel* m, int a, int term) {
  return !m->work->act_spring[a] && (pl_actuator_has_sites(m, a) || m->act_coefficient[term] != 0);
}

// *count: actuators on each limited dof; summed: some of them need their sum.
static void count_actuators(plModel* m, int* count) {
  for (int a = 0; a < m->nact; a++)
    for (int k = m->act_term0[a]; k < m->act_term0[a + 1]; k++) {
      int dof = m->act_term[k];
      if (!is_limited(m, dof) || !acts(m, a, k)) continue;
      count[dof]++;
      if (count[dof] > 1 || pl_actuator_is_tendon(m, a)) m->work->dof_summed[dof] = true;
    }
}

static void fill_dof(plModel* m, int dof) {
  plModelWork* w = m->work;
  int n = w->effort0[w->neffort];
  for (int a = 0; a < m->nact; a++)
    for (int k = m->act_term0[a]; k < m->act_term0[a + 1]; k++)
      if (m->act_term[k] == dof && acts(m, a, k)) w->effort_act[n] = a, w->effort_term[n++] = k;
  w->effort_dof[w->neffort++] = dof, w->effort0[w->neffort] = n;
}

plStatus pl_compile_efforts(const plSpec* spec, plModel* m, plError* error) {
  plModelWork* w = m->work;
  plArena* arena = &w->arena;
  assert(m->nact == spec->nactuator);
  int n = 0, nsum = 0, *count = PL_NEW(int, m->nv_rigid);
  w->act_spring = PL_KEEP(arena, bool, m->nact), w->dof_summed = PL_KEEP(arena, bool, m->nv_rigid);
  if (!count || arena->failed) {
    pl_free(count);
    return pl_fail_out_of_memory(error, (size_t)m->nv_rigid * sizeof(int));
  }
  for (int a = 0; a < m->nact; a++) w->act_spring[a] = spec->actuator[a].spring;
  count_actuators(m, count);
  for (int i = 0; i < m->nv_rigid; i++)
    if (w->dof_summed[i]) nsum++, n += count[i];
  pl_free(count);
  w->effort_dof = PL_KEEP(arena, int, nsum), w->effort0 = PL_KEEP(arena, int, nsum + 1);
  w->effort_act = PL_KEEP(arena, int, n), w->effort_term = PL_KEEP(arena, int, n);
  if (arena->failed) return pl_fail_out_of_memory(error, 2 * (size_t)n * sizeof(int));
  for (int i = 0; i < m->nv_rigid && nsum; i++)
    if (w->dof_summed[i]) fill_dof(m, i);
  for (int a = 0; a < m->nact; a++)
    if (!pl_actuator_is_tendon(m, a) && !w->dof_summed[m->act_dof[a]])
      limit_by_dof(m, a, m->act_term0[a], &w->par.act_force_lower[a], &w->par.act_force_upper[a]);
  return PL_OK;
}

uint64_t pl_hash_efforts(const plModel* m, uint64_t h) {
  const plModelWork* w = m->work;
  for (int s = 0; s < w->neffort; s++) {
    int dof = w->effort_dof[s];
    h = pl_hash(pl_hash(pl_hash(h, &dof, sizeof dof), &m->dof_force_lower[dof], sizeof(double)),
                &m->dof_force_upper[dof], sizeof(double));
    h = pl_hash(h, w->effort_act + w->effort0[s], (size_t)(w->effort0[s + 1] - w->effort0[s]) * sizeof(int));
  }
  return h;
}

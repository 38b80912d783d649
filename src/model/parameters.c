// parameters.c: reading and setting the numbers of a plParameters, one by one and in bulk
// (include/pliant/parameters.h).
#include "pliant/parameters.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "model/parameter_list.h"
#include "model/spec.h"
#include "model/work.h"

// ---- values derived from parameters

void pl_actuator_apply(const plModel* model, plParameters* par, int i) {
  const plActuatorLaw* law = &par->act_law[i];
  double g = model->act_gear[i], *gain = par->act_gain + 3 * (size_t)i, *bias = par->act_bias + 3 * (size_t)i;
  for (int k = 0; k < 3; k++) gain[k] = bias[k] = 0;
  switch (model->act_kind[i]) {
    case PL_ACTUATOR_MOTOR:
      gain[0] = g;
      break;
    case PL_ACTUATOR_POSITION:
      gain[0] = g * law->kp, bias[1] = -g * g * law->kp, bias[2] = -g * g * law->kd;
      break;
    case PL_ACTUATOR_VELOCITY:
      gain[0] = g * law->kd, bias[2] = -g * g * law->kd;
      break;
    case PL_ACTUATOR_PD:
      gain[0] = g * law->kp, gain[1] = g * law->kd, gain[2] = g;
      bias[1] = -g * g * law->kp, bias[2] = -g * g * law->kd;
      break;
    default:
      gain[0] = g * law->gain;
      bias[0] = g * law->bias[0], bias[1] = g * g * law->bias[1], bias[2] = g * g * law->bias[2];
  }
}

// The inertia of every node is the sum over the bodies welded to it, in the order of the compilation.
static void apply_to_forest(const plModel* model, const plParameters* par, plTree* forest) {
  for (int i = 0; i < forest->nnode; i++)
    forest->node_weight[i] = 0, forest->node_moment[i] = v3(0, 0, 0), forest->node_sum[i] = (plInertia){0};
  for (int k = 0; k < model->nbody; k++) {
    int b = model->work->body_order[k], node = model->body_node[b];
    if (node < 0) continue;
    const double* I = par->body_inertia + 6 * (size_t)b;
    plPose pose = model->body_pose[b];
    plVec3 c = pose_apply(pose, par->body_com[b]);
    plSym3 central = {I[0], I[1], I[2], I[3], I[4], I[5]};
    if (pose.q.x != 0 || pose.q.y != 0 || pose.q.z != 0) central = sym3_rotate(quat_matrix(pose.q), central);
    double weight = par->body_gravity[b] * par->body_mass[b];
    forest->node_sum[node] = inertia_add(forest->node_sum[node], inertia_of(par->body_mass[b], c, central));
    forest->node_weight[node] += weight;
    forest->node_moment[node] = v3_madd(forest->node_moment[node], weight, c);
  }
  for (int i = 0; i < forest->nnode; i++) pl_tree_set_inertia(forest, i, forest->node_sum[i]);
}

static void apply_deformable(plData* data, int b) {
  plWork* work = data->work;
  const plModelWork* fixed = data->model->work;
  if (work->elastic[b])
    pl_elastic_set_law(fixed->elastic[b], work->elastic[b],
                       pl_law_of_material(&data->par->deform_material[b], fixed->points[b]->ngroup > 0));
  work->dt_limit = 0;
}

static void apply(plData* data, plParamGroup g, int i) {
  plWork* work = data->work;
  if (g == PL_PARAM_OPTIONS) work->dt_limit = 0;
  if (g == PL_PARAM_DEFORMABLE) apply_deformable(data, i);
  if (g == PL_PARAM_BODY) apply_to_forest(data->model, data->par, &work->forest);
  if (g == PL_PARAM_ACTUATOR) pl_actuator_apply(data->model, work->par, i);
  if (g == PL_PARAM_ATTACHMENT && i < data->nattach) {
    data->attach[i].stiffness = data->par->attach_stiffness[i];
    data->attach[i].relaxation_time = data->par->attach_relaxation[i];
  }
}

// ---- reading and setting

double pl_parameter_of(const plModel* model, const plParameters* par, int index) {
  plParamPlace p;
  return pl_param_place(model, index, &p) ? *pl_param_number(par, p) : NAN;
}

double pl_parameter_value(const plData* data, int index) {
  assert(data != NULL);
  return pl_parameter_of(data->model, data->par, index);
}

static plStatus set(plData* data, plParamPlace p, double value, plError* error) {
  const plModel* m = data->model;
  plStatus status = pl_param_check_number(m, p, value, error);
  if (!status && p.group == PL_PARAM_DEFORMABLE && !strncmp(p.entry->name, "material.", 9))
    status = pl_param_check_read(&m->par->deform_material[p.item], p.entry, error);
  if (status) return status;
  double *at = pl_param_number(data->work->par, p), before = *at;
  *at = value;
  status = pl_param_check_item(m, data->par, p.group, p.item, error);
  if (status)
    *at = before;
  else
    apply(data, p.group, p.item);
  return status;
}

plStatus pl_parameter_set_index(plData* data, int index, double value, plError* error) {
  assert(data != NULL);
  plParamPlace p;
  pl_error_clear(error);
  if (!pl_param_place(data->model, index, &p))
    return pl_fail(error, PL_ERROR_INPUT, "there is no parameter %d; there are %d", index,
                   pl_parameter_count(data->model));
  return set(data, p, value, error);
}

// The known path nearest to an unknown one, into info; false if memory runs out.
static bool nearest(const plModel* m, const char* path, plParameterInfo* info) {
  int n = pl_parameter_count(m);
  char(*text)[sizeof info->path] = pl_alloc((size_t)n, sizeof *text);
  const char** list = PL_NEW(const char*, n);
  bool found = false;
  for (int i = 0; text && list && i < n; i++) {
    pl_parameter_info(m, i, info);
    memcpy(text[i], info->path, sizeof info->path);
    list[i] = text[i];
  }
  const char* near = text && list ? pl_nearest_word(path, list, n) : NULL;
  if (near) found = true, memcpy(info->path, near, sizeof info->path);
  pl_free(text), pl_free((void*)list);
  return found;
}

plStatus pl_parameter_set(plData* data, const char* path, double value, plError* error) {
  assert(data != NULL && path != NULL);
  int index = pl_parameter_find(data->model, path);
  if (index >= 0) return pl_parameter_set_index(data, index, value, error);
  plParameterInfo info;
  if (nearest(data->model, path, &info))
    return pl_fail(error, PL_ERROR_INPUT, "there is no parameter '%s'; did you mean '%s'?", path, info.path);
  return pl_fail(error, PL_ERROR_INPUT, "there is no parameter '%s'; pl_parameter_info lists them", path);
}

size_t pl_parameters_bytes(const plModel* model) {
  return (PL_OPTION_COUNT + (size_t)pl_parameter_count(model)) * sizeof(double);
}

// One entry of all items of a group: in the parameters, and in a row of all numbers.
typedef struct Column {
  char* at;
  size_t stride, row_stride;  // bytes from item to item
} Column;

static Column column(const plParameters* par, plParamGroup g, int e) {
  const plParamEntry* entry = &pl_param_groups[g].entry[e];
  return (Column){(char*)pl_param_number(par, (plParamPlace){g, 0, entry}), entry->stride,
                  (size_t)pl_param_groups[g].nentry * sizeof(double)};
}

static void write_values(const plModel* model, const plParameters* par, char* to) {
  for (int g = 0; g < PL_PARAM_GROUPS; g++) {
    int n = pl_param_items(model, (plParamGroup)g);
    for (int e = 0; e < pl_param_groups[g].nentry && n; e++) {
      Column c = column(par, (plParamGroup)g, e);
      char* at = to + (size_t)e * sizeof(double);
      for (int i = 0; i < n; i++, c.at += c.stride, at += c.row_stride) memcpy(at, c.at, sizeof(double));
    }
    to += (size_t)(n * pl_param_groups[g].nentry) * sizeof(double);
  }
}

// Whether the numbers of the row equal those of the parameters, bit by bit.
static bool same_values(const plModel* model, const plParameters* par, const char* from) {
  for (int g = 0; g < PL_PARAM_GROUPS; g++) {
    int n = pl_param_items(model, (plParamGroup)g);
    for (int e = 0; e < pl_param_groups[g].nentry && n; e++) {
      Column c = column(par, (plParamGroup)g, e);
      const char* at = from + (size_t)e * sizeof(double);
      uint64_t differ = 0, a, b;
      for (int i = 0; i < n; i++, c.at += c.stride, at += c.row_stride)
        memcpy(&a, at, sizeof a), memcpy(&b, c.at, sizeof b), differ |= a ^ b;
      if (differ) return false;
    }
    from += (size_t)(n * pl_param_groups[g].nentry) * sizeof(double);
  }
  return true;
}

void pl_parameters_write(const plModel* model, const plParameters* par, void* bytes) {
  double row[PL_OPTION_COUNT];
  pl_options_pack(&par->options, row);
  memcpy(bytes, row, sizeof row);
  write_values(model, par, (char*)bytes + sizeof row);
}

bool pl_parameters_written(const plModel* model, const plParameters* par, const void* bytes) {
  double row[PL_OPTION_COUNT];
  pl_options_pack(&par->options, row);
  return !memcmp(bytes, row, sizeof row) && same_values(model, par, (const char*)bytes + sizeof row);
}

bool pl_parameters_unchanged(const plData* data) {
  const plModel* m = data->model;
  double ours[PL_OPTION_COUNT], theirs[PL_OPTION_COUNT];
  pl_options_pack(&data->par->options, ours), pl_options_pack(&m->par->options, theirs);
  if (memcmp(ours, theirs, sizeof ours)) return false;
  for (int g = 0; g < PL_PARAM_GROUPS; g++)
    for (int i = 0; i < pl_param_items(m, (plParamGroup)g); i++)
      for (int e = 0; e < pl_param_groups[g].nentry; e++) {
        plParamPlace p = {(plParamGroup)g, i, &pl_param_groups[g].entry[e]};
        if (memcmp(pl_param_number(data->par, p), pl_param_number(m->par, p), sizeof(double))) return false;
      }
  return true;
}

void pl_parameters_get(const plData* data, double* value) {
  assert(data != NULL && value != NULL);
  write_values(data->model, data->par, (char*)value);
}

static plStatus check_all(const plModel* m, const plParameters* par, plError* error) {
  for (int g = 0; g < PL_PARAM_GROUPS; g++)
    for (int i = 0; i < pl_param_items(m, (plParamGroup)g); i++) {
      for (int e = 0; e < pl_param_groups[g].nentry; e++) {
        plParamPlace p = {(plParamGroup)g, i, &pl_param_groups[g].entry[e]};
        plStatus status = pl_param_check_number(m, p, *pl_param_number(par, p), error);
        if (status) return status;
      }
      plStatus status = pl_param_check_item(m, par, (plParamGroup)g, i, error);
      if (status) return status;
    }
  return PL_OK;
}

// Sets one entry of all items from a row of numbers; changed [n]: the items whose number changed.
static plStatus put_column(const plModel* m, plParameters* par, plParamGroup g, int e, const double* value,
                           bool* changed, plError* error) {
  Column to = column(par, g, e), given = column(m->par, g, e);
  const plParamEntry* entry = &pl_param_groups[g].entry[e];
  const char* from = (const char*)(value + e);
  int n = pl_param_items(m, g);
  for (int i = 0; i < n; i++, to.at += to.stride, given.at += given.stride, from += to.row_stride) {
    double x, now, fixed;
    memcpy(&x, from, sizeof x), memcpy(&now, to.at, sizeof now), memcpy(&fixed, given.at, sizeof fixed);
    if (!memcmp(&now, &x, sizeof x)) continue;
    if (!pl_param_in_range(entry, fixed, x))
      return pl_param_out_of_range(m, (plParamPlace){g, i, entry}, x, error);
    memcpy(to.at, &x, sizeof x);
    changed[i] = true;
  }
  return PL_OK;
}

// Sets values in checked parameters whose options may be new. Unchanged values are not checked again.
static plStatus put_values(const plModel* m, plParameters* par, const double* value, plError* error) {
  int most = 1;
  for (int g = 0; g < PL_PARAM_GROUPS; g++)
    most = pl_param_items(m, (plParamGroup)g) > most ? pl_param_items(m, (plParamGroup)g) : most;
  bool few[256], *more = most > (int)sizeof few ? PL_NEW(bool, most) : NULL, *changed = more ? more : few;
  if (most > (int)sizeof few && !more) changed = NULL;
  plStatus status = changed ? PL_OK : pl_fail_out_of_memory(error, (size_t)most);
  for (int g = 0; g < PL_PARAM_GROUPS && !status; g++) {
    int n = pl_param_items(m, (plParamGroup)g);
    if (n) memset(changed, g == PL_PARAM_OPTIONS, (size_t)n);
    for (int e = 0; e < pl_param_groups[g].nentry && n && !status; e++)
      status = put_column(m, par, (plParamGroup)g, e, value, changed, error);
    for (int i = 0; i < n && !status; i++)
      if (changed[i]) status = pl_param_check_item(m, par, (plParamGroup)g, i, error);
    value += n * pl_param_groups[g].nentry;
  }
  pl_free(more);
  return status;
}

plStatus pl_parameters_from(const plData* data, const plOptions* o, const double* value,
                            plParameters** parameters, plError* error) {
  const plModel* m = data->model;
  plParameters* fresh = *parameters = pl_parameters_create(m, error);
  if (!fresh) return PL_ERROR_MEMORY;
  pl_parameters_copy(m, fresh, data->par);
  fresh->options = *o;
  plStatus status = put_values(m, fresh, value, error);
  if (!status) return PL_OK;
  pl_free(fresh);
  *parameters = NULL;
  return status;
}

plStatus pl_parameters_set(plData* data, const double* value, plError* error) {
  assert(data != NULL && value != NULL);
  plParameters* fresh;
  plStatus status = pl_parameters_from(data, &data->par->options, value, &fresh, error);
  if (!status) pl_parameters_use(data, fresh);
  pl_free(fresh);
  return status;
}

// The inertia of the forest depends on these four arrays alone.
static bool same_bodies(const plModel* m, const plParameters* a, const plParameters* b) {
  size_t n = (size_t)m->nbody;
  return !memcmp(a->body_mass, b->body_mass, n * sizeof(double)) &&
         !memcmp(a->body_com, b->body_com, n * sizeof(plVec3)) &&
         !memcmp(a->body_inertia, b->body_inertia, 6 * n * sizeof(double)) &&
         !memcmp(a->body_gravity, b->body_gravity, n * sizeof(double));
}

void pl_parameters_use(plData* data, const plParameters* from) {
  const plModel* m = data->model;
  plParameters* par = data->work->par;
  plOptions own = par->options;
  bool bodies = m->nbody && !same_bodies(m, par, from);
  if (memcmp(&par->options, &from->options, sizeof own)) apply(data, PL_PARAM_OPTIONS, 0);
  // Values derived from a material or an inertia are kept if that is unchanged.
  for (int b = 0; b < m->ndeform; b++) {
    if (!memcmp(&par->deform_material[b], &from->deform_material[b], sizeof(plMaterial))) continue;
    par->deform_material[b] = from->deform_material[b];
    apply(data, PL_PARAM_DEFORMABLE, b);
  }
  pl_parameters_copy(m, par, from);
  pl_options_keep(&par->options, &own);
  for (int i = 0; i < m->nact; i++) apply(data, PL_PARAM_ACTUATOR, i);
  if (bodies) apply(data, PL_PARAM_BODY, 0);
  for (int i = 0; i < m->nattach; i++) apply(data, PL_PARAM_ATTACHMENT, i);
}

plStatus pl_options_set(plData* data, const plOptions* options, plError* error) {
  assert(data != NULL && options != NULL);
  plOptions fresh = *options, own = data->par->options;
  pl_options_keep(&fresh, &own);
  plStatus status = pl_options_check(&fresh, error);
  if (status) return status;
  data->work->par->options = fresh;
  apply(data, PL_PARAM_OPTIONS, 0);
  return PL_OK;
}

plStatus pl_parameters_override(plData* data, const plModel* plain, const char* const* option, int noption,
                                int* count, plError* error) {
  assert(data != NULL && plain != NULL && count != NULL);
  assert(option != NULL || noption == 0);
  const plModel* m = data->model;
  plParameters* fresh = pl_parameters_create(m, error);
  *count = 0;
  if (!fresh) return PL_ERROR_MEMORY;
  pl_parameters_copy(m, fresh, data->par);
  double own[PL_OPTION_COUNT], theirs[PL_OPTION_COUNT], row[PL_OPTION_COUNT];
  pl_options_pack(&m->par->options, own), pl_options_pack(&plain->par->options, theirs);
  pl_options_pack(&fresh->options, row);
  for (int i = 0; i < PL_OPTION_COUNT; i++) {
    bool named = own[i] != theirs[i];
    for (int k = 0; k < noption; k++) named |= pl_option_is(i, option[k]);
    if (named) row[i] = own[i], ++*count;
  }
  fresh->options = pl_options_unpack(row, PL_OPTION_COUNT);
  bool same = m->hash == plain->hash;
  for (int g = PL_PARAM_DEFORMABLE; same && g < PL_PARAM_GROUPS; g++)
    for (int i = 0; i < pl_param_items(m, (plParamGroup)g); i++)
      for (int e = 0; e < pl_param_groups[g].nentry; e++) {
        plParamPlace p = {(plParamGroup)g, i, &pl_param_groups[g].entry[e]};
        if (*pl_param_number(m->par, p) == *pl_param_number(plain->par, p)) continue;
        *pl_param_number(fresh, p) = *pl_param_number(m->par, p), ++*count;
      }
  plStatus status = check_all(m, fresh, error);
  if (!status) pl_parameters_use(data, fresh);
  pl_free(fresh);
  return status;
}

void pl_parameters_reset(plData* data) {
  assert(data != NULL);
  pl_parameters_use(data, data->model->par);
}

uint64_t pl_parameter_hash(const plData* data) {
  assert(data != NULL);
  const plModel* m = data->model;
  uint64_t h = pl_options_hash(&data->par->options, PL_HASH_START);
  for (int g = PL_PARAM_DEFORMABLE; g < PL_PARAM_GROUPS; g++)
    for (int i = 0; i < pl_param_items(m, (plParamGroup)g); i++)
      for (int e = 0; e < pl_param_groups[g].nentry; e++)
        h = pl_hash(
            h, pl_param_number(data->par, (plParamPlace){(plParamGroup)g, i, &pl_param_groups[g].entry[e]}),
            sizeof(double));
  return h;
}

// parameters.c: the numbers of a plParameters by path, by index and in bulk (include/pliant/parameters.h).
//
// The numbers are grouped by what they belong to: the options, each deformable, shape, body, degree of
// freedom, actuator and attachment. Within a group every item has the same entries, so index and path follow
// from each other and nothing is stored per number.
#include "pliant/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "model/spec.h"
#include "model/work.h"

// ---- entries

typedef struct Entry {
  const char* name;  // of the path, behind the item's own
  size_t pointer;    // in plParameters: the array; 0: the options
  size_t stride;     // bytes from item to item
  size_t at;         // bytes into the item
  const char* unit;
  double lower, upper;
} Entry;

#define BIG HUGE_VAL
#define OPTION(member, name, unit, lower, upper) \
  { name, 0, 0, offsetof(plOptions, member), unit, lower, upper }
#define MATERIAL(member, unit, lower, upper)                                          \
  {                                                                                   \
    "material." #member, offsetof(plParameters, deform_material), sizeof(plMaterial), \
        offsetof(plMaterial, member), unit, lower, upper                              \
  }
#define SURFACE(array, member, unit, lower, upper)                                                           \
  {                                                                                                          \
    "surface." #member, offsetof(plParameters, array), sizeof(plSurface), offsetof(plSurface, member), unit, \
        lower, upper                                                                                         \
  }
#define NUMBER(array, name, unit, lower, upper) \
  { name, offsetof(plParameters, array), sizeof(double), 0, unit, lower, upper }
#define COMPONENT(array, width, k, name, unit, lower, upper) \
  { name, offsetof(plParameters, array), (width) * sizeof(double), (k) * sizeof(double), unit, lower, upper }
#define LAW(member, k, name, unit, lower, upper)                                   \
  {                                                                                \
    name, offsetof(plParameters, act_law), sizeof(plActuatorLaw),                  \
        offsetof(plActuatorLaw, member) + (k) * sizeof(double), unit, lower, upper \
  }

static const Entry options_entry[] = {
    OPTION(dt, "dt", "s", 0, BIG),
    OPTION(gravity.x, "gravity.x", "m/s^2", -BIG, BIG),
    OPTION(gravity.y, "gravity.y", "m/s^2", -BIG, BIG),
    OPTION(gravity.z, "gravity.z", "m/s^2", -BIG, BIG),
    OPTION(tolerance, "tolerance", "", 0, 1),
    OPTION(free_tolerance, "free_tolerance", "", 0, 1),
    OPTION(friction_sigma, "friction_sigma", "", 0, BIG),
    OPTION(near_rigid, "near_rigid", "", 0, BIG),
};
static const Entry deformables_entry[] = {
    MATERIAL(young, "Pa", 0, BIG),
    MATERIAL(poisson, "", -1, 0.5),
    MATERIAL(lame_lambda, "Pa", -BIG, BIG),
    MATERIAL(lame_mu, "Pa", 0, BIG),
    MATERIAL(c1, "Pa", 0, BIG),
    MATERIAL(c2, "Pa", 0, BIG),
    MATERIAL(bulk, "Pa", 0, BIG),
    MATERIAL(density, "kg/m^3", 0, BIG),
    MATERIAL(damping_mass, "1/s", 0, BIG),
    MATERIAL(damping_stiffness, "s", 0, BIG),
    SURFACE(deform_surface, friction, "", 0, 1e3),
    SURFACE(deform_surface, contact_stiffness, "Pa/m", 0, BIG),
    SURFACE(deform_surface, relaxation_time, "s", 0, 1e3),
    SURFACE(deform_surface, dissipation, "s/m", 0, 1e6),
};
static const Entry shapes_entry[] = {
    SURFACE(geom_surface, friction, "", 0, 1e3),
    SURFACE(geom_surface, contact_stiffness, "Pa/m", 0, BIG),
    SURFACE(geom_surface, relaxation_time, "s", 0, 1e3),
    SURFACE(geom_surface, dissipation, "s/m", 0, 1e6),
    {"surface.surface_velocity.x", offsetof(plParameters, geom_surface), sizeof(plSurface),
     offsetof(plSurface, surface_velocity.x), "m/s", -BIG, BIG},
    {"surface.surface_velocity.y", offsetof(plParameters, geom_surface), sizeof(plSurface),
     offsetof(plSurface, surface_velocity.y), "m/s", -BIG, BIG},
    {"surface.surface_velocity.z", offsetof(plParameters, geom_surface), sizeof(plSurface),
     offsetof(plSurface, surface_velocity.z), "m/s", -BIG, BIG},
};
static const Entry bodies_entry[] = {
    NUMBER(body_mass, "mass", "kg", 0, BIG),
    COMPONENT(body_com, 3, 0, "com.x", "m", -BIG, BIG),
    COMPONENT(body_com, 3, 1, "com.y", "m", -BIG, BIG),
    COMPONENT(body_com, 3, 2, "com.z", "m", -BIG, BIG),
    COMPONENT(body_inertia, 6, 0, "inertia.xx", "kg m^2", 0, BIG),
    COMPONENT(body_inertia, 6, 1, "inertia.yy", "kg m^2", 0, BIG),
    COMPONENT(body_inertia, 6, 2, "inertia.zz", "kg m^2", 0, BIG),
    COMPONENT(body_inertia, 6, 3, "inertia.xy", "kg m^2", -BIG, BIG),
    COMPONENT(body_inertia, 6, 4, "inertia.xz", "kg m^2", -BIG, BIG),
    COMPONENT(body_inertia, 6, 5, "inertia.yz", "kg m^2", -BIG, BIG),
    NUMBER(body_gravity, "gravity", "", -BIG, BIG),
};
static const Entry dofs_entry[] = {
    NUMBER(dof_lower, "lower", "m or rad", -BIG, BIG),
    NUMBER(dof_upper, "upper", "m or rad", -BIG, BIG),
    NUMBER(dof_damping, "damping", "N s/m or Nm s", 0, BIG),
    NUMBER(dof_friction, "friction", "N or Nm", 0, BIG),
    NUMBER(dof_stiffness, "stiffness", "N/m or Nm", 0, BIG),
    NUMBER(dof_rest, "rest", "m or rad", -BIG, BIG),
};
static const Entry actuators_entry[] = {
    LAW(kp, 0, "kp", "N/m or Nm", 0, BIG),
    LAW(kd, 0, "kd", "N s/m or Nm s", 0, BIG),
    LAW(gain, 0, "gain", "", -BIG, BIG),
    LAW(bias, 0, "bias.0", "N or Nm", -BIG, BIG),
    LAW(bias, 1, "bias.1", "N/m or Nm", -BIG, 0),
    LAW(bias, 2, "bias.2", "N s/m or Nm s", -BIG, 0),
    NUMBER(act_force_lower, "force_lower", "N or Nm", -BIG, BIG),
    NUMBER(act_force_upper, "force_upper", "N or Nm", -BIG, BIG),
    NUMBER(act_lower, "input_lower", "", -BIG, BIG),
    NUMBER(act_upper, "input_upper", "", -BIG, BIG),
};
static const Entry attachments_entry[] = {
    NUMBER(attach_stiffness, "attachment.stiffness", "N/m", 0, BIG),
    NUMBER(attach_relaxation, "attachment.relaxation_time", "s", 0, BIG),
};

typedef enum GroupKind { OPTIONS, DEFORMABLE, SHAPE, BODY, DOF, ACTUATOR, ATTACHMENT, NGROUP } GroupKind;

#define ENTRIES(list) list, (int)(sizeof list / sizeof *list)
static const struct {
  const Entry* entry;
  int nentry;
} groups[NGROUP] = {
    {ENTRIES(options_entry)},     {ENTRIES(deformables_entry)}, {ENTRIES(shapes_entry)},
    {ENTRIES(bodies_entry)},      {ENTRIES(dofs_entry)},        {ENTRIES(actuators_entry)},
    {ENTRIES(attachments_entry)},
};

static int items(const plModel* m, GroupKind g) {
  const int n[NGROUP] = {1, m->ndeform, m->ngeom, m->nbody, m->nv_rigid, m->nact, m->nattach};
  return n[g];
}

// The name of an item; a joint with several degrees of freedom numbers them.
static void item_name(const plModel* m, GroupKind g, int i, char* name, size_t size) {
  switch (g) {
    case OPTIONS:
      snprintf(name, size, "options");
      break;
    case DOF: {
      int joint = m->dof_joint[i];
      if (pl_joint_nv(m->joint_kind[joint]) == 1)
        snprintf(name, size, "%s", m->joint_name[joint]);
      else
        snprintf(name, size, "%s.%d", m->joint_name[joint], i - m->joint_v0[joint]);
      break;
    }
    default: {
      char** const names[NGROUP] = {[DEFORMABLE] = m->deform_name,
                                    [SHAPE] = m->geom_name,
                                    [BODY] = m->body_name,
                                    [ACTUATOR] = m->act_name,
                                    [ATTACHMENT] = m->attach_name};
      snprintf(name, size, "%s", names[g][i]);
    }
  }
}

// One number: its group, item and entry.
typedef struct Place {
  GroupKind group;
  int item;
  const Entry* entry;
} Place;

static bool place_of(const plModel* m, int index, Place* place) {
  for (int g = 0; g < NGROUP && index >= 0; g++) {
    int n = items(m, (GroupKind)g) * groups[g].nentry;
    if (index < n) {
      *place = (Place){(GroupKind)g, index / groups[g].nentry, &groups[g].entry[index % groups[g].nentry]};
      return true;
    }
    index -= n;
  }
  return false;
}

static double* number(const plParameters* par, Place p) {
  char* base = p.entry->pointer ? pl_parameters_array(par, p.entry->pointer)
                                : (char*)&((plParameters*)(uintptr_t)par)->options;
  return (double*)(void*)(base + (size_t)p.item * p.entry->stride + p.entry->at);
}

int pl_parameter_count(const plModel* model) {
  int n = 0;
  for (int g = 0; g < NGROUP; g++) n += items(model, (GroupKind)g) * groups[g].nentry;
  return n;
}

plStatus pl_parameter_info(const plModel* model, int index, plParameterInfo* info) {
  Place p;
  if (!place_of(model, index, &p)) return PL_ERROR_INPUT;
  *info = (plParameterInfo){.unit = p.entry->unit, .lower = p.entry->lower, .upper = p.entry->upper};
  item_name(model, p.group, p.item, info->path, sizeof info->path - 32);
  size_t used = strlen(info->path);
  snprintf(info->path + used, sizeof info->path - used, ".%s", p.entry->name);
  return PL_OK;
}

int pl_parameter_sign(const plModel* model, int index) {
  Place p;
  double x = place_of(model, index, &p) ? *number(model->par, p) : 0;
  return x == INFINITY ? 1 : x == -INFINITY ? -1 : 0;
}

int pl_parameter_find(const plModel* model, const char* path) {
  int first = 0;
  for (int g = 0; g < NGROUP; g++) {
    for (int i = 0; i < items(model, (GroupKind)g); i++) {
      char name[256];
      item_name(model, (GroupKind)g, i, name, sizeof name);
      size_t length = strlen(name);
      if (strncmp(path, name, length) || path[length] != '.') continue;
      for (int e = 0; e < groups[g].nentry; e++)
        if (!strcmp(path + length + 1, groups[g].entry[e].name)) return first + i * groups[g].nentry + e;
    }
    first += items(model, (GroupKind)g) * groups[g].nentry;
  }
  return -1;
}

// ---- checks of one item's numbers: those of the definition that they came from

// Numbers that a material's law does not read cannot be set.
static plStatus check_read(const plMaterial* m, const Entry* e, plError* error) {
  const char* name = e->name + strlen("material.");
  bool mooney = m->kind == PL_MATERIAL_MOONEY_RIVLIN, lame = m->lame_mu > 0;
  bool moduli = !strcmp(name, "c1") || !strcmp(name, "c2") || !strcmp(name, "bulk");
  bool pair = !strcmp(name, "lame_lambda") || !strcmp(name, "lame_mu");
  bool young = !strcmp(name, "young") || !strcmp(name, "poisson");
  if ((moduli && mooney) || (pair && lame && !mooney) || (young && !lame && !mooney) ||
      !(moduli || pair || young))
    return PL_OK;
  return pl_fail(error, PL_ERROR_INPUT, "'%s' is not read by this material (%s, given by %s)", name,
                 pl_material_name(m->kind),
                 mooney ? "c1, c2 and bulk"
                 : lame ? "lame_lambda and lame_mu"
                        : "young and poisson");
}

static plStatus check_body(const plModel* m, const plParameters* par, int i, plError* error) {
  // The numbers are finite. Almost every body has mass and a positive inertia, and needs no definition.
  if (par->body_mass[i] > 0 && pl_spec_inertia_is_positive(par->body_inertia + 6 * (size_t)i)) return PL_OK;
  plBodyDef def = pl_default_body_def();
  def.name = m->body_name[i], def.mass = par->body_mass[i], def.com = par->body_com[i];
  def.gravity = par->body_gravity[i];
  memcpy(def.inertia, par->body_inertia + 6 * (size_t)i, sizeof def.inertia);
  plStatus status = pl_spec_check_inertia(&def, error);
  // What a joint moves must resist: what has mass or inertia keeps some.
  bool lost = !(par->body_mass[i] > 0) && m->par->body_mass[i] > 0;
  for (size_t k = 0; k < 3; k++)
    lost |= !(par->body_inertia[6 * (size_t)i + k] > 0) && m->par->body_inertia[6 * (size_t)i + k] > 0;
  if (!status && lost)
    status = pl_fail(error, PL_ERROR_INPUT, "the mass and moments of inertia of '%s' must stay above 0",
                     m->body_name[i]);
  return status;
}

static plStatus check_dof(const plModel* m, const plParameters* par, int i, plError* error) {
  plDofDef def = {.lower = par->dof_lower[i],
                  .upper = par->dof_upper[i],
                  .damping = par->dof_damping[i],
                  .friction = par->dof_friction[i],
                  .stiffness = par->dof_stiffness[i],
                  .rest = par->dof_rest[i]};
  return pl_spec_check_dof(m->joint_name[m->dof_joint[i]], &def, error);
}

static plStatus check_actuator(const plModel* m, const plParameters* par, int i, plError* error) {
  const plActuatorLaw* law = &par->act_law[i];
  if (!(law->kp >= 0 && law->kd >= 0 && law->bias[1] <= 0 && law->bias[2] <= 0))
    return pl_fail(error, PL_ERROR_INPUT,
                   "the gains of actuator '%s' must not be negative, nor its bias.1 and bias.2 positive",
                   m->act_name[i]);
  if (!(par->act_force_lower[i] <= par->act_force_upper[i] && par->act_lower[i] <= par->act_upper[i]))
    return pl_fail(error, PL_ERROR_INPUT, "the limits of actuator '%s' must be lower <= upper",
                   m->act_name[i]);
  return PL_OK;
}

static plStatus check_attachment(const plModel* m, const plParameters* par, int i, plError* error) {
  if (par->attach_stiffness[i] > 0 && par->attach_relaxation[i] >= 0 &&
      !(m->attach_exact[i] && par->attach_relaxation[i] > 0))
    return PL_OK;
  return pl_fail(
      error, PL_ERROR_INPUT,
      "attachment '%s' needs a positive stiffness and a relaxation time that is not negative (0 if it "
      "is exact)",
      m->attach_name[i]);
}

static plStatus check_item(const plModel* m, const plParameters* par, GroupKind g, int i, plError* error) {
  switch (g) {
    case OPTIONS:
      return pl_options_check(&par->options, error);
    case DEFORMABLE: {
      plStatus status = pl_material_check(&par->deform_material[i], error);
      return status ? status : pl_spec_check_surface(m->deform_name[i], &par->deform_surface[i], error);
    }
    case SHAPE:
      return pl_spec_check_surface(m->geom_name[i], &par->geom_surface[i], error);
    case BODY:
      return check_body(m, par, i, error);
    case DOF:
      return check_dof(m, par, i, error);
    case ACTUATOR:
      return check_actuator(m, par, i, error);
    default:
      return check_attachment(m, par, i, error);
  }
}

static plStatus out_of_range(const plModel* m, Place p, double value, plError* error) {
  char item[224];
  item_name(m, p.group, p.item, item, sizeof item);
  const char* name = p.entry->name;
  if (isnan(value) || value < p.entry->lower || value > p.entry->upper)
    return pl_fail(error, PL_ERROR_INPUT, "%s.%s = %g is out of range: from %g to %g%s%s", item, name, value,
                   p.entry->lower, p.entry->upper, p.entry->unit[0] ? " " : "", p.entry->unit);
  if (!isfinite(value))
    return pl_fail(error, PL_ERROR_INPUT, "%s.%s is finite in the scene, so it must stay finite", item, name);
  return pl_fail(error, PL_ERROR_INPUT,
                 "%s.%s is infinite in the scene, which is part of the model's structure; give it a finite "
                 "value there first",
                 item, name);
}

// Finite or infinite is structure: given is the scene's number.
static bool in_range(const Entry* entry, double given, double value) {
  return value >= entry->lower && value <= entry->upper &&
         (isfinite(given) ? isfinite(value) : value == given);
}

static plStatus check_number(const plModel* m, Place p, double value, plError* error) {
  return in_range(p.entry, *number(m->par, p), value) ? PL_OK : out_of_range(m, p, value, error);
}

// ---- what follows from parameters

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

// The inertia of every node is that of the bodies welded to it, added in the order of the compilation.
void pl_forest_apply(const plModel* model, const plParameters* par, plTree* forest) {
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

static void apply(plData* data, GroupKind g, int i) {
  plWork* work = data->work;
  if (g == OPTIONS) work->dt_limit = 0;
  if (g == DEFORMABLE) apply_deformable(data, i);
  if (g == BODY) pl_forest_apply(data->model, data->par, &work->forest);
  if (g == ACTUATOR) pl_actuator_apply(data->model, work->par, i);
  if (g == ATTACHMENT && i < data->nattach) {
    data->attach[i].stiffness = data->par->attach_stiffness[i];
    data->attach[i].relaxation_time = data->par->attach_relaxation[i];
  }
}

// ---- reading and setting

double pl_parameter_of(const plModel* model, const plParameters* par, int index) {
  Place p;
  return place_of(model, index, &p) ? *number(par, p) : NAN;
}

double pl_parameter_value(const plData* data, int index) {
  return pl_parameter_of(data->model, data->par, index);
}

static plStatus set(plData* data, Place p, double value, plError* error) {
  const plModel* m = data->model;
  plStatus status = check_number(m, p, value, error);
  if (!status && p.group == DEFORMABLE && !strncmp(p.entry->name, "material.", 9))
    status = check_read(&m->par->deform_material[p.item], p.entry, error);
  if (status) return status;
  double *at = number(data->work->par, p), before = *at;
  *at = value;
  status = check_item(m, data->par, p.group, p.item, error);
  if (status)
    *at = before;
  else
    apply(data, p.group, p.item);
  return status;
}

plStatus pl_parameter_set_index(plData* data, int index, double value, plError* error) {
  Place p;
  pl_error_clear(error);
  if (!place_of(data->model, index, &p))
    return pl_fail(error, PL_ERROR_INPUT, "there is no parameter %d; there are %d", index,
                   pl_parameter_count(data->model));
  return set(data, p, value, error);
}

// The path nearest to one that is unknown, into info; false if memory runs out.
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

static Column column(const plParameters* par, GroupKind g, int e) {
  const Entry* entry = &groups[g].entry[e];
  return (Column){(char*)number(par, (Place){g, 0, entry}), entry->stride,
                  (size_t)groups[g].nentry * sizeof(double)};
}

static void write_values(const plModel* model, const plParameters* par, char* to) {
  for (int g = 0; g < NGROUP; g++) {
    int n = items(model, (GroupKind)g);
    for (int e = 0; e < groups[g].nentry && n; e++) {
      Column c = column(par, (GroupKind)g, e);
      char* at = to + (size_t)e * sizeof(double);
      for (int i = 0; i < n; i++, c.at += c.stride, at += c.row_stride) memcpy(at, c.at, sizeof(double));
    }
    to += (size_t)(n * groups[g].nentry) * sizeof(double);
  }
}

// The numbers of the row are those of the parameters, bit by bit.
static bool same_values(const plModel* model, const plParameters* par, const char* from) {
  for (int g = 0; g < NGROUP; g++) {
    int n = items(model, (GroupKind)g);
    for (int e = 0; e < groups[g].nentry && n; e++) {
      Column c = column(par, (GroupKind)g, e);
      const char* at = from + (size_t)e * sizeof(double);
      uint64_t differ = 0, a, b;
      for (int i = 0; i < n; i++, c.at += c.stride, at += c.row_stride)
        memcpy(&a, at, sizeof a), memcpy(&b, c.at, sizeof b), differ |= a ^ b;
      if (differ) return false;
    }
    from += (size_t)(n * groups[g].nentry) * sizeof(double);
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
  for (int g = 0; g < NGROUP; g++)
    for (int i = 0; i < items(m, (GroupKind)g); i++)
      for (int e = 0; e < groups[g].nentry; e++) {
        Place p = {(GroupKind)g, i, &groups[g].entry[e]};
        if (memcmp(number(data->par, p), number(m->par, p), sizeof(double))) return false;
      }
  return true;
}

void pl_parameters_get(const plData* data, double* value) {
  write_values(data->model, data->par, (char*)value);
}

plStatus pl_parameters_check(const plModel* m, const plParameters* par, plError* error) {
  for (int g = 0; g < NGROUP; g++)
    for (int i = 0; i < items(m, (GroupKind)g); i++) {
      for (int e = 0; e < groups[g].nentry; e++) {
        Place p = {(GroupKind)g, i, &groups[g].entry[e]};
        plStatus status = check_number(m, p, *number(par, p), error);
        if (status) return status;
      }
      plStatus status = check_item(m, par, (GroupKind)g, i, error);
      if (status) return status;
    }
  return PL_OK;
}

// One entry of all items from a row of numbers; changed [n]: the items that have another number now.
static plStatus put_column(const plModel* m, plParameters* par, GroupKind g, int e, const double* value,
                           bool* changed, plError* error) {
  Column to = column(par, g, e), given = column(m->par, g, e);
  const Entry* entry = &groups[g].entry[e];
  const char* from = (const char*)(value + e);
  int n = items(m, g);
  for (int i = 0; i < n; i++, to.at += to.stride, given.at += given.stride, from += to.row_stride) {
    double x, now, fixed;
    memcpy(&x, from, sizeof x), memcpy(&now, to.at, sizeof now), memcpy(&fixed, given.at, sizeof fixed);
    if (!memcmp(&now, &x, sizeof x)) continue;
    if (!in_range(entry, fixed, x)) return out_of_range(m, (Place){g, i, entry}, x, error);
    memcpy(to.at, &x, sizeof x);
    changed[i] = true;
  }
  return PL_OK;
}

// Values into checked parameters whose options may be new. What stays as it was is not checked again.
static plStatus put_values(const plModel* m, plParameters* par, const double* value, plError* error) {
  int most = 1;
  for (int g = 0; g < NGROUP; g++) most = items(m, (GroupKind)g) > most ? items(m, (GroupKind)g) : most;
  bool few[256], *more = most > (int)sizeof few ? PL_NEW(bool, most) : NULL, *changed = more ? more : few;
  if (most > (int)sizeof few && !more) changed = NULL;
  plStatus status = changed ? PL_OK : pl_fail_out_of_memory(error, (size_t)most);
  for (int g = 0; g < NGROUP && !status; g++) {
    int n = items(m, (GroupKind)g);
    if (n) memset(changed, g == OPTIONS, (size_t)n);
    for (int e = 0; e < groups[g].nentry && n && !status; e++)
      status = put_column(m, par, (GroupKind)g, e, value, changed, error);
    for (int i = 0; i < n && !status; i++)
      if (changed[i]) status = check_item(m, par, (GroupKind)g, i, error);
    value += n * groups[g].nentry;
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
  plParameters* fresh;
  plStatus status = pl_parameters_from(data, &data->par->options, value, &fresh, error);
  if (!status) pl_parameters_use(data, fresh);
  pl_free(fresh);
  return status;
}

// The inertia of the forest follows from these four arrays alone.
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
  if (memcmp(&par->options, &from->options, sizeof own)) apply(data, OPTIONS, 0);
  // What follows from a material or an inertia is kept where that stays the same.
  for (int b = 0; b < m->ndeform; b++) {
    if (!memcmp(&par->deform_material[b], &from->deform_material[b], sizeof(plMaterial))) continue;
    par->deform_material[b] = from->deform_material[b];
    apply(data, DEFORMABLE, b);
  }
  pl_parameters_copy(m, par, from);
  pl_options_keep(&par->options, &own);
  for (int i = 0; i < m->nact; i++) apply(data, ACTUATOR, i);
  if (bodies) apply(data, BODY, 0);
  for (int i = 0; i < m->nattach; i++) apply(data, ATTACHMENT, i);
}

plStatus pl_options_set(plData* data, const plOptions* options, plError* error) {
  plOptions fresh = *options, own = data->par->options;
  pl_options_keep(&fresh, &own);
  plStatus status = pl_options_check(&fresh, error);
  if (status) return status;
  data->work->par->options = fresh;
  apply(data, OPTIONS, 0);
  return PL_OK;
}

plStatus pl_parameters_override(plData* data, const plModel* plain, const char* const* option, int noption,
                                int* count, plError* error) {
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
  for (int g = DEFORMABLE; same && g < NGROUP; g++)
    for (int i = 0; i < items(m, (GroupKind)g); i++)
      for (int e = 0; e < groups[g].nentry; e++) {
        Place p = {(GroupKind)g, i, &groups[g].entry[e]};
        if (*number(m->par, p) == *number(plain->par, p)) continue;
        *number(fresh, p) = *number(m->par, p), ++*count;
      }
  plStatus status = pl_parameters_check(m, fresh, error);
  if (!status) pl_parameters_use(data, fresh);
  pl_free(fresh);
  return status;
}

void pl_parameters_reset(plData* data) { pl_parameters_use(data, data->model->par); }

uint64_t pl_parameter_hash(const plData* data) {
  const plModel* m = data->model;
  uint64_t h = pl_options_hash(&data->par->options, PL_HASH_START);
  for (int g = DEFORMABLE; g < NGROUP; g++)
    for (int i = 0; i < items(m, (GroupKind)g); i++)
      for (int e = 0; e < groups[g].nentry; e++)
        h = pl_hash(h, number(data->par, (Place){(GroupKind)g, i, &groups[g].entry[e]}), sizeof(double));
  return h;
}

// parameter_list.c: the list of parameters, and paths and indices of its numbers.
#include "model/parameter_list.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// ---- entries

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

static const plParamEntry options_entry[] = {
    OPTION(dt, "dt", "s", 0, BIG),
    OPTION(gravity.x, "gravity.x", "m/s^2", -BIG, BIG),
    OPTION(gravity.y, "gravity.y", "m/s^2", -BIG, BIG),
    OPTION(gravity.z, "gravity.z", "m/s^2", -BIG, BIG),
    OPTION(tolerance, "tolerance", "", 0, 1),
    OPTION(free_tolerance, "free_tolerance", "", 0, 1),
    OPTION(friction_sigma, "friction_sigma", "", 0, BIG),
    OPTION(near_rigid, "near_rigid", "", 0, BIG),
};
static const plParamEntry deformables_entry[] = {
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
static const plParamEntry shapes_entry[] = {
    SURFACE(shape_surface, friction, "", 0, 1e3),
    SURFACE(shape_surface, contact_stiffness, "Pa/m", 0, BIG),
    SURFACE(shape_surface, relaxation_time, "s", 0, 1e3),
    SURFACE(shape_surface, dissipation, "s/m", 0, 1e6),
    {"surface.surface_velocity.x", offsetof(plParameters, shape_surface), sizeof(plSurface),
     offsetof(plSurface, surface_velocity.x), "m/s", -BIG, BIG},
    {"surface.surface_velocity.y", offsetof(plParameters, shape_surface), sizeof(plSurface),
     offsetof(plSurface, surface_velocity.y), "m/s", -BIG, BIG},
    {"surface.surface_velocity.z", offsetof(plParameters, shape_surface), sizeof(plSurface),
     offsetof(plSurface, surface_velocity.z), "m/s", -BIG, BIG},
};
static const plParamEntry bodies_entry[] = {
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
static const plParamEntry dofs_entry[] = {
    NUMBER(dof_lower, "lower", "m or rad", -BIG, BIG),
    NUMBER(dof_upper, "upper", "m or rad", -BIG, BIG),
    NUMBER(dof_damping, "damping", "N s/m or Nm s", 0, BIG),
    NUMBER(dof_friction, "friction", "N or Nm", 0, BIG),
    NUMBER(dof_stiffness, "stiffness", "N/m or Nm", 0, BIG),
    NUMBER(dof_rest, "rest", "m or rad", -BIG, BIG),
};
static const plParamEntry actuators_entry[] = {
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
static const plParamEntry attachments_entry[] = {
    NUMBER(attach_stiffness, "attachment.stiffness", "N/m", 0, BIG),
    NUMBER(attach_relaxation, "attachment.relaxation_time", "s", 0, BIG),
};

#define ENTRIES(list) list, (int)(sizeof list / sizeof *list)
const plParamGroupList pl_param_groups[PL_PARAM_GROUPS] = {
    {ENTRIES(options_entry)},     {ENTRIES(deformables_entry)}, {ENTRIES(shapes_entry)},
    {ENTRIES(bodies_entry)},      {ENTRIES(dofs_entry)},        {ENTRIES(actuators_entry)},
    {ENTRIES(attachments_entry)},
};

int pl_param_items(const plModel* m, plParamGroup g) {
  assert(g >= 0 && g < PL_PARAM_GROUPS);
  const int n[PL_PARAM_GROUPS] = {1, m->ndeform, m->nshape, m->nbody, m->nv_rigid, m->nact, m->nattach};
  return n[g];
}

void pl_param_item_name(const plModel* m, plParamGroup g, int i, char* name, size_t size) {
  assert(i >= 0 && i < pl_param_items(m, g));
  switch (g) {
    case PL_PARAM_OPTIONS:
      snprintf(name, size, "options");
      break;
    case PL_PARAM_DOF: {
      int joint = m->dof_joint[i];
      if (pl_joint_nv(m->joint_kind[joint]) == 1)
        snprintf(name, size, "%s", m->joint_name[joint]);
      else
        snprintf(name, size, "%s.%d", m->joint_name[joint], i - m->joint_v0[joint]);
      break;
    }
    default: {
      char** const names[PL_PARAM_GROUPS] = {[PL_PARAM_DEFORMABLE] = m->deform_name,
                                             [PL_PARAM_SHAPE] = m->shape_name,
                                             [PL_PARAM_BODY] = m->body_name,
                                             [PL_PARAM_ACTUATOR] = m->act_name,
                                             [PL_PARAM_ATTACHMENT] = m->attach_name};
      snprintf(name, size, "%s", names[g][i]);
    }
  }
}

bool pl_param_place(const plModel* m, int index, plParamPlace* place) {
  for (int g = 0; g < PL_PARAM_GROUPS && index >= 0; g++) {
    int n = pl_param_items(m, (plParamGroup)g) * pl_param_groups[g].nentry;
    if (index < n) {
      *place = (plParamPlace){(plParamGroup)g, index / pl_param_groups[g].nentry,
                              &pl_param_groups[g].entry[index % pl_param_groups[g].nentry]};
      return true;
    }
    index -= n;
  }
  return false;
}

int pl_parameter_count(const plModel* model) {
  assert(model != NULL);
  int n = 0;
  for (int g = 0; g < PL_PARAM_GROUPS; g++)
    n += pl_param_items(model, (plParamGroup)g) * pl_param_groups[g].nentry;
  return n;
}

plStatus pl_parameter_info(const plModel* model, int index, plParameterInfo* info) {
  assert(model != NULL && info != NULL);
  plParamPlace p;
  if (!pl_param_place(model, index, &p)) return PL_ERROR_INPUT;
  *info = (plParameterInfo){.unit = p.entry->unit, .lower = p.entry->lower, .upper = p.entry->upper};
  pl_param_item_name(model, p.group, p.item, info->path, sizeof info->path - 32);
  size_t used = strlen(info->path);
  snprintf(info->path + used, sizeof info->path - used, ".%s", p.entry->name);
  return PL_OK;
}

int pl_parameter_sign(const plModel* model, int index) {
  plParamPlace p;
  double x = pl_param_place(model, index, &p) ? *pl_param_number(model->par, p) : 0;
  return x == INFINITY ? 1 : x == -INFINITY ? -1 : 0;
}

int pl_parameter_find(const plModel* model, const char* path) {
  assert(model != NULL && path != NULL);
  int first = 0;
  for (int g = 0; g < PL_PARAM_GROUPS; g++) {
    for (int i = 0; i < pl_param_items(model, (plParamGroup)g); i++) {
      char name[256];
      pl_param_item_name(model, (plParamGroup)g, i, name, sizeof name);
      size_t length = strlen(name);
      if (strncmp(path, name, length) || path[length] != '.') continue;
      for (int e = 0; e < pl_param_groups[g].nentry; e++)
        if (!strcmp(path + length + 1, pl_param_groups[g].entry[e].name))
          return first + i * pl_param_groups[g].nentry + e;
    }
    first += pl_param_items(model, (plParamGroup)g) * pl_param_groups[g].nentry;
  }
  return -1;
}

// info.c: the contents of a model, as a text for people or as JSON.
//
// Every table is described once (plColumn) and filled once; sheet.c formats both.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/options.h"
#include "model/sheet.h"
#include "pliant/model.h"

#define TABLE(sheet, key, columns) \
  pl_sheet_table(sheet, key, columns, (int)(sizeof columns / sizeof *columns))

// ---- counts and options

static const char* word_of(const plWord* words, int value) {
  for (; words->name; words++)
    if (words->value == value) return words->name;
  return "";
}

static void put_option(plSheet* s, const plKey* key, const plSceneOptions* from) {
  const char* at = (const char*)from + key->offset;
  plVec3 v = {0};
  int n = 0;
  bool on = false;
  pl_sheet_key(s, key->name);
  if (key->type == PL_KEY_NUMBER)
    memcpy(&v, at, sizeof v.x), pl_sheet_number(s, v.x);
  else if (key->type == PL_KEY_VEC3)
    memcpy(&v, at, sizeof v), pl_sheet_vec3(s, v);
  else if (key->type == PL_KEY_BOOL)
    memcpy(&on, at, sizeof on), pl_sheet_flag(s, on);
  else if (key->type == PL_KEY_WORD)
    memcpy(&n, at, sizeof n), pl_sheet_text(s, word_of(key->words, n));
  else
    memcpy(&n, at, sizeof n), pl_sheet_int(s, n);
}

static void put_options(plSheet* s, const plModel* m) {
  plSceneOptions from = {.options = m->par->options};
  const plOptions* o = &from.options;
  const char* law = "";
  pl_sheet_map(s, "options");
  for (int i = 0; i < PL_OPTION_KEYS; i++) {
    const plKey* key = &pl_option_key[i];
    if (key->offset != offsetof(plSceneOptions, scheme))
      put_option(s, key, &from);  // theta and theta_vq show it
    if (key->offset == offsetof(plSceneOptions, options.contact_law))
      law = word_of(key->words, (int)o->contact_law);
  }
  pl_sheet_map_end(s);
  pl_sheet_say(s, "time           steps of %g s, %g s in all, theta %g, theta_vq %g", o->dt, o->duration,
               o->theta, o->theta_vq);
  pl_sheet_say(s, "gravity        [%g, %g, %g] m/s^2", o->gravity.x, o->gravity.y, o->gravity.z);
  pl_sheet_say(s, "contact        law %s, tolerance %g", law, o->tolerance);
}

static void put_degrees(plSheet* s, const plModel* m) {
  pl_sheet_say(s, "DoFs           %d velocities, %d positions", m->nv, m->nq);
  pl_sheet_map(s, "degrees");
  pl_sheet_key(s, "velocities"), pl_sheet_int(s, m->nv);
  pl_sheet_key(s, "positions"), pl_sheet_int(s, m->nq);
  pl_sheet_key(s, "inputs"), pl_sheet_int(s, m->nu);
  pl_sheet_map_end(s);
}

// ---- rigid bodies

// Length of "arm" in "arm/link".
static int prefix(const char* name) {
  const char* slash = strchr(name, '/');
  return (int)(slash ? slash - name : (long)strlen(name));
}

static bool same_robot(const plModel* m, int a, int b) {
  int n = prefix(m->body_name[a]);
  return prefix(m->body_name[b]) == n && !strncmp(m->body_name[a], m->body_name[b], (size_t)n);
}

// One line for the bodies with a common name before the slash.
static void put_robot(plSheet* s, const plModel* m, int first) {
  int bodies = 0, joints = 0, dofs = 0;
  double mass = 0;
  for (int k = first; k < m->nbody; k++)
    if (same_robot(m, first, k)) bodies++, mass += m->par->body_mass[k];
  for (int j = 0; j < m->njoint; j++) {
    assert(m->joint_child[j] >= 0 && m->joint_child[j] < m->nbody);
    if (same_robot(m, first, m->joint_child[j])) joints++, dofs += pl_joint_nv(m->joint_kind[j]);
  }
  char name[256];
  snprintf(name, sizeof name, "%.*s", prefix(m->body_name[first]), m->body_name[first]);
  pl_sheet_text(s, name);
  pl_sheet_int(s, bodies), pl_sheet_int(s, joints), pl_sheet_int(s, dofs), pl_sheet_number(s, mass);
}

static void put_robots(plSheet* s, const plModel* m) {
  static const plColumn columns[] = {{"name", "robot", -20, NULL},
                                     {"bodies", "bodies", 8, NULL},
                                     {"joints", "joints", 8, NULL},
                                     {"dofs", "DoFs", 8, NULL},
                                     {"mass", "mass", 10, "kg"}};
  TABLE(s, "robots", columns);
  for (int i = 0; i < m->nbody; i++) {
    bool seen = false;
    for (int k = 0; k < i && !seen; k++) seen = same_robot(m, i, k);
    if (!seen) put_robot(s, m, i);
  }
  pl_sheet_table_end(s);
}

static const char* body_name(const plModel* m, int body) {
  assert(body < m->nbody);
  return body < 0 ? "world" : m->body_name[body];
}

static void put_bodies(plSheet* s, const plModel* m) {
  static const plColumn columns[] = {
      {"name", "body", -28, NULL}, {"mass", "mass", 10, "kg"}, {"parent", "parent", -20, NULL}};
  TABLE(s, "bodies", columns);
  for (int i = 0; i < m->nbody; i++) {
    pl_sheet_text(s, m->body_name[i]), pl_sheet_number(s, m->par->body_mass[i]);
    pl_sheet_text(s, body_name(m, m->body_parent[i]));
  }
  pl_sheet_table_end(s);
}

static void put_joints(plSheet* s, const plModel* m) {
  static const plColumn columns[] = {
      {"name", "joint", -28, NULL}, {"kind", "kind", -12, NULL},    {"q0", "q", 6, NULL},
      {"v0", "v", 6, NULL},         {"dofs", "DoFs", 5, NULL},      {"lower", "lower", 10, NULL},
      {"upper", "upper", 10, NULL}, {"effort", "effort", 10, NULL}, {"child", "child", -20, NULL}};
  TABLE(s, "joints", columns);
  for (int i = 0; i < m->njoint; i++) {
    int nv = pl_joint_nv(m->joint_kind[i]), dof = m->joint_v0[i];
    bool one = nv == 1;
    assert(dof >= 0 && dof + nv <= m->nv_rigid);
    pl_sheet_text(s, m->joint_name[i]), pl_sheet_text(s, pl_joint_kind_name(m->joint_kind[i]));
    pl_sheet_int(s, m->joint_q0[i]), pl_sheet_int(s, dof), pl_sheet_int(s, nv);
    pl_sheet_number(s, one ? m->par->dof_lower[dof] : -INFINITY);
    pl_sheet_number(s, one ? m->par->dof_upper[dof] : INFINITY);
    pl_sheet_number(s, one ? m->dof_effort[dof] : INFINITY);
    pl_sheet_text(s, body_name(m, m->joint_child[i]));
  }
  pl_sheet_table_end(s);
}

static void put_actuators(plSheet* s, const plModel* m) {
  static const plColumn columns[] = {
      {"name", "actuator", -28, NULL}, {"kind", "kind", -12, NULL},           {"u0", "u", 6, NULL},
      {"inputs", "inputs", 7, NULL},   {"force_lower", "force >=", 10, NULL}, {"force_upper", "<=", 10, NULL},
      {"joint", "joint", -20, NULL}};
  TABLE(s, "actuators", columns);
  for (int i = 0; i < m->nact; i++) {
    assert(m->act_dof[i] >= 0 && m->act_dof[i] < m->nv_rigid);
    pl_sheet_text(s, m->act_name[i]), pl_sheet_text(s, pl_actuator_kind_name(m->act_kind[i]));
    pl_sheet_int(s, m->act_u0[i]), pl_sheet_int(s, pl_actuator_nu(m->act_kind[i]));
    pl_sheet_number(s, m->par->act_force_lower[i]), pl_sheet_number(s, m->par->act_force_upper[i]);
    pl_sheet_text(s, m->joint_name[m->dof_joint[m->act_dof[i]]]);
  }
  pl_sheet_table_end(s);
}

static void put_constraints(plSheet* s, const plModel* m) {
  static const plColumn columns[] = {{"name", "constraint", -28, NULL}, {"kind", "kind", -12, NULL}};
  TABLE(s, "constraints", columns);
  for (int i = 0; i < m->nconstraint; i++)
    pl_sheet_text(s, m->constraint[i].name), pl_sheet_text(s, pl_constraint_kind_name(m->constraint[i].kind));
  pl_sheet_table_end(s);
}

static void put_sites(plSheet* s, const plModel* m) {
  static const plColumn columns[] = {
      {"name", "site", -28, NULL}, {"body", "body", -20, NULL}, {"position", "position", -32, NULL}};
  TABLE(s, "sites", columns);
  for (int i = 0; i < m->nsite; i++) {
    pl_sheet_text(s, m->site_name[i]), pl_sheet_text(s, body_name(m, m->site_body[i]));
    pl_sheet_vec3(s, m->site_pose[i].p);
  }
  pl_sheet_table_end(s);
}

// ---- deformable bodies, shapes, sensors

static void put_deformables(plSheet* s, const plModel* m) {
  static const plColumn columns[] = {{"name", "deformable", -20, NULL},  {"vertices", "vertices", 8, NULL},
                                     {"tets", "tets", 8, NULL},          {"dofs", "DoFs", 8, NULL},
                                     {"fixed", "fixed", 7, NULL},        {"mass", "mass", 10, "kg"},
                                     {"material", "material", -20, NULL}};
  TABLE(s, "deformables", columns);
  double all = 0;
  for (int i = 0; i < m->ndeform; i++) {
    int first = m->deform_vert0[i], end = m->deform_vert0[i + 1], fixed = 0;
    double mass = m->par->deform_material[i].density * m->deform_volume[i];
    for (int k = first; k < end; k++) fixed += m->vert_fixed[k] != 0;
    pl_sheet_text(s, m->deform_name[i]), pl_sheet_int(s, end - first);
    pl_sheet_int(s, m->deform_tet0[i + 1] - m->deform_tet0[i]), pl_sheet_int(s, 3 * (end - first));
    pl_sheet_int(s, fixed), pl_sheet_number(s, mass);
    pl_sheet_text(s, pl_material_name(m->par->deform_material[i].kind));
    all += mass;
  }
  pl_sheet_table_end(s);
  if (m->ndeform)
    pl_sheet_say(s, "%-20s %8d %8d %8d %7s %7.4g kg", "all", m->nvert, m->ntet, 3 * m->nvert, "", all);
}

static void put_attachments(plSheet* s, const plModel* m) {
  static const plColumn columns[] = {{"name", "attachment", -20, NULL},
                                     {"vertices", "vertices", 8, NULL},
                                     {"deformable", "deformable", -20, NULL},
                                     {"to", "to", -20, NULL},
                                     {"exact", "exact", 5, NULL}};
  TABLE(s, "attachments", columns);
  for (int i = 0; i < m->nattach; i++) {
    assert(m->attach_deform[i] >= 0 && m->attach_deform[i] < m->ndeform && m->attach_other[i] < m->ndeform);
    pl_sheet_text(s, m->attach_name[i] ? m->attach_name[i] : "");
    pl_sheet_int(s, m->attach_vert0[i + 1] - m->attach_vert0[i]);
    pl_sheet_text(s, m->deform_name[m->attach_deform[i]]);
    pl_sheet_text(
        s, m->attach_other[i] >= 0 ? m->deform_name[m->attach_other[i]] : body_name(m, m->attach_body[i]));
    pl_sheet_flag(s, m->attach_exact[i]);
  }
  pl_sheet_table_end(s);
}

static void put_shapes(plSheet* s, const plModel* m) {
  static const plColumn columns[] = {{"name", "shape", -20, NULL},        {"kind", "kind", -12, NULL},
                                     {"position", "position", -32, NULL}, {"friction", "friction", -8, NULL},
                                     {"contact", "contact", -12, NULL},   {"body", "body", -20, NULL}};
  TABLE(s, "shapes", columns);
  for (int i = 0; i < m->nshape; i++) {
    pl_sheet_text(s, m->shape_name[i]), pl_sheet_text(s, pl_shape_name(m->shape_kind[i]));
    pl_sheet_vec3(s, m->shape_pose[i].p), pl_sheet_number(s, m->par->shape_surface[i].friction);
    pl_sheet_text(s, !m->shape_collide[i] ? "drawn only"
                     : m->shape_convex[i] ? "convex hull"
                                          : "exact shape");
    pl_sheet_text(s, body_name(m, m->shape_body[i]));
  }
  pl_sheet_table_end(s);
}

static void put_sensors(plSheet* s, const plModel* m) {
  static const plColumn columns[] = {{"name", "sensor", -20, NULL},    {"kind", "kind", -14, NULL},
                                     {"height", "height", 6, NULL},    {"width", "width", 6, NULL},
                                     {"rate", "rate", 8, "/s"},        {"delay", "delay", 8, "s"},
                                     {"columns", "columns", -20, NULL}};
  TABLE(s, "sensors", columns);
  for (int i = 0; i < m->nsensor; i++) {
    const plSensor* a = &m->sensor[i];
    pl_sheet_text(s, a->name), pl_sheet_text(s, pl_sensor_kind_name(a->kind));
    pl_sheet_int(s, a->height), pl_sheet_int(s, a->width);
    pl_sheet_number(s, a->rate > 0 ? a->rate : INFINITY), pl_sheet_number(s, a->delay);
    pl_sheet_units(s, a->column, a->unit, a->columns);
  }
  pl_sheet_table_end(s);
}

size_t pl_model_info(const plModel* model, plInfoForm form, char* text, size_t size) {
  assert(model != NULL);
  assert(text != NULL || size == 0);
  plSheet sheet;
  pl_sheet_begin(&sheet, form == PL_INFO_JSON, text, size);
  put_degrees(&sheet, model);
  put_options(&sheet, model);
  put_robots(&sheet, model);
  put_bodies(&sheet, model);
  put_joints(&sheet, model);
  put_actuators(&sheet, model);
  put_constraints(&sheet, model);
  put_sites(&sheet, model);
  put_deformables(&sheet, model);
  put_attachments(&sheet, model);
  put_shapes(&sheet, model);
  put_sensors(&sheet, model);
  pl_sheet_end(&sheet);
  return sheet.length;
}

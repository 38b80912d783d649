// mjcf_attr.c: attributes of MJCF elements with their default classes, and orientations in all their
// spellings.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"

// The <default> of a class below a node; "main" or no name is the one at the top.
static const plXml* find_class(const plXml* node, const char* name) {
  for (const plXml* d = pl_xml_child(node, "default"); d; d = pl_xml_next(d)) {
    const char* own = pl_xml_attr(d, "class");
    if (!own) own = "main";
    if (!strcmp(own, name)) return d;
    const plXml* inner = find_class(d, name);
    if (inner) return inner;
  }
  return NULL;
}

// A file and its includes may have several <default>s at the top: a later one overrides earlier ones.
static bool at_top(const plXml* d) { return d->parent && strcmp(d->parent->name, "default"); }

const plXml* pl_mjcf_outer(const plXml* d) {
  if (!at_top(d)) {
    // the class around it; at the top, the last of them comes first
    const plXml *outer = d->parent, *last = outer;
    if (outer && !strcmp(outer->name, "default") && at_top(outer))
      for (const plXml* next = outer; next; next = pl_xml_next(next)) last = next;
    return last;
  }
  const plXml* before = NULL;
  for (const plXml* e = pl_xml_child(d->parent, "default"); e && e != d; e = pl_xml_next(e)) before = e;
  return before;
}

const plXml* pl_mjcf_class(const plMjcfScope* scope, const char* name) {
  bool top = !name || !name[0] || !strcmp(name, "main");
  const plXml* found = top ? pl_xml_child(scope->root, "default") : find_class(scope->root, name);
  // the classes at the top are one, whatever their names
  if (found && at_top(found))
    for (const plXml* next = found; next; next = pl_xml_next(next)) found = next;
  return found;
}

// Whether a class, or one of those around it, has the value.
static const char* class_attr(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                              const char* name) {
  const plXml* d = pl_mjcf_class(pl_mjcf_scope(m, node), class_name);
  for (; d && !strcmp(d->name, "default"); d = pl_mjcf_outer(d)) {
    const char* value = NULL;
    for (const plXml* element = pl_xml_child(d, kind); element; element = pl_xml_next(element)) {
      const char* found = pl_xml_attr(element, name);
      if (found && found[strspn(found, " \t\n\r")]) value = found;
    }
    if (value) return value;
  }
  return NULL;
}

const char* pl_mjcf_attr(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                         const char* name) {
  const char* own = pl_xml_attr(node, name);
  const char* given = pl_xml_attr(node, "class");
  // an empty attribute says nothing
  if (own && !own[strspn(own, " \t\n\r")]) own = NULL;
  return own || !kind ? own : class_attr(m, node, kind, given && given[0] ? given : class_name, name);
}
// The numbers of the class that holds for an element.
static plStatus class_numbers(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                              const char* name, double* value, int n, int* count) {
  const char* given = pl_xml_attr(node, "class");
  const char* text = class_attr(m, node, kind, given && given[0] ? given : class_name, name);
  return text ? pl_xml_numbers(node, text, name, value, 1, n, count, m->robot->error) : PL_OK;
}

plStatus pl_mjcf_numbers(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                         const char* name, double* value, int least, int n, int* count) {
  const char* text = pl_mjcf_attr(m, node, kind, class_name, name);
  double inherited[8];
  int more = 0;
  *count = 0;
  plStatus status = text ? pl_xml_numbers(node, text, name, value, least, n, count, m->robot->error) : PL_OK;
  // if an element gives only the first numbers, its class gives the others
  bool own = least < n && n <= 8 && *count && *count < n && kind && text == pl_xml_attr(node, name);
  if (!status && own) status = class_numbers(m, node, kind, class_name, name, inherited, n, &more);
  assert(status || (*count <= n && more <= n));
  for (int k = *count; k < more && !status; k++) value[k] = inherited[k];
  if (*count < more) *count = more;
  return status;
}

plStatus pl_mjcf_number(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                        const char* name, double* value) {
  int count;
  return pl_mjcf_numbers(m, node, kind, class_name, name, value, 1, 1, &count);
}

plStatus pl_mjcf_linear(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                        const char* name, double* value) {
  double c[3] = {*value, 0, 0};
  int n;
  plStatus status = pl_mjcf_numbers(m, node, kind, class_name, name, c, 1, 3, &n);
  if (status || !n) return status;
  *value = c[0];
  if (c[1] != 0 || c[2] != 0)
    pl_robot_warn(m->robot, node, "the %s of <%s> is a polynomial, of which the first coefficient is read",
                  name, node->name);
  return PL_OK;
}

plStatus pl_mjcf_flag(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                      const char* name, bool automatic, bool* value) {
  const char* text = pl_mjcf_attr(m, node, kind, class_name, name);
  *value = automatic;
  if (!text || !strcmp(text, "auto")) return PL_OK;
  if (strcmp(text, "true") && strcmp(text, "false"))
    return pl_xml_fail(node, m->robot->error, "%s of <%s> must be true, false or auto, got '%.40s'", name,
                       node->name, text);
  *value = !strcmp(text, "true");
  return PL_OK;
}

// Rotations about the axes of eulerseq in order: lower case about moving axes, upper case about fixed ones.
static plQuat euler_quat(const plMjcfScope* scope, const double* angle) {
  plQuat q = quat_identity();
  for (int k = 0; k < 3; k++) {
    char c = scope->euler[k];
    bool fixed = c < 'a';
    int axis = fixed ? c - 'X' : c - 'x';
    plQuat turn = quat_from_axis_angle(v3(axis == 0, axis == 1, axis == 2), scope->angle * angle[k]);
    q = fixed ? quat_mul(turn, q) : quat_mul(q, turn);
  }
  return q;
}

// The rotation with these columns.
plQuat pl_mjcf_columns(plVec3 x, plVec3 y, plVec3 z) {
  double t = x.x + y.y + z.z;
  plQuat q;
  if (t > 0)
    q = (plQuat){1 + t, y.z - z.y, z.x - x.z, x.y - y.x};
  else if (x.x >= y.y && x.x >= z.z)
    q = (plQuat){y.z - z.y, 1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z};
  else if (y.y >= z.z)
    q = (plQuat){z.x - x.z, x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y};
  else
    q = (plQuat){x.y - y.x, z.x + x.z, y.z + z.y, 1 + z.z - x.x - y.y};
  return quat_unit(q);
}

// The smallest rotation that takes z to a direction.
static plQuat quat_of_z(plVec3 z) {
  plVec3 axis = v3_cross(v3(0, 0, 1), z);
  double s = v3_norm(axis);
  if (s > 1e-12 * v3_norm(z)) return quat_from_axis_angle(axis, atan2(s, z.z));
  return z.z < 0 ? (plQuat){0, 1, 0, 0} : quat_identity();
}

plStatus pl_mjcf_pose(const plMjcf* m, const plXml* node, const char* kind, const char* class_name,
                      plPose* pose) {
  const plMjcfScope* scope = pl_mjcf_scope(m, node);
  double x[6];
  int n;
  *pose = pose_identity();
  plStatus status = pl_mjcf_numbers(m, node, kind, class_name, "pos", x, 3, 3, &n);
  if (!status && n) pose->p = v3(x[0], x[1], x[2]);
  if (!status) status = pl_mjcf_numbers(m, node, kind, class_name, "quat", x, 4, 4, &n);
  if (!status && n) pose->q = quat_unit((plQuat){x[0], x[1], x[2], x[3]});
  if (!status) status = pl_mjcf_numbers(m, node, kind, class_name, "axisangle", x, 4, 4, &n);
  if (!status && n) pose->q = quat_from_axis_angle(v3(x[0], x[1], x[2]), scope->angle * x[3]);
  if (!status) status = pl_mjcf_numbers(m, node, kind, class_name, "euler", x, 3, 3, &n);
  if (!status && n) pose->q = euler_quat(scope, x);
  if (!status) status = pl_mjcf_numbers(m, node, kind, class_name, "xyaxes", x, 6, 6, &n);
  if (!status && n) {
    plVec3 ax = v3_unit(v3(x[0], x[1], x[2])), ay = v3(x[3], x[4], x[5]);
    ay = v3_unit(v3_madd(ay, -v3_dot(ax, ay), ax));
    pose->q = pl_mjcf_columns(ax, ay, v3_cross(ax, ay));
  }
  if (!status) status = pl_mjcf_numbers(m, node, kind, class_name, "zaxis", x, 3, 3, &n);
  if (!status && n) pose->q = quat_of_z(v3(x[0], x[1], x[2]));
  if (!status && (!v3_finite(pose->p) || !isfinite(quat_norm(pose->q))))
    status = pl_xml_fail(node, m->robot->error, "the pose of <%s> must be finite", node->name);
  return status;
}

// ---- defaults that no element used

// Whether an attribute of a kind of element is read at all.
static bool is_read(const char* kind, const char* name) {
  static const struct {
    const char *kind, *names;
  } table[] = {
      {"joint",
       " type axis pos range limited damping armature frictionloss stiffness springref ref springdamper "
       "actuatorfrcrange "
       "actuatorfrclimited group "},
      {"geom",
       " type size fromto mesh friction contype conaffinity rgba material mass density group pos quat "
       "axisangle euler xyaxes zaxis shellinertia fitscale condim solref "},
      {"tendon", " range limited stiffness damping springlength "},
      {"mesh", " scale inertia refpos refquat "},
      {"material", " rgba "},
      {"site", " pos quat axisangle euler xyaxes zaxis type size fromto rgba material group user "},
      {"position",
       " kp kv dampratio timeconst gear ctrlrange ctrllimited forcerange forcelimited inheritrange joint "
       "tendon site "},
      {"velocity", " kv gear ctrlrange ctrllimited forcerange forcelimited joint tendon site "},
      {"motor", " gear ctrlrange ctrllimited forcerange forcelimited joint tendon site "},
      {"general",
       " gear ctrlrange ctrllimited forcerange forcelimited gainprm biasprm gaintype biastype dyntype joint "
       "tendon site "}};
  char word[64];
  if (strlen(name) > 60) return false;
  snprintf(word, sizeof word, " %s ", name);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].kind, kind)) return strstr(table[i].names, word) != NULL;
  return false;
}

void pl_mjcf_use_defaults(const plXml* node) {
  for (plXml* d = node->child; d; d = d->next) {
    if (!strcmp(d->name, "default")) {
      d->used = true;
      pl_xml_attr(d, "class");
      pl_mjcf_use_defaults(d);
    } else if (!strcmp(node->name, "default")) {
      for (plXmlAttr* a = d->attr; a; a = a->next)
        if (is_read(d->name, a->name)) d->used = a->used = true;
    }
  }
}

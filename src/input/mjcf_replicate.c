// mjcf_replicate.c: <replicate count offset euler sep> of an MJCF file becomes <frame>s with copies of its
// content.
//
// Copy i is at F^i, where F is the frame of offset and euler; its names end with sep and i, with as many
// digits as count has. Nested copies get the inner number first. Actuators, tendons, equalities, exclusions
// and sensors that an <attach> in it added are copied with it.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"

static plXmlAttr* new_attr(plRobot* robot, const char* name, const char* value, plXmlAttr* next) {
  plXmlAttr* a = PL_ARENA_NEW(&robot->tree.arena, plXmlAttr, 1);
  if (a) *a = (plXmlAttr){.name = name, .value = value, .next = next};
  return a && value ? a : NULL;
}

void pl_mjcf_append(plXml* parent, plXml* child) {
  child->parent = parent, child->next = NULL;
  if (parent->last)
    parent->last->next = child;
  else
    parent->child = child;
  parent->last = child;
}

bool pl_mjcf_is_reference(const char* attr) {
  static const char* const names[] = {
      "joint",   "joint1",  "joint2",    "jointinparent", "body",   "body1",    "body2",    "geom",
      "geom1",   "geom2",   "site",      "site1",         "site2",  "sidesite", "refsite",  "tendon",
      "tendon1", "tendon2", "cranksite", "slidersite",    "target", "objname",  "actuator", "refname"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(attr, names[i])) return true;
  return false;
}

plXml* pl_mjcf_copy(plRobot* robot, const plXml* node, const char* prefix, const char* suffix) {
  plXml* copy = PL_ARENA_NEW(&robot->tree.arena, plXml, 1);
  if (!copy || ++robot->tree.nitem > PL_XML_MAX_ITEMS) return NULL;
  *copy = *node;
  copy->attr = NULL, copy->child = copy->last = copy->next = NULL;
  plXmlAttr** at = &copy->attr;
  for (const plXmlAttr* a = node->attr; a; a = a->next, at = &(*at)->next) {
    const char* value = a->value;
    if (!strcmp(a->name, "name"))
      value = pl_robot_printf(robot, "%s%s%s", prefix, value, suffix);
    else if (prefix[0] && pl_mjcf_is_reference(a->name))
      value = pl_robot_printf(robot, "%s%s", prefix, value);
    if (++robot->tree.nitem > PL_XML_MAX_ITEMS || !(*at = new_attr(robot, a->name, value, NULL))) return NULL;
    (*at)->used = a->used;
  }
  for (const plXml* child = node->child; child; child = child->next) {
    plXml* below = pl_mjcf_copy(robot, child, prefix, suffix);
    if (!below) return NULL;
    pl_mjcf_append(copy, below);
  }
  return copy;
}

// One <frame> at a pose with copies of the children of node.
static plXml* make_frame(plRobot* robot, const plXml* node, plPose pose, const char* suffix) {
  plXml* frame = PL_ARENA_NEW(&robot->tree.arena, plXml, 1);
  const char *pos = pl_robot_printf(robot, "%.17g %.17g %.17g", pose.p.x, pose.p.y, pose.p.z),
             *quat =
                 pl_robot_printf(robot, "%.17g %.17g %.17g %.17g", pose.q.w, pose.q.x, pose.q.y, pose.q.z);
  const char* child_class = pl_xml_attr(node, "childclass");
  if (!frame || ++robot->tree.nitem > PL_XML_MAX_ITEMS) return NULL;
  *frame = (plXml){.name = "frame",
                   .text = "",
                   .file = node->file,
                   .line = node->line,
                   .used = true,
                   .scope = node->scope};
  frame->attr = new_attr(robot, "quat", quat, new_attr(robot, "pos", pos, NULL));
  if (child_class) frame->attr = new_attr(robot, "childclass", child_class, frame->attr);
  if (!pos || !frame->attr) return NULL;
  for (const plXml* child = node->child; child; child = child->next) {
    plXml* copy = pl_mjcf_copy(robot, child, "", suffix);
    if (!copy) return NULL;
    pl_mjcf_append(frame, copy);
  }
  return frame;
}

// ---- elements that refer to the copies

// The kind of element that an attribute names; "": of any kind.
static const char* kind_named(const char* attr) {
  static const char* const kinds[] = {"joint", "body", "geom", "tendon", "actuator"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strncmp(attr, kinds[i], strlen(kinds[i]))) return kinds[i];
  return strstr(attr, "site") ? "site" : "";
}

// Whether an attribute names an element that is copied: below node, or already in one of the lists.
static bool is_copied(plXml* node, plXml* gone, const plXmlAttr* a) {
  const char* kind = pl_mjcf_is_reference(a->name) ? kind_named(a->name) : NULL;
  if (!kind || !a->value[0]) return false;
  bool list = !strcmp(kind, "tendon") || !strcmp(kind, "actuator");
  return pl_mjcf_find_named(list ? gone : node, list || !kind[0] ? NULL : kind, a->value) != NULL;
}

static bool refers(plXml* node, plXml* gone, const plXml* e) {
  for (const plXmlAttr* a = e->attr; a; a = a->next)
    if (is_copied(node, gone, a)) return true;
  for (const plXml* c = e->child; c; c = c->next)
    if (refers(node, gone, c)) return true;
  return false;
}

// Names and references of a copy end with its number.
static bool rename_copy(plRobot* robot, plXml* node, plXml* gone, plXml* e, const char* suffix) {
  for (plXmlAttr* a = e->attr; a; a = a->next)
    if (!strcmp(a->name, "name") || is_copied(node, gone, a))
      if (!(a->value = pl_robot_printf(robot, "%s%s", a->value, suffix))) return false;
  for (plXml* c = e->child; c; c = c->next)
    if (!rename_copy(robot, node, gone, c, suffix)) return false;
  return true;
}

// Replaces the elements of a list that refer to elements below node by their copies. These follow the others,
// grouped by copy, as in MuJoCo's order. The originals go to gone.
static bool copy_list(plRobot* robot, plXml* node, plXml* gone, plXml* list, const char* const* suffix,
                      int n) {
  plXml copied = {.name = "", .text = ""}, *first = list->child;
  list->child = list->last = NULL;
  for (plXml *e = first, *next; e; e = next) {
    next = e->next;
    pl_mjcf_append(refers(node, gone, e) ? &copied : list, e);
  }
  for (int i = 0; i < n; i++)
    for (const plXml* e = copied.child; e; e = e->next) {
      plXml* one = pl_mjcf_copy(robot, e, "", "");
      if (!one || !rename_copy(robot, node, gone, one, suffix[i])) return false;
      pl_mjcf_append(list, one);
    }
  for (plXml *e = copied.child, *next; e; e = next) next = e->next, pl_mjcf_append(gone, e);
  return true;
}

static bool copy_lists(plRobot* robot, plXml* root, plXml* node, const char* const* suffix, int n) {
  static const char* const lists[] = {"tendon", "actuator", "equality", "contact", "sensor"};
  plXml gone = {.name = "", .text = ""};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    for (plXml* list = pl_xml_child(root, lists[i]); list; list = pl_xml_next(list))
      if (!copy_list(robot, node, &gone, list, suffix, n)) return false;
  return true;
}

// ---- <replicate>

static plStatus fail_copies(plRobot* robot, const plXml* node) {
  if (robot->tree.nitem > PL_XML_MAX_ITEMS)
    return pl_xml_fail(node, robot->error, "the copies have more than %d elements and attributes",
                       (int)PL_XML_MAX_ITEMS);
  return pl_fail_out_of_memory(robot->error, 1000);
}

// The frames of one <replicate>, as children of *list.
static plStatus replicate(plMjcf* m, plXml* root, plXml* node, plXml* list) {
  plRobot* robot = m->robot;
  const char* sep = pl_xml_attr(node, "sep");
  double count = -1, offset[3] = {0, 0, 0};
  plPose step, pose = pose_identity();
  int n;
  plStatus status = pl_xml_number_attr(node, "count", &count, robot->error);
  if (!status) status = pl_mjcf_numbers(m, node, NULL, NULL, "offset", offset, 3, 3, &n);
  if (!status) status = pl_mjcf_pose(m, node, NULL, NULL, &step);
  if (status) return status;
  if (!(count >= 1 && count <= PL_ROBOT_MAX_SHAPES && count == (int)count))
    return pl_xml_fail(node, robot->error, "<replicate> needs a count of 1 to %d, got %g",
                       (int)PL_ROBOT_MAX_SHAPES, count);
  step.p = v3(offset[0], offset[1], offset[2]);
  int width = snprintf(NULL, 0, "%d", (int)count);
  const char** suffix = PL_ARENA_NEW(&robot->tree.arena, const char*, (size_t)count);
  for (int i = 0; i < (int)count; i++) {
    if (suffix) suffix[i] = pl_robot_printf(robot, "%.100s%0*d", sep ? sep : "", width, i);
    plXml* frame = suffix && suffix[i] ? make_frame(robot, node, pose, suffix[i]) : NULL;
    if (!frame) return fail_copies(robot, node);
    pl_mjcf_append(list, frame);
    pose = pose_mul(pose, step);
    pose.q = quat_unit(pose.q);
  }
  return copy_lists(robot, root, node, suffix, (int)count) ? PL_OK : fail_copies(robot, node);
}

plStatus pl_mjcf_replicate(plMjcf* m, plXml* root, plXml* node, int depth) {
  if (depth > PL_XML_MAX_DEPTH) return pl_xml_fail(node, m->robot->error, "elements are nested too deeply");
  plXml list = {0};
  for (plXml *child = node->child, *next; child; child = next) {
    next = child->next;
    // inner ones first
    plStatus status = pl_mjcf_replicate(m, root, child, depth + 1);
    if (!status && !strcmp(child->name, "replicate"))
      status = replicate(m, root, child, &list);
    else if (!status)
      pl_mjcf_append(&list, child);
    if (status) return status;
  }
  node->child = list.child, node->last = list.last;
  for (plXml* child = node->child; child; child = child->next) child->parent = node;
  return PL_OK;
}

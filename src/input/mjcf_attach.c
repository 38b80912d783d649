// mjcf_attach.c: <attach model body prefix> of an MJCF file: a copy of another model's body, or of its whole
// world, with its actuators, constraints and sensors.
//
// The <model> assets name the files. A copy keeps the compiler, the classes and the assets of its own file
// (plMjcfScope); its names begin with prefix. Actuators, tendons, equalities, contact pairs, exclusions and
// sensors are copied if everything that they name was copied. Models may attach others.
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"

enum { MOST_DEPTH = 8 };
static const char* const lists[] = {"tendon", "actuator", "equality", "contact", "sensor"};

// ---- models

static void set_scope(plXml* node, const plMjcfScope* scope) {
  if (!node->scope) node->scope = scope;
  for (plXml* c = node->child; c; c = c->next) set_scope(c, scope);
}

// The tree of a <model> asset, read the first time and stored below the asset. NULL with PL_OK: it is not
// MJCF.
static plStatus load_model(plMjcf* m, plXml* asset, int depth, plXml** root) {
  plRobot* robot = m->robot;
  *root = asset->child;
  if (*root) return PL_OK;
  const char *file = pl_xml_attr(asset, "file"), *before = robot->folder;
  robot->folder = pl_mjcf_scope(m, asset)->folder;
  const char *path = file ? pl_robot_find_file(robot, file) : NULL, *slash = path ? strrchr(path, '/') : NULL;
  robot->folder = before;
  if (!path)
    return pl_xml_fail(asset, robot->error, "the model '%.300s' is not found; give its folder (--search)",
                       file ? file : "");
  plXml* tree;
  plMjcfScope* scope = PL_ARENA_NEW(&robot->tree.arena, plMjcfScope, 1);
  const char* folder = slash ? pl_xml_keep(&robot->tree, path, (size_t)(slash - path)) : "";
  if (!scope || !folder) return pl_fail_out_of_memory(robot->error, sizeof *scope);
  plStatus status = pl_robot_include(robot, path, &tree);
  if (!status && strcmp(tree->name, "mujoco")) {
    pl_robot_warn(robot, asset, "ignored: the attached model '%.200s': it is not an MJCF file", file);
    return PL_OK;
  }
  robot->folder = folder;
  if (!status) status = pl_mjcf_include(robot, tree, 0);
  if (!status) status = pl_mjcf_read_scope(robot, tree, scope);
  if (!status) set_scope(tree, scope);
  if (!status) status = pl_mjcf_attach(m, tree, depth + 1);
  for (plXml* world = status ? NULL : pl_xml_child(tree, "worldbody"); world && !status;
       world = pl_xml_next(world))
    status = pl_mjcf_replicate(m, tree, world, 0);
  robot->folder = before;
  if (status) return status;
  tree->used = true;
  pl_xml_attr(tree, "model");
  pl_mjcf_append(asset, tree);
  *root = tree;
  return PL_OK;
}

static plXml* find_model(const plXml* root, const char* name) {
  for (const plXml* list = pl_xml_child(root, "asset"); list && name; list = pl_xml_next(list))
    for (plXml* e = pl_xml_child(list, "model"); e; e = pl_xml_next(e)) {
      const char* own = pl_xml_attr(e, "name");
      if (own && !strcmp(own, name)) return e;
    }
  return NULL;
}

plXml* pl_mjcf_find_named(plXml* node, const char* kind, const char* name) {
  for (plXml* c = node->child; c; c = c->next) {
    plXml* below = pl_mjcf_find_named(c, kind, name);
    if (below) return below;
    for (const plXmlAttr* a = c->attr; a && (!kind || !strcmp(c->name, kind)); a = a->next)
      if (!strcmp(a->name, "name") && !strcmp(a->value, name)) return c;
  }
  return NULL;
}

// ---- other elements of the model

// Whether everything that an element names is in the attached part of the model.
static bool comes_along(plXml* root, plXml* part, const plXml* e, int depth) {
  for (const plXmlAttr* a = e->attr; a; a = a->next) {
    if (!pl_mjcf_is_reference(a->name) || !a->value[0]) continue;
    bool list = !strncmp(a->name, "tendon", 6) || !strcmp(a->name, "actuator");
    plXml* where = list ? pl_xml_child(root, !strcmp(a->name, "actuator") ? "actuator" : "tendon") : part;
    plXml* found = NULL;
    for (; where && !found; where = list ? pl_xml_next(where) : NULL)
      found = pl_mjcf_find_named(where, NULL, a->value);
    bool own =
        !list && !strcmp(part->name, "body") && pl_mjcf_find_named(part->parent, "body", a->value) == part;
    if (!found && !own) return false;
    if (found && list && (depth > MOST_DEPTH || !comes_along(root, part, found, depth + 1))) return false;
  }
  for (const plXml* c = e->child; c; c = c->next)
    if (!comes_along(root, part, c, depth)) return false;
  return true;
}

// Appends copies of the elements of the model's lists to those of the file.
static plStatus copy_lists(plRobot* robot, plXml* root, plXml* part, const char* prefix, plXml* to) {
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    for (plXml* list = pl_xml_child(root, lists[i]); list; list = pl_xml_next(list)) {
      plXml* copy = PL_ARENA_NEW(&robot->tree.arena, plXml, 1);
      if (!copy) return pl_fail_out_of_memory(robot->error, sizeof *copy);
      *copy = *list;
      copy->child = copy->last = NULL;
      for (const plXml* e = list->child; e; e = e->next) {
        if (!comes_along(root, part, e, 0)) continue;
        plXml* one = pl_mjcf_copy(robot, e, prefix, "");
        if (!one) return pl_xml_fail(e, robot->error, "the attached models have too many elements");
        one->used = false;
        pl_mjcf_append(copy, one);
      }
      pl_mjcf_append(to, copy);
    }
  return PL_OK;
}

// The copies are read instead of the original.
static void use_copied(plXml* root) {
  for (plXml* c = root->child; c; c = c->next)
    if (strcmp(c->name, "default") && strcmp(c->name, "asset") && strcmp(c->name, "compiler") &&
        strcmp(c->name, "keyframe"))
      pl_xml_use_all(c);
  pl_mjcf_use_defaults(root);
}

// ---- <attach>

// A <frame> with copies of a body, or of all in the world, in their own classes.
static plXml* copy_part(plRobot* robot, const plXml* at, plXml* root, const plXml* body, const char* prefix) {
  plXml* frame = PL_ARENA_NEW(&robot->tree.arena, plXml, 1);
  plXmlAttr* main = PL_ARENA_NEW(&robot->tree.arena, plXmlAttr, 1);
  if (!frame || !main) return NULL;
  *main = (plXmlAttr){.name = "childclass", .value = "main", .used = true};
  *frame =
      (plXml){.name = "frame", .text = "", .file = at->file, .line = at->line, .used = true, .attr = main};
  frame->scope = root->scope;
  plXml* one = body ? pl_mjcf_copy(robot, body, prefix, "") : NULL;
  if (body && !one) return NULL;
  if (body) return pl_mjcf_append(frame, one), frame;
  for (plXml* world = pl_xml_child(root, "worldbody"); world; world = pl_xml_next(world))
    for (const plXml* c = world->child; c; c = c->next) {
      one = pl_mjcf_copy(robot, c, prefix, "");
      if (!one) return NULL;
      pl_mjcf_append(frame, one);
    }
  return frame;
}

static plStatus attach(plMjcf* m, plXml* top, const plXml* node, int depth, plXml** frame) {
  plRobot* robot = m->robot;
  const char *model = pl_xml_attr(node, "model"), *wanted = pl_xml_attr(node, "body"),
             *prefix = pl_xml_attr(node, "prefix");
  plXml *asset = find_model(top, model), *root, *part = NULL;
  *frame = NULL;
  if (!asset)
    return pl_xml_fail(node, robot->error, "<attach> names the <model> asset '%.100s', which does not exist",
                       model ? model : "");
  plStatus status = load_model(m, asset, depth, &root);
  if (status || !root) return status;
  for (plXml* world = pl_xml_child(root, "worldbody"); world && !part; world = pl_xml_next(world))
    part = wanted ? pl_mjcf_find_named(world, "body", wanted) : world;
  if (!part && wanted)
    return pl_xml_fail(node, robot->error, "the model '%.100s' has no body '%.100s'", model, wanted);
  if (!part) return PL_OK;
  *frame = copy_part(robot, node, root, wanted ? part : NULL, prefix ? prefix : "");
  if (!*frame) return pl_xml_fail(node, robot->error, "the attached models have too many elements");
  status = copy_lists(robot, root, part, prefix ? prefix : "", top);
  use_copied(root);
  return status;
}

static plStatus expand(plMjcf* m, plXml* top, plXml* node, int depth) {
  plStatus status = PL_OK;
  plXml* before = NULL;
  for (plXml* c = node->child; c && !status; before = c, c = c->next) {
    if (strcmp(c->name, "attach")) {
      status = expand(m, top, c, depth);
      continue;
    }
    plXml* frame;
    status = attach(m, top, c, depth, &frame);
    c->used = true;
    if (status || !frame) continue;
    frame->parent = node, frame->next = c->next;
    *(before ? &before->next : &node->child) = frame;
    if (node->last == c) node->last = frame;
    c = frame;
  }
  return status;
}

plStatus pl_mjcf_attach(plMjcf* m, plXml* root, int depth) {
  plStatus status = PL_OK;
  if (depth > MOST_DEPTH)
    return pl_xml_fail(root, m->robot->error,
                       "models attach each other more than %d deep; does one attach "
                       "itself?",
                       (int)MOST_DEPTH);
  for (plXml* world = pl_xml_child(root, "worldbody"); world && !status; world = pl_xml_next(world))
    status = expand(m, root, world, depth);
  return status;
}

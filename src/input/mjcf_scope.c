// mjcf_scope.c: an MJCF file with its includes, and its <compiler> settings.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"

#define PI 3.14159265358979323846

// ---- includes

// A file in the folder of another.
static const char* find_beside(plRobot* robot, const char* other, const char* file) {
  const char *slash = strrchr(other, '/'), *before = robot->folder;
  if (!slash) return NULL;
  robot->folder = pl_xml_keep(&robot->tree, other, (size_t)(slash - other));
  const char* path = robot->folder ? pl_robot_find_file(robot, file) : NULL;
  robot->folder = before;
  return path;
}

// Replaces <include> by the children of the included files.
plStatus pl_mjcf_include(plRobot* robot, plXml* node, int depth) {
  if (depth > PL_XML_MAX_DEPTH) return pl_xml_fail(node, robot->error, "elements are nested too deeply");
  plXml** at = &node->child;
  node->last = NULL;
  while (*at) {
    plXml* child = *at;
    if (strcmp(child->name, "include")) {
      plStatus status = pl_mjcf_include(robot, child, depth + 1);
      if (status) return status;
      node->last = child;
      at = &child->next;
      continue;
    }
    const char* file = pl_xml_attr(child, "file");
    const char* path = file ? pl_robot_find_file(robot, file) : NULL;
    if (!path && file) path = find_beside(robot, child->file, file);
    if (!path)
      return pl_xml_fail(child, robot->error, "the included file '%.300s' is not found", file ? file : "");
    plXml* root;
    plStatus status = pl_robot_include(robot, path, &root);
    if (status) return status;
    // as in MuJoCo, the root of the included file may have any name; the new children are visited too,
    // because they may include more
    plXml* first = root->child;
    for (plXml* c = first; c; c = c->next) c->parent = node;
    if (first) {
      root->last->next = child->next;
      *at = first;
    } else {
      *at = child->next;
    }
  }
  return PL_OK;
}

// ---- compiler

static const char* folder_attr(plRobot* robot, const plXml* compiler, const char* name) {
  const char* value = pl_xml_attr(compiler, name);
  size_t n = value ? strlen(value) : 0;
  while (n > 1 && value[n - 1] == '/') n--;
  return n ? pl_xml_keep(&robot->tree, value, n) : NULL;
}

plStatus pl_mjcf_read_scope(plRobot* robot, const plXml* root, plMjcfScope* scope) {
  plStatus status = PL_OK;
  *scope = (plMjcfScope){.root = root,
                         .folder = robot->folder,
                         .angle = PI / 180,
                         .euler = "xyz",
                         .autolimits = true,
                         .inertia_from_geom = 1,
                         .group_high = 5,
                         .total_mass = -1};
  for (const plXml* c = pl_xml_child(root, "compiler"); c && !status; c = pl_xml_next(c)) {
    const char *angle = pl_xml_attr(c, "angle"), *coordinate = pl_xml_attr(c, "coordinate"),
               *seq = pl_xml_attr(c, "eulerseq");
    const char *limits = pl_xml_attr(c, "autolimits"), *from_geom = pl_xml_attr(c, "inertiafromgeom"),
               *groups = pl_xml_attr(c, "inertiagrouprange");
    const char *strip = pl_xml_attr(c, "strippath"), *fit = pl_xml_attr(c, "fitaabb"),
               *balance = pl_xml_attr(c, "balanceinertia");
    if (angle) scope->angle = !strcmp(angle, "radian") ? 1 : PI / 180;
    if (coordinate && strcmp(coordinate, "local"))
      return pl_xml_fail(c, robot->error, "global coordinates are not read; convert the file to local ones");
    if (seq) {
      if (strlen(seq) != 3 || strspn(seq, "xyzXYZ") != 3)
        return pl_xml_fail(c, robot->error,
                           "eulerseq must be three of x y z (X Y Z: fixed axes), got '%.20s'", seq);
      memcpy(scope->euler, seq, 4);
    }
    if (limits) status = pl_xml_bool(c, limits, &scope->autolimits, robot->error);
    if (strip && !status) status = pl_xml_bool(c, strip, &scope->strip_path, robot->error);
    if (balance && !status) status = pl_xml_bool(c, balance, &scope->balance, robot->error);
    if (fit && !status) status = pl_xml_bool(c, fit, &scope->fit_box, robot->error);
    if (!status) status = pl_xml_number_attr(c, "boundmass", &scope->least_mass, robot->error);
    if (!status) status = pl_xml_number_attr(c, "boundinertia", &scope->least_inertia, robot->error);
    if (!status) status = pl_xml_number_attr(c, "settotalmass", &scope->total_mass, robot->error);
    if (from_geom)
      scope->inertia_from_geom = !strcmp(from_geom, "true") ? 2 : !strcmp(from_geom, "false") ? 0 : 1;
    double range[2];
    if (groups && !status)
      status = pl_xml_numbers(c, groups, "inertiagrouprange", range, 2, 2, NULL, robot->error);
    if (groups && !status) scope->group_low = range[0], scope->group_high = range[1];
    const char *assets = folder_attr(robot, c, "assetdir"), *meshes = folder_attr(robot, c, "meshdir");
    if (assets || meshes) scope->mesh_folder = meshes ? meshes : assets;
  }
  return status;
}

const plMjcfScope* pl_mjcf_scope(const plMjcf* m, const plXml* node) {
  return node->scope ? node->scope : &m->main;
}

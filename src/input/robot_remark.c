// robot_remark.c: remarks of the readers of robot files. They are kept while a file is read, one for each
// kind with a count, and reported at the end: those that affect the motion first, then those that affect only
// the drawing.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "input/robot.h"

enum { MAX_KINDS = 200 };  // remarks beyond these are counted, not kept

struct plRobotRemark {
  const char *key, *text;
  plRemarkRank rank;
  int count;
  plRobotRemark* next;
};

static void keep(plRobot* robot, const plXml* at, plRemarkRank rank, const char* key, const char* format,
                 va_list args) {
  plRobotRemark** end = &robot->remark;
  int kinds = 0;
  for (; *end; end = &(*end)->next, kinds++)
    if ((*end)->rank == rank && !strcmp((*end)->key, key)) {
      (*end)->count++;
      return;
    }
  if (kinds >= MAX_KINDS) {
    robot->unsaid++;
    return;
  }
  char text[768];
  vsnprintf(text, sizeof text, format, args);
  pl_text_one_line(text);
  plRobotRemark* remark = PL_ARENA_NEW(&robot->tree.arena, plRobotRemark, 1);
  const char* line = at ? pl_robot_printf(robot, "%.300s:%d: %s", at->file, at->line, text)
                        : pl_robot_printf(robot, "%.300s: %s", robot->def->file, text);
  const char* kept = pl_xml_keep(&robot->tree, key, strlen(key));
  if (!remark || !line || !kept) return;
  *remark = (plRobotRemark){kept, line, rank, 1, NULL};
  *end = remark;
}

void pl_robot_warn(plRobot* robot, const plXml* at, const char* format, ...) {
  va_list args;
  va_start(args, format);
  keep(robot, at, PL_REMARK_PHYSICS, format, format, args);
  va_end(args);
}

void pl_robot_warn_once(plRobot* robot, const plXml* at, const char* key, const char* format, ...) {
  va_list args;
  va_start(args, format);
  keep(robot, at, PL_REMARK_PHYSICS, key, format, args);
  va_end(args);
}

void pl_robot_note(plRobot* robot, const plXml* at, const char* format, ...) {
  va_list args;
  va_start(args, format);
  keep(robot, at, PL_REMARK_OTHER, format, format, args);
  va_end(args);
}

plStatus pl_robot_place(plRobot* robot, const plXml* node, plStatus status) {
  plError* e = robot->error;
  if (!status || status == PL_ERROR_MEMORY || e->file[0]) return status;
  snprintf(e->file, sizeof e->file, "%s", node->file);
  e->line = node->line;
  return status;
}

// ---- elements and attributes that were not read

// Elements and attributes that do not affect the motion: appearance, sensors, names for other programs.
static bool only_seen(const plXml* node, const plXmlAttr* attr) {
  static const char elements[] =
      " visual asset texture material light camera site sensor statistic size custom text numeric tuple "
      "gazebo plugin skin "
      "rgba color specular emissive ambient laser_retro cast_shadows transparency map headlight quality "
      "global user "
      "drake:illustration_properties drake:perception_properties drake:diffuse_map script meta verbose name "
      "version "
      "author description license sensor_noise projector battery audio particle_emitter uuid "
      "hardwareInterface "
      "preserveFixedJoint safety_controller calibration ";
  static const char attributes[] =
      " rgba material group user name class content_type texture texrepeat texuniform specular shininess "
      "reflectance "
      "emission childclass version xmlns:xacro xmlns:drake xmlns:sensor xmlns:controller xmlns:interface "
      "alpha width model "
      "nuser_actuator texturedir discardvisual usethread "
      "alignfree normal texcoord builtin rgb1 rgb2 mark markrgb nstack memory njmax nconmax "
      "nkey ";
  char word[80];
  const char* name = attr ? attr->name : node->name;
  if (strlen(name) > 70) return false;
  snprintf(word, sizeof word, " %s ", name);
  return strstr(attr ? attributes : elements, word) != NULL;
}

static void say_unused(plRobot* robot, const plXml* node, plRemarkRank rank, const char* key,
                       const char* format, ...) __attribute__((format(printf, 5, 6)));
static void say_unused(plRobot* robot, const plXml* node, plRemarkRank rank, const char* key,
                       const char* format, ...) {
  va_list args;
  va_start(args, format);
  keep(robot, node, rank, key, format, args);
  va_end(args);
}

// A mesh asset of MJCF that no geom uses, and its attributes. Of used ones, only the size of the hull is not
// read and affects contact.
static bool unused_mesh(const plXml* node, const plXmlAttr* attr) {
  return !strcmp(node->name, "mesh") && node->parent && !strcmp(node->parent->name, "asset") &&
         !(attr && !strcmp(attr->name, "maxhullvert"));
}

static void name_unused(void* user, const plXml* node, const plXmlAttr* attr) {
  plRemarkRank rank = only_seen(node, attr) || unused_mesh(node, attr) ? PL_REMARK_OTHER : PL_REMARK_PHYSICS;
  for (const plXml* above = node->parent; above && rank == PL_REMARK_PHYSICS; above = above->parent)
    if (only_seen(above, NULL) && strcmp(above->name, "asset")) rank = PL_REMARK_OTHER;
  char key[300];
  snprintf(key, sizeof key, "%.90s %.90s %.90s", node->parent ? node->parent->name : "", node->name,
           attr ? attr->name : "");
  if (attr)
    say_unused(user, node, rank, key, "ignored: %s=\"%.60s\" of <%s>", attr->name, attr->value, node->name);
  else if (node->parent)
    say_unused(user, node, rank, key, "ignored: <%s> in <%s>", node->name, node->parent->name);
}

plStatus pl_robot_warn_unused(plRobot* robot, const plXml* root) {
  return pl_xml_unused(root, name_unused, robot) ? PL_OK : pl_fail_out_of_memory(robot->error, 4096);
}

// ---- the end

plStatus pl_robot_tell(plRobot* robot) {
  const plLoadOptions* options = robot->options;
  for (const plRobotRemark* r = robot->remark; r && options && options->strict; r = r->next)
    if (r->rank == PL_REMARK_PHYSICS) {
      robot->definition = true;
      return pl_fail(robot->error, PL_ERROR_INPUT, "%.600s (`strict` makes remarks on the motion errors)",
                     r->text);
    }
  for (int rank = PL_REMARK_PHYSICS; rank <= PL_REMARK_OTHER; rank++)
    for (const plRobotRemark* r = robot->remark; r && options; r = r->next) {
      if ((int)r->rank != rank) continue;
      char line[1400];
      if (r->count > 1)
        snprintf(line, sizeof line, "%s (and %d more of this kind)", r->text, r->count - 1);
      else
        snprintf(line, sizeof line, "%s", r->text);
      if (options->remark)
        options->remark(options->warn_user, r->rank, r->count, line);
      else if (options->warn)
        options->warn(options->warn_user, line);
    }
  return PL_OK;
}

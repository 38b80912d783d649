// robot_names.c: names of a robot file -> names of the spec: "robot/name", of letters, digits and _ - . /
//
// Every other character becomes _, which may make two names equal: the second then gets a number, or the one
// that had to change. A name of the file always gives the same name of the spec.
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "input/robot.h"
#include "model/spec.h"

enum { LONGEST = 105 };  // bytes of a name of the file

// The names name, name_2, ... of one kind of object below next are taken.
typedef struct Taken {
  int (*find)(const plSpec*, const char*);
  int next;
  struct Taken* other;
} Taken;

struct plRobotName {
  const char *from, *to;
  plRobotName *next_from, *next_to;  // others with the same hash
  Taken* taken;                      // pl_robot_free_name, one for each kind
};

static plRobotName** bucket(plRobotName** table, const char* name) {
  return &table[pl_hash(PL_HASH_START, name, strlen(name)) % PL_ROBOT_BUCKETS];
}

static const plRobotName* find_to(plRobot* robot, const char* to) {
  const plRobotName* n = *bucket(robot->name_to, to);
  while (n && strcmp(n->to, to) != 0) n = n->next_to;
  return n;
}

// The name in characters that the spec allows; *changed: whether it differs.
static void make_plain(const char* robot, const char* name, int copy, char* to, size_t size, bool* changed) {
  char end[16] = "";
  if (copy > 1) snprintf(end, sizeof end, "_%d", copy);
  snprintf(to, size, "%.90s/%.*s%s", robot ? robot : "", (int)(LONGEST - strlen(end)), name, end);
  *changed = copy > 1 || strlen(name) > LONGEST;
  for (char* c = to; *c; c++)
    if (!pl_is_name_letter(*c)) *c = '_', *changed = true;
}

// NULL if memory runs out or name is NULL.
static plRobotName* enter(plRobot* robot, const char* name) {
  if (!name) return NULL;
  plRobotName** from = bucket(robot->name_from, name);
  for (plRobotName* n = *from; n; n = n->next_from)
    if (!strcmp(n->from, name)) return n;
  char to[256];
  bool changed;
  int copy = 1;
  do make_plain(robot->name, name, copy++, to, sizeof to, &changed);
  while (find_to(robot, to));
  plRobotName* n = PL_ARENA_NEW(&robot->tree.arena, plRobotName, 1);
  const char *kept_from = pl_xml_keep(&robot->tree, name, strlen(name)),
             *kept_to = pl_xml_keep(&robot->tree, to, strlen(to));
  if (!n || !kept_from || !kept_to) return NULL;
  plRobotName** last = bucket(robot->name_to, to);
  *n = (plRobotName){kept_from, kept_to, *from, *last, NULL};
  *from = *last = n;
  if (changed)
    pl_robot_warn_once(
        robot, NULL, "names",
        "names may have letters, digits and _ - . / only; other characters become _, and names "
        "that become equal get a number: '%.60s' is called '%.80s'",
        name, to);
  return n;
}

const char* pl_robot_full_name(plRobot* robot, const char* name) {
  const plRobotName* n = enter(robot, name);
  return n ? n->to : NULL;
}

// Whether the spec takes a name of the file as it is.
static bool is_plain(const char* name) {
  for (const char* c = name; *c; c++)
    if (!pl_is_name_letter(*c)) return false;
  return name[0] && strlen(name) <= LONGEST;
}

void pl_robot_keep_names(plRobot* robot, const plXml* node) {
  // (pl_xml_attr would count as reading them)
  for (const plXmlAttr* a = node->attr; a; a = a->next)
    if (!strcmp(a->name, "name") && is_plain(a->value)) (void)pl_robot_full_name(robot, a->value);
  for (const plXml* child = node->child; child; child = child->next) pl_robot_keep_names(robot, child);
}

const char* pl_robot_free_name(plRobot* robot, const char* name, int (*find)(const plSpec*, const char*)) {
  plRobotName* first = enter(robot, name);
  if (!first || find(robot->spec, first->to) < 0) return first ? first->to : NULL;
  Taken* taken = first->taken;
  while (taken && taken->find != find) taken = taken->other;
  if (!taken) {
    taken = PL_ARENA_NEW(&robot->tree.arena, Taken, 1);
    if (!taken) return NULL;
    *taken = (Taken){find, 2, first->taken};
    first->taken = taken;
  }
  // (a name of the spec stays taken)
  for (;; taken->next++) {
    char longer[160];
    snprintf(longer, sizeof longer, "%.95s_%d", name, taken->next);
    const char* full = pl_robot_full_name(robot, longer);
    if (!full || find(robot->spec, full) < 0) return full;
  }
}

plStatus pl_robot_add_motor(plRobot* robot, const char* name, int joint, const plXml* gains) {
  plActuatorDef def = pl_default_actuator_def();
  plStatus status = PL_OK;
  def.name = pl_robot_free_name(robot, name, pl_spec_find_actuator);
  def.joint = joint;
  if (gains) {
    def.kind = PL_ACTUATOR_PD;
    status = pl_xml_number_attr(gains, "p", &def.kp, robot->error);
    if (!status) status = pl_xml_number_attr(gains, "d", &def.kd, robot->error);
  }
  if (status) return status;
  return def.name ? pl_spec_add_actuator(robot->spec, &def, NULL, robot->error)
                  : pl_fail_out_of_memory(robot->error, 256);
}

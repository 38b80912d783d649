// mjcf_sensor.c: <sensor> elements of an MJCF file that mean the same here; the others get a remark.
//
// MuJoCo's jointpos counts from the joint's ref, and its actuatorfrc is the force before the gear. If these
// are not 0 and 1 the values would differ, and the sensor is left out.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"
#include "model/spec.h"

typedef struct Kind {
  const char* element;
  const char* target;  // the attribute that names the object it is on
  plSensorKind kind;
} Kind;

static const Kind kinds[] = {
    {"jointpos", "joint", PL_SENSOR_JOINT_POSITION},
    {"jointvel", "joint", PL_SENSOR_JOINT_VELOCITY},
    {"actuatorfrc", "actuator", PL_SENSOR_ACTUATOR_FORCE},
    {"framepos", "objname", PL_SENSOR_POSITION},
    {"framequat", "objname", PL_SENSOR_ORIENTATION},
    {"gyro", "site", PL_SENSOR_GYRO},
    {"accelerometer", "site", PL_SENSOR_ACCELEROMETER},
    {"force", "site", PL_SENSOR_FORCE},
    {"torque", "site", PL_SENSOR_TORQUE},
    {"touch", "site", PL_SENSOR_TOUCH},
};

static plStatus leave_out(plMjcf* m, const plXml* node, const char* why) {
  pl_robot_note(m->robot, node, "ignored: <%s> in <sensor>: %s", node->name, why);
  pl_xml_use_all(node);
  return PL_OK;
}

static int find_sensor(const plSpec* spec, const char* name) {
  for (int i = 0; i < spec->nsensor; i++)
    if (!strcmp(spec->sensor[i].name, name)) return i;
  return -1;
}

// ---- the object it is on; why stays NULL if it is fine, else it says what differs

static plStatus on_joint(plMjcf* m, const plXml* node, const char* target, plSensorDef* def,
                         const char** why) {
  int joint = target ? pl_mjcf_joint(m, target) : -1;
  if (joint < 0)
    return pl_xml_fail(node, m->robot->error, "<%s> names the joint '%.100s', which does not exist",
                       node->name, target ? target : "");
  def->on = m->robot->spec->joint[joint].name;
  if (def->kind == PL_SENSOR_JOINT_POSITION && pl_mjcf_ref(m, joint) != 0) *why = "its joint has a ref";
  return PL_OK;
}

static plStatus on_actuator(plMjcf* m, const plXml* node, const char* target, plSensorDef* def,
                            const char** why) {
  const char* full = target ? pl_robot_full_name(m->robot, target) : NULL;
  int id = full ? pl_spec_find_actuator(m->robot->spec, full) : -1;
  if (id < 0) {
    *why = "its actuator is not read";
    return PL_OK;
  }
  def->on = m->robot->spec->actuator[id].name;
  if (m->robot->spec->actuator[id].gear != 1) *why = "its actuator has a gear";
  (void)node;
  return PL_OK;
}

// A frame on a body, or the world's.
static void on_frame(plMjcf* m, int body, plPose pose, plSensorDef* def) {
  def->on = body < 0 ? "world" : m->robot->spec->body[body].name;
  def->pose = pose;
}

static plStatus on_object(plMjcf* m, const plXml* node, const char* target, plSensorDef* def,
                          const char** why) {
  const char *type = pl_xml_attr(node, "objtype"), *reference = pl_xml_attr(node, "reftype");
  if (reference || pl_xml_attr(node, "refname")) *why = "it is relative to another frame";
  if (type && !strcmp(type, "site")) {
    plMjcfSite site;
    plStatus status = pl_mjcf_site(m, node, "objname", &site);
    if (!status) on_frame(m, site.body, site.pose, def);
    return status;
  }
  int body = target ? pl_mjcf_body(m, target) : -1;
  if (!type || strcmp(type, "xbody") != 0 || body < 0)
    *why = "its object is not a site and not the frame of a body (xbody)";
  else
    on_frame(m, body, pose_identity(), def);
  return PL_OK;
}

// The volume of a touch sensor's site.
static plStatus site_region(plMjcf* m, const plMjcfSite* site, plRegion* region, const char** why) {
  double size[3] = {0.005, 0.005, 0.005};
  int n;
  const char* type = pl_mjcf_attr(m, site->node, "site", site->class_name, "type");
  plStatus status = pl_mjcf_numbers(m, site->node, "site", site->class_name, "size", size, 1, 3, &n);
  if (status) return status;
  if (!type || !strcmp(type, "sphere")) {
    region->kind = PL_REGION_SPHERE, region->radius = size[0];
  } else if (!strcmp(type, "box")) {
    region->kind = PL_REGION_BOX;
    region->size = v3(2 * size[0], 2 * size[1], 2 * size[2]);
  } else {
    *why = "its site is neither a sphere nor a box";
  }
  return PL_OK;
}

static plStatus on_site(plMjcf* m, const plXml* node, plSensorDef* def, const char** why) {
  plMjcfSite site;
  plStatus status = pl_mjcf_site(m, node, "site", &site);
  if (status) return status;
  on_frame(m, site.body, site.pose, def);
  bool of_body =
      def->kind == PL_SENSOR_FORCE || def->kind == PL_SENSOR_TORQUE || def->kind == PL_SENSOR_TOUCH;
  if (of_body && site.body < 0) *why = "its site is fixed in the world";
  if (def->kind == PL_SENSOR_TOUCH && !*why) {
    def->has_region = true;
    status = site_region(m, &site, &def->region, why);
  }
  return status;
}

static plStatus add_sensor(plMjcf* m, const plXml* node, const Kind* kind) {
  plRobot* robot = m->robot;
  plSensorDef def = pl_default_sensor_def();
  def.kind = kind->kind;
  const char *target = pl_xml_attr(node, kind->target), *name = pl_xml_attr(node, "name"), *why = NULL;
  plStatus status = kind->target[0] == 'j'   ? on_joint(m, node, target, &def, &why)
                    : kind->target[0] == 'a' ? on_actuator(m, node, target, &def, &why)
                    : kind->target[0] == 'o' ? on_object(m, node, target, &def, &why)
                                             : on_site(m, node, &def, &why);
  if (status) return status;
  if (pl_xml_attr(node, "cutoff")) why = "it has a cutoff";
  if (why) return leave_out(m, node, why);
  def.name = pl_robot_free_name(robot, name && name[0] ? name : node->name, find_sensor);
  status = def.name ? pl_spec_add_sensor(robot->spec, &def, NULL, robot->error)
                    : pl_fail_out_of_memory(robot->error, 256);
  return pl_robot_place(robot, node, status);
}

plStatus pl_mjcf_sensors(plMjcf* m) {
  plStatus status = PL_OK;
  for (const plXml* list = pl_xml_child(m->root, "sensor"); list && !status; list = pl_xml_next(list))
    for (const plXml* node = list->child; node && !status; node = node->next)
      for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(node->name, kinds[i].element) != 0) continue;
        ((plXml*)node)->used = true;
        status = add_sensor(m, node, &kinds[i]);
        break;
      }
  return status;
}

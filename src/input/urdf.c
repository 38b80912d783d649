// urdf.c: reads URDF into the spec: links become bodies, transmissions actuators, mimic a coupler. Drake's
// tags for shapes, rotors and gains are read as well.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "input/robot.h"
#include "model/spec.h"

typedef struct Urdf {
  plRobot* robot;
  const plXml* root;
  int body0;  // first body of this robot in the spec
  int world;  // the body that <link name="world"> represents: the robot's parent
  bool has_world;
  bool* child;  // [nchild: bodies of this robot] some joint's child
  int nchild;
} Urdf;

static plStatus read_origin(plRobot* robot, const plXml* node, plPose* pose) {
  const plXml* origin = pl_xml_child(node, "origin");
  plVec3 xyz = {0, 0, 0}, rpy = {0, 0, 0};
  plStatus status = PL_OK;
  if (origin) status = pl_xml_vec3_attr(origin, "xyz", &xyz, robot->error);
  if (origin && !status) status = pl_xml_vec3_attr(origin, "rpy", &rpy, robot->error);
  *pose = (plPose){xyz, quat_from_rpy(rpy.x, rpy.y, rpy.z)};
  return status;
}

static plStatus need_attr(plRobot* robot, const plXml* node, const char* name, const char** value) {
  *value = pl_xml_attr(node, name);
  return *value && (*value)[0]
             ? PL_OK
             : pl_xml_fail(node, robot->error, "<%s> needs the attribute %s", node->name, name);
}

// ---- links

static plStatus read_inertial(plRobot* robot, const plXml* link, plBodyDef* body) {
  const plXml* inertial = pl_xml_child(link, "inertial");
  if (!inertial) return PL_OK;
  plPose pose;
  plStatus status = read_origin(robot, inertial, &pose);
  const plXml *mass = pl_xml_child(inertial, "mass"), *inertia = pl_xml_child(inertial, "inertia");
  double I[6] = {0};
  static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  if (mass && !status) status = pl_xml_number_attr(mass, "value", &body->mass, robot->error);
  for (int k = 0; inertia && k < 6 && !status; k++)
    status = pl_xml_number_attr(inertia, names[k], &I[k], robot->error);
  plSym3 turned = sym3_rotate(quat_matrix(pose.q), (plSym3){I[0], I[1], I[2], I[3], I[4], I[5]});
  body->com = pose.p;
  body->inertia[0] = turned.xx, body->inertia[1] = turned.yy, body->inertia[2] = turned.zz;
  body->inertia[3] = turned.xy, body->inertia[4] = turned.xz, body->inertia[5] = turned.yz;
  return status;
}

// Drake's <drake:proximity_properties> of a collision: name value="..."
static plStatus read_proximity(plRobot* robot, const plXml* collision, plRobotShape* shape) {
  const plXml* properties = pl_xml_child(collision, "drake:proximity_properties");
  if (!properties) return PL_OK;
  plStatus status = PL_OK;
  const char* name;
  double* to;
  for (int k = 0; !status && pl_robot_proximity(shape, k, &name, &to); k++) {
    const plXml* node = pl_xml_child(properties, name);
    if (node) status = pl_xml_number_attr(node, "value", to, robot->error);
  }
  pl_robot_warn_static(robot, properties);
  return status;
}

static plStatus read_size(plRobot* robot, const plXml* node, const char* name, plVec3* size) {
  const char* text;
  plStatus status = need_attr(robot, node, name, &text);
  return status ? status : pl_xml_vec3_attr(node, name, size, robot->error);
}

// Three numbers, or one for all of them.
static plStatus read_scale(plRobot* robot, const plXml* mesh, plVec3* scale) {
  const char* text = pl_xml_attr(mesh, "scale");
  double x[16];
  int n = 0;
  plStatus status = text && text[0] ? pl_xml_numbers(mesh, text, "scale", x, 1, 16, &n, robot->error) : PL_OK;
  if (status || !n) return status;
  if (n != 1 && n != 3)
    pl_robot_warn(robot, mesh, "scale=\"%.60s\" of <mesh> should be three numbers or one", text);
  *scale = n < 3 ? v3(x[0], x[0], x[0]) : v3(x[0], x[1], x[2]);
  return PL_OK;
}

// The shape in <geometry>; *known is false for kinds that are not read.
static plStatus read_geometry(plRobot* robot, const plXml* node, plRobotShape* shape, bool* known) {
  const plXml *geometry = pl_xml_child(node, "geometry"), *g;
  *known = true;
  if (!geometry) return pl_xml_fail(node, robot->error, "<%s> needs a <geometry>", node->name);
  if ((g = pl_xml_child(geometry, "box"))) {
    shape->kind = PL_SHAPE_BOX;
    return read_size(robot, g, "size", &shape->size);
  }
  if ((g = pl_xml_child(geometry, "sphere"))) {
    shape->kind = PL_SHAPE_SPHERE;
    return pl_xml_number_attr(g, "radius", &shape->radius, robot->error);
  }
  if ((g = pl_xml_child(geometry, "cylinder")) || (g = pl_xml_child(geometry, "capsule")) ||
      (g = pl_xml_child(geometry, "drake:capsule"))) {
    shape->kind = strstr(g->name, "capsule") ? PL_SHAPE_CAPSULE : PL_SHAPE_CYLINDER;
    plStatus status = pl_xml_number_attr(g, "radius", &shape->radius, robot->error);
    return status ? status : pl_xml_number_attr(g, "length", &shape->length, robot->error);
  }
  if ((g = pl_xml_child(geometry, "ellipsoid")) || (g = pl_xml_child(geometry, "drake:ellipsoid"))) {
    double a = 0, b = 0, c = 0;
    shape->kind = PL_SHAPE_ELLIPSOID;
    plStatus status = pl_xml_number_attr(g, "a", &a, robot->error);
    if (!status) status = pl_xml_number_attr(g, "b", &b, robot->error);
    if (!status) status = pl_xml_number_attr(g, "c", &c, robot->error);
    shape->size = v3(2 * a, 2 * b, 2 * c);
    return status;
  }
  if ((g = pl_xml_child(geometry, "mesh"))) {
    shape->kind = PL_SHAPE_MESH;
    shape->mesh = pl_xml_attr(g, "filename");
    if (!shape->mesh || !shape->mesh[0]) {
      pl_robot_warn(robot, g, "ignored: a <mesh> without a filename");
      *known = false;
      return PL_OK;
    }
    shape->convex = pl_xml_child(g, "drake:declare_convex") || robot->def->meshes == PL_MESHES_CONVEX;
    return read_scale(robot, g, &shape->scale);
  }
  *known = false;
  return PL_OK;
}

// The colour of a <material>, its own or that of the one it names at the top of the file.
static plStatus read_colour(Urdf* u, const plXml* visual, plVec3* colour) {
  const plXml* material = pl_xml_child(visual, "material");
  if (!material) return PL_OK;
  const char* name = pl_xml_attr(material, "name");
  const plXml* color = pl_xml_child(material, "color");
  for (const plXml* m = pl_xml_child(u->root, "material"); m && name && !color; m = pl_xml_next(m)) {
    const char* other = pl_xml_attr(m, "name");
    if (other && !strcmp(other, name)) color = pl_xml_child(m, "color");
  }
  const char* rgba = color ? pl_xml_attr(color, "rgba") : NULL;
  double c[4];
  plStatus status = rgba ? pl_xml_numbers(color, rgba, "rgba", c, 3, 4, NULL, u->robot->error) : PL_OK;
  if (rgba && !status) *colour = v3(fmin(fmax(c[0], 0), 1), fmin(fmax(c[1], 0), 1), fmin(fmax(c[2], 0), 1));
  return status;
}

static plStatus read_shapes(Urdf* u, const plXml* link, const char* name, int body, bool collide) {
  plRobot* robot = u->robot;
  plStatus status = PL_OK;
  for (const plXml* node = pl_xml_child(link, collide ? "collision" : "visual"); node && !status;
       node = pl_xml_next(node)) {
    plRobotShape shape = pl_default_robot_shape(node);
    const char* own = pl_xml_attr(node, "name");
    bool known = false;
    shape.body = body, shape.collide = collide;
    shape.name = pl_robot_printf(robot, "%s/%s", name, own && own[0] ? own : node->name);
    status = read_origin(robot, node, &shape.pose);
    if (!status) status = read_geometry(robot, node, &shape, &known);
    if (!status && collide) status = read_proximity(robot, node, &shape);
    if (!status && !collide) status = read_colour(u, node, &shape.colour);
    if (!status && known) status = pl_robot_add_shape(robot, &shape);
  }
  return status;
}

static plStatus add_link(Urdf* u, const plXml* link) {
  plRobot* robot = u->robot;
  const char* name;
  plStatus status = need_attr(robot, link, "name", &name);
  if (status) return status;
  if (!strcmp(name, "world")) {
    u->has_world = true;
    return pl_robot_parent(robot, &u->world);
  }
  if (robot->spec->nbody - u->body0 >= PL_ROBOT_MAX_BODIES)
    return pl_xml_fail(link, robot->error, "a robot may have %d links, this one has more",
                       (int)PL_ROBOT_MAX_BODIES);
  plBodyDef body = pl_default_body_def();
  int id = -1;
  body.name = pl_robot_full_name(robot, name), body.gravity = robot->def->gravity;
  if (!body.name) return pl_fail_out_of_memory(robot->error, 256);
  status = read_inertial(robot, link, &body);
  if (!status) pl_robot_check_inertia(robot, link, &body);
  if (!status) status = pl_spec_add_body(robot->spec, &body, &id, robot->error);
  status = pl_robot_place(robot, link, status);
  if (!status) status = read_shapes(u, link, name, id, true);
  if (!status) status = read_shapes(u, link, name, id, false);
  if (!status) status = pl_robot_fill_inertia(robot, link, id);
  return status;
}

// ---- joints

// The body with a link's name: *id is -1 without an error only if the name is "world".
static plStatus find_link(Urdf* u, const plXml* joint, const char* end, int* id, bool* world) {
  const plXml* node = pl_xml_child(joint, end);
  const char* name;
  if (!node) return pl_xml_fail(joint, u->robot->error, "<joint> needs a <%s link=\"...\">", end);
  plStatus status = need_attr(u->robot, node, "link", &name);
  if (status) return status;
  *world = !strcmp(name, "world");
  *id = *world ? u->world : pl_spec_find_body(u->robot->spec, pl_robot_full_name(u->robot, name));
  if (*world || *id >= u->body0) return PL_OK;
  return pl_xml_fail(node, u->robot->error, "there is no link '%s'", name);
}

static bool joint_kind(const char* type, plJointKind* kind) {
  static const struct {
    const char* name;
    plJointKind kind;
  } table[] = {
      {"fixed", PL_JOINT_FIXED},         {"revolute", PL_JOINT_REVOLUTE}, {"continuous", PL_JOINT_CONTINUOUS},
      {"prismatic", PL_JOINT_PRISMATIC}, {"floating", PL_JOINT_FREE},     {"planar", PL_JOINT_PLANAR},
      {"ball", PL_JOINT_BALL},           {"spherical", PL_JOINT_BALL},    {"universal", PL_JOINT_UNIVERSAL},
      {"screw", PL_JOINT_SCREW}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(type, table[i].name)) {
      *kind = table[i].kind;
      return true;
    }
  return false;
}

// The x axis after the shortest turn that takes z to the unit vector n (half a turn about x for n = -z), as
// in Drake.
static plVec3 first_axis(plVec3 n) {
  return n.z > -1 + 1e-12 ? v3_madd(v3(1, 0, 0), -n.x / (1 + n.z), v3_add(n, v3(0, 0, 1))) : v3(1, 0, 0);
}

static plStatus read_axis(plRobot* robot, const plXml* joint, plJointDef* def) {
  const plXml* axis = pl_xml_child(joint, "axis");
  def->axis = v3(1, 0, 0);
  plStatus status = axis ? pl_xml_vec3_attr(axis, "xyz", &def->axis, robot->error) : PL_OK;
  if (status) return status;
  if (def->kind == PL_JOINT_UNIVERSAL) def->axis = v3(1, 0, 0), def->axis2 = v3(0, 1, 0);
  // URDF gives the normal of the plane
  if (def->kind == PL_JOINT_PLANAR && v3_norm(def->axis) > 0) {
    plVec3 normal = v3_unit(def->axis), first = first_axis(normal);
    def->axis = first, def->axis2 = v3_cross(normal, first);
  }
  const plXml* pitch = pl_xml_child(joint, "drake:screw_thread_pitch");
  return pitch ? pl_xml_number_attr(pitch, "value", &def->pitch, robot->error) : PL_OK;
}

static plStatus read_dynamics(plRobot* robot, const plXml* joint, plJointDef* def) {
  plDofDef d = def->dof[0];
  const plXml *limit = pl_xml_child(joint, "limit"), *dynamics = pl_xml_child(joint, "dynamics");
  plStatus status = PL_OK;
  double effort = 0, speed = 0, damping = 0, friction = 0;
  if (limit) {
    double lower = 0, upper = 0;
    bool has = pl_xml_attr(limit, "lower") || pl_xml_attr(limit, "upper");
    status = pl_xml_number_attr(limit, "lower", &lower, robot->error);
    if (!status) status = pl_xml_number_attr(limit, "upper", &upper, robot->error);
    if (!status) status = pl_xml_number_attr(limit, "effort", &effort, robot->error);
    if (!status) status = pl_xml_number_attr(limit, "velocity", &speed, robot->error);
    if (has && lower > upper)
      pl_robot_warn(robot, limit, "the limits %g to %g of a joint contradict each other and are not used",
                    lower, upper);
    else if (has)
      d.lower = lower, d.upper = upper;
    pl_xml_attr(limit, "drake:acceleration");
  }
  if (dynamics && !status) status = pl_xml_number_attr(dynamics, "damping", &damping, robot->error);
  if (dynamics && !status) status = pl_xml_number_attr(dynamics, "friction", &friction, robot->error);
  if (effort > 0) d.effort = effort;
  if (speed > 0) d.speed = speed;
  d.damping = damping, d.friction = pl_robot_friction(robot, dynamics ? dynamics : joint, friction, effort);
  for (int k = 0; k < 6; k++) def->dof[k] = d;
  if (pl_joint_nv(def->kind) > 1)
    for (int k = 0; k < 6; k++) def->dof[k].lower = -INFINITY, def->dof[k].upper = INFINITY;
  return status;
}

static plStatus add_joint(Urdf* u, const plXml* joint) {
  plRobot* robot = u->robot;
  plJointDef def = pl_default_joint_def();
  const char *name, *type;
  bool from_world, to_world;
  plStatus status = need_attr(robot, joint, "name", &name);
  if (!status) status = need_attr(robot, joint, "type", &type);
  if (status) return status;
  if (!joint_kind(type, &def.kind))
    return pl_xml_fail(joint, robot->error,
                       "the type '%s' of joint '%s' is not known; URDF has fixed, revolute, continuous, "
                       "prismatic, floating, planar",
                       type, name);
  def.name = pl_robot_full_name(robot, name);
  if (!def.name) return pl_fail_out_of_memory(robot->error, 256);
  status = find_link(u, joint, "parent", &def.parent, &from_world);
  if (!status) status = find_link(u, joint, "child", &def.child, &to_world);
  if (!status && to_world)
    status = pl_xml_fail(joint, robot->error, "the world cannot be the child of joint '%s'", name);
  if (!status) status = read_origin(robot, joint, &def.pose);
  if (!status) status = read_axis(robot, joint, &def);
  if (!status) status = read_dynamics(robot, joint, &def);
  if (status) return status;
  if (from_world) def.pose = pose_mul(robot->def->pose, def.pose);
  pl_robot_tame(robot, joint, &def);
  status = pl_spec_add_joint(robot->spec, &def, NULL, robot->error);
  status = pl_robot_place(robot, joint, status);
  if (status) return status;
  assert(def.child >= u->body0 && def.child < u->body0 + u->nchild);
  u->child[def.child - u->body0] = true;
  return status;
}

static plStatus add_mimic(Urdf* u, const plXml* joint) {
  plRobot* robot = u->robot;
  const plXml* mimic = pl_xml_child(joint, "mimic");
  if (!mimic) mimic = pl_xml_child(joint, "drake:mimic");
  if (!mimic) return PL_OK;
  const char* other;
  plConstraintDef def = pl_default_constraint_def();
  def.kind = PL_CONSTRAINT_COUPLER;
  plStatus status = need_attr(robot, mimic, "joint", &other);
  if (!status) status = pl_xml_number_attr(mimic, "multiplier", &def.ratio, robot->error);
  if (!status) status = pl_xml_number_attr(mimic, "offset", &def.offset, robot->error);
  if (status) return status;
  const char* own = pl_xml_attr(joint, "name");
  def.a = pl_spec_find_joint(robot->spec, pl_robot_full_name(robot, own)),
  def.b = pl_spec_find_joint(robot->spec, pl_robot_full_name(robot, other));
  for (int k = 0; k < 2; k++) {
    int id = k ? def.b : def.a;
    if (id >= 0 && pl_joint_nv(robot->spec->joint[id].kind) == 1) continue;
    pl_robot_warn(robot, mimic, "ignored: joint '%s' mimics '%s', but '%s' %s", own, other, k ? other : own,
                  id < 0 ? "does not exist" : "does not have one degree of freedom");
    return PL_OK;
  }
  if (def.a == def.b) {
    pl_robot_warn(robot, mimic, "ignored: joint '%s' mimics itself", own);
    return PL_OK;
  }
  def.name = pl_robot_full_name(robot, pl_robot_printf(robot, "%s_mimic", own));
  status = pl_spec_add_constraint(robot->spec, &def, NULL, robot->error);
  return pl_robot_place(robot, mimic, status);
}

// ---- transmissions

static plStatus add_transmission(Urdf* u, const plXml* node) {
  plRobot* robot = u->robot;
  const plXml *joint = pl_xml_child(node, "joint"), *actuator = pl_xml_child(node, "actuator"),
              *type = pl_xml_child(node, "type");
  const char* kind = type ? type->text : pl_xml_attr(node, "type");
  const char* joint_name = joint ? pl_xml_attr(joint, "name") : NULL;
  if (!joint_name || !actuator || !kind || !strstr(kind, "SimpleTransmission")) {
    pl_robot_warn_once(
        robot, node, "transmission",
        "ignored: a <transmission> that is not a SimpleTransmission with one joint and one actuator");
    pl_xml_use_all(node);
    return PL_OK;
  }
  pl_xml_attr(node, "name");
  int id = pl_spec_find_joint(robot->spec, pl_robot_full_name(robot, joint_name));
  if (id < 0) {
    pl_robot_warn(robot, joint, "ignored: a transmission names joint '%s', which does not exist", joint_name);
    pl_xml_use_all(node);
    return PL_OK;
  }
  plJointDef* def = &robot->spec->joint[id];
  const plXml *rotor = pl_xml_child(actuator, "drake:rotor_inertia"),
              *gear = pl_xml_child(actuator, "drake:gear_ratio"),
              *gains = pl_xml_child(actuator, "drake:controller_gains");
  plStatus status = PL_OK;
  if (rotor) status = pl_xml_number_attr(rotor, "value", &def->dof[0].rotor_inertia, robot->error);
  if (gear && !status) status = pl_xml_number_attr(gear, "value", &def->dof[0].gear_ratio, robot->error);
  if (!status && !(def->dof[0].rotor_inertia >= 0))
    status = pl_xml_fail(rotor, robot->error, "the rotor inertia must not be negative");
  if (status || pl_joint_nv(def->kind) != 1) return status;
  const char* name = pl_xml_attr(actuator, "name");
  status = pl_robot_add_motor(robot, name && name[0] ? name : joint_name, id, gains);
  return pl_robot_place(robot, node, status);
}

static int body_named(void* context, const char* name) {
  Urdf* u = context;
  return pl_spec_find_body(u->robot->spec, pl_robot_full_name(u->robot, name));
}

static int joint_named(void* context, const char* name) {
  Urdf* u = context;
  return pl_spec_find_joint(u->robot->spec, pl_robot_full_name(u->robot, name));
}

// ---- the file

// A joint is <joint> or, for kinds that URDF lacks, <drake:joint>.
static const plXml* first_joint(const plXml* root, bool drake) {
  return pl_xml_child(root, drake ? "drake:joint" : "joint");
}

static plStatus add_base(Urdf* u) {
  plRobot* robot = u->robot;
  int roots = 0;
  for (int i = u->body0; i < robot->spec->nbody; i++) {
    assert(i < u->body0 + u->nchild);  // no body was added since the links
    if (u->child[i - u->body0]) continue;
    plStatus status = pl_robot_add_base(robot, u->root, i, pose_identity(), false);
    if (status) return status;
    roots++;
  }
  if (roots > 1)
    pl_robot_warn(robot, u->root, "the robot has %d links without a parent; each is a base of its own",
                  roots);
  if (u->has_world && robot->def->base == PL_BASE_FREE && !roots)
    pl_robot_warn(robot, u->root, "the file fixes the robot to its link 'world'; base: free is ignored");
  return PL_OK;
}

// Rest of an incomplete xacro expansion: $(optenv NAME VALUE...) is VALUE unless the environment defines
// NAME. A file must mean the same everywhere, so the environment is not used.
static plStatus take_optenv_values(plRobot* robot, plXml* node) {
  static const char head[] = "$(optenv ";
  plStatus status = PL_OK;
  for (plXmlAttr* a = node->attr; a; a = a->next) {
    size_t n = strlen(a->value);
    const char* value =
        strncmp(a->value, head, sizeof head - 1) ? NULL : strchr(a->value + sizeof head - 1, ' ');
    if (!value || a->value[n - 1] != ')') continue;
    const char* kept = pl_xml_keep(&robot->tree, value + 1, n - 1 - (size_t)(value + 1 - a->value));
    if (!kept) return pl_fail_out_of_memory(robot->error, n);
    pl_robot_warn_once(robot, node, head, "%s=\"%.100s\" of <%s> takes its default, '%.60s'", a->name,
                       a->value, node->name, kept);
    a->value = kept;
  }
  for (plXml* child = node->child; child && !status; child = child->next)
    status = take_optenv_values(robot, child);
  return status;
}

plStatus pl_urdf_load(plRobot* robot, plXml* root) {
  const char* own = pl_xml_attr(root, "name");
  if (!robot->name) robot->name = own && own[0] ? own : "robot";
  pl_robot_keep_names(robot, root);
  Urdf u = {.robot = robot, .root = root, .body0 = robot->spec->nbody, .world = -1};
  plStatus status = take_optenv_values(robot, root);
  for (const plXml* link = pl_xml_child(root, "link"); link && !status; link = pl_xml_next(link))
    status = add_link(&u, link);
  if (status) return status;
  u.nchild = robot->spec->nbody - u.body0;
  u.child = PL_ARENA_NEW(&robot->tree.arena, bool, u.nchild);
  if (!u.child) return pl_fail_out_of_memory(robot->error, 1000);
  memset(u.child, 0, (size_t)u.nchild);
  for (int drake = 0; drake < 2; drake++)
    for (const plXml* joint = first_joint(root, drake); joint && !status; joint = pl_xml_next(joint))
      status = add_joint(&u, joint);
  for (const plXml* joint = first_joint(root, false); joint && !status; joint = pl_xml_next(joint))
    status = add_mimic(&u, joint);
  for (const plXml* node = pl_xml_child(root, "transmission"); node && !status; node = pl_xml_next(node))
    status = add_transmission(&u, node);
  if (!status) status = pl_robot_drake_tags(robot, root, &(plRobotNames){&u, body_named, joint_named});
  return status ? status : add_base(&u);
}

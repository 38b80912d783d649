// sdf_link.c: links of an SDFormat file: bodies with their inertia and shapes, and Drake's deformable links.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "input/sdf.h"
#include "model/spec.h"

static plStatus numbers_of(plSdf* sdf, const plXml* node, const char* name, double* x, int n, bool* found) {
  const plXml* child = pl_xml_child(node, name);
  *found = child != NULL;
  return child ? pl_xml_numbers(child, child->text, "the value", x, n, n, NULL, sdf->robot->error) : PL_OK;
}

// ---- shapes

// A shape's geometry; *known is false for kinds that are not read.
static plStatus read_geometry(plSdf* sdf, const plXml* node, plRobotShape* shape, bool* known) {
  const plXml *geometry = pl_xml_child(node, "geometry"), *g;
  plError* error = sdf->robot->error;
  plStatus status = PL_OK;
  bool found;
  double x[3];
  *known = true;
  if (!geometry) return pl_xml_fail(node, error, "<%s> needs a <geometry>", node->name);
  if ((g = pl_xml_child(geometry, "box"))) {
    shape->kind = PL_SHAPE_BOX;
    status = numbers_of(sdf, g, "size", x, 3, &found);
    if (!status && found) shape->size = v3(x[0], x[1], x[2]);
  } else if ((g = pl_xml_child(geometry, "sphere"))) {
    shape->kind = PL_SHAPE_SPHERE;
    status = pl_sdf_number(sdf, g, "radius", &shape->radius);
  } else if ((g = pl_xml_child(geometry, "cylinder")) || (g = pl_xml_child(geometry, "capsule")) ||
             (g = pl_xml_child(geometry, "drake:capsule"))) {
    shape->kind = strstr(g->name, "capsule") ? PL_SHAPE_CAPSULE : PL_SHAPE_CYLINDER;
    status = pl_sdf_number(sdf, g, "radius", &shape->radius);
    if (!status) status = pl_sdf_number(sdf, g, "length", &shape->length);
  } else if ((g = pl_xml_child(geometry, "ellipsoid"))) {
    shape->kind = PL_SHAPE_ELLIPSOID;
    status = numbers_of(sdf, g, "radii", x, 3, &found);
    if (!status && found) shape->size = v3(2 * x[0], 2 * x[1], 2 * x[2]);
  } else if ((g = pl_xml_child(geometry, "drake:ellipsoid"))) {
    shape->kind = PL_SHAPE_ELLIPSOID;
    x[0] = x[1] = x[2] = 0;
    static const char* const axis[3] = {"a", "b", "c"};
    for (int k = 0; k < 3 && !status; k++) status = pl_sdf_number(sdf, g, axis[k], &x[k]);
    shape->size = v3(2 * x[0], 2 * x[1], 2 * x[2]);
  } else if ((g = pl_xml_child(geometry, "plane"))) {
    shape->kind = PL_SHAPE_HALF_SPACE;
    double n[3] = {0, 0, 1};
    status = numbers_of(sdf, g, "normal", n, 3, &found);
    plVec3 normal = v3(n[0], n[1], n[2]), axis = v3_cross(v3(0, 0, 1), normal);
    double s = v3_norm(axis);
    if (!status && s > 0)
      shape->pose.q = quat_mul(shape->pose.q, quat_from_axis_angle(axis, atan2(s, normal.z)));
    else if (!status && normal.z < 0)
      shape->pose.q = quat_mul(shape->pose.q, quat_from_axis_angle(v3(1, 0, 0), 3.14159265358979323846));
    pl_xml_child(g, "size");
  } else if ((g = pl_xml_child(geometry, "mesh"))) {
    shape->kind = PL_SHAPE_MESH;
    shape->mesh = pl_xml_child_text(g, "uri");
    shape->convex = pl_xml_child(g, "drake:declare_convex") || sdf->robot->def->meshes == PL_MESHES_CONVEX;
    if (!shape->mesh || !shape->mesh[0]) return pl_xml_fail(g, error, "<mesh> needs a <uri>");
    status = numbers_of(sdf, g, "scale", x, 3, &found);
    if (!status && found) shape->scale = v3(x[0], x[1], x[2]);
  } else {
    *known = false;
    pl_xml_child(geometry, "empty");
  }
  return status;
}

static plStatus read_surface(plSdf* sdf, const plXml* collision, plRobotShape* shape) {
  const plXml *properties = pl_xml_child(collision, "drake:proximity_properties"),
              *node = pl_xml_child(collision, "surface");
  plStatus status = PL_OK;
  // <surface><friction><ode>: mu2 is the dynamic coefficient, mu the static one
  node = node ? pl_xml_child(node, "friction") : NULL;
  node = node ? pl_xml_child(node, "ode") : NULL;
  if (node) status = pl_sdf_number(sdf, node, "mu", &shape->surface.friction);
  if (node && !status) status = pl_sdf_number(sdf, node, "mu2", &shape->surface.friction);
  if (!properties || status) return status;
  const char* name;
  double* to;
  for (int k = 0; !status && pl_robot_proximity(shape, k, &name, &to); k++)
    status = pl_sdf_number(sdf, properties, name, to);
  pl_robot_warn_static(sdf->robot, properties);
  return status;
}

static plStatus read_colour(plSdf* sdf, const plXml* visual, plVec3* colour) {
  const plXml* material = pl_xml_child(visual, "material");
  const plXml* diffuse = material ? pl_xml_child(material, "diffuse") : NULL;
  double c[4];
  if (!diffuse) return PL_OK;
  plStatus status = pl_xml_numbers(diffuse, diffuse->text, "the colour", c, 3, 4, NULL, sdf->robot->error);
  if (!status) *colour = v3(fmin(fmax(c[0], 0), 1), fmin(fmax(c[1], 0), 1), fmin(fmax(c[2], 0), 1));
  return status;
}

static plStatus add_shapes(plSdf* sdf, plSdfFrame* frame, bool collide) {
  plPose link = frame->pose;
  int self = (int)(frame - sdf->frame);
  plStatus status = PL_OK;
  for (const plXml* node = pl_xml_child(frame->node, collide ? "collision" : "visual"); node && !status;
       node = pl_xml_next(node)) {
    plRobotShape shape = pl_default_robot_shape(node);
    const char* name = pl_xml_attr(node, "name");
    bool known = false;
    plPose pose;
    shape.body = frame->body, shape.collide = collide;
    shape.name = pl_robot_printf(sdf->robot, "%s/%s", frame->name, name && name[0] ? name : node->name);
    status = pl_sdf_pose(sdf, node, frame->scope, self, &pose);
    shape.pose = pose_mul(pose_inverse(link), pose);
    if (!status) status = read_geometry(sdf, node, &shape, &known);
    if (!status && collide) status = read_surface(sdf, node, &shape);
    if (!status && !collide) status = read_colour(sdf, node, &shape.colour);
    if (!status && known) status = pl_robot_add_shape(sdf->robot, &shape);
  }
  return status;
}

// ---- inertia

// <inertial auto="true">: the collision shapes filled with the density
static plStatus auto_inertia(plSdf* sdf, const plSdfFrame* frame, double density, plBodyDef* body) {
  plInertia sum = {0};
  plStatus status = PL_OK;
  for (const plXml* node = pl_xml_child(frame->node, "collision"); node && !status;
       node = pl_xml_next(node)) {
    plRobotShape shape = pl_default_robot_shape(node);
    plInertia one;
    bool known;
    plPose pose;
    double own = density;
    status = pl_sdf_number(sdf, node, "density", &own);
    if (!status) status = pl_sdf_pose(sdf, node, frame->scope, (int)(frame - sdf->frame), &pose);
    if (!status) status = read_geometry(sdf, node, &shape, &known);
    if (status || !known) continue;
    if (pl_shape_inertia(&shape, NULL, own, &one))
      sum = inertia_add(sum, pl_inertia_at(pose_mul(pose_inverse(frame->pose), pose), one));
    else
      pl_robot_warn_once(sdf->robot, node, "auto inertia",
                         "a shape without a volume that is computed here (mesh, plane) does not count in the "
                         "automatic inertia");
  }
  pl_body_set_inertia(body, sum);
  return status;
}

static plStatus read_inertial(plSdf* sdf, const plSdfFrame* frame, plBodyDef* body) {
  const plXml* inertial = pl_xml_child(frame->node, "inertial");
  if (!inertial) return PL_OK;
  const char* automatic = pl_xml_attr(inertial, "auto");
  if (automatic && !strcmp(automatic, "true")) {
    double density = 1000;
    plStatus status = pl_sdf_number(sdf, inertial, "density", &density);
    return status ? status : auto_inertia(sdf, frame, density, body);
  }
  plPose pose;
  plStatus status = pl_sdf_pose(sdf, inertial, frame->scope, (int)(frame - sdf->frame), &pose);
  if (!status) status = pl_sdf_number(sdf, inertial, "mass", &body->mass);
  const plXml* inertia = pl_xml_child(inertial, "inertia");
  double I[6] = {0};
  static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  for (int k = 0; inertia && k < 6 && !status; k++) status = pl_sdf_number(sdf, inertia, names[k], &I[k]);
  pose = pose_mul(pose_inverse(frame->pose), pose);
  plSym3 turned = sym3_rotate(quat_matrix(pose.q), (plSym3){I[0], I[1], I[2], I[3], I[4], I[5]});
  body->com = pose.p;
  body->inertia[0] = turned.xx, body->inertia[1] = turned.yy, body->inertia[2] = turned.zz;
  body->inertia[3] = turned.xy, body->inertia[4] = turned.xz, body->inertia[5] = turned.yz;
  return status;
}

// ---- deformable links

static bool material_kind(const char* name, plMaterialKind* kind) {
  static const struct {
    const char* name;
    plMaterialKind kind;
  } table[] = {{"linear_corotated", PL_MATERIAL_LINEAR_COROTATED},
               {"corotated", PL_MATERIAL_FIXED_COROTATED},
               {"neohookean", PL_MATERIAL_NEO_HOOKEAN},
               {"linear", PL_MATERIAL_LINEAR}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(name, table[i].name)) {
      *kind = table[i].kind;
      return true;
    }
  return false;
}

static plStatus read_material(plSdf* sdf, const plXml* properties, plMaterial* m) {
  // Drake's defaults
  m->young = 1e8, m->poisson = 0.49, m->density = 1500, m->damping_mass = m->damping_stiffness = 0;
  const struct {
    const char* name;
    double* to;
  } table[] = {{"drake:youngs_modulus", &m->young},
               {"drake:poissons_ratio", &m->poisson},
               {"drake:mass_damping", &m->damping_mass},
               {"drake:stiffness_damping", &m->damping_stiffness},
               {"drake:mass_density", &m->density}};
  plStatus status = PL_OK;
  for (size_t k = 0; k < sizeof table / sizeof *table && !status; k++)
    status = pl_sdf_number(sdf, properties, table[k].name, table[k].to);
  const char* model = pl_xml_child_text(properties, "drake:material_model");
  if (!status && model && !material_kind(model, &m->kind))
    status = pl_xml_fail(
        properties, sdf->robot->error,
        "the material model '%s' is not known; there are linear_corotated, corotated, neohookean and linear",
        model);
  return status;
}

// Vertices behind a wall (a plane in the file's world) are fixed.
static plStatus add_walls(plSdf* sdf, const plXml* link, plPose pose, int deformable) {
  plStatus status = PL_OK;
  for (const plXml* wall = pl_xml_child(link, "drake:wall_boundary_condition"); wall && !status;
       wall = pl_xml_next(wall)) {
    double p[3] = {0}, n[3] = {0};
    bool has_point, has_normal;
    status = numbers_of(sdf, wall, "drake:point_on_plane", p, 3, &has_point);
    if (!status) status = numbers_of(sdf, wall, "drake:outward_normal", n, 3, &has_normal);
    if (!status && (!has_point || !has_normal))
      status = pl_xml_fail(wall, sdf->robot->error,
                           "<%s> needs drake:point_on_plane and drake:outward_normal", wall->name);
    if (status) continue;
    plFixDef fix = pl_default_fix_def();
    fix.deformable = deformable, fix.region.kind = PL_REGION_HALF_SPACE;
    fix.region.centre = pose_apply_inverse(pose, v3(p[0], p[1], p[2])),
    fix.region.normal = quat_rotate(quat_conj(pose.q), v3(n[0], n[1], n[2]));
    status = pl_spec_add_fix(sdf->robot->spec, &fix, sdf->robot->error);
  }
  return status;
}

// The mesh of tetrahedra: a file, or a ball with the requested resolution. NULL and PL_OK: left out with a
// warning.
static plStatus deformable_mesh(plSdf* sdf, const plXml* collision, const plRobotShape* shape,
                                plMesh** mesh) {
  plRobot* robot = sdf->robot;
  if (shape->kind == PL_SHAPE_SPHERE) {
    const plXml* properties = pl_xml_child(collision, "drake:proximity_properties");
    double hint = 0;
    plStatus status =
        properties ? pl_sdf_number(sdf, properties, "drake:mesh_resolution_hint", &hint) : PL_OK;
    if (!status && !(hint > 0))
      status = pl_xml_fail(collision, robot->error,
                           "a deformable sphere needs a positive drake:mesh_resolution_hint");
    // about as many as six for each cube of that edge around it
    double across = fmax(1, 2 * shape->radius / hint);
    if (!status) status = pl_robot_check_tets(robot, collision, 6 * across * across * across);
    return status ? status : pl_mesh_sphere(shape->radius, hint, mesh, robot->error);
  }
  if (shape->kind != PL_SHAPE_MESH)
    return pl_xml_fail(collision, robot->error,
                       "the shape of a deformable link must be a <mesh> or a <sphere>");
  plStatus status = pl_robot_load_solid(robot, collision, shape->mesh, shape->scale, mesh);
  return status || !*mesh ? status : pl_robot_repair(robot, collision, shape->mesh, *mesh);
}

// A link with <drake:deformable_properties>.
static plStatus add_deformable(plSdf* sdf, const plSdfFrame* frame, const plXml* properties) {
  plRobot* robot = sdf->robot;
  const plXml* collision = pl_xml_child(frame->node, "collision");
  if (!collision || pl_xml_next(collision))
    return pl_xml_fail(frame->node, robot->error, "the deformable link '%s' needs exactly one <collision>",
                       frame->name);
  for (const plXml* visual = pl_xml_child(frame->node, "visual"); visual; visual = pl_xml_next(visual))
    pl_xml_use_all(visual);
  plRobotShape shape = pl_default_robot_shape(collision);
  plDeformableDef def = pl_default_deformable_def();
  plMesh* mesh = NULL;
  bool known;
  plPose pose;
  int id = -1, parent;
  pl_xml_attr(collision, "name");
  def.name = pl_robot_full_name(robot, frame->name);
  plStatus status = pl_sdf_pose(sdf, collision, frame->scope, (int)(frame - sdf->frame), &pose);
  if (!status) status = read_geometry(sdf, collision, &shape, &known);
  if (!status && !known)
    status = pl_xml_fail(collision, robot->error, "the shape of the deformable link '%s' is not known",
                         frame->name);
  if (!status) status = read_surface(sdf, collision, &shape);
  if (!status) status = read_material(sdf, properties, &def.material);
  if (!status) status = pl_robot_parent(robot, &parent);
  if (!status) status = deformable_mesh(sdf, collision, &shape, &mesh);
  if (!status && mesh) {
    def.mesh = mesh, def.surface = shape.surface;
    def.pose = pose_mul(robot->def->pose, pose);
    if (parent >= 0) def.pose = pose_mul(pl_spec_body_pose(robot->spec, parent), def.pose);
    status = pl_spec_add_deformable(robot->spec, &def, &id, robot->error);
    status = pl_robot_place(robot, frame->node, status);
    if (!status) status = add_walls(sdf, frame->node, pose, id);
  }
  pl_mesh_destroy(mesh);
  return status;
}

// ---- the link

plStatus pl_sdf_add_link(plSdf* sdf, plSdfFrame* frame) {
  plRobot* robot = sdf->robot;
  const plXml* properties = pl_xml_child(frame->node, "drake:deformable_properties");
  if (properties) return add_deformable(sdf, frame, properties);
  if (robot->spec->nbody >= 20 * PL_ROBOT_MAX_BODIES)
    return pl_xml_fail(frame->node, robot->error, "there are too many links");
  plBodyDef body = pl_default_body_def();
  body.name = pl_robot_full_name(robot, frame->name), body.gravity = robot->def->gravity;
  if (!body.name) return pl_fail_out_of_memory(robot->error, 256);
  bool gravity = true;
  const char* text = pl_xml_child_text(frame->node, "gravity");
  plStatus status = text ? pl_xml_bool(frame->node, text, &gravity, robot->error) : PL_OK;
  if (!gravity) body.gravity = 0;
  if (!status) status = read_inertial(sdf, frame, &body);
  if (!status) pl_robot_check_inertia(robot, frame->node, &body);
  if (!status) status = pl_spec_add_body(robot->spec, &body, &frame->body, robot->error);
  status = pl_robot_place(robot, frame->node, status);
  if (!status) status = add_shapes(sdf, frame, true);
  if (!status) status = add_shapes(sdf, frame, false);
  if (!status) status = pl_robot_fill_inertia(robot, frame->node, frame->body);
  return status;
}

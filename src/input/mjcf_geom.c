// mjcf_geom.c: geoms of an MJCF file: shapes with their mass.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"

// fromto: the shape's z axis runs from one point to the other.
static plStatus read_fromto(plMjcf* m, const plXml* geom, const char* class_name, plRobotShape* shape,
                            double* half) {
  double x[6];
  int n;
  plStatus status = pl_mjcf_numbers(m, geom, "geom", class_name, "fromto", x, 6, 6, &n);
  if (status || !n) return status;
  plVec3 a = v3(x[0], x[1], x[2]), b = v3(x[3], x[4], x[5]), z = v3_sub(b, a);
  if (!(v3_norm(z) > 0)) return pl_xml_fail(geom, m->robot->error, "fromto must name two different points");
  *half = 0.5 * v3_norm(z);
  plVec3 axis = v3_cross(v3(0, 0, 1), z);
  double s = v3_norm(axis);
  shape->pose.p = v3_scale(0.5, v3_add(a, b));
  shape->pose.q = s > 1e-12 * v3_norm(z) ? quat_from_axis_angle(axis, atan2(s, z.z))
                  : z.z < 0              ? (plQuat){0, 1, 0, 0}
                                         : quat_identity();
  return PL_OK;
}

static plStatus read_kind(plMjcf* m, const plXml* geom, const char* class_name, plRobotShape* shape,
                          bool* known) {
  const char* type = pl_mjcf_attr(m, geom, "geom", class_name, "type");
  double size[3] = {0}, half = 0;
  int n;
  if (!type) type = pl_mjcf_attr(m, geom, "geom", class_name, "mesh") ? "mesh" : "sphere";
  *known = true;
  if (!strcmp(type, "mesh")) return pl_mjcf_mesh(m, geom, class_name, shape, known);
  plStatus status = pl_mjcf_numbers(m, geom, "geom", class_name, "size", size, 1, 3, &n);
  if (!status) status = read_fromto(m, geom, class_name, shape, &half);
  if (status) return status;
  if (half > 0 && n < 3) {
    if (n < 2) size[1] = strcmp(type, "box") && strcmp(type, "ellipsoid") ? half : size[0];
    size[2] = half;
    if (!strcmp(type, "capsule") || !strcmp(type, "cylinder")) size[1] = half;
  }
  if (!strcmp(type, "sphere"))
    shape->kind = PL_SHAPE_SPHERE, shape->radius = size[0];
  else if (!strcmp(type, "capsule"))
    shape->kind = PL_SHAPE_CAPSULE, shape->radius = size[0], shape->length = 2 * size[1];
  else if (!strcmp(type, "cylinder"))
    shape->kind = PL_SHAPE_CYLINDER, shape->radius = size[0], shape->length = 2 * size[1];
  else if (!strcmp(type, "ellipsoid"))
    shape->kind = PL_SHAPE_ELLIPSOID, shape->size = v3(2 * size[0], 2 * size[1], 2 * size[2]);
  else if (!strcmp(type, "box"))
    shape->kind = PL_SHAPE_BOX, shape->size = v3(2 * size[0], 2 * size[1], 2 * size[2]);
  else if (!strcmp(type, "plane"))
    shape->kind = PL_SHAPE_HALF_SPACE;
  else {
    pl_robot_warn_once(m->robot, geom, "geom type", "geoms of type '%.40s' are not read; they are left out",
                       type);
    *known = false;
  }
  return PL_OK;
}

static plStatus read_surface(plMjcf* m, const plXml* geom, const char* class_name, plRobotShape* shape) {
  double x[4], contype = 1, conaffinity = 1;
  int n;
  plStatus status = pl_mjcf_numbers(m, geom, "geom", class_name, "friction", x, 1, 3, &n);
  if (!status && n) shape->surface.friction = x[0];
  if (!status) status = pl_mjcf_number(m, geom, "geom", class_name, "contype", &contype);
  if (!status) status = pl_mjcf_number(m, geom, "geom", class_name, "conaffinity", &conaffinity);
  bool valid = contype >= 0 && contype < 4294967296.0 && conaffinity >= 0 && conaffinity < 4294967296.0;
  if (!status && !valid)
    status = pl_xml_fail(geom, m->robot->error, "contype and conaffinity are 32 bits, got %g and %g", contype,
                         conaffinity);
  if (status) return status;
  m->contype = (unsigned)contype, m->conaffinity = (unsigned)conaffinity;
  shape->collide = m->contype || m->conaffinity;
  if (!status) status = pl_mjcf_numbers(m, geom, "geom", class_name, "rgba", x, 4, 4, &n);
  if (!status && n)
    shape->colour = v3(fmin(fmax(x[0], 0), 1), fmin(fmax(x[1], 0), 1), fmin(fmax(x[2], 0), 1));
  pl_mjcf_attr(m, geom, "geom", class_name, "material");
  return status;
}

plStatus pl_mjcf_geom(plMjcf* m, const plXml* geom, const char* class_name, plRobotShape* shape,
                      plInertia* inertia, bool* known) {
  plRobot* robot = m->robot;
  const char* name = pl_xml_attr(geom, "name");
  double mass = -1, density = 1000, group = 0;
  *inertia = (plInertia){0};
  *known = false;
  plStatus status = pl_mjcf_pose(m, geom, "geom", class_name, &shape->pose);
  if (!status) status = read_kind(m, geom, class_name, shape, known);
  if (!status) status = read_surface(m, geom, class_name, shape);
  if (!status) status = pl_mjcf_number(m, geom, "geom", class_name, "mass", &mass);
  if (!status) status = pl_mjcf_number(m, geom, "geom", class_name, "density", &density);
  if (!status) status = pl_mjcf_number(m, geom, "geom", class_name, "group", &group);
  if (status || !*known) return status;
  if (shape->kind == PL_SHAPE_MESH && !shape->loaded && !(shape->loaded = pl_robot_load_mesh(robot, shape))) {
    if (robot->mesh_status) return robot->mesh_status;
    *known = false;
  }
  plInertia one;
  if (*known && group >= m->group_low && group <= m->group_high &&
      pl_shape_inertia(shape, shape->loaded, 1, &one)) {
    double scale = mass >= 0 ? mass / one.m : density;
    one = (plInertia){scale * one.m,
                      v3_scale(scale, one.h),
                      {scale * one.I.xx, scale * one.I.yy, scale * one.I.zz, scale * one.I.xy,
                       scale * one.I.xz, scale * one.I.yz}};
    *inertia = pl_inertia_at(shape->pose, one);
  }
  if (name && name[0])
    shape->name = pl_robot_printf(robot, "%s/%s", shape->name, name);
  else
    shape->name = pl_robot_printf(robot, "%s/geom", shape->name);
  return PL_OK;
}

// ---- who touches whom

plStatus pl_mjcf_add_mask(plMjcf* m, int body) {
  for (int i = m->nmask - 1; i >= 0; i--)
    if (m->mask[i].body == body) {
      m->mask[i].contype |= m->contype, m->mask[i].conaffinity |= m->conaffinity;
      return PL_OK;
    }
  plMjcfMask mask = {body, m->contype, m->conaffinity};
  return PL_PUSH(m->mask, m->nmask, m->mask_cap, mask) ? PL_OK
                                                       : pl_fail_out_of_memory(m->robot->error, sizeof mask);
}

plStatus pl_mjcf_keep_apart(plMjcf* m) {
  enum { MAX_BODIES = 500 };
  if (m->nmask > MAX_BODIES) {
    pl_robot_warn(m->robot, m->root, "ignored: contype and conaffinity of more than %d bodies",
                  (int)MAX_BODIES);
    return PL_OK;
  }
  for (int i = 0; i < m->nmask; i++)
    for (int j = i + 1; j < m->nmask; j++) {
      const plMjcfMask *a = &m->mask[i], *b = &m->mask[j];
      if ((a->contype & b->conaffinity) || (b->contype & a->conaffinity)) continue;
      plStatus status = pl_spec_exclude(m->robot->spec, a->body, b->body, m->robot->error);
      if (status) return status;
    }
  return PL_OK;
}

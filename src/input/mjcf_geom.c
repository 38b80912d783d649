// mjcf_geom.c: geoms of an MJCF file: shapes with their mass.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"
#include "model/side.h"

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

static bool primitive_kind(const char* type, plShapeKind* kind) {
  static const struct {
    const char* name;
    plShapeKind kind;
  } table[] = {{"sphere", PL_SHAPE_SPHERE},
               {"capsule", PL_SHAPE_CAPSULE},
               {"cylinder", PL_SHAPE_CYLINDER},
               {"ellipsoid", PL_SHAPE_ELLIPSOID},
               {"box", PL_SHAPE_BOX}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(type, table[i].name)) {
      *kind = table[i].kind;
      return true;
    }
  return false;
}

// A primitive that names a mesh replaces it: its size and pose are the mesh's.
static plStatus fit_primitive(plMjcf* m, const plXml* geom, const char* class_name, plRobotShape* shape,
                              plShapeKind kind, bool* known) {
  plRobotShape whole = *shape;
  plMjcfMeshInertia how;
  double scale = 1;
  plStatus status = pl_mjcf_mesh(m, geom, class_name, &whole, &how, known);
  if (!status) status = pl_mjcf_number(m, geom, "geom", class_name, "fitscale", &scale);
  plMesh* mesh = (plMesh*)whole.loaded;
  shape->kind = kind;
  if (!status && *known) {
    assert(mesh != NULL);
    status = pl_mjcf_fit(mesh, how, pl_mjcf_scope(m, geom)->fit_box, scale, shape, known, m->robot->error);
  }
  pl_mesh_destroy(mesh);
  return status;
}

static plStatus read_kind(plMjcf* m, const plXml* geom, const char* class_name, plRobotShape* shape,
                          plMjcfMeshInertia* how, bool* known) {
  const char* type = pl_mjcf_attr(m, geom, "geom", class_name, "type");
  double size[3] = {0}, half = 0;
  int n;
  if (!type) type = pl_mjcf_attr(m, geom, "geom", class_name, "mesh") ? "mesh" : "sphere";
  *known = true;
  if (!strcmp(type, "mesh")) return pl_mjcf_mesh(m, geom, class_name, shape, how, known);
  plShapeKind primitive;
  if (pl_mjcf_attr(m, geom, "geom", class_name, "mesh") && primitive_kind(type, &primitive))
    return fit_primitive(m, geom, class_name, shape, primitive, known);
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

// The colour of the material that an asset describes.
static plStatus material_colour(plMjcf* m, const plMjcfScope* scope, const char* name, double* rgba, int* n) {
  plStatus status = PL_OK;
  *n = 0;
  for (const plXml* asset = pl_xml_child(scope->root, "asset"); asset; asset = pl_xml_next(asset))
    for (const plXml* e = pl_xml_child(asset, "material"); e; e = pl_xml_next(e)) {
      const char* own = pl_xml_attr(e, "name");
      pl_xml_attr(e, "rgba");
      if (own && !strcmp(own, name)) status = pl_mjcf_numbers(m, e, "material", NULL, "rgba", rgba, 4, 4, n);
    }
  return status;
}

// The geom's own colour, else that of its material.
static plStatus read_colour(plMjcf* m, const plXml* geom, const char* class_name, plRobotShape* shape) {
  double x[4];
  int n;
  const char* material = pl_mjcf_attr(m, geom, "geom", class_name, "material");
  plStatus status = pl_mjcf_numbers(m, geom, "geom", class_name, "rgba", x, 4, 4, &n);
  if (!status && !n && material) status = material_colour(m, pl_mjcf_scope(m, geom), material, x, &n);
  if (!status && n)
    shape->colour = v3(fmin(fmax(x[0], 0), 1), fmin(fmax(x[1], 0), 1), fmin(fmax(x[2], 0), 1));
  return status;
}

// Whether a <pair> names the geom.
static bool in_pair(const plMjcf* m, const plXml* geom) {
  const char* name = pl_xml_attr(geom, "name");
  for (const plXml* list = pl_xml_child(m->root, "contact"); list && name; list = pl_xml_next(list))
    for (const plXml* e = pl_xml_child(list, "pair"); e; e = pl_xml_next(e)) {
      const char *a = pl_xml_attr(e, "geom1"), *b = pl_xml_attr(e, "geom2");
      if ((a && !strcmp(a, name)) || (b && !strcmp(b, name))) return true;
    }
  return false;
}

static plStatus read_surface(plMjcf* m, const plXml* geom, const char* class_name, plRobotShape* shape) {
  double x[4], contype = 1, conaffinity = 1;
  int n;
  plStatus status = pl_mjcf_numbers(m, geom, "geom", class_name, "friction", x, 1, 3, &n);
  if (!status && n) shape->surface.friction = x[0];
  if (!status) status = pl_mjcf_number(m, geom, "geom", class_name, "contype", &contype);
  if (!status) status = pl_mjcf_number(m, geom, "geom", class_name, "conaffinity", &conaffinity);
  bool valid = contype >= 0 && contype < 4294967296.0 && contype == floor(contype) && conaffinity >= 0 &&
               conaffinity < 4294967296.0 && conaffinity == floor(conaffinity);
  if (!status && !valid)
    status = pl_xml_fail(geom, m->robot->error, "contype and conaffinity are 32 bits, got %g and %g", contype,
                         conaffinity);
  if (status) return status;
  m->contype = (unsigned)contype, m->conaffinity = (unsigned)conaffinity;
  shape->collide = m->contype || m->conaffinity;
  if (in_pair(m, geom)) {
    plMjcfPaired paired = {pl_xml_attr(geom, "name"), shape->body, !shape->collide};
    shape->collide = true;
    if (!PL_PUSH(m->paired, m->npaired, m->paired_cap, paired))
      return pl_fail_out_of_memory(m->robot->error, sizeof paired);
  }
  double condim = 3;
  status = pl_mjcf_number(m, geom, "geom", class_name, "condim", &condim);
  if (!status && condim == 1) shape->surface.friction = 0;
  if (!status && condim != 1 && condim != 3)
    pl_robot_warn_once(m->robot, geom, "condim",
                       "condim=\"%g\" is taken as 3: there is no torsional or rolling friction", condim);
  if (!status) status = pl_mjcf_numbers(m, geom, "geom", class_name, "solref", x, 1, 2, &n);
  if (!status && n && x[0] > 0) shape->surface.relaxation_time = x[0];
  return status ? status : read_colour(m, geom, class_name, shape);
}

// The inertia at density 1: of a volume, or of a surface by area. *known is false for shapes without either.
static plStatus unit_inertia(plMjcf* m, const plRobotShape* shape, plMjcfMeshInertia how, plInertia* one,
                             bool* known) {
  if (shape->kind == PL_SHAPE_MESH)
    return pl_mjcf_mesh_inertia(shape->loaded, how, one, known, m->robot->error);
  *known = how == PL_MJCF_SHELL && pl_mjcf_shell_inertia(shape, one);
  if (*known) return PL_OK;
  *known = pl_shape_inertia(shape, NULL, 1, one);
  return PL_OK;
}

plStatus pl_mjcf_geom(plMjcf* m, const plXml* geom, const char* class_name, plRobotShape* shape,
                      plInertia* inertia, bool* known) {
  plRobot* robot = m->robot;
  const plMjcfScope* scope = pl_mjcf_scope(m, geom);
  const char* name = pl_xml_attr(geom, "name");
  double mass = -1, density = 1000, group = 0;
  plMjcfMeshInertia how = PL_MJCF_LEGACY;
  bool shell = false;
  *inertia = (plInertia){0};
  *known = false;
  plStatus status = pl_mjcf_pose(m, geom, "geom", class_name, &shape->pose);
  if (!status) status = pl_mjcf_flag(m, geom, "geom", class_name, "shellinertia", false, &shell);
  // whether it collides decides how a missing mesh is treated
  if (!status) status = read_surface(m, geom, class_name, shape);
  if (!status) status = read_kind(m, geom, class_name, shape, &how, known);
  if (!status) status = pl_mjcf_number(m, geom, "geom", class_name, "mass", &mass);
  if (!status) status = pl_mjcf_number(m, geom, "geom", class_name, "density", &density);
  if (!status) status = pl_mjcf_number(m, geom, "geom", class_name, "group", &group);
  if (status || !*known) return status;
  plInertia one;
  bool counts = group >= scope->group_low && group <= scope->group_high;
  if (counts) status = unit_inertia(m, shape, shell ? PL_MJCF_SHELL : how, &one, &counts);
  if (status) return status;
  if (counts) {
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

// ---- which bodies collide

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

static int paired_body(const plMjcf* m, const char* name) {
  for (int i = 0; i < m->npaired && name; i++)
    if (!strcmp(m->paired[i].name, name)) return i;
  return -1;
}

static int mask_of(const plMjcf* m, int body) {
  for (int i = 0; i < m->nmask; i++)
    if (m->mask[i].body == body) return i;
  return -1;
}

// paired [nmask x nmask]: whether there is a <pair> of geoms of the two bodies.
static void list_pairs(const plMjcf* m, bool* paired) {
  for (const plXml* list = m->npaired ? pl_xml_child(m->root, "contact") : NULL; list;
       list = pl_xml_next(list))
    for (const plXml* e = pl_xml_child(list, "pair"); e; e = pl_xml_next(e)) {
      int i = paired_body(m, pl_xml_attr(e, "geom1")), j = paired_body(m, pl_xml_attr(e, "geom2"));
      int a = i < 0 ? -1 : mask_of(m, m->paired[i].body), b = j < 0 ? -1 : mask_of(m, m->paired[j].body);
      if (a < 0 || b < 0) continue;
      paired[a * m->nmask + b] = paired[b * m->nmask + a] = true;
    }
}

// Contact can be excluded between bodies only: a geom that collides only with its partners follows the other
// geoms of its body.
static void remark_on_pairs(plMjcf* m) {
  for (int i = 0; i < m->npaired; i++)
    for (int k = 0; k < m->nmask && m->paired[i].only; k++)
      if (m->mask[k].body == m->paired[i].body && (m->mask[k].contype || m->mask[k].conaffinity))
        pl_robot_warn(m->robot, m->root,
                      "a geom that only a <pair> lets collide collides with everything that other geoms of "
                      "its body collide with");
}

plStatus pl_mjcf_keep_apart(plMjcf* m) {
  enum { MAX_BODIES = 500 };
  if (m->nmask > MAX_BODIES) {
    pl_robot_warn(m->robot, m->root, "ignored: contype and conaffinity of more than %d bodies",
                  (int)MAX_BODIES);
    return PL_OK;
  }
  remark_on_pairs(m);
  bool* paired = PL_NEW(bool, m->nmask * m->nmask + 1);
  if (!paired) return pl_fail_out_of_memory(m->robot->error, (size_t)(m->nmask * m->nmask));
  list_pairs(m, paired);
  plStatus status = PL_OK;
  for (int i = 0; i < m->nmask; i++)
    for (int j = i + 1; j < m->nmask && !status; j++) {
      const plMjcfMask *a = &m->mask[i], *b = &m->mask[j];
      if ((a->contype & b->conaffinity) || (b->contype & a->conaffinity)) continue;
      if (paired[i * m->nmask + j]) continue;
      status = pl_spec_exclude(m->robot->spec, pl_side_of_body(a->body), pl_side_of_body(b->body),
                               m->robot->error);
    }
  pl_free(paired);
  return status;
}

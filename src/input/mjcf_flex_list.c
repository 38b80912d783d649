// mjcf_flex_list.c: <flex dim="3"> of an MJCF file, the expanded form of a flexcomp: tetrahedra over
// vertices, each in a body. A vertex whose body has three slides and nothing else is free; others are held by
// their bodies. It becomes a deformable, as in mjcf_flex.c; the mass of a free vertex is used for all.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "input/mjcf.h"
#include "model/spec.h"

enum { MAX_VERTICES = 200000 };

// ---- vertices instead of bodies

static const plXml* next_flex(const plMjcf* m, const plXml* flex) {
  const plXml* next = flex ? pl_xml_next(flex) : NULL;
  const plXml* list = flex ? pl_xml_next(flex->parent) : pl_xml_child(m->root, "deformable");
  for (; list && !next; list = pl_xml_next(list)) next = pl_xml_child(list, "flex");
  return next;
}

// Whether a name is one of the words of a list.
static bool lists(const char* words, const char* name) {
  size_t n = strlen(name);
  for (const char* p = words; n && (p = strstr(p, name)); p += n)
    if ((p == words || strchr(" \t\n\r", p[-1])) && (!p[n] || strchr(" \t\n\r", p[n]))) return true;
  return false;
}

bool pl_mjcf_is_vertex(const plMjcf* m, const plXml* body) {
  const char* name = pl_xml_attr(body, "name");
  int slides = 0;
  if (!name || !pl_xml_child(m->root, "deformable")) return false;
  for (const plXml* c = body->child; c; c = c->next) {
    const char* type = pl_xml_attr(c, "type");
    if (!strcmp(c->name, "joint") && type && !strcmp(type, "slide"))
      slides++;
    else if (strcmp(c->name, "inertial"))
      return false;
  }
  for (const plXml* flex = next_flex(m, NULL); flex && slides == 3; flex = next_flex(m, flex)) {
    const char* bodies = pl_xml_attr(flex, "body");
    if (bodies && !pl_mjcf_flex_refusal(flex, NULL) && lists(bodies, name)) return true;
  }
  return false;
}

plStatus pl_mjcf_add_vertex(plMjcf* m, const plXml* node, int body, plPose at) {
  const plXml* inertial = pl_xml_child(node, "inertial");
  plMjcfVertex v = {pl_xml_attr(node, "name"), body, pose_identity(), 0};
  plStatus status = pl_mjcf_pose(m, node, NULL, NULL, &v.pose);
  if (!status && inertial) status = pl_xml_number_attr(inertial, "mass", &v.mass, m->robot->error);
  if (status) return status;
  v.pose = pose_mul(at, v.pose);
  pl_xml_use_all(node);
  return PL_PUSH(m->vertex, m->nvertex, m->vertex_cap, v) ? PL_OK
                                                          : pl_fail_out_of_memory(m->robot->error, sizeof v);
}

static int by_name(const void* a, const void* b) {
  return strcmp(((const plMjcfVertex*)a)->name, ((const plMjcfVertex*)b)->name);
}

// ---- the deformable

typedef struct List {
  const plXml* node;
  plMesh* mesh;
  int* holder;  // [nvert] the body that holds a vertex, -1: the world, FREE: none
  double mass;  // of all
} List;
enum { FREE = -2 };

// The world position of a vertex given in its body, and its holder. The body's name is a word of a list.
static plStatus place_vertex(plMjcf* m, List* l, int i, const char* word, size_t length, plVec3 p) {
  const char* name = pl_robot_printf(m->robot, "%.*s", (int)length, word);
  if (!name) return pl_fail_out_of_memory(m->robot->error, length);
  plMjcfVertex key = {.name = name},
               *v = m->nvertex ? bsearch(&key, m->vertex, (size_t)m->nvertex, sizeof key, by_name) : NULL;
  int body = v ? v->body : strcmp(name, "world") ? pl_mjcf_body(m, name) : -1;
  if (!v && body < 0 && strcmp(name, "world"))
    return pl_xml_fail(l->node, m->robot->error, "the flex names the body '%.100s', which does not exist",
                       name);
  plPose pose = body < 0 ? pose_identity() : pl_spec_body_pose(m->robot->spec, body);
  if (body < 0 && !v) pose = m->robot->def->pose;
  if (v) pose = pose_mul(pose, v->pose), l->mass += v->mass;
  v3_store(l->mesh->vert + 3 * i, pose_apply(pose, p));
  l->holder[i] = v ? FREE : body;
  return PL_OK;
}

// The numbers of an attribute, however many; NULL if it is absent or, with *status set, invalid.
static double* all_numbers(plMjcf* m, const plXml* node, const char* name, int* n, plStatus* status) {
  const char* text = pl_xml_attr(node, name);
  size_t most = text ? strlen(text) / 2 + 1 : 0;
  double* x = text ? PL_ARENA_NEW(&m->robot->tree.arena, double, most) : NULL;
  *n = 0;
  if (text && !x) *status = pl_fail_out_of_memory(m->robot->error, 8 * most);
  if (x) *status = pl_xml_numbers(node, text, name, x, 0, (int)most, n, m->robot->error);
  return *status ? NULL : x;
}

static plStatus read_mesh(plMjcf* m, List* l) {
  plRobot* robot = m->robot;
  plStatus status = PL_OK;
  int nx, ne;
  const char* bodies = pl_xml_attr(l->node, "body");
  double* x = all_numbers(m, l->node, "vertex", &nx, &status);
  double* e = status ? NULL : all_numbers(m, l->node, "element", &ne, &status);
  if (status) return status;
  if (!bodies || !x || !e || !nx || !ne || nx % 3 || ne % 4 || nx / 3 > MAX_VERTICES)
    return pl_xml_fail(
        l->node, robot->error,
        "a flex of dim 3 needs bodies, three coordinates for each vertex (%d at most) and four vertices "
        "for each element",
        (int)MAX_VERTICES);
  int n = nx / 3;
  for (int i = 0; i < ne; i++)
    if (!(e[i] >= 0 && e[i] < n && e[i] == (int)e[i]))
      return pl_xml_fail(l->node, robot->error, "element %d of the flex names vertex %g, but there are %d",
                         i / 4, e[i], n);
  l->mesh = pl_mesh_create(n, ne / 4, 0, robot->error);
  l->holder = PL_ARENA_NEW(&robot->tree.arena, int, n);
  if (!l->mesh || !l->holder) return pl_fail_out_of_memory(robot->error, 40 * (size_t)n);
  for (int i = 0; i < ne; i++) l->mesh->tet[i] = (int)e[i];
  const char *word = bodies, *last = NULL;
  size_t length = 0;
  for (int i = 0; i < n && !status; i++) {
    word += strspn(word, " \t\n\r");
    if (*word) last = word, length = strcspn(word, " \t\n\r"), word += length;
    status = last ? place_vertex(m, l, i, last, length, v3_load(x + 3 * i))
                  : pl_xml_fail(l->node, robot->error, "the flex names no body");
  }
  return status;
}

// The vertices that one body holds.
static plStatus hold(plMjcf* m, const List* l, int deformable, int body, const char* name) {
  plRobot* robot = m->robot;
  int *index = PL_ARENA_NEW(&robot->tree.arena, int, l->mesh->nvert), n = 0;
  if (!index) return pl_fail_out_of_memory(robot->error, 4 * (size_t)l->mesh->nvert);
  for (int v = 0; v < l->mesh->nvert; v++)
    if (l->holder[v] == body) index[n++] = v;
  assert(n > 0 && n <= l->mesh->nvert);
  if (body < 0) {
    plFixDef fix = pl_default_fix_def();
    fix.deformable = deformable, fix.region.kind = PL_REGION_INDICES;
    fix.region.index = index, fix.region.nindex = n;
    return pl_spec_add_fix(robot->spec, &fix, robot->error);
  }
  plAttachDef attach = pl_default_attach_def();
  attach.name = pl_robot_printf(robot, "%s_held_%d", name, body), attach.deformable = deformable,
  attach.body = body;
  attach.region.kind = PL_REGION_INDICES, attach.region.index = index, attach.region.nindex = n;
  return attach.name ? pl_spec_add_attachment(robot->spec, &attach, NULL, robot->error)
                     : pl_fail_out_of_memory(robot->error, 256);
}

static plStatus hold_all(plMjcf* m, const List* l, int deformable, const char* name) {
  plStatus status = PL_OK;
  for (int v = 0; v < l->mesh->nvert && !status; v++) {
    bool first = l->holder[v] != FREE;
    for (int k = 0; k < v && first; k++) first = l->holder[k] != l->holder[v];
    if (first) status = hold(m, l, deformable, l->holder[v], name);
  }
  return status;
}

static plStatus add_flex(plMjcf* m, const plXml* node) {
  plRobot* robot = m->robot;
  const char *own = pl_xml_attr(node, "name"), *why = pl_mjcf_flex_refusal(node, NULL);
  if (why) {
    pl_robot_warn(robot, node, "a flex is not read and left out: %s", why);
    pl_xml_use_all(node);
    return PL_OK;
  }
  List l = {.node = node};
  plDeformableDef def = pl_default_deformable_def();
  int id = -1, loose = 0;
  def.name = pl_robot_full_name(robot, own && own[0] ? own : "flex");
  plStatus status = def.name ? read_mesh(m, &l) : pl_fail_out_of_memory(robot->error, 256);
  for (int v = 0; v < (status ? 0 : l.mesh->nvert); v++) loose += l.holder[v] == FREE;
  if (!status && !(loose && l.mass > 0)) {
    pl_robot_warn(robot, node,
                  "a flex is not read and left out: no vertex of it is a body with mass and three slides");
    pl_xml_use_all(node);
    pl_mesh_destroy(l.mesh);
    return PL_OK;
  }
  ((plXml*)node)->used = true;
  if (!status) status = pl_robot_repair(robot, node, def.name, l.mesh);
  for (int v = 0; !status && v < l.mesh->nvert; v++) {
    assert(pl_mesh_number(l.mesh, v) >= v && pl_mesh_number(l.mesh, v) < pl_mesh_nnumber(l.mesh));
    l.holder[v] = l.holder[pl_mesh_number(l.mesh, v)];
  }
  if (!status) status = pl_mjcf_flex_material(m, node, l.mesh, l.mass / loose * l.mesh->nvert, &def);
  def.mesh = l.mesh;
  if (!status) status = pl_spec_add_deformable(robot->spec, &def, &id, robot->error);
  if (!status) status = hold_all(m, &l, id, def.name);
  pl_mesh_destroy(l.mesh);
  return pl_robot_place(robot, node, status);
}

plStatus pl_mjcf_flexes(plMjcf* m) {
  plStatus status = PL_OK;
  if (m->nvertex) qsort(m->vertex, (size_t)m->nvertex, sizeof *m->vertex, by_name);
  for (const plXml* flex = next_flex(m, NULL); flex && !status; flex = next_flex(m, flex)) {
    ((plXml*)flex->parent)->used = true;
    status = add_flex(m, flex);
  }
  return status;
}

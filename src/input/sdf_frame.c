// sdf_frame.c: frames of an SDFormat file: their references and poses.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "input/sdf.h"

// "scope::name", or name at the top
static const char* scoped(plSdf* sdf, const char* scope, const char* name) {
  return scope[0] ? pl_robot_printf(sdf->robot, "%s::%s", scope, name)
                  : pl_xml_keep(&sdf->robot->tree, name, strlen(name));
}

static int find_full(const plSdf* sdf, const char* name) {
  for (int i = 0; name && i < sdf->nframe; i++)
    if (!strcmp(sdf->frame[i].name, name)) return i;
  return -1;
}

int pl_sdf_find(const plSdf* sdf, const char* scope, const char* name) {
  if (!name[0] || !strcmp(name, "__model__")) return find_full(sdf, scope);
  return find_full(sdf, scoped((plSdf*)sdf, scope, name));
}

static plStatus add_frame(plSdf* sdf, const plXml* node, const char* name, const char* scope, plSdfKind kind,
                          bool fixed) {
  if (!name || !name[0]) return pl_xml_fail(node, sdf->robot->error, "<%s> needs a name", node->name);
  if (sdf->nframe >= 4 * PL_ROBOT_MAX_BODIES)
    return pl_xml_fail(node, sdf->robot->error, "a file may have %d frames, this one has more",
                       4 * (int)PL_ROBOT_MAX_BODIES);
  plSdfFrame f = {.name = scoped(sdf, scope, name),
                  .scope = scope,
                  .model = scope,
                  .kind = kind,
                  .node = node,
                  .body = -1,
                  .fixed = fixed};
  if (find_full(sdf, f.name) >= 0)
    return pl_xml_fail(node, sdf->robot->error,
                       "the name '%s' is taken by another link, joint, frame or model", f.name);
  if (!f.name || !PL_PUSH(sdf->frame, sdf->nframe, sdf->frame_cap, f))
    return pl_fail_out_of_memory(sdf->robot->error, sizeof f);
  return PL_OK;
}

// The file of a model's folder: that of the newest version in its model.config, else model.sdf.
static const char* file_of_folder(plRobot* robot, const char* uri) {
  const char* path = pl_robot_find_file(robot, pl_robot_printf(robot, "%s/model.config", uri));
  const char *best = "model.sdf", *newest = "";
  plXml* root;
  plError unused;
  plError* error = robot->error;
  robot->error = &unused;
  plStatus status = path ? pl_robot_include(robot, path, &root) : PL_ERROR_INPUT;
  robot->error = error;
  for (const plXml* e = status ? NULL : pl_xml_child(root, "sdf"); e; e = pl_xml_next(e)) {
    const char* version = pl_xml_attr(e, "version");
    int a = version && version[0] ? atoi(version + strcspn(version, ".") + 1) : 0,
        b = newest[0] ? atoi(newest + strcspn(newest, ".") + 1) : -1;
    if (e->text[0] && a > b) best = e->text, newest = version ? version : "";
  }
  return pl_robot_find_file(robot, pl_robot_printf(robot, "%s/%s", uri, best));
}

plStatus pl_sdf_include(plRobot* robot, const plXml* include, const plXml** model) {
  const char* uri = pl_xml_child_text(include, "uri");
  if (!uri || !uri[0]) return pl_xml_fail(include, robot->error, "<include> needs a <uri>");
  const char* path = pl_robot_find_file(robot, uri);
  if (!path) path = file_of_folder(robot, uri);
  if (!path)
    return pl_xml_fail(include, robot->error,
                       "the file '%s' is not found; give its folder as a search folder", uri);
  plXml* root;
  plStatus status = pl_robot_include(robot, path, &root);
  if (status) return status;
  *model = pl_xml_child(root, "model");
  pl_xml_attr(root, "version");
  if (!*model || strcmp(root->name, "sdf"))
    return pl_xml_fail(root, robot->error, "an included file must be <sdf> with one <model>");
  return PL_OK;
}

static plStatus collect_include(plSdf* sdf, const plXml* include, const char* scope, bool fixed, int depth) {
  const plXml* model;
  plStatus status = pl_sdf_include(sdf->robot, include, &model);
  return status ? status : pl_sdf_collect(sdf, model, include, scope, fixed, depth + 1);
}

// <include merge="true">: the model's links, joints and frames become those of the model around it.
static plStatus is_merged(plSdf* sdf, const plXml* include, bool* merged) {
  const char* text = include ? pl_xml_attr(include, "merge") : NULL;
  *merged = false;
  return text ? pl_xml_bool(include, text, merged, sdf->robot->error) : PL_OK;
}

plStatus pl_sdf_collect(plSdf* sdf, const plXml* model, const plXml* include, const char* scope, bool fixed,
                        int depth) {
  if (depth > PL_SDF_MAX_DEPTH)
    return pl_xml_fail(model, sdf->robot->error, "models are nested more than %d deep",
                       (int)PL_SDF_MAX_DEPTH);
  const char* name = include ? pl_xml_child_text(include, "name") : NULL;
  if (!name || !name[0])
    name = pl_xml_attr(model, "name");
  else
    pl_xml_attr(model, "name");
  const char* is_static = pl_xml_child_text(model, "static");
  if (include && pl_xml_child(include, "static")) is_static = pl_xml_child_text(include, "static");
  bool still = false;
  plStatus status = is_static ? pl_xml_bool(model, is_static, &still, sdf->robot->error) : PL_OK;
  fixed |= still;
  bool merged;
  if (!status) status = is_merged(sdf, include, &merged);
  pl_xml_attr(model, "canonical_link");
  // the top model of a file is the robot itself: its name is not a prefix of its links
  bool top = depth == 0;
  if (!status && !top && merged && name && name[0])
    name = pl_robot_printf(sdf->robot, "_merged__%s__model__", name);
  if (!status && !top) status = add_frame(sdf, model, name, scope, PL_SDF_MODEL, fixed);
  if (!status && top) {
    plSdfFrame f = {.name = scope,
                    .scope = scope,
                    .model = scope,
                    .kind = PL_SDF_MODEL,
                    .node = model,
                    .body = -1,
                    .fixed = fixed};
    if (!PL_PUSH(sdf->frame, sdf->nframe, sdf->frame_cap, f))
      status = pl_fail_out_of_memory(sdf->robot->error, sizeof f);
  }
  if (status) return status;
  sdf->frame[sdf->nframe - 1].include = include;
  const char *own = sdf->frame[sdf->nframe - 1].name, *inner = merged && !top ? scope : own;
  int first = sdf->nframe;
  static const struct {
    const char* tag;
    plSdfKind kind;
  } table[] = {
      {"link", PL_SDF_LINK}, {"joint", PL_SDF_JOINT}, {"drake:joint", PL_SDF_JOINT}, {"frame", PL_SDF_FRAME}};
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    for (const plXml* node = pl_xml_child(model, table[k].tag); node && !status; node = pl_xml_next(node))
      status = add_frame(sdf, node, pl_xml_attr(node, "name"), inner, table[k].kind, fixed);
  for (int i = first; i < sdf->nframe; i++) sdf->frame[i].model = own;
  for (const plXml* node = pl_xml_child(model, "model"); node && !status; node = pl_xml_next(node))
    status = pl_sdf_collect(sdf, node, NULL, inner, fixed, depth + 1);
  for (const plXml* node = pl_xml_child(model, "include"); node && !status; node = pl_xml_next(node))
    status = collect_include(sdf, node, inner, fixed, depth);
  return status;
}

// ---- poses

// x y z roll pitch yaw, or x y z and a quaternion (x y z w)
static plStatus read_pose(plSdf* sdf, const plXml* node, plPose* pose) {
  double x[7] = {0};
  int n = 0;
  const char *degrees = pl_xml_attr(node, "degrees"), *format = pl_xml_attr(node, "rotation_format");
  plStatus status = pl_xml_numbers(node, node->text, "the pose", x, 0, 7, &n, sdf->robot->error);
  if (status) return status;
  bool quat = format && !strcmp(format, "quat_xyzw");
  if (n != 0 && n != (quat ? 7 : 6))
    return pl_xml_fail(node, sdf->robot->error, "a <pose> has %d numbers, got %d", quat ? 7 : 6, n);
  double scale = degrees && !strcmp(degrees, "true") ? 3.14159265358979323846 / 180 : 1;
  pose->p = v3(x[0], x[1], x[2]);
  pose->q = quat && n ? quat_unit((plQuat){x[6], x[3], x[4], x[5]})
                      : quat_from_rpy(scale * x[3], scale * x[4], scale * x[5]);
  return PL_OK;
}

// The frame that the <pose> in a node refers to, -1: the file's world.
static plStatus find_base(plSdf* sdf, const plXml* node, const char* scope, int fallback, int* base) {
  const plXml* child = pl_xml_child(node, "pose");
  *base = fallback;
  const char* relative = child ? pl_xml_attr(child, "relative_to") : NULL;
  if (child && !relative) relative = pl_xml_attr(child, "frame");  // the notation before 1.7
  if (!relative || !relative[0]) return PL_OK;
  *base = strcmp(relative, "world") ? pl_sdf_find(sdf, scope, relative) : -1;
  return *base >= 0 || !strcmp(relative, "world")
             ? PL_OK
             : pl_xml_fail(child, sdf->robot->error, "the pose is relative to '%s', which does not exist",
                           relative);
}

// The pose in a node, in the file's world. base: the frame that it refers to, whose pose is known.
static plStatus pose_from(plSdf* sdf, const plXml* node, int base, plPose* pose) {
  const plXml* child = pl_xml_child(node, "pose");
  plPose own = pose_identity();
  plStatus status = child ? read_pose(sdf, child, &own) : PL_OK;
  assert(base < sdf->nframe && (base < 0 || sdf->frame[base].state == 2));
  *pose = base < 0 ? own : pose_mul(sdf->frame[base].pose, own);
  return status;
}

plStatus pl_sdf_pose(plSdf* sdf, const plXml* node, const char* scope, int fallback, plPose* pose) {
  int base;
  plStatus status = find_base(sdf, node, scope, fallback, &base);
  if (!status && base >= 0) status = pl_sdf_resolve(sdf, base, pose);
  return status ? status : pose_from(sdf, node, base, pose);
}

const char* pl_sdf_end(const plXml* joint, const char* end) {
  const char* name = pl_xml_child_text(joint, end);
  return name ? name : pl_xml_child_text(joint, !strcmp(end, "child") ? "drake:child" : "drake:parent");
}

// The frame that a frame's pose refers to by default, -1: the file's world.
static plStatus default_base(plSdf* sdf, const plSdfFrame* f, int* base) {
  const char* name = NULL;
  *base = -1;
  if (f->kind == PL_SDF_MODEL && f->name == f->scope) return PL_OK;
  if (f->kind == PL_SDF_JOINT) name = pl_sdf_end(f->node, "child");
  if (f->kind == PL_SDF_FRAME) name = pl_xml_attr(f->node, "attached_to");
  bool named = name && name[0] && strcmp(name, "__model__");
  *base = named ? pl_sdf_find(sdf, f->scope, name) : find_full(sdf, f->model);
  if (*base < 0)
    return pl_xml_fail(f->node, sdf->robot->error, "'%s' refers to '%s', which does not exist", f->name,
                       name ? name : "__model__");
  return PL_OK;
}

// The frame that the <pose> of a model positions, relative to the model.
static plStatus find_placement(plSdf* sdf, int frame, plPose* placed) {
  const plSdfFrame f = sdf->frame[frame];
  const char *own = pl_xml_attr(f.node, "placement_frame"),
             *given = f.include ? pl_xml_child_text(f.include, "placement_frame") : NULL;
  if (given && given[0]) own = given;
  if (!own || !own[0]) return PL_OK;
  int at = pl_sdf_find(sdf, f.name, own);
  if (at < 0) return pl_xml_fail(f.node, sdf->robot->error, "the placement frame '%s' does not exist", own);
  typedef struct Kept {
    int state, waiting;
  } Kept;
  Kept* kept = PL_NEW(Kept, sdf->nframe);
  if (!kept) return pl_fail_out_of_memory(sdf->robot->error, sizeof(Kept) * (size_t)sdf->nframe);
  for (int i = 0; i < sdf->nframe; i++) {
    plSdfFrame* other = &sdf->frame[i];
    kept[i] = (Kept){other->state, other->waiting};
    if (other->state == 1) other->state = 0;  // what waits for this model may be asked for inside it
  }
  // as if the model were at the origin; frames resolved for this are discarded
  sdf->frame[frame].state = 2, sdf->frame[frame].pose = pose_identity();
  plStatus status = pl_sdf_resolve(sdf, at, placed);
  for (int i = 0; i < sdf->nframe; i++)
    sdf->frame[i].state = kept[i].state, sdf->frame[i].waiting = kept[i].waiting;
  pl_free(kept);
  return status;
}

// The node with the <pose> of a frame: that of an <include> replaces the model's own.
static const plXml* pose_node(const plSdfFrame* f) {
  return f->include && pl_xml_child(f->include, "pose") ? f->include : f->node;
}

// The pose of a frame whose base is resolved.
static plStatus resolve_one(plSdf* sdf, int frame) {
  const plSdfFrame f = sdf->frame[frame];
  plPose placed = pose_identity(), at = pose_identity();
  plStatus status = pose_from(sdf, pose_node(&f), f.base, &at);
  if (!status && f.kind == PL_SDF_MODEL) status = find_placement(sdf, frame, &placed);
  sdf->frame[frame].pose = pose_mul(at, pose_inverse(placed));
  sdf->frame[frame].state = 2;
  return status;
}

// Frames may refer to each other in a chain of any length: from the frame up to one whose pose is known, then
// down again.
plStatus pl_sdf_resolve(plSdf* sdf, int frame, plPose* pose) {
  plStatus status = PL_OK;
  int waiting = -1, at = frame;
  while (!status && at >= 0 && sdf->frame[at].state != 2) {
    const plSdfFrame f = sdf->frame[at];
    int on = -1, base = -1;
    if (f.state == 1)
      return pl_xml_fail(f.node, sdf->robot->error, "the pose of '%s' refers to itself",
                         f.name[0] ? f.name : "__model__");
    status = default_base(sdf, &f, &on);
    if (!status) status = find_base(sdf, pose_node(&f), f.scope, on, &base);
    sdf->frame[at].state = 1, sdf->frame[at].on = on, sdf->frame[at].base = base;
    sdf->frame[at].waiting = waiting;
    waiting = at, at = base;
  }
  for (; waiting >= 0 && !status; waiting = sdf->frame[waiting].waiting) status = resolve_one(sdf, waiting);
  *pose = sdf->frame[frame].pose;
  return status;
}

// The link of a model that frames attached to the model move with.
static plStatus canonical_link(plSdf* sdf, const plSdfFrame* f, int* link) {
  const char* canonical = pl_xml_attr(f->node, "canonical_link");
  int wanted = canonical ? pl_sdf_find(sdf, f->name, canonical) : -1;
  for (int i = 0; i < sdf->nframe; i++)
    if (sdf->frame[i].kind == PL_SDF_LINK && !strcmp(sdf->frame[i].model, f->name) &&
        (!canonical || i == wanted)) {
      *link = i;
      return PL_OK;
    }
  return pl_xml_fail(f->node, sdf->robot->error, "the model '%s' has no link to attach to", f->name);
}

plStatus pl_sdf_link_of(plSdf* sdf, int frame, int* link) {
  int at = frame;
  for (int k = 0; k < sdf->nframe; k++) {
    assert(at >= 0 && at < sdf->nframe && sdf->frame[at].state == 2);
    const plSdfFrame* f = &sdf->frame[at];
    if (f->kind == PL_SDF_MODEL) return canonical_link(sdf, f, link);
    if (f->kind == PL_SDF_LINK) return *link = at, PL_OK;
    at = f->on;
  }
  return pl_xml_fail(sdf->frame[frame].node, sdf->robot->error, "'%s' is attached to itself",
                     sdf->frame[frame].name);
}

plStatus pl_sdf_number(plSdf* sdf, const plXml* node, const char* name, double* value) {
  const plXml* child = pl_xml_child(node, name);
  if (!child) return PL_OK;
  plStatus status = pl_xml_numbers(child, child->text, "the value", value, 1, 1, NULL, sdf->robot->error);
  if (!status) return PL_OK;
  // some files have a stray quote after the number; the text before it is used
  size_t n = strcspn(child->text, "\"'");
  const char* front = n && child->text[n] ? pl_xml_keep(&sdf->robot->tree, child->text, n) : NULL;
  if (!front || pl_xml_numbers(child, front, "the value", value, 1, 1, NULL, NULL)) return status;
  pl_error_clear(sdf->robot->error);
  pl_robot_warn(sdf->robot, child, "'%.60s' in <%s> is read as %g", child->text, name, *value);
  return PL_OK;
}

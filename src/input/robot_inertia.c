// robot_inertia.c: inertias of robot files: physically impossible moments, links without any, and whether a
// base with the bodies welded to it can move freely.
#include <assert.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/hull.h"
#include "input/robot.h"
#include "math/eig3.h"
#include "model/joint_kinds.h"
#include "model/spec.h"

// ---- physically impossible moments

static void set_moments(plBodyDef* body, plMat3 Q, const double* w) {
  plSym3 I = sym3_rotate(Q, (plSym3){w[0], w[1], w[2], 0, 0, 0});
  body->inertia[0] = I.xx, body->inertia[1] = I.yy, body->inertia[2] = I.zz;
  body->inertia[3] = I.xy, body->inertia[4] = I.xz, body->inertia[5] = I.yz;
}

void pl_robot_check_inertia(plRobot* robot, const plXml* at, plBodyDef* body) {
  const double* I = body->inertia;
  double w[3], sum = 0;
  plMat3 Q;
  for (int k = 0; k < 6; k++) sum += I[k];
  // values that are not finite, or a negative mass, are refused by the spec
  if (!isfinite(sum) || !(body->mass >= 0)) return;
  pl_eig3(sym3_matrix((plSym3){I[0], I[1], I[2], I[3], I[4], I[5]}), w, &Q);
  double size = fmax(fabs(w[0]), fabs(w[2]));
  if (w[0] < 0) {
    // the nearest moments that are not negative; rounding (the mass at a micrometre) gives no remark
    if (w[0] < -1e-9 * size - 1e-12 * body->mass)
      pl_robot_warn(
          robot, at,
          "the link '%s' has a principal moment of inertia of %g kg m^2; negative ones are taken as 0",
          body->name, w[0]);
    for (int k = 0; k < 3; k++) w[k] = fmax(w[k], 0);
    set_moments(body, Q, w);
  } else if (w[2] > (1 + 1e-3) * (w[0] + w[1])) {
    pl_robot_warn(robot, at,
                  "no body can have the moments of inertia of '%s': the largest, %g, is above the sum of the "
                  "others, %g; they are used as given",
                  body->name, w[2], w[0] + w[1]);
  }
  if (body->mass == 0 && w[2] > 0)
    pl_robot_warn(robot, at, "the link '%s' has moments of inertia but no mass; they are used as given",
                  body->name);
}

// ---- links without inertia

// The inertia about the body's origin of a shape of the spec, filled with the density; meshes count as their
// convex hull. *known is false for shapes without volume.
static plStatus spec_shape_inertia(const plShapeDef* g, double density, plInertia* inertia, bool* known,
                                   plError* error) {
  plRobotShape shape = {.kind = g->kind, .size = g->size, .radius = g->radius, .length = g->length};
  plMesh hull_mesh = {0};
  plHull* hull = NULL;
  *known = false;
  if (g->kind == PL_SHAPE_MESH) {
    plStatus status = pl_hull_create(g->mesh->vert, g->mesh->nvert, &hull, NULL);
    if (status == PL_ERROR_MEMORY) return pl_fail_out_of_memory(error, 24 * (size_t)g->mesh->nvert);
    if (status) return PL_OK;
    hull_mesh.vert = hull->vert, hull_mesh.nvert = hull->nvert, hull_mesh.tri = hull->tri,
    hull_mesh.ntri = hull->ntri;
  }
  *known = pl_shape_inertia(&shape, hull ? &hull_mesh : NULL, density, inertia);
  pl_hull_destroy(hull);
  if (*known) *inertia = pl_inertia_at(g->pose, *inertia);
  return PL_OK;
}

static plInertia scaled(double s, plInertia a) {
  return (plInertia){
      s * a.m, v3_scale(s, a.h), {s * a.I.xx, s * a.I.yy, s * a.I.zz, s * a.I.xy, s * a.I.xz, s * a.I.yz}};
}

plStatus pl_robot_fill_inertia(plRobot* robot, const plXml* at, int body) {
  plSpec* spec = robot->spec;
  plBodyDef* b = &spec->body[body];
  const double* I = b->inertia;
  if (I[0] + I[1] + I[2] > 0) return PL_OK;
  plInertia sum = {0};
  int shapes = 0;
  // collision shapes, else visual shapes
  for (int collide = 1; collide >= 0 && !(sum.m > 0); collide--)
    for (int g = spec->nshape - 1; g >= 0 && spec->shape[g].body == body; g--) {
      plInertia one;
      bool known;
      if (spec->shape[g].collide != (collide == 1)) continue;
      shapes++;
      if (robot->def->inertia != PL_INERTIA_SHAPES) continue;
      plStatus status = spec_shape_inertia(&spec->shape[g], robot->def->density, &one, &known, robot->error);
      if (status) return status;
      if (known) sum = inertia_add(sum, one);
    }
  if (sum.m > 0) {
    plBodyDef full = *b;
    pl_body_set_inertia(&full, b->mass > 0 ? scaled(b->mass / sum.m, sum) : sum);
    // a mass given in the file is kept, and so is its centre
    if (b->mass > 0) full.com = b->com;
    *b = full;
  } else if (shapes && b->mass == 0) {
    pl_robot_warn(robot, at,
                  "the link '%s' has shapes but no inertia and is massless (inertia: from_shapes computes it "
                  "from the shapes)",
                  b->name);
  }
  return PL_OK;
}

// ---- the base

// The pose of a body in the frame of the body above it, at the start: its joints act one after another.
static plPose pose_above(const plSpec* spec, int body) {
  plPose own = pose_identity();
  for (int j = 0; j < spec->njoint; j++)
    if (spec->joint[j].child == body) own = pose_mul(own, pl_joint_pose(&spec->joint[j]));
  return own;
}

// Inertia of a body and the bodies connected by fixed joints, or by all, at their start; in the body's frame.
static plStatus whole_inertia(const plSpec* spec, int body, bool all, plInertia* sum, plError* error) {
  int *whole = PL_NEW(int, spec->nbody), n = 0;
  bool* listed = PL_NEW(bool, spec->nbody);
  plPose* pose = pl_alloc_room((size_t)spec->nbody, sizeof *pose);  // [n]
  plStatus status = whole && listed && pose
                        ? PL_OK
                        : pl_fail_out_of_memory(error, (size_t)spec->nbody * (sizeof *pose + sizeof(int)));
  *sum = (plInertia){0};
  if (!status) listed[body] = true, pose[n] = pose_identity(), whole[n++] = body;
  for (int i = 0; i < n; i++) {
    const plBodyDef* b = &spec->body[whole[i]];
    const double* I = b->inertia;
    plInertia own = inertia_of(b->mass, b->com, (plSym3){I[0], I[1], I[2], I[3], I[4], I[5]});
    *sum = inertia_add(*sum, pl_inertia_at(pose[i], own));
    for (int j = 0; j < spec->njoint; j++) {
      int child = spec->joint[j].child;
      if (spec->joint[j].parent != whole[i] || (!all && spec->joint[j].kind != PL_JOINT_FIXED)) continue;
      if (listed[child]) continue;  // a body may have several joints
      assert(n < spec->nbody);
      listed[child] = true, pose[n] = pose_mul(pose[i], pose_above(spec, child)), whole[n++] = child;
    }
  }
  pl_free(pose), pl_free(listed), pl_free(whole);
  return status;
}

plStatus pl_robot_can_be_free(const plSpec* spec, int body, bool* can, plError* error) {
  plInertia sum;
  plStatus status = whole_inertia(spec, body, false, &sum, error);
  plVec3 c = sum.m > 0 ? v3_scale(1 / sum.m, sum.h) : v3(0, 0, 0);
  double trace = sum.I.xx + sum.I.yy + sum.I.zz;
  *can = sum.m > 0 && trace - 2 * sum.m * v3_dot(c, c) > 1e-12 * trace;
  return status;
}

plStatus pl_robot_thicken(plRobot* robot, const plXml* at, int body) {
  const double THIN = 1e-9, THICK = 1e-4;  // of the largest moment
  plBodyDef* b = &robot->spec->body[body];
  plInertia sum;
  plStatus status = whole_inertia(robot->spec, body, true, &sum, robot->error);
  double w[3];
  plMat3 Q;
  if (status || !(sum.m > 0)) return status;
  plVec3 c = v3_scale(1 / sum.m, sum.h);
  plSym3 I = sum.I, about = inertia_of(sum.m, c, (plSym3){0}).I;
  pl_eig3(sym3_matrix((plSym3){I.xx - about.xx, I.yy - about.yy, I.zz - about.zz, I.xy - about.xy,
                               I.xz - about.xz, I.yz - about.yz}),
          w, &Q);
  if (w[0] > THIN * w[2]) return PL_OK;
  pl_robot_warn(robot, at,
                "the base '%s', with all that it carries, has no moment of inertia about one axis; that one "
                "is set to %g of the largest",
                b->name, THICK);
  plSym3 more = sym3_rotate(Q, (plSym3){THICK * w[2], w[1] > THIN * w[2] ? 0 : THICK * w[2], 0, 0, 0, 0});
  const double add[6] = {more.xx, more.yy, more.zz, more.xy, more.xz, more.yz};
  for (int k = 0; k < 6; k++) b->inertia[k] += add[k];
  return PL_OK;
}

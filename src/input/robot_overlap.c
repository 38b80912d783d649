// robot_overlap.c: links of one robot whose shapes overlap at the robot's start: coarse collision shapes
// around joints and covers. They do not collide with each other, and a remark says so.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/convex.h"
#include "input/robot.h"
#include "model/side.h"
#include "model/spec.h"

#define DEPTH 1e-6  // m: shapes that merely touch are not excluded

typedef struct Part {
  int body, whole;  // whole: the body that carries it rigidly
  plConvex convex;
  plHull* hull;
  plVec3 low, high;
} Part;

// The body at the lower end of a chain of fixed joints.
static int whole_of(const plSpec* spec, int body, const int* up) {
  for (int k = 0; k < spec->nbody && body >= 0 && up[body] >= 0; k++) {
    const plJointDef* j = &spec->joint[up[body]];
    if (j->kind != PL_JOINT_FIXED) break;
    body = j->parent;
  }
  return body;
}

// *known is false for shapes that are not searched.
static plStatus make_part(const plSpec* spec, const plShapeDef* g, const int* up, const plPose* pose,
                          Part* part, bool* known, plError* error) {
  *known = g->collide && g->kind != PL_SHAPE_HALF_SPACE && (g->kind != PL_SHAPE_MESH || g->convex);
  if (!*known) return PL_OK;
  assert(g->body >= 0 && g->body < spec->nbody);
  *part = (Part){.body = g->body, .whole = whole_of(spec, g->body, up)};
  part->convex = (plConvex){.kind = g->kind,
                            .pose = pose_mul(pose[g->body], g->pose),
                            .half = v3_scale(0.5, g->size),
                            .radius = g->radius,
                            .length = g->length};
  if (g->kind == PL_SHAPE_MESH) {
    plStatus status = pl_hull_create(g->mesh->vert, g->mesh->nvert, &part->hull, NULL);
    if (status == PL_ERROR_MEMORY) return pl_fail_out_of_memory(error, 24 * (size_t)g->mesh->nvert);
    if (status) return *known = false, PL_OK;
  }
  part->convex.hull = part->hull;
  plVec3 x = v3(1, 0, 0), y = v3(0, 1, 0), z = v3(0, 0, 1);
  part->high = v3(pl_convex_support(&part->convex, x).x, pl_convex_support(&part->convex, y).y,
                  pl_convex_support(&part->convex, z).z);
  part->low = v3(pl_convex_support(&part->convex, v3_scale(-1, x)).x,
                 pl_convex_support(&part->convex, v3_scale(-1, y)).y,
                 pl_convex_support(&part->convex, v3_scale(-1, z)).z);
  return PL_OK;
}

static bool boxes_meet(const Part* a, const Part* b) {
  return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
         a->low.z <= b->high.z && b->low.z <= a->high.z;
}

// Whether they never collide anyway: the same body, or a joint between them.
static bool is_apart(const plSpec* spec, const Part* a, const Part* b, const int* up) {
  if (a->whole == b->whole) return true;
  for (int k = 0; k < 2; k++) {
    int child = k ? a->whole : b->whole, other = k ? b->whole : a->whole;
    if (child >= 0 && up[child] >= 0 && whole_of(spec, spec->joint[up[child]].parent, up) == other)
      return true;
  }
  return pl_spec_excludes(spec, pl_side_of_body(a->body), pl_side_of_body(b->body));
}

static const char* after_slash(const char* name) {
  const char* slash = strchr(name, '/');
  return slash ? slash + 1 : name;
}

static plStatus exclude_pairs(plSpec* spec, const Part* part, int npart, const int* up, int* count,
                              char* names, size_t size, plError* error) {
  size_t used = 0;
  for (int i = 0; i < npart; i++)
    for (int j = i + 1; j < npart; j++) {
      const Part *a = &part[i], *b = &part[j];
      if (a->body == b->body || !boxes_meet(a, b) || is_apart(spec, a, b, up)) continue;
      if (!(pl_convex_gap(&a->convex, &b->convex).gap < -DEPTH)) continue;
      plStatus status = pl_spec_exclude(spec, pl_side_of_body(a->body), pl_side_of_body(b->body), error);
      if (status) return status;
      if (*count < 3 && used < size)
        used +=
            (size_t)snprintf(names + used, size - used, "%s%.60s and %.60s", *count ? ", " : "",
                             after_slash(spec->body[a->body].name), after_slash(spec->body[b->body].name));
      ++*count;
    }
  return PL_OK;
}

plStatus pl_robot_exclude_overlaps(plSpec* spec, int body0, char* remark, size_t size, plError* error) {
  int *up = PL_NEW(int, spec->nbody + 1), npart = 0, count = 0;
  Part* part = PL_NEW(Part, spec->nshape + 1);
  plPose* pose = PL_NEW(plPose, spec->nbody + 1);
  char names[400] = "";
  remark[0] = 0;
  plStatus status = up && part && pose && pl_spec_body_poses(spec, pose)
                        ? PL_OK
                        : pl_fail_out_of_memory(error, sizeof(Part) * (size_t)spec->nshape);
  for (int i = 0; i < spec->nbody && !status; i++) up[i] = -1;
  for (int j = spec->njoint - 1; j >= 0 && !status; j--) {
    assert(spec->joint[j].child >= 0 && spec->joint[j].child < spec->nbody);
    up[spec->joint[j].child] = j;
  }
  for (int g = 0; g < spec->nshape && !status; g++) {
    bool known = false;
    if (spec->shape[g].body >= body0)
      status = make_part(spec, &spec->shape[g], up, pose, &part[npart], &known, error);
    npart += known && !status;
  }
  if (!status) status = exclude_pairs(spec, part, npart, up, &count, names, sizeof names, error);
  if (!status && count)
    snprintf(remark, size,
             "%d pair%s of the robot's own links overlap%s at the start and will not collide with each "
             "other: %s%s (own_overlaps: keep prevents that)",
             count, count == 1 ? "" : "s", count == 1 ? "s" : "", names, count > 3 ? ", ..." : "");
  for (int i = 0; i < npart; i++) pl_hull_destroy(part[i].hull);
  pl_free(pose);
  pl_free(part);
  pl_free(up);
  return status;
}

// cast.h: reference pictures of cameras: every ray is intersected with every triangle.
#ifndef PL_TEST_SENSOR_CAST_H
#define PL_TEST_SENSOR_CAST_H

#include "base/memory.h"
#include "math/pose.h"
#include "pliant/pliant.h"
#include "sensor/look.h"
#include "world.h"

static inline int add(World* w, const plSensorDef* def) {
  int id = -1;
  plStatus status = pl_spec_add_sensor(w->spec, def, &id, &w->error);
  CHECK_INT(status, PL_OK);
  if (status) printf("%s\n", w->error.message);
  return id;
}

static inline plSensorDef camera(const char* name, plSensorKind kind, const char* on, plPose pose) {
  plSensorDef def = pl_default_sensor_def();
  def.name = name, def.kind = kind, def.on = on, def.pose = pose;
  return def;
}

// At p, looking at a point; y of the picture points down as far as it can.
static inline plPose look_at(plVec3 p, plVec3 target) {
  plVec3 z = v3_unit(v3_sub(target, p)), x = v3_unit(v3_cross(z, v3(0, 0, 1))), y = v3_cross(z, x);
  plMat3 R = {{x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z}};
  double t = 1 + R.m[0] + R.m[4] + R.m[8];
  plQuat q = quat_unit((plQuat){t, R.m[5] - R.m[7], R.m[6] - R.m[2], R.m[1] - R.m[3]});
  return (plPose){p, q};
}

// ---- ray casting

typedef struct Triangle {
  plVec3 p[3];
  int side;
} Triangle;

static inline Triangle* list_triangles(const plData* data, int hidden, int* n) {
  const plModel* m = data->model;
  Triangle* list = malloc(400000 * sizeof *list);
  plPose* pose = malloc((size_t)m->nshape * sizeof *pose);
  pl_shape_poses(data, pose);
  *n = 0;
  for (int t = 0; t < m->ntri; t++) {
    int b = 0;
    while (t >= m->deform_tri0[b + 1]) b++;
    if (b == hidden) continue;
    Triangle* to = &list[(*n)++];
    to->side = b;
    for (int k = 0; k < 3; k++)
      to->p[k] = v3_load(data->q + m->deform_q0[b] + 3 * (m->tri_vert[3 * t + k] - m->deform_vert0[b]));
  }
  bool* dressed = pl_look_dressed(m);
  for (int g = 0; g < m->nshape; g++) {
    if (!pl_look_shown(m, dressed, g)) continue;
    plMesh* mesh = pl_look_tessellate(m, g, NULL);
    for (int t = 0; t < mesh->ntri; t++) {
      Triangle* to = &list[(*n)++];
      to->side = m->ndeform + g;
      for (int k = 0; k < 3; k++)
        to->p[k] = pose_apply(pose[g], v3_load(mesh->vert + 3 * mesh->tri[3 * t + k]));
    }
    pl_mesh_destroy(mesh);
  }
  pl_free(dressed);
  free(pose);
  return list;
}

// Moeller and Trumbore: t, or infinity; *border is how near the ray comes to an edge, in shares of the
// triangle.
static inline double meet(const Triangle* tri, plVec3 o, plVec3 d, double* border) {
  plVec3 e = v3_sub(tri->p[1], tri->p[0]), f = v3_sub(tri->p[2], tri->p[0]), h = v3_cross(d, f),
         s = v3_sub(o, tri->p[0]);
  double det = v3_dot(e, h);
  *border = 1;
  if (det == 0) return INFINITY;
  plVec3 q = v3_cross(s, e);
  double u = v3_dot(s, h) / det, v = v3_dot(d, q) / det, w = 1 - u - v;
  *border = fmin(fabs(u), fmin(fabs(v), fabs(w)));
  return u >= 0 && v >= 0 && w >= 0 ? v3_dot(f, q) / det : INFINITY;
}

#endif

// sight_compile.c: a camera's definition -> its visible triangles; whether it is inside a solid.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "geom/distance.h"
#include "math/pose.h"
#include "math/srgb.h"
#include "model/side.h"
#include "model/spec.h"
#include "sensor/look.h"
#include "sensor/sight.h"

// ---- what is hidden

static plStatus is_hidden(const plModel* m, const plSensorDef* def, plSide side, bool* hidden,
                          plError* error) {
  *hidden = false;
  char word[256];
  for (const char* at = def->hide; at;) {
    plSide meant;
    at = pl_sensor_hidden(at, word, sizeof word);
    if (!pl_model_find_side(m, word, &meant))
      return pl_fail(error, PL_ERROR_INPUT, "sensor '%s' (%s): 'hide' names '%.64s', which does not exist",
                     def->name, pl_sensor_kind_name(def->kind), word);
    *hidden |= pl_side_covers(m, meant, side);
  }
  return PL_OK;
}

// ---- solids around the camera

static plStatus fail_inside(const plSensorDef* def, const char* name, plError* error) {
  return pl_fail(error, PL_ERROR_INPUT,
                 "sensor '%s' (%s): the camera is inside '%s' at the start; move it, or name '%s' in 'hide'",
                 def->name, pl_sensor_kind_name(def->kind), name, name);
}

static bool in_shape(const plModel* m, int g, plVec3 x) {
  if (m->shape_kind[g] == PL_SHAPE_HALF_SPACE) return x.z < 0;
  if (m->shape_kind[g] == PL_SHAPE_MESH)
    return m->work->shape_tree[g] && pl_tri_tree_winding(m->work->shape_tree[g], x) > 0.5;
  plShape shape = {m->shape_kind[g], m->shape_size[g], m->shape_radius[g], m->shape_length[g], NULL};
  plVec3 normal;
  return pl_shape_distance(&shape, x, &normal) < 0;
}

static bool in_deformable(const plModel* m, int b, plVec3 x) {
  const double* q = m->start_q + m->deform_q0[b];
  for (int t = m->deform_tet0[b]; t < m->deform_tet0[b + 1]; t++) {
    plVec3 p[4];
    for (size_t k = 0; k < 4; k++)
      p[k] = v3_sub(v3_load(q + 3 * (size_t)(m->tet_vert[4 * (size_t)t + k] - m->deform_vert0[b])), x);
    // x is on the inner side of all four faces
    double a = v3_dot(p[1], v3_cross(p[2], p[3])), c = -v3_dot(p[0], v3_cross(p[2], p[3])),
           d = v3_dot(p[0], v3_cross(p[1], p[3])), e = -v3_dot(p[0], v3_cross(p[1], p[2]));
    if ((a > 0 && c > 0 && d > 0 && e > 0) || (a < 0 && c < 0 && d < 0 && e < 0)) return true;
  }
  return false;
}

// ---- parts

static plVec3 linear(plVec3 c) {
  return v3(srgb_to_linear(fmin(fmax(c.x, 0), 1)), srgb_to_linear(fmin(fmax(c.y, 0), 1)),
            srgb_to_linear(fmin(fmax(c.z, 0), 1)));
}

// Appends the triangles of a part; false if memory runs out.
static bool add_triangles(plSight* s, int part, const int* tri, int ntri, int* cap) {
  if (s->ntri + ntri > *cap) {
    int wanted = 2 * (s->ntri + ntri);
    int* grown = pl_realloc(s->tri, 3 * (size_t)s->ntri, 3 * (size_t)wanted, sizeof(int));
    if (!grown) return false;
    s->tri = grown;
    int* parts = pl_realloc(s->tri_part, (size_t)s->ntri, (size_t)wanted, sizeof(int));
    if (!parts) return false;
    s->tri_part = parts, *cap = wanted;
  }
  for (size_t i = 0; i < 3 * (size_t)ntri; i++) {
    assert(tri[i] >= 0 && tri[i] < s->part[part].nvert);
    s->tri[3 * (size_t)s->ntri + i] = s->part[part].vert0 + tri[i];
  }
  for (int i = 0; i < ntri; i++) s->tri_part[s->ntri + i] = part;
  s->part[part].tri0 = s->ntri, s->part[part].ntri = ntri;
  s->ntri += ntri;
  return true;
}

static bool add_shape(plModel* m, int g, plSight* s, int* cap, plError* error) {
  plMesh* mesh = pl_look_tessellate(m, g, error);
  double* local = mesh ? PL_KEEP(&m->work->arena, double, 3 * (size_t)mesh->nvert) : NULL;
  bool ok = local != NULL;
  if (ok) {
    memcpy(local, mesh->vert, 3 * (size_t)mesh->nvert * sizeof(double));
    assert(s->npart < m->ndeform + m->nshape);
    s->part[s->npart] = (plSightPart){.side = m->ndeform + g,
                                      .deform = -1,
                                      .shape = g,
                                      .vert0 = s->nvert,
                                      .nvert = mesh->nvert,
                                      .local = local,
                                      .colour = linear(m->shape_colour[g])};
    ok = add_triangles(s, s->npart, mesh->tri, mesh->ntri, cap);
    s->nvert += mesh->nvert, s->npart++;
  }
  pl_mesh_destroy(mesh);
  return ok;
}

// The boundary of a deformable, with only the vertices on it.
static bool add_deformable(plModel* m, int b, plSight* s, int* cap) {
  int v0 = m->deform_vert0[b], n = m->deform_vert0[b + 1] - v0, t0 = m->deform_tri0[b],
      nt = m->deform_tri0[b + 1] - t0, used = 0;
  int *place = PL_NEW(int, n), *tri = PL_NEW(int, 3 * (size_t)nt);
  int* source = PL_KEEP(&m->work->arena, int, n);
  bool ok = place && tri && source;
  for (size_t i = 0; ok && i < 3 * (size_t)nt; i++) {
    int v = m->tri_vert[3 * (size_t)t0 + i] - v0;
    if (!place[v]) source[used] = v, place[v] = ++used;
    tri[i] = place[v] - 1;
  }
  if (ok) {
    assert(s->npart < m->ndeform + m->nshape);
    s->part[s->npart] = (plSightPart){.side = b,
                                      .deform = b,
                                      .shape = -1,
                                      .vert0 = s->nvert,
                                      .nvert = used,
                                      .source = source,
                                      .colour = linear(pl_look_colour(b))};
    ok = add_triangles(s, s->npart, tri, nt, cap);
    s->nvert += used, s->npart++;
  }
  pl_free(place), pl_free(tri);
  return ok;
}

// Deformables and shapes that are not hidden; none of them may contain the camera.
static plStatus list_parts(const plSpec* spec, plModel* m, const plSensorDef* def, plVec3 eye,
                           const bool* dressed, plSight* s, int* cap, plError* error) {
  bool hidden;
  for (int b = 0; b < m->ndeform; b++) {
    plStatus status = is_hidden(m, def, (plSide){PL_SIDE_DEFORMABLE, b}, &hidden, error);
    if (status) return status;
    if (hidden) continue;
    if (in_deformable(m, b, eye)) return fail_inside(def, m->deform_name[b], error);
    if (!add_deformable(m, b, s, cap)) return pl_fail_out_of_memory(error, 24 * (size_t)m->ntri);
  }
  for (int g = 0; g < m->nshape; g++) {
    plStatus status = is_hidden(m, def, (plSide){PL_SIDE_SHAPE, g}, &hidden, error);
    if (status) return status;
    bool half = m->shape_kind[g] == PL_SHAPE_HALF_SPACE;
    if (hidden || (!half && !pl_look_shown(m, dressed, g))) continue;
    plPose body = m->shape_body[g] < 0 ? pose_identity() : pl_spec_body_pose(spec, m->shape_body[g]);
    if (in_shape(m, g, pose_apply_inverse(pose_mul(body, m->shape_pose[g]), eye)))
      return fail_inside(def, m->shape_name[g], error);
    if (half && s->nplane == PL_SIGHT_PLANES)
      return pl_fail(error, PL_ERROR_INPUT,
                     "sensor '%s': a camera sees at most %d half spaces; name others in 'hide'", def->name,
                     PL_SIGHT_PLANES);
    if (half)
      s->plane_colour[s->nplane] = linear(m->shape_colour[g]), s->plane[s->nplane++] = g;
    else if (!add_shape(m, g, s, cap, error))
      return pl_fail_out_of_memory(error, 24 * (size_t)s->ntri);
  }
  return PL_OK;
}

// Copies the lists of triangles to the model's memory.
static plStatus keep_triangles(plModel* m, plSight* s, plError* error) {
  int *tri = PL_KEEP(&m->work->arena, int, 3 * (size_t)s->ntri),
      *part = PL_KEEP(&m->work->arena, int, s->ntri);
  bool ok = tri && part;
  if (ok && s->ntri) {
    memcpy(tri, s->tri, 3 * (size_t)s->ntri * sizeof(int));
    memcpy(part, s->tri_part, (size_t)s->ntri * sizeof(int));
  }
  pl_free(s->tri), pl_free(s->tri_part);
  s->tri = tri, s->tri_part = part;
  return ok ? PL_OK : pl_fail_out_of_memory(error, 16 * (size_t)s->ntri);
}

plStatus pl_compile_sight(const plSpec* spec, plModel* m, const plSensorDef* def, int body, plSight* s,
                          plError* error) {
  *s = (plSight){.width = def->width,
                 .height = def->height,
                 .near = def->near,
                 .far = def->far,
                 .range = def->range,
                 .shadows = def->shadows};
  s->focal[0] = def->focal[0] > 0 ? def->focal[0] : 0.8 * def->width;
  s->focal[1] = def->focal[1] > 0 ? def->focal[1] : s->focal[0];
  s->centre[0] = def->centre[0] >= 0 ? def->centre[0] : 0.5 * def->width;
  s->centre[1] = def->centre[1] >= 0 ? def->centre[1] : 0.5 * def->height;
  s->part = PL_KEEP(&m->work->arena, plSightPart, m->ndeform + m->nshape);
  s->plane = PL_KEEP(&m->work->arena, int, PL_SIGHT_PLANES);
  s->plane_colour = PL_KEEP(&m->work->arena, plVec3, PL_SIGHT_PLANES);
  bool* dressed = pl_look_dressed(m);
  int cap = 0;
  plPose on = body < 0 ? pose_identity() : pl_spec_body_pose(spec, body);
  plStatus status = s->part && s->plane && s->plane_colour && dressed
                        ? list_parts(spec, m, def, pose_apply(on, def->pose.p), dressed, s, &cap, error)
                        : pl_fail_out_of_memory(error, sizeof(plSightPart) * (size_t)m->nshape);
  pl_free(dressed);
  if (!status) return keep_triangles(m, s, error);
  pl_free(s->tri), pl_free(s->tri_part);
  return status;
}

bool pl_sight_work_create(plArena* arena, const plSight* const* sight, int nsight, plSightWork* w) {
  size_t nvert = 0, npixel = 0;
  bool shadows = false;
  for (int i = 0; i < nsight; i++) {
    size_t n = (size_t)sight[i]->width * (size_t)sight[i]->height;
    if ((size_t)sight[i]->nvert > nvert) nvert = (size_t)sight[i]->nvert;
    if (n > npixel) npixel = n;
    shadows |= sight[i]->shadows;
  }
  w->nvert = nvert, w->npixel = npixel;
  w->world = PL_KEEP(arena, plVec3, nvert);
  w->local = PL_KEEP(arena, plVec3, nvert);
  w->screen = PL_KEEP(arena, plVec3, nvert);
  w->depth = PL_KEEP(arena, float, npixel);
  w->id = PL_KEEP(arena, int, npixel);
  w->shadow = PL_KEEP(arena, float, shadows ? PL_SIGHT_SHADOW* PL_SIGHT_SHADOW : 0);
  return !arena->failed;
}

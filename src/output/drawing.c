// drawing.c: surfaces -> triangles with smooth normals (kept sharp at creases) and colours; half spaces ->
// planes.
#include "output/drawing.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/pose.h"
#include "math/srgb.h"
#include "output/colour_map.h"
#include "output/field.h"
#include "output/moving.h"

static const double CREASE = 0.80;  // cosine of the angle between faces from which an edge stays sharp

// ---- what is in view

typedef struct Box {
  plVec3 lower, upper;
} Box;

static Box empty_box(void) {
  return (Box){v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
}
static bool is_empty(Box b) {
  return !(b.lower.x <= b.upper.x && b.lower.y <= b.upper.y && b.lower.z <= b.upper.z);
}
static void widen(Box* b, const double* x, int n) {
  for (int i = 0; i < n; i++) {
    plVec3 p = v3_load(x + 3 * (size_t)i);
    if (v3_finite(p)) b->lower = v3_min(b->lower, p), b->upper = v3_max(b->upper, p);
  }
}

// Deformable bodies, and the rigid shapes within one size of them.
static Box view_box(const plSurfaces* s, int ndeform) {
  Box soft = empty_box();
  for (int p = 0; p < s->npart; p++)
    if (s->part[p].side < ndeform) widen(&soft, s->part[p].vert, s->part[p].nvert);
  bool none = is_empty(soft);
  Box box = soft;
  double reach = none ? INFINITY : 0.8 * v3_norm(v3_sub(soft.upper, soft.lower));
  plVec3 margin = v3(reach, reach, reach);
  for (int p = 0; p < s->npart; p++) {
    if (s->part[p].side < ndeform) continue;
    Box shape = empty_box();
    widen(&shape, s->part[p].vert, s->part[p].nvert);
    if (!none)
      shape.lower = v3_max(shape.lower, v3_sub(soft.lower, margin)),
      shape.upper = v3_min(shape.upper, v3_add(soft.upper, margin));
    if (!is_empty(shape))
      box.lower = v3_min(box.lower, shape.lower), box.upper = v3_max(box.upper, shape.upper);
  }
  if (is_empty(box)) box = (Box){v3(-0.5, -0.5, 0), v3(0.5, 0.5, 0.5)};
  return box;
}

plStatus pl_drawing_box(const plData* data, plVec3* lower, plVec3* upper, plError* error) {
  plSurfaces* s;
  plStatus status = pl_surfaces_create(data, &s, error);
  if (status) return status;
  Box box = view_box(s, data->model->ndeform);
  *lower = box.lower, *upper = box.upper;
  pl_surfaces_destroy(s);
  return PL_OK;
}

plStatus pl_drawing_range(const plData* data, plColour colour, double range[2], plError* error) {
  const plModel* m = data->model;
  plStatus status = PL_OK;
  double* value = PL_NEW(double, m->nvert);
  if (!value) return pl_fail_out_of_memory(error, (size_t)m->nvert * sizeof *value);
  for (int b = 0; b < m->ndeform && !status; b++) {
    int v0 = m->deform_vert0[b];
    if ((status = pl_field_colour(data, b, colour, value + v0, error))) break;
    for (size_t i = 3 * (size_t)m->deform_tri0[b]; i < 3 * (size_t)m->deform_tri0[b + 1]; i++) {
      double x = value[m->tri_vert[i]];
      if (isfinite(x)) range[0] = fmin(range[0], x), range[1] = fmax(range[1], x);
    }
  }
  pl_free(value);
  return status;
}

// ---- triangles

// Adds one mesh; colours per vertex, or one for all.
static void add_mesh(plDrawing* d, const double* vert, int nvert, const int* tri, int ntri, plVec3 colour,
                     bool edges) {
  assert(d->nvert + nvert <= d->vert_room && d->ntri + ntri <= d->tri_room);
  for (int i = 0; i < ntri; i++) {
    int* to = d->tri + 3 * (size_t)(d->ntri + i);
    for (int k = 0; k < 3; k++) to[k] = d->nvert + tri[3 * (size_t)i + (size_t)k];
    d->edges[d->ntri + i] = edges;
  }
  memcpy(d->vert + 3 * (size_t)d->nvert, vert, 3 * (size_t)nvert * sizeof *vert);
  for (int i = 0; i < nvert; i++) d->colour[d->nvert + i] = colour;
  d->nvert += nvert, d->ntri += ntri;
}

static plVec3 linear_colour(plVec3 c) {
  return v3(srgb_to_linear(fmin(fmax(c.x, 0), 1)), srgb_to_linear(fmin(fmax(c.y, 0), 1)),
            srgb_to_linear(fmin(fmax(c.z, 0), 1)));
}

static plStatus colour_body(plDrawing* d, const plData* data, const plSurfacePart* part,
                            const plPictureOptions* o, int first, plError* error) {
  const plModel* m = data->model;
  int n = m->deform_vert0[part->side + 1] - m->deform_vert0[part->side];
  double* value = PL_NEW(double, n);
  if (!value) return pl_fail_out_of_memory(error, (size_t)n * sizeof *value);
  plStatus status = pl_field_colour(data, part->side, o->colour, value, error);
  double span = o->range[1] - o->range[0];
  bool diverging = o->colour == PL_COLOUR_PRESSURE && o->range[0] < 0 && o->range[1] > 0;
  assert(first + part->nvert <= d->nvert);
  for (int i = 0; i < part->nvert && !status; i++) {
    assert(part->source[i] >= 0 && part->source[i] < n);
    d->colour[first + i] =
        pl_colour_map(span > 0 ? (value[part->source[i]] - o->range[0]) / span : 0, diverging);
  }
  pl_free(value);
  return status;
}

// Normals per corner: the mean of the faces around the vertex that are not across a crease.
static bool add_normals(plDrawing* d) {
  int* first = PL_NEW(int, (size_t)d->nvert + 1);
  int* around = PL_NEW(int, 3 * (size_t)d->ntri);
  plVec3* face = PL_NEW(plVec3, d->ntri);
  bool ok = first && around && face;
  for (int t = 0; ok && t < d->ntri; t++) {
    const int* v = d->tri + 3 * (size_t)t;
    plVec3 a = v3_load(d->vert + 3 * (size_t)v[0]);
    face[t] = v3_cross(v3_sub(v3_load(d->vert + 3 * (size_t)v[1]), a),
                       v3_sub(v3_load(d->vert + 3 * (size_t)v[2]), a));
    for (int k = 0; k < 3; k++) {
      assert(v[k] >= 0 && v[k] < d->nvert);
      first[v[k]]++;
    }
  }
  // Triangles around each vertex, in consecutive lists.
  for (int v = 0, sum = 0; ok && v <= d->nvert; v++) {
    sum += v < d->nvert ? first[v] : 0;
    first[v] = sum;
  }
  for (int t = d->ntri - 1; ok && t >= 0; t--)
    for (int k = 0; k < 3; k++) around[--first[d->tri[3 * (size_t)t + (size_t)k]]] = t;
  for (int t = 0; ok && t < d->ntri; t++) {
    plVec3 own = v3_unit(face[t]);
    for (size_t k = 0; k < 3; k++) {
      plVec3 sum = {0};
      int v = d->tri[3 * (size_t)t + k], count = first[v + 1] - first[v];
      // A vertex with very many triangles would take too long.
      for (int j = first[v]; j < first[v] + (count < 128 ? count : 0); j++)
        if (v3_dot(own, v3_unit(face[around[j]])) > CREASE) sum = v3_add(sum, face[around[j]]);
      d->normal[3 * (size_t)t + k] = v3_norm(sum) > 0 ? v3_unit(sum) : own;
    }
  }
  pl_free(first), pl_free(around), pl_free(face);
  return ok;
}

// ---- planes

static bool add_planes(plDrawing* d, const plData* data, double floor_z) {
  const plModel* m = data->model;
  plPose* poses = PL_NEW(plPose, m->nshape);
  if (!poses) return false;
  pl_moving_poses(data, poses);
  for (int g = 0; g < m->nshape; g++) {
    if (m->shape_kind[g] != PL_SHAPE_HALF_SPACE) continue;
    plPose pose = poses[g];
    assert(d->nplane < m->nshape);
    d->plane[d->nplane++] = (plDrawPlane){pose.p,
                                          quat_rotate(pose.q, v3(0, 0, 1)),
                                          quat_rotate(pose.q, v3(1, 0, 0)),
                                          quat_rotate(pose.q, v3(0, 1, 0)),
                                          linear_colour(m->shape_colour[g]),
                                          true};
  }
  if (!d->nplane) {
    double below = floor_z - 0.06 * v3_norm(v3_sub(d->upper, d->lower));
    d->plane[d->nplane++] = (plDrawPlane){
        v3(0, 0, below), v3(0, 0, 1), v3(1, 0, 0), v3(0, 1, 0), linear_colour(v3(0.6, 0.6, 0.6)), false};
  }
  pl_free(poses);
  return true;
}

// ---- all of it

static bool allocate(plDrawing* d, const plSurfaces* s, int nshape) {
  size_t nvert = 0, ntri = 0;
  for (int p = 0; p < s->npart; p++) nvert += (size_t)s->part[p].nvert, ntri += (size_t)s->part[p].ntri;
  d->vert_room = (int)nvert, d->tri_room = (int)ntri;
  d->vert = PL_NEW(double, 3 * nvert);
  d->colour = PL_NEW(plVec3, nvert);
  d->tri = PL_NEW(int, 3 * ntri);
  d->normal = PL_NEW(plVec3, 3 * ntri);
  d->edges = PL_NEW(bool, ntri);
  d->plane = PL_NEW(plDrawPlane, nshape + 1);
  d->frame = PL_NEW(double, 3 * nvert + 24);
  return d->vert && d->colour && d->tri && d->normal && d->edges && d->plane && d->frame;
}

// The points that the camera should see: those of the surfaces in the box; its corners if the box was given
// or cuts a surface.
static void list_frame(plDrawing* d, bool corners) {
  for (int i = 0; i < d->nvert && !corners; i++) {
    plVec3 p = v3_load(d->vert + 3 * (size_t)i);
    bool inside = p.x >= d->lower.x && p.y >= d->lower.y && p.z >= d->lower.z && p.x <= d->upper.x &&
                  p.y <= d->upper.y && p.z <= d->upper.z;
    if (inside) v3_store(d->frame + 3 * (size_t)d->nframe++, p);
  }
  for (int i = 0; i < 8 && (corners || !d->nframe); i++)
    v3_store(d->frame + 3 * (size_t)d->nframe++,
             v3(i & 1 ? d->upper.x : d->lower.x, i & 2 ? d->upper.y : d->lower.y,
                i & 4 ? d->upper.z : d->lower.z));
  assert(d->nframe <= d->nvert + 8);
}

plStatus pl_drawing_create(const plData* data, const plPictureOptions* o, plDrawing** drawing,
                           plError* error) {
  *drawing = NULL;
  const plModel* m = data->model;
  plSurfaces* s;
  plStatus status = pl_surfaces_create(data, &s, error);
  if (status) return status;
  plDrawing* d = PL_NEW(plDrawing, 1);
  if (!d || !allocate(d, s, m->nshape)) status = pl_fail_out_of_memory(error, 200 * (size_t)m->ntri);
  for (int p = 0; p < s->npart && !status; p++) {
    const plSurfacePart* part = &s->part[p];
    int first = d->nvert;
    bool soft = part->side < m->ndeform;
    add_mesh(d, part->vert, part->nvert, part->tri, part->ntri, linear_colour(part->colour),
             soft && o->edges);
    if (soft && o->colour != PL_COLOUR_BODY) status = colour_body(d, data, part, o, first, error);
  }
  if (!status) {
    Box box = view_box(s, m->ndeform);
    double floor_z = box.lower.z;
    bool given = o->lower.x <= o->upper.x;
    d->lower = given ? o->lower : box.lower, d->upper = given ? o->upper : box.upper;
    list_frame(d, given);
    if (!add_planes(d, data, given ? o->lower.z : floor_z) || !add_normals(d))
      status = pl_fail_out_of_memory(error, 48 * (size_t)d->ntri);
  }
  pl_surfaces_destroy(s);
  if (status) return pl_drawing_destroy(d), status;
  *drawing = d;
  return PL_OK;
}

void pl_drawing_destroy(plDrawing* d) {
  if (!d) return;
  pl_free(d->vert), pl_free(d->colour), pl_free(d->tri), pl_free(d->normal), pl_free(d->edges),
      pl_free(d->plane), pl_free(d->frame);
  pl_free(d);
}

// skin.c: edges of a closed surface; normals, lumped areas and sharp edges of its present shape, some of them
// computed on demand.
#include "geom/skin.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/side.h"
#include "geom/thresholds.h"

// Sorted sides: equal ones are one edge. An edge with more than two facets keeps its first two.
static plStatus find_edges(plSkin* s, plError* error) {
  int n = 3 * s->ntri;
  plTriSide* side = PL_NEW(plTriSide, n);
  s->tri_edge = PL_NEW(int, n);
  if (!side || !s->tri_edge) {
    pl_free(side);
    return pl_fail_out_of_memory(error, (size_t)n * sizeof *side);
  }
  tri_sides(s->ntri, s->tri, side);
  for (int i = 0; i < n; i++)
    s->nedge += i == 0 || side[i].low != side[i - 1].low || side[i].high != side[i - 1].high;
  s->edge_vert = PL_NEW(int, 2 * s->nedge);
  s->edge_tri = PL_NEW(int, 2 * s->nedge);
  bool failed = !s->edge_vert || !s->edge_tri;
  for (int i = 0, e = -1; i < n && !failed; i++) {
    if (i == 0 || side[i].low != side[i - 1].low || side[i].high != side[i - 1].high) {
      e++;
      s->edge_vert[2 * e] = side[i].low;
      s->edge_vert[2 * e + 1] = side[i].high;
      s->edge_tri[2 * e] = s->edge_tri[2 * e + 1] = -1;
    }
    assert(e < s->nedge && side[i].at < n);
    s->tri_edge[side[i].at] = e;
    if (s->edge_tri[2 * e] < 0)
      s->edge_tri[2 * e] = side[i].at / 3;
    else if (s->edge_tri[2 * e + 1] < 0)
      s->edge_tri[2 * e + 1] = side[i].at / 3;
  }
  pl_free(side);
  return failed ? pl_fail_out_of_memory(error, (size_t)n * sizeof(int)) : PL_OK;
}

// The triangles around each vertex, in their order.
static plStatus find_rings(plSkin* s, plError* error) {
  s->vert_tri = PL_NEW(int, s->nvert);
  s->ring0 = PL_NEW(int, s->nvert + 2);
  s->ring = PL_NEW(int, 3 * s->ntri);
  if (!s->vert_tri || !s->ring0 || !s->ring)
    return pl_fail_out_of_memory(error, (size_t)(3 * s->ntri + s->nvert) * sizeof(int));
  // ring0[v + 2] counts, then ring0[v + 1] is the position at which vertex v is being filled.
  for (int i = 0; i < 3 * s->ntri; i++) s->ring0[s->tri[i] + 2]++;
  for (int v = 0; v < s->nvert; v++) s->ring0[v + 2] += s->ring0[v + 1];
  for (int i = 0; i < 3 * s->ntri; i++) s->ring[s->ring0[s->tri[i] + 1]++] = i / 3;
  for (int v = 0; v < s->nvert; v++)
    s->vert_tri[v] = s->ring0[v + 1] > s->ring0[v] ? s->ring[s->ring0[v]] : -1;
  return PL_OK;
}

static plStatus make_kinds(plSkin* s, plError* error) {
  s->edge_kind = PL_NEW(unsigned char, s->nedge);
  s->vert_convex = PL_NEW(bool, s->nvert);
  return s->edge_kind && s->vert_convex ? PL_OK : pl_fail_out_of_memory(error, (size_t)(s->nedge + s->nvert));
}

plStatus pl_skin_create(int nvert, const int* tri, int ntri, plSkin** skin, plError* error) {
  *skin = NULL;
  plSkin* s = PL_NEW(plSkin, 1);
  if (!s) return pl_fail_out_of_memory(error, sizeof *s);
  s->nvert = nvert;
  s->ntri = ntri;
  s->tri = PL_NEW(int, 3 * ntri);
  s->x = PL_NEW(double, 3 * nvert);
  s->tri_normal = PL_NEW(double, 3 * ntri);
  s->tri_area = PL_NEW(double, ntri);
  s->vert_area = PL_NEW(double, nvert);
  s->tri_limit = PL_NEW(double, ntri);
  s->vert_limit = PL_NEW(double, nvert);
  s->vert_thin = PL_NEW(double, nvert);
  plStatus status = PL_OK;
  if (!s->tri || !s->x || !s->tri_normal || !s->tri_area || !s->vert_area || !s->tri_limit ||
      !s->vert_limit || !s->vert_thin)
    status = pl_fail_out_of_memory(error, 12 * (size_t)ntri * sizeof(double));
  if (!status) memcpy(s->tri, tri, 3 * (size_t)ntri * sizeof(int));
  for (int i = 0; i < 3 * ntri; i++) assert(tri[i] >= 0 && tri[i] < nvert);
  if (!status) status = find_edges(s, error);
  if (!status) status = find_rings(s, error);
  if (!status) status = make_kinds(s, error);
  if (!status) status = pl_tri_tree_create(s->x, s->tri, ntri, &s->tree, error);
  if (status)
    pl_skin_destroy(s);
  else
    *skin = s;
  return status;
}

// A copy of n numbers, NULL if memory runs out.
static double* copy_numbers(const double* x, size_t n) {
  double* copy = PL_NEW(double, n);
  if (copy && n) memcpy(copy, x, n * sizeof *x);
  return copy;
}

plStatus pl_skin_share(const plSkin* from, plSkin** skin, plError* error) {
  *skin = NULL;
  plSkin* s = PL_NEW(plSkin, 1);
  if (!s) return pl_fail_out_of_memory(error, sizeof *s);
  size_t nvert = (size_t)from->nvert, ntri = (size_t)from->ntri;
  *s = *from;
  s->shares = true, s->tree = NULL;
  if (!s->rigid) s->edge_kind = NULL, s->vert_convex = NULL;
  s->x = copy_numbers(from->x, 3 * nvert), s->tri_normal = copy_numbers(from->tri_normal, 3 * ntri);
  s->tri_area = copy_numbers(from->tri_area, ntri), s->vert_area = copy_numbers(from->vert_area, nvert);
  plStatus status = PL_OK;
  if (!s->x || !s->tri_normal || !s->tri_area || !s->vert_area)
    status = pl_fail_out_of_memory(error, 8 * ntri * sizeof(double));
  if (!status && !s->rigid) status = make_kinds(s, error);
  if (!status && !s->rigid) {
    memcpy(s->edge_kind, from->edge_kind, (size_t)s->nedge * sizeof *s->edge_kind);
    memcpy(s->vert_convex, from->vert_convex, nvert * sizeof *s->vert_convex);
  }
  if (!status) status = pl_tri_tree_share(from->tree, s->x, &s->tree, error);
  if (status)
    pl_skin_destroy(s);
  else
    *skin = s;
  return status;
}

void pl_skin_destroy(plSkin* s) {
  if (!s) return;
  pl_tri_tree_destroy(s->tree);
  pl_free(s->x), pl_free(s->tri_normal), pl_free(s->tri_area), pl_free(s->vert_area);
  if (!s->shares || !s->rigid) pl_free(s->edge_kind), pl_free(s->vert_convex);
  if (!s->shares) {
    pl_free(s->tri), pl_free(s->tri_edge), pl_free(s->edge_vert), pl_free(s->edge_tri);
    pl_free(s->tri_limit), pl_free(s->vert_limit), pl_free(s->vert_thin), pl_free(s->vert_tri),
        pl_free(s->ring0), pl_free(s->ring);
  }
  pl_free(s);
}

plStatus pl_skin_tree(plSkin* s, plError* error) {
  plTriTree* tree = NULL;
  plStatus status = pl_tri_tree_create(s->x, s->tri, s->ntri, &tree, error);
  if (status) return status;
  pl_tri_tree_destroy(s->tree);
  s->tree = tree;
  return PL_OK;
}

void pl_skin_barycentric(const plSkin* s, int t, plVec3 p, double w[3]) {
  const int* v = s->tri + 3 * (size_t)t;
  plVec3 a = skin_x(s, v[0]), u = v3_sub(skin_x(s, v[1]), a), c = v3_sub(skin_x(s, v[2]), a),
         q = v3_sub(p, a);
  double uu = v3_dot(u, u), uc = v3_dot(u, c), cc = v3_dot(c, c), qu = v3_dot(q, u), qc = v3_dot(q, c),
         det = uu * cc - uc * uc;
  if (!(det > 0)) {
    w[0] = w[1] = w[2] = 1.0 / 3;
    return;
  }
  w[1] = (cc * qu - uc * qc) / det;
  w[2] = (uu * qc - uc * qu) / det;
  w[0] = 1 - w[1] - w[2];
}

bool pl_skin_is_above(const plSkin* s, int t, plVec3 foot, plVec3 p, double slack) {
  plVec3 d = v3_sub(p, foot);
  double least = slack * v3_norm(d), w[3];
  if (!(v3_dot(skin_normal(s, t), d) > least)) return false;
  pl_skin_barycentric(s, t, foot, w);
  int at = 0, inside = 0;  // the last corner that counts, their number
  for (int k = 0; k < 3; k++)
    if (w[k] >= slack) at = k, inside++;
  if (inside == 3) return true;
  if (inside == 2) {
    int side = w[0] < slack ? 1 : w[1] < slack ? 2 : 0;
    const int* two = s->edge_tri + 2 * (size_t)s->tri_edge[3 * (size_t)t + (size_t)side];
    int other = two[0] == t ? two[1] : two[0];
    return other >= 0 && v3_dot(skin_normal(s, other), d) > least;
  }
  int v = s->tri[3 * (size_t)t + (size_t)at];
  for (int i = s->ring0[v]; i < s->ring0[v + 1]; i++)
    if (!(v3_dot(skin_normal(s, s->ring[i]), d) > least)) return false;
  return inside == 1;
}

void pl_skin_bounds(plSkin* s) {
  s->lower = v3(INFINITY, INFINITY, INFINITY);
  s->upper = v3_neg(s->lower);
  for (int v = 0; v < s->nvert; v++) {
    if (s->vert_tri[v] < 0) continue;
    s->lower = v3_min(s->lower, skin_x(s, v));
    s->upper = v3_max(s->upper, skin_x(s, v));
  }
}

static void shape_facets(void* context, int begin, int end, int worker) {
  (void)worker;
  plSkin* s = context;
  for (int t = begin; t < end; t++) {
    const int* v = s->tri + 3 * (size_t)t;
    plVec3 x[3] = {skin_x(s, v[0]), skin_x(s, v[1]), skin_x(s, v[2])};
    plVec3 n = v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
    s->tri_area[t] = 0.5 * v3_norm(n);
    v3_store(s->tri_normal + 3 * (size_t)t, v3_unit(n));
  }
}

// The same for a surface that keeps its shape: its areas stay.
static void turn_facets(void* context, int begin, int end, int worker) {
  (void)worker;
  plSkin* s = context;
  for (int t = begin; t < end; t++) {
    const int* v = s->tri + 3 * (size_t)t;
    plVec3 x = skin_x(s, v[0]);
    plVec3 n = v3_cross(v3_sub(skin_x(s, v[1]), x), v3_sub(skin_x(s, v[2]), x));
    v3_store(s->tri_normal + 3 * (size_t)t, v3_unit(n));
  }
}

// The height of the far corner of one facet above the plane of the other distinguishes convex from flat.
static plEdgeKind kind_of(const plSkin* s, int e) {
  const int *t = s->edge_tri + 2 * (size_t)e, *v = s->edge_vert + 2 * (size_t)e;
  if (t[1] < 0) return PL_EDGE_CONVEX;
  const int* other = s->tri + 3 * (size_t)t[1];
  plVec3 n = skin_normal(s, t[0]),
         d = v3_sub(skin_x(s, other[0] + other[1] + other[2] - v[0] - v[1]), skin_x(s, v[0]));
  double height = v3_dot(d, n);
  bool bent = v3_dot(n, skin_normal(s, t[1])) < PL_SHARP;
  if (!bent && height * height <= PL_ROUNDING * PL_ROUNDING * v3_norm2(d)) return PL_EDGE_FLAT;
  return height > 0 ? PL_EDGE_CONCAVE : bent ? PL_EDGE_SHARP : PL_EDGE_CONVEX;
}

static void find_kinds(void* context, int begin, int end, int worker) {
  (void)worker;
  plSkin* s = context;
  for (int e = begin; e < end; e++) s->edge_kind[e] = (unsigned char)kind_of(s, e);
}

static void share_areas(void* context, int begin, int end, int worker) {
  (void)worker;
  plSkin* s = context;
  for (int v = begin; v < end; v++) {
    double area = 0;
    for (int i = s->ring0[v]; i < s->ring0[v + 1]; i++) area += s->tri_area[s->ring[i]] / 3;
    s->vert_area[v] = area;
  }
}

static void shape_all(plSkin* s, plPool* pool) {
  pl_parallel_for(pool, s->ntri, 512, shape_facets, s);
  pl_parallel_for(pool, s->nvert, 1024, share_areas, s);
  pl_parallel_for(pool, s->nedge, 1024, find_kinds, s);
  memset(s->vert_convex, 0, (size_t)s->nvert * sizeof *s->vert_convex);
  for (int e = 0; e < s->nedge; e++)
    if (skin_edge_convex(s, e))
      s->vert_convex[s->edge_vert[2 * e]] = s->vert_convex[s->edge_vert[2 * e + 1]] = true;
  double area = 0;
  for (int t = 0; t < s->ntri; t++) area += s->tri_area[t];
  s->cell = s->ntri ? sqrt(2 * area / s->ntri) : 0;
}

void pl_skin_shape(plSkin* s, bool winding, plPool* pool) {
  if (s->rigid)
    pl_parallel_for(pool, s->ntri, 512, turn_facets, s);
  else
    shape_all(s, pool);
  if (winding)
    pl_tri_tree_refit(s->tree);
  else
    pl_tri_tree_refit_boxes(s->tree, pool);
}

void pl_skin_update(plSkin* s) {
  pl_skin_bounds(s);
  pl_skin_shape(s, true, NULL);
}

void pl_skin_limits(plSkin* s) {
  s->limit = 0, s->thinnest = INFINITY;
  for (int t = 0; t < s->ntri; t++)
    if (s->tri_limit[t] > 0) s->thinnest = fmin(s->thinnest, s->tri_limit[t]);
  for (int v = 0; v < s->nvert; v++) {
    s->vert_limit[v] = 0, s->vert_thin[v] = INFINITY;
    for (int i = s->ring0[v]; i < s->ring0[v + 1]; i++) {
      double limit = s->tri_limit[s->ring[i]];
      s->vert_limit[v] = fmax(s->vert_limit[v], limit);
      if (limit > 0) s->vert_thin[v] = fmin(s->vert_thin[v], limit);
    }
    s->limit = fmax(s->limit, s->vert_limit[v]);
  }
}

plVec3 pl_skin_vert_normal(const plSkin* s, int v) {
  plVec3 sum = {0, 0, 0}, at = skin_x(s, v);
  for (int i = s->ring0[v]; i < s->ring0[v + 1]; i++) {
    const int* tri = s->tri + 3 * (size_t)s->ring[i];
    int k = tri[0] == v ? 0 : tri[1] == v ? 1 : 2;
    plVec3 e = v3_unit(v3_sub(skin_x(s, tri[(k + 1) % 3]), at)),
           f = v3_unit(v3_sub(skin_x(s, tri[(k + 2) % 3]), at));
    sum = v3_madd(sum, acos(fmax(-1, fmin(1, v3_dot(e, f)))), skin_normal(s, s->ring[i]));
  }
  return v3_unit(sum);
}

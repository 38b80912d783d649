// stuffing_smooth.c: moves vertices so that tets get better and the boundary follows the surface's edges.
// plMesh -> plMesh.
//
// Smoothing: a vertex is tried at the mean of its neighbours; a boundary vertex at the mean of its boundary
// neighbours, projected onto the surface. The move is kept if the worst quality among its tets improves. If
// not, half and a quarter of it are tried.
//
// Sharpening: the lattice cuts off the edges and corners of the surface. If the middle of a boundary facet is
// off the surface, its vertices are tried at the point that best fits the planes of the surface near their
// facets (as in dual contouring): two planes meet at an edge, three at a corner. The move is kept if the
// facets come closer to the surface and the tets stay good.
//
// Neither lowers the worst quality of the mesh or inverts a tet.
#include <assert.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/stuffing.h"
#include "math/mat3.h"

static const double PLANE_KEEP = 0.02;  // weight of the present position in directions without a plane
static const double SHARP_OFF = 0.01;   // of the facets' sides: middles closer to the surface are not moved
static const double SHARP_GAIN = 0.9;   // a move must reduce the squared distances to this fraction
static const double SHARP_QUALITY =
    0.02;  // a move may lower the quality of good tets to this: 0.4 of a regular one's
static const double SHARP_STEP = 0.4;  // of the facets' sides: largest move of a vertex at once

// The elements at each vertex: element[begin[v] .. begin[v + 1]).
typedef struct Stars {
  int *begin, *element;
} Stars;

static void stars_free(Stars* s) {
  pl_free(s->begin);
  pl_free(s->element);
}

static bool stars_create(Stars* s, int nvert, int nelement, int width, const int* ids) {
  size_t n = (size_t)width * (size_t)nelement;
  *s = (Stars){PL_NEW(int, (size_t)nvert + 2), PL_NEW(int, n)};
  if (!s->begin || !s->element) return false;
  for (size_t i = 0; i < n; i++) {
    assert(ids[i] >= 0 && ids[i] < nvert);
    s->begin[ids[i] + 2]++;
  }
  for (int v = 0; v < nvert; v++) s->begin[v + 2] += s->begin[v + 1];
  for (size_t i = 0; i < n; i++) s->element[s->begin[ids[i] + 1]++] = (int)(i / (size_t)width);
  return true;
}

typedef struct Smoother {
  plMesh* mesh;
  const plTriTree* surface;
  Stars tets, facets;
} Smoother;

static bool on_boundary(const Smoother* s, int v) { return s->facets.begin[v] < s->facets.begin[v + 1]; }

// V / (sum of squared edges)^(3/2), up to a factor; negative if inverted.
static double quality(const plMesh* mesh, int t) {
  const int* v = mesh->tet + 4 * (size_t)t;
  double edges2 = 0;
  for (int i = 0; i < 6; i++)
    edges2 += v3_norm2(
        v3_sub(pl_mesh_vertex(mesh, v[pl_tet_edge[i][1]]), pl_mesh_vertex(mesh, v[pl_tet_edge[i][0]])));
  return pl_mesh_tet_volume6(mesh, t) / (edges2 * sqrt(edges2));
}

static double worst_around(const Smoother* s, int v) {
  double worst = INFINITY;
  for (int k = s->tets.begin[v]; k < s->tets.begin[v + 1]; k++)
    worst = fmin(worst, quality(s->mesh, s->tets.element[k]));
  return worst;
}

// ---- smoothing

// The mean of the neighbours, counted once for each tet they share; on the boundary only of boundary
// neighbours.
static plVec3 mean_of_neighbours(const Smoother* s, int v) {
  plVec3 sum = {0};
  int n = 0;
  for (int k = s->tets.begin[v]; k < s->tets.begin[v + 1]; k++)
    for (size_t i = 0; i < 4; i++) {
      int u = s->mesh->tet[4 * (size_t)s->tets.element[k] + i];
      if (u == v || (on_boundary(s, v) && !on_boundary(s, u))) continue;
      sum = v3_add(sum, pl_mesh_vertex(s->mesh, u));
      n++;
    }
  return n ? v3_scale(1.0 / n, sum) : pl_mesh_vertex(s->mesh, v);
}

static void smooth(Smoother* s, int v) {
  plVec3 old = pl_mesh_vertex(s->mesh, v), way = v3_sub(mean_of_neighbours(s, v), old);
  double before = worst_around(s, v);
  for (double part = 1; part >= 0.25; part /= 2) {
    plVec3 x = v3_madd(old, part, way);
    if (on_boundary(s, v)) x = pl_tri_tree_closest_near(s->surface, x, v3_norm(v3_sub(x, old))).point;
    v3_store(s->mesh->vert + 3 * (size_t)v, x);
    if (worst_around(s, v) > before) return;
  }
  v3_store(s->mesh->vert + 3 * (size_t)v, old);
}

// ---- sharpening

// The planes of the surface near the middles of the facets at a vertex: sum of n n' and of n n'(p - x), and
// the distances of the middles.
typedef struct Planes {
  plMat3 a;
  plVec3 b;
  double off2;     // sum of squared distances of the middles from the surface (m^2)
  double length2;  // sum of squared lengths of the facets' sides (m^2)
} Planes;

static Planes planes_around(const Smoother* s, int v) {
  Planes sum = {.off2 = 0};
  plVec3 x = pl_mesh_vertex(s->mesh, v);
  for (int k = s->facets.begin[v]; k < s->facets.begin[v + 1]; k++) {
    const int* id = s->mesh->tri + 3 * (size_t)s->facets.element[k];
    plVec3 y[3] = {pl_mesh_vertex(s->mesh, id[0]), pl_mesh_vertex(s->mesh, id[1]),
                   pl_mesh_vertex(s->mesh, id[2])};
    plVec3 middle = v3_scale(1.0 / 3, v3_add(v3_add(y[0], y[1]), y[2]));
    plTriHit hit = pl_tri_tree_closest_near(s->surface, middle, v3_norm(v3_sub(middle, x)));
    assert(hit.tri >= 0);
    const int* on = s->surface->tri + 3 * (size_t)hit.tri;
    plVec3 p = v3_load(s->surface->vert + 3 * (size_t)on[0]);
    plVec3 e1 = v3_sub(v3_load(s->surface->vert + 3 * (size_t)on[1]), p),
           e2 = v3_sub(v3_load(s->surface->vert + 3 * (size_t)on[2]), p);
    plVec3 n = v3_unit(v3_cross(e1, e2));
    sum.a = m3_add(sum.a, m3_outer(n, n));
    sum.b = v3_madd(sum.b, v3_dot(n, v3_sub(hit.point, x)), n);
    sum.off2 += hit.t * hit.t;
    sum.length2 += v3_norm2(v3_sub(y[1], y[0])) + v3_norm2(v3_sub(y[2], y[1])) + v3_norm2(v3_sub(y[0], y[2]));
  }
  return sum;
}

// The step to the point that best fits all planes; no step in directions without a plane.
static plVec3 solve_planes(const Planes* planes) {
  double keep = PLANE_KEEP * m3_trace(planes->a);
  plMat3 a = m3_add(planes->a, m3_diag(keep, keep, keep));
  double det = m3_det(a);
  return det > 0 ? v3_scale(1 / det, m3_tmulv(m3_cofactor(a), planes->b)) : v3(0, 0, 0);
}

static void sharpen(Smoother* s, int v) {
  Planes before = planes_around(s, v);
  if (!(before.off2 > SHARP_OFF * SHARP_OFF * before.length2)) return;
  plVec3 old = pl_mesh_vertex(s->mesh, v), way = solve_planes(&before);
  double side = sqrt(before.length2 / (3 * (s->facets.begin[v + 1] - s->facets.begin[v]))),
         length = v3_norm(way);
  if (length > SHARP_STEP * side) way = v3_scale(SHARP_STEP * side / length, way);
  double floor_quality = fmin(worst_around(s, v), SHARP_QUALITY);
  for (double part = 1; part >= 0.5; part /= 2) {
    plVec3 x = pl_tri_tree_closest_near(s->surface, v3_madd(old, part, way), part * v3_norm(way)).point;
    v3_store(s->mesh->vert + 3 * (size_t)v, x);
    if (worst_around(s, v) >= floor_quality && planes_around(s, v).off2 < SHARP_GAIN * before.off2) return;
  }
  v3_store(s->mesh->vert + 3 * (size_t)v, old);
}

// ---- all passes

plStatus pl_mesh_smooth(plMesh* mesh, const plTriTree* surface, int passes, plError* error) {
  Smoother s = {.mesh = mesh, .surface = surface};
  bool ok = stars_create(&s.tets, mesh->nvert, mesh->ntet, 4, mesh->tet) &&
            stars_create(&s.facets, mesh->nvert, mesh->ntri, 3, mesh->tri);
  // Smooth everything, sharpen, then let the interior follow.
  for (int pass = 0; ok && pass < passes; pass++)
    for (int v = 0; v < mesh->nvert; v++) smooth(&s, v);
  for (int pass = 0; ok && pass < passes; pass++) {
    for (int v = 0; v < mesh->nvert; v++)
      if (on_boundary(&s, v)) sharpen(&s, v);
    for (int v = 0; v < mesh->nvert; v++)
      if (!on_boundary(&s, v)) smooth(&s, v);
  }
  stars_free(&s.tets);
  stars_free(&s.facets);
  return ok ? PL_OK : pl_fail_out_of_memory(error, 20 * (size_t)mesh->ntet);
}

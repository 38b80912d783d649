// stuffing_smooth.c: moves vertices so that the worst tet around each gets better. plMesh -> plMesh.
//
// A vertex is tried at the mean of its neighbours: one of the boundary at the mean of its neighbours there, brought back to the surface.
// The move is kept if the worst quality among its tets rises, so the worst of the mesh never falls and no tet turns over. If the whole
// move does not help, a half and a quarter of it are tried.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/stuffing.h"

// The tets at each vertex: tet[begin[v] .. begin[v + 1]), and which vertices are on the boundary.
typedef struct Stars {
  int *begin, *tet;
  char* boundary;
} Stars;

static void stars_free(Stars* s) {
  pl_free(s->begin);
  pl_free(s->tet);
  pl_free(s->boundary);
}

static bool stars_create(Stars* s, const plMesh* mesh) {
  size_t n = 4 * (size_t)mesh->ntet;
  *s = (Stars){PL_NEW(int, (size_t)mesh->nvert + 2), PL_NEW(int, n), PL_NEW(char, mesh->nvert)};
  if (!s->begin || !s->tet || !s->boundary) {
    stars_free(s);
    return false;
  }
  for (size_t i = 0; i < n; i++) s->begin[mesh->tet[i] + 2]++;
  for (int v = 0; v < mesh->nvert; v++) s->begin[v + 2] += s->begin[v + 1];
  for (size_t i = 0; i < n; i++) s->tet[s->begin[mesh->tet[i] + 1]++] = (int)(i / 4);
  for (size_t i = 0; i < 3 * (size_t)mesh->ntri; i++) s->boundary[mesh->tri[i]] = 1;
  return true;
}

// V / (sum of squared edges)^(3/2), up to a factor; negative when turned over.
static double quality(const plMesh* mesh, int t) {
  const int* v = mesh->tet + 4 * (size_t)t;
  double edges2 = 0;
  for (int i = 0; i < 6; i++)
    edges2 += v3_norm2(v3_sub(pl_mesh_vertex(mesh, v[pl_tet_edge[i][1]]), pl_mesh_vertex(mesh, v[pl_tet_edge[i][0]])));
  return pl_mesh_tet_volume6(mesh, t) / (edges2 * sqrt(edges2));
}

static double worst_around(const plMesh* mesh, const Stars* s, int v) {
  double worst = INFINITY;
  for (int k = s->begin[v]; k < s->begin[v + 1]; k++) worst = fmin(worst, quality(mesh, s->tet[k]));
  return worst;
}

// The mean of the neighbours, counted once for each tet they share; on the boundary only of those on the boundary.
static plVec3 mean_of_neighbours(const plMesh* mesh, const Stars* s, int v) {
  plVec3 sum = {0};
  int n = 0;
  for (int k = s->begin[v]; k < s->begin[v + 1]; k++)
    for (size_t i = 0; i < 4; i++) {
      int u = mesh->tet[4 * (size_t)s->tet[k] + i];
      if (u == v || (s->boundary[v] && !s->boundary[u])) continue;
      sum = v3_add(sum, pl_mesh_vertex(mesh, u));
      n++;
    }
  return n ? v3_scale(1.0 / n, sum) : pl_mesh_vertex(mesh, v);
}

static void improve(plMesh* mesh, const Stars* s, const plTriTree* surface, int v) {
  plVec3 old = pl_mesh_vertex(mesh, v), way = v3_sub(mean_of_neighbours(mesh, s, v), old);
  double before = worst_around(mesh, s, v);
  for (double part = 1; part >= 0.25; part /= 2) {
    plVec3 x = v3_madd(old, part, way);
    if (s->boundary[v]) x = pl_tri_tree_closest(surface, x, INFINITY).point;
    v3_store(mesh->vert + 3 * (size_t)v, x);
    if (worst_around(mesh, s, v) > before) return;
  }
  v3_store(mesh->vert + 3 * (size_t)v, old);
}

plStatus pl_mesh_smooth(plMesh* mesh, const plTriTree* surface, int passes, plError* error) {
  Stars stars;
  if (!stars_create(&stars, mesh)) return pl_fail_out_of_memory(error, 21 * (size_t)mesh->ntet);
  for (int pass = 0; pass < passes; pass++)
    for (int v = 0; v < mesh->nvert; v++) improve(mesh, &stars, surface, v);
  stars_free(&stars);
  return PL_OK;
}

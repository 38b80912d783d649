// points.c: tables of quadrature points for each element kind (see points.h).
#include "fem/points.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fem/patches.h"
#include "geom/mesh.h"
#include "math/mat3.h"

plPoints* pl_points_create(int nnode, int npoint, size_t nentry) {
  plPoints* p = PL_NEW(plPoints, 1);
  if (!p) return NULL;
  p->nnode = nnode, p->npoint = npoint;
  p->node0 = PL_NEW(int, (size_t)npoint + 1);
  p->node = PL_NEW(int, nentry);
  p->grad = PL_NEW(double, 3 * nentry);
  p->volume = PL_NEW(double, npoint);
  if (p->node0 && p->node && p->grad && p->volume) return p;
  pl_points_destroy(p);
  return NULL;
}

static void groups_free(plPoints* p) {
  pl_free(p->group), pl_free(p->group_point0), pl_free(p->group_point), pl_free(p->group_volume);
  pl_free(p->group_node0), pl_free(p->group_node), pl_free(p->group_place);
  p->group = p->group_point0 = p->group_point = p->group_node0 = p->group_node = p->group_place = NULL;
  p->group_volume = NULL;
  p->ngroup = 0;
}

void pl_points_destroy(plPoints* p) {
  if (!p) return;
  groups_free(p);
  pl_free(p->node0), pl_free(p->node), pl_free(p->grad), pl_free(p->volume), pl_free(p->along),
      pl_free(p->across);
  pl_free(p);
}

// Sorts the nodes of point q, and their gradients with them (insertion sort: stencils are short).
void pl_points_sort_stencil(plPoints* p, int q) {
  int* node = p->node + p->node0[q];
  double* grad = p->grad + 3 * (size_t)p->node0[q];
  int n = p->node0[q + 1] - p->node0[q];
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && node[j - 1] > node[j]; j--) {
      int swap = node[j];
      node[j] = node[j - 1], node[j - 1] = swap;
      for (int c = 0; c < 3; c++) {
        double g = grad[3 * j + c];
        grad[3 * j + c] = grad[3 * j - 3 + c], grad[3 * j - 3 + c] = g;
      }
    }
}

// Volume and the four gradients of a linear tet: rows of D^-1, D = (x1 - x0, x2 - x0, x3 - x0).
static double tet_gradients(const plMesh* mesh, int t, plVec3 g[4]) {
  const int* v = mesh->tet + 4 * (size_t)t;
  plVec3 x0 = pl_mesh_vertex(mesh, v[0]);
  plVec3 a = v3_sub(pl_mesh_vertex(mesh, v[1]), x0), b = v3_sub(pl_mesh_vertex(mesh, v[2]), x0);
  plVec3 c = v3_sub(pl_mesh_vertex(mesh, v[3]), x0);
  double det = v3_dot(v3_cross(a, b), c);
  g[1] = v3_scale(1 / det, v3_cross(b, c));
  g[2] = v3_scale(1 / det, v3_cross(c, a));
  g[3] = v3_scale(1 / det, v3_cross(a, b));
  g[0] = v3_neg(v3_add(g[1], v3_add(g[2], g[3])));
  return det / 6;
}

// Checks that every tet has a volume.
static plStatus check_volumes(const plMesh* mesh, plError* error) {
  plStatus status = pl_mesh_check_ids(mesh, error);
  for (int t = 0; !status && t < mesh->ntet; t++) {
    double volume6 = pl_mesh_tet_volume6(mesh, t);
    if (!(volume6 > 0) || !isfinite(1 / volume6))
      status = pl_fail(error, PL_ERROR_INPUT,
                       "tetrahedron %d has volume %g m^3: it must be positive; repair the mesh first", t,
                       volume6 / 6);
  }
  return status;
}

plStatus pl_points_tet4(const plMesh* mesh, plPoints** points, plError* error) {
  *points = NULL;
  plStatus status = check_volumes(mesh, error);
  if (status) return status;
  plPoints* p = pl_points_create(mesh->nvert, mesh->ntet, 4 * (size_t)mesh->ntet);
  if (!p) return pl_fail_out_of_memory(error, 128 * (size_t)mesh->ntet);
  for (int t = 0; t < mesh->ntet; t++) {
    plVec3 g[4];
    p->volume[t] = tet_gradients(mesh, t, g);
    p->node0[t + 1] = 4 * t + 4;
    for (int a = 0; a < 4; a++) {
      p->node[4 * t + a] = mesh->tet[4 * t + a];
      v3_store(p->grad + 3 * (size_t)(4 * t + a), g[a]);
    }
    pl_points_sort_stencil(p, t);
  }
  *points = p;
  return PL_OK;
}

// The position of edge (a, b) in the ascending list of edges.
static int find_edge(const int* edge, int nedge, int a, int b) {
  int low = a < b ? a : b, high = a < b ? b : a, first = 0, last = nedge - 1;
  while (first < last) {
    int mid = first + (last - first) / 2;
    if (edge[2 * mid] < low || (edge[2 * mid] == low && edge[2 * mid + 1] < high))
      first = mid + 1;
    else
      last = mid;
  }
  return first;
}

// Edges of the tets alone, and the six of each tet (order of pl_tet_edge).
static plStatus tet_edges(const plMesh* mesh, int** edge, int* nedge, int** tet_edge, plError* error) {
  plMesh tets = {.nvert = mesh->nvert, .ntet = mesh->ntet, .vert = mesh->vert, .tet = mesh->tet};
  plStatus status = pl_mesh_edges(&tets, edge, nedge, error);
  if (status) return status;
  *tet_edge = PL_NEW(int, 6 * (size_t)mesh->ntet);
  if (!*tet_edge) {
    pl_free(*edge);
    *edge = NULL;
    return pl_fail_out_of_memory(error, 24 * (size_t)mesh->ntet);
  }
  for (int t = 0; t < mesh->ntet; t++)
    for (int e = 0; e < 6; e++) {
      const int* v = mesh->tet + 4 * (size_t)t;
      int a = v[pl_tet_edge[e][0]], b = v[pl_tet_edge[e][1]], k = find_edge(*edge, *nedge, a, b);
      assert(k < *nedge && (*edge)[2 * k] + (*edge)[2 * k + 1] == a + b);
      (*tet_edge)[6 * t + e] = k;
    }
  return PL_OK;
}

// Lists by key: items with key k are list[first[k]] .. list[first[k + 1] - 1], ascending. False if memory
// runs out.
static bool list_by_key(int nitem, const int* key, int nkey, int** first, int** list) {
  *first = PL_NEW(int, (size_t)nkey + 1);
  *list = PL_NEW(int, nitem);
  int* next = PL_NEW(int, nkey);
  bool ok = *first && *list && next;
  for (int i = 0; ok && i < nitem; i++) {
    assert(key[i] >= 0 && key[i] < nkey);
    (*first)[key[i] + 1]++;
  }
  for (int k = 0; ok && k < nkey; k++) next[k] = (*first)[k], (*first)[k + 1] += (*first)[k];
  for (int i = 0; ok && i < nitem; i++) (*list)[next[key[i]]++] = i;
  pl_free(next);
  return ok;
}

// The position of id among node[0 .. n-1]; if it is new, it is added at the end with a zero gradient; there
// is room for most.
static int stencil_place(int* node, double* grad, int* n, int most, int id) {
  int i = 0;
  while (i < *n && node[i] != id) i++;
  assert(i < most);
  if (i == *n) {
    node[(*n)++] = id;
    v3_store(grad + 3 * i, v3(0, 0, 0));
  }
  return i;
}

// Fills p from the tets around each edge; around lists 6 tet + local edge.
static void smooth(const plMesh* mesh, plPoints* p, int nentry, const int* around0, const int* around) {
  int used = 0;
  for (int q = 0; q < p->npoint; q++) {
    int *node = p->node + used, n = 0;
    double *grad = p->grad + 3 * (size_t)used, volume = 0;
    for (int k = around0[q]; k < around0[q + 1]; k++) {
      plVec3 g[4];
      int t = around[k] / 6;
      double share = tet_gradients(mesh, t, g) / 6;
      volume += share;
      for (int a = 0; a < 4; a++) {
        int i = stencil_place(node, grad, &n, nentry - used, mesh->tet[4 * t + a]);
        v3_store(grad + 3 * i, v3_madd(v3_load(grad + 3 * i), share, g[a]));
      }
    }
    for (int i = 0; i < 3 * n; i++) grad[i] /= volume;
    p->volume[q] = volume;
    used += n;
    p->node0[q + 1] = used;
    pl_points_sort_stencil(p, q);
  }
}

plStatus pl_points_tet4_smoothed(const plMesh* mesh, plPoints** points, plError* error) {
  *points = NULL;
  int *edge = NULL, *tet_edge = NULL, *around0 = NULL, *around = NULL, nedge = 0;
  plStatus status = check_volumes(mesh, error);
  if (!status) status = tet_edges(mesh, &edge, &nedge, &tet_edge, error);
  if (status) return status;
  // k tets around an edge have at most 2 k + 2 vertices
  size_t nentry = 12 * (size_t)mesh->ntet + 2 * (size_t)nedge;
  plPoints* p = NULL;
  if (list_by_key(6 * mesh->ntet, tet_edge, nedge, &around0, &around))
    p = pl_points_create(mesh->nvert, nedge, nentry);
  if (p) smooth(mesh, p, (int)nentry, around0, around);
  pl_free(edge), pl_free(tet_edge), pl_free(around0), pl_free(around);
  *points = p;
  return p ? PL_OK : pl_fail_out_of_memory(error, 32 * nentry);
}

plStatus pl_tet10_nodes(const plMesh* mesh, int** edge, int* nedge, int** tet10, plError* error) {
  int* tet_edge;
  plStatus status = tet_edges(mesh, edge, nedge, &tet_edge, error);
  if (status) return status;
  *tet10 = PL_NEW(int, 10 * (size_t)mesh->ntet);
  for (int t = 0; *tet10 && t < mesh->ntet; t++) {
    for (int a = 0; a < 4; a++) (*tet10)[10 * t + a] = mesh->tet[4 * t + a];
    for (int e = 0; e < 6; e++) (*tet10)[10 * t + 4 + e] = mesh->nvert + tet_edge[6 * t + e];
  }
  pl_free(tet_edge);
  if (*tet10) return PL_OK;
  pl_free(*edge);
  *edge = NULL;
  return pl_fail_out_of_memory(error, 40 * (size_t)mesh->ntet);
}

// Gradients of the ten shape functions at barycentric coordinates L: corners L (2 L - 1), edges 4 L_i L_j.
static void tet10_gradients(const plVec3 g[4], const double L[4], double* grad) {
  for (int a = 0; a < 4; a++) v3_store(grad + 3 * a, v3_scale(4 * L[a] - 1, g[a]));
  for (int e = 0; e < 6; e++) {
    int i = pl_tet_edge[e][0], j = pl_tet_edge[e][1];
    v3_store(grad + 12 + 3 * e, v3_add(v3_scale(4 * L[i], g[j]), v3_scale(4 * L[j], g[i])));
  }
}

plStatus pl_points_tet10(const plMesh* mesh, plPoints** points, plError* error) {
  *points = NULL;
  int *edge, *tet10, nedge;
  plStatus status = check_volumes(mesh, error);
  if (!status) status = pl_tet10_nodes(mesh, &edge, &nedge, &tet10, error);
  if (status) return status;
  plPoints* p = pl_points_create(mesh->nvert + nedge, 4 * mesh->ntet, 40 * (size_t)mesh->ntet);
  // four points, exact for quadratic integrands
  const double far = 0.58541019662496845446, near = 0.13819660112501051518;
  for (int q = 0; p && q < p->npoint; q++) {
    plVec3 g[4];
    double L[4] = {near, near, near, near};
    L[q % 4] = far;
    p->volume[q] = tet_gradients(mesh, q / 4, g) / 4;
    p->node0[q + 1] = 10 * q + 10;
    memcpy(p->node + 10 * (size_t)q, tet10 + 10 * (size_t)(q / 4), 10 * sizeof(int));
    tet10_gradients(g, L, p->grad + 30 * (size_t)q);
    pl_points_sort_stencil(p, q);
  }
  pl_free(edge), pl_free(tet10);
  *points = p;
  return p ? PL_OK : pl_fail_out_of_memory(error, 1200 * (size_t)mesh->ntet);
}

// sum_a (x_a - x_0) g_a': the gradients sum to zero, so this is accurate far from the origin too
plMat3 pl_points_gradient(const plPoints* p, int q, const double* x) {
  int first = p->node0[q];
  plVec3 x0 = v3_load(x + 3 * (size_t)p->node[first]);
  plMat3 F = m3_zero();
  for (int k = first + 1; k < p->node0[q + 1]; k++) {
    plVec3 d = v3_sub(v3_load(x + 3 * (size_t)p->node[k]), x0);
    F = m3_add(F, m3_outer(d, v3_load(p->grad + 3 * (size_t)k)));
  }
  if (p->plane_strain) M3(F, 0, 2) = 0, M3(F, 1, 2) = 0, M3(F, 2, 2) = 1;
  return F;
}

bool pl_points_set_plane_strain(plPoints* p, const double* rest) {
  int n = p->node0[p->npoint];
  p->along = PL_NEW(double, n), p->across = PL_NEW(double, 2 * (size_t)p->nnode);
  if (!p->along || !p->across) return false;
  for (int i = 0; i < 2 * p->nnode; i++) p->across[i] = rest[3 * (i / 2) + i % 2];
  p->plane_strain = true;
  for (int i = 0; i < n; i++) p->along[i] = p->grad[3 * (size_t)i + 2], p->grad[3 * (size_t)i + 2] = 0;
  return true;
}

// Union of the stencils of each group: fills group_node0, group_node and group_place.
static bool group_stencils(plPoints* p) {
  size_t nentry = (size_t)p->node0[p->npoint];
  int *place = PL_NEW(int, p->nnode), *list = PL_NEW(int, nentry);
  p->group_node0 = PL_NEW(int, (size_t)p->ngroup + 1);
  p->group_place = PL_NEW(int, nentry);
  bool ok = place && list && p->group_node0 && p->group_place;
  int used = 0;
  for (int i = 0; ok && i < p->nnode; i++) place[i] = -1;
  for (int g = 0; ok && g < p->ngroup; g++) {
    // collect, sort by insertion, number
    int first = used;
    for (int k = p->group_point0[g]; k < p->group_point0[g + 1]; k++)
      for (int e = p->node0[p->group_point[k]]; e < p->node0[p->group_point[k] + 1]; e++) {
        int id = p->node[e];
        if (place[id] >= first) continue;
        assert((size_t)used < nentry);
        int i = used++;
        for (; i > first && list[i - 1] > id; i--) list[i] = list[i - 1], place[list[i]] = i;
        list[i] = id, place[id] = i;
      }
    for (int k = p->group_point0[g]; k < p->group_point0[g + 1]; k++)
      for (int e = p->node0[p->group_point[k]]; e < p->node0[p->group_point[k] + 1]; e++) {
        assert(place[p->node[e]] >= first && place[p->node[e]] < used);
        p->group_place[e] = place[p->node[e]] - first;
      }
    p->group_node0[g + 1] = used;
  }
  if (ok) p->group_node = pl_realloc(list, nentry, (size_t)used, sizeof *list);
  if (!p->group_node) pl_free(list);
  pl_free(place);
  return ok && p->group_node;
}

plStatus pl_points_set_groups(plPoints* p, int ngroup, const int* label, plError* error) {
  groups_free(p);
  p->ngroup = ngroup;
  p->group = PL_NEW(int, p->npoint);
  p->group_volume = PL_NEW(double, ngroup);
  bool ok =
      p->group && p->group_volume && list_by_key(p->npoint, label, ngroup, &p->group_point0, &p->group_point);
  for (int q = 0; ok && q < p->npoint; q++) {
    p->group[q] = label[q];
    p->group_volume[label[q]] += p->volume[q];
  }
  if (ok && group_stencils(p)) return PL_OK;
  groups_free(p);
  return pl_fail_out_of_memory(error, 16 * (size_t)p->npoint);
}

// An edge belongs to the patch with most of the volume around it (ties: the lower number).
static plStatus label_edges(const plMesh* mesh, const int* tet_label, int* label, plError* error) {
  int *edge, *tet_edge, *around0 = NULL, *around = NULL, nedge;
  plStatus status = tet_edges(mesh, &edge, &nedge, &tet_edge, error);
  if (status) return status;
  bool ok = list_by_key(6 * mesh->ntet, tet_edge, nedge, &around0, &around);
  for (int q = 0; ok && q < nedge; q++) {
    double best = -1;
    for (int k = around0[q]; k < around0[q + 1]; k++) {
      int candidate = tet_label[around[k] / 6];
      double volume = 0;
      for (int l = around0[q]; l < around0[q + 1]; l++)
        if (tet_label[around[l] / 6] == candidate) volume += pl_mesh_tet_volume6(mesh, around[l] / 6);
      if (volume > best || (volume == best && candidate < label[q])) best = volume, label[q] = candidate;
    }
  }
  pl_free(edge), pl_free(tet_edge), pl_free(around0), pl_free(around);
  return ok ? PL_OK : pl_fail_out_of_memory(error, 48 * (size_t)mesh->ntet);
}

// Removes labels that no point uses; returns the number of labels left.
static int make_dense(int n, int* label, int nlabel, int* map) {
  int used = 0;
  for (int i = 0; i < n; i++) {
    assert(label[i] >= 0 && label[i] < nlabel);
    map[label[i]] = 1;
  }
  for (int l = 0; l < nlabel; l++)
    if (map[l]) map[l] = used++;
  for (int i = 0; i < n; i++) label[i] = map[label[i]];
  return used;
}

plStatus pl_points_set_patches(plPoints* p, const plMesh* mesh, int points_per_tet, plError* error) {
  int *label = PL_NEW(int, p->npoint), *tet_label = PL_NEW(int, mesh->ntet), *map = PL_NEW(int, mesh->ntet),
      ngroup = mesh->ntet;
  plStatus status = label && tet_label && map ? PL_OK : pl_fail_out_of_memory(error, 12 * (size_t)mesh->ntet);
  if (points_per_tet > 1) {
    // the element is the patch
    for (int q = 0; !status && q < p->npoint; q++) label[q] = q / points_per_tet;
  } else {
    if (!status) status = pl_patches(mesh, PL_PATCH_SIZE, tet_label, &ngroup, error);
    if (!status && p->npoint == mesh->ntet && points_per_tet == 1)
      memcpy(label, tet_label, (size_t)p->npoint * sizeof(int));
    else if (!status)
      status = label_edges(mesh, tet_label, label, error);
  }
  if (!status) ngroup = make_dense(p->npoint, label, ngroup, map);
  if (!status) status = pl_points_set_groups(p, ngroup, label, error);
  pl_free(label), pl_free(tet_label), pl_free(map);
  return status;
}

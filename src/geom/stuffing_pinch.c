// stuffing_pinch.c: separates parts that touch only at a vertex or an edge. plMesh -> plMesh with a manifold
// boundary.
//
// Where a gap is narrower than the lattice, two parts of the body may meet in a vertex or an edge without
// sharing a face. Such a vertex gets one copy for each group of tets joined by faces. An edge that still has
// several groups around it is split in the middle, once for each group, so that each half has one group.
#include <assert.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/stuffing.h"

static const double APART = 0.1;  // fraction by which the midpoints of a split edge move towards their groups
enum { MAX_PASSES = 8 };

// ---- groups of corners or edges joined by faces

// For each pair of tets with a common face: joins the slots that width vertices of it have in both. place[i]
// lists the width corners of slot i of a tet; the slots of the tets are the nodes of the forest parent[nplace
// ntet].
static bool join_across_faces(const plMesh* mesh, int width, int nplace, const int place[][2], int* parent) {
  int nface = 4 * mesh->ntet;
  int* key = pl_mesh_face_keys(mesh);
  int* order = PL_NEW(int, nface);
  bool ok = key && order && pl_sort_keys(nface, 3, key, mesh->nvert, order);
  for (int i = 0; ok && i < nplace * mesh->ntet; i++) parent[i] = i;
  for (int k = 1; ok && k < nface; k++) {
    if (!pl_same_key(3, key, order[k - 1], order[k])) continue;
    int t = order[k - 1] / 4, u = order[k] / 4;
    const int *tet_t = mesh->tet + 4 * (size_t)t, *tet_u = mesh->tet + 4 * (size_t)u;
    for (int a = 0; a < nplace; a++)
      for (int b = 0; b < nplace; b++) {
        // The slots hold the same vertices, all of them on the face.
        int same = 0;
        for (int i = 0; i < width; i++)
          for (int j = 0; j < width; j++) same += tet_t[place[a][i]] == tet_u[place[b][j]];
        if (same == width) pl_set_join(parent, nplace * t + a, nplace * u + b);
      }
  }
  pl_free(key);
  pl_free(order);
  return ok;
}

static plStatus grow(plMesh* mesh, int nvert, int ntet, plError* error) {
  if (nvert > PL_MESH_ELEMENT_MAX || ntet > PL_MESH_ELEMENT_MAX)
    return pl_fail(error, PL_ERROR_TOO_LARGE,
                   "a mesh of %d vertices and %d tetrahedra is too large: choose a longer edge", nvert, ntet);
  // If only one of the two can be allocated, the old arrays stay valid.
  double* vert = pl_realloc(mesh->vert, 3 * (size_t)mesh->nvert, 3 * (size_t)nvert, sizeof *vert);
  if (vert) mesh->vert = vert;
  int* tet = pl_realloc(mesh->tet, 4 * (size_t)mesh->ntet, 4 * (size_t)ntet, sizeof *tet);
  if (tet) mesh->tet = tet;
  return vert && tet ? PL_OK : pl_fail_out_of_memory(error, 24 * (size_t)nvert + 16 * (size_t)ntet);
}

// ---- vertices

static plStatus split_vertices(plMesh* mesh, plError* error) {
  static const int corner[4][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  size_t n = 4 * (size_t)mesh->ntet;
  int* parent = PL_NEW(int, n);
  int* owner = PL_NEW(int, mesh->nvert);  // the group that keeps the vertex
  int* copy = PL_NEW(int, n);             // [root] the vertex of the group
  plStatus status = PL_OK;
  if (!parent || !owner || !copy || !join_across_faces(mesh, 1, 4, corner, parent))
    status = pl_fail_out_of_memory(error, 12 * n);
  // The first group of a vertex keeps it, the others get new ones.
  int nvert = mesh->nvert;
  for (int v = 0; !status && v < mesh->nvert; v++) owner[v] = -1;
  for (int i = 0; !status && i < (int)n; i++) {
    int root = pl_set_root(parent, i), v = mesh->tet[i];
    if (root != i) continue;
    copy[root] = owner[v] < 0 ? v : nvert++;
    if (owner[v] < 0) owner[v] = root;
  }
  if (!status && nvert > mesh->nvert) status = grow(mesh, nvert, mesh->ntet, error);
  for (int i = 0; !status && nvert > mesh->nvert && i < (int)n; i++) {
    int root = pl_set_root(parent, i), v = copy[root];
    if (root == i && v >= mesh->nvert)
      v3_store(mesh->vert + 3 * (size_t)v, pl_mesh_vertex(mesh, mesh->tet[i]));
    copy[i] = v;
  }
  if (!status && nvert > mesh->nvert)
    for (size_t i = 0; i < n; i++) mesh->tet[i] = copy[i];
  if (!status) mesh->nvert = nvert;
  pl_free(parent);
  pl_free(owner);
  pl_free(copy);
  return status;
}

// ---- edges

// The tets' edges as sorted pairs, edge i of tet t at 2 (6 t + i). NULL if memory runs out.
static int* edge_keys(const plMesh* mesh) {
  int* key = PL_NEW(int, 12 * (size_t)mesh->ntet);
  for (size_t t = 0; key && t < (size_t)mesh->ntet; t++)
    for (size_t i = 0; i < 6; i++)
      for (size_t j = 0; j < 2; j++) key[2 * (6 * t + i) + j] = mesh->tet[4 * t + (size_t)pl_tet_edge[i][j]];
  if (key) pl_sorted_ids(6 * mesh->ntet, 2, key, key);
  return key;
}

// The groups around the edge order[begin .. end); 1 also if a tet of it is already to be split.
static int count_groups(const int* order, int begin, int end, int* parent, const char* touched) {
  int groups = 0;
  for (int k = begin; k < end; k++) {
    if (touched[order[k] / 6]) return 1;
    groups += pl_set_root(parent, order[k]) == order[k];
  }
  return groups;
}

// The midpoint of an edge, moved slightly towards the other vertices of its group.
static plVec3 middle_of_group(const plMesh* mesh, const int* order, int begin, int end, int* parent,
                              int root) {
  plVec3 middle = {0}, sum = {0};
  int n = 0;
  for (int k = begin; k < end; k++) {
    if (pl_set_root(parent, order[k]) != root) continue;
    const int *v = mesh->tet + 4 * (size_t)(order[k] / 6), *edge = pl_tet_edge[order[k] % 6];
    middle = v3_scale(0.5, v3_add(pl_mesh_vertex(mesh, v[edge[0]]), pl_mesh_vertex(mesh, v[edge[1]])));
    for (int i = 0; i < 4; i++)
      if (i != edge[0] && i != edge[1]) sum = v3_add(sum, pl_mesh_vertex(mesh, v[i])), n++;
  }
  return v3_madd(middle, APART, v3_sub(v3_scale(1.0 / n, sum), middle));
}

// Splits the tets of one pinched edge, each group at its own midpoint. The arrays have room.
static void split_edge(plMesh* mesh, const int* order, int begin, int end, int* parent) {
  for (int g = begin; g < end; g++) {
    int root = order[g], middle = mesh->nvert;
    if (pl_set_root(parent, root) != root) continue;
    v3_store(mesh->vert + 3 * (size_t)middle, middle_of_group(mesh, order, begin, end, parent, root));
    mesh->nvert++;
    for (int k = begin; k < end; k++) {
      if (pl_set_root(parent, order[k]) != root) continue;
      int *old = mesh->tet + 4 * (size_t)(order[k] / 6), *half = mesh->tet + 4 * (size_t)mesh->ntet++;
      for (int i = 0; i < 4; i++) half[i] = old[i];
      old[pl_tet_edge[order[k] % 6][0]] = middle;
      half[pl_tet_edge[order[k] % 6][1]] = middle;
    }
  }
}

// The last slot of the edge that begins at slot begin.
static int edge_end(const int* key, const int* order, int n, int begin) {
  int end = begin + 1;
  while (end < n && pl_same_key(2, key, order[begin], order[end])) end++;
  return end;
}

// One pass over all edges; an edge with a tet that is already to be split waits for the next pass.
static plStatus split_edges(plMesh* mesh, plError* error) {
  int n = 6 * mesh->ntet, *chosen = NULL, nchosen = 0, cap = 0;
  int* parent = PL_NEW(int, n);
  int* order = PL_NEW(int, n);
  int* key = edge_keys(mesh);
  char* touched = PL_NEW(char, mesh->ntet);
  bool ok = parent && order && key && touched && pl_sort_keys(n, 2, key, mesh->nvert, order) &&
            join_across_faces(mesh, 2, 6, pl_tet_edge, parent);
  int nvert = mesh->nvert, ntet = mesh->ntet;
  for (int begin = 0, end; ok && begin < n; begin = end) {
    end = edge_end(key, order, n, begin);
    int groups = count_groups(order, begin, end, parent, touched);
    if (groups < 2) continue;
    ok = PL_PUSH(chosen, nchosen, cap, begin);
    for (int k = begin; k < end; k++) touched[order[k] / 6] = 1;
    nvert += groups;
    ntet += end - begin;
  }
  plStatus status = ok ? grow(mesh, nvert, ntet, error) : pl_fail_out_of_memory(error, 17 * (size_t)n);
  for (int c = 0; !status && c < nchosen; c++)
    split_edge(mesh, order, chosen[c], edge_end(key, order, n, chosen[c]), parent);
  assert(status || (mesh->nvert == nvert && mesh->ntet == ntet));  // as many as were counted
  pl_free(chosen);
  pl_free(parent);
  pl_free(order);
  pl_free(key);
  pl_free(touched);
  return status;
}

// ---- the whole separation

// Whether an edge of the boundary has more than two facets; -1 if memory runs out.
static int has_pinched_edge(const plMesh* mesh) {
  int *key, *order, n, found = 0;
  if (!pl_half_edges(mesh->ntri, mesh->tri, mesh->nvert, &key, &order, &n)) return -1;
  for (int k = 2; k < n && !found; k++) found = pl_same_key(2, key, order[k - 2], order[k]);
  pl_free(key);
  pl_free(order);
  return found;
}

plStatus pl_mesh_unpinch(plMesh* mesh, plError* error) {
  plStatus status = split_vertices(mesh, error);
  for (int pass = 0; !status; pass++) {
    status = pl_mesh_boundary(mesh, error);
    int pinched = status || pass == MAX_PASSES ? 0 : has_pinched_edge(mesh);
    if (pinched < 0) status = pl_fail_out_of_memory(error, 36 * (size_t)mesh->ntri);
    if (pinched <= 0) break;
    status = split_edges(mesh, error);
  }
  return status;
}

// mesh.c: creation and simple queries of a mesh: create, copy, destroy, boundary, transform, edges.
//
// Equal faces and edges are found by sorting their vertex ids with a counting sort: linear time, the same
// order on every machine.
#include "geom/mesh.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/pose.h"

const int pl_tet_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
const int pl_tet_edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// ---- creation and destruction

plMesh* pl_mesh_create(int nvert, int ntet, int ntri, plError* error) {
  const int max = PL_MESH_ELEMENT_MAX;
  if (nvert < 0 || ntet < 0 || ntri < 0 || nvert > max || ntet > max || ntri > max) {
    pl_fail(error, PL_ERROR_INPUT,
            "a mesh of %d vertices, %d tetrahedra and %d triangles cannot be made: each count must lie in 0 "
            ".. %d",
            nvert, ntet, ntri, max);
    return NULL;
  }
  plMesh* mesh = PL_NEW(plMesh, 1);
  if (mesh) {
    *mesh = (plMesh){.nvert = nvert, .ntet = ntet, .ntri = ntri};
    mesh->vert = PL_NEW(double, 3 * (size_t)nvert);
    mesh->tet = PL_NEW(int, 4 * (size_t)ntet);
    mesh->tri = PL_NEW(int, 3 * (size_t)ntri);
  }
  if (!mesh || !mesh->vert || !mesh->tet || !mesh->tri) {
    pl_mesh_destroy(mesh);
    pl_fail_out_of_memory(error, 24 * (size_t)nvert + 16 * (size_t)ntet + 12 * (size_t)ntri);
    return NULL;
  }
  return mesh;
}

plMesh* pl_mesh_copy(const plMesh* mesh, plError* error) {
  assert(mesh != NULL);
  plMesh* copy = pl_mesh_create(mesh->nvert, mesh->ntet, mesh->ntri, error);
  if (!copy) return NULL;
  if (mesh->nvert) memcpy(copy->vert, mesh->vert, 3 * (size_t)mesh->nvert * sizeof(double));
  if (mesh->ntet) memcpy(copy->tet, mesh->tet, 4 * (size_t)mesh->ntet * sizeof(int));
  if (mesh->ntri) memcpy(copy->tri, mesh->tri, 3 * (size_t)mesh->ntri * sizeof(int));
  copy->by_corners = mesh->by_corners, copy->kept = mesh->kept;
  if (!mesh->number) return copy;
  copy->number = PL_NEW(int, mesh->nvert), copy->nnumber = mesh->nnumber;
  if (!copy->number) {
    pl_mesh_destroy(copy);
    pl_fail_out_of_memory(error, (size_t)mesh->nvert * sizeof(int));
    return NULL;
  }
  memcpy(copy->number, mesh->number, (size_t)mesh->nvert * sizeof(int));
  return copy;
}

void pl_mesh_destroy(plMesh* mesh) {
  if (!mesh) return;
  pl_free(mesh->vert);
  pl_free(mesh->tet);
  pl_free(mesh->tri);
  pl_free(mesh->number);
  pl_free(mesh);
}

// ---- numbers of vertices

int pl_find_number(const int* number, int n, int wanted) {
  int low = 0, high = n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (number[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && number[low] == wanted ? low : -1;
}

int pl_mesh_find(const plMesh* mesh, int number) {
  if (mesh->number) return pl_find_number(mesh->number, mesh->nvert, number);
  return number >= 0 && number < mesh->nvert ? number : -1;
}

// ---- one element

double pl_mesh_tet_volume6(const plMesh* mesh, int t) {
  const int* v = mesh->tet + 4 * (size_t)t;
  plVec3 x0 = pl_mesh_vertex(mesh, v[0]);
  plVec3 a = v3_sub(pl_mesh_vertex(mesh, v[1]), x0), b = v3_sub(pl_mesh_vertex(mesh, v[2]), x0);
  return v3_dot(v3_cross(a, b), v3_sub(pl_mesh_vertex(mesh, v[3]), x0));
}

plVec3 pl_mesh_tri_area2(const plMesh* mesh, int t) {
  const int* v = mesh->tri + 3 * (size_t)t;
  plVec3 x0 = pl_mesh_vertex(mesh, v[0]);
  return v3_cross(v3_sub(pl_mesh_vertex(mesh, v[1]), x0), v3_sub(pl_mesh_vertex(mesh, v[2]), x0));
}

static const double FLAT = 1e-12;

static double edge_length2(const plMesh* mesh, int a, int b) {
  return v3_norm2(v3_sub(pl_mesh_vertex(mesh, b), pl_mesh_vertex(mesh, a)));
}

bool pl_mesh_tet_is_flat(const plMesh* mesh, int t) {
  const int* v = mesh->tet + 4 * (size_t)t;
  double longest2 = 0;
  for (int i = 0; i < 6; i++)
    longest2 = fmax(longest2, edge_length2(mesh, v[pl_tet_edge[i][0]], v[pl_tet_edge[i][1]]));
  return fabs(pl_mesh_tet_volume6(mesh, t)) / 6 <= FLAT * longest2 * sqrt(longest2);
}

bool pl_mesh_tri_is_flat(const plMesh* mesh, int t) {
  const int* v = mesh->tri + 3 * (size_t)t;
  double longest2 = 0;
  for (int i = 0; i < 3; i++) longest2 = fmax(longest2, edge_length2(mesh, v[i], v[(i + 1) % 3]));
  return v3_norm(pl_mesh_tri_area2(mesh, t)) / 2 <= FLAT * longest2;
}

static plStatus check_ids(const plMesh* mesh, const char* what, int n, int width, const int* element,
                          plError* error) {
  for (size_t i = 0; i < (size_t)n * (size_t)width; i++)
    if (element[i] < 0 || element[i] >= mesh->nvert)
      return pl_fail(error, PL_ERROR_INPUT,
                     "%s %zu refers to vertex %d, but the mesh has the vertices 0 .. %d", what,
                     i / (size_t)width, element[i], mesh->nvert - 1);
  return PL_OK;
}

plStatus pl_mesh_check_ids(const plMesh* mesh, plError* error) {
  plStatus status = check_ids(mesh, "tetrahedron", mesh->ntet, 4, mesh->tet, error);
  return status ? status : check_ids(mesh, "triangle", mesh->ntri, 3, mesh->tri, error);
}

// ---- equal elements

void pl_sorted_ids(int n, int width, const int* element, int* key) {
  for (int e = 0; e < n; e++) {
    const int* from = element + (size_t)width * (size_t)e;
    int* to = key + (size_t)width * (size_t)e;
    // Insertion sort of the few ids so far.
    for (int i = 0; i < width; i++) {
      int id = from[i], j = i;
      for (; j > 0 && to[j - 1] > id; j--) to[j] = to[j - 1];
      to[j] = id;
    }
  }
}

bool pl_same_key(int width, const int* key, int a, int b) {
  return memcmp(key + (size_t)width * (size_t)a, key + (size_t)width * (size_t)b,
                (size_t)width * sizeof(int)) == 0;
}

bool pl_sort_keys(int n, int width, const int* key, int nid, int* order) {
  int* previous = PL_NEW(int, n);
  int* start = PL_NEW(int, (size_t)nid + 1);
  bool ok = previous && start;
  for (int i = 0; ok && i < n; i++) order[i] = i;
  // From the last id to the first: a stable counting sort by each.
  for (int digit = width - 1; ok && digit >= 0; digit--) {
    const int* id = key + digit;
    memset(start, 0, ((size_t)nid + 1) * sizeof *start);
    for (int i = 0; i < n; i++) start[id[(size_t)width * (size_t)i] + 1]++;
    for (int i = 0; i < nid; i++) start[i + 1] += start[i];
    memcpy(previous, order, (size_t)n * sizeof *order);
    for (int i = 0; i < n; i++) order[start[id[(size_t)width * (size_t)previous[i]]]++] = previous[i];
  }
  pl_free(previous);
  pl_free(start);
  return ok;
}

int* pl_mesh_face_keys(const plMesh* mesh) {
  int* key = PL_NEW(int, 12 * (size_t)mesh->ntet);
  for (int t = 0; key && t < mesh->ntet; t++) {
    int* face = key + 12 * (size_t)t;
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 3; j++) face[3 * i + j] = mesh->tet[4 * (size_t)t + (size_t)pl_tet_face[i][j]];
    pl_sorted_ids(4, 3, face, face);
  }
  return key;
}

// ---- edges

static void put_edge(int* key, size_t* n, int a, int b) {
  key[2 * *n] = a < b ? a : b;
  key[2 * *n + 1] = a < b ? b : a;
  ++*n;
}

plStatus pl_mesh_edges(const plMesh* mesh, int** edge, int* nedge, plError* error) {
  plStatus status = pl_mesh_check_ids(mesh, error);
  if (status) return status;
  size_t all = 6 * (size_t)mesh->ntet + 3 * (size_t)mesh->ntri;
  if (all > INT_MAX / 2)
    return pl_fail(error, PL_ERROR_TOO_LARGE, "the mesh has %zu edges, more than can be listed", all);
  int* key = PL_NEW(int, 2 * all);
  int* order = PL_NEW(int, all);
  int* unique = PL_NEW(int, 2 * all);
  size_t n = 0;
  if (key)
    for (size_t t = 0; t < (size_t)mesh->ntet; t++)
      for (int i = 0; i < 6; i++)
        put_edge(key, &n, mesh->tet[4 * t + (size_t)pl_tet_edge[i][0]],
                 mesh->tet[4 * t + (size_t)pl_tet_edge[i][1]]);
  if (key)
    for (size_t t = 0; t < (size_t)mesh->ntri; t++)
      for (size_t i = 0; i < 3; i++) put_edge(key, &n, mesh->tri[3 * t + i], mesh->tri[3 * t + (i + 1) % 3]);
  if (!key || !order || !unique || !pl_sort_keys((int)n, 2, key, mesh->nvert, order)) {
    pl_free(unique);
    status = pl_fail_out_of_memory(error, 8 * all);
  } else {
    *nedge = 0;
    for (int k = 0; k < (int)n; k++)
      if (k == 0 || !pl_same_key(2, key, order[k - 1], order[k]))
        memcpy(unique + 2 * (size_t)(*nedge)++, key + 2 * (size_t)order[k], 2 * sizeof(int));
    *edge = unique;
  }
  pl_free(key);
  pl_free(order);
  return status;
}

// ---- boundary

// Marks the faces that belong to one tet only: single[face] = 1; returns their number, -1 if memory runs out.
static int mark_single_faces(const plMesh* mesh, char* single) {
  int nface = 4 * mesh->ntet, found = 0;
  int* key = pl_mesh_face_keys(mesh);
  int* order = PL_NEW(int, nface);
  bool ok = key && order && pl_sort_keys(nface, 3, key, mesh->nvert, order);
  for (int begin = 0, end; ok && begin < nface; begin = end) {
    for (end = begin + 1; end < nface && pl_same_key(3, key, order[begin], order[end]);) end++;
    if (end == begin + 1) single[order[begin]] = 1, found++;
  }
  pl_free(key);
  pl_free(order);
  return ok ? found : -1;
}

plStatus pl_mesh_tet_boundary(const plMesh* mesh, int** tri, int* ntri, plError* error) {
  plStatus status = pl_mesh_check_ids(mesh, error);
  if (status) return status;
  char* single = PL_NEW(char, 4 * (size_t)mesh->ntet);
  int n = single ? mark_single_faces(mesh, single) : -1;
  int* facet = n >= 0 ? PL_NEW(int, 3 * (size_t)n) : NULL;
  if (!facet) {
    pl_free(single);
    return pl_fail_out_of_memory(error, 28 * 4 * (size_t)mesh->ntet);
  }
  // Outward: as listed in pl_tet_face, reversed for an inverted tet.
  int k = 0;
  for (int t = 0; t < mesh->ntet; t++)
    for (int i = 0; i < 4; i++) {
      if (!single[4 * t + i]) continue;
      const int* v = mesh->tet + 4 * (size_t)t;
      int* to = facet + 3 * (size_t)k++;
      bool inverted = pl_mesh_tet_volume6(mesh, t) < 0;
      to[0] = v[pl_tet_face[i][0]];
      to[1] = v[pl_tet_face[i][inverted ? 2 : 1]];
      to[2] = v[pl_tet_face[i][inverted ? 1 : 2]];
    }
  pl_free(single);
  *tri = facet;
  *ntri = n;
  return PL_OK;
}

plStatus pl_mesh_boundary(plMesh* mesh, plError* error) {
  assert(mesh != NULL);
  int *tri, ntri;
  plStatus status = pl_mesh_tet_boundary(mesh, &tri, &ntri, error);
  if (status) return status;
  pl_free(mesh->tri);
  mesh->tri = tri;
  mesh->ntri = ntri;
  return PL_OK;
}

// ---- transform

static void swap_last_two(int n, int width, int* element) {
  for (int e = 0; e < n; e++) {
    int* last = element + (size_t)width * ((size_t)e + 1) - 2;
    int id = last[0];
    last[0] = last[1];
    last[1] = id;
  }
}

void pl_mesh_transform(plMesh* mesh, plVec3 scale, plPose pose) {
  assert(mesh != NULL);
  for (size_t v = 0; v < (size_t)mesh->nvert; v++) {
    plVec3 x = v3_load(mesh->vert + 3 * v);
    v3_store(mesh->vert + 3 * v, pose_apply(pose, v3(scale.x * x.x, scale.y * x.y, scale.z * x.z)));
  }
  // A reflection turns every element inside out; reverse them.
  if (scale.x * scale.y * scale.z < 0) {
    swap_last_two(mesh->ntet, 4, mesh->tet);
    swap_last_two(mesh->ntri, 3, mesh->tri);
  }
}

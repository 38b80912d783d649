// mesh_check.c: properties of a mesh: counts, sizes, faults, quality. plMesh -> plMeshReport.
//
// Quality is the mean ratio 12 (3 |V|)^(2/3) / sum of the squared edge lengths: 1 for a regular tet, 0 for a
// flat one. Everything takes linear or n log n time. Elements with a vertex that is not finite are left out
// of all sums.
#include <assert.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"

static const double MM_EXTENT = 20.0;  // m: no object that a robot handles is larger

// ---- vertices

// Which vertices an element uses: used[v] = 1.
static void mark_used(const plMesh* mesh, char* used) {
  for (size_t i = 0; i < 4 * (size_t)mesh->ntet; i++) used[mesh->tet[i]] = 1;
  for (size_t i = 0; i < 3 * (size_t)mesh->ntri; i++) used[mesh->tri[i]] = 1;
}

static plStatus check_vertices(const plMesh* mesh, plMeshReport* report, plError* error) {
  char* used = PL_NEW(char, mesh->nvert);
  int* first = PL_NEW(int, mesh->nvert);
  if (!used || !first || !pl_first_at_place(mesh->nvert, mesh->vert, first)) {
    pl_free(used);
    pl_free(first);
    return pl_fail_out_of_memory(error, 69 * (size_t)mesh->nvert);
  }
  mark_used(mesh, used);
  // The bounding box of the vertices that elements use, or of all vertices if there is no element.
  bool any = mesh->ntet || mesh->ntri, empty = true;
  for (int v = 0; v < mesh->nvert; v++) {
    plVec3 x = pl_mesh_vertex(mesh, v);
    report->unused += !used[v];
    report->coincident += first[v] != v;
    report->not_finite += !v3_finite(x);
    if (!v3_finite(x) || (any && !used[v])) continue;
    report->lower = empty ? x : v3_min(report->lower, x);
    report->upper = empty ? x : v3_max(report->upper, x);
    empty = false;
  }
  plVec3 size = v3_sub(report->upper, report->lower);
  report->looks_like_mm = fmax(size.x, fmax(size.y, size.z)) > MM_EXTENT;
  pl_free(used);
  pl_free(first);
  return PL_OK;
}

// ---- elements

static void check_tets(const plMesh* mesh, plMeshReport* report) {
  int counted = 0;
  double sum = 0;
  report->quality_min = mesh->ntet ? 1 : 0;
  for (int t = 0; t < mesh->ntet; t++) {
    double volume = pl_mesh_tet_volume6(mesh, t) / 6, edges2 = 0;
    for (int i = 0; i < 6; i++) {
      const int* v = mesh->tet + 4 * (size_t)t;
      plVec3 edge =
          v3_sub(pl_mesh_vertex(mesh, v[pl_tet_edge[i][1]]), pl_mesh_vertex(mesh, v[pl_tet_edge[i][0]]));
      edges2 += v3_norm2(edge);
    }
    if (!isfinite(volume) || !isfinite(edges2)) continue;
    bool flat = pl_mesh_tet_is_flat(mesh, t);
    report->flat += flat;
    report->inverted += volume < 0 && !flat;
    report->volume += fabs(volume);
    // Quality, clamped to [0, 1] against rounding.
    double quality = edges2 > 0 ? 12 * pow(3 * fabs(volume), 2.0 / 3) / edges2 : 0;
    if (!(quality > 0)) quality = 0;
    if (quality > 1) quality = 1;
    int bin = (int)(PL_QUALITY_BINS * quality);
    report->quality[bin < PL_QUALITY_BINS ? bin : PL_QUALITY_BINS - 1]++;
    report->quality_min = fmin(report->quality_min, quality);
    sum += quality;
    counted++;
  }
  report->quality_mean = counted ? sum / counted : 0;
}

static void check_flat_triangles(const plMesh* mesh, plMeshReport* report) {
  for (int t = 0; t < mesh->ntri; t++)
    report->flat += v3_finite(pl_mesh_tri_area2(mesh, t)) && pl_mesh_tri_is_flat(mesh, t);
}

// Number of elements with the same ids as an earlier one; -1 if memory runs out.
static int count_duplicates(const plMesh* mesh, int n, int width, const int* element) {
  int* key = PL_NEW(int, (size_t)width*(size_t)n);
  int* order = PL_NEW(int, n);
  int found = -1;
  if (key && order) {
    pl_sorted_ids(n, width, element, key);
    if (pl_sort_keys(n, width, key, mesh->nvert, order)) found = 0;
    for (int k = 1; found >= 0 && k < n; k++) found += pl_same_key(width, key, order[k - 1], order[k]);
  }
  pl_free(key);
  pl_free(order);
  return found;
}

// Number of connected components; -1 if memory runs out.
static int count_components(const plMesh* mesh) {
  int* parent = PL_NEW(int, mesh->nvert);
  char* used = PL_NEW(char, mesh->nvert);
  int found = -1;
  if (parent && used) {
    for (int v = 0; v < mesh->nvert; v++) parent[v] = v;
    mark_used(mesh, used);
    for (size_t t = 0; t < (size_t)mesh->ntet; t++)
      for (size_t i = 1; i < 4; i++) pl_set_join(parent, mesh->tet[4 * t], mesh->tet[4 * t + i]);
    for (size_t t = 0; t < (size_t)mesh->ntri; t++)
      for (size_t i = 1; i < 3; i++) pl_set_join(parent, mesh->tri[3 * t], mesh->tri[3 * t + i]);
    found = 0;
    for (int v = 0; v < mesh->nvert; v++) found += used[v] && parent[v] == v;
  }
  pl_free(parent);
  pl_free(used);
  return found;
}

static plStatus check_edge_lengths(const plMesh* mesh, plMeshReport* report, plError* error) {
  int *edge, nedge, counted = 0;
  plStatus status = pl_mesh_edges(mesh, &edge, &nedge, error);
  if (status) return status;
  double sum = 0;
  for (size_t e = 0; e < (size_t)nedge; e++) {
    double length = v3_norm(v3_sub(pl_mesh_vertex(mesh, edge[2 * e + 1]), pl_mesh_vertex(mesh, edge[2 * e])));
    if (!isfinite(length)) continue;
    report->edge_min = counted ? fmin(report->edge_min, length) : length;
    report->edge_max = fmax(report->edge_max, length);
    sum += length;
    counted++;
  }
  report->edge_mean = counted ? sum / counted : 0;
  pl_free(edge);
  return PL_OK;
}

// ---- boundary

// Area, enclosed volume and vertices of a surface; false if memory runs out.
static bool measure_surface(const plMesh* surface, plMeshReport* report, double* enclosed) {
  char* on = PL_NEW(char, surface->nvert);
  if (!on) return false;
  // Volume by the divergence theorem, relative to a nearby vertex, which avoids cancellation.
  plVec3 origin = report->lower;
  double volume6 = 0, area = 0;
  for (int t = 0; t < surface->ntri; t++) {
    plVec3 area2 = pl_mesh_tri_area2(surface, t),
           x = v3_sub(pl_mesh_vertex(surface, surface->tri[3 * (size_t)t]), origin);
    double part = v3_dot(area2, x);
    if (isfinite(part)) area += v3_norm(area2) / 2, volume6 += part;
    for (size_t i = 0; i < 3; i++) on[surface->tri[3 * (size_t)t + i]] = 1;
  }
  report->boundary_tri = surface->ntri;
  for (int v = 0; v < surface->nvert; v++) report->boundary_vert += on[v];
  report->area = area;
  *enclosed = volume6 / 6;
  pl_free(on);
  return true;
}

// Counts open, non-manifold and inconsistently oriented edges of a surface; false if memory runs out.
static bool check_surface_edges(const plMesh* surface, plMeshReport* report) {
  int *key, *order, n;
  if (!pl_half_edges(surface->ntri, surface->tri, surface->nvert, &key, &order, &n)) return false;
  for (int begin = 0, end; begin < n; begin = end) {
    for (end = begin + 1; end < n && pl_same_key(2, key, order[begin], order[end]);) end++;
    report->boundary_open += end - begin == 1;
    report->nonmanifold += end - begin > 2;
    // Two facets are consistent if they traverse their common edge in opposite directions.
    if (end - begin == 2) report->misoriented += surface->tri[order[begin]] == surface->tri[order[begin + 1]];
  }
  pl_free(key);
  pl_free(order);
  return true;
}

static plStatus check_boundary(const plMesh* mesh, plMeshReport* report, plError* error) {
  plMesh surface = *mesh;
  int* boundary = NULL;
  if (mesh->ntet) {
    plStatus status = pl_mesh_tet_boundary(mesh, &boundary, &surface.ntri, error);
    if (status) return status;
    surface.tri = boundary;
  }
  double enclosed = 0;
  bool ok = measure_surface(&surface, report, &enclosed) && check_surface_edges(&surface, report);
  if (!mesh->ntet) {
    report->volume = enclosed;
    // Closed and consistent, but inside out as a whole.
    if (!report->boundary_open && !report->nonmanifold && !report->misoriented && enclosed < 0)
      report->misoriented = 1;
  }
  pl_free(boundary);
  return ok ? PL_OK : pl_fail_out_of_memory(error, 36 * (size_t)surface.ntri);
}

plStatus pl_mesh_check(const plMesh* mesh, plMeshReport* result, plError* error) {
  assert(mesh != NULL && result != NULL);
  plMeshReport report = {.nvert = mesh->nvert, .ntet = mesh->ntet, .ntri = mesh->ntri};
  plStatus status = pl_mesh_check_ids(mesh, error);
  if (!status) status = check_vertices(mesh, &report, error);
  if (!status) status = check_edge_lengths(mesh, &report, error);
  if (status) return status;
  check_tets(mesh, &report);
  check_flat_triangles(mesh, &report);
  int same_tets = count_duplicates(mesh, mesh->ntet, 4, mesh->tet);
  int same_triangles = count_duplicates(mesh, mesh->ntri, 3, mesh->tri);
  report.component = count_components(mesh);
  if (same_tets < 0 || same_triangles < 0 || report.component < 0)
    return pl_fail_out_of_memory(error,
                                 5 * (size_t)mesh->nvert + 20 * (size_t)mesh->ntet + 16 * (size_t)mesh->ntri);
  report.duplicate = same_tets + same_triangles;
  status = check_boundary(mesh, &report, error);
  if (!status) *result = report;
  return status;
}

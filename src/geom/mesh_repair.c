// mesh_repair.c: repairs what can be repaired safely. plMesh -> plMesh and sentences about the repairs.
//
// Work is done on a copy, so that a mesh which cannot be repaired stays as it was. Flat triangles cannot
// simply be dropped, because that would open the surface. A triangle that names a vertex twice is dropped;
// for one whose vertices lie on a line, the edge to its neighbour is flipped.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/mesh_text.h"

enum { FLIP_PASSES = 32 };

typedef struct Done {
  int merged, turned_tets, same, flat_tets, flat_triangles, flipped, kept_flat, turned_triangles, unused;
  int loose;  // triangles of a volume that are not a face of a tetrahedron
} Done;

// ---- vertices

static plStatus check_coordinates(const plMesh* mesh, int n, int width, const int* element, const char* what,
                                  plError* error) {
  for (size_t i = 0; i < (size_t)n * (size_t)width; i++) {
    plVec3 x = pl_mesh_vertex(mesh, element[i]);
    double most = fmax(fmax(fabs(x.x), fabs(x.y)), fabs(x.z));
    if (v3_finite(x) && most > PL_LENGTH_MAX)
      return pl_fail(
          error, PL_ERROR_INPUT,
          "%s %zu uses vertex %d, which has a coordinate of %g m: lengths are at most %g m; scale the "
          "mesh",
          what, i / (size_t)width, element[i], most, PL_LENGTH_MAX);
    if (!v3_finite(x))
      return pl_fail(error, PL_ERROR_INPUT,
                     "%s %zu uses vertex %d, which has a coordinate that is not a finite number: this cannot "
                     "be repaired; "
                     "correct the file",
                     what, i / (size_t)width, element[i]);
  }
  return PL_OK;
}

static bool merge_coincident(plMesh* mesh, Done* done) {
  int* first = PL_NEW(int, mesh->nvert);
  bool ok = first && pl_first_at_place(mesh->nvert, mesh->vert, first);
  if (ok) {
    for (int v = 0; v < mesh->nvert; v++) done->merged += first[v] != v;
    for (size_t i = 0; i < 3 * (size_t)mesh->ntri; i++) mesh->tri[i] = first[mesh->tri[i]];
  }
  pl_free(first);
  return ok;
}

static bool drop_unused(plMesh* mesh, Done* done) {
  int *id = PL_NEW(int, mesh->nvert), *number = PL_NEW(int, mesh->nvert);
  if (!id || !number) {
    pl_free(id);
    pl_free(number);
    return false;
  }
  for (size_t i = 0; i < 4 * (size_t)mesh->ntet; i++) id[mesh->tet[i]] = 1;
  for (size_t i = 0; i < 3 * (size_t)mesh->ntri; i++) id[mesh->tri[i]] = 1;
  // New ids in the old order.
  int kept = 0;
  for (int v = 0; v < mesh->nvert; v++) {
    if (!id[v]) continue;
    memmove(mesh->vert + 3 * (size_t)kept, mesh->vert + 3 * (size_t)v, 3 * sizeof(double));
    number[kept] = pl_mesh_number(mesh, v);
    id[v] = kept++;
  }
  for (size_t i = 0; i < 4 * (size_t)mesh->ntet; i++) mesh->tet[i] = id[mesh->tet[i]];
  for (size_t i = 0; i < 3 * (size_t)mesh->ntri; i++) mesh->tri[i] = id[mesh->tri[i]];
  // Merged vertices are unused too, but have been reported already.
  done->unused = mesh->nvert - kept - done->merged;
  if (kept < mesh->nvert) {
    int count = pl_mesh_nnumber(mesh), *old = mesh->number;
    mesh->number = number, mesh->nnumber = count, number = old;
  }
  mesh->nvert = kept;
  pl_free(id);
  pl_free(number);
  return true;
}

// ---- elements

// Keeps the unmarked elements in order; returns the number of removed ones.
static int drop_marked(int* n, int width, int* element, const char* mark) {
  int kept = 0;
  for (int e = 0; e < *n; e++)
    if (!mark[e])
      memmove(element + (size_t)width * (size_t)kept++, element + (size_t)width * (size_t)e,
              (size_t)width * sizeof(int));
  int dropped = *n - kept;
  *n = kept;
  return dropped;
}

static bool drop_same(const plMesh* mesh, int* n, int width, int* element, Done* done) {
  int* key = PL_NEW(int, (size_t)width*(size_t)*n);
  int* order = PL_NEW(int, *n);
  char* mark = PL_NEW(char, *n);
  if (key && order && mark) pl_sorted_ids(*n, width, element, key);
  bool ok = key && order && mark && pl_sort_keys(*n, width, key, mesh->nvert, order);
  // Equal keys are in the order of the elements: the first one is kept.
  for (int k = 1; ok && k < *n; k++) mark[order[k]] = pl_same_key(width, key, order[k - 1], order[k]);
  if (ok) done->same += drop_marked(n, width, element, mark);
  pl_free(key);
  pl_free(order);
  pl_free(mark);
  return ok;
}

static bool mend_tets(plMesh* mesh, Done* done) {
  char* mark = PL_NEW(char, mesh->ntet);
  if (!mark) return false;
  for (int t = 0; t < mesh->ntet; t++) {
    int* v = mesh->tet + 4 * (size_t)t;
    if (pl_mesh_tet_is_flat(mesh, t)) {
      mark[t] = 1;
    } else if (pl_mesh_tet_volume6(mesh, t) < 0) {
      int id = v[2];
      v[2] = v[3];
      v[3] = id;
      done->turned_tets++;
    }
  }
  done->flat_tets = drop_marked(&mesh->ntet, 4, mesh->tet, mark);
  pl_free(mark);
  return true;
}

static bool drop_collapsed_triangles(plMesh* mesh, Done* done) {
  char* mark = PL_NEW(char, mesh->ntri);
  if (!mark) return false;
  for (int t = 0; t < mesh->ntri; t++) {
    const int* v = mesh->tri + 3 * (size_t)t;
    mark[t] = v[0] == v[1] || v[1] == v[2] || v[2] == v[0];
  }
  done->flat_triangles += drop_marked(&mesh->ntri, 3, mesh->tri, mark);
  pl_free(mark);
  return true;
}

// ---- flat triangles with three vertices on a line

// The half-edge along the longest side if triangle t is flat, -1 if it is not.
static int flat_side(const plMesh* mesh, int t) {
  const int* v = mesh->tri + 3 * (size_t)t;
  double longest2 = -1;
  int side = 0;
  for (int i = 0; i < 3; i++) {
    double length2 = v3_norm2(v3_sub(pl_mesh_vertex(mesh, v[(i + 1) % 3]), pl_mesh_vertex(mesh, v[i])));
    if (length2 > longest2) longest2 = length2, side = i;
  }
  return pl_mesh_tri_is_flat(mesh, t) ? 3 * t + side : -1;
}

// The first position in order whose edge is not before (a, b), by bisection.
static int find_edge(const int* key, const int* order, int n, int a, int b) {
  int low = 0, high = n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    const int* k = key + 2 * (size_t)order[middle];
    if (k[0] < a || (k[0] == a && k[1] < b))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int count_on_edge(const int* key, const int* order, int n, int a, int b, int* at) {
  int low = a < b ? a : b, high = a < b ? b : a, count = 0;
  *at = find_edge(key, order, n, low, high);
  while (*at + count < n && key[2 * (size_t)order[*at + count]] == low &&
         key[2 * (size_t)order[*at + count] + 1] == high)
    count++;
  return count;
}

// Replaces the common edge of the flat triangle (a, b, c), c between a and b, and its neighbour (b, a, d) by
// the edge (c, d).
static bool flip(plMesh* mesh, const int* key, const int* order, int n, int h, char* touched) {
  int* tri = mesh->tri;
  int t = h / 3, a = tri[h], b = tri[pl_half_edge_next(h)], c = tri[pl_half_edge_next(pl_half_edge_next(h))],
      at, ignore;
  if (count_on_edge(key, order, n, a, b, &at) != 2) return false;
  int m = order[at] / 3 == t ? order[at + 1] : order[at], u = m / 3,
      d = tri[pl_half_edge_next(pl_half_edge_next(m))];
  if (touched[t] || touched[u] || tri[m] != b || c == d || count_on_edge(key, order, n, c, d, &ignore))
    return false;
  memcpy(tri + 3 * (size_t)t, (int[3]){c, a, d}, sizeof(int[3]));
  memcpy(tri + 3 * (size_t)u, (int[3]){d, b, c}, sizeof(int[3]));
  touched[t] = touched[u] = 1;
  return true;
}

// One pass over all flat triangles; returns how many were flipped, -1 if memory runs out; *left counts the
// flat ones seen.
static int flip_pass(plMesh* mesh, int* left) {
  int *key = NULL, *order = NULL, n = 0, flipped = 0;
  char* touched = PL_NEW(char, mesh->ntri);
  bool ok = touched && pl_half_edges(mesh->ntri, mesh->tri, mesh->nvert, &key, &order, &n);
  *left = 0;
  for (int t = 0; ok && t < mesh->ntri; t++) {
    int h = touched[t] ? -1 : flat_side(mesh, t);
    if (h < 0) continue;
    ++*left;
    flipped += flip(mesh, key, order, n, h, touched);
  }
  pl_free(touched);
  pl_free(key);
  pl_free(order);
  return ok ? flipped : -1;
}

static bool flip_flat_triangles(plMesh* mesh, Done* done) {
  int left = 0, flipped = 1;
  for (int pass = 0; pass < FLIP_PASSES && flipped > 0; pass++) {
    flipped = flip_pass(mesh, &left);
    if (flipped > 0) done->flipped += flipped;
  }
  done->kept_flat = left;
  return flipped >= 0;
}

// ---- the whole repair

static bool mend_surface(plMesh* mesh, Done* done) {
  if (!merge_coincident(mesh, done) || !drop_collapsed_triangles(mesh, done)) return false;
  if (!drop_same(mesh, &mesh->ntri, 3, mesh->tri, done)) return false;
  done->turned_triangles = pl_surface_orient(mesh);
  return done->turned_triangles >= 0 && flip_flat_triangles(mesh, done);
}

// Counts the triangles beside tetrahedra that are not a face of one: they are not part of the boundary.
static bool count_loose(const plMesh* mesh, Done* done) {
  int nface = 4 * mesh->ntet, n = nface + mesh->ntri;
  int *face = pl_mesh_face_keys(mesh), *key = PL_NEW(int, 3 * (size_t)n), *order = PL_NEW(int, n);
  bool ok = face && key && order;
  if (ok) {
    memcpy(key, face, 3 * (size_t)nface * sizeof(int));
    pl_sorted_ids(mesh->ntri, 3, mesh->tri, key + 3 * (size_t)nface);
    ok = pl_sort_keys(n, 3, key, mesh->nvert, order);
  }
  // equal keys are in the order of the list: those of tetrahedra come first
  for (int begin = 0, end; ok && begin < n; begin = end) {
    for (end = begin + 1; end < n && pl_same_key(3, key, order[begin], order[end]);) end++;
    if (order[begin] >= nface) done->loose += end - begin;
  }
  pl_free(face);
  pl_free(key);
  pl_free(order);
  return ok;
}

static plStatus mend_volume(plMesh* mesh, Done* done, plError* error) {
  if (mesh->ntri && !count_loose(mesh, done))
    return pl_fail_out_of_memory(error, 28 * (4 * (size_t)mesh->ntet + (size_t)mesh->ntri));
  if (!mend_tets(mesh, done) || !drop_same(mesh, &mesh->ntet, 4, mesh->tet, done))
    return pl_fail_out_of_memory(error, 20 * (size_t)mesh->ntet);
  // The triangles of a tet mesh are its boundary.
  return mesh->ntri && mesh->ntet ? pl_mesh_boundary(mesh, error) : PL_OK;
}

static void write_log(const Done* done, bool surface, char* log, size_t log_size) {
  plSentences lines = pl_sentences(log, log_size);
  if (done->merged)
    pl_say(&lines, "Merged %d %s with another one at the same position.", done->merged,
           pl_plural(done->merged, "vertex", "vertices"));
  if (done->turned_tets)
    pl_say(&lines, "Reoriented %d inverted %s.", done->turned_tets,
           pl_plural(done->turned_tets, "tetrahedron", "tetrahedra"));
  if (done->flat_tets)
    pl_say(&lines, "Dropped %d flat %s.", done->flat_tets,
           pl_plural(done->flat_tets, "tetrahedron", "tetrahedra"));
  if (done->flat_triangles)
    pl_say(&lines, "Dropped %d %s collapsed to an edge or a point.", done->flat_triangles,
           pl_plural(done->flat_triangles, "triangle that is", "triangles that are"));
  if (done->same)
    pl_say(&lines, "Dropped %d %s of other %s.", done->same, pl_plural(done->same, "copy", "copies"),
           surface ? "triangles" : "tetrahedra");
  if (done->turned_triangles)
    pl_say(&lines, "Turned %d %s outward.", done->turned_triangles,
           pl_plural(done->turned_triangles, "triangle", "triangles"));
  if (done->flipped)
    pl_say(&lines, "Joined %d flat %s to a neighbour.", done->flipped,
           pl_plural(done->flipped, "triangle", "triangles"));
  if (done->kept_flat)
    pl_say(&lines, "Kept %d flat %s: without %s the surface would be open.", done->kept_flat,
           pl_plural(done->kept_flat, "triangle", "triangles"), pl_plural(done->kept_flat, "it", "them"));
  if (done->loose)
    pl_say(&lines, "Dropped %d %s of a tetrahedron.", done->loose,
           pl_plural(done->loose, "triangle that is not a face", "triangles that are not faces"));
  if (done->unused)
    pl_say(&lines, "Dropped %d %s that no element uses.", done->unused,
           pl_plural(done->unused, "vertex", "vertices"));
}

static plStatus mend(plMesh* mesh, Done* done, plError* error) {
  bool surface = mesh->ntet == 0;
  plStatus status = check_coordinates(mesh, mesh->ntet, 4, mesh->tet, "tetrahedron", error);
  if (!status) status = check_coordinates(mesh, mesh->ntri, 3, mesh->tri, "triangle", error);
  if (!status && surface && !mend_surface(mesh, done))
    status = pl_fail_out_of_memory(error, 60 * (size_t)mesh->ntri);
  if (!status && !surface) status = mend_volume(mesh, done, error);
  if (status) return status;
  if (surface ? !mesh->ntri : !mesh->ntet)
    return pl_fail(error, PL_ERROR_INPUT,
                   "every %s of the mesh is flat: nothing would be left of it; check the file and its scale",
                   surface ? "triangle" : "tetrahedron");
  if (!drop_unused(mesh, done)) return pl_fail_out_of_memory(error, 8 * (size_t)mesh->nvert);
  return PL_OK;
}

plStatus pl_mesh_repair(plMesh* mesh, char* log, size_t log_size, plError* error) {
  assert(mesh != NULL);
  Done done = {0};
  bool surface = mesh->ntet == 0;
  pl_sentences(log, log_size);
  if (!mesh->ntet && !mesh->ntri)
    return pl_fail(error, PL_ERROR_INPUT, "the mesh has no tetrahedron and no triangle to repair");
  plStatus status = pl_mesh_check_ids(mesh, error);
  if (status) return status;
  plMesh* copy = pl_mesh_copy(mesh, error);
  if (!copy) return PL_ERROR_MEMORY;
  status = mend(copy, &done, error);
  if (!status) {
    // Exchanges the repaired arrays with the old ones.
    plMesh old = *mesh;
    *mesh = *copy;
    *copy = old;
    write_log(&done, surface, log, log_size);
  }
  pl_mesh_destroy(copy);
  return status;
}

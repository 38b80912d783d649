// mesh_builder.c: collects vertices and elements of a file and makes a mesh from them.
#include "input/mesh_builder.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "geom/mesh.h"

void pl_builder_free(plMeshBuilder* b) {
  pl_free(b->vert);
  pl_free(b->tet);
  pl_free(b->tri);
  pl_free(b->number);
  pl_free(b->part);
  memset(b, 0, sizeof *b);
}

static plStatus fail_memory(const plCursor* c, size_t bytes) {
  return pl_fail_out_of_memory(c->error, bytes);
}

plStatus pl_builder_vertex(plMeshBuilder* b, const plCursor* c, const double x[3]) {
  for (int i = 0; i < 3; i++)
    if (!isfinite(x[i]))
      return pl_cursor_fail(c, "coordinate %c of vertex %d is not a finite number", "xyz"[i],
                            pl_builder_nvert(b));
  for (int i = 0; i < 3; i++)
    if (fabs(x[i]) > PL_NUMBER_MAX)
      return pl_cursor_fail(c, "coordinate %c of vertex %d is %g; numbers are at most %g", "xyz"[i],
                            pl_builder_nvert(b), x[i], PL_NUMBER_MAX);
  if (pl_builder_nvert(b) >= PL_MESH_ELEMENT_MAX)
    return pl_cursor_fail(c, "the file holds more than %d vertices", PL_MESH_ELEMENT_MAX);
  for (int i = 0; i < 3; i++)
    if (!PL_PUSH(b->vert, b->vert_n, b->vert_cap, x[i])) return fail_memory(c, 16 * (size_t)b->vert_n);
  return PL_OK;
}

plStatus pl_builder_read_vertex(plMeshBuilder* b, plCursor* c, plNumber type) {
  static const char* const what[3] = {"the x coordinate of a vertex", "the y coordinate of a vertex",
                                      "the z coordinate of a vertex"};
  double x[3];
  for (int i = 0; i < 3; i++) {
    plStatus status = pl_cursor_real(c, type, what[i], &x[i]);
    if (status) return status;
  }
  return pl_builder_vertex(b, c, x);
}

static plStatus check_id(const plCursor* c, long long id, long long nvert) {
  if (id >= 0 && id < nvert) return PL_OK;
  if (nvert == 0) return pl_cursor_fail(c, "an element appears before any vertex");
  return pl_cursor_fail(
      c,
      "an element refers to vertex number %lld (counted from 0), but the file has %lld vertices (0 .. %lld)",
      id, nvert, nvert - 1);
}

plStatus pl_builder_tet(plMeshBuilder* b, const plCursor* c, const long long id[4], long long nvert) {
  if (b->tet_n / 4 >= PL_MESH_ELEMENT_MAX)
    return pl_cursor_fail(c, "the file holds more than %d tetrahedra", PL_MESH_ELEMENT_MAX);
  for (int i = 0; i < 4; i++) {
    plStatus status = check_id(c, id[i], nvert);
    if (status) return status;
  }
  for (int i = 0; i < 4; i++)
    if (!PL_PUSH(b->tet, b->tet_n, b->tet_cap, (int)id[i])) return fail_memory(c, 8 * (size_t)b->tet_n);
  return PL_OK;
}

plStatus pl_builder_tri(plMeshBuilder* b, const plCursor* c, const long long id[3], long long nvert) {
  if (b->tri_n / 3 >= PL_MESH_ELEMENT_MAX)
    return pl_cursor_fail(c, "the file holds more than %d triangles", PL_MESH_ELEMENT_MAX);
  for (int i = 0; i < 3; i++) {
    plStatus status = check_id(c, id[i], nvert);
    if (status) return status;
  }
  for (int i = 0; i < 3; i++)
    if (!PL_PUSH(b->tri, b->tri_n, b->tri_cap, (int)id[i])) return fail_memory(c, 8 * (size_t)b->tri_n);
  return PL_OK;
}

plStatus pl_builder_read_polygon(plMeshBuilder* b, plCursor* c, plNumber type, long long n, long long first,
                                 long long nvert) {
  long long fan[3] = {0, 0, 0};
  for (long long i = 0; i < n; i++) {
    long long id;
    plStatus status = pl_cursor_int(c, type, "a vertex number of a polygon", &id);
    if (!status) status = check_id(c, id, nvert);
    if (status) return status;
    // first, previous, this
    if (i > 1) fan[1] = fan[2];
    fan[i < 2 ? i : 2] = first + id;
    if (i == 1) fan[2] = fan[1];
    if (i >= 2 && (status = pl_builder_tri(b, c, fan, first + nvert))) return status;
  }
  b->skipped += n < 3;
  return PL_OK;
}

plStatus pl_builder_weld(plMeshBuilder* b, const plCursor* c) {
  int nvert = pl_builder_nvert(b), kept = 0;
  int* first = PL_NEW(int, nvert);
  if (!first || !pl_first_at_place(nvert, b->vert, first)) {
    pl_free(first);
    return fail_memory(c, 68 * (size_t)nvert);
  }
  // The first vertex at a position gets the next id; first[] then holds new ids.
  for (int v = 0; v < nvert; v++) {
    bool is_first = first[v] == v;
    if (is_first) memmove(b->vert + 3 * (size_t)kept, b->vert + 3 * (size_t)v, 3 * sizeof(double));
    first[v] = is_first ? kept++ : first[first[v]];
  }
  for (int i = 0; i < b->tri_n; i++) {
    assert(b->tri[i] >= 0 && b->tri[i] < nvert);
    b->tri[i] = first[b->tri[i]];
  }
  for (int i = 0; i < b->tet_n; i++) {
    assert(b->tet[i] >= 0 && b->tet[i] < nvert);
    b->tet[i] = first[b->tet[i]];
  }
  b->vert_n = 3 * kept;
  pl_free(first);
  return PL_OK;
}

// "3 pyramids, 2 wedges"
static void list_refused(const plMeshBuilder* b, char* text, size_t size) {
  size_t used = 0;
  for (int k = 0; k < b->nrefused && used < size; k++)
    used += (size_t)snprintf(text + used, size - used, "%s%lld %s", k ? ", " : "", b->refused[k].count,
                             b->refused[k].name);
}

// Nodes between corners belong to no element that was read.
static bool drop_unused(plMeshBuilder* b) {
  int nvert = pl_builder_nvert(b), kept = 0;
  int* place = PL_NEW(int, nvert);
  b->number = PL_NEW(int, nvert), b->nnumber = nvert;
  if (!place || !b->number) {
    pl_free(place);
    return false;
  }
  for (int i = 0; i < b->tet_n; i++) {
    assert(b->tet[i] >= 0 && b->tet[i] < nvert);
    place[b->tet[i]] = 1;
  }
  for (int i = 0; i < b->tri_n; i++) {
    assert(b->tri[i] >= 0 && b->tri[i] < nvert);
    place[b->tri[i]] = 1;
  }
  for (int v = 0; v < nvert; v++) {
    if (!place[v]) continue;
    memmove(b->vert + 3 * (size_t)kept, b->vert + 3 * (size_t)v, 3 * sizeof(double));
    b->number[kept] = v;
    place[v] = kept++;
  }
  for (int i = 0; i < b->tet_n; i++) b->tet[i] = place[b->tet[i]];
  for (int i = 0; i < b->tri_n; i++) b->tri[i] = place[b->tri[i]];
  b->vert_n = 3 * kept;
  pl_free(place);
  return true;
}

plStatus pl_builder_finish(plMeshBuilder* b, const plCursor* c, plMesh** result) {
  if (b->nrefused) {
    char text[400];
    list_refused(b, text, sizeof text);
    return pl_fail_at(
        c->error, PL_ERROR_INPUT, c->name, 0, 0,
        "the file holds %s beside %d tetrahedra and %d triangles; only tetrahedra, triangles and "
        "quadrilaterals are read: cut the others into tetrahedra first, or mesh without them",
        text, b->tet_n / 4, b->tri_n / 3);
  }
  if (!b->tet_n && !b->tri_n) {
    if (b->skipped)
      return pl_fail_at(c->error, PL_ERROR_INPUT, c->name, 0, 0,
                        "the file holds no tetrahedron and no triangle; %lld elements of other kinds "
                        "(points, lines) have no volume: save the mesh with tetrahedra or triangles",
                        b->skipped);
    return pl_fail_at(
        c->error, PL_ERROR_INPUT, c->name, 0, 0,
        "the file holds no tetrahedron and no triangle; a mesh file with at least one was expected");
  }
  // only ids that were read are known before the check at the end
  if (b->by_corners && !drop_unused(b)) return fail_memory(c, 8 * (size_t)pl_builder_nvert(b));
  int by_corners = b->by_corners < PL_MESH_ELEMENT_MAX ? (int)b->by_corners : PL_MESH_ELEMENT_MAX;
  plMesh* mesh = pl_mesh_create(0, 0, 0, c->error);
  if (!mesh) return PL_ERROR_MEMORY;
  // The grown arrays become the mesh's own.
  plMesh grown = {pl_builder_nvert(b), b->tet_n / 4, b->tri_n / 3, b->vert, b->tet, b->tri, 0, 0, NULL, 0};
  if (grown.vert) pl_free(mesh->vert), mesh->vert = grown.vert, mesh->nvert = grown.nvert;
  if (grown.tet) pl_free(mesh->tet), mesh->tet = grown.tet, mesh->ntet = grown.ntet;
  if (grown.tri) pl_free(mesh->tri), mesh->tri = grown.tri, mesh->ntri = grown.ntri;
  mesh->by_corners = by_corners, mesh->number = b->number, mesh->nnumber = b->nnumber;
  *b = (plMeshBuilder){.part = b->part, .part_n = b->part_n, .part_cap = b->part_cap};
  plError inner;
  plStatus status = pl_mesh_check_ids(mesh, &inner);
  if (status) {
    pl_mesh_destroy(mesh);
    return pl_fail_at(c->error, PL_ERROR_INPUT, c->name, 0, 0, "%s", inner.message);
  }
  *result = mesh;
  return PL_OK;
}

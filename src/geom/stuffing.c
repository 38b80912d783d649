// stuffing.c: tets inside a closed surface: pl_mesh_tetrahedralize. A surface and an edge length -> plMesh.
//
// Isosurface stuffing on a body-centred cubic lattice (stuffing_lattice.c, stuffing_cut.c), then a few passes
// of smoothing. The generalized winding number decides what is inside, so that overlapping, doubled or
// slightly open surfaces can be filled too.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/shape_mesh.h"
#include "geom/stuffing.h"

// A filling that keeps less of the enclosed volume than this, or adds more to it, is refused; below
// VOLUME_SAID there is a remark.
static const double VOLUME_KEPT = 0.8, VOLUME_SAID = 0.95, VOLUME_MOST = 1.3;
static const int SMOOTHING = 4;
// When searching for an edge that works: the number of halvings, and of edges between one that is too long
// and one that makes too many tetrahedra.
enum { HALVINGS = 5, BETWEEN = 3 };

// ---- the surface

// A repaired copy of the triangles of the surface, or of the boundary of tets.
static plStatus take_surface(const plMesh* surface, plMesh** taken, plError* error) {
  int *tri = surface->tri, ntri = surface->ntri, *boundary = NULL;
  plStatus status = pl_mesh_check_ids(surface, error);
  if (!status && ntri == 0 && surface->ntet > 0) {
    status = pl_mesh_tet_boundary(surface, &boundary, &ntri, error);
    tri = boundary;
  }
  if (status) return status;
  plMesh* copy = pl_mesh_create(surface->nvert, 0, ntri, error);
  if (copy) {
    if (copy->nvert) memcpy(copy->vert, surface->vert, 3 * (size_t)copy->nvert * sizeof(double));
    if (ntri) memcpy(copy->tri, tri, 3 * (size_t)ntri * sizeof(int));
    status = pl_mesh_repair(copy, NULL, 0, error);
  }
  pl_free(boundary);
  if (!copy) return PL_ERROR_MEMORY;
  if (!status && copy->ntri < 4)
    status = pl_fail(error, PL_ERROR_INPUT, "a closed surface has at least four triangles, this one has %d",
                     copy->ntri);
  if (status)
    pl_mesh_destroy(copy);
  else
    *taken = copy;
  return status;
}

// Whether each edge is traversed equally often in both directions; then the winding number is an integer
// everywhere. -1 if memory runs out.
static int is_closed(const plMesh* mesh) {
  int *key, *order, n, closed = 1;
  if (!pl_half_edges(mesh->ntri, mesh->tri, mesh->nvert, &key, &order, &n)) return -1;
  for (int begin = 0, end; begin < n; begin = end) {
    int balance = 0;
    for (end = begin; end < n && pl_same_key(2, key, order[begin], order[end]); end++)
      balance += mesh->tri[order[end]] == key[2 * (size_t)order[end]] ? 1 : -1;
    if (balance) closed = 0;
  }
  pl_free(key);
  pl_free(order);
  return closed;
}

static double enclosed_volume(const plMesh* mesh) {
  double sum = 0;
  plVec3 origin = pl_mesh_vertex(mesh, 0);
  for (int t = 0; t < mesh->ntri; t++)
    sum +=
        v3_dot(pl_mesh_tri_area2(mesh, t), v3_sub(pl_mesh_vertex(mesh, mesh->tri[3 * (size_t)t]), origin)) /
        6;
  return sum;
}

static double area_of(const plMesh* mesh) {
  double sum = 0;
  for (int t = 0; t < mesh->ntri; t++) sum += v3_norm(pl_mesh_tri_area2(mesh, t)) / 2;
  return sum;
}

// ---- the result

static double mesh_volume(const plMesh* mesh) {
  double sum = 0;
  for (int t = 0; t < mesh->ntet; t++) sum += pl_mesh_tet_volume6(mesh, t) / 6;
  return sum;
}

// Fills with tetrahedra of that edge and computes the fraction of the enclosed volume that they keep (1 if it
// is unknown: an open surface, or one turned inside out).
static plStatus try_edge(const plSolid* solid, double edge, double max_tets, plMesh** mesh, double* kept,
                         plError* error) {
  plBcc bcc;
  *mesh = NULL;
  plStatus status = pl_bcc_fill(&bcc, solid, edge / PL_MEAN_EDGE, max_tets, error);
  if (status) return status;
  status = pl_bcc_cut(&bcc, solid, mesh, error);
  if (!status)
    status = pl_check_tet_count((*mesh)->ntet, max_tets, pl_bcc_edge_for(solid, edge, max_tets), error);
  bool known = solid->closed && !bcc.backward && solid->volume > 0;
  // Where the surface overlaps itself, its volume counts twice.
  double expected = solid->volume * (bcc.ninside > 0 ? (double)bcc.ninside / (double)bcc.winding : 1);
  pl_bcc_free(&bcc);
  if (status) {
    pl_mesh_destroy(*mesh);
    *mesh = NULL;
    return status;
  }
  *kept = known ? mesh_volume(*mesh) / expected : 1;
  return PL_OK;
}

typedef struct Search {
  double good;    // an edge that keeps nearly all of the volume, 0: none was found
  double coarse;  // the shortest that does not
  double fine;    // the longest with too many tetrahedra, 0: none was tried
} Search;

// Halves the edge until one keeps nearly all of the volume. Where a half has too many tetrahedra, edges in
// between are tried. No edge longer than the solid is tried.
static Search find_edge(const plSolid* solid, double edge, double max_tets) {
  plVec3 size = v3_sub(solid->tree->node[0].upper, solid->tree->node[0].lower);
  Search s = {.coarse = fmin(edge, 2 * fmax(size.x, fmax(size.y, size.z)))};
  int halvings = 0, between = 0;
  while (s.fine > 0 ? between++ < BETWEEN : halvings++ < HALVINGS) {
    double kept = 0, next = s.fine > 0 ? sqrt(s.coarse * s.fine) : s.coarse / 2;
    plMesh* mesh = NULL;
    plStatus status = try_edge(solid, next, max_tets, &mesh, &kept, NULL);
    if (status && status != PL_ERROR_TOO_LARGE) break;
    if (!status && mesh->ntet > 0 && kept >= VOLUME_SAID)
      s.good = next;
    else if (!status)
      s.coarse = next;
    else
      s.fine = next;
    pl_mesh_destroy(mesh);
    if (s.good > 0) break;
  }
  return s;
}

// Parts thinner than an edge fall between the points of the lattice; this must be reported.
static plStatus refuse(const plSolid* solid, double edge, double max_tets, const plMesh* mesh, double kept,
                       plError* error) {
  Search s = find_edge(solid, edge, max_tets);
  char remedy[160] = "no shorter edge within the limit of tetrahedra would do: thicken it";
  if (s.good > 0)
    snprintf(remedy, sizeof remedy, "an edge of %.3g m would do", s.good);
  else if (!solid->closed)
    snprintf(remedy, sizeof remedy, "choose a shorter edge, or close its holes");
  else if (!(s.fine > 0))
    snprintf(remedy, sizeof remedy, "an edge of %.3g m would not do either: thicken it", s.coarse);
  if (mesh->ntet == 0)
    return pl_fail(error, PL_ERROR_INPUT,
                   "no tetrahedron of edge %g m fits inside the surface: it is thinner than that%s; %s", edge,
                   solid->closed ? "" : ", or its holes are too wide", remedy);
  return pl_fail(
      error, PL_ERROR_INPUT,
      "tetrahedra of edge %g m would fill %.3g %% of the enclosed volume: parts of the surface are "
      "thinner than an edge; %s",
      edge, 100 * kept, remedy);
}

static plStatus fill_solid(const plSolid* solid, double edge, double max_tets, plMesh** mesh,
                           plError* error) {
  plMesh* made = NULL;
  double kept = 1;
  plStatus status = try_edge(solid, edge, max_tets, &made, &kept, error);
  if (status) return status;
  if (made->ntet == 0 || kept < VOLUME_KEPT || kept > VOLUME_MOST)
    status = refuse(solid, edge, max_tets, made, kept, error);
  if (!status) status = pl_mesh_unpinch(made, error);
  if (!status) status = pl_mesh_smooth(made, solid->tree, SMOOTHING, error);
  if (status) {
    pl_mesh_destroy(made);
    return status;
  }
  made->kept = kept;
  *mesh = made;
  return PL_OK;
}

plStatus pl_mesh_tetrahedralize(const plMesh* surface, double edge, long max_tets, plMesh** mesh,
                                plError* error) {
  assert(surface != NULL && mesh != NULL);
  plStatus status = pl_check_length("the edge length", edge, error);
  if (!status && max_tets < 0)
    status = pl_fail(error, PL_ERROR_INPUT, "max_tets must be positive, or 0 for %d, got %ld",
                     PL_MESH_MAX_TETS, max_tets);
  plMesh* taken = NULL;
  if (!status) status = take_surface(surface, &taken, error);
  if (status) return status;

  plTriTree* tree = NULL;
  int closed = is_closed(taken);
  status = closed < 0 ? pl_fail_out_of_memory(error, 36 * (size_t)taken->ntri)
                      : pl_tri_tree_create(taken->vert, taken->tri, taken->ntri, &tree, error);
  if (!status) {
    plSolid solid = {
        .tree = tree, .closed = closed, .volume = enclosed_volume(taken), .area = area_of(taken)};
    double limit = max_tets ? fmin((double)max_tets, PL_MESH_ELEMENT_MAX) : PL_MESH_MAX_TETS;
    status = fill_solid(&solid, edge, limit, mesh, error);
  }
  pl_tri_tree_destroy(tree);
  pl_mesh_destroy(taken);
  return status;
}

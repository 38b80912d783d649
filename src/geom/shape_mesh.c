// shape_mesh.c: the lattice for generated shapes. Cells of eight vertices -> tets; a map gives the positions
// of the vertices.
//
// Two ways of dividing a cell without additional vertices are used, both without a preferred direction:
//
// - All three counts even: six tets around the diagonal that joins the cell's vertex of even indices to its
//   vertex of odd indices (Todd's J1 triangulation). Neighbouring cells are mirror images, so the whole is
//   its own image under the reflections of all three axes. The vertex of odd indices is never on the
//   boundary: every tet has an interior vertex.
// - Otherwise: five tets, a regular one on the vertices of even index sum and four corners around it. No cut
//   of an odd number of cells is its own mirror image, but this one still has the half turns about the axes
//   along which the other two counts are both odd (or both even).
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "geom/shape_mesh.h"

#include "base/error.h"
#include "geom/mesh.h"

// Bytes per tet at the peak: the mesh itself and the face lists of its boundary.
static const double BYTES_PER_TET = 140;

// ---- arguments

plStatus pl_check_length(const char* name, double value, plError* error) {
  if (value >= PL_LENGTH_MIN && value <= PL_LENGTH_MAX) return PL_OK;
  return pl_fail(error, PL_ERROR_INPUT, "%s must be a positive length in metres, from %g to %g, got %g", name,
                 PL_LENGTH_MIN, PL_LENGTH_MAX, value);
}

plStatus pl_check_tet_count(double ntet, double max_tets, double edge, plError* error) {
  if (ntet <= max_tets) return PL_OK;
  char remedy[80] = "choose fewer cells";
  if (edge > 0) snprintf(remedy, sizeof remedy, "an edge of %.3g m would do", edge);
  return pl_fail(error, PL_ERROR_TOO_LARGE,
                 "about %.3g tetrahedra (%.3g MiB) would be needed, more than the limit of %.0f: %s", ntet,
                 ntet * BYTES_PER_TET / 1048576, max_tets, remedy);
}

double pl_edge_for_count(plTetCount* count, const void* shape, double edge, double most) {
  while (count(shape, edge) > most && edge < 10 * PL_LENGTH_MAX) edge *= 1.05;
  // The three digits of the message must do too.
  return edge * 1.01;
}

plStatus pl_check_tet_edge(plTetCount* count, const void* shape, double edge, double max_tets,
                           plError* error) {
  double ntet = count(shape, edge);
  if (ntet <= max_tets) return PL_OK;
  return pl_check_tet_count(ntet, max_tets, pl_edge_for_count(count, shape, edge, max_tets), error);
}

double pl_cells_along(double length, double edge) { return 2 * fmax(1, ceil(length / (2 * edge) - 0.15)); }

// ---- cells to tets

typedef struct Lattice {
  int n[3];
  int layer;  // vertex layers along k: n[2] + 1, or n[2] if the last layer is the first one again
  plMesh* mesh;
  int ntet;
} Lattice;

static int vertex_id(const Lattice* grid, const int at[3]) {
  return at[0] + (grid->n[0] + 1) * (at[1] + (grid->n[1] + 1) * (at[2] % grid->layer));
}

// One tet from its lattice vertices, oriented to positive volume.
static void put_tet(Lattice* grid, int at[4][3]) {
  int e[3][3];
  for (int a = 0; a < 3; a++)
    for (int c = 0; c < 3; c++) e[a][c] = at[a + 1][c] - at[0][c];
  int det = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
            e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
            e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
  assert(grid->ntet < grid->mesh->ntet);
  int* tet = grid->mesh->tet + 4 * (size_t)grid->ntet++;
  tet[0] = vertex_id(grid, at[0]);
  tet[1] = vertex_id(grid, at[1]);
  tet[2] = vertex_id(grid, at[det > 0 ? 2 : 3]);
  tet[3] = vertex_id(grid, at[det > 0 ? 3 : 2]);
}

// The six paths along cell edges from the vertex of even indices to that of odd ones.
static void cut_in_six(Lattice* grid, const int cell[3]) {
  static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int path = 0; path < 6; path++) {
    int at[4][3];
    for (int c = 0; c < 3; c++) at[0][c] = cell[c] + cell[c] % 2;
    for (int s = 0; s < 3; s++) {
      int axis = order[path][s];
      for (int c = 0; c < 3; c++) at[s + 1][c] = at[s][c];
      at[s + 1][axis] = cell[axis] + 1 - cell[axis] % 2;
    }
    put_tet(grid, at);
  }
}

// The tet of the even vertices, then each odd vertex with its three neighbours.
static void cut_in_five(Lattice* grid, const int cell[3]) {
  int odd = (cell[0] + cell[1] + cell[2]) % 2, even_at[4][3], neven = 0;
  for (int corner = 0; corner < 8; corner++) {
    int step[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
    bool even = (step[0] + step[1] + step[2] + odd) % 2 == 0;
    int at[4][3];
    for (int c = 0; c < 3; c++) at[0][c] = cell[c] + step[c];
    if (even) {
      for (int c = 0; c < 3; c++) even_at[neven][c] = at[0][c];
      neven++;
      continue;
    }
    for (int axis = 0; axis < 3; axis++)
      for (int c = 0; c < 3; c++) at[axis + 1][c] = cell[c] + (c == axis ? 1 - step[c] : step[c]);
    put_tet(grid, at);
  }
  put_tet(grid, even_at);
}

plStatus pl_mesh_lattice(const double n[3], bool around, plLatticeMap* map, const void* shape, plMesh** mesh,
                         plError* error) {
  double cells = n[0] * n[1] * n[2];
  bool six = fmod(n[0], 2) == 0 && fmod(n[1], 2) == 0 && fmod(n[2], 2) == 0;
  plStatus status = pl_check_tet_count((six ? 6 : 5) * cells, PL_MESH_MAX_TETS, 0, error);
  if (status) return status;

  // Vertices, i fastest.
  Lattice grid = {.n = {(int)n[0], (int)n[1], (int)n[2]}};
  grid.layer = grid.n[2] + (around ? 0 : 1);
  int nvert = (grid.n[0] + 1) * (grid.n[1] + 1) * grid.layer;
  grid.mesh = pl_mesh_create(nvert, (six ? 6 : 5) * (int)cells, 0, error);
  if (!grid.mesh) return PL_ERROR_MEMORY;
  double* x = grid.mesh->vert;
  for (int k = 0; k < grid.layer; k++)
    for (int j = 0; j <= grid.n[1]; j++)
      for (int i = 0; i <= grid.n[0]; i++, x += 3) v3_store(x, map(shape, i, j, k));

  // Tets, cell by cell in the same order.
  int cell[3];
  for (cell[2] = 0; cell[2] < grid.n[2]; cell[2]++)
    for (cell[1] = 0; cell[1] < grid.n[1]; cell[1]++)
      for (cell[0] = 0; cell[0] < grid.n[0]; cell[0]++) (six ? cut_in_six : cut_in_five)(&grid, cell);

  status = pl_mesh_boundary(grid.mesh, error);
  if (status) {
    pl_mesh_destroy(grid.mesh);
    return status;
  }
  *mesh = grid.mesh;
  return PL_OK;
}

// ---- box

typedef struct Box {
  plVec3 size;
  int n[3];
} Box;

// Fractions are counted from the middle, so that opposite vertices are exact mirror images.
static plVec3 box_vertex(const void* shape, int i, int j, int k) {
  const Box* box = shape;
  return v3(box->size.x * ((2 * i - box->n[0]) / (2.0 * box->n[0])),
            box->size.y * ((2 * j - box->n[1]) / (2.0 * box->n[1])),
            box->size.z * ((2 * k - box->n[2]) / (2.0 * box->n[2])));
}

static plStatus check_size(plVec3 size, plError* error) {
  plStatus status = pl_check_length("the size of a box along x", size.x, error);
  if (!status) status = pl_check_length("the size of a box along y", size.y, error);
  if (!status) status = pl_check_length("the size of a box along z", size.z, error);
  return status;
}

plStatus pl_mesh_box_cells(plVec3 size, int nx, int ny, int nz, plMesh** mesh, plError* error) {
  assert(mesh != NULL);
  plStatus status = check_size(size, error);
  if (status) return status;
  if (nx < 1 || ny < 1 || nz < 1)
    return pl_fail(error, PL_ERROR_INPUT, "a box needs at least one cell along each axis, got %d x %d x %d",
                   nx, ny, nz);
  Box box = {.size = size, .n = {nx, ny, nz}};
  return pl_mesh_lattice((double[3]){nx, ny, nz}, false, box_vertex, &box, mesh, error);
}

static void cells_of_box(plVec3 size, double edge, double n[3]) {
  n[0] = pl_cells_along(size.x, edge), n[1] = pl_cells_along(size.y, edge);
  n[2] = pl_cells_along(size.z, edge);
}

static double box_tets(const void* size, double edge) {
  double n[3];
  cells_of_box(*(const plVec3*)size, edge, n);
  return 6 * n[0] * n[1] * n[2];
}

plStatus pl_mesh_box(plVec3 size, double edge, plMesh** mesh, plError* error) {
  assert(mesh != NULL);
  plStatus status = check_size(size, error);
  if (!status) status = pl_check_length("the edge length of a box's mesh", edge, error);
  if (status) return status;
  double n[3];
  cells_of_box(size, edge, n);
  status = pl_check_tet_edge(box_tets, &size, edge, PL_MESH_MAX_TETS, error);
  return status ? status : pl_mesh_box_cells(size, (int)n[0], (int)n[1], (int)n[2], mesh, error);
}

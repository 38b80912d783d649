// mesh_cell.c: tables of element kinds, and how each is read.
#include "input/mesh_cell.h"

#include <assert.h>
#include <string.h>

#define POINTS \
  { "points", 1, false, 1 }
#define LINES(n) \
  { "lines", 2, false, n }
#define TRIANGLES(n) \
  { "triangles", 3, false, n }
#define QUADS(n) \
  { "quadrilaterals", 4, false, n }
#define TETS(n) \
  { "tetrahedra", 4, true, n }
#define HEXES(n) \
  { "hexahedra", 0, true, n }
#define WEDGES(n) \
  { "wedges", 0, true, n }
#define PYRAMIDS(n) \
  { "pyramids", 0, true, n }

const plCellKind* pl_gmsh_cell(long long type) {
  static const plCellKind kinds[] = {
      {0},           LINES(2),      TRIANGLES(3),  QUADS(4),      TETS(4),       HEXES(8),     WEDGES(6),
      PYRAMIDS(5),   LINES(3),      TRIANGLES(6),  QUADS(9),      TETS(10),      HEXES(27),    WEDGES(18),
      PYRAMIDS(14),  POINTS,        QUADS(8),      HEXES(20),     WEDGES(15),    PYRAMIDS(13), TRIANGLES(9),
      TRIANGLES(10), TRIANGLES(12), TRIANGLES(15), TRIANGLES(15), TRIANGLES(21), LINES(4),     LINES(5),
      LINES(6),      TETS(20),      TETS(35),      TETS(56)};
  static const plCellKind large[] = {HEXES(64), HEXES(125)};
  if (type == 92 || type == 93) return &large[type - 92];
  return type > 0 && type < (long long)(sizeof kinds / sizeof *kinds) ? &kinds[type] : NULL;
}

const plCellKind* pl_vtk_cell(long long type) {
  static const plCellKind kinds[] = {[1] = POINTS,
                                     [2] = {"points", 1, false, 0},
                                     [3] = LINES(2),
                                     [4] = {"lines", 2, false, 0},
                                     [5] = TRIANGLES(3),
                                     [6] = {"triangle strips", 0, false, 0},
                                     [7] = {"polygons", 0, false, 0},
                                     [8] = {"pixels", 0, false, 4},
                                     [9] = QUADS(4),
                                     [10] = TETS(4),
                                     [11] = {"voxels", 0, true, 8},
                                     [12] = HEXES(8),
                                     [13] = WEDGES(6),
                                     [14] = PYRAMIDS(5),
                                     [15] = {"prisms", 0, true, 10},
                                     [16] = {"prisms", 0, true, 12},
                                     [21] = LINES(3),
                                     [22] = TRIANGLES(6),
                                     [23] = QUADS(8),
                                     [24] = TETS(10),
                                     [25] = HEXES(20),
                                     [26] = WEDGES(15),
                                     [27] = PYRAMIDS(13),
                                     [28] = QUADS(9),
                                     [29] = HEXES(27),
                                     [30] = QUADS(6),
                                     [31] = WEDGES(12),
                                     [32] = WEDGES(18),
                                     [33] = HEXES(24),
                                     [34] = TRIANGLES(7),
                                     [35] = LINES(4),
                                     [36] = {"quadratic polygons", 0, false, 0},
                                     [41] = {"convex point sets", 0, true, 0},
                                     [42] = {"polyhedra", 0, true, 0},
                                     [68] = {"lines", 2, false, 0},
                                     [69] = {"triangles", 3, false, 0},
                                     [70] = {"quadrilaterals", 4, false, 0},
                                     [71] = {"tetrahedra", 4, true, 0},
                                     [72] = {"hexahedra", 0, true, 0},
                                     [73] = {"wedges", 0, true, 0},
                                     [74] = {"pyramids", 0, true, 0},
                                     [75] = {"lines", 2, false, 0},
                                     [76] = {"triangles", 3, false, 0},
                                     [77] = {"quadrilaterals", 4, false, 0},
                                     [78] = {"tetrahedra", 4, true, 0},
                                     [79] = {"hexahedra", 0, true, 0},
                                     [80] = {"wedges", 0, true, 0},
                                     [81] = {"pyramids", 0, true, 0}};
  static const plCellKind other = {"cells of an unknown type", 0, true, 0};
  static const plCellKind empty = {"empty cells", 1, false, PL_CELL_EMPTY};
  if (type == 0) return &empty;
  bool known = type > 0 && type < (long long)(sizeof kinds / sizeof *kinds) && kinds[type].name;
  return known ? &kinds[type] : &other;
}

bool pl_cell_fits(const plCellKind* kind, long long n, int* wanted) {
  *wanted = kind->nodes == PL_CELL_EMPTY ? 0 : kind->nodes ? kind->nodes : kind->corners;
  return kind->nodes ? n == *wanted : n >= *wanted;
}

void pl_builder_refuse(plMeshBuilder* b, const char* name, long long n) {
  int k = 0;
  while (k < b->nrefused && strcmp(b->refused[k].name, name) != 0) k++;
  assert(k < PL_BUILDER_KINDS);  // no more kinds are in the tables
  if (k == b->nrefused) b->refused[b->nrefused++].name = name;
  b->refused[k].count += n;
}

plStatus pl_builder_cell(plMeshBuilder* b, const plCursor* c, const plCellKind* kind, const long long* id,
                         long long nvert) {
  if (kind->corners == 0) return pl_builder_refuse(b, kind->name, 1), PL_OK;
  if (kind->corners < 3) return b->skipped++, PL_OK;
  b->by_corners += kind->nodes != kind->corners;
  if (kind->solid) return pl_builder_tet(b, c, id, nvert);
  plStatus status = pl_builder_tri(b, c, id, nvert);
  const long long rest[3] = {id[0], id[2], kind->corners == 4 ? id[3] : 0};
  return status || kind->corners == 3 ? status : pl_builder_tri(b, c, rest, nvert);
}

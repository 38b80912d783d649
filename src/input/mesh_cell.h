// mesh_cell.h: the kinds of elements in mesh files, and how each is read: tetrahedra and triangles are read,
// quadrilaterals become two triangles, elements of higher order are read by their corners with a remark,
// points and lines are skipped; all others are refused by name. None is dropped silently.
#ifndef PL_INPUT_MESH_CELL_H
#define PL_INPUT_MESH_CELL_H

#include "input/mesh_builder.h"

typedef struct plCellKind {
  const char* name;  // in the plural; NULL: unknown
  int corners;       // 4 and solid: tetrahedron; 3: triangle; 4: quadrilateral; 2, 1: nothing; 0: refused
  bool solid;
  int nodes;  // of the element, 0: any number from corners on, PL_CELL_EMPTY: none
} plCellKind;
enum { PL_CELL_EMPTY = -1 };

// NULL: no element of the format has that number.
const plCellKind* pl_gmsh_cell(long long type);
const plCellKind* pl_vtk_cell(long long type);

// Whether an element may have n nodes; *wanted: how many it has, or at least.
bool pl_cell_fits(const plCellKind* kind, long long n, int* wanted);

// One element; ids of its corners start at 0 and must be below nvert.
plStatus pl_builder_cell(plMeshBuilder* b, const plCursor* c, const plCellKind* kind, const long long* id,
                         long long nvert);
// n elements that are not read: pl_builder_finish names them.
void pl_builder_refuse(plMeshBuilder* b, const char* name, long long n);

#endif

// mesh_builder.h: a mesh that grows while a file is read. Memory is proportional to the content of the file,
// not to the counts in its header.
#ifndef PL_INPUT_MESH_BUILDER_H
#define PL_INPUT_MESH_BUILDER_H

#include "input/mesh_cursor.h"
#include "pliant/mesh.h"

// Triangles from tri0 to the next part's, and their colour (sRGB) where the file gives one.
typedef struct plMeshPart {
  int tri0;
  bool coloured;
  double colour[3];
} plMeshPart;

enum { PL_BUILDER_KINDS = 12 };
typedef struct plMeshBuilder {
  double* vert;  // [3 nvert]
  int *tet, *tri;
  int *number, nnumber;  // as in plMesh
  int vert_n, vert_cap;  // counted in numbers, not in vertices
  int tet_n, tet_cap;
  int tri_n, tri_cap;
  plMeshPart* part;  // only of formats with colours
  int part_n, part_cap;
  long long skipped;     // points, lines and parts without area, which have no volume or surface
  long long by_corners;  // elements of higher order that were read by their corners
  struct {
    const char* name;
    long long count;
  } refused[PL_BUILDER_KINDS];  // elements that are not read, by kind
  int nrefused;
} plMeshBuilder;

void pl_builder_free(plMeshBuilder* b);
static inline int pl_builder_nvert(const plMeshBuilder* b) { return b->vert_n / 3; }

// One vertex; fails if it is not finite.
plStatus pl_builder_vertex(plMeshBuilder* b, const plCursor* c, const double x[3]);
// Takes x, y, z from the cursor.
plStatus pl_builder_read_vertex(plMeshBuilder* b, plCursor* c, plNumber type);

// Elements; ids start at 0 and must be below nvert (the vertices read or announced).
plStatus pl_builder_tet(plMeshBuilder* b, const plCursor* c, const long long id[4], long long nvert);
plStatus pl_builder_tri(plMeshBuilder* b, const plCursor* c, const long long id[3], long long nvert);
// A polygon of n ids taken from the cursor, as a fan of triangles. Id 0 is the builder's vertex first.
plStatus pl_builder_read_polygon(plMeshBuilder* b, plCursor* c, plNumber type, long long n, long long first,
                                 long long nvert);

// Merges vertices at exactly the same position, keeping the order of first use.
plStatus pl_builder_weld(plMeshBuilder* b, const plCursor* c);

// The mesh, or an error if the file contained elements that are not read, no tetrahedron and no triangle, or
// an id out of range. Afterwards the builder is empty except for its parts.
plStatus pl_builder_finish(plMeshBuilder* b, const plCursor* c, plMesh** mesh);

#endif

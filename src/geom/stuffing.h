// stuffing.h: the parts of pl_mesh_tetrahedralize: the solid, the lattice over it, the cut at its surface,
// smoothing.
#ifndef PL_GEOM_STUFFING_H
#define PL_GEOM_STUFFING_H

#include <stdbool.h>

#include "geom/tri_tree.h"
#include "pliant/mesh.h"

// The lattice's mean edge, of its 6 long and 8 short ones per point: (6 + 8 sqrt(3)/2) / 14 of the spacing.
#define PL_MEAN_EDGE 0.9234431

// The inside of a surface: where its winding number is more than one half.
typedef struct plSolid {
  const plTriTree* tree;
  bool closed;    // winding numbers are integers, and the sign changes only at the triangles
  double volume;  // enclosed, signed sum over the triangles (m^3)
  double area;    // of the triangles (m^2)
} plSolid;

// ---- the lattice: body-centred cubic, two cubic grids shifted by half a spacing. Indices (i, j, k) are all
// even or all odd.

typedef struct plBcc {
  plVec3 origin;  // the position of (0, 0, 0)
  double half;    // half the spacing of each grid: (i, j, k) lies at origin + half (i, j, k)
  int reach[3];   // indices lie in -reach .. reach
  int npoint;     // points inside the solid or near its surface, line by line
  int cap;
  int *i, *line;      // [npoint] first index; the line (j, k)
  signed char* sign;  // [npoint] 1 inside, 0 on the surface, -1 outside
  int* line_begin;    // [nline + 1]
  int nline;
  double ninside;  // points inside
  double winding;  // sum of their winding numbers; larger than ninside where the surface overlaps itself
  bool backward;   // the surface has the wrong orientation somewhere
} plBcc;

// An edge that is within all limits: of tets inside or cut by the surface, of lines and of points.
double pl_bcc_edge_for(const plSolid* solid, double edge, double max_tets);
// Finds the points. Refuses if there would be more than max_tets tets inside.
plStatus pl_bcc_fill(plBcc* bcc, const plSolid* solid, double spacing, double max_tets, plError* error);
void pl_bcc_free(plBcc* bcc);
// The point at (i, j, k), or -1 if it was omitted because it is outside.
int pl_bcc_find(const plBcc* bcc, const int at[3]);
void pl_bcc_index(const plBcc* bcc, int point, int at[3]);
plVec3 pl_bcc_place(const plBcc* bcc, const int at[3]);

// ---- the cut: tets of the lattice inside the solid, trimmed at its surface.

plStatus pl_bcc_cut(plBcc* bcc, const plSolid* solid, plMesh** mesh, plError* error);

// ---- touching parts: copies vertices and splits edges where parts of the mesh meet without sharing a face;
// sets the boundary.

plStatus pl_mesh_unpinch(plMesh* mesh, plError* error);

// ---- smoothing: moves vertices if that improves the worst tet around them; boundary vertices stay on the
// surface.

plStatus pl_mesh_smooth(plMesh* mesh, const plTriTree* surface, int passes, plError* error);

#endif

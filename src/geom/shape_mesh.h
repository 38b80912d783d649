// shape_mesh.h: functions shared by the generators of shapes: checks of their arguments, and the lattice that
// most of them map to the shape.
#ifndef PL_GEOM_SHAPE_MESH_H
#define PL_GEOM_SHAPE_MESH_H

#include <stdbool.h>

#include "math/vec3.h"
#include "pliant/mesh.h"

// A shape or a meshed surface with more tets than this is refused.
enum { PL_MESH_MAX_TETS = 20000000 };

// Checks that value is a length from PL_LENGTH_MIN to PL_LENGTH_MAX; name appears in the message, e.g. "the
// radius of a sphere".
plStatus pl_check_length(const char* name, double value, plError* error);
// Refuses with an estimate of tets and MiB if ntet exceeds max_tets. edge: one that would do; 0: not given by
// an edge.
plStatus pl_check_tet_count(double ntet, double max_tets, double edge, plError* error);
// About how many tets of that edge a shape needs; does not grow with the edge.
typedef double plTetCount(const void* shape, double edge);
// The same with the count of an edge; the message names an edge that would do.
plStatus pl_check_tet_edge(plTetCount* count, const void* shape, double edge, double max_tets,
                           plError* error);
// The shortest edge, to 5 %, of which the count is at most `most`.
double pl_edge_for_count(plTetCount* count, const void* shape, double edge, double most);

// Cells along a length: even, and none longer than 1.15 edge. May be too large for an int: a double.
double pl_cells_along(double length, double edge);

// The position of lattice vertex (i, j, k); must preserve orientation.
typedef plVec3 plLatticeMap(const void* shape, int i, int j, int k);

// A lattice of n[0] n[1] n[2] cells divided into tets and transformed by map; around: the last layer of
// vertices is the first one again.
plStatus pl_mesh_lattice(const double n[3], bool around, plLatticeMap* map, const void* shape, plMesh** mesh,
                         plError* error);

#endif

// elements.h: the nodes and elements of a deformable body while a spec is compiled.
#ifndef PL_MODEL_ELEMENTS_H
#define PL_MODEL_ELEMENTS_H

#include "model/work.h"

// Nodes are the mesh's vertices and, for quadratic tetrahedra, the midpoints of its edges after them.
typedef struct plBodyNodes {
  int n;       // nodes
  int nvert;   // number of vertices among them
  int nedge;   // number of edges, 0 for linear tetrahedra
  int* edge;   // [2 nedge] their ends, ascending
  int* tet10;  // [10 ntet] nodes of each tet, NULL for linear ones
} plBodyNodes;

plStatus pl_body_nodes(const plDeformableDef* def, plBodyNodes* nodes, plError* error);
void pl_body_nodes_free(plBodyNodes* nodes);
// The node at the midpoint of edge (a, b).
int pl_body_middle(const plBodyNodes* nodes, int a, int b);

// From the mesh's axes to those in which strain is measured: the linear law does not account for rotations,
// so its reference is the mesh as posed.
plQuat pl_reference_turn(const plDeformableDef* def);

// Points, law, pattern and mass of body b, whose vertices and tets are in the model already.
plStatus pl_compile_elements(const plDeformableDef* def, const plBodyNodes* nodes, plModel* model, int b,
                             plError* error);

#endif

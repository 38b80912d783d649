// mesh_formats.h: the readers of mesh files, one per format. Each takes a cursor at the start of the bytes
// and fills a builder.
#ifndef PL_INPUT_MESH_FORMATS_H
#define PL_INPUT_MESH_FORMATS_H

#include "input/mesh_builder.h"

plStatus pl_read_vtk(plCursor* c, plMeshBuilder* b);
plStatus pl_read_vtu(plCursor* c, plMeshBuilder* b);
plStatus pl_read_gmsh(plCursor* c, plMeshBuilder* b);
plStatus pl_read_medit(plCursor* c, plMeshBuilder* b);
plStatus pl_read_obj(plCursor* c, plMeshBuilder* b);
plStatus pl_read_stl(plCursor* c, plMeshBuilder* b);
plStatus pl_read_ply(plCursor* c, plMeshBuilder* b);
// TetGen's two files.
plStatus pl_read_tetgen(plCursor* node, plCursor* ele, plMeshBuilder* b);

#endif

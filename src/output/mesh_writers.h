// mesh_writers.h: the writers of mesh files, one per format. The C locale holds while they run; errors of the
// stream are found by the caller (ferror).
#ifndef PL_OUTPUT_MESH_WRITERS_H
#define PL_OUTPUT_MESH_WRITERS_H

#include <stdio.h>

#include "pliant/mesh.h"

// ---- tetrahedra and triangles
void pl_write_vtk(FILE* file, const plMesh* mesh);                      // legacy 3.0, ASCII
plStatus pl_write_vtu(FILE* file, const plMesh* mesh, plError* error);  // base64, zlib
void pl_write_gmsh(FILE* file, const plMesh* mesh);                     // 4.1, ASCII
void pl_write_medit(FILE* file, const plMesh* mesh);                    // version 2
void pl_write_node(FILE* file, const plMesh* mesh);                     // TetGen, counted from 0
void pl_write_ele(FILE* file, const plMesh* mesh);

// ---- triangles alone
void pl_write_obj(FILE* file, const plMesh* mesh);
void pl_write_stl(FILE* file, const plMesh* mesh);  // binary; single precision is all the format has
void pl_write_ply(FILE* file, const plMesh* mesh);  // binary, little-endian, double

#endif

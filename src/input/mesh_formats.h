// mesh_formats.h: the readers of mesh files, one per format. Each takes a cursor at the start of the bytes
// and fills a builder.
#ifndef PL_INPUT_MESH_FORMATS_H
#define PL_INPUT_MESH_FORMATS_H

#include "input/mesh_builder.h"

plStatus pl_read_vtk(plCursor* c, plMeshBuilder* b);
plStatus pl_read_vtu(plCursor* c, plMeshBuilder* b);
plStatus pl_read_gmsh(plCursor* c, plMeshBuilder* b);
// MuJoCo's own .msh (mesh_msh.c), distinguished from Gmsh's by its length.
bool pl_is_mujoco_mesh(const plCursor* c);
plStatus pl_read_mujoco_mesh(plCursor* c, plMeshBuilder* b);
plStatus pl_read_medit(plCursor* c, plMeshBuilder* b);
plStatus pl_read_obj(plCursor* c, plMeshBuilder* b);
plStatus pl_read_stl(plCursor* c, plMeshBuilder* b);
plStatus pl_read_ply(plCursor* c, plMeshBuilder* b);
plStatus pl_read_gltf(plCursor* c, plMeshBuilder* b);
plStatus pl_read_glb(plCursor* c, plMeshBuilder* b);
plStatus pl_read_collada(plCursor* c, plMeshBuilder* b);
// TetGen's two files.
plStatus pl_read_tetgen(plCursor* node, plCursor* ele, plMeshBuilder* b);

// pl_mesh_load_within, also returning the parts of the mesh with their colours (none if the format has no
// colours); the caller frees them.
plStatus pl_mesh_load_parts(const char* path, size_t max_bytes, plMesh** mesh, plMeshPart** part, int* npart,
                            plError* error);

#endif

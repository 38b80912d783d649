// patches.h: disjoint, connected patches of tetrahedra.
#ifndef PL_FEM_PATCHES_H
#define PL_FEM_PATCHES_H

#include "pliant/mesh.h"

enum { PL_PATCH_SIZE = 12 };  // tets of a patch, against locking

// Labels each tet with its patch, 0 .. *npatch - 1: patches of about size tets, connected through faces, with
// few vertices each. The same mesh gives the same patches.
plStatus pl_patches(const plMesh* mesh, int size, int* label, int* npatch, plError* error);

#endif

// scenes.h: small models that several tests share.
#ifndef PL_TEST_SCENES_H
#define PL_TEST_SCENES_H

#include "pliant/pliant.h"

// The surface of a box about the origin, twelve facets.
static inline plMesh* box_surface(plVec3 size) {
  static const int tri[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                              2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
  plMesh* mesh = pl_mesh_create(8, 0, 12, NULL);
  for (int v = 0; v < 8; v++)
    for (int k = 0; k < 3; k++)
      mesh->vert[3 * v + k] = (v >> k & 1 ? 0.5 : -0.5) * (k == 0 ? size.x : k == 1 ? size.y : size.z);
  for (int i = 0; i < 36; i++) mesh->tri[i] = tri[i];
  return mesh;
}

// A box of nx ny nz cells cut into five tets each, alternating: conforming, without a preferred direction.
static inline plMesh* box_mesh(plVec3 size, int nx, int ny, int nz) {
  plMesh* mesh = pl_mesh_create((nx + 1) * (ny + 1) * (nz + 1), 5 * nx * ny * nz, 0, NULL);
  int at = 0;
  for (int k = 0; k <= nz; k++)
    for (int j = 0; j <= ny; j++)
      for (int i = 0; i <= nx; i++, at++) {
        mesh->vert[3 * at] = size.x * (i / (double)nx - 0.5);
        mesh->vert[3 * at + 1] = size.y * (j / (double)ny - 0.5);
        mesh->vert[3 * at + 2] = size.z * (k / (double)nz - 0.5);
      }
  // Corners are numbered x + 2 y + 4 z; the odd cell is the mirror image of the even one.
  static const int cut[2][5][4] = {{{0, 1, 2, 4}, {1, 3, 2, 7}, {1, 4, 5, 7}, {2, 4, 7, 6}, {1, 2, 4, 7}},
                                   {{0, 1, 3, 5}, {0, 3, 2, 6}, {0, 5, 6, 4}, {3, 6, 5, 7}, {0, 3, 6, 5}}};
  int tet = 0;
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++)
        for (int t = 0; t < 5; t++, tet++)
          for (int a = 0; a < 4; a++) {
            int corner = cut[(i + j + k) % 2][t][a];
            mesh->tet[4 * tet + a] = (i + (corner & 1)) + (nx + 1) * ((j + (corner >> 1 & 1)) +
                                                                      (ny + 1) * (k + (corner >> 2 & 1)));
          }
  return mesh;
}

// A spec with one block of 0.1 m, 3 x 3 x 3 cells, at the given height, and the given options.
static inline plSpec* block_spec(double height, plOptions options) {
  plSpec* spec = pl_spec_create();
  plMesh* mesh = box_mesh((plVec3){0.1, 0.1, 0.1}, 3, 3, 3);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "block";
  def.mesh = mesh;
  def.pose.p.z = height;
  *pl_spec_options(spec) = options;
  pl_spec_add_deformable(spec, &def, NULL, NULL);
  pl_mesh_destroy(mesh);
  return spec;
}

#endif

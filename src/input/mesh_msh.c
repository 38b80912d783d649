// mesh_msh.c: MuJoCo's own binary meshes, which end in .msh like Gmsh's: four counts (vertices, normals,
// texture coordinates, triangles), then these as 32-bit floats and, for triangles, integers, in little-endian
// order.
#include <string.h>

#include "input/mesh_formats.h"

typedef struct Counts {
  long long vert, normal, texture, face;
} Counts;

// The four counts, if they and nothing else make up the bytes.
static bool read_counts(const plCursor* c, Counts* n) {
  size_t size = (size_t)(c->end - c->begin);
  long long count[4];
  if (size < 16) return false;
  for (int i = 0; i < 4; i++) {
    const unsigned char* p = c->begin + 4 * i;
    count[i] = p[0] | p[1] << 8 | p[2] << 16 | (long long)p[3] << 24;
  }
  *n = (Counts){count[0], count[1], count[2], count[3]};
  return n->vert > 0 && (long long)size == 16 + 12 * n->vert + 12 * n->normal + 8 * n->texture + 12 * n->face;
}

bool pl_is_mujoco_mesh(const plCursor* c) {
  Counts n;
  return read_counts(c, &n);
}

plStatus pl_read_mujoco_mesh(plCursor* c, plMeshBuilder* b) {
  Counts n;
  if (!read_counts(c, &n))
    return pl_cursor_fail(c, "the counts at the beginning do not fit the file's length");
  if (n.face == 0) return pl_cursor_fail(c, "the mesh has vertices but no triangles");
  c->binary = true, c->swap = !pl_machine_is_little_endian(), c->p = c->begin + 16;
  plStatus status = PL_OK;
  for (long long i = 0; i < n.vert && !status; i++) status = pl_builder_read_vertex(b, c, PL_FLOAT32);
  if (!status) status = pl_cursor_skip(c, PL_FLOAT32, "a normal", 3 * n.normal + 2 * n.texture);
  for (long long t = 0; t < n.face && !status; t++) {
    long long id[3];
    for (int k = 0; k < 3 && !status; k++)
      status = pl_cursor_int(c, PL_INT32, "a vertex of a triangle", &id[k]);
    if (!status) status = pl_builder_tri(b, c, id, n.vert);
  }
  return status;
}

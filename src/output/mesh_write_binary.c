// mesh_write_binary.c: the binary formats STL and PLY, and little-endian numbers.
#include <string.h>

#include "geom/mesh.h"
#include "output/mesh_writers.h"

// Little-endian numbers, on any machine.
static void put(FILE* file, unsigned long long value, int bytes) {
  for (int i = 0; i < bytes; i++) fputc((int)(value >> (8 * i) & 0xff), file);
}

static void put_float(FILE* file, float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  put(file, bits, 4);
}

static void put_double(FILE* file, double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  put(file, bits, 8);
}

static void put_vector(FILE* file, plVec3 v) {
  put_float(file, (float)v.x);
  put_float(file, (float)v.y);
  put_float(file, (float)v.z);
}

void pl_write_stl(FILE* file, const plMesh* mesh) {
  char header[80] = "binary STL written by Pliant";
  fwrite(header, 1, sizeof header, file);
  put(file, (unsigned long long)mesh->ntri, 4);
  for (int t = 0; t < mesh->ntri; t++) {
    put_vector(file, v3_unit(pl_mesh_tri_area2(mesh, t)));
    for (size_t i = 0; i < 3; i++) put_vector(file, pl_mesh_vertex(mesh, mesh->tri[3 * (size_t)t + i]));
    put(file, 0, 2);
  }
}

void pl_write_ply(FILE* file, const plMesh* mesh) {
  fprintf(file, "ply\nformat binary_little_endian 1.0\ncomment written by Pliant\nelement vertex %d\n",
          mesh->nvert);
  fputs("property double x\nproperty double y\nproperty double z\n", file);
  fprintf(file, "element face %d\nproperty list uchar int vertex_indices\nend_header\n", mesh->ntri);
  for (size_t i = 0; i < 3 * (size_t)mesh->nvert; i++) put_double(file, mesh->vert[i]);
  for (size_t t = 0; t < (size_t)mesh->ntri; t++) {
    fputc(3, file);
    for (size_t i = 0; i < 3; i++) put(file, (unsigned long long)mesh->tri[3 * t + i], 4);
  }
}

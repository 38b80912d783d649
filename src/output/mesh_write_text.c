// mesh_write_text.c: the text formats: VTK legacy, Gmsh 4.1, Medit, TetGen, OBJ. Numbers of 17 digits read
// back to the last bit.
#include "output/mesh_writers.h"

static void put_point(FILE* file, const double* x, const char* tail) {
  fprintf(file, "%.17g %.17g %.17g%s", x[0], x[1], x[2], tail);
}

// n elements of width ids, base added to each, with head and tail on every line.
static void put_elements(FILE* file, int n, int width, const int* element, int base, const char* head,
                         const char* tail) {
  for (size_t e = 0; e < (size_t)n; e++) {
    fputs(head, file);
    for (size_t i = 0; i < (size_t)width; i++)
      fprintf(file, "%s%d", i ? " " : "", element[(size_t)width * e + i] + base);
    fputs(tail, file);
  }
}

void pl_write_vtk(FILE* file, const plMesh* mesh) {
  long long cells = (long long)mesh->ntet + mesh->ntri;
  fprintf(
      file,
      "# vtk DataFile Version 3.0\nwritten by Pliant\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS %d double\n",
      mesh->nvert);
  for (size_t v = 0; v < (size_t)mesh->nvert; v++) put_point(file, mesh->vert + 3 * v, "\n");
  fprintf(file, "CELLS %lld %lld\n", cells, 5LL * mesh->ntet + 4LL * mesh->ntri);
  put_elements(file, mesh->ntet, 4, mesh->tet, 0, "4 ", "\n");
  put_elements(file, mesh->ntri, 3, mesh->tri, 0, "3 ", "\n");
  fprintf(file, "CELL_TYPES %lld\n", cells);
  for (int t = 0; t < mesh->ntet; t++) fputs("10\n", file);
  for (int t = 0; t < mesh->ntri; t++) fputs("5\n", file);
}

// ---- Gmsh

// A block of elements of one type, tags from first on; node tags count from 1.
static void put_gmsh_block(FILE* file, int dim, int type, int n, int width, const int* element,
                           long long first) {
  if (!n) return;
  fprintf(file, "%d 1 %d %d\n", dim, type, n);
  for (size_t e = 0; e < (size_t)n; e++) {
    fprintf(file, "%lld", first + (long long)e);
    for (size_t i = 0; i < (size_t)width; i++) fprintf(file, " %d", element[(size_t)width * e + i] + 1);
    fputc('\n', file);
  }
}

void pl_write_gmsh(FILE* file, const plMesh* mesh) {
  long long elements = (long long)mesh->ntet + mesh->ntri;
  int dim = mesh->ntet ? 3 : 2;
  fputs("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n", file);
  fprintf(file, "$Nodes\n1 %d %d %d\n%d 1 0 %d\n", mesh->nvert, mesh->nvert > 0, mesh->nvert, dim,
          mesh->nvert);
  for (int v = 0; v < mesh->nvert; v++) fprintf(file, "%d\n", v + 1);
  for (size_t v = 0; v < (size_t)mesh->nvert; v++) put_point(file, mesh->vert + 3 * v, "\n");
  fprintf(file, "$EndNodes\n$Elements\n%d %lld 1 %lld\n", (mesh->ntet > 0) + (mesh->ntri > 0), elements,
          elements);
  put_gmsh_block(file, 2, 2, mesh->ntri, 3, mesh->tri, 1);
  put_gmsh_block(file, 3, 4, mesh->ntet, 4, mesh->tet, 1 + (long long)mesh->ntri);
  fputs("$EndElements\n", file);
}

// ---- Medit

void pl_write_medit(FILE* file, const plMesh* mesh) {
  fprintf(file, "MeshVersionFormatted 2\nDimension 3\nVertices\n%d\n", mesh->nvert);
  for (size_t v = 0; v < (size_t)mesh->nvert; v++) put_point(file, mesh->vert + 3 * v, " 0\n");
  if (mesh->ntri) fprintf(file, "Triangles\n%d\n", mesh->ntri);
  put_elements(file, mesh->ntri, 3, mesh->tri, 1, "", " 0\n");
  if (mesh->ntet) fprintf(file, "Tetrahedra\n%d\n", mesh->ntet);
  put_elements(file, mesh->ntet, 4, mesh->tet, 1, "", " 0\n");
  fputs("End\n", file);
}

// ---- TetGen

void pl_write_node(FILE* file, const plMesh* mesh) {
  fprintf(file, "%d 3 0 0\n", mesh->nvert);
  for (size_t v = 0; v < (size_t)mesh->nvert; v++) {
    fprintf(file, "%zu ", v);
    put_point(file, mesh->vert + 3 * v, "\n");
  }
}

void pl_write_ele(FILE* file, const plMesh* mesh) {
  fprintf(file, "%d 4 0\n", mesh->ntet);
  for (int t = 0; t < mesh->ntet; t++) {
    fprintf(file, "%d ", t);
    put_elements(file, 1, 4, mesh->tet + 4 * (size_t)t, 0, "", "\n");
  }
}

// ---- OBJ

void pl_write_obj(FILE* file, const plMesh* mesh) {
  fputs("# written by Pliant\n", file);
  for (size_t v = 0; v < (size_t)mesh->nvert; v++) {
    fputs("v ", file);
    put_point(file, mesh->vert + 3 * v, "\n");
  }
  put_elements(file, mesh->ntri, 3, mesh->tri, 1, "f ", "\n");
}

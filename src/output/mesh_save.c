// mesh_save.c: writes a mesh to a file, in the format of the extension. A surface format gets the boundary of
// a tet mesh, with its own vertices.
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "output/mesh_writers.h"

typedef void Writer(FILE* file, const plMesh* mesh);

typedef struct Format {
  const char* extension;
  Writer* write;  // NULL: VTU, which may run out of memory, or TetGen, which is two files
  bool surface;
} Format;

static const Format formats[] = {
    {".vtk", pl_write_vtk, false},    {".vtu", NULL, false},        {".msh", pl_write_gmsh, false},
    {".mesh", pl_write_medit, false}, {".node", NULL, false},       {".ele", NULL, false},
    {".obj", pl_write_obj, true},     {".stl", pl_write_stl, true}, {".ply", pl_write_ply, true}};

static const Format* find_format(const char* path, plError* error) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  for (size_t i = 0; dot && (!slash || dot > slash) && i < sizeof formats / sizeof *formats; i++)
    if (!strcasecmp(dot, formats[i].extension)) return &formats[i];
  pl_fail_at(error, PL_ERROR_INPUT, path, 0, 0,
             "the extension names no mesh format that is known; choose .vtk, .vtu, .msh, .node, .ele, .mesh, "
             ".obj, .stl or .ply");
  return NULL;
}

// Meshes that no reader would accept.
static plStatus check_mesh(const char* path, const plMesh* mesh, plError* error) {
  plError inner;
  if (pl_mesh_check_ids(mesh, &inner))
    return pl_fail_at(error, PL_ERROR_INPUT, path, 0, 0, "the mesh cannot be saved: %s", inner.message);
  if (!mesh->ntet && !mesh->ntri)
    return pl_fail_at(error, PL_ERROR_INPUT, path, 0, 0,
                      "the mesh cannot be saved: it has no tetrahedron and no triangle");
  for (int v = 0; v < mesh->nvert; v++)
    if (!v3_finite(pl_mesh_vertex(mesh, v)))
      return pl_fail_at(error, PL_ERROR_INPUT, path, 0, 0,
                        "the mesh cannot be saved: vertex %d has a coordinate that is not finite", v);
  return PL_OK;
}

// The boundary of a tet mesh as a surface: only the vertices on it, in their order.
static plMesh* boundary_surface(const plMesh* mesh, plError* error) {
  int *tri = NULL, ntri = 0, kept = 0;
  if (pl_mesh_tet_boundary(mesh, &tri, &ntri, error)) return NULL;
  int* id = PL_NEW(int, mesh->nvert);
  if (!id) pl_fail_out_of_memory(error, 4 * (size_t)mesh->nvert);
  for (size_t i = 0; id && i < 3 * (size_t)ntri; i++) id[tri[i]] = 1;
  for (int v = 0; id && v < mesh->nvert; v++) kept += id[v];
  plMesh* surface = id ? pl_mesh_create(kept, 0, ntri, error) : NULL;
  for (int v = 0, next = 0; surface && v < mesh->nvert; v++) {
    if (!id[v]) continue;
    memcpy(surface->vert + 3 * (size_t)next, mesh->vert + 3 * (size_t)v, 3 * sizeof(double));
    id[v] = next++;
  }
  for (size_t i = 0; surface && i < 3 * (size_t)ntri; i++) surface->tri[i] = id[tri[i]];
  pl_free(id);
  pl_free(tri);
  return surface;
}

static plStatus write_file(const char* path, Writer* write, const plMesh* mesh, plError* error) {
  bool plain;
  if (pl_file_check_kind(path, &pl_file_mesh, &plain, error)) return PL_ERROR_IO;
  FILE* file = fopen(path, "wb");
  if (!file)
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be opened for writing: %s",
                      strerror(errno));
  plStatus status = PL_OK;
  if (write)
    write(file, mesh);
  else
    status = pl_write_vtu(file, mesh, error);
  // Writing the last bytes may fail only now.
  errno = 0;
  bool broken = ferror(file) != 0;
  broken = fclose(file) != 0 || broken;
  if (!status && broken)
    status = pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file could not be written completely: %s",
                        errno ? strerror(errno) : "write error");
  return status;
}

static plStatus save_tetgen(const char* path, const Format* format, const plMesh* mesh, plError* error) {
  char other[4096];
  size_t stem = strlen(path) - strlen(format->extension);
  if (!mesh->ntet)
    return pl_fail_at(error, PL_ERROR_INPUT, path, 0, 0,
                      "TetGen's files hold tetrahedra, but the mesh is a surface; choose .obj, .stl or .ply");
  if (stem + 6 > sizeof other)
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the path is longer than %zu bytes", sizeof other);
  // The other file has an ending in capitals too, as the reader expects.
  bool capitals = isupper((unsigned char)path[stem + 1]);
  snprintf(other, sizeof other, "%.*s.%s", (int)stem, path, capitals ? "NODE" : "node");
  plStatus status = write_file(other, pl_write_node, mesh, error);
  if (status) return status;
  snprintf(other, sizeof other, "%.*s.%s", (int)stem, path, capitals ? "ELE" : "ele");
  return write_file(other, pl_write_ele, mesh, error);
}

static plStatus save(const char* path, const Format* format, const plMesh* mesh, plError* error) {
  if (!strcasecmp(format->extension, ".node") || !strcasecmp(format->extension, ".ele"))
    return save_tetgen(path, format, mesh, error);
  if (!format->surface || !mesh->ntet) return write_file(path, format->write, mesh, error);
  plMesh* surface = boundary_surface(mesh, error);
  if (!surface) return PL_ERROR_MEMORY;
  plStatus status = write_file(path, format->write, surface, error);
  pl_mesh_destroy(surface);
  return status;
}

plStatus pl_mesh_save(const char* path, const plMesh* mesh, plError* error) {
  assert(path != NULL && mesh != NULL);
  const Format* format = find_format(path, error);
  if (!format) return PL_ERROR_INPUT;
  plStatus status = check_mesh(path, mesh, error);
  if (status) return status;
  // A decimal point is a point, whatever the user's locale.
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c_locale == (locale_t)0) return pl_fail_out_of_memory(error, 0);
  locale_t before = uselocale(c_locale);
  status = save(path, format, mesh, error);
  uselocale(before);
  freelocale(c_locale);
  return status;
}

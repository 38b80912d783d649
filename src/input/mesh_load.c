// mesh_load.c: loads a mesh from a file or from memory: finds the format and calls its reader.
#include <assert.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/cpu_wish.h"
#include "base/memory.h"
#include "input/mesh_file.h"
#include "input/mesh_formats.h"
#include "input/text.h"

typedef plStatus Reader(plCursor* c, plMeshBuilder* b);

typedef struct Format {
  const char* extension;
  Reader* read;  // NULL: TetGen's pair
} Format;

static const Format formats[] = {{".vtk", pl_read_vtk},     {".vtu", pl_read_vtu},   {".msh", pl_read_gmsh},
                                 {".mesh", pl_read_medit},  {".obj", pl_read_obj},   {".stl", pl_read_stl},
                                 {".ply", pl_read_ply},     {".gltf", pl_read_gltf}, {".glb", pl_read_glb},
                                 {".dae", pl_read_collada}, {".node", NULL},         {".ele", NULL}};

static const Format* find_format(const char* name, plError* error) {
  const char *dot = strrchr(name, '.'), *slash = strrchr(name, '/');
  for (size_t i = 0; dot && (!slash || dot > slash) && i < sizeof formats / sizeof *formats; i++)
    if (!strcasecmp(dot, formats[i].extension)) return &formats[i];
  pl_fail_at(error, PL_ERROR_INPUT, name, 0, 0,
             "the extension names no mesh format that is known; expected .vtk, .vtu, .msh, .node, .ele, "
             ".mesh, .obj, .stl, .ply, .gltf, .glb or .dae");
  return NULL;
}

// ---- reading

// Runs a reader in the C locale, so that a decimal point is a point everywhere. second: TetGen's elements;
// builder: keeps the parts of the mesh.
static plStatus run_reader(const Format* format, plCursor* first, plCursor* second, plMeshBuilder* builder,
                           plMesh** mesh) {
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c_locale == (locale_t)0) return pl_fail_out_of_memory(first->error, 0);
  locale_t before = uselocale(c_locale);
  plStatus status = second ? pl_read_tetgen(first, second, builder) : format->read(first, builder);
  if (!status) status = pl_builder_finish(builder, second ? second : first, mesh);
  uselocale(before);
  freelocale(c_locale);
  return status;
}

// TetGen's other file has the ending of the first in its own case.
static plStatus load_tetgen(const char* path, size_t most, const Format* format, plMeshBuilder* builder,
                            plMesh** mesh, plError* error) {
  char node_path[4096], ele_path[4096];
  bool capital = path[strlen(path) - 1] == 'E';
  size_t stem = strlen(path) - strlen(format->extension);
  if (stem + 6 > sizeof node_path)
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the path is longer than %zu bytes", sizeof node_path);
  snprintf(node_path, sizeof node_path, "%.*s.%s", (int)stem, path, capital ? "NODE" : "node");
  snprintf(ele_path, sizeof ele_path, "%.*s.%s", (int)stem, path, capital ? "ELE" : "ele");
  plBytes node = {0}, ele = {0};
  plStatus status = pl_read_bytes(node_path, most, &node, error);
  if (!status) status = pl_read_bytes(ele_path, most, &ele, error);
  if (!status) status = pl_text_check_pointer(node_path, node.data, node.size, "mesh", error);
  if (!status) status = pl_text_check_pointer(ele_path, ele.data, ele.size, "mesh", error);
  if (!status) {
    plCursor node_cursor = pl_cursor(node_path, node.data, node.size, error);
    plCursor ele_cursor = pl_cursor(ele_path, ele.data, ele.size, error);
    status = run_reader(format, &node_cursor, &ele_cursor, builder, mesh);
  }
  pl_free(node.data);
  pl_free(ele.data);
  return status;
}

plStatus pl_mesh_parse(const char* name, const void* bytes, size_t size, plMesh** mesh, plError* error) {
  assert(mesh != NULL && name != NULL);
  assert(bytes != NULL || size == 0);
  if (pl_isa_check(error)) return PL_ERROR_INPUT;
  const Format* format = find_format(name, error);
  if (!format) return PL_ERROR_INPUT;
  if (!format->read)
    return pl_fail_at(error, PL_ERROR_INPUT, name, 0, 0,
                      "a TetGen mesh is a pair of files, .node and .ele: it can only be loaded by its path");
  plStatus status = pl_text_check_pointer(name, bytes, size, "mesh", error);
  if (status) return status;
  plCursor cursor = pl_cursor(name, bytes, size, error);
  plMeshBuilder builder = {0};
  status = run_reader(format, &cursor, NULL, &builder, mesh);
  pl_builder_free(&builder);
  return status;
}

static plStatus load(const char* path, size_t most, plMeshBuilder* builder, plMesh** mesh, plError* error) {
  if (!most) most = (size_t)1 << 30;
  if (pl_isa_check(error)) return PL_ERROR_INPUT;
  const Format* format = find_format(path, error);
  if (!format) return PL_ERROR_INPUT;
  if (!format->read) return load_tetgen(path, most, format, builder, mesh, error);
  plBytes bytes = {0};
  plStatus status = pl_read_bytes(path, most, &bytes, error);
  if (!status) status = pl_text_check_pointer(path, bytes.data, bytes.size, "mesh", error);
  plCursor cursor = pl_cursor(path, bytes.data, bytes.size, error);
  cursor.on_disk = true;
  if (!status) status = run_reader(format, &cursor, NULL, builder, mesh);
  pl_free(bytes.data);
  return status;
}

plStatus pl_mesh_load_within(const char* path, size_t max_bytes, plMesh** mesh, plError* error) {
  assert(path != NULL && mesh != NULL);
  plMeshBuilder builder = {0};
  plStatus status = load(path, max_bytes, &builder, mesh, error);
  pl_builder_free(&builder);
  return status;
}

plStatus pl_mesh_load(const char* path, plMesh** mesh, plError* error) {
  assert(path != NULL && mesh != NULL);
  return pl_mesh_load_within(path, 0, mesh, error);
}

plStatus pl_mesh_load_parts(const char* path, size_t max_bytes, plMesh** mesh, plMeshPart** part, int* npart,
                            plError* error) {
  plMeshBuilder builder = {0};
  plStatus status = load(path, max_bytes, &builder, mesh, error);
  *part = status ? NULL : builder.part, *npart = status ? 0 : builder.part_n;
  if (!status) builder.part = NULL;
  pl_builder_free(&builder);
  return status;
}

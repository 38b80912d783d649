// mesh_load.c: a mesh from a file or from memory: finds the format, reads the bytes, hands them to its
// reader.
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "input/mesh_formats.h"

typedef plStatus Reader(plCursor* c, plMeshBuilder* b);

typedef struct Format {
  const char* extension;
  Reader* read;  // NULL: TetGen's pair
} Format;

static const Format formats[] = {{".vtk", pl_read_vtk},    {".vtu", pl_read_vtu}, {".msh", pl_read_gmsh},
                                 {".mesh", pl_read_medit}, {".obj", pl_read_obj}, {".stl", pl_read_stl},
                                 {".ply", pl_read_ply},    {".node", NULL},       {".ele", NULL}};

static const Format* find_format(const char* name, plError* error) {
  const char *dot = strrchr(name, '.'), *slash = strrchr(name, '/');
  for (size_t i = 0; dot && (!slash || dot > slash) && i < sizeof formats / sizeof *formats; i++)
    if (!strcasecmp(dot, formats[i].extension)) return &formats[i];
  pl_fail_at(error, PL_ERROR_INPUT, name, 0, 0,
             "the extension names no mesh format that is known; expected .vtk, .vtu, .msh, .node, .ele, "
             ".mesh, .obj, .stl or .ply");
  return NULL;
}

// ---- bytes

typedef struct Bytes {
  unsigned char* data;
  size_t size;
} Bytes;

static plStatus read_stream(const char* path, FILE* file, Bytes* bytes, plError* error) {
  struct stat info = {0};
  if (fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode))
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "this is a folder; a mesh file was expected");
  // Room for what the system announces and one byte more; a stream of unknown length doubles it.
  size_t room = info.st_size > 0 ? (size_t)info.st_size + 1 : 65536, used = 0;
  unsigned char* data = PL_NEW(unsigned char, room);
  while (data) {
    used += fread(data + used, 1, room - used, file);
    if (used < room) break;
    unsigned char* grown = pl_realloc(data, used, 2 * room, 1);
    if (!grown) pl_free(data);
    data = grown;
    room *= 2;
  }
  if (!data) return pl_fail_out_of_memory(error, room);
  if (ferror(file)) {
    pl_free(data);
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be read: %s", strerror(errno));
  }
  *bytes = (Bytes){data, used};
  return PL_OK;
}

static plStatus read_file(const char* path, Bytes* bytes, plError* error) {
  FILE* file = fopen(path, "rb");
  if (!file)
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be opened: %s", strerror(errno));
  plStatus status = read_stream(path, file, bytes, error);
  fclose(file);
  return status;
}

// ---- reading

// Runs a reader in the C locale, so that a decimal point is a point everywhere. (second: TetGen's elements)
static plStatus run_reader(const Format* format, plCursor* first, plCursor* second, plMesh** mesh) {
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c_locale == (locale_t)0) return pl_fail_out_of_memory(first->error, 0);
  locale_t before = uselocale(c_locale);
  plMeshBuilder builder = {0};
  plStatus status = second ? pl_read_tetgen(first, second, &builder) : format->read(first, &builder);
  if (!status) status = pl_builder_finish(&builder, second ? second : first, mesh);
  pl_builder_free(&builder);
  uselocale(before);
  freelocale(c_locale);
  return status;
}

static plStatus load_tetgen(const char* path, const Format* format, plMesh** mesh, plError* error) {
  char node_path[4096], ele_path[4096];
  size_t stem = strlen(path) - strlen(format->extension);
  if (stem + 6 > sizeof node_path)
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the path is longer than %zu bytes", sizeof node_path);
  snprintf(node_path, sizeof node_path, "%.*s.node", (int)stem, path);
  snprintf(ele_path, sizeof ele_path, "%.*s.ele", (int)stem, path);
  Bytes node = {0}, ele = {0};
  plStatus status = read_file(node_path, &node, error);
  if (!status) status = read_file(ele_path, &ele, error);
  if (!status) {
    plCursor node_cursor = pl_cursor(node_path, node.data, node.size, error);
    plCursor ele_cursor = pl_cursor(ele_path, ele.data, ele.size, error);
    status = run_reader(format, &node_cursor, &ele_cursor, mesh);
  }
  pl_free(node.data);
  pl_free(ele.data);
  return status;
}

plStatus pl_mesh_parse(const char* name, const void* bytes, size_t size, plMesh** mesh, plError* error) {
  const Format* format = find_format(name, error);
  if (!format) return PL_ERROR_INPUT;
  if (!format->read)
    return pl_fail_at(error, PL_ERROR_INPUT, name, 0, 0,
                      "a TetGen mesh is a pair of files, .node and .ele: it can only be loaded by its path");
  plCursor cursor = pl_cursor(name, bytes, size, error);
  return run_reader(format, &cursor, NULL, mesh);
}

plStatus pl_mesh_load(const char* path, plMesh** mesh, plError* error) {
  const Format* format = find_format(path, error);
  if (!format) return PL_ERROR_INPUT;
  if (!format->read) return load_tetgen(path, format, mesh, error);
  Bytes bytes = {0};
  plStatus status = read_file(path, &bytes, error);
  if (!status) status = pl_mesh_parse(path, bytes.data, bytes.size, mesh, error);
  pl_free(bytes.data);
  return status;
}

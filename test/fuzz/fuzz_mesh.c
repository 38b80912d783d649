// fuzz_mesh.c: libFuzzer entry for the mesh readers. The first byte picks the format; what is read is
// checked, repaired and freed.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "input/mesh_formats.h"
#include "pliant/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static const char* const names[] = {"a.vtk", "a.vtu",  "a.msh", "a.mesh", "a.obj", "a.stl",
                                    "a.ply", "a.gltf", "a.glb", "a.node", "a.dae"};
enum { FORMATS = sizeof names / sizeof *names };

// TetGen: the two files, parted by the first zero byte.
static plStatus parse_pair(const uint8_t* data, size_t size, plMesh** mesh, plError* error) {
  const uint8_t* zero = memchr(data, 0, size);
  size_t first = zero ? (size_t)(zero - data) : size, second = zero ? first + 1 : size;
  plCursor node = pl_cursor("a.node", data, first, error),
           ele = pl_cursor("a.ele", data + second, size - second, error);
  plMeshBuilder builder = {0};
  plStatus status = pl_read_tetgen(&node, &ele, &builder);
  if (!status) status = pl_builder_finish(&builder, &ele, mesh);
  pl_builder_free(&builder);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (!size) return 0;
  int format = data[0] % FORMATS;
  plMesh* mesh = NULL;
  plError error = {0};
  plMeshReport report;
  char text[1024];
  plStatus status = format == FORMATS - 1 ? parse_pair(data + 1, size - 1, &mesh, &error)
                                          : pl_mesh_parse(names[format], data + 1, size - 1, &mesh, &error);
  if (!status && !pl_mesh_check(mesh, &report, &error)) pl_mesh_report_text(&report, text, sizeof text);
  if (!status) pl_mesh_repair(mesh, text, sizeof text, &error);
  pl_mesh_destroy(mesh);
  return 0;
}

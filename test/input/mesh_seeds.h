// mesh_seeds.h: small valid mesh files in every format and variant, built in memory, for tests of readers and
// for mutation.
//
// A volume seed holds the five vertices and two tets below (and elements of other kinds that readers skip); a
// surface seed holds the first four vertices and the four faces of the first tet.
#ifndef PL_TEST_INPUT_MESH_SEEDS_H
#define PL_TEST_INPUT_MESH_SEEDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const double seed_vert[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0.5};
static const int seed_tet[8] = {0, 1, 2, 3, 1, 4, 2, 3};
static const int seed_tri[12] = {1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1};

typedef struct Seed {
  const char* name;  // the extension decides the format
  bool surface;
  unsigned char* bytes;
  size_t size, room;
} Seed;

// ---- bytes

static void seed_bytes(Seed* s, const void* bytes, size_t n) {
  if (s->size + n > s->room) {
    s->room = 2 * (s->size + n) + 256;
    s->bytes = realloc(s->bytes, s->room);
  }
  if (n) memcpy(s->bytes + s->size, bytes, n);
  s->size += n;
}
static void seed_text(Seed* s, const char* text) { seed_bytes(s, text, strlen(text)); }

// A number of the given size in the given byte order.
static void seed_int(Seed* s, unsigned long long value, size_t size, bool big) {
  unsigned char b[8];
  for (size_t i = 0; i < size; i++) b[big ? size - 1 - i : i] = (unsigned char)(value >> (8 * i));
  seed_bytes(s, b, size);
}
static void seed_double(Seed* s, double value, bool big) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  seed_int(s, bits, 8, big);
}
static void seed_float(Seed* s, float value, bool big) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  seed_int(s, bits, 4, big);
}
static void seed_ids(Seed* s, const int* id, int n, size_t size, bool big) {
  for (int i = 0; i < n; i++) seed_int(s, (unsigned long long)id[i], size, big);
}

// ---- VTK legacy

static const char seed_vtk_ascii[] =
    "# vtk DataFile Version 3.0\na title\nASCII\nDATASET UNSTRUCTURED_GRID\n"
    "FIELD FieldData 1\nTIME 1 1 double\n0.5\n"
    "POINTS 5 double\n0 0 0 1 0 0 0 1 0\n0 0 1 1 1 5e-1\n"
    "CELLS 3 13\n2 0 1\n4 0 1 2 3\n4 1 4 2 3\nCELL_TYPES 3\n3\n10\n10\n"
    "POINT_DATA 5\nSCALARS s float\nLOOKUP_TABLE default\n1 2 3 4 5\n";

static const char seed_vtk51_ascii[] =
    "# vtk DataFile Version 5.1\na title\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 1 0 0 0 1 "
    "0\n0 0 1 1 1 0.5\n"
    "METADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1\n\n"
    "CELLS 3 8\nOFFSETS vtktypeint64\n0 4 8\nCONNECTIVITY vtktypeint64\n0 1 2 3 1 4 2 3\nCELL_TYPES "
    "2\n10\n10\n";

static const char seed_vtk_polydata[] =
    "# vtk DataFile Version 3.0\na title\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\n"
    "LINES 1 3\n2 0 1\nPOLYGONS 4 16\n3 1 2 3\n3 0 3 2\n3 0 1 3\n3 0 2 1\n";

static void seed_vtk_binary(Seed* s) {
  seed_text(s, "# vtk DataFile Version 3.0\na title\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n");
  for (int i = 0; i < 15; i++) seed_double(s, seed_vert[i], true);
  seed_text(s, "\nCELLS 2 10\n");
  for (int t = 0; t < 2; t++) seed_int(s, 4, 4, true), seed_ids(s, seed_tet + 4 * t, 4, 4, true);
  seed_text(s, "\nCELL_TYPES 2\n");
  seed_ids(s, (int[2]){10, 10}, 2, 4, true);
  seed_text(s, "\n");
}

static void seed_vtk51_binary(Seed* s) {
  seed_text(s, "# vtk DataFile Version 5.1\na title\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n");
  for (int i = 0; i < 15; i++) seed_float(s, (float)seed_vert[i], true);
  seed_text(s, "\nCELLS 3 8\nOFFSETS vtktypeint64\n");
  seed_ids(s, (int[3]){0, 4, 8}, 3, 8, true);
  seed_text(s, "\nCONNECTIVITY vtktypeint64\n");
  seed_ids(s, seed_tet, 8, 8, true);
  seed_text(s, "\nCELL_TYPES 2\n");
  seed_ids(s, (int[2]){10, 10}, 2, 4, true);
}

// ---- VTU

static const char seed_vtu_ascii[] =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
    "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n"
    "<Piece NumberOfPoints=\"5\" NumberOfCells=\"3\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" "
    "format=\"ascii\">1 2 3 4 5</DataArray>"
    "</PointData>\n<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n0 0 0 1 "
    "0 0 0 1 0\n0 0 1 1 1 .5\n"
    "<InformationKey name=\"L2_NORM_RANGE\" location=\"vtkDataArray\" length=\"2\"><Value "
    "index=\"0\">0</Value></InformationKey>"
    "</DataArray>\n</Points>\n<Cells>\n<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 "
    "0 1 2 3 1 4 2 3</DataArray>\n"
    "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">2 6 10</DataArray>\n"
    "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">3 10 "
    "10</DataArray>\n</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";

typedef struct SeedVtu {
  bool big, compressed, appended, raw;
  size_t header;  // bytes of a header number
  size_t block;   // bytes of a compressed block
} SeedVtu;

static void seed_base64(Seed* to, const unsigned char* p, size_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    unsigned quad =
        (unsigned)p[i] << 16 | (i + 1 < n ? (unsigned)p[i + 1] << 8 : 0) | (i + 2 < n ? p[i + 2] : 0u);
    char text[5] = {digits[quad >> 18], digits[quad >> 12 & 63], i + 1 < n ? digits[quad >> 6 & 63] : '=',
                    i + 2 < n ? digits[quad & 63] : '=', 0};
    seed_text(to, text);
  }
}

// The data of one array as they stand in the file, behind what to holds already.
static void seed_vtu_encode(Seed* to, const Seed* data, SeedVtu v) {
  Seed head = {0}, body = {0};
  if (v.compressed) {
    size_t block = v.block, nblock = (data->size + block - 1) / block;
    seed_int(&head, nblock, v.header, v.big);
    seed_int(&head, block, v.header, v.big);
    seed_int(&head, data->size % block, v.header, v.big);
    for (size_t i = 0; i < nblock; i++) {
      unsigned char packed[4096];
      uLongf length = sizeof packed;
      size_t n = data->size - i * block < block ? data->size - i * block : block;
      compress(packed, &length, data->bytes + i * block, (uLong)n);
      seed_int(&head, length, v.header, v.big);
      seed_bytes(&body, packed, length);
    }
  } else {
    seed_int(&head, data->size, v.header, v.big);
    seed_bytes(&body, data->bytes, data->size);
  }
  if (v.raw) {
    seed_bytes(to, head.bytes, head.size);
    seed_bytes(to, body.bytes, body.size);
  } else if (v.compressed) {
    // The header is a piece of its own.
    seed_base64(to, head.bytes, head.size);
    seed_base64(to, body.bytes, body.size);
  } else {
    seed_bytes(&head, body.bytes, body.size);
    seed_base64(to, head.bytes, head.size);
  }
  free(head.bytes);
  free(body.bytes);
}

static void seed_vtu(Seed* s, SeedVtu v) {
  static const char* const names[4] = {"Points", "connectivity", "offsets", "types"};
  static const char* const types[4] = {"Float64", "Int64", "Int32", "UInt8"};
  Seed data[4] = {{0}}, tail = {0};
  char line[512];
  for (int i = 0; i < 15; i++) seed_double(&data[0], seed_vert[i], v.big);
  seed_ids(&data[1], seed_tet, 8, 8, v.big);
  seed_ids(&data[2], (int[2]){4, 8}, 2, 4, v.big);
  seed_ids(&data[3], (int[2]){10, 10}, 2, 1, v.big);
  snprintf(line, sizeof line,
           "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" "
           "header_type=\"%s\"%s>\n<UnstructuredGrid>\n"
           "<Piece NumberOfPoints=\"5\" NumberOfCells=\"2\">\n<Points>\n",
           v.big ? "BigEndian" : "LittleEndian", v.header == 8 ? "UInt64" : "UInt32",
           v.compressed ? " compressor=\"vtkZLibDataCompressor\"" : "");
  seed_text(s, line);
  for (int a = 0; a < 4; a++) {
    snprintf(line, sizeof line,
             "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"%s\" offset=\"%zu\">",
             types[a], names[a], a ? 1 : 3, v.appended ? "appended" : "binary", tail.size);
    seed_text(s, line);
    seed_vtu_encode(v.appended ? &tail : s, &data[a], v);
    seed_text(s, a ? "</DataArray>\n" : "</DataArray>\n</Points>\n<Cells>\n");
    free(data[a].bytes);
  }
  seed_text(s, "</Cells>\n</Piece>\n</UnstructuredGrid>\n");
  if (v.appended) {
    seed_text(s, v.raw ? "<AppendedData encoding=\"raw\">\n _" : "<AppendedData encoding=\"base64\">\n _");
    seed_bytes(s, tail.bytes, tail.size);
    seed_text(s, "\n</AppendedData>\n");
  }
  seed_text(s, "</VTKFile>\n");
  free(tail.bytes);
}

// ---- Gmsh: node tags 7, 2, 3, 4, 50, so that they are neither in order nor without gaps

static const char seed_gmsh2_ascii[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n"
    "$Nodes\n5\n7 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n50 1 1 0.5\n$EndNodes\n"
    "$Elements\n3\n1 1 2 0 1 7 2\n2 4 2 0 1 7 2 3 4\n3 4 2 0 1 2 50 3 4\n$EndElements\n";

static const char seed_gmsh4_ascii[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
    "$Nodes\n2 5 2 50\n2 1 1 2\n7\n2\n0 0 0 .1 .2\n1 0 0 .3 .4\n3 1 0 3\n3\n4\n50\n0 1 0\n0 0 1\n1 1 "
    "0.5\n$EndNodes\n"
    "$Elements\n2 3 1 3\n1 1 1 1\n1 7 2\n3 1 4 2\n2 7 2 3 4\n3 2 50 3 4\n$EndElements\n";

static const int seed_tags[5] = {7, 2, 3, 4, 50};

static void seed_gmsh2_binary(Seed* s, bool big) {
  seed_text(s, "$MeshFormat\n2.2 1 8\n");
  seed_int(s, 1, 4, big);
  seed_text(s, "\n$EndMeshFormat\n$Nodes\n5\n");
  for (int v = 0; v < 5; v++) {
    seed_int(s, (unsigned)seed_tags[v], 4, big);
    for (int i = 0; i < 3; i++) seed_double(s, seed_vert[3 * v + i], big);
  }
  seed_text(s, "\n$EndNodes\n$Elements\n3\n");
  seed_ids(s, (int[8]){1, 1, 2, 1, 0, 1, 7, 2}, 8, 4, big);
  seed_ids(s, (int[3]){4, 2, 2}, 3, 4, big);
  seed_ids(s, (int[14]){2, 0, 1, 7, 2, 3, 4, 3, 0, 1, 2, 50, 3, 4}, 14, 4, big);
  seed_text(s, "\n$EndElements\n");
}

static void seed_gmsh4_binary(Seed* s, bool big) {
  seed_text(s, "$MeshFormat\n4.1 1 8\n");
  seed_int(s, 1, 4, big);
  seed_text(s, "\n$EndMeshFormat\n$Nodes\n");
  seed_ids(s, (int[4]){1, 5, 2, 50}, 4, 8, big);
  seed_ids(s, (int[3]){3, 1, 0}, 3, 4, big);
  seed_int(s, 5, 8, big);
  seed_ids(s, seed_tags, 5, 8, big);
  for (int i = 0; i < 15; i++) seed_double(s, seed_vert[i], big);
  seed_text(s, "\n$EndNodes\n$Elements\n");
  seed_ids(s, (int[4]){2, 3, 1, 3}, 4, 8, big);
  seed_ids(s, (int[3]){1, 1, 1}, 3, 4, big);
  seed_ids(s, (int[4]){1, 1, 7, 2}, 4, 8, big);
  seed_ids(s, (int[3]){3, 1, 4}, 3, 4, big);
  seed_ids(s, (int[11]){2, 2, 7, 2, 3, 4, 3, 2, 50, 3, 4}, 11, 8, big);
  seed_text(s, "\n$EndElements\n");
}

// ---- the other text formats

static const char seed_medit[] =
    "MeshVersionFormatted 2 # a comment\nDimension\n3\nVertices\n5\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n1 1 "
    "0.5 1\n"
    "Corners\n2\n1\n2\nEdges\n1\n1 2 0\nTetrahedra\n2\n1 2 3 4 0\n2 5 3 4 0\nEnd\n";

static const char seed_node[] =
    "# points\n5 3 1 1\n1 0 0 0 9 0\n2 1 0 0 9 0 # second\n3 0 1 0 9 0\n4 0 0 1 9 0\n5 1 1 0.5 9 1\n";
static const char seed_ele[] = "2 4 1\n1 1 2 3 4 8\n2 2 5 3 4 8\n# the end\n";

static const char seed_obj[] =
    "# a comment\nmtllib x.mtl\no thing\nv 0 0 0 1.0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvn 0 0 1\ng "
    "side\nusemtl m\ns off\n"
    "f 2/1/1 3/1/1 4/1/1\nf 1//1 4//1 \\\n 3//1\nf 1/1 2/1 4/1\nf -4 -2 -3\nl 1 2\n";

static const char seed_stl_ascii[] =
    "solid a thing\nfacet normal nan 0 0\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 "
    "1\nendloop\nendfacet\n"
    "facet normal 0 0 0\n outer loop\n vertex 0 0 0\n vertex 0 0 1\n vertex 0 1 0\n endloop\n endfacet\n"
    "facet normal 0 0 0\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 0 1\n endloop\n endfacet\n"
    "facet normal 0 0 0\n outer loop\n vertex 0 0 0\n vertex 0 1 0\n vertex 1.0e0 0 0\n endloop\n "
    "endfacet\nendsolid a thing\n";

static void seed_stl_binary(Seed* s) {
  char header[80] = "solid, and still binary";
  seed_bytes(s, header, sizeof header);
  seed_int(s, 4, 4, false);
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < 3; i++) seed_float(s, 0, false);
    for (int i = 0; i < 9; i++) seed_float(s, (float)seed_vert[3 * seed_tri[3 * t + i / 3] + i % 3], false);
    seed_int(s, 0, 2, false);
  }
}

static const char seed_ply_ascii[] =
    "ply\nformat ascii 1.0\ncomment hello\nelement vertex 4\nproperty float x\nproperty float y\nproperty "
    "float z\nproperty uchar red\n"
    "element face 4\nproperty list uchar int vertex_indices\nelement edge 1\nproperty int a\nproperty int "
    "b\nend_header\n"
    "0 0 0 255\n1 0 0 255\n0 1 0 255\n0 0 1 255\n3 1 2 3\n3 0 3 2\n3 0 1 3\n3 0 2 1\n0 1\n";

static void seed_ply_binary(Seed* s, bool big) {
  seed_text(s, big ? "ply\nformat binary_big_endian 1.0\n" : "ply\nformat binary_little_endian 1.0\n");
  seed_text(s,
            "element face 4\nproperty list uchar uint vertex_index\nproperty list uchar float texcoord\n"
            "element vertex 4\nproperty short flag\nproperty double x\nproperty double y\nproperty float "
            "z\nend_header\n");
  for (int t = 0; t < 4; t++) {
    seed_int(s, 3, 1, big);
    seed_ids(s, seed_tri + 3 * t, 3, 4, big);
    seed_int(s, 2, 1, big);
    seed_float(s, 0.25f, big);
    seed_float(s, 0.5f, big);
  }
  for (int v = 0; v < 4; v++) {
    seed_int(s, 7, 2, big);
    seed_double(s, seed_vert[3 * v], big);
    seed_double(s, seed_vert[3 * v + 1], big);
    seed_float(s, (float)seed_vert[3 * v + 2], big);
  }
}

// ---- all of them

#include "collada_seeds.h"
#include "gltf_seeds.h"

enum { SEEDS = 33 };

// MuJoCo's own binary format: with one normal and two texture coordinates
static void seed_mujoco(Seed* s) {
  seed_ids(s, (int[4]){4, 1, 2, 4}, 4, 4, false);
  for (int i = 0; i < 12; i++) seed_float(s, (float)seed_vert[i], false);
  for (int i = 0; i < 7; i++) seed_float(s, 0.5f, false);
  seed_ids(s, seed_tri, 12, 4, false);
}

static Seed seed_of_text(const char* name, bool surface, const char* text) {
  Seed s = {.name = name, .surface = surface};
  seed_text(&s, text);
  return s;
}

static Seed seed_of_vtu(const char* name, SeedVtu v) {
  Seed s = {.name = name};
  seed_vtu(&s, v);
  return s;
}

__attribute__((unused)) static void make_seeds(Seed seed[SEEDS]) {
  int n = 0;
  seed[n++] = seed_of_text("ascii.vtk", false, seed_vtk_ascii);
  seed[n++] = seed_of_text("ascii51.vtk", false, seed_vtk51_ascii);
  seed[n++] = seed_of_text("polydata.vtk", true, seed_vtk_polydata);
  seed[n] = (Seed){.name = "binary.vtk"}, seed_vtk_binary(&seed[n++]);
  seed[n] = (Seed){.name = "binary51.vtk"}, seed_vtk51_binary(&seed[n++]);
  seed[n++] = seed_of_text("ascii.vtu", false, seed_vtu_ascii);
  seed[n++] = seed_of_vtu("base64.vtu", (SeedVtu){.header = 4});
  seed[n++] = seed_of_vtu("base64_64_big.vtu", (SeedVtu){.header = 8, .big = true});
  seed[n++] = seed_of_vtu("zlib.vtu", (SeedVtu){.header = 8, .compressed = true, .block = 4096});
  seed[n++] = seed_of_vtu("zlib_blocks.vtu", (SeedVtu){.header = 4, .compressed = true, .block = 32});
  seed[n++] = seed_of_vtu("appended_raw.vtu", (SeedVtu){.header = 8, .appended = true, .raw = true});
  seed[n++] = seed_of_vtu(
      "appended_raw_zlib_big.vtu",
      (SeedVtu){.header = 4, .big = true, .compressed = true, .appended = true, .raw = true, .block = 16});
  seed[n++] = seed_of_vtu("appended_base64.vtu", (SeedVtu){.header = 4, .appended = true});
  seed[n++] = seed_of_vtu("appended_base64_zlib.vtu",
                          (SeedVtu){.header = 8, .compressed = true, .appended = true, .block = 64});
  seed[n++] = seed_of_text("ascii2.msh", false, seed_gmsh2_ascii);
  seed[n++] = seed_of_text("ascii4.msh", false, seed_gmsh4_ascii);
  seed[n] = (Seed){.name = "binary2.msh"}, seed_gmsh2_binary(&seed[n], false), n++;
  seed[n] = (Seed){.name = "binary4.msh"}, seed_gmsh4_binary(&seed[n], false), n++;
  seed[n] = (Seed){.name = "binary4_big.msh"}, seed_gmsh4_binary(&seed[n], true), n++;
  seed[n++] = seed_of_text("a.mesh", false, seed_medit);
  seed[n++] = seed_of_text("a.obj", true, seed_obj);
  seed[n++] = seed_of_text("ascii.stl", true, seed_stl_ascii);
  seed[n] = (Seed){.name = "binary.stl", .surface = true}, seed_stl_binary(&seed[n]), n++;
  seed[n++] = seed_of_text("ascii.ply", true, seed_ply_ascii);
  seed[n] = (Seed){.name = "little.ply", .surface = true}, seed_ply_binary(&seed[n], false), n++;
  seed[n] = (Seed){.name = "big.ply", .surface = true}, seed_ply_binary(&seed[n], true), n++;
  seed[n++] = seed_of_gltf("tree.gltf", gltf_tree);
  seed[n++] = seed_of_gltf("short.gltf", gltf_short);
  seed[n++] = seed_of_glb("strips.glb", gltf_strips);
  seed[n++] = seed_of_glb("sparse.glb", gltf_sparse);
  seed[n] = (Seed){.name = "mujoco.msh", .surface = true}, seed_mujoco(&seed[n]), n++;
  seed[n++] = seed_of_text("tree.dae", true, collada_tree);
  seed[n++] = seed_of_text("plain.dae", true, collada_plain);
  if (n != SEEDS) abort();
}

__attribute__((unused)) static void free_seeds(Seed seed[SEEDS]) {
  for (int i = 0; i < SEEDS; i++) free(seed[i].bytes);
}

#endif

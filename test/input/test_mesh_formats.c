// Mesh files: every format and variant reads to the same mesh, writes and reads back, and tells what is wrong
// where.
#include "check.h"

#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "geom/mesh.h"
#include "mesh_seeds.h"
#include "pliant/mesh.h"

// ---- reading

// A surface of one tet, whatever the order of its vertices: four triangles round a volume of 1/6.
static void check_surface(const char* name, const plMesh* mesh) {
  plMeshReport r;
  CHECK_INT(mesh->nvert, 4);
  CHECK_INT(mesh->ntri, 4);
  CHECK_INT(mesh->ntet, 0);
  CHECK(pl_mesh_check(mesh, &r, NULL) == PL_OK);
  CHECK_NEAR(r.volume, 1.0 / 6, 1e-15);
  CHECK_INT(r.boundary_open + r.misoriented, 0);
  // The first triangle is (1, 2, 3), wherever these vertices are now.
  for (int i = 0; i < 9; i++)
    CHECK_NEAR(mesh->vert[3 * mesh->tri[i / 3] + i % 3], seed_vert[3 * seed_tri[i / 3] + i % 3], 0);
  if (check_errors) printf("in %s\n", name);
}

static void check_volume(const char* name, const plMesh* mesh) {
  CHECK_INT(mesh->nvert, 5);
  CHECK_INT(mesh->ntet, 2);
  CHECK_INT(mesh->ntri, 0);
  if (mesh->nvert == 5 && mesh->ntet == 2) {
    CHECK(!memcmp(mesh->vert, seed_vert, sizeof seed_vert));
    CHECK(!memcmp(mesh->tet, seed_tet, sizeof seed_tet));
  }
  if (check_errors) printf("in %s\n", name);
}

static void every_variant_reads_to_the_same_mesh(void) {
  Seed seed[SEEDS];
  make_seeds(seed);
  for (int i = 0; i < SEEDS; i++) {
    plMesh* mesh = NULL;
    plError error;
    char text[2048];
    plStatus status = pl_mesh_parse(seed[i].name, seed[i].bytes, seed[i].size, &mesh, &error);
    CHECK(status == PL_OK);
    if (status)
      printf("%s\n", pl_error_text(&error, text, sizeof text));
    else if (seed[i].surface)
      check_surface(seed[i].name, mesh);
    else
      check_volume(seed[i].name, mesh);
    pl_mesh_destroy(mesh);
  }
  free_seeds(seed);
}

static void windows_line_ends_read_the_same(void) {
  Seed seed[SEEDS];
  make_seeds(seed);
  for (int i = 0; i < SEEDS; i++) {
    if (!strstr(seed[i].name, "ascii") && !strstr(seed[i].name, "a.") && !strstr(seed[i].name, "polydata"))
      continue;
    Seed crlf = {.name = seed[i].name};
    for (size_t k = 0; k < seed[i].size; k++) {
      if (seed[i].bytes[k] == '\n') seed_text(&crlf, "\r");
      seed_bytes(&crlf, seed[i].bytes + k, 1);
    }
    plMesh* mesh = NULL;
    CHECK(pl_mesh_parse(crlf.name, crlf.bytes, crlf.size, &mesh, NULL) == PL_OK);
    if (mesh && seed[i].surface) check_surface(crlf.name, mesh);
    if (mesh && !seed[i].surface) check_volume(crlf.name, mesh);
    pl_mesh_destroy(mesh);
    free(crlf.bytes);
  }
  free_seeds(seed);
}

static const char* in_build(const char* name) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/test/formats_%s", PLIANT_BINARYDIR, name);
  return path;
}

static void write_text(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  CHECK(file != NULL);
  if (!file) return;
  fputs(text, file);
  fclose(file);
}

static void tetgen_reads_by_either_path(void) {
  char node[1024], ele[1024];
  snprintf(node, sizeof node, "%s", in_build("pair.node"));
  snprintf(ele, sizeof ele, "%s", in_build("pair.ele"));
  write_text(node, seed_node);
  write_text(ele, seed_ele);
  for (int i = 0; i < 2; i++) {
    plMesh* mesh = NULL;
    CHECK(pl_mesh_load(i ? ele : node, &mesh, NULL) == PL_OK);
    if (mesh) check_volume("tetgen", mesh);
    pl_mesh_destroy(mesh);
  }
  // Counted from 0.
  write_text(node, "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
  write_text(ele, "1 4 0\n0 0 1 2 3\n");
  plMesh* mesh = NULL;
  CHECK(pl_mesh_load(node, &mesh, NULL) == PL_OK);
  CHECK(mesh && mesh->tet[3] == 3);
  pl_mesh_destroy(mesh);
  // The second file is missing, or the mesh is read from memory.
  plError error;
  remove(ele);
  CHECK(pl_mesh_load(node, &mesh, &error) == PL_ERROR_IO);
  CHECK_HAS(error.file, "pair.ele");
  CHECK(pl_mesh_parse("a.node", seed_node, strlen(seed_node), &mesh, &error) == PL_ERROR_INPUT);
  CHECK_HAS(error.message, "pair of files");
}

static void polygons_become_fans(void) {
  static const char obj[] = "v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4 5\n";
  static const char ply[] =
      "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float "
      "z\nelement face 1\n"
      "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n2 1 0\n1 2 0\n0 1 0\n5 0 1 2 3 4\n";
  static const char vtk[] =
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 5 float\n0 0 0 1 0 0 2 1 0 1 2 0 0 1 "
      "0\nPOLYGONS 1 6\n5 0 1 2 3 4\n";
  static const int fan[9] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
  const char* const text[3] = {obj, ply, vtk};
  const char* const name[3] = {"a.obj", "a.ply", "a.vtk"};
  for (int i = 0; i < 3; i++) {
    plMesh* mesh = NULL;
    CHECK(pl_mesh_parse(name[i], text[i], strlen(text[i]), &mesh, NULL) == PL_OK);
    CHECK(mesh && mesh->ntri == 3 && !memcmp(mesh->tri, fan, sizeof fan));
    pl_mesh_destroy(mesh);
  }
}

static void tets_and_triangles_are_both_kept(void) {
  static const char text[] =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
      "$Elements\n2\n1 2 0 1 2 3\n2 4 0 1 2 3 4\n$EndElements\n";
  plMesh* mesh = NULL;
  CHECK(pl_mesh_parse("a.msh", text, strlen(text), &mesh, NULL) == PL_OK);
  CHECK(mesh && mesh->ntri == 1 && mesh->ntet == 1);
  pl_mesh_destroy(mesh);
}

static void a_decimal_comma_of_the_locale_does_no_harm(void) {
  const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR", "es_ES.UTF-8"};
  bool found = false;
  for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++)
    found = setlocale(LC_ALL, names[i]) != NULL;
  if (!found) printf("no locale with a decimal comma is installed: read in the C locale only\n");
  static const char text[] = "v 0.5 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  plMesh* mesh = NULL;
  CHECK(pl_mesh_parse("a.obj", text, strlen(text), &mesh, NULL) == PL_OK);
  CHECK(mesh && mesh->vert[0] == 0.5);
  const char* path = in_build("locale.obj");
  CHECK(mesh && pl_mesh_save(path, mesh, NULL) == PL_OK);
  setlocale(LC_ALL, "C");
  pl_mesh_destroy(mesh);
  mesh = NULL;
  CHECK(pl_mesh_load(path, &mesh, NULL) == PL_OK);
  CHECK(mesh && mesh->vert[0] == 0.5);
  pl_mesh_destroy(mesh);
}

// ---- errors

static void check_fails(const char* name, const char* text, int line, const char* part) {
  plMesh* mesh = NULL;
  plError error = {0};
  plStatus status = pl_mesh_parse(name, text, strlen(text), &mesh, &error);
  CHECK(status == PL_ERROR_INPUT && error.status == status && mesh == NULL);
  CHECK_STR(error.file, name);
  if (line) CHECK_INT(error.line, line);
  CHECK_HAS(error.message, part);
}

static void text_errors_name_the_line_and_what_was_expected(void) {
  static const char head[] = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n";
  char text[1024];
  snprintf(text, sizeof text, "%sPOINTS 2 double\n0 0 0\n1 zwei 0\n", head);
  check_fails("a.vtk", text, 7, "expected the y coordinate of a vertex, found 'zwei'");
  snprintf(text, sizeof text, "%sPOINTS 2 double\n0 0 0\n1 nan 0\n", head);
  check_fails("a.vtk", text, 7, "coordinate y of vertex 1 is not a finite number");
  snprintf(text, sizeof text, "%sPOINTS 99999 double\n0 0 0\n1 0 0\n", head);
  check_fails("a.vtk", text, 8, "the file ends where the x coordinate");
  snprintf(text, sizeof text, "%sPOINTS 1 double\n0 0 0\nCELLS 1 5\n4 0 0 0 1\nCELL_TYPES 1\n10\n", head);
  check_fails("a.vtk", text, 8, "refers to point 1, but the file has the points 0 .. 0");
  snprintf(text, sizeof text, "%sPOINTS 1 double\n0 0 0\nCELLS 1 4\n4 0 0 0 0\nCELL_TYPES 1\n10\n", head);
  check_fails("a.vtk", text, 8, "beyond the 4 numbers announced");
  snprintf(text, sizeof text, "%sPOINTS 1 double\n0 0 0\nCELLS 1 4\n3 0 0 0\nCELL_TYPES 1\n10\n", head);
  check_fails("a.vtk", text, 10, "tetrahedra have 4 points, got 3");
  snprintf(text, sizeof text, "%sPOINTS -3 double\n", head);
  check_fails("a.vtk", text, 5, "the number of points between 0 and");
  check_fails("a.vtk", "hello", 1, "not a VTK legacy file");
  check_fails("a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_GRID\n", 4,
              "UNSTRUCTURED_GRID or POLYDATA");
  check_fails("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n", 5, "refers to vertex number 3");
  check_fails("a.obj", "v 0 0 0\nf 0 1 1\n", 2, "vertex 0 does not exist");
  check_fails("a.obj", "v 0 0 0\nf 1 1\n", 2, "2 corners");
  check_fails("a.obj", "v 0 0 0\nf 1 1 -2\n", 2, "vertex number -1");
  check_fails("a.mesh", "MeshVersionFormatted 2\nDimension 2\n", 2, "dimension 3, found 2");
  check_fails("a.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices 1\n0 0 0 0\nTetrahedra 1\n1 1 1 2 0\n",
              6, "refers to vertex number 1");
  check_fails("a.msh", "$MeshFormat\n4.0 0 8\n", 2, "version 4 of the format is not known");
  check_fails(
      "a.msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 4 0 1 1 1 9\n",
      10, "node 9, which is not in the file");
  check_fails("a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n1 0 0 0\n$EndNodes\n", 7,
              "node 1 is defined twice");
  check_fails("a.stl", "solid\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n", 6,
              "expected 'vertex'");
  check_fails("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n", 5,
              "x, y and z");
  check_fails("a.ply",
              "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty thing y\nend_header\n0\n",
              5, "expected a type");
}

static void xml_errors_name_the_line(void) {
  check_fails("a.vtu", "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\">\n<Unstru</x>", 3,
              "the XML is broken");
  check_fails("a.vtu", "<html>\n</html>", 1, "this is not a VTU file");
  check_fails("a.vtu", "<VTKFile type=\"PolyData\">\n</VTKFile>", 1,
              "expected a VTKFile of type UnstructuredGrid, found 'PolyData'");
  check_fails("a.vtu", "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\">\n</VTKFile>",
              1, "save the file with zlib");
  check_fails("a.vtu",
              "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>\n<Piece NumberOfPoints=\"1\" "
              "NumberOfCells=\"0\"><Points>\n"
              "<DataArray type=\"Float64\" NumberOfComponents=\"3\">\n0 x "
              "0</DataArray></Points></Piece></UnstructuredGrid></VTKFile>",
              4, "expected the y coordinate");
}

static void binary_errors_name_the_byte(void) {
  Seed seed[SEEDS];
  make_seeds(seed);
  for (int i = 0; i < SEEDS; i++) {
    if (strcmp(seed[i].name, "binary.stl") != 0) continue;
    plMesh* mesh = NULL;
    plError error = {0};
    // A NaN for the y coordinate of the second vertex of the second triangle.
    memset(seed[i].bytes + 84 + 50 + 12 + 12 + 4, 0xff, 4);
    CHECK(pl_mesh_parse("a.stl", seed[i].bytes, seed[i].size, &mesh, &error) == PL_ERROR_INPUT);
    CHECK_HAS(error.message, "coordinate y of vertex 4 is not a finite number");
    CHECK_HAS(error.message, "at byte 166");
    CHECK_INT(error.line, 0);
  }
  free_seeds(seed);
}

static void files_without_tets_or_triangles_say_what_they_hold(void) {
  static const char hex[] =
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 float\n0 0 0 1 0 0 1 1 0 0 "
      "1 0 0 0 1 1 0 1 1 1 1 0 1 1\n"
      "CELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n12\n";
  check_fails("a.vtk", hex, 0, "the file holds 1 hexahedra");
  check_fails("a.obj", "v 0 0 0\n", 0, "no tetrahedron and no triangle");
  check_fails("a.obj", "", 0, "no tetrahedron and no triangle");
}

static void unknown_extensions_and_missing_files_are_errors(void) {
  plMesh* mesh = NULL;
  plError error;
  CHECK(pl_mesh_parse("a.xyz", "", 0, &mesh, &error) == PL_ERROR_INPUT);
  CHECK_HAS(error.message, "expected .vtk");
  CHECK(pl_mesh_load("folder.vtk/noextension", &mesh, &error) == PL_ERROR_INPUT);
  CHECK(pl_mesh_load("there/is/no/such.vtk", &mesh, &error) == PL_ERROR_IO);
  CHECK_HAS(error.message, "cannot be opened");
}

static void a_folder_is_not_a_mesh_file(void) {
  const char* path = in_build("folder.vtk");
  plMesh* mesh = NULL;
  plError error = {0};
  mkdir(path, 0755);
  CHECK(pl_mesh_load(path, &mesh, &error) == PL_ERROR_IO);
  CHECK_HAS(error.message, "folder");
  rmdir(path);
}

static void small_integers_are_read(void) {
  // Coordinates as signed chars, corners as shorts, a count as a signed short.
  Seed s = {.name = "a.ply"};
  seed_text(&s,
            "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty char x\nproperty short y\n"
            "property ushort z\nelement face 1\nproperty list short short vertex_indices\nend_header\n");
  for (int v = 0; v < 3; v++) {
    seed_int(&s, (unsigned char)-v, 1, false);
    seed_int(&s, (unsigned short)(-300 * v * v), 2, false);
    seed_int(&s, 65535, 2, false);
  }
  seed_ids(&s, (int[4]){3, 0, 1, 2}, 4, 2, false);
  plMesh* mesh = NULL;
  CHECK(pl_mesh_parse(s.name, s.bytes, s.size, &mesh, NULL) == PL_OK);
  CHECK(mesh && mesh->vert[6] == -2 && mesh->vert[7] == -1200 && mesh->vert[8] == 65535 && mesh->tri[2] == 2);
  pl_mesh_destroy(mesh);
  free(s.bytes);
}

static void metadata_between_fields_are_skipped(void) {
  static const char text[] =
      "# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nFIELD FieldData 2\na 1 1 "
      "double\n1\nMETADATA\nNAME x\n\n"
      "b 2 1 int\n1 2\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\nPOLYGONS 2 3\nOFFSETS vtktypeint64\n0 "
      "3\nCONNECTIVITY "
      "vtktypeint64\n0 1 2\n";
  plMesh* mesh = NULL;
  CHECK(pl_mesh_parse("a.vtk", text, strlen(text), &mesh, NULL) == PL_OK);
  CHECK(mesh && mesh->ntri == 1);
  pl_mesh_destroy(mesh);
}

// ---- writing

static plMesh* awkward_mesh(void) {
  plMesh* mesh = pl_mesh_create(5, 2, 0, NULL);
  memcpy(mesh->vert, seed_vert, sizeof seed_vert);
  memcpy(mesh->tet, seed_tet, sizeof seed_tet);
  // Numbers that only 17 digits carry, very small ones and a negative zero.
  mesh->vert[3] = 1.0 / 3, mesh->vert[4] = 0.1, mesh->vert[7] = 1 + 0x1p-52, mesh->vert[0] = -0.0,
  mesh->vert[1] = 4.9e-324, mesh->vert[2] = -1e-300;
  return mesh;
}

static void volume_formats_round_trip_to_the_last_bit(void) {
  const char* const names[] = {"r.vtk", "r.vtu", "r.msh", "r.mesh", "r.node", "r.ELE"};
  for (int with_triangles = 0; with_triangles < 2; with_triangles++)
    for (int i = 0; i < 6; i++) {
      plMesh *mesh = awkward_mesh(), *back = NULL;
      if (with_triangles) CHECK(pl_mesh_boundary(mesh, NULL) == PL_OK);
      CHECK(pl_mesh_save(in_build(names[i]), mesh, NULL) == PL_OK);
      plError error;
      // TetGen writes lower case extensions, and no triangles.
      const char* path = in_build(i == 5 ? "r.ele" : names[i]);
      CHECK(pl_mesh_load(path, &back, &error) == PL_OK);
      if (!back) printf("%s: %s\n", names[i], error.message);
      if (back) {
        CHECK_INT(back->nvert, 5);
        CHECK_INT(back->ntet, 2);
        CHECK_INT(back->ntri, i >= 4 ? 0 : mesh->ntri);
        CHECK(!memcmp(back->vert, mesh->vert, 15 * sizeof(double)));
        CHECK(!memcmp(back->tet, mesh->tet, 8 * sizeof(int)));
        CHECK(!memcmp(back->tri, mesh->tri, 3 * (size_t)back->ntri * sizeof(int)));
      }
      pl_mesh_destroy(mesh);
      pl_mesh_destroy(back);
    }
}

static void surface_formats_hold_the_boundary(void) {
  const char* const names[] = {"s.obj", "s.ply", "s.stl"};
  for (int i = 0; i < 3; i++) {
    // A vertex in the middle of a tet split in four is not on the boundary.
    plMesh *mesh = pl_mesh_create(5, 4, 0, NULL), *back = NULL;
    memcpy(mesh->vert, (double[15]){0.25, 0.25, 0.25, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
           sizeof(double[15]));
    memcpy(mesh->tet, (int[16]){2, 3, 4, 0, 1, 4, 3, 0, 1, 2, 4, 0, 1, 3, 2, 0}, sizeof(int[16]));
    CHECK(pl_mesh_save(in_build(names[i]), mesh, NULL) == PL_OK);
    CHECK(pl_mesh_load(in_build(names[i]), &back, NULL) == PL_OK);
    plMeshReport r;
    CHECK(back && pl_mesh_check(back, &r, NULL) == PL_OK && r.nvert == 4 && r.ntri == 4 &&
          r.boundary_open == 0);
    if (back) CHECK_NEAR(fabs(r.volume), 1.0 / 6, 1e-15);
    if (back) CHECK(r.volume > 0);
    pl_mesh_destroy(mesh);
    pl_mesh_destroy(back);
  }
}

static void obj_and_ply_round_trip_to_the_last_bit(void) {
  const char* const names[] = {"t.obj", "t.ply"};
  for (int i = 0; i < 2; i++) {
    plMesh *tets = awkward_mesh(), *back = NULL, *mesh = pl_mesh_create(5, 0, 4, NULL);
    memcpy(mesh->vert, tets->vert, 15 * sizeof(double));
    memcpy(mesh->tri, seed_tri, sizeof seed_tri);
    CHECK(pl_mesh_save(in_build(names[i]), mesh, NULL) == PL_OK);
    CHECK(pl_mesh_load(in_build(names[i]), &back, NULL) == PL_OK);
    CHECK(back && back->nvert == 5 && !memcmp(back->vert, mesh->vert, 15 * sizeof(double)) &&
          !memcmp(back->tri, mesh->tri, sizeof seed_tri));
    pl_mesh_destroy(tets);
    pl_mesh_destroy(mesh);
    pl_mesh_destroy(back);
  }
}

static void a_large_vtu_has_many_blocks(void) {
  enum { N = 20000 };
  plMesh *mesh = pl_mesh_create(N, 0, N - 2, NULL), *back = NULL;
  for (int v = 0; v < N; v++) v3_store(mesh->vert + 3 * v, v3(cos(v), sin(v), 1e-3 * v));
  for (int t = 0; t < N - 2; t++) memcpy(mesh->tri + 3 * t, (int[3]){t, t + 1, t + 2}, sizeof(int[3]));
  CHECK(pl_mesh_save(in_build("large.vtu"), mesh, NULL) == PL_OK);
  CHECK(pl_mesh_load(in_build("large.vtu"), &back, NULL) == PL_OK);
  CHECK(back && back->nvert == N && !memcmp(back->vert, mesh->vert, 3 * N * sizeof(double)));
  CHECK(back && back->ntri == N - 2 && !memcmp(back->tri, mesh->tri, 3 * (N - 2) * sizeof(int)));
  pl_mesh_destroy(mesh);
  pl_mesh_destroy(back);
}

static void what_cannot_be_saved_is_refused(void) {
  plMesh* mesh = awkward_mesh();
  plError error;
  CHECK(pl_mesh_save("a.xyz", mesh, &error) == PL_ERROR_INPUT);
  CHECK(pl_mesh_save("there/is/no/folder.vtk", mesh, &error) == PL_ERROR_IO);
  CHECK_HAS(error.message, "cannot be opened for writing");
  mesh->vert[5] = NAN;
  CHECK(pl_mesh_save(in_build("nan.vtk"), mesh, &error) == PL_ERROR_INPUT);
  CHECK_HAS(error.message, "vertex 1");
  mesh->vert[5] = 0;
  mesh->tet[2] = 77;
  CHECK(pl_mesh_save(in_build("id.vtk"), mesh, &error) == PL_ERROR_INPUT);
  mesh->ntet = 0;
  CHECK(pl_mesh_save(in_build("empty.vtk"), mesh, &error) == PL_ERROR_INPUT);
  pl_mesh_destroy(mesh);
  mesh = pl_mesh_create(3, 0, 1, NULL);
  memcpy(mesh->tri, (int[3]){0, 1, 2}, sizeof(int[3]));
  CHECK(pl_mesh_save(in_build("surface.node"), mesh, &error) == PL_ERROR_INPUT);
  CHECK_HAS(error.message, "hold tetrahedra");
  pl_mesh_destroy(mesh);
}

static void a_full_disk_is_an_error(void) {
  const char* path = in_build("full.vtk");
  plError error = {0};
  remove(path);
  if (symlink("/dev/full", path) != 0) return;
  plMesh* mesh = awkward_mesh();
  CHECK(pl_mesh_save(path, mesh, &error) == PL_ERROR_IO);
  CHECK_HAS(error.message, "could not be written completely");
  pl_mesh_destroy(mesh);
  remove(path);
}

// ---- memory

static void running_out_of_memory_is_a_status(void) {
  Seed seed[SEEDS];
  make_seeds(seed);
  for (int i = 0; i < SEEDS; i++) {
    plStatus status = PL_ERROR_MEMORY;
    for (int n = 0; status && n < 200; n++) {
      plMesh* mesh = NULL;
      pl_alloc_fail_after(n);
      status = pl_mesh_parse(seed[i].name, seed[i].bytes, seed[i].size, &mesh, NULL);
      pl_alloc_fail_after(-1);
      CHECK(status == PL_OK || (status == PL_ERROR_MEMORY && !mesh));
      pl_mesh_destroy(mesh);
    }
    CHECK(status == PL_OK);
  }
  free_seeds(seed);
  const char* const names[] = {"m.vtu", "m.stl", "m.vtk"};
  for (int i = 0; i < 3; i++) {
    plMesh* mesh = awkward_mesh();
    plStatus status = PL_ERROR_MEMORY;
    for (int n = 0; status && n < 200; n++) {
      pl_alloc_fail_after(n);
      status = pl_mesh_save(in_build(names[i]), mesh, NULL);
      pl_alloc_fail_after(-1);
      CHECK(status == PL_OK || status == PL_ERROR_MEMORY);
    }
    CHECK(status == PL_OK);
    pl_mesh_destroy(mesh);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(every_variant_reads_to_the_same_mesh);
  RUN(windows_line_ends_read_the_same);
  RUN(tetgen_reads_by_either_path);
  RUN(polygons_become_fans);
  RUN(tets_and_triangles_are_both_kept);
  RUN(a_decimal_comma_of_the_locale_does_no_harm);
  RUN(text_errors_name_the_line_and_what_was_expected);
  RUN(xml_errors_name_the_line);
  RUN(binary_errors_name_the_byte);
  RUN(files_without_tets_or_triangles_say_what_they_hold);
  RUN(unknown_extensions_and_missing_files_are_errors);
  RUN(a_folder_is_not_a_mesh_file);
  RUN(small_integers_are_read);
  RUN(metadata_between_fields_are_skipped);
  RUN(volume_formats_round_trip_to_the_last_bit);
  RUN(surface_formats_hold_the_boundary);
  RUN(obj_and_ply_round_trip_to_the_last_bit);
  RUN(a_large_vtu_has_many_blocks);
  RUN(what_cannot_be_saved_is_refused);
  RUN(a_full_disk_is_an_error);
  RUN(running_out_of_memory_is_a_status);
  return CHECK_END;
}

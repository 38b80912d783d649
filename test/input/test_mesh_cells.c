// No element of a mesh file is dropped in silence: what is not read is refused by name, whatever the format;
// elements of higher order are read by their corners and counted; the end of every section is there.
#include "check.h"

#include "input/mesh_cell.h"
#include "input/mesh_formats.h"
#include "pliant/mesh.h"

static plError error;
static plMesh* mesh;

static plStatus parse(const char* name, const char* text) {
  pl_mesh_destroy(mesh), mesh = NULL;
  return pl_mesh_parse(name, text, strlen(text), &mesh, &error);
}

static void refuses(const char* name, const char* text, const char* why) {
  plStatus status = parse(name, text);
  if (status != PL_ERROR_INPUT) printf("%s was read: %d tets, %d tris\n", name, mesh->ntet, mesh->ntri);
  CHECK_INT(status, PL_ERROR_INPUT);
  CHECK(mesh == NULL);
  if (status) CHECK_HAS(error.message, why);
}

static void reads(const char* name, const char* text, int nvert, int ntet, int ntri, int by_corners) {
  plStatus status = parse(name, text);
  if (status) printf("%s: %s\n", name, error.message);
  CHECK_INT(status, PL_OK);
  if (status) return;
  CHECK_INT(mesh->nvert, nvert);
  CHECK_INT(mesh->ntet, ntet);
  CHECK_INT(mesh->ntri, ntri);
  CHECK_INT(mesh->by_corners, by_corners);
}

// Twelve points, of which every element below takes the first ones.
#define TWELVE                                                                                         \
  "1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n9 .5 0 0\n10 0 .5 0\n11 0 " \
  "0 .5\n12 .5 .5 .5\n"
#define TWELVE_BARE \
  "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n.5 0 0\n0 .5 0\n0 0 .5\n.5 .5 .5\n"

// ---- one table of elements, in every format

typedef struct Element {
  const char* name;                   // part of the error message; NULL: the file is read
  int nodes, gmsh, vtk;               // numbers of the type, 0: the format has none
  const char* medit;                  // section
  int nvert, ntet, ntri, by_corners;  // the result, besides the tetrahedron 1 2 4 5
} Element;

static const Element elements[] = {{"pyramids", 5, 7, 14, "Pyramids", 0, 0, 0, 0},
                                   {"wedges", 6, 6, 13, "Prisms", 0, 0, 0, 0},
                                   {"hexahedra", 8, 5, 12, "Hexahedra", 0, 0, 0, 0},
                                   {"voxels", 8, 0, 11, NULL, 0, 0, 0, 0},
                                   {"polyhedra", 4, 0, 42, NULL, 0, 0, 0, 0},
                                   {NULL, 2, 1, 3, "Edges", 12, 1, 0, 0},
                                   {NULL, 1, 15, 1, NULL, 12, 1, 0, 0},
                                   {NULL, 3, 2, 5, "Triangles", 12, 1, 1, 0},
                                   {NULL, 4, 3, 9, "Quadrilaterals", 12, 1, 2, 0},
                                   {NULL, 4, 4, 10, "Tetrahedra", 12, 2, 0, 0},
                                   {NULL, 10, 11, 24, "TetrahedraP2", 4, 2, 0, 1},
                                   {NULL, 6, 9, 22, "TrianglesP2", 4, 1, 1, 1}};
enum { ELEMENTS = sizeof elements / sizeof *elements };

static void ids(char* text, size_t size, int n, int base) {
  size_t used = 0;
  text[0] = 0;
  // 1 2 4 5 first: the corners of a tetrahedron
  static const int order[] = {1, 2, 4, 5, 3, 6, 7, 8, 9, 10, 11, 12};
  for (int i = 0; i < n; i++) used += (size_t)snprintf(text + used, size - used, " %d", order[i] - 1 + base);
}

static void check_element(const char* name, const char* text, const Element* e) {
  if (e->name)
    refuses(name, text, e->name);
  else
    reads(name, text, e->nvert, e->ntet, e->ntri, e->by_corners);
}

static void every_element_is_read_or_named(void) {
  for (int i = 0; i < ELEMENTS; i++) {
    const Element* e = &elements[i];
    char text[2048], list[128];
    ids(list, sizeof list, e->nodes, 1);
    if (e->gmsh) {
      snprintf(text, sizeof text,
               "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n12\n" TWELVE
               "$EndNodes\n$Elements\n2\n1 4 0 1 2 4 5\n2 %d 0%s\n$EndElements\n",
               e->gmsh, list);
      check_element("a.msh", text, e);
      check_element("A.MSH", text, e);
      snprintf(text, sizeof text,
               "$NOD\n12\n" TWELVE "$ENDNOD\n$ELM\n2\n1 4 1 1 4 1 2 4 5\n2 %d 1 1 %d%s\n$ENDELM\n", e->gmsh,
               e->nodes, list);
      check_element("a.msh", text, e);
      snprintf(text, sizeof text,
               "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 12 1 12\n3 1 0 "
               "12\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n" TWELVE_BARE
               "$EndNodes\n$Elements\n2 2 1 2\n3 1 4 1\n1 1 2 4 5\n3 1 %d 1\n2%s\n$EndElements\n",
               e->gmsh, list);
      check_element("a.msh", text, e);
    }
    if (e->medit) {
      snprintf(text, sizeof text,
               "MeshVersionFormatted 2\nDimension 3\nVertices\n12\n0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n0 0 1 "
               "0\n1 0 1 0\n1 1 "
               "1 0\n0 1 1 0\n.5 0 0 0\n0 .5 0 0\n0 0 .5 0\n.5 .5 .5 0\nTetrahedra\n1\n1 2 4 5 0\n%s\n1\n%s "
               "0\nEnd\n",
               e->medit, list);
      check_element("a.mesh", text, e);
    }
    ids(list, sizeof list, e->nodes, 0);
    snprintf(text, sizeof text,
             "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 12 float\n" TWELVE_BARE
             "CELLS 2 %d\n4 0 1 3 4\n%d%s\nCELL_TYPES 2\n10\n%d\n",
             6 + e->nodes, e->nodes, list, e->vtk);
    check_element("a.vtk", text, e);
    snprintf(
        text, sizeof text,
        "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"><UnstructuredGrid><Piece "
        "NumberOfPoints=\"12\" NumberOfCells=\"2\"><Points><DataArray type=\"Float64\" "
        "NumberOfComponents=\"3\" format=\"ascii\">" TWELVE_BARE
        "</DataArray></Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 3 "
        "4%s"
        "</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 %d</DataArray><DataArray "
        "type=\"UInt8\" Name=\"types\" format=\"ascii\">10 "
        "%d</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>",
        list, 4 + e->nodes, e->vtk);
    check_element("a.vtu", text, e);
  }
}

// Every number that may be a type of VTK: only points and lines are passed over.
static void every_type_of_vtk_is_read_or_named(void) {
  static const int flat[] = {0, 1, 2, 3, 4, 21, 35, 68, 75};
  char cells[32768] = "", types[1024] = "", text[65536];
  size_t used = 0, used_types = 0;
  int size = 0, n = 0;
  for (int type = 0; type < 256; type++) {
    bool over = false;
    for (size_t i = 0; i < sizeof flat / sizeof *flat; i++) over |= type == flat[i];
    int wanted, nodes = 4;
    while (!pl_cell_fits(pl_vtk_cell(type), nodes, &wanted)) nodes = wanted;
    char list[256] = "";
    for (int i = 0; i < nodes; i++) snprintf(list + strlen(list), sizeof list - strlen(list), " %d", i % 12);
    snprintf(text, sizeof text,
             "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 12 float\n" TWELVE_BARE
             "CELLS 2 %d\n4 0 1 3 4\n%d%s\nCELL_TYPES 2\n10\n%d\n",
             6 + nodes, nodes, list, type);
    plStatus status = parse("a.vtk", text);
    int more = status ? 0 : mesh->ntet + mesh->ntri - 1;
    bool good = over ? !status && !more : status || more;
    if (!good) printf("type %d: status %d, %d more\n", type, (int)status, more);
    CHECK(good);
    if (status) CHECK_HAS(error.message, "the file holds 1 ");
    if (!status || over) continue;
    // all that are refused, in one file
    used += (size_t)snprintf(cells + used, sizeof cells - used, "%d%s\n", nodes, list);
    used_types += (size_t)snprintf(types + used_types, sizeof types - used_types, "%d\n", type);
    size += nodes + 1, n++;
  }
  CHECK(n > 150);
  snprintf(text, sizeof text,
           "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 12 float\n" TWELVE_BARE
           "CELLS %d %d\n%sCELL_TYPES %d\n%s",
           n, size, cells, n, types);
  refuses("a.vtk", text, "convex point sets");
}

static void mixed_files_name_all_that_is_not_read(void) {
  refuses("a.msh",
          "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n12\n" TWELVE
          "$EndNodes\n$Elements\n4\n1 4 0 1 2 4 5\n2 7 0 1 2 3 4 5\n3 6 0 1 2 3 4 5 6\n4 6 0 2 3 4 5 6 "
          "7\n$EndElements\n",
          "1 pyramids, 2 wedges beside 1 tetrahedra");
}

// ---- ends of sections

static void the_end_of_every_section_is_there(void) {
  static const char whole[] =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n12\n" TWELVE
      "$EndNodes\n$Elements\n1\n1 4 0 1 2 4 5\n$EndElements\n$NodeData\n1 2 3\n$EndNodeData\n";
  reads("a.msh", whole, 12, 1, 0, 0);
  static const char* const ends[] = {"$EndMeshFormat", "$EndNodes", "$EndElements", "$EndNodeData"};
  for (int i = 0; i < 4; i++) {
    char text[2048];
    const char* at = strstr(whole, ends[i]);
    size_t before = (size_t)(at - whole);
    // without it, and with more in the section than was announced
    snprintf(text, sizeof text, "%.*s%s", (int)before, whole, at + strlen(ends[i]));
    refuses("a.msh", text, ends[i]);
    if (i == 3) continue;
    snprintf(text, sizeof text, "%.*s77 4 0 1 2 4 5\n%s", (int)before, whole, at);
    refuses("a.msh", text, ends[i]);
  }
}

static void a_pointer_of_git_lfs_is_called_by_its_name(void) {
  static const char* const names[] = {"a.stl", "a.obj", "a.vtk", "a.glb", "a.msh"};
  for (int i = 0; i < 5; i++)
    refuses(names[i], "version https://git-lfs.github.com/spec/v1\noid sha256:1234\nsize 99\n",
            "Git LFS pointer");
}

// The numbers of a cell are of its own piece; those of others are refused, and the largest too.
static void cells_stay_in_their_piece(void) {
#define PIECE(cells, ids, end, type)                                                                      \
  "<Piece NumberOfPoints='4' NumberOfCells='1'><Points><DataArray type='Float64' NumberOfComponents='3'>" \
  "0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells><DataArray type='Int64' Name='connectivity'>" ids   \
  "</DataArray><DataArray type='Int64' Name='offsets'>" end                                               \
  "</DataArray><DataArray type='UInt8' Name='types'>" type "</DataArray></Cells></Piece>"
#define FILE_OF(pieces) \
  "<VTKFile type='UnstructuredGrid'><UnstructuredGrid>" pieces "</UnstructuredGrid></VTKFile>"
#define GOOD PIECE("1", "0 1 2 3", "4", "10")
  static const struct {
    const char* text;
    bool good;
  } table[] = {{FILE_OF(GOOD PIECE("1", "0 1 2", "3", "7")), true},
               {FILE_OF(GOOD PIECE("1", "0 1 3 2", "4", "7")), true},
               {FILE_OF(GOOD PIECE("1", "0 1 -1", "3", "7")), false},
               {FILE_OF(GOOD PIECE("1", "-4 1 2", "3", "7")), false},
               {FILE_OF(GOOD PIECE("1", "0 1 4", "3", "7")), false},
               {FILE_OF(GOOD PIECE("1", "0 1 999999999999999999", "3", "7")), false},
               {FILE_OF(GOOD PIECE("1", "0 1 -1 2", "4", "10")), false},
               {FILE_OF(GOOD PIECE("1", "0 1 999999999999999999 2", "4", "10")), false}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    mesh = NULL;
    plStatus status = pl_mesh_parse("m.vtu", table[i].text, strlen(table[i].text), &mesh, &error);
    CHECK_INT(status, table[i].good ? PL_OK : PL_ERROR_INPUT);
    if (!table[i].good) CHECK_HAS(error.message, "refers to");
    pl_mesh_destroy(mesh);
  }
}

// Tags of nodes may be as far apart as numbers can be.
static void tags_may_be_any_numbers(void) {
  for (int k = 0; k < 2; k++) {
    char bytes[600];
    size_t n = (size_t)snprintf(bytes, sizeof bytes, "$MeshFormat\n4.1 1 8\n");
    const int one = 1, entity[3] = {3, 1, 0}, block[3] = {3, 1, 4};
    const uint64_t tag[4] = {UINT64_MAX, 1, 2, INT64_MAX}, nodes[4] = {1, 4, 1, INT64_MAX}, four = 4,
                   first = 1, head[4] = {1, 1, 1, 1}, wrong = INT64_MAX - 1;
    const double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
#define PUT(from) memcpy(bytes + n, from, sizeof *(from) * (sizeof(from) / sizeof *(from))), n += sizeof(from)
#define WORD(text) memcpy(bytes + n, text, strlen(text)), n += strlen(text)
    memcpy(bytes + n, &one, 4), n += 4;
    WORD("\n$EndMeshFormat\n$Nodes\n");
    PUT(nodes), PUT(entity);
    memcpy(bytes + n, &four, 8), n += 8;
    PUT(tag), PUT(x);
    WORD("\n$EndNodes\n$Elements\n");
    PUT(head), PUT(block);
    memcpy(bytes + n, &first, 8), n += 8;
    memcpy(bytes + n, &first, 8), n += 8;
    PUT(tag);
    if (k) memcpy(bytes + n - 8, &wrong, 8);
    WORD("\n$EndElements\n");
#undef PUT
#undef WORD
    mesh = NULL;
    CHECK_INT(pl_mesh_parse("m.msh", bytes, n, &mesh, &error), k ? PL_ERROR_INPUT : PL_OK);
    if (k) CHECK_HAS(error.message, "which is not in the file");
    if (mesh) CHECK(mesh->ntet == 1 && mesh->tet[0] == 0 && mesh->tet[3] == 3);
    pl_mesh_destroy(mesh);
  }
}

// ---- COLLADA: the numbers of <p> make whole polygons, and <vcount> counts all of them

#define DAE(polygons)                                                                                       \
  "<COLLADA><library_geometries><geometry id='g'><mesh><source id='s'><float_array>0 0 0 1 0 0 0 1 0 0 0 1" \
  "</float_array></source><vertices id='v'><input semantic='POSITION' source='#s'/></vertices>" polygons    \
  "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene><node>"                      \
  "<instance_geometry url='#g'/></node></visual_scene></library_visual_scenes></COLLADA>"
#define VERTEX_INPUT "<input semantic='VERTEX' source='#v' offset='0'/>"

static void polygons_of_collada_are_whole(void) {
  reads("a.dae", DAE("<triangles>" VERTEX_INPUT "<p>0 1 2 0 2 3</p></triangles>"), 4, 0, 2, 0);
  reads("a.dae", DAE("<polylist>" VERTEX_INPUT "<vcount>3 4</vcount><p>0 1 2 0 1 2 3</p></polylist>"), 4, 0,
        3, 0);
  refuses("a.dae", DAE("<triangles>" VERTEX_INPUT "<p>0 1 2 0 2</p></triangles>"), "whole <triangles>");
  refuses("a.dae", DAE("<polylist>" VERTEX_INPUT "<vcount>3</vcount><p>0 1 2 0 1 2 3</p></polylist>"),
          "whole <polylist>");
  refuses("a.dae",
          DAE("<trifans>" VERTEX_INPUT "<input semantic='NORMAL' source='#s' offset='1'/>"
              "<p>0 0 1 0 2 0 3</p></trifans>"),
          "whole <trifans>");
}

// The first list of a file has no point at all: nothing is read where no list of ids is yet.
static void cells_without_points_come_first(void) {
  refuses("a.vtk",
          "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n"
          "LINES 2 2\n0 0\nPOLYGONS 1 4\n3 0 1 2\n",
          "lines have 2 points, got 0");
  reads("a.vtk",
        "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n"
        "0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 2 6\n0 4 0 1 2 3\nCELL_TYPES 2\n0 10\n",
        4, 1, 0, 0);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(every_element_is_read_or_named);
  RUN(every_type_of_vtk_is_read_or_named);
  RUN(mixed_files_name_all_that_is_not_read);
  RUN(the_end_of_every_section_is_there);
  RUN(a_pointer_of_git_lfs_is_called_by_its_name);
  RUN(polygons_of_collada_are_whole);
  RUN(cells_without_points_come_first);
  pl_mesh_destroy(mesh);
  RUN(cells_stay_in_their_piece);
  RUN(tags_may_be_any_numbers);
  return CHECK_END;
}

// mesh_medit.c: Medit's .mesh files (ASCII): Vertices, Tetrahedra, Triangles, Quadrilaterals; sections that
// hold no elements are skipped, other elements are refused by name. The file ends with the word End.
#include <ctype.h>

#include "input/mesh_cell.h"
#include "input/mesh_formats.h"

// Sections of elements that are not tetrahedra, triangles or quadrilaterals of first order: names, and what
// becomes of them; NULL: edges bound nothing.
static const char* const others[][2] = {
    {"Edges", NULL},      {"EdgesP2", NULL},      {"Hexahedra", "hexahedra"}, {"HexahedraQ2", "hexahedra"},
    {"Prisms", "wedges"}, {"PrismsP2", "wedges"}, {"Pyramids", "pyramids"},   {"PyramidsP2", "pyramids"}};

static plStatus read_vertices(plCursor* c, plMeshBuilder* b) {
  long long n;
  plStatus status = pl_cursor_text_count(c, "the number of vertices", &n);
  for (long long i = 0; !status && i < n; i++) {
    status = pl_builder_read_vertex(b, c, PL_FLOAT64);
    if (!status) status = pl_cursor_skip(c, PL_INT32, "the reference of a vertex", 1);
  }
  return status;
}

// n elements of so many vertex numbers, counted from 1, and a reference each; the corners come first.
static plStatus read_elements(plCursor* c, plMeshBuilder* b, plCellKind kind) {
  long long n, id[4];
  int width = kind.corners;
  int nvert = pl_builder_nvert(b);
  plStatus status = pl_cursor_text_count(c, "the number of elements", &n);
  for (long long e = 0; !status && e < n; e++) {
    for (int i = 0; !status && i < width; i++) {
      status = pl_cursor_text_int(c, "a vertex number of an element", &id[i]);
      if (!status) id[i]--;
    }
    if (!status) status = pl_cursor_skip(c, PL_INT32, "a vertex number of an element", kind.nodes - width);
    if (!status) status = pl_builder_cell(b, c, &kind, id, nvert);
    if (!status) status = pl_cursor_skip(c, PL_INT32, "the reference of an element", 1);
  }
  return status;
}

// The next words up to one that starts with a letter.
static void skip_numbers(plCursor* c) {
  plCursor ahead = *c;
  const char* word;
  size_t length;
  while (pl_cursor_word(&ahead, &word, &length) && !isalpha((unsigned char)word[0])) *c = ahead;
}

static plStatus read_section(plCursor* c, plMeshBuilder* b, const char* word, size_t length) {
  long long n;
  plStatus status = PL_OK;
  if (pl_word_is(word, length, "Vertices")) return read_vertices(c, b);
  static const struct {
    const char* name;
    plCellKind kind;
  } cells[] = {{"Tetrahedra", {"tetrahedra", 4, true, 4}},
               {"Triangles", {"triangles", 3, false, 3}},
               {"Quadrilaterals", {"quadrilaterals", 4, false, 4}},
               {"TetrahedraP2", {"tetrahedra", 4, true, 10}},
               {"TrianglesP2", {"triangles", 3, false, 6}},
               {"QuadrilateralsQ2", {"quadrilaterals", 4, false, 9}}};
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
    if (pl_word_is(word, length, cells[i].name)) return read_elements(c, b, cells[i].kind);
  if (pl_word_is(word, length, "Dimension")) {
    status = pl_cursor_text_int(c, "the dimension, 3", &n);
    return status || n == 3 ? status : pl_cursor_fail(c, "expected a mesh of dimension 3, found %lld", n);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (!pl_word_is(word, length, others[i][0])) continue;
    status = pl_cursor_text_count(c, "the number of elements", &n);
    if (status) return status;
    if (others[i][1] && n)
      pl_builder_refuse(b, others[i][1], n);
    else
      b->skipped += n;
  }
  if (!isalpha((unsigned char)word[0]))
    return pl_cursor_fail(c, "expected a keyword such as Vertices, Tetrahedra or End");
  skip_numbers(c);
  return PL_OK;
}

plStatus pl_read_medit(plCursor* c, plMeshBuilder* b) {
  const char* word;
  size_t length;
  c->comment = '#';
  if (!pl_cursor_word(c, &word, &length) || !pl_word_is(word, length, "MeshVersionFormatted"))
    return pl_cursor_fail(c, "expected MeshVersionFormatted at the start: this is not a Medit .mesh file");
  long long version;
  plStatus status = pl_cursor_text_int(c, "the version, 1 or 2", &version);
  while (!status && pl_cursor_word(c, &word, &length)) {
    if (pl_word_is(word, length, "End")) return PL_OK;
    status = read_section(c, b, word, length);
  }
  return status ? status : pl_cursor_fail(c, "the file ends without the word End: it is cut short");
}

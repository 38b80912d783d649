// mesh_medit.c: Medit's .mesh files (ASCII): Vertices, Tetrahedra, Triangles; other sections are skipped.
#include <ctype.h>

#include "input/mesh_formats.h"

// Sections of other elements, for the count of what was skipped.
static bool is_element_section(const char* word, size_t length) {
  static const char* const names[] = {
      "Edges",       "Quadrilaterals", "Hexahedra", "Prisms",           "Pyramids",
      "TrianglesP2", "TetrahedraP2",   "EdgesP2",   "QuadrilateralsQ2", "HexahedraQ2"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (pl_word_is(word, length, names[i])) return true;
  return false;
}

static plStatus read_vertices(plCursor* c, plMeshBuilder* b) {
  long long n;
  plStatus status = pl_cursor_text_count(c, "the number of vertices", &n);
  for (long long i = 0; !status && i < n; i++) {
    status = pl_builder_read_vertex(b, c, PL_FLOAT64);
    if (!status) status = pl_cursor_skip(c, PL_INT32, "the reference of a vertex", 1);
  }
  return status;
}

// n elements of width vertex numbers, counted from 1, and a reference each.
static plStatus read_elements(plCursor* c, plMeshBuilder* b, int width) {
  long long n, id[4];
  int nvert = pl_builder_nvert(b);
  plStatus status = pl_cursor_text_count(c, "the number of elements", &n);
  for (long long e = 0; !status && e < n; e++) {
    for (int i = 0; !status && i < width; i++) {
      status = pl_cursor_text_int(c, "a vertex number of an element", &id[i]);
      id[i]--;
    }
    if (!status) status = width == 4 ? pl_builder_tet(b, c, id, nvert) : pl_builder_tri(b, c, id, nvert);
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
  if (pl_word_is(word, length, "Tetrahedra")) return read_elements(c, b, 4);
  if (pl_word_is(word, length, "Triangles")) return read_elements(c, b, 3);
  if (pl_word_is(word, length, "Dimension")) {
    status = pl_cursor_text_int(c, "the dimension, 3", &n);
    return status || n == 3 ? status : pl_cursor_fail(c, "expected a mesh of dimension 3, found %lld", n);
  }
  if (is_element_section(word, length)) {
    status = pl_cursor_text_count(c, "the number of elements", &n);
    if (status) return status;
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
    if (pl_word_is(word, length, "End")) break;
    status = read_section(c, b, word, length);
  }
  return status;
}

// mesh_stl.c: STL, ASCII and binary. Vertices at exactly the same position are merged, since the format
// repeats them in every triangle.
#include <string.h>

#include "input/mesh_formats.h"

enum { HEADER = 80, TRIANGLE = 50 };

static plStatus add_triangle(plCursor* c, plMeshBuilder* b) {
  long long n = pl_builder_nvert(b);
  return pl_builder_tri(b, c, (long long[3]){n - 3, n - 2, n - 1}, n);
}

// ---- ASCII: facet normal x y z / outer loop / vertex x y z three times / endloop / endfacet

static plStatus expect(plCursor* c, const char* text) {
  const char* word;
  size_t length;
  if (!pl_cursor_word(c, &word, &length))
    return pl_cursor_fail(c, "the file ends where '%s' was expected", text);
  return pl_word_is(word, length, text) ? PL_OK : pl_cursor_fail(c, "expected '%s'", text);
}

static plStatus read_facet(plCursor* c, plMeshBuilder* b) {
  // The normal follows from the vertices; what the file says about it is often wrong.
  plStatus status = expect(c, "normal");
  if (!status) status = pl_cursor_skip(c, PL_FLOAT32, "a component of the normal", 3);
  if (!status) status = expect(c, "outer");
  if (!status) status = expect(c, "loop");
  for (int i = 0; !status && i < 3; i++) {
    status = expect(c, "vertex");
    if (!status) status = pl_builder_read_vertex(b, c, PL_FLOAT32);
  }
  if (!status) status = expect(c, "endloop");
  if (!status) status = expect(c, "endfacet");
  return status ? status : add_triangle(c, b);
}

static plStatus read_ascii(plCursor* c, plMeshBuilder* b) {
  const char* word;
  size_t length;
  plStatus status = PL_OK;
  bool inside = false;
  while (!status && pl_cursor_word(c, &word, &length)) {
    bool begin = pl_word_is(word, length, "solid"), end = pl_word_is(word, length, "endsolid");
    // The rest of these two lines is a name.
    if (begin || end) {
      inside = begin;
      pl_cursor_skip_line(c);
    } else if (inside && pl_word_is(word, length, "facet")) {
      status = read_facet(c, b);
    } else {
      status = pl_cursor_fail(c, "expected '%s'", inside ? "facet' or 'endsolid" : "solid");
    }
  }
  if (!status && inside)
    status = pl_cursor_fail(c, "the file ends where 'facet' or 'endsolid' was expected: it is cut short");
  return status;
}

// ---- binary: 80 bytes, a count, 50 bytes each

static plStatus read_binary(plCursor* c, plMeshBuilder* b, long long n) {
  plStatus status = PL_OK;
  for (long long t = 0; !status && t < n; t++) {
    status = pl_cursor_skip(c, PL_FLOAT32, "the normal of a triangle", 3);
    for (int i = 0; !status && i < 3; i++) status = pl_builder_read_vertex(b, c, PL_FLOAT32);
    if (!status) status = pl_cursor_skip(c, PL_UINT16, "the attribute of a triangle", 1);
    if (!status) status = add_triangle(c, b);
  }
  // some writers add a few bytes
  if (!status && c->end - c->p >= TRIANGLE)
    return pl_cursor_fail(c, "there are %lld bytes behind the %lld triangles that the file announces",
                          (long long)(c->end - c->p), n);
  return status;
}

plStatus pl_read_stl(plCursor* c, plMeshBuilder* b) {
  size_t size = (size_t)(c->end - c->begin);
  plCursor binary = *c;
  long long n = -1;
  binary.binary = true;
  binary.swap = !pl_machine_is_little_endian();
  binary.error = NULL;
  // Binary files may start with "solid" too: the size decides.
  if (size >= HEADER + 4) {
    binary.p += HEADER;
    pl_cursor_int(&binary, PL_UINT32, "the number of triangles", &n);
  }
  plCursor first = *c;
  const char* word;
  size_t length;
  bool fits = n >= 0 && size == HEADER + 4 + TRIANGLE * (unsigned long long)n;
  bool solid = pl_cursor_word(&first, &word, &length) && pl_word_is(word, length, "solid");
  bool ascii = solid && !fits;
  binary.error = c->error;
  plStatus status;
  if (ascii)
    status = read_ascii(c, b);
  else if (n < 0)
    status =
        pl_cursor_fail(c, "expected 'solid' or a binary STL of at least 84 bytes, found %zu bytes", size);
  else
    *c = binary, status = read_binary(c, b, n);
  return status ? status : pl_builder_weld(b, c);
}

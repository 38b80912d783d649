// mesh_obj.c: Wavefront OBJ: vertices and faces. Polygons become fans; texture and normal numbers, groups and
// materials are left out.
#include <string.h>

#include "input/mesh_formats.h"

// The next word of a statement; a backslash at the end of a line joins the next line to it.
static bool next_word(plCursor* c, const char** word, size_t* length) {
  while (pl_cursor_word_in_line(c, word, length)) {
    if (*length != 1 || (*word)[0] != '\\') return true;
    pl_cursor_skip_line(c);
  }
  return false;
}

static long long count_vertices(plCursor c) {
  const char* word;
  size_t length;
  long long n = 0;
  for (; c.p < c.end; pl_cursor_skip_line(&c))
    n += pl_cursor_word_in_line(&c, &word, &length) && pl_word_is(word, length, "v");
  return n;
}

// The first number of "7/2/5", "7//5" or "-1".
static plStatus read_corner(plCursor* c, const char* word, size_t length, int so_far, long long* id) {
  const char* slash = memchr(word, '/', length);
  plCursor number = *c;
  number.p = c->token;
  number.end = (const unsigned char*)word + (slash ? (size_t)(slash - word) : length);
  plStatus status = pl_cursor_text_int(&number, "a vertex number of a face", id);
  if (status) return status;
  if (*id == 0)
    return pl_cursor_fail(c, "vertex 0 does not exist: vertices are counted from 1, or from -1 backwards");
  // Negative numbers count back from the latest vertex.
  *id = *id > 0 ? *id - 1 : so_far + *id;
  return PL_OK;
}

static plStatus read_face(plCursor* c, plMeshBuilder* b, long long nvert) {
  long long fan[3] = {0, 0, 0}, id;
  const char* word;
  size_t length;
  int n = 0;
  for (; next_word(c, &word, &length); n++) {
    plStatus status = read_corner(c, word, length, pl_builder_nvert(b), &id);
    if (status) return status;
    // first, previous, this
    fan[n == 0 ? 0 : 1] = n < 2 ? id : fan[2];
    fan[2] = id;
    if (n >= 2 && (status = pl_builder_tri(b, c, fan, nvert))) return status;
  }
  if (n < 3) return pl_cursor_fail(c, "a face has %d corners, expected at least 3", n);
  return PL_OK;
}

plStatus pl_read_obj(plCursor* c, plMeshBuilder* b) {
  const char* word;
  size_t length;
  plStatus status = PL_OK;
  c->comment = '#';
  long long nvert = count_vertices(*c);
  for (; !status && c->p < c->end; pl_cursor_skip_line(c)) {
    if (!next_word(c, &word, &length)) continue;
    if (pl_word_is(word, length, "v")) status = pl_builder_read_vertex(b, c, PL_FLOAT64);
    if (pl_word_is(word, length, "f") || pl_word_is(word, length, "fo")) status = read_face(c, b, nvert);
    b->skipped += pl_word_is(word, length, "l") || pl_word_is(word, length, "p");
  }
  return status;
}

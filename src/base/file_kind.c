// file_kind.c: recognises the content of a file by its first bytes, so that nothing is overwritten by another
// kind.
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/file.h"

static bool starts_with(const char* head, size_t n, const char* magic, size_t length) {
  return n >= length && !memcmp(head, magic, length);
}
static bool is_recording(const char* head, size_t n, size_t size) {
  (void)size;
  return starts_with(head, n, "PLREC\r\n\032", 8);
}
static bool is_state(const char* head, size_t n, size_t size) {
  (void)size;
  return starts_with(head, n, "PLSTATE", 7);
}
static bool is_png(const char* head, size_t n, size_t size) {
  (void)size;
  return starts_with(head, n, "\211PNG\r\n\032\n", 8);
}
static bool is_gif(const char* head, size_t n, size_t size) {
  (void)size;
  return starts_with(head, n, "GIF8", 4);
}

static bool is_json(const char* head, size_t n, size_t size) {
  (void)size;
  size_t i = 0;
  while (i < n && isspace((unsigned char)head[i])) i++;
  return i < n && (head[i] == '{' || head[i] == '[');
}

// The first cell of a table is a signal with its unit: time [s], or "contact(a,b).force.x [N]".
static bool is_table(const char* head, size_t n, size_t size) {
  (void)size;
  bool quoted = n > 0 && head[0] == '"';
  size_t i = quoted, open = 0;
  for (; i < n && !strchr(quoted ? "\"\n" : ",\n\r", head[i]); i++) {
    bool plain = isalnum((unsigned char)head[i]) || strchr("_-./(),* ^[]", head[i]);
    if (!head[i] || !plain) return false;
    if (head[i] == '[') open = i;
  }
  return open > (size_t)quoted + 1 && head[open - 1] == ' ' && i > open + 1 && head[i - 1] == ']' && i < n;
}

// The next line at *at that is neither empty nor a comment, without leading spaces; 0: no complete line is
// left.
static size_t next_line(const char* head, size_t n, size_t* at, const char** line) {
  while (*at < n) {
    size_t begin = *at, end = begin;
    while (end < n && head[end] != '\n') end++;
    if (end == n) return 0;
    *at = end + 1;
    while (begin < end && isspace((unsigned char)head[begin])) begin++;
    if (begin == end || head[begin] == '#') continue;
    *line = head + begin;
    return end - begin;
  }
  return 0;
}

// Wavefront: every line begins with one of its words, and there is at least one.
static bool is_obj(const char* head, size_t n) {
  static const char* const words[] = {"v", "vn", "vt", "vp", "f",      "l",
                                      "p", "o",  "g",  "s",  "mtllib", "usemtl"};
  size_t at = 0, length, lines = 0;
  for (const char* line; (length = next_line(head, n, &at, &line)); lines++) {
    size_t word = 0;
    bool known = false;
    while (word < length && !isspace((unsigned char)line[word])) word++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      known |= strlen(words[i]) == word && !strncmp(words[i], line, word);
    // coordinates and facets are followed by numbers
    size_t next = word;
    while (next < length && isspace((unsigned char)line[next])) next++;
    bool numbers = line[0] == 'v' || line[0] == 'f' || line[0] == 'l' || line[0] == 'p';
    if (!known || (numbers && (next == length || !strchr("+-.0123456789", line[next])))) return false;
  }
  return lines > 0 && !starts_with(head, n, "#!", 2);
}

// As text "solid" and a facet; as binary a count after 80 bytes that matches the file's size.
static bool is_stl(const char* head, size_t n, size_t size) {
  uint32_t count;
  if (starts_with(head, n, "solid", 5)) {
    const char* line;
    size_t at = 0, first = next_line(head, n, &at, &line), second = next_line(head, n, &at, &line);
    if (first && second && (!strncmp(line, "facet", 5) || !strncmp(line, "endsolid", 8))) return true;
  }
  if (n < 84) return false;
  memcpy(&count, head + 80, 4);
  return size == 84 + 50 * (size_t)count;
}

// TetGen: the first line consists of whole numbers.
static bool is_numbers(const char* head, size_t n) {
  const char* line;
  size_t at = 0, length = next_line(head, n, &at, &line), digits = 0;
  for (size_t i = 0; i < length; i++) {
    if (!isdigit((unsigned char)line[i]) && !isspace((unsigned char)line[i])) return false;
    digits += isdigit((unsigned char)line[i]) != 0;
  }
  return digits >= 3;
}

static bool is_vtk_xml(const char* head, size_t n, size_t size) {
  (void)size;
  char text[PL_FILE_HEAD + 1];
  assert(n <= PL_FILE_HEAD);
  memcpy(text, head, n), text[n] = 0;
  return starts_with(head, n, "<VTKFile", 8) ||
         (starts_with(head, n, "<?xml", 5) && strstr(text, "<VTKFile"));
}

static bool is_mesh(const char* head, size_t n, size_t size) {
  static const char* const magic[] = {"ply\n", "ply\r",     "# vtk DataFile",      "$MeshFormat",
                                      "$NOD",  "$Comments", "MeshVersionFormatted"};
  for (size_t i = 0; i < sizeof magic / sizeof *magic; i++)
    if (starts_with(head, n, magic[i], strlen(magic[i]))) return true;
  return is_vtk_xml(head, n, size) || is_stl(head, n, size) || is_obj(head, n) || is_numbers(head, n);
}

const plFileKind pl_file_recording = {"recording", is_recording}, pl_file_state = {"saved state", is_state},
                 pl_file_table = {"table of signals", is_table}, pl_file_json = {"JSON report", is_json},
                 pl_file_png = {"PNG picture", is_png}, pl_file_gif = {"GIF picture", is_gif},
                 pl_file_mesh = {"mesh", is_mesh}, pl_file_vtk = {"VTK file", is_vtk_xml};

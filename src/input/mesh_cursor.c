// mesh_cursor.c: reads words and numbers from the bytes of a mesh file.
#include "input/mesh_cursor.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geom/mesh.h"

enum { NUMBER_LENGTH = 128, SHOWN = 24 };

// ---- kinds of numbers

size_t pl_number_size(plNumber type) {
  static const size_t size[] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  assert((size_t)type < sizeof size / sizeof *size);
  return size[type];
}

bool pl_number_is_real(plNumber type) { return type == PL_FLOAT32 || type == PL_FLOAT64; }

bool pl_machine_is_little_endian(void) {
  const uint16_t one = 1;
  unsigned char low;
  memcpy(&low, &one, 1);
  return low == 1;
}

// ---- the cursor

plCursor pl_cursor(const char* name, const void* bytes, size_t size, plError* error) {
  const unsigned char* begin = bytes ? bytes : (const unsigned char*)"";
  return (plCursor){.name = name,
                    .begin = begin,
                    .end = begin + (bytes ? size : 0),
                    .p = begin,
                    .token = begin,
                    .error = error};
}

plStatus pl_cursor_fail(const plCursor* c, const char* format, ...) {
  char sentence[512];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  const char *in = c->part ? "in " : "", *part = c->part ? c->part : "", *comma = c->part ? ", " : "";
  if (c->binary)
    return pl_fail_at(c->error, PL_ERROR_INPUT, c->name, 0, 0, "%s%s%sat byte %zu: %s", in, part, comma,
                      (size_t)(c->token - c->begin), sentence);
  // Lines are counted only when an error occurs.
  int line = 1, column = 1;
  for (const unsigned char* q = c->begin; q < c->token; q++) {
    column = *q == '\n' ? 1 : column + (column < INT_MAX);
    line += *q == '\n' && line < INT_MAX;
  }
  return pl_fail_at(c->error, PL_ERROR_INPUT, c->name, line, column, "%s%s%s%s", in, part, comma, sentence);
}

// ---- words

static bool is_space(unsigned char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static void skip_space(plCursor* c, bool stay_in_line) {
  for (; c->p < c->end; c->p++) {
    if (stay_in_line && *c->p == '\n') return;
    if (c->comment && *c->p == (unsigned char)c->comment) {
      while (c->p < c->end && *c->p != '\n') c->p++;
      if (c->p == c->end || stay_in_line) return;
    } else if (!is_space(*c->p)) {
      return;
    }
  }
}

static bool take_word(plCursor* c, const char** word, size_t* length) {
  c->token = c->p;
  while (c->p < c->end && !is_space(*c->p) && !(c->comment && *c->p == (unsigned char)c->comment)) c->p++;
  *word = (const char*)c->token;
  *length = (size_t)(c->p - c->token);
  return *length > 0;
}

bool pl_cursor_word(plCursor* c, const char** word, size_t* length) {
  skip_space(c, false);
  return take_word(c, word, length);
}

bool pl_cursor_word_in_line(plCursor* c, const char** word, size_t* length) {
  skip_space(c, true);
  return take_word(c, word, length);
}

bool pl_word_is(const char* word, size_t length, const char* text) {
  return strlen(text) == length && strncasecmp(word, text, length) == 0;
}

void pl_cursor_skip_line(plCursor* c) {
  const unsigned char* newline = memchr(c->p, '\n', (size_t)(c->end - c->p));
  c->p = newline ? newline + 1 : c->end;
}

// ---- numbers as text

static plStatus fail_expected(plCursor* c, const char* what, const char* word, size_t length) {
  if (!length) return pl_cursor_fail(c, "the file ends where %s was expected", what);
  // Shows the word without characters that a terminal cannot print.
  char shown[SHOWN + 1];
  size_t n = length < SHOWN ? length : SHOWN;
  for (size_t i = 0; i < n; i++) shown[i] = (char)(word[i] > ' ' && word[i] < 127 ? word[i] : '?');
  shown[n] = '\0';
  return pl_cursor_fail(c, "expected %s, found '%s%s'", what, shown, length > SHOWN ? "..." : "");
}

// The next word as a terminated text; fails if it is too long.
static plStatus number_word(plCursor* c, const char* what, char text[NUMBER_LENGTH]) {
  const char* word;
  size_t length;
  if (!pl_cursor_word(c, &word, &length) || length >= NUMBER_LENGTH)
    return fail_expected(c, what, word, length);
  memcpy(text, word, length);
  text[length] = '\0';
  return PL_OK;
}

plStatus pl_cursor_text_int(plCursor* c, const char* what, long long* value) {
  const char* word;
  size_t length;
  if (!pl_cursor_word(c, &word, &length)) return fail_expected(c, what, word, length);
  bool negative = word[0] == '-';
  size_t i = negative || word[0] == '+';
  // At most 18 digits: no overflow.
  long long n = 0;
  if (i == length || length - i > 18) return fail_expected(c, what, word, length);
  for (; i < length; i++) {
    if (word[i] < '0' || word[i] > '9') return fail_expected(c, what, word, length);
    n = 10 * n + (word[i] - '0');
  }
  *value = negative ? -n : n;
  return PL_OK;
}

static plStatus text_real(plCursor* c, const char* what, double* value) {
  char text[NUMBER_LENGTH], *end;
  plStatus status = number_word(c, what, text);
  if (status) return status;
  *value = strtod(text, &end);
  return *end || end == text ? fail_expected(c, what, text, strlen(text)) : PL_OK;
}

// ---- numbers as bytes

static bool take_bytes(plCursor* c, plNumber type, unsigned char* bytes) {
  size_t size = pl_number_size(type);
  c->token = c->p;
  if ((size_t)(c->end - c->p) < size) return false;
  for (size_t i = 0; i < size; i++) bytes[i] = c->p[c->swap ? size - 1 - i : i];
  c->p += size;
  return true;
}

static plStatus fail_short(plCursor* c, plNumber type, const char* what) {
  return pl_cursor_fail(c,
                        "the file ends where %s (%zu bytes) was expected, %zu bytes are left: it is cut "
                        "short or its counts are wrong",
                        what, pl_number_size(type), (size_t)(c->end - c->p));
}

// The value of an integer type; a value beyond the range of long long becomes -1, which is never a valid
// count or id.
static long long decode_int(plNumber type, const unsigned char* bytes) {
  union {
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
  } v;
  memcpy(&v, bytes, pl_number_size(type));
  switch (type) {
    case PL_INT8:
      return v.i8;
    case PL_UINT8:
      return v.u8;
    case PL_INT16:
      return v.i16;
    case PL_UINT16:
      return v.u16;
    case PL_INT32:
      return v.i32;
    case PL_UINT32:
      return v.u32;
    case PL_INT64:
      return v.i64;
    case PL_UINT64:
      return v.u64 <= INT64_MAX ? (long long)v.u64 : -1;
    default:
      return -1;
  }
}

static double decode_real(plNumber type, const unsigned char* bytes) {
  float f32;
  double f64;
  if (type == PL_FLOAT32) return memcpy(&f32, bytes, 4), (double)f32;
  if (type == PL_FLOAT64) return memcpy(&f64, bytes, 8), f64;
  return (double)decode_int(type, bytes);
}

// ---- either kind

plStatus pl_cursor_int(plCursor* c, plNumber type, const char* what, long long* value) {
  if (!c->binary) return pl_cursor_text_int(c, what, value);
  unsigned char bytes[8];
  if (pl_number_is_real(type))
    return pl_cursor_fail(c, "expected %s as a whole number, but the file stores it with a fraction", what);
  if (!take_bytes(c, type, bytes)) return fail_short(c, type, what);
  *value = decode_int(type, bytes);
  return PL_OK;
}

plStatus pl_cursor_real(plCursor* c, plNumber type, const char* what, double* value) {
  if (!c->binary) return text_real(c, what, value);
  unsigned char bytes[8];
  if (!take_bytes(c, type, bytes)) return fail_short(c, type, what);
  *value = decode_real(type, bytes);
  return PL_OK;
}

static plStatus check_count(const plCursor* c, const char* what, long long n) {
  if (n >= 0 && n <= PL_MESH_ELEMENT_MAX) return PL_OK;
  return pl_cursor_fail(c, "expected %s between 0 and %d, found %lld", what, PL_MESH_ELEMENT_MAX, n);
}

plStatus pl_cursor_text_count(plCursor* c, const char* what, long long* value) {
  plStatus status = pl_cursor_text_int(c, what, value);
  return status ? status : check_count(c, what, *value);
}

plStatus pl_cursor_count(plCursor* c, plNumber type, const char* what, long long* value) {
  plStatus status = pl_cursor_int(c, type, what, value);
  return status ? status : check_count(c, what, *value);
}

plStatus pl_cursor_end(plCursor* c, const char* what) {
  skip_space(c, false);
  c->token = c->p;
  return c->p == c->end
             ? PL_OK
             : pl_cursor_fail(c, "there are more %s than the file announces: its counts are wrong", what);
}

plStatus pl_cursor_skip(plCursor* c, plNumber type, const char* what, long long n) {
  if (c->binary) {
    c->token = c->p;
    if (n < 0 || (unsigned long long)n > (unsigned long long)(c->end - c->p) / pl_number_size(type))
      return fail_short(c, type, what);
    c->p += (size_t)n * pl_number_size(type);
    return PL_OK;
  }
  const char* word;
  size_t length;
  for (; n > 0; n--)
    if (!pl_cursor_word(c, &word, &length)) return fail_expected(c, what, word, length);
  return PL_OK;
}

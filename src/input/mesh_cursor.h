// mesh_cursor.h: a position in the bytes of a mesh file, from which words and numbers are taken.
//
// One cursor serves text and binary: pl_cursor_int and pl_cursor_real read the next word or the next bytes,
// so that a format with both variants is read by the same code. Nothing is read past the end; every error
// gives the position (line and column of text, byte of binary), what was expected and what was found. Text
// numbers are read in the C locale, which pl_mesh_parse sets.
#ifndef PL_INPUT_MESH_CURSOR_H
#define PL_INPUT_MESH_CURSOR_H

#include <stdbool.h>

#include "base/error.h"

typedef enum plNumber {
  PL_NUMBER_NONE,
  PL_INT8,
  PL_UINT8,
  PL_INT16,
  PL_UINT16,
  PL_INT32,
  PL_UINT32,
  PL_INT64,
  PL_UINT64,
  PL_FLOAT32,
  PL_FLOAT64
} plNumber;

size_t pl_number_size(plNumber type);
bool pl_number_is_real(plNumber type);

typedef struct plCursor {
  const char* name;  // the file, for errors
  const char*
      part;  // the part of it that the bytes are ("array 'offsets'"), NULL if they are the file itself
  const unsigned char *begin, *end;
  const unsigned char* p;      // the next byte
  const unsigned char* token;  // beginning of the last word or number: errors refer to it
  bool on_disk;                // name is the path of the file: others beside it may be read
  bool binary;                 // numbers are bytes, not words
  bool swap;                   // of the other byte order than this machine
  char comment;                // in text, starts a comment up to the end of the line; '\0': no such character
  plError* error;
} plCursor;

plCursor pl_cursor(const char* name, const void* bytes, size_t size, plError* error);
bool pl_machine_is_little_endian(void);

// Fills the error with the line of the last token.
plStatus pl_cursor_fail(const plCursor* c, const char* format, ...) PL_PRINTF(2, 3);

// ---- text, whatever c->binary says: headers of binary files are text too

bool pl_cursor_word(plCursor* c, const char** word, size_t* length);  // false at the end
bool pl_cursor_word_in_line(plCursor* c, const char** word,
                            size_t* length);  // false at the end of the line, which stays
bool pl_word_is(const char* word, size_t length, const char* text);  // upper and lower case are the same
void pl_cursor_skip_line(plCursor* c);                               // to the first byte of the next line
plStatus pl_cursor_text_int(plCursor* c, const char* what, long long* value);
// A count: not negative, and no larger than a mesh may be.
plStatus pl_cursor_text_count(plCursor* c, const char* what, long long* value);

// ---- numbers, text or binary; type matters only in binary. what: what is expected, for the error.

plStatus pl_cursor_int(plCursor* c, plNumber type, const char* what, long long* value);
plStatus pl_cursor_real(plCursor* c, plNumber type, const char* what, double* value);
plStatus pl_cursor_count(plCursor* c, plNumber type, const char* what, long long* value);
// Skips n numbers.
// Fails if more than white space follows: counts that are too small would drop it. what: "tetrahedra".
plStatus pl_cursor_end(plCursor* c, const char* what);
plStatus pl_cursor_skip(plCursor* c, plNumber type, const char* what, long long n);

#endif

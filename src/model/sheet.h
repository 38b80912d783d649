// sheet.h: tables written to a text, for people (aligned columns) or for programs (JSON). The caller
// describes the content once; the sheet formats it.
#ifndef PL_MODEL_SHEET_H
#define PL_MODEL_SHEET_H

#include <stdbool.h>

#include "base/error.h"

typedef struct plColumn {
  const char* key;   // in JSON
  const char* head;  // above the column
  int width;         // characters; negative: left-aligned
  const char* unit;  // after the number; NULL: none
} plColumn;

typedef struct plSheet {
  char* text;           // [size] terminated if there is room
  size_t size, length;  // length of the whole text, even if it does not fit
  bool json;
  const plColumn* column;  // of the table being written; NULL: a map
  int ncolumn, cell, row;  // the next cell
  const char* key;         // of the next value of a map
  int members;             // number of members of the whole object so far
} plSheet;

void pl_sheet_begin(plSheet* sheet, bool json, char* text, size_t size);
void pl_sheet_end(plSheet* sheet);

// A list of rows: every row has a value for each column. Without rows it is an empty list in JSON and nothing
// for people.
void pl_sheet_table(plSheet* sheet, const char* key, const plColumn* column, int ncolumn);
void pl_sheet_table_end(plSheet* sheet);
// One object, in JSON alone: a key before each value.
void pl_sheet_map(plSheet* sheet, const char* key);
void pl_sheet_key(plSheet* sheet, const char* key);
void pl_sheet_map_end(plSheet* sheet);
// A line for people alone.
void pl_sheet_say(plSheet* sheet, const char* format, ...) PL_PRINTF(2, 3);

void pl_sheet_text(plSheet* sheet, const char* text);
void pl_sheet_int(plSheet* sheet, int n);
void pl_sheet_number(plSheet* sheet, double x);  // a number that is not finite is null in JSON, - for people
void pl_sheet_flag(plSheet* sheet, bool on);
void pl_sheet_vec3(plSheet* sheet, plVec3 v);
// "x [m] y [m]", in JSON a list of pairs
void pl_sheet_units(plSheet* sheet, const char* const* word, const char* const* unit, int n);

#endif

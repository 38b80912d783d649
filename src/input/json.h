// json.h: JSON text (RFC 8259) as a small tree whose nodes know their positions in the text.
//
// The reader is strict: no comments, no trailing commas, no NaN. Strings without escapes are not copied, so
// that a buffer of megabytes in a data URI costs nothing; the text must outlive the tree. Memory is
// proportional to the commas and brackets in the text, up to the limits below. Numbers are read in the C
// locale, which pl_mesh_parse sets.
#ifndef PL_INPUT_JSON_H
#define PL_INPUT_JSON_H

#include "base/memory.h"
#include "input/mesh_cursor.h"

enum { PL_JSON_MAX_VALUES = 1000000, PL_JSON_MAX_DEPTH = 64 };

typedef enum plJsonKind {
  PL_JSON_NULL,
  PL_JSON_BOOL,
  PL_JSON_NUMBER,
  PL_JSON_TEXT,
  PL_JSON_LIST,
  PL_JSON_MAP
} plJsonKind;

typedef struct plJson plJson;
struct plJson {
  plJsonKind kind;
  int nchild;
  double number;           // of a number; 1 or 0 of a bool
  const char *text, *key;  // not terminated; key: of an entry of a map
  size_t length, key_length;
  const unsigned char* at;  // its first byte
  plJson *first, *next;
};

typedef struct plJsonTree {
  plJson* node;  // [capacity]; node[0] is the root
  int nnode, capacity;
  plArena text;  // strings that had escapes
} plJsonTree;

// The tree of all bytes of the cursor; free it in any case.
plStatus pl_json_parse(plCursor* c, plJsonTree* tree);
void pl_json_free(plJsonTree* tree);

// The entry of a map, NULL if there is none (or map is NULL or not a map). If a key is repeated, the first
// one counts.
const plJson* pl_json_get(const plJson* map, const char* key);
bool pl_json_is(const plJson* node, const char* text);  // a string with this text
// An error at a node's line; NULL: at the start.
plStatus pl_json_fail(const plCursor* c, const plJson* node, const char* format, ...) PL_PRINTF(3, 4);

#endif

// key.h: description of a member of a struct that users set: its name, type, unit, range and meaning.
//
// The sections of scene files are tables of such keys, and so are the options. The reader, the checks and the
// reference pages are derived from the tables.
#ifndef PL_MODEL_KEY_H
#define PL_MODEL_KEY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/word.h"
#include "pliant/types.h"

typedef enum plKeyType {
  PL_KEY_NUMBER,   // double
  PL_KEY_INT,      // int
  PL_KEY_INT3,     // int[3]
  PL_KEY_BOOL,     // bool
  PL_KEY_WORD,     // int, one of words
  PL_KEY_TEXT,     // const char*, owned by the tree
  PL_KEY_VEC3,     // plVec3, the range holds for each component
  PL_KEY_QUAT,     // plQuat (w, x, y, z)
  PL_KEY_SCALE,    // plVec3, one number or three
  PL_KEY_MAP,      // a struct filled by the key's section
  PL_KEY_LIST,     // const plYaml*, a list of maps of the key's section
  PL_KEY_INTS,     // const plYaml*, a list of whole numbers
  PL_KEY_TEXTS,    // const plYaml*, one text or a list of texts
  PL_KEY_NUMBERS,  // const plYaml*, a list of numbers
  PL_KEY_ROW,      // const plYaml*, one number or a list of numbers
  PL_KEY_TYPES
} plKeyType;

// The numbers between low and high; an open end is excluded. An infinite end that is not open admits
// infinity.
typedef struct plRange {
  double low, high;
  bool low_open, high_open;
} plRange;

#define PL_RANGE_POSITIVE \
  { 0, INFINITY, true, true }
#define PL_RANGE_NOT_NEGATIVE \
  { 0, INFINITY, false, true }

typedef struct plKey {
  const char* name;
  plKeyType type;
  size_t offset;                    // of the value in the section's struct
  const char* unit;                 // "" or NULL: none
  plRange range;                    // numbers; all zero: any
  const plWord* words;              // PL_KEY_WORD; PL_KEY_INT: words for some numbers, NULL: none
  const char *removed, *remedy;     // a word of earlier versions, and its replacement; NULL: none
  const struct plSection* section;  // PL_KEY_MAP, PL_KEY_LIST (input/scene.h)
  bool required;
  const char* fallback;  // the meaning of a missing key, if it is not the struct's default
  const char* meaning;   // one line for the page
  plVec3 preset;         // options: the default; a single number is in x
  bool no_result;        // options: does not affect results, so it is neither hashed nor taken from a state
} plKey;

// Whether a number (finite or, if the range admits it, infinite) is in the range.
bool pl_range_holds(const plRange* range, double x);
// The expected value of a key: "a number > 0 (s)", "one of box, sphere", ...
const char* pl_key_expects(const plKey* key, char* text, size_t size);

#endif

// mesh_text.h: sentences written one per line into a caller's buffer.
#ifndef PL_GEOM_MESH_TEXT_H
#define PL_GEOM_MESH_TEXT_H

#include <stddef.h>

#include "base/error.h"

typedef struct plSentences {
  char* text;  // always terminated; may be NULL with size 0
  size_t size, used;
  int count;
} plSentences;

plSentences pl_sentences(char* text, size_t size);
// Adds a sentence. One that does not fit is cut, and later ones are only counted.
void pl_say(plSentences* lines, const char* format, ...) PL_PRINTF(2, 3);

const char* pl_plural(int n, const char* one, const char* many);

#endif

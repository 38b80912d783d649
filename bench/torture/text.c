// text.c: a string that grows as text is appended.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "torture.h"

void text_add(Text* text, const char* format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  size_t n = (size_t)vsnprintf(NULL, 0, format, list);
  if (text->n + n + 1 > text->room) {
    text->room = 2 * (text->n + n + 1);
    text->s = realloc(text->s, text->room);
    if (!text->s) abort();
  }
  vsnprintf(text->s + text->n, n + 1, format, again);
  text->n += n;
  va_end(list);
  va_end(again);
}

void text_free(Text* text) {
  free(text->s);
  *text = (Text){0};
}

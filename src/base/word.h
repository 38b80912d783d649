// word.h: a name for a number, as scene files spell an enumeration.
#ifndef PL_BASE_WORD_H
#define PL_BASE_WORD_H

typedef struct plWord {
  const char* name;  // NULL ends a list
  int value;
} plWord;

#endif

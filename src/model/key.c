// key.c: texts for ranges and for what a key expects.
#include "model/key.h"

#include <stdio.h>

static bool range_unset(const plRange* r) { return r->low == 0 && r->high == 0; }

bool pl_range_holds(const plRange* r, double x) {
  if (range_unset(r)) return isfinite(x);
  return (r->low_open ? x > r->low : x >= r->low) && (r->high_open ? x < r->high : x <= r->high);
}

// The range as text: "> 0", "in [0, 1]", "" for any.
static const char* range_text(const plRange* r, char* text, size_t size) {
  bool low = isfinite(r->low), high = isfinite(r->high);
  if (!low && !high)
    snprintf(text, size, "%s", "");
  else if (low && high)
    snprintf(text, size, "in %c%g, %g%c", r->low_open ? '(' : '[', r->low, r->high, r->high_open ? ')' : ']');
  else if (low)
    snprintf(text, size, "%s %g", r->low_open ? ">" : ">=", r->low);
  else
    snprintf(text, size, "%s %g", r->high_open ? "<" : "<=", r->high);
  return text;
}

// "a, b, c" of the words.
static void join_words(const plWord* words, char* text, size_t size) {
  size_t used = 0;
  text[0] = 0;
  for (; words->name && used < size; words++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", words->name);
}

const char* pl_key_expects(const plKey* key, char* text, size_t size) {
  static const char* const what[PL_KEY_TYPES] = {[PL_KEY_NUMBER] = "a number",
                                                 [PL_KEY_INT] = "a whole number",
                                                 [PL_KEY_INT3] = "a list of three whole numbers",
                                                 [PL_KEY_BOOL] = "true or false",
                                                 [PL_KEY_WORD] = "one of",
                                                 [PL_KEY_TEXT] = "a text",
                                                 [PL_KEY_VEC3] = "a list of three numbers",
                                                 [PL_KEY_QUAT] = "a list of four numbers w, x, y, z",
                                                 [PL_KEY_SCALE] = "a number or a list of three",
                                                 [PL_KEY_MAP] = "a map",
                                                 [PL_KEY_LIST] = "a list of maps",
                                                 [PL_KEY_INTS] = "a list of whole numbers",
                                                 [PL_KEY_TEXTS] = "a text or a list of texts",
                                                 [PL_KEY_NUMBERS] = "a list of numbers",
                                                 [PL_KEY_ROW] = "a number or a list of numbers"};
  if (key->type == PL_KEY_WORD) {
    char words[256];
    join_words(key->words, words, sizeof words);
    snprintf(text, size, "one of %s", words);
    return text;
  }
  char range[64] = "";
  if (!range_unset(&key->range)) range_text(&key->range, range, sizeof range);
  bool unit = key->unit && key->unit[0];
  char words[64] = "";
  if (key->words) join_words(key->words, words, sizeof words);
  snprintf(text, size, "%s%s%s%s%s%s%s%s", what[key->type], range[0] ? " " : "", range,
           words[0] ? " or " : "", words, unit ? " (" : "", unit ? key->unit : "", unit ? ")" : "");
  return text;
}

// json.c: JSON text to a tree (json.h), by recursive descent with a limit on depth.
#include "input/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_LENGTH = 64 };

typedef struct Reader {
  plCursor* c;
  plJsonTree* tree;
  int depth;
} Reader;

static plStatus read_value(Reader* r, plJson** value);

static plStatus fail(Reader* r, const char* expected) {
  plCursor* c = r->c;
  c->token = c->p;
  if (c->p >= c->end)
    return pl_cursor_fail(c, "the text ends where %s was expected: it is cut short", expected);
  if (*c->p > ' ' && *c->p < 127) return pl_cursor_fail(c, "expected %s, found '%c'", expected, *c->p);
  return pl_cursor_fail(c, "expected %s, found the byte 0x%02x", expected, *c->p);
}

static void skip_space(plCursor* c) {
  while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' || *c->p == '\r' || *c->p == '\t')) c->p++;
}

// The next byte that is not white space, '\0' at the end.
static int peek(plCursor* c) {
  skip_space(c);
  return c->p < c->end ? *c->p : 0;
}

// ---- strings

static int hex4(const unsigned char* p) {
  int value = 0;
  for (int i = 0; i < 4; i++) {
    int digit = p[i] >= '0' && p[i] <= '9'   ? p[i] - '0'
                : p[i] >= 'a' && p[i] <= 'f' ? p[i] - 'a' + 10
                : p[i] >= 'A' && p[i] <= 'F' ? p[i] - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    value = 16 * value + digit;
  }
  return value;
}

static char* put_utf8(char* out, unsigned code) {
  if (code < 0x80) return *out++ = (char)code, out;
  if (code < 0x800) {
    *out++ = (char)(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      *out++ = (char)(0xe0 | code >> 12);
    } else {
      *out++ = (char)(0xf0 | code >> 18);
      *out++ = (char)(0x80 | (code >> 12 & 0x3f));
    }
    *out++ = (char)(0x80 | (code >> 6 & 0x3f));
  }
  *out++ = (char)(0x80 | (code & 0x3f));
  return out;
}

// After "\u": one unit, or the two of a surrogate pair. Six bytes of text give at most three of UTF-8, twelve
// give four.
static plStatus take_unicode(Reader* r, char** out) {
  plCursor* c = r->c;
  int high = c->end - c->p >= 4 ? hex4(c->p) : -1, low;
  if (high < 0) return fail(r, "four hexadecimal digits");
  c->p += 4;
  unsigned code = (unsigned)high;
  if (high >= 0xd800 && high < 0xe000) {
    low = high < 0xdc00 && c->end - c->p >= 6 && c->p[0] == '\\' && c->p[1] == 'u' ? hex4(c->p + 2) : -1;
    if (low < 0xdc00 || low >= 0xe000) return fail(r, "the second half of a surrogate pair");
    c->p += 6;
    code = 0x10000 + ((unsigned)(high - 0xd800) << 10) + (unsigned)(low - 0xdc00);
  }
  *out = put_utf8(*out, code);
  return PL_OK;
}

// A string with escapes, copied without them; begin is after the first quote.
static plStatus take_escaped(Reader* r, const unsigned char* begin, const unsigned char* end,
                             const char** text, size_t* length) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  plCursor* c = r->c;
  char *copy = PL_ARENA_NEW(&r->tree->text, char, (size_t)(end - begin) + 1), *out = copy;
  if (!copy) return pl_fail_out_of_memory(c->error, (size_t)(end - begin));
  for (c->p = begin; c->p < end;) {
    if (*c->p != '\\') {
      *out++ = (char)*c->p++;
      continue;
    }
    const char* found = memchr(from, c->p[1], sizeof from - 1);
    c->p += 2;
    if (found) {
      *out++ = to[found - from];
    } else if (c->p[-1] == 'u') {
      plStatus status = take_unicode(r, &out);
      if (status) return status;
    } else {
      c->p--;
      return fail(r, "one of the characters \" \\ / b f n r t u behind a backslash");
    }
  }
  *text = copy;
  *length = (size_t)(out - copy);
  return PL_OK;
}

static plStatus take_string(Reader* r, const char** text, size_t* length) {
  plCursor* c = r->c;
  const unsigned char* begin = ++c->p;
  bool escaped = false;
  for (; c->p < c->end && *c->p != '"'; c->p++) {
    if (*c->p < ' ') return fail(r, "the rest of a string (control characters are written as \\u....)");
    if (*c->p == '\\') escaped = true, c->p += c->p + 1 < c->end;
  }
  if (c->p >= c->end) return c->p = c->end, fail(r, "the end of a string");
  *text = (const char*)begin;
  *length = (size_t)(c->p - begin);
  if (escaped) {
    const unsigned char* quote = c->p;
    plStatus status = take_escaped(r, begin, quote, text, length);
    if (status) return status;
    c->p = quote;
  }
  c->p++;
  return PL_OK;
}

// ---- numbers and words

static bool take_digits(plCursor* c) {
  const unsigned char* begin = c->p;
  while (c->p < c->end && *c->p >= '0' && *c->p <= '9') c->p++;
  return c->p > begin;
}

static plStatus take_number(Reader* r, double* number) {
  plCursor* c = r->c;
  const unsigned char* begin = c->p;
  if (*c->p == '-') c->p++;
  bool zero = c->p < c->end && *c->p == '0';
  if (zero ? (c->p++, false) : !take_digits(c)) return fail(r, "a digit");
  if (c->p < c->end && *c->p == '.' && (c->p++, !take_digits(c))) return fail(r, "a digit behind the point");
  if (c->p < c->end && (*c->p == 'e' || *c->p == 'E')) {
    c->p++;
    if (c->p < c->end && (*c->p == '+' || *c->p == '-')) c->p++;
    if (!take_digits(c)) return fail(r, "a digit of the exponent");
  }
  char text[NUMBER_LENGTH];
  size_t length = (size_t)(c->p - begin);
  c->token = begin;
  if (length >= sizeof text)
    return pl_cursor_fail(c, "a number has more than %d characters", NUMBER_LENGTH - 1);
  memcpy(text, begin, length);
  text[length] = 0;
  *number = strtod(text, NULL);
  return isfinite(*number) ? PL_OK : pl_cursor_fail(c, "the number %s is too large", text);
}

static bool take_word(plCursor* c, const char* word) {
  size_t n = strlen(word);
  if ((size_t)(c->end - c->p) < n || memcmp(c->p, word, n)) return false;
  c->p += n;
  return true;
}

// ---- values

static plStatus read_key(Reader* r, plJson* child) {
  plCursor* c = r->c;
  if (peek(c) != '"') return fail(r, "a key in quotes");
  plStatus status = take_string(r, &child->key, &child->key_length);
  if (status) return status;
  if (peek(c) != ':') return fail(r, "':'");
  c->p++;
  return PL_OK;
}

// The entries of a list or a map, the cursor at its bracket.
static plStatus read_entries(Reader* r, plJson* parent, int close) {
  plCursor* c = r->c;
  plJson** link = &parent->first;
  plStatus status = PL_OK;
  if (++r->depth > PL_JSON_MAX_DEPTH) return fail(r, "at most 64 levels of lists and maps");
  c->p++;
  if (peek(c) != close) do {
      plJson key = {0};
      if (parent->kind == PL_JSON_MAP) status = read_key(r, &key);
      if (!status) status = read_value(r, link);
      if (status) return status;
      (*link)->key = key.key, (*link)->key_length = key.key_length;
      link = &(*link)->next;
      parent->nchild++;
    } while (peek(c) == ',' && c->p++);
  if (peek(c) != close) return fail(r, close == ']' ? "',' or ']'" : "',' or '}'");
  c->p++;
  r->depth--;
  return PL_OK;
}

static plStatus read_value(Reader* r, plJson** value) {
  plCursor* c = r->c;
  int byte = peek(c);
  // More values than the commas and brackets allow: the text is not valid, and the error is near this point.
  if (r->tree->nnode >= r->tree->capacity) return fail(r, "the end");
  plJson* node = &r->tree->node[r->tree->nnode];
  *node = (plJson){.at = c->p};
  plStatus status = PL_OK;
  if (byte == '{')
    node->kind = PL_JSON_MAP;
  else if (byte == '[')
    node->kind = PL_JSON_LIST;
  else if (byte == '"')
    node->kind = PL_JSON_TEXT, status = take_string(r, &node->text, &node->length);
  else if (byte == '-' || (byte >= '0' && byte <= '9'))
    node->kind = PL_JSON_NUMBER, status = take_number(r, &node->number);
  else if (take_word(c, "true"))
    node->kind = PL_JSON_BOOL, node->number = 1;
  else if (take_word(c, "false"))
    node->kind = PL_JSON_BOOL;
  else if (!take_word(c, "null"))
    return fail(r, "a value");
  r->tree->nnode++;
  *value = node;
  if (status || (node->kind != PL_JSON_LIST && node->kind != PL_JSON_MAP)) return status;
  return read_entries(r, node, byte == '{' ? '}' : ']');
}

// The largest possible number of values: one, one more after every comma and one in every bracket.
static long long count_values(const plCursor* c) {
  long long n = 1;
  bool inside = false;
  for (const unsigned char* p = c->p; p < c->end; p++) {
    if (inside && *p == '\\')
      p++;
    else if (*p == '"')
      inside = !inside;
    else if (!inside)
      n += *p == ',' || *p == '[' || *p == '{';
  }
  return n;
}

plStatus pl_json_parse(plCursor* c, plJsonTree* tree) {
  *tree = (plJsonTree){0};
  pl_arena_init(&tree->text);
  if (c->end - c->p >= 3 && !memcmp(c->p, "\xef\xbb\xbf", 3)) c->p += 3;
  long long n = count_values(c);
  if (n > PL_JSON_MAX_VALUES)
    return pl_cursor_fail(c, "the text holds more than %d values", (int)PL_JSON_MAX_VALUES);
  tree->capacity = (int)n;
  tree->node = PL_NEW(plJson, n);
  if (!tree->node) return pl_fail_out_of_memory(c->error, (size_t)n * sizeof *tree->node);
  Reader r = {.c = c, .tree = tree};
  plJson* root;
  plStatus status = read_value(&r, &root);
  if (status) return status;
  skip_space(c);
  return c->p < c->end ? fail(&r, "the end") : PL_OK;
}

void pl_json_free(plJsonTree* tree) {
  pl_free(tree->node);
  pl_arena_free(&tree->text);
}

// ---- access

const plJson* pl_json_get(const plJson* map, const char* key) {
  size_t length = strlen(key);
  if (!map || map->kind != PL_JSON_MAP) return NULL;
  for (const plJson* child = map->first; child; child = child->next)
    if (child->key_length == length && !memcmp(child->key, key, length)) return child;
  return NULL;
}

bool pl_json_is(const plJson* node, const char* text) {
  return node && node->kind == PL_JSON_TEXT && node->length == strlen(text) &&
         !memcmp(node->text, text, node->length);
}

plStatus pl_json_fail(const plCursor* c, const plJson* node, const char* format, ...) {
  char sentence[448];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  plCursor place = *c;
  place.binary = false;
  place.token = node ? node->at : c->begin;
  return pl_cursor_fail(&place, "%s", sentence);
}

// shrink.c: reduces a failing scene to the least text that fails in the same way.
//
// Drawn scenes have one entry per line, with flow maps inside. Smaller scenes are made by removing an entry
// (and all entries that name it), by removing a key of a map, by rounding a number to one or two digits, and
// by halving the time. A smaller scene with the same outcome is kept. A scene that cannot be read has another
// outcome.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "torture.h"

typedef struct Shrink {
  const char* folder;
  const Verdict* wanted;
  char* text;
  clock_t end;
} Shrink;

static bool out_of_time(const Shrink* s) { return clock() > s->end; }

static bool same(const Verdict* a, const Verdict* b) { return a->outcome == b->outcome; }

// Keeps the text if it fails too. Takes ownership of it.
static bool try_text(Shrink* s, char* text) {
  Verdict v;
  judge_scene(text, s->folder, &v);
  bool good = same(&v, s->wanted);
  if (good) free(s->text), s->text = text;
  if (!good) free(text);
  return good;
}

// The text with [from, to) replaced.
static char* replaced(const char* text, size_t from, size_t to, const char* by) {
  size_t n = strlen(text), k = strlen(by);
  char* t = malloc(n + k + 1);
  if (!t) abort();
  memcpy(t, text, from), memcpy(t + from, by, k), memcpy(t + from + k, text + to, n - to + 1);
  return t;
}

static size_t line_end(const char* text, size_t at) {
  while (text[at] && text[at] != '\n') at++;
  return text[at] ? at + 1 : at;
}

static bool names(const char* line, size_t n, const char* name) {
  size_t k = strlen(name);
  for (size_t i = 1; i + k <= n; i++)
    if (!strncmp(line + i, name, k) && !isalnum((unsigned char)line[i - 1]) &&
        !isalnum((unsigned char)line[i + k]))
      return true;
  return false;
}

// Without the entry at `at` and the entries that name it; headings without entries go too.
static char* without(const char* text, size_t at) {
  char name[32] = "";
  sscanf(text + at, "  - {name: %31[^,}]", name);
  Text t = {0};
  for (size_t i = 0; text[i];) {
    size_t e = line_end(text, i);
    bool entry = !strncmp(text + i, "  - ", 4);
    if (i != at && !(entry && name[0] && names(text + i, e - i, name)))
      text_add(&t, "%.*s", (int)(e - i), text + i);
    i = e;
  }
  // headings
  Text u = {0};
  for (size_t i = 0; t.n && t.s[i];) {
    size_t e = line_end(t.s, i);
    bool heading = e - i >= 2 && t.s[e - 2] == ':' && t.s[i] != ' ';
    if (!heading || !strncmp(t.s + e, "  - ", 4)) text_add(&u, "%.*s", (int)(e - i), t.s + i);
    i = e;
  }
  text_free(&t);
  return u.s;
}

static bool drop_entries(Shrink* s) {
  bool any = false;
  for (size_t i = 0; s->text[i] && !out_of_time(s);) {
    if (!strncmp(s->text + i, "  - ", 4) && try_text(s, without(s->text, i))) {
      any = true, i = 0;
      continue;
    }
    i = line_end(s->text, i);
  }
  return any;
}

// The end of the value of the key at `at`: a comma or closing bracket of the same level.
static size_t value_end(const char* text, size_t at) {
  int level = 0;
  for (; text[at] && text[at] != '\n'; at++) {
    if (level == 0 && (text[at] == ',' || text[at] == '}' || text[at] == ']')) break;
    level += (text[at] == '{' || text[at] == '[') - (text[at] == '}' || text[at] == ']');
  }
  return at;
}

// Keys that must stay: without them bodies would lose their mass, exceed the ranges, or overlap at the start.
static bool is_needed(const char* key, size_t n) {
  static const char* const needed[] = {"pose",    "position", "mass",  "inertia",  "duration",    "stiffness",
                                       "size",    "cells",    "edge",  "young",    "poisson",     "density",
                                       "c1",      "c2",       "bulk",  "material", "lame_lambda", "lame_mu",
                                       "damping", "kind",     "length"};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (strlen(needed[i]) == n && !strncmp(key, needed[i], n)) return true;
  return false;
}

// All keys except the first of their map: ", key: value".
static bool drop_keys(Shrink* s) {
  bool any = false;
  for (size_t i = 0; s->text[i] && !out_of_time(s); i++) {
    if (s->text[i] != ',' || !isalpha((unsigned char)s->text[i + 2])) continue;
    size_t k = i + 2;
    while (isalnum((unsigned char)s->text[k]) || s->text[k] == '_') k++;
    if (s->text[k] != ':' || is_needed(s->text + i + 2, k - i - 2)) continue;
    if (try_text(s, replaced(s->text, i, value_end(s->text, k + 1), ""))) any = true, i--;
  }
  return any;
}

static void round_numbers(Shrink* s, int digits) {
  for (size_t i = 1; s->text[i] && !out_of_time(s); i++) {
    char* end;
    if (!strchr(" [", s->text[i - 1]) || !(isdigit((unsigned char)s->text[i]) || s->text[i] == '-')) continue;
    double x = strtod(s->text + i, &end);
    if (end == s->text + i || !strchr(",]}", *end)) continue;
    char number[40];
    size_t n = (size_t)(end - (s->text + i));
    snprintf(number, sizeof number, "%.*g", digits, x);
    if (strlen(number) < n) try_text(s, replaced(s->text, i, i + n, number));
  }
}

static void shorten(Shrink* s) {
  char* at = strstr(s->text, "duration: ");
  if (!at) return;
  size_t i = (size_t)(at - s->text) + 10;
  double x = strtod(s->text + i, NULL);
  for (double part = 0.1; part < 1 && !out_of_time(s); part += 0.2) {
    char number[40];
    snprintf(number, sizeof number, "%.4g", part * x);
    if (try_text(s, replaced(s->text, i, value_end(s->text, i), number))) return;
  }
}

void shrink_scene(const char* text, const char* folder, const Verdict* verdict, double limit_s, Text* small) {
  Shrink s = {folder, verdict, replaced(text, 0, 0, ""), clock() + (clock_t)(limit_s * CLOCKS_PER_SEC)};
  shorten(&s);
  while ((drop_entries(&s) || drop_keys(&s)) && !out_of_time(&s)) {
  }
  round_numbers(&s, 2);
  round_numbers(&s, 3);
  text_add(small, "%s", s.text);
  free(s.text);
}

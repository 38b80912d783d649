// sheet.c: tables for people and for programs.
#include "model/sheet.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

static void add(plSheet* s, const char* bytes, size_t n) {
  if (s->length + 1 < s->size) {
    size_t room = s->size - 1 - s->length, part = n < room ? n : room;
    memcpy(s->text + s->length, bytes, part);
    s->text[s->length + part] = 0;
  }
  s->length += n;
}

static void put(plSheet* s, const char* text) { add(s, text, strlen(text)); }

// A text in JSON's quotes; a byte that is not UTF-8 is written as the character with its number.
static void put_quoted(plSheet* s, const char* text) {
  put(s, "\"");
  for (const char* c = text; *c;) {
    int n = pl_text_utf8(c);
    char code[8];
    if (n == 0 || (unsigned char)*c < 32 || *c == 127 || *c == '"' || *c == '\\') {
      snprintf(code, sizeof code, "\\u%04x", (unsigned char)*c);
      put(s, code), n = 1;
    } else {
      add(s, c, (size_t)n);
    }
    c += n;
  }
  put(s, "\"");
}

void pl_sheet_begin(plSheet* s, bool json, char* text, size_t size) {
  *s = (plSheet){.text = text, .size = size, .json = json};
  if (size) text[0] = 0;
  if (json) put(s, "{");
}

void pl_sheet_end(plSheet* s) {
  if (s->json) put(s, "\n}\n");
}

static void put_member(plSheet* s, const char* key) {
  put(s, s->members++ ? ",\n  " : "\n  ");
  put_quoted(s, key);
  put(s, ": ");
}

void pl_sheet_table(plSheet* s, const char* key, const plColumn* column, int ncolumn) {
  s->column = column, s->ncolumn = ncolumn, s->cell = s->row = 0;
  if (s->json) put_member(s, key), put(s, "[");
}

void pl_sheet_table_end(plSheet* s) {
  assert(s->cell == 0);
  if (s->json) put(s, s->row ? "\n  ]" : "]");
}

void pl_sheet_map(plSheet* s, const char* key) {
  s->column = NULL, s->cell = 0;
  if (s->json) put_member(s, key), put(s, "{");
}

void pl_sheet_key(plSheet* s, const char* key) { s->key = key; }

void pl_sheet_map_end(plSheet* s) {
  if (s->json) put(s, "}");
}

void pl_sheet_say(plSheet* s, const char* format, ...) {
  char text[512];
  va_list list;
  if (s->json) return;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  put(s, text), put(s, "\n");
}

// ---- values

// The last column needs no padding.
static int width_of(const plSheet* s, int cell) {
  int width = s->column[cell].width;
  return cell + 1 == s->ncolumn && width < 0 ? 0 : width;
}

static void put_heads(plSheet* s) {
  char text[128];
  for (int i = 0; i < s->ncolumn; i++) {
    snprintf(text, sizeof text, "%s%*s", i ? " " : "\n", width_of(s, i), s->column[i].head);
    put(s, text);
  }
  put(s, "\n");
}

// The text before a value in JSON.
static void begin_json(plSheet* s) {
  if (s->column && s->cell == 0) put(s, s->row ? ",\n    {" : "\n    {");
  if (s->cell) put(s, ", ");
  put_quoted(s, s->column ? s->column[s->cell].key : s->key);
  put(s, ": ");
}

static void end_value(plSheet* s) {
  s->cell++;
  if (!s->column || s->cell < s->ncolumn) return;
  put(s, s->json ? "}" : "\n");
  s->cell = 0, s->row++;
}

// One value: in JSON, and for people.
static void value(plSheet* s, const char* json, const char* plain) {
  if (s->json) {
    begin_json(s);
    put(s, json);
  } else if (s->column) {
    char text[512];
    if (s->row == 0 && s->cell == 0) put_heads(s);
    snprintf(text, sizeof text, "%s%*s", s->cell ? " " : "", width_of(s, s->cell), plain);
    put(s, text);
  }
  end_value(s);
}

void pl_sheet_text(plSheet* s, const char* text) {
  if (!s->json) {
    value(s, "", text);
    return;
  }
  begin_json(s);
  put_quoted(s, text);
  end_value(s);
}

void pl_sheet_int(plSheet* s, int n) {
  char text[16];
  snprintf(text, sizeof text, "%d", n);
  value(s, text, text);
}

void pl_sheet_number(plSheet* s, double x) {
  char json[32] = "null", plain[64] = "-";
  const char* unit = s->column && s->column[s->cell].unit ? s->column[s->cell].unit : "";
  if (isfinite(x)) {
    snprintf(json, sizeof json, "%.17g", x);
    snprintf(plain, sizeof plain, "%.4g%s%s", x, *unit ? " " : "", unit);
  }
  value(s, json, plain);
}

void pl_sheet_flag(plSheet* s, bool on) { value(s, on ? "true" : "false", on ? "yes" : "no"); }

void pl_sheet_vec3(plSheet* s, plVec3 v) {
  char json[96], plain[96];
  snprintf(json, sizeof json, "[%.17g, %.17g, %.17g]", v.x, v.y, v.z);
  snprintf(plain, sizeof plain, "[%g, %g, %g] m", v.x, v.y, v.z);
  value(s, json, plain);
}

void pl_sheet_units(plSheet* s, const char* const* word, const char* const* unit, int n) {
  char json[1024] = "[", plain[512] = "";
  size_t j = 1, p = 0;
  for (int i = 0; i < n && j < sizeof json && p < sizeof plain; i++) {
    j += (size_t)snprintf(json + j, sizeof json - j, "%s[\"%s\", \"%s\"]", i ? ", " : "", word[i], unit[i]);
    p += (size_t)snprintf(plain + p, sizeof plain - p, "%s%s [%s]", i ? " " : "", word[i], unit[i]);
  }
  if (j + 1 < sizeof json) memcpy(json + j, "]", 2);
  value(s, json, plain);
}

// error.c: names of statuses, and error messages.
#include "base/error.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const char* pl_status_name(plStatus status) {
  static const char* const names[PL_STATUS_COUNT] = {
      "ok",         "bad input",  "input/output error", "out of memory",   "too large", "not converged",
      "indefinite", "not finite", "unstable",           "another model's", "cancelled", "rows failed",
      "passage"};
  return (int)status >= 0 && status < PL_STATUS_COUNT ? names[status] : "unknown status";
}

void pl_text_one_line(char* text) {
  for (char* c = text; *c; c++)
    if ((unsigned char)*c < 32 || *c == 127) *c = '?';
}

char* pl_error_text(const plError* error, char* text, size_t size) {
  assert(error != NULL);
  assert(text != NULL || size == 0);
  if (error->file[0] && error->line > 0 && error->column > 0)
    snprintf(text, size, "%s:%d:%d: %s", error->file, error->line, error->column, error->message);
  else if (error->file[0] && error->line > 0)
    snprintf(text, size, "%s:%d: %s", error->file, error->line, error->message);
  else if (error->file[0])
    snprintf(text, size, "%s: %s", error->file, error->message);
  else
    snprintf(text, size, "%s", error->message);
  if (size) pl_text_one_line(text);
  return text;
}

void pl_error_clear(plError* error) {
  if (error) memset(error, 0, sizeof *error);
}

static void fill(plError* error, plStatus status, const char* file, int line, int column, const char* format,
                 va_list args) {
  error->status = status;
  error->line = line;
  error->column = column;
  error->path[0] = 0;
  snprintf(error->file, sizeof error->file, "%s", file ? file : "");
  vsnprintf(error->message, sizeof error->message, format, args);
  pl_text_one_line(error->message);
}

plStatus pl_fail(plError* error, plStatus status, const char* format, ...) {
  if (error) {
    va_list args;
    va_start(args, format);
    fill(error, status, NULL, 0, 0, format, args);
    va_end(args);
  }
  return status;
}

plStatus pl_fail_at(plError* error, plStatus status, const char* file, int line, int column,
                    const char* format, ...) {
  if (error) {
    va_list args;
    va_start(args, format);
    fill(error, status, file, line, column, format, args);
    va_end(args);
  }
  return status;
}

plStatus pl_fail_out_of_memory(plError* error, size_t bytes) {
  return pl_fail(error, PL_ERROR_MEMORY, "out of memory: %.1f MiB could not be allocated",
                 (double)bytes / 1048576.0);
}

// Levenshtein distance of two short words, capped at 31 characters each.
static int edit_distance(const char* a, const char* b) {
  size_t n = strlen(a), m = strlen(b);
  if (n > 31 || m > 31) return 99;
  int row[32];
  for (size_t j = 0; j <= m; j++) row[j] = (int)j;
  for (size_t i = 1; i <= n; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= m; j++) {
      int best = diagonal + (a[i - 1] != b[j - 1]);
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[m];
}

const char* pl_nearest_word(const char* word, const char* const* candidates, int n) {
  assert(word != NULL);
  assert(candidates != NULL || n == 0);
  const char* nearest = NULL;
  int best = (int)strlen(word) / 2 + 1;
  if (best > 4) best = 4;
  for (int i = 0; i < n; i++) {
    int distance = edit_distance(word, candidates[i]);
    if (distance < best) best = distance, nearest = candidates[i];
  }
  return nearest;
}

#define PL_TEXT2(x) #x
#define PL_TEXT(x) PL_TEXT2(x)
const char* pl_version(void) {
  return PL_TEXT(PL_VERSION_MAJOR) "." PL_TEXT(PL_VERSION_MINOR) "." PL_TEXT(PL_VERSION_PATCH);
}

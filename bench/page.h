// page.h: the table of a page in docs/ that a benchmark writes (tools/tables).
#ifndef PL_BENCH_PAGE_H
#define PL_BENCH_PAGE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Replaces what stands between <!-- NAME: begin --> and <!-- NAME: end --> of a page. False, with the page
// unchanged, if it cannot be read or has no such marks.
static inline bool write_table(const char* path, const char* name, const char* text) {
  char begin[64], end[64];
  snprintf(begin, sizeof begin, "<!-- %s: begin -->\n", name);
  snprintf(end, sizeof end, "<!-- %s: end -->", name);
  FILE* file = fopen(path, "rb");
  char* page = calloc(1, 1 << 20);
  size_t size = file && page ? fread(page, 1, 1 << 20, file) : 0;
  if (file) fclose(file);
  bool whole = size > 0 && size < 1 << 20;
  char *first = whole ? strstr(page, begin) : NULL, *last = first ? strstr(first, end) : NULL;
  bool ok = last && (file = fopen(path, "wb"));
  if (ok) {
    fwrite(page, 1, (size_t)(first - page) + strlen(begin), file);
    fprintf(file, "%s%s", text, last);
    ok = fclose(file) == 0;
  }
  if (!ok) fprintf(stderr, "%s: it cannot be written, or has no marks for the table %s\n", path, name);
  free(page);
  return ok;
}

#endif

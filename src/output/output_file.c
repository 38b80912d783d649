// output_file.c: makes functions of base/file.h public.
#include <assert.h>

#include "base/error.h"
#include "base/file.h"
#include "pliant/output.h"

plStatus pl_output_check_below(const char* path, plError* error) {
  assert(path != NULL);
  return pl_file_check_below(path, error);
}

plStatus pl_output_check_kind(const char* path, plOutputKind kind, plError* error) {
  assert(path != NULL);
  static const plFileKind* const kinds[PL_OUTPUT_KIND_COUNT] = {
      &pl_file_recording, &pl_file_table, &pl_file_state, &pl_file_json, &pl_file_png, &pl_file_gif};
  if ((int)kind < 0 || kind >= PL_OUTPUT_KIND_COUNT)
    return pl_fail(error, PL_ERROR_INPUT, "%d is not a kind of output", (int)kind);
  bool plain;
  return pl_file_check_kind(path, kinds[kind], &plain, error);
}

plStatus pl_output_json(const char* path, const char* text, size_t size, plError* error) {
  assert(path != NULL);
  assert(text != NULL || size == 0);
  return pl_file_replace(path, &pl_file_json, text, size, error);
}

void pl_output_make_plain(char* text) {
  assert(text != NULL);
  pl_text_make_plain(text);
}
int pl_output_utf8(const char* text) {
  assert(text != NULL);
  return pl_text_utf8(text);
}

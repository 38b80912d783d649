// fuzz_scene.c: any bytes as a scene file: an error or a spec, nothing else.
#include <stddef.h>
#include <stdint.h>

#include "pliant/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  plError error;
  plLoadOptions options = {.max_tets = 20000};
  plSpec* spec = NULL;
  pl_spec_parse("fuzz.yaml", "", (const char*)bytes, size, &options, &spec, &error);
  pl_spec_destroy(spec);
  return 0;
}

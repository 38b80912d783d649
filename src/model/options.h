// options.h: the one table of options. The scene reader, checks, defaults, hash, states, recordings and the
// page docs/scene.md are derived from it: a new option is one line at its end, and one field of plOptions
// with its count (pliant/spec.h).
#ifndef PL_MODEL_OPTIONS_H
#define PL_MODEL_OPTIONS_H

#include "model/key.h"
#include "pliant/spec.h"

// The options as a scene gives them: scheme represents both thetas.
typedef struct plSceneOptions {
  plOptions options;
  int scheme;  // index into pl_scheme_words
} plSceneOptions;

// gravity is one key of three numbers; scheme is a key without a number of its own
enum { PL_OPTION_KEYS = PL_OPTION_COUNT - 1 };
extern const plKey pl_option_key[];  // [PL_OPTION_KEYS], offsets in plSceneOptions
extern const plWord pl_scheme_words[];

#endif

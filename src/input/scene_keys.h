// scene_keys.h: the keys of scene files as text, for docs/scene.md and the test that compares the page with
// the parser.
#ifndef PL_INPUT_SCENE_KEYS_H
#define PL_INPUT_SCENE_KEYS_H

#include "input/scene.h"

// Every section, in the order of the page; ends with NULL.
extern const plSection* const pl_scene_sections[];

// One row of the page's table: "| `dt` | number in (0, 1000] | s | 0.01 | time step |". Returns text.
const char* pl_scene_key_row(const plSection* section, int key, char* text, size_t size);

#endif

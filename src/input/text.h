// text.h: a text file as a whole, with a limit on its size.
#ifndef PL_INPUT_TEXT_H
#define PL_INPUT_TEXT_H

#include "base/memory.h"
#include "pliant/types.h"

// Reads the file into the arena, followed by a zero. what: "scene", kinds: ".yaml", for the errors.
plStatus pl_text_read(plArena* arena, const char* path, long most, const char* what, const char* kinds,
                      const char** text, size_t* size, plError* error);

// PL_ERROR_INPUT if the bytes are what Git LFS leaves in place of a file. what: "mesh", for the error.
plStatus pl_text_check_pointer(const char* name, const void* bytes, size_t size, const char* what,
                               plError* error);

#endif

// error.h: filling in a plError. Every function takes error == NULL and returns the status, so that one can
// write
//   return pl_fail(error, PL_ERROR_INPUT, "dt must be positive, got %g", dt);
#ifndef PL_BASE_ERROR_H
#define PL_BASE_ERROR_H

#include <stdarg.h>

#include "pliant/types.h"

#if defined(__GNUC__)
#define PL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PL_PRINTF(fmt, args)
#endif

void pl_error_clear(plError* error);

// Control characters become '?', line ends and tabs too: text from a file stays in its line. In place.
void pl_text_one_line(char* text);

plStatus pl_fail(plError* error, plStatus status, const char* format, ...) PL_PRINTF(3, 4);

// The same with a position in a file; line and column are 1-based, 0 if unknown.
plStatus pl_fail_at(plError* error, plStatus status, const char* file, int line, int column,
                    const char* format, ...) PL_PRINTF(6, 7);

plStatus pl_fail_out_of_memory(plError* error, size_t bytes);

#endif

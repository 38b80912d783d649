// types.h: what every other header of Pliant uses: status codes, errors, small vectors and poses.
//
// Units are SI. z points up. Quaternions are (w, x, y, z). Dense matrices are column-major.
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_TYPES_H
#define PLIANT_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PL_VERSION_MAJOR 0
#define PL_VERSION_MINOR 2
#define PL_VERSION_PATCH 0

// Marks what the shared library exports. Everything else in it is hidden.
#if defined(__GNUC__)
#define PL_API __attribute__((visibility("default")))
#else
#define PL_API
#endif

// What a call returns. Zero is success; a call that fails has no effect.
typedef enum plStatus {
  PL_OK = 0,
  PL_ERROR_INPUT,          // the input is wrong: file, definition or argument; the error says what to do
  PL_ERROR_IO,             // a file cannot be opened, read or written
  PL_ERROR_MEMORY,         // memory ran out
  PL_ERROR_TOO_LARGE,      // refused before it would exhaust the machine; the error carries an estimate
  PL_ERROR_NOT_CONVERGED,  // a solve did not reach its tolerance
  PL_ERROR_INDEFINITE,     // a pivot was not positive
  PL_ERROR_NOT_FINITE,     // NaN or infinity appeared
  PL_ERROR_UNSTABLE,       // an explicit scheme beyond its stability limit, or a body too stiff for double
                           // precision
  PL_ERROR_MISMATCH,       // a state or recording of another model
  PL_ERROR_CANCELLED,      // the user's callback asked to stop
  PL_ERROR_ROWS,           // some rows of a batch failed (pliant/batch.h); the others are done
  PL_ERROR_PASSAGE,        // one body would pass through another; the error names both
  PL_STATUS_COUNT
} plStatus;

// A short name of a status, e.g. "not converged". Never NULL.
PL_API const char* pl_status_name(plStatus status);

// What went wrong, and where. file is empty and line, column are 0 where no file is concerned.
typedef struct plError {
  plStatus status;
  int line;           // 1-based
  int column;         // 1-based
  char file[512];     // the file as the user named it
  char message[768];  // a sentence that says what was expected and what to do
} plError;

// "file:line:column: message" into text (always terminated); returns text.
PL_API char* pl_error_text(const plError* error, char* text, size_t size);

// Small vectors, passed by value.
typedef struct plVec3 {
  double x, y, z;
} plVec3;
typedef struct plQuat {
  double w, x, y, z;
} plQuat;  // unit length
typedef struct plPose {
  plVec3 p;
  plQuat q;
} plPose;  // x_world = p + R(q) x_local

// A side of a contact.
typedef enum plSideKind {
  PL_SIDE_ANY,    // in questions: every side
  PL_SIDE_WORLD,  // in questions: all shapes fixed in the world
  PL_SIDE_BODY,   // in questions: all shapes of a rigid body
  PL_SIDE_SHAPE,  // a rigid shape
  PL_SIDE_DEFORMABLE
} plSideKind;
typedef struct plSide {
  plSideKind kind;  // what index counts
  int index;        // of the body, shape or deformable; 0 for the others
} plSide;

// What bits depend on besides model, parameters and state: the path of instructions taken ("plain", "avx2",
// "avx512"; PLIANT_ISA in the environment chooses one) and the compiler that built the library.
PL_API const char* pl_instruction_set(void);
PL_API const char* pl_compiler(void);

// The library's version as "major.minor.patch".
PL_API const char* pl_version(void);

#ifdef __cplusplus
}
#endif
#endif

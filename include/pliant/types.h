// types.h: what every other header of Pliant uses: status codes, errors, small vectors and poses.
//
// Units are SI. z points up. Quaternions are (w, x, y, z). Dense matrices are column-major.
//
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

// Bounds of the numbers in definitions and scenes: the largest finite number, the largest length (m:
// positions, sizes, coordinates of meshes), and the smallest size or edge of a generated mesh. Values beyond
// them are refused with an error that names them, so that squares, volumes and moments of inertia cannot
// overflow. A limit of a joint, an actuator or a constraint beyond PL_NUMBER_MAX means no limit.
#define PL_NUMBER_MAX 1e30
#define PL_LENGTH_MAX 1e12
#define PL_LENGTH_MIN 1e-12

// What a call returns. Zero is success. A call that fails has no effect unless its comment says otherwise.
typedef enum plStatus {
  PL_OK = 0,
  PL_ERROR_INPUT,          // a file, definition or argument is wrong; the error says what to do
  PL_ERROR_IO,             // a file cannot be opened, read or written
  PL_ERROR_MEMORY,         // memory ran out
  PL_ERROR_TOO_LARGE,      // the input would need too much memory or time and is refused; the error gives an
                           // estimate
  PL_ERROR_NOT_CONVERGED,  // a solve did not reach its tolerance
  PL_ERROR_INDEFINITE,     // a pivot was not positive
  PL_ERROR_NOT_FINITE,     // NaN or infinity appeared
  PL_ERROR_UNSTABLE,   // the time step is beyond the stability limit of an explicit scheme, or a body is too
                       // stiff for double precision
  PL_ERROR_MISMATCH,   // a state or recording belongs to another model
  PL_ERROR_CANCELLED,  // the user's callback asked to stop
  PL_ERROR_ROWS,       // some simulations of a batch failed (pliant/batch.h); the others were stepped
  PL_ERROR_PASSAGE,    // one body would pass through another; the error names both
  PL_STATUS_COUNT
} plStatus;

// A short name of a status, e.g. "not converged". Never NULL.
PL_API const char* pl_status_name(plStatus status);

// What went wrong, and where. file and path are empty and line, column are 0 where no file is concerned.
typedef struct plError {
  plStatus status;  // what the call returned
  int line;         // 1-based
  int column;       // 1-based
  char file[512];   // the file as the user named it
  char path[256];   // of a scene: the value concerned as overrides name it, "deformables.bear.material.young"
  char message[768];  // a sentence that says what was expected and what to do
} plError;

// Writes "file:line:column: message" into text, always terminated, and returns text.
PL_API char* pl_error_text(const plError* error, char* text, size_t size);

// The one of n candidates that is nearest to a misspelt word by edit distance, for "did you mean"; NULL if
// none is near.
PL_API const char* pl_nearest_word(const char* word, const char* const* candidates, int n);

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

// One of the two sides of a contact, or a set of such sides in queries.
typedef enum plSideKind {
  PL_SIDE_ANY,        // only in queries: every side
  PL_SIDE_WORLD,      // only in queries: all shapes fixed in the world
  PL_SIDE_BODY,       // only in queries: all shapes of a rigid body
  PL_SIDE_SHAPE,      // a rigid shape
  PL_SIDE_DEFORMABLE  // a deformable body
} plSideKind;
typedef struct plSide {
  plSideKind kind;  // what kind of object index refers to
  int index;        // of the body, shape or deformable; 0 for the other kinds
} plSide;

// The bits of a simulation depend on model, parameters and state, and also on the instruction set that is
// used ("plain", "avx2", "avx512"; the environment variable PLIANT_ISA selects one) and on the compiler that
// built the library.
PL_API const char* pl_instruction_set(void);
PL_API const char* pl_compiler(void);

// The library's version as "major.minor.patch".
PL_API const char* pl_version(void);

#ifdef __cplusplus
}
#endif
#endif

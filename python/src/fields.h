// fields.h: how tables.c describes members of C structs to Python. tools/python_tables makes tables.c from
// the public headers.
#ifndef PL_PYTHON_FIELDS_H
#define PL_PYTHON_FIELDS_H

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stddef.h>

#include "pliant/pliant.h"
#include "pliant/stream.h"

// CPython's tables hold functions as void*, which POSIX allows and ISO C does not mention.
#pragma GCC diagnostic ignored "-Wpedantic"

// A value of an enumeration as Python writes it; a list of them ends with NULL.
typedef struct Word {
  const char* word;
  int value;
} Word;

typedef enum FieldKind {
  FIELD_DOUBLE,  // one or count of them; plVec3, plPose, ... are rows of doubles
  FIELD_POSE,    // 7 doubles, which may be given in other ways
  FIELD_INT,
  FIELD_LONG,
  FIELD_INT64,
  FIELD_UINT64,
  FIELD_BOOL,
  FIELD_ENUM,
  FIELD_CHARS,        // char[count]
  FIELD_TEXT,         // const char*
  FIELD_MESH,         // const plMesh*
  FIELD_LIST_DOUBLE,  // const double*, count numbers per entry; the number of entries is at count_at
  FIELD_LIST_INT,
  FIELD_STRUCT
} FieldKind;

// What a number may be given by the name of.
typedef enum Reference {
  REFERENCE_NONE,
  REFERENCE_BODY,
  REFERENCE_JOINT,
  REFERENCE_DEFORMABLE,
  REFERENCE_SIDE  // of a constraint: a body or a joint, by its kind
} Reference;

typedef struct Field {
  const char* name;
  const char* doc;
  FieldKind kind;
  size_t at;  // offset in the struct
  int count;
  int single;  // a value of its own, not an array of count
  const struct Table* table;
  const Word* words;
  size_t count_at;
  Reference reference;
} Field;

// A struct: its members, and what fills it with defaults (NULL: zero).
typedef struct Table {
  const char* name;
  const char* doc;
  size_t size;
  const Field* field;
  int nfield;
  void (*defaults)(void* to);
} Table;

// An array (or number) of a plModel or plData.
typedef struct Array {
  const char* name;
  const char* doc;
  char kind;  // i int, h uint64_t; d double, n int, ? bool: arrays; s names, e words, m meshes: tuples
  size_t at;
  Py_ssize_t (*count)(const plModel* m);  // entries
  int inner;                              // numbers per entry
  int fortran;                            // entries are 3 x 3, column-major
  int writable;
  const Word* words;
  int slot;  // where the object keeps it; -1: numbers
} Array;

extern const Array model_arrays[], data_arrays[];
extern const int model_array_count, data_array_count;

// An exception class for a status.
typedef struct StatusClass {
  plStatus status;
  const char *name, *base, *doc;
} StatusClass;
extern const StatusClass status_classes[];
extern const int status_class_count;

static inline plDofDef pl_python_default_dof(void) { return pl_default_joint_def().dof[0]; }

#endif

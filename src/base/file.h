// file.h: reading and writing files safely. Only plain files are read, a file of another kind is not
// overwritten, and a file whose writing fails is truncated to its last complete part.
#ifndef PL_BASE_FILE_H
#define PL_BASE_FILE_H

#include <stdbool.h>

#include "pliant/types.h"

// A plain file for reading and its size. A pipe, a device or a folder is an error, and nobody waits for one.
plStatus pl_file_open_input(const char* path, const char* what, int* file, size_t* size, plError* error);

// What a file of size bytes holds, judged by its first n, at most PL_FILE_HEAD.  file_kind.c
enum { PL_FILE_HEAD = 512 };
typedef struct plFileKind {
  const char* what;  // "recording"
  bool (*is)(const char* head, size_t n, size_t size);
} plFileKind;

extern const plFileKind pl_file_recording, pl_file_state, pl_file_table, pl_file_json, pl_file_png,
    pl_file_gif, pl_file_mesh, pl_file_vtk;

// Whether what the file holds, if there is one, may be overwritten by that kind: it is empty, of the same
// kind, or no plain file.
plStatus pl_file_check_kind(const char* path, const plFileKind* kind, bool* plain, plError* error);
// An empty file for writing, made if there is none. One that holds something of another kind is left as it is
// and refused; pipes and devices are written as they are.
plStatus pl_file_open_output(const char* path, const plFileKind* kind, int* file, plError* error);
// All bytes at the end of the file; if that fails a plain file is cut back to where they began.
plStatus pl_file_write(int file, const char* path, const void* bytes, size_t size, plError* error);
// The whole file at once: a plain file is written beside the old one and takes its place (links are
// followed), so that a crash never leaves half of it; pipes and devices are written as they are.
plStatus pl_file_replace(const char* path, const plFileKind* kind, const void* bytes, size_t size,
                         plError* error);

// Whether the path, its links resolved, lies below the working folder; PL_ERROR_INPUT if not.
plStatus pl_file_check_below(const char* path, plError* error);

// The text with everything that a terminal could take for an order replaced: control characters and bytes
// that are not UTF-8 become '?'. In place.
void pl_text_make_plain(char* text);
// How many bytes at text are one character of UTF-8 (1 to 4); 0 if they are none.
int pl_text_utf8(const char* text);

#endif

// file.h: reading and writing files safely. Only plain files are read, a file of another kind is not
// overwritten, and a file whose writing fails is truncated to its last complete part.
#ifndef PL_BASE_FILE_H
#define PL_BASE_FILE_H

#include <stdbool.h>

#include "pliant/types.h"

// What a path leads to: "plain file", "folder", "pipe", "device"; NULL: nothing.
const char* pl_file_what(const char* path);

// Opens a plain file for reading and returns its size. A pipe, a device or a folder is an error; the call
// never blocks on one.
plStatus pl_file_open_input(const char* path, const char* what, int* file, size_t* size, plError* error);

// What a file of size bytes contains, judged by its first n bytes, at most PL_FILE_HEAD.  file_kind.c
enum { PL_FILE_HEAD = 512 };
typedef struct plFileKind {
  const char* what;  // "recording"
  bool (*is)(const char* head, size_t n, size_t size);
} plFileKind;

extern const plFileKind pl_file_recording, pl_file_state, pl_file_table, pl_file_json, pl_file_png,
    pl_file_gif, pl_file_mesh, pl_file_vtk;

// Whether an existing file may be overwritten by that kind: it is empty, of the same kind, or not a plain
// file.
plStatus pl_file_check_kind(const char* path, const plFileKind* kind, bool* plain, plError* error);
// Opens an empty file for writing, created if needed. A file with content of another kind is not changed and
// is refused; pipes and devices are written directly.
plStatus pl_file_open_output(const char* path, const plFileKind* kind, int* file, plError* error);
// Appends all bytes; on failure a plain file is truncated to its previous size.
plStatus pl_file_write(int file, const char* path, const void* bytes, size_t size, plError* error);
// Writes a whole file: a plain file is written beside the old one and then replaces it (links are followed),
// so that a crash never leaves an incomplete file; pipes and devices are written directly.
plStatus pl_file_replace(const char* path, const plFileKind* kind, const void* bytes, size_t size,
                         plError* error);

// Whether the path, its links resolved, lies below the working folder; PL_ERROR_INPUT if not.
plStatus pl_file_check_below(const char* path, plError* error);

// Replaces everything that a terminal could interpret as a command: control characters and bytes that are not
// UTF-8 become '?'. In place.
void pl_text_make_plain(char* text);
// The number of bytes of the UTF-8 character at text (1 to 4); 0 if it is not valid.
int pl_text_utf8(const char* text);

#endif

// mesh_file.h: all bytes of a file.
#ifndef PL_INPUT_MESH_FILE_H
#define PL_INPUT_MESH_FILE_H

#include "base/error.h"

typedef struct plBytes {
  unsigned char* data;
  size_t size;
} plBytes;

// Reads a plain file of at most so many bytes; the caller frees data with pl_free.
plStatus pl_read_bytes(const char* path, size_t most, plBytes* bytes, plError* error);

#endif

// mesh_file.c: all bytes of a file, whose size the system may not know.
#include "input/mesh_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

static plStatus read_stream(const char* path, FILE* file, plBytes* bytes, plError* error) {
  struct stat info = {0};
  if (fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode))
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "this is a folder; a mesh file was expected");
  // Room for what the system announces and one byte more; a stream of unknown length doubles it.
  size_t room = info.st_size > 0 ? (size_t)info.st_size + 1 : 65536, used = 0;
  unsigned char* data = PL_NEW(unsigned char, room);
  while (data) {
    used += fread(data + used, 1, room - used, file);
    if (used < room) break;
    unsigned char* grown = pl_realloc(data, used, 2 * room, 1);
    if (!grown) pl_free(data);
    data = grown;
    room *= 2;
  }
  if (!data) return pl_fail_out_of_memory(error, room);
  if (ferror(file)) {
    pl_free(data);
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be read: %s", strerror(errno));
  }
  *bytes = (plBytes){data, used};
  return PL_OK;
}

plStatus pl_read_bytes(const char* path, plBytes* bytes, plError* error) {
  FILE* file = fopen(path, "rb");
  if (!file)
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be opened: %s", strerror(errno));
  plStatus status = read_stream(path, file, bytes, error);
  fclose(file);
  return status;
}

// mesh_file.c: all bytes of a plain file of bounded size.
#include "input/mesh_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

plStatus pl_read_bytes(const char* path, size_t most, plBytes* bytes, plError* error) {
  int file;
  size_t size, used = 0;
  plStatus status = pl_file_open_input(path, "mesh", &file, &size, error);
  if (status) return status;
  if (size > most)
    status = pl_fail_at(error, PL_ERROR_TOO_LARGE, path, 0, 0,
                        "the file has %.1f MB, more than the limit of %.1f MB for a mesh; raise the limit "
                        "(--mesh-limit MB, plLoadOptions.max_mesh_bytes) if this is intended",
                        (double)size / 1e6, (double)most / 1e6);
  unsigned char* data = status ? NULL : PL_NEW(unsigned char, size + 1);
  if (!status && !data) status = pl_fail_out_of_memory(error, size);
  while (!status && used < size) {
    ssize_t n = read(file, data + used, size - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      status = pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be read: %s", strerror(errno));
    if (n <= 0) break;
    used += (size_t)n;
  }
  close(file);
  if (status)
    pl_free(data);
  else
    *bytes = (plBytes){data, used};
  return status;
}

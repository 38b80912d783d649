// text.c: a text file into memory.
#include "input/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"

plStatus pl_text_check_pointer(const char* name, const void* bytes, size_t size, const char* what,
                               plError* error) {
  static const char start[] = "version https://git-lfs.github.com/spec/";
  if (size < sizeof start - 1 || memcmp(bytes, start, sizeof start - 1) != 0) return PL_OK;
  return pl_fail_at(error, PL_ERROR_INPUT, name, 0, 0,
                    "this is a Git LFS pointer, not the %s itself; fetch the %s with `git lfs pull` in its "
                    "repository",
                    what, what);
}

plStatus pl_text_read(plArena* arena, const char* path, long most, const char* what, const char* kinds,
                      const char** text, size_t* size, plError* error) {
  struct stat info;
  if (stat(path, &info)) {
    const char* why = errno == EACCES ? "its folder cannot be entered" : "there is no such file";
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "%s; give the path of a %s (%s)", why, what, kinds);
  }
  if (!S_ISREG(info.st_mode))
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "this is a %s, not a file; give the path of a %s (%s)",
                      pl_file_what(path), what, kinds);
  if (info.st_size > most)
    return pl_fail_at(error, PL_ERROR_TOO_LARGE, path, 0, 0, "the file has %.1f MB; a %s may have %ld",
                      (double)info.st_size / 1e6, what, most >> 20);
  int handle;
  size_t wanted;
  plStatus status = pl_file_open_input(path, what, &handle, &wanted, error);
  FILE* file = status ? NULL : fdopen(handle, "rb");
  if (status || !file) return status ? status : pl_fail_out_of_memory(error, BUFSIZ);
  if (wanted > (size_t)most) wanted = (size_t)most;  // it grew meanwhile
  char* bytes = PL_ARENA_NEW(arena, char, wanted + 1);
  *size = bytes ? fread(bytes, 1, wanted, file) : 0;
  bool bad = ferror(file) != 0;
  fclose(file);
  if (!bytes) return pl_fail_out_of_memory(error, wanted);
  if (bad) return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be read to its end");
  bytes[*size] = 0;
  *text = bytes;
  return pl_text_check_pointer(path, bytes, *size, what, error);
}

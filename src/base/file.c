// file.c: opening and writing files safely.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

// ---- reading

static const char* what_is(const struct stat* info) {
  return S_ISREG(info->st_mode)    ? "plain file"
         : S_ISDIR(info->st_mode)  ? "folder"
         : S_ISFIFO(info->st_mode) ? "pipe"
                                   : "device";
}

const char* pl_file_what(const char* path) {
  struct stat info;
  return stat(path, &info) ? NULL : what_is(&info);
}

plStatus pl_file_open_input(const char* path, const char* what, int* file, size_t* size, plError* error) {
  struct stat info = {0};
  *size = 0;
  *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (*file < 0)
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be opened: %s", strerror(errno));
  if (fstat(*file, &info) == 0 && S_ISREG(info.st_mode)) {
    *size = (size_t)info.st_size;
    return PL_OK;
  }
  close(*file);
  *file = -1;
  return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "this is a %s; a %s is read from a plain file",
                    what_is(&info), what);
}

// ---- writing

plStatus pl_file_check_kind(const char* path, const plFileKind* kind, bool* plain, plError* error) {
  struct stat info;
  char head[PL_FILE_HEAD];
  *plain = stat(path, &info) == 0 && S_ISREG(info.st_mode);
  if (!*plain || info.st_size == 0) return PL_OK;
  int reading = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = reading < 0 ? -1 : pread(reading, head, sizeof head, 0);
  if (reading >= 0) close(reading);
  if (n >= 0 && kind->is(head, (size_t)n, (size_t)info.st_size)) return PL_OK;
  return pl_fail_at(error, PL_ERROR_IO, path, 0, 0,
                    "this file is not a %s, so it was not overwritten; name another file, or remove it",
                    kind->what);
}

plStatus pl_file_open_output(const char* path, const plFileKind* kind, int* file, plError* error) {
  bool plain;
  *file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
  if (*file < 0)
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the %s cannot be created: %s", kind->what,
                      strerror(errno));
  plStatus status = pl_file_check_kind(path, kind, &plain, error);
  if (!status && plain && ftruncate(*file, 0))
    status = pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the %s cannot be truncated: %s", kind->what,
                        strerror(errno));
  if (!status) return PL_OK;
  close(*file);
  *file = -1;
  return status;
}

plStatus pl_file_write(int file, const char* path, const void* bytes, size_t size, plError* error) {
  off_t start = lseek(file, 0, SEEK_CUR);
  for (size_t done = 0; done < size;) {
    ssize_t n = write(file, (const char*)bytes + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      int reason = n < 0 ? errno : ENOSPC;
      if (start >= 0 && ftruncate(file, start) == 0) (void)lseek(file, start, SEEK_SET);
      plStatus status =
          pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be written: %s", strerror(reason));
      errno = reason;
      return status;
    }
    done += (size_t)n;
  }
  return PL_OK;
}

// The new file is written beside the one that the path leads to and then replaces it. A file that a crash
// left there is of the same kind and is overwritten; any other file there belongs to somebody and is not
// touched.
static plStatus replace_plain(const char* path, const plFileKind* kind, const void* bytes, size_t size,
                              plError* error) {
  char target[PATH_MAX], beside[PATH_MAX + 16];
  struct stat info;
  if (!realpath(path, target) || stat(target, &info))
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "cannot be found: %s", strerror(errno));
  bool plain = true;
  snprintf(beside, sizeof beside, "%s.part", target);
  plStatus status = access(beside, F_OK) ? PL_OK : pl_file_check_kind(beside, kind, &plain, error);
  if (!status && !plain)
    status = pl_fail_at(error, PL_ERROR_IO, beside, 0, 0, "this is not a file; it is in the way of a %s",
                        kind->what);
  if (status) return status;
  int file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, info.st_mode & 0777);
  if (file < 0)
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "cannot write beside it: %s", strerror(errno));
  status = pl_file_write(file, path, bytes, size, error);
  if (close(file) && !status)
    status = pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be written: %s", strerror(errno));
  if (!status && rename(beside, target))
    status = pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "cannot rename: %s", strerror(errno));
  if (status) unlink(beside);
  return status;
}

plStatus pl_file_replace(const char* path, const plFileKind* kind, const void* bytes, size_t size,
                         plError* error) {
  bool plain, made = access(path, F_OK) != 0;
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
  if (file < 0)
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the %s cannot be created: %s", kind->what,
                      strerror(errno));
  plStatus status = pl_file_check_kind(path, kind, &plain, error);
  if (!status && !plain) status = pl_file_write(file, path, bytes, size, error);
  if (close(file) && !status)
    status = pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be written: %s", strerror(errno));
  if (status || !plain) return status;
  status = replace_plain(path, kind, bytes, size, error);
  if (status && made) unlink(path);
  return status;
}

// ---- location

plStatus pl_file_check_below(const char* path, plError* error) {
  char folder[PATH_MAX], target[PATH_MAX], here[PATH_MAX];
  bool good = strlen(path) < sizeof folder && realpath(".", here);
  if (good && !realpath(path, target)) {
    // A file that does not exist yet: its folder decides; a dangling link is not followed.
    struct stat info;
    good = errno == ENOENT && lstat(path, &info) != 0;
    snprintf(folder, sizeof folder, "%s", path);
    char* slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = 0;
    good = good && realpath(slash ? folder : ".", target);
    if (good && strlen(target) + 2 < sizeof target) strcat(target, "/");
  }
  size_t n = good ? strlen(here) : 0;
  const char* what = good ? pl_file_what(path) : NULL;
  if (what && strcmp(what, "plain file"))
    return pl_fail_at(
        error, PL_ERROR_INPUT, path, 0, 0,
        "this is a %s; a scene writes plain files, to write anything else name it on the command "
        "line",
        what);
  if (good && !strncmp(target, here, n) && (target[n] == '/' || here[n - 1] == '/')) return PL_OK;
  return pl_fail_at(error, PL_ERROR_INPUT, path, 0, 0,
                    "a scene writes below the working folder only (links resolved), into folders that are "
                    "there; name the file on the command line to write it anywhere");
}

// ---- text

int pl_text_utf8(const char* text) {
  const unsigned char* c = (const unsigned char*)text;
  if (c[0] < 0x80) return 1;
  int n = c[0] >= 0xc2 && c[0] < 0xe0   ? 2
          : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
          : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                        : 0;
  for (int i = 1; i < n; i++)
    if ((c[i] & 0xc0) != 0x80) return 0;
  // Overlong forms, surrogates and numbers beyond the last character.
  if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0) || (c[0] == 0xf0 && c[1] < 0x90) ||
      (c[0] == 0xf4 && c[1] >= 0x90))
    return 0;
  return n;
}

void pl_text_make_plain(char* text) {
  for (char* c = text; *c;) {
    unsigned char first = (unsigned char)*c, second = first ? (unsigned char)c[1] : 0;
    int n = pl_text_utf8(c);
    unsigned char third = n == 3 ? (unsigned char)c[2] : 0;
    bool order = (first < 32 && first != '\n' && first != '\t') || first == 127 ||
                 (first == 0xc2 && second < 0xa0) ||  // the second set of control characters
                 // ends of lines, and what turns the direction of the text after it
                 (first == 0xe2 && second == 0x80 && third >= 0xa8 && third <= 0xae) ||
                 (first == 0xe2 && second == 0x81 && third >= 0xa6 && third <= 0xa9);
    for (int i = 0; i < (n ? n : 1); i++)
      if (order || !n) c[i] = '?';
    c += n ? n : 1;
  }
}

// state_file.c: a state as a file: the bytes of pl_state_get (state.c), then a hash of them (8).
// "PLSTATE3" is the same with the former model hash (work->hash3), "PLSTATE2" likewise and without the number
// of options, which is 21.
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "model/state.h"

static const char magic[] = PL_STATE_MAGIC;
enum { HEADER = PL_STATE_HEADER, HEADER2 = 24, OPTIONS2 = 21 };

// A crash never leaves an incomplete file; pipes and devices are written directly.
plStatus pl_state_save(const plData* data, const char* path, plError* error) {
  assert(data != NULL && path != NULL);
  size_t size = pl_state_size(data), total = size + 8;
  char* buffer = pl_alloc(total, 1);
  if (!buffer) return pl_fail_out_of_memory(error, total);
  pl_state_get(data, buffer, size, NULL);
  uint64_t hash = pl_hash(PL_HASH_START, buffer, size);
  memcpy(buffer + size, &hash, 8);

  plStatus status = pl_file_replace(path, &pl_file_state, buffer, total, error);
  pl_free(buffer);
  return status;
}

// The size of the header, 0: not a state.
static size_t header_of(const char* buffer, size_t total) {
  if (total >= HEADER + 8 && (!memcmp(buffer, magic, 8) || !memcmp(buffer, "PLSTATE3", 8))) return HEADER;
  return total >= HEADER2 + 8 && !memcmp(buffer, "PLSTATE2", 8) ? HEADER2 : 0;
}

static plStatus check_file(const plData* data, const char* path, const char* buffer, size_t total,
                           plError* error) {
  uint64_t model, stored_size, stored_hash;
  if (total >= 8 && !memcmp(buffer, "PLSTATE1", 8))
    return pl_fail_at(
        error, PL_ERROR_INPUT, path, 0, 0,
        "this state was saved by version 0.1, which did not save parameters; save it again with "
        "this version");
  size_t header = header_of(buffer, total);
  if (!header)
    return pl_fail_at(error, PL_ERROR_INPUT, path, 0, 0,
                      "this is not a saved state (it does not begin with PLSTATE4)");
  memcpy(&model, buffer + 8, 8);
  memcpy(&stored_size, buffer + 16, 8);
  memcpy(&stored_hash, buffer + total - 8, 8);
  if (stored_size != total - header - 8 || stored_hash != pl_hash(PL_HASH_START, buffer, total - 8))
    return pl_fail_at(error, PL_ERROR_INPUT, path, 0, 0,
                      "the saved state is damaged (%zu bytes, check sum wrong)", total);
  if (model != (memcmp(buffer, magic, 8) ? data->model->work->hash3 : data->model->hash))
    return pl_fail_at(error, PL_ERROR_MISMATCH, path, 0, 0,
                      "the state belongs to another model; load it into the scene it was saved "
                      "from");
  return PL_OK;
}

// The whole file. A size that no state of this model can have is refused before memory is allocated.
static plStatus read_all(const char* path, size_t most, char** buffer, size_t* total, plError* error) {
  int file;
  size_t size;
  plStatus status = pl_file_open_input(path, "saved state", &file, &size, error);
  if (status) return status;
  if (size > most)
    status = pl_fail_at(error, PL_ERROR_MISMATCH, path, 0, 0,
                        "a file of %zu bytes is not a state of this model", size);
  *buffer = status ? NULL : pl_alloc(size + 1, 1);
  if (!status && !*buffer) status = pl_fail_out_of_memory(error, size);
  while (!status && *total < size) {
    ssize_t n = read(file, *buffer + *total, size - *total);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) status = pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "cannot be read: %s", strerror(errno));
    if (n <= 0) break;
    *total += (size_t)n;
  }
  close(file);
  return status;
}

plStatus pl_state_load(plData* data, const char* path, plError* error) {
  assert(data != NULL && path != NULL);
  // Room for many attachments made at run time.
  size_t most = HEADER + 8 + 64 * (pl_state_size(data) + 65536), total = 0;
  char* buffer = NULL;
  plStatus status = read_all(path, most, &buffer, &total, error);
  if (!status) status = check_file(data, path, buffer, total, error);
  size_t header = status ? 0 : header_of(buffer, total);
  uint64_t noption = OPTIONS2;
  if (header == HEADER) memcpy(&noption, buffer + HEADER2, 8);
  if (!status) status = pl_state_body_set(data, buffer + header, total - header - 8, noption, error);
  pl_free(buffer);
  return status;
}

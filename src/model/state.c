// state.c: the complete state as bytes, as a hash and as a file.
//
// The bytes are: time, q, v, u, f_user, each as doubles. A file has a header in front and a hash behind:
//   "PLSTATE1" | model hash (8) | size (8) | bytes | hash of all before (8)
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "pliant/data.h"

static const char magic[8] = {'P', 'L', 'S', 'T', 'A', 'T', 'E', '1'};
enum { HEADER = 24 };

// One part of the state after the other.
typedef struct Part { double* at; size_t count; } Part;
enum { NPART = 5 };
static void list_parts(const plData* data, Part part[NPART]) {
  const plModel* m = data->model;
  part[0] = (Part){(double*)&data->time, 1};
  part[1] = (Part){data->q, (size_t)m->nq};
  part[2] = (Part){data->v, (size_t)m->nv};
  part[3] = (Part){data->u, (size_t)m->nu};
  part[4] = (Part){data->f_user, (size_t)m->nv};
}

size_t pl_state_size(const plData* data) {
  Part part[NPART];
  list_parts(data, part);
  size_t count = 0;
  for (int i = 0; i < NPART; i++) count += part[i].count;
  return count * sizeof(double);
}

plStatus pl_state_get(const plData* data, void* bytes, size_t size, plError* error) {
  if (size != pl_state_size(data))
    return pl_fail(error, PL_ERROR_INPUT, "the state has %zu bytes, the buffer %zu", pl_state_size(data), size);
  Part part[NPART];
  list_parts(data, part);
  char* to = bytes;
  for (int i = 0; i < NPART; i++) {
    memcpy(to, part[i].at, part[i].count * sizeof(double));
    to += part[i].count * sizeof(double);
  }
  return PL_OK;
}

plStatus pl_state_set(plData* data, const void* bytes, size_t size, plError* error) {
  if (size != pl_state_size(data))
    return pl_fail(error, PL_ERROR_MISMATCH, "the state has %zu bytes, this model's has %zu", size, pl_state_size(data));
  const char* from = bytes;
  for (size_t i = 0; i < size; i += sizeof(double)) {
    double x;
    memcpy(&x, from + i, sizeof x);
    if (!isfinite(x)) return pl_fail(error, PL_ERROR_NOT_FINITE, "number %zu of the state is not finite", i / sizeof x);
  }
  Part part[NPART];
  list_parts(data, part);
  for (int i = 0; i < NPART; i++) {
    memcpy(part[i].at, from, part[i].count * sizeof(double));
    from += part[i].count * sizeof(double);
  }
  data->ncontact = 0;
  pl_data_refresh(data);
  return PL_OK;
}

uint64_t pl_state_hash(const plData* data) {
  Part part[NPART];
  list_parts(data, part);
  uint64_t h = PL_HASH_START;
  for (int i = 0; i < NPART; i++) h = pl_hash(h, part[i].at, part[i].count * sizeof(double));
  return h;
}

static plStatus write_all(int file, const char* path, const char* bytes, size_t size, plError* error) {
  while (size) {
    ssize_t n = write(file, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "cannot write: %s", strerror(errno));
    bytes += n;
    size -= (size_t)n;
  }
  return PL_OK;
}

// Written beside the target and renamed, so that a crash never leaves half a state.
plStatus pl_state_save(const plData* data, const char* path, plError* error) {
  uint64_t size = pl_state_size(data), total = HEADER + size + 8;
  char* buffer = pl_alloc(total, 1);
  size_t length = strlen(path);
  char* beside = pl_alloc(length + 16, 1);
  if (!buffer || !beside) {
    pl_free(buffer);
    pl_free(beside);
    return pl_fail_out_of_memory(error, total);
  }
  memcpy(buffer, magic, 8);
  memcpy(buffer + 8, &data->model->hash, 8);
  memcpy(buffer + 16, &size, 8);
  pl_state_get(data, buffer + HEADER, size, NULL);
  uint64_t hash = pl_hash(PL_HASH_START, buffer, HEADER + size);
  memcpy(buffer + HEADER + size, &hash, 8);

  snprintf(beside, length + 16, "%s.part", path);
  int file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  plStatus status = PL_OK;
  if (file < 0) status = pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "cannot create: %s", strerror(errno));
  if (!status) status = write_all(file, path, buffer, total, error);
  if (file >= 0 && close(file) && !status) status = pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "cannot write: %s", strerror(errno));
  if (!status && rename(beside, path)) status = pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "cannot rename: %s", strerror(errno));
  if (status && file >= 0) unlink(beside);
  pl_free(buffer);
  pl_free(beside);
  return status;
}

static plStatus check_file(const plData* data, const char* path, const char* buffer, size_t total, plError* error) {
  uint64_t model, size = pl_state_size(data), stored_size, stored_hash;
  if (total < HEADER + 8 || memcmp(buffer, magic, 8))
    return pl_fail_at(error, PL_ERROR_INPUT, path, 0, 0, "this is not a saved state (it does not begin with PLSTATE1)");
  memcpy(&model, buffer + 8, 8);
  memcpy(&stored_size, buffer + 16, 8);
  memcpy(&stored_hash, buffer + total - 8, 8);
  if (stored_size != total - HEADER - 8 || stored_hash != pl_hash(PL_HASH_START, buffer, total - 8))
    return pl_fail_at(error, PL_ERROR_INPUT, path, 0, 0, "the saved state is damaged (%zu bytes, check sum wrong)", total);
  if (model != data->model->hash || stored_size != size)
    return pl_fail_at(error, PL_ERROR_MISMATCH, path, 0, 0, "the state belongs to another model; load it into the scene (and options) it was saved from");
  return PL_OK;
}

plStatus pl_state_load(plData* data, const char* path, plError* error) {
  // One byte more than expected is read, so that a longer file is seen as such.
  size_t room = HEADER + pl_state_size(data) + 8 + 1, total = 0;
  char* buffer = pl_alloc(room, 1);
  if (!buffer) return pl_fail_out_of_memory(error, room);
  FILE* file = fopen(path, "rbe");
  if (!file) {
    pl_free(buffer);
    return pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "cannot open: %s", strerror(errno));
  }
  total = fread(buffer, 1, room, file);
  fclose(file);
  plStatus status = PL_OK;
  if (total == room && !memcmp(buffer, magic, 8))
    status = pl_fail_at(error, PL_ERROR_MISMATCH, path, 0, 0, "the state is larger than this model's: it belongs to another model");
  if (!status) status = check_file(data, path, buffer, total, error);
  if (!status) status = pl_state_set(data, buffer + HEADER, pl_state_size(data), error);
  pl_free(buffer);
  return status;
}

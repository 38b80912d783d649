// recording.c: writes a recording: the model, then a frame per call, each with a single write(2).
//
// If the program is killed at any point, the file contains every frame written so far, and at most one
// incomplete frame at the end. If a write fails (disk full), the file is truncated after its last complete
// frame.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "output/recording.h"

struct plRecording {
  const plModel* model;
  char* path;
  int fd;
  uint64_t nframe;
  bool same_parameters;  // MODL holds those of the model
  bool failed;    // a chunk could not be written: nothing follows, and the file is not marked as finished
  plBytes bytes;  // the chunk being made
  plBytes state;  // scratch
};

// Appends all bytes, or nothing; and nothing after a failure.
static plStatus write_all(plRecording* r, const unsigned char* bytes, size_t size, plError* error) {
  errno = 0;
  if (!r->failed && !pl_file_write(r->fd, r->path, bytes, size, NULL)) return PL_OK;
  r->failed = true;
  return pl_fail_at(error, PL_ERROR_IO, r->path, 0, 0,
                    "the recording cannot be written: %s; %llu frames are kept",
                    errno ? strerror(errno) : "an earlier frame could not", (unsigned long long)r->nframe);
}

static void start_chunk(plRecording* r) {
  static const unsigned char room[PL_CHUNK_HEADER] = {0};
  pl_bytes_clear(&r->bytes);
  pl_bytes_add(&r->bytes, room, sizeof room);
}

static plStatus write_chunk(plRecording* r, const char* tag, double time, uint64_t index, plError* error) {
  if (r->bytes.failed) return pl_fail_out_of_memory(error, r->bytes.cap);
  pl_chunk_seal(&r->bytes, tag, time, index);
  return write_all(r, r->bytes.data, r->bytes.size, error);
}

static void destroy(plRecording* r) {
  if (!r) return;
  if (r->fd >= 0) close(r->fd);
  pl_bytes_free(&r->bytes), pl_bytes_free(&r->state);
  pl_free(r->path);
  pl_free(r);
}

plStatus pl_recording_open(const char* path, const plModel* model, plRecording** recording, plError* error) {
  assert(path != NULL && model != NULL && recording != NULL);
  *recording = NULL;
  plRecording* r = PL_NEW(plRecording, 1);
  if (!r) return pl_fail_out_of_memory(error, sizeof *r);
  *r = (plRecording){.model = model, .fd = -1, .same_parameters = true, .path = pl_strdup(path)};
  if (!r->path) return destroy(r), pl_fail_out_of_memory(error, strlen(path));
  plStatus status = pl_file_open_output(path, &pl_file_recording, &r->fd, error);
  if (status) return destroy(r), status;
  // The file's header, then the model.
  unsigned char header[PL_FILE_HEADER] = {0};
  memcpy(header, pl_recording_magic, 8);
  memcpy(header + 8, &(uint32_t){PL_RECORDING_VERSION}, 4);
  memcpy(header + 12, &(uint32_t){0x01020304}, 4);
  status = write_all(r, header, sizeof header, error);
  if (!status) {
    start_chunk(r);
    pl_recording_put_model(&r->bytes, model, model->par);
    status = write_chunk(r, "MODL", 0, 0, error);
  }
  if (status) return destroy(r), status;
  *recording = r;
  return PL_OK;
}

plStatus pl_recording_continue(const char* path, const plData* data, plRecording** recording,
                               plError* error) {
  assert(path != NULL && data != NULL && recording != NULL);
  *recording = NULL;
  plRecording* r = PL_NEW(plRecording, 1);
  if (!r) return pl_fail_out_of_memory(error, sizeof *r);
  *r = (plRecording){.model = data->model, .fd = -1, .path = pl_strdup(path)};
  if (!r->path) return destroy(r), pl_fail_out_of_memory(error, strlen(path));
  off_t end = 0;
  plStatus status = pl_recording_find_end(path, data, &r->nframe, &end, &r->same_parameters, error);
  if (!status) {
    r->fd = open(path, O_WRONLY | O_CLOEXEC);
    if (r->fd < 0 || ftruncate(r->fd, end) || lseek(r->fd, end, SEEK_SET) != end)
      status =
          pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the recording cannot be written: %s", strerror(errno));
  }
  if (status) return destroy(r), status;
  *recording = r;
  return PL_OK;
}

plStatus pl_recording_write(plRecording* r, const plData* data, plError* error) {
  assert(r != NULL && data != NULL);
  if (data->model != r->model)
    return pl_fail_at(error, PL_ERROR_MISMATCH, r->path, 0, 0,
                      "the recording was opened for another model than the data's");
  start_chunk(r);
  plStatus status = pl_recording_put_frame(&r->bytes, &r->state, data, r->same_parameters, error);
  if (!status) status = write_chunk(r, "FRAM", data->time, r->nframe, error);
  if (!status) r->nframe++;
  return status;
}

plStatus pl_recording_close(plRecording* r, plError* error) {
  if (!r) return PL_OK;
  start_chunk(r);
  plStatus status = write_chunk(r, "DONE", 0, r->nframe, error);
  int fd = r->fd;
  r->fd = -1;
  if (close(fd) && !status)
    status =
        pl_fail_at(error, PL_ERROR_IO, r->path, 0, 0, "the recording cannot be written: %s", strerror(errno));
  destroy(r);
  return status;
}

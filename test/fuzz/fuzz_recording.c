// fuzz_recording.c: libFuzzer entry for the reader of recordings. The checksums of the input are corrected
// first, so that the code after them is reached; every frame is loaded and measured.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "output/chunk.h"
#include "pliant/pliant.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void seal(uint8_t* bytes, size_t size) {
  if (size >= PL_FILE_HEADER) {
    memcpy(bytes, pl_recording_magic, 8);
    memcpy(bytes + 8, &(uint32_t){PL_RECORDING_VERSION}, 4);
    memcpy(bytes + 12, &(uint32_t){0x01020304}, 4);
  }
  for (size_t at = PL_FILE_HEADER; at <= size && size - at >= PL_CHUNK_HEADER;) {
    uint64_t payload;
    memcpy(&payload, bytes + at + 8, 8);
    if (payload > size - at - PL_CHUNK_HEADER) return;
    uint32_t crc = pl_crc(bytes + at + PL_CHUNK_HEADER, (size_t)payload);
    memcpy(bytes + at + 32, &crc, 4);
    crc = pl_crc(bytes + at, 36);
    memcpy(bytes + at + 36, &crc, 4);
    at += PL_CHUNK_HEADER + (size_t)payload;
  }
}

static void use(plReplay* replay) {
  plError error;
  plSignals* signals = NULL;
  const plModel* model = pl_replay_model(replay);
  if (pl_signals_create(model, "time, energy.total, *.com, *.von_mises_max, contact(*,*).force", &signals,
                        &error))
    return;
  double* row = malloc(sizeof(double) * (size_t)(pl_signals_count(signals) + 1));
  for (int i = 0; i < pl_replay_info(replay)->nframe && i < 4; i++)
    if (!pl_replay_seek(replay, i, &error))
      (void)pl_signals_eval(signals, pl_replay_data(replay), row, &error);
  free(row);
  pl_signals_destroy(signals);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  uint8_t* bytes = malloc(size + 1);
  memcpy(bytes, data, size);
  seal(bytes, size);
  int file = memfd_create("recording", MFD_CLOEXEC);
  if (file >= 0 && write(file, bytes, size) == (ssize_t)size) {
    char path[64];
    plError error;
    plReplay* replay;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (!pl_replay_open(path, &replay, &error)) {
      use(replay);
      pl_replay_close(replay);
    }
  }
  if (file >= 0) close(file);
  free(bytes);
  return 0;
}

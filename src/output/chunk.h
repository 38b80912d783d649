// chunk.h: the bytes of a recording: a growing buffer, chunks with check sums, named sections inside a chunk
// (docs/recording.md).
#ifndef PL_OUTPUT_CHUNK_H
#define PL_OUTPUT_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A buffer that grows. failed says that memory ran out since the last clear.
typedef struct plBytes {
  unsigned char* data;
  size_t size, cap;
  bool failed;
} plBytes;

void pl_bytes_add(plBytes* bytes, const void* data, size_t size);
void pl_bytes_print(plBytes* bytes, const char* format, ...) __attribute__((format(printf, 2, 3)));
void pl_bytes_clear(plBytes* bytes);
void pl_bytes_free(plBytes* bytes);

// ---- chunks: a header of 40 bytes, then the payload

enum { PL_CHUNK_HEADER = 40, PL_FILE_HEADER = 16, PL_RECORDING_VERSION = 1 };
extern const char pl_recording_magic[8];

typedef struct plChunk {
  char tag[4];     // "MODL", "FRAM", "DONE"
  uint32_t flags;  // 0
  uint64_t size;   // of the payload in bytes, a multiple of 8
  double time;     // s, of a frame
  uint64_t index;  // of a frame, or the number of frames in "DONE"
  uint32_t payload_crc, header_crc;
} plChunk;

// Fills in size and checksums of the header before the payload.
void pl_chunk_seal(plBytes* bytes, const char* tag, double time, uint64_t index);
// False if the header's check sum is wrong.
bool pl_chunk_read(const unsigned char header[PL_CHUNK_HEADER], plChunk* chunk);
uint32_t pl_crc(const void* data, size_t size);

// ---- sections: name[23], type, count (64 bits), then the values, padded to 8 bytes

// type: 'd' double, 'i' int, 'l' 64-bit integer, 'b' bytes. The names are unique within a chunk.
void pl_section_add(plBytes* bytes, const char* name, char type, const void* values, size_t count);

typedef struct plSection {
  char name[24];
  char type;
  size_t count;
  unsigned char* values;  // in the payload, aligned to 8 bytes
} plSection;

// The first section of this name and type; false if there is none.
bool pl_section_find(unsigned char* payload, size_t size, const char* name, char type, plSection* section);

#endif

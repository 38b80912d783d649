// chunk.c: buffers, chunks and sections of a recording.
#include "output/chunk.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

enum { SECTION_HEADER = 32, NAME = 23 };

const char pl_recording_magic[8] = {'P', 'L', 'R', 'E', 'C', '\r', '\n', 26};

// ---- buffer

static bool reserve(plBytes* bytes, size_t more) {
  if (bytes->failed || more > SIZE_MAX / 4 - bytes->size) return bytes->failed = true, false;
  if (bytes->size + more <= bytes->cap) return true;
  size_t cap = bytes->cap ? 2 * bytes->cap : 4096;
  while (cap < bytes->size + more) cap *= 2;
  unsigned char* grown = pl_realloc(bytes->data, bytes->size, cap, 1);
  if (!grown) return bytes->failed = true, false;
  bytes->data = grown;
  bytes->cap = cap;
  return true;
}

void pl_bytes_add(plBytes* bytes, const void* data, size_t size) {
  if (!size || !reserve(bytes, size)) return;
  memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
}

void pl_bytes_print(plBytes* bytes, const char* format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  assert(n >= 0);
  pl_bytes_add(bytes, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void pl_bytes_clear(plBytes* bytes) {
  bytes->size = 0;
  bytes->failed = false;
}

void pl_bytes_free(plBytes* bytes) {
  pl_free(bytes->data);
  *bytes = (plBytes){0};
}

// ---- chunks

uint32_t pl_crc(const void* data, size_t size) { return (uint32_t)crc32_z(crc32_z(0, NULL, 0), data, size); }

void pl_chunk_seal(plBytes* bytes, const char* tag, double time, uint64_t index) {
  if (bytes->failed) return;
  assert(bytes->size >= PL_CHUNK_HEADER && bytes->size % 8 == 0);
  unsigned char* header = bytes->data;
  uint64_t size = bytes->size - PL_CHUNK_HEADER;
  uint32_t flags = 0, crc = pl_crc(header + PL_CHUNK_HEADER, (size_t)size);
  memcpy(header, tag, 4);
  memcpy(header + 4, &flags, 4);
  memcpy(header + 8, &size, 8);
  memcpy(header + 16, &time, 8);
  memcpy(header + 24, &index, 8);
  memcpy(header + 32, &crc, 4);
  crc = pl_crc(header, 36);
  memcpy(header + 36, &crc, 4);
}

bool pl_chunk_read(const unsigned char header[PL_CHUNK_HEADER], plChunk* chunk) {
  memcpy(chunk->tag, header, 4);
  memcpy(&chunk->flags, header + 4, 4);
  memcpy(&chunk->size, header + 8, 8);
  memcpy(&chunk->time, header + 16, 8);
  memcpy(&chunk->index, header + 24, 8);
  memcpy(&chunk->payload_crc, header + 32, 4);
  memcpy(&chunk->header_crc, header + 36, 4);
  return chunk->header_crc == pl_crc(header, 36) && chunk->size % 8 == 0;
}

// ---- sections

static size_t width(char type) {
  switch (type) {
    case 'd':
    case 'l':
      return 8;
    case 'i':
      return 4;
    case 'b':
      return 1;
    default:
      return 0;
  }
}

void pl_section_add(plBytes* bytes, const char* name, char type, const void* values, size_t count) {
  static const unsigned char zero[8] = {0};
  unsigned char header[SECTION_HEADER] = {0};
  size_t length = strlen(name), size = count * width(type);
  assert(length < NAME && width(type));
  memcpy(header, name, length);
  header[NAME] = (unsigned char)type;
  memcpy(header + 24, &(uint64_t){count}, 8);
  pl_bytes_add(bytes, header, sizeof header);
  pl_bytes_add(bytes, values, size);
  pl_bytes_add(bytes, zero, (8 - size % 8) % 8);
}

// Iterates over a payload: *at starts at 0; false at the end or if a section does not fit in size.
static bool next_section(unsigned char* payload, size_t size, size_t* at, plSection* section) {
  if (*at > size || size - *at < SECTION_HEADER) return false;
  const unsigned char* header = payload + *at;
  uint64_t count;
  memcpy(&count, header + 24, 8);
  memset(section->name, 0, sizeof section->name);
  memcpy(section->name, header, NAME);
  section->type = (char)header[NAME];
  // A type of a later version is skipped as bytes; its count is then its size.
  size_t w = width(section->type) ? width(section->type) : 1, left = size - *at - SECTION_HEADER;
  if (count > left / w) return false;
  size_t bytes = (size_t)count * w, padded = (bytes + 7) / 8 * 8;
  if (padded > left) return false;
  section->count = (size_t)count;
  section->values = payload + *at + SECTION_HEADER;
  *at += SECTION_HEADER + padded;
  return true;
}

bool pl_section_find(unsigned char* payload, size_t size, const char* name, char type, plSection* section) {
  size_t at = 0;
  while (next_section(payload, size, &at, section))
    if (section->type == type && !strcmp(section->name, name)) return true;
  return false;
}

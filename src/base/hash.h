// hash.h: a 64-bit hash of bytes (FNV-1a over 8-byte words, mixed at the end) for state hashes and file
// checks.
#ifndef PL_BASE_HASH_H
#define PL_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PL_HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t pl_hash(uint64_t h, const void* data, size_t bytes) {
  const unsigned char* p = data;
  for (; bytes >= 8; p += 8, bytes -= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    h = (h ^ word) * UINT64_C(0x100000001b3);
    h ^= h >> 29;
  }
  for (; bytes; p++, bytes--) h = (h ^ *p) * UINT64_C(0x100000001b3);
  return h ^ (h >> 32);
}

#endif

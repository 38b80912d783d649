// gif_lzw.c: LZW as GIF has it. Codes of 9 to 12 bits, least significant bit first, in sub-blocks of at most
// 255 bytes. The table of known strings is a hash of (code of the prefix, next byte) -> code; when 4096 codes
// are in use it is cleared.
#include <assert.h>
#include <string.h>

#include "output/gif.h"

enum { CLEAR = 256, END = 257, FIRST = 258, MOST = 4096, SLOTS = 8192 };

typedef struct Writer {
  plBytes* bytes;
  uint32_t bits;
  int nbit;
  unsigned char block[255];
  int nblock;
} Writer;

static void flush_block(Writer* w) {
  if (!w->nblock) return;
  unsigned char size = (unsigned char)w->nblock;
  pl_bytes_add(w->bytes, &size, 1);
  pl_bytes_add(w->bytes, w->block, (size_t)w->nblock);
  w->nblock = 0;
}

static void put_byte(Writer* w) {
  assert(w->nblock < 255);
  w->block[w->nblock++] = (unsigned char)(w->bits & 255);
  w->bits >>= 8;
  if (w->nblock == 255) flush_block(w);
}

static void put_code(Writer* w, int code, int size) {
  w->bits |= (uint32_t)code << w->nbit;
  for (w->nbit += size; w->nbit >= 8; w->nbit -= 8) put_byte(w);
}

// The slot of a string, or the free one where it belongs. Keys are (prefix << 8 | byte) + 1; 0 is free.
static int find_slot(const uint32_t* key, uint32_t wanted) {
  uint32_t at = wanted * 2654435761u >> 19;
  while (key[at] && key[at] != wanted) at = (at + 1) % SLOTS;
  return (int)at;
}

void pl_gif_lzw(const unsigned char* index, size_t n, plBytes* bytes) {
  uint32_t key[SLOTS] = {0};
  uint16_t code_of[SLOTS];
  Writer w = {.bytes = bytes};
  int next = FIRST, size = 9, prefix = -1;
  pl_bytes_add(bytes, "\x08", 1);
  put_code(&w, CLEAR, size);
  for (size_t i = 0; i < n; i++) {
    if (prefix < 0) {
      prefix = index[i];
      continue;
    }
    uint32_t wanted = ((uint32_t)prefix << 8 | index[i]) + 1;
    int slot = find_slot(key, wanted);
    if (key[slot]) {
      prefix = code_of[slot];
      continue;
    }
    put_code(&w, prefix, size);
    prefix = index[i];
    if (next == MOST) {
      put_code(&w, CLEAR, size);
      memset(key, 0, sizeof key);
      next = FIRST, size = 9;
      continue;
    }
    // a reader learns each code one step later, so the code size grows when the previous code did not fit
    if (next == 1 << size) size++;
    assert(next < MOST && size <= 12);
    key[slot] = wanted, code_of[slot] = (uint16_t)next++;
  }
  if (prefix >= 0) put_code(&w, prefix, size);
  if (next == 1 << size && size < 12) size++;
  put_code(&w, END, size);
  if (w.nbit) put_byte(&w);
  flush_block(&w);
  pl_bytes_add(bytes, "\0", 1);
}

// png.c: writes 8-bit RGB images as PNG; each row is predicted from its neighbours (Paeth), the rest is
// zlib's work.
#include "output/png.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "output/chunk.h"

static void big_endian(unsigned char* p, uint32_t x) {
  for (int i = 0; i < 4; i++) p[i] = (unsigned char)(x >> (24 - 8 * i));
}

// length | type | data | crc of type and data
static void add_chunk(plBytes* bytes, const char* type, const unsigned char* data, size_t size) {
  unsigned char word[4];
  big_endian(word, (uint32_t)size);
  pl_bytes_add(bytes, word, 4);
  size_t start = bytes->size;
  pl_bytes_add(bytes, type, 4);
  pl_bytes_add(bytes, data, size);
  if (bytes->failed) return;
  big_endian(word, pl_crc(bytes->data + start, size + 4));
  pl_bytes_add(bytes, word, 4);
}

// The neighbour (left, above, above left) nearest to left + above - above left.
static unsigned char paeth(int a, int b, int c) {
  int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);
  return (unsigned char)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

// Each row: its filter's number 4, then the differences.
static void filter(const unsigned char* rgb, size_t width, size_t height, unsigned char* out) {
  size_t row = 3 * width;
  for (size_t y = 0; y < height; y++) {
    const unsigned char *x = rgb + y * row, *up = y ? x - row : NULL;
    *out++ = 4;
    for (size_t i = 0; i < row; i++)
      *out++ =
          (unsigned char)(x[i] - paeth(i < 3 ? 0 : x[i - 3], up ? up[i] : 0, up && i >= 3 ? up[i - 3] : 0));
  }
}

plStatus pl_png_save(const char* path, int width, int height, const unsigned char* rgb, plError* error) {
  size_t size = (3 * (size_t)width + 1) * (size_t)height;
  uLongf packed_size = compressBound((uLong)size);
  unsigned char *rows = pl_alloc(size, 1), *packed = pl_alloc(packed_size, 1);
  plBytes bytes = {0};
  if (rows && packed) {
    filter(rgb, (size_t)width, (size_t)height, rows);
    if (compress2(packed, &packed_size, rows, (uLong)size, 6) != Z_OK) bytes.failed = true;
    unsigned char header[13] = {[8] = 8, [9] = 2};
    big_endian(header, (uint32_t)width), big_endian(header + 4, (uint32_t)height);
    pl_bytes_add(&bytes, "\x89PNG\r\n\x1a\n", 8);
    add_chunk(&bytes, "IHDR", header, sizeof header);
    add_chunk(&bytes, "sRGB", (const unsigned char[]){0}, 1);
    add_chunk(&bytes, "IDAT", packed, packed_size);
    add_chunk(&bytes, "IEND", NULL, 0);
  }
  plStatus status = rows && packed && !bytes.failed ? PL_OK : pl_fail_out_of_memory(error, size);
  pl_free(rows), pl_free(packed);
  if (!status) status = pl_file_replace(path, &pl_file_png, bytes.data, bytes.size, error);
  pl_bytes_free(&bytes);
  return status;
}

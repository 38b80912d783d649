// base64.c: four characters at a time to three bytes.
#include "input/base64.h"

#include <stdbool.h>
#include <stdint.h>

static int digit_of(unsigned char byte) {
  if (byte >= 'A' && byte <= 'Z') return byte - 'A';
  if (byte >= 'a' && byte <= 'z') return byte - 'a' + 26;
  if (byte >= '0' && byte <= '9') return byte - '0' + 52;
  return byte == '+' ? 62 : byte == '/' ? 63 : -1;
}

static bool is_space(unsigned char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

size_t pl_base64_decode(const unsigned char* p, const unsigned char* end, size_t wanted, unsigned char* out) {
  size_t n = 0;
  while (n < wanted) {
    uint32_t quad = 0;
    int digits = 0, padding = 0;
    for (; p < end && digits + padding < 4; p++) {
      int digit = digit_of(*p);
      if (is_space(*p)) continue;
      if (digit < 0 && *p != '=') return n;
      if (*p == '=')
        padding++, quad <<= 6;
      else
        digits++, quad = quad << 6 | (uint32_t)digit;
    }
    if (digits + padding < 4) return n;
    for (int i = 0; i < digits - 1 && n < wanted; i++) out[n++] = (unsigned char)(quad >> (16 - 8 * i));
    if (digits < 2) return n;
  }
  return n;
}

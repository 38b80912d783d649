// web_socket.c: frames and handshake of WebSockets (RFC 6455).
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "web.h"

int pl_socket_parse(unsigned char* bytes, size_t size, plSocketFrame* frame, size_t* used) {
  if (size < 2) return PL_SOCKET_MORE;
  int opcode = bytes[0] & 15;
  uint64_t length = bytes[1] & 127;
  frame->fin = bytes[0] >> 7;
  frame->opcode = opcode;
  // Reserved bits and opcodes are 0; a client must mask; control frames are short and whole.
  bool control = opcode >= 8;
  if (bytes[0] & 0x70 || !(bytes[1] & 128)) return PL_SOCKET_PROTOCOL;
  if ((opcode > 2 && opcode < 8) || opcode > 10 || (control && (!frame->fin || length > 125)))
    return PL_SOCKET_PROTOCOL;

  size_t extra = length == 126 ? 2 : length == 127 ? 8 : 0;
  if (size < 2 + extra) return PL_SOCKET_MORE;
  if (extra) {
    length = 0;
    for (size_t i = 0; i < extra; i++) length = length << 8 | bytes[2 + i];
    // the shortest form is the only one
    if (length < (extra == 2 ? 126 : 65536) || length >> 63) return PL_SOCKET_PROTOCOL;
  }
  if (length > PL_WEB_MESSAGE) return PL_SOCKET_TOO_BIG;
  size_t head = 2 + extra + 4;
  if (size < head + length) return PL_SOCKET_MORE;

  const unsigned char* mask = bytes + head - 4;
  frame->payload = bytes + head;
  frame->size = (size_t)length;
  for (size_t i = 0; i < frame->size; i++)
    frame->payload[i] = (unsigned char)(frame->payload[i] ^ mask[i % 4]);
  *used = head + frame->size;
  return PL_SOCKET_FRAME;
}

size_t pl_socket_head(unsigned char head[10], int opcode, size_t size) {
  head[0] = (unsigned char)(0x80 | opcode);
  if (size < 126) return head[1] = (unsigned char)size, 2;
  size_t extra = size < 65536 ? 2 : 8;
  head[1] = extra == 2 ? 126 : 127;
  for (size_t i = 0; i < extra; i++) head[2 + i] = (unsigned char)((uint64_t)size >> 8 * (extra - 1 - i));
  return 2 + extra;
}

// ---- SHA-1 (FIPS 180-4) of one short text

static uint32_t rotate(uint32_t x, int n) { return x << n | x >> (32 - n); }

static void sha1_block(uint32_t h[5], const unsigned char block[64]) {
  uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  for (int i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  for (int i = 0; i < 80; i++) {
    uint32_t f, k;
    if (i < 20)
      f = (b & c) | (~b & d), k = 0x5a827999;
    else if (i < 40)
      f = b ^ c ^ d, k = 0x6ed9eba1;
    else if (i < 60)
      f = (b & c) | (b & d) | (c & d), k = 0x8f1bbcdc;
    else
      f = b ^ c ^ d, k = 0xca62c1d6;
    uint32_t t = rotate(a, 5) + f + e + k + w[i];
    e = d, d = c, c = rotate(b, 30), b = a, a = t;
  }
  h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

static void sha1(const char* text, unsigned char digest[20]) {
  uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  size_t n = strlen(text), at = 0;
  unsigned char block[64];
  for (; n - at >= 64; at += 64) sha1_block(h, (const unsigned char*)text + at);
  memset(block, 0, sizeof block);
  memcpy(block, text + at, n - at);
  block[n - at] = 0x80;
  if (n - at >= 56) {
    sha1_block(h, block);
    memset(block, 0, sizeof block);
  }
  for (int i = 0; i < 8; i++) block[63 - i] = (unsigned char)((uint64_t)(8 * n) >> 8 * i);
  sha1_block(h, block);
  for (int i = 0; i < 20; i++) digest[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

void pl_socket_accept(const char* key, char accept[29]) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char text[128];
  unsigned char digest[21] = {0};
  snprintf(text, sizeof text, "%.64s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
  sha1(text, digest);
  for (int i = 0; i < 7; i++) {
    unsigned x =
        (unsigned)digest[3 * i] << 16 | (unsigned)digest[3 * i + 1] << 8 | (i < 6 ? digest[3 * i + 2] : 0u);
    for (int k = 0; k < 4; k++) accept[4 * i + k] = letters[x >> (18 - 6 * k) & 63];
  }
  accept[27] = '=';
  accept[28] = 0;
}

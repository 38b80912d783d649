// base64.h: bytes out of base64 text (RFC 4648), with white space anywhere.
#ifndef PL_INPUT_BASE64_H
#define PL_INPUT_BASE64_H

#include <stddef.h>

// Decodes into out until wanted bytes are decoded or the text ends; returns their number. Several pieces,
// each with padding, are read like one.
size_t pl_base64_decode(const unsigned char* p, const unsigned char* end, size_t wanted, unsigned char* out);

#endif

// mesh_vtu_data.c: decodes the arrays of a VTU file: ASCII, base64 or raw bytes, plain or compressed with
// zlib.
//
// Plain binary is [bytes][data]; compressed is [blocks][block size][last block size][compressed size of
// each][blocks]. Base64 may be one piece or several, each padded: it is decoded four characters at a time, so
// that both read the same.
#include "input/mesh_vtu_data.h"

#include <assert.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "input/base64.h"

static const unsigned long long DEFLATE_RATIO = 1032;  // the most that zlib's deflate can shrink data

// The encoded bytes of one array.
typedef struct Source {
  const plVtuFile* file;
  const plVtuArray* array;
  const unsigned char *p, *end;
  bool base64;
} Source;

static plStatus fail(const Source* s, const char* sentence) {
  plCursor place = *s->file->c;
  place.token = s->p;
  // Appended bytes have no line.
  place.binary = s->array->format == PL_VTU_APPENDED;
  return pl_cursor_fail(&place, "array '%s': %s", s->array->name, sentence);
}

// The first wanted decoded bytes of an array; NULL (with an error) if they are not there.
static plStatus take(const Source* s, unsigned long long wanted, unsigned char** out) {
  size_t left = (size_t)(s->end - s->p), most = s->base64 ? left / 4 * 3 : left;
  *out = NULL;
  if (wanted > most)
    return fail(s,
                "the data end before the announced number of bytes: the file is cut short or its header_type "
                "is wrong");
  *out = PL_NEW(unsigned char, wanted);
  if (!*out) return pl_fail_out_of_memory(s->file->c->error, wanted);
  if (!s->base64)
    memcpy(*out, s->p, wanted);
  else if (pl_base64_decode(s->p, s->end, wanted, *out) < wanted)
    return fail(s, "expected more base64 data");
  return PL_OK;
}

// ---- headers

// The first n numbers of the header type.
static plStatus take_header(const Source* s, unsigned long long n, long long* value) {
  size_t size = pl_number_size(s->file->header_type);
  unsigned char* bytes;
  plStatus status = take(s, n * size, &bytes);
  plCursor c = pl_cursor(s->file->c->name, bytes, status ? 0 : n * size, s->file->c->error);
  c.binary = true;
  c.swap = s->file->little_endian != pl_machine_is_little_endian();
  for (unsigned long long i = 0; !status && i < n; i++)
    status = pl_cursor_int(&c, s->file->header_type, "a header", &value[i]);
  pl_free(bytes);
  return status;
}

// [bytes][data]
static plStatus open_plain(const Source* s, unsigned char** memory, size_t* begin, size_t* size) {
  long long bytes;
  plStatus status = take_header(s, 1, &bytes);
  if (status) return status;
  if (bytes < 0) return fail(s, "the announced number of bytes is wrong");
  *begin = pl_number_size(s->file->header_type);
  *size = (size_t)bytes;
  return take(s, *begin + (unsigned long long)bytes, memory);
}

// Inflates all blocks; head holds [blocks][block size][last block size][sizes...], packed follows it.
static plStatus inflate_blocks(const Source* s, const long long* head, const unsigned char* packed,
                               unsigned char* out, unsigned long long unpacked) {
  const unsigned char* p = packed;
  for (long long i = 0; i < head[0]; i++) {
    bool last = i + 1 == head[0] && head[2] > 0;
    uLongf room = (uLongf)(last ? head[2] : head[1]), wanted = room;
    assert(wanted <= unpacked);
    unpacked -= wanted;
    if (uncompress(out, &room, p, (uLong)head[3 + i]) != Z_OK || room != wanted)
      return fail(s, "a compressed block is damaged");
    p += head[3 + i];
    out += wanted;
  }
  return PL_OK;
}

// Sizes packed and unpacked from a header, refused if zlib could not have made them.
static plStatus measure_blocks(const Source* s, const long long* head, unsigned long long* packed,
                               unsigned long long* unpacked) {
  unsigned long long left = (unsigned long long)(s->end - s->p), limit = left * DEFLATE_RATIO + 64;
  *packed = 0;
  if (head[1] < 0 || head[2] < 0 || (unsigned long long)head[1] > limit ||
      (unsigned long long)head[2] > limit)
    return fail(s, "the size of a compressed block is wrong");
  for (long long i = 0; i < head[0]; i++) {
    if (head[3 + i] < 0 || (unsigned long long)head[3 + i] > left)
      return fail(s, "the size of a compressed block is wrong");
    *packed += (unsigned long long)head[3 + i];
  }
  // head[0] blocks fit into the file, each of at most limit bytes: no overflow.
  long long full = head[0] - (head[0] > 0 && head[2] > 0);
  long double total = (long double)full * (long double)head[1] + (head[0] > 0 ? (long double)head[2] : 0);
  if (total > (long double)limit) return fail(s, "the sizes of the compressed blocks are wrong");
  *unpacked = (unsigned long long)total;
  return PL_OK;
}

static plStatus open_compressed(const Source* s, unsigned char** memory, size_t* size) {
  long long nblock;
  size_t word = pl_number_size(s->file->header_type);
  plStatus status = take_header(s, 1, &nblock);
  if (status) return status;
  if (nblock < 0 || (unsigned long long)nblock > (unsigned long long)(s->end - s->p))
    return fail(s, "the number of compressed blocks is wrong");
  unsigned long long nhead = 3 + (unsigned long long)nblock, packed = 0, unpacked = 0;
  // An empty array may have no more than its number of blocks.
  if (nblock == 0) return *size = 0, PL_OK;
  long long* head = PL_NEW(long long, nhead);
  if (!head) return pl_fail_out_of_memory(s->file->c->error, 8 * nhead);
  unsigned char* bytes = NULL;
  status = take_header(s, nhead, head);
  if (!status) status = measure_blocks(s, head, &packed, &unpacked);
  if (!status) status = take(s, nhead * word + packed, &bytes);
  if (!status && !(*memory = PL_NEW(unsigned char, unpacked)))
    status = pl_fail_out_of_memory(s->file->c->error, unpacked);
  if (!status) status = inflate_blocks(s, head, bytes + nhead * word, *memory, unpacked);
  if (!status) *size = (size_t)unpacked;
  pl_free(bytes);
  pl_free(head);
  return status;
}

// ---- an array

// Where the encoded bytes are.
static plStatus find_source(const plVtuFile* file, const plVtuArray* array, Source* s) {
  *s = (Source){file, array, array->begin, array->end,
                array->format == PL_VTU_BINARY || file->appended_base64};
  if (array->format != PL_VTU_APPENDED) return PL_OK;
  s->p = s->end = file->c->end;
  if (!file->appended) return fail(s, "it is said to be appended, but the file has no AppendedData");
  if (array->offset < 0 || array->offset > file->c->end - file->appended)
    return fail(s, "its offset lies beyond the end of the file");
  s->p = file->appended + array->offset;
  return PL_OK;
}

plStatus pl_vtu_open(const plVtuFile* file, const plVtuArray* array, plCursor* cursor,
                     unsigned char** memory) {
  Source s;
  *memory = NULL;
  *cursor = *file->c;
  cursor->part = array->name;
  if (array->format == PL_VTU_ASCII) {
    // The text itself, from the start of the file so that lines are counted.
    cursor->p = cursor->token = array->begin;
    cursor->end = array->end;
    cursor->part = NULL;
    return PL_OK;
  }
  size_t begin = 0, size = 0;
  plStatus status = find_source(file, array, &s);
  if (!status)
    status = file->compressed ? open_compressed(&s, memory, &size) : open_plain(&s, memory, &begin, &size);
  if (status) return status;
  *cursor = pl_cursor(file->c->name, *memory ? *memory + begin : NULL, size, file->c->error);
  cursor->part = array->name;
  cursor->binary = true;
  cursor->swap = file->little_endian != pl_machine_is_little_endian();
  return PL_OK;
}

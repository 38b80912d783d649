// mesh_gltf_data.c: the numbers of a glTF document: accessor -> buffer view -> buffer, which is a file beside
// the document, base64 text in it, or the second chunk of a GLB file. Every size is checked against the
// available bytes before memory is allocated.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "input/base64.h"
#include "input/mesh_gltf.h"
#include "input/text.h"

// A file may draw its meshes many times, and read its arrays as often: unlimited up to FREE_WORK numbers,
// beyond that no more than WORK_PER_BYTE for each byte of its buffers (each float 16 times).
static const double FREE_WORK = 3e6, WORK_PER_BYTE = 4, MAX_BUFFERS = 1 << 30;

// ---- entries

plStatus pl_gltf_list(plGltf* g, const char* name, plGltfList* list) {
  const plJson* found = pl_json_get(g->root, name);
  *list = (plGltfList){.name = name};
  if (!found) return PL_OK;
  if (found->kind != PL_JSON_LIST) return pl_json_fail(g->c, found, "'%s' must be a list", name);
  list->item = PL_NEW(const plJson*, found->nchild);
  if (!list->item) return pl_fail_out_of_memory(g->c->error, sizeof(void*) * (size_t)found->nchild);
  for (const plJson* child = found->first; child; child = child->next) {
    if (child->kind != PL_JSON_MAP) return pl_json_fail(g->c, child, "an entry of '%s' must be a map", name);
    assert(list->n < found->nchild);
    list->item[list->n++] = child;
  }
  return PL_OK;
}

plStatus pl_gltf_whole(const plGltf* g, const plJson* map, const char* key, long long* value) {
  const plJson* found = pl_json_get(map, key);
  if (!found) return PL_OK;
  if (found->kind != PL_JSON_NUMBER || found->number != floor(found->number) || !(found->number >= 0) ||
      found->number > 9e15)
    return pl_json_fail(g->c, found, "'%s' must be a whole number that is not negative", key);
  *value = (long long)found->number;
  return PL_OK;
}

plStatus pl_gltf_index(const plGltf* g, const plJson* map, const char* key, const plGltfList* list,
                       int* index) {
  long long value = -1;
  *index = -1;
  plStatus status = pl_gltf_whole(g, map, key, &value);
  if (status || value < 0) return status;
  if (value >= list->n)
    return pl_json_fail(g->c, pl_json_get(map, key), "'%s' is %lld, but the file has %d %s (counted from 0)",
                        key, value, list->n, list->name);
  *index = (int)value;
  return PL_OK;
}

plStatus pl_gltf_numbers(const plGltf* g, const plJson* map, const char* key, int n, double* number) {
  const plJson* found = pl_json_get(map, key);
  if (!found) return PL_OK;
  int i = 0;
  bool right = found->kind == PL_JSON_LIST && found->nchild == n;
  for (const plJson* child = found->first; right && child; child = child->next, i++) {
    right = child->kind == PL_JSON_NUMBER;
    number[i] = child->number;
  }
  return right ? PL_OK : pl_json_fail(g->c, found, "'%s' must be a list of %d numbers", key, n);
}

plStatus pl_gltf_charge(plGltf* g, const plJson* at, double n) {
  g->work += n;
  if (g->work <= FREE_WORK + WORK_PER_BYTE * g->read_bytes) return PL_OK;
  return pl_json_fail(g->c, at,
                      "the meshes refer to the file's arrays repeatedly, to more than 16 times their size; "
                      "store each mesh once");
}

// ---- buffers

static plStatus take_base64(plGltf* g, const plJson* uri, size_t begin, long long wanted, plBytes* bytes) {
  size_t size = (size_t)wanted;
  if ((uri->length - begin) / 4 * 3 + 3 < size)
    return pl_json_fail(g->c, uri, "the data of a buffer end before its %lld bytes", wanted);
  bytes->data = PL_NEW(unsigned char, size);
  if (!bytes->data) return pl_fail_out_of_memory(g->c->error, size);
  const unsigned char* text = (const unsigned char*)uri->text;
  bytes->size = pl_base64_decode(text + begin, text + uri->length, size, bytes->data);
  return PL_OK;
}

static plStatus take_data_uri(plGltf* g, const plJson* uri, long long wanted, plBytes* bytes) {
  static const char mark[] = ";base64,";
  for (size_t i = 5; i + sizeof mark - 1 <= uri->length && i < 200; i++)
    if (!memcmp(uri->text + i, mark, sizeof mark - 1))
      return take_base64(g, uri, i + sizeof mark - 1, wanted, bytes);
  return pl_json_fail(g->c, uri, "a buffer in a data URI must be in base64");
}

static plStatus fail_size(const plGltf* g, const plJson* at) {
  return pl_json_fail(g->c, at, "the buffers of the file have more than %.0f MB", MAX_BUFFERS / 1048576);
}

// The path of a file beside the document: "my%20arm.bin" -> "folder/my arm.bin"
static plStatus path_beside(plGltf* g, const plJson* uri, char path[4096]) {
  const char* slash = strrchr(g->c->name, '/');
  size_t n = slash ? (size_t)(slash - g->c->name) + 1 : 0;
  if (n + uri->length + 1 > 4096 || memchr(uri->text, 0, uri->length) || memchr(uri->text, ':', uri->length))
    return pl_json_fail(g->c, uri, "the uri of a buffer must be a path beside the file, or data in base64");
  memcpy(path, g->c->name, n);
  for (size_t i = 0; i < uri->length; i++) {
    unsigned code;
    char hex[3] = {0};
    if (uri->text[i] == '%' && i + 2 < uri->length) memcpy(hex, uri->text + i + 1, 2);
    if (hex[0] && sscanf(hex, "%2x", &code) == 1 && code > 0 && code < 256)
      path[n++] = (char)code, i += 2;
    else
      path[n++] = uri->text[i];
  }
  path[n] = 0;
  return PL_OK;
}

static plStatus take_file(plGltf* g, const plJson* uri, plBytes* bytes) {
  char path[4096];
  if (!g->c->on_disk)
    return pl_json_fail(g->c, uri, "a document with buffers in other files can only be loaded by its path");
  plStatus status = path_beside(g, uri, path);
  if (status) return status;
  struct stat info;
  if (stat(path, &info)) return pl_json_fail(g->c, uri, "the buffer '%.300s' is not found", path);
  if (g->read_bytes + (double)info.st_size > MAX_BUFFERS) return fail_size(g, uri);
  plError inner;
  status = pl_read_bytes(path, (size_t)MAX_BUFFERS, bytes, &inner);
  if (status == PL_ERROR_MEMORY) return pl_fail_out_of_memory(g->c->error, 0);
  if (!status) status = pl_text_check_pointer(path, bytes->data, bytes->size, "buffer", &inner);
  return status ? pl_json_fail(g->c, uri, "the buffer '%.200s': %.200s", path, inner.message) : PL_OK;
}

static plStatus open_buffer(plGltf* g, int index) {
  const plJson *map = g->buffers.item[index], *uri = pl_json_get(map, "uri");
  plBytes* bytes = &g->buffer[index];
  long long wanted = -1;
  if (bytes->data) return PL_OK;
  plStatus status = pl_gltf_whole(g, map, "byteLength", &wanted);
  if (!status && wanted < 1) status = pl_json_fail(g->c, map, "a buffer needs a byteLength of at least 1");
  if (!status && g->read_bytes + (double)wanted > MAX_BUFFERS) status = fail_size(g, map);
  if (status) return status;
  if (!uri && (index > 0 || !g->chunk_bytes.data))
    return pl_json_fail(g->c, map, "a buffer has no uri, and the file has no bytes for it");
  if (uri && uri->kind != PL_JSON_TEXT) return pl_json_fail(g->c, uri, "the uri of a buffer must be a text");
  if (!uri) {
    *bytes = g->chunk_bytes;
  } else if (uri->length > 5 && !memcmp(uri->text, "data:", 5)) {
    status = take_data_uri(g, uri, wanted, bytes);
  } else {
    status = take_file(g, uri, bytes);
  }
  g->read_bytes += (double)bytes->size;
  if (!status && bytes->size < (size_t)wanted)
    status = pl_json_fail(g->c, uri ? uri : map, "a buffer has %zu bytes, expected %lld: it is cut short",
                          bytes->size, wanted);
  return status;
}

// ---- accessors

// Numbers in a buffer, as the file describes them.
typedef struct Array {
  plNumber type;
  long long count;
  int width;
  bool normalized;
} Array;

static plNumber component_type(long long code) {
  static const plNumber type[] = {PL_INT8,        PL_UINT8,  PL_INT16,  PL_UINT16,
                                  PL_NUMBER_NONE, PL_UINT32, PL_FLOAT32};
  return code >= 5120 && code <= 5126 ? type[code - 5120] : PL_NUMBER_NONE;
}

// The largest value of an integer type, which represents 1 in normalized arrays.
static double unit_of(plNumber type) {
  return type == PL_INT8     ? 127
         : type == PL_UINT8  ? 255
         : type == PL_INT16  ? 32767
         : type == PL_UINT16 ? 65535
                             : 1;
}

// A cursor at the first number of an array of an accessor (or of a part of a sparse one) in a buffer view,
// and the distance in bytes between entries.
static plStatus open_array(plGltf* g, const plJson* place, const Array* a, plCursor* cursor,
                           long long* stride) {
  int view, buffer;
  long long offset = 0, begin = 0, length = -1;
  plStatus status = pl_gltf_index(g, place, "bufferView", &g->views, &view);
  if (!status && view < 0) status = pl_json_fail(g->c, place, "a bufferView is missing");
  if (status) return status;
  const plJson* map = g->views.item[view];
  *stride = 0;
  status = pl_gltf_whole(g, place, "byteOffset", &offset);
  if (!status) status = pl_gltf_whole(g, map, "byteOffset", &begin);
  if (!status) status = pl_gltf_whole(g, map, "byteLength", &length);
  if (!status) status = pl_gltf_whole(g, map, "byteStride", stride);
  if (!status) status = pl_gltf_index(g, map, "buffer", &g->buffers, &buffer);
  if (!status && (buffer < 0 || length < 0))
    status = pl_json_fail(g->c, map, "a buffer view needs buffer and byteLength");
  if (!status) status = open_buffer(g, buffer);
  if (status) return status;
  const plBytes* bytes = &g->buffer[buffer];
  long long size = (long long)pl_number_size(a->type) * a->width, total = (long long)bytes->size;
  if (!*stride) *stride = size;
  if (begin > total || length > total - begin)
    return pl_json_fail(g->c, map, "a buffer view ends at byte %lld of a buffer of %lld", begin + length,
                        total);
  if (*stride < size || *stride > 252)
    return pl_json_fail(g->c, map, "byteStride is %lld, expected %lld .. 252", *stride, size);
  if (offset > length || a->count > (length - offset - size) / *stride + 1 || size > length - offset)
    return pl_json_fail(g->c, place,
                        "%lld entries of %lld bytes do not fit into the %lld bytes of their buffer view",
                        a->count, *stride, length);
  *cursor = pl_cursor(g->c->name, bytes->data + begin + offset, (size_t)(length - offset), g->c->error);
  cursor->part = "a buffer", cursor->binary = true, cursor->swap = !pl_machine_is_little_endian();
  return PL_OK;
}

static plStatus take_array(plGltf* g, const plJson* place, const Array* a, double* number) {
  plCursor cursor;
  long long stride;
  plStatus status = open_array(g, place, a, &cursor, &stride);
  const unsigned char* begin = cursor.p;
  double scale = a->normalized ? 1 / unit_of(a->type) : 1;
  for (long long i = 0; !status && i < a->count; i++) {
    cursor.p = begin + i * stride;
    for (int k = 0; !status && k < a->width; k++) {
      status = pl_cursor_real(&cursor, a->type, "a number", number);
      // -128 represents -1, like -127
      if (!status && a->normalized) *number = fmax(-1, scale * *number);
      number++;
    }
  }
  return status;
}

// Some entries of a sparse accessor are replaced.
static plStatus replace_entries(plGltf* g, const plJson* sparse, const Array* a, double* number) {
  const plJson *ids = pl_json_get(sparse, "indices"), *values = pl_json_get(sparse, "values");
  long long code = 0, n = 0;
  plStatus status = pl_gltf_whole(g, sparse, "count", &n);
  if (!status) status = pl_gltf_whole(g, ids, "componentType", &code);
  Array id = {component_type(code), n, 1, false}, value = {a->type, n, a->width, a->normalized};
  if (!status &&
      (n < 1 || n > a->count || !ids || !values || id.type == PL_NUMBER_NONE || pl_number_is_real(id.type)))
    status = pl_json_fail(g->c, sparse, "a sparse accessor needs count, indices and values");
  if (!status) status = pl_gltf_charge(g, sparse, (double)n * (a->width + 1));
  if (status) return status;
  double *at = PL_NEW(double, n), *to = PL_NEW(double, n * a->width);
  if (!at || !to) status = pl_fail_out_of_memory(g->c->error, 8 * (size_t)n);
  if (!status) status = take_array(g, ids, &id, at);
  if (!status) status = take_array(g, values, &value, to);
  for (long long i = 0; !status && i < n; i++) {
    if (!(at[i] >= 0 && at[i] < (double)a->count))
      status =
          pl_json_fail(g->c, sparse, "entry %.0f is replaced, but the accessor has %lld", at[i], a->count);
    else
      memcpy(number + (long long)at[i] * a->width, to + i * a->width, sizeof(double) * (size_t)a->width);
  }
  pl_free(at);
  pl_free(to);
  return status;
}

plStatus pl_gltf_accessor(plGltf* g, int index, int width, double** number, long long* count) {
  const plJson *map = g->accessors.item[index], *sparse = pl_json_get(map, "sparse"),
               *unit = pl_json_get(map, "normalized");
  long long code = 0, n = 0;
  *number = NULL;
  plStatus status = pl_gltf_whole(g, map, "componentType", &code);
  if (!status) status = pl_gltf_whole(g, map, "count", &n);
  Array a = {component_type(code), n, width, unit && unit->number == 1};
  if (!status && (a.type == PL_NUMBER_NONE || n < 1 ||
                  !pl_json_is(pl_json_get(map, "type"), width == 3 ? "VEC3" : "SCALAR")))
    status = pl_json_fail(g->c, map, "an accessor of %s needs its count, type and componentType",
                          width == 3 ? "positions (VEC3)" : "vertex numbers (SCALAR)");
  if (!status && !sparse && !pl_json_get(map, "bufferView"))
    status = pl_json_fail(g->c, map, "an accessor has no bufferView");
  // The bytes that the numbers come from are counted first, so that a large file may hold much.
  plCursor cursor;
  long long stride;
  bool stored = pl_json_get(map, "bufferView") != NULL;
  if (!status && stored) status = open_array(g, map, &a, &cursor, &stride);
  if (!status) status = pl_gltf_charge(g, map, (double)n * width);
  if (status) return status;
  *number = PL_NEW(double, n* width);
  if (!*number) return pl_fail_out_of_memory(g->c->error, 8 * (size_t)(n * width));
  if (stored) status = take_array(g, map, &a, *number);
  if (!status && sparse) status = replace_entries(g, sparse, &a, *number);
  *count = n;
  return status;
}

void pl_gltf_free(plGltf* g) {
  const plGltfList* lists[] = {&g->nodes, &g->meshes, &g->materials, &g->accessors, &g->views, &g->buffers};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) pl_free(lists[i]->item);
  for (int i = 0; g->buffer && i < g->buffers.n; i++)
    if (g->buffer[i].data != g->chunk_bytes.data) pl_free(g->buffer[i].data);
  pl_free(g->buffer);
  pl_free(g->position);
  pl_json_free(&g->json);
}

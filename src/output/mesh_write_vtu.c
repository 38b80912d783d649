// mesh_write_vtu.c: VTU with inline arrays, compressed by zlib in blocks of 32 KiB and written as base64.
// Little-endian, as declared.
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "output/mesh_writers.h"

enum { BLOCK = 32768, VTK_TRIANGLE = 5, VTK_TETRA = 10 };

static void put_base64(FILE* file, const unsigned char* bytes, size_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    unsigned b0 = bytes[i], b1 = i + 1 < n ? bytes[i + 1] : 0, b2 = i + 2 < n ? bytes[i + 2] : 0;
    unsigned quad = b0 << 16 | b1 << 8 | b2;
    fputc(digits[quad >> 18], file);
    fputc(digits[quad >> 12 & 63], file);
    fputc(i + 1 < n ? digits[quad >> 6 & 63] : '=', file);
    fputc(i + 2 < n ? digits[quad & 63] : '=', file);
  }
}

static void store_le(unsigned char* to, unsigned long long value, int bytes) {
  for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> (8 * i));
}

// One array: header [blocks][block size][last size][packed sizes] as base64, then all blocks as base64.
static plStatus put_array(FILE* file, const char* attributes, const unsigned char* data, size_t size,
                          plError* error) {
  size_t nblock = (size + BLOCK - 1) / BLOCK, nhead = 8 * (3 + nblock), used = 0;
  size_t room = nblock * compressBound(BLOCK);
  unsigned char* head = PL_NEW(unsigned char, nhead);
  unsigned char* packed = PL_NEW(unsigned char, room);
  plStatus status = head && packed ? PL_OK : pl_fail_out_of_memory(error, nhead + room);
  if (!status) {
    store_le(head, nblock, 8);
    store_le(head + 8, BLOCK, 8);
    store_le(head + 16, size % BLOCK, 8);
  }
  for (size_t i = 0; !status && i < nblock; i++) {
    uLongf length = (uLongf)(room - used);
    size_t block = size - i * BLOCK < BLOCK ? size - i * BLOCK : BLOCK;
    if (compress(packed + used, &length, data + i * BLOCK, (uLong)block) != Z_OK)
      status = pl_fail_out_of_memory(error, BLOCK);
    store_le(head + 24 + 8 * i, length, 8);
    used += length;
  }
  if (!status) {
    fprintf(file, "        <DataArray %s format=\"binary\">\n", attributes);
    put_base64(file, head, nblock ? nhead : 8);
    put_base64(file, packed, used);
    fputs("\n        </DataArray>\n", file);
  }
  pl_free(head);
  pl_free(packed);
  return status;
}

// ---- the arrays

static plStatus put_points(FILE* file, const plMesh* mesh, unsigned char* bytes, plError* error) {
  for (size_t i = 0; i < 3 * (size_t)mesh->nvert; i++) {
    uint64_t bits;
    memcpy(&bits, &mesh->vert[i], 8);
    store_le(bytes + 8 * i, bits, 8);
  }
  return put_array(file, "type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"", bytes,
                   24 * (size_t)mesh->nvert, error);
}

static plStatus put_connectivity(FILE* file, const plMesh* mesh, unsigned char* bytes, plError* error) {
  size_t ntet = 4 * (size_t)mesh->ntet, ntri = 3 * (size_t)mesh->ntri;
  for (size_t i = 0; i < ntet; i++) store_le(bytes + 8 * i, (unsigned long long)mesh->tet[i], 8);
  for (size_t i = 0; i < ntri; i++) store_le(bytes + 8 * (ntet + i), (unsigned long long)mesh->tri[i], 8);
  return put_array(file, "type=\"Int64\" Name=\"connectivity\"", bytes, 8 * (ntet + ntri), error);
}

static plStatus put_offsets(FILE* file, const plMesh* mesh, unsigned char* bytes, plError* error) {
  size_t ntet = (size_t)mesh->ntet, ntri = (size_t)mesh->ntri;
  for (size_t t = 0; t < ntet; t++) store_le(bytes + 8 * t, 4 * (t + 1), 8);
  for (size_t t = 0; t < ntri; t++) store_le(bytes + 8 * (ntet + t), 4 * ntet + 3 * (t + 1), 8);
  return put_array(file, "type=\"Int64\" Name=\"offsets\"", bytes, 8 * (ntet + ntri), error);
}

static plStatus put_types(FILE* file, const plMesh* mesh, unsigned char* bytes, plError* error) {
  size_t ntet = (size_t)mesh->ntet, ntri = (size_t)mesh->ntri;
  memset(bytes, VTK_TETRA, ntet);
  memset(bytes + ntet, VTK_TRIANGLE, ntri);
  return put_array(file, "type=\"UInt8\" Name=\"types\"", bytes, ntet + ntri, error);
}

plStatus pl_write_vtu(FILE* file, const plMesh* mesh, plError* error) {
  size_t points = 24 * (size_t)mesh->nvert, ids = 32 * (size_t)mesh->ntet + 24 * (size_t)mesh->ntri;
  unsigned char* bytes = PL_NEW(unsigned char, points > ids ? points : ids);
  if (!bytes) return pl_fail_out_of_memory(error, points > ids ? points : ids);
  fputs(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\" "
      "compressor=\"vtkZLibDataCompressor\">\n  <UnstructuredGrid>\n",
      file);
  fprintf(file, "    <Piece NumberOfPoints=\"%d\" NumberOfCells=\"%lld\">\n      <Points>\n", mesh->nvert,
          (long long)mesh->ntet + mesh->ntri);
  plStatus status = put_points(file, mesh, bytes, error);
  fputs("      </Points>\n      <Cells>\n", file);
  if (!status) status = put_connectivity(file, mesh, bytes, error);
  if (!status) status = put_offsets(file, mesh, bytes, error);
  if (!status) status = put_types(file, mesh, bytes, error);
  fputs("      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n", file);
  pl_free(bytes);
  return status;
}

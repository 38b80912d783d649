// mesh_vtu.c: VTU (VTK's XML files of unstructured grids): parses the XML with expat, then reads points and
// cells of every piece.
//
// Appended raw bytes are not XML: parsing stops at AppendedData, and the bytes after its underscore are read
// directly.
#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "input/mesh_cell.h"
#include "input/mesh_formats.h"
#include "input/mesh_vtu_data.h"

enum { VTK_POLYGON = 7 };

typedef enum Where { OUTSIDE, IN_POINTS, IN_CELLS } Where;

typedef struct Piece {
  long long npoint, ncell;
  plVtuArray points, connectivity, offsets, types;
} Piece;

typedef struct Vtu {
  plVtuFile file;
  XML_Parser parser;
  plStatus status;
  Piece* piece;
  int piece_n, piece_cap;
  Where where;
  plVtuArray* open;  // the array whose tags we are between
  bool is_vtu, stopped;
} Vtu;

// ---- attributes and positions

static const char* attribute(const char** list, const char* name) {
  for (; list[0]; list += 2)
    if (!strcmp(list[0], name)) return list[1];
  return NULL;
}

// The present position of the parser, plus ahead bytes; always within the file.
static const unsigned char* place(const Vtu* vtu, long long ahead) {
  const plCursor* c = vtu->file.c;
  long long index = (long long)XML_GetCurrentByteIndex(vtu->parser) + ahead, size = c->end - c->begin;
  return c->begin + (index < 0 ? 0 : index > size ? size : index);
}

static plStatus fail_here(Vtu* vtu, const char* sentence, const char* found) {
  vtu->file.c->token = place(vtu, 0);
  return pl_cursor_fail(vtu->file.c, "%s%s%.60s%s", sentence, found ? ", found '" : "", found ? found : "",
                        found ? "'" : "");
}

// A count in an attribute, -1 if it is none.
static long long count_attribute(const char** list, const char* name) {
  const char* text = attribute(list, name);
  if (!text || !*text) return -1;
  char* end;
  long long n = strtoll(text, &end, 10);
  return *end || n < 0 ? -1 : n;
}

static plNumber number_type(const char* text) {
  static const struct {
    const char* name;
    plNumber type;
  } types[] = {{"Int8", PL_INT8},       {"UInt8", PL_UINT8},    {"Int16", PL_INT16}, {"UInt16", PL_UINT16},
               {"Int32", PL_INT32},     {"UInt32", PL_UINT32},  {"Int64", PL_INT64}, {"UInt64", PL_UINT64},
               {"Float32", PL_FLOAT32}, {"Float64", PL_FLOAT64}};
  for (size_t i = 0; text && i < sizeof types / sizeof *types; i++)
    if (!strcmp(text, types[i].name)) return types[i].type;
  return PL_NUMBER_NONE;
}

// ---- elements of the XML

static plStatus on_file(Vtu* vtu, const char** list) {
  const char *type = attribute(list, "type"), *order = attribute(list, "byte_order"),
             *header = attribute(list, "header_type");
  const char* compressor = attribute(list, "compressor");
  vtu->is_vtu = true;
  if (!type || strcmp(type, "UnstructuredGrid") != 0)
    return fail_here(vtu, "expected a VTKFile of type UnstructuredGrid", type);
  vtu->file.little_endian = !order || strcmp(order, "BigEndian") != 0;
  vtu->file.header_type = header ? number_type(header) : PL_UINT32;
  if (vtu->file.header_type != PL_UINT32 && vtu->file.header_type != PL_UINT64)
    return fail_here(vtu, "expected header_type UInt32 or UInt64", header);
  vtu->file.compressed = compressor && *compressor;
  if (vtu->file.compressed && strcmp(compressor, "vtkZLibDataCompressor") != 0)
    return fail_here(vtu,
                     "only vtkZLibDataCompressor is known: save the file with zlib or without compression",
                     compressor);
  return PL_OK;
}

static plStatus on_piece(Vtu* vtu, const char** list) {
  Piece piece = {.npoint = count_attribute(list, "NumberOfPoints"),
                 .ncell = count_attribute(list, "NumberOfCells")};
  if (piece.npoint < 0 || piece.ncell < 0)
    return fail_here(vtu, "expected NumberOfPoints and NumberOfCells in Piece", NULL);
  vtu->open = NULL;
  if (!PL_PUSH(vtu->piece, vtu->piece_n, vtu->piece_cap, piece))
    return pl_fail_out_of_memory(vtu->file.c->error, sizeof piece);
  return PL_OK;
}

// The array of the piece to which a DataArray corresponds, NULL if it is not used.
static plVtuArray* find_array(Vtu* vtu, const char* name) {
  if (vtu->where == OUTSIDE || !vtu->piece_n) return NULL;
  Piece* piece = &vtu->piece[vtu->piece_n - 1];
  if (vtu->where == IN_POINTS) return &piece->points;
  if (name && !strcmp(name, "connectivity")) return &piece->connectivity;
  if (name && !strcmp(name, "offsets")) return &piece->offsets;
  if (name && !strcmp(name, "types")) return &piece->types;
  return NULL;
}

static plStatus on_array(Vtu* vtu, const char** list) {
  const char *format = attribute(list, "format"), *type = attribute(list, "type"),
             *name = attribute(list, "Name");
  plVtuArray* array = find_array(vtu, name);
  if (!array) return PL_OK;
  static const char* const names[] = {"points", "connectivity", "offsets", "types"};
  Piece* piece = &vtu->piece[vtu->piece_n - 1];
  int which = array == &piece->points         ? 0
              : array == &piece->connectivity ? 1
              : array == &piece->offsets      ? 2
                                              : 3;
  if (array->found) return fail_here(vtu, "an array appears in the piece twice", names[which]);
  *array = (plVtuArray){.found = true, .type = number_type(type), .offset = count_attribute(list, "offset")};
  memcpy(array->name, names[which], strlen(names[which]) + 1);
  if (!array->type) return fail_here(vtu, "expected a type such as Float64 or Int32", type);
  if (which == 0 && count_attribute(list, "NumberOfComponents") != 3)
    return fail_here(vtu, "expected points of 3 components", NULL);
  if (which != 0 && pl_number_is_real(array->type))
    return fail_here(vtu, "expected whole numbers in an array of cells", type);
  if (!format || !strcmp(format, "ascii"))
    array->format = PL_VTU_ASCII;
  else if (!strcmp(format, "binary"))
    array->format = PL_VTU_BINARY;
  else if (!strcmp(format, "appended"))
    array->format = PL_VTU_APPENDED;
  else
    return fail_here(vtu, "expected the format ascii, binary or appended", format);
  if (array->format == PL_VTU_APPENDED && array->offset < 0)
    return fail_here(vtu, "expected the offset of an appended array", NULL);
  // The text begins behind the tag.
  array->begin = place(vtu, XML_GetCurrentByteCount(vtu->parser));
  vtu->open = array;
  return PL_OK;
}

static plStatus on_appended(Vtu* vtu, const char** list) {
  const char* encoding = attribute(list, "encoding");
  const unsigned char* begin = place(vtu, XML_GetCurrentByteCount(vtu->parser));
  const unsigned char* mark =
      begin < vtu->file.c->end ? memchr(begin, '_', (size_t)(vtu->file.c->end - begin)) : NULL;
  vtu->file.appended_base64 = encoding && !strcmp(encoding, "base64");
  if (!mark) return fail_here(vtu, "expected an underscore at the start of AppendedData", NULL);
  vtu->file.appended = mark + 1;
  vtu->stopped = true;
  return PL_OK;
}

// The text of the open array ends here, if it has not ended before.
static void end_text(Vtu* vtu) {
  if (!vtu->open || vtu->open->end) return;
  const unsigned char* end = place(vtu, 0);
  vtu->open->end = end > vtu->open->begin ? end : vtu->open->begin;
}

static void XMLCALL on_start(void* data, const char* name, const char** list) {
  Vtu* vtu = data;
  if (vtu->stopped) return;
  // Notes inside an array come behind its numbers.
  end_text(vtu);
  if (!vtu->is_vtu && strcmp(name, "VTKFile") != 0)
    vtu->status = fail_here(vtu, "expected the element VTKFile: this is not a VTU file", name);
  else if (!strcmp(name, "VTKFile"))
    vtu->status = on_file(vtu, list);
  else if (!strcmp(name, "Piece"))
    vtu->status = on_piece(vtu, list);
  else if (!strcmp(name, "Points"))
    vtu->where = IN_POINTS;
  else if (!strcmp(name, "Cells"))
    vtu->where = IN_CELLS;
  else if (!strcmp(name, "DataArray"))
    vtu->status = on_array(vtu, list);
  else if (!strcmp(name, "AppendedData"))
    vtu->status = on_appended(vtu, list);
  vtu->stopped = vtu->stopped || vtu->status;
  if (vtu->stopped) XML_StopParser(vtu->parser, XML_FALSE);
}

static void XMLCALL on_end(void* data, const char* name) {
  Vtu* vtu = data;
  if (vtu->stopped) return;
  if (!strcmp(name, "Points") || !strcmp(name, "Cells")) vtu->where = OUTSIDE;
  if (strcmp(name, "DataArray") != 0) return;
  end_text(vtu);
  vtu->open = NULL;
}

static plStatus walk(Vtu* vtu) {
  plCursor* c = vtu->file.c;
  vtu->parser = XML_ParserCreate(NULL);
  if (!vtu->parser) return pl_fail_out_of_memory(c->error, 0);
  XML_SetUserData(vtu->parser, vtu);
  XML_SetElementHandler(vtu->parser, on_start, on_end);
  // expat takes an int at a time.
  enum XML_Status parsed = XML_STATUS_OK;
  for (const unsigned char* p = c->begin; parsed == XML_STATUS_OK && !vtu->stopped;) {
    size_t left = (size_t)(c->end - p), part = left < (1u << 20) ? left : 1u << 20;
    parsed = XML_Parse(vtu->parser, (const char*)p, (int)part, part == left);
    p += part;
    if (part == left) break;
  }
  if (parsed != XML_STATUS_OK && !vtu->stopped) {
    c->token = c->begin + XML_GetErrorByteIndex(vtu->parser);
    if (c->token < c->begin || c->token > c->end) c->token = c->end;
    vtu->status = pl_cursor_fail(c, "the XML is broken: %s", XML_ErrorString(XML_GetErrorCode(vtu->parser)));
  }
  XML_ParserFree(vtu->parser);
  vtu->parser = NULL;
  return vtu->status;
}

// ---- pieces

static plStatus read_points(const Vtu* vtu, const Piece* piece, plMeshBuilder* b) {
  plCursor c;
  unsigned char* memory;
  plStatus status = pl_vtu_open(&vtu->file, &piece->points, &c, &memory);
  for (long long i = 0; !status && i < piece->npoint; i++)
    status = pl_builder_read_vertex(b, &c, piece->points.type);
  if (!status) status = pl_cursor_end(&c, "points");
  pl_free(memory);
  return status;
}

// The three arrays of the cells, read side by side.
typedef struct CellCursors {
  plCursor connectivity, offsets, types;
} CellCursors;

static plStatus read_cell(const Piece* piece, CellCursors* cc, long long* begin, long long first,
                          plMeshBuilder* b) {
  long long type, end, id[4];
  plStatus status = pl_cursor_int(&cc->types, piece->types.type, "the type of a cell", &type);
  if (!status) status = pl_cursor_int(&cc->offsets, piece->offsets.type, "the end of a cell", &end);
  if (status) return status;
  if (end < *begin)
    return pl_cursor_fail(&cc->offsets, "a cell ends at %lld, before its begin at %lld", end, *begin);
  long long n = end - *begin;
  *begin = end;
  const plCellKind* kind = pl_vtk_cell(type);
  int wanted;
  if (!pl_cell_fits(kind, n, &wanted))
    return pl_cursor_fail(&cc->offsets, "%s have %d points, found %lld", kind->name, wanted, n);
  int nvert = pl_builder_nvert(b), read = kind->corners < 3 ? 0 : kind->corners;
  if (type == VTK_POLYGON)
    return pl_builder_read_polygon(b, &cc->connectivity, piece->connectivity.type, n, first, piece->npoint);
  for (int i = 0; !status && i < read; i++) {
    status = pl_cursor_int(&cc->connectivity, piece->connectivity.type, "a point of a cell", &id[i]);
    if (!status && (id[i] < 0 || id[i] >= piece->npoint))
      status = pl_cursor_fail(&cc->connectivity,
                              "a cell refers to point %lld, but the piece has the points 0 .. %lld", id[i],
                              piece->npoint - 1);
    if (!status) id[i] += first;
  }
  if (!status)
    status = pl_cursor_skip(&cc->connectivity, piece->connectivity.type, "a point of a cell", n - read);
  return status ? status : pl_builder_cell(b, &cc->connectivity, kind, id, nvert);
}

static plStatus read_cells(const Vtu* vtu, const Piece* piece, long long first, plMeshBuilder* b) {
  CellCursors cc;
  unsigned char *connectivity = NULL, *offsets = NULL, *types = NULL;
  plStatus status = pl_vtu_open(&vtu->file, &piece->connectivity, &cc.connectivity, &connectivity);
  if (!status) status = pl_vtu_open(&vtu->file, &piece->offsets, &cc.offsets, &offsets);
  if (!status) status = pl_vtu_open(&vtu->file, &piece->types, &cc.types, &types);
  for (long long i = 0, begin = 0; !status && i < piece->ncell; i++)
    status = read_cell(piece, &cc, &begin, first, b);
  if (!status) status = pl_cursor_end(&cc.types, "cells");
  if (!status) status = pl_cursor_end(&cc.offsets, "cells");
  if (!status) status = pl_cursor_end(&cc.connectivity, "points of cells");
  pl_free(connectivity);
  pl_free(offsets);
  pl_free(types);
  return status;
}

static plStatus read_piece(const Vtu* vtu, const Piece* piece, plMeshBuilder* b) {
  long long first = pl_builder_nvert(b);
  if (piece->npoint && !piece->points.found)
    return pl_cursor_fail(vtu->file.c, "expected Points with a DataArray in the piece");
  if (piece->ncell && !(piece->connectivity.found && piece->offsets.found && piece->types.found))
    return pl_cursor_fail(vtu->file.c,
                          "expected Cells with the arrays connectivity, offsets and types in the piece");
  plStatus status = piece->npoint ? read_points(vtu, piece, b) : PL_OK;
  if (!status && piece->ncell) status = read_cells(vtu, piece, first, b);
  return status;
}

plStatus pl_read_vtu(plCursor* c, plMeshBuilder* b) {
  Vtu vtu = {.file = {.c = c, .little_endian = true, .header_type = PL_UINT32}};
  plStatus status = walk(&vtu);
  c->token = c->end;
  for (int i = 0; !status && i < vtu.piece_n; i++) status = read_piece(&vtu, &vtu.piece[i], b);
  pl_free(vtu.piece);
  return status;
}

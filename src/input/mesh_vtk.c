// mesh_vtk.c: VTK legacy files, ASCII and binary (big-endian): UNSTRUCTURED_GRID and POLYDATA, in the layout
// of versions 1 to 4 (each cell with its count) and 5.1 (OFFSETS and CONNECTIVITY). Point and cell data are
// not read.
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "geom/mesh.h"
#include "input/mesh_cell.h"
#include "input/mesh_formats.h"

enum { VTK_POLY_VERTEX = 2, VTK_POLY_LINE = 4, VTK_STRIP = 6, VTK_POLYGON = 7 };

// The cells of the file: those of a grid wait for their types.
typedef struct Cells {
  int *id, *end;  // vertex ids of all cells one after the other; where each cell ends
  int id_n, id_cap, end_n, end_cap;
} Cells;

typedef struct Vtk {
  plCursor* c;
  plMeshBuilder* b;
  Cells cells;
  bool binary, polydata, have_points, have_cells, have_types;
} Vtk;

static plNumber number_type(const char* word, size_t length) {
  static const struct {
    const char* name;
    plNumber type;
  } types[] = {{"char", PL_INT8},
               {"signed_char", PL_INT8},
               {"unsigned_char", PL_UINT8},
               {"short", PL_INT16},
               {"unsigned_short", PL_UINT16},
               {"int", PL_INT32},
               {"unsigned_int", PL_UINT32},
               {"long", PL_INT64},
               {"unsigned_long", PL_UINT64},
               {"vtkidtype", PL_INT32},
               {"vtktypeint32", PL_INT32},
               {"vtktypeuint32", PL_UINT32},
               {"vtktypeint64", PL_INT64},
               {"vtktypeuint64", PL_UINT64},
               {"vtktypeint8", PL_INT8},
               {"vtktypeuint8", PL_UINT8},
               {"vtktypeint16", PL_INT16},
               {"vtktypeuint16", PL_UINT16},
               {"float", PL_FLOAT32},
               {"double", PL_FLOAT64}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (pl_word_is(word, length, types[i].name)) return types[i].type;
  return PL_NUMBER_NONE;
}

// A data type at the end of a header line, and the line's end: what follows are numbers.
static plStatus read_type(Vtk* vtk, plNumber* type) {
  const char* word;
  size_t length;
  bool any = pl_cursor_word(vtk->c, &word, &length);
  *type = any ? number_type(word, length) : PL_NUMBER_NONE;
  if (*type == PL_NUMBER_NONE)
    return pl_cursor_fail(vtk->c, "expected a data type such as float, double, int or vtktypeint64%s",
                          any ? "" : ", but the file ends");
  return PL_OK;
}

static void begin_numbers(Vtk* vtk) {
  pl_cursor_skip_line(vtk->c);
  vtk->c->binary = vtk->binary;
}

static void end_numbers(Vtk* vtk) { vtk->c->binary = false; }

// ---- sections

static plStatus read_points(Vtk* vtk) {
  long long n;
  plNumber type;
  plStatus status = pl_cursor_text_count(vtk->c, "the number of points", &n);
  if (!status) status = read_type(vtk, &type);
  if (!status && vtk->have_points) status = pl_cursor_fail(vtk->c, "POINTS appears in the file twice");
  if (status) return status;
  begin_numbers(vtk);
  for (long long i = 0; i < n; i++)
    if ((status = pl_builder_read_vertex(vtk->b, vtk->c, type))) return status;
  end_numbers(vtk);
  vtk->have_points = true;
  return PL_OK;
}

static plStatus push_id(Vtk* vtk, Cells* cells, plNumber type) {
  long long id;
  plStatus status = pl_cursor_int(vtk->c, type, "a vertex number of a cell", &id);
  if (status) return status;
  int nvert = pl_builder_nvert(vtk->b);
  if (id < 0 || id >= nvert)
    return pl_cursor_fail(vtk->c, "cell %d refers to point %lld, but the file has the points 0 .. %d",
                          cells->end_n, id, nvert - 1);
  return PL_PUSH(cells->id, cells->id_n, cells->id_cap, (int)id)
             ? PL_OK
             : pl_fail_out_of_memory(vtk->c->error, 8 * (size_t)cells->id_n);
}

static plStatus push_end(Vtk* vtk, Cells* cells, int end) {
  return PL_PUSH(cells->end, cells->end_n, cells->end_cap, end)
             ? PL_OK
             : pl_fail_out_of_memory(vtk->c->error, 8 * (size_t)cells->end_n);
}

// Versions 1 to 4: count, id, id ... for each cell.
static plStatus read_counted_cells(Vtk* vtk, long long n, long long size, Cells* cells) {
  plStatus status = PL_OK;
  begin_numbers(vtk);
  for (long long i = 0, count, used = 0; !status && i < n; i++) {
    status = pl_cursor_count(vtk->c, PL_INT32, "the number of points of a cell", &count);
    if (!status && (used += count + 1) > size)
      status =
          pl_cursor_fail(vtk->c, "cell %lld ends beyond the %lld numbers announced for all cells", i, size);
    for (long long k = 0; !status && k < count; k++) status = push_id(vtk, cells, PL_INT32);
    if (!status) status = push_end(vtk, cells, cells->id_n);
  }
  end_numbers(vtk);
  return status;
}

static plStatus expect_word(Vtk* vtk, const char* text) {
  const char* word;
  size_t length;
  if (pl_cursor_word(vtk->c, &word, &length) && pl_word_is(word, length, text)) return PL_OK;
  return pl_cursor_fail(vtk->c, "expected the word %s", text);
}

// Version 5.1: OFFSETS type (n + 1 numbers, the first is 0), CONNECTIVITY type (size numbers).
static plStatus read_offset_cells(Vtk* vtk, long long n, long long size, Cells* cells) {
  plNumber type;
  plStatus status = expect_word(vtk, "OFFSETS");
  if (!status) status = read_type(vtk, &type);
  if (status) return status;
  begin_numbers(vtk);
  for (long long i = 0, before = 0; !status && i < n; i++) {
    long long offset;
    status = pl_cursor_int(vtk->c, type, "an offset", &offset);
    if (!status &&
        (offset < before || offset > size || offset > PL_MESH_ELEMENT_MAX || (i == 0 && offset != 0)))
      status = pl_cursor_fail(
          vtk->c, "offset %lld is %lld; expected offsets that start at 0, never fall and end at %lld", i,
          offset, size);
    if (!status && i > 0) status = push_end(vtk, cells, (int)offset);
    if (!status) before = offset;
  }
  end_numbers(vtk);
  if (!status) status = expect_word(vtk, "CONNECTIVITY");
  if (!status) status = read_type(vtk, &type);
  if (status) return status;
  begin_numbers(vtk);
  for (long long i = 0; !status && i < size; i++) status = push_id(vtk, cells, type);
  end_numbers(vtk);
  int last = cells->end_n ? cells->end[cells->end_n - 1] : 0;
  if (!status && last != cells->id_n)
    status =
        pl_cursor_fail(vtk->c, "the last offset is %d, but there are %d vertex numbers", last, cells->id_n);
  return status;
}

static plStatus read_cells(Vtk* vtk, Cells* cells) {
  long long n, size;
  plStatus status = pl_cursor_text_count(vtk->c, "the number of cells", &n);
  if (!status) status = pl_cursor_text_int(vtk->c, "the size of the list of cells", &size);
  if (!status && !vtk->have_points) status = pl_cursor_fail(vtk->c, "expected POINTS before the cells");
  if (status) return status;
  // The first word shows the layout: a number or OFFSETS.
  plCursor ahead = *vtk->c;
  const char* word;
  size_t length;
  bool offsets = pl_cursor_word(&ahead, &word, &length) && pl_word_is(word, length, "OFFSETS");
  return offsets ? read_offset_cells(vtk, n, size, cells) : read_counted_cells(vtk, n, size, cells);
}

static void free_cells(Cells* cells) {
  pl_free(cells->id);
  pl_free(cells->end);
  memset(cells, 0, sizeof *cells);
}

// The ids of a cell that begins there; cells without points have none.
static const int* ids_at(const Cells* cells, int begin) { return cells->id ? cells->id + begin : NULL; }

// Adds one cell of known ids to the builder. Polygons and strips become triangles.
static plStatus add_cell(Vtk* vtk, long long type, const int* id, int n) {
  int nvert = pl_builder_nvert(vtk->b);
  const plCellKind* kind = pl_vtk_cell(type);
  bool polygon = type == VTK_POLYGON, strip = type == VTK_STRIP;
  int wanted;
  if (!pl_cell_fits(kind, n, &wanted))
    return pl_cursor_fail(vtk->c, "%s have %d points, got %d", kind->name, wanted, n);
  long long wide[4];
  for (int i = 0; i < 4 && i < n; i++) wide[i] = id[i];
  if (!polygon && !strip) return pl_builder_cell(vtk->b, vtk->c, kind, wide, nvert);
  plStatus status = PL_OK;
  vtk->b->skipped += n < 3;
  // every other triangle of a strip is turned round
  for (int k = 2; !status && k < n; k++)
    status = pl_builder_tri(vtk->b, vtk->c,
                            (long long[3]){id[polygon ? 0
                                              : k % 2 ? k - 1
                                                      : k - 2],
                                           id[strip && k % 2 ? k - 2 : k - 1], id[k]},
                            nvert);
  return status;
}

static plStatus read_grid_cells(Vtk* vtk) {
  if (vtk->have_cells) return pl_cursor_fail(vtk->c, "CELLS appears in the file twice");
  vtk->have_cells = true;
  return read_cells(vtk, &vtk->cells);
}

static plStatus read_cell_types(Vtk* vtk) {
  long long n;
  const Cells* cells = &vtk->cells;
  plStatus status = pl_cursor_text_count(vtk->c, "the number of cell types", &n);
  if (status) return status;
  if (n != cells->end_n || vtk->have_types)
    return pl_cursor_fail(vtk->c, "expected one CELL_TYPES after CELLS with %d types, found %lld",
                          cells->end_n, n);
  begin_numbers(vtk);
  for (int i = 0; !status && i < n; i++) {
    long long type;
    int begin = i ? cells->end[i - 1] : 0;
    assert(begin <= cells->end[i] && cells->end[i] <= cells->id_n);
    status = pl_cursor_int(vtk->c, PL_INT32, "a cell type", &type);
    if (!status) status = add_cell(vtk, type, ids_at(cells, begin), cells->end[i] - begin);
  }
  end_numbers(vtk);
  vtk->have_types = true;
  return status;
}

// The cells of polydata: all of one type.
static plStatus read_polydata(Vtk* vtk, int type) {
  Cells cells = {0};
  plStatus status = read_cells(vtk, &cells);
  assert(status || !cells.end_n || cells.end[cells.end_n - 1] <= cells.id_n);
  for (int i = 0, begin = 0; !status && i < cells.end_n; begin = cells.end[i++])
    status = add_cell(vtk, type, ids_at(&cells, begin), cells.end[i] - begin);
  free_cells(&cells);
  return status;
}

// METADATA reach to the next empty line.
static void skip_metadata(Vtk* vtk) {
  const char* word;
  size_t length;
  do pl_cursor_skip_line(vtk->c);
  while (pl_cursor_word_in_line(vtk->c, &word, &length));
}

// FIELD name n, then n arrays: name components tuples type, numbers.
static plStatus skip_field(Vtk* vtk) {
  const char* word;
  size_t length;
  long long narray, components, tuples;
  pl_cursor_word(vtk->c, &word, &length);
  plStatus status = pl_cursor_text_count(vtk->c, "the number of arrays of the field", &narray);
  for (long long i = 0; !status && i < narray; i++) {
    plNumber type;
    if (!pl_cursor_word(vtk->c, &word, &length))
      return pl_cursor_fail(vtk->c, "the file ends where the name of an array was expected");
    // Metadata stand between the arrays.
    if (pl_word_is(word, length, "METADATA")) {
      skip_metadata(vtk);
      i--;
      continue;
    }
    status = pl_cursor_text_count(vtk->c, "the number of components", &components);
    if (!status) status = pl_cursor_text_count(vtk->c, "the number of tuples", &tuples);
    if (!status) status = read_type(vtk, &type);
    if (status) break;
    begin_numbers(vtk);
    status = pl_cursor_skip(vtk->c, type, "a number of a field", components * tuples);
    end_numbers(vtk);
  }
  return status;
}

// ---- the file

static plStatus read_header(Vtk* vtk) {
  const char* word;
  size_t length;
  plCursor* c = vtk->c;
  if ((size_t)(c->end - c->p) < 22 || memcmp(c->p, "# vtk DataFile Version", 22) != 0)
    return pl_cursor_fail(
        c, "expected '# vtk DataFile Version' on the first line: this is not a VTK legacy file");
  // Line 1 is the version, line 2 a title.
  pl_cursor_skip_line(c);
  pl_cursor_skip_line(c);
  bool any = pl_cursor_word(c, &word, &length);
  vtk->binary = any && pl_word_is(word, length, "BINARY");
  c->swap = pl_machine_is_little_endian();
  if (!vtk->binary && !(any && pl_word_is(word, length, "ASCII")))
    return pl_cursor_fail(c, "expected ASCII or BINARY on the third line");
  plStatus status = expect_word(vtk, "DATASET");
  if (status) return status;
  any = pl_cursor_word(c, &word, &length);
  vtk->polydata = any && pl_word_is(word, length, "POLYDATA");
  if (!vtk->polydata && !(any && pl_word_is(word, length, "UNSTRUCTURED_GRID")))
    return pl_cursor_fail(
        c, "expected DATASET UNSTRUCTURED_GRID or POLYDATA: other datasets hold no tetrahedra or triangles");
  return PL_OK;
}

static plStatus read_sections(Vtk* vtk) {
  const char* word;
  size_t length;
  plStatus status = PL_OK;
  while (!status && pl_cursor_word(vtk->c, &word, &length)) {
    // The data of points and cells come last.
    if (pl_word_is(word, length, "POINT_DATA") || pl_word_is(word, length, "CELL_DATA")) break;
    if (pl_word_is(word, length, "POINTS")) {
      status = read_points(vtk);
    } else if (pl_word_is(word, length, "FIELD")) {
      status = skip_field(vtk);
    } else if (pl_word_is(word, length, "METADATA")) {
      skip_metadata(vtk);
    } else if (!vtk->polydata && pl_word_is(word, length, "CELLS")) {
      status = read_grid_cells(vtk);
    } else if (!vtk->polydata && pl_word_is(word, length, "CELL_TYPES")) {
      status = read_cell_types(vtk);
    } else if (vtk->polydata && pl_word_is(word, length, "POLYGONS")) {
      status = read_polydata(vtk, VTK_POLYGON);
    } else if (vtk->polydata && pl_word_is(word, length, "LINES")) {
      status = read_polydata(vtk, VTK_POLY_LINE);
    } else if (vtk->polydata && pl_word_is(word, length, "VERTICES")) {
      status = read_polydata(vtk, VTK_POLY_VERTEX);
    } else if (vtk->polydata && pl_word_is(word, length, "TRIANGLE_STRIPS")) {
      status = read_polydata(vtk, VTK_STRIP);
    } else {
      status = pl_cursor_fail(
          vtk->c, "expected %s",
          vtk->polydata ? "POINTS, POLYGONS or POINT_DATA" : "POINTS, CELLS, CELL_TYPES or POINT_DATA");
    }
  }
  if (!status && vtk->have_cells && !vtk->have_types)
    status = pl_cursor_fail(vtk->c, "the file ends where CELL_TYPES was expected");
  return status;
}

plStatus pl_read_vtk(plCursor* c, plMeshBuilder* b) {
  Vtk vtk = {.c = c, .b = b};
  plStatus status = read_header(&vtk);
  if (!status) status = read_sections(&vtk);
  free_cells(&vtk.cells);
  return status;
}

// csv.c: tables as text: "name [unit]" in quotes on the first line, every number with enough digits to be
// read back exactly. Signals: one line per call; contacts: one per point. The lines of a call are written at
// once, so the file always ends with a complete line.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "output/chunk.h"
#include "pliant/output.h"

struct plCsv {
  int file;
  plBytes text;  // lines not yet written
  bool failed;   // a line could not be written
  char* path;
  plSignals* signals;  // NULL: a table of contacts
  double* row;
};

static void destroy(plCsv* csv) {
  if (csv->file >= 0) close(csv->file);
  pl_signals_destroy(csv->signals);
  pl_bytes_free(&csv->text);
  pl_free(csv->path), pl_free(csv->row);
  pl_free(csv);
}

static void put_text(plBytes* to, const char* text) { pl_bytes_add(to, text, strlen(text)); }

// A name in quotes; unit: NULL: none.
static void put_name(plBytes* to, const char* name, const char* unit) {
  put_text(to, "\"");
  for (const char* c = name; *c; c++) {
    if (*c == '"') put_text(to, "\"");
    pl_bytes_add(to, c, 1);
  }
  if (unit) put_text(to, " ["), put_text(to, unit), put_text(to, "]");
  put_text(to, "\"");
}

// Writes the pending lines to the file.
static plStatus flush(plCsv* c, plError* error) {
  if (c->text.failed) return pl_fail_out_of_memory(error, c->text.cap);
  plStatus status = pl_file_write(c->file, c->path, c->text.data, c->text.size, error);
  c->failed |= status != PL_OK;
  pl_bytes_clear(&c->text);
  return status;
}

// Opens the file; its first line is not written yet.
static plStatus open_file(plCsv* c, const char* path, int nrow, plError* error) {
  c->path = pl_strdup(path);
  c->row = PL_NEW(double, nrow);
  if (!c->path || !c->row) return pl_fail_out_of_memory(error, (size_t)nrow * sizeof(double));
  return pl_file_open_output(path, &pl_file_table, &c->file, error);
}

static plCsv* create(plError* error) {
  plCsv* c = PL_NEW(plCsv, 1);
  if (c)
    c->file = -1;
  else
    pl_fail_out_of_memory(error, sizeof *c);
  return c;
}

plStatus pl_csv_open(const char* path, const plModel* model, const char* signals, plCsv** csv,
                     plError* error) {
  assert(path != NULL && model != NULL && csv != NULL && signals != NULL);
  *csv = NULL;
  plCsv* c = create(error);
  if (!c) return PL_ERROR_MEMORY;
  plStatus status = pl_signals_create(model, signals, &c->signals, error);
  if (status) return destroy(c), status;
  int n = pl_signals_count(c->signals);
  if ((status = open_file(c, path, n, error))) return destroy(c), status;
  for (int i = 0; i < n; i++) {
    if (i) put_text(&c->text, ",");
    put_name(&c->text, pl_signals_name(c->signals, i), pl_signals_unit(c->signals, i));
  }
  put_text(&c->text, "\n");
  if ((status = flush(c, error))) return destroy(c), status;
  *csv = c;
  return PL_OK;
}

// ---- contacts

static const char* const contact_head[][2] = {
    {"time", "s"},     {"a", NULL},       {"b", NULL},       {"x", "m"},        {"y", "m"},
    {"z", "m"},        {"nx", NULL},      {"ny", NULL},      {"nz", NULL},      {"gap", "m"},
    {"area", "m^2"},   {"fx", "N"},       {"fy", "N"},       {"fz", "N"},       {"pressure", "Pa"},
    {"shear_x", "Pa"}, {"shear_y", "Pa"}, {"shear_z", "Pa"}, {"slip_x", "m/s"}, {"slip_y", "m/s"},
    {"slip_z", "m/s"}, {"stick", NULL},   {"facet_a", NULL}, {"facet_b", NULL}, {"tet_a", NULL},
    {"tet_b", NULL}};

plStatus pl_csv_open_contacts(const char* path, plCsv** csv, plError* error) {
  assert(path != NULL && csv != NULL);
  *csv = NULL;
  plCsv* c = create(error);
  if (!c) return PL_ERROR_MEMORY;
  plStatus status = open_file(c, path, 1, error);
  for (size_t i = 0; i < sizeof contact_head / sizeof *contact_head; i++) {
    if (i) put_text(&c->text, ",");
    put_name(&c->text, contact_head[i][0], contact_head[i][1]);
  }
  put_text(&c->text, "\n");
  if (!status) status = flush(c, error);
  if (status) return destroy(c), status;
  *csv = c;
  return PL_OK;
}

// The fewest digits that are read back as the same number.
static void put_number(plBytes* to, double x) {
  char text[32];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, x);
    if (strtod(text, NULL) == x) break;
  }
  put_text(to, text);
}

// The tetrahedron behind a facet of a deformable side, -1: none.
static int tet_behind(const plModel* m, plSide side, int tri) {
  assert(side.kind != PL_SIDE_DEFORMABLE || tri < m->ntri);
  return side.kind == PL_SIDE_DEFORMABLE && tri >= 0 ? m->tri_tet[tri] : -1;
}

static void put_contact(plBytes* to, const plModel* m, double time, const plContact* c) {
  plVec3 shear = pl_contact_shear(c);
  const double values[] = {
      c->position.x, c->position.y, c->position.z, c->normal.x, c->normal.y, c->normal.z,
      c->gap,        c->area,       c->force.x,    c->force.y,  c->force.z,  pl_contact_pressure(c),
      shear.x,       shear.y,       shear.z,       c->slip.x,   c->slip.y,   c->slip.z};
  put_number(to, time), put_text(to, ",");
  put_name(to, pl_side_name(m, c->a), NULL), put_text(to, ","), put_name(to, pl_side_name(m, c->b), NULL);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) put_text(to, ","), put_number(to, values[i]);
  pl_bytes_print(to, ",%d,%d,%d,%d,%d\n", c->stick, c->tri_a, c->tri_b, tet_behind(m, c->a, c->tri_a),
                 tet_behind(m, c->b, c->tri_b));
}

plStatus pl_csv_write(plCsv* csv, const plData* data, plError* error) {
  assert(csv != NULL && data != NULL);
  if (!csv->signals) {
    for (int i = 0; i < data->ncontact; i++)
      put_contact(&csv->text, data->model, data->time, &data->contact[i]);
    return flush(csv, error);
  }
  plStatus status = pl_signals_eval(csv->signals, data, csv->row, error);
  if (status) return status;
  for (int i = 0; i < pl_signals_count(csv->signals); i++) {
    if (i) put_text(&csv->text, ",");
    put_number(&csv->text, csv->row[i]);
  }
  put_text(&csv->text, "\n");
  return flush(csv, error);
}

plStatus pl_csv_close(plCsv* csv, plError* error) {
  if (!csv) return PL_OK;
  int file = csv->file;
  csv->file = -1;
  plStatus status = PL_OK;
  if (close(file) || csv->failed)
    status = pl_fail_at(error, PL_ERROR_IO, csv->path, 0, 0, "the table could not be written to its end");
  destroy(csv);
  return status;
}

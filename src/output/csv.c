// csv.c: tables as text: "name [unit]" on the first line, every number with the digits that give it back.
// Signals: one line a call; contacts: one a point.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "pliant/output.h"

struct plCsv {
  FILE* file;
  char* path;
  plSignals* signals;  // NULL: a table of contacts
  double* row;
};

static plStatus failed(const plCsv* csv, plError* error) {
  return pl_fail_at(error, PL_ERROR_IO, csv->path, 0, 0, "the table cannot be written: %s", strerror(errno));
}

static void destroy(plCsv* csv) {
  if (csv->file) fclose(csv->file);
  pl_signals_destroy(csv->signals);
  pl_free(csv->path), pl_free(csv->row);
  pl_free(csv);
}

// Names with a comma or a quote are put in quotes. unit: NULL: none.
static void put_name(FILE* file, const char* name, const char* unit) {
  bool quote = strpbrk(name, ",\"") != NULL;
  if (quote) fputc('"', file);
  for (const char* c = name; *c; c++) {
    if (*c == '"') fputc('"', file);
    fputc(*c, file);
  }
  if (unit) fprintf(file, " [%s]", unit);
  if (quote) fputc('"', file);
}

// The file with its first line still to be written.
static plStatus open_file(plCsv* c, const char* path, int nrow, plError* error) {
  c->path = pl_strdup(path);
  c->row = PL_NEW(double, nrow);
  if (!c->path || !c->row) return pl_fail_out_of_memory(error, (size_t)nrow * sizeof(double));
  c->file = fopen(path, "we");
  return c->file ? PL_OK : failed(c, error);
}

plStatus pl_csv_open(const char* path, const plModel* model, const char* signals, plCsv** csv,
                     plError* error) {
  *csv = NULL;
  plCsv* c = PL_NEW(plCsv, 1);
  if (!c) return pl_fail_out_of_memory(error, sizeof *c);
  plStatus status = pl_signals_create(model, signals, &c->signals, error);
  if (status) return destroy(c), status;
  int n = pl_signals_count(c->signals);
  if ((status = open_file(c, path, n, error))) return destroy(c), status;
  for (int i = 0; i < n; i++) {
    if (i) fputc(',', c->file);
    put_name(c->file, pl_signals_name(c->signals, i), pl_signals_unit(c->signals, i));
  }
  fputc('\n', c->file);
  // An interrupted run keeps every whole line.
  if (fflush(c->file)) return status = failed(c, error), destroy(c), status;
  *csv = c;
  return PL_OK;
}

// ---- contacts

static const char contact_head[] =
    "time [s],a,b,x [m],y [m],z [m],nx,ny,nz,gap [m],area [m^2],fx [N],fy [N],fz [N],pressure [Pa],shear_x "
    "[Pa],shear_y [Pa],shear_z [Pa],"
    "slip_x [m/s],slip_y [m/s],slip_z [m/s],stick,facet_a,facet_b,tet_a,tet_b\n";

plStatus pl_csv_open_contacts(const char* path, plCsv** csv, plError* error) {
  *csv = NULL;
  plCsv* c = PL_NEW(plCsv, 1);
  if (!c) return pl_fail_out_of_memory(error, sizeof *c);
  plStatus status = open_file(c, path, 1, error);
  if (!status && (fputs(contact_head, c->file) < 0 || fflush(c->file))) status = failed(c, error);
  if (status) return destroy(c), status;
  *csv = c;
  return PL_OK;
}

// The fewest digits that give the same number back.
static void put_number(FILE* file, double x) {
  char text[32];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, x);
    if (strtod(text, NULL) == x) break;
  }
  fputs(text, file);
}

static const char* side_name(const plModel* m, int side) {
  return side < m->ndeform ? m->deform_name[side] : m->geom_name[side - m->ndeform];
}

// The tetrahedron behind a facet of a deformable side, -1: none.
static int tet_behind(const plModel* m, int side, int tri) {
  return side < m->ndeform && tri >= 0 ? m->tri_tet[tri] : -1;
}

static void put_contact(FILE* file, const plModel* m, double time, const plContact* c) {
  plVec3 shear = pl_contact_shear(c);
  const double values[] = {
      c->position.x, c->position.y, c->position.z, c->normal.x, c->normal.y, c->normal.z,
      c->gap,        c->area,       c->force.x,    c->force.y,  c->force.z,  pl_contact_pressure(c),
      shear.x,       shear.y,       shear.z,       c->slip.x,   c->slip.y,   c->slip.z};
  put_number(file, time), fputc(',', file);
  put_name(file, side_name(m, c->a), NULL), fputc(',', file), put_name(file, side_name(m, c->b), NULL);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) fputc(',', file), put_number(file, values[i]);
  fprintf(file, ",%d,%d,%d,%d,%d\n", c->stick, c->tri_a, c->tri_b, tet_behind(m, c->a, c->tri_a),
          tet_behind(m, c->b, c->tri_b));
}

plStatus pl_csv_write(plCsv* csv, const plData* data, plError* error) {
  if (!csv->signals) {
    for (int i = 0; i < data->ncontact; i++)
      put_contact(csv->file, data->model, data->time, &data->contact[i]);
    return fflush(csv->file) ? failed(csv, error) : PL_OK;
  }
  plStatus status = pl_signals_eval(csv->signals, data, csv->row, error);
  if (status) return status;
  for (int i = 0; i < pl_signals_count(csv->signals); i++) {
    if (i) fputc(',', csv->file);
    put_number(csv->file, csv->row[i]);
  }
  fputc('\n', csv->file);
  return fflush(csv->file) ? failed(csv, error) : PL_OK;
}

plStatus pl_csv_close(plCsv* csv, plError* error) {
  if (!csv) return PL_OK;
  plStatus status = ferror(csv->file) ? failed(csv, error) : PL_OK;
  FILE* file = csv->file;
  csv->file = NULL;
  if (fclose(file) && !status) status = failed(csv, error);
  destroy(csv);
  return status;
}

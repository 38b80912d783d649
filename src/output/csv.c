// csv.c: a table of signals as text: "name [unit]" on the first line, 17 digits for every number.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "pliant/output.h"

struct plCsv {
  FILE* file;
  char* path;
  plSignals* signals;
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

// Names with a comma or a quote are put in quotes.
static void put_name(FILE* file, const char* name, const char* unit) {
  bool quote = strpbrk(name, ",\"") != NULL;
  if (quote) fputc('"', file);
  for (const char* c = name; *c; c++) {
    if (*c == '"') fputc('"', file);
    fputc(*c, file);
  }
  fprintf(file, " [%s]", unit);
  if (quote) fputc('"', file);
}

plStatus pl_csv_open(const char* path, const plModel* model, const char* signals, plCsv** csv,
                     plError* error) {
  *csv = NULL;
  plCsv* c = PL_NEW(plCsv, 1);
  if (!c) return pl_fail_out_of_memory(error, sizeof *c);
  plStatus status = pl_signals_create(model, signals, &c->signals, error);
  if (status) return destroy(c), status;
  int n = pl_signals_count(c->signals);
  c->path = pl_strdup(path);
  c->row = PL_NEW(double, n);
  if (!c->path || !c->row) return destroy(c), pl_fail_out_of_memory(error, (size_t)n * sizeof(double));
  c->file = fopen(path, "we");
  if (!c->file) return status = failed(c, error), destroy(c), status;
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

plStatus pl_csv_write(plCsv* csv, const plData* data, plError* error) {
  plStatus status = pl_signals_eval(csv->signals, data, csv->row, error);
  if (status) return status;
  for (int i = 0; i < pl_signals_count(csv->signals); i++)
    fprintf(csv->file, "%s%.17g", i ? "," : "", csv->row[i]);
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

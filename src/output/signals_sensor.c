// signals_sensor.c: readings of sensors as signals: sensor(NAME) is all of its numbers, sensor(NAME).COLUMN
// one column, sensor(NAME).COLUMN(ROW) one number, sensor(NAME).COLUMN.sum a column added up.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "output/signals.h"

// More numbers than a table is meant for, such as a picture.
enum { MOST = 100000 };

static plStatus add_number(plSignals* s, const plSignalItem* item, int id, int row, int column,
                           plError* error) {
  const plSensor* sensor = &s->model->sensor[id];
  char prefix[2 * PL_SIGNAL_LENGTH], which[16] = "";
  if (sensor->rows > 1 && row >= 0) snprintf(which, sizeof which, "(%d)", row);
  snprintf(prefix, sizeof prefix, "sensor(%s).%s%s%s", sensor->name, sensor->column[column], which,
           row < 0 ? ".sum" : "");
  plSignalKind kind = {"sensor", sensor->column[column], sensor->unit[column], 's', PL_Q_SENSOR};
  return pl_signal_add(s, item, &kind, (plColumn){.body = id, .column = column, .index = row}, prefix, NULL,
                       error);
}

// The rows of one column, or the one that is asked for.
static plStatus add_column(plSignals* s, const plSignalItem* item, int id, int column, int only,
                           plError* error) {
  plStatus status = PL_OK;
  if (only != -1) return add_number(s, item, id, only < 0 ? -1 : only, column, error);
  for (int row = 0; row < s->model->sensor[id].rows && !status; row++)
    status = add_number(s, item, id, row, column, error);
  return status;
}

static plStatus find_sensor(const plSignals* s, const plSignalItem* item, const char* name, int* id,
                            plError* error) {
  const plModel* m = s->model;
  if ((*id = pl_sensor_find(m, name)) >= 0) return PL_OK;
  const char** names = PL_NEW(const char*, m->nsensor);
  if (!names) return pl_fail_out_of_memory(error, (size_t)m->nsensor * sizeof *names);
  for (int i = 0; i < m->nsensor; i++) names[i] = m->sensor[i].name;
  plStatus status = pl_signal_unknown(item, name, "the name of a sensor", names, m->nsensor, error);
  pl_free((void*)names);
  return status;
}

// "normal", "normal(17)" -> the column and its row, -1: all.
static plStatus find_column(const plSensor* sensor, const plSignalItem* item, char* word, int* column,
                            int* row, plError* error) {
  char* open = strchr(word, '(');
  *row = -1;
  if (open) {
    char* end;
    long number = strtol(open + 1, &end, 10);
    if (end == open + 1 || strcmp(end, ")") != 0 || number < 0 || number >= sensor->rows)
      return pl_fail(error, PL_ERROR_INPUT, "in the signal '%s', expected a row of the sensor in 0 .. %d",
                     item->text, sensor->rows - 1);
    *row = (int)number;
    *open = 0;
  }
  for (*column = 0; *column < sensor->columns; ++*column)
    if (!strcmp(sensor->column[*column], word)) return PL_OK;
  return pl_signal_unknown(item, word, "a column of this sensor", sensor->column, sensor->columns, error);
}

plStatus pl_signal_add_sensor(plSignals* s, plSignalItem* item, bool* mine, plError* error) {
  char* name = pl_signal_argument(item->segment[0], "sensor");
  if (!name) return PL_OK;
  *mine = true;
  int id, column = 0, row = -1;
  plStatus status = find_sensor(s, item, name, &id, error);
  if (status) return status;
  const plSensor* sensor = &s->model->sensor[id];
  bool sum = item->nsegment == 3 && !strcmp(item->segment[2], "sum");
  if (item->nsegment > 2 && !sum)
    return pl_fail(error, PL_ERROR_INPUT,
                   "'%s' is not a signal: after the column of a sensor comes .sum or nothing", item->text);
  if (item->nsegment > 1) {
    if ((status = find_column(sensor, item, item->segment[1], &column, &row, error))) return status;
    if (sum && row >= 0)
      return pl_fail(error, PL_ERROR_INPUT, "in the signal '%s', .sum is of a whole column", item->text);
    if (sum) return add_column(s, item, id, column, -2, error);
  }
  if (row < 0 && (double)sensor->rows * (item->nsegment > 1 ? 1 : sensor->columns) > MOST)
    return pl_fail(
        error, PL_ERROR_INPUT,
        "the signal '%s' would be %.0f columns; a table takes at most %d of a sensor: name a number or "
        "a sum",
        item->text, (double)sensor->rows * sensor->columns, MOST);
  if (item->nsegment > 1) return add_column(s, item, id, column, row, error);
  for (row = 0; row < sensor->rows && !status; row++)
    for (column = 0; column < sensor->columns && !status; column++)
      status = add_number(s, item, id, row, column, error);
  return status;
}

// ---- numbers

static double number_at(const plData* data, const plSensor* s, size_t i) {
  const unsigned char* from = data->reading + s->byte0;
  return s->type == PL_SENSOR_DOUBLE  ? ((const double*)(const void*)from)[i]
         : s->type == PL_SENSOR_FLOAT ? (double)((const float*)(const void*)from)[i]
         : s->type == PL_SENSOR_INT   ? ((const int*)(const void*)from)[i]
                                      : from[i];
}

double pl_signal_eval_sensor(const plData* data, const plColumn* c) {
  const plSensor* s = &data->model->sensor[c->body];
  size_t columns = (size_t)s->columns, at = (size_t)c->column;
  if (c->index >= 0) return number_at(data, s, (size_t)c->index * columns + at);
  double sum = 0;
  for (int row = 0; row < s->rows; row++) sum += number_at(data, s, (size_t)row * columns + at);
  return sum;
}

// sensor.c: readings of sensors: part of Data and Model.
#include <string.h>

#include "module.h"

int sensor_of(const plModel* model, PyObject* value) {
  if (PyUnicode_Check(value)) {
    const char* name = PyUnicode_AsUTF8AndSize(value, NULL);
    int id = name ? pl_sensor_find(model, name) : -1;
    if (!name || id >= 0) return id;
    PyObject* names = PyList_New(0);
    for (int i = 0; names && i < model->nsensor; i++) {
      PyObject* one = PyUnicode_FromString(model->sensor[i].name);
      if (one) PyList_Append(names, one);
      Py_XDECREF(one);
    }
    if (names) refuse_name("sensor", name, names);
    Py_XDECREF(names);
    return -1;
  }
  long id = PyLong_Check(value) ? PyLong_AsLong(value) : -1;
  PyErr_Clear();
  if (id >= 0 && id < model->nsensor) return (int)id;
  refuse("there is no sensor %.80R, there are %d", value, model->nsensor);
  return -1;
}

// A grid or picture is (height, width, columns), a list (rows, columns), one row (columns,).
static int shape_of(const plSensor* s, Py_ssize_t* shape) {
  if (s->rows == 1) {
    shape[0] = s->columns;
    return 1;
  }
  if (s->height > 1 && s->width > 1) {
    shape[0] = s->height, shape[1] = s->width, shape[2] = s->columns;
    return 3;
  }
  shape[0] = s->rows, shape[1] = s->columns;
  return 2;
}

static PyObject* reading(PyObject* self, PyObject* which, bool measure) {
  plData* data = data_of(self, measure);
  int id = data ? sensor_of(data->model, which) : -1;
  if (id < 0) return NULL;
  Py_ssize_t shape[3];
  void* at;
  int ndim = shape_of(&data->model->sensor[id], shape);
  PyObject* array = array_new('d', ndim, shape, &at);
  if (array && (measure ? pl_sensor_measure(data, id, at) : pl_sensor_read(data, id, at))) {
    Py_CLEAR(array);
    refuse("the sensor cannot be read here");
  }
  return array;
}

static PyObject* sensor(PyObject* self, PyObject* which) { return reading(self, which, false); }
static PyObject* measure(PyObject* self, PyObject* which) { return reading(self, which, true); }

// In their own type: pictures are bytes, depths floats.
static PyObject* sensor_values(PyObject* self, PyObject* which) {
  plData* data = data_of(self, false);
  int id = data ? sensor_of(data->model, which) : -1;
  if (id < 0) return NULL;
  static const char formats[] = {
      [PL_SENSOR_DOUBLE] = 'd', [PL_SENSOR_FLOAT] = 'f', [PL_SENSOR_INT] = 'i', [PL_SENSOR_BYTE] = 'B'};
  const plSensor* s = &data->model->sensor[id];
  Py_ssize_t shape[3];
  void* at;
  int ndim = shape_of(s, shape);
  PyObject* array = array_new(formats[s->type], ndim, shape, &at);
  const void* from = pl_sensor_values(data, id);
  if (array && from) memcpy(at, from, s->bytes);
  return array;
}

static PyObject* sensor_time(PyObject* self, PyObject* which) {
  plData* data = data_of(self, false);
  int id = data ? sensor_of(data->model, which) : -1;
  return id < 0 ? NULL : PyFloat_FromDouble(pl_sensor_time(data, id));
}

PyMethodDef data_sensor_methods[] = {
    {"sensor", sensor, METH_O,
     "sensor($self, which, /)\n--\n\nThe reading of a sensor now, with its rate, delay and noise: "
     "(columns,), (rows, columns) or, of a grid, "
     "(height, width, columns)."},
    {"sensor_values", sensor_values, METH_O,
     "sensor_values($self, which, /)\n--\n\nThe same numbers in their own type: a copy."},
    {"measure", measure, METH_O,
     "measure($self, which, /)\n--\n\nWhat a sensor would sample of the state as it is, without rate, delay "
     "and noise."},
    {"sensor_time", sensor_time, METH_O, "sensor_time($self, which, /)\n--\n\n" DOC_pl_sensor_time},
    {NULL, NULL, 0, NULL}};

// ---- of a model

static PyObject* texts(const char* const* text, int n) {
  PyObject* tuple = PyTuple_New(n);
  for (int i = 0; tuple && i < n; i++) {
    PyObject* one = PyUnicode_FromString(text[i] ? text[i] : "");
    if (!one || PyTuple_SetItem(tuple, i, one)) Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject* describe(const plSensor* s) {
  Py_ssize_t shape[3];
  int ndim = shape_of(s, shape), n = s->columns < PL_SENSOR_COLUMNS ? s->columns : PL_SENSOR_COLUMNS;
  PyObject* size = PyTuple_New(ndim);
  for (int i = 0; size && i < ndim; i++) PyTuple_SetItem(size, i, PyLong_FromSsize_t(shape[i]));
  if (!size) return NULL;
  return Py_BuildValue("{s:s,s:s,s:N,s:N,s:N,s:d,s:d}", "name", s->name, "kind", pl_sensor_kind_name(s->kind),
                       "shape", size, "columns", texts(s->column, n), "units", texts(s->unit, n), "rate",
                       s->rate, "delay", s->delay);
}

PyObject* model_sensors(PyObject* self, PyObject* none) {
  (void)none;
  const plModel* m = ((Model*)self)->model;
  PyObject* list = PyList_New(0);
  for (int i = 0; list && i < m->nsensor; i++) {
    PyObject* dict = describe(&m->sensor[i]);
    if (!dict || PyList_Append(list, dict)) Py_CLEAR(list);
    Py_XDECREF(dict);
  }
  return list;
}

PyObject* model_find_sensor(PyObject* self, PyObject* name) {
  int id = sensor_of(((Model*)self)->model, name);
  return id < 0 ? NULL : PyLong_FromLong(id);
}

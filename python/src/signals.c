// signals.c: Signals: numbers by name, looked up once.
#include <string.h>

#include "module.h"

typedef struct Signals {
  PyObject_HEAD PyObject* model;  // a Model, which keeps what the signals refer to
  plSignals* signals;
  bool vector;  // x, y, z and norm of one name: the first three are its value
} Signals;

static PyTypeObject* signals_type;

static void dealloc(PyObject* self) {
  pl_signals_destroy(((Signals*)self)->signals);
  Py_XDECREF(((Signals*)self)->model);
  free_object(self);
}

static bool ends_with(const char* text, const char* end) {
  size_t n = strlen(text), k = strlen(end);
  return n >= k && !strcmp(text + n - k, end);
}

static PyObject* make(PyTypeObject* type, PyObject* model, const char* names) {
  plSignals* signals = NULL;
  plError error = {0};
  if (pl_signals_create(((Model*)model)->model, names, &signals, &error)) return raise_error(&error);
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Signals* self = (Signals*)allocate(type, 0);
  if (!self) {
    pl_signals_destroy(signals);
    return NULL;
  }
  self->model = Py_NewRef(model);
  self->signals = signals;
  self->vector = pl_signals_count(signals) == 4 && !strchr(names, ',') &&
                 ends_with(pl_signals_name(signals, 0), ".x") &&
                 ends_with(pl_signals_name(signals, 3), ".norm");
  return (PyObject*)self;
}

static PyObject* new_signals(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  static char* words[] = {"model", "names", NULL};
  PyObject* model;
  const char* names;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "Os:Signals", words, &model, &names)) return NULL;
  if (!PyObject_TypeCheck(model, model_type)) return refuse("signals are of a Model, got %.80R", model);
  return make(type, model, names);
}

// The numbers of all columns; the array's memory is written directly.
static PyObject* evaluate(Signals* self, PyObject* value, bool all) {
  plData* data = data_of(value, false);
  if (!data) return NULL;
  if (data->model != ((Model*)self->model)->model) return refuse("these signals belong to another model");
  plError error = {0};
  Py_ssize_t n = pl_signals_count(self->signals);
  if (n == 1 && !all) {
    double one;
    return pl_signals_eval(self->signals, data, &one, &error) ? raise_error(&error) : PyFloat_FromDouble(one);
  }
  if (self->vector && !all) {
    double four[4];
    return pl_signals_eval(self->signals, data, four, &error) ? raise_error(&error) : array_copy(four, 3);
  }
  void* at;
  PyObject* array = array_new('d', 1, &n, &at);
  if (array && pl_signals_eval(self->signals, data, at, &error)) {
    Py_CLEAR(array);
    raise_error(&error);
  }
  return array;
}

static PyObject* eval(PyObject* self, PyObject* data) { return evaluate((Signals*)self, data, true); }

PyObject* data_signal(PyObject* self, PyObject* name) {
  Data* d = (Data*)self;
  const char* text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
  if (!text) return PyErr_Occurred() ? NULL : refuse("a signal is given by name, got %.80R", name);
  if (!d->signals && !(d->signals = PyDict_New())) return NULL;
  PyObject* known = PyDict_GetItemWithError(d->signals, name);
  if (known) return evaluate((Signals*)known, self, false);
  if (PyErr_Occurred()) return NULL;
  PyObject* made = make(signals_type, d->model, text);
  if (!made || PyDict_SetItem(d->signals, name, made)) {
    Py_XDECREF(made);
    return NULL;
  }
  Py_DECREF(made);  // the dict holds it
  return evaluate((Signals*)made, self, false);
}

static PyObject* texts(PyObject* self, const char* (*text)(const plSignals*, int)) {
  plSignals* signals = ((Signals*)self)->signals;
  int n = pl_signals_count(signals);
  PyObject* tuple = PyTuple_New(n);
  for (int i = 0; tuple && i < n; i++) {
    PyObject* one = PyUnicode_FromString(text(signals, i));
    if (!one || PyTuple_SetItem(tuple, i, one)) Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject* get_names(PyObject* self, void* none) {
  (void)none;
  return texts(self, pl_signals_name);
}

static PyObject* get_units(PyObject* self, void* none) {
  (void)none;
  return texts(self, pl_signals_unit);
}

static Py_ssize_t length(PyObject* self) { return pl_signals_count(((Signals*)self)->signals); }

static PyObject* signals_help(PyObject* module, PyObject* none) {
  (void)module, (void)none;
  return PyUnicode_FromString(pl_signals_help());
}

static PyMethodDef methods[] = {
    {"eval", eval, METH_O,
     "eval($self, data, /)\n--\n\nThe numbers of all columns now, in the order of names."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef members[] = {
    {"names", get_names, NULL, "Names of the columns; vectors became .x .y .z .norm.", NULL},
    {"units", get_units, NULL, "Their units; '1' for a pure number.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef functions[] = {
    {"signals_help", signals_help, METH_NOARGS, "signals_help()\n--\n\n" DOC_pl_signals_help},
    {NULL, NULL, 0, NULL}};

int add_signals(PyObject* module) {
  static PyType_Slot slots[] = {{Py_tp_doc,
                                 "Signals(model, names)\n--\n\nNumbers by name, separated by commas "
                                 "(docs/scene.md), looked up once and "
                                 "read from any simulation of the model."},
                                {Py_tp_new, new_signals},
                                {Py_tp_dealloc, dealloc},
                                {Py_tp_methods, methods},
                                {Py_tp_getset, members},
                                {Py_sq_length, length},
                                {0, NULL}};
  static PyType_Spec spec = {
      .name = "pliant.Signals", .basicsize = sizeof(Signals), .flags = Py_TPFLAGS_DEFAULT, .slots = slots};
  signals_type = make_type(module, &spec);
  return signals_type ? PyModule_AddFunctions(module, functions) : -1;
}

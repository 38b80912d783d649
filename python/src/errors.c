// errors.c: exceptions: one class per status, with what the library says about the error.
#include <stdarg.h>
#include <string.h>

#include "module.h"

static PyObject* base_class;
static PyObject* classes[PL_STATUS_COUNT];

static PyObject* make_class(PyObject* module, const char* name, const char* doc, PyObject* bases,
                            PyObject* members) {
  char full[64];
  PyOS_snprintf(full, sizeof full, "pliant.%s", name);
  PyObject* made = PyErr_NewExceptionWithDoc(full, doc, bases, members);
  if (made && PyModule_AddObjectRef(module, name, made)) Py_CLEAR(made);
  return made;
}

int add_errors(PyObject* module) {
  PyObject* members =
      Py_BuildValue("{s:s,s:s,s:s,s:i,s:i,s:s,s:s,s:O,s:i}", "status", "", "message", "", "file", "", "line",
                    0, "column", 0, "path", "", "where", "", "report", Py_None, "steps", 0);
  if (!members) return -1;
  base_class = make_class(
      module, "Error",
      "What went wrong. status is a word; file, line and column say where in a file, if "
      "one is concerned, path which value of a scene; report, where and steps belong to a step that failed.",
      PyExc_Exception, members);
  Py_DECREF(members);
  if (!base_class) return -1;
  for (int i = 0; i < status_class_count; i++) {
    const StatusClass* c = &status_classes[i];
    PyObject* second = c->base[0] == 0                  ? NULL
                       : !strcmp(c->base, "ValueError") ? PyExc_ValueError
                       : !strcmp(c->base, "OSError")    ? PyExc_OSError
                                                        : PyExc_MemoryError;
    PyObject* bases = second ? PyTuple_Pack(2, base_class, second) : PyTuple_Pack(1, base_class);
    classes[c->status] = bases ? make_class(module, c->name, c->doc, bases, NULL) : NULL;
    Py_XDECREF(bases);
    if (!classes[c->status]) return -1;
  }
  return 0;
}

static int set_text(PyObject* exception, const char* name, const char* text) {
  PyObject* value = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
  int status = value ? PyObject_SetAttrString(exception, name, value) : -1;
  Py_XDECREF(value);
  return status;
}

static int set_number(PyObject* exception, const char* name, long number) {
  PyObject* value = PyLong_FromLong(number);
  int status = value ? PyObject_SetAttrString(exception, name, value) : -1;
  Py_XDECREF(value);
  return status;
}

// An exception object, not yet raised.
static PyObject* exception_of(const plError* error, PyObject** class) {
  *class = error->status > PL_OK && error->status < PL_STATUS_COUNT && classes[error->status]
               ? classes[error->status]
               : base_class;
  char text[1400];
  pl_error_text(error, text, sizeof text);
  PyObject* sentence = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
  PyObject* exception = sentence ? PyObject_CallFunctionObjArgs(*class, sentence, NULL) : NULL;
  Py_XDECREF(sentence);
  if (!exception) return NULL;
  if (set_text(exception, "status", pl_status_name(error->status)) ||
      set_text(exception, "message", error->message) || set_text(exception, "file", error->file) ||
      set_number(exception, "line", error->line) || set_number(exception, "column", error->column) ||
      set_text(exception, "path", error->path))
    Py_CLEAR(exception);
  return exception;
}

PyObject* raise_error(const plError* error) {
  PyObject* class, *exception = exception_of(error, &class);
  if (exception) PyErr_SetObject(class, exception);
  Py_XDECREF(exception);
  return NULL;
}

PyObject* raise_step_error(const plError* error, const plData* data, long steps) {
  PyObject* class, *exception = exception_of(error, &class);
  PyObject* report = exception ? record_new(&table_plReport, &data->report) : NULL;
  if (report && !PyObject_SetAttrString(exception, "report", report) &&
      !set_text(exception, "where", data->report.where) && !set_number(exception, "steps", steps))
    PyErr_SetObject(class, exception);
  Py_XDECREF(report);
  Py_XDECREF(exception);
  return NULL;
}

PyObject* refuse(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  PyObject* text = PyUnicode_FromFormatV(format, arguments);
  va_end(arguments);
  const char* utf8 = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
  if (utf8) {
    plError error = {.status = PL_ERROR_INPUT};
    PyOS_snprintf(error.message, sizeof error.message, "%s", utf8);
    raise_error(&error);
  }
  Py_XDECREF(text);
  return NULL;
}

PyObject* refuse_name(const char* kind, const char* name, PyObject* words) {
  PyObject *difflib = PyImport_ImportModule("difflib"), *near = NULL, *list = NULL;
  if (difflib) near = PyObject_CallMethod(difflib, "get_close_matches", "sOid", name, words, 1, 0.5);
  if (near && PyList_Size(near) == 1) {
    refuse("there is no %s '%s'; did you mean '%U'?", kind, name, PyList_GetItem(near, 0));
  } else if (near) {
    Py_ssize_t n = PySequence_Size(words);
    PyObject *first = PySequence_GetSlice(words, 0, n > 12 ? 12 : n), *comma = PyUnicode_FromString(", ");
    list = first && comma ? PyUnicode_Join(comma, first) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(comma);
    if (list && n)
      refuse("there is no %s '%s'; there are %U%s", kind, name, list, n > 12 ? ", ..." : "");
    else if (list)
      refuse("there is no %s '%s'; there are none", kind, name);
  }
  Py_XDECREF(list);
  Py_XDECREF(near);
  Py_XDECREF(difflib);
  return NULL;
}

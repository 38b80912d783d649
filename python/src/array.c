// array.c: memory of the library as numpy arrays through the buffer protocol, and numbers out of anything
// like an array.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "module.h"

PyObject* numpy;
static PyObject *as_array, *empty, *from_buffer, *make_dtype, *types[128], *float_kinds;
static PyTypeObject* view_type;

// ---- a view: what numpy asks for the memory

typedef struct View {
  PyObject_HEAD PyObject* owner;
  void* at;
  char format[2];
  int ndim;
  Py_ssize_t itemsize, shape[3], strides[3];
  bool writable;
} View;

static int get_buffer(PyObject* self, Py_buffer* buffer, int flags) {
  View* view = (View*)self;
  if ((flags & PyBUF_WRITABLE) && !view->writable) {
    PyErr_SetString(PyExc_BufferError, "this memory may not be written");
    return -1;
  }
  Py_ssize_t n = view->itemsize;
  for (int d = 0; d < view->ndim; d++) n *= view->shape[d];
  *buffer = (Py_buffer){.buf = view->at,
                        .obj = Py_NewRef(self),
                        .len = n,
                        .itemsize = view->itemsize,
                        .readonly = !view->writable,
                        .ndim = view->ndim,
                        .format = view->format,
                        .shape = view->shape,
                        .strides = view->strides};
  return 0;
}

static void dealloc_view(PyObject* self) {
  Py_XDECREF(((View*)self)->owner);
  free_object(self);
}

int add_array(PyObject* module) {
  (void)module;
  static PyType_Slot slots[] = {{Py_tp_dealloc, dealloc_view}, {Py_bf_getbuffer, get_buffer}, {0, NULL}};
  static PyType_Spec spec = {
      .name = "pliant._pliant.View",
      .basicsize = sizeof(View),
      .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
      .slots = slots,
  };
  view_type = (PyTypeObject*)PyType_FromSpec(&spec);
  numpy = PyImport_ImportModule("numpy");
  if (!view_type || !numpy) return -1;
  as_array = PyObject_GetAttrString(numpy, "asarray");
  empty = PyObject_GetAttrString(numpy, "empty");
  from_buffer = PyObject_GetAttrString(numpy, "frombuffer");
  make_dtype = PyObject_GetAttrString(numpy, "dtype");
  float_kinds = PyUnicode_FromString("biuf");
  if (!as_array || !empty || !from_buffer || !make_dtype || !float_kinds) return -1;
  static const char letters[] = "difq?B";
  for (int i = 0; letters[i]; i++)
    if (!(types[(int)letters[i]] = PyObject_CallFunction(make_dtype, "C", letters[i]))) return -1;
  return 0;
}

static Py_ssize_t size_of(char format) {
  return format == 'd' ? (Py_ssize_t)sizeof(double) : format == 'i' || format == 'f' ? 4 : 1;
}

PyObject* array_view(PyObject* owner, void* at, char format, int ndim, const Py_ssize_t* shape,
                     const Py_ssize_t* strides, bool writable) {
  static double nothing;
  View* view = PyObject_New(View, view_type);
  if (!view) return NULL;
  view->owner = Py_NewRef(owner);
  view->at = at ? at : &nothing;
  view->format[0] = format, view->format[1] = 0;
  view->ndim = ndim;
  view->itemsize = size_of(format);
  view->writable = writable;
  Py_ssize_t stride = view->itemsize;
  for (int d = ndim - 1; d >= 0; d--) {
    view->shape[d] = shape[d];
    view->strides[d] = strides ? strides[d] : stride;
    stride *= shape[d];
  }
  PyObject* array = PyObject_CallFunctionObjArgs(as_array, (PyObject*)view, NULL);
  Py_DECREF(view);
  return array;
}

static void* memory_of(PyObject* array) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(array, &buffer, PyBUF_SIMPLE)) return NULL;
  void* at = buffer.buf;
  PyBuffer_Release(&buffer);  // the array keeps it
  return at;
}

PyObject* array_new(char format, int ndim, const Py_ssize_t* shape, void** at) {
  PyObject* size = PyTuple_New(ndim);
  for (int d = 0; size && d < ndim; d++) PyTuple_SetItem(size, d, PyLong_FromSsize_t(shape[d]));
  PyObject* array = size ? PyObject_CallFunctionObjArgs(empty, size, types[(int)format], NULL) : NULL;
  Py_XDECREF(size);
  if (array && !(*at = memory_of(array))) Py_CLEAR(array);
  return array;
}

PyObject* array_copy(const double* from, Py_ssize_t n) {
  void* at;
  PyObject* array = array_new('d', 1, &n, &at);
  if (array && n) memcpy(at, from, (size_t)n * sizeof(double));
  return array;
}

PyObject* matrix_copy(const double* column_major, Py_ssize_t rows, Py_ssize_t columns) {
  void* at;
  PyObject* array = array_new('d', 2, (Py_ssize_t[2]){rows, columns}, &at);
  double* to = at;
  for (Py_ssize_t r = 0; array && r < rows; r++)
    for (Py_ssize_t c = 0; c < columns; c++) to[r * columns + c] = column_major[c * rows + r];
  return array;
}

// ---- numbers from arrays, lists, anything that numpy takes

// A C-contiguous array of the type; refuses texts, complex numbers and objects.
static PyObject* array_of(PyObject* value, const char* what, char format) {
  PyObject* any = PyObject_CallFunctionObjArgs(as_array, value, NULL);
  if (!any) {
    PyErr_Clear();
    return refuse("%s must be numbers, got %.80R", what, value);
  }
  PyObject *dtype = PyObject_GetAttrString(any, "dtype"),
           *kind = dtype ? PyObject_GetAttrString(dtype, "kind") : NULL,
           *size = PyObject_GetAttrString(any, "size");
  int known = kind ? PyUnicode_Contains(float_kinds, kind) : -1;
  // a float is not an index, and a mask is not a list of indices; an empty list may have any type
  bool mask = kind && !PyUnicode_CompareWithASCIIString(kind, "b");
  if (known == 1 && format == 'q' && (mask || !PyUnicode_CompareWithASCIIString(kind, "f")) &&
      PyLong_AsSsize_t(size) != 0)
    known = 0;
  if (known == 0)
    refuse("%s must be %s, got an array of %S%s", what, format == 'q' ? "whole numbers" : "numbers", dtype,
           format == 'q' && mask ? "; numpy.flatnonzero(mask) gives the numbers" : "");
  PyObject* array = NULL;
  if (known == 1) {
    PyObject *arguments = PyTuple_Pack(2, any, types[(int)format]),
             *keywords = Py_BuildValue("{s:s}", "order", "C");
    if (arguments && keywords) array = PyObject_Call(as_array, arguments, keywords);
    Py_XDECREF(arguments);
    Py_XDECREF(keywords);
  }
  Py_XDECREF(size);
  Py_XDECREF(kind);
  Py_XDECREF(dtype);
  Py_DECREF(any);
  return array;
}

// The memory of a contiguous array, which may be read-only.
static const void* read_memory(PyObject* array, Py_ssize_t* bytes) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(array, &buffer, PyBUF_C_CONTIGUOUS)) return NULL;
  const void* at = buffer.buf;
  *bytes = buffer.len;
  PyBuffer_Release(&buffer);
  return at;
}

PyObject* numbers_of(PyObject* value, const char* what, Py_ssize_t n, const double** at, Py_ssize_t* count) {
  PyObject* array = array_of(value, what, 'd');
  Py_ssize_t bytes = 0;
  if (!array || !(*at = read_memory(array, &bytes))) {
    Py_XDECREF(array);
    return NULL;
  }
  Py_ssize_t got = bytes / (Py_ssize_t)sizeof(double);
  if (count) *count = got;
  if (n >= 0 && got != n) {
    refuse("%s must have %zd numbers, got %zd", what, n, got);
    Py_CLEAR(array);
  }
  return array;
}

PyObject* doubles_of(PyObject* value, const char* what, Py_ssize_t n, bool infinite, const double** at,
                     Py_ssize_t* count) {
  Py_ssize_t got;
  PyObject* array = numbers_of(value, what, n, at, &got);
  if (count) *count = array ? got : 0;
  for (Py_ssize_t i = 0; array && i < got; i++)
    if (isnan((*at)[i]) || (!infinite && isinf((*at)[i]))) {
      refuse("entry %zd of %s is not finite", i, what);
      Py_CLEAR(array);
    }
  return array;
}

PyObject* ints_of(PyObject* value, const char* what, const int** at, Py_ssize_t* count) {
  PyObject* wide = array_of(value, what, 'q');
  Py_ssize_t bytes = 0;
  const long long* from = wide ? read_memory(wide, &bytes) : NULL;
  *count = bytes / (Py_ssize_t)sizeof *from;
  void* to = NULL;
  PyObject* array = from ? array_new('i', 1, count, &to) : NULL;
  for (Py_ssize_t i = 0; array && i < *count; i++) {
    if (from[i] < INT_MIN || from[i] > INT_MAX) {
      refuse("entry %zd of %s is out of range: %lld", i, what, from[i]);
      Py_CLEAR(array);
    } else {
      ((int*)to)[i] = (int)from[i];
    }
  }
  *at = to;
  Py_XDECREF(wide);
  return array;
}

// ---- structured arrays

static PyObject* format_of(const Field* f) {
  PyObject* one;
  switch (f->kind) {
    case FIELD_STRUCT:
      one = table_dtype(f->table);
      break;
    case FIELD_DOUBLE:
      one = PyUnicode_FromString("f8");
      break;
    case FIELD_BOOL:
      one = PyUnicode_FromString("?");
      break;
    case FIELD_INT:
    case FIELD_ENUM:
      one = PyUnicode_FromString("i4");
      break;
    default:
      PyErr_Format(PyExc_SystemError, "%s cannot be in a structured array", f->name);
      return NULL;
  }
  if (!one || f->single) return one;
  PyObject* several = Py_BuildValue("(N(i))", one, f->count);
  return several;
}

PyObject* table_dtype(const Table* table) {
  PyObject *names = PyList_New(0), *formats = PyList_New(0), *offsets = PyList_New(0), *dtype = NULL;
  bool good = names && formats && offsets;
  for (int i = 0; i < table->nfield && good; i++) {
    const Field* f = &table->field[i];
    PyObject *name = PyUnicode_FromString(f->name), *format = format_of(f), *at = PyLong_FromSize_t(f->at);
    good = name && format && at && !PyList_Append(names, name) && !PyList_Append(formats, format) &&
           !PyList_Append(offsets, at);
    Py_XDECREF(name);
    Py_XDECREF(format);
    Py_XDECREF(at);
  }
  if (good)
    dtype = PyObject_CallFunction(make_dtype, "({s:O,s:O,s:O,s:n})", "names", names, "formats", formats,
                                  "offsets", offsets, "itemsize", (Py_ssize_t)table->size);
  Py_XDECREF(names);
  Py_XDECREF(formats);
  Py_XDECREF(offsets);
  return dtype;
}

PyObject* rows_copy(const void* rows, Py_ssize_t n, size_t size, PyObject* dtype) {
  if (n == 0) {
    PyObject* zero = PyLong_FromLong(0);
    PyObject* none = zero ? PyObject_CallFunctionObjArgs(empty, zero, dtype, NULL) : NULL;
    Py_XDECREF(zero);
    return none;
  }
  PyObject* bytes = PyByteArray_FromStringAndSize(rows, n * (Py_ssize_t)size);
  PyObject* array = bytes ? PyObject_CallFunctionObjArgs(from_buffer, bytes, dtype, NULL) : NULL;
  Py_XDECREF(bytes);
  return array;
}

// value.c: members of C structs to Python and back, by the tables.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "module.h"

// ---- words

const char* word_of(const Word* words, int value) {
  for (; words->word; words++)
    if (words->value == value) return words->word;
  return "unknown";
}

bool word_value(const Word* words, PyObject* text, const char* what, int* value) {
  const char* given = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
  PyErr_Clear();
  for (const Word* w = words; given && w->word; w++)
    if (!strcmp(w->word, given)) {
      *value = w->value;
      return true;
    }
  char list[600] = "";
  size_t used = 0;
  for (const Word* w = words; w->word && used + strlen(w->word) + 4 < sizeof list; w++)
    used += (size_t)PyOS_snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", w->word);
  refuse("%s must be one of %s, got %.80R", what, list, text);
  return false;
}

// ---- numbers

bool double_of(PyObject* value, const char* what, double* to) {
  double x = PyUnicode_Check(value) ? NAN : PyFloat_AsDouble(value);
  bool failed = PyErr_Occurred() != NULL;
  PyErr_Clear();
  if (failed || isnan(x)) {
    refuse("%s must be a number, got %.80R", what, value);
    return false;
  }
  *to = x;
  return true;
}

static bool int_of(PyObject* value, const char* what, long least, long most, long* to) {
  PyObject* index = PyFloat_Check(value) || PyUnicode_Check(value) ? NULL : PyNumber_Index(value);
  long x = index ? PyLong_AsLong(index) : -1;
  bool failed = !index || PyErr_Occurred();
  PyErr_Clear();
  Py_XDECREF(index);
  if (failed || x < least || x > most) {
    refuse("%s must be a whole number, got %.80R", what, value);
    return false;
  }
  *to = x;
  return true;
}

bool vec3_of(PyObject* value, const char* what, plVec3* to) {
  const double* at;
  PyObject* keep = doubles_of(value, what, 3, false, &at, NULL);
  if (!keep) return false;
  *to = (plVec3){at[0], at[1], at[2]};
  Py_DECREF(keep);
  return true;
}

// The quaternion of a rotation matrix (Shepperd): the largest of four is taken first.
static plQuat quat_of_matrix(const double* T, int stride) {
#define M(r, c) T[(r)*stride + (c)]
  double t[4] = {M(0, 0) + M(1, 1) + M(2, 2), M(0, 0), M(1, 1), M(2, 2)};
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (t[i] > t[k]) k = i;
  plQuat q;
  if (k == 0) {
    q = (plQuat){1 + t[0], M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1)};
  } else if (k == 1) {
    q = (plQuat){M(2, 1) - M(1, 2), 1 + 2 * t[1] - t[0], M(0, 1) + M(1, 0), M(0, 2) + M(2, 0)};
  } else if (k == 2) {
    q = (plQuat){M(0, 2) - M(2, 0), M(0, 1) + M(1, 0), 1 + 2 * t[2] - t[0], M(1, 2) + M(2, 1)};
  } else {
    q = (plQuat){M(1, 0) - M(0, 1), M(0, 2) + M(2, 0), M(1, 2) + M(2, 1), 1 + 2 * t[3] - t[0]};
  }
#undef M
  double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return (plQuat){q.w / norm, q.x / norm, q.y / norm, q.z / norm};
}

static bool is_rotation(const double* T) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double dot = 0;
      for (int k = 0; k < 3; k++) dot += T[4 * k + i] * T[4 * k + j];
      if (!(fabs(dot - (i == j)) < 1e-6)) return false;
    }
  double det = T[0] * (T[5] * T[10] - T[6] * T[9]) - T[1] * (T[4] * T[10] - T[6] * T[8]) +
               T[2] * (T[4] * T[9] - T[5] * T[8]);
  return det > 0 && fabs(T[12]) + fabs(T[13]) + fabs(T[14]) + fabs(T[15] - 1) < 1e-9;
}

// Three numbers: a position. Seven: a position and a quaternion. Sixteen: a 4 x 4 matrix, by rows.
bool pose_of(PyObject* value, const char* what, plPose* to) {
  const double* at;
  Py_ssize_t n;
  PyObject* keep = doubles_of(value, what, -1, false, &at, &n);
  if (!keep) return false;
  bool good = n == 3 || n == 7 || (n == 16 && is_rotation(at));
  if (n == 3) *to = (plPose){{at[0], at[1], at[2]}, {1, 0, 0, 0}};
  if (n == 7) *to = (plPose){{at[0], at[1], at[2]}, {at[3], at[4], at[5], at[6]}};
  if (n == 16 && good) *to = (plPose){{at[3], at[7], at[11]}, quat_of_matrix(at, 4)};
  Py_DECREF(keep);
  if (!good)
    refuse("%s must be a position (x, y, z), a pose (x, y, z, qw, qx, qy, qz) or a 4 x 4 matrix%s", what,
           n == 16 ? " of a rotation and a translation" : "");
  return good;
}

const char* path_of(PyObject* value, PyObject** keep) {
  *keep = PyOS_FSPath(value);
  if (!*keep) return NULL;
  if (PyUnicode_Check(*keep)) {
    PyObject* bytes = PyUnicode_EncodeFSDefault(*keep);
    Py_DECREF(*keep);
    *keep = bytes;
  }
  char* text = NULL;
  Py_ssize_t size;
  if (!*keep || PyBytes_AsStringAndSize(*keep, &text, &size)) return NULL;
  if ((size_t)size != strlen(text)) {
    refuse("a path may not contain a zero byte");
    return NULL;
  }
  return text;
}

// ---- a member to Python

static PyObject* many(const Field* f, const char* at, size_t size) {
  PyObject* tuple = PyTuple_New(f->count);
  for (int i = 0; tuple && i < f->count; i++) {
    PyObject* one = record_new(f->table, at + (size_t)i * size);
    if (!one || PyTuple_SetItem(tuple, i, one)) Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject* text_of(const char* text, size_t most) {
  size_t n = 0;
  while (n < most && text[n]) n++;
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)n, "replace");
}

PyObject* field_get(const Field* f, const void* base) {
  const char* at = (const char*)base + f->at;
  int n = 0;
  long long wide;
  const void* pointer;
  switch (f->kind) {
    case FIELD_DOUBLE:
    case FIELD_POSE:
      return f->single ? PyFloat_FromDouble(*(const double*)at) : array_copy((const double*)at, f->count);
    case FIELD_INT:
      if (f->single) return PyLong_FromLong(*(const int*)at);
      void* to;
      PyObject* array = array_new('i', 1, (Py_ssize_t[1]){f->count}, &to);
      if (array) memcpy(to, at, (size_t)f->count * sizeof(int));
      return array;
    case FIELD_LONG:
      return PyLong_FromLong(*(const long*)at);
    case FIELD_INT64:
      memcpy(&wide, at, sizeof wide);
      return PyLong_FromLongLong(wide);
    case FIELD_UINT64: {
      uint64_t bits;
      memcpy(&bits, at, sizeof bits);
      return PyLong_FromUnsignedLongLong(bits);
    }
    case FIELD_BOOL:
      return PyBool_FromLong(*(const bool*)at);
    case FIELD_ENUM:
      memcpy(&n, at, sizeof n);
      return PyUnicode_FromString(word_of(f->words, n));
    case FIELD_CHARS:
      return text_of(at, (size_t)f->count);
    case FIELD_STRUCT:
      return f->single ? record_new(f->table, at) : many(f, at, f->table->size);
    case FIELD_TEXT:
      memcpy(&pointer, at, sizeof pointer);
      return pointer ? text_of(pointer, SIZE_MAX) : Py_NewRef(Py_None);
    case FIELD_MESH:
      memcpy(&pointer, at, sizeof pointer);
      if (!pointer) return Py_NewRef(Py_None);
      plError error = {0};
      plMesh* copy = pl_mesh_copy(pointer, &error);
      return copy ? mesh_new(copy) : raise_error(&error);
    case FIELD_LIST_DOUBLE:
      memcpy(&pointer, at, sizeof pointer);
      memcpy(&n, (const char*)base + f->count_at, sizeof n);
      return array_copy(pointer, (Py_ssize_t)n * f->count);
    case FIELD_LIST_INT:
      memcpy(&pointer, at, sizeof pointer);
      memcpy(&n, (const char*)base + f->count_at, sizeof n);
      PyObject* list = array_new('i', 1, (Py_ssize_t[1]){n}, &to);
      if (list && n) memcpy(to, pointer, (size_t)n * sizeof(int));
      return list;
  }
  return NULL;
}

PyObject* table_dict(const Table* table, const void* base) {
  PyObject* dict = PyDict_New();
  for (int i = 0; dict && i < table->nfield; i++) {
    PyObject* value = field_get(&table->field[i], base);
    if (!value || PyDict_SetItemString(dict, table->field[i].name, value)) Py_CLEAR(dict);
    Py_XDECREF(value);
  }
  return dict;
}

// ---- a member from Python

static int find_name(const plSpec* spec, Reference reference, const char* name) {
  switch (reference) {
    case REFERENCE_BODY:
      return pl_spec_find_body(spec, name);
    case REFERENCE_JOINT:
      return pl_spec_find_joint(spec, name);
    case REFERENCE_DEFORMABLE:
      return pl_spec_find_deformable(spec, name);
    default: {
      int body = pl_spec_find_body(spec, name);
      return body >= 0 ? body : pl_spec_find_joint(spec, name);
    }
  }
}

// "world" is not a body.
static bool reference_of(const Field* f, PyObject* value, const plSpec* spec, const char* path, int* to) {
  const char* name = PyUnicode_AsUTF8AndSize(value, NULL);
  if (!name) return false;
  *to = strcmp(name, "world") || f->reference == REFERENCE_JOINT ? find_name(spec, f->reference, name) : -1;
  if (*to >= 0 || !strcmp(name, "world")) return true;
  refuse("%s names '%s', which is not in the spec", path, name);
  return false;
}

static int set_ints(const Field* f, char* at, PyObject* value, const plSpec* spec, const char* path) {
  if (!f->single) {
    const int* from;
    Py_ssize_t n;
    PyObject* keep = ints_of(value, path, &from, &n);
    if (keep && n != f->count) {
      refuse("%s must have %d whole numbers, got %zd", path, f->count, n);
      Py_CLEAR(keep);
    }
    if (keep) memcpy(at, from, (size_t)n * sizeof(int));
    Py_XDECREF(keep);
    return keep ? 0 : -1;
  }
  int number = -1;
  if (f->reference && spec && PyUnicode_Check(value)) {
    if (!reference_of(f, value, spec, path, &number)) return -1;
  } else {
    long x;
    if (!int_of(value, path, INT_MIN, INT_MAX, &x)) return -1;
    number = (int)x;
  }
  memcpy(at, &number, sizeof number);
  return 0;
}

// Moments of inertia, in the order xx yy zz xy xz yz: these six numbers, the first three, or the matrix.
static int set_inertia(double* to, PyObject* value, const char* path) {
  const double* I;
  Py_ssize_t n;
  PyObject* keep = doubles_of(value, path, -1, false, &I, &n);
  if (!keep) return -1;
  double size = 0;
  for (Py_ssize_t i = 0; i < n; i++) size = fmax(size, fabs(I[i]));
  bool good = n == 3 || n == 6;
  if (n == 9)
    good = fabs(I[1] - I[3]) <= 1e-9 * size && fabs(I[2] - I[6]) <= 1e-9 * size &&
           fabs(I[5] - I[7]) <= 1e-9 * size;
  static const int of_matrix[6] = {0, 4, 8, 1, 2, 5};
  for (int i = 0; good && i < 6; i++) to[i] = n == 9 ? I[of_matrix[i]] : i < n ? I[i] : 0;
  Py_DECREF(keep);
  if (good) return 0;
  refuse("%s must be 3 moments, 6 numbers (xx yy zz xy xz yz) or a symmetric 3 x 3 matrix, got %.200R", path,
         value);
  return -1;
}

static int set_doubles(const Field* f, char* at, PyObject* value, const char* path) {
  if (!strcmp(f->name, "inertia")) return set_inertia((double*)at, value, path);
  if (f->single) return double_of(value, path, (double*)at) ? 0 : -1;
  const double* from;
  Py_ssize_t n;
  // joints have up to 7 positions and 6 velocities, sensors up to 9 columns: fewer may be given
  if (!strcmp(f->name, "noise") && PyFloat_Check(value)) return double_of(value, path, (double*)at) ? 0 : -1;
  bool fewer = !strcmp(f->name, "noise") || !strcmp(f->name, "position") || !strcmp(f->name, "velocity") ||
               !strcmp(f->name, "input");
  PyObject* keep = doubles_of(value, path, fewer ? -1 : f->count, true, &from, &n);
  if (keep && n > f->count) {
    refuse("%s must have at most %d numbers, got %zd", path, f->count, n);
    Py_CLEAR(keep);
  }
  if (keep) memcpy(at, from, (size_t)n * sizeof(double));
  Py_XDECREF(keep);
  return keep ? 0 : -1;
}

static int set_pointer(char* at, const void* pointer) {
  memcpy(at, &pointer, sizeof pointer);
  return 0;
}

static int set_text(char* at, PyObject* value, PyObject* keep, const char* path) {
  if (value == Py_None) return set_pointer(at, NULL);
  PyObject* bytes = NULL;
  const char* text = NULL;
  if (PyUnicode_Check(value) || PyObject_HasAttrString(value, "__fspath__")) text = path_of(value, &bytes);
  if (!text && !PyErr_Occurred()) refuse("%s must be a text, got %.80R", path, value);
  int status = text && !PyList_Append(keep, bytes) ? set_pointer(at, text) : -1;
  Py_XDECREF(bytes);
  return status;
}

// Names of joints in a list.
static PyObject* numbered(const Field* f, PyObject* value, const plSpec* spec, const char* path) {
  PyObject *list = PySequence_List(value), *numbers = list ? PyList_New(0) : NULL;
  for (Py_ssize_t i = 0; numbers && i < PyList_Size(list); i++) {
    PyObject *item = PyList_GetItem(list, i), *number = NULL;
    int index;
    if (!PyUnicode_Check(item))
      number = Py_NewRef(item);
    else if (reference_of(f, item, spec, path, &index))
      number = PyLong_FromLong(index);
    if (!number || PyList_Append(numbers, number)) Py_CLEAR(numbers);
    Py_XDECREF(number);
  }
  Py_XDECREF(list);
  return numbers;
}

// The number of entries is a member that several lists may share: they must agree.
static int set_count(const Field* f, void* base, Py_ssize_t n, const char* path) {
  int count = (int)n, old;
  char* to = (char*)base + f->count_at;
  memcpy(&old, to, sizeof old);
  if (n > INT_MAX || (old > 0 && old != count)) {
    refuse("%s has %zd entries, another list that goes with it has %d", path, n, old);
    return -1;
  }
  memcpy(to, &count, sizeof count);
  return 0;
}

static int set_list(const Field* f, void* base, PyObject* value, PyObject* keep, const plSpec* spec,
                    const char* path) {
  char* at = (char*)base + f->at;
  const void* from = NULL;
  Py_ssize_t n;
  PyObject* array = NULL;
  if (f->kind == FIELD_LIST_INT) {
    PyObject* numbers = f->reference && spec ? numbered(f, value, spec, path) : Py_NewRef(value);
    if (numbers) array = ints_of(numbers, path, (const int**)&from, &n);
    Py_XDECREF(numbers);
  } else {
    array = doubles_of(value, path, -1, false, (const double**)&from, &n);
    if (array && n % f->count) {
      refuse("%s must have %d numbers per entry, got %zd in all", path, f->count, n);
      Py_CLEAR(array);
    }
    n /= f->count;
  }
  int status =
      array && !set_count(f, base, n, path) && !PyList_Append(keep, array) ? set_pointer(at, from) : -1;
  Py_XDECREF(array);
  return status;
}

// A record, a dict of members, for a region also a list of vertices.
static int set_struct(const Table* table, char* at, PyObject* value, PyObject* keep, const plSpec* spec,
                      const char* path) {
  const void* record = record_of(table, value);
  if (record) {
    memcpy(at, record, table->size);
    return 0;
  }
  if (PyDict_Check(value)) return table_set(table, at, value, keep, spec);
  if (table == &table_plRegion) {
    plRegion* region = (plRegion*)at;
    Py_ssize_t n = 0;
    PyObject* array = ints_of(value, path, &region->index, &n);
    int status = array && n < INT_MAX ? PyList_Append(keep, array) : -1;
    region->kind = PL_REGION_INDICES, region->nindex = (int)n;
    Py_XDECREF(array);
    return status;
  }
  refuse("%s must be a dict or a %s, got %.80R", path, table->name, value);
  return -1;
}

int field_set(const Field* f, void* base, PyObject* value, PyObject* keep, const plSpec* spec,
              const char* path) {
  char* at = (char*)base + f->at;
  int number = 0;
  long whole;
  switch (f->kind) {
    case FIELD_POSE:
      return pose_of(value, path, (plPose*)at) ? 0 : -1;
    case FIELD_DOUBLE:
      return set_doubles(f, at, value, path);
    case FIELD_INT:
      return set_ints(f, at, value, spec, path);
    case FIELD_LONG:
      if (!int_of(value, path, LONG_MIN, LONG_MAX, &whole)) return -1;
      memcpy(at, &whole, sizeof whole);
      return 0;
    case FIELD_INT64:
      if (!int_of(value, path, LONG_MIN, LONG_MAX, &whole)) return -1;
      memcpy(at, &(long long){whole}, sizeof(long long));
      return 0;
    case FIELD_UINT64: {
      uint64_t bits = PyLong_Check(value) ? PyLong_AsUnsignedLongLong(value) : 0;
      if (!PyLong_Check(value) || PyErr_Occurred()) {
        PyErr_Clear();
        refuse("%s must be a whole number from 0 to 2^64 - 1, got %.80R", path, value);
        return -1;
      }
      memcpy(at, &bits, sizeof bits);
      return 0;
    }
    case FIELD_BOOL:
      number = PyObject_IsTrue(value);
      if (number < 0) return -1;
      memcpy(at, &(bool){number == 1}, sizeof(bool));
      return 0;
    case FIELD_ENUM:
      if (!word_value(f->words, value, path, &number)) return -1;
      memcpy(at, &number, sizeof number);
      return 0;
    case FIELD_CHARS: {
      const char* text = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
      if (!text || strlen(text) >= (size_t)f->count) {
        if (!PyErr_Occurred()) refuse("%s must be a text of less than %d bytes", path, f->count);
        return -1;
      }
      memset(at, 0, (size_t)f->count);
      memcpy(at, text, strlen(text));
      return 0;
    }
    case FIELD_TEXT:
      return set_text(at, value, keep, path);
    case FIELD_MESH: {
      const plMesh* mesh = mesh_of(value, path);
      return mesh && !PyList_Append(keep, value) ? set_pointer(at, mesh) : -1;
    }
    case FIELD_LIST_DOUBLE:
    case FIELD_LIST_INT:
      return set_list(f, base, value, keep, spec, path);
    case FIELD_STRUCT:
      if (f->single) return set_struct(f->table, at, value, keep, spec, path);
      Py_ssize_t n = PySequence_Check(value) ? PySequence_Size(value) : -1;
      if (n < 0 || n > f->count) {
        PyErr_Clear();
        refuse("%s must be a list of at most %d entries", path, f->count);
        return -1;
      }
      for (Py_ssize_t i = 0; i < n; i++) {
        PyObject* one = PySequence_GetItem(value, i);
        int status = one ? set_struct(f->table, at + (size_t)i * f->table->size, one, keep, spec, path) : -1;
        Py_XDECREF(one);
        if (status) return -1;
      }
      return 0;
  }
  return -1;
}

// ---- several members by name

static const Field* find_field(const Table* table, const char* name) {
  for (int i = 0; i < table->nfield; i++)
    if (!strcmp(table->field[i].name, name)) return &table->field[i];
  return NULL;
}

static PyObject* refuse_member(const Table* table, const char* name) {
  PyObject* words = PyList_New(0);
  for (int k = -1; words && k < table->nfield; k++) {
    const Table* t = k < 0 ? table : table->field[k].table;
    for (int i = 0; t && i < t->nfield; i++) {
      PyObject* word = PyUnicode_FromString(t->field[i].name);
      if (word) PyList_Append(words, word);
      Py_XDECREF(word);
    }
  }
  char kind[100];
  PyOS_snprintf(kind, sizeof kind, "member of %s", table->name);
  if (words) refuse_name(kind, name, words);
  Py_XDECREF(words);
  return NULL;
}

// A member of an inner struct, given without the struct's name: in every entry of an array of them.
static int set_inner(const Table* table, void* base, const char* name, PyObject* value, PyObject* keep,
                     const plSpec* spec) {
  for (int k = 0; k < table->nfield; k++) {
    const Field* outer = &table->field[k];
    const Field* f = outer->table && outer->table != &table_plRegion ? find_field(outer->table, name) : NULL;
    for (int i = 0; f && i < (outer->single ? 1 : outer->count); i++)
      if (field_set(f, (char*)base + outer->at + (size_t)i * outer->table->size, value, keep, spec, name))
        return -1;
    if (f) return 0;
  }
  refuse_member(table, name);
  return -1;
}

// A scheme of time stepping by name, as in a scene; theta and theta_vq given beside it win.
static int set_scheme(plOptions* options, PyObject* value) {
  const char* name = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
  plError error = {0};
  if (!name) {
    if (!PyErr_Occurred()) refuse("a scheme is given by name, got %.80R", value);
    return -1;
  }
  if (!pl_scheme_by_name(name, &options->theta, &options->theta_vq, &error)) return 0;
  raise_error(&error);
  return -1;
}

int table_set(const Table* table, void* base, PyObject* dict, PyObject* keep, const plSpec* spec) {
  PyObject *key, *value;
  // whole structs first: members given beside them win
  for (int round = 0; round < 2; round++) {
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &key, &value)) {
      const char* name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
      if (!name) {
        if (!PyErr_Occurred()) refuse("names of members must be texts, got %.80R", key);
        return -1;
      }
      if (table == &table_plOptions && !strcmp(name, "scheme")) {
        if (round == 0 && set_scheme(base, value)) return -1;
        continue;
      }
      const Field* f = find_field(table, name);
      bool whole = f && f->kind == FIELD_STRUCT;
      if (whole != (round == 0)) continue;
      if (f ? field_set(f, base, value, keep, spec, name) : set_inner(table, base, name, value, keep, spec))
        return -1;
    }
  }
  return 0;
}

// model.c: Model: sizes, names and read-only arrays of a compiled model.
#include <string.h>

#include "module.h"

PyTypeObject* model_type;

PyObject* model_new(Owner* owner, const plModel* model, PyObject* spec) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(model_type, Py_tp_alloc);
  Model* self = (Model*)allocate(model_type, 0);
  if (!self) {
    Py_DECREF((PyObject*)owner);
    return NULL;
  }
  self->owner = owner;
  self->model = model;
  self->spec = Py_XNewRef(spec);
  return (PyObject*)self;
}

static void dealloc(PyObject* self) {
  Model* m = (Model*)self;
  for (int i = 0; i < MODEL_SLOTS; i++) Py_XDECREF(m->cache[i]);
  Py_XDECREF(m->spec);
  Py_XDECREF((PyObject*)m->owner);
  free_object(self);
}

static const plModel* inner(PyObject* self) { return ((Model*)self)->model; }

// ---- arrays

static PyObject* names_tuple(const Array* a, const void* list, Py_ssize_t n) {
  PyObject* tuple = PyTuple_New(n);
  for (Py_ssize_t i = 0; tuple && i < n; i++) {
    PyObject* one;
    if (a->kind == 's') {
      one = PyUnicode_FromString(((char* const*)list)[i]);
    } else if (a->kind == 'e') {
      int value;
      memcpy(&value, (const char*)list + (size_t)i * sizeof(int), sizeof value);
      one = PyUnicode_FromString(word_of(a->words, value));
    } else {
      const plMesh* mesh = ((plMesh* const*)list)[i];
      plMesh* copy = mesh ? pl_mesh_copy(mesh, NULL) : NULL;
      one = !mesh ? Py_NewRef(Py_None) : copy ? mesh_new(copy) : PyErr_NoMemory();
    }
    if (!one || PyTuple_SetItem(tuple, i, one)) Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject* make_array(const Array* a, Owner* owner, const void* base, const plModel* model,
                            bool writable) {
  void* list;
  memcpy(&list, (const char*)base + a->at, sizeof list);
  Py_ssize_t n = a->count(model);
  if (a->kind == 's' || a->kind == 'e' || a->kind == 'm') return names_tuple(a, list, n);
  if (!list && n) {
    PyErr_Format(PyExc_AttributeError, "%s is not there in a replay", a->name);
    return NULL;
  }
  char format = a->kind == 'n' ? 'i' : a->kind;
  writable = writable && a->writable;
  if (a->fortran)
    return array_view((PyObject*)owner, list, format, 3, (Py_ssize_t[3]){n, 3, 3}, (Py_ssize_t[3]){72, 8, 24},
                      writable);
  Py_ssize_t shape[2] = {n, a->inner};
  return array_view((PyObject*)owner, list, format, a->inner > 1 ? 2 : 1, shape, NULL, writable);
}

PyObject* array_get(const Array* a, PyObject** cache, Owner* owner, const void* base, const plModel* model,
                    bool writable) {
  if (a->slot >= 0 && cache[a->slot]) return Py_NewRef(cache[a->slot]);
  const char* at = (const char*)base + a->at;
  if (a->kind == 'i') return PyLong_FromLong(*(const int*)at);
  if (a->kind == 'h') return PyLong_FromUnsignedLongLong(*(const uint64_t*)at);
  cache[a->slot] = make_array(a, owner, base, model, writable);
  return Py_XNewRef(cache[a->slot]);
}

static PyObject* get_array(PyObject* self, void* array) {
  Model* m = (Model*)self;
  return array_get(array, m->cache, m->owner, m->model, m->model, false);
}

// ---- names

static PyObject* names_of(const plModel* model, plKind kind) {
  int n = pl_model_count(model, kind);
  PyObject* list = PyList_New(0);
  for (int i = 0; list && i < n; i++) {
    PyObject* name = PyUnicode_FromString(pl_model_name(model, kind, i));
    if (!name || PyList_Append(list, name)) Py_CLEAR(list);
    Py_XDECREF(name);
  }
  return list;
}

int index_of(const plModel* model, plKind kind, PyObject* value) {
  int n = pl_model_count(model, kind);
  if (PyUnicode_Check(value)) {
    const char* name = PyUnicode_AsUTF8AndSize(value, NULL);
    int index = name ? pl_model_find(model, kind, name) : -1;
    if (name && index < 0) {
      PyObject* names = names_of(model, kind);
      if (names) refuse_name(pl_kind_name(kind), name, names);
      Py_XDECREF(names);
    }
    return index;
  }
  PyObject* number = PyFloat_Check(value) ? NULL : PyNumber_Index(value);
  long index = number ? PyLong_AsLong(number) : -1;
  PyErr_Clear();
  Py_XDECREF(number);
  if (number && index >= 0 && index < n) return (int)index;
  if (number)
    refuse("there is no %s %ld, there are %d", pl_kind_name(kind), index, n);
  else
    refuse("a %s is given by its name or number, got %.80R", pl_kind_name(kind), value);
  return -1;
}

bool side_of(const plModel* model, PyObject* value, plSide* side) {
  const plSide* given = record_of(&table_plSide, value);
  if (value == Py_None) {
    *side = (plSide){PL_SIDE_ANY, 0};
    return true;
  }
  if (given) {
    *side = *given;
    int kinds[] = {-1, -1, PL_KIND_BODY, PL_KIND_SHAPE, PL_KIND_DEFORMABLE};
    int kind = kinds[side->kind];
    if (kind < 0 || (side->index >= 0 && side->index < pl_model_count(model, (plKind)kind))) return true;
    return refuse("there is no %s %d", pl_kind_name((plKind)kind), side->index) != NULL;
  }
  const char* name = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
  if (!name) return refuse("a side is the name of a body or shape, None for any, or a Side") != NULL;
  if (pl_model_find_side(model, name, side)) return true;
  PyObject *all = PyList_New(0), *more = NULL;
  static const plKind kinds[] = {PL_KIND_DEFORMABLE, PL_KIND_BODY, PL_KIND_SHAPE};
  for (int i = 0; all && i < 3; i++) {
    PyObject* names = names_of(model, kinds[i]);
    more = names ? PySequence_Concat(all, names) : NULL;
    Py_XDECREF(names);
    Py_DECREF(all);
    all = more;
  }
  if (all) refuse_name("body or shape", name, all);
  Py_XDECREF(all);
  return false;
}

// The kind of a word; -1 with an exception.
static int kind_of(PyObject* word) {
  for (int k = 0; k < PL_KIND_COUNT; k++)
    if (PyUnicode_Check(word) && !PyUnicode_CompareWithASCIIString(word, pl_kind_name((plKind)k))) return k;
  refuse("a kind is deformable, body, joint, actuator, shape, attachment, constraint or site, got %.80R",
         word);
  return -1;
}

static PyObject* find(PyObject* self, PyObject* arguments) {
  PyObject *word, *name;
  if (!PyArg_ParseTuple(arguments, "OO", &word, &name)) return NULL;
  int kind = kind_of(word), index = kind < 0 ? -1 : index_of(inner(self), (plKind)kind, name);
  return index < 0 ? NULL : PyLong_FromLong(index);
}

static PyObject* names(PyObject* self, PyObject* word) {
  int kind = kind_of(word);
  return kind < 0 ? NULL : names_of(inner(self), (plKind)kind);
}

static PyObject* find_side(PyObject* self, PyObject* name) {
  plSide side;
  return side_of(inner(self), name, &side) ? record_new(&table_plSide, &side) : NULL;
}

static PyObject* find_part(PyObject* self, PyObject* name) {
  plSide side;
  if (!side_of(inner(self), name, &side)) return NULL;
  PyObject *pair = PyTuple_New(2), *kind = PyLong_FromLong(side.kind), *index = PyLong_FromLong(side.index);
  if (!pair || !kind || !index) {
    Py_XDECREF(pair), Py_XDECREF(kind), Py_XDECREF(index);
    return NULL;
  }
  PyTuple_SetItem(pair, 0, kind), PyTuple_SetItem(pair, 1, index);
  return pair;
}

static PyObject* side_name(PyObject* self, PyObject* arguments) {
  PyObject* value;
  plSide side;
  if (!PyArg_ParseTuple(arguments, "O", &value)) return NULL;
  if (!record_of(&table_plSide, value)) {  // an entry of a structured array: (kind, index)
    PyObject* pair = PyObject_CallMethod(value, "tolist", NULL);
    int kind = -1, index = -1;
    bool good = pair && PyTuple_Check(pair) && PyArg_ParseTuple(pair, "ii", &kind, &index);
    PyErr_Clear();
    Py_XDECREF(pair);
    if (!good || kind < 0 || kind > PL_SIDE_DEFORMABLE)
      return refuse("a side is a Side or an entry of contacts['a'], got %.80R", value);
    side = (plSide){(plSideKind)kind, index};
    PyObject* record = record_new(&table_plSide, &side);
    good = record && side_of(inner(self), record, &side);
    Py_XDECREF(record);
    if (!good) return NULL;
  } else if (!side_of(inner(self), value, &side)) {
    return NULL;
  }
  return PyUnicode_FromString(pl_side_name(inner(self), side));
}

static PyObject* covers(PyObject* self, PyObject* arguments) {
  PyObject *a, *b;
  plSide side, of;
  if (!PyArg_ParseTuple(arguments, "OO", &a, &b) || !side_of(inner(self), a, &side) ||
      !side_of(inner(self), b, &of))
    return NULL;
  return PyBool_FromLong(pl_side_equal(side, of) || pl_side_covers(inner(self), side, of));
}

// ---- parameters and options

static PyObject* parameter_paths(PyObject* self, PyObject* none) {
  (void)none;
  const plModel* m = inner(self);
  PyObject* list = PyList_New(0);
  for (int i = 0; list && i < pl_parameter_count(m); i++) {
    plParameterInfo info;
    if (pl_parameter_info(m, i, &info)) continue;
    PyObject* path = PyUnicode_FromString(info.path);
    if (!path || PyList_Append(list, path)) Py_CLEAR(list);
    Py_XDECREF(path);
  }
  return list;
}

static PyObject* parameter_info(PyObject* self, PyObject* value) {
  const plModel* m = inner(self);
  const char* path = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
  long index = path ? pl_parameter_find(m, path) : PyLong_Check(value) ? PyLong_AsLong(value) : -1;
  PyErr_Clear();
  plParameterInfo info;
  if (index < 0 || index > 1 << 30 || pl_parameter_info(m, (int)index, &info)) {
    PyObject* paths = path ? parameter_paths(self, NULL) : NULL;
    if (paths)
      refuse_name("parameter", path, paths);
    else
      refuse("there is no parameter %.80R", value);
    Py_XDECREF(paths);
    return NULL;
  }
  return Py_BuildValue("{s:s,s:s,s:d,s:d}", "path", info.path, "unit", info.unit, "lower", info.lower,
                       "upper", info.upper);
}

static PyObject* get_options(PyObject* self, void* none) {
  (void)none;
  return record_part(&table_plOptions, &inner(self)->par->options, self, NULL);
}

static PyObject* get_spec(PyObject* self, void* none) {
  (void)none;
  Model* m = (Model*)self;
  if (!m->spec) return refuse("the model of a recording has no spec: load the scene that was recorded");
  return Py_NewRef(m->spec);
}

static PyObject* info(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names_of_info[] = {"json", NULL};
  int json = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|p", names_of_info, &json)) return NULL;
  plInfoForm form = json ? PL_INFO_JSON : PL_INFO_TEXT;
  size_t length = pl_model_info(inner(self), form, NULL, 0);
  char* text = PyMem_Malloc(length + 1);
  if (!text) return PyErr_NoMemory();
  pl_model_info(inner(self), form, text, length + 1);
  PyObject* result = PyUnicode_FromStringAndSize(text, (Py_ssize_t)length);
  PyMem_Free(text);
  return result;
}

static PyObject* switch_count(PyObject* self, PyObject* kind) {
  int k;
  if (!word_value(words_plSwitch, kind, "kind", &k)) return NULL;
  return PyLong_FromLong(pl_switch_count(inner(self), (plSwitch)k));
}

// ---- copies: a model is constant, so it is its own copy

static PyObject* self_copy(PyObject* self, PyObject* unused) {
  (void)unused;
  return Py_NewRef(self);
}

static PyObject* reduce(PyObject* self, PyObject* none) {
  (void)none;
  PyObject* spec = get_spec(self, NULL);
  if (!spec) return NULL;
  PyObject *module = PyImport_ImportModule("pliant._pliant"),
           *make = module ? PyObject_GetAttrString(module, "model_from_bytes") : NULL;
  PyObject* result = make ? Py_BuildValue("(O(O))", make, spec) : NULL;
  Py_XDECREF(make);
  Py_XDECREF(module);
  Py_DECREF(spec);
  return result;
}

static PyObject* show(PyObject* self) {
  const plModel* m = inner(self);
  return PyUnicode_FromFormat("<Model: %d deformable%s, %d rigid bod%s, %d shape%s, nq %d, nv %d, nu %d>",
                              m->ndeform, m->ndeform == 1 ? "" : "s", m->nbody, m->nbody == 1 ? "y" : "ies",
                              m->nshape, m->nshape == 1 ? "" : "s", m->nq, m->nv, m->nu);
}

static PyMethodDef methods[] = {
    {"find", find, METH_VARARGS,
     "find($self, kind, name, /)\n--\n\nThe index of a thing by its name; kind is deformable, body, joint, "
     "actuator, shape, attachment, constraint or site."},
    {"names", names, METH_O,
     "names($self, kind, /)\n--\n\nThe names of all things of a kind, in their order."},
    {"find_part", find_part, METH_O,
     "find_part($self, name, /)\n--\n\nKind and index of the deformable, rigid body or shape of that name, "
     "as "
     "numbers of a side in data.contacts."},
    {"find_side", find_side, METH_O,
     "find_side($self, name, /)\n--\n\nThe deformable, rigid body or shape of that name, as a side of "
     "contacts; None: any."},
    {"side_name", side_name, METH_VARARGS,
     "side_name($self, side, /)\n--\n\nThe name of a Side, or of an entry of data.contacts['a'] or ['b']."},
    {"covers", covers, METH_VARARGS, "covers($self, side, of, /)\n--\n\n" DOC_pl_side_covers},
    {"parameter_paths", parameter_paths, METH_NOARGS,
     "parameter_paths($self, /)\n--\n\nThe paths of all parameters, in the order of their numbers."},
    {"parameter_info", parameter_info, METH_O,
     "parameter_info($self, path, /)\n--\n\nPath, unit and range of a parameter, by its path or number."},
    {"sensors", model_sensors, METH_NOARGS,
     "sensors($self, /)\n--\n\nThe sensors as dicts: name, kind, shape of a reading, columns, units, rate "
     "and delay."},
    {"find_sensor", model_find_sensor, METH_O,
     "find_sensor($self, name, /)\n--\n\nThe number of a sensor by its name."},
    {"info", METHOD_KEYWORDS(info), METH_VARARGS | METH_KEYWORDS,
     "info($self, json=False)\n--\n\nWhat the model holds, as tables for people or, with json=True, as a "
     "text "
     "of JSON."},
    {"switch_count", switch_count, METH_O, "switch_count($self, kind, /)\n--\n\n" DOC_pl_switch_count},
    {"__copy__", self_copy, METH_NOARGS, NULL},
    {"__deepcopy__", self_copy, METH_O, NULL},
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyObject* model_from_bytes(PyObject* module, PyObject* bytes) {
  PyObject *type = PyObject_GetAttrString(module, "Spec"),
           *spec = type ? PyObject_CallMethod(type, "from_bytes", "O", bytes) : NULL,
           *model = spec ? PyObject_CallMethod(spec, "compile", NULL) : NULL;
  Py_XDECREF((PyObject*)type);
  Py_XDECREF(spec);
  return model;
}

static PyMethodDef functions[] = {
    {"model_from_bytes", model_from_bytes, METH_O,
     "model_from_bytes(data, /)\n--\n\nThe model of a spec's bytes: what pickle calls."},
    {NULL, NULL, 0, NULL}};

int add_model(PyObject* module) {
  static PyGetSetDef members[MODEL_SLOTS + 64];
  int n = 0;
  members[n++] = (PyGetSetDef){"options", get_options, NULL,
                               "Options of the step, as the scene gave them: a copy.", NULL};
  members[n++] = (PyGetSetDef){"spec_bytes", get_spec, NULL,
                               "What the model was compiled from; Spec.from_bytes makes a Spec of it.", NULL};
  for (int i = 0; i < model_array_count; i++)
    members[n++] =
        (PyGetSetDef){model_arrays[i].name, get_array, NULL, model_arrays[i].doc, (void*)&model_arrays[i]};
  static PyType_Slot slots[] = {
      {Py_tp_doc,
       "A compiled, constant model; any number of Data share it. pliant.load and Spec.compile make one. "
       "Sizes are "
       "nthing, arrays thing_field; none is -1; lengths are in m, masses in kg, times in s."},
      {Py_tp_dealloc, dealloc},
      {Py_tp_repr, show},
      {Py_tp_methods, methods},
      {Py_tp_getset, members},
      {0, NULL}};
  static PyType_Spec spec = {.name = "pliant.Model",
                             .basicsize = sizeof(Model),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                             .slots = slots};
  model_type = make_type(module, &spec);
  return model_type ? PyModule_AddFunctions(module, functions) : -1;
}

// data_state.c: the state of a simulation as bytes and files; parameters, switches, attachments.
#include <string.h>

#include "module.h"

// ---- the state

static PyObject* get_state(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, false);
  if (!data) return NULL;
  if (((Data*)self)->replay)
    return refuse("Replay.restore sets a simulation to the state of a recording's frame");
  size_t size = pl_state_size(data);
  PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  plError error = {0};
  if (bytes && pl_state_get(data, PyBytes_AsString(bytes), size, &error)) {
    Py_CLEAR(bytes);
    raise_error(&error);
  }
  return bytes;
}

static PyObject* set_state(PyObject* self, PyObject* value) {
  plData* data = data_of(self, true);
  if (!data) return NULL;
  Py_buffer buffer;
  if (PyObject_GetBuffer(value, &buffer, PyBUF_SIMPLE)) {
    PyErr_Clear();
    return refuse("a state is bytes that Data.state gave, got %.80R", value);
  }
  plError error = {0};
  plStatus status = pl_state_set(data, buffer.buf, (size_t)buffer.len, &error);
  PyBuffer_Release(&buffer);
  return status ? raise_error(&error) : Py_NewRef(Py_None);
}

static PyObject* get_hash(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, false);
  return data ? PyLong_FromUnsignedLongLong(pl_state_hash(data)) : NULL;
}

static PyObject* get_parameter_hash(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, false);
  return data ? PyLong_FromUnsignedLongLong(pl_parameter_hash(data)) : NULL;
}

static PyObject* with_file(PyObject* self, PyObject* path, bool save) {
  plData* data = data_of(self, !save);
  PyObject* keep = NULL;
  const char* text = data ? path_of(path, &keep) : NULL;
  plError error = {0};
  plStatus status = !text  ? PL_OK
                    : save ? pl_state_save(data, text, &error)
                           : pl_state_load(data, text, &error);
  Py_XDECREF(keep);
  if (!text) return NULL;
  return status ? raise_error(&error) : Py_NewRef(Py_None);
}

static PyObject* save_state(PyObject* self, PyObject* path) { return with_file(self, path, true); }
static PyObject* load_state(PyObject* self, PyObject* path) { return with_file(self, path, false); }

// ---- parameters

// The number of a path; -1 with an exception.
static int parameter_of(const plModel* model, PyObject* value) {
  const char* path = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
  if (!path) {
    long index = PyLong_Check(value) ? PyLong_AsLong(value) : -1;
    PyErr_Clear();
    if (index >= 0 && index < pl_parameter_count(model)) return (int)index;
    refuse("a parameter is given by its path or number, got %.80R", value);
    return -1;
  }
  return pl_parameter_find(model, path);
}

static PyObject* get_parameter(PyObject* self, PyObject* value) {
  plData* data = data_of(self, false);
  if (!data) return NULL;
  int index = parameter_of(data->model, value);
  if (index < 0) {
    if (!PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, value);
    return NULL;
  }
  return PyFloat_FromDouble(pl_parameter_value(data, index));
}

static PyObject* set_parameter(PyObject* self, PyObject* arguments) {
  PyObject *key, *value;
  double number;
  plData* data = data_of(self, true);
  if (!data || !PyArg_ParseTuple(arguments, "OO", &key, &value)) return NULL;
  const char* path = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
  if (!double_of(value, path ? path : "the value of a parameter", &number)) return NULL;
  plError error = {0};
  plStatus status;
  if (path) {
    status = pl_parameter_set(data, path, number, &error);
  } else {
    int index = parameter_of(data->model, key);
    if (index < 0) return NULL;
    status = pl_parameter_set_index(data, index, number, &error);
  }
  return status ? raise_error(&error) : Py_NewRef(Py_None);
}

static PyObject* get_parameters(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, false);
  if (!data) return NULL;
  void* at;
  PyObject* array = array_new('d', 1, (Py_ssize_t[1]){pl_parameter_count(data->model)}, &at);
  if (array) pl_parameters_get(data, at);
  return array;
}

static PyObject* set_parameters(PyObject* self, PyObject* value) {
  plData* data = data_of(self, true);
  if (!data) return NULL;
  const double* from;
  PyObject* keep = doubles_of(value, "the parameters", pl_parameter_count(data->model), true, &from, NULL);
  if (!keep) return NULL;
  plError error = {0};
  plStatus status = pl_parameters_set(data, from, &error);
  Py_DECREF(keep);
  return status ? raise_error(&error) : Py_NewRef(Py_None);
}

static PyObject* reset_parameters(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, true);
  if (!data) return NULL;
  pl_parameters_reset(data);
  return Py_NewRef(Py_None);
}

static PyObject* override_parameters(PyObject* self, PyObject* arguments) {
  PyObject *plain, *names = NULL;
  plData* data = data_of(self, true);
  if (!data || !PyArg_ParseTuple(arguments, "O|O", &plain, &names)) return NULL;
  if (!PyObject_TypeCheck(plain, model_type)) return refuse("override_parameters takes a Model");
  const char* option[64];
  int n = 0, count = 0;
  PyObject* list = names ? PySequence_List(names) : PyList_New(0);
  for (Py_ssize_t i = 0; list && i < PyList_Size(list) && n < 64; i++) {
    PyObject* name = PyList_GetItem(list, i);
    option[n] = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    if (!option[n++]) {
      Py_CLEAR(list);
      if (!PyErr_Occurred()) refuse("names of options are texts");
    }
  }
  if (!list) return NULL;
  plError error = {0};
  plStatus status = pl_parameters_override(data, ((Model*)plain)->model, option, n, &count, &error);
  Py_DECREF(list);
  return status ? raise_error(&error) : PyLong_FromLong(count);
}

static PyObject* get_options(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, false);
  return data ? record_part(&table_plOptions, &data->par->options, self, "options") : NULL;
}

static PyObject* set_options(PyObject* self, PyObject* value) {
  plData* data = data_of(self, true);
  if (!data) return NULL;
  plOptions options = data->par->options;
  const plOptions* given = record_of(&table_plOptions, value);
  if (given)
    options = *given;
  else if (!PyDict_Check(value))
    return refuse("options must be Options or a dict, got %.80R", value);
  else if (table_set(&table_plOptions, &options, value, NULL, NULL))
    return NULL;
  plError error = {0};
  return pl_options_set(data, &options, &error) ? raise_error(&error) : Py_NewRef(Py_None);
}

// ---- switches

static PyObject* switches(PyObject* self, PyObject* kind) {
  plData* data = data_of(self, false);
  int k;
  if (!data || !word_value(words_plSwitch, kind, "kind", &k)) return NULL;
  void* at;
  Py_ssize_t n = pl_switch_count(data->model, (plSwitch)k);
  PyObject* array = array_new('?', 1, &n, &at);
  if (array && n) memcpy(at, data->on[k], (size_t)n);
  return array;
}

static PyObject* set_switch(PyObject* self, PyObject* arguments) {
  PyObject *kind, *which;
  int k, on, index;
  plData* data = data_of(self, true);
  if (!data || !PyArg_ParseTuple(arguments, "OOp", &kind, &which, &on) ||
      !word_value(words_plSwitch, kind, "kind", &k))
    return NULL;
  static const int named[] = {[PL_SWITCH_CONSTRAINT] = PL_KIND_CONSTRAINT,
                              [PL_SWITCH_LIMIT] = -1,
                              [PL_SWITCH_FRICTION] = -1,
                              [PL_SWITCH_ACTUATOR] = PL_KIND_ACTUATOR,
                              [PL_SWITCH_SHAPE] = PL_KIND_SHAPE,
                              [PL_SWITCH_DEFORMABLE] = PL_KIND_DEFORMABLE};
  if (named[k] >= 0) {
    index = index_of(data->model, (plKind)named[k], which);
  } else if (PyUnicode_Check(which)) {  // a joint: its first degree of freedom
    int joint = index_of(data->model, PL_KIND_JOINT, which);
    index = joint < 0 ? -1 : data->model->joint_v0[joint];
  } else {
    index = (int)PyLong_AsLong(which);
    if (PyErr_Occurred()) return NULL;
  }
  if (index < 0 && PyErr_Occurred()) return NULL;
  plError error = {0};
  return pl_switch_set(data, (plSwitch)k, index, on, &error) ? raise_error(&error) : Py_NewRef(Py_None);
}

// ---- attachments

static PyObject* attach(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"deformable", "vertices", "to", NULL};
  PyObject *soft, *vertices, *to = Py_None;
  plData* data = data_of(self, true);
  if (!data || !PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|O", names, &soft, &vertices, &to))
    return NULL;
  int d = index_of(data->model, PL_KIND_DEFORMABLE, soft), id = -1;
  plSide side = {PL_SIDE_WORLD, 0};
  if (d < 0 || (to != Py_None && !side_of(data->model, to, &side))) return NULL;
  if (side.kind != PL_SIDE_WORLD && side.kind != PL_SIDE_BODY && side.kind != PL_SIDE_DEFORMABLE)
    return refuse("vertices are attached to a rigid body, another deformable or the world");
  const int* vert;
  Py_ssize_t n;
  PyObject* keep = ints_of(vertices, "vertices", &vert, &n);
  if (!keep) return NULL;
  plError error = {0};
  plStatus status =
      side.kind == PL_SIDE_DEFORMABLE
          ? pl_attach_deformable(data, d, vert, (int)n, side.index, &id, &error)
          : pl_attach(data, d, vert, (int)n, side.kind == PL_SIDE_BODY ? side.index : -1, &id, &error);
  Py_DECREF(keep);
  return status ? raise_error(&error) : PyLong_FromLong(id);
}

// An attachment of the model by name, or any by number.
static int attachment_of(const plData* data, PyObject* value) {
  if (PyUnicode_Check(value)) return index_of(data->model, PL_KIND_ATTACHMENT, value);
  long id = PyLong_AsLong(value);
  if (!PyErr_Occurred() && id >= 0 && id < data->nattach) return (int)id;
  PyErr_Clear();
  refuse("there is no attachment %.80R, there are %d", value, data->nattach);
  return -1;
}

static PyObject* set_attachment(PyObject* self, PyObject* arguments) {
  PyObject* which;
  int on;
  plData* data = data_of(self, true);
  if (!data || !PyArg_ParseTuple(arguments, "Op", &which, &on)) return NULL;
  int id = attachment_of(data, which);
  plError error = {0};
  if (id < 0) return NULL;
  return pl_attachment_set(data, id, on, &error) ? raise_error(&error) : Py_NewRef(Py_None);
}

static PyObject* attachment_dict(const plAttachment* a) {
  void *vert, *anchor;
  Py_ssize_t n = a->nvert;
  PyObject *v = array_new('i', 1, &n, &vert), *x = array_new('d', 2, (Py_ssize_t[2]){n, 3}, &anchor);
  if (v && x) {
    memcpy(vert, a->vert, (size_t)n * sizeof(int));
    memcpy(anchor, a->anchor, 3 * (size_t)n * sizeof(double));
  }
  PyObject* dict =
      v && x ? Py_BuildValue("{s:O,s:O,s:i,s:i,s:i,s:O,s:O,s:d,s:d}", "on", a->on ? Py_True : Py_False,
                             "exact", a->exact ? Py_True : Py_False, "deformable", a->deformable, "body",
                             a->body, "other", a->other, "vertices", v, "anchors", x, "stiffness",
                             a->stiffness, "relaxation_time", a->relaxation_time)
             : NULL;
  Py_XDECREF(v);
  Py_XDECREF(x);
  return dict;
}

static PyObject* attachments(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, false);
  PyObject* list = data ? PyList_New(0) : NULL;
  for (int i = 0; list && i < data->nattach; i++) {
    PyObject* dict = attachment_dict(&data->attach[i]);
    if (!dict || PyList_Append(list, dict)) Py_CLEAR(list);
    Py_XDECREF(dict);
  }
  return list;
}

static PyObject* attachment_force(PyObject* self, PyObject* which) {
  plData* data = data_of(self, false);
  int id = data ? attachment_of(data, which) : -1;
  if (id < 0) return NULL;
  plWrench wrench;
  plVec3 centre;
  if (pl_attachment_force(data, id, &wrench, &centre)) return refuse("there is no attachment %d", id);
  return Py_BuildValue("(NNN)", array_copy(&wrench.force.x, 3), array_copy(&wrench.moment.x, 3),
                       array_copy(&centre.x, 3));
}

PyMethodDef data_state_methods[] = {
    {"get_state", get_state, METH_NOARGS,
     "get_state($self, /)\n--\n\nThe complete state as bytes, parameters included."},
    {"set_state", set_state, METH_O,
     "set_state($self, state, /)\n--\n\nTakes a state that get_state gave; one of another model raises "
     "Mismatch "
     "and changes nothing."},
    {"get_hash", get_hash, METH_NOARGS, "get_hash($self, /)\n--\n\n" DOC_pl_state_hash},
    {"get_parameter_hash", get_parameter_hash, METH_NOARGS,
     "get_parameter_hash($self, /)\n--\n\n" DOC_pl_parameter_hash},
    {"save_state", save_state, METH_O,
     "save_state($self, path, /)\n--\n\nWrites the state to a file with a check sum."},
    {"load_state", load_state, METH_O,
     "load_state($self, path, /)\n--\n\nReads a state; one of another model raises Mismatch and changes "
     "nothing."},
    {"get_parameter", get_parameter, METH_O,
     "get_parameter($self, path, /)\n--\n\nThe value of a parameter by its path or number; KeyError if there "
     "is none."},
    {"set_parameter", set_parameter, METH_VARARGS,
     "set_parameter($self, path, value, /)\n--\n\n" DOC_pl_parameter_set},
    {"get_parameters", get_parameters, METH_NOARGS,
     "get_parameters($self, /)\n--\n\nAll parameters in the order of model.parameter_paths()."},
    {"set_parameters", set_parameters, METH_O,
     "set_parameters($self, values, /)\n--\n\n" DOC_pl_parameters_set},
    {"reset_parameters", reset_parameters, METH_NOARGS,
     "reset_parameters($self, /)\n--\n\nOptions and parameters are the model's again."},
    {"override_parameters", override_parameters, METH_VARARGS,
     "override_parameters($self, plain, options=(), /)\n--\n\n" DOC_pl_parameters_override},
    {"get_options", get_options, METH_NOARGS,
     "get_options($self, /)\n--\n\nThis simulation's options of the step. Setting a member sets it here."},
    {"set_options", set_options, METH_O, "set_options($self, options, /)\n--\n\n" DOC_pl_options_set},
    {"switches", switches, METH_O,
     "switches($self, kind, /)\n--\n\nWhat is on: kind is constraint, limit, friction, actuator, shape or "
     "deformable; bool, a copy."},
    {"set_switch", set_switch, METH_VARARGS,
     "set_switch($self, kind, which, on, /)\n--\n\nSwitches a thing of a kind, by name or number; limits and "
     "friction by joint or "
     "degree of freedom."},
    {"attach", METHOD_KEYWORDS(attach), METH_VARARGS | METH_KEYWORDS,
     "attach($self, /, deformable, vertices, to=None)\n--\n\nHolds vertices of a deformable where they are "
     "now relative to a rigid "
     "body, another deformable or (None) the world; returns the number of the attachment."},
    {"set_attachment", set_attachment, METH_VARARGS,
     "set_attachment($self, which, on, /)\n--\n\n" DOC_pl_attachment_set},
    {"get_attachments", attachments, METH_NOARGS,
     "get_attachments($self, /)\n--\n\nAll attachments as dicts: those of the model, then those made by "
     "attach."},
    {"attachment_force", attachment_force, METH_O,
     "attachment_force($self, which, /)\n--\n\nForce, moment and centre: " DOC_pl_attachment_force},
    {NULL, NULL, 0, NULL}};

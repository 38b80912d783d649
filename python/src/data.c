// data.c: Data: life, live arrays, the step.
#include <math.h>
#include <string.h>
#include <time.h>

#include "module.h"

PyTypeObject* data_type;
static PyObject *data_class, *contact_dtype, *impulse_dtype;

static void destroy_data(void* data) { pl_data_destroy(data); }

static Data* wrap(PyTypeObject* type, Owner* owner, plData* data, PyObject* model) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Data* self = (Data*)allocate(type, 0);
  if (!self) {
    Py_DECREF((PyObject*)owner);
    return NULL;
  }
  self->owner = owner;
  self->data = data;
  self->model = Py_NewRef(model);
  return self;
}

static PyObject* new_data(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"model", NULL};
  PyObject* model;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O:Data", names, &model)) return NULL;
  if (!PyObject_TypeCheck(model, model_type))
    return refuse("Data is made of a Model (pliant.load gives one), got %.80R", model);
  if (!((Model*)model)->spec)
    return refuse("the model of a recording cannot be simulated: load the scene that was recorded");
  plError error = {0};
  const plModel* m = ((Model*)model)->model;
  plData* data;
  Py_BEGIN_ALLOW_THREADS data = pl_data_create(m, &error);
  Py_END_ALLOW_THREADS if (!data) return raise_error(&error);
  Owner* owner = owner_new(data, destroy_data);
  return owner ? (PyObject*)wrap(type, owner, data, model) : NULL;
}

PyObject* data_of_replay(Owner* owner, plData* data, PyObject* model) {
  Py_INCREF((PyObject*)owner);
  Data* self = wrap((PyTypeObject*)data_class, owner, data, model);
  if (self) self->replay = true;
  return (PyObject*)self;
}

static void dealloc(PyObject* self) {
  Data* d = (Data*)self;
  for (int i = 0; i < DATA_SLOTS; i++) Py_XDECREF(d->cache[i]);
  Py_XDECREF(d->signals);
  Py_XDECREF(d->model);
  Py_XDECREF((PyObject*)d->owner);
  free_object(self);
}

plData* data_of(PyObject* value, bool change) {
  if (!PyObject_TypeCheck(value, data_type)) {
    refuse("a Data is needed, got %.80R", value);
    return NULL;
  }
  Data* d = (Data*)value;
  if (!owner_is_free(d->owner)) return NULL;
  if (change && d->replay) {
    refuse(
        "this Data shows a recording and cannot be changed: make one of the scene's model, and "
        "Replay.restore");
    return NULL;
  }
  return d->data;
}

// ---- the step

enum { LOOK_EVERY_MS = 50 };  // how often a long call looks for Ctrl-C

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

// Steps until n are done, one fails, or it is time to look for signals. *done counts on.
static plStatus steps(plData* data, long n, long* done, plError* error) {
  plStatus status = PL_OK;
  double end = n - *done > 1 ? now_ms() + LOOK_EVERY_MS : 0;
  while (*done < n && !(status = pl_step(data, error))) {
    (*done)++;
    if (*done < n && now_ms() > end) break;
  }
  return status;
}

static PyObject* step(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  Data* d = (Data*)self;
  long n = 1, done = 0;
  if (count > 1) {
    PyErr_Format(PyExc_TypeError, "step takes at most 1 argument (%zd given)", count);
    return NULL;
  }
  if (count == 1) {
    PyObject* index = PyFloat_Check(arguments[0]) ? NULL : PyNumber_Index(arguments[0]);
    n = index ? PyLong_AsLong(index) : -1;
    Py_XDECREF(index);
    PyErr_Clear();
    if (n < 0) return refuse("step takes a whole number of steps, got %.80R", arguments[0]);
  }
  plData* data = data_of(self, true);
  if (!data) return NULL;
  plError error;
  plStatus status = PL_OK;
  d->owner->busy = true;
  while (done < n && !status) {
    Py_BEGIN_ALLOW_THREADS status = steps(data, n, &done, &error);
    Py_END_ALLOW_THREADS if (done < n && !status && PyErr_CheckSignals()) {
      d->owner->busy = false;
      return NULL;
    }
  }
  d->owner->busy = false;
  return status ? raise_step_error(&error, data, done) : Py_NewRef(Py_None);
}

static PyObject* advance(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"time", "accuracy", NULL};
  double time, accuracy = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "d|d", names, &time, &accuracy)) return NULL;
  plData* data = data_of(self, true);
  if (!data) return NULL;
  Data* d = (Data*)self;
  plError error;
  plAdvanceReport r;
  plStatus status;
  d->owner->busy = true;
  Py_BEGIN_ALLOW_THREADS status = pl_advance(data, time, accuracy, &r, &error);
  Py_END_ALLOW_THREADS d->owner->busy = false;
  if (status) return raise_step_error(&error, data, r.samples);
  return Py_BuildValue("{s:i,s:i,s:i,s:l,s:l,s:d}", "samples", r.samples, "steps", r.steps, "rejected",
                       r.rejected, "factorizations", r.factorizations, "searches", r.searches, "error",
                       r.error);
}

static PyObject* restart_sensors(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"seed", NULL};
  int seed = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|i:restart_sensors", names, &seed)) return NULL;
  plData* data = data_of(self, true);
  if (!data) return NULL;
  if (pl_sensor_restart(data, seed))
    return refuse("restart_sensors takes a seed in 0 .. %d, got %d", PL_SENSOR_SEEDS - 1, seed);
  return Py_NewRef(Py_None);
}

static PyObject* reset(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, true);
  if (!data) return NULL;
  pl_data_reset(data);
  return Py_NewRef(Py_None);
}

static PyObject* refresh(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, true);
  if (!data) return NULL;
  pl_data_refresh(data);
  return Py_NewRef(Py_None);
}

static PyObject* clear_forces(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, true);
  if (!data) return NULL;
  pl_clear_forces(data);
  return Py_NewRef(Py_None);
}

static PyObject* copy_from(PyObject* self, PyObject* other) {
  plData* to = data_of(self, true);
  plData* from = to ? data_of(other, false) : NULL;
  if (!from) return NULL;
  if (((Data*)other)->replay) return refuse("Replay.restore sets a simulation to a recording's frame");
  plError error = {0};
  if (to->model == from->model)
    return pl_data_copy(to, from, &error) ? raise_error(&error) : Py_NewRef(Py_None);
  // the same model twice, as one that was pickled: by the bytes, which are refused if they do not fit
  PyObject* state = PyObject_CallMethod(other, "get_state", NULL);
  PyObject* done = state ? PyObject_CallMethod(self, "set_state", "O", state) : NULL;
  Py_XDECREF(state);
  return done;
}

static PyObject* describe_start(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, true);
  PyObject* list = data ? PyList_New(0) : NULL;
  plError error = {0};
  if (list && pl_describe_start(data, warn_into_list, list, &error)) {
    Py_CLEAR(list);
    raise_error(&error);
  }
  return list;
}

PyMethodDef data_methods[] = {
    {"advance", METHOD_KEYWORDS(advance), METH_VARARGS | METH_KEYWORDS,
     "advance($self, time, accuracy=0.0)\n--\n\n" DOC_pl_advance
     " Returns what it did: samples, steps, rejected, factorizations, searches, error."},
    {"step", METHOD_KEYWORDS(step), METH_FASTCALL,
     "step($self, n=1, /)\n--\n\nn time steps; other threads run meanwhile, Ctrl-C ends it between steps. A "
     "step that fails "
     "raises the class of its status (NotConverged, ...) with report, where and steps; the state is as it "
     "was before that "
     "step."},
    {"restart_sensors", METHOD_KEYWORDS(restart_sensors), METH_VARARGS | METH_KEYWORDS,
     "restart_sensors($self, seed=0)\n--\n\n" DOC_pl_sensor_restart},
    {"reset", reset, METH_NOARGS, "reset($self, /)\n--\n\n" DOC_pl_data_reset},
    {"refresh", refresh, METH_NOARGS, "refresh($self, /)\n--\n\n" DOC_pl_data_refresh},
    {"clear_forces", clear_forces, METH_NOARGS, "clear_forces($self, /)\n--\n\n" DOC_pl_clear_forces},
    {"copy_from", copy_from, METH_O,
     "copy_from($self, other, /)\n--\n\nTakes the complete state of another simulation of the same model, "
     "parameters included."},
    {"describe_start", describe_start, METH_NOARGS,
     "describe_start($self, /)\n--\n\nWhat the state violates and constraints will take back, as sentences: "
     "joints outside of "
     "their limits, pairs that overlap."},
    {"signal", data_signal, METH_O,
     "signal($self, name, /)\n--\n\nA signal of docs/scene.md by name, e.g. 'block.com.z': a float; a vector "
     "gives (3,), a list of "
     "names (separated by commas) all columns in order. Looked up once, then kept."},
    {NULL, NULL, 0, NULL}};

// ---- members

static PyObject* get_array(PyObject* self, void* closure) {
  Data* d = (Data*)self;
  const Array* a = closure;
  PyObject* kept = d->cache[a->slot];
  if (kept) return Py_NewRef(kept);
  return array_get(a, d->cache, d->owner, d->data, d->data->model, !d->replay);
}

static int set_array(PyObject* self, PyObject* value, void* closure) {
  const Array* a = closure;
  plData* data = data_of(self, true);
  if (!data) return -1;
  if (!value) {
    PyErr_Format(PyExc_AttributeError, "%s cannot be deleted", a->name);
    return -1;
  }
  // data.q += x and the like: the array itself comes back
  if (value == ((Data*)self)->cache[a->slot]) return 0;
  const double* from;
  PyObject* keep = doubles_of(value, a->name, a->count(data->model) * a->inner, false, &from, NULL);
  if (!keep) return -1;
  double* to;
  memcpy(&to, (char*)data + a->at, sizeof to);
  memmove(to, from, (size_t)(a->count(data->model) * a->inner) * sizeof(double));
  Py_DECREF(keep);
  return 0;
}

static PyObject* get_time(PyObject* self, void* none) {
  (void)none;
  return PyFloat_FromDouble(((Data*)self)->data->time);
}

static int set_time(PyObject* self, PyObject* value, void* none) {
  (void)none;
  plData* data = data_of(self, true);
  double time;
  if (!data || !value || !double_of(value, "time", &time)) return -1;
  if (!isfinite(time)) return refuse("time must be finite"), -1;
  data->time = time;
  return 0;
}

static PyObject* get_model(PyObject* self, void* none) {
  (void)none;
  return Py_NewRef(((Data*)self)->model);
}

static PyObject* get_report(PyObject* self, void* none) {
  (void)none;
  plData* data = data_of(self, false);
  return data ? record_new(&table_plReport, &data->report) : NULL;
}

static PyObject* get_contacts(PyObject* self, void* none) {
  (void)none;
  plData* data = data_of(self, false);
  return data ? rows_copy(data->contact, data->ncontact, sizeof(plContact), contact_dtype) : NULL;
}

static PyObject* get_impulses(PyObject* self, void* none) {
  (void)none;
  plData* data = data_of(self, false);
  return data ? rows_copy(data->impulse, data->nimpulse, sizeof(plImpulse), impulse_dtype) : NULL;
}

static PyObject* get_is_replay(PyObject* self, void* none) {
  (void)none;
  return PyBool_FromLong(((Data*)self)->replay);
}

static int members_of(PyGetSetDef* members) {
  int n = 0;
  members[n++] = (PyGetSetDef){"time", get_time, set_time, "Simulated time (s); may be set.", NULL};
  members[n++] = (PyGetSetDef){"model", get_model, NULL, "The Model that is simulated.", NULL};
  members[n++] = (PyGetSetDef){"report", get_report, NULL, "What the last step did: a Report, a copy.", NULL};
  members[n++] = (PyGetSetDef){
      "contacts", get_contacts, NULL,
      "Contact points of the last step: a structured array, a copy, with a and b (sides: kind, index), "
      "position, normal, "
      "gap, area, force (N on b), slip, stick, tri_a, tri_b; model.side_name(row['a']) names a side.",
      NULL};
  members[n++] = (PyGetSetDef){
      "impulses", get_impulses, NULL,
      "What every constraint but the contacts did in the last step: a structured array, a copy.", NULL};
  members[n++] = (PyGetSetDef){"is_replay", get_is_replay, NULL,
                               "Whether it shows frames of a recording, which cannot be changed.", NULL};
  for (int i = 0; i < data_array_count; i++)
    members[n++] = (PyGetSetDef){data_arrays[i].name, get_array, data_arrays[i].writable ? set_array : NULL,
                                 data_arrays[i].doc, (void*)&data_arrays[i]};
  return n;
}

static PyObject* register_data(PyObject* module, PyObject* class) {
  (void)module;
  PyObject* old = data_class;
  data_class = Py_NewRef(class);
  Py_XDECREF(old);
  return Py_NewRef(Py_None);
}

static PyMethodDef functions[] = {
    {"register_data", register_data, METH_O,
     "register_data(cls, /)\n--\n\nThe class of the simulations that recordings show."},
    {NULL, NULL, 0, NULL}};

static int join(PyMethodDef* to, int n, const PyMethodDef* from) {
  for (; from->ml_name; from++) to[n++] = *from;
  return n;
}

int add_data(PyObject* module) {
  static PyGetSetDef members[DATA_SLOTS + 64];
  static PyMethodDef methods[128];
  int n = join(methods, 0, data_methods);
  n = join(methods, n, data_state_methods);
  n = join(methods, n, data_result_methods);
  n = join(methods, n, data_rigid_methods);
  join(methods, n, data_sensor_methods);
  members_of(members);
  static PyType_Slot slots[] = {
      {Py_tp_doc, "Data(model)\n--\n\nOne simulation: its state, and what the last step wrote."},
      {Py_tp_new, new_data},
      {Py_tp_dealloc, dealloc},
      {Py_tp_methods, methods},
      {Py_tp_getset, members},
      {0, NULL}};
  static PyType_Spec spec = {.name = "pliant._pliant.Data",
                             .basicsize = sizeof(Data),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                             .slots = slots};
  data_type = make_type(module, &spec);
  contact_dtype = table_dtype(&table_plContact);
  impulse_dtype = table_dtype(&table_plImpulse);
  if (!data_type || !contact_dtype || !impulse_dtype) return -1;
  data_class = Py_NewRef((PyObject*)data_type);
  if (PyModule_AddObjectRef(module, "contact_dtype", contact_dtype) ||
      PyModule_AddObjectRef(module, "impulse_dtype", impulse_dtype))
    return -1;
  return PyModule_AddFunctions(module, functions);
}

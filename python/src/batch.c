// batch.c: Batch: rows of state over one model, stepped by all processors (pliant/batch.h).
#include <limits.h>
#include <string.h>

#include "module.h"

enum { TIME, Q, V, U, F_USER, STATUS, STEPS, COST, SLOTS };

typedef struct Batch {
  PyObject_HEAD Owner* owner;
  plBatch* batch;
  PyObject* model;  // a Model
  PyObject* cache[SLOTS];
} Batch;

static void destroy_batch(void* batch) { pl_batch_destroy(batch); }

static PyObject* new_batch(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"model", "rows", "threads", NULL};
  PyObject* model;
  int rows, threads = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "Oi|i:Batch", names, &model, &rows, &threads))
    return NULL;
  if (!PyObject_TypeCheck(model, model_type)) return refuse("Batch is made of a Model, got %.80R", model);
  if (!((Model*)model)->spec) return refuse("the model of a recording cannot be simulated: load the scene");
  plError error = {0};
  plBatch* batch;
  Py_BEGIN_ALLOW_THREADS batch = pl_batch_create(((Model*)model)->model, rows, threads, &error);
  Py_END_ALLOW_THREADS if (!batch) return raise_error(&error);
  Owner* owner = owner_new(batch, destroy_batch);
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Batch* self = owner ? (Batch*)allocate(type, 0) : NULL;
  if (!self) {
    Py_XDECREF((PyObject*)owner);
    return NULL;
  }
  self->owner = owner, self->batch = batch, self->model = Py_NewRef(model);
  return (PyObject*)self;
}

static void dealloc(PyObject* self) {
  Batch* b = (Batch*)self;
  for (int i = 0; i < SLOTS; i++) Py_XDECREF(b->cache[i]);
  Py_XDECREF(b->model);
  Py_XDECREF((PyObject*)b->owner);
  free_object(self);
}

// NULL with an exception while another thread works with it.
static plBatch* batch_of(PyObject* self) {
  Batch* b = (Batch*)self;
  return owner_is_free(b->owner) ? b->batch : NULL;
}

// ---- lists of rows

// The numbers of the rows for which a mask, an array of bool, is true; NULL without an exception: no mask.
static PyObject* rows_of_mask(const plBatch* batch, PyObject* value) {
  PyObject *dtype = PyObject_GetAttrString(value, "dtype"),
           *kind = dtype ? PyObject_GetAttrString(dtype, "kind") : NULL, *list = NULL;
  PyErr_Clear();
  if (kind && PyUnicode_Check(kind) && !PyUnicode_CompareWithASCIIString(kind, "b")) {
    PyObject *one = PyObject_CallMethod(value, "reshape", "i", -1), *found = NULL;
    if (one && PyObject_Size(one) != batch->nrow)
      refuse("a mask of rows must have %d entries, got %zd", batch->nrow, PyObject_Size(one));
    else if (one)
      found = PyObject_CallMethod(one, "nonzero", NULL);
    list = found ? PySequence_GetItem(found, 0) : NULL;
    Py_XDECREF(one);
    Py_XDECREF(found);
  }
  Py_XDECREF(kind);
  Py_XDECREF(dtype);
  return list;
}

// keep: what holds them; None: all rows. False with an exception.
static bool rows_of(const plBatch* batch, PyObject* value, PyObject** keep, const int** row, int* n) {
  Py_ssize_t count = 0;
  *keep = NULL, *row = NULL, *n = 0;
  if (!value || value == Py_None) return true;
  if (PyLong_Check(value)) {
    PyObject* one = PyList_New(1);
    if (!one) return false;
    PyList_SetItem(one, 0, Py_NewRef(value));
    *keep = ints_of(one, "rows", row, &count);
    Py_DECREF(one);
  } else {
    PyObject* list = rows_of_mask(batch, value);
    if (!list && PyErr_Occurred()) return false;
    *keep = ints_of(list ? list : value, "rows", row, &count);
    Py_XDECREF(list);
  }
  *n = (int)count;
  return *keep != NULL;
}

// The exception of a call; RowsFailed also has rows: those that failed.
static PyObject* raise_rows(const plBatch* batch, const plError* error) {
  raise_error(error);
  if (error->status != PL_ERROR_ROWS) return NULL;
  PyObject *type, *value, *trace, *list = PyList_New(0);
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  for (int i = 0; list && i < batch->nrow; i++)
    if (batch->status[i]) {
      PyObject* number = PyLong_FromLong(i);
      if (number) PyList_Append(list, number);
      Py_XDECREF(number);
    }
  if (list && value) PyObject_SetAttrString(value, "rows", list);
  Py_XDECREF(list);
  PyErr_Restore(type, value, trace);
  return NULL;
}

typedef plStatus RowsCall(plBatch* batch, const int* row, int n, plError* error);

// A call that takes rows alone.
static PyObject* on_rows(PyObject* self, PyObject* rows, RowsCall* call) {
  plBatch* batch = batch_of(self);
  PyObject* keep;
  const int* row;
  int n;
  if (!batch || !rows_of(batch, rows, &keep, &row, &n)) return NULL;
  plError error = {0};
  plStatus status;
  Owner* owner = ((Batch*)self)->owner;
  owner->busy = true;
  Py_BEGIN_ALLOW_THREADS status = call(batch, row, n, &error);
  Py_END_ALLOW_THREADS owner->busy = false;
  Py_XDECREF(keep);
  return status ? raise_rows(batch, &error) : Py_NewRef(Py_None);
}

static PyObject* rows_argument(PyObject* arguments, PyObject* keywords, const char* format, PyObject** rows) {
  static char* names[] = {"rows", NULL};
  *rows = Py_None;
  return PyArg_ParseTupleAndKeywords(arguments, keywords, format, names, rows) ? *rows : NULL;
}

static PyObject* reset(PyObject* self, PyObject* arguments, PyObject* keywords) {
  PyObject* rows;
  return rows_argument(arguments, keywords, "|O:reset", &rows) ? on_rows(self, rows, pl_batch_reset) : NULL;
}
static PyObject* look(PyObject* self, PyObject* arguments, PyObject* keywords) {
  PyObject* rows;
  return rows_argument(arguments, keywords, "|O:look", &rows) ? on_rows(self, rows, pl_batch_look) : NULL;
}
static PyObject* restart_sensors(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"seeds", "rows", NULL};
  PyObject *seeds = Py_None, *rows = Py_None, *keep, *numbers = NULL;
  const int *row, *seed = NULL;
  Py_ssize_t count = 0;
  int n;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OO:restart_sensors", names, &seeds, &rows))
    return NULL;
  plBatch* batch = batch_of(self);
  if (!batch || !rows_of(batch, rows, &keep, &row, &n)) return NULL;
  if (!row) n = batch->nrow;
  if (seeds != Py_None) {
    numbers = ints_of(seeds, "seeds", &seed, &count);
    if (numbers && count != n) {
      Py_CLEAR(numbers);
      refuse("restart_sensors takes one seed for each of %d rows, got %zd", n, count);
    }
    if (!numbers) {
      Py_XDECREF(keep);
      return NULL;
    }
  }
  plError error = {0};
  plStatus status = pl_batch_restart_sensors(batch, row, row ? n : 0, seed, &error);
  Py_XDECREF(keep);
  Py_XDECREF(numbers);
  return status ? raise_rows(batch, &error) : Py_NewRef(Py_None);
}
static PyObject* reset_parameters(PyObject* self, PyObject* arguments, PyObject* keywords) {
  PyObject* rows;
  return rows_argument(arguments, keywords, "|O:reset_parameters", &rows)
             ? on_rows(self, rows, pl_batch_parameters_reset)
             : NULL;
}

// ---- steps

// The steps of a batch look for Ctrl-C while they run: user is what Py_BEGIN_ALLOW_THREADS keeps.
static bool signal_came(void* user) {
  PyThreadState** thread = user;
  PyEval_RestoreThread(*thread);
  bool came = PyErr_CheckSignals() != 0;
  *thread = PyEval_SaveThread();
  return came;
}

static PyObject* step(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"n", "rows", NULL};
  PyObject *rows = Py_None, *keep;
  const int* row;
  int nstep = 1, n;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|iO:step", names, &nstep, &rows)) return NULL;
  plBatch* batch = batch_of(self);
  if (!batch || !rows_of(batch, rows, &keep, &row, &n)) return NULL;
  plError error = {0};
  plStatus status;
  Owner* owner = ((Batch*)self)->owner;
  owner->busy = true;
  PyThreadState* thread = PyEval_SaveThread();
  pl_batch_set_stop(batch, signal_came, &thread);
  status = pl_batch_step(batch, row, n, nstep, &error);
  pl_batch_set_stop(batch, NULL, NULL);
  PyEval_RestoreThread(thread);
  owner->busy = false;
  Py_XDECREF(keep);
  if (status == PL_ERROR_CANCELLED) return NULL;  // with the exception of the signal
  return status ? raise_rows(batch, &error) : Py_NewRef(Py_None);
}

// The inputs of a rollout, which may hold NaN: the row then fails, with its name. What holds them is
// returned.
static PyObject* inputs_of(PyObject* value, Py_ssize_t rows, Py_ssize_t nu, const double** at, int* n) {
  PyObject* array = numbers_of(value, "the inputs of a rollout", -1, at, NULL);
  PyObject* shape = array ? PyObject_GetAttrString(array, "shape") : NULL;
  Py_ssize_t first, count, last;
  bool good = shape && PyTuple_Size(shape) == 3 && PyArg_ParseTuple(shape, "nnn", &first, &count, &last) &&
              first == rows && last == nu && count <= INT_MAX;
  if (good) *n = (int)count;
  if (shape && !good)
    refuse("the inputs of a rollout must be an array (%zd, n, %zd), got %R", rows, nu, shape);
  Py_XDECREF(shape);
  if (!good) Py_CLEAR(array);
  return array;
}

static PyObject* rollout(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"view", "u", "n", "nstep", "rows", NULL};
  PyObject *rows = Py_None, *u = Py_None, *keep;
  const int* row;
  int view, n = 0, nstep = 1, nrow;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "i|OiiO:rollout", names, &view, &u, &n, &nstep,
                                   &rows))
    return NULL;
  plBatch* batch = batch_of(self);
  if (!batch || !rows_of(batch, rows, &keep, &row, &nrow)) return NULL;
  Py_ssize_t count = row ? nrow : batch->nrow;
  const double* in = NULL;
  PyObject* inputs = u == Py_None ? NULL : inputs_of(u, count, batch->model->nu, &in, &n);
  void* out = NULL;
  PyObject* array = NULL;
  if (u == Py_None || inputs)
    array = n > 0 ? array_new('d', 3, (Py_ssize_t[3]){count, n, pl_batch_width(batch, view)}, &out)
                  : refuse("a rollout needs inputs u, or their number n");
  plError error = {0};
  plStatus status = PL_OK;
  Owner* owner = ((Batch*)self)->owner;
  if (array) {
    owner->busy = true;
    PyThreadState* thread = PyEval_SaveThread();
    pl_batch_set_stop(batch, signal_came, &thread);
    status = pl_batch_rollout(batch, row, nrow, in, n, nstep, view, out, &error);
    pl_batch_set_stop(batch, NULL, NULL);
    PyEval_RestoreThread(thread);
    owner->busy = false;
  }
  Py_XDECREF(inputs);
  Py_XDECREF(keep);
  // rows that fail are NaN from there on; status and error say why
  if (array && status && status != PL_ERROR_ROWS) {
    Py_CLEAR(array);
    if (status != PL_ERROR_CANCELLED) raise_error(&error);
  }
  return array;
}

static PyObject* row_error(PyObject* self, PyObject* row) {
  plBatch* batch = batch_of(self);
  long i = PyLong_Check(row) ? PyLong_AsLong(row) : -1;
  PyErr_Clear();
  if (!batch) return NULL;
  if (i < 0 || i >= batch->nrow) return refuse("there is no row %.80R", row);
  return PyUnicode_FromString(pl_batch_error(batch, (int)i));
}

// ---- signals

static PyObject* watch(PyObject* self, PyObject* list) {
  plBatch* batch = batch_of(self);
  const char* text = PyUnicode_Check(list) ? PyUnicode_AsUTF8AndSize(list, NULL) : NULL;
  if (!batch) return NULL;
  if (!text) return PyErr_Occurred() ? NULL : refuse("signals are given by name, got %.80R", list);
  plError error = {0};
  plStatus status;
  int view = -1;
  Owner* owner = ((Batch*)self)->owner;
  owner->busy = true;
  Py_BEGIN_ALLOW_THREADS status = pl_batch_watch(batch, text, &view, &error);
  Py_END_ALLOW_THREADS owner->busy = false;
  if (status) return raise_error(&error);
  int width = pl_batch_width(batch, view);
  const plSignals* signals = pl_batch_signals(batch, view);
  PyObject *names = PyTuple_New(width), *units = PyTuple_New(width);
  for (int i = 0; names && units && i < width; i++) {
    PyTuple_SetItem(names, i, PyUnicode_FromString(pl_signals_name(signals, i)));
    PyTuple_SetItem(units, i, PyUnicode_FromString(pl_signals_unit(signals, i)));
  }
  PyObject* array = array_view((PyObject*)owner, batch->view[view], 'd', 2,
                               (Py_ssize_t[2]){batch->nrow, width}, NULL, false);
  if (!names || !units || !array) {
    Py_XDECREF(names), Py_XDECREF(units), Py_XDECREF(array);
    return NULL;
  }
  return Py_BuildValue("(iNNN)", view, array, names, units);
}

// ---- setting rows

static PyObject* copy_row(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"source", "rows", NULL};
  PyObject *rows = Py_None, *keep;
  const int* row;
  int from, n;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "i|O:copy_row", names, &from, &rows)) return NULL;
  plBatch* batch = batch_of(self);
  if (!batch || !rows_of(batch, rows, &keep, &row, &n)) return NULL;
  plError error = {0};
  plStatus status = pl_batch_copy(batch, from, row, n, &error);
  Py_XDECREF(keep);
  return status ? raise_rows(batch, &error) : Py_NewRef(Py_None);
}

static PyObject* set_rows(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"data", "rows", NULL};
  PyObject *rows = Py_None, *from, *keep;
  const int* row;
  int n;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:set", names, &from, &rows)) return NULL;
  plBatch* batch = batch_of(self);
  plData* data = batch ? data_of(from, false) : NULL;
  if (!data || !rows_of(batch, rows, &keep, &row, &n)) return NULL;
  plError error = {0};
  plStatus status = pl_batch_set(batch, row, n, data, &error);
  Py_XDECREF(keep);
  return status ? raise_rows(batch, &error) : Py_NewRef(Py_None);
}

static PyObject* get_row(PyObject* self, PyObject* arguments) {
  int row;
  PyObject* to;
  if (!PyArg_ParseTuple(arguments, "iO:get", &row, &to)) return NULL;
  plBatch* batch = batch_of(self);
  plData* data = batch ? data_of(to, true) : NULL;
  if (!data) return NULL;
  plError error = {0};
  return pl_batch_get(batch, row, data, &error) ? raise_error(&error) : Py_NewRef(Py_None);
}

static PyObject* get_state(PyObject* self, PyObject* arguments) {
  int row;
  if (!PyArg_ParseTuple(arguments, "i:get_state", &row)) return NULL;
  plBatch* batch = batch_of(self);
  if (!batch) return NULL;
  size_t size = pl_batch_state_size(batch, row);
  PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  plError error = {0};
  if (bytes && pl_batch_state_get(batch, row, PyBytes_AsString(bytes), size, &error)) {
    Py_CLEAR(bytes);
    raise_error(&error);
  }
  return bytes;
}

static PyObject* set_state(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"state", "rows", NULL};
  PyObject *rows = Py_None, *keep;
  const char* bytes;
  Py_ssize_t size;
  const int* row;
  int n;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "y#|O:set_state", names, &bytes, &size, &rows))
    return NULL;
  plBatch* batch = batch_of(self);
  if (!batch || !rows_of(batch, rows, &keep, &row, &n)) return NULL;
  plError error = {0};
  plStatus status = pl_batch_state_set(batch, row, n, bytes, (size_t)size, &error);
  Py_XDECREF(keep);
  return status ? raise_rows(batch, &error) : Py_NewRef(Py_None);
}

// ---- inverse kinematics

static PyObject* ik_rates(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"body", "targets", "time", "speed", "joints", "damping", "point", "rows", NULL};
  PyObject *body, *targets, *joints = Py_None, *point = Py_None, *rows = Py_None, *keep = NULL, *poses = NULL,
                            *array = NULL;
  plIkDef def = pl_default_ik_def();
  const int* row;
  const double* target;
  int n;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|ddOdOO:ik_rates", names, &body, &targets,
                                   &def.time, &def.speed, &joints, &def.damping, &point, &rows))
    return NULL;
  plBatch* batch = batch_of(self);
  if (!batch) return NULL;
  const plModel* m = batch->model;
  def.body = index_of(m, PL_KIND_BODY, body);
  if (def.body < 0 || (point != Py_None && !vec3_of(point, "point", &def.point)) ||
      !rows_of(batch, rows, &keep, &row, &n))
    return NULL;
  bool* move = joints == Py_None ? NULL : PyMem_Calloc((size_t)m->nv_rigid + 1, sizeof *move);
  bool good = joints == Py_None || move;
  for (Py_ssize_t i = 0; good && move && i < PySequence_Size(joints); i++) {
    PyObject* name = PySequence_GetItem(joints, i);
    int joint = name ? index_of(m, PL_KIND_JOINT, name) : -1;
    Py_XDECREF(name);
    good = joint >= 0;
    if (good) move[m->joint_v0[joint]] = true;
  }
  def.move = move;
  Py_ssize_t count = row ? n : batch->nrow;
  // what is not finite is refused with its row
  if (good) poses = numbers_of(targets, "targets", 7 * count, &target, NULL);
  void* at = NULL;
  if (poses) array = array_new('d', 2, (Py_ssize_t[2]){count, m->nv_rigid}, &at);
  plError error = {0};
  plStatus status = PL_OK;
  if (array) {
    Owner* owner = ((Batch*)self)->owner;
    owner->busy = true;
    Py_BEGIN_ALLOW_THREADS status =
        pl_batch_ik(batch, row, n, &def, (const plPose*)(const void*)target, at, &error);
    Py_END_ALLOW_THREADS owner->busy = false;
  }
  PyMem_Free(move);
  Py_XDECREF(keep);
  Py_XDECREF(poses);
  if (status) {
    Py_CLEAR(array);
    raise_error(&error);
  }
  return array;
}

// ---- parameters

// A number for each row; a single number is that of all.
static PyObject* one_each(PyObject* values, const char* path, Py_ssize_t n, const double** at) {
  PyObject* numbers = numbers_of(values, path, -1, at, NULL);
  PyObject* ndim = numbers ? PyObject_GetAttrString(numbers, "ndim") : NULL;
  bool single = ndim && PyLong_AsLong(ndim) == 0;
  Py_XDECREF(ndim);
  if (!single) {
    Py_XDECREF(numbers);
    return numbers ? numbers_of(values, path, n, at, NULL) : NULL;
  }
  double one = **at;
  void* to;
  Py_DECREF(numbers);
  PyObject* array = array_new('d', 1, &n, &to);
  for (Py_ssize_t i = 0; array && i < n; i++) ((double*)to)[i] = one;
  *at = array ? to : NULL;
  return array;
}

static PyObject* vary(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"path", "values", "rows", NULL};
  PyObject *rows = Py_None, *values, *keep;
  const char* path;
  const int* row;
  const double* value;
  int n;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "sO|O:vary", names, &path, &values, &rows))
    return NULL;
  plBatch* batch = batch_of(self);
  if (!batch || !rows_of(batch, rows, &keep, &row, &n)) return NULL;
  PyObject* numbers = one_each(values, path, row ? n : batch->nrow, &value);
  plError error = {0};
  plStatus status = numbers ? pl_batch_vary(batch, path, row, n, value, &error) : PL_OK;
  Py_XDECREF(keep);
  if (!numbers) return NULL;
  Py_DECREF(numbers);
  return status ? raise_error(&error) : Py_NewRef(Py_None);
}

static PyObject* get_parameter(PyObject* self, PyObject* arguments) {
  const char* path;
  if (!PyArg_ParseTuple(arguments, "s:parameter", &path)) return NULL;
  plBatch* batch = batch_of(self);
  if (!batch) return NULL;
  int index = pl_parameter_find(batch->model, path);
  if (index < 0) {
    PyObject* paths = PyObject_CallMethod(((Batch*)self)->model, "parameter_paths", NULL);
    if (paths) refuse_name("parameter", path, paths);
    Py_XDECREF(paths);
    return NULL;
  }
  void* at;
  PyObject* array = array_new('d', 1, (Py_ssize_t[1]){batch->nrow}, &at);
  for (int i = 0; array && i < batch->nrow; i++) ((double*)at)[i] = pl_batch_parameter(batch, i, index);
  return array;
}

// ---- members

static PyObject* get_array(PyObject* self, void* closure) {
  Batch* b = (Batch*)self;
  const plBatch* batch = b->batch;
  const plModel* m = batch->model;
  int slot = (int)(intptr_t)closure;
  if (b->cache[slot]) return Py_NewRef(b->cache[slot]);
  void* at[SLOTS] = {batch->time,   batch->q,      batch->v,     batch->u,
                     batch->f_user, batch->status, batch->steps, batch->cost};
  const int width[SLOTS] = {0, m->nq, m->nv, m->nu, m->nv, 0, 0, 0};
  bool line = slot == TIME || slot >= STATUS;
  PyObject* array = array_view((PyObject*)b->owner, at[slot], slot == STATUS || slot == STEPS ? 'i' : 'd',
                               line ? 1 : 2, (Py_ssize_t[2]){batch->nrow, width[slot]}, NULL, slot <= F_USER);
  if (array) b->cache[slot] = Py_NewRef(array);
  return array;
}

static PyObject* get_model(PyObject* self, void* none) {
  (void)none;
  return Py_NewRef(((Batch*)self)->model);
}
static PyObject* get_rows(PyObject* self, void* none) {
  (void)none;
  return PyLong_FromLong(((Batch*)self)->batch->nrow);
}
static PyObject* get_threads(PyObject* self, void* none) {
  (void)none;
  return PyLong_FromLong(((Batch*)self)->batch->threads);
}
static PyObject* get_memory(PyObject* self, void* none) {
  (void)none;
  return PyLong_FromSize_t(pl_batch_memory(((Batch*)self)->batch));
}

static PyMethodDef methods[] = {
    {"step", METHOD_KEYWORDS(step), METH_VARARGS | METH_KEYWORDS,
     "step($self, n=1, rows=None)\n--\n\nn steps of each row; other threads run meanwhile. A row that fails "
     "keeps the "
     "state before the step that failed, and the others go on; then RowsFailed is raised, with rows, and "
     "status and "
     "error(row) say more. Ctrl-C ends it between two steps of each row; steps says how many each took."},
    {"rollout", METHOD_KEYWORDS(rollout), METH_VARARGS | METH_KEYWORDS,
     "rollout($self, view, u=None, n=0, nstep=1, rows=None)\n--\n\n" DOC_pl_batch_rollout
     " Ctrl-C ends it between two steps of each row; steps says how many each took."},
    {"error", row_error, METH_O, "error($self, row, /)\n--\n\n" DOC_pl_batch_error},
    {"add_view", watch, METH_O,
     "add_view($self, signals, /)\n--\n\nIts number, the live array (rows, width), names and units: what "
     "Batch.watch "
     "returns as a View."},
    {"look", METHOD_KEYWORDS(look), METH_VARARGS | METH_KEYWORDS,
     "look($self, rows=None)\n--\n\n" DOC_pl_batch_look},
    {"restart_sensors", METHOD_KEYWORDS(restart_sensors), METH_VARARGS | METH_KEYWORDS,
     "restart_sensors($self, seeds=None, rows=None)\n--\n\n" DOC_pl_batch_restart_sensors},
    {"reset", METHOD_KEYWORDS(reset), METH_VARARGS | METH_KEYWORDS,
     "reset($self, rows=None)\n--\n\n" DOC_pl_batch_reset},
    {"copy_row", METHOD_KEYWORDS(copy_row), METH_VARARGS | METH_KEYWORDS,
     "copy_row($self, source, rows=None)\n--\n\nSets rows to the state of row source, parameters included."},
    {"set", METHOD_KEYWORDS(set_rows), METH_VARARGS | METH_KEYWORDS,
     "set($self, data, rows=None)\n--\n\nSets rows to the state of a simulation of the same model, "
     "parameters included."},
    {"get", get_row, METH_VARARGS,
     "get($self, row, data, /)\n--\n\nSets a simulation to the state of a row."},
    {"get_state", get_state, METH_VARARGS,
     "get_state($self, row, /)\n--\n\nThe complete state of a row as bytes."},
    {"set_state", METHOD_KEYWORDS(set_state), METH_VARARGS | METH_KEYWORDS,
     "set_state($self, state, rows=None)\n--\n\nSets rows to a state in bytes (Data.get_state, get_state)."},
    {"ik_rates", METHOD_KEYWORDS(ik_rates), METH_VARARGS | METH_KEYWORDS,
     "ik_rates($self, body, targets, time=0.01, speed=1.5, joints=None, damping=0.02, point=None, "
     "rows=None)\n--\n\n"
     "Rates (rows, nv_rigid) of the joints (all, or those named) that bring a body of each row to its pose "
     "of targets "
     "(rows, 7: position, quaternion) in time seconds, no joint faster than speed."},
    {"vary", METHOD_KEYWORDS(vary), METH_VARARGS | METH_KEYWORDS,
     "vary($self, path, values, rows=None)\n--\n\nA parameter of rows by path: " DOC_pl_batch_vary},
    {"parameter", get_parameter, METH_VARARGS,
     "parameter($self, path, /)\n--\n\nThe values of a parameter in all rows."},
    {"reset_parameters", METHOD_KEYWORDS(reset_parameters), METH_VARARGS | METH_KEYWORDS,
     "reset_parameters($self, rows=None)\n--\n\nThe parameters of rows become the model's."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef members[] = {
    {"model", get_model, NULL, "The Model that is simulated.", NULL},
    {"rows", get_rows, NULL, "How many rows there are.", NULL},
    {"threads", get_threads, NULL, "How many threads step them.", NULL},
    {"memory", get_memory, NULL, DOC_pl_batch_memory, NULL},
    {"time", get_array, NULL, "(rows,) s; live, may be written.", (void*)(intptr_t)TIME},
    {"q", get_array, NULL, "(rows, nq) positions; live, may be written.", (void*)(intptr_t)Q},
    {"v", get_array, NULL, "(rows, nv) velocities; live, may be written.", (void*)(intptr_t)V},
    {"u", get_array, NULL, "(rows, nu) actuator inputs; live, may be written.", (void*)(intptr_t)U},
    {"f_user", get_array, NULL,
     "(rows, nv) generalised forces added by the user (N, Nm); live, may be written.",
     (void*)(intptr_t)F_USER},
    {"status", get_array, NULL, "(rows,) of the last call that stepped or set the row; 0: all is well. Live.",
     (void*)(intptr_t)STATUS},
    {"steps", get_array, NULL, "(rows,) steps that it took. Live.", (void*)(intptr_t)STEPS},
    {"cost", get_array, NULL, "(rows,) s of wall time a step. Live.", (void*)(intptr_t)COST},
    {NULL, NULL, NULL, NULL, NULL}};

int add_batch(PyObject* module) {
  static PyType_Slot slots[] = {
      {Py_tp_doc,
       "Batch(model, rows, threads=0)\n--\n\nMany simulations of one model, stepped by all processors."},
      {Py_tp_new, new_batch},
      {Py_tp_dealloc, dealloc},
      {Py_tp_methods, methods},
      {Py_tp_getset, members},
      {0, NULL}};
  static PyType_Spec spec = {.name = "pliant._pliant.Batch",
                             .basicsize = sizeof(Batch),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                             .slots = slots};
  return make_type(module, &spec) ? 0 : -1;
}

// replay.c: Replay: the frames of a recording.
#include "module.h"

typedef struct Replay {
  PyObject_HEAD Owner* owner;  // of the plReplay
  PyObject* model;             // a Model and a Data that show it
  PyObject* data;
  PyObject* path;
} Replay;

static plReplay* inner(PyObject* self) { return ((Replay*)self)->owner->thing; }
static void destroy(void* replay) { pl_replay_close(replay); }

static PyObject* new_replay(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"path", NULL};
  PyObject *path, *keep = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O:Replay", names, &path)) return NULL;
  const char* text = path_of(path, &keep);
  plReplay* replay = NULL;
  plError error = {0};
  plStatus status = text ? pl_replay_open(text, &replay, &error) : PL_OK;
  Py_XDECREF(keep);
  if (!text) return NULL;
  if (status) return raise_error(&error);
  Owner* owner = owner_new(replay, destroy);
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Replay* self = owner ? (Replay*)allocate(type, 0) : NULL;
  if (!self) {
    Py_XDECREF((PyObject*)owner);
    return NULL;
  }
  self->owner = owner;
  self->path = PyOS_FSPath(path);
  self->model = model_new((Owner*)Py_NewRef((PyObject*)owner), pl_replay_model(replay), NULL);
  self->data = self->model ? data_of_replay(owner, (plData*)pl_replay_data(replay), self->model) : NULL;
  if (!self->data || !self->path) {
    Py_DECREF(self);
    return NULL;
  }
  return (PyObject*)self;
}

static void dealloc(PyObject* self) {
  Py_XDECREF(((Replay*)self)->path);
  Py_XDECREF(((Replay*)self)->data);
  Py_XDECREF(((Replay*)self)->model);
  Py_XDECREF((PyObject*)((Replay*)self)->owner);
  free_object(self);
}

static PyObject* get_info(PyObject* self, void* none) {
  (void)none;
  return record_new(&table_plReplayInfo, pl_replay_info(inner(self)));
}

static PyObject* get_model(PyObject* self, void* none) {
  (void)none;
  return Py_NewRef(((Replay*)self)->model);
}

static PyObject* get_data(PyObject* self, void* none) {
  (void)none;
  return Py_NewRef(((Replay*)self)->data);
}

static PyObject* get_path(PyObject* self, void* none) {
  (void)none;
  return Py_NewRef(((Replay*)self)->path);
}

static PyObject* get_times(PyObject* self, void* none) {
  (void)none;
  Py_ssize_t n = pl_replay_info(inner(self))->nframe;
  void* at;
  PyObject* array = array_new('d', 1, &n, &at);
  for (Py_ssize_t i = 0; array && i < n; i++) ((double*)at)[i] = pl_replay_time(inner(self), (int)i);
  return array;
}

static Py_ssize_t length(PyObject* self) { return pl_replay_info(inner(self))->nframe; }

static PyObject* item(PyObject* self, Py_ssize_t frame) {
  plError error = {0};
  if (frame < 0 || frame >= length(self)) {
    PyErr_Format(PyExc_IndexError, "there is no frame %zd, there are %zd", frame, length(self));
    return NULL;
  }
  return pl_replay_seek(inner(self), (int)frame, &error) ? raise_error(&error) : get_data(self, NULL);
}

static PyObject* seek(PyObject* self, PyObject* value) {
  Py_ssize_t frame = PyNumber_AsSsize_t(value, PyExc_IndexError);
  if (frame == -1 && PyErr_Occurred()) return NULL;
  return item(self, frame < 0 ? frame + length(self) : frame);
}

static PyObject* nearest(PyObject* self, PyObject* value) {
  double time;
  if (!double_of(value, "time", &time)) return NULL;
  return PyLong_FromLong(pl_replay_nearest(inner(self), time));
}

static PyObject* restore(PyObject* self, PyObject* value) {
  plData* data = data_of(value, true);
  plError error = {0};
  if (!data) return NULL;
  return pl_replay_restore(inner(self), data, &error) ? raise_error(&error) : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"seek", seek, METH_O,
     "seek($self, frame, /)\n--\n\nShows a frame: the replay's one Data, which every export accepts; "
     "replay[frame] is the same. "
     "Negative frames count from the end."},
    {"nearest", nearest, METH_O,
     "nearest($self, time, /)\n--\n\nThe frame nearest in time, -1 if there is none."},
    {"restore", restore, METH_O, "restore($self, data, /)\n--\n\n" DOC_pl_replay_restore},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef members[] = {
    {"info", get_info, NULL, "Number of frames, whether it was finished, what could not be read.", NULL},
    {"model", get_model, NULL, "The recorded model.", NULL},
    {"data", get_data, NULL, "What shows the frames: a Data that cannot be changed.", NULL},
    {"path", get_path, NULL, "The file, as it was given.", NULL},
    {"times", get_times, NULL, "Times of the frames (s).", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

int add_replay(PyObject* module) {
  static PyType_Slot slots[] = {
      {Py_tp_doc, "Replay(path)\n--\n\nA recording: len(replay) frames; replay[i] shows one."},
      {Py_tp_new, new_replay},
      {Py_tp_dealloc, dealloc},
      {Py_tp_methods, methods},
      {Py_tp_getset, members},
      {Py_sq_length, length},
      {Py_sq_item, item},
      {0, NULL}};
  static PyType_Spec spec = {
      .name = "pliant.Replay", .basicsize = sizeof(Replay), .flags = Py_TPFLAGS_DEFAULT, .slots = slots};
  PyTypeObject* type = make_type(module, &spec);
  Py_XDECREF((PyObject*)type);
  return type ? 0 : -1;
}

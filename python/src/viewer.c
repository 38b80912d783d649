// viewer.c: Viewer: the page of a simulation or a recording. The package makes its class of it (_view.py).
//
// The view's threads never touch Python. While one of them steps (start), the simulation's owner is busy, so
// that no other thread uses it.
#include <math.h>
#include <time.h>

#include "module.h"

typedef struct Viewer {
  PyObject_HEAD plView* view;  // NULL: closed
  Owner* owner;                // of the simulation; NULL: a recording
  PyObject* data;
  bool busy;     // a thread waits in it without the interpreter's lock
  bool started;  // a thread of the view steps
} Viewer;

static const double LOOK = 0.05;     // s after which a call that waits looks for Ctrl-C
static const double PATIENCE = 2.0;  // s that a forgotten viewer waits for a step

static plView* inner(PyObject* self) {
  Viewer* v = (Viewer*)self;
  if (!v->view)
    refuse("this viewer was closed");
  else if (v->busy)
    PyErr_SetString(PyExc_RuntimeError, "another thread is waiting in this viewer");
  return v->view && !v->busy ? v->view : NULL;
}

static plStatus open_view(Viewer* v, PyObject* what, const plViewOptions* options, plError* error) {
  plStatus status;
  if (PyObject_TypeCheck(what, data_type)) {
    plData* data = data_of(what, true);
    if (!data) return PL_ERROR_INPUT;
    Py_BEGIN_ALLOW_THREADS status = pl_view_open(data, options, &v->view, error);
    Py_END_ALLOW_THREADS if (status) {
      raise_error(error);
      return status;
    }
    v->data = Py_NewRef(what);
    v->owner = (Owner*)Py_NewRef((PyObject*)((Data*)what)->owner);
    return PL_OK;
  }
  PyObject* keep = NULL;
  const char* path = path_of(what, &keep);
  if (!path) return PL_ERROR_INPUT;
  Py_BEGIN_ALLOW_THREADS status = pl_view_open_recording(path, options, &v->view, error);
  Py_END_ALLOW_THREADS Py_XDECREF(keep);
  if (status) raise_error(error);
  return status;
}

static PyObject* new_viewer(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"what", "name", "bind", "port", "paused", "speed", NULL};
  plViewOptions options = pl_default_view_options();
  PyObject* what;
  int paused = options.paused;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|ssipd:Viewer", names, &what, &options.name,
                                   &options.bind, &options.port, &paused, &options.speed))
    return NULL;
  options.paused = paused;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Viewer* self = (Viewer*)allocate(type, 0);
  if (!self) return NULL;
  plError error = {0};
  if (open_view(self, what, &options, &error)) Py_CLEAR(self);
  return (PyObject*)self;
}

// ---- stepping

// pl_view_sync or pl_view_stop again and again, with a look for Ctrl-C in between; false with an exception.
static bool wait_for(Viewer* v, bool (*call)(plView* view, double seconds)) {
  bool done = false, good = true;
  v->busy = true;
  while (!done && good) {
    Py_BEGIN_ALLOW_THREADS done = call(v->view, LOOK);
    Py_END_ALLOW_THREADS good = done || !PyErr_CheckSignals();
  }
  v->busy = false;
  return good;
}

static PyObject* sync_view(PyObject* self, PyObject* none) {
  (void)none;
  Viewer* v = (Viewer*)self;
  if (!inner(self)) return NULL;
  if (!v->owner || v->started) return Py_NewRef(Py_None);
  if (!owner_is_free(v->owner)) return NULL;
  v->owner->busy = true;
  bool good = wait_for(v, pl_view_sync);
  v->owner->busy = false;
  return good ? Py_NewRef(Py_None) : NULL;
}

static PyObject* start(PyObject* self, PyObject* none) {
  (void)none;
  Viewer* v = (Viewer*)self;
  plError error = {0};
  if (!inner(self)) return NULL;
  if (!v->owner || v->started) return Py_NewRef(Py_None);
  if (!owner_is_free(v->owner)) return NULL;
  if (pl_view_start(v->view, &error)) return raise_error(&error);
  v->started = v->owner->busy = true;
  return Py_NewRef(Py_None);
}

static PyObject* stop(PyObject* self, PyObject* none) {
  (void)none;
  Viewer* v = (Viewer*)self;
  if (!inner(self)) return NULL;
  if (!v->started) return Py_NewRef(Py_None);
  if (!wait_for(v, pl_view_stop)) return NULL;
  v->started = v->owner->busy = false;
  return Py_NewRef(Py_None);
}

// ---- the end

static void let_go(Viewer* v) {
  v->view = NULL;
  Py_CLEAR(v->data);
  Py_CLEAR(v->owner);
}

static PyObject* close_view(PyObject* self, PyObject* none) {
  Viewer* v = (Viewer*)self;
  if (!v->view) return Py_NewRef(Py_None);
  PyObject* stopped = stop(self, none);
  if (!stopped) return NULL;
  Py_DECREF(stopped);
  plView* view = v->view;
  v->view = NULL;
  Py_BEGIN_ALLOW_THREADS pl_view_close(view);
  Py_END_ALLOW_THREADS let_go(v);
  return Py_NewRef(Py_None);
}

// A step that does not end is left to itself, with what it works on.
static void dealloc(PyObject* self) {
  Viewer* v = (Viewer*)self;
  if (v->view) {
    plView* view = v->view;
    bool stopped;
    Py_BEGIN_ALLOW_THREADS stopped = pl_view_stop(view, PATIENCE);
    if (stopped) pl_view_close(view);
    Py_END_ALLOW_THREADS if (stopped) {
      if (v->started) v->owner->busy = false;
    }
    else {
      v->owner = NULL, v->data = NULL;
    }
  }
  let_go(v);
  free_object(self);
}

static PyObject* get_address(PyObject* self, void* none) {
  (void)none;
  plView* view = inner(self);
  return view ? PyUnicode_FromString(pl_view_address(view)) : NULL;
}

static PyObject* get_note(PyObject* self, void* none) {
  (void)none;
  plView* view = inner(self);
  return view ? PyUnicode_FromString(pl_view_note(view)) : NULL;
}

static PyObject* get_pages(PyObject* self, void* none) {
  (void)none;
  plView* view = inner(self);
  return view ? PyLong_FromLong(pl_view_pages(view)) : NULL;
}

static PyObject* get_data(PyObject* self, void* none) {
  (void)none;
  PyObject* data = ((Viewer*)self)->data;
  return Py_NewRef(data ? data : Py_None);
}

static PyObject* get_closed(PyObject* self, void* none) {
  (void)none;
  return PyBool_FromLong(!((Viewer*)self)->view);
}

static PyObject* get_started(PyObject* self, void* none) {
  (void)none;
  return PyBool_FromLong(((Viewer*)self)->started);
}

static PyMethodDef methods[] = {
    {"sync", sync_view, METH_NOARGS,
     "sync($self, /)\n--\n\nAfter a step of your own: shows the state, does what the pages ask (pause, "
     "inputs, "
     "pulls, rewinding) and returns once the next step is due. Ctrl-C ends it. While a hand pulls at a body, "
     "f_user and f_body are the hand's."},
    {"start", start, METH_NOARGS,
     "start($self, /)\n--\n\nA thread of the viewer steps from now on, by the clock and the page's buttons; "
     "until stop() the Data is not yours to use. A recording plays by itself."},
    {"stop", stop, METH_NOARGS,
     "stop($self, /)\n--\n\nEnds start(), waiting for its step: the Data is yours again. The page stays."},
    {"close", close_view, METH_NOARGS,
     "close($self, /)\n--\n\nEnds the page. A viewer that is forgotten closes itself."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef members[] = {
    {"address", get_address, NULL, "The address of the page, for a browser, with the token that may control.",
     NULL},
    {"note", get_note, NULL, "What is odd about the recording, '' if nothing is.", NULL},
    {"pages", get_pages, NULL, "How many pages are open.", NULL},
    {"data", get_data, NULL, "The Data that is shown, None for a recording.", NULL},
    {"closed", get_closed, NULL, "Whether it was closed.", NULL},
    {"started", get_started, NULL, "Whether a thread of the viewer steps.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

int add_viewer(PyObject* module) {
  static PyType_Slot slots[] = {{Py_tp_doc, "The page of a simulation or a recording."},
                                {Py_tp_new, new_viewer},
                                {Py_tp_dealloc, dealloc},
                                {Py_tp_methods, methods},
                                {Py_tp_getset, members},
                                {0, NULL}};
  static PyType_Spec spec = {.name = "pliant._pliant.Viewer",
                             .basicsize = sizeof(Viewer),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                             .slots = slots};
  PyTypeObject* type = make_type(module, &spec);
  Py_XDECREF((PyObject*)type);
  return type ? 0 : -1;
}

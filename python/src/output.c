// output.c: what comes out of a simulation: Recording, Csv, Series, surfaces, pictures.
#include <string.h>

#include "module.h"

// ---- writers: opened with a path, written to once per frame, closed

typedef enum Format { RECORDING, CSV, SERIES } Format;

typedef struct Writer {
  PyObject_HEAD Format format;
  void* file;       // NULL: closed
  PyObject* model;  // kept while it is open
} Writer;

static PyTypeObject* writer_types[3];

static plStatus close_file(Writer* w, plError* error) {
  void* file = w->file;
  w->file = NULL;
  Py_CLEAR(w->model);
  switch (w->format) {
    case RECORDING:
      return pl_recording_close(file, error);
    case CSV:
      return pl_csv_close(file, error);
    default:
      return pl_series_close(file, error);
  }
}

static void dealloc(PyObject* self) {
  Writer* w = (Writer*)self;
  if (w->file) close_file(w, NULL);
  Py_XDECREF(w->model);
  free_object(self);
}

static PyObject* wrap(Format format, void* file, PyObject* model) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(writer_types[format], Py_tp_alloc);
  Writer* self = (Writer*)allocate(writer_types[format], 0);
  Writer closing = {.format = format, .file = file};
  if (!self) {
    close_file(&closing, NULL);
    return NULL;
  }
  self->format = format;
  self->file = file;
  self->model = Py_XNewRef(model);
  return (PyObject*)self;
}

static PyObject* write_frame(PyObject* self, PyObject* value) {
  Writer* w = (Writer*)self;
  plData* data = data_of(value, false);
  if (!data) return NULL;
  if (!w->file) return refuse("this file was closed");
  if (w->model && ((Model*)w->model)->model != data->model)
    return refuse("this file was opened for another model");
  plError error = {0};
  plStatus status = w->format == RECORDING ? pl_recording_write(w->file, data, &error)
                    : w->format == CSV     ? pl_csv_write(w->file, data, &error)
                                           : pl_series_write(w->file, data, &error);
  return status ? raise_error(&error) : Py_NewRef(Py_None);
}

static PyObject* close_writer(PyObject* self, PyObject* none) {
  (void)none;
  plError error = {0};
  if (((Writer*)self)->file && close_file((Writer*)self, &error)) return raise_error(&error);
  return Py_NewRef(Py_None);
}

static PyObject* enter(PyObject* self, PyObject* none) {
  (void)none;
  return Py_NewRef(self);
}

static PyObject* leave(PyObject* self, PyObject* arguments) {
  (void)arguments;
  return close_writer(self, NULL);
}

static PyObject* get_closed(PyObject* self, void* none) {
  (void)none;
  return PyBool_FromLong(!((Writer*)self)->file);
}

static PyMethodDef methods[] = {
    {"write", write_frame, METH_O,
     "write($self, data, /)\n--\n\nAdds the moment of a simulation as a frame."},
    {"close", close_writer, METH_NOARGS,
     "close($self, /)\n--\n\nFinishes the file; nothing happens the second time."},
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", leave, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef members[] = {{"closed", get_closed, NULL, "Whether the file was finished.", NULL},
                                {NULL, NULL, NULL, NULL, NULL}};

// ---- opening

static const plModel* model_of(PyObject* value) {
  if (PyObject_TypeCheck(value, model_type)) return ((Model*)value)->model;
  refuse("a Model is needed, got %.80R", value);
  return NULL;
}

static PyObject* new_recording(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  (void)type;
  static char* names[] = {"path", "model", NULL};
  PyObject *path, *model, *keep = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO:Recording", names, &path, &model)) return NULL;
  const plModel* m = model_of(model);
  const char* text = m ? path_of(path, &keep) : NULL;
  plRecording* file = NULL;
  plError error = {0};
  plStatus status = text ? pl_recording_open(text, m, &file, &error) : PL_OK;
  Py_XDECREF(keep);
  if (!text) return NULL;
  return status ? raise_error(&error) : wrap(RECORDING, file, model);
}

static PyObject* resume(PyObject* type, PyObject* arguments) {
  (void)type;
  PyObject *path, *value, *keep = NULL;
  if (!PyArg_ParseTuple(arguments, "OO", &path, &value)) return NULL;
  plData* data = data_of(value, false);
  const char* text = data ? path_of(path, &keep) : NULL;
  plRecording* file = NULL;
  plError error = {0};
  plStatus status = text ? pl_recording_continue(text, data, &file, &error) : PL_OK;
  Py_XDECREF(keep);
  if (!text) return NULL;
  return status ? raise_error(&error) : wrap(RECORDING, file, ((Data*)value)->model);
}

static PyObject* new_csv(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  (void)type;
  static char* names[] = {"path", "model", "signals", NULL};
  PyObject *path, *model = Py_None, *keep = NULL;
  const char* signals = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|Oz:Csv", names, &path, &model, &signals))
    return NULL;
  if (signals && !model_of(model)) return NULL;
  const char* text = path_of(path, &keep);
  plCsv* file = NULL;
  plError error = {0};
  plStatus status = !text     ? PL_OK
                    : signals ? pl_csv_open(text, ((Model*)model)->model, signals, &file, &error)
                              : pl_csv_open_contacts(text, &file, &error);
  Py_XDECREF(keep);
  if (!text) return NULL;
  return status ? raise_error(&error) : wrap(CSV, file, signals ? model : NULL);
}

static PyObject* new_series(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  (void)type;
  static char* names[] = {"folder", "model", NULL};
  PyObject *path, *model, *keep = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO:Series", names, &path, &model)) return NULL;
  const plModel* m = model_of(model);
  const char* text = m ? path_of(path, &keep) : NULL;
  plSeries* file = NULL;
  plError error = {0};
  plStatus status = text ? pl_series_open(text, m, &file, &error) : PL_OK;
  Py_XDECREF(keep);
  if (!text) return NULL;
  return status ? raise_error(&error) : wrap(SERIES, file, model);
}

// ---- surfaces and pictures

static PyObject* save_surface(PyObject* module, PyObject* arguments) {
  (void)module;
  PyObject *value, *path, *keep = NULL;
  if (!PyArg_ParseTuple(arguments, "OO", &value, &path)) return NULL;
  plData* data = data_of(value, false);
  const char* text = data ? path_of(path, &keep) : NULL;
  size_t n = text ? strlen(text) : 0;
  bool obj = n > 4 && !strcmp(text + n - 4, ".obj"), ply = n > 4 && !strcmp(text + n - 4, ".ply");
  plError error = {0};
  PyObject* result = NULL;
  if (text && !obj && !ply)
    refuse("a surface is saved as .obj or .ply, got '%s'", text);
  else if (text)
    result = (obj ? pl_surface_save_obj : pl_surface_save_ply)(text, data, &error) ? raise_error(&error)
                                                                                   : Py_NewRef(Py_None);
  Py_XDECREF(keep);
  return result;
}

// picture(data, options, path=None): an array (height, width, 3), or a PNG file
static PyObject* picture(PyObject* module, PyObject* arguments) {
  (void)module;
  PyObject *value, *given, *path = Py_None, *keep = NULL;
  if (!PyArg_ParseTuple(arguments, "OO|O", &value, &given, &path)) return NULL;
  plData* data = data_of(value, false);
  const plPictureOptions* options = data ? record_of(&table_plPictureOptions, given) : NULL;
  if (!options) return data ? refuse("PictureOptions are needed, got %.80R", given) : NULL;
  plError error = {0};
  Owner* owner = ((Data*)value)->owner;
  if (path != Py_None) {
    const char* text = path_of(path, &keep);
    plStatus status = text ? pl_picture_draw(data, options, text, &error) : PL_OK;
    Py_XDECREF(keep);
    if (!text) return NULL;
    return status ? raise_error(&error) : Py_NewRef(Py_None);
  }
  if (options->width < 16 || options->height < 16 || options->width > 16384 || options->height > 16384)
    return refuse("a picture has 16 to 16384 pixels on each side, not %d x %d", options->width,
                  options->height);
  void* rgb;
  PyObject* array = array_new('B', 3, (Py_ssize_t[3]){options->height, options->width, 3}, &rgb);
  if (!array) return NULL;
  plStatus status;
  owner->busy = true;
  Py_BEGIN_ALLOW_THREADS status = pl_picture_pixels(data, options, rgb, &error);
  Py_END_ALLOW_THREADS owner->busy = false;
  if (status) {
    Py_CLEAR(array);
    raise_error(&error);
  }
  return array;
}

static PyObject* picture_include(PyObject* module, PyObject* arguments) {
  (void)module;
  PyObject *value, *given;
  if (!PyArg_ParseTuple(arguments, "OO", &value, &given)) return NULL;
  plData* data = data_of(value, false);
  plPictureOptions* options = data ? record_of(&table_plPictureOptions, given) : NULL;
  if (!options) return data ? refuse("PictureOptions are needed, got %.80R", given) : NULL;
  plError error = {0};
  return pl_picture_include(data, options, &error) ? raise_error(&error) : Py_NewRef(Py_None);
}

static PyObject* sensor_sheet(PyObject* module, PyObject* arguments) {
  (void)module;
  PyObject *value, *path, *keep = NULL;
  if (!PyArg_ParseTuple(arguments, "OO", &value, &path)) return NULL;
  plData* data = data_of(value, false);
  const char* text = data ? path_of(path, &keep) : NULL;
  plError error = {0};
  plStatus status = text ? pl_sensor_sheet(data, text, &error) : PL_OK;
  Py_XDECREF(keep);
  if (!text) return NULL;
  return status ? raise_error(&error) : Py_NewRef(Py_None);
}

// One pass over the pictures: to choose the palette, or to add them.
static bool gif_pass(plGif* gif, PyObject* list, Py_ssize_t size, bool add) {
  for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
    Py_buffer buffer;
    plError error = {0};
    if (PyObject_GetBuffer(PyList_GetItem(list, i), &buffer, PyBUF_SIMPLE)) return false;
    bool fits = buffer.len == size;
    plStatus status = !fits ? PL_OK : (add ? pl_gif_add : pl_gif_include)(gif, buffer.buf, &error);
    PyBuffer_Release(&buffer);
    if (!fits) return refuse("picture %zd has another size than the first one", i) != NULL;
    if (status) return raise_error(&error) != NULL;
  }
  return true;
}

static PyObject* save_gif(PyObject* module, PyObject* arguments) {
  (void)module;
  PyObject *path, *list, *keep = NULL;
  int width, height;
  double seconds;
  if (!PyArg_ParseTuple(arguments, "OO!iid", &path, &PyList_Type, &list, &width, &height, &seconds))
    return NULL;
  const char* text = path_of(path, &keep);
  plGif* gif = NULL;
  plError error = {0};
  PyObject* result = NULL;
  Py_ssize_t size = (Py_ssize_t)3 * width * height;
  if (text && pl_gif_open(text, width, height, seconds, &gif, &error)) {
    raise_error(&error);
  } else if (text && gif_pass(gif, list, size, false) && gif_pass(gif, list, size, true)) {
    result = pl_gif_close(gif, &error) ? raise_error(&error) : Py_NewRef(Py_None);
    gif = NULL;
  }
  if (gif) pl_gif_discard(gif);
  Py_XDECREF(keep);
  return result;
}

static PyMethodDef functions[] = {
    {"sensor_sheet", sensor_sheet, METH_VARARGS, "sensor_sheet(data, path, /)\n--\n\n" DOC_pl_sensor_sheet},
    {"gif", save_gif, METH_VARARGS,
     "gif(path, pictures, width, height, seconds, /)\n--\n\nPictures as the bytes of their pixels to a GIF "
     "file; save_gif is the way in."},
    {"save_surface", save_surface, METH_VARARGS,
     "save_surface(data, path, /)\n--\n\nThe surfaces of a moment, deformed "
     "bodies and rigid shapes, as .obj or .ply."},
    {"picture", picture, METH_VARARGS,
     "picture(data, options, path=None, /)\n--\n\nA picture as an array "
     "(height, width, 3) of uint8, or as a PNG file. Data.picture "
     "is the way in."},
    {"picture_include", picture_include, METH_VARARGS,
     "picture_include(data, options, /)\n--\n\n" DOC_pl_picture_include},
    {NULL, NULL, 0, NULL}};

static int add_writer(PyObject* module, Format format, const char* name, const char* doc, newfunc new,
                      PyMethodDef* own) {
  PyType_Slot slots[] = {{Py_tp_doc, (void*)doc}, {Py_tp_new, (void*)new}, {Py_tp_dealloc, dealloc},
                         {Py_tp_methods, own},    {Py_tp_getset, members}, {0, NULL}};
  PyType_Spec spec = {.name = name, .basicsize = sizeof(Writer), .flags = Py_TPFLAGS_DEFAULT, .slots = slots};
  writer_types[format] = make_type(module, &spec);
  return writer_types[format] ? 0 : -1;
}

int add_output(PyObject* module) {
  static PyMethodDef recording_methods[8];
  int n = 0;
  for (; methods[n].ml_name; n++) recording_methods[n] = methods[n];
  recording_methods[n] = (PyMethodDef){"resume", resume, METH_VARARGS | METH_CLASS,
                                       "resume($type, path, data, /)\n--\n\n" DOC_pl_recording_continue};
  if (add_writer(module, RECORDING, "pliant.Recording",
                 "Recording(path, model)\n--\n\nThe model once, then one frame per write; a file that ends "
                 "anywhere is readable up to "
                 "its last whole frame. A file that holds something else is not overwritten.",
                 new_recording, recording_methods) ||
      add_writer(module, CSV, "pliant.Csv",
                 "Csv(path, model=None, signals=None)\n--\n\nA table of signals, one line per write; without "
                 "signals a table of contact "
                 "points.",
                 new_csv, methods) ||
      add_writer(module, SERIES, "pliant.Series",
                 "Series(folder, model)\n--\n\nVTU files and the PVD collection that plays them in ParaView.",
                 new_series, methods))
    return -1;
  return PyModule_AddFunctions(module, functions);
}

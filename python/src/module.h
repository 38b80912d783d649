// module.h: what the files of the extension module share. One file per type; each has a function
// add_TYPE(module) that makes its type and adds it (module.c calls them all).
//
// Who keeps what alive: an Owner holds a thing of the library and destroys it with its last reference. Model,
// Data, Mesh and Replay objects hold an Owner; so do the arrays made of their memory. An array never holds
// the object that caches it: there are no cycles, and nothing waits for the garbage collector.
#ifndef PL_PYTHON_MODULE_H
#define PL_PYTHON_MODULE_H

#include "tables.h"

// ---- errors.c

int add_errors(PyObject* module);
// Raises the class of error's status; returns NULL.
PyObject* raise_error(const plError* error);
// The same with the report of data's last step, and how many steps were done before it.
PyObject* raise_step_error(const plError* error, const plData* data, long steps);
// PyErr_Format, with InputError as the class.
PyObject* refuse(const char* format, ...);
// "KIND has no NAME; did you mean ...?": words is a sequence of str.
PyObject* refuse_name(const char* kind, const char* name, PyObject* words);

// ---- owner.c

typedef struct Owner {
  PyObject_HEAD void* thing;
  void (*destroy)(void* thing);
  bool busy;  // a thread works with it without the interpreter's lock
} Owner;

int add_owner(PyObject* module);
// Takes thing, whatever happens; NULL if memory ran out.
Owner* owner_new(void* thing, void (*destroy)(void* thing));
// False, with an exception, while another thread works with it.
bool owner_is_free(const Owner* owner);

// ---- array.c: memory as numpy arrays, and back

int add_array(PyObject* module);
extern PyObject* numpy;  // the module
// An array of owner's memory. format: 'd', 'i', '?', 'B'; strides NULL: C order.
PyObject* array_view(PyObject* owner, void* at, char format, int ndim, const Py_ssize_t* shape,
                     const Py_ssize_t* strides, bool writable);
// A new array; *at gets its memory.
PyObject* array_new(char format, int ndim, const Py_ssize_t* shape, void** at);
PyObject* array_copy(const double* from, Py_ssize_t n);
PyObject* matrix_copy(const double* column_major, Py_ssize_t rows, Py_ssize_t columns);
// Finite numbers from anything like an array: an object that holds them (release it), NULL with an exception
// that names `what`. n < 0: any number, which is *count (may be NULL). infinite: infinities may be among
// them.
PyObject* numbers_of(PyObject* value, const char* what, Py_ssize_t n, const double** at, Py_ssize_t* count);
// The same, and refuses what is not finite.
PyObject* doubles_of(PyObject* value, const char* what, Py_ssize_t n, bool infinite, const double** at,
                     Py_ssize_t* count);
PyObject* ints_of(PyObject* value, const char* what, const int** at, Py_ssize_t* count);
// A structured dtype of a table's struct.
PyObject* table_dtype(const Table* table);
// n rows of it: a copy.
PyObject* rows_copy(const void* rows, Py_ssize_t n, size_t size, PyObject* dtype);

// ---- value.c: members of structs

// A member as Python sees it, a copy.
PyObject* field_get(const Field* field, const void* base);
// Sets it. keep: a list that holds what pointers refer to (NULL where the struct has none). spec: where names
// are looked up, may be NULL. path goes into messages. -1 with an exception.
int field_set(const Field* field, void* base, PyObject* value, PyObject* keep, const plSpec* spec,
              const char* path);
// Members by name from a dict, or from positional and keyword arguments (METH_FASTCALL | METH_KEYWORDS).
// Names that only an inner struct has go there.
int table_set(const Table* table, void* base, PyObject* dict, PyObject* keep, const plSpec* spec);
PyObject* table_dict(const Table* table, const void* base);
const char* word_of(const Word* words, int value);
// The value of a word; false with an exception that lists the words.
bool word_value(const Word* words, PyObject* text, const char* what, int* value);
bool double_of(PyObject* value, const char* what, double* to);
bool vec3_of(PyObject* value, const char* what, plVec3* to);
bool pose_of(PyObject* value, const char* what, plPose* to);
// UTF-8 of a str or os.PathLike; *keep must be released. NULL with an exception.
const char* path_of(PyObject* value, PyObject** keep);

// ---- record.c: structs as types of the package

int add_records(PyObject* module);
// A new record of the table's type with the struct's bytes.
PyObject* record_new(const Table* table, const void* from);
// The same as a part of an object: setting a member sets the attribute `place` of the owner; NULL: members
// cannot be set.
PyObject* record_part(const Table* table, const void* from, PyObject* owner, const char* place);
// The struct in a record of this type, NULL (no exception) if it is something else.
void* record_of(const Table* table, PyObject* value);

// ---- mesh.c

int add_mesh(PyObject* module);
const plMesh* mesh_of(PyObject* value, const char* what);  // NULL with an exception
PyObject* mesh_new(plMesh* mesh);                          // takes it

// ---- spec.c

int add_spec(PyObject* module);

// ---- model.c

typedef struct Model {
  PyObject_HEAD Owner* owner;  // of the plModel, or of the plReplay whose model it is
  const plModel* model;
  PyObject* spec;  // bytes; NULL: of a recording
  PyObject* cache[MODEL_SLOTS];
} Model;

extern PyTypeObject* model_type;
int add_model(PyObject* module);
// Takes the owner.
PyObject* model_new(Owner* owner, const plModel* model, PyObject* spec);
// An array or number of a plModel or plData. cache: slots of the object; writable false: none is.
PyObject* array_get(const Array* array, PyObject** cache, Owner* owner, const void* base,
                    const plModel* model, bool writable);

// An index from a number or a name; -1 with an exception.
int index_of(const plModel* model, plKind kind, PyObject* value);
// A side by name, None (any) or a Side; false with an exception.
bool side_of(const plModel* model, PyObject* value, plSide* side);

// The index of a sensor by name or number; -1 with an exception.
int sensor_of(const plModel* model, PyObject* value);
PyObject* model_sensors(PyObject* self, PyObject* none);
PyObject* model_find_sensor(PyObject* self, PyObject* name);

// ---- data.c

typedef struct Data {
  PyObject_HEAD Owner* owner;  // of the plData, or of the plReplay that it belongs to
  plData* data;
  PyObject* model;    // a Model
  PyObject* signals;  // dict: names to Signals, made when one is asked for
  bool replay;        // it shows frames of a recording: not to be changed
  PyObject* cache[DATA_SLOTS];
} Data;

extern PyTypeObject* data_type;
int add_data(PyObject* module);
// A simulation that shows a replay's frames, of the class that the package registered.
PyObject* data_of_replay(Owner* owner, plData* data, PyObject* model);
// NULL with an exception: not a Data, in use by another thread, or (change) one of a replay.
plData* data_of(PyObject* value, bool change);
extern PyMethodDef data_methods[], data_result_methods[], data_rigid_methods[], data_state_methods[],
    data_sensor_methods[];

// ---- signals.c, output.c, replay.c, sap.c, batch.c, viewer.c

int add_signals(PyObject* module);
PyObject* data_signal(PyObject* self, PyObject* name);
int add_output(PyObject* module);
int add_replay(PyObject* module);
int add_sap(PyObject* module);
int add_batch(PyObject* module);
int add_viewer(PyObject* module);
// warn functions that append texts to a Python list
void warn_into_list(void* list, const char* text);
plSpec* spec_of(PyObject* value);

// ---- small helpers

PyTypeObject* make_type(PyObject* module, PyType_Spec* spec);
void free_object(PyObject* self);  // the memory of an object of a heap type, and its hold of the type
#define METHOD_KEYWORDS(f) ((PyCFunction)(void (*)(void))(f))

#endif

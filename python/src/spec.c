// spec.c: Spec: definitions by keywords, robots, bytes; and scenes from files and texts.
#include <string.h>

#include "module.h"

typedef struct Spec {
  PyObject_HEAD plSpec* spec;
} Spec;

static PyTypeObject* spec_type;

static PyObject* wrap(PyTypeObject* type, plSpec* spec) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Spec* self = (Spec*)allocate(type, 0);
  if (self)
    self->spec = spec;
  else
    pl_spec_destroy(spec);
  return (PyObject*)self;
}

static plSpec* inner(PyObject* self) { return ((Spec*)self)->spec; }

plSpec* spec_of(PyObject* value) {
  if (PyObject_TypeCheck(value, spec_type)) return inner(value);
  refuse("a Spec is needed, got %.80R", value);
  return NULL;
}

static PyObject* new_spec(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  PyObject* options = NULL;
  static char* names[] = {"options", NULL};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O:Spec", names, &options)) return NULL;
  plSpec* spec = pl_spec_create();
  if (!spec) return PyErr_NoMemory();
  if (options && options != Py_None) {
    const plOptions* given = record_of(&table_plOptions, options);
    if (!given && !PyDict_Check(options)) {
      pl_spec_destroy(spec);
      return refuse("options must be Options or a dict, got %.80R", options);
    }
    if (given) *pl_spec_options(spec) = *given;
    if (!given && table_set(&table_plOptions, pl_spec_options(spec), options, NULL, NULL)) {
      pl_spec_destroy(spec);
      return NULL;
    }
  }
  return wrap(type, spec);
}

static void dealloc(PyObject* self) {
  pl_spec_destroy(inner(self));
  free_object(self);
}

// ---- adding definitions

// Keywords of a call as a dict, and a list that keeps what pointers refer to.
static bool begin(const Table* table, PyObject* arguments, void* def, PyObject** keep) {
  if (PyTuple_Size(arguments)) {
    PyErr_Format(PyExc_TypeError, "%s takes its members as keywords", table->name);
    return false;
  }
  table->defaults(def);
  *keep = PyList_New(0);
  return *keep != NULL;
}

static PyObject* answer(plStatus status, const int* id, plError* error) {
  return status ? raise_error(error) : PyLong_FromLong(*id);
}

typedef union Definition {
  plDeformableDef deformable;
  plFixDef fix;
  plLoadDef load;
  plAttachDef attach;
  plShapeDef shape;
  plBodyDef body;
  plJointDef joint;
  plActuatorDef actuator;
  plConstraintDef constraint;
  plRecordingDef recording;
  plSensorDef sensor;
  plSiteDef site;
} Definition;

// How many numbers of noise were given, and whether there is a region, follows from the keywords.
static plStatus add_noisy_sensor(plSpec* spec, plSensorDef* def, PyObject* keywords, int* id,
                                 plError* error) {
  PyObject* noise = keywords ? PyDict_GetItemString(keywords, "noise") : NULL;
  def->nnoise = !noise ? 0 : PySequence_Check(noise) ? (int)PySequence_Size(noise) : 1;
  def->has_region = keywords && PyDict_GetItemString(keywords, "region") && def->kind != PL_SENSOR_TOUCH;
  return pl_spec_add_sensor(spec, def, id, error);
}

static PyObject* add(PyObject* self, const Table* table, PyObject* arguments, PyObject* keywords) {
  plSpec* spec = inner(self);
  Definition def;
  PyObject *keep = NULL, *result = NULL;
  plError error = {0};
  int id = 0;
  if (!begin(table, arguments, &def, &keep)) return NULL;
  if (keywords && table_set(table, &def, keywords, keep, spec)) {
    Py_DECREF(keep);
    return NULL;
  }
  if (table == &table_plDeformableDef)
    result = answer(pl_spec_add_deformable(spec, &def.deformable, &id, &error), &id, &error);
  else if (table == &table_plAttachDef)
    result = answer(pl_spec_add_attachment(spec, &def.attach, &id, &error), &id, &error);
  else if (table == &table_plShapeDef)
    result = answer(pl_spec_add_shape(spec, &def.shape, &id, &error), &id, &error);
  else if (table == &table_plBodyDef)
    result = answer(pl_spec_add_body(spec, &def.body, &id, &error), &id, &error);
  else if (table == &table_plJointDef)
    result = answer(pl_spec_add_joint(spec, &def.joint, &id, &error), &id, &error);
  else if (table == &table_plActuatorDef)
    result = answer(pl_spec_add_actuator(spec, &def.actuator, &id, &error), &id, &error);
  else if (table == &table_plSiteDef)
    result = answer(pl_spec_add_site(spec, &def.site, &id, &error), &id, &error);
  else if (table == &table_plSensorDef)
    result = answer(add_noisy_sensor(spec, &def.sensor, keywords, &id, &error), &id, &error);
  else if (table == &table_plConstraintDef)
    result = answer(pl_spec_add_constraint(spec, &def.constraint, &id, &error), &id, &error);
  else {
    plStatus status = table == &table_plFixDef    ? pl_spec_add_fix(spec, &def.fix, &error)
                      : table == &table_plLoadDef ? pl_spec_add_load(spec, &def.load, &error)
                                                  : pl_spec_set_recording(spec, &def.recording, &error);
    result = status ? raise_error(&error) : Py_NewRef(Py_None);
  }
  Py_DECREF(keep);
  return result;
}

#define ADDER(name, table)                                                         \
  static PyObject* name(PyObject* self, PyObject* arguments, PyObject* keywords) { \
    return add(self, &table, arguments, keywords);                                 \
  }
ADDER(add_deformable, table_plDeformableDef)
ADDER(add_fix, table_plFixDef)
ADDER(add_load, table_plLoadDef)
ADDER(add_attachment, table_plAttachDef)
ADDER(add_shape, table_plShapeDef)
ADDER(add_body, table_plBodyDef)
ADDER(add_joint, table_plJointDef)
ADDER(add_actuator, table_plActuatorDef)
ADDER(add_constraint, table_plConstraintDef)
ADDER(add_plain_sensor, table_plSensorDef)
ADDER(add_site, table_plSiteDef)
ADDER(set_recording, table_plRecordingDef)

// A joint with a start that its user gave only in part keeps identity quaternions; an actuator whose input is
// given says so.
static PyObject* add_driven(PyObject* self, PyObject* arguments, PyObject* keywords) {
  PyObject* with = keywords ? PyDict_Copy(keywords) : NULL;
  PyObject* name = PyUnicode_FromString("input");
  if (with && name && PyDict_Contains(with, name) == 1 && PyDict_SetItemString(with, "has_input", Py_True))
    Py_CLEAR(with);
  Py_XDECREF(name);
  PyObject* result = PyErr_Occurred() ? NULL : add_actuator(self, arguments, with);
  Py_XDECREF(with);
  return result;
}

// ---- loading: overrides, folders, warnings

typedef struct Loading {
  plLoadOptions options;
  plOverride overrides[256];
  const char* search[64];
  PyObject *keep, *warnings;
} Loading;

void warn_into_list(void* list, const char* text) {
  PyObject* sentence = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
  if (!sentence || PyList_Append(list, sentence)) PyErr_Clear();
  Py_XDECREF(sentence);
}

static const char* keep_text(Loading* l, PyObject* value) {
  PyObject* bytes = NULL;
  const char* text = path_of(value, &bytes);
  if (text && PyList_Append(l->keep, bytes)) text = NULL;
  Py_XDECREF(bytes);
  return text;
}

static bool take_overrides(Loading* l, PyObject* set) {
  PyObject *key, *value;
  Py_ssize_t at = 0;
  if (!PyDict_Check(set)) return refuse("set must be a dict of paths and values") != NULL;
  while (PyDict_Next(set, &at, &key, &value)) {
    if (l->options.noverride == 256) return refuse("more than 256 values are set") != NULL;
    plOverride* o = &l->overrides[l->options.noverride++];
    if (!PyUnicode_Check(key) || !PyUnicode_Check(value))
      return refuse("set must be a dict of texts") != NULL;
    o->key = keep_text(l, key);
    o->value = o->key ? keep_text(l, value) : NULL;
    if (!o->value) return false;
  }
  l->options.overrides = l->overrides;
  return true;
}

static bool take_search(Loading* l, PyObject* search) {
  PyObject* list = PySequence_List(search);
  bool good = list != NULL;
  for (Py_ssize_t i = 0; good && i < PyList_Size(list); i++) {
    if (i == 64) return refuse("more than 64 folders to search") != NULL;
    l->search[i] = keep_text(l, PyList_GetItem(list, i));
    l->options.nsearch = (int)i + 1;
    good = l->search[i] != NULL;
  }
  l->options.search = l->search;
  Py_XDECREF(list);
  return good;
}

// set and search may be NULL or None.
static bool loading_begin(Loading* l, PyObject* set, PyObject* search, int strict) {
  memset(l, 0, sizeof *l);
  l->keep = PyList_New(0);
  l->warnings = PyList_New(0);
  l->options.warn = warn_into_list, l->options.warn_user = l->warnings, l->options.strict = strict != 0;
  return l->keep && l->warnings && (!set || set == Py_None || take_overrides(l, set)) &&
         (!search || search == Py_None || take_search(l, search));
}

static void loading_end(Loading* l) {
  Py_XDECREF(l->keep);
  Py_XDECREF(l->warnings);
}

// read_scene(path, text, folder, set, search, strict, missing_meshes, max_tets): (Spec, warnings)
static PyObject* read_scene(PyObject* module, PyObject* arguments, PyObject* keywords) {
  (void)module;
  static char* names[] = {"path",           "text",     "folder",         "set", "search", "strict",
                          "missing_meshes", "max_tets", "max_mesh_bytes", NULL};
  PyObject *path, *text = Py_None, *folder = NULL, *set = NULL, *search = NULL;
  int strict = 0, missing = 0;
  long most = 0;
  Py_ssize_t bytes = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OOOOppln", names, &path, &text, &folder, &set,
                                   &search, &strict, &missing, &most, &bytes))
    return NULL;
  Loading l;
  plSpec* spec = NULL;
  plError error = {0};
  plStatus status = PL_OK;
  PyObject* result = NULL;
  bool good = loading_begin(&l, set, search, strict);
  l.options.ignore_missing_meshes = missing != 0, l.options.max_tets = most;
  l.options.max_mesh_bytes = (size_t)(bytes > 0 ? bytes : 0);
  const char* file = good ? keep_text(&l, path) : NULL;
  if (file && text == Py_None) {
    status = pl_spec_load(file, &l.options, &spec, &error);
  } else if (file) {
    const char* from = folder ? keep_text(&l, folder) : "";
    Py_ssize_t size = 0;
    const char* utf8 = from ? PyUnicode_AsUTF8AndSize(text, &size) : NULL;
    if (utf8) status = pl_spec_parse(file, from, utf8, (size_t)size, &l.options, &spec, &error);
  }
  if (status)
    raise_error(&error);
  else if (spec)
    result = Py_BuildValue("(NO)", wrap(spec_type, spec), l.warnings);
  loading_end(&l);
  return result;
}

// The value of a keyword, which is taken out; NULL: not given.
static PyObject* take_out(PyObject* keywords, const char* name) {
  PyObject* value = Py_XNewRef(PyDict_GetItemString(keywords, name));
  if (value) PyDict_DelItemString(keywords, name);
  return value;
}

static PyObject* add_robot(PyObject* self, PyObject* arguments, PyObject* keywords) {
  plRobotDef def;
  PyObject *keep = NULL, *own = keywords ? PyDict_Copy(keywords) : PyDict_New(), *result = NULL;
  if (!own || !begin(&table_plRobotDef, arguments, &def, &keep)) {
    Py_XDECREF(own);
    return NULL;
  }
  PyObject *search = take_out(own, "search"), *strict = take_out(own, "strict"),
           *missing = take_out(own, "missing_meshes"), *most = take_out(own, "max_tets"),
           *text = take_out(own, "text");
  Loading l;
  plError error = {0};
  bool good = loading_begin(&l, NULL, search, strict ? PyObject_IsTrue(strict) : 0);
  l.options.ignore_missing_meshes = missing && PyObject_IsTrue(missing) > 0;
  l.options.max_tets = most ? PyLong_AsLong(most) : 0;
  good = good && !PyErr_Occurred() && !table_set(&table_plRobotDef, &def, own, keep, inner(self));
  Py_ssize_t size = 0;
  const char* utf8 = good && text ? PyUnicode_AsUTF8AndSize(text, &size) : NULL;
  if (good && text && !utf8) good = false;
  if (good && !def.file) good = refuse("add_robot needs file=, the path of a robot file") != NULL;
  if (good) {
    plStatus status = text
                          ? pl_spec_parse_robot(inner(self), &def, "", utf8, (size_t)size, &l.options, &error)
                          : pl_spec_add_robot(inner(self), &def, &l.options, &error);
    result = status ? raise_error(&error) : Py_NewRef(l.warnings);
  }
  loading_end(&l);
  Py_XDECREF(search);
  Py_XDECREF(strict);
  Py_XDECREF(missing);
  Py_XDECREF(most);
  Py_XDECREF(text);
  Py_DECREF(own);
  Py_DECREF(keep);
  return result;
}

// ---- changing what is there

static int reference(const plSpec* spec, PyObject* value, int (*find)(const plSpec*, const char*),
                     const char* what) {
  if (PyUnicode_Check(value)) {
    const char* name = PyUnicode_AsUTF8AndSize(value, NULL);
    int id = name ? find(spec, name) : -1;
    if (name && id < 0) refuse("there is no %s '%s' in the spec", what, name);
    return id;
  }
  long id = PyLong_AsLong(value);
  if (id < 0 || id > 1 << 30) {
    PyErr_Clear();
    refuse("a %s is given by name or number, got %.80R", what, value);
    return -1;
  }
  return (int)id;
}

static PyObject* set_joint_start(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"joint", "position", "velocity", NULL};
  PyObject *joint, *position, *velocity = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|O", names, &joint, &position, &velocity))
    return NULL;
  plSpec* spec = inner(self);
  int id = reference(spec, joint, pl_spec_find_joint, "joint");
  const plJointDef* def = id < 0 ? NULL : pl_spec_joint(spec, id);
  if (!def) return PyErr_Occurred() ? NULL : refuse("there is no joint %d", id);
  const double *q = NULL, *v = NULL;
  bool still = !velocity || velocity == Py_None;
  PyObject *a = doubles_of(position, "position", pl_joint_nq(def->kind), false, &q, NULL),
           *b =
               a && !still ? doubles_of(velocity, "velocity", pl_joint_nv(def->kind), false, &v, NULL) : NULL;
  plError error = {0};
  PyObject* result = NULL;
  if (a && (still || b))
    result = pl_spec_set_joint_start(spec, id, q, v, &error) ? raise_error(&error) : Py_NewRef(Py_None);
  Py_XDECREF(a);
  Py_XDECREF(b);
  return result;
}

static PyObject* set_joint_locked(PyObject* self, PyObject* arguments) {
  PyObject* joint;
  int locked;
  if (!PyArg_ParseTuple(arguments, "Op", &joint, &locked)) return NULL;
  int id = reference(inner(self), joint, pl_spec_find_joint, "joint");
  plError error = {0};
  if (id < 0) return NULL;
  return pl_spec_set_joint_locked(inner(self), id, locked, &error) ? raise_error(&error) : Py_NewRef(Py_None);
}

static int find_shape(const plSpec* spec, const char* name) {
  for (int i = 0; i < pl_spec_shape_count(spec); i++)
    if (!strcmp(pl_spec_shape(spec, i)->name, name)) return i;
  return -1;
}

static PyObject* set_surface(PyObject* self, PyObject* arguments, PyObject* keywords) {
  PyObject* shape;
  if (!PyArg_ParseTuple(arguments, "O", &shape)) return NULL;
  int id = reference(inner(self), shape, find_shape, "shape");
  const plShapeDef* def = id < 0 ? NULL : pl_spec_shape(inner(self), id);
  if (!def) return PyErr_Occurred() ? NULL : refuse("there is no shape %d", id);
  plSurface surface = def->surface;
  plError error = {0};
  if (keywords && table_set(&table_plSurface, &surface, keywords, NULL, NULL)) return NULL;
  return pl_spec_set_surface(inner(self), id, &surface, &error) ? raise_error(&error) : Py_NewRef(Py_None);
}

static PyObject* set_actuator(PyObject* self, PyObject* arguments, PyObject* keywords) {
  PyObject* actuator;
  if (!PyArg_ParseTuple(arguments, "O", &actuator)) return NULL;
  int id = reference(inner(self), actuator, pl_spec_find_actuator, "actuator");
  const plActuatorDef* old = id < 0 ? NULL : pl_spec_actuator(inner(self), id);
  if (!old) return PyErr_Occurred() ? NULL : refuse("there is no actuator %d", id);
  plActuatorDef def = *old;
  PyObject* keep = PyList_New(0);
  plError error = {0};
  PyObject* result = NULL;
  PyObject* time = keywords ? PyDict_GetItemString(keywords, "time") : NULL;
  if (time) def.ntime = 0;
  if (keep && (!keywords || !table_set(&table_plActuatorDef, &def, keywords, keep, inner(self))))
    result = pl_spec_set_actuator(inner(self), id, &def, &error) ? raise_error(&error) : Py_NewRef(Py_None);
  Py_XDECREF(keep);
  return result;
}

static PyObject* exclude(PyObject* self, PyObject* arguments) {
  PyObject* given[2];
  plSide side[2];
  if (!PyArg_ParseTuple(arguments, "OO", &given[0], &given[1])) return NULL;
  for (int i = 0; i < 2; i++) {
    const char* name = PyUnicode_Check(given[i]) ? PyUnicode_AsUTF8AndSize(given[i], NULL) : NULL;
    if (!name) return PyErr_Occurred() ? NULL : refuse("exclude takes names of bodies, or 'world'");
    int body = pl_spec_find_body(inner(self), name), soft = pl_spec_find_deformable(inner(self), name);
    if (body < 0 && soft < 0 && strcmp(name, "world"))
      return refuse("there is no body '%s' in the spec", name);
    side[i] = body >= 0   ? (plSide){PL_SIDE_BODY, body}
              : soft >= 0 ? (plSide){PL_SIDE_DEFORMABLE, soft}
                          : (plSide){PL_SIDE_WORLD, 0};
  }
  plError error = {0};
  return pl_spec_exclude(inner(self), side[0], side[1], &error) ? raise_error(&error) : Py_NewRef(Py_None);
}

// ---- looking

#define LOOK(name, count, get, table)                             \
  static PyObject* name(PyObject* self, PyObject* none) {         \
    (void)none;                                                   \
    int n = count(inner(self));                                   \
    PyObject* list = PyList_New(0);                               \
    for (int i = 0; list && i < n; i++) {                         \
      PyObject* dict = table_dict(&(table), get(inner(self), i)); \
      if (!dict || PyList_Append(list, dict)) Py_CLEAR(list);     \
      Py_XDECREF(dict);                                           \
    }                                                             \
    return list;                                                  \
  }
LOOK(bodies, pl_spec_body_count, pl_spec_body, table_plBodyDef)
LOOK(joints, pl_spec_joint_count, pl_spec_joint, table_plJointDef)
LOOK(actuators, pl_spec_actuator_count, pl_spec_actuator, table_plActuatorDef)
LOOK(constraints, pl_spec_constraint_count, pl_spec_constraint, table_plConstraintDef)
LOOK(shapes, pl_spec_shape_count, pl_spec_shape, table_plShapeDef)
LOOK(sensors, pl_spec_sensor_count, pl_spec_sensor, table_plSensorDef)
LOOK(deformables, pl_spec_deformable_count, pl_spec_deformable, table_plDeformableDef)

static PyObject* recording(PyObject* self, PyObject* none) {
  (void)none;
  return table_dict(&table_plRecordingDef, pl_spec_recording(inner(self)));
}

static PyObject* body_pose(PyObject* self, PyObject* body) {
  int id = reference(inner(self), body, pl_spec_find_body, "body");
  if (id < 0) return NULL;
  if (id >= pl_spec_body_count(inner(self))) return refuse("there is no body %d", id);
  plPose pose = pl_spec_body_pose(inner(self), id);
  return array_copy(&pose.p.x, 7);
}

static PyObject* get_options(PyObject* self, void* none) {
  (void)none;
  return record_part(&table_plOptions, pl_spec_options(inner(self)), self, "options");
}

static int set_options(PyObject* self, PyObject* value, void* none) {
  (void)none;
  plOptions options = *pl_spec_options(inner(self));
  const plOptions* given = value ? record_of(&table_plOptions, value) : NULL;
  if (given) options = *given;
  if (!given && !(value && PyDict_Check(value))) {
    refuse("options must be Options or a dict");
    return -1;
  }
  if (!given && table_set(&table_plOptions, &options, value, NULL, NULL)) return -1;
  plError error = {0};
  if (pl_options_check(&options, &error)) {
    raise_error(&error);
    return -1;
  }
  *pl_spec_options(inner(self)) = options;
  return 0;
}

// ---- bytes and model

static PyObject* to_bytes(PyObject* self, PyObject* none) {
  (void)none;
  size_t size = pl_spec_size(inner(self));
  PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  plError error = {0};
  if (bytes && pl_spec_write(inner(self), PyBytes_AsString(bytes), size, &error)) {
    Py_CLEAR(bytes);
    raise_error(&error);
  }
  return bytes;
}

static PyObject* from_bytes(PyObject* type, PyObject* value) {
  char* bytes;
  Py_ssize_t size;
  if (PyBytes_AsStringAndSize(value, &bytes, &size)) return NULL;
  plSpec* spec = NULL;
  plError error = {0};
  if (pl_spec_read(bytes, (size_t)size, &spec, &error)) return raise_error(&error);
  return wrap((PyTypeObject*)type, spec);
}

static void destroy_model(void* model) { pl_model_destroy(model); }

static PyObject* compile(PyObject* self, PyObject* none) {
  PyObject* bytes = to_bytes(self, none);
  if (!bytes) return NULL;
  plError error = {0};
  const plModel* model;
  plSpec* spec = inner(self);
  Py_BEGIN_ALLOW_THREADS model = pl_model_create(spec, &error);
  Py_END_ALLOW_THREADS PyObject* made = NULL;
  if (!model) {
    raise_error(&error);
  } else {
    Owner* owner = owner_new((void*)model, destroy_model);
    made = owner ? model_new(owner, model, bytes) : NULL;
  }
  Py_DECREF(bytes);
  return made;
}

static PyObject* copy(PyObject* self, PyObject* unused) {
  (void)unused;
  PyObject* bytes = to_bytes(self, NULL);
  PyObject* made = bytes ? from_bytes((PyObject*)Py_TYPE(self), bytes) : NULL;
  Py_XDECREF(bytes);
  return made;
}

static PyObject* reduce(PyObject* self, PyObject* none) {
  PyObject *bytes = to_bytes(self, none),
           *make = PyObject_GetAttrString((PyObject*)Py_TYPE(self), "from_bytes");
  PyObject* result = bytes && make ? Py_BuildValue("(O(O))", make, bytes) : NULL;
  Py_XDECREF(bytes);
  Py_XDECREF(make);
  return result;
}

#define KEYWORDS METH_VARARGS | METH_KEYWORDS
#define DEF(name, function, doc) \
  { name, METHOD_KEYWORDS(function), KEYWORDS, name "($self, /, **members)\n--\n\n" doc }
static PyMethodDef methods[] = {
    DEF("add_deformable", add_deformable,
        "Adds a deformable body; returns its index. name and mesh must be given; members of material and "
        "surface "
        "(young, friction, ...) may be given directly."),
    DEF("add_fix", add_fix,
        "Adds vertices whose motion is given: held, or moved by a table of time and offset."),
    DEF("add_load", add_load, "Adds a load on a deformable body."),
    DEF("add_attachment", add_attachment,
        "Adds vertices that move with a rigid body or another deformable, or stay in the world; returns the "
        "index."),
    DEF("add_shape", add_shape,
        "Adds a rigid shape for contact and drawing, fixed in the world or on a body; returns its index. "
        "Members of "
        "surface (friction, ...) may be given directly."),
    DEF("add_body", add_body, "Adds a rigid body; returns its index."),
    DEF("add_joint", add_joint,
        "Adds a joint; returns its index. Members of dof (lower, upper, damping, ...) may be given directly, "
        "for all "
        "degrees of freedom."),
    DEF("add_actuator", add_driven, "Adds an actuator; returns its index."),
    DEF("add_constraint", add_constraint, "Adds a constraint between bodies or joints; returns its index."),
    DEF("add_robot", add_robot,
        "Adds all bodies, joints, actuators and shapes of a robot file (URDF, SDFormat, MJCF). Returns what "
        "a user "
        "should know about the file, as sentences. text: the file's content, if it is not to be read; "
        "strict: a "
        "remark on the physics is an error; search: folders to look for meshes in; "
        "missing_meshes: collision meshes that cannot be read are left out; max_tets: more are refused."),
    DEF("add_site", add_site, "Adds a named frame on a rigid body or in the world; returns its index."),
    DEF("add_sensor", add_plain_sensor,
        "Adds a sensor; returns its index. noise is a number, or one for each column."),
    DEF("set_recording", set_recording, "What the command writes while it simulates the scene."),
    {"set_joint_start", METHOD_KEYWORDS(set_joint_start), KEYWORDS,
     "set_joint_start($self, /, joint, position, velocity=None)\n--\n\n" DOC_pl_spec_set_joint_start},
    {"set_joint_locked", set_joint_locked, METH_VARARGS,
     "set_joint_locked($self, joint, locked, /)\n--\n\nHolds a joint where it is, or lets it go."},
    {"set_surface", METHOD_KEYWORDS(set_surface), KEYWORDS,
     "set_surface($self, shape, /, **members)\n--\n\nChanges members of the surface of a shape, e.g. "
     "friction."},
    {"set_actuator", METHOD_KEYWORDS(set_actuator), KEYWORDS,
     "set_actuator($self, actuator, /, **members)\n--\n\nChanges an actuator's gains or table; name, joint, "
     "dof and "
     "tendon stay."},
    {"exclude", exclude, METH_VARARGS,
     "exclude($self, a, b, /)\n--\n\nNo contact between two bodies; 'world' is one."},
    {"bodies", bodies, METH_NOARGS, "bodies($self, /)\n--\n\nThe rigid bodies as a list of dicts."},
    {"joints", joints, METH_NOARGS, "joints($self, /)\n--\n\nThe joints as a list of dicts."},
    {"actuators", actuators, METH_NOARGS, "actuators($self, /)\n--\n\nThe actuators as a list of dicts."},
    {"constraints", constraints, METH_NOARGS,
     "constraints($self, /)\n--\n\nThe constraints as a list of dicts."},
    {"shapes", shapes, METH_NOARGS, "shapes($self, /)\n--\n\nThe rigid shapes as a list of dicts."},
    {"deformables", deformables, METH_NOARGS,
     "deformables($self, /)\n--\n\nThe deformable bodies as a list of dicts."},
    {"sensors", sensors, METH_NOARGS, "sensors($self, /)\n--\n\nThe sensors as a list of dicts."},
    {"recording", recording, METH_NOARGS,
     "recording($self, /)\n--\n\nWhat the command writes while it simulates the scene, as a dict."},
    {"body_pose", body_pose, METH_O, "body_pose($self, body, /)\n--\n\n" DOC_pl_spec_body_pose},
    {"to_bytes", to_bytes, METH_NOARGS, "to_bytes($self, /)\n--\n\n" DOC_pl_spec_size},
    {"from_bytes", from_bytes, METH_O | METH_CLASS,
     "from_bytes($type, data, /)\n--\n\nThe spec that to_bytes wrote; bytes that were cut off or damaged are "
     "refused."},
    {"compile", compile, METH_NOARGS,
     "compile($self, /)\n--\n\nThe constant Model, which any number of simulations share."},
    {"__copy__", copy, METH_NOARGS, NULL},
    {"__deepcopy__", copy, METH_O, NULL},
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef members[] = {
    {"options", get_options, set_options,
     "Options of the step: a copy; assign Options or a dict to change them.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef functions[] = {{"read_scene", METHOD_KEYWORDS(read_scene), KEYWORDS,
                                   "read_scene(path, text=None, folder='', set=None, search=None, "
                                   "strict=False, missing_meshes=False, max_tets=0, "
                                   "max_mesh_bytes=0)\n--\n\nA scene file, or the text of one, as (Spec, "
                                   "warnings). pliant.load is the way in."},
                                  {NULL, NULL, 0, NULL}};

int add_spec(PyObject* module) {
  static PyType_Slot slots[] = {
      {Py_tp_doc,
       "Spec(options=None)\n--\n\nWhat is to be simulated: definitions, added one by one, then compiled."},
      {Py_tp_new, new_spec},
      {Py_tp_dealloc, dealloc},
      {Py_tp_methods, methods},
      {Py_tp_getset, members},
      {0, NULL}};
  static PyType_Spec spec = {
      .name = "pliant.Spec", .basicsize = sizeof(Spec), .flags = Py_TPFLAGS_DEFAULT, .slots = slots};
  spec_type = make_type(module, &spec);
  return spec_type ? PyModule_AddFunctions(module, functions) : -1;
}

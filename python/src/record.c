// record.c: small C structs as types of the package: members are attributes, made from keywords, printed with
// their values, compared, copied and pickled. A record may belong to the object that it came from: its
// members are then set there too (options of a simulation), or cannot be set (options of a model). Copies
// belong to nobody.
#include <stdlib.h>
#include <string.h>

#include "module.h"

typedef struct Record {
  PyObject_HEAD const Table* table;
  PyObject* owner;    // NULL: a value of its own
  const char* place;  // attribute of the owner; NULL: constant
  double bytes[];     // the struct
} Record;

typedef struct RecordKind {
  const Table* table;
  PyTypeObject* type;
} RecordKind;

static RecordKind kinds[] = {
    {&table_plSide, NULL},           {&table_plSiteState, NULL},
    {&table_plOptions, NULL},        {&table_plMaterial, NULL},
    {&table_plSurface, NULL},        {&table_plDofDef, NULL},
    {&table_plSapReport, NULL},      {&table_plReport, NULL},
    {&table_plRigidState, NULL},     {&table_plRigidTotals, NULL},
    {&table_plBodyState, NULL},      {&table_plElementState, NULL},
    {&table_plEnergyBudget, NULL},   {&table_plContactPair, NULL},
    {&table_plMeshReport, NULL},     {&table_plReplayInfo, NULL},
    {&table_plPictureOptions, NULL}, {&table_plSapOptions, NULL},
    {&table_plSapCoulomb, NULL},     {&table_plSapCoulombError, NULL},
    {&table_plSapCone, NULL},        {&table_plSapHuntCrossley, NULL},
    {&table_plSapRow, NULL},         {&table_plSapActuator, NULL},
};
enum { NKIND = sizeof kinds / sizeof *kinds };

static const Table* table_of_type(PyTypeObject* type) {
  for (int i = 0; i < NKIND; i++)
    if (kinds[i].type == type || PyType_IsSubtype(type, kinds[i].type)) return kinds[i].table;
  return NULL;
}

static PyTypeObject* type_of_table(const Table* table) {
  for (int i = 0; i < NKIND; i++)
    if (kinds[i].table == table) return kinds[i].type;
  return NULL;
}

static Record* make(PyTypeObject* type, const Table* table) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Record* record = (Record*)allocate(type, 0);
  if (record) record->table = table;
  return record;
}

PyObject* record_new(const Table* table, const void* from) {
  Record* record = make(type_of_table(table), table);
  if (record) memcpy(record->bytes, from, table->size);
  return (PyObject*)record;
}

PyObject* record_part(const Table* table, const void* from, PyObject* owner, const char* place) {
  Record* record = (Record*)record_new(table, from);
  if (record) record->owner = Py_NewRef(owner), record->place = place;
  return (PyObject*)record;
}

static void free_record(PyObject* self) {
  Py_XDECREF(((Record*)self)->owner);
  free_object(self);
}

void* record_of(const Table* table, PyObject* value) {
  PyTypeObject* type = type_of_table(table);
  return type && PyObject_TypeCheck(value, type) ? ((Record*)value)->bytes : NULL;
}

static int set_all(Record* record, PyObject* dict) {
  PyObject* keep = PyList_New(0);
  int status = keep ? table_set(record->table, record->bytes, dict, keep, NULL) : -1;
  Py_XDECREF(keep);
  return status;
}

static PyObject* new_record(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  const Table* table = table_of_type(type);
  if (PyTuple_Size(arguments)) {
    PyErr_Format(PyExc_TypeError, "%s takes its members as keywords", table->name);
    return NULL;
  }
  Record* record = make(type, table);
  if (record && table->defaults) table->defaults(record->bytes);
  if (record && keywords && set_all(record, keywords)) Py_CLEAR(record);
  return (PyObject*)record;
}

// Arrays cannot be written: they are copies.
static PyObject* get_member(PyObject* self, void* field) {
  PyObject* value = field_get(field, ((Record*)self)->bytes);
  if (!value || !PyObject_HasAttrString(value, "setflags")) return value;
  PyObject* done = PyObject_CallMethod(value, "setflags", "O", Py_False);
  if (!done) Py_CLEAR(value);
  Py_XDECREF(done);
  return value;
}

static int set_member(PyObject* self, PyObject* value, void* closure);

// Sets one member of what the owner has now. The owner checks the whole record; it keeps all of it or
// nothing.
static int set_in_owner(Record* record, PyObject* value, void* field) {
  if (!record->place) {
    PyErr_Format(PyExc_AttributeError,
                 "%s of a constant object cannot be set; set those of a simulation, or of a copy",
                 record->table->name);
    return -1;
  }
  PyObject *now = PyObject_GetAttrString(record->owner, record->place),
           *changed = now ? record_new(record->table, ((Record*)now)->bytes) : NULL;
  int status = changed ? set_member(changed, value, field) : -1;
  if (!status) status = PyObject_SetAttrString(record->owner, record->place, changed);
  if (!status) memcpy(record->bytes, ((Record*)changed)->bytes, record->table->size);
  Py_XDECREF(changed);
  Py_XDECREF(now);
  return status;
}

static int set_member(PyObject* self, PyObject* value, void* closure) {
  const Field* field = closure;
  if (!value) {
    PyErr_SetString(PyExc_AttributeError, "members cannot be deleted");
    return -1;
  }
  if (((Record*)self)->owner) return set_in_owner((Record*)self, value, closure);
  PyObject* keep = PyList_New(0);
  int status = keep ? field_set(field, ((Record*)self)->bytes, value, keep, NULL, field->name) : -1;
  Py_XDECREF(keep);
  return status;
}

static PyObject* as_dict(PyObject* self, PyObject* none) {
  (void)none;
  return table_dict(((Record*)self)->table, ((Record*)self)->bytes);
}

static PyObject* show(PyObject* self) {
  const Table* table = ((Record*)self)->table;
  PyObject *parts = PyList_New(0), *comma = PyUnicode_FromString(", "), *all = NULL, *text = NULL;
  for (int i = 0; parts && i < table->nfield; i++) {
    PyObject* value = field_get(&table->field[i], ((Record*)self)->bytes);
    PyObject* list = value && !table->field[i].single && table->field[i].kind != FIELD_CHARS &&
                             PyObject_HasAttrString(value, "tolist")
                         ? PyObject_CallMethod(value, "tolist", NULL)
                         : Py_XNewRef(value);
    PyObject* part = list ? PyUnicode_FromFormat("%s=%R", table->field[i].name, list) : NULL;
    if (!part || PyList_Append(parts, part)) Py_CLEAR(parts);
    Py_XDECREF(part);
    Py_XDECREF(list);
    Py_XDECREF(value);
  }
  if (parts && comma) all = PyUnicode_Join(comma, parts);
  if (all) text = PyUnicode_FromFormat("%s(%U)", table->name, all);
  Py_XDECREF(all);
  Py_XDECREF(comma);
  Py_XDECREF(parts);
  return text;
}

// Member by member: padding may differ, and so may texts behind their end.
static int same(PyObject* a, PyObject* b) {
  PyObject *x = show(a), *y = show(b);
  int equal = x && y ? PyUnicode_Compare(x, y) == 0 : -1;
  Py_XDECREF(x);
  Py_XDECREF(y);
  return equal;
}

static PyObject* compare(PyObject* a, PyObject* b, int operation) {
  if (Py_TYPE(a) != Py_TYPE(b) || (operation != Py_EQ && operation != Py_NE))
    return Py_NewRef(Py_NotImplemented);
  int equal = same(a, b);
  return equal < 0 ? NULL : PyBool_FromLong(equal == (operation == Py_EQ));
}

static PyObject* copy(PyObject* self, PyObject* unused) {
  (void)unused;
  Record* from = (Record*)self;
  Record* to = make(Py_TYPE(self), from->table);
  if (to) memcpy(to->bytes, from->bytes, from->table->size);
  return (PyObject*)to;
}

static PyObject* reduce(PyObject* self, PyObject* none) {
  PyObject* dict = as_dict(self, none);
  return dict ? Py_BuildValue("(O()N)", (PyObject*)Py_TYPE(self), dict) : NULL;
}

static PyObject* set_state(PyObject* self, PyObject* dict) {
  if (!PyDict_Check(dict)) return refuse("the state of a %s must be a dict", ((Record*)self)->table->name);
  return set_all((Record*)self, dict) ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"asdict", as_dict, METH_NOARGS, "asdict($self, /)\n--\n\nThe members as a dict."},
    {"__copy__", copy, METH_NOARGS, NULL},
    {"__deepcopy__", copy, METH_O, NULL},
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {"__setstate__", set_state, METH_O, NULL},
    {NULL, NULL, 0, NULL}};

static int add_record(PyObject* module, RecordKind* kind) {
  const Table* table = kind->table;
  PyGetSetDef* members = calloc((size_t)table->nfield + 1, sizeof *members);
  if (!members) return -1;
  for (int i = 0; i < table->nfield; i++)
    members[i] = (PyGetSetDef){table->field[i].name, get_member, set_member, table->field[i].doc,
                               (void*)&table->field[i]};
  PyType_Slot slots[] = {{Py_tp_doc, (void*)(table->doc[0] ? table->doc : table->name)},
                         {Py_tp_new, new_record},
                         {Py_tp_dealloc, free_record},
                         {Py_tp_repr, show},
                         {Py_tp_richcompare, compare},
                         {Py_tp_hash, PyObject_HashNotImplemented},
                         {Py_tp_methods, methods},
                         {Py_tp_getset, members},
                         {0, NULL}};
  char* name = malloc(64);  // stays, as the type does
  if (!name) return -1;
  PyOS_snprintf(name, 64, "pliant.%s", table->name);
  PyType_Spec spec = {.name = name,
                      .basicsize = (int)(sizeof(Record) + (table->size + 7) / 8 * 8),
                      .flags = Py_TPFLAGS_DEFAULT,
                      .slots = slots};
  kind->type = make_type(module, &spec);
  return kind->type ? 0 : -1;
}

int add_records(PyObject* module) {
  for (int i = 0; i < NKIND; i++)
    if (add_record(module, &kinds[i])) return -1;
  return 0;
}

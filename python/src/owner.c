// owner.c: objects that hold a thing of the library until the last reference is gone.
#include "module.h"

static PyTypeObject* owner_type;

static void dealloc(PyObject* self) {
  Owner* owner = (Owner*)self;
  if (owner->destroy && owner->thing) owner->destroy(owner->thing);
  free_object(self);
}

void free_object(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

PyTypeObject* make_type(PyObject* module, PyType_Spec* spec) {
  PyTypeObject* type = (PyTypeObject*)PyType_FromSpec(spec);
  if (type && PyModule_AddType(module, type)) Py_CLEAR(type);
  return type;
}

int add_owner(PyObject* module) {
  (void)module;
  static PyType_Slot slots[] = {{Py_tp_dealloc, dealloc}, {0, NULL}};
  static PyType_Spec spec = {
      .name = "pliant._pliant.Owner",
      .basicsize = sizeof(Owner),
      .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
      .slots = slots,
  };
  owner_type = (PyTypeObject*)PyType_FromSpec(&spec);
  return owner_type ? 0 : -1;
}

Owner* owner_new(void* thing, void (*destroy)(void* thing)) {
  Owner* owner = PyObject_New(Owner, owner_type);
  if (!owner) {
    destroy(thing);
    return NULL;
  }
  owner->thing = thing;
  owner->destroy = destroy;
  owner->busy = false;
  return owner;
}

bool owner_is_free(const Owner* owner) {
  if (!owner->busy) return true;
  PyErr_SetString(PyExc_RuntimeError,
                  "another thread is working with this object; give each thread a Data of its own");
  return false;
}

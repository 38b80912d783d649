// module.c: the extension module: types of the other files, and functions that belong to none of them.
#include <string.h>

#include "module.h"

static PyObject* version(PyObject* module, PyObject* none) {
  (void)module, (void)none;
  return PyUnicode_FromString(pl_version());
}

static PyObject* instruction_set(PyObject* module, PyObject* none) {
  (void)module, (void)none;
  return PyUnicode_FromString(pl_instruction_set());
}

static PyObject* compiler(PyObject* module, PyObject* none) {
  (void)module, (void)none;
  return PyUnicode_FromString(pl_compiler());
}

static PyObject* stage_names(PyObject* module, PyObject* none) {
  (void)module, (void)none;
  PyObject* tuple = PyTuple_New(PL_STAGE_COUNT);
  for (int i = 0; tuple && i < PL_STAGE_COUNT; i++)
    PyTuple_SetItem(tuple, i, PyUnicode_FromString(pl_stage_name((plStage)i)));
  return tuple;
}

static PyObject* status_name(PyObject* module, PyObject* status) {
  (void)module;
  long number = PyLong_Check(status) ? PyLong_AsLong(status) : -1;
  PyErr_Clear();
  return PyUnicode_FromString(pl_status_name((plStatus)number));
}

static PyObject* is_robot_file(PyObject* module, PyObject* path) {
  (void)module;
  PyObject* keep = NULL;
  const char* text = path_of(path, &keep);
  PyObject* answer = text ? PyBool_FromLong(pl_is_robot_file(text)) : NULL;
  Py_XDECREF(keep);
  return answer;
}

static PyObject* scheme(PyObject* module, PyObject* name) {
  (void)module;
  const char* text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
  double theta, theta_vq;
  plError error = {0};
  if (!text) return PyErr_Occurred() ? NULL : refuse("a scheme is given by name");
  return pl_scheme_by_name(text, &theta, &theta_vq, &error) ? raise_error(&error)
                                                            : Py_BuildValue("(dd)", theta, theta_vq);
}

static PyObject* lame(PyObject* module, PyObject* value) {
  (void)module;
  const plMaterial* material = record_of(&table_plMaterial, value);
  double lambda, mu;
  plError error = {0};
  if (!material) return refuse("a Material is needed, got %.80R", value);
  if (pl_material_check(material, &error)) return raise_error(&error);
  pl_material_lame(material, &lambda, &mu);
  return Py_BuildValue("(dd)", lambda, mu);
}

static PyMethodDef functions[] = {
    {"version", version, METH_NOARGS, "version()\n--\n\n" DOC_pl_version},
    {"instruction_set", instruction_set, METH_NOARGS, "instruction_set()\n--\n\n" DOC_pl_instruction_set},
    {"compiler", compiler, METH_NOARGS,
     "compiler()\n--\n\nThe compiler that built the library: bits depend on it."},
    {"stage_names", stage_names, METH_NOARGS,
     "stage_names()\n--\n\nThe stages of a step, in order: what Report.stage_s counts."},
    {"status_name", status_name, METH_O, "status_name(status, /)\n--\n\n" DOC_pl_status_name},
    {"is_robot_file", is_robot_file, METH_O, "is_robot_file(path, /)\n--\n\n" DOC_pl_is_robot_file},
    {"scheme", scheme, METH_O, "scheme(name, /)\n--\n\n(theta, theta_vq): " DOC_pl_scheme_by_name},
    {"lame", lame, METH_O, "lame(material, /)\n--\n\n(lambda, mu): " DOC_pl_material_lame},
    {NULL, NULL, 0, NULL}};

PyMODINIT_FUNC PyInit__pliant(void) {
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "pliant._pliant",
                                   .m_doc = "The part of pliant that is written in C; import pliant instead.",
                                   .m_size = -1, .m_methods = functions};
  static int (*const parts[])(PyObject*) = {add_errors, add_owner, add_array, add_records, add_mesh,
                                            add_spec,   add_model, add_data,  add_signals, add_output,
                                            add_replay, add_sap,   add_batch, add_viewer};
  PyObject* module = PyModule_Create(&definition);
  for (size_t i = 0; module && i < sizeof parts / sizeof *parts; i++)
    if (parts[i](module)) Py_CLEAR(module);
  return module;
}

// data_results.c: results of a simulation: bodies, elements, contacts, energies, forces.
#include <string.h>

#include "module.h"

static PyObject* deformable_state(PyObject* self, PyObject* which) {
  plData* data = data_of(self, false);
  int i = data ? index_of(data->model, PL_KIND_DEFORMABLE, which) : -1;
  plBodyState state = {0};
  if (i < 0) return NULL;
  if (pl_deformable_state(data, i, &state)) return refuse("there is no deformable %d", i);
  return record_new(&table_plBodyState, &state);
}

static PyObject* deformable_mass(PyObject* self, PyObject* which) {
  plData* data = data_of(self, false);
  int i = data ? index_of(data->model, PL_KIND_DEFORMABLE, which) : -1;
  return i < 0 ? NULL : PyFloat_FromDouble(pl_deformable_mass(data, i));
}

static PyObject* element(PyObject* self, PyObject* which, bool vertex) {
  plData* data = data_of(self, false);
  long i = data ? PyLong_AsLong(which) : -1;
  if (!data || PyErr_Occurred()) return NULL;
  plElementState state = {{0}, {0}, {0}, 0, 0, 0};
  plStatus status = i < 0 || i > 1 << 30 ? PL_ERROR_INPUT
                    : vertex             ? pl_vertex_state(data, (int)i, &state)
                                         : pl_element_state(data, (int)i, &state);
  if (status)
    return refuse("there is no %s %ld, there are %d", vertex ? "vertex" : "tetrahedron", i,
                  vertex ? data->model->nvert : data->model->ntet);
  return record_new(&table_plElementState, &state);
}

static PyObject* element_state(PyObject* self, PyObject* which) { return element(self, which, false); }
static PyObject* vertex_state(PyObject* self, PyObject* which) { return element(self, which, true); }

// One number of each tetrahedron or vertex of a body, all at once.
static PyObject* field(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"deformable", "name", "at", NULL};
  PyObject *soft, *name;
  const char* at = "vertices";
  plData* data = data_of(self, false);
  if (!data || !PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|s", names, &soft, &name, &at))
    return NULL;
  const Field* f = NULL;
  for (int i = 0; i < table_plElementState.nfield && PyUnicode_Check(name); i++)
    if (!PyUnicode_CompareWithASCIIString(name, table_plElementState.field[i].name))
      f = &table_plElementState.field[i];
  bool vertices = !strcmp(at, "vertices");
  if (!f)
    return refuse("a field is F, green_strain, cauchy_stress, von_mises, pressure or energy, got %.80R",
                  name);
  if (!vertices && strcmp(at, "tets")) return refuse("a field is at 'vertices' or 'tets', got '%s'", at);
  int b = index_of(data->model, PL_KIND_DEFORMABLE, soft);
  if (b < 0) return NULL;
  const int* first = vertices ? data->model->deform_vert0 : data->model->deform_tet0;
  Py_ssize_t shape[2] = {first[b + 1] - first[b], f->count};
  void* memory;
  PyObject* array = array_new('d', f->single ? 1 : 2, shape, &memory);
  double* to = memory;
  plElementState state;
  for (int i = first[b]; array && i < first[b + 1]; i++, to += f->count) {
    if (vertices ? pl_vertex_state(data, i, &state) : pl_element_state(data, i, &state)) break;
    memcpy(to, (const char*)&state + f->at, (size_t)f->count * sizeof(double));
  }
  return array;
}

static PyObject* energy_budget(PyObject* self, PyObject* which) {
  plData* data = data_of(self, false);
  int i = data ? index_of(data->model, PL_KIND_DEFORMABLE, which) : -1;
  plEnergyBudget budget = {0};
  if (i < 0) return NULL;
  if (pl_energy_budget(data, i, &budget))
    return refuse(
        "there is no energy budget before the first step, after a state was loaded, and in a replay");
  return record_new(&table_plEnergyBudget, &budget);
}

static PyObject* contact_pair(PyObject* self, PyObject* arguments) {
  PyObject *a, *b = Py_None;
  plSide x, y;
  plData* data = data_of(self, false);
  if (!data || !PyArg_ParseTuple(arguments, "O|O", &a, &b) || !side_of(data->model, a, &x) ||
      !side_of(data->model, b, &y))
    return NULL;
  plContactPair pair = {0};
  pl_contact_pair(data, x, y, &pair);
  return record_new(&table_plContactPair, &pair);
}

// Pressure, traction or shear of every contact point.
static PyObject* contact_field(PyObject* self, PyObject* name) {
  static const Word words[] = {{"pressure", 0}, {"traction", 1}, {"shear", 2}, {NULL, 0}};
  plData* data = data_of(self, false);
  int kind;
  if (!data || !word_value(words, name, "a field of contacts", &kind)) return NULL;
  void* memory;
  PyObject* array = array_new('d', kind ? 2 : 1, (Py_ssize_t[2]){data->ncontact, 3}, &memory);
  double* to = memory;
  for (int i = 0; array && i < data->ncontact; i++) {
    const plContact* c = &data->contact[i];
    if (kind == 0) {
      to[i] = pl_contact_pressure(c);
    } else {
      plVec3 v = kind == 1 ? pl_contact_traction(c) : pl_contact_shear(c);
      to[3 * i] = v.x, to[3 * i + 1] = v.y, to[3 * i + 2] = v.z;
    }
  }
  return array;
}

// ---- forces

static PyObject* joint_wrenches(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, false);
  if (!data) return NULL;
  Py_ssize_t n = data->model->njoint;
  void *wrench, *frame;
  PyObject *w = array_new('d', 2, (Py_ssize_t[2]){n, 6}, &wrench),
           *f = array_new('d', 2, (Py_ssize_t[2]){n, 7}, &frame);
  if (w && f && pl_joint_wrenches(data, wrench, frame)) {
    refuse(
        "joints transmit forces once a step was made: not at the start, after loading a state, or in a "
        "replay");
    Py_CLEAR(w);
  }
  PyObject* both = w && f ? PyTuple_Pack(2, w, f) : NULL;
  Py_XDECREF(w);
  Py_XDECREF(f);
  return both;
}

static PyObject* of_dof(PyObject* self, PyObject* which, double (*force)(const plData*, int)) {
  plData* data = data_of(self, false);
  if (!data) return NULL;
  long dof;
  if (PyUnicode_Check(which)) {
    int joint = index_of(data->model, PL_KIND_JOINT, which);
    dof = joint < 0 ? -1 : data->model->joint_v0[joint];
  } else {
    dof = PyLong_AsLong(which);
  }
  if (PyErr_Occurred()) return NULL;
  if (dof < 0 || dof >= data->model->nv_rigid)
    return refuse("there is no rigid degree of freedom %ld, there are %d", dof, data->model->nv_rigid);
  return PyFloat_FromDouble(force(data, (int)dof));
}

static PyObject* limit_force(PyObject* self, PyObject* which) { return of_dof(self, which, pl_limit_force); }
static PyObject* friction_force(PyObject* self, PyObject* which) {
  return of_dof(self, which, pl_friction_force);
}
static PyObject* motor_force(PyObject* self, PyObject* which) { return of_dof(self, which, pl_motor_force); }

static PyObject* constraint_force(PyObject* self, PyObject* which) {
  plData* data = data_of(self, false);
  int i = data ? index_of(data->model, PL_KIND_CONSTRAINT, which) : -1;
  plWrench wrench = {{0, 0, 0}, {0, 0, 0}};
  double effort = 0;
  if (i < 0) return NULL;
  if (pl_constraint_force(data, i, &wrench, &effort)) return refuse("there is no constraint %d", i);
  return Py_BuildValue("(NNd)", array_copy(&wrench.force.x, 3), array_copy(&wrench.moment.x, 3), effort);
}

PyMethodDef data_result_methods[] = {
    {"deformable_state", deformable_state, METH_O,
     "deformable_state($self, which, /)\n--\n\nMass, centre of mass, momenta, energies and box of a "
     "deformable body."},
    {"deformable_mass", deformable_mass, METH_O,
     "deformable_mass($self, which, /)\n--\n\n" DOC_pl_deformable_mass},
    {"element_state", element_state, METH_O, "element_state($self, tet, /)\n--\n\n" DOC_pl_element_state},
    {"vertex_state", vertex_state, METH_O, "vertex_state($self, vertex, /)\n--\n\n" DOC_pl_vertex_state},
    {"field", METHOD_KEYWORDS(field), METH_VARARGS | METH_KEYWORDS,
     "field($self, /, deformable, name, at='vertices')\n--\n\nA field of a deformable body as an array: F, "
     "green_strain, "
     "cauchy_stress, von_mises, pressure or energy, at its vertices or 'tets'."},
    {"energy_budget", energy_budget, METH_O,
     "energy_budget($self, which, /)\n--\n\nWhere a body's energy went in the last step (J)."},
    {"contact_pair", contact_pair, METH_VARARGS,
     "contact_pair($self, a, b=None, /)\n--\n\n" DOC_pl_contact_pair " None: any side."},
    {"contact_field", contact_field, METH_O,
     "contact_field($self, name, /)\n--\n\npressure, traction or shear (Pa) of every point of contacts, on "
     "b."},
    {"joint_wrenches", joint_wrenches, METH_NOARGS,
     "joint_wrenches($self, /)\n--\n\n(njoint, 6) and frames (njoint, 7): " DOC_pl_joint_wrenches},
    {"limit_force", limit_force, METH_O,
     "limit_force($self, dof, /)\n--\n\nForce of a joint's limits (N or Nm), by joint or degree of freedom."},
    {"friction_force", friction_force, METH_O,
     "friction_force($self, dof, /)\n--\n\nForce of a joint's dry friction (N or Nm)."},
    {"motor_force", motor_force, METH_O,
     "motor_force($self, dof, /)\n--\n\nForce of a joint's actuators (N or Nm)."},
    {"constraint_force", constraint_force, METH_O,
     "constraint_force($self, which, /)\n--\n\nForce, moment and effort: " DOC_pl_constraint_force},
    {NULL, NULL, 0, NULL}};

// data_rigid.c: what can be asked about the rigid bodies: poses, Jacobians, mass matrix, dynamics.
#include <string.h>

#include "module.h"

static PyObject* rigid_state(PyObject* self, PyObject* which) {
  plData* data = data_of(self, false);
  int i = data ? index_of(data->model, PL_KIND_BODY, which) : -1;
  plRigidState state;
  if (i < 0) return NULL;
  if (pl_rigid_body_state(data, i, &state)) return refuse("there is no body %d", i);
  return record_new(&table_plRigidState, &state);
}

static PyObject* rigid_pose(PyObject* self, PyObject* which) {
  plData* data = data_of(self, false);
  int i = data ? index_of(data->model, PL_KIND_BODY, which) : -1;
  plRigidState state;
  if (i < 0) return NULL;
  if (pl_rigid_body_state(data, i, &state)) return refuse("there is no body %d", i);
  plPose x = state.pose;
  return array_copy((const double[7]){x.p.x, x.p.y, x.p.z, x.q.w, x.q.x, x.q.y, x.q.z}, 7);
}

static PyObject* poses(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, false);
  void* at;
  PyObject* array = data ? array_new('d', 2, (Py_ssize_t[2]){data->model->nbody, 7}, &at) : NULL;
  if (array && data->model->nbody) pl_rigid_poses(data, at);
  return array;
}

static PyObject* shape_poses(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, false);
  void* at;
  PyObject* array = data ? array_new('d', 2, (Py_ssize_t[2]){data->model->nshape, 7}, &at) : NULL;
  if (array && data->model->nshape) pl_shape_poses(data, at);
  return array;
}

static PyObject* rigid_totals(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, false);
  plRigidTotals totals = {0};
  if (!data) return NULL;
  pl_rigid_totals(data, &totals);
  return record_new(&table_plRigidTotals, &totals);
}

// M is symmetric: column-major is row-major.
static PyObject* mass_matrix(PyObject* self, PyObject* none) {
  (void)none;
  plData* data = data_of(self, false);
  Py_ssize_t n = data ? data->model->nv_rigid : 0;
  void* at;
  PyObject* array = data ? array_new('d', 2, (Py_ssize_t[2]){n, n}, &at) : NULL;
  if (array && n) pl_rigid_mass_matrix(data, at);
  return array;
}

static PyObject* row(PyObject* self, void (*fill)(const plData*, double*)) {
  plData* data = data_of(self, false);
  Py_ssize_t n = data ? data->model->nv_rigid : 0;
  void* at;
  PyObject* array = data ? array_new('d', 1, &n, &at) : NULL;
  if (array && n) fill(data, at);
  return array;
}

static PyObject* bias(PyObject* self, PyObject* none) {
  (void)none;
  return row(self, pl_rigid_bias);
}

static PyObject* gravity_forces(PyObject* self, PyObject* none) {
  (void)none;
  return row(self, pl_rigid_gravity_forces);
}

static PyObject* dynamics(PyObject* self, PyObject* value, bool inverse) {
  plData* data = data_of(self, false);
  if (!data) return NULL;
  Py_ssize_t n = data->model->nv_rigid;
  const double* from;
  void* at;
  PyObject *keep = doubles_of(value, inverse ? "vdot" : "tau", n, false, &from, NULL),
           *array = keep ? array_new('d', 1, &n, &at) : NULL;
  if (array && n && inverse) pl_rigid_inverse_dynamics(data, from, at);
  if (array && n && !inverse && pl_rigid_forward_dynamics(data, from, at)) {
    plError error = {.status = PL_ERROR_INDEFINITE, .message = "the mass matrix is not positive definite"};
    raise_error(&error);
    Py_CLEAR(array);
  }
  Py_XDECREF(keep);
  return array;
}

static PyObject* inverse_dynamics(PyObject* self, PyObject* vdot) { return dynamics(self, vdot, true); }
static PyObject* forward_dynamics(PyObject* self, PyObject* tau) { return dynamics(self, tau, false); }

static PyObject* jacobian(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"body", "point", NULL};
  PyObject *which, *where = NULL;
  plVec3 point = {0, 0, 0};
  plData* data = data_of(self, false);
  if (!data || !PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O", names, &which, &where) ||
      (where && where != Py_None && !vec3_of(where, "point", &point)))
    return NULL;
  int i = index_of(data->model, PL_KIND_BODY, which);
  Py_ssize_t n = data->model->nv_rigid;
  if (i < 0) return NULL;
  double* J = PyMem_Malloc((size_t)(6 * n + 1) * sizeof(double));
  if (!J) return PyErr_NoMemory();
  PyObject* matrix =
      pl_rigid_jacobian(data, i, point, J) ? refuse("there is no body %d", i) : matrix_copy(J, 6, n);
  PyMem_Free(J);
  return matrix;
}

static PyObject* add_force(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"body", "force", "point", "moment", NULL};
  PyObject *which, *given[3] = {NULL, NULL, NULL};
  plVec3 v[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  plData* data = data_of(self, true);
  if (!data || !PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OOO", names, &which, &given[0], &given[1],
                                            &given[2]))
    return NULL;
  static const char* const what[] = {"force", "point", "moment"};
  for (int k = 0; k < 3; k++)
    if (given[k] && given[k] != Py_None && !vec3_of(given[k], what[k], &v[k])) return NULL;
  int i = index_of(data->model, PL_KIND_BODY, which);
  if (i < 0) return NULL;
  return pl_rigid_add_force(data, i, v[1], v[0], v[2]) ? refuse("there is no body %d", i)
                                                       : Py_NewRef(Py_None);
}

static PyObject* site_state(PyObject* self, PyObject* which) {
  plData* data = data_of(self, false);
  int i = data ? index_of(data->model, PL_KIND_SITE, which) : -1;
  plSiteState state;
  if (i < 0) return NULL;
  if (pl_site_state(data, i, &state)) return refuse("there is no site %d", i);
  return record_new(&table_plSiteState, &state);
}

// ---- inverse kinematics

// Degrees of freedom that may move: bools for all, or joints by name or number.
static bool take_move(const plModel* m, PyObject* value, bool* move) {
  PyObject* list = PySequence_List(value);
  Py_ssize_t n = list ? PyList_Size(list) : 0;
  bool all = n == m->nv_rigid && n > 0 && !PyUnicode_Check(PyList_GetItem(list, 0)) &&
             !PyLong_CheckExact(PyList_GetItem(list, 0));
  bool good = list != NULL;
  for (Py_ssize_t i = 0; i < n && good; i++) {
    PyObject* item = PyList_GetItem(list, i);
    if (all) {
      move[i] = PyObject_IsTrue(item) == 1;
      continue;
    }
    int joint = index_of(m, PL_KIND_JOINT, item);
    good = joint >= 0;
    for (int k = 0; good && k < pl_joint_nv(m->joint_kind[joint]); k++) move[m->joint_v0[joint] + k] = true;
  }
  Py_XDECREF(list);
  return good;
}

static PyObject* ik(PyObject* self, PyObject* arguments, PyObject* keywords) {
  PyObject* which;
  plData* data = data_of(self, false);
  if (!data || !PyArg_ParseTuple(arguments, "O", &which)) return NULL;
  plIkDef def = pl_default_ik_def();
  const plModel* m = data->model;
  PyObject *own = keywords ? PyDict_Copy(keywords) : PyDict_New(), *keep = NULL, *array = NULL;
  PyObject *move = Py_XNewRef(own ? PyDict_GetItemString(own, "move") : NULL),
           *rest = Py_XNewRef(own ? PyDict_GetItemString(own, "rest") : NULL);
  bool* allowed = PyMem_Calloc((size_t)m->nv_rigid + 1, sizeof(bool));
  bool good = own && allowed && (def.body = index_of(m, PL_KIND_BODY, which)) >= 0;
  if (good && move) good = !PyDict_DelItemString(own, "move") && take_move(m, move, allowed);
  if (good && rest)
    good = !PyDict_DelItemString(own, "rest") &&
           (keep = doubles_of(rest, "rest", m->nv_rigid, false, &def.rest, NULL));
  if (move) def.move = allowed;
  if (good) good = !table_set(&table_plIkDef, &def, own, NULL, NULL);
  plError error = {0};
  void* rate;
  if (good) array = array_new('d', 1, (Py_ssize_t[1]){m->nv_rigid}, &rate);
  if (array && pl_ik_step(data, &def, rate, &error)) {
    Py_CLEAR(array);
    raise_error(&error);
  }
  PyMem_Free(allowed);
  Py_XDECREF(keep);
  Py_XDECREF(move);
  Py_XDECREF(rest);
  Py_XDECREF(own);
  return array;
}

PyMethodDef data_rigid_methods[] = {
    {"ik", METHOD_KEYWORDS(ik), METH_VARARGS | METH_KEYWORDS,
     "ik($self, body, /, **members)\n--\n\nDifferential inverse kinematics: joint rates (nv_rigid,) that "
     "make a point of a body follow "
     "a target. goal is pose, position or velocity; target, point, time, damping, speed, ... are as in "
     "pliant/ik.h; move: which "
     "joints may, by name or number, or a bool for each degree of freedom; rest: where the undecided part "
     "goes."},
    {"rigid_pose", rigid_pose, METH_O,
     "rigid_pose($self, which, /)\n--\n\nPosition (m) and quaternion (w, x, y, z) of a rigid body's frame in "
     "the "
     "world: 7 numbers."},
    {"rigid_state", rigid_state, METH_O,
     "rigid_state($self, which, /)\n--\n\nPose, velocities, centre of mass, momenta and energies of a rigid "
     "body."},
    {"site_state", site_state, METH_O,
     "site_state($self, which, /)\n--\n\nWhere a site is and how it moves."},
    {"poses", poses, METH_NOARGS,
     "poses($self, /)\n--\n\n(nbody, 7): position and quaternion (w, x, y, z) of every rigid body."},
    {"shape_poses", shape_poses, METH_NOARGS,
     "shape_poses($self, /)\n--\n\n(nshape, 7): world poses of all shapes, those fixed in the world "
     "included."},
    {"rigid_totals", rigid_totals, METH_NOARGS,
     "rigid_totals($self, /)\n--\n\nSums over all rigid bodies; armatures count in the kinetic energy, "
     "springs in the elastic one."},
    {"mass_matrix", mass_matrix, METH_NOARGS, "mass_matrix($self, /)\n--\n\n" DOC_pl_rigid_mass_matrix},
    {"bias", bias, METH_NOARGS, "bias($self, /)\n--\n\n" DOC_pl_rigid_bias},
    {"gravity_forces", gravity_forces, METH_NOARGS,
     "gravity_forces($self, /)\n--\n\n" DOC_pl_rigid_gravity_forces},
    {"inverse_dynamics", inverse_dynamics, METH_O,
     "inverse_dynamics($self, vdot, /)\n--\n\nThe forces tau = M vdot + bias (nv_rigid,)."},
    {"forward_dynamics", forward_dynamics, METH_O,
     "forward_dynamics($self, tau, /)\n--\n\nThe accelerations vdot = M^-1 (tau - bias) (nv_rigid,)."},
    {"jacobian", METHOD_KEYWORDS(jacobian), METH_VARARGS | METH_KEYWORDS,
     "jacobian($self, /, body, point=None)\n--\n\n(6, nv_rigid): angular velocity of the body (rows 0-2) and "
     "velocity of its point "
     "(given in its frame; rows 3-5)."},
    {"add_force", METHOD_KEYWORDS(add_force), METH_VARARGS | METH_KEYWORDS,
     "add_force($self, /, body, force=None, point=None, moment=None)\n--\n\n" DOC_pl_rigid_add_force},
    {NULL, NULL, 0, NULL}};

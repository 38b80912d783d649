// sap.c: the convex solver of frictional contact on its own: problems as lists of arrays and dicts.
#include <math.h>
#include <limits.h>
#include <string.h>

#include "module.h"

// What a problem refers to lies in objects of a list until the call is over.
typedef struct Problem {
  plSapProblem p;
  PyObject* keep;
  int nv, nrow;
} Problem;

static void* room(PyObject* keep, size_t size) {
  PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(size ? size : 1));
  void* at = bytes && !PyList_Append(keep, bytes) ? PyBytes_AsString(bytes) : NULL;
  Py_XDECREF(bytes);
  if (at) memset(at, 0, size);
  return at;
}

// A matrix of the given number of rows, column-major; *columns gets their number.
static const double* matrix(PyObject* keep, PyObject* value, const char* what, int rows,
                            Py_ssize_t* columns) {
  const double* from;
  Py_ssize_t n;
  PyObject* array = doubles_of(value, what, -1, false, &from, &n);
  if (!array) return NULL;
  double* to = NULL;
  if (rows <= 0 || n % rows) {
    refuse("%s must have %d rows, got %zd numbers", what, rows, n);
  } else if ((to = room(keep, (size_t)n * sizeof(double)))) {
    *columns = n / rows;
    for (Py_ssize_t r = 0; r < rows; r++)
      for (Py_ssize_t c = 0; c < *columns; c++) to[c * rows + r] = from[r * *columns + c];
  }
  Py_DECREF(array);
  return to;
}

static const double* numbers(PyObject* keep, PyObject* value, const char* what, Py_ssize_t n) {
  const double* from;
  PyObject* array = doubles_of(value, what, n, false, &from, NULL);
  int failed = array ? PyList_Append(keep, array) : -1;
  Py_XDECREF(array);
  return failed ? NULL : from;
}

static bool take_block(Problem* s, PyObject* value, int nrow, plSapBlock* block) {
  PyObject *J, *vertices = Py_None;
  int clique;
  PyObject* tuple = PySequence_Tuple(value);
  bool good = tuple && PyArg_ParseTuple(tuple, "iO|O", &clique, &J, &vertices);
  if (tuple && !good) {
    PyErr_Clear();
    refuse("a block is (clique, J) or (clique, J, vertices)");
  }
  Py_ssize_t columns = 0;
  if (good) {
    if (clique < 0 || clique >= s->p.nclique)
      good = refuse("a block names clique %d, but there are %d", clique, s->p.nclique) != NULL;
    block->clique = good ? clique : 0;
    good = good && (block->J = matrix(s->keep, J, "J", nrow, &columns)) != NULL;
  }
  if (good && vertices != Py_None) {
    Py_ssize_t n = 0;
    PyObject* array = ints_of(vertices, "vertices", &block->vert, &n);
    good = array && !PyList_Append(s->keep, array);
    Py_XDECREF(array);
    block->nvert = (int)n;
  }
  if (good && columns != (block->nvert ? 3 * block->nvert : s->p.clique_nv[block->clique]))
    good = refuse("J has %zd columns, its clique or vertices have %d", columns,
                  block->nvert ? 3 * block->nvert : s->p.clique_nv[block->clique]) != NULL;
  Py_XDECREF(tuple);
  return good;
}

// The law's parameters: a record, or a dict of its members.
static bool take_law(const Table* table, PyObject* dict, const char* key, void* to) {
  PyObject* value = PyDict_GetItemString(dict, key);
  const void* record = value ? record_of(table, value) : NULL;
  if (record) {
    memcpy(to, record, table->size);
    return true;
  }
  if (value && PyDict_Check(value)) return table_set(table, to, value, NULL, NULL) == 0;
  return refuse("a constraint of this law needs '%s'", key) != NULL;
}

static bool take_rows(Problem* s, PyObject* dict, plSapConstraint* c) {
  PyObject* given = PyDict_GetItemString(dict, "rows");
  PyObject* list = given ? PySequence_List(given) : NULL;
  if (!list) return PyErr_Clear(), refuse("a constraint of this law needs 'rows', a list of SapRow") != NULL;
  c->nrow = (int)PyList_Size(list);
  plSapRow* row = room(s->keep, (size_t)c->nrow * sizeof *row);
  bool good = row != NULL;
  for (int i = 0; good && i < c->nrow; i++) {
    PyObject* one = PyList_GetItem(list, i);
    const plSapRow* record = record_of(&table_plSapRow, one);
    if (record)
      row[i] = *record;
    else
      good = PyDict_Check(one) ? !table_set(&table_plSapRow, &row[i], one, NULL, NULL)
                               : refuse("rows must be SapRow or dicts") != NULL;
  }
  c->row = row;
  Py_DECREF(list);
  return good;
}

static bool take_constraint(Problem* s, PyObject* dict, plSapConstraint* c) {
  if (!PyDict_Check(dict))
    return refuse("a constraint is a dict with law, blocks and the law's parameters") != NULL;
  PyObject *law = PyDict_GetItemString(dict, "law"), *blocks = PyDict_GetItemString(dict, "blocks"),
           *bias = PyDict_GetItemString(dict, "bias"), *open = PyDict_GetItemString(dict, "likely_open");
  int number;
  if (!law || !word_value(words_plSapLaw, law, "law", &number)) {
    if (!law) refuse("a constraint needs 'law'");
    return false;
  }
  c->law = (plSapLaw)number;
  c->likely_open = open ? PyObject_IsTrue(open) == 1 : 0;
  c->nrow = c->law == PL_SAP_ACTUATOR ? 1 : 3;
  bool good = c->law == PL_SAP_CONE ? take_law(&table_plSapCone, dict, "cone", &c->cone)
              : c->law == PL_SAP_SIMILAR
                  ? take_law(&table_plSapHuntCrossley, dict, "hunt_crossley", &c->hunt_crossley)
              : c->law == PL_SAP_ACTUATOR ? take_law(&table_plSapActuator, dict, "actuator", &c->actuator)
                                          : take_rows(s, dict, c);
  PyObject* list = good ? (blocks ? PySequence_List(blocks) : PyList_New(0)) : NULL;
  if (!list) return false;
  c->nblock = (int)PyList_Size(list);
  plSapBlock* block = room(s->keep, (size_t)c->nblock * sizeof *block);
  good = block != NULL;
  for (int i = 0; good && i < c->nblock; i++)
    good = take_block(s, PyList_GetItem(list, i), c->nrow, &block[i]);
  c->block = block;
  if (good && bias && bias != Py_None) good = (c->bias = numbers(s->keep, bias, "bias", c->nrow)) != NULL;
  Py_DECREF(list);
  s->nrow += c->nrow;
  return good;
}

static bool take_cliques(Problem* s, PyObject* A) {
  PyObject* list = PySequence_List(A);
  if (!list) return false;
  s->p.nclique = (int)PyList_Size(list);
  size_t n = (size_t)s->p.nclique;
  int* nv = room(s->keep, n * sizeof *nv);
  const double** block = room(s->keep, n * sizeof *block);
  bool good = nv && block;
  for (int i = 0; good && i < s->p.nclique; i++) {
    PyObject* size = PyObject_CallMethod(PyList_GetItem(list, i), "__len__", NULL);
    long rows = size ? PyLong_AsLong(size) : -1;
    Py_XDECREF(size);
    PyErr_Clear();
    Py_ssize_t columns = 0;
    if (rows < 0) good = refuse("block %d of A must be a square matrix", i) != NULL;
    if (good && rows > 0) {
      good =
          (block[i] = matrix(s->keep, PyList_GetItem(list, i), "a block of A", (int)rows, &columns)) != NULL;
      if (good && columns != rows) good = refuse("block %d of A must be square", i) != NULL;
    }
    nv[i] = (int)rows;
    s->nv += (int)rows;
  }
  s->p.clique_nv = nv, s->p.A = block;
  Py_DECREF(list);
  return good;
}

static bool take_couplings(Problem* s, PyObject* couplings) {
  PyObject* list = PySequence_List(couplings);
  if (!list) return false;
  s->p.ncoupling = (int)PyList_Size(list);
  plSapCoupling* c = room(s->keep, (size_t)s->p.ncoupling * sizeof *c);
  bool good = c != NULL;
  for (int i = 0; good && i < s->p.ncoupling; i++) {
    PyObject *block, *tuple = PySequence_Tuple(PyList_GetItem(list, i));
    Py_ssize_t columns = 0;
    good = tuple && PyArg_ParseTuple(tuple, "iiO", &c[i].row, &c[i].col, &block);
    if (good && (c[i].row < 0 || c[i].row >= s->p.nclique || c[i].col < 0 || c[i].col >= s->p.nclique))
      good = refuse("coupling %d names a clique that is not there", i) != NULL;
    good =
        good && (c[i].A = matrix(s->keep, block, "a coupling", s->p.clique_nv[c[i].row], &columns)) != NULL;
    if (good && columns != s->p.clique_nv[c[i].col])
      good = refuse("coupling %d has the wrong shape", i) != NULL;
    Py_XDECREF(tuple);
  }
  s->p.coupling = c;
  Py_DECREF(list);
  return good;
}

static bool take_constraints(Problem* s, PyObject* constraints) {
  PyObject* list = PySequence_List(constraints);
  if (!list) return false;
  s->p.nconstraint = (int)PyList_Size(list);
  plSapConstraint* c = room(s->keep, (size_t)s->p.nconstraint * sizeof *c);
  bool good = c != NULL;
  for (int i = 0; good && i < s->p.nconstraint; i++)
    good = take_constraint(s, PyList_GetItem(list, i), &c[i]);
  s->p.constraint = c;
  Py_DECREF(list);
  return good;
}

// ---- solving

static PyObject* solved(Problem* s, const plSapOptions* options, plSapCoulomb* coulomb, const double* guess) {
  Py_ssize_t n[2] = {s->nv, s->nrow}, points[2] = {s->p.nconstraint, 3};
  void *v, *gamma, *vc, *shift;
  PyObject *a = array_new('d', 1, &n[0], &v), *b = array_new('d', 1, &n[1], &gamma),
           *c = array_new('d', 1, &n[1], &vc), *d = array_new('d', 2, points, &shift), *result = NULL;
  plError error = {0};
  plSapReport report = {0};
  plSapWorkspace* workspace = a && b && c && d ? pl_sap_workspace_create(&error) : NULL;
  if (workspace) {
    plSapSolution solution = {v, gamma, vc};
    plStatus status;
    if (coulomb) coulomb->shift = shift;
    Py_BEGIN_ALLOW_THREADS status =
        coulomb ? pl_sap_solve_coulomb(&s->p, options, coulomb, guess, &solution, &report, workspace, &error)
                : pl_sap_solve(&s->p, options, guess, &solution, &report, workspace, &error);
    Py_END_ALLOW_THREADS pl_sap_workspace_destroy(workspace);
    PyObject* told = status ? NULL : record_new(&table_plSapReport, &report);
    if (status)
      raise_error(&error);
    else if (told)
      result = coulomb ? PyTuple_Pack(5, a, b, c, told, d) : PyTuple_Pack(4, a, b, c, told);
    Py_XDECREF(told);
  }
  Py_XDECREF(a);
  Py_XDECREF(b);
  Py_XDECREF(c);
  Py_XDECREF(d);
  return result;
}

static PyObject* solve(PyObject* arguments, PyObject* keywords, bool with_coulomb) {
  static char* names[] = {"A",     "v_star",  "constraints", "couplings", "impulse",
                          "guess", "options", "coulomb",     "start",     NULL};
  PyObject *A, *v_star, *constraints, *couplings = NULL, *impulse = Py_None, *guess = Py_None,
                                      *given = Py_None, *settings = Py_None, *start = Py_None;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OOO|OOOOOO", names, &A, &v_star, &constraints,
                                   &couplings, &impulse, &guess, &given, &settings, &start))
    return NULL;
  Problem s = {.keep = PyList_New(0)};
  const double* first = NULL;
  plSapOptions options = pl_sap_default_options();
  plSapCoulomb coulomb = pl_sap_default_coulomb();
  const void *own = record_of(&table_plSapOptions, given), *rounds = record_of(&table_plSapCoulomb, settings);
  bool good = s.keep && (given == Py_None || own || refuse("options must be SapOptions")) &&
              (settings == Py_None || rounds || refuse("coulomb must be SapCoulomb")) &&
              take_cliques(&s, A) && (s.p.v_star = numbers(s.keep, v_star, "v_star", s.nv)) &&
              take_constraints(&s, constraints) &&
              (!couplings || couplings == Py_None || take_couplings(&s, couplings)) &&
              (impulse == Py_None || (s.p.impulse = numbers(s.keep, impulse, "impulse", s.nv))) &&
              (guess == Py_None || (first = numbers(s.keep, guess, "guess", s.nv)));
  if (own) options = *(const plSapOptions*)own;
  if (rounds) coulomb = *(const plSapCoulomb*)rounds;
  options.pool = NULL, coulomb.start = NULL;
  if (good && start != Py_None)
    good = (coulomb.start = numbers(s.keep, start, "start", 3 * (Py_ssize_t)s.p.nconstraint)) != NULL;
  PyObject* result = good ? solved(&s, &options, with_coulomb ? &coulomb : NULL, first) : NULL;
  Py_XDECREF(s.keep);
  return result;
}

static PyObject* sap_solve(PyObject* module, PyObject* arguments, PyObject* keywords) {
  (void)module;
  return solve(arguments, keywords, false);
}

static PyObject* sap_solve_coulomb(PyObject* module, PyObject* arguments, PyObject* keywords) {
  (void)module;
  return solve(arguments, keywords, true);
}

// ---- one law by itself, and parameters of laws

static PyObject* sap_law(PyObject* module, PyObject* arguments) {
  (void)module;
  PyObject *dict, *value;
  if (!PyArg_ParseTuple(arguments, "OO", &dict, &value)) return NULL;
  Problem s = {.keep = PyList_New(0)};
  plSapConstraint c = {0};
  const double* vc = NULL;
  PyObject* result = NULL;
  if (s.keep && take_constraint(&s, dict, &c) && (vc = numbers(s.keep, value, "vc", c.nrow))) {
    bool contact = c.law == PL_SAP_CONE || c.law == PL_SAP_SIMILAR;
    double cost, *gamma = room(s.keep, (size_t)c.nrow * sizeof(double)),
                 *G = room(s.keep, (size_t)(9 + c.nrow) * sizeof(double));
    if (gamma && G) {
      pl_sap_law(&c, vc, &cost, gamma, G);
      result = Py_BuildValue("(dNN)", cost, array_copy(gamma, c.nrow),
                             contact ? matrix_copy(G, 3, 3) : array_copy(G, c.nrow));
    }
  }
  Py_XDECREF(s.keep);
  return result;
}

static PyObject* sap_delassus(PyObject* module, PyObject* arguments) {
  (void)module;
  PyObject *A, *dict;
  if (!PyArg_ParseTuple(arguments, "OO", &A, &dict)) return NULL;
  Problem s = {.keep = PyList_New(0)};
  plSapConstraint c = {0};
  PyObject* result = NULL;
  if (s.keep && take_cliques(&s, A) && take_constraint(&s, dict, &c))
    result = PyFloat_FromDouble(pl_sap_delassus(&s.p, &c));
  Py_XDECREF(s.keep);
  return result;
}

static PyObject* sap_coulomb_error(PyObject* module, PyObject* arguments) {
  (void)module;
  PyObject *dict, *a, *b, *c;
  if (!PyArg_ParseTuple(arguments, "OOOO", &dict, &a, &b, &c)) return NULL;
  Problem s = {.keep = PyList_New(0)};
  plSapConstraint constraint = {0};
  const double *vc, *gamma, *shift;
  PyObject* result = NULL;
  if (s.keep && take_constraint(&s, dict, &constraint) && (vc = numbers(s.keep, a, "vc", constraint.nrow)) &&
      (gamma = numbers(s.keep, b, "gamma", constraint.nrow)) && (shift = numbers(s.keep, c, "shift", 3))) {
    plSapCoulombError error = pl_sap_coulomb_error(&constraint, vc, gamma, shift);
    result = record_new(&table_plSapCoulombError, &error);
  }
  Py_XDECREF(s.keep);
  return result;
}

static PyObject* sap_coulomb_holds(PyObject* module, PyObject* arguments) {
  (void)module;
  PyObject *a, *b;
  if (!PyArg_ParseTuple(arguments, "OO", &a, &b)) return NULL;
  const plSapCoulomb* coulomb = record_of(&table_plSapCoulomb, a);
  const plSapCoulombError* error = record_of(&table_plSapCoulombError, b);
  if (!coulomb || !error) return refuse("SapCoulomb and SapCoulombError are needed");
  return PyBool_FromLong(pl_sap_coulomb_holds(coulomb, error));
}

// Numbers by keyword, in the order of the C function.
static bool doubles_by_name(PyObject* arguments, PyObject* keywords, char** names, int n, double* x,
                            const double* defaults, int required) {
  PyObject* seen[12] = {NULL};
  char format[16];
  int k = 0;
  for (int i = 0; i < n; i++) {
    if (i == required) format[k++] = '|';
    format[k++] = 'O';
  }
  format[k] = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, format, names, &seen[0], &seen[1], &seen[2], &seen[3],
                                   &seen[4], &seen[5], &seen[6], &seen[7], &seen[8], &seen[9], &seen[10],
                                   &seen[11]))
    return false;
  for (int i = 0; i < n; i++) {
    x[i] = i < required ? 0 : defaults[i - required];
    if (seen[i] && !double_of(seen[i], names[i], &x[i])) return false;
  }
  return true;
}

static PyObject* sap_cone(PyObject* module, PyObject* arguments, PyObject* keywords) {
  (void)module;
  static char* names[] = {"dt", "mu", "k", "tau", "phi", "w", "share", "beta", "sigma", NULL};
  double x[9];
  if (!doubles_by_name(arguments, keywords, names, 9, x, (double[]){1, PL_SAP_BETA_CONTACT, PL_SAP_SIGMA}, 6))
    return NULL;
  plSapCone c = pl_sap_cone(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]);
  return record_new(&table_plSapCone, &c);
}

static PyObject* sap_hunt_crossley(PyObject* module, PyObject* arguments, PyObject* keywords) {
  (void)module;
  static char* names[] = {"dt", "mu", "k", "d", "f_e", "vn0", "w", "v_stiction", "beta", "sigma", NULL};
  double x[10];
  if (!doubles_by_name(arguments, keywords, names, 10, x, (double[]){PL_SAP_BETA_CONTACT, PL_SAP_SIGMA}, 8))
    return NULL;
  plSapHuntCrossley c = pl_sap_hunt_crossley(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]);
  return record_new(&table_plSapHuntCrossley, &c);
}

static PyObject* row_of(PyObject* arguments, PyObject* keywords,
                        plSapRow (*make)(double, double, double, double, double, double)) {
  static char* names[] = {"dt", "g", "k", "tau", "w", "beta", NULL};
  double x[6];
  if (!doubles_by_name(arguments, keywords, names, 6, x, (double[]){PL_SAP_BETA}, 5)) return NULL;
  plSapRow row = make(x[0], x[1], x[2], x[3], x[4], x[5]);
  return record_new(&table_plSapRow, &row);
}

static PyObject* sap_holonomic(PyObject* module, PyObject* arguments, PyObject* keywords) {
  (void)module;
  return row_of(arguments, keywords, pl_sap_holonomic);
}

static PyObject* sap_limit(PyObject* module, PyObject* arguments, PyObject* keywords) {
  (void)module;
  return row_of(arguments, keywords, pl_sap_limit);
}

static PyObject* sap_dry_friction(PyObject* module, PyObject* arguments, PyObject* keywords) {
  (void)module;
  static char* names[] = {"dt", "effort", "w", "sigma", NULL};
  double x[4];
  if (!doubles_by_name(arguments, keywords, names, 4, x, (double[]){PL_SAP_SIGMA}, 3)) return NULL;
  plSapRow row = pl_sap_dry_friction(x[0], x[1], x[2], x[3]);
  return record_new(&table_plSapRow, &row);
}

static PyObject* sap_actuator(PyObject* module, PyObject* arguments, PyObject* keywords) {
  (void)module;
  static char* names[] = {"dt", "kp", "kd", "q0", "q_d", "v_d", "u_ff", "effort", "w", "beta", NULL};
  double x[10];
  if (!doubles_by_name(arguments, keywords, names, 10, x, (double[]){PL_SAP_BETA}, 9)) return NULL;
  plSapActuator a = pl_sap_actuator(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]);
  return record_new(&table_plSapActuator, &a);
}

static PyObject* sap_slow_down(PyObject* module, PyObject* arguments) {
  (void)module;
  double v_max, R, v_hat;
  if (!PyArg_ParseTuple(arguments, "ddd", &v_max, &R, &v_hat)) return NULL;
  if (isnan(v_max) || v_max < 0 || !isfinite(R) || !isfinite(v_hat))
    return refuse("slow_down takes v_max >= 0 (inf: no limit) and finite R and v_hat, got %R", arguments);
  pl_sap_slow_down(v_max, &R, &v_hat);
  return Py_BuildValue("(dd)", R, v_hat);
}

static PyObject* sap_quick_options(PyObject* module, PyObject* none) {
  (void)module, (void)none;
  plSapOptions options = pl_sap_quick_options();
  return record_new(&table_plSapOptions, &options);
}

#define KEYWORDS METH_VARARGS | METH_KEYWORDS
#define SOLVE                                                                                               \
  "A is a list of square matrices, one per clique; constraints are dicts with law, blocks [(clique, J) or " \
  "(clique, J, "                                                                                            \
  "vertices)], cone, hunt_crossley, rows or actuator (the law's parameters), bias, likely_open; couplings " \
  "are (row, "                                                                                              \
  "column, A). "
static PyMethodDef functions[] = {
    {"sap_solve", METHOD_KEYWORDS(sap_solve), KEYWORDS,
     "sap_solve(A, v_star, constraints, couplings=(), impulse=None, guess=None, options=None)\n--\n\nSolves "
     "the convex problem; "
     "returns v, gamma, vc and a SapReport. " SOLVE},
    {"sap_solve_coulomb", METHOD_KEYWORDS(sap_solve_coulomb), KEYWORDS,
     "sap_solve_coulomb(A, v_star, constraints, couplings=(), impulse=None, guess=None, options=None, "
     "coulomb=None, "
     "start=None)\n--\n\nThe same in rounds that make friction Coulomb's; returns v, gamma, vc, a SapReport "
     "and the shifts. " SOLVE},
    {"sap_law", sap_law, METH_VARARGS, "sap_law(constraint, vc, /)\n--\n\n" DOC_pl_sap_law},
    {"sap_delassus", sap_delassus, METH_VARARGS,
     "sap_delassus(A, constraint, /)\n--\n\n" DOC_pl_sap_delassus},
    {"sap_coulomb_error", sap_coulomb_error, METH_VARARGS,
     "sap_coulomb_error(constraint, vc, gamma, shift, /)\n--\n\nHow far a point is from Coulomb's law."},
    {"sap_coulomb_holds", sap_coulomb_holds, METH_VARARGS,
     "sap_coulomb_holds(coulomb, error, /)\n--\n\n" DOC_pl_sap_coulomb_holds},
    {"sap_cone", METHOD_KEYWORDS(sap_cone), KEYWORDS,
     "sap_cone(dt, mu, k, tau, phi, w, share=1, beta=1, sigma=1e-3)\n--\n\n" DOC_pl_sap_cone},
    {"sap_hunt_crossley", METHOD_KEYWORDS(sap_hunt_crossley), KEYWORDS,
     "sap_hunt_crossley(dt, mu, k, d, f_e, vn0, w, v_stiction, beta=1, "
     "sigma=1e-3)\n--\n\n" DOC_pl_sap_hunt_crossley},
    {"sap_holonomic", METHOD_KEYWORDS(sap_holonomic), KEYWORDS,
     "sap_holonomic(dt, g, k, tau, w, beta=0.1)\n--\n\n" DOC_pl_sap_holonomic},
    {"sap_limit", METHOD_KEYWORDS(sap_limit), KEYWORDS,
     "sap_limit(dt, g, k, tau, w, beta=0.1)\n--\n\n" DOC_pl_sap_limit},
    {"sap_dry_friction", METHOD_KEYWORDS(sap_dry_friction), KEYWORDS,
     "sap_dry_friction(dt, effort, w, sigma=1e-3)\n--\n\n" DOC_pl_sap_dry_friction},
    {"sap_actuator", METHOD_KEYWORDS(sap_actuator), KEYWORDS,
     "sap_actuator(dt, kp, kd, q0, q_d, v_d, u_ff, effort, w, beta=0.1)\n--\n\n" DOC_pl_sap_actuator},
    {"sap_slow_down", sap_slow_down, METH_VARARGS,
     "sap_slow_down(v_max, R, v_hat, /)\n--\n\n(R, v_hat): " DOC_pl_sap_slow_down},
    {"sap_quick_options", sap_quick_options, METH_NOARGS,
     "sap_quick_options()\n--\n\n" DOC_pl_sap_quick_options},
    {NULL, NULL, 0, NULL}};

int add_sap(PyObject* module) { return PyModule_AddFunctions(module, functions); }

// mesh.c: Mesh, and the functions that make meshes: shapes, files, tetrahedra inside surfaces.
#include <math.h>
#include <limits.h>
#include <string.h>

#include "module.h"

typedef struct Mesh {
  PyObject_HEAD Owner* owner;  // of the plMesh
} Mesh;

static PyTypeObject* mesh_type;

static void destroy(void* mesh) { pl_mesh_destroy(mesh); }

static PyObject* wrap(PyTypeObject* type, plMesh* mesh) {
  Owner* owner = owner_new(mesh, destroy);
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Mesh* self = owner ? (Mesh*)allocate(type, 0) : NULL;
  if (self)
    self->owner = owner;
  else
    Py_XDECREF((PyObject*)owner);
  return (PyObject*)self;
}

PyObject* mesh_new(plMesh* mesh) { return wrap(mesh_type, mesh); }

static plMesh* inner(PyObject* self) { return ((Mesh*)self)->owner->thing; }

const plMesh* mesh_of(PyObject* value, const char* what) {
  if (PyObject_TypeCheck(value, mesh_type)) return inner(value);
  refuse("%s must be a Mesh (pliant.mesh makes them), got %.80R", what, value);
  return NULL;
}

static void dealloc(PyObject* self) {
  Py_XDECREF((PyObject*)((Mesh*)self)->owner);
  free_object(self);
}

// ---- from arrays

static bool check_ids(const int* id, Py_ssize_t n, Py_ssize_t width, Py_ssize_t nvert, const char* what) {
  if (n % width) return refuse("%s must have %zd vertices per row", what, width) != NULL;
  if (n / width > INT_MAX / 16) return refuse("there are too many %s", what) != NULL;
  for (Py_ssize_t i = 0; i < n; i++)
    if (id[i] < 0 || id[i] >= nvert)
      return refuse("row %zd of %s names vertex %d, but there are %zd", i / width, what, id[i], nvert) !=
             NULL;
  return true;
}

static PyObject* new_mesh(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"vertices", "tets", "triangles", NULL};
  PyObject *vertices, *tets = NULL, *triangles = NULL, *empty = PyTuple_New(0), *self = NULL;
  if (!empty ||
      !PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OO:Mesh", names, &vertices, &tets, &triangles)) {
    Py_XDECREF(empty);
    return NULL;
  }
  if (!tets || tets == Py_None) tets = empty;
  if (!triangles || triangles == Py_None) triangles = empty;
  const double* vert = NULL;
  const int *tet = NULL, *tri = NULL;
  Py_ssize_t nvert = 0, ntet = 0, ntri = 0;
  PyObject *a = doubles_of(vertices, "vertices", -1, false, &vert, &nvert),
           *b = a ? ints_of(tets, "tets", &tet, &ntet) : NULL,
           *c = b ? ints_of(triangles, "triangles", &tri, &ntri) : NULL;
  if (c && nvert % 3) {
    refuse("vertices must have 3 coordinates per row, got %zd numbers", nvert);
  } else if (c && nvert / 3 > INT_MAX / 16) {
    refuse("there are too many vertices: %zd", nvert / 3);
  } else if (c && check_ids(tet, ntet, 4, nvert / 3, "tets") &&
             check_ids(tri, ntri, 3, nvert / 3, "triangles")) {
    plError error = {0};
    plMesh* mesh = pl_mesh_create((int)(nvert / 3), (int)(ntet / 4), (int)(ntri / 3), &error);
    if (!mesh) {
      raise_error(&error);
    } else {
      if (nvert) memcpy(mesh->vert, vert, (size_t)nvert * sizeof(double));
      if (ntet) memcpy(mesh->tet, tet, (size_t)ntet * sizeof(int));
      if (ntri) memcpy(mesh->tri, tri, (size_t)ntri * sizeof(int));
      self = wrap(type, mesh);
    }
  }
  Py_XDECREF(a);
  Py_XDECREF(b);
  Py_XDECREF(c);
  Py_DECREF(empty);
  return self;
}

// ---- members: copies of the connections, the vertices live

static PyObject* get_vertices(PyObject* self, void* none) {
  (void)none;
  plMesh* m = inner(self);
  return array_view((PyObject*)((Mesh*)self)->owner, m->vert, 'd', 2, (Py_ssize_t[2]){m->nvert, 3}, NULL,
                    true);
}

static PyObject* ids(const int* from, Py_ssize_t n, Py_ssize_t width) {
  void* at;
  PyObject* array = array_new('i', 2, (Py_ssize_t[2]){n, width}, &at);
  if (array && n) memcpy(at, from, (size_t)(n * width) * sizeof(int));
  return array;
}

static PyObject* get_tets(PyObject* self, void* none) {
  (void)none;
  return ids(inner(self)->tet, inner(self)->ntet, 4);
}

static PyObject* get_triangles(PyObject* self, void* none) {
  (void)none;
  return ids(inner(self)->tri, inner(self)->ntri, 3);
}

static PyObject* get_kept(PyObject* self, void* none) {
  (void)none;
  return PyFloat_FromDouble(inner(self)->kept);
}

static PyObject* get_by_corners(PyObject* self, void* none) {
  (void)none;
  return PyLong_FromLong(inner(self)->by_corners);
}

static PyGetSetDef members[] = {
    {"vertices", get_vertices, NULL, "float64 (nvert, 3), live, may be written: positions (m).", NULL},
    {"tets", get_tets, NULL, "int32 (ntet, 4), a copy: vertices of the tetrahedra.", NULL},
    {"triangles", get_triangles, NULL,
     "int32 (ntri, 3), a copy: vertices of the surface's triangles, outward; of a tet mesh once boundary() "
     "ran.",
     NULL},
    {"kept", get_kept, NULL, "Part of a surface's enclosed volume that its filling holds; 0: not filled.",
     NULL},
    {"by_corners", get_by_corners, NULL,
     "Elements of higher order in the file, which were read by their corners.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

// ---- methods

static PyObject* check(PyObject* self, PyObject* none) {
  (void)none;
  plMeshReport report = {0};
  plError error = {0};
  if (pl_mesh_check(inner(self), &report, &error)) return raise_error(&error);
  return record_new(&table_plMeshReport, &report);
}

static PyObject* findings(PyObject* self, PyObject* none) {
  (void)none;
  plMeshReport report = {0};
  plError error = {0};
  if (pl_mesh_check(inner(self), &report, &error)) return raise_error(&error);
  char text[4000] = "";
  if (!pl_mesh_report_text(&report, text, sizeof text)) return PyList_New(0);
  PyObject* all = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
  PyObject* lines = all ? PyUnicode_Splitlines(all, 0) : NULL;
  Py_XDECREF(all);
  return lines;
}

// What replaces the mesh works on a copy: views of the old vertices stay what they are.
static plMesh* changeable(PyObject* self, plError* error) { return pl_mesh_copy(inner(self), error); }

static int replace(PyObject* self, plMesh* mesh) {
  Owner* owner = owner_new(mesh, destroy);
  if (!owner) return -1;
  Owner* old = ((Mesh*)self)->owner;
  ((Mesh*)self)->owner = owner;
  Py_DECREF((PyObject*)old);
  return 0;
}

static PyObject* repair(PyObject* self, PyObject* none) {
  (void)none;
  plError error = {0};
  char log[4000] = "";
  plMesh* mesh = changeable(self, &error);
  if (!mesh) return raise_error(&error);
  if (pl_mesh_repair(mesh, log, sizeof log, &error)) {
    pl_mesh_destroy(mesh);
    return raise_error(&error);
  }
  return replace(self, mesh) ? NULL : PyUnicode_DecodeUTF8(log, (Py_ssize_t)strlen(log), "replace");
}

static PyObject* boundary(PyObject* self, PyObject* none) {
  (void)none;
  plError error = {0};
  plMesh* mesh = changeable(self, &error);
  if (!mesh) return raise_error(&error);
  if (pl_mesh_boundary(mesh, &error)) {
    pl_mesh_destroy(mesh);
    return raise_error(&error);
  }
  return replace(self, mesh) ? NULL : Py_NewRef(self);
}

static PyObject* transform(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"scale", "pose", NULL};
  PyObject *scale = NULL, *pose = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OO:transform", names, &scale, &pose)) return NULL;
  plVec3 s = {1, 1, 1};
  plPose x = {{0, 0, 0}, {1, 0, 0, 0}};
  if (scale && (PyFloat_Check(scale) || PyLong_Check(scale))) {
    double one;
    if (!double_of(scale, "scale", &one)) return NULL;
    if (!isfinite(one)) return refuse("scale must be finite, got %R", scale);
    s = (plVec3){one, one, one};
  } else if (scale && scale != Py_None && !vec3_of(scale, "scale", &s)) {
    return NULL;
  }
  if (pose && pose != Py_None && !pose_of(pose, "pose", &x)) return NULL;
  pl_mesh_transform(inner(self), s, x);
  return Py_NewRef(self);
}

static PyObject* save(PyObject* self, PyObject* path) {
  PyObject* keep;
  const char* text = path_of(path, &keep);
  plError error = {0};
  plStatus status = text ? pl_mesh_save(text, inner(self), &error) : PL_OK;
  Py_XDECREF(keep);
  if (!text) return NULL;
  return status ? raise_error(&error) : Py_NewRef(Py_None);
}

static PyObject* tetrahedralize(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char* names[] = {"edge", "max_tets", NULL};
  double edge;
  long most = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "d|l:tetrahedralize", names, &edge, &most))
    return NULL;
  plError error = {0};
  plMesh* made = NULL;
  Py_INCREF(self);
  const plMesh* surface = inner(self);
  plStatus status;
  Py_BEGIN_ALLOW_THREADS status = pl_mesh_tetrahedralize(surface, edge, most, &made, &error);
  Py_END_ALLOW_THREADS Py_DECREF(self);
  return status ? raise_error(&error) : mesh_new(made);
}

static PyObject* copy(PyObject* self, PyObject* unused) {
  (void)unused;
  plError error = {0};
  plMesh* mesh = pl_mesh_copy(inner(self), &error);
  return mesh ? wrap(Py_TYPE(self), mesh) : raise_error(&error);
}

static PyObject* reduce(PyObject* self, PyObject* none) {
  (void)none;
  PyObject *v = get_vertices(self, NULL), *t = get_tets(self, NULL), *f = get_triangles(self, NULL),
           *fixed = v ? PyObject_CallMethod(v, "copy", NULL) : NULL;
  PyObject* made = fixed && t && f ? Py_BuildValue("(O(OOO))", (PyObject*)Py_TYPE(self), fixed, t, f) : NULL;
  Py_XDECREF(v);
  Py_XDECREF(t);
  Py_XDECREF(f);
  Py_XDECREF(fixed);
  return made;
}

static PyObject* show(PyObject* self) {
  const plMesh* m = inner(self);
  return PyUnicode_FromFormat("<Mesh: %d vertices, %d tets, %d triangles>", m->nvert, m->ntet, m->ntri);
}

static PyMethodDef methods[] = {
    {"check", check, METH_NOARGS,
     "check($self, /)\n--\n\nWhat the mesh is like: sizes, volume, quality, faults."},
    {"findings", findings, METH_NOARGS,
     "findings($self, /)\n--\n\nOne sentence for each finding that a user should know."},
    {"repair", repair, METH_NOARGS,
     "repair($self, /)\n--\n\n" DOC_pl_mesh_repair
     " Returns what was done. Arrays taken before stay as they were."},
    {"boundary", boundary, METH_NOARGS,
     "boundary($self, /)\n--\n\n" DOC_pl_mesh_boundary " Returns the mesh."},
    {"transform", METHOD_KEYWORDS(transform), METH_VARARGS | METH_KEYWORDS,
     "transform($self, /, scale=1.0, pose=None)\n--\n\n" DOC_pl_mesh_transform " Returns the mesh."},
    {"save", save, METH_O, "save($self, path, /)\n--\n\n" DOC_pl_mesh_save},
    {"tetrahedralize", METHOD_KEYWORDS(tetrahedralize), METH_VARARGS | METH_KEYWORDS,
     "tetrahedralize($self, /, edge, max_tets=0)\n--\n\n" DOC_pl_mesh_tetrahedralize},
    {"__copy__", copy, METH_NOARGS, NULL},
    {"__deepcopy__", copy, METH_O, NULL},
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

// ---- makers

typedef enum Shape { BOX, SPHERE, ELLIPSOID, HALF_ELLIPSOID, CYLINDER, CAPSULE, TORUS } Shape;

// The mesh is read after the call that made it: arguments are evaluated in any order.
static PyObject* made(plStatus status, plMesh* const* mesh, plError* error) {
  return status ? raise_error(error) : mesh_new(*mesh);
}

static PyObject* make(Shape shape, PyObject* arguments, PyObject* keywords) {
  static char *sized[] = {"size", "edge", NULL}, *axes[] = {"semi_axes", "edge", NULL},
              *round[] = {"radius", "edge", NULL}, *longish[] = {"radius", "length", "edge", NULL},
              *ring[] = {"major_radius", "minor_radius", "edge", NULL};
  PyObject* vector = NULL;
  double a = 0, b = 0, edge = 0;
  bool by_vector = shape == BOX || shape == ELLIPSOID || shape == HALF_ELLIPSOID;
  int good = by_vector ? PyArg_ParseTupleAndKeywords(arguments, keywords, "Od", shape == BOX ? sized : axes,
                                                     &vector, &edge)
             : shape == SPHERE ? PyArg_ParseTupleAndKeywords(arguments, keywords, "dd", round, &a, &edge)
                               : PyArg_ParseTupleAndKeywords(arguments, keywords, "ddd",
                                                             shape == TORUS ? ring : longish, &a, &b, &edge);
  plVec3 size = {0, 0, 0};
  if (!good || (by_vector && !vec3_of(vector, shape == BOX ? "size" : "semi_axes", &size))) return NULL;
  plMesh* mesh = NULL;
  plError error = {0};
  switch (shape) {
    case BOX:
      return made(pl_mesh_box(size, edge, &mesh, &error), &mesh, &error);
    case SPHERE:
      return made(pl_mesh_sphere(a, edge, &mesh, &error), &mesh, &error);
    case ELLIPSOID:
      return made(pl_mesh_ellipsoid(size, edge, &mesh, &error), &mesh, &error);
    case HALF_ELLIPSOID:
      return made(pl_mesh_half_ellipsoid(size, edge, &mesh, &error), &mesh, &error);
    case CYLINDER:
      return made(pl_mesh_cylinder(a, b, edge, &mesh, &error), &mesh, &error);
    case CAPSULE:
      return made(pl_mesh_capsule(a, b, edge, &mesh, &error), &mesh, &error);
    default:
      return made(pl_mesh_torus(a, b, edge, &mesh, &error), &mesh, &error);
  }
}

#define MAKER(name, shape)                                                         \
  static PyObject* name(PyObject* self, PyObject* arguments, PyObject* keywords) { \
    (void)self;                                                                    \
    return make(shape, arguments, keywords);                                       \
  }
MAKER(mesh_box, BOX)
MAKER(mesh_sphere, SPHERE)
MAKER(mesh_ellipsoid, ELLIPSOID)
MAKER(mesh_half_ellipsoid, HALF_ELLIPSOID)
MAKER(mesh_cylinder, CYLINDER)
MAKER(mesh_capsule, CAPSULE)
MAKER(mesh_torus, TORUS)

static PyObject* mesh_box_cells(PyObject* self, PyObject* arguments, PyObject* keywords) {
  (void)self;
  static char* names[] = {"size", "nx", "ny", "nz", NULL};
  PyObject* vector;
  int n[3];
  plVec3 size;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "Oiii", names, &vector, &n[0], &n[1], &n[2]) ||
      !vec3_of(vector, "size", &size))
    return NULL;
  plMesh* mesh = NULL;
  plError error = {0};
  return made(pl_mesh_box_cells(size, n[0], n[1], n[2], &mesh, &error), &mesh, &error);
}

static PyObject* mesh_load(PyObject* self, PyObject* arguments, PyObject* keywords) {
  (void)self;
  static char* names[] = {"path", "max_bytes", NULL};
  PyObject *path, *keep = NULL;
  Py_ssize_t most = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|n", names, &path, &most)) return NULL;
  const char* text = path_of(path, &keep);
  plMesh* mesh = NULL;
  plError error = {0};
  plStatus status = !text      ? PL_OK
                    : most > 0 ? pl_mesh_load_within(text, (size_t)most, &mesh, &error)
                               : pl_mesh_load(text, &mesh, &error);
  Py_XDECREF(keep);
  return text ? made(status, &mesh, &error) : NULL;
}

static PyObject* mesh_parse(PyObject* self, PyObject* arguments) {
  (void)self;
  const char *name, *bytes;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(arguments, "sy#", &name, &bytes, &size)) return NULL;
  plMesh* mesh = NULL;
  plError error = {0};
  return made(pl_mesh_parse(name, bytes, (size_t)size, &mesh, &error), &mesh, &error);
}

#define KEYWORDS METH_VARARGS | METH_KEYWORDS
#define ABOUT "\n--\n\nTetrahedra of about the given edge length (m) in "
static PyMethodDef functions[] = {
    {"mesh_box", METHOD_KEYWORDS(mesh_box), KEYWORDS, "mesh_box(size, edge)" ABOUT "a box, centred."},
    {"mesh_box_cells", METHOD_KEYWORDS(mesh_box_cells), KEYWORDS,
     "mesh_box_cells(size, nx, ny, nz)\n--\n\nTetrahedra in a box of nx ny nz cells, centred."},
    {"mesh_sphere", METHOD_KEYWORDS(mesh_sphere), KEYWORDS, "mesh_sphere(radius, edge)" ABOUT "a ball."},
    {"mesh_ellipsoid", METHOD_KEYWORDS(mesh_ellipsoid), KEYWORDS,
     "mesh_ellipsoid(semi_axes, edge)" ABOUT "an ellipsoid."},
    {"mesh_half_ellipsoid", METHOD_KEYWORDS(mesh_half_ellipsoid), KEYWORDS,
     "mesh_half_ellipsoid(semi_axes, edge)" ABOUT "the half z <= 0 of an ellipsoid, its flat base at z = 0."},
    {"mesh_cylinder", METHOD_KEYWORDS(mesh_cylinder), KEYWORDS,
     "mesh_cylinder(radius, length, edge)" ABOUT "a cylinder about z, centred."},
    {"mesh_capsule", METHOD_KEYWORDS(mesh_capsule), KEYWORDS,
     "mesh_capsule(radius, length, edge)" ABOUT "a capsule about z; length is without the caps."},
    {"mesh_torus", METHOD_KEYWORDS(mesh_torus), KEYWORDS,
     "mesh_torus(major_radius, minor_radius, edge)" ABOUT "a ring about z."},
    {"mesh_load", METHOD_KEYWORDS(mesh_load), KEYWORDS,
     "mesh_load(path, max_bytes=0)\n--\n\n" DOC_pl_mesh_load
     " max_bytes: a larger file is refused; 0: 1 GiB."},
    {"mesh_parse", mesh_parse, METH_VARARGS,
     "mesh_parse(name, data, /)\n--\n\nA mesh from the bytes of a file; name decides the format and appears "
     "in errors."},
    {NULL, NULL, 0, NULL}};

int add_mesh(PyObject* module) {
  static PyType_Slot slots[] = {{Py_tp_doc,
                                 "Mesh(vertices, tets=None, triangles=None)\n--\n\nTetrahedra, a triangle "
                                 "surface, or both over the same vertices."},
                                {Py_tp_new, new_mesh},
                                {Py_tp_dealloc, dealloc},
                                {Py_tp_repr, show},
                                {Py_tp_methods, methods},
                                {Py_tp_getset, members},
                                {0, NULL}};
  static PyType_Spec spec = {
      .name = "pliant.Mesh", .basicsize = sizeof(Mesh), .flags = Py_TPFLAGS_DEFAULT, .slots = slots};
  mesh_type = make_type(module, &spec);
  return mesh_type ? PyModule_AddFunctions(module, functions) : -1;
}

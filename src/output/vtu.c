// vtu.c: VTU files (XML, raw appended binary) of bodies, shapes and contacts, and the PVD collection that
// lists them by time.
//
// FOLDER/block_0012.vtu holds the deformed tetrahedra; FOLDER/contacts_0012.vtu one vertex per contact point;
// FOLDER/shapes.vtu the rigid shapes. Array names carry the unit, as "von_mises [Pa]", so that it shows in
// ParaView's legend.
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "model/side.h"
#include "output/chunk.h"
#include "output/field.h"
#include "output/surface.h"

enum { VTK_VERTEX = 1, VTK_TRIANGLE = 5, VTK_TETRA = 10, VTK_QUADRATIC_TETRA = 24, LABEL = 80, PATH = 4096 };

struct plSeries {
  const plModel* model;
  char* folder;
  char (*label)[LABEL];  // [ndeform] of the bodies' files
  plBytes pvd;           // the collection's entries so far
  int nframe;
  plBytes xml, raw;  // of the file being made
};

// ---- one file

static void begin_file(plSeries* w, size_t npoint, size_t ncell) {
  pl_bytes_clear(&w->xml), pl_bytes_clear(&w->raw);
  pl_bytes_print(
      &w->xml,
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n",
      npoint, ncell);
}

static void put_array(plSeries* w, const char* type, const char* name, int ncomponent, const void* values,
                      size_t bytes) {
  pl_bytes_print(
      &w->xml,
      "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%zu\"/>\n",
      type, name, ncomponent, w->raw.size);
  pl_bytes_add(&w->raw, &(uint64_t){bytes}, 8);
  pl_bytes_add(&w->raw, values, bytes);
}

static void put_doubles(plSeries* w, const char* name, int ncomponent, const double* values, size_t n) {
  put_array(w, "Float64", name, ncomponent, values, (size_t)ncomponent * n * sizeof(double));
}

static void tag(plSeries* w, const char* text) { pl_bytes_print(&w->xml, "%s\n", text); }

// Cells of width vertices each, all of one type; vertex ids are counted from first.
static plStatus put_cells(plSeries* w, int type, size_t width, const int* vert, int first, size_t n,
                          plError* error) {
  int64_t* id = PL_NEW(int64_t, width * n + n);
  unsigned char* types = PL_NEW(unsigned char, n);
  if (id && types) {
    for (size_t i = 0; i < width * n; i++) id[i] = vert ? vert[i] - first : (int64_t)i;
    for (size_t i = 0; i < n; i++) id[width * n + i] = (int64_t)(width * (i + 1));
    memset(types, type, n);
    tag(w, "<Cells>");
    put_array(w, "Int64", "connectivity", 1, id, width * n * 8);
    put_array(w, "Int64", "offsets", 1, id + width * n, n * 8);
    put_array(w, "UInt8", "types", 1, types, n);
    tag(w, "</Cells>");
  }
  bool ok = id && types;
  pl_free(id), pl_free(types);
  return ok ? PL_OK : pl_fail_out_of_memory(error, (width + 1) * n * 8);
}

static void put_points(plSeries* w, const double* x, size_t n) {
  tag(w, "<Points>");
  put_doubles(w, "Points", 3, x, n);
  tag(w, "</Points>");
}

static plStatus end_file(plSeries* w, const char* name, plError* error) {
  tag(w, "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">");
  pl_bytes_add(&w->xml, "_", 1);
  pl_bytes_add(&w->xml, w->raw.data, w->raw.size);
  tag(w, "\n</AppendedData>\n</VTKFile>");
  if (w->xml.failed || w->raw.failed) return pl_fail_out_of_memory(error, w->xml.cap);
  char path[PATH];
  snprintf(path, sizeof path, "%s/%s", w->folder, name);
  bool plain;
  if (pl_file_check_kind(path, &pl_file_vtk, &plain, error)) return PL_ERROR_IO;
  FILE* file = fopen(path, "wbe");
  bool ok = file && fwrite(w->xml.data, 1, w->xml.size, file) == w->xml.size;
  if (file && fclose(file)) ok = false;
  return ok ? PL_OK
            : pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the file cannot be written: %s", strerror(errno));
}

// ---- bodies

// One array over the tetrahedra or, averaged, over the vertices.
static void put_scalar(plSeries* w, int body, const char* name, const plElementState* e, size_t ntet,
                       size_t offset, double* tet, double* vert, size_t nvert, bool points) {
  for (size_t t = 0; t < ntet; t++) memcpy(&tet[t], (const char*)&e[t] + offset, sizeof(double));
  if (points) pl_field_to_vertices(w->model, body, tet, vert);
  put_doubles(w, name, 1, points ? vert : tet, points ? nvert : ntet);
}

static void put_tensor(plSeries* w, const char* name, const plElementState* e, size_t ntet, size_t offset,
                       double* tet) {
  for (size_t t = 0; t < ntet; t++) memcpy(tet + 6 * t, (const char*)&e[t] + offset, 6 * sizeof(double));
  put_doubles(w, name, 6, tet, ntet);
}

// Linear tetrahedra as they are; quadratic ones with the midpoints of their edges, in VTK's order 01 12 02 03
// 13 23.
static plStatus put_tets(plSeries* w, int b, plError* error) {
  const plModel* m = w->model;
  size_t t0 = (size_t)m->deform_tet0[b], n = (size_t)m->deform_tet0[b + 1] - t0;
  int v0 = m->deform_vert0[b];
  if (!n || m->tet_mid[6 * t0] < 0) return put_cells(w, VTK_TETRA, 4, m->tet_vert + 4 * t0, v0, n, error);
  static const size_t order[6] = {0, 3, 1, 2, 4, 5};
  int* vert = PL_NEW(int, 10 * n);
  if (!vert) return pl_fail_out_of_memory(error, 40 * n);
  for (size_t t = 0; t < n; t++) {
    memcpy(vert + 10 * t, m->tet_vert + 4 * (t0 + t), 4 * sizeof(int));
    for (size_t k = 0; k < 6; k++) vert[10 * t + 4 + k] = m->tet_mid[6 * (t0 + t) + order[k]];
  }
  plStatus status = put_cells(w, VTK_QUADRATIC_TETRA, 10, vert, v0, n, error);
  pl_free(vert);
  return status;
}

static plStatus write_body(plSeries* w, const plData* data, int b, const char* name, plError* error) {
  const plModel* m = w->model;
  size_t v0 = (size_t)m->deform_vert0[b], nvert = (size_t)m->deform_vert0[b + 1] - v0;
  size_t t0 = (size_t)m->deform_tet0[b], ntet = (size_t)m->deform_tet0[b + 1] - t0;
  const double *q = data->q + m->deform_q0[b], *start = m->start_q + m->deform_q0[b];
  plElementState* e;
  plStatus status = pl_field_elements(data, b, &e, error);
  if (status) return status;
  double *tet = PL_NEW(double, 6 * ntet), *vert = PL_NEW(double, 3 * nvert);
  if (!tet || !vert) status = pl_fail_out_of_memory(error, 48 * ntet + 24 * nvert);
  if (!status) {
    begin_file(w, nvert, ntet);
    put_points(w, q, nvert);
    status = put_tets(w, b, error);
  }
  if (!status) {
    tag(w, "<PointData>");
    for (size_t i = 0; i < 3 * nvert; i++) vert[i] = q[i] - start[i];
    put_doubles(w, "displacement [m]", 3, vert, nvert);
    put_doubles(w, "velocity [m/s]", 3, data->v + m->deform_v0[b], nvert);
    put_scalar(w, b, "von_mises [Pa]", e, ntet, offsetof(plElementState, von_mises), tet, vert, nvert, true);
    put_scalar(w, b, "pressure [Pa]", e, ntet, offsetof(plElementState, pressure), tet, vert, nvert, true);
    pl_field_contact(data, b, vert);
    put_doubles(w, "contact_traction [Pa]", 3, vert, nvert);
    tag(w, "</PointData>\n<CellData>");
    put_tensor(w, "stress [Pa]", e, ntet, offsetof(plElementState, cauchy_stress), tet);
    put_tensor(w, "strain", e, ntet, offsetof(plElementState, green_strain), tet);
    put_scalar(w, b, "cell_von_mises [Pa]", e, ntet, offsetof(plElementState, von_mises), tet, vert, nvert,
               false);
    put_scalar(w, b, "cell_pressure [Pa]", e, ntet, offsetof(plElementState, pressure), tet, vert, nvert,
               false);
    put_scalar(w, b, "energy [J]", e, ntet, offsetof(plElementState, energy), tet, vert, nvert, false);
    tag(w, "</CellData>");
    status = end_file(w, name, error);
  }
  pl_free(tet), pl_free(vert), pl_free(e);
  return status;
}

// ---- contacts

typedef struct ContactArray {
  const char* name;
  int ncomponent;
  size_t offset;
} ContactArray;

static plStatus write_contacts(plSeries* w, const plData* data, const char* name, plError* error) {
  static const ContactArray arrays[] = {{"normal", 3, offsetof(plContact, normal)},
                                        {"force [N]", 3, offsetof(plContact, force)},
                                        {"slip [m/s]", 3, offsetof(plContact, slip)},
                                        {"gap [m]", 1, offsetof(plContact, gap)},
                                        {"area [m^2]", 1, offsetof(plContact, area)}};
  size_t n = (size_t)data->ncontact;
  double* row = PL_NEW(double, 3 * n);
  int* side = PL_NEW(int, n);
  plStatus status = row && side ? PL_OK : pl_fail_out_of_memory(error, 28 * n);
  if (!status) {
    begin_file(w, n, n);
    for (size_t i = 0; i < n; i++) v3_store(row + 3 * i, data->contact[i].position);
    put_points(w, row, n);
    status = put_cells(w, VTK_VERTEX, 1, NULL, 0, n, error);
  }
  if (!status) {
    tag(w, "<PointData>");
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
      size_t width = (size_t)arrays[k].ncomponent;
      for (size_t i = 0; i < n; i++)
        memcpy(row + width * i, (const char*)&data->contact[i] + arrays[k].offset, width * sizeof(double));
      put_doubles(w, arrays[k].name, arrays[k].ncomponent, row, n);
    }
    // The traction on B: force over the area that the point represents.
    for (size_t i = 0; i < n; i++) v3_store(row + 3 * i, pl_contact_traction(&data->contact[i]));
    put_doubles(w, "traction [Pa]", 3, row, n);
    for (size_t i = 0; i < n; i++) v3_store(row + 3 * i, pl_contact_shear(&data->contact[i]));
    put_doubles(w, "shear [Pa]", 3, row, n);
    for (size_t i = 0; i < n; i++) row[i] = pl_contact_pressure(&data->contact[i]);
    put_doubles(w, "pressure [Pa]", 1, row, n);
    for (size_t k = 0; k < 5; k++) {
      static const char* const names[5] = {"a", "b", "facet_a", "facet_b", "stick"};
      for (size_t i = 0; i < n; i++) {
        const plContact* c = &data->contact[i];
        const int values[5] = {pl_side_number(data->model, c->a), pl_side_number(data->model, c->b), c->tri_a,
                               c->tri_b, c->stick};
        side[i] = values[k];
      }
      put_array(w, "Int32", names[k], 1, side, n * sizeof *side);
    }
    tag(w, "</PointData>");
    status = end_file(w, name, error);
  }
  pl_free(row), pl_free(side);
  return status;
}

// ---- shapes

static plStatus write_shapes(plSeries* w, const plData* data, const char* name, plError* error) {
  plSurfaces* s;
  plStatus status = pl_surfaces_create(data, &s, error);
  if (status) return status;
  plBytes x = {0}, tri = {0}, shape = {0};
  int nvert = 0, ntri = 0;
  for (int p = 0; p < s->npart; p++) {
    const plSurfacePart* part = &s->part[p];
    if (part->side < w->model->ndeform) continue;
    pl_bytes_add(&x, part->vert, 3 * (size_t)part->nvert * sizeof(double));
    for (size_t i = 0; i < 3 * (size_t)part->ntri; i++)
      pl_bytes_add(&tri, &(int){nvert + part->tri[i]}, sizeof(int));
    for (int i = 0; i < part->ntri; i++)
      pl_bytes_add(&shape, &(int){part->side - w->model->ndeform}, sizeof(int));
    nvert += part->nvert, ntri += part->ntri;
  }
  if (x.failed || tri.failed || shape.failed) status = pl_fail_out_of_memory(error, x.cap + tri.cap);
  if (!status) {
    begin_file(w, (size_t)nvert, (size_t)ntri);
    put_points(w, (const double*)(void*)x.data, (size_t)nvert);
    status = put_cells(w, VTK_TRIANGLE, 3, (const int*)(void*)tri.data, 0, (size_t)ntri, error);
  }
  if (!status) {
    tag(w, "<CellData>");
    put_array(w, "Int32", "shape", 1, shape.data, shape.size);
    tag(w, "</CellData>");
    status = end_file(w, name, error);
  }
  pl_bytes_free(&x), pl_bytes_free(&tri), pl_bytes_free(&shape);
  pl_surfaces_destroy(s);
  return status;
}

// ---- the series

// Labels that are safe as file names and differ from each other.
static void make_labels(plSeries* w) {
  for (int b = 0; b < w->model->ndeform; b++) {
    char* label = w->label[b];
    snprintf(label, LABEL, "%.60s", w->model->deform_name[b]);
    for (char* c = label; *c; c++)
      if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '-'))
        *c = '_';
    bool taken = !strcmp(label, "contacts") || !strcmp(label, "shapes") || !*label;
    for (int a = 0; a < b && !taken; a++) taken = !strcmp(label, w->label[a]);
    if (taken) snprintf(label + strlen(label), LABEL - strlen(label), ".%d", b);
  }
}

static void destroy(plSeries* w) {
  pl_bytes_free(&w->pvd), pl_bytes_free(&w->xml), pl_bytes_free(&w->raw);
  pl_free(w->folder), pl_free(w->label);
  pl_free(w);
}

plStatus pl_series_open(const char* folder, const plModel* model, plSeries** series, plError* error) {
  assert(model != NULL && folder != NULL && series != NULL);
  *series = NULL;
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/') length--;
  if (!length || length > PATH - 2 * LABEL)
    return pl_fail(error, PL_ERROR_INPUT, "the folder's name must have 1 to %d characters", PATH - 2 * LABEL);
  plSeries* w = PL_NEW(plSeries, 1);
  if (!w) return pl_fail_out_of_memory(error, sizeof *w);
  *w = (plSeries){
      .model = model, .folder = pl_strdup(folder), .label = pl_alloc((size_t)model->ndeform, LABEL)};
  if (!w->folder || !w->label) return destroy(w), pl_fail_out_of_memory(error, length);
  w->folder[length] = 0;
  if (mkdir(w->folder, 0777) && errno != EEXIST) {
    destroy(w);
    return pl_fail_at(error, PL_ERROR_IO, folder, 0, 0, "the folder cannot be made: %s", strerror(errno));
  }
  make_labels(w);
  *series = w;
  return PL_OK;
}

static void list_file(plSeries* w, double time, int part, const char* name) {
  pl_bytes_print(&w->pvd, "<DataSet timestep=\"%.17g\" part=\"%d\" file=\"%s\"/>\n", time, part, name);
}

plStatus pl_series_write(plSeries* w, const plData* data, plError* error) {
  assert(data != NULL && w != NULL);
  const plModel* m = w->model;
  char name[2 * LABEL];
  plStatus status = PL_OK;
  for (int b = 0; b < m->ndeform && !status; b++) {
    snprintf(name, sizeof name, "%s_%04d.vtu", w->label[b], w->nframe);
    status = write_body(w, data, b, name, error);
    list_file(w, data->time, b, name);
  }
  if (!status) {
    snprintf(name, sizeof name, "contacts_%04d.vtu", w->nframe);
    status = write_contacts(w, data, name, error);
    list_file(w, data->time, m->ndeform, name);
  }
  // Shapes fixed in the world do not move: one file is used for all times.
  bool bounded = false, moving = false;
  for (int g = 0; g < m->nshape; g++)
    bounded = bounded || m->shape_kind[g] != PL_SHAPE_HALF_SPACE, moving = moving || m->shape_body[g] >= 0;
  if (!status && bounded) {
    snprintf(name, sizeof name, moving ? "shapes_%04d.vtu" : "shapes.vtu", w->nframe);
    if (moving || !w->nframe) status = write_shapes(w, data, name, error);
    list_file(w, data->time, m->ndeform + 1, name);
  }
  if (!status) w->nframe++;
  return status;
}

plStatus pl_series_close(plSeries* w, plError* error) {
  if (!w) return PL_OK;
  char path[PATH];
  const char* slash = strrchr(w->folder, '/');
  const char* last = slash && slash[1] ? slash + 1 : w->folder;
  bool plain = strcmp(last, ".") != 0 && strcmp(last, "..") != 0 && *last != '/';
  snprintf(path, sizeof path, "%s/%.100s.pvd", w->folder, plain ? last : "frames");
  bool there;
  plStatus status = pl_file_check_kind(path, &pl_file_vtk, &there, error);
  FILE* file = w->pvd.failed || status ? NULL : fopen(path, "we");
  bool ok = file != NULL;
  if (file) {
    fputs(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
        "byte_order=\"LittleEndian\">\n<Collection>\n",
        file);
    if (w->pvd.size) fwrite(w->pvd.data, 1, w->pvd.size, file);
    fputs("</Collection>\n</VTKFile>\n", file);
    ok = !ferror(file);
    if (fclose(file)) ok = false;
  }
  if (!status && !ok)
    status =
        pl_fail_at(error, PL_ERROR_IO, path, 0, 0, "the collection cannot be written: %s", strerror(errno));
  destroy(w);
  return status;
}

// VTU, OBJ and PLY files, read back by meshio (skipped, with exit 77, where /usr/bin/python3 has no meshio).
#include "check.h"

#include "output/field.h"
#include "output/surface.h"
#include "sample.h"

static const plModel* model;
static plData* data;

// Runs a few lines of Python with meshio; the script prints numbers, read into row. Returns how many.
static int python(const char* script, double* row, int room) {
  const char* path = sample_path("check.py");
  FILE* file = fopen(path, "w");
  fprintf(file,
          "import meshio, numpy as np, os, warnings\nwarnings.simplefilter('ignore')\n"
          "root = os.path.dirname(os.path.abspath(__file__))\n%s",
          script);
  fclose(file);
  // A path may hold blanks and more: the shell gets it as a variable.
  setenv("PLIANT_CHECK", path, 1);
  FILE* out = popen("/usr/bin/python3 \"$PLIANT_CHECK\"", "r");
  int n = 0;
  while (n < room && fscanf(out, "%lf", &row[n]) == 1) n++;
  CHECK_INT(pclose(out), 0);
  return n;
}

static void a_series_reads_back_with_its_numbers(void) {
  plError error;
  plSeries* vtu;
  CHECK_INT(pl_series_open(sample_path("series/"), model, &vtu, &error), PL_OK);
  plContact* own;
  int nown;
  lend_contacts(data, &own, &nown);
  CHECK_INT(pl_series_write(vtu, data, &error), PL_OK);
  return_contacts(data, own, nown);
  CHECK_INT(pl_series_write(vtu, data, &error), PL_OK);
  CHECK_INT(pl_series_close(vtu, &error), PL_OK);
  // Every number is weighted by its index, so that a changed order is seen.
  double row[40];
  int n = python(
      "m = meshio.read(root + '/series/beam_0000.vtu')\n"
      "w = lambda a: float(np.dot(np.asarray(a, float).ravel(), np.arange(1, np.asarray(a).size + 1)))\n"
      "print(len(m.points), len(m.cells_dict['tetra']))\n"
      "print(repr(w(m.points)), repr(w(m.cells_dict['tetra'])))\n"
      "p, c = m.point_data, m.cell_data\n"
      "for k in ['displacement [m]', 'velocity [m/s]', 'von_mises [Pa]']: print(repr(w(p[k])))\n"
      "for k in ['stress [Pa]', 'strain', 'cell_von_mises [Pa]', 'cell_pressure [Pa]', 'energy [J]']: "
      "print(repr(w(c[k][0])))\n"
      "m = meshio.read(root + '/series/contacts_0000.vtu')\n"
      "print(len(m.points), repr(w(m.points)), repr(w(m.point_data['force [N]'])), "
      "repr(w(m.point_data['traction [Pa]'])))\n"
      "print(repr(w(m.point_data['stick'])), repr(w(m.point_data['b'])))\n",
      row, 40);
  CHECK_INT(n, 18);
  int v0 = model->deform_vert0[1], nvert = model->nvert - v0, t0 = model->deform_tet0[1],
      ntet = model->ntet - t0;
  const double *q = data->q + model->deform_q0[1], *v = data->v + model->deform_v0[1],
               *start = model->start_q + model->deform_q0[1];
  double points = 0, displacement = 0, velocity = 0, tets = 0, tensor[2] = {0}, scalar[3] = {0}, averaged = 0;
  for (int i = 0; i < 3 * nvert; i++)
    points += (i + 1) * q[i], displacement += (i + 1) * (q[i] - start[i]), velocity += (i + 1) * v[i];
  for (int i = 0; i < 4 * ntet; i++) tets += (i + 1.0) * (model->tet_vert[4 * t0 + i] - v0);
  plElementState* e;
  CHECK_INT(pl_field_elements(data, 1, &e, &error), PL_OK);
  for (int t = 0; t < ntet; t++) {
    for (int k = 0; k < 6; k++)
      tensor[0] += (6 * t + k + 1) * e[t].cauchy_stress[k],
          tensor[1] += (6 * t + k + 1) * e[t].green_strain[k];
    scalar[0] += (t + 1) * e[t].von_mises, scalar[1] += (t + 1) * e[t].pressure,
        scalar[2] += (t + 1) * e[t].energy;
  }
  double* vert = malloc((size_t)nvert * sizeof *vert);
  CHECK_INT(pl_field_colour(data, 1, PL_COLOUR_VON_MISES, vert, &error), PL_OK);
  for (int i = 0; i < nvert; i++) averaged += (i + 1) * vert[i];
  free(vert), pl_free(e);
  const double expected[18] = {nvert, ntet, points, tets, displacement, velocity, averaged, tensor[0],
                               tensor[1], scalar[0], scalar[1], scalar[2],
                               // contacts: w(points), w(force), w(traction), stick, b
                               3, 0.1 + 4 * 0.3 + 9 * 1, 1 + 3 * 7 + 5 * 2 + 6 * 3 + 7 * 5 + 9 * 1,
                               (1 + 3 * 7) / 2e-4 + (5 * 2 + 6 * 3) / 4e-4 + (7 * 5 + 9 * 1) / 1e-4, 2, 0};
  for (int i = 0; i < 18; i++) CHECK_NEAR(row[i], expected[i], 1.2e-12 * fabs(expected[i]));
}

// The shapes and the collection of the series above.
static void shapes_and_collection_are_complete(void) {
  double row[8];
  int n = python(
      "import xml.etree.ElementTree as E, os\n"
      "m = meshio.read(root + '/series/shapes.vtu')\n"
      "print(len(np.unique(m.cell_data['shape'][0])))\n"
      "sets = E.parse(root + '/series/series.pvd').getroot()[0]\n"
      "print(len(sets), float(sets[0].get('timestep')))\n"
      "print(sum(os.path.exists(root + '/series/' + s.get('file')) for s in sets))\n",
      row, 8);
  CHECK_INT(n, 4);
  CHECK_INT(row[0], PL_SHAPE_COUNT - 1);
  CHECK_INT(row[1], 2 * 4);
  CHECK_NEAR(row[2], data->time, 0);
  CHECK_INT(row[3], 8);
}

// The volume enclosed by the triangles of a part.
static double enclosed(const plSurfacePart* part) {
  double six = 0;
  for (const int* t = part->tri; t < part->tri + 3 * part->ntri; t += 3) {
    const double *a = part->vert + 3 * t[0], *b = part->vert + 3 * t[1], *c = part->vert + 3 * t[2];
    six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return six / 6;
}

static void surfaces_enclose_their_volumes(void) {
  plError error;
  plSurfaces* s;
  CHECK_INT(pl_surfaces_create(data, &s, &error), PL_OK);
  CHECK_INT(s->npart, 2 + PL_SHAPE_COUNT - 1);
  plBodyState state;
  const double pi = acos(-1.0), r = 0.05, l = 0.1, x = 0.1, y = 0.12, z = 0.14;
  const double volume[PL_SHAPE_COUNT] = {0,
                                         4 * pi / 3 * r * r * r,
                                         x * y * z,
                                         pi * r * r * l + 4 * pi / 3 * r * r * r,
                                         pi * r * r * l,
                                         pi / 6 * x * y * z,
                                         1e-3 / 6};
  for (int p = 0; p < s->npart; p++) {
    const plSurfacePart* part = &s->part[p];
    if (part->side < 2) {
      pl_deformable_state(data, part->side, &state);
      CHECK_ROUND(enclosed(part), state.volume, 0.001);
    } else {
      double v = volume[model->shape_kind[part->side - 2]];
      CHECK_NEAR(enclosed(part), v, 6e-3 * v);
    }
  }
  pl_surfaces_destroy(s);
}

static void obj_and_ply_read_back(void) {
  plError error;
  CHECK_INT(pl_surface_save_obj(sample_path("frame.obj"), data, &error), PL_OK);
  CHECK_INT(pl_surface_save_ply(sample_path("frame.ply"), data, &error), PL_OK);
  plSurfaces* s;
  CHECK_INT(pl_surfaces_create(data, &s, &error), PL_OK);
  int nvert = 0, ntri = 0;
  double sum = 0;
  for (int p = 0; p < s->npart; p++) {
    for (int i = 0; i < 3 * s->part[p].nvert; i++) sum += (3 * nvert + i + 1) * s->part[p].vert[i];
    nvert += s->part[p].nvert, ntri += s->part[p].ntri;
  }
  double row[12];
  int n = python(
      "for name in ['frame.obj', 'frame.ply']:\n"
      "  m = meshio.read(root + '/' + name)\n"
      "  t = m.cells_dict['triangle']\n"
      "  print(len(m.points), len(t), repr(float(np.dot(m.points.ravel(), np.arange(1, m.points.size + "
      "1)))), int(t.max()))\n",
      row, 12);
  CHECK_INT(n, 8);
  for (int i = 0; i < 2; i++) {
    CHECK_INT(row[4 * i], nvert);
    CHECK_INT(row[4 * i + 1], ntri);
    CHECK_ROUND(row[4 * i + 2], sum, fabs(sum));
    CHECK_INT(row[4 * i + 3], nvert - 1);
  }
  pl_surfaces_destroy(s);
  CHECK_INT(pl_surface_save_obj("/nowhere/x.obj", data, &error), PL_ERROR_IO);
}

// Largest principal value: of a diagonal, and of one whose eigenvalues are known.
static void principal_strain_is_an_eigenvalue(void) {
  CHECK_NEAR(pl_field_principal((double[6]){0.1, 0.3, -0.2, 0, 0, 0}), 0.3, 1e-15);
  CHECK_NEAR(pl_field_principal((double[6]){0, 0, 0, 0.5, 0, 0}), 0.5, 1e-15);
  CHECK_NEAR(pl_field_principal((double[6]){2, 2, 2, 1, 1, 1}), 4, 1e-14);
  CHECK_NEAR(pl_field_principal((double[6]){0.2, 0.2, 0.2, 0, 0, 0}), 0.2, 1e-15);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  if (system("/usr/bin/python3 -c 'import meshio' >/dev/null 2>&1") != 0)
    return CHECK_SKIP_ALL("/usr/bin/python3 has no meshio (Debian: python3-meshio)");
  plError error;
  model = sample_model(1e6);
  data = pl_data_create(model, &error);
  for (int i = 0; i < 10; i++) pl_step(data, &error);
  RUN(a_series_reads_back_with_its_numbers);
  RUN(shapes_and_collection_are_complete);
  RUN(surfaces_enclose_their_volumes);
  RUN(obj_and_ply_read_back);
  RUN(principal_strain_is_an_eigenvalue);
  pl_data_destroy(data), pl_model_destroy(model);
  return CHECK_END;
}

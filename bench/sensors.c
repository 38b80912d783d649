// sensors.c: sensors against closed forms and thresholds: pressure and shear of a pressed sphere over taxels,
// and the cost of taxels and markers.
//
//   build/bench/sensors [--quick] [--only CASE]
//
// One line a case: what was measured, what is allowed, ok or FAILED; the exit status says whether all are ok.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pliant/pliant.h"
#include "times.h"
#include "verdict.h"

static const double PI = 3.14159265358979323846;

typedef struct Run {
  const plModel* model;
  plData* data;
} Run;

static Run start(plSpec* spec) {
  plError error;
  Run r = {.model = pl_model_create(spec, &error)};
  if (!r.model) stop("model", &error);
  r.data = pl_data_create(r.model, &error);
  if (!r.data) stop("data", &error);
  pl_spec_destroy(spec);
  return r;
}

static void go(Run* r, int steps) {
  plError error;
  for (int i = 0; i < steps; i++)
    if (pl_step(r->data, &error)) stop("step", &error);
}

static void end(Run* r) { pl_data_destroy(r->data), pl_model_destroy(r->model); }

// ---- a sphere pressed on a block

enum { TAXELS = 24 };
static const double R = 0.1, MU = 0.4, NU = 0.4;

// [0, 1] -> [0, 1]: even cells up to `inner` of the size for the first part, then growing by a constant
// factor.
static double grade(double x, int n, int nfine, double inner) {
  double fine = (double)nfine / n;
  if (x <= fine) return inner * x / fine;
  // the rest: h (g + g^2 + ... + g^m) = 1 - inner
  int m = n - nfine;
  double h = inner / nfine, low = 1, high = 10;
  for (int k = 0; k < 100; k++) {
    double g = 0.5 * (low + high), sum = 0, term = h;
    for (int i = 0; i < m; i++) term *= g, sum += term;
    if (sum > 1 - inner)
      high = g;
    else
      low = g;
  }
  double at = (x - fine) * n, sum = inner, term = h;
  int whole = (int)floor(at + 1e-9);
  for (int i = 0; i < whole; i++) term *= low, sum += term;
  return sum + (at - whole > 1e-9 ? (at - whole) * term * low : 0);
}

// Half of a block in y, its cells even below the contact and growing away from it; z <= 0, y >= 0. Every cell
// is cut along the same diagonal (Kuhn's six tetrahedra), so that all vertices of the surface have the same
// area.
static plMesh* half_block(double size, double inner, int nfine, int n) {
  static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  plError error;
  int nx = 2 * n + 1, ny = n + 1;
  plMesh* mesh = pl_mesh_create(nx * ny * ny, 6 * 2 * n * n * n, 0, &error);
  if (!mesh) stop("mesh", &error);
  for (int v = 0; v < mesh->nvert; v++) {
    int i = v % nx - n, j = v / nx % ny, k = v / nx / ny;
    mesh->vert[3 * v] = copysign(size * grade(fabs((double)i / n), n, nfine, inner / size), i);
    mesh->vert[3 * v + 1] = size * grade((double)j / n, n, nfine, inner / size);
    mesh->vert[3 * v + 2] = -size * grade((double)k / n, n, nfine, inner / size);
  }
  for (int c = 0, *t = mesh->tet; c < 2 * n * n * n; c++) {
    int corner = c % (2 * n) + nx * (c / (2 * n) % n) + nx * ny * (c / (2 * n) / n),
        step[3] = {1, nx, nx * ny};
    for (int q = 0; q < 6; q++, t += 4) {
      t[0] = corner;
      for (int k = 0; k < 3; k++) t[k + 1] = t[k] + step[order[q][k]];
      // z points down here: even orders are the wrong way round
      bool even = q == 0 || q == 3 || q == 4;
      if (even) t[1] ^= t[2], t[2] ^= t[1], t[1] ^= t[2];
    }
  }
  return mesh;
}

static void hold(plSpec* spec, plVec3 centre, plVec3 normal, int components) {
  plFixDef fix = pl_default_fix_def();
  plError error;
  fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre = centre, fix.region.normal = normal;
  fix.components = components;
  if (pl_spec_add_fix(spec, &fix, &error)) stop("fix", &error);
}

// The grid covers the whole disc: half a block exerts half the force of a whole one.
static Run press(double size, double a, int nfine, int n, double speed) {
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->threads = 1;
  plError error;
  plOptions* o = pl_spec_options(spec);
  o->gravity = (plVec3){0, 0, 0}, o->dt = 1, o->contact_law = PL_LAW_COULOMB;
  plMesh* mesh = half_block(size, 1.25 * a, nfine, n);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "block", def.mesh = mesh, def.material.young = 1e6, def.material.poisson = NU;
  def.material.density = 1, def.surface.friction = 0, def.material.element = PL_ELEMENT_TET4_SMOOTHED;
  def.material.damping_stiffness = 0;
  if (pl_spec_add_deformable(spec, &def, NULL, &error)) stop("block", &error);
  pl_mesh_destroy(mesh);
  hold(spec, (plVec3){0, 0, -size}, (plVec3){0, 0, 1}, PL_FIX_ALL);
  hold(spec, (plVec3){0, 0, 0}, (plVec3){0, 1, 0}, PL_FIX_Y);
  plBodyDef body = pl_default_body_def();
  plShapeDef g = pl_default_shape_def();
  body.name = "tool", body.mass = 1e12, body.inertia[0] = body.inertia[1] = body.inertia[2] = 1e12;
  body.pose.p.z = R, body.velocity.z = -speed;
  if (pl_spec_add_body(spec, &body, &g.body, &error)) stop("tool", &error);
  g.name = "tool", g.kind = PL_SHAPE_SPHERE, g.radius = R, g.surface.friction = MU;
  if (pl_spec_add_shape(spec, &g, NULL, &error)) stop("tool", &error);
  plSensorDef s = pl_default_sensor_def();
  s.name = "pad", s.kind = PL_SENSOR_TAXELS, s.on = "block";
  s.size[0] = s.size[1] = 2.4 * a, s.cells[0] = s.cells[1] = TAXELS;
  if (pl_spec_add_sensor(spec, &s, NULL, &error)) stop("pad", &error);
  return start(spec);
}

// The reading of a whole block: that of the half with its mirror image in y.
static void read_whole(const plData* data, double* whole) {
  double half[TAXELS * TAXELS * 6];
  if (pl_sensor_read(data, 0, half)) exit(1);
  for (int j = 0; j < TAXELS; j++)
    for (int i = 0; i < 6 * TAXELS; i++)
      whole[6 * TAXELS * j + i] = half[6 * TAXELS * j + i] + half[6 * TAXELS * (TAXELS - 1 - j) + i];
}

// A traction with the profile of the textbook, distributed by the grid's own functions: the exact readings.
typedef double Profile(double r, double a, double c);
static void share_book(Profile* profile, double a, double c, double size, double* book) {
  enum { FINE = 24 };
  double cell = size / TAXELS, d = cell / FINE;
  memset(book, 0, TAXELS * TAXELS * sizeof *book);
  for (int j = 0; j < TAXELS * FINE; j++)
    for (int i = 0; i < TAXELS * FINE; i++) {
      double x = (i + 0.5) * d - size / 2, y = (j + 0.5) * d - size / 2;
      double p = profile(hypot(x, y), a, c) * d * d;
      double u = (x + size / 2) / cell - 0.5, v = (y + size / 2) / cell - 0.5;
      if (p == 0) continue;
      int k = (int)u, l = (int)v;
      for (int q = 0; q < 4; q++)
        book[(l + q / 2) * TAXELS + k + q % 2] +=
            p * (q % 2 ? u - k : 1 - u + k) * (q / 2 ? v - l : 1 - v + l);
    }
}

static double hertz_profile(double r, double a, double c) {
  (void)c;
  return r < a ? sqrt(1 - r * r / (a * a)) : 0;
}
static double mindlin_profile(double r, double a, double c) {
  return hertz_profile(r, a, 0) - (r < c ? c / a * sqrt(1 - r * r / (c * c)) : 0);
}

// Root mean square over the taxels whose centres lie on the disc, of traction over its peak.
static double compare(const double* reading, int column, double sign, const double* book, double peak,
                      double a, double size) {
  double sum = 0, cell = size / TAXELS;
  int n = 0;
  for (int j = 0; j < TAXELS; j++)
    for (int i = 0; i < TAXELS; i++) {
      double x = (i + 0.5) * cell - size / 2, y = (j + 0.5) * cell - size / 2;
      if (hypot(x, y) > a) continue;
      int k = j * TAXELS + i;
      double off = sign * reading[6 * k + column] / (peak * cell * cell) - book[k] / (cell * cell);
      sum += off * off, n++;
    }
  return sqrt(sum / n);
}

static void sphere(bool quick) {
  double depth = 1.6e-4, a = sqrt(R * depth), E = 1e6 / (1 - NU * NU), G = 1e6 / (2 * (1 + NU));
  double size = 2.4 * a, reading[TAXELS * TAXELS * 6], book[TAXELS * TAXELS];
  int nfine = quick ? 8 : 11, n = quick ? 14 : 18;
  Run r = press(50 * a, a, nfine, n, depth / 4);
  go(&r, 4);
  r.data->v[2] = 0;
  go(&r, 2);
  read_whole(r.data, reading);
  double N = 0;
  for (int i = 0; i < TAXELS * TAXELS; i++) N += reading[6 * i];
  // the disc and the peak that belong to this load
  double disc = cbrt(3 * N * R / (4 * E)), p0 = 1.5 * N / (PI * disc * disc);
  share_book(hertz_profile, disc, 0, size, book);
  double off = compare(reading, 0, 1, book, p0, disc, size), allowed = quick ? 0.04 : 0.03;
  printf(
      "Hertz over %d x %d taxels, %.1f edges over the radius: pressure within %.2f %% (%g) of "
      "p0, force "
      "%+.1f %%",
      TAXELS, TAXELS, nfine / 1.25, 100 * off, 100 * allowed,
      100 * (N / (4.0 / 3 * E * sqrt(R) * pow(depth, 1.5)) - 1));
  verdict(off < allowed);
  // sideways with friction: Q = mu N (1 - (c/a)^3)
  plError error;
  if (pl_parameter_set(r.data, "block.surface.friction", MU, &error)) stop("friction", &error);
  double s1 = 3 * MU * N * (2 - NU) / (16 * a * G), part = 0.6;
  int steps = quick ? 4 : 8;
  r.data->v[0] = part * s1 / steps;
  go(&r, steps);
  read_whole(r.data, reading);
  double Q = 0;
  N = 0;
  for (int i = 0; i < TAXELS * TAXELS; i++) N += reading[6 * i], Q += reading[6 * i + 1];
  double c = disc * cbrt(fmax(1 - Q / (MU * N), 0));
  share_book(mindlin_profile, disc, c, size, book);
  off = compare(reading, 1, 1, book, MU * p0, disc, size), allowed = quick ? 0.06 : 0.05;
  printf("Cattaneo-Mindlin at Q = %.2f mu N (book %.2f): shear within %.2f %% (%g) of mu p0", Q / (MU * N),
         1 - pow(1 - part, 1.5), 100 * off, 100 * allowed);
  verdict(off < allowed);
  end(&r);
}

// ---- cost

// A soft pad of 22 x 22 cells under a rigid plate: some 500 points; as many as asked for lie under a plate of
// that size.
static Run touched_pad(int cells, double plate) {
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->threads = 1;
  plError error;
  plMesh* mesh;
  pl_spec_options(spec)->dt = 0.005;
  if (pl_mesh_box_cells((plVec3){0.1, 0.1, 0.02}, cells, cells, 2, &mesh, &error)) stop("mesh", &error);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "pad", def.mesh = mesh, def.material.young = 1e5;
  if (pl_spec_add_deformable(spec, &def, NULL, &error)) stop("pad", &error);
  pl_mesh_destroy(mesh);
  hold(spec, (plVec3){0, 0, -0.01}, (plVec3){0, 0, 1}, PL_FIX_ALL);
  plBodyDef body = pl_default_body_def();
  plShapeDef g = pl_default_shape_def();
  body.name = g.name = "plate", body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 1e-2;
  body.pose.p = (plVec3){0, 0, 0.0199};
  if (pl_spec_add_body(spec, &body, &g.body, &error)) stop("plate", &error);
  g.kind = PL_SHAPE_BOX, g.size = (plVec3){plate, plate, 0.02};
  if (pl_spec_add_shape(spec, &g, NULL, &error)) stop("plate", &error);
  plSensorDef s = pl_default_sensor_def();
  s.name = "taxels", s.kind = PL_SENSOR_TAXELS, s.on = "pad", s.pose.p.z = 0.01;
  s.size[0] = s.size[1] = 0.1, s.cells[0] = s.cells[1] = 32;
  if (pl_spec_add_sensor(spec, &s, NULL, &error)) stop("taxels", &error);
  s.name = "markers", s.kind = PL_SENSOR_MARKERS, s.mount = "plate", s.cells[0] = 25, s.cells[1] = 20;
  if (pl_spec_add_sensor(spec, &s, NULL, &error)) stop("markers", &error);
  return start(spec);
}

static void touch(bool quick) {
  Run r = touched_pad(20, 0.07);
  double best = INFINITY;
  go(&r, 20);
  for (int k = 0; k < (quick ? 50 : 400); k++) {
    go(&r, 1);
    best = fmin(best, r.data->report.stage_s[PL_STAGE_SENSORS]);
  }
  int points = 0;
  for (int i = 0; i < r.data->ncontact; i++) points += pl_contact_pressure(&r.data->contact[i]) > 0;
  printf("32 x 32 taxels and 500 markers, %d contact points (%d press): %.1f us a sample (50)",
         r.data->ncontact, points, 1e6 * best);
  verdict((best < 50e-6 || !times_count()) && r.data->ncontact >= 200);
  end(&r);
}

// ---- cameras and pictures

// Processor time of this one thread (s): what a camera costs, however busy the machine.
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A bumpy capsule about z of 2 n rings triangles; the bumps make it as complex as a robot's link.
static plMesh* link_mesh(double radius, double length, int n, int rings) {
  plError error;
  plMesh* mesh = pl_mesh_create(n * rings + 2, 0, 2 * n * rings, &error);
  if (!mesh) stop("mesh", &error);
  for (int k = 0; k < rings; k++)
    for (int i = 0; i < n; i++) {
      double t = (k + 1.0) / (rings + 1), a = 2 * PI * i / n,
             r = radius * pow(sin(PI * t), 0.3) * (1 + 0.05 * sin(9 * a) * sin(40 * t));
      double* x = mesh->vert + 3 * (k * n + i);
      x[0] = r * cos(a), x[1] = r * sin(a), x[2] = (t - 0.5) * length;
    }
  double* pole = mesh->vert + 3 * n * rings;
  pole[2] = -0.5 * length, pole[5] = 0.5 * length;
  int* t = mesh->tri;
  for (int i = 0; i < n; i++) {
    int j = (i + 1) % n;
    *t++ = n * rings, *t++ = j, *t++ = i;
    *t++ = n * rings + 1, *t++ = n * (rings - 1) + i, *t++ = n * (rings - 1) + j;
    for (int k = 0; k + 1 < rings; k++) {
      int a = k * n, b = a + n;
      *t++ = a + i, *t++ = a + j, *t++ = b + j, *t++ = a + i, *t++ = b + j, *t++ = b + i;
    }
  }
  return mesh;
}

static plPose look_at(plVec3 p, plVec3 target) {
  double z[3] = {target.x - p.x, target.y - p.y, target.z - p.z},
         n = sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
  for (int k = 0; k < 3; k++) z[k] /= n;
  double h = hypot(z[0], z[1]), x[3] = {z[1] / h, -z[0] / h, 0};
  double y[3] = {z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]};
  double w = 0.5 * sqrt(fmax(1 + x[0] + y[1] + z[2], 1e-12));
  return (plPose){p, {w, (y[2] - z[1]) / (4 * w), (z[0] - x[2]) / (4 * w), (x[1] - y[0]) / (4 * w)}};
}

// Ten links of 13,659 faces, one upon the other, as a Panda has: 136,590 in all; on the ground.
static plSpec* robot(void) {
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->threads = 1;
  plError error;
  plMesh* mesh = link_mesh(0.07, 0.2, 87, 78);
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  if (pl_spec_add_shape(spec, &ground, NULL, &error)) stop("ground", &error);
  for (int k = 0; k < 10; k++) {
    char name[16];
    snprintf(name, sizeof name, "link%d", k);
    plBodyDef body = pl_default_body_def();
    plShapeDef g = pl_default_shape_def();
    body.name = g.name = name, body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 1e-2;
    double bend = 0.12 * k;
    body.pose = (plPose){{0.35 * (1 - cos(bend)), 0, 0.1 + 0.14 * k - 0.03 * k * k * 0.1},
                         {cos(bend / 2), 0, sin(bend / 2), 0}};
    if (pl_spec_add_body(spec, &body, &g.body, &error)) stop("link", &error);
    g.kind = PL_SHAPE_MESH, g.mesh = mesh, g.collide = false;
    g.colour = (plVec3){0.9, 0.9 - 0.05 * (k % 3), 0.88};
    if (pl_spec_add_shape(spec, &g, NULL, &error)) stop("link", &error);
  }
  pl_mesh_destroy(mesh);
  return spec;
}

static void add_camera(plSpec* spec, const char* name, plSensorKind kind, int width, int height,
                       bool shadows) {
  plSensorDef def = pl_default_sensor_def();
  plError error;
  def.name = name, def.kind = kind, def.on = "world", def.width = width, def.height = height,
  def.shadows = shadows;
  def.pose = look_at((plVec3){1.6, -1.2, 1.2}, (plVec3){0.1, 0, 0.6});
  if (pl_spec_add_sensor(spec, &def, NULL, &error)) stop(name, &error);
}

// The least of some measurements of a camera.
static double time_camera(plData* data, int id, int repeats) {
  double *values = malloc((size_t)pl_sensor_size(data->model, id) * sizeof *values), best = INFINITY;
  for (int k = 0; k < repeats; k++) {
    double from = now();
    if (pl_sensor_measure(data, id, values)) exit(1);
    best = fmin(best, now() - from);
  }
  free(values);
  return best;
}

static void cameras(bool quick) {
  plSpec* spec = robot();
  add_camera(spec, "large", PL_SENSOR_RGB, 1280, 800, true);
  add_camera(spec, "small", PL_SENSOR_RGB, 320, 240, false);
  add_camera(spec, "depth", PL_SENSOR_DEPTH, 320, 240, false);
  Run r = start(spec);
  int faces = 0, repeats = quick ? 3 : 10;
  for (int g = 0; g < r.model->nshape; g++)
    faces += r.model->shape_mesh[g] ? r.model->shape_mesh[g]->ntri : 0;
  double large = time_camera(r.data, 0, repeats), small = time_camera(r.data, 1, repeats),
         depth = time_camera(r.data, 2, repeats);
  printf("colour camera, %d faces, 1280 x 800 with shadows: %.0f ms (500)", faces, 1e3 * large);
  verdict(large < 0.5 || !times_count());
  printf("colour camera, %d faces, 320 x 240: %.1f ms (20); depth %.1f ms (20)", faces, 1e3 * small,
         1e3 * depth);
  verdict((small < 0.02 && depth < 0.02) || !times_count());
  plPictureOptions o = pl_default_picture_options();
  plError error;
  unsigned char* rgb = malloc(3 * (size_t)o.width * (size_t)o.height);
  double best = INFINITY;
  for (int k = 0; k < 2; k++) {
    double from = now();
    if (pl_picture_pixels(r.data, &o, rgb, &error)) stop("picture", &error);
    best = fmin(best, now() - from);
  }
  free(rgb);
  printf("picture of export and --png, %d faces, %d x %d, one thread: %.0f ms (500)", faces, o.width,
         o.height, 1e3 * best);
  verdict(best < 0.5 || !times_count());
  end(&r);
}

// A soft ball of some 2,000 facets fills most of a depth picture.
static void depth(bool quick) {
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->threads = 1;
  plError error;
  plMesh* mesh;
  if (pl_mesh_sphere(0.1, 0.0155, &mesh, &error)) stop("mesh", &error);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "ball", def.mesh = mesh;
  if (pl_spec_add_deformable(spec, &def, NULL, &error)) stop("ball", &error);
  pl_mesh_destroy(mesh);
  plSensorDef s = pl_default_sensor_def();
  s.name = "eye", s.kind = PL_SENSOR_DEPTH, s.on = "world",
  s.pose = look_at((plVec3){0.2, -0.1, 0.1}, (plVec3){0, 0, 0});
  if (pl_spec_add_sensor(spec, &s, NULL, &error)) stop("eye", &error);
  Run r = start(spec);
  double best = time_camera(r.data, 0, quick ? 20 : 200);
  printf("depth 160 x 120 of %d facets: %.0f us (1000)", r.model->ntri, 1e6 * best);
  verdict((best < 1e-3 || !times_count()) && r.model->ntri >= 2000);
  end(&r);
}

int main(int argc, char** argv) {
  bool quick = false;
  const char* only = NULL;
  static const struct {
    const char* name;
    void (*run)(bool quick);
  } cases[] = {{"sphere", sphere}, {"touch", touch}, {"depth", depth}, {"cameras", cameras}};
  const size_t ncase = sizeof cases / sizeof *cases;
  bool known = true;
  for (int i = 1; i < argc && known; i++) {
    if (!strcmp(argv[i], "--quick")) {
      quick = true;
      continue;
    }
    known = !strcmp(argv[i], "--only") && i + 1 < argc;
    if (known) only = argv[++i];
  }
  size_t k = 0;
  while (only && k < ncase && strcmp(only, cases[k].name)) k++;
  if (!known || k == ncase)
    return fprintf(stderr, "usage: sensors [--quick] [--only sphere|touch|depth|cameras]\n"), 2;
  for (size_t i = 0; i < ncase; i++)
    if (!only || i == k) cases[i].run(quick);
  return failures ? 1 : 0;
}

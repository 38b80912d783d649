// The arch of IPC (Li et al. 2020, paperExamples/7_masonryArch): 25 stones of 20 GPa, shifted apart so that
// every joint is open at the start, fall on each other and stand on the sharp edges of two cubes at friction
// 0.5. Stone k of 1 to 25 is shifted by 0.1 (k - 13) units outwards and 0.1 |k - 13| down: 0.1 unit a
// joint, 1.2 units at the feet. (With a whole unit a joint the feet would begin 13 units below the arch's
// base, inside the cubes, whose tops are 1.4 below it.)
#include "../world.h"

enum { STONES = 25, MIDDLE = 12 };
static const double unit = 20.0 / 82;  // m: the longest side of the scene, cubes included, is 20 m

// ---- the centre line, in units: height 60, half span 30 (Gateway Arch)

static double rate(void) { return acosh(100.0 / 49); }
static double rise(void) { return 60 / (100.0 / 49 - 1); }
static double height(double x) { return 60 - rise() * (cosh(rate() * x / 30) - 1); }
static double slope(double x) { return -rise() * rate() / 30 * sinh(rate() * x / 30); }

// Where stones meet: equal lengths along the line.
static void find_cuts(double cut[STONES + 1]) {
  enum { PARTS = 100000 };
  double length = 0, at = 0;
  for (int i = 0; i < PARTS; i++) {
    double x = -30 + 60.0 * (i + 0.5) / PARTS;
    length += 60.0 / PARTS * sqrt(1 + slope(x) * slope(x));
  }
  int k = 0;
  cut[k++] = -30;
  for (int i = 0; i < PARTS && k < STONES; i++) {
    double x = -30 + 60.0 * (i + 0.5) / PARTS, part = 60.0 / PARTS * sqrt(1 + slope(x) * slope(x));
    if (at + part >= length * k / STONES)
      cut[k] = -30 + 60.0 * (i + (length * k / STONES - at) / part) / PARTS, k++;
    at += part;
  }
  cut[STONES] = 30;
}

// Eight corners, a centre and twelve tetrahedra; shifted by (dx, dz).
static plMesh* stone_mesh(double a, double b, double dx, double dz) {
  static const int face[6][4] = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1},
                                 {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
  static const double across[4] = {-1, 1, 1, -1}, deep[4] = {-1, -1, 1, 1};
  plMesh* m = pl_mesh_create(9, 12, 0, NULL);
  double w = (10 - 3 * fmin(height(a), height(b)) / 60) / 2;
  plVec3 centre = {0, 0, 0};
  for (int i = 0; i < 8; i++) {
    double x = i < 4 ? a : b, t = sqrt(1 + slope(x) * slope(x)), s = across[i % 4] * w;
    plVec3 p = v3(x + dx - s * slope(x) / t, deep[i % 4] * w, height(x) + dz + s / t);
    v3_store(m->vert + 3 * i, v3_scale(unit, p)), centre = v3_madd(centre, unit / 8, p);
  }
  v3_store(m->vert + 24, centre);
  for (int t = 0; t < 12; t++) {
    const int* f = face[t / 2];
    int tet[4] = {f[0], f[1 + t % 2], f[2 + t % 2], 8};
    memcpy(m->tet + 4 * t, tet, sizeof tet);
  }
  pl_mesh_repair(m, NULL, 0, NULL);
  return m;
}

static World ipc_arch(double shift, double friction, double dt) {
  World w = begin(v3(0, 0, -9.81), dt);
  double cut[STONES + 1];
  find_cuts(cut);
  pl_spec_options(w.spec)->threads = 1;
  for (int k = 0; k < STONES; k++) {
    char name[24];
    plMesh* mesh = stone_mesh(cut[k], cut[k + 1], shift * (k - MIDDLE), -shift * abs(k - MIDDLE));
    plDeformableDef def = pl_default_deformable_def();
    snprintf(name, sizeof name, "stone%d", k);
    def.name = name, def.mesh = mesh, def.surface.friction = friction;
    def.material.young = 2e10, def.material.poisson = 0.2, def.material.density = 2300;
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
  }
  for (int k = -1; k <= 1; k += 2) {
    plShapeDef g = pl_default_shape_def();
    g.name = k < 0 ? "left" : "right", g.kind = PL_SHAPE_BOX, g.surface.friction = friction;
    g.size = v3(10 * unit, 10 * unit, 10 * unit), g.pose.p = v3(k * 36 * unit, 0, -6.4 * unit);
    CHECK_INT(pl_spec_add_shape(w.spec, &g, NULL, &w.error), PL_OK);
  }
  build(&w);
  return w;
}

static double keystone(const World* w) { return w->data->q[w->model->deform_q0[MIDDLE] + 3 * 8 + 2] / unit; }

static double kinetic(const World* w) {
  double sum = 0;
  for (int b = 0; b < STONES; b++) {
    plBodyState s;
    pl_deformable_state(w->data, b, &s);
    sum += s.kinetic_energy;
  }
  return sum;
}

static void it_stands_on_sharp_edges(void) {
  World w = ipc_arch(0.1, 0.5, 0.01);
  double start = keystone(&w), deepest = 0, late = 0, settled = 0;
  int most = 0;
  for (int i = 0; i < 2000; i++) {
    run(&w, 1);
    double gap = 0;
    for (int c = 0; c < w.data->ncontact; c++) gap = fmin(gap, w.data->contact[c].gap);
    deepest = fmin(deepest, gap);
    if (i >= 1500) late = fmin(late, gap);
    if (i == 1499) settled = keystone(&w);
    if (w.data->report.iterations > most) most = w.data->report.iterations;
  }
  printf(
      "IPC's arch, friction 0.5: keystone %.3f units lower, %.1e in the last 5 s; overlap %.1f um on the "
      "way, %.1f um "
      "at rest; kinetic energy %.2g J; Newton at most %d\n",
      start - keystone(&w), settled - keystone(&w), -1e6 * deepest, -1e6 * late, kinetic(&w), most);
  CHECK(start - keystone(&w) < 3);
  CHECK_BELOW(fabs(settled - keystone(&w)), 2.7e-5, 1);
  CHECK_BELOW(kinetic(&w), 3.3e-7, 1);
  CHECK_BELOW(-deepest, 20e-6, 1);
  end(&w);
}

// Rigid stones on these edges need a friction of 0.285 (limit analysis).
static void it_falls_below_what_equilibrium_needs(void) {
  World w = ipc_arch(0.1, 0.2, 0.01);
  double start = keystone(&w);
  run(&w, 800);
  printf("IPC's arch, friction 0.2: keystone %.0f units lower after 8 s\n", start - keystone(&w));
  CHECK(start - keystone(&w) > 60);
  end(&w);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(it_stands_on_sharp_edges);
  RUN(it_falls_below_what_equilibrium_needs);
  return CHECK_END;
}

// validate_solids.c: deformable bodies against closed forms and published figures, as the solids' part of
// docs/validation.md.
//
//   build/bench/validate_solids [--quick] [--only CASE] [--markdown FILE] [--json FILE]
//
// Statics are steps of backward Euler so long that inertia does not count: each one solves the equilibrium at
// its load. Exit status 1 if a figure leaves its tolerance on the finest mesh.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/timer.h"
#include "deform/deform.h"
#include "modes.h"
#include "page.h"
#include "validate_solids.h"

// ---- cantilever: L 1, 0.1 x 0.1, nu 0.3

static double cantilever(Form form, int n, bool weight) {
  plMesh* mesh = box((plVec3){1, 0.1, 0.1}, 10 * n, n, n);
  plMaterial m = material_of(PL_MATERIAL_LINEAR, weight ? 1e8 : 1e6, 0.3, form);
  Case c = new_case(mesh, m, false, (plVec3){0, 0, weight ? -9.81 : 0});
  hold(&c, (plVec3){-0.5, 0, 0}, (plVec3){1, 0, 0}, PL_FIX_ALL);
  if (!weight) pull(&c, 0.5, (plVec3){0, 0, -1}, 1);
  solve(&c, 3);
  double tip = -displacement(&c, (plVec3){0.5, 0, 0}).z;
  end_case(&c);
  pl_mesh_destroy(mesh);
  return tip;
}

static void validate_cantilever(void) {
  say("\n### Cantilever\n\n"
      "L = 1 m, 0.1 x 0.1 m, Poisson's ratio 0.3, one end clamped. The deflection is that of a tip load of "
      "0.01 N at E = 1 MPa (Timoshenko: 4.0312e-4 m)\n"
      "and of its own weight at E = 100 MPa (density 1000, beam theory without shear: 1.4715e-2 m). The mesh "
      "has n cells across and 10 n along. The tolerance is 2 %% on\n"
      "the finest quadratic mesh; for plain tetrahedra the error must halve between the two finest meshes.\n"
      "\n");
  say("| element | n | vertices | tip load (m) | error | own weight (m) | error "
      "|\n|---|---|---|---|---|---|---|\n");
  const Form forms[3] = {plain, smoothed, quadratic};
  for (int f = 0; f < 3; f++) {
    int last = f == 2 || quick ? 2 : f == 1 ? 4 : 8, k = forms[f].element == PL_ELEMENT_TET10 ? 2 : 1;
    double before = INFINITY;
    for (int n = 1; n <= last; n *= 2) {
      double a = cantilever(forms[f], n, false), b = cantilever(forms[f], n, true),
             tolerance = f == 2 && n == last ? 2 : 0;
      double e = fabs(a / 4.0312e-4 - 1);
      if (f == 0 && n == last && !quick && !(e <= 0.5 * before)) missed++, say("(not halved) ");
      before = e;
      say("| %s | %d | %d | %.5e | %s | %.5e | %s |\n", forms[f].name, n,
          (10 * n * k + 1) * (n * k + 1) * (n * k + 1), a, error_text(a, 4.0312e-4, tolerance), b,
          error_text(b, 1.4715e-2, tolerance));
    }
  }
}

// ---- frequencies

// The lowest frequencies (Hz) of the cantilever with E = 100 MPa.
static void frequencies(Form form, int n, double* hertz) {
  plMesh* mesh = box((plVec3){1, 0.1, 0.1}, 10 * n, n, n);
  Case c = new_case(mesh, material_of(PL_MATERIAL_LINEAR, 1e8, 0.3, form), false, (plVec3){0, 0, 0});
  hold(&c, (plVec3){-0.5, 0, 0}, (plVec3){1, 0, 0}, PL_FIX_ALL);
  solve(&c, 0);
  plError error;
  if (pl_data_prepare(c.data, &error)) fail("frequencies", &error);  // factors and tangents of the first step
  plModelWork* mw = c.model->work;
  plWork* work = c.data->work;
  plBsym K = work->A[0], M = work->A[0];
  M.block = PL_NEW(double, 9 * (size_t)K.nblock);
  if (!M.block) fail("memory", NULL);
  pl_elastic_stiffness(mw->elastic[0], work->elastic[0], c.model->vert_rest, PL_TANGENT_EXACT, 1, 0, NULL, 0,
                       K.block, NULL, NULL);
  pl_elastic_stiffness(mw->elastic[0], work->elastic[0], c.model->vert_rest, PL_TANGENT_EXACT, 0, 0,
                       mw->mass[0], c.model->par->deform_material[0].density, M.block, NULL, NULL);
  pl_deform_take_out_given(c.model, 0, &K), pl_deform_take_out_given(c.model, 0, &M);
  if (!lowest_modes(&K, &M, work->chol[0], c.model->vert_fixed, hertz)) fail("frequencies", NULL);
  pl_free(M.block);
  end_case(&c);
  pl_mesh_destroy(mesh);
}

static void validate_frequencies(void) {
  say("\n### Frequencies of the cantilever\n\n"
      "E = 100 MPa, density 1000, consistent mass. Beam theory without shear gives 5.10835, 32.0135 and "
      "89.6386 Hz in bending (each twice; shear and\n"
      "rotary inertia lower the higher ones by several per cent at this length), 45.0284 Hz in torsion (free "
      "warping) and 79.06 Hz along the axis. The tolerance is 2 %% on the\n"
      "first bending and the torsional frequency of the finest quadratic mesh.\n"
      "\n");
  say("| element | n | bending 1 (Hz) | error | bending 2 (Hz) | torsion (Hz) | error | axial (Hz) "
      "|\n|---|---|---|---|---|---|---|---|\n");
  const Form forms[3] = {plain, smoothed, quadratic};
  for (int f = 0; f < 3; f++) {
    int last = f == 2 ? 2 : quick ? 2 : 4;
    for (int n = f == 2 ? 1 : 2; n <= last; n *= 2) {
      double hz[NMODE], tolerance = f == 2 && n == last ? 2 : 0;
      frequencies(forms[f], n, hz);
      // order of modes: bending 1 twice, bending 2 twice, torsion, then axial or bending 3
      double axial = hz[5];
      for (int k = 5; k < 9; k++)
        if (fabs(hz[k] - 79.06) < fabs(axial - 79.06)) axial = hz[k];
      say("| %s | %d | %.4f | %s | %.3f | %.3f | %s | %.3f |\n", forms[f].name, n, hz[0],
          error_text(hz[0], 5.10835, tolerance), hz[2], hz[4], error_text(hz[4], 45.0284, tolerance), axial);
    }
  }
}

// ---- Bisshopp and Drucker: the elastica under a dead tip load, P L^2 / E I = 1, 2, 5, 10

static const int elastica_alpha[4] = {1, 2, 5, 10};
static const double elastica_dy[4] = {0.301721, 0.493457, 0.713792, 0.810609};
static const double elastica_dx[4] = {0.056433, 0.160642, 0.387628, 0.554996};

// Tip displacements at the four loads.
static void elastica(Form form, int n, int along, double* dx, double* dy) {
  double h = 1.0 / 40, E = 1e6, inertia = h * h * h * h / 12, P = 10 * E * inertia;
  plMesh* mesh = box((plVec3){1, h, h}, along, n, n);
  Case c = new_case(mesh, material_of(PL_MATERIAL_COROTATED, E, 0.3, form), false, (plVec3){0, 0, 0});
  hold(&c, (plVec3){-0.5, 0, 0}, (plVec3){1, 0, 0}, PL_FIX_ALL);
  pull(&c, 0.5, (plVec3){0, 0, P / (h * h)}, 10);
  solve(&c, 0);
  plError error;
  for (int k = 1, a = 0; k <= 10; k++) {
    if (pl_step(c.data, &error)) fail("elastica", &error);
    if (a == 4 || k != elastica_alpha[a]) continue;
    plVec3 u = displacement(&c, (plVec3){0.5, 0, 0});
    dx[a] = -u.x, dy[a++] = u.z;
  }
  end_case(&c);
  pl_mesh_destroy(mesh);
}

// The same beam brought to the last load in 20 s of motion and to rest in 25 s more, steps of 0.05 s.
static void slow_bending(plMaterialKind kind, plVec3* tip, double* volume, double* energy) {
  double h = 1.0 / 40, E = 1e6, inertia = h * h * h * h / 12, P = 10 * E * inertia;
  plMesh* mesh = box((plVec3){1, h, h}, 20, 1, 1);
  plMaterial m = material_of(kind, E, 0.3, quadratic);
  m.damping_mass = 2;
  Case c = new_case(mesh, m, false, (plVec3){0, 0, 0});
  pl_spec_options(c.spec)->dt = 0.05;
  hold(&c, (plVec3){-0.5, 0, 0}, (plVec3){1, 0, 0}, PL_FIX_ALL);
  pull(&c, 0.5, (plVec3){0, 0, P / (h * h)}, 400);
  solve(&c, 900);
  plBodyState s;
  pl_deformable_state(c.data, 0, &s);
  *tip = displacement(&c, (plVec3){0.5, 0, 0});
  *volume = s.volume / (h * h) - 1, *energy = s.elastic_energy;
  end_case(&c);
  pl_mesh_destroy(mesh);
}

static void validate_elastica(void) {
  say("\n### Large bending (Bisshopp and Drucker 1945)\n\n"
      "A slender cantilever (length 40 heights, Poisson's ratio 0.3, law `corotated`) carries a dead tip "
      "load P with P L^2 / E I = 1, 2, 5 and 10. The table has tip\n"
      "displacements divided by the length; those of the elastica are in the first row. The tolerance is 2 "
      "%% on the finest quadratic mesh.\n"
      "\n");
  say("| element | cells | dy 1 | dx 1 | dy 2 | dx 2 | dy 5 | dx 5 | dy 10 | dx 10 "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n| elastica | ");
  for (int a = 0; a < 4; a++) say("| %.6f | %.6f ", elastica_dy[a], elastica_dx[a]);
  say("|\n");
  const struct {
    Form form;
    int n, along;
  } rows[] = {{plain, 2, 80},     {plain, 4, 160},    {smoothed, 2, 40}, {smoothed, 2, 80},
              {smoothed, 4, 160}, {quadratic, 1, 20}, {quadratic, 1, 40}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    if (quick && rows[r].along > 80) continue;
    double dx[4], dy[4];
    bool finest = r == 6;
    elastica(rows[r].form, rows[r].n, rows[r].along, dx, dy);
    say("| %s | %d x %d x %d ", rows[r].form.name, rows[r].along, rows[r].n, rows[r].n);
    for (int a = 0; a < 4; a++)
      say("| %s | %s ", error_text(dy[a], elastica_dy[a], finest ? 2 : 0),
          error_text(dx[a], elastica_dx[a], finest ? 2 : 0));
    say("|\n");
  }
}

// ---- Cook's membrane: (0,0) (48,44) (48,60) (0,44), left end clamped, shear F per thickness on the right

typedef struct Cook {
  const char* name;
  plMaterialKind kind;
  double young, poisson, lame_mu, lame_lambda, force;
  bool plane_strain;
  double v52, tolerance;
} Cook;

static plVec3 cook_place(double x, double y, double z) {
  double bottom = 44 * x, top = 44 + 16 * x;
  return (plVec3){48 * x, bottom + (top - bottom) * y, z};
}

static double cook(const Cook* p, Form form, int n, int* nvert, double* seconds) {
  double thick = p->plane_strain ? 24.0 / n : 0.5;
  plMesh* mesh = box((plVec3){1, 1, thick}, n, n, 1);
  for (int i = 0; i < mesh->nvert; i++) {
    double* x = mesh->vert + 3 * i;
    v3_store(x, cook_place(x[0] + 0.5, x[1] + 0.5, x[2]));
  }
  plMaterial m = material_of(p->kind, p->young, p->poisson, form);
  m.density = 1e-6;  // E = 1 Pa: nothing may be left of inertia
  m.lame_mu = p->lame_mu, m.lame_lambda = p->lame_lambda;
  Case c = new_case(mesh, m, p->plane_strain, (plVec3){0, 0, 0});
  hold(&c, (plVec3){0, 0, 0}, (plVec3){1, 0, 0}, PL_FIX_X | PL_FIX_Y);
  if (!p->plane_strain) hold(&c, (plVec3){0, 0, -thick / 2}, (plVec3){0, 0, 1}, PL_FIX_Z);
  int steps = pl_law_is_linear(p->kind) ? 2 : 5;
  pull(&c, 48, (plVec3){0, p->force / 16, 0}, pl_law_is_linear(p->kind) ? 1 : steps - 1);
  double start = pl_now();
  solve(&c, steps);
  *seconds = pl_now() - start;
  *nvert = c.model->nvert;
  double v = 0.5 * (displacement(&c, (plVec3){48, 52, -thick / 2}).y +
                    displacement(&c, (plVec3){48, 52, thick / 2}).y);
  end_case(&c);
  pl_mesh_destroy(mesh);
  return v;
}

static void validate_cook(void) {
  double mu = 80.194, lambda = 400889.8 - 2.0 / 3 * 80.194;
  const Cook cases[] = {
      {"plane stress, E 1, poisson 1/3, F 1, linear", PL_MATERIAL_LINEAR, 1, 1.0 / 3, 0, 0, 1, false, 23.966,
       1},
      {"plane strain, poisson 1/3, linear", PL_MATERIAL_LINEAR, 1, 1.0 / 3, 0, 0, 1, true, 21.521, 1},
      {"plane strain, poisson 0.49, linear", PL_MATERIAL_LINEAR, 1, 0.49, 0, 0, 1, true, 18.73, 1},
      {"plane strain, poisson 0.4999, linear", PL_MATERIAL_LINEAR, 1, 0.4999, 0, 0, 1, true, 18.50, 1},
      {"finite strain, mu 80.194, bulk 400889.8, F 100, neo_hookean", PL_MATERIAL_NEO_HOOKEAN, 0, 0, mu,
       lambda, 100, true, 6.953, 1},
      {"finite strain, E 250, poisson 0.3, F 100, neo_hookean", PL_MATERIAL_NEO_HOOKEAN, 250, 0.3, 0, 0, 100,
       true, 7.690, 0},
  };
  say("\n### Cook's membrane\n\n"
      "The table compares the displacement v(48, 52) on n x n cells of five tetrahedra in one layer with a "
      "reference that is converged to 0.03 %% (Q2/P1 elements).\n"
      "Plane strain is imposed as in the paper (d/dz = 0). The tolerance is 1 %% on the finest smoothed or "
      "quadratic mesh, and 2.5 %% for linear tetrahedra with patches at\n"
      "about 3,000 vertices and Poisson's ratio 0.4999. The reference of the last rows uses another "
      "compressible law (with the volume change split off), so they have no\n"
      "tolerance.\n"
      "\n");
  say("| case | reference | element | error at n = 8 (or 4) | 16 (8) | 32 (16) | vertices, s at the finest "
      "|\n|---|---|---|---|---|---|---|\n");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const Cook* p = &cases[k];
    const Form forms[5] = {plain, patch, smoothed_patch, quadratic, quadratic_patch};
    for (int f = 0; f < 5; f++) {
      bool second = forms[f].element == PL_ELEMENT_TET10, nearly = k == 2 || k == 3 || k == 4;
      if ((f == 1 || f == 4) && !nearly) continue;
      say("| %s | %.3f | %s ", p->name, p->v52, forms[f].name);
      int nvert = 0;
      double seconds = 0, error[3] = {0};
      for (int level = 0; level < (quick ? 2 : 3); level++) {
        int n = (second ? 4 : 8) << level;
        double v = cook(p, forms[f], n, &nvert, &seconds);
        bool finest = level == 2,
             judged = finest && p->tolerance > 0 && (f == 2 || f == 4 || (f == 3 && !nearly));
        error[level] = fabs(v / p->v52 - 1);
        say("| %s ", error_text(v, p->v52, judged ? p->tolerance : 0));
      }
      // plain tets at poisson 1/3: the error halves
      if (f == 0 && k < 2 && !quick && !(error[2] <= 0.5 * error[1])) missed++, say("(not halved) ");
      say("| %d, %.1f |\n", nvert, seconds);
    }
    if (k == 3 && !quick) {
      int nvert;
      double seconds, v = cook(p, patch, 40, &nvert, &seconds);
      say("| %s | %.3f | %s, n = 40 | | | %s | %d, %.1f |\n", p->name, p->v52, patch.name,
          error_text(v, p->v52, 2.5), nvert, seconds);
    }
  }
}

// ---- twist of a square bar: a 0.1, L 1, E 1 MPa, poisson 0.3: 10 degrees need 0.943666 Nm (free warping)

static double twist(plMaterialKind kind, Form form, int n, double degrees, double* volume, double* energy) {
  plMesh* mesh = box((plVec3){1, 0.1, 0.1}, 10 * n, n, n);
  Case c = new_case(mesh, material_of(kind, 1e6, 0.3, form), false, (plVec3){0, 0, 0});
  hold(&c, (plVec3){-0.5, 0, 0}, (plVec3){1, 0, 0}, PL_FIX_Y | PL_FIX_Z);
  plError error;
  plFixDef fix = pl_default_fix_def();
  fix.region.kind = PL_REGION_SPHERE, fix.region.radius = 1e-6, fix.region.centre = (plVec3){-0.5, 0, 0},
  fix.components = PL_FIX_X;
  if (pl_spec_add_fix(c.spec, &fix, &error)) fail("centre", &error);
  // The geometric stiffness of linear_corotated acts on changes of velocity: after such large turns it needs
  // many steps to come to rest.
  // every node of the far end goes round on its own circle, free along x; the linear law turns by its
  // small-angle rotation
  int m = form.element == PL_ELEMENT_TET10 ? 2 * n : n,
      steps = pl_law_is_linear(kind) && kind == PL_MATERIAL_LINEAR ? 1 : 4, settle = 200;
  double angle = degrees * acos(-1) / 180, dt = 1e3;
  for (int i = 0; i <= m; i++)
    for (int j = 0; j <= m; j++) {
      double y = 0.1 * i / m - 0.05, z = 0.1 * j / m - 0.05, time[5];
      plVec3 offset[5];
      for (int k = 0; k <= steps; k++) {
        double a = angle * k / steps;
        time[k] = k * dt;
        offset[k] = kind == PL_MATERIAL_LINEAR
                        ? (plVec3){0, -a * z, a * y}
                        : (plVec3){0, cos(a) * y - sin(a) * z - y, sin(a) * y + cos(a) * z - z};
      }
      fix.region.centre = (plVec3){0.5, y, z}, fix.components = PL_FIX_Y | PL_FIX_Z;
      fix.ntime = steps + 1, fix.time = time, fix.offset = offset;
      if (pl_spec_add_fix(c.spec, &fix, &error)) fail("end", &error);
    }
  solve(&c, steps + (kind == PL_MATERIAL_LINEAR_COROTATED ? settle : 1));
  double* f = PL_NEW(double, c.model->nv);
  if (!f) fail("memory", NULL);
  pl_elastic_force(c.model->work->elastic[0], c.data->work->elastic[0], c.data->q, f, NULL);
  // the small-angle torque of the linear law is about the undeformed positions
  const double* x = kind == PL_MATERIAL_LINEAR ? c.model->vert_rest : c.data->q;
  double torque = 0;
  for (int i = 0; i < c.model->nvert; i++)
    if (c.model->vert_rest[3 * i] > 0.5 - 1e-9)
      torque += x[3 * i + 2] * f[3 * i + 1] - x[3 * i + 1] * f[3 * i + 2];
  plBodyState s;
  pl_deformable_state(c.data, 0, &s);
  if (volume) *volume = s.volume / 0.01 - 1;
  if (energy) *energy = s.elastic_energy;
  pl_free(f);
  end_case(&c);
  pl_mesh_destroy(mesh);
  return torque;
}

static void validate_twist(void) {
  say("\n### Twist of a square bar\n\n"
      "The bar has 0.1 x 0.1 x 1 m, E = 1 MPa and Poisson's ratio 0.3. Its ends are rotated relative to each "
      "other and are free to warp; 10 degrees need 0.943666 Nm\n"
      "(Saint-Venant, J = 0.140577 a^4). The tolerance is 2 %% on the finest quadratic mesh (law `linear`).\n"
      "\n");
  say("| element | n | torque (Nm) | error |\n|---|---|---|---|\n");
  const Form forms[3] = {plain, smoothed, quadratic};
  for (int f = 0; f < 3; f++) {
    int last = quick ? 2 : 4;
    for (int n = f == 2 ? 1 : 2; n <= last; n *= 2) {
      double t = twist(PL_MATERIAL_LINEAR, forms[f], n, 10, NULL, NULL);
      say("| %s | %d | %.6f | %s |\n", forms[f].name, n, t,
          error_text(t, 0.943666, f == 2 && n == last && !quick ? 2 : 0));
    }
  }
  say("\n### Rotation: `linear`, `linear_corotated` and `corotated` compared\n\n"
      "The same bar is twisted by 90 degrees, and the slender cantilever is loaded to P L^2 / E I = 10 in "
      "900 dynamic steps (both tet10; the elastica has\n"
      "0.81061 and 0.55500). `linear_corotated` freezes the rotation during a step and updates it at the "
      "next, so at rest it equals `corotated`.\n"
      "\n");
  say("| law | torque at 90 degrees (Nm) | volume error | elastic energy (J) | tip dy / L | tip dx / L | "
      "volume error | elastic energy (J) "
      "|\n|---|---|---|---|---|---|---|---|\n");
  const plMaterialKind kinds[3] = {PL_MATERIAL_LINEAR, PL_MATERIAL_LINEAR_COROTATED, PL_MATERIAL_COROTATED};
  double energies[3], tips[3];
  for (int k = 0; k < 3; k++) {
    double volume, energy, bend_volume, bend_energy, t = twist(kinds[k], quadratic, 1, 90, &volume, &energy);
    plVec3 tip;
    slow_bending(kinds[k], &tip, &bend_volume, &bend_energy);
    say("| %s | %.4f | %+.3f %% | %.5f | %.5f | %.5f | %+.3f %% | %.5f |\n", pl_material_name(kinds[k]), t,
        100 * volume, energy, tip.z, -tip.x, 100 * bend_volume, bend_energy);
    energies[k] = energy, tips[k] = tip.z;
  }
  if (!(fabs(energies[1] / energies[2] - 1) < 0.01 && fabs(tips[1] / tips[2] - 1) < 0.01))
    missed++, say("\n(the two corotated laws differ)\n");
}

int main(int argc, char** argv) {
  const char *markdown = NULL, *only = NULL, *json = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      quick = true;
    else if (!strcmp(argv[i], "--markdown") && i + 1 < argc)
      markdown = argv[++i];
    else if (!strcmp(argv[i], "--only") && i + 1 < argc)
      only = argv[++i];
    else if (!strcmp(argv[i], "--json") && i + 1 < argc)
      json = argv[++i];
    else
      return fprintf(stderr,
                     "usage: validate_solids [--quick] [--only CASE] [--markdown FILE] [--json FILE]\n"),
             2;
  }
  const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {{"cantilever", validate_cantilever},
               {"frequencies", validate_frequencies},
               {"elastica", validate_elastica},
               {"cook", validate_cook},
               {"twist", validate_twist}};
  bool known = !only;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) known |= only && !strcmp(only, cases[i].name);
  if (!known) return fprintf(stderr, "validate_solids: there is no case '%s'\n", only), 2;
  FILE* rows = json ? fopen(json, "w") : NULL;
  if (json && !rows) return fprintf(stderr, "validate_solids: cannot write %s\n", json), 2;
  if (rows) fprintf(rows, "[");
  bool first = true;
  char* text = NULL;
  size_t size = 0;
  out = markdown ? open_memstream(&text, &size) : stdout;
  say("\n## Deformable solids\n\n`make validate` writes this section (`build/bench/validate_solids`). "
      "Errors are relative to the reference named above each table.\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (only && strcmp(only, cases[i].name)) continue;
    double start = pl_now();
    int before = missed;
    cases[i].run();
    double seconds = pl_now() - start;
    fprintf(stderr, "%s: %.1f s\n", cases[i].name, seconds);
    if (rows)
      fprintf(rows, "%s\n  {\"case\": \"%s\", \"outside_tolerance\": %d, \"seconds\": %.3f}",
              first ? "" : ",", cases[i].name, missed - before, seconds);
    first = false;
  }
  if (rows) fprintf(rows, "\n]\n"), fclose(rows);
  if (markdown) {
    fclose(out);
    bool written = write_table(markdown, "solids", text);
    free(text);
    if (!written) return 2;
  }
  if (missed) fprintf(stderr, "validate_solids: %d figures are outside their tolerance\n", missed);
  return missed ? 1 : 0;
}

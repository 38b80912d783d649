// selfcontact.c: bodies that touch themselves: folds, coils, buckled rings, fast legs, and bodies that must
// not (docs/contact.md).
//
//   build/bench/selfcontact [--quick] [NAME]
//
// Each scene prints its numbers and checks them; the exit status is 0 when all hold. --quick: shorter and
// coarser; NAME: only scenes whose name contains it. Overlaps are measured by winding numbers, which
// share no code with the contact search.
#include "../test/contact/self_scenes.h"
#include "base/timer.h"
#include "contact/contact.h"
#include "isa.h"
#include "model/side.h"

static bool quick;

// Checks of every scene: no overlap deeper than 1 % of a cell at the end, every step converged.
static void check_run(const char* name, const SelfRun* r) {
  print_run(name, r);
  CHECK_INT(r->failed, 0);
  CHECK_INT(r->last.inside, 0);
  CHECK_INT(r->deep, 0);
}

// ---- pressed flat between plates

// Force of the plate at the end, self-contact on or off.
static double press(const char* name, plMesh* mesh, plPose pose, double top, double way, double cell,
                    bool on) {
  World w = begin_press(top, way);
  plDeformableDef def = self_def(mesh, on);
  def.pose = pose;
  add_self(&w, &def);
  build(&w);
  SelfRun r = run_self(&w, 0, 150, cell, 25);
  double force = plate_force(&w);
  if (on)
    check_run(name, &r);
  else
    print_run(name, &r);
  printf("%-34s plate %.1f N, put in %.4f J, most above it %.2g J\n", name, force, r.put_in, r.gain);
  CHECK(r.gain <= 0.01 * r.put_in);
  end(&w);
  return force;
}

static void a_ring_is_pressed_flat(void) {
  Ring ring = {.radius = 0.06, .thick = 0.01, .width = 0.02};
  plMesh* mesh = bent_mesh(36, 1, 2, true, ring_bend, &ring);
  plPose pose = {{0, 0, 0.0655}, {1, 0, 0, 0}};
  double on = press("ring", mesh, pose, 0.131, 0.113, 0.01, true),
         off = press("ring, off", mesh, pose, 0.131, 0.113, 0.01, false);
  CHECK(on > 3 * off);
  pl_mesh_destroy(mesh);
}

static void a_torus_is_pressed_flat(void) {
  plMesh* mesh = NULL;
  pl_mesh_torus(0.06, 0.01, 0.01, &mesh, NULL);
  plPose pose = {{0, 0, 0.0705}, quat_exp(v3(M_PI / 2, 0, 0))};
  double on = press("torus", mesh, pose, 0.141, 0.108, 0.01, true),
         off = press("torus, off", mesh, pose, 0.141, 0.108, 0.01, false);
  CHECK(on > 3 * off);
  pl_mesh_destroy(mesh);
}

static void a_folded_strip_is_pressed(void) {
  Clip clip = {.leg = 0.08, .gap = 0.02, .thick = 0.006, .width = 0.03};
  plMesh* mesh = bent_mesh(40, 1, 6, false, clip_bend, &clip);
  plPose pose = {{0, 0, 0.0165}, {1, 0, 0, 0}};
  double on = press("folded strip", mesh, pose, 0.033, 0.0225, 0.005, true),
         off = press("folded strip, off", mesh, pose, 0.033, 0.0225, 0.005, false);
  CHECK(on > 3 * off);
  pl_mesh_destroy(mesh);
}

// ---- closed by loads, dropped, thrown

static void a_clip_is_closed_by_a_load(void) {
  Clip clip = {.leg = 0.08, .gap = 0.02, .thick = 0.008, .width = 0.02};
  plMesh* mesh = bent_mesh(40, 2, 4, false, clip_bend, &clip);
  World w = begin_scene(in_space);
  plDeformableDef def = self_def(mesh, true);
  def.material.kind = PL_MATERIAL_COROTATED;  // the lagged rotation adds energy
  int id = add_self(&w, &def);
  for (int side = -1; side <= 1; side += 2) {
    plLoadDef load = pl_default_load_def();
    load.deformable = id, load.kind = PL_LOAD_TRACTION, load.vector = v3(0, 0, -side * 200.0);
    load.region.kind = PL_REGION_BOX, load.region.centre = v3(0.06, 0, side * 0.018),
    load.region.size = v3(0.04, 0.03, 0.001);
    CHECK_INT(pl_spec_add_load(w.spec, &load, &w.error), PL_OK);
  }
  build(&w);
  SelfRun r = run_self(&w, 0, 150, 0.005, 10);
  check_run("clip closed by a load", &r);
  printf("%-34s put in %.4g J, most above it %.2g J\n", "clip closed by a load", r.put_in, r.gain);
  CHECK(r.worst.inside == 0 && r.gain <= 0.01 * r.put_in);
  pl_mesh_destroy(mesh), end(&w);
}

static void a_strip_is_dropped_and_coils(void) {
  plMesh* mesh = box_mesh((plVec3){0.006, 0.02, 0.3}, 1, 3, 48);
  World w = begin_scene(on_ground);
  plDeformableDef def = self_def(mesh, true);
  def.pose = (plPose){{0, 0, 0.16}, quat_exp(v3(0, 0.03, 0))};
  def.material.damping_stiffness = 0.002;
  add_self(&w, &def);
  build(&w);
  SelfRun r = run_self(&w, 0, quick ? 150 : 400, 0.006, 20);
  check_run("strip dropped", &r);
  CHECK(r.energy_rise < 1e-6 * fabs(r.energy_first) && r.points_max > 0);
  plBodyState s;
  pl_deformable_state(w.data, 0, &s);
  printf("%-34s kinetic energy at the end %.2g J; energy rises by %.2g of %.2g J\n", "strip dropped",
         s.kinetic_energy, r.energy_rise, r.energy_first);
  pl_mesh_destroy(mesh), end(&w);
}

static void the_legs_of_a_clip_close_fast(void) {
  static const double speeds[] = {1, 2, 5, 10, 20, 40};
  Clip clip = {.leg = 0.08, .gap = 0.02, .thick = 0.008, .width = 0.02};
  plMesh* mesh = bent_mesh(40, 2, 4, false, clip_bend, &clip);
  for (int i = 0; i < 6; i++) {
    if (quick && i != 2 && i != 5) continue;
    World w = begin_scene(in_space);
    plDeformableDef def = self_def(mesh, true);
    def.material.kind = PL_MATERIAL_COROTATED;  // the lagged rotation adds energy
    add_self(&w, &def);
    build(&w);
    for (int v = 0; v < w.model->nvert; v++) {
      const double* x = w.data->q + 3 * (size_t)v;
      if (x[0] > 0) w.data->v[3 * (size_t)v + 2] = -copysign(0.5 * speeds[i], x[2]) * x[0] / clip.leg;
    }
    char name[64];
    snprintf(name, sizeof name, "legs at %g m/s", speeds[i]);
    SelfRun r = run_self(&w, 0, 100, 0.005, 1);
    check_run(name, &r);
    CHECK(r.energy_rise < 1e-6 * r.energy_first && r.worst.depth < 3e-4 && r.points_max > 0);
    end(&w);
  }
  pl_mesh_destroy(mesh);
}

// Closed: 3.3 mm are left of each fold, whose two walls are 1.66 mm thick each.
static void a_bellows_is_pressed(void) {
  Bellows bellows = {.radius = 0.03, .deep = 0.015, .pitch = 0.02, .thick = 0.003, .folds = quick ? 2 : 5};
  plMesh* mesh = bent_mesh(24, 1, 6 * bellows.folds, true, bellows_bend, &bellows);
  plPose pose = {{0, 0, 0.0005}, {1, 0, 0, 0}};
  double top = bellows.folds * bellows.pitch + 0.001, way = top - 0.0033 * bellows.folds;
  double on = press("bellows", mesh, pose, top, way, 0.004, true),
         off = press("bellows, off", mesh, pose, top, way, 0.004, false);
  CHECK(on > 3 * off);
  pl_mesh_destroy(mesh);
}

// ---- an elastic ring under outside pressure, in plane strain

// p = pressure R^2 (R + h/2) / EI. The thin inextensible ring buckles at 3; half its height over R is 0.495,
// 0.291, 0.151 at 3.5, 4, 4.5; with h = R / 20 opposite sides touch at 5.103, and press on each other with
// 4.53 EI/R^2 at 8 (Flaherty, Keller, Rubinow 1972, with the thickness).
typedef struct Pressed {
  World w;
  double R, h, depth, EI, unit;  // unit: pressure at p = 1
  int top, bottom;               // vertices of the middle line
} Pressed;

// p follows a table.
static Pressed pressed_ring(int cells, double oval, int n, const double* time, const double* p) {
  Pressed s = {.R = 0.1, .h = 0.005, .depth = 0.005};
  Ring ring = {.radius = s.R, .thick = s.h, .width = s.depth, .oval = oval};
  plMesh* mesh = bent_mesh(cells, 2, 1, true, ring_bend_z, &ring);
  s.w = begin(v3(0, 0, 0), 0.05);
  plDeformableDef def = self_def(mesh, true);
  def.surface.friction = 0;
  def.material.kind = PL_MATERIAL_COROTATED, def.material.element = PL_ELEMENT_TET10;
  def.material.young = 1e6, def.material.poisson = 0.3, def.material.density = 0.5;
  int id = add_self(&s.w, &def), *outer = malloc((size_t)mesh->nvert * sizeof *outer), nouter = 0;
  s.EI = def.material.young * pow(s.h, 3) / (12 * (1 - 0.09)), s.unit = s.EI / (s.R * s.R * (s.R + s.h / 2));
  for (int v = 0; v < mesh->nvert; v++)
    if (v / cells % 3 == 2) outer[nouter++] = v;
  s.top = cells + cells / 4, s.bottom = cells + 3 * cells / 4;
  plFixDef plane = pl_default_fix_def();
  plane.deformable = id, plane.components = PL_FIX_Z;
  CHECK_INT(pl_spec_add_fix(s.w.spec, &plane, &s.w.error), PL_OK);
  // the ring does not turn: symmetry holds four vertices on the axes
  for (int k = 0; k < 4; k++) {
    int v = cells + k * cells / 4;
    plFixDef fix = pl_default_fix_def();
    fix.deformable = id, fix.region.kind = PL_REGION_INDICES, fix.region.index = &v, fix.region.nindex = 1;
    fix.components = k % 2 ? PL_FIX_X : PL_FIX_Y;
    CHECK_INT(pl_spec_add_fix(s.w.spec, &fix, &s.w.error), PL_OK);
  }
  plLoadDef load = pl_default_load_def();
  load.deformable = id, load.kind = PL_LOAD_PRESSURE, load.pressure = s.unit;
  load.region.kind = PL_REGION_INDICES, load.region.index = outer, load.region.nindex = nouter;
  load.ntime = n, load.time = time, load.factor = p;
  CHECK_INT(pl_spec_add_load(s.w.spec, &load, &s.w.error), PL_OK);
  build(&s.w);
  free(outer), pl_mesh_destroy(mesh);
  return s;
}

static double half_height(const Pressed* s) {
  const double* q = s->w.data->q;
  return 0.5 * (q[3 * s->top + 1] - q[3 * s->bottom + 1]) / s->R;
}

// An oval w0 grows to w0 / (1 - p / pc) under a pressure below the critical one.
static void a_ring_buckles_at_3(void) {
  static const double time[2] = {0, 1};
  double p[2] = {1.8, 2.4}, oval[2];
  for (int k = 0; k < 2; k++) {
    double same[2] = {p[k], p[k]};
    Pressed s = pressed_ring(96, 1e-3, 2, time, same);
    run(&s.w, 60);
    const double* q = s.w.data->q;
    oval[k] = 0.5 * (q[3 * 96] - q[3 * (96 + 48)]) / s.R - half_height(&s);
    end(&s.w);
  }
  double critical = (oval[1] * p[1] - oval[0] * p[0]) / (oval[1] - oval[0]);
  printf("%-34s buckles at p = %.3f\n", "ring in plane strain", critical);
  CHECK_NEAR(critical, 3, 0.03 * 3);
}

static void a_ring_under_pressure_touches_itself(void) {
  // The pressure follows the surface one step late: where the ring is barely stable it takes many steps to
  // buckle.
  enum { SLOW = 150, STEPS = 330 };
  static const double time[3] = {0, 0.05 * SLOW, 0.05 * STEPS}, p[3] = {2.9, 3.6, 8};
  static const double height[3] = {0.495, 0.291, 0.151}, at[3] = {3.5, 4, 4.5};
  Pressed s = pressed_ring(96, 5e-3, 3, time, p);
  double before = half_height(&s), p_before = p[0], found[3] = {0}, touch = 0, newton = 0;
  for (int i = 0; i < STEPS; i++) {
    if (pl_step(s.w.data, &s.w.error)) {
      printf("%s\n", s.w.error.message), check_errors++;
      break;
    }
    double now = half_height(&s), p_now = i < SLOW ? p[0] + (p[1] - p[0]) * (i + 1) / SLOW
                                                   : p[1] + (p[2] - p[1]) * (i + 1 - SLOW) / (STEPS - SLOW);
    newton += s.w.data->report.iterations;
    for (int k = 0; k < 3; k++)
      if (before > height[k] && now <= height[k])
        found[k] = p_before + (p_now - p_before) * (before - height[k]) / (before - now);
    plContactPair pair;
    pl_contact_pair(s.w.data, pl_side_of_number(s.w.data->model, 0), pl_side_of_number(s.w.data->model, 0),
                    &pair);
    if (touch == 0 && pair.normal_force > 0) touch = p_now;
    before = now, p_before = p_now;
  }
  plContactPair pair;
  pl_contact_pair(s.w.data, pl_side_of_number(s.w.data->model, 0), pl_side_of_number(s.w.data->model, 0),
                  &pair);
  double force = pair.normal_force / s.depth * s.R * s.R / s.EI;
  printf(
      "ring in plane strain               p at half height 0.495, 0.291, 0.151 R: %.3f, %.3f, %.3f; touches "
      "at %.3f; "
      "force at 8: %.3f EI/R^2; Newton %.2f\n",
      found[0], found[1], found[2], touch, force, newton / STEPS);
  for (int k = 0; k < 3; k++) CHECK_NEAR(found[k], at[k], 0.03 * at[k]);
  CHECK_NEAR(touch, 5.103, 0.03 * 5.103);
  CHECK_NEAR(force, 4.53, 0.06 * 4.53);
  Overlap o = judge(s.w.data, 0, 0.005);
  CHECK_INT(o.inside, 0);
  end(&s.w);
}

// ---- statics

// A ring with a slit, about y; its ends face each other along z at x > 0.
typedef struct Slit {
  double radius, thick, width, slit;
} Slit;
static plVec3 slit_bend(double s, double t, double w, const void* parameters) {
  const Slit* p = parameters;
  double open = 0.5 * p->slit / p->radius, a = open + s * (2 * M_PI - 2 * open),
         r = p->radius + (t - 0.5) * p->thick;
  return (plVec3){r * cos(a), (w - 0.5) * p->width, r * sin(a)};
}

// Sum over the vertices [first, last) in s of the forces of all elements on them.
static plVec3 element_forces(const plData* data, int ring, int first, int last) {
  const plModel* m = data->model;
  plVec3 sum = {0, 0, 0};
  for (int t = 0; t < m->ntet; t++) {
    plElementState e;
    pl_element_state(data, t, &e);
    const double* s = e.cauchy_stress;
    plMat3 F, sigma = m3_columns(v3(s[0], s[3], s[5]), v3(s[3], s[1], s[4]), v3(s[5], s[4], s[2]));
    memcpy(F.m, e.F, sizeof F.m);
    plMat3 P = m3_scale(m3_det(F), m3_mul(sigma, m3_transpose(m3_inverse(F))));
    for (int a = 0; a < 4; a++) {
      int i = m->tet_vert[4 * (size_t)t + (size_t)a] % ring;
      if (i >= first && i < last)
        sum = v3_madd(sum, -m->tet_volume[t], m3_mulv(P, v3_load(m->tet_grad + 12 * (size_t)t + 3 * a)));
    }
  }
  return sum;
}

// The upper half of the ring: F on its end, the contact at the end, the section opposite.
static void a_slit_ring_is_closed_by_a_force(void) {
  enum { N = 40, ACROSS = 2, WIDE = 2, ENDS = 3 * 3 };
  const double F = 0.02;
  static const double time[2] = {0, 0.5}, factor[2] = {0, 1};
  Slit slit = {.radius = 0.05, .thick = 0.01, .width = 0.01, .slit = 0.012};
  plMesh* mesh = bent_mesh(N, ACROSS, WIDE, false, slit_bend, &slit);
  World w = begin_scene(in_space);
  plDeformableDef def = self_def(mesh, true);
  def.material.kind = PL_MATERIAL_COROTATED, def.material.density = 100,
  def.material.damping_stiffness = 0.05;
  int id = add_self(&w, &def), index[2][ENDS], n[2] = {0};
  for (int v = 0; v < mesh->nvert; v++)
    for (int k = 0; k < 2; k++)
      if (v % (N + 1) == (k ? N : 0)) index[k][n[k]++] = v;
  for (int k = 0; k < 2; k++) {
    plLoadDef load = pl_default_load_def();
    load.deformable = id, load.kind = PL_LOAD_VERTEX, load.vector = v3(0, 0, (k ? F : -F) / ENDS);
    load.region.kind = PL_REGION_INDICES, load.region.index = index[k], load.region.nindex = n[k];
    load.ntime = 2, load.time = time, load.factor = factor;
    CHECK_INT(pl_spec_add_load(w.spec, &load, &w.error), PL_OK);
  }
  build(&w);
  SelfRun r = run_self(&w, 0, 800, 0.005, 0);
  check_run("slit ring closed by 20 mN", &r);
  double contact = 0;
  for (int i = 0; i < w.data->ncontact; i++) contact += fabs(w.data->contact[i].force.z);
  plVec3 section = element_forces(w.data, N + 1, 0, N / 2);
  printf("%-34s contact %.6f N, F - section force %.6f N\n", "slit ring", contact, F - section.z);
  CHECK_NEAR(contact, F - section.z, 1e-4 * F);
  CHECK(contact > 0.1 * F);
  pl_mesh_destroy(mesh), end(&w);
}

// A fork of 16 x 7 x 3 cells of 5 mm whose prongs bulge towards each other at their ends; part 0, 1: one
// prong alone, 2: both with their base.
static plMesh* fork_mesh(int part) {
  enum { NX = 16, NY = 7, NZ = 4, BASE = 2, SLOT = 3 };
  const double h = 0.005;
  plMesh* grid = box_mesh(v3(NX * h, NY * h, NZ * h), NX, NY, NZ);
  int cells = 0;
  plMesh* mesh = pl_mesh_create(grid->nvert, grid->ntet, 0, NULL);
  memcpy(mesh->vert, grid->vert, 3 * (size_t)grid->nvert * sizeof(double));
  for (int t = 0; t < grid->ntet; t++) {
    int cell = t / 5, i = cell % NX, j = cell / NX % NY;
    bool in = j == SLOT ? part == 2 && i < BASE : part == 2 || (part == 0) == (j < SLOT);
    if (in) memcpy(mesh->tet + 4 * (size_t)cells++, grid->tet + 4 * (size_t)t, 4 * sizeof(int));
  }
  mesh->ntet = cells;
  for (int v = 0; v < mesh->nvert; v++) {
    double* x = mesh->vert + 3 * (size_t)v;
    int j = v / (NX + 1) % (NY + 1);
    if (j != SLOT && j != SLOT + 1) continue;
    double dx = x[0] - (0.5 * NX - 2) * h, r2 = (dx * dx + x[2] * x[2]) / (0.01 * 0.01);
    if (r2 < 1) x[1] += (j == SLOT ? 1 : -1) * 0.002 * sqrt(1 - r2);
  }
  pl_mesh_destroy(grid);
  pl_mesh_repair(mesh, NULL, 0, NULL);
  return mesh;
}

// Under a traction on their backs the prongs meet at their round ends, with more and more of these. (From
// 3000 Pa on they slip past each other and tumble, each fork in its own way.)
static void prongs_meet(double traction) {
  double force[2];
  for (int two = 0; two < 2; two++) {
    World w = begin_scene(in_space);
    for (int part = two ? 0 : 2; part <= (two ? 1 : 2); part++) {
      plMesh* mesh = fork_mesh(part);
      plDeformableDef def = self_def(mesh, !two);
      def.name = part == 1 ? "other" : "body", def.material.damping_stiffness = 0.02;
      int id = add_self(&w, &def);
      plFixDef fix = pl_default_fix_def();
      fix.deformable = id, fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre = v3(-0.0299, 0, 0),
      fix.region.normal = v3(1, 0, 0);
      CHECK_INT(pl_spec_add_fix(w.spec, &fix, &w.error), PL_OK);
      for (int side = -1; side <= 1; side += 2) {
        if (part < 2 && (part == 0) != (side < 0)) continue;
        plLoadDef load = pl_default_load_def();
        load.deformable = id, load.kind = PL_LOAD_TRACTION, load.vector = v3(0, -side * traction, 0);
        load.region.kind = PL_REGION_HALF_SPACE, load.region.centre = v3(0, side * 0.01749, 0),
        load.region.normal = v3(0, -side, 0);
        CHECK_INT(pl_spec_add_load(w.spec, &load, &w.error), PL_OK);
      }
      pl_mesh_destroy(mesh);
    }
    build(&w);
    run(&w, 150);
    plContactPair pair;
    pl_contact_pair(w.data, pl_side_of_number(w.data->model, 0),
                    pl_side_of_number(w.data->model, two ? 1 : 0), &pair);
    force[two] = pair.normal_force;
    printf("%-34s %4.0f Pa: %2d points, %.5f N\n", two ? "prongs, two meshes" : "prongs, one mesh", traction,
           pair.pressing, force[two]);
    end(&w);
  }
  CHECK(force[1] > 0.03);
  CHECK_NEAR(force[0], force[1], 0.01 * force[1]);
}

static void prongs_of_one_mesh_are_two_meshes(void) {
  static const double traction[] = {60, 200, 500, 1000};
  for (int i = 0; i < 4; i++) prongs_meet(traction[i]);
}

// ---- a bar twisted by four turns, its ends approach

static void a_twisted_bar_writhes(void) {
  static const char text[] =
      "pliant: 1\noptions: {dt: 0.01, threads: 1, gravity: [0, 0, 0]}\n"
      "bodies:\n"
      "  - {name: slide, mass: 1, joint: {name: sj, kind: prismatic, axis: [1, 0, 0]}}\n"
      "  - {name: turn, mass: 1, inertia: [1e-3, 1e-3, 1e-3], joint: {name: tj, kind: revolute, parent: "
      "slide, axis: [1, 0, 0]}}\n"
      "constraints:\n"
      "  - {name: twist, kind: motion, a: tj, times: [0, 2], values: [0, 25.1327]}\n"
      "  - {name: near, kind: motion, a: sj, times: [0, 2, 4], values: [0, 0, -0.14]}\n";
  const double length = 0.4, side = 0.015;
  plMesh* mesh = box_mesh(v3(length, side, side), 80, 3, 3);
  World w = begin_scene(text);
  plDeformableDef def = self_def(mesh, true);
  def.material.damping_stiffness = 0.005;
  int id = add_self(&w, &def);
  for (int k = 0; k < 2; k++) {
    plAttachDef hold = pl_default_attach_def();
    hold.name = k ? "right" : "left", hold.deformable = id, hold.body = k ? 1 : -1;
    hold.region.kind = PL_REGION_HALF_SPACE,
    hold.region.centre = v3((k ? 1 : -1) * (0.5 * length - 0.006), 0, 0),
    hold.region.normal = v3(k ? -1 : 1, 0, 0);
    CHECK_INT(pl_spec_add_attachment(w.spec, &hold, NULL, &w.error), PL_OK);
  }
  build(&w);
  SelfRun r = run_self(&w, 0, 400, 0.005, quick ? 20 : 5);
  print_run("bar, four turns", &r);
  CHECK_INT(r.failed, 0);
  CHECK(r.gap_min > -0.05 * 0.005 && r.worst.depth < 0.05 * 0.005 && r.points_max > 0);
  pl_mesh_destroy(mesh), end(&w);
}

// ---- the cost without any contact

static double idle_ms(plMesh* mesh, bool self, int* facets) {
  World w = begin_scene(in_space);
  plDeformableDef def = self_def(mesh, self);
  def.velocity = v3(1, 0, 0), def.angular_velocity = v3(0, 0.5, 1);
  add_self(&w, &def);
  build(&w);
  double best = INFINITY;
  for (int i = 0; i < 30; i++) {
    run(&w, 1);
    if (i > 2) best = fmin(best, 1e3 * w.data->report.stage_s[PL_STAGE_CONTACTS]);
    CHECK_INT(w.data->ncontact, 0);
  }
  *facets = w.model->ntri;
  end(&w);
  return best;
}

static void idle_bodies_cost_little(void) {
  for (int k = 0; k < 6; k++) {
    bool large = k % 2;
    plMesh* mesh = NULL;
    Ring ring = {.radius = 0.06, .thick = 0.01, .width = 0.02};
    static const char* const name[3] = {"torus", "plate", "ring"};
    if (k / 2 == 0) pl_mesh_torus(0.06, 0.015, large ? 0.0042 : 0.0095, &mesh, NULL);
    if (k / 2 == 1) mesh = box_mesh(v3(0.2, 0.2, 0.01), large ? 34 : 15, large ? 34 : 15, 1);
    if (k / 2 == 2) mesh = bent_mesh(large ? 128 : 58, large ? 4 : 2, large ? 5 : 2, true, ring_bend, &ring);
    int facets;
    double ms = idle_ms(mesh, true, &facets), off = idle_ms(mesh, false, &facets);
    printf("idle: %-6s %5d facets, %.2f ms (without self-contact %.2f ms)\n", name[k / 2], facets, ms, off);
    CHECK(ms < (large ? 3.0 * facets / 5000 : 0.6 * facets / 1000));
    pl_mesh_destroy(mesh);
  }
}

// ---- scenes of the repository

static World open_scene(const char* name, const plOverride* set, int nset) {
  char path[512];
  snprintf(path, sizeof path, PLIANT_SCENES "/%s.yaml", name);
  plLoadOptions options = {.overrides = set, .noverride = nset};
  World w = {0};
  CHECK_INT(pl_spec_load(path, &options, &w.spec, &w.error), PL_OK);
  if (!w.spec) printf("%s\n", w.error.message), exit(1);
  build(&w);
  return w;
}

static void a_bear_folds_its_arms(void) {
  for (int off = 0; off < 2; off++) {
    plOverride set = {"deformables.bear.self_contact", off ? "false" : "true"};
    World w = open_scene("hug", &set, 1);
    SelfRun r = run_self(&w, 0, 150, 0.0125, 25);
    print_run(off ? "bear's arms, off" : "bear's arms", &r);
    CHECK(off ? r.last.inside > 5 : r.last.inside == 0 && r.worst.inside == 0 && !r.failed);
    end(&w);
  }
}

// The paper's examples with self-contact: no false contact is found. (The teddy bear is checked until it is
// released after 5.8 s: then it tips forward and rests its head on its legs.)
static void the_papers_examples_are_left_alone(void) {
  static const struct {
    const char* scene;
    int steps, most;
  } example[] = {{"cylinder_press", 100, 0},
                 {"arch_mu02", 50, 0},
                 {"arch_mu10", 50, 0},
                 {"teddy", 290, 0},
                 {"allegro", 300, 0}};
  for (int i = 0; i < 5; i++) {
    enum { MOST = 40 };
    char key[MOST][64];
    plOverride set[MOST];
    World w = open_scene(example[i].scene, NULL, 0);
    int n = w.model->ndeform < MOST ? w.model->ndeform : MOST;
    end(&w);
    for (int b = 0; b < n; b++) {
      snprintf(key[b], sizeof key[b], "deformables.%d.self_contact", b);
      set[b] = (plOverride){key[b], "true"};
    }
    w = open_scene(example[i].scene, set, n);
    int most = 0;
    for (int k = 0; k < (quick ? example[i].steps / 4 : example[i].steps); k++) {
      run(&w, 1);
      int found = 0;
      for (int c = 0; c < w.data->ncontact; c++)
        found += pl_side_equal(w.data->contact[c].a, w.data->contact[c].b);
      if (found > most) most = found;
    }
    printf("%-34s at most %d self points\n", example[i].scene, most);
    CHECK(most <= example[i].most);
    CHECK_INT(w.model->deform_self[w.model->ndeform - 1], 1);
    end(&w);
  }
}

// CPU time (s) of the first steps of a scene, self-contact of all deformables on or off.
static double scene_s(const char* scene, int steps, bool on) {
  enum { MOST = 40 };
  char key[MOST][64];
  plOverride set[MOST + 1];
  World w = open_scene(scene, NULL, 0);
  int n = w.model->ndeform < MOST ? w.model->ndeform : MOST;
  end(&w);
  for (int b = 0; b < n; b++) {
    snprintf(key[b], sizeof key[b], "deformables.%d.self_contact", b);
    set[b] = (plOverride){key[b], on ? "true" : "false"};
  }
  set[n++] = (plOverride){"options.threads", "1"};
  w = open_scene(scene, set, n);
  double begun = check_clock();
  run(&w, steps);
  double seconds = check_clock() - begun;
  end(&w);
  return seconds;
}

// What self-contact costs scenes in which nothing touches itself: the least of alternating runs. Printed, not
// judged.
static void scenes_pay_for_self_contact(void) {
  static const struct {
    const char* scene;
    int steps;
  } example[] = {{"teddy", 280}, {"allegro", 300}, {"stack", 100}};
  for (int i = 0; i < 3; i++) {
    double least[2] = {INFINITY, INFINITY};
    for (int k = 0; k < (quick ? 2 : 10); k++)
      least[k % 2] = fmin(least[k % 2], scene_s(example[i].scene, example[i].steps, k % 2));
    printf("cost: %-8s %d steps, %.3f s, without self-contact %.3f s, ratio %.3f\n", example[i].scene,
           example[i].steps, least[1], least[0], least[1] / least[0]);
    CHECK(least[0] > 0 && least[1] > 0);
  }
}

int main(int argc, char** argv) {
  if (!isa_is_known()) return 2;
  if (argc > 1 && !strcmp(argv[1], "--quick")) quick = true, argv[1] = argv[0], argc--, argv++;
  if (argc > 1 && argv[1][0] == '-') {
    printf("usage: selfcontact [--quick] [NAME]\n");
    return strcmp(argv[1], "--help") ? 2 : 0;
  }
  CHECK_MAIN(argc, argv);
  RUN(a_ring_is_pressed_flat);
  RUN(a_torus_is_pressed_flat);
  RUN(a_folded_strip_is_pressed);
  RUN(a_clip_is_closed_by_a_load);
  RUN(a_strip_is_dropped_and_coils);
  RUN(the_legs_of_a_clip_close_fast);
  RUN(a_bellows_is_pressed);
  RUN(a_ring_buckles_at_3);
  RUN(a_ring_under_pressure_touches_itself);
  RUN(a_slit_ring_is_closed_by_a_force);
  RUN(prongs_of_one_mesh_are_two_meshes);
  RUN(a_twisted_bar_writhes);
  RUN(a_bear_folds_its_arms);
  RUN(squeezed_cubes_make_no_points);
  RUN(a_bent_plate_does_not_touch_its_back);
  RUN(a_spinning_clip_makes_no_points);
  RUN(the_papers_examples_are_left_alone);
  RUN(idle_bodies_cost_little);
  RUN(scenes_pay_for_self_contact);
  return CHECK_END;
}

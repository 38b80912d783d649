// validate_contact.c: long scenes of contact against closed forms and thresholds: towers, the arch, Hertz, a
// line contact, partial slip, a squeezed ball and block, a slope.
//
//   build/bench/validate_contact [--quick] [--only CASE] [--scenes FOLDER] [--json FILE]
//
// One line a case: what was measured, what is allowed, ok or FAILED; the exit status says whether all are ok.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/side.h"
#include "pliant/pliant.h"
#include "verdict.h"

static const char* scenes = PLIANT_SCENES;

typedef struct Run {
  const plModel* model;
  plData* data;
  double newton;
  int newton_max, steps;
  bool failed;
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
  for (int i = 0; i < steps && !r->failed; i++) {
    if (pl_step(r->data, &error)) {
      r->failed = true;
      printf("  step %ld: %s\n", r->data->report.step, error.message);
      break;
    }
    r->steps++, r->newton += r->data->report.iterations;
    if (r->data->report.iterations > r->newton_max) r->newton_max = r->data->report.iterations;
  }
}

static void end(Run* r) { pl_data_destroy(r->data), pl_model_destroy(r->model); }

// ---- towers

static plSpec* tower(double young, double turn, double shift, bool other_meshes) {
  plSpec* spec = pl_spec_create();
  plError error;
  for (int k = 0; k < 5; k++) {
    plMesh* mesh;
    int n = 3 + (other_meshes ? k % 2 : 0);
    if (pl_mesh_box_cells((plVec3){0.1, 0.1, 0.1}, n, n, n, &mesh, &error)) stop("mesh", &error);
    plDeformableDef def = pl_default_deformable_def();
    char name[16];
    snprintf(name, sizeof name, "block%d", k);
    def.name = name, def.mesh = mesh, def.pose.p = (plVec3){k % 2 ? shift : 0, 0, 0.0505 + 0.101 * k};
    def.pose.q = (plQuat){cos(turn * k / 2), 0, 0, sin(turn * k / 2)};
    def.material.young = young, def.material.poisson = 0.4, def.material.damping_stiffness = 0.01,
    def.surface.friction = 0.5;
    if (pl_spec_add_deformable(spec, &def, NULL, &error)) stop("block", &error);
    pl_mesh_destroy(mesh);
  }
  plShapeDef ground = pl_default_shape_def();
  ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE, ground.surface.friction = 0.5;
  if (pl_spec_add_shape(spec, &ground, NULL, &error)) stop("ground", &error);
  return spec;
}

static plVec3 top(const Run* r) {
  plBodyState state;
  pl_deformable_state(r->data, 4, &state);
  return state.com;
}

static void stand(const char* name, double turn, double shift, bool other_meshes, double tolerance) {
  Run r = start(tower(1e6, turn, shift, other_meshes));
  plVec3 begin = top(&r), middle, last;
  go(&r, 500);
  middle = top(&r);
  go(&r, 500);
  last = top(&r);
  double drift = hypot(last.x - begin.x, last.y - begin.y),
         late = hypot(hypot(last.x - middle.x, last.y - middle.y), last.z - middle.z);
  printf("tower, %s: 10 s, off by %.4f mm (allowed %.1f), %.5f mm in the last 5 s (0.1), Newton %.2f (%d)",
         name, 1e3 * drift, 1e3 * tolerance, 1e3 * late, r.newton / r.steps, r.newton_max);
  verdict(!r.failed && drift < tolerance && late < 1e-4);
  if (other_meshes || turn != 0) {
    end(&r);
    return;
  }
  // A column under its own weight: what lies at z sinks by rho g / E (L z - z^2 / 2); the gaps of 0.5 and 1
  // mm between the blocks are closed.
  double gaps = 0.5e-3 + 4 * 1e-3, book = 1000 * 9.81 / 1e6 * (0.5 * 0.45 - 0.5 * 0.45 * 0.45);
  printf("tower, %s: the top sinks by %.3f mm (column under its own weight: %.3f, 5 %%)", name,
         1e3 * (begin.z - last.z - gaps), 1e3 * book);
  verdict(fabs((begin.z - last.z - gaps) / book - 1) < 0.05);
  end(&r);
}

static void towers(bool quick) {
  stand("matching", 0, 0, false, 0.5e-3);
  if (quick) return;
  stand("turned", 0.3, 0, false, 1.5e-3);
  stand("turned, shifted by 20 mm", 0.3, 0.02, false, 1.5e-3);
  stand("other meshes", 0, 0, true, 1.5e-3);
}

// At 100 kPa the column is higher (0.5 m) than (7.837 E I / (rho g A))^(1/3) = 0.405 m: it buckles under its
// own weight.
static void topple(bool quick) {
  (void)quick;
  Run r = start(tower(1e5, 0, 1e-3, false));
  int steps = 0;
  while (steps < 2000 && !r.failed && top(&r).z > 0.3) go(&r, 10), steps += 10;
  printf("tower of 100 kPa: the top is at %.3f m after %.1f s (it must topple)", top(&r).z, 0.01 * steps);
  verdict(!r.failed && top(&r).z < 0.3);
  end(&r);
}

// ---- the arch

static void arch_at(const char* tag, bool stands) {
  char path[4096];
  plSpec* spec;
  plError error;
  snprintf(path, sizeof path, "%s/arch_mu%s.yaml", scenes, tag);
  if (pl_spec_load(path, NULL, &spec, &error)) stop(path, &error);
  Run r = start(spec);
  plBodyState begin, state;
  pl_deformable_state(r.data, 12, &begin);
  go(&r, stands ? 250 : 75);
  pl_deformable_state(r.data, 12, &state);
  double fall = begin.com.z - state.com.z;
  printf("arch, friction %.1f: %.0f s, keystone %.4f mm lower (it must %s), Newton %.2f (%d), %d points",
         atof(tag) / 10, 0.04 * r.steps, 1e3 * fall, stands ? "stand" : "fall", r.newton / r.steps,
         r.newton_max, r.data->ncontact);
  verdict(!r.failed && (stands ? fabs(fall) < 5e-4 : fabs(fall) > 0.3));
  end(&r);
}

static void arch(bool quick) {
  arch_at("10", true);
  if (!quick) arch_at("05", true);
  arch_at("02", false);
}

// ---- Hertz

// Cells of nearly one size around the contact, then larger and larger: s in [0, 1] -> [0, 1].
static double grade(double s, double by) { return sinh(by * s) / sinh(by); }
static const double usual = 5.15;

// A quarter (or, for a line, half of a slice) of a block, its cells graded towards the contact at the origin.
// z <= 0.
static plMesh* graded(double size, int n, double by, double width, int ny) {
  plMesh* mesh;
  plError error;
  if (pl_mesh_box_cells((plVec3){1, 1, 1}, n, ny, n, &mesh, &error)) stop("mesh", &error);
  for (int i = 0; i < mesh->nvert; i++) {
    double* x = mesh->vert + 3 * i;
    x[0] = size * grade(x[0] + 0.5, by);
    x[1] = width > 0 ? width * (x[1] + 0.5) : size * grade(x[1] + 0.5, by);
    x[2] = -size * grade(0.5 - x[2], by);
  }
  return mesh;
}

static void hold(plSpec* spec, plVec3 centre, plVec3 normal, int components) {
  plFixDef fix = pl_default_fix_def();
  plError error;
  fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre = centre, fix.region.normal = normal,
  fix.components = components;
  if (pl_spec_add_fix(spec, &fix, &error)) stop("fix", &error);
}

// A rigid sphere or cylinder of radius R comes down on the block slowly (steps of 1 s, no weight).
static Run press(plMesh* mesh, double size, plShapeKind kind, double R, double speed, double width,
                 double mu) {
  plSpec* spec = pl_spec_create();
  plError error;
  plOptions* o = pl_spec_options(spec);
  o->gravity = (plVec3){0, 0, 0}, o->dt = 1;
  plDeformableDef def = pl_default_deformable_def();
  def.name = "block", def.mesh = mesh, def.material.young = 1e6, def.material.poisson = 0.3,
  def.material.density = 1, def.surface.friction = mu;
  def.material.element = kind == PL_SHAPE_SPHERE ? PL_ELEMENT_TET4_SMOOTHED : PL_ELEMENT_TET4,
  def.material.damping_stiffness = 0;
  if (pl_spec_add_deformable(spec, &def, NULL, &error)) stop("block", &error);
  pl_mesh_destroy(mesh);
  hold(spec, (plVec3){0, 0, -size}, (plVec3){0, 0, 1}, PL_FIX_ALL);
  if (mu == 0) hold(spec, (plVec3){0, 0, 0}, (plVec3){1, 0, 0}, PL_FIX_X);
  hold(spec, (plVec3){0, 0, 0}, (plVec3){0, 1, 0}, PL_FIX_Y);
  if (width > 0) hold(spec, (plVec3){0, width, 0}, (plVec3){0, -1, 0}, PL_FIX_Y);
  plBodyDef body = pl_default_body_def();
  int id;
  body.name = "tool", body.mass = 1e12, body.inertia[0] = body.inertia[1] = body.inertia[2] = 1e12;
  body.pose.p.z = R, body.velocity.z = -speed;
  if (pl_spec_add_body(spec, &body, &id, &error)) stop("tool", &error);
  plShapeDef g = pl_default_shape_def();
  g.name = "tool", g.body = id, g.kind = kind, g.radius = R, g.length = 4 * width, g.surface.friction = mu;
  if (kind == PL_SHAPE_CYLINDER) g.pose.q = (plQuat){sqrt(0.5), sqrt(0.5), 0, 0};
  if (pl_spec_add_shape(spec, &g, NULL, &error)) stop("tool", &error);
  return start(spec);
}

// F = 4/3 E* sqrt(R) d^(3/2)
static void hertz_on(double size, int n, double by, double tolerance) {
  double R = 0.1, E = 1e6 / (1 - 0.09), speed = 1.2e-4, force[12];
  Run r = press(graded(size, n, by, 0, n), size, PL_SHAPE_SPHERE, R, speed, 0, 0);
  double worst = 0;
  for (int i = 0; i < 12; i++) {
    go(&r, 1);
    plContactPair pair;
    pl_contact_pair(r.data, pl_side_of_number(r.data->model, 0), pl_side_of_number(r.data->model, 1), &pair);
    force[i] = 4 * pair.force.z;
    double d = speed * (i + 1), book = 4.0 / 3 * E * sqrt(R) * pow(d, 1.5);
    if (i >= 9) worst = fmax(worst, fabs(force[i] / book - 1));
  }
  double exponent = log(force[11] / force[7]) / log(12.0 / 8), a = sqrt(R * speed * 12),
         edge = size * grade(1.0 / n, by);
  printf(
      "Hertz, sphere: a/R up to %.3f, edges of %.1f mm (%.0f across): force within %.1f %% (%g), exponent "
      "%.3f (1.5 +- 0.05)",
      a / R, 1e3 * edge, 2 * a / edge, 100 * worst, 100 * tolerance, exponent);
  verdict(!r.failed && worst < tolerance && fabs(exponent - 1.5) < 0.05);
  end(&r);
}

// What is left falls with the edges: it is the mesh's (and the block's: one of 0.4 m is 1 % stiffer than one
// of 0.8 m).
static void hertz(bool quick) {
  if (quick)
    hertz_on(0.8, 12, usual, 0.12);
  else
    hertz_on(0.8, 22, usual, 0.05), hertz_on(1.6, 26, 6.3, 0.015);
}

// Plane strain: a^2 = 4 P R / (pi E*), P per length; a from the outermost points that press.
static void line(bool quick) {
  double R = 0.1, E = 1e6 / (1 - 0.09), size = 0.8, width = 0.004, worst = 0;
  int n = quick ? 32 : 40;
  Run r = press(graded(size, n, usual, width, 1), size, PL_SHAPE_CYLINDER, R, 2e-4, width, 0);
  for (int i = 0; i < 12; i++) {
    go(&r, 1);
    if (i < 5) continue;
    plContactPair pair;
    pl_contact_pair(r.data, pl_side_of_number(r.data->model, 0), pl_side_of_number(r.data->model, 1), &pair);
    // Pressure p0 sqrt(1 - x^2/a^2): its second moment is P a^2 / 4, which does not depend on where the mesh
    // puts the rim.
    double P = 0, moment = 0;
    for (int k = 0; k < r.data->ncontact; k++) {
      const plContact* c = &r.data->contact[k];
      P += c->force.z, moment += c->force.z * c->position.x * c->position.x;
    }
    double a = 2 * sqrt(moment / P), book = sqrt(4 * (2 * P / width) * R / (3.14159265358979 * E));
    worst = fmax(worst, fabs(a / book - 1));
  }
  printf("line contact, cylinder: half width within %.1f %% (5) of sqrt(4 P R / pi E*)", 100 * worst);
  verdict(!r.failed && worst < 0.05);
  end(&r);
}

// ---- partial slip

// Half of a block, graded towards the contact at the origin from both sides of x; y >= 0, z <= 0.
static plMesh* graded_half(double size, int n) {
  plMesh* mesh;
  plError error;
  if (pl_mesh_box_cells((plVec3){1, 1, 1}, 2 * n, n, n, &mesh, &error)) stop("mesh", &error);
  for (int i = 0; i < mesh->nvert; i++) {
    double* x = mesh->vert + 3 * i;
    x[0] = copysign(size * grade(fabs(2 * x[0]), usual), x[0]), x[1] = size * grade(x[1] + 0.5, usual),
    x[2] = -size * grade(0.5 - x[2], usual);
  }
  return mesh;
}

// Cattaneo and Mindlin: a sphere pressed with N, then moved sideways by s: Q = mu N (1 - (1 - s/s1)^(3/2)),
// s1 = 3 mu N (2 - nu)/(16 a G), the outer part of the contact slipping first.
static void mindlin(bool quick) {
  double R = 0.1, nu = 0.3, mu = 0.4, G = 1e6 / (2 * (1 + nu)), size = 0.8, depth = 1.44e-3, worst = 0;
  int n = quick ? 10 : 13, sticking[8];
  Run r = press(graded_half(size, n), size, PL_SHAPE_SPHERE, R, depth / 4, 0, mu);
  go(&r, 4);
  plContactPair pair;
  pl_contact_pair(r.data, pl_side_of_number(r.data->model, 0), pl_side_of_number(r.data->model, 1), &pair);
  double N = 2 * pair.force.z, a = sqrt(R * depth), s1 = 3 * mu * N * (2 - nu) / (16 * a * G),
         step = 1.2 * s1 / 8;
  r.data->v[0] = step, r.data->v[2] = 0;
  for (int i = 0; i < 8; i++) {
    go(&r, 1);
    pl_contact_pair(r.data, pl_side_of_number(r.data->model, 0), pl_side_of_number(r.data->model, 1), &pair);
    double s = step * (i + 1), book = s < s1 ? 1 - pow(1 - s / s1, 1.5) : 1;
    worst = fmax(worst, fabs(-pair.force.x / (mu * pair.force.z) - book));
    sticking[i] = pair.stick;
  }
  bool trend = sticking[0] > sticking[3] && sticking[3] > sticking[7] && sticking[7] == 0;
  printf(
      "Cattaneo-Mindlin: Q / mu N within %.3f (0.12) of 1 - (1 - s/s1)^(3/2); points that stick %d, %d ... "
      "%d (fewer and fewer)",
      worst, sticking[0], sticking[3], sticking[7]);
  verdict(!r.failed && worst < 0.12 && trend);
  end(&r);
}

// ---- squeezed between plates

// Without friction a block of the corotated law carries E (1 - height) times its area, whatever the squeeze;
// a ball at first carries the force of Hertz for half the squeeze at each plate.
static Run squeezed(plMesh* mesh, double height, double speed, double dt) {
  plSpec* spec = pl_spec_create();
  plError error;
  pl_spec_options(spec)->gravity = (plVec3){0, 0, 0}, pl_spec_options(spec)->dt = dt;
  plDeformableDef def = pl_default_deformable_def();
  def.name = "body", def.mesh = mesh, def.material.young = 1e5, def.material.poisson = 0.4,
  def.material.damping_stiffness = 0, def.surface.friction = 0;
  def.material.element = PL_ELEMENT_TET4_SMOOTHED, def.material.density = 1;
  if (pl_spec_add_deformable(spec, &def, NULL, &error)) stop("body", &error);
  pl_mesh_destroy(mesh);
  for (int k = 0; k < 2; k++) {
    plBodyDef body = pl_default_body_def();
    plShapeDef g = pl_default_shape_def();
    body.name = g.name = k ? "up" : "low", body.mass = 1e12,
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1e12;
    body.pose.p.z = (k ? 1 : -1) * (height / 2 + 0.05), body.velocity.z = k ? -speed : speed;
    if (pl_spec_add_body(spec, &body, &g.body, &error)) stop("plate", &error);
    g.size = (plVec3){1, 1, 0.1}, g.surface.friction = 0;
    if (pl_spec_add_shape(spec, &g, NULL, &error)) stop("plate", &error);
  }
  return start(spec);
}

static void squeeze(bool quick) {
  plMesh* mesh;
  plError error;
  if (pl_mesh_box_cells((plVec3){0.1, 0.1, 0.1}, 4, 4, 4, &mesh, &error)) stop("mesh", &error);
  Run r = squeezed(mesh, 0.1, 0.03, 0.02);
  go(&r, 51);
  for (int k = 0; k < 2; k++) r.data->v[6 * k + 2] = 0;
  go(&r, 20);
  plContactPair pair;
  pl_contact_pair(r.data, pl_side_of_number(r.data->model, 0), pl_side_of_number(r.data->model, 2), &pair);
  plBodyState state;
  pl_deformable_state(r.data, 0, &state);
  double h = state.upper.z - state.lower.z, book = 1e5 * 0.01 * (1 - h / 0.1);
  printf("block squeezed to %.1f %%, no friction: %.2f N (E A (1 - h / h0) = %.2f, 1 %%), Newton %.2f (%d)",
         1e3 * h, pair.force.z, book, r.newton / r.steps, r.newton_max);
  verdict(!r.failed && fabs(pair.force.z / book - 1) < 0.01 && fabs(h - 0.04) < 5e-4);
  end(&r);

  double R = 0.1, edge = quick ? 0.026 : 0.018, E = 1e5 / (1 - 0.16), worst = 0;
  if (pl_mesh_sphere(R, edge, &mesh, &error)) stop("mesh", &error);
  double top = 0, bottom = 0;
  for (int i = 0; i < mesh->nvert; i++)
    top = fmax(top, mesh->vert[3 * i + 2]), bottom = fmin(bottom, mesh->vert[3 * i + 2]);
  r = squeezed(mesh, top - bottom, 1e-3, 1);
  for (int i = 0; i < 10; i++) {
    go(&r, 1);
    pl_contact_pair(r.data, pl_side_of_number(r.data->model, 0), pl_side_of_number(r.data->model, 2), &pair);
    double d = 1e-3 * (i + 1), hertz_force = 4.0 / 3 * E * sqrt(R) * pow(d, 1.5);
    if (i >= 5) worst = fmax(worst, fabs(pair.force.z / hertz_force - 1));
  }
  printf("ball squeezed by 6 to 10 %%: force within %.1f %% (%d) of Hertz at both plates", 100 * worst,
         quick ? 20 : 12);
  verdict(!r.failed && worst < (quick ? 0.2 : 0.12));
  end(&r);
}

// ---- a slope

// A soft cube on a plane tilted by atan mu / 1.02 and atan mu * 1.02: it holds, it slides.
static void slope(bool quick) {
  (void)quick;
  for (int k = 0; k < 2; k++) {
    double mu = 0.5, angle = atan(k ? mu * 1.02 : mu / 1.02);
    plSpec* spec = pl_spec_create();
    plError error;
    plMesh* mesh;
    if (pl_mesh_box_cells((plVec3){0.1, 0.1, 0.1}, 3, 3, 3, &mesh, &error)) stop("mesh", &error);
    pl_spec_options(spec)->gravity = (plVec3){9.81 * sin(angle), 0, -9.81 * cos(angle)};
    plDeformableDef def = pl_default_deformable_def();
    def.name = "cube", def.mesh = mesh, def.pose.p.z = 0.05, def.material.young = 1e6,
    def.surface.friction = mu;
    if (pl_spec_add_deformable(spec, &def, NULL, &error)) stop("cube", &error);
    pl_mesh_destroy(mesh);
    plShapeDef g = pl_default_shape_def();
    g.name = "table", g.kind = PL_SHAPE_BOX, g.size = (plVec3){4, 1, 0.2}, g.pose.p.z = -0.1,
    g.surface.friction = mu;
    if (pl_spec_add_shape(spec, &g, NULL, &error)) stop("table", &error);
    Run r = start(spec);
    plBodyState a, b;
    go(&r, 100), pl_deformable_state(r.data, 0, &a), go(&r, 100), pl_deformable_state(r.data, 0, &b);
    double moved = b.com.x - a.com.x, gained = (b.momentum.x - a.momentum.x) / b.mass,
           book = 9.81 * (sin(angle) - mu * cos(angle));
    printf("slope of tan %.3f, friction %.2f: moved %.3f mm in a second, faster by %.4f m/s (%s)", tan(angle),
           mu, 1e3 * moved, gained, k ? "slides" : "holds");
    verdict(!r.failed && (k ? fabs(gained - book) < 0.02 * book : moved < 2e-5));
    end(&r);
  }
}

int main(int argc, char** argv) {
  typedef struct Case {
    const char* name;
    void (*run)(bool quick);
  } Case;
  static const Case cases[] = {{"slope", slope},     {"arch", arch},      {"towers", towers},
                               {"topple", topple},   {"line", line},      {"hertz", hertz},
                               {"mindlin", mindlin}, {"squeeze", squeeze}};
  const char *only = NULL, *json = NULL;
  bool quick = false, first = true;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      quick = true;
    else if (!strcmp(argv[i], "--only") && i + 1 < argc)
      only = argv[++i];
    else if (!strcmp(argv[i], "--scenes") && i + 1 < argc)
      scenes = argv[++i];
    else if (!strcmp(argv[i], "--json") && i + 1 < argc)
      json = argv[++i];
    else
      return fprintf(stderr,
                     "usage: validate_contact [--quick] [--only CASE] [--scenes FOLDER] [--json FILE]\n"),
             2;
  }
  bool known = !only;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) known |= only && !strcmp(only, cases[i].name);
  if (!known) return fprintf(stderr, "validate_contact: there is no case '%s'\n", only), 2;
  FILE* rows = json ? fopen(json, "w") : NULL;
  if (json && !rows) return fprintf(stderr, "validate_contact: cannot write %s\n", json), 2;
  if (rows) fprintf(rows, "[");
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (only && strcmp(only, cases[i].name)) continue;
    int before = failures;
    cases[i].run(quick);
    if (rows)
      fprintf(rows, "%s\n  {\"case\": \"%s\", \"failures\": %d}", first ? "" : ",", cases[i].name,
              failures - before);
    first = false;
  }
  if (rows) fprintf(rows, "\n]\n"), fclose(rows);
  printf("%s\n", failures ? "validate_contact: FAILED" : "validate_contact: all ok");
  return failures != 0;
}

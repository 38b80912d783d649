// schemes.c: what the time schemes do to the energy and the angular momentum of soft bodies
// (docs/materials.md).
//
//   build/bench/schemes [--quick] [--markdown FILE]
//
// Prints two tables: the angular momentum that a spinning body keeps, and the energy that a swinging beam
// without damping gains. The exit status is 0 if the figures are those that the docs promise: midpoint keeps
// the angular momentum of the nonlinear laws, backward Euler gains no energy. --quick: a tenth of the time.
// --markdown: the tables in that page are written again.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../test/scenes.h"
#include "isa.h"
#include "page.h"
#include "verdict.h"

static const plMaterialKind kinds[] = {PL_MATERIAL_LINEAR_COROTATED, PL_MATERIAL_COROTATED,
                                       PL_MATERIAL_NEO_HOOKEAN};
static const char* const kind_name[] = {"linear_corotated", "corotated", "neo_hookean"};
enum { NKIND = 3 };

typedef struct Case {
  plMaterialKind kind;
  double theta, dt, damping, until;
} Case;

typedef struct Run {
  const plModel* model;
  plData* data;
} Run;

static Run begin(const Case* c, plVec3 size, int along, double young, plVec3 spin, bool held) {
  plError error = {0};
  plSpec* spec = pl_spec_create();
  plMesh* mesh = box_mesh(size, along, 2, 2);
  plOptions* o = pl_spec_options(spec);
  o->dt = c->dt, o->theta = o->theta_vq = c->theta, o->threads = 1;
  if (!held) o->gravity = (plVec3){0, 0, 0};
  plDeformableDef def = pl_default_deformable_def();
  def.name = "body", def.mesh = mesh, def.angular_velocity = spin;
  def.material.kind = c->kind, def.material.young = young, def.material.poisson = 0.3;
  def.material.damping_stiffness = c->damping;
  plFixDef fix = pl_default_fix_def();
  fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre.x = -0.5 * size.x;
  fix.region.normal = (plVec3){1, 0, 0};
  if (pl_spec_add_deformable(spec, &def, NULL, &error) || (held && pl_spec_add_fix(spec, &fix, &error)))
    stop("spec", &error);
  Run run = {.model = pl_model_create(spec, &error)};
  if (run.model) run.data = pl_data_create(run.model, &error);
  if (!run.data) stop("model", &error);
  pl_mesh_destroy(mesh), pl_spec_destroy(spec);
  return run;
}

static plBodyState state_of(const Run* run) {
  plBodyState state = {0};
  pl_deformable_state(run->data, 0, &state);
  return state;
}

static void end(Run* run) { pl_data_destroy(run->data), pl_model_destroy(run->model); }

static void advance(Run* run, double until) {
  plError error = {0};
  while (run->data->time < until - 1e-9)
    if (pl_step(run->data, &error)) stop("step", &error);
}

// Part of the angular momentum that a free box which spins at 10 rad/s keeps.
static double kept(const Case* c) {
  Run run = begin(c, (plVec3){0.2, 0.1, 0.1}, 4, 1e5, (plVec3){0, 0, 10}, false);
  double before = state_of(&run).angular_momentum.z;
  advance(&run, c->until);
  double after = state_of(&run).angular_momentum.z;
  end(&run);
  return after / before;
}

// Largest energy (J) of a beam that swings under its weight above its start.
static double gained(const Case* c) {
  Run run = begin(c, (plVec3){0.3, 0.05, 0.05}, 8, 5e4, (plVec3){0, 0, 0}, true);
  const double g = 9.81;
  double mass = state_of(&run).mass, most = 0;
  for (double t = 0.1; t <= c->until + 1e-9; t += 0.1) {
    advance(&run, t);
    plBodyState s = state_of(&run);
    most = fmax(most, s.kinetic_energy + s.elastic_energy + mass * g * s.com.z);
  }
  end(&run);
  return most;
}

static void print_kept(FILE* out, double until) {
  fprintf(
      out,
      "Angular momentum after %g s over that at the start, a free box of 0.2 x 0.1 x 0.1 m, E 1e5 Pa, at "
      "10 rad/s:\n\n"
      "| law | scheme | dt 0.001, no damping | dt 0.001, damping 0.01 s | dt 0.005, no damping | dt 0.005, "
      "damping 0.01 s |\n|---|---|---|---|---|---|\n",
      until);
  bool ok = true;
  for (int k = 0; k < NKIND; k++)
    for (int scheme = 0; scheme < 2; scheme++) {
      fprintf(out, "| `%s` | `%s` |", kind_name[k], scheme ? "midpoint" : "backward_euler");
      for (int i = 0; i < 4; i++) {
        Case c = {kinds[k], scheme ? 0.5 : 1, i / 2 ? 0.005 : 0.001, i % 2 ? 0.01 : 0, until};
        double part = kept(&c);
        fprintf(out, " %.4f |", part);
        ok = ok && part <= 1 + 1e-3 && (!scheme || !k || fabs(part - 1) < 1e-3);
      }
      fprintf(out, "\n");
    }
  printf("midpoint keeps the angular momentum of nonlinear laws to 1e-3, no scheme adds any:");
  verdict(ok);
}

static void print_gained(FILE* out, double until) {
  fprintf(
      out,
      "\nLargest energy above that of the start (J), a beam of 0.3 x 0.05 x 0.05 m, E 5e4 Pa, held at one "
      "end, which swings under its weight for %g s without damping:\n\n"
      "| law | scheme | dt 0.001 | dt 0.01 | dt 0.02 |\n|---|---|---|---|---|\n",
      until);
  bool ok = true;
  for (int k = 0; k < NKIND; k++)
    for (int scheme = 0; scheme < 2; scheme++) {
      fprintf(out, "| `%s` | `%s` |", kind_name[k], scheme ? "midpoint" : "backward_euler");
      for (int i = 0; i < 3; i++) {
        Case c = {kinds[k], scheme ? 0.5 : 1, (double[]){0.001, 0.01, 0.02}[i], 0, until};
        double gain = gained(&c);
        fprintf(out, " %.1e |", gain);
        ok = ok && (scheme || gain < 1e-6);
      }
      fprintf(out, "\n");
    }
  printf("backward Euler gains no energy:");
  verdict(ok);
}

int main(int argc, char** argv) {
  bool quick = false;
  const char* page = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      quick = true;
    else if (!strcmp(argv[i], "--markdown") && i + 1 < argc)
      page = argv[++i];
    else
      return fprintf(stderr, "usage: schemes [--quick] [--markdown FILE]\n"), 2;
  }
  if (!isa_is_known()) return 2;
  char* text = NULL;
  size_t size = 0;
  FILE* out = open_memstream(&text, &size);
  if (!out) return 2;
  print_kept(out, quick ? 0.2 : 2);
  print_gained(out, quick ? 0.5 : 5);
  fclose(out);
  fputs(text, stdout);
  bool written = !page || write_table(page, "schemes", text);
  free(text);
  return written ? failures != 0 : 2;
}

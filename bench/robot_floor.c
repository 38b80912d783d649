// robot_floor.c: runs a robot file on a floor from its start and checks its energy, for bench/peers/corpus.
//
//   robot_floor FILE [--steps 200] [--dt 5e-3] [--floor auto|none|Z] [--base file|weld|free]
//               [--keyframe NAME] [--shapes] [--missing] [--trace] [--search FOLDER]
//
// The floor of `auto` is the file's own plane, else z = 0; URDF and SDFormat, which say nothing about a
// floor, have it under everything that moves where that is lower. --shapes: inertia from shapes; --missing:
// collision meshes that are not there are left out; --trace: every step to the errors. One JSON object goes
// to the output: how far it came, and `excess`, the largest of
//
//   E(t) - E(0) - W(t) - K_max(t)/100 - 1e-3 J - push
//
// E: kinetic, gravity's and springs' energy; W: the work of motors, at least 0 for a start with violations;
// K_max: the largest kinetic energy so far; push: what violations of the start may give, m v^2/2 at
// options.push_out_speed (push_out_turn for joints) and the lift out of them by their depth. Exit status 0:
// it ran and excess <= 0; 1: it did not; 2: wrong use.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contact/contact.h"
#include "geom/convex.h"
#include "math/pose.h"
#include "model/work.h"
#include "pliant/pliant.h"

static int remarks;

static void count_remark(void* user, const char* text) {
  (void)user, (void)text;
  remarks++;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- the floor

static double lowest_of(const plShapeDef* g, plPose at) {
  double z = INFINITY;
  if (g->kind == PL_SHAPE_MESH) {
    for (int i = 0; i < g->mesh->nvert; i++) z = fmin(z, pose_apply(at, v3_load(g->mesh->vert + 3 * i)).z);
    return z;
  }
  plConvex shape = {.kind = g->kind, .pose = at, .half = v3_scale(0.5, g->size)};
  shape.radius = g->radius, shape.length = g->length;
  return pl_convex_support(&shape, v3(0, 0, -1)).z;
}

// Whether a body is carried by the world alone.
static bool is_held(const plSpec* spec, int body) {
  for (int k = 0; k <= pl_spec_body_count(spec) && body >= 0; k++) {
    int up = -2;
    for (int j = 0; j < pl_spec_joint_count(spec); j++)
      if (pl_spec_joint(spec, j)->child == body)
        up = pl_spec_joint(spec, j)->kind == PL_JOINT_FIXED ? pl_spec_joint(spec, j)->parent : -2;
    if (up == -2) return false;
    body = up;
  }
  return true;
}

static double floor_height(const plSpec* spec, const char* file) {
  double z = 0;
  size_t n = strlen(file);
  bool mjcf = n > 4 && (!strcmp(file + n - 4, ".xml") || !strcmp(file + n - 5, ".mjcf"));
  for (int i = 0; i < pl_spec_shape_count(spec); i++) {
    const plShapeDef* g = pl_spec_shape(spec, i);
    if (!g->collide) continue;
    if (g->kind == PL_SHAPE_HALF_SPACE) return NAN;
    if (mjcf || g->body < 0 || is_held(spec, g->body)) continue;
    z = fmin(z, lowest_of(g, pose_mul(pl_spec_body_pose(spec, g->body), g->pose)));
  }
  return z;
}

// Initial depth of moving bodies below the floors, which are level.
static double buried(const plSpec* spec) {
  double floor_z = -INFINITY, deepest = 0;
  for (int i = 0; i < pl_spec_shape_count(spec); i++) {
    const plShapeDef* g = pl_spec_shape(spec, i);
    if (g->collide && g->kind == PL_SHAPE_HALF_SPACE && g->body < 0) floor_z = fmax(floor_z, g->pose.p.z);
  }
  for (int i = 0; i < pl_spec_shape_count(spec); i++) {
    const plShapeDef* g = pl_spec_shape(spec, i);
    if (!g->collide || g->kind == PL_SHAPE_HALF_SPACE || g->body < 0 || is_held(spec, g->body)) continue;
    deepest = fmax(deepest, floor_z - lowest_of(g, pose_mul(pl_spec_body_pose(spec, g->body), g->pose)));
  }
  return deepest;
}

static bool is_convex(const plCollider* c) {
  return c->shape_id >= 0 && c->shape.kind != PL_SHAPE_HALF_SPACE &&
         (c->shape.kind != PL_SHAPE_MESH || c->hull);
}

// How deep shapes that may touch start in each other, also where that is too deep for contact; after the
// first step.
static double deepest_overlap(const plData* data) {
  const plContactWork* w = data->work->contact;
  double deepest = 0;
  for (int i = 0; i < w->nlist; i++) {
    const plCollider *a = &w->collider[w->list[i].a], *b = &w->collider[w->list[i].b];
    if (!is_convex(a) || !is_convex(b)) continue;
    plConvex A = pl_collider_convex(a), B = pl_collider_convex(b);
    deepest = fmax(deepest, -pl_convex_gap(&A, &B).gap);
  }
  for (int i = 0; i < data->ncontact; i++) deepest = fmax(deepest, -data->contact[i].gap);
  return deepest;
}

// How far rigid balls, welds and distances between bodies start open.
static double widest_opening(const plData* data) {
  const plModel* m = data->model;
  double widest = 0;
  for (int i = 0; i < m->nconstraint; i++) {
    const plConstraintDef* c = &m->constraint[i];
    if (c->kind > PL_CONSTRAINT_DISTANCE || c->off || c->ntime || isfinite(c->stiffness)) continue;
    plPose a = pose_mul(pl_body_pose(data, c->a), c->pose_a),
           b = pose_mul(pl_body_pose(data, c->b), c->pose_b);
    double gap = v3_norm(v3_sub(b.p, a.p));
    if (c->kind == PL_CONSTRAINT_DISTANCE) {
      bool range = isfinite(c->lower) || isfinite(c->upper);
      gap -= c->length;
      gap = range ? fmax(0, fmax(c->lower - gap, gap - c->upper)) : fabs(gap);
    }
    widest = fmax(widest, gap);
  }
  return widest;
}

static plStatus add_floor(plSpec* spec, double z, plError* error) {
  plShapeDef def = pl_default_shape_def();
  if (isnan(z)) return PL_OK;
  def.name = "floor_of_the_corpus", def.kind = PL_SHAPE_HALF_SPACE, def.pose.p.z = z;
  return pl_spec_add_shape(spec, &def, NULL, error);
}

// ---- energy

typedef struct Energy {
  double kinetic, whole;
} Energy;

static Energy energy_of(const plData* data) {
  plRigidTotals t;
  pl_rigid_totals(data, &t);
  Energy e = {t.kinetic_energy, t.kinetic_energy + t.gravity_energy + t.elastic_energy};
  for (int i = 0; i < data->model->ndeform; i++) {
    plBodyState s;
    if (pl_deformable_state(data, i, &s)) continue;
    e.kinetic += s.kinetic_energy, e.whole += s.kinetic_energy + s.elastic_energy + s.gravity_energy;
  }
  return e;
}

// Of all motors in the last step, with the mean of the velocities before and after.
static double motor_work(const plData* data, const double* v0) {
  const plModel* m = data->model;
  double work = 0;
  for (int a = 0; a < m->nact; a++) {
    double rate = 0;
    for (int k = m->act_term0[a]; k < m->act_term0[a + 1]; k++)
      rate += data->work->act_coefficient[k] * 0.5 * (v0[m->act_term[k]] + data->v[m->act_term[k]]);
    work += data->actuator_force[a] * rate * data->par->options.dt;
  }
  return work;
}

static double moving_mass(const plSpec* spec) {
  double mass = 0;
  for (int i = 0; i < pl_spec_body_count(spec); i++)
    if (!is_held(spec, i)) mass += pl_spec_body(spec, i)->mass;
  return mass;
}

typedef struct Start {
  int outside;          // joints outside their limits
  double depth;         // m, of the deepest overlap, below the floor, or of the widest open constraint
  double bound;         // J of the heaviest joint at its bound
  double limits;        // J that joints may get
  double mass, weight;  // kg, N
} Start;

// Energy that a joint outside its limits may get: that of its speed limit, the lift of everything it could
// carry, and the work against motors and springs that hold it there.
static double joint_push(const plData* data, const double* M, double mass, int dof, double out) {
  const plModel* m = data->model;
  const plOptions* o = &data->par->options;
  bool slides = m->joint_kind[m->dof_joint[dof]] == PL_JOINT_PRISMATIC;
  double bound = slides ? o->push_out_speed : o->push_out_turn, g = v3_norm(o->gravity), k = 0;
  double inertia = M[dof * m->nv_rigid + dof];
  for (int a = 0; a < m->nact; a++)
    for (int i = m->act_term0[a]; i < m->act_term0[a + 1]; i++)
      if (m->act_term[i] == dof) k -= data->par->act_bias[3 * a + 1] * m->act_coefficient[i];
  // the lever of a mass m with the moment I is at most sqrt(I / m), and m sqrt(I / m) = sqrt(m I)
  double lift = slides ? mass * g * out : sqrt(mass * inertia) * g * fmin(out, 2);
  return 0.5 * inertia * bound * bound + lift + 0.5 * (fabs(k) + data->par->dof_stiffness[dof]) * out * out;
}

static Start look_at_start(plData* data, double mass, double depth) {
  const plModel* m = data->model;
  Start s = {.mass = mass, .depth = depth};
  double* M = malloc(sizeof(double) * ((size_t)m->nv_rigid * (size_t)m->nv_rigid + 1));
  s.weight = s.mass * v3_norm(data->par->options.gravity);
  if (!M) return s;
  pl_rigid_mass_matrix(data, M);
  for (int i = 0; i < m->nv_rigid; i++) {
    const plOptions* o = &data->par->options;
    bool slides = m->joint_kind[m->dof_joint[i]] == PL_JOINT_PRISMATIC;
    double bound = slides ? o->push_out_speed : o->push_out_turn;
    if (m->dof_q[i] >= 0) s.bound = fmax(s.bound, 0.5 * M[i * m->nv_rigid + i] * bound * bound);
    if (m->dof_q[i] < 0) continue;
    double q = data->q[m->dof_q[i]];
    double out = fmax(data->par->dof_lower[i] - q, q - data->par->dof_upper[i]);
    if (out > 1e-9) s.outside++, s.limits += joint_push(data, M, mass, i, out);
  }
  free(M);
  return s;
}

static bool is_violated(const Start* s, const plOptions* o) {
  return s->outside > 0 || s->depth > 2 * o->dt * o->push_out_speed;
}

static double push_of(const Start* s, const plOptions* o) {
  double v = o->push_out_speed;
  return s->limits + (s->depth > 0 ? 0.5 * s->mass * v * v + s->bound + s->weight * s->depth : 0);
}

// ---- the run

typedef struct Verdict {
  const char* stage;  // "load", "compile", "step", "energy", "ran"
  int steps;
  double excess, when, work, kinetic, push;
  Start start;
} Verdict;

// Prints one step, to look for the cause of a failure.
static void print_step(const plData* data, const Energy* e, const Verdict* r) {
  int fast = 0;
  for (int i = 0; i < data->model->nv_rigid; i++)
    if (fabs(data->v[i]) > fabs(data->v[fast])) fast = i;
  const plReport* p = &data->report;
  fprintf(stderr, "%.4f s: kinetic %.5g, whole %.6g, work %.5g, %d contacts, %d parts, %d iterations",
          data->time, e->kinetic, e->whole, r->work, data->ncontact, p->parts, p->iterations);
  fprintf(stderr, ", %d rounds, %d guards", p->coulomb_rounds, p->guard_rounds);
  if (data->model->nv_rigid)
    fprintf(stderr, ", fastest %s %.4g", data->model->joint_name[data->model->dof_joint[fast]],
            data->v[fast]);
  fprintf(stderr, "\n");
}

static plStatus run(plData* data, int steps, bool trace, Verdict* r, plError* error) {
  const plModel* m = data->model;
  double* v0 = malloc(sizeof(double) * ((size_t)m->nv + 1));
  Energy first = energy_of(data);
  plStatus status = v0 ? PL_OK : PL_ERROR_MEMORY;
  r->start = look_at_start(data, r->start.mass, fmax(r->start.depth, widest_opening(data))),
  r->excess = -INFINITY;
  for (; r->steps < steps && !status; r->steps++) {
    memcpy(v0, data->v, sizeof(double) * (size_t)m->nv);
    status = pl_step(data, error);
    if (status) break;
    if (!r->steps) r->start.depth = fmax(r->start.depth, deepest_overlap(data));
    Energy e = energy_of(data);
    r->work += motor_work(data, v0), r->kinetic = fmax(r->kinetic, e.kinetic);
    r->push = push_of(&r->start, &data->par->options);
    if (trace) print_step(data, &e, r);
    // work that motors absorbed when they were pushed back is not counted against them
    double given = is_violated(&r->start, &data->par->options) ? fmax(r->work, 0) : r->work;
    double excess = e.whole - first.whole - given - 0.01 * r->kinetic - 1e-3 - r->push;
    if (excess > r->excess) r->excess = excess, r->when = data->time;
  }
  free(v0);
  r->stage = status ? "step" : r->excess > 0 ? "energy" : "ran";
  return status;
}

static void print_text(const char* name, const char* text) {
  printf(", \"%s\": \"", name);
  for (; *text; text++) putchar(*text == '"' || *text == '\\' || (unsigned char)*text < ' ' ? '_' : *text);
  putchar('"');
}

static void print_number(const char* name, double x) {
  if (isfinite(x))
    printf(", \"%s\": %.6g", name, x);
  else
    printf(", \"%s\": null", name);
}

static plBase base_named(const char* name) {
  return !strcmp(name, "weld") ? PL_BASE_WELD : !strcmp(name, "free") ? PL_BASE_FREE : PL_BASE_FILE;
}

int main(int argc, char** argv) {
  plRobotDef def = pl_default_robot_def();
  const char *search[8], *floor_word = "auto";
  plLoadOptions load = {.warn = count_remark, .search = search};
  double dt = 5e-3;
  int steps = 200;
  bool trace = false;
  for (int i = 1; i < argc; i++) {
    const char* next = i + 1 < argc ? argv[i + 1] : NULL;
    if (!strcmp(argv[i], "--shapes")) {
      def.inertia = PL_INERTIA_SHAPES;
    } else if (!strcmp(argv[i], "--missing")) {
      load.ignore_missing_meshes = true;
    } else if (!strcmp(argv[i], "--trace")) {
      trace = true;
    } else if (argv[i][0] != '-') {
      def.file = argv[i];
    } else if (!next) {
      return fprintf(stderr, "%s needs a value\n", argv[i]), 2;
    } else if (i++, !strcmp(argv[i - 1], "--steps")) {
      steps = atoi(next);
    } else if (!strcmp(argv[i - 1], "--dt")) {
      dt = atof(next);
    } else if (!strcmp(argv[i - 1], "--floor")) {
      floor_word = next;
    } else if (!strcmp(argv[i - 1], "--base")) {
      def.base = base_named(next);
    } else if (!strcmp(argv[i - 1], "--keyframe")) {
      def.keyframe = next;
    } else if (!strcmp(argv[i - 1], "--search") && load.nsearch < 8) {
      search[load.nsearch++] = next;
    } else {
      return fprintf(stderr, "there is no option %s\n", argv[i - 1]), 2;
    }
  }
  if (!def.file || !(dt > 0))
    return fprintf(stderr, "usage: robot_floor FILE [--steps N] [--dt DT] ...\n"), 2;
  def.name = "r";
  plError error = {0};
  Verdict r = {.stage = "load", .excess = NAN};
  double t0 = now(), loaded = NAN, created = NAN;
  plSpec* spec = pl_spec_create();
  plStatus status = pl_spec_add_robot(spec, &def, &load, &error);
  loaded = now() - t0;
  if (!status && strcmp(floor_word, "none"))
    status =
        add_floor(spec, strcmp(floor_word, "auto") ? atof(floor_word) : floor_height(spec, def.file), &error);
  if (!status) pl_spec_options(spec)->dt = dt, r.stage = "compile";
  const plModel* model = status ? NULL : pl_model_create(spec, &error);
  plData* data = model ? pl_data_create(model, &error) : NULL;
  created = now() - t0;
  r.start.mass = moving_mass(spec), r.start.depth = buried(spec);
  if (data) status = run(data, steps, trace, &r, &error);
  bool ran = data && !status && !(r.excess > 0);
  char text[1500] = "";
  if (!data || status) pl_error_text(&error, text, sizeof text);
  printf("{\"stage\": \"%s\", \"steps\": %d, \"remarks\": %d, \"dofs\": %d, \"outside\": %d", r.stage,
         r.steps, remarks, model ? model->nv : -1, r.start.outside);
  print_number("depth", r.start.depth), print_number("excess", r.excess), print_number("at", r.when);
  print_number("kinetic", r.kinetic), print_number("work", r.work), print_number("push", r.push);
  print_number("load_s", loaded), print_number("create_s", created), print_number("wall_s", now() - t0);
  print_text("error", text);
  printf("}\n");
  pl_data_destroy(data);
  pl_model_destroy(model);
  pl_spec_destroy(spec);
  return ran ? 0 : 1;
}

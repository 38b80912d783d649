// test_push_out.c: corrections of violations do the same in every frame of reference. A scene that moves as a
// whole, driven joints and limits included, moves as the same scene at rest, in as many iterations. What is
// slowed down is corrections alone: springs return what they have stored.
#include "../rigid/bodies.h"
#include "base/random.h"
#include "constraint/constraint.h"
#include "model/work.h"
#include "scenes.h"

static double spread(plRandom* r, double from, double to) { return exp(pl_random(r, log(from), log(to))); }
static plVec3 vector(plRandom* r, double size) {
  double z = pl_random(r, -size, size), y = pl_random(r, -size, size), x = pl_random(r, -size, size);
  return v3(x, y, z);
}

static void add_shape(plSpec* spec, const char* name, int body, bool box, plVec3 size) {
  plShapeDef def = pl_default_shape_def();
  plError error;
  def.name = name, def.body = body, def.kind = box ? PL_SHAPE_BOX : PL_SHAPE_SPHERE, def.size = size;
  def.radius = 0.4 * size.x;
  if (pl_spec_add_shape(spec, &def, NULL, &error)) check_errors++, printf("%s\n", error.message);
}

// A body on a slide along x that is driven at a speed.
static int add_carriage(plSpec* spec, const char* name, double mass, double speed) {
  static const double time[] = {0, 1000};
  const double value[] = {0, 1000 * speed};
  int body = add_body(spec, name, mass, v3(0, 0, 0), v3(0.01 * mass, 0.01 * mass, 0.01 * mass)), id = -1;
  plJointDef def = joint(name, PL_JOINT_PRISMATIC, -1, body, v3(0, 0, 0), v3(1, 0, 0));
  def.velocity[0] = speed;
  CHECK(!pl_spec_add_joint(spec, &def, &id, NULL));
  plConstraintDef drive = pl_default_constraint_def();
  drive.name = name, drive.kind = PL_CONSTRAINT_MOTION, drive.a = id;
  drive.ntime = 2, drive.time = time, drive.value = value;
  CHECK(!pl_spec_add_constraint(spec, &drive, NULL, NULL));
  return body;
}

// Links on hinges in a row, in each other and some beyond their limits; the last one.
static int add_links(plSpec* spec, plRandom* r, const char* name, int parent, int n, bool box) {
  for (int k = 0; k < n; k++) {
    char own[16];
    double mass = spread(r, 0.01, 5), size = pl_random(r, 0.1, 0.2), armature = spread(r, 1e-3, 1),
           lower = pl_random(r, -0.2, 0.5);
    plVec3 com = vector(r, 0.05), axis = vector(r, 1), at = vector(r, 0.1);
    snprintf(own, sizeof own, "%s%d", name, k);
    int link = add_body(spec, own, mass, com, v3(0.01 * mass, 0.01 * mass, 0.01 * mass));
    plJointDef def = joint(own, PL_JOINT_REVOLUTE, parent, link, at, axis);
    def.dof[0].armature = k % 2 ? 0 : armature;
    if (k % 3) def.dof[0].lower = lower, def.dof[0].upper = lower + 0.1;
    add_joint(spec, def);
    add_shape(spec, own, link, box, v3(size, 0.5 * size, 0.5 * size));
    parent = link;
  }
  return parent;
}

static int add_free(plSpec* spec, plRandom* r, const char* name, bool box, double speed) {
  plBodyDef def = pl_default_body_def();
  plError error;
  double size = pl_random(r, 0.05, 0.2), angle = pl_random(r, 0, 3);
  int id = -1;
  def.name = name, def.mass = spread(r, 0.01, 10), def.pose.p = vector(r, 0.1);
  def.pose.q = quat_from_axis_angle(vector(r, 1), angle), def.velocity.x = speed;
  for (int k = 0; k < 3; k++) def.inertia[k] = def.mass * size * size / 6;
  if (pl_spec_add_body(spec, &def, &id, &error)) check_errors++, printf("%s\n", error.message);
  add_shape(spec, name, id, box, v3(size, size, size));
  return id;
}

// A plate on a slide that an actuator presses towards the middle.
static void add_plate(plSpec* spec, plRandom* r, const char* name, int carriage, double at) {
  double mass = spread(r, 0.05, 1), force = spread(r, 0.3, 3);
  int body = add_body(spec, name, mass, v3(0, 0, 0), v3(0.01 * mass, 0.01 * mass, 0.01 * mass)), id = -1;
  plJointDef def = joint(name, PL_JOINT_PRISMATIC, carriage, body, v3(0, at, 0), v3(0, 1, 0));
  CHECK(!pl_spec_add_joint(spec, &def, &id, NULL));
  plActuatorDef act = pl_default_actuator_def();
  act.name = name, act.kind = PL_ACTUATOR_MOTOR, act.joint = id, act.has_input = true;
  act.input[0] = copysign(force, -at);
  CHECK(!pl_spec_add_actuator(spec, &act, NULL, NULL));
  add_shape(spec, name, body, true, v3(0.08, 0.01, 0.08));
}

static void add_soft(plSpec* spec, double size, double speed) {
  plMesh* mesh = box_mesh(v3(size, size, size), 2, 2, 2);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "soft", def.mesh = mesh, def.velocity.x = speed, def.material.young = 1e5;
  CHECK(!pl_spec_add_deformable(spec, &def, NULL, NULL));
  pl_mesh_destroy(mesh);
}

// Kinds of scenes: free bodies in each other; a tangle on a carriage; two of them with free bodies between
// them; links on a free body, in a loop that starts open; a soft block between plates on a carriage; free
// bodies in each other and in a floor without friction.
enum { FREE, TANGLE, TWO, LOOP, GRIP, FLOOR, KINDS };
static const char* const kind_name[] = {"free bodies", "tangles", "two tangles",
                                        "loops",       "grips",   "on a floor"};

static plData* member(int kind, uint64_t draw, double speed) {
  plRandom r = {draw};
  double dt = spread(&r, 1e-3, 0.01);
  plSpec* spec = new_spec("backward_euler", dt);
  plOptions* o = pl_spec_options(spec);
  o->gravity = v3(0, 0, 0), o->tolerance = 1e-10, o->contact_law = PL_LAW_CONE, o->threads = 1;
  bool box = kind != LOOP && draw % 2;
  int n = kind == LOOP ? 3 : 3 + (int)(draw / 2 % 4);
  double mass = spread(&r, 0.1, 10), size = pl_random(&r, 0.1, 0.12);
  int a = -1, b = -1;
  if (kind == LOOP) a = add_free(spec, &r, "a", box, speed);
  if (kind != FREE && kind != LOOP && kind != FLOOR) a = add_carriage(spec, "a", mass, speed);
  if (kind == TWO) mass = spread(&r, 0.1, 10), b = add_carriage(spec, "b", mass, speed);
  if (kind == GRIP) {
    double deep = pl_random(&r, 0, 0.01);
    add_plate(spec, &r, "left", a, -0.5 * size - 0.005 + deep);
    add_plate(spec, &r, "right", a, 0.5 * size + 0.005 - deep);
    add_soft(spec, size, speed);
  }
  int last = kind == FREE || kind == GRIP || kind == FLOOR ? -1 : add_links(spec, &r, "l", a, n, box);
  if (kind == TWO) add_links(spec, &r, "m", b, 3, !box);
  if (kind == FREE || kind == TWO || kind == FLOOR)
    for (int k = 0; k < (kind == TWO ? 2 : n); k++)
      add_free(spec, &r, (const char*[]){"f", "g", "h", "i", "j", "k"}[k], kind != FLOOR && k % 2, speed);
  if (kind == LOOP) {
    add_free(spec, &r, "f", box, speed);
    plConstraintDef tie = pl_default_constraint_def();
    tie.name = "tie", tie.kind = PL_CONSTRAINT_BALL, tie.a = last + 1, tie.b = last;
    tie.pose_a.p = vector(&r, 0.2), tie.pose_b.p = vector(&r, 0.1);
    CHECK(!pl_spec_add_constraint(spec, &tie, NULL, NULL));
  }
  if (kind == FLOOR) {
    plShapeDef floor = pl_default_shape_def();
    floor.name = "floor", floor.kind = PL_SHAPE_HALF_SPACE, floor.surface.friction = 0;
    floor.pose.p.z = -0.09;
    CHECK(!pl_spec_add_shape(spec, &floor, NULL, NULL));
    o->gravity = v3(0, 0, -9.81);
  }
  return start(spec);
}

// The largest difference of positions, relative to how far anything comes or could come at the default speed
// of corrections.
typedef struct Compared {
  double off;
  int iterations[2];
} Compared;

static Compared compare(int kind, uint64_t draw, double speed, int steps) {
  plData* data[2] = {member(kind, draw, 0), member(kind, draw, speed)};
  const plModel* model = data[0]->model;
  Compared c = {0};
  double *first = malloc((size_t)model->nq * sizeof *first), off = 0;
  for (int i = 0; i < model->nq; i++) first[i] = data[0]->q[i];
  for (int k = 0; k < steps; k++)
    for (int m = 0; m < 2; m++) step(data[m]), c.iterations[m] += data[m]->report.iterations;
  double moved = speed * data[1]->time, way = 0.1 * data[1]->time;
  for (int j = 0; j < model->njoint; j++) {
    bool is_free = model->joint_kind[j] == PL_JOINT_FREE;
    int q0 = model->joint_q0[j];
    for (int i = q0; i < q0 + (is_free ? 7 : 1); i++) {
      double rest = data[0]->q[i] + (i == q0 && (is_free || model->joint_parent[j] < 0) ? moved : 0);
      off = fmax(off, fabs(data[1]->q[i] - rest)), way = fmax(way, fabs(data[0]->q[i] - first[i]));
    }
  }
  for (int i = model->nq_rigid; i < model->nq; i++) {
    double rest = data[0]->q[i] + ((i - model->nq_rigid) % 3 ? 0 : moved);
    off = fmax(off, fabs(data[1]->q[i] - rest)), way = fmax(way, fabs(data[0]->q[i] - first[i]));
  }
  c.off = off / way;
  free(first);
  finish(data[0]), finish(data[1]);
  return c;
}

// Loops and floors have spheres: boxes that fly have more points ahead of them (docs/contact.md, The margin),
// which is no matter of corrections. Where rounding alone changes the motion (bodies meet other corners),
// nothing is compared: a speed of 1e-9 m/s tells.
static void push_out_is_the_same_in_every_frame(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    double worst = 0, all[2] = {0, 0};
    int chaotic = 0, n = CHECK_MEMBERS(16);
    for (int i = 0; i < n; i++) {
      plRandom r = {1000 + (uint64_t)i};
      double speed = i % 3 ? spread(&r, 0.05, 5) : 0.1;
      uint64_t draw = (uint64_t)(100 * kind + i);
      if (compare(kind, draw, 1e-9, 30).off > 1e-9) {
        chaotic++;
        continue;
      }
      Compared c = compare(kind, draw, speed, 30);
      worst = fmax(worst, c.off);
      for (int m = 0; m < 2; m++) all[m] += c.iterations[m];
    }
    printf(
        "  %s: off by at most %.2g of the way; %.0f iterations at rest, %.0f in motion; %d of %d chaotic\n",
        kind_name[kind], worst, all[0], all[1], chaotic, n);
    CHECK(4 * chaotic < n);
    CHECK_BELOW(worst, 1e-6, 1);
    CHECK(fabs(all[1] - all[0]) < 0.1 * all[0]);
  }
}

// A chain whose last link a weld holds: soft for lengths, and for angles as stiff as the step allows, as
// small links turn easily. A force pulls at the link.
static plData* pulled_chain(plRandom* r) {
  double dt = spread(r, 5e-4, 5e-3), size = spread(r, 0.03, 0.3), mass = spread(r, 1e-2, 1);
  plSpec* spec = new_spec("backward_euler", dt);
  int n = 2 + pl_random_int(r, 6), last = -1;
  pl_spec_options(spec)->gravity = v3(0, 0, 0);
  for (int k = 0; k < n; k++) {
    char name[16];
    double m = mass * spread(r, 0.1, 10), I = m * size * size / 60;
    plVec3 axis = vector(r, 1), at = vector(r, 2 * size);
    snprintf(name, sizeof name, "l%d", k);
    int link = add_body(spec, name, m, v3(0, 0, 0), v3(I, I, I));
    add_joint(spec, joint(name, k % 3 == 1 ? PL_JOINT_PRISMATIC : PL_JOINT_REVOLUTE, last, link, at, axis));
    last = link;
  }
  plConstraintDef weld = pl_default_constraint_def();
  weld.stiffness = mass * spread(r, 0.1, 3) / (dt * dt);
  weld.name = "weld", weld.kind = PL_CONSTRAINT_WELD, weld.a = last, weld.b = -1;
  weld.pose_b = pl_spec_body_pose(spec, last);
  double force = weld.stiffness * size * spread(r, 0.01, 0.3);
  CHECK(!pl_spec_add_constraint(spec, &weld, NULL, NULL));
  plData* data = start(spec);
  data->f_body[last].force = v3_scale(force, v3_unit(vector(r, 1)));
  return data;
}

// The force of the weld, less that of a spring at the end of the step, relative to the latter and the load;
// 0 if its lengths are as stiff as the step allows, too.
static double missed_by(const plData* data) {
  const plConstraintDef* weld = &data->model->constraint[0];
  const plReduced* r = data->work->reduced;
  double dt = data->par->options.dt, k = weld->stiffness;
  plRigidState b;
  plWrench w;
  for (int i = 0; i < r->n; i++)
    if (r->source[i].kind == PL_ROWS_PAIR && r->rows[i].row[3].R * dt * dt * k > 1 + 1e-9) return 0;
  CHECK(!pl_rigid_body_state(data, weld->a, &b));
  CHECK(!pl_constraint_force(data, 0, &w, NULL));
  plVec3 spring = v3_scale(k, v3_sub(b.pose.p, weld->pose_b.p));
  return v3_norm(v3_sub(w.force, spring)) / (v3_norm(spring) + v3_norm(data->f_body[weld->a].force));
}

// Whatever its angles ask for, the lengths of the weld keep the force of their spring.
static void springs_of_welds_are_no_corrections(void) {
  double worst = 0;
  int steps = 0;
  for (int i = 0; i < CHECK_MEMBERS(400); i++) {
    plRandom r = {500 + (uint64_t)i};
    plData* data = pulled_chain(&r);
    double most = 0;
    for (int j = 0; j < 30; j++) {
      step(data);
      if (data->report.parts > 1) break;
      double off = missed_by(data);
      most = fmax(most, off), steps += off > 0;
    }
    worst = fmax(worst, most);
    finish(data);
  }
  printf("  springs are off by %.2g in %d steps\n", worst, steps);
  CHECK_BELOW(worst, 0.024, 1);  // second order in the rotation of a step; slowed down: 0.32
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(springs_of_welds_are_no_corrections);
  RUN(push_out_is_the_same_in_every_frame);
  return CHECK_END;
}

// test_push_out.c: overlaps, limits and constraints that are violated at the start of a step are corrected
// slowly, and limits act before they are passed.
#include "bodies.h"
#include "model/work.h"

static unsigned long long seed = 1;
static double uniform(double from, double to) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}
static double spread(double from, double to) { return exp(uniform(log(from), log(to))); }
static plVec3 random_vector(double size) {
  double z = uniform(-size, size), y = uniform(-size, size), x = uniform(-size, size);
  return v3(x, y, z);
}
// Turned about any axis by up to `most` rad.
static plQuat random_turn(double most) {
  double angle = uniform(0, most);
  return quat_from_axis_angle(random_vector(1), angle);
}

static const double SPEED = 0.1, TURN = 1;  // m/s, rad/s: the defaults

static void add_shape(plSpec* spec, const char* name, int body, plShapeKind kind, plVec3 size,
                      double radius) {
  plShapeDef def = pl_default_shape_def();
  plError error;
  def.name = name, def.body = body, def.kind = kind, def.size = size, def.radius = radius;
  def.length = 2 * radius;
  if (pl_spec_add_shape(spec, &def, NULL, &error)) check_errors++, printf("%s\n", error.message);
}

static double kinetic(const plData* data) {
  plRigidTotals totals;
  pl_rigid_totals(data, &totals);
  return totals.kinetic_energy;
}

static int add_random_body(plSpec* spec, const char* name, double mass, plPose pose, double size) {
  plBodyDef def = pl_default_body_def();
  plError error;
  int id = -1;
  def.name = name, def.mass = mass, def.pose = pose;
  for (int k = 0; k < 3; k++) def.inertia[k] = mass * size * size / 6;
  if (pl_spec_add_body(spec, &def, &id, &error)) check_errors++, printf("%s\n", error.message);
  return id;
}

// A body of any shape that starts in the floor rises without a jump and ends on it.
static void what_starts_in_the_floor_rises_slowly(void) {
  static const plShapeKind kinds[] = {PL_SHAPE_BOX, PL_SHAPE_SPHERE, PL_SHAPE_CYLINDER};
  double worst = 0, hop = 0;
  for (int i = 0; i < 60; i++) {
    double dt = spread(1e-3, 0.02), size = uniform(0.05, 0.5), mass = spread(0.01, 1000),
           depth = uniform(0.05, 0.45) * size;
    plSpec* spec = new_spec("backward_euler", dt);
    plPose pose = pose_identity();
    pose.p.z = 0.5 * size - depth;
    add_random_body(spec, "body", mass, pose, size);
    add_shape(spec, "body", 0, kinds[i % 3], v3(size, size, size), 0.5 * size);
    add_shape(spec, "floor", -1, PL_SHAPE_HALF_SPACE, v3(1, 1, 1), 1);
    plData* data = start(spec);
    double allowed = 0.5 * mass * SPEED * SPEED;
    while (data->time < depth / SPEED + 0.5) {
      step(data);
      worst = fmax(worst, kinetic(data) / allowed);
      hop = fmax(hop, data->q[2] - 0.5 * size);
    }
    CHECK_NEAR(data->q[2], 0.5 * size, 4.8e-4 * size + 0.024 * dt);
    finish(data);
  }
  printf("  out of the floor: kinetic energy at most %.4f of m v^2 / 2, hops of %.2g mm\n", worst, 1e3 * hop);
  CHECK(worst < 1 + 1e-6);
  CHECK_BELOW(hop, 0.6e-3, 1);
}

// Two bodies at one position, without gravity: they part at no more than the speed, momentum stays.
static void bodies_that_overlap_part_slowly(void) {
  double worst = 0;
  for (int i = 0; i < 60; i++) {
    double dt = spread(1e-3, 0.02), size = uniform(0.05, 0.5);
    double mass[2];
    for (int k = 0; k < 2; k++) mass[k] = spread(0.01, 100);
    plSpec* spec = new_spec("backward_euler", dt);
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    pl_spec_options(spec)->contact_law = i % 4 == 3 ? PL_LAW_SIMILAR : PL_LAW_CONE;
    for (int k = 0; k < 2; k++) {
      plPose pose = {.p = random_vector(0.3 * size)};
      pose.q = random_turn(3);
      add_random_body(spec, k ? "b" : "a", mass[k], pose, size);
      add_shape(spec, k ? "b" : "a", k, i % 2 ? PL_SHAPE_BOX : PL_SHAPE_SPHERE, v3(size, size, size),
                0.5 * size);
    }
    plData* data = start(spec);
    double reduced = mass[0] * mass[1] / (mass[0] + mass[1]), most = 0;
    for (int k = 0; k < 200; k++) step(data), most = fmax(most, kinetic(data));
    // boxes turn as they part: corners move at the speed, in the worst case all of them in their own
    // direction
    worst = fmax(worst, most / (0.5 * reduced * SPEED * SPEED));
    finish(data);
  }
  printf("  apart: kinetic energy at most %.3f of that of the speed\n", worst);
  CHECK(worst > 0.1 && worst < 1.5);
}

// From a to b after 100 steps. Both move at that velocity too.
static plVec3 parted(unsigned long long draw, plVec3 together, bool box, plContactLaw law) {
  seed = draw;
  plSpec* spec = new_spec("backward_euler", spread(1e-3, 0.02));
  double size = uniform(0.05, 0.5);
  pl_spec_options(spec)->gravity = v3(0, 0, 0), pl_spec_options(spec)->contact_law = law;
  for (int k = 0; k < 2; k++) {
    plPose pose = {.p = random_vector(0.3 * size)};
    pose.q = random_turn(3);
    add_random_body(spec, k ? "b" : "a", spread(0.01, 100), pose, size);
    add_shape(spec, k ? "b" : "a", k, box ? PL_SHAPE_BOX : PL_SHAPE_SPHERE, v3(size, size, size), 0.5 * size);
  }
  plData* data = start(spec);
  for (int k = 0; k < 2; k++) v3_store(data->v + 6 * k, together);
  for (int k = 0; k < 100; k++) step(data);
  plVec3 way = v3_sub(v3_load(data->q + 7), v3_load(data->q));
  finish(data);
  return way;
}

// Bodies that start in each other part in the same way whether they rest or fly.
static void bodies_that_fly_part_as_at_rest(void) {
  double worst = 0;
  for (int i = 0; i < 40; i++) {
    unsigned long long draw = 1000 + (unsigned long long)i;
    plContactLaw law = i % 4 < 2 ? PL_LAW_CONE : PL_LAW_COULOMB;
    plVec3 rest = parted(draw, v3(0, 0, 0), i % 2, law);
    double speed = spread(0.1, 10);
    plVec3 together = v3_scale(speed, v3_unit(random_vector(1)));
    plVec3 fly = parted(draw, together, i % 2, law);
    worst = fmax(worst, v3_norm(v3_sub(fly, rest)) / v3_norm(rest));
  }
  printf("  parting in flight: off by at most %.2g of the distance\n", worst);
  CHECK_BELOW(worst, 1e-8, 1);  // wide: some pairs touch at other corners after rounding
}

// A joint that starts outside its limits comes back at no more than the speed, whatever dt and mass.
static void joints_come_back_slowly(void) {
  double worst = 0;
  for (int i = 0; i < 100; i++) {
    double dt = spread(1e-4, 0.02), mass = spread(0.01, 100), out = spread(0.01, 2);
    bool slider = i % 2;
    plSpec* spec = new_spec("backward_euler", dt);
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    int link = add_body(spec, "link", mass, v3(0.1, 0, 0), v3(0.01 * mass, 0.01 * mass, 0.01 * mass));
    plJointDef j =
        joint("joint", slider ? PL_JOINT_PRISMATIC : PL_JOINT_REVOLUTE, -1, link, v3(0, 0, 0), v3(0, 0, 1));
    j.dof[0].lower = -0.5, j.dof[0].upper = 0.5;
    j.position[0] = i % 4 < 2 ? 0.5 + out : -0.5 - out;
    add_joint(spec, j);
    plData* data = start(spec);
    double bound = slider ? SPEED : TURN, begin = fabs(data->q[0]);
    for (int k = 0; k < 100; k++) {
      step(data);
      worst = fmax(worst, fabs(data->v[0]) / bound);
    }
    CHECK(fabs(data->q[0]) < begin - 0.5 * fmin(out, 100 * dt * bound));
    finish(data);
  }
  printf("  limits: speed at most %.4f of the bound\n", worst);
  CHECK(worst <= 1);
}

// Constraints that do not hold at the start: the same.
static void constraints_close_slowly(void) {
  static const plConstraintKind kinds[] = {PL_CONSTRAINT_BALL, PL_CONSTRAINT_WELD, PL_CONSTRAINT_DISTANCE};
  double fast = 0, turn = 0, left = 0;
  for (int i = 0; i < 60; i++) {
    double dt = spread(5e-4, 0.02), mass = spread(0.01, 100);
    plSpec* spec = new_spec("backward_euler", dt);
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    plVec3 direction = v3_unit(random_vector(1));
    plPose pose = {v3_scale(uniform(0.05, 0.1), direction), {1, 0, 0, 0}};
    if (kinds[i % 3] == PL_CONSTRAINT_WELD) pose.q = random_turn(0.5);
    add_random_body(spec, "body", mass, pose, 0.1);
    plConstraintDef def = pl_default_constraint_def();
    def.name = "tie", def.kind = kinds[i % 3], def.a = -1, def.b = 0, def.length = 0.01;
    CHECK(!pl_spec_add_constraint(spec, &def, NULL, NULL));
    plData* data = start(spec);
    for (double t = 0; t < 1.5; t += dt) {
      step(data);
      // a weld is closed at the middle between its two points, which are up to 0.1 m apart
      double lever = def.kind == PL_CONSTRAINT_WELD ? 0.05 * v3_norm(v3_load(data->v + 3)) : 0;
      fast = fmax(fast, (v3_norm(v3_load(data->v)) - lever) / SPEED);
      turn = fmax(turn, v3_norm(v3_load(data->v + 3)) / TURN);
    }
    double length = def.kind == PL_CONSTRAINT_DISTANCE ? 0.01 : 0;
    left = fmax(left, fabs(v3_norm(v3_load(data->q)) - length));
    finish(data);
  }
  printf("  constraints: at most %.4f and %.4f of the bounds, %.2g m left\n", fast, turn, left);
  CHECK_BELOW(fast - 1, 1.5e-14, 1);
  CHECK_BELOW(turn - 1, 1.5e-14, 1);
  CHECK_BELOW(left, 9.2e-14, 1);
}

// How deep a load presses does not depend on the speed: a light plate between the floor and a heavy block.
static void loads_press_as_deep_as_before(void) {
  double fastest = 0;
  for (int i = 0; i < 10; i++) {
    double depth[2], ratio = spread(10, 500), dt = spread(2e-3, 5e-3);
    for (int k = 0; k < 2; k++) {
      plSpec* spec = new_spec("backward_euler", dt);
      if (k) pl_spec_options(spec)->push_out_speed = INFINITY;
      plPose low = {v3(0, 0, 0.05), {1, 0, 0, 0}}, high = {v3(0, 0, 0.15), {1, 0, 0, 0}};
      add_random_body(spec, "plate", 1, low, 0.1);
      add_random_body(spec, "block", ratio, high, 0.1);
      add_shape(spec, "plate", 0, PL_SHAPE_BOX, v3(0.1, 0.1, 0.1), 1);
      add_shape(spec, "block", 1, PL_SHAPE_BOX, v3(0.1, 0.1, 0.1), 1);
      add_shape(spec, "floor", -1, PL_SHAPE_HALF_SPACE, v3(1, 1, 1), 1);
      plData* data = start(spec);
      run_to(data, 600 * dt);
      depth[k] = 0.05 - data->q[2];
      finish(data);
    }
    fastest = fmax(fastest, 0.5 * depth[0] / dt);
    CHECK_NEAR(depth[0], depth[1], 1.1e-6 * depth[1] + 3.2e-13);
  }
  CHECK(fastest > 2 * SPEED);  // of the push that the deepest would have had
}

// A fast crank: a ball constraint between bodies that turn is violated again in every step, by more than the
// speed would take back. It must hold nevertheless.
static void a_fast_loop_stays_closed(void) {
  double open[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    plSpec* spec = new_spec("backward_euler", 2e-3);
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    if (k) pl_spec_options(spec)->push_out_speed = INFINITY;
    int crank = add_body(spec, "crank", 1, v3(0.1, 0, 0), v3(0.01, 0.01, 0.01)),
        rod = add_body(spec, "rod", 0.2, v3(0.2, 0, 0), v3(0.004, 0.004, 0.004)),
        block = add_body(spec, "block", 0.2, v3(0, 0, 0), v3(0.001, 0.001, 0.001));
    plJointDef hinge = joint("hinge", PL_JOINT_CONTINUOUS, -1, crank, v3(0, 0, 0), v3(0, 0, 1));
    hinge.velocity[0] = 60;
    add_joint(spec, hinge);
    add_joint(spec, joint("pin", PL_JOINT_CONTINUOUS, crank, rod, v3(0.2, 0, 0), v3(0, 0, 1)));
    add_joint(spec, joint("slide", PL_JOINT_PRISMATIC, -1, block, v3(0.6, 0, 0), v3(1, 0, 0)));
    plConstraintDef def = pl_default_constraint_def();
    def.name = "tie", def.kind = PL_CONSTRAINT_BALL, def.a = rod, def.b = block, def.pose_a.p.x = 0.4;
    CHECK(!pl_spec_add_constraint(spec, &def, NULL, NULL));
    plData* data = start(spec);
    for (int s = 0; s < 500; s++) {
      step(data);
      plRigidState state[2];
      pl_rigid_body_state(data, rod, &state[0]), pl_rigid_body_state(data, block, &state[1]);
      plVec3 tip = pose_apply(state[0].pose, v3(0.4, 0, 0));
      open[k] = fmax(open[k], v3_norm(v3_sub(tip, state[1].pose.p)));
    }
    finish(data);
  }
  printf("  loop open by at most %.3g mm, %.3g mm without a bound\n", 1e3 * open[0], 1e3 * open[1]);
  CHECK(open[0] < 1.2 * open[1]);
}

// ---- limits are seen before they are passed

// A slider at rest, close to its limit or far from it, is hit by a mass: the limit holds in the same step, up
// to its regularisation.
static void a_limit_holds_against_a_blow(void) {
  double worst = 0, passed = 0;
  for (int i = 0; i < 60; i++) {
    double dt = spread(1e-3, 0.02), mass = spread(0.5, 20), speed = uniform(0.5, 10),
           room = spread(1e-4, 0.05);
    plSpec* spec = new_spec("backward_euler", dt);
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    int slider = add_body(spec, "slider", 1, v3(0, 0, 0), v3(0.01, 0.01, 0.01));
    plJointDef j = joint("slide", PL_JOINT_PRISMATIC, -1, slider, v3(0, 0, 0), v3(1, 0, 0));
    j.dof[0].lower = -room, j.dof[0].upper = room;
    add_joint(spec, j);
    plPose pose = {v3(-0.2, 0, 0), {1, 0, 0, 0}};
    add_random_body(spec, "hammer", mass, pose, 0.1);
    add_shape(spec, "slider", slider, PL_SHAPE_BOX, v3(0.1, 0.1, 0.1), 1);
    add_shape(spec, "hammer", 1, PL_SHAPE_BOX, v3(0.1, 0.1, 0.1), 1);
    plData* data = start(spec);
    data->v[1] = speed;
    double out = 0;
    for (int k = 0; k < (int)(0.3 / (speed * dt)) + 20; k++) step(data), out = fmax(out, data->q[0] - room);
    // R of the limit and of the contact: beta^2 / (4 pi^2) w, and v = R times the hammer's momentum
    worst = fmax(worst, out / (dt * speed * (1 + mass) * 2.6e-4));
    passed = fmax(passed, out);
    finish(data);
  }
  printf("  blow: %.2g mm past the limit, at most %.3f of what its regularisation allows\n", 1e3 * passed,
         worst);
  CHECK(worst < 1.2);
}

// On the way to its limit nothing brakes a joint.
static void a_joint_flies_to_its_limit(void) {
  for (int i = 0; i < 40; i++) {
    double dt = spread(1e-3, 0.02), speed = uniform(2, 50), room = uniform(0.5, 3);
    plSpec* spec = new_spec("backward_euler", dt);
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    int link = add_body(spec, "link", 1, v3(0, 0, 0), v3(0.01, 0.01, 0.01));
    plJointDef j =
        joint("joint", i % 2 ? PL_JOINT_PRISMATIC : PL_JOINT_REVOLUTE, -1, link, v3(0, 0, 0), v3(0, 0, 1));
    j.dof[0].lower = -room, j.dof[0].upper = room, j.dof[0].friction = i % 4 < 2 ? 0 : 1e-9;
    j.velocity[0] = speed;
    add_joint(spec, j);
    plData* data = start(spec);
    for (int k = 0; (k + 1) * dt * speed < room; k++) {
      step(data);
      CHECK_NEAR(data->v[0], speed, 2.8e-14 * speed);
    }
    step(data), step(data);
    CHECK_NEAR(data->q[0], room, 7.5e-4 * speed * dt);
    finish(data);
  }
}

// A chain of hinges behind rotors whose links, all in each other and most beyond their limits, are to be
// taken apart in many ways at once: what they get is never more than one dof at its bound has.
static plData* new_tangle(int i, plContactLaw law, int* n) {
  plSpec* spec = new_spec("backward_euler", spread(1e-3, 0.01));
  pl_spec_options(spec)->gravity = v3(0, 0, 0), pl_spec_options(spec)->contact_law = law;
  *n = 3 + i % 5;
  for (int k = 0; k < *n; k++) {
    char name[16];
    double mass = spread(0.01, 5);
    snprintf(name, sizeof name, "l%d", k);
    int link = add_body(spec, name, mass, random_vector(0.05), v3(0.01 * mass, 0.01 * mass, 0.01 * mass));
    plVec3 axis = random_vector(1), at = random_vector(0.1);
    plJointDef j = joint(name, PL_JOINT_REVOLUTE, k - 1, link, at, axis);
    j.dof[0].armature = k % 2 ? 0 : spread(0.001, 1);
    if (k % 3) j.dof[0].lower = uniform(-0.2, 0.5), j.dof[0].upper = j.dof[0].lower + 0.1;
    add_joint(spec, j);
    add_shape(spec, name, link, i % 2 ? PL_SHAPE_BOX : PL_SHAPE_SPHERE, v3(0.2, 0.1, 0.1), 0.08);
  }
  add_shape(spec, "floor", -1, PL_SHAPE_HALF_SPACE, v3(1, 1, 1), 1);
  return start(spec);
}

static double energy_of_bound(const plData* data, int n) {
  double M[64], most = 0;
  pl_rigid_mass_matrix(data, M);
  for (int k = 0; k < n; k++) most = fmax(most, 0.5 * M[(n + 1) * k] * TURN * TURN);
  return most;
}

// The largest kinetic energy of many tangles, relative to that of one dof at its bound.
static double fastest_tangle(plContactLaw law) {
  double worst = 0;
  int moved = 0, all = CHECK_MEMBERS(60);
  for (int i = 0; i < all; i++) {
    int n;
    plData* data = new_tangle(i, law, &n);
    double bound = energy_of_bound(data, n), most = 0;
    for (int k = 0; k < 60; k++) {
      step(data);
      bound = fmax(bound, energy_of_bound(data, n)), most = fmax(most, kinetic(data) / bound);
    }
    worst = fmax(worst, most), moved += most > 0.01;
    finish(data);
  }
  printf("  tangles: kinetic energy at most %.3f of that of one dof at its bound; %d of %d moved\n", worst,
         moved, all);
  CHECK(2 * moved > all);
  return worst;
}

// Under Coulomb's friction too: the correction of creep, taken from impulses that contradict each other,
// would leave up to 300 times as much.
static void contradicting_ways_out_add_no_motion(void) {
  CHECK_BELOW(fastest_tangle(PL_LAW_CONE) - 1, 0.02, 1);     // wide: contacts that contradict each other
  CHECK_BELOW(fastest_tangle(PL_LAW_COULOMB) - 1, 0.02, 1);  // wide: the same
}

// The work of a drive on its joint, part by part of a step.
typedef struct Drive {
  double q, work, largest;
} Drive;

static void count_drive(const plData* data, void* user) {
  Drive* d = user;
  double effort = 0;
  CHECK(!pl_constraint_force(data, 0, NULL, &effort));
  d->work += effort * (data->q[0] - d->q), d->q = data->q[0];
  d->largest = fmax(d->largest, fabs(d->work));
}

// A slider is driven against the floor, which holds it, and back again, fast enough that the motion is
// guarded. The floor gives the drive no more than it took.
static void what_is_driven_into_the_floor_gets_nothing(void) {
  static const plShapeKind kinds[] = {PL_SHAPE_CAPSULE, PL_SHAPE_SPHERE, PL_SHAPE_BOX, PL_SHAPE_CYLINDER};
  double worst = 0;
  int guarded = 0;
  for (int i = 0; i < 60; i++) {
    double dt = spread(1e-3, 0.01), mass = spread(0.01, 10), size = uniform(0.02, 0.1),
           room = uniform(0, 0.02);
    plSpec* spec = new_spec("backward_euler", dt);
    pl_spec_options(spec)->contact_law = i % 2 ? PL_LAW_COULOMB : PL_LAW_CONE;
    int body = add_body(spec, "body", mass, v3(0, 0, 0), v3(0.01 * mass, 0.01 * mass, 0.01 * mass));
    plVec3 axis = v3_add(v3(0, 0, 1), random_vector(0.8));
    add_joint(spec, joint("slide", PL_JOINT_PRISMATIC, -1, body, v3(0, 0, 0.5 + 2 * size + room), axis));
    add_shape(spec, "body", body, kinds[i % 4], v3(2 * size, 2 * size, 4 * size), size);
    add_shape(spec, "floor", -1, PL_SHAPE_BOX, v3(2, 2, 1), 1);
    plConstraintDef def = pl_default_constraint_def();
    def.name = "drive", def.kind = PL_CONSTRAINT_MOTION, def.a = 0, def.amplitude = 2 * size + room;
    def.frequency = uniform(0.005, 0.03) / dt;
    CHECK(!pl_spec_add_constraint(spec, &def, NULL, NULL));
    plData* data = start(spec);
    Drive d = {.q = data->q[0]};
    data->work->part = count_drive, data->work->part_user = &d;
    plRigidTotals t;
    pl_rigid_totals(data, &t);
    double first = t.kinetic_energy + t.gravity_energy, most = 0;
    for (int k = 0; k < 80; k++) {
      step(data), guarded += data->report.guard_points > 0;
      pl_rigid_totals(data, &t);
      double rise = t.kinetic_energy + t.gravity_energy - first - d.work;
      most = fmax(most, rise / (d.largest + t.kinetic_energy));
    }
    worst = fmax(worst, most);
    finish(data);
  }
  printf("  driven into the floor: %.2g of the work, %d steps guarded\n", worst, guarded);
  CHECK(guarded > 100);
  CHECK_BELOW(worst, 1.5e-14, 1);  // all of it before, in half of the members
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(what_starts_in_the_floor_rises_slowly);
  RUN(bodies_that_overlap_part_slowly);
  RUN(joints_come_back_slowly);
  RUN(constraints_close_slowly);
  RUN(loads_press_as_deep_as_before);
  RUN(a_fast_loop_stays_closed);
  RUN(a_limit_holds_against_a_blow);
  RUN(a_joint_flies_to_its_limit);
  RUN(contradicting_ways_out_add_no_motion);
  RUN(what_is_driven_into_the_floor_gets_nothing);
  RUN(bodies_that_fly_part_as_at_rest);
  return CHECK_END;
}

// test_broad.c: bodies that rigid welds hold do not touch each other: they cannot move relative to each
// other, and friction of surfaces that move would wedge them with forces that only the weld bounds.
#include "base/random.h"
#include "world.h"

static double spread(plRandom* r, double a, double b) { return a * exp(pl_random(r, 0, 1) * log(b / a)); }

static plVec3 any(plRandom* r, double most) {
  double x = pl_random(r, -most, most), y = pl_random(r, -most, most), z = pl_random(r, -most, most);
  return v3(x, y, z);
}

// A shape of which the x axis leaves the surface at a.
static plShapeDef any_shape(plRandom* r, double a) {
  static const plShapeKind kinds[] = {PL_SHAPE_SPHERE, PL_SHAPE_CYLINDER, PL_SHAPE_BOX, PL_SHAPE_CAPSULE,
                                      PL_SHAPE_ELLIPSOID};
  plShapeDef g = pl_default_shape_def();
  g.kind = kinds[pl_random_int(r, 5)];
  g.radius = a;
  g.length = a * pl_random(r, 0.7, 2);
  g.size.x = 2 * a;
  g.size.y = a * pl_random(r, 1.4, 3);
  g.size.z = a * pl_random(r, 1.4, 3);
  g.surface.friction = spread(r, 0.2, 5);
  double speed = spread(r, 0.1, 10);
  g.surface.surface_velocity = any(r, speed);
  return g;
}

static void weld(World* w, plRandom* r, int a, int b, plVec3 from, plVec3 to, double stiffness) {
  char name[32];
  snprintf(name, sizeof name, "weld%d_%d", a, b);
  plConstraintDef def = pl_default_constraint_def();
  plVec3 at = v3_add(from, v3_scale(pl_random(r, 0, 1), v3_sub(to, from)));
  def.name = name, def.kind = PL_CONSTRAINT_WELD, def.a = a, def.b = b, def.stiffness = stiffness;
  def.pose_a.p = v3_sub(at, a < 0 ? v3(0, 0, 0) : from), def.pose_b.p = v3_sub(at, to);
  CHECK_INT(pl_spec_add_constraint(w->spec, &def, NULL, &w->error), PL_OK);
}

// Two to four bodies in a row along x. Each touches the next, with a gap or an overlap of at most a
// thousandth of its size, and has a surface that moves. Welds hold each to the next, or all to the first. The
// first is free, a shape of the world, or a body that another weld holds there.
static World welded_row(plRandom* r, int k, double stiffness) {
  static const plContactLaw laws[] = {PL_LAW_CONE, PL_LAW_COULOMB, PL_LAW_SIMILAR};
  World w = begin(v3(0, 0, 0), spread(r, 2e-4, 0.01));
  pl_spec_options(w.spec)->contact_law = laws[k % 3];
  int n = 2 + k / 3 % 3, first = k / 9 % 3, id[4];
  double L = spread(r, 0.005, 0.5), m = spread(r, 1e-3, 100), half[4];
  plPose pose[4] = {{{0, 0, 0}, {1, 0, 0, 0}}};
  for (int i = 0; i < n; i++) {
    char name[32];
    snprintf(name, sizeof name, "b%d", i);
    half[i] = L * pl_random(r, 0.3, 1), pose[i] = pose[0];
    plShapeDef g = any_shape(r, half[i]);
    if (i) pose[i].p.x = pose[i - 1].p.x + half[i - 1] + half[i] * (1 + 1e-3 * pl_random(r, -1, 1));
    double mass = m * spread(r, 0.1, 10);
    if (i == 0 && first == 1) {
      g.name = name, id[0] = -1;
      CHECK_INT(pl_spec_add_shape(w.spec, &g, NULL, &w.error), PL_OK);
      continue;
    }
    id[i] = add_body(&w, name, g, pose[i], any(r, 3), mass, 0.4 * mass * half[i] * half[i]);
    if (i == 0 && first == 2) weld(&w, r, -1, 0, v3(0, 0, 0), v3(0, 0, 0), stiffness);
    int to = k / 27 % 2 ? 0 : i - 1;
    if (i) weld(&w, r, id[to], id[i], pose[to].p, pose[i].p, stiffness);
  }
  build(&w);
  return w;
}

static double kinetic(const World* w) {
  plRigidTotals t;
  pl_rigid_totals(w->data, &t);
  return t.kinetic_energy;
}

// Surfaces that move do no work on what rigid welds hold: energy only falls.
static void moving_surfaces_give_no_energy_to_what_welds_hold(void) {
  plRandom r = {61};
  double worst[3] = {0};
  for (int k = 0; k < CHECK_MEMBERS(324); k++) {
    World w = welded_row(&r, k, INFINITY);
    double start = kinetic(&w), most = 0;
    for (int i = 0; i < 60 && !w.data->report.status; i++) run(&w, 1), most = fmax(most, kinetic(&w));
    worst[k % 3] = fmax(worst[k % 3], most / start);
    end(&w);
  }
  for (int i = 0; i < 3; i++) CHECK_BELOW(worst[i], 1, 1);
}

// Two cubes side by side, pushed together. Welds hold both to a third body, or to the world. Returns the
// force between them (N) while the second weld is on, off and on again.
static void pressed_together(bool world, double stiffness, double force[3]) {
  plRandom r = {62};
  World w = begin(v3(0, 0, 0), 0.01);
  plShapeDef cube = pl_default_shape_def();
  cube.kind = PL_SHAPE_BOX, cube.size = v3(0.1, 0.1, 0.1);
  for (int i = 0; i < 3; i++) {
    const char* const name[] = {"left", "right", "third"};
    add_body(&w, name[i], cube, pose_at(0.1 * i * i, 0, 0), v3(0, 0, 0), 1, 2e-3);
  }
  for (int i = 0; i < 2; i++) {
    plVec3 to = v3(0.1 * i, 0, 0);
    weld(&w, &r, world ? -1 : 2, i, world ? v3(0, 0, 0) : v3(0.4, 0, 0), to, stiffness);
  }
  build(&w);
  for (int i = 0; i < 3; i++) {
    plContactPair pair;
    CHECK_INT(pl_switch_set(w.data, PL_SWITCH_CONSTRAINT, 1, i != 1, &w.error), PL_OK);
    w.data->f_body[0].force.x = 30, w.data->f_body[1].force.x = -30;
    run(&w, 3);
    pl_contact_pair(w.data, (plSide){PL_SIDE_SHAPE, 0}, (plSide){PL_SIDE_SHAPE, 1}, &pair);
    force[i] = pair.normal_force;
  }
  end(&w);
}

// Bodies that welds hold to a third one do not touch while both welds are on. A weld with a stiffness lets
// its bodies move, and contact takes what presses them together.
static void only_rigid_welds_that_are_on_keep_bodies_apart(void) {
  for (int world = 0; world < 2; world++) {
    double rigid[3], soft[3];
    pressed_together(world, INFINITY, rigid);
    CHECK(rigid[0] == 0 && rigid[2] == 0);
    CHECK(rigid[1] > 29 && rigid[1] < 31);
    pressed_together(world, 1e3, soft);
    CHECK(soft[0] > 29 && soft[0] < 31 && soft[2] > 29 && soft[2] < 31);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(moving_surfaces_give_no_energy_to_what_welds_hold);
  RUN(only_rigid_welds_that_are_on_keep_bodies_apart);
  return CHECK_END;
}

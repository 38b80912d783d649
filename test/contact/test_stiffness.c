// Rigid shapes with a finite contact_stiffness k: each pair carries its load at the depth that the docs give.
//   flat W = k A d,   line W = 4/3 k L d sqrt(2 R d),   point W = pi k R d^2
#include "base/random.h"
#include "math/pose.h"
#include "pliant/dynamics.h"
#include "world.h"

static double log_random(plRandom* r, double a, double b) { return exp(pl_random(r, log(a), log(b))); }

// What one side of a pair turns to the other, its size r given: lying ones along x, or along y if turned.
typedef enum Side { BALL, EGG, ROD, PILL, DISC, STANDING_PILL, CUBE, HULL, MESH, PLANE, NSIDE } Side;

typedef struct Part {
  plShapeDef def;
  plMesh* mesh;
  double top;            // m, height of the side above the middle
  double along, across;  // 1/m, curvatures along x and y
  double length, area;   // m, of a line or the width of a face; m^2, of a face
} Part;

// A closed cube of 12 triangles, its sides 2 r.
static plMesh* cube(double r) {
  static const int quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  plMesh* m = pl_mesh_create(8, 0, 12, NULL);
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) m->vert[3 * i + k] = (i >> k & 1 ? 1 : -1) * r;
  for (int f = 0; f < 6; f++)
    for (int k = 0; k < 3; k++)
      m->tri[6 * f + k] = quad[f][k], m->tri[6 * f + 3 + k] = quad[f][k ? k + 1 : 0];
  return m;
}

static Part make_side(Side side, double r, bool turned) {
  Part p = {.def = pl_default_shape_def(), .top = r};
  plQuat lying =
      turned ? quat_from_axis_angle(v3(1, 0, 0), M_PI / 2) : quat_from_axis_angle(v3(0, 1, 0), M_PI / 2);
  p.def.radius = r, p.def.length = 4 * r, p.def.size = v3(2 * r, 2 * r, 2 * r);
  switch (side) {
    case BALL:
      p.def.kind = PL_SHAPE_SPHERE, p.along = p.across = 1 / r;
      break;
    case EGG:  // curvatures c/a^2 on top
      p.def.kind = PL_SHAPE_ELLIPSOID, p.def.size = v3(4 * r, 3 * r, 2 * r);
      p.along = r / (4 * r * r), p.across = r / (2.25 * r * r);
      break;
    case ROD:
    case PILL:
      p.def.kind = side == ROD ? PL_SHAPE_CYLINDER : PL_SHAPE_CAPSULE, p.def.pose.q = lying, p.length = 4 * r;
      p.along = turned ? 1 / r : 0, p.across = turned ? 0 : 1 / r;
      break;
    case DISC:
      p.def.kind = PL_SHAPE_CYLINDER, p.top = 2 * r, p.area = M_PI * r * r, p.length = 2 * r;
      break;
    case STANDING_PILL:
      p.def.kind = PL_SHAPE_CAPSULE, p.along = p.across = 1 / r, p.top = 3 * r;
      break;
    case CUBE:
      p.def.kind = PL_SHAPE_BOX, p.area = 4 * r * r, p.length = 2 * r;
      break;
    case PLANE:
      p.def.kind = PL_SHAPE_HALF_SPACE, p.top = 0, p.area = INFINITY, p.length = INFINITY;
      break;
    default:
      p.def.kind = PL_SHAPE_MESH, p.def.mesh = p.mesh = cube(r), p.def.convex = side == HULL,
      p.area = 4 * r * r, p.length = 2 * r;
  }
  return p;
}

// The load at depth d by the law of the docs, and the radius (of a flat side: its size).
static double load(const Part* a, const Part* b, double k, double d, double* R) {
  double x = a->along + b->along, y = a->across + b->across;
  if (x > 0 && y > 0) return *R = 1 / sqrt(x * y), M_PI * k * *R * d * d;
  // a line ends where the face under it does
  double L = fmin(a->length, b->length);
  if (x + y > 0) return *R = 1 / (x + y), 4.0 / 3 * k * L * d * sqrt(2 * *R * d);
  double A = fmin(a->area, b->area);
  return *R = sqrt(A), k * A * d;
}

// A body that can only move up and down, its side turned downwards upon a fixed one.
static World on_a_rail(Part* upper, Part* lower, double k, double mass, double gravity, double dt, double tau,
                       double height, double speed, bool driven) {
  World w = begin((plVec3){0, 0, -gravity}, dt);
  plBodyDef body = pl_default_body_def();
  plJointDef rail = pl_default_joint_def();
  body.name = "load", body.mass = mass, body.inertia[0] = body.inertia[1] = body.inertia[2] = mass;
  body.pose.p.z = upper->top + lower->top + height;
  rail.name = "rail", rail.kind = PL_JOINT_PRISMATIC, rail.child = 0, rail.axis = (plVec3){0, 0, 1};
  rail.pose = body.pose;
  upper->def.name = "upper", upper->def.body = 0, lower->def.name = "lower";
  // faces need not lie in the middle of each other
  if (upper->area > 0 && lower->area > 4 * upper->area && isfinite(lower->area))
    lower->def.pose.p = v3(0.31 * upper->length, 0.17 * upper->length, 0);
  upper->def.surface.contact_stiffness = lower->def.surface.contact_stiffness = 2 * k;  // in series: k
  upper->def.surface.relaxation_time = lower->def.surface.relaxation_time = tau;
  rail.velocity[0] = -speed;
  CHECK(!pl_spec_add_body(w.spec, &body, NULL, &w.error) &&
        !pl_spec_add_joint(w.spec, &rail, NULL, &w.error) &&
        !pl_spec_add_shape(w.spec, &upper->def, NULL, &w.error) &&
        !pl_spec_add_shape(w.spec, &lower->def, NULL, &w.error));
  const double time[2] = {0, 1000 * dt}, way[2] = {0, -1000 * dt * speed};
  plConstraintDef drive = pl_default_constraint_def();
  drive.name = "drive", drive.kind = PL_CONSTRAINT_MOTION, drive.a = 0;
  drive.ntime = 2, drive.time = time, drive.value = way;
  if (driven) CHECK_INT(pl_spec_add_constraint(w.spec, &drive, NULL, &w.error), PL_OK);
  build(&w);
  return w;
}

// The depth at which it rests.
static double rest_on(Part* upper, Part* lower, double k, double mass, double gravity, double dt,
                      plStatus* status) {
  World w = on_a_rail(upper, lower, k, mass, gravity, dt, 0.02, 0, 0, false);
  *status = PL_OK;
  for (int i = 0; i < 2000 && !*status; i++) {
    *status = pl_step(w.data, &w.error);
    if (i > 100 && fabs(w.data->v[0]) < 1e-10) break;
  }
  double depth = -w.data->q[0];
  end(&w);
  return depth;
}

// How deep it gets if it is thrown.
static double thrown_on(Part* upper, Part* lower, double k, double mass, double speed, double dt) {
  const double height = 0.5 * dt * speed;
  World w = on_a_rail(upper, lower, k, mass, 0, dt, 0, height, speed, false);
  double deepest = 0;
  for (int i = 0; i < 1000 && !(w.data->v[0] > 0); i++) {
    run(&w, 1);
    deepest = fmax(deepest, -w.data->q[0] - height);
  }
  end(&w);
  return deepest;
}

// Every pair of kinds, random sizes, stiffnesses and loads: the depth is that of the law to 10 %.
static void every_pair_carries_by_its_law(void) {
  plRandom random = {7};
  double worst = 0;
  for (int k = 0; k < NSIDE * NSIDE; k++) {
    Side a = (Side)(k % NSIDE), b = (Side)(k / NSIDE % NSIDE);
    if (a == PLANE || (a == MESH && b == MESH)) continue;
    double r = log_random(&random, 0.01, 0.1);
    Part upper = make_side(a, r, pl_random_int(&random, 2)),
         lower = make_side(b, (b == CUBE || b == HULL || b == MESH ? 5 : 1.3) * r, pl_random_int(&random, 2));
    double stiffness = log_random(&random, 1e6, 1e10), R, W = load(&upper, &lower, stiffness, 1, &R);
    double d = log_random(&random, 1e-3, 0.1) * fmin(R, r);
    W = load(&upper, &lower, stiffness, d, &R);
    plStatus status;
    double depth = rest_on(&upper, &lower, stiffness, W / 9.81, 9.81, 1e-3, &status),
           ratio = load(&upper, &lower, stiffness, depth, &R) / W;
    worst = fmax(worst, fabs(ratio - 1));
    CHECK(!status && depth > 0);
    CHECK_BELOW(fabs(ratio - 1), 0.1, 1);
    if (status || !(fabs(ratio - 1) < 0.1))
      printf("%d: side %d on side %d, r %.3g, k %.2g, %.2g N: %.3g m deep, %.3g expected, load %.3g\n", k, a,
             b, r, stiffness, W, depth, d, ratio);
    pl_mesh_destroy(upper.mesh), pl_mesh_destroy(lower.mesh);
  }
  printf("loads of all pairs are those of the law to %.1f %%\n", 100 * worst);
}

// Free bodies of 1 kg lie still on flat shapes, at the default step and relaxation, for any k.
static void free_bodies_lie_still(void) {
  const Side base[4] = {CUBE, HULL, MESH, PLANE};
  for (int n = 0; n < PLANE * 4 * 5; n++) {
    Side a = (Side)(n % PLANE), b = base[n / PLANE % 4];
    double r = 0.05, k = pow(10, 6 + n / (4 * PLANE));
    if (a == STANDING_PILL || (a == MESH && (b == MESH || b == HULL)) || (a == HULL && b == MESH)) continue;
    World w = begin((plVec3){0, 0, -9.81}, 0.01);
    Part upper = make_side(a, r, false), lower = make_side(b, 5 * r, false);
    upper.def.surface.contact_stiffness = lower.def.surface.contact_stiffness = k;
    lower.def.name = "base";
    CHECK_INT(pl_spec_add_shape(w.spec, &lower.def, NULL, &w.error), PL_OK);
    int id =
        add_body(&w, "body", upper.def, pose_at(0.013, 0.007, lower.top + upper.top), v3(0, 0, 0), 1, 1e-3);
    build(&w);
    run(&w, 150);
    plRigidState s;
    pl_rigid_body_state(w.data, id, &s);
    double depth = lower.top + upper.top - s.com.z;
    // a smooth body rocks a little on the facets of a mesh, with any stiffness
    double speed = b == MESH ? 0.02 : 1e-3;
    bool still = depth > -1e-4 && depth < 0.6 * r && v3_norm(s.com_velocity) < speed;
    CHECK(still);
    if (!still)
      printf("side %d on side %d, k %.0e: %.3g m deep, %.3g m/s\n", a, b, k, depth, v3_norm(s.com_velocity));
    end(&w), pl_mesh_destroy(upper.mesh), pl_mesh_destroy(lower.mesh);
  }
}

// Corners and edges have no radius: they count as flat, with the documented floors r^2 and r L.
static void corners_and_edges_have_a_floor(void) {
  for (int edge = 0; edge < 2; edge++)
    for (int k = 0; k < 4; k++) {
      const double r = 0.05, stiffness = pow(10, 6 + k);
      Part upper = make_side(CUBE, r, false), lower = make_side(BALL, 4 * r, false);
      // a cube on its edge or its corner, upon the top of a ball: no face is near
      plVec3 axis = edge ? v3(1, 0, 0) : v3_unit(v3(1, -1, 0));
      upper.def.pose.q = quat_from_axis_angle(axis, edge ? M_PI / 4 : atan(sqrt(2)));
      upper.top = (edge ? sqrt(2) : sqrt(3)) * r;
      plStatus status;
      double depth = rest_on(&upper, &lower, stiffness, 1, 9.81, 1e-3, &status), area = r * r;
      CHECK(!status);
      CHECK_NEAR(stiffness * area * depth, 9.81, 2.9e-5);
    }
}

// Five balls in a row, the first thrown at the others: nearly all of its speed leaves with the last one.
static void cradle(void) {
  World w = begin((plVec3){0, 0, 0}, 2e-5);
  const double r = 0.05, mass = 1, speed = 1;
  int id[5];
  for (int i = 0; i < 5; i++) {
    char name[24];
    snprintf(name, sizeof name, "ball%d", i);
    plShapeDef ball = pl_default_shape_def();
    ball.kind = PL_SHAPE_SPHERE, ball.radius = r;
    ball.surface.contact_stiffness = 1e9, ball.surface.relaxation_time = 0, ball.surface.friction = 0;
    id[i] = add_body(&w, name, ball, pose_at(2 * r * i - (i ? 0 : 1e-3), 0, 0), v3(i ? 0 : speed, 0, 0), mass,
                     1e-3);
  }
  build(&w);
  run(&w, 2500);
  for (int i = 0; i < 5; i++) {
    plRigidState s;
    pl_rigid_body_state(w.data, id[i], &s);
    if (i == 4)
      CHECK_BELOW(speed - s.velocity.x, 0.084, speed);
    else
      CHECK_BELOW(fabs(s.velocity.x), 0.1, speed);
  }
  end(&w);
}

// Balls and lying rods thrown at a floor: the law stops them where its work is their energy, pi k R d^3 / 3
// or 8/15 k L sqrt(2 R) d^(5/2), or earlier if the step is longer than the impact. What the near-rigid term
// adds is allowed: near_rigid^2 / 4 pi^2 of the way in the step, four times: the ends of a rod are that much
// easier to move than its middle.
static void a_thrown_body_is_stopped_by_the_law(void) {
  plRandom r = {37};
  double worst = 0;
  for (int trial = 0; trial < CHECK_MEMBERS(300); trial++) {
    double R = log_random(&r, 0.003, 0.1), k = log_random(&r, 1e6, 1e10), dt = log_random(&r, 1e-3, 0.02),
           near = log_random(&r, 0.05, 1), speed = log_random(&r, 1, 30), mass = log_random(&r, 0.01, 10);
    Part p = make_side(trial % 2 ? ROD : BALL, R, false);
    World w = begin(v3(0, 0, 0), dt);
    pl_spec_options(w.spec)->near_rigid = near;
    plSurface floor = pl_default_surface();
    floor.contact_stiffness = k, floor.relaxation_time = 0;
    add_shape(&w, "floor", PL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, 0), floor);
    p.def.surface.relaxation_time = 0;
    double above = R + pl_random(&r, 0, 1) * speed * dt, lowest = 0;
    add_body(&w, "body", p.def, pose_at(0, 0, above), v3(0, 0, -speed), mass,
             (trial % 2 ? 1.4 : 0.4) * mass * R * R);
    build(&w);
    for (int i = 0; i < 20; i++) {
      run(&w, 1);
      lowest = fmin(lowest, w.data->q[2] - R);
    }
    double energy = 0.5 * mass * speed * speed,
           law = trial % 2 ? pow(energy * 15 / 8 / (k * p.length * sqrt(2 * R)), 0.4)
                           : cbrt(3 * energy / (M_PI * k * R));
    double ratio = -lowest / (law + 4 * near * near / (4 * M_PI * M_PI) * speed * dt);
    worst = fmax(worst, ratio);
    end(&w);
  }
  printf("  deepest: %.3f of what the law and the near-rigid term allow\n", worst);
  CHECK_BELOW(worst, 1, 1);
}

// The work of the law down to depth d; a body of that energy turns back there.
static double work_of_law(const Part* a, const Part* b, double k, double d) {
  double R, x = a->along + b->along, y = a->across + b->across, W = load(a, b, k, d, &R);
  return W * d * (x > 0 && y > 0 ? 1.0 / 3 : x + y > 0 ? 0.4 : 0.5);
}

// Every pair of kinds, thrown along a rail: it turns back where the work of the law is its energy, far beyond
// the depths at which near-rigid bodies are stopped by the guard. Steps resolve the impact; backward Euler
// takes some of the speed.
static void every_pair_turns_back_by_its_law(void) {
  plRandom random = {39};
  double least = 1, most = 0;
  for (int n = 0; n < CHECK_MEMBERS(2 * NSIDE * NSIDE); n++) {
    int pair = 37 * n % (NSIDE * NSIDE);
    Side a = (Side)(pair % NSIDE), b = (Side)(pair / NSIDE);
    if (a == PLANE || (a == MESH && b == MESH)) continue;
    double r = log_random(&random, 0.01, 0.1), speed = log_random(&random, 0.1, 10),
           mass = log_random(&random, 0.01, 10), R;
    Part upper = make_side(a, r, pl_random_int(&random, 2)),
         lower = make_side(b, (b == CUBE || b == HULL || b == MESH ? 5 : 1.3) * r, pl_random_int(&random, 2));
    (void)load(&upper, &lower, 1, 1, &R);
    double d = log_random(&random, 0.02, 0.4) * fmin(R, r),
           k = 0.5 * mass * speed * speed / work_of_law(&upper, &lower, 1, d),
           dt = 3 * d / speed / pl_random(&random, 60, 120);
    double depth = thrown_on(&upper, &lower, k, mass, speed, dt);
    least = fmin(least, depth / d), most = fmax(most, depth / d);
    CHECK(depth > 0.8 * d && depth < 1.1 * d);
    if (!(depth > 0.8 * d && depth < 1.1 * d))
      printf("%d: side %d on side %d, r %.3g: %.3g m deep, %.3g expected\n", n, a, b, r, depth, d);
    pl_mesh_destroy(upper.mesh), pl_mesh_destroy(lower.mesh);
  }
  printf("  depths are %.3f to %.3f of the law's\n", least, most);
}

// A drive presses one body into another, fast or slowly: the law is all that resists, down to the middle of
// the thinner one, and beyond that the body comes through. The guard stops nothing that the stiffness lets
// in.
static void what_is_driven_in_meets_the_law_alone(void) {
  plRandom random = {40};
  double worst = 0;
  for (int n = 0; n < CHECK_MEMBERS(NSIDE * NSIDE); n++) {
    int pair = 37 * n % (NSIDE * NSIDE);
    Side a = (Side)(pair % NSIDE), b = (Side)(pair / NSIDE);
    if (a == PLANE || (a == MESH && b == MESH)) continue;
    double r = log_random(&random, 0.01, 0.1), k = log_random(&random, 1e6, 1e10),
           dt = log_random(&random, 1e-4, 1e-2), R, W;
    Part upper = make_side(a, r, pl_random_int(&random, 2)),
         lower = make_side(b, (b == CUBE || b == HULL || b == MESH ? 5 : 1.3) * r, pl_random_int(&random, 2));
    W = load(&upper, &lower, k, 0.3 * r, &R);
    // a step resolves the stiffness at the depth r
    double mass = W / (0.3 * r) * dt * dt * pl_random(&random, 2, 20),
           speed = log_random(&random, 0.01, 0.4) * r / dt;
    World w = on_a_rail(&upper, &lower, k, mass, 0, dt, 0, 0, speed, true);
    for (int i = 0; i < 2000 && w.data->q[0] > -1.5 * r; i++) {
      plStatus status = pl_step(w.data, &w.error);
      if (status) {
        printf("%d: side %d on side %d, %.3g r deep: %s\n", n, a, b, -w.data->q[0] / r, w.error.message);
        CHECK(!status);
        break;
      }
      double effort, depth = -w.data->q[0];
      pl_constraint_force(w.data, 0, NULL, &effort);
      if (depth < 0.05 * R || depth > 0.3 * fmin(R, r)) continue;
      double ratio = -effort / load(&upper, &lower, k, depth, &R);
      worst = fmax(worst, fabs(ratio - 1));
    }
    end(&w), pl_mesh_destroy(upper.mesh), pl_mesh_destroy(lower.mesh);
  }
  printf("  forces are those of the law to %.1f %%\n", 100 * worst);
  CHECK_BELOW(worst, 0.1, 1);
}

// The same for a light body that sinks slowly to the floor under a heavy one that comes down fast: it moves
// because it is pushed, which its own velocity does not show. The law stops both where its work is
// their energy. The guard allows a tenth of the smaller half thickness in a step, and near-rigid members use
// it in up to three steps.
static void a_pushed_body_is_stopped_by_the_law(void) {
  plRandom r = {38};
  double worst = 0;
  for (int trial = 0; trial < CHECK_MEMBERS(200); trial++) {
    double R = log_random(&r, 0.003, 0.05), dt = log_random(&r, 1e-3, 0.02), mass = log_random(&r, 1e-3, 0.1),
           speed = log_random(&r, 0.5, 5) * R / dt, heavy = mass * log_random(&r, 3, 300),
           k = log_random(&r, 1e3, 1e6) * mass / (dt * dt * R * R);
    Part p = make_side(trial % 2 ? ROD : BALL, R, false);
    World w = begin(v3(0, 0, 0), dt);
    if (trial % 4 > 1) pl_spec_options(w.spec)->contact_law = PL_LAW_SIMILAR;
    plSurface floor = pl_default_surface();
    floor.contact_stiffness = k, floor.relaxation_time = 0;
    if (trial % 3)
      add_shape(&w, "floor", PL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, 0), floor);
    else
      add_shape(&w, "floor", PL_SHAPE_BOX, v3(30 * R, 30 * R, 20 * R), v3(0, 0, -10 * R), floor);
    p.def.surface.relaxation_time = 0;
    double gap = pl_random(&r, 0, 0.3) * speed * dt, above = R + gap, lowest = 0;
    plShapeDef hammer = pl_default_shape_def();
    hammer.kind = PL_SHAPE_BOX, hammer.size = v3(8 * R, 8 * R, 8 * R);
    add_body(&w, "body", p.def, pose_at(0, 0, above), v3(0, 0, -pl_random(&r, 0.5, 1.5) * gap / dt), mass,
             (trial % 2 ? 1.4 : 0.4) * mass * R * R);
    add_body(&w, "hammer", hammer, pose_at(0, 0, above + 5 * R + pl_random(&r, 0.01, 0.9) * speed * dt),
             v3(0, 0, -speed), heavy, 8 * heavy * R * R);
    build(&w);
    for (int i = 0; i < 8; i++) {
      run(&w, 1);
      lowest = fmin(lowest, w.data->q[2] - R);
    }
    double energy = 0.5 * heavy * speed * speed,
           law = trial % 2 ? pow(energy * 15 / 8 / (k * p.length * sqrt(2 * R)), 0.4)
                           : cbrt(3 * energy / (M_PI * k * R));
    worst = fmax(worst, -lowest / (law + 0.3 * R));
    end(&w);
  }
  printf("  deepest: %.3f of what the law and the guard allow\n", worst);
  CHECK_BELOW(worst, 1, 1);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(every_pair_carries_by_its_law);
  RUN(free_bodies_lie_still);
  RUN(corners_and_edges_have_a_floor);
  RUN(a_thrown_body_is_stopped_by_the_law);
  RUN(every_pair_turns_back_by_its_law);
  RUN(what_is_driven_in_meets_the_law_alone);
  RUN(a_pushed_body_is_stopped_by_the_law);
  RUN(cradle);
  return CHECK_END;
}

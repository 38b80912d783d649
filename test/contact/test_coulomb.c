// Coulomb's friction (contact_law coulomb) in whole scenes: a body that begins to slide does not hop, a
// sliding body neither lifts off nor sinks in, and distances and speeds agree with the textbook at any dt.
// The convex law fails each of these checks.
#include "pliant/dynamics.h"
#include "base/random.h"
#include "math/vec3.h"
#include "model/spec.h"
#include "world.h"
#include "dominoes.h"

// Instrumented programs are slow: fewer cases.
#ifdef CHECK_SANITIZED
enum { SLOW = 1 };
#else
enum { SLOW = 0 };
#endif

static const double g0 = 9.81;
static const plVec3 down = {0, 0, -9.81}, none = {0, 0, 0};

static World make(plVec3 gravity, double dt) {
  World w = begin(gravity, dt);
  pl_spec_options(w.spec)->contact_law = PL_LAW_COULOMB;
  return w;
}

static plSurface surface(double mu, double stiffness) {
  plSurface s = pl_default_surface();
  s.friction = mu, s.contact_stiffness = stiffness;
  return s;
}

static plShapeDef shape(plShapeKind kind, plVec3 size, plSurface s) {
  plShapeDef g = pl_default_shape_def();
  g.kind = kind, g.size = size, g.surface = s;
  if (kind == PL_SHAPE_SPHERE) g.radius = size.x;
  return g;
}

static void add_ground(World* w, plSurface s) { add_shape(w, "ground", PL_SHAPE_HALF_SPACE, none, none, s); }

// ---- a block that is given a speed

typedef struct Slide {
  double distance, hop, sink, capped;
} Slide;

static Slide slide(bool soft, double mu, double stiffness, double v0, double dt) {
  World w = make(down, dt);
  plVec3 size = {0.2, 0.2, 0.05};
  plSurface s = surface(mu, stiffness);
  if (soft) {
    int id = add_block(&w, size, 3, 3, 1, pose_at(0, 0, 0.025), 1e7);
    w.spec->deform[id].surface = s, w.spec->deform[id].velocity = (plVec3){v0, 0, 0};
  } else {
    add_body(&w, "box", shape(PL_SHAPE_BOX, size, s), pose_at(0, 0, 0.025), (plVec3){v0, 0, 0}, 2, 0.01);
  }
  add_ground(&w, s);
  build(&w);
  double time = v0 / (mu * g0) + 0.05;
  Slide out = {0};
  int steps = (int)(time / dt) + 1;
  plBodyState body;
  for (int i = 0; i < steps && !w.data->report.status; i++) {
    run(&w, 1);
    double low, high;
    if (soft) {
      pl_deformable_state(w.data, 0, &body);
      low = body.lower.z, high = body.com.z - 0.025, out.distance = body.com.x;
    } else {
      low = high = w.data->q[2] - 0.025, out.distance = w.data->q[0];
    }
    out.hop = fmax(out.hop, high), out.sink = fmax(out.sink, -low);
    out.capped += w.data->report.coulomb_capped;
  }
  out.capped /= steps;
  end(&w);
  return out;
}

// Velocity-first steps: v0^2 / (2 mu g) - v0 dt / 2.
static void check_slide(bool soft, double mu, double stiffness, double dt) {
  double v0 = 2, book = v0 * v0 / (2 * mu * g0) - v0 * dt / 2;
  Slide s = slide(soft, mu, stiffness, v0, dt);
  printf("  %s, mu %.1f, dt %g: %.5f m (%.5f), hop %.1f um, sink %.1f um, capped %.1f %%\n",
         soft ? "soft" : "rigid", mu, dt, s.distance, book, 1e6 * s.hop, 1e6 * s.sink, 100 * s.capped);
  CHECK_NEAR(s.distance, book, 0.01 * book);
  CHECK_BELOW(s.hop, 2.2e-6, 1);
  CHECK(s.capped <= 0.01);
  // a given stiffness carries the weight at its own depth
  double depth = isinf(stiffness) ? 0 : 2 * 2 * g0 / (stiffness * 0.04);
  CHECK_BELOW(s.sink - 1.5 * depth, 2e-4, 1);
}

static void a_block_slides_the_textbook_distance(void) {
  static const double mu[] = {0.1, 0.3, 0.5, 1, 2}, dt[] = {1e-4, 1e-3, 0.01, 0.02};
  for (int i = 0; i < 5; i++)
    for (int k = SLOW ? 2 : i < 2 ? 1 : 0; k < 4; k++) check_slide(false, mu[i], INFINITY, dt[k]);
  check_slide(false, 0.5, 1e7, 0.001);
  check_slide(false, 1, 1e7, 0.01);
}

static void a_soft_block_slides_the_textbook_distance(void) {
  static const double mu[] = {0.1, 0.5, 1, 2}, dt[] = {1e-3, 0.01, 0.02};
  for (int i = 0; i < 4; i++)
    for (int k = SLOW || i == 0 ? 1 : 0; k < 3; k++) check_slide(true, mu[i], INFINITY, dt[k]);
  check_slide(true, 0.5, 1e7, 0.01);
}

// ---- turning on a face

// Mean distance of the points of a rectangle from its middle.
static double mean_distance(double a, double b) {
  enum { N = 400 };
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double x = a * ((i + 0.5) / N - 0.5), y = b * ((j + 0.5) / N - 0.5);
      sum += sqrt(x * x + y * y);
    }
  return sum / (N * N);
}

// Friction acts at the corners of a rigid face (of a disc on its rim), whatever its shape: the moment is mu N
// times their distance from the middle, 1.5 to 2 times that of an even pressure.
static void a_rigid_face_resists_turning_at_its_corners(void) {
  plRandom random = {11};
  double least = INFINITY, most = 0;
  for (int k = 0; k < 12; k++) {
    double a = pl_random(&random, 0.05, 0.4);
    double b = k % 3 == 1 ? a : pl_random(&random, 0.1 * a, a), mu = pl_random(&random, 0.1, 1);
    bool disc = k % 3 == 0;
    double reach = disc ? a : sqrt(a * a + b * b) / 2, even = disc ? 2 * a / 3 : mean_distance(a, b);
    double dt = pl_random(&random, 1e-4, 1e-3), inertia = 0.1, w0 = 1;
    plVec3 size = {a, b, 0.01};
    World w = make(down, dt);
    plShapeDef face = shape(disc ? PL_SHAPE_CYLINDER : PL_SHAPE_BOX, size, surface(mu, INFINITY));
    if (disc) face.radius = a, face.length = 0.01;
    add_body(&w, "face", face, pose_at(0, 0, 0.005), none, 1, inertia);
    w.spec->body[0].angular_velocity.z = w0;
    add_ground(&w, surface(mu, INFINITY));
    build(&w);
    run(&w, 20);
    double before = w.data->v[5];
    run(&w, 20);
    double moment = inertia * (before - w.data->v[5]) / (20 * dt), ratio = moment / (mu * g0 * even);
    printf("  %s %.3f x %.3f m, mu %.2f: %.4f Nm, %.3f of that of an even pressure\n", disc ? "disc" : "box",
           a, disc ? a : b, mu, moment, ratio);
    CHECK_NEAR(moment, mu * g0 * reach, 0.003 * mu * g0 * reach);
    least = fmin(least, ratio), most = fmax(most, ratio);
    end(&w);
  }
  CHECK(least > 1.49 && most < 2);
}

// ---- a belt

static void a_box_put_on_a_belt_does_not_hop(void) {
  static const double dt[] = {1e-3, 0.01};
  for (int k = 0; k < 2; k++)
    for (int soft = 0; soft < 2; soft++) {
      World w = make(down, dt[k]);
      plSurface s = surface(0.5, INFINITY);
      if (soft) {
        int id = add_block(&w, (plVec3){0.1, 0.1, 0.1}, 2, 2, 2, pose_at(0, 0, 0.05), 1e7);
        w.spec->deform[id].surface = s;
      } else {
        add_body(&w, "box", shape(PL_SHAPE_BOX, (plVec3){0.1, 0.1, 0.1}, s), pose_at(0, 0, 0.05), none, 1,
                 1.0 / 600);
      }
      plShapeDef belt = shape(PL_SHAPE_HALF_SPACE, none, s);
      belt.name = "belt", belt.surface.surface_velocity = (plVec3){1, 0, 0};
      CHECK_INT(pl_spec_add_shape(w.spec, &belt, NULL, &w.error), PL_OK);
      build(&w);
      double hop = 0, v = 0;
      for (int i = 0; i < (int)(0.3 / dt[k] + 0.5) && !w.data->report.status; i++) {
        run(&w, 1);
        plBodyState b;
        if (soft) pl_deformable_state(w.data, 0, &b);
        hop = fmax(hop, soft ? b.lower.z : w.data->q[2] - 0.05),
        v = soft ? b.momentum.x / b.mass : w.data->v[0];
      }
      printf("  %s box on a belt of 1 m/s, dt %g: hop %.2f um, runs at %.4f m/s\n", soft ? "soft" : "rigid",
             dt[k], 1e6 * hop, v);
      CHECK_BELOW(hop, 1.5e-14, 1);
      CHECK_NEAR(v, 1, 6.6e-6);
      end(&w);
    }
}

// ---- oblique impacts: v_n = -1 m/s

// A point that slides through the impact loses mu times the change of the normal speed; what can stick does.
static double impact(bool ball, double v0, double mu, double* deepest, double* up) {
  double dt = 0.001, r = 0.05;
  World w = make(none, dt);
  plSurface s = surface(mu, INFINITY);
  plVec3 half = {r, r, r}, full = {2 * r, 2 * r, 2 * r};
  add_body(&w, "thing", shape(ball ? PL_SHAPE_SPHERE : PL_SHAPE_BOX, ball ? half : full, s),
           pose_at(0, 0, r + 1.5e-3), (plVec3){v0, 0, -1}, 1, ball ? 0.4 * r * r : 10);
  add_ground(&w, s);
  build(&w);
  *deepest = 0;
  for (int i = 0; i < 50 && !w.data->report.status; i++)
    run(&w, 1), *deepest = fmax(*deepest, r - w.data->q[2]);
  double v = w.data->v[0];
  *up = w.data->v[2];
  end(&w);
  return v;
}

static void an_oblique_impact_loses_what_the_book_says(void) {
  static const double mu[] = {0.1, 0.3, 0.5, 1}, v0[] = {0.2, 0.5, 1, 3};
  for (int ball = 0; ball < 2; ball++)
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 4; k++) {
        double deep, up, v = impact(ball, v0[k], mu[i], &deep, &up);
        // sliding through; a ball ends rolling at 5/7 of its speed, a heavy-turning box at rest
        double book = fmax(v0[k] - mu[i] * (1 + up), ball ? 5.0 / 7 * v0[k] : 0);
        if (k == 0 || fabs(v - book) > 0.005)
          printf("  %s, mu %.1f, %.1f m/s: %.4f (%.4f), %.1f um deep\n", ball ? "ball" : "box", mu[i], v0[k],
                 v, book, 1e6 * deep);
        CHECK_NEAR(v, book, 0.0043);
        CHECK_BELOW(deep, 5e-5, 1);
      }
}

// ---- grips

// Two plates on sliders, pushed with a force each, let a box slip: it falls with g - 2 mu N / m.
static void a_slipping_grip_has_the_textbook_acceleration(void) {
  static const double dt[] = {1e-3, 0.01};
  for (int k = 0; k < 2; k++) {
    double push = 2, mu = 1, time = 0.2;
    World w = make(down, dt[k]);
    plSurface s = surface(mu, INFINITY);
    add_body(&w, "box", shape(PL_SHAPE_BOX, (plVec3){0.1, 0.1, 0.1}, s), pose_at(0, 0, 0), none, 1,
             1.0 / 600);
    for (int side = 0; side < 2; side++) {
      double sign = side ? 1 : -1;
      plBodyDef body = pl_default_body_def();
      body.name = side ? "right" : "left", body.mass = 0.5;
      int id, joint;
      CHECK_INT(pl_spec_add_body(w.spec, &body, &id, &w.error), PL_OK);
      plJointDef slider = pl_default_joint_def();
      slider.name = side ? "slide_right" : "slide_left", slider.kind = PL_JOINT_PRISMATIC, slider.child = id;
      slider.axis = (plVec3){1, 0, 0}, slider.pose.p.x = sign * 0.06;
      CHECK_INT(pl_spec_add_joint(w.spec, &slider, &joint, &w.error), PL_OK);
      plShapeDef plate = shape(PL_SHAPE_BOX, (plVec3){0.02, 0.2, 1}, s);
      plate.name = body.name, plate.body = id;
      CHECK_INT(pl_spec_add_shape(w.spec, &plate, NULL, &w.error), PL_OK);
    }
    build(&w);
    for (int i = 0; i < (int)(time / dt[k] + 0.5) && !w.data->report.status; i++) {
      w.data->f_user[6] = push, w.data->f_user[7] = -push;
      run(&w, 1);
    }
    double book = -(g0 - 2 * mu * push) * time;
    printf("  dt %g: %.5f m/s (%.5f), plates open by %.1f um\n", dt[k], w.data->v[2], book,
           1e6 * fmax(fabs(w.data->q[7]), fabs(w.data->q[8])));
    CHECK_NEAR(w.data->v[2], book, 1.6e-9 * fabs(book));
    CHECK_BELOW(fabs(w.data->q[7]), 2.3e-5, 1);
    CHECK_BELOW(fabs(w.data->q[8]), 2.3e-5, 1);
    end(&w);
  }
}

// Plates close on a soft cube that moves along z, and press it by 2 x depth in the end. How far it comes
// until it stops or time is over. Positions follow the new velocity: half a step of the change of speed is
// taken back.
typedef struct Closing {
  plVec3 gravity;
  double v0, mu, depth, closing, duration;
} Closing;
static double close_on(plContactLaw law, Closing c, double dt) {
  double clearance = 1e-4, z = 0, v_end = 0;
  World w = make(c.gravity, dt);
  pl_spec_options(w.spec)->contact_law = law;
  plSurface s = surface(c.mu, INFINITY);
  int id = add_block(&w, (plVec3){0.05, 0.05, 0.05}, 2, 2, 2, pose_at(0, 0, 0), 1e5);
  w.spec->deform[id].surface = s, w.spec->deform[id].velocity = (plVec3){0, 0, c.v0};
  for (int side = -1; side <= 1; side += 2)
    add_body(&w, side < 0 ? "left" : "right", shape(PL_SHAPE_BOX, (plVec3){0.02, 0.2, 4}, s),
             pose_at(side * (0.035 + clearance), 0, 0), none, 1e6, 1e6);
  build(&w);
  double vx = (clearance + c.depth) / c.closing;
  int steps = (int)(c.duration / dt + 0.5);
  for (int i = 0; i < steps && !w.data->report.status; i++) {
    // heavy enough that only gravity must be undone
    for (int k = 0; k < 2; k++) {
      double *v = w.data->v + 6 * k, u = i * dt < c.closing - dt / 2 ? vx : 0;
      v[0] = k ? -u : u, v[1] = 0, v[2] = -c.gravity.z * dt, v[3] = v[4] = v[5] = 0;
    }
    run(&w, 1);
    plBodyState b;
    pl_deformable_state(w.data, 0, &b);
    z = b.com.z, v_end = b.momentum.z / b.mass;
    if (c.v0 > 0 && v_end < 1e-3 * c.v0) break;
  }
  end(&w);
  return z - 0.5 * dt * (v_end - c.v0);
}

// Fingers close on a falling cube: their friction is a quarter of its weight in the end, and it falls
// through. The convex law catches it at large steps.
static void fingers_do_not_catch_more_at_large_steps(void) {
  Closing c = {down, 0, 0.5, 3e-5, 0.05, 0.1};
  double coarse = close_on(PL_LAW_COULOMB, c, 0.01),
         fine = close_on(PL_LAW_COULOMB, c, SLOW ? 0.002 : 0.0005), convex = close_on(PL_LAW_CONE, c, 0.01);
  printf("  z after 0.1 s: %.5f m at dt 0.01, %.5f m at dt 0.0005; convex law %.5f m at dt 0.01\n", coarse,
         fine, convex);
  CHECK_NEAR(coarse / fine, 1, 0.03);
  CHECK(fabs(convex) < 0.8 * fabs(fine));
}

static void a_cube_between_plates_slides_as_far_at_any_step(void) {
  static const double v0[] = {0.5, 1, 1.5}, mu[] = {0.1, 0.5, 1};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      if (SLOW && (i != 1 || k != 1)) continue;
      double fine_dt = SLOW ? 0.002 : 0.0005;
      Closing c = {none, v0[i], mu[k], 1.25e-4, 0.1, 4};
      double coarse = close_on(PL_LAW_COULOMB, c, 0.01), fine = close_on(PL_LAW_COULOMB, c, fine_dt);
      printf("  %.1f m/s, mu %.1f: %.4f m at dt 0.01, %.4f m at dt 0.0005 (%+.1f %%)\n", v0[i], mu[k], coarse,
             fine, 100 * (coarse / fine - 1));
      CHECK_NEAR(coarse / fine, 1, 0.05);
    }
}

// ---- dominoes

// Sixteen of 48 x 24 x 7.5 mm, friction 0.3; the first is tipped. Speed of the wave between the sixth and the
// fourteenth.
static double dominoes(plContactLaw law, double pitch, double dt) {
  double at[DOMINOES] = {0}, before[DOMINOES];
  World w = make(down, dt);
  pl_spec_options(w.spec)->contact_law = law;
  plSurface s = surface(0.3, INFINITY);
  for (int i = 0; i < DOMINOES; i++) {
    char name[24];
    snprintf(name, sizeof name, "%d", i);
    add_body(&w, name, shape(PL_SHAPE_BOX, (plVec3){0.0075, 0.024, 0.048}, s), pose_at(pitch * i, 0, 0.024),
             none, 0.01, 0.01 * (0.048 * 0.048 + 0.0075 * 0.0075) / 12);
  }
  add_ground(&w, s);
  build(&w);
  w.data->v[0] = 0.024 * 6, w.data->v[4] = 6;
  for (int i = 0; i < (int)(2 / dt) && at[13] == 0 && !w.data->report.status; i++) {
    for (int k = 0; k < DOMINOES; k++) before[k] = w.data->q[7 * k] - pitch * k;
    run(&w, 1);
    for (int k = 0; k < DOMINOES; k++) {
      double x = w.data->q[7 * k] - pitch * k;
      if (at[k] == 0 && x > 1e-3) at[k] = w.data->time - dt * (x - 1e-3) / (x - before[k]);
    }
  }
  end(&w);
  return 8 * pitch / (at[13] - at[5]);
}

// Beside the plane program of dominoes.h. The study (0.810 m/s by its own plane program, 0.813 by MuJoCo)
// does not say how far apart its dominoes stand; half their height gives 0.811.
static void dominoes_fall_as_fast_as_in_the_plane(void) {
  static const double pitch[] = {0.02, 0.024};
  for (int k = 0; k < 2; k++) {
    double book = domino_wave(0.0075, 0.048, pitch[k], 0.3, 6, SLOW ? 5e-4 : 2e-4),
           coarse = dominoes(PL_LAW_COULOMB, pitch[k], 1e-3),
           fine = dominoes(PL_LAW_COULOMB, pitch[k], SLOW ? 5e-4 : 2e-4);
    printf("  dominoes %g mm apart: %.4f m/s at dt 0.001, %.4f at 0.0002; in the plane %.4f\n",
           1e3 * pitch[k], coarse, fine, book);
    CHECK_NEAR(coarse / book, 1, 0.01);
    CHECK_NEAR(fine / book, 1, 4.4e-4);  // wide: the sanitizers run fewer steps
    if (k) CHECK_NEAR(coarse, 0.810, 0.006 * 0.810);
  }
}

// ---- what is held

// A box hangs between two plates that are pushed with a force each: it does not creep. (The convex law lets
// it down with R_t gamma_t.)
static double hang(plContactLaw law, double mu, double* deepest, double* capped) {
  World w = make(down, 0.01);
  pl_spec_options(w.spec)->contact_law = law;
  plSurface s = surface(mu, INFINITY);
  int id = add_block(&w, (plVec3){0.05, 0.05, 0.05}, 2, 2, 2, pose_at(0, 0, 0), 1e5);
  w.spec->deform[id].surface = s;
  for (int side = -1; side <= 1; side += 2)
    add_body(&w, side < 0 ? "left" : "right", shape(PL_SHAPE_BOX, (plVec3){0.02, 0.2, 0.2}, s),
             pose_at(side * 0.0345, 0, 0), none, 1e6, 1e6);
  build(&w);
  plBodyState b;
  double z = 0;
  *deepest = *capped = 0;
  for (int i = 0; i < 200 && !w.data->report.status; i++) {
    for (int k = 0; k < 2; k++) {
      double* v = w.data->v + 6 * k;
      memset(v, 0, 6 * sizeof *v), v[2] = g0 * 0.01;
    }
    run(&w, 1);
    pl_deformable_state(w.data, 0, &b);
    if (i == 99) z = b.com.z;
    *capped += w.data->report.coulomb_capped / 200.0;
    for (int c = 0; c < w.data->ncontact && i > 50; c++) *deepest = fmax(*deepest, -w.data->contact[c].gap);
  }
  end(&w);
  return z - b.com.z;
}

static void what_is_held_does_not_creep(void) {
  static const double mu[] = {0.7, 1, 10};
  for (int i = 0; i < 3; i++) {
    double deep[2], capped, convex = hang(PL_LAW_CONE, mu[i], deep, &capped),
                            exact = hang(PL_LAW_COULOMB, mu[i], deep + 1, &capped);
    printf("  held, mu %g: creeps by %.4f mm/s (convex law %.4f), %.1f um deep (%.1f), capped %.1f %%\n",
           mu[i], 1e3 * exact, 1e3 * convex, 1e6 * deep[1], 1e6 * deep[0], 100 * capped);
    CHECK_BELOW(fabs(exact), 2e-8, 1);
    CHECK(fabs(exact) < 0.2 * fabs(convex) && capped <= 0.01);
    CHECK(deep[1] <= 2 * deep[0] + 1e-4);
  }
}

// Friction 5 and 10: boxes fall on a heap and on each other. Steps may be capped; what rests stays, and is no
// deeper than twice what the convex law makes of it and 0.1 mm.
static void heap(plContactLaw law, double mu, double* deepest, double* speed, double* capped) {
  World w = make(down, 0.01);
  pl_spec_options(w.spec)->contact_law = law;
  plSurface s = surface(mu, INFINITY);
  static const char* const names[] = {"a", "b", "c", "d", "e", "f"};
  for (int i = 0; i < 6; i++) {
    double a = 0.3 * i;
    plPose pose = {{0.03 * (i % 3) - 0.03, 0.02 * (i % 2), 0.1 + 0.17 * i},
                   {cos(a), 0.6 * sin(a), 0.8 * sin(a), 0}};
    add_body(&w, names[i], shape(PL_SHAPE_BOX, (plVec3){0.1, 0.1, 0.08}, s), pose, none, 1, 1.0 / 600);
  }
  add_ground(&w, s);
  build(&w);
  *deepest = *speed = *capped = 0;
  for (int i = 0; i < 300 && !w.data->report.status; i++) {
    run(&w, 1);
    *capped += w.data->report.coulomb_capped / 300.0;
    for (int c = 0; c < w.data->ncontact; c++)
      if (v3_norm2(w.data->contact[c].force) > 0) *deepest = fmax(*deepest, -w.data->contact[c].gap);
  }
  for (int i = 0; i < w.model->nv; i++) *speed = fmax(*speed, fabs(w.data->v[i]));
  end(&w);
}

static void high_friction_holds_and_does_not_sink(void) {
  static const double mu[] = {2, 5, 10};
  for (int i = 0; i < 3; i++) {
    double deep[2], speed[2], capped[2];
    heap(PL_LAW_CONE, mu[i], deep, speed, capped),
        heap(PL_LAW_COULOMB, mu[i], deep + 1, speed + 1, capped + 1);
    printf(
        "  heap, mu %g: %.3f mm deep at most (convex law %.3f), %.2g m/s in the end (%.2g), capped %.1f %%\n",
        mu[i], 1e3 * deep[1], 1e3 * deep[0], speed[1], speed[0], 100 * capped[1]);
    CHECK(deep[1] <= 2 * deep[0] + 1e-4);
  }
}

// ---- energy

// Boxes, balls and a soft cube are thrown on each other: energy falls. A point that goes in deeper within a
// step than its spring has it holds more than is counted at first: single steps may gain 0.1 % of what there
// was.
static void thrown_things_gain_no_energy(void) {
  static const double mu[] = {0.1, 0.5, 1, 2, 5, 10}, dt[] = {0.002, 0.01, 0.02};
  static const char* const names[] = {"a", "b", "c", "d"};
  for (int k = 0; k < (SLOW ? 4 : 18); k++) {
    plRandom random = {(uint64_t)(31 + k)};
    World w = make(down, dt[k % 3]);
    plSurface s = surface(mu[k % 6], INFINITY);
    for (int i = 0; i < 4; i++) {
      bool ball = pl_random_int(&random, 3) == 0;
      double z = 0.1 + 0.18 * i, a = pl_random(&random, -1, 1), b = pl_random(&random, -1, 1);
      plPose pose = {{0.05 * a, 0.05 * b, z}, {cos(a), 0.6 * sin(a), 0.8 * sin(a), 0}};
      add_body(&w, names[i],
               shape(ball ? PL_SHAPE_SPHERE : PL_SHAPE_BOX,
                     ball ? (plVec3){0.05, 0.05, 0.05} : (plVec3){0.1, 0.1, 0.08}, s),
               pose, (plVec3){2 * b, 2 * a, -1}, exp(2 * a), exp(2 * a) / 600);
    }
    int id = add_block(&w, (plVec3){0.1, 0.1, 0.1}, 2, 2, 2, pose_at(0, 0, 0.9), 1e5);
    w.spec->deform[id].surface = s, w.spec->deform[id].velocity = (plVec3){-1, 0.5, -2};
    w.spec->deform[id].material.kind =
        PL_MATERIAL_NEO_HOOKEAN;  // with the frozen rotation of the default one it gains
    add_ground(&w, s);
    build(&w);
    double start = world_energy(&w), before = start, most = -INFINITY, rise = 0, capped = 0;
    int steps = (int)(1 / dt[k % 3]);
    for (int i = 0; i < steps && !w.data->report.status; i++) {
      run(&w, 1);
      double now = world_energy(&w);
      most = fmax(most, now - start), rise = fmax(rise, now - before), before = now;
      capped += w.data->report.coulomb_capped;
    }
    if (k < 6 || most >= 0 || rise > 0.001 * start)
      printf(
          "  thrown, mu %g, dt %g: %.3g J, %.3g J more at most, at most %.2g J in a step, capped %.1f %%\n",
          mu[k % 6], dt[k % 3], start, most, rise, 100 * capped / steps);
    CHECK_BELOW(rise, 5.3e-4, start);
    CHECK(most < 0);
    end(&w);
  }
}

// A step whose rounds do not settle fails if that is asked for, with a sentence, and the state is as it was.
static void a_strict_step_fails_where_friction_does_not_settle(void) {
  int failed = 0;
  World w = make(down, 0.01);
  pl_spec_options(w.spec)->coulomb_strict = true;
  plSurface s = surface(10, INFINITY);
  for (int i = 0; i < 6; i++) {
    char name[24];
    snprintf(name, sizeof name, "%d", i);
    double a = 0.3 * i;
    plPose pose = {{0.03 * (i % 3) - 0.03, 0.02 * (i % 2), 0.1 + 0.17 * i},
                   {cos(a), 0.6 * sin(a), 0.8 * sin(a), 0}};
    add_body(&w, name, shape(PL_SHAPE_BOX, (plVec3){0.1, 0.1, 0.08}, s), pose, (plVec3){2, 1, 0}, 1,
             1.0 / 600);
  }
  add_ground(&w, s);
  build(&w);
  for (int i = 0; i < 200 && !failed; i++) {
    uint64_t before = pl_state_hash(w.data);
    plStatus status = pl_step(w.data, &w.error);
    CHECK(status == PL_OK ? !w.data->report.coulomb_capped : status == PL_ERROR_NOT_CONVERGED);
    if (!status) continue;
    failed = 1;
    CHECK(strstr(w.error.message, "coulomb_strict") != NULL && w.data->report.coulomb_capped == 1);
    CHECK(pl_state_hash(w.data) == before);
  }
  printf("  strict: %s\n", failed ? w.error.message : "every step settled");
  end(&w);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(dominoes_fall_as_fast_as_in_the_plane);
  RUN(what_is_held_does_not_creep);
  RUN(high_friction_holds_and_does_not_sink);
  RUN(thrown_things_gain_no_energy);
  RUN(a_strict_step_fails_where_friction_does_not_settle);
  RUN(a_block_slides_the_textbook_distance);
  RUN(a_soft_block_slides_the_textbook_distance);
  RUN(a_rigid_face_resists_turning_at_its_corners);
  RUN(a_box_put_on_a_belt_does_not_hop);
  RUN(an_oblique_impact_loses_what_the_book_says);
  RUN(a_slipping_grip_has_the_textbook_acceleration);
  RUN(fingers_do_not_catch_more_at_large_steps);
  RUN(a_cube_between_plates_slides_as_far_at_any_step);
  return CHECK_END;
}

// Textbook contact in whole scenes, through pl_step with contact geometry: incline, stopping distance,
// sliding to rolling, restitution of both dissipation laws, a leaning card and a tent, Painleve's rod, heavy
// on light, creep of what is held. (test/sap/test_physics.c has the solver alone.)
#include "pliant/dynamics.h"
#include "model/spec.h"
#include "world.h"
#include "model/side.h"

static const double g0 = 9.81;
static const plVec3 down = {0, 0, -9.81};

static const plContactLaw friction_laws[] = {PL_LAW_CONE, PL_LAW_COULOMB};
static const char* const law_names[] = {"cone", "coulomb"};

static World begin_with(int law, plVec3 gravity, double dt) {
  World w = begin(gravity, dt);
  pl_spec_options(w.spec)->contact_law = friction_laws[law];
  return w;
}

static plSurface surface(double mu) {
  plSurface s = pl_default_surface();
  s.friction = mu;
  return s;
}

static plShapeDef box_shape(double x, double y, double z, double mu) {
  plShapeDef g = pl_default_shape_def();
  g.kind = PL_SHAPE_BOX, g.size = (plVec3){x, y, z}, g.surface = surface(mu);
  return g;
}

static void add_ground(World* w, double mu) {
  add_shape(w, "ground", PL_SHAPE_HALF_SPACE, (plVec3){0, 0, 0}, (plVec3){0, 0, 0}, surface(mu));
}

// ---- sliding

// tan 0.5: mu 0.49 slides with g (sin - mu cos) = 0.0877 m/s^2, mu 0.50 holds. A rigid box and a soft one,
// which is given 0.51: at the very limit it keeps the speed that it has when it has settled.
static void an_incline_slides_at_049_and_holds_at_050(void) {
  double c = 2 / sqrt(5), s = 1 / sqrt(5);
  for (int kind = 0; kind < 4; kind++)
    for (int hold = 0; hold < 2; hold++) {
      int soft = kind % 2, law = kind / 2;
      double mu = !hold ? 0.49 : soft ? 0.51 : 0.50, a = g0 * (s - mu * c), v[2], x[2];
      World w = begin_with(law, (plVec3){g0 * s, 0, -g0 * c}, 0.01);
      if (soft) {
        int id = add_block(&w, (plVec3){0.2, 0.2, 0.05}, 4, 4, 1, pose_at(0, 0, 0.025), 1e6);
        w.spec->deform[id].surface.friction = mu;
      } else {
        add_body(&w, "box", box_shape(0.2, 0.2, 0.05, mu), pose_at(0, 0, 0.025), (plVec3){0, 0, 0}, 1, 0.004);
      }
      add_ground(&w, mu);
      build(&w);
      for (int k = 0; k < 2; k++) {
        run(&w, 100);
        plBodyState state;
        if (soft)
          pl_deformable_state(w.data, 0, &state), v[k] = state.momentum.x / state.mass, x[k] = state.com.x;
        else
          v[k] = w.data->v[0], x[k] = w.data->q[0];
      }
      printf("  %s, %s box, mu %.2f: %.5f m/s gained in a second (%.5f by the book), speed %.2e\n",
             law_names[law], soft ? "soft" : "rigid", mu, v[1] - v[0], hold ? 0 : a, v[1]);
      if (hold) {
        CHECK_BELOW(v[1], 1.4e-4, 1);
        CHECK_BELOW(x[1] - x[0], 1.4e-4, 1);
      } else
        CHECK_NEAR(v[1] - v[0], a, 1e-6 * a);  // wide: the tolerance of the solve
      end(&w);
    }
}

// v 2 m/s, mu 0.3: 0.679579 s, 0.679579 m; velocity-first steps give v^2/(2 mu g) - v dt/2.
static void a_sliding_box_stops_at_the_textbook_distance(void) {
  for (int k = 0; k < 4; k++) {
    int fine = k % 2, law = k / 2;
    double dt = fine ? 0.001 : 0.01, stopped = 0;
    World w = begin_with(law, down, dt);
    // the convex cone lifts a sliding body by dt mu v: it starts there
    add_body(&w, "box", box_shape(0.4, 0.4, 0.05, 0.3), pose_at(0, 0, 0.025 + (law ? 0 : dt * 0.3 * 2)),
             (plVec3){2, 0, 0}, 1, 0.02);
    add_ground(&w, 0.3);
    build(&w);
    for (int i = 0; i < (int)(1 / dt + 0.5); i++) {
      run(&w, 1);
      if (stopped == 0 && w.data->v[0] < 1e-3) stopped = w.data->time;
    }
    double book = 4 / (2 * 0.3 * g0) - 2 * dt / 2;
    printf("  %s, dt %g: stops after %.4f s (0.6796) and %.5f m (%.5f)\n", law_names[law], dt, stopped,
           w.data->q[0], book);
    CHECK_NEAR(stopped, 0.679579, 2 * dt);
    if (fine) CHECK_NEAR(w.data->q[0], book, 5.4e-4);
    if (!fine) CHECK_NEAR(w.data->q[0], book, 0.0054);
    CHECK_NEAR(w.data->v[0], 0, 1e-6 * g0 * dt);  // wide: the tolerance of the solve
    end(&w);
  }
}

// v 2, mu 0.3: it rolls after 0.194165 s and 0.332855 m, at 1.428571 m/s.
static void roll(int law) {
  double r = 0.1, rolls = 0, at = 0;
  World w = begin_with(law, down, 0.001);
  plShapeDef ball = pl_default_shape_def();
  ball.kind = PL_SHAPE_SPHERE, ball.radius = r, ball.surface = surface(0.3);
  add_body(&w, "ball", ball, pose_at(0, 0, r + (law ? 0 : 0.001 * 0.3 * 2)), (plVec3){2, 0, 0}, 1,
           0.4 * r * r);
  add_ground(&w, 0.3);
  build(&w);
  for (int i = 0; i < 400; i++) {
    run(&w, 1);
    if (rolls == 0 && w.data->v[0] - r * w.data->v[4] < 1e-3) rolls = w.data->time, at = w.data->q[0];
  }
  printf("  %s: rolls after %.4f s (0.1942) and %.4f m (0.3329), at %.5f m/s (1.42857)\n", law_names[law],
         rolls, at, w.data->v[0]);
  CHECK_NEAR(rolls, 0.194165, 0.0025);
  CHECK_NEAR(at, 0.332855, 0.0032);
  CHECK_NEAR(w.data->v[0], 1.428571, 0.0018);
  end(&w);
}
static void a_sliding_ball_begins_to_roll(void) {
  for (int law = 0; law < 2; law++) roll(law);
}

// ---- restitution: a box on a slider falls flat on the ground with 1 m/s; k = 1e4 N/m over its face

static double rebound(plContactLaw law, double relaxation, double dissipation) {
  World w = begin((plVec3){0, 0, 0}, 2e-5);
  pl_spec_options(w.spec)->contact_law = law;
  plBodyDef body = pl_default_body_def();
  body.name = "box", body.mass = 1;
  int id, joint;
  CHECK_INT(pl_spec_add_body(w.spec, &body, &id, &w.error), PL_OK);
  plJointDef slider = pl_default_joint_def();
  double start = 0, speed = -1;
  slider.name = "slider", slider.kind = PL_JOINT_PRISMATIC, slider.child = id, slider.pose.p.z = 0.05 + 1e-9;
  CHECK_INT(pl_spec_add_joint(w.spec, &slider, &joint, &w.error), PL_OK);
  CHECK_INT(pl_spec_set_joint_start(w.spec, joint, &start, &speed, &w.error), PL_OK);
  plShapeDef box = box_shape(0.1, 0.1, 0.1, 0), ground = box;
  box.name = "box", box.body = id, ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
  box.surface.contact_stiffness = 1e6, box.surface.relaxation_time = relaxation,
  box.surface.dissipation = dissipation;
  ground.surface.contact_stiffness = INFINITY, ground.surface.relaxation_time = 0,
  ground.surface.dissipation = 0;
  CHECK_INT(pl_spec_add_shape(w.spec, &box, NULL, &w.error), PL_OK);
  CHECK_INT(pl_spec_add_shape(w.spec, &ground, NULL, &w.error), PL_OK);
  build(&w);
  bool touched = false;
  for (int i = 0; i < 10000; i++) {
    run(&w, 1);
    touched |= w.data->f_constraint[0] > 0;
    if (touched && w.data->v[0] > 0 && w.data->f_constraint[0] == 0) break;
  }
  double v = w.data->v[0];
  end(&w);
  return v;
}

// zeta = tau sqrt(k m) / (2 m); e by the formula of a damped spring without adhesion.
static void linear_dissipation_has_the_textbook_restitution(void) {
  static const double zeta[] = {0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9};
  static const double e[] = {0.858758, 0.744079, 0.571740, 0.450975, 0.298436, 0.210285, 0.155283};
  printf("  zeta: rebound (book)");
  for (int i = 0; i < 7; i++) {
    double v = rebound(PL_LAW_CONE, 2 * zeta[i] / 100, 0);
    printf("  %.2f: %.4f (%.4f)", zeta[i], v, e[i]);
    CHECK_NEAR(v, e[i], 0.004);
  }
  printf("\n");
}

static void hunt_crossley_has_the_textbook_restitution(void) {
  static const double dv[] = {0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10};
  static const double e[] = {0.993377, 0.967739, 0.937476, 0.882190, 0.748435,
                             0.593624, 0.410720, 0.196980, 0.099982};
  printf("  d v: rebound (book)");
  for (int i = 0; i < 9; i++) {
    double v = rebound(PL_LAW_SIMILAR, 0, dv[i]);
    printf("  %g: %.4f (%.4f)", dv[i], v, e[i]);
    CHECK_NEAR(v, e[i], 0.004);
  }
  printf("\n");
}

// ---- cards and rods

// A card of length 1, 2 mm thick, leans at an angle on a wall without friction: half of a tent. It needs mu
// >= 1 / (2 tan a).
static double lean(double degrees, double mu) {
  double a = degrees * M_PI / 180, h = 0.002;
  World w = begin(down, 0.002);
  plPose pose = {{-0.5 * cos(a) - 0.5 * h * sin(a), 0, 0.5 * sin(a) + 0.5 * h * cos(a)},
                 {cos(a / 2), 0, -sin(a / 2), 0}};
  plShapeDef card = box_shape(1, 0.6, h, 1000);
  add_body(&w, "card", card, pose, (plVec3){0, 0, 0}, 1, 1.0 / 12);
  add_ground(&w, mu * 1000 / (2000 - mu));  // combines with the card's to mu
  plShapeDef wall = pl_default_shape_def();
  wall.name = "wall", wall.kind = PL_SHAPE_HALF_SPACE, wall.pose.q = (plQuat){sqrt(0.5), 0, -sqrt(0.5), 0},
  wall.surface.friction = 0;
  CHECK_INT(pl_spec_add_shape(w.spec, &wall, NULL, &w.error), PL_OK);
  build(&w);
  run(&w, 500);
  double height = w.data->q[2] / (0.5 * sin(a));
  end(&w);
  return height;
}

static void a_leaning_card_stands_above_its_threshold(void) {
  static const double degrees[] = {60, 75};
  for (int i = 0; i < 2; i++) {
    double limit = 0.5 / tan(degrees[i] * M_PI / 180), above = lean(degrees[i], 1.03 * limit),
           below = lean(degrees[i], 0.95 * limit);
    printf("  %g degrees, threshold %.4f: 3 %% above it %.4f of its height after a second, 5 %% below %.4f\n",
           degrees[i], limit, above, below);
    CHECK(above > 0.998);
    CHECK(below < 0.98);
  }
}

// Two cards lean on each other; their top edges are round, so that they push against each other and not past
// each other.
static double tent(double degrees, double mu) {
  double a = degrees * M_PI / 180, h = 0.004;
  World w = begin(down, 0.002);
  for (int k = 0; k < 2; k++) {
    double sign = k ? 1 : -1, turn = k ? a - M_PI : -a;
    plPose pose = {{sign * (0.5 * cos(a) + 0.5 * h), 0, 0.5 * sin(a) + 0.5 * h * cos(a)},
                   {cos(turn / 2), 0, sin(turn / 2), 0}};
    int id =
        add_body(&w, k ? "right" : "left", box_shape(1, 0.6, h, mu), pose, (plVec3){0, 0, 0}, 1, 1.0 / 12);
    plShapeDef edge = pl_default_shape_def();
    edge.name = k ? "right_edge" : "left_edge", edge.body = id, edge.kind = PL_SHAPE_CYLINDER,
    edge.radius = 0.5 * h, edge.length = 0.6;
    edge.pose = (plPose){{0.5, 0, 0}, {sqrt(0.5), sqrt(0.5), 0, 0}}, edge.surface = surface(mu);
    CHECK_INT(pl_spec_add_shape(w.spec, &edge, NULL, &w.error), PL_OK);
  }
  add_ground(&w, mu);
  build(&w);
  run(&w, 500);
  double height = w.data->q[2] / (0.5 * sin(a));
  end(&w);
  return height;
}

static void a_tent_of_two_cards_stands_above_its_threshold(void) {
  double limit = 0.5 / tan(60 * M_PI / 180), above = tent(60, 1.05 * limit), below = tent(60, 0.9 * limit);
  printf("  60 degrees, threshold %.4f: 5 %% above it %.4f of its height after a second, 10 %% below %.4f\n",
         limit, above, below);
  CHECK(above > 0.995);
  CHECK(below < 0.97);
}

// Drake's rod2d: m 1, J 1, half length 1, 45 degrees, sliding towards its lean with friction 1000. Rigid
// bodies have no solution: the step converges, and no energy appears.
static void painleves_rod_is_solved_and_dissipates(void) {
  World w = begin(down, 0.001);
  plShapeDef rod = pl_default_shape_def();
  rod.kind = PL_SHAPE_CAPSULE, rod.radius = 0.01, rod.length = 2, rod.surface = surface(1000);
  double half = sqrt(0.5);
  plPose pose = {{0, 0, half + 0.01}, {cos(M_PI / 8), 0, sin(M_PI / 8), 0}};
  add_body(&w, "rod", rod, pose, (plVec3){-1, 0, 0}, 1, 1);
  add_ground(&w, 1000);
  build(&w);
  plRigidTotals t;
  pl_rigid_totals(w.data, &t);
  double start = t.kinetic_energy + t.gravity_energy, most = start;
  int iterations = 0;
  for (int i = 0; i < 1000; i++) {
    run(&w, 1);
    pl_rigid_totals(w.data, &t);
    most = fmax(most, t.kinetic_energy + t.gravity_energy);
    iterations = w.data->report.iterations > iterations ? w.data->report.iterations : iterations;
  }
  printf("  energy %.4f J at the start, %.4f at most, %.4f in the end; at most %d iterations\n", start, most,
         t.kinetic_energy + t.gravity_energy, iterations);
  CHECK(most <= start * (1 + 1e-9));
  CHECK(t.kinetic_energy + t.gravity_energy < 0.5 * start);
  end(&w);
}

// ---- heavy on light

// The near-rigid term gives a light body between heavy ones by (beta^2 / 4 pi^2) dt^2 g times the mass ratio,
// over the points: with beta = 1 tens of centimetres at 1e4 : 1; beta = 0.1 leaves 4 mm.
static void heavy_boxes_stand_on_light_ones(void) {
  static const double ratio[] = {10, 1e4};
  for (int i = 0; i < 2; i++) {
    World w = begin(down, 0.01);
    double m = ratio[i], beta = pl_spec_options(w.spec)->near_rigid = i ? 0.1 : 1;
    add_body(&w, "light", box_shape(0.2, 0.2, 0.2, 0.5), pose_at(0, 0, 0.1), (plVec3){0, 0, 0}, 1, 1.0 / 150);
    add_body(&w, "heavy", box_shape(0.2, 0.2, 0.2, 0.5), pose_at(0, 0, 0.3), (plVec3){0, 0, 0}, m, m / 150);
    add_ground(&w, 0.5);
    build(&w);
    int most = run_most(&w, 500);
    plContactPair base, top;
    pl_contact_pair(w.data, pl_side_of_number(w.data->model, 2), pl_side_of_number(w.data->model, 0), &base),
        pl_contact_pair(w.data, pl_side_of_number(w.data->model, 0), pl_side_of_number(w.data->model, 1),
                        &top);
    printf(
        "  %g : 1, beta %g: base %.6f of the weight, top %.6f; %.2e m deep; speed %.1e m/s, at most %d "
        "iterations\n",
        m, beta, base.force.z / ((1 + m) * g0), top.force.z / (m * g0), -base.gap_min, fabs(w.data->v[8]),
        most);
    CHECK_NEAR(base.force.z, (1 + m) * g0, 1e-6 * (1 + m) * g0);  // wide: the tolerance of the solve
    CHECK_NEAR(top.force.z, m * g0, 1e-6 * m * g0);               // wide: the tolerance of the solve
    CHECK_NEAR(hypot(w.data->q[7], w.data->q[8]), 0,
               1e-9);  // wide: rounding that a stack adds up, 1e-15 to 1e-13 over compilers
    CHECK_BELOW(-base.gap_min, 5e-3, 1);
    end(&w);
  }
}

// A soft cube of 10 m and 1e7 kg on one of 1 m and 1e3 kg (IPC's large mass ratio).
static void a_heavy_soft_cube_stands_on_a_light_one(void) {
  World w = begin(down, 0.01);
  add_block(&w, (plVec3){1, 1, 1}, 3, 3, 3, pose_at(0, 0, 0.5), 1e10);
  int heavy = add_block(&w, (plVec3){10, 10, 10}, 4, 4, 4, pose_at(0, 0, 6), 1e10);
  w.spec->deform[heavy].material.density = 1e4;
  add_ground(&w, 0.5);
  build(&w);
  int most = run_most(&w, 200);
  plContactPair base, top;
  pl_contact_pair(w.data, pl_side_of_number(w.data->model, 2), pl_side_of_number(w.data->model, 0), &base),
      pl_contact_pair(w.data, pl_side_of_number(w.data->model, 0), pl_side_of_number(w.data->model, 1), &top);
  plBodyState state;
  pl_deformable_state(w.data, heavy, &state);
  double weight = 1e7 * g0;
  printf(
      "  soft, 10000 : 1: base %.6f of the weight, top %.6f; heavy cube at %.4f m (6), speed %.1e m/s, at "
      "most %d iterations\n",
      base.force.z / (weight + 1e3 * g0), top.force.z / weight, state.com.z, state.momentum.z / state.mass,
      most);
  CHECK_NEAR(base.force.z, weight + 1e3 * g0, 1e-6 * weight);  // wide: the tolerance of the solve
  CHECK_NEAR(top.force.z, weight, 1e-6 * weight);              // wide: the tolerance of the solve
  CHECK_NEAR(state.com.z, 6, 0.032);
  end(&w);
}

// ---- creep

// Something of 1 kg between two plates on sliders that push with 40 N each: it sinks as fast as the law's
// regularisation says.
static World held(bool soft, double dt) {
  World w = begin_with(0, down, dt);  // cone: under coulomb it hardly creeps (contact/coulomb)
  for (int k = 0; k < 2; k++) {
    plBodyDef body = pl_default_body_def();
    body.name = k ? "right" : "left", body.mass = 2, body.gravity = 0;
    int id, joint;
    CHECK_INT(pl_spec_add_body(w.spec, &body, &id, &w.error), PL_OK);
    plJointDef slider = pl_default_joint_def();
    slider.name = body.name, slider.kind = PL_JOINT_PRISMATIC, slider.child = id,
    slider.axis = (plVec3){k ? -1 : 1, 0, 0};
    slider.pose.p.x = k ? 0.06 : -0.06, slider.dof[0].damping = 50;
    CHECK_INT(pl_spec_add_joint(w.spec, &slider, &joint, &w.error), PL_OK);
    plActuatorDef push = pl_default_actuator_def();
    push.name = body.name, push.joint = joint, push.has_input = true, push.input[0] = 40;
    CHECK_INT(pl_spec_add_actuator(w.spec, &push, NULL, &w.error), PL_OK);
    plShapeDef plate = box_shape(0.02, 0.3, 0.3, 1);
    plate.name = body.name, plate.body = id;
    CHECK_INT(pl_spec_add_shape(w.spec, &plate, NULL, &w.error), PL_OK);
  }
  if (soft) {
    int id = add_block(&w, (plVec3){0.1, 0.1, 0.1}, 3, 3, 3, pose_at(0, 0, 0), 1e5);
    w.spec->deform[id].surface.friction = 1;
  } else
    add_body(&w, "box", box_shape(0.1, 0.1, 0.1, 1), pose_at(0, 0, 0), (plVec3){0, 0, 0}, 1, 1.0 / 600);
  build(&w);
  return w;
}

static double speed_of(const World* w, bool soft) {
  plBodyState state;
  if (!soft) return -w->data->v[2 + 2];
  pl_deformable_state(w->data, 0, &state);
  return -state.momentum.z / state.mass;
}

// A point that sticks slips by R_t gamma_t. When all slip alike, their impulses add up to the weight: v = m g
// dt / sum of 1 / R_t, where 1 / (R_t dt) is a point's friction over its slip. (Points of a rigid box have
// one R_t, which the report says.)
static double predicted_creep(const plData* data, double weight) {
  double sum = 0;
  for (int i = 0; i < data->ncontact; i++) {
    const plContact* c = &data->contact[i];
    const plVec3 *f = &c->force, *n = &c->normal, *s = &c->slip;
    double fn = f->x * n->x + f->y * n->y + f->z * n->z, f2 = f->x * f->x + f->y * f->y + f->z * f->z,
           s2 = s->x * s->x + s->y * s->y + s->z * s->z;
    if (fn > 0 && c->stick) sum += sqrt((f2 - fn * fn) / s2);
  }
  return weight / sum;
}

static void what_is_held_creeps_as_the_law_says(void) {
  for (int soft = 0; soft < 2; soft++)
    for (int fine = 0; fine < 2; fine++) {
      double dt = fine ? 0.001 : 0.01;
      World w = held(soft, dt);
      run(&w, fine ? 1000 : 300);
      double v = speed_of(&w, soft),
             predicted =
                 soft ? predicted_creep(w.data, g0) : w.data->report.sap.R_t_max * g0 * dt / w.data->ncontact;
      printf(
          "  %s, dt %g: creeps with %.3e m/s, %.3e predicted (sigma dt g = %.1e); %d points stick, %d "
          "slide\n",
          soft ? "soft" : "rigid", dt, v, predicted, 1e-3 * dt * g0, w.data->report.sap.stick,
          w.data->report.sap.slide);
      CHECK_NEAR(v, predicted, (soft ? 0.2 : 0.1) * predicted);
      CHECK_BELOW(v, fine ? 1e-5 : 1e-4, 1);
      end(&w);
    }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(an_incline_slides_at_049_and_holds_at_050);
  RUN(a_sliding_box_stops_at_the_textbook_distance);
  RUN(a_sliding_ball_begins_to_roll);
  RUN(linear_dissipation_has_the_textbook_restitution);
  RUN(hunt_crossley_has_the_textbook_restitution);
  RUN(a_leaning_card_stands_above_its_threshold);
  RUN(a_tent_of_two_cards_stands_above_its_threshold);
  RUN(painleves_rod_is_solved_and_dissipates);
  RUN(heavy_boxes_stand_on_light_ones);
  RUN(a_heavy_soft_cube_stands_on_a_light_one);
  RUN(what_is_held_creeps_as_the_law_says);
  return CHECK_END;
}

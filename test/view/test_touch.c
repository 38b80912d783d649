// test_touch.c: steering by differential inverse kinematics, the hand's spring, the past: against brute force
// and closed forms.
#include "base/random.h"
#include "check.h"
#include "math/vec3.h"
#include "pliant/pliant.h"
#include "view/live.h"
#include "view/parts.h"

// ---- an arm of three hinges in a plane, links of 1 m, with stiff controllers

static const plModel* planar_arm(double lower) {
  plError error;
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->gravity = (plVec3){0, 0, 0};
  static const double start[3] = {0.4, 0.8, -0.5};
  for (int i = 0; i < 3; i++) {
    char name[3][32];
    snprintf(name[0], 32, "link%d", i), snprintf(name[1], 32, "hinge%d", i),
        snprintf(name[2], 32, "motor%d", i);
    plBodyDef body = pl_default_body_def();
    body.name = name[0], body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.05;
    int id, joint_id;
    CHECK_INT(pl_spec_add_body(spec, &body, &id, &error), PL_OK);
    plJointDef joint = pl_default_joint_def();
    joint.name = name[1], joint.parent = i ? id - 1 : -1, joint.child = id, joint.position[0] = start[i];
    joint.pose.p.x = i ? 1 : 0, joint.dof[0].lower = lower, joint.dof[0].upper = 2;
    CHECK_INT(pl_spec_add_joint(spec, &joint, &joint_id, &error), PL_OK);
    plActuatorDef motor = pl_default_actuator_def();
    motor.name = name[2], motor.kind = i == 1 ? PL_ACTUATOR_POSITION : PL_ACTUATOR_PD, motor.joint = joint_id;
    motor.kp = 1e5, motor.kd = 1e3, motor.gear = i == 1 ? 2 : 1;
    CHECK_INT(pl_spec_add_actuator(spec, &motor, NULL, &error), PL_OK);
  }
  const plModel* model = pl_model_create(spec, &error);
  CHECK(model);
  pl_spec_destroy(spec);
  return model;
}

static plVec3 tip(const plData* data) {
  plRigidState state;
  pl_rigid_body_state(data, 2, &state);
  return state.pose.p;
}

// The effector goes where it is told: 0.2 m/s for half a second is 0.1 m, and stays there.
static void the_effector_follows(void) {
  plError error;
  const plModel* model = planar_arm(-2);
  plData* data = pl_data_create(model, &error);
  plTeleop t;
  CHECK(pl_teleop_open(&t, model, -1, &error));
  CHECK_INT(t.effector, 2);
  CHECK_INT(t.narm, 3);
  plVec3 before = tip(data);
  for (int i = 0; i < 150; i++) {
    double twist[6] = {i < 50 ? 0.2 : 0, i < 50 ? -0.1 : 0};
    memcpy(t.twist, twist, sizeof twist);
    pl_teleop_move(&t, data, 0.01);
    CHECK_INT(pl_step(data, &error), PL_OK);
  }
  plVec3 after = tip(data);
  CHECK_NEAR(after.x - before.x, 0.1, 5.4e-4);
  CHECK_NEAR(after.y - before.y, -0.05, 6e-4);
  CHECK_BELOW(fabs(data->v[0]) + fabs(data->v[1]) + fabs(data->v[2]), 1.5e-14, 1);
  pl_teleop_close(&t);
  pl_data_destroy(data);
  pl_model_destroy(model);
}

// Pulled far beyond its reach the arm stretches, keeps limits and speeds, and nothing becomes infinite.
static void limits_and_singularities_are_kept(void) {
  plError error;
  const plModel* model = planar_arm(-0.6);
  plData* data = pl_data_create(model, &error);
  plTeleop t;
  CHECK(pl_teleop_open(&t, model, -1, &error));
  double last[3] = {data->u[0], data->u[3], data->u[4]};
  for (int i = 0; i < 600; i++) {
    double twist[6] = {i < 300 ? 1.5 : -1.5, 0.3, 0, 0, 0, 0};
    memcpy(t.twist, twist, sizeof twist);
    pl_teleop_move(&t, data, 0.01);
    CHECK_INT(pl_step(data, &error), PL_OK);
    for (int k = 0; k < 3; k++) {
      double gear = k == 1 ? 2 : 1, u = data->u[model->act_u0[k]] / gear;
      CHECK(isfinite(u));
      CHECK_BELOW(fmax(-0.6 - u, u - 2), 1.5e-14, 1);
      if (i) CHECK_BELOW(fabs(u - last[k]) - 1.5 * 0.01, 1.5e-14, 1);
      last[k] = u;
    }
  }
  pl_teleop_close(&t);
  pl_data_destroy(data);
  pl_model_destroy(model);
}

// ---- orders to single actuators

static void ignore(void* user, int client, const char* kind, const char* text) {
  (void)user, (void)client, (void)kind, (void)text;
}
static void ignore_file(void* user, const char* path) { (void)user, (void)path; }

// A hinge with limits and an actuator with a gear: alone, or on a tendon of this one joint.
static const plModel* geared(plActuatorKind kind, double gear, double coefficient, const double limit[2],
                             const double input[2]) {
  plError error;
  plSpec* spec = pl_spec_create();
  plBodyDef body = pl_default_body_def();
  body.name = "a", body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  plJointDef joint = pl_default_joint_def();
  int on = 0;
  CHECK_INT(pl_spec_add_body(spec, &body, &joint.child, &error), PL_OK);
  joint.name = "j", joint.dof[0].lower = limit[0], joint.dof[0].upper = limit[1];
  joint.position[0] = isfinite(limit[0]) ? 0.5 * (limit[0] + limit[1]) : 0.3;
  CHECK_INT(pl_spec_add_joint(spec, &joint, NULL, &error), PL_OK);
  plActuatorDef motor = pl_default_actuator_def();
  motor.name = "m", motor.kind = kind, motor.joint = 0, motor.kp = 7, motor.kd = 1, motor.gear = gear;
  motor.gain = 3, motor.bias[0] = 0.6, motor.bias[1] = -3;
  motor.lower = input[0], motor.upper = input[1];
  if (coefficient != 1) motor.njoint = 1, motor.tendon = &on, motor.coefficient = &coefficient;
  CHECK_INT(pl_spec_add_actuator(spec, &motor, NULL, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  CHECK(model);
  pl_spec_destroy(spec);
  return model;
}

// The order `input` sets what the same value in a scene sets, within the limits of the input; where the joint
// would leave its limits, what holds the joint at the limit. The units are those of the actuator's input.
static void an_order_is_in_the_units_of_its_input(void) {
  plRandom r = {3};
  static const plActuatorKind kinds[] = {PL_ACTUATOR_POSITION, PL_ACTUATOR_PD, PL_ACTUATOR_AFFINE};
  int whole = 0, cut = 0;
  for (int round = 0; round < 400; round++) {
    plActuatorKind kind = kinds[round % 3];
    double sign = pl_random_int(&r, 2) ? 1 : -1, gear = sign * exp(pl_random(&r, -4, 4)),
           c = round % 2 ? 1 : pl_random(&r, 0.2, 3), low = pl_random(&r, -2, 1),
           limit[2] = {low, low + pl_random(&r, 0.1, 2)}, input[2] = {-INFINITY, INFINITY};
    if (round % 5 == 0) limit[0] = -INFINITY, limit[1] = INFINITY;
    if (round % 7 == 0) input[0] = -2, input[1] = 1;
    plError error;
    const plModel* model = geared(kind, gear, c, limit, input);
    plData* data = pl_data_create(model, &error);
    plOrders orders;
    pl_orders_open(&orders);
    plLiveOptions options = {
        .data = data, .name = "x", .orders = &orders, .paused = true, .tell = ignore, .made = ignore_file};
    plLive* live = pl_live_open(&options, &error);
    CHECK(live);
    // the input that holds the joint at q
    double offset = kind == PL_ACTUATOR_AFFINE ? -0.2 : 0, ratio = gear * c,
           from = isfinite(limit[0]) ? limit[0] : data->q[0] - 10 / c,
           to = isfinite(limit[0]) ? limit[1] : data->q[0] + 10 / c,
           a = fmin(ratio * from, ratio * to) + offset, b = fmax(ratio * from, ratio * to) + offset,
           x = pl_random(&r, a - 0.5 * (b - a), b + 0.5 * (b - a)),
           wanted = fmin(fmax(fmin(fmax(x, a), b), input[0]), input[1]);
    pl_live_obey(live, &(plOrder){.kind = PL_ORDER_INPUT, .x = {x}});
    if (wanted == x) CHECK(data->u[0] == x);
    CHECK_BELOW(fabs(data->u[0] - wanted), 1e-12 * (1 + fabs(wanted)),
                1);  // wide: rounding of three products
    whole += wanted == x, cut += wanted != x;
    pl_live_close(live);
    pl_orders_close(&orders);
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
  CHECK(whole > 100 && cut > 100);
}

// Steering an arm whose hinges are driven by tendons of one joint each moves it as without them.
static void a_tendon_of_one_joint_steers_alike(void) {
  plError error;
  const double limit[2] = {-2, 2}, input[2] = {-INFINITY, INFINITY};
  double moved[3];
  for (int k = 2; k >= 0; k--) {
    const plModel* model = geared(PL_ACTUATOR_POSITION, k ? 1 : -2, k == 2 ? 1 : 0.4, limit, input);
    plData* data = pl_data_create(model, &error);
    plTeleop t;
    CHECK(pl_teleop_open(&t, model, 0, &error));
    t.twist[5] = 1;
    double before = data->u[0];
    for (int i = 0; i < 10; i++) pl_teleop_move(&t, data, 0.01);
    double ratio = k == 0 ? -0.8 : k == 1 ? 0.4 : 1;
    moved[k] = (data->u[0] - before) / ratio;
    CHECK_NEAR(moved[k], 0.1, 5e-4);  // wide: inverse kinematics is damped
    CHECK_ROUND(moved[k], moved[2], 1);
    pl_teleop_close(&t);
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
}

// ---- an arm with a hand and a soft ball (scenes/allegro_teleop.yaml)

typedef struct Grasp {
  plData* data;
  plTeleop teleop;
} Grasp;

static double palm_height(const Grasp* g) {
  plRigidState state;
  pl_rigid_body_state(g->data, g->teleop.effector, &state);
  return state.pose.p.z;
}

static double ball_height(const Grasp* g) {
  plBodyState state;
  pl_deformable_state(g->data, 0, &state);
  return state.com.z;
}

static bool move(Grasp* g, double up, double close, int nstep) {
  plError error;
  plStatus status = PL_OK;
  for (int i = 0; i < nstep && !status; i++) {
    g->teleop.twist[2] = up, g->teleop.grip_rate = close;
    pl_teleop_move(&g->teleop, g->data, g->data->par->options.dt);
    status = pl_step(g->data, &error);
  }
  CHECK_INT(status, PL_OK);
  return !status;
}

// Down to a height, close, up again: the ball comes along, whatever the height was.
static void a_steered_hand_lifts_the_ball(void) {
  plError error;
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_load(PLIANT_SOURCEDIR "/scenes/allegro_teleop.yaml", NULL, &spec, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  Grasp g = {.data = pl_data_create(model, &error)};
  for (int k = 0; k < CHECK_MEMBERS(2); k++) {
    double height = 0.33 - 0.02 * k;
    pl_data_reset(g.data);
    CHECK(pl_teleop_open(&g.teleop, model, -1, &error));
    pl_teleop_sync(&g.teleop, g.data);
    CHECK(move(&g, 0, 0, 50));
    double low = ball_height(&g), start = palm_height(&g);
    for (int i = 0; i < 200 && palm_height(&g) > height + 0.02; i++) CHECK(move(&g, -0.2, 0, 1));
    for (int i = 0; i < 400 && palm_height(&g) > height; i++) CHECK(move(&g, -0.02, 0, 1));
    // or as far as its fingers, which stand on the ground, let it
    CHECK(palm_height(&g) < height + 0.01);
    CHECK(move(&g, 0, 1.2, 150));
    for (int i = 0; i < 400 && palm_height(&g) < start; i++) CHECK(move(&g, 0.2, 0, 1));
    CHECK(move(&g, 0, 0, 70));
    CHECK(ball_height(&g) > low + 0.08);
    pl_teleop_close(&g.teleop);
  }
  pl_data_destroy(g.data);
  pl_model_destroy(model);
  pl_spec_destroy(spec);
}

// ---- the hand

static const plModel* one_body(bool soft, double dt) {
  plError error;
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->dt = dt;
  if (soft) {
    plMesh* mesh = NULL;
    pl_mesh_box((plVec3){0.1, 0.1, 0.1}, 0.035, &mesh, &error);
    plDeformableDef def = pl_default_deformable_def();
    def.name = "soft", def.mesh = mesh;
    pl_spec_add_deformable(spec, &def, NULL, &error);
    pl_mesh_destroy(mesh);
  } else {
    plBodyDef body = pl_default_body_def();
    body.name = "hard", body.mass = 2, body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.01;
    pl_spec_add_body(spec, &body, NULL, &error);
    plShapeDef shape = pl_default_shape_def();
    shape.name = "cube", shape.body = 0, shape.size = (plVec3){0.1, 0.1, 0.1};
    pl_spec_add_shape(spec, &shape, NULL, &error);
  }
  const plModel* model = pl_model_create(spec, &error);
  CHECK(model);
  pl_spec_destroy(spec);
  return model;
}

// A body hangs on the spring: at rest, the force carries its weight. True for coarse and fine steps.
static void the_spring_carries_the_weight(void) {
  static const double dts[] = {0.001, 0.01, 0.05};
  for (int kind = 0; kind < 2; kind++)
    for (int k = 0; k < 3; k++) {
      plError error;
      const plModel* model = one_body(kind, dts[k]);
      plData* data = pl_data_create(model, &error);
      plGrab g;
      CHECK(pl_grab_begin(&g, data, 0, 0, (plVec3){0, 0, 0}));
      g.target = (plVec3){0.1, 0.2, 0.3};
      // swings under tension fade over some 100 steps, whatever their length
      int steps = (int)fmax(4 / dts[k], 320);
      for (int i = 0; i < steps; i++) {
        pl_grab_pull(&g, data);
        CHECK_INT(pl_step(data, &error), PL_OK);
      }
      double mass = kind ? model->par->deform_material[0].density * model->deform_volume[0] : 2;
      CHECK_NEAR(g.force.z, mass * 9.81, 1e-6 * mass * 9.81);  // wide: the tolerance of the solve
      CHECK_BELOW(fabs(g.force.x) + fabs(g.force.y), 0.05, mass * 9.81);
      CHECK(v3_norm(v3_sub(g.target, g.point)) < 0.15);
      pl_grab_end(&g, data);
      for (int i = 0; i < model->nv; i++) CHECK(data->f_user[i] == 0);
      pl_data_destroy(data);
      pl_model_destroy(model);
    }
}

static void what_is_not_there_cannot_be_held(void) {
  plError error;
  const plModel* model = one_body(true, 0.01);
  plData* data = pl_data_create(model, &error);
  plGrab g;
  CHECK(!pl_grab_begin(&g, data, -1, 0, (plVec3){0}));
  CHECK(!pl_grab_begin(&g, data, 1, 0, (plVec3){0}));
  CHECK(!pl_grab_begin(&g, data, 0, -1, (plVec3){0}));
  CHECK(!pl_grab_begin(&g, data, 0, model->nvert, (plVec3){0}));
  pl_data_destroy(data);
  pl_model_destroy(model);
}

// ---- the past

// Going back and on again gives the same bits; the past covers all of the run however long it is.
static void the_past_comes_back_to_the_bit(void) {
  plError error;
  const plModel* model = one_body(true, 0.01);
  plData* data = pl_data_create(model, &error);
  plHistory h;
  CHECK(pl_history_open(&h, data));
  h.cap = 16;
  pl_history_keep(&h, data);
  uint64_t hash[201];
  for (int i = 0; i < 200; i++) {
    hash[i] = pl_state_hash(data);
    CHECK_INT(pl_step(data, &error), PL_OK);
    pl_history_keep(&h, data);
    CHECK(h.n <= 16);
  }
  CHECK(h.n >= 6 && h.past[0].time == 0);
  for (int i = 1; i < h.n; i++) CHECK_NEAR(h.past[i].time - h.past[i - 1].time, h.past[1].time, 0.031);
  CHECK_INT(pl_history_restore(&h, 1, data, &error), PL_OK);
  CHECK(data->time <= 1 + 1e-9 && data->time > 0.6);
  int at = (int)lround(data->time / 0.01);
  CHECK(pl_state_hash(data) == hash[at]);
  CHECK_INT(pl_step(data, &error), PL_OK);
  CHECK(pl_state_hash(data) == hash[at + 1]);
  // the later history is discarded
  pl_history_keep(&h, data);
  CHECK(h.past[h.n - 1].time <= data->time + 1e-9);
  pl_history_close(&h);
  pl_data_destroy(data);
  pl_model_destroy(model);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(the_effector_follows);
  RUN(limits_and_singularities_are_kept);
  RUN(an_order_is_in_the_units_of_its_input);
  RUN(a_tendon_of_one_joint_steers_alike);
  RUN(a_steered_hand_lifts_the_ball);
  RUN(the_spring_carries_the_weight);
  RUN(what_is_not_there_cannot_be_held);
  RUN(the_past_comes_back_to_the_bit);
  return CHECK_END;
}

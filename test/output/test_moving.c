// Rigid bodies in recordings, signals, surfaces: a replay shows the numbers of the simulation.
#include "check.h"

#include "output/surface.h"
#include "sample.h"

// A ball that falls freely, a cart that slides along x at 2 m/s from 0.1 m, a soft block.
static const plModel* make_model(void) {
  plError error;
  plOptions options = pl_default_options();
  plSpec* spec = block_spec(2, options);
  plBodyDef ball = pl_default_body_def(), cart = pl_default_body_def();
  ball.name = "ball", ball.mass = 0.5, ball.pose.p = (plVec3){0, 0.5, 1};
  cart.name = "cart", cart.mass = 2;
  for (int k = 0; k < 3; k++) ball.inertia[k] = 1e-3, cart.inertia[k] = 1e-2;
  int ball_id, cart_id, joint;
  CHECK_INT(pl_spec_add_body(spec, &ball, &ball_id, &error), PL_OK);
  CHECK_INT(pl_spec_add_body(spec, &cart, &cart_id, &error), PL_OK);
  plJointDef rail = pl_default_joint_def();
  rail.name = "rail", rail.kind = PL_JOINT_PRISMATIC, rail.parent = -1, rail.child = cart_id,
  rail.axis = (plVec3){1, 0, 0};
  CHECK_INT(pl_spec_add_joint(spec, &rail, &joint, &error), PL_OK);
  CHECK_INT(pl_spec_set_joint_start(spec, joint, (double[1]){0.1}, (double[1]){2}, &error), PL_OK);
  plShapeDef shape = pl_default_shape_def();
  shape.name = "ball_shape", shape.kind = PL_SHAPE_SPHERE, shape.radius = 0.05, shape.body = ball_id;
  CHECK_INT(pl_spec_add_shape(spec, &shape, NULL, &error), PL_OK);
  shape.name = "cart_shape", shape.kind = PL_SHAPE_BOX, shape.size = (plVec3){0.2, 0.1, 0.1},
  shape.body = cart_id, shape.pose.p.z = 0.3;
  CHECK_INT(pl_spec_add_shape(spec, &shape, NULL, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  if (!model) printf("%s\n", error.message);
  pl_spec_destroy(spec);
  return model;
}

static const char list[] =
    "time, ball.com, ball.position.z, ball.velocity.z, ball.kinetic_energy, ball.mass, cart.com.x, "
    "cart.momentum.x, rail.q, rail.v, ball.q, "
    "ball.v(2), ball.angular_velocity, energy.total, momentum, ball.contact_force.z, "
    "contact(ball,block).force, block.com.z";

static void place_of(const plData* data, int side, plVec3* lower, plVec3* upper) {
  plError error;
  plSurfaces* s;
  CHECK_INT(pl_surfaces_create(data, &s, &error), PL_OK);
  for (int p = 0; p < s->npart; p++)
    for (int i = 0; s->part[p].side == side && i < s->part[p].nvert; i++) {
      const double* x = s->part[p].vert + 3 * i;
      if (i == 0) *lower = *upper = (plVec3){x[0], x[1], x[2]};
      *lower = (plVec3){fmin(lower->x, x[0]), fmin(lower->y, x[1]), fmin(lower->z, x[2])};
      *upper = (plVec3){fmax(upper->x, x[0]), fmax(upper->y, x[1]), fmax(upper->z, x[2])};
    }
  pl_surfaces_destroy(s);
}

static void a_replay_has_the_numbers_of_the_run(void) {
  plError error;
  const plModel* model = make_model();
  plData* data = pl_data_create(model, &error);
  const char* path = sample_path("moving.plrec");
  plRecording* recording;
  plSignals *live, *replayed;
  double before[20][64], after[64];
  uint64_t hash[20];
  CHECK_INT(pl_signals_create(model, list, &live, &error), PL_OK);
  CHECK(pl_signals_count(live) < 64);
  CHECK_INT(pl_recording_open(path, model, &recording, &error), PL_OK);
  for (int i = 0; i < 20; i++) {
    CHECK_INT(pl_signals_eval(live, data, before[i], &error), PL_OK);
    CHECK_INT(pl_recording_write(recording, data, &error), PL_OK);
    hash[i] = pl_state_hash(data);
    CHECK_INT(pl_step(data, &error), PL_OK);
  }
  CHECK_INT(pl_recording_close(recording, &error), PL_OK);
  plReplay* replay;
  CHECK_INT(pl_replay_open(path, &replay, &error), PL_OK);
  CHECK_INT(pl_signals_create(pl_replay_model(replay), list, &replayed, &error), PL_OK);
  for (int i = 0; i < 20; i++) {
    CHECK_INT(pl_replay_seek(replay, i, &error), PL_OK);
    CHECK_INT(pl_signals_eval(replayed, pl_replay_data(replay), after, &error), PL_OK);
    for (int k = 0; k < pl_signals_count(live); k++) CHECK_NEAR(after[k], before[i][k], 0);
  }
  // Shapes stand where their bodies are: the ball has fallen, the cart has moved on.
  double t = pl_replay_data(replay)->time, fall = 9.81 * 0.01 * 0.01 * 19 * 20 / 2;
  plVec3 lower, upper;
  place_of(pl_replay_data(replay), 1, &lower, &upper);
  CHECK_ROUND((lower.z + upper.z) / 2, 1 - fall, 0.9);
  place_of(pl_replay_data(replay), 2, &lower, &upper);
  CHECK_ROUND((lower.x + upper.x) / 2, 0.1 + 2 * t, 0.5);
  CHECK_ROUND((lower.z + upper.z) / 2, 0.3, 0.3);
  // The run can be continued from a frame.
  CHECK_INT(pl_replay_seek(replay, 5, &error), PL_OK);
  CHECK_INT(pl_replay_restore(replay, data, &error), PL_OK);
  for (int i = 5; i < 20; i++) {
    CHECK(pl_state_hash(data) == hash[i]);
    pl_step(data, &error);
  }
  pl_signals_destroy(live), pl_signals_destroy(replayed);
  pl_replay_close(replay);
  pl_data_destroy(data), pl_model_destroy(model);
}

static void signals_of_bodies_and_joints_are_right(void) {
  plError error;
  const plModel* model = make_model();
  plData* data = pl_data_create(model, &error);
  for (int i = 0; i < 10; i++) pl_step(data, &error);
  plSignals* s;
  double row[8];
  CHECK_INT(
      pl_signals_create(
          model,
          "ball.velocity.z, ball.kinetic_energy, rail.q, rail.v, cart.momentum.x, ball.q(2), momentum.x", &s,
          &error),
      PL_OK);
  CHECK_INT(pl_signals_eval(s, data, row, &error), PL_OK);
  CHECK_ROUND(row[0], -0.981, 1);
  CHECK_ROUND(row[1], 0.5 * 0.5 * 0.981 * 0.981, 0.3);
  CHECK_ROUND(row[2], 0.1 + 2 * 0.1, 0.3);
  CHECK_NEAR(row[3], 2, 2.8e-14);
  CHECK_NEAR(row[4], 4, 5.6e-14);
  CHECK_ROUND(row[5], 1 - 9.81 * 1e-4 * 55, 1);
  CHECK_NEAR(row[6], 4, 5.6e-14);
  CHECK_STR(pl_signals_name(s, 2), "rail.q");
  CHECK_STR(pl_signals_unit(s, 2), "m");
  CHECK_STR(pl_signals_unit(s, 3), "m/s");
  CHECK_STR(pl_signals_name(s, 5), "ball.q(2)");
  pl_signals_destroy(s);
  CHECK_INT(pl_signals_create(model, "ball.q", &s, &error), PL_OK);
  CHECK_INT(pl_signals_count(s), 7);
  CHECK_STR(pl_signals_unit(s, 0), "m");
  CHECK_STR(pl_signals_unit(s, 6), "1");
  pl_signals_destroy(s);
  CHECK_INT(pl_signals_create(model, "rail.w", &s, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "rail.q, rail.v");
  CHECK_INT(pl_signals_create(model, "ball.q(7)", &s, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "0 .. 6");
  CHECK_INT(pl_signals_create(model, "ball.comm", &s, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "did you mean 'com'");
  CHECK_INT(pl_signals_create(model, "ral.q", &s, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "did you mean 'rail'");
  pl_data_destroy(data), pl_model_destroy(model);
}

// A contact of a shape counts for the body that carries it.
static void contacts_of_shapes_belong_to_their_body(void) {
  plError error;
  const plModel* model = make_model();
  plData* data = pl_data_create(model, &error);
  plContact* own = data->contact;
  int nown = data->ncontact;
  plContact contact[2] = {
      {.a = {PL_SIDE_SHAPE, 0}, .b = {PL_SIDE_DEFORMABLE, 0}, .normal = {0, 0, 1}, .force = {0, 0, 3}},
      {.a = {PL_SIDE_DEFORMABLE, 0}, .b = {PL_SIDE_SHAPE, 1}, .normal = {1, 0, 0}, .force = {4, 0, 0}}};
  data->contact = contact, data->ncontact = 2;
  plSignals* s;
  double row[8];
  CHECK_INT(pl_signals_create(model,
                              "contact(ball,block).force.z, contact(ball_shape,block).force.z, "
                              "ball.contact_force.z, cart.contact_force.x, "
                              "contact(cart,block).force.x",
                              &s, &error),
            PL_OK);
  CHECK_INT(pl_signals_eval(s, data, row, &error), PL_OK);
  CHECK_NEAR(row[0], 3, 0);
  CHECK_NEAR(row[1], 3, 0);
  CHECK_NEAR(row[2], -3, 0);
  CHECK_NEAR(row[3], 4, 0);
  CHECK_NEAR(row[4], -4, 0);
  pl_signals_destroy(s);
  data->contact = own, data->ncontact = nown;
  pl_data_destroy(data), pl_model_destroy(model);
}

// Of a body with a shape for looks, that shape alone is shown.
static void shapes_for_looks_hide_those_for_contact(void) {
  plError error;
  plSpec* spec = pl_spec_create();
  plBodyDef body = pl_default_body_def();
  body.name = "link", body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  CHECK_INT(pl_spec_add_body(spec, &body, NULL, &error), PL_OK);
  plShapeDef shape = pl_default_shape_def();
  shape.kind = PL_SHAPE_SPHERE, shape.radius = 0.1, shape.body = 0, shape.name = "contact";
  CHECK_INT(pl_spec_add_shape(spec, &shape, NULL, &error), PL_OK);
  shape.name = "looks", shape.collide = false;
  CHECK_INT(pl_spec_add_shape(spec, &shape, NULL, &error), PL_OK);
  shape.name = "table", shape.collide = true, shape.body = -1;
  CHECK_INT(pl_spec_add_shape(spec, &shape, NULL, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  plData* data = pl_data_create(model, &error);
  plSurfaces* s;
  CHECK_INT(pl_surfaces_create(data, &s, &error), PL_OK);
  CHECK_INT(s->npart, 2);
  CHECK_STR(s->part[0].name, "looks");
  CHECK_STR(s->part[1].name, "table");
  pl_surfaces_destroy(s);
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_replay_has_the_numbers_of_the_run);
  RUN(signals_of_bodies_and_joints_are_right);
  RUN(contacts_of_shapes_belong_to_their_body);
  RUN(shapes_for_looks_hide_those_for_contact);
  return CHECK_END;
}

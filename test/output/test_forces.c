// Forces as signals and in recordings: the numbers of the library, the same from a replay, and a run that
// continues from a frame.
#include "check.h"

#include "output/recording.h"
#include "pliant/forces.h"
#include "pliant/stream.h"
#include "sample.h"

static const char scene[] =
    "pliant: 1\n"
    "options: {dt: 0.005}\n"
    "bodies:\n"
    "  - {name: arm, mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02],\n"
    "     joint: {name: shoulder, kind: revolute, axis: [0, -1, 0], friction: 0.2, upper: 0.1}}\n"
    "  - {name: hand, mass: 0.5, inertia: [0.01, 0.01, 0.01],\n"
    "     joint: {name: wrist, kind: prismatic, parent: arm, axis: [1, 0, 0], pose: {position: [0.4, 0, "
    "0]},\n"
    "             actuator: {name: push, kind: pd, kp: 100, kd: 10, effort: 5}}}\n"
    "  - {name: ball, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [0, 1, 0]}}\n"
    "  - {name: mate, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [0.3, 1, 0]}}\n"
    "  - {name: cart, mass: 1, inertia: [0.01, 0.01, 0.01], joint: {name: rail, kind: prismatic, axis: [1, "
    "0, 0], velocity: 1}}\n"
    "deformables:\n"
    "  - {name: pad, shape: box, size: [0.1, 0.1, 0.1], cells: [2, 2, 2], pose: {position: [0.4, 0, -0.1]}}\n"
    "  - {name: rind, shape: box, size: [0.1, 0.1, 0.1], cells: [2, 2, 2], pose: {position: [0.4, 0, "
    "-0.2]}}\n"
    "attachments:\n"
    "  - {name: glue, deformable: pad, region: {shape: half_space, normal: [0, 0, -1], centre: [0, 0, "
    "0.0499]}, to: hand}\n"
    "  - {name: layer, deformable: rind, region: {shape: half_space, normal: [0, 0, -1], centre: [0, 0, "
    "0.0499]}, to: pad}\n"
    "constraints:\n"
    "  - {name: pin, kind: ball, a: world, b: ball, pose_a: {position: [0, 1, 0]}}\n"
    "  - {name: bond, kind: weld, a: ball, b: mate, pose_a: {position: [0.3, 0, 0]}}\n"
    "  - {name: rod, kind: distance, a: world, b: mate, length: 1.2, pose_a: {position: [0.3, 1, 1.2]}}\n"
    "  - {name: stop, kind: tendon, joints: rail, upper: 0.02}\n"
    "shapes:\n"
    "  - {name: ground, shape: half_space, pose: {position: [0, 0, -0.25]}}\n";

static const char list[] =
    "shoulder.force, shoulder.moment, shoulder.limit, shoulder.friction, wrist.force.x, wrist.motor, "
    "ball.force, "
    "actuator(push).force, constraint(pin).force, constraint(bond).force, constraint(bond).moment.norm, "
    "constraint(rod).effort, "
    "constraint(rod).force.z, constraint(stop).effort, attachment(glue).force, attachment(glue).moment, "
    "attachment(layer).force.z, "
    "attachment(layer).centre, report.cone_violation, report.slip_angle, report.complementarity, "
    "report.creep, report.R_n_max, "
    "report.R_t_min, report.stick, report.slide, report.open, rail.motor";

static const plModel* make_model(void) {
  plSpec* spec;
  plError error;
  if (pl_spec_parse("forces", ".", scene, sizeof scene - 1, NULL, &spec, &error))
    return printf("%s\n", error.message), NULL;
  const plModel* model = pl_model_create(spec, &error);
  if (!model) printf("%s\n", error.message);
  pl_spec_destroy(spec);
  return model;
}

static int column(const plSignals* s, const char* name) {
  for (int i = 0; i < pl_signals_count(s); i++)
    if (!strcmp(pl_signals_name(s, i), name)) return i;
  printf("no column %s\n", name);
  check_errors++;
  return 0;
}

// A live row against the functions of forces.h.
static void compare_with_library(const plSignals* s, const plData* data, const double* row) {
  plWrench wrench[8], w;
  double effort;
  plVec3 centre;
  CHECK_INT(pl_joint_wrenches(data, wrench, NULL), PL_OK);
  CHECK_NEAR(row[column(s, "shoulder.force.z")], wrench[0].force.z, 0);
  CHECK_NEAR(row[column(s, "shoulder.moment.y")], wrench[0].moment.y, 0);
  CHECK_NEAR(row[column(s, "wrist.force.x")], wrench[1].force.x, 0);
  CHECK_NEAR(row[column(s, "shoulder.friction")], pl_friction_force(data, 0), 0);
  CHECK_NEAR(row[column(s, "wrist.motor")], data->actuator_force[0], 0);
  CHECK_NEAR(row[column(s, "actuator(push).force")], data->actuator_force[0], 0);
  CHECK_INT(pl_constraint_force(data, 1, &w, NULL), PL_OK);
  CHECK_NEAR(row[column(s, "constraint(bond).force.z")], w.force.z, 0);
  CHECK_INT(pl_constraint_force(data, 2, NULL, &effort), PL_OK);
  CHECK_NEAR(row[column(s, "constraint(rod).effort")], effort, 0);
  CHECK_INT(pl_attachment_force(data, 1, &w, &centre), PL_OK);
  CHECK_NEAR(row[column(s, "attachment(layer).force.z")], w.force.z, 0);
  CHECK_NEAR(row[column(s, "attachment(layer).centre.z")], centre.z, 0);
  CHECK_NEAR(row[column(s, "report.R_n_max")], data->report.sap.R_n_max, 0);
  CHECK_INT(pl_constraint_force(data, 9, &w, NULL), PL_ERROR_INPUT);
}

enum { STEPS = 40, CUT = 20, MOST = 100 };

static void signals_of_a_replay_are_those_of_the_run(void) {
  plError error;
  const plModel* model = make_model();
  plData* data = model ? pl_data_create(model, &error) : NULL;
  CHECK(data != NULL);
  if (!data) return;
  const char* path = sample_path("forces.plrec");
  plRecording* recording;
  plSignals *signals, *again;
  static double row[STEPS + 1][MOST], replayed[MOST];
  CHECK_INT(pl_recording_open(path, model, &recording, &error), PL_OK);
  CHECK_INT(pl_signals_create(model, list, &signals, &error), PL_OK);
  int n = pl_signals_count(signals);
  CHECK(n < MOST);
  CHECK_STR(pl_signals_unit(signals, column(signals, "wrist.motor")), "N");
  CHECK_STR(pl_signals_unit(signals, column(signals, "shoulder.limit")), "Nm");
  CHECK_STR(pl_signals_unit(signals, column(signals, "constraint(stop).effort")), "N");
  for (int i = 0; i <= STEPS; i++) {
    plStatus status = i ? pl_step(data, &error) : PL_OK;
    if (status) printf("%s\n", error.message);
    CHECK_INT(status, PL_OK);
    if (i == CUT) CHECK_INT(pl_attach(data, 0, (int[]){0, 1}, 2, -1, NULL, &error), PL_OK);
    CHECK_INT(pl_signals_eval(signals, data, row[i], &error), PL_OK);
    CHECK_INT(pl_recording_write(recording, data, &error), PL_OK);
    if (i) compare_with_library(signals, data, row[i]);
  }
  CHECK_INT(pl_recording_close(recording, &error), PL_OK);
  CHECK(row[STEPS][column(signals, "attachment(glue).force.norm")] > 0.1);
  CHECK_NEAR(row[STEPS][column(signals, "ball.force.norm")], 0,
             8.1e-9);  // a free body's joint holds nothing
  plReplay* replay;
  CHECK_INT(pl_replay_open(path, &replay, &error), PL_OK);
  CHECK_INT(pl_signals_create(pl_replay_model(replay), list, &again, &error), PL_OK);
  for (int i = 0; i <= STEPS; i += 5) {
    CHECK_INT(pl_replay_seek(replay, i, &error), PL_OK);
    CHECK_INT(pl_signals_eval(again, pl_replay_data(replay), replayed, &error), PL_OK);
    CHECK(!memcmp(row[i], replayed, (size_t)n * sizeof(double)));
  }
  // a viewer shows it, without actuators to move
  plStream* stream;
  const void* text;
  void* frame;
  size_t size;
  CHECK_INT(pl_stream_create(pl_replay_model(replay), &stream, &error), PL_OK);
  CHECK_INT(pl_stream_scene(stream, "r", &text, &size, &error), PL_OK);
  plMoment moment = {pl_replay_data(replay), NULL, 0, &pl_replay_data(replay)->report, 0};
  CHECK_INT(pl_stream_frame(stream, &moment, 0, &frame, &size, &error), PL_OK);
  pl_stream_destroy(stream);
  CHECK_INT(pl_joint_wrenches(pl_replay_data(replay), (plWrench[8]){{{0, 0, 0}, {0, 0, 0}}}, NULL),
            PL_ERROR_INPUT);
  // From the frame at the cut, where an attachment was made, to the end: the same bits.
  plData* go_on = pl_data_create(model, &error);
  CHECK_INT(pl_replay_seek(replay, CUT, &error), PL_OK);
  CHECK_INT(pl_replay_restore(replay, go_on, &error), PL_OK);
  CHECK_INT(go_on->nattach, 3);
  for (int i = CUT; i < STEPS; i++) CHECK_INT(pl_step(go_on, &error), PL_OK);
  CHECK(pl_state_hash(go_on) == pl_state_hash(data));
  pl_data_destroy(go_on), pl_replay_close(replay), pl_signals_destroy(again), pl_signals_destroy(signals);
  pl_data_destroy(data), pl_model_destroy(model);
  remove(path);
}

static void refused(const plModel* model, const char* text, const char* hint) {
  plError error;
  plSignals* signals;
  CHECK_INT(pl_signals_create(model, text, &signals, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, hint);
}

static void wrong_names_are_refused(void) {
  const plModel* model = make_model();
  CHECK(model != NULL);
  if (!model) return;
  refused(model, "constraint(pine).force", "did you mean 'pin'?");
  refused(model, "constraint(pin).moment", "not a signal of this constraint");
  refused(model, "constraint(stop).force", "not a signal of this constraint");
  refused(model, "constraint(pin)", "not a signal of this constraint");
  refused(model, "constraint(pin).force.x.y", "too many parts follow");
  refused(model, "actuator(pull).force", "did you mean 'push'?");
  refused(model, "attachment(glue).forces", "did you mean 'force'?");
  refused(model, "shoulder.force(0)", "without a number");
  refused(model, "shoulder.motor(1)", "degree of freedom");
  refused(model, "shoulder.motor.x", "too many parts follow");
  refused(model, "shoulder.torque", "a joint has");
  pl_model_destroy(model);
}

// Sections of a frame whose numbers do not fit the model.
static void damaged_forces_are_refused(void) {
  const plModel* model = make_model();
  CHECK(model != NULL);
  if (!model) return;
  static const int good[6] = {PL_IMPULSE_CONSTRAINT, 0, 0, 3, -1, 2};
  static const int bad[][2] = {{0, 6}, {0, -1}, {1, -1}, {3, 0}, {3, 7}, {4, -2}, {4, 5}, {5, 5}};
  double row[18] = {0}, force[1] = {0}, wrench[48] = {0};
  plError error;
  for (int k = -4; k < 8; k++) {
    int key[6];
    memcpy(key, good, sizeof key);
    if (k >= 0) key[bad[k][0]] = bad[k][1];
    plBytes bytes = {0};
    pl_section_add(&bytes, "impulse_key", 'i', key, k == -2 ? 5 : 6);
    if (k != -3) pl_section_add(&bytes, "impulse", 'd', row, 18);
    pl_section_add(&bytes, "actuator_force", 'd', force, k == -4 ? 0 : 1);
    pl_section_add(&bytes, "joint_wrench", 'd', wrench, 6 * (size_t)model->njoint);
    plRecordedForces forces;
    CHECK_INT(pl_recording_get_forces(bytes.data, bytes.size, "file", model, &forces, &error),
              k == -1 ? PL_OK : PL_ERROR_INPUT);
    pl_free(forces.impulse);
    pl_bytes_free(&bytes);
  }
  pl_model_destroy(model);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(signals_of_a_replay_are_those_of_the_run);
  RUN(wrong_names_are_refused);
  RUN(damaged_forces_are_refused);
  return CHECK_END;
}

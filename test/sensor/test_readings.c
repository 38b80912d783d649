// test_readings.c: sensors against closed forms, results of the step, and MuJoCo.
#include "base/memory.h"
#include "pliant/pliant.h"
#include "world.h"

static int add(World* w, const char* name, plSensorKind kind, const char* on) {
  plSensorDef def = pl_default_sensor_def();
  int id = -1;
  def.name = name, def.kind = kind, def.on = on;
  CHECK_INT(pl_spec_add_sensor(w->spec, &def, &id, &w->error), PL_OK);
  return id;
}

static void read_vec(const plData* data, const char* name, double* x) {
  CHECK_INT(pl_sensor_read(data, pl_sensor_find(data->model, name), x), PL_OK);
}

// A ball of 2 kg on a pendulum arm of length l, started with a rate.
static World pendulum(double rate, plVec3 gravity, double dt) {
  World w = begin(gravity, dt);
  plBodyDef body = pl_default_body_def();
  body.name = "bob", body.mass = 2, body.com = (plVec3){0, 0, -0.5};
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.001;
  int id;
  CHECK_INT(pl_spec_add_body(w.spec, &body, &id, &w.error), PL_OK);
  plJointDef joint = pl_default_joint_def();
  joint.name = "hinge", joint.child = id, joint.axis = (plVec3){0, 1, 0}, joint.velocity[0] = rate;
  CHECK_INT(pl_spec_add_joint(w.spec, &joint, NULL, &w.error), PL_OK);
  plActuatorDef motor = pl_default_actuator_def();
  motor.name = "motor", motor.joint = 0;
  CHECK_INT(pl_spec_add_actuator(w.spec, &motor, NULL, &w.error), PL_OK);
  return w;
}

// Without gravity the bob goes round steadily: centripetal acceleration w^2 l, and the joint pulls with m w^2
// l.
static void turning_pendulum(void) {
  World w = pendulum(3, (plVec3){0, 0, 0}, 1e-3);
  plSensorDef def = pl_default_sensor_def();
  def.pose.p = (plVec3){0, 0, -0.5}, def.on = "bob";
  def.name = "imu", def.kind = PL_SENSOR_IMU;
  CHECK_INT(pl_spec_add_sensor(w.spec, &def, NULL, &w.error), PL_OK);
  def.name = "wrench", def.kind = PL_SENSOR_WRENCH;
  CHECK_INT(pl_spec_add_sensor(w.spec, &def, NULL, &w.error), PL_OK);
  def.name = "pose", def.kind = PL_SENSOR_POSE;
  CHECK_INT(pl_spec_add_sensor(w.spec, &def, NULL, &w.error), PL_OK);
  def.name = "velocity", def.kind = PL_SENSOR_VELOCITY;
  CHECK_INT(pl_spec_add_sensor(w.spec, &def, NULL, &w.error), PL_OK);
  add(&w, "q", PL_SENSOR_JOINT_POSITION, "hinge"), add(&w, "v", PL_SENSOR_JOINT_VELOCITY, "hinge");
  build(&w);
  run(&w, 200);
  double imu[6], f[6], pose[7], v[6], q, rate;
  read_vec(w.data, "imu", imu), read_vec(w.data, "wrench", f), read_vec(w.data, "pose", pose);
  read_vec(w.data, "velocity", v), read_vec(w.data, "q", &q), read_vec(w.data, "v", &rate);
  CHECK_ROUND(q, 0.6, 0.6);
  CHECK_NEAR(rate, 3, 4.2e-14);
  CHECK_ROUND(imu[0], 0, 9);
  CHECK_ROUND(imu[1], 0, 9);
  CHECK_NEAR(imu[2], 4.5, 6.3e-14);
  CHECK_ROUND(imu[3], 0, 9);
  CHECK_NEAR(imu[4], 3, 4.2e-14);
  CHECK_ROUND(imu[5], 0, 9);
  CHECK_ROUND(f[0], 0, 9);
  CHECK_NEAR(f[2], 9, 1.2e-13);
  CHECK_ROUND(f[4], 0, 9);
  CHECK_ROUND(pose[0], -0.5 * sin(0.6), 0.3);
  CHECK_ROUND(pose[2], -0.5 * cos(0.6), 0.5);
  CHECK_ROUND(pose[3], cos(0.3), 1);
  CHECK_ROUND(pose[5], sin(0.3), 0.3);
  CHECK_NEAR(v[0], -1.5 * cos(0.6), 1.7e-14);
  CHECK_ROUND(v[2], 1.5 * sin(0.6), 0.9);
  CHECK_NEAR(v[4], 3, 4.2e-14);
  end(&w);
}

// Held still against gravity: the accelerometer reads g upwards, the joint carries the weight, the motor its
// moment.
static void held_pendulum(void) {
  World w = pendulum(0, (plVec3){0, 0, -10}, 1e-2);
  double start = 1.5707963267948966;
  CHECK_INT(pl_spec_set_joint_start(w.spec, 0, &start, NULL, &w.error), PL_OK);
  add(&w, "acc", PL_SENSOR_ACCELEROMETER, "bob"), add(&w, "force", PL_SENSOR_FORCE, "hinge");
  add(&w, "torque", PL_SENSOR_TORQUE, "bob"), add(&w, "motor", PL_SENSOR_ACTUATOR_FORCE, "motor");
  add(&w, "effort", PL_SENSOR_JOINT_EFFORT, "hinge");
  build(&w);
  double acc[3], f[3], t[3], motor, effort;
  read_vec(w.data, "acc", acc);  // before any step: at rest
  CHECK_NEAR(acc[0], -10, 1.4e-13);
  // the bob stands out to -x
  w.data->u[0] = 10;
  run(&w, 1);
  read_vec(w.data, "acc", acc), read_vec(w.data, "force", f), read_vec(w.data, "torque", t);
  read_vec(w.data, "motor", &motor), read_vec(w.data, "effort", &effort);
  CHECK_NEAR(motor, 10, 1.4e-13);
  CHECK_NEAR(effort, 10, 1.4e-13);
  CHECK_NEAR(t[1], 10, 1.4e-13);
  CHECK_NEAR(acc[0], -10, 1.4e-13);
  CHECK_ROUND(acc[2], 0, 19);
  CHECK_NEAR(f[0], -20, 2.8e-13);
  CHECK_ROUND(f[2], 0, 19);
  end(&w);
}

// Contact sum, touch and volume of a block at rest on the ground and of a box on it.
static World resting(void) {
  World w = begin((plVec3){0, 0, -9.81}, 0.01);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, (plVec3){0, 0, 0}, (plVec3){0, 0, 0}, pl_default_surface());
  int id = add_block(&w, (plVec3){0.1, 0.1, 0.1}, 3, 3, 3, pose_at(0, 0, 0.0501), 1e6);
  (void)id;
  plShapeDef box = pl_default_shape_def();
  box.kind = PL_SHAPE_BOX, box.size = (plVec3){0.06, 0.06, 0.06};
  add_body(&w, "box", box, pose_at(0.4, 0, 0.0301), (plVec3){0, 0, 0}, 1, 6e-4);
  return w;
}

static void contacts_and_volume(void) {
  World w = resting();
  plSensorDef def = pl_default_sensor_def();
  def.name = "pair", def.kind = PL_SENSOR_CONTACT, def.on = "ground", def.other = "block0";
  CHECK_INT(pl_spec_add_sensor(w.spec, &def, NULL, &w.error), PL_OK);
  def.name = "touch", def.kind = PL_SENSOR_TOUCH, def.on = "box", def.other = NULL;
  CHECK_INT(pl_spec_add_sensor(w.spec, &def, NULL, &w.error), PL_OK);
  def.name = "half", def.region.kind = PL_REGION_HALF_SPACE, def.region.normal = (plVec3){1, 0, 0};
  def.has_region = true;
  CHECK_INT(pl_spec_add_sensor(w.spec, &def, NULL, &w.error), PL_OK);
  add(&w, "volume", PL_SENSOR_VOLUME, "block0");
  build(&w);
  run(&w, 200);
  double pair[9], touch, half, volume;
  read_vec(w.data, "pair", pair), read_vec(w.data, "touch", &touch), read_vec(w.data, "half", &half);
  read_vec(w.data, "volume", &volume);
  double weight = pl_deformable_mass(w.data, 0) * 9.81;
  CHECK_NEAR(pair[2], weight, 3.8e-9 * weight);
  CHECK_NEAR(pair[6], pair[2], 1.4e-14 * weight);
  CHECK_NEAR(pair[7], 0.01, 7.7e-6);
  CHECK_INT((int)pair[8], 16);
  CHECK_NEAR(touch, 9.81, 1.9e-6);
  CHECK_ROUND(half, touch / 2, 5);
  plBodyState state;
  pl_deformable_state(w.data, 0, &state);
  CHECK_NEAR(volume, state.volume, 1e-18);
  end(&w);
}

static void no_cavity_is_an_error(void) {
  static const char text[] =
      "pliant: 1\noptions: {gravity: [0, 0, 0]}\ndeformables:\n"
      "  - {name: ball, shape: sphere, radius: 0.05, edge: 0.03}\n"
      "sensors:\n  - {name: hole, kind: volume, on: ball, cavity: true}\n";
  plSpec* spec = NULL;
  plError error;
  CHECK_INT(pl_spec_parse("hollow", NULL, text, strlen(text), NULL, &spec, &error), PL_OK);
  const plModel* model = spec ? pl_model_create(spec, &error) : NULL;
  CHECK(model == NULL);
  CHECK_HAS(error.message, "sensor 'hole' (volume): 'ball' has no cavity");
  pl_model_destroy(model), pl_spec_destroy(spec);
}

// A cube of 5^3 cells without the one in the middle: the hole is one cell, and grows with the cube.
static void cavity_of_a_hollow_cube(void) {
  World w = begin((plVec3){0, 0, 0}, 0.01);
  plMesh *full = box_mesh((plVec3){0.5, 0.5, 0.5}, 5, 5, 5), *mesh = NULL;
  int n = 0;
  for (int t = 0; t < full->ntet; t++) {
    double c[3] = {0, 0, 0};
    for (int k = 0; k < 12; k++) c[k % 3] += full->vert[3 * full->tet[4 * t + k / 3] + k % 3] / 4;
    if (fabs(c[0]) < 0.05 && fabs(c[1]) < 0.05 && fabs(c[2]) < 0.05) continue;
    memmove(full->tet + 4 * n++, full->tet + 4 * t, 4 * sizeof(int));
  }
  mesh = pl_mesh_create(full->nvert, n, 0, &w.error);
  memcpy(mesh->vert, full->vert, 3 * (size_t)full->nvert * sizeof(double));
  memcpy(mesh->tet, full->tet, 4 * (size_t)n * sizeof(int));
  plDeformableDef def = pl_default_deformable_def();
  def.name = "cube", def.mesh = mesh;
  CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
  plSensorDef s = pl_default_sensor_def();
  s.name = "hole", s.kind = PL_SENSOR_VOLUME, s.on = "cube", s.cavity = true;
  CHECK_INT(pl_spec_add_sensor(w.spec, &s, NULL, &w.error), PL_OK);
  build(&w);
  if (w.data) {
    double hole;
    read_vec(w.data, "hole", &hole);
    CHECK_ROUND(hole, 1e-3, 0.001);
    for (int i = 0; i < w.model->nq; i++) w.data->q[i] = 1.1 * w.data->q[i] + 3;
    CHECK_INT(pl_sensor_measure(w.data, 0, &hole), PL_OK);
    CHECK_NEAR(hole, 1.331e-3, 3.4e-17);
  }
  pl_mesh_destroy(full), pl_mesh_destroy(mesh);
  end(&w);
}

// ---- markers

// A turn and a shift of the whole body are seen as such; seen from a mount that moves along, nothing happens.
static void markers_follow(void) {
  World w = begin((plVec3){0, 0, 0}, 0.01);
  plMesh* mesh = box_mesh((plVec3){0.2, 0.2, 0.1}, 4, 4, 2);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "pad", def.mesh = mesh, def.material.element = PL_ELEMENT_TET10;
  CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
  plSensorDef s = pl_default_sensor_def();
  s.name = "grid", s.kind = PL_SENSOR_MARKERS, s.on = "pad", s.size[0] = s.size[1] = 0.19, s.cells[0] = 7,
  s.cells[1] = 5;
  CHECK_INT(pl_spec_add_sensor(w.spec, &s, NULL, &w.error), PL_OK);
  plVec3 point[2] = {{0.013, 0.021, 0.0}, {-0.1, 0.1, 0.05}};
  s.name = "points", s.cells[0] = s.cells[1] = 0, s.point = point, s.npoint = 2;
  CHECK_INT(pl_spec_add_sensor(w.spec, &s, NULL, &w.error), PL_OK);
  build(&w);
  double out[35 * 6];
  // x -> A x + c with velocity B x: linear fields are reproduced, quadratic elements included
  for (int i = 0; i < w.model->nvert; i++) {
    double *x = w.data->q + 3 * i, *v = w.data->v + 3 * i, y[3] = {x[0], x[1], x[2]};
    x[0] = y[0] + 0.1 * y[1] + 0.5, x[1] = y[1], x[2] = 1.2 * y[2];
    v[0] = 2 * y[0], v[1] = 0, v[2] = 0.3;
  }
  CHECK_INT(pl_sensor_measure(w.data, 0, out), PL_OK);
  for (int i = 0; i < 35; i++) {
    double x = (((i % 7) + 0.5) / 7 - 0.5) * 0.19, y = (((i / 7) + 0.5) / 5 - 0.5) * 0.19;
    CHECK_ROUND(out[6 * i], 0.1 * y + 0.5, 0.6);
    CHECK_ROUND(out[6 * i + 1], 0, 0.5);
    CHECK_ROUND(out[6 * i + 2], 0.2 * 0.05, 0.01);
    CHECK_ROUND(out[6 * i + 3], 2 * x, 0.2);
    CHECK_ROUND(out[6 * i + 5], 0.3, 0.3);
  }
  CHECK_INT(pl_sensor_measure(w.data, 1, out), PL_OK);
  CHECK_ROUND(out[0], 0.0021 + 0.5, 0.6);
  CHECK_ROUND(out[6], 0.01 + 0.5, 0.6);
  CHECK_ROUND(out[3], 0.026, 0.03);
  pl_mesh_destroy(mesh);
  end(&w);
}

// A pad that is attached to a body which flies and turns: its markers stay where they are in the body's
// frame.
static void markers_on_a_mount(void) {
  World w = begin((plVec3){0, 0, 0}, 0.01);
  int pad = add_block(&w, (plVec3){0.1, 0.1, 0.04}, 3, 3, 1, pose_at(0, 0, 0.02), 1e7);
  plBodyDef body = pl_default_body_def();
  body.name = "finger", body.mass = 5, body.velocity = (plVec3){0.3, 0, 0},
  body.angular_velocity = (plVec3){0, 0, 2};
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  CHECK_INT(pl_spec_add_body(w.spec, &body, NULL, &w.error), PL_OK);
  plAttachDef hold = pl_default_attach_def();
  hold.name = "glue", hold.deformable = pad, hold.body = 0;
  CHECK_INT(pl_spec_add_attachment(w.spec, &hold, NULL, &w.error), PL_OK);
  plSensorDef s = pl_default_sensor_def();
  s.name = "dots", s.kind = PL_SENSOR_MARKERS, s.on = "block0", s.mount = "finger", s.has_region = true;
  CHECK_INT(pl_spec_add_sensor(w.spec, &s, NULL, &w.error), PL_OK);
  build(&w);
  run(&w, 50);
  double out[32 * 6], most = 0, fastest = 0;
  CHECK_INT(pl_sensor_size(w.model, 0), 32 * 6);
  read_vec(w.data, "dots", out);
  for (int i = 0; i < 32; i++)
    for (int k = 0; k < 3; k++)
      most = fmax(most, fabs(out[6 * i + k])), fastest = fmax(fastest, fabs(out[6 * i + 3 + k]));
  // the attachment gives a little, centrifugal forces pull
  CHECK_BELOW(most, 6.2e-5, 1);
  CHECK_BELOW(fastest, 0.0031, 1);
  plRigidState state;
  pl_rigid_body_state(w.data, 0, &state);
  CHECK(state.pose.p.x > 0.1 && state.angular_velocity.z > 1.5);
  end(&w);
}

// ---- signals, table and recording

static void signals_and_recording(void) {
  World w = resting();
  plSensorDef def = pl_default_sensor_def();
  def.name = "grid", def.kind = PL_SENSOR_TAXELS, def.on = "ground", def.size[0] = def.size[1] = 1;
  def.cells[0] = 4, def.cells[1] = 3;
  CHECK_INT(pl_spec_add_sensor(w.spec, &def, NULL, &w.error), PL_OK);
  add(&w, "imu", PL_SENSOR_IMU, "box");
  build(&w);
  const char* path = "test_sensor_readings.plrec";
  plRecording* recording = NULL;
  CHECK_INT(pl_recording_open(path, w.model, &recording, &w.error), PL_OK);
  run(&w, 20);
  CHECK_INT(pl_recording_write(recording, w.data, &w.error), PL_OK);
  CHECK_INT(pl_recording_close(recording, &w.error), PL_OK);
  const char* list =
      "sensor(grid).normal(5), sensor(grid).normal.sum, sensor(imu).az, sensor(imu), sensor(grid)";
  plSignals* signals = NULL;
  CHECK_INT(pl_signals_create(w.model, list, &signals, &w.error), PL_OK);
  CHECK_INT(pl_signals_count(signals), 3 + 6 + 72);
  CHECK_STR(pl_signals_name(signals, 1), "sensor(grid).normal.sum");
  CHECK_STR(pl_signals_unit(signals, 2), "m/s^2");
  double row[81], again[81], grid[72], sum = 0;
  CHECK_INT(pl_signals_eval(signals, w.data, row, &w.error), PL_OK);
  read_vec(w.data, "grid", grid);
  for (int i = 0; i < 12; i++) sum += grid[6 * i];
  CHECK_NEAR(row[0], grid[30], 0);
  CHECK_NEAR(row[1], sum, 2.7e-13);
  CHECK(sum > 5);
  CHECK_NEAR(row[2], 9.81, 7.3e-7);
  CHECK_NEAR(row[9 + 30], grid[30], 0);
  pl_signals_destroy(signals);
  // the same numbers out of the recording
  plReplay* replay = NULL;
  CHECK_INT(pl_replay_open(path, &replay, &w.error), PL_OK);
  CHECK_INT(pl_replay_seek(replay, 0, &w.error), PL_OK);
  CHECK_INT(pl_signals_create(pl_replay_model(replay), list, &signals, &w.error), PL_OK);
  CHECK_INT(pl_signals_eval(signals, pl_replay_data(replay), again, &w.error), PL_OK);
  CHECK(!memcmp(row, again, sizeof row));
  // and a run that continues from there
  plData* other = pl_data_create(w.model, &w.error);
  CHECK_INT(pl_replay_restore(replay, other, &w.error), PL_OK);
  CHECK(!memcmp(w.data->reading, other->reading, w.model->reading_bytes));
  pl_data_destroy(other);
  pl_signals_destroy(signals), pl_replay_close(replay), remove(path);
  CHECK_INT(pl_signals_create(w.model, "sensor(gird).normal", &signals, &w.error), PL_ERROR_INPUT);
  CHECK_HAS(w.error.message, "did you mean 'grid'");
  CHECK_INT(pl_signals_create(w.model, "sensor(grid).normal(12)", &signals, &w.error), PL_ERROR_INPUT);
  CHECK_HAS(w.error.message, "0 .. 11");
  end(&w);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(turning_pendulum);
  RUN(held_pendulum);
  RUN(contacts_and_volume);
  RUN(no_cavity_is_an_error);
  RUN(cavity_of_a_hollow_cube);
  RUN(markers_follow);
  RUN(markers_on_a_mount);
  RUN(signals_and_recording);
  return CHECK_END;
}

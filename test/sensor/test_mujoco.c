// test_mujoco.c: <sensor> elements read from one MJCF file by us and by MuJoCo, at random states of an arm,
// and touch of a ball at rest.
//
// MuJoCo (Debian: libmujoco-dev) is loaded at run time; where it or its headers are missing the tests are
// skipped.
#include "base/random.h"
#include "pliant/pliant.h"
#include "world.h"

#if __has_include(<mujoco/mujoco.h>)
#include "mujoco.h"

static const char arm[] =
    "<mujoco model='arm'><compiler angle='radian'/><option timestep='0.001' gravity='0.3 -0.2 -9.81'/>\n"
    "<worldbody><site name='ground' pos='1 2 3' euler='0.3 0 0'/>\n"
    "<body name='a' pos='0 0 1'><joint name='j1' axis='0 1 0'/><geom type='capsule' size='0.03' "
    "fromto='0 0 0 0.3 0 0' mass='1.2'/>\n"
    "<site name='sa' pos='0.1 0.02 0.03' euler='0.4 -0.2 0.7'/>\n"
    "<body name='b' pos='0.3 0 0' euler='0.2 0 0.1'><joint name='j2' axis='0.2 0.3 1'/><geom type='box' "
    "size='0.05 0.04 0.03' pos='0.1 0 0.02' mass='0.7'/>\n"
    "<site name='sb' pos='0.1 -0.02 0.05' euler='-0.4 0.5 0.1'/>\n"
    "<body name='c' pos='0.2 0 0'><geom type='sphere' size='0.02' mass='0.3'/><site name='sc' pos='0 0.01 "
    "0'/>\n"
    "<body name='d' pos='0.1 0 0'><joint name='j3' type='slide' axis='0 0 1'/><geom type='sphere' "
    "size='0.05' "
    "mass='0.4'/></body></body></body></body></worldbody>\n"
    "<actuator><motor name='m1' joint='j1'/><position name='m2' joint='j3' kp='20'/><motor name='m3' "
    "joint='j2' gear='3'/></actuator>\n"
    "<sensor><jointpos name='q1' joint='j1'/><jointpos joint='j3'/><jointvel joint='j2'/><actuatorfrc "
    "actuator='m1'/><actuatorfrc name='servo' actuator='m2'/>\n"
    "<framepos objtype='site' objname='sb'/><framequat objtype='site' objname='sb'/><framepos "
    "objtype='xbody' "
    "objname='b'/><framequat name='cq' objtype='xbody' objname='c'/>\n"
    "<gyro site='sb'/><gyro name='still' site='ground'/><accelerometer site='sb'/><accelerometer name='acc0' "
    "site='ground'/><accelerometer name='accc' site='sc'/>\n"
    "<force site='sa'/><torque site='sa'/><force name='fb' site='sb'/><torque name='tb' site='sb'/><force "
    "name='fc' site='sc'/><torque name='tc' site='sc'/>\n"
    "<actuatorfrc name='geared' actuator='m3'/><magnetometer site='sa'/></sensor></mujoco>\n";

static const char ball[] =
    "<mujoco model='ball'><option timestep='0.002'/><worldbody><geom name='floor' type='plane' size='1 1 "
    "1'/>\n"
    "<body name='ball' pos='0 0 0.05'><freejoint/><geom type='sphere' size='0.05' mass='0.6'/><site "
    "name='all' "
    "size='0.06'/><site name='top' type='box' size='0.06 0.06 0.02' pos='0 0 0.06'/></body></worldbody>\n"
    "<sensor><touch name='all' site='all'/><touch name='top' site='top'/></sensor></mujoco>\n";

static char warnings[2000];
static void keep_warning(void* user, const char* text) {
  (void)user;
  strncat(warnings, text, sizeof warnings - strlen(warnings) - 2);
  strcat(warnings, "\n");
}

// The file for MuJoCo, the same text for us.
static bool load(const char* text, double dt, World* w, mjModel** m, mjData** d) {
  const char* path = "test_sensor_mujoco.xml";
  FILE* file = fopen(path, "w");
  char error[500] = "";
  if (file) fputs(text, file), fclose(file);
  *m = mj.load(path, NULL, error, sizeof error);
  remove(path);
  if (!*m) return printf("%s\n", error), false;
  *d = mj.make(*m);
  *w = begin((plVec3){0, 0, -9.81}, dt);
  plRobotDef def = pl_default_robot_def();
  def.file = "arm.xml", def.name = "r", def.take_gravity = true;
  warnings[0] = 0;
  plLoadOptions options = {.warn = keep_warning};
  CHECK_INT(pl_spec_parse_robot(w->spec, &def, "", text, strlen(text), &options, &w->error), PL_OK);
  build(w);
  return w->data != NULL;
}

// Whether a sensor belongs to the step, not to the state before it.
static bool is_of_step(plSensorKind kind) {
  return kind == PL_SENSOR_FORCE || kind == PL_SENSOR_TORQUE || kind == PL_SENSOR_ACCELEROMETER ||
         kind == PL_SENSOR_ACTUATOR_FORCE;
}

// Our sensors come in the file's order: how far they are from MuJoCo's, those of the step or the others.
static double compare(const mjModel* m, const mjData* d, World* w, bool of_step) {
  double worst = 0;
  int own = 0;
  for (int i = 0; i < m->nsensor; i++) {
    const char* name = mj.name(m, mjOBJ_SENSOR, i);
    if ((name && !strcmp(name, "geared")) || m->sensor_type[i] == mjSENS_MAGNETOMETER) continue;
    const plSensor* s = &w->model->sensor[own];
    double value[9];
    CHECK_INT(pl_sensor_measure(w->data, own++, value), PL_OK);
    CHECK_INT(s->columns, m->sensor_dim[i]);
    if (is_of_step(s->kind) != of_step) continue;
    const double* theirs = d->sensordata + m->sensor_adr[i];
    // a quaternion and its negative are one rotation
    double sign = s->kind == PL_SENSOR_ORIENTATION && theirs[0] * value[0] < 0 ? -1 : 1;
    for (int k = 0; k < s->columns; k++) {
      double off = fabs(value[k] - sign * theirs[k]) / (1 + fabs(theirs[k]));
      if (off > 1e-9) printf("%s: %d %.15g, MuJoCo %.15g\n", s->name, k, value[k], theirs[k]);
      worst = fmax(worst, off);
    }
  }
  CHECK_INT(own, w->model->nsensor);
  return worst;
}

static void arm_sensors(void) {
  World w;
  mjModel* m;
  mjData* d;
  if (!load(arm, 1e-3, &w, &m, &d)) {
    CHECK(false);
    return;
  }
  CHECK_INT(w.model->nsensor, 20);
  CHECK_HAS(warnings, "ignored: <actuatorfrc> in <sensor>: its actuator has a gear");
  CHECK_HAS(warnings, "ignored: <magnetometer> in <sensor>");
  plRandom r = {12};
  double worst = 0;
  for (int k = 0; k < 50; k++) {
    for (int i = 0; i < 3; i++) {
      d->qpos[i] = w.data->q[i] = pl_random(&r, -1, 1);
      d->qvel[i] = w.data->v[i] = pl_random(&r, -2, 2);
      d->ctrl[i] = w.data->u[i] = pl_random(&r, -1, 1);
    }
    // the servo is implicit here: at rest where it holds, its force is the same
    w.data->u[1] = d->ctrl[1] = d->qpos[2];
    d->qvel[2] = w.data->v[2] = 0;
    mj.forward(m, d);
    worst = fmax(worst, compare(m, d, &w, false));
    CHECK_INT(pl_step(w.data, &w.error), PL_OK);
    // what is of the state has moved on; forces and accelerations were taken at the start of the step. The
    // servo's own stiffness acts within the step: its sensor and what follows from it are compared without
    // it.
  }
  printf("state sensors: %.1e\n", worst);
  CHECK_BELOW(worst, 1.4e-14, 1);
  // without the servo (its actuator off) the step's accelerations are MuJoCo's
  m->actuator_gainprm[mjNGAIN] = m->actuator_biasprm[mjNBIAS + 1] = 0;
  CHECK_INT(pl_switch_set(w.data, PL_SWITCH_ACTUATOR, 1, false, &w.error), PL_OK);
  worst = 0;
  for (int k = 0; k < 50; k++) {
    for (int i = 0; i < 3; i++) {
      d->qpos[i] = w.data->q[i] = pl_random(&r, -1, 1);
      d->qvel[i] = w.data->v[i] = pl_random(&r, -2, 2);
      d->ctrl[i] = w.data->u[i] = pl_random(&r, -1, 1);
    }
    mj.forward(m, d);
    CHECK_INT(pl_step(w.data, &w.error), PL_OK);
    worst = fmax(worst, compare(m, d, &w, true));
  }
  printf("step sensors: %.1e\n", worst);
  CHECK_BELOW(worst, 1e-12, 1);  // wide: the number is of another library
  mj.free_data(d), mj.free_model(m);
  end(&w);
}

static void touch_of_a_ball(void) {
  World w;
  mjModel* m;
  mjData* d;
  if (!load(ball, 2e-3, &w, &m, &d)) {
    CHECK(false);
    return;
  }
  for (int k = 0; k < 2000; k++) mj.step(m, d);
  run(&w, 500);
  double all, top;
  CHECK_INT(pl_sensor_read(w.data, 0, &all), PL_OK);
  CHECK_INT(pl_sensor_read(w.data, 1, &top), PL_OK);
  CHECK_NEAR(d->sensordata[0], 0.6 * 9.81, 1e-9);  // wide: the number is of another library
  CHECK_NEAR(all, d->sensordata[0], 6.9e-6);
  CHECK_NEAR(top, 0, 0);
  mj.free_data(d), mj.free_model(m);
  end(&w);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  if (!open_mujoco()) return CHECK_SKIP_ALL("MuJoCo's library is not installed");
  RUN(arm_sensors);
  RUN(touch_of_a_ball);
  return CHECK_END;
}
#else
int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  return CHECK_SKIP_ALL("MuJoCo's headers are not installed");
}
#endif

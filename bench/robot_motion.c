// robot_motion.c: a second of a robot's motion without contact, limits, dry friction and constraints, as
// JSON: what bench/peers/robots compares.
//
//   robot_motion FILE [--dt DT] [--hold-base]
//
// Two motions from the file's start: "fall" with all actuators off, "held" with actuators that hold the
// start, or, with --hold-base, half a second with all actuators off and the base welded. Each is run with dt,
// dt/2 and dt/4 (default 5e-4 s) and extrapolated; "step" says how much that changed the finest run. Joints
// must turn by less than 0.02 rad in dt: beyond, the bias is taken in the middle of the step (rigid/swing.c),
// and runs with and without that cannot be extrapolated together.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pliant/pliant.h"

typedef struct Motion {
  const char* name;
  bool actuators;  // on
  double time;     // s
} Motion;

static plData* start(const plRobotDef* def, double dt, const plModel** model, plError* error) {
  plSpec* spec = pl_spec_create();
  const plLoadOptions load = {.ignore_missing_meshes = true};  // nothing touches anything
  plStatus status = pl_spec_add_robot(spec, def, &load, error);
  pl_spec_options(spec)->dt = dt;
  pl_spec_options(spec)->tolerance = 1e-10;
  pl_spec_options(spec)->gravity = (plVec3){0, 0, -9.81};
  *model = status ? NULL : pl_model_create(spec, error);
  pl_spec_destroy(spec);
  return *model ? pl_data_create(*model, error) : NULL;
}

static void switch_off(plData* data, bool held) {
  const plModel* m = data->model;
  for (int g = 0; g < m->nshape; g++) data->on[PL_SWITCH_SHAPE][g] = false;
  for (int i = 0; i < m->nv_rigid; i++)
    data->on[PL_SWITCH_LIMIT][i] = data->on[PL_SWITCH_FRICTION][i] = false;
  for (int i = 0; i < m->nconstraint; i++) data->on[PL_SWITCH_CONSTRAINT][i] = false;
  // an actuator without gain is the spring of a tendon
  for (int i = 0; i < m->nact && !held; i++)
    data->on[PL_SWITCH_ACTUATOR][i] = m->act_kind[i] == PL_ACTUATOR_AFFINE && data->par->act_law[i].gain == 0;
}

// q at the end, [nq]; NULL with the error filled in.
static double* run(const plRobotDef* def, const Motion* motion, double dt, int* nq, plError* error) {
  const plModel* model;
  plData* data = start(def, dt, &model, error);
  plStatus status = data ? PL_OK : PL_ERROR_INPUT;
  double* q = NULL;
  if (data) switch_off(data, motion->actuators);
  for (long i = 0, n = lround(motion->time / dt); i < n && !status; i++) status = pl_step(data, error);
  if (!status) {
    *nq = model->nq_rigid;
    q = malloc(sizeof(double) * ((size_t)*nq + 1));
    if (q) memcpy(q, data->q, sizeof(double) * (size_t)*nq);
  }
  pl_data_destroy(data);
  pl_model_destroy(model);
  return q;
}

// Errors of the orders dt and dt^2 cancel in (8 q(dt/4) - 6 q(dt/2) + q(dt)) / 3.
static bool print_motion(const plRobotDef* def, const Motion* motion, double dt, plError* error) {
  double* q[3] = {NULL, NULL, NULL};
  int nq = 0;
  bool ok = true;
  for (int k = 0; k < 3 && ok; k++) ok = (q[k] = run(def, motion, dt / (1 << k), &nq, error)) != NULL;
  double change = 0;
  if (ok) printf("\"%s\":{\"q\":[", motion->name);
  for (int i = 0; i < nq && ok; i++) {
    double x = (8 * q[2][i] - 6 * q[1][i] + q[0][i]) / 3;
    change = fmax(change, fabs(x - q[2][i]));
    printf("%s%.17g", i ? "," : "", x);
  }
  if (ok) printf("],\"step\":%.3g}", change);
  for (int k = 0; k < 3; k++) free(q[k]);
  return ok;
}

int main(int argc, char** argv) {
  plRobotDef def = pl_default_robot_def();
  double dt = 5e-4;
  bool hold_base = false;
  bool known = true;
  plError error;
  char text[1500];
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--dt") && i + 1 < argc)
      dt = atof(argv[++i]);
    else if (!strcmp(argv[i], "--hold-base"))
      hold_base = true;
    else if (argv[i][0] != '-')
      def.file = argv[i];
    else
      known = false;
  if (!known || !def.file || !(dt > 0))
    return fprintf(stderr, "usage: robot_motion FILE [--dt DT] [--hold-base]\n"), 2;
  def.name = "r";
  printf("{");
  const Motion fall = {"fall", false, 1}, held = {"held", !hold_base, hold_base ? 0.5 : 1};
  bool ok = print_motion(&def, &fall, dt, &error);
  if (ok) printf(",\n");
  if (hold_base) def.base = PL_BASE_WELD;
  if (ok) ok = print_motion(&def, &held, dt, &error);
  if (ok)
    printf("}\n");
  else
    fprintf(stderr, "%s\n", pl_error_text(&error, text, sizeof text));
  return ok ? 0 : 1;
}

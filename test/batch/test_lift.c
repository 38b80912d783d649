// The lift scene (scenes/lift.yaml): the Panda's kinematics against published poses, a scripted grasp, random
// actions around the beam.
#include "base/random.h"
#include "check.h"
#include "pliant/pliant.h"

static plError error;

static const plModel* load(void) {
  plSpec* spec = NULL;
  if (pl_spec_load(PLIANT_SOURCEDIR "/scenes/lift.yaml", NULL, &spec, &error))
    printf("%s:%d: %s\n", error.file, error.line, error.message), exit(1);
  const plModel* model = pl_model_create(spec, &error);
  if (!model) printf("%s\n", error.message), exit(1);
  pl_spec_destroy(spec);
  return model;
}

static void put_arm(plData* data, const double* joint) {
  for (int i = 0; i < 7; i++) data->q[data->model->dof_q[data->model->act_dof[i]]] = joint[i];
}

// The maker's documentation: in the ready pose the hand's tool centre point is at (0.30689, 0, 0.48688),
// 0.1034 m in front of the flange, and points down. Masses are those of the identification.
static void the_panda_is_as_published(void) {
  const plModel* model = load();
  plData* data = pl_data_create(model, &error);
  static const double ready[7] = {
      0, -0.78539816339744828, 0, -2.3561944901923448, 0, 1.5707963267948966, 0.78539816339744828};
  put_arm(data, ready);
  plSignals* signals = NULL;
  double x[8];
  CHECK_INT(pl_signals_create(model, "panda/hand.position, panda/leftfinger.position", &signals, &error),
            PL_OK);
  CHECK_INT(pl_signals_eval(signals, data, x, &error), PL_OK);
  CHECK_NEAR(x[0], 0.30689, 1.7e-6);
  CHECK_ROUND(x[1], 0, 0.3);
  CHECK_NEAR(x[2], 0.48688 + 0.1034, 6.1e-6);
  CHECK_NEAR(x[6], x[2] - 0.0584, 7.5e-15);
  double mass = 0;
  for (int b = 0; b < model->nbody; b++) mass += data->par->body_mass[b];
  CHECK_NEAR(mass,
             0.629769 + 4.970684 + 0.646926 + 3.228604 + 3.587895 + 1.225946 + 1.666555 + 0.735522 + 0.76,
             2.4e-13);
  pl_signals_destroy(signals);
  pl_data_destroy(data), pl_model_destroy(model);
}

static const double low[7] = {0, 0.4550, 0, -2.3668, 0, 2.8218, 0.785},
                    high[7] = {0, 0.0525, 0, -2.3784, 0, 2.4309, 0.785};

// Around the beam, close, lift by 0.16 m: the beam comes along.
static void the_beam_is_lifted(void) {
  const plModel* model = load();
  plData* data = pl_data_create(model, &error);
  put_arm(data, low);
  for (int i = 0; i < 360; i++) {
    double s = i < 60 ? 0 : i < 240 ? (i - 60) / 180.0 : 1;
    for (int k = 0; k < 7; k++) data->u[k] = low[k] + s * (high[k] - low[k]);
    data->u[7] = data->u[8] = 0;
    CHECK_INT(pl_step(data, &error), PL_OK);
  }
  plBodyState beam;
  CHECK_INT(pl_deformable_state(data, 0, &beam), PL_OK);
  CHECK(beam.com.z > 0.1 && beam.com.z < 0.2);
  CHECK_BELOW(fabs(beam.momentum.z), 1e-3, beam.mass);  // wide: what is left of a long motion in contact
  // the fingers carry its weight
  plContactPair pair;
  double lift = 0;
  for (int g = 0; g < model->nshape; g++)
    if (strstr(model->shape_name[g], "finger")) {
      pl_contact_pair(data, (plSide){PL_SIDE_SHAPE, g}, (plSide){PL_SIDE_DEFORMABLE, 0}, &pair);
      lift += pair.force.z;
    }
  CHECK_NEAR(lift, 9.81 * beam.mass, 5.4e-4 * 9.81 * beam.mass);
  pl_data_destroy(data), pl_model_destroy(model);
}

// Targets at random around the beam: every step converges, in a batch as alone.
static void random_actions_converge(void) {
  enum { ROWS = 4, CALLS = 20 };
  const plModel* model = load();
  plBatch* batch = pl_batch_create(model, ROWS, 2, &error);
  plData* data = pl_data_create(model, &error);
  put_arm(data, low);
  CHECK_INT(pl_batch_set(batch, NULL, 0, data, &error), PL_OK);
  plRandom random = {4};
  for (int c = 0; c < CALLS; c++) {
    for (int i = 0; i < ROWS; i++) {
      double* u = batch->u + i * model->nu;
      const double* q = batch->q + i * model->nq;
      for (int k = 0; k < 7; k++) u[k] = q[model->dof_q[model->act_dof[k]]] + pl_random(&random, -0.1, 0.1);
      u[7] = u[8] = pl_random_int(&random, 2) ? 0.04 : 0;
    }
    memcpy(data->u, batch->u, (size_t)model->nu * sizeof(double));
    CHECK_INT(pl_batch_step(batch, NULL, 0, 4, &error), PL_OK);
    for (int k = 0; k < 4; k++) CHECK_INT(pl_step(data, &error), PL_OK);
  }
  CHECK(!memcmp(data->q, batch->q, (size_t)model->nq * sizeof(double)));
  pl_data_destroy(data), pl_batch_destroy(batch), pl_model_destroy(model);
}

// Rows go to targets of their own: the rates of pl_ik_step, and the hand arrives.
static void hands_go_to_targets(void) {
  enum { ROWS = 3 };
  const plModel* model = load();
  plBatch* batch = pl_batch_create(model, ROWS, 2, &error);
  plData* data = pl_data_create(model, &error);
  plIkDef def = pl_default_ik_def();
  def.body = pl_model_find_body(model, "panda/hand"), def.time = 1 / 30.0;
  put_arm(data, high);
  CHECK_INT(pl_batch_set(batch, NULL, 0, data, &error), PL_OK);
  plPose target[ROWS];
  double rate[ROWS][9], one[9];
  for (int i = 0; i < ROWS; i++) target[i] = (plPose){{0.5, 0.05 * i, 0.25 - 0.03 * i}, {0, 1, 0, 0}};
  CHECK_INT(model->nv_rigid, 9);
  int row[ROWS] = {2, 0, 1};
  CHECK_INT(pl_batch_ik(batch, row, ROWS, &def, target, rate[0], &error), PL_OK);
  for (int i = 0; i < ROWS; i++) {
    def.target = target[i];
    CHECK_INT(pl_ik_step(data, &def, one, &error), PL_OK);
    CHECK(!memcmp(one, rate[i], sizeof one));
  }
  for (int c = 0; c < 60; c++) {
    CHECK_INT(pl_batch_ik(batch, NULL, 0, &def, target, rate[0], &error), PL_OK);
    for (int i = 0; i < ROWS; i++)
      for (int k = 0; k < 7; k++)
        batch->u[i * model->nu + k] = batch->q[i * model->nq + k] + rate[i][k] * 0.1;
    CHECK_INT(pl_batch_step(batch, NULL, 0, 4, &error), PL_OK);
  }
  int view;
  CHECK_INT(pl_batch_watch(batch, "panda/hand.position", &view, &error), PL_OK);
  for (int i = 0; i < ROWS; i++) {
    CHECK_NEAR(batch->view[view][4 * i + 1], target[i].p.y, 5.2e-12);
    CHECK_NEAR(batch->view[view][4 * i + 2], target[i].p.z, 1.7e-12);
  }
  target[1].p.x = NAN;
  CHECK(pl_batch_ik(batch, row, ROWS, &def, target, rate[0], &error) != PL_OK);
  CHECK_HAS(error.message, "row 0: ");
  pl_data_destroy(data), pl_batch_destroy(batch), pl_model_destroy(model);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(the_panda_is_as_published);
  RUN(the_beam_is_lifted);
  RUN(random_actions_converge);
  RUN(hands_go_to_targets);
  return CHECK_END;
}

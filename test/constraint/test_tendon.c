// Tendons over any number of trees: every joint feels the same.
#include "check.h"

#include "pliant/pliant.h"

enum { MOST = 40 };

// N sliders of 1 kg, each a tree of its own, with a tendon over all of them: driven by an actuator, or kept
// within a range that the start violates.
static const plModel* sliders(int n, bool driven) {
  static char text[16384];
  int at = snprintf(text, sizeof text, "<mujoco><option gravity='0 0 0'/><worldbody>");
  for (int i = 0; i < n; i++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "<body name='b%d' pos='%d 0 0'><joint name='j%d' type='slide' axis='0 0 1'/>"
                   "<geom type='sphere' size='0.1' mass='1'/></body>",
                   i, i, i);
  at += snprintf(text + at, sizeof text - (size_t)at, "</worldbody><tendon><fixed name='t'%s>",
                 driven ? "" : " limited='true' range='0.5 1'");
  for (int i = 0; i < n; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, "<joint joint='j%d' coef='1'/>", i);
  snprintf(text + at, sizeof text - (size_t)at, "</fixed></tendon>%s</mujoco>",
           driven ? "<actuator><position name='a' tendon='t' kp='100' kv='10'/></actuator>" : "");
  plError error;
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.name = "r", def.file = "sliders.xml";
  pl_spec_options(spec)->gravity = (plVec3){0, 0, 0};
  plStatus status = pl_spec_parse_robot(spec, &def, "", text, strlen(text), NULL, &error);
  if (status) printf("%s\n", error.message);
  CHECK_INT(status, PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  CHECK(model != NULL);
  pl_spec_destroy(spec);
  return model;
}

static double spread(const plModel* model, const double* x) {
  double low = x[0], high = x[0];
  for (int i = 1; i < model->nv; i++) low = fmin(low, x[i]), high = fmax(high, x[i]);
  return high - low;
}

static void run_alike(int n, bool driven) {
  plError error;
  const plModel* model = sliders(n, driven);
  plData* data = pl_data_create(model, &error);
  CHECK_INT(model->ntree, n);
  if (driven) data->u[0] = 1;
  double fastest = 0.1;  // a violated range is entered slowly
  for (int i = 0; i < 500; i++) {
    CHECK_INT(pl_step(data, &error), PL_OK);
    fastest = fmax(fastest, fabs(data->v[0]));
  }
  double alike = driven ? 1e-12 : 3e-10;  // rounding adds up while a range is entered
  CHECK_NEAR(spread(model, data->q), 0, alike * fastest * (driven ? 1 : data->time));
  CHECK_NEAR(spread(model, data->v), 0, alike * fastest);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += data->q[i];
  // the actuator reaches its target; the range is entered at its lower end, and left behind without force
  if (driven) CHECK_NEAR(sum, 1, 1.4e-14);
  if (!driven) CHECK(sum > 0.499);
  pl_data_destroy(data), pl_model_destroy(model);
}

static void an_actuator_moves_all_joints_of_its_tendon_alike(void) {
  static const int count[] = {2, 5, 6, 7, 8, 16, MOST};
  for (size_t i = 0; i < sizeof count / sizeof *count; i++) run_alike(count[i], true);
}

static void a_range_moves_all_joints_of_its_tendon_alike(void) {
  static const int count[] = {2, 7, 8, 16};
  for (size_t i = 0; i < sizeof count / sizeof *count; i++) run_alike(count[i], false);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(an_actuator_moves_all_joints_of_its_tendon_alike);
  RUN(a_range_moves_all_joints_of_its_tendon_alike);
  return CHECK_END;
}

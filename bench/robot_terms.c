// robot_terms.c: mass matrix, bias forces and inverse dynamics of a robot file at random states, as JSON:
// what bench/peers/robots compares.
//
//   robot_terms FILE [--base file|weld|free] [--states N]
//
// joints: name (without the robot's), kind, body that they carry, first index in q and in v. Each state: q,
// v, a, M (by rows), bias (with gravity -9.81 along z), tau = M a + bias; length of each actuator's
// coordinate (gear included), u, and force: the total force of all actuators on the dofs, without limits
// of joints.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "math/pose.h"
#include "rigid/rigid.h"
#include "pliant/pliant.h"

static int warnings;

static void count_warning(void* user, const char* text) {
  (void)user, (void)text;
  warnings++;
}

static const char* own_name(const char* name) {
  const char* slash = strchr(name, '/');
  return slash ? slash + 1 : name;
}

// Names of robot files may hold quotes and control characters no JSON text may.
static void print_text(const char* text) {
  putchar('"');
  for (; *text; text++) putchar(*text == '"' || *text == '\\' || (unsigned char)*text < ' ' ? '_' : *text);
  putchar('"');
}

static void print_array(const char* name, const double* x, int n, const char* end) {
  printf("\"%s\":[", name);
  for (int i = 0; i < n; i++) printf("%s%.17g", i ? "," : "", x[i]);
  printf("]%s", end);
}

// Positions within the limits, quaternions of length 1.
static void random_state(plData* data, plRandom* r, double* a) {
  const plModel* m = data->model;
  for (int i = 0; i < m->nv_rigid; i++) {
    double low = fmax(m->par->dof_lower[i], -1.5), high = fmin(m->par->dof_upper[i], 1.5);
    if (m->dof_q[i] >= 0) data->q[m->dof_q[i]] = low < high ? pl_random(r, low, high) : 0.5 * (low + high);
    data->v[i] = pl_random(r, -2, 2), a[i] = pl_random(r, -3, 3);
  }
  for (int j = 0; j < m->njoint; j++) {
    int n = pl_joint_nq(m->joint_kind[j]);
    double* q = data->q + m->joint_q0[j];
    if (n < 4) continue;
    for (int k = 0; k < n; k++) q[k] = pl_random(r, -1, 1);
    plQuat unit = quat_unit((plQuat){q[n - 4], q[n - 3], q[n - 2], q[n - 1]});
    q[n - 4] = unit.w, q[n - 3] = unit.x, q[n - 2] = unit.y, q[n - 1] = unit.z;
  }
}

// The law of each actuator at the state: f = clamp(gain u + bias0 + bias1 l + bias2 ldot).
static void print_actuators(plData* data, plRandom* r, double* f) {
  const plModel* m = data->model;
  pl_rigid_kinematics(m, data);
  for (int i = 0; i < m->nv_rigid; i++) f[i] = 0;
  printf("\"length\":[");
  for (int a = 0; a < m->nact; a++) {
    const double *gain = data->par->act_gain + 3 * a, *bias = data->par->act_bias + 3 * a;
    double low = fmax(data->par->act_lower[a], -2), high = fmin(data->par->act_upper[a], 2),
           u = pl_random(r, low, high);
    double l = pl_actuator_position(data, a), rate = pl_actuator_rate(data, a, data->v);
    // an actuator without gain is the spring of a tendon, a passive force there
    bool passive = m->act_kind[a] == PL_ACTUATOR_AFFINE && data->par->act_law[a].gain == 0;
    double force =
        passive ? 0 : pl_actuator_clamp(data, a, gain[0] * u + bias[0] + bias[1] * l + bias[2] * rate);
    data->u[m->act_u0[a]] = u;
    for (int k = m->act_term0[a]; k < m->act_term0[a + 1]; k++)
      f[m->act_term[k]] += data->work->act_coefficient[k] * force;
    printf("%s%.17g", a ? "," : "", m->act_gear[a] * l);
  }
  printf("],");
  print_array("u", data->u, m->nu, ",");
  print_array("force", f, m->nv_rigid, ",");
}

static void print_terms(plData* data, int states) {
  const plModel* m = data->model;
  int n = m->nv_rigid;
  double *M = calloc((size_t)(n * n + 1), 8), *f = calloc((size_t)n + 1, 8), *a = calloc((size_t)n + 1, 8);
  plRandom r = {1};
  printf("{\"warnings\":%d,\"nq\":%d,\"nv\":%d,\"joints\":[", warnings, m->nq_rigid, n);
  for (int j = 0, first = 1; j < m->njoint; j++) {
    if (!pl_joint_nv(m->joint_kind[j])) continue;
    printf("%s\n{\"name\":", first ? "" : ","), first = 0;
    print_text(own_name(m->joint_name[j]));
    printf(",\"child\":");
    print_text(own_name(m->body_name[m->joint_child[j]]));
    printf(",\"kind\":\"%s\",\"q0\":%d,\"v0\":%d}", pl_joint_kind_name(m->joint_kind[j]), m->joint_q0[j],
           m->joint_v0[j]);
  }
  printf("],\n\"actuators\":[");
  for (int i = 0; i < m->nact; i++) {
    printf("%s", i ? "," : "");
    print_text(own_name(m->act_name[i]));
  }
  printf("],\n\"states\":[");
  for (int s = 0; s < states; s++) {
    random_state(data, &r, a);
    printf("%s\n{", s ? "," : "");
    print_array("q", data->q, m->nq_rigid, ",");
    print_array("v", data->v, n, ",");
    print_array("a", a, n, ",");
    print_actuators(data, &r, f);
    pl_rigid_mass_matrix(data, M);
    print_array("M", M, n * n, ",");
    pl_rigid_bias(data, f);
    print_array("bias", f, n, ",");
    pl_rigid_inverse_dynamics(data, a, f);
    print_array("tau", f, n, "}");
  }
  printf("]}\n");
  free(M), free(f), free(a);
}

int main(int argc, char** argv) {
  plRobotDef def = pl_default_robot_def();
  plLoadOptions options = {.warn = count_warning, .ignore_missing_meshes = true};
  bool known = true;
  plError error;
  char text[1500];
  int states = 100;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--states") && i + 1 < argc)
      states = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--base") && i + 1 < argc)
      i++, def.base = !strcmp(argv[i], "weld")   ? PL_BASE_WELD
                      : !strcmp(argv[i], "free") ? PL_BASE_FREE
                                                 : PL_BASE_FILE;
    else if (argv[i][0] != '-')
      def.file = argv[i];
    else
      known = false;
  }
  if (!known || !def.file)
    return fprintf(stderr, "usage: robot_terms FILE [--base file|weld|free] [--states N]\n"), 2;
  def.name = "r";
  plSpec* spec = pl_spec_create();
  plStatus status = pl_spec_add_robot(spec, &def, &options, &error);
  if (!status) pl_spec_options(spec)->gravity = v3(0, 0, -9.81);
  const plModel* model = status ? NULL : pl_model_create(spec, &error);
  plData* data = model ? pl_data_create(model, &error) : NULL;
  if (data)
    print_terms(data, states);
  else
    fprintf(stderr, "%s\n", pl_error_text(&error, text, sizeof text));
  pl_data_destroy(data);
  pl_model_destroy(model);
  pl_spec_destroy(spec);
  return data ? 0 : 1;
}

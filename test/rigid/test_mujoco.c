// test_mujoco.c: mass matrix, bias and inverse dynamics of robots read from the same file by us and by
// MuJoCo, at 100 random states each, and what their joints transmit in a step.
//
// MuJoCo (Debian: libmujoco-dev, which tools/setup test installs) is loaded at run time; where it or its
// headers are missing the tests are skipped.
#include "math/random_vec3.h"
#include "input/robots.h"
#include "model/work.h"
#include "pliant/forces.h"

#if __has_include(<mujoco/mujoco.h>)
#include "mujoco.h"

// The state of MuJoCo's joint j, as ours: angular velocities of ball and free joints are in the body there,
// in the frame around it here.
static void copy_joint(const mjModel* m, const mjData* d, int j, const plModel* model, double* q, double* v,
                       double* a) {
  char name[300];
  snprintf(name, sizeof name, "r/%s", mj.name(m, mjOBJ_JOINT, j));
  int own = pl_model_find_joint(model, name);
  if (own < 0) check_errors++, printf("no joint %s\n", name);
  if (own < 0) return;
  int type = m->jnt_type[j],
      nq = type == mjJNT_FREE   ? 7
           : type == mjJNT_BALL ? 4
                                : 1,
      nv = type == mjJNT_FREE   ? 6
           : type == mjJNT_BALL ? 3
                                : 1;
  const double *mq = d->qpos + m->jnt_qposadr[j], *mv = d->qvel + m->jnt_dofadr[j],
               *ma = d->qacc + m->jnt_dofadr[j];
  double *oq = q + model->joint_q0[own], *ov = v + model->joint_v0[own], *oa = a + model->joint_v0[own];
  for (int k = 0; k < nq; k++) oq[k] = mq[k] - (nq == 1 ? m->qpos0[m->jnt_qposadr[j]] : 0);
  for (int k = 0; k < nv; k++) ov[k] = mv[k], oa[k] = ma[k];
  if (nv < 3) return;
  plQuat r = {oq[nq - 4], oq[nq - 3], oq[nq - 2], oq[nq - 1]};
  v3_store(ov + nv - 3, quat_rotate(r, v3_load(ov + nv - 3)));
  v3_store(oa + nv - 3, quat_rotate(r, v3_load(oa + nv - 3)));
}

// The matrix that takes MuJoCo's velocities to ours, applied from the left with its transpose: f_mujoco = T'
// f. Column k of T into x.
static void column_of_map(const mjModel* m, const mjData* d, const plModel* model, int dof, double* x) {
  int j = m->dof_jntid[dof], type = m->jnt_type[j], k = dof - m->jnt_dofadr[j];
  char name[300];
  snprintf(name, sizeof name, "r/%s", mj.name(m, mjOBJ_JOINT, j));
  int v0 = model->joint_v0[pl_model_find_joint(model, name)], turn = type == mjJNT_FREE   ? 3
                                                                     : type == mjJNT_BALL ? 0
                                                                                          : 99;
  memset(x, 0, sizeof(double) * (size_t)model->nv);
  if (k < turn) {
    x[v0 + k] = 1;
    return;
  }
  const double* p = d->qpos + m->jnt_qposadr[j] + (type == mjJNT_FREE ? 3 : 0);
  plVec3 e = {k == turn, k == turn + 1, k == turn + 2};
  v3_store(x + v0 + turn, quat_rotate((plQuat){p[0], p[1], p[2], p[3]}, e));
}

static void random_state(plRandom* r, const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nq; i++) d->qpos[i] = pl_random(r, -1.5, 1.5);
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] > mjJNT_BALL) continue;
    double* p = d->qpos + m->jnt_qposadr[j] + (m->jnt_type[j] == mjJNT_FREE ? 3 : 0);
    plQuat q = quat_unit((plQuat){p[0], p[1], p[2], p[3]});
    p[0] = q.w, p[1] = q.x, p[2] = q.y, p[3] = q.z;
  }
  for (int i = 0; i < m->nv; i++) d->qvel[i] = pl_random(r, -2, 2);
}

#define WRENCH_DT 2e-6

// What the joints of bodies transmit in a step of dt from this state, less MuJoCo's forces between bodies at
// the step's accelerations: difference [6 njnt]. Returns the largest force.
static double differ_by(const mjModel* m, mjData* d, plData* data, double dt, double* difference) {
  const plModel* model = data->model;
  plOptions options = data->par->options;
  options.dt = dt;
  CHECK_INT(pl_options_set(data, &options, NULL), PL_OK);
  plWrench* wrench = calloc((size_t)model->njoint, sizeof *wrench);
  plPose* frame = calloc((size_t)model->njoint, sizeof *frame);
  double *q0 = malloc((size_t)model->nq * 8), *v0 = malloc((size_t)model->nv * 8), size = 1;
  memcpy(q0, data->q, (size_t)model->nq * 8), memcpy(v0, data->v, (size_t)model->nv * 8);
  for (int g = 0; g < model->nshape; g++) data->on[PL_SWITCH_SHAPE][g] = false;
  CHECK_INT(pl_step(data, NULL), PL_OK);
  CHECK_INT(pl_joint_wrenches(data, wrench, frame), PL_OK);
  for (int j = 0; j < m->njnt; j++) {
    char name[300];
    snprintf(name, sizeof name, "r/%s", mj.name(m, mjOBJ_JOINT, j));
    int type = m->jnt_type[j],
        nv = type == mjJNT_FREE   ? 6
             : type == mjJNT_BALL ? 3
                                  : 1,
        own = model->joint_v0[pl_model_find_joint(model, name)];
    double* a = d->qacc + m->jnt_dofadr[j];
    // what joints transmit belongs to the velocities before momentum is balanced
    for (int k = 0; k < nv; k++) a[k] = (data->work->v_solved[own + k] - v0[own + k]) / dt;
    if (nv == 1) continue;
    const double* p = d->qpos + m->jnt_qposadr[j] + (type == mjJNT_FREE ? 3 : 0);
    v3_store(a + nv - 3, quat_rotate(quat_conj((plQuat){p[0], p[1], p[2], p[3]}), v3_load(a + nv - 3)));
  }
  mj.inverse(m, d);
  mj.post(m, d);
  for (int j = 0; j < m->njnt; j++) {
    char name[300];
    snprintf(name, sizeof name, "r/%s", mj.name(m, mjOBJ_JOINT, j));
    int own = pl_model_find_joint(model, name), body = m->jnt_bodyid[j];
    // MuJoCo: moment about the centre of mass of the whole tree, then force
    plVec3 f = quat_rotate(frame[own].q, wrench[own].force),
           n = quat_rotate(frame[own].q, wrench[own].moment);
    plVec3 about = v3_sub(frame[own].p, v3_load(d->subtree_com + 3 * m->body_rootid[body]));
    n = v3_add(n, v3_cross(about, f));
    const double* theirs = d->cfrc_int + 6 * body;
    v3_store(difference + 6 * j, v3_sub(n, v3_load(theirs)));
    v3_store(difference + 6 * j + 3, v3_sub(f, v3_load(theirs + 3)));
    size = fmax(size, fmax(v3_norm(v3_load(theirs)), v3_norm(v3_load(theirs + 3))));
  }
  memcpy(data->q, q0, (size_t)model->nq * 8), memcpy(data->v, v0, (size_t)model->nv * 8);
  free(wrench), free(frame), free(q0), free(v0);
  return size;
}

// The momentum of turning joints is balanced over a step, so what they transmit differs from the rate by a
// term in dt: it is taken off by a second step of twice the length. What is left, over the largest force.
static double compare_wrenches(const mjModel* m, mjData* d, plData* data) {
  double *once = calloc(6 * (size_t)m->njnt, 8), *twice = calloc(6 * (size_t)m->njnt, 8), worst = 0;
  double size = differ_by(m, d, data, WRENCH_DT, once);
  differ_by(m, d, data, 2 * WRENCH_DT, twice);
  for (int i = 0; i < 6 * m->njnt; i += 3)
    worst = fmax(worst, v3_norm(v3_sub(v3_scale(2, v3_load(once + i)), v3_load(twice + i))));
  free(once), free(twice);
  return worst / size;
}

// Compares a file at 100 states: M, bias, and inverse dynamics of random accelerations.
static void compare(const char* path, plBase base, double tolerance) {
  char error[1000] = "", text[1500];
  mjModel* m = mj.load(path, NULL, error, sizeof error);
  if (!m) {
    check_errors++, printf("MuJoCo: %s\n", error);
    return;
  }
  mjData* d = mj.make(m);
  m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_CONSTRAINT | mjDSBL_PASSIVE | mjDSBL_ACTUATION;
  plError own_error;
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = path, def.name = "r", def.base = base;
  if (pl_spec_add_robot(spec, &def, NULL, &own_error)) {
    check_errors++, printf("%s\n", pl_error_text(&own_error, text, sizeof text));
    return;
  }
  pl_spec_options(spec)->gravity = v3(m->opt.gravity[0], m->opt.gravity[1], m->opt.gravity[2]);
  plData* data = data_of(spec);
  const plModel* model = data->model;
  CHECK_INT(model->nv, m->nv);
  if (model->nv != m->nv) return;
  size_t n = (size_t)m->nv;
  double *M = calloc(n * n, 8), *own = calloc(n * n, 8), *T = calloc(n * n, 8), *a = calloc(n, 8),
         *f = calloc(n, 8), worst[4] = {0};
  plRandom r = {11};
  for (int state = 0; state < 100; state++) {
    random_state(&r, m, d);
    for (int i = 0; i < m->nv; i++) d->qacc[i] = pl_random(&r, -3, 3);
    double* acc = malloc(n * 8);
    memcpy(acc, d->qacc, n * 8);
    for (int j = 0; j < m->njnt; j++) copy_joint(m, d, j, model, data->q, data->v, a);
    mj.forward(m, d);
    mj.full(m, M, d->qM);
    memcpy(d->qacc, acc, n * 8);
    mj.inverse(m, d);
    free(acc);
    for (int k = 0; k < m->nv; k++) column_of_map(m, d, model, k, T + (size_t)k * n);
    pl_rigid_mass_matrix(data, own);
    double scale = 0, bias_scale = 1;
    for (size_t i = 0; i < n; i++)
      scale = fmax(scale, M[i * n + i]), bias_scale = fmax(bias_scale, fabs(d->qfrc_bias[i]));
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
          for (size_t l = 0; l < n; l++)
            if (T[i * n + k] != 0 && T[j * n + l] != 0) sum += T[i * n + k] * own[k * n + l] * T[j * n + l];
        // MuJoCo finds principal axes only to about 1e-9 of the moments
        worst[0] = fmax(worst[0], fabs(sum - M[i * n + j]) / fmax(scale, 0.1));
        CHECK_NEAR(sum / scale, M[i * n + j] / scale, 1e-8);
      }
    for (int pass = 1; pass <= 2; pass++) {
      if (pass == 1)
        pl_rigid_bias(data, f);
      else
        pl_rigid_inverse_dynamics(data, a, f);
      const double* expected = pass == 1 ? d->qfrc_bias : d->qfrc_inverse;
      for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++) sum += T[i * n + k] * f[k];
        worst[pass] = fmax(worst[pass], fabs(sum - expected[i]) / bias_scale);
      }
    }
    if (state < 20) worst[3] = fmax(worst[3], compare_wrenches(m, d, data));
  }
  const char* slash = strrchr(path, '/');
  printf("%s, %d dofs: mass matrix %.2g, bias %.2g, inverse dynamics %.2g, wrenches of joints %.2g\n",
         slash ? slash + 1 : path, m->nv, worst[0], worst[1], worst[2], worst[3]);
  CHECK_NEAR(worst[0], 0, 0.31 * tolerance);
  CHECK_NEAR(worst[1], 0, 0.34 * tolerance);
  CHECK_NEAR(worst[2], 0, 0.37 * tolerance);
  CHECK_NEAR(worst[3], 0, 8 * tolerance);
  free(M), free(own), free(T), free(a), free(f);
  free_data(data);
  mj.free_data(d);
  mj.free_model(m);
}

static void robots_of_ours(void) {
  compare(PLIANT_SOURCEDIR "/scenes/robots/allegro_right.urdf", PL_BASE_WELD, 1e-9);
  // MuJoCo does not know rotors behind gears: they are left out of the file it gets
  char path[1024];
  static char text[60000];
  FILE* file = fopen(PLIANT_SOURCEDIR "/scenes/robots/iiwa14.urdf", "rb");
  size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[size] = 0;
  char* cut = strstr(text, "  <transmission>");
  snprintf(cut, 20, "</robot>\n");
  snprintf(path, sizeof path, PLIANT_BINARYDIR "/test/iiwa_plain.urdf");
  file = fopen(path, "wb");
  fputs(text, file);
  fclose(file);
  compare(path, PL_BASE_WELD, 1e-9);
  remove(path);
}

// A random mechanism as MJCF: every joint kind, several joints on a body, branches, free and fixed bases,
// frames of bodies turned.
static void write_mechanism(plRandom* r, FILE* file, int bodies) {
  fputs(
      "<mujoco><compiler angle='radian' inertiafromgeom='auto'/><option gravity='1 -2 -9.81'/><worldbody>\n",
      file);
  int depth = 0, count = 0;
  while (count < bodies || depth) {
    if (count < bodies && (depth == 0 || pl_random(r, 0, 1) < 0.7)) {
      plVec3 q = v3_random(r, -1, 1);
      double w = pl_random(r, .2, 1);
      plVec3 p = v3_random(r, -.3, .3);
      fprintf(file, "<body name='b%d' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'>\n", count, p.x,
              p.y, p.z, w, q.x, q.y, q.z);
      int kind = pl_random_int(r, 8), n = 1 + (pl_random_int(r, 4) == 0);
      if (depth == 0 && pl_random_int(r, 3) == 0)
        fprintf(file, "<freejoint name='f%d'/>\n", count);
      else if (kind == 0)
        fprintf(file, "<joint name='j%d' type='ball' pos='%.17g 0 0.1' armature='0.02'/>\n", count,
                pl_random(r, -.1, .1));
      else
        for (int k = 0; k < n; k++) {
          double ref = 0.3 * pl_random_int(r, 2), armature = 0.1 * pl_random_int(r, 2);
          double at = pl_random(r, -.1, .1);
          double z = pl_random(r, -1, 1), y = pl_random(r, -1, 1), x = pl_random(r, .1, 1);
          fprintf(file,
                  "<joint name='j%d_%d' type='%s' axis='%.17g %.17g %.17g' pos='%.17g 0.05 0' armature='%g' "
                  "ref='%g'/>\n",
                  count, k, pl_random_int(r, 4) ? "hinge" : "slide", x, y, z, at, armature, ref);
        }
      int shape = pl_random_int(r, 5);
      if (shape == 0)
        fputs("<inertial pos='.1 .02 .03' mass='.7' fullinertia='.02 .03 .04 .001 .002 -.003'/>\n", file);
      else if (shape == 1)
        fprintf(file, "<geom type='box' size='.1 .05 .2' pos='0 0.1 0' euler='%g 0.3 1'/>\n",
                pl_random(r, -1, 1));
      else if (shape == 2)
        fputs(
            "<geom type='capsule' size='.03' fromto='0 0 0 .1 .2 .3'/><geom type='sphere' size='.05' "
            "mass='.2' pos='.1 0 0'/>\n",
            file);
      else if (shape == 3)
        fputs("<geom type='cylinder' size='.05 .1' axisangle='1 1 0 0.5' density='300'/>\n", file);
      else
        fputs("<geom type='ellipsoid' size='.05 .1 .07' zaxis='1 2 3' pos='0 0 .1'/>\n", file);
      depth++, count++;
    } else {
      fputs("</body>\n", file);
      depth--;
    }
  }
  fputs("</worldbody></mujoco>\n", file);
}

static void random_mechanisms(void) {
  plRandom r = {12};
  for (int k = 0; k < 12; k++) {
    char path[1024];
    snprintf(path, sizeof path, PLIANT_BINARYDIR "/test/mechanism%d.xml", k);
    FILE* file = fopen(path, "w");
    write_mechanism(&r, file, 2 + 2 * k);
    fclose(file);
    compare(path, PL_BASE_FILE, 1e-9);
    remove(path);
  }
}

// Files named on the command line: every robot that is available.
int main(int argc, char** argv) {
  if (argc > 1 && strchr(argv[1], '/')) {
    CHECK_MAIN(1, argv);
    for (int i = 1; i < argc && open_mujoco(); i++) compare(argv[i], PL_BASE_WELD, 1e-9);
    return check_errors > 0;
  }
  CHECK_MAIN(argc, argv);
  if (!open_mujoco()) return CHECK_SKIP_ALL("libmujoco.so is not installed (Debian: libmujoco-dev)");
  printf("MuJoCo %s\n", mj.version());
  RUN(robots_of_ours);
  RUN(random_mechanisms);
  return CHECK_END;
}

#else

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  return CHECK_SKIP_ALL("mujoco/mujoco.h is not installed (Debian: libmujoco-dev)");
}

#endif

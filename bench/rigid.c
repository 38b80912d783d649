// rigid.c: microseconds per step of articulated bodies, ours and MuJoCo's on the same file in the same run.
//
//   rigid [--quick] [--json FILE]
//
// Rows: scene, ours_us, mujoco_us (null where libmujoco is not installed). Rounds alternate between the two;
// the best of each counts.
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pliant/pliant.h"

#if __has_include(<mujoco/mujoco.h>)
#include <mujoco/mujoco.h>
#define HAVE_MUJOCO 1
static struct {
  mjModel* (*load)(const char*, const mjVFS*, char*, int);
  mjData* (*make)(const mjModel*);
  void (*step)(const mjModel*, mjData*);
  void (*reset)(const mjModel*, mjData*);
} mj;

static int open_mujoco(void) {
  void* library = dlopen("libmujoco.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libmujoco.so.2.2.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  *(void**)&mj.load = dlsym(library, "mj_loadXML"), *(void**)&mj.make = dlsym(library, "mj_makeData");
  *(void**)&mj.step = dlsym(library, "mj_step"), *(void**)&mj.reset = dlsym(library, "mj_resetData");
  return mj.load && mj.make && mj.step && mj.reset;
}
#endif

// Seconds of this thread's own: other programs on the machine do not count.
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A capsule arm with four hinges on different axes and damping; a chain of thirty hinges that falls from the
// horizontal.
static void write_scene(const char* scene, FILE* file) {
  fputs("<mujoco><size nconmax='500' njmax='3000'/><option timestep='0.002'/><worldbody>\n", file);
  if (!strcmp(scene, "arm4")) {
    static const char* const axis[4] = {"0 0 1", "0 1 0", "1 0 0", "0 1 0"};
    for (int i = 0; i < 4; i++)
      fprintf(file,
              "<body pos='%g 0 %g'><joint type='hinge' axis='%s' damping='0.1'/><geom type='capsule' "
              "size='0.03' fromto='0 0 0 0 0.02 0.3' contype='0' conaffinity='0'/>\n",
              0.02 * i, i ? 0.3 : 1, axis[i]);
    fputs("</body></body></body></body>", file);
  } else if (!strcmp(scene, "boxes27")) {
    fputs("<geom type='plane' size='2 2 .1' friction='0.5'/>\n", file);
    for (int i = 0; i < 27; i++)
      fprintf(
          file,
          "<body pos='%g %g %g'><freejoint/><geom type='box' size='0.05 0.05 0.05' density='1000'/></body>\n",
          0.11 * (i % 3), 0.11 * (i / 3 % 3), 0.06 + 0.11 * (i / 9));
  } else {
    for (int i = 0; i < 30; i++)
      fprintf(file,
              "<body pos='%g 0 %g'><joint type='hinge' axis='0 1 0'/><geom type='capsule' size='0.02' "
              "fromto='0 0 0 0.1 0 0' contype='0' conaffinity='0'/>\n",
              i ? 0.1 : 0, i ? 0.0 : 4.0);
    for (int i = 0; i < 30; i++) fputs("</body>", file);
  }
  fputs("</worldbody></mujoco>\n", file);
}

typedef struct Row {
  const char* scene;
  int dofs;
  double ours_us, mujoco_us;  // NAN: absent
} Row;

static plData* load_ours(const char* path) {
  plError error;
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = path;
  pl_spec_options(spec)->dt = 0.002;
  const plModel* model = pl_spec_add_robot(spec, &def, NULL, &error) ? NULL : pl_model_create(spec, &error);
  plData* data = model ? pl_data_create(model, &error) : NULL;
  pl_spec_destroy(spec);
  if (!data) fprintf(stderr, "%s\n", error.message);
  return data;
}

// Seconds of `steps` steps from the start.
static double time_ours(plData* data, int steps) {
  pl_data_reset(data);
  for (int i = 0; i < data->model->nq && data->model->nq == data->model->nv; i++) data->q[i] = 0.1;
  double start = now();
  for (int i = 0; i < steps; i++)
    if (pl_step(data, NULL)) return NAN;
  return now() - start;
}

static Row run(const char* scene, int rounds, int steps) {
  char path[64] = "rigid_bench_XXXXXX";
  Row row = {scene, 0, NAN, NAN};
  int handle = mkstemp(path);
  FILE* file = handle >= 0 ? fdopen(handle, "w") : NULL;
  if (!file) return row;
  write_scene(scene, file);
  fclose(file);
  char name[80];
  snprintf(name, sizeof name, "%s.xml", path);
  rename(path, name);
  plData* data = load_ours(name);
#ifdef HAVE_MUJOCO
  char error[500] = "";
  mjModel* m = open_mujoco() ? mj.load(name, NULL, error, sizeof error) : NULL;
  mjData* d = m ? mj.make(m) : NULL;
#endif
  remove(name);
  if (!data) return row;
  row.dofs = data->model->nv;
  for (int r = 0; r < rounds; r++) {
    row.ours_us = fmin(row.ours_us, 1e6 * time_ours(data, steps) / steps);
#ifdef HAVE_MUJOCO
    if (!d) continue;
    mj.reset(m, d);
    for (int i = 0; i < m->nq && m->nq == m->nv; i++) d->qpos[i] = 0.1;
    double start = now();
    for (int i = 0; i < steps; i++) mj.step(m, d);
    row.mujoco_us = fmin(row.mujoco_us, 1e6 * (now() - start) / steps);
#endif
  }
  const plModel* model = (plModel*)data->model;
  pl_data_destroy(data);
  pl_model_destroy(model);
  return row;
}

int main(int argc, char** argv) {
  int rounds = 20, steps = 2000;
  const char* json = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      rounds = 5, steps = 500;
    else if (!strcmp(argv[i], "--json") && i + 1 < argc)
      json = argv[++i];
    else
      return fprintf(stderr, "usage: rigid [--quick] [--json FILE]\n"), 2;
  }
  static const char* const scenes[] = {"arm4", "chain30", "boxes27"};
  enum { SCENES = sizeof scenes / sizeof *scenes };
  Row rows[SCENES];
  printf("%-10s %6s %10s %10s %8s\n", "scene", "dofs", "ours us", "MuJoCo us", "ratio");
  for (int k = 0; k < SCENES; k++) {
    rows[k] = run(scenes[k], rounds, steps);
    printf("%-10s %6d %10.3f", rows[k].scene, rows[k].dofs, rows[k].ours_us);
    if (isnan(rows[k].mujoco_us))
      printf(" %10s\n", "absent");
    else
      printf(" %10.3f %8.2f\n", rows[k].mujoco_us, rows[k].ours_us / rows[k].mujoco_us);
  }
  FILE* file = json ? fopen(json, "w") : NULL;
  if (json && !file) return perror(json), 1;
  for (int k = 0; file && k < SCENES; k++) {
    fprintf(file, "%s{\"scene\": \"%s\", \"dofs\": %d, \"ours_us\": %.4f, \"mujoco_us\": ", k ? ",\n " : "[",
            rows[k].scene, rows[k].dofs, rows[k].ours_us);
    if (isnan(rows[k].mujoco_us))
      fputs("null}", file);
    else
      fprintf(file, "%.4f}", rows[k].mujoco_us);
  }
  if (file) fputs("]\n", file), fclose(file);
  return 0;
}

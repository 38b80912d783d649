// rigid.c: microseconds per step of articulated rigid bodies. bench/peers/compare puts MuJoCo beside them.
//
//   rigid [--quick] [--scene NAME] [--rounds N] [--steps N] [--files DIR] [--json FILE]
//
// Rows: scene, dofs, ours_us. The fastest round counts. --files keeps the MJCF model of each scene as
// DIR/NAME.xml, for other engines.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pliant/pliant.h"

// Seconds of this thread's own: other programs on the machine do not count.
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A capsule of rings of points, for the hull of a link: 14 rings of 14 points and two poles.
static void write_hull(int link, FILE* file) {
  enum { RINGS = 14, POINTS = 14 };
  double radius = 0.05 - 0.002 * link, length = 0.1;
  fprintf(file, "<mesh name='link%d' vertex='0 0 %.9g 0 0 %.9g", link, -0.05, -0.05 - length);
  for (int i = 0; i < RINGS; i++)
    for (int k = 0; k < POINTS; k++) {
      double a = acos(-1) * (i + 0.5) / RINGS, b = 2 * acos(-1) * (k + 0.5 * (i % 2)) / POINTS;
      fprintf(file, " %.9g %.9g %.9g", radius * sin(a) * cos(b), radius * sin(a) * sin(b),
              -0.05 - (i < RINGS / 2 ? 0 : length) + 0.05 * cos(a));
    }
  fputs("'/>\n", file);
}

// An arm of nine hinges with springs, bent, with the hull of a mesh on the base and on each link. The boxes
// of links come near each other, the links do not.
static void write_hull_arm(FILE* file) {
  fputs("<asset>\n", file);
  for (int i = 0; i < 10; i++) write_hull(i, file);
  fputs("</asset><worldbody><geom type='mesh' mesh='link0' pos='0 0 2'/>\n", file);
  for (int i = 1; i < 10; i++)
    fprintf(file,
            "<body pos='0 0 %g' euler='0 20 0'><joint type='hinge' axis='%s' damping='1' stiffness='60'/>"
            "<geom type='mesh' mesh='link%d'/>\n",
            i > 1 ? -0.22 : 1.78, i % 2 ? "0 1 0" : "0 0 1", i);
  for (int i = 1; i < 10; i++) fputs("</body>", file);
}

// A capsule arm with four hinges on different axes and damping; a chain of thirty hinges that falls from the
// horizontal.
static void write_scene(const char* scene, FILE* file) {
  fputs("<mujoco><size nconmax='500' njmax='3000'/><option timestep='0.002'/>\n", file);
  if (!strcmp(scene, "arm9")) {
    write_hull_arm(file);
    fputs("</worldbody></mujoco>\n", file);
    return;
  }
  fputs("<worldbody>\n", file);
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
  double ours_us;
} Row;

static plData* load_ours(const char* path) {
  plError error;
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->threads = 1;
  plRobotDef def = pl_default_robot_def();
  def.file = path;
  pl_spec_options(spec)->dt = 0.002;
  pl_spec_options(spec)->contact_law = PL_LAW_CONE;  // MuJoCo's friction is convex too
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

typedef struct Args {
  int rounds, steps;
  const char *scene, *files, *json;
} Args;

// Writes the scene's model, into args->files or into a temporary file that is removed again, and runs it.
static bool run(const char* scene, const Args* args, Row* row) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.xml", args->files ? args->files : "/tmp", scene);
  if (!args->files) snprintf(path, sizeof path, "rigid_bench_%ld.xml", (long)getpid());
  FILE* file = fopen(path, "w");
  if (!file) return perror(path), false;
  write_scene(scene, file);
  fclose(file);
  plData* data = load_ours(path);
  if (!args->files) remove(path);
  if (!data) return false;
  *row = (Row){scene, data->model->nv, NAN};
  for (int r = 0; r < args->rounds; r++)
    row->ours_us = fmin(row->ours_us, 1e6 * time_ours(data, args->steps) / args->steps);
  const plModel* model = data->model;
  pl_data_destroy(data);
  pl_model_destroy(model);
  return isfinite(row->ours_us);
}

static bool parse(int argc, char** argv, Args* args) {
  *args = (Args){.rounds = 20, .steps = 2000};
  for (int i = 1; i < argc; i++) {
    bool more = i + 1 < argc;
    if (!strcmp(argv[i], "--quick"))
      args->rounds = 5, args->steps = 500;
    else if (!strcmp(argv[i], "--scene") && more)
      args->scene = argv[++i];
    else if (!strcmp(argv[i], "--rounds") && more)
      args->rounds = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--steps") && more)
      args->steps = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--files") && more)
      args->files = argv[++i];
    else if (!strcmp(argv[i], "--json") && more)
      args->json = argv[++i];
    else
      return false;
  }
  return args->rounds > 0 && args->steps > 0;
}

int main(int argc, char** argv) {
  static const char* const scenes[] = {"arm4", "arm9", "chain30", "boxes27"};
  enum { SCENES = sizeof scenes / sizeof *scenes };
  Row rows[SCENES];
  int n = 0;
  Args args;
  if (!parse(argc, argv, &args)) {
    fprintf(stderr,
            "usage: rigid [--quick] [--scene NAME] [--rounds N] [--steps N] [--files DIR] [--json FILE]\n");
    return 2;
  }
  printf("%-10s %6s %10s\n", "scene", "dofs", "us");
  for (int k = 0; k < SCENES; k++) {
    if (args.scene && strcmp(args.scene, scenes[k])) continue;
    if (!run(scenes[k], &args, &rows[n])) return 1;
    printf("%-10s %6d %10.3f\n", rows[n].scene, rows[n].dofs, rows[n].ours_us);
    n++;
  }
  if (!n) return fprintf(stderr, "rigid: there is no scene '%s'\n", args.scene), 2;
  FILE* file = args.json ? fopen(args.json, "w") : NULL;
  if (args.json && !file) return perror(args.json), 1;
  for (int k = 0; file && k < n; k++)
    fprintf(file, "%s{\"scene\": \"%s\", \"dofs\": %d, \"ours_us\": %.4f}", k ? ",\n " : "[", rows[k].scene,
            rows[k].dofs, rows[k].ours_us);
  if (file) fputs("]\n", file), fclose(file);
  return 0;
}

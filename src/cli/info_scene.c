// info_scene.c: what a scene holds: options, a table of soft bodies, a table of shapes.
#include "cli.h"

static void print_options(const plOptions* o) {
  static const char* const laws[] = {
      [PL_LAW_CONE] = "cone", [PL_LAW_SIMILAR] = "similar", [PL_LAW_COULOMB] = "coulomb"};
  printf("time           steps of %g s, %g s in all, theta %g, theta_vq %g\n", o->dt, o->duration, o->theta,
         o->theta_vq);
  printf("gravity        [%g, %g, %g] m/s^2\n", o->gravity.x, o->gravity.y, o->gravity.z);
  printf("contact        law %s, tolerance %g\n", laws[o->contact_law], o->tolerance);
}

static void print_deformables(const plModel* m) {
  printf("\n%-20s %8s %8s %8s %7s %10s  %s\n", "deformable", "vertices", "tets", "DoFs", "fixed", "mass",
         "material");
  double mass = 0;
  for (int i = 0; i < m->ndeform; i++) {
    int first = m->deform_vert0[i], end = m->deform_vert0[i + 1], fixed = 0;
    for (int k = first; k < end; k++) fixed += m->vert_fixed[k] != 0;
    printf("%-20s %8d %8d %8d %7d %7.4g kg  %s\n", m->deform_name[i], end - first,
           m->deform_tet0[i + 1] - m->deform_tet0[i], 3 * (end - first), fixed,
           m->par->deform_material[i].density * m->deform_volume[i],
           pl_material_name(m->par->deform_material[i].kind));
    mass += m->par->deform_material[i].density * m->deform_volume[i];
  }
  printf("%-20s %8d %8d %8d %7s %7.4g kg\n", "all", m->nvert, m->ntet, 3 * m->nvert, "", mass);
}

static void print_shapes(const plModel* m) {
  printf("\n%-20s %-12s %-32s %s\n", "shape", "kind", "position", "friction");
  for (int i = 0; i < m->ngeom; i++) {
    char position[96];
    plVec3 p = m->geom_pose[i].p;
    snprintf(position, sizeof position, "[%g, %g, %g] m", p.x, p.y, p.z);
    printf("%-20s %-12s %-32s %g%s\n", m->geom_name[i], pl_shape_name(m->geom_kind[i]), position,
           m->par->geom_surface[i].friction,
           m->geom_convex[i]    ? "  (convex hull)"
           : m->geom_collide[i] ? ""
                                : "  (drawn only)");
  }
}

static void print_sensors(const plModel* m) {
  printf("\n%-20s %-14s %16s %8s %8s  %s\n", "sensor", "kind", "numbers", "rate", "delay", "columns");
  for (int i = 0; i < m->nsensor; i++) {
    const plSensor* s = &m->sensor[i];
    char numbers[48], rate[24] = "step";
    snprintf(numbers, sizeof numbers, s->rows > 1 ? "%d x %d x %d" : "%.0d%.0d%d",
             s->rows > 1 ? s->height : 0, s->rows > 1 ? s->width : 0, s->columns);
    if (s->rate > 0) snprintf(rate, sizeof rate, "%g /s", s->rate);
    printf("%-20s %-14s %16s %8s %6g s ", s->name, pl_sensor_kind_name(s->kind), numbers, rate, s->delay);
    for (int c = 0; c < s->columns; c++) printf(" %s [%s]", s->column[c], s->unit[c]);
    printf("\n");
  }
}

static void print_remark(void* user, const char* text) {
  int* n = user;
  printf("%s  %s\n", (*n)++ ? "" : "\nat the start\n", text);
}

static int describe_start(const plModel* model) {
  plError error;
  plData* data = pl_data_create(model, &error);
  int n = 0;
  if (!data) return complain_error(&error);
  if (pl_describe_start(data, print_remark, &n, &error)) print_remark(&n, error.message);
  pl_data_destroy(data);
  return EXIT_DONE;
}

int info_scene(const char* name, const ArgList* set, const ArgList* search) {
  char path[PATH_SIZE];
  plSpec* spec;
  int status = scene_load(name, set, search, path, &spec);
  if (status) return status;
  plError error;
  const plModel* model = pl_model_create(spec, &error);
  if (!model) {
    if (!error.file[0]) snprintf(error.file, sizeof error.file, "%.500s", path);
    status = complain_error(&error);
  } else {
    warn_soft_start(model);
    printf("scene          %s\n", path);
    printf("degrees        %d velocities, %d positions\n", model->nv, model->nq);
    print_options(&model->par->options);
    const plRecordingDef* recording = pl_spec_recording(spec);
    if (recording->file) printf("recording      %s\n", recording->file);
    if (recording->csv) printf("table          %s: %s\n", recording->csv, recording->signals);
    if (model->nbody) info_rigid(model);
    if (model->ndeform) print_deformables(model);
    if (model->ngeom) print_shapes(model);
    if (model->nsensor) print_sensors(model);
    status = describe_start(model);
  }
  pl_model_destroy(model);
  pl_spec_destroy(spec);
  return status;
}

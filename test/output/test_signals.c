// Signals and tables: names, expansion, errors, numbers.
#include "check.h"

#include "base/random.h"
#include "math/vec3.h"
#include "sample.h"

static const plModel* model;
static plData* data;

static plSignals* make(const char* list) {
  plError error;
  plSignals* signals = NULL;
  if (pl_signals_create(model, list, &signals, &error)) printf("%s: %s\n", list, error.message);
  return signals;
}

// The value of one signal.
static double value(const char* name) {
  plError error;
  double row[8];
  plSignals* signals = make(name);
  if (!signals || pl_signals_count(signals) != 1) return NAN;
  plStatus status = pl_signals_eval(signals, data, row, &error);
  pl_signals_destroy(signals);
  return status ? NAN : row[0];
}

static void refused(const char* list, const char* hint) {
  plError error;
  plSignals* signals;
  CHECK_INT(pl_signals_create(model, list, &signals, &error), PL_ERROR_INPUT);
  CHECK(signals == NULL);
  CHECK_HAS(error.message, hint);
}

static void vectors_expand_and_names_are_whole(void) {
  plSignals* s = make(
      " time,block.com , block.volume\nbeam.vertex(17).z,contact( half_space , block "
      ").force.norm,beam.tet(3).stress");
  CHECK_INT(pl_signals_count(s), 1 + 4 + 1 + 1 + 1 + 6);
  static const char* const names[] = {"time",
                                      "block.com.x",
                                      "block.com.y",
                                      "block.com.z",
                                      "block.com.norm",
                                      "block.volume",
                                      "beam.vertex(17).z",
                                      "contact(half_space,block).force.norm",
                                      "beam.tet(3).stress.xx"};
  for (int i = 0; i < 9; i++) CHECK_STR(pl_signals_name(s, i), names[i]);
  CHECK_STR(pl_signals_unit(s, 0), "s");
  CHECK_STR(pl_signals_unit(s, 5), "m^3");
  CHECK_STR(pl_signals_unit(s, 7), "N");
  pl_signals_destroy(s);
  s = make("*.kinetic_energy, *.com.z");
  CHECK_INT(pl_signals_count(s), 4);
  CHECK_STR(pl_signals_name(s, 1), "beam.kinetic_energy");
  pl_signals_destroy(s);
}

static void numbers_are_those_of_the_library(void) {
  plBodyState block, beam;
  pl_deformable_state(data, 0, &block), pl_deformable_state(data, 1, &beam);
  CHECK_NEAR(value("time"), data->time, 0);
  CHECK_NEAR(value("step"), 10, 0);
  CHECK_NEAR(value("block.com.z"), block.com.z, 0);
  CHECK_NEAR(value("block.com.norm"),
             sqrt(block.com.x * block.com.x + block.com.y * block.com.y + block.com.z * block.com.z), 1e-15);
  CHECK_ROUND(value("block.velocity.z"), -9.81 * data->time, 1);
  CHECK_NEAR(value("block.momentum.z"), block.momentum.z, 0);
  CHECK_NEAR(value("beam.angular_momentum.y"), beam.angular_momentum.y, 0);
  CHECK_NEAR(value("beam.elastic_energy"), beam.elastic_energy, 0);
  CHECK(value("beam.elastic_energy") > 0);
  CHECK_NEAR(value("beam.energy"), beam.elastic_energy + beam.kinetic_energy + beam.gravity_energy, 1e-15);
  CHECK_NEAR(value("energy.kinetic"), block.kinetic_energy + beam.kinetic_energy, 0);
  CHECK_ROUND(value("energy.total"), value("beam.energy") + value("block.energy"), 5);
  CHECK_NEAR(value("momentum.z"), block.momentum.z + beam.momentum.z, 0);
  CHECK_ROUND(value("block.mass"), 1, 1);
  CHECK_ROUND(value("block.volume"), 1e-3, 0.001);
  CHECK_ROUND(value("block.upper.x") - value("block.lower.x"), 0.1, 0.1);
  // The block falls freely: every vertex has moved by the same way.
  double fall = 9.81 * 0.01 * 0.01 * 55;
  CHECK_ROUND(value("block.displacement_max"), fall, 0.06);
  CHECK_ROUND(value("block.vertex(5).displacement.z"), -fall, 0.06);
  CHECK_ROUND(value("block.vertex(5).z"), model->start_q[3 * 5 + 2] - fall, 0.2);
  CHECK_ROUND(value("block.vertex(5).velocity.z"), -0.981, 1);
  CHECK_NEAR(value("block.speed_max"), 0.981, 1.5e-14);
  CHECK_ROUND(value("block.volume_ratio_min"), 1, 1);
  CHECK_NEAR(value("report.factorizations"), data->report.factorizations, 0);
  double most = 0;
  for (int t = model->deform_tet0[1]; t < model->ntet; t++) {
    plElementState e;
    pl_element_state(data, t, &e);
    most = fmax(most, e.von_mises);
    if (t == model->deform_tet0[1] + 4) {
      CHECK_NEAR(value("beam.tet(4).stress.xy"), e.cauchy_stress[3], 0);
      CHECK_NEAR(value("beam.tet(4).strain.xz"), e.green_strain[5], 0);
      CHECK_NEAR(value("beam.tet(4).pressure"), e.pressure, 0);
    }
  }
  CHECK_NEAR(value("beam.von_mises_max"), most, 0);
}

// What needs the vertices alone and what needs the elements, in any order: the numbers of each alone.
// Vertices are moved at random, further and further: the tetrahedra that turn inside out are counted.
static void elements_inside_out_are_counted(void) {
  plError error;
  plData* moved = pl_data_create(model, &error);
  plRandom random = {7};
  int most = 0;
  for (int k = 0; k < 50; k++) {
    for (int b = 0; b < model->ndeform; b++) {
      int count = 0, n = 3 * (model->deform_vert0[b + 1] - model->deform_vert0[b]);
      for (int i = model->deform_q0[b]; i < model->deform_q0[b] + n; i++)
        moved->q[i] = model->start_q[i] + k * pl_random(&random, -1e-3, 1e-3);
      for (int t = model->deform_tet0[b]; t < model->deform_tet0[b + 1]; t++) {
        plVec3 x[4];
        for (int i = 0; i < 4; i++)
          x[i] = v3_load(moved->q + model->deform_q0[b] +
                         3 * (model->tet_vert[4 * t + i] - model->deform_vert0[b]));
        count += v3_dot(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])), v3_sub(x[3], x[0])) < 0;
      }
      plBodyState state;
      pl_deformable_state(moved, b, &state);
      CHECK(state.inverted == count);
      if (k == 0) CHECK(count == 0);
      most = count > most ? count : most;
    }
  }
  CHECK(most > 10);
  pl_data_destroy(moved);
}

static void the_order_of_columns_does_not_matter(void) {
  static const char* const one[] = {"block.com.z", "block.energy", "block.lower.z", "block.volume"};
  static const char* const lists[] = {"block.com.z, block.energy, block.lower.z, block.volume",
                                      "block.energy, block.com.z, block.volume, block.lower.z"};
  static const int at[2][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}};
  plError error;
  for (int k = 0; k < 2; k++) {
    double row[4];
    plSignals* signals = make(lists[k]);
    CHECK_INT(pl_signals_eval(signals, data, row, &error), PL_OK);
    for (int i = 0; i < 4; i++) CHECK(row[at[k][i]] == value(one[i]));
    pl_signals_destroy(signals);
  }
}

static void contacts_are_summed_with_their_sign(void) {
  plContact* own;
  int nown;
  lend_contacts(data, &own, &nown);
  CHECK_NEAR(value("contact(half_space,block).force.x"), 1, 0);
  CHECK_NEAR(value("contact(half_space,block).force.z"), 10, 0);
  CHECK_NEAR(value("contact(block,half_space).force.z"), -10, 0);
  CHECK_NEAR(value("contact(half_space,block).normal_force"), 10, 0);
  CHECK_NEAR(value("contact(block,half_space).normal_force"), 10, 0);
  CHECK_NEAR(value("contact(half_space,block).count"), 2, 0);
  CHECK_NEAR(value("contact(half_space,block).area"), 6e-4, 1e-18);
  CHECK_NEAR(value("contact(half_space,block).pressure"), 10 / 6e-4, 2.3e-10);
  CHECK_NEAR(value("contact(half_space,block).centre.x"), (7 * 0.1 + 3 * 0.3) / 10, 1e-15);
  CHECK_NEAR(value("contact(half_space,block).gap_min"), -3e-4, 0);
  CHECK_NEAR(value("contact(half_space,block).slip_max"), 0.5, 1e-15);
  CHECK_NEAR(value("contact(*,block).force.x"), 6, 0);
  CHECK_NEAR(value("contact(*,*).count"), 3, 0);
  CHECK_NEAR(value("contact(sphere,block).count"), 0, 0);
  CHECK_NEAR(value("block.contact_force.x"), 6, 0);
  CHECK_NEAR(value("beam.contact_force.x"), -5, 0);
  CHECK_NEAR(value("half_space.contact_force.z"), -10, 0);
  return_contacts(data, own, nown);
}

static void wrong_names_are_refused_with_the_nearest(void) {
  refused("blok.com", "did you mean 'block'");
  refused("tme", "did you mean 'time'");
  refused("block.vollume", "did you mean 'volume'");
  refused("block.com.w", "known: x y z norm");
  refused("block.volume.x", "single number");
  refused("block", "block.com.z");
  refused("block.vertex(99999)", "0 .. 63");
  refused("block.vertex(x)", "got 'x'");
  refused("block.vertex(-1)", "0 .. 63");
  refused("block.tet(1)", "is not a signal of a tet");
  refused("block.vertex(1).velocty", "did you mean 'velocity'");
  refused("contact(block).force", "two names");
  refused("contact(block,groud).force", "is not a body or shape");
  refused("contact(block,sphre).force", "did you mean 'sphere'");
  refused("contact(block,beam)", "contact(A,B).force.z");
  refused("contact(block,beam).forces", "did you mean 'force'");
  refused("sphere.com", "has only contact_force");
  refused("report.iteration", "did you mean 'iterations'");
  refused("energy", "is not a signal of a energy");
  refused("", "empty entry");
  refused("time,,step", "empty entry");
  refused("a.b.c.d.e.f.g", "not a signal");
  refused("block.com.x.y", "too many parts");
  refused("time.x", "single number");
  char longest[1000];
  memset(longest, 'a', sizeof longest), longest[999] = 0;
  refused(longest, "characters at most");
}

static void a_table_keeps_every_digit(void) {
  plError error;
  const char* path = sample_path("signals.csv");
  plCsv* csv;
  CHECK_INT(pl_csv_open(path, model, "time,block.com.z,contact(half_space,block).force.z", &csv, &error),
            PL_OK);
  CHECK_INT(pl_csv_write(csv, data, &error), PL_OK);
  CHECK_INT(pl_csv_write(csv, data, &error), PL_OK);
  CHECK_INT(pl_csv_close(csv, &error), PL_OK);
  FILE* file = fopen(path, "r");
  char line[256];
  CHECK(fgets(line, sizeof line, file) != NULL);
  CHECK_STR(line, "\"time [s]\",\"block.com.z [m]\",\"contact(half_space,block).force.z [N]\"\n");
  double t, z, f;
  int rows = 0;
  while (fscanf(file, "%lf,%lf,%lf\n", &t, &z, &f) == 3) {
    rows++;
    CHECK_NEAR(t, data->time, 0);
    CHECK_NEAR(z, value("block.com.z"), 0);
    CHECK_NEAR(f, 0, 0);
  }
  CHECK_INT(rows, 2);
  fclose(file);
  CHECK_INT(pl_csv_open("/nowhere/x.csv", model, "time", &csv, &error), PL_ERROR_IO);
  CHECK_INT(pl_csv_open(path, model, "tim", &csv, &error), PL_ERROR_INPUT);
}

// The help names every kind of signal: each of its words is a signal, or a part of one.
static void help_names_signals_that_exist(void) {
  static const char* const all[] = {"time",
                                    "step",
                                    "energy.kinetic",
                                    "momentum",
                                    "block.com",
                                    "block.velocity",
                                    "block.momentum",
                                    "block.angular_momentum",
                                    "block.kinetic_energy",
                                    "block.mass",
                                    "block.volume",
                                    "block.lower",
                                    "block.upper",
                                    "block.displacement_max",
                                    "block.speed_max",
                                    "block.von_mises_max",
                                    "block.volume_ratio_min",
                                    "block.contact_force",
                                    "block.vertex(0)",
                                    "block.tet(0).stress",
                                    "contact(beam,block).force",
                                    "contact(beam,block).normal_force",
                                    "contact(beam,block).count",
                                    "contact(beam,block).area",
                                    "contact(beam,block).centre",
                                    "contact(beam,block).gap_min",
                                    "report.iterations",
                                    "report.wall"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    plSignals* s = make(all[i]);
    CHECK(s != NULL);
    pl_signals_destroy(s);
    const char* dot = strrchr(all[i], '.');
    CHECK_HAS(pl_signals_help(), dot && !strchr(dot, '(') ? dot : "");
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  plError error;
  model = sample_model(1e6);
  data = pl_data_create(model, &error);
  for (int i = 0; i < 10; i++) pl_step(data, &error);
  RUN(vectors_expand_and_names_are_whole);
  RUN(numbers_are_those_of_the_library);
  RUN(elements_inside_out_are_counted);
  RUN(the_order_of_columns_does_not_matter);
  RUN(contacts_are_summed_with_their_sign);
  RUN(wrong_names_are_refused_with_the_nearest);
  RUN(a_table_keeps_every_digit);
  RUN(help_names_signals_that_exist);
  pl_data_destroy(data), pl_model_destroy(model);
  return CHECK_END;
}

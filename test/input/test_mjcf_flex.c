// test_mjcf_flex.c: MuJoCo's soft bodies, <flexcomp dim="3"> and <flex>, as deformables: numbering, pins,
// material, and the static sag of MuJoCo 4.0 for the same text.
#include "base/random.h"
#include "input/robots.h"

static plSpec* flex_of(const char* type, int nx, int ny, double spacing, const char* more) {
  char text[1200];
  snprintf(text, sizeof text,
           "<mujoco><worldbody><flexcomp name='f' type='%s' dim='3' count='%d %d %d' spacing='%.17g %.17g "
           "%.17g' mass='1'>"
           "<elasticity young='1e5' poisson='0.3' damping='0.05'/>%s</flexcomp></worldbody></mujoco>",
           type, nx, ny, ny, spacing, spacing, spacing, more);
  return good_spec("f.xml", text, pl_default_robot_def());
}

// The mean of the vertices at the free end after the body has come to rest.
static plVec3 tip(plSpec* spec, int nx, double spacing) {
  pl_spec_options(spec)->dt = 0.05;
  plData* data = data_of(spec);
  plError error;
  plVec3 sum = {0, 0, 0};
  int n = 0;
  for (int i = 0; i < 600; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  for (int v = 0; v < data->model->nq / 3; v++)
    if (data->model->vert_rest[3 * v] > spacing * (0.5 * (nx - 1) - 0.1))
      sum = v3_add(sum, v3_load(data->q + 3 * v)), n++;
  free_data(data);
  return v3_scale(1.0 / n, sum);
}

// A bar held at one end. MuJoCo's vertices are equally heavy: with its weights as loads the bar hangs as
// there; with its mass spread over the volume, the free end hangs a little less, and less so in finer grids.
static void a_bar_sags_as_in_mujoco(void) {
  static const struct {
    int nx, ny;
    double x, y, z;
  } table[] = {{5, 2, 0.20001575, 0.0006192, -0.00274598}, {9, 3, 0.19997607, 0.00084572, -0.00544698}};
  for (int i = 0; i < 2; i++)
    for (int loads = 0; loads < 2; loads++) {
      int nx = table[i].nx, ny = table[i].ny;
      double spacing = 0.4 / (nx - 1);
      char pin[80];
      snprintf(pin, sizeof pin, "<pin gridrange='0 0 0 0 %d %d'/>", ny - 1, ny - 1);
      plSpec* spec = flex_of("grid", nx, ny, spacing, pin);
      pl_spec_options(spec)->gravity = v3(0, 0, loads ? 0 : -1);
      plLoadDef load = pl_default_load_def();
      load.deformable = 0, load.kind = PL_LOAD_VERTEX, load.vector = v3(0, 0, -1.0 / (nx * ny * ny));
      plError error;
      if (loads) CHECK_INT(pl_spec_add_load(spec, &load, &error), PL_OK);
      plVec3 end = tip(spec, nx, spacing);
      if (loads) {
        CHECK_NEAR(end.x, table[i].x, 1e-8);
        CHECK_NEAR(end.y, table[i].y, 8.4e-9);
        CHECK_NEAR(end.z, table[i].z, 8.9e-9);
      } else {
        CHECK_NEAR(end.z, table[i].z, (i ? 0.035 : 0.052) * fabs(table[i].z));
      }
    }
}

static void pins_name_vertices(void) {
  static const struct {
    const char* pin;
    int free;
  } table[] = {{"<pin id='0 1'/>", 10},
               {"<pin range='0 3'/>", 8},
               {"<pin grid='0 0 0  1 1 1'/>", 10},
               {"<pin gridrange='0 0 0 0 1 1'/><pin id='11'/>", 7}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    plSpec* spec = flex_of("grid", 3, 2, 0.1, table[i].pin);
    plData* data = data_of(spec);
    plError error;
    int moved = 0;
    CHECK_INT(pl_step(data, &error), PL_OK);
    for (int v = 0; v < 12; v++) moved += data->v[3 * v + 2] != 0;
    CHECK_INT(moved, table[i].free);
    CHECK_ROUND(data->model->vert_rest[3 * 7], 0, 0.05);
    CHECK_ROUND(data->model->vert_rest[3 * 7 + 2], 0.05, 0.05);
    free_data(data);
  }
}

// The vertices of a box are those of MuJoCo, in its order; its volume is whole.
static void boxes_are_joined_to_their_middle(void) {
  plData* data = data_of(flex_of("box", 3, 4, 0.1, ""));
  const double* x = data->model->vert_rest;
  CHECK_INT(data->model->nq, 3 * (1 + 48 - 4));
  CHECK_NEAR(x[0] * x[0] + x[1] * x[1] + x[2] * x[2], 0, 0);
  CHECK_NEAR(x[3], -0.1, 1e-15);
  CHECK_NEAR(x[4], -0.15, 1e-15);
  CHECK_NEAR(x[5], -0.15, 1e-15);
  double volume = 0;
  for (int t = 0; t < data->model->ntet; t++) volume += data->model->tet_volume[t];
  CHECK_ROUND(volume, 0.2 * 0.3 * 0.3, 0.02);
  free_data(data);
}

// On a body that moves, pins go with it.
static void pins_go_with_the_body(void) {
  const char* text =
      "<mujoco><option gravity='0 0 0'/><worldbody><body name='b' pos='0 0 1'><joint name='j' type='slide' "
      "axis='1 0 0'/>"
      "<geom type='box' size='.1 .1 .1' mass='5' contype='0' conaffinity='0'/><flexcomp name='f' type='grid' "
      "dim='3' "
      "count='3 2 2' spacing='.1 .1 .1' mass='1' pos='0 0 0.5'><elasticity young='1e5'/><pin range='0 "
      "3'/></flexcomp>"
      "</body></worldbody></mujoco>";
  plSpec* spec = good_spec("f.xml", text, pl_default_robot_def());
  pl_spec_options(spec)->gravity = v3(0, 0, 0);
  plError error;
  pl_spec_set_joint_start(spec, 0, &(double){0}, &(double){0.2}, &error);
  pl_spec_options(spec)->dt = 0.002;
  plData* data = data_of(spec);
  plStatus status = PL_OK;
  for (int i = 0; i < 100 && !status; i++) status = pl_step(data, &error);
  CHECK_INT(status, PL_OK);
  if (status) printf("%s\n", error.message);
  // the pinned face has moved as far as the body, which has lost speed to the rest
  double travel = data->q[0];
  CHECK(travel > 0.01 && data->v[0] < 0.199);
  for (int v = 0; v < 4; v++) CHECK_NEAR(data->q[1 + 3 * v], -0.1 + travel, 1.5e-8);
  CHECK_NEAR(data->q[1 + 2], 1.5 - 0.05, 2e-9);
  free_data(data);
}

// A flexcomp and what MuJoCo 4.0 writes for it (mj_saveLastXML): the same body, which moves alike.
#define SOFT "<elasticity young='1e5' poisson='.3' damping='.01'/><contact friction='.7'/>"
#define VERTEX(name, pos)                                             \
  "<body name='" name "' pos='" pos                                   \
  "'><inertial pos='0 0 0' mass='0.1' diaginertia='1e-6 1e-6 1e-6'/>" \
  "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide'/></body>"
#define LISTED_BEGIN                                                                           \
  "<mujoco model='r'><worldbody><body name='p' pos='0 0 1'>" VERTEX("f_4", "0.05 -0.05 -0.05") \
      VERTEX("f_5", "0.05 -0.05 0.05") VERTEX("f_6", "0.05 0.05 -0.05")                        \
          VERTEX("f_7", "0.05 0.05 0.05") "</body></worldbody><deformable>\n<flex name='f' dim='3' body='"
#define LISTED_END "</flex></deformable></mujoco>"
#define LISTED(bodies, elements)                                             \
  LISTED_BEGIN bodies                                                        \
      "' vertex='-0.05 -0.05 -0.05 -0.05 -0.05 0.05 -0.05 0.05 -0.05 -0.05 " \
      "0.05 0.05 0 0 0 0 0 0 0 0 0 0 0 0' element='" elements "'>" SOFT LISTED_END

static void listed_flexes_are_those_of_flexcomps(void) {
  const char* text[2] = {
      "<mujoco model='r'><worldbody><body name='p' pos='0 0 1'><flexcomp name='f' type='grid' dim='3' "
      "count='2 2 2' "
      "spacing='.1 .1 .1' mass='.8'>" SOFT
      "<pin gridrange='0 0 0 0 1 1'/></flexcomp></body></worldbody></mujoco>",
      LISTED("p p p p f_4 f_5 f_6 f_7", "0 2 4 3 0 4 1 3 4 2 6 3 4 6 7 3 4 5 1 3 4 7 5 3")};
  plData* data[2];
  plError error;
  for (int k = 0; k < 2; k++) {
    data[k] = data_of(good_spec("f.xml", text[k], pl_default_robot_def()));
    CHECK_INT(robot_warning_count, 0);
    CHECK_INT(data[k]->model->nbody, 1);
    CHECK_INT(data[k]->model->ntet, 6);
    for (int s = 0; s < 50; s++) CHECK_INT(pl_step(data[k], &error), PL_OK);
  }
  CHECK_INT(data[0]->model->nq, data[1]->model->nq);
  CHECK_NEAR(data[0]->par->deform_surface[0].friction, data[1]->par->deform_surface[0].friction, 0);
  double fell = 0;
  for (int i = 0; i < data[0]->model->nq; i++) {
    CHECK_ROUND(data[1]->q[i], data[0]->q[i], 1);
    fell = fmax(fell, fabs(data[0]->q[i] - data[0]->model->vert_rest[i]));
  }
  CHECK(fell > 1e-4);
  for (int k = 0; k < 2; k++) free_data(data[k]);
  check_refused("f.xml", LISTED("p p p p f_4 f_5 f_6 nobody", "0 2 4 3"), 2,
                "'nobody', which does not exist");
  check_refused("f.xml", LISTED("p p p p f_4 f_5 f_6 f_7", "0 2 4 8"), 2, "names vertex 8, but there are 8");
  check_refused("f.xml", LISTED("p p p p f_4 f_5 f_6 f_7", "0 2 4"), 2, "four vertices");
}

// Vertices that no element uses are dropped; those behind them keep their holders.
static void holders_follow_their_vertices(void) {
  static const int element[24] = {0, 2, 4, 3, 0, 4, 1, 3, 4, 2, 6, 3, 4, 6, 7, 3, 4, 5, 1, 3, 4, 7, 5, 3};
  plRandom r = {23};
  plError error;
  for (int trial = 0; trial < 30; trial++) {
    char text[4000] = "", body[200] = "", vertex[800] = "", list[200] = "";
    int number[8], n = 0;
    for (int v = 0; v < 8; v++) {
      for (int more = trial ? pl_random_int(&r, 3) : 0; more > 0; more--, n++)
        snprintf(body + strlen(body), sizeof body - strlen(body), "%s ",
                 pl_random_int(&r, 2) ? "p" : "world"),
            snprintf(vertex + strlen(vertex), sizeof vertex - strlen(vertex), "%d 0.3 0.4 ", v);
      number[v] = n++;
      snprintf(body + strlen(body), sizeof body - strlen(body), v < 4 ? "p " : "f_%d ", v);
      snprintf(vertex + strlen(vertex), sizeof vertex - strlen(vertex), v < 4 ? "-0.05 %g %g " : "0 0 0 ",
               v & 2 ? 0.05 : -0.05, v & 1 ? 0.05 : -0.05);
    }
    for (int i = 0; i < 24; i++)
      snprintf(list + strlen(list), sizeof list - strlen(list), "%d ", number[element[i]]);
    snprintf(text, sizeof text, LISTED_BEGIN "%s' vertex='%s' element='%s'>" SOFT LISTED_END, body, vertex,
             list);
    plData* data = data_of(good_spec("f.xml", text, pl_default_robot_def()));
    CHECK_INT(data->model->nvert, 8);
    CHECK_INT(data->model->nattach, 1);
    CHECK_INT(data->attach[0].nvert, 4);
    for (int k = 0; k < 4 && k < data->attach[0].nvert; k++) CHECK_INT(data->attach[0].vert[k], k);
    for (int s = 0; s < 3; s++) CHECK_INT(pl_step(data, &error), PL_OK);
    free_data(data);
  }
}

static void others_are_remarks(void) {
  static const char* const files[] = {
      "dim='2' count='3 3 1'><elasticity young='1'/>", "dim='3' type='ellipsoid'><elasticity young='1'/>",
      "dim='3' rigid='true'><elasticity young='1'/>", "dim='3'><edge equality='true'/>"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "<mujoco><worldbody><body><joint/><geom size='1'/></body><flexcomp name='f' "
             "%s</flexcomp></worldbody></mujoco>",
             files[i]);
    plSpec* spec = good_spec("f.xml", text, pl_default_robot_def());
    CHECK_HAS(robot_warnings, "a flexcomp is not read and left out");
    CHECK_INT(robot_warning_count, 1);
    pl_spec_destroy(spec);
  }
  check_refused("f.xml",
                "<mujoco><worldbody>\n<flexcomp name='f' dim='3' count='1 2 2'><elasticity "
                "young='1'/></flexcomp></worldbody></mujoco>",
                2, "counts of 2 to");
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_bar_sags_as_in_mujoco);
  RUN(pins_name_vertices);
  RUN(boxes_are_joined_to_their_middle);
  RUN(pins_go_with_the_body);
  RUN(listed_flexes_are_those_of_flexcomps);
  RUN(holders_follow_their_vertices);
  RUN(others_are_remarks);
  return CHECK_END;
}

// test_robot_habits.c: robot files as they are found: bases without mass, links without inertia, moments that
// no body can have, shapes without size, references into nothing, and links that overlap at the start.
#include "input/robots.h"

static double uniform(double from, double to) {
  return from + (to - from) * (double)rand() / ((double)RAND_MAX + 1);
}

#define INERTIAL(m, i)                                                      \
  "<inertial><mass value='" m "'/><inertia ixx='" i "' iyy='" i "' izz='" i \
  "' ixy='0' ixz='0' iyz='0'/></inertial>"

static plRobotDef with_base(plBase base) {
  plRobotDef def = pl_default_robot_def();
  def.base = base;
  return def;
}

// A root without mass is free with what is welded to it, and falls as one body.
static void a_root_without_mass_is_free_with_its_trunk(void) {
  const char* text =
      "<robot name='r'><link name='base'/><link name='trunk'>" INERTIAL("4", "0.1")
      "</link><link name='imu'/><joint name='a' type='fixed'><parent link='base'/><child link='imu'/></joint>"
      "<joint name='b' type='fixed'><origin xyz='0 0 0.3'/><parent link='base'/><child link='trunk'/></joint></robot>";
  plData* data = data_of(good_spec("r.urdf", text, with_base(PL_BASE_FREE)));
  CHECK_INT(data->model->nv, 6);
  plError error;
  for (int i = 0; i < 10; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  plRigidTotals totals;
  pl_rigid_totals(data, &totals);
  CHECK_NEAR(totals.momentum.z, -4 * 9.81 * data->time, 5.5e-14);
  free_data(data);
}

// Nothing with inertia: welded where the file decides, refused where the user does.
static void a_base_without_inertia_is_welded_or_refused(void) {
  const char* text =
      "<robot name='r'><link name='base'/><link name='arm'>" INERTIAL("1", "0.1")
      "</link><joint name='j' type='continuous'><parent link='base'/><child link='arm'/></joint></robot>";
  plData* data = data_of(good_spec("r.urdf", text, pl_default_robot_def()));
  CHECK_INT(data->model->nv, 1);
  CHECK_HAS(robot_warnings, "has no mass of its own: it is welded");
  free_data(data);
  plError error;
  CHECK(!spec_of("r.urdf", text, with_base(PL_BASE_FREE), &error));
  CHECK_HAS(error.message, "from_shapes");
}

static void links_without_inertia_take_that_of_their_shapes(void) {
  const char* text =
      "<robot name='r'><link name='a'><collision><origin xyz='1 0 0'/><geometry><box size='1 2 3'/></geometry></collision>"
      "<visual><geometry><sphere radius='9'/></geometry></visual></link>"
      "<link name='b'><inertial><mass value='5'/></inertial><visual><geometry><sphere radius='1'/></geometry></visual></link>"
      "<link name='c'>" INERTIAL("2", "0.5")
      "<visual><geometry><sphere radius='1'/></geometry></visual></link>"
      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>"
      "<joint name='k' type='continuous'><parent link='b'/><child link='c'/></joint></robot>";
  plRobotDef def = pl_default_robot_def();
  plSpec* spec = good_spec("r.urdf", text, def);
  CHECK_HAS(robot_warnings, "the link 'r/a' has shapes but no inertia");
  pl_spec_destroy(spec);
  def.inertia = PL_INERTIA_SHAPES, def.density = 10;
  spec = good_spec("r.urdf", text, def);
  const plBodyDef *a = pl_spec_body(spec, 0), *b = pl_spec_body(spec, 1), *c = pl_spec_body(spec, 2);
  CHECK_NEAR(a->mass, 60, 8.5e-13);
  CHECK_ROUND(a->com.x, 1, 1);
  CHECK_NEAR(a->inertia[0], 60.0 / 12 * 13, 9.2e-13);
  CHECK_NEAR(b->mass, 5, 0);
  CHECK_NEAR(b->inertia[1], 0.4 * 5, 2.8e-14);
  CHECK_NEAR(c->inertia[1], 0.5, 0);
  CHECK(!strstr(robot_warnings, "no inertia"));
  pl_spec_destroy(spec);
}

// A free rod: no moment about its own axis, which nothing could turn. One that a hinge holds is left alone.
static void a_free_rod_gets_a_moment_about_its_axis(void) {
  const char* link =
      "<robot name='r'><link name='a'><inertial><origin xyz='.1 0 0' rpy='.3 .4 .5'/><mass value='2'/>"
      "<inertia ixx='3' iyy='3' izz='0' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";
  plData* data = data_of(good_spec("r.urdf", link, pl_default_robot_def()));
  CHECK_HAS(robot_warnings, "no moment of inertia about one axis");
  plError error;
  data->f_body[0].moment = v3(0.1, 0.2, 0.3);
  for (int i = 0; i < 20; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  const double* I = data->par->body_inertia;
  CHECK_NEAR(I[0] + I[1] + I[2], 6 * (1 + 0.5e-4), 8.5e-14);
  free_data(data);
  plSpec* spec = good_spec("r.urdf", link, with_base(PL_BASE_WELD));
  CHECK_INT(robot_warning_count, 0);
  I = pl_spec_body(spec, 0)->inertia;
  CHECK_NEAR(I[0] + I[1] + I[2], 6, 8.5e-14);
  pl_spec_destroy(spec);
}

// Joints that mimic others start where that puts them, along a chain too.
static void followers_start_behind_their_leaders(void) {
#define LINK(name) "<link name='" name "'>" INERTIAL("1", "0.1") "</link>"
#define TURN(name, parent, child, more)                                                                \
  "<joint name='" name "' type='continuous'><parent link='" parent "'/><child link='" child "'/>" more \
  "</joint>"
  const char* text = "<robot name='r'>" LINK("world") LINK("a") LINK("b") LINK("c")
      TURN("ja", "world", "a", "<mimic joint='jb' multiplier='-2' offset='0.1'/>")
          TURN("jb", "a", "b", "<mimic joint='jc' multiplier='0.5' offset='0.72'/>")
              TURN("jc", "b", "c", "") "</robot>";
  plData* data = data_of(good_spec("r.urdf", text, pl_default_robot_def()));
  plError error;
  CHECK_NEAR(data->q[2], 0, 0);
  CHECK_NEAR(data->q[1], 0.72, 1e-15);
  CHECK_NEAR(data->q[0], -2 * 0.72 + 0.1, 1e-15);
  for (int k = 0; k < 20; k++) CHECK_INT(pl_step(data, &error), PL_OK);
  CHECK_ROUND(data->q[1], 0.5 * data->q[2] + 0.72, 0.8);
  free_data(data);
}

static void moments_that_no_body_has_are_remarks(void) {
  static const struct {
    const char *numbers, *words;
    double least;
  } table[] = {{"ixx='-2e-35' iyy='1e-30' izz='1e-30'", NULL, 0},
               {"ixx='-0.02' iyy='1' izz='1'", "principal moment of inertia of -0.02", 0},
               {"ixx='1' iyy='1' izz='3'", "no body can have the moments of inertia", 1},
               {"ixx='1' iyy='1.5' izz='2'", NULL, 1}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char text[500];
    snprintf(
        text, sizeof text,
        "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia %s/></inertial></link></robot>",
        table[i].numbers);
    plSpec* spec = good_spec("r.urdf", text, with_base(PL_BASE_WELD));
    if (table[i].words) CHECK(strstr(robot_warnings, table[i].words));
    CHECK_INT(robot_warning_count, table[i].words ? 1 : 0);
    CHECK_NEAR(pl_spec_body(spec, 0)->inertia[0], table[i].least, 1e-15);
    pl_spec_destroy(spec);
  }
  plSpec* spec = good_spec("r.urdf", "<robot name='r'><link name='a'>" INERTIAL("0", "1") "</link></robot>",
                           with_base(PL_BASE_WELD));
  CHECK_HAS(robot_warnings, "moments of inertia but no mass");
  pl_spec_destroy(spec);
}

static void references_into_nothing_are_remarks(void) {
  const char* text =
      "\n\n<?xml version='1.0'?>\n<robot name='r'><link name='a'>" INERTIAL("1", "1")
      "<collision><geometry><sphere radius='0'/></geometry></collision>"
      "<visual><geometry><box size='0 0 0'/></geometry></visual></link><link name='b'>" INERTIAL("1", "1")
      "</link><link name='c'>" INERTIAL("1", "1")
      "</link><joint name='j' type='revolute'><parent link='a'/><child link='b'/><limit lower='1' upper='-1'/>"
      "<mimic joint='none'/></joint>"
      "<joint name='k' type='fixed'><parent link='a'/><child link='c'/><mimic joint='j'/></joint>"
      "<transmission><type>SimpleTransmission</type><joint name='gone'/><actuator name='m'/></transmission>"
      "<transmission><type>SimpleTransmission</type><joint name='away'/><actuator name='n'/></transmission></robot>";
  plSpec* spec = good_spec("r.urdf", text, pl_default_robot_def());
  CHECK_INT(pl_spec_shape_count(spec), 0);
  CHECK_INT(pl_spec_constraint_count(spec), 0);
  CHECK_INT(pl_spec_actuator_count(spec), 0);
  CHECK(!(pl_spec_joint(spec, 0)->dof[0].upper < 1e300));
  CHECK_HAS(robot_warnings, "mimics 'none', but 'none' does not exist (and 1 more of this kind)");
  CHECK_HAS(robot_warnings, "names joint 'gone', which does not exist (and 1 more of this kind)");
  CHECK_HAS(robot_warnings, "r.urdf:4: the shape 'a/collision' has no size");
  // shapes that are only drawn come last
  CHECK(strstr(robot_warnings, "the drawn shape") > strstr(robot_warnings, "the limits 1 to -1"));
  CHECK_INT(robot_warning_count, 5);
  pl_spec_destroy(spec);
}

static void what_xacro_leaves_takes_its_default(void) {
  const char* text =
      "<robot name='r'><link name='a'>" INERTIAL("1", "1") "</link><link name='b'/>"
      "<joint name='j' type='fixed'><origin rpy='$(optenv RPY 0 -1.5708 3.1416)' xyz='$(optenv XYZ 0.19 0 0.149)'/>"
      "<parent link='a'/><child link='b'/></joint></robot>";
  plSpec* spec = good_spec("r.urdf", text, pl_default_robot_def());
  plVec3 p = pl_spec_body_pose(spec, 1).p;
  CHECK(p.x == 0.19 && p.y == 0 && p.z == 0.149);
  CHECK_HAS(robot_warnings, "takes its default, '0 -1.5708 3.1416' (and 1 more of this kind)");
  pl_spec_destroy(spec);
  check_refused(
      "r.urdf",
      "<robot name='r'><link name='a'><inertial><mass value='$(optenv '/></inertial></link></robot>", 1,
      "$(optenv ");
}

static void strict_makes_remarks_on_the_motion_errors(void) {
  const char* format = "<robot name='r'><link name='a'>" INERTIAL(
      "1", "1") "<visual><geometry><box size='%s 0 0'/></geometry></visual>%s</link></robot>";
  for (int bad = 0; bad < 2; bad++) {
    char text[600];
    snprintf(text, sizeof text, format, "0",
             bad ? "<collision><geometry><sphere radius='0'/></geometry></collision>" : "");
    plSpec* spec = pl_spec_create();
    plLoadOptions options = robot_options();
    plRobotDef def = pl_default_robot_def();
    plError error;
    options.strict = true, def.file = "r.urdf";
    plStatus status = pl_spec_parse_robot(spec, &def, "", text, strlen(text), &options, &error);
    CHECK_INT(status, bad ? PL_ERROR_INPUT : PL_OK);
    CHECK_INT(pl_spec_body_count(spec), !bad);
    if (bad) CHECK_HAS(error.message, "has no size");
    pl_spec_destroy(spec);
  }
}

// Three links in a row: the first and the last overlap where the joints stand at 0.
static void links_that_overlap_at_the_start_do_not_touch(void) {
  const char* text =
      "<robot name='r'>"
      "<link name='a'>" INERTIAL("1", "1") "<collision><geometry><box size='1 1 1'/></geometry></collision></link>"
      "<link name='b'>" INERTIAL("1", "1") "<collision><geometry><sphere radius='0.3'/></geometry></collision></link>"
      "<link name='c'>" INERTIAL("1", "1") "<collision><geometry><box size='1 1 1'/></geometry></collision></link>"
      "<link name='d'>" INERTIAL("1", "1") "<collision><geometry><box size='1 1 1'/></geometry></collision></link>"
      "<joint name='j' type='prismatic'><origin xyz='%g 0 0'/><axis xyz='1 0 0'/><parent link='a'/><child link='b'/></joint>"
      "<joint name='k' type='prismatic'><axis xyz='1 0 0'/><parent link='b'/><child link='c'/></joint>"
      "<joint name='l' type='prismatic'><origin xyz='9 0 0'/><parent link='a'/><child link='d'/></joint></robot>";
  for (int overlap = 0; overlap < 2; overlap++)
    for (int keep = 0; keep < 2; keep++) {
      char own[2500];
      plRobotDef def = pl_default_robot_def();
      def.overlaps = keep ? PL_OVERLAPS_KEEP : PL_OVERLAPS_EXCLUDE;
      snprintf(own, sizeof own, text, overlap ? 0.9 : 1.0);
      plData* data = data_of(good_spec("r.urdf", own, def));
      CHECK_INT(data->model->nexclude, overlap && !keep);
      CHECK_INT(robot_warning_count, overlap && !keep);
      if (overlap && !keep)
        CHECK_HAS(robot_warnings, "1 pair of the robot's own links overlaps at the start");
      if (overlap && !keep) CHECK_HAS(robot_warnings, "a and c");
      free_data(data);
      plLoadOptions options = {.strict = true};
      plSpec* strict = pl_spec_create();
      plError error;
      def.file = "r.urdf";
      CHECK_INT(pl_spec_parse_robot(strict, &def, "", own, strlen(own), &options, &error),
                overlap && !keep ? PL_ERROR_INPUT : PL_OK);
      CHECK_INT(pl_spec_body_count(strict), overlap && !keep ? 0 : 4);
      pl_spec_destroy(strict);
    }
}

// Random numbers that no joint, surface or servo can have: the file is read, with a remark for each kind, and
// what is used takes no energy from nowhere.
static void impossible_numbers_are_remarks(void) {
  for (int i = 0; i < 60; i++) {
    double x[4];
    for (int k = 0; k < 4; k++) x[k] = uniform(-1, 1), x[k] *= pow(10, uniform(-3, 5));
    char text[3][900];
    snprintf(text[0], sizeof text[0],
             "<robot name='r'><link name='a'/><link name='b'>" INERTIAL("1", "1")
             "</link><joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
             "<dynamics damping='%g' friction='%g'/></joint></robot>", x[0], x[1]);
    snprintf(
        text[1], sizeof text[1],
        "<sdf version='1.9'><model name='r'><link name='a'><inertial><mass>1</mass></inertial><collision "
        "name='c'>"
        "<geometry><sphere><radius>1</radius></sphere></geometry><surface><friction><ode><mu>%g</mu></ode></"
        "friction>"
        "</surface></collision></link><joint name='j' "
        "type='revolute'><parent>world</parent><child>a</child><axis>"
        "<xyz>0 0 "
        "1</xyz><dynamics><damping>%g</damping><friction>%g</friction><spring_stiffness>%g</spring_stiffness>"
        "</dynamics></axis></joint></model></sdf>",
        x[3], x[0], x[1], x[2]);
    snprintf(
        text[2], sizeof text[2],
        "<mujoco><worldbody><body><joint name='j' damping='%g' frictionloss='%g' stiffness='%g'/><geom "
        "size='1' "
        "friction='%g'/></body></worldbody><actuator><general joint='j' biastype='affine' biasprm='0 %g %g'/>"
        "</actuator></mujoco>",
        x[0], x[1], x[2], x[3], x[2], x[1]);
    static const char* const names[] = {"r.urdf", "r.sdf", "r.xml"};
    for (int f = 0; f < 3; f++) {
      plSpec* spec = good_spec(names[f], text[f], pl_default_robot_def());
      const plDofDef* d = &pl_spec_joint(spec, pl_spec_joint(spec, 0)->kind == PL_JOINT_FIXED)->dof[0];
      CHECK_NEAR(d->damping, fmax(x[0], 0), 1e-5 * fabs(x[0]));
      CHECK_NEAR(d->friction, fmax(x[1], 0), 1e-5 * fabs(x[1]));
      if (f) CHECK_NEAR(d->stiffness, fmax(x[2], 0), 1e-5 * fabs(x[2]));
      if (f)
        CHECK_NEAR(pl_spec_shape(spec, 0)->surface.friction, fmin(fmax(x[3], 0), 1e3), 9e-6 * fabs(x[3]));
      if (f == 2) CHECK_INT(pl_spec_actuator_count(spec), x[2] <= 0 && x[1] <= 0);
      bool odd = x[0] < 0 || x[1] < 0 || (f && (x[2] < 0 || x[3] < 0 || x[3] > 1e3)) ||
                 (f == 2 && (x[1] > 0 || x[2] > 0));
      if (odd) CHECK(robot_warning_count > 0);
      pl_spec_destroy(spec);
    }
  }
}

// A ball joint that may not turn at all does not.
static void ball_joints_without_room_are_locked(void) {
  plData* data =
      data_of(good_spec("r.xml",
                        "<mujoco><worldbody><body><joint type='ball' limited='true'/><geom pos='1 0 0' "
                        "size='.1'/></body></worldbody></mujoco>",
                        pl_default_robot_def()));
  CHECK_HAS(robot_warnings, "has a limit of 0 and is locked");
  plError error;
  for (int i = 0; i < 10; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  CHECK_NEAR(data->q[0], 1, 0);
  free_data(data);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_root_without_mass_is_free_with_its_trunk);
  RUN(a_base_without_inertia_is_welded_or_refused);
  RUN(links_without_inertia_take_that_of_their_shapes);
  RUN(a_free_rod_gets_a_moment_about_its_axis);
  RUN(followers_start_behind_their_leaders);
  RUN(moments_that_no_body_has_are_remarks);
  RUN(references_into_nothing_are_remarks);
  RUN(what_xacro_leaves_takes_its_default);
  RUN(strict_makes_remarks_on_the_motion_errors);
  RUN(links_that_overlap_at_the_start_do_not_touch);
  RUN(impossible_numbers_are_remarks);
  RUN(ball_joints_without_room_are_locked);
  return CHECK_END;
}

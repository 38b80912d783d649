// test_mjcf_habits.c: MJCF files as they are found: the inertias of meshes, primitives fitted to them, servos
// under other names, classes that mix kinds of actuators, sites, colours of materials, and the options of the
// file.
#include "input/mjcf.h"
#include "input/robots.h"
#include "model/side.h"
#include "model/spec.h"

#define CUBE                                                                                                 \
  "<mesh name='m' vertex='0 0 0 2 0 0 0 2 0 2 2 0 0 0 2 2 0 2 0 2 2 2 2 2' face='0 2 1 1 2 3 4 5 6 5 7 6 0 " \
  "1 4 1 5 4 "                                                                                               \
  "2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5' "
#define OPEN                                                                                                 \
  "<mesh name='m' vertex='0 0 0 2 0 0 0 2 0 2 2 0 0 0 2 2 0 2 0 2 2 2 2 2' face='0 2 1 1 2 3 4 5 6 5 7 6 0 " \
  "1 4 1 5 4 "                                                                                               \
  "2 6 3 3 6 7 0 4 2 2 4 6' "

static plSpec* one_mesh(const char* mesh, const char* more, const char* geom) {
  char text[1500];
  snprintf(
      text, sizeof text,
      "<mujoco><asset>%s%s/></asset><worldbody><body name='b'><joint/><geom mesh='m' density='1' %s/></body>"
      "</worldbody></mujoco>",
      mesh, more, geom);
  return good_spec("m.xml", text, pl_default_robot_def());
}

// Numbers of MuJoCo 4.0 for the same text, except the obvious ones.
static void meshes_have_their_kinds_of_inertia(void) {
  static const struct {
    const char *mesh, *more, *geom;
    double mass, x, ixx, izz;
  } table[] = {
      {CUBE, "", "type='mesh'", 8, 1, 8 * 8.0 / 12, 8 * 8.0 / 12},
      {CUBE, "inertia='exact'", "type='mesh'", 8, 1, 8 * 8.0 / 12, 8 * 8.0 / 12},
      {CUBE, "inertia='convex'", "type='mesh'", 8, 1, 8 * 8.0 / 12, 8 * 8.0 / 12},
      {CUBE, "inertia='shell'", "type='mesh'", 24, 1, 80.0 / 3, 80.0 / 3},
      {CUBE, "", "type='mesh' shellinertia='true'", 24, 1, 80.0 / 3, 80.0 / 3},
      {CUBE, "scale='1 1 2'", "type='mesh'", 16, 1, 16 * 20.0 / 12, 16 * 8.0 / 12},
      {CUBE, "refpos='1 1 1' refquat='0.5 0.5 0.5 0.5' scale='1 1 2'", "type='mesh'", 16, 0, 16 * 20.0 / 12,
       16 * 8.0 / 12},
      {OPEN, "inertia='convex'", "type='mesh'", 8, 1, 8 * 8.0 / 12, 8 * 8.0 / 12},
      {OPEN, "inertia='shell'", "type='mesh'", 20, 0.8, 24, 20.533333333333333},
      {CUBE, "", "type='box' pos='1 2 3'", 8, 2, 8 * 8.0 / 12, 8 * 8.0 / 12},
      {CUBE, "", "type='sphere'", 4.1887902047863905, 1, 0.4 * 4.1887902047863905, 0.4 * 4.1887902047863905},
      {CUBE, "", "type='sphere' fitscale='2'", 8 * 4.1887902047863905, 1, 4 * 0.4 * 8 * 4.1887902047863905,
       4 * 0.4 * 8 * 4.1887902047863905}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    plSpec* spec = one_mesh(table[i].mesh, table[i].more, table[i].geom);
    const plBodyDef* b = pl_spec_body(spec, 0);
    CHECK_NEAR(b->mass, table[i].mass, 1.1e-13 * table[i].mass);
    CHECK_NEAR(b->com.x, table[i].x, 2.8e-14);
    CHECK_NEAR(b->inertia[0], table[i].ixx, 1.4e-13 * table[i].ixx);
    CHECK_NEAR(b->inertia[2], table[i].izz, 1.4e-13 * table[i].izz);
    pl_spec_destroy(spec);
  }
}

// MuJoCo 4.0's sizes of primitives fitted to a box of 2 x 1 x 5 m, 1.1 times as large.
static void primitives_are_fitted(void) {
  static const struct {
    const char *fit, *type;
    double mass;
  } table[] = {{"false", "sphere", 13.215477955723124},
               {"false", "capsule", 12.348373536631172},
               {"false", "cylinder", 11.760355749172547},
               {"false", "box", 13.31},
               {"false", "ellipsoid", 6.969099703213359},
               {"true", "sphere", 87.11374629016736},
               {"true", "capsule", 18.11965922835481},
               {"true", "cylinder", 20.907299109640167},
               {"true", "box", 13.31},
               {"true", "ellipsoid", 6.969099703213389}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             "<mujoco><compiler fitaabb='%s'/><asset><mesh name='m' vertex='0 0 0 2 0 0 0 1 0 2 1 0 0 0 5 2 "
             "0 5 0 1 5 2 1 "
             "5'/></asset><worldbody><body><joint/><geom type='%s' mesh='m' density='1' "
             "fitscale='1.1'/></body></worldbody>"
             "</mujoco>",
             table[i].fit, table[i].type);
    plSpec* spec = good_spec("m.xml", text, pl_default_robot_def());
    CHECK_NEAR(pl_spec_body(spec, 0)->mass, table[i].mass, 1.4e-12);
    CHECK_NEAR(pl_spec_body(spec, 0)->com.z, 2.5, 3.5e-14);
    pl_spec_destroy(spec);
  }
}

static void surfaces_of_primitives(void) {
  static const struct {
    const char* type;
    double mass, x, z;
  } table[] = {{"sphere", 1.1309733552923256, 0.0678584, 0.0678584},
               {"capsule", 3.015928947446201, 0.76215038, 0.2375044},
               {"cylinder", 2.4504422698000385, 0.39599775, 0.1950929},
               {"box", 5.68, 2.07306667, 1.09173333}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "<mujoco><worldbody><body><joint/><geom type='%s' size='.3 .5 .7' shellinertia='true' "
             "density='1'/></body>"
             "</worldbody></mujoco>",
             table[i].type);
    plSpec* spec = good_spec("m.xml", text, pl_default_robot_def());
    CHECK_NEAR(pl_spec_body(spec, 0)->mass, table[i].mass, 8e-14);
    CHECK_NEAR(pl_spec_body(spec, 0)->inertia[0], table[i].x, 1e-8);
    CHECK_NEAR(pl_spec_body(spec, 0)->inertia[2], table[i].z, 1e-8);
    pl_spec_destroy(spec);
  }
}

// legacy: a mesh with a hole has the volume of pyramids from its centre, all of them positive.
static void open_meshes_have_a_volume(void) {
  plSpec* spec = one_mesh(OPEN, "", "type='mesh'");
  // the surface's centre is (0.8, 1, 1); from there five pyramids, and from their centre of mass again
  double v[5] = {2.0 / 3 * 2 * 0.8, 4.0 / 3, 4.0 / 3, 4.0 / 3, 4.0 / 3}, sum = 0, x = 0;
  for (int i = 0; i < 5; i++) sum += v[i], x += v[i] * (0.75 * (i ? 1 : 0) + 0.25 * 0.8);
  double c = x / sum;
  CHECK_ROUND(pl_spec_body(spec, 0)->com.x, c, 0.9);
  CHECK_NEAR(pl_spec_body(spec, 0)->mass, 4 * 4.0 / 3 + 4.0 / 3 * c, 9.1e-14);
  pl_spec_destroy(spec);
}

#define ARM                                                                                                \
  "<worldbody><body name='b'><joint name='j' axis='0 1 0' armature='0.5'/><geom type='sphere' size='0.1' " \
  "mass='2' "                                                                                              \
  "pos='1 0 0'/></body></worldbody>"

// One law, however it is written.
static void servos_are_position_actuators(void) {
  static const char* const files[] = {
      "<actuator><position joint='j' kp='30' kv='4'/></actuator>",
      "<actuator><general joint='j' gainprm='30' biastype='affine' biasprm='0 -30 -4'/></actuator>",
      "<default><general biastype='affine' gainprm='30' biasprm='0 -30 -4'/></default><actuator><general "
      "joint='j'/></actuator>",
      "<default><position kp='30' kv='4'/></default><actuator><general joint='j'/></actuator>",
      "<default><general biasprm='0 0 -4'/><default class='c'><position "
      "kp='30'/></default></default><actuator><position "
      "class='c' joint='j'/></actuator>",
      "<default class='main'><default class='c'><position kp='7' "
      "kv='4'/></default></default><default><general "
      "gear='1'/></default><actuator><position class='c' kp='30' joint='j'/></actuator>"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char text[1000];
    snprintf(text, sizeof text, "<mujoco>" ARM "%s</mujoco>", files[i]);
    plSpec* spec = good_spec("a.xml", text, pl_default_robot_def());
    const plActuatorDef* a = pl_spec_actuator(spec, 0);
    CHECK_INT(a->kind, PL_ACTUATOR_POSITION);
    CHECK_NEAR(a->kp, 30, 0);
    CHECK_NEAR(a->kd, 4, 0);
    CHECK_INT(robot_warning_count, 0);
    pl_spec_destroy(spec);
  }
}

// kd = 2 ratio sqrt(kp m): the moment about the joint and its armature, through the gear.
static void damping_ratios_become_dampings(void) {
  plSpec* spec = good_spec("a.xml",
                           "<mujoco><default><position kp='50' dampratio='0.7' gear='3'/></default>" ARM
                           "<actuator><position joint='j'/></actuator></mujoco>",
                           pl_default_robot_def());
  double m = (0.5 + 2 * (1 + 0.4 * 0.01)) / 9;
  CHECK_NEAR(pl_spec_actuator(spec, 0)->kd, 2 * 0.7 * sqrt(50 * m), 7.4e-14);
  pl_spec_destroy(spec);
}

static void sites_can_be_held_together(void) {
  const char* text =
      "<mujoco><worldbody><site name='w' pos='0 0 3'/><body name='a' pos='1 0 0'><freejoint/><geom "
      "type='box' size='1 1 1'/>"
      "<frame pos='0 0 1'><site name='s' pos='0.5 0 0' quat='0 1 0 0'/></frame></body><body pos='9 0 "
      "0'><joint/>"
      "<geom type='box' size='1 1 1'/><body pos='0 1 0'><geom type='box' size='1 1 1'/><site name='t' pos='0 "
      "0 2'/></body></body>"
      "</worldbody><equality><connect site1='s' site2='t'/><weld site1='t' site2='w'/></equality></mujoco>";
  plSpec* spec = good_spec("s.xml", text, pl_default_robot_def());
  const plConstraintDef *c = pl_spec_constraint(spec, 0), *w = pl_spec_constraint(spec, 1);
  CHECK_INT(c->kind, PL_CONSTRAINT_BALL);
  CHECK_INT(c->a, 0);
  CHECK_INT(c->b, 2);
  CHECK_NEAR(c->pose_a.p.x, 0.5, 0);
  CHECK_NEAR(c->pose_a.p.z, 1, 0);
  CHECK_NEAR(c->pose_b.p.z, 2, 0);
  CHECK_INT(w->kind, PL_CONSTRAINT_WELD);
  CHECK_INT(w->b, -1);
  CHECK_NEAR(w->pose_b.p.z, 3, 0);
  pl_spec_destroy(spec);
  check_refused(
      "s.xml",
      "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody>\n<equality><connect site1='a' "
      "site2='b'/></equality></mujoco>",
      2, "which does not exist");
}

// Thrust at sites, cables through them, their springs and ranges.
static void actuators_act_on_sites(void) {
  const char* text =
      "<mujoco><default><motor ctrlrange='0 13'/><tendon stiffness='7'/></default><worldbody><site name='w' "
      "pos='0 0 2'/>"
      "<body name='a' pos='1 0 0'><freejoint/><geom size='.1'/><site name='s' pos='0 0 .1' type='box' "
      "rgba='1 0 0 1'/></body>"
      "<body name='b'><geom size='.1'/><site name='f'/></body></worldbody>"
      "<tendon><spatial name='c' limited='true' range='0 2.5' damping='.5'><site site='w'/><site "
      "site='s'/></spatial>"
      "<spatial name='g'><site site='w'/><geom geom='x'/><site site='s'/></spatial></tendon>"
      "<actuator><motor name='up' site='s' gear='0 0 1 0 0 .02'/><position name='pull' tendon='c' kp='40' "
      "gear='2'/>"
      "<motor name='round' tendon='g'/><motor name='stuck' site='f'/><motor name='rel' site='s' "
      "refsite='w'/></actuator></mujoco>";
  plSpec* spec = good_spec("r.xml", text, pl_default_robot_def());
  CHECK_INT(pl_spec_actuator_count(spec), 3);
  const plActuatorDef *up = pl_spec_actuator(spec, 0), *pull = pl_spec_actuator(spec, 1),
                      *spring = pl_spec_actuator(spec, 2);
  CHECK_INT(up->nsite, 1);
  CHECK_NEAR(up->wrench[2], 1, 0);
  CHECK_NEAR(up->wrench[5], 0.02, 0);
  CHECK_NEAR(up->upper, 13, 0);
  CHECK_INT(pull->nsite, 2);
  CHECK_NEAR(pull->gear, 2, 0);
  CHECK_NEAR(spring->bias[0], 7 * sqrt(1 + 1.9 * 1.9), 2.1e-13);
  CHECK_NEAR(spring->bias[1], -7, 0);
  CHECK_NEAR(spring->bias[2], -0.5, 0);
  CHECK_INT(pl_spec_constraint_count(spec), 1);
  CHECK_INT(pl_spec_constraint(spec, 0)->kind, PL_CONSTRAINT_DISTANCE);
  CHECK_NEAR(pl_spec_constraint(spec, 0)->upper, 2.5, 0);
  CHECK_HAS(robot_warnings, "ignored: <motor>");
  CHECK_HAS(robot_warnings, "ignored: <spatial>");
  CHECK(!strstr(robot_warnings, "<site>"));
  plData* data = data_of(spec);
  CHECK_ROUND(data->u[1], 2 * sqrt(1 + 1.9 * 1.9), 4.2);
  plError error;
  for (int k = 0; k < 20; k++) CHECK_INT(pl_step(data, &error), PL_OK);
  free_data(data);
  check_refused("r.xml",
                "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody>\n<actuator><motor "
                "site='no'/></actuator></mujoco>",
                2, "names the site 'no'");
}

static void colours_friction_and_empty_attributes(void) {
  const char* text =
      "<mujoco><asset><material name='red' rgba='1 0 0 1'/></asset><default><geom "
      "condim='1'/></default><worldbody>"
      "<body childclass=''><joint range='' damping=' '/><geom size='1' material='red'/><geom size='1' "
      "condim='3' rgba='0 1 0 1' "
      "material='red' solref='0.05 1'/><geom name='f' size='1' contype='0' conaffinity='0'/><geom size='1' "
      "contype='0' "
      "conaffinity='0'/></body></worldbody><contact><pair geom1='f' geom2='x'/></contact></mujoco>";
  plSpec* spec = good_spec("c.xml", text, pl_default_robot_def());
  const plShapeDef* g[4];
  for (int i = 0; i < 4; i++) g[i] = pl_spec_shape(spec, i);
  CHECK_NEAR(g[0]->colour.x, 1, 0);
  CHECK_NEAR(g[0]->surface.friction, 0, 0);
  CHECK_NEAR(g[1]->colour.y, 1, 0);
  CHECK(g[1]->surface.friction > 0);
  CHECK_NEAR(g[1]->surface.relaxation_time, 0.05, 0);
  CHECK(g[2]->collide && !g[3]->collide);
  pl_spec_destroy(spec);
}

// Geoms that only a <pair> lets touch: each other's bodies, and no others of the file.
static void pairs_touch_and_nothing_else(void) {
#define ONLY "contype='0' conaffinity='0'"
  const char* text =
      "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' " ONLY
      "/>"
      "<body name='a' pos='0 0 1'><freejoint/><geom name='ga' size='.1' " ONLY
      "/></body>"
      "<body name='b' pos='0 0 2'><freejoint/><geom name='gb' size='.1' " ONLY
      "/></body>"
      "<body name='c' pos='0 0 3'><freejoint/><geom name='gc' size='.1'/></body></worldbody>"
      "<contact><pair geom1='ga' geom2='gb'/><pair geom1='gc' geom2='gb' friction='1 1 .1 .1 .1'/>"
      "<pair geom1='floor' geom2='ga'/></contact></mujoco>";
  plSpec* spec = good_spec("p.xml", text, pl_default_robot_def());
  plSide side[4];
  for (int i = 0; i < 4; i++) side[i] = pl_side_of_body(i - 1);
  CHECK(!pl_spec_excludes(spec, side[1], side[2]));  // a and b
  CHECK(pl_spec_excludes(spec, side[1], side[3]));   // a and c
  CHECK(!pl_spec_excludes(spec, side[2], side[3]));  // b and c
  CHECK(!pl_spec_excludes(spec, side[0], side[1]));  // the floor and a
  CHECK(pl_spec_excludes(spec, side[0], side[2]));   // the floor and b
  CHECK(pl_spec_excludes(spec, side[0], side[3]));   // the floor and c
  CHECK_INT(robot_warning_count, 1);
  CHECK_HAS(robot_warnings, "friction=");
  pl_spec_destroy(spec);
}

static void options_of_the_file_can_be_taken(void) {
  const char* text =
      "<mujoco><option timestep='0.003' gravity='0 0 -1'/><worldbody><body><joint/><geom "
      "size='1'/></body></worldbody></mujoco>";
  plRobotDef def = pl_default_robot_def();
  for (int take = 0; take < 2; take++) {
    def.take_timestep = def.take_gravity = take;
    plSpec* spec = good_spec("o.xml", text, def);
    CHECK_NEAR(pl_spec_options(spec)->dt, take ? 0.003 : 0.01, 0);
    CHECK_NEAR(pl_spec_options(spec)->gravity.z, take ? -1 : -9.81, 0);
    CHECK_INT(robot_warning_count, 2);
    pl_spec_destroy(spec);
  }
}

static void masses_can_be_bounded(void) {
  const char* text =
      "<mujoco><compiler boundmass='3' boundinertia='2' settotalmass='10'/><worldbody><body><joint/><geom "
      "size='1' "
      "mass='1'/><body><joint/><geom size='0.1' mass='7'/></body></body></worldbody></mujoco>";
  plSpec* spec = good_spec("o.xml", text, pl_default_robot_def());
  CHECK_NEAR(pl_spec_body(spec, 0)->mass, 3, 4.2e-14);
  CHECK_NEAR(pl_spec_body(spec, 1)->mass, 7, 9e-14);
  CHECK_NEAR(pl_spec_body(spec, 1)->inertia[1], 2, 2.8e-14);
  pl_spec_destroy(spec);
}

// A frame moves what stands in it: also joints and the inertial of the body around it.
static void frames_hold_joints_and_inertials(void) {
  plSpec* spec = good_spec("f.xml",
                           "<mujoco><worldbody><body name='b' pos='0 0 1'><frame pos='.1 0 0' euler='0 90 0'>"
                           "<joint name='j' axis='0 0 1' pos='.2 0 0'/><inertial pos='.1 .2 .3' mass='2' "
                           "diaginertia='1 2 2.5'/></frame></body></worldbody></mujoco>",
                           pl_default_robot_def());
  const plJointDef* j = pl_spec_joint(spec, pl_spec_find_joint(spec, "robot/j"));
  const plBodyDef* b = pl_spec_body(spec, 0);
  CHECK_ROUND(v3_norm(v3_sub(j->axis, v3(1, 0, 0))), 0, 1);
  CHECK_ROUND(v3_norm(v3_sub(j->pose.p, v3(0.1, 0, 0.8))), 0, 0.8);
  CHECK_ROUND(v3_norm(v3_sub(b->com, v3(0.4, 0.2, -0.1))), 0, 0.4);
  CHECK_NEAR(b->inertia[0], 2.5, 1e-14);
  CHECK_NEAR(b->inertia[2], 1, 1e-14);
  CHECK_INT(robot_warning_count, 0);
  pl_spec_destroy(spec);
}

// An element that gives the first numbers of several has the others from its class.
static void numbers_are_filled_from_classes(void) {
  plSpec* spec =
      good_spec("c.xml",
                "<mujoco><default><geom type='box' size='.1 .2 .3' density='1'/></default><worldbody>"
                "<body><joint/><geom size='.5'/></body><body><joint/><geom size='.5 .6'/></body>"
                "</worldbody></mujoco>",
                pl_default_robot_def());
  CHECK_NEAR(pl_spec_body(spec, 0)->mass, 8 * 0.5 * 0.2 * 0.3, 1e-15);
  CHECK_NEAR(pl_spec_body(spec, 1)->mass, 8 * 0.5 * 0.6 * 0.3, 1e-15);
  pl_spec_destroy(spec);
}

// MuJoCo 4.0 writes stiffness and damping of 8.32 for this file.
static void springs_are_made_of_time_constants(void) {
  plSpec* spec = good_spec("s.xml",
                           "<mujoco><worldbody><body><joint name='x' springdamper='.5 1' axis='0 1 0'/><geom "
                           "type='box' size='.1 .2 .3' pos='.1 0 0'/></body></worldbody></mujoco>",
                           pl_default_robot_def());
  CHECK_NEAR(pl_spec_joint(spec, 0)->dof[0].stiffness, 8.32, 1e-13);
  CHECK_NEAR(pl_spec_joint(spec, 0)->dof[0].damping, 8.32, 1e-13);
  CHECK_INT(robot_warning_count, 0);
  pl_spec_destroy(spec);
}

static void impossible_moments_are_balanced(void) {
  const char* body =
      "<worldbody><body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 .1 "
      ".1'/></body></worldbody></mujoco>";
  for (int balance = 0; balance < 2; balance++) {
    char text[400];
    snprintf(text, sizeof text, "<mujoco><compiler balanceinertia='%s'/>%s", balance ? "true" : "false",
             body);
    plSpec* spec = good_spec("b.xml", text, pl_default_robot_def());
    for (int k = 0; k < 3; k++)
      CHECK_NEAR(pl_spec_body(spec, 0)->inertia[k], balance ? 0.4 : k ? 0.1 : 1, 1e-15);
    CHECK_INT(robot_warning_count, !balance);
    pl_spec_destroy(spec);
  }
}

// l1 = c0 + c1 l2, and the range of a class
static void tendons_are_held_together(void) {
  plSpec* spec = good_spec(
      "t.xml",
      "<mujoco><default><default class='k'><tendon range='-.1 .2'/></default></default><worldbody><body "
      "name='a'>"
      "<joint name='j'/><geom size='.1'/><body><joint name='k'/><geom size='.1'/></body></body></worldbody>"
      "<tendon><fixed name='t'><joint joint='j' coef='2'/></fixed><fixed name='u' class='k'><joint joint='k' "
      "coef='3'/></fixed></tendon><equality><tendon tendon1='t' tendon2='u' polycoef='.4 -.5'/>"
      "<tendon tendon1='t' polycoef='.1'/><tendon tendon1='t' tendon2='u' polycoef='0 1 "
      "2'/></equality></mujoco>",
      pl_default_robot_def());
  CHECK_INT(robot_warning_count, 1);
  CHECK_HAS(robot_warnings, "not linear");
  CHECK_INT(spec->nconstraint, 3);
  const plConstraintDef* c = spec->constraint;
  CHECK_INT(c[0].njoint, 2);
  CHECK_INT(c[1].njoint, 1);
  CHECK_INT(c[2].njoint, 1);
  CHECK_NEAR(c[0].coefficient[0], 2, 0);
  CHECK_NEAR(c[0].coefficient[1], 1.5, 0);
  CHECK_NEAR(c[0].lower, 0.4, 0);
  CHECK_NEAR(c[0].upper, 0.4, 0);
  CHECK_NEAR(c[1].upper, 0.1, 0);
  CHECK_NEAR(c[2].lower, -0.1, 0);
  CHECK_NEAR(c[2].upper, 0.2, 0);
  pl_spec_destroy(spec);
  check_refused("t.xml", "<mujoco>\n<equality><tendon tendon1='x'/></equality></mujoco>", 2,
                "tendons of the file");
}

// Two robots may have one name; each names its own joints.
static void joints_of_other_robots_are_not_found(void) {
  plRobotDef def = pl_default_robot_def();
  def.name = "r";
  plSpec* spec =
      good_spec("a.xml",
                "<mujoco><worldbody><body name='a'><joint name='j' ref='1'/><geom size='1'/></body>"
                "</worldbody></mujoco>",
                def);
  static const char* const more[] = {"<actuator><motor joint='j'/></actuator>",
                                     "<sensor><jointpos joint='j'/></sensor>",
                                     "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>"};
  for (int i = 0; i < 3; i++) {
    char text[400];
    plError error = {0};
    plLoadOptions options = robot_options();
    snprintf(
        text, sizeof text,
        "<mujoco><worldbody><body name='b'><joint name='k'/><geom size='1'/></body></worldbody>%s</mujoco>",
        more[i]);
    def.file = "b.xml";
    CHECK_INT(pl_spec_parse_robot(spec, &def, "", text, strlen(text), &options, &error), PL_ERROR_INPUT);
    CHECK_HAS(error.message, "does not exist");
  }
  pl_spec_destroy(spec);
}

// Masks are whole numbers.
static void masks_are_whole_numbers(void) {
  static const char* const mask[] = {"contype='.5'", "conaffinity='1.5'", "contype='-1'",
                                     "conaffinity='4294967296'"};
  for (int k = 0; k < 4; k++) {
    char text[300];
    snprintf(text, sizeof text, "<mujoco><worldbody><body>\n<geom size='1' %s/></body></worldbody></mujoco>",
             mask[k]);
    check_refused("m.xml", text, 2, "contype and conaffinity are 32 bits");
  }
}

// Faces name vertices by whole numbers from 0.
static void faces_name_vertices(void) {
  static const char* const face[] = {"0 2 1 0 1 3 0 3 2 1 2 3", "0 2 1 0 1 3 0 3 2 1 2 4",
                                     "0 2 1 0 1 3 0 3 2 1 2 -1", "0 2 1 0 1 3 0 3 2 1 2 2.5"};
  for (int k = 0; k < 4; k++) {
    char text[600];
    snprintf(text, sizeof text,
             "<mujoco><asset>\n<mesh name='t' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='%s'/></asset><worldbody>"
             "<body><geom type='mesh' mesh='t'/></body></worldbody></mujoco>",
             face[k]);
    if (k)
      check_refused("m.xml", text, 2, "a face names vertex");
    else
      pl_spec_destroy(good_spec("m.xml", text, pl_default_robot_def()));
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(meshes_have_their_kinds_of_inertia);
  RUN(open_meshes_have_a_volume);
  RUN(primitives_are_fitted);
  RUN(surfaces_of_primitives);
  RUN(servos_are_position_actuators);
  RUN(damping_ratios_become_dampings);
  RUN(sites_can_be_held_together);
  RUN(actuators_act_on_sites);
  RUN(colours_friction_and_empty_attributes);
  RUN(pairs_touch_and_nothing_else);
  RUN(options_of_the_file_can_be_taken);
  RUN(masses_can_be_bounded);
  RUN(frames_hold_joints_and_inertials);
  RUN(numbers_are_filled_from_classes);
  RUN(springs_are_made_of_time_constants);
  RUN(impossible_moments_are_balanced);
  RUN(tendons_are_held_together);
  RUN(joints_of_other_robots_are_not_found);
  RUN(faces_name_vertices);
  RUN(masks_are_whole_numbers);
  return CHECK_END;
}

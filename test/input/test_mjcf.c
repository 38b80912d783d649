// test_mjcf.c: MJCF robots: classes, frames, joints, inertias, actuators, constraints, keyframes. Their
// dynamics are compared with MuJoCo in rigid/test_mujoco.c.
#include "input/robots.h"

#define DEG (3.14159265358979323846 / 180)

static const char robot[] =
    "<mujoco model='r'>\n<compiler angle='degree' eulerseq='XYZ'/>\n"
    "<default><geom density='500'/><joint damping='1'/>\n"
    "  <default class='finger'><joint damping='0.1' armature='0.01' range='-45 60'/><geom type='capsule' "
    "size='0.01 0.05'/><position kp='3'/></default></default>\n"
    "<worldbody><geom type='plane' size='1 1 .1' name='floor'/>\n"
    "  <body name='base' pos='0 0 1'><freejoint name='root'/><geom type='box' size='.1 .2 .3' mass='2'/>\n"
    "    <body name='a' pos='.1 0 0' euler='0 90 0' childclass='finger'>\n"
    "      <joint name='j1' axis='0 1 0' pos='0 0 .1'/><joint name='j2' axis='1 0 0' ref='10' springref='20' "
    "stiffness='4' range='-10 50'/><geom fromto='0 0 0 0 0 .2'/>\n"
    "      <frame pos='0 0 .2'><body name='b'><joint name='bb' type='ball' limited='false'/><geom "
    "class='finger'/>\n"
    "        <inertial pos='0 0 .01' mass='.3' fullinertia='.01 .02 .03 .001 .002 .003'/></body></frame>\n"
    "    </body></body></worldbody>\n"
    "<actuator><position class='finger' joint='j1' ctrlrange='-1 1' name='servo'/><motor joint='j2' "
    "gear='2'/>\n"
    "  <general joint='j2' gainprm='5' biastype='affine' biasprm='1 -5 -.2' gear='3'/><muscle "
    "joint='j1'/></actuator>\n"
    "<equality><connect body1='b' body2='base' anchor='0 0 .1'/><joint joint1='j1' joint2='j2' polycoef='0.1 "
    ".5'/><weld body1='a' body2='b'/></equality>\n"
    "<tendon><fixed name='t' range='-1 2'><joint joint='j1' coef='1'/><joint joint='j2' "
    "coef='-2'/></fixed></tendon>\n"
    "<contact><exclude body1='a' body2='b'/></contact>\n"
    "<keyframe><key name='home' qpos='0 0 2 1 0 0 0 .1 .2 1 0 0 0' qvel='0 0 0 0 0 1 0 0 0 0 0' ctrl='.5 0 0 "
    "0'/></keyframe>\n"
    "<sensor><magnetometer site='s'/></sensor></mujoco>\n";

static void classes_frames_and_joints(void) {
  plSpec* spec = good_spec("r.xml", robot, pl_default_robot_def());
  const plJointDef* j1 = pl_spec_joint(spec, pl_spec_find_joint(spec, "r/j1"));
  const plJointDef* j2 = pl_spec_joint(spec, pl_spec_find_joint(spec, "r/j2"));
  CHECK_NEAR(j1->dof[0].damping, 0.1, 0);
  CHECK_NEAR(j1->dof[0].armature, 0.01, 0);
  CHECK_NEAR(j1->dof[0].lower, -45 * DEG, 1e-15);
  CHECK_NEAR(j2->dof[0].upper, 40 * DEG, 1e-15);
  CHECK_NEAR(j2->dof[0].rest, 10 * DEG, 1e-15);
  CHECK_NEAR(j2->dof[0].stiffness, 4, 0);
  const plBodyDef *base = pl_spec_body(spec, 0), *a = pl_spec_body(spec, 1), *b = pl_spec_body(spec, 2);
  CHECK_NEAR(base->mass, 2, 1e-15);
  CHECK_NEAR(base->inertia[0], 2.0 / 12 * (0.16 + 0.36), 1e-15);
  CHECK_NEAR(a->com.z, 0.1, 1e-15);
  CHECK_ROUND(a->mass, 500 * 3.14159265358979323846 * 1e-4 * (0.2 + 4.0 / 3 * 0.01), 0.04);
  CHECK_NEAR(b->mass, 0.3, 0);
  CHECK_ROUND(b->inertia[5], 0.003, 0.003);
  CHECK_INT(pl_spec_shape_count(spec), 4);
  CHECK_STR(pl_spec_shape(spec, 0)->name, "r/world/floor");
  CHECK_HAS(robot_warnings, "r.xml:13: ignored: <muscle>");
  CHECK_HAS(robot_warnings, "ignored: <magnetometer> in <sensor>");
  plData* data = data_of(spec);
  CHECK_INT(data->model->nv, 6 + 2 + 3);
  CHECK_ROUND(pose_of(data, "r/b").p.x, 0.3, 0.3);
  CHECK_ROUND(pose_of(data, "r/b").p.z, 1, 1);
  free_data(data);
}

static void actuators_and_constraints(void) {
  plData* data = data_of(good_spec("r.xml", robot, pl_default_robot_def()));
  const plModel* m = data->model;
  CHECK_INT(m->nact, 3);
  CHECK_STR(m->act_name[0], "r/servo");
  CHECK(m->par->act_gain[0] == 3 && m->par->act_bias[1] == -3 && m->par->act_lower[0] == -1);
  CHECK(m->par->act_gain[3] == 2);
  // f = 3 (5 u + 1 - 5 (3 (q + ref)) - 0.2 (3 v))
  CHECK_NEAR(m->par->act_gain[6], 15, 0);
  CHECK_NEAR(m->par->act_bias[6], 3 * (1 - 5 * 3 * 10 * DEG), 6.8e-14);
  CHECK_NEAR(m->par->act_bias[7], -45, 0);
  CHECK_NEAR(m->par->act_bias[8], -1.8, 1e-15);
  CHECK_INT(m->nconstraint, 4);
  const plConstraintDef* c = m->constraint;
  CHECK(c[0].kind == PL_CONSTRAINT_BALL && c[1].kind == PL_CONSTRAINT_WELD &&
        c[2].kind == PL_CONSTRAINT_COUPLER && c[3].kind == PL_CONSTRAINT_TENDON);
  // the anchor of connect is one point at the start
  plPose b = pose_of(data, "r/b"), base = pose_of(data, "r/base");
  CHECK_ROUND(v3_norm(v3_sub(pose_apply(b, c[0].pose_a.p), pose_apply(base, c[0].pose_b.p))), 0, 0.5);
  CHECK(c[2].ratio == 0.5 && c[2].offset == 0.1);
  CHECK_NEAR(c[3].offset, -2 * 10 * DEG, 1e-15);
  CHECK(c[3].lower == -1 && c[3].upper == 2 && c[3].njoint == 2);
  CHECK_INT(m->nexclude, 1);
  free_data(data);
}

static void inputs_inherit_the_range_of_their_joint(void) {
  const char text[] =
      "<mujoco><compiler angle='radian'/><default><position kp='2' "
      "inheritrange='1.5'/></default><worldbody><body><joint name='j' range='-1 3' ref='0.5'/>"
      "<geom size='.1'/></body></worldbody><actuator><position joint='j'/></actuator></mujoco>";
  plSpec* spec = good_spec("h.xml", text, pl_default_robot_def());
  CHECK_NEAR(pl_spec_actuator(spec, 0)->lower, -2, 1e-15);
  CHECK_NEAR(pl_spec_actuator(spec, 0)->upper, 4, 1e-15);
  CHECK_INT(robot_warning_count, 0);
  pl_spec_destroy(spec);
}

static void keyframes_are_the_start(void) {
  plRobotDef def = pl_default_robot_def();
  def.keyframe = "home";
  plData* data = data_of(good_spec("r.xml", robot, def));
  CHECK_NEAR(data->q[2], 2, 0);
  CHECK_NEAR(data->q[7], 0.1, 0);
  CHECK_ROUND(data->q[8], 0.2 - 10 * DEG, 0.03);
  CHECK_NEAR(data->v[5], 1, 0);
  CHECK_NEAR(data->u[0], 0.5, 0);
  free_data(data);
  plError error;
  def.keyframe = "away";
  CHECK(!spec_of("r.xml", robot, def, &error));
  CHECK_HAS(error.message, "no keyframe 'away'");
}

// A keyframe starts a robot in its own pose: all bodies are moved and turned with it, and so are their
// velocities. A welded base keeps its pose, and the joints are those of the keyframe.
static void keyframes_follow_the_pose(void) {
  plRobotDef def = pl_default_robot_def();
  def.keyframe = "home", def.name = "r";
  plData* first = data_of(good_spec("r.xml", robot, def));
  def.pose = (plPose){{5, -3, 2}, quat_exp((plVec3){0.4, -0.7, 1.1})};
  plData* moved = data_of(good_spec("r.xml", robot, def));
  def.base = PL_BASE_WELD;
  plData* welded = data_of(good_spec("r.xml", robot, def));
  int base = pl_model_find_body(first->model, "r/base");
  for (int b = 0; b < first->model->nbody; b++) {
    plRigidState one, two, base_one, three, base_three;
    CHECK(!pl_rigid_body_state(first, b, &one) && !pl_rigid_body_state(moved, b, &two));
    plPose pose = pose_mul(def.pose, one.pose);
    CHECK_NEAR(v3_norm(v3_sub(pose.p, two.pose.p)), 0, 1e-14);
    CHECK_NEAR(v3_norm(quat_log(quat_mul(quat_conj(pose.q), two.pose.q))), 0, 1e-14);
    CHECK_NEAR(v3_norm(v3_sub(quat_rotate(def.pose.q, one.velocity), two.velocity)), 0, 1e-14);
    CHECK_NEAR(v3_norm(v3_sub(quat_rotate(def.pose.q, one.angular_velocity), two.angular_velocity)), 0,
               1e-14);
    CHECK(!pl_rigid_body_state(welded, b, &three) && !pl_rigid_body_state(first, base, &base_one));
    CHECK(!pl_rigid_body_state(welded, base, &base_three));
    plPose in_one = pose_mul(pose_inverse(base_one.pose), one.pose),
           in_three = pose_mul(pose_inverse(base_three.pose), three.pose);
    CHECK_NEAR(v3_norm(v3_sub(in_one.p, in_three.p)), 0, 1e-14);
  }
  free_data(first), free_data(moved), free_data(welded);
}

static void bases_can_be_changed(void) {
  plRobotDef def = pl_default_robot_def();
  def.base = PL_BASE_WELD, def.pose.p = v3(0, 0, 1);
  plData* data = data_of(good_spec("r.xml", robot, def));
  CHECK_INT(data->model->nv, 5);
  CHECK_NEAR(pose_of(data, "r/base").p.z, 2, 1e-15);
  free_data(data);
}

// Every way to write one orientation.
static void orientations(void) {
  const char* ways[] = {"quat='0.5 0.5 0.5 0.5'", "axisangle='1 1 1 120'", "euler='90 90 0'",
                        "xyaxes='0 1 0 0 0 2'"};
  for (int k = 0; k < 4; k++) {
    char text[400];
    snprintf(text, sizeof text,
             "<mujoco><worldbody><body name='a' %s><geom size='.1'/></body></worldbody></mujoco>", ways[k]);
    plSpec* spec = good_spec("o.xml", text, pl_default_robot_def());
    plPose pose = pl_spec_body_pose(spec, 0);
    plVec3 x = quat_rotate(pose.q, v3(1, 0, 0)), y = quat_rotate(pose.q, v3(0, 1, 0));
    CHECK_ROUND(v3_norm(v3_sub(x, v3(0, 1, 0))), 0, 1);
    CHECK_ROUND(v3_norm(v3_sub(y, v3(0, 0, 1))), 0, 1);
    pl_spec_destroy(spec);
  }
}

// A mesh asset: mass and inertia of a box given by triangles, scaled.
static void meshes_have_inertia(void) {
  char path[1024], text[2048];
  snprintf(path, sizeof path, PLIANT_BINARYDIR "/test/mjcf_box.obj");
  FILE* file = fopen(path, "w");
  for (int i = 0; i < 8; i++) fprintf(file, "v %d %d %d\n", i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  fputs("f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n", file);
  fclose(file);
  snprintf(text, sizeof text,
           "<mujoco><compiler meshdir='%s/test'/><asset><mesh file='mjcf_box.obj' scale='.1 .2 .3'/></asset>"
           "<worldbody><body name='a'><freejoint/><geom type='mesh' mesh='mjcf_box'/></body><body><geom "
           "type='mesh' mesh='mjcf_box' mass='0'/></body></worldbody></mujoco>",
           PLIANT_BINARYDIR);
  plSpec* spec = good_spec("mesh.xml", text, pl_default_robot_def());
  const plBodyDef* b = pl_spec_body(spec, 0);
  CHECK_NEAR(b->mass, 1000 * 0.2 * 0.4 * 0.6, 6.8e-13);
  CHECK_NEAR(b->inertia[0], b->mass / 12 * (0.16 + 0.36), 2.9e-14);
  CHECK_ROUND(b->inertia[3], 0, 1);
  CHECK_INT(pl_spec_shape_count(spec), 2);
  pl_spec_destroy(spec);
}

// A box by its corners alone, or with faces, or with faces that are wrong.
static void meshes_by_their_vertices(void) {
  static const char head[] =
      "<mujoco><asset><mesh name='b' scale='.1 .2 .3' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 "
      "-1 1 1 1 1 1 0 0 0' ";
  static const char tail[] =
      "/></asset><worldbody><body name='a'><freejoint/><geom type='mesh' "
      "mesh='b'/></body></worldbody></mujoco>";
  static const char* const faces[] = {
      "", "face='0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5'"};
  char text[1200];
  for (int i = 0; i < 2; i++) {
    snprintf(text, sizeof text, "%s%s%s", head, faces[i], tail);
    plSpec* spec = good_spec("v.xml", text, pl_default_robot_def());
    const plBodyDef* b = pl_spec_body(spec, 0);
    CHECK_INT(robot_warning_count, 0);
    CHECK_NEAR(b->mass, 1000 * 0.2 * 0.4 * 0.6, 6.8e-13);
    CHECK_ROUND(b->inertia[2], b->mass / 12 * (0.04 + 0.16), 0.8);
    CHECK_INT(pl_spec_shape(spec, 0)->mesh->ntri, 12);
    pl_spec_destroy(spec);
  }
  check_refused("v.xml",
                "<mujoco><asset>\n<mesh name='b' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 "
                "9'/></asset><worldbody><body><geom type='mesh' mesh='b'/></body></worldbody></mujoco>",
                2, "vertex 9");
  check_refused("v.xml",
                "<mujoco><asset>\n<mesh name='b' vertex='0 0 0 1 0 0 0 1'/></asset><worldbody><body><geom "
                "type='mesh' mesh='b'/></body></worldbody></mujoco>",
                2, "three numbers each");
  check_refused("v.xml",
                "<mujoco><asset>\n<mesh name='b' vertex='0 0 0 1 0 0 0 1 0'/></asset><worldbody><body><geom "
                "type='mesh' mesh='b'/></body></worldbody></mujoco>",
                2, "no hull");
}

static void run_steps(plData* data, int n) {
  plError error;
  for (int i = 0; i < n; i++) CHECK_INT(pl_step(data, &error), PL_OK);
}

// Two sliders of 2 and 5 kg on a tendon l = q1 - 2 q2.
#define SLIDERS(joint)                                                                                 \
  "<mujoco><option gravity='0 0 0'/><worldbody><body name='a'><joint name='p' type='slide' axis='1 0 " \
  "0' " joint                                                                                          \
  "/><geom type='box' size='.1 .1 .1' mass='2'/></body><body name='b' pos='0 1 0'><joint name='s' "    \
  "type='slide' axis='0 0 1' " joint                                                                   \
  "/><geom type='box' size='.1 .1 .1' mass='5'/></body></worldbody><tendon><fixed name='t'><joint "    \
  "joint='p' coef='1'/>"                                                                               \
  "<joint joint='s' coef='-2'/></fixed></tendon><actuator>"

static void actuators_pull_tendons(void) {
  // a motor: each slider feels its coefficient times gear times the input, within the force range
  for (int k = 0; k < 3; k++) {
    static const double input[3] = {1.5, 10, -10}, force[3] = {1.5, 4, -1};
    plSpec* spec =
        good_spec("t.xml", SLIDERS("") "<motor tendon='t' gear='3' forcerange='-1 4'/></actuator></mujoco>",
                  pl_default_robot_def());
    CHECK_INT(robot_warning_count, 1);  // option
    pl_spec_options(spec)->gravity = v3(0, 0, 0);
    plData* data = data_of(spec);
    const plModel* m = data->model;
    data->u[0] = input[k];
    run_steps(data, 10);
    double t = 10 * m->par->options.dt, f = 3 * force[k];
    CHECK_ROUND(data->v[m->joint_v0[pl_model_find_joint(m, "robot/p")]], f / 2 * t, 0.6);
    CHECK_ROUND(data->v[m->joint_v0[pl_model_find_joint(m, "robot/s")]], -2 * f / 5 * t, 0.5);
    CHECK_NEAR(data->actuator_force[0], f, 1.7e-13);
    CHECK_NEAR(pl_motor_force(data, m->joint_v0[pl_model_find_joint(m, "robot/s")]), -2 * f, 3.4e-13);
    free_data(data);
  }
  // a position held against springs of 40 and 60 N/m: f = kp (u - l), l = (1 / 40 + 4 / 60) f, ref and offset
  // included
  plSpec* spec = good_spec(
      "t.xml",
      SLIDERS("stiffness='40' damping='30'") "<position tendon='t' kp='500' kv='5'/></actuator></mujoco>",
      pl_default_robot_def());
  pl_spec_options(spec)->gravity = v3(0, 0, 0);
  plData* data = data_of(spec);
  data->u[0] = 0.7;
  run_steps(data, 3000);
  double f = 500 * 0.7 / (1 + 500 * (1.0 / 40 + 4.0 / 40));
  CHECK_NEAR(data->q[0], f / 40, 1.2e-7);
  CHECK_NEAR(data->q[1], -2 * f / 40, 6.5e-8);
  CHECK_NEAR(data->actuator_force[0], f, 3.8e-6);
  free_data(data);
  check_refused("t.xml",
                "<mujoco><worldbody><body><joint name='b' type='ball'/><geom "
                "size='.1'/></body></worldbody><tendon><fixed name='t'>\n<joint joint='b' "
                "coef='1'/></fixed></tendon><actuator><motor tendon='t'/></actuator></mujoco>",
                2, "hinges and slides");
}

// Limits of a force that differ: of the actuator, turned round by its gear, and of the joint.
static void forces_may_be_limited_on_one_side(void) {
  plSpec* spec = good_spec("f.xml", SLIDERS("actuatorfrcrange='-7 2'")
                           "<position joint='p' kp='1e3' gear='-1' forcerange='-1 4'/><motor joint='s'/></actuator></mujoco>", pl_default_robot_def());
  pl_spec_options(spec)->gravity = v3(0, 0, 0);
  plData* data = data_of(spec);
  const plModel* m = data->model;
  CHECK(m->par->act_force_lower[0] == -4 && m->par->act_force_upper[0] == 1 &&
        m->par->act_force_lower[1] == -7 && m->par->act_force_upper[1] == 2);
  data->u[0] = 5, data->u[1] = 9;  // 5 = - q: it pushes down with 4 N
  run_steps(data, 5);
  CHECK_ROUND(data->v[0], -4.0 / 2 * 5 * m->par->options.dt, 0.1);
  CHECK_ROUND(data->v[1], 2.0 / 5 * 5 * m->par->options.dt, 0.02);
  free_data(data);
}

// A rod on a ball joint falls until it has turned by 0.4 rad and rests there: the limit bears m g l cos(0.4).
static void ball_joints_have_limits(void) {
  plData* data = data_of(
      good_spec("b.xml",
                "<mujoco><compiler angle='radian'/><worldbody><body name='a' pos='0 0 1'><joint name='j' "
                "type='ball' range='0 .4' damping='.2'/>"
                "<inertial pos='0.3 0.4 0' mass='2' diaginertia='.01 .01 .01'/></body></worldbody></mujoco>",
                pl_default_robot_def()));
  CHECK_INT(robot_warning_count, 0);
  run_steps(data, 2000);
  plVec3 turn = quat_log((plQuat){data->q[0], data->q[1], data->q[2], data->q[3]});
  CHECK_NEAR(v3_norm(turn), 0.4, 4.5e-6);
  // about the horizontal axis at right angles to the rod
  CHECK_ROUND(v3_dot(v3_unit(turn), v3(-0.8, 0.6, 0)), 1, 1);
  CHECK_NEAR(v3_norm(v3_load(data->v)), 0, 1.6e-12);
  CHECK_NEAR(pl_limit_force(data, 0), -2 * 9.81 * 0.5 * cos(0.4), 1.8e-5);
  free_data(data);
}

// Springs of ball and free joints pull to the pose of the file; springref and ref of a class are for hinges
// and slides.
static void springs_without_a_reference(void) {
  static const char text[] =
      "<mujoco><default><joint stiffness='30' springref='20' ref='5' damping='3'/></default><worldbody>"
      "<body name='f' pos='1 2 3'><joint type='free'/><geom size='.1'/></body>"
      "<body name='t' pos='9 0 0' euler='0 40 0'><joint type='free'/><geom size='.1'/></body>"
      "<body name='b'><joint name='ball' type='ball'/><geom size='.1' pos='0 0 "
      "-.2'/></body></worldbody></mujoco>";
  plRobotDef def = pl_default_robot_def();
  def.name = "r";
  plSpec* spec = good_spec("r.xml", text, def);
  CHECK_HAS(robot_warnings, "holds its position, not its orientation");
  for (int j = 0; j < 3; j++) {
    const plJointDef* joint = pl_spec_joint(spec, j);
    for (int k = 0; k < pl_joint_nv(joint->kind); k++) {
      CHECK_NEAR(joint->dof[k].rest, j == 0 && k < 3 ? 1 + k : j == 1 && k == 0 ? 9 : 0, 0);
      CHECK_NEAR(joint->dof[k].stiffness, j == 1 && k >= 3 ? 0 : 30, 0);
    }
  }
  plData* data = data_of(spec);
  run_steps(data, 6000);
  double sag = 4.0 / 3 * 3.14159265358979323846 * 9.81 / 30;  // of a ball of 0.1 m and 1000 kg/m^3
  CHECK_NEAR(data->q[2], 3 - sag, 1e-9);
  CHECK_NEAR(data->q[9], -sag, 1e-9);
  CHECK_NEAR(fabs(data->q[14]), 1, 1e-12);
  free_data(data);
}

static void welds_to_the_world_either_way(void) {
  for (int k = 0; k < 2; k++) {
    plSpec* spec = good_spec(
        "w.xml",
        k ? "<mujoco><worldbody><body name='a' pos='1 2 3'><freejoint/><geom "
            "size='.1'/></body></worldbody><equality><weld body1='world' body2='a'/></equality></mujoco>"
          : "<mujoco><worldbody><body name='a' pos='1 2 3'><freejoint/><geom "
            "size='.1'/></body></worldbody><equality><weld body1='a'/></equality></mujoco>",
        pl_default_robot_def());
    plData* data = data_of(spec);
    run_steps(data, 50);
    CHECK_NEAR(v3_norm(v3_sub(pose_of(data, "robot/a").p, v3(1, 2, 3))), 0, 8.7e-7);
    free_data(data);
  }
}

// Copies stand at the powers of a frame, which MuJoCo 4.0 was asked for; their names end with their numbers.
static void copies_are_made(void) {
  plData* data = data_of(good_spec("r.xml",
                                   "<mujoco><worldbody><replicate count='12' offset='0.1 0.2 0' euler='0 0 "
                                   "30' sep='-'><body name='b' pos='1 0 0'>"
                                   "<joint name='j'/><geom size='.1'/><replicate count='2' offset='0 0 "
                                   "1'><body name='q'><joint/><geom size='.1'/></body></replicate>"
                                   "</body></replicate></worldbody></mujoco>",
                                   pl_default_robot_def()));
  CHECK_INT(data->model->nbody, 36);
  CHECK(pl_model_find_joint(data->model, "robot/j-11") >= 0);
  CHECK_NEAR(v3_norm(v3_sub(pose_of(data, "robot/b-02").p, v3(0.586603, 1.289230, 0))), 0, 1e-6);
  CHECK_NEAR(v3_norm(v3_sub(pose_of(data, "robot/b-11").p, v3(0.679423, -0.623205, 0))), 0, 4.7e-7);
  CHECK_NEAR(v3_norm(v3_sub(pose_of(data, "robot/q1-11").p, v3(0.679423, -0.623205, 1))), 0, 4.7e-7);
  free_data(data);
  check_refused("r.xml",
                "<mujoco><worldbody>\n<replicate count='0'><geom size='1'/></replicate></worldbody></mujoco>",
                2, "count of 1 to");
  check_refused("r.xml",
                "<mujoco><worldbody>\n<replicate count='40000'>\n<replicate count='40000'><body "
                "name='b'><geom size='1'/></body></replicate></replicate>"
                "</worldbody></mujoco>",
                2, "more than 1000000 elements");
}

// Bits of contype and conaffinity: b and c touch the floor but not each other, d touches all.
static void masks_keep_apart(void) {
  const char text[] =
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
      "<body name='b'><freejoint/><geom size='.1' contype='0' conaffinity='1'/></body>"
      "<body name='c'><freejoint/><geom size='.1' contype='0' conaffinity='1'/><geom size='.2' contype='0' "
      "conaffinity='0'/></body>"
      "<body name='d'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
  plData* data = data_of(good_spec("k.xml", text, pl_default_robot_def()));
  const plModel* m = data->model;
  CHECK_INT(m->nexclude, 1);
  CHECK(m->exclude[0].kind == PL_SIDE_BODY && m->exclude[1].kind == PL_SIDE_BODY);
  CHECK(m->exclude[0].index == pl_model_find_body(m, "robot/b") &&
        m->exclude[1].index == pl_model_find_body(m, "robot/c"));
  CHECK(m->shape_collide[1] && !m->shape_collide[3]);
  free_data(data);
  check_refused("k.xml", "<mujoco><worldbody>\n<geom size='1' contype='-1'/></worldbody></mujoco>", 2,
                "32 bits");
}

static void includes_are_expanded(void) {
  char path[1024], text[2048];
  snprintf(path, sizeof path, PLIANT_BINARYDIR "/test/mjcf_part.xml");
  FILE* file = fopen(path, "w");
  fputs(
      "<mujocoinclude><body name='in'><joint name='k' axis='0 0 1'/><geom size='.1'/></body></mujocoinclude>",
      file);
  fclose(file);
  snprintf(
      text, sizeof text,
      "<mujoco><worldbody><body name='a'><geom size='.1'/><include file='%s'/></body></worldbody></mujoco>",
      path);
  plData* data = data_of(good_spec("i.xml", text, pl_default_robot_def()));
  CHECK_INT(data->model->nv, 1);
  CHECK(pl_model_find_body(data->model, "robot/in") == 1);
  free_data(data);
  // a file that includes itself
  file = fopen(path, "w");
  fprintf(file, "<mujocoinclude><include file='%s'/></mujocoinclude>", path);
  fclose(file);
  plError error;
  CHECK(!spec_of("i.xml", text, pl_default_robot_def(), &error));
  CHECK_HAS(error.message, "include itself");
  remove(path);
}

static void mistakes_are_named_with_their_line(void) {
  check_refused(
      "a.xml",
      "<mujoco><worldbody>\n<body><joint type='screw'/><geom size='.1'/></body></worldbody></mujoco>", 2,
      "'screw'");
  check_refused("a.xml",
                "<mujoco><worldbody>\n<body name='a'><geom size='.1'/></body>\n<body name='a'><geom "
                "size='.1'/></body></worldbody></mujoco>",
                3, "is taken");
  check_refused("a.xml",
                "<mujoco><worldbody><body name='a'><geom size='.1'/></body></worldbody>\n<actuator><motor "
                "joint='zzz'/></actuator></mujoco>",
                2, "'zzz'");
  check_refused("a.xml", "<mujoco><compiler coordinate='global'/></mujoco>", 1, "global");
  check_refused("a.xml", "<mujoco><worldbody>\n<geom type='mesh' mesh='q'/></worldbody></mujoco>", 2, "'q'");
  check_refused("a.xml", "<mujoco>\n<include file='nowhere.xml'/></mujoco>", 2, "nowhere.xml");
  check_refused("a.xml",
                "<mujoco><worldbody><body name='a'><geom size='.1'/></body></worldbody>\n<equality><connect "
                "body1='a' body2='b' anchor='0 0 0'/></equality></mujoco>",
                2, "bodies");
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(classes_frames_and_joints);
  RUN(actuators_and_constraints);
  RUN(inputs_inherit_the_range_of_their_joint);
  RUN(keyframes_are_the_start);
  RUN(keyframes_follow_the_pose);
  RUN(bases_can_be_changed);
  RUN(orientations);
  RUN(meshes_have_inertia);
  RUN(meshes_by_their_vertices);
  RUN(actuators_pull_tendons);
  RUN(forces_may_be_limited_on_one_side);
  RUN(ball_joints_have_limits);
  RUN(springs_without_a_reference);
  RUN(welds_to_the_world_either_way);
  RUN(copies_are_made);
  RUN(masks_keep_apart);
  RUN(includes_are_expanded);
  RUN(mistakes_are_named_with_their_line);
  return CHECK_END;
}

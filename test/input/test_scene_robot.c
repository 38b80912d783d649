// test_scene_robot.c: the section `robots` of scene files: pose, start, controllers, trajectories, and what
// is said about mistakes.
#include "input/robots.h"

static char warnings[4000];
static void keep(void* user, const char* text) {
  (void)user;
  size_t n = strlen(warnings);
  snprintf(warnings + n, sizeof warnings - n, "%s\n", text);
}

static plSpec* parse(const char* robots, plError* error) {
  char text[4000];
  warnings[0] = 0;
  plLoadOptions options = {.warn = keep};
  plSpec* spec = NULL;
  snprintf(text, sizeof text, "pliant: 1\noptions: {dt: 0.005}\nrobots:\n%s", robots);
  pl_spec_parse("s.yaml", PLIANT_SOURCEDIR "/scenes", text, strlen(text), &options, &spec, error);
  return spec;
}

static void refuse(const char* robots, int line, const char* words) {
  plError error;
  plSpec* spec = parse(robots, &error);
  CHECK(!spec);
  pl_spec_destroy(spec);
  CHECK_HAS(error.message, words);
  CHECK_INT(error.line, line);
}

static void robots_are_placed_and_driven(void) {
  plError error;
  plSpec* spec = parse(
      "- name: arm\n  file: robots/iiwa14.urdf\n  base: weld\n  pose: {position: [0, 0, 1]}\n  gravity: "
      "false\n"
      "  joints: [{name: joint_2, position: 0.5, velocity: 0.1}, {name: joint_3, locked: true}]\n"
      "  controllers:\n  - {joint: joint_4, kp: 100, kd: 10, input: 0.3}\n"
      "  - {joint: joint_5, kind: velocity, kd: 7, times: [0, 1], values: [0, 2]}\n"
      "  - {joint: joint_6, kp: 50, kd: 5, zero_velocity: true, interpolation: cubic, times: [0, 1], values: "
      "[0, 1]}\n"
      "- {name: hand, file: robots/allegro_right.urdf, parent: arm/ee, base: weld, joint_friction: 0.01}\n"
      "- {name: loose, file: robots/allegro_right.urdf, base: weld, joint_friction: ignore}\n",
      &error);
  if (!spec) {
    check_errors++, printf("%s\n", error.message);
    return;
  }
  plData* data = data_of(spec);
  const plModel* m = data->model;
  CHECK_INT(m->nv, 7 + 16 + 16);
  int j2 = m->joint_v0[pl_model_find_joint(m, "arm/joint_2")],
      j3 = m->joint_v0[pl_model_find_joint(m, "arm/joint_3")];
  CHECK_NEAR(data->q[m->dof_q[j2]], 0.5, 0);
  CHECK_NEAR(data->v[j2], 0.1, 0);
  CHECK(m->dof_locked[j3]);
  int a4 = pl_model_find_actuator(m, "arm/motor_4"), a5 = pl_model_find_actuator(m, "arm/motor_5"),
      a6 = pl_model_find_actuator(m, "arm/motor_6");
  CHECK(m->act_kind[a4] == PL_ACTUATOR_PD && m->par->act_bias[3 * a4 + 1] == -100 &&
        data->u[m->act_u0[a4]] == 0.3);
  CHECK(m->act_kind[a5] == PL_ACTUATOR_VELOCITY && m->act_knot0[a5 + 1] - m->act_knot0[a5] == 2);
  CHECK(m->act_interpolation[a6] == PL_CUBIC && m->act_zero_velocity[a6]);
  CHECK_NEAR(m->par->dof_friction[m->joint_v0[pl_model_find_joint(m, "hand/joint_0")]], 0.01, 0);
  CHECK_NEAR(m->par->dof_friction[m->joint_v0[pl_model_find_joint(m, "loose/joint_0")]], 0, 0);
  plPose ee = pose_of(data, "arm/ee"), root = pose_of(data, "hand/hand_root");
  CHECK_ROUND(v3_norm(v3_sub(ee.p, root.p)), 0, 0.5);
  for (int i = 0; i < 20; i++) CHECK(!pl_step(data, &error));
  CHECK_ROUND(data->u[m->act_u0[a5]], 0.2, 0.2);
  ee = pose_of(data, "arm/ee"), root = pose_of(data, "hand/hand_root");
  CHECK_ROUND(v3_norm(v3_sub(ee.p, root.p)), 0, 0.5);
  free_data(data);
}

static void starts_outside_the_limits_are_told(void) {
  plError error;
  plSpec* spec = parse(
      "- name: arm\n  file: robots/iiwa14.urdf\n  base: weld\n  joints:\n  - {name: joint_2, position: "
      "2.5}\n",
      &error);
  CHECK(spec != NULL);
  CHECK_HAS(warnings,
            "s.yaml:8:5: the joint 'arm/joint_2' starts at 2.5, outside its limits -2.0944 to 2.0944");
  pl_spec_destroy(spec);
}

static void mistakes_are_named_with_their_line(void) {
  refuse("- {name: arm, file: robots/iiwa15.urdf}\n", 4, "iiwa15.urdf");
  refuse("- {name: a/b, file: robots/iiwa14.urdf}\n", 4, "without /");
  refuse("- name: arm\n  file: robots/iiwa14.urdf\n  joints:\n  - {name: joint_22, position: 0}\n", 7,
         "did you mean 'joint_2'");
  refuse("- name: arm\n  file: robots/iiwa14.urdf\n  controllers:\n  - {joint: joint_2, kind: pd}\n", 7,
         "needs gains");
  refuse(
      "- name: arm\n  file: robots/iiwa14.urdf\n  controllers:\n  - {joint: joint_2, kp: 1, input: 0, times: "
      "[0], values: [0]}\n",
      7, "either");
  refuse(
      "- name: arm\n  file: robots/iiwa14.urdf\n  controllers:\n  - {joint: joint_2, kp: 1, times: [0, 0], "
      "values: [0, 1]}\n",
      7, "increase");
  refuse("- name: arm\n  file: robots/iiwa14.urdf\n  parent: nobody/link\n", 4, "nobody/link");
  refuse("- name: arm\n  file: robots/iiwa14.urdf\n  joint_friction: much\n", 6, "file, ignore or a number");
}

// A file of MuJoCo's with a tendon that carries an actuator, written for one test.
static const char* const tendon_file = PLIANT_BINARYDIR "/test/scene_robot_tendon.xml";

static bool write_tendon_file(void) {
  FILE* file = fopen(tendon_file, "w");
  if (!file) return false;
  fputs(
      "<mujoco><option timestep='0.003' gravity='0 0 -2'/><worldbody><body name='a'><joint name='p' "
      "type='slide' axis='1 0 0' "
      "ref='0.1'/><geom name='pad' type='box' size='.1 .1 .1' mass='2' friction='0.3'/></body><body name='b' "
      "pos='0 1 0'>"
      "<joint name='s' type='slide' axis='1 0 0'/><geom name='shoe' type='box' size='.1 .1 .1' mass='5' "
      "friction='0.3'/></body>"
      "</worldbody><tendon><fixed name='t'><joint joint='p' coef='1'/><joint joint='s' "
      "coef='-2'/></fixed></tendon><actuator>"
      "<position name='pull' tendon='t' kp='50'/><position name='push' joint='p' kp='9'/><motor name='idle' "
      "joint='s'/>"
      "</actuator><keyframe><key name='home' qpos='0.5 0.25'/></keyframe></mujoco>",
      file);
  return !fclose(file);
}

static void actuators_surfaces_and_starts(void) {
  char text[1500];
  plError error;
  plSpec* spec = NULL;
  plLoadOptions options = {.warn = keep};
  CHECK(write_tendon_file());
  snprintf(text, sizeof text,
           "pliant: 1\nrobots:\n- name: r\n  file: %s\n  keyframe: home\n  controllers:\n  - {actuator: "
           "pull, kp: 70, effort: 3}\n"
           "  - {actuator: idle, off: true}\n  surfaces:\n  - {shapes: '*/pad', surface: {friction: 1.5}}\n"
           "  - {shapes: 'b/*', surface: {relaxation_time: 0.5}}\n",
           tendon_file);
  pl_spec_parse("s.yaml", "", text, strlen(text), &options, &spec, &error);
  if (!spec) {
    check_errors++, printf("%s\n", error.message);
    return;
  }
  // the scene gives neither: they are the file's
  CHECK_NEAR(pl_spec_options(spec)->dt, 0.003, 0);
  CHECK_NEAR(pl_spec_options(spec)->gravity.z, -2, 0);
  CHECK_NEAR(pl_spec_shape(spec, 0)->surface.friction, 1.5, 0);
  CHECK_NEAR(pl_spec_shape(spec, 1)->surface.friction, 0.3, 0);
  CHECK_NEAR(pl_spec_shape(spec, 1)->surface.relaxation_time, 0.5, 0);
  plData* data = data_of(spec);
  const plModel* m = data->model;
  int pull = pl_model_find_actuator(m, "r/pull"), push = pl_model_find_actuator(m, "r/push"),
      idle = pl_model_find_actuator(m, "r/idle");
  CHECK(data->on[PL_SWITCH_ACTUATOR][pull] && !data->on[PL_SWITCH_ACTUATOR][idle]);
  CHECK_NEAR(data->par->act_bias[3 * pull + 1], -70, 0);
  // actuators of every kind start with the input that holds the position: nothing moves along x
  CHECK_NEAR(data->u[m->act_u0[push]], 0.5, 1e-15);
  for (int i = 0; i < 5; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  CHECK_ROUND(data->v[0], 0, 1);
  CHECK_ROUND(data->v[1], 0, 1);
  free_data(data);
  remove(tendon_file);
  refuse("- name: arm\n  file: robots/iiwa14.urdf\n  controllers:\n  - {actuator: moto_4}\n", 7,
         "did you mean 'motor_4'");
  refuse("- name: arm\n  file: robots/iiwa14.urdf\n  controllers:\n  - {kp: 3}\n", 7,
         "either 'joint' or 'actuator'");
  refuse("- name: arm\n  file: robots/iiwa14.urdf\n  surfaces:\n  - {shapes: nose, surface: {friction: 1}}\n",
         7, "has no collision shape 'nose'");
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(robots_are_placed_and_driven);
  RUN(starts_outside_the_limits_are_told);
  RUN(mistakes_are_named_with_their_line);
  RUN(actuators_surfaces_and_starts);
  return CHECK_END;
}

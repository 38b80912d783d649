// test_mjcf_drives.c: actuators and springs of MJCF files do what they do in MuJoCo 4.0, whose numbers these
// are.
#include "pliant/forces.h"
#include "robots.h"

// Inertias count as they are felt: with all other joints free.
static void damping_ratios_are_those_of_mujoco(void) {
  static const char text[] =
      "<mujoco><worldbody><site name='s0' pos='0 .3 .5'/><body pos='0 0 1'><joint name='sl' type='slide' "
      "axis='1 0 0' armature='.1'/><geom size='.1' mass='2'/><body><joint name='a' axis='0 1 0' "
      "armature='.01'/><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0' mass='1'/><site name='sa' "
      "pos='.3 0 .02'/><body pos='.3 0 0'><joint name='b' axis='0 1 0'/><geom type='capsule' size='.03' "
      "fromto='0 0 0 .2 0 .1' mass='.5'/><site name='sb' pos='.2 0 .05'/></body></body></body><body pos='1 0 "
      "1'><freejoint/><geom type='box' size='.1 .2 .3' mass='3'/><body pos='.1 .2 0'><joint name='g' axis='1 "
      "2 3'/><geom type='capsule' size='.03' fromto='0 0 0 .2 0 .1' mass='.7'/></body></body></worldbody>"
      "<tendon><fixed name='t'><joint joint='a' coef='2'/><joint joint='b' coef='-.5'/></fixed><spatial "
      "name='sp'><site site='s0'/><site site='sa'/><site site='sb'/></spatial></tendon><actuator><position "
      "joint='sl' kp='10' dampratio='1'/><position joint='a' kp='20' dampratio='.5' gear='3'/><position "
      "joint='b' kp='30' dampratio='.7' gear='-2'/><position joint='g' kp='30' dampratio='.7'/><position "
      "tendon='t' kp='5' dampratio='1' gear='2'/><position tendon='sp' kp='8' dampratio='.9' gear='1.5'/>"
      "<position site='sb' kp='8' dampratio='.9' gear='1 0.2 0.3 .1 0 .2'/></actuator></mujoco>";
  static const double kd[] = {11.843621974980573, 0.3732515335808664, 0.2575496113918873, 0.5895933685523884,
                              0.1566861027233599, 3.0292874912971364, 8.360838901545478};
  plSpec* spec = good_spec("d.xml", text, pl_default_robot_def());
  for (int i = 0; i < 7; i++) CHECK_NEAR(pl_spec_actuator(spec, i)->kd / kd[i], 1, 3e-15);
  CHECK_INT(robot_warning_count, 0);
  pl_spec_destroy(spec);
}

#define ARM(first, second)                                                                                \
  "<body pos='0 0 1'><joint name='a' axis='0 1 0' " first                                                 \
  "/><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0' mass='1'/><body pos='.3 0 0'><joint name='b' " \
  "axis='0 1 0' " second                                                                                  \
  "/><geom type='capsule' size='.03' fromto='0 0 0 .2 0 .1' mass='.5'/><site name='s' pos='.2 0 .05'/>"   \
  "</body></body>"

static void springs_of_time_constants_feel_the_chain(void) {
  plSpec* spec =
      good_spec("s.xml",
                "<mujoco><worldbody>" ARM("springdamper='.3 .8'",
                                          "springdamper='.3 .8' armature='.01'") "</worldbody></mujoco>",
                pl_default_robot_def());
  static const double stiffness[] = {1.49489431, 0.24699945}, damping[] = {0.57403941, 0.09484779};
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(pl_spec_joint(spec, i)->dof[0].stiffness, stiffness[i], 5e-9);
    CHECK_NEAR(pl_spec_joint(spec, i)->dof[0].damping, damping[i], 5e-9);
  }
  pl_spec_destroy(spec);
}

// actuatorfrcrange limits what motors, a tendon and a force at a site exert on the joint together.
static void forces_on_a_joint_are_limited_together(void) {
  static const struct {
    double u[4], acceleration[2], force;
  } table[] = {{{5, -2, 0.3, 0.2}, {35.01042940870927, -111.00375680205454}, 1.39},
               {{1, 1, 0.3, 0}, {35.60312018197976, -109.32150322455684}, 1.5},
               {{3, -1, -0.5, 0.2}, {-14.780113328929145, 62.38143969483019}, -0.21},
               {{0, 0, 2, 0}, {77.44394946808117, -310.4017286360312}, 1.5},
               {{0, 0, 0, 3}, {-15.474898631699373, -8.005226897600757}, -2},
               {{-4, 0.5, 0.2, -1}, {-31.621317825252838, 88.12623136944816}, -1.55}};
  plSpec* spec = good_spec("f.xml",
                           "<mujoco><worldbody>" ARM("actuatorfrcrange='-2 1.5'", "")
                           "</worldbody><tendon><fixed name='t'><joint joint='a' coef='2'/><joint joint='b' "
                           "coef='-.5'/></fixed></tendon><actuator><motor joint='a'/><motor joint='a' "
                           "gear='2'/><motor tendon='t'/><motor site='s' gear='1 0 3 0 .4 0'/></actuator>"
                           "</mujoco>",
                           pl_default_robot_def());
  plError error;
  CHECK_INT(robot_warning_count, 0);
  pl_spec_options(spec)->gravity = v3(0, 0, 0), pl_spec_options(spec)->dt = 1e-3;
  plData* data = data_of(spec);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    pl_data_reset(data);
    memcpy(data->u, table[i].u, sizeof table[i].u);
    CHECK_INT(pl_step(data, &error), PL_OK);
    for (int k = 0; k < 2; k++) CHECK_NEAR(data->v[k] / 1e-3 / table[i].acceleration[k], 1, 1e-13);
    CHECK_NEAR(pl_motor_force(data, 0), table[i].force, 1e-15);
  }
  free_data(data);
}

// A servo on a tendon, or on sites, is limited by itself; a spring is not. The reader says so.
static void servos_over_several_joints_are_limited_alone(void) {
  static const struct {
    const char *actuator, *remark;
  } table[] = {{"<position tendon='t' kp='9'/>", "kept within the actuatorfrcrange of each of its joints"},
               {"<velocity site='s' gear='1 2' kv='9'/>", "does not count in the actuatorfrcrange"},
               {"<motor tendon='t'/>", ""},
               {"<motor site='s'/>", ""},
               {"<position joint='b' kp='9'/>", ""}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char text[1600];
    snprintf(text, sizeof text,
             "<mujoco><worldbody>" ARM("actuatorfrcrange='-2 1.5'", "")
             "</worldbody><tendon><fixed name='t' stiffness='2'><joint joint='a' coef='2'/><joint joint='b' "
             "coef='-.5'/></fixed></tendon><actuator>%s</actuator></mujoco>",
             table[i].actuator);
    plSpec* spec = good_spec("f.xml", text, pl_default_robot_def());
    CHECK_INT(robot_warning_count, table[i].remark[0] != 0);
    CHECK_HAS(robot_warnings, table[i].remark);
    pl_spec_destroy(spec);
  }
}

// Since 4.0: stiffness and damping of joints and tendons may be polynomials.
static void polynomials_are_taken_as_linear(void) {
  for (int k = 0; k < 2; k++) {
    char text[1600];
    snprintf(text, sizeof text,
             "<mujoco><worldbody>" ARM("damping='0.2 %s' stiffness='3 %s'", "")
             "</worldbody><tendon><fixed name='t' stiffness='4 %s' damping='.5 %s'><joint joint='a' "
             "coef='2'/></fixed></tendon></mujoco>",
             k ? ".3" : "0", k ? "5 7" : "0 0", k ? "1" : "0", k ? "0 2" : "0");
    plSpec* spec = good_spec("p.xml", text, pl_default_robot_def());
    const plDofDef* d = &pl_spec_joint(spec, 0)->dof[0];
    const plActuatorDef* spring = pl_spec_actuator(spec, 0);
    CHECK(d->damping == 0.2 && d->stiffness == 3 && spring->bias[1] == -4 && spring->bias[2] == -0.5);
    CHECK_INT(robot_warning_count, k);  // four of one kind
    if (k) CHECK_HAS(robot_warnings, "the damping of <joint> is a polynomial");
    pl_spec_destroy(spec);
  }
}

// MuJoCo takes the difference of two ellipsoids, which is not the limit but within 1e-5 of it.
static void shells_of_ellipsoids(void) {
  plSpec* spec = good_spec("e.xml",
                           "<mujoco><worldbody><body><joint/><geom type='ellipsoid' size='.3 .5 .7' "
                           "shellinertia='true' density='1'/></body></worldbody></mujoco>",
                           pl_default_robot_def());
  const plBodyDef* b = pl_spec_body(spec, 0);
  CHECK_NEAR(b->mass, 3.0846140151966375, 1e-14);
  CHECK_NEAR(b->inertia[0] / 0.6754882245586487, 1, 1e-5);
  CHECK_NEAR(b->inertia[1] / 0.5402863814233569, 1, 1e-5);
  CHECK_NEAR(b->inertia[2] / 0.35573071405815426, 1, 1e-5);
  CHECK_INT(robot_warning_count, 0);
  pl_spec_destroy(spec);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(damping_ratios_are_those_of_mujoco);
  RUN(springs_of_time_constants_feel_the_chain);
  RUN(forces_on_a_joint_are_limited_together);
  RUN(servos_over_several_joints_are_limited_alone);
  RUN(polynomials_are_taken_as_linear);
  RUN(shells_of_ellipsoids);
  return CHECK_END;
}

// test_urdf.c: URDF robots: published numbers of two of them, every element that is read, and what is said
// about the rest.
#include <sys/stat.h>

#include "base/random.h"
#include "base/memory.h"
#include "input/robots.h"

// ---- numbers

static void check_iiwa(plData* data, const double* q, const double* gravity, double tolerance) {
  double tau[7];
  memcpy(data->q, q, 7 * sizeof(double));
  memset(data->v, 0, 7 * sizeof(double));
  pl_rigid_gravity_forces(data, tau);
  for (int i = 0; i < 7; i++) CHECK_NEAR(tau[i], gravity[i], tolerance);
}

static void iiwa_kinematics_and_dynamics(void) {
  plData* data = load_robot("iiwa14.urdf", PL_BASE_WELD);
  CHECK_INT(data->model->nv, 7);
  const double deg = 3.14159265358979323846 / 180;
  double zero[7] = {0}, bent[7] = {60 * deg, 30 * deg, 60 * deg, 30 * deg, 60 * deg, 30 * deg, 60 * deg};
  const double home[7] = {0, 0.78539816339744830962, 0, -1.57079632679489661923, 0, 0, 0};
  const double g_zero[7] = {0, 0.02212155, 0, -0.0034335, 0, 0, 0};
  const double g_bent[7] = {0, -33.929397602, -4.858966394, -4.406252126, 0.362327074, -0.022780342, 0};
  check_iiwa(data, zero, g_zero, 1e-9);
  plPose pose = pose_of(data, "iiwa14/link_7");
  CHECK_NEAR(pose.p.z, 1.261, 1.7e-14);
  check_iiwa(data, bent, g_bent, 1e-9);
  pose = pose_of(data, "iiwa14/link_7");
  CHECK_NEAR(pose.p.x, 0.2970356452, 3.2e-11);
  CHECK_NEAR(pose.p.y, 0.1727696965, 1e-10);
  CHECK_NEAR(pose.p.z, 1.1546819737, 3.2e-11);
  plMat3 R = quat_matrix(pose.q);
  const double expected[9] = {-0.593900296, -0.804386908, 0.015625,    0.804386908, -0.593299112,
                              0.030949408,  -0.015625,    0.030949408, 0.999398816};
  for (int i = 0; i < 9; i++) CHECK_NEAR(R.m[i], expected[i], 1.4e-10);
  // inverse dynamics without rotors
  const plModel* model = (plModel*)data->model;
  const double v[7] = {.1, -.2, .3, -.4, .5, -.6, .7}, a[7] = {.7, .6, .5, .4, .3, .2, .1};
  const double torque[7] = {0.881812327, -30.982027008, -4.437589072, -5.15427707,
                            0.33303155,  -0.038022489,  0.001493292};
  const double rotor[7] = {1.321e-4 * 25600, 1.321e-4 * 25600, 1.321e-4 * 25600, 1.321e-4 * 25600,
                           1.321e-4 * 10000, 4.54e-5 * 25600,  4.54e-5 * 25600};
  double tau[7], M[49];
  memcpy(data->v, v, sizeof v);
  pl_rigid_inverse_dynamics(data, a, tau);
  for (int i = 0; i < 7; i++) CHECK_NEAR(tau[i] - rotor[i] * a[i], torque[i], 1e-9);
  const double upper[28] = {
      1.059592811,  0.647475995,  -0.017521557, -0.760160407, 0.006407151,  0.025245378, 0.000999399,
      4.788770206,  0.718488232,  -0.890055721, -0.074939923, -0.040960383, 0.000029006, 0.218589107,
      0.007017885,  -0.002748464, -0.025635112, 0.000875,     0.860650743,  0.016337062, -0.029600254,
      -0.000433013, 0.014844285,  -0.000000374, 0.000866025,  0.016841848,  0,           0.001};
  pl_rigid_mass_matrix(data, M);
  for (int i = 0, k = 0; i < 7; i++)
    for (int j = i; j < 7; j++, k++) CHECK_NEAR(M[7 * i + j] - (i == j ? rotor[i] : 0), upper[k], 1e-9);
  // home
  const double g_home[7] = {0, -56.966925572, -0.601968347, 17.125923159, -0.504854301, -0.848221819, 0};
  check_iiwa(data, home, g_home, 1e-9);
  pose = pose_of(data, "iiwa14/ee");
  CHECK_NEAR(pose.p.x, 0.668923015, 7.4e-12);
  CHECK_ROUND(pose.p.y, 0, 1);
  CHECK_NEAR(pose.p.z, 0.285046681, 5.8e-10);
  // limits and damping
  int j2 = model->joint_v0[pl_model_find_joint(model, "iiwa14/joint_2")];
  CHECK_NEAR(model->par->dof_upper[j2], 2.094395, 2.9e-14);
  CHECK_NEAR(model->dof_effort[j2], 320, 0);
  CHECK_NEAR(model->par->dof_damping[j2], 0.5, 0);
  CHECK_INT(model->nact, 7);
  double moving = 0;
  for (int i = 1; i < 8; i++) moving += model->par->body_mass[i];
  CHECK_NEAR(moving, 25.61, 3.6e-13);
  free_data(data);
}

static void allegro_fingertips(void) {
  plData* data = load_robot("allegro_right.urdf", PL_BASE_WELD);
  CHECK_INT(data->model->nv, 16);
  CHECK_INT(data->model->ntree, 4);
  const char* tips[4] = {"allegro/link_3_tip", "allegro/link_7_tip", "allegro/link_11_tip",
                         "allegro/link_15_tip"};
  const plVec3 expected[4] = {
      {0, 0.0553096, 0.2284424}, {0, 0, 0.2312}, {0, -0.0553096, 0.2284424}, {-0.0132, 0.1677041, 0.0089291}};
  for (int i = 0; i < 4; i++) CHECK_NEAR(v3_norm(v3_sub(pose_of(data, tips[i]).p, expected[i])), 0, 1e-7);
  double mass = 0;
  for (int i = 0; i < data->model->nbody; i++) mass += data->par->body_mass[i];
  CHECK_ROUND(mass, 0.9549, 1);
  free_data(data);
}

// ---- elements

static const char arm[] =
    "<robot name='arm'>\n"
    "  <material name='red'><color rgba='1 0 0 1'/></material>\n"
    "  <link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n"
    "  <link name='upper.arm'>\n"
    "    <inertial><origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/><mass value='2'/><inertia ixx='1' "
    "iyy='2' izz='3' ixy='0.1'/></inertial>\n"
    "    <visual><geometry><box size='1 2 3'/></geometry><material name='red'/></visual>\n"
    "    <collision name='ball'><origin xyz='0 0 1'/><geometry><sphere radius='0.5'/></geometry>\n"
    "      <drake:proximity_properties><drake:mu_dynamic value='0.3'/><drake:hydroelastic_modulus "
    "value='1e6'/></drake:proximity_properties></collision>\n"
    "    <collision><geometry><cylinder radius='0.1' length='2'/></geometry></collision>\n"
    "    <collision><geometry><mesh filename='package://nowhere/part.stl'/></geometry></collision>\n"
    "  </link>\n"
    "  <link name='tip'><inertial><mass value='0.1'/><inertia ixx='1e-3' iyy='1e-3' "
    "izz='1e-3'/></inertial></link>\n"
    "  <link name='finger'><inertial><mass value='0.1'/><inertia ixx='1e-3' iyy='1e-3' "
    "izz='1e-3'/></inertial></link>\n"
    "  <joint name='shoulder' type='revolute'><parent link='base'/><child link='upper.arm'/><origin xyz='0 0 "
    "0.5'/><axis xyz='0 1 0'/>\n"
    "    <limit lower='-1' upper='2' effort='10' velocity='3'/><dynamics damping='0.1' "
    "friction='20'/></joint>\n"
    "  <joint name='slide' type='prismatic'><parent link='upper.arm'/><child link='tip'/><origin xyz='0 0 "
    "2'/><axis xyz='0 0 1'/>\n"
    "    <limit lower='0' upper='0.1' effort='5'/><dynamics friction='1'/><calibration rising='0'/></joint>\n"
    "  <joint name='other' type='prismatic'><parent link='upper.arm'/><child link='finger'/><axis xyz='1 0 "
    "0'/><mimic joint='slide' multiplier='-2' offset='0.5'/></joint>\n"
    "  <transmission name='t'><type>transmission_interface/SimpleTransmission</type><joint "
    "name='shoulder'/><actuator name='m'>\n"
    "    <drake:rotor_inertia value='0.01'/><drake:gear_ratio value='10'/><drake:controller_gains p='100' "
    "d='5'/></actuator></transmission>\n"
    "  <drake:collision_filter_group name='g'><drake:member link='tip'/><drake:member "
    "link='finger'/><drake:ignored_collision_filter_group name='g'/></drake:collision_filter_group>\n"
    "  <gazebo/><gazebo/>\n"
    "</robot>\n";

static void elements_arrive(void) {
  plRobotDef def = pl_default_robot_def();
  def.base = PL_BASE_WELD;
  plSpec* spec = good_spec("arm.urdf", arm, def);
  int upper = pl_spec_find_body(spec, "arm/upper.arm"), shoulder = pl_spec_find_joint(spec, "arm/shoulder");
  CHECK(upper >= 0 && shoulder >= 0);
  const plBodyDef* body = pl_spec_body(spec, upper);
  CHECK_NEAR(body->mass, 2, 0);
  CHECK_NEAR(body->inertia[0], 2, 1e-15);
  CHECK_NEAR(body->inertia[1], 1, 1e-15);
  CHECK_NEAR(body->inertia[3], -0.1, 1e-15);
  CHECK_NEAR(body->com.z, 1, 0);
  const plJointDef* joint = pl_spec_joint(spec, shoulder);
  CHECK_NEAR(joint->dof[0].lower, -1, 0);
  CHECK_NEAR(joint->dof[0].effort, 10, 0);
  CHECK_NEAR(joint->dof[0].friction, 0, 0);
  CHECK_NEAR(pl_spec_joint(spec, pl_spec_find_joint(spec, "arm/slide"))->dof[0].friction, 1, 0);
  CHECK_INT(pl_spec_shape_count(spec), 3);
  const plShapeDef* ball = pl_spec_shape(spec, 0);
  CHECK_STR(ball->name, "arm/upper.arm/ball");
  CHECK_NEAR(ball->surface.friction, 0.3, 0);
  CHECK_NEAR(ball->surface.contact_stiffness, 2e6, 2.8e-8);
  CHECK(!pl_spec_shape(spec, 2)->collide && pl_spec_shape(spec, 2)->colour.x == 1);
  const plConstraintDef* mimic = pl_spec_constraint(spec, 0);
  CHECK_INT(pl_spec_constraint_count(spec), 1);
  CHECK(mimic->kind == PL_CONSTRAINT_COUPLER && mimic->ratio == -2 && mimic->offset == 0.5);
  const plActuatorDef* motor = pl_spec_actuator(spec, 0);
  CHECK(motor->kind == PL_ACTUATOR_PD && motor->kp == 100 && motor->kd == 5 && motor->joint == shoulder);
  CHECK_HAS(robot_warnings, "arm.urdf:15: the dry friction 20 of a joint is above its effort limit 10");
  CHECK_HAS(robot_warnings, "arm.urdf:10: the collision mesh 'package://nowhere/part.stl' is not found");
  CHECK_HAS(robot_warnings, "arm.urdf:17: ignored: <calibration> in <joint>");
  CHECK_HAS(robot_warnings, "arm.urdf:22: ignored: <gazebo> in <robot>");
  CHECK(strstr(robot_warnings, "gazebo") && !strstr(strstr(robot_warnings, "gazebo") + 6, "gazebo"));
  int mimics = mimic->a;
  plData* data = data_of(spec);
  double M[9];
  CHECK_INT(data->model->nexclude, 1);
  CHECK_INT(data->model->nv, 3);
  // a joint that mimics another one starts at its position; the masses are counted where all are 0
  int follower = data->model->joint_q0[mimics];
  CHECK_NEAR(data->q[follower], 0.5, 0);
  data->q[follower] = 0;
  pl_rigid_mass_matrix(data, M);
  // the shoulder carries 2 kg at 1 m with 2 -> 1 kg m^2 about y, the tip at 2 m, the finger at 0, and the
  // rotor behind its gear
  CHECK_NEAR(M[0], 2 + 1 + 0.1 * 4 + 1e-3 + 1e-3 + 0.01 * 100, 6.2e-14);
  free_data(data);
}

static void drake_constraints(void) {
  const char text[] =
      "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial></link>"
      "<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint>\n"
      "<drake:distance_constraint><drake:distance_constraint_body_A "
      "name='a'/><drake:distance_constraint_body_B name='b'/>"
      "<drake:distance_constraint_p_AP value='1 0 0'/><drake:distance_constraint_p_BQ value='0 2 "
      "0'/><drake:distance_constraint_distance value='0.5'/>"
      "<drake:distance_constraint_stiffness value='100'/></drake:distance_constraint>"
      "<drake:tendon_constraint><drake:tendon_constraint_joint name='j' "
      "a='3'/><drake:tendon_constraint_offset value='0.1'/>"
      "<drake:tendon_constraint_lower_limit value='-1'/><drake:tendon_constraint_upper_limit "
      "value='2'/></drake:tendon_constraint></robot>";
  plSpec* spec = good_spec("d.urdf", text, pl_default_robot_def());
  CHECK_INT(robot_warning_count, 0);
  CHECK_INT(pl_spec_constraint_count(spec), 2);
  const plConstraintDef *d = pl_spec_constraint(spec, 0), *t = pl_spec_constraint(spec, 1);
  CHECK(d->kind == PL_CONSTRAINT_DISTANCE && d->length == 0.5 && d->stiffness == 100 && d->pose_a.p.x == 1 &&
        d->pose_b.p.y == 2);
  CHECK(t->kind == PL_CONSTRAINT_TENDON && t->njoint == 1 && t->coefficient[0] == 3 && t->offset == 0.1 &&
        t->lower == -1 && t->upper == 2);
  pl_spec_destroy(spec);
}

// package://, model://, relative and search folders; a mesh of tetrahedra gives its boundary.
static void meshes_are_found(void) {
  char folder[1024], path[1200], text[3000];
  snprintf(folder, sizeof folder, PLIANT_BINARYDIR "/test/robot_pkg");
  const char* const folders[] = {"", "/urdf", "/meshes", "/../robot_search"};
  for (int i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "%s%s", folder, folders[i]);
    mkdir(path, 0755);
  }
  const char* const files[] = {"/meshes/a.obj", "/urdf/b.obj", "/../robot_search/c.obj"};
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s%s", folder, files[i]);
    FILE* file = fopen(path, "w");
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", file);
    fclose(file);
  }
  const char* const uris[] = {"package://robot_pkg/meshes/a.obj",
                              "model://robot_pkg/meshes/a.obj",
                              "b.obj",
                              "../meshes/a.obj",
                              "c.obj",
                              "package://robot_search/c.obj",
                              "package://cloned_under_another_name/meshes/a.obj",
                              "missing.obj"};
  size_t n = (size_t)snprintf(text, sizeof text, "<robot name='r'><link name='l'>");
  for (int i = 0; i < 8; i++)
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "<collision><geometry><mesh filename='%s' scale='2 2 -2'/></geometry></collision>",
                          uris[i]);
  snprintf(text + n, sizeof text - n, "</link></robot>");
  snprintf(path, sizeof path, "%s/urdf/r.urdf", folder);
  FILE* file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
  char search[1200];
  snprintf(search, sizeof search, PLIANT_BINARYDIR "/test/robot_search");
  const char* list[] = {search};
  plLoadOptions options = robot_options();
  options.search = list, options.nsearch = 1;
  plError error;
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = path;
  CHECK(!pl_spec_add_robot(spec, &def, &options, &error));
  CHECK_INT(pl_spec_shape_count(spec), 7);
  CHECK_HAS(robot_warnings, "'missing.obj' is not found");
  CHECK_HAS(robot_warnings, "there is no folder of the package 'cloned_under_another_name'");
  // the mirrored mesh is still turned outward
  const plMesh* mesh = pl_spec_shape(spec, 0)->mesh;
  plMeshReport report;
  CHECK(!pl_mesh_check(mesh, &report, &error));
  CHECK_NEAR(report.volume, 8.0 / 6, 1.8e-14);
  pl_spec_destroy(spec);
}

static void friction_can_be_chosen(void) {
  plRobotDef def = pl_default_robot_def();
  def.friction = PL_FRICTION_VALUE, def.joint_friction = 0.7;
  plSpec* spec = good_spec("arm.urdf", arm, def);
  CHECK_NEAR(pl_spec_joint(spec, pl_spec_find_joint(spec, "arm/shoulder"))->dof[0].friction, 0.7, 0);
  pl_spec_destroy(spec);
  def.friction = PL_FRICTION_IGNORE;
  spec = good_spec("arm.urdf", arm, def);
  CHECK_NEAR(pl_spec_joint(spec, pl_spec_find_joint(spec, "arm/slide"))->dof[0].friction, 0, 0);
  pl_spec_destroy(spec);
}

// Base, name, pose, gravity, and one robot on a link of another.
static void robots_are_placed(void) {
  plError error;
  plLoadOptions lax = {.ignore_missing_meshes = true};
  plRobotDef def = pl_default_robot_def();
  def.name = "one", def.base = PL_BASE_WELD, def.pose.p = v3(1, 0, 0), def.gravity = 0;
  plSpec* spec = good_spec("arm.urdf", arm, def);
  plRobotDef second = pl_default_robot_def();
  second.file = "arm.urdf", second.name = "two", second.parent = "one/tip", second.pose.p = v3(0, 0, 0.25),
  second.base = PL_BASE_WELD;
  CHECK(!pl_spec_parse_robot(spec, &second, "", arm, strlen(arm), &lax, &error));
  second.name = "three", second.base = PL_BASE_FREE;
  CHECK(!pl_spec_parse_robot(spec, &second, "", arm, strlen(arm), &lax, &error));
  second.name = "four", second.parent = "one/tipp";
  CHECK(pl_spec_parse_robot(spec, &second, "", arm, strlen(arm), &lax, &error));
  CHECK_HAS(error.message, "did you mean 'one/tip'");
  CHECK_INT(pl_spec_body_count(spec), 12);
  CHECK_NEAR(pl_spec_body(spec, 0)->gravity, 0, 0);
  CHECK(
      !pl_spec_set_joint_start(spec, pl_spec_find_joint(spec, "one/slide"), (double[]){0.05}, NULL, &error));
  plData* data = data_of(spec);
  CHECK_ROUND(v3_norm(v3_sub(pose_of(data, "two/base").p, v3(1, 0, 2.8))), 0, 1);
  CHECK_ROUND(v3_norm(v3_sub(pose_of(data, "three/base").p, v3(1, 0, 2.75))), 0, 1);
  CHECK_INT(data->model->nv, 3 + 3 + 9);
  free_data(data);
}

static void world_link_is_the_world(void) {
  const char text[] =
      "<robot name='r'><link name='world'/><link name='a'><inertial><mass value='1'/><inertia ixx='1' "
      "iyy='1' izz='1'/></inertial></link>"
      "<joint name='j' type='planar'><parent link='world'/><child link='a'/><origin xyz='0 0 1'/><axis "
      "xyz='0 0 2'/></joint></robot>";
  plRobotDef def = pl_default_robot_def();
  def.pose.p = v3(0, 2, 0);
  plData* data = data_of(good_spec("r.urdf", text, def));
  CHECK_INT(data->model->nv, 3);
  CHECK_INT(data->model->nbody, 1);
  plPose pose = pose_of(data, "r/a");
  CHECK(pose.p.y == 2 && pose.p.z == 1);
  plRigidState state;
  for (int k = 0; k < 2; k++) {
    data->v[0] = k == 0, data->v[1] = k == 1;
    CHECK(!pl_rigid_body_state(data, 0, &state));
    CHECK_NEAR(state.velocity.x, k == 0, 1e-15);
    CHECK_NEAR(state.velocity.y, k == 1, 1e-15);
  }
  data->v[1] = 0, data->v[2] = 1;
  CHECK(!pl_rigid_body_state(data, 0, &state));
  CHECK_NEAR(state.angular_velocity.z, 1, 1e-15);
  free_data(data);
}

static void mistakes_are_named_with_their_line(void) {
  check_refused("a.urdf",
                "<robot>\n<link name='a'/>\n<joint name='j' type='hinge'><parent link='a'/><child "
                "link='a'/></joint></robot>",
                3, "'hinge'");
  check_refused("a.urdf",
                "<robot>\n<link name='a'/>\n<joint name='j' type='fixed'>\n<parent link='b'/><child "
                "link='a'/></joint></robot>",
                4, "no link 'b'");
  check_refused("a.urdf", "<robot>\n<link name='a'/>\n<link name='a'/></robot>", 3, "is taken");
  check_refused("a.urdf", "<robot>\n<link/></robot>", 2, "attribute name");
  check_refused("a.urdf",
                "<robot>\n<link name='a'><inertial>\n<mass value='heavy'/></inertial></link></robot>", 3,
                "'heavy'");
  check_refused("a.urdf", "<robot>\n<link name='a'><inertial><mass value='-1'/></inertial></link></robot>", 2,
                "must not be negative");
  check_refused("a.urdf",
                "<robot>\n<link name='a'>\n<collision><geometry>\n<box size='1 "
                "2'/></geometry></collision></link></robot>",
                4, "3 numbers");
  check_refused("a.urdf", "<robot>\n</robot>", 1, "no link");
  check_refused("a.urdf", "<cube/>", 1, "<cube>");
  check_refused("a.urdf", "<robot>\n<link></robot>", 2, "not valid XML");
  check_refused("a.urdf", "<!DOCTYPE robot [\n<!ENTITY a 'aaaa'>]>\n<robot>&a;</robot>", 2, "entities");
}

// Other characters than letters, digits and _ - . / become _; names that are then equal get different
// suffixes; one remark says so.
static void names_become_plain_and_stay_apart(void) {
  static const char text[] =
      "<robot name='n'><link name='a b'/><link name='a_b'/><link name='a;b'/><link name='$(id)'/>"
      "<joint name='j 1' type='fixed'><parent link='a b'/><child link='a_b'/></joint>"
      "<joint name='j_1' type='fixed'><parent link='a_b'/><child link='a;b'/></joint>"
      "<joint name='k' type='fixed'><parent link='a;b'/><child link='$(id)'/></joint></robot>";
  plSpec* spec = good_spec("n.urdf", text, pl_default_robot_def());
  static const char* const name[] = {"n/a_b_2", "n/a_b", "n/a_b_3", "n/__id_"};
  for (int i = 0; i < 4; i++) CHECK_INT(pl_spec_find_body(spec, name[i]), i);
  for (int i = 0; i < 3; i++) {
    const plJointDef* joint = pl_spec_joint(spec, i);
    CHECK_INT(joint->parent, i);
    CHECK_INT(joint->child, i + 1);
  }
  CHECK(pl_spec_find_joint(spec, "n/j_1") == 1 && pl_spec_find_joint(spec, "n/j_1_2") == 0);
  const char* first = strstr(robot_warnings, "become _");
  CHECK(first && !strstr(first + 1, "become _"));
  pl_spec_destroy(spec);
}

// Whatever the order, a name that need not change stays, and no other is changed into it.
static void plain_names_are_kept(void) {
  enum { N = 6 };
  static const char* const pool[N] = {"p q", "p_q", "p;q", "p_q_2", "p-q", "p:q"};
  plRandom random = {3};
  for (int trial = 0; trial < 60; trial++) {
    int order[N] = {0, 1, 2, 3, 4, 5};
    for (int i = N - 1; i > 0; i--) {
      int k = pl_random_int(&random, i + 1), swap = order[i];
      order[i] = order[k], order[k] = swap;
    }
    char text[1024];
    int at = snprintf(text, sizeof text, "<robot name='n'>");
    for (int i = 0; i < N; i++)
      at += snprintf(text + at, sizeof text - (size_t)at, "<link name='%s'/>", pool[order[i]]);
    for (int i = 1; i < N; i++)
      at += snprintf(text + at, sizeof text - (size_t)at,
                     "<joint name='j%d' type='fixed'><parent link='%s'/><child link='%s'/></joint>", i,
                     pool[order[i - 1]], pool[order[i]]);
    snprintf(text + at, sizeof text - (size_t)at, "</robot>");
    plSpec* spec = good_spec("n.urdf", text, pl_default_robot_def());
    for (int i = 0; i < N; i++) {
      char full[32];
      snprintf(full, sizeof full, "n/%s", pool[order[i]]);
      if (!strpbrk(full, " ;:")) CHECK_INT(pl_spec_find_body(spec, full), i);
      if (i) CHECK(pl_spec_joint(spec, i - 1)->parent == i - 1 && pl_spec_joint(spec, i - 1)->child == i);
    }
    pl_spec_destroy(spec);
  }
}

// Memory that runs out while a collision mesh is read is not a mesh that is missing.
static void memory_that_runs_out_is_an_error(void) {
  static const char text[] =
      "<robot name='m'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial>"
      "<collision><geometry><mesh filename='memory_test.obj'/></geometry></collision></link></robot>";
  FILE* file = fopen("memory_test.obj", "w");
  fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n", file);
  fclose(file);
  plError error;
  int failures = 0;
  for (int ignore = 0; ignore < 2; ignore++)
    for (long n = 0; n < 2000; n++) {
      plSpec* spec = pl_spec_create();
      plRobotDef def = pl_default_robot_def();
      def.file = "m.urdf";
      plLoadOptions options = {.ignore_missing_meshes = ignore};
      pl_alloc_fail_after(n);
      plStatus status = pl_spec_parse_robot(spec, &def, "", text, strlen(text), &options, &error);
      pl_alloc_fail_after(-1);
      CHECK(status == PL_OK || status == PL_ERROR_MEMORY);
      if (!status) CHECK_INT(pl_spec_shape_count(spec), 1);
      pl_spec_destroy(spec);
      failures += status != PL_OK;
      if (!status) break;
    }
  CHECK(failures > 20);
  remove("memory_test.obj");
  // without the file it is an error, unless it may be left out
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = "m.urdf";
  plLoadOptions strict = {0}, lax = {.ignore_missing_meshes = true};
  CHECK_INT(pl_spec_parse_robot(spec, &def, "", text, strlen(text), &strict, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "missing_meshes");
  CHECK_INT(pl_spec_parse_robot(spec, &def, "", text, strlen(text), &lax, &error), PL_OK);
  CHECK_INT(pl_spec_shape_count(spec), 0);
  pl_spec_destroy(spec);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(iiwa_kinematics_and_dynamics);
  RUN(allegro_fingertips);
  RUN(elements_arrive);
  RUN(names_become_plain_and_stay_apart);
  RUN(plain_names_are_kept);
  RUN(memory_that_runs_out_is_an_error);
  RUN(drake_constraints);
  RUN(meshes_are_found);
  RUN(friction_can_be_chosen);
  RUN(robots_are_placed);
  RUN(world_link_is_the_world);
  RUN(mistakes_are_named_with_their_line);
  return CHECK_END;
}

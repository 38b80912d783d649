// test_sdf.c: SDFormat robots: frames in all their relations, joints, Drake's tags, and what is said about
// the rest.
#include "input/robots.h"

#define INERTIA                                                                                     \
  "<inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.3</izz><ixy>0</ixy><ixz>0</" \
  "ixz><iyz>0</iyz></inertia></inertial>"

// Poses relative to links, joints, frames and the model; joint poses and axes expressed in other frames.
static const char frames[] =
    "<sdf version='1.8'><model name='m'>\n"
    "  <pose>0 0 1 0 0 0</pose>\n"
    "  <link name='a'><pose>1 0 0 0 0 1.5707963267948966</pose>" INERTIA
    "</link>\n"
    "  <link name='b'><pose relative_to='a'>1 0 0 0 0 0</pose>" INERTIA
    "</link>\n"
    "  <frame name='f' attached_to='b'><pose>0 0 0.5 0 0 0</pose></frame>\n"
    "  <link name='c'><pose relative_to='f'>0 0 0 0 0 0</pose>" INERTIA
    "</link>\n"
    "  <joint name='w' type='fixed'><parent>world</parent><child>a</child></joint>\n"
    "  <joint name='ab' type='revolute'><pose>0 0 0.1 0 0 0</pose><parent>a</parent><child>b</child>\n"
    "    <axis><xyz expressed_in='__model__'>1 0 "
    "0</xyz><limit><lower>-1</lower><upper>1e16</upper><effort>3</effort></limit>\n"
    "    "
    "<dynamics><damping>0.2</damping><spring_stiffness>5</spring_stiffness><spring_reference>0.3</"
    "spring_reference></dynamics></axis>\n"
    "    <drake:rotor_inertia>0.01</drake:rotor_inertia><drake:gear_ratio>10</drake:gear_ratio></joint>\n"
    "  <joint name='bc' type='prismatic'><parent>f</parent><child>c</child><axis><xyz>0 1 0</xyz></axis>\n"
    "    <drake:controller_gains p='10000' d='1'/><drake:mimic joint='ab' multiplier='-1' "
    "offset='0.5'/></joint>\n"
    "</model></sdf>\n";

static void frames_are_resolved(void) {
  plData* data = data_of(good_spec("m.sdf", frames, pl_default_robot_def()));
  const plModel* m = data->model;
  CHECK_INT(m->nv, 2);
  // a joint that mimics another one starts at its position; the frames are those of the file's own pose
  CHECK_NEAR(data->q[1], 0.5, 0);
  data->q[1] = 0;
  CHECK_ROUND(v3_norm(v3_sub(pose_of(data, "m/a").p, v3(1, 0, 1))), 0, 1);
  CHECK_ROUND(v3_norm(v3_sub(pose_of(data, "m/b").p, v3(1, 1, 1))), 0, 1);
  CHECK_ROUND(v3_norm(v3_sub(pose_of(data, "m/c").p, v3(1, 1, 1.5))), 0, 1);
  // the hinge turns about the model's x through a point 0.1 above b
  double J[12];
  CHECK(!pl_rigid_jacobian(data, pl_model_find_body(m, "m/b"), v3(0, 0, 0), J));
  CHECK_NEAR(J[0], 1, 1e-15);
  CHECK_ROUND(J[1], 0, 1);
  CHECK_NEAR(J[4], 0.1, 1e-15);
  // the slide goes along c's y, which is the world's -x
  CHECK(!pl_rigid_jacobian(data, pl_model_find_body(m, "m/c"), v3(0, 0, 0), J));
  CHECK_NEAR(J[6 + 3], -1, 1e-15);
  CHECK_NEAR(m->par->dof_lower[0], -1, 0);
  CHECK(isinf(m->par->dof_upper[0]));
  CHECK_NEAR(m->par->dof_stiffness[0], 5, 0);
  CHECK_NEAR(m->par->dof_rest[0], 0.3, 0);
  CHECK_INT(m->nact, 2);
  CHECK(m->act_kind[0] == PL_ACTUATOR_MOTOR && m->par->act_force_upper[0] == 3 &&
        m->par->act_force_lower[0] == -3 && m->act_kind[1] == PL_ACTUATOR_PD &&
        m->par->act_bias[3 + 1] == -10000);
  CHECK_INT(m->nconstraint, 1);
  CHECK(m->constraint[0].ratio == -1 && m->constraint[0].offset == 0.5);
  double M[4];
  pl_rigid_mass_matrix(data, M);
  CHECK_NEAR(M[3], 1, 1e-14);
  free_data(data);
}

// Nested models keep their frames; names have the model in front; joints across the border.
static void models_nest(void) {
  const char text[] =
      "<sdf version='1.9'><model name='outer'><link name='base'>" INERTIA
      "</link>\n"
      "<model name='hand'><pose>0 0 2 0 0 0</pose><link name='palm'><pose>0 0 0.5 0 0 0</pose>" INERTIA
      "</link>\n"
      "<link name='finger'><pose relative_to='palm'>0.1 0 0 0 0 0</pose>" INERTIA
      "</link>\n"
      "<joint name='j' type='universal'><parent>palm</parent><child>finger</child><axis><xyz>1 0 "
      "0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint></model>\n"
      "<joint name='wrist' type='ball'><parent>base</parent><child>hand::palm</child></joint></model></sdf>";
  plData* data = data_of(good_spec("n.sdf", text, pl_default_robot_def()));
  CHECK_INT(data->model->nv, 6 + 3 + 2);
  CHECK_NEAR(pose_of(data, "outer/hand__finger").p.z, 2.5, 1e-15);
  CHECK_NEAR(pose_of(data, "outer/hand__finger").p.x, 0.1, 1e-15);
  CHECK(pl_model_find_joint(data->model, "outer/hand__j") >= 0);
  free_data(data);
}

static void static_models_do_not_move(void) {
  const char text[] =
      "<sdf version='1.7'><model name='table'><static>true</static><pose>1 2 3 0 0 0</pose><link "
      "name='top'>" INERTIA
      "<collision name='c'><geometry><plane><normal>0 0 1</normal><size>1 "
      "1</size></plane></geometry></collision></link></model>\n"
      "<model name='cup'><link name='x'>" INERTIA "<gravity>0</gravity></link></model></sdf>";
  plData* data = data_of(good_spec("t.sdf", text, pl_default_robot_def()));
  CHECK_INT(data->model->nv, 6);
  CHECK_INT(pl_model_find_body(data->model, "table/top"), 0);
  CHECK_INT(pl_model_find_body(data->model, "cup/x"), 1);
  CHECK_NEAR(pose_of(data, "table/top").p.z, 3, 0);
  plError error;
  for (int i = 0; i < 10; i++) CHECK(!pl_step(data, &error));
  CHECK_NEAR(pose_of(data, "cup/x").p.z, 0, 0);
  CHECK(data->model->shape_kind[0] == PL_SHAPE_HALF_SPACE);
  free_data(data);
}

// Inertia computed from shapes: a box and a ball of half its density.
static void automatic_inertia(void) {
  const char text[] =
      "<sdf version='1.11'><model name='m'><link name='x'><inertial "
      "auto='true'><density>1000</density></inertial>"
      "<collision name='box'><geometry><box><size>0.1 0.2 0.3</size></box></geometry></collision>"
      "<collision name='ball'><pose>0 0 1 0 0 "
      "0</pose><density>500</density><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></"
      "link></model></sdf>";
  plSpec* spec = good_spec("i.sdf", text, pl_default_robot_def());
  const plBodyDef* b = pl_spec_body(spec, 0);
  double box = 6, ball = 500 * 4.0 / 3 * 3.14159265358979323846 * 1e-3, z = ball / (box + ball);
  CHECK_NEAR(b->mass, box + ball, 1.1e-13);
  CHECK_ROUND(b->com.z, z, 0.3);
  CHECK_ROUND(b->inertia[2], box / 12 * (0.01 + 0.04) + 0.4 * ball * 0.01, 0.04);
  CHECK_NEAR(b->inertia[0],
             box / 12 * (0.04 + 0.09) + box * z * z + 0.4 * ball * 0.01 + ball * (1 - z) * (1 - z), 2.3e-14);
  pl_spec_destroy(spec);
}

// A link of Drake's deformable kind: a ball with a wall that holds its lower half.
static void deformable_links(void) {
  const char text[] =
      "<sdf version='1.8'><model name='d'><link name='ball'><pose>0 0 0.5 0 0 0</pose>"
      "<collision "
      "name='c'><geometry><sphere><radius>0.1</radius></sphere></"
      "geometry><drake:proximity_properties><drake:mu_dynamic>0.7</drake:mu_dynamic>"
      "<drake:mesh_resolution_hint>0.06</drake:mesh_resolution_hint></drake:proximity_properties></collision>"
      "<drake:deformable_properties><drake:youngs_modulus>1e4</"
      "drake:youngs_modulus><drake:poissons_ratio>0.3</drake:poissons_ratio>"
      "<drake:mass_density>500</drake:mass_density><drake:stiffness_damping>0.02</"
      "drake:stiffness_damping><drake:material_model>neohookean</drake:material_model></"
      "drake:deformable_properties>"
      "<drake:wall_boundary_condition><drake:point_on_plane>0 0 "
      "0.45</drake:point_on_plane><drake:outward_normal>0 0 "
      "1</drake:outward_normal></drake:wall_boundary_condition>"
      "</link></model></sdf>";
  plData* data = data_of(good_spec("d.sdf", text, pl_default_robot_def()));
  const plModel* m = data->model;
  CHECK_INT(m->ndeform, 1);
  CHECK_STR(m->deform_name[0], "d/ball");
  CHECK(m->par->deform_material[0].kind == PL_MATERIAL_NEO_HOOKEAN &&
        m->par->deform_material[0].young == 1e4 && m->par->deform_material[0].density == 500);
  CHECK_NEAR(m->par->deform_surface[0].friction, 0.7, 0);
  for (int i = 0; i < m->nvert; i++) CHECK_INT(m->vert_fixed[i] != 0, m->start_q[3 * i + 2] <= 0.45 + 1e-9);
  free_data(data);
}

// Drake's planar joint brings the frames that it names together and leaves x, y and a turn about z.
static void planar_joints_of_drake(void) {
  static const char text[] =
      "<sdf version='1.9'><model name='m'><link name='a'><pose>0 0 1 0 0 0</pose>" INERTIA
      "</link><link name='b'><pose>5 6 7 0 0 0</pose>" INERTIA
      "</link><frame name='f' attached_to='a'><pose>0 0 0.5 0 0 1.5707963267948966</pose></frame>"
      "<frame name='g' attached_to='b'><pose>0.2 0 0 0 0 0</pose></frame>"
      "<joint name='w' type='fixed'><parent>world</parent><child>a</child></joint>"
      "<drake:joint name='p' type='planar'><drake:parent>f</drake:parent><drake:child>g</drake:child>"
      "<drake:damping>1 2 3</drake:damping></drake:joint></model></sdf>";
  plData* data = data_of(good_spec("p.sdf", text, pl_default_robot_def()));
  CHECK_INT(robot_warning_count, 0);
  CHECK_INT(data->model->nv, 3);
  for (int k = 0; k < 3; k++) CHECK_NEAR(data->par->dof_damping[k], k + 1, 0);
  CHECK_ROUND(v3_norm(v3_sub(pose_of(data, "m/b").p, v3(0, -0.2, 1.5))), 0, 1);
  data->q[0] = 1;
  CHECK_ROUND(v3_norm(v3_sub(pose_of(data, "m/b").p, v3(0, 0.8, 1.5))), 0, 1);
  free_data(data);
}

static void constraints_and_filters(void) {
  const char text[] =
      "<sdf version='1.8'><model name='m'><link name='a'>" INERTIA "</link><link name='b'>" INERTIA
      "</link>\n"
      "<drake:ball_constraint><drake:ball_constraint_body_A>a</"
      "drake:ball_constraint_body_A><drake:ball_constraint_body_B>b</drake:ball_constraint_body_B>"
      "<drake:ball_constraint_p_AP>0 0 1</drake:ball_constraint_p_AP><drake:ball_constraint_p_BQ>1 0 "
      "0</drake:ball_constraint_p_BQ></drake:ball_constraint>"
      "<drake:collision_filter_group "
      "name='g'><drake:member>a</drake:member><drake:member>b</"
      "drake:member><drake:ignored_collision_filter_group>g</drake:ignored_collision_filter_group></"
      "drake:collision_filter_group>"
      "</model></sdf>";
  plData* data = data_of(good_spec("c.sdf", text, pl_default_robot_def()));
  CHECK_INT(data->model->nconstraint, 1);
  CHECK(data->model->constraint[0].kind == PL_CONSTRAINT_BALL && data->model->constraint[0].pose_a.p.z == 1 &&
        data->model->constraint[0].pose_b.p.x == 1);
  CHECK_INT(data->model->nexclude, 1);
  free_data(data);
}

static void includes_are_hung_in(void) {
  char path[1024], text[4096];
  snprintf(path, sizeof path, PLIANT_BINARYDIR "/test/sdf_part.sdf");
  FILE* file = fopen(path, "w");
  fputs("<sdf version='1.7'><model name='part'><pose>9 9 9 0 0 0</pose><link name='x'>" INERTIA
        "</link></model></sdf>",
        file);
  fclose(file);
  snprintf(text, sizeof text,
           "<sdf version='1.7'><model name='m'><link name='a'>" INERTIA
           "</link>"
           "<include><uri>file://%s</uri><name>left</name><pose>1 0 0 0 0 "
           "0</pose></include><include><uri>%s</uri><name>right</name><pose relative_to='a'>-1 0 0 0 0 "
           "0</pose></include>"
           "<joint name='l' type='fixed'><parent>a</parent><child>left::x</child></joint><joint name='r' "
           "type='revolute'><parent>a</parent><child>right::x</child><axis><xyz>0 0 "
           "1</xyz></axis></joint></model></sdf>",
           path, path);
  plData* data = data_of(good_spec("i.sdf", text, pl_default_robot_def()));
  CHECK_INT(data->model->nv, 7);
  CHECK_NEAR(pose_of(data, "m/left__x").p.x, 1, 1e-15);
  CHECK_NEAR(pose_of(data, "m/right__x").p.x, -1, 1e-15);
  free_data(data);
  remove(path);
}

static void stray_quotes_and_unknown_tags(void) {
  const char text[] = "<sdf version='1.7'><model name='m'>\n<link name='a'>" INERTIA
                      "<wind/></link>\n"
                      "<joint name='j' type='revolute'><parent>world</parent><child>a</child><axis><xyz>0 0 "
                      "1</xyz>\n<limit><velocity>2.5\"</velocity></limit></axis></joint></model></sdf>";
  plSpec* spec = good_spec("q.sdf", text, pl_default_robot_def());
  CHECK_NEAR(pl_spec_joint(spec, 0)->dof[0].speed, 2.5, 0);
  CHECK_HAS(robot_warnings, "q.sdf:4: '2.5\"' in <velocity> is read as 2.5");
  CHECK_HAS(robot_warnings, "q.sdf:2: ignored: <wind> in <link>");
  pl_spec_destroy(spec);
}

// A parallelogram of two rods and a bar, closed by a joint: swings as its energies say, and stays closed.
static void joints_close_loops(void) {
#define ROD(name, x)                                                    \
  "<link name='" name "'><pose>" x                                      \
  " 0 0 0 0 0</pose><inertial><pose>0 0 -.5 0 0 0</pose><mass>2</mass>" \
  "<inertia><ixx>.1</ixx><iyy>.1666666666666667</iyy><izz>.1</izz></inertia></inertial></link>"
#define HINGE(name, parent, child, x, z)                                            \
  "<joint name='" name "' type='revolute'><pose relative_to='__model__'>" x " 0 " z \
  " 0 0 0</pose><parent>" parent "</parent><child>" child "</child><axis><xyz>0 1 0</xyz></axis></joint>"
  const char* text =
      "<sdf version='1.9'><model name='m'>" ROD("left", "0") ROD("right", "1") "<link name='bar'><pose>0 0 -1 0 0 0</pose>"
      "<inertial><pose>.5 0 0 0 0 0</pose><mass>3</mass><inertia><ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz></inertia></inertial></link>"
      HINGE("a", "world", "left", "0", "0") HINGE("b", "world", "right", "1", "0") HINGE("c", "left", "bar", "0", "-1")
      HINGE("d", "right", "bar", "1", "-1") "<joint name='g' type='gearbox'><parent>left</parent><child>right</child></joint></model></sdf>";
  plSpec* spec = good_spec("loop.sdf", text, pl_default_robot_def());
  CHECK_HAS(robot_warnings, "closes a loop");
  CHECK_HAS(robot_warnings, "type gearbox");
  CHECK_INT(pl_spec_constraint_count(spec), 2);
  // I = 2 m L^2/3 + M L^2, k = m g L + M g L with m 2, M 3, L 1
  double w = sqrt((2 + 3) * 9.81 / (2 * 2.0 / 3 + 3)), angle = 0.02, minus = -angle;
  pl_spec_options(spec)->dt = 1e-3, pl_spec_options(spec)->theta = pl_spec_options(spec)->theta_vq = 0.5;
  for (int j = 0; j < 3; j++) CHECK(!pl_spec_set_joint_start(spec, j, j == 2 ? &minus : &angle, NULL, NULL));
  plData* data = data_of(spec);
  plError error;
  double last = data->q[0], crossed = 0, open = 0;
  for (int k = 0; k < 4000; k++) {
    if (pl_step(data, &error)) break;
    if (last < 0 && data->q[0] >= 0 && crossed == 0) crossed = data->time - data->q[0] / data->v[0];
    last = data->q[0];
    open = fmax(open, fabs(data->q[0] - data->q[2]) + fabs(data->q[0] + data->q[1]));
  }
  CHECK_NEAR(crossed, 1.5 * 3.14159265358979 / w, 1.4e-4 * crossed);
  CHECK_BELOW(open, 8.9e-9, 1);
  free_data(data);
}

static void mistakes_are_named_with_their_line(void) {
  check_refused("a.sdf", "<sdf><model name='m'/></sdf>", 1, "version");
  check_refused("a.sdf", "<sdf version='1.7'>\n</sdf>", 1, "no <model>");
  check_refused("a.sdf",
                "<sdf version='1.7'><model name='m'>\n<link name='a'><pose relative_to='b'/></link>\n<link "
                "name='b'><pose relative_to='a'/></link></model></sdf>",
                2, "refers to itself");
  check_refused("a.sdf",
                "<sdf version='1.7'><model name='m'>\n<link name='a'>\n<pose relative_to='zzz'>0 0 0 0 0 "
                "0</pose></link></model></sdf>",
                3, "'zzz'");
  check_refused("a.sdf",
                "<sdf version='1.7'><model name='m'><link name='a'/>\n<joint name='j' "
                "type='revolute2'><parent>world</parent><child>a</child></joint></model></sdf>",
                2, "revolute2");
  check_refused("a.sdf",
                "<sdf version='1.7'><model name='m'><link name='a'/>\n<joint name='j' "
                "type='fixed'><parent>q</parent><child>a</child></joint></model></sdf>",
                2, "'q'");
  check_refused("a.sdf",
                "<sdf version='1.7'><model name='m'>\n<link name='a'><pose>1 2 3</pose></link></model></sdf>",
                2, "6 numbers");
  check_refused("a.sdf",
                "<sdf version='1.7'><model name='m'>\n<link name='a'/>\n<link name='a'/></model></sdf>", 3,
                "is taken");
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(frames_are_resolved);
  RUN(models_nest);
  RUN(static_models_do_not_move);
  RUN(automatic_inertia);
  RUN(deformable_links);
  RUN(planar_joints_of_drake);
  RUN(constraints_and_filters);
  RUN(includes_are_hung_in);
  RUN(stray_quotes_and_unknown_tags);
  RUN(joints_close_loops);
  RUN(mistakes_are_named_with_their_line);
  return CHECK_END;
}

// test_robot_files.c: robots in several files: MJCF models that others attach, SDFormat models that others
// merge or give a pose, and names of meshes as they are written. Poses are those that Drake 1.51 gives the
// same files, moments and springs those of MuJoCo 4.0.
#include <sys/stat.h>

#include "base/random.h"
#include "input/robots.h"
#include "model/spec.h"

static const char folder[] = PLIANT_BINARYDIR "/test/robot_files";

static void write_file(const char* name, const char* text) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "w");
  CHECK(file);
  if (!file) return;
  fputs(text, file);
  fclose(file);
}

static void make_folders(void) {
  static const char* const names[] = {"", "/pkg", "/pkg/meshes", "/pkg/meshes/sub dir", "/pkg/urdf", "/inc"};
  char path[1000];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s%s", folder, names[i]);
    mkdir(path, 0777);
  }
}

static plSpec* load(const char* inside, const char* name, const char* text, plError* error) {
  plLoadOptions options = robot_options();
  plRobotDef def = pl_default_robot_def();
  char path[1000];
  snprintf(path, sizeof path, "%s%s", folder, inside);
  plSpec* spec = pl_spec_create();
  def.file = name, def.name = "r";
  if (!pl_spec_parse_robot(spec, &def, path, text, strlen(text), &options, error)) return spec;
  pl_spec_destroy(spec);
  return NULL;
}

static plSpec* good(const char* inside, const char* name, const char* text) {
  plError error;
  plSpec* spec = load(inside, name, text, &error);
  CHECK(spec);
  if (!spec) printf("%s\n", error.message), exit(1);
  return spec;
}

// ---- <attach>

#define HAND                                                                                                \
  "<mujoco><compiler angle='radian' eulerseq='zyx'/>"                                                       \
  "<default><joint armature='.03'/><geom density='300'/><default class='c'><joint damping='.1'/></default>" \
  "</default><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' scale='.1 .1 .1'/></asset>"             \
  "<worldbody><body name='palm' euler='.5 0 0'><geom type='box' size='.1 .1 .1'/>"                          \
  "<body name='f' pos='0 0 .2'><joint name='j' range='-1 .5'/><geom name='g' type='mesh' mesh='m'/>"        \
  "<site name='s'/></body><body name='t' childclass='c'><joint name='k'/><geom size='.1'/></body></body>"   \
  "<body name='other'><joint name='o'/><geom size='.1'/></body></worldbody>"                                \
  "<actuator><position name='a' joint='j' kp='10'/><motor name='mo' joint='o'/>"                            \
  "<motor name='mt' tendon='te'/><motor name='mu' tendon='tu'/></actuator>"                                 \
  "<tendon><fixed name='te'><joint joint='j' coef='2'/></fixed>"                                            \
  "<fixed name='tu'><joint joint='j' coef='2'/><joint joint='o' coef='1'/></fixed></tendon>"                \
  "<equality><joint joint1='j' joint2='k'/></equality>"                                                     \
  "<contact><exclude body1='f' body2='t'/></contact></mujoco>"

static const char two_hands[] =
    "<mujoco><default><joint armature='7'/><default class='c'><joint damping='9'/></default></default>"
    "<asset><model name='hand' file='hand.xml'/></asset><worldbody><body name='base' childclass='c' pos='0 0 "
    "1'>"
    "<freejoint/><geom size='.1'/><frame pos='.5 0 0' euler='0 0 90'><attach model='hand' body='palm' "
    "prefix='L_'/>"
    "</frame><attach model='hand' body='palm' prefix='R_'/></body></worldbody>"
    "<actuator><motor name='own' joint='L_k'/></actuator></mujoco>";

static const plJointDef* joint_of(const plSpec* spec, const char* name) {
  int id = pl_spec_find_joint(spec, name);
  CHECK(id >= 0);
  return pl_spec_joint(spec, id < 0 ? 0 : id);
}

// A copy has its own compiler, classes and assets, and what concerns it alone comes along.
static void models_are_attached(void) {
  write_file("hand.xml", HAND);
  plSpec* spec = good("", "two.xml", two_hands);
  CHECK_INT(robot_warning_count, 0);
  CHECK_INT(pl_spec_body_count(spec), 7);
  const char* sides[] = {"L_", "R_"};
  for (int k = 0; k < 2; k++) {
    char name[40];
    snprintf(name, sizeof name, "r/%sj", sides[k]);
    const plJointDef* j = joint_of(spec, name);
    CHECK_NEAR(j->dof[0].armature, 0.03, 0);
    CHECK_NEAR(j->dof[0].damping, 0, 0);
    CHECK_NEAR(j->dof[0].lower, -1, 0);
    CHECK_NEAR(j->dof[0].upper, 0.5, 0);
    snprintf(name, sizeof name, "r/%sk", sides[k]);
    CHECK_NEAR(joint_of(spec, name)->dof[0].damping, 0.1, 0);
    snprintf(name, sizeof name, "r/%spalm", sides[k]);
    plPose palm = pl_spec_body_pose(spec, pl_spec_find_body(spec, name));
    CHECK_NEAR(palm.p.x, k ? 0 : 0.5, 1e-15);
    CHECK_NEAR(palm.p.z, 1, 0);
    double half = 0.5 * (0.5 + (k ? 0 : 1.5707963267948966));  // about z: eulerseq is the hand's
    CHECK_NEAR(fabs(palm.q.w), cos(half), 1e-15);
    CHECK_NEAR(fabs(palm.q.z), sin(half), 1e-15);
    CHECK_ROUND(pl_spec_body(spec, pl_spec_find_body(spec, name))->mass, 300 * 8e-3, 3);
    snprintf(name, sizeof name, "r/%sf", sides[k]);
    CHECK_ROUND(pl_spec_body(spec, pl_spec_find_body(spec, name))->mass, 300 * 1e-3 / 6, 0.05);
  }
  // the file's own come first; what names the other body stays behind
  static const char* const drives[] = {"r/own", "r/L_a", "r/L_mt", "r/R_a", "r/R_mt"};
  CHECK_INT(spec->nactuator, 5);
  for (int i = 0; i < 5 && i < spec->nactuator; i++) CHECK_STR(spec->actuator[i].name, drives[i]);
  CHECK_INT(spec->nconstraint, 2);
  CHECK_INT(spec->nexclude, 2);
  CHECK(pl_spec_find_joint(spec, "r/L_o") < 0);
  pl_spec_destroy(spec);
}

static void whole_worlds_and_models_of_models_are_attached(void) {
  write_file("hand.xml", HAND);
  write_file(
      "arm.xml",
      "<mujoco><asset><model name='h' file='hand.xml'/></asset><worldbody><body name='up'>"
      "<joint name='u'/><geom size='.1'/><attach model='h' body='palm' prefix='h_'/></body></worldbody>"
      "<actuator><motor name='x' joint='h_j'/></actuator></mujoco>");
  plSpec* spec =
      good("", "a.xml",
           "<mujoco><asset><model name='arm' file='arm.xml'/></asset><worldbody><replicate count='2' "
           "offset='1 0 0'><body name='b'><geom size='.1'/></body></replicate>"
           "<frame pos='0 2 0'><attach model='arm' prefix='A_'/></frame></worldbody></mujoco>");
  CHECK_INT(robot_warning_count, 0);
  CHECK_NEAR(joint_of(spec, "r/A_h_j")->dof[0].armature, 0.03, 0);
  CHECK_NEAR(joint_of(spec, "r/A_u")->dof[0].armature, 0, 0);
  CHECK_NEAR(pl_spec_body_pose(spec, pl_spec_find_body(spec, "r/A_h_palm")).p.y, 2, 0);
  CHECK_INT(spec->nactuator, 3);
  CHECK_STR(spec->actuator[0].name, "r/A_x");
  pl_spec_destroy(spec);
}

static void attaching_what_is_not_there_is_an_error(void) {
  static const struct {
    const char *text, *words;
  } table[] = {{"<mujoco><worldbody><attach model='x'/></worldbody></mujoco>", "which does not exist"},
               {"<mujoco><asset><model name='x' file='no.xml'/></asset><worldbody><attach model='x'/>"
                "</worldbody></mujoco>",
                "is not found"},
               {"<mujoco><asset><model name='x' file='hand.xml'/></asset><worldbody>"
                "<attach model='x' body='foot' prefix='p'/></worldbody></mujoco>",
                "has no body 'foot'"},
               {"<mujoco><asset><model name='x' file='self.xml'/></asset><worldbody>"
                "<attach model='x' prefix='p'/></worldbody></mujoco>",
                "attach itself"}};
  write_file("hand.xml", HAND);
  write_file("self.xml",
             "<mujoco><asset><model name='x' file='self.xml'/></asset><worldbody><body name='b'>"
             "<attach model='x' prefix='p'/></body></worldbody></mujoco>");
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    plError error;
    plSpec* spec = load("", "a.xml", table[i].text, &error);
    CHECK(!spec);
    if (!spec) CHECK_HAS(error.message, table[i].words);
    pl_spec_destroy(spec);
  }
  write_file("u.urdf", "<robot name='x'/>");
  plSpec* spec = good("", "a.xml",
                      "<mujoco><asset><model name='x' file='u.urdf'/></asset><worldbody><body><joint/>"
                      "<geom size='1'/><attach model='x' prefix='p'/></body></worldbody></mujoco>");
  CHECK_HAS(robot_warnings, "it is not an MJCF file");
  pl_spec_destroy(spec);
}

// What an attached model brings along is copied with it; the names are those of MuJoCo 4.0.
static void attached_models_are_replicated(void) {
  write_file("hand.xml", HAND);
  plSpec* spec = good("", "a.xml",
                      "<mujoco><asset><model name='hand' file='hand.xml'/></asset><worldbody><replicate "
                      "count='2' offset='0 1 0' sep='_'><replicate count='2' offset='1 0 0' sep='-'>"
                      "<attach model='hand' body='palm' prefix='_'/></replicate></replicate>"
                      "</worldbody><actuator><motor name='own' joint='_k-1_0'/></actuator></mujoco>");
  static const char* const copies[] = {"-0_0", "-1_0", "-0_1", "-1_1"};
  static const char* const drives[] = {"r/_a", "r/_mt"};
  CHECK_INT(robot_warning_count, 0);
  CHECK_INT(pl_spec_body_count(spec), 12);
  CHECK_INT(spec->nactuator, 9);
  CHECK_STR(spec->actuator[0].name, "r/own");
  CHECK_INT(spec->nconstraint, 4);
  CHECK_INT(spec->nexclude, 4);
  for (int i = 0; i < 8 && spec->nactuator == 9; i++) {
    const plActuatorDef* a = &spec->actuator[1 + i];
    char name[40];
    snprintf(name, sizeof name, "%s%s", drives[i % 2], copies[i / 2]);
    CHECK_STR(a->name, name);
    snprintf(name, sizeof name, "r/_j%s", copies[i / 2]);
    CHECK_INT(a->njoint ? a->tendon[0] : a->joint, pl_spec_find_joint(spec, name));
  }
  pl_spec_destroy(spec);
}

// ---- SDFormat

#define INERTIAL "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
#define PART(name, version)                                                                                 \
  "<sdf version='" version "'><model name='" name                                                           \
  "'>"                                                                                                      \
  "<link name='a'><pose>.1 .2 .3 .4 .5 .6</pose>" INERTIAL                                                  \
  "</link>"                                                                                                 \
  "<link name='b'><pose>.1 .2 .3 .4 .5 .6</pose>" INERTIAL                                                  \
  "</link>"                                                                                                 \
  "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 1 1</xyz></axis></joint>" \
  "</model></sdf>"
#define LAST "<link name='z'><pose>.1 .2 .3 .4 .5 .6</pose>" INERTIAL "</link>"
#define MODEL(text) "<sdf version='1.9'><model name='m'>" text "</model></sdf>"
#define TIE(parent)                                        \
  "<joint name='k' type='revolute'><parent>" parent        \
  "</parent><child>z</child><axis><xyz>0 1 1</xyz></axis>" \
  "</joint>"

static void models_are_merged_and_placed(void) {
  static const struct {
    const char *text, *body;
    double p[3], q[4];
  } table[] = {
      {MODEL("<include><uri>model://inc</uri><name>x</name><pose>1 0 0 0 0 1</pose></include>" LAST TIE(
           "x::b")),
       "r/x__a",
       {0.885736, 0.192208, 0.3},
       {0.69685, -0.03983, 0.30702, 0.64696}},
      {MODEL("<include merge='true'><uri>inc/new.sdf</uri><pose>1 0 0 0 0 1</pose></include>" LAST TIE("b")),
       "r/a",
       {0.885736, 0.192208, 0.3},
       {0.69685, -0.03983, 0.30702, 0.64696}},
      {MODEL("<include><uri>inc/new.sdf</uri><pose relative_to='z'>1 0 0 0 0 1</pose>"
             "<placement_frame>a</placement_frame></include>" LAST TIE("inc::b")),
       "r/inc__b",
       {0.8243, 0.69552, -0.179426},
       {0.69685, 0.23683, 0.1994, 0.64696}},
      {"<sdf version='1.9'><world name='w'><include><uri>inc/new.sdf</uri><name>two</name>"
       "<pose>0 0 5 0 0 0</pose></include><model><link name='b'>" INERTIAL "</link></model></world></sdf>",
       "r/two__a",
       {0.1, 0.2, 5.3},
       {0.92171, 0.11224, 0.28853, 0.23367}},
      {"<sdf version='1.9'><model name='m' placement_frame='b'><pose>1 2 3 0 0 .5</pose>" LAST
       "<link name='b'><pose>.1 .2 .3 .4 .5 .6</pose>" INERTIAL "</link></model></sdf>",
       "r/z",
       {1, 2, 3},
       {0.96891, 0, 0, 0.2474}}};
  write_file("inc/model.config",
             "<model><sdf version='1.6'>old.sdf</sdf><sdf version='1.10'>new.sdf</sdf>"
             "<sdf version='1.9'>old.sdf</sdf></model>");
  write_file("inc/new.sdf", PART("inc", "1.9"));
  write_file("inc/old.sdf", "<sdf version='1.6'><model name='old'/></sdf>");
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    plSpec* spec = good("", "m.sdf", table[i].text);
    int body = pl_spec_find_body(spec, table[i].body);
    CHECK(body >= 0);
    plPose pose = pl_spec_body_pose(spec, body < 0 ? 0 : body);
    const double *p = table[i].p, *q = table[i].q;
    CHECK_NEAR(v3_norm(v3_sub(pose.p, v3(p[0], p[1], p[2]))), 0, 1e-6);
    double same = pose.q.w * q[0] + pose.q.x * q[1] + pose.q.y * q[2] + pose.q.z * q[3];
    CHECK_NEAR(fabs(same), 1, 9.9e-6);
    pl_spec_destroy(spec);
  }
}

// Models in models, each placed by its own link, by that of a model inside it or by its origin: the pose of a
// model is that of this frame, relative to the model around it.
static void nested_models_are_placed(void) {
  enum { MOST = 7, TRIALS = CHECK_MEMBERS(200) };
  plRandom random = {23};
  for (int trial = 0; trial < TRIALS; trial++) {
    int depth = 2 + pl_random_int(&random, MOST - 1), by[MOST];
    plPose model[MOST], link[MOST];
    char text[8000], name[200] = "r/l";
    size_t n = (size_t)sprintf(text, "<sdf version='1.9'>");
    for (int k = 0; k < depth; k++) {
      double x[12];
      for (int i = 0; i < 12; i++) x[i] = round(pl_random(&random, -1000, 1000)) / 1000;
      by[k] =
          pl_random_int(&random, 3) ? k + pl_random_int(&random, depth - k) : -1;  // whose link has its pose
      model[k] = (plPose){v3(x[0], x[1], x[2]), quat_from_rpy(x[3], x[4], x[5])};
      link[k] = (plPose){v3(x[6], x[7], x[8]), quat_from_rpy(x[9], x[10], x[11])};
      n += (size_t)sprintf(text + n, "<model name='m'");
      if (by[k] >= 0) n += (size_t)sprintf(text + n, " placement_frame='");
      for (int i = k; i < by[k]; i++) n += (size_t)sprintf(text + n, "m::");
      n += (size_t)sprintf(text + n, "%s><pose>%g %g %g %g %g %g</pose>", by[k] >= 0 ? "l'" : "", x[0], x[1],
                           x[2], x[3], x[4], x[5]);
      n += (size_t)sprintf(text + n, "<link name='l'><pose>%g %g %g %g %g %g</pose>" INERTIAL "</link>", x[6],
                           x[7], x[8], x[9], x[10], x[11]);
    }
    for (int k = 0; k < depth; k++) n += (size_t)sprintf(text + n, "</model>");
    sprintf(text + n, "</sdf>");
    plSpec* spec = good("", "m.sdf", text);
    plPose at[MOST], origin = pose_identity();
    for (int k = 0; k < depth; k++) {
      int body = pl_spec_find_body(spec, name);
      CHECK(body >= 0);
      at[k] = pl_spec_body_pose(spec, body < 0 ? 0 : body);
      size_t used = strlen(name);
      snprintf(name + used - 1, sizeof name - used, "m__l");
    }
    for (int k = 0; k < depth; k++) {
      plPose own = pose_mul(at[k], pose_inverse(link[k])), wanted = pose_mul(origin, model[k]),
             got = by[k] < 0 ? own : at[by[k]];
      CHECK_NEAR(v3_norm(v3_sub(got.p, wanted.p)), 0, 1e-13);
      double same = got.q.w * wanted.q.w + got.q.x * wanted.q.x + got.q.y * wanted.q.y + got.q.z * wanted.q.z;
      CHECK_NEAR(fabs(same), 1, 4.5e-14);
      origin = own;
    }
    pl_spec_destroy(spec);
  }
}

// Files before 1.7 use other elements for the frame of an axis or a pose.
static void old_files_mean_the_same(void) {
  static const char* const text[] = {
      "<sdf version='1.6'><model name='m'>" LAST "<link name='b'><pose>.4 0 0 0 0 1</pose>" INERTIAL
      "</link><joint name='k' type='revolute'><pose frame='z'>.1 .2 0 0 0 0</pose><parent>z</parent>"
      "<child>b</child><axis><xyz>0 1 "
      "1</xyz><use_parent_model_frame>1</use_parent_model_frame></axis></joint>"
      "</model></sdf>",
      MODEL(LAST "<link name='b'><pose>.4 0 0 0 0 1</pose>" INERTIAL
                 "</link><joint name='k' type='revolute'><pose relative_to='z'>.1 .2 0 0 0 0</pose>"
                 "<parent>z</parent><child>b</child><axis><xyz expressed_in='__model__'>0 1 1</xyz></axis>"
                 "</joint>")};
  plSpec* spec[2];
  for (int k = 0; k < 2; k++) spec[k] = good("", "m.sdf", text[k]);
  const plJointDef *a = joint_of(spec[0], "r/k"), *b = joint_of(spec[1], "r/k");
  CHECK_NEAR(v3_norm(v3_sub(a->axis, b->axis)), 0, 0);
  CHECK_NEAR(v3_norm(v3_sub(a->pose.p, b->pose.p)), 0, 0);
  CHECK_NEAR(v3_norm(a->pose.p), sqrt(0.05), 1e-15);
  for (int k = 0; k < 2; k++) pl_spec_destroy(spec[k]);
}

// ---- names of meshes

static const char tetrahedron[] =
    "solid x\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid "
    "x\n";

static void meshes_are_found_as_they_are_named(void) {
  static const struct {
    const char* name;
    bool found, remark;
  } table[] = {{"package://pkg/meshes/Tet.STL", true, false},
               {"model://pkg/meshes/Tet.STL", true, false},
               {"$(find pkg)/meshes/Tet.STL", true, false},
               {"file://$(find pkg)/meshes/Tet.STL", true, false},
               {" package://pkg/meshes/Tet.STL\n", true, false},
               {"../meshes/Tet.STL", true, false},
               {"..\\meshes\\Tet.STL", true, false},
               {"package://pkg/meshes/sub%20dir/tet.stl", true, false},
               {"meshes/Tet.STL", true, true},
               {"package://pkg/meshes/tet.stl", true, true},
               {"../meshes/TET.stl", true, true},
               {"package://own.stl", true, false},
               {"/own.stl", true, true},
               {"/none/own.stl", false, true},
               {"meshes/none.stl", false, true},
               {"$(find pkg", false, true},
               {"%zz%", false, true},
               {"", false, true}};
  write_file("pkg/meshes/Tet.STL", tetrahedron);
  write_file("pkg/meshes/sub dir/tet.stl", tetrahedron);
  write_file("pkg/urdf/own.stl", tetrahedron);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "<robot name='x'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
             "</inertial><collision><geometry><mesh filename='%s'/></geometry></collision></link></robot>",
             table[i].name);
    plSpec* spec = good("/pkg/urdf", "a.urdf", text);
    CHECK_INT(pl_spec_shape_count(spec), table[i].found);
    CHECK_INT(robot_warning_count > 0, table[i].remark);
    pl_spec_destroy(spec);
  }
}

// Meshes of an included file: from the folder of the main file, then from its own. Its root may have any
// name.
static void included_files_name_meshes_from_either_folder(void) {
  static const char* const names[] = {"pkg/meshes/Tet.STL", "meshes/Tet.STL", "../pkg/meshes/Tet.STL"};
  write_file("pkg/meshes/Tet.STL", tetrahedron);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char text[300];
    snprintf(text, sizeof text, "<mujocoinclue><asset><mesh name='m' file='%s'/></asset></mujocoinclue>",
             names[i]);
    write_file("pkg/inc.xml", text);
    plSpec* spec = good("", "a.xml",
                        "<mujoco><include file='pkg/inc.xml'/><worldbody><body><freejoint/>"
                        "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
    CHECK_INT(robot_warning_count, 0);
    CHECK_ROUND(pl_spec_body(spec, 0)->mass, 1000.0 / 6, 200);
    pl_spec_destroy(spec);
  }
}

static void wide_characters_are_read(void) {
  static const char text[] =
      "<?xml version='1.0' encoding='utf-16'?><robot name='x'><link name='a'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>\n";
  char wide[2 * sizeof text + 2] = "\xff\xfe";
  for (size_t i = 0; i + 1 < sizeof text; i++) wide[2 + 2 * i] = text[i];
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  plError error;
  def.file = "a.urdf";
  CHECK_INT(pl_spec_parse_robot(spec, &def, "", wide, 2 * sizeof text, NULL, &error), PL_OK);
  CHECK_INT(pl_spec_body_count(spec), 1);
  pl_spec_destroy(spec);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  make_folders();
  RUN(models_are_attached);
  RUN(whole_worlds_and_models_of_models_are_attached);
  RUN(attaching_what_is_not_there_is_an_error);
  RUN(attached_models_are_replicated);
  RUN(models_are_merged_and_placed);
  RUN(nested_models_are_placed);
  RUN(old_files_mean_the_same);
  RUN(meshes_are_found_as_they_are_named);
  RUN(included_files_name_meshes_from_either_folder);
  RUN(wide_characters_are_read);
  return CHECK_END;
}

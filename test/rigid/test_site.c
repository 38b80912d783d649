// Sites: frames by name from scenes, MJCF and SDFormat; where they are and how they move.
#include <string.h>

#include "check.h"
#include "math/pose.h"
#include "pliant/pliant.h"

static plError error;

static plData* make(plSpec* spec) {
  const plModel* model = spec ? pl_model_create(spec, &error) : NULL;
  if (!model) printf("%s\n", error.message);
  plData* data = model ? pl_data_create(model, &error) : NULL;
  pl_spec_destroy(spec), pl_model_destroy(model);
  return data;
}

static plData* robot(const char* file, const char* text) {
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = file, def.pose.p.x = 2;
  CHECK_INT(pl_spec_parse_robot(spec, &def, ".", text, strlen(text), NULL, &error), PL_OK);
  return make(spec);
}

static plStatus scene(const char* sites, plSpec** spec) {
  char text[800];
  snprintf(
      text, sizeof text,
      "pliant: 1\noptions: {gravity: [0, 0, 0], dt: 1e-6}\n"
      "bodies: [{name: top, mass: 1, inertia: [1, 2, 3], pose: {position: [1, 2, 3], rpy: [0.3, 0.2, 0.1]}, "
      "velocity: [1, 0, 2], angular_velocity: [3, -2, 1]}]\nsites: [%s]\n",
      sites);
  return pl_spec_parse("site", ".", text, strlen(text), NULL, spec, &error);
}

// The velocity is what positions say after a short step.
static void a_site_moves_with_its_body(void) {
  plSpec* spec;
  CHECK_INT(
      scene("{name: tip, body: top, pose: {position: [0.5, 0.1, -0.2], rpy: [0, 0, 1]}}, {name: mark, pose: "
            "{position: [7, 8, 9]}}",
            &spec),
      PL_OK);
  plData* data = make(spec);
  int tip = pl_model_find_site(data->model, "tip"), mark = pl_model_find(data->model, PL_KIND_SITE, "mark");
  CHECK(tip == 0 && mark == 1 && data->model->nsite == 2);
  plSiteState s, later;
  plRigidState body;
  CHECK_INT(pl_site_state(data, mark, &s), PL_OK);
  CHECK(s.pose.p.x == 7 && s.pose.p.y == 8 && s.pose.p.z == 9 && v3_norm(s.velocity) == 0);
  CHECK_INT(pl_site_state(data, tip, &s), PL_OK);
  CHECK_INT(pl_rigid_body_state(data, 0, &body), PL_OK);
  CHECK_BELOW(v3_norm(v3_sub(s.pose.p, pose_apply(body.pose, v3(0.5, 0.1, -0.2)))), 1e-14, 1);
  CHECK_BELOW(v3_norm(v3_sub(s.angular_velocity, v3(3, -2, 1))), 1.5e-14, 1);
  CHECK_INT(pl_step(data, &error), PL_OK);
  CHECK_INT(pl_site_state(data, tip, &later), PL_OK);
  CHECK_BELOW(v3_norm(v3_sub(v3_scale(1e6, v3_sub(later.pose.p, s.pose.p)), s.velocity)), 1.2e-5, 1);
  CHECK_INT(pl_site_state(data, 2, &s), PL_ERROR_INPUT);
  pl_data_destroy(data);
}

static void sites_of_mjcf_are_read(void) {
  plData* data = robot("r.xml",
                       "<mujoco model='r'><worldbody><site name='home' pos='0 0 1'/>"
                       "<body name='arm' pos='0 1 0'><joint type='hinge' axis='0 0 1'/><geom size='.1'/>"
                       "<frame pos='1 0 0' euler='0 0 90'><site name='tip' pos='0.5 0 0'/></frame>"
                       "<site pos='9 9 9'/></body></worldbody></mujoco>");
  int tip = pl_model_find_site(data->model, "r/tip"), home = pl_model_find_site(data->model, "r/home");
  CHECK(tip >= 0 && home >= 0 && data->model->nsite == 2);
  plSiteState s;
  CHECK_INT(pl_site_state(data, tip, &s), PL_OK);
  CHECK_BELOW(v3_norm(v3_sub(s.pose.p, v3(3, 1.5, 0))), 1.5e-14,
              1);  // 2 of the robot, 1 of the frame; 1 + 0.5 along y
  CHECK_INT(pl_site_state(data, home, &s), PL_OK);
  CHECK_BELOW(v3_norm(v3_sub(s.pose.p, v3(2, 0, 1))), 1.5e-14, 1);
  pl_data_destroy(data);
}

static void frames_of_sdformat_are_read(void) {
  plData* data = robot(
      "r.sdf",
      "<sdf version='1.9'><model name='r'><link name='base'><pose>0 0 1 0 0 0</pose>"
      "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>"
      "<frame name='tool' attached_to='base'><pose>0.1 0 0 0 0 1.5</pose></frame>"
      "<frame name='far' attached_to='tool'><pose>1 0 0 0 0 0</pose></frame></model></sdf>");
  int tool = pl_model_find_site(data->model, "r/tool"), far = pl_model_find_site(data->model, "r/far");
  CHECK(tool >= 0 && far >= 0);
  plSiteState s;
  CHECK_INT(pl_site_state(data, tool, &s), PL_OK);
  CHECK_BELOW(v3_norm(v3_sub(s.pose.p, v3(2.1, 0, 1))), 1.5e-14, 1);
  CHECK_INT(pl_site_state(data, far, &s), PL_OK);
  CHECK_BELOW(v3_norm(v3_sub(s.pose.p, v3(2.1 + cos(1.5), sin(1.5), 1))), 1.5e-14, 1);
  pl_data_destroy(data);
}

static void wrong_sites_are_refused(void) {
  plSpec* spec;
  CHECK_INT(scene("{name: tip, body: nobody}", &spec), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "no rigid body 'nobody'");
  CHECK_INT(scene("{name: tip}, {name: tip}", &spec), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "tip");
  CHECK_INT(scene("{name: a tip}", &spec), PL_ERROR_INPUT);
  spec = pl_spec_create();
  plSiteDef def = pl_default_site_def();
  CHECK_INT(pl_spec_add_site(spec, &def, NULL, &error), PL_ERROR_INPUT);
  def.name = "tip", def.body = 0;
  CHECK_INT(pl_spec_add_site(spec, &def, NULL, &error), PL_ERROR_INPUT);
  def.body = -1, def.pose.p.x = NAN;
  CHECK_INT(pl_spec_add_site(spec, &def, NULL, &error), PL_ERROR_INPUT);
  def.pose.p.x = 0;
  CHECK_INT(pl_spec_add_site(spec, &def, NULL, &error), PL_OK);
  pl_spec_destroy(spec);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_site_moves_with_its_body);
  RUN(sites_of_mjcf_are_read);
  RUN(frames_of_sdformat_are_read);
  RUN(wrong_sites_are_refused);
  return CHECK_END;
}

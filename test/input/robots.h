// robots.h: loading robot files in tests: from text or from scenes/robots, with the warnings kept.
#ifndef PL_TEST_ROBOTS_H
#define PL_TEST_ROBOTS_H

#include "check.h"
#include "math/pose.h"
#include "pliant/pliant.h"

static char robot_warnings[20000];
static int robot_warning_count;

static inline void keep_warning(void* user, const char* text) {
  (void)user;
  size_t n = strlen(robot_warnings);
  snprintf(robot_warnings + n, sizeof robot_warnings - n, "%s\n", text);
  robot_warning_count++;
}

static inline plLoadOptions robot_options(void) {
  robot_warnings[0] = 0, robot_warning_count = 0;
  return (plLoadOptions){.warn = keep_warning, .ignore_missing_meshes = true};
}

// A spec with one robot from text; NULL with the error filled in.
static inline plSpec* spec_of(const char* file, const char* text, plRobotDef def, plError* error) {
  plLoadOptions options = robot_options();
  plSpec* spec = pl_spec_create();
  def.file = file;
  if (!pl_spec_parse_robot(spec, &def, PLIANT_SOURCEDIR "/scenes/robots", text, strlen(text), &options,
                           error))
    return spec;
  pl_spec_destroy(spec);
  return NULL;
}

static inline plSpec* good_spec(const char* file, const char* text, plRobotDef def) {
  plError error;
  plSpec* spec = spec_of(file, text, def, &error);
  char line[1500];
  if (!spec) {
    printf("%s\n", pl_error_text(&error, line, sizeof line));
    exit(1);
  }
  return spec;
}

// The text is refused; the error names its line and contains the words.
static inline void check_refused(const char* name, const char* text, int line, const char* words) {
  plError error;
  plSpec* spec = spec_of(name, text, pl_default_robot_def(), &error);
  CHECK(!spec);
  pl_spec_destroy(spec);
  if (spec) return;
  CHECK_HAS(error.message, words);
  CHECK_INT(error.line, line);
  CHECK_STR(error.file, name);
}

static inline plData* data_of(plSpec* spec) {
  plError error;
  const plModel* model = pl_model_create(spec, &error);
  plData* data = model ? pl_data_create(model, &error) : NULL;
  pl_spec_destroy(spec);
  if (!data) {
    printf("%s\n", error.message);
    exit(1);
  }
  return data;
}

static inline void free_data(plData* data) {
  const plModel* model = (plModel*)data->model;
  pl_data_destroy(data);
  pl_model_destroy(model);
}

static inline plData* load_robot(const char* name, plBase base) {
  plError error;
  plLoadOptions options = robot_options();
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  char path[1024];
  snprintf(path, sizeof path, PLIANT_SOURCEDIR "/scenes/robots/%s", name);
  def.file = path, def.base = base;
  if (pl_spec_add_robot(spec, &def, &options, &error)) {
    printf("%s: %s\n", path, error.message);
    exit(1);
  }
  return data_of(spec);
}

static inline plPose pose_of(const plData* data, const char* body) {
  plRigidState state;
  if (pl_rigid_body_state(data, pl_model_find_body(data->model, body), &state))
    check_errors++, printf("no body %s\n", body);
  return state.pose;
}

#endif

// A definition that did not come from its default function is refused with a sentence that names the
// function.
#include "check.h"
#include "pliant/pliant.h"

static plError error;

#define REFUSED(call, function)         \
  do {                                  \
    CHECK_INT(call, PL_ERROR_INPUT);    \
    CHECK_HAS(error.message, function); \
  } while (0)

static void definitions_of_zeros_are_refused(void) {
  plSpec* spec = pl_spec_create();
  REFUSED(pl_spec_add_deformable(spec, &(plDeformableDef){.name = "a"}, NULL, &error),
          "pl_default_deformable_def()");
  REFUSED(pl_spec_add_fix(spec, &(plFixDef){0}, &error), "pl_default_fix_def()");
  REFUSED(pl_spec_add_load(spec, &(plLoadDef){0}, &error), "pl_default_load_def()");
  REFUSED(pl_spec_add_attachment(spec, &(plAttachDef){.name = "a"}, NULL, &error), "pl_default_attach_def()");
  REFUSED(pl_spec_add_shape(spec, &(plShapeDef){.name = "a"}, NULL, &error), "pl_default_shape_def()");
  REFUSED(pl_spec_add_body(spec, &(plBodyDef){.name = "a", .mass = 1}, NULL, &error),
          "pl_default_body_def()");
  REFUSED(pl_spec_add_joint(spec, &(plJointDef){.name = "a"}, NULL, &error), "pl_default_joint_def()");
  REFUSED(pl_spec_add_actuator(spec, &(plActuatorDef){.name = "a"}, NULL, &error),
          "pl_default_actuator_def()");
  REFUSED(pl_spec_add_constraint(spec, &(plConstraintDef){.name = "a"}, NULL, &error),
          "pl_default_constraint_def()");
  REFUSED(pl_spec_add_site(spec, &(plSiteDef){.name = "a"}, NULL, &error), "pl_default_site_def()");
  REFUSED(pl_spec_add_sensor(spec, &(plSensorDef){.name = "a"}, NULL, &error), "pl_default_sensor_def()");
  REFUSED(pl_spec_set_recording(spec, &(plRecordingDef){.every = 1}, &error), "pl_default_recording_def()");
  REFUSED(pl_spec_add_robot(spec, &(plRobotDef){.file = "a.urdf"}, NULL, &error), "pl_default_robot_def()");
  REFUSED(pl_spec_parse_robot(spec, &(plRobotDef){.file = "a.urdf"}, ".", "", 0, NULL, &error),
          "pl_default_robot_def()");
  CHECK_INT(pl_spec_body_count(spec) + pl_spec_joint_count(spec) + pl_spec_shape_count(spec), 0);
  // the same with the function is taken
  plBodyDef body = pl_default_body_def();
  body.name = "a", body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  CHECK_INT(pl_spec_add_body(spec, &body, NULL, &error), PL_OK);
  const plModel* model = pl_model_create(spec, &error);
  plData* data = pl_data_create(model, &error);
  double rate[6];
  REFUSED(pl_ik_step(data, &(plIkDef){.body = 0}, rate, &error), "pl_default_ik_def()");
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(definitions_of_zeros_are_refused);
  return CHECK_END;
}

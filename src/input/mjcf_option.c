// mjcf_option.c: <option> of an MJCF file: its time step and gravity, which a scene may use.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "input/mjcf.h"
#include "model/spec.h"

static plStatus take_timestep(plMjcf* m, const plXml* option) {
  plRobot* robot = m->robot;
  double dt = 0;
  const char* text = pl_xml_attr(option, "timestep");
  plStatus status = pl_xml_number_attr(option, "timestep", &dt, robot->error);
  if (status || !text) return status;
  if (!(dt > 0 && isfinite(dt)))
    return pl_xml_fail(option, robot->error, "the timestep must be positive, got '%.40s'", text);
  if (!robot->def->take_timestep) {
    if (dt != robot->spec->options.dt)
      pl_robot_note(robot, option, "the file's time step of %g s is not used: the scene gives its own", dt);
    return PL_OK;
  }
  robot->spec->options.dt = dt;
  pl_robot_note(robot, option, "the time step is taken from the file, %g s, because the scene gives none",
                dt);
  return PL_OK;
}

static plStatus take_gravity(plMjcf* m, const plXml* option) {
  plRobot* robot = m->robot;
  const plXml* flag = pl_xml_child(option, "flag");
  const char *off = flag ? pl_xml_attr(flag, "gravity") : NULL, *text = pl_xml_attr(option, "gravity");
  plVec3 g = robot->spec->options.gravity;
  plStatus status = pl_xml_vec3_attr(option, "gravity", &g, robot->error);
  if (!status && !v3_finite(g)) status = pl_xml_fail(option, robot->error, "the gravity must be finite");
  if (status) return status;
  bool none = off && !strcmp(off, "disable");
  if (none) g = v3(0, 0, 0);
  if (!text && !none) return PL_OK;
  if (!robot->def->take_gravity) {
    if (v3_norm(v3_sub(g, robot->spec->options.gravity)) > 0)
      pl_robot_note(robot, option,
                    "the file's gravity of %g %g %g m/s^2 is not used: the scene gives its own", g.x, g.y,
                    g.z);
    return PL_OK;
  }
  robot->spec->options.gravity = g;
  pl_robot_note(robot, option, "gravity is taken from the file, %g %g %g m/s^2, because the scene gives none",
                g.x, g.y, g.z);
  return PL_OK;
}

plStatus pl_mjcf_options(plMjcf* m) {
  // MuJoCo's solver settings do not apply here
  static const char* const solver[] = {"integrator",
                                       "cone",
                                       "jacobian",
                                       "solver",
                                       "iterations",
                                       "tolerance",
                                       "ls_iterations",
                                       "ls_tolerance",
                                       "noslip_iterations",
                                       "noslip_tolerance",
                                       "ccd_iterations",
                                       "ccd_tolerance",
                                       "mpr_iterations",
                                       "mpr_tolerance",
                                       "sdf_iterations",
                                       "sdf_initpoints",
                                       "apirate",
                                       "impratio",
                                       "actuatorgroupdisable"};
  plStatus status = PL_OK;
  for (const plXml* option = pl_xml_child(m->root, "option"); option && !status;
       option = pl_xml_next(option)) {
    for (size_t i = 0; i < sizeof solver / sizeof *solver; i++) pl_xml_attr(option, solver[i]);
    status = take_timestep(m, option);
    if (!status) status = take_gravity(m, option);
  }
  return status;
}

// defaults.c: the default definitions, and the check of options.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/pose.h"
#include "pliant/spec.h"

plOptions pl_default_options(void) {
  return (plOptions){.dt = 0.01,
                     .duration = 1,
                     .gravity = {0, 0, -9.81},
                     .theta = 1,
                     .theta_vq = 1,
                     .contact_law = PL_LAW_CONE,
                     .tolerance = 1e-6,
                     .free_tolerance = 1e-8,
                     .max_iterations = 500,
                     .friction_sigma = 1e-3,
                     .near_rigid = 1,
                     .gap_closing = 1,
                     .push_out_speed = 0.1,
                     .push_out_turn = 1,
                     .threads = 1};
}

plStatus pl_options_check(const plOptions* o, plError* error) {
  if ((int)o->contact_law < 0 || (int)o->contact_law > 3 || (int)o->coupling < 0 ||
      o->coupling > PL_COUPLING_ONCE || (int)o->rigid_contact < 0 || o->rigid_contact > PL_RIGID_POINT)
    return pl_fail(
        error, PL_ERROR_INPUT,
        "options.contact_law, coupling or rigid_contact is a number that means nothing (%d, %d, %d)",
        (int)o->contact_law, (int)o->coupling, (int)o->rigid_contact);
  if (!(o->dt > 0 && o->dt <= 1e3))
    return pl_fail(error, PL_ERROR_INPUT, "options.dt must be a positive time step up to 1000 s, got %g",
                   o->dt);
  if (!(o->duration >= 0 && o->duration <= 1e9))
    return pl_fail(error, PL_ERROR_INPUT, "options.duration must be 0 to 1e9 s, got %g", o->duration);
  if (!v3_finite(o->gravity))
    return pl_fail(error, PL_ERROR_INPUT, "options.gravity must be three finite numbers (m/s^2)");
  if (!(o->theta >= 0 && o->theta <= 1))
    return pl_fail(error, PL_ERROR_INPUT, "options.theta must be in [0, 1], got %g", o->theta);
  if (!(o->theta_vq >= 0 && o->theta_vq <= 1))
    return pl_fail(error, PL_ERROR_INPUT, "options.theta_vq must be in [0, 1], got %g", o->theta_vq);
  if (o->contact_law != PL_LAW_CONE && o->contact_law != PL_LAW_SIMILAR && o->contact_law != PL_LAW_COULOMB)
    return pl_fail(
        error, PL_ERROR_INPUT, "options.contact_law must be cone (0), similar (2) or coulomb (3), got %d%s",
        (int)o->contact_law, (int)o->contact_law == 1 ? ", which was `lagged` and has been removed" : "");
  if (!(o->tolerance >= 1e-14 && o->tolerance < 1))
    return pl_fail(error, PL_ERROR_INPUT, "options.tolerance must be in [1e-14, 1), got %g", o->tolerance);
  if (!(o->free_tolerance >= 1e-14 && o->free_tolerance < 1))
    return pl_fail(error, PL_ERROR_INPUT, "options.free_tolerance must be in [1e-14, 1), got %g",
                   o->free_tolerance);
  if (o->max_iterations < 1)
    return pl_fail(error, PL_ERROR_INPUT, "options.max_iterations must be at least 1, got %d",
                   o->max_iterations);
  if (!(o->friction_sigma > 0 && o->friction_sigma <= 1))
    return pl_fail(error, PL_ERROR_INPUT, "options.friction_sigma must be in (0, 1], got %g",
                   o->friction_sigma);
  if (!(o->near_rigid > 0 && o->near_rigid <= 100))
    return pl_fail(error, PL_ERROR_INPUT, "options.near_rigid must be in (0, 100], got %g", o->near_rigid);
  if (!(o->gap_closing > 0 && o->gap_closing <= 1))
    return pl_fail(error, PL_ERROR_INPUT, "options.gap_closing must be in (0, 1], got %g", o->gap_closing);
  if (!(o->push_out_speed > 0))
    return pl_fail(error, PL_ERROR_INPUT, "options.push_out_speed must be positive, got %g",
                   o->push_out_speed);
  if (!(o->push_out_turn > 0))
    return pl_fail(error, PL_ERROR_INPUT, "options.push_out_turn must be positive, got %g", o->push_out_turn);
  if (o->contact_points != 0 && (o->contact_points < 4 || o->contact_points > 1000))
    return pl_fail(error, PL_ERROR_INPUT,
                   "options.contact_points must be 0 (patches keep all their points) or 4 to 1000, got %d",
                   o->contact_points);
  if (o->threads < 1 || o->threads > 1024)
    return pl_fail(error, PL_ERROR_INPUT, "options.threads must be 1 to 1024, got %d", o->threads);
  return PL_OK;
}

plStatus pl_scheme_by_name(const char* name, double* theta, double* theta_vq, plError* error) {
  static const char* const names[] = {"backward_euler", "symplectic_euler", "midpoint"};
  static const double values[][2] = {{1, 1}, {0, 1}, {0.5, 0.5}};
  for (int i = 0; i < 3; i++)
    if (!strcmp(name, names[i])) {
      *theta = values[i][0];
      *theta_vq = values[i][1];
      return PL_OK;
    }
  return pl_fail(error, PL_ERROR_INPUT,
                 "the scheme must be backward_euler, symplectic_euler or midpoint, got '%s'", name);
}

plSurface pl_default_surface(void) {
  return (plSurface){.friction = 1, .contact_stiffness = INFINITY, .relaxation_time = 0.1, .dissipation = 10};
}

plDeformableDef pl_default_deformable_def(void) {
  return (plDeformableDef){
      .pose = pose_identity(), .material = pl_default_material(), .surface = pl_default_surface()};
}

plRegion pl_default_region(void) {
  return (plRegion){.kind = PL_REGION_ALL, .pose = pose_identity(), .normal = {0, 0, 1}};
}

plFixDef pl_default_fix_def(void) {
  return (plFixDef){.region = pl_default_region(), .components = PL_FIX_ALL};
}

plAttachDef pl_default_attach_def(void) {
  return (plAttachDef){.region = pl_default_region(), .body = -1, .other = -1, .stiffness = INFINITY};
}

plGeometryDef pl_default_geometry_def(void) {
  return (plGeometryDef){.body = -1,
                         .pose = pose_identity(),
                         .kind = PL_SHAPE_BOX,
                         .surface = pl_default_surface(),
                         .collide = true,
                         .colour = {0.6, 0.6, 0.6}};
}

const char* pl_shape_name(plShapeKind kind) {
  static const char* const names[PL_SHAPE_COUNT] = {"half_space", "sphere",    "box", "capsule",
                                                    "cylinder",   "ellipsoid", "mesh"};
  return (int)kind >= 0 && kind < PL_SHAPE_COUNT ? names[kind] : "unknown shape";
}

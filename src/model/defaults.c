// defaults.c: the default definitions.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/pose.h"
#include "model/spec.h"
#include "pliant/spec.h"

plStatus pl_scheme_by_name(const char* name, double* theta, double* theta_vq, plError* error) {
  assert(name != NULL && theta != NULL && theta_vq != NULL);
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
  return (plSurface){.friction = 1,
                     .contact_stiffness = INFINITY,
                     .relaxation_time = 0.1,
                     .dissipation = 10,
                     .mesh_compliance = true};
}

plDeformableDef pl_default_deformable_def(void) {
  return (plDeformableDef){.mark = PL_DEF_MARK,
                           .pose = pose_identity(),
                           .material = pl_default_material(),
                           .surface = pl_default_surface(),
                           .self_contact = true};
}

plRegion pl_default_region(void) {
  return (plRegion){.kind = PL_REGION_ALL, .pose = pose_identity(), .normal = {0, 0, 1}};
}

plFixDef pl_default_fix_def(void) {
  return (plFixDef){.mark = PL_DEF_MARK, .region = pl_default_region(), .components = PL_FIX_ALL};
}

plAttachDef pl_default_attach_def(void) {
  return (plAttachDef){
      .mark = PL_DEF_MARK, .region = pl_default_region(), .body = -1, .other = -1, .stiffness = INFINITY};
}

plShapeDef pl_default_shape_def(void) {
  return (plShapeDef){.mark = PL_DEF_MARK,
                      .body = -1,
                      .pose = pose_identity(),
                      .kind = PL_SHAPE_BOX,
                      .surface = pl_default_surface(),
                      .collide = true,
                      .colour = {0.6, 0.6, 0.6}};
}

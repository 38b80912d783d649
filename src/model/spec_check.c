// spec_check.c: checks that several kinds of definitions share.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/pose.h"
#include "model/spec.h"

bool pl_is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (c && strchr("_-./", c));
}

plStatus pl_spec_check_word(const char* what, const char* name, plError* error) {
  if (!name || !name[0]) return pl_fail(error, PL_ERROR_INPUT, "a %s needs a name", what);
  if (strlen(name) > 200)
    return pl_fail(error, PL_ERROR_INPUT, "the name of a %s has more than 200 characters", what);
  for (const char* c = name; *c; c++)
    if (!pl_is_name_letter(*c))
      return pl_fail(error, PL_ERROR_INPUT,
                     isprint((unsigned char)*c)
                         ? "the name '%s' of a %s may not contain '%c'; use letters, digits and _ - . /"
                         : "the name '%s' of a %s contains an unusual character (byte %d); use letters, "
                           "digits and _ - . /",
                     name, what, isprint((unsigned char)*c) ? *c : (unsigned char)*c);
  return PL_OK;
}

plStatus pl_spec_fail_taken(const char* what, const char* name, plError* error) {
  return pl_fail(error, PL_ERROR_INPUT, "the name '%s' is taken by another %s; give each its own", name,
                 what);
}

plStatus pl_check_mark(uint32_t mark, const char* what, plError* error) {
  if (mark == PL_DEF_MARK) return PL_OK;
  return pl_fail(
      error, PL_ERROR_INPUT,
      "the %s definition was never initialised: start from pl_default_%s_def() and change its fields", what,
      what);
}

plStatus pl_spec_check_pose(const char* name, plPose* pose, plError* error) {
  double norm = quat_norm(pose->q);
  if (!v3_finite(pose->p) || !(norm > 1e-6 && norm < 1e6))
    return pl_fail(error, PL_ERROR_INPUT,
                   "the pose of '%s' must have a finite position and a quaternion of length 1", name);
  pose->q = quat_unit(pose->q);
  return PL_OK;
}

plStatus pl_spec_check_table(const char* what, const char* name, int ntime, const double* time,
                             const double* value, int width, plError* error) {
  if (ntime < 0)
    return pl_fail(error, PL_ERROR_INPUT, "%s '%s' must not have a negative number of knots, got %d", what,
                   name, ntime);
  for (int i = 0; i < ntime; i++) {
    bool finite = isfinite(time[i]);
    for (int k = 0; k < width; k++) finite = finite && isfinite(value[width * i + k]);
    if (!finite) return pl_fail(error, PL_ERROR_INPUT, "knot %d of %s '%s' is not finite", i, what, name);
    if (i && time[i] <= time[i - 1])
      return pl_fail(error, PL_ERROR_INPUT, "the times of %s '%s' must increase, knot %d does not", what,
                     name, i);
  }
  return PL_OK;
}

double pl_spec_limit(double limit) { return fabs(limit) > PL_NUMBER_MAX ? copysign(INFINITY, limit) : limit; }

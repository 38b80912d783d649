// ccd.h: when four points that move straight lie in one plane: a corner on a facet, two edges that cross.
#ifndef PL_GEOM_CCD_H
#define PL_GEOM_CCD_H

#include "math/vec3.h"

// The points are x[k] + s d[k]. Times 0 <= s <= 1 at which their volume changes its sign, ascending; their
// number, at most 3. falls[i]: the volume (x1 - x0) . ((x2 - x0) x (x3 - x0)) falls there.
int pl_coplanar_times(const plVec3 x[4], const plVec3 d[4], double s[3], bool falls[3]);

#endif

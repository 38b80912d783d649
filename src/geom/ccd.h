// ccd.h: when four points in straight motion lie in one plane: a vertex on a facet, two edges that cross.
#ifndef PL_GEOM_CCD_H
#define PL_GEOM_CCD_H

#include "math/vec3.h"

// The points are x[k] + s d[k]. Finds the times 0 <= s <= 1 at which their volume changes its sign, in
// ascending order; returns their number, at most 3. falls[i] is true if the volume (x1 - x0) . ((x2 - x0) x
// (x3 - x0)) decreases there.
int pl_coplanar_times(const plVec3 x[4], const plVec3 d[4], double s[3], bool falls[3]);

#endif

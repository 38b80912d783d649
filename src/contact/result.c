// result.c: results of contacts: pressure, tractions, the resultant of a pair.
#include <assert.h>
#include <math.h>

#include "contact/thresholds.h"
#include "math/vec3.h"
#include "pliant/data.h"

double pl_contact_pressure(const plContact* c) {
  assert(c != NULL);
  return c->area > 0 ? v3_dot(c->force, c->normal) / c->area : 0;
}

plVec3 pl_contact_traction(const plContact* c) {
  assert(c != NULL);
  return c->area > 0 ? v3_scale(1 / c->area, c->force) : v3(0, 0, 0);
}

plVec3 pl_contact_shear(const plContact* c) {
  assert(c != NULL);
  return v3_madd(pl_contact_traction(c), -pl_contact_pressure(c), c->normal);
}

// +1 if the contact is (a, b), -1 if it is (b, a), 0 otherwise.
static int matches(const plModel* m, const plContact* c, plSide a, plSide b) {
  if (pl_side_covers(m, a, c->a) && pl_side_covers(m, b, c->b)) return 1;
  if (pl_side_covers(m, a, c->b) && pl_side_covers(m, b, c->a)) return -1;
  return 0;
}

void pl_contact_pair(const plData* data, plSide a, plSide b, plContactPair* pair) {
  assert(data != NULL && pair != NULL);
  plContactPair p = {.gap_min = INFINITY};
  plVec3 centre = {0, 0, 0}, moment = {0, 0, 0};  // about the origin
  for (int i = 0; i < data->ncontact; i++) {
    const plContact* c = &data->contact[i];
    int sign = matches(data->model, c, a, b);
    if (!sign) continue;
    double normal = v3_dot(c->force, c->normal);
    plVec3 force = v3_scale(sign, c->force);
    p.count++;
    p.gap_min = fmin(p.gap_min, c->gap);
    p.normal_force += normal;
    centre = v3_madd(centre, normal, c->position);
    // A body exerts no net force on itself.
    if (!pl_side_equal(c->a, c->b))
      p.force = v3_add(p.force, force), moment = v3_add(moment, v3_cross(c->position, force));
    // Meshes that do not match have gaps of microns between their points; these count as contact too.
    if (normal > 0 || c->gap <= PL_TOUCHING * sqrt(c->area)) p.area += c->area;
    if (!(normal > 0)) continue;
    p.pressing++, p.stick += c->stick;
    p.slip_max = fmax(p.slip_max, v3_norm(c->slip));
  }
  p.centre = p.normal_force > 0 ? v3_scale(1 / p.normal_force, centre) : v3(NAN, NAN, NAN);
  if (p.normal_force > 0) p.moment = v3_sub(moment, v3_cross(p.centre, p.force));
  *pair = p;
}

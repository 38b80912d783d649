// impact.c: names the impact where a step found no solution because a soft body is hit faster than its
// elastic waves travel.
//
// A wave carries the load of an impact away at c = sqrt((lambda + 2 mu) / density). Above that speed the
// material at the impact is crushed before the rest of the body feels it: a shock, which no elastic law and
// no length of the step describes. Many such impacts are simulated nevertheless; where one is not, the
// message gives the ratio, because a smaller dt does not help.
//
// in: pairs of colliders in reach, their velocities -> out: error message
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/contact.h"
#include "fem/law.h"
#include "model/side.h"
#include "step/step.h"

static double wave_speed(const plMaterial* material) {
  double lambda, mu;
  pl_material_lame(material, &lambda, &mu);
  return sqrt((lambda + 2 * mu) / material->density);
}

void pl_step_name_impact(const plModel* model, const plData* data) {
  const plContactWork* w = data->work->contact;
  double most = 1, speed = 0, wave = 0;
  const char *hit = NULL, *by = NULL;
  for (int i = 0; i < w->nlist; i++)
    for (int k = 0; k < 2; k++) {
      int a = k ? w->list[i].b : w->list[i].a, b = k ? w->list[i].a : w->list[i].b;
      plSide side = pl_side_of_number(model, a);
      if (a == b || side.kind != PL_SIDE_DEFORMABLE) continue;
      double fast = v3_norm(v3_sub(w->collider[a].velocity, w->collider[b].velocity)),
             c = wave_speed(&data->par->deform_material[side.index]);
      if (!(fast > most * c)) continue;
      most = fast / c, speed = fast, wave = c;
      hit = pl_side_name(model, side), by = pl_side_name(model, pl_side_of_number(model, b));
    }
  char* message = data->work->error->message;
  size_t length = strlen(message), size = sizeof data->work->error->message;
  if (hit)
    snprintf(
        message + length, size - length,
        "; '%s' meets '%s' at %.3g m/s, %.2g times the speed of its waves, %.3g m/s: a smaller dt may not "
        "help, a stiffer material or a slower impact does",
        hit, by, speed, most, wave);
}

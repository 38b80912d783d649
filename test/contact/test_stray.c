// Bodies that a step sends where no contact was expected, or turns farther than its rows see, stay outside.
#include <stdio.h>

#include "base/random.h"
#include "contact/contact.h"
#include "math/pose.h"
#include "pliant/pliant.h"
#include "world.h"

// How deep the points of a box are below z = 0 (m).
static double depth_of_box(plPose pose, plVec3 size) {
  double deep = 0;
  for (int k = 0; k < 8; k++) {
    plVec3 x = v3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5);
    deep = fmax(deep, -pose_apply(pose, v3(x.x * size.x, x.y * size.y, x.z * size.z)).z);
  }
  return deep;
}

// A sphere or a box above a floor, hit from above by a fast and heavy ball; the light one may have its centre
// of mass beside its middle, and surfaces that are stiffer than the step resolves. Returns how deep it gets
// below the floor, in its half sizes.
static double struck(plRandom* r, bool half_space, bool box) {
  double size = pl_random(r, 0.01, 0.1), dt = pl_random(r, 0.002, 0.02), speed = pl_random(r, 5, 40),
         above = pl_random(r, 0.01, 1) * size, ratio = pl_random(r, 1, 30), stiff = pl_random(r, 0, 2);
  char surface[64] = "", text[2048];
  if (stiff > 1) snprintf(surface, sizeof surface, "contact_stiffness: 5.0e+9");
  snprintf(
      text, sizeof text,
      "pliant: 1\noptions: {dt: %.6g, gravity: [0, 0, -9.81]%s}\n"
      "bodies:\n"
      "  - {name: light, mass: 0.01, inertia: [%.6g, %.6g, %.6g], com: [%.6g, %.6g, %.6g],"
      " pose: {position: [0, 0, %.6g]}, velocity: [0, 0, %.6g]}\n"
      "  - {name: heavy, mass: %.6g, inertia: [%.6g, %.6g, %.6g], pose: {position: [%.6g, 0, %.6g]},"
      " velocity: [0, 0, %.6g]}\n"
      "shapes:\n  - {name: floor, shape: %s, surface: {%s}}\n"
      "  - {name: low, shape: %s, body: light}\n  - {name: high, shape: sphere, radius: %.6g, body: heavy}\n",
      dt, pl_random(r, 0, 1) < 0.3 ? ", scheme: midpoint" : "", 4e-3 * size * size, 4e-3 * size * size,
      4e-3 * size * size, pl_random(r, -0.2, 0.2) * size, pl_random(r, -0.2, 0.2) * size,
      pl_random(r, -0.2, 0.2) * size, size + above, pl_random(r, -10, 0), 0.01 * ratio,
      4e-3 * ratio * size * size, 4e-3 * ratio * size * size, 4e-3 * ratio * size * size,
      pl_random(r, -0.5, 0.5) * size, 3.1 * size + above, -speed,
      half_space ? "half_space" : "box, size: [40, 40, 4], pose: {position: [0, 0, -2]}", surface,
      box ? "box, size: [SIDE, SIDE, SIDE]" : "sphere, radius: HALF", size);
  char full[2048], *at = full;
  for (const char* c = text; *c;) {
    if (!strncmp(c, "SIDE", 4))
      at += snprintf(at, 32, "%.6g", 2 * size), c += 4;
    else if (!strncmp(c, "HALF", 4))
      at += snprintf(at, 32, "%.6g", size), c += 4;
    else
      *at++ = *c++;
  }
  *at = 0;
  const plModel* model = model_of(full);
  plError error = {0};
  plData* data = pl_data_create(model, &error);
  double worst = 0;
  for (int i = 0; i < 20; i++) {
    plPose pose[3];
    CHECK_INT(pl_step(data, &error), PL_OK);
    pl_shape_poses(data, pose);
    double deep = box ? depth_of_box(pose[1], v3(2 * size, 2 * size, 2 * size)) : size - pose[1].p.z;
    worst = fmax(worst, deep / size);
  }
  pl_data_destroy(data);
  pl_model_destroy(model);
  return worst;
}

static void a_struck_body_stays_above_the_floor(void) {
  plRandom r = {17};
  double worst = 0;
  for (int i = 0; i < 150; i++) worst = fmax(worst, struck(&r, i % 2, i / 2 % 2));
  printf("  deepest: %.3f half sizes\n", worst);
  CHECK(worst < 0.5);
}

// A light box under a heavy one, each contact a single point: they rock and do not sink into each other.
static void stacks_on_single_points_do_not_sink(void) {
  plRandom r = {5};
  double worst = 0;
  for (int i = 0; i < 20; i++) {
    plVec3 size = v3(pl_random(&r, 0.3, 0.6), pl_random(&r, 0.2, 0.3), pl_random(&r, 0.2, 0.3));
    double ratio = pl_random(&r, 2, 12);
    char text[1024];
    snprintf(
        text, sizeof text,
        "pliant: 1\noptions: {dt: %.6g, rigid_contact: point}\n"
        "bodies:\n  - {name: low, mass: 1, inertia: [0.006, 0.015, 0.015], pose: {position: [0, 0, %.6g]}}\n"
        "  - {name: high, mass: %.6g, inertia: [%.6g, %.6g, %.6g], pose: {position: [0, 0, %.6g]}}\n"
        "shapes:\n  - {name: floor, shape: half_space}\n"
        "  - {name: a, shape: box, size: [%.6g, %.6g, %.6g], body: low}\n"
        "  - {name: b, shape: box, size: [%.6g, %.6g, %.6g], body: high}\n",
        pl_random(&r, 0.01, 0.02), 0.5 * size.z, ratio, 0.006 * ratio, 0.015 * ratio, 0.015 * ratio,
        1.5 * size.z, size.x, size.y, size.z, size.x, size.y, size.z);
    const plModel* model = model_of(text);
    plError error = {0};
    plData* data = pl_data_create(model, &error);
    for (int k = 0; k < 60; k++) {
      plPose pose[3];
      CHECK_INT(pl_step(data, &error), PL_OK);
      pl_shape_poses(data, pose);
      worst = fmax(worst, depth_of_box(pose[1], size) / (0.5 * size.z));
    }
    pl_data_destroy(data);
    pl_model_destroy(model);
  }
  printf("  deepest: %.3f half heights\n", worst);
  CHECK(worst < 0.5);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_struck_body_stays_above_the_floor);
  RUN(stacks_on_single_points_do_not_sink);
  return CHECK_END;
}

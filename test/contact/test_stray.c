// Bodies that a step sends where no contact was expected, or turns farther than its rows see, stay outside.
#include <stdio.h>

#include "contact/contact.h"
#include "math/pose.h"
#include "math/random_vec3.h"
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
  double beside = pl_random(r, -0.5, 0.5) * size, sinks = pl_random(r, -10, 0);
  plVec3 com = v3_scale(size, v3_random(r, -0.2, 0.2));
  bool midpoint = pl_random(r, 0, 1) < 0.3;
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
      dt, midpoint ? ", scheme: midpoint" : "", 4e-3 * size * size, 4e-3 * size * size, 4e-3 * size * size,
      com.x, com.y, com.z, size + above, sinks, 0.01 * ratio, 4e-3 * ratio * size * size,
      4e-3 * ratio * size * size, 4e-3 * ratio * size * size, beside, 3.1 * size + above, -speed,
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
  CHECK_BELOW(worst, 0.5, 1);
}

// A box, soft or rigid, falls fast onto a floor whose stiffness the step resolves, under schemes whose
// positions follow velocities of the start of the step too. Returns how much deeper than its energy explains
// it gets, E = k A d^2 / 2, in its half heights. Its centre of mass is in its middle: it does not turn.
static double yields_by_its_law(plRandom* r, int kind) {
  double size = pl_random(r, 0.01, 0.1), dt = pl_random(r, 0.0005, 0.015), speed = pl_random(r, 1, 30),
         k = pow(10, pl_random(r, 7, 10)), density = pl_random(r, 50, 1000), area = size * size,
         height = 0.6 * size, mass = density * area * height, share = pl_random(r, 0.5, 0.95),
         gap = pl_random(r, 0, 1) * speed * dt;
  char scheme[64], soft[512] = "", rigid[512] = "", text[1536];
  snprintf(scheme, sizeof scheme, "theta_vq: %.6g", share);
  if (kind % 2)
    snprintf(
        soft, sizeof soft,
        "deformables:\n  - {name: d, shape: box, size: [%.6g, %.6g, %.6g], cells: [2, 2, 1], pose: "
        "{position: "
        "[0, 0, %.6g]}, velocity: [0, 0, %.6g], material: {kind: %s, young: 1e8, density: %.6g, damping: "
        "{stiffness: 0.001}}}\n",
        size, size, height, 0.5 * height + gap, -speed, kind % 4 == 1 ? "linear_corotated" : "corotated",
        density);
  else
    snprintf(
        rigid, sizeof rigid,
        "bodies:\n  - {name: r, mass: %.6g, inertia: [%.6g, %.6g, %.6g], pose: {position: [0, 0, %.6g]}, "
        "velocity: [0, 0, %.6g]}\n",
        mass, 0.12 * mass * size * size, 0.12 * mass * size * size, 0.17 * mass * size * size,
        0.5 * height + gap, -speed);
  int n = snprintf(text, sizeof text,
                   "pliant: 1\noptions: {dt: %.6g, %s}\n%s%sshapes:\n  - {name: floor, shape: "
                   "half_space, surface: {contact_stiffness: %.6g}}\n",
                   dt, kind % 3 ? scheme : "scheme: midpoint", rigid, soft, k);
  if (!(kind % 2))
    snprintf(text + n, sizeof text - (size_t)n,
             "  - {name: b, shape: box, size: [%.6g, %.6g, %.6g], body: r}\n", size, size, height);
  const plModel* model = model_of(text);
  plError error = {0};
  plData* data = pl_data_create(model, &error);
  double worst = 0, energy = 0.5 * mass * speed * speed + mass * 9.81 * gap,
         explained = sqrt(2 * energy / (k * area)) + mass * 9.81 / (k * area);
  for (int i = 0; i < 8; i++) {
    plPose pose[2];
    CHECK_INT(pl_step(data, &error), PL_OK);
    double deep = 0;
    pl_shape_poses(data, pose);
    if (kind % 2)
      for (int v = 0; v < model->nvert; v++) deep = fmax(deep, -data->q[model->deform_q0[0] + 3 * v + 2]);
    else
      deep = depth_of_box(pose[1], v3(size, size, height));
    worst = fmax(worst, (deep - explained) / (0.5 * height));
  }
  pl_data_destroy(data);
  pl_model_destroy(model);
  return worst;
}

static void a_surface_yields_by_its_law_alone(void) {
  plRandom r = {29};
  double worst = 0;
  for (int i = 0; i < 120; i++) worst = fmax(worst, yields_by_its_law(&r, i));
  printf("  deepest beyond the law: %.3f half heights\n", worst);
  CHECK_BELOW(worst, 0.25, 1);
}

// A light box under a heavy one, each contact a single point: they rock and do not sink into each other.
static void stacks_on_single_points_do_not_sink(void) {
  plRandom r = {5};
  double worst = 0;
  for (int i = 0; i < 20; i++) {
    plVec3 size;
    size.z = pl_random(&r, 0.2, 0.3), size.y = pl_random(&r, 0.2, 0.3), size.x = pl_random(&r, 0.3, 0.6);
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
  CHECK_BELOW(worst, 0.5, 1);  // wide: hard blows, half is where it would pass
}

// A heavy box falls on a light capsule, which rolls and spins about on the floor, by up to 0.5 rad a step.
// Returns how deep the capsule gets, in its radii. Rows see its motion to first order; what turning adds in
// each step must not add up. rounds: those of the guard are added.
static double rolled_over(plRandom* r, const char* law, bool midpoint, int* rounds) {
  double radius = pl_random(r, 0.005, 0.03), length = pl_random(r, 1, 6) * radius,
         ratio = 30 * pow(30, pl_random(r, 0, 1)), dt = pl_random(r, 0.0005, 0.003), mass = 1e-3,
         side = 6 * radius, speed = pl_random(r, 0, 3), dissipation = pl_random(r, 0, 50);
  double across = mass * (length * length / 12 + 0.5 * radius * radius), load = mass * ratio,
         g = pl_random(r, 5, 40);
  plVec3 w = v3_random(r, -30, 30), tilt = v3_random(r, -1, 1), turn = v3_random(r, -10, 10);
  char text[2048];
  snprintf(text, sizeof text,
           "pliant: 1\noptions: {dt: %.6g, gravity: [0, 0, %.6g], scheme: %s, contact_law: %s}\n"
           "bodies:\n  - {name: low, mass: %.6g, inertia: [%.6g, %.6g, %.6g], pose: {position: [0, 0, %.6g], "
           "rpy: [%.6g, %.6g, 0]}, angular_velocity: [%.6g, %.6g, %.6g]}\n"
           "  - {name: high, mass: %.6g, inertia: [%.6g, %.6g, %.6g], pose: {position: [0, 0, %.6g]}, "
           "velocity: [0, 0, %.6g], angular_velocity: [%.6g, %.6g, %.6g]}\n"
           "shapes:\n  - {name: floor, shape: half_space}\n"
           "  - {name: a, shape: capsule, radius: %.6g, length: %.6g, body: low, surface: {friction: 0, "
           "dissipation: %.6g}}\n"
           "  - {name: b, shape: box, size: [%.6g, %.6g, %.6g], body: high, surface: {friction: 0}}\n",
           dt, -g, midpoint ? "midpoint" : "backward_euler", law, mass, across, across,
           0.5 * mass * radius * radius, 1.1 * radius + 0.5 * length, tilt.x, tilt.y, w.x, w.y, w.z, load,
           load * side * side / 6, load * side * side / 6, load * side * side / 6,
           2.5 * radius + length + 0.9 * side, -speed, turn.x, turn.y, turn.z, radius, length, dissipation,
           side, side, side);
  const plModel* model = model_of(text);
  plError error = {0};
  plData* data = pl_data_create(model, &error);
  double worst = 0;
  for (int i = 0; i < 150; i++) {
    plPose pose[3];
    CHECK_INT(pl_step(data, &error), PL_OK);
    *rounds += data->report.guard_rounds;
    pl_shape_poses(data, pose);
    double end = 0.5 * length * fabs(quat_rotate(pose[1].q, v3(0, 0, 1)).z);
    worst = fmax(worst, (radius + end - pose[1].p.z) / radius);
  }
  pl_data_destroy(data);
  pl_model_destroy(model);
  return worst;
}

static void what_is_rolled_over_does_not_sink(void) {
  static const char* law[] = {"cone", "coulomb", "similar"};
  plRandom r = {31};
  double worst[6] = {0};
  int rounds[6] = {0};
  for (int i = 0; i < CHECK_MEMBERS(180); i++)
    worst[i % 6] = fmax(worst[i % 6], rolled_over(&r, law[i % 3], i / 3 % 2, &rounds[i % 6]));
  for (int i = 0; i < 6; i++) {
    printf("  %s, %s: deepest %.3f radii, %d rounds\n", i / 3 ? "midpoint" : "backward Euler", law[i % 3],
           worst[i], rounds[i]);
    CHECK(worst[i] < 0.5);
  }
  // Added rows stop a motion by any law: Hunt and Crossley's needs no more of them.
  CHECK(rounds[5] < rounds[3] + rounds[4]);
}

// What a crushed body falls on: fixed, its top at z = 0.
typedef enum Ground { HALF_SPACE, SPHERE, BOX, MESH, HULL, GROUNDS, SOFT = GROUNDS } Ground;

// A soft slab whose top is at z = 0; it is held everywhere, so that it stays flat.
static void add_soft_slab(plSpec* spec, plVec3 size, plError* error) {
  plMesh* mesh = box_mesh(size, 6, 6, 1);
  plDeformableDef def = pl_default_deformable_def();
  plFixDef fix = pl_default_fix_def();
  def.name = "ground", def.mesh = mesh, def.pose.p.z = -0.5 * size.z;
  CHECK_INT(pl_spec_add_deformable(spec, &def, &fix.deformable, error), PL_OK);
  fix.region.kind = PL_REGION_ALL;
  CHECK_INT(pl_spec_add_fix(spec, &fix, error), PL_OK);
  pl_mesh_destroy(mesh);
}

// A slab whose top is at z = 0.
static plMesh* slab_mesh(double half, double thick) {
  static const int tri[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  plMesh* m = pl_mesh_create(8, 0, 12, NULL);
  for (int k = 0; k < 8; k++)
    v3_store(m->vert + 3 * k, v3(k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? 0 : -thick));
  memcpy(m->tri, tri, sizeof tri);
  return m;
}

// A soft ball that cannot carry its own weight (rho g L is 1 to 15 E) falls on the ground, or a fast one that
// moves by 1 to 2 radii in a step cannot stop itself (rho v^2 is 1 to 15 E). It is crushed until its upper
// side falls through its lower one. Returns how deep a vertex of its surface gets, in cells.
static double crushed(plRandom* r, Ground ground, bool fast) {
  static const char* law[] = {"linear", "linear_corotated", "fixed_corotated", "saint_venant_kirchhoff"};
  double radius = pl_random(r, 0.02, 0.06), big = pl_random(r, 3, 10) * radius, rho = pl_random(r, 500, 5000),
         young = rho * 9.81 * 2 * radius / pl_random(r, 1, 15), dt = pl_random(r, 0.001, 0.004),
         speed = fast ? pl_random(r, 1, 2) * radius / dt : pl_random(r, 0, 1);
  if (fast) young *= speed * speed / (9.81 * 2 * radius);
  char text[1024];
  snprintf(text, sizeof text,
           "pliant: 1\noptions: {dt: %.6g, gravity: [0, 0, -9.81]}\n"
           "deformables:\n  - {name: ball, shape: sphere, radius: %.6g, edge: %.6g, pose: {position: [0, 0, "
           "%.6g]}, velocity: [0, 0, %.6g], material: {kind: %s, young: %.6g, poisson: 0.1, density: %.6g}, "
           "surface: {mesh_compliance: false}}\n",
           dt, radius, radius, 1.05 * radius, -speed, law[(int)pl_random(r, 0, 4)], young, rho);
  plError error = {0};
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_parse("ball", NULL, text, strlen(text), NULL, &spec, &error), PL_OK);
  double thick = pl_random(r, 0.5, 5) * radius;
  plMesh* mesh = slab_mesh(5 * big, thick);
  plShapeDef g = pl_default_shape_def();
  double turn = pl_random(r, 0, 1);
  g.name = "ground", g.pose = (plPose){{0, 0, 0}, {cos(turn), 0, 0, sin(turn)}};
  g.kind = ground >= MESH ? PL_SHAPE_MESH : ground == BOX ? PL_SHAPE_BOX : PL_SHAPE_HALF_SPACE;
  if (ground == SPHERE) g.kind = PL_SHAPE_SPHERE, g.radius = big;
  if (ground == SPHERE || ground == BOX) g.pose.p.z = ground == BOX ? -0.5 * thick : -big;
  g.size = v3(10 * big, 10 * big, thick), g.mesh = ground >= MESH ? mesh : NULL, g.convex = ground == HULL;
  if (ground == SOFT)
    add_soft_slab(spec, g.size, &error);
  else
    CHECK_INT(pl_spec_add_shape(spec, &g, NULL, &error), PL_OK);
  const plModel* m = pl_model_create(spec, &error);
  plData* data = pl_data_create(m, &error);
  double worst = 0, cell = cbrt(6 * m->deform_volume[0] / m->deform_tet0[1]);
  for (int i = 0; i < (fast ? 8 : 100); i++) {
    CHECK_INT(pl_step(data, &error), PL_OK);
    for (int k = 0; k < 3 * m->deform_tri0[1]; k++) {
      plVec3 x = v3_load(data->q + m->deform_q0[0] + 3 * (size_t)m->tri_vert[k]);
      worst = fmax(worst, ground == SPHERE ? big - v3_norm(v3(x.x, x.y, x.z + big)) : -x.z);
    }
  }
  pl_data_destroy(data);
  pl_model_destroy(m);
  pl_spec_destroy(spec);
  pl_mesh_destroy(mesh);
  return worst / cell;
}

static void crush(int n, bool fast) {
  static const char* name[GROUNDS] = {"half spaces", "spheres", "boxes", "meshes", "hulls"};
  plRandom r = {23};
  double worst[GROUNDS] = {0};
  for (int i = 0; i < n * GROUNDS; i++)
    worst[i % GROUNDS] = fmax(worst[i % GROUNDS], crushed(&r, (Ground)(i % GROUNDS), fast));
  for (int k = 0; k < GROUNDS; k++) {
    printf("  deepest in %s: %.3f cells\n", name[k], worst[k]);
    CHECK_BELOW(worst[k], 0.5, 1);
  }
}

static void a_body_crushed_on_a_soft_one_stays_outside(void) {
  plRandom r = {29};
  double worst = 0;
  for (int i = 0; i < CHECK_MEMBERS(24); i++) worst = fmax(worst, crushed(&r, SOFT, false));
  printf("  deepest in soft bodies: %.3f cells\n", worst);
  CHECK_BELOW(worst, 0.4, 1);
}

static void a_crushed_body_stays_outside(void) { crush(CHECK_MEMBERS(12), false); }

static void a_fast_body_crushed_in_a_step_stays_outside(void) { crush(CHECK_MEMBERS(24), true); }

// How deep a position is in a round tool, in its frame (m); of an ellipsoid the least that it can be.
static double depth_in_round(const plShapeDef* g, plVec3 p) {
  plVec3 h = v3_scale(0.5, g->size);
  double out = fmax(0, fabs(p.z) - 0.5 * g->length);
  if (g->kind == PL_SHAPE_CYLINDER) return fmin(g->radius - hypot(p.x, p.y), 0.5 * g->length - fabs(p.z));
  if (g->kind == PL_SHAPE_ELLIPSOID)
    return (1 - v3_norm(v3(p.x / h.x, p.y / h.y, p.z / h.z))) * fmin(h.x, fmin(h.y, h.z));
  return g->radius - v3_norm(v3(p.x, p.y, g->kind == PL_SHAPE_CAPSULE ? out : p.z));
}

// A weak soft body (rho v^2 is 5 to 1000 E) is thrown on a round tool that is fixed, some of it beside the
// tool. It is crushed, and parts of its facets face the tool while their vertices turn their backs to it.
// Returns how deep a vertex of its surface gets, in cells.
static double splashed(plRandom* r, plShapeKind kind) {
  double size = pl_random(r, 0.02, 0.1), speed = pl_random(r, 5, 40), rho = pl_random(r, 500, 5000),
         young = rho * speed * speed / (5 * pow(200, pl_random(r, 0, 1))),
         dt = pl_random(r, 0.05, 0.25) * size / speed;
  plShapeDef g = pl_default_shape_def();
  g.name = "tool", g.kind = kind, g.radius = pl_random(r, 0.4, 4) * size;
  g.length = pl_random(r, 1, 4) * g.radius, g.size.x = 2 * g.radius;
  g.size.y = pl_random(r, 1.2, 2) * g.radius, g.size.z = pl_random(r, 1.2, 2) * g.radius;
  g.surface.mesh_compliance = pl_random(r, 0, 1) < 0.7;
  double top = kind == PL_SHAPE_SPHERE      ? g.radius
               : kind == PL_SHAPE_ELLIPSOID ? 0.5 * g.size.z
               : kind == PL_SHAPE_CAPSULE   ? g.radius + 0.5 * g.length
                                            : 0.5 * g.length,
         beside = pl_random(r, 0, 1) * g.radius, across = pl_random(r, -0.3, 0.3) * speed,
         roll = pl_random(r, -1, 1), pitch = pl_random(r, -1, 1), poisson = pl_random(r, 0, 0.48);
  bool corotated = pl_random(r, 0, 1) < 0.5;
  char text[1024];
  snprintf(text, sizeof text,
           "pliant: 1\noptions: {dt: %.6g}\n"
           "deformables:\n  - {name: d, shape: box, size: [%.6g, %.6g, %.6g], cells: [2, 2, 2], pose: "
           "{position: [%.6g, 0, %.6g], rpy: [%.6g, %.6g, 0]}, velocity: [%.6g, 0, %.6g], material: {kind: "
           "%s, young: %.6g, poisson: %.6g, density: %.6g, damping: {stiffness: 0}}}\n",
           dt, size, size, 0.8 * size, beside, top + 1.2 * size, roll, pitch, across, -speed,
           corotated ? "corotated" : "linear_corotated", young, poisson, rho);
  plError error = {0};
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_parse("splash", NULL, text, strlen(text), NULL, &spec, &error), PL_OK);
  CHECK_INT(pl_spec_add_shape(spec, &g, NULL, &error), PL_OK);
  const plModel* m = pl_model_create(spec, &error);
  plData* data = pl_data_create(m, &error);
  double worst = 0, cell = cbrt(6 * m->deform_volume[0] / m->deform_tet0[1]);
  for (int i = 0; i < 60; i++) {
    CHECK_INT(pl_step(data, &error), PL_OK);
    for (int k = 0; k < 3 * m->deform_tri0[1]; k++)
      worst =
          fmax(worst, depth_in_round(&g, v3_load(data->q + m->deform_q0[0] + 3 * (size_t)m->tri_vert[k])));
  }
  pl_data_destroy(data);
  pl_model_destroy(m);
  pl_spec_destroy(spec);
  return worst / cell;
}

static void a_weak_body_splashed_on_a_tool_stays_outside(void) {
  static const plShapeKind kind[4] = {PL_SHAPE_SPHERE, PL_SHAPE_CAPSULE, PL_SHAPE_CYLINDER,
                                      PL_SHAPE_ELLIPSOID};
  static const char* name[4] = {"spheres", "capsules", "cylinders", "ellipsoids"};
  plRandom r = {37};
  double worst[4] = {0};
  for (int i = 0; i < CHECK_MEMBERS(80); i++) worst[i % 4] = fmax(worst[i % 4], splashed(&r, kind[i % 4]));
  for (int k = 0; k < 4; k++) {
    printf("  deepest in %s: %.3f cells\n", name[k], worst[k]);
    CHECK_BELOW(worst[k], 0.5, 1);
  }
}

// How deep a position is in the tool (m): a sphere, or a capsule along z.
static double depth_in(plPose pose, double radius, double length, plVec3 x) {
  plVec3 p = pose_apply_inverse(pose, x);
  p.z = copysign(fmax(0, fabs(p.z) - 0.5 * length), p.z);
  return radius - v3_norm(p);
}

// A round tool hits a block of coarse cells whose bottom is fixed, by this way in each step (cells), under a
// scheme with this theta_vq. Returns the deepest overlap at a position of the surface (vertices, and middles
// of edges and facets), in cells.
static double dented(plRandom* r, double way, double theta_vq) {
  double cell = pl_random(r, 0.01, 0.06), radius = pl_random(r, 0.8, 2.5) * cell,
         young = pl_random(r, 1e4, 1e6), length = pl_random(r, 0, 1) < 0.5 ? 0 : pl_random(r, 1, 4) * cell,
         rho = pl_random(r, 500, 2000), speed = pl_random(r, 0.05, 0.3) * sqrt(young / rho), size = 4 * cell,
         mass = pl_random(r, 0.2, 1) * rho * size * size * size,
         inertia = 0.4 * mass * (radius + length) * (radius + length), dt = way * cell / speed;
  char text[1024], shape[96];
  snprintf(shape, sizeof shape, length > 0 ? "capsule, radius: %.6g, length: %.6g" : "sphere, radius: %.6g",
           radius, length);
  double poisson = pl_random(r, 0, 0.45);
  plVec3 at = {0, 0, 0.5 * size + radius + 0.5 * length + way * cell};
  at.y = pl_random(r, -0.5, 0.5) * cell, at.x = pl_random(r, -0.5, 0.5) * cell;
  snprintf(
      text, sizeof text,
      "pliant: 1\noptions: {dt: %.6g, gravity: [0, 0, 0], theta_vq: %.6g}\n"
      "bodies:\n  - {name: tool, mass: %.6g, inertia: [%.6g, %.6g, %.6g], pose: {position: [%.6g, %.6g, "
      "%.6g]}, velocity: [0, 0, %.6g]}\n"
      "deformables:\n  - {name: block, shape: box, size: [%.6g, %.6g, %.6g], cells: [4, 4, 4], material: "
      "{kind: corotated, young: %.6g, poisson: %.6g, density: %.6g}, fixed: [{region: "
      "{shape: half_space, normal: [0, 0, 1], centre: [0, 0, %.6g]}}]}\n"
      "shapes:\n  - {name: round, shape: %s, body: tool}\n",
      dt, theta_vq, mass, inertia, inertia, inertia, at.x, at.y, at.z, -speed, size, size, size, young,
      poisson, rho, -0.49 * size, shape);
  const plModel* m = model_of(text);
  plError error = {0};
  plData* data = pl_data_create(m, &error);
  double worst = 0;
  for (int i = 0; i * way < 4; i++) {
    plPose pose[1];
    CHECK_INT(pl_step(data, &error), PL_OK);
    pl_shape_poses(data, pose);
    for (int t = 0; t < m->deform_tri0[1]; t++) {
      plVec3 x[3], sum = {0, 0, 0};
      for (int k = 0; k < 3; k++)
        x[k] = v3_load(data->q + m->deform_q0[0] + 3 * (size_t)m->tri_vert[3 * t + k]),
        sum = v3_add(sum, x[k]);
      for (int k = 0; k < 3; k++)
        worst =
            fmax(worst, fmax(depth_in(pose[0], radius, length, x[k]),
                             depth_in(pose[0], radius, length, v3_scale(0.5, v3_add(x[k], x[(k + 1) % 3])))));
      worst = fmax(worst, depth_in(pose[0], radius, length, v3_scale(1.0 / 3, sum)));
    }
  }
  pl_data_destroy(data);
  pl_model_destroy(m);
  return worst / cell;
}

static void a_tool_overlaps_by_less_than_half_a_cell(void) {
  plRandom r = {7};
  double worst = 0;
  for (int i = 0; i < CHECK_MEMBERS(16); i++) worst = fmax(worst, dented(&r, 0.05, 1));
  printf("  deepest: %.3f cells\n", worst);
  CHECK_BELOW(worst, 0.4, 1);  // PL_SPRING_DEEPEST
}

// The same where positions follow velocities of the start of the step too, which no spring knows of, and the
// tool moves by up to a cell in a step.
static void a_scheme_adds_no_overlap_under_a_tool(void) {
  plRandom r = {11};
  double worst = 0;
  for (int i = 0; i < CHECK_MEMBERS(60); i++) {
    double way = pl_random(&r, 0.3, 1), theta_vq = i % 2 ? 0.5 : pl_random(&r, 0.5, 0.95);
    worst = fmax(worst, dented(&r, way, theta_vq));
  }
  printf("  deepest: %.3f cells\n", worst);
  CHECK_BELOW(worst, 0.5, 1);
}

// A soft ball in a wild shape, partly in a fixed box: every vertex of its surface that is inside, and no
// deeper than the limits, has a point that pushes it.
static void every_vertex_inside_has_a_point(void) {
  plRandom r = {3};
  int inside = 0, lonely = 0;
  for (int i = 0; i < CHECK_MEMBERS(200); i++) {
    plVec3 half;
    half.z = pl_random(&r, 0.02, 0.1), half.y = pl_random(&r, 0.05, 0.2), half.x = pl_random(&r, 0.05, 0.2);
    char text[512];
    snprintf(
        text, sizeof text,
        "pliant: 1\ndeformables:\n  - {name: ball, shape: sphere, radius: 0.05, edge: 0.03, pose: {position: "
        "[0, 0, %.6g]}}\nshapes:\n  - {name: ground, shape: box, size: [%.6g, %.6g, %.6g]}\n",
        half.z + pl_random(&r, -0.04, 0.05), 2 * half.x, 2 * half.y, 2 * half.z);
    const plModel* m = model_of(text);
    plError error = {0};
    plData* data = pl_data_create(m, &error);
    CHECK_INT(pl_step(data, &error), PL_OK);
    double wild = pl_random(&r, 0, 0.05);
    for (int k = 0; k < m->nq; k++) data->q[k] += pl_random(&r, -wild, wild);
    CHECK_INT(pl_contact_find(m, data), PL_OK);
    const plWork* work = data->work;
    const plSkin* skin = work->contact->collider[0].skin;
    for (int v = 0; v < skin->nvert; v++) {
      plVec3 x = v3_load(data->q + m->deform_q0[0] + 3 * (size_t)v);
      double depth = fmin(half.x - fabs(x.x), fmin(half.y - fabs(x.y), half.z - fabs(x.z)));
      if (skin->vert_tri[v] < 0 || !(depth > 0) || depth > fmin(skin->vert_limit[v], 0.9 * half.z)) continue;
      bool pushed = false;
      for (int k = 0; k < work->npoint; k++) {
        const plContactSide* side = work->point[k].a.shape_id < 0 ? &work->point[k].a : &work->point[k].b;
        for (int n = 0; n < side->nvert && work->point[k].gap < 0; n++) pushed |= side->vert[n] == v;
      }
      inside++, lonely += !pushed;
    }
    pl_data_destroy(data);
    pl_model_destroy(m);
  }
  printf("  %d vertices inside, %d without a point\n", inside, lonely);
  CHECK(inside > CHECK_MEMBERS(1000));
  CHECK_INT(lonely, 0);
}

// A soft ball in a wild shape, partly below a floor: the weight of a vertex grows with its depth, however
// little of the facets around it faces the floor. Others may lie on it.
static void a_fold_below_a_floor_can_carry_others(void) {
  plRandom r = {9};
  int below = 0;
  double least = INFINITY;
  for (int i = 0; i < CHECK_MEMBERS(200); i++) {
    char text[512];
    snprintf(
        text, sizeof text,
        "pliant: 1\ndeformables:\n  - {name: ball, shape: sphere, radius: 0.05, edge: 0.03, pose: {position: "
        "[0, 0, %.6g]}}\nshapes:\n  - {name: floor, shape: half_space}\n",
        pl_random(&r, -0.04, 0.05));
    const plModel* m = model_of(text);
    plError error = {0};
    plData* data = pl_data_create(m, &error);
    CHECK_INT(pl_step(data, &error), PL_OK);
    double wild = pl_random(&r, 0, 0.05);
    for (int k = 0; k < m->nq; k++) data->q[k] += pl_random(&r, -wild, wild);
    CHECK_INT(pl_contact_find(m, data), PL_OK);
    const plSkin* skin = data->work->contact->collider[0].skin;
    for (int v = 0; v < skin->nvert; v++) {
      double depth = -v3_load(data->q + m->deform_q0[0] + 3 * (size_t)v).z / skin->vert_limit[v], share = 0;
      if (skin->vert_tri[v] < 0 || !(depth > 0.1 && depth < 1)) continue;
      for (int k = 0; k < data->work->npoint; k++) {
        const plContactPoint* p = &data->work->point[k];
        const plContactSide* side = p->a.shape_id < 0 ? &p->a : &p->b;
        if (side->vert[0] == v) share = fmax(share, p->share);
      }
      below++, least = fmin(least, share / depth);
    }
    pl_data_destroy(data);
    pl_model_destroy(m);
  }
  printf("  %d vertices below, least share %.3f of the relative depth\n", below, least);
  CHECK(below > CHECK_MEMBERS(1000));
  CHECK(least > 0.45);  // PL_CLOSEST_SHARE
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_struck_body_stays_above_the_floor);
  RUN(a_surface_yields_by_its_law_alone);
  RUN(stacks_on_single_points_do_not_sink);
  RUN(what_is_rolled_over_does_not_sink);
  RUN(every_vertex_inside_has_a_point);
  RUN(a_crushed_body_stays_outside);
  RUN(a_body_crushed_on_a_soft_one_stays_outside);
  RUN(a_fast_body_crushed_in_a_step_stays_outside);
  RUN(a_weak_body_splashed_on_a_tool_stays_outside);
  RUN(a_fold_below_a_floor_can_carry_others);
  RUN(a_tool_overlaps_by_less_than_half_a_cell);
  RUN(a_scheme_adds_no_overlap_under_a_tool);
  return CHECK_END;
}

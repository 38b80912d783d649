// draw_soft.c: draws soft bodies: shape, law, element, attachments and loads.
#include <math.h>
#include <stdio.h>

#include "draw.h"

enum { BOX, SPHERE, ELLIPSOID, HALF_ELLIPSOID, CYLINDER, CAPSULE, TORUS, UNION, MESH };

// A body's mesh: half sizes, side of a cell, and an estimate of its number of vertices.
typedef struct Body {
  double half[3], cell;
  int shape, element;
} Body;

// The cells of a box with at most n vertices.
static void add_box(Draw* d, Text* t, Body* b, double size, int n) {
  int cells[3] = {1, 1, 1}, order = b->element == 2 ? 2 : 1;
  b->half[0] = size, b->half[1] = uniform(d, 0.2, 1) * size, b->half[2] = uniform(d, 0.2, 1) * size;
  for (int i = 0; i < 12; i++) {
    int axis = 0, count = 1;
    for (int k = 1; k < 3; k++)
      if (b->half[k] / cells[k] > b->half[axis] / cells[axis]) axis = k;
    for (int k = 0; k < 3; k++) count *= order * (cells[k] + (k == axis)) + 1;
    if (count > n) break;
    cells[axis]++;
  }
  b->cell = fmin(b->half[0] / cells[0], fmin(b->half[1] / cells[1], b->half[2] / cells[2])) * 2;
  text_add(t, "shape: box, size: [%.5g, %.5g, %.5g], cells: [%d, %d, %d]", 2 * b->half[0], 2 * b->half[1],
           2 * b->half[2], cells[0], cells[1], cells[2]);
}

static void add_round(Draw* d, Text* t, Body* b, double size, int n) {
  // 129 vertices of a ball need an edge of 0.6 radii, 25 an edge of 1
  double a = uniform(d, 0.8, 1) * size, c = uniform(d, 0.8, 1) * size,
         edge = (n > 200 && b->element != 2 && b->shape == SPHERE ? 0.65 : 1) * size;
  b->half[0] = b->half[1] = b->half[2] = size, b->cell = 0.7 * edge;
  switch (b->shape) {
    case SPHERE:
      text_add(t, "shape: sphere, radius: %.5g, edge: %.5g", size, edge);
      break;
    case ELLIPSOID:
    case HALF_ELLIPSOID:
      b->half[1] = a, b->half[2] = c, b->cell *= 0.7;
      text_add(t, "shape: %s, semi_axes: [%.5g, %.5g, %.5g], edge: %.5g",
               kind_name(GROUP_SOFT_SHAPE, b->shape), size, a, c, edge);
      break;
    case CYLINDER:
      b->half[0] = b->half[1] = a;
      text_add(t, "shape: cylinder, radius: %.5g, length: %.5g, edge: %.5g", a, 2 * size, edge);
      break;
    case CAPSULE:
      b->half[0] = b->half[1] = 0.7 * size, b->cell *= 0.7;
      text_add(t, "shape: capsule, radius: %.5g, length: %.5g, edge: %.5g", 0.7 * size, 0.6 * size,
               0.8 * size);
      break;
    case TORUS:
      b->half[2] = 0.28 * size, b->cell *= 0.4;
      text_add(t, "shape: torus, major_radius: %.5g, minor_radius: %.5g, edge: %.5g", 0.72 * size,
               0.28 * size, size);
      break;
    case UNION:
      b->half[1] = b->half[2] = 0.55 * size, b->cell = 0.2 * size;
      text_add(t,
               "shape: union, edge: %.5g, parts: [{shape: sphere, radius: %.5g, pose: {position: [%.5g, 0, "
               "0]}}, {shape: sphere, "
               "radius: %.5g, pose: {position: [%.5g, 0, 0]}}]",
               0.27 * size, 0.55 * size, -0.45 * size, 0.55 * size, 0.45 * size);
      break;
    default:
      b->half[1] = b->half[2] = size / 3, b->cell = 0.6 * size;
      text_add(t, "mesh: bar.msh, scale: %.5g", 2 * size);
  }
}

// Young's modulus: high enough that the body carries its own weight and survives the impact, and low enough
// that an explicit scheme is stable.
static double draw_young(Draw* d, double density, double size) {
  double v = d->speed + sqrt(2 * d->g * size),
         least = fmax(1e2, density * fmax(5 * d->g * 2 * size, v * v / 0.09));
  if (d->beyond) return spread(d, 10, 1e11);
  return spread(d, fmin(least, 1e9), 1e9);
}

// Returns the law.
static int add_material(Draw* d, Text* t, const Body* b, double density, double young) {
  int law = pick_kind(d, GROUP_LAW, 7);
  double nu = chance(d, 0.1)    ? uniform(d, -0.3, 0)
              : chance(d, 0.15) ? uniform(d, 0.45, 0.4999)
                                : uniform(d, 0, 0.45);
  if (law == 4 || law == 6) nu = fabs(nu);  // otherwise refused: no least energy at rest (docs/materials.md)
  double mu = young / (2 * (1 + nu)), lambda = young * nu / ((1 + nu) * (1 - 2 * nu));
  mark(d, GROUP_ELEMENT, b->element);
  text_add(t, ", material: {kind: %s", kind_name(GROUP_LAW, law));
  if (law == 5) {
    double part = uniform(d, 0.5, 1);
    text_add(t, ", c1: %.5g, c2: %.5g, bulk: %.5g", 0.5 * mu * part, 0.5 * mu * (1 - part),
             fmax(lambda + 2 * mu / 3, mu));
    lambda = fmax(lambda, mu);
  } else if (chance(d, 0.1)) {
    text_add(t, ", lame_lambda: %.5g, lame_mu: %.5g", lambda, mu);
  } else {
    text_add(t, ", young: %.5g, poisson: %.5g", young, nu);
  }
  text_add(t, ", density: %.5g", density);
  // a wave takes at least ten steps to cross a cell, and is not damped out in one
  double wave = sqrt((lambda + 2 * mu) / density), limit = (b->element == 2 ? 0.04 : 0.1) * b->cell / wave;
  bool stiff = d->scheme == 1;
  if (stiff) d->dt_explicit = fmin(d->dt_explicit, limit);
  double beta = chance(d, 0.25) ? 0
                : stiff         ? limit * spread(d, 1e-3, 0.05)
                                : spread(d, 1e-5, 0.05),
         alpha = chance(d, 0.12) ? spread(d, 0.01, 10) : 0;
  if (beta == 0 && alpha == 0) mark(d, GROUP_SOFT, 8);
  if (alpha > 0) mark(d, GROUP_SOFT, 7);
  text_add(t, ", damping: {mass: %.3g, stiffness: %.3g}", alpha, beta);
  if (b->element) text_add(t, ", element: %s", kind_name(GROUP_ELEMENT, b->element));
  if (chance(d, 0.2)) mark(d, GROUP_SOFT, 0), text_add(t, ", volumetric: patch");
  if (chance(d, 0.2)) mark(d, GROUP_SOFT, 1), text_add(t, ", mass: lumped");
  if (law == 1 && chance(d, 0.4) && d->scheme != 2 && d->scheme != 3)
    mark(d, GROUP_SOFT, 2), text_add(t, ", rotation: lagged");
  text_add(t, "}");
  return law;
}

// The end x <= -half of the body, or a random half of it.
static void add_region(Draw* d, Text* t, const Body* b) {
  if (chance(d, 0.6))
    text_add(t, "region: {shape: half_space, normal: [1, 0, 0], centre: [%.5g, 0, 0]}", -0.6 * b->half[0]);
  else if (chance(d, 0.5))
    text_add(t, "region: {shape: half_space, normal: [0, 0, -1], centre: [0, 0, %.5g]}",
             b->shape == HALF_ELLIPSOID ? -1e-3 * b->half[2] : 0.5 * b->half[2]);
  else
    text_add(t, "region: {indices: [0, 1, 2, 3]}");
}

static void add_loads(Draw* d, Text* t, const Body* b, double density, double young, bool linear) {
  // a pressure follows the rotating surface, but the stress of a linear body does not rotate
  int kind = pick_kind(d, GROUP_LOAD, linear ? 3 : 4);
  double push = fmin(0.05 * young, fmax(0.02 * young, density * d->g * b->half[0]));
  // A pressure acts along the normals at the start of the step, so it must not rotate a body noticeably
  // within one step. Other loads must not accelerate a free body beyond the range of speeds.
  if (kind == 3) push = fmin(push, density * b->cell * b->cell / (d->dt * d->dt));
  if (kind < 3) push = fmin(push, density * b->half[0] * 20 / (d->steps * d->dt));
  static const double share[] = {0.02, 1, 1, 1};
  double size = kind == 0   ? push * b->half[1] * b->half[2]
                : kind == 1 ? push / b->half[0]
                            : push,
         s = size * share[kind];
  text_add(t, ", loads: [{");
  if (kind == 0)
    add_region(d, t, b);
  else
    text_add(t, "region: {shape: all}");
  text_add(t, ", kind: %s, ", kind_name(GROUP_LOAD, kind));
  if (kind == 3) {
    text_add(t, "pressure: %.4g", uniform(d, -s, s));
  } else {
    double v[3];
    uniform3(d, -s, s, v);
    text_add(t, "vector: [%.4g, %.4g, %.4g]", v[0], v[1], v[2]);
  }
  if (chance(d, 0.5))
    text_add(t, ", factor: [{time: 0, value: 0}, {time: %.4g, value: 1}]", 0.5 * d->steps * d->dt);
  text_add(t, "}]");
}

// Part of the body is held by something else.
static void draw_attachment(Draw* d, const char* name, const Body* b, bool exact) {
  Text* t = &d->attachments;
  const Thing* other = d->nthing > 1 ? &d->thing[d->nthing - 2] : NULL;
  if (d->alone && !other) return;
  text_add(t, "  - {name: a%d, deformable: %s, ", d->nattach++, name);
  add_region(d, t, b);
  bool world = !other || (chance(d, 0.3) && !d->alone);
  if (!world) text_add(t, ", to: %s", other->name);
  mark(d, GROUP_ATTACHMENT, world ? 0 : other->soft ? 2 : 1);
  if (exact && (world || !other->soft) && chance(d, 0.6)) {
    mark(d, GROUP_ATTACHMENT, 3), text_add(t, ", exact: true");
  } else if (chance(d, 0.3)) {
    double relaxation_time = chance(d, 0.5) ? 0 : spread(d, 1e-3, 0.1), stiffness = spread(d, 10, 1e6);
    mark(d, GROUP_ATTACHMENT, 4);
    text_add(t, ", stiffness: %.3g, relaxation_time: %.2g", stiffness, relaxation_time);
  }
  text_add(t, "}\n");
}

void draw_soft(Draw* d) {
  char name[16];
  Text* t = &d->deformables;
  double size = 0.5 * d->unit * uniform(d, 0.5, 1), x, y, z;
  double density = fmin(2e4, fmax(20, d->density * spread(d, 0.3, 3)));
  if (d->vertices < 27 || d->nsoft == 3) {
    draw_rigid(d);
    return;
  }
  Body b = {.shape = chance(d, 0.1) ? BOX : pick(d, 9)};
  b.element = chance(d, 0.6) ? 0 : 1 + pick(d, 2);
  bool plane = chance(d, 0.06);
  if (d->nsoft == 0 && chance(d, 0.04)) b.shape = UNION, b.element = 0, d->vertices = 265;
  int n = (int)fmin(d->vertices, spread(d, 27, MAX_VERTEX));
  static const int coarse[] = {27, 25, 33, 40, 64, 64, 110, 265, 16},
                   quadratic[] = {27, 129, 160, 190, 240, 260, 999, 999, 80};
  // a shape that does not fit is replaced by a box
  if ((b.element == 2 ? quadratic : coarse)[b.shape] > d->vertices || plane) b.shape = BOX;
  snprintf(name, sizeof name, "d%d", d->nsoft++);
  mark(d, GROUP_SOFT_SHAPE, b.shape), mark(d, GROUP_BODY, 2);
  text_add(t, "  - {name: %s, ", name);
  if (b.shape == BOX)
    add_box(d, t, &b, size, n);
  else
    add_round(d, t, &b, size, n);
  d->vertices -= b.shape == BOX                 ? n
                 : b.element == 2               ? quadratic[b.shape]
                 : b.shape == SPHERE && n > 200 ? 129
                                                : coarse[b.shape];
  bool turned = chance(d, 0.5) && !plane;
  double reach = sqrt(b.half[0] * b.half[0] + b.half[1] * b.half[1] + b.half[2] * b.half[2]);
  place(d, turned ? reach : b.half[2], reach, &x, &y, &z);
  text_add(t, ", ");
  add_pose(d, t, x, y, z, turned);
  add_velocity(d, t, size, x, y);
  double young = draw_young(d, density, size);
  int law = add_material(d, t, &b, density, young);
  add_surface(d, t, density, size, false);
  if (plane) mark(d, GROUP_SOFT, 3), text_add(t, ", plane_strain: true");
  if (chance(d, 0.08)) mark(d, GROUP_SOFT, 4), text_add(t, ", self_contact: false");
  bool held = !d->alone && chance(d, 0.2);
  if (held) {
    mark(d, GROUP_SOFT, 5);
    text_add(t, ", fixed: [{");
    add_region(d, t, &b);
    if (chance(d, 0.2)) text_add(t, ", components: xz");
    if (chance(d, 0.4)) {
      mark(d, GROUP_SOFT, 6);
      double dz = plane ? 0 : uniform(d, -0.3, 0.3) * size;
      double dy = uniform(d, -0.3, 0.3) * size, dx = uniform(d, -0.3, 0.3) * size;
      text_add(t, ", motion: [{time: 0, offset: [0, 0, 0]}, {time: %.4g, offset: [%.4g, %.4g, %.4g]}]",
               0.7 * d->steps * d->dt, dx, dy, dz);
    }
    text_add(t, "}]");
  }
  if (chance(d, 0.25)) add_loads(d, t, &b, density, young, law == 0);
  text_add(t, "}\n");
  add_thing(d, name, true, x, y, z, reach);
  if (!held && chance(d, 0.36)) draw_attachment(d, name, &b, law <= 1 && !plane);
}

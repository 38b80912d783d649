// draw_rigid.c: ground, free rigid bodies, mechanisms of joints, robots, constraints.
#include <math.h>
#include <stdio.h>

#include "draw.h"

enum { HALF_SPACE, SPHERE, BOX, CAPSULE, CYLINDER, ELLIPSOID, MESH, CONVEX };

// Writes the size keys of a shape of about `size` (half of its largest extent) and sets its half sizes.
static void shape_size(Draw* d, Text* t, int kind, double size, double half[3]) {
  double a = uniform(d, 0.4, 1) * size, b = uniform(d, 0.4, 1) * size;
  half[0] = half[1] = half[2] = size;
  switch (kind) {
    case SPHERE:
      text_add(t, "shape: sphere, radius: %.5g", size);
      break;
    case BOX:
      half[0] = size, half[1] = a, half[2] = b;
      text_add(t, "shape: box, size: [%.5g, %.5g, %.5g]", 2 * size, 2 * a, 2 * b);
      break;
    case CAPSULE:
      half[0] = half[1] = 0.5 * a, half[2] = size;
      text_add(t, "shape: capsule, radius: %.5g, length: %.5g", 0.5 * a, 2 * size - a);
      break;
    case CYLINDER:
      half[0] = half[1] = a, half[2] = b;
      text_add(t, "shape: cylinder, radius: %.5g, length: %.5g", a, 2 * b);
      break;
    case ELLIPSOID:
      half[1] = a, half[2] = b;
      text_add(t, "shape: ellipsoid, semi_axes: [%.5g, %.5g, %.5g]", size, a, b);
      break;
    default: {
      const char* file = kind == CONVEX && chance(d, 0.5) ? "gem.obj"
                         : chance(d, 0.5)                 ? "wedge.obj"
                                                          : "angle.obj";
      text_add(t, "mesh: %s, scale: %.5g%s", file, 1.4 * size, kind == CONVEX ? ", convex: true" : "");
    }
  }
}

// One entry of `shapes`; half gets its half sizes.
static void add_shape(Draw* d, const char* body, int kind, double size, double density, const char* pose,
                      double half[3]) {
  mark(d, GROUP_SHAPE, kind);
  text_add(&d->shapes, "  - {name: s%d, ", d->nshape++);
  shape_size(d, &d->shapes, kind, size, half);
  if (body) text_add(&d->shapes, ", body: %s", body);
  if (pose) text_add(&d->shapes, ", %s", pose);
  add_surface(d, &d->shapes, density, size, true);
  text_add(&d->shapes, "}\n");
}

void draw_ground(Draw* d) {
  if (!d->ground) {
    mark(d, GROUP_SITUATION, 2);
    return;
  }
  char pose[64];
  double half[3], size = d->unit * uniform(d, 4, 8);
  if (chance(d, 0.6)) {
    mark(d, GROUP_SITUATION, 0), mark(d, GROUP_SHAPE, HALF_SPACE);
    text_add(&d->shapes, "  - {name: s%d, shape: half_space", d->nshape++);
    add_surface(d, &d->shapes, d->density, d->unit, !d->rest);
    text_add(&d->shapes, "}\n");
    return;
  }
  // a box or another shape, with its highest point at 0
  mark(d, GROUP_SITUATION, 1);
  int kind = d->rest || chance(d, 0.6) ? BOX : 1 + pick(d, 7);
  if (kind == BOX) {
    mark(d, GROUP_SHAPE, kind);
    text_add(&d->shapes, "  - {name: s%d, shape: box, size: [%.5g, %.5g, %.5g]", d->nshape++, 2 * size,
             2 * size, size);
    snprintf(pose, sizeof pose, ", pose: {position: [0, 0, %.5g]}", -0.5 * size);
    text_add(&d->shapes, "%s", pose);
    add_surface(d, &d->shapes, d->density, d->unit, !d->rest);
    text_add(&d->shapes, "}\n");
    return;
  }
  snprintf(pose, sizeof pose, "pose: {position: [0, 0, %.5g]}", -size);
  add_shape(d, NULL, kind, size, d->density, pose, half);
}

// mass and moments of a box of these half sizes
static void add_inertia(Draw* d, Text* t, double mass, const double half[3]) {
  double f = mass / 3 * uniform(d, 0.6, 1);
  double x = half[0] * half[0], y = half[1] * half[1], z = half[2] * half[2];
  text_add(t, ", mass: %.5g, inertia: [%.5g, %.5g, %.5g]", mass, f * (y + z), f * (x + z), f * (x + y));
  if (chance(d, 0.1)) {
    double most = 0.1 * f * fmin(x, fmin(y, z)), p[3];
    uniform3(d, -most, most, p);
    text_add(t, ", products: [%.3g, %.3g, %.3g]", p[0], p[1], p[2]);
  }
  if (chance(d, 0.15) && !d->rest) {
    double c[3];
    uniform3(d, -0.3, 0.3, c);
    text_add(t, ", com: [%.3g, %.3g, %.3g]", c[0] * half[0], c[1] * half[1], c[2] * half[2]);
  }
  if (chance(d, 0.03) && !d->rest) text_add(t, ", gravity: %.2g", uniform(d, -1, 2));
}

static double body_mass(double density, const double half[3]) {
  return fmin(1e4, fmax(1e-3, density * 6 * half[0] * half[1] * half[2]));
}

void draw_rigid(Draw* d) {
  char name[16];
  double half[3], x, y, z, size = 0.5 * d->unit * uniform(d, 0.4, 1),
                           density = fmin(2e4, fmax(20, d->density * spread(d, 0.1, 10)));
  int kind = d->rest ? BOX : 1 + pick(d, 7);
  bool turned = !d->rest && chance(d, 0.5), two = !d->rest && chance(d, 0.15);
  snprintf(name, sizeof name, "r%d", d->nrigid++);
  add_shape(d, name, kind, size, density, NULL, half);
  double reach = sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]) * (kind >= MESH ? 1.2 : 1);
  if (two) {
    char pose[64];
    double other[3];
    mark(d, GROUP_BODY, 4);
    snprintf(pose, sizeof pose, "pose: {position: [%.4g, 0, 0]}", half[0]);
    add_shape(d, name, 1 + pick(d, 5), 0.5 * size, density, pose, other);
    reach = fmax(reach, half[0] + 0.9 * size);
  }
  place(d, turned || two || kind >= MESH ? reach : half[2], reach, &x, &y, &z);
  text_add(&d->bodies, "  - {name: %s", name);
  add_inertia(d, &d->bodies, body_mass(density, half), half);
  text_add(&d->bodies, ", ");
  add_pose(d, &d->bodies, x, y, z, turned);
  add_velocity(d, &d->bodies, size, x, y);
  text_add(&d->bodies, "}\n");
  mark(d, GROUP_BODY, 0);
  add_thing(d, name, false, x, y, z, reach)->turned = turned;
}

// Everything about a joint of a mechanism except its kind; torque: about what gravity exerts on it.
static void add_joint_extras(Draw* d, Text* t, int kind, double torque, double length, double mass) {
  bool one = kind == 1 || kind == 2 || kind == 3 || kind == 4, slides = kind == 3;
  double range = slides ? length : 1, T = d->steps * d->dt;
  if (one && kind != 2 && chance(d, 0.4)) {
    double upper = uniform(d, 0.05, 1) * range, lower = -uniform(d, 0.05, 1) * range;
    text_add(t, ", lower: %.3g, upper: %.3g", lower, upper);
  }
  if (kind == 6 && chance(d, 0.2)) text_add(t, ", upper: %.3g", uniform(d, 0.2, 2));
  if (kind != 0 && kind != 8) {
    if (chance(d, 0.4)) text_add(t, ", damping: %.3g", torque * T * spread(d, 1e-3, 1));
    if (chance(d, 0.2) && kind != 6) text_add(t, ", friction: %.3g", torque * spread(d, 1e-2, 1));
    if (chance(d, 0.2)) text_add(t, ", stiffness: %.3g", torque * spread(d, 0.1, 10));
    if (chance(d, 0.1))
      text_add(t, ", armature: %.3g", mass * (slides ? 1 : length * length) * spread(d, 1e-3, 1));
  }
  if (one && chance(d, 0.3))
    text_add(t, ", velocity: %.3g", uniform(d, -1, 1) * fmin(d->speed, 10) / (slides ? 1 : fmax(1, length)));
  if (chance(d, 0.04)) text_add(t, ", locked: true");
  if (one && chance(d, 0.5)) {
    int a = pick_kind(d, GROUP_ACTUATOR, 4);
    double kp = torque * spread(d, 0.1, 100), kd = kp * T * spread(d, 1e-3, 0.3);
    text_add(t, ", actuator: {kind: %s", kind_name(GROUP_ACTUATOR, a));
    if (a == 1 || a == 3) text_add(t, ", kp: %.3g", kp);
    if (a) text_add(t, ", kd: %.3g", kd);
    if (chance(d, 0.4)) text_add(t, ", effort: %.3g", torque * spread(d, 0.1, 10));
    double size = a == 0 ? torque : a == 2 ? range / T : range;
    if (chance(d, 0.4))
      add_table(d, t, 0, 0.5 * size);
    else if (chance(d, 0.6))
      text_add(t, ", input: %.3g", uniform(d, -size, size));
    text_add(t, "}");
  }
}

static void add_axes(Draw* d, Text* t, int kind) {
  static const char* const axes[] = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
  int a = pick(d, 3);
  if (kind == 0 || kind == 6 || kind == 8) return;
  if ((kind == 5 || kind == 7)) {
    text_add(t, ", axis: %s, axis2: %s", axes[a], axes[(a + 1 + pick(d, 2)) % 3]);
  } else if (chance(d, 0.6)) {
    text_add(t, ", axis: %s", axes[a]);
  } else {
    double y = uniform(d, -1, 1), x = uniform(d, -1, 1);
    text_add(t, ", axis: [%.3g, %.3g, 1]", x, y);
  }
  if (kind == 4) text_add(t, ", pitch: %.3g", uniform(d, -1, 1) * d->unit);
}

// A chain of bodies, sideways or upright; its shapes leave gaps between neighbours.
void draw_mechanism(Draw* d) {
  int n = chance(d, 0.1) ? 8 + pick(d, 5) : 1 + pick(d, 5);
  bool upright = chance(d, 0.3), hung = !d->alone || chance(d, 0.6);
  int one_kind = chance(d, 0.4) ? pick(d, 8) : -1;
  if (n == 1 && chance(d, 0.5)) n = 2;
  d->world |= hung;
  double size = 0.5 * d->unit * uniform(d, 0.3, 1),
         density = fmin(2e4, fmax(20, d->density * spread(d, 0.1, 10)));
  double step = 2.6 * size, dir[3] = {upright ? 0 : 1, 0, upright ? 1 : 0};
  double x0 = uniform(d, -1, 1) * size, z0 = d->top + 1.1 * size + spread(d, 1e-3, 3) * d->unit, half[3];
  char parent[16] = "";
  limit_turn(d, size, n * step + z0);
  for (int i = 0; i < n; i++) {
    char name[16];
    snprintf(name, sizeof name, "r%d", d->nrigid++);
    int kind = i == 0 && !hung  ? 8
               : one_kind >= 0  ? one_kind
               : chance(d, 0.2) ? 1 + pick(d, 4)
                                : pick(d, i == 0 || chance(d, 0.2) ? 9 : 8);
    // rotates about the end of the chain
    add_shape(d, name, chance(d, 0.3) ? SPHERE : chance(d, 0.5) ? BOX : CAPSULE, size, density, NULL, half);
    double mass = body_mass(density, half) * spread(d, 0.3, 3);
    double torque = mass * fmax(d->g, 0.1) * (kind == 3 ? 1 : size) * (n - i);
    mass = fmin(1e4, fmax(1e-3, mass));
    mark(d, GROUP_JOINT, kind), mark(d, GROUP_BODY, 1);
    text_add(&d->bodies, "  - {name: %s", name);
    add_inertia(d, &d->bodies, mass, half);
    text_add(&d->bodies, ", joint: {kind: %s", kind_name(GROUP_JOINT, kind));
    if (parent[0]) text_add(&d->bodies, ", parent: %s", parent);
    double x = i ? step * dir[0] : x0, z = i ? step * dir[2] : z0;
    text_add(&d->bodies, ", pose: {position: [%.17g, 0, %.17g]}", x, z);
    add_axes(d, &d->bodies, kind);
    add_joint_extras(d, &d->bodies, kind, torque, size, mass);
    text_add(&d->bodies, "}}\n");
    if (kind >= 1 && kind <= 4 && d->nhinge < MAX_THING) snprintf(d->hinge[d->nhinge++], 16, "%s", name);
    add_thing(d, name, false, x0 + i * step * dir[0], 0, z0 + i * step * dir[2], size);
    snprintf(parent, sizeof parent, "%s", name);
  }
  d->top = z0 + (upright ? (n - 1) * step : 0) + 1.8 * size;
}

void draw_robot(Draw* d) {
  static const char* const file[] = {"arm.urdf", "cart.sdf", "hopper.xml"};
  int kind = pick_kind(d, GROUP_ROBOT, 3);
  limit_turn(d, 0.06, 1);
  bool weld = d->ground && chance(d, 0.4);
  double low[] = {0.05, 0.14, 0.5}, high[] = {0.8, 0.05, 0.1};
  double z = d->top + low[kind] + spread(d, 1e-3, 1) * 0.2;
  double y = uniform(d, -0.1, 0.1), x = uniform(d, -0.1, 0.1);
  text_add(&d->robots, "  - {name: robot%d, file: %s, pose: {position: [%.4g, %.4g, %.5g]}, base: %s",
           d->nrobot++, file[kind], x, y, z, weld ? "weld" : "free");
  if (kind == 0 && chance(d, 0.5)) {
    double kd = spread(d, 0.1, 10), kp = spread(d, 1, 1000), shoulder = uniform(d, -1, 1);
    text_add(&d->robots,
             ", joints: [{name: shoulder, position: %.3g}], controllers: [{joint: elbow, kp: %.3g, kd: %.3g",
             shoulder, kp, kd);
    add_table(d, &d->robots, 0, 1);
    text_add(&d->robots, "}]");
  }
  if (chance(d, 0.3)) text_add(&d->robots, ", joint_friction: %.2g", uniform(d, 0, 1));
  text_add(&d->robots, "}\n");
  d->top = z + high[kind];
  mark(d, GROUP_BODY, 3);
}

// A constraint that holds at the start.
void draw_constraint(Draw* d) {
  int kind = d->nhinge && chance(d, 0.6) ? 3 + pick(d, 3) : pick(d, 3);
  Text* t = &d->constraints;
  const Thing *a = NULL, *b = NULL;
  for (int i = 0; i < 8 && !(a && b); i++) {
    const Thing* x = d->nthing ? &d->thing[pick(d, d->nthing)] : NULL;
    if (x && !x->soft && x != a && (kind == 2 || !x->turned)) *(a ? &b : &a) = x;
  }
  if (kind < 3 && !a) kind = 3 + pick(d, 3);
  if (kind >= 3 && d->nhinge < 2) kind = d->nhinge ? 5 : a ? pick(d, 3) : -1;
  if (kind < 0) return;
  mark(d, GROUP_CONSTRAINT, kind);
  text_add(t, "  - {name: c%d, kind: %s", d->nconstraint++, kind_name(GROUP_CONSTRAINT, kind));
  if (kind < 3) {
    bool world = !b || (chance(d, 0.4) && !d->alone);
    d->world |= world;
    double bx = world ? 0 : b->x, by = world ? 0 : b->y, bz = world ? 0 : b->z;
    text_add(t, ", a: %s, b: %s", a->name, world ? "world" : b->name);
    if (kind == 2) {
      double n = sqrt((a->x - bx) * (a->x - bx) + (a->y - by) * (a->y - by) + (a->z - bz) * (a->z - bz));
      text_add(t, ", length: %.17g", n);
      if (chance(d, 0.2)) add_table(d, t, 0, 0.2 * n);
    } else {
      text_add(t, ", pose_b: {position: [%.17g, %.17g, %.17g]}", a->x - bx, a->y - by, a->z - bz);
    }
  } else if (kind == 3) {
    text_add(t, ", a: %s, b: %s, ratio: %.3g", d->hinge[0], d->hinge[1], uniform(d, -2, 2));
  } else if (kind == 4) {
    double upper = uniform(d, 0, 0.5), lower = -uniform(d, 0, 0.5);
    double second = uniform(d, -2, 2), first = uniform(d, -2, 2);
    text_add(t, ", joints: [%s, %s], coefficients: [%.3g, %.3g], lower: %.3g, upper: %.3g", d->hinge[0],
             d->hinge[1], first, second, lower, upper);
  } else {
    double frequency = uniform(d, 0, 2) / (d->steps * d->dt);
    double amplitude = uniform(d, 0, 0.3) * fmin(1, d->unit);
    text_add(t, ", a: %s, amplitude: %.3g, frequency: %.3g", d->hinge[d->nhinge - 1], amplitude, frequency);
  }
  if (kind != 5 && chance(d, 0.2)) {
    double damping = spread(d, 0.1, 100), stiffness = spread(d, 1e2, 1e6);
    text_add(t, ", stiffness: %.3g, damping: %.3g", stiffness, damping);
  }
  text_add(t, "}\n");
}

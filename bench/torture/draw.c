// draw.c: draws a scene as a whole: its options, its situation, and how many things of each kind it has.
//
// Ranges: gravity 0 to 100 m/s^2, speeds to 50 m/s, masses 1e-3 to 1e4 kg, E 1e2 to 1e9 Pa with rho g L <=
// 0.2 E and v <= 0.3 sqrt(E / rho), dt 2e-4 to 0.03 s (shorter for explicit schemes), 50 to 300 steps. 3 % of
// the scenes exceed these ranges (draw_soft.c). Nothing overlaps at the start. A scene is never drawn a
// second time, whatever the outcome.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw.h"

const GroupNames group_names[GROUP_COUNT] = {
    [GROUP_SCHEME] = {"scheme", {"backward_euler", "symplectic_euler", "midpoint", "theta"}},
    [GROUP_CONTACT_LAW] = {"contact law", {"cone", "coulomb", "similar"}},
    [GROUP_LAW] = {"law",
                   {"linear", "linear_corotated", "corotated", "saint_venant_kirchhoff", "neo_hookean",
                    "mooney_rivlin", "fixed_corotated"}},
    [GROUP_ELEMENT] = {"element", {"tet4", "tet4_smoothed", "tet10"}},
    [GROUP_SOFT_SHAPE] = {"soft shape",
                          {"box", "sphere", "ellipsoid", "half_ellipsoid", "cylinder", "capsule", "torus",
                           "union", "mesh"}},
    [GROUP_SOFT] = {"soft body",
                    {"patch", "lumped", "lagged rotation", "plane_strain", "self_contact", "held", "moved",
                     "damping of mass", "undamped"}},
    [GROUP_LOAD] = {"load", {"vertex", "force_density", "traction", "pressure"}},
    [GROUP_SHAPE] = {"shape",
                     {"half_space", "sphere", "box", "capsule", "cylinder", "ellipsoid", "mesh",
                      "convex mesh"}},
    [GROUP_BODY] = {"body", {"free rigid", "jointed", "soft", "robot", "of two shapes"}},
    [GROUP_JOINT] = {"joint",
                     {"fixed", "revolute", "continuous", "prismatic", "screw", "universal", "ball", "planar",
                      "free"}},
    [GROUP_ACTUATOR] = {"actuator", {"motor", "position", "velocity", "pd"}},
    [GROUP_CONSTRAINT] = {"constraint", {"ball", "weld", "distance", "coupler", "tendon", "motion"}},
    [GROUP_ATTACHMENT] = {"attachment", {"to the world", "to a body", "to a deformable", "exact", "finite"}},
    [GROUP_ROBOT] = {"robot", {"URDF", "SDFormat", "MJCF"}},
    [GROUP_OPTION] = {"option",
                      {"coupling once", "rigid_contact point", "contact_points", "gap_closing", "tolerance",
                       "finite stiffness", "belt", "exclude"}},
    [GROUP_SITUATION] = {"situation",
                         {"half space", "floor", "no ground", "isolated", "weightless", "at rest", "thrown",
                          "beyond"}},
};

bool chance(Draw* d, double p) { return pl_random(&d->r, 0, 1) < p; }
double uniform(Draw* d, double a, double b) { return pl_random(&d->r, a, b); }
double spread(Draw* d, double a, double b) { return a * exp(pl_random(&d->r, 0, 1) * log(b / a)); }
void uniform3(Draw* d, double a, double b, double out[3]) {
  for (int i = 2; i >= 0; i--) out[i] = uniform(d, a, b);
}
int pick(Draw* d, int n) { return pl_random_int(&d->r, n); }
void mark(Draw* d, Group group, int kind) { d->scene->kinds[group] |= UINT32_C(1) << kind; }
const char* kind_name(Group group, int kind) { return group_names[group].name[kind]; }

int pick_kind(Draw* d, Group group, int n) {
  int kind = pick(d, n);
  mark(d, group, kind);
  return kind;
}

void add_pose(Draw* d, Text* t, double x, double y, double z, bool turned) {
  text_add(t, "pose: {position: [%.17g, %.17g, %.17g]", x, y, z);
  if (turned) {
    double yaw = uniform(d, -3.1, 3.1), pitch = uniform(d, -1.5, 1.5), roll = uniform(d, -3.1, 3.1);
    text_add(t, ", rpy: [%.4g, %.4g, %.4g]", roll, pitch, yaw);
  }
  text_add(t, "}");
}

void add_surface(Draw* d, Text* t, double density, double size, bool rigid) {
  double speed = d->speed + sqrt(2 * d->g * size);
  double k = density * fmax(100 * d->g, 100 * speed * speed / size);
  text_add(t, ", surface: {friction: %.3g",
           chance(d, 0.2)   ? 0
           : chance(d, 0.1) ? spread(d, 1.5, 10)
                            : uniform(d, 0, 1.5));
  if (chance(d, 0.1) && k < 1e10) {
    mark(d, GROUP_OPTION, 5);
    text_add(t, ", contact_stiffness: %.3g", spread(d, fmax(1e6, k), 1e10));
  }
  if (chance(d, 0.3)) text_add(t, ", relaxation_time: %.3g", chance(d, 0.3) ? 0 : spread(d, 1e-3, 1));
  if (chance(d, 0.3)) text_add(t, ", dissipation: %.3g", chance(d, 0.3) ? 0 : spread(d, 0.01, 100));
  if (rigid && chance(d, 0.02)) {
    mark(d, GROUP_OPTION, 6);
    double vy = uniform(d, -2, 2), vx = uniform(d, -2, 2);
    text_add(t, ", surface_velocity: [%.3g, %.3g, 0]", vx, vy);
  }
  text_add(t, "}");
}

void add_table(Draw* d, Text* t, double start, double size) {
  double T = d->steps * d->dt;
  double last = start + uniform(d, -size, size), second = start + uniform(d, -size, size);
  text_add(t, ", times: [0, %.4g, %.4g], values: [%.5g, %.4g, %.4g]", 0.3 * T, 0.8 * T, start, second, last);
  if (chance(d, 0.5)) text_add(t, ", interpolation: cubic");
}

void add_velocity(Draw* d, Text* t, double size, double x, double y) {
  if (d->rest || d->speed == 0) return;
  double v[3], s = chance(d, 0.7) ? d->speed : uniform(d, 0, d->speed), n = 0;
  // Most bodies are thrown at something: downwards, except the first one if there is nothing below it.
  double aim[3] = {-x, -y, d->toward && d->nthing == 0 ? d->unit : -d->unit};
  bool at = chance(d, 0.75);
  for (int i = 0; i < 3; i++)
    v[i] = at ? aim[i] + uniform(d, -0.2, 0.2) * d->unit : uniform(d, -1, 1), n += v[i] * v[i];
  n = n > 0 ? sqrt(n) : 1;
  text_add(t, ", velocity: [%.4g, %.4g, %.4g]", s * v[0] / n, s * v[1] / n, s * v[2] / n);
  mark(d, GROUP_SITUATION, 6);
  if (chance(d, 0.5)) {
    double most = spread(d, 0.01, 1) * s / size, w[3];
    uniform3(d, -most, most, w);
    text_add(t, ", angular_velocity: [%.4g, %.4g, %.4g]", w[0], w[1], w[2]);
  }
}

void place(Draw* d, double half_height, double half_width, double* x, double* y, double* z) {
  double T = d->steps * d->dt, way = (d->scheme == 1 ? 0.01 : 0.1) * (d->speed * T + 0.5 * d->g * T * T);
  double gap = d->rest ? 0 : fmin(way, spread(d, 1e-4, 0.3) * d->unit);
  *x = d->rest ? 0 : uniform(d, -0.3, 0.3) * half_width,
  *y = d->rest ? 0 : uniform(d, -0.3, 0.3) * half_width;
  *z = d->top + gap + half_height;
  d->top = *z + half_height;
}

void limit_turn(Draw* d, double length, double height) {
  double speed = d->speed + sqrt(2 * d->g * height);
  if (!d->beyond) d->dt = fmin(d->dt, 0.2 * length / fmax(speed, 1e-3));
}

Thing* add_thing(Draw* d, const char* name, bool soft, double x, double y, double z, double size) {
  if (d->nthing == MAX_THING) return &d->thing[MAX_THING - 1];
  Thing* t = &d->thing[d->nthing++];
  *t = (Thing){.soft = soft, .x = x, .y = y, .z = z, .size = size};
  snprintf(t->name, sizeof t->name, "%s", name);
  return t;
}

static void draw_setting(Draw* d) {
  d->beyond = chance(d, 0.03);
  d->rest = !d->beyond && chance(d, 0.08);
  d->ground = d->rest || chance(d, 0.75);
  d->alone = !d->ground;
  d->g = chance(d, 0.12) && !d->rest ? 0 : chance(d, 0.5) ? 9.81 : spread(d, 0.1, 100);
  d->speed = d->rest || chance(d, 0.2) ? 0 : spread(d, 0.02, 50);
  d->toward = !d->ground;
  d->unit = spread(d, 0.02, 1);
  d->density = spread(d, 50, 1e4);
  d->steps = (int)spread(d, 50, 300);
  d->dt = spread(d, 2e-4, 0.03), d->dt_explicit = INFINITY;
  d->scheme = chance(d, 0.6) ? 0 : chance(d, 0.3) ? 1 : chance(d, 0.6) ? 2 : 3;
  if (d->scheme == 1) d->dt = spread(d, 1e-5, 5e-4);
  mark(d, GROUP_SCHEME, d->scheme);
  d->vertices = (int)spread(d, 60, MAX_VERTEX);
  if (d->beyond) mark(d, GROUP_SITUATION, 7);
  if (d->rest) mark(d, GROUP_SITUATION, 5);
  if (d->g == 0) mark(d, GROUP_SITUATION, 4);
}

static void draw_options(Draw* d, Text* t) {
  double dt = fmin(d->dt, d->dt_explicit), a = uniform(d, 0.5, 1), b = uniform(d, 0.5, 1);
  text_add(t, "options: {dt: %.4g, duration: %.6g, gravity: ", dt, d->steps * dt);
  if (d->rest || d->g == 0 || chance(d, 0.7)) {
    text_add(t, "[0, 0, %.4g]", 0 - d->g);
  } else {
    double y = d->g * uniform(d, -0.3, 0.3), x = d->g * uniform(d, -0.3, 0.3);
    text_add(t, "[%.4g, %.4g, %.4g]", x, y, -0.9 * d->g);
  }
  if (d->scheme == 3)
    text_add(t, ", theta: %.3g, theta_vq: %.3g", a, chance(d, 0.5) ? a : b);
  else if (d->scheme)
    text_add(t, ", scheme: %s", kind_name(GROUP_SCHEME, d->scheme));
  int law = chance(d, 0.5) ? 1 : 2 * pick(d, 2);  // Half of the scenes keep the default, Coulomb's law.
  mark(d, GROUP_CONTACT_LAW, law);
  if (law != 1) text_add(t, ", contact_law: %s", kind_name(GROUP_CONTACT_LAW, law));
  if (chance(d, 0.05)) mark(d, GROUP_OPTION, 0), text_add(t, ", coupling: once");
  if (chance(d, 0.05)) mark(d, GROUP_OPTION, 1), text_add(t, ", rigid_contact: point");
  if (chance(d, 0.05)) mark(d, GROUP_OPTION, 2), text_add(t, ", contact_points: %d", 4 + pick(d, 8));
  if (chance(d, 0.05)) mark(d, GROUP_OPTION, 3), text_add(t, ", gap_closing: %.2g", uniform(d, 0.1, 1));
  if (chance(d, 0.05)) mark(d, GROUP_OPTION, 4), text_add(t, ", tolerance: %.2g", spread(d, 1e-9, 1e-3));
  if (chance(d, 0.05)) {
    double near_rigid = spread(d, 0.1, 2), sigma = spread(d, 1e-4, 0.1);
    text_add(t, ", friction_sigma: %.2g, near_rigid: %.2g", sigma, near_rigid);
  }
  text_add(t, "}\n");
}

static void add_section(Text* t, const char* name, Text* entries) {
  if (entries->n) text_add(t, "%s:\n%s", name, entries->s);
  text_free(entries);
}

void draw_scene(uint64_t seed, int k, Scene* scene) {
  // Mixed twice. Otherwise the streams of two seeds or scenes whose states differ by a few draws would be the
  // same except for a shift, and so would many scenes.
  plRandom of_seed = {seed}, of_scene = {pl_random_bits(&of_seed) + (uint64_t)k};
  Draw draw = {.scene = scene, .r = {pl_random_bits(&of_scene)}};
  Draw* d = &draw;
  *scene = (Scene){0};
  draw_setting(d);
  draw_ground(d);
  if (chance(d, 0.35) && !d->rest) draw_mechanism(d);
  if (chance(d, 0.12) && !d->rest) draw_robot(d);
  int nsoft = d->rest          ? 0
              : chance(d, 0.3) ? 0
              : chance(d, 0.6) ? 1
                               : 2,
      nrigid = d->rest ? 1 + pick(d, 3) : pick(d, 4);
  if (nsoft + nrigid == 0) nsoft = nrigid = 1;
  while (nsoft + nrigid > 0)
    if (pick(d, nsoft + nrigid) < nsoft)
      draw_soft(d), nsoft--;
    else
      draw_rigid(d), nrigid--;
  if (!d->rest)
    for (int i = chance(d, d->nhinge ? 0.6 : 0.25) ? 1 + pick(d, 2) : 0; i > 0; i--) draw_constraint(d);
  if (d->alone && !d->world) mark(d, GROUP_SITUATION, 3);
  if (chance(d, 0.06) && d->nthing >= 2) {
    mark(d, GROUP_OPTION, 7);
    text_add(&d->exclude, "  - {a: %s, b: %s}\n", d->thing[0].name, d->thing[1].name);
  }
  Text* t = &scene->text;
  if (d->beyond) text_add(t, "%s\n", MARK_BEYOND);
  if (d->rest) text_add(t, "%s\n", MARK_REST);
  text_add(t, "pliant: 1\n");
  draw_options(d, t);
  add_section(t, "robots", &d->robots);
  add_section(t, "bodies", &d->bodies);
  add_section(t, "deformables", &d->deformables);
  add_section(t, "shapes", &d->shapes);
  add_section(t, "attachments", &d->attachments);
  add_section(t, "constraints", &d->constraints);
  add_section(t, "exclude", &d->exclude);
}

void scene_free(Scene* scene) { text_free(&scene->text); }

// throws.c: random bodies thrown at plates, and past them: nothing passes, nothing that misses is touched.
//
//   build/bench/throws [--quick] [--count N] [--miss N] [--seed S] [--law cone|coulomb] [--verbose]
//                      [--trace] [--motion FILE]
//
// Plates of 1 to 20 mm, rigid (box or mesh) or soft and clamped; movers: soft bricks, needles and tori, rigid
// boxes, needles, spheres, capsules, cylinders, ellipsoids, hulls, meshes, tori and fingers of two capsules;
// 0.1 to 100 m/s, any direction, dt 1 to 20 ms, spin with omega dt up to 0.3, of a third up to 1.5. Half of
// the throws aim at the plate, the others past its rim or at it. The check is independent of the contact
// search: it follows sample points of the mover through the steps and tests whether one has crossed the
// middle surface of the plate and left it on the other side. Kinetic and gravity energy must not rise above
// their start by 1 % of the largest kinetic energy so far. A miss (law coulomb) must end with the velocity it
// began with. Exit status 1 if any of that fails, or if more than 1 in 1000 ends in a status. --motion writes
// where everything is after each part of a step, for bench/throws_ipctk.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../test/scenes.h"
#include "math/pose.h"
#include "model/work.h"

typedef struct Random {
  uint64_t state;
} Random;

static double uniform(Random* r, double low, double high) {
  r->state = r->state * 6364136223846793005ULL + 1442695040888963407ULL;
  uint64_t x = r->state;
  x ^= x >> 33, x *= 0xff51afd7ed558ccdULL, x ^= x >> 33;
  return low + (high - low) * (double)(x >> 11) / 9007199254740992.0;
}
static int choose(Random* r, int n) { return (int)uniform(r, 0, n) % n; }
static double log_uniform(Random* r, double low, double high) {
  return low * pow(high / low, uniform(r, 0, 1));
}
static plVec3 direction(Random* r) {
  double z = uniform(r, -1, 1), a = uniform(r, 0, 2 * M_PI), s = sqrt(1 - z * z);
  return v3(s * cos(a), s * sin(a), z);
}

typedef enum Target { RIGID_PLATE, MESH_PLATE, SOFT_PLATE, TARGETS } Target;
typedef enum Mover {
  SOFT_BRICK,
  SOFT_NEEDLE,
  SOFT_TORUS,
  BOX,
  NEEDLE,
  SPHERE,
  CAPSULE,
  CYLINDER,
  ELLIPSOID,
  HULL,
  MESH,
  TORUS,
  FINGER,
  MOVERS
} Mover;
static const char* const target_name[] = {"rigid plate", "mesh plate", "soft plate"};
static const char* const mover_name[] = {"soft brick", "soft needle", "soft torus", "box",       "needle",
                                         "sphere",     "capsule",     "cylinder",   "ellipsoid", "hull",
                                         "mesh",       "torus",       "finger"};

enum { SAMPLES = 400, GRID = 8 };

typedef struct Throw {
  Target target;
  Mover mover;
  double thick, speed, dt, radius;
  plVec3 size, at, velocity, spin;
  plQuat turn;
  plVec3 sample[SAMPLES];  // rigid movers: on the surface, in the body's frame
  int nsample;
  plContactLaw law;
} Throw;

static bool is_soft(const Throw* t) { return t->mover <= SOFT_TORUS; }
static const double SIDE = 0.2;

// ---- scenes

static void put_sample(Throw* t, plVec3 x) {
  if (t->nsample < SAMPLES) t->sample[t->nsample++] = x;
  t->radius = fmax(t->radius, v3_norm(x));
}

static void sample_parts(Throw* t);

// Points of the surface along rays from the middle.
static void sample_rigid(Throw* t) {
  t->nsample = 0, t->radius = 0;
  plVec3 h = v3_scale(0.5, t->size);
  if (t->mover == TORUS || t->mover == FINGER) {
    sample_parts(t);
    return;
  }
  for (int i = 0; i < 200; i++) {
    double z = 1 - 2 * (i + 0.5) / 200, a = 2.399963 * i, s = sqrt(1 - z * z);
    plVec3 d = v3(s * cos(a), s * sin(a), z);
    double k = INFINITY;
    if (t->mover == SPHERE) k = h.x;
    if (t->mover == ELLIPSOID) k = 1 / v3_norm(v3(d.x / h.x, d.y / h.y, d.z / h.z));
    if (t->mover == CYLINDER || t->mover == CAPSULE)
      k = fmin(h.x / fmax(hypot(d.x, d.y), 1e-9), h.z / fmax(fabs(d.z), 1e-9));
    if (t->mover == CAPSULE && fabs(k * d.z) > h.z - h.x) {
      double c = h.z - h.x, b = fabs(d.z) * c;
      k = b + sqrt(b * b - c * c + h.x * h.x);
    }
    if (t->mover == BOX || t->mover == NEEDLE || t->mover == MESH)
      k = fmin(h.x / fmax(fabs(d.x), 1e-9), fmin(h.y / fmax(fabs(d.y), 1e-9), h.z / fmax(fabs(d.z), 1e-9)));
    if (t->mover == HULL) k = 1 / (fabs(d.x) / h.x + fabs(d.y) / h.y + fabs(d.z) / h.z);
    put_sample(t, v3_scale(k, d));
  }
  for (int i = 0; i < 8 && (t->mover == BOX || t->mover == NEEDLE || t->mover == MESH); i++)
    put_sample(t, v3((i & 1 ? 1 : -1) * h.x, (i & 2 ? 1 : -1) * h.y, (i & 4 ? 1 : -1) * h.z));
  for (int i = 0; i < 6 && t->mover == HULL; i++)
    put_sample(t, v3((i == 0) * h.x - (i == 1) * h.x, (i == 2) * h.y - (i == 3) * h.y,
                     (i == 4) * h.z - (i == 5) * h.z));
}

// A torus about z: its point at the angles u and v.
static plVec3 on_torus(plVec3 size, double u, double v) {
  double r = 0.25 * size.z, R = 0.5 * size.x;
  return v3((R + r * cos(v)) * cos(u), (R + r * cos(v)) * sin(u), r * sin(v));
}

enum { AROUND = 12, ACROSS = 6 };
static plMesh* torus(plVec3 size) {
  plMesh* mesh = pl_mesh_create(AROUND * ACROSS, 0, 2 * AROUND * ACROSS, NULL);
  for (int i = 0; i < AROUND; i++)
    for (int k = 0; k < ACROSS; k++) {
      int at = i * ACROSS + k, right = (i + 1) % AROUND * ACROSS, up = (k + 1) % ACROSS, a = at,
          b = right + k, c = right + up, d = i * ACROSS + up, tri[6] = {a, b, c, a, c, d};
      v3_store(mesh->vert + 3 * at, on_torus(size, 2 * M_PI * i / AROUND, 2 * M_PI * k / ACROSS));
      for (int m = 0; m < 6; m++) mesh->tri[6 * at + m] = tri[m];
    }
  return mesh;
}

// A finger: two capsules of size.x across and size.z long, at a right angle.
static plPose finger_part(plVec3 size, int part) {
  double c = 0.5 * (size.z - size.x);
  return part ? (plPose){v3(c, 0, c), quat_exp(v3(0, M_PI / 2, 0))} : (plPose){v3(0, 0, 0), {1, 0, 0, 0}};
}

static void sample_parts(Throw* t) {
  double r = 0.5 * t->size.x, c = 0.5 * (t->size.z - t->size.x);
  for (int i = 0; i < AROUND * ACROSS && t->mover == TORUS; i++)
    put_sample(t, on_torus(t->size, 2 * M_PI * (i / ACROSS) / AROUND, 2 * M_PI * (i % ACROSS) / ACROSS));
  for (int i = 0; i < 2 * 8 * 9 && t->mover == FINGER; i++) {
    double z = c * (i / 2 % 9 / 4.0 - 1), a = 2 * M_PI * (i / 18) / 8, end = fabs(z) > 0.99 * c ? 1 : 0;
    plVec3 x =
        v3(r * cos(a) * (1 - 0.5 * end), r * sin(a) * (1 - 0.5 * end), z + 0.86 * r * end * (z > 0 ? 1 : -1));
    put_sample(t, pose_apply(finger_part(t->size, i % 2), x));
  }
}

static plMesh* octahedron(plVec3 size) {
  static const int tri[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
  plMesh* mesh = pl_mesh_create(6, 0, 8, NULL);
  for (int i = 0; i < 6; i++)
    v3_store(mesh->vert + 3 * i, v3(i / 2 == 0 ? (i % 2 ? -0.5 : 0.5) * size.x : 0,
                                    i / 2 == 1 ? (i % 2 ? -0.5 : 0.5) * size.y : 0,
                                    i / 2 == 2 ? (i % 2 ? -0.5 : 0.5) * size.z : 0));
  for (int i = 0; i < 24; i++) mesh->tri[i] = tri[i];
  return mesh;
}

static bool add_target(plSpec* spec, const Throw* t, plError* error) {
  plVec3 size = v3(SIDE, SIDE, t->thick);
  if (t->target != SOFT_PLATE) {
    plShapeDef g = pl_default_shape_def();
    plMesh* mesh = t->target == MESH_PLATE ? box_surface(size) : NULL;
    g.name = "plate", g.kind = mesh ? PL_SHAPE_MESH : PL_SHAPE_BOX, g.mesh = mesh, g.size = size,
    g.surface.friction = 0.5;
    bool ok = !pl_spec_add_shape(spec, &g, NULL, error);
    pl_mesh_destroy(mesh);
    return ok;
  }
  plMesh* mesh = box_mesh(size, GRID, GRID, 1);
  plDeformableDef def = pl_default_deformable_def();
  int id;
  def.name = "plate", def.mesh = mesh, def.material.young = 1e6, def.material.poisson = 0.4,
  def.surface.friction = 0.5;
  def.material.damping_stiffness = 0.01;
  bool ok = !pl_spec_add_deformable(spec, &def, &id, error);
  pl_mesh_destroy(mesh);
  for (int side = -1; side <= 1 && ok; side += 2) {
    plFixDef fix = pl_default_fix_def();
    fix.deformable = id, fix.region.kind = PL_REGION_HALF_SPACE,
    fix.region.centre = v3(side * 0.4999 * SIDE, 0, 0);
    fix.region.normal = v3(-side, 0, 0);
    ok = !pl_spec_add_fix(spec, &fix, error);
  }
  return ok;
}

static bool add_mover(plSpec* spec, const Throw* t, plError* error) {
  plPose pose = {t->at, t->turn};
  if (is_soft(t)) {
    plMesh* mesh = t->mover == SOFT_BRICK ? box_mesh(t->size, 2, 2, 2) : box_mesh(t->size, 1, 1, 6);
    if (t->mover == SOFT_TORUS) {
      pl_mesh_destroy(mesh);
      if (pl_mesh_torus(0.5 * t->size.x, 0.25 * t->size.z, 0.25 * t->size.z, &mesh, error)) return false;
    }
    plDeformableDef def = pl_default_deformable_def();
    def.name = "mover", def.mesh = mesh, def.pose = pose, def.velocity = t->velocity,
    def.material.young = 1e5;
    def.material.density = 300, def.material.damping_stiffness = 0.01, def.surface.friction = 0.5;
    bool ok = !pl_spec_add_deformable(spec, &def, NULL, error);
    pl_mesh_destroy(mesh);
    return ok;
  }
  plBodyDef body = pl_default_body_def();
  plShapeDef g = pl_default_shape_def();
  double inertia = 0.4 * 0.1 * t->radius * t->radius;
  body.name = "mover", body.mass = 0.1, body.pose = pose, body.velocity = t->velocity,
  body.angular_velocity = t->spin;
  for (int k = 0; k < 3; k++) body.inertia[k] = inertia;
  plMesh* mesh = t->mover == HULL    ? octahedron(t->size)
                 : t->mover == MESH  ? box_surface(t->size)
                 : t->mover == TORUS ? torus(t->size)
                                     : NULL;
  static const plShapeKind kind[] = {0,
                                     0,
                                     0,
                                     PL_SHAPE_BOX,
                                     PL_SHAPE_BOX,
                                     PL_SHAPE_SPHERE,
                                     PL_SHAPE_CAPSULE,
                                     PL_SHAPE_CYLINDER,
                                     PL_SHAPE_ELLIPSOID,
                                     PL_SHAPE_MESH,
                                     PL_SHAPE_MESH,
                                     PL_SHAPE_MESH,
                                     PL_SHAPE_CAPSULE};
  g.name = "mover", g.kind = kind[t->mover], g.size = t->size, g.mesh = mesh, g.convex = t->mover == HULL;
  g.radius = 0.5 * t->size.x, g.surface.friction = 0.5;
  g.length = t->mover == CAPSULE || t->mover == FINGER ? t->size.z - t->size.x : t->size.z;
  bool ok = !pl_spec_add_body(spec, &body, &g.body, error) && !pl_spec_add_shape(spec, &g, NULL, error);
  if (t->mover == FINGER)
    g.name = "tip", g.pose = finger_part(t->size, 1), ok = ok && !pl_spec_add_shape(spec, &g, NULL, error);
  pl_mesh_destroy(mesh);
  return ok;
}

// ---- checks

typedef struct Judge {
  const Throw* of;
  int n;                 // points of the mover
  plVec3 *now, *before;  // [n]
  bool trace;
  FILE* motion;  // NULL: not written
  bool* beyond;  // [n] has crossed the middle surface an odd number of times
  plVec3 middle[(GRID + 1) * (GRID + 1)], middle_before[(GRID + 1) * (GRID + 1)];
} Judge;

// The middle surface of a plate is where the shortest way out is half its thickness: it ends that far inside
// the rim.
static void end_at_rim(const Throw* t, Judge* j) {
  plVec3 in[(GRID + 1) * (GRID + 1)];
  for (int y = 0; y <= GRID; y++)
    for (int x = 0; x <= GRID; x++) {
      int v = y * (GRID + 1) + x, dx = (x == 0) - (x == GRID), dy = (y == 0) - (y == GRID);
      in[v] = j->middle[v];
      if (dx) in[v] = v3_madd(in[v], 0.5 * t->thick, v3_unit(v3_sub(j->middle[v + dx], j->middle[v])));
      if (dy)
        in[v] = v3_madd(in[v], 0.5 * t->thick, v3_unit(v3_sub(j->middle[v + dy * (GRID + 1)], j->middle[v])));
    }
  memcpy(j->middle, in, sizeof in);
}

static void look(const Throw* t, const plData* data, Judge* j) {
  const plModel* m = data->model;
  for (int i = 0; i < j->n; i++) {
    if (is_soft(t)) {
      int b = t->target == SOFT_PLATE;
      j->now[i] = v3_load(data->q + m->deform_q0[b] + 3 * i);
    } else {
      plPose pose = {v3_load(data->q), {data->q[3], data->q[4], data->q[5], data->q[6]}};
      j->now[i] = pose_apply(pose, t->sample[i]);
    }
  }
  for (int y = 0; y <= GRID; y++)
    for (int x = 0; x <= GRID; x++) {
      int v = y * (GRID + 1) + x, layer = (GRID + 1) * (GRID + 1);
      j->middle[v] = t->target == SOFT_PLATE
                         ? v3_scale(0.5, v3_add(v3_load(data->q + m->deform_q0[0] + 3 * v),
                                                v3_load(data->q + m->deform_q0[0] + 3 * (v + layer))))
                         : v3(SIDE * ((double)x / GRID - 0.5), SIDE * ((double)y / GRID - 0.5), 0);
    }
  end_at_rim(t, j);
}

static double volume(plVec3 a, plVec3 b, plVec3 c, plVec3 p) {
  return v3_dot(v3_sub(p, a), v3_cross(v3_sub(b, a), v3_sub(c, a)));
}

typedef struct Way {
  plVec3 from, to;
} Way;
static plVec3 on_way(const Way* w, double t) { return v3_madd(w->from, t, v3_sub(w->to, w->from)); }

static double volume_at(const Way a[3], const Way* p, double t) {
  return volume(on_way(&a[0], t), on_way(&a[1], t), on_way(&a[2], t), on_way(p, t));
}

// Whether p is in the plane of a moving triangle, and inside it, at an odd number of times between two at
// which the volume has different signs: its zero is bracketed.
static bool pierces(const Way a[3], const Way* p, double low, double high) {
  bool above = volume_at(a, p, low) > 0;
  if (above == (volume_at(a, p, high) > 0)) return false;
  for (int i = 0; i < 40; i++) {
    double middle = 0.5 * (low + high);
    if ((volume_at(a, p, middle) > 0) == above)
      low = middle;
    else
      high = middle;
  }
  plVec3 x[3], at = on_way(p, low);
  for (int k = 0; k < 3; k++) x[k] = v3_sub(on_way(&a[k], low), at);
  plVec3 n = v3_cross(v3_sub(on_way(&a[1], low), on_way(&a[0], low)),
                      v3_sub(on_way(&a[2], low), on_way(&a[0], low)));
  double u = v3_dot(v3_cross(x[0], x[1]), n), v = v3_dot(v3_cross(x[1], x[2]), n),
         w = v3_dot(v3_cross(x[2], x[0]), n);
  return u > 0 && v > 0 && w > 0;
}

// Each point against each triangle of the middle surface, all in straight motion, in slices of the step.
static void follow(Judge* j) {
  enum { SLICES = 4 };
  for (int cell = 0; cell < 2 * GRID * GRID; cell++) {
    int x = cell / 2 % GRID, y = cell / 2 / GRID, v = y * (GRID + 1) + x;
    int corner[3] = {v, cell % 2 ? v + GRID + 2 : v + 1, cell % 2 ? v + GRID + 1 : v + GRID + 2};
    Way a[3];
    plVec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
    for (int k = 0; k < 3; k++) {
      a[k] = (Way){j->middle_before[corner[k]], j->middle[corner[k]]};
      low = v3_min(low, v3_min(a[k].from, a[k].to)), high = v3_max(high, v3_max(a[k].from, a[k].to));
    }
    for (int i = 0; i < j->n; i++) {
      Way p = {j->before[i], j->now[i]};
      plVec3 l = v3_min(p.from, p.to), h = v3_max(p.from, p.to);
      if (l.x > high.x || h.x < low.x || l.y > high.y || h.y < low.y || l.z > high.z || h.z < low.z) continue;
      for (int s = 0; s < SLICES; s++)
        if (pierces(a, &p, (double)s / SLICES, (double)(s + 1) / SLICES)) j->beyond[i] = !j->beyond[i];
    }
  }
}

// ---- the motion as text: what moves, then line by line where it is after each part of a step

static void write_ints(FILE* file, const char* name, const int* value, int n, int from) {
  fprintf(file, "%s", name);
  for (int i = 0; i < n; i++) fprintf(file, " %d", value[i] - from);
  fprintf(file, "\n");
}

static void write_numbers(FILE* file, const double* x, int n) {
  for (int i = 0; i < n; i++) fprintf(file, " %.12g", x[i]);
}

// A rigid mover: position and quaternion. Then the vertices of a soft plate.
static void write_motion(const Judge* j, const plData* data) {
  const plModel* m = data->model;
  int b = j->of->target == SOFT_PLATE;
  fprintf(j->motion, "at");
  if (is_soft(j->of))
    write_numbers(j->motion, &j->now->x, 3 * j->n);
  else
    write_numbers(j->motion, data->q, 7);
  if (b) write_numbers(j->motion, data->q + m->deform_q0[0], 3 * m->deform_vert0[1]);
  fprintf(j->motion, "\n");
}

static void write_throw(const Judge* j, const plData* data, unsigned long long seed) {
  const plModel* m = data->model;
  const Throw* t = j->of;
  int b = t->target == SOFT_PLATE;
  fprintf(j->motion, "throw,%llu,%s,%s,%.12g,%.12g\n", seed, mover_name[t->mover], target_name[t->target],
          t->thick, SIDE);
  if (is_soft(t))
    write_ints(j->motion, "triangles", m->tri_vert + 3 * m->deform_tri0[b],
               3 * (m->deform_tri0[b + 1] - m->deform_tri0[b]), m->deform_vert0[b]);
  else
    fprintf(j->motion, "points"), write_numbers(j->motion, &t->sample->x, 3 * j->n), fprintf(j->motion, "\n");
  if (b) write_ints(j->motion, "tetrahedra", m->tet_vert, 4 * m->deform_tet0[1], 0);
  write_motion(j, data);
}

// Called after each part of a step; within a part the paths are straight.
static void watch(const plData* data, void* user) {
  Judge* j = user;
  memcpy(j->before, j->now, (size_t)j->n * sizeof *j->now),
      memcpy(j->middle_before, j->middle, sizeof j->middle);
  look(j->of, data, j), follow(j);
  if (j->motion) write_motion(j, data);
  if (!j->trace) return;
  int beyond = 0;
  plVec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
  for (int i = 0; i < j->n; i++)
    beyond += j->beyond[i], low = v3_min(low, j->now[i]), high = v3_max(high, j->now[i]);
  printf("  t %.5f: %d beyond, mover %.4f %.4f %.4f to %.4f %.4f %.4f, %d contacts, %d rounds, %d points\n",
         data->time, beyond, low.x, low.y, low.z, high.x, high.y, high.z, data->work->npoint,
         data->report.guard_rounds, data->report.guard_points);
  for (int i = 0; i < j->n; i++)
    if (j->beyond[i])
      printf("    beyond %d: %.4f %.4f %.4f to %.4f %.4f %.4f\n", i, j->before[i].x, j->before[i].y,
             j->before[i].z, j->now[i].x, j->now[i].y, j->now[i].z);
  for (int i = 0; i < data->ncontact; i++) {
    const plContact* c = &data->contact[i];
    printf("    at %.4f %.4f %.4f, normal %.3f %.3f %.3f, gap %.3g, force %.4g %.4g %.4g\n", c->position.x,
           c->position.y, c->position.z, c->normal.x, c->normal.y, c->normal.z, c->gap, c->force.x,
           c->force.y, c->force.z);
  }
}

// A point of the middle surface, x and y in its cells.
static plVec3 on_middle(const Judge* j, double x, double y) {
  int i = (int)fmin(x, GRID - 1), k = (int)fmin(y, GRID - 1), v = k * (GRID + 1) + i;
  double a = x - i, b = y - k;
  plVec3 low = v3_madd(j->middle[v], a, v3_sub(j->middle[v + 1], j->middle[v]));
  plVec3 high = v3_madd(j->middle[v + GRID + 1], a, v3_sub(j->middle[v + GRID + 2], j->middle[v + GRID + 1]));
  return v3_madd(low, b, v3_sub(high, low));
}

// A point beyond the middle that is out of the plate on the far side.
static int passed(const Throw* t, const Judge* j) {
  enum { FINE = 4 * GRID };
  int n = 0;
  for (int i = 0; i < j->n; i++) {
    if (!j->beyond[i]) continue;
    double nearest = INFINITY;
    for (int y = 0; y <= FINE; y++)
      for (int x = 0; x <= FINE; x++)
        nearest = fmin(nearest, v3_norm(v3_sub(j->now[i], on_middle(j, 0.25 * x, 0.25 * y))));
    n += nearest > 0.5 * t->thick + SIDE / FINE;
  }
  return n;
}

// ---- one throw

typedef struct Verdict {
  bool status, pass, gain, touched, hit;
  int rounds, parts;
  double change;
  char message[256];
} Verdict;

// Kinetic and gravity energy; *kinetic: the first of them.
static double energy_of(const Throw* t, const plData* data, double* kinetic) {
  double sum = 0;
  *kinetic = 0;
  for (int b = 0; b < data->model->ndeform; b++) {
    plBodyState s;
    if (!pl_deformable_state(data, b, &s))
      *kinetic += s.kinetic_energy, sum += s.kinetic_energy + s.gravity_energy;
  }
  if (is_soft(t)) return sum;
  plVec3 v = v3_load(data->v), w = v3_load(data->v + 3), x = v3_load(data->q), g = data->par->options.gravity;
  double own = 0.05 * v3_norm2(v) + 0.02 * t->radius * t->radius * v3_norm2(w);
  *kinetic += own;
  return sum + own - 0.1 * v3_dot(g, x);
}

static Verdict run_throw(const Throw* t, plVec3 gravity, int steps, bool miss, bool trace, FILE* motion,
                         unsigned long long seed) {
  Verdict out = {.parts = 1};
  plError error = {0};
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->gravity = gravity, pl_spec_options(spec)->dt = t->dt,
  pl_spec_options(spec)->contact_law = t->law, pl_spec_options(spec)->threads = 1;
  bool ok = add_target(spec, t, &error) && add_mover(spec, t, &error);
  const plModel* model = ok ? pl_model_create(spec, &error) : NULL;
  plData* data = model ? pl_data_create(model, &error) : NULL;
  if (!data) {
    printf("not built: %s\n", error.message);
    exit(2);
  }
  int b = t->target == SOFT_PLATE;
  Judge j = {.of = t,
             .trace = trace,
             .motion = motion,
             .n = is_soft(t) ? model->deform_vert0[b + 1] - model->deform_vert0[b] : t->nsample};
  j.now = calloc((size_t)j.n, sizeof *j.now), j.before = calloc((size_t)j.n, sizeof *j.before),
  j.beyond = calloc((size_t)j.n, sizeof *j.beyond);
  look(t, data, &j);
  if (motion) write_throw(&j, data, seed);
  data->work->part = watch, data->work->part_user = &j;
  double size, start = energy_of(t, data, &size);
  for (int i = 0; i < steps; i++) {
    if (pl_step(data, &error)) {
      out.status = true;
      snprintf(out.message, sizeof out.message, "%.250s", error.message);
      break;
    }
    out.rounds += data->report.guard_rounds,
        out.parts = data->report.parts > out.parts ? data->report.parts : out.parts;
    out.hit = out.hit || data->report.contacts > 0;
    double kinetic, now = energy_of(t, data, &kinetic);
    size = fmax(size, kinetic);
    if (now > start + 0.01 * size) out.gain = true;
  }
  out.pass = passed(t, &j) > 0;
  for (int i = 0; i < model->nv && miss; i++) {
    bool moves = is_soft(t) ? i >= model->deform_v0[b] : i < 6;
    double free_flight = is_soft(t) ? (&t->velocity.x)[i % 3]
                         : i < 3    ? (&t->velocity.x)[i]
                                    : (&t->spin.x)[i - 3];
    if (!moves && t->target == SOFT_PLATE) free_flight = 0;
    double d = fabs(data->v[i] - free_flight) * (i < 6 && i > 2 && !is_soft(t) ? t->radius : 1);
    out.change = fmax(out.change, d / t->speed);
  }
  out.touched = miss && out.change > 1e-9;
  free(j.now), free(j.before), free(j.beyond);
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
  return out;
}

// ---- many

static plVec3 size_of(Random* r, Mover m) {
  double s = uniform(r, 0.01, 0.04);
  if (m == NEEDLE || m == SOFT_NEEDLE) return v3(0.004, 0.004, 0.06);
  if (m == SPHERE) return v3(s, s, s);
  if (m == CAPSULE || m == CYLINDER) return v3(s, s, s * uniform(r, 1.2, 4));
  if (m == FINGER) return v3(0.4 * s, 0.4 * s, s * uniform(r, 1.2, 2));
  if (m == TORUS || m == SOFT_TORUS) return v3(2 * s, 2 * s, 0.6 * s * uniform(r, 0.5, 1));
  double y = s * uniform(r, 0.5, 1), x = s * uniform(r, 0.5, 1);
  return v3(x, y, s);
}

static Throw random_throw(Random* r, bool miss) {
  Throw t = {.target = (Target)choose(r, TARGETS)};
  t.mover = (Mover)choose(r, MOVERS);
  t.thick = log_uniform(r, 0.001, 0.02), t.speed = log_uniform(r, 0.1, 100),
  t.dt = log_uniform(r, 0.001, 0.02);
  t.size = size_of(r, t.mover);
  plVec3 axis = direction(r);
  t.turn = quat_exp(v3_scale(uniform(r, 0, M_PI), axis));
  if (is_soft(&t))
    t.radius = 0.5 * v3_norm(t.size) + (t.mover == SOFT_TORUS ? 0.25 * t.size.z : 0);
  else
    sample_rigid(&t);
  plVec3 d = direction(r);
  double y = uniform(r, -0.4, 0.4) * SIDE, x = uniform(r, -0.4, 0.4) * SIDE;
  plVec3 aim = v3(x, y, 0);
  if (miss) {
    // a line that stays at least this far from the plate
    double away = t.radius + uniform(r, 0.001, 10 * t.radius);
    plVec3 n = direction(r), across = v3_unit(v3_cross(n, d));
    aim = v3_scale(0.5 * hypot(SIDE * M_SQRT2, t.thick) + away, across);
    if (choose(r, 2)) {
      double side = choose(r, 2) ? 1 : -1;
      y = uniform(r, -0.3, 0.3), x = uniform(r, -0.3, 0.3);
      aim = v3(x, y, side * (0.5 * t.thick + away));
      d.z = 0, d = v3_unit(d);
    }
  } else if (fabs(d.z) < 0.1)
    d.z = d.z < 0 ? -0.1 : 0.1, d = v3_unit(d);
  // Far enough to start clear of the plate, whose box the mover leaves along d.
  double clear = miss ? uniform(r, 0.1, 0.4)
                      : (0.5 * t.thick + t.radius + uniform(r, 1e-4, 2) * t.speed * t.dt) / fabs(d.z);
  t.velocity = v3_scale(t.speed, d), t.at = v3_madd(aim, -clear, d);
  // A third spins faster than a linearised contact can follow.
  if (!is_soft(&t)) {
    axis = direction(r);
    t.spin = v3_scale(uniform(r, 0, choose(r, 3) ? 0.3 : 1.5) / t.dt, axis);
  }
  return t;
}

int main(int argc, char** argv) {
  int count = 2000, misses = 0, verbose = 0, trace = 0;
  Random r = {1};
  plContactLaw law = PL_LAW_CONE;
  FILE* motion = NULL;
  for (int i = 1; i < argc; i++) {
    bool value = i + 1 < argc;
    if (!strcmp(argv[i], "--quick"))
      count = 200, misses = 200;
    else if (!strcmp(argv[i], "--verbose"))
      verbose = 1;
    else if (!strcmp(argv[i], "--trace"))
      trace = 1;
    else if (value && !strcmp(argv[i], "--count"))
      count = atoi(argv[++i]);
    else if (value && !strcmp(argv[i], "--miss"))
      misses = atoi(argv[++i]), count = count == 2000 ? 0 : count;
    else if (value && !strcmp(argv[i], "--seed"))
      r.state = strtoull(argv[++i], NULL, 10);
    else if (value && !strcmp(argv[i], "--law") && !strcmp(argv[i + 1], "coulomb"))
      law = PL_LAW_COULOMB, i++;
    else if (value && !strcmp(argv[i], "--law") && !strcmp(argv[i + 1], "cone"))
      law = PL_LAW_CONE, i++;
    else if (value && !strcmp(argv[i], "--motion") && !motion && (motion = fopen(argv[i + 1], "w")))
      i++;
    else
      return fprintf(stderr,
                     "usage: throws [--quick] [--count N] [--miss N] [--seed S] [--law cone|coulomb] "
                     "[--verbose] [--trace] [--motion FILE]\n"),
             2;
  }
  static int tried[TARGETS][MOVERS], bad[TARGETS][MOVERS], rounds[8], parts[5], missed[MOVERS],
      touched[MOVERS];
  int passes = 0, statuses = 0, gains = 0, ghosts = 0, hits = 0;
  for (int i = 0; i < count + misses; i++) {
    bool miss = i >= count;
    unsigned long long seed = r.state;
    Throw t = random_throw(&r, miss);
    t.law = miss ? PL_LAW_COULOMB : law;
    plVec3 gravity = v3(0, 0, miss || choose(&r, 2) ? 0 : -9.81);
    double way = miss ? 0.8 : v3_norm(t.at) + 0.2;
    int steps = (int)fmin(40, ceil(way / (t.speed * t.dt)) + 4);
    Verdict v = run_throw(&t, gravity, steps, miss, trace, motion, seed);
    bool wrong = v.pass || v.gain || v.touched || v.status;
    if (miss)
      missed[t.mover]++, touched[t.mover] += v.touched, ghosts += v.touched;
    else {
      tried[t.target][t.mover]++, bad[t.target][t.mover] += wrong, hits += v.hit;
      rounds[v.rounds < 7 ? v.rounds : 7]++;
      parts[v.parts > 8 ? 4 : v.parts > 4 ? 3 : v.parts > 2 ? 2 : v.parts > 1]++;
    }
    passes += v.pass, gains += v.gain, statuses += v.status;
    if (wrong || verbose)
      printf(
          "%s: %s at %s, %.3g m/s, dt %.3g ms, %.3g mm, rounds %d, parts %d, change %.2g (--seed %llu --%s "
          "1) %s\n",
          v.pass      ? "PASS"
          : v.gain    ? "GAIN"
          : v.touched ? "TOUCHED"
          : v.status  ? "STATUS"
                      : "ok",
          mover_name[t.mover], target_name[t.target], t.speed, 1e3 * t.dt, 1e3 * t.thick, v.rounds, v.parts,
          v.change, seed, miss ? "miss" : "count", v.message);
  }
  for (int a = 0; a < TARGETS && count; a++) {
    printf("%-12s", target_name[a]);
    for (int b = 0; b < MOVERS; b++) printf(" %s %d/%d", mover_name[b], bad[a][b], tried[a][b]);
    printf("\n");
  }
  if (count) {
    printf(
        "%d throws, %d met something: %d passed, %d ended in a status, %d gained energy\nrounds of the "
        "guard:",
        count, hits, passes, statuses, gains);
    for (int i = 0; i < 8; i++) printf(" %d%s: %d", i, i == 7 ? "+" : "", rounds[i]);
    printf("\nlargest number of parts of a step: 1: %d, 2: %d, to 4: %d, to 8: %d, to 16: %d\n", parts[0],
           parts[1], parts[2], parts[3], parts[4]);
  }
  if (misses) {
    printf("%d misses, %d touched:", misses, ghosts);
    for (int b = 0; b < MOVERS; b++) printf(" %s %d/%d", mover_name[b], touched[b], missed[b]);
    printf("\n");
  }
  if (motion && fclose(motion)) return fprintf(stderr, "throws: the motion could not be written\n"), 2;
  return passes || gains || ghosts || statuses * 1000 > count + misses;
}

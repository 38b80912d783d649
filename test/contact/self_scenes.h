// self_scenes.h: bodies that touch themselves, and a check that shares no code with the contact search.
#ifndef PL_TEST_SELF_SCENES_H
#define PL_TEST_SELF_SCENES_H

#include "../world.h"
#include "geom/tri_tree.h"
#include "math/pose.h"
#include "model/side.h"

// ---- meshes: a grid of cells, bent

// (s, t, w) in [0, 1]^3, s along the body, t across it, w its width -> m
typedef plVec3 Bend(double s, double t, double w, const void* parameters);

// A grid of nx ny nz cells of five tetrahedra each; closed: its ends in s are joined (nx even).
static inline plMesh* bent_mesh(int nx, int ny, int nz, bool closed, Bend* bend, const void* parameters) {
  plMesh* grid = box_mesh((plVec3){1, 1, 1}, nx, ny, nz);
  int ring = closed ? nx : nx + 1, n = ring * (ny + 1) * (nz + 1);
  plMesh* mesh = pl_mesh_create(n, grid->ntet, 0, NULL);
  for (int k = 0, at = 0; k <= nz; k++)
    for (int j = 0; j <= ny; j++)
      for (int i = 0; i < ring; i++, at++)
        v3_store(mesh->vert + 3 * (size_t)at,
                 bend(i / (double)nx, j / (double)ny, k / (double)nz, parameters));
  for (int a = 0; a < 4 * grid->ntet; a++) {
    int v = grid->tet[a], i = v % (nx + 1), row = v / (nx + 1);
    mesh->tet[a] = i % ring + ring * row;
  }
  pl_mesh_destroy(grid);
  pl_mesh_repair(mesh, NULL, 0, NULL);  // a bend may mirror
  return mesh;
}

// A ring about y: mean radius, thickness, width.
typedef struct Ring {
  double radius, thick, width, oval;
} Ring;
static inline plVec3 ring_bend(double s, double t, double w, const void* parameters) {
  const Ring* p = parameters;
  double a = 2 * M_PI * s, r = p->radius + (t - 0.5) * p->thick;
  return (plVec3){r * cos(a) * (1 + p->oval), (w - 0.5) * p->width, r * sin(a) * (1 - p->oval)};
}
// The same about z, for plane strain.
static inline plVec3 ring_bend_z(double s, double t, double w, const void* parameters) {
  plVec3 x = ring_bend(s, t, w, parameters);
  return (plVec3){x.x, x.z, x.y};
}

// A clip: two legs along x joined by a half ring, seen along y; gap between the legs.
typedef struct Clip {
  double leg, gap, thick, width;
} Clip;
static inline plVec3 clip_bend(double s, double t, double w, const void* parameters) {
  const Clip* p = parameters;
  double r = 0.5 * (p->gap + p->thick), arc = M_PI * r, at = s * (2 * p->leg + arc) - p->leg,
         d = (t - 0.5) * p->thick;
  plVec3 x = {0, (w - 0.5) * p->width, 0};
  if (at < 0)
    x.x = -at, x.z = -r - d;
  else if (at > arc)
    x.x = at - arc, x.z = r + d;
  else
    x.x = -(r + d) * sin(at / r), x.z = -(r + d) * cos(at / r);
  return x;
}

// A tube about z whose wall zigzags: folds of a bellows.
typedef struct Bellows {
  double radius, deep, pitch, thick;
  int folds;
} Bellows;
static inline plVec3 bellows_bend(double s, double t, double w, const void* parameters) {
  const Bellows* p = parameters;
  double a = 2 * M_PI * s, f = w * p->folds, zig = fabs(2 * (f - floor(f)) - 1);
  double r = p->radius + p->deep * zig + (t - 0.5) * p->thick;
  return (plVec3){r * cos(a), r * sin(a), w * p->folds * p->pitch};
}

// ---- worlds

// What stands around the body: a scene's text.
static inline World begin_scene(const char* text) {
  World w = {0};
  CHECK_INT(pl_spec_parse("scene", ".", text, strlen(text), NULL, &w.spec, &w.error), PL_OK);
  if (!w.spec) printf("%s\n", w.error.message), exit(1);
  return w;
}

static inline plDeformableDef self_def(const plMesh* mesh, bool self) {
  plDeformableDef def = pl_default_deformable_def();
  def.name = "body", def.mesh = mesh, def.self_contact = self, def.surface.friction = 0.5;
  def.material.young = 1e5, def.material.poisson = 0.4, def.material.density = 1000;
  return def;
}

static inline int add_self(World* w, const plDeformableDef* def) {
  int id = -1;
  CHECK_INT(pl_spec_add_deformable(w->spec, def, &id, &w->error), PL_OK);
  if (id < 0) printf("%s\n", w->error.message), exit(1);
  return id;
}

// ---- checks

typedef struct Overlap {
  int inside;    // surface vertices that lie inside another part of the body
  double depth;  // m, of the deepest
} Overlap;

// The distance of x to facets that are farther than far from vertex v at rest.
static inline double distance_to_others(const plModel* m, const double* q, int b, int v, double far) {
  int v0 = m->deform_vert0[b];
  double best = INFINITY;
  for (int t = m->deform_tri0[b]; t < m->deform_tri0[b + 1]; t++) {
    plVec3 x[3], mid = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
      int vert = m->tri_vert[3 * (size_t)t + (size_t)k];
      x[k] = v3_load(q + 3 * (size_t)(vert - v0));
      mid = v3_madd(mid, 1.0 / 3, v3_load(m->vert_rest + 3 * (size_t)vert));
    }
    if (v3_norm(v3_sub(mid, v3_load(m->vert_rest + 3 * (size_t)(v0 + v)))) < far) continue;
    plVec3 p = v3_load(q + 3 * (size_t)v);
    best = fmin(best, v3_norm(v3_sub(pl_tri_closest(x[0], x[1], x[2], p), p)));
  }
  return best;
}

// A little (part of a cell) inside its own surface a vertex is covered once; twice where parts overlap.
static inline Overlap judge(const plData* data, int b, double cell) {
  const plModel* m = data->model;
  const double* q = data->q + m->deform_q0[b];
  int v0 = m->deform_vert0[b], n = m->deform_vert0[b + 1] - v0, t0 = m->deform_tri0[b],
      ntri = m->deform_tri0[b + 1] - t0;
  int* tri = malloc(3 * (size_t)ntri * sizeof *tri);
  plVec3* normal = calloc((size_t)n, sizeof *normal);
  for (int i = 0; i < 3 * ntri; i++) tri[i] = m->tri_vert[3 * (size_t)t0 + (size_t)i] - v0;
  for (int t = 0; t < ntri; t++) {
    const int* v = tri + 3 * (size_t)t;
    plVec3 a = v3_load(q + 3 * (size_t)v[0]), e = v3_sub(v3_load(q + 3 * (size_t)v[1]), a),
           f = v3_sub(v3_load(q + 3 * (size_t)v[2]), a);
    for (int k = 0; k < 3; k++) normal[v[k]] = v3_add(normal[v[k]], v3_cross(e, f));
  }
  Overlap o = {0, 0};
  for (int v = 0; v < n; v++) {
    if (!(v3_norm2(normal[v]) > 0)) continue;
    plVec3 x = v3_madd(v3_load(q + 3 * (size_t)v), -0.005 * cell, v3_unit(normal[v]));
    if (pl_tri_winding(q, tri, ntri, x) < 1.5) continue;
    double depth = distance_to_others(m, q, b, v, 2 * cell);
    if (!(depth > 0.01 * cell) || depth > cell) continue;  // more than a cell: turned inside out, not overlap
    o.inside++, o.depth = fmax(o.depth, depth);
  }
  free(tri), free(normal);
  return o;
}

// ---- a run

typedef struct SelfRun {
  int steps, failed, newton_max, points_max, deep;
  double newton, gap_min;  // mean; m, of self points
  Overlap worst, last;     // looked at every few steps; at the end
  double energy_rise;      // J, how far kinetic + elastic + gravity energy ever is above its start
  double energy_first;     // J
  double put_in, gain;     // J, work of gravity, loads and a driven plate; how far energy is ever above it
} SelfRun;

static inline double whole_energy(const plData* data, int b) {
  plBodyState s;
  pl_deformable_state(data, b, &s);
  return s.kinetic_energy + s.elastic_energy + s.gravity_energy;
}

// What gravity, loads and a plate on a driven joint (body 0) put into the body within the step, and what
// kinetic and elastic energy it gained.
static inline void count_energy(const plData* data, int b, SelfRun* r, double* gained) {
  plEnergyBudget e;
  if (pl_energy_budget(data, b, &e)) return;
  r->put_in += e.external_work, *gained += e.kinetic_change + e.elastic_change;
  if (data->model->nbody) {
    plContactPair pair;
    pl_contact_pair(data, pl_side_of_number(data->model, b), (plSide){PL_SIDE_BODY, 0}, &pair);
    r->put_in -= pair.force.z * data->v[0] * data->par->options.dt;
  }
  r->gain = fmax(r->gain, *gained - r->put_in);
}

static inline SelfRun run_self(World* w, int b, int steps, double cell, int judged_every) {
  SelfRun r = {.gap_min = INFINITY, .energy_first = whole_energy(w->data, b)};
  double gained = 0;
  for (int i = 0; i < steps; i++) {
    if (pl_step(w->data, &w->error)) {
      printf("step %d: %s (%s)\n", i, w->error.message, w->data->report.where);
      r.failed = 1;
      break;
    }
    plContactPair pair;
    pl_contact_pair(w->data, pl_side_of_number(w->data->model, b), pl_side_of_number(w->data->model, b),
                    &pair);
    r.steps++, r.newton += w->data->report.iterations, r.deep += w->data->report.deep;
    if (w->data->report.iterations > r.newton_max) r.newton_max = w->data->report.iterations;
    if (pair.count > r.points_max) r.points_max = pair.count;
    r.gap_min = fmin(r.gap_min, pair.gap_min);
    count_energy(w->data, b, &r, &gained);
    r.energy_rise = fmax(r.energy_rise, whole_energy(w->data, b) - r.energy_first);
    if (judged_every && i % judged_every == judged_every - 1) {
      Overlap o = judge(w->data, b, cell);
      if (o.depth > r.worst.depth) r.worst.depth = o.depth;
      if (o.inside > r.worst.inside) r.worst.inside = o.inside;
    }
  }
  r.newton /= r.steps ? r.steps : 1;
  r.last = judge(w->data, b, cell);
  return r;
}

static inline void print_run(const char* name, const SelfRun* r) {
  printf(
      "%-34s %4d steps, Newton %5.2f (%2d), points %4d, least gap %7.3f mm, inside %d (%.3f mm; on the way "
      "%d, "
      "%.3f mm), deep %d%s\n",
      name, r->steps, r->newton, r->newton_max, r->points_max, 1e3 * r->gap_min, r->last.inside,
      1e3 * r->last.depth, r->worst.inside, 1e3 * r->worst.depth, r->deep, r->failed ? ", FAILED" : "");
}

// ---- scenes of the bench and of the test

// Two plates, the upper one driven down by way within 1 s, held for half a second.
static inline World begin_press(double top, double way) {
  char text[2000];
  snprintf(text, sizeof text,
           "pliant: 1\noptions: {dt: 0.01, threads: 1}\n"
           "bodies:\n  - {name: press, mass: 1, joint: {name: pj, kind: prismatic, axis: [0, 0, 1], pose: "
           "{position: [0, 0, %g]}}}\n"
           "constraints:\n  - {name: drive, kind: motion, a: pj, times: [0, 1, 1.5], values: [0, %g, %g]}\n"
           "shapes:\n  - {name: ground, shape: half_space}\n"
           "  - {name: plate, body: press, shape: box, size: [0.4, 0.4, 0.01]}\n",
           top + 0.005, -way, -way);
  return begin_scene(text);
}

static inline double plate_force(const World* w) {
  plContactPair pair;
  pl_contact_pair(w->data, pl_side_of_number(w->data->model, 0), (plSide){PL_SIDE_BODY, 0}, &pair);
  return pair.force.z;
}

static const char on_ground[] =
    "pliant: 1\noptions: {dt: 0.01, threads: 1}\nshapes:\n  - {name: ground, shape: half_space}\n";
static const char in_space[] = "pliant: 1\noptions: {dt: 0.01, threads: 1, gravity: [0, 0, 0]}\n";

// ---- what must not touch itself

static inline void squeezed_cubes_make_no_points(void) {
  for (int cells = 1; cells <= 3; cells += 2)
    for (int k = 0; k < 2; k++) {
      World w = begin_press(0.1005, k ? 0.0805 : 0.0605);
      plMesh* mesh = box_mesh(v3(0.1, 0.1, 0.1), cells, cells, cells);
      plDeformableDef def = self_def(mesh, true);
      def.pose.p.z = 0.0502, def.material.damping_stiffness = 0.01;
      add_self(&w, &def);
      build(&w);
      SelfRun r = run_self(&w, 0, 120, 0.1 / cells, 0);
      CHECK_INT(r.failed, 0);
      CHECK_INT(r.points_max, 0);
      CHECK_INT(r.deep, 0);
      pl_mesh_destroy(mesh), end(&w);
    }
}

// One layer of tetrahedra, bent over a cylinder and pressed on it.
static inline void a_bent_plate_does_not_touch_its_back(void) {
  World w = begin_press(0.121, 0.085);
  plShapeDef g = pl_default_shape_def();
  g.name = "log", g.kind = PL_SHAPE_CYLINDER, g.radius = 0.02, g.length = 0.3,
  g.pose = (plPose){{0, 0, 0.02}, quat_exp(v3(M_PI / 2, 0, 0))};
  CHECK_INT(pl_spec_add_shape(w.spec, &g, NULL, &w.error), PL_OK);
  int across = CHECK_MEMBERS(5);
  plMesh* mesh = box_mesh(v3(0.2, 0.01 * across, 0.005), 20, across, 1);
  plDeformableDef def = self_def(mesh, true);
  def.pose.p.z = 0.043;
  add_self(&w, &def);
  build(&w);
  SelfRun r = run_self(&w, 0, 120, 0.01, 0);
  CHECK_INT(r.failed, 0);
  CHECK_INT(r.points_max, 0);
  pl_mesh_destroy(mesh), end(&w);
}

static inline void a_spinning_clip_makes_no_points(void) {
  Clip clip = {.leg = 0.06, .gap = 0.01, .thick = 0.008, .width = 0.02};
  plMesh* mesh = bent_mesh(20, 1, 2, false, clip_bend, &clip);
  World w = begin_scene(in_space);
  plDeformableDef def = self_def(mesh, true);
  def.material.young = 1e6, def.angular_velocity = v3(5, -8, 10), def.velocity = v3(20, 0, 3);
  add_self(&w, &def);
  build(&w);
  SelfRun r = run_self(&w, 0, 60, 0.005, 0);
  CHECK_INT(r.failed, 0);
  CHECK_INT(r.points_max, 0);
  pl_mesh_destroy(mesh), end(&w);
}

#endif

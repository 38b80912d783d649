// overlap.c: finds bodies that passed through each other, and measures overlaps.
//
// Solids are soft bodies and rigid shapes that collide. Each has a centre and a core, a ball around the
// centre that lies inside the solid. A solid whose centre crosses the core of another one within a part of a
// step has passed through it. No centre may be below a half space of the world. Overlap is measured at
// points: vertices of soft bodies and points on the surfaces of rigid shapes. Its depth follows from the
// formulas of the shapes or, in soft bodies, from the tetrahedra that contain the point. Half a cell is
// allowed, and half the core between rigid shapes.
//
// The centre of a soft body that is pressed flat, or bent around another body, is closer to its surface than
// the overlap that is allowed, and may be inside the other body by the rest of it. Two cores overlap by the
// sum of their radii less the distance of their centres, and so do the solids at least: a centre counts in a
// core if that is more than allowed. Deeper than half of the core it always counts.
//
// Surfaces touch, so only vertices of the surface count: an impact may turn a soft material inside out, with
// inner vertices outside. For the same reason a point is in a soft body if the surface encloses it. Two
// tetrahedra see their common face from its two sides, so the surface winds around a point as often as
// tetrahedra contain it, those that are inside out counted as -1. Quadratic tetrahedra are divided into
// eight, because contact acts on the four facets into which they divide each of their faces. Vertices that
// the scene fixes or moves do not count, because no contact can stop them. A soft body has a core only while
// its centre is inside it: a body that is wrapped around another one has its centre there. If a surface has a
// stiffness, docs/contact.md says how deep a body with a given energy penetrates: the law acts down to the
// middle of the thinner side, and what has more energy passes through.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "math/pose.h"

typedef struct Solid {
  const char* name;
  int deform, shape;      // one of them is -1
  int body, tree;         // rigid body that carries it, its first body; -1: the world
  int held;               // rigid shapes: the same for all that rigid welds hold together
  plVec3 centre, before;  // after and before the part of a step
  double core;            // m, the smaller of both
  double core_now;        // m
  double cell;            // m
  double stiffness;       // Pa/m, of the surface
  double limit;           // m, of a soft body: the largest thickness of the tetrahedra behind its facets
} Solid;

struct Overlaps {
  int n;
  Solid* solid;
  bool* apart;  // [n n] the pair can touch, and did not overlap at the start
  bool at_start;
  plPose* pose;
  bool* counts;            // [nvert] vertices of surfaces that nothing but forces moves
  const Solid* passed[2];  // who passed, in what, since the last step; NULL: nobody
};

// Signed distance of a point, in the shape's frame; that of an ellipsoid is an estimate. Infinite: not known.
static double shape_distance(const plModel* m, int g, plVec3 p) {
  plVec3 s = v3_scale(0.5, m->shape_size[g]);
  double r = m->shape_radius[g], l = 0.5 * m->shape_length[g];
  switch (m->shape_kind[g]) {
    case PL_SHAPE_HALF_SPACE:
      return p.z;
    case PL_SHAPE_SPHERE:
      return v3_norm(p) - r;
    case PL_SHAPE_BOX:
      return fmax(fabs(p.x) - s.x, fmax(fabs(p.y) - s.y, fabs(p.z) - s.z));
    case PL_SHAPE_CAPSULE:
      return sqrt(p.x * p.x + p.y * p.y + pow(fmax(0, fabs(p.z) - l), 2)) - r;
    case PL_SHAPE_CYLINDER:
      return fmax(hypot(p.x, p.y) - r, fabs(p.z) - l);
    case PL_SHAPE_ELLIPSOID:
      return (v3_norm((plVec3){p.x / s.x, p.y / s.y, p.z / s.z}) - 1) * fmin(s.x, fmin(s.y, s.z));
    default:
      return INFINITY;
  }
}

// Points on the surface of a rigid shape, in its frame; at most 14.
static int shape_points(const plModel* m, int g, plVec3* p) {
  plVec3 s = v3_scale(0.5, m->shape_size[g]);
  double r = m->shape_radius[g], l = 0.5 * m->shape_length[g];
  if (m->shape_kind[g] == PL_SHAPE_SPHERE) s = (plVec3){r, r, r};
  if (m->shape_kind[g] == PL_SHAPE_CAPSULE) s = (plVec3){r, r, l + r};
  if (m->shape_kind[g] == PL_SHAPE_CYLINDER) s = (plVec3){r, r, l};
  if (m->shape_kind[g] == PL_SHAPE_HALF_SPACE || m->shape_kind[g] == PL_SHAPE_MESH) return 0;
  int n = 0;
  for (int k = -1; k <= 1; k += 2)
    p[n++] = (plVec3){k * s.x, 0, 0}, p[n++] = (plVec3){0, k * s.y, 0}, p[n++] = (plVec3){0, 0, k * s.z};
  if (m->shape_kind[g] == PL_SHAPE_BOX)
    for (int k = 0; k < 8; k++) p[n++] = (plVec3){k & 1 ? s.x : -s.x, k & 2 ? s.y : -s.y, k & 4 ? s.z : -s.z};
  return n;
}

static plVec3 vertex(const plData* data, int b, int i) {
  return v3_load(data->q + data->model->deform_q0[b] + 3 * (size_t)i);
}

// The mean of the vertices that count.
static void soft_centre(const plData* data, const Overlaps* o, Solid* s) {
  int v0 = data->model->deform_vert0[s->deform], n = data->model->deform_vert0[s->deform + 1] - v0, m = 0;
  plVec3 sum = {0, 0, 0};
  for (int i = 0; i < n; i++)
    if (o->counts[v0 + i]) sum = v3_add(sum, vertex(data, s->deform, i)), m++;
  s->centre = m > 0 ? v3_scale(1.0 / m, sum) : vertex(data, s->deform, 0);
}

// The ball around a soft body's centre that lies inside: to the nearest plane of a surface triangle, and 0
// where the centre is outside.
static double soft_core(const plData* data, const Solid* s) {
  const plModel* m = data->model;
  double core = INFINITY;
  for (int t = m->deform_tri0[s->deform]; t < m->deform_tri0[s->deform + 1]; t++) {
    plVec3 p[3];
    for (int k = 0; k < 3; k++)
      p[k] = vertex(data, s->deform, m->tri_vert[3 * t + k] - m->deform_vert0[s->deform]);
    plVec3 n = v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
    core = fmin(core, v3_dot(v3_sub(p[0], s->centre), n) / fmax(v3_norm(n), DBL_MIN));
  }
  return fmax(0, core);
}

// Positions now; the former ones are those before.
static void update(Overlaps* o, const plData* data) {
  pl_shape_poses(data, o->pose);
  for (int i = 0; i < o->n; i++) {
    Solid* s = &o->solid[i];
    s->before = s->centre;
    if (s->shape >= 0) {
      s->centre = o->pose[s->shape].p;
      continue;
    }
    double core = s->core_now;
    soft_centre(data, o, s);
    s->core_now = 0.5 * soft_core(data, s), s->core = fmin(core, s->core_now);
  }
}

static double shape_core(const plModel* m, int g) {
  double d = shape_distance(m, g, (plVec3){0, 0, 0});
  return m->shape_kind[g] == PL_SHAPE_HALF_SPACE || !isfinite(d) ? 0 : -d;
}

static plSide side_of(const Solid* s) {
  return s->deform >= 0 ? (plSide){PL_SIDE_DEFORMABLE, s->deform} : (plSide){PL_SIDE_SHAPE, s->shape};
}

// held of every body, and of the world at the end; NULL: no memory.
static int* find_held(const plModel* m) {
  int n = m->nbody, *held = calloc((size_t)n + 1, sizeof(int));
  for (int i = 0; held && i <= n; i++) held[i] = i < n && m->body_node[i] >= 0 ? i : n;
  for (int i = 0; held && i < m->nconstraint; i++) {
    const plConstraintDef* c = &m->constraint[i];
    if (c->kind != PL_CONSTRAINT_WELD || isfinite(c->stiffness) || c->off) continue;
    int a = held[c->a < 0 ? n : c->a], b = held[c->b < 0 ? n : c->b];
    for (int k = 0; k <= n; k++)
      if (held[k] == a) held[k] = b;
  }
  return held;
}

static bool excluded(const plModel* m, const Solid* a, const Solid* b) {
  int x = a->deform >= 0 ? -2 : a->body, y = b->deform >= 0 ? -2 : b->body;
  for (int i = 0; i < m->nexclude; i++) {
    const plSide* e = &m->exclude[2 * i];
    if ((pl_side_covers(m, e[0], side_of(a)) && pl_side_covers(m, e[1], side_of(b))) ||
        (pl_side_covers(m, e[0], side_of(b)) && pl_side_covers(m, e[1], side_of(a))))
      return true;
  }
  // bodies that are attached to each other may overlap
  for (int i = 0; i < m->nconstraint; i++) {
    const plConstraintDef* c = &m->constraint[i];
    if (c->kind <= PL_CONSTRAINT_DISTANCE && ((c->a == x && c->b == y) || (c->a == y && c->b == x)))
      return true;
  }
  for (int i = 0; i < m->nattach; i++) {
    const Solid *s = a->deform == m->attach_deform[i]   ? a
                     : b->deform == m->attach_deform[i] ? b
                                                        : NULL,
                *t = s == a ? b : a;
    if (s && (m->attach_other[i] >= 0 ? t->deform == m->attach_other[i]
                                      : t->deform < 0 && t->body == m->attach_body[i]))
      return true;
  }
  // what welds hold does not collide, also through others
  if (a->deform < 0 && b->deform < 0 && a->held == b->held) return true;
  // neighbours in a tree do not collide, also if its base is fixed
  if (x >= 0 && y >= 0 && (m->body_parent[x] == y || m->body_parent[y] == x)) return true;
  bool held_a = a->deform < 0 && a->tree < 0, held_b = b->deform < 0 && b->tree < 0;
  return (held_a && held_b) || (a->deform < 0 && b->deform < 0 && a->tree == b->tree);
}

// How often p is in a tetrahedron: 1, or -1 if it is inside out; 0: outside.
static int around(const plVec3 x[4], plVec3 p) {
  plVec3 a = v3_sub(x[1], x[0]), b = v3_sub(x[2], x[0]), c = v3_sub(x[3], x[0]), d = v3_sub(p, x[0]);
  double det = v3_dot(a, v3_cross(b, c)), u = v3_dot(d, v3_cross(b, c)) / det,
         v = v3_dot(a, v3_cross(d, c)) / det, w = v3_dot(a, v3_cross(b, d)) / det;
  if (!(u >= 0 && v >= 0 && w >= 0 && u + v + w <= 1)) return 0;
  return det > 0 ? 1 : -1;
}

// The parts of a quadratic tetrahedron: corners 0 to 3, middles of the edges 01 02 03 12 13 23.
static const int parts_of_ten[8][4] = {{0, 4, 5, 6}, {4, 1, 7, 8}, {5, 7, 2, 9}, {6, 8, 9, 3},
                                       {4, 9, 5, 6}, {4, 9, 6, 8}, {4, 9, 8, 7}, {4, 9, 7, 5}};

// Whether the surface of a soft body encloses p.
static bool encloses(const plData* data, int b, plVec3 p) {
  const plModel* m = data->model;
  int v0 = m->deform_vert0[b], sum = 0;
  for (int t = m->deform_tet0[b]; t < m->deform_tet0[b + 1]; t++) {
    const int *corner = m->tet_vert + 4 * t, *mid = m->tet_mid + 6 * t;
    plVec3 x[10];
    int n = mid[0] < 0 ? 4 : 10;
    for (int k = 0; k < n; k++) x[k] = vertex(data, b, (k < 4 ? corner[k] : mid[k - 4]) - v0);
    if (n == 4) sum += around(x, p);
    for (int i = 0; i < 8 && n == 10; i++) {
      const int* k = parts_of_ten[i];
      sum += around((plVec3[4]){x[k[0]], x[k[1]], x[k[2]], x[k[3]]}, p);
    }
  }
  return sum > 0;
}

// m, from p to a triangle: to its plane if p projects into it, else to its sides.
static double to_triangle(const plVec3 x[3], plVec3 p) {
  plVec3 n = v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
  double nearest = INFINITY;
  bool inside = v3_norm2(n) > 0;
  for (int k = 0; k < 3; k++) {
    plVec3 side = v3_sub(x[(k + 1) % 3], x[k]), d = v3_sub(p, x[k]);
    double length2 = v3_norm2(side), along = length2 > 0 ? v3_dot(d, side) / length2 : 0;
    nearest = fmin(nearest, v3_norm(v3_madd(d, -fmin(1, fmax(0, along)), side)));
    inside = inside && v3_dot(v3_cross(side, d), n) >= 0;
  }
  return inside ? fabs(v3_dot(v3_sub(p, x[0]), n)) / v3_norm(n) : nearest;
}

// Depth of a point inside a solid; 0: outside or unknown.
static double depth_in(const plData* data, const Overlaps* o, const Solid* s, plVec3 p) {
  const plModel* m = data->model;
  if (s->shape >= 0) {
    double d = shape_distance(m, s->shape, pose_apply_inverse(o->pose[s->shape], p));
    return isfinite(d) ? fmax(0, -d) : 0;
  }
  int v0 = m->deform_vert0[s->deform];
  bool inside = encloses(data, s->deform, p);
  double nearest = INFINITY;
  for (int t = m->deform_tri0[s->deform]; t < m->deform_tri0[s->deform + 1] && inside; t++) {
    plVec3 x[3];
    for (int k = 0; k < 3; k++) x[k] = vertex(data, s->deform, m->tri_vert[3 * t + k] - v0);
    nearest = fmin(nearest, to_triangle(x, p));
  }
  return inside ? nearest : 0;
}

static double deepest(const plData* data, const Overlaps* o, const Solid* a, const Solid* b) {
  plVec3 p[14];
  double most = 0;
  if (a->deform >= 0) {
    int v0 = data->model->deform_vert0[a->deform], n = data->model->deform_vert0[a->deform + 1] - v0;
    for (int i = 0; i < n; i++)
      if (o->counts[v0 + i]) most = fmax(most, depth_in(data, o, b, vertex(data, a->deform, i)));
    return most;
  }
  int n = shape_points(data->model, a->shape, p);
  for (int i = 0; i < n; i++) most = fmax(most, depth_in(data, o, b, pose_apply(o->pose[a->shape], p[i])));
  return most;
}

// The smaller core; a half space has none.
static double smaller_core(const Solid* a, const Solid* b) {
  double x = a->core > 0 ? a->core : b->core, y = b->core > 0 ? b->core : a->core;
  return fmin(x, y);
}

static double allowed(const Solid* a, const Solid* b) {
  double soft = 0.5 * fmin(a->cell, b->cell);
  if (isfinite(soft)) return soft;
  return 0.5 * smaller_core(a, b);
}

// From the surface of a rigid solid to its middle; infinite: a half space, and others.
static double to_middle(const Solid* s) { return s->shape >= 0 && s->core > 0 ? s->core : INFINITY; }

static double stiffness_of(const Solid* a, const Solid* b) {
  return 1 / (1 / a->stiffness + 1 / b->stiffness);
}

// Whether the stiffness of the surfaces explains that depth: the work that the law of a point does on the
// way, pi k R d^3 / 3, is below the energy that there was. Past the middle of a shape it does no more work.
static bool gives_way(const Solid* a, const Solid* b, double depth, double energy) {
  double k = stiffness_of(a, b), d = fmin(depth, fmin(to_middle(a), to_middle(b)));
  return isfinite(k) && acos(-1) * k * smaller_core(a, b) * d * d * d / 3 < energy;
}

// The same by the surface of a soft body that is in the other one, where each vertex is pushed by its area
// alone, int k g^2 / 2 dA: a narrow body, or one of which only a part is held, meets less than the area pi R
// d of a round side. Deeper than the thickness behind the surface contact does not push, unless the other one
// is a half space.
static bool facets_give_way(const plData* data, const Overlaps* o, const Solid* soft, const Solid* other,
                            double energy) {
  const plModel* m = data->model;
  double k = stiffness_of(soft, other), sum = 0;
  if (!isfinite(k) || soft->deform < 0) return false;
  bool plane = other->shape >= 0 && m->shape_kind[other->shape] == PL_SHAPE_HALF_SPACE;
  double limit = plane ? INFINITY : soft->limit;
  int v0 = m->deform_vert0[soft->deform];
  for (int t = m->deform_tri0[soft->deform]; t < m->deform_tri0[soft->deform + 1]; t++) {
    plVec3 x[3];
    double squares = 0;
    for (int i = 0; i < 3; i++) {
      x[i] = vertex(data, soft->deform, m->tri_vert[3 * t + i] - v0);
      squares += pow(fmin(depth_in(data, o, other, x[i]), limit), 2);
    }
    sum += 0.5 * v3_norm(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]))) * squares / 3;
  }
  return 0.5 * k * sum < energy;
}

// m, the largest height of a tetrahedron over its facet on the surface, at rest.
static double limit_of(const plModel* m, int b) {
  double most = 0;
  for (int t = m->deform_tri0[b]; t < m->deform_tri0[b + 1]; t++) {
    int tet = m->tri_tet[t], facets = m->tet_mid[6 * tet] < 0 ? 1 : 4;  // on a face
    plVec3 x[3];
    for (int k = 0; k < 3; k++) x[k] = v3_load(m->vert_rest + 3 * (size_t)m->tri_vert[3 * t + k]);
    double area = 0.5 * facets * v3_norm(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
    most = fmax(most, 3 * m->tet_volume[tet] / fmax(area, DBL_MIN));
  }
  return most;
}

// Vertices of surfaces, less those that the scene fixes or moves.
static void find_counting(const plModel* m, bool* counts) {
  for (int i = 0; i < 3 * m->deform_tri0[m->ndeform]; i++) counts[m->tri_vert[i]] = true;
  for (int i = 0; i < m->nvert; i++) counts[i] = counts[i] && !m->vert_fixed[i];
}

Overlaps* overlaps_create(const plData* data) {
  const plModel* m = data->model;
  Overlaps* o = calloc(1, sizeof *o);
  int most = m->ndeform + m->nshape + 1;
  if (!o) return NULL;
  o->solid = calloc((size_t)most, sizeof(Solid));
  o->apart = calloc((size_t)most * (size_t)most, sizeof(bool));
  o->pose = calloc((size_t)m->nshape + 1, sizeof(plPose));
  o->counts = calloc((size_t)m->nvert + 1, sizeof(bool));
  int* held = find_held(m);
  if (!o->solid || !o->apart || !o->pose || !o->counts || !held) abort();
  find_counting(m, o->counts);
  for (int b = 0; b < m->ndeform; b++) {
    int ntet = m->deform_tet0[b + 1] - m->deform_tet0[b];
    o->solid[o->n++] = (Solid){.name = m->deform_name[b],
                               .deform = b,
                               .shape = -1,
                               .body = -2,
                               .tree = -2,
                               .core_now = INFINITY,
                               .stiffness = m->par->deform_surface[b].contact_stiffness,
                               .limit = limit_of(m, b),
                               .cell = cbrt(6 * m->deform_volume[b] / ntet)};
  }
  for (int g = 0; g < m->nshape; g++) {
    int body = m->shape_body[g], tree = body;
    if (!m->shape_collide[g]) continue;
    while (tree >= 0 && m->body_parent[tree] >= 0) tree = m->body_parent[tree];
    if (body >= 0 && m->body_node[body] < 0) tree = -1;
    o->solid[o->n++] = (Solid){.name = m->shape_name[g],
                               .deform = -1,
                               .shape = g,
                               .body = body,
                               .tree = tree,
                               .held = held[body < 0 ? m->nbody : body],
                               .core = shape_core(m, g),
                               .stiffness = m->par->shape_surface[g].contact_stiffness,
                               .cell = INFINITY};
  }
  free(held);
  update(o, data);
  for (int i = 0; i < o->n; i++)
    for (int k = 0; k < o->n; k++) {
      const Solid *a = &o->solid[i], *b = &o->solid[k];
      bool touch = i != k && !excluded(m, a, b);
      bool inside = touch && (deepest(data, o, a, b) > 0 || deepest(data, o, b, a) > 0);
      o->at_start |= inside;
      o->apart[i * o->n + k] = touch && !inside;
    }
  return o;
}

bool overlaps_at_start(const Overlaps* o) { return o->at_start; }

void overlaps_destroy(Overlaps* o) {
  free(o->solid), free(o->apart), free(o->pose), free(o->counts);
  free(o);
}

// Whether the centre of a crossed the core of b, by more than the allowed overlap leaves to it.
static bool passed(const Solid* a, const Solid* b) {
  if (b->core == 0 || a->core == 0) return false;
  double rest = fmin(fmax(0, allowed(a, b) - a->core), 0.5 * b->core);
  plVec3 x0 = v3_sub(a->before, b->before), x1 = v3_sub(a->centre, b->centre), e = v3_sub(x1, x0);
  double n = v3_dot(e, e), t = n > 0 ? fmin(1, fmax(0, -v3_dot(x0, e) / n)) : 0;
  return v3_norm(v3_madd(x0, t, e)) < b->core - rest;
}

// Whether the centre of a is below the half space b; a soft body that is pressed flat may have it there by
// the overlap that is allowed.
static bool is_below(const plData* data, const Overlaps* o, const Solid* a, const Solid* b) {
  return b->shape >= 0 && data->model->shape_kind[b->shape] == PL_SHAPE_HALF_SPACE &&
         depth_in(data, o, b, a->centre) > (a->deform >= 0 ? allowed(a, b) : 0);
}

void overlaps_part(Overlaps* o, const plData* data) {
  update(o, data);
  for (int i = 0; i < o->n * o->n; i++) {
    const Solid *a = &o->solid[i / o->n], *b = &o->solid[i % o->n];
    if (!o->passed[0] && o->apart[i] && (passed(a, b) || is_below(data, o, a, b)))
      o->passed[0] = a, o->passed[1] = b;
  }
}

void overlaps_step(Overlaps* o, const plData* data, bool deep, double energy, Verdict* v) {
  const Solid *x = o->passed[0], *y = o->passed[1];
  int step = (int)data->report.step - 1;
  if (x && !gives_way(x, y, smaller_core(x, y), energy))
    fail(v, OUTCOME_PASSED, step, "'%.40s' went through '%.40s'", x->name, y->name);
  o->passed[0] = NULL;
  for (int i = 0; i < o->n * o->n && deep; i++) {
    const Solid *a = &o->solid[i / o->n], *b = &o->solid[i % o->n];
    double d = o->apart[i] ? deepest(data, o, a, b) : 0;
    if (d > allowed(a, b) && !gives_way(a, b, d, energy) && !facets_give_way(data, o, a, b, energy))
      fail(v, OUTCOME_OVERLAP, step, "'%.40s' is %.2g m deep in '%.40s', allowed %.2g m", a->name, d, b->name,
           allowed(a, b));
  }
}

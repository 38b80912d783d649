// skin_smooth.c: a soft surface against a sphere, capsule, cylinder or ellipsoid.
//
// A shape may be smaller than a facet, and it must not feel the corners of a coarse mesh when it is dragged over it. So each vertex v
// carries one point, whose gap, place, normal and weights on the mesh are means over the facets around it:
//
//   <f>_v = int N_v rho f dA / int N_v rho dA,   rho = cut((g - g_v) / delta) max(0, n_f . towards)
//
// with g the exact distance to the shape, g_v its least value around v, N_v the vertex' shape function. The cut keeps what is within
// delta of the closest place: delta is how far a chord of the mesh's size leaves the shape, h^2 / 2 r, and at most a part of r. All of
// these change smoothly when the shape moves along, strength included: int N_v rho dA over the vertex' area, or over int rho dA where
// the shape touches less than that (a needle must not sink in). Integrals are sums over small triangles.
#include <math.h>

#include "contact/pair.h"

// delta = min(delta_chord h^2 / 2 r + delta_flat h, delta_most r)
static const double delta_chord = 1, delta_flat = 0.01, delta_most = 0.2;

// One small triangle: its facet's coordinates, area and what the shape looks like from its middle.
typedef struct Sample {
  double w[3];     // barycentric
  double area;     // m^2, projected on the shape's normal
  double gap;      // m
  plVec3 towards;  // unit, from the surface to the shape
} Sample;

// What a facet has to say: its samples, in the memory of the thread that took them.
typedef struct Sampled {
  const Sample* sample;  // [n]
  int n;
  double least;          // m, gap
} Sampled;

typedef struct Gather {
  const plPair* pair;
  const plSkin* skin;
  double reach;         // m, gaps of interest
  double radius;        // m, of the shape's strongest curvature
  plMat3 rotation;      // of the shape
  Sampled* sampled;     // [ntri]
  double* vert_gap;     // [nvert] m, least gap around
  int* facet;           // [nfacet] those near the shape
  int nfacet;
} Gather;

// Samples of one facet after the other; what grows moves, but the old places keep what they had.
typedef struct Store {
  plArena* arena;
  Sample* sample;
  int first, n, cap;    // first: of the facet at hand
  double least;
  bool failed;
} Store;

static double curvature_radius(const plShape* s) {
  if (s->kind != PL_SHAPE_ELLIPSOID) return s->radius;
  double a = fmin(s->size.x, fmin(s->size.y, s->size.z)) / 2, c = fmax(s->size.x, fmax(s->size.y, s->size.z)) / 2;
  return a * a / c;
}

// How far behind the closest place a vertex looks; grows with its area.
static double delta_of(const Gather* g, double area) {
  return fmin(delta_chord * area / (2 * g->radius) + delta_flat * sqrt(area), delta_most * g->radius);
}

// A triangle within facet t.
typedef struct Part {
  double w[3][3];   // barycentric coordinates of its corners
  double gap[3];    // m, there
  double area, size;
} Part;

// The gap at a place of facet t; *towards (may be NULL) is the direction from there to the shape.
static double gap_at(const Gather* g, int t, const double w[3], plVec3* towards) {
  const int* v = g->skin->tri + 3 * (size_t)t;
  plVec3 x = v3_neg(g->pair->cb->pose.p), outward;
  for (int k = 0; k < 3; k++) x = v3_madd(x, w[k], skin_x(g->skin, v[k]));
  // A sphere looks the same from all sides.
  bool sphere = g->pair->cb->shape.kind == PL_SHAPE_SPHERE;
  double gap = pl_shape_distance(&g->pair->cb->shape, sphere ? x : m3_tmulv(g->rotation, x), &outward);
  if (towards) *towards = v3_neg(sphere ? outward : m3_mulv(g->rotation, outward));
  return gap;
}

static void push_sample(Store* to, Sample sample) {
  if (to->n == to->cap) {
    int cap = to->cap ? 2 * to->cap : 256;
    Sample* grown = PL_ARENA_NEW(to->arena, Sample, cap);
    if (!grown) { to->failed = true; return; }
    for (int i = to->first; i < to->n; i++) grown[i] = to->sample[i];
    to->sample = grown, to->cap = cap;
  }
  to->sample[to->n++] = sample;
  to->least = fmin(to->least, sample.gap);
}

// Adds the samples of one part, cut into four until the gap is nearly linear on it.
static void sample_part(const Gather* g, Store* to, int t, const Part* p, double bend, int level) {
  double mid[3];
  for (int k = 0; k < 3; k++) mid[k] = (p->w[0][k] + p->w[1][k] + p->w[2][k]) / 3;
  plVec3 towards;
  double gap = gap_at(g, t, mid, level < 2 ? NULL : &towards);
  if (gap > g->reach + 0.67 * p->size) return;  // no place in it is farther from the middle than two thirds of its longest side
  bool bent = fabs(gap - (p->gap[0] + p->gap[1] + p->gap[2]) / 3) > bend;
  if (level < 2 || (bent && level < 10)) {
    Part q = {.area = p->area / 4, .size = p->size / 2};
    double m[3][3], gap_m[3];
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) m[i][k] = 0.5 * (p->w[i][k] + p->w[(i + 1) % 3][k]);
      gap_m[i] = gap_at(g, t, m[i], NULL);
    }
    // One at each corner i, between the middles of the sides before and behind it, and one in between.
    for (int i = 0; i < 4; i++) {
      for (int k = 0; k < 3; k++) {
        q.w[0][k] = i < 3 ? p->w[i][k] : m[0][k];
        q.w[1][k] = i < 3 ? m[i][k] : m[1][k];
        q.w[2][k] = i < 3 ? m[(i + 2) % 3][k] : m[2][k];
      }
      q.gap[0] = i < 3 ? p->gap[i] : gap_m[0], q.gap[1] = i < 3 ? gap_m[i] : gap_m[1], q.gap[2] = i < 3 ? gap_m[(i + 2) % 3] : gap_m[2];
      sample_part(g, to, t, &q, bend, level + 1);
    }
    return;
  }
  double facing = v3_dot(skin_normal(g->skin, t), towards);
  if (gap > g->reach || !(facing > 0)) return;
  push_sample(to, (Sample){{mid[0], mid[1], mid[2]}, p->area * facing, gap, towards});
}

static void sample_facet(const Gather* g, Store* to, int t) {
  const plSkin* s = g->skin;
  const int* v = s->tri + 3 * (size_t)t;
  Part whole = {.w = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .area = s->tri_area[t]};
  double least_area = INFINITY;
  static const double middle[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
  for (int k = 0; k < 3; k++) {
    whole.size = fmax(whole.size, v3_norm(v3_sub(skin_x(s, v[(k + 1) % 3]), skin_x(s, v[k]))));
    least_area = fmin(least_area, s->vert_area[v[k]]);
  }
  if (gap_at(g, t, middle, NULL) > g->reach + 0.67 * whole.size) return;
  for (int k = 0; k < 3; k++) whole.gap[k] = gap_at(g, t, whole.w[k], NULL);
  to->first = to->n, to->least = INFINITY;
  sample_part(g, to, t, &whole, 0.1 * delta_of(g, least_area), 0);
  if (!to->failed) g->sampled[t] = (Sampled){to->sample ? to->sample + to->first : NULL, to->n - to->first, to->least};
}

static plStatus sample_some(plPair* part, void* context, int begin, int end) {
  const Gather* g = context;
  Store to = {.arena = part->arena};
  for (int i = begin; i < end && !to.failed; i++) sample_facet(g, &to, g->facet[i]);
  return to.failed ? PL_ERROR_MEMORY : PL_OK;
}

static bool list_facet(void* context, int t) {
  Gather* g = context;
  if (g->skin->tri_area[t] > 0) g->facet[g->nfacet++] = t;
  return true;
}

// 1 up to half way, then smoothly to 0 at 1.
static double cut(double t) {
  if (t <= 0.5) return 1;
  if (t >= 1) return 0;
  double s = 2 * (1 - t);
  return s * s * (3 - 2 * s);
}

static int find_vertex(int* list, int* n, int v) {
  for (int i = 0; i < *n; i++)
    if (list[i] == v) return i;
  list[*n] = v;
  return (*n)++;
}

static plStatus emit_mean(plPair* pair, const Gather* g, int v) {
  const plSkin* s = g->skin;
  int facets = s->ring0[v + 1] - s->ring0[v], n = 0, best_tri = -1;
  int* vert = PL_ARENA_NEW(pair->arena, int, 3 * facets);
  double* weight = PL_KEEP(pair->arena, double, 3 * facets);
  if (!vert || !weight) return PL_ERROR_MEMORY;
  double sum = 0, whole = 0, gap = 0, most = 0, delta = delta_of(g, s->vert_area[v]);
  plVec3 normal = {0, 0, 0};
  for (int i = s->ring0[v]; i < s->ring0[v + 1]; i++) {
    int t = s->ring[i], slot[3], own = 0;
    const Sampled* facet = &g->sampled[t];
    if (!facet->n) continue;
    const int* tv = s->tri + 3 * (size_t)t;
    for (int k = 0; k < 3; k++) {
      slot[k] = find_vertex(vert, &n, tv[k]);
      if (tv[k] == v) own = k;
    }
    double here = 0;
    for (const Sample* p = facet->sample; p < facet->sample + facet->n; p++) {
      double near = cut((p->gap - g->vert_gap[v]) / delta) * p->area, w = p->w[own] * near;
      if (!(w > 0)) continue;
      whole += near;
      here += w, gap += w * p->gap;
      normal = v3_madd(normal, w, p->towards);
      for (int k = 0; k < 3; k++) weight[slot[k]] += w * p->w[k];
    }
    sum += here;
    if (here > most) most = here, best_tri = t;
  }
  if (!(sum > 0)) return PL_OK;
  gap /= sum;
  for (int i = 0; i < n; i++) weight[i] /= sum;
  if (gap > pair->window) return PL_OK;
  if (gap < -s->vert_limit[v]) {
    pair->list->deep++;
    return PL_OK;
  }
  plOnSkin on = {n, vert, weight, best_tri}, shape = {.tri = -1};
  plVec3 place = pl_pair_place(s, on), direction = v3_unit(normal);
  return pl_pair_push(pair, on, shape, v3_madd(place, 0.5 * gap, direction), direction, gap, sum, sum / fmin(whole, s->vert_area[v]));
}

static plStatus emit_some(plPair* part, void* context, int begin, int end) {
  const Gather* g = context;
  plStatus status = PL_OK;
  for (int v = begin; v < end && !status; v++)
    if (isfinite(g->vert_gap[v]) && !(part->held_a && part->held_a[v])) status = emit_mean(part, g, v);
  return status;
}

plStatus pl_contact_skin_smooth(plPair* pair) {
  const plSkin* s = pair->A;
  plArena* arena = pair->arena;
  Gather g = {.pair = pair, .skin = s, .radius = curvature_radius(&pair->cb->shape), .rotation = quat_matrix(pair->cb->pose.q)};
  g.vert_gap = PL_ARENA_NEW(arena, double, s->nvert);
  g.facet = PL_ARENA_NEW(arena, int, s->ntri);
  g.sampled = PL_KEEP(arena, Sampled, s->ntri);
  if (arena->failed) return PL_ERROR_MEMORY;
  double largest = 0;
  for (int v = 0; v < s->nvert; v++) g.vert_gap[v] = INFINITY, largest = s->vert_area[v] > largest ? s->vert_area[v] : largest;
  g.reach = pair->window + delta_of(&g, largest);
  plVec3 r = v3(g.reach, g.reach, g.reach);
  pl_tri_tree_box(s->tree, v3_sub(pair->cb->lower, r), v3_add(pair->cb->upper, r), list_facet, &g);
  plStatus status = pl_pair_in_parts(pair, g.nfacet, 16, sample_some, &g);
  if (status) return status;
  for (int i = 0; i < g.nfacet; i++) {
    const int* v = s->tri + 3 * (size_t)g.facet[i];
    for (int k = 0; k < 3 && g.sampled[g.facet[i]].n; k++) g.vert_gap[v[k]] = fmin(g.vert_gap[v[k]], g.sampled[g.facet[i]].least);
  }
  return pl_pair_in_parts(pair, s->nvert, 256, emit_some, &g);
}

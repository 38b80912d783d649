// skin_smooth.c: a soft surface against a round tool: a shape, or a mesh that approximates one (round.h).
//
// A shape may be smaller than a facet, and its force must not show the mesh when it is dragged over it. Each
// vertex v therefore has one point, made of integrals over the parts of its facets that lie within t of the
// shape,
//
//   A_v = int N_v s dA,   g_v = int N_v s g dA / A_v,
//   <f>_v = int N_v s (t - g) f dA / int N_v s (t - g) dA   over g < t
//
// with g the exact distance, N_v the vertex' shape function and <f> the point's normal, position and weights
// on the mesh. Where the bodies overlap, t = 0, and k A_v g_v <n>_v is the force of the energy int k s g^2 /
// 2 dA, which varies smoothly along the surface. A is the area of the facets, not its projection on the
// shape's normal: then a flat surface would push along itself. Where they do not overlap yet, t is slightly
// larger than the smallest gap around the vertex, so that a point exists before they touch. Integrals are
// sums over small triangles.
//
// The spring k adds the compliance that the mesh lacks. A facet cannot bend into a dimple: a load in its
// middle moves three vertices. A coarse mesh is therefore too stiff, and stiffer in the middle of a facet
// than at a vertex (a dragged tool would feel this as bumps). With h the mesh size, E* = E / (1 - nu^2), r
// the shape's radius of curvature and w half its smallest width, the patch of area A deforms like a spring of
//
//   K = E* max(layer (1 + resolved r / h) A / h, punch sqrt(A), h^4 / (needle w^3))
//
// The first term is a layer as thick as the facets are wide; it vanishes where facets are small enough to
// follow the shape. The second is a rigid punch on a half space, for patches smaller than a facet. The third
// makes needles, which could pass between the vertices, almost rigid. s is the relative stiffness of the
// layer at a point: 1 / s = 1 + uneven (1/2 - N_1^2 - N_2^2 - N_3^2), from 1/4 at the vertices to 5/4 in the
// middle of a facet, with mean 1. No shape sinks in past its middle: where the overlap exceeds hard w, the
// layer is stiffer by the factor 1 + steep (h / w)^2; this part is called its core.
//
// K belongs to the overlap at the start of the step, which may change a lot in a fast step, and layers of
// flat tetrahedra are thinner than h. The spring therefore has a stop: beyond a mean overlap of 0.35 min(w,
// thickness behind the facets), or where the deepest position around the vertex overlaps by 0.4 min(h,
// thickness), the point is as stiff as any other (contact_rows.c). The constants were chosen
// so that coarse and fine meshes agree for the same tools (test/contact/test_drag.c; Hertz in
// validate_contact).
#include <assert.h>
#include <math.h>

#include "contact/pair.h"
#include "contact/round.h"
#include "contact/thresholds.h"
#include "geom/closest.h"

// One small triangle: its coordinates on the facet, its area, and the direction and facet of the shape at its
// middle.
typedef struct Sample {
  double w[3];     // barycentric, of its middle
  double area;     // m^2, less where it does not face the shape
  double stiff;    // s
  double gap[3];   // m, at its corners
  plVec3 towards;  // unit, from the surface to the shape
  int tri;         // facet of a mesh that is closest, else -1
} Sample;

// The samples of a facet, in the memory of the thread that took them.
typedef struct Sampled {
  const Sample* sample;  // [n]
  int n;
  double least;  // m, gap
} Sampled;

typedef struct Gather {
  const plPair* pair;
  const plSkin* skin;
  double reach;      // m, gaps up to this are computed
  double radius;     // m, radius of the shape's strongest curvature
  double thick;      // m, half the shape's smallest width
  double modulus;    // Pa, E*
  bool springs;      // the surfaces have mesh_compliance
  bool uneven;       // the radius of curvature depends on the point
  plMat3 rotation;   // of the shape
  Sampled* sampled;  // [ntri]
  double* vert_gap;  // [nvert] m, smallest gap around each vertex
  int* facet;        // [nfacet] facets near the shape
  int nfacet;
} Gather;

// Samples of one facet after another. The array may move when it grows; the old memory stays valid.
typedef struct Store {
  plArena* arena;
  Sample* sample;
  int first, n, cap;    // first: of the present facet
  double least, ahead;  // m, of the present facet
  int parts;            // number of parts examined on the present facet
  bool failed;
} Store;

// The order of the integrals, not thresholds: a facet has at least 16 parts
// (test/contact/test_thresholds_soft.c computes with as many). Parts are divided until the gap is linear on
// them, which ends by itself at the size of `ahead`; the other two bound the work of a step by the number of
// facets where a needle is thinner than 1/25 of a facet. Typical tools need a hundredth of these parts.
enum { LEAST_LEVEL = 2, MOST_LEVEL = 10, MOST_PARTS = 1 << 14 };

// E / (1 - nu^2) of the body at rest.
static double plane_modulus(const plData* data, int body) {
  double lambda, mu;
  pl_material_lame(&data->par->deform_material[body], &lambda, &mu);
  return 4 * mu * (lambda + mu) / (lambda + 2 * mu);
}

// How far beyond the closest point a vertex integrates before there is an overlap; grows with its area.
static double ahead_of(const Gather* g, double area) {
  return fmin(PL_AHEAD_CHORD * area / (2 * g->radius) + PL_AHEAD_FLAT * sqrt(area),
              PL_AHEAD_MOST * fmin(g->radius, g->thick));
}

// A triangle within facet t.
typedef struct Part {
  double w[3][3];  // barycentric coordinates of its corners
  double gap[3];   // m, there
  double area, size;
} Part;

// The gap at a point of facet t; *towards (may be NULL) is the direction from there to the shape. *tri is set
// with it: the closest facet of a mesh.
static double gap_at(const Gather* g, int t, const double w[3], double within, plVec3* towards, int* tri) {
  const int* v = g->skin->tri + 3 * (size_t)t;
  plVec3 x = v3_neg(g->pair->cb->pose.p), outward;
  for (int k = 0; k < 3; k++) x = v3_madd(x, w[k], skin_x(g->skin, v[k]));
  // For a sphere the direction follows from the distance to its centre.
  bool sphere = g->pair->cb->shape.kind == PL_SHAPE_SPHERE;
  if (sphere && !towards) return v3_norm(x) - g->pair->cb->shape.radius;
  int facet;
  double gap =
      pl_round_distance(g->pair->cb, sphere ? x : m3_tmulv(g->rotation, x), within, &outward, &facet);
  if (tri) *tri = facet;
  if (towards) *towards = v3_neg(sphere ? outward : m3_mulv(g->rotation, outward));
  return gap;
}

static void push_sample(Store* to, Sample sample) {
  if (to->n == to->cap) {
    int cap = to->cap ? 2 * to->cap : 256;
    Sample* grown = PL_ARENA_NEW(to->arena, Sample, cap);
    if (!grown) {
      to->failed = true;
      return;
    }
    for (int i = to->first; i < to->n; i++) grown[i] = to->sample[i];
    to->sample = grown, to->cap = cap;
  }
  to->sample[to->n++] = sample;
}

// Adds a part that is small enough. Its mean gap is that of the quadratic function through corners and
// middle.
static void add_part(const Gather* g, Store* to, int t, const Part* p, const double mid[3], double gap,
                     plVec3 towards, int tri, int level) {
  double facing = v3_dot(skin_normal(g->skin, t), towards),
         squares = mid[0] * mid[0] + mid[1] * mid[1] + mid[2] * mid[2] + 1 / (6.0 * (double)(1 << 2 * level));
  if (!(facing > 0)) return;
  Sample sample = {.w = {mid[0], mid[1], mid[2]},
                   .area = p->area * fmin(1, facing / PL_SPRING_FACING),
                   .stiff = 1 / (1 + PL_SPRING_UNEVEN * (0.5 - squares)),
                   .towards = towards,
                   .tri = tri};
  double rise = 0.75 * (gap - (p->gap[0] + p->gap[1] + p->gap[2]) / 3);
  double least = gap < to->least ? gap : to->least;
  for (int k = 0; k < 3; k++) {
    sample.gap[k] = p->gap[k] + rise;
    least = p->gap[k] < least ? p->gap[k] : least;
  }
  to->least = least;
  push_sample(to, sample);
}

// An upper bound of the distance from the part to the surface, if no corner is farther from it than a given
// number of sizes. Only meshes use it.
static double within_of(const Gather* g, const Part* p, double sizes) {
  if (!g->pair->cb->round) return INFINITY;
  return fmin(fabs(p->gap[0]), fmin(fabs(p->gap[1]), fabs(p->gap[2]))) + 1.001 * sizes * p->size;
}

// Adds the samples of one part, divided into four until the gap deviates from its linear mean by less than
// bend.
static void sample_part(const Gather* g, Store* to, int t, const Part* p, double bend, int level) {
  double mid[3];
  for (int k = 0; k < 3; k++) mid[k] = (p->w[0][k] + p->w[1][k] + p->w[2][k]) / 3;
  plVec3 towards;
  int tri = -1;
  double gap = gap_at(g, t, mid, within_of(g, p, 0.67), level < LEAST_LEVEL ? NULL : &towards, &tri);
  // No point of it is farther from the middle than two thirds of its longest side.
  if (gap > fmin(g->reach, fmax(0, to->least) + to->ahead) + 0.67 * p->size) return;
  bool bent = fabs(gap - (p->gap[0] + p->gap[1] + p->gap[2]) / 3) > bend;
  if (level >= LEAST_LEVEL && !(bent && level < MOST_LEVEL && ++to->parts < MOST_PARTS)) {
    add_part(g, to, t, p, mid, gap, towards, tri, level);
    return;
  }
  Part q = {.area = p->area / 4, .size = p->size / 2};
  double m[3][3], gap_m[3];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) m[i][k] = 0.5 * (p->w[i][k] + p->w[(i + 1) % 3][k]);
    gap_m[i] = gap_at(g, t, m[i], within_of(g, p, 1), NULL, NULL);
  }
  // One at each corner i, between the midpoints of the adjacent sides, and one in the middle.
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      q.w[0][k] = i < 3 ? p->w[i][k] : m[0][k];
      q.w[1][k] = i < 3 ? m[i][k] : m[1][k];
      q.w[2][k] = i < 3 ? m[(i + 2) % 3][k] : m[2][k];
    }
    q.gap[0] = i < 3 ? p->gap[i] : gap_m[0], q.gap[1] = i < 3 ? gap_m[i] : gap_m[1],
    q.gap[2] = i < 3 ? gap_m[(i + 2) % 3] : gap_m[2];
    sample_part(g, to, t, &q, bend, level + 1);
  }
}

// For a mesh, the smallest over its facets.
typedef struct Nearest {
  const plSkin* tool;
  const plVec3* x;
  double gap;
} Nearest;

static bool try_nearest(void* context, int t) {
  Nearest* n = context;
  const int* v = n->tool->tri + 3 * (size_t)t;
  plVec3 y[3] = {skin_x(n->tool, v[0]), skin_x(n->tool, v[1]), skin_x(n->tool, v[2])};
  n->gap = fmin(n->gap, pl_facet_gap(n->x, y, n->gap).gap);
  return true;
}

static double facet_gap(const Gather* g, int t, double least) {
  const int* v = g->skin->tri + 3 * (size_t)t;
  plVec3 x[3] = {skin_x(g->skin, v[0]), skin_x(g->skin, v[1]), skin_x(g->skin, v[2])};
  if (g->pair->cb->round) {
    Nearest n = {g->pair->B, x, least};
    plVec3 r = v3(least, least, least), lower = v3_min(x[0], v3_min(x[1], x[2])),
           upper = v3_max(x[0], v3_max(x[1], x[2]));
    pl_tri_tree_box(n.tool->tree, v3_sub(lower, r), v3_add(upper, r), try_nearest, &n);
    return n.gap;
  }
  plConvex facet = {.kind = PL_SHAPE_MESH,
                    .point = x,
                    .pose = {.p = v3_scale(1.0 / 3, v3_add(x[0], v3_add(x[1], x[2]))), .q = {1, 0, 0, 0}}},
           shape = pl_collider_convex(g->pair->cb);
  return pl_convex_gap(&facet, &shape).gap;
}

// The samples of a whole facet, in place of those it has.
static void take_samples(const Gather* g, Store* to, int t, const Part* whole, double bend) {
  to->n = to->first, to->parts = 0, to->least = INFINITY;
  sample_part(g, to, t, whole, bend, 0);
}

// The smallest gap that the samples of the present facet show.
static double least_sampled(const Store* to) {
  double least = INFINITY;
  for (int i = to->first; i < to->n; i++)
    for (int k = 0; k < 3; k++) least = fmin(least, to->sample[i].gap[k]);
  return least;
}

static void sample_facet(const Gather* g, Store* to, int t) {
  const plSkin* s = g->skin;
  const int* v = s->tri + 3 * (size_t)t;
  Part whole = {.w = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .area = s->tri_area[t]};
  double least = INFINITY, most = 0;
  static const double middle[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
  for (int k = 0; k < 3; k++) {
    whole.size = fmax(whole.size, v3_norm(v3_sub(skin_x(s, v[(k + 1) % 3]), skin_x(s, v[k]))));
    least = fmin(least, s->vert_area[v[k]]), most = fmax(most, s->vert_area[v[k]]);
  }
  if (gap_at(g, t, middle, INFINITY, NULL, NULL) > g->reach + 0.67 * whole.size) return;
  for (int k = 0; k < 3; k++) whole.gap[k] = gap_at(g, t, whole.w[k], INFINITY, NULL, NULL);
  double ahead = ahead_of(g, least);
  to->first = to->n, to->ahead = ahead_of(g, most);
  take_samples(g, to, t, &whole, ahead);
  if (to->n > to->first && to->least > 0) {
    // Without overlap the smallest gap is the distance of facet and shape. Inside a part the gap of a convex
    // shape may be lower by three times its bend in the middle.
    double exact = facet_gap(g, t, to->least);
    if (least_sampled(to) > exact + ahead) take_samples(g, to, t, &whole, ahead / 3);
    to->least = exact;
  }
  if (!to->failed)
    g->sampled[t] = (Sampled){to->sample ? to->sample + to->first : NULL, to->n - to->first, to->least};
}

static plStatus sample_some(plPair* part, void* context, int begin, int end) {
  const Gather* g = context;
  Store to = {.arena = part->arena};
  for (int i = begin; i < end && !to.failed; i++) sample_facet(g, &to, g->facet[i]);
  return to.failed ? PL_ERROR_MEMORY : PL_OK;
}

static bool list_facet(void* context, int t) {
  Gather* g = context;
  assert(g->nfacet < g->skin->ntri);
  if (g->skin->tri_area[t] > 0) g->facet[g->nfacet++] = t;
  return true;
}

// The part of a small triangle that is nearer than t, and the mean over the whole of t - gap, which is 0
// where the gap is larger; the gap is linear on the triangle.
static double part_within(const double gap[3], double t, double* depth) {
  double d[3] = {t - gap[0], t - gap[1], t - gap[2]}, mean = (d[0] + d[1] + d[2]) / 3;
  int in = (d[0] > 0) + (d[1] > 0) + (d[2] > 0);
  *depth = in == 3 ? mean : 0;
  if (in == 0 || in == 3) return in ? 1 : 0;
  // Corner i is alone on its side of the line where the gap is t.
  int i = 0;
  while ((d[i] > 0) != (in == 1)) i++;
  double a = d[i], b = d[(i + 1) % 3], c = d[(i + 2) % 3], corner = a / (a - b) * (a / (a - c));
  *depth = in == 1 ? corner * a / 3 : mean - corner * a / 3;
  return in == 1 ? corner : 1 - corner;
}

static int find_vertex(int* list, int* n, int v) {
  for (int i = 0; i < *n; i++)
    if (list[i] == v) return i;
  list[*n] = v;
  return (*n)++;
}

// Sums of a vertex over the facets around it.
typedef struct Mean {
  double area, patch;         // m^2, int N_v dA and int dA
  double stiff, patch_stiff;  // m^2, the same with s
  double core;                // m^2, addition of the core to stiff
  double gap;                 // m^3, int N_v s g dA
  double push, core_push;     // m^3, int N_v s (t - g) dA; addition of the core
  double bend;                // m, int dA / r, if the radius depends on the point
  plVec3 normal, outward;     // towards the shape; of the facets
  int* vert;                  // [n] vertices of these facets
  double* weight;             // [n]
  int n, cap;                 // cap: room for vertices
  int tri;                    // the facet with most of it
  int tool_tri;               // facet of a mesh with the largest push, else -1
  double most;                // m^3, that push
} Mean;

static void gather_facet(const Gather* g, int v, int t, double limit, Mean* mean) {
  const Sampled* facet = &g->sampled[t];
  const int* tv = g->skin->tri + 3 * (size_t)t;
  bool sunk = facet->least < -PL_SPRING_HARD * g->thick;
  double core_stiff = PL_SPRING_STEEP * g->skin->vert_area[v] / (g->thick * g->thick), before = mean->patch;
  int slot[3], own = 0;
  for (int k = 0; k < 3; k++) {
    assert(mean->n < mean->cap);
    slot[k] = find_vertex(mean->vert, &mean->n, tv[k]);
    if (tv[k] == v) own = k;
  }
  for (const Sample* p = facet->sample; p < facet->sample + facet->n; p++) {
    double depth, core_depth = 0, part = part_within(p->gap, limit, &depth) * p->area;
    if (!(part > 0)) continue;
    double N = p->w[own], unit = N * p->stiff * p->area,
           core = sunk ? unit * core_stiff * part_within(p->gap, -PL_SPRING_HARD * g->thick, &core_depth) : 0;
    mean->patch += part, mean->area += N * part;
    if (g->uneven)
      mean->bend += part / pl_round_radius_at(g->pair->cb, m3_tmulv(g->rotation, v3_neg(p->towards)), p->tri);
    mean->patch_stiff += p->stiff * part, mean->stiff += N * p->stiff * part, mean->core += core;
    depth *= unit, core_depth *= unit * core_stiff;
    if (depth > mean->most) mean->most = depth, mean->tool_tri = p->tri;
    mean->gap += limit * N * p->stiff * part - depth, mean->push += depth, mean->core_push += core_depth;
    mean->normal = v3_madd(mean->normal, depth + core_depth, p->towards);
    for (int k = 0; k < 3; k++) mean->weight[slot[k]] += (depth + core_depth) * p->w[k];
  }
  mean->outward = v3_madd(mean->outward, mean->patch - before, skin_normal(g->skin, t));
}

// Compliance of the patch around a vertex, in m/N, as far as this vertex carries it.
static double compliance_of(const Gather* g, const Mean* mean, double h2) {
  double h = sqrt(h2), along = 0;
  // A surface on the flat end of a round shape needs no dimple; nor does one on a flat part of a mesh, whose
  // radius is infinite.
  if (pl_shape_traits[g->pair->cb->shape.kind]->cap > 0)
    along = v3_dot(v3_unit(mean->outward), m3_mulv(g->rotation, v3(0, 0, 1)));
  double bowed = fmax(1 - along * along, PL_CLOSEST_SLACK) * h,
         radius = g->uneven ? mean->patch / mean->bend : g->radius;
  double K = PL_SPRING_LAYER * mean->patch_stiff / h * (1 + PL_SPRING_RESOLVED * radius / bowed);
  K = fmax(K, fmax(PL_SPRING_PUNCH * sqrt(mean->patch), h2 * h2 / (PL_SPRING_NEEDLE * pow(g->thick, 3))));
  return mean->patch_stiff / ((mean->stiff + mean->core) * g->modulus * K);
}

static bool is_in_box(plVec3 x, plVec3 lower, plVec3 upper) {
  return x.x > lower.x && x.y > lower.y && x.z > lower.z && x.x < upper.x && x.y < upper.y && x.z < upper.z;
}

// A vertex inside the shape. If it is deeper than shown, all parts of its facets that face the shape, it
// turns its back to the shape, because the body is crushed: as in skin_plane.c. Else it is in the mean of
// these parts, and begins to push at the stop: in a weak body it sinks while others rise, and the mean does
// not see it. Deeper than the middle of the shape it could be pushed out on the opposite side, as could one
// that a given stiffness, which has no stop, lets through: `along` is the mean direction of its facets to the
// shape.
static plStatus emit_inside(plPair* pair, const Gather* g, int v, double shown, plVec3 along) {
  const plSkin* s = g->skin;
  const plCollider* c = pair->cb;
  plVec3 x = skin_x(s, v), outward;
  if (s->vert_tri[v] < 0 || !is_in_box(x, c->lower, c->upper)) return PL_OK;
  plOnSkin vertex = {1, &v, &(double){1}, s->vert_tri[v]}, shape = {.tri = -1};
  bool yields = pl_contact_yields(pair->data, pair->ca, c);
  double gap = pl_round_distance(c, m3_tmulv(g->rotation, v3_sub(x, c->pose.p)), INFINITY, &outward,
                                 &shape.tri),
         stop = PL_SPRING_DEEPEST * fmin(sqrt(s->vert_area[v]), s->vert_limit[v]);
  bool back = gap < shown;
  if (!(gap < 0) || !(back || gap + stop < pair->margin)) return PL_OK;
  plVec3 towards = v3_neg(m3_mulv(g->rotation, outward));
  if (yields && v3_dot(towards, along) < PL_FACING) return PL_OK;
  if (gap < -fmin(s->vert_limit[v], g->thick)) {
    pair->list->deep++;
    return PL_OK;
  }
  return pl_pair_push_spring(pair, vertex, shape, v3_madd(x, 0.5 * gap, towards), towards, gap,
                             PL_CLOSEST_SHARE * s->vert_area[v], PL_CLOSEST_SHARE,
                             (plSpring){.rest = back ? 0 : -stop});
}

static plStatus emit_mean(plPair* pair, const Gather* g, int v) {
  const plSkin* s = g->skin;
  int facets = s->ring0[v + 1] - s->ring0[v];
  double whole = s->vert_area[v], limit = fmax(0, g->vert_gap[v] + ahead_of(g, whole)), most = 0;
  Mean mean = {.vert = PL_ARENA_NEW(pair->arena, int, 3 * facets),
               .weight = PL_KEEP(pair->arena, double, 3 * facets),
               .cap = 3 * facets,
               .tri = -1,
               .tool_tri = -1};
  if (!mean.vert || !mean.weight) return PL_ERROR_MEMORY;
  for (int i = s->ring0[v]; i < s->ring0[v + 1]; i++) {
    double before = mean.area;
    if (g->sampled[s->ring[i]].n) gather_facet(g, v, s->ring[i], limit, &mean);
    if (mean.area - before > most) most = mean.area - before, mean.tri = s->ring[i];
  }
  if (!(mean.push > 0)) return emit_inside(pair, g, v, 0, v3(0, 0, 0));
  double gap = mean.gap / mean.stiff, pushing = (mean.gap - mean.core_push) / (mean.stiff + mean.core);
  for (int i = 0; i < mean.n; i++) mean.weight[i] /= mean.push + mean.core_push;
  // The gap is the distance while there is no overlap, and changes continuously to the mean overlap.
  double least = g->vert_gap[v], shown = gap, fade = least > 0 ? 0 : -least / ahead_of(g, whole);
  if (fade < 1) shown = fade * gap + (1 - fade) * least;
  if (shown > pair->margin) return PL_OK;
  if (gap < -s->vert_limit[v]) {
    pair->list->deep++;
    return emit_inside(pair, g, v, 0, v3_unit(mean.normal));
  }
  plOnSkin on = {mean.n, mean.vert, mean.weight, mean.tri}, shape = {.tri = mean.tool_tri};
  plVec3 position = pl_pair_position(s, on), direction = v3_unit(mean.normal);
  // What is left to the stop, of the mean and of the deepest position.
  double left = fmin(gap + PL_SPRING_STOP * fmin(g->thick, s->vert_limit[v]),
                     least + PL_SPRING_DEEPEST * fmin(sqrt(whole), s->vert_limit[v]));
  plSpring spring = {.compliance = g->springs ? compliance_of(g, &mean, whole) : 0,
                     .rest = shown - pushing,
                     .stop = left < pair->margin ? left - shown : INFINITY};
  plStatus status = pl_pair_push_spring(pair, on, shape, v3_madd(position, 0.5 * shown, direction), direction,
                                        shown, mean.area, mean.area / fmin(mean.patch, whole), spring);
  return status ? status : emit_inside(pair, g, v, least - ahead_of(g, whole), direction);
}

static plStatus emit_some(plPair* part, void* context, int begin, int end) {
  const Gather* g = context;
  plStatus status = PL_OK;
  for (int v = begin; v < end && !status; v++)
    if (!(part->held_a && part->held_a[v]))
      status = isfinite(g->vert_gap[v]) ? emit_mean(part, g, v) : emit_inside(part, g, v, 0, v3(0, 0, 0));
  return status;
}

// Whether the middle of the shape lies in the body.
static bool is_swallowed(const Gather* g) {
  const plCollider *soft = g->pair->ca, *tool = g->pair->cb;
  plVec3 x = tool->round ? v3_scale(0.5, v3_add(tool->lower, tool->upper)) : tool->pose.p;
  return is_in_box(x, soft->lower, soft->upper) && pl_tri_tree_winding(g->skin->tree, x) > 0.5;
}

// Counts vertices inside the shape that do not face its surface: contact would not separate them. As in
// skin_pair.c, a position slightly behind the vertex is tested, and only in the first step.
static int count_buried(const Gather* g) {
  const plSkin* s = g->skin;
  plVec3 centre = g->pair->cb->pose.p, outward;
  const bool* held = g->pair->held_a;
  int n = 0;
  for (int v = 0; v < s->nvert; v++) {
    if (s->vert_tri[v] < 0 || (held && held[v])) continue;
    plVec3 normal = pl_skin_vert_normal(s, v),
           p = v3_sub(v3_madd(skin_x(s, v), -PL_BURIED * s->vert_limit[v], normal), centre);
    int tri;
    double gap = pl_round_distance(g->pair->cb, m3_tmulv(g->rotation, p), INFINITY, &outward, &tri);
    n += gap < 0 && v3_dot(normal, m3_mulv(g->rotation, outward)) > PL_VERTEX_FACING;
  }
  return n;
}

plStatus pl_contact_skin_smooth(plPair* pair) {
  const plSkin* s = pair->A;
  plArena* arena = pair->arena;
  Gather g = {.pair = pair,
              .skin = s,
              .radius = pl_round_radius(pair->cb),
              .thick = pl_round_thick(pair->cb),
              .modulus = plane_modulus(pair->data, pair->ca->deform),
              .uneven = pl_round_is_uneven(pair->cb),
              .springs = pl_contact_mesh_compliance(pair->data, pair->ca, pair->cb),
              .rotation = quat_matrix(pair->cb->pose.q)};
  g.vert_gap = PL_ARENA_NEW(arena, double, s->nvert);
  g.facet = PL_ARENA_NEW(arena, int, s->ntri);
  g.sampled = PL_KEEP(arena, Sampled, s->ntri);
  if (arena->failed) return PL_ERROR_MEMORY;
  // A surface with a stiffness may yield until the shape is in the body: that is counted in every step.
  bool placed = pair->data->work->placed;
  if (placed) pair->list->deep += count_buried(&g);
  if (placed || pl_contact_yields(pair->data, pair->ca, pair->cb)) pair->list->deep += is_swallowed(&g);
  double largest = 0;
  for (int v = 0; v < s->nvert; v++)
    g.vert_gap[v] = INFINITY, largest = s->vert_area[v] > largest ? s->vert_area[v] : largest;
  g.reach = pair->margin + ahead_of(&g, largest);
  plVec3 r = v3(g.reach, g.reach, g.reach);
  pl_tri_tree_box(s->tree, v3_sub(pair->cb->lower, r), v3_add(pair->cb->upper, r), list_facet, &g);
  plStatus status = pl_pair_in_parts(pair, g.nfacet, 16, sample_some, &g);
  if (status) return status;
  for (int i = 0; i < g.nfacet; i++) {
    const int* v = s->tri + 3 * (size_t)g.facet[i];
    for (int k = 0; k < 3 && g.sampled[g.facet[i]].n; k++)
      g.vert_gap[v[k]] = fmin(g.vert_gap[v[k]], g.sampled[g.facet[i]].least);
  }
  return pl_pair_in_parts(pair, s->nvert, 256, emit_some, &g);
}

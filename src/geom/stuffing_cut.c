// stuffing_cut.c: the tets of the lattice, trimmed at the surface. plBcc, plSolid -> plMesh.
//
// F. Labelle and J. R. Shewchuk, Isosurface stuffing: fast tetrahedral meshes with good dihedral angles,
// SIGGRAPH 2007. 1. Where an edge of the lattice leads from inside to outside, its cut point is where it
// meets the surface. 2. A lattice point too close to a cut point is warped onto it and is then on the
// surface; its edges are no longer cut. 3. Each tet of the lattice with a point inside is kept, or trimmed at
// its cut points into one to three tets. All points are warped at once, by the cut points of step 1, so that
// the result does not depend on their order.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/stuffing.h"

enum { DIRECTIONS = 7, LONG_DIRECTIONS = 3 };
// Half of the fourteen neighbours: long edges stay in a grid, short ones lead to the other. Each edge belongs
// to the end that it leaves in one of these directions.
static const int direction[DIRECTIONS][3] = {{2, 0, 0},  {0, 2, 0},  {0, 0, 2},  {1, 1, 1},
                                             {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
// A cut point closer than this fraction of the edge warps the lattice point onto it: the paper's values for
// the best worst angle.
static const double WARP_LONG = 0.24999, WARP_SHORT = 0.41189;

// A lattice point with a cut edge.
typedef struct Near {
  double cut[DIRECTIONS];  // fraction of the edge up to its cut point, NaN without one
  int vert[DIRECTIONS];    // the mesh vertex there, -1: not yet
  plVec3 place;
  bool warped;
} Near;

typedef struct Tet {
  int v[4];
} Tet;

typedef struct Cutter {
  plBcc* bcc;
  const plSolid* solid;
  int* near_of;  // [npoint] entry in near, -1: none
  int* vert_of;  // [npoint] mesh vertex, -1: not yet
  Near* near;
  int nnear, near_cap;
  plVec3* vert;
  int nvert, vert_cap;
  Tet* tet;
  int ntet, tet_cap;
  bool full;  // memory ran out
} Cutter;

// ---- 1. cut points

static Near* near_point(Cutter* c, int point, const int at[3]) {
  if (c->near_of[point] < 0) {
    Near fresh = {.place = pl_bcc_place(c->bcc, at)};
    for (int d = 0; d < DIRECTIONS; d++) fresh.cut[d] = NAN, fresh.vert[d] = -1;
    if (!PL_PUSH(c->near, c->nnear, c->near_cap, fresh)) {
      c->full = true;
      return NULL;
    }
    c->near_of[point] = c->nnear - 1;
  }
  return &c->near[c->near_of[point]];
}

// The fraction of the way from inside to outside up to the surface: the first triangle hit or, in a hole of
// an open surface, the point where the winding number passes one half.
static double crossing(const plSolid* solid, plVec3 inside, plVec3 outside) {
  plVec3 way = v3_sub(outside, inside);
  plTriHit hit = pl_tri_tree_ray(solid->tree, inside, way, 1);
  if (hit.tri >= 0) return hit.t;
  double in = 0, out = 1;
  for (int n = 0; n < 30; n++) {
    double middle = (in + out) / 2;
    if (pl_tri_tree_winding(solid->tree, v3_madd(inside, middle, way)) > 0.5)
      in = middle;
    else
      out = middle;
  }
  return (in + out) / 2;
}

static int neighbour(const plBcc* bcc, const int at[3], int d, int sense, int to[3]) {
  for (int k = 0; k < 3; k++) to[k] = at[k] + sense * direction[d][k];
  return pl_bcc_find(bcc, to);
}

static void find_cuts(Cutter* c) {
  const plBcc* bcc = c->bcc;
  for (int p = 0; p < bcc->npoint && !c->full; p++) {
    int at[3], to[3];
    if (bcc->sign[p] == 0) continue;
    pl_bcc_index(bcc, p, at);
    for (int d = 0; d < DIRECTIONS && !c->full; d++) {
      int q = neighbour(bcc, at, d, 1, to);
      if (q < 0 || bcc->sign[p] * bcc->sign[q] >= 0) continue;
      if (!near_point(c, q, to) || !near_point(c, p, at)) return;
      plVec3 here = pl_bcc_place(bcc, at), there = pl_bcc_place(bcc, to);
      c->near[c->near_of[p]].cut[d] =
          bcc->sign[p] > 0 ? crossing(c->solid, here, there) : 1 - crossing(c->solid, there, here);
    }
  }
}

// ---- 2. warping

// Moves a point onto the nearest of the cut points that are too close to it.
static void warp(Cutter* c, int p) {
  const plBcc* bcc = c->bcc;
  int at[3], to[3];
  pl_bcc_index(bcc, p, at);
  Near* here = &c->near[c->near_of[p]];
  double nearest = INFINITY;
  for (int d = 0; d < DIRECTIONS; d++)
    for (int sense = -1; sense <= 1; sense += 2) {
      int q = neighbour(bcc, at, d, sense, to);
      const Near* owner = sense > 0 ? here : q >= 0 && c->near_of[q] >= 0 ? &c->near[c->near_of[q]] : NULL;
      if (q < 0 || !owner || isnan(owner->cut[d])) continue;
      double part = sense > 0 ? owner->cut[d] : 1 - owner->cut[d];
      double distance = part * (d < LONG_DIRECTIONS ? 2 : sqrt(3));
      if (part >= (d < LONG_DIRECTIONS ? WARP_LONG : WARP_SHORT) || distance >= nearest) continue;
      nearest = distance;
      plVec3 x = pl_bcc_place(bcc, at);
      here->place = v3_madd(x, part, v3_sub(pl_bcc_place(bcc, to), x));
      here->warped = true;
    }
}

static void warp_all(Cutter* c) {
  for (int p = 0; p < c->bcc->npoint; p++)
    if (c->near_of[p] >= 0) warp(c, p);
  for (int p = 0; p < c->bcc->npoint; p++)
    if (c->near_of[p] >= 0 && c->near[c->near_of[p]].warped) c->bcc->sign[p] = 0;
}

// ---- 3. vertices and tets of the mesh

// A corner of a lattice tet.
typedef struct Corner {
  int point;
  int at[3];
  int sign;
} Corner;

static int put_vertex(Cutter* c, plVec3 x) {
  if (!PL_PUSH(c->vert, c->nvert, c->vert_cap, x)) c->full = true;
  return c->nvert - 1;
}

static void put_tet(Cutter* c, int v0, int v1, int v2, int v3_, bool turned) {
  Tet tet = {{v0, v1, turned ? v3_ : v2, turned ? v2 : v3_}};
  if (!PL_PUSH(c->tet, c->ntet, c->tet_cap, tet)) c->full = true;
}

// The vertex at a lattice point.
static int corner_vertex(Cutter* c, const Corner* a) {
  int* vert = &c->vert_of[a->point];
  if (*vert < 0) {
    int near = c->near_of[a->point];
    plVec3 x = near >= 0 ? c->near[near].place : pl_bcc_place(c->bcc, a->at);
    // A point that lies on the surface, to rounding.
    if (a->sign == 0 && !(near >= 0 && c->near[near].warped))
      x = pl_tri_tree_closest(c->solid->tree, x, INFINITY).point;
    *vert = put_vertex(c, x);
  }
  return *vert;
}

// The vertex at the cut point between an inner and an outer corner.
static int cut_vertex(Cutter* c, const Corner* a, const Corner* b) {
  for (int d = 0; d < DIRECTIONS; d++) {
    const int* step = direction[d];
    bool forth =
        b->at[0] - a->at[0] == step[0] && b->at[1] - a->at[1] == step[1] && b->at[2] - a->at[2] == step[2];
    bool back =
        a->at[0] - b->at[0] == step[0] && a->at[1] - b->at[1] == step[1] && a->at[2] - b->at[2] == step[2];
    if (!forth && !back) continue;
    const Corner *owner = forth ? a : b, *other = forth ? b : a;
    assert(c->near_of[owner->point] >= 0 && c->near_of[owner->point] < c->nnear);
    Near* near = &c->near[c->near_of[owner->point]];
    if (near->vert[d] < 0) {
      plVec3 x = pl_bcc_place(c->bcc, owner->at);
      near->vert[d] = put_vertex(c, v3_madd(x, near->cut[d], v3_sub(pl_bcc_place(c->bcc, other->at), x)));
    }
    return near->vert[d];
  }
  return -1;
}

// How a face with inner corners a, b and outer corner m is divided, the same for the two tets that share it:
// true if the diagonal joins a to the cut point of b. If one of the cut edges is long, the diagonal ends
// there; else the parity of the directions decides.
static bool precedes(const Corner* a, const Corner* b, const Corner* m) {
  bool a_like_m = ((a->at[0] ^ m->at[0]) & 1) == 0, b_like_m = ((b->at[0] ^ m->at[0]) & 1) == 0;
  if (a_like_m != b_like_m) return b_like_m;
  return (m->at[0] - a->at[0]) * (m->at[1] - a->at[1]) * (m->at[2] - a->at[2]) > 0;
}

// A prism with triangles a, b and sides a_i b_i into three tets. before[i][j]: the diagonal between sides i
// and j joins a_i to b_j.
static void put_prism(Cutter* c, const int a[3], const int b[3], bool before[3][3], bool turned) {
  int s[3];
  for (int i = 0; i < 3; i++) {
    int rank = before[(i + 1) % 3][i] + before[(i + 2) % 3][i];
    s[rank] = i;
  }
  turned ^= (s[1] - s[0] + 3) % 3 != 1;
  put_tet(c, a[s[0]], a[s[1]], a[s[2]], b[s[2]], turned);
  put_tet(c, a[s[0]], a[s[1]], b[s[2]], b[s[1]], turned);
  put_tet(c, a[s[0]], b[s[0]], b[s[1]], b[s[2]], turned);
}

static void set_before(bool before[3][3], int i, int j, bool i_first) {
  before[i][j] = i_first;
  before[j][i] = !i_first;
}

// Corners sorted: inner ones first, outer ones last.
static void two_inside_one_outside(Cutter* c, const Corner* k[4], bool turned) {
  bool swap = !precedes(k[0], k[1], k[3]);
  const Corner *a = k[swap], *b = k[!swap];
  turned ^= swap;
  int va = corner_vertex(c, a), vb = corner_vertex(c, b), vz = corner_vertex(c, k[2]);
  int ca = cut_vertex(c, a, k[3]), cb = cut_vertex(c, b, k[3]);
  put_tet(c, va, vb, vz, cb, turned);
  put_tet(c, va, cb, vz, ca, turned);
}

static void three_inside(Cutter* c, const Corner* k[4], bool turned) {
  int a[3], b[3];
  bool before[3][3] = {{0}};
  for (int i = 0; i < 3; i++) {
    a[i] = corner_vertex(c, k[i]);
    b[i] = cut_vertex(c, k[i], k[3]);
    for (int j = 0; j < i; j++) set_before(before, i, j, precedes(k[i], k[j], k[3]));
  }
  put_prism(c, a, b, before, turned);
}

static void two_inside_two_outside(Cutter* c, const Corner* k[4], bool turned) {
  int a[3] = {corner_vertex(c, k[0]), cut_vertex(c, k[0], k[2]), cut_vertex(c, k[0], k[3])};
  int b[3] = {corner_vertex(c, k[1]), cut_vertex(c, k[1], k[2]), cut_vertex(c, k[1], k[3])};
  bool first2 = precedes(k[0], k[1], k[2]), first3 = precedes(k[0], k[1], k[3]);
  bool before[3][3] = {{0}};
  set_before(before, 0, 1, first2);
  set_before(before, 0, 2, first3);
  // The face on the surface belongs to this tet alone: it takes the shorter diagonal, unless the other two
  // decide.
  bool shorter = false;
  if (first2 == first3 && !c->full)
    shorter = v3_norm2(v3_sub(c->vert[a[1]], c->vert[b[2]])) < v3_norm2(v3_sub(c->vert[a[2]], c->vert[b[1]]));
  set_before(before, 1, 2, first2 == first3 ? shorter : first3);
  put_prism(c, a, b, before, turned);
}

// The part of one lattice tet that is inside.
static void trim(Cutter* c, const Corner corner[4]) {
  const Corner* k[4];
  int n = 0, inside = 0, outside = 0, order[4];
  for (int sign = 1; sign >= -1; sign--)
    for (int i = 0; i < 4; i++)
      if (corner[i].sign == sign) order[n] = i, k[n++] = &corner[i];
  for (int i = 0; i < 4; i++) inside += corner[i].sign > 0, outside += corner[i].sign < 0;
  if (!inside) return;
  bool turned = false;
  for (int i = 0; i < 4; i++) {
    if (corner[i].point < 0) return;
    for (int j = i + 1; j < 4; j++) turned ^= order[i] > order[j];
  }
  if (inside == 1 || !outside) {
    int v[4];
    for (int i = 0; i < 4; i++) v[i] = k[i]->sign < 0 ? cut_vertex(c, k[0], k[i]) : corner_vertex(c, k[i]);
    put_tet(c, v[0], v[1], v[2], v[3], turned);
  } else if (inside == 3) {
    three_inside(c, k, turned);
  } else if (outside == 1) {
    two_inside_one_outside(c, k, turned);
  } else {
    two_inside_two_outside(c, k, turned);
  }
}

static Corner corner_at(const plBcc* bcc, int i, int j, int k) {
  Corner corner = {.at = {i, j, k}, .sign = -1};
  corner.point = pl_bcc_find(bcc, corner.at);
  if (corner.point >= 0) corner.sign = bcc->sign[corner.point];
  return corner;
}

// Every tet of the lattice has one long edge in the even grid; the four around it lie between neighbours of a
// ring in the odd grid.
static void trim_around(Cutter* c, const int at[3], int axis) {
  static const int ring_step[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  int u = (axis + 1) % 3, v = (axis + 2) % 3, far[3] = {at[0], at[1], at[2]};
  far[axis] += 2;
  Corner ends[2] = {corner_at(c->bcc, at[0], at[1], at[2]), corner_at(c->bcc, far[0], far[1], far[2])},
         ring[4];
  for (int r = 0; r < 4; r++) {
    int to[3];
    to[axis] = at[axis] + 1;
    to[u] = at[u] + ring_step[r][0];
    to[v] = at[v] + ring_step[r][1];
    ring[r] = corner_at(c->bcc, to[0], to[1], to[2]);
  }
  for (int r = 0; r < 4 && !c->full; r++) trim(c, (Corner[4]){ends[0], ends[1], ring[r], ring[(r + 1) % 4]});
}

static void trim_all(Cutter* c) {
  for (int p = 0; p < c->bcc->npoint && !c->full; p++) {
    int at[3];
    pl_bcc_index(c->bcc, p, at);
    if (at[0] & 1) continue;
    for (int axis = 0; axis < 3; axis++) trim_around(c, at, axis);
  }
}

// ---- the whole cut

static void cutter_free(Cutter* c) {
  pl_free(c->near_of);
  pl_free(c->vert_of);
  pl_free(c->near);
  pl_free(c->vert);
  pl_free(c->tet);
}

plStatus pl_bcc_cut(plBcc* bcc, const plSolid* solid, plMesh** mesh, plError* error) {
  Cutter c = {
      .bcc = bcc, .solid = solid, .near_of = PL_NEW(int, bcc->npoint), .vert_of = PL_NEW(int, bcc->npoint)};
  c.full = !c.near_of || !c.vert_of;
  for (int p = 0; p < bcc->npoint && !c.full; p++) c.near_of[p] = c.vert_of[p] = -1;
  if (!c.full) find_cuts(&c);
  if (!c.full) warp_all(&c);
  if (!c.full) trim_all(&c);
  if (c.full) {
    cutter_free(&c);
    return pl_fail_out_of_memory(
        error, (size_t)bcc->npoint * 8 + (size_t)c.nnear * sizeof(Near) + (size_t)c.ntet * sizeof(Tet));
  }
  plMesh* made = pl_mesh_create(c.nvert, c.ntet, 0, error);
  if (made) {
    for (int v = 0; v < c.nvert; v++) v3_store(made->vert + 3 * (size_t)v, c.vert[v]);
    if (c.ntet) memcpy(made->tet, c.tet, (size_t)c.ntet * sizeof *c.tet);
    *mesh = made;
  }
  cutter_free(&c);
  return made ? PL_OK : PL_ERROR_MEMORY;
}

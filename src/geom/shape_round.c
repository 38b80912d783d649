// shape_round.c: sphere, ellipsoid and half ellipsoid by refinement of an octahedron.
//
// Level 0 is an octahedron and its centre, one tet per octant. Each further level divides every tet into
// eight at the midpoints of its edges; the midpoints of edges on the surface are projected onto it. The inner
// octahedron of a divided tet is cut along the diagonal with the best four tets. Vertices / tets: 7/8, 25/64,
// 129/512, 833/4096, 6017/32768.
//
// Vertices are named by integer coordinates with |x| + |y| + |z| <= 2^level, their positions without
// projection: a midpoint is the mean of its ends. All octants list their tets in mirrored order, so the mesh
// is invariant under all three reflections to the last bit.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/shape_mesh.h"

static const double PI = 3.14159265358979323846;

typedef struct Octahedron {
  int side;       // 2^level
  int pitch;      // 2 side + 1
  plVec3 axes;    // semi-axes
  double* place;  // [3 pitch^3] positions, scaled to the unit sphere
  int* tet;       // [4 ntet] vertex names
  int ntet;
} Octahedron;

// The name of the vertex at integer coordinates.
static int name_of(const Octahedron* o, int x, int y, int z) {
  return (x + o->side) + o->pitch * ((y + o->side) + o->pitch * (z + o->side));
}

// x| + |y| + |z| of a name, from 0 to side on the surface.
static int shell_of(const Octahedron* o, int name) {
  int x = name % o->pitch - o->side, y = name / o->pitch % o->pitch - o->side,
      z = name / o->pitch / o->pitch - o->side;
  return abs(x) + abs(y) + abs(z);
}

static plVec3 place_of(const Octahedron* o, int name) { return v3_load(o->place + 3 * (size_t)name); }

// Computes the midpoint of two vertices; it is on the surface if both are. Names are affine in the
// coordinates, so the name of the midpoint is the mean of the names.
static int midpoint(const Octahedron* o, int a, int b) {
  int m = a + (b - a) / 2;
  plVec3 x = v3_scale(0.5, v3_add(place_of(o, a), place_of(o, b)));
  if (shell_of(o, a) == o->side && shell_of(o, b) == o->side) x = v3_unit(x);
  v3_store(o->place + 3 * (size_t)m, x);
  return m;
}

// V^2 / (sum of squared edges)^3 of a tet, up to a factor.
static double score(const Octahedron* o, const int tet[4]) {
  plVec3 x[4];
  for (int i = 0; i < 4; i++) {
    plVec3 p = place_of(o, tet[i]);
    x[i] = v3(o->axes.x * p.x, o->axes.y * p.y, o->axes.z * p.z);
  }
  double edges2 = 0;
  for (int i = 0; i < 6; i++) edges2 += v3_norm2(v3_sub(x[pl_tet_edge[i][1]], x[pl_tet_edge[i][0]]));
  double volume6 = v3_dot(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])), v3_sub(x[3], x[0]));
  return volume6 * volume6 / (edges2 * edges2 * edges2);
}

// Divides one tet into eight.
static void split(const Octahedron* o, const int tet[4], int child[8][4]) {
  int m[4][4];
  for (int i = 0; i < 6; i++) {
    int a = pl_tet_edge[i][0], b = pl_tet_edge[i][1];
    m[a][b] = m[b][a] = midpoint(o, tet[a], tet[b]);
  }
  // Four corners.
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) child[i][j] = i == j ? tet[i] : m[i][j];

  // The octahedron between: around each of its diagonals p q the other four midpoints form a ring, and the
  // best diagonal is taken.
  static const int diagonal[3][2][2] = {{{0, 1}, {2, 3}}, {{0, 2}, {1, 3}}, {{0, 3}, {1, 2}}};
  static const int ring[3][4][2] = {
      {{0, 2}, {0, 3}, {1, 3}, {1, 2}}, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}, {{0, 1}, {0, 2}, {2, 3}, {1, 3}}};
  double best = -1;
  for (int d = 0; d < 3; d++) {
    int trial[4][4];
    double sum = 0;
    for (int i = 0; i < 4; i++) {
      const int *r = ring[d][i], *s = ring[d][(i + 1) % 4];
      trial[i][0] = m[diagonal[d][0][0]][diagonal[d][0][1]];
      trial[i][1] = m[diagonal[d][1][0]][diagonal[d][1][1]];
      trial[i][2] = m[r[0]][r[1]];
      trial[i][3] = m[s[0]][s[1]];
      sum += score(o, trial[i]);
    }
    if (sum > best) {
      best = sum;
      memcpy(child[4], trial, sizeof trial);
    }
  }
}

// The tets of level 0: centre and three corners in each octant, only those below z = 0 for a half.
static void first_tets(Octahedron* o, bool half) {
  int s = o->side;
  for (int octant = 0; octant < (half ? 4 : 8); octant++) {
    int sign[3] = {octant & 1 ? -s : s, octant & 2 ? -s : s, octant & 4 || half ? -s : s};
    int* tet = o->tet + 4 * (size_t)o->ntet++;
    tet[0] = name_of(o, 0, 0, 0);
    for (int axis = 0; axis < 3; axis++) {
      int at[3] = {0};
      at[axis] = sign[axis];
      tet[axis + 1] = name_of(o, at[0], at[1], at[2]);
      o->place[3 * (size_t)tet[axis + 1] + (size_t)axis] = sign[axis] > 0 ? 1 : -1;
    }
  }
}

// Refines in place: children are written from the end, where no parent is left to read.
static void refine(Octahedron* o, int level) {
  for (int l = 0; l < level; l++) {
    for (int t = o->ntet - 1; t >= 0; t--) {
      int parent[4];
      memcpy(parent, o->tet + 4 * (size_t)t, sizeof parent);
      split(o, parent, (int(*)[4])(o->tet + 32 * (size_t)t));
    }
    o->ntet *= 8;
  }
}

// Numbers the used names in ascending order and copies scaled positions and tets, all oriented to positive
// volume.
static plStatus to_mesh(const Octahedron* o, plMesh** mesh, plError* error) {
  int nname = o->pitch * o->pitch * o->pitch, nvert = 0;
  int* id = PL_NEW(int, nname);
  if (!id) return pl_fail_out_of_memory(error, (size_t)nname * sizeof *id);
  for (size_t i = 0; i < 4 * (size_t)o->ntet; i++) id[o->tet[i]] = 1;
  for (int name = 0; name < nname; name++) id[name] = id[name] ? nvert++ : -1;
  plMesh* made = pl_mesh_create(nvert, o->ntet, 0, error);
  if (!made) {
    pl_free(id);
    return PL_ERROR_MEMORY;
  }
  for (int name = 0; name < nname; name++) {
    if (id[name] < 0) continue;
    plVec3 x = place_of(o, name);
    v3_store(made->vert + 3 * (size_t)id[name], v3(o->axes.x * x.x, o->axes.y * x.y, o->axes.z * x.z));
  }
  for (int t = 0; t < o->ntet; t++) {
    int* tet = made->tet + 4 * (size_t)t;
    for (int i = 0; i < 4; i++) tet[i] = id[o->tet[4 * (size_t)t + (size_t)i]];
    if (pl_mesh_tet_volume6(made, t) < 0) {
      int last = tet[3];
      tet[3] = tet[2];
      tet[2] = last;
    }
  }
  pl_free(id);
  plStatus status = pl_mesh_boundary(made, error);
  if (status)
    pl_mesh_destroy(made);
  else
    *mesh = made;
  return status;
}

// The level at which a sphere has edges of at most the hint: a great circle has 4 2^level of them.
static double level_for(double radius, double edge) {
  return fmax(0, ceil(log2(PI / asin(fmin(edge, 2 * radius) / (2 * radius)))) - 2);
}

typedef struct Round {
  plVec3 axes;
  bool half;
} Round;

static double round_level(const Round* round, double edge) {
  plVec3 axes = round->axes;
  bool sphere = axes.x == axes.y && axes.y == axes.z;
  double level = level_for(sphere ? axes.x : pow(axes.x * axes.y * axes.z, 1.0 / 3), edge);
  return round->half ? fmax(1, level) : level;  // level 0 of a half has no interior vertex
}

static double round_tets(const void* shape, double edge) {
  const Round* round = shape;
  return (round->half ? 4 : 8) * exp2(3 * round_level(round, edge));
}

static plStatus round_mesh(plVec3 axes, double edge, bool half, plMesh** mesh, plError* error) {
  Round round = {axes, half};
  double level = round_level(&round, edge);
  plStatus status = pl_check_tet_edge(round_tets, &round, edge, PL_MESH_MAX_TETS, error);
  if (status) return status;
  Octahedron o = {.side = 1 << (int)level, .axes = axes};
  o.pitch = 2 * o.side + 1;
  size_t nname = (size_t)o.pitch * (size_t)o.pitch * (size_t)o.pitch,
         ntet = (half ? 4 : 8) * ((size_t)1 << (3 * (int)level));
  o.place = PL_NEW(double, 3 * nname);
  o.tet = PL_NEW(int, 4 * ntet);
  if (o.place && o.tet) {
    first_tets(&o, half);
    refine(&o, (int)level);
    status = to_mesh(&o, mesh, error);
  } else {
    status = pl_fail_out_of_memory(error, 24 * nname + 16 * ntet);
  }
  pl_free(o.place);
  pl_free(o.tet);
  return status;
}

// ---- the shapes

plStatus pl_mesh_sphere(double radius, double edge, plMesh** mesh, plError* error) {
  assert(mesh != NULL);
  plStatus status = pl_check_length("the radius of a sphere", radius, error);
  if (!status) status = pl_check_length("the edge length of a sphere's mesh", edge, error);
  return status ? status : round_mesh(v3(radius, radius, radius), edge, false, mesh, error);
}

static plStatus check_ellipsoid(plVec3 axes, double edge, plError* error) {
  plStatus status = pl_check_length("the semi-axis of an ellipsoid along x", axes.x, error);
  if (!status) status = pl_check_length("the semi-axis of an ellipsoid along y", axes.y, error);
  if (!status) status = pl_check_length("the semi-axis of an ellipsoid along z", axes.z, error);
  if (!status) status = pl_check_length("the edge length of an ellipsoid's mesh", edge, error);
  return status;
}

plStatus pl_mesh_ellipsoid(plVec3 semi_axes, double edge, plMesh** mesh, plError* error) {
  assert(mesh != NULL);
  plStatus status = check_ellipsoid(semi_axes, edge, error);
  return status ? status : round_mesh(semi_axes, edge, false, mesh, error);
}

plStatus pl_mesh_half_ellipsoid(plVec3 semi_axes, double edge, plMesh** mesh, plError* error) {
  assert(mesh != NULL);
  plStatus status = check_ellipsoid(semi_axes, edge, error);
  return status ? status : round_mesh(semi_axes, edge, true, mesh, error);
}

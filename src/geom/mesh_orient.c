// mesh_orient.c: orients the triangles of a surface outward.
//
// A part is a set of triangles connected across edges with exactly two facets. Inside a part all triangles
// are made consistent with the majority. A closed part then faces outward (positive enclosed volume), unless
// it lies inside another part: then it is a cavity and stays one.
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "geom/mesh.h"

enum {
  CAVITY_TESTS = 64
};  // number of parts tested for lying inside another; each test visits every triangle

typedef struct Parts {
  int n;
  int* of;         // [ntri] part of each triangle
  char* turned;    // [ntri] 1 if the triangle is to be reversed
  double* volume;  // [n] enclosed volume after reversal (m^3)
  char* open;      // [n] 1 if an edge has a single facet
  int* first;      // [n] a triangle of the part
} Parts;

// mate[h]: the half-edge on the other side, -1 if there is none, -2 if there are several. False if memory
// runs out.
static bool find_mates(const plMesh* mesh, int* mate) {
  int *key, *order, n;
  if (!pl_half_edges(mesh->ntri, mesh->tri, mesh->nvert, &key, &order, &n)) return false;
  for (int h = 0; h < 3 * mesh->ntri; h++) mate[h] = -2;
  for (int begin = 0, end; begin < n; begin = end) {
    for (end = begin + 1; end < n && pl_same_key(2, key, order[begin], order[end]);) end++;
    if (end - begin == 1) mate[order[begin]] = -1;
    if (end - begin == 2) mate[order[begin]] = order[begin + 1], mate[order[begin + 1]] = order[begin];
  }
  pl_free(key);
  pl_free(order);
  return true;
}

// Traverses the part of a triangle; the first one keeps its orientation, the others are reversed to agree
// with it. Then the majority decides.
static void walk_part(const plMesh* mesh, const int* mate, int start, Parts* parts, int* queue) {
  int head = 0, tail = 0, turned = 0, part = parts->n++;
  parts->first[part] = start;
  parts->of[start] = part;
  queue[tail++] = start;
  while (head < tail) {
    int t = queue[head++];
    for (int h = 3 * t; h < 3 * t + 3; h++) {
      int m = mate[h];
      parts->open[part] |= m == -1;
      if (m < 0 || parts->of[m / 3] >= 0) continue;
      // Facets that traverse their edge in the same direction disagree.
      bool disagree = mesh->tri[h] == mesh->tri[m];
      parts->of[m / 3] = part;
      parts->turned[m / 3] = parts->turned[t] ^ (char)disagree;
      turned += parts->turned[m / 3];
      assert(tail < mesh->ntri);
      queue[tail++] = m / 3;
    }
  }
  if (2 * turned > tail)
    for (int i = 0; i < tail; i++) parts->turned[queue[i]] ^= 1;
}

static void measure_parts(const plMesh* mesh, Parts* parts) {
  for (int t = 0; t < mesh->ntri; t++) {
    int part = parts->of[t];
    plVec3 origin = pl_mesh_vertex(mesh, mesh->tri[3 * (size_t)parts->first[part]]);
    double volume =
        v3_dot(pl_mesh_tri_area2(mesh, t), v3_sub(pl_mesh_vertex(mesh, mesh->tri[3 * (size_t)t]), origin)) /
        6;
    parts->volume[part] += parts->turned[t] ? -volume : volume;
  }
}

// Winding number of the other closed parts around a point: the sum of their solid angles over 4 pi (van
// Oosterom and Strackee 1983).
static double winding_of_others(const plMesh* mesh, const Parts* parts, int part, plVec3 point) {
  double angle = 0;
  for (int t = 0; t < mesh->ntri; t++) {
    if (parts->of[t] == part || parts->open[parts->of[t]]) continue;
    const int* v = mesh->tri + 3 * (size_t)t;
    plVec3 a = v3_sub(pl_mesh_vertex(mesh, v[0]), point), b = v3_sub(pl_mesh_vertex(mesh, v[1]), point);
    plVec3 c = v3_sub(pl_mesh_vertex(mesh, v[2]), point);
    double la = v3_norm(a), lb = v3_norm(b), lc = v3_norm(c);
    double y = v3_dot(a, v3_cross(b, c));
    double x = la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb;
    double part_angle = 2 * atan2(y, x);
    if (isfinite(part_angle)) angle += parts->turned[t] ? -part_angle : part_angle;
  }
  return angle / (4 * acos(-1.0));
}

// Writes to turn[n] which parts to reverse as a whole.
static void choose_parts_to_turn(const plMesh* mesh, Parts* parts, char* turn) {
  double total = 0;
  for (int p = 0; p < parts->n; p++)
    if (!parts->open[p]) total += parts->volume[p];
  // All are inside out: reverse all closed parts.
  if (total < 0) {
    for (int t = 0; t < mesh->ntri; t++) parts->turned[t] ^= !parts->open[parts->of[t]];
    for (int p = 0; p < parts->n; p++) parts->volume[p] = -parts->volume[p];
  }
  // A part that faces inward is a cavity if the others surround it.
  for (int p = 0, tested = 0; p < parts->n && tested < CAVITY_TESTS; p++) {
    if (parts->open[p] || !(parts->volume[p] < 0)) continue;
    plVec3 point = pl_mesh_vertex(mesh, mesh->tri[3 * (size_t)parts->first[p]]);
    turn[p] = winding_of_others(mesh, parts, p, point) < 0.5;
    tested++;
  }
}

static int turn_triangles(plMesh* mesh, const Parts* parts, const char* turn) {
  int turned = 0;
  for (size_t t = 0; t < (size_t)mesh->ntri; t++) {
    if (parts->turned[t] == turn[parts->of[t]]) continue;
    int id = mesh->tri[3 * t + 1];
    mesh->tri[3 * t + 1] = mesh->tri[3 * t + 2];
    mesh->tri[3 * t + 2] = id;
    turned++;
  }
  return turned;
}

int pl_surface_orient(plMesh* mesh) {
  int n = mesh->ntri, turned = -1;
  int* mate = PL_NEW(int, 3 * (size_t)n);
  int* queue = PL_NEW(int, n);
  char* turn = PL_NEW(char, n);
  Parts parts = {0, PL_NEW(int, n), PL_NEW(char, n), PL_NEW(double, n), PL_NEW(char, n), PL_NEW(int, n)};
  bool ok = mate && queue && turn && parts.of && parts.turned && parts.volume && parts.open && parts.first;
  if (ok && find_mates(mesh, mate)) {
    for (int t = 0; t < n; t++) parts.of[t] = -1;
    for (int t = 0; t < n; t++)
      if (parts.of[t] < 0) walk_part(mesh, mate, t, &parts, queue);
    measure_parts(mesh, &parts);
    choose_parts_to_turn(mesh, &parts, turn);
    turned = turn_triangles(mesh, &parts, turn);
  }
  pl_free(mate);
  pl_free(queue);
  pl_free(turn);
  pl_free(parts.of);
  pl_free(parts.turned);
  pl_free(parts.volume);
  pl_free(parts.open);
  pl_free(parts.first);
  return turned;
}

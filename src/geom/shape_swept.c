// shape_swept.c: cylinder, capsule and torus: the even lattice of shape_mesh.c mapped to the shape.
//
// Concentric squares become circles and concentric cubes become spheres, with equal angles along their sides.
// Where a square's corner is flattened into the circle the lattice has its diagonal, so that no tet is
// squeezed. The shapes keep the lattice's mirror symmetries exactly: angles are measured from the nearest
// symmetry plane.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "geom/shape_mesh.h"

static const double PI = 3.14159265358979323846;
static const double BENT = 0.93;  // of the edge hint: bending stretches the cells' diagonals

// tan(pi u / (4 s)): from 0 to exactly 1 as u goes from 0 to s, odd in u.
static double slope(int u, int s) { return u == s ? 1.0 : u == -s ? -1.0 : tan(PI / 4 * u / s); }

// The position of (u, v, w) when the cube of half size n is mapped to the unit ball, shell by shell; w = 0 is
// the unit disk.
static plVec3 concentric(int u, int v, int w, int n) {
  int s = abs(u);
  if (abs(v) > s) s = abs(v);
  if (abs(w) > s) s = abs(w);
  if (s == 0) return v3(0, 0, 0);
  plVec3 direction = v3(slope(u, s), slope(v, s), slope(w, s));
  return v3_scale((double)s / n / v3_norm(direction), direction);
}

// ---- cylinder and capsule

typedef struct Tube {
  double radius, length;
  int ring;  // rings of cells across; 2 ring cells along each side of the section
  int half;  // cells along half the length
  int cap;   // cells along each cap: ring, or 0 for flat ends
} Tube;

static plVec3 tube_vertex(const void* shape, int i, int j, int k) {
  const Tube* tube = shape;
  int w = k - tube->cap - tube->half;  // cells above the middle
  int beyond = w > tube->half ? w - tube->half : w < -tube->half ? w + tube->half : 0;
  plVec3 x = v3_scale(tube->radius, concentric(i - tube->ring, j - tube->ring, beyond, tube->ring));
  x.z += tube->length * ((w - beyond) / (2.0 * tube->half));
  return x;
}

typedef struct TubeSize {
  double radius, length;
  bool caps;
} TubeSize;

static void cells_of_tube(const TubeSize* size, double edge, double* across, double* along) {
  *across = pl_cells_along(2 * size->radius, BENT * edge), *along = pl_cells_along(size->length, edge);
}

static double tube_tets(const void* shape, double edge) {
  const TubeSize* size = shape;
  double across, along;
  cells_of_tube(size, edge, &across, &along);
  return 6 * across * across * (along + (size->caps ? across : 0));
}

static plStatus tube_mesh(const char* const name[3], double radius, double length, double edge, bool caps,
                          plMesh** mesh, plError* error) {
  plStatus status = pl_check_length(name[0], radius, error);
  if (!status) status = pl_check_length(name[1], length, error);
  if (!status) status = pl_check_length(name[2], edge, error);
  if (status) return status;
  TubeSize size = {radius, length, caps};
  double across, along;
  cells_of_tube(&size, edge, &across, &along);
  double n[3] = {across, across, along + (caps ? across : 0)};
  status = pl_check_tet_edge(tube_tets, &size, edge, PL_MESH_MAX_TETS, error);
  if (status) return status;
  Tube tube = {.radius = radius, .length = length, .ring = (int)across / 2, .half = (int)along / 2};
  tube.cap = caps ? tube.ring : 0;
  return pl_mesh_lattice(n, false, tube_vertex, &tube, mesh, error);
}

plStatus pl_mesh_cylinder(double radius, double length, double edge, plMesh** mesh, plError* error) {
  assert(mesh != NULL);
  static const char* const name[3] = {"the radius of a cylinder", "the length of a cylinder",
                                      "the edge length of a cylinder's mesh"};
  return tube_mesh(name, radius, length, edge, false, mesh, error);
}

plStatus pl_mesh_capsule(double radius, double length, double edge, plMesh** mesh, plError* error) {
  assert(mesh != NULL);
  static const char* const name[3] = {"the radius of a capsule", "the length of a capsule (without its caps)",
                                      "the edge length of a capsule's mesh"};
  return tube_mesh(name, radius, length, edge, true, mesh, error);
}

// ---- torus

typedef struct Torus {
  double major, minor;
  int ring;     // rings of cells across the section
  int quarter;  // cells along a quarter of the way round
} Torus;

// cos and sin of k quarters / quarter, from angles of at most 45 degrees.
static void round_angle(int k, int quarter, double* cosine, double* sine) {
  int turn = k / quarter, rest = k % quarter;
  bool past = 2 * rest > quarter;
  double angle = PI / 2 * (past ? quarter - rest : rest) / quarter;
  double c = past ? sin(angle) : cos(angle), s = past ? cos(angle) : sin(angle);
  if (2 * rest == quarter) c = s = sqrt(0.5);
  *cosine = turn % 4 == 0 ? c : turn % 4 == 1 ? -s : turn % 4 == 2 ? -c : s;
  *sine = turn % 4 == 0 ? s : turn % 4 == 1 ? c : turn % 4 == 2 ? -s : -c;
}

static plVec3 torus_vertex(const void* shape, int i, int j, int k) {
  const Torus* torus = shape;
  double c, s;
  round_angle(k, torus->quarter, &c, &s);
  // i points away from the axis, j down, k round: a right-handed frame.
  plVec3 p = v3_scale(torus->minor, concentric(i - torus->ring, j - torus->ring, 0, torus->ring));
  return v3((torus->major + p.x) * c, (torus->major + p.x) * s, -p.y);
}

// A multiple of four cells around the axis preserves the mirror symmetries.
static void cells_of_torus(const double radius[2], double edge, double* across, double* quarter) {
  *across = pl_cells_along(2 * radius[1], BENT * edge);
  *quarter = fmax(2, ceil(PI / 2 * (radius[0] + radius[1] / 2) / edge - 0.3));
}

static double torus_tets(const void* shape, double edge) {
  double across, quarter;
  cells_of_torus(shape, edge, &across, &quarter);
  return 24 * across * across * quarter;
}

plStatus pl_mesh_torus(double major_radius, double minor_radius, double edge, plMesh** mesh, plError* error) {
  assert(mesh != NULL);
  plStatus status = pl_check_length("the major radius of a torus", major_radius, error);
  if (!status) status = pl_check_length("the minor radius of a torus", minor_radius, error);
  if (!status) status = pl_check_length("the edge length of a torus' mesh", edge, error);
  if (status) return status;
  if (minor_radius >= major_radius)
    return pl_fail(error, PL_ERROR_INPUT,
                   "the minor radius of a torus must be smaller than its major radius %g, got %g",
                   major_radius, minor_radius);
  const double radius[2] = {major_radius, minor_radius};
  double across, quarter;
  cells_of_torus(radius, edge, &across, &quarter);
  double n[3] = {across, across, 4 * quarter};
  status = pl_check_tet_edge(torus_tets, radius, edge, PL_MESH_MAX_TETS, error);
  if (status) return status;
  Torus torus = {
      .major = major_radius, .minor = minor_radius, .ring = (int)across / 2, .quarter = (int)quarter};
  return pl_mesh_lattice(n, true, torus_vertex, &torus, mesh, error);
}

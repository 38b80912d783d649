// shape.c: the table of rigid shapes, half spaces among them, and functions that several kinds use.
#include "geom/shape.h"

#include <math.h>

#include "geom/mesh.h"

enum { ROUND = 64, RINGS = 32 };
static const double PI = 3.14159265358979323846;

static double half_space_distance(const plShape* s, plVec3 p, plVec3* normal) {
  (void)s;
  return *normal = v3(0, 0, 1), p.z;
}

const plShapeTraits pl_shape_half_space = {.distance = half_space_distance};

// ---- the table

#define ROW(kind, name, traits) [kind] = &traits,
#define NAME(kind, name, traits) [kind] = name,
const plShapeTraits* const pl_shape_traits[PL_SHAPE_COUNT] = {[PL_SHAPE_MESH] = &pl_shape_mesh,
                                                              PL_SHAPE_LIST(ROW)};
static const char* const names[PL_SHAPE_COUNT] = {[PL_SHAPE_MESH] = "mesh", PL_SHAPE_LIST(NAME)};
#undef ROW
#undef NAME

const char* pl_shape_name(plShapeKind kind) {
  return (int)kind >= 0 && kind < PL_SHAPE_COUNT ? names[kind] : "unknown shape";
}

double pl_shape_distance(const plShape* shape, plVec3 p, plVec3* normal) {
  return pl_shape_traits[shape->kind]->distance(shape, p, normal);
}

// ---- functions that several kinds use

void pl_shape_mantle(double r, const plVec3 t[2], double k[3]) {
  k[0] = (1 - t[0].z * t[0].z) / r, k[1] = -t[0].z * t[1].z / r, k[2] = (1 - t[1].z * t[1].z) / r;
}

double pl_shape_half_side(const plShape* s) { return min3(s->size.x, s->size.y, s->size.z) / 2; }

double pl_shape_own_radius(const plShape* s) { return s->radius; }

plInertia pl_shape_central(double m, double k, plVec3 a) {
  return (plInertia){
      m,
      {0, 0, 0},
      {k * (a.y * a.y + a.z * a.z), k * (a.x * a.x + a.z * a.z), k * (a.x * a.x + a.y * a.y), 0, 0, 0}};
}

plMesh* pl_shape_revolve(const double (*profile)[2], int n, plError* error) {
  plMesh* surface = pl_mesh_create(ROUND * (n - 2) + 2, 0, 2 * ROUND * (n - 2), error);
  if (!surface) return NULL;
  v3_store(surface->vert, v3(0, 0, profile[0][1]));
  v3_store(surface->vert + 3, v3(0, 0, profile[n - 1][1]));
  for (int k = 1; k < n - 1; k++)
    for (int i = 0; i < ROUND; i++) {
      double angle = 2 * PI * i / ROUND;
      v3_store(surface->vert + 3 * (size_t)(2 + ROUND * (k - 1) + i),
               v3(profile[k][0] * cos(angle), profile[k][0] * sin(angle), profile[k][1]));
    }
  int* t = surface->tri;
  for (int i = 0; i < ROUND; i++) {
    int j = (i + 1) % ROUND, last = 2 + ROUND * (n - 3);
    *t++ = 0, *t++ = 2 + j, *t++ = 2 + i;
    for (int k = 0; k < n - 3; k++) {
      int a = 2 + ROUND * k, b = a + ROUND;
      *t++ = a + i, *t++ = a + j, *t++ = b + j;
      *t++ = a + i, *t++ = b + j, *t++ = b + i;
    }
    *t++ = 1, *t++ = last + i, *t++ = last + j;
  }
  return surface;
}

plMesh* pl_shape_pulled_sphere(double radius, double length, plError* error) {
  double profile[RINGS + 2][2];
  int n = 0;
  for (int k = 0; k <= RINGS; k++) {
    double angle = PI * k / RINGS - PI / 2;
    profile[n][0] = radius * cos(angle);
    profile[n++][1] = radius * sin(angle) + (2 * k <= RINGS ? -0.5 : 0.5) * length;
    if (2 * k == RINGS && length > 0) profile[n][0] = radius, profile[n++][1] = length / 2;
  }
  return pl_shape_revolve((const double(*)[2])profile, n, error);
}

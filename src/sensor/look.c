// look.c: shapes -> triangles; visual and collision shapes; colours.
#include "sensor/look.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geom/mesh.h"
#include "math/pose.h"

enum { ROUND = 64, RINGS = 32 };
static const double PI = 3.14159265358979323846;

// ---- shapes

// A surface of revolution about z through the points (radius, height), bottom to top; ends on the axis are
// single vertices.
static plMesh* revolve(const double (*profile)[2], int n, plError* error) {
  plMesh* mesh = pl_mesh_create(ROUND * (n - 2) + 2, 0, 2 * ROUND * (n - 2), error);
  if (!mesh) return NULL;
  v3_store(mesh->vert, v3(0, 0, profile[0][1]));
  v3_store(mesh->vert + 3, v3(0, 0, profile[n - 1][1]));
  for (int k = 1; k < n - 1; k++)
    for (int i = 0; i < ROUND; i++) {
      double angle = 2 * PI * i / ROUND;
      v3_store(mesh->vert + 3 * (size_t)(2 + ROUND * (k - 1) + i),
               v3(profile[k][0] * cos(angle), profile[k][0] * sin(angle), profile[k][1]));
    }
  int* t = mesh->tri;
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
  return mesh;
}

// A sphere cut at its equator and pulled apart by length: length 0 is a sphere.
static plMesh* capsule(double radius, double length, plError* error) {
  double profile[RINGS + 2][2];
  int n = 0;
  for (int k = 0; k <= RINGS; k++) {
    double angle = PI * k / RINGS - PI / 2;
    profile[n][0] = radius * cos(angle);
    profile[n++][1] = radius * sin(angle) + (2 * k <= RINGS ? -0.5 : 0.5) * length;
    if (2 * k == RINGS && length > 0) profile[n][0] = radius, profile[n++][1] = length / 2;
  }
  return revolve((const double(*)[2])profile, n, error);
}

static plMesh* box(plVec3 size, plError* error) {
  static const int face[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                  {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  plMesh* mesh = pl_mesh_create(8, 0, 12, error);
  if (!mesh) return NULL;
  for (int i = 0; i < 8; i++)
    v3_store(mesh->vert + 3 * i,
             v3(((i & 1) - 0.5) * size.x, ((i >> 1 & 1) - 0.5) * size.y, ((i >> 2 & 1) - 0.5) * size.z));
  memcpy(mesh->tri, face, sizeof face);
  return mesh;
}

plMesh* pl_look_tessellate(const plModel* m, int g, plError* error) {
  double r = m->shape_radius[g], l = m->shape_length[g];
  plMesh* mesh;
  switch (m->shape_kind[g]) {
    case PL_SHAPE_SPHERE:
      return capsule(r, 0, error);
    case PL_SHAPE_CAPSULE:
      return capsule(r, l, error);
    case PL_SHAPE_CYLINDER:
      return revolve((const double[4][2]){{0, -l / 2}, {r, -l / 2}, {r, l / 2}, {0, l / 2}}, 4, error);
    case PL_SHAPE_BOX:
      return box(m->shape_size[g], error);
    case PL_SHAPE_MESH:
      return pl_mesh_copy(m->shape_mesh[g], error);
    case PL_SHAPE_ELLIPSOID:
      mesh = capsule(0.5, 0, error);
      if (mesh) pl_mesh_transform(mesh, m->shape_size[g], pose_identity());
      return mesh;
    default:
      return pl_mesh_create(0, 0, 0, error);
  }
}

// ---- what is visible

bool* pl_look_dressed(const plModel* m) {
  bool* dressed = PL_NEW(bool, m->nbody);
  for (int g = 0; dressed && g < m->nshape; g++)
    if (m->shape_body[g] >= 0 && !m->shape_collide[g]) dressed[m->shape_body[g]] = true;
  return dressed;
}

bool pl_look_shown(const plModel* m, const bool* dressed, int g) {
  if (m->shape_kind[g] == PL_SHAPE_HALF_SPACE) return false;
  return m->shape_body[g] < 0 || !m->shape_collide[g] || !dressed[m->shape_body[g]];
}

// Deformable bodies take these colours in turn.
static const plVec3 palette[] = {{0.93, 0.42, 0.31}, {0.16, 0.60, 0.62}, {0.96, 0.70, 0.26},
                                 {0.36, 0.43, 0.80}, {0.55, 0.72, 0.36}, {0.79, 0.44, 0.66}};
enum { NPALETTE = sizeof palette / sizeof *palette };

plVec3 pl_look_colour(int deformable) { return palette[deformable % NPALETTE]; }

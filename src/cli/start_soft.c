// start_soft.c: remarks on the start of soft bodies: under a floor, inside each other, probably in
// millimetres.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "cli.h"
#include "vec.h"

static const double LARGE = 10, SMALL = 1e-4;  // m, sizes between which a soft body is expected
static const double DEPTH = 0.01;              // of a body's size: smaller overlaps are not reported

static plVec3 vertex(const plModel* m, int b, int i) {
  assert(i >= 0 && i < m->deform_vert0[b + 1] - m->deform_vert0[b]);
  const double* x = m->start_q + m->deform_q0[b] + 3 * (size_t)i;
  return (plVec3){x[0], x[1], x[2]};
}

typedef struct Box {
  plVec3 lower, upper;
} Box;

static void grow(Box* box, plVec3 x) {
  box->lower = (plVec3){fmin(box->lower.x, x.x), fmin(box->lower.y, x.y), fmin(box->lower.z, x.z)};
  box->upper = (plVec3){fmax(box->upper.x, x.x), fmax(box->upper.y, x.y), fmax(box->upper.z, x.z)};
}

static Box box_of(const plModel* m, int b) {
  Box box = {vertex(m, b, 0), vertex(m, b, 0)};
  for (int i = 1; i < m->deform_vert0[b + 1] - m->deform_vert0[b]; i++) grow(&box, vertex(m, b, i));
  return box;
}

static bool is_within(const Box* box, plVec3 x) {
  return x.x > box->lower.x && x.x < box->upper.x && x.y > box->lower.y && x.y < box->upper.y &&
         x.z > box->lower.z && x.z < box->upper.z;
}

static double size_of(const Box* box) { return vec_norm(vec_sub(box->upper, box->lower)); }

static void warn_scale(const plModel* m, int b, double size) {
  if (size > LARGE || size < SMALL)
    complain("warning: '%s' is %.3g m large; lengths are in metres: scale it by %s if it is in %s",
             m->deform_name[b], size, size > LARGE ? "0.001" : "1000",
             size > LARGE ? "millimetres" : "kilometres");
}

// Below a half space that is fixed in the world.
static void warn_floor(const plModel* m, int b, double size) {
  for (int g = 0; g < m->nshape; g++) {
    if (m->shape_kind[g] != PL_SHAPE_HALF_SPACE || m->shape_body[g] >= 0 || !m->shape_collide[g]) continue;
    plVec3 up = vec_rotate(m->shape_pose[g].q, (plVec3){0, 0, 1});
    double depth = 0;
    for (int i = 0; i < m->deform_vert0[b + 1] - m->deform_vert0[b]; i++)
      depth = fmax(depth, -vec_dot(vec_sub(vertex(m, b, i), m->shape_pose[g].p), up));
    if (depth > DEPTH * size)
      complain("warning: '%s' starts %.3g m below '%s'", m->deform_name[b], depth, m->shape_name[g]);
  }
}

// Six times the volume of a tetrahedron.
static double volume6(plVec3 a, plVec3 b, plVec3 c, plVec3 d) {
  return vec_dot(vec_cross(vec_sub(b, a), vec_sub(c, a)), vec_sub(d, a));
}

static bool is_inside(const plModel* m, int b, plVec3 x) {
  for (int t = m->deform_tet0[b]; t < m->deform_tet0[b + 1]; t++) {
    plVec3 p[4];
    for (int k = 0; k < 4; k++)
      p[k] = vertex(m, b, m->tet_vert[4 * (size_t)t + (size_t)k] - m->deform_vert0[b]);
    if (volume6(x, p[1], p[2], p[3]) >= 0 && volume6(p[0], x, p[2], p[3]) >= 0 &&
        volume6(p[0], p[1], x, p[3]) >= 0 && volume6(p[0], p[1], p[2], x) >= 0)
      return true;
  }
  return false;
}

// Tetrahedra of one deformable whose middle lies inside another: bodies that only touch have none.
static int count_inside(const plModel* m, int a, int b, const Box* box) {
  int n = 0;
  for (int t = m->deform_tet0[a]; t < m->deform_tet0[a + 1]; t++) {
    plVec3 x = {0, 0, 0};
    for (int k = 0; k < 4; k++)
      x = vec_add(x,
                  vec_scale(0.25, vertex(m, a, m->tet_vert[4 * (size_t)t + (size_t)k] - m->deform_vert0[a])));
    n += is_within(box, x) && is_inside(m, b, x);
  }
  return n;
}

void warn_soft_start(const plModel* m) {
  Box* box = calloc((size_t)m->ndeform + 1, sizeof *box);
  for (int b = 0; box && b < m->ndeform; b++) {
    box[b] = box_of(m, b);
    warn_scale(m, b, size_of(&box[b]));
    warn_floor(m, b, size_of(&box[b]));
  }
  for (int a = 0; box && a < m->ndeform; a++)
    for (int b = 0; b < a; b++) {
      int n = count_inside(m, a, b, &box[b]) + count_inside(m, b, a, &box[a]);
      if (n)
        complain("warning: '%s' and '%s' start inside each other (%d tetrahedra)", m->deform_name[b],
                 m->deform_name[a], n);
    }
  free(box);
}

// stuffing_lattice.c: which points of a body-centred cubic lattice lie inside a solid. plSolid -> plBcc.
//
// Points are stored line by line along i, without those outside and away from the surface, so that memory is
// proportional to the solid and not to its bounding box. If a point is farther from the surface than d, all
// points within d are on its side: such points are skipped, and the tree is queried only near the surface.
#include <assert.h>
#include <limits.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/shape_mesh.h"
#include "geom/stuffing.h"

static const double ON_SURFACE = 1e-6;      // of the spacing: closer points count as on the surface
static const double MAX_LINES = 30e6;       // lines across the bounding box
static const double MAX_OPEN_POINTS = 8e6;  // for an open surface every point of the bounding box is queried
static const double TETS_PER_POINT = 6;     // twelve per cell, which has two points

// ---- indices

// Lines of even k hold even j, those of odd k odd j: reach[1] + 1 lines are reserved for each k.
static int line_of(const plBcc* bcc, int j, int k) {
  return (k + bcc->reach[2]) * (bcc->reach[1] + 1) + (j + bcc->reach[1]) / 2;
}

static bool same_parity(int a, int b) { return ((a ^ b) & 1) == 0; }

static void line_index(const plBcc* bcc, int line, int* j, int* k) {
  *k = line / (bcc->reach[1] + 1) - bcc->reach[2];
  *j = 2 * (line % (bcc->reach[1] + 1)) - bcc->reach[1];
  if (!same_parity(*j, *k)) ++*j;
}

void pl_bcc_index(const plBcc* bcc, int point, int at[3]) {
  at[0] = bcc->i[point];
  line_index(bcc, bcc->line[point], &at[1], &at[2]);
}

plVec3 pl_bcc_place(const plBcc* bcc, const int at[3]) {
  return v3_madd(bcc->origin, bcc->half, v3(at[0], at[1], at[2]));
}

int pl_bcc_find(const plBcc* bcc, const int at[3]) {
  for (int c = 0; c < 3; c++)
    if (at[c] < -bcc->reach[c] || at[c] > bcc->reach[c]) return -1;
  int line = line_of(bcc, at[1], at[2]);
  assert(line >= 0 && line < bcc->nline);
  int begin = bcc->line_begin[line], end = bcc->line_begin[line + 1];
  while (begin < end) {
    int middle = begin + (end - begin) / 2;
    if (bcc->i[middle] < at[0])
      begin = middle + 1;
    else
      end = middle;
  }
  return begin < bcc->line_begin[line + 1] && bcc->i[begin] == at[0] ? begin : -1;
}

// ---- points

static bool put_point(plBcc* bcc, int i, int line, int sign) {
  if (bcc->npoint == bcc->cap) {
    size_t old = (size_t)bcc->cap, cap = old < 1024 ? 1024 : old > INT_MAX / 2 ? INT_MAX : 2 * old;
    int* more_i = pl_realloc(bcc->i, old, cap, sizeof *bcc->i);
    if (more_i) bcc->i = more_i;
    int* more_line = pl_realloc(bcc->line, old, cap, sizeof *bcc->line);
    if (more_line) bcc->line = more_line;
    signed char* more_sign = pl_realloc(bcc->sign, old, cap, sizeof *bcc->sign);
    if (more_sign) bcc->sign = more_sign;
    if (!more_i || !more_line || !more_sign || cap == old) return false;
    bcc->cap = (int)cap;
  }
  bcc->i[bcc->npoint] = i;
  bcc->line[bcc->npoint] = line;
  bcc->sign[bcc->npoint++] = (signed char)sign;
  return true;
}

// One line: query a point, then skip those that must be on the same side.
static bool fill_line(plBcc* bcc, const plSolid* solid, int line, int j, int k) {
  double spacing = 2 * bcc->half;
  double guess = INFINITY;  // bound from the last queried point
  int i = -bcc->reach[0];
  if (!same_parity(i, j)) i++;
  while (i <= bcc->reach[0]) {
    plVec3 x = pl_bcc_place(bcc, (int[3]){i, j, k});
    double distance = pl_tri_tree_closest_near(solid->tree, x, guess).t;
    double winding = pl_tri_tree_winding(solid->tree, x);
    bcc->backward |= winding < -0.5;
    bool inside = winding > 0.5, on = distance < ON_SURFACE * spacing;
    // Points to skip: on the same side and, outside, too far away for an edge to reach the surface.
    double leap = solid->closed && !on ? distance / spacing - (inside ? 1e-3 : 1.001) : 0;
    int more = leap < 1 ? 0 : leap < INT_MAX / 4 ? (int)leap : INT_MAX / 4;
    int last = (bcc->reach[0] - i) / 2 < more ? (bcc->reach[0] - i) / 2 : more;
    if (inside) {
      for (int n = 0; n <= last; n++)
        if (!put_point(bcc, i + 2 * n, line, on ? 0 : 1)) return false;
      bcc->ninside += last + 1;
      bcc->winding += (last + 1) * fmax(1, floor(winding + 0.5));
    } else if (on || !solid->closed || distance <= 1.001 * spacing) {
      if (!put_point(bcc, i, line, on ? 0 : -1)) return false;
    }
    i += 2 * (last + 1);
    guess = distance + (last + 1) * spacing;
  }
  return true;
}

// ---- the whole

// What the lattice of a spacing needs: half the lengths in points, lines across, points of the bounding box.
typedef struct Extent {
  double reach[3], lines, points, tets;  // tets: from the enclosed volume, if it is reliable
} Extent;

static Extent extent_of(const plSolid* solid, double spacing) {
  plVec3 size = v3_sub(solid->tree->node[0].upper, solid->tree->node[0].lower);
  Extent e = {.reach = {ceil(size.x / spacing) + 2, ceil(size.y / spacing) + 2, ceil(size.z / spacing) + 2}};
  e.lines = 2 * (e.reach[1] + 1) * (e.reach[2] + 1), e.points = e.lines * (e.reach[0] + 1);
  e.tets = solid->closed ? 12 * solid->volume / (spacing * spacing * spacing) : 0;
  return e;
}

// At most, from volume and area: a tet that the surface cuts becomes up to three, in a layer of a spacing.
static const double CUT_LAYER = 0.75;
static double tets_of(const void* shape, double spacing) {
  const plSolid* solid = shape;
  return 12 * (fmax(solid->volume, 0) + CUT_LAYER * solid->area * spacing) / (spacing * spacing * spacing);
}

// The same if nothing is known but the bounding box: an open surface may enclose all of it.
static double box_tets_of(const void* shape, double spacing) {
  plSolid box = *(const plSolid*)shape;
  plVec3 size = v3_sub(box.tree->node[0].upper, box.tree->node[0].lower);
  box.volume = size.x * size.y * size.z;
  box.area += 2 * (size.x * size.y + size.y * size.z + size.z * size.x);
  return tets_of(&box, spacing);
}

static double lines_of(const void* solid, double spacing) {
  Extent e = extent_of(solid, spacing);
  return fmax(e.lines, e.reach[0] / (INT_MAX / 8) * MAX_LINES);
}
static double points_of(const void* solid, double spacing) { return extent_of(solid, spacing).points; }

double pl_bcc_edge_for(const plSolid* solid, double edge, double max_tets) {
  double spacing = edge / PL_MEAN_EDGE;
  spacing = pl_edge_for_count(solid->closed ? tets_of : box_tets_of, solid, spacing, max_tets);
  spacing = pl_edge_for_count(lines_of, solid, spacing, MAX_LINES);
  if (!solid->closed) spacing = pl_edge_for_count(points_of, solid, spacing, MAX_OPEN_POINTS);
  return PL_MEAN_EDGE * spacing;
}

static plStatus check_extent(const plSolid* solid, double spacing, double max_tets, plError* error) {
  Extent e = extent_of(solid, spacing);
  double edge = spacing * PL_MEAN_EDGE;
  if (e.tets > max_tets)
    return pl_check_tet_count(e.tets, max_tets, pl_bcc_edge_for(solid, edge, max_tets), error);
  if (lines_of(solid, spacing) > MAX_LINES)
    return pl_fail(
        error, PL_ERROR_TOO_LARGE,
        "the surface is %.3g x %.3g x %.3g edges large (%.3g MiB for the lattice alone): an edge of "
        "%.3g m would do",
        e.reach[0], e.reach[1], e.reach[2], 4 * e.lines / 1048576, pl_bcc_edge_for(solid, edge, max_tets));
  if (!solid->closed && e.points > MAX_OPEN_POINTS)
    return pl_fail(error, PL_ERROR_TOO_LARGE,
                   "the surface is not closed, so all %.3g lattice points of its bounding box must be looked "
                   "at, more than the limit of %.0f: close its holes or choose an edge of %.3g m",
                   e.points, MAX_OPEN_POINTS, pl_bcc_edge_for(solid, edge, max_tets));
  return PL_OK;
}

plStatus pl_bcc_fill(plBcc* bcc, const plSolid* solid, double spacing, double max_tets, plError* error) {
  // The lattice's origin is the middle of the bounding box: a symmetric solid gets a symmetric lattice.
  *bcc = (plBcc){.half = spacing / 2};
  plVec3 lower = solid->tree->node[0].lower, upper = solid->tree->node[0].upper;
  bcc->origin = v3_madd(lower, 0.5, v3_sub(upper, lower));
  plStatus status = check_extent(solid, spacing, max_tets, error);
  if (status) return status;
  Extent extent = extent_of(solid, spacing);
  for (int c = 0; c < 3; c++) bcc->reach[c] = (int)extent.reach[c];

  bcc->nline = (2 * bcc->reach[2] + 1) * (bcc->reach[1] + 1);
  bcc->line_begin = PL_NEW(int, (size_t)bcc->nline + 1);
  if (!bcc->line_begin) return pl_fail_out_of_memory(error, 4 * (size_t)bcc->nline);
  for (int line = 0; line < bcc->nline; line++) {
    int j, k;
    line_index(bcc, line, &j, &k);
    bcc->line_begin[line] = bcc->npoint;
    if (j > bcc->reach[1]) continue;
    if (!fill_line(bcc, solid, line, j, k)) {
      pl_bcc_free(bcc);
      return pl_fail_out_of_memory(error, 9 * (size_t)bcc->npoint);
    }
    // The volume was no estimate.
    if (TETS_PER_POINT * bcc->ninside > max_tets) {
      double enough = PL_MEAN_EDGE * pl_edge_for_count(box_tets_of, solid, spacing, max_tets);
      pl_bcc_free(bcc);
      return pl_check_tet_count(box_tets_of(solid, spacing), max_tets, enough, error);
    }
  }
  bcc->line_begin[bcc->nline] = bcc->npoint;
  return PL_OK;
}

void pl_bcc_free(plBcc* bcc) {
  pl_free(bcc->i);
  pl_free(bcc->line);
  pl_free(bcc->sign);
  pl_free(bcc->line_begin);
  *bcc = (plBcc){0};
}

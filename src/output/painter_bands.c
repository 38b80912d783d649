// painter_bands.c: the visible triangles at every sample of a picture, band by band.
#include <assert.h>
#include <math.h>

#include "base/memory.h"
#include "output/painter.h"
#include "sensor/raster.h"

// All samples of a pixel lie side by side in one larger picture.
void pl_painter_draw(const plPainter* p, int band, float* depth, int* id, int column[2]) {
  int row0 = band * PL_BAND, rows = p->camera.height - row0 < PL_BAND ? p->camera.height - row0 : PL_BAND,
      side = p->per_side;
  plRaster raster = {side * p->camera.width, 0, side * rows, depth, id};
  size_t n = (size_t)raster.row1 * (size_t)raster.width;
  for (size_t i = 0; i < n; i++) depth[i] = 0, id[i] = -1;
  double left = INFINITY, right = -INFINITY;
  for (int k = p->band0[band]; k < p->band0[band + 1]; k++) {
    int t = p->band_tri[k];
    assert(t >= 0 && t < p->drawing->ntri);
    const int* v = p->drawing->tri + 3 * (size_t)t;
    plVec3 a[3] = {p->screen[v[0]], p->screen[v[1]], p->screen[v[2]]};
    if (a[0].z > 0 && a[1].z > 0 && a[2].z > 0) {
      for (int c = 0; c < 3; c++) {
        left = a[c].x < left ? a[c].x : left, right = a[c].x > right ? a[c].x : right;
        a[c].x *= side, a[c].y = side * (a[c].y - row0);
      }
      pl_raster_triangle(&raster, a, t);
      continue;
    }
    plVec3 corner[3] = {p->local[v[0]], p->local[v[1]], p->local[v[2]]}, piece[2][3];
    left = -INFINITY, right = INFINITY;
    int pieces = pl_raster_clip(corner, PL_PAINTER_NEAR * p->size, piece);
    for (int i = 0; i < pieces; i++) {
      for (int c = 0; c < 3; c++) {
        piece[i][c] = pl_camera_screen(&p->camera, piece[i][c]);
        piece[i][c].x *= side, piece[i][c].y = side * (piece[i][c].y - row0);
      }
      pl_raster_triangle(&raster, piece[i], t);
    }
  }
  int last = p->camera.width - 1;
  column[0] = left > last ? last + 1 : left > 0 ? (int)left : 0;
  column[1] = right < 0 ? -1 : right < last ? (int)right : last;
}

// The bands that a triangle overlaps; none if it is behind the camera or not finite, all if it extends behind
// the camera.
static bool bands_of(const plPainter* p, int t, int* first, int* last) {
  const int* v = p->drawing->tri + 3 * (size_t)t;
  int nband = (p->camera.height + PL_BAND - 1) / PL_BAND, behind = 0;
  double low = INFINITY, high = -INFINITY;
  for (int k = 0; k < 3; k++) {
    plVec3 a = p->screen[v[k]];
    if (!v3_finite(p->local[v[k]])) return false;
    behind += a.z < 0;
    low = a.y < low ? a.y : low, high = a.y > high ? a.y : high;
  }
  if (behind == 3) return false;
  *first = 0, *last = nband - 1;
  if (behind) return true;
  // samples are up to half a pixel off its middle
  low -= 1, high += 1;
  if (high < 0 || low > p->camera.height) return false;
  if (low > 0) *first = (int)low / PL_BAND;
  if (high < p->camera.height) *last = (int)high / PL_BAND;
  return *first < nband;
}

// Lists the triangles of each band; false if memory runs out.
bool pl_painter_sort(plPainter* p) {
  int nband = (p->camera.height + PL_BAND - 1) / PL_BAND, first, last;
  p->band0 = PL_NEW(int, nband + 1);
  if (!p->band0) return false;
  for (int t = 0; t < p->drawing->ntri; t++)
    if (bands_of(p, t, &first, &last))
      for (int b = first; b <= last; b++) {
        assert(b >= 0 && b < nband);
        p->band0[b]++;
      }
  for (int b = 0, sum = 0; b <= nband; b++) sum += b < nband ? p->band0[b] : 0, p->band0[b] = sum;
  p->band_tri = PL_NEW(int, p->band0[nband]);
  if (!p->band_tri) return false;
  for (int t = p->drawing->ntri - 1; t >= 0; t--)
    if (bands_of(p, t, &first, &last))
      for (int b = first; b <= last; b++) p->band_tri[--p->band0[b]] = t;
  assert(p->band0[0] == 0);  // as many as were counted
  return true;
}

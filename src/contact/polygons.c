// polygons.c: common parts of facets that face each other.
#include <math.h>

#include "contact/pair.h"

typedef struct Search {
  plPair* pair;
  int a;
  plStatus status;
} Search;

static bool take_facet(void* context, int b) {
  Search* search = context;
  plPair* pair = search->pair;
  plWork* work = pair->data->work;
  plSkin *A = pair->A, *B = pair->B;
  int a = search->a;
  double facing = v3_dot(skin_normal(A, a), skin_normal(B, b));
  if (!(facing < -0.25)) return true;
  plClip clip;
  if (!pl_clip_facets(A, a, B, b, &clip)) return true;
  double deepest = fmin(A->tri_limit[a], B->tri_limit[b]);
  if (clip.gap_min > pair->window || clip.gap_max < -deepest) return true;

  plPolygon polygon = {.a = a, .b = b, .mark0 = pair->nmark};
  for (int k = 0; k < 3; k++) polygon.mortar_a[k] = clip.mortar_a[k], polygon.mortar_b[k] = clip.mortar_b[k];
  for (int i = 0; i < clip.n; i++) {
    const plCorner* corner = &clip.corner[i];
    if (corner->kind != PL_CORNER_CROSSING) continue;
    plCrossMark mark = {A->tri_edge[3 * (size_t)a + (size_t)corner->ia], B->tri_edge[3 * (size_t)b + (size_t)corner->ib],
                        corner->third, clip.m, facing < -0.97, -1};
    if (!PL_PUSH(work->mark, pair->nmark, work->mark_cap, mark)) return search->status = PL_ERROR_MEMORY, false;
    polygon.nmark++;
  }
  if (!PL_PUSH(work->polygon, pair->npolygon, work->polygon_cap, polygon)) return search->status = PL_ERROR_MEMORY, false;
  return true;
}

plStatus pl_pair_polygons(plPair* pair) {
  plSkin *A = pair->A, *B = pair->B;
  double thickest = 0;
  for (int t = 0; t < B->ntri; t++) thickest = fmax(thickest, B->tri_limit[t]);
  Search search = {.pair = pair};
  for (int a = 0; a < A->ntri && !search.status; a++) {
    if (!(A->tri_area[a] > 0)) continue;
    double reach = fmax(pair->window, fmin(A->tri_limit[a], thickest));
    const int* v = A->tri + 3 * (size_t)a;
    plVec3 x0 = skin_x(A, v[0]), x1 = skin_x(A, v[1]), x2 = skin_x(A, v[2]), r = v3(reach, reach, reach);
    plVec3 lower = v3_sub(v3_min(x0, v3_min(x1, x2)), r), upper = v3_add(v3_max(x0, v3_max(x1, x2)), r);
    if (lower.x > B->upper.x || lower.y > B->upper.y || lower.z > B->upper.z || upper.x < B->lower.x || upper.y < B->lower.y ||
        upper.z < B->lower.z)
      continue;
    search.a = a;
    pl_tri_tree_box(B->tree, lower, upper, take_facet, &search);
  }
  return search.status;
}

// The descent of two trees against all pairs of facets: the same common parts, wherever the two surfaces lie.
#include "base/random.h"
#include "check.h"
#include "contact/pair.h"
#include "large_pair.h"
#include "step/step.h"

// The second one turned at random, within reach of the first or (far) beside it.
static plSpec* two_blocks(plRandom* r, bool far) {
  plSpec* spec = pl_spec_create();
  plMesh* block = large_block(7);
  plPose low = {{0, 0, 0}, {1, 0, 0, 0}}, high;
  double q[4], norm = 0;
  for (int i = 0; i < 4; i++) q[i] = pl_random(r, -1, 1), norm += q[i] * q[i];
  high.p.x = pl_random(r, -0.1, 0.1), high.p.y = pl_random(r, -0.1, 0.1);
  high.p.z = pl_random(r, -0.05, 0.12);
  if (far) high.p = v3_scale(pl_random(r, 0.12, 0.3), v3_unit(high.p));
  high.q = (plQuat){q[0] / sqrt(norm), q[1] / sqrt(norm), q[2] / sqrt(norm), q[3] / sqrt(norm)};
  add_large_soft(spec, "low", block, low);
  add_large_soft(spec, "high", block, high);
  pl_mesh_destroy(block);
  return spec;
}

// Facets may overlap only inside each other's surface, so within its box.
static bool in_box(const plSkin* s, int t, const plSkin* other, double margin) {
  plVec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
  for (int k = 0; k < 3; k++) {
    plVec3 x = skin_x(s, s->tri[3 * (size_t)t + (size_t)k]);
    low = v3_min(low, x), high = v3_max(high, x);
  }
  plVec3 below = v3_sub(low, other->tree->node->upper), above = v3_sub(other->tree->node->lower, high);
  return fmax(fmax(below.x, below.y), below.z) <= margin && fmax(fmax(above.x, above.y), above.z) <= margin;
}

static bool meet(const plPair* pair, int a, int b) {
  const plSkin *A = pair->A, *B = pair->B;
  plClip clip;
  return A->tri_area[a] > 0 && B->tri_area[b] > 0 && v3_dot(skin_normal(A, a), skin_normal(B, b)) < -0.25 &&
         in_box(A, a, B, pair->margin) && in_box(B, b, A, pair->margin) &&
         pl_clip_facets(A, a, B, b, -fmin(A->tri_limit[a], B->tri_limit[b]), pair->margin, &clip);
}

// Polygons of the pair that all pairs of facets do not have, or that are missing; n: how many there are.
static int difference(const plPair* pair, int* n) {
  int differ = 0;
  for (int a = 0; a < pair->A->ntri; a++)
    for (int b = 0; b < pair->B->ntri; b++) {
      int found = 0;
      for (int i = 0; i < pair->npolygon; i++)
        found += pair->run->scratch->polygon[i].a == a && pair->run->scratch->polygon[i].b == b;
      bool wanted = meet(pair, a, b);
      differ += found != wanted, *n += wanted;
    }
  return differ;
}

static void the_descent_finds_what_all_pairs_find(void) {
  plRandom r = {5};
  int total = 0, touching = 0;
  for (int i = 0; i < 40; i++) {
    plError error;
    plSpec* spec = two_blocks(&r, false);
    const plModel* model = pl_model_create(spec, &error);
    plData* data = model ? pl_data_create(model, &error) : NULL;
    CHECK(data != NULL);
    if (!data) break;
    CHECK_INT(pl_step_kinematics(model, data), PL_OK);
    CHECK_INT(pl_contact_find(model, data), PL_OK);
    plContactWork* w = data->work->contact;
    if (w->nlist == 1) {
      plPairList list = {.margin = pl_random(&r, 0, 0.02)};
      plPair pair = {.model = model,
                     .data = data,
                     .ca = &w->collider[0],
                     .cb = &w->collider[1],
                     .A = w->collider[0].skin,
                     .B = w->collider[1].skin,
                     .margin = list.margin,
                     .list = &list,
                     .scratch = w->scratch,
                     .arena = &w->scratch->arena,
                     .points = &w->scratch->points,
                     .workers = w->scratch};
      int n = 0;
      CHECK_INT(pl_pair_polygons(&pair), PL_OK);
      CHECK_INT(difference(&pair, &n), 0);
      total += n, touching += n > 0;
    }
    pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
  }
  printf("%d common parts in %d pairs\n", total, touching);
  CHECK(touching >= 15 && total > 1000);
}

// Smallest product of d with the vertices of b, less the largest with those of a.
static double separation(const plSkin* a, const plSkin* b, plVec3 d) {
  double from = -INFINITY, to = INFINITY;
  for (int v = 0; v < a->nvert; v++) from = fmax(from, v3_dot(skin_x(a, v), d));
  for (int v = 0; v < b->nvert; v++) to = fmin(to, v3_dot(skin_x(b, v), d));
  return to - from;
}

static void a_pair_that_a_plane_separates_has_no_points(void) {
  plRandom r = {6};
  int apart = 0, points = 0;
  for (int i = 0; i < 60; i++) {
    plError error;
    plSpec* spec = two_blocks(&r, true);
    const plModel* model = pl_model_create(spec, &error);
    plData* data = model ? pl_data_create(model, &error) : NULL;
    CHECK(data != NULL);
    if (!data) break;
    CHECK_INT(pl_step_kinematics(model, data), PL_OK);
    CHECK_INT(pl_contact_find(model, data), PL_OK);
    plContactWork* w = data->work->contact;
    plPairList list = {.margin = pl_random(&r, 0, 0.02)};
    plPair pair = {.model = model,
                   .data = data,
                   .ca = &w->collider[0],
                   .cb = &w->collider[1],
                   .A = w->collider[0].skin,
                   .B = w->collider[1].skin,
                   .margin = list.margin,
                   .list = &list,
                   .scratch = w->scratch,
                   .arena = &w->scratch->arena,
                   .points = &w->scratch->points,
                   .workers = w->scratch};
    pl_skin_update(pair.A), pl_skin_update(pair.B);
    plVec3 d =
        v3_unit(v3_sub(v3_add(pair.cb->lower, pair.cb->upper), v3_add(pair.ca->lower, pair.ca->upper)));
    bool is = pl_pair_is_apart(&pair);
    CHECK_INT(is, separation(pair.A, pair.B, d) > pair.margin);
    CHECK_INT(pl_contact_skin_pair(&pair), PL_OK);
    if (is) CHECK_INT(list.npoint, 0);
    apart += is, points += list.npoint > 0;
    pl_free(list.point);
    pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
  }
  printf("%d pairs apart, %d with points\n", apart, points);
  CHECK(apart >= 15 && points >= 15);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(the_descent_finds_what_all_pairs_find);
  RUN(a_pair_that_a_plane_separates_has_no_points);
  return CHECK_END;
}

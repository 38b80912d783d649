// test_facets.c: a facet is compared with several others at once as with one after another, to the last bit,
// on every instruction set: facets near each other, flat on each other, beside each other, and of no area.
#include "contact/facets.h"

#include <string.h>

#include "base/cpu.h"
#include "base/random.h"
#include "check.h"

enum { MOST = 19 };

static plVec3 random_vec(plRandom* r, double size) {
  double x = pl_random(r, -size, size), y = pl_random(r, -size, size);
  return v3(x, y, pl_random(r, -size, size));
}

// On a grid some are flush, share corners or have no area.
static plVec3 to_grid(plVec3 a, double cell) {
  return v3(cell * round(a.x / cell), cell * round(a.y / cell), cell * round(a.z / cell));
}

static plFacet random_facet(plRandom* r, int id, bool grid, double spread) {
  plFacet f = {.id = id, .limit = pl_random(r, 0, 0.5)};
  plVec3 middle = random_vec(r, spread);
  for (int k = 0; k < 3; k++) {
    f.x[k] = v3_add(middle, random_vec(r, 1));
    if (grid) f.x[k] = to_grid(f.x[k], 0.5);
  }
  f.n = v3_unit(v3_cross(v3_sub(f.x[1], f.x[0]), v3_sub(f.x[2], f.x[0])));
  f.lower = v3_min(v3_min(f.x[0], f.x[1]), f.x[2]), f.upper = v3_max(v3_max(f.x[0], f.x[1]), f.x[2]);
  f.base = v3_dot(f.x[0], f.n);
  return f;
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static long compare(plFacetsCompare* fast) {
  long near = 0;
  for (int m = 0; m < CHECK_MEMBERS(20000); m++) {
    plRandom r = {(uint64_t)m};
    double at[PL_FACET_NUMBERS * (MOST + PL_FACETS_MOST)] = {0}, margin = pl_random(&r, 0, 0.3);
    plFacetRows rows = {at, MOST + PL_FACETS_MOST};
    double spread = pl_random(&r, 0.2, 1.5);
    plFacet a = random_facet(&r, 0, m % 2, spread);
    for (int i = 0; i < MOST; i++) {
      plFacet b = random_facet(&r, i, m % 2, spread);
      pl_facet_store(&rows, i, &b);
    }
    int first = pl_random_int(&r, MOST), n = 1 + pl_random_int(&r, PL_FACETS_MOST);
    if (first + n > MOST) n = MOST - first;
    plFacetsNear one, all;
    unsigned expected = pl_facets_near_plain(&a, &rows, first, n, margin, &one),
             found = fast(&a, &rows, first, n, margin, &all);
    CHECK(found == expected);
    if (!found) continue;
    CHECK(all.face == one.face);
    for (int k = 0; k < n; k++) {
      if (!(found >> k & 1)) continue;
      near++;
      CHECK(same_bits(all.facing[k], one.facing[k]) && same_bits(all.least2[k], one.least2[k]));
      CHECK(same_bits(all.height[k], one.height[k]));
      CHECK(facets_beyond(&all, k) == facets_beyond(&one, k));
    }
  }
  return near;
}

static void several_at_once_are_as_one_after_another(void) {
#if defined(__x86_64__)
  if (pl_isa_machine() >= PL_ISA_AVX2) CHECK(compare(pl_facets_near_avx2) > 1000);
  if (pl_isa_machine() >= PL_ISA_AVX512) CHECK(compare(pl_facets_near_avx512) > 1000);
#endif
  if (pl_isa_machine() < PL_ISA_AVX2) SKIP_CPU("no AVX2");
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(several_at_once_are_as_one_after_another);
  return CHECK_END;
}

// facets_avx2.c: a facet against four others at once.
#include <immintrin.h>

typedef __m256d Vec;
typedef __m256d Mask;
enum { LANES = 4 };
static inline Vec all(double s) { return _mm256_set1_pd(s); }
static inline Vec load(const double* p) { return _mm256_loadu_pd(p); }
static inline void store(double* p, Vec a) { _mm256_storeu_pd(p, a); }
static inline Vec least(Vec a, Vec b) { return _mm256_min_pd(a, b); }
static inline Vec most(Vec a, Vec b) { return _mm256_max_pd(a, b); }
static inline Mask less(Vec a, Vec b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
static inline Mask either(Mask a, Mask b) { return _mm256_or_pd(a, b); }
static inline Mask both(Mask a, Mask b) { return _mm256_and_pd(a, b); }
static inline unsigned bits(Mask a) { return (unsigned)_mm256_movemask_pd(a); }

#include "contact/facets_kernel.h"

unsigned pl_facets_near_avx2(const plFacet* a, const plFacetRows* b, int i, int n, double margin,
                             plFacetsNear* out) {
  return facets_near(a, b, i, n, margin, out);
}

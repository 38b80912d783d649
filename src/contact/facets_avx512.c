// facets_avx512.c: a facet against eight others at once.
#include <immintrin.h>

typedef __m512d Vec;
typedef __mmask8 Mask;
enum { LANES = 8 };
static inline Vec all(double s) { return _mm512_set1_pd(s); }
static inline Vec load(const double* p) { return _mm512_loadu_pd(p); }
static inline void store(double* p, Vec a) { _mm512_storeu_pd(p, a); }
static inline Vec least(Vec a, Vec b) { return _mm512_min_pd(a, b); }
static inline Vec most(Vec a, Vec b) { return _mm512_max_pd(a, b); }
static inline Mask less(Vec a, Vec b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
static inline Mask either(Mask a, Mask b) { return (Mask)(a | b); }
static inline Mask both(Mask a, Mask b) { return (Mask)(a & b); }
static inline unsigned bits(Mask a) { return a; }

#include "contact/facets_kernel.h"

unsigned pl_facets_near_avx512(const plFacet* a, const plFacetRows* b, int i, int n, double margin,
                               plFacetsNear* out) {
  return facets_near(a, b, i, n, margin, out);
}

// products.h: products with a body's matrices, by rows if there are threads, with the bits of one thread.
#ifndef PL_DEFORM_PRODUCTS_H
#define PL_DEFORM_PRODUCTS_H

#include "model/work.h"

// y += scale (mass (x) I_3) x
void pl_deform_add_mass(const plBsym* pattern, const double* mass, const double* x, double scale, double* y,
                        plPool* pool);

// A += scale D (may be NULL), then rows and columns of prescribed motion: zero except for the diagonal, which
// is kept.
void pl_deform_finish_tangent(const plModel* model, int b, const double* D, double scale, plBsym* A,
                              plPool* pool);

// y = |A| |v| + part |A - (m mass (x) I_3)| |q|
void pl_deform_sizes(const plBsym* A, const double* mass, double m, double part, const double* v,
                     const double* q, double* y, plPool* pool);

// max |x_i|, with scratch for the largest of every PL_LARGEST_CHUNK numbers
enum { PL_LARGEST_CHUNK = 4096 };
static inline size_t pl_deform_largest_room(size_t n) { return n / PL_LARGEST_CHUNK + 1; }
double pl_deform_largest(const double* x, size_t n, double* room, plPool* pool);

#endif

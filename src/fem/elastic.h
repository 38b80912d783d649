// elastic.h: elastic energy, forces and stiffness of one body: points, a law, a matrix pattern.
//
//   E(x) = sum_q V_q W(F_q) + sum_g V_g (kappa/2) tb_g^2        f = -dE/dx        K = d2E/dx2
//
// plElastic holds the constant data, plElasticWork the law's moduli, the fields at a configuration and
// scratch memory. Sums are taken in one fixed order, so threads do not change a bit. Linear (corotated)
// tetrahedra without groups use the batched kernels of lanes.h.
//
// Matrices are the blocks of a symmetric block matrix (linalg/bsym.h): pattern col0 [n + 1], row; block [9
// nblock] column-major.
#ifndef PL_FEM_ELASTIC_H
#define PL_FEM_ELASTIC_H

#include "base/parallel.h"
#include "fem/law.h"
#include "fem/points.h"

typedef struct plElastic plElastic;
typedef struct plElasticWork plElasticWork;

// The elements of the matrix pattern: all nodes of a point are coupled, and all nodes of a group. For
// pl_bsym_create: element e has the nodes (*node)[(*start)[e]] .. (*node)[(*start)[e + 1] - 1]; the caller
// frees both arrays with pl_free.
plStatus pl_elastic_couplings(const plPoints* points, int* nelement, int** start, int** node, plError* error);

// points, col0 and row must outlive the result.
plStatus pl_elastic_create(const plPoints* points, plMaterialKind kind, const int* col0, const int* row,
                           plElastic** elastic, plError* error);
void pl_elastic_destroy(plElastic* elastic);
// law.kappa is used only if the points have groups. NULL if memory runs out.
plElasticWork* pl_elastic_work_create(const plElastic* elastic, plLaw law);
// Sets other moduli of the same kind of law.
void pl_elastic_set_law(const plElastic* elastic, plElasticWork* work, plLaw law);
void pl_elastic_work_destroy(plElasticWork* work);

// R0 = rotation of F(x) at every point, if the law is linear corotated; else nothing happens. R0 = I until
// the first call.
void pl_elastic_freeze(const plElastic* elastic, plElasticWork* work, const double* x, plPool* pool);

// E(x); infinite if x is not finite
double pl_elastic_energy(const plElastic* elastic, plElasticWork* work, const double* x, plPool* pool);
// The same with the rotations at x itself if the law freezes them: the energy of the body, not of the step's
// model. freeze: x is where rotations will be frozen next, so that both are done at once; the energy is the
// same. The last x is stored, here and by pl_elastic_freeze, so a repeated call costs nothing.
double pl_elastic_own_energy(const plElastic* elastic, plElasticWork* work, const double* x, bool freeze,
                             plPool* pool);
// f = -dE/dx [3 nnode]
void pl_elastic_force(const plElastic* elastic, plElasticWork* work, const double* x, double* f,
                      plPool* pool);
// block = scale K(x) + tension_scale K_t + mass_scale (mass (x) I_3): K exact, projected to be positive
// semi-definite, or viscous (law.h); K_t stabilises a linear corotated body under tension (linear.c), with t
// of the last freeze; mass [nblock] (mass.h) may be NULL; f (may be NULL) as above
void pl_elastic_stiffness(const plElastic* elastic, plElasticWork* work, const double* x, plTangent tangent,
                          double scale, double tension_scale, const double* mass, double mass_scale,
                          double* block, double* f, plPool* pool);
// y += scale K_t x
void pl_elastic_add_tension(const plElastic* elastic, const plElasticWork* work, const double* x,
                            double scale, double* y);

#endif

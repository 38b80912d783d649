// lanes.h: linear (corotated) tetrahedra, eight at a time: rotations, forces and stiffness without storing
// element matrices.
//
// Pass 1, over tetrahedra in struct-of-arrays batches: computes F and R; writes only sqrt(V) h_a, h_a = R
// g_a, and the corner forces to memory. Pass 2, over the blocks of the matrix: with X = sum V h_a h_b' over
// the tetrahedra at edge ab,
//   K_ab = sum V (lambda h_a h_b' + mu h_b h_a' + mu (g_a . g_b) I) = lambda X + mu X' + mu L_ab I
// L_ab is constant; mu and lambda belong to the simulation. Tension adds K_t, ab = sum V t (h_a . h_b) I,
// which linear.c explains. Each block is written once, in one order, so threads change no bit. The same
// source is compiled for plain C, AVX2 and AVX-512 (lanes_kernel.h); results agree to rounding.
#ifndef PL_FEM_LANES_H
#define PL_FEM_LANES_H

#include "base/cpu.h"
#include "base/parallel.h"
#include "fem/law.h"
#include "fem/points.h"

enum { PL_LANES = 8 };  // tetrahedra in a batch, whatever the instruction set

// Constant tables. The last batch is padded with tetrahedra of zero volume.
typedef struct plLanes {
  int nvert, ntet, nbatch, nblock;
  double plane;      // 1: plane strain, F_zz = 1; else 0
  int* vert;         // [nbatch][4][8] vertex ids
  double* grad;      // [nbatch][9][8] gradients of corners 1, 2, 3 (corner 0 has minus their sum)
  double* volume;    // [nbatch][8] m^3
  double* root;      // [nbatch][8] its square root
  int* block_item0;  // [nblock + 1]
  int* block_item;   // [10 ntet] 16 tet + 4 a + b, row corner a, column corner b
  double* laplace;   // [nblock] L_ab = sum V g_a . g_b (m)
  int* vert_item0;   // [nvert + 1]
  int* vert_item;    // [4 ntet] 4 tet + a
} plLanes;

typedef struct plLanesWork {
  double mu, lambda;  // Pa
  double* x;          // [4 nvert] positions, padded
  double* F;          // [nbatch][9][8] at the last configuration
  double* R;          // [nbatch][9][8] frozen rotations
  double* h;  // [8 nbatch][4][4] sqrt(V) R g_a, padded; t (Pa) at the end of the first row, 0 until frozen
  double* f;  // [8 nbatch][4][4] corner forces, padded
  double* energy;  // [nbatch][8] V W at the configuration last frozen or measured (J)
  double* theta;   // [nbatch][8] tr S - 3 there
  double* pi;      // [nbatch][8] pressures of the tetrahedra's groups (Pa), zero without groups
} plLanesWork;

// points: plain tetrahedra, without groups.
plStatus pl_lanes_create(const plPoints* points, const int* col0, const int* row, plLanes** batch,
                         plError* error);
void pl_lanes_destroy(plLanes* batch);
// R = I; law: linear or linear corotated; NULL if memory runs out
plLanesWork* pl_lanes_work_create(const plLanes* batch, const plLaw* law);
void pl_lanes_work_destroy(plLanesWork* work);

// R = rotation of F(x), h, energy, theta, and t without groups' pressures; called only for laws that need it
void pl_lanes_freeze(const plLanes* batch, plLanesWork* work, const double* x, plPool* pool);
// energy and theta as after pl_lanes_freeze, without freezing
void pl_lanes_energy(const plLanes* batch, plLanesWork* work, const double* x, plPool* pool);
// F(x) alone, to work->F
void pl_lanes_deform(const plLanes* batch, plLanesWork* work, const double* x, plPool* pool);
// f = -dE/dx at x
void pl_lanes_force(const plLanes* batch, plLanesWork* work, const double* x, double* f, plPool* pool);
// block = scale K + tension_scale K_t + mass_scale (mass (x) I_3); mass [nblock] may be NULL
void pl_lanes_stiffness(const plLanes* batch, const plLanesWork* work, double scale, double tension_scale,
                        const double* mass, double mass_scale, double* block, plPool* pool);

// ---- the kernels of one instruction set; pl_lanes_kernels(pl_isa()) are those used above

// What R of F(x) is computed for: nothing, energy and theta alone, or to be frozen.
typedef enum plRotate { PL_ROTATE_NOT, PL_ROTATE_MEASURE, PL_ROTATE_FREEZE } plRotate;

typedef struct plLanesKernels {
  // batches begin .. end-1: rotate: energy, theta, and R, h, t if frozen, from F(x); stress: corner forces
  // from F(x) and the frozen R
  void (*elements)(const plLanes* batch, plLanesWork* work, int begin, int end, plRotate rotate, bool stress);
  void (*blocks)(const plLanes* batch, const plLanesWork* work, double scale, double tension_scale,
                 const double* mass, double mass_scale, double* block, int begin, int end);
  // R of F, both [nbatch][9][8]
  void (*polar)(const double* F, double* R, int nbatch);
} plLanesKernels;

const plLanesKernels* pl_lanes_kernels(plIsa isa);
// The whole element work with the given kernels: R from x, f and K + K_t at x.
void pl_lanes_whole(const plLanesKernels* kernels, const plLanes* batch, plLanesWork* work, const double* x,
                    double* f, double* block, plPool* pool);
extern const plLanesKernels pl_lanes_portable, pl_lanes_avx2, pl_lanes_avx512;

// ---- the plain version of the whole element work, one tetrahedron at a time: R from F(x), f and K + K_t,
// place [16 ntet] as blocks_places (test/linalg/blocks.h) for the points' own stencils. For tests and
// benchmarks, compiled for each instruction set.

typedef void plPlainElements(const plPoints* points, const plLaw* law, const double* x, const int* place,
                             double* f, double* block);
typedef void plPlainPolar(const double* F, double* R, int n);  // n consecutive matrices

plPlainElements pl_plain_elements, pl_plain_elements_avx2, pl_plain_elements_avx512;
plPlainPolar pl_plain_polar, pl_plain_polar_avx2, pl_plain_polar_avx512;

#endif

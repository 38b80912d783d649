// symbolic.h: the symbolic part of a factorization: the tree of fronts, their rows, and the position of
// everything in memory.
//
// The factorization is multifrontal. A front is a dense symmetric matrix over the vertices it eliminates (its
// columns) and those they are coupled to later (its rows below); eliminating the columns leaves an update
// matrix on the rows below, which is added to the parent front. The participating vertices form the last
// front, which eliminates nothing: its update matrix is A_hat, which has its own memory. Vertices are named
// by their position in the elimination order.
#ifndef PL_LINALG_SYMBOLIC_H
#define PL_LINALG_SYMBOLIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "linalg/graph.h"
#include "linalg/panel.h"

typedef struct plFront {
  int first, ncol;       // positions eliminated here: first .. first + ncol - 1
  int nbelow;            // rows below
  int row0;              // the rows below are row[row0] ..
  int inside;            // number of these, the first ones, that belong to its task; top fronts: 0
  int parent;            // -1 for a root
  int child0, nchild;    // children are child[child0] ..
  long diagonal, below;  // factor: triangle of dim ncol, rectangle of dim nbelow x dim ncol
  long update;  // update matrix, a triangle of dim nbelow: offset in the memory of a single thread that
                // processes all fronts in turn
  long shared_update;  // offset if tasks run in parallel: in the task's memory or, for task roots and top
                       // fronts, in the shared memory
  bool shared, is_top;
  int8_t dim;         // numbers per vertex
  int expand0;        // its pieces of expand, in ascending order of the parent's panels
  int expand0_panel;  // expand_panel[expand0_panel + q]: the first piece for panel q of the parent
  int npivot_rel;     // rows below that the parent eliminates
  int entry_panel;    // entry0[entry_panel + q]: the first matrix entry of panel q
} plFront;

// A subtree of fronts that one thread processes: first .. last.
typedef struct plTask {
  int first, last;
} plTask;

typedef struct plSymbolic {
  plArena arena;       // owns all arrays
  int n, np;           // vertices, participating ones
  int dim;             // numbers per vertex, 2 or 3
  int *order, *place;  // [n] vertex at a position, position of a vertex
  int nfront;
  plFront*
      front;  // children before parents; the last one belongs to the participating vertices if there are any
  int *row,
      *relative;  // rows below, ascending; their position in the parent's list of columns and rows below
  int* child;
  plPiece* expand;
  int* expand_panel;
  uint64_t* entry;  // source block and how to store it: see pl_entry
  long* entry_at;   // target in the factor (or in A_hat for the last front)
  int* entry0;
  int ntask, ntop, nrow;  // nrow: rows below of all fronts
  plTask* task;           // independent subtrees, largest first
  int* top;               // [ntop] fronts above them, level by level; those of a level are independent
  int nlevel;             // level l: top[level0[l]] .. top[level0[l + 1] - 1], ascending
  int* level0;            // [nlevel + 1]
  size_t factor_size;     // numbers: the factor
  size_t update_size, task_size,
      shared_size;    // update matrices of one thread; of a task; of the memory that tasks share
  double nnz, flops;  // numbers in L and operations, without padding and added zeros
} plSymbolic;

enum { PL_ENTRY_AHEAD = 8 };  // entries repeated at the end, so that a reader may prefetch

// A matrix entry: block q of A goes to a panel of the given height, transposed or not.
static inline uint64_t pl_entry(int block, int height, bool transposed) {
  return (uint64_t)block << 6 | (uint64_t)height << 1 | (uint64_t)transposed;
}
static inline size_t pl_entry_block(uint64_t entry) { return (size_t)(entry >> 6); }
static inline int pl_entry_height(uint64_t entry) { return (int)(entry >> 1 & 31); }
static inline bool pl_entry_transposed(uint64_t entry) { return entry & 1; }

// The symbolic factorization for a base order of all vertices with the marked ones moved to the end, in
// ascending order. The arrays of an earlier one in the same struct are dropped. sets: from sets of rows where
// they are small, which is faster; else from lists of rows, with equal results. False if memory runs out.
bool pl_symbolic_build(plSymbolic* symbolic, const plGraph* graph, const int* base_order,
                       const char* is_participating, bool sets);

// The operations of the whole factorization for that order and set, or -1 if memory runs out.
double pl_symbolic_flops(const plGraph* graph, const int* base_order, const char* is_participating);

// its second half: memory offsets and lists for the tree of fronts (symbolic_layout.c)
bool pl_symbolic_layout(plSymbolic* symbolic, const plGraph* graph, plArena* scratch);

// Rows of a front's list of columns and rows below, counted in numbers
static inline int pl_front_columns(const plFront* f) { return f->dim * f->ncol; }
static inline int pl_front_below(const plFront* f) { return f->dim * f->nbelow; }

#endif

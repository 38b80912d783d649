// elastic_parts.h: the tables of elastic.h and one simulation's memory, shared by elastic.c and
// elastic_tables.c.
#ifndef PL_FEM_ELASTIC_PARTS_H
#define PL_FEM_ELASTIC_PARTS_H

#include "fem/lanes.h"
#include "fem/layers.h"

struct plElastic {
  const plPoints* points;
  plMaterialKind kind;
  plLanes* batch;    // linear tetrahedra: the fast path; NULL: all of the following is used
  int nblock;        // of the matrix
  plLayers* layers;  // plane strain, else NULL
  int item0, nitem;  // points, then groups; with batches only the groups are items, from item0 on
  // forces: entries of the stencils by node
  int* node_entry0;  // [nnode + 1]
  int* node_entry;   // [node0[npoint]]
  int* entry_point;  // [node0[npoint]]
  // blocks: chunks of items, the matrix blocks each one touches, and their scratch slots
  int nchunk;
  int* chunk_item0;    // [nchunk + 1]
  int* chunk_target0;  // [nchunk + 1]
  int* item_slot0;     // [nitem] first slot of an item, counted within its chunk
  int* target_block;   // [targets] block of the matrix
  int* target_slot0;   // [targets + 1]
  int* target_slot;    // [slots]
  int max_slots;       // of a chunk
};

enum {
  PL_CHUNKS_TOGETHER = 8
};  // chunks that several threads make at a time; one thread makes one chunk, in its cache

struct plElasticWork {
  plLaw law;           // kappa is 0 without groups
  plLanesWork* batch;  // batches, or NULL, and then all of the following is used
  double* F;           // [9 npoint]
  double* R0;          // [9 npoint]
  double* tension;     // [npoint] t of linear.c, 0 until frozen
  double* energy;      // [npoint] V W
  double* theta;       // [npoint]
  double* stress;      // [9 npoint] V P
  double* dtheta;      // [9 npoint] only with groups
  double* pi;          // [ngroup]
  double* scratch;     // [9 max_slots] for each of the chunks that are made together
  bool frozen, owned;  // whether rotations were frozen and the own energy computed, at the positions below
  double *frozen_x, *own_x;  // [3 nnode]
  // Results at the positions last_x: F, energies and pressures (deformed), stresses (stressed), forces
  // (forced). For laws without a frozen rotation; line searches and balances ask for them repeatedly.
  double *last_x, *force;  // [3 nnode]
  bool deformed, stressed, forced;
  double frozen_energy, own_energy;
};

#endif

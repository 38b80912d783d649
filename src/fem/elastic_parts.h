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
  // blocks: chunks of items, the matrix blocks each one touches (targets), and their scratch slots
  int nchunk;
  int* chunk_item0;    // [nchunk + 1]
  int* chunk_target0;  // [nchunk + 1]
  int* item_slot0;     // [nitem] first slot of an item, counted within its chunk
  int* target_block;   // [targets] block of the matrix
  int* target_part;  // [targets] where the chunk's sum for a shared block goes; -1: no other chunk adds to it
  int* target_slot0;  // [targets + 1]
  int* target_slot;   // [slots]
  int max_slots;      // of a chunk
  // blocks to which several chunks add, or none
  int nshared;
  int* shared_block;  // [nshared]
  int* shared_part0;  // [nshared + 1]
  int* shared_part;   // [parts] in the order of the chunks
};

// Areas of scratch memory: one for each chunk that is made at a time.
int pl_elastic_areas(const plElastic* elastic);

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
  double* scratch;     // [9 max_slots] for each area
  double* part;        // [9 parts] sums of chunks for shared blocks
  bool frozen, owned;  // whether rotations were frozen and the own energy computed, at the positions below
  double *frozen_x, *own_x;  // [3 nnode]
  // Results at the positions last_x: F, energies and pressures (deformed), stresses (stressed), forces
  // (forced). For laws without a frozen rotation; line searches and balances ask for them repeatedly.
  double *last_x, *force;  // [3 nnode]
  bool deformed, stressed, forced;
  double frozen_energy, own_energy;
};

#endif

// elastic_tables.c: index tables of elastic.c: entries of the stencils by node, chunks of items and the
// blocks to which each adds. Made once per body.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fem/elastic.h"
#include "fem/elastic_parts.h"
#include "fem/mass.h"

enum {
  CHUNK_MOST = 4096,   // blocks of 72 bytes: the output of a chunk fits a cache
  CHUNK_LEAST = 2048,  // smaller ones share more blocks than they own
  CHUNKS = 64,         // as many as 16 threads need to end at about the same time
  ALONE = 8192,        // a body with fewer is one chunk
  MOST_AREAS = 32      // chunks that several threads make at a time
};

static int item_nodes(const plPoints* p, int item, const int** node) {
  if (item < p->npoint) {
    *node = p->node + p->node0[item];
    return p->node0[item + 1] - p->node0[item];
  }
  int g = item - p->npoint;
  *node = p->group_node + p->group_node0[g];
  return p->group_node0[g + 1] - p->group_node0[g];
}

plStatus pl_elastic_couplings(const plPoints* p, int* nelement, int** start, int** node, plError* error) {
  // the nodes of a group include those of its points
  int n = p->ngroup ? p->ngroup : p->npoint;
  const int *from0 = p->ngroup ? p->group_node0 : p->node0, *from = p->ngroup ? p->group_node : p->node;
  *nelement = n;
  *start = PL_NEW(int, (size_t)n + 1);
  *node = PL_NEW(int, from0[n]);
  if (!*start || !*node) {
    pl_free(*start), pl_free(*node);
    return pl_fail_out_of_memory(error, 4 * (size_t)from0[n]);
  }
  memcpy(*start, from0, ((size_t)n + 1) * sizeof(int));
  memcpy(*node, from, (size_t)from0[n] * sizeof(int));
  return PL_OK;
}

static bool entries_by_node(plElastic* e) {
  const plPoints* p = e->points;
  int nentry = p->node0[p->npoint];
  e->node_entry0 = PL_NEW(int, (size_t)p->nnode + 1);
  e->node_entry = PL_NEW(int, nentry);
  e->entry_point = PL_NEW(int, nentry);
  int* next = PL_NEW(int, p->nnode);
  bool ok = e->node_entry0 && e->node_entry && e->entry_point && next;
  for (int k = 0; ok && k < nentry; k++) {
    assert(p->node[k] >= 0 && p->node[k] < p->nnode);
    e->node_entry0[p->node[k] + 1]++;
  }
  for (int i = 0; ok && i < p->nnode; i++)
    next[i] = e->node_entry0[i], e->node_entry0[i + 1] += e->node_entry0[i];
  for (int q = 0; ok && q < p->npoint; q++)
    for (int k = p->node0[q]; k < p->node0[q + 1]; k++)
      e->entry_point[k] = q, e->node_entry[next[p->node[k]]++] = k;
  pl_free(next);
  return ok;
}

static size_t item_blocks(const plPoints* p, int item) {
  const int* node;
  size_t m = (size_t)item_nodes(p, item, &node);
  return m * (m + 1) / 2;
}

// Divides the items into chunks; returns the number of slots of all chunks together.
static size_t cut_chunks(plElastic* e) {
  size_t total = 0;
  for (int i = e->item0; i < e->nitem; i++) total += item_blocks(e->points, i);
  size_t size = total / CHUNKS;
  size = total <= ALONE ? ALONE : size < CHUNK_LEAST ? CHUNK_LEAST : size > CHUNK_MOST ? CHUNK_MOST : size;
  int slots = 0;
  e->nchunk = 0;
  for (int i = e->item0; i < e->nitem; i++) {
    int pairs = (int)item_blocks(e->points, i);
    if (i == e->item0 || (size_t)(slots + pairs) > size) {
      e->chunk_item0[e->nchunk++] = i;
      slots = 0;
    }
    e->item_slot0[i] = slots;
    slots += pairs;
    if (slots > e->max_slots) e->max_slots = slots;
  }
  assert(e->nchunk <= e->nitem);
  e->chunk_item0[e->nchunk] = e->nitem;
  return total;
}

// For one chunk: its distinct blocks, and the slots that add to each, in the order of the items. Returns the
// end of the targets.
static int list_targets(plElastic* e, int chunk, const int* col0, const int* row, int* target_of,
                        int* target_of_slot, int* next) {
  int first = e->chunk_target0[chunk], ntarget = first, nslot = 0;
  for (int i = e->chunk_item0[chunk]; i < e->chunk_item0[chunk + 1]; i++) {
    const int* node;
    int m = item_nodes(e->points, i, &node);
    for (int a = 0; a < m; a++)
      for (int b = 0; b <= a; b++) {
        int block = pl_pattern_find(col0, row, node[a], node[b]);
        assert(block >= 0 && nslot < e->max_slots);
        if (target_of[block] < first) {
          e->target_block[ntarget] = block;
          target_of[block] = ntarget++;
        }
        target_of_slot[nslot++] = target_of[block];
        e->target_slot0[target_of[block] + 1]++;
      }
  }
  for (int t = first; t < ntarget; t++) {
    next[t - first] = e->target_slot0[t];
    e->target_slot0[t + 1] += e->target_slot0[t];
  }
  for (int k = 0; k < nslot; k++) e->target_slot[next[target_of_slot[k] - first]++] = k;
  return ntarget;
}

// Finds the blocks to which several chunks add, or none, if no batch makes them. count: [nblock] room.
static bool list_shared(plElastic* e, int* count) {
  int ntarget = e->chunk_target0[e->nchunk], npart = 0;
  memset(count, 0, (size_t)e->nblock * sizeof *count);
  for (int t = 0; t < ntarget; t++) count[e->target_block[t]]++;
  for (int b = 0; b < e->nblock; b++) e->nshared += count[b] > 1 || (!count[b] && !e->batch);
  e->target_part = PL_NEW(int, ntarget);
  e->shared_block = PL_NEW(int, e->nshared);
  e->shared_part0 = PL_NEW(int, (size_t)e->nshared + 1);
  if (!e->target_part || !e->shared_block || !e->shared_part0) return false;
  int n = 0;
  for (int b = 0; b < e->nblock; b++) {
    if (count[b] == 1 || (!count[b] && e->batch)) {
      count[b] = -1;
      continue;
    }
    e->shared_block[n] = b, e->shared_part0[n] = npart;
    npart += count[b], count[b] = e->shared_part0[n++];
  }
  e->shared_part0[n] = npart;
  e->shared_part = PL_NEW(int, npart);
  if (!e->shared_part) return false;
  // sums lie in the order in which chunks make them
  for (int t = 0, part = 0; t < ntarget; t++) {
    int* next = &count[e->target_block[t]];
    e->target_part[t] = *next < 0 ? -1 : part;
    if (*next >= 0) e->shared_part[(*next)++] = part++;
  }
  return true;
}

int pl_elastic_areas(const plElastic* e) { return e->nchunk < MOST_AREAS ? e->nchunk : MOST_AREAS; }

static plStatus make_blocks(plElastic* e, const int* col0, const int* row, plError* error) {
  const plPoints* p = e->points;
  e->item0 = e->batch ? p->npoint : 0;
  e->nitem = p->npoint + p->ngroup;
  e->nblock = col0[p->nnode];
  e->chunk_item0 = PL_NEW(int, (size_t)e->nitem + 1);
  e->chunk_target0 = PL_NEW(int, (size_t)e->nitem + 1);
  e->item_slot0 = PL_NEW(int, e->nitem);
  size_t total = e->chunk_item0 && e->item_slot0 ? cut_chunks(e) : 0;
  e->target_block = PL_NEW(int, total);
  e->target_slot0 = PL_NEW(int, total + 1);
  e->target_slot = PL_NEW(int, total);
  int *target_of = PL_NEW(int, e->nblock), *target_of_slot = PL_NEW(int, e->max_slots),
      *next = PL_NEW(int, e->max_slots);
  bool ok = e->chunk_item0 && e->chunk_target0 && e->item_slot0 && e->target_block && e->target_slot0 &&
            e->target_slot && target_of && target_of_slot && next;
  for (int b = 0; ok && b < e->nblock; b++) target_of[b] = -1;
  for (int c = 0; ok && c < e->nchunk; c++)
    e->chunk_target0[c + 1] = list_targets(e, c, col0, row, target_of, target_of_slot, next);
  assert(!ok || (size_t)e->target_slot0[e->chunk_target0[e->nchunk]] == total);  // as many as were counted
  ok = ok && list_shared(e, target_of);
  pl_free(target_of), pl_free(target_of_slot), pl_free(next);
  return ok ? PL_OK : pl_fail_out_of_memory(error, 12 * total);
}

// Linear laws on stencils of four nodes use batches; groups are added to them.
static bool can_batch(const plElastic* e) {
  const plPoints* p = e->points;
  bool four = pl_law_is_linear(e->kind);
  for (int q = 0; four && q < p->npoint; q++) four = p->node0[q + 1] - p->node0[q] == 4;
  return four;
}

static plStatus make_tables(plElastic* e, const int* col0, const int* row, plError* error) {
  plStatus status = PL_OK;
  if (can_batch(e))
    status = pl_lanes_create(e->points, col0, row, &e->batch, error);
  else if (!entries_by_node(e))
    status = pl_fail_out_of_memory(error, 12 * (size_t)e->points->nnode);
  return status || (e->batch && e->points->ngroup == 0) ? status : make_blocks(e, col0, row, error);
}

plStatus pl_elastic_create(const plPoints* points, plMaterialKind kind, const int* col0, const int* row,
                           plElastic** elastic, plError* error) {
  *elastic = NULL;
  plElastic* e = PL_NEW(plElastic, 1);
  if (!e) return pl_fail_out_of_memory(error, sizeof *e);
  e->points = points, e->kind = kind;
  plStatus status = make_tables(e, col0, row, error);
  if (!status && points->plane_strain && !(e->layers = pl_layers_create(points, col0, row)))
    status = pl_fail_out_of_memory(error, (size_t)e->nblock * sizeof(plTie));
  if (status)
    pl_elastic_destroy(e);
  else
    *elastic = e;
  return status;
}

void pl_elastic_destroy(plElastic* e) {
  if (!e) return;
  pl_lanes_destroy(e->batch);
  pl_free(e->layers);
  pl_free(e->node_entry0), pl_free(e->node_entry), pl_free(e->entry_point);
  pl_free(e->chunk_item0), pl_free(e->chunk_target0), pl_free(e->item_slot0);
  pl_free(e->target_block), pl_free(e->target_slot0), pl_free(e->target_slot), pl_free(e->target_part);
  pl_free(e->shared_block), pl_free(e->shared_part0), pl_free(e->shared_part);
  pl_free(e);
}

void pl_elastic_set_law(const plElastic* e, plElasticWork* w, plLaw law) {
  w->law = law;
  w->frozen = w->owned = w->deformed = false;  // tension and energies belong to the previous law
  if (e->points->ngroup == 0) w->law.kappa = 0;
  if (!w->batch) return;
  w->batch->mu = law.mu, w->batch->lambda = law.lambda;
  // without group pressures those of the lanes must be zero
  if (w->law.kappa == 0) memset(w->batch->pi, 0, PL_LANES * (size_t)e->batch->nbatch * sizeof *w->batch->pi);
}

plElasticWork* pl_elastic_work_create(const plElastic* e, plLaw law) {
  size_t npoint = (size_t)e->points->npoint, ngroup = (size_t)e->points->ngroup;
  plElasticWork* w = PL_NEW(plElasticWork, 1);
  if (!w) return NULL;
  pl_elastic_set_law(e, w, law);
  w->energy = PL_NEW(double, npoint);
  w->theta = PL_NEW(double, npoint);
  w->frozen_x = PL_NEW(double, 3 * (size_t)e->points->nnode);
  w->own_x = PL_NEW(double, 3 * (size_t)e->points->nnode);
  w->pi = PL_NEW(double, ngroup);
  // only several threads use memory beyond that of the first area
  w->scratch = pl_alloc_room(9 * (size_t)e->max_slots * (size_t)pl_elastic_areas(e), sizeof(double));
  w->part = pl_alloc_room(9 * (size_t)(e->shared_part0 ? e->shared_part0[e->nshared] : 0), sizeof(double));
  if (e->batch) {
    w->batch = pl_lanes_work_create(e->batch, &law);
    if (w->energy && w->theta && w->frozen_x && w->own_x && w->pi && w->scratch && w->part && w->batch)
      return w;
    pl_elastic_work_destroy(w);
    return NULL;
  }
  w->F = PL_NEW(double, 9 * npoint);
  w->R0 = PL_NEW(double, 9 * npoint);
  w->tension = PL_NEW(double, npoint);
  w->stress = PL_NEW(double, 9 * npoint);
  w->last_x = PL_NEW(double, 3 * (size_t)e->points->nnode);
  w->force = PL_NEW(double, 3 * (size_t)e->points->nnode);
  w->dtheta = PL_NEW(double, ngroup ? 9 * npoint : 0);
  if (!w->F || !w->R0 || !w->tension || !w->frozen_x || !w->own_x || !w->energy || !w->theta || !w->stress ||
      !w->dtheta || !w->pi || !w->scratch || !w->part || !w->last_x || !w->force) {
    pl_elastic_work_destroy(w);
    return NULL;
  }
  for (size_t q = 0; q < npoint; q++) w->R0[9 * q] = w->R0[9 * q + 4] = w->R0[9 * q + 8] = 1;
  return w;
}

void pl_elastic_work_destroy(plElasticWork* w) {
  if (!w) return;
  pl_lanes_work_destroy(w->batch);
  pl_free(w->F), pl_free(w->R0), pl_free(w->tension), pl_free(w->energy), pl_free(w->theta);
  pl_free(w->stress), pl_free(w->dtheta), pl_free(w->pi), pl_free(w->scratch), pl_free(w->part);
  pl_free(w->frozen_x), pl_free(w->own_x), pl_free(w->last_x), pl_free(w->force);
  pl_free(w);
}

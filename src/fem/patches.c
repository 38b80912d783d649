// patches.c: greedy clusters of tetrahedra.
//
// A patch starts at the unassigned tet with the fewest unassigned neighbours and repeatedly takes the
// neighbour that adds the fewest new vertices (ties: fewest unassigned neighbours, then nearest to the
// patch's centre). Patches below half the size join their smallest neighbour.
#include "fem/patches.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh.h"

typedef struct Builder {
  const plMesh* mesh;
  int size;
  int* neighbour;  // [4 ntet] across face i, or -1
  int* label;      // [ntet]
  int* nfree;      // [ntet] unassigned neighbours
  double* centre;  // [3 ntet]
  int64_t* heap;   // nfree * ntet + tet, smallest first; stale entries are skipped
  int nheap;
  int* seen;       // [nvert] the last patch that contains the vertex
  int* candidate;  // [4 size] free neighbours of the growing patch
  int ncandidate;
} Builder;

static bool find_neighbours(Builder* b) {
  int ntet = b->mesh->ntet;
  int* key = pl_mesh_face_keys(b->mesh);
  int* order = PL_NEW(int, 4 * (size_t)ntet);
  bool ok = key && order && pl_sort_keys(4 * ntet, 3, key, b->mesh->nvert, order);
  for (int i = 0; i < 4 * ntet; i++) b->neighbour[i] = -1;
  for (int i = 0; ok && i + 1 < 4 * ntet; i++)
    if (pl_same_key(3, key, order[i], order[i + 1])) {
      b->neighbour[order[i]] = order[i + 1] / 4;
      b->neighbour[order[i + 1]] = order[i] / 4;
      i++;  // tets are neighbours in pairs, also where several overlap
    }
  pl_free(key), pl_free(order);
  return ok;
}

static void push(Builder* b, int tet) {
  int64_t value = (int64_t)b->nfree[tet] * b->mesh->ntet + tet;
  assert(b->nheap <= 5 * b->mesh->ntet && b->nfree[tet] >= 0);
  int i = b->nheap++;
  for (; i > 0 && b->heap[(i - 1) / 2] > value; i = (i - 1) / 2) b->heap[i] = b->heap[(i - 1) / 2];
  b->heap[i] = value;
}

static int64_t pop(Builder* b) {
  int64_t top = b->heap[0], last = b->heap[--b->nheap];
  int i = 0;
  for (;;) {
    int c = 2 * i + 1;
    if (c >= b->nheap) break;
    if (c + 1 < b->nheap && b->heap[c + 1] < b->heap[c]) c++;
    if (b->heap[c] >= last) break;
    b->heap[i] = b->heap[c];
    i = c;
  }
  b->heap[i] = last;
  return top;
}

static int new_vertices(const Builder* b, int tet, int patch) {
  int n = 0;
  for (int a = 0; a < 4; a++) n += b->seen[b->mesh->tet[4 * tet + a]] != patch;
  return n;
}

// Adds a tet to the growing patch and its free neighbours to the candidates.
static void take(Builder* b, int tet, int patch) {
  b->label[tet] = patch;
  for (int a = 0; a < 4; a++) b->seen[b->mesh->tet[4 * tet + a]] = patch;
  for (int i = 0; i < 4; i++) {
    int o = b->neighbour[4 * tet + i];
    if (o < 0 || b->label[o] >= 0) continue;
    bool known = false;
    for (int c = 0; c < b->ncandidate; c++) known = known || b->candidate[c] == o;
    assert(known || b->ncandidate < 4 * b->size);
    if (!known) b->candidate[b->ncandidate++] = o;
  }
}

// The position of the best candidate.
static int choose(const Builder* b, int patch, plVec3 centre) {
  int best = 0, best_new = 5, best_free = 5;
  double best_far = 0;
  for (int c = 0; c < b->ncandidate; c++) {
    int tet = b->candidate[c], fresh = new_vertices(b, tet, patch), nfree = b->nfree[tet];
    double far = v3_norm2(v3_sub(v3_load(b->centre + 3 * (size_t)tet), centre));
    bool better = fresh != best_new    ? fresh < best_new
                  : nfree != best_free ? nfree < best_free
                  : far != best_far    ? far < best_far
                                       : tet < b->candidate[best];
    if (better) best = c, best_new = fresh, best_free = nfree, best_far = far;
  }
  return best;
}

// A patch from its first tet on; writes its members to member and returns their number.
static int grow(Builder* b, int start, int patch, int* member) {
  int n = 0;
  plVec3 sum = v3(0, 0, 0);
  b->ncandidate = 0;
  for (int tet = start;;) {
    take(b, tet, patch);
    sum = v3_add(sum, v3_load(b->centre + 3 * (size_t)tet));
    member[n++] = tet;
    if (n == b->size || b->ncandidate == 0) break;
    int c = choose(b, patch, v3_scale(1.0 / n, sum));
    tet = b->candidate[c];
    b->candidate[c] = b->candidate[--b->ncandidate];
  }
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 4; i++) {
      int o = b->neighbour[4 * member[k] + i];
      if (o >= 0 && b->label[o] < 0) b->nfree[o]--, push(b, o);
    }
  return n;
}

static int root(const int* parent, int p) {
  while (parent[p] != p) p = parent[p];
  return p;
}

// Patches below half the size join the smallest neighbouring patch; labels become dense again. Returns their
// number.
static int merge(Builder* b, int npatch, const int* member0, const int* member, int* parent, int* count) {
  for (int p = 0; p < npatch; p++) parent[p] = p, count[p] = member0[p + 1] - member0[p];
  for (int p = 0; p < npatch; p++) {
    int r = root(parent, p), best = -1;
    if (count[r] >= (b->size + 1) / 2) continue;
    for (int k = member0[p]; k < member0[p + 1]; k++)
      for (int i = 0; i < 4; i++) {
        int o = b->neighbour[4 * member[k] + i];
        int q = o < 0 ? r : root(parent, b->label[o]);
        if (q != r && (best < 0 || count[q] < count[best] || (count[q] == count[best] && q < best))) best = q;
      }
    if (best >= 0) parent[r] = best, count[best] += count[r];
  }

  int n = 0;
  for (int p = 0; p < npatch; p++) count[p] = parent[p] == p ? n++ : -1;
  for (int e = 0; e < b->mesh->ntet; e++) b->label[e] = count[root(parent, b->label[e])];
  return n;
}

static bool start(Builder* b) {
  const plMesh* mesh = b->mesh;
  size_t ntet = (size_t)mesh->ntet;
  b->neighbour = PL_NEW(int, 4 * ntet);
  b->nfree = PL_NEW(int, ntet);
  b->centre = PL_NEW(double, 3 * ntet);
  b->heap = PL_NEW(int64_t, 5 * ntet + 1);
  b->seen = PL_NEW(int, mesh->nvert);
  b->candidate = PL_NEW(int, 4 * (size_t)b->size);
  if (!b->neighbour || !b->nfree || !b->centre || !b->heap || !b->seen || !b->candidate ||
      !find_neighbours(b))
    return false;
  for (int v = 0; v < mesh->nvert; v++) b->seen[v] = -1;
  for (int e = 0; e < mesh->ntet; e++) {
    plVec3 c = v3(0, 0, 0);
    for (int a = 0; a < 4; a++) c = v3_madd(c, 0.25, pl_mesh_vertex(mesh, mesh->tet[4 * e + a]));
    v3_store(b->centre + 3 * (size_t)e, c);
    for (int i = 0; i < 4; i++) b->nfree[e] += b->neighbour[4 * e + i] >= 0;
    b->label[e] = -1;
    push(b, e);
  }
  return true;
}

plStatus pl_patches(const plMesh* mesh, int size, int* label, int* npatch, plError* error) {
  Builder b = {.mesh = mesh, .size = size < 1 ? 1 : size, .label = label};
  size_t ntet = (size_t)mesh->ntet;
  int *member = PL_NEW(int, ntet), *member0 = PL_NEW(int, ntet + 1), *parent = PL_NEW(int, ntet),
      *count = PL_NEW(int, ntet);
  bool ok = start(&b) && member && member0 && parent && count;
  int n = 0;
  while (ok && b.nheap > 0) {
    int64_t top = pop(&b);
    int tet = (int)(top % mesh->ntet), nfree = (int)(top / mesh->ntet);
    if (label[tet] >= 0 || nfree != b.nfree[tet]) continue;
    member0[n + 1] = member0[n] + grow(&b, tet, n, member + member0[n]);
    n++;
  }
  if (ok) *npatch = merge(&b, n, member0, member, parent, count);
  pl_free(member), pl_free(member0), pl_free(parent), pl_free(count);
  pl_free(b.neighbour), pl_free(b.nfree), pl_free(b.centre), pl_free(b.heap), pl_free(b.seen),
      pl_free(b.candidate);
  return ok ? PL_OK : pl_fail_out_of_memory(error, 64 * ntet);
}

// symbolic_layout.c: memory offsets of fronts, update matrices and matrix entries. Tree of fronts in ->
// offsets, extend-add pieces, tasks out.
#include <assert.h>
#include <string.h>

#include "linalg/panel.h"
#include "linalg/symbolic.h"

// ---- children and factor storage

static bool link_children(plSymbolic* s) {
  s->child = PL_ARENA_NEW(&s->arena, int, s->nfront);
  if (!s->child) return false;
  int count = 0;
  for (int f = 0; f < s->nfront; f++)
    if (s->front[f].parent >= 0) s->front[s->front[f].parent].nchild++;
  for (int f = 0; f < s->nfront; f++)
    s->front[f].child0 = count, count += s->front[f].nchild, s->front[f].nchild = 0;
  for (int f = 0; f < s->nfront; f++) {
    if (s->front[f].parent < 0) continue;
    plFront* p = &s->front[s->front[f].parent];
    s->child[p->child0 + p->nchild++] = f;
  }
  assert(count <= s->nfront);
  return true;
}

static void place_factor(plSymbolic* s) {
  size_t at = 0;
  for (int f = 0; f < s->nfront; f++) {
    plFront* front = &s->front[f];
    front->diagonal = (long)at, at += pl_triangle_size(pl_front_columns(front));
    front->below = (long)at, at += pl_rectangle_size(pl_front_below(front), pl_front_columns(front));
  }
  s->factor_size = at;
}

// Panels of a front: those of its columns, then those of its rows below.
static int column_panels(const plFront* f) { return pl_panel_count(pl_front_columns(f)); }
static int panels(const plFront* f) { return column_panels(f) + pl_panel_count(pl_front_below(f)); }

// ---- extend-add

// Position of each row below in the parent's list of columns and rows below; both ascend.
static void relate(plSymbolic* s, plFront* f) {
  const plFront* p = &s->front[f->parent];
  const int *row = s->row + f->row0, *parent_row = s->row + p->row0;
  int at = 0;
  f->npivot_rel = 0;
  for (int i = 0; i < f->nbelow; i++) {
    if (row[i] < p->first + p->ncol) {
      s->relative[f->row0 + i] = row[i] - p->first;
      f->npivot_rel++;
    } else {
      while (parent_row[at] != row[i]) at++;
      assert(at < p->nbelow);
      s->relative[f->row0 + i] = p->ncol + at;
    }
  }
}

// Pieces for the blocks from i0 on of the child's panel `source` that go to the rows `bits` (of 24) of one
// panel of the parent.
static int make_pieces(plPiece* list, int count, const plFront* f, int source, int i0, unsigned bits) {
  int number = f->dim * i0, height = pl_panel_height(pl_front_below(f), source);
  for (int chunk = 0; chunk < 3; chunk++) {
    int mask = (int)(bits >> 8 * chunk & 255), rows = __builtin_popcount((unsigned)mask);
    if (!mask) continue;
    long src = pl_triangle_at(source) + number - PL_PANEL * source;
    list[count++] = (plPiece){src, (short)height, (short)chunk, mask, (number + rows - 1) / f->dim + 1};
    number += rows;
  }
  return count;
}

// Room for the pieces of a front: each cut between panels of either front begins a new one, of three chunks.
static int most_pieces(const plSymbolic* s, const plFront* f) {
  int cuts = pl_panel_count(pl_front_below(f)) + panels(&s->front[f->parent]);
  return 3 * (cuts < f->nbelow ? cuts : f->nbelow);
}

static int block_rows(const plFront* f) { return PL_PANEL / f->dim; }  // of a panel

// Divides the rows below at the child's panels and at the parent's panels, both of 24 rows. Returns the
// number of pieces.
static int cut_pieces(const plSymbolic* s, const plFront* f, plPiece* list, int* first_of_panel) {
  const plFront* p = &s->front[f->parent];
  const int* relative = s->relative + f->row0;
  int count = 0, last_panel = -1, own = column_panels(p), blocks = block_rows(f), dim = f->dim;
  for (int i = 0; i < f->nbelow;) {
    int source = i / blocks, start = i, at = relative[i];
    int shift = at < p->ncol ? 0 : p->ncol, limit = at < p->ncol ? p->ncol : p->ncol + p->nbelow;
    int q = (at - shift) / blocks, end = shift + blocks * (q + 1);
    unsigned bits = 0;
    if (end > limit) end = limit;
    for (; i < f->nbelow && i < blocks * (source + 1) && relative[i] < end; i++)
      bits |= ((1u << dim) - 1) << dim * ((relative[i] - shift) % blocks);
    int panel = q + (shift ? own : 0);
    for (int k = last_panel + 1; k <= panel; k++) first_of_panel[k] = count;
    last_panel = panel;
    count = make_pieces(list, count, f, source, start, bits);
  }
  for (int k = last_panel + 1; k <= panels(p); k++) first_of_panel[k] = count;
  assert(count <= most_pieces(s, f));
  return count;
}

static bool extend_add_lists(plSymbolic* s) {
  int total_rows = s->nfront ? s->front[s->nfront - 1].row0 + s->front[s->nfront - 1].nbelow : 0;
  s->relative = PL_ARENA_NEW(&s->arena, int, total_rows);
  if (!s->relative) return false;
  // at most three pieces wherever a panel of the child or of the parent begins
  size_t pieces = 0, starts = 0;
  for (int f = 0; f < s->nfront; f++) {
    plFront* front = &s->front[f];
    if (front->parent < 0) continue;
    front->expand0 = (int)pieces, front->expand0_panel = (int)starts;
    pieces += (size_t)most_pieces(s, front);
    starts += (size_t)panels(&s->front[front->parent]) + 1;
  }
  s->expand = PL_ARENA_NEW(&s->arena, plPiece, pieces);
  s->expand_panel = PL_ARENA_NEW(&s->arena, int, starts);
  if (!s->expand || !s->expand_panel) return false;
  for (int f = 0; f < s->nfront; f++) {
    if (s->front[f].parent < 0) continue;
    relate(s, &s->front[f]);
    cut_pieces(s, &s->front[f], s->expand + s->front[f].expand0, s->expand_panel + s->front[f].expand0_panel);
  }
  return true;
}

// ---- matrix entries

// The target of the block at index `at` of a front's list (columns, then rows below) and column 0.
typedef struct Target {
  int panel, height;
  long offset;
} Target;

static Target target(const plFront* f, int at, bool last_front) {
  bool below = at >= f->ncol;
  int block = below ? at - f->ncol : at, p = block / block_rows(f);
  int h = pl_panel_height(below ? pl_front_below(f) : pl_front_columns(f), p);
  long base = last_front ? pl_triangle_at(p)
              : below    ? f->below + pl_rectangle_at(pl_front_columns(f), p)
                         : f->diagonal + pl_triangle_at(p);
  return (Target){p + (below ? column_panels(f) : 0), h, base + f->dim * (block % block_rows(f))};
}

// The targets of a front's rows, to where[position].
static void front_targets(const plSymbolic* s, int f, Target* where) {
  const plFront* front = &s->front[f];
  bool last = s->np && f == s->nfront - 1;
  for (int k = 0; k < front->ncol; k++) where[front->first + k] = target(front, k, last);
  for (int k = 0; k < front->nbelow; k++)
    where[s->row[front->row0 + k]] = target(front, front->ncol + k, last);
}

// A matrix entry (pl_entry), its target, and the panel that it belongs to.
typedef struct Entry {
  uint64_t entry;
  long at;
  int panel;
} Entry;

static inline Entry make_entry(const plFront* f, const Target* t, int column, int block, bool transposed) {
  return (Entry){pl_entry(block, t->height, transposed), t->offset + (long)f->dim * column * t->height,
                 t->panel};
}

// Lists the blocks of one front, column by column, the diagonal one first; returns their number. Those above
// the diagonal are overwritten by the next ones, which costs less than asking for each.
static int front_entries(const plSymbolic* s, const plGraph* g, int f, const Target* where, Entry* list) {
  const plFront* front = &s->front[f];
  bool last = s->np && f == s->nfront - 1;
  int ncol = last ? front->nbelow : front->ncol, n = 0;
  for (int c = 0; c < ncol; c++) {
    int j = front->first + c, v = s->order[j];
    list[n++] = make_entry(front, &where[j], c, g->diagonal[v], false);
    for (int q = g->start[v]; q < g->start[v + 1]; q++) {
      int w = g->neighbour[q], i = s->place[w];
      list[n] = make_entry(front, &where[i], c, g->block[q], w < v);
      n += i > j;
    }
  }
  return n;
}

// Sorts the blocks of a front by panel, to the entries from `at` on; equal ones keep their order. first[p]:
// the first one of panel p.
static void sort_entries(plSymbolic* s, const Entry* list, int n, int npanel, int at, int* first,
                         int* cursor) {
  memset(cursor, 0, (size_t)npanel * sizeof(int));
  for (int k = 0; k < n; k++) cursor[list[k].panel]++;
  for (int p = 0; p < npanel; p++) first[p] = at, at += cursor[p], cursor[p] = first[p];
  first[npanel] = at;
  for (int k = 0; k < n; k++) {
    int to = cursor[list[k].panel]++;
    s->entry[to] = list[k].entry, s->entry_at[to] = list[k].at;
  }
}

static bool entry_lists(plSymbolic* s, const plGraph* g, plArena* scratch) {
  int starts = 0, most = 0;
  for (int f = 0; f < s->nfront; f++) {
    s->front[f].entry_panel = starts;
    starts += panels(&s->front[f]) + 1;
    if (panels(&s->front[f]) > most) most = panels(&s->front[f]);
  }
  int total = s->n + g->start[s->n] / 2;
  s->entry0 = PL_ARENA_NEW(&s->arena, int, starts);
  s->entry = PL_ARENA_NEW(&s->arena, uint64_t, total + PL_ENTRY_AHEAD);
  s->entry_at = PL_ARENA_NEW(&s->arena, long, total);
  Target* where = PL_KEEP(scratch, Target, s->n);
  int* cursor = PL_ARENA_NEW(scratch, int, most + 1);
  Entry* list = PL_ARENA_NEW(scratch, Entry, total + 1);
  if (!s->entry0 || !s->entry || !s->entry_at || !where || !cursor || !list) return false;
  int at = 0;
  for (int f = 0; f < s->nfront; f++) {
    front_targets(s, f, where);
    int n = front_entries(s, g, f, where, list);
    assert(at + n <= total);
    sort_entries(s, list, n, panels(&s->front[f]), at, s->entry0 + s->front[f].entry_panel, cursor);
    at += n;
  }
  for (int k = 0; k < PL_ENTRY_AHEAD; k++) s->entry[at + k] = 0;
  return true;
}

// ---- tasks and memory for update matrices

// Allocated intervals of memory, ascending; the first gap that fits is used.
typedef struct Block {
  size_t at, size;
  int owner;
} Block;
typedef struct Heap {
  Block* block;
  int count, cap;
  size_t high;
} Heap;

static size_t heap_take(Heap* heap, size_t size, int owner) {
  size_t at = 0;
  int k = 0;
  while (k < heap->count && heap->block[k].at < at + size) at = heap->block[k].at + heap->block[k].size, k++;
  assert(heap->count < heap->cap);
  memmove(heap->block + k + 1, heap->block + k, (size_t)(heap->count - k) * sizeof(Block));
  heap->block[k] = (Block){at, size, owner};
  heap->count++;
  if (at + size > heap->high) heap->high = at + size;
  return at;
}

static void heap_give(Heap* heap, int owner) {
  for (int k = 0; k < heap->count; k++)
    if (heap->block[k].owner == owner) {
      heap->count--;
      memmove(heap->block + k, heap->block + k + 1, (size_t)(heap->count - k) * sizeof(Block));
      return;
    }
}

static size_t update_size(const plFront* f) { return pl_triangle_size(pl_front_below(f)); }

static double front_work(const plFront* f) {
  double w = pl_front_columns(f), n = pl_front_below(f);
  return w * (w * w / 3 + w * n + n * n) + 20 * n * n + 1e4;
}

static void sort_tasks(plSymbolic* s, const double* work) {
  for (int i = 1; i < s->ntask; i++) {
    plTask t = s->task[i];
    int k = i;
    for (; k > 0 && work[s->task[k - 1].last] < work[t.last]; k--) s->task[k] = s->task[k - 1];
    s->task[k] = t;
  }
}

// Which rows below lie inside a front's task.
static void find_inside(plSymbolic* s) {
  s->nrow = 0;
  for (int f = 0; f < s->nfront; f++) {
    int end = s->front[f].row0 + s->front[f].nbelow;
    s->front[f].inside = 0, s->front[f].is_top = false;
    if (end > s->nrow) s->nrow = end;
  }
  for (int t = 0; t < s->ntask; t++) {
    const plFront* last = &s->front[s->task[t].last];
    for (int k = s->task[t].first; k <= s->task[t].last; k++) {
      plFront* f = &s->front[k];
      while (f->inside < f->nbelow && s->row[f->row0 + f->inside] < last->first + last->ncol) f->inside++;
    }
  }
}

// Sorts the top fronts by level; a front is above its children.
static bool sort_top(plSymbolic* s, plArena* scratch) {
  int *level = PL_KEEP(scratch, int, s->nfront), *sorted = PL_ARENA_NEW(&s->arena, int, s->nfront);
  s->level0 = PL_KEEP(&s->arena, int, s->ntop + 2);
  if (!level || !sorted || !s->level0) return false;
  for (int t = 0; t < s->ntop; t++) {
    int f = s->top[t], p = s->front[f].parent;
    // the last front receives from all roots
    if (s->np && f == s->nfront - 1) level[f] = s->nlevel;
    if (p >= 0 && level[p] <= level[f]) level[p] = level[f] + 1;
    if (level[f] >= s->nlevel) s->nlevel = level[f] + 1;
    s->level0[level[f] + 1]++;
    s->front[f].is_top = true;
  }
  assert(s->nlevel <= s->ntop && s->ntop + s->ntask <= s->nfront);
  for (int l = 0; l < s->nlevel; l++) s->level0[l + 1] += s->level0[l];
  for (int t = s->ntop - 1; t >= 0; t--) sorted[--s->level0[level[s->top[t]] + 1]] = s->top[t];
  // the end of a level has become its beginning
  for (int l = 0; l < s->nlevel; l++) s->level0[l] = s->level0[l + 1];
  s->level0[s->nlevel] = s->ntop;
  s->top = sorted;
  return true;
}

// Subtrees of at most a 64th of the total work become tasks; all threads share the fronts above them.
static bool split_tasks(plSymbolic* s, plArena* scratch) {
  double *work = PL_ARENA_NEW(scratch, double, s->nfront), total = 0;
  int* size = PL_ARENA_NEW(scratch, int, s->nfront);
  s->task = PL_ARENA_NEW(&s->arena, plTask, s->nfront);
  s->top = PL_ARENA_NEW(&s->arena, int, s->nfront);
  if (!work || !size || !s->task || !s->top) return false;
  for (int f = 0; f < s->nfront; f++) work[f] = front_work(&s->front[f]), size[f] = 1, total += work[f];
  for (int f = 0; f < s->nfront; f++)
    if (s->front[f].parent >= 0) work[s->front[f].parent] += work[f], size[s->front[f].parent] += size[f];
  double limit = total / 64 > 2e6 ? total / 64 : 2e6;
  for (int f = 0; f < s->nfront; f++) {
    int p = s->front[f].parent;
    bool last = s->np && f == s->nfront - 1;
    if (work[f] > limit || last)
      s->top[s->ntop++] = f;
    else if (p < 0 || work[p] > limit || (s->np && p == s->nfront - 1))
      s->task[s->ntask++] = (plTask){f - size[f] + 1, f};
  }
  sort_tasks(s, work);
  find_inside(s);
  return sort_top(s, scratch);
}

static void free_children(const plSymbolic* s, const plFront* f, Heap* heap) {
  for (int c = 0; c < f->nchild; c++) heap_give(heap, s->child[f->child0 + c]);
}

// An update matrix is needed until its parent's is formed; that of the last front is A_hat, which is stored
// elsewhere.
static bool place_updates(plSymbolic* s, plArena* scratch) {
  Block* block = PL_ARENA_NEW(scratch, Block, 3 * ((size_t)s->nfront + 1));
  if (!block) return false;
  const int cap = s->nfront + 1;
  Heap all = {block, 0, cap, 0}, own = {block + cap, 0, cap, 0},
       shared = {block + 2 * (size_t)cap, 0, cap, 0};
  int count = s->nfront - (s->np > 0);
  for (int f = 0; f < count; f++) {
    s->front[f].update = (long)heap_take(&all, update_size(&s->front[f]), f);
    free_children(s, &s->front[f], &all);
  }
  for (int t = 0; t < s->ntask; t++) {
    own.count = 0;
    for (int f = s->task[t].first; f <= s->task[t].last; f++) {
      plFront* front = &s->front[f];
      front->shared = f == s->task[t].last;
      front->shared_update = (long)heap_take(front->shared ? &shared : &own, update_size(front), f);
      free_children(s, front, &own);
    }
  }
  for (int l = 0; l < s->nlevel; l++) {
    for (int t = s->level0[l]; t < s->level0[l + 1] && s->top[t] < count; t++) {
      plFront* front = &s->front[s->top[t]];
      front->shared = true;
      front->shared_update = (long)heap_take(&shared, update_size(front), s->top[t]);
    }
    for (int t = s->level0[l]; t < s->level0[l + 1]; t++) free_children(s, &s->front[s->top[t]], &shared);
  }
  s->update_size = all.high, s->task_size = own.high, s->shared_size = shared.high;
  return true;
}

bool pl_symbolic_layout(plSymbolic* s, const plGraph* graph, plArena* scratch) {
  if (!link_children(s)) return false;
  place_factor(s);
  return extend_add_lists(s) && entry_lists(s, graph, scratch) && split_tasks(s, scratch) &&
         place_updates(s, scratch);
}

// test_symbolic.c: the tree of fronts from sets of rows equals that from lists of rows, for random bodies,
// orders and sets of participating vertices, also when one struct is used again.
#include "linalg/symbolic.h"

#include <string.h>

#include "check.h"
#include "linalg/order.h"
#include "sample.h"

static void shuffle(int* order, int n, plRandom* r) {
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int j = pl_random_int(r, i + 1), t = order[i];
    order[i] = order[j], order[j] = t;
  }
}

static void check_fronts(const plSymbolic* a, const plSymbolic* b) {
  CHECK_INT(a->nfront, b->nfront);
  for (int f = 0; f < a->nfront && f < b->nfront; f++) {
    const plFront *p = &a->front[f], *q = &b->front[f];
    CHECK(p->first == q->first && p->ncol == q->ncol && p->nbelow == q->nbelow && p->row0 == q->row0);
    CHECK(p->parent == q->parent && p->update == q->update && p->diagonal == q->diagonal);
    CHECK(p->below == q->below && p->entry_panel == q->entry_panel);
    CHECK(!memcmp(a->row + p->row0, b->row + q->row0, (size_t)p->nbelow * sizeof(int)));
    CHECK(!memcmp(a->relative + p->row0, b->relative + q->row0,
                  p->parent < 0 ? 0 : (size_t)p->nbelow * sizeof(int)));
  }
}

static void check_equal(const plSymbolic* a, const plSymbolic* b, const plGraph* g) {
  CHECK_INT(a->np, b->np);
  CHECK(!memcmp(a->order, b->order, (size_t)g->n * sizeof(int)));
  check_fronts(a, b);
  int entries = g->n + g->start[g->n] / 2;
  CHECK(!memcmp(a->entry, b->entry, (size_t)entries * sizeof *a->entry));
  CHECK(!memcmp(a->entry_at, b->entry_at, (size_t)entries * sizeof *a->entry_at));
  CHECK(a->nnz == b->nnz && a->flops == b->flops);
  CHECK(a->factor_size == b->factor_size && a->update_size == b->update_size);
}

static void sets_and_lists_give_one_tree(void) {
  static const plOrder kinds[] = {PL_ORDER_NATURAL, PL_ORDER_MINIMUM_DEGREE, PL_ORDER_DISSECTION};
  plSymbolic sets = {0}, lists = {0};
  for (int k = 0; k < CHECK_MEMBERS(200); k++) {
    plRandom r = {(uint64_t)k};
    int nx = 1 + pl_random_int(&r, 7), ny = 2 + pl_random_int(&r, 5), nz = 2 + pl_random_int(&r, 5);
    Sample s = sample_box(nx, ny, nz, k % 3 * 0.3, 1, (uint64_t)k);
    plGraph g;
    CHECK(!pl_graph_create(s.A, &g, NULL));
    int* order = PL_NEW(int, s.n);
    char* part = PL_NEW(char, s.n);
    if (k % 4 == 3)
      shuffle(order, s.n, &r);
    else
      CHECK(!pl_order(&g, kinds[k % 4], s.position, order, NULL));
    double share = k % 5 == 4 ? 2 : pl_random(&r, 0, 0.5) * (k % 2);
    for (int v = 0; v < s.n; v++) part[v] = pl_random(&r, 0, 1) < share;
    CHECK(pl_symbolic_build(&sets, &g, order, part, true));
    CHECK(pl_symbolic_build(&lists, &g, order, part, false));
    check_equal(&sets, &lists, &g);
    pl_free(order), pl_free(part), pl_graph_free(&g), sample_free(&s);
  }
  pl_arena_free(&sets.arena), pl_arena_free(&lists.arena);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(sets_and_lists_give_one_tree);
  return CHECK_END;
}

// order_cut.h: cuts of a part of a graph in two sides and a separator between them, for nested dissection.
#ifndef PL_LINALG_ORDER_CUT_H
#define PL_LINALG_ORDER_CUT_H

#include <stdbool.h>

#include "base/memory.h"
#include "linalg/graph.h"

// A part of the graph that is being cut in two; vertices outside it are PL_SIDE_OUT.
enum { PL_SIDE_OUT = 0, PL_SIDE_LEFT, PL_SIDE_RIGHT, PL_SIDE_CUT };
#define PL_LARGEST_SIDE 0.66  // largest fraction of the vertices on one side

// Cost of a separator in a part of n vertices, `left` of which are on one side.
double pl_separator_cost(int n, int separator, int left);
// Makes the separator given by side smaller. work: 9 n numbers, zero at first; *pass counts the passes of
// all calls.
void pl_separator_refine(const plGraph* graph, const int* part, int n, int* side, int* work, int* pass);
// The smallest separator between the first `from` vertices of a part and those from `to` on: sides of all of
// them; false if an edge joins the two ends. work: 7 n numbers.
bool pl_separator_flow(const plGraph* graph, const int* sorted, int n, int from, int to, int* side,
                       int* work);

typedef struct plCutter {
  const plGraph* graph;
  const double* position;  // [3 n]
  int* block;              // memory of the arrays below
  int* side;               // [n] PL_SIDE_*
  int *match, *seen;       // [n] matching across the cut; marks
  int now;
  int *sorted, *scratch;  // [n]
  int *bin, *across;      // [n + 1] scratch of sort and sweep
  double* key;            // [n] coordinate along the present direction
  int *refine, pass;      // scratch of the refinement
  int flow_size;          // parts of at least this many vertices are cut by flows too; 0: none
  int* flow;              // scratch of these
} plCutter;

// How to sort a part and how many vertices of it to put on the left; the result of a cut.
enum { PL_CUT_CANDIDATES = 16 };
typedef struct plCut {
  int candidate, half;
} plCut;
typedef struct plSides {
  int separator, left, right;
} plSides;

// false if memory runs out
bool pl_cutter_init(plCutter* cutter, const plGraph* graph, const double* position, int flow_size);
void pl_cutter_free(plCutter* cutter);

// The `tried` best ways to cut a part of n vertices, judged by a sweep, best first; returns their number.
int pl_cut_choose(plCutter* cutter, const int* part, int n, int tried, plCut* chosen);
// Makes one of these cuts. The part is reordered: separator, left side, right side. The result depends only
// on the part as a set.
plSides pl_cut_make(plCutter* cutter, plCut how, int* part, int n);

// Sorts a list by key, then by number. scratch: n / 2 numbers.
void pl_sort_by_key(const double* key, int* list, int* scratch, int n);

#endif

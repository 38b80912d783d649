// panel_plain.c: the kernels of panel.h for any machine.
#define WIDTH 2
#define NR 4

// How to distribute consecutive numbers to the rows of a mask.
typedef struct Spread {
  int row[8], count;
} Spread;

static inline Spread make_spread(unsigned mask) {
  Spread s = {{0}, 0};
  for (int i = 0; i < 8; i++)
    if (mask >> i & 1) s.row[s.count++] = i;
  return s;
}

static inline void add_rows(const Spread* spread, const double* s, long hs, double* d, long hd, int columns) {
  for (int b = 0; b < columns; b++, s += hs, d += hd)
    for (int i = 0; i < spread->count; i++) d[spread->row[i]] += s[i];
}

#include "linalg/panel_rhs.h"

const plPanelKernels pl_panel_plain = {panel_solve,   panel_factor,   panel_syrk,          panel_gemm,
                                       panel_tile,    panel_expand,   panel_expand_flat,   panel_multiply,
                                       panel_forward, panel_backward, panel_dot_rectangle, panel_dot_triangle,
                                       panel_dot,     panel_gather,   panel_block_below,   panel_block_back};

// energy.c: sums the energy that bodies gain beyond the work put in, and reports it once (see energy.h).
//
// With a good scheme the sum of gains rises and falls, with a damping one it only falls: what counts is its
// rise above its lowest value.
#include "energy.h"

#include <math.h>
#include <stdlib.h>

bool energy_begin(EnergyWatch* w, const plData* data) {
  *w = (EnergyWatch){.memory = calloc(3 * (size_t)data->model->ndeform + 1, sizeof(double))};
  return w->memory != NULL;
}

int energy_step(EnergyWatch* w, const plData* data) {
  int n = data->model->ndeform, worst = -1;
  double *sum = w->memory, *lowest = sum + n, *largest = lowest + n, most = 0;
  for (int b = 0; b < n; b++) {
    sum[b] += data->energy_gain[b];
    lowest[b] = fmin(lowest[b], sum[b]);
    largest[b] = fmax(largest[b], data->energy[b]);
    double over = sum[b] - lowest[b] - 0.01 * largest[b];
    if (over > most) most = over, worst = b;
  }
  if (w->warned) return -1;
  w->warned = worst >= 0;
  return worst;
}

void energy_end(EnergyWatch* w) { free(w->memory); }

// energy.c: sums the energy that bodies gain beyond the work put in, and reports it once (see energy.h).
//
// With a good scheme the sum of gains rises and falls, with a damping one it only falls: what counts is its
// rise above its lowest value.
#include "energy.h"

#include <math.h>
#include <stdlib.h>

// What rigid bodies gained together in the last step, and their kinetic energy.
static double rigid_gain(const plData* data, double* kinetic) {
  double gain = data->report.energy_gain;
  *kinetic = 0;
  for (int b = 0; b < data->model->ndeform; b++) gain -= data->energy_gain[b];
  if (!data->model->ntree || gain == 0) return 0;
  plRigidTotals totals;
  pl_rigid_totals(data, &totals);
  *kinetic = totals.kinetic_energy;
  return gain;
}

bool energy_begin(EnergyWatch* w, const plData* data) {
  *w = (EnergyWatch){.memory = calloc(3 * (size_t)(data->model->ndeform + 1), sizeof(double))};
  return w->memory != NULL;
}

int energy_step(EnergyWatch* w, const plData* data) {
  int n = data->model->ndeform + 1, worst = -1;
  double *sum = w->memory, *lowest = sum + n, *largest = lowest + n, most = 0;
  for (int b = 0; b < n; b++) {
    double energy = 0, gain = b < n - 1 ? data->energy_gain[b] : rigid_gain(data, &energy);
    if (b < n - 1) energy = data->energy[b];
    sum[b] += gain;
    lowest[b] = fmin(lowest[b], sum[b]);
    largest[b] = fmax(largest[b], energy);
    double over = sum[b] - lowest[b] - 0.01 * largest[b];
    if (over > most) most = over, worst = b;
  }
  if (w->warned) return -1;
  w->warned = worst >= 0;
  return worst;
}

void energy_end(EnergyWatch* w) { free(w->memory); }

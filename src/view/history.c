// history.c: saved states of a simulation, evenly distributed from the start to the present, within a fixed
// amount of memory.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

static const size_t MEMORY = 128u << 20;
enum { MOST = 1024, LEAST = 16 };

bool pl_history_open(plHistory* h, const plData* data) {
  size_t cap = MEMORY / (pl_state_size(data) + 1);
  *h = (plHistory){.cap = cap > MOST ? MOST : cap < LEAST ? LEAST : (int)cap};
  // one for each picture, but at most one for each step
  h->interval = data->par->options.dt > 1.0 / 30 ? data->par->options.dt : 1.0 / 30;
  h->past = calloc((size_t)h->cap, sizeof *h->past);
  return h->past;
}

void pl_history_close(plHistory* h) {
  for (int i = 0; i < h->n; i++) free(h->past[i].bytes);
  free(h->past);
  *h = (plHistory){0};
}

// Removes every second state.
static void thin(plHistory* h) {
  int n = 0;
  for (int i = 0; i < h->n; i++) {
    if (i % 2)
      free(h->past[i].bytes);
    else
      h->past[n++] = h->past[i];
  }
  h->n = n;
  h->interval *= 2;
}

void pl_history_keep(plHistory* h, const plData* data) {
  double now = data->time, spare = 1e-9 * (1 + h->interval);
  while (h->n && h->past[h->n - 1].time > now + spare) free(h->past[--h->n].bytes);
  if (h->n && now < h->past[h->n - 1].time + h->interval - spare) return;
  if (h->n == h->cap) thin(h);
  size_t size = pl_state_size(data);
  plPast past = {.time = now, .size = size, .bytes = malloc(size)};
  // without memory there is only a gap in the past
  if (!past.bytes || pl_state_get(data, past.bytes, size, NULL))
    free(past.bytes);
  else
    assert(h->n < h->cap), h->past[h->n++] = past;
}

plStatus pl_history_restore(const plHistory* h, double time, plData* data, plError* error) {
  if (!h->n) return pl_data_reset(data), PL_OK;
  int i = h->n - 1;
  while (i > 0 && h->past[i].time > time + 1e-9) i--;
  return pl_state_set(data, h->past[i].bytes, h->past[i].size, error);
}

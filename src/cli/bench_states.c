// bench_states.c: time, q and v of a scene at the start of a timed part, "PLWINDOW" | nq | nv | time | q | v.
//
// Less than a saved state (pliant/data.h), so that it stays valid when the program changes: the paper's
// scenes have no user forces, no switches and no attachments made at run time, and inputs follow from the
// time.
#include "bench_states.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'P', 'L', 'W', 'I', 'N', 'D', 'O', 'W'};

bool window_save(const plData* data, const char* path) {
  const plModel* model = data->model;
  FILE* out = fopen(path, "wb");
  int size[2] = {model->nq, model->nv};
  bool good = out && fwrite(magic, sizeof magic, 1, out) == 1 && fwrite(size, sizeof size, 1, out) == 1 &&
              fwrite(&data->time, sizeof data->time, 1, out) == 1 &&
              fwrite(data->q, sizeof(double), (size_t)model->nq, out) == (size_t)model->nq &&
              fwrite(data->v, sizeof(double), (size_t)model->nv, out) == (size_t)model->nv;
  if (out && fclose(out)) good = false;
  if (!good) complain("the state '%s' cannot be written: %s", path, strerror(errno));
  return good;
}

// Time, q and v into x; false if the file is not what it should be.
static bool read_numbers(FILE* in, const plModel* model, double* x, size_t n) {
  char head[sizeof magic];
  int size[2];
  if (fread(head, sizeof head, 1, in) != 1 || memcmp(head, magic, sizeof magic)) return false;
  if (fread(size, sizeof size, 1, in) != 1 || size[0] != model->nq || size[1] != model->nv) return false;
  if (fread(x, sizeof *x, n, in) != n || fgetc(in) != EOF) return false;
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

bool window_load(plData* data, const char* path) {
  const plModel* model = data->model;
  size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  FILE* in = fopen(path, "rb");
  double* x = malloc((1 + nq + nv) * sizeof *x);
  bool good = in && x && read_numbers(in, model, x, 1 + nq + nv);
  if (in) fclose(in);
  if (good) {
    pl_data_reset(data);
    data->time = x[0];
    memcpy(data->q, x + 1, nq * sizeof *x);
    memcpy(data->v, x + 1 + nq, nv * sizeof *x);
  }
  free(x);
  return good;
}

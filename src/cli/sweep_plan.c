// sweep_plan.c: parses the values of a sweep; its folder with the plan, shards and the table.
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep.h"

// ---- values

static int wrong(const char* text, const char* why) {
  complain("sweep: --vary %s: %s; write path=from:to:count, path=from:to:count:log or path=x,y,z", text, why);
  return EXIT_BAD_INPUT;
}

// "from:to:count" with ":log" or without.
static int read_range(Axis* axis, const char* text, const char* at) {
  double from, to;
  int n = 0, used = 0, end = 0;
  if (sscanf(at, "%lf:%lf:%d%n", &from, &to, &n, &used) != 3 || used == 0) return wrong(text, "not a range");
  bool log_scale = !strcmp(at + used, ":log");
  end = used + (log_scale ? 4 : 0);
  if (at[end]) return wrong(text, "there is more text after the count");
  if (!isfinite(from) || !isfinite(to)) return wrong(text, "numbers must be finite");
  if (n < 1 || n > SWEEP_MOST) return wrong(text, "the count must be from 1 to 10,000,000");
  if (n == 1 && from != to) return wrong(text, "a range needs two values or more; write path=x for one");
  if (log_scale && !(from > 0 && to > 0)) return wrong(text, "a logarithmic range needs positive ends");
  axis->value = malloc((size_t)n * sizeof(double));
  if (!axis->value) return complain("not enough memory"), EXIT_FAILED;
  axis->n = n;
  for (int i = 0; i < n; i++) {
    double s = n > 1 ? (double)i / (n - 1) : 0;
    double x = log_scale ? exp(log(from) + s * (log(to) - log(from))) : from + s * (to - from);
    axis->value[i] = i == 0 ? from : i == n - 1 ? to : x;
  }
  return -1;
}

static int read_list(Axis* axis, const char* text, const char* at) {
  int most = 1;
  for (const char* c = at; *c; c++) most += *c == ',';
  axis->value = malloc((size_t)most * sizeof(double));
  if (!axis->value) return complain("not enough memory"), EXIT_FAILED;
  for (;;) {
    char* end;
    double x = strtod(at, &end);
    if (end == at || (*end && *end != ',') || !isfinite(x)) return wrong(text, "not a list of numbers");
    assert(axis->n < most);
    axis->value[axis->n++] = x;
    if (!*end) return -1;
    at = end + 1;
  }
}

int sweep_axis(Sweep* sweep, const char* text) {
  const char* equals = strchr(text, '=');
  if (!equals || equals == text || (size_t)(equals - text) >= sizeof sweep->axis[0].path)
    return wrong(text, "no path");
  if (sweep->naxis == SWEEP_AXES) {
    complain("sweep: --vary is given more than %d times", SWEEP_AXES);
    return EXIT_BAD_INPUT;
  }
  Axis* axis = &sweep->axis[sweep->naxis++];
  snprintf(axis->path, sizeof axis->path, "%.*s", (int)(equals - text), text);
  for (int i = 0; i < sweep->naxis - 1; i++)
    if (!strcmp(sweep->axis[i].path, axis->path)) return wrong(text, "this path is given twice");
  return strchr(equals, ':') ? read_range(axis, text, equals + 1) : read_list(axis, text, equals + 1);
}

int sweep_count(Sweep* sweep) {
  double n = 1;
  for (int i = 0; i < sweep->naxis; i++) n *= sweep->axis[i].n;
  if (n > SWEEP_MOST) {
    complain("sweep: %.3g combinations are more than %d", n, SWEEP_MOST);
    return EXIT_BAD_INPUT;
  }
  sweep->nrow = (int)n;
  sweep->nshard = (sweep->nrow + SWEEP_SHARD - 1) / SWEEP_SHARD;
  return -1;
}

double sweep_value(const Sweep* sweep, int row, int axis) {
  for (int i = sweep->naxis - 1; i > axis; i--) row /= sweep->axis[i].n;
  return sweep->axis[axis].value[row % sweep->axis[axis].n];
}

void sweep_free(Sweep* sweep) {
  for (int i = 0; i < sweep->naxis; i++) free(sweep->axis[i].value);
}

// ---- the folder

static int fail_at(const char* path, const char* what) {
  complain("%s: %s: %s", path, what, strerror(errno));
  return EXIT_BAD_INPUT;
}

// The whole text of a file, NULL if there is none.
static char* read_text(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  char* text = NULL;
  size_t cap = 0;
  *size = 0;
  for (;;) {
    if (*size + 65536 > cap) {
      char* more = realloc(text, cap += cap + 65536);
      if (!more) return free(text), fclose(file), NULL;
      text = more;
    }
    size_t n = fread(text + *size, 1, cap - *size, file);
    *size += n;
    if (!n) break;
  }
  bool bad = ferror(file);
  fclose(file);
  return bad ? (free(text), NULL) : text;
}

// Written beside it, then renamed.
static bool write_text(const char* path, const char* text, size_t size) {
  char beside[PATH_SIZE + 8];
  snprintf(beside, sizeof beside, "%s.part", path);
  FILE* file = fopen(beside, "wb");
  bool good = file && fwrite(text, 1, size, file) == size && !fflush(file) && !fsync(fileno(file));
  if (file) good = !fclose(file) && good;
  if (good && !rename(beside, path)) return true;
  fail_at(path, "cannot be written");
  unlink(beside);
  return false;
}

static bool is_empty(const char* folder) {
  DIR* dir = opendir(folder);
  if (!dir) return false;
  int n = 0;
  for (struct dirent* entry = readdir(dir); entry; entry = readdir(dir))
    n += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
  closedir(dir);
  return n == 0;
}

int sweep_open(const Sweep* sweep, const char* plan, size_t size) {
  char path[PATH_SIZE];
  if (snprintf(path, sizeof path, "%s/plan.txt", sweep->out) >= (int)sizeof path - 32) {
    complain("sweep: the name of the folder is too long");
    return EXIT_BAD_INPUT;
  }
  if (mkdir(sweep->out, 0777) && errno != EEXIST) return fail_at(sweep->out, "cannot be made");
  size_t there = 0;
  char* text = read_text(path, &there);
  if (!text) {
    if (!is_empty(sweep->out)) {
      complain("sweep: '%s' is not empty and holds no sweep; choose another folder for --out", sweep->out);
      return EXIT_BAD_INPUT;
    }
    return write_text(path, plan, size) ? -1 : EXIT_BAD_INPUT;
  }
  bool same = there == size && !memcmp(text, plan, size);
  free(text);
  if (same) return -1;
  complain("sweep: '%s' holds another sweep (see its plan.txt); choose another folder for --out", sweep->out);
  return EXIT_BAD_INPUT;
}

static void shard_path(const Sweep* sweep, int shard, char path[PATH_SIZE]) {
  snprintf(path, PATH_SIZE, "%s/shard_%06d.csv", sweep->out, shard);
}

int sweep_first(int shard) { return shard * SWEEP_SHARD; }
int sweep_last(const Sweep* sweep, int shard) {
  int last = (shard + 1) * SWEEP_SHARD;
  return last < sweep->nrow ? last : sweep->nrow;
}

bool sweep_done(const Sweep* sweep, int shard) {
  char path[PATH_SIZE];
  struct stat info;
  shard_path(sweep, shard, path);
  return !stat(path, &info) && S_ISREG(info.st_mode);
}

bool sweep_write(const Sweep* sweep, int shard, const char* text, size_t size) {
  char path[PATH_SIZE];
  shard_path(sweep, shard, path);
  return write_text(path, text, size);
}

bool sweep_join(const Sweep* sweep, const char* header) {
  char path[PATH_SIZE], beside[PATH_SIZE];
  snprintf(path, sizeof path, "%s/sweep.csv", sweep->out);
  snprintf(beside, sizeof beside, "%s/sweep.csv.part", sweep->out);
  FILE* file = fopen(beside, "wb");
  bool good = file && fputs(header, file) >= 0;
  for (int s = 0; s < sweep->nshard && good; s++) {
    char from[PATH_SIZE];
    size_t size = 0;
    shard_path(sweep, s, from);
    char* text = read_text(from, &size);
    good = text && fwrite(text, 1, size, file) == size;
    free(text);
  }
  if (file) good = !fclose(file) && good;
  if (good && !rename(beside, path)) return true;
  fail_at(path, "cannot be written");
  return false;
}

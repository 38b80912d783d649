// test_scene_hostile.c: thousands of damaged scene files: each is an error with a sentence or a spec, none
// crashes, hangs or leaks.
//
// The damage: cut off, bytes flipped, pieces moved, doubled and swapped with other files, words of the format
// put in odd positions, numbers made huge, tiny, negative or not a number. `test_input_scene_hostile COUNT`
// runs more.
#include <dirent.h>

#include "base/random.h"
#include "check.h"
#include "pliant/model.h"
#include "pliant/spec.h"

enum { MAX_SEEDS = 64, MAX_BYTES = 1 << 16 };
static char* seeds[MAX_SEEDS];
static size_t seed_size[MAX_SEEDS];
static int nseed;
static long count = 10000;

// A scene with every section, small bodies only.
static const char everything[] =
    "pliant: 1\noptions: {dt: 0.01, duration: 1, gravity: [0, 0, -9.81], scheme: midpoint, contact_law: "
    "cone, threads: 1}\n"
    "deformables:\n- name: a\n  shape: box\n  size: [0.1, 0.1, 0.1]\n  cells: [2, 2, 2]\n  scale: [1, 2, 1]\n"
    "  pose: {position: [0, 0, 1], rpy: [0, 0, 0.5]}\n  material: &m {kind: neo_hookean, young: 1e5, "
    "poisson: 0.4, density: 1000, "
    "damping: {mass: 0, stiffness: 0.01}}\n  surface: {friction: 0.5, contact_stiffness: infinite}\n  "
    "velocity: [1, 0, 0]\n"
    "  fixed:\n  - region: {shape: box, centre: [0, 0, 0], size: [1, 1, 1]}\n    components: xz\n    "
    "motion:\n"
    "    - {time: 0, offset: [0, 0, 0]}\n    - {time: 1, offset: [0, 0, 1]}\n  - region: {indices: [0, 1, "
    "2]}\n"
    "- {name: b, shape: sphere, radius: 0.1, edge: 0.05, material: *m}\n"
    "- {name: c, shape: torus, major_radius: 0.1, minor_radius: 0.03, edge: 0.03}\n"
    "shapes:\n- {name: ground, shape: half_space, colour: [1, 0, 0]}\n- {name: ball, shape: ellipsoid, "
    "semi_axes: [1, 1, 2], collide: false}\n"
    "recording: {file: x.plrec, rate: 60, csv: x.csv, signals: [time, a.com.z]}\n";

static void add_seed(const char* text, size_t size) {
  if (nseed == MAX_SEEDS || size > MAX_BYTES / 2) return;
  seeds[nseed] = malloc(size + 1);
  memcpy(seeds[nseed], text, size);
  seeds[nseed][size] = 0;
  seed_size[nseed++] = size;
}

static void load_seeds(void) {
  static char text[MAX_BYTES];
  add_seed(everything, strlen(everything));
  DIR* dir = opendir(PLIANT_SOURCEDIR "/scenes");
  for (struct dirent* entry; dir && (entry = readdir(dir));) {
    char path[1024];
    snprintf(path, sizeof path, PLIANT_SOURCEDIR "/scenes/%s", entry->d_name);
    FILE* file = strstr(entry->d_name, ".yaml") ? fopen(path, "rb") : NULL;
    if (!file) continue;
    add_seed(text, fread(text, 1, sizeof text, file));
    fclose(file);
  }
  if (dir) closedir(dir);
  CHECK(nseed > 2);
}

static const char* const odd[] = {"nan",
                                  ".inf",
                                  "-1",
                                  "0",
                                  "1e308",
                                  "1e-308",
                                  "-0.0",
                                  "99999999999999999999",
                                  "1e9",
                                  "~",
                                  "[]",
                                  "{}",
                                  "'",
                                  "\"",
                                  "*m",
                                  "&m",
                                  "- ",
                                  ": ",
                                  "? ",
                                  "!!",
                                  "|\n",
                                  ">\n",
                                  "---\n",
                                  "...\n",
                                  "%YAML 9.9\n",
                                  "\t",
                                  "\xff",
                                  "\xef\xbb\xbf",
                                  "#",
                                  "[[[[[[",
                                  "{{{{{{",
                                  "\\0",
                                  "pliant: 1\n",
                                  "name: a",
                                  "shape: sphere",
                                  "edge: 0.001",
                                  "include: x.yaml\n",
                                  "indices: [0]",
                                  "cells: [3, 3, 3]"};

// Damages text in place within MAX_BYTES; returns its size.
static size_t damage(plRandom* r, char* text, size_t size) {
  int kind = pl_random_int(r, 8);
  size_t at = size ? (size_t)pl_random_int(r, (int)size) : 0,
         other = size ? (size_t)pl_random_int(r, (int)size) : 0;
  size_t length = (size_t)pl_random_int(r, 40);
  if (at + length > size) length = size - at;
  if (kind == 0) return at;
  if (kind == 1 && size) text[at] = (char)pl_random_int(r, 256);
  if (kind == 2 && size) text[at] ^= (char)(1 << pl_random_int(r, 8));
  if (kind == 3) {
    memmove(text + at, text + at + length, size - at - length);
    return size - length;
  }
  if ((kind == 4 || kind == 5) && size + length < MAX_BYTES) {
    char piece[64];
    memcpy(piece, text + at, length);
    memmove(text + other + length, text + other, size - other);
    memcpy(text + other, piece, length);
    return size + length;
  }
  const char* word = odd[pl_random_int(r, sizeof odd / sizeof *odd)];
  size_t n = strlen(word);
  if (kind == 6 && at + n <= size) memcpy(text + at, word, n);
  if (kind == 7 && size + n < MAX_BYTES) {
    // in the place of a value
    char* colon = memchr(text + at, ':', size - at);
    size_t begin = colon ? (size_t)(colon - text) + 1 : at;
    memmove(text + begin + n, text + begin, size - begin);
    memcpy(text + begin, word, n);
    return size + n;
  }
  return size;
}

// Every number of a scene with everything, one by one: beyond 1e30 it is refused before a step is made.
static void numbers_beyond_all_ranges_are_refused(void) {
  static const char scene[] =
      "pliant: 1\noptions: {dt: 0.01, duration: 0.02, gravity: [0, 0, -9.81], push_out_speed: 0.1}\n"
      "bodies:\n- name: arm\n  mass: 1\n  com: [0.3, 0, 0]\n  inertia: [0.01, 0.01, 0.01]\n"
      "  joint: {name: hinge, kind: revolute, axis: [0, 1, 0], pose: {position: [1, 0, 1]}, lower: -1, "
      "upper: 1, "
      "damping: 0.1, friction: 0.1, stiffness: 0.1, rest: 0.1, armature: 0.01, position: 0.1, velocity: 0.1, "
      "actuator: {kind: pd, kp: 20, kd: 2, effort: 30, times: [0, 0.5], values: [0, 0.1]}}\n"
      "- name: ball\n  mass: 2\n  inertia: [0.01, 0.01, 0.01]\n  pose: {position: [3, 0, 1]}\n"
      "  velocity: [0, 0, 1]\n  angular_velocity: [0, 0, 1]\n"
      "deformables:\n- name: block\n  shape: box\n  size: [0.1, 0.1, 0.1]\n  cells: [2, 2, 2]\n"
      "  scale: [1, 1, 1]\n  pose: {position: [0, 0, 0.2]}\n  velocity: [0, 0, 0.1]\n"
      "  material: {young: 1e5, poisson: 0.4, density: 1000, damping: {mass: 0.1, stiffness: 0.01}}\n"
      "  surface: {friction: 0.5, relaxation_time: 0.01, dissipation: 0.1, contact_stiffness: 1e8}\n"
      "  fixed:\n  - region: {shape: box, centre: [0, 0, 0.05], size: [1, 1, 0.02]}\n    motion:\n"
      "    - {time: 0, offset: [0, 0, 0]}\n    - {time: 0.5, offset: [0, 0, 0.1]}\n"
      "  loads:\n  - {region: {shape: all}, kind: pressure, pressure: 10}\n"
      "- {name: round, shape: sphere, radius: 0.1, edge: 0.1, pose: {position: [5, 0, 1]}}\n"
      "shapes:\n- {name: ground, shape: half_space}\n- {name: armbox, body: arm, shape: box, size: [0.1, "
      "0.1, "
      "0.1]}\n- {name: ballb, body: ball, shape: sphere, radius: 0.1}\n"
      "attachments:\n- {name: hold, deformable: block, region: {shape: box, centre: [0, 0, -0.05], size: [1, "
      "1, "
      "0.02]}, stiffness: 1e4, relaxation_time: 0.01}\n"
      "sensors:\n- {name: tilt, kind: position, on: arm, noise: 0.01, delay: 0.02}\n";
  static const char* const large[] = {"1e31", "-1e100", "1e199", "1.7e308"};
  char text[sizeof scene + 16];
  plError error = {0};
  int numbers = 0;
  for (const char* at = strchr(scene, '\n'); *at; at++) {
    bool starts =
        strchr(" [:", at[-1]) && (strchr("0123456789", *at) || (*at == '-' && strchr("0123456789", at[1])));
    if (!starts) continue;
    size_t width = strspn(at, "-.e0123456789");
    for (int k = 0; k < 4; k++) {
      snprintf(text, sizeof text, "%.*s%s%s", (int)(at - scene), scene, large[k], at + width);
      plSpec* spec = NULL;
      plStatus status = pl_spec_parse("large.yaml", "", text, strlen(text), NULL, &spec, &error);
      const plModel* model = status ? NULL : pl_model_create(spec, &error);
      if (model) check_errors++, printf("not refused: %.30s as %s\n", at - 20, large[k]);
      CHECK(error.status == PL_ERROR_INPUT && error.message[0]);
      if (model) pl_model_destroy(model);
      pl_spec_destroy(spec);
    }
    numbers++;
  }
  CHECK(numbers > 80);
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_parse("large.yaml", "", scene, strlen(scene), NULL, &spec, &error), PL_OK);
  const plModel* model = spec ? pl_model_create(spec, &error) : NULL;
  CHECK(model != NULL);
  if (!model) printf("%d: %s\n", error.line, error.message);
  if (model) pl_model_destroy(model);
  pl_spec_destroy(spec);
}

static void damaged_scenes_are_errors_or_specs(void) {
  static char text[MAX_BYTES + 64];
  plRandom r = {20240607};
  plLoadOptions options = {.max_tets = 20000};
  long good = 0;
  double slowest = 0;
  for (long i = 0; i < count; i++) {
    int seed = pl_random_int(&r, nseed);
    size_t size = seed_size[seed];
    memcpy(text, seeds[seed], size);
    for (int k = pl_random_int(&r, 5); k >= 0; k--) size = damage(&r, text, size);
    plSpec* spec = NULL;
    plError error;
    double start = check_clock();
    plStatus status = pl_spec_parse("h.yaml", "", text, size, &options, &spec, &error);
    double spent = check_clock() - start;
    if (spent > slowest) slowest = spent;
    CHECK(!status == (spec != NULL));
    if (status && (!error.message[0] || !error.file[0])) {
      printf("status %d without a sentence or file: %s\n%.*s\n", status, error.message, (int)size, text);
      check_errors++;
    }
    good += !status;
    pl_spec_destroy(spec);
  }
  CHECK(slowest < 5);
  CHECK(good > count / 100 && good < count / 2);
  printf("%ld damaged scenes: %ld still meant something, slowest %.3f s\n", count, good, slowest);
}

static void every_prefix_is_an_error_or_a_spec(void) {
  for (size_t size = 0; size < sizeof everything; size++) {
    plSpec* spec = NULL;
    plError error;
    plStatus status = pl_spec_parse("h.yaml", "", everything, size, NULL, &spec, &error);
    CHECK(!status == (spec != NULL));
    pl_spec_destroy(spec);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(1, argv);
  if (argc > 1) count = atol(argv[1]);
  load_seeds();
  RUN(numbers_beyond_all_ranges_are_refused);
  RUN(damaged_scenes_are_errors_or_specs);
  RUN(every_prefix_is_an_error_or_a_spec);
  for (int i = 0; i < nseed; i++) free(seeds[i]);
  return CHECK_END;
}

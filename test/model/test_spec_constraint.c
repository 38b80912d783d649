// test_spec_constraint.c: pairs without contact are a set, whatever was added and rolled back before.
#include "base/random.h"
#include "check.h"
#include "model/side.h"
#include "model/spec.h"

enum { BODIES = 12 };

static plSide any_side(plRandom* r) { return pl_side_of_body(pl_random_int(r, BODIES + 1) - 1); }

// Random pairs in either order, and random rollbacks, beside a table of all pairs.
static void excluded_pairs_are_a_set(void) {
  plError error;
  plRandom r = {17};
  plSpec* spec = pl_spec_create();
  for (int i = 0; i < BODIES; i++) {
    char name[16];
    snprintf(name, sizeof name, "b%d", i);
    plBodyDef body = pl_default_body_def();
    body.name = name;
    CHECK_INT(pl_spec_add_body(spec, &body, NULL, &error), PL_OK);
  }
  bool known[BODIES + 1][BODIES + 1] = {{0}}, before[BODIES + 1][BODIES + 1];
  plSpecMark mark = pl_spec_mark(spec);
  memcpy(before, known, sizeof known);
  for (int k = 0; k < 3000; k++) {
    plSide a = any_side(&r), b = any_side(&r);
    int i = a.kind == PL_SIDE_WORLD ? BODIES : a.index, j = b.kind == PL_SIDE_WORLD ? BODIES : b.index;
    CHECK(pl_spec_excludes(spec, a, b) == known[i][j]);
    CHECK(pl_spec_excludes(spec, b, a) == known[i][j]);
    int act = pl_random_int(&r, 40);
    if (act == 0) {
      pl_spec_rollback(spec, mark);
      memcpy(known, before, sizeof known);
    } else if (act == 1) {
      mark = pl_spec_mark(spec);
      memcpy(before, known, sizeof known);
      if (k % 7 == 0) mark.nexclude = 0, memset(before, 0, sizeof before);
    } else {
      int n = spec->nexclude;
      CHECK_INT(pl_spec_exclude(spec, a, b, &error), PL_OK);
      CHECK_INT(spec->nexclude, n + !known[i][j]);
      known[i][j] = known[j][i] = true;
    }
  }
  pl_spec_destroy(spec);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(excluded_pairs_are_a_set);
  return CHECK_END;
}

// The table of options: defaults pass, each value outside its range is refused by its name, rows keep all
// numbers, and what decides results is hashed.
#include "model/options.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "model/work.h"

static void write(plOptions* o, const plKey* key, double x) {
  char* at = (char*)o + key->offset;
  int n = (int)x;
  if (key->type == PL_KEY_NUMBER || key->type == PL_KEY_VEC3)
    memcpy(at, &x, sizeof x);
  else
    memcpy(at, &n, sizeof n);
}

static void what_is_out_of_range_is_refused(void) {
  plError error;
  plOptions o = pl_default_options();
  CHECK_INT(pl_options_check(&o, &error), PL_OK);
  int refused = 0;
  for (int k = 0; k < PL_OPTION_KEYS; k++) {
    const plKey* key = &pl_option_key[k];
    if (!strcmp(key->name, "scheme") || key->type == PL_KEY_BOOL) continue;
    double wrong[4];
    int n = 0;
    if (key->type == PL_KEY_WORD || key->type == PL_KEY_INT) wrong[n++] = -1, wrong[n++] = 1e8;
    if (key->type == PL_KEY_NUMBER || key->type == PL_KEY_VEC3) wrong[n++] = NAN;
    if (key->type == PL_KEY_NUMBER && key->range.low_open) wrong[n++] = key->range.low;
    if (key->type == PL_KEY_NUMBER && !key->range.low_open) wrong[n++] = nextafter(key->range.low, -1);
    if (key->type == PL_KEY_NUMBER && isfinite(key->range.high))
      wrong[n++] = key->range.high_open ? key->range.high : nextafter(key->range.high, INFINITY);
    for (int i = 0; i < n; i++, refused++) {
      o = pl_default_options();
      write(&o, key, wrong[i]);
      CHECK_INT(pl_options_check(&o, &error), PL_ERROR_INPUT);
      CHECK_HAS(error.message, key->name);
    }
  }
  CHECK(refused > 40);
  o = pl_default_options(), o.contact_law = (plContactLaw)1;  // once `lagged`
  CHECK_INT(pl_options_check(&o, &error), PL_ERROR_INPUT);
  o = pl_default_options(), o.contact_points = 3;
  CHECK_INT(pl_options_check(&o, &error), PL_ERROR_INPUT);
  o = pl_default_options(), o.push_out_speed = INFINITY;
  CHECK_INT(pl_options_check(&o, &error), PL_OK);
}

static void a_row_has_every_number(void) {
  double row[PL_OPTION_COUNT], again[PL_OPTION_COUNT];
  for (int i = 0; i < PL_OPTION_COUNT; i++) {
    plOptions o = pl_default_options();
    pl_options_pack(&o, row);
    uint64_t before = pl_options_hash(&o, 1);
    row[i] = row[i] == 1 ? 0 : 1;
    plOptions changed = pl_options_unpack(row, PL_OPTION_COUNT);
    pl_options_pack(&changed, again);
    CHECK(!memcmp(row, again, sizeof row));
    bool decides = i != 1 && i != 13;  // duration and threads do not
    CHECK((pl_options_hash(&changed, 1) != before) == decides);
    // a shorter row is that of an earlier version: the rest has its default
    changed = pl_options_unpack(row, (size_t)i);
    pl_options_pack(&changed, again), pl_options_pack(&o, row);
    CHECK(!memcmp(row, again, sizeof row));
  }
}

static void names_are_those_of_scenes(void) {
  int gravity = 0, scheme = 0;
  for (int i = 0; i < PL_OPTION_COUNT; i++)
    gravity += pl_option_is(i, "gravity"), scheme += pl_option_is(i, "scheme");
  CHECK_INT(gravity, 3);
  CHECK_INT(scheme, 2);
  CHECK(!pl_option_is(0, "duration") && pl_option_is(0, "dt"));
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(what_is_out_of_range_is_refused);
  RUN(a_row_has_every_number);
  RUN(names_are_those_of_scenes);
  return CHECK_END;
}

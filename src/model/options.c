// options.c: the options as a row of numbers, for the hash, saved states and recordings.
//
// One table: an option added to plOptions becomes one more line at its end. Files made before have shorter
// rows; what they lack keeps its default.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "model/work.h"

typedef enum Type { NUMBER, WHOLE, FLAG } Type;

typedef struct Row {
  const char* name;
  size_t at;       // in plOptions
  Type type;       // double; int or enumeration; bool
  int most;        // largest whole number, 0 is the least
  bool no_result;  // does not decide results: neither hashed nor taken from a state
} Row;

#define ROW(member, type, most) \
  { #member, offsetof(plOptions, member), type, most, false }
static const Row rows[] = {
    ROW(dt, NUMBER, 0),
    {"duration", offsetof(plOptions, duration), NUMBER, 0, true},
    ROW(gravity.x, NUMBER, 0),
    ROW(gravity.y, NUMBER, 0),
    ROW(gravity.z, NUMBER, 0),
    ROW(theta, NUMBER, 0),
    ROW(theta_vq, NUMBER, 0),
    ROW(contact_law, WHOLE, PL_LAW_COULOMB),
    ROW(tolerance, NUMBER, 0),
    ROW(free_tolerance, NUMBER, 0),
    ROW(max_iterations, WHOLE, 1 << 30),
    ROW(friction_sigma, NUMBER, 0),
    ROW(near_rigid, NUMBER, 0),
    {"threads", offsetof(plOptions, threads), WHOLE, 1 << 16, true},
    ROW(coupling, WHOLE, PL_COUPLING_ONCE),
    ROW(gap_closing, NUMBER, 0),
    ROW(contact_points, WHOLE, 1000),
    ROW(rigid_contact, WHOLE, PL_RIGID_POINT),
    ROW(coulomb_strict, FLAG, 1),
    ROW(push_out_speed, NUMBER, 0),
    ROW(push_out_turn, NUMBER, 0),
};
_Static_assert(sizeof rows / sizeof *rows == PL_OPTION_COUNT, "one line for each number of the options");
_Static_assert(sizeof(plContactLaw) == sizeof(int), "enumerations are read as whole numbers");

static double get(const plOptions* o, const Row* row) {
  const char* at = (const char*)o + row->at;
  double x;
  int n;
  bool on;
  switch (row->type) {
    case NUMBER:
      return memcpy(&x, at, sizeof x), x;
    case WHOLE:
      return memcpy(&n, at, sizeof n), n;
    default:
      return memcpy(&on, at, sizeof on), on;
  }
}

// A whole number out of range becomes 0.
static void set(plOptions* o, const Row* row, double x) {
  char* at = (char*)o + row->at;
  int n = x >= 0 && x <= row->most ? (int)x : 0;
  bool on = x != 0;
  if (row->type == NUMBER) memcpy(at, &x, sizeof x);
  if (row->type == WHOLE) memcpy(at, &n, sizeof n);
  if (row->type == FLAG) memcpy(at, &on, sizeof on);
}

void pl_options_pack(const plOptions* options, double* row) {
  for (int i = 0; i < PL_OPTION_COUNT; i++) row[i] = get(options, &rows[i]);
}

plOptions pl_options_unpack(const double* row, size_t n) {
  plOptions o = pl_default_options();
  for (size_t i = 0; i < n && i < PL_OPTION_COUNT; i++) set(&o, &rows[i], row[i]);
  return o;
}

void pl_options_keep(plOptions* options, const plOptions* own) {
  for (int i = 0; i < PL_OPTION_COUNT; i++)
    if (rows[i].no_result) set(options, &rows[i], get(own, &rows[i]));
}

// `gravity` names its three numbers, `scheme` both thetas.
bool pl_option_is(int i, const char* name) {
  size_t length = strcspn(rows[i].name, ".");
  if (!strcmp(name, "scheme")) return !strncmp(rows[i].name, "theta", 5);
  return !rows[i].no_result && strlen(name) == length && !strncmp(rows[i].name, name, length);
}

uint64_t pl_options_hash(const plOptions* options, uint64_t h) {
  for (int i = 0; i < PL_OPTION_COUNT; i++) {
    double x = get(options, &rows[i]);
    if (!rows[i].no_result) h = pl_hash(h, &x, sizeof x);
  }
  return h;
}

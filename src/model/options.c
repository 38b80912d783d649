// options.c: the table of options and everything derived from it: defaults, checks, and the row of numbers
// for the hash, saved states and recordings.
//
// The order of the table is the order of the row. New options go to the end: older files have shorter rows,
// and options that they lack keep their defaults.
#include "model/options.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "model/work.h"

const plWord pl_scheme_words[] = {{"backward_euler", 0}, {"symplectic_euler", 1}, {"midpoint", 2}, {NULL, 0}};
static const plWord laws[] = {
    {"cone", PL_LAW_CONE}, {"coulomb", PL_LAW_COULOMB}, {"similar", PL_LAW_SIMILAR}, {NULL, 0}};
static const plWord rigid_contacts[] = {{"patch", PL_RIGID_PATCH}, {"point", PL_RIGID_POINT}, {NULL, 0}};
static const plWord thread_words[] = {{"auto", 0}, {NULL, 0}};
static const plWord couplings[] = {
    {"converged", PL_COUPLING_CONVERGED}, {"once", PL_COUPLING_ONCE}, {NULL, 0}};

#define AT(field) offsetof(plSceneOptions, options.field)
// clang-format off
const plKey pl_option_key[] = {
    {.name = "dt", .type = PL_KEY_NUMBER, .offset = AT(dt), .unit = "s", .range = {0, 1e3, true, false},
     .preset = {0.01, 0, 0}, .meaning = "time step"},
    {.name = "duration", .type = PL_KEY_NUMBER, .offset = AT(duration), .unit = "s", .range = {0, 1e9, false, false},
     .preset = {1, 0, 0}, .no_result = true, .meaning = "simulated time of a run"},
    {.name = "gravity", .type = PL_KEY_VEC3, .offset = AT(gravity), .unit = "m/s^2", .preset = {0, 0, -9.81}, .meaning = "acceleration of gravity"},
    {.name = "scheme", .type = PL_KEY_WORD, .offset = offsetof(plSceneOptions, scheme), .words = pl_scheme_words,
     .meaning = "time integration: (theta, theta_vq) = (1, 1), (0, 1) or (1/2, 1/2)"},
    {.name = "theta", .type = PL_KEY_NUMBER, .offset = AT(theta), .range = {0, 1, false, false},
     .preset = {1, 0, 0}, .meaning = "forces are taken at theta q + (1 - theta) q0; instead of `scheme`"},
    {.name = "theta_vq", .type = PL_KEY_NUMBER, .offset = AT(theta_vq), .range = {0, 1, false, false},
     .preset = {1, 0, 0}, .meaning = "positions move with theta_vq v + (1 - theta_vq) v0; instead of `scheme`"},
    {.name = "contact_law", .type = PL_KEY_WORD, .offset = AT(contact_law), .words = laws, .removed = "lagged",
     .remedy = "its friction did not converge to Coulomb's; use coulomb, or similar for Hunt-Crossley",
     .preset = {PL_LAW_COULOMB, 0, 0}, .meaning = "law of contact and friction: the paper's convex cone, Coulomb's friction with the same compliance, or Hunt-Crossley with the convex friction (similar)"},
    {.name = "tolerance", .type = PL_KEY_NUMBER, .offset = AT(tolerance), .range = {1e-14, 1, false, true},
     .preset = {1e-6, 0, 0}, .meaning = "relative residual that the contact problem must reach"},
    {.name = "free_tolerance", .type = PL_KEY_NUMBER, .offset = AT(free_tolerance), .range = {1e-14, 1, false, true},
     .preset = {1e-8, 0, 0}, .meaning = "relative residual that nonlinear motion without contact must reach"},
    {.name = "max_iterations", .type = PL_KEY_INT, .offset = AT(max_iterations), .range = {1, 1e6, false, false},
     .preset = {500, 0, 0}, .meaning = "Newton iterations after which a step fails (an unconverged step is never accepted)"},
    {.name = "friction_sigma", .type = PL_KEY_NUMBER, .offset = AT(friction_sigma), .range = {0, 1, true, false},
     .preset = {1e-3, 0, 0}, .meaning = "regularisation of friction"},
    {.name = "near_rigid", .type = PL_KEY_NUMBER, .offset = AT(near_rigid), .range = {0, 100, true, false},
     .preset = {1, 0, 0}, .meaning = "beta of the near-rigid regularisation of contact"},
    {.name = "threads", .type = PL_KEY_INT, .offset = AT(threads), .range = {0, 1024, false, false}, .words = thread_words,
     .preset = {0, 0, 0}, .no_result = true, .meaning = "threads of the simulation; the result does not depend on it. auto (or 0): as many as make it faster, by its own measurements, at most one for each processor"},
    {.name = "coupling", .type = PL_KEY_WORD, .offset = AT(coupling), .words = couplings,
     .preset = {PL_COUPLING_CONVERGED, 0, 0}, .meaning = "nonlinear materials in contact: linearised again until the coupled balance meets the tolerance, or once, at the start of the step"},
    {.name = "gap_closing", .type = PL_KEY_NUMBER, .offset = AT(gap_closing), .range = {0, 1, true, false},
     .preset = {1, 0, 0}, .meaning = "fraction of a gap that may close in one step; below 1, approaching bodies are slowed down, and forces of rolling and sliding polyhedra are smoother"},
    {.name = "contact_points", .type = PL_KEY_INT, .offset = AT(contact_points), .range = {0, 1000, false, false},
     .preset = {0, 0, 0}, .meaning = "a flat patch of more contact points than this is reduced to this number (at least 4) with the same force, moment and area; 0: never"},
    {.name = "rigid_contact", .type = PL_KEY_WORD, .offset = AT(rigid_contact), .words = rigid_contacts,
     .preset = {PL_RIGID_PATCH, 0, 0}, .meaning = "convex rigid shapes touch each other and half spaces with every corner of the patch they share, or with one point (GJK and EPA), and corners that sink in ahead of it: fewer constraints, but no torsional friction and little resistance to tipping"},
    {.name = "coulomb_strict", .type = PL_KEY_BOOL, .offset = AT(coulomb_strict),
     .preset = {0, 0, 0}, .meaning = "with contact_law coulomb: a step whose friction does not converge fails instead of being counted"},
    {.name = "push_out_speed", .type = PL_KEY_NUMBER, .offset = AT(push_out_speed), .range = {0, INFINITY, true, false}, .unit = "m/s",
     .preset = {0.1, 0, 0}, .meaning = "largest speed at which contacts, limits and constraints without a stiffness of their own correct a violation that exists when a step begins: overlapping bodies separate at this speed, whatever dt is"},
    {.name = "push_out_turn", .type = PL_KEY_NUMBER, .offset = AT(push_out_turn), .range = {0, INFINITY, true, false}, .unit = "rad/s",
     .preset = {1, 0, 0}, .meaning = "the same for angles: limits of hinges, welds"},
    {.name = "accuracy", .type = PL_KEY_NUMBER, .offset = AT(accuracy), .range = {0, 1, false, true}, .unit = "m",
     .preset = {0, 0, 0}, .meaning = "error control: a step of dt is taken in inner steps as long as their error allows; 0: none (see Error control)"},
};
// clang-format on
#undef AT
_Static_assert(sizeof pl_option_key / sizeof *pl_option_key == PL_OPTION_KEYS,
               "PL_OPTION_COUNT counts the options");
_Static_assert(sizeof(plContactLaw) == sizeof(int), "enumerations are read as whole numbers");

// ---- the row

// The key of number i of the row, and which component of it.
typedef struct Place {
  const plKey* key;
  int component;
} Place;

static bool is_option(const plKey* key) { return key->offset < sizeof(plOptions); }

static Place place_of(int i) {
  for (const plKey* key = pl_option_key; key < pl_option_key + PL_OPTION_KEYS; key++) {
    int n = !is_option(key) ? 0 : key->type == PL_KEY_VEC3 ? 3 : 1;
    if (i < n) return (Place){key, i};
    i -= n;
  }
  return (Place){NULL, 0};
}

static double get(const plOptions* o, Place at) {
  const char* member = (const char*)o + at.key->offset;
  double x[3];
  int n;
  bool on;
  switch (at.key->type) {
    case PL_KEY_NUMBER:
      return memcpy(x, member, sizeof *x), x[0];
    case PL_KEY_VEC3:
      return memcpy(x, member, sizeof x), x[at.component];
    case PL_KEY_BOOL:
      return memcpy(&on, member, sizeof on), on;
    default:
      return memcpy(&n, member, sizeof n), n;
  }
}

// A whole number out of range becomes 0; pl_options_check reports the others.
static void set(plOptions* o, Place at, double x) {
  char* member = (char*)o + at.key->offset;
  int n = x >= 0 && x <= 1 << 30 ? (int)x : 0;
  bool on = x != 0;
  switch (at.key->type) {
    case PL_KEY_NUMBER:
    case PL_KEY_VEC3:
      memcpy(member + (size_t)at.component * sizeof x, &x, sizeof x);
      break;
    case PL_KEY_BOOL:
      memcpy(member, &on, sizeof on);
      break;
    default:
      memcpy(member, &n, sizeof n);
  }
}

plOptions pl_default_options(void) {
  plOptions o = {0};
  for (int i = 0; i < PL_OPTION_COUNT; i++) {
    Place at = place_of(i);
    const double preset[3] = {at.key->preset.x, at.key->preset.y, at.key->preset.z};
    set(&o, at, preset[at.component]);
  }
  return o;
}

void pl_options_pack(const plOptions* options, double* row) {
  for (int i = 0; i < PL_OPTION_COUNT; i++) row[i] = get(options, place_of(i));
}

plOptions pl_options_unpack(const double* row, size_t n) {
  plOptions o = pl_default_options();
  for (size_t i = 0; i < n && i < PL_OPTION_COUNT; i++) set(&o, place_of((int)i), row[i]);
  return o;
}

void pl_options_keep(plOptions* options, const plOptions* own) {
  for (int i = 0; i < PL_OPTION_COUNT; i++) {
    Place at = place_of(i);
    if (at.key->no_result) set(options, at, get(own, at));
  }
}

bool pl_option_is(int i, const char* name) {
  const plKey* key = place_of(i).key;
  if (!strcmp(name, "scheme")) return !strcmp(key->name, "theta") || !strcmp(key->name, "theta_vq");
  return !key->no_result && !strcmp(key->name, name);
}

uint64_t pl_options_hash(const plOptions* options, uint64_t h) {
  for (int i = 0; i < PL_OPTION_COUNT; i++) {
    double x = get(options, place_of(i));
    if (!place_of(i).key->no_result) h = pl_hash(h, &x, sizeof x);
  }
  return h;
}

// ---- checks

static bool allowed(const plKey* key, double x) {
  if (key->type == PL_KEY_BOOL) return true;
  if (key->type != PL_KEY_WORD) return pl_range_holds(&key->range, x);
  for (const plWord* word = key->words; word->name; word++)
    if (word->value == x) return true;
  return false;
}

plStatus pl_options_check(const plOptions* o, plError* error) {
  assert(o != NULL);
  for (int i = 0; i < PL_OPTION_COUNT; i++) {
    Place at = place_of(i);
    char expects[320];
    double x = get(o, at);
    if (allowed(at.key, x)) continue;
    return pl_fail(error, PL_ERROR_INPUT, "options.%s must be %s, got %g", at.key->name,
                   pl_key_expects(at.key, expects, sizeof expects), x);
  }
  // Beyond this the sum of the steps no longer grows.
  const double most = 1e15;
  if (o->duration / o->dt > most)
    return pl_fail(
        error, PL_ERROR_INPUT,
        "options.duration of %g s would take %g steps of dt = %g s, more than %g: choose a longer dt",
        o->duration, o->duration / o->dt, o->dt, most);
  if (o->contact_points > 0 && o->contact_points < 4)
    return pl_fail(error, PL_ERROR_INPUT,
                   "options.contact_points must be 0 (patches keep all their points) or 4 to 1000, got %d",
                   o->contact_points);
  return PL_OK;
}

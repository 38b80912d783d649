// A step that fails leaves every byte of the state as it was, however it fails; after it the simulation
// continues with the bits that it would have had without the failure.
#include "check.h"

#include "base/memory.h"
#include "base/random.h"
#include "pliant/pliant.h"

// A pendulum driven by a table, a slider with an effort limit, a soft block on the ground, held in a corner.
static const char scene[] =
    "pliant: 1\n"
    "options: {dt: 0.01}\n"
    "bodies:\n"
    "  - name: arm\n"
    "    mass: 1\n"
    "    com: [0.3, 0, 0]\n"
    "    inertia: [0.01, 0.01, 0.01]\n"
    "    joint:\n"
    "      name: hinge\n"
    "      kind: revolute\n"
    "      axis: [0, 1, 0]\n"
    "      pose: {position: [1, 0, 1]}\n"
    "      actuator: {kind: pd, kp: 20, kd: 2, times: [0, 1], values: [0, 1]}\n"
    "  - name: cart\n"
    "    mass: 2\n"
    "    inertia: [0.01, 0.01, 0.01]\n"
    "    joint:\n"
    "      name: rail\n"
    "      kind: prismatic\n"
    "      axis: [1, 0, 0]\n"
    "      pose: {position: [0, 2, 1]}\n"
    "      actuator: {kind: pd, kp: 50, kd: 5, effort: 30, input: 0.1}\n"
    "deformables:\n"
    "  - {name: block, shape: box, size: [0.1, 0.1, 0.1], cells: [2, 2, 2], pose: {position: [0, 0, "
    "0.0499]}}\n"
    "shapes:\n"
    "  - {name: ground, shape: half_space}\n"
    "sensors:\n"
    "  - {name: tilt, kind: position, on: arm, noise: 0.01, delay: 0.02}\n"
    "  - {name: push, kind: contact, on: block, noise: 0.1}\n";

typedef struct Run {
  plSpec* spec;
  const plModel* model;
  plData* data;
} Run;

static plError error;

static Run start(const char* text, const char* key, const char* value) {
  plOverride set = {key, value};
  plLoadOptions options = {.overrides = &set, .noverride = key ? 1 : 0};
  Run r = {0};
  if (pl_spec_parse("fail.yaml", "", text, strlen(text), &options, &r.spec, &error))
    printf("%s:%d: %s\n", error.file, error.line, error.message);
  r.model = r.spec ? pl_model_create(r.spec, &error) : NULL;
  r.data = r.model ? pl_data_create(r.model, &error) : NULL;
  CHECK(r.data != NULL);
  if (!r.data) printf("%s\n", error.message), exit(1);
  return r;
}

static void stop(Run* r) { pl_data_destroy(r->data), pl_model_destroy(r->model), pl_spec_destroy(r->spec); }

static char* bytes_of(const plData* data, size_t* size) {
  *size = pl_state_size(data);
  char* bytes = malloc(*size);
  CHECK_INT(pl_state_get(data, bytes, *size, &error), PL_OK);
  return bytes;
}

// The step fails with that status, and no byte of the state is another.
static void fails(plData* data, plStatus expected, const char* way) {
  size_t size, now;
  char* before = bytes_of(data, &size);
  plStatus status = pl_step(data, &error);
  char* after = bytes_of(data, &now);
  if (status != expected || now != size || memcmp(before, after, size))
    printf("%s: %s\n", way, error.message);
  CHECK_INT(status, expected);
  CHECK_INT(data->report.status, expected);
  CHECK_INT(now, size);
  CHECK(now == size && !memcmp(before, after, size));
  CHECK(error.message[0] != 0);
  free(before), free(after);
}

enum { MOST_JOINTS = 4 };
typedef struct Results {
  plWrench wrench[MOST_JOINTS];
  plEnergyBudget budget;
  int ncontact, nimpulse;
} Results;

static plStatus results_of(const plData* data, Results* r) {
  memset(r, 0, sizeof *r);
  CHECK(data->model->njoint <= MOST_JOINTS);
  r->ncontact = data->ncontact, r->nimpulse = data->nimpulse;
  plStatus status = pl_joint_wrenches(data, r->wrench, NULL);
  CHECK_INT(pl_energy_budget(data, 0, &r->budget), status);
  return status;
}

// ---- the user's callback

typedef enum Deed { CANCEL, NAN_U, NAN_FORCE, INFINITE_WRENCH, NAN_Q, INFINITE_V, NAN_TIME, DEEDS } Deed;

// Writes everywhere a callback may write, then does the deed.
static plStatus meddle(plData* data, void* user) {
  const plModel* model = data->model;
  Deed deed = *(const Deed*)user;
  static const int corner[] = {0, 1};
  for (int i = 0; i < model->nu; i++) data->u[i] = 0.25 + i;
  for (int i = 0; i < model->nv; i++) data->f_user[i] = 0.01 * i;
  for (int b = 0; b < model->nbody; b++) data->f_body[b].force.z = 3;
  pl_switch_set(data, PL_SWITCH_SHAPE, 0, false, NULL);
  pl_attach(data, 0, corner, 2, -1, NULL, NULL);
  plStatus set = pl_parameter_set(data, "block.material.young", 12345, &error);
  if (set) printf("%s\n", error.message);
  CHECK_INT(set, PL_OK);
  data->q[0] += 0.125, data->v[0] -= 1;
  if (deed == NAN_U) data->u[0] = NAN;
  if (deed == NAN_FORCE) data->f_user[model->nv - 1] = NAN;
  if (deed == INFINITE_WRENCH) data->f_body[1].moment.y = INFINITY;
  if (deed == NAN_Q) data->q[0] = NAN;
  if (deed == INFINITE_V) data->v[model->nv_rigid] = -INFINITY;
  if (deed == NAN_TIME) data->time = NAN;
  return deed == CANCEL ? PL_ERROR_CANCELLED : PL_OK;
}

static void what_a_callback_wrote_is_taken_back(void) {
  static const char* const name[DEEDS] = {[NAN_U] = "u of actuator",
                                          [NAN_FORCE] = "f_user of 'block' vertex 26",
                                          [INFINITE_WRENCH] = "f_body of body 'cart' is inf",
                                          [NAN_Q] = "q of joint 'hinge' is nan",
                                          [INFINITE_V] = "v of 'block' vertex 0 is -inf",
                                          [NAN_TIME] = "time"};
  Run r = start(scene, NULL, NULL), other = start(scene, NULL, NULL);
  for (int i = 0; i < 3; i++) {
    CHECK_INT(pl_step(r.data, &error), PL_OK);
    CHECK_INT(pl_step(other.data, &error), PL_OK);
  }
  for (int deed = 0; deed < DEEDS; deed++) {
    Deed it = (Deed)deed;
    Results before, after;
    CHECK_INT(results_of(r.data, &before), PL_OK);
    pl_data_set_control(r.data, meddle, &it);
    fails(r.data, deed == CANCEL ? PL_ERROR_CANCELLED : PL_ERROR_NOT_FINITE, "callback");
    if (name[deed]) CHECK_HAS(error.message, name[deed]);
    if (deed != CANCEL) CHECK_HAS(error.message, "control callback");
    // nothing was computed: the results are those of the step before
    CHECK_INT(results_of(r.data, &after), PL_OK);
    CHECK(!memcmp(&before, &after, sizeof before));
    pl_data_set_control(r.data, NULL, NULL);
    CHECK(r.data->par->deform_material[0].young == other.data->par->deform_material[0].young);
    CHECK_INT(pl_step(r.data, &error), PL_OK);
    CHECK_INT(pl_step(other.data, &error), PL_OK);
    CHECK(pl_state_hash(r.data) == pl_state_hash(other.data));
  }
  stop(&r), stop(&other);
}

// The step that calls it still needs the state: it is neither stepped nor replaced meanwhile.
typedef enum Way { STEP, ADVANCE, SET, LOAD, COPY, WAYS } Way;
typedef struct Swap {
  Way way;
  bool cancel;
  const char* bytes;
  size_t size;
  const plData* other;
  plStatus status;
} Swap;

static plStatus swap_state(plData* data, void* user) {
  Swap* s = user;
  plError inner = {0};
  if (s->way == STEP) s->status = pl_step(data, &inner);
  if (s->way == ADVANCE) s->status = pl_advance(data, data->time + 0.05, 1e-4, NULL, &inner);
  if (s->way == SET) s->status = pl_state_set(data, s->bytes, s->size, &inner);
  if (s->way == LOAD) s->status = pl_state_load(data, "test_fail.state", &inner);
  if (s->way == COPY) s->status = pl_data_copy(data, s->other, &inner);
  CHECK_HAS(inner.message, "a control callback cannot");
  return s->cancel ? PL_ERROR_CANCELLED : PL_OK;
}

static void a_callback_does_not_replace_the_state(void) {
  Run r = start(scene, NULL, NULL), other = start(scene, NULL, NULL);
  size_t size;
  char* bytes = bytes_of(r.data, &size);
  static const int corner[] = {0, 1};
  CHECK_INT(pl_state_save(r.data, "test_fail.state", &error), PL_OK);
  CHECK_INT(pl_attach(r.data, 0, corner, 2, -1, NULL, &error), PL_OK);
  CHECK_INT(pl_attach(other.data, 0, corner, 2, -1, NULL, &error), PL_OK);
  Run early = {.data = pl_data_create(r.model, &error)};
  for (int k = 0; k < 2 * WAYS; k++) {
    Swap swap = {.way = (Way)(k / 2), .cancel = k % 2, .bytes = bytes, .size = size, .other = early.data};
    pl_data_set_control(r.data, swap_state, &swap);
    if (swap.cancel) {
      fails(r.data, PL_ERROR_CANCELLED, "state replaced");
    } else {
      CHECK_INT(pl_step(r.data, &error), PL_OK);
      CHECK_INT(pl_step(other.data, &error), PL_OK);
    }
    CHECK_INT(swap.status, PL_ERROR_INPUT);
    CHECK(pl_state_hash(r.data) == pl_state_hash(other.data));
  }
  remove("test_fail.state"), free(bytes), pl_data_destroy(early.data);
  stop(&r), stop(&other);
}

// ---- a state that is not finite

static void numbers_that_are_not_finite_are_refused_by_name(void) {
  Run r = start(scene, NULL, NULL);
  plData* data = r.data;
  const plModel* model = r.model;
  CHECK_INT(pl_step(data, &error), PL_OK);
  struct {
    double* at;
    const char* name;
  } place[] = {{&data->q[0], "q of joint 'hinge'"},
               {&data->q[1], "q of joint 'rail'"},
               {&data->q[model->deform_q0[0] + 5], "q of 'block' vertex 1"},
               {&data->v[1], "v of joint 'rail'"},
               {&data->v[model->nv - 1], "v of 'block' vertex 26"},
               {&data->u[0], "u of actuator"},
               {&data->f_user[0], "f_user of joint 'hinge'"},
               {&data->f_user[model->deform_v0[0]], "f_user of 'block' vertex 0"},
               {&data->f_body[0].force.x, "f_body of body 'arm'"},
               {&data->f_body[1].moment.z, "f_body of body 'cart'"},
               {&data->time, "time"}};
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof place / sizeof *place; i++)
    for (int k = 0; k < 3; k++) {
      double kept = *place[i].at;
      *place[i].at = bad[k];
      fails(data, PL_ERROR_NOT_FINITE, place[i].name);
      CHECK_HAS(error.message, place[i].name);
      CHECK(data->report.where[0] != 0);
      *place[i].at = kept;
    }
  CHECK_INT(pl_step(data, &error), PL_OK);
  stop(&r);
}

// Vertices are attached where they are. A position that is not finite is refused: nothing is added or
// switched on.
static void nothing_is_attached_where_q_is_not_finite(void) {
  static const char two[] =
      "pliant: 1\ndeformables:\n"
      "  - {name: one, shape: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}\n"
      "  - {name: two, shape: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1], pose: {position: [0, 0, 0.1]}}\n"
      "attachments: [{name: off, deformable: one, to: two, region: {indices: [0, 1]}, off: true}]\n";
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  static const int vert[] = {0, 3};
  Run r = start(two, NULL, NULL);
  plRandom random = {5};
  for (int trial = 0; trial < 60; trial++) {
    double *at = &r.data->q[pl_random_int(&random, r.model->nq)], kept = *at;
    int id = -7, n = r.data->nattach;
    *at = bad[trial % 3];
    CHECK_INT(pl_attach(r.data, 0, vert, 2, -1, &id, &error), PL_ERROR_NOT_FINITE);
    CHECK_INT(pl_attach_deformable(r.data, trial % 2, vert, 2, 1 - trial % 2, &id, &error),
              PL_ERROR_NOT_FINITE);
    CHECK_INT(pl_attachment_set(r.data, 0, true, &error), PL_ERROR_NOT_FINITE);
    CHECK_HAS(error.message, "q holds NaN or infinity");
    CHECK(id == -7 && r.data->nattach == n && !r.data->attach[0].on);
    *at = kept;
  }
  CHECK_INT(pl_attach_deformable(r.data, 0, vert, 2, 1, NULL, &error), PL_OK);
  CHECK_INT(pl_attachment_set(r.data, 0, true, &error), PL_OK);
  CHECK_INT(pl_step(r.data, &error), PL_OK);
  stop(&r);
}

// ---- the stages' own failures

static void run_out_of_memory(const char* key, const char* value) {
  Run good = start(scene, key, value);
  for (int i = 0; i < 2; i++) CHECK_INT(pl_step(good.data, &error), PL_OK);
  int failures = 0;
  for (long n = 0; n < 4000; n++) {
    Run r = start(scene, key, value);
    size_t size, now;
    char* before = bytes_of(r.data, &size);
    pl_alloc_fail_after(n);
    plStatus status = pl_step(r.data, &error);
    pl_alloc_fail_after(-1);
    if (status) {
      failures++;
      CHECK_INT(status, PL_ERROR_MEMORY);
      char* after = bytes_of(r.data, &now);
      CHECK(now == size && !memcmp(before, after, size));
      free(after);
    }
    free(before);
    for (int i = status ? 0 : 1; i < 2; i++) CHECK_INT(pl_step(r.data, &error), PL_OK);
    CHECK(pl_state_hash(r.data) == pl_state_hash(good.data));
    stop(&r);
    if (!status) break;
  }
  CHECK(failures > 10);
  stop(&good);
}

static void memory_that_runs_out_changes_nothing(void) {
  run_out_of_memory(NULL, NULL);
  run_out_of_memory("options.accuracy", "1e-3");
  run_out_of_memory("deformables.block.material.kind", "neo_hookean");
}

// One iteration per solve is not enough for the convex law; rounds of Coulomb's law have one each.
static void solves_that_do_not_converge_change_nothing(void) {
  Run r = start(scene, "options.max_iterations", "1");
  plOptions o = r.data->par->options;
  o.contact_law = PL_LAW_CONE;
  CHECK_INT(pl_options_set(r.data, &o, &error), PL_OK);
  for (int i = 0; i < 20 && !pl_step(r.data, &error); i++) {
  }
  fails(r.data, PL_ERROR_NOT_CONVERGED, "iterations");
  stop(&r);
}

static void an_explicit_scheme_beyond_its_limit_changes_nothing(void) {
  Run r = start(scene, "options.scheme", "symplectic_euler");
  fails(r.data, PL_ERROR_UNSTABLE, "scheme");
  fails(r.data, PL_ERROR_UNSTABLE, "scheme");
  stop(&r);
}

static void motion_beyond_all_numbers_changes_nothing(void) {
  for (int kind = 0; kind < 2; kind++) {
    Run r = start(scene, NULL, NULL);
    CHECK_INT(pl_step(r.data, &error), PL_OK);
    if (kind == 0)
      r.data->f_user[r.model->deform_v0[0]] = 1e308, r.data->f_user[r.model->deform_v0[0] + 3] = -1e308;
    else
      r.data->v[0] = 1e308;
    size_t size;
    char* before = bytes_of(r.data, &size);
    plStatus status = pl_step(r.data, &error);
    CHECK(status != PL_OK);
    char* after = malloc(size);
    CHECK_INT(pl_state_get(r.data, after, size, &error), PL_OK);
    CHECK(!memcmp(before, after, size));
    free(before), free(after);
    stop(&r);
  }
}

// ---- each sentence

// A press that comes down at t = 1 s, faster than anything below it can leave.
static const char press[] =
    "  - name: press\n"
    "    shape: box\n"
    "    size: [0.1, 0.1, 0.1]\n"
    "    cells: [1, 1, 1]\n"
    "    pose: {position: [0, 0, 0.3]}\n"
    "    fixed: [{region: {shape: all}, motion: [{time: 1, offset: [0, 0, 0]}, {time: 1.05, offset: [0, 0, "
    "-10]}]}]\n";

static void set_options(plData* data, const plOptions* o) {
  CHECK_INT(pl_options_set(data, o, &error), PL_OK);
}
static void set_number(plData* data, const char* path, double value) {
  plStatus status = pl_parameter_set(data, path, value, &error);
  if (status) printf("%s\n", error.message);
  CHECK_INT(status, PL_OK);
}
static void press_down(plData* data) { data->time = 1; }
static void press_down_by_midpoint(plData* data) {
  plOptions o = data->par->options;
  o.theta = o.theta_vq = 0.5, set_options(data, &o), data->time = 1;
}
static void ask_for_too_much(plData* data) {
  plOptions o = data->par->options;
  o.accuracy = 1e-15, o.dt = 0.05, set_options(data, &o);
  for (int i = 0; i < data->model->nv; i++) data->v[i] += 3 * sin(i);
}
static void pull_a_vertex(plData* data) { data->f_user[data->model->deform_v0[0]] = 1e12; }
static void pull_all(plData* data) {
  CHECK_INT(pl_switch_set(data, PL_SWITCH_SHAPE, 0, false, &error), PL_OK);
  for (int i = data->model->deform_v0[0]; i < data->model->deform_v0[1]; i += 3) data->f_user[i] = 1e12;
}
static void pull_a_joint(plData* data) { data->f_user[0] = 1e12; }
static void stiffen(plData* data) { set_number(data, "block.material.young", 1e29); }
static void allow_one_iteration(plData* data) {
  plOptions o = data->par->options;
  o.max_iterations = 1, set_options(data, &o);
  for (int i = data->model->nv_rigid; i < data->model->nv; i++) data->v[i] += 3 * sin(i);
}
static void be_explicit(plData* data) {
  plOptions o = data->par->options;
  o.theta = 0, set_options(data, &o);
}

static const struct {
  const char* material;
  void (*disturb)(plData* data);
  plStatus status;
  const char* sentence;
} ways[] = {
    {"linear_corotated", press_down, PL_ERROR_PASSAGE, "'block' would pass through 'press'"},
    {"neo_hookean", press_down, PL_ERROR_PASSAGE, "would pass through"},
    {"linear_corotated", press_down_by_midpoint, PL_ERROR_PASSAGE, "would pass through"},
    {"linear_corotated", ask_for_too_much, PL_ERROR_NOT_CONVERGED, "does not reach options.accuracy"},
    {"linear_corotated", pull_all, PL_ERROR_NOT_FINITE, "would move faster than"},
    {"neo_hookean", pull_a_vertex, PL_ERROR_INDEFINITE, "is not positive definite"},
    {"linear_corotated", pull_a_joint, PL_ERROR_NOT_FINITE, "joint 'hinge' would move"},
    {"linear_corotated", stiffen, PL_ERROR_UNSTABLE, "too stiff for double precision"},
    {"linear_corotated", allow_one_iteration, PL_ERROR_NOT_CONVERGED, "not converged after 1 iteration"},
    {"neo_hookean", allow_one_iteration, PL_ERROR_NOT_CONVERGED, "the coupled momentum balance of 'block'"},
    {"linear_corotated", be_explicit, PL_ERROR_UNSTABLE, "stability limit"},
};

// The step fails with that sentence and changes nothing. Contacts, forces and budgets, of which some are
// those of the attempt, are gone. What is kept from step to step beside the state is not disturbed either:
// with the former state the run continues with the bits of one that never failed.
static void each_way_to_fail_changes_nothing(void) {
  char text[4096];
  const char* at = strstr(scene, "shapes:\n");
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - scene), scene, press, at);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    Run r = start(text, "deformables.block.material.kind", ways[i].material),
        other = start(text, "deformables.block.material.kind", ways[i].material);
    for (int k = 0; k < 3; k++) CHECK(!pl_step(r.data, &error) && !pl_step(other.data, &error));
    size_t size;
    char* before = bytes_of(r.data, &size);
    ways[i].disturb(r.data);
    fails(r.data, ways[i].status, ways[i].sentence);
    CHECK_HAS(error.message, ways[i].sentence);
    Results after;
    CHECK_INT(results_of(r.data, &after), PL_ERROR_INPUT);
    CHECK_INT(after.ncontact + after.nimpulse, 0);
    CHECK_INT(pl_state_set(r.data, before, size, &error), PL_OK);
    for (int k = 0; k < 3; k++) CHECK(!pl_step(r.data, &error) && !pl_step(other.data, &error));
    CHECK(pl_state_hash(r.data) == pl_state_hash(other.data));
    free(before);
    stop(&r), stop(&other);
  }
}

// ---- any way

// Random options, speeds, forces and inputs, up to some that no step can take: whichever stage fails, no byte
// is another, and the step that is tried again fails the same way.
static void random_failures_change_nothing(void) {
  static const plContactLaw laws[] = {PL_LAW_CONE, PL_LAW_COULOMB, PL_LAW_SIMILAR};
  static const char* const kinds[] = {"linear_corotated", "neo_hookean"};
  static const int iterations[] = {1, 2, 3, 6, 12};
  enum { trials = CHECK_MEMBERS(100) };
  int count[PL_STATUS_COUNT] = {0}, failures = 0;
  plRandom random = {17};
  for (int trial = 0; trial < trials; trial++) {
    Run r = start(scene, "deformables.block.material.kind", kinds[trial % 2]);
    plOptions o = r.data->par->options;
    o.dt = pow(10, pl_random(&random, -3, -0.3));
    o.contact_law = laws[pl_random_int(&random, 3)];
    o.theta = trial % 6 ? 1 - 0.5 * pl_random_int(&random, 2) : 0,
    o.theta_vq = pl_random_int(&random, 2) ? 1 : 0.5;
    o.max_iterations = iterations[pl_random_int(&random, 5)];
    o.coulomb_strict = pl_random_int(&random, 2);
    o.accuracy = pl_random_int(&random, 6) ? 0 : pow(10, pl_random(&random, -4, -1));
    CHECK_INT(pl_options_set(r.data, &o, &error), PL_OK);
    double fast = pow(10, pl_random(&random, -4, 4));
    double strong = pow(10, trial % 4 ? pl_random(&random, -4, 12) : pl_random(&random, 12, 300));
    for (int i = 0; i < r.model->nv; i++) r.data->v[i] = fast * pl_random(&random, -1, 1);
    for (int i = 0; i < r.model->nv; i++) r.data->f_user[i] = strong * pl_random(&random, -1, 1);
    for (int i = 0; i < r.model->nu; i++) r.data->u[i] = pl_random(&random, -1, 1);
    r.data->f_body[1].force.y = strong;
    for (int k = 0; k < 4; k++) {
      size_t size;
      char* before = bytes_of(r.data, &size);
      plStatus status = pl_step(r.data, &error);
      count[status]++;
      if (status) {
        size_t now;
        char* after = bytes_of(r.data, &now);
        if (now != size || memcmp(before, after, size))
          check_errors++, printf("trial %d, step %d: %s\n", trial, k, error.message);
        free(after);
        fails(r.data, status, "again");
        failures++, k = 4;
      }
      free(before);
    }
    stop(&r);
  }
  for (int k = 0; k < PL_STATUS_COUNT; k++)
    if (count[k]) printf("  %s: %d\n", pl_status_name((plStatus)k), count[k]);
  CHECK(failures > trials / 3 && count[PL_OK] > 0);
  CHECK(count[PL_ERROR_NOT_CONVERGED] && count[PL_ERROR_NOT_FINITE] && count[PL_ERROR_UNSTABLE]);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(what_a_callback_wrote_is_taken_back);
  RUN(a_callback_does_not_replace_the_state);
  RUN(numbers_that_are_not_finite_are_refused_by_name);
  RUN(nothing_is_attached_where_q_is_not_finite);
  RUN(memory_that_runs_out_changes_nothing);
  RUN(solves_that_do_not_converge_change_nothing);
  RUN(an_explicit_scheme_beyond_its_limit_changes_nothing);
  RUN(motion_beyond_all_numbers_changes_nothing);
  RUN(each_way_to_fail_changes_nothing);
  RUN(random_failures_change_nothing);
  return CHECK_END;
}

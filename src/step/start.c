// start.c: describes, on request, violations at the start that the constraints will correct: joints outside
// their limits, bodies that overlap, constraints that are not satisfied.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "contact/contact.h"
#include "math/pose.h"
#include "model/joint_kinds.h"
#include "step/step.h"

enum { NAMED = 8 };  // joints and pairs that get a sentence; the others are counted

typedef struct Voice {
  plWarn* warn;
  void* user;
  int n;
} Voice;

static const char* plain_name(const char* name) {
  const char* slash = strrchr(name, '/');
  return slash ? slash + 1 : name;
}

// A joint of one degree of freedom outside its limits, and an admissible start.
static void describe_limit(const plModel* model, const plData* data, int dof, Voice* voice) {
  int joint = model->dof_joint[dof];
  double q = data->q[model->dof_q[dof]], lower = data->par->dof_lower[dof], upper = data->par->dof_upper[dof];
  double out = fmax(lower - q, q - upper);
  if (!(out > 1e-9 * (1 + fabs(q))) || model->dof_locked[dof] || !data->on[PL_SWITCH_LIMIT][dof]) return;
  if (++voice->n > NAMED) return;
  bool slides = pl_joint_is_length(model->joint_kind[joint], dof - model->joint_v0[joint]);
  double middle = isfinite(lower) && isfinite(upper) ? 0.5 * (lower + upper)
                  : isfinite(lower)                  ? lower
                                                     : upper;
  char text[512];
  snprintf(text, sizeof text,
           "joint '%s' starts at %.4g %s, outside its limits %.4g to %.4g, and returns at %g %s at most "
           "(options.%s); `joints: [{name: %s, position: %.4g}]` starts it inside",
           model->joint_name[joint], q, slides ? "m" : "rad", lower, upper,
           slides ? data->par->options.push_out_speed : data->par->options.push_out_turn,
           slides ? "m/s" : "rad/s", slides ? "push_out_speed" : "push_out_turn",
           plain_name(model->joint_name[joint]), middle);
  voice->warn(voice->user, text);
}

typedef struct Overlap {
  plSide a, b;
  double depth;
} Overlap;

// The pairs of work->point that overlap by more than one step corrects, the deepest first; returns their
// number.
static int list_overlaps(const plData* data, Overlap* list) {
  const plWork* work = data->work;
  double least = 2 * data->par->options.dt * data->par->options.push_out_speed;
  int n = 0;
  for (int i = 0; i < work->npoint; i++) {
    const plContactPoint* p = &work->point[i];
    plSide a = pl_contact_side(&p->a), b = pl_contact_side(&p->b);
    int k = 0;
    if (!(-p->gap > least)) continue;
    while (k < n && !(pl_side_equal(list[k].a, a) && pl_side_equal(list[k].b, b))) k++;
    assert(k < data->work->npoint);
    if (k == n) list[n++] = (Overlap){a, b, 0};
    list[k].depth = fmax(list[k].depth, -p->gap);
  }
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && list[k].depth > list[k - 1].depth; k--) {
      Overlap swap = list[k];
      list[k] = list[k - 1], list[k - 1] = swap;
    }
  return n;
}

static plStatus describe_overlaps(const plModel* model, plData* data, Voice* voice) {
  plStatus status = pl_step_kinematics(model, data);
  if (!status) status = pl_step_contacts(model, data);
  Overlap* list = status ? NULL : PL_ARENA_NEW(&data->work->step, Overlap, data->work->npoint + 1);
  if (!list) return status ? status : PL_ERROR_MEMORY;
  int n = list_overlaps(data, list);
  for (int i = 0; i < n && i < NAMED; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "'%s' and '%s' overlap by %.3g mm at the start and separate at %g m/s at most "
             "(options.push_out_speed)",
             pl_side_name(model, list[i].a), pl_side_name(model, list[i].b), 1e3 * list[i].depth,
             data->par->options.push_out_speed);
    voice->warn(voice->user, text);
  }
  voice->n = n;
  return PL_OK;
}

// Pairs of that search that contact cannot separate.
static void describe_deep(const plModel* model, const plData* data, Voice* voice) {
  plSide a, b;
  for (int k = 0; pl_contact_deep_pair(data, k, &a, &b); k++) {
    char text[512];
    if (++voice->n > NAMED) continue;
    snprintf(text, sizeof text,
             "'%s' starts inside %s%s%s, deeper than a body is thick there: contact ignores such overlaps",
             pl_side_name(model, a), pl_side_equal(a, b) ? "itself" : "'",
             pl_side_equal(a, b) ? "" : pl_side_name(model, b), pl_side_equal(a, b) ? "" : "'");
    voice->warn(voice->user, text);
  }
}

// The violation of a constraint between bodies or joints: m or rad; *turn: rad of a weld.
static double open_by(const plModel* model, const plData* data, const plConstraintDef* c, double* turn) {
  *turn = 0;
  if (c->kind == PL_CONSTRAINT_COUPLER) {
    double a = data->q[model->joint_q0[c->a]], b = data->q[model->joint_q0[c->b]];
    return fabs(a - c->ratio * b - c->offset);
  }
  if (c->kind > PL_CONSTRAINT_DISTANCE || c->ntime || c->amplitude != 0) return 0;
  plPose a = pose_mul(pl_body_pose(data, c->a), c->pose_a), b = pose_mul(pl_body_pose(data, c->b), c->pose_b);
  double distance = v3_norm(v3_sub(b.p, a.p));
  if (c->kind == PL_CONSTRAINT_WELD) *turn = v3_norm(quat_log(quat_mul(b.q, quat_conj(a.q))));
  if (c->kind != PL_CONSTRAINT_DISTANCE) return distance;
  double g = distance - c->length;
  if (!isfinite(c->lower) && !isfinite(c->upper)) return fabs(g);
  return fmax(0, fmax(c->lower - g, g - c->upper));
}

static void describe_constraints(const plModel* model, const plData* data, Voice* voice) {
  const plOptions* o = &data->par->options;
  for (int i = 0; i < model->nconstraint; i++) {
    const plConstraintDef* c = &model->constraint[i];
    double turn = 0, open = 0;
    // a spring may have any length
    if (data->on[PL_SWITCH_CONSTRAINT][i] && !isfinite(c->stiffness)) open = open_by(model, data, c, &turn);
    bool joints = c->kind == PL_CONSTRAINT_COUPLER;
    if (!(open > 2 * o->dt * o->push_out_speed) && !(turn > 2 * o->dt * o->push_out_turn)) continue;
    if (++voice->n > NAMED) continue;
    char text[512], turned[40] = "";
    if (turn > 0) snprintf(turned, sizeof turned, " and %.3g rad", turn);
    snprintf(text, sizeof text,
             "the %s '%s' starts open by %.3g %s%s and closes at %g m/s or %g rad/s at most "
             "(options.push_out_speed, push_out_turn)",
             pl_constraint_kind_name(c->kind), c->name, joints ? open : 1e3 * open,
             joints ? "m or rad" : "mm", turned, o->push_out_speed, o->push_out_turn);
    voice->warn(voice->user, text);
  }
}

static void count_others(const Voice* voice, const char* what) {
  char text[128];
  if (voice->n <= NAMED) return;
  snprintf(text, sizeof text, "and %d more %s", voice->n - NAMED, what);
  voice->warn(voice->user, text);
}

plStatus pl_describe_start(plData* data, plWarn* warn, void* user, plError* error) {
  assert(data != NULL);
  const plModel* model = data->model;
  plError own;
  Voice limits = {warn, user, 0}, overlaps = {warn, user, 0}, deep = {warn, user, 0}, open = {warn, user, 0};
  for (int i = 0; i < model->nv_rigid; i++)
    if (model->dof_q[i] >= 0) describe_limit(model, data, i, &limits);
  count_others(&limits, "joints start outside their limits");
  plReport report = data->report;
  data->work->error = error ? error : &own;
  pl_error_clear(data->work->error);
  pl_arena_reset(&data->work->step);
  plStatus status = describe_overlaps(model, data, &overlaps);
  data->report = report;
  if (!status) count_others(&overlaps, "pairs overlap at the start");
  if (!status) describe_deep(model, data, &deep);
  count_others(&deep, "pairs start inside each other");
  if (!status) describe_constraints(model, data, &open);
  count_others(&open, "constraints start open");
  return status;
}

// mjcf_damping.c: the inertia that an actuator of an MJCF file feels, from which its dampratio makes a
// damping.
//
// It is 1 / (J M^-1 J'), with J the derivative of the actuator's coordinate and M the mass matrix of the
// trees that it acts on, in the file's initial configuration.
#include <assert.h>
#include <math.h>

#include "base/error.h"
#include "input/mjcf.h"
#include "model/spec.h"

// A degree of freedom: bodies below it turn with w about p, or move with v.
typedef struct Dof {
  plVec3 w, v, p;
  double armature;
} Dof;

typedef struct Trees {
  const plSpec* spec;
  int* up;    // [nbody] the joint above a body, -1: none
  int* dof0;  // [njoint] first dof of a joint, -1: not part of the problem
  Dof* dof;   // [n]
  int n;
  double *M, *J, *x;  // [n n], [n], [n]
} Trees;

static int root_of(const Trees* t, int body) {
  while (t->up[body] >= 0 && t->spec->joint[t->up[body]].parent >= 0)
    body = t->spec->joint[t->up[body]].parent;
  return body;
}

static void add_dofs(Trees* t, int joint) {
  const plJointDef* def = &t->spec->joint[joint];
  plPose frame = pose_mul(pl_spec_body_pose(t->spec, def->child), def->child_pose);
  int n = pl_joint_nv(def->kind);
  t->dof0[joint] = t->n;
  for (int k = 0; k < n; k++) {
    const plDofDef* d = &def->dof[k];
    Dof* dof = &t->dof[t->n++];
    plVec3 unit = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2), axis = n == 1 ? v3_unit(def->axis) : unit;
    *dof = (Dof){.p = frame.p, .armature = d->armature + d->rotor_inertia * d->gear_ratio * d->gear_ratio};
    axis = quat_rotate(frame.q, axis);
    if (def->kind == PL_JOINT_PRISMATIC || (n == 6 && k < 3))
      dof->v = axis;
    else
      dof->w = axis;
  }
}

// The velocity that a dof gives a point of a body below it.
static plVec3 point_rate(const Dof* d, plVec3 p) { return v3_add(d->v, v3_cross(d->w, v3_sub(p, d->p))); }

// J += force . velocity of the point at p of a body + moment . its angular velocity
static void add_row(Trees* t, int body, plVec3 p, plVec3 force, plVec3 moment) {
  for (int joint; body >= 0 && (joint = t->up[body]) >= 0; body = t->spec->joint[joint].parent)
    for (int k = 0; k < pl_joint_nv(t->spec->joint[joint].kind) && t->dof0[joint] >= 0; k++) {
      const Dof* d = &t->dof[t->dof0[joint] + k];
      t->J[t->dof0[joint] + k] += v3_dot(force, point_rate(d, p)) + v3_dot(moment, d->w);
    }
}

static void add_mass(Trees* t, int body) {
  const plBodyDef* b = &t->spec->body[body];
  plPose pose = pl_spec_body_pose(t->spec, body);
  const double* I = b->inertia;
  plSym3 inertia = sym3_rotate(quat_matrix(pose.q), (plSym3){I[0], I[1], I[2], I[3], I[4], I[5]});
  plVec3 c = pose_apply(pose, b->com);
  for (int at = body, i; at >= 0 && (i = t->up[at]) >= 0; at = t->spec->joint[i].parent)
    for (int k = 0; k < pl_joint_nv(t->spec->joint[i].kind); k++) {
      int row = t->dof0[i] + k;
      plVec3 p = v3_scale(b->mass, point_rate(&t->dof[row], c)), h = sym3_mulv(inertia, t->dof[row].w);
      for (int to = body, j; to >= 0 && (j = t->up[to]) >= 0; to = t->spec->joint[j].parent)
        for (int l = 0; l < pl_joint_nv(t->spec->joint[j].kind); l++) {
          int col = t->dof0[j] + l;
          t->M[row * t->n + col] += v3_dot(p, point_rate(&t->dof[col], c)) + v3_dot(h, t->dof[col].w);
        }
    }
}

// J M^-1 J' by the factor L L' of M: |L^-1 J|^2
static double mobility(Trees* t) {
  int n = t->n;
  double sum = 0, *L = t->M;
  for (int i = 0; i < n; i++) {
    double x = t->J[i];
    for (int j = 0; j <= i; j++) {
      double s = L[i * n + j];
      for (int k = 0; k < j; k++) s -= L[i * n + k] * L[j * n + k];
      if (j < i)
        L[i * n + j] = s / L[j * n + j], x -= L[i * n + j] * t->x[j];
      else if (s > 0)
        L[i * n + i] = sqrt(s);
      else
        return 0;  // nothing moves with this dof
    }
    t->x[i] = x / L[i * n + i], sum += t->x[i] * t->x[i];
  }
  return sum;
}

static void fill_row(Trees* t, const plActuatorDef* def) {
  const plSpec* spec = t->spec;
  if (!def->nsite)
    for (int k = 0; k < (def->njoint ? def->njoint : 1); k++)
      t->J[t->dof0[def->njoint ? def->tendon[k] : def->joint]] +=
          def->gear * (def->njoint ? def->coefficient[k] : 1);
  for (int k = 0; k < def->nsite; k++) {
    const plSiteDef* s = &spec->site[def->site[k]];
    plPose at = s->body < 0 ? s->pose : pose_mul(pl_spec_body_pose(spec, s->body), s->pose);
    const double* w = def->wrench;
    plVec3 none = {0, 0, 0};
    if (def->nsite == 1)
      add_row(t, s->body, at.p, quat_rotate(at.q, v3(w[0], w[1], w[2])),
              quat_rotate(at.q, v3(w[3], w[4], w[5])));
    if (k + 1 == def->nsite) break;
    const plSiteDef* next = &spec->site[def->site[k + 1]];
    plVec3 p = next->body < 0 ? next->pose.p : pose_apply(pl_spec_body_pose(spec, next->body), next->pose.p),
           e = v3_sub(p, at.p);
    double length = v3_norm(e);
    if (!(length > 0)) continue;
    e = v3_scale(def->gear / length, e);
    add_row(t, s->body, at.p, v3_neg(e), none), add_row(t, next->body, p, e, none);
  }
}

static bool acts_on(const Trees* t, const plActuatorDef* def, int root) {
  for (int k = 0; k < def->nsite; k++) {
    int body = t->spec->site[def->site[k]].body;
    if (body >= 0 && root_of(t, body) == root) return true;
  }
  for (int k = 0; !def->nsite && k < (def->njoint ? def->njoint : 1); k++)
    if (root_of(t, t->spec->joint[def->njoint ? def->tendon[k] : def->joint].child) == root) return true;
  return false;
}

plStatus pl_mjcf_felt_inertia(plMjcf* m, const plActuatorDef* def, double* inertia) {
  const plSpec* spec = m->robot->spec;
  plArena* arena = &m->robot->tree.arena;
  int n = 0;
  Trees t = {.spec = spec};
  *inertia = 0;
  t.up = PL_ARENA_NEW(arena, int, spec->nbody), t.dof0 = PL_ARENA_NEW(arena, int, spec->njoint);
  bool* part = PL_ARENA_NEW(arena, bool, spec->nbody);
  if (arena->failed) return pl_fail_out_of_memory(m->robot->error, 64);
  for (int i = 0; i < spec->nbody; i++) t.up[i] = -1;
  for (int j = 0; j < spec->njoint; j++) {
    t.dof0[j] = -1;
    if (j >= m->joint0) t.up[spec->joint[j].child] = j;
  }
  for (int i = 0; i < spec->nbody; i++) part[i] = acts_on(&t, def, root_of(&t, i));
  for (int j = m->joint0; j < spec->njoint; j++)
    if (part[spec->joint[j].child]) n += pl_joint_nv(spec->joint[j].kind);
  t.dof = PL_ARENA_NEW(arena, Dof, n), t.J = PL_ARENA_NEW(arena, double, n),
  t.x = PL_ARENA_NEW(arena, double, n), t.M = PL_ARENA_NEW(arena, double, (size_t)n*(size_t)n);
  if (arena->failed) return pl_fail_out_of_memory(m->robot->error, (size_t)n * (size_t)n * sizeof(double));
  for (int j = m->joint0; j < spec->njoint; j++)
    if (part[spec->joint[j].child]) add_dofs(&t, j);
  for (int i = 0; i < n; i++) t.J[i] = 0;
  for (int i = 0; i < n * n; i++) t.M[i] = 0;
  for (int i = 0; i < spec->nbody; i++)
    if (part[i]) add_mass(&t, i);
  for (int i = 0; i < n; i++) t.M[i * n + i] += t.dof[i].armature;
  fill_row(&t, def);
  double w = mobility(&t);
  if (w > 0) *inertia = 1 / w;
  return PL_OK;
}

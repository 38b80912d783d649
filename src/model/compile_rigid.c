// compile_rigid.c: bodies and joints of the spec -> a forest of nodes (tree.h) and the model's arrays.
//
// A body is carried by its joints. Each moving joint becomes one to three nodes; fixed ones only shift the
// frame, so that welded bodies share a node. The inertia of a body is added to the node that carries it, at
// its position there.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "math/spatial.h"
#include "model/joint_kinds.h"
#include "model/spec.h"
#include "model/work.h"

// Data of the compilation.
typedef struct Build {
  const plSpec* spec;
  plModel* model;
  plNodeDef* node;  // [nnode]
  int* node_joint;  // [nnode] joint of the model
  int nnode;
  int* first_joint;  // [nbody] the body's first joint in the spec, -1: none
  int* next_joint;   // [njoint of the spec] the next one of the same child
  int* joint_node;   // [njoint of the model] first node, -1: none
  int* order;        // [nbody] parents first
} Build;

// ---- order

// Orders bodies with their parents first, depth first: the links of a chain are consecutive. False if joints
// form a loop.
static bool sort_bodies(Build* b, int* child0, int* sibling, int* stack) {
  const plSpec* spec = b->spec;
  int n = spec->nbody, roots = -1, top = 0, count = 0;
  for (int i = 0; i < n; i++) child0[i] = -1;
  for (int i = n - 1; i >= 0; i--) {
    int joint = b->first_joint[i], parent = joint < 0 ? -1 : spec->joint[joint].parent;
    int* list = parent < 0 ? &roots : &child0[parent];
    sibling[i] = *list, *list = i;
  }
  for (int i = roots; i >= 0; i = sibling[i]) {
    stack[top++] = i;
    while (top) {
      int body = stack[--top], first = top;
      assert(count < n);
      b->order[count++] = body;
      for (int c = child0[body]; c >= 0; c = sibling[c]) stack[top++] = c;
      // the first child comes off the stack first
      for (int low = first, high = top - 1; low < high; low++, high--) {
        int swap = stack[low];
        stack[low] = stack[high], stack[high] = swap;
      }
    }
  }
  return count == n;
}

static void list_joints(Build* b) {
  const plSpec* spec = b->spec;
  for (int i = 0; i < spec->nbody; i++) b->first_joint[i] = -1;
  for (int j = spec->njoint - 1; j >= 0; j--) {
    int child = spec->joint[j].child;
    b->next_joint[j] = b->first_joint[child];
    b->first_joint[child] = j;
  }
}

// ---- nodes

static void push_node(Build* b, int joint, int kind, plPose pose, plVec3 axis, double pitch, int parent,
                      const plDofDef* dof) {
  assert(b->nnode < b->spec->nbody + 3 * b->spec->njoint);
  plNodeDef* d = &b->node[b->nnode];
  *d = (plNodeDef){.parent = parent, .kind = kind, .pose = pose, .axis = axis, .pitch = pitch};
  for (int k = 0; k < pl_node_nv(kind); k++)
    d->armature[k] = dof[k].armature + dof[k].rotor_inertia * dof[k].gear_ratio * dof[k].gear_ratio;
  b->node_joint[b->nnode++] = joint;
}

// The nodes of one joint, F being at pose in the frame of node parent. Returns the last node.
static int push_joint(Build* b, int joint, const plJointDef* def, plPose pose, int parent) {
  const plJointInfo* info = &pl_joints[def->kind];
  const plDofDef* dof = def->dof;
  b->joint_node[joint] = b->nnode;
  for (int k = 0; k < info->nnode; k++) {
    int kind = info->node[k].kind;
    double pitch = kind == PL_NODE_SCREW ? pl_joint_pitch(def) : 0;
    push_node(b, joint, kind, pose, pl_joint_node_axis(def, k), pitch, parent, dof);
    parent = b->nnode - 1, pose = pose_identity(), dof += pl_node_nv(kind);
  }
  return b->nnode - 1;
}

// Adds a body's inertia and weight to the node that carries it.
static void add_inertia(Build* b, const plBodyDef* def, int node, plPose pose) {
  const double* I = def->inertia;
  plNodeDef* d = &b->node[node];
  plVec3 c = pose_apply(pose, def->com);
  plSym3 central = sym3_rotate(quat_matrix(pose.q), (plSym3){I[0], I[1], I[2], I[3], I[4], I[5]});
  d->inertia = inertia_add(d->inertia, inertia_of(def->mass, c, central));
  d->weight += def->gravity * def->mass;
  d->moment = v3_madd(d->moment, def->gravity * def->mass, c);
}

// The joint that a body without one gets.
static plJointDef free_joint(const plBodyDef* body, int child) {
  plJointDef def = pl_default_joint_def();
  def.name = body->name, def.kind = PL_JOINT_FREE, def.child = child;
  v3_store(def.position, body->pose.p);
  def.position[3] = body->pose.q.w, def.position[4] = body->pose.q.x, def.position[5] = body->pose.q.y,
  def.position[6] = body->pose.q.z;
  v3_store(def.velocity, body->velocity);
  v3_store(def.velocity + 3, body->angular_velocity);
  return def;
}

// Adds one body with its joints; earlier bodies in the order are complete.
static void place_body(Build* b, int body, int* njoint) {
  const plSpec* spec = b->spec;
  plModel* m = b->model;
  int joint = b->first_joint[body], parent = joint < 0 ? -1 : spec->joint[joint].parent;
  int node = parent < 0 ? -1 : m->body_node[parent];
  plPose pose = parent < 0 ? pose_identity() : m->body_pose[parent];
  m->body_parent[body] = parent;
  if (joint < 0) {
    plJointDef def = free_joint(&spec->body[body], body);
    m->joint_child[*njoint] = body, m->joint_parent[*njoint] = -1, m->joint_kind[*njoint] = PL_JOINT_FREE;
    node = push_joint(b, (*njoint)++, &def, pose_identity(), -1);
    pose = pose_identity();
  }
  for (; joint >= 0; joint = b->next_joint[joint]) {
    const plJointDef* def = &spec->joint[joint];
    m->joint_child[joint] = body, m->joint_parent[joint] = parent, m->joint_kind[joint] = def->kind;
    pose = pose_mul(pose, def->pose);
    if (def->kind != PL_JOINT_FIXED) {
      node = push_joint(b, joint, def, pose, node);
      pose = pose_identity();
    }
    pose = pose_mul(pose, pose_inverse(def->child_pose));
  }
  pose.q = quat_unit(pose.q);
  m->body_node[body] = node, m->body_pose[body] = pose;
  if (node >= 0) add_inertia(b, &spec->body[body], node, pose);
}

// ---- checks

// Every joint must move something with inertia; otherwise the mass matrix is singular at every configuration.
static plStatus check_masses(const Build* b, plInertia* carried, plError* error) {
  const plSpec* spec = b->spec;
  for (int i = b->nnode - 1; i >= 0; i--) {
    const plNodeDef* d = &b->node[i];
    int joint = b->node_joint[i];
    const char* name =
        joint < spec->njoint ? spec->joint[joint].name : spec->body[b->model->joint_child[joint]].name;
    const char* body = spec->body[b->model->joint_child[joint]].name;
    // mass and trace of the moments suffice here, because nothing is moved between frames
    double mass = d->inertia.m + carried[i].m,
           moment = d->inertia.I.xx + d->inertia.I.yy + d->inertia.I.zz + carried[i].I.xx;
    if (d->parent >= 0) carried[d->parent].m += mass, carried[d->parent].I.xx += moment + mass;
    bool turns = d->kind != PL_NODE_PRISMATIC;
    for (int k = 0; k < pl_node_nv(d->kind); k++) {
      bool translation = !turns || (d->kind == PL_NODE_FREE && k < 3);
      if (d->armature[k] > 0 || (translation ? mass > 0 : moment > 0)) continue;
      return pl_fail(error, PL_ERROR_INPUT,
                     "joint '%s' moves nothing that has %s; give the body '%s' (or one that it carries) %s, "
                     "weld it, or, where a "
                     "robot file has shapes for it, say inertia: from_shapes",
                     name, translation ? "mass" : "inertia", body,
                     translation ? "a mass" : "a mass and moments of inertia");
    }
    bool alone = carried[i].m == 0;
    plVec3 Ia = sym3_mulv(d->inertia.I, d->axis);
    if (alone && d->kind == PL_NODE_REVOLUTE && d->armature[0] == 0 && !(v3_dot(d->axis, Ia) > 0))
      return pl_fail(error, PL_ERROR_INPUT,
                     "joint '%s' turns the body '%s' about an axis without inertia; give it moments of "
                     "inertia or an armature",
                     name, body);
  }
  return PL_OK;
}

// ---- arrays

static plStatus allocate(plModel* m, const plSpec* spec, int njoint, plError* error) {
  plArena* arena = &m->work->arena;
  m->nbody = spec->nbody, m->njoint = njoint;
  m->body_name = PL_KEEP(arena, char*, m->nbody), m->work->par.body_mass = PL_KEEP(arena, double, m->nbody);
  m->work->par.body_com = PL_KEEP(arena, plVec3, m->nbody),
  m->work->par.body_inertia = PL_KEEP(arena, double, 6 * (size_t)m->nbody);
  m->body_parent = PL_KEEP(arena, int, m->nbody), m->body_node = PL_KEEP(arena, int, m->nbody),
  m->body_pose = PL_KEEP(arena, plPose, m->nbody);
  m->joint_name = PL_KEEP(arena, char*, njoint), m->joint_kind = PL_KEEP(arena, plJointKind, njoint);
  m->joint_parent = PL_KEEP(arena, int, njoint), m->joint_child = PL_KEEP(arena, int, njoint);
  m->joint_q0 = PL_KEEP(arena, int, njoint), m->joint_v0 = PL_KEEP(arena, int, njoint);
  m->work->par.body_gravity = PL_KEEP(arena, double, m->nbody),
  m->work->body_order = PL_KEEP(arena, int, m->nbody);
  m->work->joint_node = PL_KEEP(arena, int, njoint), m->work->joint_pose = PL_KEEP(arena, plPose, njoint);
  return arena->failed ? pl_fail_out_of_memory(error, (size_t)(m->nbody + njoint) * sizeof(plPose)) : PL_OK;
}

static plStatus allocate_dofs(plModel* m, plError* error) {
  plArena* arena = &m->work->arena;
  size_t n = (size_t)m->nv_rigid;
  m->dof_joint = PL_KEEP(arena, int, n), m->dof_q = PL_KEEP(arena, int, n),
  m->dof_locked = PL_KEEP(arena, bool, n);
  m->work->par.dof_lower = PL_KEEP(arena, double, n), m->work->par.dof_upper = PL_KEEP(arena, double, n),
  m->dof_effort = PL_KEEP(arena, double, n);
  m->dof_force_lower = PL_KEEP(arena, double, n), m->dof_force_upper = PL_KEEP(arena, double, n);
  m->dof_speed = PL_KEEP(arena, double, n), m->work->par.dof_damping = PL_KEEP(arena, double, n),
  m->work->par.dof_friction = PL_KEEP(arena, double, n);
  m->work->par.dof_stiffness = PL_KEEP(arena, double, n), m->work->par.dof_rest = PL_KEEP(arena, double, n);
  return arena->failed ? pl_fail_out_of_memory(error, n * sizeof(double)) : PL_OK;
}

static plStatus keep_name(plModel* m, const char* name, char** to, plError* error) {
  size_t length = strlen(name) + 1;
  *to = PL_KEEP(&m->work->arena, char, length);
  if (!*to) return pl_fail_out_of_memory(error, length);
  memcpy(*to, name, length);
  return PL_OK;
}

static void fill_dofs(plModel* m, int joint, const plJointDef* def) {
  for (int k = 0; k < pl_joint_nv(def->kind); k++) {
    int i = m->joint_v0[joint] + k;
    assert(i < m->nv_rigid);
    const plDofDef* d = &def->dof[k];
    bool single = !pl_joint_has_quaternion(def->kind), limited = single && !pl_joints[def->kind].unlimited;
    m->dof_joint[i] = joint, m->dof_q[i] = single ? m->joint_q0[joint] + k : -1,
    m->dof_locked[i] = def->locked;
    m->work->par.dof_lower[i] = limited ? d->lower : -INFINITY,
    m->work->par.dof_upper[i] = limited || (def->kind == PL_JOINT_BALL && k == 0) ? d->upper : INFINITY;
    m->dof_effort[i] = d->effort, m->dof_speed[i] = d->speed, m->work->par.dof_damping[i] = d->damping,
    m->work->par.dof_friction[i] = d->friction;
    m->dof_force_lower[i] = fmax(d->force_lower, -d->effort),
    m->dof_force_upper[i] = fmin(d->force_upper, d->effort);
    m->work->par.dof_stiffness[i] = d->stiffness, m->work->par.dof_rest[i] = d->rest;
  }
}

// Names, masses and dofs, once the forest is complete; joint_node and body_node become indices into it.
static plStatus fill(Build* b, const int* place, plError* error) {
  plModel* m = b->model;
  const plTree* tree = m->work->tree;
  plStatus status = PL_OK;
  for (int i = 0; i < m->nbody && !status; i++) {
    const plBodyDef* def = &b->spec->body[i];
    m->work->par.body_mass[i] = def->mass, m->work->par.body_com[i] = def->com,
    m->work->par.body_gravity[i] = def->gravity, m->work->body_order[i] = b->order[i];
    memcpy(m->work->par.body_inertia + 6 * (size_t)i, def->inertia, sizeof def->inertia);
    if (m->body_node[i] >= 0) m->body_node[i] = place[m->body_node[i]];
    status = keep_name(m, def->name, &m->body_name[i], error);
  }
  for (int j = 0; j < m->njoint && !status; j++) {
    plJointDef own = {0};
    const plJointDef* def = j < b->spec->njoint ? &b->spec->joint[j] : &own;
    if (def == &own) own = free_joint(&b->spec->body[m->joint_child[j]], m->joint_child[j]);
    int node = b->joint_node[j] < 0 ? -1 : place[b->joint_node[j]];
    int last = pl_joints[def->kind].nnode - 1;
    m->work->joint_node[j] = node < 0 ? -1 : place[b->joint_node[j] + last],
    m->work->joint_pose[j] = def->child_pose;
    m->joint_q0[j] = node < 0 ? 0 : tree->node_q0[node], m->joint_v0[j] = node < 0 ? 0 : tree->node_v0[node];
    fill_dofs(m, j, def);
    status = keep_name(m, def->name, &m->joint_name[j], error);
  }
  m->ntree = tree->ntree, m->tree_v0 = tree->tree_v0;
  return status;
}

static plStatus build(Build* b, int* scratch, plError* error) {
  const plSpec* spec = b->spec;
  plModel* m = b->model;
  list_joints(b);
  if (!sort_bodies(b, scratch, scratch + spec->nbody, scratch + 2 * spec->nbody))
    return pl_fail(error, PL_ERROR_INPUT,
                   "the joints form a closed loop; one body of it must be attached to the world or be free");
  int njoint = spec->njoint;
  for (int i = 0; i < spec->nbody; i++) njoint += b->first_joint[i] < 0;
  plStatus status = allocate(m, spec, njoint, error);
  if (status) return status;
  for (int j = 0; j < njoint; j++) b->joint_node[j] = -1;
  int next = spec->njoint;
  for (int i = 0; i < spec->nbody; i++) place_body(b, b->order[i], &next);
  plInertia* carried = PL_NEW(plInertia, b->nnode);
  int* place = PL_NEW(int, b->nnode);
  status = carried && place ? check_masses(b, carried, error)
                            : pl_fail_out_of_memory(error, (size_t)b->nnode * sizeof(plInertia));
  if (!status && !(m->work->tree = pl_tree_create(b->node, b->nnode, place)))
    status = pl_fail_out_of_memory(error, (size_t)b->nnode * 400);
  if (!status) {
    m->nq += m->nq_rigid = m->work->tree->nq;
    m->nv += m->nv_rigid = m->work->tree->nv;
    status = allocate_dofs(m, error);
  }
  if (!status) status = fill(b, place, error);
  pl_free(carried), pl_free(place);
  return status;
}

plStatus pl_compile_rigid(const plSpec* spec, plModel* model, plError* error) {
  size_t nbody = (size_t)spec->nbody, njoint = (size_t)spec->njoint;
  long entries = 0;
  for (int j = 0; j < spec->njoint; j++) entries += pl_joint_nv(spec->joint[j].kind);
  if (entries > 20000)
    return pl_fail(error, PL_ERROR_TOO_LARGE,
                   "the robots have %ld degrees of freedom in joints; a tree's mass matrix is dense and "
                   "would need up to %.1f GB",
                   entries, 8e-9 * (double)entries * (double)entries);
  Build b = {.spec = spec,
             .model = model,
             .node = PL_NEW(plNodeDef, nbody + 3 * njoint),
             .node_joint = PL_NEW(int, nbody + 3 * njoint),
             .first_joint = PL_NEW(int, nbody),
             .next_joint = PL_NEW(int, njoint),
             .joint_node = PL_NEW(int, nbody + njoint),
             .order = PL_NEW(int, nbody)};
  int* scratch = PL_NEW(int, 3 * nbody);
  plStatus status =
      b.node && b.node_joint && b.first_joint && b.next_joint && b.joint_node && b.order && scratch
          ? build(&b, scratch, error)
          : pl_fail_out_of_memory(error, (nbody + njoint) * sizeof(plNodeDef));
  pl_free(b.node), pl_free(b.node_joint), pl_free(b.first_joint), pl_free(b.next_joint),
      pl_free(b.joint_node), pl_free(b.order);
  pl_free(scratch);
  return status;
}

void pl_compile_rigid_start(const plSpec* spec, plModel* m) {
  for (int j = 0; j < m->njoint; j++) {
    plJointDef own;
    const plJointDef* def = j < spec->njoint
                                ? &spec->joint[j]
                                : (own = free_joint(&spec->body[m->joint_child[j]], m->joint_child[j]), &own);
    for (int k = 0; k < pl_joint_nq(def->kind); k++) m->start_q[m->joint_q0[j] + k] = def->position[k];
    for (int k = 0; k < pl_joint_nv(def->kind); k++)
      m->start_v[m->joint_v0[j] + k] = def->locked ? 0 : def->velocity[k];
  }
}

static uint64_t hash_names(uint64_t h, char** names, int n) {
  for (int i = 0; i < n; i++) h = pl_hash(h, names[i], strlen(names[i]));
  return h;
}

static uint64_t hash_constraints(const plModel* m, uint64_t h) {
  for (int i = 0; i < m->nconstraint; i++) {
    const plConstraintDef* c = &m->constraint[i];
    int whole[] = {(int)c->kind, c->a, c->b, c->njoint, c->ntime, (int)c->interpolation};
    double real[] = {c->length,    c->ratio,   c->offset,    c->lower,     c->upper,
                     c->stiffness, c->damping, c->amplitude, c->frequency, c->phase};
    h = pl_hash(pl_hash(pl_hash(h, c->name, strlen(c->name)), whole, sizeof whole), real, sizeof real);
    h = pl_hash(pl_hash(h, &c->pose_a, sizeof c->pose_a), &c->pose_b, sizeof c->pose_b);
    h = pl_hash(pl_hash(h, c->joint, (size_t)c->njoint * sizeof(int)), c->coefficient,
                (size_t)c->njoint * sizeof(double));
    h = pl_hash(pl_hash(h, c->time, (size_t)c->ntime * sizeof(double)), c->value,
                (size_t)c->ntime * sizeof(double));
    if (c->off) h = pl_hash(h, "off", 3);
  }
  return h;
}

static uint64_t hash_excluded(const plModel* m, uint64_t h) {
  for (int i = 0; i < 2 * m->nexclude; i++) {
    int side[] = {(int)m->exclude[i].kind, m->exclude[i].index};
    h = pl_hash(h, side, sizeof side);
  }
  return h;
}

uint64_t pl_hash_rigid(const plModel* m, uint64_t h) {
  const plTree* t = m->work->tree;
  int sizes[] = {m->nbody, m->njoint, m->nact, m->ntree, m->nconstraint, m->nexclude, t->nnode};
  size_t n = (size_t)m->nv_rigid, nn = (size_t)t->nnode;
  h = pl_hash(h, sizes, sizeof sizes);
  h = hash_names(hash_names(hash_names(h, m->body_name, m->nbody), m->joint_name, m->njoint), m->act_name,
                 m->nact);
  h = pl_hash(pl_hash(h, t->node_parent, nn * sizeof(int)), t->node_kind, nn * sizeof(int));
  h = pl_hash(pl_hash(h, t->node_p, nn * sizeof(plVec3)), t->node_R, nn * sizeof(plMat3));
  h = pl_hash(pl_hash(h, t->node_axis, nn * sizeof(plVec3)), t->node_pitch, nn * sizeof(double));
  h = pl_hash(pl_hash(h, t->dof_armature, n * sizeof(double)), m->dof_locked, n * sizeof(bool));
  size_t na = (size_t)m->nact, nk = (size_t)m->act_knot0[m->nact];
  h = pl_hash(pl_hash(h, m->act_kind, na * sizeof *m->act_kind), m->act_gear, na * sizeof(double));
  h = pl_hash(pl_hash(h, m->act_interpolation, na * sizeof *m->act_interpolation), m->act_zero_velocity,
              na * sizeof(bool));
  h = pl_hash(h, m->start_u, (size_t)m->nu * sizeof(double));
  size_t nt = (size_t)m->act_term0[m->nact];
  h = pl_hash(pl_hash(pl_hash(h, m->act_term0, na * sizeof(int)), m->act_term, nt * sizeof(int)),
              m->act_coefficient, nt * sizeof(double));
  if (m->act_site0[m->nact])
    h = pl_hash(pl_hash(pl_hash(h, m->act_site0, na * sizeof(int)), m->act_site,
                        (size_t)m->act_site0[m->nact] * sizeof(int)),
                m->act_wrench, 6 * na * sizeof(double));
  h = pl_hash(pl_hash(h, m->act_time, nk * sizeof(double)), m->act_value, nk * sizeof(double));
  for (int a = 0; a < m->nact; a++)
    if (m->act_off[a]) h = pl_hash(h, &a, sizeof a);
  return hash_constraints(m, hash_excluded(m, pl_hash_efforts(m, h)));
}

// Where bodies and sites are in the frames that move them, and which frames are whose.
uint64_t pl_hash_frames(const plModel* m, uint64_t h) {
  size_t nb = (size_t)m->nbody, nj = (size_t)m->njoint, ns = (size_t)m->nsite;
  h = pl_hash(pl_hash(h, m->body_node, nb * sizeof(int)), m->body_pose, nb * sizeof(plPose));
  h = pl_hash(pl_hash(h, m->joint_kind, nj * sizeof *m->joint_kind), m->joint_parent, nj * sizeof(int));
  h = pl_hash(pl_hash(h, m->joint_child, nj * sizeof(int)), m->work->joint_pose, nj * sizeof(plPose));
  h = pl_hash(h, m->act_knot0, ((size_t)m->nact + 1) * sizeof(int));
  h = pl_hash(h, &m->nsite, sizeof m->nsite);
  return pl_hash(pl_hash(h, m->site_body, ns * sizeof(int)), m->site_pose, ns * sizeof(plPose));
}

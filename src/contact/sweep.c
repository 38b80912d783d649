// sweep.c: finds the obstacles that the motion of a step would pass through, from the positions at its start
// to those that the velocities lead to.
//
// in: colliders and candidate pairs of the contact stage, tree at q0 -> out: hits
#include "contact/sweep.h"

#include <assert.h>
#include <math.h>

#include "contact/round.h"
#include "contact/thresholds.h"
#include "deform/deform.h"
#include "math/spatial.h"
#include "rigid/rigid.h"
#include "rigid/tree.h"

static bool is_plane(const plCollider* c) { return c->shape_id >= 0 && c->shape.kind == PL_SHAPE_HALF_SPACE; }

// m, half of its smallest thickness.
double pl_sweep_thin(const plCollider* c) {
  if (is_plane(c)) return INFINITY;
  if (c->skin && !c->hull && !(c->shape_id >= 0 && c->shape.kind == PL_SHAPE_BOX)) return c->skin->thinnest;
  return pl_collider_radius(c);
}

plStatus pl_sweep_push(plSweep* sweep, plSweepHit hit) {
  return PL_PUSH(sweep->hit, sweep->nhit, sweep->cap, hit) ? PL_OK : PL_ERROR_MEMORY;
}

double pl_sweep_approach(const plSweep* s) {
  if (s->self) return pl_self_approach(s->ca->skin, s->ma.x1, s->ma.drift, s->arena);
  return v3_norm(v3_sub(s->ma.drift, s->mb.drift)) + s->ma.spread + s->mb.spread;
}

// ---- motion

// Mean velocities over the step: a times those at its end, 1 - a times those at its start. Positions move
// with a = theta_vq.
typedef struct Mean {
  const double* v;  // at the end
  double a;
} Mean;

static double mean_velocity(const plData* data, Mean m, int i) {
  return m.a * m.v[i] + (1 - m.a) * data->v[i];
}

// Motion of a node per unit of time, about the reference point of its tree.
static plMotion node_motion(const plData* data, Mean mean, const plMotions* all, int node) {
  const plTree* tree = &data->work->forest;
  const plTreeState* state = &data->work->tree;
  plMotion V = motion_zero();
  for (int k = tree->node_v0[node] + pl_node_nv(tree->node_kind[node]) - 1; k >= 0; k = tree->dof_parent[k])
    V = motion_madd(V, all ? all->mean[k] : mean_velocity(data, mean, k), state->dof_S[k]);
  return V;
}

// The same of its joint alone.
static plMotion joint_motion(const plData* data, Mean mean, const plMotions* all, int node) {
  const plTree* tree = &data->work->forest;
  plMotion V = motion_zero();
  for (int k = pl_tree_last_dof(tree, node); k >= tree->node_v0[node]; k--)
    V = motion_madd(V, all ? all->mean[k] : mean_velocity(data, mean, k), data->work->tree.dof_S[k]);
  return V;
}

// Where the joint of a node alone takes a pose that is fixed to the node.
static plPose turn_joint(const plData* data, Mean mean, const plMotions* all, int node, plPose pose) {
  const plTreeState* state = &data->work->tree;
  double dt = data->par->options.dt;
  plMotion V = joint_motion(data, mean, all, node);
  plVec3 o = state->node_p[node],
         u = motion_at(V, v3_sub(o, state->tree_point[pl_tree_of_node(&data->work->forest, node)]));
  plQuat turn = quat_exp(v3_scale(dt, V.w));
  return (plPose){v3_add(v3_madd(o, dt, u), quat_rotate(turn, v3_sub(pose.p, o))), quat_mul(turn, pose.q)};
}

// Where all joints from a node to the world take it, the last one first. The sum of their motions would
// differ by the product of two angles times the length of a link.
static plPose carry(const plData* data, Mean mean, const plMotions* all, int node, plPose pose) {
  const int* parent = data->work->forest.node_parent;
  if (all && parent[node] >= 0) return pose_mul(all->carried[node], pose);
  for (; node >= 0; node = parent[node]) pose = turn_joint(data, mean, all, node, pose);
  return pose;
}

// The same for all nodes of tree t, once.
static void carry_tree(plMotions* m, Mean mean, int t) {
  const plTree* tree = &m->data->work->forest;
  const plPose still = {{0, 0, 0}, {1, 0, 0, 0}};
  for (int i = tree->tree_node0[t]; i < tree->tree_node0[t + 1] && !m->carries[t]; i++) {
    int parent = tree->node_parent[i];
    plPose own = turn_joint(m->data, mean, m, i, still);
    assert(parent < i);  // known already
    m->carried[i] = parent < 0 ? own : pose_mul(m->carried[parent], own);
  }
  m->carries[t] = true;
}

// all: the motion that the step takes (rigid/gyration.c); NULL: that of the velocities alone.
static void move_rigid(const plData* data, const plCollider* c, Mean mean, const plMotions* all,
                       plMotionOf* m) {
  m->pose1 = c->pose;
  if (c->node < 0) return;
  const plTree* tree = &data->work->forest;
  const plTreeState* state = &data->work->tree;
  double dt = data->par->options.dt;
  plMotion V = node_motion(data, mean, all, c->node);
  plVec3 o = state->node_p[c->node],
         u = motion_at(V, v3_sub(o, state->tree_point[pl_tree_of_node(tree, c->node)]));
  m->pivot = o, m->way = v3_scale(dt, u), m->turn = v3_scale(dt, V.w);
  m->pose1 = carry(data, mean, all, c->node, c->pose);
  if (all) m->pose1.p = v3_add(m->pose1.p, all->shift[pl_tree_of_node(tree, c->node)]);
}

// Mean and spread of the displacement of a soft body whose vertices end at x1.
static void measure(const plSkin* skin, plMotionOf* m) {
  int n = skin->nvert;
  for (int i = 0; i < n; i++)
    m->drift = v3_madd(m->drift, 1.0 / n, v3_sub(v3_load(m->x1 + 3 * (size_t)i), skin_x(skin, i)));
  double spread2 = 0;
  for (int i = 0; i < n; i++) {
    double d2 = v3_norm2(v3_sub(v3_sub(v3_load(m->x1 + 3 * (size_t)i), skin_x(skin, i)), m->drift));
    if (d2 > spread2) spread2 = d2;
  }
  m->spread = sqrt(spread2);
}

static bool move_soft(const plModel* model, const plData* data, const plCollider* c, Mean mean,
                      plArena* arena, plMotionOf* m) {
  assert(3 * c->skin->nvert == pl_deform_nv(data, c->deform));
  double* x1 = PL_ARENA_NEW(arena, double, 3 * c->skin->nvert);
  if (!x1) return false;
  pl_deform_end(model, data, c->deform, c->skin->x, mean.v + model->deform_v0[c->deform], mean.a, x1);
  m->x1 = x1;
  measure(c->skin, m);
  return true;
}

// The motion of the collider; false if memory ran out. Vertices of rigid shapes are computed later, by
// move_vertices.
static bool move(const plModel* model, const plData* data, const plCollider* c, Mean mean,
                 const plMotions* all, plArena* arena, plMotionOf* m) {
  *m = (plMotionOf){0};
  if (c->deform >= 0) return move_soft(model, data, c, mean, arena, m);
  move_rigid(data, c, mean, all, m);
  if (c->node < 0) return true;
  // Every point turns about the centre of its box.
  plVec3 middle = v3_scale(0.5, v3_add(c->lower, c->upper)), far = v3_sub(c->upper, middle);
  if (!v3_finite(middle)) middle = c->pose.p, far = v3(1, 0, 0);
  plVec3 to = pose_apply(m->pose1, pose_apply_inverse(c->pose, middle));
  m->drift = v3_sub(to, middle);
  double turn = v3_norm(m->turn);
  if (data->work->forest.node_parent[c->node] >= 0)
    turn = fmax(turn, v3_norm(quat_log(quat_mul(m->pose1.q, quat_conj(c->pose.q)))));
  m->spread = turn * v3_norm(far);
  return true;
}

// The vertices of a rigid shape at the end of its motion.
static bool move_vertices(const plCollider* c, plArena* arena, plMotionOf* m) {
  if (!c->skin || m->x1) return true;
  double* x1 = PL_ARENA_NEW(arena, double, 3 * c->skin->nvert);
  if (!x1) return false;
  for (int i = 0; i < c->skin->nvert; i++)
    v3_store(x1 + 3 * (size_t)i, pose_apply(m->pose1, pose_apply_inverse(c->pose, skin_x(c->skin, i))));
  m->x1 = x1;
  return true;
}

const plMotionOf* pl_motion_of(plMotions* m, int i) {
  assert(i >= 0 && i < m->data->work->contact->ncollider);
  const plCollider* c = &m->data->work->contact->collider[i];
  const plTree* tree = &m->data->work->forest;
  Mean mean = {m->v, m->data->par->options.theta_vq};
  if (!m->known[i] && c->node >= 0 && tree->node_parent[c->node] >= 0)
    carry_tree(m, mean, pl_tree_of_node(tree, c->node));
  if (!m->known[i] && !move(m->model, m->data, c, mean, m, m->arena, &m->of[i])) return NULL;
  m->known[i] = true;
  return &m->of[i];
}

// ---- slow bodies

// The motion of every moving frame per unit of time, about the reference point of its tree.
static plMotion* node_motions(const plData* data, const double* mean, plArena* arena) {
  const plTree* tree = &data->work->forest;
  plMotion* V = PL_ARENA_NEW(arena, plMotion, tree->nnode);
  for (int i = 0; i < tree->nnode && V; i++) {
    int parent = tree->node_parent[i], first = tree->node_v0[i];
    assert(parent < i && pl_tree_last_dof(tree, i) < tree->tree_v0[tree->ntree]);
    V[i] = parent < 0 ? motion_zero() : V[parent];
    for (int k = first; k <= pl_tree_last_dof(tree, i); k++)
      V[i] = motion_madd(V[i], mean[k], data->work->tree.dof_S[k]);
  }
  return V;
}

// m, no point of a rigid shape moves farther; INFINITY: not known. Without links the motion is a turn about
// the joint and a displacement.
static double reach_of(const plMotions* m, const plCollider* c) {
  const plTree* tree = &m->data->work->forest;
  const plTreeState* state = &m->data->work->tree;
  if (c->shape_id < 0) return INFINITY;
  if (c->node < 0) return 0;
  plVec3 o = state->node_p[c->node], middle = v3_scale(0.5, v3_add(c->lower, c->upper));
  if (tree->node_parent[c->node] >= 0 || !v3_finite(middle)) return INFINITY;
  int t = pl_tree_of_node(tree, c->node);
  plMotion V = m->V[c->node];
  double arm = v3_norm(v3_sub(middle, o)) + v3_norm(v3_sub(c->upper, middle));
  return v3_norm(m->shift[t]) +
         m->data->par->options.dt *
             (v3_norm(motion_at(V, v3_sub(o, state->tree_point[t]))) + v3_norm(V.w) * arm);
}

static bool find_reaches(plMotions* m) {
  const plContactWork* w = m->data->work->contact;
  m->V = node_motions(m->data, m->mean, m->arena);
  m->reach = PL_ARENA_NEW(m->arena, double, w->ncollider);
  for (int i = 0; i < w->ncollider && m->V && m->reach; i++) m->reach[i] = reach_of(m, &w->collider[i]);
  return m->V && m->reach;
}

// ---- pairs

static bool is_convex(const plCollider* c) {
  return c->shape_id >= 0 && (c->hull || c->shape.kind != PL_SHAPE_MESH);
}

bool pl_sweep_knows(const plSweep* s) { return !is_plane(s->ca) && !is_plane(s->cb); }

static plStatus move_both(plSweep* s, Mean mean) {
  bool ok = move(s->model, s->data, s->ca, mean, NULL, s->arena, &s->ma) &&
            move(s->model, s->data, s->cb, mean, NULL, s->arena, &s->mb) &&
            move_vertices(s->ca, s->arena, &s->ma) && move_vertices(s->cb, s->arena, &s->mb);
  return ok ? PL_OK : PL_ERROR_MEMORY;
}

plStatus pl_sweep_move(plSweep* s, const double* v) {
  return move_both(s, (Mean){v, s->data->par->options.theta_vq});
}

plStatus pl_sweep_move_as_laws(plSweep* s) { return move_both(s, (Mean){s->v, 1}); }

static plStatus sweep_one(plSweep* s) {
  bool plane_a = is_plane(s->ca), plane = plane_a || is_plane(s->cb);
  if (!plane && is_convex(s->ca) && is_convex(s->cb)) return pl_sweep_convex(s);
  if (!plane && s->ca->skin && s->cb->skin) return s->backs ? PL_OK : pl_sweep_skins(s);
  if (!plane && s->ca->skin) return pl_sweep_facets(s);
  if (plane && !plane_a) return pl_sweep_plane(s);
  // Exchanges the sides, and back.
  plSweep t = *s;
  t.ca = s->cb, t.cb = s->ca, t.ma = s->mb, t.mb = s->ma, t.held_a = s->held_b, t.held_b = s->held_a;
  plStatus status = plane ? pl_sweep_plane(&t) : pl_sweep_facets(&t);
  for (int i = s->nhit; i < t.nhit; i++) {
    plContactPoint* p = &t.hit[i].point;
    plContactSide side = p->a;
    plVec3 position = p->position_a;
    p->a = p->b, p->b = side, p->position_a = p->position_b, p->position_b = position,
    p->normal = v3_neg(p->normal);
  }
  s->hit = t.hit, s->nhit = t.nhit, s->cap = t.cap;
  return status;
}

// If points only count that the motion misses, there are no laws yet.
plStatus pl_sweep_one(plSweep* s) {
  bool plane = is_plane(s->ca) || is_plane(s->cb);
  s->law = 0;
  plStatus status = s->depth < 0 || !(plane || pl_sweep_rigid(s)) ? PL_OK : pl_sweep_law_end(s, &s->law);
  if (!status) status = sweep_one(s);
  s->law = 0;
  return status;
}

// Whether springs carry soft facets on a round tool. They know nothing of what a scheme adds to their motion
// (theta_vq below 1).
static bool has_springs(const plSweep* s) {
  return !(s->data->par->options.theta_vq < 1) &&
         (pl_contact_on_round(s->data, s->ca, s->cb) || pl_contact_on_round(s->data, s->cb, s->ca));
}

// m. A pair that approaches by less does not pass through.
static double least_way(const plSweep* s, bool springs) {
  return fmax(pl_contact_least(s->ca, s->cb),
              (springs ? 1 : PL_SWEEP_FAST) * fmin(pl_sweep_thin(s->ca), pl_sweep_thin(s->cb)));
}

// Whether it is known without the motions of its sides that the pair is not fast.
static bool is_slow(const plSweep* s, const plMotions* m) {
  return (1 + PL_ROUNDING) * (m->reach[s->a] + m->reach[s->b]) <= least_way(s, false);
}

// Whether a step moves the pair far enough to pass through. Soft facets may sink in as far as their springs
// allow: only motions larger than the tool or the layer count.
static bool is_fast(const plSweep* s, bool springs) {
  double least = least_way(s, springs);
  // For self-contact the deviation from the mean displacement is known, and decides in most steps.
  if (s->self && 2 * s->ma.spread <= least) return false;
  return pl_sweep_approach(s) > least;
}

static int collider_of(const plModel* model, const plContactSide* side) {
  return side->shape_id >= 0 ? model->ndeform + side->shape_id : side->body;
}

// The motions of the sides of the present pair.
static plStatus take_motions(plSweep* s, plMotions* m) {
  if (!pl_motion_of(m, s->a) || !pl_motion_of(m, s->b)) return PL_ERROR_MEMORY;
  s->ma = m->of[s->a], s->mb = m->of[s->b];
  return PL_OK;
}

// The present pair, however slow it is.
static plStatus follow(plSweep* s, plMotions* m) {
  if (!move_vertices(s->ca, s->arena, &m->of[s->a]) || !move_vertices(s->cb, s->arena, &m->of[s->b]))
    return PL_ERROR_MEMORY;
  s->ma = m->of[s->a], s->mb = m->of[s->b];
  s->held_a = pl_contact_held(s->model, s->data, s->arena, s->ca, s->cb);
  s->held_b = pl_contact_held(s->model, s->data, s->arena, s->cb, s->ca);
  return s->arena->failed ? PL_ERROR_MEMORY : pl_sweep_one(s);
}

double pl_sweep_part(const plSweep* s) { return s->data->par->options.dt / s->data->work->whole_dt; }

// A pair of rigid bodies that is deep: a body that rocks from one point to another, or spins, sinks in by
// turning, which the gaps of its points do not show. A little in every step would add up, so whatever it
// sinks counts, as in pl_sweep_hold.
static plStatus follow_deep(plSweep* s, plMotions* m, double thin) {
  int first = s->nhit;
  double depth = s->depth;
  s->depth = PL_SWEEP_ONWARD * depth, s->pressed = true;
  plStatus status = follow(s, m);
  bool creeps = s->nhit == first && pl_sweep_part(s) < 1 && !pl_contact_yields(s->data, s->ca, s->cb);
  s->depth *= pl_sweep_part(s);
  if (!status && creeps) status = follow(s, m);
  s->depth = depth, s->pressed = false;
  for (int i = first; i < s->nhit; i++) s->hit[i].mild = s->hit[i].end > -thin, s->hit[i].creeps = creeps;
  return status;
}

// The edges of an existing point of the present pair.
static plStatus follow_edges(plSweep* s, plMotions* m, const plContactPoint* p) {
  if (!move_vertices(s->ca, s->arena, &m->of[s->a]) || !move_vertices(s->cb, s->arena, &m->of[s->b]))
    return PL_ERROR_MEMORY;
  s->ma = m->of[s->a], s->mb = m->of[s->b];
  return pl_sweep_edges(s, p);
}

// Gaps at the end of the step: of all points of fast pairs, and of points of other pairs that are already
// deep.
static plStatus hold_points(plSweep* s, plMotions* m) {
  const plWork* work = s->data->work;
  plStatus status = PL_OK;
  double deep = 0, thin = 0, loaded = 0;
  int first = 0;
  bool followed = false, slow = false;
  s->a = s->b = -1, s->self = NULL;
  for (int i = 0; i < work->npoint && !status; i++) {
    const plContactPoint* p = &work->point[i];
    int a = collider_of(s->model, &p->a), b = collider_of(s->model, &p->b);
    if (a == b) continue;
    if (a != s->a || b != s->b) {
      s->a = a, s->b = b, s->ca = &work->contact->collider[a], s->cb = &work->contact->collider[b];
      slow = is_slow(s, m), followed = false, first = s->nhit;
      if (!slow && take_motions(s, m)) return PL_ERROR_MEMORY;
      thin = fmin(pl_sweep_thin(s->ca), pl_sweep_thin(s->cb));
      deep = !slow && is_fast(s, has_springs(s)) ? INFINITY
             : pl_sweep_rigid(s)                 ? -PL_SWEEP_HELD * s->depth * thin
                                                 : -INFINITY;
      // A pair that is not fast may press its points to the stop from this depth on.
      loaded = fmax(
          deep, fmin(m->reach[a] + m->reach[b], least_way(s, has_springs(s))) - pl_sweep_stop_of(s, thin));
    }
    bool sunk = pl_sweep_rigid(s) && p->gap < -PL_SWEEP_HELD * s->depth * thin;
    if (slow && (p->gap < deep || p->gap < loaded || sunk) && take_motions(s, m)) return PL_ERROR_MEMORY;
    if (p->gap < deep) status = pl_sweep_hold(s, p, i);
    if (!status && p->gap < loaded) status = pl_sweep_stop(s, p, i);
    if (!status && p->gap < deep && p->a.edge && p->b.edge) status = follow_edges(s, m, p);
    if (!status && sunk && !followed && s->nhit == first) status = follow_deep(s, m, thin), followed = true;
  }
  return status;
}

bool pl_contact_parts_are_fast(const plData* data, int deform, const double* q1) {
  const plSkin* skin = data->work->contact->collider[deform].skin;
  assert(3 * skin->nvert == pl_deform_nv(data, deform));
  plMotionOf m = {.x1 = q1};
  measure(skin, &m);
  return m.spread > PL_SWEEP_FAST * skin->limit;
}

plStatus pl_sweep_pair(plSweep* s, plMotions* m, int a, int b) {
  plContactWork* w = s->data->work->contact;
  s->a = a, s->b = b, s->ca = &w->collider[a], s->cb = &w->collider[b];
  if (is_slow(s, m)) return PL_OK;
  if (take_motions(s, m)) return PL_ERROR_MEMORY;
  s->self = a == b ? s->ca->self : NULL;
  bool springs = has_springs(s);
  if (is_fast(s, springs)) return follow(s, m);
  // Vertices that turn their backs to the tool have no springs.
  if (!springs || s->depth < 0 || pl_contact_yields(s->data, s->ca, s->cb) || !is_fast(s, false))
    return PL_OK;
  s->backs = true;
  plStatus status = follow(s, m);
  s->backs = false;
  return status;
}

plStatus pl_contact_sweep(const plModel* model, plData* data, const double* v, double depth, plSweepHit** hit,
                          int* nhit) {
  plContactWork* w = data->work->contact;
  plArena* arena = &data->work->step;
  *hit = w->hit, *nhit = 0;
  if (!w->non) return PL_OK;
  plMotions m = {.model = model,
                 .data = data,
                 .v = v,
                 .arena = arena,
                 .mean = PL_ARENA_NEW(arena, double, model->nv_rigid),
                 .shift = PL_ARENA_NEW(arena, plVec3, data->work->forest.ntree),
                 .carried = PL_ARENA_NEW(arena, plPose, data->work->forest.nnode),
                 .carries = PL_KEEP(arena, bool, data->work->forest.ntree),
                 .of = PL_ARENA_NEW(arena, plMotionOf, w->ncollider),
                 .known = PL_KEEP(arena, bool, w->ncollider)};
  if (!m.mean || !m.shift || !m.carried || !m.carries || !m.of || !m.known) return PL_ERROR_MEMORY;
  plStatus status = pl_rigid_way(data, v, m.mean, m.shift);
  if (!status && !find_reaches(&m)) status = PL_ERROR_MEMORY;
  plSweep s = {
      .model = model, .data = data, .v = v, .depth = depth, .arena = arena, .hit = w->hit, .cap = w->hit_cap};
  for (int i = 0; i < w->nlist && !status; i++) status = pl_sweep_pair(&s, &m, w->list[i].a, w->list[i].b);
  if (!status && depth >= 0) status = pl_sweep_strays(&s, &m);
  if (!status && depth >= 0) status = hold_points(&s, &m);
  w->hit = s.hit, w->hit_cap = s.cap;
  *hit = s.hit, *nhit = s.nhit;
  return status;
}

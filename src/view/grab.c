// grab.c: the user pulls at a body: a damped spring from the point that was touched to the mouse.
//
// The force acts through f_user, which is constant over a step, so the spring is made implicit here. With e =
// target - x, and the point responding to a force like a mass m (or like W = J M^-1 J' for a rigid body), f =
// k (e - dt v1) - c v1 and v1 = v0 + dt f / m give
//   (1 + (k dt^2 + c dt) / m) f = k (e - dt v0) - c v0.
// A deformable is held by a patch of vertices, and its motion as a whole is damped.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "math/pose.h"
#include "math/vec3.h"
#include "pliant/dynamics.h"
#include "parts.h"

static const double OMEGA = 26;    // rad/s of the body on the spring
static const double TURNS = 0.2;   // fraction of its mass that a body has at a corner, about which it turns
static const double REACH = 0.25;  // radius of the patch as a fraction of the body's size
static const double HAND =
    2;  // m, largest distance of the hand from what it holds, or this many sizes of a deformable

// ---- deformable bodies

// The effective mass of the point in one implicit step: the patch, and as much of the rest as elasticity
// (about E L / 4) couples to it in dt.
static double felt_mass(const plData* data, int b, double patch, double size) {
  const plMaterial* material = &data->par->deform_material[b];
  double young = fmax(material->young, fmax(2 * material->lame_mu, 4 * (material->c1 + material->c2)));
  double dt = data->par->options.dt, coupling = 0.25 * young * size * dt * dt,
         rest = fmax(TURNS * pl_deformable_mass(data, b) - patch, 0);
  return patch + (coupling > 0 ? coupling * rest / (coupling + rest) : 0);
}

// Vertices around the one that was touched share the force; nearer and heavier ones get more.
static bool find_patch(plGrab* g, const plData* data) {
  const plModel* m = data->model;
  int b = g->side, v0 = m->deform_vert0[b], n = m->deform_vert0[b + 1] - v0;
  const double* q = data->q + m->deform_q0[b];
  plVec3 centre = v3_load(q + 3 * (size_t)g->index), lower = centre, upper = centre;
  for (int i = 0; i < n; i++) {
    plVec3 x = v3_load(q + 3 * (size_t)i);
    lower = (plVec3){fmin(lower.x, x.x), fmin(lower.y, x.y), fmin(lower.z, x.z)};
    upper = (plVec3){fmax(upper.x, x.x), fmax(upper.y, x.y), fmax(upper.z, x.z)};
  }
  double radius = REACH * v3_norm(v3_sub(upper, lower)), sum = 0, compliance = 0,
         density = data->par->deform_material[b].density, least = pl_deformable_mass(data, b) / (100.0 * n);
  g->vert = malloc((size_t)n * sizeof *g->vert);
  g->weight = malloc((size_t)n * sizeof *g->weight);
  if (!g->vert || !g->weight) return false;
  for (int i = 0; i < n; i++) {
    double d = v3_norm(v3_sub(v3_load(q + 3 * (size_t)i), centre)),
           s = radius > 0 ? d / radius : i != g->index;
    if (s >= 1) continue;
    assert(g->n < n && g->index < n);
    g->vert[g->n] = i;
    g->weight[g->n] = fmax(density * m->vert_volume[v0 + i], least) * (1 - s * s) * (1 - s * s);
    sum += g->weight[g->n++];
  }
  for (int k = 0; k < g->n; k++) {
    g->weight[k] /= sum;
    compliance += g->weight[k] * g->weight[k] / fmax(density * m->vert_volume[v0 + g->vert[k]], least);
  }
  g->mass = felt_mass(data, b, 1 / compliance, radius / REACH);
  return true;
}

static void pull_patch(plGrab* g, plData* data) {
  const plModel* m = data->model;
  int b = g->side, n = m->deform_vert0[b + 1] - m->deform_vert0[b];
  const double *q = data->q + m->deform_q0[b], *v = data->v + m->deform_v0[b],
               *volume = m->vert_volume + m->deform_vert0[b];
  double *f = data->f_user + m->deform_v0[b], dt = data->par->options.dt,
         density = data->par->deform_material[b].density, M = pl_deformable_mass(data, b),
         k = M * OMEGA * OMEGA;
  plVec3 x = {0}, speed = {0}, drift = {0};
  for (int i = 0; i < g->n; i++) {
    assert(g->vert[i] >= 0 && g->vert[i] < n);  // found in the deformable that is held
    x = v3_add(x, v3_scale(g->weight[i], v3_load(q + 3 * (size_t)g->vert[i])));
    speed = v3_add(speed, v3_scale(g->weight[i], v3_load(v + 3 * (size_t)g->vert[i])));
  }
  for (int i = 0; i < n; i++)
    drift = v3_add(drift, v3_scale(density * volume[i] / M, v3_load(v + 3 * (size_t)i)));

  plVec3 e = v3_sub(v3_sub(g->target, x), v3_scale(dt, speed));
  g->point = x;
  g->force = v3_scale(k / (1 + k * dt * dt / g->mass), e);
  // the body as a whole: -2 zeta omega per mass, at most half of its velocity in a step
  plVec3 brake = v3_scale(-density * fmin(1.2 * OMEGA, 0.5 / dt), drift);
  for (int i = 0; i < n; i++)
    f[3 * i] = volume[i] * brake.x, f[3 * i + 1] = volume[i] * brake.y, f[3 * i + 2] = volume[i] * brake.z;
  for (int i = 0; i < g->n; i++) {
    double* at = f + 3 * (size_t)g->vert[i];
    at[0] += g->weight[i] * g->force.x, at[1] += g->weight[i] * g->force.y,
        at[2] += g->weight[i] * g->force.z;
  }
}

// ---- rigid bodies

// W = J M^-1 J' at the point, 3 x 3; false if it cannot be computed.
static bool point_mobility(const plData* data, const double* J, double W[9], double* scratch) {
  int n = data->model->nv_rigid;
  double *tau = scratch, *base = scratch + n, *vdot = scratch + 2 * (size_t)n;
  memset(tau, 0, (size_t)n * sizeof *tau);
  if (pl_rigid_forward_dynamics(data, tau, base)) return false;
  for (int c = 0; c < 3; c++) {
    for (int i = 0; i < n; i++) tau[i] = J[6 * (size_t)i + 3 + (size_t)c];
    if (pl_rigid_forward_dynamics(data, tau, vdot)) return false;
    for (int r = 0; r < 3; r++) {
      W[3 * c + r] = 0;
      for (int i = 0; i < n; i++) W[3 * c + r] += J[6 * (size_t)i + 3 + (size_t)r] * (vdot[i] - base[i]);
    }
  }
  return true;
}

// x = A^-1 b for a 3 x 3 matrix, by Cramer's rule.
static plVec3 solve3(const double A[9], plVec3 b) {
  plVec3 c0 = v3_load(A), c1 = v3_load(A + 3), c2 = v3_load(A + 6);
  double det = v3_dot(c0, v3_cross(c1, c2));
  return (plVec3){v3_dot(b, v3_cross(c1, c2)) / det, v3_dot(c0, v3_cross(b, c2)) / det,
                  v3_dot(c0, v3_cross(c1, b)) / det};
}

static void pull_body(plGrab* g, plData* data) {
  const plModel* m = data->model;
  int body = m->shape_body[g->side - m->ndeform], n = m->nv_rigid;
  double W[9], *J = malloc(9 * (size_t)(n + 1) * sizeof *J), dt = data->par->options.dt;
  plRigidState state;
  g->force = (plVec3){0};
  if (!J || pl_rigid_body_state(data, body, &state) || pl_rigid_jacobian(data, body, g->local, J) ||
      !point_mobility(data, J, W, J + 6 * (size_t)n)) {
    free(J);
    return;
  }
  plVec3 arm = quat_rotate(state.pose.q, g->local),
         v = v3_add(state.velocity, v3_cross(state.angular_velocity, arm));
  double mobility = (W[0] + W[4] + W[8]) / 3, mass = mobility > 0 ? fmin(1 / mobility, 1e6) : 0;
  double k = mass * OMEGA * OMEGA, c = 1.4 * mass * OMEGA;
  g->point = v3_add(state.pose.p, arm);
  plVec3 y = v3_sub(v3_scale(k, v3_sub(v3_sub(g->target, g->point), v3_scale(dt, v))), v3_scale(c, v));
  for (int i = 0; i < 9; i++) W[i] = (i % 4 == 0) + (k * dt * dt + c * dt) * W[i];
  g->force = solve3(W, y);
  if (!isfinite(v3_norm(g->force))) g->force = (plVec3){0};
  pl_rigid_add_force(data, body, g->local, g->force, (plVec3){0});
  free(J);
}

// ---- both

// The largest distance of the hand from what it holds.
static double reach_of(const plGrab* g, const plData* data) {
  plBodyState state;
  if (g->side >= data->model->ndeform || pl_deformable_state(data, g->side, &state)) return HAND;
  return HAND * fmax(1, v3_norm(v3_sub(state.upper, state.lower)));
}

void pl_grab_drag(plGrab* g, const plData* data, plVec3 target) {
  plVec3 pull = v3_sub(target, g->point);
  double length = v3_norm(pull), most = reach_of(g, data);
  g->target = length <= most ? target : v3_add(g->point, v3_scale(most / length, pull));
}

bool pl_grab_begin(plGrab* g, const plData* data, int side, int index, plVec3 point) {
  const plModel* m = data->model;
  *g = (plGrab){.side = side, .index = index, .target = point, .point = point};
  if (side < 0 || side >= m->ndeform + m->nshape) return false;
  if (side < m->ndeform) {
    if (index < 0 || index >= m->deform_vert0[side + 1] - m->deform_vert0[side]) return false;
    if (find_patch(g, data)) return true;
    free(g->vert), free(g->weight);
    *g = (plGrab){.side = -1};
    return false;
  }
  int body = m->shape_body[side - m->ndeform];
  plRigidState state;
  if (body < 0 || m->body_node[body] < 0 || pl_rigid_body_state(data, body, &state)) return false;
  if (!(v3_norm(v3_sub(point, state.pose.p)) < 100)) return false;  // the point is nowhere near the body
  g->local = quat_rotate(quat_conj(state.pose.q), v3_sub(point, state.pose.p));
  return true;
}

void pl_grab_end(plGrab* g, plData* data) {
  pl_clear_forces(data);
  free(g->vert), free(g->weight);
  *g = (plGrab){.side = -1};
}

void pl_grab_pull(plGrab* g, plData* data) {
  pl_clear_forces(data);
  if (g->side < 0) return;
  if (g->side < data->model->ndeform)
    pull_patch(g, data);
  else
    pull_body(g, data);
}

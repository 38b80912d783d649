// measure.c: the true values of each kind, without rate, delay and noise.
//
// Wrenches of joints, accelerations and taxels are evaluated at the configuration where the step evaluated
// its forces: at its start, or with the midpoint rule at its middle. Everything else belongs to the state at
// the end of the step. Forces of a step that is taken in parts are means over the parts.
#include <math.h>
#include <string.h>

#include "deform/deform.h"
#include "math/pose.h"
#include "model/sensor_kinds.h"
#include "pliant/forces.h"
#include "rigid/rigid.h"
#include "sensor/sensor.h"

static bool is_wrench(plSensorKind kind) {
  return kind == PL_SENSOR_WRENCH || kind == PL_SENSOR_FORCE || kind == PL_SENSOR_TORQUE;
}
static bool is_accelerating(plSensorKind kind) {
  return kind == PL_SENSOR_ACCELEROMETER || kind == PL_SENSOR_IMU;
}

// ---- what forces need

// Whether taxels follow a rigid body: the one they are on, or the one in whose axes they are read.
static bool needs_places(const plSensorPlan* plan, const plSensor* sensor) {
  return sensor->kind == PL_SENSOR_TAXELS && (!plan->taxels.soft || plan->mount >= 0);
}

void pl_sensor_prepare_forces(plData* data, const bool* due) {
  const plModel* m = data->model;
  bool wrench = false, placed = false;
  for (int i = 0; i < m->nsensor; i++) {
    wrench |= due[i] && is_wrench(m->sensor[i].kind);
    placed |=
        due[i] && (is_accelerating(m->sensor[i].kind) || needs_places(&m->work->sensor[i], &m->sensor[i]));
  }
  if (!data->work->stepped) {
    memset(data->work->sensor->wrench, 0, (size_t)m->njoint * sizeof(plWrench));
    // at rest, as far as is known
    if (placed)
      pl_tree_kinematics(&data->work->forest, data->q, data->par->options.gravity, &data->work->tree);
    return;
  }
  if (wrench)
    (void)pl_joint_wrenches(data, data->work->sensor->wrench, NULL);
  else if (placed)
    pl_step_place_tree(data);
}

// Converts force and moment at one frame to another frame given in it, with the moment about the new origin.
static plWrench wrench_at(plPose frame, plWrench w) {
  plQuat back = quat_conj(frame.q);
  return (plWrench){quat_rotate(back, w.force),
                    quat_rotate(back, v3_sub(w.moment, v3_cross(frame.p, w.force)))};
}

// Acceleration of a point of a body less gravity, in the axes of a frame there.
static plVec3 acceleration(const plData* data, int body, plPose frame) {
  const plModel* m = data->model;
  const plTreeState* s = &data->work->tree;
  plVec3 a = v3_neg(data->par->options.gravity);
  plPose pose = pose_mul(pl_body_pose(data, body), frame);
  int node = body < 0 ? -1 : m->body_node[body];
  if (node >= 0 && data->work->stepped) {
    plVec3 r = v3_sub(pose.p, s->tree_point[pl_tree_of_node(&data->work->forest, node)]);
    plMotion A = s->node_A[node], V = s->node_V[node];
    a = v3_add(a, v3_add(motion_at(A, r), v3_cross(V.w, motion_at(V, r))));
  }
  return quat_rotate(quat_conj(pose.q), a);
}

// ---- forces of the last step

static void eval_contact(const plData* data, const plSensorPlan* plan, double* out) {
  plContactPair pair;
  pl_contact_pair(data, plan->side, plan->other, &pair);
  v3_store(out, pair.force), v3_store(out + 3, pair.moment);
  out[6] = pair.normal_force, out[7] = pair.area, out[8] = pair.count;
}

bool pl_sensor_inside(const plRegion* r, plVec3 x, double slack) {
  plVec3 d =
      r->kind == PL_REGION_BOX ? pose_apply_inverse(r->pose, v3_sub(x, r->centre)) : v3_sub(x, r->centre);
  switch (r->kind) {
    case PL_REGION_BOX:
      return fabs(d.x) <= r->size.x / 2 + slack && fabs(d.y) <= r->size.y / 2 + slack &&
             fabs(d.z) <= r->size.z / 2 + slack;
    case PL_REGION_SPHERE:
      return v3_dot(d, d) <= (r->radius + slack) * (r->radius + slack);
    case PL_REGION_HALF_SPACE:
      return v3_dot(d, r->normal) <= slack * v3_norm(r->normal);
    default:
      return true;
  }
}

// Sum of the normal forces on the shapes of a body at points inside a region of its frame, at their positions
// at the start of the step.
static double touch(const plData* data, const plSensorPlan* plan) {
  const plModel* m = data->model;
  double sum = 0;
  for (int i = 0; i < data->ncontact; i++) {
    const plContact* c = &data->contact[i];
    for (int k = 0; k < 2; k++) {
      plSide side = k ? c->b : c->a;
      int g = side.index;
      if (side.kind != PL_SIDE_SHAPE || m->shape_body[g] != plan->body) continue;
      plPose body = pose_mul(data->work->shape_world[g], pose_inverse(m->shape_pose[g]));
      plVec3 x = pose_apply_inverse(pose_mul(body, plan->frame), c->position);
      if (pl_sensor_inside(&plan->region, x, pl_sensor_slack(c))) sum += fmax(v3_dot(c->force, c->normal), 0);
    }
  }
  return sum;
}

// Of the step, or of its last part.
static void eval_part(plData* data, int id, double* out) {
  const plModel* m = data->model;
  const plSensorPlan* plan = &m->work->sensor[id];
  const plSensor* s = &m->sensor[id];
  plWrench w = {{0, 0, 0}, {0, 0, 0}};
  switch (s->kind) {
    case PL_SENSOR_ACCELEROMETER:
    case PL_SENSOR_IMU:
      v3_store(out, acceleration(data, plan->body, plan->frame));
      break;
    case PL_SENSOR_TAXELS:
      pl_taxels_eval(data, &plan->taxels, s->rows, pl_body_pose(data, plan->mount).q, out);
      break;
    case PL_SENSOR_WRENCH:
    case PL_SENSOR_FORCE:
    case PL_SENSOR_TORQUE:
      if (plan->joint >= 0) w = wrench_at(plan->frame, data->work->sensor->wrench[plan->joint]);
      if (s->kind != PL_SENSOR_TORQUE) v3_store(out, w.force), out += 3;
      if (s->kind != PL_SENSOR_FORCE) v3_store(out, w.moment);
      break;
    case PL_SENSOR_JOINT_EFFORT:
      for (int i = 0; i < s->columns; i++) out[i] = pl_motor_force(data, m->joint_v0[plan->joint] + i);
      break;
    case PL_SENSOR_ACTUATOR_FORCE:
      out[0] = data->actuator_force[plan->actuator];
      break;
    case PL_SENSOR_CONTACT:
      eval_contact(data, plan, out);
      break;
    case PL_SENSOR_TOUCH:
      out[0] = touch(data, plan);
      break;
    default:
      break;
  }
}

void pl_sensor_eval_forces(plData* data, int id, double* out) {
  const plSensorPlan* plan = &data->model->work->sensor[id];
  const struct plSensorWork* w = data->work->sensor;
  if (!plan->nsum) return;
  if (w->summed > 0)
    for (int i = 0; i < plan->nsum; i++) out[i] = w->sum[plan->sum0 + i] / w->summed;
  else
    eval_part(data, id, out);
  if (data->model->sensor[id].kind == PL_SENSOR_TAXELS) pl_taxels_finish(data->model->sensor[id].rows, out);
}

// ---- parts of a step

int pl_sensor_means(const plSensor* s) {
  switch (s->kind) {
    case PL_SENSOR_IMU:
      return 3;
    case PL_SENSOR_ACCELEROMETER:
    case PL_SENSOR_TAXELS:
    case PL_SENSOR_WRENCH:
    case PL_SENSOR_FORCE:
    case PL_SENSOR_TORQUE:
    case PL_SENSOR_JOINT_EFFORT:
    case PL_SENSOR_ACTUATOR_FORCE:
    case PL_SENSOR_CONTACT:
    case PL_SENSOR_TOUCH:
      return s->rows * s->columns;
    default:
      return 0;
  }
}

void pl_sensors_begin(plData* data) {
  struct plSensorWork* w = data->work->sensor;
  if (!w) return;
  w->summed = 0;
  for (int i = 0; i < w->nsum; i++) w->sum[i] = 0;
}

void pl_sensors_add_part(plData* data) {
  const plModel* m = data->model;
  struct plSensorWork* w = data->work->sensor;
  if (!w || !w->nsum) return;
  double dt = data->work->last.dt;
  for (int i = 0; i < m->nsensor; i++) w->due[i] = m->work->sensor[i].nsum > 0;
  pl_sensor_prepare_forces(data, w->due);
  for (int i = 0; i < m->nsensor; i++) {
    const plSensorPlan* plan = &m->work->sensor[i];
    if (!plan->nsum) continue;
    eval_part(data, i, w->part);
    for (int k = 0; k < plan->nsum; k++) w->sum[plan->sum0 + k] += dt * w->part[k];
  }
  w->summed += dt;
}

int pl_sensors_nsum(const plData* data) {
  return data->work->sensor && data->work->sensor->nsum ? data->work->sensor->nsum + 1 : 0;
}

void pl_sensors_keep(const plData* data, double* sums) {
  const struct plSensorWork* w = data->work->sensor;
  if (!w || !w->nsum) return;
  memcpy(sums, w->sum, (size_t)w->nsum * sizeof(double));
  sums[w->nsum] = w->summed;
}

void pl_sensors_go_back(plData* data, const double* sums) {
  struct plSensorWork* w = data->work->sensor;
  if (!w || !w->nsum) return;
  memcpy(w->sum, sums, (size_t)w->nsum * sizeof(double));
  w->summed = sums[w->nsum];
}

// ---- values of the state

void pl_sensor_prepare_state(plData* data, const bool* due) {
  const plModel* m = data->model;
  bool moving = false;
  for (int i = 0; i < m->nsensor; i++) moving |= due[i] && pl_sensor_needs_poses(m->sensor[i].kind);
  if (!moving || !m->nbody) return;
  pl_tree_kinematics(&data->work->forest, data->q, data->par->options.gravity, &data->work->tree);
  pl_tree_velocity(&data->work->forest, data->v, &data->work->tree);
}

// Velocity of a world point of a body, and its angular velocity; work->tree holds the state.
static plVec3 velocity_at(const plData* data, int body, plVec3 point, plVec3* angular) {
  int node = body < 0 ? -1 : data->model->body_node[body];
  *angular = v3(0, 0, 0);
  if (node < 0) return v3(0, 0, 0);
  const plTreeState* s = &data->work->tree;
  *angular = s->node_V[node].w;
  return motion_at(s->node_V[node], v3_sub(point, s->tree_point[pl_tree_of_node(&data->work->forest, node)]));
}

static void eval_frame(const plData* data, const plSensorPlan* plan, plSensorKind kind, double* out) {
  plPose pose = pose_mul(pl_body_pose(data, plan->body), plan->frame);
  plVec3 angular, velocity = velocity_at(data, plan->body, pose.p, &angular);
  plQuat q = quat_unit(pose.q);
  if (q.w < 0) q = (plQuat){-q.w, -q.x, -q.y, -q.z};
  switch (kind) {
    case PL_SENSOR_POSITION:
      v3_store(out, pose.p);
      break;
    case PL_SENSOR_POSE:
      v3_store(out, pose.p), out += 3;
      // fallthrough
    case PL_SENSOR_ORIENTATION:
      out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
      break;
    case PL_SENSOR_VELOCITY:
      v3_store(out, velocity), v3_store(out + 3, angular);
      break;
    case PL_SENSOR_IMU:
      out += 3;
      // fallthrough
    default:
      v3_store(out, quat_rotate(quat_conj(pose.q), angular));
  }
}

static void eval_joint(const plData* data, const plSensorPlan* plan, const plSensor* s, double* out) {
  const plModel* m = data->model;
  const double *q = data->q + m->joint_q0[plan->joint], *v = data->v + m->joint_v0[plan->joint];
  for (int i = 0; i < s->columns; i++) out[i] = s->kind == PL_SENSOR_JOINT_POSITION ? q[i] : v[i];
}

// The volume enclosed by triangles, relative to one of their points; inner surfaces face inwards.
static double enclosed(const plData* data, const plSensorPlan* plan) {
  const plModel* m = data->model;
  const double* q = data->q + m->deform_q0[plan->deform];
  int v0 = m->deform_vert0[plan->deform];
  plVec3 o = v3_load(q + 3 * (size_t)(m->tri_vert[3 * (size_t)plan->inner[0]] - v0));
  double sum = 0;
  for (int i = 0; i < plan->ninner; i++) {
    plVec3 x[3];
    for (size_t k = 0; k < 3; k++)
      x[k] = v3_sub(v3_load(q + 3 * (size_t)(m->tri_vert[3 * (size_t)plan->inner[i] + k] - v0)), o);
    sum -= v3_dot(x[0], v3_cross(x[1], x[2])) / 6;
  }
  return sum;
}

static double volume(const plData* data, int b) {
  const plModel* m = data->model;
  double sum = 0;
  for (int t = m->deform_tet0[b]; t < m->deform_tet0[b + 1]; t++)
    sum += m->tet_volume[t] * m3_det(pl_tet_gradient(m, b, t, data->q + m->deform_q0[b]));
  return sum;
}

void pl_sensor_eval_picture(const plData* data, int id, void* out) {
  const plSensorPlan* plan = &data->model->work->sensor[id];
  plPose camera = pose_mul(pl_body_pose(data, plan->body), plan->frame);
  pl_sight_draw(data, &plan->sight, camera, data->model->sensor[id].kind, &data->work->sensor->sight, out);
}

void pl_sensor_eval_state(plData* data, int id, double* out) {
  const plSensor* s = &data->model->sensor[id];
  const plSensorPlan* plan = &data->model->work->sensor[id];
  switch (s->kind) {
    case PL_SENSOR_JOINT_POSITION:
    case PL_SENSOR_JOINT_VELOCITY:
      eval_joint(data, plan, s, out);
      break;
    case PL_SENSOR_POSITION:
    case PL_SENSOR_ORIENTATION:
    case PL_SENSOR_POSE:
    case PL_SENSOR_VELOCITY:
    case PL_SENSOR_GYRO:
    case PL_SENSOR_IMU:
      eval_frame(data, plan, s->kind, out);
      break;
    case PL_SENSOR_VOLUME:
      out[0] = plan->cavity ? enclosed(data, plan) : volume(data, plan->deform);
      break;
    case PL_SENSOR_MARKERS:
      pl_markers_eval(data, plan, s->rows, out);
      break;
    default:
      break;
  }
}

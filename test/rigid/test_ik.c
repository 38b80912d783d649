// Differential inverse kinematics: bounds against brute force, a planar arm against its closed form, spare
// freedom, limits, wrong input.
#include "rigid/ik.h"

#include "base/random.h"
#include "check.h"
#include "math/pose.h"
#include "pliant/pliant.h"

// ---- a quadratic within bounds

static double cost(int n, const double* H, const double* b, const double* x) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum -= b[i] * x[i];
    for (int j = 0; j < n; j++) sum += 0.5 * x[i] * H[i + n * j] * x[j];
  }
  return sum;
}

// Random problems: the answer keeps its bounds, and no small move within them is better (the problem is
// convex).
static void the_minimum_is_the_best_within_bounds(void) {
  plRandom random = {7};
  for (int trial = 0; trial < 300; trial++) {
    int n = 1 + trial % 9;
    double J[54], H[81], b[9], lower[9], upper[9], x[9], work[90];
    bool fixed[9];
    for (int i = 0; i < 6 * n; i++) J[i] = pl_random(&random, -1, 1);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        H[i + n * j] = i == j ? 0.05 * 0.05 : 0;
        for (int r = 0; r < 6; r++) H[i + n * j] += J[6 * i + r] * J[6 * j + r];
      }
    for (int i = 0; i < n; i++) b[i] = pl_random(&random, -4, 4);
    for (int i = 0; i < n; i++) lower[i] = pl_random(&random, -1, 0), upper[i] = pl_random(&random, 0, 1);
    if (trial % 5 == 0) lower[0] = upper[0] = 0;
    pl_bounded_minimum(n, H, b, lower, upper, x, work, fixed);
    double best = cost(n, H, b, x);
    for (int i = 0; i < n; i++) {
      CHECK_BELOW(fmax(lower[i] - x[i], x[i] - upper[i]), 1e-12, 1);  // wide: the slack of the search
      for (int side = -1; side <= 1; side += 2) {
        double kept = x[i];
        x[i] = fmin(fmax(kept + side * 1e-5, lower[i]), upper[i]);
        CHECK_BELOW(best - cost(n, H, b, x), 1e-12, 1);  // wide: the same
        x[i] = kept;
      }
    }
  }
}

// ---- an arm of n hinges about z, links of 1 m along x

static plData* make_arm(int n, double limit) {
  plError error;
  plSpec* spec = pl_spec_create();
  for (int i = 0; i < n; i++) {
    char name[2][32];
    snprintf(name[0], 32, "link%d", i), snprintf(name[1], 32, "hinge%d", i);
    plBodyDef body = pl_default_body_def();
    body.name = name[0], body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.05;
    int id;
    CHECK_INT(pl_spec_add_body(spec, &body, &id, &error), PL_OK);
    plJointDef joint = pl_default_joint_def();
    joint.name = name[1], joint.parent = i ? id - 1 : -1, joint.child = id, joint.position[0] = 0.5;
    joint.pose.p.x = i ? 1 : 0, joint.dof[0].lower = -limit, joint.dof[0].upper = limit;
    CHECK_INT(pl_spec_add_joint(spec, &joint, NULL, &error), PL_OK);
  }
  const plModel* model = pl_model_create(spec, &error);
  pl_spec_destroy(spec);
  plData* data = pl_data_create(model, &error);
  pl_model_destroy(model);
  return data;
}

static plVec3 tip_of(const plData* data, int body) {
  plRigidState state;
  pl_rigid_body_state(data, body, &state);
  return pose_apply(state.pose, (plVec3){1, 0, 0});
}

static void follow(plData* data, const plIkDef* ik, int steps) {
  plError error;
  double rate[8];
  for (int k = 0; k < steps; k++) {
    CHECK_INT(pl_ik_step(data, ik, rate, &error), PL_OK);
    for (int i = 0; i < data->model->nv_rigid; i++) data->q[i] += ik->time * rate[i];
  }
}

// Two links that reach (x, y): the angle between them by the law of cosines.
static void two_links_find_the_closed_form(void) {
  plData* data = make_arm(2, INFINITY);
  static const double goal[][2] = {{1.2, 0.7}, {0.3, 1.1}, {-0.9, 0.8}, {1.9, 0.1}};
  for (int i = 0; i < 4; i++) {
    plIkDef ik = pl_default_ik_def();
    ik.body = 1, ik.point.x = 1, ik.goal = PL_IK_POSITION, ik.time = 0.05, ik.speed = 10;
    ik.target.p = (plVec3){goal[i][0], goal[i][1], 0};
    follow(data, &ik, 400);
    CHECK_BELOW(v3_norm(v3_sub(tip_of(data, 1), ik.target.p)), 1.5e-14, 1);
    double d2 = goal[i][0] * goal[i][0] + goal[i][1] * goal[i][1];
    CHECK_NEAR(cos(data->q[1]), d2 / 2 - 1, 1.1e-14);
  }
  pl_data_destroy(data);
}

// Three links and a pose in the plane: position and angle are met, and the target may move without lag.
static void three_links_reach_a_pose_that_moves(void) {
  plData* data = make_arm(3, INFINITY);
  plIkDef ik = pl_default_ik_def();
  ik.body = 2, ik.point.x = 1, ik.time = 0.01, ik.speed = 20, ik.damping = 1e-4;
  ik.target = (plPose){{1.5, 0.8, 0}, quat_exp(v3(0, 0, 0.9))};
  follow(data, &ik, 300);
  CHECK_BELOW(v3_norm(v3_sub(tip_of(data, 2), ik.target.p)), 1.5e-14, 1);
  CHECK_NEAR(data->q[0] + data->q[1] + data->q[2], 0.9, 1.2e-14);
  ik.velocity = v3(-0.2, 0.1, 0), ik.angular_velocity = v3(0, 0, 0.3);
  for (int k = 0; k < 100; k++) {
    follow(data, &ik, 1);
    ik.target.p = v3_madd(ik.target.p, ik.time, ik.velocity);
    ik.target.q = quat_mul(quat_exp(v3_scale(ik.time, ik.angular_velocity)), ik.target.q);
  }
  // the error is that of one linear step, of second order
  CHECK_BELOW(v3_norm(v3_sub(tip_of(data, 2), ik.target.p)), 1.4e-5, 1);
  pl_data_destroy(data);
}

// Four links hold a point: the remaining freedom moves towards the rest posture without moving the point.
static void spare_freedom_goes_to_rest(void) {
  plData* data = make_arm(4, INFINITY);
  const double rest[4] = {1.4, -0.6, 0.9, 0.2};
  plIkDef ik = pl_default_ik_def();
  ik.body = 3, ik.point.x = 1, ik.goal = PL_IK_POSITION, ik.time = 0.02, ik.rest = rest, ik.rest_gain = 2;
  ik.target.p = tip_of(data, 3);
  double before = 0, after = 0, rate[4], moved = 0;
  for (int i = 0; i < 4; i++) before += (rest[i] - data->q[i]) * (rest[i] - data->q[i]);
  for (int k = 0; k < 600; k++) {
    follow(data, &ik, 1);
    moved = fmax(moved, v3_norm(v3_sub(tip_of(data, 3), ik.target.p)));
  }
  CHECK_BELOW(moved, 7.4e-4, 1);
  for (int i = 0; i < 4; i++) after += (rest[i] - data->q[i]) * (rest[i] - data->q[i]);
  CHECK(after < 0.7 * before);
  // at the end the pull towards rest lies in the rows of J: nothing that keeps the point is nearer
  plError error;
  CHECK_INT(pl_ik_step(data, &ik, rate, &error), PL_OK);
  for (int i = 0; i < 4; i++) CHECK_BELOW(fabs(rate[i]), 9.1e-9, 1);
  pl_data_destroy(data);
}

static void limits_and_masks_are_kept(void) {
  plData* data = make_arm(3, 0.8);
  const bool only[3] = {true, false, true};
  plIkDef ik = pl_default_ik_def();
  ik.body = 2, ik.point.x = 1, ik.goal = PL_IK_POSITION, ik.time = 0.02, ik.speed = 2;
  ik.target.p = v3(-3, 0.5, 0);  // out of reach, and beyond the limits
  double rate[3];
  plError error;
  for (int k = 0; k < 200; k++) {
    CHECK_INT(pl_ik_step(data, &ik, rate, &error), PL_OK);
    for (int i = 0; i < 3; i++) {
      CHECK_BELOW(fabs(rate[i]) - 2, 1e-12, 1);  // wide: the slack of the search
      data->q[i] += ik.time * rate[i];
      CHECK_BELOW(fabs(data->q[i]) - 0.8, 1e-12, 1);  // wide: the same
    }
  }
  ik.move = only;
  CHECK_INT(pl_ik_step(data, &ik, rate, &error), PL_OK);
  CHECK(rate[1] == 0);
  pl_data_destroy(data);
}

static void wrong_input_is_named(void) {
  plData* data = make_arm(2, INFINITY);
  plError error;
  double rate[2] = {7, 7};
  const plIkDef good = pl_default_ik_def();
  plIkDef ik = good;
  CHECK_INT(pl_ik_step(data, &ik, rate, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "no rigid body -1");
  ik.body = 0, ik.target.p.x = NAN;
  CHECK_INT(pl_ik_step(data, &ik, rate, &error), PL_ERROR_INPUT);
  ik = good, ik.body = 0, ik.target.q.w = 2;
  CHECK_INT(pl_ik_step(data, &ik, rate, &error), PL_ERROR_INPUT);
  ik = good, ik.body = 0, ik.time = 0;
  CHECK_INT(pl_ik_step(data, &ik, rate, &error), PL_ERROR_INPUT);
  ik = good, ik.body = 0, ik.goal = (plIkGoal)9;
  CHECK_INT(pl_ik_step(data, &ik, rate, &error), PL_ERROR_INPUT);
  CHECK(rate[0] == 7 && rate[1] == 7);
  pl_data_destroy(data);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(the_minimum_is_the_best_within_bounds);
  RUN(two_links_find_the_closed_form);
  RUN(three_links_reach_a_pose_that_moves);
  RUN(spare_freedom_goes_to_rest);
  RUN(limits_and_masks_are_kept);
  RUN(wrong_input_is_named);
  return CHECK_END;
}

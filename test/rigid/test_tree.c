// test_tree.c: kernels of articulated bodies against definitions, finite differences and each other.
#include "check.h"
#include "rigid/dynamics_kernel.h"
#include "rigid/forest.h"

static const plVec3 g = {0.3, -0.2, -9.81};

// Everything a test needs of one random forest.
typedef struct Case {
  plTree* tree;
  plTreeState state, other;
  double *q, *v, *a, *M, *tau, *work;
} Case;

static Case make_case(plRandom* r, int nnode, int ntree, bool massless) {
  plNodeDef node[64];
  random_nodes(r, node, nnode, ntree, massless);
  Case c = {.tree = pl_tree_create(node, nnode, NULL)};
  const plTree* t = c.tree;
  pl_tree_state_create(t, &c.state);
  pl_tree_state_create(t, &c.other);
  c.q = PL_NEW(double, t->nq), c.v = PL_NEW(double, t->nv), c.a = PL_NEW(double, t->nv),
  c.tau = PL_NEW(double, t->nv);
  c.M = PL_NEW(double, t->tree_M0[t->ntree]), c.work = PL_NEW(double, t->nq + 8 * t->nv);
  random_state(r, t, c.q, c.v);
  for (int i = 0; i < t->nv; i++) c.a[i] = pl_random(r, -2, 2);
  return c;
}

static void free_case(Case* c) {
  pl_tree_state_destroy(&c->state), pl_tree_state_destroy(&c->other);
  pl_free(c->q), pl_free(c->v), pl_free(c->a), pl_free(c->tau), pl_free(c->M), pl_free(c->work);
  pl_tree_destroy(c->tree);
}

// M vdot from the blocks
static void mass_times(const plTree* t, const double* M, const double* x, double* y) {
  for (int b = 0; b < t->ntree; b++) {
    int v0 = t->tree_v0[b], n = t->tree_v0[b + 1] - v0;
    for (int i = 0; i < n; i++) {
      y[v0 + i] = 0;
      for (int j = 0; j < n; j++) y[v0 + i] += M[t->tree_M0[b] + j * n + i] * x[v0 + j];
    }
  }
}

// The property: composite bodies against inverse dynamics column by column, symmetric, positive
// definite.
static void mass_matrix_equals_inverse_dynamics_columns(void) {
  plRandom r = {1};
  double worst = 0;
  for (int trial = 0; trial < 1000; trial++) {
    int ntree = 1 + pl_random_int(&r, 4), nnode = 1 + pl_random_int(&r, 60);
    Case c = make_case(&r, nnode, ntree, true);
    const plTree* t = c.tree;
    double *bias = c.work, *column = c.work + t->nv, *e = c.work + 2 * t->nv;
    pl_tree_kinematics(t, c.q, g, &c.state);
    pl_tree_mass(t, &c.state, c.M);
    pl_tree_velocity(t, c.v, &c.state);
    pl_tree_inverse_dynamics(t, c.v, NULL, &c.state, bias);
    for (int b = 0; b < t->ntree; b++) {
      int v0 = t->tree_v0[b], n = t->tree_v0[b + 1] - v0;
      const double* M = c.M + t->tree_M0[b];
      double scale = 0;
      for (int i = 0; i < n; i++) scale = fmax(scale, M[i * n + i]);
      for (int j = 0; j < n; j++) {
        memset(e, 0, sizeof(double) * (size_t)t->nv);
        e[v0 + j] = 1;
        pl_tree_inverse_dynamics(t, c.v, e, &c.state, column);
        for (int i = 0; i < t->nv; i++) {
          double expected = i >= v0 && i < v0 + n ? M[j * n + i - v0] : 0;
          worst = fmax(worst, fabs(column[i] - bias[i] - expected) / (scale + fabs(bias[i])));
          if (i >= v0 && i < v0 + n) CHECK(M[j * n + i - v0] == M[(i - v0) * n + j]);
        }
      }
      double* L = PL_NEW(double, n* n);
      CHECK_INT(pl_tree_factor(t, b, M, L), -1);
      pl_free(L);
    }
    free_case(&c);
  }
  printf("mass matrix, 1000 forests: worst relative difference %.2g\n", worst);
  CHECK_NEAR(worst, 0, 2.4e-14);
}

// A free body in the axes of the world: its inertia itself, as the sum over motions gives it.
static void mass_of_single_bodies(void) {
  plRandom r = {31};
  for (int k = 0; k < 200; k++) {
    plNodeDef node[3];
    random_nodes(&r, node, 3, 3, false);
    for (int i = 0; i < 3; i++)
      node[i].parent = -1, node[i].kind = PL_NODE_FREE, node[i].pose.q = (plQuat){1, 0, 0, 0};
    plTree* t = pl_tree_create(node, 3, NULL);
    plTreeState s;
    double q[21], v[18], M[2][108];
    CHECK(pl_tree_state_create(t, &s));
    random_state(&r, t, q, v);
    pl_tree_kinematics(t, q, g, &s);
    for (int i = 0; i < 3; i++) CHECK(pl_tree_is_body(t, i));
    pl_tree_mass(t, &s, M[0]);
    for (int i = 0; i < 3; i++) t->node_straight[i] = false;
    pl_tree_mass(t, &s, M[1]);
    for (int i = 0; i < 108; i++) CHECK(M[0][i] == M[1][i]);
    pl_tree_state_destroy(&s), pl_tree_destroy(t);
  }
}

// This file compiles the kernels for any machine; the library's are those of the best instruction set.
static void kernels_of_all_instruction_sets_agree(void) {
  plRandom r = {57};
  double worst = 0;
  for (int k = 0; k < 300; k++) {
    int nnode = 1 + pl_random_int(&r, 20), ntree = 1 + pl_random_int(&r, 4);
    Case c = make_case(&r, nnode, ntree, k % 2);
    const plTree* t = c.tree;
    int nM = t->tree_M0[t->ntree];
    double *M = PL_NEW(double, nM), *tau = PL_NEW(double, t->nv), size = 0, apart = 0;
    pl_tree_kinematics(t, c.q, g, &c.state), pl_tree_velocity(t, c.v, &c.state);
    pl_tree_mass(t, &c.state, c.M), pl_tree_inverse_dynamics(t, c.v, c.a, &c.state, c.tau);
    tree_kinematics(t, c.q, g, &c.other), tree_velocity(t, c.v, &c.other);
    tree_mass(t, &c.other, M), tree_inverse_dynamics(t, c.v, c.a, &c.other, tau);
    for (int i = 0; i < t->nnode; i++)
      CHECK(v3_norm(v3_sub(c.state.node_p[i], c.other.node_p[i])) < 1e-13 * (1 + v3_norm(c.other.node_p[i])));
    for (int i = 0; i < nM; i++) size = fmax(size, fabs(M[i])), apart = fmax(apart, fabs(M[i] - c.M[i]));
    worst = fmax(worst, apart / size), size = apart = 0;
    for (int i = 0; i < t->nv; i++)
      size = fmax(size, fabs(tau[i])), apart = fmax(apart, fabs(tau[i] - c.tau[i]));
    worst = fmax(worst, apart / size);
    pl_free(M), pl_free(tau), free_case(&c);
  }
  printf("kernels of two instruction sets, 300 forests: worst relative difference %.2g\n", worst);
  CHECK(worst < 1e-12);
}

// The residual is of the size of rounding errors of the terms of M x, however badly conditioned M is.
static void factor_solves(void) {
  plRandom r = {2};
  double worst = 0;
  for (int trial = 0; trial < 200; trial++) {
    int ntree = 1 + pl_random_int(&r, 3), nnode = 1 + pl_random_int(&r, 40);
    Case c = make_case(&r, nnode, ntree, false);
    const plTree* t = c.tree;
    pl_tree_kinematics(t, c.q, g, &c.state);
    pl_tree_mass(t, &c.state, c.M);
    double *x = c.work, *y = c.work + t->nv;
    for (int b = 0; b < t->ntree; b++) {
      int v0 = t->tree_v0[b], n = t->tree_v0[b + 1] - v0;
      double* L = PL_NEW(double, n* n);
      CHECK_INT(pl_tree_factor(t, b, c.M + t->tree_M0[b], L), -1);
      for (int i = 0; i < n; i++) x[v0 + i] = c.a[v0 + i];
      pl_tree_solve(t, b, L, x + v0);
      pl_free(L);
    }
    mass_times(t, c.M, x, y);
    for (int b = 0; b < t->ntree; b++) {
      int v0 = t->tree_v0[b], n = t->tree_v0[b + 1] - v0;
      double size = 0, apart = 0;
      for (int i = 0; i < n * n; i++) size = fmax(size, fabs(c.M[t->tree_M0[b] + i] * x[v0 + i / n]));
      for (int i = 0; i < n; i++) apart = fmax(apart, fabs(y[v0 + i] - c.a[v0 + i]));
      worst = fmax(worst, apart / size);
    }
    free_case(&c);
  }
  printf("factor, 200 forests: worst residual %.2g of the largest term\n", worst);
  CHECK(worst < 4e-15);
}

// Joints along an axis of a frame that stands straight in its parent's, as files write them.
static void straighten(plRandom* r, plNodeDef* node, int n) {
  for (int i = 0; i < n; i++) {
    if (pl_random_int(r, 2)) node[i].pose.q = (plQuat){1, 0, 0, 0};
    int k = pl_random_int(r, 6);
    if (k < 3) node[i].axis = v3(k == 0, k == 1, k == 2);
  }
}

// The bias of bias_kernel.h is that of inverse dynamics; a straight joint is
// placed as any other.
static void bias_from_q_and_v_alone(void) {
  plRandom r = {23};
  double worst = 0, apart = 0;
  for (int trial = 0; trial < 300; trial++) {
    plNodeDef node[40];
    int n = 1 + pl_random_int(&r, 40);
    random_nodes(&r, node, n, 1 + pl_random_int(&r, 3), true);
    straighten(&r, node, n);
    plTree *t = pl_tree_create(node, n, NULL), *other = pl_tree_create(node, n, NULL);
    for (int i = 0; i < n; i++) other->node_straight[i] = false, other->node_along[i] = -1;
    plTreeState s, s2;
    pl_tree_state_create(t, &s), pl_tree_state_create(t, &s2);
    double *q = PL_NEW(double, t->nq), *v = PL_NEW(double, t->nv), *bias = PL_NEW(double, t->nv),
           *tau = PL_NEW(double, t->nv), scale = 1;
    plBiasNode* scratch = PL_NEW(plBiasNode, n);
    random_state(&r, t, q, v);
    pl_tree_kinematics(t, q, g, &s), pl_tree_kinematics(other, q, g, &s2);
    for (int i = 0; i < n; i++) apart = fmax(apart, v3_norm(v3_sub(s.node_p[i], s2.node_p[i])));
    pl_tree_velocity(t, v, &s);
    pl_tree_inverse_dynamics(t, v, NULL, &s, bias);
    for (int i = 0; i < t->nv; i++) scale = fmax(scale, fabs(bias[i]));
    for (int path = 0; path < 2; path++) {
      for (int b = 0; b < t->ntree; b++) pl_tree_bias(path ? t : other, b, q, v, g, scratch, tau);
      for (int i = 0; i < t->nv; i++) worst = fmax(worst, fabs(tau[i] - bias[i]) / scale);
    }
    pl_tree_state_destroy(&s), pl_tree_state_destroy(&s2), pl_tree_destroy(t), pl_tree_destroy(other);
    pl_free(q), pl_free(v), pl_free(bias), pl_free(tau), pl_free(scratch);
  }
  printf("bias from q and v, 300 forests: worst relative difference %.2g, straight frames apart %.2g m\n",
         worst, apart);
  CHECK_NEAR(worst, 0, 7e-15);
  CHECK_ROUND(apart, 0, 1);
}

static double apart_of(const void* a, const void* b, size_t size) {
  const double *x = a, *y = b;
  double off = 0, scale = 0;
  for (size_t i = 0; i < size / sizeof(double); i++)
    off = fmax(off, fabs(x[i] - y[i])), scale = fmax(scale, fabs(x[i]));
  return scale > 0 ? off / scale : off;
}

// What the kernels compute for four nodes or dofs at a time is what they compute one by one.
static void four_at_a_time(void) {
  plRandom r = {29};
  double worst[4] = {0};
  for (int trial = 0; trial < 300; trial++) {
    int ntree = 1 + pl_random_int(&r, 4), nnode = 4 + pl_random_int(&r, 57);
    Case c = make_case(&r, nnode, ntree, true);
    const plTree* t = c.tree;
    plTreeState* s = &c.state;
    pl_tree_kinematics(t, c.q, g, s), pl_tree_velocity(t, c.v, s);
    pl_tree_mass(t, s, c.M), pl_tree_inverse_dynamics(t, c.v, NULL, s, c.tau);
    size_t n = (size_t)t->nnode;
    plTreeState* one = &c.other;
    memcpy(one->node_R, s->node_R, n * sizeof(plMat3)), memcpy(one->node_p, s->node_p, n * sizeof(plVec3));
    memcpy(one->tree_point, s->tree_point, (size_t)t->ntree * sizeof(plVec3));
    memcpy(one->node_V, s->node_V, n * sizeof(plMotion)),
        memcpy(one->node_A, s->node_A, n * sizeof(plMotion));
    for (int i = 0; i < t->nnode; i++) node_inertia(t, i, g, one);
    worst[0] = fmax(worst[0], apart_of(one->node_I, s->node_I, n * sizeof(plInertia)));
    worst[1] = fmax(worst[1], apart_of(one->node_weight, s->node_weight, n * sizeof(plForce)));
    four_forces((int)n - 4, s);
    for (int i = (int)n - 4; i < (int)n; i++) node_force(i, one);
    worst[2] = fmax(worst[2], apart_of(one->node_F + n - 4, s->node_F + n - 4, 4 * sizeof(plForce)));
    for (int b = 0; b < t->ntree; b++) {
      int m = t->tree_v0[b + 1] - t->tree_v0[b];
      double* M = PL_NEW(double, m* m);
      plain_block(t, s, b, M), mirror(m, M);
      for (int i = 0; i < m; i++) M[i * m + i] += t->dof_armature[t->tree_v0[b] + i];
      worst[3] = fmax(worst[3], apart_of(M, c.M + t->tree_M0[b], sizeof(double) * (size_t)m * (size_t)m));
      pl_free(M);
    }
    free_case(&c);
  }
  printf(
      "four at a time, 300 forests: worst relative difference of inertias %.2g, weights %.2g, forces "
      "%.2g, M %.2g\n",
      worst[0], worst[1], worst[2], worst[3]);
  CHECK_NEAR(worst[0], 0, 1.5e-15);
  CHECK_NEAR(worst[1], 0, 1e-15);
  CHECK_NEAR(worst[2], 0, 6e-15);
  CHECK_NEAR(worst[3], 0, 2e-15);
}

// A hinge on its parent.
static plNodeDef random_link(plRandom* r, int parent) {
  plNodeDef d = {.parent = parent, .kind = PL_NODE_REVOLUTE};
  d.pose.p = random_vec(r, 0.3), d.pose.q = random_quat(r);
  d.axis = random_unit(r), d.inertia = random_inertia(r);
  return d;
}

// Chains of every length up to 40 take the path by panels; the answer must satisfy A x = b, and the first bad
// pivot must be named.
static void chains_of_every_length(void) {
  plRandom r = {22};
  for (int n = 1; n <= 40; n++) {
    plNodeDef node[40];
    for (int i = 0; i < n; i++) node[i] = random_link(&r, i - 1);
    plTree* t = pl_tree_create(node, n, NULL);
    plTreeState s;
    static double A[1600], L[1600], q[40], v[40], x[40], y[40];
    CHECK(pl_tree_state_create(t, &s));
    random_state(&r, t, q, v);
    pl_tree_kinematics(t, q, g, &s);
    pl_tree_mass(t, &s, A);
    CHECK_INT(pl_tree_factor(t, 0, A, L), -1);
    for (int i = 0; i < n; i++) x[i] = v[i];
    pl_tree_solve(t, 0, L, x);
    mass_times(t, A, x, y);
    for (int i = 0; i < n; i++) CHECK_NEAR(y[i], v[i], 4.9e-12);
    int bad = pl_random_int(&r, n);
    A[bad * n + bad] = -1;
    CHECK_INT(pl_tree_factor(t, 0, A, L), bad);
    pl_tree_state_destroy(&s);
    pl_tree_destroy(t);
  }
}

static void indefinite_block_names_its_dof(void) {
  plNodeDef node[2] = {{.parent = -1, .pose = pose_identity(), .axis = {0, 0, 1}},
                       {.parent = 0, .pose = pose_identity(), .axis = {0, 0, 1}}};
  plTree* t = pl_tree_create(node, 2, NULL);
  double L[4], A[4] = {1, 0, 0, -1}, B[4] = {1, 2, 2, 1}, N[4] = {1, 0, 0, NAN};
  CHECK_INT(pl_tree_factor(t, 0, A, L), 1);
  CHECK_INT(pl_tree_factor(t, 0, B, L), 0);
  CHECK_INT(pl_tree_factor(t, 0, N, L), 1);
  pl_tree_destroy(t);
}

// Columns of J against differences of the position of a point and of the orientation.
static void jacobian_matches_differences(void) {
  plRandom r = {3};
  const double h = 1e-6;
  for (int trial = 0; trial < 60; trial++) {
    Case c = make_case(&r, 1 + pl_random_int(&r, 20), 2, false);
    const plTree* t = c.tree;
    int node = pl_random_int(&r, t->nnode), b = pl_tree_of_node(t, node), v0 = t->tree_v0[b],
        n = t->tree_v0[b + 1] - v0;
    plVec3 local = random_vec(&r, 0.5);
    pl_tree_kinematics(t, c.q, g, &c.state);
    plVec3 p = v3_add(c.state.node_p[node], m3_mulv(c.state.node_R[node], local));
    double J[6 * 400], *q1 = c.work, *e = c.work + t->nq;
    pl_tree_jacobian(t, &c.state, node, p, J);
    for (int k = 0; k < n; k++) {
      plVec3 x[2];
      plMat3 R[2];
      for (int side = 0; side < 2; side++) {
        memset(e, 0, sizeof(double) * (size_t)t->nv);
        e[v0 + k] = side ? h : -h;
        pl_tree_advance(t, c.q, e, 1, q1);
        pl_tree_kinematics(t, q1, g, &c.other);
        R[side] = c.other.node_R[node];
        x[side] = v3_add(c.other.node_p[node], m3_mulv(R[side], local));
      }
      plVec3 velocity = v3_scale(0.5 / h, v3_sub(x[1], x[0]));
      plMat3 W = m3_scale(0.5 / h, m3_mul(m3_sub(R[1], R[0]), m3_transpose(c.state.node_R[node])));
      double expected[6] = {M3(W, 2, 1), M3(W, 0, 2), M3(W, 1, 0), velocity.x, velocity.y, velocity.z};
      for (int i = 0; i < 6; i++) CHECK_NEAR(J[6 * k + i], expected[i], 3.7e-9);
    }
    // J v is the node's velocity, J' F the generalised force
    pl_tree_velocity(t, c.v, &c.state);
    plVec3 r0 = v3_sub(p, c.state.tree_point[b]), at = motion_at(c.state.node_V[node], r0);
    double sum[6] = {0}, *f = c.work;
    for (int k = 0; k < n; k++)
      for (int i = 0; i < 6; i++) sum[i] += J[6 * k + i] * c.v[v0 + k];
    CHECK_NEAR(sum[0], c.state.node_V[node].w.x, 4.9e-14);
    CHECK_NEAR(sum[3], at.x, 7.7e-14);
    CHECK_NEAR(sum[4], at.y, 1.2e-13);
    CHECK_NEAR(sum[5], at.z, 1.9e-13);
    plVec3 torque = random_vec(&r, 1), force = random_vec(&r, 1);
    plForce F = {torque, force};
    memset(f, 0, sizeof(double) * (size_t)t->nv);
    pl_tree_add_force(t, &c.state, node, p, F, f);
    for (int k = 0; k < n; k++) {
      const double* j = J + 6 * k;
      CHECK_NEAR(f[v0 + k], v3_dot(v3_load(j), F.n) + v3_dot(v3_load(j + 3), F.f), 4.1e-14);
    }
    free_case(&c);
  }
}

// The position and velocity reached from (q, v) after the time h with acceleration a.
static void move_on(const plTree* t, const Case* c, double h, double* q1, double* v1) {
  for (int i = 0; i < t->nv; i++) v1[i] = c->v[i] + 0.5 * h * c->a[i];
  pl_tree_advance(t, c->q, v1, h, q1);
  for (int i = 0; i < t->nv; i++) v1[i] = c->v[i] + h * c->a[i];
}

// d'Alembert by brute force: the momentum of every node differentiated numerically along the motion, less its
// weight, projected onto every dof that moves it. Nothing of the recursion is used.
static void inverse_dynamics_is_the_rate_of_momentum(void) {
  plRandom r = {4};
  const double h = 1e-4;
  double worst = 0;
  for (int trial = 0; trial < 100; trial++) {
    Case c = make_case(&r, 1 + pl_random_int(&r, 12), 2, true);
    const plTree* t = c.tree;
    double *expected = PL_NEW(double, t->nv), *q1 = c.work, *v1 = c.work + t->nq;
    plForce* rate = PL_NEW(plForce, t->nnode);
    for (int side = -1; side <= 1; side += 2) {
      move_on(t, &c, side * h, q1, v1);
      pl_tree_kinematics(t, q1, g, &c.other);
      pl_tree_velocity(t, v1, &c.other);
      for (int i = 0; i < t->nnode; i++) {
        plForce L = inertia_mul(c.other.node_I[i], c.other.node_V[i]);
        L.n = v3_add(L.n, v3_cross(c.other.tree_point[pl_tree_of_node(t, i)], L.f));
        rate[i].n = v3_madd(rate[i].n, side / (2 * h), L.n),
        rate[i].f = v3_madd(rate[i].f, side / (2 * h), L.f);
      }
    }
    pl_tree_kinematics(t, c.q, g, &c.state);
    pl_tree_velocity(t, c.v, &c.state);
    pl_tree_inverse_dynamics(t, c.v, c.a, &c.state, c.tau);
    for (int i = 0; i < t->nv; i++) expected[i] = t->dof_armature[i] * c.a[i];
    for (int i = 0; i < t->nnode; i++) {
      plVec3 weight = v3_scale(t->node_weight[i], g);
      plVec3 moment = v3_cross(
          v3_madd(m3_mulv(c.state.node_R[i], t->node_moment[i]), t->node_weight[i], c.state.node_p[i]), g);
      plForce F = {v3_sub(rate[i].n, moment), v3_sub(rate[i].f, weight)};
      pl_tree_add_force(t, &c.state, i, v3(0, 0, 0), F, expected);
    }
    for (int i = 0; i < t->nv; i++)
      worst = fmax(worst, fabs(c.tau[i] - expected[i]) / (1 + fabs(expected[i])));
    pl_free(expected), pl_free(rate);
    free_case(&c);
  }
  printf("inverse dynamics against rates of momentum: worst %.2g\n", worst);
  CHECK_NEAR(worst, 0, 4.9e-6);
}

// dE/dt = v . tau, E from the energies
static void power_balances_energy(void) {
  plRandom r = {5};
  const double h = 1e-5;
  for (int trial = 0; trial < 100; trial++) {
    Case c = make_case(&r, 1 + pl_random_int(&r, 20), 2, false);
    const plTree* t = c.tree;
    double *q1 = c.work, *v1 = c.work + t->nq, rate = 0, power = 0;
    for (int side = -1; side <= 1; side += 2) {
      move_on(t, &c, side * h, q1, v1);
      pl_tree_kinematics(t, q1, g, &c.other);
      pl_tree_velocity(t, v1, &c.other);
      for (int b = 0; b < t->ntree; b++)
        rate += side / (2 * h) * (pl_tree_kinetic(t, &c.other, v1, b) + pl_tree_potential(t, &c.other, g, b));
    }
    pl_tree_kinematics(t, c.q, g, &c.state);
    pl_tree_velocity(t, c.v, &c.state);
    pl_tree_inverse_dynamics(t, c.v, c.a, &c.state, c.tau);
    for (int i = 0; i < t->nv; i++) power += c.v[i] * c.tau[i];
    CHECK_NEAR(rate, power, 1.6e-8 * (1 + fabs(power)));
    // the kinetic energy is v' M v / 2
    pl_tree_mass(t, &c.state, c.M);
    mass_times(t, c.M, c.v, v1);
    double vMv = 0, kinetic = 0;
    for (int i = 0; i < t->nv; i++) vMv += 0.5 * c.v[i] * v1[i];
    for (int b = 0; b < t->ntree; b++) kinetic += pl_tree_kinetic(t, &c.state, c.v, b);
    CHECK_NEAR(kinetic, vMv, 1.5e-14 * vMv);
    free_case(&c);
  }
}

static void gravity_is_inverse_dynamics_at_rest(void) {
  plRandom r = {6};
  for (int trial = 0; trial < 50; trial++) {
    Case c = make_case(&r, 1 + pl_random_int(&r, 20), 2, false);
    const plTree* t = c.tree;
    double* zero = c.work;
    memset(zero, 0, sizeof(double) * (size_t)t->nv);
    pl_tree_kinematics(t, c.q, g, &c.state);
    pl_tree_velocity(t, zero, &c.state);
    pl_tree_inverse_dynamics(t, zero, NULL, &c.state, c.tau);
    pl_tree_gravity(t, &c.state, c.a);
    for (int i = 0; i < t->nv; i++) CHECK_NEAR(c.tau[i], c.a[i], 7.7e-13 * (1 + fabs(c.a[i])));
    free_case(&c);
  }
}

static plQuat quat_at(const double* q) { return (plQuat){q[0], q[1], q[2], q[3]}; }

// qdot = N(q) v
static void rates(const plTree* tree, const double* q, const double* v, double* qdot) {
  for (int i = 0; i < tree->nnode; i++) {
    int kind = tree->node_kind[i], a = tree->node_q0[i], b = tree->node_v0[i];
    if (kind < PL_NODE_BALL) {
      qdot[a] = v[b];
      continue;
    }
    if (kind == PL_NODE_FREE) {
      v3_store(qdot + a, v3_load(v + b));
      a += 3, b += 3;
    }
    plQuat d = quat_mul((plQuat){0, 0.5 * v[b], 0.5 * v[b + 1], 0.5 * v[b + 2]}, quat_at(q + a));
    qdot[a] = d.w, qdot[a + 1] = d.x, qdot[a + 2] = d.y, qdot[a + 3] = d.z;
  }
}

// v with q1 = advance(q0, v, 1), shortest way
static void difference(const plTree* tree, const double* q0, const double* q1, double* v) {
  for (int i = 0; i < tree->nnode; i++) {
    int kind = tree->node_kind[i], a = tree->node_q0[i], b = tree->node_v0[i];
    if (kind < PL_NODE_BALL) {
      v[b] = q1[a] - q0[a];
      continue;
    }
    if (kind == PL_NODE_FREE) {
      v3_store(v + b, v3_sub(v3_load(q1 + a), v3_load(q0 + a)));
      a += 3, b += 3;
    }
    v3_store(v + b, quat_log(quat_mul(quat_at(q1 + a), quat_conj(quat_at(q0 + a)))));
  }
}

static void positions_follow_velocities(void) {
  plRandom r = {7};
  const double h = 1e-6;
  for (int trial = 0; trial < 50; trial++) {
    Case c = make_case(&r, 1 + pl_random_int(&r, 20), 3, false);
    const plTree* t = c.tree;
    double *q1 = c.work, *qdot = PL_NEW(double, t->nq), *back = PL_NEW(double, t->nv),
           *q2 = PL_NEW(double, t->nq);
    rates(t, c.q, c.v, qdot);
    pl_tree_advance(t, c.q, c.v, h, q1);
    pl_tree_advance(t, c.q, c.v, -h, q2);
    for (int i = 0; i < t->nq; i++) CHECK_NEAR((q1[i] - q2[i]) / (2 * h), qdot[i], 3.7e-10);
    pl_tree_advance(t, c.q, c.v, 0.5, q1);
    difference(t, c.q, q1, back);
    for (int i = 0; i < t->nv; i++) CHECK_ROUND(back[i], 0.5 * c.v[i], 1);
    for (int i = 0; i < t->nnode; i++)
      if (t->node_kind[i] >= PL_NODE_BALL) {
        const double* p = q1 + t->node_q0[i] + (t->node_kind[i] == PL_NODE_FREE ? 3 : 0);
        CHECK_NEAR(quat_norm((plQuat){p[0], p[1], p[2], p[3]}), 1, 4e-16);
      }
    pl_free(qdot), pl_free(back), pl_free(q2);
    free_case(&c);
  }
}

// Where the robot stands must not matter: the same chain 10 km away has the same mass matrix and bias.
static void far_from_the_origin(void) {
  plRandom r = {8};
  plNodeDef node[20];
  for (int i = 0; i < 20; i++) node[i] = random_link(&r, i - 1);
  plTree* near = pl_tree_create(node, 20, NULL);
  node[0].pose.p = v3_add(node[0].pose.p, v3(16384, -8192, 4096));
  plTree* far = pl_tree_create(node, 20, NULL);
  double q[20], v[20], bias[2][20];
  static double M[2][400];
  random_state(&r, near, q, v);
  for (int k = 0; k < 2; k++) {
    plTreeState s;
    CHECK(pl_tree_state_create(near, &s));
    pl_tree_kinematics(k ? far : near, q, g, &s);
    pl_tree_velocity(k ? far : near, v, &s);
    pl_tree_mass(k ? far : near, &s, M[k]);
    pl_tree_inverse_dynamics(k ? far : near, v, NULL, &s, bias[k]);
    pl_tree_state_destroy(&s);
  }
  for (int i = 0; i < 400; i++) CHECK_NEAR(M[0][i], M[1][i], 1.6e-10);
  for (int i = 0; i < 20; i++) CHECK_NEAR(bias[0][i], bias[1][i], 1.8e-9);
  pl_tree_destroy(near), pl_tree_destroy(far);
}

// Trees are sorted apart even when their nodes were handed in turn by turn.
static void interleaved_trees_are_sorted(void) {
  plNodeDef node[6];
  int order[6], expected[6] = {0, 3, 1, 4, 2, 5};
  for (int i = 0; i < 6; i++)
    node[i] = (plNodeDef){.parent = i < 2 ? -1 : i - 2, .pose = pose_identity(), .axis = {0, 0, 1}};
  plTree* t = pl_tree_create(node, 6, order);
  CHECK_INT(t->ntree, 2);
  CHECK_INT(t->nv, 6);
  CHECK_INT(t->tree_node0[1], 3);
  CHECK_INT(t->tree_M0[2], 18);
  for (int i = 0; i < 6; i++) CHECK_INT(order[i], expected[i]);
  CHECK_INT(t->node_parent[4], 3);
  CHECK_INT(t->dof_parent[3], -1);
  CHECK_INT(t->dof_parent[5], 4);
  CHECK_INT(pl_tree_of_node(t, 2), 0);
  CHECK_INT(pl_tree_of_node(t, 3), 1);
  pl_tree_destroy(t);
}

// The arm on which MuJoCo, KDL, Simbody and DART agree to ten digits.
static void arm_of_four_engines(void) {
  plVec3 com[4] = {{0.01, 0.02, 0.15}, {0.1, 0, 0.02}, {0.15, 0.01, 0}, {0.05, 0, 0.03}};
  double mass[4] = {2, 1.5, 1.1, 0.7},
         I[4][3] = {{0.02, 0.03, 0.015}, {0.01, 0.02, 0.012}, {0.005, 0.01, 0.011}, {0.002, 0.003, 0.0025}};
  plVec3 origin[4] = {{0, 0, 0.1}, {0, 0, 0.3}, {0.4, 0, 0}, {0.35, 0, 0}},
         axis[4] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}};
  plNodeDef node[4];
  for (int i = 0; i < 4; i++) {
    plInertia inertia = inertia_of(mass[i], com[i], (plSym3){I[i][0], I[i][1], I[i][2], 0, 0, 0});
    node[i] = (plNodeDef){.parent = i - 1,
                          .kind = PL_NODE_REVOLUTE,
                          .pose = {origin[i], {1, 0, 0, 0}},
                          .axis = axis[i],
                          .inertia = inertia,
                          .weight = mass[i],
                          .moment = inertia.h};
  }
  plTree* t = pl_tree_create(node, 4, NULL);
  plTreeState s;
  CHECK(pl_tree_state_create(t, &s));
  double q[4] = {0.3, -0.5, 0.7, 0.2}, v[4] = {0.1, 0.2, -0.3, 0.4}, M[16], bias[4];
  pl_tree_kinematics(t, q, v3(0, 0, -9.81), &s);
  pl_tree_velocity(t, v, &s);
  pl_tree_mass(t, &s, M);
  pl_tree_inverse_dynamics(t, v, NULL, &s, bias);
  static const double expected[16] = {
      0.71555168430747185,    -0.0010975001468181353, 0.0002118961553076641, -0.015815706955725522,
      -0.0010975001468181353, 0.75682633870003591,    0.29178086908082368,   0.0029452081369762918,
      0.0002118961553076641,  0.29178086908082368,    0.15033539946161162,   0.0016688223786785138,
      -0.015815706955725522,  0.0029452081369762918,  0.0016688223786785138, 0.00263};
  static const double expected_bias[4] = {0.010068720896934953, -11.663043969875066, -4.3124193537158133,
                                          -0.040217398024962062};
  for (int i = 0; i < 16; i++) CHECK_ROUND(M[i], expected[i], 0.8);
  for (int i = 0; i < 4; i++) CHECK_NEAR(bias[i], expected_bias[i], 1.6e-13);
  pl_tree_state_destroy(&s);
  pl_tree_destroy(t);
}

static void running_out_of_memory_is_clean(void) {
  plRandom r = {9};
  plNodeDef node[10];
  random_nodes(&r, node, 10, 2, false);
  plTree* whole = pl_tree_create(node, 10, NULL);
  for (long n = 0; n < 30; n++) {
    pl_alloc_fail_after(n);
    plTree* t = pl_tree_create(node, 10, NULL);
    plTreeState s;
    bool state = pl_tree_state_create(whole, &s);
    pl_alloc_fail_after(-1);
    CHECK(!t || n >= 25);
    pl_tree_destroy(t);
    if (state) pl_tree_state_destroy(&s);
  }
  pl_tree_destroy(whole);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(mass_matrix_equals_inverse_dynamics_columns);
  RUN(mass_of_single_bodies);
  RUN(kernels_of_all_instruction_sets_agree);
  RUN(four_at_a_time);
  RUN(factor_solves);
  RUN(bias_from_q_and_v_alone);
  RUN(chains_of_every_length);
  RUN(indefinite_block_names_its_dof);
  RUN(jacobian_matches_differences);
  RUN(inverse_dynamics_is_the_rate_of_momentum);
  RUN(power_balances_energy);
  RUN(gravity_is_inverse_dynamics_at_rest);
  RUN(positions_follow_velocities);
  RUN(far_from_the_origin);
  RUN(interleaved_trees_are_sorted);
  RUN(arm_of_four_engines);
  RUN(running_out_of_memory_is_clean);
  return CHECK_END;
}

// Elements as points: every element kind with every law, with and without groups: gradients, forces and
// stiffness against differences, patch test, zero modes, rigid motion, plane strain, threads.
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "fem/elastic.h"
#include "fem/hex8.h"
#include "geom/mesh.h"
#include "linalg/bsym.h"
#include "math/polar.h"
#include "math/pose.h"

enum { TET4, SMOOTHED, TET10, HEX8, NELEMENT };

// A body of the test: rest positions of all nodes, points, pattern.
typedef struct Body {
  int n;         // nodes
  double* rest;  // [3 n]
  plPoints* points;
  plBsym* K;
  plElastic* elastic;
  plElasticWork* work;
} Body;

// Interior vertices of the unit box's grid are moved by up to jitter (m).
static void jitter(int n, double* vert, plVec3 half, double size, plRandom* r) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) {
      double* x = vert + 3 * i;
      if (fabs(x[0]) < half.x - 1e-9 && fabs(x[1]) < half.y - 1e-9 && fabs(x[2]) < half.z - 1e-9)
        x[c] += pl_random(r, -size, size);
    }
}

static void make_tets(Body* body, int element, bool grouped, int cells) {
  plMesh* mesh;
  plRandom r = {5};
  CHECK_INT(pl_mesh_box_cells((plVec3){1, 0.8, 0.6}, cells, cells, cells, &mesh, NULL), PL_OK);
  jitter(mesh->nvert, mesh->vert, v3(0.5, 0.4, 0.3), 0.12 / cells, &r);
  plStatus (*const make[])(const plMesh*, plPoints**, plError*) = {pl_points_tet4, pl_points_tet4_smoothed,
                                                                   pl_points_tet10};
  CHECK_INT(make[element](mesh, &body->points, NULL), PL_OK);
  if (grouped) CHECK_INT(pl_points_set_patches(body->points, mesh, (int[]){1, 0, 4}[element], NULL), PL_OK);
  body->n = body->points->nnode;
  body->rest = PL_NEW(double, 3 * body->n);
  memcpy(body->rest, mesh->vert, 3 * (size_t)mesh->nvert * sizeof(double));
  if (element == TET10) {
    int *edge, *tet10, nedge;
    CHECK_INT(pl_tet10_nodes(mesh, &edge, &nedge, &tet10, NULL), PL_OK);
    CHECK_INT(mesh->nvert + nedge, body->n);
    for (int e = 0; e < nedge; e++)
      for (int c = 0; c < 3; c++)
        body->rest[3 * (mesh->nvert + e) + c] =
            0.5 * (mesh->vert[3 * edge[2 * e] + c] + mesh->vert[3 * edge[2 * e + 1] + c]);
    pl_free(edge), pl_free(tet10);
  }
  pl_mesh_destroy(mesh);
}

static void make_hexes(Body* body, bool grouped, int cells) {
  int m = cells + 1, nhex = 0;
  plRandom r = {6};
  body->n = m * m * m;
  body->rest = PL_NEW(double, 3 * body->n);
  int* hex = PL_NEW(int, 8 * cells * cells * cells);
  for (int i = 0; i < body->n; i++) {
    body->rest[3 * i] = 1.0 * (i % m) / cells - 0.5;
    body->rest[3 * i + 1] = 0.8 * (i / m % m) / cells - 0.4;
    body->rest[3 * i + 2] = 0.6 * (i / m / m) / cells - 0.3;
  }
  jitter(body->n, body->rest, v3(0.5, 0.4, 0.3), 0.12 / cells, &r);
  for (int k = 0; k < cells; k++)
    for (int j = 0; j < cells; j++)
      for (int i = 0; i < cells; i++, nhex++) {
        int v = (k * m + j) * m + i, s[8] = {0, 1, m + 1, m, m * m, m * m + 1, m * m + m + 1, m * m + m};
        for (int a = 0; a < 8; a++) hex[8 * nhex + a] = v + s[a];
      }
  body->points = points_hex8(body->n, body->rest, nhex, hex);
  CHECK(body->points != NULL);
  if (grouped) {
    int* label = PL_NEW(int, 8 * nhex);
    for (int q = 0; q < 8 * nhex; q++) label[q] = q / 8;
    CHECK_INT(pl_points_set_groups(body->points, nhex, label, NULL), PL_OK);
    pl_free(label);
  }
  pl_free(hex);
}

static plLaw test_law(int kind, bool grouped) {
  plMaterial m = pl_default_material();
  m.kind = (plMaterialKind)kind;
  m.lame_mu = 1.3, m.lame_lambda = 4.1;
  if (kind == PL_MATERIAL_MOONEY_RIVLIN) m.lame_mu = m.lame_lambda = 0, m.c1 = 0.4, m.c2 = 0.25, m.bulk = 5;
  return pl_law_of_material(&m, grouped);
}

static Body make_body(int element, bool grouped, int cells, int kind) {
  Body body = {0};
  if (element == HEX8)
    make_hexes(&body, grouped, cells);
  else
    make_tets(&body, element, grouped, cells);
  int nelement, *start, *node;
  CHECK_INT(pl_elastic_couplings(body.points, &nelement, &start, &node, NULL), PL_OK);
  CHECK_INT(pl_bsym_create(body.n, nelement, start, node, &body.K, NULL), PL_OK);
  CHECK_INT(
      pl_elastic_create(body.points, (plMaterialKind)kind, body.K->col0, body.K->row, &body.elastic, NULL),
      PL_OK);
  body.work = pl_elastic_work_create(body.elastic, test_law(kind, grouped));
  pl_free(start), pl_free(node);
  return body;
}

static void free_body(Body* body) {
  pl_elastic_work_destroy(body->work);
  pl_elastic_destroy(body->elastic);
  pl_bsym_destroy(body->K);
  pl_points_destroy(body->points);
  pl_free(body->rest);
}

// x = R (1 + noise) rest + noise
static double* random_positions(const Body* body, double noise, plRandom* r) {
  double* x = PL_NEW(double, 3 * body->n);
  plMat3 A = quat_matrix(quat_from_axis_angle(v3(1, -2, 0.5), 0.8));
  for (int i = 0; i < body->n; i++)
    v3_store(x + 3 * i, v3_add(m3_mulv(A, v3_load(body->rest + 3 * i)), v3(2, -1, 3)));
  for (int i = 0; i < 3 * body->n; i++) x[i] += pl_random(r, -noise, noise);
  return x;
}

static void volumes_and_gradients_are_exact_for_linear_fields(void) {
  for (int element = 0; element < NELEMENT; element++) {
    Body body = make_body(element, element == SMOOTHED, 3, PL_MATERIAL_LINEAR);
    const plPoints* p = body.points;
    double volume = 0;
    for (int q = 0; q < p->npoint; q++) volume += p->volume[q];
    CHECK_ROUND(volume, 0.48, 0.5);

    plRandom r = {7};
    plMat3 A;
    for (int i = 0; i < 9; i++) A.m[i] = pl_random(&r, -1, 1);
    double* x = PL_NEW(double, 3 * body.n);
    for (int i = 0; i < body.n; i++)
      v3_store(x + 3 * i, v3_add(v3(5, 6, 7), m3_mulv(A, v3_load(body.rest + 3 * i))));
    for (int q = 0; q < p->npoint; q++)
      for (int i = 0; i < 9; i++) CHECK_NEAR(pl_points_gradient(p, q, x).m[i], A.m[i], 3.9e-14);
    pl_free(x);
    free_body(&body);
  }
}

// every element, every law, with and without groups, strongly deformed
static void forces_are_derivatives_of_energy(void) {
  const double h = 1e-4;
  for (int element = 0; element < NELEMENT; element++)
    for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++)
      for (int grouped = 0; grouped < 2; grouped++) {
        Body body = make_body(element, grouped, element == TET10 ? 1 : 2, kind);
        plRandom r = {8};
        double *x = random_positions(&body, 0.06, &r), *f = PL_NEW(double, 3 * body.n);
        pl_elastic_freeze(body.elastic, body.work, x, NULL);
        pl_elastic_force(body.elastic, body.work, x, f, NULL);
        for (int k = 0; k < 12; k++) {
          int i = pl_random_int(&r, 3 * body.n);
          double e[4], x0 = x[i];
          for (int s = 0; s < 4; s++) {
            x[i] = x0 + h * (double[]){-2, -1, 1, 2}[s];
            e[s] = pl_elastic_energy(body.elastic, body.work, x, NULL);
          }
          x[i] = x0;
          CHECK_NEAR(f[i], -(e[0] - 8 * e[1] + 8 * e[2] - e[3]) / (12 * h), 8.4e-12);
        }
        pl_free(x), pl_free(f);
        free_body(&body);
      }
}

static void stiffness_is_derivative_of_forces(void) {
  const double h = 1e-4;
  for (int element = 0; element < NELEMENT; element++)
    for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++)
      for (int grouped = 0; grouped < 2; grouped++) {
        Body body = make_body(element, grouped, element == TET10 ? 1 : 2, kind);
        plRandom r = {9};
        int n = 3 * body.n;
        double *x = random_positions(&body, 0.06, &r), *f[5], *d = PL_NEW(double, n), *Kd = PL_NEW(double, n),
               *y = PL_NEW(double, n);
        for (int s = 0; s < 5; s++) f[s] = PL_NEW(double, n);
        for (int i = 0; i < n; i++) d[i] = pl_random(&r, -1, 1);
        pl_elastic_freeze(body.elastic, body.work, x, NULL);
        pl_elastic_stiffness(body.elastic, body.work, x, PL_TANGENT_EXACT, 2, 0, NULL, 0, body.K->block, f[4],
                             NULL);
        pl_bsym_multiply(body.K, d, Kd);
        for (int s = 0; s < 4; s++) {
          for (int i = 0; i < n; i++) y[i] = x[i] + h * (double[]){-2, -1, 1, 2}[s] * d[i];
          pl_elastic_force(body.elastic, body.work, y, f[s], NULL);
        }
        for (int i = 0; i < n; i++)
          CHECK_NEAR(Kd[i], -2 * (f[0][i] - 8 * f[1][i] + 8 * f[2][i] - f[3][i]) / (12 * h), 2.7e-10);
        // the forces that come along with the stiffness are the same
        pl_elastic_force(body.elastic, body.work, x, f[0], NULL);
        for (int i = 0; i < n; i++) CHECK_NEAR(f[4][i], f[0][i], 1.6e-14);
        for (int s = 0; s < 5; s++) pl_free(f[s]);
        pl_free(x), pl_free(d), pl_free(Kd), pl_free(y);
        free_body(&body);
      }
}

// dense copy of K, both triangles
static double* dense(const plBsym* K) {
  int n = 3 * K->n;
  double* A = PL_NEW(double, (size_t)n*(size_t)n);
  for (int j = 0; j < K->n; j++)
    for (int k = K->col0[j]; k < K->col0[j + 1]; k++)
      for (int c = 0; c < 9; c++) {
        int row = 3 * K->row[k] + c % 3, col = 3 * j + c / 3;
        A[n * col + row] = A[n * row + col] = K->block[9 * k + c];
      }
  return A;
}

static void dense_eigenvalues(int n, double* A, double* w) {
  for (int sweep = 0; sweep < 12; sweep++)
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        double a = A[n * q + p];
        if (fabs(a) < 1e-18) continue;
        double zeta = (A[n * q + q] - A[n * p + p]) / (2 * a),
               t = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta));
        double c = 1 / sqrt(1 + t * t), s = c * t;
        for (int i = 0; i < n; i++) {
          double x = A[n * p + i], y = A[n * q + i];
          A[n * p + i] = c * x - s * y, A[n * q + i] = s * x + c * y;
        }
        for (int i = 0; i < n; i++) {
          double x = A[n * i + p], y = A[n * i + q];
          A[n * i + p] = c * x - s * y, A[n * i + q] = s * x + c * y;
        }
      }
  for (int i = 0; i < n; i++) w[i] = A[n * i + i];
}

// six zero modes at rest and no other low one; also after freezing a rotation
static void bodies_have_six_zero_modes(void) {
  for (int element = 0; element < NELEMENT; element++)
    for (int grouped = 0; grouped < 2; grouped++) {
      Body body = make_body(element, grouped, element == TET10 ? 1 : 2, PL_MATERIAL_LINEAR_COROTATED);
      plRandom r = {10};
      int n = 3 * body.n, zero = 0, low = 0;
      double *x = random_positions(&body, 0, &r), *w = PL_NEW(double, n), top = 0;
      pl_elastic_freeze(body.elastic, body.work, x, NULL);
      pl_elastic_stiffness(body.elastic, body.work, x, PL_TANGENT_EXACT, 1, 0, NULL, 0, body.K->block, NULL,
                           NULL);
      double* A = dense(body.K);
      dense_eigenvalues(n, A, w);
      for (int i = 0; i < n; i++) top = fmax(top, w[i]);
      for (int i = 0; i < n; i++) zero += fabs(w[i]) < 1e-12 * top, low += w[i] < 1e-4 * top;
      CHECK_INT(zero, 6);
      CHECK_INT(low, 6);
      pl_free(A), pl_free(x), pl_free(w);
      free_body(&body);
    }
}

static void projected_stiffness_is_semidefinite(void) {
  for (int element = 0; element < NELEMENT; element++)
    for (int kind = 0; kind < PL_MATERIAL_COUNT; kind++) {
      Body body = make_body(element, true, 1, kind);
      plRandom r = {11};
      int n = 3 * body.n;
      double *x = random_positions(&body, 0.5, &r), *w = PL_NEW(double, n), low = 0, top = 0;
      pl_elastic_stiffness(body.elastic, body.work, x, PL_TANGENT_PROJECTED, 1, 0, NULL, 0, body.K->block,
                           NULL, NULL);
      double* A = dense(body.K);
      dense_eigenvalues(n, A, w);
      for (int i = 0; i < n; i++) top = fmax(top, w[i]), low = fmin(low, w[i]);
      CHECK_BELOW(-low, 1.5e-14, top);
      pl_free(A), pl_free(x), pl_free(w);
      free_body(&body);
    }
}

// The viscous tangent: no rate of strain in a rigid motion of any deformed body, never negative, and at rest
// the stiffness itself.
static void viscosity_takes_nothing_from_rigid_motion(void) {
  for (int element = 0; element < NELEMENT; element++)
    for (int kind = PL_MATERIAL_COROTATED; kind < PL_MATERIAL_COUNT; kind++) {
      Body body = make_body(element, kind % 2, 1, kind);
      plRandom r = {(uint64_t)(20 + kind)};
      int n = 3 * body.n;
      double *x = random_positions(&body, 0.2, &r), *v = PL_NEW(double, n), *y = PL_NEW(double, n), low = 0,
             top = 0;
      pl_elastic_stiffness(body.elastic, body.work, x, PL_TANGENT_VISCOUS, 1, 0, NULL, 0, body.K->block, NULL,
                           NULL);
      plVec3 u = v3(pl_random(&r, -1, 1), 2, 3), w = {.y = -1};
      w.z = pl_random(&r, -3, 3), w.x = pl_random(&r, -3, 3);
      for (int i = 0; i < body.n; i++) v3_store(v + 3 * i, v3_add(u, v3_cross(w, v3_load(x + 3 * i))));
      pl_bsym_multiply(body.K, v, y);
      double *A = dense(body.K), *values = PL_NEW(double, n), rest = 0;
      dense_eigenvalues(n, A, values);
      for (int i = 0; i < n; i++)
        top = fmax(top, values[i]), low = fmin(low, values[i]), rest = fmax(rest, fabs(y[i]));
      CHECK_BELOW(-low, 1.5e-14, top);
      CHECK_BELOW(rest, 1.5e-14, top * (v3_norm(u) + v3_norm(w)));
      // at rest
      size_t size = 9 * (size_t)body.K->nblock;
      double *D = PL_NEW(double, size), worst = 0;
      pl_elastic_stiffness(body.elastic, body.work, body.rest, PL_TANGENT_VISCOUS, 1, 0, NULL, 0, D, NULL,
                           NULL);
      pl_elastic_stiffness(body.elastic, body.work, body.rest, PL_TANGENT_EXACT, 1, 0, NULL, 0, body.K->block,
                           NULL, NULL);
      for (size_t i = 0; i < size; i++) worst = fmax(worst, fabs(D[i] - body.K->block[i]));
      CHECK_BELOW(worst, 9.7e-14, top);
      pl_free(A), pl_free(x), pl_free(v), pl_free(y), pl_free(values), pl_free(D);
      free_body(&body);
    }
}

// In a motion x' = dF X of an affinely deformed body x = F X that keeps the law's measure of volume,
// dtheta/dF : dF = 0, the viscous power is that of the rate of Green's strain alone, V 2 mu |sym F'dF|^2:
// a large lambda takes nothing.
static void viscosity_of_volume_takes_nothing_where_volume_stays(void) {
  for (int element = 0; element < NELEMENT; element++)
    for (int kind = PL_MATERIAL_COROTATED; kind < PL_MATERIAL_COUNT; kind++)
      for (int grouped = 0; grouped < 2; grouped++) {
        Body body = make_body(element, grouped, 1, kind);
        plRandom r = {(uint64_t)(80 + 10 * kind + element)};
        plLaw law = test_law(kind, grouped);
        int n = 3 * body.n;
        double *x = PL_NEW(double, n), *v = PL_NEW(double, n), *y = PL_NEW(double, n), volume = 0;
        for (int q = 0; q < body.points->npoint; q++) volume += body.points->volume[q];
        for (int trial = 0; trial < 5; trial++) {
          plMat3 F, dF, T, rate;
          double power = 0;
          for (int i = 0; i < 9; i++)
            F.m[i] = (i % 4 == 0) + pl_random(&r, -0.4, 0.4), dF.m[i] = pl_random(&r, -1, 1);
          pl_law_stress(&law, F, m3_identity(), 0, &T);
          dF = m3_sub(dF, m3_scale(m3_dot(T, dF) / m3_dot(T, T), T));
          for (int i = 0; i < body.n; i++) {
            plVec3 X = v3_load(body.rest + 3 * i);
            v3_store(x + 3 * i, m3_mulv(F, X)), v3_store(v + 3 * i, m3_mulv(dF, X));
          }
          pl_elastic_stiffness(body.elastic, body.work, x, PL_TANGENT_VISCOUS, 1, 0, NULL, 0, body.K->block,
                               NULL, NULL);
          pl_bsym_multiply(body.K, v, y);
          for (int i = 0; i < n; i++) power += v[i] * y[i];
          rate = m3_mul(m3_transpose(F), dF);
          rate = m3_scale(0.5, m3_add(rate, m3_transpose(rate)));
          CHECK_NEAR(power, 2 * law.mu * volume * m3_dot(rate, rate), 1e-13 * (law.lambda + law.kappa));
        }
        pl_free(x), pl_free(v), pl_free(y);
        free_body(&body);
      }
}

// K_t as blocks and as a product are the same for every element, and it is never negative.
static void tension_is_one_matrix(void) {
  for (int element = 0; element < NELEMENT; element++)
    for (int grouped = 0; grouped < 2; grouped++) {
      Body body = make_body(element, grouped, 2, PL_MATERIAL_LINEAR_COROTATED);
      plRandom r = {41};
      int n = 3 * body.n;
      double *x = random_positions(&body, 0.02, &r), *v = PL_NEW(double, n), *y[3], energy = 0, size = 0;
      for (int j = 0; j < 3; j++) y[j] = PL_NEW(double, n);
      for (int i = 0; i < n; i++) v[i] = pl_random(&r, -1, 1);
      pl_elastic_freeze(body.elastic, body.work, x, NULL);
      for (int j = 0; j < 2; j++) {
        pl_elastic_stiffness(body.elastic, body.work, x, PL_TANGENT_EXACT, 1, 3.0 * j, NULL, 0, body.K->block,
                             NULL, NULL);
        pl_bsym_multiply(body.K, v, y[j]);
      }
      pl_elastic_add_tension(body.elastic, body.work, v, 3, y[2]);
      for (int i = 0; i < n; i++) size = fmax(size, fabs(y[0][i])), energy += v[i] * y[2][i];
      for (int i = 0; i < n; i++) CHECK_NEAR(y[1][i] - y[0][i], y[2][i], 5.8e-15 * size);
      CHECK(energy > 0);
      for (int j = 0; j < 3; j++) pl_free(y[j]);
      pl_free(x), pl_free(v);
      free_body(&body);
    }
}

// a rigid motion costs nothing; forces and moments of a deformed body vanish in sum
static void rigid_motion_costs_nothing(void) {
  for (int element = 0; element < NELEMENT; element++)
    for (int kind = PL_MATERIAL_LINEAR_COROTATED; kind < PL_MATERIAL_COUNT; kind++) {
      Body body = make_body(element, true, 2, kind);
      plRandom r = {12};
      double *x = random_positions(&body, 0, &r), *f = PL_NEW(double, 3 * body.n);
      pl_elastic_freeze(body.elastic, body.work, x, NULL);
      pl_elastic_force(body.elastic, body.work, x, f, NULL);
      for (int i = 0; i < 3 * body.n; i++) CHECK_ROUND(f[i], 0, 1);
      CHECK_ROUND(pl_elastic_energy(body.elastic, body.work, x, NULL), 0, 0.5);

      double* y = random_positions(&body, 0.05, &r);
      plVec3 force = v3(0, 0, 0), moment = v3(0, 0, 0);
      pl_elastic_freeze(body.elastic, body.work, y, NULL);
      pl_elastic_force(body.elastic, body.work, y, f, NULL);
      for (int i = 0; i < body.n; i++) {
        force = v3_add(force, v3_load(f + 3 * i));
        moment = v3_add(moment, v3_cross(v3_load(y + 3 * i), v3_load(f + 3 * i)));
      }
      CHECK_ROUND(v3_norm(force), 0, 1);
      CHECK_NEAR(v3_norm(moment), 0, 1.4e-14);
      pl_free(x), pl_free(y), pl_free(f);
      free_body(&body);
    }
}

// Solves the dense system A x = b by Gaussian elimination with pivoting, in place.
static void solve_dense(int n, double* A, double* b) {
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k; i < n; i++)
      if (fabs(A[n * k + i]) > fabs(A[n * k + p])) p = i;
    for (int j = k; j < n; j++) {
      double t = A[n * j + k];
      A[n * j + k] = A[n * j + p], A[n * j + p] = t;
    }
    double t = b[k];
    b[k] = b[p], b[p] = t;
    for (int i = k + 1; i < n; i++) {
      double l = A[n * k + i] / A[n * k + k];
      for (int j = k; j < n; j++) A[n * j + i] -= l * A[n * j + k];
      b[i] -= l * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) b[k] -= A[n * j + k] * b[j];
    b[k] /= A[n * k + k];
  }
}

// u = A x + b on the boundary: interior nodes follow to 1e-12 and the gradient is uniform
static void patch_test(void) {
  plMat3 A = {{1e-3, 4e-4, -7e-4, 2e-4, -6e-4, 5e-4, 9e-4, -3e-4, 8e-4}};
  for (int element = 0; element < NELEMENT; element++)
    for (int grouped = 0; grouped < 2; grouped++) {
      Body body = make_body(element, grouped, element == TET10 ? 2 : 3, PL_MATERIAL_LINEAR);
      int n = 0, *inner = PL_NEW(int, body.n);
      double *x = PL_NEW(double, 3 * body.n), *f = PL_NEW(double, 3 * body.n);
      for (int i = 0; i < body.n; i++) {
        const double* X = body.rest + 3 * i;
        bool inside = fabs(X[0]) < 0.5 - 1e-9 && fabs(X[1]) < 0.4 - 1e-9 && fabs(X[2]) < 0.3 - 1e-9;
        if (inside) inner[n++] = i;
        v3_store(x + 3 * i, inside ? v3_load(X) : v3_add(v3_load(X), m3_mulv(A, v3_load(X))));
      }
      CHECK(n > 0);
      pl_elastic_stiffness(body.elastic, body.work, x, PL_TANGENT_EXACT, 1, 0, NULL, 0, body.K->block, f,
                           NULL);
      double *K = dense(body.K), *S = PL_NEW(double, 9 * n * n), *b = PL_NEW(double, 3 * n);
      for (int i = 0; i < 3 * n; i++) {
        b[i] = f[3 * inner[i / 3] + i % 3];
        for (int j = 0; j < 3 * n; j++)
          S[3 * n * j + i] = K[3 * body.n * (3 * inner[j / 3] + j % 3) + 3 * inner[i / 3] + i % 3];
      }
      solve_dense(3 * n, S, b);
      for (int i = 0; i < n; i++) {
        plVec3 X = v3_load(body.rest + 3 * inner[i]), u = m3_mulv(A, X);
        CHECK_ROUND(v3_norm(v3_sub(v3(b[3 * i], b[3 * i + 1], b[3 * i + 2]), u)), 0, 1);
        v3_store(x + 3 * inner[i], v3_add(X, v3(b[3 * i], b[3 * i + 1], b[3 * i + 2])));
      }
      for (int q = 0; q < body.points->npoint; q++)
        for (int k = 0; k < 9; k++)
          CHECK_ROUND(pl_points_gradient(body.points, q, x).m[k], A.m[k] + (k % 4 == 0), 1);
      pl_free(inner), pl_free(x), pl_free(f), pl_free(K), pl_free(S), pl_free(b);
      free_body(&body);
    }
}

// the appendix carries over to other elements: with one rotation frozen everywhere K of a uniform hexahedron
// is semi-definite and has the bulk mode's energy (2 mu + 3 lambda) e^2 3 V / 2
static void hexahedron_has_the_appendix_property(void) {
  Body body = make_body(HEX8, false, 1, PL_MATERIAL_LINEAR_COROTATED);
  plRandom r = {13};
  plLaw law = test_law(PL_MATERIAL_LINEAR_COROTATED, false);
  int n = 3 * body.n, zero = 0;
  double *x = random_positions(&body, 0, &r), *w = PL_NEW(double, n), *y = PL_NEW(double, n), top = 0;
  pl_elastic_freeze(body.elastic, body.work, x, NULL);
  for (int i = 0; i < n; i++) y[i] = 1.1 * x[i];
  CHECK_ROUND(pl_elastic_energy(body.elastic, body.work, y, NULL),
              0.48 * 0.01 * 1.5 * (2 * law.mu + 3 * law.lambda), 0.2);
  pl_elastic_stiffness(body.elastic, body.work, x, PL_TANGENT_EXACT, 1, 0, NULL, 0, body.K->block, NULL,
                       NULL);
  double* A = dense(body.K);
  dense_eigenvalues(n, A, w);
  for (int i = 0; i < n; i++) top = fmax(top, w[i]);
  for (int i = 0; i < n; i++) {
    zero += fabs(w[i]) < 1e-12 * top;
    CHECK_BELOW(-w[i], 1.5e-14, top);
  }
  CHECK_INT(zero, 6);
  pl_free(A), pl_free(x), pl_free(w), pl_free(y);
  free_body(&body);
}

// d/dz = 0: a motion along z that varies with z costs nothing, in-plane stretch costs the plane-strain energy
static void plane_strain_drops_the_third_direction(void) {
  Body body = {0};
  make_tets(&body, TET4, true, 2);
  CHECK(pl_points_set_plane_strain(body.points, body.rest));
  int nelement, *start, *node;
  CHECK_INT(pl_elastic_couplings(body.points, &nelement, &start, &node, NULL), PL_OK);
  CHECK_INT(pl_bsym_create(body.n, nelement, start, node, &body.K, NULL), PL_OK);
  plLaw law = test_law(PL_MATERIAL_NEO_HOOKEAN, true), whole = test_law(PL_MATERIAL_NEO_HOOKEAN, false);
  CHECK_INT(pl_elastic_create(body.points, law.kind, body.K->col0, body.K->row, &body.elastic, NULL), PL_OK);
  body.work = pl_elastic_work_create(body.elastic, law);
  double *x = PL_NEW(double, 3 * body.n), *f = PL_NEW(double, 3 * body.n), theta;
  for (int i = 0; i < body.n; i++) {
    const double* X = body.rest + 3 * i;
    v3_store(x + 3 * i, v3(1.2 * X[0] + 0.1 * X[1], 0.9 * X[1], X[2]));
  }
  plMat3 F = {{1.2, 0, 0, 0.1, 0.9, 0, 0, 0, 1}};
  CHECK_ROUND(pl_elastic_energy(body.elastic, body.work, x, NULL), 0.48 * pl_law_energy(&whole, F, F, &theta),
              0.04);
  pl_elastic_force(body.elastic, body.work, x, f, NULL);
  for (int i = 0; i < body.n; i++) CHECK_ROUND(f[3 * i + 2], 0, 0.5);
  pl_free(x), pl_free(f), pl_free(start), pl_free(node);
  free_body(&body);
}

// Nodes behind each other are held together for every element and law: moving one layer of an extruded mesh
// in the plane costs energy, moving or turning all of them costs none, and forces and stiffness are the
// derivatives of that energy.
static void layers_in_plane_strain_hold_together(void) {
  plStatus (*const make[])(const plMesh*, plPoints**, plError*) = {pl_points_tet4, pl_points_tet4_smoothed,
                                                                   pl_points_tet10};
  plRandom r = {31};
  for (int kind = 0; kind < 3 * PL_MATERIAL_COUNT; kind++) {
    plMesh* mesh;
    plLaw law = test_law(kind / 3, false);
    CHECK_INT(pl_mesh_box_cells((plVec3){1, 0.8, 0.6}, 2, 2, 2, &mesh, NULL), PL_OK);
    plPoints* points;
    CHECK_INT(make[kind % 3](mesh, &points, NULL), PL_OK);
    int n = points->nnode, *edge, nedge, nelement, *start, *node;
    CHECK_INT(pl_mesh_edges(mesh, &edge, &nedge, NULL), PL_OK);
    double *rest = PL_NEW(double, 3 * n), *x = PL_NEW(double, 3 * n), *f = PL_NEW(double, 3 * n);
    for (int i = 0; i < 3 * n; i++) {
      int e = i / 3 - mesh->nvert;
      rest[i] = e < 0 ? mesh->vert[i]
                      : 0.5 * (mesh->vert[3 * edge[2 * e] + i % 3] + mesh->vert[3 * edge[2 * e + 1] + i % 3]);
    }
    CHECK(pl_points_set_plane_strain(points, rest));
    plBsym* K;
    plElastic* elastic;
    CHECK_INT(pl_elastic_couplings(points, &nelement, &start, &node, NULL), PL_OK);
    CHECK_INT(pl_bsym_create(n, nelement, start, node, &K, NULL), PL_OK);
    CHECK_INT(pl_elastic_create(points, law.kind, K->col0, K->row, &elastic, NULL), PL_OK);
    plElasticWork* work = pl_elastic_work_create(elastic, law);
    bool turns = law.kind != PL_MATERIAL_LINEAR;
    double angle = turns ? pl_random(&r, -3, 3) : 0, c = cos(angle), s = sin(angle),
           dx = pl_random(&r, 0.1, 0.5), slide[2];
    for (int moved = 0; moved < 2; moved++) {
      for (int i = 0; i < n; i++) {
        const double* X = rest + 3 * i;
        bool front = moved && X[2] > 0.2;
        v3_store(x + 3 * i, v3(c * X[0] - s * X[1] + (front ? dx : 0), s * X[0] + c * X[1] + 5, X[2]));
      }
      slide[moved] = pl_elastic_own_energy(elastic, work, x, true, NULL);
    }
    CHECK_ROUND(slide[0], 0, law.mu);
    CHECK(slide[1] > 1e-3 * law.mu * dx * dx);
    // f = -dE/dx and K = -df/dx along random directions
    double *dir = PL_NEW(double, 3 * n), *ahead = PL_NEW(double, 3 * n), *Kd = PL_NEW(double, 3 * n);
    double h = 1e-6, E[2], slope = 0, curve = 0, change = 0;
    for (int i = 0; i < 3 * n; i++) dir[i] = i % 3 < 2 ? pl_random(&r, -1, 1) : 0;
    pl_elastic_freeze(elastic, work, x, NULL);
    pl_elastic_stiffness(elastic, work, x, PL_TANGENT_EXACT, 1, 0, NULL, 0, K->block, f, NULL);
    pl_bsym_multiply(K, dir, Kd);
    for (int i = 0; i < 3 * n; i++) slope -= f[i] * dir[i], curve += dir[i] * Kd[i];
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 3 * n; i++) ahead[i] = x[i] + (k ? h : -h) * dir[i];
      E[k] = pl_elastic_energy(elastic, work, ahead, NULL);
      pl_elastic_force(elastic, work, ahead, f, NULL);
      for (int i = 0; i < 3 * n; i++) change -= (k ? 1 : -1) * f[i] * dir[i] / (2 * h);
    }
    CHECK_ROUND((E[1] - E[0]) / (2 * h), slope, (E[0] + E[1]) / (2 * h));
    CHECK_NEAR(change, curve, 5.4e-10 * (fabs(curve) + law.mu));
    pl_elastic_work_destroy(work), pl_elastic_destroy(elastic), pl_bsym_destroy(K), pl_points_destroy(points);
    pl_mesh_destroy(mesh), pl_free(edge), pl_free(start), pl_free(node), pl_free(rest), pl_free(x),
        pl_free(f);
    pl_free(dir), pl_free(ahead), pl_free(Kd);
  }
}

// Bodies of several chunks (elastic_tables.c), some of fewer than there are threads.
static void threads_do_not_change_a_bit(void) {
  for (int element = 0; element < NELEMENT; element++) {
    Body body = make_body(element, true, 7, element % 2 ? PL_MATERIAL_COROTATED : PL_MATERIAL_MOONEY_RIVLIN);
    plRandom r = {14};
    int n = 3 * body.n, nk = 9 * body.K->nblock;
    double *x = random_positions(&body, 0.02, &r), *f = PL_NEW(double, n), *g = PL_NEW(double, n),
           *k = PL_NEW(double, nk);
    pl_elastic_stiffness(body.elastic, body.work, x, PL_TANGENT_PROJECTED, 1, 0, NULL, 0, k, f, NULL);
    double e = pl_elastic_energy(body.elastic, body.work, x, NULL);
    for (int threads = 2; threads <= 44; threads = threads < 4 ? threads + 1 : 4 * threads - 4) {
      plPool* pool = pl_pool_create(threads);
      pl_elastic_stiffness(body.elastic, body.work, x, PL_TANGENT_PROJECTED, 1, 0, NULL, 0, body.K->block, g,
                           pool);
      CHECK(!memcmp(f, g, (size_t)n * sizeof(double)) &&
            !memcmp(k, body.K->block, (size_t)nk * sizeof(double)));
      CHECK(e == pl_elastic_energy(body.elastic, body.work, x, pool));
      pl_pool_destroy(pool);
    }
    pl_free(x), pl_free(f), pl_free(g), pl_free(k);
    free_body(&body);
  }
}

// K = -df/dx along random directions, in bodies of several chunks.
static void chunks_add_up(void) {
  for (int element = 0; element < NELEMENT; element++) {
    Body body = make_body(element, element % 2, 7, PL_MATERIAL_MOONEY_RIVLIN);
    plRandom r = {15};
    int n = 3 * body.n;
    double *x = random_positions(&body, 0.02, &r), *f = PL_NEW(double, n), *d = PL_NEW(double, n),
           *Kd = PL_NEW(double, n), h = 1e-6, off = 0, size = 0;
    pl_elastic_stiffness(body.elastic, body.work, x, PL_TANGENT_EXACT, 1, 0, NULL, 0, body.K->block, NULL,
                         NULL);
    for (int i = 0; i < n; i++) d[i] = pl_random(&r, -1, 1);
    pl_bsym_multiply(body.K, d, Kd);
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < n; i++) x[i] += (k ? -2 : 1) * h * d[i];
      pl_elastic_force(body.elastic, body.work, x, f, NULL);
      for (int i = 0; i < n; i++) Kd[i] += (k ? -1 : 1) * f[i] / (2 * h), size = fmax(size, fabs(f[i]));
    }
    for (int i = 0; i < n; i++) off = fmax(off, fabs(Kd[i]));
    printf("%s: %g of %g\n", element % 2 ? "grouped" : "alone", off, size);
    CHECK_BELOW(off, 1e-6, size);
    pl_free(x), pl_free(f), pl_free(d), pl_free(Kd);
    free_body(&body);
  }
}

static void bad_elements_are_refused(void) {
  double vert[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0};
  int inverted[] = {0, 2, 1, 3}, flat[] = {0, 1, 2, 4}, outside[] = {0, 1, 2, 9};
  plMesh mesh = {.nvert = 5, .ntet = 1, .vert = vert};
  plPoints* points;
  plError error;
  for (int k = 0; k < 3; k++) {
    mesh.tet = k == 0 ? inverted : k == 1 ? flat : outside;
    CHECK_INT(pl_points_tet4(&mesh, &points, &error), PL_ERROR_INPUT);
    CHECK_INT(pl_points_tet4_smoothed(&mesh, &points, &error), PL_ERROR_INPUT);
    CHECK_INT(pl_points_tet10(&mesh, &points, &error), PL_ERROR_INPUT);
    CHECK(points == NULL);
  }
}

static void memory_faults_are_statuses(void) {
  plMesh* mesh;
  CHECK_INT(pl_mesh_box_cells((plVec3){1, 1, 1}, 1, 1, 1, &mesh, NULL), PL_OK);
  int done = 0;
  for (long n = 0; n < 200 && !done; n++) {
    plPoints* points = NULL;
    pl_alloc_fail_after(n);
    plStatus status = pl_points_tet4_smoothed(mesh, &points, NULL);
    if (!status) status = pl_points_set_patches(points, mesh, 0, NULL);
    pl_alloc_fail_after(-1);
    CHECK(status == PL_OK || status == PL_ERROR_MEMORY);
    done = status == PL_OK;
    pl_points_destroy(points);
  }
  CHECK(done);
  pl_mesh_destroy(mesh);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(volumes_and_gradients_are_exact_for_linear_fields);
  RUN(forces_are_derivatives_of_energy);
  RUN(stiffness_is_derivative_of_forces);
  RUN(bodies_have_six_zero_modes);
  RUN(projected_stiffness_is_semidefinite);
  RUN(viscosity_takes_nothing_from_rigid_motion);
  RUN(viscosity_of_volume_takes_nothing_where_volume_stays);
  RUN(tension_is_one_matrix);
  RUN(rigid_motion_costs_nothing);
  RUN(patch_test);
  RUN(hexahedron_has_the_appendix_property);
  RUN(plane_strain_drops_the_third_direction);
  RUN(layers_in_plane_strain_hold_together);
  RUN(threads_do_not_change_a_bit);
  RUN(chunks_add_up);
  RUN(bad_elements_are_refused);
  RUN(memory_faults_are_statuses);
  return CHECK_END;
}

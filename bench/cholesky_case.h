// cholesky_case.h: the matrices of bench/cholesky: elastic bodies on our meshes, of which as many vertices
// participate as a face has.
#ifndef PL_BENCH_CHOLESKY_CASE_H
#define PL_BENCH_CHOLESKY_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "elastic.h"
#include "pliant/model.h"
#include "pliant/spec.h"

typedef struct Case {
  const char* name;
  plMesh* mesh;
  plBsym* A;
  int np, *part;    // as many as a face has: the lowest vertices
  int *col0, *row;  // the scalar matrix, lower columns
  double* value;
} Case;

static const double* sort_height;
static int compare_height(const void* a, const void* b) {
  int i = *(const int*)a, j = *(const int*)b;
  double x = sort_height[3 * i + 2], y = sort_height[3 * j + 2];
  return x != y ? (x > y) - (x < y) : (i > j) - (i < j);
}

static void scalar_matrix(Case* c) {
  const plBsym* A = c->A;
  int n = A->n, nnz = 0;
  c->col0 = PL_NEW(int, 3 * n + 1), c->row = PL_NEW(int, 9 * (size_t)A->nblock),
  c->value = PL_NEW(double, 9 * (size_t)A->nblock);
  for (int j = 0; j < n; j++)
    for (int d = 0; d < 3; d++) {
      c->col0[3 * j + d] = nnz;
      for (int q = A->col0[j]; q < A->col0[j + 1]; q++)
        for (int r = 0; r < 3; r++) {
          if (3 * A->row[q] + r < 3 * j + d) continue;
          c->row[nnz] = 3 * A->row[q] + r;
          c->value[nnz++] = A->block[9 * (size_t)q + (size_t)(r + 3 * d)];
        }
    }
  c->col0[3 * n] = nnz;
}

static bool case_init(Case* c, const char* name, plMesh* mesh) {
  if (!mesh) return false;
  int n = mesh->nvert;
  *c = (Case){.name = name, .mesh = mesh};
  if (blocks_create(n, mesh->ntet, 4, mesh->tet, &c->A, NULL)) return false;
  elastic_matrix(mesh, c->A);
  c->part = PL_NEW(int, n);
  for (int v = 0; v < n; v++) c->part[v] = v;
  sort_height = mesh->vert;
  qsort(c->part, (size_t)n, sizeof(int), compare_height);
  c->np = (int)lround(pow(n, 2.0 / 3));
  scalar_matrix(c);
  return true;
}

static void case_free(Case* c) {
  pl_mesh_destroy(c->mesh), pl_bsym_destroy(c->A);
  pl_free(c->part), pl_free(c->col0), pl_free(c->row), pl_free(c->value);
}

// ---- meshes

// A deformable body of one of our scenes.
static plMesh* scene_mesh(const char* scene, const char* body) {
  char path[4096];
  plSpec* spec = NULL;
  plMesh* mesh = NULL;
  snprintf(path, sizeof path, "%s/%s.yaml", PLIANT_SCENES, scene);
  const plModel* model = pl_spec_load(path, NULL, &spec, NULL) ? NULL : pl_model_create(spec, NULL);
  if (!model) {
    fprintf(stderr, "cholesky: cannot load %s\n", path);
    exit(1);
  }
  for (int b = 0; b < model->ndeform; b++) {
    if (strcmp(model->deform_name[b], body)) continue;
    int vert0 = model->deform_vert0[b], nvert = model->deform_vert0[b + 1] - vert0;
    int tet0 = model->deform_tet0[b], ntet = model->deform_tet0[b + 1] - tet0;
    mesh = pl_mesh_create(nvert, ntet, 0, NULL);
    if (!mesh) break;
    memcpy(mesh->vert, model->vert_rest + 3 * vert0, 3 * (size_t)nvert * sizeof(double));
    for (int k = 0; k < 4 * ntet; k++) mesh->tet[k] = model->tet_vert[4 * tet0 + k] - vert0;
  }
  pl_model_destroy(model), pl_spec_destroy(spec);
  return mesh;
}

static plMesh* load_shared(const char* directory, const char* file) {
  char path[4096];
  plMesh* mesh = NULL;
  if (!directory) return NULL;
  snprintf(path, sizeof path, "%s/%s", directory, file);
  plError error;
  if (pl_mesh_load(path, &mesh, &error)) {
    fprintf(stderr, "cholesky: %s: %s\n", path, error.message);
    return NULL;
  }
  (void)pl_mesh_repair(mesh, NULL, 0, NULL);
  return mesh;
}

// Regular ones, then irregular ones; the gripper scene's bear and bubble of Drake come from files, where
// `shared` says where they are.
enum { MESHES = 12, MESH_SMALL = 10 };
static const char* const mesh_names[MESHES] = {"cube512",        "cube2197", "sphere833",  "half ellipsoid",
                                               "torus",          "bear",     "bubble",     "Drake's bear",
                                               "Drake's bubble", "cube8000", "sphere6017", "cube29791"};

static bool mesh_wanted(const char* wanted, int which) {
  return !wanted || strstr(mesh_names[which], wanted);
}

static bool make_case(const char* shared, const char* wanted, int which, Case* c) {
  plMesh* mesh = NULL;
  if (!mesh_wanted(wanted, which)) return false;
  switch (which) {
    case 0:
      mesh = cube_mesh(8);
      break;
    case 1:
      mesh = cube_mesh(13);
      break;
    case 2:
      (void)pl_mesh_sphere(0.05, 0.018, &mesh, NULL);
      break;
    case 3:
      (void)pl_mesh_half_ellipsoid(v3(0.06, 0.04, 0.03), 0.01, &mesh, NULL);
      break;
    case 4:
      (void)pl_mesh_torus(0.06, 0.02, 0.01, &mesh, NULL);
      break;
    case 5:
      mesh = scene_mesh("teddy", "bear");
      break;
    case 6:
      mesh = scene_mesh("teddy", "left_bubble");
      break;
    case 7:
      mesh = load_shared(shared, "data/drake/examples/multibody/deformable/models/teddy.vtk");
      break;
    case 8:
      mesh = load_shared(shared, "data/drake_models/wsg_50_description/meshes/bubble.vtk");
      break;
    case 9:
      mesh = cube_mesh(20);
      break;
    case 10:
      (void)pl_mesh_sphere(0.05, 0.0095, &mesh, NULL);
      break;
    default:
      mesh = cube_mesh(31);
  }
  return case_init(c, mesh_names[which], mesh);
}

#endif

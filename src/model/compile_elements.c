// compile_elements.c: nodes, quadrature points, matrix pattern and mass of a deformable body.
//
// spec -> work->points, elastic, pattern, mass; vert_volume, deform_volume, tet_patch
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "fem/elements.h"
#include "fem/mass.h"
#include "fem/patches.h"
#include "geom/mesh.h"
#include "model/elements.h"

plStatus pl_body_nodes(const plDeformableDef* def, plBodyNodes* nodes, plError* error) {
  *nodes = (plBodyNodes){.n = def->mesh->nvert, .nvert = def->mesh->nvert};
  if (!pl_elements[def->material.element].quadratic) return PL_OK;
  plStatus status = pl_tet10_nodes(def->mesh, &nodes->edge, &nodes->nedge, &nodes->tet10, error);
  if (!status) nodes->n += nodes->nedge;
  return status;
}

void pl_body_nodes_free(plBodyNodes* nodes) {
  pl_free(nodes->edge);
  pl_free(nodes->tet10);
  *nodes = (plBodyNodes){0};
}

int pl_body_middle(const plBodyNodes* nodes, int a, int b) {
  int low = a < b ? a : b, high = a < b ? b : a, first = 0, last = nodes->nedge - 1;
  while (first < last) {
    int mid = first + (last - first) / 2;
    const int* e = nodes->edge + 2 * (size_t)mid;
    if (e[0] < low || (e[0] == low && e[1] < high))
      first = mid + 1;
    else
      last = mid;
  }
  assert(first < nodes->nedge && nodes->edge[2 * first] == low && nodes->edge[2 * first + 1] == high);
  return nodes->nvert + first;
}

plQuat pl_reference_turn(const plDeformableDef* def) {
  return def->material.kind == PL_MATERIAL_LINEAR ? def->pose.q : (plQuat){1, 0, 0, 0};
}

// The nodes are the vertices and, for quadratic elements, the midpoints of the edges.
static plStatus set_plane_strain(const plDeformableDef* def, plPoints* points, plError* error) {
  const plMesh* mesh = def->mesh;
  int *edge = NULL, nedge = 0, nnode = points->nnode;
  plStatus status = nnode > mesh->nvert ? pl_mesh_edges(mesh, &edge, &nedge, error) : PL_OK;
  double* rest = status ? NULL : PL_NEW(double, 3 * (size_t)nnode);
  assert(status || nnode == mesh->nvert + nedge);
  for (int i = 0; rest && i < 3 * nnode; i++) {
    int e = i / 3 - mesh->nvert;
    rest[i] = e < 0 ? mesh->vert[i]
                    : 0.5 * (mesh->vert[3 * edge[2 * e] + i % 3] + mesh->vert[3 * edge[2 * e + 1] + i % 3]);
  }
  bool done = rest && pl_points_set_plane_strain(points, rest);
  pl_free(edge), pl_free(rest);
  if (status || done) return status;
  return pl_fail_out_of_memory(error, 4 * (size_t)nnode * sizeof(double));
}

// Points of the element kind, with groups if a part of the volume stiffness acts on patches.
static plStatus make_points(const plDeformableDef* def, plPoints** points, plError* error) {
  const plElementInfo* element = &pl_elements[def->material.element];
  plStatus status = element->points(def->mesh, points, error);
  if (status) return status;
  plQuat turn = pl_reference_turn(def);
  for (int i = 0; i < (*points)->node0[(*points)->npoint]; i++) {
    double* grad = (*points)->grad + 3 * (size_t)i;
    v3_store(grad, quat_rotate(turn, v3_load(grad)));
  }
  if (def->plane_strain) status = set_plane_strain(def, *points, error);
  if (status) return status;
  bool grouped = def->material.volumetric == PL_VOLUMETRIC_PATCH;
  if (!grouped) return PL_OK;
  return pl_points_set_patches(*points, def->mesh, element->points_per_tet, error);
}

// For results: the patch of each tet, named by its first tet; quadratic tets are their own patches.
static plStatus label_patches(const plDeformableDef* def, const plPoints* points, plModel* model, int b,
                              plError* error) {
  int tet0 = model->deform_tet0[b], ntet = def->mesh->ntet, npatch;
  int* patch = model->tet_patch + tet0;
  double *volume = model->tet_volume + tet0, *patch_volume = model->tet_patch_volume + tet0;
  for (int t = 0; t < ntet; t++) patch[t] = -1;
  if (points->ngroup == 0 || pl_elements[def->material.element].quadratic) return PL_OK;
  plStatus status = pl_patches(def->mesh, PL_PATCH_SIZE, patch, &npatch, error);
  int* first = PL_NEW(int, status ? 0 : npatch);
  if (status || !first) return status ? status : pl_fail_out_of_memory(error, 4 * (size_t)npatch);
  for (int t = ntet - 1; t >= 0; t--) {
    assert(patch[t] >= 0 && patch[t] < npatch);
    first[patch[t]] = t;
  }
  for (int t = 0; t < ntet; t++) patch[t] = first[patch[t]], patch_volume[patch[t]] += volume[t];
  for (int t = 0; t < ntet; t++) patch_volume[t] = patch_volume[patch[t]], patch[t] += tet0;
  pl_free(first);
  return PL_OK;
}

static plStatus make_pattern(const plPoints* points, plBsym** pattern, plError* error) {
  int n, *start, *node;
  plStatus status = pl_elastic_couplings(points, &n, &start, &node, error);
  if (status) return status;
  status = pl_bsym_create(points->nnode, n, start, node, pattern, error);
  if (!status) (*pattern)->flat = points->plane_strain;
  pl_free(start), pl_free(node);
  return status;
}

// M = density mass (x) I_3 on the pattern; row sums are the vertex loads of a uniform force density.
static plStatus make_mass(const plDeformableDef* def, const plBodyNodes* nodes, plModel* model, int b,
                          plError* error) {
  plModelWork* work = model->work;
  const plBsym* pattern = work->pattern[b];
  double* mass = work->mass[b] = PL_KEEP(&work->arena, double, pattern->nblock);
  if (!mass) return pl_fail_out_of_memory(error, (size_t)pattern->nblock * sizeof *mass);
  bool lumped = def->material.mass == PL_MASS_LUMPED;
  if (nodes->tet10)
    pl_mass_tet10(def->mesh, nodes->tet10, 1, lumped, pattern->col0, pattern->row, mass);
  else
    pl_mass_tet4(def->mesh, 1, lumped, pattern->col0, pattern->row, mass);
  assert(pattern->n == nodes->n);
  double* vert_volume = model->vert_volume + model->deform_vert0[b];
  for (int j = 0; j < pattern->n; j++)
    for (int k = pattern->col0[j]; k < pattern->col0[j + 1]; k++) {
      vert_volume[j] += mass[k];
      if (pattern->row[k] != j) vert_volume[pattern->row[k]] += mass[k];
    }
  for (int t = model->deform_tet0[b]; t < model->deform_tet0[b + 1]; t++)
    model->deform_volume[b] += model->tet_volume[t];
  return PL_OK;
}

plStatus pl_compile_elements(const plDeformableDef* def, const plBodyNodes* nodes, plModel* model, int b,
                             plError* error) {
  plModelWork* work = model->work;
  plStatus status = make_points(def, &work->points[b], error);
  if (!status) status = label_patches(def, work->points[b], model, b, error);
  if (!status) status = make_pattern(work->points[b], &work->pattern[b], error);
  if (status) return status;
  status = pl_elastic_create(work->points[b], def->material.kind, work->pattern[b]->col0,
                             work->pattern[b]->row, &work->elastic[b], error);
  return status ? status : make_mass(def, nodes, model, b, error);
}

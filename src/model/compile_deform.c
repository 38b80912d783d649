// compile_deform.c: deformable bodies of the spec -> vertices, tetrahedra, boundary, mass, given motion, the start, the pattern of A.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "geom/mesh.h"
#include "math/pose.h"
#include "model/spec.h"
#include "model/work.h"

static plStatus allocate(const plSpec* spec, plModel* model, plError* error) {
  int nb = spec->ndeform;
  long nvert = 0, ntet = 0;
  for (int b = 0; b < nb; b++) nvert += spec->deform[b].mesh->nvert, ntet += spec->deform[b].mesh->ntet;
  if (nvert > 100000000 || ntet > 100000000)
    return pl_fail(error, PL_ERROR_TOO_LARGE, "%ld vertices and %ld tetrahedra are more than this program can hold", nvert, ntet);
  plArena* arena = &model->work->arena;
  model->ndeform = nb;
  model->nvert = (int)nvert;
  model->ntet = (int)ntet;
  model->deform_name = PL_KEEP(arena, char*, nb);
  model->deform_material = PL_KEEP(arena, plMaterial, nb);
  model->deform_surface = PL_KEEP(arena, plSurface, nb);
  model->deform_vert0 = PL_KEEP(arena, int, nb + 1);
  model->deform_tet0 = PL_KEEP(arena, int, nb + 1);
  model->deform_tri0 = PL_KEEP(arena, int, nb + 1);
  model->deform_q0 = PL_KEEP(arena, int, nb);
  model->deform_v0 = PL_KEEP(arena, int, nb);
  model->deform_mass = PL_KEEP(arena, double, nb);
  model->vert_rest = PL_KEEP(arena, double, 3 * nvert);
  model->vert_mass = PL_KEEP(arena, double, nvert);
  model->vert_fixed = PL_KEEP(arena, int, nvert);
  model->vert_fix = PL_KEEP(arena, int, nvert);
  model->tet_vert = PL_KEEP(arena, int, 4 * ntet);
  model->tet_volume = PL_KEEP(arena, double, ntet);
  model->tet_grad = PL_KEEP(arena, double, 12 * ntet);
  model->work->pattern = PL_KEEP(arena, plBsym*, nb);
  model->work->tet_place = PL_KEEP(arena, int*, nb);
  model->work->mass = PL_KEEP(arena, double*, nb);
  return arena->failed ? pl_fail_out_of_memory(error, (size_t)ntet * 100) : PL_OK;
}

// Vertices and tetrahedra, with rest volumes and shape gradients: grad N_a for a = 1, 2, 3 are the rows of D_m^-1.
static void copy_mesh(const plMesh* mesh, plModel* model, int b) {
  int vert0 = model->deform_vert0[b], tet0 = model->deform_tet0[b];
  memcpy(model->vert_rest + 3 * (size_t)vert0, mesh->vert, 3 * (size_t)mesh->nvert * sizeof(double));
  for (int t = 0; t < mesh->ntet; t++) {
    int* vert = model->tet_vert + 4 * (size_t)(tet0 + t);
    plVec3 x[4];
    for (int a = 0; a < 4; a++) {
      vert[a] = vert0 + mesh->tet[4 * (size_t)t + (size_t)a];
      x[a] = v3_load(model->vert_rest + 3 * (size_t)vert[a]);
    }
    plMat3 Dm = m3_columns(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]), v3_sub(x[3], x[0]));
    plMat3 G = m3_transpose(m3_inverse(Dm));  // column a - 1 is grad N_a
    double* grad = model->tet_grad + 12 * (size_t)(tet0 + t);
    for (int a = 1; a < 4; a++) v3_store(grad + 3 * a, m3_column(G, a - 1));
    for (int i = 0; i < 3; i++) grad[i] = -grad[3 + i] - grad[6 + i] - grad[9 + i];
    model->tet_volume[tet0 + t] = m3_det(Dm) / 6;
  }
}

// The pattern of A and the mass on it: consistent rho V/20 (1 + delta_ab), or lumped rho V/4 on the diagonal.
static plStatus make_mass(plModel* model, int b, plError* error) {
  plModelWork* work = model->work;
  int vert0 = model->deform_vert0[b], tet0 = model->deform_tet0[b];
  int nvert = model->deform_vert0[b + 1] - vert0, ntet = model->deform_tet0[b + 1] - tet0;
  int* local = PL_NEW(int, 4 * ntet);
  if (!local) return pl_fail_out_of_memory(error, 4 * (size_t)ntet * sizeof(int));
  for (int k = 0; k < 4 * ntet; k++) local[k] = model->tet_vert[4 * (size_t)tet0 + (size_t)k] - vert0;
  plStatus status = pl_bsym_create_uniform(nvert, ntet, 4, local, &work->pattern[b], error);
  if (status) {
    pl_free(local);
    return status;
  }
  work->tet_place[b] = PL_KEEP(&work->arena, int, 16 * (size_t)ntet);
  work->mass[b] = PL_KEEP(&work->arena, double, work->pattern[b]->nblock);
  if (work->arena.failed) {
    pl_free(local);
    return pl_fail_out_of_memory(error, 16 * (size_t)ntet * sizeof(int));
  }
  pl_bsym_places(work->pattern[b], ntet, 4, local, work->tet_place[b]);
  pl_free(local);
  const plMaterial* material = &model->deform_material[b];
  for (int t = 0; t < ntet; t++) {
    double mass = material->density * model->tet_volume[tet0 + t];
    const int* place = work->tet_place[b] + 16 * (size_t)t;
    for (int a = 0; a < 4; a++) {
      model->vert_mass[model->tet_vert[4 * (size_t)(tet0 + t) + (size_t)a]] += mass / 4;
      for (int c = 0; c < 4; c++) {
        double share = material->mass == PL_MASS_LUMPED ? (a == c ? mass / 4 : 0) : mass / 20 * (a == c ? 2 : 1);
        if (place[4 * a + c] >= 0) work->mass[b][place[4 * a + c]] += share;
      }
    }
    model->deform_mass[b] += mass;
  }
  return PL_OK;
}

// The boundary triangles in order of tet and face, with the tet behind each.
static plStatus make_boundary(const plSpec* spec, plModel* model, plError* error) {
  int ntri = 0;
  plMesh** mesh = PL_NEW(plMesh*, spec->ndeform + 1);
  plStatus status = mesh ? PL_OK : pl_fail_out_of_memory(error, (size_t)spec->ndeform * sizeof *mesh);
  for (int b = 0; b < spec->ndeform && !status; b++) {
    mesh[b] = pl_mesh_copy(spec->deform[b].mesh, error);
    status = mesh[b] ? pl_mesh_boundary(mesh[b], error) : PL_ERROR_MEMORY;
    model->deform_tri0[b] = ntri;
    if (!status) ntri += mesh[b]->ntri;
  }
  if (!status) {
    model->ntri = model->deform_tri0[spec->ndeform] = ntri;
    model->tri_vert = PL_KEEP(&model->work->arena, int, 3 * ntri);
    model->tri_tet = PL_KEEP(&model->work->arena, int, ntri);
    if (model->work->arena.failed) status = pl_fail_out_of_memory(error, 4 * (size_t)ntri * sizeof(int));
  }
  model->work->vert_surface = PL_KEEP(&model->work->arena, bool, model->nvert);
  if (!status && !model->work->vert_surface) status = pl_fail_out_of_memory(error, (size_t)model->nvert);
  for (int b = 0; b < spec->ndeform && !status; b++) {
    // pl_mesh_boundary lists faces by tet: one pass finds the tet of each.
    int t = 0, vert0 = model->deform_vert0[b], tet0 = model->deform_tet0[b];
    for (int i = 0; i < mesh[b]->ntri; i++) {
      const int* tri = mesh[b]->tri + 3 * i;
      int found = -1;
      for (; t < mesh[b]->ntet && found < 0; t++) {
        const int* tet = mesh[b]->tet + 4 * t;
        for (int f = 0; f < 4 && found < 0; f++) {
          int same = 0;
          for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) same += tet[pl_tet_face[f][k]] == tri[l];
          if (same == 3) found = t;
        }
        if (found >= 0) break;
      }
      int at = model->deform_tri0[b] + i;
      for (int k = 0; k < 3; k++) {
        model->tri_vert[3 * at + k] = vert0 + tri[k];
        model->work->vert_surface[vert0 + tri[k]] = true;
      }
      model->tri_tet[at] = tet0 + (found < 0 ? 0 : found);
    }
  }
  for (int b = 0; mesh && b < spec->ndeform; b++) pl_mesh_destroy(mesh[b]);
  pl_free(mesh);
  return status;
}

bool pl_in_region(const plRegion* r, plVec3 x, int vertex, double slack) {
  switch (r->kind) {
    case PL_REGION_ALL: return true;
    case PL_REGION_BOX: {
      plVec3 y = pose_apply_inverse(r->pose, x);
      y = v3_sub(y, r->centre);
      return fabs(y.x) <= r->size.x / 2 + slack && fabs(y.y) <= r->size.y / 2 + slack && fabs(y.z) <= r->size.z / 2 + slack;
    }
    case PL_REGION_SPHERE: return v3_norm(v3_sub(x, r->centre)) <= r->radius + slack;
    case PL_REGION_HALF_SPACE: return v3_dot(v3_unit(r->normal), v3_sub(x, r->centre)) <= slack;
    case PL_REGION_INDICES:
      for (int i = 0; i < r->nindex; i++)
        if (r->index[i] == vertex) return true;
      return false;
  }
  return false;
}

double pl_deform_size(const plModel* model, int b) {
  plVec3 lower = v3(INFINITY, INFINITY, INFINITY), upper = v3_neg(lower);
  for (int i = model->deform_vert0[b]; i < model->deform_vert0[b + 1]; i++) {
    plVec3 x = v3_load(model->vert_rest + 3 * (size_t)i);
    lower = v3_min(lower, x);
    upper = v3_max(upper, x);
  }
  return v3_norm(v3_sub(upper, lower));
}

// Groups of vertices with given motion; a vertex may be in one group only.
static plStatus make_fixes(const plSpec* spec, plModel* model, plError* error) {
  plArena* arena = &model->work->arena;
  int nknot = 0;
  for (int f = 0; f < spec->nfix; f++) nknot += spec->fix[f].ntime;
  model->nfix = spec->nfix;
  model->fix_knot0 = PL_KEEP(arena, int, spec->nfix + 1);
  model->knot_time = PL_KEEP(arena, double, nknot);
  model->knot_offset = PL_KEEP(arena, double, 3 * nknot);
  if (arena->failed) return pl_fail_out_of_memory(error, 4 * (size_t)nknot * sizeof(double));
  for (int i = 0; i < model->nvert; i++) model->vert_fix[i] = -1;
  for (int f = 0, knot = 0; f < spec->nfix; f++) {
    const plFixDef* fix = &spec->fix[f];
    int b = fix->deformable, count = 0;
    double slack = 1e-9 * pl_deform_size(model, b);
    for (int i = model->deform_vert0[b]; i < model->deform_vert0[b + 1]; i++) {
      if (!pl_in_region(&fix->region, v3_load(model->vert_rest + 3 * (size_t)i), i - model->deform_vert0[b], slack)) continue;
      if (model->vert_fix[i] >= 0)
        return pl_fail(error, PL_ERROR_INPUT, "vertex %d of '%s' lies in two fixed regions; let them not overlap",
                       i - model->deform_vert0[b], model->deform_name[b]);
      model->vert_fixed[i] = fix->components;
      model->vert_fix[i] = f;
      count++;
    }
    if (!count)
      return pl_fail(error, PL_ERROR_INPUT, "a fixed region of '%s' holds no vertex; regions are in the body's frame, on the mesh as "
                     "given (`pliant info` prints its bounding box)", model->deform_name[b]);
    model->fix_knot0[f] = knot;
    for (int k = 0; k < fix->ntime; k++, knot++) {
      model->knot_time[knot] = fix->time[k];
      v3_store(model->knot_offset + 3 * knot, fix->offset[k]);
    }
    model->fix_knot0[f + 1] = knot;
  }
  return PL_OK;
}

// x = pose(X), v = velocity + w x (x - com); vertices with given motion start at rest.
static plStatus make_start(const plSpec* spec, plModel* model, plError* error) {
  plArena* arena = &model->work->arena;
  model->start_q = PL_KEEP(arena, double, model->nq);
  model->start_v = PL_KEEP(arena, double, model->nv);
  if (arena->failed) return pl_fail_out_of_memory(error, (size_t)(model->nq + model->nv) * sizeof(double));
  for (int b = 0; b < model->ndeform; b++) {
    const plDeformableDef* def = &spec->deform[b];
    double *q = model->start_q + model->deform_q0[b], *v = model->start_v + model->deform_v0[b];
    int vert0 = model->deform_vert0[b], n = model->deform_vert0[b + 1] - vert0;
    plVec3 com = {0, 0, 0};
    for (int i = 0; i < n; i++) {
      plVec3 x = pose_apply(def->pose, v3_load(model->vert_rest + 3 * (size_t)(vert0 + i)));
      v3_store(q + 3 * i, x);
      com = v3_madd(com, model->vert_mass[vert0 + i] / model->deform_mass[b], x);
    }
    for (int i = 0; i < n; i++) {
      plVec3 arm = v3_sub(v3_load(q + 3 * i), com);
      v3_store(v + 3 * i, v3_add(def->velocity, v3_cross(def->angular_velocity, arm)));
      for (int k = 0; k < 3; k++)
        if (model->vert_fixed[vert0 + i] >> k & 1) v[3 * i + k] = 0;
    }
  }
  return PL_OK;
}

plStatus pl_compile_deformables(const plSpec* spec, plModel* model, plError* error) {
  plStatus status = allocate(spec, model, error);
  for (int b = 0; b < spec->ndeform && !status; b++) {
    const plDeformableDef* def = &spec->deform[b];
    size_t length = strlen(def->name) + 1;
    model->deform_name[b] = PL_KEEP(&model->work->arena, char, length);
    if (!model->deform_name[b]) return pl_fail_out_of_memory(error, length);
    memcpy(model->deform_name[b], def->name, length);
    model->deform_material[b] = def->material;
    model->deform_surface[b] = def->surface;
    model->deform_vert0[b + 1] = model->deform_vert0[b] + def->mesh->nvert;
    model->deform_tet0[b + 1] = model->deform_tet0[b] + def->mesh->ntet;
    model->deform_q0[b] = model->nq;
    model->deform_v0[b] = model->nv;
    model->nq += 3 * def->mesh->nvert;
    model->nv += 3 * def->mesh->nvert;
    copy_mesh(def->mesh, model, b);
    status = make_mass(model, b, error);
  }
  if (!status) status = make_boundary(spec, model, error);
  if (!status) status = make_fixes(spec, model, error);
  if (!status) status = make_start(spec, model, error);
  return status;
}

// compile_deform.c: deformable bodies of the spec -> vertices, tetrahedra, boundary, mass, prescribed motion,
// the start, the pattern of A.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "geom/mesh.h"
#include "math/pose.h"
#include "model/elements.h"
#include "model/spec.h"

static plStatus allocate(const plSpec* spec, const plBodyNodes* nodes, plModel* model, plError* error) {
  int nb = spec->ndeform;
  long nvert = 0, ntet = 0;
  for (int b = 0; b < nb; b++) nvert += nodes[b].n, ntet += spec->deform[b].mesh->ntet;
  if (nvert > 100000000 || ntet > 100000000)
    return pl_fail(error, PL_ERROR_TOO_LARGE,
                   "%ld vertices and %ld tetrahedra are more than this program can hold", nvert, ntet);
  plArena* arena = &model->work->arena;
  model->ndeform = nb;
  model->nvert = (int)nvert;
  model->ntet = (int)ntet;
  model->deform_name = PL_KEEP(arena, char*, nb);
  model->work->par.deform_material = PL_KEEP(arena, plMaterial, nb);
  model->work->par.deform_surface = PL_KEEP(arena, plSurface, nb);
  model->deform_vert0 = PL_KEEP(arena, int, nb + 1);
  model->deform_tet0 = PL_KEEP(arena, int, nb + 1);
  model->deform_tri0 = PL_KEEP(arena, int, nb + 1);
  model->deform_q0 = PL_KEEP(arena, int, nb);
  model->deform_v0 = PL_KEEP(arena, int, nb);
  model->deform_volume = PL_KEEP(arena, double, nb);
  model->vert_rest = PL_KEEP(arena, double, 3 * nvert);
  model->vert_number = PL_KEEP(arena, int, nvert);
  model->vert_volume = PL_KEEP(arena, double, nvert);
  model->vert_fixed = PL_KEEP(arena, int, nvert);
  model->vert_fix = PL_KEEP(arena, int, nvert);
  model->tet_vert = PL_KEEP(arena, int, 4 * ntet);
  model->tet_volume = PL_KEEP(arena, double, ntet);
  model->tet_grad = PL_KEEP(arena, double, 12 * ntet);
  model->tet_mid = PL_KEEP(arena, int, 6 * ntet);
  model->tet_patch = PL_KEEP(arena, int, ntet);
  model->tet_patch_volume = PL_KEEP(arena, double, ntet);
  model->deform_plane = PL_KEEP(arena, int, nb);
  model->deform_self = PL_KEEP(arena, int, nb);
  model->work->pattern = PL_KEEP(arena, plBsym*, nb);
  model->work->points = PL_KEEP(arena, plPoints*, nb);
  model->work->elastic = PL_KEEP(arena, plElastic*, nb);
  model->work->mass = PL_KEEP(arena, double*, nb);
  return arena->failed ? pl_fail_out_of_memory(error, (size_t)ntet * 100) : PL_OK;
}

// Vertices and tetrahedra, with rest volumes and shape gradients: grad N_a for a = 1, 2, 3 are the rows of
// D_m^-1.
static void copy_mesh(const plDeformableDef* def, const plBodyNodes* nodes, plModel* model, int b) {
  const plMesh* mesh = def->mesh;
  plQuat turn = pl_reference_turn(def);
  int vert0 = model->deform_vert0[b], tet0 = model->deform_tet0[b];
  double* rest = model->vert_rest + 3 * (size_t)vert0;
  memcpy(rest, mesh->vert, 3 * (size_t)mesh->nvert * sizeof(double));
  // the middles of edges follow the numbers of the file
  assert(vert0 + nodes->n == model->deform_vert0[b + 1] && mesh->nvert == nodes->nvert);
  for (int i = 0; i < nodes->n; i++)
    model->vert_number[vert0 + i] =
        i < mesh->nvert ? pl_mesh_number(mesh, i) : pl_mesh_nnumber(mesh) + i - mesh->nvert;
  for (int e = 0; e < nodes->nedge; e++) {
    const int* end = nodes->edge + 2 * (size_t)e;
    plVec3 sum = v3_add(v3_load(rest + 3 * (size_t)end[0]), v3_load(rest + 3 * (size_t)end[1]));
    assert(nodes->nvert + e < nodes->n);
    v3_store(rest + 3 * (size_t)(nodes->nvert + e), v3_scale(0.5, sum));
  }
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
    for (int a = 1; a < 4; a++) v3_store(grad + 3 * a, quat_rotate(turn, m3_column(G, a - 1)));
    for (int i = 0; i < 3; i++) grad[i] = -grad[3 + i] - grad[6 + i] - grad[9 + i];
    for (int a = 0; model->deform_plane[b] && a < 4; a++) grad[3 * a + 2] = 0;
    model->tet_volume[tet0 + t] = m3_det(Dm) / 6;
    for (int e = 0; e < 6; e++)
      model->tet_mid[6 * (size_t)(tet0 + t) + (size_t)e] =
          nodes->tet10 ? vert0 + nodes->tet10[10 * (size_t)t + 4 + (size_t)e] : -1;
  }
}

// Adds a boundary triangle, or the four into which quadratic tetrahedra divide it.
static void add_triangle(plModel* model, int b, const plBodyNodes* nodes, const int tri[3], int tet,
                         int* at) {
  int vert0 = model->deform_vert0[b], corner[6] = {tri[0], tri[1], tri[2], 0, 0, 0};
  static const int cut[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}, whole[1][3] = {{0, 1, 2}};
  for (int k = 0; nodes->tet10 && k < 3; k++) corner[3 + k] = pl_body_middle(nodes, tri[k], tri[(k + 1) % 3]);
  for (int i = 0; i < (nodes->tet10 ? 4 : 1); i++, (*at)++) {
    for (int k = 0; k < 3; k++) {
      int vert = vert0 + corner[nodes->tet10 ? cut[i][k] : whole[i][k]];
      assert(*at < model->deform_tri0[b + 1] && vert < model->deform_vert0[b + 1]);
      model->tri_vert[3 * (size_t)*at + (size_t)k] = vert;
      model->work->vert_surface[vert] = true;
    }
    model->tri_tet[*at] = tet;
  }
}

// Whether tri is a face of tet.
static bool has_face(const int* tet, const int* tri) {
  int same = 0;
  for (int a = 0; a < 4; a++)
    for (int k = 0; k < 3; k++) same += tet[a] == tri[k];
  return same == 3;
}

// The boundary triangles in order of tet and face, with the tet behind each.
static plStatus make_boundary(const plSpec* spec, const plBodyNodes* nodes, plModel* model, plError* error) {
  int ntri = 0;
  plMesh** mesh = PL_NEW(plMesh*, spec->ndeform + 1);
  plStatus status = mesh ? PL_OK : pl_fail_out_of_memory(error, (size_t)spec->ndeform * sizeof *mesh);
  for (int b = 0; b < spec->ndeform && !status; b++) {
    mesh[b] = pl_mesh_copy(spec->deform[b].mesh, error);
    status = mesh[b] ? pl_mesh_boundary(mesh[b], error) : PL_ERROR_MEMORY;
    model->deform_tri0[b] = ntri;
    if (!status) ntri += mesh[b]->ntri * (nodes[b].tet10 ? 4 : 1);
  }
  if (!status) {
    model->ntri = model->deform_tri0[spec->ndeform] = ntri;
    model->tri_vert = PL_KEEP(&model->work->arena, int, 3 * ntri);
    model->tri_tet = PL_KEEP(&model->work->arena, int, ntri);
    model->work->vert_surface = PL_KEEP(&model->work->arena, bool, model->nvert);
    if (model->work->arena.failed) status = pl_fail_out_of_memory(error, 4 * (size_t)ntri * sizeof(int));
  }
  for (int b = 0; b < spec->ndeform && !status; b++) {
    // pl_mesh_boundary lists faces by tet: one pass finds the tet of each
    int t = 0, at = model->deform_tri0[b];
    for (int i = 0; i < mesh[b]->ntri; i++) {
      const int* tri = mesh[b]->tri + 3 * (size_t)i;
      while (t < mesh[b]->ntet - 1 && !has_face(mesh[b]->tet + 4 * (size_t)t, tri)) t++;
      add_triangle(model, b, &nodes[b], tri, model->deform_tet0[b] + t, &at);
    }
    assert(at == model->deform_tri0[b + 1]);
  }
  for (int b = 0; mesh && b < spec->ndeform; b++) pl_mesh_destroy(mesh[b]);
  pl_free(mesh);
  return status;
}

static bool in_list(const plRegion* r, int vertex) {
  // The list is sorted (pl_spec_sort_region).
  for (int low = 0, high = r->nindex; low < high;) {
    int middle = low + (high - low) / 2;
    if (r->index[middle] == vertex) return true;
    if (r->index[middle] < vertex)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

static bool in_region(const plRegion* r, plVec3 x, int vertex, double slack) {
  switch (r->kind) {
    case PL_REGION_ALL:
      return true;
    case PL_REGION_BOX: {
      plVec3 y = pose_apply_inverse(r->pose, x);
      y = v3_sub(y, r->centre);
      return fabs(y.x) <= r->size.x / 2 + slack && fabs(y.y) <= r->size.y / 2 + slack &&
             fabs(y.z) <= r->size.z / 2 + slack;
    }
    case PL_REGION_SPHERE:
      return v3_norm(v3_sub(x, r->centre)) <= r->radius + slack;
    case PL_REGION_HALF_SPACE:
      return v3_dot(v3_unit(r->normal), v3_sub(x, r->centre)) <= slack;
    case PL_REGION_INDICES:
      return in_list(r, vertex);
  }
  return false;
}

// The diagonal of the box of body b at rest (m).
static double deform_size(const plModel* model, int b) {
  plVec3 lower = v3(INFINITY, INFINITY, INFINITY), upper = v3_neg(lower);
  for (int i = model->deform_vert0[b]; i < model->deform_vert0[b + 1]; i++) {
    plVec3 x = v3_load(model->vert_rest + 3 * (size_t)i);
    lower = v3_min(lower, x);
    upper = v3_max(upper, x);
  }
  return v3_norm(v3_sub(upper, lower));
}

void pl_mark_region(const plModel* model, int b, const plRegion* region, bool* inside) {
  int vert0 = model->deform_vert0[b];
  double slack = 1e-9 * deform_size(model, b);
  for (int i = vert0; i < model->deform_vert0[b + 1]; i++)
    inside[i] = in_region(region, v3_load(model->vert_rest + 3 * (size_t)i), i - vert0, slack);
  for (int t = model->deform_tet0[b]; region->kind == PL_REGION_INDICES && t < model->deform_tet0[b + 1]; t++)
    for (int e = 0; e < 6 && model->tet_mid[6 * (size_t)t] >= 0; e++) {
      const int* vert = model->tet_vert + 4 * (size_t)t;
      if (inside[vert[pl_tet_edge[e][0]]] && inside[vert[pl_tet_edge[e][1]]])
        inside[model->tet_mid[6 * (size_t)t + (size_t)e]] = true;
    }
}

// Groups of vertices with prescribed motion. Where groups overlap, all are held, and their components add up.
static plStatus make_fixes(const plSpec* spec, plModel* model, bool* inside, plError* error) {
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
    pl_mark_region(model, b, &fix->region, inside);
    for (int i = model->deform_vert0[b]; i < model->deform_vert0[b + 1]; i++) {
      if (!inside[i]) continue;
      int other = model->vert_fix[i];
      if (other >= 0 && (fix->ntime > 0 || spec->fix[other].ntime > 0))
        return pl_fail(error, PL_ERROR_INPUT,
                       "vertex %d of '%s' lies in two fixed regions, one of which moves; make them disjoint",
                       model->vert_number[i], model->deform_name[b]);
      model->vert_fixed[i] |= fix->components;
      if (other < 0) model->vert_fix[i] = f;
      count++;
    }
    if (!count)
      return pl_fail(
          error, PL_ERROR_INPUT,
          "a fixed region of '%s' holds no vertex; regions are in the body's frame, on the mesh as "
          "given (`pliant info` prints its bounding box)",
          model->deform_name[b]);
    model->fix_knot0[f] = knot;
    assert(knot + fix->ntime <= nknot);
    for (int k = 0; k < fix->ntime; k++, knot++) {
      model->knot_time[knot] = fix->time[k];
      v3_store(model->knot_offset + 3 * knot, fix->offset[k]);
    }
    model->fix_knot0[f + 1] = knot;
  }
  // plane strain: no motion along z
  for (int b = 0; b < model->ndeform; b++)
    for (int i = model->deform_vert0[b]; model->deform_plane[b] && i < model->deform_vert0[b + 1]; i++) {
      int f = model->vert_fix[i];
      for (int k = f < 0 ? 0 : model->fix_knot0[f];
           f >= 0 && model->vert_fixed[i] & PL_FIX_Z && k < model->fix_knot0[f + 1]; k++)
        if (model->knot_offset[3 * k + 2] != 0)
          return pl_fail(error, PL_ERROR_INPUT,
                         "'%s' is in plane strain: its prescribed motion must not be along z",
                         model->deform_name[b]);
      model->vert_fixed[i] |= PL_FIX_Z;
    }
  return PL_OK;
}

// x = pose(X), v = velocity + w x (x - com); vertices with prescribed motion start at rest.
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
      com = v3_madd(com, model->vert_volume[vert0 + i] / model->deform_volume[b], x);
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

// z of the body must be z of the world: plane strain sets d/dz to zero and fixes z.
static plStatus check_plane(const plDeformableDef* def, plError* error) {
  plVec3 z = quat_rotate(def->pose.q, v3(0, 0, 1));
  if (!def->plane_strain || (fabs(z.x) < 1e-9 && fabs(z.y) < 1e-9)) return PL_OK;
  return pl_fail(error, PL_ERROR_INPUT, "'%s' is in plane strain: its pose may turn it about z only",
                 def->name);
}

static plStatus compile_bodies(const plSpec* spec, const plBodyNodes* nodes, plModel* model, plError* error) {
  plStatus status = allocate(spec, nodes, model, error);
  for (int b = 0; b < spec->ndeform && !status; b++) {
    const plDeformableDef* def = &spec->deform[b];
    size_t length = strlen(def->name) + 1;
    model->deform_name[b] = PL_KEEP(&model->work->arena, char, length);
    if (!model->deform_name[b]) return pl_fail_out_of_memory(error, length);
    memcpy(model->deform_name[b], def->name, length);
    model->work->par.deform_material[b] = def->material;
    model->work->par.deform_surface[b] = def->surface;
    model->deform_plane[b] = def->plane_strain;
    model->deform_self[b] = def->self_contact;
    model->deform_vert0[b + 1] = model->deform_vert0[b] + nodes[b].n;
    model->deform_tet0[b + 1] = model->deform_tet0[b] + def->mesh->ntet;
    model->deform_q0[b] = model->nq;
    model->deform_v0[b] = model->nv;
    model->nq += 3 * nodes[b].n;
    model->nv += 3 * nodes[b].n;
    status = check_plane(def, error);
    if (!status) copy_mesh(def, &nodes[b], model, b);
    if (!status) status = pl_compile_elements(def, &nodes[b], model, b, error);
  }
  if (!status) status = make_boundary(spec, nodes, model, error);
  bool* inside = PL_NEW(bool, model->nvert);
  if (!status && !inside) status = pl_fail_out_of_memory(error, (size_t)model->nvert);
  if (!status) status = make_fixes(spec, model, inside, error);
  if (!status) status = make_start(spec, model, error);
  pl_free(inside);
  return status;
}

plStatus pl_compile_deformables(const plSpec* spec, plModel* model, plError* error) {
  plBodyNodes* nodes = PL_NEW(plBodyNodes, spec->ndeform);
  plStatus status = nodes ? PL_OK : pl_fail_out_of_memory(error, (size_t)spec->ndeform * sizeof *nodes);
  for (int b = 0; b < spec->ndeform && !status; b++)
    status = pl_body_nodes(&spec->deform[b], &nodes[b], error);
  if (!status) status = compile_bodies(spec, nodes, model, error);
  for (int b = 0; nodes && b < spec->ndeform; b++) pl_body_nodes_free(&nodes[b]);
  pl_free(nodes);
  return status;
}

// round.c: distance, curvature and width of round tools.
//
// The curvature of a mesh at a vertex: an edge of length l between facets that turn by t about it bends the
// surface across itself by t l, which it shares with its two ends. Over the vertex' area A this is a tensor
//
//   S = 1/(2 A) sum t l (1 - e e' - n n')
//
// whose larger eigenvalue across the normal n is the strongest curvature: 1/r of a sphere and of a cylinder,
// however the mesh lies. (Cohen-Steiner and Morvan 2003; edges of both directions around a vertex share A.)
#include "contact/round.h"

#include <assert.h>
#include <math.h>

#include "contact/thresholds.h"
#include "math/frame.h"

// ---- meshes

// t l of an edge: positive where it is convex.
static double bend_of(const plSkin* s, int e) {
  plVec3 n = skin_normal(s, s->edge_tri[2 * e]), m = skin_normal(s, s->edge_tri[2 * e + 1]),
         along = v3_sub(skin_x(s, s->edge_vert[2 * e + 1]), skin_x(s, s->edge_vert[2 * e]));
  double turn = atan2(v3_norm(v3_cross(n, m)), v3_dot(n, m));
  return (skin_edge_convex(s, e) ? 1 : -1) * turn * v3_norm(along);
}

// The larger eigenvalue of S across n; S has n as an eigenvector.
static double strongest(const plMat3* S, plVec3 n) {
  plVec3 a, b;
  v3_tangents(n, &a, &b);
  double aa = v3_dot(a, m3_mulv(*S, a)), bb = v3_dot(b, m3_mulv(*S, b)), ab = v3_dot(a, m3_mulv(*S, b));
  return 0.5 * (aa + bb) + sqrt(0.25 * (aa - bb) * (aa - bb) + ab * ab);
}

// 1/r at each vertex.
static void vertex_curvatures(const plSkin* s, plMat3* S, double* curvature) {
  for (int e = 0; e < s->nedge; e++) {
    const int* v = s->edge_vert + 2 * (size_t)e;
    plVec3 along = v3_unit(v3_sub(skin_x(s, v[1]), skin_x(s, v[0])));
    double bend = bend_of(s, e);
    for (int k = 0; k < 2; k++) {
      plMat3 across = m3_sub(m3_identity(), m3_outer(along, along));
      S[v[k]] = m3_add(S[v[k]], m3_scale(bend / (2 * s->vert_area[v[k]]), across));
    }
  }
  for (int v = 0; v < s->nvert; v++)
    curvature[v] = s->vert_tri[v] < 0 ? 0 : fmax(0, strongest(&S[v], pl_skin_vert_normal(s, v)));
}

static bool is_round(const plSkin* s) {
  for (int e = 0; e < s->nedge; e++)
    if (skin_edge_sharp(s, e) || s->edge_tri[2 * e + 1] < 0) return false;
  return s->ntri > 0;
}

bool pl_round_create(const plCollider* c, plRound** round) {
  const plSkin* s = c->skin;
  *round = NULL;
  if (c->shape_id < 0 || c->shape.kind != PL_SHAPE_MESH || !s || !is_round(s)) return true;
  plRound* r = *round = PL_NEW(plRound, 1);
  plMat3* S = PL_NEW(plMat3, s->nvert);
  double *curvature = PL_NEW(double, s->nvert), sum = 0, area = 0;
  if (r) r->tri_radius = PL_NEW(double, s->ntri);
  bool ok = r && r->tri_radius && S && curvature;
  if (ok) vertex_curvatures(s, S, curvature);
  for (int t = 0; ok && t < s->ntri; t++) {
    const int* v = s->tri + 3 * (size_t)t;
    double k = (curvature[v[0]] + curvature[v[1]] + curvature[v[2]]) / 3;
    r->tri_radius[t] = k > 0 ? 1 / k : INFINITY, sum += k * s->tri_area[t], area += s->tri_area[t];
  }
  if (ok) r->radius = area / sum, r->thick = s->thinnest;
  pl_free(S), pl_free(curvature);
  if (!ok) pl_round_destroy(r), *round = NULL;
  return ok;
}

void pl_round_destroy(plRound* round) {
  if (!round) return;
  pl_free(round->tri_radius);
  pl_free(round);
}

// The side of the closest facet distinguishes inside from outside, because no edge is sharp.
static double mesh_distance(const plTriTree* tree, plVec3 x, double within, plVec3* normal, int* tri) {
  plTriHit hit = pl_tri_tree_closest(tree, x, within);
  if (hit.tri < 0) hit = pl_tri_tree_closest(tree, x, INFINITY);
  assert(hit.tri >= 0 && hit.tri < tree->ntri);
  const int* v = tree->tri + 3 * (size_t)hit.tri;
  plVec3 a = v3_load(tree->vert + 3 * (size_t)v[0]), b = v3_load(tree->vert + 3 * (size_t)v[1]),
         c = v3_load(tree->vert + 3 * (size_t)v[2]), face = v3_cross(v3_sub(b, a), v3_sub(c, a)),
         out = v3_sub(x, hit.point);
  double side = v3_dot(out, face) < 0 ? -1 : 1;
  *tri = hit.tri;
  *normal = hit.t > PL_ROUNDING * v3_norm(v3_sub(b, a)) ? v3_scale(side / hit.t, out) : v3_unit(face);
  return side * hit.t;
}

// ---- all kinds of tools

double pl_round_distance(const plCollider* tool, plVec3 x, double within, plVec3* normal, int* tri) {
  if (tool->round) return mesh_distance(tool->shape.tree, x, within, normal, tri);
  *tri = -1;
  return pl_shape_distance(&tool->shape, x, normal);
}

double pl_round_radius(const plCollider* tool) {
  return tool->round ? tool->round->radius : pl_shape_traits[tool->shape.kind]->radius(&tool->shape);
}

double pl_round_radius_at(const plCollider* tool, plVec3 normal, int tri) {
  assert(!tool->round || (tri >= 0 && tri < tool->skin->ntri));
  if (tool->round) return tool->round->tri_radius[tri];
  const plShapeTraits* traits = pl_shape_traits[tool->shape.kind];
  return traits->radius_at ? traits->radius_at(&tool->shape, normal) : traits->radius(&tool->shape);
}

bool pl_round_is_uneven(const plCollider* tool) {
  return tool->round || pl_shape_traits[tool->shape.kind]->radius_at;
}

double pl_round_thick(const plCollider* tool) {
  return tool->round ? tool->round->thick : pl_shape_traits[tool->shape.kind]->half_size(&tool->shape);
}

// ---- pairs

bool pl_contact_mesh_compliance(const plData* data, const plCollider* soft, const plCollider* tool) {
  return data->par->deform_surface[soft->deform].mesh_compliance &&
         data->par->shape_surface[tool->shape_id].mesh_compliance;
}

bool pl_contact_on_round(const plData* data, const plCollider* soft, const plCollider* tool) {
  if (soft->deform < 0 || tool->shape_id < 0) return false;
  if (tool->skin) return tool->round && pl_contact_mesh_compliance(data, soft, tool);
  return tool->shape.kind != PL_SHAPE_HALF_SPACE;
}

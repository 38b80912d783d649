// self.c: self-contact: the rest shape of a body, the relative motion of its parts, and which facets may
// touch.
//
// Relation of two facets at rest (plKin), L is the thickness behind a facet (its depth limit):
//   farther apart than 3 L                           apart: a layer must be pi times as long as it is thick
//                                                    to touch its own back
//   a common vertex                                  own
//   each has a corner behind the other               own: two sides of one layer
//   neither lies wholly L/4 in front of the other    beside
//   else                                             apart
// Points of such facets that overlap at rest, or lie within L/2 of each other in an inner corner (on facets
// that do not face each other there), never touch either. Other points within 3 L touch when their distance
// has halved, or when their relative motion closes it. A shape at rest therefore makes no points where its
// mesh is narrow.
//
// An overlap counts as contact down to L/2, or half the facet's size if that is smaller, so a layer that is
// squeezed flat never touches its own far side.
#include "contact/self.h"

#include <math.h>

#include "contact/thresholds.h"

static void rest_facet(plSelf* s, const plSkin* skin, int t) {
  const int* v = skin->tri + 3 * (size_t)t;
  plVec3 x[3], c = {0, 0, 0};
  for (int k = 0; k < 3; k++) x[k] = v3_load(s->x + 3 * (size_t)v[k]), c = v3_madd(c, 1.0 / 3, x[k]);
  plVec3 n = v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
  for (int k = 0; k < 3; k++) s->radius[t] = fmax(s->radius[t], v3_norm(v3_sub(x[k], c)));
  for (int k = 0; k < 3; k++) v3_store(s->corner + 9 * (size_t)t + 3 * (size_t)k, x[k]);
  v3_store(s->normal + 3 * (size_t)t, v3_unit(n));
  v3_store(s->centre + 3 * (size_t)t, c);
  s->shallow[t] = PL_SELF_DEEPEST * fmin(skin->tri_limit[t], sqrt(v3_norm(n)));
  s->deepest = fmax(s->deepest, s->shallow[t]);
}

plSelf* pl_self_create(const plModel* model, int body, const plSkin* skin) {
  plSelf* s = PL_NEW(plSelf, 1);
  if (!s) return NULL;
  s->x = model->vert_rest + 3 * (size_t)model->deform_vert0[body];
  s->normal = PL_NEW(double, 3 * skin->ntri);
  s->centre = PL_NEW(double, 3 * skin->ntri);
  s->corner = PL_NEW(double, 9 * skin->ntri);
  s->radius = PL_NEW(double, skin->ntri);
  s->shallow = PL_NEW(double, skin->ntri);
  s->u = PL_NEW(double, 3 * skin->nvert);
  if (!s->normal || !s->centre || !s->corner || !s->radius || !s->shallow || !s->u)
    return pl_self_destroy(s), NULL;
  for (int t = 0; t < skin->ntri; t++) rest_facet(s, skin, t);
  if (!pl_self_tree_create(s, skin) || !pl_self_list_create(s, skin)) return pl_self_destroy(s), NULL;
  return s;
}

void pl_self_destroy(plSelf* s) {
  if (!s) return;
  pl_free(s->normal), pl_free(s->centre), pl_free(s->corner), pl_free(s->radius), pl_free(s->shallow),
      pl_free(s->u);
  pl_free(s->tree.order), pl_free(s->tree.node);
  pl_self_list_destroy(s);
  pl_free(s);
}

// ---- the step

// u = v - V - w x (x - c), minus the rigid motion of least squares: I w = sum r x v. v: velocities, or
// displacements.
static void less_rigid_motion(const plSkin* skin, const double* v, plVec3 mean, double* u) {
  int n = skin->nvert;
  plVec3 c = {0, 0, 0}, L = {0, 0, 0};
  for (int i = 0; i < n; i++) c = v3_add(c, skin_x(skin, i));
  c = v3_scale(1.0 / n, c);
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  for (int i = 0; i < n; i++) {
    plVec3 r = v3_sub(skin_x(skin, i), c);
    L = v3_add(L, v3_cross(r, v3_load(v + 3 * (size_t)i)));
    xx += r.x * r.x, yy += r.y * r.y, zz += r.z * r.z, xy += r.x * r.y, xz += r.x * r.z, yz += r.y * r.z;
  }
  // solves I w = L by cofactors; points on a line have no rotation about it
  double a = yy + zz, b = xx + zz, d = xx + yy, e = -xy, f = -xz, g = -yz;
  double A = b * d - g * g, B = f * g - e * d, C = e * g - f * b, D = a * d - f * f, E = e * f - a * g,
         F = a * b - e * e, det = a * A + e * B + f * C;
  plVec3 w = {0, 0, 0};
  if (det > PL_ROUNDING * (a + b + d) * (a + b + d) * (a + b + d))
    w = v3_scale(1 / det,
                 v3(A * L.x + B * L.y + C * L.z, B * L.x + D * L.y + E * L.z, C * L.x + E * L.y + F * L.z));
  for (int i = 0; i < n; i++) {
    plVec3 rigid = v3_add(mean, v3_cross(w, v3_sub(skin_x(skin, i), c)));
    v3_store(u + 3 * (size_t)i, v3_sub(v3_load(v + 3 * (size_t)i), rigid));
  }
}

void pl_self_update(const plModel* model, const plData* data, const plCollider* c) {
  plSelf* s = c->self;
  s->dt = data->par->options.dt;
  s->drift = v3_norm(data->par->options.gravity) * s->dt * s->dt + c->strain_drift;
  s->strain = c->strain_drift;
  s->crowded = false;
  s->v = data->work->v_guess + model->deform_v0[c->deform];
  less_rigid_motion(c->skin, s->v, c->velocity, s->u);
}

// [nvert] m^2, squared displacements of vertices minus the best-fit rigid motion; NULL: memory ran out.
static double* squared_displacements(const plSkin* skin, const double* x1, plVec3 mean, plArena* arena) {
  double* displacement = PL_ARENA_NEW(arena, double, 3 * skin->nvert);
  if (!displacement) return NULL;
  for (int i = 0; i < 3 * skin->nvert; i++) displacement[i] = x1[i] - skin->x[i];
  less_rigid_motion(skin, displacement, mean, displacement);
  for (int i = 0; i < skin->nvert; i++) displacement[i] = v3_norm2(v3_load(displacement + 3 * (size_t)i));
  return displacement;
}

double pl_self_approach(const plSkin* skin, const double* x1, plVec3 mean, plArena* arena) {
  double *squared = squared_displacements(skin, x1, mean, arena), most2 = 0;
  for (int i = 0; i < skin->nvert && squared; i++) most2 = fmax(most2, squared[i]);
  return 2 * sqrt(most2);
}

double* pl_self_displacements(const plSkin* skin, const double* x1, plVec3 mean, plArena* arena) {
  double *squared = squared_displacements(skin, x1, mean, arena),
         *displacement = PL_ARENA_NEW(arena, double, skin->ntri);
  if (!squared || !displacement) return NULL;
  for (int t = 0; t < skin->ntri; t++) {
    const int* v = skin->tri + 3 * (size_t)t;
    displacement[t] = sqrt(fmax(squared[v[0]], fmax(squared[v[1]], squared[v[2]])));
  }
  return displacement;
}

// ---- relation of facets

// The height of the lowest corner of facet b above the plane of a at rest.
static double lowest(const plSelf* s, int a, int b) {
  plVec3 n = v3_load(s->normal + 3 * (size_t)a), o = v3_load(s->centre + 3 * (size_t)a);
  const double* x = s->corner + 9 * (size_t)b;
  double h0 = v3_dot(v3_sub(v3_load(x), o), n), h1 = v3_dot(v3_sub(v3_load(x + 3), o), n),
         h2 = v3_dot(v3_sub(v3_load(x + 6), o), n), low = h0 < h1 ? h0 : h1;
  return low < h2 ? low : h2;
}

plKin pl_self_kin(const plSelf* s, const plSkin* skin, int a, int b) {
  double L = skin->tri_limit[a] < skin->tri_limit[b] ? skin->tri_limit[a] : skin->tri_limit[b],
         far = PL_SELF_NEAR * L + s->radius[a] + s->radius[b];
  plVec3 d = v3_sub(v3_load(s->centre + 3 * (size_t)a), v3_load(s->centre + 3 * (size_t)b));
  if (v3_norm2(d) > far * far) return PL_KIN_APART;
  const int *ta = skin->tri + 3 * (size_t)a, *tb = skin->tri + 3 * (size_t)b;
  for (int i = 0; i < 3; i++)
    if (ta[i] == tb[0] || ta[i] == tb[1] || ta[i] == tb[2]) return PL_KIN_OWN;
  double low_a = lowest(s, b, a), low_b = lowest(s, a, b);
  if (low_a < -PL_SELF_BEHIND * L && low_b < -PL_SELF_BEHIND * L) return PL_KIN_OWN;
  return low_a > PL_SELF_IN_FRONT * L || low_b > PL_SELF_IN_FRONT * L ? PL_KIN_APART : PL_KIN_BESIDE;
}

// (Of most bodies the first facet and the farthest from it are such a pair.)
bool pl_self_may_touch(const plSelf* s, const plSkin* skin) {
  for (int a = 0; a < skin->ntri; a++)
    for (int b = skin->ntri - 1; b > a; b--)
      if (pl_self_kin(s, skin, a, b) != PL_KIN_OWN) return true;
  return false;
}

double pl_self_deepest(const plSelf* s, plKin kin, int a, int b) {
  return (kin == PL_KIN_APART ? 1 : PL_SELF_CORNER) * fmin(s->shallow[a], s->shallow[b]);
}

double pl_self_margin_near(const plSelf* s, const plSkin* skin, int a, int b, plVec3 offset, double du) {
  double L = fmin(skin->tri_limit[a], skin->tri_limit[b]), rest2 = v3_norm2(offset);
  if (rest2 > PL_SELF_NEAR * L * PL_SELF_NEAR * L) return INFINITY;
  plVec3 na = v3_load(s->normal + 3 * (size_t)a), nb = v3_load(s->normal + 3 * (size_t)b);
  bool overlap = v3_dot(offset, v3_sub(na, nb))<0, corner = v3_dot(na, nb)> PL_FACING;
  double rest = sqrt(rest2);
  if (overlap || (corner && rest < PL_SELF_CLOSED * L)) return -INFINITY;
  return fmax(PL_SELF_CLOSED * rest, s->dt * PL_MARGIN_ROOM * du + s->strain);
}

static bool is_deep(const plSelf* s, const plSkin* skin, int a, int b, double gap, bool* counts) {
  plKin kin = pl_self_kin(s, skin, a, b);
  if (gap >= -pl_self_deepest(s, kin, a, b)) return false;
  *counts = *counts && kin == PL_KIN_APART;
  return true;
}

bool pl_self_is_deep_vertex(const plSelf* s, const plSkin* skin, int v, int f, double gap, bool* counts) {
  bool deep = false;
  *counts = true;
  for (int i = skin->ring0[v]; i < skin->ring0[v + 1]; i++)
    if (is_deep(s, skin, skin->ring[i], f, gap, counts)) deep = true;
  return deep;
}

bool pl_self_is_deep_crossing(const plSelf* s, const plSkin* skin, int ea, int eb, double gap, bool* counts) {
  bool deep = false;
  *counts = true;
  for (int i = 0; i < 4; i++) {
    int a = skin->edge_tri[2 * ea + i / 2], b = skin->edge_tri[2 * eb + i % 2];
    if (a >= 0 && b >= 0 && is_deep(s, skin, a, b, gap, counts)) deep = true;
  }
  return deep;
}

bool pl_self_vertex_apart(const plSelf* s, const plSkin* skin, int v, int f) {
  for (int i = skin->ring0[v]; i < skin->ring0[v + 1]; i++)
    if (pl_self_kin(s, skin, skin->ring[i], f) != PL_KIN_APART) return false;
  return true;
}

bool pl_self_edges_apart(const plSelf* s, const plSkin* skin, int ea, int eb) {
  for (int i = 0; i < 4; i++) {
    int a = skin->edge_tri[2 * ea + i / 2], b = skin->edge_tri[2 * eb + i % 2];
    if (a >= 0 && b >= 0 && pl_self_kin(s, skin, a, b) != PL_KIN_APART) return false;
  }
  return true;
}

// ---- overlap

// Slightly inside its surface a body covers space once; where it covers space twice, two of its parts
// overlap.
bool pl_self_is_buried(const plSkin* skin, plVec3 x, plVec3 normal, double limit) {
  return pl_tri_tree_winding(skin->tree, v3_madd(x, -PL_BURIED * limit, normal)) > 1.5;
}

// Slightly outside its surface a body covers no space; where it does, another part of it is there.
bool pl_self_lies_in(const plSkin* skin, plVec3 x, plVec3 normal, double limit) {
  return pl_self_is_buried(skin, x, normal, limit) &&
         pl_tri_tree_winding(skin->tree, v3_madd(x, PL_SELF_BEHIND * limit, normal)) > 0.5;
}

int pl_self_count_buried(const plSkin* skin) {
  int n = 0;
  for (int v = 0; v < skin->nvert; v++)
    n += skin->vert_tri[v] >= 0 &&
         pl_self_is_buried(skin, skin_x(skin, v), pl_skin_vert_normal(skin, v), skin->vert_limit[v]);
  return n;
}

// random_pair.h: two random convex bodies at a given distance, and whether contact finds the closest point.
//
// Polyhedra (facets, plates, wedges, needles, cones, random hulls) are carried by soft bodies, by rigid
// meshes and by hulls; boxes and smooth shapes as they are. Their exact distance is that of GJK, which shares
// no line with the finder of facets. One of the two is moved along the normal, which keeps it, until the
// distance is what was asked for.
#ifndef PL_TEST_RANDOM_PAIR_H
#define PL_TEST_RANDOM_PAIR_H

#include <math.h>
#include <stdio.h>

#include "contact/contact.h"
#include "geom/convex.h"
#include "math/random_vec3.h"
#include "pliant/pliant.h"

typedef enum Carrier {
  ON_SOFT,
  ON_MESH,
  ON_HULL,
  ON_BOX,
  ON_SPHERE,
  ON_CAPSULE,
  ON_CYLINDER,
  ON_ELLIPSOID,
  ON_HALF_SPACE,
  CARRIERS
} Carrier;

typedef enum Family { FACET, PLATE, WEDGE, NEEDLE, CONE, BLOB, FAMILIES } Family;

static const char* const carrier_name[CARRIERS] = {"soft",    "mesh",     "hull",      "box",       "sphere",
                                                   "capsule", "cylinder", "ellipsoid", "half space"};

typedef struct RandomBody {
  Carrier carrier;
  Family family;
  plHull* hull;  // of polyhedra
  plPose pose;
  plVec3 size;  // m, boxes and ellipsoids
  double radius, length;
  double extent;  // m
} RandomBody;

static inline plVec3 random_unit(plRandom* r) {
  plVec3 x;
  do x = v3_random(r, -1, 1);
  while (v3_norm2(x) > 1 || v3_norm2(x) < 1e-3);
  return v3_unit(x);
}

// The rotation that takes one unit vector to another.
static inline plQuat turn_to(plVec3 from, plVec3 to) {
  plVec3 axis = v3_cross(from, to);
  double sine = v3_norm(axis);
  return quat_exp(v3_scale(atan2(sine, v3_dot(from, to)) / fmax(sine, 1e-12), axis));
}

// Corners of a polyhedron of about 0.1 m.
static inline int random_corners(plRandom* r, Family family, double* p) {
  int n = 0;
  double length = pl_random(r, 0.05, 0.2);
#define CORNER(x, y, z) (p[3 * n] = (x), p[3 * n + 1] = (y), p[3 * n + 2] = (z), n++)
  if (family == FACET || family == WEDGE) {
    // a prism with three sides: flat, or with an edge of 5 to 120 degrees
    double thick = family == FACET ? pl_random(r, 1e-3, 3e-3) : length,
           half = family == FACET ? pl_random(r, 0.2, 1) : pl_random(r, 0.05, 1),
           depth = pl_random(r, 0.03, 0.1);
    for (int k = 0; k < 2; k++) {
      double y = (k - 0.5) * thick;
      CORNER(0, y, -depth / 2), CORNER(depth * tan(half), y, depth / 2),
          CORNER(-depth * tan(half), y, depth / 2);
    }
  } else if (family == PLATE) {
    double x = pl_random(r, 0.03, 0.1), y = pl_random(r, 0.03, 0.1), z = pl_random(r, 5e-4, 5e-3);
    for (int k = 0; k < 8; k++) CORNER(k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z);
  } else if (family == NEEDLE || family == CONE) {
    int sides = 3 + pl_random_int(r, 9);
    double half = family == NEEDLE ? pl_random(r, 0.02, 0.1) : pl_random(r, 0.1, 1.3),
           radius = length * tan(half);
    if (radius > 0.15) length *= 0.15 / radius, radius = 0.15;
    for (int i = 0; i < sides; i++)
      CORNER(radius * cos(2 * M_PI * i / sides), radius * sin(2 * M_PI * i / sides), length / 2);
    CORNER(0, 0, -length / 2);
  } else {
    int corners = 6 + pl_random_int(r, 20);
    for (int i = 0; i < corners; i++) {
      plVec3 x = random_unit(r);
      x = v3_scale(pl_random(r, 0.03, 0.1), x);
      CORNER(x.x, x.y, x.z);
    }
  }
#undef CORNER
  return n;
}

static inline RandomBody random_body(plRandom* r, Carrier carrier) {
  RandomBody b = {.carrier = carrier, .family = (Family)pl_random_int(r, FAMILIES)};
  plVec3 axis = random_unit(r);
  b.pose = (plPose){{0, 0, 0}, quat_exp(v3_scale(pl_random(r, 0, M_PI), axis))};
  b.radius = pl_random(r, 0.01, 0.06), b.length = pl_random(r, 0.02, 0.15);
  b.size = v3_random(r, 0.01, 0.15);
  b.extent = 0.1;
  if (carrier <= ON_HULL) {
    double corner[3 * 32];
    plError error;
    while (!b.hull)
      if (pl_hull_create(corner, random_corners(r, b.family, corner), &b.hull, &error)) b.hull = NULL;
  }
  return b;
}

static inline plShapeKind kind_of(Carrier c) {
  static const plShapeKind kind[CARRIERS] = {PL_SHAPE_MESH,     PL_SHAPE_MESH,      PL_SHAPE_MESH,
                                             PL_SHAPE_BOX,      PL_SHAPE_SPHERE,    PL_SHAPE_CAPSULE,
                                             PL_SHAPE_CYLINDER, PL_SHAPE_ELLIPSOID, PL_SHAPE_HALF_SPACE};
  return kind[c];
}

static inline plConvex convex_of(const RandomBody* b) {
  return (plConvex){.kind = kind_of(b->carrier),
                    .pose = b->pose,
                    .half = v3_scale(0.5, b->size),
                    .radius = b->radius,
                    .length = b->length,
                    .hull = b->hull};
}

// From a to b.
static inline plConvexGap exact_gap(const RandomBody* a, const RandomBody* b) {
  plConvex A = convex_of(a), B = convex_of(b);
  if (b->carrier != ON_HALF_SPACE) return pl_convex_gap(&A, &B);
  plVec3 up = quat_rotate(b->pose.q, v3(0, 0, 1)), low = pl_convex_support(&A, v3_neg(up));
  double gap = v3_dot(v3_sub(low, b->pose.p), up);
  return (plConvexGap){gap, v3_neg(up), low, v3_madd(low, -gap, up)};
}

// Moves b along the normal until the two are gap apart.
static inline plConvexGap place_pair(plRandom* r, RandomBody* a, RandomBody* b, double gap) {
  b->pose.p = v3_scale(0.6, random_unit(r));
  plConvexGap g = exact_gap(a, b);
  for (int i = 0; i < 3; i++) b->pose.p = v3_madd(b->pose.p, gap - g.gap, g.normal), g = exact_gap(a, b);
  return g;
}

static inline plMesh* mesh_of(const plHull* h, bool tets) {
  plMesh* mesh = pl_mesh_create(h->nvert + tets, tets ? h->ntri : 0, h->ntri, NULL);
  for (int i = 0; i < 3 * h->nvert; i++) mesh->vert[i] = h->vert[i];
  for (int i = 0; i < 3 * h->ntri; i++) mesh->tri[i] = h->tri[i];
  if (!tets) return mesh;
  v3_store(mesh->vert + 3 * h->nvert, h->centre);
  for (int t = 0; t < h->ntri; t++) {
    for (int k = 0; k < 3; k++) mesh->tet[4 * t + k + 1] = h->tri[3 * t + k];
    mesh->tet[4 * t] = h->nvert;
  }
  return mesh;
}

static inline bool add_random_body(plSpec* spec, const char* name, const RandomBody* b) {
  plMesh* mesh = b->hull ? mesh_of(b->hull, b->carrier == ON_SOFT) : NULL;
  plError error;
  bool ok = true;
  if (b->carrier == ON_SOFT) {
    plDeformableDef def = pl_default_deformable_def();
    def.name = name, def.mesh = mesh, def.pose = b->pose, def.material.young = 1e6;
    ok = !pl_spec_add_deformable(spec, &def, NULL, &error);
  } else {
    plShapeDef g = pl_default_shape_def();
    g.name = name, g.kind = kind_of(b->carrier), g.mesh = mesh, g.convex = b->carrier == ON_HULL,
    g.size = b->size;
    g.radius = b->radius, g.length = b->length;
    if (b->carrier == ON_HALF_SPACE)
      g.pose = b->pose;
    else {
      plBodyDef body = pl_default_body_def();
      body.name = name, body.mass = 1, body.pose = b->pose;
      body.inertia[0] = body.inertia[1] = body.inertia[2] = 1e-3;
      ok = !pl_spec_add_body(spec, &body, &g.body, &error);
    }
    ok = ok && !pl_spec_add_shape(spec, &g, NULL, &error);
  }
  if (!ok) printf("%s\n", error.message);
  pl_mesh_destroy(mesh);
  return ok;
}

typedef struct PairVerdict {
  bool built;
  int parts;  // of the step; the points are those of the last
  int points;
  double least;    // m, smallest gap found; infinite: none
  double away;     // m, from a point to the closest position
  double cell;     // m, longest edge of the coarser of the two, or radius
  double exact;    // m
  double margin;   // m
  double feature;  // m, how far a gap is from the distance of its two features, where both sides are soft
} PairVerdict;

// Soft facets and a smooth shape: points are integrals.
static inline bool is_integral(Carrier a, Carrier b) {
  return (a == ON_SOFT && b >= ON_SPHERE && b < ON_HALF_SPACE) ||
         (b == ON_SOFT && a >= ON_SPHERE && a < ON_HALF_SPACE);
}

// What is wrong with a verdict; NULL: nothing.
static inline const char* judge_pair(const PairVerdict* v, Carrier a, Carrier b) {
  double allowed = is_integral(a, b) ? 0.01 * v->margin : 1e-10;
  if (!v->built) return "not built";
  // A step in parts has the points of its last part, after the bodies moved.
  if (v->parts > 1) return NULL;
  if (!v->points) return "no point";
  if (v->least > v->exact + allowed) return "farther than the distance";
  if (v->least < v->exact - allowed) return "nearer than the distance";
  // the position may belong to either side
  if (v->away > v->cell + 0.5 * v->exact) return "not within a cell";
  return v->feature > 1e-10 ? "not the distance of its features" : NULL;
}

static inline plVec3 place_of(const plData* data, const plContactSide* side, bool* inside) {
  plVec3 x = {0, 0, 0};
  for (int k = 0; k < side->nvert; k++) {
    x = v3_madd(x, side->weight[k], v3_load(data->work->q_before + 3 * (size_t)side->vert[k]));
    *inside = *inside && side->weight[k] >= 0;
  }
  return x;
}

// Gap minus distance of the two positions; a position slightly outside its facet is not judged.
static inline double feature_error(const plData* data, const plContactPoint* p) {
  bool inside = true;
  plVec3 a = place_of(data, &p->a, &inside), b = place_of(data, &p->b, &inside);
  return inside ? fabs(v3_norm(v3_sub(b, a)) - fabs(p->gap)) : 0;
}

static inline double margin_at_rest(double dt) { return fmax(2e-4, 9.81 * dt * dt); }

// One step of the two bodies of a spec, if they could be added, which is destroyed; g: their exact distance.
static inline PairVerdict judge_spec(plSpec* spec, bool added, plConvexGap g, double dt, bool both_soft) {
  PairVerdict v = {.least = INFINITY, .away = INFINITY, .exact = g.gap, .margin = margin_at_rest(dt)};
  plError error;
  const plModel* model = added ? pl_model_create(spec, &error) : NULL;
  plData* data = model ? pl_data_create(model, &error) : NULL;
  v.built = data;
  if (data) {
    (void)pl_step(data, &error);
    plVec3 place = v3_scale(0.5, v3_add(g.a, g.b));
    for (int i = 0; i < 2; i++) {
      const plSkin* skin = data->work->contact->collider[i].skin;
      for (int e = 0; skin && e < skin->nedge; e++)
        v.cell = fmax(v.cell, v3_norm(v3_sub(skin_x(skin, skin->edge_vert[2 * e]),
                                             skin_x(skin, skin->edge_vert[2 * e + 1]))));
    }
    v.points = data->work->npoint, v.parts = data->report.parts;
    for (int i = 0; i < v.points; i++) {
      const plContactPoint* p = &data->work->point[i];
      v.least = fmin(v.least, p->gap);
      v.away = fmin(v.away, v3_norm(v3_sub(p->position, place)));
      if (both_soft) v.feature = fmax(v.feature, feature_error(data, p));
    }
  } else
    printf("%s\n", error.message);
  pl_data_destroy(data), pl_model_destroy(model), pl_spec_destroy(spec);
  return v;
}

// One step of the two bodies where they are; g: their exact distance.
static inline PairVerdict judge_placed(const RandomBody* a, const RandomBody* b, plConvexGap g, double dt) {
  plSpec* spec = pl_spec_create();
  pl_spec_options(spec)->dt = dt;
  bool added = add_random_body(spec, "a", a) && add_random_body(spec, "b", b);
  PairVerdict v = judge_spec(spec, added, g, dt, a->carrier == ON_SOFT && b->carrier == ON_SOFT);
  v.cell = fmax(v.cell, fmax(a->radius, b->radius));
  return v;
}

// The pair at a distance of part times the margin.
static inline PairVerdict try_pair_at(plRandom* r, Carrier ca, Carrier cb, double part, double dt,
                                      RandomBody* a, RandomBody* b) {
  *a = random_body(r, ca), *b = random_body(r, cb);
  plConvexGap g = place_pair(r, a, b, part * margin_at_rest(dt));
  return judge_placed(a, b, g, dt);
}

static inline void free_body(RandomBody* b) { pl_hull_destroy(b->hull); }

#endif

// shape.h: one entry for each kind of rigid shape, with all that depends on the kind.
//
// A new kind needs its constant in pliant/shape.h, its own file beside capsule.c, and its line in
// PL_SHAPE_LIST. No other file depends on the kind. Half spaces and meshes differ in more than numbers: they
// have no support points or no exact surface, and contact handles them by other algorithms.
#ifndef PL_GEOM_SHAPE_H
#define PL_GEOM_SHAPE_H

#include "geom/distance.h"
#include "math/spatial.h"
#include "pliant/mesh.h"

typedef struct plConvex plConvex;  // geom/convex.h, whose functions call the entries below

// The sizes that a kind reads; each must be positive.
enum { PL_SIZE_RADIUS = 1, PL_SIZE_LENGTH = 2, PL_SIZE_SIDES = 4 };
enum { PL_SHAPE_KEYS = 3 };

// Positions and directions are in the frame of the shape unless a line says otherwise.
typedef struct plShapeTraits {
  int sizes;                       // PL_SIZE_...
  const char* key[PL_SHAPE_KEYS];  // keys of a scene file that give them; NULL: no more

  // Signed distance of p from the surface, and the outward normal at the closest point (distance.h).
  double (*distance)(const plShape* s, plVec3 p, plVec3* normal);
  // The point farthest along d, which need not be unit.
  plVec3 (*support)(const plConvex* s, plVec3 d);
  // Corners of the flat face or line that supports it along d, and their number; 0: there is none. NULL:
  // never.
  int (*face)(const plConvex* s, plVec3 d, plVec3* corner);
  // Curvature where the normal is n: k = (k11, k12, k22) in the unit tangents t, zero on entry. Returns false
  // on an edge or a corner.
  bool (*curvature)(const plConvex* s, plVec3 at, plVec3 n, const plVec3 t[2], double k[3]);
  // If the shape is a smaller one grown by its radius: the support point of that core, all in the world.
  // NULL: it is not.
  plVec3 (*core)(const plConvex* s, plVec3 d);

  // m, half of its smallest thickness.
  double (*half_size)(const plShape* s);
  // m, smallest radius of curvature of its round parts. NULL: a shape of flat faces.
  double (*radius)(const plShape* s);
  // m, the smaller radius of curvature where the normal is n. NULL: radius(s) everywhere.
  double (*radius_at)(const plShape* s, plVec3 n);
  // For flat round ends across z: their area over that of the polygon that `face` gives. 0: it has none.
  double cap;

  // Filled with a density (kg/m^3), about its origin.
  plInertia (*inertia)(const plShape* s, double density);
  // A closed surface to draw. NULL on failure.
  plMesh* (*facets)(const plShape* s, plError* error);
} plShapeTraits;

// The kinds that a scene file names, in the order of plShapeKind.
#define PL_SHAPE_LIST(X)                                    \
  X(PL_SHAPE_HALF_SPACE, "half_space", pl_shape_half_space) \
  X(PL_SHAPE_SPHERE, "sphere", pl_shape_sphere)             \
  X(PL_SHAPE_BOX, "box", pl_shape_box)                      \
  X(PL_SHAPE_CAPSULE, "capsule", pl_shape_capsule)          \
  X(PL_SHAPE_CYLINDER, "cylinder", pl_shape_cylinder)       \
  X(PL_SHAPE_ELLIPSOID, "ellipsoid", pl_shape_ellipsoid)

#define PL_SHAPE_DECLARE(kind, name, traits) extern const plShapeTraits traits;
PL_SHAPE_LIST(PL_SHAPE_DECLARE)
#undef PL_SHAPE_DECLARE
extern const plShapeTraits pl_shape_mesh;  // scene files name it by `mesh`, with a file

extern const plShapeTraits* const pl_shape_traits[PL_SHAPE_COUNT];

// ---- for the files of the kinds

static const double PL_ALONG_FACE = 1e-6;  // 1 - cos of the angle within which a normal counts as a face's

static inline bool pl_shape_is_face(double cosine) { return cosine > 1 - PL_ALONG_FACE; }
// The unit vector along x, or fallback if x is zero.
static inline plVec3 pl_shape_unit_or(plVec3 x, plVec3 fallback) {
  double n = v3_norm(x);
  return n > 0 ? v3_scale(1 / n, x) : fallback;
}
// Curvature 1/r across the axis z, zero along it.
void pl_shape_mantle(double r, const plVec3 t[2], double k[3]);
// Of a box or ellipsoid that fills s->size: half of its shortest side.
double pl_shape_half_side(const plShape* s);
// The radius of a kind that has one.
double pl_shape_own_radius(const plShape* s);
// The inertia of moments m k (b^2 + c^2), ... about the centre.
plInertia pl_shape_central(double m, double k, plVec3 a);
// A surface of revolution about z through n points (radius, height), bottom to top; its ends are on the axis.
plMesh* pl_shape_revolve(const double (*profile)[2], int n, plError* error);
// A sphere cut at its equator and pulled apart by length; length 0: a sphere.
plMesh* pl_shape_pulled_sphere(double radius, double length, plError* error);

#endif

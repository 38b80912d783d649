// round.h: a rigid surface that is round: an exact shape, or a mesh that approximates one.
//
// A mesh (or hull) without sharp edges is treated as the smooth surface that it approximates: soft facets
// touch it as they touch an exact shape (skin_smooth.c), with the spring of a coarse mesh under a curved
// tool.
#ifndef PL_CONTACT_ROUND_H
#define PL_CONTACT_ROUND_H

#include "contact/contact.h"

// Properties of the surface that a mesh approximates, in the mesh's frame.
typedef struct plRound {
  double* tri_radius;  // [ntri] m, of the strongest curvature around each facet
  double radius;       // m, its mean
  double thick;        // m, half the smallest width
} plRound;

// Creates the properties for the mesh of a collider; *round is NULL if it has no mesh, or one with a sharp or
// open edge. Returns false if memory ran out.
bool pl_round_create(const plCollider* c, plRound** round);
void pl_round_destroy(plRound* round);

// Whether soft facets of one of the two touch the other as a round tool, with the spring of their mesh: both
// surfaces have mesh_compliance, or the tool is an exact shape.
bool pl_contact_on_round(const plData* data, const plCollider* soft, const plCollider* tool);
// Whether both surfaces have mesh_compliance.
bool pl_contact_mesh_compliance(const plData* data, const plCollider* soft, const plCollider* tool);

// Distance of x (in the tool's frame) from the surface, negative inside; the outward normal there; the
// closest facet of a mesh, else -1. A mesh is searched first within the given distance of x, which saves
// time.
double pl_round_distance(const plCollider* tool, plVec3 x, double within, plVec3* normal, int* tri);
// Radius of the strongest curvature (m): its mean, or at the point with that normal (in the tool's frame) or
// on that facet; half the smallest width.
double pl_round_radius(const plCollider* tool);
double pl_round_radius_at(const plCollider* tool, plVec3 normal, int tri);
double pl_round_thick(const plCollider* tool);
// Whether that radius differs from point to point.
bool pl_round_is_uneven(const plCollider* tool);

#endif

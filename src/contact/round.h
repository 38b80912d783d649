// round.h: a rigid surface that is round: an exact shape, or a mesh that stands for one.
//
// A mesh (or hull) of which no edge is sharp is taken for the smooth surface that it approximates: soft
// facets touch it as they touch an exact shape (skin_smooth.c), on the spring of a coarse mesh under a curved
// tool.
#ifndef PL_CONTACT_ROUND_H
#define PL_CONTACT_ROUND_H

#include "contact/contact.h"

// What a mesh knows of the surface it stands for, in its own frame.
typedef struct plRound {
  double* tri_radius;  // [ntri] m, of the strongest curvature around each facet
  double radius;       // m, the same in the mean
  double thick;        // m, half the least width
} plRound;

// Of the mesh of a collider; *round is NULL where it is no mesh, or one with a sharp or open edge. False:
// memory ran out.
bool pl_round_create(const plCollider* c, plRound** round);
void pl_round_destroy(plRound* round);

// Whether soft facets of one of the two touch the other as a round tool, on the spring of their mesh: both
// surfaces have mesh_compliance, or the tool is an exact shape.
bool pl_contact_on_round(const plData* data, const plCollider* soft, const plCollider* tool);
// Whether both surfaces have mesh_compliance.
bool pl_contact_mesh_compliance(const plData* data, const plCollider* soft, const plCollider* tool);

// Distance of x (the tool's frame) from the surface, negative inside; the outward normal there; the facet of
// a mesh that is closest, else -1. A mesh is searched within so much of x first, which saves time.
double pl_round_distance(const plCollider* tool, plVec3 x, double within, plVec3* normal, int* tri);
// Radius of the strongest curvature (m), in the mean; at the place with that normal (the tool's frame) or on
// that facet; half the least width.
double pl_round_radius(const plCollider* tool);
double pl_round_radius_at(const plCollider* tool, plVec3 normal, int tri);
double pl_round_thick(const plCollider* tool);

#endif

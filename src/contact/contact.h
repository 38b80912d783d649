// contact.h: from positions to contact points.
#ifndef PL_CONTACT_CONTACT_H
#define PL_CONTACT_CONTACT_H

#include "model/work.h"

// Finds the contact points of the configuration at the start of the step: work->point, sorted by (A, B, feature).
plStatus pl_contact_find(const plModel* model, plData* data);

// Surface vertices of deformable body b against rigid shape g, by the shape's exact distance.
plStatus pl_contact_vertices_shape(const plModel* model, plData* data, int b, int g);

// How far ahead a step looks for contacts (m): twice what the fastest vertex of the body can travel, and what gravity adds.
double pl_contact_window(const plModel* model, const plData* data, int b);

#endif

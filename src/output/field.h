// field.h: numbers on the mesh of a body: of its tetrahedra, averaged to its vertices.
#ifndef PL_OUTPUT_FIELD_H
#define PL_OUTPUT_FIELD_H

#include "pliant/output.h"

// Results of all tetrahedra of a body; *element is freed by the caller with pl_free.
plStatus pl_field_elements(const plData* data, int body, plElementState** element, plError* error);
// vert[i] = mean of the values of the tets around vertex i, weighted by their volume; vertices and tets
// counted within the body.
void pl_field_to_vertices(const plModel* model, int body, const double* tet, double* vert);
// The colour's quantity at the vertices of a body.
plStatus pl_field_colour(const plData* data, int body, plColour colour, double* vert, plError* error);
// The contact forces on a body at its vertices, over the area of surface around each (Pa): vert[3 nvert].
void pl_field_contact(const plData* data, int body, double* vert);
// Largest eigenvalue of a strain xx yy zz xy yz xz.
double pl_field_principal(const double strain[6]);

#endif

// elements.h: the list of elements and what differs between them.
#ifndef PL_FEM_ELEMENTS_H
#define PL_FEM_ELEMENTS_H

#include "base/word.h"
#include "fem/points.h"
#include "pliant/material.h"

typedef struct plElementInfo {
  plStatus (*points)(const plMesh* mesh, plPoints** points, plError* error);
  int points_per_tet;  // 0: the points belong to edges
  bool quadratic;      // the midpoints of edges are nodes too
} plElementInfo;

extern const plElementInfo pl_elements[PL_ELEMENT_COUNT];
// Their names in scene files, in the order of plElement.
extern const plWord pl_element_words[];

#endif

// constraint.h: from contact points to participating DoFs and rows of the convex problem.
#ifndef PL_CONSTRAINT_CONSTRAINT_H
#define PL_CONSTRAINT_CONSTRAINT_H

#include "model/work.h"

// The vertices that constraints touch, body by body, and the factor's partition.  VI.A
plStatus pl_constraint_partition(const plModel* model, plData* data);

// The problem on participating DoFs: cliques are deformable bodies with participating vertices.
typedef struct plReduced {
  plSapProblem problem;
  int* body;          // [nclique] deformable body of each clique
  int* clique;        // [ndeform] clique of each body, -1: none
  int* row_of_vert;   // [nvert] place of a participating vertex in its clique, -1: none
  double* v_guess;    // [sum of clique_nv] v0
  plVec3 (*frame)[3]; // [npoint] tangents and normal of each contact
} plReduced;

// Builds it in the step's arena from A_hat, v_star and the points.  (20)
plStatus pl_constraint_reduce(const plModel* model, plData* data, plReduced* reduced);

#endif

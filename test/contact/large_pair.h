// large_pair.h: two large surfaces that touch in many points: one pair of each kind, for the threads inside a
// pair.
#ifndef PL_TEST_LARGE_PAIR_H
#define PL_TEST_LARGE_PAIR_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../scenes.h"

typedef enum LargePair {
  LARGE_SOFT_SOFT,
  LARGE_SOFT_MESH,
  LARGE_SOFT_SPHERE,
  LARGE_SOFT_PLANE,
  LARGE_MESH_MESH,
  LARGE_MESH_CAPSULE,
  LARGE_PAIRS
} LargePair;

static const char* const large_pair_name[LARGE_PAIRS] = {
    "soft, soft", "soft, rigid mesh", "soft, sphere", "soft, half space", "rigid meshes", "mesh, capsule"};

static inline void large_pair_check(plStatus status, const plError* error) {
  if (status) fprintf(stderr, "%s\n", error->message), exit(1);
}

// A block of 0.2 x 0.2 x 0.04 m, n n n / 10 cells; its upper side is wavy (1 mm), so that facets meet in all
// directions.
static inline plMesh* large_block(int n) {
  plMesh* mesh = box_mesh((plVec3){0.2, 0.2, 0.04}, n, n, n < 20 ? 2 : n / 10);
  for (int v = 0; v < mesh->nvert; v++) {
    double* x = mesh->vert + 3 * (size_t)v;
    if (x[2] > 0.0199) x[2] += 1e-3 * sin(60 * x[0]) * cos(45 * x[1]);
  }
  plError error;
  large_pair_check(pl_mesh_boundary(mesh, &error), &error);
  return mesh;
}

// One side at the given pose: a deformable, or a mesh or another shape on a free body.
static inline void add_large_soft(plSpec* spec, const char* name, const plMesh* mesh, plPose pose) {
  plError error;
  plDeformableDef def = pl_default_deformable_def();
  def.name = name, def.mesh = mesh, def.pose = pose, def.material.young = 1e5, def.surface.friction = 0.5;
  def.self_contact = false;
  large_pair_check(pl_spec_add_deformable(spec, &def, NULL, &error), &error);
}

static inline void add_large_rigid(plSpec* spec, const char* name, plShapeDef shape, plPose pose) {
  plError error;
  int id;
  plBodyDef body = pl_default_body_def();
  body.name = name, body.mass = 1, body.pose = pose,
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 1e-2;
  large_pair_check(pl_spec_add_body(spec, &body, &id, &error), &error);
  shape.name = name, shape.body = id, shape.surface.friction = 0.5;
  large_pair_check(pl_spec_add_shape(spec, &shape, NULL, &error), &error);
}

// The upper side lies on the lower one, turned by 0.3 rad about z (and by half a turn about x, if it is a
// block), 1 mm deep.
static inline plSpec* large_pair_spec(LargePair kind, int n, int threads) {
  plSpec* spec = pl_spec_create();
  plMesh* block = large_block(n);
  plPose low = {{0, 0, 0}, {1, 0, 0, 0}}, high = {{0.003, 0.002, 0.041}, {0, cos(0.15), sin(0.15), 0}};
  plShapeDef shape = pl_default_shape_def();
  pl_spec_options(spec)->threads = threads;
  if (kind == LARGE_MESH_MESH || kind == LARGE_MESH_CAPSULE) {
    shape.kind = PL_SHAPE_MESH, shape.mesh = block;
    add_large_rigid(spec, "low", shape, low);
  } else
    add_large_soft(spec, "low", block, low);
  shape.kind = PL_SHAPE_MESH, shape.mesh = block;
  if (kind == LARGE_SOFT_SPHERE) shape.kind = PL_SHAPE_SPHERE, shape.radius = 0.5, high.p.z = 0.516;
  if (kind == LARGE_SOFT_PLANE) shape.kind = PL_SHAPE_HALF_SPACE, high.p.z = 0.0205;
  if (kind == LARGE_MESH_CAPSULE)
    shape.kind = PL_SHAPE_CAPSULE, shape.radius = 0.02, shape.length = 0.15,
    high = (plPose){{0, 0, 0.04}, {sqrt(0.5), 0.5, 0.5, 0}};
  if (kind == LARGE_SOFT_SOFT)
    add_large_soft(spec, "high", block, high);
  else
    add_large_rigid(spec, "high", shape, high);
  pl_mesh_destroy(block);
  return spec;
}

#endif

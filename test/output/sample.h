// sample.h: a small model with everything that output knows, and contacts to go with it.
#ifndef PL_TEST_SAMPLE_H
#define PL_TEST_SAMPLE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../scenes.h"
#include "base/memory.h"

// A path in the build folder; four may be in use at a time.
static inline const char* sample_path(const char* name) {
  static char path[4][4096];
  static int next;
  next = (next + 1) % 4;
  snprintf(path[next], sizeof path[next], "%s/test/%s", PLIANT_BINARYDIR, name);
  return path[next];
}

static inline plMesh* sample_wedge(void) {
  plMesh* mesh = pl_mesh_create(4, 0, 4, NULL);
  memcpy(mesh->vert, (double[12]){0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}, sizeof(double[12]));
  memcpy(mesh->tri, (int[12]){0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2}, sizeof(int[12]));
  return mesh;
}

static inline void sample_shape(plSpec* spec, const char* name, plShapeKind kind, double x) {
  plShapeDef def = pl_default_shape_def();
  def.name = name, def.kind = kind, def.pose.p = (plVec3){x, 0.4, 0.1};
  def.size = (plVec3){0.1, 0.12, 0.14}, def.radius = 0.05, def.length = 0.1,
  def.colour = (plVec3){0.2, 0.4, 0.6};
  plMesh* mesh = kind == PL_SHAPE_MESH ? sample_wedge() : NULL;
  if (kind == PL_SHAPE_HALF_SPACE) def.pose.p = (plVec3){0, 0, 0};
  def.mesh = mesh;
  plError error;
  if (pl_spec_add_shape(spec, &def, NULL, &error)) printf("%s\n", error.message);
  pl_mesh_destroy(mesh);
}

// A beam held at one end and a tumbling block, with one shape of each kind.
static inline const plModel* sample_model(double young) {
  plOptions options = pl_default_options();
  plSpec* spec = block_spec(0.3, options);
  plMesh* mesh = box_mesh((plVec3){0.4, 0.05, 0.05}, 8, 2, 2);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "beam", def.mesh = mesh, def.pose.p = (plVec3){0.1, -0.3, 0.2};
  def.material.young = young, def.material.kind = PL_MATERIAL_NEO_HOOKEAN;
  def.velocity = (plVec3){0, 0, 0.2};
  pl_spec_add_deformable(spec, &def, NULL, NULL);
  pl_mesh_destroy(mesh);
  plFixDef fix = pl_default_fix_def();
  fix.deformable = 1, fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre.x = -0.2,
  fix.region.normal = (plVec3){1, 0, 0};
  fix.ntime = 2, fix.time = (double[2]){0, 1}, fix.offset = (plVec3[2]){{0, 0, 0}, {0, 0, 0.1}};
  pl_spec_add_fix(spec, &fix, NULL);
  for (int kind = 0; kind < PL_SHAPE_COUNT; kind++)
    sample_shape(spec, pl_shape_name((plShapeKind)kind), (plShapeKind)kind, 0.3 * kind - 0.6);
  plError error;
  const plModel* model = pl_model_create(spec, &error);
  if (!model) printf("%s\n", error.message);
  pl_spec_destroy(spec);
  return model;
}

// The block (0) on the ground (shape 0), the beam (1) against the block, the sphere (shape 1) against the
// beam.
static inline plContact* sample_contacts(int* n) {
  static plContact contact[3] = {{.a = {PL_SIDE_SHAPE, 0},
                                  .b = {PL_SIDE_DEFORMABLE, 0},
                                  .position = {0.1, 0, 0},
                                  .normal = {0, 0, 1},
                                  .gap = -1e-4,
                                  .area = 2e-4,
                                  .force = {1, 0, 7},
                                  .slip = {0.3, 0.4, 0},
                                  .tri_a = -1,
                                  .tri_b = 7},
                                 {.a = {PL_SIDE_SHAPE, 0},
                                  .b = {PL_SIDE_DEFORMABLE, 0},
                                  .position = {0.3, 0, 0},
                                  .normal = {0, 0, 1},
                                  .gap = -3e-4,
                                  .area = 4e-4,
                                  .force = {0, 2, 3},
                                  .stick = true,
                                  .tri_a = -1,
                                  .tri_b = 2},
                                 {.a = {PL_SIDE_DEFORMABLE, 1},
                                  .b = {PL_SIDE_DEFORMABLE, 0},
                                  .position = {0, 0, 1},
                                  .normal = {1, 0, 0},
                                  .gap = 1e-3,
                                  .area = 1e-4,
                                  .force = {5, 0, 1},
                                  .tri_a = 120,
                                  .tri_b = 9}};
  *n = 3;
  return contact;
}

// Gives the data these contacts, and takes them back.
static inline void lend_contacts(plData* data, plContact** own, int* nown) {
  *own = data->contact, *nown = data->ncontact;
  data->contact = sample_contacts(&data->ncontact);
}
static inline void return_contacts(plData* data, plContact* own, int nown) {
  data->contact = own, data->ncontact = nown;
}

#endif

// pliant.h: everything. A soft block falls on the ground and comes to rest:
//
//   #include <pliant/pliant.h>
//   #include <stdio.h>
//   int main(void) {
//     plError error = {0};
//     plMesh* mesh = NULL;
//     const plModel* model = NULL;
//     plData* data = NULL;
//     plSpec* spec = pl_spec_create();
//     plStatus status = pl_mesh_box((plVec3){0.1, 0.1, 0.1}, 0.03, &mesh, &error);
//     plDeformableDef block = pl_default_deformable_def();
//     block.name = "block", block.mesh = mesh, block.pose.p.z = 0.2;
//     plShapeDef ground = pl_default_shape_def();
//     ground.name = "ground", ground.kind = PL_SHAPE_HALF_SPACE;
//     if (!status) status = pl_spec_add_deformable(spec, &block, NULL, &error);
//     if (!status) status = pl_spec_add_shape(spec, &ground, NULL, &error);
//     if (!status) model = pl_model_create(spec, &error);
//     if (model) data = pl_data_create(model, &error);
//     while (data && !status && data->time < 1) status = pl_step(data, &error);
//     plBodyState state = {0};
//     if (data && !status && !pl_deformable_state(data, 0, &state))
//       printf("the block rests at z = %.4f m\n", state.com.z);
//     else
//       fprintf(stderr, "%s\n", error.message);
//     pl_data_destroy(data);
//     pl_model_destroy(model);
//     pl_spec_destroy(spec);
//     pl_mesh_destroy(mesh);
//     return !data || status;
//   }
//
// A pointer must not be NULL unless the comment of its function says what NULL means; errors, callbacks and
// their argument may always be NULL, and what destroys or closes accepts NULL. Any other NULL is a
// mistake in the program, not in the input: it fails an assertion that names the pointer, in release builds
// too.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef PLIANT_PLIANT_H
#define PLIANT_PLIANT_H

#include "pliant/batch.h"
#include "pliant/data.h"
#include "pliant/dynamics.h"
#include "pliant/forces.h"
#include "pliant/ik.h"
#include "pliant/material.h"
#include "pliant/mesh.h"
#include "pliant/model.h"
#include "pliant/output.h"
#include "pliant/parameters.h"
#include "pliant/rigid.h"
#include "pliant/sap.h"
#include "pliant/sensor.h"
#include "pliant/shape.h"
#include "pliant/spec.h"
#include "pliant/stream.h"
#include "pliant/types.h"
#include "pliant/view.h"

#endif

// world.h: the scene of the batch's tests: an arm with two joints above a soft block on the ground.
#ifndef PL_TEST_BATCH_WORLD_H
#define PL_TEST_BATCH_WORLD_H

#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "model/work.h"
#include "pliant/pliant.h"

static plError error;

static const char scene[] =
    "pliant: 1\n"
    "options: {dt: 0.01}\n"
    "bodies:\n"
    "  - name: arm\n    mass: 1\n    com: [0.2, 0, 0]\n    inertia: [0.01, 0.02, 0.02]\n"
    "    joint: {name: hinge, kind: revolute, axis: [0, 1, 0], pose: {position: [-0.4, 0, 0.12]}, "
    "damping: 0.1, actuator: {kind: position, kp: 20, kd: 2}}\n"
    "  - name: hand\n    mass: 0.4\n    inertia: [1e-3, 1e-3, 1e-3]\n"
    "    joint: {name: wrist, kind: revolute, parent: arm, axis: [0, 1, 0], pose: {position: [0.4, 0, 0]}, "
    "damping: 0.05, actuator: {kind: position, kp: 9, kd: 1, effort: 1}}\n"
    "deformables:\n"
    "  - name: soft\n    shape: box\n    size: [0.1, 0.1, 0.1]\n    cells: [2, 2, 2]\n"
    "    pose: {position: [0, 0, 0.05]}\n"
    "    material: {young: 3e4, poisson: 0.4, density: 500}\n"
    "  - name: flap\n    shape: box\n    size: [0.1, 0.04, 0.02]\n    cells: [3, 1, 1]\n"
    "    pose: {position: [0.3, 0, 0.2]}\n"
    "    material: {kind: neo_hookean, young: 5e4, poisson: 0.4, density: 300}\n"
    "shapes:\n"
    "  - {name: ground, shape: half_space}\n"
    "  - {name: palm, body: hand, shape: box, size: [0.1, 0.08, 0.02], pose: {position: [0, 0, -0.01]}}\n"
    "attachments:\n"
    "  - {name: held, deformable: flap, region: {shape: half_space, centre: [-0.045, 0, 0], normal: [1, 0, "
    "0]}, stiffness: 1e4, relaxation_time: 0.01}\n";

static const char list[] =
    "time, step, soft.com, hand.position, contact(palm,soft).force, report.contacts, hinge.q, hinge.motor";

static const plModel* compile(void) {
  plSpec* spec = NULL;
  if (pl_spec_parse("batch.yaml", "", scene, strlen(scene), NULL, &spec, &error))
    printf("%s:%d: %s\n", error.file, error.line, error.message), exit(1);
  const plModel* model = pl_model_create(spec, &error);
  if (!model) printf("%s\n", error.message), exit(1);
  pl_spec_destroy(spec);
  return model;
}

static inline plData* simulation(const plModel* model) {
  plData* data = pl_data_create(model, &error);
  if (!data) printf("%s\n", error.message), exit(1);
  return data;
}

static inline plBatch* rows(const plModel* model, int nrow, int threads) {
  plBatch* batch = pl_batch_create(model, nrow, threads, &error);
  if (!batch) printf("%s\n", error.message), exit(1);
  return batch;
}

// The bits of a row: its state, parameters included.
static inline uint64_t bits(plBatch* batch, int row) {
  plData* data = simulation(batch->model);
  CHECK_INT(pl_batch_get(batch, row, data, &error), PL_OK);
  uint64_t hash = pl_state_hash(data) ^ 31 * pl_parameter_hash(data);
  pl_data_destroy(data);
  return hash;
}
static inline uint64_t data_bits(const plData* data) {
  return pl_state_hash(data) ^ 31 * pl_parameter_hash(data);
}

#endif

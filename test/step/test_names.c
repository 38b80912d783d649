// Named things: each kind has its count, names and a way to find them; sides of contacts are found by name.
#include <string.h>

#include "check.h"
#include "model/side.h"
#include "pliant/pliant.h"

static const char* const text =
    "pliant: 1\n"
    "deformables: [{name: block, shape: box, size: [0.1, 0.1, 0.1], edge: 0.1, pose: {position: [0, 0, "
    "0.049]}}]\n"
    "bodies:\n"
    "- {name: lid, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], pose: {position: [0, 0, 0.148]}}\n"
    "- name: arm\n"
    "  mass: 1\n"
    "  inertia: [1, 1, 1]\n"
    "  joint: {name: hinge, kind: revolute, pose: {position: [5, 0, 1]}, axis: [1, 0, 0], actuator: {name: "
    "motor, kind: motor}}\n"
    "constraints: [{name: tie, kind: ball, a: lid, b: arm, off: true}]\n"
    "attachments: [{name: hold, deformable: block, region: {shape: half_space, normal: [0, 0, 1]}, off: "
    "true}]\n"
    "sensors: [{name: feel, kind: position, on: lid}]\n"
    "sites: [{name: mark, body: arm}]\n"
    "shapes:\n"
    "- {name: ground, shape: half_space}\n"
    "- {name: plate, body: lid, shape: box, size: [0.1, 0.1, 0.1]}\n";

static const plModel* make(void) {
  plSpec* spec = NULL;
  plError error = {0};
  CHECK_INT(pl_spec_parse("names", ".", text, strlen(text), NULL, &spec, &error), PL_OK);
  const plModel* model = spec ? pl_model_create(spec, &error) : NULL;
  if (!model) printf("%s\n", error.message);
  pl_spec_destroy(spec);
  return model;
}

static void every_kind_is_found(void) {
  const plModel* m = make();
  const char* const name[PL_KIND_COUNT] = {"block", "arm", "hinge", "motor", "plate",
                                           "hold",  "tie", "feel",  "mark"};
  for (int k = 0; k < PL_KIND_COUNT; k++) {
    int i = pl_model_find(m, (plKind)k, name[k]);
    CHECK(i >= 0 && i < pl_model_count(m, (plKind)k));
    if (i >= 0) CHECK(!strcmp(pl_model_name(m, (plKind)k, i), name[k]));
    CHECK_INT(pl_model_find(m, (plKind)k, "nobody"), -1);
    CHECK(strlen(pl_kind_name((plKind)k)) > 3);
  }
  CHECK_INT(pl_model_find_constraint(m, "tie"), 0);
  pl_model_destroy(m);
}

static void sides_are_found_and_cover_each_other(void) {
  const plModel* m = make();
  plSide block, lid, plate, ground, world, none;
  CHECK(pl_model_find_side(m, "block", &block) && block.kind == PL_SIDE_DEFORMABLE && block.index == 0);
  CHECK(pl_model_find_side(m, "lid", &lid) && lid.kind == PL_SIDE_BODY);
  CHECK(pl_model_find_side(m, "plate", &plate) && plate.kind == PL_SIDE_SHAPE && plate.index == 1);
  CHECK(pl_model_find_side(m, "ground", &ground) && ground.kind == PL_SIDE_SHAPE && ground.index == 0);
  CHECK(pl_model_find_side(m, "world", &world) && world.kind == PL_SIDE_WORLD);
  CHECK(!pl_model_find_side(m, "nobody", &none));
  CHECK(pl_side_covers(m, lid, plate) && !pl_side_covers(m, lid, ground) &&
        !pl_side_covers(m, plate, ground));
  CHECK(pl_side_covers(m, world, ground) && !pl_side_covers(m, world, plate));
  CHECK(!pl_side_covers(m, world, block) && !pl_side_covers(m, lid, block) &&
        pl_side_covers(m, block, block));
  CHECK(pl_side_covers(m, (plSide){PL_SIDE_ANY, 0}, block));
  CHECK(!strcmp(pl_side_name(m, world), "world") && !strcmp(pl_side_name(m, plate), "plate"));
  for (int i = 0; i < m->ndeform + m->nshape; i++) CHECK_INT(pl_side_number(m, pl_side_of_number(m, i)), i);
  pl_model_destroy(m);
}

// The world is the ground, the body is its plate, and the block feels both.
static void contacts_are_asked_for_by_any_kind_of_side(void) {
  plError error;
  const plModel* m = make();
  plData* data = pl_data_create(m, &error);
  for (int i = 0; i < 3; i++) CHECK_INT(pl_step(data, &error), PL_OK);
  plSignals* s = NULL;
  CHECK_INT(pl_signals_create(
                m,
                "contact(world,block).force.z, contact(ground,block).force.z, contact(lid,block).force.z, "
                "contact(plate,block).force.z, contact(*,block).force.z",
                &s, &error),
            PL_OK);
  double f[5];
  CHECK_INT(pl_signals_eval(s, data, f, &error), PL_OK);
  CHECK(f[0] > 0 && f[0] == f[1] && f[2] < 0 && f[2] == f[3]);
  CHECK_ROUND(f[4], f[1] + f[3], 9);
  pl_signals_destroy(s), pl_data_destroy(data), pl_model_destroy(m);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(every_kind_is_found);
  RUN(sides_are_found_and_cover_each_other);
  RUN(contacts_are_asked_for_by_any_kind_of_side);
  return CHECK_END;
}

// The contact stage as a whole: the same bits for any number of threads, pairs against all pairs, no allocation when steady.
#include "check.h"

#include "base/memory.h"
#include "base/random.h"
#include "contact/contact.h"
#include "pliant/pliant.h"
#include "scenes.h"

// Soft blocks and rigid things of all shapes above a box.
static plModel* heap(int threads) {
  static const plShapeKind kinds[] = {PL_SHAPE_BOX, PL_SHAPE_SPHERE, PL_SHAPE_CAPSULE, PL_SHAPE_CYLINDER, PL_SHAPE_ELLIPSOID};
  plSpec* spec = pl_spec_create();
  plError error;
  plRandom r = {5};
  pl_spec_options(spec)->threads = threads;
  for (int i = 0; i < 12; i++) {
    char name[32];
    snprintf(name, sizeof name, "thing%d", i);
    plPose pose = {{0.12 * (i % 3) + pl_random(&r, 0, 0.02), 0.12 * (i / 3 % 2), 0.07 + 0.12 * (i / 6)}, {1, 0, 0, 0}};
    if (i % 4 == 1) {
      plMesh* mesh = box_mesh(v3(0.1, 0.08, 0.08), 2, 2, 2);
      plDeformableDef def = pl_default_deformable_def();
      def.name = name, def.mesh = mesh, def.pose = pose, def.material.young = 1e5;
      CHECK_INT(pl_spec_add_deformable(spec, &def, NULL, &error), PL_OK);
      pl_mesh_destroy(mesh);
      continue;
    }
    plBodyDef body = pl_default_body_def();
    int id;
    body.name = name, body.mass = 0.5, body.inertia[0] = body.inertia[1] = body.inertia[2] = 1e-3, body.pose = pose;
    CHECK_INT(pl_spec_add_body(spec, &body, &id, &error), PL_OK);
    plGeometryDef g = pl_default_geometry_def();
    g.name = name, g.body = id, g.kind = kinds[i % 5], g.size = v3(0.1, 0.09, 0.08), g.radius = 0.04, g.length = 0.05;
    CHECK_INT(pl_spec_add_geometry(spec, &g, NULL, &error), PL_OK);
  }
  plGeometryDef ground = pl_default_geometry_def();
  ground.name = "ground", ground.kind = PL_SHAPE_BOX, ground.size = v3(2, 2, 0.2), ground.pose.p.z = -0.1;
  CHECK_INT(pl_spec_add_geometry(spec, &ground, NULL, &error), PL_OK);
  plModel* model = pl_model_create(spec, &error);
  if (!model) printf("%s\n", error.message), exit(1);
  pl_spec_destroy(spec);
  return model;
}

static plData* run(const plModel* model, int steps) {
  plError error;
  plData* data = pl_data_create(model, &error);
  for (int i = 0; i < steps; i++) {
    plStatus status = pl_step(data, &error);
    CHECK_INT(status, PL_OK);
    if (status) { printf("step %d: %s\n", i, error.message); break; }
  }
  return data;
}

static void bits_do_not_depend_on_threads(void) {
  uint64_t hash[3];
  int contacts[3];
  for (int k = 0; k < 3; k++) {
    plModel* model = heap(1 << k);
    plData* data = run(model, 60);
    hash[k] = pl_state_hash(data), contacts[k] = data->ncontact;
    pl_data_destroy(data), pl_model_destroy(model);
  }
  CHECK(contacts[0] > 20);
  CHECK(hash[0] == hash[1] && hash[0] == hash[2] && contacts[0] == contacts[1] && contacts[0] == contacts[2]);
}

// The sweep finds every pair whose boxes come within the window and that may touch, once, in order.
static void the_sweep_finds_what_all_pairs_find(void) {
  plModel* model = heap(1);
  plData* data = run(model, 40);
  CHECK_INT(pl_contact_find(model, data), PL_OK);
  const plContactWork* w = data->work->contact;
  int found = 0;
  for (int a = 0; a < w->ncollider; a++)
    for (int b = a + 1; b < w->ncollider; b++) {
      const plCollider *p = &w->collider[a], *q = &w->collider[b];
      double s = pl_contact_window(model, p, q);
      bool near = p->lower.x - s <= q->upper.x && q->lower.x - s <= p->upper.x && p->lower.y - s <= q->upper.y && q->lower.y - s <= p->upper.y &&
                  p->lower.z - s <= q->upper.z && q->lower.z - s <= p->upper.z;
      if (!near || !pl_contact_may_touch(model, w, a, b)) continue;
      CHECK(found < w->nlist && w->list[found].a == a && w->list[found].b == b);
      found++;
    }
  CHECK_INT(found, w->nlist);
  CHECK(found > 10);
  pl_data_destroy(data), pl_model_destroy(model);
}

static void a_steady_heap_allocates_nothing(void) {
  plModel* model = heap(1);
  plData* data = run(model, 150);
  plError error;
  long before = pl_alloc_count();
  for (int i = 0; i < 20; i++) CHECK_INT(pl_contact_find(model, data), PL_OK);
  CHECK_INT(pl_alloc_count() - before, 0);
  CHECK_INT(pl_step(data, &error), PL_OK);
  pl_data_destroy(data), pl_model_destroy(model);
}

// Memory that runs out while contacts are sought is a status; the simulation goes on afterwards.
static void running_out_of_memory_is_a_status(void) {
  plModel* model = heap(1);
  for (int n = 0; n < 60; n += 3) {
    plError error;
    plData* data = pl_data_create(model, &error);
    pl_alloc_fail_after(n);
    plStatus status = pl_step(data, &error);
    pl_alloc_fail_after(-1);
    CHECK(status == PL_OK || status == PL_ERROR_MEMORY);
    CHECK_INT(pl_step(data, &error), PL_OK);
    pl_data_destroy(data);
  }
  pl_model_destroy(model);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(bits_do_not_depend_on_threads);
  RUN(the_sweep_finds_what_all_pairs_find);
  RUN(a_steady_heap_allocates_nothing);
  RUN(running_out_of_memory_is_a_status);
  return CHECK_END;
}

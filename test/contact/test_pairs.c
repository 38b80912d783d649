// test_pairs.c: the contact stage as a whole: the same bits for any number of threads, pairs against all
// pairs, no allocation when steady.
#include "base/memory.h"
#include "base/random.h"
#include "contact/contact.h"
#include "world.h"

// Soft blocks and rigid things of all shapes above a box.
static World heap(int threads) {
  static const plShapeKind kinds[] = {PL_SHAPE_BOX, PL_SHAPE_SPHERE, PL_SHAPE_CAPSULE, PL_SHAPE_CYLINDER,
                                      PL_SHAPE_ELLIPSOID};
  World w = begin(v3(0, 0, -9.81), 0.01);
  plRandom r = {5};
  pl_spec_options(w.spec)->threads = threads;
  for (int i = 0; i < 12; i++) {
    plPose pose = pose_at(0.12 * (i % 3) + pl_random(&r, 0, 0.02), 0.12 * (i / 3 % 2), 0.07 + 0.12 * (i / 6));
    if (i % 4 == 1) {
      add_block(&w, v3(0.1, 0.08, 0.08), 2, 2, 2, pose, 1e5);
      continue;
    }
    char name[32];
    snprintf(name, sizeof name, "thing%d", i);
    plShapeDef g = pl_default_shape_def();
    g.kind = kinds[i % 5], g.size = v3(0.1, 0.09, 0.08), g.radius = 0.04, g.length = 0.05;
    add_body(&w, name, g, pose, v3(0, 0, 0), 0.5, 1e-3);
  }
  add_shape(&w, "ground", PL_SHAPE_BOX, v3(2, 2, 0.2), v3(0, 0, -0.1), pl_default_surface());
  build(&w);
  return w;
}

static void bits_do_not_depend_on_threads(void) {
  uint64_t hash[3];
  int contacts[3];
  for (int k = 0; k < 3; k++) {
    World world = heap(1 << k);
    run(&world, 60);
    hash[k] = pl_state_hash(world.data), contacts[k] = world.data->ncontact;
    end(&world);
  }
  CHECK(contacts[0] > 20);
  CHECK(hash[0] == hash[1] && hash[0] == hash[2] && contacts[0] == contacts[1] && contacts[0] == contacts[2]);
}

// The sweep finds every pair whose boxes come within the margin and that may touch, and every soft body with
// itself, once, in order.
static void the_sweep_finds_what_all_pairs_find(void) {
  World world = heap(1);
  const plModel* model = world.model;
  run(&world, 40);
  CHECK_INT(pl_contact_find(model, world.data), PL_OK);
  const plContactWork* w = world.data->work->contact;
  int found = 0;
  for (int a = 0; a < w->ncollider; a++)
    for (int b = a; b < w->ncollider; b++) {
      const plCollider *p = &w->collider[a], *q = &w->collider[b];
      double s = pl_contact_margin(world.data, p, q);
      bool near = p->lower.x - s <= q->upper.x && q->lower.x - s <= p->upper.x &&
                  p->lower.y - s <= q->upper.y && q->lower.y - s <= p->upper.y &&
                  p->lower.z - s <= q->upper.z && q->lower.z - s <= p->upper.z;
      if (a == b ? !p->self : !near || !pl_contact_may_touch(model, w, a, b)) continue;
      CHECK(found < w->nlist && w->list[found].a == a && w->list[found].b == b);
      found++;
    }
  CHECK_INT(found, w->nlist);
  CHECK(found > 10);
  end(&world);
}

static void a_steady_heap_allocates_nothing(void) {
  World world = heap(1);
  run(&world, 150);
  long before = pl_alloc_count();
  for (int i = 0; i < 20; i++) CHECK_INT(pl_contact_find(world.model, world.data), PL_OK);
  CHECK_INT(pl_alloc_count() - before, 0);
  run(&world, 1);
  end(&world);
}

// If memory runs out in the contact search, the step returns a status; the simulation can continue
// afterwards.
static void running_out_of_memory_is_a_status(void) {
  World world = heap(1);
  for (int n = 0; n < 60; n += 3) {
    plError error;
    plData* data = pl_data_create(world.model, &error);
    pl_alloc_fail_after(n);
    plStatus status = pl_step(data, &error);
    pl_alloc_fail_after(-1);
    CHECK(status == PL_OK || status == PL_ERROR_MEMORY);
    CHECK_INT(pl_step(data, &error), PL_OK);
    pl_data_destroy(data);
  }
  end(&world);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(bits_do_not_depend_on_threads);
  RUN(the_sweep_finds_what_all_pairs_find);
  RUN(a_steady_heap_allocates_nothing);
  RUN(running_out_of_memory_is_a_status);
  return CHECK_END;
}

// test_rows.c: the rows of free bodies are computed in a quick way: the same motions as with the plain one.
#include "base/random.h"
#include "constraint/constraint.h"
#include "world.h"

// Boxes that tumble onto each other. plain: the rows and mass matrices of any joint.
static World heap(int seed, bool plain) {
  plRandom r = {(uint64_t)seed};
  World w = begin(v3(0, 0, -9.81), 0.005);
  plShapeDef shape = pl_default_shape_def();
  shape.kind = PL_SHAPE_BOX;
  for (int i = 0; i < 6; i++) {
    char name[16];
    snprintf(name, sizeof name, "box%d", i);
    double x = pl_random(&r, 0.05, 0.1), y = pl_random(&r, 0.05, 0.1), z = pl_random(&r, 0.05, 0.1);
    shape.size = v3(x, y, z);
    x = pl_random(&r, -0.03, 0.03), y = pl_random(&r, -0.03, 0.03);
    double mass = pl_random(&r, 0.2, 2), inertia = pl_random(&r, 1e-3, 3e-3);
    add_body(&w, name, shape, pose_at(x, y, 0.08 + 0.11 * i), v3(0, 0, 0), mass, inertia);
  }
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, 0), pl_default_surface());
  build(&w);
  for (int i = 0; i < 6; i++)
    for (int k = 3; k < 6; k++) w.data->v[6 * i + k] = pl_random(&r, -4, 4);
  for (int i = 0; i < 6; i++) {
    CHECK(pl_tree_is_body(&w.data->work->forest, i));
    if (plain) w.data->work->forest.node_straight[i] = false;
  }
  return w;
}

static void single_bodies_move_as_any_others(void) {
  int contacts = 0;
  for (int seed = 1; seed <= 8; seed++) {
    World quick = heap(seed, false), plain = heap(seed, true);
    for (int k = 0; k < 150; k++) {
      run(&quick, 1), run(&plain, 1);
      contacts += quick.data->ncontact;
      CHECK_INT(quick.data->ncontact, plain.data->ncontact);
    }
    for (int i = 0; i < quick.model->nq; i++) CHECK(quick.data->q[i] == plain.data->q[i]);
    for (int i = 0; i < quick.model->nv; i++) CHECK(quick.data->v[i] == plain.data->v[i]);
    end(&quick), end(&plain);
  }
  CHECK(contacts > 5000);
}

// The estimate of contacts, two columns at a time, is that of any constraint.
static void mobility_of_contacts(void) {
  int n = 0;
  World w = heap(9, false);
  for (int k = 0; k < 120; k++) {
    run(&w, 1);
    const plReduced* r = w.data->work->reduced;
    for (int i = 0; r && i < r->n; i++, n++) {
      double own = pl_rows_delassus(r, &r->constraint[i]),
             all = pl_sap_delassus(&r->problem, &r->constraint[i]);
      CHECK_NEAR(own, all, 1e-15 * all);
    }
  }
  CHECK(n > 500);
  end(&w);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(single_bodies_move_as_any_others);
  RUN(mobility_of_contacts);
  return CHECK_END;
}

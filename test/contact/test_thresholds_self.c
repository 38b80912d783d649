// Thresholds of self-contact (src/contact/thresholds.h): each test stands on both sides of one of them, at
// 0.7 and at 1.4 of it, and fails when it is doubled or halved.
#include <string.h>

#include "contact/pair.h"
#include "points.h"

static const plVec3 nowhere = {0, 0, 0};

// A clamp: two legs of thickness 2 L along x, joined at x = 0, with a slot of this height between them.
// Facets of the legs reach halfway through them, so that the thickness behind a facet is L.
static const double layer = 0.005, cell = 0.02;
enum { ALONG = 3 };

// more: how much longer the upper leg is than the lower one (m); it is then shifted across by a part of a
// cell, so that no vertices lie on each other.
static World clamp(double slot, double more, plVec3 gravity, double dt) {
  World w = begin(gravity, dt);
  plMesh* grid = box_mesh((plVec3){1, 1, 1}, ALONG, 1, 3);
  plMesh* mesh = pl_mesh_create(grid->nvert, grid->ntet - 5 * (ALONG - 1), 0, NULL);
  double high[4] = {0, 2 * layer, 2 * layer + slot, 4 * layer + slot};
  for (int v = 0; v < grid->nvert; v++) {
    int i = v % (ALONG + 1), j = v / (ALONG + 1) % 2, k = v / (2 * (ALONG + 1));
    double x = i * cell + (i == ALONG && k > 1 ? more : 0);
    v3_store(mesh->vert + 3 * (size_t)v, v3(x, (j + (more > 0 && k > 1 ? 0.3 : 0)) * cell, high[k]));
  }
  int n = 0;
  for (int t = 0; t < grid->ntet; t++) {
    int at = t / 5, i = at % ALONG, k = at / ALONG;
    if (k == 1 && i > 0) continue;
    memcpy(mesh->tet + 4 * (size_t)n++, grid->tet + 4 * (size_t)t, 4 * sizeof *mesh->tet);
  }
  plDeformableDef def = pl_default_deformable_def();
  def.name = "clamp", def.mesh = mesh, def.self_contact = true, def.material.young = 1e5;
  CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
  pl_mesh_destroy(mesh), pl_mesh_destroy(grid);
  build(&w);
  return w;
}

// Moves the upper leg, beyond the first cell after the joint, until this gap is left between the legs.
static void close_to(World* w, double slot, double gap) {
  for (int v = 0; v < w->model->nvert; v++) {
    double* x = w->data->q + 3 * (size_t)v;
    if (x[0] > 1.5 * cell && x[2] > 2 * layer + 0.5 * slot) x[2] -= slot - gap;
  }
}

// Points between the parts of the legs that stay parallel.
static int between(World* w) {
  int n = 0;
  find_points(w);
  for (int i = 0; i < w->data->work->npoint; i++) n += w->data->work->point[i].position.x > 1.9 * cell;
  return n;
}

static int points_of(double slot, double gap, plVec3 gravity, double dt) {
  World w = clamp(slot, 0, gravity, dt);
  close_to(&w, slot, gap);
  int n = between(&w);
  end(&w);
  return n;
}

// Legs that fall together look ahead like two bodies if they are far from each other at rest; else they are
// seen when half of their distance is closed.
static void near(void) {
  static const plVec3 down = {0, 0, -9.81};
  CHECK_INT(points_of(0.7 * 3 * layer, 0.6 * 0.7 * 3 * layer, down, 0.1), 0);
  CHECK(points_of(1.4 * 3 * layer, 0.6 * 1.4 * 3 * layer, down, 0.1) > 0);
}

static void closed(void) {
  static const plVec3 down = {0, 0, -9.81};
  CHECK_INT(points_of(2 * layer, 1.4 * 0.5 * 2 * layer, down, 0.1), 0);
  CHECK(points_of(2 * layer, 0.7 * 0.5 * 2 * layer, down, 0.1) > 0);
}

static void deepest(void) {
  double slot = 2 * layer;
  CHECK(points_of(slot, -0.7 * 0.5 * layer, nowhere, 0.01) > 0);
  CHECK_INT(points_of(slot, -1.4 * 0.5 * layer, nowhere, 0.01), 0);
}

// A slot that is low at rest closes like an inner corner: a smaller overlap is too deep.
static void corner(void) {
  double slot = 0.1 * layer;
  CHECK(points_of(slot, -0.7 * 0.2 * 0.5 * layer, nowhere, 0.01) > 0);
  CHECK_INT(points_of(slot, -1.4 * 0.2 * 0.5 * layer, nowhere, 0.01), 0);
}

static void in_front(void) {
  double deep = -0.6 * 0.5 * layer;
  CHECK_INT(points_of(0.7 * 0.25 * layer, deep, nowhere, 0.01), 0);
  CHECK(points_of(1.4 * 0.25 * layer, deep, nowhere, 0.01) > 0);
}

// The upper leg ends a little farther than the lower one. Its end still touches while it is beyond the end of
// the lower one by less than a part of the gap, or of the overlap.
static bool end_touches(double gap, double more) {
  double slot = 2 * layer;
  World w = clamp(slot, more, (plVec3){0, 0, -9.81}, 0.01);
  bool touches = false;
  close_to(&w, slot, gap);
  find_points(&w);
  for (int i = 0; i < w.data->work->npoint; i++) {
    const plContactPoint* p = &w.data->work->point[i];
    const plContactSide* side[2] = {&p->a, &p->b};
    for (int k = 0; k < 2; k++) {
      const double* x = side[k]->nvert == 1 ? w.data->q + 3 * (size_t)side[k]->vert[0] : NULL;
      touches = touches || (x && x[0] > ALONG * cell + 0.5 * more);
    }
  }
  end(&w);
  return touches;
}

static void beyond_open(void) {
  double gap = 2e-4;
  CHECK(end_touches(gap, 0.7 * 0.5 * gap));
  CHECK(!end_touches(gap, 1.4 * 0.5 * gap));
}

static void beyond_deep(void) {
  double gap = -0.4 * layer;
  CHECK(end_touches(gap, 0.7 * 0.1 * -gap));
  CHECK(!end_touches(gap, 1.4 * 0.1 * -gap));
}

// The upper side of a plate is a very flat roof. Facets on its two slopes are one side of a layer if each has
// a corner behind the other.
static plKin kin_of_slopes(double behind) {
  World w = begin(nowhere, 0.01);
  double c = 0.5 * cell, slope = behind * layer / (2 * c);
  plMesh* mesh = box_mesh((plVec3){4 * c, c, 2 * layer}, 4, 1, 1);
  for (int v = 0; v < mesh->nvert; v++)
    if (mesh->vert[3 * v + 2] > 0) mesh->vert[3 * v + 2] -= slope * fabs(mesh->vert[3 * v]);
  plDeformableDef def = pl_default_deformable_def();
  def.name = "roof", def.mesh = mesh, def.self_contact = true;
  CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
  pl_mesh_destroy(mesh);
  build(&w);
  find_points(&w);
  const plCollider* body = &w.data->work->contact->collider[0];
  int left = -1, right = -1;
  for (int t = 0; t < body->skin->ntri; t++) {
    plVec3 middle = v3_load(body->self->centre + 3 * (size_t)t);
    if (middle.z < 0.9 * layer) continue;
    if (middle.x < -c) left = t;
    if (middle.x > 0 && middle.x < c) right = t;
  }
  plKin kin = pl_self_kin(body->self, body->skin, left, right);
  end(&w);
  return kin;
}

static void behind(void) {
  CHECK(kin_of_slopes(0.7e-3) != PL_KIN_OWN);
  CHECK(kin_of_slopes(1.4e-3) == PL_KIN_OWN);
}

// Two walls of a groove, near its bottom at rest. Walls that face each other are folds, which may touch; else
// they are an inner corner, which never does.
static bool walls_may_touch(double facing) {
  double normal[6] = {0, 0, 1, sqrt(1 - facing * facing), 0, facing}, limit[2] = {layer, layer};
  plSelf self = {.normal = normal, .dt = 0.01};
  plSkin skin = {.ntri = 2, .tri_limit = limit};
  return pl_self_margin_near(&self, &skin, 0, 1, v3(0, 0, 0.3 * layer), 0) > 0;
}

static void facing(void) {
  CHECK(walls_may_touch(-1.4 * 0.25));
  CHECK(!walls_may_touch(-0.7 * 0.25));
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(near);
  RUN(closed);
  RUN(deepest);
  RUN(corner);
  RUN(in_front);
  RUN(beyond_open);
  RUN(beyond_deep);
  RUN(behind);
  RUN(facing);
  return CHECK_END;
}

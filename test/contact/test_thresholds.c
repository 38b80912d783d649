// Each test stands on both sides of one number of src/contact/thresholds.h, at 0.7 and at 1.4 of it, and
// fails when that number is doubled or halved.
#include <stdlib.h>

#include "base/memory.h"
#include "contact/pair.h"
#include "contact/sweep.h"
#include "contact/thresholds.h"
#include "geom/skin.h"
#include "math/pose.h"
#include "model/work.h"
#include "pliant/pliant.h"
#include "world.h"

static const plVec3 down = {0, 0, -9.81}, nowhere = {0, 0, 0};

// Points of one step, without those that its motion made.
static int points(World* w) {
  build(w);
  run(w, 1);
  return w->data->work->npoint - w->data->report.guard_points;
}

static int sphere_above_ground(double gap, double speed) {
  World w = begin(nowhere, 0.01);
  plShapeDef ball = pl_default_shape_def();
  ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.05;
  add_body(&w, "ball", ball, pose_at(0, 0, 0.05 + gap), v3(0, 0, -speed), 1, 1e-3);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
  int n = points(&w);
  end(&w);
  return n;
}

static void margin_least(void) {
  CHECK_INT(sphere_above_ground(1.4e-4, 0), 1);
  CHECK_INT(sphere_above_ground(2.8e-4, 0), 0);
}

static void margin_room(void) {
  CHECK_INT(sphere_above_ground(0.014, 1), 1);
  CHECK_INT(sphere_above_ground(0.028, 1), 0);
}

// A rigid cone of n sides over the middle of a facet of a soft block.
static World needle_on_block_at(double half_angle, double gap) {
  World w = begin(nowhere, 0.01);
  enum { N = 8 };
  double length = 0.1;
  plMesh* mesh = pl_mesh_create(N + 2, 0, 2 * N, NULL);
  for (int i = 0; i < N; i++) {
    double a = 2 * M_PI * i / N, r = length * tan(half_angle);
    int j = (i + 1) % N, tri[6] = {N, j, i, N + 1, i, j};
    v3_store(mesh->vert + 3 * i, v3(r * cos(a), r * sin(a), length));
    for (int k = 0; k < 6; k++) mesh->tri[6 * i + k] = tri[k];
  }
  v3_store(mesh->vert + 3 * N, nowhere), v3_store(mesh->vert + 3 * N + 3, v3(0, 0, length));
  plShapeDef g = pl_default_shape_def();
  g.kind = PL_SHAPE_MESH, g.mesh = mesh;
  add_block(&w, v3(0.1, 0.1, 0.1), 2, 2, 2, pose_at(0, 0, -0.05), 1e6);
  add_body(&w, "needle", g, pose_at(0.012, 0.021, gap), nowhere, 1, 1e-3);
  pl_mesh_destroy(mesh);
  return w;
}

static World needle_on_block(double half_angle) { return needle_on_block_at(half_angle, 1e-4); }

static void facing_at_all(void) {
  static const double sine[2] = {0.014, 0.007};
  for (int k = 0; k < 2; k++) {
    World w = needle_on_block(asin(sine[k]));
    CHECK_INT(points(&w), k == 0);
    end(&w);
  }
}

static void closest_share(void) {
  World w = needle_on_block(0.1);
  CHECK_INT(points(&w), 1);
  CHECK_NEAR(w.data->work->point[0].share, 0.5, 7.1e-15);
  CHECK_ROUND(w.data->work->point[0].gap, 1e-4, 0.1);
  end(&w);
}

// Two blocks of the same cells, one shifted by a part of a cell along a diagonal of the facets.
static void closest_same(void) {
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    double shift = 0.05 * (k ? 0.028 : 0.014);
    add_block(&w, v3(0.1, 0.1, 0.1), 2, 2, 2, pose_at(0, 0, 0), 1e6);
    add_block(&w, v3(0.1, 0.1, 0.1), 2, 2, 2, pose_at(shift, 0, 0.1 - 1e-6), 1e6);
    CHECK(points(&w) > 0);
    CHECK((w.data->report.merged > 0) == (k == 0));
    end(&w);
  }
}

// The same blocks without a shift, the upper one tilted about a lower edge, whose vertices lie on those of
// the other: they are merged where the faces lie flat on each other.
static void facets_flat(void) {
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    double angle = acos(1 - (k ? 1.4 : 0.7) * 0.03), side = 0.1;
    plQuat q = quat_exp(v3(0, -angle, 0));
    plPose high = {v3(-0.5 * side, 0, 0.5 * side), q};
    high.p = v3_add(high.p, quat_rotate(q, v3(0.5 * side, 0, 0.5 * side)));
    add_block(&w, v3(side, side, side), 2, 2, 2, pose_at(0, 0, 0), 1e6);
    add_block(&w, v3(side, side, side), 2, 2, 2, high, 1e6);
    CHECK(points(&w) > 0);
    CHECK((w.data->report.merged > 0) == (k == 0));
    end(&w);
  }
}

// A vertex that is beyond the edge of a facet by this fraction of it has a negative weight there.
static void inside(void) {
  static const double beyond[2] = {0.7e-3, 1.4e-3};
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    double side = 0.1, out = beyond[k] * side, least = 0;
    add_block(&w, v3(side, side, side), 1, 1, 1, pose_at(0, 0, 0), 1e6);
    add_block(&w, v3(0.6 * side, 0.6 * side, side), 1, 1, 1,
              pose_at(0.2 * side + out, 0.05 * side, side + 1e-5), 1e6);
    CHECK(points(&w) > 0);
    for (int i = 0; i < w.data->work->npoint; i++)
      for (int j = 0; j < 6; j++) {
        const plContactSide* a = j < 3 ? &w.data->work->point[i].a : &w.data->work->point[i].b;
        if (a->nvert == 3) least = fmin(least, a->weight[j % 3]);
      }
    CHECK((least < -1e-6) == (k == 0));
    end(&w);
  }
}

// A point with less than this share is dropped.
static void share_least(void) {
  World w = begin(nowhere, 0.01);
  add_block(&w, v3(0.1, 0.1, 0.1), 1, 1, 1, pose_at(0, 0, 0), 1e6);
  add_block(&w, v3(0.1, 0.1, 0.1), 1, 1, 1, pose_at(0, 0, 0.1), 1e6);
  build(&w);
  run(&w, 1);
  plWork* work = w.data->work;
  plPairList list = {0};
  plPair pair = {.model = w.model,
                 .data = w.data,
                 .ca = &work->contact->collider[0],
                 .cb = &work->contact->collider[1],
                 .list = &list,
                 .arena = &work->step};
  int vert = 0;
  double one = 1;
  plOnSkin at = {1, &vert, &one, 0};
  CHECK_INT(pl_pair_push(&pair, at, at, nowhere, v3(0, 0, 1), 0, 1e-4, 0.7e-4), PL_OK);
  CHECK_INT(list.npoint, 0);
  CHECK_INT(list.skipped, 1);
  CHECK_INT(pl_pair_push(&pair, at, at, nowhere, v3(0, 0, 1), 0, 1e-4, 1.4e-4), PL_OK);
  CHECK_INT(list.npoint, 1);
  pl_free(list.point), end(&w);
}

// A box over the ground that no force presses: its area counts if it is this close.
static void touching(void) {
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    double side = 0.1, area = 0.25 * side * side;
    plShapeDef box = pl_default_shape_def();
    box.kind = PL_SHAPE_BOX, box.size = v3(side, side, side);
    add_body(&w, "box", box, pose_at(0, 0, 0.5 * side + (k ? 1.4 : 0.7) * 1e-3 * sqrt(area)), nowhere, 1,
             1e-3);
    add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
    CHECK_INT(points(&w), 4);
    plContactPair pair;
    pl_contact_pair(w.data, (plSide){PL_SIDE_BODY, 0}, (plSide){PL_SIDE_ANY, 0}, &pair);
    CHECK_NEAR(pair.area, k ? 0 : side * side, 1.4e-16);
    end(&w);
  }
}

// The area of the only point of a ball of 50 mm on the ground, or of two crossed capsules of that radius that
// touch at an angle with this sine (0: the ball).
static double lone_area(double sine, double stiffness) {
  World w = begin(nowhere, 0.01);
  double r = 0.05;
  plShapeDef g = pl_default_shape_def();
  g.kind = sine > 0 ? PL_SHAPE_CAPSULE : PL_SHAPE_SPHERE, g.radius = r, g.length = 0.2;
  g.surface.contact_stiffness = stiffness;
  plPose lie = {nowhere, quat_exp(v3(M_PI / 2, 0, 0))},
         across = {v3(0, 0, 2 * r), quat_mul(quat_exp(v3(0, 0, asin(sine))), lie.q)};
  if (sine > 0) add_body(&w, "low", g, lie, nowhere, 1, 1e-3);
  if (sine > 0)
    add_body(&w, "high", g, across, nowhere, 1, 1e-3);
  else {
    add_body(&w, "ball", g, pose_at(0, 0, r), nowhere, 1, 1e-3);
    add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
  }
  CHECK_INT(points(&w), 1);
  double area = w.data->work->point[0].area / (r * r);
  end(&w);
  return area;
}

static void area_least(void) { CHECK_NEAR(lone_area(0, INFINITY), 1e-6, 1.4e-20); }

static void area_depth(void) { CHECK_NEAR(lone_area(0, 1e6), M_PI * 1e-4, 4.5e-18); }

// sin^2 is less than 0.01: the area is that of sine 0.1
static void area_oval(void) { CHECK_NEAR(lone_area(0.07, 1e6), M_PI / 0.1 * 1e-4, 4.5e-17); }

// A cylinder on a box, tilted so that the lowest point of its rim lies between two of the eight corners that
// stand for its cap: these are farther away than it by `parts` of the distance at which the point counts in
// full. Returns its weight relative to a corner; 0: a corner stands for it.
static double lonely_weight(double parts) {
  World w = begin(down, 0.05);
  double r = 0.05, sine = parts * 2e-3 / (1 - cos(M_PI / 8));
  plShapeDef g = pl_default_shape_def();
  g.kind = PL_SHAPE_BOX, g.size = v3(0.5, 0.5, 0.5);
  add_body(&w, "box", g, pose_at(0, 0, -0.25), nowhere, 1, 1e-3);
  g.kind = PL_SHAPE_CYLINDER, g.radius = r, g.length = 2 * r;
  plQuat q = quat_exp(v3_scale(asin(sine), v3(sin(M_PI / 8), cos(M_PI / 8), 0)));
  add_body(&w, "can", g, (plPose){v3(0, 0, r * (sqrt(1 - sine * sine) + sine)), q}, nowhere, 1, 1e-3);
  int n = points(&w);
  double weight = n == 9 ? w.data->work->point[8].area / w.data->work->point[0].area : 0;
  end(&w);
  return weight;
}

static void lonely(void) {
  CHECK_NEAR(lonely_weight(0.5), 0.5, 3.9e-9);
  CHECK_NEAR(lonely_weight(0.14), 0.14, 4.1e-9);
  CHECK_NEAR(lonely_weight(0.07), 0, 0);
}

// One point for two boxes, the upper one tilted: the far corners, which are half of this farther away, count
// half, so the point lies at a third of the width from the near ones.
static void as_close(void) {
  World w = begin(nowhere, 0.01);
  pl_spec_options(w.spec)->rigid_contact = PL_RIGID_POINT;
  double side = 0.1;
  plShapeDef box = pl_default_shape_def();
  box.kind = PL_SHAPE_BOX, box.size = v3(side, side, side);
  double radius = 0.5 * side, angle = asin(0.5 * 0.1 * radius / side);
  plQuat q = quat_exp(v3(0, -angle, 0));
  plPose high = {v3_add(v3(-0.5 * side, 0, 0.49 * side), quat_rotate(q, v3(0.5 * side, 0, 0.5 * side))), q};
  box.size = v3(2 * side, 2 * side, side);
  add_body(&w, "low", box, pose_at(0, 0, 0), nowhere, 1, 1e-3);
  box.size = v3(side, side, side);
  add_body(&w, "high", box, high, nowhere, 1, 1e-3);
  CHECK_INT(points(&w), 1);
  CHECK_NEAR(w.data->work->point[0].position.x, -0.5 * side + side / 3, 3.1e-4 * side);
  end(&w);
}

// A box that leans: its upper rim looks aside, and its side looks down by the sine of the angle.
static void some_facet(void) {
  static const double sine[2] = {0.07, 0.035};
  for (int k = 0; k < 2; k++) {
    World w = begin(down, 0.2);
    plShapeDef box = pl_default_shape_def();
    box.kind = PL_SHAPE_BOX, box.size = v3(0.1, 0.1, 0.1);
    plPose pose = {v3(0, 0, 0.06), quat_exp(v3(0, asin(sine[k]), 0))};
    add_body(&w, "box", box, pose, nowhere, 1, 1e-3);
    add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
    CHECK_INT(points(&w), k ? 4 : 6);
    end(&w);
  }
}

// A cylinder stands on eight points, each as strong as half of one of four.
static void patch_points(void) {
  World w = begin(nowhere, 0.01);
  plShapeDef g = pl_default_shape_def();
  g.kind = PL_SHAPE_CYLINDER, g.radius = 0.05, g.length = 0.1;
  add_body(&w, "can", g, pose_at(0, 0, 0.05), nowhere, 1, 1e-3);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
  CHECK_INT(points(&w), 8);
  for (int i = 0; i < 8; i++) CHECK_NEAR(w.data->work->point[i].share, 0.5, 7.1e-15);
  end(&w);
}

// Two capsules on top of each other, crossed by an angle.
static void lines_parallel(void) {
  static const double sine[2] = {0.035, 0.07};
  for (int k = 0; k < 2; k++) {
    World w = begin(down, 0.05);
    plShapeDef g = pl_default_shape_def();
    g.kind = PL_SHAPE_CAPSULE, g.radius = 0.05, g.length = 0.2;
    plPose lie = {nowhere, quat_exp(v3(M_PI / 2, 0, 0))},
           across = {v3(0, 0, 0.1), quat_mul(quat_exp(v3(0, 0, asin(sine[k]))), lie.q)};
    add_body(&w, "low", g, lie, nowhere, 1, 1e-3);
    add_body(&w, "high", g, across, nowhere, 1, 1e-3);
    int n = points(&w);
    CHECK(k ? n == 1 : n > 1);
    end(&w);
  }
}

// Two soft blocks, edge above edge: the upper one's lower edge is turned by q, this far above the lower one's
// at x. The block and its cells.
enum { RIDGE_CELLS = 2 };
static const double ridge_size = 0.1;

static World ridges(plQuat q, double x, double gap) {
  World w = begin(down, 0.05);
  double h = ridge_size / sqrt(2);
  plVec3 size = v3(ridge_size, ridge_size, ridge_size);
  plQuat on_edge = quat_exp(v3(M_PI / 4, 0, 0));
  plPose low = {v3(0, 0, -h), on_edge}, high = {nowhere, quat_mul(q, on_edge)};
  high.p = v3_sub(v3(x, 0, gap), quat_rotate(q, v3(x, 0, -h)));
  add_block(&w, size, RIDGE_CELLS, RIDGE_CELLS, RIDGE_CELLS, low, 1e6);
  add_block(&w, size, RIDGE_CELLS, RIDGE_CELLS, RIDGE_CELLS, high, 1e6);
  return w;
}

// Edges that rise by this many cells from one end to the other have points at both ends.
static void closest_reach(void) {
  static const double cells[2] = {0.7 * 0.25, 1.4 * 0.25};
  for (int k = 0; k < 2; k++) {
    double cell = ridge_size / RIDGE_CELLS;
    World w = ridges(quat_exp(v3(0, -asin(cells[k] * cell / ridge_size), 0)), -0.5 * ridge_size, 1e-3);
    double first = 0, last = -1;
    for (int i = points(&w) - 1; i >= 0; i--) {
      first = fmin(first, w.data->work->point[i].position.x);
      last = fmax(last, w.data->work->point[i].position.x);
    }
    CHECK_NEAR(first, -0.5 * ridge_size, 7.1e-16);
    CHECK((last > 0.45 * ridge_size) == (k == 0));
    end(&w);
  }
}

// Edges that are nearly parallel have points at the ends of the stretch they share, others where they cross.
static void edges_parallel(void) {
  static const double sine[2] = {0.14, 0.28};
  for (int k = 0; k < 2; k++) {
    World w = ridges(quat_exp(v3(0, 0, asin(sine[k]))), 0, 0.015);
    double most = 0;
    for (int i = points(&w) - 1; i >= 0; i--) most = fmax(most, fabs(w.data->work->point[i].position.x));
    CHECK((most > 0.4 * ridge_size) == (k == 0));
    end(&w);
  }
}

// A tip nearer to a face than this has no direction to it.
static void closest_slack(void) {
  for (int k = 0; k < 2; k++) {
    World w = needle_on_block(0.1);
    CHECK_INT(points(&w), 1);
    const plCollider* c = w.data->work->contact->collider;
    double cell = fmin(c[0].skin->cell, c[1].skin->cell), gap = (k ? 1.4 : 0.7) * 1e-6 * cell;
    end(&w);
    w = needle_on_block_at(0.1, gap);
    CHECK_INT(points(&w), k);
    end(&w);
  }
}

// Two cubes of one cell, whose facing faces are bent along their diagonals, which cross: the corners on one
// diagonal are raised, the others lowered, each above its partner. Points of overlap in the middle, where the
// convex diagonals are `cells` deep in each other.
static int crossings_of(double cells) {
  int found = 0;
  for (int sign = -1; sign <= 1; sign += 2) {
    World w = begin(nowhere, 0.01);
    double side = 0.1, gap = 1e-4;
    plVec3 size = v3(side, side, side);
    add_block(&w, size, 1, 1, 1, pose_at(0, 0, -0.5 * side), 1e6);
    add_block(&w, size, 1, 1, 1, pose_at(0, 0, 0.5 * side + gap), 1e6);
    build(&w);
    run(&w, 1);
    double cell = w.data->work->contact->collider[0].skin->cell, bend = 0.5 * (cells * cell + gap);
    for (int v = 0; v < w.model->nvert; v++) {
      double* x = w.data->q + 3 * (size_t)v;
      if (fabs(x[2]) < 0.1 * side) x[2] += x[0] * x[1] * sign > 0 ? bend : -bend;
    }
    run(&w, 1);
    for (int i = 0; i < w.data->work->npoint; i++) {
      const plContactPoint* p = &w.data->work->point[i];
      if (p->gap > -0.5 * cells * cell) continue;
      CHECK_NEAR(p->gap, -cells * cell, 2e-16);
      CHECK(hypot(p->position.x, p->position.y) < 1e-3 * side);
      found++;
    }
    end(&w);
  }
  return found;
}

static void blunt_deep(void) {
  CHECK_INT(crossings_of(0.7 * 0.1), 0);
  CHECK_INT(crossings_of(1.4 * 0.1), 1);
}

// A sphere on its way past the edge of a box, close enough for its point to close within the step though it
// misses: n . v dt is 10 um more than the gap.
static void sweep_slow(void) {
  static const double near = 2e-4;
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    double way = (k ? 1.4 : 0.7) * 5 * near, cosine = 0.45, gap = way * cosine - 1e-5, r = 0.01;
    plShapeDef ball = pl_default_shape_def(), box = pl_default_shape_def();
    ball.kind = PL_SHAPE_SPHERE, ball.radius = r, box.kind = PL_SHAPE_BOX, box.size = v3(0.1, 0.1, 0.1);
    add_body(&w, "box", box, pose_at(0.05, 0, -0.05), nowhere, 1, 1e-3);
    add_body(&w, "ball", ball, pose_at(-(r + gap) * cosine, 0, (r + gap) * sqrt(1 - cosine * cosine)),
             v3(way / 0.01, 0, 0), 1, 1e-3);
    CHECK_INT(points(&w), k == 0);
    end(&w);
  }
}

// Hits of a motion that takes one block by `way` towards another that is `gap` above it; in parts of the
// thinner limit.
static int hits_of(double gap, double way, double* share) {
  World w = begin(nowhere, 0.01);
  plVec3 size = v3(0.1, 0.1, 0.1);
  add_block(&w, size, 2, 2, 2, pose_at(0, 0, 0), 1e6);
  add_block(&w, size, 2, 2, 2, pose_at(0.013, 0.007, 0.1 + 1e-4), 1e6);
  build(&w);
  run(&w, 1);
  plData* data = w.data;
  plWork* work = data->work;
  const plCollider* c = work->contact->collider;
  double thin = fmin(c[0].skin->thinnest, c[1].skin->thinnest), dt = 0.01;
  double* v = calloc((size_t)data->model->nv, sizeof *v);
  int iv = data->model->deform_v0[1];
  for (int i = iv; i < data->model->nv; i++) v[i] = i % 3 == (iv + 2) % 3 ? -way * thin / dt : 0;
  for (int i = 0; i < c[1].skin->nvert; i++) c[1].skin->x[3 * i + 2] += gap * thin - 1e-4;
  pl_skin_update(c[1].skin);
  work->npoint = 0;  // those of the step before
  plSweepHit* hit;
  int n;
  CHECK_INT(pl_contact_sweep(data->model, data, v, PL_SWEEP_DEEP, &hit, &n), PL_OK);
  if (share) *share = n ? hit[0].point.share : 0;
  free(v);
  end(&w);
  return n;
}

static void sweep_fast(void) {
  CHECK_INT(hits_of(0, 0.7 * 0.25, NULL), 0);
  CHECK(hits_of(0, 1.4 * 0.25, NULL) > 0);
}

static void sweep_deep(void) {
  double share;
  CHECK_INT(hits_of(0.5 - 0.7 * 0.1, 0.5, NULL), 0);
  CHECK(hits_of(0.5 - 1.4 * 0.1, 0.5, &share) > 0);
  CHECK_NEAR(share, 50, 7.1e-13);
}

// The motion that takes a ball by way into a box in which it is this deep already; in radii.
static int holds_of(double deep, double way) {
  World w = begin(nowhere, 0.01);
  double r = 0.05;
  plShapeDef ball = pl_default_shape_def(), box = pl_default_shape_def();
  ball.kind = PL_SHAPE_SPHERE, ball.radius = r, box.kind = PL_SHAPE_BOX, box.size = v3(0.3, 0.3, 0.3);
  add_body(&w, "box", box, pose_at(0, 0, -0.15), nowhere, 1, 1e-3);
  add_body(&w, "ball", ball, pose_at(0, 0, r - deep * r), nowhere, 1, 1e-3);
  CHECK_INT(points(&w), 1);
  double* v = calloc((size_t)w.model->nv, sizeof *v);
  v[6 + 2] = -way * r / 0.01;
  plSweepHit* hit;
  int n;
  CHECK_INT(pl_contact_sweep(w.model, w.data, v, PL_SWEEP_DEEP, &hit, &n), PL_OK);
  free(v), end(&w);
  return n;
}

static void sweep_held(void) {
  CHECK_INT(holds_of(0.7 * 0.5 * 0.1, 0.1), 0);
  CHECK_INT(holds_of(1.4 * 0.5 * 0.1, 0.1), 1);
}

static void sweep_onward(void) {
  CHECK_INT(holds_of(0.2, 0.7 * 0.01 * 0.1), 0);
  CHECK_INT(holds_of(0.2, 1.4 * 0.01 * 0.1), 1);
}

// A block's lower edge, which slopes up outwards, comes down on the rim of another's top near its own lower
// end: along their common perpendicular the top rises by the sine of the slope. Hits of edges.
static int edge_hits_of(double sine) {
  World w = begin(nowhere, 0.01);
  double side = 0.1, way = 0.03;
  plVec3 size = v3(side, side, side), end_of = v3(-0.48 * side, 0, -side / sqrt(2));
  plQuat q = quat_mul(quat_exp(v3(0, -asin(sine), 0)), quat_exp(v3(M_PI / 4, 0, 0)));
  plPose high = {v3(0, 0, 0), q};
  plVec3 at = quat_rotate(quat_exp(v3(0, -asin(sine), 0)), end_of);
  high.p = v3_sub(v3(0.5 * side, 0.013, 0.5 * side + 1e-4), at);
  add_block(&w, size, 2, 2, 2, pose_at(0, 0, 0), 1e6);
  add_block(&w, size, 2, 2, 2, high, 1e6);
  build(&w);
  run(&w, 1);
  double* v = calloc((size_t)w.model->nv, sizeof *v);
  int iv = w.model->deform_v0[1], hits = 0, n;
  for (int i = iv; i < w.model->nv; i++) v[i] = (i - iv) % 3 == 2 ? -way / 0.01 : 0;
  w.data->work->npoint = 0;
  plSweepHit* hit;
  CHECK_INT(pl_contact_sweep(w.model, w.data, v, PL_SWEEP_DEEP, &hit, &n), PL_OK);
  for (int i = 0; i < n; i++)
    hits += hit[i].kind == PL_SWEEP_EDGES && fabs(hit[i].point.position.x - 0.5 * side) < 5e-3;
  free(v), end(&w);
  return hits;
}

static void sweep_rise(void) {
  // the facet's third corner lies across its diagonal
  CHECK_INT(edge_hits_of(0.7 * 0.2 * sqrt(2)), 1);
  CHECK_INT(edge_hits_of(1.4 * 0.2 * sqrt(2)), 0);
}

// A cylinder on the ground, tilted so that the lowest point of its rim lies between two of the eight corners
// of its cap. It is a point of its own if it is this much below them, in radii.
static void rounding(void) {
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    double r = 0.05, sine = (k ? 1.4 : 0.7) * 1e-9 / (1 - cos(M_PI / 8));
    plShapeDef g = pl_default_shape_def();
    g.kind = PL_SHAPE_CYLINDER, g.radius = r, g.length = 2 * r;
    plQuat q = quat_exp(v3_scale(sine, v3(sin(M_PI / 8), cos(M_PI / 8), 0)));
    add_body(&w, "can", g, (plPose){v3(0, 0, r), q}, nowhere, 1, 1e-3);
    add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
    CHECK_INT(points(&w), k ? 9 : 8);
    end(&w);
  }
}

// A ball high above a flat mesh of two facets, a little beyond the edge between them: the far facet's closest
// point is on the edge. Seen from an end of the edge, the near facet's third corner, across its diagonal,
// rises towards the ball by x / high.
static void side_slack(void) {
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    double high = 0.5, r = 2e-4, side = 0.3, x = (k ? 1.4 : 0.7) * 1e-4 * high;
    plMesh* mesh = pl_mesh_create(4, 0, 2, NULL);
    static const int tri[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 4; i++)
      v3_store(mesh->vert + 3 * (size_t)i, v3(i == 0 || i == 3 ? -side : side, i < 2 ? -side : side, 0));
    for (int i = 0; i < 6; i++) mesh->tri[i] = tri[i];
    plShapeDef ground = pl_default_shape_def(), ball = pl_default_shape_def();
    ground.kind = PL_SHAPE_MESH, ground.mesh = mesh, ball.kind = PL_SHAPE_SPHERE, ball.radius = r;
    add_body(&w, "ground", ground, pose_at(0, 0, 0), nowhere, 1, 1e-3);
    add_body(&w, "ball", ball, pose_at(x, -x, high + r), v3(0, 0, -40), 1, 1e-3);
    pl_mesh_destroy(mesh);
    CHECK_INT(points(&w), k ? 1 : 2);
    end(&w);
  }
}

// A soft block that sinks with its existing points.
static void sweep_soft(void) {
  static const double part[2] = {0.7, 1.4};
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    plVec3 size = v3(0.1, 0.1, 0.1);
    add_block(&w, size, 1, 1, 1, pose_at(0, 0, 0), 1e6);
    add_block(&w, size, 1, 1, 1, pose_at(0, 0, 0.1 - 1e-5), 1e6);
    CHECK(points(&w) > 0);
    const plCollider* c = w.data->work->contact->collider;
    double thin = INFINITY;
    for (int i = 0; i < w.data->work->npoint; i++) {
      const plContactPoint* p = &w.data->work->point[i];
      int a = p->a.tri - w.model->deform_tri0[p->a.body], b = p->b.tri - w.model->deform_tri0[p->b.body];
      thin = fmin(thin, fmin(c[p->a.body].skin->tri_limit[a], c[p->b.body].skin->tri_limit[b]));
    }
    double way = part[k] * 2.5 * 0.1 * thin;
    double* v = calloc((size_t)w.model->nv, sizeof *v);
    int iv = w.model->deform_v0[1], n;
    for (int i = iv; i < w.model->nv; i++) v[i] = (i - iv) % 3 == 2 ? -way / 0.01 : 0;
    plSweepHit* hit;
    CHECK_INT(pl_contact_sweep(w.model, w.data, v, PL_SWEEP_DEEP, &hit, &n), PL_OK);
    int held = 0;
    for (int i = 0; i < n; i++) held += hit[i].kind == PL_SWEEP_POINT;
    CHECK((held > 0) == (k == 1));
    free(v), end(&w);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(margin_least);
  RUN(margin_room);
  RUN(facing_at_all);
  RUN(closest_share);
  RUN(closest_same);
  RUN(facets_flat);
  RUN(inside);
  RUN(share_least);
  RUN(touching);
  RUN(area_least);
  RUN(area_depth);
  RUN(area_oval);
  RUN(lonely);
  RUN(as_close);
  RUN(some_facet);
  RUN(patch_points);
  RUN(lines_parallel);
  RUN(closest_reach);
  RUN(edges_parallel);
  RUN(closest_slack);
  RUN(blunt_deep);
  RUN(sweep_slow);
  RUN(sweep_fast);
  RUN(sweep_deep);
  RUN(sweep_held);
  RUN(sweep_onward);
  RUN(sweep_rise);
  RUN(sweep_soft);
  RUN(rounding);
  RUN(side_slack);
  return CHECK_END;
}

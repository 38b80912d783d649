// Thresholds of margins, facets and closest features, and of single surfaces (src/contact/thresholds.h,
// src/geom/thresholds.h): each test stands on both sides of one of them, at 0.7 and at 1.4 of it, and fails
// when it is doubled or halved.
#include <stdlib.h>

#include "base/memory.h"
#include "contact/pair.h"
#include "contact/sweep.h"
#include "contact/thresholds.h"
#include "geom/skin.h"
#include "math/pose.h"
#include "model/work.h"
#include "pliant/pliant.h"
#include "points.h"

static const plVec3 down = {0, 0, -9.81}, nowhere = {0, 0, 0};

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
                 .arena = &work->step,
                 .points = &work->step};
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
      CHECK_BELOW(hypot(p->position.x, p->position.y), 1.5e-14, side);
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

// A thin plate, and a position below its upper side that lies beyond the lower one: it is outside, which is
// looked at only if it is deep.
static bool comes_through(double cells) {
  World w = begin(nowhere, 0.01);
  add_block(&w, v3(0.1, 0.1, 1e-4), 1, 1, 1, pose_at(0, 0, 0), 1e6);
  add_block(&w, v3(0.1, 0.1, 0.1), 1, 1, 1, pose_at(0, 0, 0.05 + 1e-4), 1e6);
  build(&w);
  find_points(&w);
  const plSkin* plate = w.data->work->contact->collider[0].skin;
  plVec3 top = v3(0.01, 0.02, 5e-5);
  bool through = pl_pair_came_through(plate, top, v3_madd(top, -cells * plate->cell, v3(0, 0, 1)));
  end(&w);
  return through;
}

static void deep(void) {
  CHECK(!comes_through(0.7 * 0.01));
  CHECK(comes_through(1.4 * 0.01));
}

// Two blocks at the same position, of which one is larger by this part of its depth limit on all sides.
// Corners of the smaller one are inside the larger one. Those of the larger one count as well if a position
// slightly inside them lies in the smaller one.
static int buried_corners(double part) {
  double larger = 0, side = 0.1;
  int n = 0;
  for (int k = 0; k < 2; k++) {
    World w = begin(nowhere, 0.01);
    double more = side + 2 * larger;
    add_block(&w, v3(side, side, side), 1, 1, 1, pose_at(0, 0, 0), 1e6);
    add_block(&w, v3(more, more, more), 1, 1, 1, pose_at(0, 0, 0), 1e6);
    build(&w);
    find_points(&w);
    n = w.data->report.deep;
    // along the diagonal
    larger = part * w.data->work->contact->collider[0].skin->limit / sqrt(3);
    end(&w);
  }
  return n;
}

static void buried(void) {
  CHECK_INT(buried_corners(0.7 * 0.2), 16);
  CHECK_INT(buried_corners(1.4 * 0.2), 8);
}

// A small ball on the inner side of a block's corner, so that the corner's normal and the outward normal of
// the ball have this product there: the corner faces the ball, or is buried in it.
static int buried_in_ball(double product) {
  World w = begin(nowhere, 0.01);
  double side = 0.1, limit = 0.05;
  plVec3 n = v3_scale(1 / sqrt(3), v3(1, 1, 1)), across = v3_scale(1 / sqrt(2), v3(1, -1, 0)),
         inside = v3_madd(v3(0.5 * side, 0.5 * side, 0.5 * side), -0.2 * limit, n),
         outward = v3_madd(v3_scale(product, n), sqrt(1 - product * product), across);
  plShapeDef ball = pl_default_shape_def();
  ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.2 * limit;
  add_block(&w, v3(side, side, side), 1, 1, 1, pose_at(0, 0, 0), 1e6);
  plVec3 centre = v3_madd(inside, -0.9 * ball.radius, outward);
  add_body(&w, "ball", ball, pose_at(centre.x, centre.y, centre.z), nowhere, 1, 1e-3);
  build(&w);
  find_points(&w);
  CHECK_ROUND(w.data->work->contact->collider[0].skin->limit, limit, limit);
  int n_deep = w.data->report.deep;
  end(&w);
  return n_deep;
}

static void vertex_facing(void) {
  CHECK_INT(buried_in_ball(-1.4 * 0.3), 0);
  CHECK_INT(buried_in_ball(-0.7 * 0.3), 1);
}

// Two blocks, edge at edge: the upper one reaches over the lower one by `over` and into it by `into`. It is
// narrower if `narrow`, so that its rim crosses the edge of the lower one. Points whose normal has at least
// this product with the direction `along` and which lie on edges of both.
static int edge_points(double side, double over, double into, bool narrow, plVec3 along) {
  World w = begin(v3(0, 0, -9.81), 0.01);
  double wide = narrow ? 0.6 * side : side;
  int n = 0;
  add_block(&w, v3(side, side, side), 1, 1, 1, pose_at(0, 0, 0), 1e6);
  add_block(&w, v3(side, wide, side), 1, 1, 1, pose_at(side - over, narrow ? 0 : 0.13 * side, side - into),
            1e6);
  build(&w);
  find_points(&w);
  for (int i = 0; i < w.data->work->npoint; i++) {
    const plContactPoint* p = &w.data->work->point[i];
    if (p->a.nvert < 3 && p->b.nvert < 3 && v3_dot(p->normal, along) > 0.99) n++;
  }
  end(&w);
  return n;
}

// The rims cross: they push apart upwards unless the way out sideways is much shorter.
static void cheaper(void) {
  double over = 0.004;
  CHECK(edge_points(0.1, over, 0.7 * 2 * over, true, v3(0, 0, 1)) > 0);
  CHECK_INT(edge_points(0.1, over, 1.4 * 2 * over, true, v3(0, 0, 1)), 0);
}

// The edges are parallel: they push apart along the bisector if the faces hardly overlap. A strip of this
// width is twice that part of a facet, half of a side.
static void sliver(void) {
  for (int k = 0; k < 2; k++) {
    double side = 0.005, over = (k ? 1.4 : 0.7) * 0.05 * 0.5 * side;
    CHECK((edge_points(side, over, over, false, v3(sqrt(0.5), 0, sqrt(0.5))) > 0) == (k == 0));
  }
}

// A prism along y, 2 a long: its top is flat from x = -a to 0 and slopes down from there to x = wide.
static plMesh* sloped_mesh(double a, double wide, double slope) {
  double h = 4 * a, x[5] = {-a, 0, wide, wide, -a}, z[5] = {0, 0, -slope * wide, -h, -h};
  plMesh* mesh = pl_mesh_create(10, 0, 16, NULL);
  int n = 0;
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 2; k++) v3_store(mesh->vert + 3 * (size_t)(2 * i + k), v3(x[i], k ? a : -a, z[i]));
  for (int i = 0; i < 5; i++) {
    int p = 2 * i, q = 2 * ((i + 1) % 5), tri[6] = {p, q + 1, p + 1, p, q, q + 1};
    for (int k = 0; k < 6; k++) mesh->tri[n++] = tri[k];
  }
  for (int i = 1; i < 4; i++) {
    int tri[6] = {0, 2 * (i + 1), 2 * i, 1, 2 * i + 1, 2 * (i + 1) + 1};
    for (int k = 0; k < 6; k++) mesh->tri[n++] = tri[k];
  }
  return mesh;
}

// A box over the edge between a top and a bevel of 70 degrees, this wide: the box's rim crosses the edge. The
// largest slope of a normal there: 0 if the rims push along their common perpendicular; else the crossing is
// part of a patch that includes the bevel.
static double bevel_slope(double wide) {
  World w = begin(nowhere, 0.01);
  double a = 0.1;
  plMesh *mesh = sloped_mesh(a, wide, tan(70 * M_PI / 180)), *box = box_surface(v3(2 * a, a, a));
  plShapeDef low = pl_default_shape_def(), high = pl_default_shape_def();
  low.kind = high.kind = PL_SHAPE_MESH, low.mesh = mesh, high.mesh = box;
  add_body(&w, "low", low, pose_at(0, 0, 0), nowhere, 1, 1e-3);
  add_body(&w, "high", high, pose_at(0, 0.3 * a, 0.5 * a + 1e-5), nowhere, 1, 1e-3);
  pl_mesh_destroy(mesh), pl_mesh_destroy(box);
  build(&w);
  find_points(&w);
  double most = 0;
  for (int i = 0; i < w.data->work->npoint; i++) {
    const plContactPoint* p = &w.data->work->point[i];
    if (fabs(p->position.x) < 1e-4 && fabs(p->position.y + 0.02) < 1e-4) most = fmax(most, fabs(p->normal.x));
  }
  end(&w);
  return most;
}

static void coherent(void) {
  CHECK(bevel_slope(0.0073) > 0.01);
  CHECK_ROUND(bevel_slope(0.0145), 0, 1);
}

// A small box goes down through a top, beside an edge beyond which the top slopes down. Its upper corners
// look up; they count if they come through the middle of a face, which the edge is not if the faces go on
// flat. Hits of these corners, for normals of the two faces with this product.
static int hits_beside_edge(double product) {
  World w = begin(nowhere, 0.01);
  double a = 0.1, side = 0.02, gap = 0.001, away = 5e-4;
  plMesh *mesh = sloped_mesh(a, a, tan(acos(product))), *box = box_surface(v3(side, side, side));
  plShapeDef low = pl_default_shape_def(), high = pl_default_shape_def();
  low.kind = high.kind = PL_SHAPE_MESH, low.mesh = mesh, high.mesh = box;
  add_body(&w, "low", low, pose_at(0, 0, 0), nowhere, 1, 1e-3);
  add_body(&w, "high", high, pose_at(-away - 0.5 * side, 0.013, gap + 0.5 * side), v3(0, 0, -10), 1, 1e-3);
  pl_mesh_destroy(mesh), pl_mesh_destroy(box);
  build(&w);
  find_points(&w);
  w.data->work->npoint = 0;
  double* v = calloc((size_t)w.model->nv, sizeof *v);
  v[6 + 2] = -(side + gap + 0.01) / 0.01;
  plSweepHit* hit;
  int n, corners = 0;
  CHECK_INT(pl_contact_sweep(w.model, w.data, v, PL_SWEEP_DEEP, &hit, &n), PL_OK);
  for (int i = 0; i < n; i++) {
    plVec3 p = hit[i].point.position_b;
    corners += hit[i].kind == PL_SWEEP_B_ON_A && fabs(p.x + away) < 1e-6 && p.z > 0.9 * side;
  }
  free(v), end(&w);
  return corners;
}

static void same_normal(void) {
  CHECK_INT(hits_beside_edge(1 - 0.7 * 0.01), 2);
  CHECK_INT(hits_beside_edge(1 - 1.4 * 0.01), 0);
}

// Two facets that a fold of this angle makes convex.
static bool folded_is_sharp(double degrees) {
  double a = M_PI / 180 * degrees;
  static const int tri[6] = {0, 1, 2, 1, 0, 3};
  plVec3 x[4] = {v3(0, -1, 0), v3(0, 1, 0), v3(-1, 0, 0), v3(cos(a), 0, -sin(a))};
  plSkin* skin = NULL;
  CHECK_INT(pl_skin_create(4, tri, 2, &skin, NULL), PL_OK);
  for (int v = 0; v < 4; v++) v3_store(skin->x + 3 * (size_t)v, x[v]);
  pl_skin_update(skin);
  int folds = 0;
  bool is_sharp = false;
  for (int e = 0; e < skin->nedge; e++) {
    if (skin->edge_tri[2 * e + 1] < 0) continue;
    CHECK(skin_edge_convex(skin, e));
    is_sharp = skin_edge_sharp(skin, e), folds++;
  }
  CHECK_INT(folds, 1);
  pl_skin_destroy(skin);
  return is_sharp;
}

// The edges of a sphere of 80 facets are round, those of an icosahedron are not.
static void sharp(void) {
  CHECK(!folded_is_sharp(22.5) && !folded_is_sharp(36));
  CHECK(folded_is_sharp(38) && folded_is_sharp(41.8));
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
  RUN(some_facet);
  RUN(patch_points);
  RUN(closest_reach);
  RUN(edges_parallel);
  RUN(closest_slack);
  RUN(blunt_deep);
  RUN(rounding);
  RUN(deep);
  RUN(buried);
  RUN(vertex_facing);
  RUN(cheaper);
  RUN(sliver);
  RUN(coherent);
  RUN(same_normal);
  RUN(sharp);
  return CHECK_END;
}

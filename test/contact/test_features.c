// Contacts that polygons of facets miss: tips, parallel edges, coarse bodies. Each family once fell through
// or gained energy.
#include "base/random.h"
#include "contact/contact.h"
#include "contact/thresholds.h"
#include "geom/closest.h"
#include "geom/hull.h"
#include "geom/tri_tree.h"
#include "math/pose.h"
#include "math/random_vec3.h"
#include "model/work.h"
#include "pliant/pliant.h"
#include "points.h"

static const plVec3 down = {0, 0, -9.81}, nowhere = {0, 0, 0};

// A cone with its tip at the origin that stands on it: n sides, of this half angle and height.
static plMesh* cone(int n, double half_angle, double height) {
  plMesh* mesh = pl_mesh_create(n + 2, n, 2 * n, NULL);
  for (int i = 0; i < n; i++) {
    double a = 2 * M_PI * i / n, r = height * tan(half_angle);
    mesh->vert[3 * i] = r * cos(a), mesh->vert[3 * i + 1] = r * sin(a), mesh->vert[3 * i + 2] = height;
    int j = (i + 1) % n, tri[6] = {n, j, i, n + 1, i, j}, tet[4] = {n, i, j, n + 1};
    for (int k = 0; k < 6; k++) mesh->tri[6 * i + k] = tri[k];
    for (int k = 0; k < 4; k++) mesh->tet[4 * i + k] = tet[k];
  }
  mesh->vert[3 * n] = mesh->vert[3 * n + 1] = mesh->vert[3 * n + 2] = 0;
  mesh->vert[3 * n + 3] = mesh->vert[3 * n + 4] = 0, mesh->vert[3 * n + 5] = height;
  return mesh;
}

enum { SOFT, RIGID, HULL, MOVERS };
enum { GROUND, BOX, BLOCK, FLOORS };

static void add_floor(World* w, int kind) {
  if (kind == GROUND) add_shape(w, "floor", PL_SHAPE_HALF_SPACE, nowhere, nowhere, pl_default_surface());
  if (kind == BOX)
    add_shape(w, "floor", PL_SHAPE_BOX, v3(1, 1, 0.1), v3(0.013, 0.021, -0.05), pl_default_surface());
  if (kind == BLOCK)
    hold_below(w, add_block(w, v3(0.3, 0.3, 0.05), 7, 7, 1, pose_at(0.013, 0.021, -0.025), 1e7), 0.02);
}

// The lowest point of a cone that was dropped on its tip.
static double lowest_of_cone(int mover, int floor, int sides, double half_angle, double tilt) {
  World w = begin(down, 0.01);
  plPose pose = {v3(0, 0, 0.004), quat_exp(v3(tilt, 0.3 * tilt, 0))};
  double height = 0.1;
  plMesh* mesh = cone(sides, half_angle, height);
  if (mover == SOFT) {
    plDeformableDef def = pl_default_deformable_def();
    def.name = "cone", def.mesh = mesh, def.pose = pose, def.material.young = 1e7;
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
  } else {
    plShapeDef g = pl_default_shape_def();
    g.kind = PL_SHAPE_MESH, g.mesh = mesh, g.convex = mover == HULL;
    add_body(&w, "cone", g, pose, nowhere, 0.5, 1e-3);
  }
  add_floor(&w, floor);
  build(&w);
  double lowest = INFINITY;
  for (int step = 0; step < 30; step++) {
    run(&w, 1);
    plPose at = {{0, 0, 0}, {1, 0, 0, 0}};
    if (mover != SOFT) at = pl_body_pose(w.data, 0);
    for (int v = 0; v < mesh->nvert; v++) {
      const double* x = mover == SOFT ? w.data->q + w.model->deform_q0[0] + 3 * v : mesh->vert + 3 * v;
      lowest = fmin(lowest, pose_apply(at, v3_load(x)).z);
    }
  }
  pl_mesh_destroy(mesh);
  end(&w);
  return lowest;
}

// Cones of any angle, soft or rigid, convex or not, stay on what they fall on.
static void tips_do_not_fall_through(void) {
  plRandom r = {41};
  for (int trial = 0; trial < 90; trial++) {
    int mover = trial % MOVERS, floor = trial / MOVERS % FLOORS;
    double half_angle = pl_random(&r, 0.04, 1.3), tilt = pl_random(&r, 0, 0.6 * (M_PI / 2 - half_angle));
    int sides = 3 + pl_random_int(&r, 9);
    double lowest = lowest_of_cone(mover, floor, sides, half_angle, tilt);
    // a soft floor deforms under a tip
    double least = floor == BLOCK ? -3e-3 : -1e-3;
    if (!(lowest > least))
      printf("mover %d, floor %d, %d sides, angle %g, tilt %g: %g m\n", mover, floor, sides, half_angle, tilt,
             lowest);
    CHECK(lowest > least);
    if (check_errors > 5) return;
  }
}

static double kinetic(const World* w) {
  double sum = 0;
  for (int b = 0; b < w->model->ndeform; b++) {
    plBodyState s;
    pl_deformable_state(w->data, b, &s);
    sum += s.kinetic_energy;
  }
  return sum;
}

// Two blocks that meet along parallel edges, straight on or a little aside: points come before the overlap,
// and the kinetic energy is never above its start.
static void parallel_edges_are_seen_before_they_overlap(void) {
  plRandom r = {43};
  for (int trial = 0; trial < 12; trial++) {
    World w = begin(nowhere, 0.01);
    double speed = 0.1 * pow(20, trial / 11.0), aside = pl_random(&r, -4e-4, 4e-4),
           turn = pl_random(&r, 0, 0.01), half = 0.1 / sqrt(2);
    plPose left = {v3(-half - 1.5 * speed * 0.01, 0, 0), quat_exp(v3(0, M_PI / 4, 0))},
           right = {v3(half + 1.5 * speed * 0.01, 0.003, aside), quat_mul(quat_exp(v3(0, 0, turn)), left.q)};
    add_block(&w, v3(0.1, 0.1, 0.1), 3, 3, 3, left, 1e7);
    add_block(&w, v3(0.1, 0.1, 0.1), 3, 2, 3, right, 1e7);
    build(&w);
    for (int v = 0; v < w.model->nv / 3; v++)
      w.data->v[3 * v] = v < w.model->deform_vert0[1] ? speed : -speed;
    double before = kinetic(&w), deepest = 0, most = 0;
    for (int step = 0; step < 20; step++) {
      run(&w, 1);
      most = fmax(most, kinetic(&w));
      for (int i = 0; i < w.data->ncontact; i++) deepest = fmin(deepest, w.data->contact[i].gap);
    }
    CHECK(most <= before * (1 + 1e-9));
    CHECK_BELOW(-deepest, 1.1e-5, 1);
    if (check_errors)
      printf("speed %g: kinetic %g of %g, deepest %g mm\n", speed, most, before, 1e3 * deepest);
    end(&w);
    if (check_errors > 5) return;
  }
}

// Cubes of one cell, too soft to carry each other: they collapse, and the energy of motion and height is
// never above its start. Half a cell is as deep as a body of one cell may be entered.
static void coarse_bodies_gain_no_energy(void) {
  World w = begin(down, 0.01);
  plSurface smooth = pl_default_surface();
  smooth.friction = 0;
  for (int i = 0; i < 5; i++) {
    plMesh* mesh = box_mesh(v3(1, 1, 1), 1, 1, 1);
    plDeformableDef def = pl_default_deformable_def();
    char name[24];
    snprintf(name, sizeof name, "c%d", i);
    def.name = name, def.mesh = mesh, def.pose = pose_at(0.01 * (i % 2), 0, 0.51 + 1.01 * i);
    def.material.young = 1e5, def.material.poisson = 0.4, def.surface = smooth;
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
  }
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, smooth);
  build(&w);
  double first = 0, most = 0, deepest = 0;
  for (int step = 0; step < 200; step++) {
    double energy = kinetic(&w);
    for (int b = 0; b < 5; b++) {
      plBodyState s;
      pl_deformable_state(w.data, b, &s);
      energy += 9.81 * s.mass * s.com.z;
    }
    if (step == 0) first = energy;
    most = fmax(most, energy);
    run(&w, 1);
    for (int i = 0; i < w.data->ncontact; i++) deepest = fmin(deepest, w.data->contact[i].gap);
  }
  CHECK(most <= first * (1 + 1e-9));
  CHECK_BELOW(-deepest, 0.5, 1);
  end(&w);
}

// A rigid knife with its edge down, this far above (or in) a soft block: the lowest gap, and how many points.
static int points_of_knife(double half_angle, plQuat turn, double above, double* lowest) {
  enum { SIDES = 8 };
  static const int tri[3 * SIDES] = {0, 3, 1, 0, 2, 3, 0, 5, 4, 0, 1, 5, 2, 5, 3, 2, 4, 5, 0, 4, 2, 1, 3, 5};
  World w = begin(nowhere, 0.01);
  double length = 0.04, height = 0.05, b = height * tan(half_angle);
  plMesh* mesh = pl_mesh_create(6, 0, SIDES, NULL);
  for (int i = 0; i < 6; i++)
    v3_store(mesh->vert + 3 * i, v3(i % 2 ? length / 2 : -length / 2,
                                    i < 2   ? 0
                                    : i < 4 ? b
                                            : -b,
                                    i < 2 ? 0 : height));
  for (int i = 0; i < 3 * SIDES; i++) mesh->tri[i] = tri[i];
  plShapeDef g = pl_default_shape_def();
  g.kind = PL_SHAPE_MESH, g.mesh = mesh;
  double low = fmin(quat_rotate(turn, v3_load(mesh->vert)).z, quat_rotate(turn, v3_load(mesh->vert + 3)).z);
  add_block(&w, v3(0.1, 0.1, 0.1), 2, 2, 2, pose_at(0, 0, -0.05), 1e6);
  add_body(&w, "knife", g, (plPose){v3(0.003, 0.007, above - low), turn}, nowhere, 1, 1e-3);
  pl_mesh_destroy(mesh);
  build(&w), run(&w, 1);
  int n = w.data->work->npoint - w.data->report.guard_points;
  *lowest = INFINITY;
  for (int i = 0; i < n; i++) *lowest = fmin(*lowest, w.data->work->point[i].gap);
  end(&w);
  return n;
}

// However sharp, turned and tilted, just above and just below the face: the lowest vertex has a contact
// point, and an edge that lies flat has one at either end.
static void knives_are_seen_above_and_below(void) {
  plRandom r = {3};
  for (int i = 0; i < 60; i++) {
    double half = pl_random(&r, 0.03, 0.6), tilt = i % 3 ? pl_random(&r, 1e-3, 0.3) : 0,
           above = (i % 2 ? -1 : 1) * pl_random(&r, 1e-6, 1e-4), lowest;
    plQuat turn = quat_mul(quat_exp(v3(0, 0, pl_random(&r, 0, 6))), quat_exp(v3(0, tilt, 0)));
    int n = points_of_knife(half, turn, above, &lowest);
    CHECK_ROUND(lowest, above, 0.6);
    CHECK(n >= (tilt > 0 ? 1 : 2));
  }
}

// A cube of one cell of 1 m with its corners moved by up to a fifth of it: its faces fold along their
// diagonals, outwards and inwards.
static plMesh* warped_cube(plRandom* r) {
  plMesh* mesh = box_mesh(v3(1, 1, 1), 1, 1, 1);
  for (int i = 0; i < 3 * mesh->nvert; i++) mesh->vert[i] += pl_random(r, -0.2, 0.2);
  return mesh;
}

// Corner v of the cube as a pose: its position, and the turn that takes the direction to the middle to n.
static plPose corner_at(const plMesh* mesh, int v, plVec3 at, plVec3 n, double spin) {
  plVec3 x = v3_load(mesh->vert + 3 * v), d = v3_neg(v3_unit(x)), axis = v3_cross(d, n);
  double sine = v3_norm(axis), angle = atan2(sine, v3_dot(d, n));
  plQuat q = quat_mul(quat_exp(v3_scale(spin, n)), quat_exp(v3_scale(angle / fmax(sine, 1e-12), axis)));
  return (plPose){v3_sub(at, quat_rotate(q, x)), q};
}

// A corner of a warped cube is pushed through the surface of another at a random position, by up to a tenth
// of its size. It has a point, whether it lies below a facet or below the fold between two, and whatever else
// it faces farther behind. Exact: distances of triangles, winding numbers.
static void corners_inside_have_points(void) {
  plRandom r = {29};
  int tried = 0, missed = 0;
  for (int trial = 0; trial < CHECK_MEMBERS(2000); trial++) {
    World w = begin(nowhere, 1e-5);
    plMesh *a = warped_cube(&r), *b = warped_cube(&r);
    plDeformableDef def = pl_default_deformable_def();
    def.name = "a", def.mesh = a, def.surface.friction = 0;
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
    // Where a ray from the middle leaves.
    plTriTree* tree = NULL;
    CHECK_INT(pl_mesh_boundary(a, &w.error), PL_OK);
    CHECK_INT(pl_tri_tree_create(a->vert, a->tri, a->ntri, &tree, &w.error), PL_OK);
    plTriHit hit = pl_tri_tree_ray(tree, nowhere, v3_unit(v3_random(&r, -1, 1)), 10);
    plVec3 p = v3_load(a->vert + 3 * a->tri[3 * hit.tri]),
           n = v3_unit(v3_cross(v3_sub(v3_load(a->vert + 3 * a->tri[3 * hit.tri + 1]), p),
                                v3_sub(v3_load(a->vert + 3 * a->tri[3 * hit.tri + 2]), p)));
    double depth = pl_random(&r, 0.002, 0.1), spin = pl_random(&r, 0, 6);
    plVec3 aside = v3_unit(v3_random(&r, -1, 1)), lean = v3_unit(v3_madd(n, pl_random(&r, 0, 1.2), aside));
    int v = trial % 8;
    def.name = "b", def.mesh = b, def.pose = corner_at(b, v, v3_madd(hit.point, -depth, n), lean, spin);
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
    build(&w);
    run(&w, 2);
    const plSkin *A = w.data->work->contact->collider[0].skin, *B = w.data->work->contact->collider[1].skin;
    plVec3 x = skin_x(B, v);
    plTriHit near = pl_tri_tree_closest(A->tree, x, INFINITY);
    bool faces = false, has = false;
    for (int i = B->ring0[v]; i < B->ring0[v + 1]; i++)
      faces = faces || v3_dot(skin_normal(B, B->ring[i]), skin_normal(A, near.tri)) < PL_FACING;
    for (int i = 0; i < w.data->work->npoint; i++) {
      const plContactPoint* q = &w.data->work->point[i];
      has = has || (q->b.nvert == 1 && q->b.vert[0] == w.data->model->deform_vert0[1] + v);
    }
    if (pl_tri_tree_winding(A->tree, x) > 0.5 && faces) {
      tried++, missed += !has;
    }
    pl_tri_tree_destroy(tree), pl_mesh_destroy(a), pl_mesh_destroy(b);
    end(&w);
  }
  printf("  %d corners inside, %d without a point\n", tried, missed);
  CHECK(tried > CHECK_MEMBERS(1800));
  CHECK_INT(missed, 0);
}

// ---- what is inside out

// The facet of a surface that is closest to x, its distance, and whether the surface encloses x.
typedef struct Foot {
  int tri;
  double distance;  // m
  bool inside;
} Foot;

static Foot foot_of(const plSkin* s, plVec3 x) {
  Foot foot = {-1, INFINITY, pl_tri_winding(s->x, s->tri, s->ntri, x) > 0.5};
  for (int t = 0; t < s->ntri; t++) {
    plVec3 y[3], at[3] = {x, x, x};
    for (int k = 0; k < 3; k++) y[k] = skin_x(s, s->tri[3 * t + k]);
    double distance = pl_facet_gap(at, y, INFINITY).gap;
    if (distance < foot.distance) foot.tri = t, foot.distance = distance;
  }
  return foot;
}

// m, how deep the nearest point of vertex v of deformable 1 lies; infinite: it has none.
static double nearest_of(const plData* data, int v) {
  double nearest = INFINITY;
  for (int i = 0; i < data->work->npoint; i++) {
    const plContactPoint* p = &data->work->point[i];
    if (p->b.nvert == 1 && p->b.vert[0] == data->model->deform_vert0[1] + v) nearest = fmin(nearest, -p->gap);
  }
  return nearest;
}

// Blocks that are crushed, every other one until it is inside out, in another block. A vertex inside it that
// does not touch the closest facet from the side has a point there, or one that is at most twice as deep:
// what it faces on the far side does not count instead. At a rim it may, down to 0.45 cells.
static void a_far_side_hides_no_near_one(void) {
  plRandom r = {57};
  int total = 0, hidden = 0;
  for (int trial = 0; trial < 400; trial++) {
    World w = begin(nowhere, 0.01);
    double side = 0.1, turned = trial % 2 ? -1 : 1;
    int n = 2 + trial / 2 % 3;
    add_block(&w, v3(side, side, side), n, n, n, pose_at(0, 0, 0), 1e5);
    add_block(&w, v3(side, side, side), 2, 2, 2, pose_at(0, 0, 1), 1e5);
    build(&w);
    plVec3 at = v3_random(&r, -0.6 * side, 0.6 * side), scale = v3_random(&r, 0.2, 1);
    plQuat q = quat_exp(v3_random(&r, -2, 2));
    const plModel* m = w.model;
    for (int v = 0; v < m->deform_vert0[2] - m->deform_vert0[1]; v++) {
      plVec3 x = v3_load(m->vert_rest + 3 * (m->deform_vert0[1] + v));
      x = v3(turned * scale.x * x.x, scale.y * x.y, scale.z * x.z);
      v3_store(w.data->q + m->deform_q0[1] + 3 * v, v3_add(at, quat_rotate(q, x)));
    }
    find_points(&w);
    const plSkin *Q = w.data->work->contact->collider[0].skin, *P = w.data->work->contact->collider[1].skin;
    for (int v = 0; v < P->nvert; v++) {
      if (P->vert_tri[v] < 0) continue;
      Foot foot = foot_of(Q, skin_x(P, v));
      double nearest = nearest_of(w.data, v), least = 1, most = -1;
      for (int i = P->ring0[v]; i < P->ring0[v + 1]; i++) {
        double along = v3_dot(skin_normal(P, P->ring[i]), skin_normal(Q, foot.tri));
        least = fmin(least, along), most = fmax(most, along);
      }
      if (!foot.inside || foot.distance > fmin(P->vert_limit[v], Q->tri_limit[foot.tri]) ||
          (least < 0.26 && most > -0.26 && !(nearest > 0.45 * fmin(P->solid, Q->solid))) ||
          nearest < 0.01 * Q->cell)
        continue;
      total++, hidden += nearest > 2 * foot.distance;
    }
    end(&w);
  }
  printf("  far points alone: %d of %d\n", hidden, total);
  CHECK(total > 1000);
  CHECK_INT(hidden, 0);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(tips_do_not_fall_through);
  RUN(parallel_edges_are_seen_before_they_overlap);
  RUN(coarse_bodies_gain_no_energy);
  RUN(knives_are_seen_above_and_below);
  RUN(corners_inside_have_points);
  RUN(a_far_side_hides_no_near_one);
  return CHECK_END;
}

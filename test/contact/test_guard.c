// Guard: which motions are hits, and that the solver can hold them.
#include <stdlib.h>
#include <string.h>

#include "contact/sweep.h"
#include "contact/thresholds.h"
#include "geom/distance.h"
#include "math/pose.h"
#include "math/random_vec3.h"
#include "pliant/pliant.h"
#include "world.h"

static const plVec3 nowhere = {0, 0, 0};

static plQuat any_turn(plRandom* r, double most) { return quat_exp(v3_random(r, -most, most)); }

static plShapeDef any_smooth_shape(plRandom* r, int kind, double size) {
  static const plShapeKind kinds[] = {PL_SHAPE_SPHERE, PL_SHAPE_CAPSULE, PL_SHAPE_CYLINDER,
                                      PL_SHAPE_ELLIPSOID};
  plShapeDef g = pl_default_shape_def();
  g.kind = kinds[kind % 4], g.radius = size * pl_random(r, 0.4, 0.5),
  g.length = size * pl_random(r, 0.2, 0.8);
  g.size = v3_scale(size, v3_random(r, 0.5, 1));
  return g;
}

// The number of hits if all vertices of deformable 0 move by `way` within the step.
static int hits_of(World* w, plVec3 way) {
  plData* data = w->data;
  double* v = calloc((size_t)data->model->nv, sizeof *v);
  plSweepHit* hit;
  int n = 0;
  for (int i = 0; i < data->model->nvert; i++)
    v3_store(v + data->model->deform_v0[0] + 3 * i, v3_scale(1 / data->par->options.dt, way));
  data->work->npoint = 0;
  CHECK_INT(pl_contact_sweep(data->model, data, v, PL_SWEEP_DEEP, &hit, &n), PL_OK);
  free(v);
  return n;
}

// A smooth shape inside a soft block: a motion that takes the block off it makes no hit, because the shape
// leaves through the backs of facets. The opposite motion, from the end of the first, is a hit.
static void what_leaves_is_no_hit(void) {
  plRandom r = {41};
  for (int trial = 0; trial < 60; trial++) {
    plVec3 d = v3_unit(v3_random(&r, -1, 1)), way = v3_scale(pl_random(&r, 0.1, 0.2), d);
    plQuat turn = any_turn(&r, 2);
    int cells = 1 + trial % 3;
    for (int enters = 0; enters < 2; enters++) {
      World w = begin(nowhere, 0.01);
      plRandom same = {100 + (uint64_t)trial};
      plShapeDef g = any_smooth_shape(&same, trial, 0.02);
      g.name = "stone";
      CHECK_INT(pl_spec_add_shape(w.spec, &g, NULL, &w.error), PL_OK);
      add_block(&w, v3(0.06, 0.06, 0.06), cells, cells, cells, (plPose){enters ? way : nowhere, turn}, 1e5);
      build(&w);
      run(&w, 1);
      int n = hits_of(&w, enters ? v3_neg(way) : way);
      if (enters)
        CHECK(n > 0);
      else
        CHECK_INT(n, 0);
      end(&w);
    }
  }
}

// Eggs on a floor whose stiffness the step resolves turn by 0.5 to 1.5 rad in a step: the law knows the depth
// to which the lowest point of the start is pressed, not what turning adds. Exact: an ellipsoid reaches
// sqrt(sum (h_i R_zi)^2) below its middle.
static void a_stiff_floor_stops_what_turns(void) {
  plRandom r = {43};
  double worst = 0;
  for (int trial = 0; trial < 60; trial++) {
    double dt = pl_random(&r, 0.005, 0.02);
    World w = begin(nowhere, dt);
    plSurface floor = pl_default_surface();
    floor.contact_stiffness = 1e6 * pow(100, pl_random(&r, 0, 1));
    add_shape(&w, "floor", PL_SHAPE_HALF_SPACE, nowhere, nowhere, floor);
    plShapeDef g = pl_default_shape_def();
    double high = pl_random(&r, 0.01, 0.02), wide = pl_random(&r, 0.04, 0.06);
    g.kind = PL_SHAPE_ELLIPSOID, g.size = v3(0.02, wide, high);
    double above = 0.5 * g.size.z + pl_random(&r, -1e-4, 5e-4),
           angle = pl_random(&r, 0.5, 1.5) * (trial % 2 ? 1 : -1);
    add_body(&w, "egg", g, pose_at(0, 0, above), nowhere, 0.1, 1e-5);
    build(&w);
    v3_store(w.data->v + 3, v3(angle / dt, 0, 0));
    CHECK_INT(pl_step(w.data, &w.error), PL_OK);
    const double* q = w.data->q;
    plVec3 z = quat_rotate(quat_conj((plQuat){q[3], q[4], q[5], q[6]}), v3(0, 0, 1));
    double low = q[2] - 0.5 * v3_norm(v3(g.size.x * z.x, g.size.y * z.y, g.size.z * z.z)),
           thin = 0.5 * fmin(g.size.x, g.size.z);
    CHECK_BELOW(-low, 0.3, thin);
    worst = fmax(worst, -low / thin);
    end(&w);
  }
  printf("  deepest point of an egg in a stiff floor: %.3f of its least half axis\n", worst);
}

// Soft blocks of one to eight cells on a stone smaller than a cell, at up to 20 times the speed of waves in
// them: they fold around it and turn inside out. Every step is taken.
static void what_is_crushed_comes_to_an_end(void) {
  plRandom r = {53};
  for (int trial = 0; trial < 12; trial++) {
    double dt = pl_random(&r, 0.005, 0.02), young = 1000 * pow(10, pl_random(&r, 0, 1));
    World w = begin(v3(0, 0, -9.81), dt);
    plShapeDef g = any_smooth_shape(&r, trial, 0.015);
    g.name = "stone";
    CHECK_INT(pl_spec_add_shape(w.spec, &g, NULL, &w.error), PL_OK);
    plVec3 size;
    size.z = pl_random(&r, 0.008, 0.02), size.y = pl_random(&r, 0.02, 0.03);
    size.x = pl_random(&r, 0.02, 0.03);
    int cells = 1 + trial % 2;
    plMesh* mesh = box_mesh(size, cells, cells, 1);
    plDeformableDef def = pl_default_deformable_def();
    def.name = "jelly", def.mesh = mesh, def.material.young = young, def.material.poisson = 0.45;
    def.material.kind = trial % 3 ? PL_MATERIAL_FIXED_COROTATED : PL_MATERIAL_NEO_HOOKEAN;
    def.material.density = 3000;
    double y = pl_random(&r, -0.004, 0.004), x = pl_random(&r, -0.004, 0.004);
    def.pose = (plPose){v3(x, y, 0.05), any_turn(&r, 1)};
    def.velocity = v3(0.4, 0.3, -pl_random(&r, 5, 20) * sqrt(young / 3000));
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
    build(&w);
    run(&w, 15);
    end(&w);
  }
}

// ---- rims

// A body thrown at the rim of a thin plate, or at one of its corners.
typedef struct Rim {
  double half, thick;  // m, of the plate
  plShape shape;       // of the body
  double deepest;      // m, of any point of the rim in the body
} Rim;

// The deepest of the points of the rim: along its two edges, and in the middle between them.
static void watch_rim(const plData* data, void* user) {
  Rim* rim = user;
  const double* q = data->q;
  plPose pose = {v3_load(q), {q[3], q[4], q[5], q[6]}};
  plVec3 n;
  for (int i = 0; i < 4 * 3 * 401; i++) {
    double along = rim->half * (i / 12 / 200.0 - 1), side = i & 1 ? rim->half : -rim->half;
    plVec3 x = v3(i & 2 ? along : side, i & 2 ? side : along, 0.5 * rim->thick * (i / 4 % 3 - 1));
    rim->deepest = fmin(rim->deepest, pl_shape_distance(&rim->shape, pose_apply_inverse(pose, x), &n));
  }
}

// Rigid bodies thrown at the rims and corners of plates of 1 to 3 mm, as boxes and as meshes: behind a facet
// of the rim the plate is 0.2 m long, but a body that is in it by half the thickness has passed the edges of
// both faces. Exact: distances of shapes.
static void a_rim_is_as_thin_as_its_plate(void) {
  plRandom r = {61};
  double worst[2] = {0, 0};  // of boxes, of meshes
  for (int trial = 0; trial < CHECK_MEMBERS(120); trial++) {
    double dt = pl_random(&r, 0.002, 0.02), thick = pl_random(&r, 0.001, 0.003), half = 0.1,
           speed = 0.1 * pow(30, pl_random(&r, 0, 1)), angle = pl_random(&r, 0, 2 * M_PI);
    World w = begin(nowhere, dt);
    pl_spec_options(w.spec)->contact_law = trial % 4 < 2 ? PL_LAW_COULOMB : PL_LAW_CONE;
    plVec3 size = v3(2 * half, 2 * half, thick);
    plMesh* mesh = trial % 2 ? box_surface(size) : NULL;
    plShapeDef plate = pl_default_shape_def(), g = any_smooth_shape(&r, trial / 4, 0.03);
    if (trial / 4 % 5 == 4) g.kind = PL_SHAPE_BOX;
    plate.name = "plate", plate.kind = mesh ? PL_SHAPE_MESH : PL_SHAPE_BOX, plate.size = size,
    plate.mesh = mesh, plate.surface.friction = g.surface.friction = 0.5;
    CHECK_INT(pl_spec_add_shape(w.spec, &plate, NULL, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
    // From outside, along the plate or obliquely, at a point of the rim or, of every third, at a corner.
    plVec3 d = v3_unit(v3(cos(angle), sin(angle), pl_random(&r, -0.5, 0.5))), to;
    to = trial % 3 ? v3_scale(half / fmax(fabs(d.x), fabs(d.y)), v3(d.x, d.y, 0))
                   : v3(copysign(half, d.x), copysign(half, d.y), 0);
    plVec3 from = v3_madd(to, 0.04 + pl_random(&r, 0, 2) * speed * dt, d);
    plPose pose = {from, any_turn(&r, 2)};
    add_body(&w, "mover", g, pose, v3_scale(-speed, d), 0.1, 1e-5);
    build(&w);
    plVec3 axis = quat_rotate(any_turn(&r, 2), d);
    v3_store(w.data->v + 3, v3_scale(pl_random(&r, 0, 0.3) / dt, axis));
    Rim rim = {.half = half,
               .thick = thick,
               .shape = {.kind = g.kind, .radius = g.radius, .length = g.length, .size = g.size}};
    w.data->work->part = watch_rim, w.data->work->part_user = &rim;
    run(&w, (int)fmin(40, 4 + 0.06 / (speed * dt)));
    double deep = -rim.deepest / (0.5 * thick);
    if (deep > worst[trial % 2]) worst[trial % 2] = deep;
    end(&w);
  }
  printf("  deepest point of a rim: box %.3f, mesh %.3f of half the thickness\n", worst[0], worst[1]);
  CHECK_BELOW(worst[0], 0.3, 1);
  CHECK_BELOW(worst[1], 0.5, 1);
}

// A needle that turns across the rim of a thin plate.
typedef struct Needle {
  int cells;       // of the plate along a side; its vertices are those of box_mesh
  plVec3 size;     // of the needle
  double deepest;  // m, of any point of the rim in the needle
} Needle;

static void watch_needle(const plData* data, void* user) {
  Needle* needle = user;
  const plModel* m = data->model;
  const plShape box = {.kind = PL_SHAPE_BOX, .size = needle->size};
  plPose pose = {v3_load(data->q), {data->q[3], data->q[4], data->q[5], data->q[6]}};
  int n = needle->cells, layer = (n + 1) * (n + 1);
  for (int i = 0; i < 4 * n; i++) {
    int k = i / 4, v[4] = {k, n * (n + 1) + k, k * (n + 1), k * (n + 1) + n}, next[4] = {1, 1, n + 1, n + 1};
    for (int s = 0; s <= 3 * 100; s++) {
      double along = s / 3 / 100.0, up = 0.5 * (s % 3);
      plVec3 x = nowhere, normal;
      for (int c = 0; c < 4; c++)
        x = v3_madd(
            x, (c & 1 ? along : 1 - along) * (c & 2 ? up : 1 - up),
            v3_load(data->q + m->deform_q0[0] + 3 * (v[i % 4] + (c & 1) * next[i % 4] + (c >> 1) * layer)));
      needle->deepest = fmin(needle->deepest, pl_shape_distance(&box, pose_apply_inverse(pose, x), &normal));
    }
  }
}

// Needles turn by up to 0.3 rad a step and slide along themselves across the rim of a soft plate of 1 to 3
// mm: the edges that touch go in by the product of the two, which no row of the start shows. Exact: distances
// of a box.
static void a_rim_stops_what_slides_and_turns(void) {
  plRandom r = {83};
  double worst = 0;
  for (int trial = 0; trial < CHECK_MEMBERS(200); trial++) {
    double dt = pl_random(&r, 0.005, 0.02), thick = pl_random(&r, 0.001, 0.003), half = 0.1,
           wide = pl_random(&r, 0.003, 0.006);
    World w = begin(nowhere, dt);
    pl_spec_options(w.spec)->contact_law = trial % 4 ? PL_LAW_COULOMB : PL_LAW_CONE;
    Needle needle = {.cells = 8, .size = v3(wide, wide, pl_random(&r, 0.04, 0.08))};
    plMesh* mesh = box_mesh(v3(2 * half, 2 * half, thick), needle.cells, needle.cells, 1);
    plDeformableDef def = pl_default_deformable_def();
    plFixDef fix = pl_default_fix_def();
    def.name = "plate", def.mesh = mesh, def.material.young = 1e6, def.material.poisson = 0.4;
    def.material.damping_stiffness = 0.01, def.surface.friction = 0.5;
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, &fix.deformable, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
    for (int side = -1; side <= 1; side += 2) {
      fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre = v3(side * 0.9999 * half, 0, 0);
      fix.region.normal = v3(-side, 0, 0);
      CHECK_INT(pl_spec_add_fix(w.spec, &fix, &w.error), PL_OK);
    }
    plShapeDef g = pl_default_shape_def();
    g.kind = PL_SHAPE_BOX, g.size = needle.size, g.surface.friction = 0.5;
    // Beside the free rim at -y, steep, turning towards it and moving down along itself.
    double lean = pl_random(&r, 0.1, 0.8), turn = pl_random(&r, 0.05, 0.3) / dt;
    plQuat q = quat_mul(quat_exp(v3(-lean, 0, 0)), quat_exp(v3(0, 0, pl_random(&r, -1, 1))));
    plVec3 along = quat_rotate(q, v3(0, 0, 1)), out = quat_rotate(quat_exp(v3(-lean, 0, 0)), v3(0, -1, 0));
    double x = pl_random(&r, -0.05, 0.05), above = pl_random(&r, 0, 0.3) * needle.size.z,
           beside = 0.7 * wide + pl_random(&r, 0, 1e-3), closing = pl_random(&r, 0, 0.2),
           sliding = pl_random(&r, 0.1, 0.5);
    plVec3 at = v3_madd(v3_madd(v3(x, -half, 0.5 * thick), beside, out), above, along),
           way = v3_madd(v3_scale(-sliding, along), -closing, out);
    add_body(&w, "needle", g, (plPose){at, q}, way, 0.1, 4e-5);
    build(&w);
    v3_store(w.data->v + 3, v3(trial % 2 ? turn : -turn, 0, 0));
    w.data->work->part = watch_needle, w.data->work->part_user = &needle;
    run(&w, 12);
    worst = fmax(worst, -needle.deepest / (0.5 * thick));
    end(&w);
  }
  printf("  deepest point of a rim in a needle: %.3f of half the thickness\n", worst);
  CHECK_BELOW(worst, 0.5, 1);
}

// ---- what rolls

// Depth of an ellipsoid below the upper face of a plate, at most over the parts of all steps.
typedef struct Rolling {
  double face;     // m, height of the face
  plVec3 size;     // of the ellipsoid
  double deepest;  // m
} Rolling;

static void watch_face(const plData* data, void* user) {
  Rolling* egg = user;
  const double* q = data->q;
  plVec3 z = quat_rotate(quat_conj((plQuat){q[3], q[4], q[5], q[6]}), v3(0, 0, 1));
  double reach = 0.5 * v3_norm(v3(egg->size.x * z.x, egg->size.y * z.y, egg->size.z * z.z));
  egg->deepest = fmax(egg->deepest, egg->face - (q[2] - reach));
}

// Eggs that turn are thrown obliquely at a plate of triangles: the point that touches first, and the next
// ones, turn away and leave while other points go in. Exact: the lowest point of an ellipsoid.
static void what_rolls_does_not_sink_in(void) {
  plRandom r = {71};
  double worst = 0;
  for (int trial = 0; trial < CHECK_MEMBERS(400); trial++) {
    double dt = pl_random(&r, 0.005, 0.02), thick = pl_random(&r, 0.001, 0.003), speed = pl_random(&r, 1, 6),
           angle = pl_random(&r, 0, 2 * M_PI), steep = pl_random(&r, 0.1, 1), turn = pl_random(&r, 0.1, 0.6);
    World w = begin(nowhere, dt);
    pl_spec_options(w.spec)->contact_law = trial % 2 ? PL_LAW_COULOMB : PL_LAW_CONE;
    plVec3 size = v3(6, 6, thick), from = v3(0, 0, 0.06), way;
    plMesh* mesh = box_surface(size);
    plShapeDef plate = pl_default_shape_def(), g = pl_default_shape_def();
    plate.name = "plate", plate.kind = PL_SHAPE_MESH, plate.mesh = mesh, plate.surface.friction = 0.5;
    CHECK_INT(pl_spec_add_shape(w.spec, &plate, NULL, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
    g.kind = PL_SHAPE_ELLIPSOID, g.size = v3_random(&r, 0.02, 0.1), g.surface.friction = pl_random(&r, 0, 1);
    way = v3_unit(v3(cos(angle), sin(angle), -steep));
    add_body(&w, "egg", g, (plPose){from, any_turn(&r, 2)}, v3_scale(speed, way), 0.1, 3e-5);
    build(&w);
    v3_store(w.data->v + 3, v3_scale(turn / dt, v3_unit(v3_random(&r, -1, 1))));
    Rolling egg = {.face = 0.5 * thick, .size = g.size};
    w.data->work->part = watch_face, w.data->work->part_user = &egg;
    run(&w, (int)fmin(20, 2 + 0.12 / (speed * steep * dt)));
    worst = fmax(worst, egg.deepest / (0.5 * thick));
    end(&w);
  }
  printf("  deepest point of an egg: %.3f of half the thickness\n", worst);
  CHECK_BELOW(worst, 0.4, 1);
}

// ---- links

// An arm of two or three links of 0.1 m with hinges about any axes, and a ball at its tip.
static void add_arm(World* w, plRandom r, int links, double radius) {
  static const char* const name[] = {"upper", "lower", "hand"};
  for (int i = 0; i < links; i++) {
    plBodyDef body = pl_default_body_def();
    plJointDef hinge = pl_default_joint_def();
    int id;
    body.name = name[i], body.mass = 0.1, body.pose.p = v3(0.1 * i, 0, 0), body.com = v3(0.05, 0, 0);
    for (int k = 0; k < 3; k++) body.inertia[k] = 1e-4;
    CHECK_INT(pl_spec_add_body(w->spec, &body, &id, &w->error), PL_OK);
    hinge.name = name[i], hinge.kind = PL_JOINT_REVOLUTE, hinge.parent = id - 1, hinge.child = id;
    hinge.axis = v3_unit(v3_random(&r, -1, 1));
    hinge.pose.p = v3(i ? 0.1 : 0, 0, 0);
    CHECK_INT(pl_spec_add_joint(w->spec, &hinge, NULL, &w->error), PL_OK);
  }
  plShapeDef tip = pl_default_shape_def();
  tip.name = "tip", tip.kind = PL_SHAPE_SPHERE, tip.radius = radius, tip.body = links - 1;
  tip.pose.p = v3(0.1, 0, 0);
  CHECK_INT(pl_spec_add_shape(w->spec, &tip, NULL, &w->error), PL_OK);
}

static plVec3 tip_of(const World* w, int links) {
  plRigidState s;
  pl_rigid_body_state(w->data, links - 1, &s);
  return pose_apply(s.pose, v3(0.1, 0, 0));
}

// Joints that turn by up to 0.3 rad in a step: the tip is not where the sum of their motions leads, but where
// they take it one after the other. A plate between the two stops it. Exact: positions of the joints.
static void a_link_is_followed_where_it_goes(void) {
  plRandom r = {67};
  double worst = 0;
  int met = 0;
  for (int trial = 0; trial < CHECK_MEMBERS(400); trial++) {
    double dt = 0.01, radius = pl_random(&r, 0.003, 0.006), thick = pl_random(&r, 0.001, 0.004), rate[3],
           gap = pl_random(&r, 1e-4, 1e-3);
    int links = 2 + trial % 2;
    plRandom arm = {1000 + (uint64_t)trial};
    for (int i = 0; i < links; i++) rate[i] = pl_random(&r, -0.3, 0.3) / dt;
    plVec3 n = v3(0, 0, 0), from = n, to = n;
    for (int plated = 0; plated < 2; plated++) {
      World w = begin(nowhere, dt);
      add_arm(&w, arm, links, radius);
      if (plated) {
        plShapeDef g = pl_default_shape_def();
        g.name = "plate", g.kind = PL_SHAPE_BOX, g.size = v3(1, 1, thick);
        g.pose.p = v3_madd(from, radius + gap + 0.5 * thick, n);
        plVec3 axis = v3_cross(v3(0, 0, 1), n);
        g.pose.q = quat_exp(v3_scale(acos(n.z) / fmax(v3_norm(axis), 1e-12), axis));
        CHECK_INT(pl_spec_add_shape(w.spec, &g, NULL, &w.error), PL_OK);
      }
      build(&w);
      memcpy(w.data->v, rate, (size_t)links * sizeof *rate);
      plRigidState s;
      pl_rigid_body_state(w.data, links - 1, &s);
      from = tip_of(&w, links);
      plVec3 sum =
          v3_madd(from, dt, v3_add(s.velocity, v3_cross(s.angular_velocity, v3_sub(from, s.pose.p))));
      CHECK_INT(pl_step(w.data, &w.error), PL_OK);
      to = tip_of(&w, links);
      end(&w);
      double way = v3_dot(v3_sub(to, from), n);
      if (plated) {
        worst = fmax(worst, (way - gap) / (0.5 * thick)), met++;
        continue;
      }
      n = v3_unit(v3_sub(to, sum)), way = v3_dot(v3_sub(to, from), n);
      if (way < gap + thick) break;
    }
  }
  printf("  %d met a plate, the deepest by %.3f of half its thickness\n", met, worst);
  CHECK(met > CHECK_MEMBERS(80));
  CHECK_BELOW(worst, 0.3, 1);
}

// ---- folds of a crumpled body

// Parts of `steps` steps. A stiff plate, pulled by a traction, crumples the soft block that it is attached
// to, within 0.3 of the speed of its waves.
static int parts_of_crumpling(double dt, double young, plVec3 traction, int steps) {
  char text[2048];
  snprintf(
      text, sizeof text,
      "pliant: 1\noptions: {dt: %.17g, gravity: [0, 0, 0], contact_law: cone, threads: 1}\n"
      "deformables:\n"
      "  - {name: soft, shape: box, size: [0.038, 0.011, 0.033], cells: [6, 2, 5], material: {young: %.17g, "
      "poisson: 0.36, density: 480, damping: {mass: 0.2}}, surface: {friction: 0}}\n"
      "  - {name: plate, shape: box, size: [0.072, 0.019, 0.047], cells: [4, 1, 3], pose: {position: "
      "[-0.0075, -0.0149, 0.0397]}, material: {young: 1e6, poisson: 0.4, density: 300}, loads: [{region: "
      "{shape: all}, kind: traction, vector: [%.17g, %.17g, %.17g]}]}\n"
      "attachments:\n"
      "  - {name: hold, deformable: plate, region: {shape: half_space, normal: [0, 0, -1], centre: [0, 0, "
      "0.0117]}, to: soft}\n",
      dt, young, traction.x, traction.y, traction.z);
  World w = {.model = model_of(text)};
  w.data = pl_data_create(w.model, &w.error);
  int parts = 0;
  for (int i = 0; i < steps; i++) run(&w, 1), parts += w.data->report.parts;
  pl_data_destroy(w.data), pl_model_destroy(w.model);
  return parts;
}

// Rounds that leave fewer and fewer hits go on: parts of the step would need as many each.
static void folds_need_few_parts(void) {
  enum { MEMBERS = 4, STEPS = 30 };
  plRandom r = {21};
  int parts = 0;
  for (int k = 0; k < MEMBERS; k++) {
    double young = pl_random(&r, 100, 250), dt = pl_random(&r, 0.02, 0.03), pull = pl_random(&r, 30, 60),
           x = pl_random(&r, -0.3, 0.3), z = pl_random(&r, -0.5, 0.5);
    plVec3 way = v3(x, -1, z);
    parts += parts_of_crumpling(dt, young, v3_scale(pull / v3_norm(way), way), STEPS);
  }
  CHECK_BELOW(parts, 1.5, MEMBERS * STEPS);  // 1.1; 4.3 with four rounds at most
}

// ---- loads

// Height of the upper face of deformable 0, a plate, at (x, y); -infinity beside it.
static double face_at(const plData* data, double x, double y) {
  const plModel* m = data->model;
  double high = -INFINITY;
  for (int t = m->deform_tri0[0]; t < m->deform_tri0[1]; t++) {
    const int* v = m->tri_vert + 3 * t;
    plVec3 p[3];
    bool upper = true;
    for (int k = 0; k < 3; k++) {
      upper = upper && m->vert_rest[3 * v[k] + 2] > 0;
      p[k] = v3_load(data->q + m->deform_q0[0] + 3 * (v[k] - m->deform_vert0[0]));
    }
    if (!upper) continue;
    plVec3 e = v3_sub(p[1], p[0]), f = v3_sub(p[2], p[0]);
    double area = e.x * f.y - e.y * f.x, b = ((x - p[0].x) * f.y - (y - p[0].y) * f.x) / area,
           c = (e.x * (y - p[0].y) - e.y * (x - p[0].x)) / area;
    if (b >= 0 && c >= 0 && b + c <= 1) high = fmax(high, p[0].z + b * e.z + c * f.z);
  }
  return high;
}

// How far the twelve edges of box 0 reach below that face (m).
static double edges_below(const plData* data, plVec3 size) {
  const double* q = data->q;
  plPose pose = {v3_load(q), {q[3], q[4], q[5], q[6]}};
  double deep = 0;
  for (int i = 0; i < 12 * 9; i++) {
    double u[3];
    int along = i % 3;
    u[along] = i / 12 / 8.0 - 0.5;
    u[(along + 1) % 3] = i / 3 & 1 ? 0.5 : -0.5, u[(along + 2) % 3] = i / 6 & 1 ? 0.5 : -0.5;
    plVec3 x = pose_apply(pose, v3(u[0] * size.x, u[1] * size.y, u[2] * size.z));
    deep = fmax(deep, face_at(data, x.x, x.y) - x.z);
  }
  return deep;
}

// A plate of 0.2 m whose four rims are held.
static void add_held_plate(World* w, double thick, int cells, double young, double density) {
  plMesh* mesh = box_mesh(v3(0.2, 0.2, thick), cells, cells, 1);
  plDeformableDef def = pl_default_deformable_def();
  plFixDef fix = pl_default_fix_def();
  def.name = "plate", def.mesh = mesh, def.surface.friction = 0.5, def.material.young = young;
  def.material.kind = PL_MATERIAL_COROTATED, def.material.poisson = 0.3, def.material.density = density;
  def.material.damping_stiffness = 0.01;
  CHECK_INT(pl_spec_add_deformable(w->spec, &def, &fix.deformable, &w->error), PL_OK);
  pl_mesh_destroy(mesh);
  for (int i = 0; i < 4; i++) {
    plVec3 out = i < 2 ? v3(i ? 1 : -1, 0, 0) : v3(0, i == 2 ? 1 : -1, 0);
    fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre = v3_scale(0.0999, out);
    fix.region.normal = v3_neg(out);
    CHECK_INT(pl_spec_add_fix(w->spec, &fix, &w->error), PL_OK);
  }
}

// Needles and bricks are pressed on thin soft plates for many steps, with up to 100 times their weight. A
// plate is stiff enough to carry that, but light: its points yield by more than its thickness. Whatever they
// yield in a step must not add up.
static void what_is_pressed_does_not_sink_in(void) {
  plRandom r = {99};
  double worst = 0;
  for (int trial = 0; trial < CHECK_MEMBERS(16); trial++) {
    double dt = pl_random(&r, 0.004, 0.02), thick = pl_random(&r, 0.001, 0.005),
           mass = 0.01 * pow(300, pl_random(&r, 0, 1)), speed = 0.05 * pow(100, pl_random(&r, 0, 1)),
           g = 9.81 * pow(100, pl_random(&r, 0, 1)), density = 100 * pow(30, pl_random(&r, 0, 1)),
           young = 300 * mass * (g + speed * speed / 0.03) / thick * pow(10, pl_random(&r, 0, 1));
    World w = begin(v3(0, 0, -g), dt);
    plOptions* o = pl_spec_options(w.spec);
    o->contact_law = trial % 2 ? PL_LAW_COULOMB : PL_LAW_CONE;
    o->theta = o->theta_vq = trial % 4 < 2 ? 1 : 0.5;
    add_held_plate(&w, thick, 3 + trial % 5, young, density);
    plShapeDef box = pl_default_shape_def();
    double wide = pl_random(&r, 0.002, 0.006);
    box.kind = PL_SHAPE_BOX, box.size = v3_random(&r, 0.01, 0.05), box.surface.friction = 0.5;
    if (trial % 3 == 0) box.size = v3(wide, wide, pl_random(&r, 0.04, 0.08));
    plQuat q = any_turn(&r, 2);
    plVec3 size = box.size, up = quat_rotate(quat_conj(q), v3(0, 0, 1)), at = v3_random(&r, -0.04, 0.04);
    at.z = 0.5 * (thick + fabs(up.x) * size.x + fabs(up.y) * size.y + fabs(up.z) * size.z) + 1e-4;
    add_body(&w, "brick", box, (plPose){at, q}, v3(0, 0, -speed), mass, mass * v3_norm2(size) / 12);
    build(&w);
    for (int k = 0; k < 24; k++) {
      run(&w, 5);
      worst = fmax(worst, edges_below(w.data, size) / (0.5 * thick));
      const double* x = w.data->q;
      if (fmax(fabs(x[0]), fabs(x[1])) > 0.1 - 0.6 * v3_norm(size)) break;  // it may fall off the rim
    }
    end(&w);
  }
  printf("  deepest edge of what is pressed on a plate: %.3f of half its thickness\n", worst);
  CHECK_BELOW(worst, 0.8, 1);
}

// A point of the surface of a round shape, in its frame; d: a unit vector.
static plVec3 round_point(const plShapeDef* g, plVec3 d) {
  double h = hypot(d.x, d.y), half = copysign(0.5 * g->length, d.z);
  plVec3 a = v3(g->size.x * d.x, g->size.y * d.y, g->size.z * d.z);
  if (g->kind == PL_SHAPE_ELLIPSOID)
    return v3_scale(0.5 / v3_norm(a), v3(g->size.x * a.x, g->size.y * a.y, g->size.z * a.z));
  if (g->kind == PL_SHAPE_CYLINDER) return v3(g->radius * d.x / h, g->radius * d.y / h, half);
  return v3_madd(v3(0, 0, g->kind == PL_SHAPE_CAPSULE ? half : 0), g->radius, d);
}

// Round shapes are pressed on such plates in the same way. The compliance that the mesh is too coarse to have
// lets them in, but not through.
static void what_is_round_does_not_sink_in(void) {
  static const plShapeKind kinds[] = {PL_SHAPE_SPHERE, PL_SHAPE_CAPSULE, PL_SHAPE_CYLINDER,
                                      PL_SHAPE_ELLIPSOID};
  plRandom r = {99};
  double worst = 0;
  for (int trial = 0; trial < CHECK_MEMBERS(16); trial++) {
    double dt = pl_random(&r, 0.004, 0.02), thick = pl_random(&r, 0.001, 0.005),
           mass = 0.01 * pow(300, pl_random(&r, 0, 1)), speed = 0.05 * pow(100, pl_random(&r, 0, 1)),
           g = 9.81 * pow(100, pl_random(&r, 0, 1)), density = 100 * pow(30, pl_random(&r, 0, 1)),
           young = 300 * mass * (g + speed * speed / 0.03) / thick * pow(10, pl_random(&r, 0, 1)), low = 0;
    World w = begin(v3(0, 0, -g), dt);
    plOptions* o = pl_spec_options(w.spec);
    o->contact_law = trial % 2 ? PL_LAW_COULOMB : PL_LAW_CONE;
    o->theta = o->theta_vq = trial % 4 < 2 ? 1 : 0.5;
    add_held_plate(&w, thick, 3 + trial % 5, young, density);
    plShapeDef shape = pl_default_shape_def();
    shape.kind = kinds[trial / 4 % 4], shape.surface.friction = 0.5;
    shape.size = v3_random(&r, 0.01, 0.05);
    shape.radius = 0.5 * pl_random(&r, 0.004, 0.04), shape.length = pl_random(&r, 0.01, 0.05);
    plQuat q = any_turn(&r, 2);
    plVec3 at = v3_random(&r, -0.04, 0.04), x[200];
    for (int i = 0; i < 200; i++)
      x[i] = round_point(&shape, v3_unit(v3_random(&r, -1, 1))), low = fmin(low, quat_rotate(q, x[i]).z);
    at.z = 0.5 * thick - low + 0.002;
    add_body(&w, "stone", shape, (plPose){at, q}, v3(0, 0, -speed), mass,
             mass * (4 * shape.radius * shape.radius + shape.length * shape.length) / 12);
    build(&w);
    for (int k = 0; k < 60; k++) {
      run(&w, 2);
      const double* p = w.data->q;
      for (int i = 0; i < 200; i++) {
        plVec3 y = pose_apply((plPose){v3_load(p), {p[3], p[4], p[5], p[6]}}, x[i]);
        worst = fmax(worst, (face_at(w.data, y.x, y.y) - y.z) / (0.5 * thick));
      }
      if (fmax(fabs(p[0]), fabs(p[1])) > 0.07) break;  // it may roll off the rim
    }
    end(&w);
  }
  printf("  deepest point of a round shape pressed on a plate: %.3f of half its thickness\n", worst);
  CHECK_BELOW(worst, 1.3, 1);
}

// A hollow box: walls one cell thick, `cells` along each edge.
static plMesh* shell_mesh(plVec3 size, double thick, int cells) {
  int n = cells + 2, kept = 0, nvert = 0;
  plMesh* all = box_mesh(v3(n, n, n), n, n, n);
  double s[3];
  v3_store(s, size);
  for (int i = 0; i < 3 * all->nvert; i++) {
    double u = all->vert[i] / n * 2, *x = &all->vert[i], half = 0.5 * s[i % 3];
    *x = fabs(u) > 1 - 1.0 / n ? copysign(half, u) : u * n / cells * (half - thick);
  }
  for (int t = 0; t < all->ntet; t++) {
    int c = t / 5, at[3] = {c % n, c / n % n, c / n / n};
    bool wall = false;
    for (int k = 0; k < 3; k++) wall = wall || at[k] == 0 || at[k] == n - 1;
    if (!wall) continue;
    for (int a = 0; a < 4; a++) all->tet[4 * kept + a] = all->tet[4 * t + a];
    kept++;
  }
  int* number = malloc(sizeof *number * (size_t)all->nvert);
  for (int v = 0; v < all->nvert; v++) number[v] = -1;
  for (int i = 0; i < 4 * kept; i++)
    if (number[all->tet[i]] < 0) number[all->tet[i]] = nvert++;
  plMesh* mesh = pl_mesh_create(nvert, kept, 0, NULL);
  for (int v = 0; v < all->nvert; v++)
    for (int k = 0; k < 3 && number[v] >= 0; k++) mesh->vert[3 * number[v] + k] = all->vert[3 * v + k];
  for (int i = 0; i < 4 * kept; i++) mesh->tet[i] = number[all->tet[i]];
  free(number);
  pl_mesh_destroy(all);
  return mesh;
}

// Where deformable 0 had at rest what it has at x; false: it is not there.
static bool rest_of(const plData* data, plVec3 x, plVec3* rest) {
  const plModel* m = data->model;
  for (int t = m->deform_tet0[0]; t < m->deform_tet0[1]; t++) {
    const int* v = m->tet_vert + 4 * t;
    plVec3 p[4];
    for (int k = 0; k < 4; k++) p[k] = v3_load(data->q + m->deform_q0[0] + 3 * (v[k] - m->deform_vert0[0]));
    plVec3 a = v3_sub(p[1], p[0]), b = v3_sub(p[2], p[0]), c = v3_sub(p[3], p[0]), y = v3_sub(x, p[0]);
    double det = v3_dot(a, v3_cross(b, c)), l[4];
    l[1] = v3_dot(y, v3_cross(b, c)) / det, l[2] = v3_dot(a, v3_cross(y, c)) / det;
    l[3] = v3_dot(a, v3_cross(b, y)) / det, l[0] = 1 - l[1] - l[2] - l[3];
    if (fmin(fmin(l[0], l[1]), fmin(l[2], l[3])) < 0) continue;
    *rest = nowhere;
    for (int k = 0; k < 4; k++) *rest = v3_madd(*rest, l[k], v3_load(m->vert_rest + 3 * v[k]));
    return true;
  }
  return false;
}

// Needles fly at up to 16 m/s in thin shells that hang by their upper side, and are pressed on their walls
// with up to 100 times their weight.
static void what_is_in_a_shell_stays_in(void) {
  plRandom r = {7};
  double worst = 0;
  for (int trial = 0; trial < CHECK_MEMBERS(24); trial++) {
    double dt = pl_random(&r, 0.004, 0.02), thick = pl_random(&r, 0.001, 0.003),
           g = 9.81 * pow(100, pl_random(&r, 0, 1)), mass = 0.001 * pow(1000, pl_random(&r, 0, 1)),
           wide = pl_random(&r, 0.002, 0.006);
    int cells = 2 + trial % 3;
    plVec3 size = v3_scale(0.05 * cells, v3_random(&r, 0.8, 1.6)), inner = v3_scale(0.5, size);
    World w = begin(v3(0, 0, -g), dt);
    plOptions* o = pl_spec_options(w.spec);
    o->contact_law = trial % 2 ? PL_LAW_COULOMB : PL_LAW_CONE;
    o->theta = o->theta_vq = trial % 4 < 2 ? 0.5 : 1;
    plMesh* mesh = shell_mesh(size, thick, cells);
    plDeformableDef def = pl_default_deformable_def();
    plFixDef fix = pl_default_fix_def();
    def.name = "shell", def.mesh = mesh, def.surface.friction = 0.5,
    def.material.kind = PL_MATERIAL_COROTATED;
    def.material.young = 1e7 * pow(1000, pl_random(&r, 0, 1)), def.material.poisson = 0.3;
    def.material.density = 100 * pow(30, pl_random(&r, 0, 1)), def.material.damping_stiffness = 0.01;
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, &fix.deformable, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
    fix.region.kind = PL_REGION_HALF_SPACE, fix.region.centre = v3(0, 0, inner.z - 0.5 * thick);
    fix.region.normal = v3(0, 0, -1);
    CHECK_INT(pl_spec_add_fix(w.spec, &fix, &w.error), PL_OK);
    plShapeDef box = pl_default_shape_def();
    box.kind = PL_SHAPE_BOX, box.size = v3(wide, wide, pl_random(&r, 0.03, 0.06)), box.surface.friction = 0.5;
    double speed = pow(16, pl_random(&r, 0, 1));
    plVec3 v = v3_scale(speed, v3_unit(v3_random(&r, -1, 1)));
    add_body(&w, "needle", box, (plPose){nowhere, any_turn(&r, 2)}, v, mass, mass * v3_norm2(box.size) / 12);
    build(&w);
    for (int k = 0; k < 100; k++) {
      run(&w, 1);
      const double* q = w.data->q;
      // Nothing of it is outside, because its corners and middles of edges pass no middle of a wall.
      for (int i = 0; i < 27; i++) {
        plVec3 u = v3(0.5 * (i % 3 - 1), 0.5 * (i / 3 % 3 - 1), 0.5 * (i / 9 - 1)), rest,
               x = v3(u.x * box.size.x, u.y * box.size.y, u.z * box.size.z);
        if (!rest_of(w.data, pose_apply((plPose){v3_load(q), {q[3], q[4], q[5], q[6]}}, x), &rest)) continue;
        double in =
            fmax(fmax(fabs(rest.x) - inner.x, fabs(rest.y) - inner.y), fabs(rest.z) - inner.z) + thick;
        worst = fmax(worst, in / (0.5 * thick));
      }
    }
    end(&w);
  }
  printf("  deepest part of a needle in a shell: %.3f of half its thickness\n", worst);
  CHECK_BELOW(worst, 0.8, 1);
}

// m, the deepest vertex of deformable 0 in the box of the only body.
static double deepest_in_box(const plData* data) {
  const plModel* m = data->model;
  const plShape box = {.kind = PL_SHAPE_BOX, .size = m->shape_size[0]};
  const double* q = data->q;
  plPose pose = {v3_load(q), {q[3], q[4], q[5], q[6]}};
  double deep = 0;
  for (int v = 0; v < m->deform_vert0[1]; v++) {
    plVec3 x = v3_load(q + m->deform_q0[0] + 3 * v), out;
    if (m->work->vert_surface[v])
      deep = fmax(deep, -pl_shape_distance(&box, pose_apply_inverse(pose, x), &out));
  }
  return deep;
}

// Soft bodies of several layers fall on a box that is as large as a few of their cells and 3 to 90 times
// lighter. Its points carry them less than half a cell deep, however thick the cells behind their facets are.
static void no_load_presses_in_half_a_cell(void) {
  plRandom r = {101};
  double worst = 0;
  for (int trial = 0; trial < CHECK_MEMBERS(24); trial++) {
    double dt = pl_random(&r, 0.002, 0.02), wide = 0.005 * pow(10, pl_random(&r, 0, 1)),
           g = wide / (dt * dt) * 0.1 * pow(10, pl_random(&r, 0, 1)), density = pl_random(&r, 100, 3000),
           ratio = 3 * pow(30, pl_random(&r, 0, 1));
    World w = begin(v3(0, 0, -g), dt);
    plOptions* o = pl_spec_options(w.spec);
    o->contact_law = trial % 2 ? PL_LAW_COULOMB : PL_LAW_CONE;
    o->theta = o->theta_vq = trial % 5 ? 1 : 0.7;
    int n = 3, kind = trial / 2 % 4;
    plVec3 size = v3_scale(n * wide, v3_random(&r, 0.7, 1.4)), half = v3_scale(0.5, size);
    plMesh* mesh = kind == 0 ? box_mesh(size, n, n, n) : NULL;
    if (kind == 1) CHECK_INT(pl_mesh_sphere(half.x, wide, &mesh, &w.error), PL_OK);
    if (kind == 2) CHECK_INT(pl_mesh_ellipsoid(half, wide, &mesh, &w.error), PL_OK);
    if (kind == 3) CHECK_INT(pl_mesh_capsule(0.8 * half.x, size.y, wide, &mesh, &w.error), PL_OK);
    plDeformableDef def = pl_default_deformable_def();
    def.name = "soft", def.mesh = mesh, def.surface.friction = 0.5, def.material.poisson = 0.3;
    def.material.kind = PL_MATERIAL_COROTATED, def.material.density = density;
    def.material.young = density * g * size.z * 5 * pow(20, pl_random(&r, 0, 1));
    def.material.damping_stiffness = dt;
    def.pose = (plPose){v3(0, 0, 0.6 * v3_norm(size)), any_turn(&r, trial % 3 ? 2 : 0.01)};
    CHECK_INT(pl_spec_add_deformable(w.spec, &def, NULL, &w.error), PL_OK);
    pl_mesh_destroy(mesh);
    plShapeDef box = pl_default_shape_def();
    box.kind = PL_SHAPE_BOX, box.size = v3_scale(wide, v3_random(&r, 2, 5));
    double mass = density * size.x * size.y * size.z / ratio;
    add_body(&w, "box", box, pose_at(0, 0, -0.5 * box.size.z), nowhere, mass, mass * v3_norm2(box.size) / 18);
    add_shape(&w, "floor", PL_SHAPE_HALF_SPACE, nowhere, v3(0, 0, -box.size.z), pl_default_surface());
    build(&w);
    double cell = cbrt(6 * w.model->deform_volume[0] / w.model->deform_tet0[1]);
    for (int k = 0; k < 40; k++) run(&w, 1), worst = fmax(worst, deepest_in_box(w.data) / cell);
    end(&w);
  }
  printf("  deepest vertex of a soft body on a light box: %.3f cells\n", worst);
  CHECK_BELOW(worst, 0.5, 1);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(what_leaves_is_no_hit);
  RUN(a_stiff_floor_stops_what_turns);
  RUN(what_is_crushed_comes_to_an_end);
  RUN(a_rim_is_as_thin_as_its_plate);
  RUN(a_rim_stops_what_slides_and_turns);
  RUN(what_rolls_does_not_sink_in);
  RUN(a_link_is_followed_where_it_goes);
  RUN(folds_need_few_parts);
  RUN(what_is_pressed_does_not_sink_in);
  RUN(what_is_round_does_not_sink_in);
  RUN(what_is_in_a_shell_stays_in);
  RUN(no_load_presses_in_half_a_cell);
  return CHECK_END;
}

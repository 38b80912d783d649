// Guard: which motions are hits, and that the solver can hold them.
#include <stdlib.h>
#include <string.h>

#include "contact/sweep.h"
#include "contact/thresholds.h"
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
    CHECK(low > -0.3 * thin);
    end(&w);
  }
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

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(what_leaves_is_no_hit);
  RUN(a_stiff_floor_stops_what_turns);
  RUN(what_is_crushed_comes_to_an_end);
  return CHECK_END;
}

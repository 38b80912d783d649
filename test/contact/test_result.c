// Reports of contacts: areas, pressures, resultants, facets; belts; attached regions; overlaps too deep.
#include "base/random.h"
#include "math/pose.h"
#include "output/field.h"
#include "pliant/pliant.h"
#include "world.h"
#include "model/side.h"

static const plVec3 down = {0, 0, -9.81}, nowhere = {0, 0, 0};

static int add_cube(World* w, double side, int cells, plPose pose) {
  return add_block(w, v3(side, side, side), cells, cells, cells, pose, 1e6);
}

static plPose at(double x, double y, double z, double turn) {
  plPose p = {{x, y, z}, quat_exp(v3(0, 0, turn))};
  return p;
}

// The area of two faces pressed together is that of what they share, however they are meshed, and the
// pressure is weight over area.
static void areas_and_pressures_of_a_stack(void) {
  for (int k = 0; k < 3; k++) {
    World w = begin(down, 0.01);
    int low = add_cube(&w, 0.1, 3, at(0, 0, 0.05, 0));
    int up = add_cube(&w, 0.06, k == 1 ? 4 : 2, at(0.013, -0.005, 0.13, k == 2 ? 0.4 : 0));
    add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, 0), pl_default_surface());
    build(&w);
    run(&w, 150);
    double weight = 1000 * 0.06 * 0.06 * 0.06 * 9.81, whole = 1000 * 1e-3 * 9.81 + weight;
    plContactPair joint, ground;
    pl_contact_pair(w.data, pl_side_of_number(w.data->model, low), pl_side_of_number(w.data->model, up),
                    &joint);
    pl_contact_pair(w.data, pl_side_of_number(w.data->model, low), pl_side_of_number(w.data->model, 2),
                    &ground);
    CHECK_NEAR(joint.force.z, weight, 8.6e-9 * weight);
    CHECK_NEAR(ground.force.z, -whole, 5.4e-9 * whole);
    CHECK_NEAR(joint.area, 0.06 * 0.06, 0.005 * 0.06 * 0.06);
    CHECK_NEAR(ground.area, 0.1 * 0.1, 0.001 * 0.01);
    CHECK_NEAR(joint.centre.x, 0.013, 5.9e-5);
    CHECK_NEAR(joint.centre.y, -0.005, 2.5e-5);
    CHECK_NEAR(joint.centre.z, 0.1, 2e-4);
    CHECK_BELOW(v3_norm(joint.moment), 6.5e-6, weight * 0.06);
    CHECK(2 * joint.stick > joint.pressing && joint.pressing >= 4);  // some that hardly press slip by microns
    CHECK_BELOW(joint.slip_max, 1.5e-6, 1);
    // The other way round the signs change.
    plContactPair back;
    pl_contact_pair(w.data, pl_side_of_number(w.data->model, up), pl_side_of_number(w.data->model, low),
                    &back);
    CHECK_NEAR(back.force.z, -joint.force.z, 3e-14);
    // Facets: on the top of one, on the bottom of the other; forces are tractions times areas.
    for (int i = 0; i < w.data->ncontact; i++) {
      const plContact* c = &w.data->contact[i];
      plVec3 f = v3_scale(c->area, v3_add(v3_scale(pl_contact_pressure(c), c->normal), pl_contact_shear(c)));
      CHECK_BELOW(v3_norm(v3_sub(f, c->force)), 1.5e-14, 1);
      CHECK(c->tri_a >= w.model->deform_tri0[c->a.index] && c->tri_a < w.model->deform_tri0[c->a.index + 1]);
      if (c->b.kind == PL_SIDE_SHAPE)
        CHECK_INT(c->tri_b, -1);
      else
        CHECK(c->tri_b >= w.model->deform_tri0[up] && c->tri_b < w.model->deform_tri0[up + 1]);
      // Two flat faces: one normal.
      if (c->b.kind == PL_SIDE_DEFORMABLE) CHECK_BELOW(1 - c->normal.z, 4.5e-7, 1);
    }
    end(&w);
  }
}

// Tractions at the vertices, times the surface around each, add up to the force; under a block at rest they
// are its weight over its area.
static void tractions_at_vertices_add_up_to_the_force(void) {
  World w = begin(down, 0.01);
  int b = add_cube(&w, 0.1, 4, at(0, 0, 0.05, 0.3));
  add_shape(&w, "ground", PL_SHAPE_BOX, v3(1, 1, 0.2), v3(0, 0, -0.1), pl_default_surface());
  build(&w);
  run(&w, 100);
  double traction[3 * 125];
  pl_field_contact(w.data, b, traction);
  plVec3 sum = {0, 0, 0};
  double middle = 0;
  for (int t = 0; t < w.model->ntri; t++) {
    const int* v = w.model->tri_vert + 3 * (size_t)t;
    plVec3 x[3];
    for (int k = 0; k < 3; k++) x[k] = v3_load(w.data->q + 3 * v[k]);
    double third = v3_norm(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]))) / 6;
    for (int k = 0; k < 3; k++) sum = v3_madd(sum, third, v3_load(traction + 3 * v[k]));
  }
  for (int v = 0; v < 125; v++)
    if (v3_norm(v3_sub(v3_load(w.model->vert_rest + 3 * v), v3(0, 0, -0.05))) < 1e-9)
      middle = traction[3 * v + 2];
  CHECK_NEAR(sum.z, 9.81, 4.1e-8);
  CHECK_NEAR(sum.x, 0, 4.8e-13);
  CHECK_NEAR(middle, 981, 0.25 * 981);  // a part of the weight stands on the rims
  end(&w);
}

// Weak blocks that fall fast are crushed in a step: vertices inside of them, which are on no facet, come
// below the floor and get points too. The facet of a point belongs to the body on its side, or there is none.
static void facets_of_points_belong_to_their_bodies(void) {
  plRandom r = {57};
  int inner = 0, wrong = 0;
  for (int trial = 0; trial < CHECK_MEMBERS(12); trial++) {
    World w = begin(down, pl_random(&r, 0.005, 0.01));
    plSurface surface = pl_default_surface();
    add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, nowhere, nowhere, surface);
    double young = 100 * pow(10, pl_random(&r, 0, 1)), speed = pl_random(&r, 5, 15);
    for (int b = 0; b < 3; b++)
      add_block(&w, v3(0.1, 0.1, 0.1), 4, 4, 4, pose_at(b, 0, 0.051 + pl_random(&r, 0, 0.02)), young);
    build(&w);
    for (int i = 0; i < w.model->nv; i += 3) w.data->v[i + 2] = -speed;
    for (int k = 0; k < 4 && !pl_step(w.data, NULL); k++)
      for (int i = 0; i < w.data->ncontact; i++) {
        const plContact* c = &w.data->contact[i];
        const int* tri0 = &w.model->deform_tri0[c->a.index];
        CHECK_INT(c->a.kind, PL_SIDE_DEFORMABLE);
        wrong += c->tri_a != -1 && !(c->tri_a >= tri0[0] && c->tri_a < tri0[1]);
        inner += c->tri_a < 0;
      }
    end(&w);
  }
  CHECK_INT(wrong, 0);
  CHECK(inner > 0);
}

// A block laid on a belt is taken along: it slides until t = u / (mu g), then moves with the belt.
static void a_belt_carries_a_block(void) {
  for (int k = 0; k < 2; k++) {
    World w = begin(down, 0.01);
    int b = add_cube(&w, 0.1, 2, at(0, 0, 0.05, 0));
    plSurface belt = pl_default_surface();
    belt.friction = 1.0 / 3, belt.surface_velocity = v3(0.5, 0, 0);
    add_shape(&w, "belt", k ? PL_SHAPE_BOX : PL_SHAPE_HALF_SPACE, v3(4, 1, 0.2), v3(0, 0, k ? -0.1 : 0),
              belt);
    build(&w);
    run(&w, 6);
    plBodyState early, late;
    pl_deformable_state(w.data, b, &early);
    CHECK_NEAR(early.momentum.x, 0.4 * 9.81 * 0.06 * 1.0, 4.6e-5);
    run(&w, 100);
    pl_deformable_state(w.data, b, &late);
    CHECK_NEAR(late.momentum.x / late.mass, 0.5, 4.8e-7);
    CHECK_NEAR(late.momentum.y / late.mass, 0, 1.8e-9);
    end(&w);
  }
}

// Vertices attached to a body do not touch its shapes, though they lie inside them; the rest of the surface
// does touch others.
static void attached_regions_do_not_touch_what_holds_them(void) {
  World w = begin(down, 0.01);
  int b = add_cube(&w, 0.1, 2, at(0, 0, 0.05, 0));
  plShapeDef plate = pl_default_shape_def();
  plate.size = v3(0.12, 0.12, 0.01);
  int body = add_body(&w, "plate", plate, pose_at(0, 0, 0.1), nowhere, 1, 0.01);
  plAttachDef attach = pl_default_attach_def();
  attach.name = "glue", attach.deformable = b, attach.body = body;
  attach.region.kind = PL_REGION_HALF_SPACE, attach.region.centre = v3(0, 0, 0.05),
  attach.region.normal = v3(0, 0, -1);
  CHECK_INT(pl_spec_add_attachment(w.spec, &attach, NULL, &w.error), PL_OK);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, 0), pl_default_surface());
  build(&w);
  run(&w, 50);
  plContactPair plate_pair, ground;
  pl_contact_pair(w.data, pl_side_of_number(w.data->model, b), pl_side_of_number(w.data->model, 1),
                  &plate_pair);
  pl_contact_pair(w.data, pl_side_of_number(w.data->model, b), pl_side_of_number(w.data->model, 2), &ground);
  CHECK_INT(plate_pair.count, 0);
  CHECK_NEAR(ground.force.z, -2 * 9.81, 4.2e-7);
  end(&w);
}

// A block placed half inside another: the overlap is deeper than a cell, so it is reported, and nothing
// explodes.
static void overlap_too_deep_is_counted(void) {
  World w = begin(nowhere, 0.01);
  add_cube(&w, 0.1, 5, at(0, 0, 0, 0));
  int two = add_cube(&w, 0.1, 5, at(0.003, 0.001, 0.055, 0.1));
  build(&w);
  run(&w, 1);
  CHECK(w.data->report.deep > 0);
  run(&w, CHECK_MEMBERS(20));
  plBodyState state;
  pl_deformable_state(w.data, two, &state);
  CHECK(state.kinetic_energy < 1);
  end(&w);
}

static int deep_at(plPose pose) {
  World w = begin(nowhere, 0.01);
  add_cube(&w, 0.1, 4, at(0, 0, 0, 0));
  add_cube(&w, 0.1, 4, pose);
  build(&w);
  run(&w, 1);
  int deep = w.data->report.deep;
  end(&w);
  return deep;
}

// Two blocks nearly or exactly at the same position: their surfaces are close to each other, but look the
// same way.
static void bodies_in_the_same_place_are_counted(void) {
  CHECK(deep_at(at(0.01, 0, 0.005, 0)) > 0);
  CHECK(deep_at(at(0, 0, 0, 0)) > 0);
  CHECK(deep_at(at(0.001, 0.002, 0.003, 0.2)) > 0);
}

// A soft block in a round shape, and a round shape in a soft block; resting on one it is not in it.
static void bodies_in_round_shapes_are_counted(void) {
  static const plShapeKind kind[] = {PL_SHAPE_SPHERE, PL_SHAPE_CAPSULE, PL_SHAPE_CYLINDER,
                                     PL_SHAPE_ELLIPSOID};
  for (int k = 0; k < 12; k++) {
    double radius = k < 4 ? 0.2 : k < 8 ? 0.02 : 0.1;
    World w = begin(nowhere, 0.01);
    add_cube(&w, 0.1, 4, at(0, 0, 0, 0));
    plShapeDef g = pl_default_shape_def();
    g.name = "round", g.kind = kind[k % 4], g.radius = radius, g.length = 2 * radius,
    g.size = v3(2 * radius, 2 * radius, 2 * radius);
    // a capsule stands, with half a ball at its end
    if (k >= 8) g.pose.p.z = -0.05 - radius * (k % 4 == 1 ? 2 : 1) + 1e-4;
    CHECK_INT(pl_spec_add_shape(w.spec, &g, NULL, &w.error), PL_OK);
    build(&w);
    run(&w, 1);
    CHECK((w.data->report.deep > 0) == (k < 8));
    end(&w);
  }
}

// Blocks that stand on each other or side by side, apart, flush or a little inside, are not.
static void bodies_that_touch_are_not_counted(void) {
  for (int k = 0; k < 24; k++) {
    double into = (double[3]){1e-4, 0, -1e-3}[k % 3], shift = (double[4]){0, 0.01, 0.03, 0.0999}[k / 3 % 4],
           turn = k < 12 ? 0 : 0.2;
    CHECK_INT(deep_at(at(shift, 0.3 * shift, 0.1 - into, turn)), 0);
    CHECK_INT(deep_at(at(0.1 - into, shift, 0, 0)), 0);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(areas_and_pressures_of_a_stack);
  RUN(tractions_at_vertices_add_up_to_the_force);
  RUN(facets_of_points_belong_to_their_bodies);
  RUN(a_belt_carries_a_block);
  RUN(attached_regions_do_not_touch_what_holds_them);
  RUN(overlap_too_deep_is_counted);
  RUN(bodies_in_the_same_place_are_counted);
  RUN(bodies_in_round_shapes_are_counted);
  RUN(bodies_that_touch_are_not_counted);
  return CHECK_END;
}

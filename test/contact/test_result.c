// What contacts report: areas, pressures, resultants, facets; belts; attached regions; overlaps too deep.
#include "check.h"

#include "math/pose.h"
#include "pliant/pliant.h"
#include "scenes.h"

typedef struct World {
  plSpec* spec;
  plModel* model;
  plData* data;
  plError error;
} World;

static World begin(void) {
  World w = {.spec = pl_spec_create()};
  return w;
}

static void build(World* w) {
  w->model = pl_model_create(w->spec, &w->error);
  if (!w->model) printf("%s\n", w->error.message), exit(1);
  w->data = pl_data_create(w->model, &w->error);
}

static void end(World* w) { pl_data_destroy(w->data), pl_model_destroy(w->model), pl_spec_destroy(w->spec); }

static void run(World* w, int steps) {
  for (int i = 0; i < steps; i++) {
    plStatus status = pl_step(w->data, &w->error);
    CHECK_INT(status, PL_OK);
    if (status) { printf("step %d: %s\n", i, w->error.message); return; }
  }
}

static int add_block(World* w, const char* name, plVec3 size, int cells, plPose pose, double mu) {
  plMesh* mesh = box_mesh(size, cells, cells, cells);
  plDeformableDef def = pl_default_deformable_def();
  int id;
  def.name = name, def.mesh = mesh, def.pose = pose, def.surface.friction = mu, def.material.young = 1e6;
  CHECK_INT(pl_spec_add_deformable(w->spec, &def, &id, &w->error), PL_OK);
  pl_mesh_destroy(mesh);
  return id;
}

static void add_shape(World* w, const char* name, plShapeKind kind, plVec3 size, plVec3 at, plSurface surface) {
  plGeometryDef g = pl_default_geometry_def();
  g.name = name, g.kind = kind, g.size = size, g.pose.p = at, g.surface = surface;
  CHECK_INT(pl_spec_add_geometry(w->spec, &g, NULL, &w->error), PL_OK);
}

static plPose at(double x, double y, double z, double turn) {
  plPose p = {{x, y, z}, quat_exp(v3(0, 0, turn))};
  return p;
}

// The area of two faces pressed together is that of what they share, however they are meshed, and the pressure is weight over area.
static void areas_and_pressures_of_a_stack(void) {
  for (int k = 0; k < 3; k++) {
    World w = begin();
    int low = add_block(&w, "low", v3(0.1, 0.1, 0.1), 3, at(0, 0, 0.05, 0), 0.5);
    int up = add_block(&w, "up", v3(0.06, 0.06, 0.06), k == 1 ? 4 : 2, at(0.013, -0.005, 0.13, k == 2 ? 0.4 : 0), 0.5);
    add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, 0), pl_default_surface());
    build(&w);
    run(&w, 150);
    double weight = 1000 * 0.06 * 0.06 * 0.06 * 9.81, whole = 1000 * 1e-3 * 9.81 + weight;
    plContactPair joint, ground;
    pl_contact_pair(w.data, low, up, &joint);
    pl_contact_pair(w.data, low, 2, &ground);
    CHECK_NEAR(joint.force.z, weight, 2e-3 * weight);
    CHECK_NEAR(ground.force.z, -whole, 2e-3 * whole);
    CHECK_NEAR(joint.area, 0.06 * 0.06, 0.03 * 0.06 * 0.06);
    CHECK_NEAR(ground.area, 0.1 * 0.1, 0.03 * 0.01);
    CHECK_NEAR(joint.centre.x, 0.013, 1e-3);
    CHECK_NEAR(joint.centre.y, -0.005, 1e-3);
    CHECK_NEAR(joint.centre.z, 0.1, 2e-3);
    CHECK(v3_norm(joint.moment) < 1e-3 * weight * 0.06);
    CHECK(2 * joint.stick > joint.pressing && joint.pressing >= 4);  // some that hardly press slip by microns
    CHECK(joint.slip_max < 1e-4);
    // The other way round the signs change.
    plContactPair back;
    pl_contact_pair(w.data, up, low, &back);
    CHECK_NEAR(back.force.z, -joint.force.z, 1e-12);
    // Facets: on the top of one, on the bottom of the other; forces are tractions times areas.
    for (int i = 0; i < w.data->ncontact; i++) {
      const plContact* c = &w.data->contact[i];
      plVec3 f = v3_scale(c->area, v3_add(v3_scale(pl_contact_pressure(c), c->normal), pl_contact_shear(c)));
      CHECK(v3_norm(v3_sub(f, c->force)) < 1e-9);
      CHECK(c->tri_a >= w.model->deform_tri0[c->a] && c->tri_a < w.model->deform_tri0[c->a + 1]);
      if (c->b == 2) CHECK_INT(c->tri_b, -1);
      else CHECK(c->tri_b >= w.model->deform_tri0[up] && c->tri_b < w.model->deform_tri0[up + 1]);
      // Two flat faces: one normal.
      if (c->b == up) CHECK(c->normal.z > 0.999);
    }
    end(&w);
  }
}

// A block laid on a belt is taken along: it slides until t = u / (mu g), then moves with the belt.
static void a_belt_carries_a_block(void) {
  for (int k = 0; k < 2; k++) {
    World w = begin();
    int b = add_block(&w, "block", v3(0.1, 0.1, 0.1), 2, at(0, 0, 0.05, 0), 0.4);
    plSurface belt = pl_default_surface();
    belt.friction = 0.4, belt.surface_velocity = v3(0.5, 0, 0);
    add_shape(&w, "belt", k ? PL_SHAPE_BOX : PL_SHAPE_HALF_SPACE, v3(4, 1, 0.2), v3(0, 0, k ? -0.1 : 0), belt);
    build(&w);
    run(&w, 6);
    plBodyState early, late;
    pl_deformable_state(w.data, b, &early);
    CHECK_NEAR(early.momentum.x, 0.4 * 9.81 * 0.06 * 1.0, 0.1);
    run(&w, 100);
    pl_deformable_state(w.data, b, &late);
    CHECK_NEAR(late.momentum.x / late.mass, 0.5, 2e-3);
    CHECK_NEAR(late.momentum.y / late.mass, 0, 1e-4);
    end(&w);
  }
}

// Vertices attached to a body do not touch its shapes, though they lie inside them; the rest of the surface does touch others.
static void attached_regions_do_not_touch_what_holds_them(void) {
  World w = begin();
  int b = add_block(&w, "block", v3(0.1, 0.1, 0.1), 2, at(0, 0, 0.05, 0), 0.5);
  plBodyDef plate = pl_default_body_def();
  plate.name = "plate", plate.mass = 1, plate.inertia[0] = plate.inertia[1] = plate.inertia[2] = 0.01, plate.pose.p.z = 0.1;
  int body;
  CHECK_INT(pl_spec_add_body(w.spec, &plate, &body, &w.error), PL_OK);
  plGeometryDef g = pl_default_geometry_def();
  g.name = "plate", g.body = body, g.kind = PL_SHAPE_BOX, g.size = v3(0.12, 0.12, 0.01);
  CHECK_INT(pl_spec_add_geometry(w.spec, &g, NULL, &w.error), PL_OK);
  plAttachDef attach = pl_default_attach_def();
  attach.name = "glue", attach.deformable = b, attach.body = body;
  attach.region.kind = PL_REGION_HALF_SPACE, attach.region.centre = v3(0, 0, 0.05), attach.region.normal = v3(0, 0, -1);
  CHECK_INT(pl_spec_add_attachment(w.spec, &attach, NULL, &w.error), PL_OK);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, 0), pl_default_surface());
  build(&w);
  run(&w, 50);
  plContactPair plate_pair, ground;
  pl_contact_pair(w.data, b, 1, &plate_pair);
  pl_contact_pair(w.data, b, 2, &ground);
  CHECK_INT(plate_pair.count, 0);
  CHECK_NEAR(ground.force.z, -2 * 9.81, 0.5);
  end(&w);
}

// A block placed half inside another: the overlap is deeper than a cell, so it is reported, and nothing explodes.
static void overlap_too_deep_is_counted(void) {
  World w = begin();
  pl_spec_options(w.spec)->gravity = v3(0, 0, 0);
  add_block(&w, "one", v3(0.1, 0.1, 0.1), 5, at(0, 0, 0, 0), 0.5);
  int two = add_block(&w, "two", v3(0.1, 0.1, 0.1), 5, at(0.003, 0.001, 0.055, 0.1), 0.5);
  build(&w);
  run(&w, 1);
  CHECK(w.data->report.deep > 0);
  run(&w, 20);
  plBodyState state;
  pl_deformable_state(w.data, two, &state);
  CHECK(state.kinetic_energy < 1);
  end(&w);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(areas_and_pressures_of_a_stack);
  RUN(a_belt_carries_a_block);
  RUN(attached_regions_do_not_touch_what_holds_them);
  RUN(overlap_too_deep_is_counted);
  return CHECK_END;
}

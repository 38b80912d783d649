// test_taxels.c: the forces on taxels are those of the contacts: resultants, moments, grids that are moved,
// regions.
#include "base/random.h"
#include "math/pose.h"
#include "pliant/pliant.h"
#include "world.h"

enum { COLUMNS = 6 };

static void add(World* w, const plSensorDef* def) {
  plStatus status = pl_spec_add_sensor(w->spec, def, NULL, &w->error);
  CHECK_INT(status, PL_OK);
  if (status) printf("%s\n", w->error.message);
}

static plSensorDef grid(const char* name, const char* on, plPose pose, double size, int cells) {
  plSensorDef def = pl_default_sensor_def();
  def.name = name, def.kind = PL_SENSOR_TAXELS, def.on = on, def.pose = pose;
  def.size[0] = def.size[1] = size, def.cells[0] = cells, def.cells[1] = cells + 3;
  return def;
}

// The force on all taxels, in the grid's axes, and its moment about the grid's origin; centres in the plane.
static void resultant(const plData* data, int id, const plSensorDef* def, plVec3* force, plVec3* moment) {
  int n = pl_sensor_size(data->model, id);
  double* x = calloc((size_t)n, sizeof *x);
  CHECK_INT(pl_sensor_read(data, id, x), PL_OK);
  *force = *moment = v3(0, 0, 0);
  for (int j = 0; j < def->cells[1]; j++)
    for (int i = 0; i < def->cells[0]; i++) {
      const double* t = x + COLUMNS * (j * def->cells[0] + i);
      plVec3 f = v3(t[1], t[2], -t[0]), at = v3(((i + 0.5) / def->cells[0] - 0.5) * def->size[0],
                                                ((j + 0.5) / def->cells[1] - 0.5) * def->size[1], 0);
      *force = v3_add(*force, f), *moment = v3_add(*moment, v3_cross(at, f));
    }
  free(x);
}

// A soft ball is pushed over a tilted table that moves: grids on the table and on a body.
static World table(plSensorDef* def, int ngrid, double shift) {
  World w = begin((plVec3){0, 0, 0}, 0.005);
  plMesh* mesh;
  CHECK_INT(pl_mesh_sphere(0.05, 0.02, &mesh, &w.error), PL_OK);
  plDeformableDef ball = pl_default_deformable_def();
  ball.name = "ball", ball.mesh = mesh, ball.pose.p.z = 0.0805, ball.material.young = 3e4;
  ball.velocity = (plVec3){0.1, 0.05, -0.3};
  CHECK_INT(pl_spec_add_deformable(w.spec, &ball, NULL, &w.error), PL_OK);
  pl_mesh_destroy(mesh);
  plShapeDef box = pl_default_shape_def();
  box.kind = PL_SHAPE_BOX, box.size = (plVec3){0.5, 0.5, 0.06}, box.surface.friction = 0.4;
  add_body(&w, "table", box, pose_at(0, 0, 0), (plVec3){0, 0, 0}, 1e4, 1e3);
  for (int k = 0; k < ngrid; k++) {
    plPose pose = {{shift * k * 0.3 / 12 / 2, shift * k * 0.3 / 15 / 2, 0.03},
                   quat_from_axis_angle(v3(0, 0, 1), 0.3)};
    char name[24];
    snprintf(name, sizeof name, "g%d", k);
    def[k] = grid(name, "table", pose, 0.3, 12);
    add(&w, &def[k]);
    def[k].name = NULL;
  }
  build(&w);
  return w;
}

static void resultant_and_moment_on_a_body(void) {
  plSensorDef def[1];
  World w = table(def, 1, 0);
  w.data->v[3] = 0.05, w.data->v[5] = 0.2;  // the table turns a little
  double worst_force = 0, worst_moment = 0, most = 0;
  for (int k = 0; k < 120; k++) {
    plPose before, now[1];
    pl_rigid_poses(w.data, now);
    before = pose_mul(now[0], def[0].pose);
    run(&w, 1);
    // what the contacts do to the table, about the grid's origin, where they were found
    plVec3 F = {0}, M = {0}, f, m;
    for (int i = 0; i < w.data->ncontact; i++) {
      const plContact* c = &w.data->contact[i];
      double sign = c->b.kind == PL_SIDE_SHAPE ? 1 : -1;
      plVec3 g = v3_scale(sign, c->force), r = v3_sub(c->position, before.p);
      // in the plane of the grid: the lever arm of points off the plane is not seen there
      plVec3 local = quat_rotate(quat_conj(before.q), r), lf = quat_rotate(quat_conj(before.q), g);
      local.z = 0;
      F = v3_add(F, lf), M = v3_add(M, v3_cross(local, lf));
    }
    resultant(w.data, 0, &def[0], &f, &m);
    double scale = v3_norm(F);
    most = fmax(most, scale);
    if (scale == 0) continue;
    worst_force = fmax(worst_force, v3_norm(v3_sub(f, F)) / scale);
    worst_moment = fmax(worst_moment, v3_norm(v3_sub(m, M)) / (scale * 0.15));
  }
  printf("resultant %.1e, moment %.1e, forces up to %.2g N\n", worst_force, worst_moment, most);
  CHECK_BELOW(worst_force, 1.5e-14, 1);
  CHECK_BELOW(worst_moment, 1.5e-14, 1);
  CHECK(most > 1);
  end(&w);
}

// The same contact under grids that are moved by parts of a cell.
static void moved_grids_agree(void) {
  plSensorDef def[3];
  World w = table(def, 3, 1);
  double worst = 0;
  for (int k = 0; k < 120; k++) {
    run(&w, 1);
    plVec3 f[3], m;
    for (int i = 0; i < 3; i++) resultant(w.data, i, &def[i], &f[i], &m);
    if (v3_norm(f[0]) > 0)
      for (int i = 1; i < 3; i++) worst = fmax(worst, v3_norm(v3_sub(f[i], f[0])) / v3_norm(f[0]));
  }
  printf("moved by half a cell and a cell: %.1e\n", worst);
  CHECK_BELOW(worst, 1.5e-14, 1);
  end(&w);
}

// On a deformable: resultant on a grid, and on the facets of a region with the moment in the deformed
// configuration.
static void on_a_deformable(void) {
  World w = begin((plVec3){0, 0, 0}, 0.01);
  int pad = add_block(&w, (plVec3){0.1, 0.1, 0.04}, 6, 6, 2, pose_at(0, 0, 0.02), 2e4);
  hold_below(&w, pad, -0.0199);
  plShapeDef ball = pl_default_shape_def();
  ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.03;
  add_body(&w, "ball", ball, pose_at(0.008, 0.003, 0.0701), (plVec3){0.02, 0.01, -0.05}, 100, 1);
  plSensorDef g = grid("grid", "block0", pose_at(0, 0, 0.02), 0.1, 8);
  add(&w, &g);
  plSensorDef r = pl_default_sensor_def();
  r.name = "facets", r.kind = PL_SENSOR_TAXELS, r.on = "block0", r.has_region = true;
  r.region.kind = PL_REGION_BOX, r.region.pose = pose_at(0, 0, 0.02), r.region.size = (plVec3){1, 1, 1e-3};
  add(&w, &r);
  build(&w);
  CHECK_INT(w.model->sensor[1].rows, 49);
  double worst = 0, most = 0, slip = 0, area = 0, x[49 * COLUMNS];
  for (int k = 0; k < 40; k++) {
    run(&w, 1);
    plVec3 F = {0}, f, m;
    double felt = 0;
    for (int i = 0; i < w.data->ncontact; i++) {
      const plContact* c = &w.data->contact[i];
      F = v3_madd(F, c->b.kind == PL_SIDE_DEFORMABLE ? 1 : -1, c->force);
      if (v3_dot(c->force, c->normal) > 0) felt += c->area;
    }
    double scale = v3_norm(F);
    if (scale == 0) continue;
    most = fmax(most, scale);
    resultant(w.data, 0, &g, &f, &m);
    worst = fmax(worst, v3_norm(v3_sub(f, F)) / scale);
    CHECK_INT(pl_sensor_read(w.data, 1, x), PL_OK);
    // the rows are the vertices on top, in the order of the mesh, and each has what acts on it: so the moment
    // is that of the contacts too
    double sum = 0;
    int row = 0;
    for (int i = 0; i < w.model->nvert; i++) {
      if (w.model->vert_rest[3 * i + 2] < 0.0199) continue;
      const double* t = x + COLUMNS * row++;
      plVec3 one = v3(t[1], t[2], -t[0]),
             acts = v3_load(w.data->f_constraint + w.model->deform_v0[0] + 3 * i);
      worst = fmax(worst, v3_norm(v3_sub(one, acts)) / scale);
      sum += t[4], slip = fmax(slip, t[3]);
      CHECK((t[5] == 1) == (t[4] > 0));
    }
    CHECK_INT(row, 49);
    area = fmax(area, fabs(sum - felt) / felt);
  }
  printf("grid and facets %.1e, area %.1e, up to %.2g N\n", worst, area, most);
  CHECK_BELOW(worst, 1.5e-14, 1);
  CHECK_BELOW(area, 1.5e-14, 1);
  CHECK(most > 0.5 && slip > 1e-3);
  end(&w);
}

// Axes of a grid on a deformable move with its mount; what does not touch the other side does not count.
static void mount_and_other(void) {
  World w = begin((plVec3){0, 0, -9.81}, 0.01);
  add_shape(&w, "ground", PL_SHAPE_HALF_SPACE, (plVec3){0, 0, 0}, (plVec3){0, 0, 0}, pl_default_surface());
  plPose pose = {{0, 0, 0.0501}, {0.70710678118654752, 0, 0.70710678118654752, 0}};  // z to x, x to -z
  add_block(&w, (plVec3){0.1, 0.1, 0.1}, 3, 3, 3, pose, 1e6);
  // a grid on the face of the block that is below: +x of its mesh
  plSensorDef def = grid("below", "block0",
                         (plPose){{0.05, 0, 0}, {0.70710678118654752, 0, 0.70710678118654752, 0}}, 0.1, 4);
  add(&w, &def);
  def.name = "nothing", def.other = "block0";
  add(&w, &def);
  build(&w);
  run(&w, 150);
  plVec3 f, m;
  def.other = NULL;
  resultant(w.data, 0, &def, &f, &m);
  double weight = 9.81 * pl_deformable_mass(w.data, 0);
  CHECK_NEAR(f.z, -weight, 1e-6 * weight);  // wide: the tolerance of the solve
  // pressed from below: positive pressure, along -z of the grid
  double x[4 * 7 * COLUMNS], sum = 0;
  CHECK_INT(pl_sensor_read(w.data, 0, x), PL_OK);
  for (int i = 0; i < 28; i++) sum += x[COLUMNS * i];
  CHECK_NEAR(sum, weight, 1e-6 * weight);  // wide: the tolerance of the solve
  resultant(w.data, 1, &def, &f, &m);
  CHECK_NEAR(v3_norm(f), 0, 0);
  end(&w);
}

// ---- regions of rigid surfaces

// Soft balls are thrown against a rigid body of a box and a sphere: what its facets feel is what the contacts
// do to the chosen ones, for random regions; regions that together hold every facet feel everything.
static void on_facets_of_a_rigid_body(void) {
  World w = begin((plVec3){0, 0, 0}, 0.005);
  plMesh* mesh;
  CHECK_INT(pl_mesh_sphere(0.05, 0.02, &mesh, &w.error), PL_OK);
  for (int k = 0; k < 2; k++) {
    plDeformableDef ball = pl_default_deformable_def();
    ball.name = k ? "right" : "above", ball.mesh = mesh, ball.material.young = 3e4;
    ball.pose.p = k ? v3(0.2, 0.01, 0) : v3(0.02, 0, 0.09);
    ball.velocity = k ? v3(-0.5, 0.1, 0.05) : v3(0.1, 0.05, -0.5);
    CHECK_INT(pl_spec_add_deformable(w.spec, &ball, NULL, &w.error), PL_OK);
  }
  pl_mesh_destroy(mesh);
  plShapeDef shape = pl_default_shape_def();
  shape.kind = PL_SHAPE_BOX, shape.size = (plVec3){0.2, 0.2, 0.06}, shape.surface.friction = 0.4;
  add_body(&w, "tool", shape, pose_at(0, 0, 0), (plVec3){0, 0, 0}, 1e4, 1e3);
  shape.name = "knob", shape.kind = PL_SHAPE_SPHERE, shape.radius = 0.025, shape.body = 0;
  shape.pose = pose_at(0.1, 0, 0);
  CHECK_INT(pl_spec_add_shape(w.spec, &shape, NULL, &w.error), PL_OK);
  plSensorDef def = pl_default_sensor_def();
  def.kind = PL_SENSOR_TAXELS, def.on = "tool", def.has_region = true, def.name = "all";
  add(&w, &def);
  def.name = "top", def.region.kind = PL_REGION_BOX, def.region.centre = v3(0, 0, 0.03);
  def.region.size = (plVec3){0.201, 0.201, 0.001};
  add(&w, &def);
  def.name = "knob", def.on = "knob", def.region = pl_default_region();
  add(&w, &def);
  build(&w);
  CHECK_INT(w.model->sensor[1].rows, 4);
  double worst = 0, most[3] = {0};
  for (int step = 0; step < 80; step++) {
    plPose before[1];
    pl_rigid_poses(w.data, before);
    run(&w, 1);
    plVec3 F[3] = {{0}};
    bool edge = false;
    for (int i = 0; i < w.data->ncontact; i++) {
      const plContact* c = &w.data->contact[i];
      plSide side = c->b.kind == PL_SIDE_SHAPE ? c->b : c->a;
      plVec3 f = quat_rotate(quat_conj(before[0].q), v3_scale(c->b.kind == PL_SIDE_SHAPE ? 1 : -1, c->force));
      plVec3 x = pose_apply_inverse(before[0], c->position);
      bool on_top = side.index == 0 && x.z > 0.029 && fabs(x.x) < 0.099;
      edge |= side.index == 0 && !on_top && x.z > 0.025;
      F[0] = v3_add(F[0], f);
      if (on_top) F[1] = v3_add(F[1], f);
      if (side.index == 1) F[2] = v3_add(F[2], f);
    }
    for (int id = 0; id < 3; id++) {
      double x[20000];
      plVec3 sum = {0};
      int n = w.model->sensor[id].rows;
      CHECK(COLUMNS * n <= 20000);
      CHECK_INT(pl_sensor_read(w.data, id, x), PL_OK);
      for (int i = 0; i < n; i++)
        sum = v3_add(sum, v3(x[COLUMNS * i + 1], x[COLUMNS * i + 2], -x[COLUMNS * i]));
      double scale = v3_norm(F[0]);
      most[id] = fmax(most[id], v3_norm(sum));
      // a point at an edge belongs to the facet that is nearest by rounding
      if (scale > 0 && !(id == 1 && edge)) worst = fmax(worst, v3_norm(v3_sub(sum, F[id])) / scale);
    }
  }
  printf("facets of a rigid body: %.1e, up to %.2g N, top %.2g, knob %.2g\n", worst, most[0], most[1],
         most[2]);
  CHECK_BELOW(worst, 1.5e-14, 1);
  CHECK(most[1] > 0.5 && most[2] > 0.5);
  end(&w);
}

static void rigid_regions_without_facets_are_refused(void) {
  World w = begin((plVec3){0, 0, 0}, 0.005);
  plShapeDef shape = pl_default_shape_def();
  shape.kind = PL_SHAPE_BOX, shape.size = (plVec3){0.2, 0.2, 0.06};
  add_body(&w, "tool", shape, pose_at(0, 0, 0), (plVec3){0, 0, 0}, 1, 1);
  plSensorDef def = pl_default_sensor_def();
  def.name = "skin", def.kind = PL_SENSOR_TAXELS, def.on = "tool", def.has_region = true;
  def.region.kind = PL_REGION_SPHERE, def.region.radius = 0.01;
  add(&w, &def);
  CHECK(pl_model_create(w.spec, &w.error) == NULL);
  CHECK_HAS(w.error.message, "sensor 'skin' (taxels): its region holds no complete facet of 'tool'");
  pl_spec_destroy(w.spec);
}

// A rigid body on a tilted pad whose grid has exactly the size of its upper face: corners of the patch lie on
// the border of the grid, and a little outside where the surfaces are tilted to each other. The touch sensor
// has the pad itself as its region. Body and pad have different sizes, stiffnesses and loads.
static void whole_faces(void) {
  plRandom r = {3};
  double worst = 0, worst_touch = 0;
  for (int i = 0; i < 60; i++) {
    double tilt = pl_random(&r, 0, 0.3);
    World w = begin((plVec3){9.81 * sin(tilt), 0, -9.81 * cos(tilt)}, 0.005);
    plVec3 size = {0, 0, 0.02};
    size.x = pl_random(&r, 0.02, 0.06), size.y = pl_random(&r, 0.02, 0.06);
    plSurface surface = pl_default_surface();
    if (i % 3) surface.contact_stiffness = pow(10, pl_random(&r, 6, 9));
    plShapeDef pad = pl_default_shape_def(), body = pl_default_shape_def();
    pad.kind = PL_SHAPE_BOX, pad.size = size, pad.surface = surface;
    plBodyDef base = pl_default_body_def();
    base.name = "base", base.mass = base.inertia[0] = base.inertia[1] = base.inertia[2] = 1;
    CHECK_INT(pl_spec_add_body(w.spec, &base, &pad.body, &w.error), PL_OK);
    plJointDef joint = pl_default_joint_def();
    joint.name = "joint", joint.child = pad.body, joint.locked = true;
    CHECK_INT(pl_spec_add_joint(w.spec, &joint, NULL, &w.error), PL_OK);
    pad.name = "pad";
    CHECK_INT(pl_spec_add_shape(w.spec, &pad, NULL, &w.error), PL_OK);
    body.kind = i % 2 ? PL_SHAPE_BOX : PL_SHAPE_CYLINDER, body.surface = surface;
    double side = pl_random(&r, 0.02, 0.06), x = pl_random(&r, -0.005, 0.005);
    body.size = (plVec3){side, pl_random(&r, 0.02, 0.06), 0.02}, body.radius = side / 2, body.length = 0.02;
    add_body(&w, "body", body, pose_at(x, 0.003, 0.0201), (plVec3){0, 0, 0}, pl_random(&r, 0.1, 5), 1e-4);
    plSensorDef def = grid("grid", "pad", pose_at(0, 0, 0.01), 1, 4);
    def.size[0] = size.x, def.size[1] = size.y;
    add(&w, &def);
    plSensorDef touch = pl_default_sensor_def();
    touch.name = "touch", touch.kind = PL_SENSOR_TOUCH, touch.on = "base";
    touch.has_region = true, touch.region.kind = PL_REGION_BOX, touch.region.size = size;
    add(&w, &touch);
    build(&w);
    for (int step = 0; step < 100; step++) {
      run(&w, 1);
      plContactPair pair;
      plSide one = {PL_SIDE_SHAPE, 0}, other = {PL_SIDE_SHAPE, 1};
      pl_contact_pair(w.data, other, one, &pair);
      plVec3 force, moment;
      resultant(w.data, 0, &def, &force, &moment);
      double read;
      CHECK_INT(pl_sensor_read(w.data, 1, &read), PL_OK);
      worst = fmax(worst, v3_norm(v3_sub(force, pair.force)) / (1e-9 + v3_norm(pair.force)));
      worst_touch = fmax(worst_touch, fabs(read - pair.normal_force) / (1e-9 + pair.normal_force));
    }
    end(&w);
  }
  printf("60 bodies on pads: taxels miss %.2g of the force, touch %.2g\n", worst, worst_touch);
  CHECK_ROUND(worst, 0, 1);
  CHECK_ROUND(worst_touch, 0, 1);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(resultant_and_moment_on_a_body);
  RUN(moved_grids_agree);
  RUN(on_a_deformable);
  RUN(mount_and_other);
  RUN(whole_faces);
  RUN(on_facets_of_a_rigid_body);
  RUN(rigid_regions_without_facets_are_refused);
  return CHECK_END;
}

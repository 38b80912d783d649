// Meshes that are declared convex: they touch as their hulls, in every file format; rigid on rigid and rigid
// on soft.
#include "input/robots.h"
#include "pliant/dynamics.h"
#include "world.h"
#include "model/side.h"

static const plVec3 down = {0, 0, -9.81}, nowhere = {0, 0, 0};

// An L of three cubes of 0.1 m, seen along y; its hull has the corners of the pentagon (0 0), (0.2 0), (0.2
// 0.1), (0.1 0.2), (0 0.2).
static const double corner[12] = {0, 0, 0.2, 0, 0.2, 0.1, 0.1, 0.1, 0.1, 0.2, 0, 0.2};

static plMesh* ell(void) {
  static const int cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  plMesh* m = pl_mesh_create(12, 0, 20, NULL);
  for (int i = 0; i < 12; i++)
    m->vert[3 * i] = corner[2 * (i % 6)], m->vert[3 * i + 1] = i < 6 ? -0.05 : 0.05,
                m->vert[3 * i + 2] = corner[2 * (i % 6) + 1];
  int t = 0;
  for (int k = 0; k < 4; k++) {
    for (int j = 0; j < 3; j++) m->tri[3 * t + j] = cap[k][j];
    t++;
    for (int j = 0; j < 3; j++) m->tri[3 * t + j] = 6 + cap[k][2 - j];
    t++;
  }
  for (int i = 0; i < 6; i++) {
    int j = (i + 1) % 6, side[6] = {i, 6 + j, j, i, 6 + i, 6 + j};
    for (int k = 0; k < 6; k++) m->tri[3 * t + k] = side[k];
    t += 2;
  }
  return m;
}

// A ball put into the notch falls to its bottom; on the hull it lies on the slope that closes the notch, and
// rolls off.
static void a_notch_is_filled_by_the_hull(void) {
  for (int convex = 0; convex < 2; convex++) {
    World w = begin(down, 0.01);
    plMesh* mesh = ell();
    plShapeDef g = pl_default_shape_def(), ball = g;
    g.name = "ell", g.kind = PL_SHAPE_MESH, g.mesh = mesh, g.convex = convex;
    CHECK_INT(pl_spec_add_shape(w.spec, &g, NULL, &w.error), PL_OK);
    ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.03;
    int id = add_body(&w, "ball", ball, pose_at(0.15, 0, 0.2), nowhere, 1, 4e-4);
    build(&w);
    CHECK_INT(w.model->shape_convex[0], convex);
    run(&w, convex ? 15 : 100);
    plRigidState s;
    pl_rigid_body_state(w.data, id, &s);
    // Above the slope x + z = 0.3 by the radius, or at the bottom of the notch.
    if (convex)
      CHECK_NEAR((s.com.x + s.com.z - 0.3) / sqrt(2), 0.03, 1.6e-4);
    else
      CHECK_NEAR(s.com.z, 0.13, 2.3e-4);
    end(&w), pl_mesh_destroy(mesh);
  }
}

// Prisms of 6, 8 and 20 sides, their caps triangulated by the hull, stand on each other for 2 s.
static void hulls_stand_on_each_other(void) {
  World w = begin(down, 0.01);
  int id[3], sides[3] = {6, 8, 20};
  plMesh* mesh[3];
  for (int k = 0; k < 3; k++) {
    mesh[k] = pl_mesh_create(2 * sides[k], 0, 1, NULL);
    for (int i = 0; i < 2 * sides[k]; i++) {
      double a = 2 * M_PI * (i / 2) / sides[k], r = 0.05 + 0.01 * k;
      mesh[k]->vert[3 * i] = r * cos(a), mesh[k]->vert[3 * i + 1] = r * sin(a),
                        mesh[k]->vert[3 * i + 2] = i % 2 ? 0.03 : -0.03;
    }
    for (int j = 0; j < 3; j++)
      mesh[k]->tri[j] = j;  // one triangle is enough of a surface: only the vertices count
    plShapeDef g = pl_default_shape_def();
    g.kind = PL_SHAPE_MESH, g.mesh = mesh[k], g.convex = true, g.surface.friction = 0.5;
    char name[8] = {'p', (char)('0' + k), 0};
    id[k] = add_body(&w, name, g, pose_at(0.005 * k, 0, 0.03 + 0.06 * k), nowhere, 1, 2e-3);
  }
  add_shape(&w, "ground", PL_SHAPE_BOX, v3(1, 1, 0.2), v3(0, 0, -0.1), pl_default_surface());
  build(&w);
  int most = run_most(&w, 200);
  for (int k = 0; k < 3; k++) {
    plRigidState s;
    pl_rigid_body_state(w.data, id[k], &s);
    CHECK_NEAR(s.com.x, 0.005 * k, 1.8e-4);
    CHECK_NEAR(s.com.z, 0.03 + 0.06 * k, 3e-4);
    CHECK_BELOW(v3_norm(s.com_velocity), 3.4e-7, 1);
  }
  CHECK(most < 30);
  end(&w);
  for (int k = 0; k < 3; k++) pl_mesh_destroy(mesh[k]);
}

// A soft block on the flat top of a hull weighs what it weighs; facets of the hull are known.
static void a_soft_block_lies_on_a_hull(void) {
  World w = begin(down, 0.01);
  plMesh* mesh = ell();
  plShapeDef g = pl_default_shape_def();
  g.name = "table", g.kind = PL_SHAPE_MESH, g.mesh = mesh, g.convex = true;
  g.pose = (plPose){{0, 0, 0}, quat_from_axis_angle(v3(1, 0, 0), M_PI)};  // upside down: the long side on top
  CHECK_INT(pl_spec_add_shape(w.spec, &g, NULL, &w.error), PL_OK);
  int block = add_block(&w, v3(0.06, 0.06, 0.06), 2, 2, 2, pose_at(0.1, 0, 0.03), 1e6);
  build(&w);
  run(&w, 60);
  plContactPair pair;
  double weight = 1000 * 0.06 * 0.06 * 0.06 * 9.81;
  pl_contact_pair(w.data, pl_side_of_number(w.data->model, block), pl_side_of_number(w.data->model, 1),
                  &pair);
  CHECK_NEAR(pair.force.z, -weight, 3.1e-9 * weight);
  CHECK_NEAR(pair.area, 0.0036, 1.3e-4 * 0.0036);
  for (int i = 0; i < w.data->ncontact; i++)
    CHECK(w.data->contact[i].tri_b >= 0 && w.data->contact[i].tri_b < 16);
  end(&w), pl_mesh_destroy(mesh);
}

// Points in a plane have no hull: the spec reports an error with the name and the reason.
static void flat_meshes_are_refused(void) {
  World w = begin(down, 0.01);
  plMesh* mesh = ell();
  for (int i = 0; i < mesh->nvert; i++) mesh->vert[3 * i + 1] = 0;
  plShapeDef g = pl_default_shape_def();
  g.name = "sheet", g.kind = PL_SHAPE_MESH, g.mesh = mesh, g.convex = true;
  CHECK_INT(pl_spec_add_shape(w.spec, &g, NULL, &w.error), PL_ERROR_INPUT);
  CHECK_HAS(w.error.message, "the convex mesh 'sheet': all 12 points lie in a plane");
  pl_spec_destroy(w.spec), pl_mesh_destroy(mesh);
}

// ---- files

static void write_obj(const char* path, const plMesh* mesh) {
  FILE* f = fopen(path, "w");
  for (int i = 0; i < mesh->nvert; i++)
    fprintf(f, "v %.17g %.17g %.17g\n", mesh->vert[3 * i], mesh->vert[3 * i + 1], mesh->vert[3 * i + 2]);
  for (int t = 0; t < mesh->ntri; t++)
    fprintf(f, "f %d %d %d\n", mesh->tri[3 * t] + 1, mesh->tri[3 * t + 1] + 1, mesh->tri[3 * t + 2] + 1);
  fclose(f);
}

static void every_format_declares_hulls(void) {
  const char *solid = PLIANT_BINARYDIR "/test/hull_ell.obj", *flat = PLIANT_BINARYDIR "/test/hull_flat.obj";
  plMesh* mesh = ell();
  write_obj(solid, mesh);
  for (int i = 0; i < mesh->nvert; i++) mesh->vert[3 * i + 1] = 0;
  write_obj(flat, mesh);
  pl_mesh_destroy(mesh);
  static const char* const format[3][2] = {
      {"r.urdf",
       "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
       "iyz='0' izz='1'/></inertial>\n"
       "<visual><geometry><mesh filename='%s'><drake:declare_convex/></mesh></geometry></visual>\n"
       "<collision><geometry><mesh "
       "filename='%s'><drake:declare_convex/></mesh></geometry></collision></link></robot>"},
      {"r.sdf",
       "<sdf version='1.7'><model name='r'><link name='a'><visual "
       "name='v'><geometry><mesh><uri>%s</uri><drake:declare_convex/></mesh></geometry></visual>\n"
       "<collision "
       "name='c'><geometry><mesh><uri>%s</uri><drake:declare_convex/></mesh></geometry></collision></link></"
       "model></sdf>"},
      {"r.xml",
       "<mujoco model='r'><asset><mesh name='v' file='%s'/><mesh name='c' "
       "file='%s'/></asset><worldbody><body><freejoint/><inertial pos='0 0 0' mass='1' "
       "diaginertia='1 1 1'/>\n<geom type='mesh' mesh='v' contype='0' conaffinity='0'/><geom type='mesh' "
       "mesh='c'/></body></worldbody></mujoco>"}};
  for (int k = 0; k < 3; k++) {
    char text[4000];
    snprintf(text, sizeof text, format[k][1], solid, solid);
    plSpec* spec = good_spec(format[k][0], text, pl_default_robot_def());
    CHECK_INT(pl_spec_shape_count(spec), 2);
    for (int g = 0; g < 2; g++) CHECK_INT(pl_spec_shape(spec, g)->convex, pl_spec_shape(spec, g)->collide);
    CHECK(!strstr(robot_warnings, "hull"));
    pl_spec_destroy(spec);
    // A mesh without volume is used as it is, with a warning.
    snprintf(text, sizeof text, format[k][1], solid, flat);
    spec = good_spec(format[k][0], text, pl_default_robot_def());
    for (int g = 0; g < pl_spec_shape_count(spec); g++) CHECK_INT(pl_spec_shape(spec, g)->convex, false);
    CHECK_HAS(robot_warnings, "not as its convex hull: all 12 points lie in a plane");
    pl_spec_destroy(spec);
  }
  char text[2000];
  plSpec* spec = NULL;
  plError error;
  snprintf(text, sizeof text, "pliant: 1\nshapes:\n  - {name: e, mesh: %s, convex: true}\n", solid);
  CHECK_INT(pl_spec_parse("s", ".", text, strlen(text), NULL, &spec, &error), PL_OK);
  CHECK(pl_spec_shape(spec, 0)->convex);
  pl_spec_destroy(spec);
  snprintf(text, sizeof text, "pliant: 1\nshapes:\n  - {name: e, mesh: %s, convex: true}\n", flat);
  CHECK_INT(pl_spec_parse("s", ".", text, strlen(text), NULL, &spec, &error), PL_ERROR_INPUT);
  CHECK(error.line == 3);
  snprintf(text, sizeof text, "pliant: 1\nshapes:\n  - {name: e, shape: sphere, radius: 1, convex: true}\n");
  CHECK_INT(pl_spec_parse("s", ".", text, strlen(text), NULL, &spec, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "'convex' does not apply to the shape sphere");
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(a_notch_is_filled_by_the_hull);
  RUN(hulls_stand_on_each_other);
  RUN(a_soft_block_lies_on_a_hull);
  RUN(flat_meshes_are_refused);
  RUN(every_format_declares_hulls);
  return CHECK_END;
}

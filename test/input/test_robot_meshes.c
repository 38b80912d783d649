// test_robot_meshes.c: mesh files that robots name: hulls or the mesh itself, scales of one number, COLLADA
// with its unit and colours, and MuJoCo's soft body from a Gmsh file.
#include <sys/stat.h>

#include "input/collada_seeds.h"
#include "input/robots.h"

#define FOLDER PLIANT_BINARYDIR "/test/robot_meshes"

static void write_file(const char* path, const char* text) {
  mkdir(FOLDER, 0755);
  FILE* file = fopen(path, "w");
  CHECK(file != NULL);
  if (!file) return;
  fputs(text, file);
  fclose(file);
}

// A robot of one link with a mesh for contact and for drawing.
static plSpec* link_with(const char* mesh, const char* scale, plMeshMode mode) {
  char text[1000];
  snprintf(text, sizeof text,
           "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
           "izz='1'/></inertial>"
           "<collision><geometry><mesh filename='%s' %s/></geometry></collision>"
           "<visual><geometry><mesh filename='%s' %s/></geometry></visual></link></robot>",
           mesh, scale, mesh, scale);
  write_file(FOLDER "/r.urdf", text);
  plRobotDef def = pl_default_robot_def();
  def.file = FOLDER "/r.urdf", def.meshes = mode;
  plLoadOptions options = robot_options();
  plError error;
  plSpec* spec = pl_spec_create();
  robot_warning_count = 0, robot_warnings[0] = 0;
  CHECK_INT(pl_spec_add_robot(spec, &def, &options, &error), PL_OK);
  return spec;
}

static double volume_of(const plMesh* mesh) {
  plMeshReport report;
  plError error;
  CHECK_INT(pl_mesh_check(mesh, &report, &error), PL_OK);
  return report.volume;
}

// A step of two boxes: 3 of the 4 quarters of a square of side 2, 1 thick.
static const char corner_obj[] =
    "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n"
    "v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
    "f 1 4 2\nf 2 4 3\nf 1 6 4\nf 4 6 5\nf 7 8 10\nf 8 9 10\nf 7 10 12\nf 10 11 12\n"
    "f 1 2 8\nf 1 8 7\nf 2 3 9\nf 2 9 8\nf 3 4 10\nf 3 10 9\nf 4 5 11\nf 4 11 10\nf 5 6 12\nf 5 12 11\n"
    "f 6 1 7\nf 6 7 12\n";

static void collision_meshes_are_hulls_unless_exact(void) {
  write_file(FOLDER "/corner.obj", corner_obj);
  static const struct {
    const char* scale;
    double factor;
    int remarks;
  } table[] = {{"", 1, 0}, {"scale='2'", 2, 0}, {"scale='2 2 2'", 2, 0}, {"scale='2 2'", 2, 1}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    for (int exact = 0; exact < 2; exact++) {
      plSpec* spec = link_with("corner.obj", table[i].scale, exact ? PL_MESHES_EXACT : PL_MESHES_CONVEX);
      CHECK_INT(pl_spec_shape_count(spec), 2);
      for (int k = 0; k < 2; k++) {
        const plShapeDef* g = pl_spec_shape(spec, k);
        CHECK_INT(g->kind, PL_SHAPE_MESH);
        CHECK_INT(g->convex, g->collide && !exact);
        CHECK_ROUND(volume_of(g->mesh), (g->convex ? 3.5 : 3) * pow(table[i].factor, 3), 30);
      }
      CHECK_INT(robot_warning_count, table[i].remarks);
      pl_spec_destroy(spec);
    }
}

// Centimetres, a mirror and two scales among the nodes: the corner of a cube of side 1 m. <up_axis> is not
// followed. What is drawn is one shape for each colour: two triangles have the file's, two the robot's.
static void collada_has_its_unit_and_colours(void) {
  write_file(FOLDER "/tree.dae", collada_tree);
  plSpec* spec = link_with("tree.dae", "", PL_MESHES_EXACT);
  const plVec3 orange = {1, 128 / 255.0, 0};
  int triangles[2] = {0, 0};
  CHECK_INT(pl_spec_shape_count(spec), 3);
  for (int k = 0; k < pl_spec_shape_count(spec); k++) {
    const plShapeDef* g = pl_spec_shape(spec, k);
    plVec3 high = v3_load(g->mesh->vert);
    for (int i = 0; i < g->mesh->nvert; i++) {
      plVec3 x = v3_load(g->mesh->vert + 3 * i);
      high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    CHECK_ROUND(v3_norm(v3_sub(high, v3(1, 1, 1))), 0, 1);
    if (g->collide)
      CHECK_ROUND(volume_of(g->mesh), 1.0 / 6, 0.2);
    else
      triangles[v3_norm(v3_sub(g->colour, orange)) < 1e-9] += g->mesh->ntri;
  }
  CHECK_INT(triangles[0], 2);
  CHECK_INT(triangles[1], 2);
  pl_spec_destroy(spec);
}

// Two tetrahedra of a Gmsh file, scaled, one vertex pinned: MuJoCo's flexcomp of type gmsh.
static void a_flexcomp_reads_gmsh(void) {
  write_file(FOLDER "/soft.msh",
             "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n"
             "0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n"
             "$Elements\n1 2 1 2\n3 1 4 2\n1 1 2 3 4\n2 2 3 4 5\n$EndElements\n");
  write_file(
      FOLDER "/soft.xml",
      "<mujoco><worldbody><flexcomp name='f' type='gmsh' dim='3' file='soft.msh' scale='.1 .1 .1' mass='2' "
      "pos='0 0 3'><elasticity young='1e5' poisson='0.3'/><pin id='0'/></flexcomp></worldbody></mujoco>");
  plRobotDef def = pl_default_robot_def();
  def.file = FOLDER "/soft.xml";
  plLoadOptions options = robot_options();
  plError error = {0};
  plSpec* spec = pl_spec_create();
  CHECK_INT(pl_spec_add_robot(spec, &def, &options, &error), PL_OK);
  plData* data = data_of(spec);
  plBodyState state;
  CHECK_INT(data->model->ndeform, 1);
  CHECK_INT(data->model->nq, 15);
  CHECK_INT(pl_deformable_state(data, 0, &state), PL_OK);
  CHECK_ROUND(state.mass, 2, 2);
  CHECK_INT(pl_step(data, &error), PL_OK);
  CHECK(data->v[2] == 0 && data->v[5] < 0);
  CHECK_ROUND(data->model->vert_rest[3 + 0] - data->model->vert_rest[0], 0.1, 0.1);
  free_data(data);
}

static const char soft_xml[] =
    "<mujoco><worldbody><body><geom size='1'/></body><flexcomp name='f' type='gmsh' dim='3' file='%s' "
    "mass='2'>"
    "<elasticity young='1e5' poisson='0.3'/></flexcomp></worldbody></mujoco>";
static const char soft_sdf[] =
    "<sdf version='1.9'><model name='m'><link name='f'><collision "
    "name='c'><geometry><mesh><uri>%s</uri></mesh>"
    "</geometry></collision><drake:deformable_properties/></link><link name='b'/></model></sdf>";

// Loads a file with a mesh of that name.
static plStatus load_with(const char* ending, const char* format, const char* mesh, plLoadOptions options,
                          plSpec** spec, plError* error) {
  char text[1000], path[300];
  snprintf(text, sizeof text, format, mesh), snprintf(path, sizeof path, FOLDER "/with.%s", ending);
  write_file(path, text);
  plRobotDef def = pl_default_robot_def();
  def.file = path;
  *spec = pl_spec_create();
  plStatus status = pl_spec_add_robot(*spec, &def, &options, error);
  if (status) printf("%s: %s\n", ending, error->message);
  return status;
}

// Soft bodies of robot files: what their meshes lose is a remark, a mesh that is not there an error unless it
// may be left out, and the limit of mesh files holds.
static void meshes_of_soft_bodies_follow_the_rules_of_scenes(void) {
  static const struct { const char *ending, *format; } file[] = {{"xml", soft_xml}, {"sdf", soft_sdf}};
  write_file(FOLDER "/loose.vtk",
             "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 7 double\n"
             "0 0 0 1 0 0 0 1 0 0 0 1 5 0 0 6 0 0 5 1 0\nCELLS 2 9\n4 0 1 2 3\n3 4 5 6\n"
             "CELL_TYPES 2\n10\n5\n");
  write_file(FOLDER "/second.vtk",
             "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 double\n"
             "0 0 0 1 0 0 0 1 0 0 0 1 .5 0 0 .5 .5 0 0 .5 0 0 0 .5 .5 0 .5 0 .5 .5\nCELLS 1 11\n"
             "10 0 1 2 3 4 5 6 7 8 9\nCELL_TYPES 1\n24\n");
  write_file(FOLDER "/two.vtk",
             "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n"
             "0 0 0 1 0 0 0 1 0 0 0 1 0 0 -1\nCELLS 2 10\n4 0 1 2 3\n4 0 2 1 4\nCELL_TYPES 2\n10\n10\n");
  for (int k = 0; k < 2; k++) {
    plSpec* spec;
    plError error = {0};
    plLoadOptions options = robot_options();
    CHECK_INT(load_with(file[k].ending, file[k].format, "loose.vtk", options, &spec, &error), PL_OK);
    CHECK_HAS(robot_warnings, "Dropped 1 triangle that is not a face of a tetrahedron");
    pl_spec_destroy(spec);
    options = robot_options();
    CHECK_INT(load_with(file[k].ending, file[k].format, "second.vtk", options, &spec, &error), PL_OK);
    CHECK_HAS(robot_warnings, "1 elements of second or higher order are read by their corners");
    pl_spec_destroy(spec);
    options = robot_options(), options.max_tets = 1;
    CHECK_INT(load_with(file[k].ending, file[k].format, "second.vtk", options, &spec, &error), PL_OK);
    pl_spec_destroy(spec);
    CHECK_INT(load_with(file[k].ending, file[k].format, "two.vtk", options, &spec, &error),
              PL_ERROR_TOO_LARGE);
    pl_spec_destroy(spec);
    options = robot_options(), options.max_mesh_bytes = 20;
    CHECK_INT(load_with(file[k].ending, file[k].format, "loose.vtk", options, &spec, &error),
              PL_ERROR_TOO_LARGE);
    pl_spec_destroy(spec);
    options = robot_options();
    CHECK_INT(load_with(file[k].ending, file[k].format, "nowhere.vtk", options, &spec, &error), PL_OK);
    CHECK_HAS(robot_warnings, "left out");
    pl_spec_destroy(spec);
    options.ignore_missing_meshes = false;
    CHECK_INT(load_with(file[k].ending, file[k].format, "nowhere.vtk", options, &spec, &error),
              PL_ERROR_INPUT);
    CHECK_HAS(error.message, "missing_meshes");
    pl_spec_destroy(spec);
  }
}

// A ball of a link has its limit before it is made; robots and deformables of a scene count together.
static void tetrahedra_of_robots_count(void) {
  static const char ball[] =
      "<sdf version='1.9'><model name='m'><link name='f'><collision "
      "name='c'><geometry><sphere><radius>%s</radius>"
      "</sphere></geometry><drake:proximity_properties><drake:mesh_resolution_hint>0.1"
      "</drake:mesh_resolution_hint></drake:proximity_properties></collision><drake:deformable_properties/>"
      "</link></model></sdf>";
  plSpec* spec;
  plError error = {0};
  plLoadOptions options = robot_options();
  CHECK_INT(load_with("sdf", ball, "5.1", options, &spec, &error), PL_ERROR_TOO_LARGE);
  CHECK_HAS(error.message, "coarser");
  pl_spec_destroy(spec);
  CHECK_INT(load_with("sdf", ball, "0.2", options, &spec, &error), PL_OK);
  int most = pl_spec_deformable(spec, 0)->mesh->ntet;
  pl_spec_destroy(spec);
  for (int last = 0; last < 2; last++) {
    char text[600];
    const char *robot = "robots: [{name: r, file: with.sdf}]\n",
               *body = "deformables: [{name: b, shape: box, size: [1, 1, 1], cells: [1, 1, 1]}]\n";
    snprintf(text, sizeof text, "pliant: 1\n%s%s", last ? body : robot, last ? robot : body);
    for (int more = 0; more < 7; more += 3) {
      options.max_tets = most + more;
      plStatus status = pl_spec_parse("a.yaml", FOLDER, text, strlen(text), &options, &spec, &error);
      if (status) printf("%s\n", error.message);
      CHECK_INT(status, more < 6 ? PL_ERROR_TOO_LARGE : PL_OK);
      pl_spec_destroy(spec);
    }
  }
}

// The surface of a collision mesh with tetrahedra is their boundary, with a remark on what was read by its
// corners.
static void a_shape_of_tetrahedra_has_their_boundary(void) {
  static const char* const name[] = {"loose.vtk", "second.vtk"};
  for (int k = 0; k < 2; k++) {
    plSpec* spec = link_with(name[k], "", PL_MESHES_EXACT);
    CHECK_INT(pl_spec_shape(spec, 0)->mesh->ntri, 4);
    CHECK_ROUND(volume_of(pl_spec_shape(spec, 0)->mesh), 1.0 / 6, 1);
    if (k) CHECK_HAS(robot_warnings, "read by their corners");
    pl_spec_destroy(spec);
  }
}

// A vertex that no tetrahedron uses is dropped; pins name the vertices of the file.
static void pins_name_the_vertices_of_the_file(void) {
  for (int unused = 0; unused < 5; unused++) {
    char text[2000] = "", path[300];
    static const char* const place[4] = {"0 0 0", "1 0 0", "0 1 0", "0 0 1"};
    int tag[4], n = 0;
    snprintf(text, sizeof text,
             "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n");
    for (int v = 0; v < 5; v++) {
      if (v != unused) tag[n] = v + 1;
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n",
               v == unused ? "0.2 0.2 0.2" : place[n++]);
    }
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 %d %d %d %d\n$EndElements\n", tag[0], tag[1], tag[2],
             tag[3]);
    write_file(FOLDER "/soft.msh", text);
    snprintf(text, sizeof text,
             "<mujoco><worldbody><flexcomp name='f' type='gmsh' dim='3' file='soft.msh' mass='2'>"
             "<elasticity young='1e5' poisson='0.3'/><pin id='%d %d'/></flexcomp></worldbody></mujoco>",
             tag[3] - 1, unused);
    snprintf(path, sizeof path, FOLDER "/soft_%d.xml", unused);
    write_file(path, text);
    plRobotDef def = pl_default_robot_def();
    def.file = path;
    plLoadOptions options = robot_options();
    plError error = {0};
    plSpec* spec = pl_spec_create();
    CHECK_INT(pl_spec_add_robot(spec, &def, &options, &error), PL_OK);
    plData* data = data_of(spec);
    CHECK_INT(data->model->nvert, 4);
    for (int v = 0; v < 4; v++) CHECK_INT(data->model->vert_fixed[v] != 0, v == 3);
    free_data(data);
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(collision_meshes_are_hulls_unless_exact);
  RUN(collada_has_its_unit_and_colours);
  RUN(a_flexcomp_reads_gmsh);
  RUN(meshes_of_soft_bodies_follow_the_rules_of_scenes);
  RUN(tetrahedra_of_robots_count);
  RUN(a_shape_of_tetrahedra_has_their_boundary);
  RUN(pins_name_the_vertices_of_the_file);
  return CHECK_END;
}

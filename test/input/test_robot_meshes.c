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
  RUN(pins_name_the_vertices_of_the_file);
  return CHECK_END;
}

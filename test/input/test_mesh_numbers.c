// test_mesh_numbers.c: scenes name vertices as the mesh file counts them, in every format, whatever the
// repair of the mesh drops.
//
// A member is a mesh of one or two boxes (whose common face has its vertices twice), its vertices in random
// order between vertices that no element uses, some of them at the position of one that is used.
#include <unistd.h>

#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "geom/mesh.h"
#include "math/random_vec3.h"
#include "model/spec.h"
#include "robots.h"

static plError error;
static const char* const formats[] = {"n.vtk", "n.vtu", "n.msh", "n.mesh", "n.node", "second.msh"};
enum { FORMATS = 6, SECOND = 5, NAMED = 5 };

typedef struct Member {
  plMesh* mesh;  // as in the file
  bool* used;    // [nvert] is a corner of a tetrahedron
} Member;

static void free_member(Member* m) {
  pl_mesh_destroy(m->mesh);
  free(m->used);
}

// The mesh as it is written; middle: with six vertices more for each tetrahedron, in the middles of its
// edges.
static Member draw(plRandom* r, bool middle) {
  plMesh* box = NULL;
  plVec3 size = v3_random(r, 0.1, 0.2);
  CHECK_INT(pl_mesh_box_cells(size, 1 + pl_random_int(r, 2), 1, 1, &box, &error), PL_OK);
  int boxes = 1 + pl_random_int(r, 2), more = pl_random_int(r, 8), n = boxes * box->nvert,
      ntet = boxes * box->ntet, all = n + more + (middle ? 6 * ntet : 0);
  Member m = {pl_mesh_create(all, ntet, 0, &error), calloc((size_t)all, 1)};
  int* place = calloc((size_t)all, sizeof *place);
  for (int i = 0; i < all; i++) place[i] = i;
  for (int i = all - 1; i > 0; i--) {
    int k = pl_random_int(r, i + 1), old = place[i];
    place[i] = place[k], place[k] = old;
  }
  for (int i = 0; i < n; i++) {
    plVec3 x = v3_add(pl_mesh_vertex(box, i % box->nvert), v3(size.x * (i / box->nvert), 0, 0));
    v3_store(m.mesh->vert + 3 * place[i], x);
    m.used[place[i]] = true;
  }
  for (int t = 0; t < ntet; t++)
    for (int a = 0; a < 4; a++)
      m.mesh->tet[4 * t + a] = place[box->tet[4 * (t % box->ntet) + a] + t / box->ntet * box->nvert];
  for (int i = n; i < all; i++) {
    plVec3 x = v3_random(r, -1, 1);
    if (i < n + more && pl_random_int(r, 2)) x = pl_mesh_vertex(m.mesh, place[pl_random_int(r, n)]);
    int e = i - n - more;
    const int* v = m.mesh->tet + 4 * (e > 0 ? e / 6 : 0);
    if (e >= 0)
      x = v3_scale(0.5, v3_add(pl_mesh_vertex(m.mesh, v[pl_tet_edge[e % 6][0]]),
                               pl_mesh_vertex(m.mesh, v[pl_tet_edge[e % 6][1]])));
    v3_store(m.mesh->vert + 3 * place[i], x);
  }
  // in the file the middles have Gmsh's order
  if (middle) {
    FILE* file = fopen("second.msh", "w");
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", all);
    for (int i = 0; i < all; i++)  // tags with gaps do not count
      fprintf(file, "%d %.17g %.17g %.17g\n", 3 * i + 7, m.mesh->vert[3 * i], m.mesh->vert[3 * i + 1],
              m.mesh->vert[3 * i + 2]);
    fprintf(file, "$EndNodes\n$Elements\n%d\n", ntet);
    static const int gmsh[6] = {0, 3, 1, 2, 5, 4};  // edges 01 12 02 03 23 13
    for (int t = 0; t < ntet; t++) {
      fprintf(file, "%d 11 2 0 1", t + 1);
      for (int a = 0; a < 4; a++) fprintf(file, " %d", 3 * m.mesh->tet[4 * t + a] + 7);
      for (int e = 0; e < 6; e++) fprintf(file, " %d", 3 * place[n + more + 6 * t + gmsh[e]] + 7);
      fprintf(file, "\n");
    }
    fprintf(file, "$EndElements\n");
    fclose(file);
  }
  free(place);
  pl_mesh_destroy(box);
  return m;
}

static plSpec* scene_of(const char* file, const char* element, const char* list) {
  char text[2000];
  snprintf(text, sizeof text,
           "pliant: 1\n\ndeformables:\n  - {name: b, mesh: %s, material: "
           "{element: %s},\n"
           "     fixed: [{region: {indices: [%s]}, components: z}],\n"
           "     loads: [{region: {indices: [%s]}, kind: vertex, vector: [1, 0, 0]}]}\n"
           "attachments: [{name: a, deformable: b, region: {indices: [%s]}}]\n"
           "sensors: [{name: s, kind: markers, on: b, region: {indices: [%s]}}]\n",
           file, element, list, list, list, list);
  plSpec* spec = NULL;
  plLoadOptions options = robot_options();
  pl_spec_parse("s.yaml", ".", text, strlen(text), &options, &spec, &error);
  return spec;
}

static void check_list(const Member* m, const plMesh* mesh, const int* index, int n, const bool* named) {
  int count = 0;
  for (int i = 0; i < m->mesh->nvert; i++) count += named[i];
  CHECK_INT(n, count);
  for (int i = 0; i < n; i++) {
    int number = pl_mesh_number(mesh, index[i]);
    CHECK(named[number] &&
          !memcmp(mesh->vert + 3 * index[i], m->mesh->vert + 3 * number, 3 * sizeof(double)));
  }
}

// A region, wherever it stands, holds the vertices that have these numbers in the file.
static void check_regions(const Member* m, const plSpec* spec, const bool* named) {
  const plMesh* mesh = spec->deform[0].mesh;
  const plRegion* regions[] = {&spec->fix[0].region, &spec->load[0].region, &spec->attach[0].region,
                               &spec->sensor[0].region};
  for (int k = 0; k < 4; k++) check_list(m, mesh, regions[k]->index, regions[k]->nindex, named);
}

// So does the compiled model, and a signal; also after the spec was bytes.
static void check_model(const Member* m, plSpec* spec, const bool* named) {
  size_t size = pl_spec_size(spec);
  void* bytes = malloc(size);
  plSpec* again = NULL;
  CHECK_INT(pl_spec_write(spec, bytes, size, &error), PL_OK);
  CHECK_INT(pl_spec_read(bytes, size, &again, &error), PL_OK);
  free(bytes);
  plData* data = data_of(again);
  const plModel* model = data->model;
  for (int i = 0; i < model->nvert; i++) {
    int number = model->vert_number[i];
    CHECK(number < m->mesh->nvert && m->used[number]);
    CHECK(!memcmp(model->vert_rest + 3 * i, m->mesh->vert + 3 * number, 3 * sizeof(double)));
    CHECK_INT(model->vert_fixed[i] & PL_FIX_Z, named[number] ? PL_FIX_Z : 0);
  }
  for (int number = 0; number < m->mesh->nvert; number++) {
    char text[40];
    double row[1] = {0};
    plSignals* signals = NULL;
    snprintf(text, sizeof text, "b.vertex(%d).x", number);
    plStatus status = pl_signals_create(model, text, &signals, &error);
    CHECK_INT(status, m->used[number] ? PL_OK : PL_ERROR_INPUT);
    if (status) continue;
    CHECK_STR(pl_signals_name(signals, 0), text);
    CHECK_INT(pl_signals_eval(signals, data, row, &error), PL_OK);
    CHECK_NEAR(row[0], m->mesh->vert[3 * number], 0);
    pl_signals_destroy(signals);
  }
  free_data(data);
}

static void indices_are_those_of_the_file(void) {
  plRandom r = {77};
  for (int trial = 0; trial < CHECK_MEMBERS(60); trial++) {
    int k = trial % FORMATS;
    Member m = draw(&r, k == SECOND);
    if (k != SECOND) CHECK_INT(pl_mesh_save(formats[k], m.mesh, &error), PL_OK);
    bool* named = calloc((size_t)m.mesh->nvert, 1);
    char list[200] = "", bad[220];
    for (int i = 0; i < NAMED; i++) {
      int v = pl_random_int(&r, m.mesh->nvert);
      if (!m.used[v] || named[v]) continue;
      named[v] = true;
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", *list ? ", " : "", v);
    }
    plSpec* spec = *list ? scene_of(formats[k], "tet4", list) : NULL;
    if (*list) CHECK(spec != NULL);
    if (*list && !spec) printf("%s: %s\n", formats[k], error.message);
    if (spec) check_regions(&m, spec, named), check_model(&m, spec, named);
    pl_spec_destroy(spec);
    // a vertex that no tetrahedron uses, and one behind the last
    for (int v = 0; v <= m.mesh->nvert; v++) {
      if (v < m.mesh->nvert && m.used[v]) continue;
      snprintf(bad, sizeof bad, "%s%s%d", list, *list ? ", " : "", v);
      CHECK(!scene_of(formats[k], "tet4", bad));
      CHECK_INT(error.line, 5);
      CHECK_HAS(error.message,
                v < m.mesh->nvert ? "is not part of the body: no tetrahedron uses it" : "but there are");
    }
    free(named);
    free_member(&m);
  }
}

// Behind the numbers of the file come the middles of edges, in ascending order of their ends.
static void middles_of_edges_follow_the_file(void) {
  plRandom r = {78};
  for (int trial = 0; trial < CHECK_MEMBERS(24); trial++) {
    int k = trial % FORMATS, n, nedge = 0, *edge = NULL;
    Member m = draw(&r, k == SECOND);
    if (k != SECOND) CHECK_INT(pl_mesh_save(formats[k], m.mesh, &error), PL_OK);
    CHECK_INT(pl_mesh_edges(m.mesh, &edge, &nedge, &error), PL_OK);
    int e = pl_random_int(&r, nedge);
    char list[40];
    snprintf(list, sizeof list, "%d", n = m.mesh->nvert + e);
    plSpec* spec = scene_of(formats[k], "tet10", list);
    CHECK(spec != NULL);
    plData* data = spec ? data_of(spec) : NULL;
    for (int i = 0; data && i < data->model->nvert; i++) {
      CHECK_INT(data->model->vert_fixed[i] != 0, data->model->vert_number[i] == n);
      if (!data->model->vert_fixed[i]) continue;
      for (int c = 0; c < 3; c++)
        CHECK_ROUND(data->model->vert_rest[3 * i + c],
                    (m.mesh->vert[3 * edge[2 * e] + c] + m.mesh->vert[3 * edge[2 * e + 1] + c]) / 2, 1);
    }
    if (data) free_data(data);
    snprintf(list, sizeof list, "%d", m.mesh->nvert + nedge);
    CHECK(!scene_of(formats[k], "tet10", list));
    CHECK_HAS(error.message, "but there are");
    pl_free(edge);
    free_member(&m);
  }
}

// The pins of a flexcomp are numbers of its Gmsh file too; one that no element uses is left out with a
// remark.
static void pins_are_numbers_of_the_file(void) {
  plRandom r = {79};
  for (int trial = 0; trial < CHECK_MEMBERS(24); trial++) {
    Member m = draw(&r, trial & 1);
    if (!(trial & 1)) CHECK_INT(pl_mesh_save("second.msh", m.mesh, &error), PL_OK);
    int pin = pl_random_int(&r, m.mesh->nvert);
    char text[600];
    snprintf(text, sizeof text,
             "<mujoco><worldbody><flexcomp name='f' type='gmsh' dim='3' mass='1' file='%s/second.msh'>"
             "<elasticity young='1e5'/><pin id='%d'/></flexcomp></worldbody></mujoco>",
             getcwd((char[400]){0}, 400), pin);
    plData* data = data_of(good_spec("f.xml", text, pl_default_robot_def()));
    for (int i = 0; i < data->model->nvert; i++)
      CHECK_INT(data->model->vert_fixed[i] != 0, data->model->vert_number[i] == pin);
    if (!m.used[pin])
      CHECK_HAS(robot_warnings, "1 of the vertices that are pinned in 'robot/f' are left out");
    free_data(data);
    free_member(&m);
  }
}

int main(int argc, char** argv) {
  char folder[] = "/tmp/pliant_numbers_XXXXXX";
  CHECK_MAIN(argc, argv);
  if (!mkdtemp(folder) || chdir(folder)) return 1;
  RUN(indices_are_those_of_the_file);
  RUN(middles_of_edges_follow_the_file);
  RUN(pins_are_numbers_of_the_file);
  const char* files[] = {"n.vtk", "n.vtu", "n.msh", "n.mesh", "n.node", "n.ele", "second.msh"};
  for (int i = 0; i < 7; i++) unlink(files[i]);
  rmdir(folder);
  return CHECK_END;
}

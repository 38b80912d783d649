// glTF: poses of nodes, kinds of primitives, buffers in other files, colours of robots' visuals, and what is
// refused and why.
#include "check.h"

#include <unistd.h>

#include "mesh_seeds.h"
#include "model/spec.h"
#include "pliant/mesh.h"
#include "pliant/rigid.h"

static plError error;

static plMesh* parse(const char* name, const Seed* s) {
  plMesh* mesh = NULL;
  plStatus status = pl_mesh_parse(name, s->bytes, s->size, &mesh, &error);
  CHECK(!status == (mesh != NULL));
  if (status) printf("%s:%d:%d: %s\n", error.file, error.line, error.column, error.message);
  return mesh;
}

static void refuse(const char* text, int line, int column, const char* part) {
  plMesh* mesh = NULL;
  CHECK_INT(pl_mesh_parse("a.gltf", text, strlen(text), &mesh, &error), PL_ERROR_INPUT);
  CHECK(!mesh && !strcmp(error.file, "a.gltf"));
  if (line) CHECK_INT(error.line, line);
  if (column) CHECK_INT(error.column, column);
  CHECK_HAS(error.message, part);
}

// ---- geometry

// A unit cube as one strip of 14 vertices, its corners numbered by their bits.
static Seed cube(const char* nodes, const char* mode_and_ids) {
  Seed s = {0}, data = {0};
  static const int strip[14] = {3, 2, 7, 6, 4, 2, 0, 3, 1, 7, 5, 4, 1, 0};
  for (int v = 0; v < 8; v++)
    for (int i = 0; i < 3; i++) seed_float(&data, (float)(v >> i & 1), false);
  seed_ids(&data, strip, 14, 2, false);
  seed_text(&s, "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[");
  seed_text(&s, nodes);
  seed_text(&s, "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},");
  seed_text(&s, mode_and_ids);
  seed_text(&s, "}]}],\"buffers\":[{\"byteLength\":124,\"uri\":\"data:;base64,");
  seed_base64(&s, data.bytes, data.size);
  seed_text(&s,
            "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":96},{\"buffer\":0,\"byteOffset\":96,"
            "\"byteLength\":28}],\"accessors\":["
            "{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"},"
            "{\"bufferView\":1,\"componentType\":5123,\"count\":14,\"type\":\"SCALAR\"}]}");
  free(data.bytes);
  return s;
}

static void check_cube(const char* nodes, double volume, plVec3 lower, plVec3 upper) {
  Seed s = cube(nodes, "\"indices\":1,\"mode\":5");
  plMesh* mesh = parse("a.gltf", &s);
  plMeshReport r;
  CHECK(mesh && !pl_mesh_check(mesh, &r, &error));
  CHECK_INT(r.ntri, 12);
  CHECK_INT(r.boundary_open + r.misoriented, 0);
  CHECK_NEAR(r.volume, volume, 1e-14 * fabs(volume));
  const double a[6] = {r.lower.x, r.lower.y, r.lower.z, r.upper.x, r.upper.y, r.upper.z},
               b[6] = {lower.x, lower.y, lower.z, upper.x, upper.y, upper.z};
  for (int i = 0; i < 6; i++) CHECK_NEAR(a[i], b[i], 1e-14);
  pl_mesh_destroy(mesh);
  free(s.bytes);
}

static void nodes_place_a_mesh(void) {
  // y-up becomes z-up: (x, y, z) -> (x, -z, y)
  check_cube("{\"mesh\":0}", 1, (plVec3){0, -1, 0}, (plVec3){1, 0, 1});
  check_cube("{\"mesh\":0,\"translation\":[1,2,3],\"scale\":[2,3,4]}", 24, (plVec3){1, -7, 2},
             (plVec3){3, -3, 5});
  // A quarter turn about z, of the parent: (x, y) -> (-y, x)
  check_cube(
      "{\"children\":[1],\"rotation\":[0,0,0.70710678118654757,0.70710678118654757]},{\"mesh\":0,"
      "\"translation\":[5,0,0]}",
      1, (plVec3){-1, -1, 5}, (plVec3){0, 0, 6});
  check_cube("{\"mesh\":0,\"matrix\":[0,1,0,0,-1,0,0,0,0,0,2,0,10,20,30,1]}", 2, (plVec3){9, -32, 20},
             (plVec3){10, -30, 21});
  // A mirrored mesh is still the inside of its surface.
  check_cube("{\"mesh\":0,\"scale\":[-1,1,1]}", 1, (plVec3){-1, -1, 0}, (plVec3){0, 0, 1});
  check_cube("{\"children\":[1],\"scale\":[-1,1,1]},{\"mesh\":0,\"scale\":[-1,-1,-1]}", 1, (plVec3){0, 0, -1},
             (plVec3){1, 1, 0});
}

static void primitives_of_every_kind(void) {
  // Eight corners in a fan without numbers, and in triangles that are not a multiple of three.
  Seed fan = cube("{\"mesh\":0}", "\"mode\":6"), odd = cube("{\"mesh\":0}", "\"indices\":1");
  plMesh* mesh = parse("a.gltf", &fan);
  CHECK(mesh && mesh->ntri == 6);
  pl_mesh_destroy(mesh);
  mesh = NULL;
  CHECK_INT(pl_mesh_parse("a.gltf", odd.bytes, odd.size, &mesh, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "14 corners, which is not a multiple of 3");
  for (int mode = 0; mode < 4; mode++) {
    char text[64];
    snprintf(text, sizeof text, "\"indices\":1,\"mode\":%d", mode);
    Seed line = cube("{\"mesh\":0}", text);
    CHECK_INT(pl_mesh_parse("a.gltf", line.bytes, line.size, &mesh, &error), PL_ERROR_INPUT);
    CHECK_HAS(error.message, "1 elements of other kinds");
    free(line.bytes);
  }
  free(fan.bytes);
  free(odd.bytes);
}

// ---- files

static const char* in_build(const char* name) {
  static char path[1024];
  snprintf(path, sizeof path, PLIANT_BINARYDIR "/test/gltf_%s", name);
  return path;
}

static void write_file(const char* path, const void* bytes, size_t size) {
  FILE* file = fopen(path, "wb");
  CHECK(file && fwrite(bytes, 1, size, file) == size);
  if (file) fclose(file);
}

static void buffers_in_other_files(void) {
  static const char head[] =
      "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
      "\"attributes\":{\"POSITION\":0}}]}],"
      "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\n\"uri\":\"%s\"}]"
      "}";
  char text[1024];
  Seed data = {0};
  plMesh* mesh = NULL;
  for (int i = 0; i < 9; i++) seed_float(&data, (float)(i * i), false);
  write_file(in_build("a b.bin"), data.bytes, data.size);
  write_file(in_build("short.bin"), data.bytes, 35);
  static const char pointer[] = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 36\n";
  write_file(in_build("pointer.bin"), pointer, sizeof pointer - 1);
  snprintf(text, sizeof text, head, "gltf_a%20b.bin");
  write_file(in_build("a.gltf"), text, strlen(text));
  CHECK_INT(pl_mesh_load(in_build("a.gltf"), &mesh, &error), PL_OK);
  CHECK(mesh && mesh->ntri == 1 && mesh->vert[0] == 0 && mesh->vert[1] == -4 && mesh->vert[2] == 1);
  pl_mesh_destroy(mesh);
  mesh = NULL;
  refuse(text, 2, 7, "can only be loaded by its path");
  static const char* const wrong[][2] = {{"gltf_nowhere.bin", "gltf_nowhere.bin' is not found"},
                                         {"gltf_pointer.bin", "this is a Git LFS pointer"},
                                         {"gltf_short.bin", "has 35 bytes, expected 36: it is cut short"},
                                         {"http://a/b.bin", "must be a path beside the file"},
                                         {"/dev/zero", "is not found"},
                                         {"", "is a folder"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    snprintf(text, sizeof text, head, wrong[i][0]);
    write_file(in_build("a.gltf"), text, strlen(text));
    CHECK_INT(pl_mesh_load(in_build("a.gltf"), &mesh, &error), PL_ERROR_INPUT);
    CHECK_INT(error.line, 2);
    CHECK_HAS(error.message, wrong[i][1]);
  }
  free(data.bytes);
}

// ---- what is refused

static void wrong_json_is_refused_at_its_place(void) {
  refuse("", 1, 1, "the text ends where a value was expected");
  refuse("[1,\n 2,,3]", 2, 4, "expected a value, found ','");
  refuse("{\"a\":1,}", 1, 8, "expected a key in quotes, found '}'");
  refuse("{\"a\" 1}", 1, 6, "expected ':', found '1'");
  refuse("[1 2]", 1, 4, "expected ',' or ']', found '2'");
  refuse("[01]", 1, 3, "expected ',' or ']', found '1'");
  refuse("[1.]", 1, 4, "a digit behind the point");
  refuse("[-]", 1, 3, "a digit");
  refuse("[1e]", 1, 4, "a digit of the exponent");
  refuse("[1e999]", 1, 2, "too large");
  refuse("[NaN]", 1, 2, "a value");
  refuse("[tru]", 1, 2, "a value");
  refuse("[\"\\x\"]", 1, 4, "behind a backslash");
  refuse("[\"\\u12g4\"]", 1, 5, "four hexadecimal digits");
  refuse("[\"\\ud800\"]", 1, 9, "surrogate");
  refuse("[\"a\nb\"]", 1, 4, "control characters");
  refuse("[\"a", 1, 4, "the end of a string");
  refuse("[\"a\\", 0, 0, "the end of a string");
  refuse("[] []", 1, 4, "expected the end");
  refuse("{\"asset\": // 2\n{}}", 1, 11, "expected a value, found '/'");
  Seed deep = {0};
  for (int i = 0; i < 100000; i++) seed_text(&deep, "[");
  seed_bytes(&deep, "", 1);
  refuse((const char*)deep.bytes, 1, 65, "64 levels");
  free(deep.bytes);
}

static void wrong_documents_are_refused(void) {
#define HEAD "{\"asset\":{\"version\":\"2.0\"},"
  refuse("{}", 1, 1, "expected a glTF document");
  refuse("{\"asset\":{\"version\":\"1.0\"}}", 1, 21, "\"version\": \"2.0\"");
  refuse(HEAD "\"extensionsRequired\":[\"KHR_materials_unlit\",\n\"KHR_draco_mesh_compression\"]}", 2, 1,
         "requires the extension 'KHR_draco_mesh_compression'");
  refuse(HEAD "\"extensionsRequired\":[\"EXT_meshopt_compression\"]}", 0, 0, "'EXT_meshopt_compression'");
  refuse(HEAD "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}", 0, 0,
         "node 0 appears twice");
  refuse(HEAD "\"scenes\":[{\"nodes\":[0,0]}],\"nodes\":[{}]}", 0, 0, "node 0 appears twice");
  refuse(HEAD "\"scenes\":[{\"nodes\":[3]}],\"nodes\":[{}]}", 0, 0, "0 .. 0");
  refuse(HEAD "\"scene\":1,\"scenes\":[{}]}", 0, 0, "'scene' is 1, but the file has 1 scenes");
  refuse(HEAD "\"nodes\":[{\"mesh\":0}]}", 0, 0, "'mesh' is 0, but the file has 0 meshes");
  refuse(HEAD "\"nodes\":[{\"rotation\":[1,1,0,0]}]}", 0, 0, "a quaternion x y z w of length 1");
  refuse(HEAD "\"nodes\":[{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,1,0,0,0,1]}]}", 0, 0, "last row");
  refuse(HEAD "\"nodes\":[{\"scale\":[1,2]}]}", 0, 0, "a list of 3 numbers");
  refuse(HEAD "\"nodes\":3}", 0, 0, "'nodes' must be a list");
  refuse(HEAD "\"nodes\":[{}]}", 0, 0, "holds no tetrahedron and no triangle");
}

// The tree seed with one text replaced by another.
static void check_replaced(const char* from, const char* to, const char* part) {
  Seed seed = seed_of_gltf("a.gltf", gltf_tree), s = {0};
  seed_bytes(&seed, "", 1);
  const char *text = (const char*)seed.bytes, *at = strstr(text, from);
  CHECK(at != NULL);
  seed_bytes(&s, text, (size_t)(at - text));
  seed_text(&s, to);
  seed_bytes(&s, at + strlen(from), strlen(at + strlen(from)) + 1);
  refuse((const char*)s.bytes, 0, 0, part);
  free(seed.bytes);
  free(s.bytes);
}

static void sizes_are_checked_against_the_bytes(void) {
  check_replaced("\"byteLength\":220", "\"byteLength\":2200", "end before its 2200 bytes");
  check_replaced("\"byteLength\":220", "\"byteLength\":222", "has 220 bytes, expected 222");
  check_replaced("\"byteLength\":220,", "", "byteLength of at least 1");
  check_replaced("\"byteLength\":64,\"byteStride\":16", "\"byteLength\":640,\"byteStride\":16",
                 "ends at byte 640 of a buffer of 220");
  check_replaced("\"byteStride\":16", "\"byteStride\":8", "byteStride is 8, expected 12 .. 252");
  check_replaced("\"byteStride\":16", "\"byteStride\":20",
                 "4 entries of 20 bytes do not fit into the 64 bytes");
  check_replaced("\"count\":4", "\"count\":900000000000000", "do not fit");
  check_replaced("\"componentType\":5126", "\"componentType\":5124", "componentType");
  check_replaced("\"type\":\"VEC3\"", "\"type\":\"VEC2\"", "(VEC3)");
  check_replaced("\"indices\":1", "\"indices\":9", "'indices' is 9, but the file has 7 accessors");
  check_replaced("\"POSITION\":0", "\"POSITION\":0.5", "must be a whole number");
  check_replaced("\"count\":4", "\"count\":3",
                 "refers to vertex number 3 (counted from 0), but its primitive has 3");
  check_replaced("base64,", "base65,", "must be in base64");
}

// A small file that would become a huge mesh: many nodes with the same mesh, and zeros that nobody stored.
static void small_files_stay_small(void) {
  Seed s = {0};
  seed_text(&s, HEAD "\"nodes\":[{\"mesh\":0}");
  for (int i = 0; i < 20000; i++) seed_text(&s, ",{\"mesh\":0}");
  seed_text(&s, "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}");
  for (int i = 0; i < 1000; i++) seed_text(&s, ",{\"attributes\":{\"POSITION\":0}}");
  seed_text(&s,
            "]}],\"accessors\":[{\"componentType\":5126,\"count\":99999,\"type\":\"VEC3\",\"sparse\":{"
            "\"count\":1,\"indices\":{\"bufferView\":0,"
            "\"componentType\":5121},\"values\":{\"bufferView\":1}}}],\"bufferViews\":[{\"buffer\":0,"
            "\"byteLength\":1},"
            "{\"buffer\":0,\"byteLength\":12}],\"buffers\":[{\"byteLength\":12,\"uri\":\"data:;base64,"
            "AAAAAAAAAAAAAAAA\"}]}");
  seed_bytes(&s, "", 1);
  double start = check_clock();
  refuse((const char*)s.bytes, 0, 0, "arrays repeatedly");
  CHECK(check_clock() - start < 20);
  free(s.bytes);
}

// ---- robots

static void visuals_of_robots_have_their_colours(void) {
  Seed s = seed_of_glb("two.glb", gltf_strips);
  write_file(in_build("two.glb"), s.bytes, s.size);
  free(s.bytes);
  static const char urdf[] =
      "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
      "izz=\"1\" ixy=\"0\" ixz=\"0\" "
      "iyz=\"0\"/></inertial><visual><geometry><mesh filename=\"gltf_two.glb\" scale=\"1 2 "
      "3\"/></geometry><material name=\"m\"><color "
      "rgba=\"0.2 0.4 0.6 1\"/></material></visual><collision><geometry><mesh "
      "filename=\"gltf_two.glb\"/></geometry></collision></link>"
      "</robot>";
  plSpec* spec = pl_spec_create();
  plRobotDef def = pl_default_robot_def();
  def.file = "r.urdf";
  CHECK_INT(pl_spec_parse_robot(spec, &def, PLIANT_BINARYDIR "/test", urdf, strlen(urdf), NULL, &error),
            PL_OK);
  CHECK_INT(spec->nshape, 3);
  int seen = 0, triangles = 0;
  for (int i = 0; i < spec->nshape; i++) {
    const plShapeDef* g = &spec->shape[i];
    if (g->collide) {
      CHECK_INT(g->mesh->ntri, 4);
      continue;
    }
    triangles += g->mesh->ntri;
    // the material's colour (1, 0.5, 0) is linear light, the robot's own is not
    bool own = fabs(g->colour.z - 0.6) < 0.01;
    seen |= own ? 1 : 2;
    CHECK_ROUND(g->colour.x, own ? 0.2 : 1, 1);
    CHECK_NEAR(g->colour.y, own ? 0.4 : 0.7354, 0.002);
    // scaled after it was turned: the seed's vertex (0, 0, 1) stands at z = 3
    double top = 0;
    for (int v = 0; v < g->mesh->nvert; v++) top = fmax(top, g->mesh->vert[3 * v + 2]);
    CHECK_NEAR(top, 3, 0);
  }
  CHECK_INT(seen, 3);
  CHECK_INT(triangles, 4);
  pl_spec_destroy(spec);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(nodes_place_a_mesh);
  RUN(primitives_of_every_kind);
  RUN(buffers_in_other_files);
  RUN(wrong_json_is_refused_at_its_place);
  RUN(wrong_documents_are_refused);
  RUN(sizes_are_checked_against_the_bytes);
  RUN(small_files_stay_small);
  RUN(visuals_of_robots_have_their_colours);
  return CHECK_END;
}

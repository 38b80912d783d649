// Hostile mesh files: thousands of truncated, flipped, swapped and swollen ones. Each returns a status soon
// and in little memory.
#include "check.h"

#include "base/random.h"
#include "input/mesh_formats.h"
#include "mesh_seeds.h"
#include "pliant/mesh.h"

enum { FLIPS = 120, SWAPS = 60 };
static const double SLOW = 2.0;  // s for a file of a few hundred bytes

static int tried, accepted;

static void check_one(const char* name, const unsigned char* bytes, size_t size, const char* how) {
  // A copy of exactly this size, so that a sanitizer sees every byte read beyond it.
  unsigned char* exact = malloc(size ? size : 1);
  memcpy(exact, bytes, size);
  plMesh* mesh = NULL;
  plError error = {0};
  double start = check_clock();
  plStatus status = pl_mesh_parse(name, exact, size, &mesh, &error);
  if (status) {
    CHECK(status == PL_ERROR_INPUT);
    CHECK(!mesh && error.status == status && error.message[0] && !strcmp(error.file, name));
  } else {
    plMeshReport report;
    char text[4000];
    CHECK(pl_mesh_check(mesh, &report, &error) == PL_OK);
    CHECK(pl_mesh_report_text(&report, text, sizeof text) >= 0);
    CHECK(report.not_finite == 0);
    pl_mesh_repair(mesh, text, sizeof text, &error);
    accepted++;
  }
  double seconds = check_clock() - start;
  CHECK(seconds < SLOW);
  if (check_errors) printf("%s, %s\n", name, how);
  tried++;
  pl_mesh_destroy(mesh);
  free(exact);
}

// ---- ways to spoil a file

// The elements of a file; false: it is refused.
static bool count_elements(const Seed* seed, size_t size, int* count) {
  plMesh* mesh = NULL;
  if (pl_mesh_parse(seed->name, seed->bytes, size, &mesh, NULL)) return false;
  count[0] = mesh->nvert, count[1] = mesh->ntet, count[2] = mesh->ntri;
  pl_mesh_destroy(mesh);
  return true;
}

// Cut anywhere, a file is refused or is still all of it: it is never read as a smaller mesh. (Lines of an OBJ
// file do not say how many there are.)
static void truncate_everywhere(const Seed* seed) {
  int whole[3] = {0}, part[3];
  CHECK(count_elements(seed, seed->size, whole));
  for (size_t n = 0; n < seed->size; n++) {
    check_one(seed->name, seed->bytes, n, "truncated");
    if (strstr(seed->name, ".obj") || !count_elements(seed, n, part)) continue;
    if (memcmp(part, whole, sizeof part))
      check_errors++, printf("%s: %zu of %zu bytes read as a smaller mesh\n", seed->name, n, seed->size);
  }
}

static void flip_bits(const Seed* seed, plRandom* random) {
  unsigned char* bytes = malloc(seed->size);
  for (int round = 0; round < FLIPS; round++) {
    memcpy(bytes, seed->bytes, seed->size);
    for (int k = pl_random_int(random, 4); k >= 0; k--) {
      int bit = pl_random_int(random, 8);
      bytes[pl_random_int(random, (int)seed->size)] ^= (unsigned char)(1 << bit);
    }
    check_one(seed->name, bytes, seed->size, "bits flipped");
    unsigned char byte = (unsigned char)pl_random_int(random, 256);
    bytes[pl_random_int(random, (int)seed->size)] = byte;
    check_one(seed->name, bytes, seed->size, "a byte replaced");
  }
  free(bytes);
}

// A word of text: not white space and not one of XML's or JSON's own characters.
static bool in_word(unsigned char c) { return c > ' ' && !strchr("\"<>[]{},:", c); }

static bool find_word(const Seed* seed, plRandom* random, size_t* begin, size_t* end) {
  size_t at = (size_t)pl_random_int(random, (int)seed->size);
  if (!in_word(seed->bytes[at])) return false;
  for (*begin = at; *begin > 0 && in_word(seed->bytes[*begin - 1]);) --*begin;
  for (*end = at; *end < seed->size && in_word(seed->bytes[*end]);) ++*end;
  return true;
}

static void replace_word(const Seed* seed, size_t begin, size_t end, const void* word, size_t length,
                         const char* how) {
  Seed spoiled = {.name = seed->name};
  seed_bytes(&spoiled, seed->bytes, begin);
  seed_bytes(&spoiled, word, length);
  seed_bytes(&spoiled, seed->bytes + end, seed->size - end);
  check_one(seed->name, spoiled.bytes, spoiled.size, how);
  free(spoiled.bytes);
}

static void swap_words(const Seed* seed, plRandom* random) {
  for (int round = 0; round < SWAPS; round++) {
    size_t a, b, c, d;
    if (!find_word(seed, random, &a, &b) || !find_word(seed, random, &c, &d) || b > c) continue;
    Seed spoiled = {.name = seed->name};
    seed_bytes(&spoiled, seed->bytes, a);
    seed_bytes(&spoiled, seed->bytes + c, d - c);
    seed_bytes(&spoiled, seed->bytes + b, c - b);
    seed_bytes(&spoiled, seed->bytes + a, b - a);
    seed_bytes(&spoiled, seed->bytes + d, seed->size - d);
    check_one(seed->name, spoiled.bytes, spoiled.size, "words swapped");
    free(spoiled.bytes);
  }
}

// Every number of the text in turn becomes one that no file can keep.
static void swell_text(const Seed* seed) {
  static const char* const words[] = {
      "178956970", "4294967295", "9223372036854775807", "18446744073709551616", "-1", "0", "1e308",
      "nan",       "0x7f"};
  for (size_t begin = 0, end; begin < seed->size; begin = end + 1) {
    for (end = begin; end < seed->size && in_word(seed->bytes[end]);) end++;
    if (end == begin || seed->bytes[begin] < '0' || seed->bytes[begin] > '9') continue;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
      replace_word(seed, begin, end, words[w], strlen(words[w]), "a number swollen");
  }
}

// Every offset in turn becomes a huge count of 4 and of 8 bytes, in both orders.
static void swell_bytes(const Seed* seed) {
  static const unsigned char words[5][8] = {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
                                            {0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0},
                                            {0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
                                            {0, 0, 0, 0x40, 0, 0, 0, 0},
                                            {0, 0, 0, 0, 0, 0, 0, 0x10}};
  for (size_t at = 0; at + 4 <= seed->size; at++)
    for (int w = 0; w < 5; w++) {
      size_t length = (w == 1 || w == 3) || at + 8 > seed->size ? 4 : 8;
      replace_word(seed, at, at + length, words[w], length, "bytes swollen");
    }
}

static void spoiled_files_return_a_status(void) {
  Seed seed[SEEDS];
  make_seeds(seed);
  plRandom random = {2026};
  for (int i = 0; i < SEEDS; i++) {
    check_one(seed[i].name, seed[i].bytes, seed[i].size, "as it is");
    truncate_everywhere(&seed[i]);
    flip_bits(&seed[i], &random);
    swap_words(&seed[i], &random);
    swell_text(&seed[i]);
    swell_bytes(&seed[i]);
  }
  // The file of one format under the name of another.
  for (int i = 0; i < SEEDS; i++)
    for (int j = 0; j < SEEDS; j++)
      check_one(seed[j].name, seed[i].bytes, seed[i].size, "under another name");
  free_seeds(seed);
  printf("%d files tried, %d of them still a mesh\n", tried, accepted);
  CHECK(tried > 20000 && accepted > 100 && accepted < tried);
}

static bool same_bytes(const void* a, const void* b, size_t size) { return !size || !memcmp(a, b, size); }

static bool same_mesh(const plMesh* a, const plMesh* b) {
  return a->nvert == b->nvert && a->ntet == b->ntet && a->ntri == b->ntri &&
         same_bytes(a->vert, b->vert, 3 * (size_t)a->nvert * sizeof(double)) &&
         same_bytes(a->tet, b->tet, 4 * (size_t)a->ntet * sizeof(int)) &&
         same_bytes(a->tri, b->tri, 3 * (size_t)a->ntri * sizeof(int));
}

// A file that was cut is refused or has its whole mesh. An OBJ file says nowhere how long it is.
static void a_cut_file_is_no_other_mesh(void) {
  Seed seed[SEEDS];
  make_seeds(seed);
  plError error;
  for (int i = 0; i < SEEDS; i++) {
    plMesh* whole = NULL;
    CHECK_INT(pl_mesh_parse(seed[i].name, seed[i].bytes, seed[i].size, &whole, &error), PL_OK);
    for (size_t size = 0; whole && strcmp(seed[i].name, "a.obj") && size < seed[i].size; size++) {
      plMesh* cut = NULL;
      if (!pl_mesh_parse(seed[i].name, seed[i].bytes, size, &cut, &error) && !same_mesh(whole, cut))
        check_errors++,
            printf("%s: the first %zu of %zu bytes read as %d vertices, %d tetrahedra, %d triangles\n",
                   seed[i].name, size, seed[i].size, cut->nvert, cut->ntet, cut->ntri);
      pl_mesh_destroy(cut);
    }
    pl_mesh_destroy(whole);
  }
  free_seeds(seed);
}

// A count that is too small drops nothing in silence: with any one digit (in files of bytes: any one byte)
// less by one, a file is refused or has as many elements. VTK's triangle less by one is a line.
static void a_smaller_number_drops_no_element(void) {
  Seed seed[SEEDS];
  make_seeds(seed);
  for (int i = 0; i < SEEDS; i++) {
    int whole[3] = {0}, now[3];
    bool vtk = strstr(seed[i].name, ".vt") != NULL, binary = memchr(seed[i].bytes, 0, seed[i].size) != NULL;
    // lines of OBJ have no count; documents choose which of their arrays they draw
    if (strstr(seed[i].name, ".obj") || strstr(seed[i].name, ".gl") || strstr(seed[i].name, ".dae")) continue;
    CHECK(count_elements(&seed[i], seed[i].size, whole));
    for (size_t at = 0; at < seed[i].size; at++) {
      unsigned char byte = seed[i].bytes[at];
      if (binary ? !byte : byte < '1' || byte > '9') continue;
      if (vtk && (byte == 5 || byte == '5')) continue;
      seed[i].bytes[at]--;
      if (count_elements(&seed[i], seed[i].size, now) && now[1] + now[2] < whole[1] + whole[2])
        check_errors++, printf("%s %d: byte %zu (%d) less by one: %d tetrahedra, %d triangles of %d, %d\n",
                               seed[i].name, i, at, byte, now[1], now[2], whole[1], whole[2]);
      seed[i].bytes[at]++;
    }
  }
  free_seeds(seed);
}

// ---- TetGen's pair

static void check_pair(const Seed* node, const Seed* ele) {
  plError error = {0};
  plMesh* mesh = NULL;
  plCursor n = pl_cursor("a.node", node->bytes, node->size, &error),
           e = pl_cursor("a.ele", ele->bytes, ele->size, &error);
  plMeshBuilder builder = {0};
  plStatus status = pl_read_tetgen(&n, &e, &builder);
  if (!status) status = pl_builder_finish(&builder, &e, &mesh);
  pl_builder_free(&builder);
  CHECK(status ? status == PL_ERROR_INPUT && !mesh && error.message[0] : mesh != NULL);
  pl_mesh_destroy(mesh);
}

// As a_smaller_number_drops_no_element: TetGen's lists end where their counts say.
static void smaller_counts_of_tetgen_are_refused(void) {
  static const char* const node[2] = {"4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n# the end\n",
                                      "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n"};
  static const char* const ele[2] = {"1 4 0\n0 0 1 2 3\n# the end\n", "1 4 0\n0 0 1 2 3\n1 3 2 1 0\n"};
  for (int i = 0; i < 4; i++) {
    plError error = {0};
    plCursor n = pl_cursor("a.node", node[i / 2], strlen(node[i / 2]), &error),
             e = pl_cursor("a.ele", ele[i % 2], strlen(ele[i % 2]), &error);
    plMeshBuilder builder = {0};
    plStatus status = pl_read_tetgen(&n, &e, &builder);
    CHECK_INT(status, i ? PL_ERROR_INPUT : PL_OK);
    if (i) CHECK_HAS(error.message, i / 2 ? "more points than" : "more tetrahedra than");
    pl_builder_free(&builder);
  }
}

static void spoiled_tetgen_pairs_return_a_status(void) {
  Seed node = seed_of_text("a.node", false, seed_node), ele = seed_of_text("a.ele", false, seed_ele);
  plRandom random = {5};
  for (int round = 0; round < 2000; round++) {
    Seed a = seed_of_text("a.node", false, seed_node), b = seed_of_text("a.ele", false, seed_ele);
    Seed* chosen = round % 2 ? &a : &b;
    int at = pl_random_int(&random, (int)chosen->size);
    if (round % 3 == 0)
      chosen->size = (size_t)at;
    else
      chosen->bytes[at] =
          (unsigned char)(round % 3 == 1 ? pl_random_int(&random, 256) : '0' + pl_random_int(&random, 10));
    check_pair(&a, &b);
    free(a.bytes);
    free(b.bytes);
  }
  free(node.bytes);
  free(ele.bytes);
}

// ---- files made to be expensive

static void counts_without_content_cost_nothing(void) {
  static const struct {
    const char *name, *text;
  } file[] = {
      {"a.ply",
       "ply\nformat ascii 1.0\nelement thing 178956970\nelement vertex 0\nproperty float x\nproperty float "
       "y\nproperty float z\nend_header\n"},
      {"b.ply",
       "ply\nformat binary_little_endian 1.0\nelement vertex 178956970\nproperty float x\nproperty float "
       "y\nproperty float z\nend_header\n"},
      {"a.vtk",
       "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 178956970 double\n"},
      {"b.vtk",
       "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 0 double\nCELLS 178956970 "
       "900000000000000000\n"},
      {"c.vtk",
       "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nFIELD f 178956970\na 178956970 "
       "178956970 double\n"},
      {"a.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n178956970 178956970 1 178956970\n"},
      {"a.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices 178956970\n"},
      {"a.vtu",
       "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"9000000000000000000\" "
       "NumberOfCells=\"9000000000000000000\">"
       "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" "
       "format=\"binary\">//////////8=</DataArray></Points></Piece></UnstructuredGrid></VTKFile>"},
  };
  for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
    plMesh* mesh = NULL;
    plError error;
    double start = check_clock();
    CHECK(pl_mesh_parse(file[i].name, file[i].text, strlen(file[i].text), &mesh, &error) == PL_ERROR_INPUT);
    CHECK(check_clock() - start < 0.5);
  }
}

static void deep_xml_and_entities_do_no_harm(void) {
  Seed deep = {.name = "a.vtu"};
  seed_text(&deep, "<VTKFile type=\"UnstructuredGrid\">");
  for (int i = 0; i < 100000; i++) seed_text(&deep, "<a>");
  check_one(deep.name, deep.bytes, deep.size, "deep");
  free(deep.bytes);
  static const char laughs[] =
      "<?xml version=\"1.0\"?><!DOCTYPE l [<!ENTITY a \"ha\"><!ENTITY b "
      "\"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">"
      "<!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\"><!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;\"><!ENTITY "
      "f \"&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;\">"
      "<!ENTITY g \"&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;\"><!ENTITY h "
      "\"&g;&g;&g;&g;&g;&g;&g;&g;&g;&g;\">]><VTKFile type=\"UnstructuredGrid\">&h;</VTKFile>";
  check_one("a.vtu", (const unsigned char*)laughs, strlen(laughs), "entities");
  // An entity that holds elements: offsets in the file mean nothing there.
  static const char hidden[] =
      "<?xml version=\"1.0\"?><!DOCTYPE l [<!ENTITY a \"<Points><DataArray type='Float64' "
      "NumberOfComponents='3'>0 0 0</DataArray></Points>\">]>"
      "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"1\" "
      "NumberOfCells=\"0\">&a;</Piece></UnstructuredGrid></VTKFile>";
  check_one("a.vtu", (const unsigned char*)hidden, strlen(hidden), "hidden elements");
}

static void one_vertex_in_every_element_is_not_slow(void) {
  // All triangles share a vertex and an edge: no step may compare each with each.
  Seed fan = {.name = "a.obj"};
  char line[64];
  seed_text(&fan, "v 0 0 0\nv 1 0 0\n");
  for (int i = 0; i < 20000; i++) {
    snprintf(line, sizeof line, "v %d 1 %d\nf 1 2 %d\n", i, i % 7, i + 3);
    seed_text(&fan, line);
  }
  check_one(fan.name, fan.bytes, fan.size, "a fan");
  free(fan.bytes);
}

#ifndef CHECK_SANITIZED
static const long RESIDENT_KIB = 200000;  // of the whole test

static void memory_stays_small(void) {
  CHECK(check_most_resident() > 0);
  CHECK(check_most_resident() < RESIDENT_KIB);
}
#endif

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  RUN(spoiled_files_return_a_status);
  RUN(a_cut_file_is_no_other_mesh);
  RUN(a_smaller_number_drops_no_element);
  RUN(smaller_counts_of_tetgen_are_refused);
  RUN(spoiled_tetgen_pairs_return_a_status);
  RUN(counts_without_content_cost_nothing);
  RUN(deep_xml_and_entities_do_no_harm);
  RUN(one_vertex_in_every_element_is_not_slow);
#ifndef CHECK_SANITIZED
  RUN(memory_stays_small);
#endif
  return CHECK_END;
}

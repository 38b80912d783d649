// test_scene_errors.c: scene files that are wrong: the line, what was expected, the nearest key; and nothing
// is left of them.
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "pliant/spec.h"

static plError error;

// Parsing fails at line:column with a message that contains the part.
static void refuse(const char* text, int line, int column, const char* part) {
  plSpec* spec = (plSpec*)&error;
  plStatus status = pl_spec_parse("s.yaml", "", text, strlen(text), NULL, &spec, &error);
  CHECK(status != PL_OK);
  CHECK(!spec);
  CHECK_INT(error.status, status);
  CHECK_STR(error.file, "s.yaml");
  if (error.line != line || error.column != column)
    printf("in: %s\n%d:%d: %s\n", text, error.line, error.column, error.message);
  CHECK_INT(error.line, line);
  CHECK_INT(error.column, column);
  CHECK_HAS(error.message, part);
}

static void refuse_override(const char* key, const char* value, const char* part) {
  const char* text =
      "pliant: 1\noptions: {dt: 0.1}\nshapes: [{name: ground, shape: half_space}, {name: ball, shape: "
      "sphere, radius: 1}]\n";
  plOverride override = {key, value};
  plLoadOptions options = {.overrides = &override, .noverride = 1};
  plSpec* spec = NULL;
  CHECK(pl_spec_parse("s.yaml", "", text, strlen(text), &options, &spec, &error) != PL_OK);
  CHECK(!spec);
  CHECK_HAS(error.file, "override ");
  CHECK_HAS(error.file, key);
  CHECK_HAS(error.message, part);
}

static void write_file(const char* path, const char* text) {
  FILE* file = fopen(path, "w");
  CHECK(file != NULL);
  if (!file) return;
  fputs(text, file);
  fclose(file);
}

static void other_files_are_refused(void) {
  refuse("", 1, 1, "not a scene file");
  refuse("hello\n", 1, 1, "not a scene file");
  refuse("- 1\n", 1, 1, "not a scene file");
  refuse("options: {}\n", 1, 1, "pliant: 1");
  refuse("pliant: 2\n", 1, 9, "must be 1");
  refuse("pliant: one\n", 1, 9, "must be 1");
}

static void unknown_keys_name_the_nearest(void) {
  refuse("pliant: 1\noptins: {}\n", 2, 1, "did you mean 'options'?");
  refuse("pliant: 1\noptions:\n  dt: 0.1\n  gravty: [0, 0, 0]\n", 4, 3, "did you mean 'gravity'?");
  refuse("pliant: 1\noptions: {qqqqqqqq: 1}\n", 2, 11, "it knows dt, duration");
  refuse("pliant: 1\nshapes: [{name: a, shape: box, size: [1, 1, 1], color: [1, 1, 1]}]\n", 2, 49,
         "did you mean 'colour'?");
  refuse("pliant: 1\nshapes: [{name: a, shape: box, size: [1, 1, 1], surface: {mu: 1}}]\n", 2, 59,
         "unknown key 'mu' in surface");
}

static void wrong_types_say_what_is_expected(void) {
  refuse("pliant: 1\noptions: {dt: fast}\n", 2, 15,
         "'dt' of options must be a number in (0, 1000] (s), got 'fast'");
  refuse("pliant: 1\noptions: {dt: '0.1'}\n", 2, 15, "got the text '0.1'");
  refuse("pliant: 1\noptions: {dt: [1]}\n", 2, 15, "got a list of 1");
  refuse("pliant: 1\noptions: {dt: }\n", 2, 15, "got nothing");
  refuse("pliant: 1\noptions: {gravity: -9.81}\n", 2, 20, "a list of three numbers (m/s^2)");
  refuse("pliant: 1\noptions: {gravity: [0, -9.81]}\n", 2, 20, "got a list of 2");
  refuse("pliant: 1\noptions: {gravity: [0, 0, down]}\n", 2, 20, "three numbers");
  refuse("pliant: 1\noptions: {threads: 1.5}\n", 2, 20, "a whole number in [0, 1024] or auto");
  refuse("pliant: 1\noptions: 3\n", 2, 10, "options must be a map");
  refuse("pliant: 1\noptions: {dt: \"\\e[31m\"}\n", 2, 15, "got the text '?[31m'");
  refuse("pliant: 1\nshapes: {}\n", 2, 9, "a list of maps, got a map");
  refuse("pliant: 1\nshapes: [3]\n", 2, 10, "shape must be a map of keys and values, got '3'");
  refuse("pliant: 1\nshapes: [{name: [a], shape: half_space}]\n", 2, 17, "a text");
  refuse("pliant: 1\nshapes: [{name: a, shape: half_space, collide: 1}]\n", 2, 48, "true or false");
  refuse("pliant: 1\ninclude: {}\n", 2, 10, "file name");
  refuse("pliant: 1\nrecording: {signals: [[x]]}\n", 2, 22, "a text or a list of texts");
}

static void wrong_words_name_the_nearest(void) {
  refuse("pliant: 1\noptions: {scheme: midpont}\n", 2, 19, "did you mean 'midpoint'?");
  refuse("pliant: 1\noptions: {contact_law: glue}\n", 2, 24, "one of cone, coulomb, similar");
  refuse("pliant: 1\noptions: {contact_law: lagged}\n", 2, 24, "was removed");
}

static void values_out_of_range_are_refused(void) {
  refuse("pliant: 1\noptions: {dt: 0}\n", 2, 15, "in (0, 1000]");
  refuse("pliant: 1\noptions: {dt: -1}\n", 2, 15, "got '-1'");
  refuse("pliant: 1\noptions: {dt: .nan}\n", 2, 15, "got '.nan'");
  refuse("pliant: 1\noptions: {dt: .inf}\n", 2, 15, "got '.inf'");
  refuse("pliant: 1\noptions: {dt: 1e999}\n", 2, 15, "got '1e999'");
  refuse("pliant: 1\noptions: {gravity: [0, 0, nan]}\n", 2, 20, "three numbers");
  refuse("pliant: 1\noptions: {gravity: [0, 0, .inf]}\n", 2, 20, "three numbers");
  refuse("pliant: 1\noptions: {theta: 1.5}\n", 2, 18, "in [0, 1]");
  refuse("pliant: 1\nshapes: [{name: a, shape: sphere, radius: 0}]\n", 2, 43, "> 0");
  refuse("pliant: 1\nshapes: [{name: a, shape: half_space, pose: {quaternion: [1, 1, 0, 0]}}]\n", 2, 58,
         "four numbers");
}

static void contradictions_are_refused(void) {
  refuse("pliant: 1\noptions: {scheme: midpoint, theta: 1}\n", 2, 29, "either 'scheme' or 'theta'");
  refuse(
      "pliant: 1\nshapes: [{name: a, shape: half_space, pose: {rpy: [0, 0, 0], quaternion: [1, 0, 0, 0]}}]\n",
      2, 62, "either 'rpy'");
  refuse("pliant: 1\nshapes: [{name: a, shape: sphere, radius: 1, size: [1, 1, 1]}]\n", 2, 46,
         "does not apply to the shape sphere, which takes radius");
  refuse("pliant: 1\nshapes: [{name: a, shape: cylinder, radius: 1}]\n", 2, 20, "needs the key 'length'");
  refuse("pliant: 1\nshapes: [{name: a}]\n", 2, 10, "either 'shape'");
  refuse("pliant: 1\nshapes: [{shape: half_space}]\n", 2, 10, "needs the key 'name'");
  refuse("pliant: 1\nshapes: [{name: a, shape: half_space}, {name: a, shape: half_space}]\n", 2, 40, "taken");
  refuse("pliant: 1\nshapes: [{name: a b, shape: half_space}]\n", 2, 10, "may not contain ' '");
  refuse("pliant: 1\nrecording: {rate: 1, every: 2}\n", 2, 22, "either 'rate' or 'every'");
  refuse("pliant: 1\nrecording: {csv: a.csv}\n", 2, 13, "needs 'signals'");
}

static void wrong_deformables_are_refused(void) {
  refuse("pliant: 1\ndeformables: [{name: d}]\n", 2, 15, "needs a 'mesh' (file) or a 'shape'");
  refuse("pliant: 1\ndeformables: [{name: d, shape: box, size: [1, 1, 1]}]\n", 2, 15,
         "either 'edge' (m) or 'cells'");
  refuse("pliant: 1\ndeformables: [{name: d, shape: box, size: [1, 1, 1], edge: 1, cells: [1, 1, 1]}]\n", 2,
         15, "either 'edge'");
  refuse("pliant: 1\ndeformables: [{name: d, mesh: a.vtk, shape: box}]\n", 2, 38, "not both");
  refuse("pliant: 1\ndeformables: [{name: d, mesh: nothing.vtk}]\n", 2, 31,
         "the mesh file 'nothing.vtk' does not exist; looked in .");
  refuse("pliant: 1\ndeformables: [{name: d, mesh: /nothing.vtk}]\n", 2, 31, "'/nothing.vtk' does not exist");
  refuse("pliant: 1\ndeformables: [{name: d, shape: box, size: [1, 1, 1], edge: 1e-6}]\n", 2, 54,
         "tetrahedra");
  CHECK_INT(error.status, PL_ERROR_TOO_LARGE);
  refuse(
      "pliant: 1\ndeformables: [{name: d, shape: box, size: [1, 1, 1], cells: [1000000, 1000000, "
      "1000000]}]\n",
      2, 54, "tetrahedra");
  refuse("pliant: 1\ndeformables: [{name: d, shape: box, size: [1, 1e9, 1], edge: 0.1}]\n", 2, 56,
         "tetrahedra");
}

// Several bodies share the limit of the whole scene.
static void the_limit_on_tetrahedra_holds_for_all_bodies(void) {
  const char* text =
      "pliant: 1\ndeformables:\n- {name: a, shape: box, size: [1, 1, 1], cells: [5, 5, 5]}\n- {name: b, "
      "shape: box, size: [1, 1, 1], cells: "
      "[5, 5, 5]}\n";
  plLoadOptions options = {.max_tets = 1600};
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_parse("s", "", text, strlen(text), &options, &spec, &error), PL_OK);
  pl_spec_destroy(spec);
  options.max_tets = 1000;
  CHECK_INT(pl_spec_parse("s", "", text, strlen(text), &options, &spec, &error), PL_ERROR_TOO_LARGE);
  CHECK_INT(error.line, 4);
}

static void wrong_materials_are_refused(void) {
#define SOFT "pliant: 1\ndeformables:\n- name: d\n  shape: box\n  size: [1, 1, 1]\n  edge: 1\n"
  refuse(SOFT "  material: {poisson: 0.5}\n", 7, 23, "in (-1, 0.5)");
  refuse(SOFT "  material: {lame_mu: 1e4}\n", 7, 13, "come together");
  refuse(SOFT "  material: {lame_mu: 1e4, lame_lambda: 1e4, young: 1}\n", 7, 46, "not both");
  refuse(SOFT "  material: {c1: 1}\n", 7, 14, "belongs to mooney_rivlin");
  refuse(SOFT "  material: {kind: mooney_rivlin, c1: 1}\n", 7, 13, "'c2' is missing");
  refuse(SOFT "  material: {kind: mooney_rivlin, young: 1, c1: 1, c2: 1, bulk: 1}\n", 7, 35,
         "instead of 'young'");
  refuse(SOFT "  material: {lame_mu: 1, lame_lambda: -1}\n", 7, 13, "-2/3 lame_mu");
  refuse(SOFT "  material: {kind: steel}\n", 7, 20, "one of linear, ");
  refuse(SOFT "  material: {damping: {stiffness: -1}}\n", 7, 35, ">= 0");
}

static void wrong_regions_are_refused(void) {
  refuse(SOFT "  fixed: [{region: {}}]\n", 7, 20, "either 'shape'");
  refuse(SOFT "  fixed: [{}]\n", 7, 11, "needs the key 'region'");
  refuse(SOFT "  fixed: [{region: {shape: sphere}}]\n", 7, 21, "needs the key 'radius'");
  refuse(SOFT "  fixed: [{region: {shape: all, radius: 1}}]\n", 7, 33,
         "does not apply to the shape all, which takes no sizes");
  refuse(SOFT "  fixed: [{region: {shape: half_space, normal: [0, 0, 0]}}]\n", 7, 40, "must not be zero");
  refuse(SOFT "  fixed: [{region: {indices: [0, 1.5]}}]\n", 7, 30, "list of whole numbers");
  refuse(SOFT "  fixed: [{region: {indices: [99]}}]\n", 7, 11, "vertex 99");
  refuse(SOFT "  fixed: [{region: {shape: all}, components: xw}]\n", 7, 46, "letters among x, y, z");
  refuse(SOFT "  fixed: [{region: {shape: all}, components: xx}]\n", 7, 46, "each once");
  refuse(SOFT
         "  fixed: [{region: {shape: all}, motion: [{time: 1, offset: [0, 0, 0]}, {time: 1, offset: [0, 0, "
         "1]}]}]\n",
         7, 74, "increase");
  refuse(SOFT "  fixed: [{region: {shape: all}, motion: [{time: 1}]}]\n", 7, 43, "needs the key 'offset'");
}

static void wrong_overrides_are_refused(void) {
  refuse_override("options.dtt", "1", "did you mean 'dt'?");
  refuse_override("option.dt", "1", "did you mean 'options'?");
  refuse_override("options.dt", "fast", "must be a number");
  refuse_override("options.dt", "0", "in (0, 1000]");
  refuse_override("options.dt", "[1", "not valid YAML");
  refuse_override("options.dt.x", "1", "single value");
  refuse_override("options.dt", "", "got nothing");
  refuse_override("options", "1", "must be a map");
  refuse_override("options..dt", "1", "empty part");
  refuse_override("shapes.floor.surface.friction", "1", "no entry 'floor'; it has 2: ground, ball");
  refuse_override("shapes.2.radius", "1", "no entry '2'");
  refuse_override("shapes.ball.radius", "-1", "> 0");
  refuse_override("shapes.ground.radius", "1", "does not apply");
  refuse_override("deformables.block.scale", "1",
                  "does not give 'deformables', so it has no parts to override; give all of it");
  refuse_override("options.gravity.2", "1", "does not give 'gravity', so it has no parts");
  refuse_override("include", "a.yaml", "cannot be overridden");
}

static void cyclic_includes_show_the_chain(void) {
  mkdir("scene_cycle", 0777);
  write_file("scene_cycle/a.yaml", "pliant: 1\ninclude: b.yaml\n");
  write_file("scene_cycle/b.yaml", "pliant: 1\ninclude: [./c.yaml]\n");
  write_file("scene_cycle/c.yaml", "pliant: 1\ninclude:\n  - ../scene_cycle/a.yaml\n");
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_load("scene_cycle/a.yaml", NULL, &spec, &error), PL_ERROR_INPUT);
  CHECK(!spec);
  CHECK_HAS(error.file, "c.yaml");
  CHECK_INT(error.line, 3);
  CHECK_INT(error.column, 5);
  CHECK_HAS(error.message, "scene_cycle/a.yaml -> scene_cycle/b.yaml -> ");
  CHECK_HAS(error.message, "c.yaml -> ");
}

static void errors_of_included_files_name_them(void) {
  mkdir("scene_bad", 0777);
  write_file("scene_bad/a.yaml", "pliant: 1\ninclude: b.yaml\n");
  write_file("scene_bad/b.yaml", "pliant: 1\n\noptions: {dtt: 1}\n");
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_load("scene_bad/a.yaml", NULL, &spec, &error), PL_ERROR_INPUT);
  CHECK_STR(error.file, "scene_bad/b.yaml");
  CHECK_INT(error.line, 3);
  CHECK_INT(error.column, 11);
  write_file("scene_bad/c.yaml", "pliant: 1\ninclude: b.yaml\noptions: [1]\n");
  CHECK_INT(pl_spec_load("scene_bad/c.yaml", NULL, &spec, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "something else in the included");
  write_file("scene_bad/d.yaml", "pliant: 1\ninclude: nowhere.yaml\n");
  CHECK_INT(pl_spec_load("scene_bad/d.yaml", NULL, &spec, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "'nowhere.yaml' does not exist; looked in scene_bad");
}

// Each file includes the next twice: 2^12 files if nobody counted.
static void include_bombs_are_refused(void) {
  mkdir("scene_bomb", 0777);
  for (int i = 0; i < 12; i++) {
    char path[64], text[128];
    snprintf(path, sizeof path, "scene_bomb/%d.yaml", i);
    snprintf(text, sizeof text, "pliant: 1\ninclude: [%d.yaml, %d.yaml]\n", i + 1, i + 1);
    write_file(path, i < 11 ? text : "pliant: 1\n");
  }
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_load("scene_bomb/0.yaml", NULL, &spec, &error), PL_ERROR_INPUT);
  CHECK_HAS(error.message, "more than 100 files");
}

static void missing_and_odd_files_are_io_errors(void) {
  plSpec* spec = NULL;
  CHECK_INT(pl_spec_load("no/such/scene.yaml", NULL, &spec, &error), PL_ERROR_IO);
  CHECK_STR(error.file, "no/such/scene.yaml");
  CHECK_INT(pl_spec_load("/dev/zero", NULL, &spec, &error), PL_ERROR_IO);
  CHECK_INT(pl_spec_load("/", NULL, &spec, &error), PL_ERROR_IO);
  CHECK(!spec);
}

static void an_error_struct_is_not_needed(void) {
  plSpec* spec = NULL;
  const char *wrong = "pliant: 1\noptions: {dtt: 1}\n",
             *large = "pliant: 1\ndeformables: [{name: d, shape: sphere, radius: 1, edge: 1e-6}]\n";
  CHECK_INT(pl_spec_parse("s", NULL, wrong, strlen(wrong), NULL, &spec, NULL), PL_ERROR_INPUT);
  CHECK_INT(pl_spec_parse("s", NULL, large, strlen(large), NULL, &spec, NULL), PL_ERROR_TOO_LARGE);
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  CHECK(chdir(PLIANT_BINARYDIR) == 0);  // where its files go
  RUN(other_files_are_refused);
  RUN(unknown_keys_name_the_nearest);
  RUN(wrong_types_say_what_is_expected);
  RUN(wrong_words_name_the_nearest);
  RUN(values_out_of_range_are_refused);
  RUN(contradictions_are_refused);
  RUN(wrong_deformables_are_refused);
  RUN(the_limit_on_tetrahedra_holds_for_all_bodies);
  RUN(wrong_materials_are_refused);
  RUN(wrong_regions_are_refused);
  RUN(wrong_overrides_are_refused);
  RUN(cyclic_includes_show_the_chain);
  RUN(errors_of_included_files_name_them);
  RUN(include_bombs_are_refused);
  RUN(missing_and_odd_files_are_io_errors);
  RUN(an_error_struct_is_not_needed);
  return CHECK_END;
}

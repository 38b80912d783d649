// test_yaml.c: the YAML tree: shape, marks, aliases, limits, and numbers in any locale.
#include <locale.h>

#include "base/random.h"
#include "check.h"
#include "input/yaml.h"

static plYamlTree tree;
static plError error;

static plYaml* parse_bytes(const char* text, size_t size) {
  plYaml* root = NULL;
  memset(&error, 0, sizeof error);
  pl_yaml_free(&tree);
  pl_yaml_init(&tree);
  plStatus status = pl_yaml_parse(&tree, pl_yaml_source(&tree, "s.yaml", ""), text, size, &root, &error);
  CHECK(!status == (root != NULL));
  CHECK_INT(status, error.status);
  return root;
}
static plYaml* parse(const char* text) { return parse_bytes(text, strlen(text)); }

static void refuse(const char* text, int line, int column, const char* part) {
  CHECK(!parse(text));
  CHECK_INT(error.line, line);
  CHECK_INT(error.column, column);
  CHECK_HAS(error.message, part);
}

static void tree_has_shape_and_marks(void) {
  plYaml* root = parse("a: 1\nb:\n  - x\n  - {c: 'two', d: [3, 4]}\n");
  CHECK(root && root->kind == PL_YAML_MAP);
  if (!root) return;
  CHECK_INT(root->nchild, 2);
  plYaml *b = pl_yaml_get(root, "b"), *item = pl_yaml_at(b, 1), *d = pl_yaml_get(item, "d");
  CHECK_INT(b->nchild, 2);
  CHECK_INT(item->line, 4);
  CHECK_INT(item->column, 5);
  CHECK_INT(d->key_column, 16);
  CHECK_INT(d->column, 19);
  CHECK_STR(pl_yaml_get(item, "c")->text, "two");
  CHECK(pl_yaml_get(item, "c")->quoted && !pl_yaml_get(root, "a")->quoted);
  CHECK(!pl_yaml_get(root, "z") && !pl_yaml_at(b, 2));
}

static void json_is_read_too(void) {
  plYaml* root = parse("{\"a\": [1, 2.5e-3], \"b\": {\"c\": true}}");
  double x;
  CHECK(root && pl_yaml_number(pl_yaml_at(pl_yaml_get(root, "a"), 1), &x) && x == 2.5e-3);
}

static void empty_text_is_a_null(void) {
  CHECK(pl_yaml_is_null(parse("")));
  CHECK(pl_yaml_is_null(parse("# only a comment\n")));
}

static void aliases_are_copies(void) {
  plYaml* root = parse("a: &m {k: [1, 2]}\nb: *m\n");
  CHECK(root != NULL);
  if (!root) return;
  plYaml *a = pl_yaml_get(pl_yaml_get(root, "a"), "k"), *b = pl_yaml_get(pl_yaml_get(root, "b"), "k");
  CHECK(a != b && b->nchild == 2);
  CHECK_STR(pl_yaml_at(b, 1)->text, "2");
}

static void a_redefined_anchor_counts_from_there_on(void) {
  plYaml* root = parse("a: &x 1\nb: *x\nc: &x 2\nd: *x\n");
  CHECK_STR(pl_yaml_get(root, "b")->text, "1");
  CHECK_STR(pl_yaml_get(root, "d")->text, "2");
}

static void wrong_yaml_is_refused_with_a_place(void) {
  refuse("a: 1\nb: [1, 2\nc: 3\n", 3, 2, "not valid YAML");
  refuse("a: 1\na: 2\n", 2, 1, "given twice (first in line 1)");
  refuse("a: *nothing\n", 1, 4, "names no anchor");
  refuse("a: &x [1, *x]\n", 1, 11, "inside the value that it names");
  refuse("? [1, 2]\n: 3\n", 1, 3, "a key must be a word");
  refuse("a: !!float 3\n", 1, 4, "tags");
  refuse("a: !t {b: 1}\n", 1, 4, "tags");
  refuse("a: 1\n---\nb: 2\n", 2, 1, "one document");
  refuse("a: \"x\\0y\"\n", 1, 4, "zero byte");
  CHECK(!parse_bytes("a: 1\nb: \xff\n", 10));
  CHECK_INT(error.line, 2);
}

// ---- the usual mistakes

typedef struct Mistake {
  const char* line;    // what stands instead of a key of a section, %d: its number
  const char* remedy;  // in the message
} Mistake;

static const Mistake mistakes[] = {
    {"\tk%d: 1\n", "indent with spaces, not tabs"},
    {"  \tk%d: 1\n", "indent with spaces, not tabs"},
    {"  k%d:1\n", "a space after the colon"},
    {"  k%d: \"open\n", "close the quote"},
    {"  k%d: 'open\n", "close the quote"},
    {"  k%d: [1, 2\n", "close the list with ]"},
    {"  k%d: {a: 1, b: 2\n", "close the map with }"},
    {"  k%d: 1, 2]\n    x: 1\n", "indent all keys of a map equally"},
    {"   k%d: 1\n", "indent all keys of a map equally"},
    {" k%d: 1\n", "indent all keys of a map equally"},
    {"  k%d: a: b\n", "put a text that contains a colon in quotes"},
    {"  k%d: @x\n", "put the text in quotes"},
    {"  k%d: \"a\\q\"\n", "use single quotes"},
    {"  k%d: *\n", "begins with * or &"},
    {"  k%d: - 1\n", "begin a list on a line of its own"},
    {"  k%d: [1, , 2]\n", "remove the comma"},
    {"  k%d: \"\xff\"\n", "UTF-8"},
    {"  first: 1\n", "remove one of them"},
};

// In a text of random sections and keys, a mistake in a random line is reported there, or with the line in
// which what is not closed begins, and with what to do.
static void usual_mistakes_have_a_remedy(void) {
  plRandom r = {11};
  for (int round = 0; round < 600; round++) {
    const Mistake* m = &mistakes[round % (int)(sizeof mistakes / sizeof *mistakes)];
    char text[4096], since[48];
    int sections = 1 + pl_random_int(&r, 4), wrong = pl_random_int(&r, sections), line = 1, at_line = 0;
    size_t at = 0;
    for (int s = 0; s < sections; s++) {
      int keys = 1 + pl_random_int(&r, 4), before = s == wrong ? 1 + pl_random_int(&r, keys) : -1;
      at += (size_t)sprintf(text + at, "s%d:\n  first: 0\n", s), line += 2;
      for (int k = 1; k <= keys; k++) {
        if (k == before) {
          at_line = line;
          at += (size_t)sprintf(text + at, m->line, 100), line++;
          if (strstr(m->line, "x: 1")) line++;
        }
        at += (size_t)sprintf(text + at, "  k%d: %d\n", k, k), line++;
      }
    }
    snprintf(since, sizeof since, "line %d", at_line);
    CHECK(!parse(text));
    bool good = strstr(error.message, m->remedy) &&
                (error.line == at_line || error.line == at_line + 1 || strstr(error.message, since));
    if (!good) printf("%s%d: %s\n", text, error.line, error.message);
    CHECK(good);
    CHECK_STR(error.file, "s.yaml");
  }
}

static void limits_hold(void) {
  // Nine levels of nine aliases each would be 387 million nodes.
  refuse(
      "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
      "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f "
      "[*e,*e,*e,*e,*e,*e,*e,*e,*e]\n",
      6, 20, "more than 400000 values");
  CHECK(tree.nnode <= PL_YAML_MAX_NODES);
  CHECK_INT(error.status, PL_ERROR_TOO_LARGE);
  char deep[256] = "";
  memset(deep, '[', 100);
  refuse(deep, 1, PL_YAML_MAX_DEPTH + 1, "levels");
  // Aliases cannot reach deeper either.
  refuse("a: &a [[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]\nb: [[[[[[[[[[[[[[[[[[[*a]]]]]]]]]]]]]]]]]]]\n", 2, 23,
         "levels");
  char* many = calloc(20, 300);
  for (int i = 0, at = 0; i < 300; i++) at += sprintf(many + at, "k%d: 1\n", i);
  refuse(many, 257, 7, "256 keys");
  free(many);
}

// A megabyte of the openings that make scanners slow.
static void openings_without_end_are_quick(void) {
  static const char* const pieces[] = {"[",  "{", "- ",  "? ",         "&a ", "*a ", "!",   "'",
                                       "\"", "|", "a: ", "%TAG ! !\n", "#",   "\t",  "\n- "};
  size_t size = 1 << 20;
  char* text = malloc(size + 16);
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    size_t n = strlen(pieces[i]);
    for (size_t at = 0; at < size; at += n) memcpy(text + at, pieces[i], n);
    parse_bytes(text, size);
  }
  free(text);
  CHECK(tree.nnode <= PL_YAML_MAX_NODES);
}

static bool number(const char* text, double* x) {
  plYaml node = {.kind = PL_YAML_SCALAR, .text = text};
  return pl_yaml_number(&node, x);
}

static void numbers_are_decimal(void) {
  static const char* const bad[] = {"",      "-",     ".",   "e5",   "1e",  "1e+", "0x10",
                                    "1_000", "1,5",   "nan", ".nan", "1 2", "++1", "1.2.3",
                                    "1f",    "1e999", "١",   "true", "1d3", "--1", "infinity"};
  static const struct {
    const char* text;
    double x;
  } good[] = {{"0", 0},          {"-1", -1},           {"+2.5", 2.5},         {".5", .5}, {"5.", 5},
              {"1e-3", 1e-3},    {"1E+3", 1e3},        {"1e-400", 0},         {"007", 7}, {"0.1", 0.1},
              {"inf", INFINITY}, {"-.inf", -INFINITY}, {"infinite", INFINITY}};
  double x;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK(!number(bad[i], &x));
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) CHECK(number(good[i].text, &x) && x == good[i].x);
}

static void numbers_do_not_follow_the_locale(void) {
  static const char* const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
  for (int i = 0; i < 4 && !setlocale(LC_ALL, commas[i]); i++) {
  }
  double x = 0;
  CHECK(number("2.5", &x) && x == 2.5);
  CHECK(!number("2,5", &x));
  setlocale(LC_ALL, "C");
}

static void whole_numbers_and_truth(void) {
  int i;
  bool b;
  plYaml node = {.kind = PL_YAML_SCALAR};
  CHECK((node.text = "-12", pl_yaml_int(&node, &i)) && i == -12);
  CHECK((node.text = "2147483647", pl_yaml_int(&node, &i)) && i == 2147483647);
  CHECK((node.text = "2147483648", !pl_yaml_int(&node, &i)));
  CHECK((node.text = "99999999999999999999", !pl_yaml_int(&node, &i)));
  CHECK((node.text = "1.0", !pl_yaml_int(&node, &i)));
  CHECK((node.text = "", !pl_yaml_int(&node, &i)));
  CHECK((node.text = "true", pl_yaml_bool(&node, &b)) && b);
  CHECK((node.text = "false", pl_yaml_bool(&node, &b)) && !b);
  CHECK((node.text = "on", pl_yaml_bool(&node, &b)) && b);
  CHECK((node.text = "off", pl_yaml_bool(&node, &b)) && !b);
  CHECK((node.text = "yes", !pl_yaml_bool(&node, &b)));
}

static void memory_faults_are_statuses(void) {
  const char* text = "a: &m {k: [1, 2]}\nb: *m\nc: [*m, *m]\n";
  for (long n = 0; n < 10; n++) {
    plYaml* root = NULL;
    pl_yaml_free(&tree);
    pl_yaml_init(&tree);
    plYamlSource source = {"s", ""};
    pl_alloc_fail_after(n);
    plStatus status = pl_yaml_parse(&tree, &source, text, strlen(text), &root, &error);
    pl_alloc_fail_after(-1);
    CHECK(status == PL_OK || status == PL_ERROR_MEMORY);
    CHECK(!status == (root != NULL));
  }
}

int main(int argc, char** argv) {
  CHECK_MAIN(argc, argv);
  pl_yaml_init(&tree);
  RUN(tree_has_shape_and_marks);
  RUN(json_is_read_too);
  RUN(empty_text_is_a_null);
  RUN(aliases_are_copies);
  RUN(a_redefined_anchor_counts_from_there_on);
  RUN(wrong_yaml_is_refused_with_a_place);
  RUN(usual_mistakes_have_a_remedy);
  RUN(limits_hold);
  RUN(openings_without_end_are_quick);
  RUN(numbers_are_decimal);
  RUN(numbers_do_not_follow_the_locale);
  RUN(whole_numbers_and_truth);
  RUN(memory_faults_are_statuses);
  pl_yaml_free(&tree);
  return CHECK_END;
}

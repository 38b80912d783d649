// test_scene_keys.c: docs/scene.md and the parser agree on every key, its type, range, unit, default and
// meaning.
//
// `test_input_scene_keys --print` prints the tables as the page must hold them.
#include "check.h"
#include "input/scene_keys.h"
#include "pliant/output.h"

static char* page;

static void read_page(void) {
  FILE* file = fopen(PLIANT_SOURCEDIR "/docs/scene.md", "rb");
  CHECK(file != NULL);
  if (!file) return;
  page = calloc(1, 1 << 20);
  CHECK(fread(page, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
}

// The table of a section stands behind "<!-- keys: NAME -->": a header of two lines, then one row per key,
// then an empty line.
static const char* find_table(const plSection* section) {
  char mark[64];
  snprintf(mark, sizeof mark, "<!-- keys: %s -->\n", section->name);
  const char* at = page ? strstr(page, mark) : NULL;
  if (!at) {
    printf("docs/scene.md has no table after '%.*s'\n", (int)strlen(mark) - 1, mark);
    return NULL;
  }
  at += strlen(mark);
  CHECK(!strncmp(at, "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n", 62));
  for (int i = 0; i < 2 && at; i++) at = strchr(at, '\n') + 1;
  return at;
}

static void the_page_holds_every_key_and_no_other(void) {
  for (int i = 0; pl_scene_sections[i]; i++) {
    const plSection* section = pl_scene_sections[i];
    const char* at = find_table(section);
    CHECK(at != NULL);
    for (int k = 0; at && k < section->nkey; k++) {
      char row[1024];
      pl_scene_key_row(section, k, row, sizeof row);
      size_t n = strlen(row);
      if (strncmp(at, row, n) || at[n] != '\n') {
        printf("%s.%s:\n  the parser: %s\n  the page:   %.*s\n", section->name, section->key[k].name, row,
               (int)strcspn(at, "\n"), at);
        check_errors++;
        return;
      }
      at += n + 1;
    }
    CHECK(at && *at == '\n');
  }
}

// Every table of the page belongs to a section of the parser.
static void the_page_has_no_other_table(void) {
  int marks = 0, sections = 0;
  for (const char* at = page; at && (at = strstr(at, "<!-- keys: ")); at++) marks++;
  for (; pl_scene_sections[sections]; sections++) {
  }
  CHECK_INT(marks, sections);
}

// The page's list of signals is the one that the commands print.
static void the_page_holds_every_signal(void) {
  static const char mark[] = "<!-- signals -->\n```\n";
  const char *at = page ? strstr(page, mark) : NULL, *help = pl_signals_help();
  CHECK(at != NULL);
  if (!at) return;
  at += strlen(mark);
  size_t n = strlen(help);
  CHECK(!strncmp(at, help, n) && !strncmp(at + n, "```\n", 4));
}

// Every section is reached from the scene, and the list has all of them.
static void every_section_is_listed(void) {
  for (int i = 0; pl_scene_sections[i]; i++) {
    CHECK(pl_scene_sections[i]->nkey <= 64);
    for (int k = 0; k < pl_scene_sections[i]->nkey; k++) {
      const plKey* key = &pl_scene_sections[i]->key[k];
      CHECK(key->meaning && key->meaning[0]);
      CHECK(key->type != PL_KEY_WORD || key->words != NULL);
      if (!key->section) continue;
      bool listed = false;
      for (int j = 0; pl_scene_sections[j]; j++) listed = listed || pl_scene_sections[j] == key->section;
      CHECK(listed);
    }
  }
}

static int print_tables(void) {
  char row[1024];
  for (int i = 0; pl_scene_sections[i]; i++) {
    printf("<!-- keys: %s -->\n| key | value | unit | default | meaning |\n|---|---|---|---|---|\n",
           pl_scene_sections[i]->name);
    for (int k = 0; k < pl_scene_sections[i]->nkey; k++)
      puts(pl_scene_key_row(pl_scene_sections[i], k, row, sizeof row));
    printf("\n");
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc > 1 && !strcmp(argv[1], "--print")) return print_tables();
  CHECK_MAIN(argc, argv);
  read_page();
  RUN(the_page_holds_every_key_and_no_other);
  RUN(the_page_has_no_other_table);
  RUN(the_page_holds_every_signal);
  RUN(every_section_is_listed);
  free(page);
  return CHECK_END;
}

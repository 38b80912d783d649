// main.c: the command `pliant`: calls its subcommands.
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "pliant/output.h"

typedef struct Sub {
  const char* name;
  int (*main)(int argc, char** argv);
  const char* help;
} Sub;

static const Sub subs[] = {
    {"new", new_main, "write a commented scene to start from"},
    {"run", run_main, "simulate a scene; record it, save its state, write tables, reports, pictures"},
    {"view", view_main, "show a running scene or a recording in the browser; touch and steer it"},
    {"bench", bench_main, "run the paper's five examples and print its table beside ours"},
    {"info", info_main, "show the contents of a scene, robot, mesh or recording"},
    {"mesh", mesh_main, "convert, repair, scale meshes; fill closed surfaces with tetrahedra"},
    {"sweep", sweep_main, "simulate a scene for many values of its parameters, on all processors"},
    {"export", export_main, "make pictures, tables, VTU files and surfaces of a recording"},
};
enum { NSUB = sizeof subs / sizeof *subs };

static void print_help(FILE* out) {
  fprintf(out,
          "pliant %s: robots and the soft things they touch\n"
          "\n"
          "usage: pliant COMMAND [ARGUMENTS]\n"
          "\n",
          pl_version());
  for (int i = 0; i < NSUB; i++) fprintf(out, "  %-8s %s\n", subs[i].name, subs[i].help);
  fprintf(
      out,
      "\n"
      "  pliant COMMAND --help    what a command does, with examples\n"
      "  pliant --version\n"
      "\n"
      "Begin with:\n"
      "  pliant view teddy               a gripper lifts a soft bear, live in the browser\n"
      "  pliant run block --png end.png  simulate scenes/block.yaml and draw its end\n"
      "  pliant info --scenes            the other scenes\n"
      "  pliant new grasp my.yaml        a scene of your own, with comments; then: pliant run my.yaml\n"
      "\n"
      "Exit status: 0 done, 1 the simulation failed, 2 bad input. Scene files: docs/scene.md, man pliant.\n");
}

// Text from files and users is printed without control characters, which could control the terminal.
void complain(const char* format, ...) {
  char text[4096];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  pl_output_make_plain(text);
  fprintf(stderr, "pliant: %s\n", text);
}

void say(FILE* out, const char* format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  size_t size = (size_t)vsnprintf(NULL, 0, format, args) + 1;
  char* text = malloc(size);
  if (text) {
    vsnprintf(text, size, format, again);
    pl_output_make_plain(text);
    fputs(text, out);
    free(text);
  } else {
    complain("not enough memory to print a line");
  }
  va_end(again);
  va_end(args);
}

int complain_error(const plError* error) {
  char text[sizeof error->file + sizeof error->message + 32];
  complain("%s", pl_error_text(error, text, sizeof text));
  switch (error->status) {
    case PL_ERROR_INPUT:
    case PL_ERROR_IO:
    case PL_ERROR_TOO_LARGE:
    case PL_ERROR_MISMATCH:
      return EXIT_BAD_INPUT;
    default:
      return EXIT_FAILED;
  }
}

void print_warning(void* user, const char* text) {
  (void)user;
  complain("warning: %s", text);
}

// Checks that everything printed was written.
static int finish(int status) {
  bool bad = ferror(stdout) != 0;
  if (fflush(stdout) || bad) {
    complain("the output cannot be written: %s", strerror(errno));
    if (status == EXIT_DONE) return EXIT_FAILED;
  }
  return status;
}

static int run(int argc, char** argv) {
  const char* word = argc > 1 ? argv[1] : "";
  if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) {
    print_help(stdout);
    return EXIT_DONE;
  }
  if (!strcmp(word, "--version")) {
    printf("pliant %s\n", pl_version());
    return EXIT_DONE;
  }
  if (argc < 2) {
    print_help(stderr);
    return EXIT_BAD_INPUT;
  }
  const char* names[NSUB];
  for (int i = 0; i < NSUB; i++) {
    if (!strcmp(word, subs[i].name)) return subs[i].main(argc - 1, argv + 1);
    names[i] = subs[i].name;
  }
  const char* near = pl_nearest_word(word, names, NSUB);
  if (near)
    complain("there is no command '%s'; did you mean '%s'?", word, near);
  else
    complain("there is no command '%s'; `pliant --help` lists them", word);
  return EXIT_BAD_INPUT;
}

int main(int argc, char** argv) { return finish(run(argc, argv)); }

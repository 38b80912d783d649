// args.c: options of a subcommand by a table, which is also its help.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>

#include "cli.h"

static void help(const Command* command, FILE* out) {
  fprintf(out, "usage: pliant %s %s\n\n%s\n", command->name, command->usage, command->summary);
  if (command->narg) fprintf(out, "\nOptions:\n");
  for (int i = 0; i < command->narg; i++) {
    const Arg* arg = &command->arg[i];
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", arg->name, arg->value ? " " : "", arg->value ? arg->value : "");
    // Further lines of a help text go under the first.
    fprintf(out, "  %-20s ", left);
    for (const char* c = arg->help; *c; c++) {
      fputc(*c, out);
      if (*c == '\n') fprintf(out, "%23s", "");
    }
    fputc('\n', out);
  }
  fprintf(out, "  %-20s %s\n", "--help", "this text");
  if (command->examples) fprintf(out, "\nExamples:\n%s", command->examples);
}

static int fail_unknown(const Command* command, const char* word) {
  const char* names[64];
  int n = 0;
  // the dashes are equal in all of them
  for (; n < command->narg && n < 64; n++)
    names[n] = command->arg[n].name + strspn(command->arg[n].name, "-");
  const char* near = pl_nearest_word(word + strspn(word, "-"), names, n);
  if (near)
    complain("%s has no option '%s'; did you mean '--%s'?", command->name, word, near);
  else
    complain("%s has no option '%s'; `pliant %s --help` lists them", command->name, word, command->name);
  return EXIT_BAD_INPUT;
}

// Stores a value; returns -1, or an exit status.
static int store(const Command* command, const Arg* arg, const char* value) {
  char* end;
  errno = 0;
  if (arg->kind == ARG_TEXT) {
    *(const char**)arg->target = value;
  } else if (arg->kind == ARG_NUMBER) {
    double x = strtod(value, &end);
    if (end == value || *end || !isfinite(x)) {
      complain("%s: %s takes a number, got '%s'", command->name, arg->name, value);
      return EXIT_BAD_INPUT;
    }
    *(double*)arg->target = x;
  } else if (arg->kind == ARG_COUNT) {
    long n = strtol(value, &end, 10);
    if (end == value || *end || errno || n < 1 || n > INT_MAX) {
      complain("%s: %s takes a whole number of at least 1, got '%s'", command->name, arg->name, value);
      return EXIT_BAD_INPUT;
    }
    *(int*)arg->target = (int)n;
  } else if (arg->kind == ARG_THREADS) {
    long n = strtol(value, &end, 10);
    bool automatic = !strcmp(value, "auto");
    if (!automatic && (end == value || *end || errno || n < 1 || n > INT_MAX)) {
      complain("%s: %s takes a whole number of at least 1, or auto, got '%s'", command->name, arg->name,
               value);
      return EXIT_BAD_INPUT;
    }
    *(int*)arg->target = automatic ? 0 : (int)n;
  } else {
    ArgList* list = arg->target;
    if (list->n >= ARG_LIST_MAX) {
      complain("%s: %s is given more than %d times", command->name, arg->name, ARG_LIST_MAX);
      return EXIT_BAD_INPUT;
    }
    list->item[list->n++] = value;
  }
  return -1;
}

// Reads the option at argv[*i], with its value behind '=' or in the next word.
static int read_option(const Command* command, int argc, char** argv, int* i) {
  const char *word = argv[*i], *equals = strchr(word, '=');
  size_t length = equals ? (size_t)(equals - word) : strlen(word);
  for (int k = 0; k < command->narg; k++) {
    const Arg* arg = &command->arg[k];
    if (strlen(arg->name) != length || strncmp(arg->name, word, length)) continue;
    if (arg->kind == ARG_FLAG) {
      if (equals) {
        complain("%s: %s takes no value", command->name, arg->name);
        return EXIT_BAD_INPUT;
      }
      *(bool*)arg->target = true;
      return -1;
    }
    if (equals) return store(command, arg, equals + 1);
    if (*i + 1 >= argc) {
      complain("%s: %s needs a value: %s %s", command->name, arg->name, arg->name, arg->value);
      return EXIT_BAD_INPUT;
    }
    return store(command, arg, argv[++*i]);
  }
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)length, word);
  return fail_unknown(command, name);
}

int args_read(const Command* command, int argc, char** argv, const char** positional) {
  int n = 0;
  bool only_positional = false;
  for (int i = 1; i < argc; i++) {
    const char* word = argv[i];
    if (!only_positional && !strcmp(word, "--")) {
      only_positional = true;
    } else if (!only_positional && (!strcmp(word, "--help") || !strcmp(word, "-h"))) {
      help(command, stdout);
      return EXIT_DONE;
    } else if (!only_positional && word[0] == '-' && word[1]) {
      int status = read_option(command, argc, argv, &i);
      if (status >= 0) return status;
    } else if (n < command->npositional) {
      positional[n++] = word;
    } else {
      complain("%s: unexpected argument '%s'; usage: pliant %s %s", command->name, word, command->name,
               command->usage);
      return EXIT_BAD_INPUT;
    }
  }
  if (n < command->nneeded) {
    complain("usage: pliant %s %s   (`pliant %s --help` explains)", command->name, command->usage,
             command->name);
    return EXIT_BAD_INPUT;
  }
  return -1;
}

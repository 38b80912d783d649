// new.c: `pliant new`: writes a commented scene to start from, a copy of scenes/new/KIND.yaml.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const struct {
  const char *name, *what;
} kinds[] = {
    {"drop", "a soft ball falls on the ground"},
    {"press", "a plate presses a soft block; a table of its force"},
    {"grasp", "two fingers close on a soft ball and lift it"},
    {"robot", "a robot from its file touches a soft cushion"},
};
enum { NKIND = sizeof kinds / sizeof *kinds };

static const char examples[] =
    "  pliant new grasp my.yaml\n"
    "      writes my.yaml; then: pliant run my.yaml, pliant view my.yaml\n";

// The file that is copied; NULL after a message.
static FILE* open_template(const char* kind) {
  char path[PATH_SIZE];
  for (const char* const* folder = scene_folders(); *folder; folder++) {
    snprintf(path, sizeof path, "%s/new/%s.yaml", *folder, kind);
    FILE* file = fopen(path, "r");
    if (file) return file;
  }
  complain("new: the scene 'new/%s.yaml' of this installation is missing", kind);
  return NULL;
}

// Copies to a new file; an existing one is not changed.
static int copy(FILE* from, const char* path) {
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (file < 0) {
    if (errno == EEXIST)
      complain("new: '%s' exists and is left as it is; choose another name", path);
    else
      complain("new: '%s' cannot be written: %s", path, strerror(errno));
    return EXIT_BAD_INPUT;
  }
  char text[4096];
  bool bad = false;
  for (size_t n; !bad && (n = fread(text, 1, sizeof text, from)) > 0;)
    bad = write(file, text, n) != (ssize_t)n;
  bad = bad || ferror(from);
  if (close(file) || bad) {
    complain("new: '%s' could not be written to its end: %s", path, strerror(errno));
    unlink(path);
    return EXIT_FAILED;
  }
  return EXIT_DONE;
}

int new_main(int argc, char** argv) {
  char summary[1024];
  int n = snprintf(summary, sizeof summary, "Writes a commented scene of a KIND to FILE, to start from:\n");
  for (int i = 0; i < NKIND; i++)
    n += snprintf(summary + n, sizeof summary - (size_t)n, "  %-8s %s\n", kinds[i].name, kinds[i].what);
  const char* positional[2] = {NULL, NULL};
  const Command command = {"new", "KIND FILE", summary, examples, NULL, 0, 2, 2};
  int status = args_read(&command, argc, argv, positional);
  if (status >= 0) return status;
  const char* names[NKIND];
  bool known = false;
  for (int i = 0; i < NKIND; i++) names[i] = kinds[i].name, known |= !strcmp(positional[0], kinds[i].name);
  if (!known) {
    const char* near = pl_nearest_word(positional[0], names, NKIND);
    if (near)
      complain("new: there is no kind '%s'; did you mean '%s'?", positional[0], near);
    else
      complain("new: there is no kind '%s'; there are drop, press, grasp and robot", positional[0]);
    return EXIT_BAD_INPUT;
  }
  FILE* from = open_template(positional[0]);
  if (!from) return EXIT_FAILED;
  status = copy(from, positional[1]);
  fclose(from);
  if (status == EXIT_DONE)
    say(stdout, "wrote %s; next: pliant run %s, or pliant view %s\n", positional[1], positional[1],
        positional[1]);
  return status;
}

// cli.h: shared by the parts of the command: exit statuses, tables of options, messages, finding scenes.
#ifndef PL_CLI_CLI_H
#define PL_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "pliant/pliant.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_BAD_INPUT = 2 };

// ---- options

typedef enum ArgKind {
  ARG_FLAG,     // bool
  ARG_TEXT,     // const char*
  ARG_NUMBER,   // double
  ARG_COUNT,    // int > 0
  ARG_THREADS,  // int > 0, or 0 for "auto"
  ARG_LIST      // ArgList, may be repeated
} ArgKind;

enum { ARG_LIST_MAX = 256 };
typedef struct ArgList {
  const char* item[ARG_LIST_MAX];
  int n;
} ArgList;

typedef struct Arg {
  const char* name;   // "--record"
  const char* value;  // the word for its value in the help: "FILE"; NULL for a flag
  ArgKind kind;
  void* target;
  const char* help;
} Arg;

// A subcommand: its table is both parser and help.
typedef struct Command {
  const char* name;
  const char* usage;     // "SCENE [OPTIONS]"
  const char* summary;   // a paragraph
  const char* examples;  // lines of "  command\n      what it does\n"
  const Arg* arg;        // [narg]
  int narg;
  int npositional;  // largest number of words without dashes
  int nneeded;      // smallest number
} Command;

// Reads the words after the subcommand; arguments without dashes are stored. Returns -1 to continue, or an
// exit status (help was asked for, or a word is wrong and a message was printed).
int args_read(const Command* command, int argc, char** argv, const char** positional);

// ---- messages

#if defined(__GNUC__)
#define CLI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define CLI_PRINTF(fmt, args)
#endif

// Prints text that holds names from files or users, without their control characters.
void say(FILE* out, const char* format, ...) CLI_PRINTF(2, 3);
// "pliant: ..." on stderr.
void complain(const char* format, ...) CLI_PRINTF(1, 2);
// Prints an error and returns the corresponding exit status: bad input, or a failure of the machine.
int complain_error(const plError* error);
// A plWarn that prints to stderr.
void print_warning(void* user, const char* text);

// ---- scenes

enum { PATH_SIZE = 4096 };
// The folders in which scenes and their files are looked for; NULL ends the list.
const char* const* scene_folders(void);
// "cantilever" of "a/b/cantilever.yaml"
void scene_name(const char* path, char* name, size_t size);
// One name per line of every scene that can be found.
void scene_list(FILE* out);
// Whether remarks on robot files that affect the motion are errors: --strict of run and info.
extern bool load_strict;
// Loads with overrides "KEY=VALUE" and more search folders (NULL: none); prints errors and returns an exit
// status.
int scene_load(const char* name, const ArgList* set, const ArgList* search, char path[PATH_SIZE],
               plSpec** spec);
// Warns about soft bodies that start under a floor, inside each other, or with a size that suggests
// millimetres.
void warn_soft_start(const plModel* model);
// The frame of a recording nearest to a time (s, NaN: the last frame); -1 and an error if there is none near.
int frame_near(const plReplay* replay, const char* option, double time, plError* error);
// Whether text ends with `end`; upper and lower case are the same.
bool ends_with(const char* text, const char* end);
// True for `info`, which lists robots' meshes that cannot be read instead of refusing the file.
extern bool scene_missing_meshes;
extern double mesh_limit_mb;  // --mesh-limit
size_t mesh_limit(void);      // the same in bytes; 0: not given

// Rows of option tables that several commands have.
#define MESH_LIMIT_ARG \
  { "--mesh-limit", "MB", ARG_NUMBER, &mesh_limit_mb, "refuses mesh files larger than this; default 1074" }
#define SET_ARG(list)                                                            \
  {                                                                              \
    "--set", "KEY=VALUE", ARG_LIST, list,                                        \
        "overrides a value of the scene, e.g. options.dt=0.005; may be repeated" \
  }
#define SEARCH_ARG(list)                                                                      \
  {                                                                                           \
    "--search", "FOLDER", ARG_LIST, list,                                                     \
        "another folder to look for files that the scene or its robots name; may be repeated" \
  }

// ---- Ctrl-C

// From now on Ctrl-C (and SIGTERM) only makes interrupted() true. The second one ends the program at once.
void catch_interrupts(void);
bool interrupted(void);

// ---- subcommands

int new_main(int argc, char** argv);
int run_main(int argc, char** argv);
int view_main(int argc, char** argv);
int bench_main(int argc, char** argv);
int info_main(int argc, char** argv);
int mesh_main(int argc, char** argv);
int export_main(int argc, char** argv);
int sweep_main(int argc, char** argv);

// info on meshes and scenes (info_mesh.c, info_scene.c)
int info_mesh(const char* path, double scale);
int info_scene(const char* name, const ArgList* set, const ArgList* search, const char* json);
// info on robot files (info_robot.c)
int info_robot(const char* file, const ArgList* search, bool strict, const char* json);
// The report and its messages, used by `pliant mesh` too.
void print_mesh_report(const plMeshReport* report);

#endif

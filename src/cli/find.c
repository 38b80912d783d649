// find.c: scenes by path or by name (in the working folder, beside the source, in the installation), and
// frames by time.
#include <assert.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

enum { MOST_SCENES = 1000 };  // largest number of scenes listed

static bool is_file(const char* path) {
  struct stat info;
  return !stat(path, &info) && S_ISREG(info.st_mode);
}

const char* const* scene_folders(void) {
  // A relocated installation is found from the program's own path: PREFIX/bin/pliant ->
  // PREFIX/share/pliant/scenes.
  static char beside[PATH_SIZE];
  static const char* folders[5];
  if (folders[0]) return folders;
  int n = 0;
  folders[n++] = "scenes";
  folders[n++] = PLIANT_SOURCEDIR "/scenes";
  folders[n++] = PLIANT_DATADIR "/scenes";
  char exe[PATH_SIZE / 2];
  ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
  if (length > 0) {
    exe[length] = 0;
    char* slash = strrchr(exe, '/');
    if (slash) *slash = 0;
    snprintf(beside, sizeof beside, "%s/../share/pliant/scenes", exe);
    folders[n++] = beside;
  }
  return folders;
}

static int compare(const void* a, const void* b) { return strcmp(*(char* const*)a, *(char* const*)b); }

// The names of all scenes in the folders, sorted, each once; they stay.
static int list_names(char*** list) {
  static char* names[MOST_SCENES];
  static int n;
  *list = names;
  if (n) return n;
  int found = 0;
  for (const char* const* folder = scene_folders(); *folder; folder++) {
    DIR* dir = opendir(*folder);
    for (struct dirent* entry; dir && (entry = readdir(dir)) && found < MOST_SCENES;) {
      size_t length = strlen(entry->d_name);
      if (length <= 5 || strcmp(entry->d_name + length - 5, ".yaml")) continue;
      names[found] = strdup(entry->d_name);
      if (names[found]) names[found++][length - 5] = 0;
    }
    if (dir) closedir(dir);
  }
  qsort(names, (size_t)found, sizeof *names, compare);
  for (int i = 0; i < found; i++) {
    if (n && !strcmp(names[i], names[n - 1]))
      free(names[i]);
    else
      names[n++] = names[i];
  }
  return n;
}

void scene_list(FILE* out) {
  char** names;
  int n = list_names(&names);
  for (int i = 0; i < n; i++) say(out, "%s\n", names[i]);
}

static void complain_no_scene(const char* name) {
  char** names;
  int n = list_names(&names);
  const char* near = pl_nearest_word(name, (const char* const*)names, n);
  if (near)
    complain("there is no scene '%s'; did you mean '%s'?", name, near);
  else
    complain("there is no scene '%s'; `pliant info --scenes` lists those that can be found by name", name);
}

// Finds a scene: the path itself, or NAME in scenes/ of the working folder, of the source, of the
// installation. False if there is none; a message was printed.
static bool scene_find(const char* name, char path[PATH_SIZE]) {
  snprintf(path, PATH_SIZE, "%s", name);
  if (is_file(path)) return true;
  bool plain = name[0] && !strchr(name, '/');
  for (const char* const* folder = scene_folders(); plain && *folder; folder++) {
    snprintf(path, PATH_SIZE, "%s/%s.yaml", *folder, name);
    if (is_file(path)) return true;
    snprintf(path, PATH_SIZE, "%s/%s", *folder, name);
    if (is_file(path)) return true;
  }
  struct stat info;
  if (!stat(name, &info))
    complain("'%s' is a %s; a scene is read from a plain file", name,
             S_ISDIR(info.st_mode)    ? "folder"
             : S_ISFIFO(info.st_mode) ? "pipe"
                                      : "device");
  else if (plain && !strchr(name, '.'))
    complain_no_scene(name);
  else
    complain("there is no file '%s'", name);
  return false;
}

void scene_name(const char* path, char* name, size_t size) {
  const char* slash = strrchr(path, '/');
  snprintf(name, size, "%s", slash ? slash + 1 : path);
  char* dot = strrchr(name, '.');
  if (dot && dot != name) *dot = 0;
}

bool ends_with(const char* text, const char* end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && !strcasecmp(text + n - m, end);
}

double mesh_limit_mb;
bool scene_missing_meshes;

size_t mesh_limit(void) { return mesh_limit_mb > 0 ? (size_t)fmin(mesh_limit_mb * 1e6, 1e18) : 0; }
bool load_strict;

int scene_load(const char* name, const ArgList* set, const ArgList* search, char path[PATH_SIZE],
               plSpec** spec) {
  *spec = NULL;
  if (!scene_find(name, path)) return EXIT_BAD_INPUT;
  if (ends_with(path, ".plrec")) {
    complain(
        "%s is a recording, not a scene; `pliant view %s` shows it, `pliant run SCENE --load %s` continues "
        "from it",
        path, path, path);
    return EXIT_BAD_INPUT;
  }

  if (pl_is_robot_file(path)) {
    char stem[256];
    scene_name(path, stem, sizeof stem);
    complain(
        "%s is a robot, not a scene; `pliant info %s` shows it, and a scene of three lines runs it: 'pliant: "
        "1', "
        "'robots:', '  - {name: %s, file: %s}'",
        path, path, stem, path);
    return EXIT_BAD_INPUT;
  }
  // Splits "options.dt=0.005" in two.
  static char text[ARG_LIST_MAX][1024];
  plOverride overrides[ARG_LIST_MAX];
  for (int i = 0; i < set->n; i++) {
    size_t length = strlen(set->item[i]);
    if (length >= sizeof text[i]) {
      complain("--set takes at most %zu characters, '%.40s...' has %zu", sizeof text[i] - 1, set->item[i],
               length);
      return EXIT_BAD_INPUT;
    }
    char* equals = strchr(strcpy(text[i], set->item[i]), '=');
    if (!equals) {
      complain("--set takes KEY=VALUE, e.g. options.dt=0.005, got '%.200s'", set->item[i]);
      return EXIT_BAD_INPUT;
    }
    *equals = 0;
    overrides[i] = (plOverride){text[i], equals + 1};
  }

  const char* folders[ARG_LIST_MAX + 6];
  int nfolder = 0;
  for (int i = 0; search && i < search->n; i++) folders[nfolder++] = search->item[i];
  folders[nfolder++] = ".";
  for (const char* const* folder = scene_folders(); *folder; folder++) folders[nfolder++] = *folder;
  assert(nfolder <= (int)(sizeof folders / sizeof *folders));
  plLoadOptions options = {.overrides = overrides,
                           .noverride = set->n,
                           .search = folders,
                           .nsearch = nfolder,
                           .warn = print_warning,
                           .ignore_missing_meshes = scene_missing_meshes,
                           .max_mesh_bytes = mesh_limit(),
                           .strict = load_strict};
  plError error;
  return pl_spec_load(path, &options, spec, &error) ? complain_error(&error) : EXIT_DONE;
}

int frame_near(const plReplay* replay, const char* option, double time, plError* error) {
  int n = pl_replay_info(replay)->nframe, frame = isnan(time) ? n - 1 : pl_replay_nearest(replay, time);
  double first = pl_replay_time(replay, 0), last = pl_replay_time(replay, n - 1),
         apart = n > 1 ? (last - first) / (n - 1) : INFINITY;
  *error = (plError){.status = PL_ERROR_INPUT};
  if (n == 0)
    snprintf(error->message, sizeof error->message, "the recording has no complete frame");
  else if (!isnan(time) && !(fabs(pl_replay_time(replay, frame) - time) <= apart))
    snprintf(error->message, sizeof error->message,
             "the recording runs from %g s to %g s; %s %g lies outside", first, last, option, time);
  else
    return frame;
  return -1;
}

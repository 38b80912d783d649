// corpus.c: the first inputs of the fuzzers: corpus FOLDER writes FOLDER/fuzz_mesh/... and so on.
//
// Meshes and robots are the seeds of the tests; more robots, and scenes, are the files of the source tree.
#include <dirent.h>
#include <sys/stat.h>

#include "input/mesh_seeds.h"
#include "input/robot_seeds.h"

static const char* folder;

static void put(const char* fuzzer, const char* name, const void* bytes, size_t size) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, fuzzer);
  mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/%s/%s", folder, fuzzer, name);
  FILE* file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) {
    fprintf(stderr, "corpus: %s cannot be written\n", path);
    exit(1);
  }
}

// The first byte is the index of the format in fuzz_mesh.c's list.
static void put_meshes(void) {
  static const char* const ends[] = {".vtk", ".vtu",  ".msh", ".mesh", ".obj", ".stl",
                                     ".ply", ".gltf", ".glb", ".node", ".dae"};
  Seed seed[SEEDS];
  make_seeds(seed);
  for (int i = 0; i < SEEDS; i++)
    for (unsigned char k = 0; k < sizeof ends / sizeof *ends; k++) {
      if (strcmp(strrchr(seed[i].name, '.'), ends[k])) continue;
      Seed s = {0};
      seed_bytes(&s, &k, 1);
      seed_bytes(&s, seed[i].bytes, seed[i].size);
      put("fuzz_mesh", seed[i].name, s.bytes, s.size);
      free(s.bytes);
    }
  free_seeds(seed);
}

// The files of a folder of the source tree, those of at most 64 kB.
static void put_files(const char* fuzzer, const char* from) {
  char path[4096];
  static char bytes[1 << 16];
  DIR* list = opendir(from);
  for (struct dirent* entry; list && (entry = readdir(list));) {
    snprintf(path, sizeof path, "%s/%s", from, entry->d_name);
    struct stat info;
    FILE* file = !stat(path, &info) && S_ISREG(info.st_mode) && info.st_size <= (off_t)sizeof bytes
                     ? fopen(path, "rb")
                     : NULL;
    if (!file) continue;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    put(fuzzer, entry->d_name, bytes, size);
  }
  if (list) closedir(list);
}

int main(int argc, char** argv) {
  if (argc != 2) return fprintf(stderr, "usage: corpus FOLDER\n"), 2;
  folder = argv[1];
  mkdir(folder, 0777);
  put_meshes();
  for (int i = 0; i < 3; i++) put("fuzz_robot", robot_seed_names[i], robot_seeds[i], strlen(robot_seeds[i]));
  put_files("fuzz_robot", PLIANT_SOURCEDIR "/scenes/robots");
  put_files("fuzz_scene", PLIANT_SOURCEDIR "/scenes");
  return 0;
}

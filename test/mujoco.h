// mujoco.h: MuJoCo (Debian: libmujoco-dev, which tools/setup test installs), loaded at run time. Include it
// where <mujoco/mujoco.h> exists.
#ifndef PL_TEST_MUJOCO_H
#define PL_TEST_MUJOCO_H

#include <dlfcn.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>

static struct {
  mjModel* (*load)(const char*, const mjVFS*, char*, int);
  mjData* (*make)(const mjModel*);
  void (*forward)(const mjModel*, mjData*);
  void (*inverse)(const mjModel*, mjData*);
  void (*step)(const mjModel*, mjData*);
  void (*post)(const mjModel*, mjData*);
  void (*full)(const mjModel*, mjtNum*, const mjtNum*);
  void (*free_model)(mjModel*);
  void (*free_data)(mjData*);
  const char* (*name)(const mjModel*, int, int);
  const char* (*version)(void);
} mj;

// False if the library or one of the functions is missing.
static bool open_mujoco(void) {
  static const struct {
    void* function;
    const char* name;
  } wanted[] = {{&mj.load, "mj_loadXML"},
                {&mj.make, "mj_makeData"},
                {&mj.forward, "mj_forward"},
                {&mj.inverse, "mj_inverse"},
                {&mj.step, "mj_step"},
                {&mj.post, "mj_rnePostConstraint"},
                {&mj.full, "mj_fullM"},
                {&mj.free_model, "mj_deleteModel"},
                {&mj.free_data, "mj_deleteData"},
                {&mj.name, "mj_id2name"},
                {&mj.version, "mj_versionString"}};
  void* library = dlopen("libmujoco.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libmujoco.so.2.2.2", RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; library && i < sizeof wanted / sizeof *wanted; i++) {
    void* symbol = dlsym(library, wanted[i].name);
    if (!symbol) return false;
    *(void**)wanted[i].function = symbol;
  }
  return library != NULL;
}

#endif

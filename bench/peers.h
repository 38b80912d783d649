// peers.h: finds and loads the peers of bench/cholesky at run time.
//
// Two traps are avoided (both cost the peers a factor of 2 and more, silently): OpenBLAS may not know the
// processor, so the program starts itself again with OPENBLAS_CORETYPE set to the kernels that suit CHOLMOD
// best; and Debian's CHOLMOD asks for 4 OpenMP threads whatever OMP_NUM_THREADS says, so OMP_THREAD_LIMIT is
// set as well.
#ifndef PL_BENCH_PEERS_H
#define PL_BENCH_PEERS_H

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peers/peer.h"

typedef struct Peers {
  const Peer *cholmod, *mumps;  // NULL where absent
  const char* blas;             // OpenBLAS' kernels, or "" if another BLAS is used
} Peers;

static void* load_any(const char* const* names) {
  void* handle = NULL;
  for (; *names && !handle; names++) handle = dlopen(*names, RTLD_NOW | RTLD_GLOBAL);
  return handle;
}

// The module of that name beside the program.
static const Peer* load_module(const char* name) {
  char path[PATH_MAX + 64];
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (length <= 0) return NULL;
  path[length] = 0;
  char* slash = strrchr(path, '/');
  if (!slash) return NULL;
  snprintf(slash + 1, 64, "peers/peer_%s.so", name);
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return handle ? (const Peer*)dlsym(handle, "peer") : NULL;
}

static Peers peers_load(void) {
  static const char* const blas[] = {"libopenblas.so.0", NULL};
  static const char* const cholmod[] = {"libcholmod.so.3", "libcholmod.so.4", "libcholmod.so.5", NULL};
  static const char* const mumps[] = {"libdmumps_seq-5.5.so", "libdmumps_seq-5.6.so", "libdmumps_seq-5.7.so",
                                      "libdmumps_seq.so", NULL};
  Peers peers = {NULL, NULL, ""};
  void* handle = load_any(blas);
  if (handle) {
    // a pointer to a function cannot be cast from one to an object in ISO C
    char* (*corename)(void) = NULL;
    void* symbol = dlsym(handle, "openblas_get_corename");
    memcpy(&corename, &symbol, sizeof corename);
    peers.blas = corename ? corename() : "OpenBLAS";
  }
  if (load_any(cholmod)) peers.cholmod = load_module("cholmod");
  if (load_any(mumps)) peers.mumps = load_module("mumps");
  return peers;
}

static void peers_environment(int nthread, const char* coretype) {
  char text[16];
  snprintf(text, sizeof text, "%d", nthread);
  setenv("OMP_NUM_THREADS", text, 1);
  setenv("OMP_THREAD_LIMIT", text, 1);
  setenv("OPENBLAS_NUM_THREADS", text, 1);
  if (coretype) setenv("OPENBLAS_CORETYPE", coretype, 1);
}

#endif

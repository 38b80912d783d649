// thread.c: threads that block all signals.
#include "thread.h"

#include <signal.h>

bool pl_view_thread(pthread_t* thread, void* (*run)(void*), void* user) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool good = !pthread_create(thread, NULL, run, user);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return good;
}

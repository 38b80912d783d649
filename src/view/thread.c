// thread.c: threads that block all signals, and conditions.
#include "thread.h"

#include <signal.h>
#include <time.h>

bool pl_view_thread(pthread_t* thread, void* (*run)(void*), void* user) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool good = !pthread_create(thread, NULL, run, user);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return good;
}

void pl_view_condition(pthread_mutex_t* lock, pthread_cond_t* condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(lock, NULL);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

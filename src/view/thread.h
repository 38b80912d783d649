// thread.h: threads that block all signals, which are for the program's own threads; conditions they wait
// for.
#ifndef PL_VIEW_THREAD_H
#define PL_VIEW_THREAD_H

#include <pthread.h>
#include <stdbool.h>

// False if it could not be created.
bool pl_view_thread(pthread_t* thread, void* (*run)(void*), void* user);
// A lock and a condition whose timed waits use CLOCK_MONOTONIC: setting the system's time does not affect
// them.
void pl_view_condition(pthread_mutex_t* lock, pthread_cond_t* condition);

#endif

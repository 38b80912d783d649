// thread.h: threads that are sent no signals: those are for the program's own.
#ifndef PL_VIEW_THREAD_H
#define PL_VIEW_THREAD_H

#include <pthread.h>
#include <stdbool.h>

// False if there is none to be had.
bool pl_view_thread(pthread_t* thread, void* (*run)(void*), void* user);

#endif

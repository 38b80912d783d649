// thread.h: threads that block all signals, which are for the program's own threads.
#ifndef PL_VIEW_THREAD_H
#define PL_VIEW_THREAD_H

#include <pthread.h>
#include <stdbool.h>

// False if it could not be created.
bool pl_view_thread(pthread_t* thread, void* (*run)(void*), void* user);

#endif

// parallel.c: a pool of threads that spin a little, then sleep.
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/memory.h"

enum {
  SPIN = 2000,
  OPEN = 1 << 30
};  // rounds of spinning before a worker sleeps: about 20 us; see plPool.door

struct plPool {
  int size;
  int started;         // threads that run, the caller's included
  int forks;           // of the process when they were started
  pthread_t* threads;  // [size - 1]
  pthread_mutex_t lock;
  pthread_cond_t wake;
  atomic_int epoch;  // grows with each loop
  atomic_int door;   // workers inside the loop at hand, plus OPEN while others may enter
  atomic_int next;   // first index not yet handed out
  atomic_bool stop;
  // the loop at hand
  plLoopBody* body;
  void* context;
  int n, grain;
};

typedef struct Worker {
  plPool* pool;
  int index;
} Worker;

static inline void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

static void work(plPool* pool, int worker) {
  for (;;) {
    int begin = atomic_fetch_add_explicit(&pool->next, pool->grain, memory_order_relaxed);
    if (begin >= pool->n) return;
    int end = pool->n - begin > pool->grain ? begin + pool->grain : pool->n;
    pool->body(pool->context, begin, end, worker);
  }
}

// Enters the loop at hand, unless it is over: a worker that waited for its processor comes too late, and
// nobody waits for it.
static bool enter(plPool* pool) {
  int door = atomic_load_explicit(&pool->door, memory_order_acquire);
  while (door & OPEN)
    if (atomic_compare_exchange_weak_explicit(&pool->door, &door, door + 1, memory_order_acquire,
                                              memory_order_acquire))
      return true;
  return false;
}

static void* worker_main(void* argument) {
  Worker me = *(Worker*)argument;
  pl_free(argument);
  plPool* pool = me.pool;
  int seen = 0;
  for (;;) {
    for (int i = 0; i < SPIN && atomic_load_explicit(&pool->epoch, memory_order_acquire) == seen; i++)
      relax();
    if (atomic_load_explicit(&pool->epoch, memory_order_acquire) == seen) {
      pthread_mutex_lock(&pool->lock);
      while (atomic_load_explicit(&pool->epoch, memory_order_acquire) == seen)
        pthread_cond_wait(&pool->wake, &pool->lock);
      pthread_mutex_unlock(&pool->lock);
    }
    seen = atomic_load_explicit(&pool->epoch, memory_order_acquire);
    if (pool->stop) return NULL;
    if (!enter(pool)) continue;
    work(pool, me.index);
    atomic_fetch_sub_explicit(&pool->door, 1, memory_order_release);
  }
}

// Starts a new epoch: everything written to the pool before is seen by the workers after.
static void start_epoch(plPool* pool) {
  pthread_mutex_lock(&pool->lock);
  atomic_fetch_add_explicit(&pool->epoch, 1, memory_order_release);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
}

// ---- fork: the child of a process has none of its threads

static atomic_int forks;  // how many forks led to this process since the first pool was made
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;

static void count_fork(void) { atomic_fetch_add(&forks, 1); }
static void watch_forks(void) { pthread_atfork(NULL, NULL, count_fork); }

// As many threads as the pool's size asks for, or as can be had.
static void start_threads(plPool* pool) {
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  atomic_store(&pool->epoch, 0);
  atomic_store(&pool->door, 0);
  pool->forks = atomic_load(&forks);
  pool->started = 1;
  for (int i = 1; i < pool->size; i++) {
    Worker* worker = PL_NEW(Worker, 1);
    if (!worker) break;
    *worker = (Worker){pool, i};
    if (pthread_create(&pool->threads[i - 1], NULL, worker_main, worker)) {
      pl_free(worker);
      break;
    }
    pool->started++;
  }
}

plPool* pl_pool_create(int nthread) {
  if (nthread <= 1) return NULL;
  pthread_once(&watch_once, watch_forks);
  plPool* pool = PL_NEW(plPool, 1);
  if (!pool) return NULL;
  pool->threads = PL_NEW(pthread_t, nthread - 1);
  if (!pool->threads) {
    pl_free(pool);
    return NULL;
  }
  pool->size = nthread;
  start_threads(pool);
  pool->size = pool->started;
  return pool;
}

void pl_pool_destroy(plPool* pool) {
  if (!pool) return;
  if (pool->forks == atomic_load(&forks)) {
    pool->stop = true;
    start_epoch(pool);
    for (int i = 1; i < pool->started; i++) pthread_join(pool->threads[i - 1], NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->wake);
  }
  pl_free(pool->threads);
  pl_free(pool);
}

int pl_pool_size(const plPool* pool) { return pool ? pool->size : 1; }

void pl_parallel_for(plPool* pool, int n, int grain, plLoopBody* body, void* context) {
  if (n <= 0) return;
  if (grain < 1) grain = 1;
  if (!pool || pool->size == 1 || n <= grain) {
    body(context, 0, n, 0);
    return;
  }
  if (pool->forks != atomic_load(&forks)) start_threads(pool);
  // A few pieces per thread even out the load; a piece is never smaller than the grain.
  int piece = n / (4 * pool->size);
  pool->grain = piece > grain ? piece : grain;
  pool->n = n;
  pool->body = body;
  pool->context = context;
  atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
  atomic_store_explicit(&pool->door, OPEN, memory_order_release);
  start_epoch(pool);
  work(pool, 0);
  atomic_fetch_and_explicit(&pool->door, ~OPEN, memory_order_acq_rel);
  // A worker inside may have lost its processor: after a while the caller offers its own.
  for (int i = 0; atomic_load_explicit(&pool->door, memory_order_acquire) > 0; i++) {
    if (i < SPIN)
      relax();
    else
      sched_yield();
  }
}

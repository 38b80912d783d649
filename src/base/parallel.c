// parallel.c: a pool of threads that spin briefly, then sleep, each on a word of its own: a loop wakes the
// threads that it wants, and each of them wakes two more.
#include "base/parallel.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/parallel_auto.h"
#include "base/timer.h"

enum {
  SPIN = 2000,     // rounds of spinning: 20 to 90 us
  YIELDS = 2000,   // then a worker offers its processor this often before it sleeps: about 1 ms
  OPEN = 1 << 30,  // see plPool.door
  NO_JOB = 0,      // see plPool.job
  OFFERED,
  TAKEN,
  DONE,
  LINE = 64
};

typedef struct Worker {
  plPool* pool;
  int index;
} Worker;

// Pieces of a loop: next .. end - 1, in cache lines of their own.
typedef struct Share {
  atomic_int next;
  int end;
  char apart[2 * LINE - 2 * sizeof(int)];
} Share;

struct plPool {
  int size;
  int started;         // threads that run, the caller's included
  int forks;           // number of forks of the process when they were started
  pthread_t* threads;  // [size - 1]
  Worker* worker;      // [size]
  atomic_int* asleep;  // [size] the worker sleeps
  plCrew* by_itself;   // decides the number of threads; NULL: all of them
  // Words that many threads write, each in a cache line of its own.
  _Alignas(LINE) atomic_int epoch;   // grows with each loop
  _Alignas(LINE) atomic_int door;    // workers inside the present loop, plus OPEN while others may enter
  _Alignas(LINE) atomic_llong busy;  // ns of all workers in the present loop
  _Alignas(LINE) atomic_int job;     // what pl_pool_aside started: NO_JOB, OFFERED, TAKEN or DONE
  plLoopBody* job_body;
  void* job_context;
  // the present loop
  _Alignas(LINE) plLoopBody* body;
  void* context;
  int n, grain;     // indices, and how many of them are a piece
  int nshare;       // 1, or one share for each worker
  Share* share;     // [size]
  atomic_int crew;  // workers 0 .. crew-1 are wanted
  atomic_bool stop;
  atomic_bool calm;  // the present step runs on the caller alone: nobody spins
};

static _Thread_local bool inside;  // this thread runs the body of a loop

static inline void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Each worker begins with its own share. Loops over the same indices thus lead to the same thread, whose
// cache holds what the previous loop wrote there. Then it helps the others.
static void take_pieces(plPool* pool, int worker) {
  inside = true;
  for (int k = 0; k < pool->nshare; k++) {
    Share* share = &pool->share[(worker + k) % pool->nshare];
    while (atomic_load_explicit(&share->next, memory_order_relaxed) < share->end) {
      int piece = atomic_fetch_add_explicit(&share->next, 1, memory_order_relaxed);
      if (piece >= share->end) break;
      int begin = piece * pool->grain;
      int end = pool->n - begin > pool->grain ? begin + pool->grain : pool->n;
      pool->body(pool->context, begin, end, worker);
    }
  }
  inside = false;
}

static void work(plPool* pool, int worker) {
  double start = pool->by_itself ? pl_now() : 0;
  take_pieces(pool, worker);
  if (pool->by_itself)
    atomic_fetch_add_explicit(&pool->busy, (long long)(1e9 * (pl_now() - start)), memory_order_relaxed);
}

// ---- sleep

static void sleep_until(plPool* pool, int worker, int seen) {
  atomic_int* word = &pool->asleep[worker];
  atomic_store(word, 1);
  // Either this thread sees the new epoch, or the thread that started the epoch sees the word.
  while (atomic_load(&pool->epoch) == seen && atomic_load(word))
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
  atomic_store(word, 0);
}

// Waits for the next loop without sleep: waking a worker takes longer than most parts of a step that run on
// the caller alone. Where other programs want the processor, they get it.
static void wait_awake(const plPool* pool, int seen) {
  for (int i = 0; i < SPIN + YIELDS; i++) {
    if (atomic_load_explicit(&pool->epoch, memory_order_acquire) != seen) return;
    if (atomic_load_explicit(&pool->calm, memory_order_relaxed)) return;
    if (i < SPIN)
      relax();
    else
      sched_yield();
  }
}

static void wake(plPool* pool, int worker) {
  if (atomic_load(&pool->asleep[worker]) && atomic_exchange(&pool->asleep[worker], 0))
    syscall(SYS_futex, &pool->asleep[worker], FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// The two workers that a worker wakes, so that the caller does not wake them all.
static void wake_next(plPool* pool, int worker) {
  int crew = atomic_load_explicit(&pool->crew, memory_order_relaxed);
  for (int i = 2 * worker + 1; i <= 2 * worker + 2 && i < crew; i++) wake(pool, i);
}

// Enters the present loop, unless it has ended: a worker that wakes too late is not waited for.
static bool enter(plPool* pool) {
  int door = atomic_load_explicit(&pool->door, memory_order_acquire);
  while (door & OPEN)
    if (atomic_compare_exchange_weak_explicit(&pool->door, &door, door + 1, memory_order_acquire,
                                              memory_order_acquire))
      return true;
  return false;
}

// Whether this thread is the one that runs the job.
static bool take_job(plPool* pool) {
  int offered = OFFERED;
  return atomic_load_explicit(&pool->job, memory_order_relaxed) == OFFERED &&
         atomic_compare_exchange_strong_explicit(&pool->job, &offered, TAKEN, memory_order_acquire,
                                                 memory_order_relaxed);
}

static void run_job(plPool* pool, int worker) {
  inside = true;
  pool->job_body(pool->job_context, 0, 1, worker);
  inside = false;
  atomic_store_explicit(&pool->job, DONE, memory_order_release);
}

static void* worker_main(void* argument) {
  Worker me = *(const Worker*)argument;
  plPool* pool = me.pool;
  int seen = 0;
  for (;;) {
    wait_awake(pool, seen);
    while (atomic_load_explicit(&pool->epoch, memory_order_acquire) == seen)
      sleep_until(pool, me.index, seen);
    seen = atomic_load_explicit(&pool->epoch, memory_order_acquire);
    wake_next(pool, me.index);
    if (pool->stop) return NULL;
    if (take_job(pool)) run_job(pool, me.index);
    if (me.index >= atomic_load_explicit(&pool->crew, memory_order_relaxed) || !enter(pool)) continue;
    work(pool, me.index);
    atomic_fetch_sub_explicit(&pool->door, 1, memory_order_release);
  }
}

// Starts a new epoch: all earlier writes to the pool are visible to the workers.
static void start_epoch(plPool* pool) {
  atomic_fetch_add(&pool->epoch, 1);
  wake_next(pool, 0);
}

// ---- fork: the child of a process has none of its threads

static atomic_int forks;  // number of forks that led to this process since the first pool was created
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;

static void count_fork(void) { atomic_fetch_add(&forks, 1); }
static void watch_forks(void) { pthread_atfork(NULL, NULL, count_fork); }

// Starts as many threads as the pool's size asks for, or as many as possible.
static void start_threads(plPool* pool) {
  for (int i = 0; i < pool->size; i++) atomic_store(&pool->asleep[i], 0);
  atomic_store(&pool->epoch, 0);
  atomic_store(&pool->door, 0);
  atomic_store(&pool->job, NO_JOB);
  pool->forks = atomic_load(&forks);
  pool->started = 1;
  for (int i = 1; i < pool->size; i++) {
    pool->worker[i] = (Worker){pool, i};
    if (pthread_create(&pool->threads[i - 1], NULL, worker_main, &pool->worker[i])) break;
    pool->started++;
  }
}

int pl_processors(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  int n = sched_getaffinity(0, sizeof set, &set) ? (int)sysconf(_SC_NPROCESSORS_ONLN) : CPU_COUNT(&set);
  return n > 0 ? n : 1;
}

static void free_pool(plPool* pool) {
  pl_free(pool->threads), pl_free(pool->worker), pl_free(pool->asleep), pl_free(pool->by_itself);
  pl_free(pool->share);
  pl_free(pool);
}

plPool* pl_pool_create(int nthread) {
  bool by_itself = nthread == 0;
  if (by_itself) nthread = pl_processors();
  if (nthread <= 1) return NULL;
  pthread_once(&watch_once, watch_forks);
  plPool* pool = PL_NEW(plPool, 1);
  if (!pool) return NULL;
  pool->size = nthread;
  pool->threads = PL_NEW(pthread_t, nthread - 1);
  pool->worker = PL_NEW(Worker, nthread);
  pool->asleep = PL_NEW(atomic_int, nthread);
  pool->share = PL_NEW(Share, nthread);
  if (by_itself) pool->by_itself = PL_NEW(plCrew, 1);
  if (!pool->threads || !pool->worker || !pool->asleep || !pool->share || (by_itself && !pool->by_itself)) {
    free_pool(pool);
    return NULL;
  }
  pool->forks = atomic_load(&forks);
  if (by_itself) {
    pl_crew_init(pool->by_itself, nthread);
  } else {
    start_threads(pool);
    pool->size = pool->started;
  }
  return pool;
}

void pl_pool_destroy(plPool* pool) {
  if (!pool) return;
  if (pool->forks == atomic_load(&forks) && pool->started) {
    pool->stop = true;
    atomic_fetch_add(&pool->epoch, 1);
    // a worker that sees the end during an earlier loop does not wake others
    for (int i = 1; i < pool->started; i++) wake(pool, i);
    for (int i = 1; i < pool->started; i++) pthread_join(pool->threads[i - 1], NULL);
  }
  free_pool(pool);
}

int pl_pool_size(const plPool* pool) { return pool && !inside ? pool->size : 1; }

// ---- steps

plPool* pl_pool_begin(plPool* pool) {
  if (!pool || !pool->by_itself) return pool;
  pl_crew_begin(pool->by_itself, pl_now());
  bool alone = pool->by_itself->size <= 1;
  atomic_store_explicit(&pool->calm, alone, memory_order_relaxed);
  return alone ? NULL : pool;
}

void pl_pool_end(plPool* pool) {
  if (pool && pool->by_itself) pl_crew_end(pool->by_itself, pl_now());
}

// ---- loops

// even: the indices cost about the same. Otherwise pieces are handed out in their order, the first ones
// first.
static void share_out(plPool* pool, int crew, bool even) {
  int all = (pool->n - 1) / pool->grain + 1;
  pool->nshare = even ? crew : 1;
  for (int k = 0; k < pool->nshare; k++) {
    atomic_store_explicit(&pool->share[k].next, (int)((long)all * k / pool->nshare), memory_order_relaxed);
    pool->share[k].end = (int)((long)all * (k + 1) / pool->nshare);
  }
}

static void run_loop(plPool* pool, int crew, int n, int grain, bool even, plLoopBody* body, void* context) {
  if (pool->forks != atomic_load(&forks) || !pool->started) start_threads(pool);
  if (crew > pool->started) crew = pool->started;
  // A few pieces per thread balance the load; a piece is never smaller than the grain.
  int piece = n / (4 * crew);
  pool->grain = piece > grain ? piece : grain;
  pool->n = n;
  pool->body = body;
  pool->context = context;
  share_out(pool, crew, even);
  atomic_store_explicit(&pool->crew, crew, memory_order_relaxed);
  atomic_store_explicit(&pool->busy, 0, memory_order_relaxed);
  atomic_store_explicit(&pool->door, OPEN, memory_order_release);
  start_epoch(pool);
  work(pool, 0);
  atomic_fetch_and_explicit(&pool->door, ~OPEN, memory_order_acq_rel);
  // A worker in the loop may be descheduled: after a while the caller yields its processor.
  for (int i = 0; atomic_load_explicit(&pool->door, memory_order_acquire) > 0; i++) {
    if (i < SPIN)
      relax();
    else
      sched_yield();
  }
}

static void run(plPool* pool, int n, int grain, double amount, bool even, plLoopBody* body, void* context) {
  if (n <= 0) return;
  if (grain < 1) grain = 1;
  if (!pool || inside || pool->size == 1 || n <= grain) {
    body(context, 0, n, 0);
    return;
  }
  if (!pool->by_itself) {
    run_loop(pool, pool->size, n, grain, even, body, context);
    return;
  }
  plLoopKind* kind = pl_crew_kind(pool->by_itself, body, amount);
  int crew = pl_crew_for(pool->by_itself, kind, amount);
  if (crew > 1) {
    run_loop(pool, crew, n, grain, even, body, context);
    pl_crew_learn(kind, amount, 1e-9 * (double)atomic_load(&pool->busy));
  } else {
    double start = pl_now();
    body(context, 0, n, 0);
    pl_crew_learn(kind, amount, pl_now() - start);
  }
}

// ---- beside the caller

void pl_pool_aside(plPool* pool, plLoopBody* body, void* context) {
  if (!pool || inside || pool->size == 1) {
    body(context, 0, 1, 0);
    return;
  }
  if (pool->forks != atomic_load(&forks) || !pool->started) start_threads(pool);
  pl_pool_join(pool);
  if (pool->by_itself) pool->by_itself->shared = true;
  pool->job_body = body, pool->job_context = context;
  atomic_store_explicit(&pool->crew, 2, memory_order_relaxed);  // wake one
  atomic_store_explicit(&pool->job, OFFERED, memory_order_release);
  start_epoch(pool);
}

void pl_pool_join(plPool* pool) {
  if (!pool || inside || atomic_load_explicit(&pool->job, memory_order_relaxed) == NO_JOB) return;
  if (take_job(pool)) run_job(pool, 0);
  for (int i = 0; atomic_load_explicit(&pool->job, memory_order_acquire) != DONE; i++) {
    if (i < SPIN)
      relax();
    else
      sched_yield();
  }
  atomic_store_explicit(&pool->job, NO_JOB, memory_order_relaxed);
}

void pl_parallel_for(plPool* pool, int n, int grain, plLoopBody* body, void* context) {
  run(pool, n, grain, n, true, body, context);
}

void pl_parallel_work(plPool* pool, int n, int grain, double amount, plLoopBody* body, void* context) {
  run(pool, n, grain, amount, false, body, context);
}

// memory.h: heap memory with overflow checks, an allocation count for tests and injected failures; and
// arenas.
//
// The library allocates through pl_alloc alone. A test may let the n-th allocation fail
// (pl_alloc_fail_after), and reads how many were made (pl_alloc_count). Memory is zeroed and aligned to 64
// bytes.
#ifndef PL_BASE_MEMORY_H
#define PL_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/poison.h"

// count * size zeroed bytes, 64-byte aligned; NULL if memory runs out or the product overflows. count 0 gives
// a valid pointer.
void* pl_alloc(size_t count, size_t size);
// The same, not zeroed: memory that is never used costs nothing.
void* pl_alloc_room(size_t count, size_t size);
// Grows to new_count, keeping the first old_count entries (the rest is zeroed); NULL leaves the old block as
// it was.
void* pl_realloc(void* block, size_t old_count, size_t new_count, size_t size);
void pl_free(void* block);
// A copy of text, NULL if memory runs out; NULL gives NULL.
char* pl_strdup(const char* text);
// A copy of the n entries of a list, NULL if n <= 0. If memory runs out, *failed becomes true.
void* pl_copy_list(const void* list, int n, size_t size, bool* failed);

long pl_alloc_count(void);  // allocations made so far by this thread
void pl_alloc_fail_after(
    long n);  // this thread's n-th allocation from now fails (and those after it); n < 0: never

// An arena: memory for one step. Blocks live until the next reset; a reset that finds more than one block
// joins them into one of the high-water mark, so that a steady step never allocates.
enum { PL_ALIGN = 64 };
typedef struct plArenaBlock {
  struct plArenaBlock* next;
  size_t size, used;
  char pad[PL_ALIGN - 2 * sizeof(size_t) - sizeof(void*)];
  // size bytes follow
} plArenaBlock;
typedef struct plArena {
  plArenaBlock* first;  // newest block
  size_t used, high;    // bytes in use now and at most since creation
  bool failed;          // an allocation failed since the last reset
  bool is_part;         // its memory belongs to another arena
} plArena;

void pl_arena_init(plArena* arena);
// A new block with room for so many bytes, which are then in use; NULL (and failed is set) if memory runs
// out.
void* pl_arena_grow(plArena* arena, size_t bytes);

// What an allocation of so many bytes takes.
static inline size_t pl_arena_bytes(size_t wanted) {
  return (((wanted ? wanted : 1) + PL_ALIGN - 1) & ~(size_t)(PL_ALIGN - 1)) + PL_POISON_GAP;
}

// count * size bytes aligned to 64, not zeroed; NULL (and failed is set) if memory runs out.
static inline void* pl_arena_alloc(plArena* arena, size_t count, size_t size) {
  size_t wanted, bytes;
  if (__builtin_mul_overflow(count, size, &wanted) || wanted > SIZE_MAX / 4)
    return arena->failed = true, NULL;
  bytes = pl_arena_bytes(wanted);
  plArenaBlock* block = arena->first;
  void* memory;
  if (block && block->size - block->used >= bytes) {
    memory = (char*)(block + 1) + block->used;
    block->used += bytes, arena->used += bytes;
    if (arena->used > arena->high) arena->high = arena->used;
  } else if (!(memory = pl_arena_grow(arena, bytes))) {
    return NULL;
  }
  PL_UNPOISON(memory, wanted);
  return memory;
}
// The same, zeroed: arrays that live as long as the arena's owner.
void* pl_keep(plArena* arena, size_t count, size_t size);
// Releases what was allocated since the mark was taken. The newest block is kept for what comes next.
typedef struct plArenaMark {
  plArenaBlock* block;
  size_t used, total;
} plArenaMark;
plArenaMark pl_arena_mark(const plArena* arena);
void pl_arena_release(plArena* arena, plArenaMark mark);
// An arena for another thread in memory of this one, with room for so many bytes (pl_arena_bytes); it does
// not grow and is not freed. False if memory runs out.
bool pl_arena_part(plArena* arena, size_t bytes, plArena* part);
void pl_arena_reset(plArena* arena);
void pl_arena_free(plArena* arena);

#define PL_NEW(type, count) ((type*)pl_alloc((size_t)(count), sizeof(type)))
#define PL_KEEP(arena, type, count) ((type*)pl_keep((arena), (size_t)(count), sizeof(type)))
#define PL_ARENA_NEW(arena, type, count) ((type*)pl_arena_alloc((arena), (size_t)(count), sizeof(type)))

// A growable array, kept as three variables: PL_PUSH(list, n, cap, value) is false if memory ran out.
bool pl_grow(void** list, int* cap, int n, size_t size);
#define PL_PUSH(list, n, cap, value)                                                                      \
  ((n) < (cap) || pl_grow((void**)&(list), &(cap), (n), sizeof *(list)) ? ((list)[(n)++] = (value), true) \
                                                                        : false)

#endif

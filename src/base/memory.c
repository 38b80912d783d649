// memory.c: the heap and arenas.
#include "base/memory.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const size_t HUGE_BLOCK = (size_t)1
                                 << 20;  // from this size on huge pages are requested from the kernel

static _Thread_local long alloc_count = 0;
static _Thread_local long fail_after = -1;

long pl_alloc_count(void) { return alloc_count; }
void pl_alloc_fail_after(long n) { fail_after = n; }

static size_t round_up(size_t bytes) { return (bytes + PL_ALIGN - 1) & ~(size_t)(PL_ALIGN - 1); }

static void* allocate(size_t bytes) {
  alloc_count++;
  if (fail_after >= 0 && fail_after-- == 0) {
    fail_after = 0;
    return NULL;
  }
  if (bytes > SIZE_MAX / 2) return NULL;
  size_t whole = round_up(bytes ? bytes : 1), huge = (size_t)2 << 20;
  if (whole >= HUGE_BLOCK) whole = (whole + huge - 1) / huge * huge;
  char* block = aligned_alloc(whole < HUGE_BLOCK ? PL_ALIGN : huge, whole);
  if (block && whole >= HUGE_BLOCK) (void)madvise(block, whole, MADV_HUGEPAGE);
  if (block) PL_POISON(block + bytes, whole - bytes);
  return block;
}

void* pl_alloc_room(size_t count, size_t size) {
  if (size && count > SIZE_MAX / 2 / size) return NULL;
  return allocate(count * size);
}

void* pl_alloc(size_t count, size_t size) {
  void* block = pl_alloc_room(count, size);
  if (block) memset(block, 0, count * size);
  return block;
}

void* pl_realloc(void* block, size_t old_count, size_t new_count, size_t size) {
  void* grown = pl_alloc(new_count, size);
  if (!grown) return NULL;
  if (block) memcpy(grown, block, (old_count < new_count ? old_count : new_count) * size);
  pl_free(block);
  return grown;
}

void pl_free(void* block) { free(block); }

char* pl_strdup(const char* text) {
  if (!text) return NULL;
  size_t n = strlen(text) + 1;
  char* copy = pl_alloc(n, 1);
  if (copy) memcpy(copy, text, n);
  return copy;
}

void* pl_copy_list(const void* list, int n, size_t size, bool* failed) {
  if (n <= 0) return NULL;
  void* copy = pl_alloc((size_t)n, size);
  if (copy)
    memcpy(copy, list, (size_t)n * size);
  else
    *failed = true;
  return copy;
}

bool pl_grow(void** list, int* cap, int n, size_t size) {
  if (n < *cap) return true;
  assert(n == *cap);  // a longer list would not fit into twice its room
  if (n >= INT_MAX / 2) return false;
  int wanted = *cap ? 2 * *cap : 16;
  void* grown = pl_realloc(*list, (size_t)n, (size_t)wanted, size);
  if (!grown) return false;
  *list = grown;
  *cap = wanted;
  return true;
}

// ---- arenas

void pl_arena_init(plArena* arena) { memset(arena, 0, sizeof *arena); }

static plArenaBlock* new_block(size_t bytes) {
  plArenaBlock* block = allocate(sizeof(plArenaBlock) + bytes);
  if (!block) return NULL;
  *block = (plArenaBlock){.size = bytes};
  PL_POISON(block + 1, bytes);
  return block;
}

bool pl_arena_part(plArena* arena, size_t bytes, plArena* part) {
  plArenaBlock* block = pl_arena_alloc(arena, 1, sizeof *block + bytes);
  if (!block) return false;
  *block = (plArenaBlock){.size = bytes};
  PL_POISON(block + 1, bytes);
  *part = (plArena){.first = block, .is_part = true};
  return true;
}

void* pl_arena_grow(plArena* arena, size_t bytes) {
  assert(!arena->is_part);  // its room was counted
  if (arena->is_part) return arena->failed = true, NULL;
  size_t wanted = arena->first ? 2 * arena->first->size : (size_t)64 << 10;
  plArenaBlock* block = new_block(bytes > wanted ? bytes : wanted);
  if (!block) return arena->failed = true, NULL;
  block->next = arena->first, block->used = bytes;
  arena->first = block;
  arena->used += bytes;
  if (arena->used > arena->high) arena->high = arena->used;
  return block + 1;
}

void* pl_keep(plArena* arena, size_t count, size_t size) {
  void* memory = pl_arena_alloc(arena, count, size);
  if (memory) memset(memory, 0, count * size);
  return memory;
}

plArenaMark pl_arena_mark(const plArena* arena) {
  return (plArenaMark){arena->first, arena->first ? arena->first->used : 0, arena->used};
}

void pl_arena_release(plArena* arena, plArenaMark mark) {
  plArenaBlock* newest = arena->first;
  if (newest && newest != mark.block) {
    while (newest->next != mark.block) {
      plArenaBlock* block = newest->next;
      assert(block != NULL);  // the mark is of this arena, and was not released before
      newest->next = block->next;
      free(block);
    }
    newest->used = 0;
  } else if (newest) {
    assert(mark.used <= newest->used);
    newest->used = mark.used;
  }
  if (newest) PL_POISON((char*)(newest + 1) + newest->used, newest->size - newest->used);
  arena->used = mark.total;
}

void pl_arena_reset(plArena* arena) {
  if (arena->first && arena->first->next) {
    // Joins the blocks into one of the high-water mark plus half of it: otherwise memory that grows step by
    // step would be joined again and again.
    size_t wanted = round_up(arena->high + arena->high / 2);
    size_t high = arena->high;
    pl_arena_free(arena);
    arena->first = new_block(wanted);
    arena->high = high;
  }
  if (arena->first) {
    arena->first->used = 0;
    PL_POISON(arena->first + 1, arena->first->size);
  }
  arena->used = 0;
  arena->failed = false;
}

void pl_arena_free(plArena* arena) {
  for (plArenaBlock *block = arena->first, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  memset(arena, 0, sizeof *arena);
}

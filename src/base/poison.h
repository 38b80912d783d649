// poison.h: marks memory that must not be accessed for the address sanitizer: unallocated memory of an arena,
// the gap after every piece of it, and the end of every heap block. An overrun of one element is then
// detected as on the heap. Without the sanitizer it does nothing.
#ifndef PL_BASE_POISON_H
#define PL_BASE_POISON_H

#if defined(__SANITIZE_ADDRESS__)
#define PL_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PL_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef PL_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
enum { PL_POISON_GAP = 64 };  // bytes after every piece of an arena, a multiple of the alignment
#define PL_POISON(at, bytes) ASAN_POISON_MEMORY_REGION((at), (bytes))
#define PL_UNPOISON(at, bytes) ASAN_UNPOISON_MEMORY_REGION((at), (bytes))
#else
enum { PL_POISON_GAP = 0 };
#define PL_POISON(at, bytes) ((void)(at), (void)(bytes))
#define PL_UNPOISON(at, bytes) ((void)(at), (void)(bytes))
#endif

#endif

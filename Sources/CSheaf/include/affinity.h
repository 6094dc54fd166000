// A system call that the C library hides from Swift, as in writeback.h.
#ifndef SHEAF_AFFINITY_H
#define SHEAF_AFFINITY_H

#include <errno.h>
#include <stddef.h>
#include <string.h>

#if defined(__linux__)
// Under a name of its own: with _GNU_SOURCE the library's header declares it with another type.
extern int sheaf_sched_getaffinity(int process, size_t size, void *set) __asm__("sched_getaffinity");
#endif

// How many processors this process is bound to; 0 where that is unknown.
static inline int sheaf_bound_processors(void) {
#if defined(__linux__)
    // The system refuses a set that has no room for all of the machine's processors.
    unsigned long set[2048];
    size_t words = 16;
    while (words <= sizeof set / sizeof *set) {
        memset(set, 0, sizeof set);
        if (sheaf_sched_getaffinity(0, words * sizeof *set, set) == 0) {
            int count = 0;
            for (size_t word = 0; word < words; word++) count += __builtin_popcountl(set[word]);
            return count;
        }
        if (errno != EINVAL) return 0;
        words *= 2;
    }
#endif
    return 0;
}

#endif

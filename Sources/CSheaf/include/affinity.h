// Declares a system call that the C library does not expose to Swift; see writeback.h.
#ifndef SHEAF_AFFINITY_H
#define SHEAF_AFFINITY_H

#include <errno.h>
#include <stddef.h>
#include <string.h>

#if defined(__linux__)
// Declared under another name, because with _GNU_SOURCE the library's header declares the function with a different
// type.
extern int sheaf_sched_getaffinity(int process, size_t size, void *set) __asm__("sched_getaffinity");
#endif

// Returns the number of processors that this process is bound to, or 0 if that is unknown.
static inline int sheaf_bound_processors(void) {
#if defined(__linux__)
    // The system rejects a set that is too small for all of the machine's processors.
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

#ifndef SHEAF_ALLOCATOR_H
#define SHEAF_ALLOCATOR_H

// Defines __GLIBC__ if the C library is glibc.
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Fixes the size in bytes from which glibc takes blocks directly from the system and returns them when they are
/// freed. By default, that size grows as blocks are freed. Does nothing with other C libraries.
static inline void sheaf_fix_large_blocks(int bytes) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, bytes);
#else
    (void)bytes;
#endif
}

#endif

#ifndef SHEAF_ALLOCATOR_H
#define SHEAF_ALLOCATOR_H

// Defines __GLIBC__ where it is the C library.
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Fixes the size from which glibc takes blocks from the system and gives them back when they are freed. By default it
/// grows with the blocks that are freed. Does nothing elsewhere.
static inline void sheaf_fix_large_blocks(int bytes) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, bytes);
#else
    (void)bytes;
#endif
}

#endif

// A system call that the C library hides from Swift: it wants _GNU_SOURCE, which Swift's view of it does not have.
#ifndef SHEAF_WRITEBACK_H
#define SHEAF_WRITEBACK_H

#include <stdint.h>

#if defined(__linux__)
extern int sync_file_range(int descriptor, int64_t offset, int64_t count, unsigned int flags);
#endif

// Has the system begin to put a part of a file on its disk, and does not wait for it. A wish: what is no file on a
// disk refuses it, and other systems are not asked.
static inline void sheaf_begin_writeback(int descriptor, int64_t offset, int64_t count) {
#if defined(__linux__)
    const unsigned int write = 2;
    (void)sync_file_range(descriptor, offset, count, write);
#endif
}

#endif

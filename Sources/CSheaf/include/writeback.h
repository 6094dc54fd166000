// Declares a system call that the C library does not expose to Swift: it requires _GNU_SOURCE, which is not defined
// when Swift imports the library.
#ifndef SHEAF_WRITEBACK_H
#define SHEAF_WRITEBACK_H

#include <stdint.h>

#if defined(__linux__)
extern int sync_file_range(int descriptor, int64_t offset, int64_t count, unsigned int flags);
#endif

// Asks the system to start writing part of a file to disk, without waiting. This is a hint: the call fails for
// anything that is not a file on a disk, and other systems are not asked.
static inline void sheaf_begin_writeback(int descriptor, int64_t offset, int64_t count) {
#if defined(__linux__)
    const unsigned int write = 2;
    (void)sync_file_range(descriptor, offset, count, write);
#endif
}

#endif

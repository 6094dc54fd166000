// What the command needs before any Swift code runs.
//
// On Linux that is /proc: the Swift runtime reads the arguments from it, and takes a missing file for a command without
// arguments. In a static executable the runtime also aborts if /proc/self/exe is missing.
//
// A command that was built for processors with AVX2 needs such a processor.
#include "CStart.h"

#if defined(__linux__)
#include <stdlib.h>
#include <unistd.h>

#if defined(__AVX2__)
// This code must run on every processor.
#define SHEAF_START __attribute__((target("arch=x86-64")))
#else
#define SHEAF_START
#endif

// Ends the command with EX_SOFTWARE, the status of internal errors.
SHEAF_START static _Noreturn void sheaf_refuse(const char *message, size_t length) {
    ssize_t written = write(STDERR_FILENO, message, length);
    (void)written;
    _exit(70);
}

// The first priority that is not reserved: the constructors of a static executable's runtime run later.
SHEAF_START __attribute__((constructor(101))) static void sheaf_require_machine(void) {
#if defined(__AVX2__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("fma")) {
        static const char message[] =
            "sheaf: built for processors with AVX2, which this one lacks: build it with make install MARCH=x86-64\n";
        sheaf_refuse(message, sizeof message - 1);
    }
#endif
    if (access("/proc/self/cmdline", R_OK) != 0 || access("/proc/self/exe", F_OK) != 0) {
        static const char message[] =
            "sheaf: /proc is not available: mount it, for example with mount -t proc proc /proc\n";
        sheaf_refuse(message, sizeof message - 1);
    }
}
#endif

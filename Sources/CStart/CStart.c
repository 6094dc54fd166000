// The command needs /proc on Linux: the Swift runtime reads the arguments from it, and takes a missing file for a command
// without arguments. In a static executable the runtime also aborts, before any Swift code, if /proc/self/exe is missing.
#include "CStart.h"

#if defined(__linux__)
#include <stdlib.h>
#include <unistd.h>

// The first priority that is not reserved: the constructors of a static executable's runtime run later.
__attribute__((constructor(101))) static void sheaf_require_proc(void) {
    if (access("/proc/self/cmdline", R_OK) == 0 && access("/proc/self/exe", F_OK) == 0) return;
    static const char message[] =
        "sheaf: /proc is not available: mount it, for example with mount -t proc proc /proc\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    // EX_SOFTWARE, the status of internal errors.
    _exit(70);
}
#endif

// Tests how a signal is handled. Swift cannot compare a handler with SIG_IGN, a macro that casts to a function
// pointer.
#ifndef SHEAF_SIGNALS_H
#define SHEAF_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

// Returns whether the process ignores the signal `number`.
static inline bool sheaf_is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, (const struct sigaction *)0, &action) == 0 && action.sa_handler == SIG_IGN;
}

#endif

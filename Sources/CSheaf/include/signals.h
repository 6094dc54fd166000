// What became of a signal, which Swift can't compare with SIG_IGN: that is a macro with a cast to a function.
#ifndef SHEAF_SIGNALS_H
#define SHEAF_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

// Whether the process ignores a signal.
static inline bool sheaf_is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, (const struct sigaction *)0, &action) == 0 && action.sa_handler == SIG_IGN;
}

#endif

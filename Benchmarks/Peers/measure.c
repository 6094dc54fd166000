// measure FILE COMMAND…: runs a command, and writes its wall, user and system seconds and its peak memory in KiB to
// a file.
//
// A separate small program because a process's peak memory includes that of the process that it was forked from.

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
static const long bytes_in_unit = 1;
#else
static const long bytes_in_unit = 1024;
#endif

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

int main(int count, char **arguments) {
    if (count < 3) {
        fprintf(stderr, "usage: measure FILE COMMAND…\n");
        return 64;
    }
    double start = now();
    pid_t child = fork();
    if (child == 0) {
        execvp(arguments[2], arguments + 2);
        fprintf(stderr, "%s: %s\n", arguments[2], strerror(errno));
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        perror("measure");
        return 71;
    }
    double wall = now() - start;
    double user = seconds(usage.ru_utime), system = seconds(usage.ru_stime);
    FILE *result = fopen(arguments[1], "w");
    if (!result || fprintf(result, "%.4f %.4f %.4f %ld\n", wall, user, system, usage.ru_maxrss * bytes_in_unit / 1024) < 0
        || fclose(result)) {
        perror(arguments[1]);
        return 74;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

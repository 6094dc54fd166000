// Chooses the numbers that secret.h declares as constants: nothing changes them after this.
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

uint64_t sheaf_secret[3];

__attribute__((constructor)) static void sheaf_choose_secret(void) {
    if (getentropy(sheaf_secret, sizeof sheaf_secret) != 0) abort();
}

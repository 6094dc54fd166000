// Random numbers that are chosen when the process starts, before any Swift code runs.
//
// A global variable of Swift that is computed is checked for that on each access. Every record needs these numbers
// several times, and around each call of the check, registers are saved.
#ifndef SHEAF_SECRET_H
#define SHEAF_SECRET_H

#include <stdint.h>

extern const uint64_t sheaf_secret[3];

#endif

// The command's check before the Swift runtime starts, in CStart.c. It has no interface.
#ifndef SHEAF_START_H
#define SHEAF_START_H
#endif

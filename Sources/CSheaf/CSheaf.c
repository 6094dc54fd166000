// Compiles every header as C. The headers contain nearly all of the code.
#include "affinity.h"
#include "allocator.h"
#include "crc32.h"
#include "intrinsics.h"
#include "secret.h"
#include "selection.h"
#include "signals.h"
#include "writeback.h"

// The headers contain all of the code. A C target needs a source file; this one compiles every header as C.
#include "affinity.h"
#include "allocator.h"
#include "crc32.h"
#include "intrinsics.h"
#include "selection.h"
#include "signals.h"
#include "writeback.h"

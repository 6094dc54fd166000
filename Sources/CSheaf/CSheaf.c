// The headers hold all of the code. A C target needs a source file, and this one checks that each header compiles alone.
#include "affinity.h"
#include "allocator.h"
#include "crc32.h"
#include "intrinsics.h"
#include "signals.h"
#include "writeback.h"

// The system's zlib, as it is: inflating, deflating, and its CRC-32.
#ifndef SHEAF_CZLIB_SHIM_H
#define SHEAF_CZLIB_SHIM_H

#include <zlib.h>

#endif

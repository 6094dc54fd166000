// The system's libzstd, as it is: its stable interface for streams.
#ifndef SHEAF_CZSTD_SHIM_H
#define SHEAF_CZSTD_SHIM_H

#include <zstd.h>
#include <zstd_errors.h>

#endif

// Two instructions that Swift cannot express. Except for carry-less products (crc32.h) and the order of bytes
// (selection.h), all other vector code is written in Swift.
#ifndef SHEAF_INTRINSICS_H
#define SHEAF_INTRINSICS_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

typedef int8_t sheaf_lanes16 __attribute__((ext_vector_type(16)));

// Returns the sign of each lane as one bit, the first lane's bit lowest.
static inline __attribute__((always_inline)) uint32_t sheaf_lane_signs(sheaf_lanes16 lanes) {
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_epi8((__m128i)lanes);
#elif defined(__ARM_NEON) && defined(__aarch64__)
    // Each lane keeps the bit of its index within its half, so that a sum across a half is a bitwise OR.
    const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t kept = vandq_u8((uint8x16_t)vshrq_n_s8((int8x16_t)lanes, 7), bits);
    return (uint32_t)vaddv_u8(vget_low_u8(kept)) | (uint32_t)vaddv_u8(vget_high_u8(kept)) << 8;
#else
    uint32_t signs = 0;
    for (int lane = 0; lane < 16; lane++) signs |= (uint32_t)(lanes[lane] < 0) << lane;
    return signs;
#endif
}

// Starts loading the cache line at `address` without waiting for it. Every address is allowed, even an invalid one.
static inline __attribute__((always_inline)) void sheaf_prefetch(const void *address) {
    __builtin_prefetch(address);
}

#endif

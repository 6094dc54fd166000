// Computes the bulk of a CRC-32 by carry-less multiplication on processors that support it, several times as fast as
// with tables. zlib adds the remainder: sixteen bytes and a tail.
//
// The construction is from V. Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ" (Intel,
// 2009), for the reflected polynomial 0xedb88320 of RFC 1952. Its constants are powers of x modulo that polynomial.
//
// arm64 processors also have instructions for this CRC. They are not used: a chain of them adds at most eight bytes per
// cycle, and less than three on Apple's processors, unless several chains are computed in turns and then combined.
// Products do not wait for each other. They add up to eight bytes per cycle where one unit computes them (Neoverse N1),
// so that a chain may be faster there, and more where two or four do (later Neoverse cores, Apple's).
#ifndef SHEAF_CRC32_H
#define SHEAF_CRC32_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#define SHEAF_CRC32_FOLDS __attribute__((target("pclmul,sse2")))
#define SHEAF_CRC32_FOLDS_PAIRS __attribute__((target("vpclmulqdq,pclmul,avx2")))
#include <emmintrin.h>
#include <wmmintrin.h>
#elif defined(__AARCH64EL__)
#define SHEAF_CRC32_FOLDS __attribute__((target("+aes")))
#include <arm_neon.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#endif

// Returns how many bytes this processor can fold at once: 32; 16; or 0, if `sheaf_crc32_fold` must not be called.
static inline int sheaf_crc32_width(void) {
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("pclmul")) return 0;
    return __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx2") ? 32 : 16;
#elif defined(__AARCH64EL__) && defined(__APPLE__)
    // All of Apple's 64-bit processors can.
    return 16;
#elif defined(__AARCH64EL__) && defined(__linux__)
    return (getauxval(AT_HWCAP) & HWCAP_PMULL) != 0 ? 16 : 0;
#else
    return 0;
#endif
}

#if defined(SHEAF_CRC32_FOLDS)
typedef uint64_t sheaf_crc32_block __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) SHEAF_CRC32_FOLDS sheaf_crc32_block
sheaf_crc32_load(const uint8_t *bytes) {
    sheaf_crc32_block block;
    __builtin_memcpy(&block, bytes, sizeof block);
    return block;
}

// Returns `accumulated`, shifted by the distance that `powers` encode, with `next` added.
static inline __attribute__((always_inline)) SHEAF_CRC32_FOLDS sheaf_crc32_block
sheaf_crc32_move(sheaf_crc32_block accumulated, sheaf_crc32_block powers, sheaf_crc32_block next) {
#if defined(__x86_64__)
    __m128i low = _mm_clmulepi64_si128((__m128i)accumulated, (__m128i)powers, 0x00);
    __m128i high = _mm_clmulepi64_si128((__m128i)accumulated, (__m128i)powers, 0x11);
    return (sheaf_crc32_block)low ^ (sheaf_crc32_block)high ^ next;
#else
    poly128_t low = vmull_p64((poly64_t)accumulated[0], (poly64_t)powers[0]);
    poly128_t high = vmull_high_p64((poly64x2_t)accumulated, (poly64x2_t)powers);
    return (sheaf_crc32_block)vreinterpretq_u64_p128(low) ^ (sheaf_crc32_block)vreinterpretq_u64_p128(high) ^ next;
#endif
}
#endif

#if defined(SHEAF_CRC32_FOLDS_PAIRS)
// Two blocks. The header with the intrinsics for them would be slow to import.
typedef long long sheaf_crc32_pair __attribute__((vector_size(32)));

static inline __attribute__((always_inline)) SHEAF_CRC32_FOLDS_PAIRS sheaf_crc32_pair
sheaf_crc32_load_pair(const uint8_t *bytes) {
    sheaf_crc32_pair pair;
    __builtin_memcpy(&pair, bytes, sizeof pair);
    return pair;
}

// Moves each block as `sheaf_crc32_move` does.
static inline __attribute__((always_inline)) SHEAF_CRC32_FOLDS_PAIRS sheaf_crc32_pair
sheaf_crc32_move_pair(sheaf_crc32_pair accumulated, sheaf_crc32_pair powers, sheaf_crc32_pair next) {
    sheaf_crc32_pair low = __builtin_ia32_pclmulqdq256(accumulated, powers, 0x00);
    sheaf_crc32_pair high = __builtin_ia32_pclmulqdq256(accumulated, powers, 0x11);
    return low ^ high ^ next;
}

// Moves a block over the two of a pair, which are added.
static inline __attribute__((always_inline)) SHEAF_CRC32_FOLDS_PAIRS sheaf_crc32_block
sheaf_crc32_join(sheaf_crc32_block before, sheaf_crc32_pair pair, sheaf_crc32_block over16) {
    sheaf_crc32_block blocks[2];
    __builtin_memcpy(blocks, &pair, sizeof pair);
    return sheaf_crc32_move(sheaf_crc32_move(before, over16, blocks[0]), over16, blocks[1]);
}

// Does what `sheaf_crc32_fold` does, for at least 128 bytes, with half as many instructions, where the width is 32.
static inline SHEAF_CRC32_FOLDS_PAIRS void
sheaf_crc32_fold_pairs(uint32_t state, const uint8_t *bytes, size_t count, uint8_t *folded) {
    const sheaf_crc32_pair over128 = {0x1e88ef372, 0x14a7fe880, 0x1e88ef372, 0x14a7fe880};
    const sheaf_crc32_block over16 = {0x1751997d0, 0x0ccaa009e};
    const sheaf_crc32_pair added = {state, 0, 0, 0};
    sheaf_crc32_pair a = sheaf_crc32_load_pair(bytes) ^ added;
    sheaf_crc32_pair b = sheaf_crc32_load_pair(bytes + 32);
    sheaf_crc32_pair c = sheaf_crc32_load_pair(bytes + 64);
    sheaf_crc32_pair d = sheaf_crc32_load_pair(bytes + 96);
    const uint8_t *end = bytes + count;
    for (bytes += 128; end - bytes >= 128; bytes += 128) {
        a = sheaf_crc32_move_pair(a, over128, sheaf_crc32_load_pair(bytes));
        b = sheaf_crc32_move_pair(b, over128, sheaf_crc32_load_pair(bytes + 32));
        c = sheaf_crc32_move_pair(c, over128, sheaf_crc32_load_pair(bytes + 64));
        d = sheaf_crc32_move_pair(d, over128, sheaf_crc32_load_pair(bytes + 96));
    }
    sheaf_crc32_block all = {0, 0};
    all = sheaf_crc32_join(all, a, over16);
    all = sheaf_crc32_join(all, b, over16);
    all = sheaf_crc32_join(all, c, over16);
    all = sheaf_crc32_join(all, d, over16);
    for (; bytes < end; bytes += 16) all = sheaf_crc32_move(all, over16, sheaf_crc32_load(bytes));
    __builtin_memcpy(folded, &all, sizeof all);
}
#endif

// Stores sixteen bytes in `folded` that have the same remainder as the `count` bytes at `bytes` after `state` was
// added to the first four of them. `state` is the CRC register, which starts with all bits set. `count` is a multiple
// of 64 and not 0.
#if defined(SHEAF_CRC32_FOLDS)
static inline SHEAF_CRC32_FOLDS void
sheaf_crc32_fold(uint32_t state, const uint8_t *bytes, size_t count, uint8_t *folded) {
    const sheaf_crc32_block over64 = {0x154442bd4, 0x1c6e41596};
    const sheaf_crc32_block over16 = {0x1751997d0, 0x0ccaa009e};
    const sheaf_crc32_block added = {state, 0};
    sheaf_crc32_block a = sheaf_crc32_load(bytes) ^ added;
    sheaf_crc32_block b = sheaf_crc32_load(bytes + 16);
    sheaf_crc32_block c = sheaf_crc32_load(bytes + 32);
    sheaf_crc32_block d = sheaf_crc32_load(bytes + 48);
    const uint8_t *end = bytes + count;
    for (bytes += 64; bytes < end; bytes += 64) {
        a = sheaf_crc32_move(a, over64, sheaf_crc32_load(bytes));
        b = sheaf_crc32_move(b, over64, sheaf_crc32_load(bytes + 16));
        c = sheaf_crc32_move(c, over64, sheaf_crc32_load(bytes + 32));
        d = sheaf_crc32_move(d, over64, sheaf_crc32_load(bytes + 48));
    }
    b = sheaf_crc32_move(a, over16, b);
    c = sheaf_crc32_move(b, over16, c);
    d = sheaf_crc32_move(c, over16, d);
    __builtin_memcpy(folded, &d, sizeof d);
}
#else
static inline void
sheaf_crc32_fold(uint32_t state, const uint8_t *bytes, size_t count, uint8_t *folded) {
    (void)state, (void)bytes, (void)count, (void)folded;
    __builtin_trap();
}
#endif

#if !defined(SHEAF_CRC32_FOLDS_PAIRS)
static inline void
sheaf_crc32_fold_pairs(uint32_t state, const uint8_t *bytes, size_t count, uint8_t *folded) {
    sheaf_crc32_fold(state, bytes, count, folded);
}
#endif

#endif

// Moves selected bytes of a block next to each other. Swift cannot express the instruction that puts the bytes of a
// vector in an order that is known only when it runs.
#ifndef SHEAF_SELECTION_H
#define SHEAF_SELECTION_H

#include <stdint.h>

#if defined(__x86_64__)
#include <tmmintrin.h>
#elif defined(__AARCH64EL__)
#include <arm_neon.h>
#endif

// Returns some of eight bytes in another order: those at `places`, one number per byte.
#if defined(__x86_64__)
#define SHEAF_SELECTS __attribute__((target("ssse3,popcnt")))
static inline __attribute__((always_inline)) SHEAF_SELECTS uint64_t
sheaf_select_places(uint64_t bytes, uint64_t places) {
    __m128i moved = _mm_shuffle_epi8(_mm_cvtsi64_si128((long long)bytes), _mm_cvtsi64_si128((long long)places));
    return (uint64_t)_mm_cvtsi128_si64(moved);
}
#elif defined(__AARCH64EL__)
#define SHEAF_SELECTS
static inline __attribute__((always_inline)) uint64_t sheaf_select_places(uint64_t bytes, uint64_t places) {
    return vget_lane_u64(vreinterpret_u64_u8(vtbl1_u8(vcreate_u8(bytes), vcreate_u8(places))), 0);
}
#endif

#if defined(SHEAF_SELECTS)
// The place of a byte among eight, at the byte to which it moves if its bit in a mask is set.
#define SHEAF_PLACE(mask, place) \
    ((uint64_t)((mask) >> (place) & 1) * (place) << 8 * __builtin_popcount((mask) & ((1 << (place)) - 1)))
#define SHEAF_PLACES(mask) \
    (SHEAF_PLACE(mask, 1) | SHEAF_PLACE(mask, 2) | SHEAF_PLACE(mask, 3) | SHEAF_PLACE(mask, 4) \
        | SHEAF_PLACE(mask, 5) | SHEAF_PLACE(mask, 6) | SHEAF_PLACE(mask, 7))
#define SHEAF_PLACES4(mask) \
    SHEAF_PLACES(mask), SHEAF_PLACES(mask + 1), SHEAF_PLACES(mask + 2), SHEAF_PLACES(mask + 3)
#define SHEAF_PLACES16(mask) \
    SHEAF_PLACES4(mask), SHEAF_PLACES4(mask + 4), SHEAF_PLACES4(mask + 8), SHEAF_PLACES4(mask + 12)
#define SHEAF_PLACES64(mask) \
    SHEAF_PLACES16(mask), SHEAF_PLACES16(mask + 16), SHEAF_PLACES16(mask + 32), SHEAF_PLACES16(mask + 48)

// `sheaf_select` with vectors, eight bytes at a time.
static inline SHEAF_SELECTS unsigned
sheaf_select_shuffled(const uint8_t *source, unsigned count, uint32_t selected, uint8_t *target) {
    static const uint64_t places[256] = {
        SHEAF_PLACES64(0), SHEAF_PLACES64(64), SHEAF_PLACES64(128), SHEAF_PLACES64(192)};
    uint8_t *end = target;
    for (unsigned start = 0; start < count; start += 8) {
        const unsigned mask = selected >> start & 0xff;
        const unsigned kept = (unsigned)__builtin_popcount(mask);
        uint64_t bytes;
        __builtin_memcpy(&bytes, source + start, 8);
        bytes = sheaf_select_places(bytes, places[mask]);
        if (start + 8 <= count) {
            // The target is not after the source, so that all of these bytes have been loaded.
            __builtin_memcpy(end, &bytes, 8);
        } else {
            for (unsigned index = 0; index < kept; index++) end[index] = (uint8_t)(bytes >> 8 * index);
        }
        end += kept;
    }
    return (unsigned)(end - target);
}
#endif

// `sheaf_select` without vectors.
static inline unsigned
sheaf_select_in_turn(const uint8_t *source, unsigned count, uint32_t selected, uint8_t *target) {
    unsigned kept = 0;
    for (unsigned index = 0; index < count; index++) {
        if (selected >> index & 1) target[kept++] = source[index];
    }
    return kept;
}

// Moves those of the `count` bytes at `source` whose bits in `selected` are set to `target`, in their order, and returns
// their number. Changes no bytes after the first `count` at `source`, and none before `target`.
//
// `count` is at most 32, and no bit from there on is set. `target` is at most `source`, and the seven bytes after the
// `count` bytes are readable.
static inline unsigned
sheaf_select(const uint8_t *source, unsigned count, uint32_t selected, uint8_t *target) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("ssse3") && __builtin_cpu_supports("popcnt"))
        return sheaf_select_shuffled(source, count, selected, target);
#elif defined(SHEAF_SELECTS)
    return sheaf_select_shuffled(source, count, selected, target);
#endif
    return sheaf_select_in_turn(source, count, selected, target);
}

#endif

// Tests the code in CSheaf's headers that differs by processor; .ci/arm64 runs it. The headers have the same results
// on all processors, so the program also runs on others.
#include "CSheaf.c"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t random_state = 0x9e3779b97f4a7c15;

// xorshift64*: G. Marsaglia, "Xorshift RNGs" (2003).
static uint32_t random_bits(void) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)(random_state * 0x2545f4914f6cdd1d >> 32);
}

// Returns the CRC register after `count` bytes, computed bit by bit (RFC 1952, section 8).
static uint32_t remainder_of(uint32_t state, const uint8_t *bytes, size_t count) {
    for (size_t index = 0; index < count; index++) {
        state ^= bytes[index];
        for (int bit = 0; bit < 8; bit++) state = (state >> 1) ^ (state & 1 ? 0xedb88320 : 0);
    }
    return state;
}

// Allocates `count` bytes. Reading the byte after the last one, or 64 KiB from there, ends the process.
static uint8_t *before_unreadable_memory(size_t count) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), guard = page > 65536 ? page : 65536;
    size_t readable = (count + page - 1) / page * page;
    uint8_t *memory = mmap(NULL, readable + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + readable, guard, PROT_NONE) != 0) {
        perror("mmap");
        exit(71);
    }
    return memory + readable - count;
}

// Compares every number of blocks up to 4096 bytes, at every alignment within a block and directly before unreadable
// memory.
static int check_folding(void) {
    enum { largest = 4096, offsets = 16 };
    uint8_t *bytes = before_unreadable_memory(largest + offsets);
    for (size_t index = 0; index < largest + offsets; index++) bytes[index] = (uint8_t)random_bits();
    int folds = 0;
    for (size_t count = 64; count <= largest; count += 64) {
        for (size_t offset = 0; offset <= offsets; offset++) {
            const uint8_t *start = bytes + largest + offsets - count - offset;
            uint32_t state = offset == 0 ? UINT32_MAX : random_bits();
            uint8_t folded[16];
            sheaf_crc32_fold(state, start, count, folded);
            uint32_t expected = remainder_of(state, start, count), found = remainder_of(0, folded, sizeof folded);
            if (found != expected) {
                printf("CRC-32 of %zu bytes at offset %zu with state %08x: %08x instead of %08x\n", count, offset,
                       state, found, expected);
                exit(1);
            }
            folds++;
        }
    }
    return folds;
}

static void check_signs(sheaf_lanes16 lanes) {
    uint32_t expected = 0, found = sheaf_lane_signs(lanes);
    for (int lane = 0; lane < 16; lane++) expected |= (uint32_t)(lanes[lane] < 0) << lane;
    if (found != expected) {
        printf("signs: %04x instead of %04x\n", found, expected);
        exit(1);
    }
}

// Compares all 65,536 combinations of signs, each with random other bits.
static void check_all_signs(void) {
    for (uint32_t signs = 0; signs < 1 << 16; signs++) {
        sheaf_lanes16 lanes;
        for (int lane = 0; lane < 16; lane++) {
            int8_t value = (int8_t)(random_bits() & 0x7f);
            lanes[lane] = signs >> lane & 1 ? (int8_t)(value - 128) : value;
        }
        check_signs(lanes);
    }
}

// Selects random bytes of random texts. Seven bytes follow each text, and then unreadable memory.
static int check_selections(void) {
    enum { largest = 32, distance = 40, after = 7, size = distance + largest + after, rounds = 200000 };
    uint8_t *bytes = before_unreadable_memory(size), before[size], kept[largest];
    for (int round = 0; round < rounds; round++) {
        for (size_t index = 0; index < size; index++) bytes[index] = before[index] = (uint8_t)random_bits();
        const unsigned count = random_bits() % (largest + 1), source = size - after - count;
        const unsigned target = source - random_bits() % (distance + 1);
        uint32_t selected = random_bits() & (round & 1 ? random_bits() : UINT32_MAX);
        if (count < largest) selected &= ((uint32_t)1 << count) - 1;
        unsigned expected = 0;
        for (unsigned index = 0; index < count; index++) {
            if (selected >> index & 1) kept[expected++] = before[source + index];
        }
        const unsigned found = sheaf_select(bytes + source, count, selected, bytes + target);
        if (found != expected || memcmp(bytes + target, kept, found) != 0 || memcmp(bytes, before, target) != 0
            || memcmp(bytes + source + count, before + source + count, after) != 0) {
            printf("%08x of %u bytes at %u: %u instead of %u, or others\n", selected, count, target, found, expected);
            exit(1);
        }
    }
    return rounds;
}

int main(void) {
    check_all_signs();
    printf("%d selections of bytes are right\n", check_selections());
    sheaf_prefetch(NULL);
    sheaf_fix_large_blocks(1 << 17);
    sheaf_begin_writeback(-1, 0, 0);
    printf("signs of 65536 vectors are right, %d processors\n", sheaf_bound_processors());
    if (sheaf_crc32_width() == 0) {
        puts("CRC-32: this processor can't fold");
        return 1;
    }
    printf("CRC-32: %d folds are right\n", check_folding());
}

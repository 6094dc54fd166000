// inflate-libraries LIBRARY FILE PASSES: inflates a gzip file in memory with zlib, libdeflate or isal, on one core.
//
// zlib and ISA-L fill a buffer of 512 KiB again and again. libdeflate has no such mode: it inflates each member as a
// whole, into memory that was touched before. All verify the members' checksums. The number of bytes and the times of
// each pass are printed in the same way as by Peers/InflateThroughput.

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <zlib.h>

enum { buffer_bytes = 512 << 10 };

static unsigned char buffer[buffer_bytes];
static unsigned char *compressed;
static size_t compressed_bytes;
// For libdeflate, memory for all members together.
static unsigned char *inflated;
static size_t inflated_bytes;

static void fail(const char *library) {
    fprintf(stderr, "inflate-libraries: %s failed\n", library);
    exit(1);
}

static size_t inflate_with_zlib(void) {
    z_stream stream = {.next_in = compressed, .avail_in = (unsigned)compressed_bytes};
    // 16 more than the window's bits: a gzip member with its checksum.
    if (inflateInit2(&stream, 15 + 16) != Z_OK) fail("zlib");
    size_t total = 0;
    while (1) {
        stream.next_out = buffer;
        stream.avail_out = buffer_bytes;
        int status = inflate(&stream, Z_NO_FLUSH);
        total += buffer_bytes - stream.avail_out;
        if (status == Z_STREAM_END) {
            if (stream.avail_in == 0) break;
            status = inflateReset(&stream);
        }
        if (status != Z_OK) fail("zlib");
    }
    inflateEnd(&stream);
    return total;
}

static size_t inflate_with_isal(void) {
    static struct inflate_state state;
    isal_inflate_init(&state);
    state.crc_flag = ISAL_GZIP;
    state.next_in = compressed;
    state.avail_in = (uint32_t)compressed_bytes;
    size_t total = 0;
    while (1) {
        state.next_out = buffer;
        state.avail_out = buffer_bytes;
        if (isal_inflate(&state) != ISAL_DECOMP_OK) fail("ISA-L");
        total += buffer_bytes - state.avail_out;
        if (state.block_state == ISAL_BLOCK_FINISH) {
            if (state.avail_in == 0) return total;
            isal_inflate_reset(&state);
        } else if (state.avail_in == 0 && state.avail_out > 0) {
            fail("ISA-L");
        }
    }
}

static size_t inflate_with_libdeflate(void) {
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    size_t read = 0, total = 0;
    while (read < compressed_bytes) {
        size_t member, text;
        if (libdeflate_gzip_decompress_ex(decompressor, compressed + read, compressed_bytes - read, inflated + total,
                                          inflated_bytes - total, &member, &text) != LIBDEFLATE_SUCCESS)
            fail("libdeflate");
        read += member;
        total += text;
    }
    libdeflate_free_decompressor(decompressor);
    return total;
}

static void read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(66);
    }
    compressed_bytes = (size_t)ftell(file);
    // The libraries count the bytes in 32 bits.
    if (compressed_bytes == 0 || compressed_bytes > UINT32_MAX || !(compressed = malloc(compressed_bytes))) {
        fprintf(stderr, "%s: empty, or too large\n", path);
        exit(66);
    }
    rewind(file);
    if (fread(compressed, 1, compressed_bytes, file) != compressed_bytes) {
        perror(path);
        exit(66);
    }
    fclose(file);
}

static long user_time(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec * 1000000L + usage.ru_utime.tv_usec;
}

static long wall_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

int main(int count, char **arguments) {
    size_t (*run)(void) = NULL;
    if (count == 4 && strcmp(arguments[1], "zlib") == 0) run = inflate_with_zlib;
    if (count == 4 && strcmp(arguments[1], "isal") == 0) run = inflate_with_isal;
    if (count == 4 && strcmp(arguments[1], "libdeflate") == 0) run = inflate_with_libdeflate;
    if (!run) {
        fprintf(stderr, "usage: inflate-libraries zlib|libdeflate|isal FILE PASSES\n");
        return 64;
    }
    read_file(arguments[2]);
    if (run == inflate_with_libdeflate) {
        inflated_bytes = inflate_with_zlib();
        inflated = malloc(inflated_bytes);
        if (!inflated) {
            fprintf(stderr, "inflate-libraries: no memory for %zu bytes\n", inflated_bytes);
            return 71;
        }
        memset(inflated, 1, inflated_bytes);
    }
    for (int pass = 0; pass < atoi(arguments[3]); pass++) {
        long user = user_time(), wall = wall_time();
        size_t total = run();
        printf("%zu bytes, %ld us user, %ld us wall\n", total, user_time() - user, wall_time() - wall);
    }
}

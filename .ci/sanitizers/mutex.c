// Makes the thread sanitizer understand Swift's Mutex. Preloaded before the program's own libraries.
//
// An uncontended Mutex is locked and unlocked by atomic operations in the program's own code, which the sanitizer sees.
// For a contended one the standard library calls the kernel, and that code is built without the sanitizer: every access
// that the mutex guards would be reported as a race. These functions replace the library's, call them, and annotate
// their effect. Nothing is suppressed: accesses that no mutex guards are reported as before.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// Null in programs without the sanitizer, such as `swift test` itself.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

static void acquired(void *mutex) {
    if (__tsan_acquire) __tsan_acquire(mutex);
}

static void will_release(void *mutex) {
    if (__tsan_release) __tsan_release(mutex);
}

// Synchronization._MutexHandle._lockSlow(UInt32) -> ()
SWIFT void $s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF(uint32_t thread, SELF mutex) {
    SWIFT void (*lock)(uint32_t, SELF) = dlsym(RTLD_NEXT, __func__);
    lock(thread, mutex);
    acquired(mutex);
}

// Synchronization._MutexHandle._tryLockSlow() -> Bool
SWIFT bool $s15Synchronization12_MutexHandleV12_tryLockSlowSbyF(SELF mutex) {
    SWIFT bool (*try_lock)(SELF) = dlsym(RTLD_NEXT, __func__);
    bool is_locked = try_lock(mutex);
    if (is_locked) acquired(mutex);
    return is_locked;
}

// Synchronization._MutexHandle._unlockSlow() -> ()
SWIFT void $s15Synchronization12_MutexHandleV11_unlockSlowyyF(SELF mutex) {
    SWIFT void (*unlock)(SELF) = dlsym(RTLD_NEXT, __func__);
    will_release(mutex);
    unlock(mutex);
}

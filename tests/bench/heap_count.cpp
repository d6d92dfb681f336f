// SPDX-License-Identifier: MIT
//
// This program is single-threaded, so plain counters do. glibc calls its own allocator by the
// names below; defining malloc and its kin here puts these in front of it for every library.
#include "tests/bench/heap_count.hpp"

#include <malloc.h>

#include <cerrno>
#include <cstddef>

namespace {

std::int64_t live = 0;
std::int64_t peak = 0;

void* counted(void* memory) {
    live += static_cast<std::int64_t>(malloc_usable_size(memory));
    if (live > peak) peak = live;
    return memory;
}

}  // namespace

// NOLINTBEGIN
extern "C" {

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);

void* malloc(std::size_t bytes) noexcept {
    return counted(__libc_malloc(bytes));
}
void* calloc(std::size_t count, std::size_t bytes) noexcept {
    return counted(__libc_calloc(count, bytes));
}
void* realloc(void* memory, std::size_t bytes) noexcept {
    const std::int64_t before = static_cast<std::int64_t>(malloc_usable_size(memory));
    void* const moved = __libc_realloc(memory, bytes);
    // A failed one leaves the old block where it was.
    if (moved == nullptr && bytes != 0) return nullptr;
    live -= before;
    return counted(moved);
}
void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
    return counted(__libc_memalign(alignment, bytes));
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
    return counted(__libc_memalign(alignment, bytes));
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
    void* const block = __libc_memalign(alignment, bytes);
    if (block == nullptr) return ENOMEM;
    *memory = counted(block);
    return 0;
}
void free(void* memory) noexcept {
    live -= static_cast<std::int64_t>(malloc_usable_size(memory));
    __libc_free(memory);
}

}  // extern "C"
// NOLINTEND

namespace wt::bench {

HeapBytes heap_bytes() {
    return {.live = live, .peak = peak};
}

void reset_heap_peak() {
    peak = live;
}

}  // namespace wt::bench

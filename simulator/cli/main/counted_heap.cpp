// SPDX-License-Identifier: MIT
//
// The program's operator new, which counts: cost.allocations. The other forms (arrays, nothrow)
// come here by the standard's defaults; over-aligned ones are counted beside. Sanitizers bring an
// operator new that checks, which is worth more than the figure: there nothing is counted.
#include <cstdlib>
#include <new>

#include "simulator/gates/allocations.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WT_CHECKED_HEAP
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WT_CHECKED_HEAP
#endif

#ifndef WT_CHECKED_HEAP

void* operator new(std::size_t bytes) {
    wt::sim::count_allocation();
    void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
    // Built without exceptions: there is nobody who could catch one.
    if (memory == nullptr) std::abort();
    return memory;
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
    wt::sim::count_allocation();
    const std::size_t align = static_cast<std::size_t>(alignment);
    void* const memory = std::aligned_alloc(align, (bytes + align - 1) / align * align);
    if (memory == nullptr) std::abort();
    return memory;
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

#endif

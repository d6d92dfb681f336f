// SPDX-License-Identifier: MIT
//
// An operator new that counts, for the whole executable: include it in one source file of it. Every
// other form of new and delete ends up in these. Not inlined, or gcc pairs a malloc that it sees
// with a delete that it does not.
#pragma once

#include <malloc.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "tests/support/heap_counts.hpp"

namespace wt::test {

inline void* noted(void* memory) {
    if (memory == nullptr) std::abort();
    ++news;
    live_bytes += static_cast<std::int64_t>(malloc_usable_size(memory));
    return memory;
}
inline void forget(void* memory) {
    if (memory != nullptr) live_bytes -= static_cast<std::int64_t>(malloc_usable_size(memory));
    std::free(memory);
}

}  // namespace wt::test

[[gnu::noinline]] void* operator new(std::size_t bytes) {
    return wt::test::noted(std::malloc(bytes == 0 ? 1 : bytes));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    wt::test::forget(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    wt::test::forget(memory);
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
    const std::size_t step = static_cast<std::size_t>(alignment);
    return wt::test::noted(std::aligned_alloc(step, (bytes + step - 1) / step * step));
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
    wt::test::forget(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    wt::test::forget(memory);
}

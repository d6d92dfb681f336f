// SPDX-License-Identifier: MIT
//
// An operator new that counts, for the whole executable: include it in one source file of it. Every
// other form of new and delete ends up in these. Not inlined, or gcc pairs a malloc that it sees
// with a delete that it does not.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>

namespace wt::test {

// Calls of operator new since the program began.
inline std::uint64_t news = 0;

}  // namespace wt::test

[[gnu::noinline]] void* operator new(std::size_t bytes) {
    ++wt::test::news;
    void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr) std::abort();
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
    ++wt::test::news;
    const std::size_t step = static_cast<std::size_t>(alignment);
    void* const memory = std::aligned_alloc(step, (bytes + step - 1) / step * step);
    if (memory == nullptr) std::abort();
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

// SPDX-License-Identifier: MIT
#include "simulator/run/huge_heap.hpp"

#include <cstdlib>

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#endif

#include <algorithm>
#include <memory>

namespace wt::sim {

#if defined(__linux__) && defined(__GLIBC__) && defined(MADV_HUGEPAGE)

void prefer_huge_pages(std::uint64_t bytes) {
    constexpr std::size_t page = std::size_t{2} << 20;
    // What goes beyond lies in small pages: an estimate may be far too high.
    constexpr std::size_t most = std::size_t{512} << 20;
    const std::size_t wanted = std::clamp<std::uint64_t>(bytes, page, most);
    // Large vectors come from the heap, too, and what was freed stays there.
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 30);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 30);
    (void)mallopt(M_TOP_PAD, 16 << 20);
    // A block that is freed at once leaves the heap grown.
    std::size_t room = wanted + page;
    void* const block = std::malloc(room);
    void* from = block;
    if (block != nullptr && std::align(page, wanted, from, room) != nullptr) {
        (void)madvise(from, wanted, MADV_HUGEPAGE);
    }
    std::free(block);
}

#else

void prefer_huge_pages(std::uint64_t) {}

#endif

}  // namespace wt::sim

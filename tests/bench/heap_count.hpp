// SPDX-License-Identifier: MIT
//
// Counts every byte that malloc hands out in this program, and so operator new too, which asks
// malloc. Sizes are what the allocator really set aside (malloc_usable_size).
#pragma once

#include <cstdint>

namespace wt::bench {

struct HeapBytes {
    std::int64_t live = 0;
    std::int64_t peak = 0;  // Of live, since the last reset_heap_peak().
};

[[nodiscard]] HeapBytes heap_bytes();
void reset_heap_peak();

}  // namespace wt::bench

// SPDX-License-Identifier: MIT
//
// The next deadline of each member of a numbered set, and the earliest of all. One entry a member,
// moved when its deadline moves; ties go to the lower number, so that the order of expiry never
// depends on the order of insertion.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/time.hpp"

namespace wt::secure {

class DeadlineHeap {
public:
    // For members 0 .. capacity - 1; none has a deadline yet.
    explicit DeadlineHeap(std::uint32_t capacity);

    // Instant::never() takes the member out.
    void set(std::uint32_t member, Instant deadline);
    void clear();

    // Instant::never() when nobody waits.
    [[nodiscard]] Instant earliest() const;
    // Whose it is; a bug when nobody waits.
    [[nodiscard]] std::uint32_t first() const;

private:
    static constexpr std::uint32_t absent = ~std::uint32_t{0};

    [[nodiscard]] bool is_before(std::uint32_t a, std::uint32_t b) const;
    void put(std::uint32_t place, std::uint32_t member);
    void rise(std::uint32_t place);
    void sink(std::uint32_t place);
    void remove(std::uint32_t member);

    std::vector<std::uint32_t> heap_;   // Members, heap order.
    std::vector<std::uint32_t> place_;  // Of each member in heap_, or absent.
    std::vector<Instant> deadline_;
};

}  // namespace wt::secure

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <initializer_list>

#include "engine/session/sequence_window.hpp"

namespace wt::session::sequence_window_test {

TEST_CASE("the walk over the wrap of the sequence") {
    SequenceWindow window;
    CHECK(window.is_empty());
    CHECK(window.observe(0xffff'fffe) == SequenceResult::newest);
    CHECK(window.observe(0) == SequenceResult::newest);
    CHECK(window.observe(0xffff'ffff) == SequenceResult::out_of_order);
    CHECK(window.mask() == 7);
    CHECK(window.observe(0xffff'ffff) == SequenceResult::duplicate);
    const SequenceWindow before = window;
    CHECK(window.observe(0x8000'0000) == SequenceResult::ambiguous);
    CHECK(window == before);
    CHECK(window.observe(63) == SequenceResult::newest);
    CHECK(window.observe(0) == SequenceResult::duplicate);
    CHECK(window.observe(0xffff'ffff) == SequenceResult::too_old);
    CHECK(window.observe(127) == SequenceResult::newest);
    CHECK(window.mask() == 1);
    CHECK(window.observe(64) == SequenceResult::out_of_order);
    CHECK(window.observe(63) == SequenceResult::too_old);
    CHECK(window.newest() == 127);
}

TEST_CASE("the first sequence may be any") {
    for (const std::uint32_t first : {0u, 1u, 0x7fff'ffffu, 0x8000'0000u, 0xffff'ffffu}) {
        SequenceWindow window;
        CHECK(window.observe(first) == SequenceResult::newest);
        CHECK(window.observe(first) == SequenceResult::duplicate);
        CHECK(window.mask() == 1);
    }
}

TEST_CASE("ages 63 and 64, jumps 63 and 64, and the last newer number") {
    SequenceWindow window;
    CHECK(window.observe(1'000) == SequenceResult::newest);
    CHECK(window.observe(1'000 - 63) == SequenceResult::out_of_order);
    CHECK(window.observe(1'000 - 64) == SequenceResult::too_old);

    SequenceWindow jumps;
    CHECK(jumps.observe(10) == SequenceResult::newest);
    CHECK(jumps.observe(73) == SequenceResult::newest);
    CHECK(jumps.mask() == (std::uint64_t{1} << 63 | 1));
    CHECK(jumps.observe(73 + 64) == SequenceResult::newest);
    CHECK(jumps.mask() == 1);

    SequenceWindow far;
    CHECK(far.observe(5) == SequenceResult::newest);
    CHECK(far.observe(5 + 0x8000'0001u) == SequenceResult::too_old);
    CHECK(far.observe(5 + 0x7fff'ffffu) == SequenceResult::newest);
}

TEST_CASE("refused sequences change nothing, and a copy commits or vanishes") {
    SequenceWindow window;
    CHECK(window.observe(100) == SequenceResult::newest);
    const SequenceWindow before = window;
    SequenceWindow staged = window;
    CHECK(staged.observe(101) == SequenceResult::newest);
    CHECK(window == before);
    window = staged;
    CHECK(window.observe(101) == SequenceResult::duplicate);
    const SequenceWindow after = window;
    CHECK(window.observe(101 - 64) == SequenceResult::too_old);
    CHECK(window.observe(101 + 0x8000'0000u) == SequenceResult::ambiguous);
    CHECK(window == after);
}

}  // namespace wt::session::sequence_window_test

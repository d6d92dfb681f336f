// SPDX-License-Identifier: MIT
//
// Admission, order and refusals of reliable fragments, without packets around them.
#include <doctest/doctest.h>

#include <vector>

#include "engine/secure/reassembly.hpp"

namespace wt::secure::reassembly_test {

using Outcome = Reassembly::Outcome;
using transport::Counters;
using transport::Refusal;

namespace {

struct Bench {
    BufferPool pool;
    Reassembly reassembly{pool};
    Counters counters;
    std::uint16_t sequence = 0;

    Bench() { reassembly.reset(0); }

    Outcome add(std::uint8_t lane, std::uint16_t message, std::uint8_t index, std::uint8_t count,
                std::size_t bytes = 100) {
        const std::vector<std::uint8_t> fragment(bytes, static_cast<std::uint8_t>(index + 1));
        Reassembly::Slot* slot = nullptr;
        const Outcome outcome =
            reassembly.add({sequence++, lane, message, index, count}, fragment, {}, counters, slot);
        if (outcome == Outcome::complete) reassembly.opened(*slot);
        return outcome;
    }
    // A whole message of the largest kind, every fragment full.
    Outcome add_largest(std::uint8_t lane, std::uint16_t message) {
        Outcome last = Outcome::refused;
        for (unsigned i = 0; i < 239; ++i) {
            last = add(lane, message, static_cast<std::uint8_t>(i), 239, 1'100);
            if (last == Outcome::refused) break;
        }
        return last;
    }
    std::vector<int> delivered() {
        std::vector<int> ids;
        Reassembly::Delivery delivery;
        while (reassembly.next(delivery)) {
            ids.push_back(static_cast<int>(delivery.lane) * 100'000 + delivery.slot->id);
        }
        return ids;
    }
};

}  // namespace

TEST_CASE("messages wait for their turn on their own lane") {
    Bench bench;
    CHECK(bench.add(2, 1, 0, 1) == Outcome::complete);
    CHECK(bench.add(3, 0, 0, 1) == Outcome::complete);
    CHECK(bench.delivered() == std::vector<int>{300'000});
    CHECK(bench.add(2, 0, 1, 2) == Outcome::stored);
    CHECK(bench.delivered().empty());
    CHECK(bench.add(2, 0, 0, 2) == Outcome::complete);
    CHECK(bench.delivered() == std::vector<int>{200'000, 200'001});
}

TEST_CASE("fragments are joined in index order, short ones without a gap") {
    Bench bench;
    CHECK(bench.add(0, 0, 2, 3, 7) == Outcome::stored);
    CHECK(bench.add(0, 0, 0, 3, 1'100) == Outcome::stored);
    CHECK(bench.add(0, 0, 1, 3, 500) == Outcome::complete);
    Reassembly::Delivery delivery;
    REQUIRE(bench.reassembly.next(delivery));
    REQUIRE(delivery.record.size() == 1'607);
    CHECK(delivery.record[0] == 1);
    CHECK(delivery.record[1'099] == 1);
    CHECK(delivery.record[1'100] == 2);
    CHECK(delivery.record[1'599] == 2);
    CHECK(delivery.record[1'600] == 3);
}

TEST_CASE("held and delivered fragments are duplicates, and no violation") {
    Bench bench;
    CHECK(bench.add(0, 0, 0, 2) == Outcome::stored);
    CHECK(bench.add(0, 0, 0, 2) == Outcome::duplicate);
    CHECK(bench.add(0, 0, 1, 2) == Outcome::complete);
    CHECK(bench.add(0, 0, 1, 2) == Outcome::duplicate);
    (void)bench.delivered();
    CHECK(bench.add(0, 0, 1, 2) == Outcome::duplicate);
    CHECK(bench.counters.duplicates == 3);
    CHECK(bench.counters.violations == 0);
}

TEST_CASE("the window takes 1,023 ids ahead and refuses 1,024") {
    Bench bench;
    CHECK(bench.add(1, 1'023, 0, 1) == Outcome::complete);
    CHECK(bench.add(1, 1'024, 0, 1) == Outcome::refused);
    CHECK(bench.counters.of(Refusal::reassembly_window) == 1);
    // Half a lap behind counts as delivered, half a lap ahead as out of the window.
    CHECK(bench.add(1, 32'767, 0, 1) == Outcome::refused);
    CHECK(bench.add(1, 32'768, 0, 1) == Outcome::duplicate);
}

TEST_CASE("each malformed field is a violation of its own name and stores nothing") {
    Bench bench;
    CHECK(bench.add(8, 0, 0, 1) == Outcome::violation);
    CHECK(bench.add(0, 0, 0, 0) == Outcome::violation);
    CHECK(bench.add(0, 0, 0, 240) == Outcome::violation);
    CHECK(bench.add(0, 0, 3, 3) == Outcome::violation);
    CHECK(bench.add(0, 0, 0, 2, 1'101) == Outcome::violation);
    CHECK(bench.add(0, 0, 0, 2, 1'100) == Outcome::stored);
    CHECK(bench.add(0, 0, 1, 3) == Outcome::violation);
    CHECK(bench.counters.of(Refusal::violation_lane) == 1);
    CHECK(bench.counters.of(Refusal::violation_count) == 2);
    CHECK(bench.counters.of(Refusal::violation_index) == 1);
    CHECK(bench.counters.of(Refusal::violation_size) == 1);
    CHECK(bench.counters.of(Refusal::violation_count_changed) == 1);
    CHECK(bench.reassembly.incomplete_bytes() == 1'100);
    CHECK(bench.add(0, 0, 1, 2) == Outcome::complete);
    CHECK(bench.add(0, 1, 0, 239) == Outcome::stored);
}

TEST_CASE("later messages share 2,091,104 bytes; the next of each lane always has room") {
    Bench bench;
    // 4 MiB less eight largest records of 262,900: seven more fit, the eighth does not.
    for (std::uint16_t id = 1; id <= 7; ++id)
        CHECK(bench.add_largest(4, id) == Outcome::complete);
    CHECK(bench.reassembly.later_bytes() == 7 * 262'900);
    CHECK(bench.add_largest(4, 8) == Outcome::refused);
    CHECK(bench.counters.of(Refusal::reassembly_budget) == 1);
    CHECK(bench.delivered().empty());
    for (std::uint8_t lane = 0; lane < 8; ++lane) {
        CHECK(bench.add_largest(lane, 0) == Outcome::complete);
    }
    // The places: four on each of seven lanes, sixteen on the busy one.
    constexpr std::uint64_t places = 7 * 512 + 1'280;
    CHECK(bench.pool.taken_bytes() <= 15 * BufferPool::class_bytes.back() + places);
    CHECK(bench.delivered().size() == 8 + 7);
    CHECK(bench.reassembly.later_bytes() == 0);
    CHECK(bench.pool.taken_bytes() == places);
    CHECK(bench.add_largest(4, 8) == Outcome::complete);
}

TEST_CASE("single fragments are charged by their size") {
    Bench bench;
    // 1,023 later ids of 1,100 bytes on one lane are 1,125,300; a second lane reaches the limit.
    for (std::uint16_t id = 1; id < 1'024; ++id) {
        CHECK(bench.add(0, id, 0, 1, 1'100) == Outcome::complete);
    }
    std::uint16_t taken = 0;
    while (bench.add(1, static_cast<std::uint16_t>(taken + 1), 0, 1, 1'100) == Outcome::complete) {
        ++taken;
    }
    CHECK(taken == (2'091'104 - 1'125'300) / 1'100);
}

}  // namespace wt::secure::reassembly_test

// SPDX-License-Identifier: MIT
//
// N1's integrated path: send queue, seed 001's own link model with its faults, envelope decoder and
// sequence window, without any transport. Nothing wrong comes through, nothing comes through twice
// within the window's memory, and the same seed gives the same history.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <vector>

#include "engine/session/send_queue.hpp"
#include "engine/session/sequence_window.hpp"
#include "simulator/link/n1_model.hpp"

namespace wt::session::session_n1_path_test {
namespace {

struct Outcome {
    std::array<unsigned, sequence_result_count> results{};
    std::vector<std::uint32_t> accepted{};
    sim::N1Counters link{};
    std::uint32_t sent = 0;
};

// 600 input messages, one a millisecond, over 20 ms with 15 ms of jitter.
Outcome run(std::uint32_t seed, std::uint32_t first_sequence) {
    sim::N1Model link;
    REQUIRE(link.reset({.delay_us = 20'000,
                        .jitter_us = 15'000,
                        .loss_per_ten_thousand = 500,
                        .duplicate_per_ten_thousand = 700},
                       seed));
    QueueStore store;
    SendQueue queue;
    SequenceWindow window;
    std::map<std::uint64_t, std::vector<std::uint8_t>> flying;
    std::uint64_t order = 0;
    Outcome outcome;
    for (std::uint64_t ms = 0; ms < 700; ++ms) {
        const std::uint64_t now_us = ms * 1'000;
        std::vector<std::uint8_t> room(message_bytes_max);
        std::size_t size = 0;
        if (ms < 600) {
            const std::uint32_t sequence = first_sequence + static_cast<std::uint32_t>(ms);
            std::array<std::uint8_t, 4> payload{};
            store_u32(payload.data(), ~sequence);
            REQUIRE(encode_envelope({.channel = Channel::input,
                                     .kind = 32,
                                     .epoch = 6,
                                     .sequence = sequence,
                                     .payload = payload},
                                    room, size) == EnvelopeStatus::ok);
            REQUIRE(queue.enqueue(store, {.message = ConstBytes(room).first(size)}) ==
                    EnqueueStatus::ok);
            REQUIRE(queue.dequeue(store, 1'200, room, size) == DequeueStatus::ok);
            const sim::N1Outcome sent = link.send(now_us);
            // Orders are given out to copies, in the order of sending.
            for (std::uint32_t copy = 0; copy < sent.copies; ++copy)
                flying[order++].assign(room.begin(),
                                       room.begin() + static_cast<std::ptrdiff_t>(size));
            ++outcome.sent;
        }
        std::uint64_t arrived = 0;
        while (link.deliver(now_us, arrived)) {
            Envelope got;
            REQUIRE(decode_envelope(flying.at(arrived), got) == EnvelopeStatus::ok);
            CHECK(got.epoch == 6);
            CHECK(load_u32(got.payload.data()) == ~got.sequence);
            SequenceWindow staged = window;
            const SequenceResult result = staged.observe(got.sequence);
            ++outcome.results[static_cast<unsigned>(result)];
            if (result == SequenceResult::newest || result == SequenceResult::out_of_order) {
                window = staged;
                outcome.accepted.push_back(got.sequence);
            } else {
                CHECK(window == staged);
            }
            flying.erase(arrived);
        }
    }
    outcome.link = link.counters();
    return outcome;
}

}  // namespace

TEST_CASE("queue, faulty link, decoder and window: each message once, none invented") {
    for (const std::uint32_t first : {0u, 0xffff'ff00u}) {
        const Outcome outcome = run(3, first);
        std::vector<std::uint32_t> sorted = outcome.accepted;
        for (std::uint32_t& sequence : sorted)
            sequence -= first;
        std::sort(sorted.begin(), sorted.end());
        CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
        CHECK(sorted.back() < 600);
        CHECK(outcome.link.dropped + outcome.link.accepted + outcome.link.rejected_full == 600);
        CHECK(outcome.link.delivered == outcome.link.accepted + outcome.link.duplicated);
        // Copies share a due time and a jitter of 15 messages stays inside the window of 64, so
        // every copy is told from its original and nothing is too old.
        CHECK(outcome.results[static_cast<unsigned>(SequenceResult::duplicate)] ==
              outcome.link.duplicated);
        CHECK(outcome.accepted.size() == outcome.link.accepted);
        CHECK(outcome.results[static_cast<unsigned>(SequenceResult::out_of_order)] > 50);
        CHECK(outcome.results[static_cast<unsigned>(SequenceResult::too_old)] == 0);
    }
}

TEST_CASE("the same seed gives the same history, another one another") {
    CHECK(run(9, 5).accepted == run(9, 5).accepted);
    CHECK(run(9, 5).accepted != run(10, 5).accepted);
}

}  // namespace wt::session::session_n1_path_test

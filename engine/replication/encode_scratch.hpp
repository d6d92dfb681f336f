// SPDX-License-Identifier: MIT
//
// Room that encoding one snapshot needs and nobody keeps: one for a server (or for each of its
// workers), not one a peer. It grows to the largest snapshot and stays.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/replication/state_codec.hpp"

namespace wt::replication {

// An object that could go into the snapshot.
struct Candidate {
    StateBits state{};
    std::uint16_t slot = 0;
    std::uint16_t bits = 0;  // Without gap and age.
    std::uint8_t age = 0;    // Of its baseline; 0 = absolute.
    std::uint8_t rank = 0;   // Higher goes first.
    bool chosen = true;
};

struct EncodeScratch {
    static constexpr std::size_t ranks = 256;

    std::vector<Candidate> candidates{};  // The first `count` are in use; slots go up.
    std::vector<std::uint16_t> slots{};
    std::size_t count = 0;
    std::uint32_t exact_bits = 0;        // Of all of them together.
    std::vector<std::uint32_t> turns{};  // Indices of the lowest chosen rank, in order of taking.
    std::vector<std::uint64_t> distances{};
    std::array<std::uint32_t, ranks> rank_bits{};

    [[nodiscard]] std::span<Candidate> waiting() { return std::span(candidates).first(count); }
};

}  // namespace wt::replication
